"""Positions and views of Shikoku that no game can reach are refused, and the part is named."""

# ruff: noqa: E501, one case a line reads best.

import pytest

import henro
from henro import PositionError, ViewError

GAME = henro.load_game("shikoku", players=4)

HEAD = f"shikoku players=4 components={GAME.components_id} "
BASES = {
    "deal": "phase=deal turn=5 order=- steps=1,1,1,1 previous=- row=-,-,-,- removed=- "
    "hands=1,2,3/4,5/-/- deck=28",
    "row": "phase=row turn=2 order=- steps=5,2,1,1 previous=- row=17,5,-,- removed=- "
    "hands=1,2,3/4,6,7/8,9,10/11,12,13 deck=19",
    "first play": "phase=play turn=1 order=1,3,0,2 steps=5,2,4,4 previous=5,12,17,30 "
    "row=-,21,-,- removed=- hands=6,7,19/8,9/10,11,33/2,13,14 deck=17",
    "first draw": "phase=draw turn=0 order=0,1,2,3 steps=5,5,7,9 previous=5,12,17,30 "
    "row=19,21,33,2 removed=- hands=6,7/8,9/10,11/13,14 deck=17",
    "first take": "phase=take turn=1 order=0,1,2,3 steps=5,5,7,9 previous=5,12,17 "
    "row=19,21,33,2 removed=- hands=6,7+30/8,9/10,11/13,14,20 deck=16",
    "play": "phase=play turn=0 order=0,1,2,3 steps=5,5,7,9 previous=2,19,21,33 row=-,-,-,- "
    "removed=17 hands=6,7+30/8,9+12/10,11+5/13,14,20 deck=16",
    "last take": "phase=take turn=3 order=0,1,2,3 steps=15,15,17,19 previous=4 row=2,3,6,1 "
    "removed=7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23 "
    "hands=24,25+26/27,28+29/30,31+32/33+5 deck=0",
    "end": "phase=end turn=0 order=0,1,2,3 steps=33,5,7,9 previous=5,12,17,30 row=19,21,33,2 "
    "removed=1 hands=6,7/8,9/10,11/13,14 deck=16",
}  # fmt: skip

IMPOSSIBLE = [
    # A rule in words, a position, what is changed in it, the part named and the reason.
    ("a card lies in one hand only", "play", "8,9+12", "8,30+12", "hands", "card 30 is in two places"),
    ("a card is not in the row and in a hand", "first play", "row=-,21", "row=-,13", "hands", "card 13 is in two places"),
    ("a card is not in two rows", "first play", "row=-,21", "row=-,17", "row", "card 17 is in two places"),
    ("a card in hand has not left the game", "play", "removed=17", "removed=20", "hands", "card 20 is in two places"),
    ("a card comes once in a row", "play", "2,19,21,33", "2,19,19,33", "previous", "card 19 comes twice"),
    ("a card comes once in a hand", "play", "13,14,20", "13,13,20", "hands", "card 13 comes twice"),
    ("a card is known or not", "play", "6,7+30", "6,7+7", "hands", "card 7 is in two places"),
    ("there is no card 34", "play", "13,14,20", "13,14,34", "hands", "'34' is not a whole number from 1 to 33"),
    ("there is no card 0", "play", "removed=17", "removed=0", "removed", "'0' is not a whole number from 1 to 33"),
    ("a number has no zero before it", "play", "removed=17", "removed=017", "removed", "'017' is not a whole number"),
    ("a number has no sign", "play", "turn=0", "turn=+0", "turn", "is not a whole number"),
    ("a number has no minus", "play", "turn=0", "turn=-0", "turn", "is not a whole number"),
    ("a list has no empty entry", "play", "2,19,21,33", "2,19,,33", "previous", "is not a whole number"),
    ("a hand holds three cards before its play", "play", "13,14,20", "13,14", "hands", "seat 3 has 2 cards where 3 are needed"),
    ("a hand holds two cards after its play", "first play", "8,9/", "8,9,1/", "hands", "seat 1 has 3 cards where 2 are needed"),
    ("a hand holds two cards when the climb is over", "first draw", "6,7/", "6/", "hands", "seat 0 has 1 cards where 2 are needed"),
    ("a seat that took holds three cards", "first take", "6,7+30", "6+30", "hands", "seat 0 has 2 cards where 3 are needed"),
    ("the seats are dealt to one after the other", "deal", "1,2,3/4,5/-/-", "1,2,3/4/5/-", "hands", "seat 1 has 1 cards where 2 are needed"),
    ("the deck holds what lies nowhere else", "play", "deck=16", "deck=17", "deck", "the cards listed leave 16 in the deck"),
    ("every seat has a hand", "play", "/13,14,20", "", "hands", "has 3 entries where 4 are needed"),
    ("a row has as many cards as seats", "play", "2,19,21,33", "2,19,21", "previous", "has 3 cards where 4 are needed"),
    ("a row shrinks by the cards taken", "first take", "5,12,17 ", "5,12,17,18 ", "previous", "has 4 cards where 3 are needed"),
    ("there is no previous row during the deal", "deal", "previous=-", "previous=6", "previous", "has 1 cards where 0 are needed"),
    ("a seat that played has a card in the row", "first play", "row=-,21,-,-", "row=21,-,-,-", "row", "seat 0 has no card there yet"),
    ("a card played stays in the row", "first draw", "row=19,21,33,2", "row=19,21,33,-", "row", "seat 3 must have a card there"),
    ("a pilgrim on step 33 ends the game", "play", "steps=5,5,7,9", "steps=5,33,7,9", "steps", "step 33 ends the game"),
    ("a game ends with a pilgrim on step 33", "end", "steps=33", "steps=32", "steps", "only with a pilgrim on step 33"),
    ("there is no step 34", "end", "steps=33", "steps=34", "steps", "'34' is not a whole number from 1 to 33"),
    ("there is no step 0", "play", "steps=5", "steps=0", "steps", "'0' is not a whole number from 1 to 33"),
    ("every seat has a step", "play", "5,5,7,9", "5,5,7", "steps", "has 3 entries where 4 are needed"),
    ("every pilgrim has climbed its set-up card", "play", "5,5,7,9", "5,1,7,9", "steps", "seat 1 has climbed its set-up card"),
    ("nobody climbs before its set-up card", "row", "5,2,1,1", "5,2,1,2", "steps", "seat 3 is on step 1"),
    ("nobody climbs during the deal", "deal", "1,1,1,1", "2,1,1,1", "steps", "seat 0 is on step 1"),
    ("a set-up card lifts by its icons", "row", "5,2,1,1", "4,2,1,1", "steps", "seat 0 climbed card 17 from step 1 to step 5"),
    ("the first steps are those of the set-up row", "first play", "5,2,4,4", "5,2,4,5", "steps", "seat 3 set up card 12 and stands on step 4"),
    ("the first order is that of the set-up row", "first play", "1,3,0,2", "1,0,3,2", "steps", "seat 0 set up card 12"),
    ("after a climb the order is that of the row", "first draw", "order=0,1,2,3", "order=1,0,2,3", "order", "the row gives the order 0,1,2,3"),
    ("while cards are taken the order is that of the row", "last take", "row=2,3,6,1", "row=2,6,3,1", "order", "the row gives the order 0,2,1,3"),
    ("at the end the order is that of the row", "end", "order=0,1,2,3", "order=3,0,1,2", "order", "the row gives the order"),
    ("there is no order before the set-up row lies", "row", "order=-", "order=0,1,2,3", "order", "'-' until the set-up row lies"),
    ("there is an order from then on", "play", "order=0,1,2,3", "order=-", "order", "has 1 entries where 4 are needed"),
    ("the order names every seat", "play", "order=0,1,2,3", "order=0,1,2,2", "order", "names seat 2 twice"),
    ("the order names seats of the game", "play", "order=0,1,2,3", "order=0,1,2,4", "order", "'4' is not a whole number from 0 to 3"),
    ("no card leaves the game before the first round ends", "first take", "removed=-", "removed=1", "deck", "the cards listed leave 15"),
    ("no card leaves the game before set-up ends", "row", "removed=-", "removed=33", "deck", "the cards listed leave 18"),
    ("not even if the deck is counted so", "row", "removed=- hands=1,2,3/4,6,7/8,9,10/11,12,13 deck=19", "removed=33 hands=1,2,3/4,6,7/8,9,10/11,12,13 deck=18", "removed", "no card has left the game yet"),
    ("no card is known before one is taken", "row", "1,2,3", "1,2+3", "hands", "no card has been taken yet"),
    ("in the first round nobody has taken a card", "first play", "6,7,19", "6,7+19", "hands", "in the first round seat 0 has taken no card yet"),
    ("who has taken in the first round has one card known", "first take", "6,7+30", "6,7,30", "hands", "in the first round seat 0 has taken one card"),
    ("who takes a card has one known", "last take", "24,25+26", "24,25,26", "hands", "seat 0 "),
    ("who took in the last round still has that card", "play", "6,7+30", "6,7,30", "hands", "seat 0 "),
    ("who drew has a card that only it can name", "play", "13,14,20", "+13,14,20", "hands", "seat 3 "),
    ("a draw needs a deck", "end", "phase=end", "phase=draw", "steps", "step 33 ends the game"),
    ("the last seat draws if there is a deck", "first take", "13,14,20 deck=16", "13,14 deck=17", "deck", "the deck must be empty"),
    ("the last seat draws before it could take", "last take", ",23 hands=24,25+26/27,28+29/30,31+32/33+5", " hands=24,25+26/27,28+29/30,31+32/23,33+5", "turn", "drew from the deck and takes no card"),
    ("players is that of the game", "play", "players=4", "players=5", "players", "this game has 4"),
    ("there are at most eight players", "play", "players=4", "players=9", "players", "'9' is not a whole number from 3 to 8"),
    ("the component set is that of the game", "play", "@", "@0", "components", "this game uses shikoku/default@"),
    ("the phase is one of six", "play", "phase=play", "phase=climb", "phase", "is none of deal, row, play, draw, take, end"),
    ("a phase has so many turns", "play", "turn=0", "turn=4", "turn", "'4' is not a whole number from 0 to 3"),
    ("a draw is one turn", "first draw", "turn=0", "turn=1", "turn", "'1' is not a whole number from 0 to 0"),
    ("in a position nothing is unknown", "play", "13,14,20", "?3", "hands", "seat 3 sees its own cards"),
    ("what is known is named", "play", "6,7+30", "6,7,30+", "hands", "is not a whole number"),
    ("what is known are cards", "play", "6,7+30", "6,7,30+-", "hands", "names no card after '\\+'"),
    ("an empty hand with known cards has no dash", "last take", "33+5", "-+5,33", "hands", "has '-' before '\\+'"),
]  # fmt: skip


VIEW = (
    f"shikoku players=4 components={GAME.components_id} seat=1 phase=play turn=0 order=0,1,2,3 "
    "steps=5,5,7,9 previous=2,19,21,33 row=-,-,-,- removed=17 "
    "hands=?2+30/8,9+12/?2+5/?3 deck=16"
)

IMPOSSIBLE_VIEWS = [
    ("a seat sees its own cards", "8,9+12", "?2+12", "hands", "seat 1 sees its own cards"),
    ("a seat does not see the cards of others", "?2+5", "6,7+5", "hands", "seat 2 holds cards that only it can name"),
    ("what a seat cannot see is counted", "?2+5", "?+5", "hands", "is not a whole number from 1 to 3"),
    ("nothing unseen is no number", "?2+30", "?0+30", "hands", "is not a whole number from 1 to 3"),
    ("more than three cards fit in no hand", "?3", "?4", "hands", "is not a whole number from 1 to 3"),
    ("unseen cards count towards the hand", "?2+5", "?1+5", "hands", "seat 2 has 2 cards where 3 are needed"),
    ("the deck is what is neither seen nor in a hand", "deck=16", "deck=23", "deck", "the cards listed leave 16"),
    ("a known card lies in one hand", "?2+5", "?2+30", "hands", "card 30 is in two places"),
    ("the seat is one of the game", "seat=1", "seat=4", "seat", "'4' is not a whole number from 0 to 3"),
    ("the seat is a number", "seat=1", "seat=p1", "seat", "'p1' is not a whole number"),
    ("the cards of another view are not this seat's", "seat=1", "seat=0", "hands", "seat 0 sees its own cards"),
]  # fmt: skip


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize("base", BASES)
def test_the_positions_that_are_changed_here_are_possible(base: str) -> None:
    text = HEAD + BASES[base]
    state = GAME.deserialize_state(text)
    assert state.serialize() == text
    for seat in range(4):
        assert GAME.information_set(state.view(seat)).view() == state.view(seat)


@pytest.mark.parametrize(
    ("base", "old", "new", "key", "reason"),
    [pytest.param(*row[1:], id=row[0].replace(" ", "_")) for row in IMPOSSIBLE],
)
def test_in_a_position(base: str, old: str, new: str, key: str, reason: str) -> None:
    with pytest.raises(PositionError, match=rf"^position: {key}=.*: .*{reason}"):
        GAME.deserialize_state(changed(HEAD + BASES[base], old, new))


def test_the_view_that_is_changed_here_is_possible() -> None:
    assert GAME.information_set(VIEW).view() == VIEW


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [pytest.param(*row[1:], id=row[0].replace(" ", "_")) for row in IMPOSSIBLE_VIEWS],
)
def test_in_a_view(old: str, new: str, key: str, reason: str) -> None:
    with pytest.raises(ViewError, match=rf"^view: {key}=.*: .*{reason}"):
        GAME.information_set(changed(VIEW, old, new))


@pytest.mark.parametrize("what", ["position", "view"])
def test_a_text_starts_with_the_name_of_its_game(what: str) -> None:
    text = VIEW if what == "view" else HEAD + BASES["play"]
    read = GAME.information_set if what == "view" else GAME.deserialize_state
    with pytest.raises((PositionError, ViewError), match=f"^{what} must start with 'shikoku'"):
        read(changed(text, "shikoku", "jinja"))


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(PositionError, match="unknown part 'wind=3'"):
        GAME.deserialize_state(HEAD + BASES["play"] + " wind=3")


def test_a_set_with_other_icons_is_told_apart_by_its_hash() -> None:
    other = GAME.components_id.split("@")[0] + "@000000000000"
    with pytest.raises(ViewError, match=f"components={other}: this game uses {GAME.components_id}"):
        GAME.information_set(VIEW.replace(GAME.components_id, other))

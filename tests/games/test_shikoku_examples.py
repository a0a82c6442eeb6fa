"""Shikoku's rules, one sentence each: the worked examples h01 to h12 and what
they leave open. Icons on the cards are those of the default component set."""

import re
from math import comb

import pytest

import henro
from tests.games.shikoku import position

ICONS = [3, 5, 2, 4, 1, 6, 3, 2, 4, 5, 1, 3, 4, 2, 6, 3, 4,
         1, 5, 2, 3, 4, 6, 2, 3, 5, 1, 4, 2, 3, 5, 4, 3]  # fmt: skip


def play(state: henro.State, *texts: str) -> henro.State:
    for text in texts:
        state.apply(text)
    return state


def after_setup(players: int, *row: int) -> henro.State:
    """The lowest cards that the set-up row leaves are dealt, then the row is turned up."""
    state = henro.load_game("shikoku", players=players).new_initial_state()
    spare = [card for card in range(1, 34) if card not in row]
    play(state, *(f"deal:{card}" for card in spare[: 3 * players]))
    return play(state, *(f"row:{card}" for card in row))


def part(state: henro.State, key: str, seat: int | None = None) -> str:
    """A part of the position's text, or of a seat's view."""
    text = state.serialize() if seat is None else state.view(seat)
    found = re.search(rf" {key}=(\S+)", text)
    assert found
    return found[1]


def order(state: henro.State) -> list[int]:
    return [int(seat) for seat in part(state, "order").split(",")]


def moves(state: henro.State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def outcomes(state: henro.State) -> dict[str, float]:
    return {state.action_to_string(action): p for action, p in state.chance_outcomes()}


def winners(*steps: int) -> list[int]:
    """Who wins with these final steps."""
    return [seat for seat, value in enumerate(final(*steps).returns()) if value == 1]


def final(*steps: int) -> henro.State:
    n = len(steps)
    cards = [str(card) for card in range(1, 34)]
    row, previous, held, removed = cards[:n], cards[n : 2 * n], cards[2 * n :], cards[4 * n :]
    hands = "/".join(f"{held[2 * seat]},{held[2 * seat + 1]}" for seat in range(n))
    turn_order = ",".join(map(str, [*range(1, n), 0]))
    return position(
        n,
        f"phase=end turn=0 order={turn_order} steps={','.join(map(str, steps))} "
        f"previous={','.join(previous)} row={','.join(row)} removed={','.join(removed)} "
        f"hands={hands} deck=0",
    )


# -- worked examples -----------------------------------------------------------------------------


def test_h01_every_pilgrim_climbs_its_setup_card_and_the_lowest_card_begins() -> None:
    state = after_setup(4, 17, 5, 30, 12)
    assert state.scores() == [5, 2, 4, 4]  # SK2
    assert order(state) == [1, 3, 0, 2]  # SK3
    assert part(state, "phase") == "play"
    assert state.current_player() == 1


def second_round() -> henro.State:
    """Example 2: the four cards are played."""
    state = position(
        4,
        "phase=play turn=0 order=1,3,0,2 steps=5,2,4,4 previous=5,12,17,30 row=-,-,-,- removed=- "
        "hands=6,7,19/8,9,21/10,11,33/2,13,14 deck=17",
    )
    return play(state, "play:21", "play:2", "play:19", "play:33")


def test_h02_with_four_players_only_the_second_lowest_card_stands_still() -> None:
    assert second_round().scores() == [5, 5, 7, 9]


def test_h02_the_lowest_card_moves_to_the_end_of_the_order() -> None:
    assert order(second_round()) == [0, 1, 2, 3]


def test_h03_the_last_player_draws_and_the_others_take_from_the_previous_row() -> None:
    state = second_round()
    assert state.is_chance_node()
    draw = state.string_to_action("draw:20")
    assert {subject for told in state.events(draw) for subject, _ in told} == {"3"}
    play(state, "draw:20")
    assert state.current_player() == 0
    assert moves(state) == ["take:5", "take:12", "take:17", "take:30"]  # SK4
    assert state.current_player() == 0
    assert play(state, "take:30").current_player() == 1
    assert play(state, "take:12").current_player() == 2


def test_h03_the_card_left_over_leaves_the_game() -> None:
    state = play(second_round(), "draw:20", "take:30", "take:12", "take:5")
    assert part(state, "removed") == "17"
    assert part(state, "previous") == "2,19,21,33"
    assert part(state, "hands") == "6,7+30/8,9+12/10,11+5/13,14,20"
    assert order(state) == [0, 1, 2, 3]
    assert moves(state) == ["play:6", "play:7", "play:30"]


def test_h04_with_five_players_the_second_highest_card_stands_still_too() -> None:
    state = position(
        5,
        "phase=play turn=0 order=0,1,2,3,4 steps=10,10,10,10,10 previous=13,14,15,16,17 "
        "row=-,-,-,-,- removed=18,19,21,22 hands=2,3+1/5,8+4/7,20+6/10,25+9/11,12,31 deck=9",
    )
    play(state, "play:3", "play:8", "play:20", "play:25", "play:31")
    assert state.scores() == [12, 10, 12, 10, 15]
    assert order(state) == [1, 2, 3, 4, 0]


def test_h05_a_pilgrim_stops_on_the_pagoda_and_the_game_ends_with_the_climb() -> None:
    state = position(
        3,
        "phase=play turn=0 order=0,1,2 steps=30,31,20 previous=10,11,12 row=-,-,- "
        "removed=13,14,16 hands=2,6+1/4,7+3/5,8,15 deck=18",
    )
    play(state, "play:6", "play:7", "play:15")
    assert state.scores() == [33, 31, 26]
    assert state.is_terminal()
    assert state.returns() == [0, 1, 0]
    assert state.ranks() == [2, 1, 2]


def eight_players_after_round_1() -> henro.State:
    state = after_setup(8, 25, 26, 27, 28, 29, 30, 31, 32)
    for _ in range(8):
        play(state, moves(state)[0])
    return state


def take_lowest_until_all_have_three(state: henro.State) -> list[int]:
    """The seats that took a card, in turn."""
    takers = []
    while part(state, "phase") == "take":
        takers.append(state.current_player())
        play(state, moves(state)[0])
    return takers


def test_h06_with_eight_players_the_last_card_of_the_deck_is_drawn_in_round_1() -> None:
    state = eight_players_after_round_1()
    assert outcomes(state) == {"draw:33": 1.0}
    play(state, "draw:33")
    assert part(state, "deck") == "0"
    assert take_lowest_until_all_have_three(state) == order(state)[:-1]
    assert part(state, "removed") == "32"


def eight_players_after_round_2() -> henro.State:
    state = play(eight_players_after_round_1(), "draw:33")
    take_lowest_until_all_have_three(state)
    for _ in range(8):
        play(state, moves(state)[0])
    return state


def test_h06_without_a_deck_nobody_draws_and_the_last_player_takes_a_card_too() -> None:
    state = eight_players_after_round_2()
    assert part(state, "phase") == "take"
    assert take_lowest_until_all_have_three(state) == order(state)
    assert part(state, "removed") == "32"  # SK5: nothing more has left the game


def test_h06_the_last_card_to_take_is_still_a_move_to_make() -> None:
    state = eight_players_after_round_2()
    for _ in range(7):
        play(state, moves(state)[0])
    assert len(moves(state)) == 1  # SK11
    assert state.current_player() == order(state)[-1]


def test_h07_everyone_on_the_second_step_from_the_top_wins() -> None:
    assert winners(33, 30, 30, 12) == [1, 2]


def test_h07_with_five_players_the_second_step_from_the_bottom_wins_too() -> None:
    assert winners(33, 30, 30, 12, 7) == [1, 2, 3]


def test_h08_with_three_occupied_steps_both_winning_places_are_the_middle_one() -> None:
    assert winners(33, 33, 28, 28, 15, 15) == [2, 3]  # SK7


def test_h09_with_two_occupied_steps_the_lower_one_wins_although_it_is_last() -> None:
    assert winners(33, 33, 29, 29, 29) == [2, 3, 4]  # SK8
    assert winners(33, 33, 33, 20) == [3]


def test_h10_when_all_stand_on_the_pagoda_nobody_wins_and_all_share_the_last_rank() -> None:
    state = final(33, 33, 33)  # SK6
    assert state.returns() == [0, 0, 0]
    assert state.ranks() == [2, 2, 2]


def test_h11_the_first_draw_with_four_players_has_17_equal_outcomes() -> None:
    assert list(outcomes(second_round()).values()) == [1 / 17] * 17


def test_h12_after_setup_with_three_players_27_cards_are_unseen_and_fill_two_hands() -> None:
    state = after_setup(3, 10, 20, 30)
    assert part(state, "hands", seat=0) == "1,2,3/?3/?3"
    assert part(state, "previous", seat=0) == "10,20,30"
    assert part(state, "deck", seat=0) == "21"
    assert comb(27, 3) * comb(24, 3) == 5_920_200
    samples = {state.resample_from_infostate(0, seed).serialize() for seed in range(2000)}
    assert len(samples) >= 1998  # as good as all of 2,000 draws from 5,920,200 worlds differ


# -- set-up --------------------------------------------------------------------------------------


def test_the_deal_gives_three_cards_to_one_seat_after_the_other() -> None:
    state = henro.load_game("shikoku", players=3).new_initial_state()
    subjects = []
    for card in range(1, 10):
        deal = state.string_to_action(f"deal:{card}")
        subjects.append(state.events(deal)[0][0][0])
        state.apply_action(deal)
    assert subjects == ["0", "0", "0", "1", "1", "1", "2", "2", "2"]
    assert part(state, "hands") == "1,2,3/4,5,6/7,8,9"


def test_the_setup_row_is_turned_up_from_the_deck_for_one_seat_after_the_other() -> None:
    state = henro.load_game("shikoku", players=3).new_initial_state()
    play(state, *(f"deal:{card}" for card in range(1, 10)))
    assert state.scores() == [1, 1, 1]
    assert outcomes(state) == {f"row:{card}": 1 / 24 for card in range(10, 34)}
    play(state, "row:30")
    assert part(state, "row") == "30,-,-"
    assert state.scores() == [4, 1, 1]


@pytest.mark.parametrize("card", range(1, 34))
def test_a_pilgrim_climbs_the_icons_of_its_card(card: int) -> None:
    others = [other for other in range(1, 34) if other != card][:2]
    assert after_setup(3, card, *others).scores()[0] == 1 + ICONS[card - 1]  # SK1


# -- phase 1: play a card ------------------------------------------------------------------------


def test_every_player_plays_one_card_from_hand_in_turn_order() -> None:
    state = after_setup(4, 17, 5, 30, 12)
    for seat in (1, 3, 0, 2):
        assert state.current_player() == seat
        hand = part(state, "hands").split("/")[seat].split(",")
        assert moves(state) == [f"play:{card}" for card in hand]
        play(state, moves(state)[0])


def test_nobody_climbs_before_all_have_played() -> None:
    state = after_setup(4, 17, 5, 30, 12)
    for _ in range(3):
        before = state.scores()
        play(state, moves(state)[0])
        assert state.scores() == before


def test_a_played_card_lies_open_before_its_player() -> None:
    state = play(after_setup(4, 17, 5, 30, 12), "play:4")
    assert part(state, "row", seat=0) == "-,4,-,-"


# -- phase 2: go up the steps --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "standing"),
    [(3, [1]), (4, [1]), (5, [1, 3]), (6, [1, 4]), (7, [1, 5]), (8, [1, 6])],
)
def test_the_second_lowest_and_from_five_players_on_the_second_highest_card_stand_still(
    players: int, standing: list[int]
) -> None:
    row = range(33 - players, 33)
    state = after_setup(players, *row)
    before = state.scores()
    for _ in range(players):  # seats play their lowest cards: 1, 4, 7, ... in seat order
        play(state, moves(state)[0])
    stood = [seat for seat in range(players) if state.scores()[seat] == before[seat]]
    assert stood == standing


def test_a_pilgrim_that_would_pass_the_pagoda_stops_on_it() -> None:
    state = position(
        3,
        "phase=play turn=2 order=0,1,2 steps=30,31,32 previous=10,11,12 row=6,7,- "
        "removed=13,14,16 hands=1,2/3,4/5,8,15 deck=18",
    )
    assert play(state, "play:15").scores() == [33, 31, 33]


def test_a_pilgrim_that_stands_still_does_not_reach_the_pagoda() -> None:
    state = position(
        3,
        "phase=play turn=2 order=0,1,2 steps=10,32,10 previous=10,11,12 row=6,7,- "
        "removed=13,14,16 hands=1,2/3,4/5,8,15 deck=18",
    )
    assert play(state, "play:15").scores() == [16, 32, 16]
    assert not state.is_terminal()


# -- phase 3: collect cards ----------------------------------------------------------------------


def test_only_the_owner_of_the_lowest_card_draws() -> None:
    state = play(second_round(), "draw:20")
    assert part(state, "hands") == "6,7/8,9/10,11/13,14,20"


def test_the_cards_played_this_round_cannot_be_taken_yet() -> None:
    state = play(second_round(), "draw:20")
    assert not {"take:2", "take:19", "take:21", "take:33"} & set(moves(state))


def test_the_row_just_played_is_taken_from_in_the_next_round() -> None:
    state = play(second_round(), "draw:20", "take:30", "take:12", "take:5")
    play(state, "play:6", "play:8", "play:10", "play:13", "draw:1")
    assert moves(state) == ["take:2", "take:19", "take:21", "take:33"]


# -- end of the game -----------------------------------------------------------------------------


def test_the_first_place_never_wins() -> None:
    assert winners(33, 33, 33, 33, 33, 33, 33, 20) == [7]
    assert winners(33, 5, 5) == [1, 2]


def test_with_three_or_four_players_the_second_step_from_the_bottom_wins_nothing() -> None:
    assert winners(33, 31, 20, 10) == [1]
    assert winners(33, 31, 20) == [1]


def test_pilgrims_on_one_step_share_its_place() -> None:
    assert winners(33, 30, 30, 20, 20, 10, 10, 10) == [1, 2, 3, 4]


def test_every_winner_gets_the_whole_victory() -> None:
    state = final(33, 30, 30, 12, 7)  # SK10
    assert state.returns() == [0, 1, 1, 1, 0]


def test_winners_share_the_first_rank_and_all_others_the_second() -> None:
    assert final(33, 30, 30, 12, 7).ranks() == [2, 1, 1, 1, 2]  # SK9


def test_the_score_is_the_step_a_pilgrim_stands_on() -> None:
    assert final(33, 30, 30, 12, 7).scores() == [33, 30, 30, 12, 7]


@pytest.mark.parametrize(
    ("players", "plies"), [(3, 50), (4, 61), (5, 90), (6, 99), (7, 111), (8, 126)]
)
def test_random_games_are_as_long_as_they_should_be(players: int, plies: int) -> None:
    playouts = henro.load_game("shikoku", players=players).playouts(20_000, 1)
    assert playouts.plies / playouts.games == pytest.approx(plies, abs=0.75)


# -- what a seat knows ---------------------------------------------------------------------------


def test_a_dealt_card_is_seen_by_its_owner_alone() -> None:
    state = henro.load_game("shikoku", players=3).new_initial_state()
    told = state.events(state.string_to_action("deal:9"))
    assert told == [[("0", "deal:9")], [("0", "deal:?")], [("0", "deal:?")]]
    play(state, "deal:9")
    assert [part(state, "hands", seat) for seat in range(3)] == ["9/-/-", "?1/-/-", "?1/-/-"]


def test_a_drawn_card_is_seen_by_its_owner_alone() -> None:
    state = second_round()
    told = state.events(state.string_to_action("draw:20"))
    assert told == [[("3", "draw:?")]] * 3 + [[("3", "draw:20")]]
    play(state, "draw:20")
    assert part(state, "hands", seat=0) == "6,7/?2/?2/?3"
    assert part(state, "hands", seat=3) == "?2/?2/?2/13,14,20"


def test_set_up_cards_plays_and_takes_are_seen_by_everyone() -> None:
    state = after_setup(3, 10, 20, 30)
    assert state.events(state.string_to_action("play:1")) == [[("0", "play:1")]] * 3
    state = play(second_round(), "draw:20")
    assert state.events(state.string_to_action("take:30")) == [[("0", "take:30")]] * 4


def test_a_taken_card_is_known_to_everyone_until_it_is_played() -> None:
    state = play(second_round(), "draw:20", "take:30")
    assert part(state, "hands", seat=1) == "?2+30/8,9/?2/?3"
    play(state, "take:12", "take:5")
    assert part(state, "hands", seat=1) == "?2+30/8,9+12/?2+5/?3"
    play(state, "play:30")
    assert part(state, "hands", seat=1) == "?2/8,9+12/?2+5/?3"


def test_removed_cards_rows_steps_and_order_are_known_to_everyone() -> None:
    state = play(second_round(), "draw:20", "take:30", "take:12", "take:5", "play:7")
    for key in ("removed", "previous", "row", "steps", "order", "phase", "turn"):
        assert {part(state, key, seat) for seat in range(4)} == {part(state, key)}


def test_of_the_deck_everyone_knows_the_size_alone() -> None:
    state = second_round()
    assert [part(state, "deck", seat) for seat in range(4)] == ["17"] * 4


# -- texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["play:1", "play:33", "take:7", "deal:10", "row:20", "draw:5"])
def test_an_action_is_its_kind_and_its_card(text: str) -> None:
    game = henro.load_game("shikoku")
    assert game.action_to_string(game.string_to_action(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("play", "play:", "play:0", "play:34", "play:01", "play:+1", "play:-1", "play:1.0"),
        *("PLAY:1", "pla:1", ":1", "play:1:2", "play:?", "deal:?", "1", "play,1", "draw:333"),
        *("end:1", "play: 1", "play:1 ", " play:1", "play:1\n", "play:1\0"),
    ],
)
def test_an_action_has_no_other_spelling(text: str) -> None:
    with pytest.raises(henro.IllegalActionError, match="no move or chance event of shikoku"):
        henro.load_game("shikoku").string_to_action(text)

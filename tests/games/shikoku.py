"""Shikoku for the tests: its texts written and read from the reference rules alone, its adapter."""

import random
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import henro
from tests.families.adapter import Pool, SmallCase
from tests.families.plies import ply_kind
from tests.reference.shikoku import ALL_CARDS, HAND_SIZE, PAGODA, Shikoku, State

Knowledge = Mapping[str, Any]
"""What `State.knows` of the reference says, by the names of its parts."""
OBSERVER = 2
"""The seat that the small cases are seen from."""

# -- texts ---------------------------------------------------------------------------------------


def position_text(state: State, components: str) -> str:
    """The full position of a reference state, as `henro.State.serialize` writes it."""
    hands = [
        hand_text(hand - known, known) for hand, known in zip(state.hands, state.known, strict=True)
    ]
    return _text(facts_of(state.knows(0)), components, hands)


def view_text(knows: Hashable, components: str) -> str:
    """What a seat knows in the reference's words, as `henro.State.view` writes it.

    Nothing but `State.knows` goes in, so an equal text shows that the view says no more than the
    seat knows; and as every part of it has a place in the text, that it says no less.
    """
    facts = facts_of(knows)
    seat = facts["seat"]
    hands = [
        hand_text(facts["own_hand"] - known, known)
        if other == seat
        else hand_text(f"?{size - len(known)}" if size > len(known) else (), known)
        for other, (known, size) in enumerate(zip(facts["known"], facts["hand_sizes"], strict=True))
    ]
    return _text(facts, components, hands, f"seat={seat} ")


def facts_of(knows: Hashable) -> Knowledge:
    assert isinstance(knows, tuple)
    return dict(knows)


def hand_text(own: str | Iterable[int], known: Collection[int]) -> str:
    """Cards that only the owner can name (or '?' and their number) + cards taken openly."""
    hidden = own if isinstance(own, str) else cards_text(own, nothing="")
    shown = f"+{cards_text(known)}" if known else ""
    return hidden + shown or "-"


def cards_text(cards: Iterable[int], nothing: str = "-") -> str:
    return ",".join(map(str, sorted(cards))) or nothing


def _text(facts: Knowledge, components: str, hands: Sequence[str], seat: str = "") -> str:
    row = facts["row"]
    phase = facts["phase"]
    return (
        f"shikoku players={len(row)} components={components} {seat}"
        f"phase={'end' if phase == 'over' else phase} turn={_turn(facts)} order={_order(facts)} "
        f"steps={','.join(map(str, facts['steps']))} previous={cards_text(facts['prev_row'])} "
        f"row={','.join(str(card or '-') for card in row)} removed={cards_text(facts['removed'])} "
        f"hands={'/'.join(hands)} deck={facts['deck_size']}"
    )


def _turn(facts: Knowledge) -> int:
    """How many deals, set-up cards, plays or takes of the phase are done."""
    row: tuple[int | None, ...] = facts["row"]
    if facts["phase"] == "deal":
        return int(sum(facts["hand_sizes"]))
    if facts["phase"] in ("row", "play"):
        return len(row) - row.count(None)
    return len(row) - len(facts["prev_row"]) if facts["phase"] == "take" else 0


def _order(facts: Knowledge) -> str:
    if facts["phase"] in ("deal", "row"):
        return "-"
    order = facts["order"]
    if facts["phase"] == "over":  # the engine shows the order that a next round would have had
        lowest, *others = sorted(range(len(order)), key=lambda seat: facts["row"][seat])
        order = (*others, lowest)
    return ",".join(map(str, order))


def read_position(text: str) -> State:
    """The reference state of a position text."""
    parts = dict(part.split("=") for part in text.split()[1:])
    hands = [entry.partition("+") for entry in parts["hands"].split("/")]
    known = [_cards(shown) for _, _, shown in hands]
    row = enumerate(parts["row"].split(","))
    return Shikoku(int(parts["players"])).setup(
        phase="over" if parts["phase"] == "end" else parts["phase"],
        steps=[int(step) for step in parts["steps"].split(",")],
        order=None if parts["order"] == "-" else [int(p) for p in parts["order"].split(",")],
        hands=[_cards(own) | shown for (own, _, _), shown in zip(hands, known, strict=True)],
        known=known,
        prev_row=_cards(parts["previous"]),
        row={seat: int(card) for seat, card in row if card != "-"},
        removed=_cards(parts["removed"]),
    )


def _cards(text: str) -> set[int]:
    return set() if text in ("", "-") else {int(card) for card in text.split(",")}


def position(players: int, parts: str) -> henro.State:
    """A position by its text without the name, the player count and the component set."""
    game = henro.load_game("shikoku", players=players)
    return game.deserialize_state(
        f"shikoku players={players} components={game.components_id} {parts}"
    )


# -- adapter -------------------------------------------------------------------------------------


class ShikokuAdapter:
    kinds = frozenset({"deal", "row", "play", "draw", "take", "end"})
    max_state_bytes = 128
    open_end = True
    forgotten: frozenset[str] = frozenset()

    def kind(self, state: henro.State) -> str:
        return ply_kind(state)

    def shows_more(self, state: henro.State) -> bool:
        return False

    def max_legal(self, players: int) -> int:
        return max(HAND_SIZE, players)

    def hides_choices(self, state: henro.State, seat: int) -> bool:
        return False  # what is hidden is in the pools

    def pools(self, state: henro.State, seat: int) -> list[Pool]:
        world = read_position(state.serialize())
        places = {
            f"hand of seat {other}": tuple(world.hands[other] - world.known[other])
            for other in world.unknown_places(seat)
        }
        return [Pool({**places, "deck": tuple(world.deck)})]

    def small_cases(self, game: henro.Game) -> list[SmallCase]:
        players = game.players
        states = [
            small_state(players, "play", turn=0, hidden=(3, 2), deck=1),
            small_state(players, "play", turn=2, hidden=(2, 1), deck=3),
            small_state(players, "take", turn=1, hidden=(1, 2), deck=2),
            small_state(players, "over", turn=0, hidden=(2, 2), deck=2),
        ]
        if players < 8:  # with 8 players the only draw of the game has 15 unseen cards
            states.append(small_state(players, "draw", turn=0, hidden=(1, 2), deck=2))
        return [_small_case(state, game.components_id) for state in states]


def small_state(players: int, phase: str, turn: int, hidden: tuple[int, int], deck: int) -> State:
    """A later round's position in which others know all hands but so many cards of seats 0 and 1.

    Seat 0 is last in the order. The deck is as large as asked, or as the cards allow.
    """
    cards = list(ALL_CARDS)
    random.Random(f"{players} {phase} {turn}").shuffle(cards)
    drew = players < 8  # with 8 players the deck is empty from round 2 on (SK5)
    order = [*range(1, players), 0]
    done = order[:turn]
    row = dict(enumerate(sorted(cards[:players])))
    sizes = [HAND_SIZE - 1] * players
    if phase == "play":
        row = {seat: row[seat] for seat in done}
        sizes = [HAND_SIZE - (seat in done) for seat in range(players)]
    if phase == "take":
        sizes = [size + (p in done or (p == 0 and drew)) for p, size in enumerate(sizes)]
    rest = [card for card in cards if card not in row.values()]
    hands = [[rest.pop() for _ in range(size)] for size in sizes]
    shown = [size - unseen for size, unseen in zip(sizes, (*hidden, *[0] * players), strict=False)]
    previous = players - turn if phase == "take" else players
    return Shikoku(players).setup(
        phase=phase,
        steps=[PAGODA if phase == "over" and p == 0 else 9 + p for p in range(players)],
        order=order,
        hands=hands,
        known=[hand[:count] for hand, count in zip(hands, shown, strict=True)],
        prev_row=[rest.pop() for _ in range(previous)],
        row=row,
        deck=[rest.pop() for _ in range(min(deck, len(rest) - 1))],  # one card has left the game
        removed=rest,
    )


def _small_case(state: State, components: str) -> SmallCase:
    each = Fraction(1, state.world_count(OBSERVER))
    worlds = {position_text(world, components): each for world in state.worlds(OBSERVER)}
    return SmallCase(position_text(state, components), OBSERVER, worlds)


ADAPTER = ShikokuAdapter()

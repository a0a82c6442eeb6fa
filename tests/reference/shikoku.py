"""Reference rules of Shikoku, 3 to 8 players: slow, plain, and free of any engine code.

Nothing here is clever on purpose. A position is a handful of lists, sets and dicts, everything
that can be derived (whose turn it is, which moves exist, what a seat knows) is derived afresh each
time, and probabilities are exact fractions. Decision ids (SK1 .. SK11): docs/games/shikoku.md.

    game = Shikoku(4)
    state = game.new()
    while state.actor() is not None:
        texts = [text for text, _ in state.chance()] or state.legal()
        state.apply(texts[0])
    print(state.steps(), state.winners())
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb

ALL_CARDS = frozenset(range(1, 34))
START = 1
PAGODA = 33
HAND_SIZE = 3
CHANCE = "chance"
PHASES = ("deal", "row", "play", "draw", "take", "over")
CHANCE_PHASES = ("deal", "row", "draw")
MAX_WORLDS = 200_000

# SK1: the icons are not published, so this table is replaceable data.
# fmt: off
DEFAULT_ICONS: dict[int, int] = dict(enumerate([
    3, 5, 2, 4, 1, 6, 3, 2, 4, 5, 1,  # cards 1 to 11
    3, 4, 2, 6, 3, 4, 1, 5, 2, 3, 4,  # cards 12 to 22
    6, 2, 3, 5, 1, 4, 2, 3, 5, 4, 3,  # cards 23 to 33
], start=1))
# fmt: on


class Shikoku:
    """The game for a number of players and a table of walking icons (card number -> icons)."""

    def __init__(self, players: int, icons: Mapping[int, int] = DEFAULT_ICONS) -> None:
        if not 3 <= players <= 8:
            raise ValueError(f"Shikoku is for 3 to 8 players, not {players}")
        if set(icons) != ALL_CARDS:
            raise ValueError("icons must be given for the cards 1 to 33")
        self.players = players
        self.icons = dict(icons)

    def new(self) -> State:
        """A fresh game: all cards in the deck, all pilgrims on the first step, nothing dealt."""
        return self.setup(phase="deal")

    def setup(
        self,
        *,
        phase: str,
        steps: Sequence[int] | None = None,
        order: Sequence[int] | None = None,
        hands: Sequence[Iterable[int]] | None = None,
        known: Sequence[Iterable[int]] | None = None,
        prev_row: Iterable[int] = (),
        row: Mapping[int, int] | None = None,
        removed: Iterable[int] = (),
        deck: Iterable[int] | None = None,
    ) -> State:
        """Any position by hand.

        `row` maps a seat to its card in the row being laid; `known` is the public part of each
        hand. What is left out is empty, except: steps are all 1, order is 0, 1, 2, ..., and the
        deck is every card not named elsewhere. ValueError when the parts do not fit together.
        """
        n = self.players
        nothing: list[Iterable[int]] = [()] * n
        state = State(
            game=self,
            phase=phase,
            step_of=[START] * n if steps is None else list(steps),
            seats_in_order=list(range(n) if order is None else order),
            hands=[set(hand) for hand in (nothing if hands is None else hands)],
            known=[set(part) for part in (nothing if known is None else known)],
            prev_row=set(prev_row),
            row=dict(row or {}),
            removed=set(removed),
            deck=set(),
        )
        state.deck = set(ALL_CARDS.difference(state.cards_outside_deck()) if deck is None else deck)
        state.check()
        return state

    def winners(self, steps: Sequence[int]) -> list[int]:
        """The seats that win with these final steps (at least one pilgrim on the pagoda)."""
        occupied = sorted(set(steps), reverse=True)
        if len(occupied) == 1:
            return []  # SK6
        winning = {occupied[1]}
        if self.second_from_the_bottom_counts():
            winning.add(occupied[-2])  # SK7: may be the same step as occupied[1]
        winning.discard(PAGODA)  # SK8: the second step from the bottom may be the pagoda
        return [seat for seat, step in enumerate(steps) if step in winning]

    def second_from_the_bottom_counts(self) -> bool:
        """With 3 or 4 players only the second position from one end matters, twice over:
        only the second lowest card stands still, only the second highest step wins."""
        return self.players >= 5


@dataclass
class State:
    """One complete position. Build it with `Shikoku.new` or `Shikoku.setup`."""

    game: Shikoku = field(repr=False, compare=False)
    phase: str
    step_of: list[int]
    seats_in_order: list[int]
    hands: list[set[int]]
    known: list[set[int]]
    """The part of each hand that was taken from a row in sight of everyone."""
    prev_row: set[int]
    row: dict[int, int]
    """The row being laid: seat -> its card."""
    removed: set[int]
    deck: set[int]

    # -- whose turn, which choices ---------------------------------------------------------------

    def subject(self) -> int | None:
        """The seat that the next ply concerns, be it a move or a card turned for it by chance."""
        if self.phase == "draw":  # the owner of the lowest card, who is last in the new order
            return self.seats_in_order[-1]
        in_seat_order = range(self.game.players)
        if self.phase == "deal":  # seat 0 gets its three cards first, then seat 1, ...
            waiting = [seat for seat in in_seat_order if len(self.hands[seat]) < HAND_SIZE]
        elif self.phase == "row":
            waiting = [seat for seat in in_seat_order if seat not in self.row]
        elif self.phase == "play":
            waiting = [seat for seat in self.seats_in_order if seat not in self.row]
        elif self.phase == "take":
            waiting = [seat for seat in self.seats_in_order if len(self.hands[seat]) < HAND_SIZE]
        else:
            waiting = []
        return waiting[0] if waiting else None

    def actor(self) -> int | str | None:
        """The seat to move, "chance", or None when the game is over."""
        return CHANCE if self.phase in CHANCE_PHASES else self.subject()

    def legal(self) -> list[str]:
        """The texts of the moves, by card number; empty at a chance event and at the end.

        SK11: a single legal move is still a move that has to be made.
        """
        seat = self.actor()
        if not isinstance(seat, int):
            return []
        choice = self.hands[seat] if self.phase == "play" else self.prev_row
        return [f"{self.phase}:{card}" for card in sorted(choice)]

    def chance(self) -> list[tuple[str, Fraction]]:
        """The outcomes of the chance event and their probabilities, by card number; else empty."""
        if self.phase not in CHANCE_PHASES:
            return []
        return [(f"{self.phase}:{card}", Fraction(1, len(self.deck))) for card in sorted(self.deck)]

    def possible(self) -> list[str]:
        """Every text that `apply` takes here."""
        return self.legal() + [text for text, _ in self.chance()]

    # -- the course of the game ------------------------------------------------------------------

    def apply(self, text: str) -> None:
        """Make a move or let a chance event happen. ValueError when it is not possible here."""
        if text not in self.possible():
            raise ValueError(f"{text!r} is not possible here; {self.phase}: {self.possible()}")
        seat = self.subject()
        assert seat is not None
        card = int(text.split(":")[1])
        {
            "deal": self._deal,
            "row": self._turn_up,
            "play": self._play,
            "draw": self._draw,
            "take": self._take,
        }[self.phase](seat, card)

    def _deal(self, seat: int, card: int) -> None:
        self.deck.remove(card)
        self.hands[seat].add(card)
        if all(len(hand) == HAND_SIZE for hand in self.hands):
            self.phase = "row"

    def _turn_up(self, seat: int, card: int) -> None:
        self.deck.remove(card)
        self.row[seat] = card
        self._climb(seat)  # SK2: nobody stands still during set-up
        if len(self.row) == self.game.players:
            self.seats_in_order = self._seats_by_card()  # SK3: the lowest card stays first
            self._start_round()

    def _start_round(self) -> None:
        """The row just laid moves up; SK4: in round 1 that is the set-up row."""
        self.prev_row = set(self.row.values())
        self.row = {}
        self.phase = "play"

    def _play(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self.known[seat].discard(card)
        self.row[seat] = card
        if len(self.row) == self.game.players:
            self._go_up_the_steps()

    def _go_up_the_steps(self) -> None:
        by_card = self._seats_by_card()
        stay = {by_card[1]}
        if self.game.second_from_the_bottom_counts():
            stay.add(by_card[-2])
        for seat in by_card:
            if seat not in stay:
                self._climb(seat)
        if PAGODA in self.step_of:
            self.phase = "over"
        else:
            self._start_collecting()

    def _start_collecting(self) -> None:
        lowest, *others = self._seats_by_card()
        self.seats_in_order = [*others, lowest]
        self.phase = "draw" if self.deck else "take"  # SK5: without a deck nobody draws

    def _draw(self, seat: int, card: int) -> None:
        self.deck.remove(card)
        self.hands[seat].add(card)
        self.phase = "take"

    def _take(self, seat: int, card: int) -> None:
        self.prev_row.remove(card)
        self.hands[seat].add(card)
        self.known[seat].add(card)
        if all(len(hand) == HAND_SIZE for hand in self.hands):
            self.removed |= self.prev_row  # SK5: nothing is left over when nobody drew
            self._start_round()

    def _climb(self, seat: int) -> None:
        icons = self.game.icons[self.row[seat]]
        self.step_of[seat] = min(self.step_of[seat] + icons, PAGODA)

    def _seats_by_card(self) -> list[int]:
        """The seats from the lowest to the highest card of the row."""
        return sorted(self.row, key=lambda seat: self.row[seat])

    # -- standing and result ---------------------------------------------------------------------

    def steps(self) -> list[int]:
        """The step (1 to 33) of each seat's pilgrim."""
        return list(self.step_of)

    def order(self) -> list[int]:
        """The seats in turn order."""
        return list(self.seats_in_order)

    def winners(self) -> list[int]:
        """The winning seats. ValueError before the end."""
        if self.phase != "over":
            raise ValueError("the game is not over")
        return self.game.winners(self.step_of)

    def scores(self) -> list[int]:
        """The final step of each pilgrim."""
        return self.steps()

    def ranks(self) -> list[int]:
        """1 for each winner, 2 for everybody else (SK9); so all 2 when nobody wins (SK6)."""
        winners = self.winners()
        return [1 if seat in winners else 2 for seat in range(self.game.players)]

    def utilities(self) -> list[Fraction]:
        """1 for each winner, undivided, and 0 for everybody else (SK10)."""
        winners = self.winners()
        return [Fraction(seat in winners) for seat in range(self.game.players)]

    # -- what a seat sees and knows --------------------------------------------------------------

    def events(self, text: str) -> list[tuple[str, str]]:
        """What each seat would see of `text` happening here: (seat concerned, text)."""
        if text not in self.possible():
            raise ValueError(f"{text!r} is not possible here; {self.phase}: {self.possible()}")
        subject = self.subject()
        private = self.phase in ("deal", "draw")
        return [
            (str(subject), f"{self.phase}:?" if private and seat != subject else text)
            for seat in range(self.game.players)
        ]

    def knows(self, seat: int) -> Hashable:
        """Everything the seat knows, in one canonical form.

        Equal for two positions exactly when the seat cannot tell them apart. The deck and the
        unknown part of the other hands are there by size only.
        """
        return (
            ("seat", seat),
            ("phase", self.phase),
            ("actor", self.actor()),
            ("subject", self.subject()),
            ("order", tuple(self.seats_in_order)),
            ("steps", tuple(self.step_of)),
            ("prev_row", frozenset(self.prev_row)),
            ("row", tuple(self.row.get(p) for p in range(self.game.players))),
            ("removed", frozenset(self.removed)),
            ("own_hand", frozenset(self.hands[seat])),
            ("known", tuple(frozenset(part) for part in self.known)),
            ("hand_sizes", tuple(len(hand) for hand in self.hands)),
            ("deck_size", len(self.deck)),
        )

    def unseen(self, seat: int) -> set[int]:
        """The cards whose place the seat does not know."""
        seen = self.hands[seat] | self.prev_row | set(self.row.values()) | self.removed
        return set(ALL_CARDS - seen.union(*self.known))

    def unknown_places(self, seat: int) -> dict[int, int]:
        """Other seat -> how many cards of its hand the seat does not know."""
        return {
            other: len(self.hands[other]) - len(self.known[other])
            for other in range(self.game.players)
            if other != seat
        }

    def world_count(self, seat: int) -> int:
        """How many worlds are consistent with what the seat knows."""
        count = 1
        left = len(self.unseen(seat))
        for places in self.unknown_places(seat).values():
            count *= comb(left, places)
            left -= places
        return count

    def worlds(self, seat: int) -> Iterator[State]:
        """Every world consistent with what the seat knows, the true one among them, each once.

        A world puts the unseen cards into the unknown places of the other hands, and the rest
        into the deck; all worlds are equally likely. ValueError for more than 200,000 of them.
        """
        if self.world_count(seat) > MAX_WORLDS:
            raise ValueError(f"{self.world_count(seat)} worlds are too many to list")
        return self._worlds(seat)

    def _worlds(self, seat: int) -> Iterator[State]:
        for filling in _fillings(self.unknown_places(seat), self.unseen(seat)):
            world = self.clone()
            for other, cards in filling.items():
                world.hands[other] = self.known[other] | cards
            world.deck = self.unseen(seat).difference(*filling.values())
            yield world

    # -- copies and checks -----------------------------------------------------------------------

    def clone(self) -> State:
        """An independent copy."""
        return State(
            game=self.game,
            phase=self.phase,
            step_of=list(self.step_of),
            seats_in_order=list(self.seats_in_order),
            hands=[set(hand) for hand in self.hands],
            known=[set(part) for part in self.known],
            prev_row=set(self.prev_row),
            row=dict(self.row),
            removed=set(self.removed),
            deck=set(self.deck),
        )

    def cards_outside_deck(self) -> list[int]:
        """Every card that lies somewhere other than the deck, place by place."""
        places = [*self.hands, self.prev_row, self.row.values(), self.removed]
        return [card for place in places for card in place]

    def check(self) -> None:
        """ValueError unless every card lies in exactly one place and the parts fit together."""
        n = self.game.players
        if sorted([*self.cards_outside_deck(), *self.deck]) != sorted(ALL_CARDS):
            raise ValueError("each of the cards 1 to 33 must lie in exactly one place")
        if self.phase not in PHASES:
            raise ValueError(f"unknown phase {self.phase!r}")
        if len(self.step_of) != n or not all(START <= step <= PAGODA for step in self.step_of):
            raise ValueError("each seat needs a step from 1 to 33")
        if sorted(self.seats_in_order) != list(range(n)) or not set(self.row) <= set(range(n)):
            raise ValueError("order must name each seat once, row only seats of the game")
        if len(self.hands) != n or any(len(hand) > HAND_SIZE for hand in self.hands):
            raise ValueError("each seat needs a hand of at most three cards")
        if len(self.known) != n or not all(
            part <= hand for part, hand in zip(self.known, self.hands, strict=True)
        ):
            raise ValueError("the known part of a hand must lie in that hand")
        if (PAGODA in self.step_of) != (self.phase == "over"):
            raise ValueError("the game is over exactly when a pilgrim stands on step 33")
        if self.phase != "over" and (self.subject() is None or not self.possible()):
            raise ValueError(f"nothing is left to do in the phase {self.phase!r}")


def _fillings(places: Mapping[int, int], cards: set[int]) -> Iterator[dict[int, set[int]]]:
    """Every way to give each seat its number of the cards, as sets."""
    if not places:
        yield {}
        return
    (seat, count), *others = places.items()
    for chosen in combinations(sorted(cards), count):
        for rest in _fillings(dict(others), cards - set(chosen)):
            yield {seat: set(chosen), **rest}

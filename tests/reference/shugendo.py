"""Reference rules of Shugendo, 2 to 4 players: slow, plain, and free of any engine code.

Nothing here is clever on purpose. A position is a handful of multisets, sets and dicts; whatever
can be derived is derived afresh each time; probabilities are exact fractions. Decision ids (SG1 ..
SG46) are those of docs/games/shugendo.md.

    game = Shugendo(3)
    state = game.new()
    while state.actor() is not None:
        state.apply(state.possible()[0])
    print(state.scores(), state.ranks())

The course of the game is an agenda: the steps still to come in the present phase, next one first.
A turn, a move or an effect puts its own steps in front of the rest. A step `x` is

    a chance event  if there is `_odds_x`, which gives the weight of each outcome,
    a decision      if there is `_may_x`, which gives the texts of the moves,
    automatic       otherwise;

`_do_x` carries it out. A chance event without outcomes (a full display) and a decision without
moves (nothing to reveal, no track left to advance) do not happen, and no ply is made for them. A
decision with a single move is a ply like any other (SG36).

The Reveal and the Action phase are sealed (SG10): the seats go one after the other in turn order,
but what happens in them stays with the seat itself until the phase ends. `State.start` is the
position from which the phase began, which is all that the others know.

Canonical orders: moves in the order in which the documents list the kinds of text of a decision
point, within a kind by cell, card or track; outcomes in the order of their table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeVar

from .shugendo_tables import CHOICES, COMMUNITIES, DEFAULT, TRACKS, Board, Gain, Tables, Token

CHANCE = "chance"
MAX_SILVER = 255  # SG2
MAX_PILGRIMS = 63  # SG2
MAX_SCORE = 127  # SG2
MAX_PREFECTURES = 3
MAX_WORLDS = 5_000

PHASES = (
    "first",
    "rewards",
    "boards",  # SG3
    "milestones",  # SG3
    "display",
    "reveal",
    "action",
    "restock",  # SG27: the display after the Action phase
    "recruit",
    "over",
)

SEALED = ("reveal", "action")
"""SG10: the phases of which the others see nothing until they end."""

VERBS = {
    "first": "first",
    "reward": "reward",
    "board": "board",
    "milestone": "milestone",
    "refill": "refill",
    "draw": "draw",
}
"""Chance event -> first part of its text."""

ROWS, COLUMNS = "abcd", "12345"
CELLS = [row + column for row in ROWS for column in COLUMNS]

COMPASSES = {"forest": 1, "hills": 2, "mountains": 3}
HAMMERS = {"farm": 1, "village": 2, "city": 3}
STARS = {"farm": 1, "village": 2, "city": 3}  # SG16
REPLACES = {"village": "farm", "city": "village"}
REWARD_AT = {1: 5, 2: 10}
"""Level of a Reward tile -> the score that gives it."""
PILGRIM_FROM = 4  # SG8

TILES = {("forest", "hills"): 35, ("forest", "mountains"): 20, ("hills", "mountains"): 10}
"""SG1: the two sides of a Terrain tile -> how many there are."""


def _neighbours(cell: str) -> list[str]:
    """The cells next to a cell: hexes with their points up, rows b and d half a cell to the right.

    In axial coordinates row r, column k is (k - r // 2, r).
    """

    def axial(name: str) -> tuple[int, int]:
        row = ROWS.index(name[0])
        return COLUMNS.index(name[1]) - row // 2, row

    q, r = axial(cell)
    around = {(q + dq, r + dr) for dq, dr in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))}
    return [other for other in CELLS if axial(other) in around]


NEIGHBOURS = {cell: _neighbours(cell) for cell in CELLS}

Cards = Counter[str]
"""A multiset of cards: id -> how many."""


class Step(NamedTuple):
    """Something still to happen. What the last three parts mean depends on the step."""

    name: str
    seat: int | None = None
    ids: tuple[str, ...] = ()
    number: int = 0
    last: str = ""


def tiles_suffice(forests: int, hills: int, mountains: int) -> bool:
    """SG1: whether the tiles can show so many of each terrain at the same time."""
    demand = {"forest": forests, "hills": hills, "mountains": mountains}
    return forests + hills + mountains <= sum(TILES.values()) and all(
        wanted <= sum(number for sides, number in TILES.items() if terrain in sides)
        for terrain, wanted in demand.items()
    )


def ranking(standings: Sequence[tuple[int, ...]]) -> list[int]:
    """1 for the best; equal standings share a rank, and the next ranks are left free."""
    return [1 + sum(other > own for other in standings) for own in standings]


class Shugendo:
    """The game for a number of players, a side of boards and Milestones, a set of tables."""

    def __init__(self, players: int, flower: int = 0, tables: Tables = DEFAULT) -> None:
        if not 2 <= players <= 4:
            raise ValueError(f"Shugendo is for 2 to 4 players, not {players}")
        if flower not in (0, 1):
            raise ValueError(f"flower is 0 or 1, not {flower}")
        self.players = players
        self.flower = flower
        self.tables = tables
        self.rules = tables.rules
        self.starting = Counter({c: row.copies for c, row in tables.cards.items() if row.age == 0})
        self.development = self._piles(tables.development)
        self.prefectures = self._piles(tables.prefectures)

    def _piles(self, tokens: Mapping[int, Iterable[Token]]) -> dict[int, list[int]]:
        """SG38: the VP of the tokens used at this player count, the highest on top (first)."""
        return {
            pile: sorted((token.vp for token in row if token.dots <= self.players), reverse=True)
            for pile, row in tokens.items()
        }

    def turn_order(self, first: int) -> list[int]:
        """The seats from the first player clockwise."""
        return [(first + i) % self.players for i in range(self.players)]

    def sort_cards(self, cards: Cards) -> tuple[str, ...]:
        """Cards in the order of their table, each as often as it is there."""
        present = (card for card in self.tables.cards if card in cards)
        return tuple(card for card in present for _ in range(cards[card]))

    def folk(self, age: int) -> Cards:
        """All cards of an Age."""
        return Counter({c: row.copies for c, row in self.tables.cards.items() if row.age == age})

    def new(self) -> State:
        """A fresh game: nothing drawn yet, everybody has the starting goods."""
        seat = Seat(
            board=None if self.flower else next(iter(self.tables.boards)),
            milestone=None if self.flower else next(iter(self.tables.milestones)),
            deck=self.starting.copy(),
            tracks=dict.fromkeys(TRACKS, self.rules.track_start),
            silver=self.rules.start_silver,
        )
        state = State(
            game=self,
            phase="first",
            round=1,
            first=None,
            agenda=[],
            rewards=[],
            decks={age: self.folk(age) for age in self.rules.display},
            display=Counter(),
            development={age: list(pile) for age, pile in self.development.items()},
            prefectures={number: list(pile) for number, pile in self.prefectures.items()},
            five_vp=None,
            gold=0,
            seats=[seat.clone() for _ in range(self.players)],
        )
        for number in range(self.players):
            state.cover_start(number)
        state.agenda = state.phase_agenda()
        state.settle()
        return state

    def setup(
        self,
        *,
        phase: str,
        round: int = 1,
        first: int = 0,
        done: int = 0,
        rewards: str = "r1_coins r2_coins",
        boards: Sequence[str] = (),
        milestones: Sequence[str] = (),
        display: Mapping[int, str] | None = None,
        decks: Mapping[int, str] | None = None,
        deck: Sequence[str | None] = (),
        discard: Sequence[str] = (),
        revealed: Sequence[str] = (),
        recruited: Sequence[str] = (),
        revealed_count: Sequence[int] = (),
        pilgrim: Sequence[int] = (),
        busted: Iterable[int] = (),
        choice: Sequence[str] = (),
        tracks: Sequence[tuple[int, int, int]] = (),
        silver: Sequence[int] = (),
        pilgrims: Sequence[int] = (),
        score: Sequence[int] = (),
        age: Sequence[int] = (),
        covered: Sequence[str] = (),
        farms: Sequence[str] = (),
        villages: Sequence[str] = (),
        cities: Sequence[str] = (),
        marks: Sequence[str] = (),
        development: Sequence[Sequence[int]] = (),
        prefecture_tokens: Sequence[Sequence[int]] = (),
        five_vp: int | None = None,
    ) -> State:
        """A position at the start of a phase by hand: `reveal`, `action`, `recruit` or `over`.

        In `recruit` the first `done` seats in turn order have had their turn. Sequences go by
        seats and may stop early; cells and cards are names with spaces between. `display` and
        `decks` go by Age, `development` (by Age from 2) and `prefecture_tokens` (first, second,
        third) name VP. `busted` are seats, `pilgrim` the yokai taken off by a Pilgrim.

        What is left out: the side without a flower (with a flower the tables from the second row
        on), the starting goods, the start cell, the highest tokens in the order of the seats; a
        deck is filled to 13 with starting cards, the display with the first cards, the Age decks
        hold all cards that are nowhere else. ValueError when the parts do not fit.
        """
        if phase not in ("reveal", "action", "recruit", "over"):
            raise ValueError(f"no position can be set up in the phase {phase!r}")
        if phase in SEALED and (done or (phase == "reveal" and any(revealed))):
            raise ValueError("a sealed phase is set up at its start")
        n = self.players
        cards = [_each(part, n, "") for part in (discard, revealed, recruited)]
        default_tracks = (self.rules.track_start,) * len(TRACKS)
        own_boards = self._dealt(boards, self.tables.boards)
        own_milestones = self._dealt(milestones, self.tables.milestones)
        seats: list[Seat] = []
        for seat in range(n):
            lying, shown, bought = (Counter(part[seat].split()) for part in cards)
            own_deck = _each(deck, n, None)[seat]
            rest = self.sort_cards(self.starting - lying - shown - bought)
            missing = self.starting.total() - lying.total() - shown.total() - bought.total()
            tokens = {
                cell: kind
                for kind, part in zip(COMMUNITIES, (farms, villages, cities), strict=True)
                for cell in _each(part, n, "")[seat].split()
            }
            seats.append(
                Seat(
                    board=own_boards[seat],
                    milestone=own_milestones[seat],
                    deck=Counter(rest[:missing] if own_deck is None else own_deck.split()),
                    discard=lying,
                    revealed=shown,
                    recruited=bought,
                    revealed_count=_each(revealed_count, n, shown.total())[seat],
                    pilgrim=_each(pilgrim, n, 0)[seat],
                    busted=seat in set(busted),
                    choice=_each(choice, n, "")[seat],
                    tracks=dict(zip(TRACKS, _each(tracks, n, default_tracks)[seat], strict=True)),
                    silver=_each(silver, n, self.rules.start_silver)[seat],
                    pilgrims=_each(pilgrims, n, 0)[seat],
                    score=_each(score, n, 0)[seat],
                    age=_each(age, n, 1)[seat],
                    covered=set(_each(covered, n, "")[seat].split()),
                    tokens=tokens,
                    marks=set(_each(marks, n, "")[seat].split()),
                )
            )
        state = self.new()
        state.phase, state.round, state.first = phase, round, first
        state.rewards = rewards.split()
        state.seats = seats
        for seat in range(n):
            state.cover_start(seat)
        self._hand_out_tokens(state, development, prefecture_tokens)
        self._lay_out_folk(state, display or {}, decks or {})
        reached = [seat for seat in range(n) if seats[seat].score >= self.rules.end_vp]
        state.five_vp = five_vp if five_vp is not None or not reached else reached[0]
        state.enter_phase()
        del state.agenda[:done]
        state.settle()
        state.check()
        return state

    def _dealt(self, given: Sequence[str], table: Iterable[str]) -> list[str]:
        """SG3: what is given, then the first of the table or the first flowers left."""
        common, *flowers = table
        rest = [each for each in flowers if each not in given] if self.flower else []
        return [*given, *rest, *[common] * self.players][: self.players]

    def _hand_out_tokens(
        self,
        state: State,
        development: Sequence[Sequence[int]],
        prefecture_tokens: Sequence[Sequence[int]],
    ) -> None:
        """Give each seat the tokens named, or the highest left."""
        for seat, own in enumerate(state.seats):
            if seat < len(development):
                for age, vp in enumerate(development[seat], start=2):
                    state.development[age].remove(vp)
                    own.development[age] = vp
            if seat < len(prefecture_tokens):
                for pile, vp in enumerate(prefecture_tokens[seat], start=1):
                    state.prefectures[pile].remove(vp)
                    own.prefecture_tokens.append((pile, vp))
        for seat, own in enumerate(state.seats):
            for age in range(2, own.age + 1) if seat >= len(development) else ():
                state.take_development(seat, age)
            for number in range(1, len(own.marks) + 1) if seat >= len(prefecture_tokens) else ():
                state.take_prefecture(seat, number)

    def _lay_out_folk(
        self, state: State, display: Mapping[int, str], decks: Mapping[int, str]
    ) -> None:
        owned = sum((state.own_cards(seat) for seat in range(self.players)), Counter[str]())
        state.display = Counter(card for row in display.values() for card in row.split())
        for age, size in self.rules.display.items():
            rest = self.folk(age) - owned - state.display
            if age not in display:
                shown = Counter(self.sort_cards(rest)[:size])
                state.display += shown
                rest -= shown
            state.decks[age] = Counter(decks[age].split()) if age in decks else rest


T = TypeVar("T")


def _each(values: Sequence[T], players: int, default: T) -> list[T]:
    """A value for each seat: those given, then the default."""
    return [*values, *[default] * (players - len(values))]


def _seat(step: Step) -> int:
    assert step.seat is not None
    return step.seat


def _remove(cards: Cards, card: str) -> None:
    cards[card] -= 1
    if cards[card] == 0:
        del cards[card]


def _kinds(prefix: str, cards: Iterable[str]) -> list[str]:
    """A text for every design among sorted cards."""
    return [f"{prefix}:{card}" for card in dict.fromkeys(cards)]


@dataclass
class Seat:
    """What lies before one player."""

    board: str | None
    """None until it is dealt."""
    milestone: str | None
    """None until it is dealt."""
    deck: Cards
    tracks: dict[str, int]
    silver: int
    discard: Cards = field(default_factory=Counter)
    revealed: Cards = field(default_factory=Counter)
    """Cards revealed this round and not replaced."""
    recruited: Cards = field(default_factory=Counter)
    """Cards recruited this round."""
    revealed_count: int = 0
    """Cards revealed this round, replaced ones included."""
    pilgrim: int = 0
    """The yokai that a Pilgrim takes off this round; 0 without one."""
    busted: bool = False
    choice: str = ""
    """After a bust the phase that is played: `action`, `recruit`, or "" before the choice."""
    glimpse: tuple[str, ...] | None = None
    """The display as the seat saw it at ir_guest in the present Action phase (SG26, SG46)."""
    pilgrims: int = 0
    score: int = 0
    """The marker on the score track."""
    age: int = 1
    covered: set[str] = field(default_factory=set)
    """Cells with a Terrain tile."""
    tokens: dict[str, str] = field(default_factory=dict)
    """SG17: cell -> the Community on it."""
    marks: set[str] = field(default_factory=set)
    """SG19: a cell for each Prefecture founded."""
    development: dict[int, int] = field(default_factory=dict)
    """Age -> VP of the token taken."""
    prefecture_tokens: list[tuple[int, int]] = field(default_factory=list)
    """Pile and VP of each token taken, in the order of founding."""

    def clone(self) -> Seat:
        return Seat(
            board=self.board,
            milestone=self.milestone,
            deck=self.deck.copy(),
            tracks=dict(self.tracks),
            silver=self.silver,
            discard=self.discard.copy(),
            revealed=self.revealed.copy(),
            recruited=self.recruited.copy(),
            revealed_count=self.revealed_count,
            pilgrim=self.pilgrim,
            busted=self.busted,
            choice=self.choice,
            glimpse=self.glimpse,
            pilgrims=self.pilgrims,
            score=self.score,
            age=self.age,
            covered=set(self.covered),
            tokens=dict(self.tokens),
            marks=set(self.marks),
            development=dict(self.development),
            prefecture_tokens=list(self.prefecture_tokens),
        )

    def facts(self, game: Shugendo) -> tuple[tuple[str, Hashable], ...]:
        """All but the tokens taken and the glimpse, in one canonical form."""
        return (
            ("board", self.board),
            ("milestone", self.milestone),
            ("deck", game.sort_cards(self.deck)),
            ("discard", game.sort_cards(self.discard)),
            ("revealed", game.sort_cards(self.revealed)),
            ("recruited", game.sort_cards(self.recruited)),
            ("revealed_count", self.revealed_count),
            ("pilgrim", self.pilgrim),
            ("busted", self.busted),
            ("choice", self.choice),
            ("tracks", tuple(self.tracks.values())),
            ("silver", self.silver),
            ("pilgrims", self.pilgrims),
            ("score", self.score),
            ("age", self.age),
            ("covered", tuple(cell for cell in CELLS if cell in self.covered)),
            ("tokens", tuple((c, self.tokens[c]) for c in CELLS if c in self.tokens)),
            ("marks", tuple(cell for cell in CELLS if cell in self.marks)),
        )

    def taken(self) -> tuple[Hashable, ...]:
        """The tokens taken."""
        return tuple(sorted(self.development.items())), tuple(self.prefecture_tokens)


@dataclass
class State:
    """One complete position. Build it with `Shugendo.new` or `Shugendo.setup`."""

    game: Shugendo = field(repr=False, compare=False)
    phase: str
    round: int
    first: int | None
    """The first player of the round; None until it is drawn."""
    agenda: list[Step]
    rewards: list[str]
    """The Reward tiles of level 1 and 2."""
    decks: dict[int, Cards]
    """Age -> its face-down deck, a multiset."""
    display: Cards
    """SG27: the central display, all Ages together."""
    development: dict[int, list[int]]
    """Age -> VP of the Development tokens left, highest first."""
    prefectures: dict[int, list[int]]
    """Pile -> VP of the Prefecture tokens left, highest first."""
    five_vp: int | None
    """Who has the 5-VP token."""
    gold: int
    """Gold left to the seat that is buying."""
    seats: list[Seat]
    start: State | None = field(default=None, repr=False)
    """In a sealed phase the position at its start, otherwise None."""
    sealed: list[tuple[int, str]] = field(default_factory=list, compare=False)
    """In a sealed phase who did or drew what in it."""

    # -- whose turn, which choices ---------------------------------------------------------------

    def subject(self) -> int | str | None:
        """The seat that the next ply concerns, "chance" if it concerns all, None at the end."""
        if self.phase == "over":
            return None
        seat = self.agenda[0].seat
        return CHANCE if seat is None else seat

    def actor(self) -> int | str | None:
        """The seat to move, "chance", or None when the game is over."""
        if self.phase == "over":
            return None
        return CHANCE if self.agenda[0].name in VERBS else self.agenda[0].seat

    def turn(self) -> int | None:
        """The seat whose sealed turn it is; None outside the sealed phases."""
        return self.agenda[0].seat if self.phase in SEALED and self.agenda else None

    def legal(self) -> list[str]:
        """The texts of the moves in canonical order; empty at a chance event and at the end."""
        if not self.agenda or self.agenda[0].name in VERBS:
            return []
        moves: list[str] = getattr(self, f"_may_{self.agenda[0].name}")(self.agenda[0])
        return moves

    def chance(self) -> list[tuple[str, Fraction]]:
        """The outcomes of the chance event and their probabilities, in table order; else empty."""
        if not self.agenda or self.agenda[0].name not in VERBS:
            return []
        step = self.agenda[0]
        odds: Mapping[str, int] = getattr(self, f"_odds_{step.name}")(step)
        total = sum(odds.values())
        return [
            (f"{VERBS[step.name]}:{what}", Fraction(weight, total))
            for what, weight in odds.items()
            if weight > 0
        ]

    def possible(self) -> list[str]:
        """Every text that `apply` takes here."""
        return self.legal() + [text for text, _ in self.chance()]

    # -- the course of the game ------------------------------------------------------------------

    def apply(self, text: str) -> None:
        """Make a move or let a chance event happen. ValueError when it is not possible here."""
        self._expect(text)
        step = self.agenda.pop(0)
        if self.phase in SEALED:
            self.sealed.append((_seat(step), text))
        verb, _, what = text.partition(":")
        getattr(self, f"_do_{step.name}")(step, verb, what)
        self.settle()

    def _expect(self, text: str) -> None:
        if text not in self.possible():
            raise ValueError(f"{text!r} is not possible here; {self.phase}: {self.possible()}")

    def settle(self) -> None:
        """Let everything happen that asks nobody, up to the next ply or the end."""
        while self.phase != "over":
            if not self.agenda:
                self._next_phase()
            elif self._is_automatic(self.agenda[0]):
                step = self.agenda.pop(0)
                getattr(self, f"_do_{step.name}")(step)
            elif self.possible():
                return
            else:
                self.agenda.pop(0)

    def _is_automatic(self, step: Step) -> bool:
        return step.name not in VERBS and not hasattr(self, f"_may_{step.name}")

    def _first(self, *steps: Step) -> None:
        """Put steps in front of all others."""
        self.agenda[:0] = steps

    def _next_phase(self) -> None:
        if self.phase == "recruit":
            self._end_round()
        else:
            self.phase = PHASES[PHASES.index(self.phase) + 1]
        self.enter_phase()

    def enter_phase(self) -> None:
        """Begin the present phase: what was sealed is public now (SG10)."""
        self.start, self.sealed = None, []
        for seat in self.seats:
            seat.glimpse = None
        self.agenda = self.phase_agenda()
        if self.phase in SEALED:
            self.start = self.clone()

    def phase_agenda(self) -> list[Step]:
        """The steps of the present phase, from its start."""
        if self.phase == "first":
            return [Step("first")]
        if self.phase == "rewards":
            return [Step("reward", number=level) for level in REWARD_AT]
        if self.phase in ("boards", "milestones"):  # SG3
            seats = range(self.game.players) if self.game.flower else ()
            return [Step(self.phase[:-1], seat) for seat in seats]
        if self.phase in ("display", "restock"):
            return [Step("refill")]
        if self.phase == "over":
            return []
        assert self.first is not None
        turn = {"reveal": "reveal", "action": "action_turn", "recruit": "recruit_turn"}[self.phase]
        return [Step(turn, seat) for seat in self.game.turn_order(self.first)]

    def _end_round(self) -> None:
        """D4: cards go to the discard piles; the game ends, or the next seat becomes the first."""
        assert self.first is not None
        for seat in self.seats:
            seat.discard += seat.revealed + seat.recruited
            seat.revealed, seat.recruited = Counter(), Counter()
            seat.revealed_count = seat.pilgrim = 0
            seat.busted, seat.choice = False, ""
        if self.is_last_round():
            self.phase = "over"
        else:
            self.phase = "reveal"
            self.round += 1
            self.first = (self.first + 1) % self.game.players  # SG39

    def is_last_round(self) -> bool:
        """SG29, SG32: whether the game ends with this round."""
        rules = self.game.rules
        return self.round >= rules.round_limit or any(
            seat.score >= rules.end_vp
            or len(seat.marks) == MAX_PREFECTURES
            or seat.age == max(rules.age_costs)
            for seat in self.seats
        )

    # -- set-up ----------------------------------------------------------------------------------

    def _odds_first(self, step: Step) -> dict[str, int]:  # SG39, SG41
        return {f"p{seat}": 1 for seat in range(self.game.players)}

    def _do_first(self, step: Step, verb: str, seat: str) -> None:
        self.first = int(seat[1:])

    def _odds_reward(self, step: Step) -> dict[str, int]:
        rewards = self.game.tables.rewards
        return {tile: 1 for tile, row in rewards.items() if row.level == step.number}

    def _do_reward(self, step: Step, verb: str, tile: str) -> None:
        self.rewards.append(tile)

    def _odds_board(self, step: Step) -> dict[str, int]:  # SG3, SG41
        _, *flowers = self.game.tables.boards
        dealt = [seat.board for seat in self.seats]
        return {board: 1 for board in flowers if board not in dealt}

    def _do_board(self, step: Step, verb: str, board: str) -> None:
        self.seats[_seat(step)].board = board
        self.cover_start(_seat(step))

    def cover_start(self, seat: int) -> None:
        """The first Forest tile, once the board is known."""
        if self.seats[seat].board is not None:
            self.seats[seat].covered.add(self.cell_of(seat, "start"))

    def _odds_milestone(self, step: Step) -> dict[str, int]:  # SG3, SG41
        _, *flowers = self.game.tables.milestones
        dealt = [seat.milestone for seat in self.seats]
        return {milestone: 1 for milestone in flowers if milestone not in dealt}

    def _do_milestone(self, step: Step, verb: str, milestone: str) -> None:
        self.seats[_seat(step)].milestone = milestone

    def _odds_refill(self, step: Step) -> Mapping[str, int]:
        """SG27: the first Age of which a card is missing and one is left."""
        for age, size in self.game.rules.display.items():
            if len(self.shown(age)) < size and self.decks[age]:
                return self._in_order(self.decks[age])
        return {}

    def _do_refill(self, step: Step, verb: str, card: str) -> None:
        _remove(self.decks[self.game.tables.cards[card].age], card)
        self.display[card] += 1
        self._first(step)

    def shown(self, age: int) -> list[str]:
        """The cards of an Age on display, in table order."""
        cards = self.game.sort_cards(self.display)
        return [card for card in cards if self.game.tables.cards[card].age == age]

    def _in_order(self, cards: Cards) -> dict[str, int]:
        return {card: cards[card] for card in self.game.tables.cards if card in cards}

    # -- Reveal phase ----------------------------------------------------------------------------

    def yokai(self, seat: int, card: str) -> int:
        """The effective yokai of a card: iv_calm makes two of three."""
        printed = self.game.tables.cards[card].yokai
        return 2 if printed == 3 and self.milestone(seat, "ivory") == "iv_calm" else printed

    def total_yokai(self, seat: int) -> int:
        """The yokai showing on the revealed cards, without those that a Pilgrim takes off."""
        own = self.seats[seat]
        shown = sum(self.yokai(seat, card) * number for card, number in own.revealed.items())
        return shown - own.pilgrim

    def _may_reveal(self, step: Step) -> list[str]:
        own = self.seats[_seat(step)]
        if own.busted or not own.deck + own.discard:  # SG6
            return []
        return ["reveal", "stop", *self._may_use_pilgrim(_seat(step))]  # SG7

    def _may_use_pilgrim(self, seat: int) -> list[str]:
        """SG8"""
        own = self.seats[seat]
        total = self.total_yokai(seat)
        if own.pilgrims == 0 or own.pilgrim or not PILGRIM_FROM <= total < self.game.rules.mischief:
            return []
        found = {self.yokai(seat, card) for card in own.revealed}
        return [f"pilgrim:{yokai}" for yokai in (1, 2, 3) if yokai in found]

    def _do_reveal(self, step: Step, verb: str, yokai: str) -> None:
        own = self.seats[_seat(step)]
        if verb == "stop":
            return
        if verb == "pilgrim":
            own.pilgrims -= 1
            own.pilgrim = int(yokai)
        if not own.deck:  # SG6
            own.deck, own.discard = own.discard, Counter()
        self._first(Step("draw", step.seat), step)

    def _odds_draw(self, step: Step) -> Mapping[str, int]:
        return self._in_order(self.seats[_seat(step)].deck)

    def _do_draw(self, step: Step, verb: str, card: str) -> None:
        seat = _seat(step)
        own = self.seats[seat]
        _remove(own.deck, card)
        own.revealed[card] += 1  # SG40: also the card that brings the bust
        own.revealed_count += 1
        if self.total_yokai(seat) >= self.game.rules.mischief:
            own.busted = True
            if self.milestone(seat, "ivory") == "iv_alms":
                self._receive(seat, Gain(pilgrims=1))

    # -- Action phase ----------------------------------------------------------------------------

    def _do_action_turn(self, step: Step) -> None:
        self._first(step._replace(name="mischief" if self.seats[_seat(step)].busted else "gather"))

    def _may_mischief(self, step: Step) -> list[str]:  # SG9
        return ["mischief:action", "mischief:recruit"]

    def _do_mischief(self, step: Step, verb: str, phase: str) -> None:
        self.seats[_seat(step)].choice = phase
        if phase == "action":
            self._first(Step("gather", step.seat))

    def _do_gather(self, step: Step) -> None:
        """SG11: the fixed icons at once, the choices as one batch of each kind, then the action."""
        seat = _seat(step)
        icons: Counter[str] = Counter()
        for card, number in self.seats[seat].revealed.items():
            for icon, times in self.game.tables.cards[card].icons.items():
                icons[icon] += times * number
        self._receive(seat, Gain(icons["C"], icons["H"], icons["B"]))
        batches = [Step("gain", seat, CHOICES[icon], icons[icon]) for icon in CHOICES]
        self._first(*(batch for batch in batches if batch.number), Step("main", seat))

    def is_full(self, seat: int, track: str) -> bool:
        return self.seats[seat].tracks[track] == self.game.rules.track_ends[track]

    def _advance(self, seat: int, track: str, steps: int) -> None:
        tracks = self.seats[seat].tracks
        tracks[track] = min(tracks[track] + steps, self.game.rules.track_ends[track])

    def _may_gain(self, step: Step) -> list[str]:
        """SG11, SG42: `ids` the tracks of the icon, `number` icons left, `last` the last choice."""
        usable = [track for track in step.ids if not self.is_full(_seat(step), track)]
        later = [t for t in usable if not step.last or TRACKS.index(t) >= TRACKS.index(step.last)]
        return [f"gain:{track}" for track in later or usable]

    def _do_gain(self, step: Step, verb: str, track: str) -> None:
        self._advance(_seat(step), track, 1)
        if step.number > 1:
            self._first(step._replace(number=step.number - 1, last=track))

    # -- gains (D2) ------------------------------------------------------------------------------

    def _event(self, seat: int, *gains: Gain) -> list[Step]:
        """Everything fixed of an event at once; its `any` icons as one batch."""
        free = sum(self._receive(seat, gain) for gain in gains)
        return [Step("gain", seat, CHOICES["any"], free)] if free else []

    def _receive(self, seat: int, gain: Gain) -> int:
        """SG15: silver, Pilgrims, fixed steps, then VP. Returns the `any` icons, which are left."""
        own = self.seats[seat]
        own.silver = min(own.silver + gain.silver, MAX_SILVER)
        own.pilgrims = min(own.pilgrims + gain.pilgrims, MAX_PILGRIMS)
        for track, steps in zip(TRACKS, (gain.compass, gain.hammer, gain.book), strict=True):
            self._advance(seat, track, steps)
        return gain.any + self._score(seat, gain.vp)

    def _score(self, seat: int, vp: int) -> int:
        """SG28, SG43: move the marker; returns the `any` icons of the tiles it passes."""
        own = self.seats[seat]
        before, after = own.score, min(own.score + vp, MAX_SCORE)
        own.score = after
        free = 0
        for tile, at in zip(self.rewards, REWARD_AT.values(), strict=True):
            if before < at <= after:
                free += self._receive(seat, self.game.tables.rewards[tile].gain)
        if own.score >= self.game.rules.end_vp and self.five_vp is None:
            self.five_vp = seat
        return free

    # -- main action -----------------------------------------------------------------------------

    def _may_main(self, step: Step) -> list[str]:
        """SG12: `ids` the kind of action begun, if any. With nothing to do there is no decision.

        `last` is the cell that matters for the order: of a quiet step (SG13), or of a placement of
        the Community `ids[1]` that founded nothing (SG22).
        """
        seat = _seat(step)
        begun = step.ids[0] if step.ids else ""
        moves = []
        if begun in ("", "explore"):
            moves += [f"explore:{cell}" for cell in self._explorable(seat, step.last)]
        if begun in ("", "expand"):
            for kind in COMMUNITIES:
                last = step.last if step.ids[1:] == (kind,) else ""
                moves += [f"{kind}:{cell}" for cell in self._expandable(seat, kind, last)]
        if begun in ("", "develop"):
            moves += self._may_develop(seat)
        return ["done", *moves] if moves else []

    def _do_main(self, step: Step, verb: str, cell: str) -> None:
        seat = _seat(step)
        if verb == "explore":
            last = cell if self._is_quiet(seat, cell) else ""
            self._first(*self._explore(seat, cell), step._replace(ids=("explore",), last=last))
        elif verb == "develop":
            self._develop(seat)
            self._first(step._replace(ids=("develop",)))
        elif verb in COMMUNITIES:
            self.seats[seat].tracks["hammer"] -= HAMMERS[verb]
            founded, steps = self._place(seat, verb, cell)
            begun = ("expand",) if founded else ("expand", verb)
            self._first(*steps, step._replace(ids=begun, last="" if founded else cell))

    # -- Explore ---------------------------------------------------------------------------------

    def board_of(self, seat: int) -> Board:
        board = self.seats[seat].board
        assert board is not None
        return self.game.tables.boards[board]

    def cell_of(self, seat: int, icon: str) -> str:
        """The cell of a seat's map with the start or a Milestone."""
        cells = self.board_of(seat).cells
        return next(cell for cell in CELLS if cells[cell].icon == icon)

    def milestone(self, seat: int, colour: str) -> str:
        """The Milestone effect of a colour once its cell is covered, else ""."""
        own = self.seats[seat]
        if own.board is None or own.milestone is None:
            return ""
        if self.cell_of(seat, colour) not in own.covered:
            return ""
        effect: str = getattr(self.game.tables.milestones[own.milestone], colour)
        return effect

    def explore_cost(self, seat: int, cell: str) -> int:
        terrain = self.board_of(seat).cells[cell].terrain
        cheaper = terrain == "mountains" and self.milestone(seat, "ivory") == "iv_peaks"
        return COMPASSES[terrain] - cheaper

    def _is_quiet(self, seat: int, cell: str) -> bool:
        """SG13"""
        return self.board_of(seat).cells[cell].icon in ("", "penalty")

    def _is_reached(self, seat: int, cell: str, covered: set[str]) -> bool:
        """Whether a cell is next to one of the covered, or by iv_leap next but one (SG14)."""
        near = set(NEIGHBOURS[cell])
        if self.milestone(seat, "ivory") == "iv_leap":
            near |= {far for between in near for far in NEIGHBOURS[between]}
        return bool(near & covered)

    def _explorable(self, seat: int, last: str) -> list[str]:
        """The cells on offer; `last` the quiet cell explored just before, if any."""
        own = self.seats[seat]
        return [
            cell
            for cell in CELLS
            if cell not in own.covered
            and self.board_of(seat).cells[cell].terrain != "lake"
            and self._is_reached(seat, cell, own.covered)
            and self.explore_cost(seat, cell) <= own.tracks["compass"]
            and not (last and self._belongs_before(seat, cell, last))
        ]

    def _belongs_before(self, seat: int, cell: str, last: str) -> bool:
        """SG13, SG44: whether a quiet cell could as well have been explored before the last."""
        return (
            self._is_quiet(seat, cell)
            and CELLS.index(cell) < CELLS.index(last)
            and self._is_reached(seat, cell, self.seats[seat].covered - {last})
        )

    def _explore(self, seat: int, cell: str) -> list[Step]:
        own = self.seats[seat]
        printed = self.board_of(seat).cells[cell]
        own.tracks["compass"] -= self.explore_cost(seat, cell)
        own.covered.add(cell)
        if printed.icon == "iron":
            return self._iron(seat)
        return self._event(seat, printed.gain)

    def _iron(self, seat: int) -> list[Step]:
        """SG33: the effect at once of a Milestone."""
        effect = self.milestone(seat, "iron")
        if effect == "ir_gift":
            return self._event(seat, Gain(vp=1, silver=1))
        return {
            "ir_farms": [Step("iron_farms", seat, number=3)],
            "ir_village": [Step("iron_village", seat)],
            "ir_boost": [Step("iron_boost", seat)],
            "ir_guest": [Step("guest", seat)],
        }[effect]

    # -- Expand ----------------------------------------------------------------------------------

    def count(self, seat: int, kind: str) -> int:
        """The Communities of a kind on the map (SG18)."""
        return list(self.seats[seat].tokens.values()).count(kind)

    def reserve(self, seat: int, kind: str) -> int:
        return len(self.board_of(seat).row_vp[kind]) - self.count(seat, kind)

    def sites(self, seat: int, kind: str) -> list[str]:
        """SG17: the cells where a Community of the reserve fits, whatever it costs."""
        own = self.seats[seat]
        below = REPLACES.get(kind)
        if self.reserve(seat, kind) == 0:
            return []
        return [cell for cell in CELLS if cell in own.covered and own.tokens.get(cell) == below]

    def _expandable(self, seat: int, kind: str, last: str) -> list[str]:
        if self.seats[seat].tracks["hammer"] < HAMMERS[kind]:
            return []
        return self._sites_in_order(seat, kind, last)

    def _sites_in_order(self, seat: int, kind: str, last: str) -> list[str]:
        """SG22, SG44: not before the last cell, unless something would be founded."""
        return [
            cell
            for cell in self.sites(seat, kind)
            if not last
            or CELLS.index(cell) >= CELLS.index(last)
            or self._founds(seat, {**self.seats[seat].tokens, cell: kind}, cell)
        ]

    def group(self, tokens: Mapping[str, str], cell: str) -> set[str]:
        """The connected Communities around one of them."""
        found, waiting = {cell}, [cell]
        while waiting:
            near = {other for other in NEIGHBOURS[waiting.pop()] if other in tokens}
            waiting += near - found
            found |= near
        return found

    def _founds(self, seat: int, tokens: Mapping[str, str], cell: str) -> bool:
        """SG19: whether a token just placed on a cell founds a Prefecture."""
        marks = self.seats[seat].marks
        group = self.group(tokens, cell)
        stars = sum(STARS[tokens[each]] for each in group)
        enough = stars >= self.game.rules.prefecture_stars
        return enough and not group & marks and len(marks) < MAX_PREFECTURES

    def _place(self, seat: int, kind: str, cell: str) -> tuple[bool, list[Step]]:
        """Put a Community on the map. Returns whether it founds, and what follows (D2)."""
        own = self.seats[seat]
        board = self.board_of(seat)
        own.tokens[cell] = kind  # SG18: what it replaces goes back to the reserve
        gains = [board.row_gain[kind]]
        founded = self._founds(seat, own.tokens, cell)
        if founded:
            own.marks.add(cell)
            self.take_prefecture(seat, len(own.marks))
            gains.append(board.prefectures[len(own.marks) - 1].now)
        steps = self._event(seat, *gains)
        if founded and self.milestone(seat, "ivory") == "iv_swap":
            steps.append(Step("swap", seat))
        return founded, steps

    def take_prefecture(self, seat: int, number: int) -> None:
        """SG20: the top of the pile of that number, else the highest top of the lower piles."""
        lower = [pile for pile in range(1, number) if self.prefectures[pile]]
        best = max(lower, key=lambda pile: (self.prefectures[pile][0], pile), default=None)
        pile = number if self.prefectures[number] else best
        if pile is not None:
            self.seats[seat].prefecture_tokens.append((pile, self.prefectures[pile].pop(0)))

    def _may_swap(self, step: Step) -> list[str]:  # SG21
        seat = _seat(step)
        farms = [cell for cell in CELLS if self.seats[seat].tokens.get(cell) == "farm"]
        if not farms or self.reserve(seat, "city") == 0:
            return []
        return ["noswap", *(f"swap:{cell}" for cell in farms)]

    def _do_swap(self, step: Step, verb: str, cell: str) -> None:
        if verb == "swap":
            _, steps = self._place(_seat(step), "city", cell)
            self._first(*steps)

    # -- Develop ---------------------------------------------------------------------------------

    def _may_develop(self, seat: int) -> list[str]:
        own = self.seats[seat]
        cost = self.game.rules.age_costs.get(own.age + 1)
        return ["develop"] if cost is not None and cost <= own.tracks["book"] else []

    def _develop(self, seat: int) -> None:
        own = self.seats[seat]
        own.age += 1
        own.tracks["book"] -= self.game.rules.age_costs[own.age]
        self.take_development(seat, own.age)

    def take_development(self, seat: int, age: int) -> None:
        """SG23: the highest token left of the Age, if any."""
        if self.development[age]:
            self.seats[seat].development[age] = self.development[age].pop(0)

    # -- iron effects (SG33) ---------------------------------------------------------------------

    def _may_iron_farms(self, step: Step) -> list[str]:
        """`number` Farmsteads left; `last` the cell of the last one, if it founded nothing."""
        seat = _seat(step)
        cells = self._sites_in_order(seat, "farm", step.last) or self.sites(seat, "farm")
        return [f"farm:{cell}" for cell in cells]

    def _do_iron_farms(self, step: Step, verb: str, cell: str) -> None:
        founded, steps = self._place(_seat(step), "farm", cell)
        self._first(*steps)
        if step.number > 1:
            rest = step._replace(number=step.number - 1, last="" if founded else cell)
            self.agenda.insert(len(steps), rest)

    def _may_iron_village(self, step: Step) -> list[str]:
        return [f"village:{cell}" for cell in self.sites(_seat(step), "village")]

    def _do_iron_village(self, step: Step, verb: str, cell: str) -> None:
        _, steps = self._place(_seat(step), "village", cell)
        self._first(*steps)

    def _may_iron_boost(self, step: Step) -> list[str]:
        return [f"boost:{track}" for track in TRACKS if not self.is_full(_seat(step), track)]

    def _do_iron_boost(self, step: Step, verb: str, track: str) -> None:
        self._advance(_seat(step), track, 4)

    def _do_guest(self, step: Step) -> None:
        """SG26: lost without a revealed card to replace; otherwise the seat sees the display."""
        own = self.seats[_seat(step)]
        if own.revealed:
            own.glimpse = self.game.sort_cards(self.display)
            self._first(Step("guest_card", step.seat), Step("replace", step.seat))

    def _may_guest_card(self, step: Step) -> list[str]:
        return _kinds("recruit", self._unlocked(_seat(step)))

    def _do_guest_card(self, step: Step, verb: str, card: str) -> None:
        self._recruit(_seat(step), card)

    def _unlocked(self, seat: int) -> list[str]:
        """The cards on display of the Ages that a seat has unlocked."""
        cards = self.game.tables.cards
        shown = self.game.sort_cards(self.display)
        return [card for card in shown if cards[card].age <= self.seats[seat].age]

    def _recruit(self, seat: int, card: str) -> None:
        _remove(self.display, card)
        self.seats[seat].recruited[card] += 1

    # -- Recruit phase ---------------------------------------------------------------------------

    def _do_recruit_turn(self, step: Step) -> None:
        seat = _seat(step)
        if self.seats[seat].choice == "action":  # SG9, SG45: no turn, no refill
            return
        steps = self._recruit_bonus(seat)
        ends = [Step("end_buying", seat), Step("replace", seat), Step("refill")]
        self._first(*steps, Step("buy", seat), *ends)

    def _recruit_bonus(self, seat: int) -> list[Step]:
        """SG24: gold into a pool, everything else as one event."""
        total = [0] * len(Gain())
        for card in self.game.sort_cards(self.seats[seat].revealed):
            row = self.game.tables.cards[card]
            self.gold += row.gold
            for gain in (row.bonus, self.special(seat, row.special)):
                total = [have + more for have, more in zip(total, gain, strict=True)]
        return self._event(seat, Gain(*total))

    def special(self, seat: int, name: str) -> Gain:
        """What a special Recruit bonus gives to a seat now."""
        own = self.seats[seat]
        farms, villages, cities = (self.count(seat, kind) for kind in COMMUNITIES)
        terrains = [self.board_of(seat).cells[cell].terrain for cell in own.covered]
        return {
            "": Gain(),
            "sp_vp_prefectures": Gain(vp=2 * len(own.marks)),
            "sp_pilgrim_sets": Gain(pilgrims=min(farms, villages, cities)),
            "sp_vp_sets": Gain(vp=min(farms, villages, cities)),
            "sp_vp_cities": Gain(vp=cities),
            "sp_vp_villages": Gain(vp=villages // 2),
            "sp_vp_farms": Gain(vp=farms // 3),
            "sp_vp_revealed": Gain(vp=own.revealed_count // 4),
            "sp_silver_farms": Gain(silver=farms // 3),
            "sp_silver_villages": Gain(silver=villages // 2),
            "sp_silver_cities": Gain(silver=cities),
            "sp_step_forest": Gain(any=terrains.count("forest") // 4),
            "sp_vp_hills": Gain(vp=terrains.count("hills") // 3),
            "sp_vp_mountains": Gain(vp=terrains.count("mountains") // 2),
        }[name]

    def own_cards(self, seat: int) -> Cards:
        """All cards of a seat, wherever they lie."""
        own = self.seats[seat]
        return own.deck + own.discard + own.revealed + own.recruited

    def to_replace(self, seat: int) -> int:
        """How many cards a seat has recruited without replacing one of its own yet."""
        return self.own_cards(seat).total() - self.game.starting.total()

    def _may_buy(self, step: Step) -> list[str]:
        """SG25: `last` is the card bought last."""
        seat = _seat(step)
        own = self.seats[seat]
        if self.to_replace(seat) >= own.revealed.total():
            return []
        names = list(self.game.tables.cards)
        cards = [
            card
            for card in self._unlocked(seat)
            if self.game.tables.cards[card].cost <= self.gold + own.silver
            and (not step.last or names.index(card) >= names.index(step.last))
        ]
        return ["done", *_kinds("recruit", cards)] if cards else []

    def _do_buy(self, step: Step, verb: str, card: str) -> None:
        if verb == "done":
            return
        own = self.seats[_seat(step)]
        cost = self.game.tables.cards[card].cost
        from_gold = min(cost, self.gold)
        self.gold -= from_gold
        own.silver -= cost - from_gold
        self._recruit(_seat(step), card)
        self._first(step._replace(last=card))

    def _do_end_buying(self, step: Step) -> None:
        """Gold that is left over is lost."""
        self.gold = 0

    def _may_replace(self, step: Step) -> list[str]:
        """SG25, SG26: `last` is the card replaced last; enough cards must be left at or after."""
        seat = _seat(step)
        left = self.to_replace(seat)
        if left == 0:
            return []
        names = list(self.game.tables.cards)
        first = names.index(step.last) if step.last else 0
        cards = [
            card
            for card in self.game.sort_cards(self.seats[seat].revealed)
            if names.index(card) >= first
        ]
        return _kinds("replace", cards[: len(cards) - left + 1])

    def _do_replace(self, step: Step, verb: str, card: str) -> None:
        _remove(self.seats[_seat(step)].revealed, card)
        self._first(step._replace(last=card))

    # -- scoring ---------------------------------------------------------------------------------

    def score_parts(self, seat: int) -> dict[str, int]:
        """E: where the VP of a seat come from, if the game ended here."""
        own = self.seats[seat]
        cards = self.game.tables.cards
        printed = [cards[card].end_vp for card in self.own_cards(seat).elements()]
        leftovers = own.silver + own.pilgrims + sum(own.tracks.values())
        return {
            "track": own.score,
            "cards": sum(vp for vp in printed if vp > 0),
            "development": sum(own.development.values()),
            "prefecture_tokens": sum(vp for _, vp in own.prefecture_tokens),
            "prefectures": sum(self._prefecture_vp(seat)),
            "rows": sum(self.row_vp(seat, kind) for kind in COMMUNITIES),
            "five_vp": self.game.rules.five_vp if self.five_vp == seat else 0,
            "milestone": self._golden_vp(seat),
            "leftovers": leftovers // 5,  # SG30
            "negative": self._negative_vp(seat, printed),
        }

    def _prefecture_vp(self, seat: int) -> list[int]:
        founded = len(self.seats[seat].marks)
        return [row.end_vp for row in self.board_of(seat).prefectures[:founded]] if founded else []

    def row_vp(self, seat: int, kind: str) -> int:
        """SG18: the VP of the rightmost empty space of a Community row."""
        number = self.count(seat, kind)
        return self.board_of(seat).row_vp[kind][number - 1] if number else 0

    def _golden_vp(self, seat: int) -> int:
        own = self.seats[seat]
        colours = ("ivory", "iron", "gold")
        cards = self.game.tables.cards
        effect = self.milestone(seat, "gold")
        if effect == "go_humble":
            return 2 * sum(cards[c].end_vp == 0 for c in self.own_cards(seat).elements())
        if effect == "go_villages":
            return 2 * self.count(seat, "village")
        if effect == "go_learning":
            return 3 * len(own.development)
        if effect == "go_shrines":  # SG5
            return self.game.rules.shrines[sum(bool(self.milestone(seat, c)) for c in colours)]
        return 0

    def _negative_vp(self, seat: int, printed: Iterable[int]) -> int:
        own = self.seats[seat]
        if self.milestone(seat, "gold") == "go_forgive":
            return 0
        cells = {} if own.board is None else self.board_of(seat).cells
        visible = sum(row.penalty for cell, row in cells.items() if cell not in own.covered)
        return sum(vp for vp in printed if vp < 0) - visible

    def scores(self) -> list[int]:
        """The VP of each seat with everything scored as if the game ended here."""
        return [sum(self.score_parts(seat).values()) for seat in range(self.game.players)]

    def printed_yokai(self, seat: int) -> int:
        """SG31: the yokai printed on all cards of a seat."""
        cards = self.game.tables.cards
        return sum(cards[card].yokai for card in self.own_cards(seat).elements())

    def ranks(self) -> list[int]:
        """By VP, then printed yokai, then the score track. ValueError before the end."""
        if self.phase != "over":
            raise ValueError("the game is not over")
        scores = self.scores()
        return ranking(
            [
                (scores[seat], self.printed_yokai(seat), own.score)
                for seat, own in enumerate(self.seats)
            ]
        )

    def utilities(self) -> list[Fraction]:
        """The winners share 1 equally; everybody else has 0. ValueError before the end."""
        ranks = self.ranks()
        return [Fraction(rank == 1, ranks.count(1)) for rank in ranks]

    # -- what a seat sees ------------------------------------------------------------------------

    def events(self, text: str) -> list[list[tuple[str, str]]]:
        """What each seat is told the moment `text` happens here: (whom it concerns, text).

        SG10, SG46: of a sealed turn nothing is told to the others, then or later; when the phase
        ends they see what has become of it (`knows`).
        """
        self._expect(text)
        told = [(str(self.subject()), text)]
        turn = self.turn()
        return [told if turn in (None, seat) else [] for seat in range(self.game.players)]

    def knows(self, seat: int) -> tuple[tuple[str, Hashable], ...]:
        """Everything the seat knows, in one canonical form: a tuple of (name, value).

        Equal for two positions exactly when the seat cannot tell them apart.
        """
        shared = self.start or self
        turn = self.turn()
        seats = [self if other == seat else shared for other in range(self.game.players)]
        return (
            ("seat", seat),
            ("phase", self.phase),
            ("round", self.round),
            ("first", self.first),
            ("turn", turn),
            ("agenda", tuple(self.agenda) if turn in (None, seat) else None),
            ("rewards", tuple(self.rewards)),
            ("decks", tuple(self.game.sort_cards(deck) for deck in shared.decks.values())),
            ("display", self.game.sort_cards(shared.display)),
            ("glimpse", self.seats[seat].glimpse),
            ("development", tuple(map(tuple, shared.development.values()))),
            ("prefectures", tuple(map(tuple, shared.prefectures.values()))),
            ("five_vp", shared.five_vp),
            ("gold", self.gold),
            ("seats", tuple(s.seats[i].facts(self.game) for i, s in enumerate(seats))),
            ("taken", tuple(own.taken() for own in shared.seats)),  # SG34
        )

    # -- worlds ----------------------------------------------------------------------------------

    def worlds(self, seat: int) -> Iterator[tuple[State, Fraction]]:
        """Every world consistent with what the seat knows, each once, with its probability.

        SG46: in a sealed phase a world is the phase played again from its start. Seats that have
        had their turn choose among their moves with equal probability and draw by chance; the seat
        itself does what it did; another seat whose turn it is stands at its start. Worlds that the
        seat would tell apart from what it has seen are left out. Anywhere else all is public.
        ValueError for more than MAX_WORLDS worlds.
        """
        if self.start is None:
            return iter([(self.clone(), Fraction(1))])
        assert self.first is not None
        root = self.start.clone()
        root.start = self.start
        root.settle()
        worlds = {root.key(): (root, Fraction(1))}
        known, turn = self.knows(seat), self.turn()
        for other in self.game.turn_order(self.first):
            if other == seat:
                worlds = _replayed(worlds, [text for who, text in self.sealed if who == seat])
            if other == turn:
                break
            if other != seat:
                worlds = _all_courses(worlds, other)
        fitting = [(world, w) for world, w in worlds.values() if world.knows(seat) == known]
        total = sum(weight for _, weight in fitting)
        return ((world, weight / total) for world, weight in fitting)

    def key(self) -> Hashable:
        """The position in one canonical form, but for the start of a sealed phase."""
        return (
            self.phase,
            self.round,
            self.first,
            tuple(self.agenda),
            tuple(self.rewards),
            tuple(self.game.sort_cards(deck) for deck in self.decks.values()),
            self.game.sort_cards(self.display),
            tuple(map(tuple, self.development.values())),
            tuple(map(tuple, self.prefectures.values())),
            (self.five_vp, self.gold),
            tuple((own.facts(self.game), own.taken(), own.glimpse) for own in self.seats),
        )

    # -- copies and checks -----------------------------------------------------------------------

    def clone(self) -> State:
        """An independent copy; the start of a sealed phase, which never changes, is shared."""
        return State(
            game=self.game,
            phase=self.phase,
            round=self.round,
            first=self.first,
            agenda=list(self.agenda),
            rewards=list(self.rewards),
            decks={age: deck.copy() for age, deck in self.decks.items()},
            display=self.display.copy(),
            development={age: list(pile) for age, pile in self.development.items()},
            prefectures={number: list(pile) for number, pile in self.prefectures.items()},
            five_vp=self.five_vp,
            gold=self.gold,
            seats=[seat.clone() for seat in self.seats],
            start=self.start,
            sealed=list(self.sealed),
        )

    def removed(self) -> Cards:
        """The cards that have left the game."""
        rest: Cards = Counter()
        for card, row in self.game.tables.cards.items():
            rest[card] = row.copies * (self.game.players if row.age == 0 else 1)
        rest.subtract(self.display)
        for deck in self.decks.values():
            rest.subtract(deck)
        for seat in range(self.game.players):
            rest.subtract(self.own_cards(seat))
        return rest

    def check(self) -> None:
        """ValueError unless all components are accounted for and the parts fit together."""
        if self.phase not in PHASES or not 1 <= self.round <= self.game.rules.round_limit:
            raise ValueError(f"there is no phase {self.phase!r} in round {self.round}")
        if (self.first is None) != (self.phase == "first"):
            raise ValueError("the first player is drawn first")
        if (self.start is None) == (self.phase in SEALED):
            raise ValueError("only a sealed phase has a start")
        self._check_sides()
        self._check_rewards()
        self._check_cards()
        self._check_tokens()
        for seat in range(self.game.players):
            self._check_round(seat)
            self._check_goods(seat)
            if self.seats[seat].board is not None:
                self._check_map(seat)
        self._check_supply()
        if self.phase != "over" and not self.possible():
            raise ValueError(f"nothing is left to do in the phase {self.phase!r}")

    def _check_sides(self) -> None:
        """SG3"""
        tables: list[Mapping[str, object]] = [self.game.tables.boards, self.game.tables.milestones]
        for name, table in zip(("board", "milestone"), tables, strict=True):
            own = [getattr(seat, name) for seat in self.seats]
            common, *flowers = table
            dealt = [each for each in own if each is not None]
            if self.phase not in PHASES[: PHASES.index("display")] and len(dealt) < len(own):
                raise ValueError(f"after set-up everybody has a {name}")
            if self.game.flower == 0 and dealt != [common] * len(own):
                raise ValueError(f"without flower everybody has {common}")
            if self.game.flower and (len(set(dealt)) < len(dealt) or not set(dealt) <= {*flowers}):
                raise ValueError(f"with flower everybody has another {name} out of {flowers}")

    def _check_rewards(self) -> None:
        rewards = self.game.tables.rewards
        levels = [rewards[tile].level if tile in rewards else 0 for tile in self.rewards]
        if levels != list(REWARD_AT)[: len(levels)]:
            raise ValueError("there is one Reward tile of each level")
        if PHASES.index(self.phase) > PHASES.index("rewards") and len(levels) < len(REWARD_AT):
            raise ValueError("after set-up both Reward tiles lie open")

    def _check_cards(self) -> None:
        tables = self.game.tables
        if any(number < 0 for number in self.removed().values()) or not all(
            card in tables.cards for card in self.removed()
        ):
            raise ValueError("there are more cards of a kind than were printed")
        for age, size in self.game.rules.display.items():
            if any(tables.cards[card].age != age for card in self.decks[age]):
                raise ValueError(f"the deck of Age {age} holds another card")
            if len(self.shown(age)) > size:
                raise ValueError(f"the display of Age {age} holds {size} cards")
            full = len(self.shown(age)) == size or not self.decks[age]
            if not full and self.phase in ("reveal", "over"):
                raise ValueError(f"the display of Age {age} is not full")
        if any(tables.cards[card].age == 0 for card in self.display):
            raise ValueError("a starting card is on display")
        for seat in range(self.game.players):
            if self.own_cards(seat) & self.game.starting != Counter(
                {c: n for c, n in self.own_cards(seat).items() if tables.cards[c].age == 0}
            ):
                raise ValueError(f"seat {seat} has more starting cards than it was given")
            recruiting = {("guest_card", seat), ("replace", seat), ("buy", seat)}
            waiting = any((step.name, step.seat) in recruiting for step in self.agenda)
            if self.to_replace(seat) < 0 or (self.to_replace(seat) and not waiting):
                raise ValueError(f"seat {seat} has {self.game.starting.total()} cards")
        if self.gold < 0 or (self.gold and self.phase != "recruit"):
            raise ValueError("gold is spent in the Recruit phase")

    def _check_tokens(self) -> None:
        for age, every in self.game.development.items():
            taken = [own.development[age] for own in self.seats if age in own.development]
            if sorted(self.development[age] + taken, reverse=True) != every:
                raise ValueError(f"the Development tokens of Age {age} are {every}")
        for pile, every in self.game.prefectures.items():
            tokens = [token for own in self.seats for token in own.prefecture_tokens]
            taken = [vp for number, vp in tokens if number == pile]
            if sorted(self.prefectures[pile] + taken, reverse=True) != every:
                raise ValueError(f"the Prefecture tokens of pile {pile} are {every}")
        reached = [seat for seat in range(self.game.players) if self._has_reached(seat)]
        if self.five_vp is None and reached:
            raise ValueError("somebody has reached the 5-VP token and not taken it")
        if self.five_vp is not None and self.five_vp not in reached:
            raise ValueError("the 5-VP token is with somebody who has reached it")

    def _has_reached(self, seat: int) -> bool:
        return self.seats[seat].score >= self.game.rules.end_vp

    def _check_round(self, seat: int) -> None:
        own = self.seats[seat]
        shown = own.revealed.total()
        if shown > own.revealed_count or own.revealed_count > self.game.starting.total():
            raise ValueError(f"seat {seat} has fewer cards revealed than it shows")
        if own.choice not in ("", "action", "recruit") or (own.choice and not own.busted):
            raise ValueError(f"seat {seat} chooses a phase only after a bust")
        if own.pilgrim not in range(4):
            raise ValueError(f"a Pilgrim of seat {seat} takes off 1 to 3 yokai")
        if self.phase == "reveal" and own.busted != (
            self.total_yokai(seat) >= self.game.rules.mischief
        ):
            raise ValueError(f"seat {seat} is busted exactly with too many yokai")

    def _check_goods(self, seat: int) -> None:
        own = self.seats[seat]
        goods = {"silver": MAX_SILVER, "pilgrims": MAX_PILGRIMS, "score": MAX_SCORE}
        if any(not 0 <= getattr(own, name) <= most for name, most in goods.items()):
            raise ValueError(f"seat {seat} has an amount out of range")
        ends = self.game.rules.track_ends
        if any(not 0 <= own.tracks[track] <= ends[track] for track in TRACKS):
            raise ValueError(f"a track of seat {seat} is out of range")
        if not 1 <= own.age <= max(self.game.rules.age_costs):
            raise ValueError(f"seat {seat} is in Age {own.age}")
        ages = set(range(2, own.age + 1))
        left = {age for age in ages if self.development[age]}  # SG23: without one it gets none
        if not left <= set(own.development) <= ages:
            raise ValueError(f"seat {seat} has one Development token for each Age reached")

    def _check_map(self, seat: int) -> None:
        own = self.seats[seat]
        cells = self.board_of(seat).cells
        if not own.covered <= {cell for cell in CELLS if cells[cell].terrain != "lake"}:
            raise ValueError(f"a tile of seat {seat} is not on land")
        if self.cell_of(seat, "start") not in own.covered:
            raise ValueError(f"the start cell of seat {seat} is covered")
        if not set(own.tokens) <= own.covered or not own.marks <= set(own.tokens):
            raise ValueError(f"a token of seat {seat} has nothing below it")
        if any(self.reserve(seat, kind) < 0 for kind in COMMUNITIES):
            raise ValueError(f"seat {seat} has more Communities than in its rows")
        if len(own.marks) > MAX_PREFECTURES or len(own.prefecture_tokens) > len(own.marks):
            raise ValueError(f"seat {seat} has at most three Prefectures with a token each")
        for cell in own.tokens:
            group = self.group(own.tokens, cell)
            stars = sum(STARS[own.tokens[each]] for each in group)
            enough = stars >= self.game.rules.prefecture_stars
            if group & own.marks and not enough:
                raise ValueError(f"a Prefecture of seat {seat} has too few stars")
            if enough and not group & own.marks and len(own.marks) < MAX_PREFECTURES:
                raise ValueError(f"a group of seat {seat} should be a Prefecture")

    def _check_supply(self) -> None:
        """SG1"""
        terrains = Counter(
            self.board_of(seat).cells[cell].terrain
            for seat, own in enumerate(self.seats)
            if own.board is not None
            for cell in own.covered
        )
        if not tiles_suffice(*(terrains[terrain] for terrain in COMPASSES)):
            raise ValueError("there are not enough Terrain tiles")


Worlds = dict[Hashable, tuple[State, Fraction]]
"""Position -> a world with its probability."""


def _add(worlds: Worlds, world: State, weight: Fraction) -> None:
    key = world.key()
    same, so_far = worlds.get(key, (world, Fraction(0)))
    worlds[key] = (same, so_far + weight)


def _replayed(worlds: Worlds, texts: Sequence[str]) -> Worlds:
    """The worlds after these texts, without those in which one of them is not possible."""
    for text in texts:
        followed: Worlds = {}
        for world, weight in worlds.values():
            if text in world.possible():
                world.apply(text)
                _add(followed, world, weight)
        worlds = followed
    return worlds


def _all_courses(worlds: Worlds, seat: int) -> Worlds:
    """The worlds after the turn of a seat that chooses among its moves with equal probability."""
    ended: Worlds = {}
    while worlds:
        followed: Worlds = {}
        for world, weight in worlds.values():
            if world.turn() != seat:
                _add(ended, world, weight)
                continue
            moves = world.legal()
            for text, odds in world.chance() or [(m, Fraction(1, len(moves))) for m in moves]:
                after = world.clone()
                after.apply(text)
                _add(followed, after, weight * odds)
            if len(followed) + len(ended) > MAX_WORLDS:
                raise ValueError(f"more than {MAX_WORLDS} worlds are too many to list")
        worlds = followed
    return ended

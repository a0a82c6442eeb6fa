"""Reference rules of Shogun, 3 to 5 players: slow, plain, and free of any engine code.

Nothing here is clever on purpose. A position is a handful of lists, sets and dicts; whatever can be
derived is derived afresh each time; probabilities are exact fractions. Decision ids (SU1 .. SU57)
are those of docs/games/shogun.md.

    game = Shogun(4, board="moon")
    state = game.new()
    while state.actor() is not None:
        state.apply(state.possible()[0])
    print(state.scores(), state.ranks())

The course of the game is an agenda: the steps still to come in the present phase, next one first.
An action or a battle puts its own steps in front of the rest. A step `x` is

    a chance event  if there is `_odds_x`, which gives each outcome and its probability,
    a decision      if there is `_may_x`, which gives the texts of the moves,
    automatic       otherwise;

`_do_x` carries it out. A decision with one move and a chance event with one outcome are plies like
any other (SU2).

Colors are p0, p1, ... for the seats and f for the farmers. Canonical orders: moves in the order in
which the documents list them for that decision point, provinces, actions, specials and events in
the order of their tables, numbers ascending; outcomes likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import NamedTuple

from .shogun_tables import BOARDS, BUILDINGS, DEFAULT, FARMERS, REGIONS, Tables, Tower

CHANCE = "chance"
YEARS = 2
SEASONS = ("spring", "summer", "fall")
EVENTS_OF_A_YEAR = 4
OPEN_FIELDS = 5
FIELDS = 10
CHEST_CARDS = 5
HIGHEST_BID = 4
MAX_RICE = 18
MAX_MARKERS = 3
MAX_WORLDS = 20_000

BID = "bid"
BLANK, EMPTY, VOID, HIDDEN = "blank", "empty", "void", "?"

PHASES = (
    "draft",
    "seed",
    "faces",
    "fields",
    "specials",
    "plan",
    "event",
    "bids",
    "actions",
    "winter",
    "over",
)

PRIVATE = frozenset({"plan", "bid"})
"""The steps of which the other seats see only that they happen (SU14)."""

Cubes = dict[str, int]
"""Color -> how many."""

Holding = tuple[int, int] | tuple[int, int, str] | tuple[int, int, str, int]
"""Seat, armies, buildings separated by spaces, markers."""

Plan = dict[str, str]
"""Planning space -> province, `blank`, `empty` or `void`; `bid` -> also the value of a chest
card. Spaces come in canonical order, the bid last."""


class Step(NamedTuple):
    """Something still to happen. What the last two parts mean depends on the step."""

    name: str
    seat: int | None = None
    ids: tuple[str, ...] = ()
    number: int = 0


class Shogun:
    """The game for a number of players, its options and a set of component tables."""

    def __init__(
        self,
        players: int,
        board: str = "sun",
        setup: str = "draft",
        tower: str = "blend",
        tables: Tables = DEFAULT,
    ) -> None:
        if not 3 <= players <= 5:
            raise ValueError(f"Shogun is for 3 to 5 players, not {players}")
        if board not in BOARDS:
            raise ValueError(f"there is no board {board!r}, only {BOARDS}")
        if setup not in ("draft", "lineup"):
            raise ValueError(f"there is no setup {setup!r}, only draft and lineup")
        if (board, setup) == ("moon", "lineup"):  # SU3
            raise ValueError("line-ups are known for the sun side only")
        if tower not in tables.towers:
            raise ValueError(f"there is no tower {tower!r}, only {list(tables.towers)}")
        self.players = players
        self.board = board
        self.lineup = setup == "lineup"
        self.tower = tables.towers[tower]
        self.tables = tables
        self.start = tables.starts[players]
        self.colors = [*(f"p{seat}" for seat in range(players)), FARMERS]
        self.actions = list(tables.prices)
        self.spaces = [*self.actions, BID]
        self.provinces = [  # SU6
            name for name, row in tables.provinces.items() if players > 3 or board not in row.out
        ]
        self.neighbors = {name: self._neighbors(name) for name in self.provinces}

    def _neighbors(self, province: str) -> list[str]:
        """By land and, just the same, by sea (SU52); only provinces in play (SU6)."""
        near = set(self.tables.land[province].split())
        for route in self.tables.sea[self.board]:
            if province in route:
                near |= set(route) - {province}
        return [other for other in self.provinces if other in near]

    def region(self, province: str) -> str:
        """The region of a province on the side in use."""
        return self.tables.provinces[province].region(self.board)

    def left_neighbor(self, seat: int) -> int:
        """SU1"""
        return (seat + 1) % self.players

    def sort(self, provinces: Iterable[str]) -> list[str]:
        """Provinces in the order of their table."""
        chosen = set(provinces)
        return [province for province in self.provinces if province in chosen]

    def new(self) -> State:
        """A fresh game: the draft, or with a line-up the tower to be filled."""
        if not self.lineup:
            return self.setup(phase="draft")
        rows = self.tables.lineups[self.players]
        placed = {
            province: (seat, armies)
            for seat, row in enumerate(rows)
            for province, armies in zip(row.split(), self.start.groups, strict=True)
        }
        return self.setup(phase="seed", provinces=placed)

    def setup(
        self,
        *,
        phase: str,
        year: int = 1,
        season: str = "spring",
        done: int = 0,
        effect: Iterable[Step] = (),
        provinces: Mapping[str, Holding] | None = None,
        tower: Mapping[str, int] | None = None,
        tray: Mapping[str, int] | None = None,
        thrown: Mapping[str, int] | None = None,
        chests: Sequence[int] | None = None,
        rice: Sequence[int] | None = None,
        vp: Sequence[int] | None = None,
        opened: Iterable[str] | None = None,
        event: str | None = None,
        unopened: Iterable[str] | None = None,
        fields: Iterable[str] | None = None,
        field: int = 1,
        specials: Mapping[str, int] | None = None,
        slots: Iterable[str] | None = None,
        order: Sequence[int] | None = None,
        plans: Sequence[Mapping[str, str]] | None = None,
        changed: Iterable[str] = (),
        drawn: Iterable[str] = (),
        open_pair: Sequence[str | None] | None = None,
        under: Sequence[str] = (),
        pile: Iterable[str] | None = None,
        stale: int = 0,
        groups: Sequence[Sequence[int]] | None = None,
    ) -> State:
        """Any position by hand.

        The agenda is `effect`, then what is left of the phase after its first `done` steps; in the
        phase `plan` that number follows from `plans`, in `actions` from `field`, the first field
        that is still to be executed.

        The provinces left out of `provinces` are neutral. `fields` are the action cards that lie
        open. `specials` are the specials taken and by whom, in the order of their slots, `slots`
        the specials laid out where none is taken yet; `order` is the turn order of the past fall,
        in winter (by seats if left out). `plans` has a row for each seat. `changed` are the
        provinces that changed hands this round, `drawn` those drawn for revolts in winter.
        `open_pair`, `under`, `pile`, `stale` and `groups` (those still to be placed) belong to the
        draft.

        What is left out is empty, except: chests are those of the start; face-up, current,
        unopened, laid out and taken cards are as many as belong there, first of the table first;
        planners without a special take those left in seat order; once all have planned, a plan is
        filled up with blanks, then empties, then provinces not yet used; in the draft the pile
        holds all cards not named elsewhere. ValueError when the parts do not fit.
        """
        n = self.players
        state = State(
            game=self,
            phase=phase,
            year=year,
            season=season,
            agenda=[],
            owner=dict.fromkeys(self.provinces),
            armies=dict.fromkeys(self.provinces, 0),
            buildings={province: set() for province in self.provinces},
            markers=dict.fromkeys(self.provinces, 0),
            tower=self.cubes(tower),
            tray=self.cubes(tray),
            thrown=self.cubes(thrown),
            supply={},
            chests=list(chests if chests is not None else [self.start.chests] * n),
            rice=list(rice or [0] * n),
            vp=list(vp or [0] * n),
            unopened=set(),
            opened=set(),
            event=event,
            fields=[],
            field=0,
            slots=[],
            takers=[],
            order=list(order or []),
            changed=set(changed),
            drawn=set(drawn),
            plans=[dict(plan) for plan in (plans or [{}] * n)],
            groups=[[] for _ in range(n)],
            open_pair=list(open_pair or [None, None]),
            under=list(under),
            pile=set(),
            stale=stale,
        )
        for province, holding in (provinces or {}).items():
            if province not in self.provinces:
                raise ValueError(f"there is no province {province!r} in play")
            state.owner[province] = holding[0]
            state.armies[province] = holding[1]
            state.buildings[province] = set(holding[2].split()) if len(holding) > 2 else set()
            state.markers[province] = holding[3] if len(holding) > 3 else 0
        state.supply = {c: self.pieces(c) - state.cubes_in_use(c) for c in self.colors}
        if phase == "plan":
            done = sum(len(plan) for plan in state.plans)
        if phase == "actions":
            done = field - 1 + min(field - 1, OPEN_FIELDS)
        if phase == "winter" and order is None:
            state.order = [seat for seat in range(n) if state.owned(seat)]
        if phase == "draft":
            state.groups = [list(row) for row in (groups or [self.start.groups] * n)]
            held = {*state.open_pair, *under, *state.owned(), *(i for s in effect for i in s.ids)}
            state.pile = set(pile) if pile is not None else set(self.provinces) - held
        if state.is_between("event", "actions"):
            state.plans = [self._full_plan(state, seat) for seat in range(n)]
        state.agenda = state.phase_agenda()[done:]
        self._lay_out(state, opened, unopened, fields, specials, slots)
        state.agenda[:0] = effect
        if phase == "actions":
            state.field = field - 1
        state.settle()
        state.check()
        return state

    def pieces(self, color: str) -> int:
        """How many cubes of a color there are."""
        return self.tables.supply["farmers" if color == FARMERS else "armies"]

    def cubes(self, counts: Mapping[str, int] | None = None) -> Cubes:
        """Cubes of all colors, none of those left out."""
        if not set(counts or {}) <= set(self.colors):
            raise ValueError(f"the colors are {self.colors}, not {list(counts or {})}")
        return dict.fromkeys(self.colors, 0) | dict(counts or {})

    def _full_plan(self, state: State, seat: int) -> Plan:
        """A plan with all its spaces: what is left open gets what does least."""
        plan, own = state.plans[seat], state.owned(seat)
        if not own and not plan:  # SU50
            return {}
        unused = [p for p in own if p not in plan.values() and p not in state.changed]
        blanks = CHEST_CARDS - _chest_cards(plan)
        empties = max(0, len(self.spaces) - CHEST_CARDS - len(own))
        empties -= list(plan.values()).count(EMPTY)
        contents = iter([*[BLANK] * blanks, *[EMPTY] * empties, *unused, *[EMPTY] * FIELDS])
        full = {space: plan.get(space) or next(contents) for space in self.spaces}
        if full[BID] == BLANK:
            full[BID] = "0"
        return full

    def _lay_out(
        self,
        state: State,
        opened: Iterable[str] | None,
        unopened: Iterable[str] | None,
        fields: Iterable[str] | None,
        specials: Mapping[str, int] | None,
        slots: Iterable[str] | None,
    ) -> None:
        """Event, action and special cards, those named and as many more as belong there."""

        def first(number: int, rest: Iterable[str], cards: Iterable[str] | None) -> list[str]:
            return list(rest)[: max(0, number)] if cards is None else list(cards)

        named = {*(opened or ()), *(unopened or ())}
        free = [event for event in self.tables.events if event not in named]
        if state.event is None and state.is_between("bids", "actions"):
            state.event = free[0]
        free = [event for event in free if event != state.event]
        state.unopened = set(first(state.unopened_due(), reversed(free), unopened))
        free = [event for event in free if event not in state.unopened]
        state.opened = set(first(state.opened_due(), free, opened))
        state.fields = first(state.fields_due(), self.actions, fields)
        if slots is None and specials:
            slots = [*specials, *(each for each in self.tables.specials if each not in specials)]
        state.slots = first(state.slots_due(), self.tables.specials, slots)
        state.takers = [(specials or {}).get(special) for special in state.slots]
        if state.phase == "actions":
            for seat in state.planners():
                if seat not in state.takers:
                    state.takers[state.takers.index(None)] = seat
            state.order = [seat for seat in state.takers if seat is not None]


# -- cube tower and battles ------------------------------------------------------------------------


@cache
def cubes_out(thrown: int, stuck: int, p: Fraction, q: Fraction) -> tuple[Fraction, ...]:
    """SU11: the probability of each number of cubes of one color that come out, 0, 1, ...

    `thrown` cubes come out with probability p each, `stuck` ones with q.
    """
    odds = [Fraction(0)] * (thrown + stuck + 1)
    for new, old in product(range(thrown + 1), range(stuck + 1)):
        odds[new + old] += _binomial(thrown, new, p) * _binomial(stuck, old, q)
    return tuple(odds)


@cache
def _binomial(n: int, k: int, p: Fraction) -> Fraction:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def throw_odds(
    model: Tower, new: Mapping[str, int], tower: Mapping[str, int], tray: Mapping[str, int]
) -> dict[str, tuple[Fraction, ...]]:
    """For each color the probability of each number of its cubes in the tray after a throw.

    `new` are the cubes thrown besides those of the tray. Given these colors are independent.
    """
    thrown = {c: new.get(c, 0) + tray.get(c, 0) for c in {**new, **tower, **tray}}
    q = model.q(sum(thrown.values()))
    return {c: cubes_out(m, tower.get(c, 0), model.p_new, q) for c, m in thrown.items()}


def after_attack_on_neutral(attackers: int, farmers: int) -> tuple[str, int]:
    """Who owns the province and with how many armies (SU34)."""
    return ("attacker", attackers - farmers) if attackers > farmers else ("nobody", 0)


def after_battle(attackers: int, defenders: int, farmers: int) -> tuple[str, int]:
    """The same after an attack on a player with the help of some farmers (SU33, SU34, SU35)."""
    if attackers > defenders + farmers:
        return "attacker", attackers - defenders - farmers
    if attackers == defenders + farmers or defenders == 0:
        return "nobody", 0
    return "defender", defenders - max(0, attackers - farmers)


def after_revolt(armies: int, farmers: int) -> tuple[str, int]:
    """The same after a revolt: a tie loses the province."""
    return ("defender", armies - farmers) if armies > farmers else ("nobody", 0)


@dataclass(frozen=True)
class Odds:
    """How a battle ends: each field is a probability.

    `win`, `tie` and `loss` are those of the attacker, in a revolt those of the owner. An attack on
    a neutral province or a revolt is a tie when both sides have the same number of cubes; between
    players a tie is what devastates the province.
    """

    win: Fraction
    tie: Fraction
    loss: Fraction
    armies: dict[tuple[str, int], Fraction]
    """(`attacker`, `defender` or `nobody`, armies in the province afterwards), if possible."""


def neutral_odds(
    model: Tower,
    attacker: str,
    cubes: int,
    farmers: int = 1,
    tower: Mapping[str, int] | None = None,
    tray: Mapping[str, int] | None = None,
) -> Odds:
    """An attack on a neutral province; `cubes` and `farmers` with everything added to them."""
    outs = throw_odds(model, {attacker: cubes, FARMERS: farmers}, tower or {}, tray or {})
    return _odds(
        [outs[attacker], outs[FARMERS]],
        after_attack_on_neutral,
        lambda attackers, farmers: attackers - farmers,
    )


def battle_odds(
    model: Tower,
    attacker: str,
    cubes: int,
    defender: str,
    defending: int,
    tower: Mapping[str, int] | None = None,
    tray: Mapping[str, int] | None = None,
    markers: bool = False,
) -> Odds:
    """An attack on a province of a player, with or without markers; cubes with all additions."""
    new = {attacker: cubes, defender: defending, FARMERS: 0}
    outs = throw_odds(model, new, tower or {}, tray or {})
    farmers = (Fraction(1),) if markers else outs[FARMERS]
    sign = {"attacker": 1, "nobody": 0, "defender": -1}
    return _odds(
        [outs[attacker], outs[defender], farmers],
        after_battle,
        lambda *counts: sign[after_battle(*counts)[0]],
    )


def revolt_odds(
    model: Tower,
    owner: str,
    armies: int,
    farmers: int,
    tower: Mapping[str, int] | None = None,
    tray: Mapping[str, int] | None = None,
) -> Odds:
    """A revolt with as many farmers as are thrown; `win` is the owner's."""
    outs = throw_odds(model, {owner: armies, FARMERS: farmers}, tower or {}, tray or {})
    return _odds(
        [outs[owner], outs[FARMERS]], after_revolt, lambda armies, farmers: armies - farmers
    )


def _odds(
    outs: Sequence[Sequence[Fraction]],
    after: Callable[..., tuple[str, int]],
    lead: Callable[..., int],
) -> Odds:
    """Add up all combinations of cubes that come out, color by color."""
    signs = {1: Fraction(0), 0: Fraction(0), -1: Fraction(0)}
    armies: dict[tuple[str, int], Fraction] = {}
    for counts in product(*(range(len(out)) for out in outs)):
        probability = Fraction(1)
        for out, count in zip(outs, counts, strict=True):
            probability *= out[count]
        ahead = lead(*counts)
        signs[(ahead > 0) - (ahead < 0)] += probability
        result = after(*counts)
        armies[result] = armies.get(result, Fraction(0)) + probability
    return Odds(signs[1], signs[0], signs[-1], dict(sorted(armies.items())))


def ranking(standings: Sequence[tuple[int, ...]]) -> list[int]:
    """SU54: 1 for the best; equal standings share a rank, and the next ranks are left free."""
    return [1 + sum(other > own for other in standings) for own in standings]


def _chest_cards(plan: Mapping[str, str]) -> int:
    """SU16: the chest cards of which somebody who sees this plan knows that they are in it."""
    return list(plan.values()).count(BLANK) + plan.get(BID, "").isdigit()


@dataclass
class State:
    """One complete position. Build it with `Shogun.new` or `Shogun.setup`."""

    game: Shogun = field(repr=False, compare=False)
    phase: str
    year: int
    """1 or 2; 2 at the end."""
    season: str
    """spring, summer or fall; fall in winter and at the end, spring before the first round."""
    agenda: list[Step]
    owner: dict[str, int | None]
    """Province in play -> seat, None if neutral."""
    armies: dict[str, int]
    """0 in a neutral province, and in one whose armies are in a running throw."""
    buildings: dict[str, set[str]]
    markers: dict[str, int]
    tower: Cubes
    """Cubes stuck in the tower."""
    tray: Cubes
    thrown: Cubes
    """In a running throw: the cubes thrown, those of the tray among them, of the colors of which
    it is not yet known how many come out."""
    supply: Cubes
    chests: list[int]
    rice: list[int]
    vp: list[int]
    unopened: set[str]
    """Event cards not opened so far (SU13)."""
    opened: set[str]
    """Event cards lying face up beside the board; the last one of a year is the winter card."""
    event: str | None
    """The event of the round."""
    fields: list[str]
    """The actions that lie open below fields 1, 2, ..."""
    field: int
    """The field in execution or executed last, 0 before the first."""
    slots: list[str]
    """The special laid on slot 1, 2, ..."""
    takers: list[int | None]
    """Who has taken the special of each slot."""
    order: list[int]
    """Turn order of the round; in winter that of fall; empty while there is none."""
    changed: set[str]
    """The provinces whose owner has changed since the plans were made."""
    drawn: set[str]
    """Provinces drawn for a winter revolt that has not broken out yet."""
    plans: list[Plan]
    groups: list[list[int]]
    """Army groups still to be placed in the draft."""
    open_pair: list[str | None]
    """The two open cards of the draft, slot 1 and slot 2."""
    under: list[str]
    """SU7: the cards put under the draft pile, in the order in which they come up."""
    pile: set[str]
    """The cards of the draft pile of which nobody knows the order."""
    stale: int
    """SU7: blind draws since the open pair last changed."""

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
        return CHANCE if self._is_chance(self.agenda[0]) else self.agenda[0].seat

    def legal(self) -> list[str]:
        """The texts of the moves in canonical order; empty at a chance event and at the end."""
        if not self.agenda or self._is_chance(self.agenda[0]):
            return []
        moves: list[str] = getattr(self, f"_may_{self.agenda[0].name}")(self.agenda[0])
        return moves

    def chance(self) -> list[tuple[str, Fraction]]:
        """The outcomes of the chance event and their probabilities, in table order; else empty."""
        if not self.agenda or not self._is_chance(self.agenda[0]):
            return []
        step = self.agenda[0]
        odds: dict[str, Fraction] = getattr(self, f"_odds_{step.name}")(step)
        return [(f"{_prefix(step)}:{what}", p) for what, p in odds.items() if p > 0]

    def possible(self) -> list[str]:
        """Every text that `apply` takes here."""
        return self.legal() + [text for text, _ in self.chance()]

    def _is_chance(self, step: Step) -> bool:
        return hasattr(self, f"_odds_{step.name}")

    # -- the course of the game ------------------------------------------------------------------

    def apply(self, text: str) -> None:
        """Make a move or let a chance event happen. ValueError when it is not possible here."""
        self._expect(text)
        step = self.agenda.pop(0)
        parts = text.split(":")
        getattr(self, f"_do_{step.name}")(step, *(parts[-1:] if self._is_chance(step) else parts))
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
            else:
                return

    def _is_automatic(self, step: Step) -> bool:
        return not self._is_chance(step) and not hasattr(self, f"_may_{step.name}")

    def _first(self, *steps: Step) -> None:
        """Put steps in front of all others."""
        self.agenda[:0] = steps

    def _next_phase(self) -> None:
        if self.phase == "actions" and self.season != SEASONS[-1]:
            self.season = SEASONS[SEASONS.index(self.season) + 1]
            self.phase = "fields"
        elif self.phase == "winter" and self.year < YEARS:
            self.year += 1
            self.season = SEASONS[0]
            self.phase = "faces"
        else:  # SU55: only the second winter ends the game
            self.phase = PHASES[PHASES.index(self.phase) + 1]
        self.agenda = self.phase_agenda()

    def phase_agenda(self) -> list[Step]:
        """The steps of the present phase, from its start."""
        seats = range(self.game.players)
        if self.phase == "draft":
            turns = [Step("turn", seat) for _ in self.game.start.groups for seat in seats]  # SU1
            return [Step("open", number=1), Step("open", number=2), *turns, Step("end_draft")]
        if self.phase == "seed":
            return [Step("seed")]
        if self.phase == "faces":
            return [Step("face")] * EVENTS_OF_A_YEAR
        if self.phase == "fields":
            return [Step("field", number=f) for f in range(1, OPEN_FIELDS + 1)]
        if self.phase == "specials":
            return [Step("special", number=i + 1) for i, _ in enumerate(self.game.tables.specials)]
        if self.phase == "plan":  # SU14, SU50
            return [
                Step("bid", seat) if space == BID else Step("plan", seat, (space,))
                for seat in seats
                if self.owned(seat)
                for space in self.game.spaces
            ]
        if self.phase == "event":
            return [Step("event")]
        if self.phase == "bids":
            return [Step("pay"), Step("serve")]
        if self.phase == "actions":
            return [*self._all_fields(), Step("clean_up")]
        if self.phase == "winter":  # SU46
            victims = [Step("victim", seat) for seat in self.order]
            return [Step("lose_rice"), *victims, Step("score")]
        return []

    def _all_fields(self) -> Iterator[Step]:
        for number in range(1, FIELDS + 1):
            yield Step("execute", number=number)
            if number <= FIELDS - OPEN_FIELDS:  # SU51
                yield Step("field", number=number + OPEN_FIELDS)

    def is_between(self, first: str, last: str) -> bool:
        """Whether the phase is one of these or lies between them."""
        return PHASES.index(first) <= PHASES.index(self.phase) <= PHASES.index(last)

    # -- what can be derived ---------------------------------------------------------------------

    def owned(self, seat: int | None = None) -> list[str]:
        """The provinces of a seat, or of all seats."""
        return [
            province
            for province, owner in self.owner.items()
            if owner is not None and seat in (None, owner)
        ]

    def cubes_in_use(self, color: str) -> int:
        """The cubes of a color on the board, in the tower, in the tray and in the air."""
        board = 0 if color == FARMERS else sum(self.armies[p] for p in self.owned(int(color[1:])))
        return board + self.tower[color] + self.tray[color] + self.thrown[color]

    def building_supply(self, building: str) -> int:
        """SU38"""
        built = sum(building in there for there in self.buildings.values())
        return self.game.tables.supply[building] - built

    def holds(self, seat: int, special: str) -> bool:
        """Whether a seat has taken a special this round (SU45)."""
        return (special, seat) in zip(self.slots, self.takers, strict=True)

    def planners(self) -> list[int]:
        """The seats that have planned this round (SU50)."""
        return [seat for seat, plan in enumerate(self.plans) if plan]

    # -- draft (SU7 to SU10) ---------------------------------------------------------------------

    def _odds_open(self, step: Step) -> dict[str, Fraction]:
        return self._top_of_pile()

    def _top_of_pile(self) -> dict[str, Fraction]:
        return _uniform(self.game.sort(self.pile) or self.under[:1])

    def _take_from_pile(self, province: str) -> None:
        if province in self.pile:
            self.pile.remove(province)
        else:
            self.under.remove(province)

    def _do_open(self, step: Step, province: str) -> None:
        self._take_from_pile(province)
        self.open_pair[step.number - 1] = province

    def _do_turn(self, step: Step) -> None:
        """SU7: a player who would face the pair of his last turn gets another one."""
        self._first(Step("card", step.seat))
        if self.stale == self.game.players:
            self.under += [province for province in self.open_pair if province is not None]
            self.open_pair = [None, None]
            self.stale = 0
            self._first(Step("open", number=1), Step("open", number=2))

    def _may_card(self, step: Step) -> list[str]:
        pair = self.game.sort(province for province in self.open_pair if province is not None)
        return [*(f"claim:{province}" for province in pair), "blind"]

    def _do_card(self, step: Step, verb: str, province: str = "") -> None:
        if verb == "blind":
            self.stale += 1
            self._first(Step("draw", step.seat))
            return
        slot = self.open_pair.index(province)
        self.open_pair[slot] = None
        self.stale = 0
        self._first(Step("group", step.seat, (province,)), Step("refill", number=slot + 1))

    def _odds_draw(self, step: Step) -> dict[str, Fraction]:
        return self._top_of_pile()

    def _do_draw(self, step: Step, province: str) -> None:
        self._take_from_pile(province)
        self._first(Step("group", step.seat, (province,)))  # SU8

    def _may_group(self, step: Step) -> list[str]:
        return [f"group:{size}" for size in sorted(set(self.groups[_seat(step)]))]  # SU10

    def _do_group(self, step: Step, verb: str, size: str) -> None:
        seat, (province,) = _seat(step), step.ids
        self.groups[seat].remove(int(size))
        self.owner[province] = seat
        self.armies[province] = self._take(f"p{seat}", int(size))

    def _do_refill(self, step: Step) -> None:
        """SU9: after the group was placed, but not when nobody is to draft any more."""
        if any(self.groups):
            self._first(Step("open", number=step.number))

    def _do_end_draft(self, step: Step) -> None:
        """Cards that nobody took are those of the neutral provinces."""
        self.open_pair = [None, None]
        self.under, self.pile, self.stale = [], set(), 0

    # -- cube tower ------------------------------------------------------------------------------

    def _throw(self, new: Mapping[str, int], then: Step) -> None:
        """Throw cubes, with all that lie in the tray, color by color; `then` sees the tray."""
        self.thrown = {c: new.get(c, 0) + self.tray[c] for c in self.game.colors}
        self.tray = self.game.cubes()
        total = sum(self.thrown.values())
        moving = [c for c in self.game.colors if self.thrown[c] + self.tower[c] > 0]
        self._first(*(Step("tower", None, (c,), total) for c in moving), then)

    def _odds_tower(self, step: Step) -> dict[str, Fraction]:
        (color,) = step.ids
        model = self.game.tower
        p = model.p_seed if self.phase == "seed" else model.p_new
        outs = cubes_out(self.thrown[color], self.tower[color], p, model.q(step.number))
        return {str(out): probability for out, probability in enumerate(outs)}

    def _do_tower(self, step: Step, out: str) -> None:
        (color,) = step.ids
        self.tower[color] += self.thrown[color] - int(out)
        self.thrown[color] = 0
        self.tray[color] = int(out)

    def _take(self, color: str, cubes: int) -> int:
        """Take cubes out of the supply."""
        self.supply[color] -= cubes
        return cubes

    def _to_supply(self, *colors: str) -> None:
        """The cubes of some colors leave the tray."""
        for color in colors:
            self.supply[color] += self.tray[color]
            self.tray[color] = 0

    def _to_province(self, color: str, armies: int, province: str) -> None:
        """As many cubes of a color go from the tray to a province."""
        self.tray[color] -= armies
        self.armies[province] = armies

    def _do_seed(self, step: Step) -> None:  # SU12
        seeds = self.game.tables.seeds
        cubes = dict.fromkeys(self.game.colors, seeds["armies"]) | {FARMERS: seeds["farmers"]}
        self._throw({c: self._take(c, k) for c, k in cubes.items()}, Step("seeded"))

    def _do_seeded(self, step: Step) -> None:
        self._to_supply(*self.game.colors)

    # -- cards laid out --------------------------------------------------------------------------

    def _odds_face(self, step: Step) -> dict[str, Fraction]:  # SU13
        return _uniform(e for e in self.game.tables.events if e in self.unopened)

    def _do_face(self, step: Step, event: str) -> None:
        self.unopened.remove(event)
        self.opened.add(event)

    def _odds_field(self, step: Step) -> dict[str, Fraction]:
        return _uniform(action for action in self.game.actions if action not in self.fields)

    def _do_field(self, step: Step, action: str) -> None:
        self.fields.append(action)

    def _odds_special(self, step: Step) -> dict[str, Fraction]:
        return _uniform(each for each in self.game.tables.specials if each not in self.slots)

    def _do_special(self, step: Step, special: str) -> None:
        self.slots.append(special)
        self.takers.append(None)

    def _odds_event(self, step: Step) -> dict[str, Fraction]:
        return _uniform(event for event in self.game.tables.events if event in self.opened)

    def _do_event(self, step: Step, event: str) -> None:
        self.opened.remove(event)
        self.event = event

    # -- plans and bids (SU14 to SU18) -----------------------------------------------------------

    def contents(self, seat: int, space: str, plan: Plan) -> list[str]:
        """SU15: what a seat may put on its next space, given what lies on those before it."""
        own = self.owned(seat)
        contents = [province for province in own if province not in plan.values()]
        blanks = _chest_cards(plan)
        if space == BID and blanks < CHEST_CARDS:  # SU16, SU17
            contents += [str(v) for v in range(HIGHEST_BID + 1) if v <= self.chests[seat]]
        if space != BID and blanks < CHEST_CARDS:
            contents.append(BLANK)
        if list(plan.values()).count(EMPTY) < len(self.game.spaces) - CHEST_CARDS - len(own):
            contents.append(EMPTY)
        return contents

    def _may_plan(self, step: Step) -> list[str]:
        seat, (space,) = _seat(step), step.ids
        return [f"plan:{space}:{what}" for what in self.contents(seat, space, self.plans[seat])]

    def _do_plan(self, step: Step, verb: str, space: str, what: str) -> None:
        self.plans[_seat(step)][space] = what

    def _may_bid(self, step: Step) -> list[str]:
        seat = _seat(step)
        return [f"bid:{what}" for what in self.contents(seat, BID, self.plans[seat])]

    def _do_bid(self, step: Step, verb: str, what: str) -> None:
        self.plans[_seat(step)][BID] = what

    def _do_pay(self, step: Step) -> None:
        """Everybody pays his own bid; a province and an empty space cost nothing (SU43)."""
        for seat in self.planners():
            bid = self.plans[seat][BID]
            self.chests[seat] -= int(bid) if bid.isdigit() else 0

    def _bid_rank(self, seat: int) -> Fraction:
        """SU43: a province card lies between 0 and 1, no card below 0."""
        bid = self.plans[seat][BID]
        if bid == EMPTY:
            return Fraction(-1)
        return Fraction(bid) if bid.isdigit() else Fraction(1, 2)

    def _do_serve(self, step: Step) -> None:
        """SU44: the highest bidder that has no special yet is next, by lot among equals."""
        waiting = [seat for seat in self.planners() if seat not in self.takers]
        if not waiting:
            self.order = [seat for seat in self.takers if seat is not None]  # SU45
            return
        highest = max(self._bid_rank(seat) for seat in waiting)
        tied = [seat for seat in waiting if self._bid_rank(seat) == highest]
        self._first(Step("serve"))
        if len(tied) > 1:
            self._first(Step("tie", None, tuple(f"p{seat}" for seat in tied)))
        else:
            self._first(Step("pick", tied[0]))

    def _odds_tie(self, step: Step) -> dict[str, Fraction]:
        return _uniform(step.ids)

    def _do_tie(self, step: Step, seat: str) -> None:
        self._first(Step("pick", int(seat[1:])))

    def _may_pick(self, step: Step) -> list[str]:  # SU45
        free = {s for s, taker in zip(self.slots, self.takers, strict=True) if taker is None}
        return [f"pick:{special}" for special in self.game.tables.specials if special in free]

    def _do_pick(self, step: Step, verb: str, special: str) -> None:
        self.takers[self.slots.index(special)] = _seat(step)

    # -- actions ---------------------------------------------------------------------------------

    def _do_execute(self, step: Step) -> None:
        """SU19: all show what they planned for the action, then each performs it in turn order."""
        self.field = step.number
        action = self.fields[self.field - 1]
        self._first(*(Step("perform", seat, (action,)) for seat in self.order))

    def is_shown(self, space: str) -> bool:
        """Whether everybody sees what was planned for a space (SU18, SU19)."""
        if space == BID:
            return PHASES.index(self.phase) > PHASES.index("event")
        return space in self.fields[: self.field]

    def _do_perform(self, step: Step) -> None:
        """SU20: an action that cannot be done completely is skipped, and nothing is paid."""
        seat, (action,) = _seat(step), step.ids
        province = self.plans[seat][action]
        if province in (BLANK, EMPTY, VOID):
            return
        if action in BUILDINGS:
            self._build(seat, action, province)
        elif action in ("rice", "tax"):
            self._collect(seat, action, province)
        elif action in self.game.tables.armies:
            self._deploy(seat, action, province)
        elif self.armies[province] >= 2 and self.targets(seat, province, own_only=False):
            self._first(Step("battle", seat, (province,)))

    def _build(self, seat: int, building: str, province: str) -> None:
        there = self.buildings[province]
        price = self.game.tables.prices[building]
        full = len(there) == self.game.tables.provinces[province].spaces
        if self.chests[seat] < price or building in there or full:
            return
        if self.building_supply(building) == 0:  # SU38
            return
        self.chests[seat] -= price
        there.add(building)
        if building == "theater" and self._is_event("theater"):  # SU29
            self.markers[province] = max(0, self.markers[province] - 1)

    def _is_event(self, kind: str) -> bool:
        """Whether the event of the round is this one or one of the two of this kind."""
        return self.event in (kind, f"{kind}_a", f"{kind}_b")

    def _collect(self, seat: int, action: str, province: str) -> None:
        row = self.game.tables.provinces[province]
        if action == "tax":  # SU30, SU31: the income comes first
            income = row.chests
            income = min(income, 5) if self.event == "tax_max5" else income
            income = max(income, 6) if self.event == "tax_min6" else income
            self.chests[seat] += income + self.holds(seat, "chest")  # SU40
        else:
            income = row.rice
            income = min(income, 3) if self.event == "rice_max3" else income
            income = max(income, 4) if self.event == "rice_min4" else income
            income += self.holds(seat, "rice")
            self.rice[seat] = min(MAX_RICE, self.rice[seat] + income)  # SU41
        if self.markers[province] > 0:
            self._revolt(province, self.markers[province], "after_collecting")
        else:
            self.markers[province] += 1

    def _deploy(self, seat: int, action: str, province: str) -> None:
        usual, levied = self.game.tables.armies[action]
        number = levied if self.event == "levy" else usual
        supply = self.supply[f"p{seat}"]
        price = self.game.tables.prices[action]
        if self.chests[seat] < price or supply < number:  # SU21
            return
        if action == "deploy5" and self.holds(seat, "six") and supply >= 6:  # SU24, SU25
            number = 6
        self.chests[seat] -= price
        self.armies[province] += self._take(f"p{seat}", number)
        if action == "deploy1" and self.targets(seat, province, own_only=True):  # SU23
            self._first(Step("march", seat, (province,)))

    # -- moves (SU22, SU53) ----------------------------------------------------------------------

    def targets(self, seat: int, origin: str, *, own_only: bool) -> list[str]:
        """The provinces into which armies of a seat may move from one of its provinces."""
        return [
            province
            for province in self.game.neighbors[origin]
            if self.owner[province] == seat or not (own_only or self._is_safe(province))
        ]

    def _is_safe(self, province: str) -> bool:
        """SU28"""
        return self._is_event("temple") and "temple" in self.buildings[province]

    def _moves(self, origin: str, targets: Iterable[str]) -> list[str]:
        most = self.armies[origin] - 1
        return ["stay", *(f"move:{t}:{k}" for t in targets for k in range(1, most + 1))]

    def _may_march(self, step: Step) -> list[str]:
        (origin,) = step.ids
        return self._moves(origin, self.targets(_seat(step), origin, own_only=True))

    def _may_battle(self, step: Step) -> list[str]:
        (origin,) = step.ids
        return self._moves(origin, self.targets(_seat(step), origin, own_only=False))

    def _do_march(self, step: Step, verb: str, target: str = "", armies: str = "0") -> None:
        if verb == "stay":
            return
        seat, (origin,), moved = _seat(step), step.ids, int(armies)
        owner = self.owner[target]
        self.armies[origin] -= moved
        if owner == seat:
            self.armies[target] += moved
            return
        bonus = min(self.holds(seat, "attack"), self.supply[f"p{seat}"])  # SU26
        cubes = moved + self._take(f"p{seat}", bonus)
        if owner is None:
            self._attack_neutral(seat, target, cubes)
        else:
            self._attack_player(seat, owner, target, cubes)

    _do_battle = _do_march

    # -- battles ---------------------------------------------------------------------------------

    def _attack_neutral(self, seat: int, province: str, cubes: int) -> None:
        farmers = self._farmers(2 if self.event == "farmers2" else 1)
        then = Step("after_attack_on_neutral", seat, (province,))
        self._throw({f"p{seat}": cubes, FARMERS: farmers}, then)

    def _do_after_attack_on_neutral(self, step: Step) -> None:
        seat, (province,) = _seat(step), step.ids
        winner, armies = after_attack_on_neutral(self.tray[f"p{seat}"], self.tray[FARMERS])
        if winner == "attacker":
            self._conquer(seat, province, armies)
        self._to_supply(f"p{seat}", FARMERS)  # SU36

    def _attack_player(self, seat: int, defender: int, province: str, cubes: int) -> None:
        color = f"p{defender}"
        fortified = self._is_event("castle") and "castle" in self.buildings[province]
        bonus = min(self.holds(defender, "defend") + fortified, self.supply[color])  # SU26
        defending = self.armies[province] + self._take(color, bonus)
        self.armies[province] = 0
        then = Step("after_battle", seat, (province,))
        self._throw({f"p{seat}": cubes, color: defending}, then)

    def _do_after_battle(self, step: Step) -> None:
        """SU56: whatever cubes of the two colors lie in the tray have fought."""
        seat, (province,) = _seat(step), step.ids
        attacker, defender = f"p{seat}", f"p{self.owner[province]}"
        peaceful = self.markers[province] == 0
        farmers = self.tray[FARMERS] if peaceful else 0  # SU33
        winner, armies = after_battle(self.tray[attacker], self.tray[defender], farmers)
        if winner == "attacker":
            self._conquer(seat, province, armies)
        elif winner == "defender":
            self._to_province(defender, armies, province)
        else:
            self._devastate(province)
        self._to_supply(attacker, defender)
        if peaceful:  # SU36
            self._to_supply(FARMERS)

    def _revolt(self, province: str, farmers: int, then: str) -> None:
        """SU27: nobody gets a bonus in a revolt."""
        seat, armies = self.owner[province], self.armies[province]
        self.armies[province] = 0
        cubes = {f"p{seat}": armies, FARMERS: self._farmers(farmers)}
        self._throw(cubes, Step(then, seat, (province,)))

    def _farmers(self, number: int) -> int:
        """SU32: as many farmers from the supply as there are."""
        return self._take(FARMERS, min(number, self.supply[FARMERS]))

    def _after_revolt(self, step: Step) -> bool:
        """Whether the province is kept."""
        color, (province,) = f"p{_seat(step)}", step.ids
        winner, armies = after_revolt(self.tray[color], self.tray[FARMERS])
        if winner == "defender":
            self._to_province(color, armies, province)
        else:
            self._devastate(province)
        self._to_supply(color, FARMERS)  # SU36
        return winner == "defender"

    def _do_after_collecting(self, step: Step) -> None:
        if self._after_revolt(step):  # SU31
            self.markers[step.ids[0]] += 1

    def _do_after_winter_revolt(self, step: Step) -> None:
        self._after_revolt(step)  # SU49

    def _conquer(self, seat: int, province: str, armies: int) -> None:
        """SU35: buildings and markers stay."""
        self._leave(province)
        self.owner[province] = seat
        self._to_province(f"p{seat}", armies, province)

    def _devastate(self, province: str) -> None:
        """SU34"""
        self._leave(province)
        self.owner[province] = None
        self.buildings[province] = set()
        self.markers[province] = 0

    def _leave(self, province: str) -> None:
        """SU37: the card leaves the old owner, also from a space that is still to be executed."""
        if self.phase != "actions":
            return
        self.changed.add(province)
        owner = self.owner[province]
        if owner is None:
            return
        for space, what in self.plans[owner].items():
            if what == province and self._is_to_come(owner, space):
                self.plans[owner][space] = VOID

    def _is_to_come(self, seat: int, space: str) -> bool:
        """Whether a space is the bid or an action that the seat has not begun to perform."""
        return (
            space == BID
            or not self.is_shown(space)
            or Step("perform", seat, (space,)) in self.agenda
        )

    # -- end of a round and winter ---------------------------------------------------------------

    def _do_clean_up(self, step: Step) -> None:
        self.slots, self.takers = [], []
        self.plans = [{} for _ in self.plans]
        self.changed = set()
        self.event = None
        self.fields, self.field = [], 0
        if self.season != SEASONS[-1]:  # SU46: winter goes by the turn order of fall
            self.order = []

    def _do_lose_rice(self, step: Step) -> None:
        (event,) = self.opened
        loss = self.game.tables.events[event]
        self.rice = [max(0, rice - loss) for rice in self.rice]

    def _do_victim(self, step: Step) -> None:
        seat = _seat(step)
        missing = max(0, len(self.owned(seat)) - self.rice[seat])
        table = self.game.tables.provisions
        revolts, farmers = table[min(missing, len(table) - 1)]
        self._first(
            *[Step("winter", seat)] * revolts,
            *[Step("break_out", self.game.left_neighbor(seat), number=farmers)] * revolts,
        )

    def _odds_winter(self, step: Step) -> dict[str, Fraction]:  # SU47
        return _uniform(p for p in self.owned(_seat(step)) if p not in self.drawn)

    def _do_winter(self, step: Step, province: str) -> None:
        self.drawn.add(province)

    def _may_break_out(self, step: Step) -> list[str]:  # SU47, SU48
        return [f"revolt:{province}" for province in self.game.sort(self.drawn)]

    def _do_break_out(self, step: Step, verb: str, province: str) -> None:
        self.drawn.remove(province)
        farmers = step.number + self.markers[province]  # SU49
        self._revolt(province, farmers, "after_winter_revolt")

    def _do_score(self, step: Step) -> None:
        """Score, and make the next year ready (the tower is left as it is)."""
        self.vp = [self.vp[seat] + self.score(seat) for seat in range(self.game.players)]  # SU42
        self.opened = set()
        self.order = []
        if self.year < YEARS:
            self.markers = dict.fromkeys(self.markers, 0)
            self.rice = [0] * self.game.players

    # -- scoring ---------------------------------------------------------------------------------

    def score(self, seat: int) -> int:
        """What a seat would score in a winter with the board as it is."""
        own = self.owned(seat)
        buildings = sum(len(self.buildings[province]) for province in own)
        majorities = sum(
            self.majority(seat, region, building) for region in REGIONS for building in BUILDINGS
        )
        return len(own) + buildings + majorities

    def majority(self, seat: int, region: str, building: str) -> int:
        """3, 2 or 1 for the most castles, temples or theaters of a region, 1 less if shared."""
        counts = [
            sum(
                building in self.buildings[province] and self.game.region(province) == region
                for province in self.owned(other)
            )
            for other in range(self.game.players)
        ]
        if counts[seat] < max(counts) or counts[seat] == 0:
            return 0
        points = {"castle": 3, "temple": 2, "theater": 1}[building]
        return points if counts.count(max(counts)) == 1 else points - 1

    def scores(self) -> list[int]:
        """The VP of each seat so far."""
        return list(self.vp)

    def ranks(self) -> list[int]:
        """SU54. ValueError before the end."""
        if self.phase != "over":
            raise ValueError("the game is not over")
        return ranking(list(zip(self.vp, self.chests, strict=True)))

    def utilities(self) -> list[Fraction]:
        """The winners share 1 equally; everybody else has 0. ValueError before the end."""
        ranks = self.ranks()
        return [Fraction(rank == 1, ranks.count(1)) for rank in ranks]

    # -- what a seat sees ------------------------------------------------------------------------

    def events(self, text: str) -> list[list[tuple[str, str]]]:
        """What each seat is told the moment `text` happens here: (whom it concerns, text).

        Others see only that a seat plans or bids. What follows without a ply (plans turned up,
        bids paid, a province lost with its card) is not told but seen (`knows`).
        """
        self._expect(text)
        step = self.agenda[0]
        hidden = f"{step.name}:{HIDDEN}"
        return [
            [(str(self.subject()), hidden if step.name in PRIVATE and seat != step.seat else text)]
            for seat in range(self.game.players)
        ]

    def knows(self, seat: int) -> tuple[tuple[str, Hashable], ...]:
        """Everything the seat knows, in one canonical form: a tuple of (name, value).

        Equal for two positions exactly when the seat cannot tell them apart.
        """
        others = range(self.game.players)
        plans = [self.plans[other] if other == seat else self.seen_plan(other) for other in others]
        return (
            ("seat", seat),
            ("phase", self.phase),
            ("year", self.year),
            ("season", self.season),
            ("agenda", tuple(self.agenda)),  # holds nothing hidden
            ("owner", tuple(self.owner.values())),
            ("armies", tuple(self.armies.values())),
            ("buildings", tuple(frozenset(there) for there in self.buildings.values())),
            ("markers", tuple(self.markers.values())),
            ("tower", tuple(self.tower.values())),
            ("tray", tuple(self.tray.values())),
            ("thrown", tuple(self.thrown.values())),
            ("supply", tuple(self.supply.values())),
            ("chests", tuple(self.chests)),
            ("rice", tuple(self.rice)),
            ("vp", tuple(self.vp)),
            ("unopened", frozenset(self.unopened)),
            ("opened", frozenset(self.opened)),
            ("event", self.event),
            ("fields", tuple(self.fields)),
            ("field", self.field),
            ("slots", tuple(self.slots)),
            ("takers", tuple(self.takers)),
            ("order", tuple(self.order)),
            ("changed", frozenset(self.changed)),
            ("drawn", frozenset(self.drawn)),
            ("plans", tuple(tuple(plan.items()) for plan in plans)),
            ("groups", tuple(tuple(sizes) for sizes in self.groups)),
            ("open_pair", tuple(self.open_pair)),
            ("under", tuple(self.under)),
            ("pile", frozenset(self.pile)),
            ("stale", self.stale),
        )

    def seen_plan(self, seat: int) -> Plan:
        """A plan as the other seats see it: `?` on the spaces of which they see the back.

        During planning they see nothing but how many spaces are done, then also which are empty.
        """
        planning = self.phase == "plan"
        return {
            space: what
            if self.is_shown(space) or (what in (EMPTY, VOID) and not planning)
            else HIDDEN
            for space, what in self.plans[seat].items()
        }

    # -- worlds ----------------------------------------------------------------------------------

    def worlds(self, seat: int) -> Iterator[tuple[State, Fraction]]:
        """Every world consistent with what the seat knows, the true one among them, each once,
        with its probability.

        SU57: all plans that the others may have made are equally likely. ValueError for more than
        MAX_WORLDS worlds.
        """
        choices: list[list[Plan]] = []
        number = 1
        for other in range(self.game.players):
            most = MAX_WORLDS // number
            choices.append([])
            for plan in [self.plans[other]] if other == seat else self.fillings(other):
                if len(choices[-1]) == most:
                    raise ValueError(f"more than {MAX_WORLDS} worlds are too many to list")
                choices[-1].append(plan)
            number *= len(choices[-1])
        return ((self._with_plans(plans), Fraction(1, number)) for plans in product(*choices))

    def fillings(self, seat: int) -> Iterator[Plan]:
        """Every plan that a seat may have made for all that the others know."""
        if self.phase == "plan":
            return self._beginnings(seat, {}, list(self.plans[seat]))
        return self._completions(seat, self.seen_plan(seat))

    def _beginnings(self, seat: int, plan: Plan, spaces: Sequence[str]) -> Iterator[Plan]:
        """Every way to go on with a plan by so many more plies."""
        if not spaces:
            yield plan
            return
        for what in self.contents(seat, spaces[0], plan):
            yield from self._beginnings(seat, {**plan, spaces[0]: what}, spaces[1:])

    def _completions(self, seat: int, plan: Plan) -> Iterator[Plan]:
        """Every way to fill the hidden spaces of a plan: with provinces that the seat has had since
        it planned and that are not seen elsewhere, and with five chest cards in all."""
        hidden = [space for space, what in plan.items() if what == HIDDEN]
        if not hidden:
            yield plan
            return
        contents = [
            province
            for province in self.owned(seat)
            if province not in self.changed and province not in plan.values()
        ]
        if _chest_cards(plan) < CHEST_CARDS:
            affordable = range(min(HIGHEST_BID, self.chests[seat]) + 1)
            contents += [str(v) for v in affordable] if hidden[0] == BID else [BLANK]
        for what in contents:
            yield from self._completions(seat, {**plan, hidden[0]: what})

    def _with_plans(self, plans: Sequence[Plan]) -> State:
        world = self.clone()
        world.plans = [dict(plan) for plan in plans]
        return world

    # -- copies and checks -----------------------------------------------------------------------

    def clone(self) -> State:
        """An independent copy."""
        return State(
            game=self.game,
            phase=self.phase,
            year=self.year,
            season=self.season,
            agenda=list(self.agenda),
            owner=dict(self.owner),
            armies=dict(self.armies),
            buildings={province: set(there) for province, there in self.buildings.items()},
            markers=dict(self.markers),
            tower=dict(self.tower),
            tray=dict(self.tray),
            thrown=dict(self.thrown),
            supply=dict(self.supply),
            chests=list(self.chests),
            rice=list(self.rice),
            vp=list(self.vp),
            unopened=set(self.unopened),
            opened=set(self.opened),
            event=self.event,
            fields=list(self.fields),
            field=self.field,
            slots=list(self.slots),
            takers=list(self.takers),
            order=list(self.order),
            changed=set(self.changed),
            drawn=set(self.drawn),
            plans=[dict(plan) for plan in self.plans],
            groups=[list(sizes) for sizes in self.groups],
            open_pair=list(self.open_pair),
            under=list(self.under),
            pile=set(self.pile),
            stale=self.stale,
        )

    def _waiting(self, name: str) -> int:
        """How many steps of this name are on the agenda."""
        return [step.name for step in self.agenda].count(name)

    def unopened_due(self) -> int:
        """How many event cards have not been opened yet."""
        before = 0 if self.is_between("faces", "over") else EVENTS_OF_A_YEAR
        now = self._waiting("face")
        return len(self.game.tables.events) - EVENTS_OF_A_YEAR * self.year + before + now

    def opened_due(self) -> int:
        """How many event cards lie face up."""
        if self.phase == "faces":
            return EVENTS_OF_A_YEAR - self._waiting("face")
        if not self.is_between("fields", "winter"):
            return 0
        past = SEASONS.index(self.season) + self.is_between("bids", "winter")
        return EVENTS_OF_A_YEAR - past

    def fields_due(self) -> int:
        """How many action cards lie open."""
        if not self.is_between("fields", "actions"):
            return 0
        most = FIELDS if self.phase == "actions" else OPEN_FIELDS
        return most - self._waiting("field")

    def slots_due(self) -> int:
        """How many specials are laid out."""
        if not self.is_between("specials", "actions"):
            return 0
        return len(self.game.tables.specials) - self._waiting("special")

    def contested(self) -> str | None:
        """The province over which a throw is running."""
        ends = [step for step in self.agenda if step.name.startswith("after_")]
        return ends[0].ids[0] if ends else None

    def check(self) -> None:
        """ValueError unless all pieces are in one place each and the parts fit together."""
        self._check_board()
        self._check_cubes()
        self._check_cards()
        self._check_draft()
        self._check_plans()
        if self.phase != "over" and not self.possible():
            raise ValueError(f"nothing is left to do in the phase {self.phase!r}")

    def _check_board(self) -> None:
        n, provinces = self.game.players, self.game.provinces
        if self.phase not in PHASES or self.season not in SEASONS or not 1 <= self.year <= YEARS:
            raise ValueError(f"there is no phase {self.phase!r} in {self.season} of {self.year}")
        if not all(list(part) == provinces for part in (self.owner, self.armies, self.markers)):
            raise ValueError("the board has other provinces")
        for province in provinces:
            owner, buildings = self.owner[province], self.buildings[province]
            if owner is not None and owner not in range(n):
                raise ValueError(f"there is no seat {owner}")
            empty = owner is None or province == self.contested()
            if (self.armies[province] == 0) != empty or self.armies[province] < 0:
                raise ValueError(f"{province} has {self.armies[province]} armies")
            if not buildings <= set(BUILDINGS):
                raise ValueError(f"{province} has {buildings}")
            if len(buildings) > self.game.tables.provinces[province].spaces:
                raise ValueError(f"{province} has more buildings than spaces")
            if not 0 <= self.markers[province] <= MAX_MARKERS:
                raise ValueError(f"{province} has {self.markers[province]} markers")
            if owner is None and (buildings or self.markers[province]):  # SU34
                raise ValueError(f"{province} is neutral and has buildings or markers")
        if min(self.building_supply(building) for building in BUILDINGS) < 0:
            raise ValueError("there are more buildings than tiles")
        if sum(self.markers.values()) > self.game.tables.supply["markers"]:  # SU39
            raise ValueError("there are more markers than pieces")
        if not len(self.chests) == len(self.rice) == len(self.vp) == len(self.plans) == n:
            raise ValueError("each seat has chests, rice, VP and a plan")
        if min(*self.chests, *self.rice, *self.vp) < 0 or max(self.rice) > MAX_RICE:
            raise ValueError("nobody has less than nothing or more than 18 rice")

    def _check_cubes(self) -> None:
        throwing = any(step.name == "tower" for step in self.agenda)
        for color in self.game.colors:
            if min(self.tower[color], self.tray[color], self.thrown[color]) < 0:
                raise ValueError(f"less than no cubes of {color}")
            if self.supply[color] < 0:
                raise ValueError(f"there are more cubes of {color} than pieces")
            if self.cubes_in_use(color) + self.supply[color] != self.game.pieces(color):
                raise ValueError(f"some cubes of {color} are nowhere or twice")
        if any(self.thrown.values()) and not throwing:
            raise ValueError("cubes are thrown only in a throw")

    def _check_cards(self) -> None:
        tables = self.game.tables
        events = [*self.unopened, *self.opened, *([self.event] if self.event else [])]
        if len(set(events)) < len(events) or not set(events) <= set(tables.events):
            raise ValueError("each event card lies in one place")
        if (len(self.unopened), len(self.opened)) != (self.unopened_due(), self.opened_due()):
            raise ValueError(f"{self.phase}: {self.unopened_due()} events are unopened")
        if (self.event is not None) != self.is_between("bids", "actions"):
            raise ValueError("a round has an event from the end of planning on")
        if len(set(self.fields)) < len(self.fields) or not set(self.fields) <= set(tables.prices):
            raise ValueError("each action lies below one field")
        if len(self.fields) != self.fields_due() or not 0 <= self.field <= len(self.fields):
            raise ValueError(f"{self.fields_due()} actions lie open")
        if len(set(self.slots)) < len(self.slots) or not set(self.slots) <= set(tables.specials):
            raise ValueError("each special lies on one slot")
        if len(self.slots) != self.slots_due() or len(self.takers) != len(self.slots):
            raise ValueError(f"{self.slots_due()} specials lie open")
        takers = [seat for seat in self.takers if seat is not None]
        if len(set(takers)) < len(takers) or not set(takers) <= set(self.planners()):
            raise ValueError("each planner takes one special")
        if self.phase == "actions" and (self.order != takers or len(takers) < len(self.planners())):
            raise ValueError("the turn order is that of the slots taken")
        if self.phase != "winter" and self.drawn:
            raise ValueError("provinces are drawn in winter")
        if not self.drawn <= set(self.owned()):
            raise ValueError("provinces of players are drawn")

    def _check_draft(self) -> None:
        if self.phase != "draft":
            if any(self.groups) or any(self.open_pair) or self.under or self.pile or self.stale:
                raise ValueError("the draft is over")
            return
        claimed = [p for step in self.agenda if step.name == "group" for p in step.ids]
        pair = [province for province in self.open_pair if province is not None]
        cards = [*self.owned(), *claimed, *pair, *self.under, *self.pile]
        if sorted(cards) != sorted(self.game.provinces):
            raise ValueError("each province card lies in one place")
        if not 0 <= self.stale <= self.game.players:
            raise ValueError(f"no pair is faced after {self.stale} blind draws")
        for seat, sizes in enumerate(self.groups):
            placed = [self.armies[province] for province in self.owned(seat)]
            if sorted([*sizes, *placed]) != sorted(self.game.start.groups):
                raise ValueError(f"seat {seat} has placed other groups")

    def _check_plans(self) -> None:
        if not self.is_between("plan", "actions"):
            if any(self.plans) or self.changed:
                raise ValueError("plans are made and kept for a round")
            return
        for seat, plan in enumerate(self.plans):
            if list(plan) != self.game.spaces[: len(plan)]:
                raise ValueError("spaces are planned in order")
            if self.phase != "plan" and len(plan) not in (0, len(self.game.spaces)):
                raise ValueError("every space has been planned")
            self._check_plan(seat, plan)

    def _check_plan(self, seat: int, plan: Plan) -> None:
        placed = [what for what in plan.values() if what in self.game.provinces]
        if len(set(placed)) < len(placed) or _chest_cards(plan) > CHEST_CARDS:
            raise ValueError(f"seat {seat} plans with more cards than it has")
        for space, what in plan.items():
            chest = what.isdigit() if space == BID else what == BLANK
            if what not in self.game.provinces and not chest and what not in (EMPTY, VOID):
                raise ValueError(f"{what!r} is not for the space {space}")
            lost = what in placed and (self.owner[what] != seat or what in self.changed)
            if lost and self._is_to_come(seat, space):
                raise ValueError(f"seat {seat} has lost {what}, or never had it")
        if self.phase in ("plan", "event"):
            empties = list(plan.values()).count(EMPTY)
            most = max(0, len(self.game.spaces) - CHEST_CARDS - len(self.owned(seat)))
            if empties > most or (self.phase == "event" and plan and empties < most):
                raise ValueError(f"seat {seat} leaves {empties} spaces empty")
            if plan.get(BID, "").isdigit() and int(plan[BID]) > self.chests[seat]:  # SU17
                raise ValueError(f"seat {seat} bids more than it has")


def _seat(step: Step) -> int:
    assert step.seat is not None
    return step.seat


def _prefix(step: Step) -> str:
    """How the texts of a chance event begin."""
    if step.name in ("open", "field", "special"):
        return f"{step.name}:{step.number}"
    return f"tower:{step.ids[0]}" if step.name == "tower" else step.name


def _uniform(things: Iterable[str]) -> dict[str, Fraction]:
    each = list(things)
    return {thing: Fraction(1, len(each)) for thing in each}

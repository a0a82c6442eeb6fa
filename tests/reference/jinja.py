"""Reference rules of Jinja, 2 to 5 players: slow, plain, and free of any engine code.

Nothing here is clever on purpose. A position is a handful of lists, sets and dicts; whatever can be
derived is derived afresh each time; probabilities are exact fractions. Decision ids (J1 .. J50) and
decision points (P1 .. P22) are those of docs/games/jinja.md.

    game = Jinja(3)
    state = game.new()
    while state.actor() is not None:
        state.apply(state.possible()[0])
    print(state.scores(), state.ranks())

The course of the game is an agenda: the steps still to come in the present phase, next one first.
A placement or a bonus puts its own steps in front of the rest. A step `x` is

    a chance event  if there is `_odds_x`, which gives the weight of each outcome,
    a decision      if there is `_may_x`, which gives the texts of the moves,
    automatic       otherwise;

`_do_x` carries it out. A chance event without outcomes (an empty bag, J46) and a decision without
moves (a donation without gold) do not happen, and no ply is made for them.

Canonical orders: moves in the order in which the documents list the kinds of text of that decision
point, within a kind in the order of the component table; outcomes in the order of their table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from .jinja_tables import DEFAULT, KINDS, Tables

CHANCE = "chance"
SEASONS = 5
TOKENS_OF_A_KIND = 20
OMIKUJI_DEALT = 5
OMIKUJI_RETURNED = 2
OMIKUJI_KEPT = OMIKUJI_DEALT - OMIKUJI_RETURNED
MAX_SUPPLEMENT = 6
MAX_WORLDS = 20_000

PHASES = (
    "lanterns",  # S1
    "goods",  # S2
    "omikuji_deal",  # S3
    "omikuji_return",  # S4
    "deed_deal",  # S5
    "draft",  # S6
    "fill",  # B1
    "kitsune",  # B2, then B3
    "placements",  # W, then E1
    "lantern_bonuses",  # E2
    "deed_bonuses",  # E3, then E4
    "over",
)

VERBS = {
    "lantern": "lantern",
    "token": "draw",
    "deal_omikuji": "deal",
    "deal_deed": "deal",
    "fill": "draw",
    "kitsune": "kitsune",
    "draw_omikuji": "draw",
    "die": "die",
}
"""Chance event -> first part of its text."""

PRIVATE = frozenset(
    {
        "deal_omikuji",
        "return_first",
        "return_second",
        "deal_deed",
        "draft",
        "draw_omikuji",
        "put_back",
    }
)
"""The steps of which the other seats see only that they happen."""

Goods = dict[str, int]
"""Kind of Structure -> how many."""

Place = tuple[str | int, ...]
"""Somewhere a hidden card can be: ("hand", 2), ("pack", 0), ("round", 0, 3), ("deck",), ..."""


class Step(NamedTuple):
    """Something still to happen. What the last three parts mean depends on the step."""

    name: str
    seat: int | None = None
    ids: tuple[str, ...] = ()
    number: int = 0
    last: str = ""


class Jinja:
    """The game for a number of players and a set of component tables."""

    def __init__(self, players: int, tables: Tables = DEFAULT) -> None:
        if not 2 <= players <= 5:
            raise ValueError(f"Jinja is for 2 to 5 players, not {players}")
        self.players = players
        self.tables = tables
        self.workers = tables.workers[players]
        self.pack_size = 5 if players == 5 else 6
        self.places = [*tables.territories, *tables.activities]

    def circles(self, place: str) -> int:
        """How many circles of a place can be used at this player count (J5)."""
        if place in self.tables.territories:
            return 1
        return self.tables.activities[place].circles[self.players - 2]

    def holder(self, pack: int, round_: int) -> int:
        """J35: who holds a pack in a draft round (1, 2, ...)."""
        return (pack + round_ - 1) % self.players

    def season_order(self, season: int) -> list[int]:
        """J1: the seats from the First Player clockwise."""
        return [(season - 1 + i) % self.players for i in range(self.players)]

    def new(self) -> State:
        """A fresh game: everything in the box, no Lantern placed, nothing dealt."""
        return self.setup(phase="lanterns")

    def setup(
        self,
        *,
        phase: str,
        season: int = 1,
        done: int = 0,
        effect: Iterable[Step] = (),
        lanterns: Iterable[str] | None = None,
        red: Iterable[str] = (),
        tokens: Mapping[str, Sequence[int]] | None = None,
        goods: Sequence[Sequence[int]] | None = None,
        gold: Sequence[int] | None = None,
        honor: Sequence[int] | None = None,
        fox: Iterable[int] = (),
        bag: Sequence[int] | None = None,
        active: str | None = None,
        revealed: Iterable[str] | None = None,
        supplement: int = 0,
        workers: Mapping[str, Sequence[int]] | None = None,
        fox_workers: Mapping[str, Sequence[int]] | None = None,
        hands: Sequence[Iterable[str]] | None = None,
        public: Iterable[str] = (),
        built: Sequence[Iterable[str]] | None = None,
        pile: Iterable[str] | None = None,
        packs: Sequence[Iterable[str]] | None = None,
        aside: Iterable[str] | None = None,
        origin: Mapping[str, tuple[int, int]] | None = None,
        omikuji: Sequence[Iterable[str]] | None = None,
        returned: Sequence[Iterable[str]] | None = None,
        deck: Iterable[str] | None = None,
        bottom: Iterable[tuple[str, int]] = (),
        has_drawn: Sequence[bool] | None = None,
    ) -> State:
        """Any position by hand.

        The agenda is `effect`, then what is left of the phase after its first `done` steps.
        Structures are given in the order of KINDS. `workers` and `fox_workers` map a place to the
        seats standing there in circles and by Fox. `public` are the Deeds in any hand that came
        from the open pile. `origin` is the pack and round in which a Deed was drafted. `bottom` is
        the ordered part of the Omikuji deck with who put each card there, oldest first.

        What is left out is empty, except: Lanterns lie in table order; the bag, the discard pile
        (or, up to the draft, the undealt Deeds) and the Omikuji deck hold all that is not named
        elsewhere; after set-up each seat holds three Omikuji; the Kitsune revealed so far are the
        active one and the first of the table; a seat with more than three Omikuji or one at the
        bottom has drawn; memories of the draft and of the Omikuji returned at set-up are some that
        fit. ValueError when the parts do not fit.
        """
        n = self.players
        tables = self.tables
        some: list[Iterable[str]] = [()] * n
        draft_is_over = phase in PHASES[PHASES.index("fill") :]
        state = State(
            game=self,
            phase=phase,
            season=season,
            agenda=[],
            lanterns=dict(zip(tables.territories, lanterns or (), strict=False)),
            red=set(red),
            tokens={t: _goods((tokens or {}).get(t)) for t in tables.territories},
            goods=[_goods(row) for row in (goods or [(0, 0, 0, 0)] * n)],
            gold=list(gold or [0] * n),
            honor=list(honor or [0] * n),
            fox=set(fox),
            bag=_goods(bag),
            revealed=set(),
            active=active,
            supplement=supplement,
            circles={place: len((workers or {}).get(place, ())) for place in self.places},
            present={
                place: {*(workers or {}).get(place, ()), *(fox_workers or {}).get(place, ())}
                for place in self.places
            },
            hands=[set(hand) for hand in (hands or some)],
            public=set(public),
            built=[set(row) for row in (built or some)],
            pile=set(pile or ()),
            packs=[set(pack) for pack in (packs or some)],
            aside=set(aside or ()),
            origin={},
            omikuji=[set(hand) for hand in (omikuji or some)],
            returned=[set(pair) for pair in (returned or some)],
            deck=set(deck or ()),
            bottom=list(bottom),
            has_drawn=[False] * n,
        )
        if lanterns is None and phase != "lanterns":
            state.lanterns = dict(zip(tables.territories, tables.lanterns, strict=True))
        if bag is None:
            state.bag = {
                kind: TOKENS_OF_A_KIND - sum(place[kind] for place in state.token_places())
                for kind in KINDS
            }
        if draft_is_over and pile is None:
            state.pile = set(tables.deeds) - set(state.placed_deeds())
        if not draft_is_over and aside is None:
            state.aside = set(tables.deeds) - set(state.placed_deeds())
        if omikuji is None and not state.returned_lie_apart():
            state.omikuji = self._some_omikuji(state)
        if deck is None:
            state.deck = set(tables.omikuji) - set(state.placed_omikuji())
        if has_drawn is not None:
            state.has_drawn = list(has_drawn)
        elif not state.returned_lie_apart():
            putters = {seat for _, seat in state.bottom}
            state.has_drawn = [
                len(hand) > OMIKUJI_KEPT or seat in putters
                for seat, hand in enumerate(state.omikuji)
            ]
        if returned is None and not state.returned_lie_apart():
            state.returned = self._some_returned(state)
        if origin is not None:
            state.origin = dict(origin)
        elif draft_is_over:
            state.origin = self._some_origin(state)
        state.agenda = [*effect, *state.phase_agenda()[done:]]
        state.revealed = self._some_revealed(state, revealed)
        if active is None and state.kitsune_is_up():
            state.active = next(card for card in tables.kitsune if card in state.revealed)
        state.settle()
        state.check()
        return state

    def _some_omikuji(self, state: State) -> list[set[str]]:
        """Three Omikuji for each seat."""
        cards = self.sort_omikuji(set(self.tables.omikuji) - set(state.placed_omikuji()))
        kept = range(0, OMIKUJI_KEPT * self.players, OMIKUJI_KEPT)
        return [set(cards[first : first + OMIKUJI_KEPT]) for first in kept]

    def _some_returned(self, state: State) -> list[set[str]]:
        """Two Omikuji for each seat that it may have returned at set-up."""
        cards = self.sort_omikuji(state.maybe_returned())
        pairs = range(0, OMIKUJI_RETURNED * self.players, OMIKUJI_RETURNED)
        return [set(cards[first : first + OMIKUJI_RETURNED]) for first in pairs]

    def _some_origin(self, state: State) -> dict[str, tuple[int, int]]:
        """A draft after which every Deed can be where it is."""
        origin: dict[str, tuple[int, int]] = {}
        rounds = range(1, self.pack_size + 1)
        slots = {
            seat: [((seat - r + 1) % self.players, r) for r in rounds]
            for seat in range(self.players)
        }
        for seat, hand in enumerate(state.hands):
            hidden = self.sort_deeds(hand - state.public)
            if len(hidden) > len(slots[seat]):
                raise ValueError(f"seat {seat} cannot hold {len(hidden)} Deeds from the draft")
            origin |= {deed: slots[seat].pop(0) for deed in hidden}
        for seat in range(self.players):
            own = self.sort_deeds(state.built[seat] - set(origin))
            others = [deed for deed in self.tables.deeds if deed not in {*origin, *own}]
            origin |= dict(zip([*own, *others], slots[seat], strict=False))
        return origin

    def _some_revealed(self, state: State, revealed: Iterable[str] | None) -> set[str]:
        if revealed is not None:
            return set(revealed)
        first = [] if state.active is None else [state.active]
        cards = dict.fromkeys([*first, *self.tables.kitsune])
        return set(list(cards)[: state.kitsune_due()])

    # -- order of the tables ---------------------------------------------------------------------

    def sort_deeds(self, deeds: Iterable[str]) -> list[str]:
        """Deeds in the order of their table."""
        chosen = set(deeds)
        return [deed for deed in self.tables.deeds if deed in chosen]

    def sort_omikuji(self, cards: Iterable[str]) -> list[str]:
        """Omikuji in the order of their table."""
        chosen = set(cards)
        return [card for card in self.tables.omikuji if card in chosen]


def ranking(standings: Sequence[tuple[int, ...]]) -> list[int]:
    """J34: 1 for the best; equal standings share a rank, and the next ranks are left free."""
    return [1 + sum(other > own for other in standings) for own in standings]


def _goods(counts: Sequence[int] | None = None) -> Goods:
    return dict(zip(KINDS, counts or [0] * len(KINDS), strict=True))


@dataclass
class State:
    """One complete position. Build it with `Jinja.new` or `Jinja.setup`."""

    game: Jinja = field(repr=False, compare=False)
    phase: str
    season: int
    """1 to 5, also during set-up (1) and at the end (5)."""
    agenda: list[Step]
    lanterns: dict[str, str]
    """Territory -> its Lantern."""
    red: set[str]
    """The territories whose Lantern has the red side up."""
    tokens: dict[str, Goods]
    """J10: the Structures lying on each territory."""
    goods: list[Goods]
    gold: list[int]
    honor: list[int]
    """The honor track, without the final scoring."""
    fox: set[int]
    """The seats that still have a Fox."""
    bag: Goods
    revealed: set[str]
    """The Kitsune cards turned up so far, the active one included."""
    active: str | None
    """The Kitsune card lying face up."""
    supplement: int
    """Gold on Supplement Gold."""
    circles: dict[str, int]
    """Place -> its circles taken this season."""
    present: dict[str, set[int]]
    """Place -> the seats with a worker there, in a circle or by Fox."""
    hands: list[set[str]]
    """Deeds in hand."""
    public: set[str]
    """J37: the Deeds in hands that everybody knows to be there."""
    built: list[set[str]]
    """J16: the Deeds played, which are the Shrines on the board."""
    pile: set[str]
    """The open discard pile."""
    packs: list[set[str]]
    """What is left of each pack of the draft."""
    aside: set[str]
    """Undealt Deeds, until the draft is over."""
    origin: dict[str, tuple[int, int]]
    """J36: drafted Deed -> its pack and the round in which it was taken."""
    omikuji: list[set[str]]
    returned: list[set[str]]
    """What each seat returned at set-up; while others still choose, the cards themselves."""
    deck: set[str]
    """J23: the unordered part of the Omikuji deck."""
    bottom: list[tuple[str, int]]
    """J23, J45: the ordered part, oldest first: card and who put it there."""
    has_drawn: list[bool]
    """Whether a seat has drawn an Omikuji since set-up."""

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
        odds: dict[str, int] = getattr(self, f"_odds_{step.name}")(step)
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
        verb, _, what = text.partition(":")
        getattr(self, f"_do_{step.name}")(step, verb, what)
        self.settle()

    def _expect(self, text: str) -> None:
        if text not in self.possible():
            raise ValueError(f"{text!r} is not possible here; {self.phase}: {self.possible()}")

    def settle(self) -> None:
        """Let everything happen that asks nobody, up to the next ply or the end (J41, J46)."""
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
        if self.phase == "placements":
            self._end_placements()
        if self.phase != "deed_bonuses":
            self.phase = PHASES[PHASES.index(self.phase) + 1]
        elif self.season < SEASONS:  # E4: the First Player follows from the season
            self.season += 1
            self.phase = "fill"
        else:
            self.phase = "over"
        self.agenda = self.phase_agenda()

    def phase_agenda(self) -> list[Step]:
        """The steps of the present phase, from its start."""
        players = range(self.game.players)
        territories = self.game.tables.territories
        season_order = self.game.season_order(self.season)
        if self.phase == "lanterns":
            return [Step("lantern", None, (t,)) for t in territories]
        if self.phase == "goods":
            return [step for seat in players for step in self._start_goods(seat)]
        if self.phase == "omikuji_deal":
            return [Step("deal_omikuji", seat) for seat in players for _ in range(OMIKUJI_DEALT)]
        if self.phase == "omikuji_return":
            names = ["return_first", "return_second"]
            choices = [Step(name, seat) for seat in players for name in names]
            return [*choices, Step("shuffle_returned")]
        if self.phase == "deed_deal":
            size = self.game.pack_size
            return [Step("deal_deed", seat) for seat in players for _ in range(size)]
        if self.phase == "draft":  # J2, J35: nobody chooses in the last round
            rounds = range(1, self.game.pack_size)
            choices = [Step("draft", seat, number=r) for r in rounds for seat in players]
            return [*choices, Step("end_draft")]
        if self.phase == "fill":
            return [Step("fill", None, (t,)) for t in territories]
        if self.phase == "kitsune":
            return [Step("kitsune"), Step("supply_gold")]
        if self.phase == "placements":
            return [Step("place", seat) for _ in range(self.game.workers) for seat in season_order]
        if self.phase == "lantern_bonuses":  # J26, J27
            return [
                Step("lantern_bonus", seat, (t,), number)
                for seat in season_order
                for t in territories
                for number in range(1, 1 + min(2, self.shrines(seat, t)))
            ]
        if self.phase == "deed_bonuses":  # J27
            return [Step("deed_bonuses", seat) for seat in season_order]
        return []

    def _start_goods(self, seat: int) -> list[Step]:
        start = self.game.tables.starts[self.game.players][seat]
        return [Step("token", seat)] * start.structures + [Step("start_gold", seat)]

    # -- set-up (S1 to S6) -----------------------------------------------------------------------

    def _odds_lantern(self, step: Step) -> dict[str, int]:
        placed = set(self.lanterns.values())
        return {lantern: 1 for lantern in self.game.tables.lanterns if lantern not in placed}

    def _do_lantern(self, step: Step, verb: str, lantern: str) -> None:
        self.lanterns[step.ids[0]] = lantern

    def _odds_token(self, step: Step) -> dict[str, int]:
        return self.bag  # J13

    def _do_token(self, step: Step, verb: str, kind: str) -> None:
        self._take_from_bag(_seat(step), kind)

    def _do_start_gold(self, step: Step) -> None:
        seat = _seat(step)
        start = self.game.tables.starts[self.game.players][seat]
        self.gold[seat] += start.gold
        if start.fox:
            self.fox.add(seat)

    def _odds_deal_omikuji(self, step: Step) -> dict[str, int]:
        return dict.fromkeys(self.game.sort_omikuji(self.deck), 1)

    def _do_deal_omikuji(self, step: Step, verb: str, card: str) -> None:
        self.deck.remove(card)
        self.omikuji[_seat(step)].add(card)

    def _may_return_first(self, step: Step) -> list[str]:  # P1
        *lower, _highest = self.game.sort_omikuji(self.omikuji[_seat(step)])
        return [f"return:{card}" for card in lower]

    def _do_return_first(self, step: Step, verb: str, card: str) -> None:
        seat = _seat(step)
        self.omikuji[seat].remove(card)
        self.returned[seat].add(card)

    def _may_return_second(self, step: Step) -> list[str]:  # P1
        seat = _seat(step)
        (first,) = self.returned[seat]
        cards = self.game.sort_omikuji([*self.omikuji[seat], first])
        return [f"return:{card}" for card in cards[cards.index(first) + 1 :]]

    _do_return_second = _do_return_first

    def _do_shuffle_returned(self, step: Step) -> None:
        """The cards join the deck; `returned` stays as a memory of each seat."""
        self.deck |= set().union(*self.returned)

    def _odds_deal_deed(self, step: Step) -> dict[str, int]:
        return dict.fromkeys(self.game.sort_deeds(self.aside), 1)

    def _do_deal_deed(self, step: Step, verb: str, deed: str) -> None:
        self.aside.remove(deed)
        self.packs[_seat(step)].add(deed)

    def _may_draft(self, step: Step) -> list[str]:  # P2
        pack = self.packs[self._pack_held(_seat(step), step.number)]
        return [f"draft:{deed}" for deed in self.game.sort_deeds(pack)]

    def _do_draft(self, step: Step, verb: str, deed: str) -> None:
        self._take_from_pack(self._pack_held(_seat(step), step.number), step.number, deed)

    def _pack_held(self, seat: int, round_: int) -> int:
        """J35"""
        packs = range(self.game.players)
        return next(pack for pack in packs if self.game.holder(pack, round_) == seat)

    def _take_from_pack(self, pack: int, round_: int, deed: str) -> None:
        self.packs[pack].remove(deed)
        self.origin[deed] = (pack, round_)
        self.hands[self.game.holder(pack, round_)].add(deed)

    def _do_end_draft(self, step: Step) -> None:
        """The last card of each pack is taken, then the undealt Deeds become the open pile."""
        for pack, cards in enumerate(self.packs):
            (deed,) = cards
            self._take_from_pack(pack, self.game.pack_size, deed)
        self.pile, self.aside = self.aside, set()

    # -- beginning of a season (B1 to B3) --------------------------------------------------------

    def _odds_fill(self, step: Step) -> dict[str, int]:
        return self.bag

    def _do_fill(self, step: Step, verb: str, kind: str) -> None:
        self.bag[kind] -= 1
        self.tokens[step.ids[0]][kind] += 1

    def _odds_kitsune(self, step: Step) -> dict[str, int]:  # J30
        return {card: 1 for card in self.game.tables.kitsune if card not in self.revealed}

    def _do_kitsune(self, step: Step, verb: str, card: str) -> None:
        self.revealed.add(card)
        self.active = card
        effects = [self._immediate(card, seat) for seat in self.game.season_order(self.season)]
        self._first(*(step for effect in effects for step in effect))

    def _immediate(self, card: str, seat: int) -> list[Step]:
        """J30, J44: what a Kitsune card makes a seat do at once."""
        return {
            "k_fortune": [Step("omikuji", seat, number=2)],
            "k_trade": [Step("market", seat)],
            "k_lights": [Step("lights", seat)],
            "k_purse": [Step("die", seat, ("roll_gold",))],
            "k_gift": [Step("token", seat), Step("token", seat)],
            "k_vow": [Step("vow", seat)],
        }.get(card, [])

    def _do_supply_gold(self, step: Step) -> None:  # J29
        if self.game.circles("supplement_gold"):
            self.supplement = 2 if self.supplement == 0 else self.supplement + 1

    # -- placing workers (W) ---------------------------------------------------------------------

    def _may_place(self, step: Step) -> list[str]:  # P3
        seat = _seat(step)
        usable = [place for place in self.game.places if self._is_usable(seat, place)]
        free = [p for p in usable if self.circles[p] < self.game.circles(p)]
        by_fox = [p for p in usable if p not in free and self._fox_may_enter(seat, p)]
        return [f"place:{p}" for p in free] + [f"fox:{p}" for p in by_fox]

    def _is_usable(self, seat: int, place: str) -> bool:
        """J8"""
        if self.game.circles(place) == 0 or self.gold[seat] < self.cost(place):
            return False
        if place == "deed_exchange":
            return bool(self.hands[seat])
        if place == "deed_buyback":
            return bool(self.pile)
        if place == "territory_build":
            return bool(self.buildable(seat))
        return True

    def _fox_may_enter(self, seat: int, place: str) -> bool:
        """J7, for a place without a free circle."""
        return seat in self.fox and bool(self.present[place] - {seat})

    def cost(self, place: str) -> int:
        """The gold to pay at a place this season."""
        if place in self.game.tables.territories:
            return 0
        cheaper = {
            "k_alms": ["minor_offering", "major_offering"],
            "k_grace": ["deed_buyback", "territory_build", "random_structures"],
        }.get(self.active or "", [])
        return self.game.tables.activities[place].cost - (place in cheaper)

    def _do_place(self, step: Step, verb: str, place: str) -> None:
        seat = _seat(step)
        if verb == "fox":
            self.fox.remove(seat)
        else:
            self.circles[place] += 1  # J6
        self.present[place].add(seat)
        self.gold[seat] -= self.cost(place)
        self._perform(seat, place)

    def _perform(self, seat: int, place: str) -> None:
        """D2: the effect of a place, its cost being paid."""
        if place in self.game.tables.territories:
            self._first(Step("territory", seat, (place,)))
        elif place == "deed_exchange":
            self._first(Step("discard", seat))
        elif place == "deed_buyback":
            self._first(Step("search", seat))
        elif place == "omikuji":
            self._first(Step("omikuji", seat, number=2))
        elif place == "gain_territory":
            self._first(Step("pick", seat))
        elif place == "territory_build":
            self._first(Step("build_anywhere", seat))
        elif place == "change_lantern":
            self._first(Step("flip_first", seat))
        elif place == "major_offering":
            self.honor[seat] += 6
        elif place == "market":
            self._first(Step("market", seat))
        elif place == "random_structures":
            self._first(Step("token", seat), Step("token", seat))
        elif place == "supplement_gold":
            self.gold[seat] += self.supplement
            self.supplement = 0
        else:  # minor_offering, roll_structures, roll_gold
            self._first(Step("die", seat, (place,)))

    def _end_placements(self) -> None:
        """E1"""
        self.active = None
        self.circles = dict.fromkeys(self.game.places, 0)
        self.present = {place: set() for place in self.game.places}

    # -- territories and building ----------------------------------------------------------------

    def _may_territory(self, step: Step) -> list[str]:  # P4
        buildable = self.buildable(_seat(step), step.ids[0])
        return ["take", *(f"build:{deed}" for deed in buildable)]

    def _do_territory(self, step: Step, verb: str, deed: str) -> None:
        seat = _seat(step)
        if verb == "build":
            self._build(seat, deed)
        else:
            self._take_tokens(seat, step.ids[0])
            if self.active == "k_pilgrims":
                self.gold[seat] += 1

    def _take_tokens(self, seat: int, territory: str) -> None:
        for kind in KINDS:
            self.goods[seat][kind] += self.tokens[territory][kind]
            self.tokens[territory][kind] = 0

    def buildable(self, seat: int, territory: str | None = None) -> list[str]:
        """J14: the Deeds in hand that the seat could build, maybe of one territory only."""
        return [
            deed
            for deed in self.game.sort_deeds(self.hands[seat])
            if territory in (None, self.game.tables.deeds[deed].territory)
            and self.free_spaces(self.game.tables.deeds[deed].territory) > 0
            and self._missing(seat, deed) <= (1 if self.active == "k_mason" else 0)
        ]

    def _cost_of(self, deed: str) -> Goods:
        return _goods(self.game.tables.deeds[deed].cost)

    def _missing(self, seat: int, deed: str) -> int:
        """How many Structures of a Deed the seat lacks."""
        cost = self._cost_of(deed)
        return sum(max(0, cost[kind] - self.goods[seat][kind]) for kind in KINDS)

    def shrines(self, seat: int, territory: str) -> int:
        """J16"""
        deeds = self.game.tables.deeds
        return sum(deeds[deed].territory == territory for deed in self.built[seat])

    def free_spaces(self, territory: str) -> int:
        """How many Shrines still fit into a territory."""
        taken = sum(self.shrines(seat, territory) for seat in range(self.game.players))
        return self.game.tables.territories[territory].spaces - taken

    def _build(self, seat: int, deed: str) -> None:
        """J19"""
        self.hands[seat].remove(deed)
        self.public.discard(deed)
        self.built[seat].add(deed)
        if self.active == "k_mason":
            self._first(Step("omit", seat, (deed,)))
        else:
            self._pay_structures(seat, deed, self._cost_of(deed))

    def _pay_structures(self, seat: int, deed: str, cost: Goods) -> None:
        for kind in KINDS:
            self.goods[seat][kind] -= cost[kind]
            self.bag[kind] += cost[kind]  # J13
        if self.active == "k_praise":
            self.honor[seat] += 2

    def _may_omit(self, step: Step) -> list[str]:  # P17
        return [f"omit:{kind}" for kind in KINDS if self._can_omit(step, kind)]

    def _can_omit(self, step: Step, kind: str) -> bool:
        cost = self._cost_of(step.ids[0])
        if cost[kind] == 0:
            return False
        cost[kind] -= 1
        return all(cost[k] <= self.goods[_seat(step)][k] for k in KINDS)

    def _do_omit(self, step: Step, verb: str, kind: str) -> None:
        cost = self._cost_of(step.ids[0])
        cost[kind] -= 1
        self._pay_structures(_seat(step), step.ids[0], cost)

    def _may_build_anywhere(self, step: Step) -> list[str]:  # P10, J18
        return [f"build:{deed}" for deed in self.buildable(_seat(step))]

    def _do_build_anywhere(self, step: Step, verb: str, deed: str) -> None:
        self._build(_seat(step), deed)

    def _may_vow(self, step: Step) -> list[str]:  # P19
        if self.gold[_seat(step)] == 0:
            return []
        return ["skip", *self._may_build_anywhere(step)]

    def _do_vow(self, step: Step, verb: str, deed: str) -> None:
        if verb == "build":
            self.gold[_seat(step)] -= 1  # J50
            self._build(_seat(step), deed)

    # -- Deeds -----------------------------------------------------------------------------------

    def _may_discard(self, step: Step) -> list[str]:  # P5
        return [f"discard:{deed}" for deed in self.game.sort_deeds(self.hands[_seat(step)])]

    def _do_discard(self, step: Step, verb: str, deed: str) -> None:
        seat = _seat(step)
        self.hands[seat].remove(deed)
        self.public.discard(deed)
        self.pile.add(deed)
        others = [(seat + i) % self.game.players for i in range(1, self.game.players)]
        self._first(*(Step("token", who) for who in [seat, seat, seat, *others]))  # J25

    def _may_search(self, step: Step) -> list[str]:  # P6
        return [f"search:{deed}" for deed in self.game.sort_deeds(self.pile)]

    def _do_search(self, step: Step, verb: str, deed: str) -> None:
        self.pile.remove(deed)
        self.hands[_seat(step)].add(deed)
        self.public.add(deed)  # J37
        self._first(Step("build_or_keep", _seat(step), (deed,)))

    def _may_build_or_keep(self, step: Step) -> list[str]:  # P7, J17
        seat, deed = _seat(step), step.ids[0]
        territory = self.game.tables.deeds[deed].territory
        if deed in self.buildable(seat) and seat in self.present[territory]:
            return [f"build:{deed}", "keep"]
        return []

    def _do_build_or_keep(self, step: Step, verb: str, deed: str) -> None:
        if verb == "build":
            self._build(_seat(step), deed)

    # -- Omikuji ---------------------------------------------------------------------------------

    def deck_size(self) -> int:
        """J23: both parts of the Omikuji deck."""
        return len(self.deck) + len(self.bottom)

    def _do_omikuji(self, step: Step) -> None:
        """J22, J23: draw `number` cards or as many as there are; if any, put one back."""
        draws = min(step.number, self.deck_size())
        if draws > 0:
            draw, back = Step("draw_omikuji", step.seat), Step("put_back", step.seat)
            self._first(*[draw] * draws, back)

    def _odds_draw_omikuji(self, step: Step) -> dict[str, int]:
        if self.deck:
            return dict.fromkeys(self.game.sort_omikuji(self.deck), 1)
        return {card: 1 for card, _ in self.bottom[:1]}

    def _do_draw_omikuji(self, step: Step, verb: str, card: str) -> None:
        if self.deck:
            self.deck.remove(card)
        else:
            self.bottom.pop(0)
        self.omikuji[_seat(step)].add(card)
        self.has_drawn[_seat(step)] = True

    def _may_put_back(self, step: Step) -> list[str]:  # P8
        return [f"return:{card}" for card in self.game.sort_omikuji(self.omikuji[_seat(step)])]

    def _do_put_back(self, step: Step, verb: str, card: str) -> None:
        self.omikuji[_seat(step)].remove(card)
        self.bottom.append((card, _seat(step)))

    # -- Lanterns --------------------------------------------------------------------------------

    def lantern_bonus(self, territory: str) -> str:
        """The bonus code to be seen on a territory."""
        lantern = self.game.tables.lanterns[self.lanterns[territory]]
        return lantern.red if territory in self.red else lantern.blue

    def _flip(self, territory: str) -> None:
        self.red ^= {territory}

    def _may_flip_first(self, step: Step) -> list[str]:  # P11, J20
        *lower, _highest = self.game.tables.territories
        return [f"flip:{t}" for t in lower]

    def _do_flip_first(self, step: Step, verb: str, territory: str) -> None:
        self._flip(territory)
        self._first(Step("flip_second", step.seat, (territory,)))

    def _may_flip_second(self, step: Step) -> list[str]:  # P12
        territories = list(self.game.tables.territories)
        return [f"flip:{t}" for t in territories[territories.index(step.ids[0]) + 1 :]]

    def _do_flip_second(self, step: Step, verb: str, territory: str) -> None:
        self._flip(territory)
        self._first(Step("gain", step.seat, (*step.ids, territory)))

    def _may_gain(self, step: Step) -> list[str]:  # P13
        return [f"gain:{t}" for t in step.ids]

    def _do_gain(self, step: Step, verb: str, territory: str) -> None:
        self._bonus(_seat(step), self.lantern_bonus(territory))

    def _may_lights(self, step: Step) -> list[str]:  # P18
        return ["skip", *self._may_flip_first(step)]

    def _do_lights(self, step: Step, verb: str, territory: str) -> None:
        if verb == "flip":
            self._do_flip_first(step, verb, territory)

    def _may_star(self, step: Step) -> list[str]:  # P14, J21
        return [*self._may_flip_and_gain(step), "noflip"]

    def _do_star(self, step: Step, verb: str, territory: str) -> None:
        if verb == "flip":
            self._flip(territory)

    def _may_flip_and_gain(self, step: Step) -> list[str]:  # P21
        return [f"flip:{t}" for t in self.game.tables.territories]

    def _do_flip_and_gain(self, step: Step, verb: str, territory: str) -> None:
        self._flip(territory)
        self._bonus(_seat(step), self.lantern_bonus(territory))

    # -- the Mask die ----------------------------------------------------------------------------

    def _odds_die(self, step: Step) -> dict[str, int]:
        return dict(self.game.tables.die)  # J47: k_omen changes the result, not the roll

    def _do_die(self, step: Step, verb: str, face: str) -> None:
        seat, place = _seat(step), step.ids[0]
        red = face.startswith("red") or self.active == "k_omen"
        if face.endswith("star"):
            self._first(Step("star", seat))  # J21: behind what the color gives
        if place == "minor_offering":  # J39
            self.honor[seat] += 5 if red else 3
        elif place == "roll_gold":
            self.gold[seat] += 3 if red else 2
        elif red:
            self._first(Step("choose", seat))
        else:
            self._first(Step("token", seat), Step("token", seat))

    # -- Structures ------------------------------------------------------------------------------

    def _take_from_bag(self, seat: int, kind: str) -> None:
        self.bag[kind] -= 1
        self.goods[seat][kind] += 1

    def _may_choose(self, step: Step) -> list[str]:  # P16
        return [f"choose:{kind}" for kind in KINDS if self.bag[kind] > 0]

    def _do_choose(self, step: Step, verb: str, kind: str) -> None:
        self._take_from_bag(_seat(step), kind)

    def _may_pick(self, step: Step) -> list[str]:  # P9
        return [f"pick:{t}" for t, lying in self.tokens.items() if any(lying.values())]

    def _do_pick(self, step: Step, verb: str, territory: str) -> None:
        self._take_tokens(_seat(step), territory)

    def _may_market(self, step: Step) -> list[str]:
        """P15, J24: `ids` are the kinds sold, `number` counts what was bought, `last` is its kind.

        Both are non-decreasing, so the last kind sold is the last of `ids`.
        """
        sells = [f"sell:{kind}" for kind in KINDS if self._may_sell(step, kind)]
        buys = [f"buy:{kind}" for kind in KINDS if self._may_buy(step, kind)]
        return [*sells, *buys, "done"]  # J48

    def _may_sell(self, step: Step, kind: str) -> bool:
        not_lower = not step.ids or KINDS.index(kind) >= KINDS.index(step.ids[-1])
        return step.number == 0 and not_lower and self.goods[_seat(step)][kind] > 0

    def _may_buy(self, step: Step, kind: str) -> bool:
        not_lower = step.number == 0 or KINDS.index(kind) >= KINDS.index(step.last)
        return (
            step.number < 5
            and not_lower
            and kind not in step.ids
            and self.bag[kind] > 0
            and self.gold[_seat(step)] >= self._price()
        )

    def _price(self) -> int:
        return 1 if self.active == "k_crafts" else 2

    def _do_market(self, step: Step, verb: str, kind: str) -> None:
        seat = _seat(step)
        if verb == "sell":
            self.goods[seat][kind] -= 1
            self.bag[kind] += 1
            self.gold[seat] += 1
            sold = step.ids if kind in step.ids else (*step.ids, kind)
            self._first(step._replace(ids=sold))
        elif verb == "buy":
            self.gold[seat] -= self._price()
            self._take_from_bag(seat, kind)
            self._first(step._replace(number=step.number + 1, last=kind))

    # -- end of a season (E2, E3) ----------------------------------------------------------------

    def _bonus(self, seat: int, code: str) -> None:
        """C8: a bonus of a Lantern or a Deed."""
        amount = int(code[-1]) if code[-1].isdigit() else 0
        if code.startswith("gold"):
            self.gold[seat] += amount
        elif code.startswith("honor"):
            self.honor[seat] += amount
        elif code.startswith("rand"):
            self._first(*[Step("token", seat)] * amount)
        elif code.startswith("choice"):
            self._first(*[Step("choose", seat)] * amount)
        elif code == "harvest":
            self._first(Step("pick", seat))
        elif code == "lantern":
            self._first(Step("flip_and_gain", seat))
        elif code == "omikuji":
            self._first(Step("omikuji", seat, number=1))
        else:
            self._first(Step("donate", seat))

    def _do_lantern_bonus(self, step: Step) -> None:
        self._bonus(_seat(step), self.lantern_bonus(step.ids[0]))

    def _code(self, deed: str) -> str:
        return self.game.tables.deeds[deed].bonus

    def _do_deed_bonuses(self, step: Step) -> None:
        """J28: gold and honor come first, without a question."""
        seat = _seat(step)
        others = []
        for deed in self.game.sort_deeds(self.built[seat]):
            if self._code(deed).startswith(("gold", "honor")):
                self._bonus(seat, self._code(deed))
            else:
                others.append(deed)
        self._first(Step("next_bonus", seat, tuple(others)))

    def _do_next_bonus(self, step: Step) -> None:
        """D8: `ids` are the Deeds whose bonus is still to come; a single code asks nothing."""
        codes = {self._code(deed) for deed in step.ids}
        if len(codes) == 1:
            self._do_order(step, "use", step.ids[0])
        elif codes:
            self._first(Step("order", step.seat, step.ids))

    def _may_order(self, step: Step) -> list[str]:  # P20, J49
        codes = [self._code(deed) for deed in step.ids]
        lowest = [deed for i, deed in enumerate(step.ids) if codes.index(codes[i]) == i]
        return [f"use:{deed}" for deed in lowest]

    def _do_order(self, step: Step, verb: str, deed: str) -> None:
        rest = tuple(other for other in step.ids if other != deed)
        self._first(Step("next_bonus", step.seat, rest))
        self._bonus(_seat(step), self._code(deed))

    def _may_donate(self, step: Step) -> list[str]:  # P22
        return ["pay", "skip"] if self.gold[_seat(step)] > 0 else []

    def _do_donate(self, step: Step, verb: str, what: str) -> None:
        if verb == "pay":
            self.gold[_seat(step)] -= 1
            self.honor[_seat(step)] += 2

    # -- scoring ---------------------------------------------------------------------------------

    def score_parts(self, seat: int) -> dict[str, int]:
        """E: where the honor of a seat comes from, if the game ended here."""
        tables = self.game.tables
        resources = self.gold[seat] + sum(self.goods[seat].values())
        cards = [tables.omikuji[card] for card in self.omikuji[seat]]
        return {
            "track": self.honor[seat],
            "sets": 2 * (resources // 5),  # J33
            "fox": 3 if seat in self.fox else 0,
            "shrines": sum(tables.deeds[deed].honor for deed in self.built[seat]),
            "omikuji": sum(
                card.honor for card in cards if self.is_fulfilled(seat, card.condition, card.terms)
            ),
            "regions": sum(self.region_share(seat, region) for region in tables.regions),
        }

    def is_fulfilled(self, seat: int, condition: str, terms: Sequence[str]) -> bool:
        """C4, J40: whether the Shrines of a seat meet the condition of an Omikuji."""
        built = [self.game.tables.deeds[deed] for deed in self.built[seat]]
        territories = {deed.territory for deed in built}
        if condition == "size_terr":
            return any((deed.size, deed.territory) == tuple(terms) for deed in built)
        if condition == "size_reg":
            return any((deed.size, self._region(deed.territory)) == tuple(terms) for deed in built)
        if condition == "all":
            return territories >= set(terms)
        if condition == "most":  # J31
            counts = [self.count_size(other, terms[0]) for other in range(self.game.players)]
            return counts[seat] == max(counts) > 0
        if condition == "distinct":
            return len(territories) >= int(terms[0])
        return {self._region(t) for t in territories} == set(self.game.tables.regions)

    def _region(self, territory: str) -> str:
        return self.game.tables.territories[territory].region

    def count_size(self, seat: int, size: str) -> int:
        """The Shrines of a size that a seat has built."""
        return sum(self.game.tables.deeds[deed].size == size for deed in self.built[seat])

    def region_share(self, seat: int, region: str) -> int:
        """J32"""
        counts = [
            sum(
                self._region(self.game.tables.deeds[deed].territory) == region
                for deed in self.built[other]
            )
            for other in range(self.game.players)
        ]
        if counts[seat] < max(counts) or counts[seat] == 0:
            return 0
        leaders = counts.count(max(counts))
        return -(-8 // leaders)

    def scores(self) -> list[int]:
        """The honor of each seat with everything scored as if the game ended here."""
        return [sum(self.score_parts(seat).values()) for seat in range(self.game.players)]

    def ranks(self) -> list[int]:
        """J34. ValueError before the end."""
        if self.phase != "over":
            raise ValueError("the game is not over")
        scores = self.scores()
        return ranking(
            [
                (
                    scores[seat],
                    len(self.built[seat]),
                    self.count_size(seat, "large"),
                    self.count_size(seat, "medium"),
                )
                for seat in range(self.game.players)
            ]
        )

    def utilities(self) -> list[Fraction]:
        """The winners share 1 equally; everybody else has 0. ValueError before the end."""
        ranks = self.ranks()
        return [Fraction(rank == 1, ranks.count(1)) for rank in ranks]

    # -- what a seat sees ------------------------------------------------------------------------

    def events(self, text: str) -> list[list[tuple[str, str]]]:
        """What each seat is told the moment `text` happens here: (whom it concerns, text).

        Sealed choices and private draws are told to the others at once, as `?`: their number is
        public and they are never revealed as texts. What follows without a ply (a pack passed on,
        the undealt Deeds turned up, a Deed kept, tokens taken) is not told but seen (`knows`).
        """
        self._expect(text)
        step = self.agenda[0]
        hidden = f"{text.partition(':')[0]}:?"
        return [
            [(str(self.subject()), hidden if step.name in PRIVATE and seat != step.seat else text)]
            for seat in range(self.game.players)
        ]

    def knows(self, seat: int) -> tuple[tuple[str, Hashable], ...]:
        """Everything the seat knows, in one canonical form: a tuple of (name, value).

        Equal for two positions exactly when the seat cannot tell them apart.
        """
        deeds_known_to_be_undealt = None if self.aside_is_hidden() else self._undealt()
        return (
            ("seat", seat),
            ("phase", self.phase),
            ("season", self.season),
            ("agenda", tuple(self.agenda)),  # holds nothing hidden
            ("lanterns", tuple(self.lanterns.items())),
            ("red", frozenset(self.red)),
            ("tokens", tuple(tuple(lying.values()) for lying in self.tokens.values())),
            ("goods", tuple(tuple(own.values()) for own in self.goods)),
            ("gold", tuple(self.gold)),
            ("honor", tuple(self.honor)),
            ("fox", frozenset(self.fox)),
            ("bag", tuple(self.bag.values())),
            ("revealed", frozenset(self.revealed)),
            ("active", self.active),
            ("supplement", self.supplement),
            ("circles", tuple(self.circles.values())),
            ("present", tuple(frozenset(seats) for seats in self.present.values())),
            ("own_deeds", frozenset(self.hands[seat])),
            ("public", tuple(frozenset(hand & self.public) for hand in self.hands)),
            ("hand_sizes", tuple(len(hand) for hand in self.hands)),
            ("built", tuple(frozenset(row) for row in self.built)),
            ("pile", frozenset(self.pile)),
            ("pack_sizes", tuple(len(pack) for pack in self.packs)),
            ("aside_size", len(self.aside)),
            ("undealt", deeds_known_to_be_undealt),
            ("draft", self.draft_memory(seat)),
            ("takers", self.known_takers()),
            ("own_omikuji", frozenset(self.omikuji[seat])),
            ("omikuji_sizes", tuple(len(hand) for hand in self.omikuji)),
            ("own_returned", frozenset(self.returned[seat])),
            ("returned_sizes", self._returned_sizes()),
            ("deck_size", len(self.deck)),
            ("bottom", tuple((card if p == seat else None, p) for card, p in self.bottom)),
            ("has_drawn", tuple(self.has_drawn)),
        )

    def _returned_sizes(self) -> tuple[int, ...] | None:
        """How many Omikuji each seat has returned so far; None when all are back in the deck."""
        if not self.returned_lie_apart():
            return None
        return tuple(len(cards) for cards in self.returned)

    # -- memory of the draft (J36) ---------------------------------------------------------------

    def draft_round(self) -> int:
        """The draft round in which the packs are looked at, or were last."""
        if self.phase == "draft":
            return self.agenda[0].number
        return self.game.pack_size if not self.aside_is_hidden() else 1

    def aside_is_hidden(self) -> bool:
        """Whether it is still unknown which Deeds were not dealt."""
        return PHASES.index(self.phase) <= PHASES.index("draft")

    def _undealt(self) -> frozenset[str]:
        return frozenset(deed for deed in self.game.tables.deeds if deed not in self.origin)

    def _rounds_made(self, pack: int) -> int:
        """How many rounds have taken a card from a pack; always the first ones."""
        return sum(origin[0] == pack for origin in self.origin.values())

    def _way(self, deed: str) -> tuple[int, int] | None:
        """The pack of a Deed and its round, if still in the pack the next one; None if undealt."""
        for pack, cards in enumerate(self.packs):
            if deed in cards:
                return pack, self._rounds_made(pack) + 1
        return self.origin.get(deed)

    def _glance(self, seat: int, pack: int, round_: int) -> int | None:
        """The last round at whose start the seat knew which cards of a pack were left.

        Among the rounds up to `round_`; None if there is none. A seat knows it in the rounds in
        which it holds the pack, and in the round after, having seen what it passed on. Two cards
        taken after the same glance look the same to the seat.
        """
        visits = [r for r in range(1, self.draft_round() + 1) if self.game.holder(pack, r) == seat]
        passed_on = [r + 1 for r in visits if r <= self._rounds_made(pack)]
        return max((r for r in [*visits, *passed_on] if r <= round_), default=None)

    def draft_memory(self, seat: int) -> tuple[tuple[int, int, frozenset[str]], ...]:
        """Every (pack, glance, Deeds taken after it and before the next): what the seat remembers.

        A Deed that is in none of them was never in a pack that the seat has held.
        """
        groups: dict[tuple[int, int], set[str]] = {}
        for deed in self.game.tables.deeds:
            way = self._way(deed)
            glance = None if way is None else self._glance(seat, *way)
            if way is not None and glance is not None:
                groups.setdefault((way[0], glance), set()).add(deed)
        return tuple((*key, frozenset(groups[key])) for key in sorted(groups))

    def known_takers(self) -> frozenset[tuple[str, int]]:
        """Every drafted Deed that its first owner has built or discarded, with that owner.

        A Deed leaves the hand that drafted it only in sight of all, and comes back marked public.
        """
        return frozenset(
            (deed, self.game.holder(*origin))
            for deed, origin in self.origin.items()
            if self.is_shown(deed)
        )

    def is_shown(self, deed: str) -> bool:
        """Whether a Deed lies open or was taken into a hand from the open pile."""
        return deed in self.pile | self.public or any(deed in row for row in self.built)

    # -- worlds ----------------------------------------------------------------------------------

    def worlds(
        self, seat: int, *, deeds: bool = True, omikuji: bool = True, returned: bool = True
    ) -> Iterator[tuple[State, Fraction]]:
        """Every world consistent with what the seat knows, the true one among them, each once,
        with its probability.

        Three things are hidden, and given what the seat knows they are independent: where the
        Deeds went in the draft; where the Omikuji lie; which Omikuji the others returned at set-up.
        `deeds=False` and so on leaves one of them as it is, so that the probabilities are those of
        the rest. Where Omikuji move and `returned=False`, the memories of the others are blank.
        All worlds are equally likely. ValueError for more than MAX_WORLDS of them.
        """
        worlds = [self]
        if deeds:
            worlds = _spread(worlds, seat, State._deed_places, State._with_deeds)
        if omikuji:
            worlds = _spread(worlds, seat, State._omikuji_places, State._with_omikuji)
        if returned and not self.returned_lie_apart():
            worlds = _spread(worlds, seat, State._returned_places, State._with_returned)
        fitting = [world for world in worlds if world.phase == "over" or world.possible()]
        return ((world.clone(), Fraction(1, len(fitting))) for world in fitting)

    def _deed_places(self, seat: int) -> tuple[dict[Place, int], dict[str, list[Place]]]:
        """Room in each place for drafted and undealt Deeds, and where each Deed may be.

        A Deed may be wherever it would look the same to the seat, and if it has been shown, only
        where its first owner took it. Deeds that all know to be undealt are left out.
        """
        room: dict[Place, int] = {}
        glance: dict[Place, Hashable] = {}
        for pack in range(self.game.players):
            made = self._rounds_made(pack)
            for round_ in range(1, made + 1):
                room["round", pack, round_] = 1
                glance["round", pack, round_] = self._look(seat, (pack, round_))
            room["pack", pack] = len(self.packs[pack])
            glance["pack", pack] = self._look(seat, (pack, made + 1))
        room["aside",] = len(self.aside)
        glance["aside",] = None
        takers = dict(self.known_takers())
        choices: dict[str, list[Place]] = {}
        for deed in self.game.tables.deeds:
            if not self.aside_is_hidden() and deed not in self.origin:
                continue
            look = self._look(seat, self._way(deed))
            choices[deed] = [
                place
                for place in room
                if glance[place] == look and takers.get(deed) in (None, self._taker(place))
            ]
        return room, choices

    def _look(self, seat: int, way: tuple[int, int] | None) -> Hashable:
        """What the seat knows of a Deed's way: its pack and the glance before it went, or None."""
        glance = None if way is None else self._glance(seat, *way)
        return None if way is None or glance is None else (way[0], glance)

    def _taker(self, place: Place) -> int | None:
        return self.game.holder(int(place[1]), int(place[2])) if place[0] == "round" else None

    def _with_deeds(self, seat: int, filling: Mapping[str, Place]) -> State:
        world = self.clone()
        for pack in world.packs:
            pack.clear()
        world.aside.clear()
        for deed in filling:
            world.origin.pop(deed, None)
            for hand in world.hands:
                hand -= {deed} - self.public
        for deed, place in filling.items():
            if place[0] == "round":
                world.origin[deed] = (int(place[1]), int(place[2]))
                if not self.is_shown(deed):
                    world.hands[self.game.holder(*world.origin[deed])].add(deed)
            elif place[0] == "pack":
                world.packs[int(place[1])].add(deed)
            else:
                world.aside.add(deed)
        return world

    def returned_lie_apart(self) -> bool:
        """Whether the Omikuji returned at set-up have not joined the deck yet."""
        return PHASES.index(self.phase) <= PHASES.index("omikuji_return")

    def _omikuji_places(self, seat: int) -> tuple[dict[Place, int], dict[str, list[Place]]]:
        """Room in the places that the seat cannot look into, and where each card may be.

        A card that the seat returned at set-up is in a hand only if that seat has drawn since.
        """
        others = [other for other in range(self.game.players) if other != seat]
        room: dict[Place, int] = {("hand", other): len(self.omikuji[other]) for other in others}
        room |= {("bottom", i): 1 for i, (_, putter) in enumerate(self.bottom) if putter != seat}
        room["deck",] = len(self.deck)
        known = self.omikuji[seat] | {card for card, putter in self.bottom if putter == seat}
        own_returned = self.returned[seat]
        if self.returned_lie_apart():
            room |= {("returned", other): len(self.returned[other]) for other in others}
            known |= own_returned
        closed: list[Place] = [("hand", other) for other in others if not self.has_drawn[other]]
        choices = {
            card: [p for p in room if card not in own_returned or p not in closed]
            for card in self.game.tables.omikuji
            if card not in known
        }
        return room, choices

    def _with_omikuji(self, seat: int, filling: Mapping[str, Place]) -> State:
        world = self.clone()
        world.deck.clear()
        for other in range(self.game.players):
            if other != seat:
                world.omikuji[other].clear()
                world.returned[other].clear()
        for card, place in filling.items():
            if place[0] == "hand":
                world.omikuji[int(place[1])].add(card)
            elif place[0] == "bottom":
                world.bottom[int(place[1])] = (card, self.bottom[int(place[1])][1])
            elif place[0] == "returned":
                world.returned[int(place[1])].add(card)
            else:
                world.deck.add(card)
        return world

    def maybe_returned(self) -> set[str]:
        """The Omikuji that anybody may have returned: not those of a seat that never drew."""
        kept = [hand for hand, drew in zip(self.omikuji, self.has_drawn, strict=True) if not drew]
        return set(self.game.tables.omikuji).difference(*kept)

    def _returned_places(self, seat: int) -> tuple[dict[Place, int], dict[str, list[Place]]]:
        """Two cards for the memory of each other seat, the rest for none."""
        cards = self.maybe_returned() - self.returned[seat]
        others = [other for other in range(self.game.players) if other != seat]
        room: dict[Place, int] = {("returned", other): OMIKUJI_RETURNED for other in others}
        room["not returned",] = len(cards) - OMIKUJI_RETURNED * len(others)
        return room, {card: list(room) for card in self.game.sort_omikuji(cards)}

    def _with_returned(self, seat: int, filling: Mapping[str, Place]) -> State:
        world = self.clone()
        world.returned = [
            self.returned[other]
            if other == seat
            else {card for card, place in filling.items() if place == ("returned", other)}
            for other in range(self.game.players)
        ]
        return world

    # -- copies and checks -----------------------------------------------------------------------

    def clone(self) -> State:
        """An independent copy."""
        return State(
            game=self.game,
            phase=self.phase,
            season=self.season,
            agenda=list(self.agenda),
            lanterns=dict(self.lanterns),
            red=set(self.red),
            tokens={t: dict(lying) for t, lying in self.tokens.items()},
            goods=[dict(own) for own in self.goods],
            gold=list(self.gold),
            honor=list(self.honor),
            fox=set(self.fox),
            bag=dict(self.bag),
            revealed=set(self.revealed),
            active=self.active,
            supplement=self.supplement,
            circles=dict(self.circles),
            present={place: set(seats) for place, seats in self.present.items()},
            hands=[set(hand) for hand in self.hands],
            public=set(self.public),
            built=[set(row) for row in self.built],
            pile=set(self.pile),
            packs=[set(pack) for pack in self.packs],
            aside=set(self.aside),
            origin=dict(self.origin),
            omikuji=[set(hand) for hand in self.omikuji],
            returned=[set(pair) for pair in self.returned],
            deck=set(self.deck),
            bottom=list(self.bottom),
            has_drawn=list(self.has_drawn),
        )

    def token_places(self) -> list[Goods]:
        """Everywhere Structures lie outside the bag."""
        return [*self.tokens.values(), *self.goods]

    def placed_deeds(self) -> list[str]:
        """Every Deed, place by place."""
        places = [*self.hands, *self.built, self.pile, *self.packs, self.aside]
        return [deed for place in places for deed in place]

    def placed_omikuji(self) -> list[str]:
        """Every Omikuji, place by place."""
        apart = self.returned if self.returned_lie_apart() else []
        cards = [card for place in [*self.omikuji, self.deck, *apart] for card in place]
        return cards + [card for card, _ in self.bottom]

    def kitsune_is_up(self) -> bool:
        """Whether a Kitsune card lies face up."""
        revealing = Step("kitsune") in self.agenda
        return self.phase == "placements" or (self.phase == "kitsune" and not revealing)

    def kitsune_due(self) -> int:
        """How many Kitsune cards have been turned up by now."""
        before = PHASES.index(self.phase) < PHASES.index("placements")
        return self.season - 1 if before and not self.kitsune_is_up() else self.season

    def check(self) -> None:
        """ValueError unless all components are in one place each and the parts fit together."""
        self._check_board()
        self._check_tokens()
        self._check_deeds()
        self._check_omikuji()
        if self.phase != "over" and not self.possible():
            raise ValueError(f"nothing is left to do in the phase {self.phase!r}")

    def _check_board(self) -> None:
        tables = self.game.tables
        if self.phase not in PHASES or not 1 <= self.season <= SEASONS:
            raise ValueError(f"there is no phase {self.phase!r} in season {self.season}")
        if self.phase == "over" and (self.season, self.agenda) != (SEASONS, []):
            raise ValueError("the game is over after season 5, with nothing left to do")
        lanterns = sorted(self.lanterns.values())
        if len(set(lanterns)) < len(lanterns) or not set(lanterns) <= set(tables.lanterns):
            raise ValueError("each Lantern lies on one territory")
        if self.phase != "lanterns" and set(self.lanterns) != set(tables.territories):
            raise ValueError("after set-up a Lantern lies on each territory")
        if not self.red <= set(self.lanterns):
            raise ValueError("only a Lantern can have its red side up")
        if not self.revealed <= set(tables.kitsune) or len(self.revealed) != self.kitsune_due():
            raise ValueError("one Kitsune card is revealed each season")
        if (self.active is not None) != self.kitsune_is_up():
            raise ValueError("a Kitsune card is up from its reveal to the last placement")
        if self.active is not None and self.active not in self.revealed:
            raise ValueError("the active Kitsune card has been revealed")
        if not 0 <= self.supplement <= MAX_SUPPLEMENT:
            raise ValueError("Supplement Gold holds 0 to 6 Gold")
        if any(self.free_spaces(t) < 0 for t in tables.territories):
            raise ValueError("a territory has more Shrines than spaces")
        self._check_workers()

    def _check_workers(self) -> None:
        places = self.game.places
        placed = 0
        if self.phase == "placements":
            waiting = [step.name for step in self.agenda].count("place")
            placed = self.game.players * self.game.workers - waiting
        if list(self.circles) != places or list(self.present) != places:
            raise ValueError("workers stand on places")
        if any(not 0 <= self.circles[p] <= self.game.circles(p) for p in places):
            raise ValueError("each circle holds one worker")
        if sum(self.circles.values()) > placed:
            raise ValueError("there are more workers on the board than were placed")
        for place in places:
            seats, circles = len(self.present[place]), self.circles[place]
            if seats == 0 < circles or 0 < circles < min(seats, self.game.circles(place)):
                raise ValueError(f"{seats} seats cannot stand at {place} in {circles} circles")
            if seats > 0 == circles:
                raise ValueError(f"a Fox enters {place} only when its circles are taken")

    def _check_tokens(self) -> None:
        n = self.game.players
        if not len(self.goods) == len(self.gold) == len(self.honor) == n:
            raise ValueError("each seat has Structures, Gold and honor")
        for kind in KINDS:
            counts = [self.bag[kind], *(place[kind] for place in self.token_places())]
            if sum(counts) != TOKENS_OF_A_KIND or min(counts) < 0:
                raise ValueError(f"there are {TOKENS_OF_A_KIND} tokens of {kind}, not {counts}")
        if min(*self.gold, *self.honor) < 0 or not self.fox <= set(range(n)):
            raise ValueError("nobody has less than nothing")

    def _check_deeds(self) -> None:
        n = self.game.players
        if not len(self.hands) == len(self.built) == len(self.packs) == n:
            raise ValueError("each seat has a hand of Deeds, a play area and a pack")
        if sorted(self.placed_deeds()) != sorted(self.game.tables.deeds):
            raise ValueError("each Deed must lie in exactly one place")
        if not self.public <= set().union(*self.hands):
            raise ValueError("a public Deed is in a hand")
        for pack in range(n):
            rounds = sorted(round_ for p, round_ in self.origin.values() if p == pack)
            if rounds != list(range(1, len(rounds) + 1)):
                raise ValueError("each round takes one Deed from each pack")
            if not self.aside_is_hidden() and len(rounds) != self.game.pack_size:
                raise ValueError("the draft takes all Deeds of each pack")
        for seat, hand in enumerate(self.hands):
            for deed in hand - self.public:
                if deed not in self.origin or self.game.holder(*self.origin[deed]) != seat:
                    raise ValueError(f"{deed} is in a hand that neither drafted nor bought it")
        if self.aside and not self.aside_is_hidden():
            raise ValueError("after the draft all undealt Deeds lie open")

    def _check_omikuji(self) -> None:
        if not len(self.omikuji) == len(self.returned) == len(self.has_drawn) == self.game.players:
            raise ValueError("each seat has Omikuji, a memory of two and has drawn or not")
        if sorted(self.placed_omikuji()) != sorted(self.game.tables.omikuji):
            raise ValueError("each Omikuji must lie in exactly one place")
        if self.returned_lie_apart():
            return
        memories = [card for pair in self.returned for card in pair]
        if any(len(pair) not in (0, OMIKUJI_RETURNED) for pair in self.returned):
            raise ValueError("each seat returned two Omikuji, unless it is left out")
        if len(set(memories)) < len(memories) or not set(memories) <= self.maybe_returned():
            raise ValueError("no two seats returned the same card, and a seat must draw to get one")
        for seat, hand in enumerate(self.omikuji):
            if len(hand) < OMIKUJI_KEPT:
                raise ValueError(f"seat {seat} has kept three Omikuji")
            if len(hand) > OMIKUJI_KEPT and not self.has_drawn[seat]:
                raise ValueError(f"seat {seat} has more than three Omikuji without drawing")
        if not all(self.has_drawn[seat] for _, seat in self.bottom):
            raise ValueError("only a seat that has drawn puts an Omikuji at the bottom")


def _seat(step: Step) -> int:
    assert step.seat is not None
    return step.seat


def _spread(
    worlds: Iterable[State],
    seat: int,
    places: Callable[[State, int], tuple[dict[Place, int], dict[str, list[Place]]]],
    fill: Callable[[State, int, Mapping[str, Place]], State],
) -> list[State]:
    """From each world all those that differ from it in one of the things hidden from the seat."""
    spread: list[State] = []
    for world in worlds:
        for filling in _ways(*places(world, seat)):
            if len(spread) == MAX_WORLDS:
                raise ValueError(f"more than {MAX_WORLDS} worlds are too many to list")
            spread.append(fill(world, seat, filling))
    return spread


def _ways(room: dict[Place, int], choices: dict[str, list[Place]]) -> Iterator[dict[str, Place]]:
    """Every way to put each card into one of its places; the places have room for just so many."""
    if not choices:
        yield {}
        return
    card = min(choices, key=lambda each: len(choices[each]))
    others = {other: places for other, places in choices.items() if other != card}
    for place in choices[card]:
        if room[place] > 0:
            for rest in _ways({**room, place: room[place] - 1}, others):
                yield {card: place, **rest}

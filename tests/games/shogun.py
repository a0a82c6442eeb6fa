"""Shogun for the tests: its texts written from the reference rules alone, its adapter."""

import math
import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import henro
from tests.families.adapter import Pool, SmallCase
from tests.reference.shogun import (
    BID,
    BLANK,
    CHEST_CARDS,
    EMPTY,
    HIDDEN,
    HIGHEST_BID,
    Plan,
    Shogun,
    State,
)
from tests.reference.shogun_tables import BUILDINGS, DEFAULT

Knowledge = Mapping[str, Any]
"""What `State.knows` of the reference says, by the names of its parts."""
STEPS = {"card": "claim", "march": "move", "battle": "move", "break_out": "revolt"}
"""Steps of the reference that bear another name in texts."""
SPACES = [*DEFAULT.prices, BID]
MOST_WORLDS = 40
"""Worlds of a small case."""
GAMES_TO_FIND_ONE = 40

# -- texts ---------------------------------------------------------------------------------------


def load(rules: Shogun) -> henro.Game:
    """The game of the reference rules."""
    return henro.load_game(
        "shogun",
        players=rules.players,
        board=rules.board,
        setup="lineup" if rules.lineup else "draft",
        tower=tower_name(rules),
    )


def rules_of(game: henro.Game) -> Shogun:
    """The reference rules of the game."""
    return Shogun(game.players, **game.options)


def tower_name(rules: Shogun) -> str:
    return next(name for name, tower in rules.tables.towers.items() if tower is rules.tower)


def position(reference: State) -> henro.State:
    """The position of a reference state, read from its text."""
    game = load(reference.game)
    return game.deserialize_state(position_text(reference, game.components_id))


def position_text(state: State, components: str) -> str:
    """The full position of a reference state, as `henro.State.serialize` writes it.

    In winter the reference has forgotten on which slots the turn order was taken: the first ones.
    """
    return _text(state.game, facts_of(state.knows(0)), components, state.plans)


def view_text(rules: Shogun, knows: Hashable, components: str) -> str:
    """What a seat knows in the reference's words, as `henro.State.view` writes it.

    Nothing but `State.knows` goes in, so an equal text shows that the view says no more than the
    seat knows; and as every part of it has a place in the text, that it says no less.
    """
    facts = facts_of(knows)
    plans = [dict(plan) for plan in facts["plans"]]
    return _text(rules, facts, components, plans, seat=facts["seat"])


def facts_of(knows: Hashable) -> Knowledge:
    assert isinstance(knows, tuple)
    return dict(knows)


def essential(text: str) -> str:
    """The text without the past that it keeps in winter: which specials had been taken, at the end
    also by whom, and how many farmers came to a last revolt."""
    parts = parts_of(text)
    if parts["season"] == "winter":
        takers = [slot.split(":")[1] for slot in parts["specials"].split(",") if ":" in slot]
        parts["specials"] = "-" if parts["step"] == "end" else ",".join(takers)
        if (parts["step"], parts["drawn"]) == ("tower", "-"):
            parts["extra"] = "-"
    return _joined(parts)


def parts_of(text: str) -> dict[str, str]:
    """The parts of a position or view."""
    return dict(part.split("=", 1) for part in text.split()[1:])


def _joined(parts: Mapping[str, object]) -> str:
    return " ".join(["shogun", *(f"{key}={value}" for key, value in parts.items())])


def _text(
    rules: Shogun,
    facts: Knowledge,
    components: str,
    plans: Sequence[Plan],
    seat: int | None = None,
) -> str:
    return _joined(
        {
            "players": rules.players,
            "components": components,
            "board": rules.board,
            "setup": "lineup" if rules.lineup else "draft",
            "tower": tower_name(rules),
            **({} if seat is None else {"seat": seat}),
            **_moment(facts, rules.players),
            **_cards(rules, facts),
            "lands": "/".join(_lands(rules, facts, p) for p in range(rules.players)),
            "chests": _list(facts["chests"]),
            "rice": _list(facts["rice"]),
            "points": _list(facts["vp"]),
            "stuck": _list(facts["tower"]),
            "tray": _list(a + b for a, b in zip(facts["tray"], facts["thrown"], strict=True)),
            "throw": _throw(facts),
            **_draft(rules, facts),
            **_plans(rules, facts, plans),
            **_revolts(rules, facts),
        }
    )


def _list(things: Iterable[object]) -> str:
    return ",".join(map(str, things)) or "-"


def _some(thing: object | None) -> str:
    return "-" if thing is None else str(thing)


def _step(facts: Knowledge) -> str:
    if facts["phase"] == "over":
        return "end"
    name: str = facts["agenda"][0].name
    return STEPS.get(name, name)


def _contest(facts: Knowledge) -> tuple[int | None, str | None]:
    """While cubes fall: whose deed it was, or in winter whose misfortune, and in which province."""
    for step in facts["agenda"]:
        if step.name.startswith("after_"):
            return step.seat, step.ids[0]
    return None, None


def _moment(facts: Knowledge, players: int) -> dict[str, object]:
    phase, step = facts["phase"], _step(facts)
    winter = phase == "winter"
    seat = facts["agenda"][0].seat if facts["agenda"] else None
    acting, victim = seat, None
    if step == "tower":
        acting, victim = _contest(facts)[0], _contest(facts)[0]
    elif winter:
        assert seat is not None
        victim = seat if step == "winter" else (seat - 1) % players
    season = {"draft": "setup", "seed": "setup", "winter": "winter", "over": "winter"}
    return {
        "year": facts["year"],
        "season": season.get(phase, facts["season"]),
        "step": step,
        "active": _some(None if winter and step != "revolt" else acting),
        "victim": _some(victim if winter else None),
        "field": facts["field"] if phase == "actions" and step in ("move", "tower") else "-",
    }


def _cards(rules: Shogun, facts: Knowledge) -> dict[str, object]:
    events = rules.tables.events
    lying = {*facts["unopened"], *facts["opened"], facts["event"]}
    takers, slots = facts["takers"], facts["slots"]
    if facts["phase"] in ("winter", "over"):
        slots = list(rules.tables.specials)
        takers = facts["order"] or sorted({seat for seat in facts["owner"] if seat is not None})
        takers = [*takers, *[None] * (len(slots) - len(takers))]
    taken = [
        special if taker is None else f"{special}:{taker}"
        for special, taker in zip(slots, takers, strict=True)
    ]
    return {
        "event": _some(facts["event"]),
        "faceup": _list(event for event in events if event in facts["opened"]),
        "used": _list(event for event in events if event not in lying),
        "fields": _filled(facts["fields"], len(rules.actions)),
        "specials": _filled(taken, len(rules.tables.specials)),
    }


def _filled(things: Sequence[str], places: int) -> str:
    return ",".join([*things, *["-"] * (places - len(things))])


def _lands(rules: Shogun, facts: Knowledge, seat: int) -> str:
    return _list(
        f"{province}:{armies}"
        + "".join(f"+{building}" for building in BUILDINGS if building in buildings)
        + (f"!{markers}" if markers else "")
        for province, owner, armies, buildings, markers in zip(
            rules.provinces,
            facts["owner"],
            facts["armies"],
            facts["buildings"],
            facts["markers"],
            strict=True,
        )
        if owner == seat
    )


def _throw(facts: Knowledge) -> str:
    if _step(facts) != "tower":
        return "-"
    step = facts["agenda"][0]
    return f"{step.number}/{step.ids[0]}/{_some(_contest(facts)[1])}"


def _draft(rules: Shogun, facts: Knowledge) -> dict[str, object]:
    if facts["phase"] != "draft":
        return dict.fromkeys(("open", "card", "stale", "under", "groups"), "-")
    step = facts["agenda"][0]
    return {
        "open": ",".join(map(_some, facts["open_pair"])),
        "card": step.ids[0] if step.name == "group" else "-",
        "stale": facts["stale"],
        "under": _list(facts["under"]),
        "groups": "/".join(map(_list, facts["groups"])),
    }


def _plans(rules: Shogun, facts: Knowledge, plans: Sequence[Plan]) -> dict[str, object]:
    if facts["phase"] in ("draft", "seed", "winter", "over"):
        return dict.fromkeys(("plans", "changed"), "-")
    return {
        "plans": "/".join(_list(plan.values()) for plan in plans),
        "changed": _list(rules.sort(facts["changed"])),
    }


def _revolts(rules: Shogun, facts: Knowledge) -> dict[str, object]:
    if facts["phase"] != "winter":
        return dict.fromkeys(("drawn", "draws", "extra"), "-")
    names = [step.name for step in facts["agenda"]]
    farmers = [step.number for step in facts["agenda"] if step.name == "break_out"]
    return {
        "drawn": _list(rules.sort(facts["drawn"])),
        "draws": names.count("winter"),
        "extra": _list(farmers[:1]),
    }


# -- plans that a seat does not see --------------------------------------------------------------


@cache
def fillings(actions: int, provinces: int, chests: int, empties: int, bids: int | None) -> int:
    """In how many ways cards may lie on so many action spaces and, unless `bids` is None, on the
    space of the bid: so many different provinces, chest cards and empty spaces at most. A chest
    card that is bid has one of `bids` values (SU57)."""
    if actions == 0 and bids is None:
        return 1
    kinds = [
        (provinces, (provinces - 1, chests, empties)),
        (chests > 0, (provinces, chests - 1, empties)),
        (empties > 0, (provinces, chests, empties - 1)),
    ]
    if actions == 0:
        return provinces + (chests > 0) * (bids or 0) + (empties > 0)
    return sum(ways * fillings(actions - 1, *left, bids) for ways, left in kinds if ways)


class Sealed:
    """What may lie on the spaces of another seat that a seat does not see."""

    def __init__(self, parts: Mapping[str, str], seen: Sequence[str], other: int) -> None:
        """`seen` is the other's plan in the view of the seat."""
        own = [land.split(":")[0] for land in names(parts["lands"].split("/")[other])]
        kept = [province for province in own if province not in names(parts["changed"])]
        bids = min(HIGHEST_BID, int(parts["chests"].split(",")[other])) + 1
        chest_cards = sum(what == BLANK or what.isdigit() for what in seen)
        planning = parts["step"] in ("plan", "bid")
        self.spaces = [space for space, what in zip(SPACES, seen, strict=False) if what == HIDDEN]
        self.provinces = [province for province in kept if province not in seen]
        self.actions = len(self.spaces) - (BID in self.spaces)
        self.chests = CHEST_CARDS - chest_cards
        self.empties = max(0, len(SPACES) - CHEST_CARDS - len(own)) if planning else 0
        self.bids = bids if BID in self.spaces else None

    def ways(self) -> int:
        return fillings(self.actions, len(self.provinces), self.chests, self.empties, self.bids)

    def shares(self) -> dict[str, Fraction]:
        """How many provinces lie on each space in the mean, and how many on none."""
        provinces = len(self.provinces)
        left = (provinces - 1, self.chests, self.empties)
        action = fillings(self.actions - 1, *left, self.bids) if self.actions else 0
        bid = fillings(self.actions, *left, None)
        shares = {
            space: Fraction(provinces * (bid if space == BID else action), self.ways())
            for space in self.spaces
        }
        return {**shares, "hand": provinces - sum(shares.values(), Fraction(0))}


def names(entry: str) -> list[str]:
    return [] if entry == "-" else entry.split(",")


def sealed_cards(state: henro.State, seat: int) -> dict[int, Sealed]:
    """For each seat whose plan is not all open to a seat what may lie there."""
    parts, seen = parts_of(state.serialize()), parts_of(state.view(seat))["plans"]
    plans = enumerate(names(plan) for plan in seen.split("/"))
    return {other: Sealed(parts, plan, other) for other, plan in plans if HIDDEN in plan}


def plan_pools(state: henro.State, seat: int) -> list[Pool]:
    """For each other seat the provinces that may lie on the spaces that the seat does not see.

    Any of them may lie on any space as well; where none does there is a chest card or nothing.
    """
    plans = [names(plan) for plan in parts_of(state.serialize())["plans"].split("/")]
    pools = []
    for other, sealed in sealed_cards(state, seat).items():
        laid = dict(zip(SPACES, plans[other], strict=False))
        places = {
            space: (laid[space],) if laid[space] in sealed.provinces else ()
            for space in sealed.spaces
        }
        rest = tuple(p for p in sealed.provinces if (p,) not in places.values())
        if sealed.provinces:
            pools.append(Pool({**places, "hand": rest}, sealed.shares()))
    return pools


# -- small cases ---------------------------------------------------------------------------------


def small_game_cases(game: henro.Game, steps: Iterable[str]) -> list[SmallCase]:
    """A moment of a random game at each of these steps at which a seat has few worlds."""
    rules = rules_of(game)
    wanted = list(steps)
    cases = []
    rng = random.Random(f"small cases, {game.players} players")
    for _ in range(GAMES_TO_FIND_ONE):
        reference = rules.new()
        while reference.actor() is not None:
            step, seat = _step(facts_of(reference.knows(0))), rng.randrange(game.players)
            if step in wanted and 1 < worlds_of(reference, seat) <= MOST_WORLDS:
                cases.append(small_case(reference, seat))
                wanted.remove(step)
            if not wanted:
                return cases
            reference.apply(rng.choice(reference.possible()))
    raise AssertionError(f"shogun-{game.players}: no moment with few worlds at {wanted}")


def worlds_of(reference: State, seat: int) -> int:
    """How many worlds a seat cannot tell from this one, as the plans are seen in its view."""
    facts = facts_of(reference.knows(seat))
    parts = parts_of(position_text(reference, "-"))
    plans = enumerate([what for _, what in plan] for plan in facts["plans"])
    return math.prod(Sealed(parts, seen, other).ways() for other, seen in plans if HIDDEN in seen)


def small_case(reference: State, seat: int) -> SmallCase:
    components = load(reference.game).components_id
    worlds = {position_text(world, components): p for world, p in reference.worlds(seat)}
    return SmallCase(position_text(reference, components), seat, worlds)


def few_provinces(rules: Shogun) -> State:
    """After planning in a later year: two seats have a province each, seat 1 has two and no chest,
    so that nobody knows how they bid; the others have none any more."""
    lands = {"kai": (0, 3), "omi": (1, 2), "izu": (1, 4), "aki": (2, 6)}
    plans = [
        {"castle": EMPTY, "temple": "kai"},
        {"rice": "izu", "tax": EMPTY, BID: "omi"},
        {"castle": "aki", BID: "1"},
    ]
    return rules.setup(
        phase="event",
        year=2,
        season="summer",
        provinces=lands,
        chests=[0, 0, 1, *[5] * (rules.players - 3)],
        plans=[*plans, *[{}] * (rules.players - 3)],
    )


# -- adapter -------------------------------------------------------------------------------------


class ShogunAdapter:
    kinds = frozenset({
        "open", "draw", "seeding", "throw", "revolt_throw", "face", "field", "turn_up", "special",
        "event", "tie", "winter", "claim", "group", "plan", "bid", "pick", "march", "battle",
        "revolt", "end",
    })  # fmt: skip
    max_state_bytes = 256
    open_end = True
    forgotten: frozenset[str] = frozenset()

    def kind(self, state: henro.State) -> str:
        """The step of the text, told apart further by what it belongs to."""
        parts = parts_of(state.serialize())
        fields = names(parts["fields"])
        match parts["step"]:
            case "tower":
                kinds = {"setup": "seeding", "winter": "revolt_throw"}
                return kinds.get(parts["season"], "throw")
            case "field":
                return "field" if "-" in fields[:5] else "turn_up"
            case "move":
                action = fields[int(parts["field"]) - 1]
                return "march" if action == "deploy1" else "battle"
            case step:
                return step

    def shows_more(self, state: henro.State) -> bool:
        """After the last bid all see which spaces are empty, after the event the bids, and while
        actions are carried out what was planned for the next one and which cards are void."""
        kind, parts = self.kind(state), parts_of(state.serialize())
        if kind == "bid":
            later = parts["lands"].split("/")[int(parts["active"]) + 1 :]
            return all(entry == "-" for entry in later)
        return kind in ("event", "pick", "turn_up", "march", "battle", "throw")

    def max_legal(self, players: int) -> int:
        """All armies but one of a seat into any of nine provinces, or none."""
        return 9 * (DEFAULT.supply["armies"] - 1) + 1

    def hides_choices(self, state: henro.State, seat: int) -> bool:
        return False  # what is hidden is in the pools

    def pools(self, state: henro.State, seat: int) -> list[Pool]:
        return plan_pools(state, seat)

    def small_cases(self, game: henro.Game) -> list[SmallCase]:
        return [
            *small_game_cases(game, ["plan", "move", "tower"]),
            *(small_case(few_provinces(rules_of(game)), seat) for seat in (0, 1)),
        ]


ADAPTER = ShogunAdapter()

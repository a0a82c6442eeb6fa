"""The components of Shogun: board, cards, play aids and the models of its tower.

All ids are fixed, for the rules know them. Decision ids (SU6) are those of `docs/games/shogun.md`.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import gcd
from typing import Any

from henro.components.schema import (
    Choice,
    Each,
    Row,
    RowRule,
    Rule,
    Schema,
    Subset,
    Table,
    Whole,
    shown,
)

REGIONS = ("brown", "yellow", "red", "purple", "green")
SIDES = ("sun", "moon")
"""Of the board."""

PROVINCES = (
    "mutsu", "echigo", "shimotsuke", "hitachi", "kozuke", "shinano", "etchu", "kaga", "noto",
    "awa_boso", "kazusa", "shimosa", "musashi", "sagami", "kai", "suruga", "izu", "totomi",
    "mikawa", "owari", "mino", "hida", "echizen", "omi", "wakasa", "tamba", "harima",
    "shima", "ise", "kii", "yamato", "settsu", "sanuki", "awa_shikoku", "tosa", "iyo",
    "tajima", "hoki", "mimasaka", "bizen", "bitchu", "bingo", "izumo", "iwami", "aki",
)  # fmt: skip
OF_A_REGION = 9
LEFT_OUT = 8
"""Provinces of a side that do not exist with 3 players (SU6)."""
PRINTED = {"chests": 220, "rice": 140, "spaces": 87}
"""What all provinces show together."""
BORDERS = 91
MOST_NEIGHBORS = 9
"""Bounds the moves open to an army."""

EVENTS = (
    "tax_max5", "tax_min6", "rice_max3", "rice_min4", "levy", "farmers2",
    "temple_a", "temple_b", "castle_a", "castle_b", "theater_a", "theater_b",
)  # fmt: skip
WINTER_LOSSES = 40
"""Of all events together."""

DEPLOYING = ("deploy5", "deploy3", "deploy1")
ACTIONS = ("castle", "temple", "theater", "rice", "tax", *DEPLOYING, "battlea", "battleb")

SUPPLY = {
    "armies": 62,
    "farmers": 20,
    "castles": 28,
    "temples": 26,
    "theaters": 26,
    "seed_armies": 7,
    "seed_farmers": 10,
}

GROUPS = {3: 9, 4: 8, 5: 7}
"""Provinces of each seat at the start, by the number of players."""
SEATS = tuple(f"p{seat}/{players}" for players in GROUPS for seat in range(players))

FRACTION = re.compile(r"0|1|[1-9][0-9]{0,2}/[1-9][0-9]{0,2}")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two provinces, "mutsu-echigo", the earlier of PROVINCES first; for C++ their indices."""

    def codes(self, value: str) -> tuple[int, ...]:
        first, second = value.split("-")
        return (PROVINCES.index(first), PROVINCES.index(second))

    def fault(self, value: Any) -> str | None:
        names = value.split("-") if isinstance(value, str) else []
        if len(names) != 2:
            return f"must be two provinces with - between, not {shown(value)}"
        for name in names:
            if name not in PROVINCES:
                return f"must be of provinces, which {shown(name)} is not"
        first, second = self.codes(value)
        if first < second:
            return None
        return f"must be two provinces in the order of the table provinces, not {shown(value)}"


@dataclass(frozen=True, slots=True)
class Probability:
    """A fraction "3/4" in lowest terms, at most "1"; for C++ numerator and denominator."""

    zero: bool
    """Whether it may be "0"."""

    def codes(self, value: str) -> tuple[int, ...]:
        top, _, bottom = value.partition("/")
        return (int(top), int(bottom or 1))

    def fault(self, value: Any) -> str | None:
        if isinstance(value, str) and FRACTION.fullmatch(value):
            top, bottom = self.codes(value)
            whole = value == "1" or (value == "0" and self.zero)
            if whole or (0 < top < bottom and gcd(top, bottom) == 1):
                return None
        bounds = '"0" to "1"' if self.zero else 'above "0" to "1"'
        return (
            f'must be a fraction in lowest terms such as "3/4", {bounds} and with '
            f"denominators up to 999, not {shown(value)}"
        )


@dataclass(frozen=True, slots=True)
class Provinces:
    """A list of `least` to `most` provinces; for C++ `most` indices, -1 for the missing ones."""

    least: int
    most: int

    def codes(self, value: list[str]) -> tuple[int, ...]:
        return (*map(PROVINCES.index, value), *[-1] * (self.most - len(value)))

    def fault(self, value: Any) -> str | None:
        if not isinstance(value, list):
            return f"must be a list of provinces, not {shown(value)}"
        if not self.least <= len(value) <= self.most:
            return f"must list {self.least} to {self.most} provinces, not {len(value)}"
        for number, name in enumerate(value, 1):
            if name not in PROVINCES:
                return f"value {number} must be a province, not {shown(name)}"
            if name in value[: number - 1]:
                return f"names {name} twice"
        return None


class Seat(Choice):
    """A seat and the number of players, "p0/3"; for C++ the number of players and the seat."""

    __slots__ = ()

    def codes(self, value: str) -> tuple[int, ...]:
        seat, players = value.removeprefix("p").split("/")
        return (int(players), int(seat))


class Coded(Table):
    """A table whose keys C++ gets among the integers; of any length unless it says how long."""

    __slots__ = ()

    @property
    def is_named(self) -> bool:
        return False

    def _key_faults(self, raw: list[Any]) -> Iterator[str]:
        count = self.count or len(self.keys) or len(raw)
        return Table._key_faults(replace(self, count=count), raw)


def printed(values: dict[str, int]) -> RowRule:
    """A rule that a row has the count that `values` has for its id."""

    def rule(row: Row) -> str | None:
        wanted = values[row["id"]]
        return None if row["count"] == wanted else f"count must be {wanted}, not {row['count']}"

    return rule


def only_deploying_brings_armies(action: Row) -> str | None:
    deploys = action["id"] in DEPLOYING
    for column in ("armies", "levy_armies"):
        if deploys != (action[column] > 0):
            return f"{column} must be {'above 0' if deploys else 0}, not {action[column]}"
    if action["levy_armies"] <= action["armies"]:
        return None
    return f"levy_armies must be at most armies, {action['armies']}, not {action['levy_armies']}"


def groups_fit(setup: Row) -> str | None:
    groups, wanted = setup["groups"], GROUPS[setup["players"]]
    if len(groups) != wanted:
        return f"groups must list {wanted} values, not {len(groups)}"
    if groups != sorted(groups, reverse=True):
        return "groups must descend"
    return None


def tower_lets_go(tower: Row) -> str | None:
    if tower["q0"] != "0" or tower["r"] != "0":
        return None
    return "q0 or r must be above 0, for nothing stuck would ever come out"


def revolts_are_possible(provision: Row) -> str | None:
    """The missing rice is never more than the provinces there are (SU47)."""
    missing, revolts = provision["missing"], provision["revolts"]
    low = min(1, missing)
    if low <= revolts <= missing:
        return None
    return f"revolts must be from {low} to {missing} when {missing} rice is missing, not {revolts}"


def nine_a_region(provinces: list[Row]) -> Iterator[str]:
    for side in SIDES:
        counts = Counter(row[f"{side}_region"] for row in provinces)
        for region in REGIONS:
            if counts[region] != OF_A_REGION:
                yield (
                    f"{side}_region: {region} has {counts[region]} provinces, "
                    f"each region must have {OF_A_REGION}"
                )


def eight_left_out(provinces: list[Row]) -> Iterator[str]:
    for side in SIDES:
        if (count := sum(row[f"out3_{side}"] for row in provinces)) != LEFT_OUT:
            yield f"out3_{side}: {count} provinces are left out, must be {LEFT_OUT}"


def provinces_sum_up(provinces: list[Row]) -> Iterator[str]:
    for column, wanted in PRINTED.items():
        if (total := sum(row[column] for row in provinces)) != wanted:
            yield f"{column}: the provinces show {total} together, must be {wanted}"


def losses_sum_up(events: list[Row]) -> Iterator[str]:
    if (total := sum(row["winter_loss"] for row in events)) != WINTER_LOSSES:
        yield f"winter_loss: the cards show {total} together, must be {WINTER_LOSSES}"


def routes_are_no_borders(routes: list[Row], borders: list[Row]) -> Iterator[str]:
    by_land = {row["between"] for row in borders}
    for row in routes:
        if row["between"] in by_land:
            yield f"{row['between']} is a border by land already"


Graph = dict[str, set[str]]


def graph(side: str, left_out: set[str], borders: list[Row], routes: list[Row]) -> Graph:
    """The neighbors of each province in play on a side of the board (SU52)."""
    lines = borders + [row for row in routes if side in row["sides"]]
    found: Graph = {name: set() for name in PROVINCES if name not in left_out}
    for row in lines:
        first, second = row["between"].split("-")
        if first in found and second in found:
            found[first].add(second)
            found[second].add(first)
    return found


def unreached(neighbors: Graph) -> list[str]:
    """The provinces to which no way leads from the first one."""
    seen = {start := next(iter(neighbors))}
    stack = [start]
    while stack:
        new = neighbors[stack.pop()] - seen
        seen |= new
        stack += new
    return [name for name in neighbors if name not in seen]


def every_side_is_a_whole(
    borders: list[Row], routes: list[Row], provinces: list[Row]
) -> Iterator[str]:
    for side in SIDES:
        left_out = {row["id"] for row in provinces if row[f"out3_{side}"]}
        whole = graph(side, set(), borders, routes)
        for name, around in whole.items():
            if len(around) > MOST_NEIGHBORS:
                yield (
                    f"{name} has {len(around)} neighbors on the {side} side, "
                    f"must have {MOST_NEIGHBORS} at most"
                )
        for where, neighbors in (
            (f"the {side} side", whole),
            (f"the {side} side with 3 players", graph(side, left_out, borders, routes)),
        ):
            if cut_off := unreached(neighbors):
                yield f"on {where} no way leads to {', '.join(cut_off)}"


def lineups_can_stand(lineups: list[Row], setup: list[Row], provinces: list[Row]) -> Iterator[str]:
    groups = {row["players"]: len(row["groups"]) for row in setup}
    left_out = {row["id"] for row in provinces if row["out3_sun"]}
    taken: dict[tuple[int, str], str] = {}
    for row in lineups:
        seat, own = row["seat"], row["provinces"]
        players = Seat(SEATS).codes(seat)[0]
        if len(own) != groups[players]:
            yield f"{seat} has {len(own)} provinces, must have {groups[players]}"
        for name in own:
            if (owner := taken.setdefault((players, name), seat)) != seat:
                yield f"{name} is of {owner} and of {seat}"
            if players == 3 and name in left_out:
                yield f"{seat} has {name}, which is left out with 3 players"


def never_falling(provisions: list[Row]) -> Iterator[str]:
    for column in ("revolts", "extra"):
        for less, more in pairwise(provisions):
            if more[column] < less[column]:
                yield (
                    f"{column} must not be fewer for {more['missing']} missing "
                    f"than for {less['missing']}"
                )


REGION, FLAG = Choice(REGIONS), Whole(0, 1)
MOST_GROUPS = max(GROUPS.values())

SCHEMA = Schema(
    game="shogun",
    tables=(
        Table(
            name="provinces",
            item="province",
            key="id",
            columns={
                "id": Choice(PROVINCES),
                "sun_region": REGION,
                "moon_region": REGION,
                "chests": Whole(3, 7),
                "rice": Whole(2, 5),
                "spaces": Whole(1, 3),
                "out3_sun": FLAG,
                "out3_moon": FLAG,
            },
        ),
        Coded(
            name="borders",
            item="border",
            key="between",
            count=BORDERS,
            columns={"between": Pair()},
        ),
        Coded(
            name="routes",
            item="route",
            key="between",
            columns={"between": Pair(), "sides": Subset(SIDES)},
        ),
        Table(
            name="events",
            item="event",
            key="id",
            columns={"id": Choice(EVENTS), "winter_loss": Whole(0, 7)},
        ),
        Table(
            name="actions",
            item="action",
            key="id",
            columns={
                "id": Choice(ACTIONS),
                "price": Whole(0, 9),
                "armies": Whole(0, 5),
                "levy_armies": Whole(0, 5),
            },
            rules=(only_deploying_brings_armies,),
        ),
        Table(
            name="setup",
            item="player count",
            key="players",
            columns={
                "players": Whole(min(GROUPS), max(GROUPS)),
                "chests": Whole(1, 20),
                "groups": Each(Whole(2, 5), min(GROUPS.values()), MOST_GROUPS),
            },
            rules=(groups_fit,),
        ),
        Table(
            name="supply",
            item="supply",
            key="id",
            columns={"id": Choice(tuple(SUPPLY)), "count": Whole(1, 62)},
            rules=(printed(SUPPLY),),
        ),
        Table(
            name="towers",
            item="tower",
            key="id",
            columns={
                "id": Choice(("blend", "sbw", "won")),
                "p_seed": Probability(zero=False),
                "p_new": Probability(zero=False),
                "q0": Probability(zero=True),
                "r": Probability(zero=True),
            },
            rules=(tower_lets_go,),
        ),
        Table(
            name="provisions",
            item="missing rice",
            key="missing",
            columns={"missing": Whole(0, 7), "revolts": Whole(0, 3), "extra": Whole(0, 3)},
            rules=(revolts_are_possible,),
        ),
        Coded(
            name="lineups",
            item="seat",
            key="seat",
            columns={
                "seat": Seat(SEATS),
                "provinces": Provinces(min(GROUPS.values()), MOST_GROUPS),
            },
        ),
    ),
    rules=(
        Rule(("provinces",), nine_a_region),
        Rule(("provinces",), eight_left_out),
        Rule(("provinces",), provinces_sum_up),
        Rule(("routes", "borders"), routes_are_no_borders),
        Rule(("borders", "routes", "provinces"), every_side_is_a_whole),
        Rule(("events",), losses_sum_up),
        Rule(("provisions",), never_falling),
        Rule(("lineups", "setup", "provinces"), lineups_can_stand),
    ),
)

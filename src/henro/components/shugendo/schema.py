"""The components of Shugendo that differ from box to box, and what is printed about them.

Cards and Reward tiles are named by the file. All other ids are fixed: effects, tokens and cells,
for the rules know them, boards and Milestone cards, for they have no printed names. Decision ids
(SG38) are those of `docs/games/shugendo.md`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from henro.components.schema import (
    Choice,
    Each,
    Row,
    RowId,
    RowRule,
    Rule,
    Schema,
    Table,
    Whole,
    quoted,
    shown,
)

TRACKS = ("compass", "hammer", "book")
GAINS = (*TRACKS, "any", "silver", "pilgrim", "vp")
ICONS = (*TRACKS, "compass_hammer", "compass_book", "hammer_book", "any")
BONUSES = ("gold", "silver", "pilgrim", "vp")
SPECIALS = (
    "sp_vp_prefectures",
    "sp_pilgrim_sets",
    "sp_vp_sets",
    "sp_vp_cities",
    "sp_vp_villages",
    "sp_vp_farms",
    "sp_vp_revealed",
    "sp_silver_farms",
    "sp_silver_villages",
    "sp_silver_cities",
    "sp_step_forest",
    "sp_vp_hills",
    "sp_vp_mountains",
)
IVORY = ("iv_swap", "iv_leap", "iv_calm", "iv_alms", "iv_peaks")
IRON = ("ir_farms", "ir_village", "ir_gift", "ir_boost", "ir_guest")
GOLD = ("go_forgive", "go_humble", "go_villages", "go_learning", "go_shrines")

DESIGNS = 54
CARDS_OF_AGE = (13, 34, 30, 26)
"""Age 0 are the starting cards of one player."""
BOARDS = ("board_common", "board_crane", "board_fox", "board_koi", "board_deer")
MILESTONES = ("ms_common", "ms_a", "ms_b", "ms_c", "ms_d", "ms_e")
TILES_OF_LEVEL = 5

ROWS, COLUMNS = 4, 5
CELLS = tuple(f"{row}{column}" for row in "abcd" for column in range(1, COLUMNS + 1))
TERRAINS = ("forest", "hills", "mountains", "lake")
MOST_OF = {"forest": 8, "hills": 6, "mountains": 4}
"""With these 65 tiles are enough for four maps (SG1)."""
PLACES = ("start", "ivory", "iron", "gold")
LAKES, BONUS_CELLS, PENALTIES, PENALTY_VP = 4, 5, 4, 10

DOTS = 4
"""Of the last token in a group of four; a token with more dots than players stays in the box."""

RANGE_OF = {
    "start_silver": (2, 2),
    "track_start": (1, 1),
    "compass_end": (9, 15),
    "hammer_end": (9, 15),
    "book_end": (10, 15),
    "display_1": (5, 5),
    "display_2": (4, 4),
    "display_3": (3, 3),
    "mischief": (7, 7),
    "prefecture_stars": (6, 6),
    "round_limit": (1, 60),
    "age_cost_2": (5, 5),
    "age_cost_3": (7, 7),
    "age_cost_4": (8, 8),
    "age_cost_5": (10, 10),
    "shrines_1": (0, 20),
    "shrines_2": (0, 20),
    "shrines_3": (0, 20),
    "five_vp": (5, 5),
    "end_vp": (15, 15),
}
"""What the rulebook prints stands fixed."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """How many there are of each of a few words, those of which there are none left out.

    C++ gets the number of each word, in their order.
    """

    words: tuple[str, ...]
    most: int

    def codes(self, value: dict[str, int]) -> tuple[int, ...]:
        return tuple(value.get(word, 0) for word in self.words)

    def fault(self, value: Any) -> str | None:
        if not isinstance(value, dict):
            return f"must say how many of {', '.join(self.words)}, not {shown(value)}"
        for word, number in value.items():
            if word not in self.words:
                return f"may have {', '.join(self.words)}, not {shown(word)}"
            if fault := Whole(1, self.most).fault(number):
                return f"{word} {fault}"
        return None


GAIN = Amounts(GAINS, 5)


@dataclass(frozen=True, slots=True)
class Special:
    """A special bonus or "none", for C++ its index among the specials or -1."""

    def codes(self, value: str) -> tuple[int, ...]:
        return (-1 if value == "none" else SPECIALS.index(value),)

    def fault(self, value: Any) -> str | None:
        return Choice(("none", *SPECIALS)).fault(value)


@dataclass(frozen=True, slots=True)
class Icon:
    """What is printed on a cell of a map: a word, a penalty or a gain.

    C++ gets the sort (none, one of PLACES, penalty, gain), the VP of a penalty, and a gain.
    """

    def codes(self, value: str | dict[str, int]) -> tuple[int, ...]:
        if isinstance(value, str):
            return (("none", *PLACES).index(value), 0, *GAIN.codes({}))
        if "penalty" in value:
            return (1 + len(PLACES), value["penalty"], *GAIN.codes({}))
        return (2 + len(PLACES), 0, *GAIN.codes(value))

    def fault(self, value: Any) -> str | None:
        if not isinstance(value, dict):
            return Choice(("none", *PLACES)).fault(value)
        if value.keys() == {"penalty"}:
            fault = Whole(1, 4).fault(value["penalty"])
            return f"penalty {fault}" if fault else None
        return GAIN.fault(value) if value else "must gain something"


@dataclass(frozen=True, slots=True)
class Pair(Choice):
    """A fixed key that stands for two numbers, the second running through `size` values.

    `what` says in a message what such a key is.
    """

    size: int
    first: tuple[int, int]
    what: str

    def codes(self, value: str) -> tuple[int, ...]:
        high, low = divmod(self.words.index(value), self.size)
        return (self.first[0] + high, self.first[1] + low)

    def fault(self, value: Any) -> str | None:
        if isinstance(value, str) and value in self.words:
            return None
        return f"must be {self.what}, not {shown(value)}"


@dataclass(frozen=True, slots=True)
class Paired(Table):
    """A table whose key is a Pair: C++ gets it as numbers, not as a name."""

    @property
    def is_named(self) -> bool:
        return False


def only_folk_costs(card: Row) -> str | None:
    if card["age"] == 0 and card["cost"] != 0:
        return f"cost must be 0 for a starting card, not {card['cost']}"
    if card["age"] > 0 and card["cost"] == 0:
        return "cost must be at least 1 for a Folk card"
    return None


def never_falls(column: str) -> RowRule:
    """A rule that the values of `column` rise or stay from left to right."""

    def rule(row: Row) -> str | None:
        values = row[column]
        for number, (value, after) in enumerate(pairwise(values), 2):
            if after < value:
                return f"{column} must not fall: value {number} is {after} after {value}"
        return None

    return rule


def fits_terrain(cell: Row) -> str | None:
    if cell["terrain"] == "lake" and cell["icon"] != "none":
        return 'icon must be "none" on a lake'
    if cell["icon"] == "start" and cell["terrain"] != "forest":
        return f'terrain must be "forest" at the start, not {quoted(cell["terrain"])}'
    return None


def gives_something(tile: Row) -> str | None:
    return None if tile["gain"] else "gain must have something"


def within_range(rule: Row) -> str | None:
    low, high = RANGE_OF[rule["id"]]
    if low <= rule["value"] <= high:
        return None
    wanted = f"{low}, as printed" if low == high else f"from {low} to {high}"
    return f"value must be {wanted}, not {rule['value']}"


def decks_are_full(cards: list[Row]) -> Iterator[str]:
    copies = Counter[int]()
    for card in cards:
        copies[card["age"]] += card["copies"]
    for age, wanted in enumerate(CARDS_OF_AGE):
        if copies[age] != wanted:
            deck = f"Age {age} has" if age else "a starting deck has"
            yield f"{deck} {copies[age]} cards, must have {wanted}"


def ages_stand_in_order(cards: list[Row]) -> Iterator[str]:
    for card, after in pairwise(cards):
        if after["age"] < card["age"]:
            yield f"card {after['id']} of age {after['age']} stands after one of age {card['age']}"


def specials_are_used(cards: list[Row]) -> Iterator[str]:
    for special in sorted(set(SPECIALS) - {card["special"] for card in cards}):
        yield f"no card has {special}"


def effects_differ(milestones: list[Row]) -> Iterator[str]:
    """The rulebook lists 15 bonuses, and five cards have three each (SG4)."""
    for metal in ("ivory", "iron", "gold"):
        counts = Counter(card[metal] for card in milestones if card["id"] != "ms_common")
        for effect, number in counts.items():
            if number > 1:
                yield f"{effect} is on {number} of the five flower sides, must be on one"


def tokens_lose_vp(tokens: list[Row]) -> Iterator[str]:
    """Within a group, more dots are fewer VP (SG38)."""
    for token, after in pairwise(tokens):
        group = token["id"].split(":")[0]
        if after["id"].split(":")[0] == group and after["vp"] > token["vp"]:
            yield f"{after['id']} has {after['vp']} VP, more than {token['id']}"


def five_of_each_level(rewards: list[Row]) -> Iterator[str]:
    wanted = [1] * TILES_OF_LEVEL + [2] * TILES_OF_LEVEL
    if [tile["level"] for tile in rewards] != wanted:
        yield f"must have {TILES_OF_LEVEL} tiles of level 1, then {TILES_OF_LEVEL} of level 2"


def shrines_rise(rules: list[Row]) -> Iterator[str]:
    values = {row["id"]: row["value"] for row in rules}
    if not values["shrines_1"] <= values["shrines_2"] <= values["shrines_3"]:
        yield "shrines_1, shrines_2 and shrines_3 must not fall"


def maps_are_right(cells: list[Row]) -> Iterator[str]:
    for number, board in enumerate(BOARDS):
        part = cells[number * len(CELLS) : (number + 1) * len(CELLS)]
        for fault in (*terrain_faults(part), *icon_faults(part)):
            yield f"{board} {fault}"


def terrain_faults(cells: list[Row]) -> Iterator[str]:
    terrains = [cell["terrain"] for cell in cells]
    if (lakes := terrains.count("lake")) != LAKES:
        yield f"has {lakes} lakes, must have {LAKES}"
    for terrain, most in MOST_OF.items():
        if (number := terrains.count(terrain)) > most:
            yield f"has {number} cells of {terrain}, may have {most}"
    if not is_connected({cell for cell, terrain in enumerate(terrains) if terrain != "lake"}):
        yield "has land that no path of land connects"


def icon_faults(cells: list[Row]) -> Iterator[str]:
    icons = [cell["icon"] for cell in cells]
    for word in PLACES:
        if (number := icons.count(word)) != 1:
            yield f"has {number} cells of {word}, must have 1"
    printed = [icon for icon in icons if isinstance(icon, dict)]
    penalties = [icon["penalty"] for icon in printed if "penalty" in icon]
    if len(penalties) != PENALTIES or sum(penalties) != PENALTY_VP:
        yield (
            f"has {len(penalties)} penalties of {sum(penalties)} VP, "
            f"must have {PENALTIES} of {PENALTY_VP}"
        )
    if (bonuses := len(printed) - len(penalties)) != BONUS_CELLS:
        yield f"has {bonuses} cells with a gain, must have {BONUS_CELLS}"


def is_connected(cells: set[int]) -> bool:
    reached: set[int] = set()
    ahead = set(list(cells)[:1])
    while ahead:
        reached |= ahead
        ahead = {other for cell in ahead for other in neighbours(cell)} & cells - reached
    return reached == cells


def neighbours(cell: int) -> Iterator[int]:
    """Hexes in rows of five, the second and the fourth half a cell to the right."""
    row, column = divmod(cell, COLUMNS)
    right = column + row % 2
    around = [(row, column - 1), (row, column + 1)]
    around += [(other, near) for other in (row - 1, row + 1) for near in (right - 1, right)]
    for other, near in around:
        if 0 <= other < ROWS and 0 <= near < COLUMNS:
            yield other * COLUMNS + near


ROW_VP = Whole(0, 20)

SCHEMA = Schema(
    game="shugendo",
    tables=(
        Table(
            name="cards",
            item="card",
            key="id",
            count=DESIGNS,
            columns={
                "id": RowId(),
                "age": Whole(0, len(CARDS_OF_AGE) - 1),
                "copies": Whole(1, 3),
                "cost": Whole(0, 12),
                "yokai": Whole(0, 3),
                "icons": Amounts(ICONS, 5),
                "bonus": Amounts(BONUSES, 5),
                "special": Special(),
                "end_vp": Whole(-5, 9),
            },
            rules=(only_folk_costs,),
        ),
        Table(
            name="boards",
            item="board",
            key="id",
            columns={
                "id": Choice(BOARDS),
                "farm_vp": Each(ROW_VP, 8, 8),
                "village_vp": Each(ROW_VP, 6, 6),
                "city_vp": Each(ROW_VP, 4, 4),
                "village_gain": GAIN,
                "city_gain": GAIN,
                "gain_1": GAIN,
                "end_vp_1": ROW_VP,
                "gain_2": GAIN,
                "end_vp_2": ROW_VP,
                "gain_3": GAIN,
                "end_vp_3": ROW_VP,
            },
            rules=(never_falls("farm_vp"), never_falls("village_vp"), never_falls("city_vp")),
        ),
        Paired(
            name="cells",
            item="cell",
            key="id",
            columns={
                "id": Pair(
                    tuple(f"{board}:{cell}" for board in BOARDS for cell in CELLS),
                    size=len(CELLS),
                    first=(0, 0),
                    what='a board and a cell, such as "board_common:a1"',
                ),
                "terrain": Choice(TERRAINS),
                "icon": Icon(),
            },
            rules=(fits_terrain,),
        ),
        Table(
            name="milestones",
            item="milestone",
            key="id",
            columns={
                "id": Choice(MILESTONES),
                "ivory": Choice(IVORY),
                "iron": Choice(IRON),
                "gold": Choice(GOLD),
            },
        ),
        Paired(
            name="development",
            item="token",
            key="id",
            columns={
                "id": Pair(
                    (*(f"age{age}:{dots}" for age in (2, 3, 4) for dots in range(1, 5)), "age5:1"),
                    size=DOTS,
                    first=(2, 1),
                    what='an Age and dots, "age2:1" to "age4:4" or "age5:1"',
                ),
                "vp": Whole(1, 20),
            },
        ),
        Paired(
            name="prefecture",
            item="token",
            key="id",
            columns={
                "id": Pair(
                    (*(f"pile{pile}:{dots}" for pile in (1, 2) for dots in range(1, 5)), "pile3:1"),
                    size=DOTS,
                    first=(1, 1),
                    what='a pile and dots, "pile1:1" to "pile2:4" or "pile3:1"',
                ),
                "vp": Whole(1, 20),
            },
        ),
        Table(
            name="rewards",
            item="reward",
            key="id",
            count=2 * TILES_OF_LEVEL,
            columns={"id": RowId(), "level": Whole(1, 2), "gain": GAIN},
            rules=(gives_something,),
        ),
        Table(
            name="rules",
            item="rule",
            key="id",
            columns={"id": Choice(tuple(RANGE_OF)), "value": Whole(0, 60)},
            rules=(within_range,),
        ),
    ),
    rules=(
        Rule(("cards",), decks_are_full),
        Rule(("cards",), ages_stand_in_order),
        Rule(("cards",), specials_are_used),
        Rule(("cells",), maps_are_right),
        Rule(("milestones",), effects_differ),
        Rule(("development",), tokens_lose_vp),
        Rule(("prefecture",), tokens_lose_vp),
        Rule(("rewards",), five_of_each_level),
        Rule(("rules",), shrines_rise),
    ),
)

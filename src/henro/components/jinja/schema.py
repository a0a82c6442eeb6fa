"""The components of Jinja that differ from box to box, and what is printed about them.

Ids of territories, lanterns, Kitsune cards, activities and faces are fixed, for the rules know
them. Deeds and Omikuji are named by the file. Decision ids (J9) are those of `docs/games/jinja.md`.
"""

from collections import Counter
from collections.abc import Iterator

from henro.components.schema import (
    Choice,
    Each,
    Form,
    Known,
    OneOf,
    Row,
    RowId,
    RowRule,
    Rule,
    Schema,
    Subset,
    Table,
    Whole,
    quoted,
)

KINDS = ("honden", "kitsune_statue", "torii_gate", "chozuya")
SIZES = ("small", "medium", "large")
FACES = ("blue", "red", "blue_star", "red_star")
FEWEST, MOST = 2, 5
"""Players."""

REGION_OF = {
    "hokkaido": "northeast",
    "tohoku": "northeast",
    "kanto": "central",
    "kansai": "central",
    "chugoku": "southwest",
    "shikoku": "southwest",
    "kyushu": "southwest",
}
TERRITORIES = tuple(REGION_OF)
REGIONS = tuple(dict.fromkeys(REGION_OF.values()))

BONUSES = ("gold1", "gold2", "honor1", "honor2", "rand1", "rand2", "choice1")
"""What a lantern can give."""
DEED_BONUSES = (*BONUSES, "harvest", "lantern", "omikuji", "donate")

TYPE_OF = {
    "k_fortune": "immediate",
    "k_trade": "immediate",
    "k_lights": "immediate",
    "k_purse": "immediate",
    "k_gift": "immediate",
    "k_vow": "immediate",
    "k_mason": "season",
    "k_praise": "season",
    "k_pilgrims": "season",
    "k_alms": "season",
    "k_crafts": "season",
    "k_omen": "season",
    "k_grace": "season",
}

ACTIVITIES = (
    "deed_exchange",
    "deed_buyback",
    "omikuji",
    "gain_territory",
    "territory_build",
    "change_lantern",
    "minor_offering",
    "major_offering",
    "market",
    "roll_structures",
    "random_structures",
    "supplement_gold",
    "roll_gold",
)
CONDITIONAL = ("deed_exchange", "deed_buyback", "territory_build")
"""Not always usable, even without a cost (J8)."""
CHEAPENED = (
    "deed_buyback",
    "territory_build",
    "minor_offering",
    "major_offering",
    "random_structures",
)
"""Activities that k_alms or k_grace makes cheaper by 1."""

DEEDS_OF_A_TERRITORY = 4
SIDES = 6
SMALLEST = 4
"""Structures on a small Deed; each size up shows one more."""


def fixed(column: str, key: str, values: dict[str, str]) -> RowRule:
    """A rule that `column` holds what `values` has for the row's key."""

    def rule(row: Row) -> str | None:
        wanted = values[row[key]]
        if row[column] == wanted:
            return None
        return f"{column} must be {quoted(wanted)}, not {quoted(row[column])}"

    return rule


def size_fits(deed: Row) -> str | None:
    structures = sum(deed[kind] for kind in KINDS)
    if not 0 <= structures - SMALLEST < len(SIZES):
        return f"must show {SMALLEST} to {SMALLEST + len(SIZES) - 1} structures, not {structures}"
    wanted = SIZES[structures - SMALLEST]
    if deed["size"] == wanted:
        return None
    return f"size must be {quoted(wanted)} with {structures} structures, not {quoted(deed['size'])}"


def cost_can_fall(activity: Row) -> str | None:
    if activity["cost"] or activity["id"] not in CHEAPENED:
        return None
    return "cost must be at least 1, for a Kitsune lowers it by 1"


def supplement_is_for_three(activity: Row) -> str | None:
    pair, *more = activity["circles"]
    if activity["id"] != "supplement_gold" or (pair == 0 and all(more)):
        return None
    return "circles must be 0 with 2 players and at least 1 with 3 to 5"


def every_seat(column: str) -> RowRule:
    """A rule that `column` lists one value for each player."""

    def rule(setup: Row) -> str | None:
        if len(setup[column]) == setup["players"]:
            return None
        return f"{column} must list {setup['players']} values, not {len(setup[column])}"

    return rule


def four_a_territory(deeds: list[Row]) -> Iterator[str]:
    counts = Counter(deed["territory"] for deed in deeds)
    for territory in TERRITORIES:
        if counts[territory] != DEEDS_OF_A_TERRITORY:
            yield (
                f"{territory} has {counts[territory]} deeds, "
                f"each territory must have {DEEDS_OF_A_TERRITORY}"
            )


def ids_differ(omikuji: list[Row], deeds: list[Row]) -> Iterator[str]:
    """Texts such as `deal:` and `draw:` name cards of both sorts and structures."""
    taken = dict.fromkeys(KINDS, "a structure") | {deed["id"]: "a deed" for deed in deeds}
    for card in omikuji:
        if card["id"] in taken:
            yield f"id {card['id']} is the name of {taken[card['id']]} already"


def six_sides(die: list[Row]) -> Iterator[str]:
    if (sides := sum(face["faces"] for face in die)) != SIDES:
        yield f"the die has {sides} faces, must have {SIDES}"


def nobody_is_stuck(setup: list[Row], activities: list[Row]) -> Iterator[str]:
    """J9: whoever is to place a worker finds a circle that asks for nothing."""
    free = [row for row in activities if not row["cost"] and row["id"] not in CONDITIONAL]
    for row in setup:
        players, workers = row["players"], row["workers"]
        circles = len(TERRITORIES) + sum(activity["circles"][players - FEWEST] for activity in free)
        if circles < players * workers:
            yield (
                f"{players} players place {players * workers} workers in a season, but only "
                f"{circles} circles are always usable"
            )


SIZE, TERRITORY, REGION = Choice(SIZES), Choice(TERRITORIES), Choice(REGIONS)

CONDITION = OneOf(
    (
        Form({"size": SIZE, "territory": TERRITORY}, ("size", "territory")),
        Form({"size": SIZE, "region": REGION}, ("size", "region")),
        Form({"all": Subset(TERRITORIES)}, (None, "all")),
        Form({"most": SIZE}, ("most", None)),
        Form({"territories": Whole(1, len(TERRITORIES))}, (None, "territories")),
        Form({"regions": Whole(len(REGIONS), len(REGIONS))}, (None, None)),
    )
)

SCHEMA = Schema(
    game="jinja",
    tables=(
        Table(
            name="territories",
            item="territory",
            key="id",
            columns={
                "id": TERRITORY,
                "region": Known(REGIONS),
                "spaces": Whole(2, DEEDS_OF_A_TERRITORY),  # more could never be filled (J4)
            },
            rules=(fixed("region", "id", REGION_OF),),
        ),
        Table(
            name="lanterns",
            item="lantern",
            key="id",
            columns={
                "id": Choice(tuple(f"lantern_{number}" for number in range(1, 8))),
                "blue": Choice(BONUSES),
                "red": Choice(BONUSES),
            },
        ),
        Table(
            name="deeds",
            item="deed",
            key="id",
            count=DEEDS_OF_A_TERRITORY * len(TERRITORIES),
            columns={
                "id": RowId(),
                "territory": TERRITORY,
                "size": SIZE,
                **dict.fromkeys(KINDS, Whole(0, SMALLEST + len(SIZES) - 1)),
                "honor": Whole(1, 15),
                "bonus": Choice(DEED_BONUSES),
            },
            rules=(size_fits,),
        ),
        Table(
            name="omikuji",
            item="omikuji",
            key="id",
            count=34,
            columns={"id": RowId(), "condition": CONDITION, "honor": Whole(3, 10)},
        ),
        Table(
            name="kitsune",
            item="kitsune",
            key="id",
            columns={"id": Choice(tuple(TYPE_OF)), "type": Choice(("immediate", "season"))},
            rules=(fixed("type", "id", TYPE_OF),),
        ),
        Table(
            name="activities",
            item="activity",
            key="id",
            columns={
                "id": Choice(ACTIVITIES),
                "cost": Whole(0, 9),
                "circles": Each(Whole(0, 2), MOST - FEWEST + 1, MOST - FEWEST + 1),
            },
            rules=(cost_can_fall, supplement_is_for_three),
        ),
        Table(
            name="setup",
            item="player count",
            key="players",
            columns={
                "players": Whole(FEWEST, MOST),
                "workers": Whole(1, 5),
                "gold": Each(Whole(0, 9), FEWEST, MOST),
                "fox": Each(Whole(0, 1), FEWEST, MOST),
            },
            rules=(every_seat("gold"), every_seat("fox")),
        ),
        Table(
            name="die",
            item="face",
            key="id",
            columns={"id": Choice(FACES), "faces": Whole(1, 3)},
        ),
    ),
    rules=(
        Rule(("deeds",), four_a_territory),
        Rule(("omikuji", "deeds"), ids_differ),
        Rule(("die",), six_sides),
        Rule(("setup", "activities"), nobody_is_stuck),
    ),
)

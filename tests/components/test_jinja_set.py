"""Component sets of Jinja: the default's values, what C++ gets, and every rule of the schema."""

import contextlib
import re
import tomllib
from collections import Counter
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from henro import components
from henro.errors import ComponentError
from tests.reference import jinja_tables as reference

DEFAULT = components.load("jinja")
TEXT = DEFAULT.path.read_text(encoding="utf-8")
DOCUMENT = tomllib.loads(TEXT)
RULES = components.schema_of("jinja")

TERRITORIES = list(reference.TERRITORIES)
REGIONS = reference.DEFAULT.regions
BONUSES = [
    "gold1", "gold2", "honor1", "honor2", "rand1", "rand2", "choice1",
    "harvest", "lantern", "omikuji", "donate",
]  # fmt: skip
CONDITIONS = ["size_terr", "size_reg", "all", "most", "distinct", "regions"]


def faults(table: str, row: int | None = None, **changes: Any) -> list[str]:
    """What is wrong with the default set after changes to a row of a table (from 1)."""
    document = deepcopy(DOCUMENT)
    rows = document[table]["rows"]
    if row is None:
        rows.append(changes)
    else:
        rows[row - 1] |= changes
    return RULES.read(document)[2]


def load(tmp_path_factory, text: str) -> components.ComponentSet:
    path = tmp_path_factory.mktemp("sets") / "set.toml"
    path.write_text(text, encoding="utf-8")
    return components.load("jinja", path)


def by_id(table: str) -> dict[str, list[int]]:
    """What C++ gets for each row, by its name."""
    return dict(zip(DEFAULT.names[table], DEFAULT.tables[table], strict=True))


# The default set is that of the reference rules, as numbers


def test_the_default_set_has_a_fixed_id():
    assert DEFAULT.id == "jinja/default@5ab36c112820"
    assert components.find(DEFAULT.id) == DEFAULT


def test_territories():
    wanted = {name: [row.spaces] for name, row in reference.TERRITORIES.items()}
    assert list(by_id("territories").items()) == list(wanted.items())
    regions = {row["id"]: row["region"] for row in DEFAULT.rows["territories"]}
    assert regions == {name: row.region for name, row in reference.TERRITORIES.items()}


def test_lanterns():
    wanted = {
        name: [BONUSES.index(row.blue), BONUSES.index(row.red)]
        for name, row in reference.LANTERNS.items()
    }
    assert list(by_id("lanterns").items()) == list(wanted.items())


def test_deeds():
    wanted = {
        name: [
            TERRITORIES.index(row.territory),
            reference.SIZES.index(row.size),
            *row.cost,
            row.honor,
            BONUSES.index(row.bonus),
        ]
        for name, row in reference.DEEDS.items()
    }
    assert list(by_id("deeds").items()) == list(wanted.items())


def omikuji_codes(card: reference.Omikuji) -> list[int]:
    """Condition, size and where, 0 where the condition has none."""
    number = CONDITIONS.index(card.condition)
    match card.condition, card.terms:
        case "size_terr", (size, territory):
            return [number, reference.SIZES.index(size), TERRITORIES.index(territory)]
        case "size_reg", (size, region):
            return [number, reference.SIZES.index(size), REGIONS.index(region)]
        case "all", territories:
            return [number, 0, sum(1 << TERRITORIES.index(name) for name in territories)]
        case "most", (size,):
            return [number, reference.SIZES.index(size), 0]
        case "distinct", (count,):
            return [number, 0, int(count)]
    return [number, 0, 0]


def test_omikuji():
    wanted = {name: [*omikuji_codes(card), card.honor] for name, card in reference.OMIKUJI.items()}
    assert list(by_id("omikuji").items()) == list(wanted.items())


def test_kitsune():
    wanted = {name: [int(kind == "season")] for name, kind in reference.KITSUNE.items()}
    assert list(by_id("kitsune").items()) == list(wanted.items())


def test_activities():
    wanted = {name: [row.cost, *row.circles] for name, row in reference.ACTIVITIES.items()}
    assert list(by_id("activities").items()) == list(wanted.items())


def test_setup_has_a_zero_for_each_missing_seat():
    def padded(values: list[int]) -> list[int]:
        return values + [0] * (5 - len(values))

    assert DEFAULT.tables["setup"] == [
        [
            players,
            reference.WORKERS[players],
            *padded([start.gold for start in starts]),
            *padded([int(start.fox) for start in starts]),
        ]
        for players, starts in reference.STARTS.items()
    ]


def test_die():
    wanted = {name: [faces] for name, faces in reference.DIE.items()}
    assert list(by_id("die").items()) == list(wanted.items())


def test_all_tables_have_names_but_the_setup():
    assert set(DEFAULT.names) == set(DEFAULT.tables) - {"setup"}


def test_origins_are_told_by_row_where_they_differ():
    assert DEFAULT.origins == dict.fromkeys(DEFAULT.tables, "reconstructed") | {
        "activities": "reconstructed 12, rulebook 1",
        "setup": "rulebook 3, reconstructed 1",
    }
    assert DEFAULT.row_origins["activities"][11] == "rulebook"  # supplement_gold
    assert DEFAULT.row_origins["setup"][3] == "reconstructed"  # 5 players


def test_every_structure_is_in_equal_demand():
    demand = Counter()
    for deed in DEFAULT.rows["deeds"]:
        demand.update({kind: deed[kind] for kind in reference.KINDS})
    assert demand == dict.fromkeys(reference.KINDS, 35)


# The hash


def swapped(text: str, one: str, other: str) -> str:
    """The text with two of its lines in each other's place."""
    lines = text.splitlines()
    first, second = (
        next(number for number, line in enumerate(lines) if f'id = "{name}"' in line)
        for name in (one, other)
    )
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def test_the_order_of_rows_with_fixed_ids_does_not_count(tmp_path_factory):
    found = load(tmp_path_factory, swapped(TEXT, "kanto", "kyushu"))
    assert found.id == DEFAULT.id
    assert found.tables == DEFAULT.tables


def test_the_order_of_cards_that_the_file_names_counts(tmp_path_factory):
    found = load(tmp_path_factory, swapped(TEXT, "kanto_s", "kyushu_s"))
    assert found.hash != DEFAULT.hash
    assert found.names["deeds"][8] == "kyushu_s"
    assert found.tables["deeds"][8] == by_id("deeds")["kyushu_s"]


def test_the_hash_covers_names(tmp_path_factory):
    found = load(tmp_path_factory, TEXT.replace('"kanto_s"', '"asakusa"'))
    assert found.tables == DEFAULT.tables
    assert found.names["deeds"][8] == "asakusa"
    assert found.hash != DEFAULT.hash


def test_the_hash_covers_conditions(tmp_path_factory):
    found = load(tmp_path_factory, TEXT.replace('{ most = "small" }', "{ territories = 3 }"))
    assert found.tables["omikuji"][27] == [4, 0, 3, 5]
    assert found.hash != DEFAULT.hash


# Faults

ALL = "hokkaido, tohoku, kanto, kansai, chugoku, shikoku, kyushu"
FORMS = (
    "{ size = ..., territory = ... } or { size = ..., region = ... } or { all = ... } or "
    "{ most = ... } or { territories = ... } or { regions = ... }"
)

BROKEN = [
    # territories
    (
        ("territories", 3, {"region": "northeast"}),
        'row 3 (territory "kanto"): region must be "central", not "northeast"',
    ),
    (
        ("territories", 3, {"spaces": 1}),
        'row 3 (territory "kanto"): spaces must be a whole number from 2 to 4, not 1',
    ),
    (
        ("territories", 3, {"spaces": 5}),
        'row 3 (territory "kanto"): spaces must be a whole number from 2 to 4, not 5',
    ),
    (
        ("territories", 3, {"id": "kyushu"}),
        'row 7 (territory "kyushu"): id kyushu is already in row 3; each territory has one row',
    ),
    (("territories", 3, {"id": "kyushu"}), "no row for territory kanto"),
    # lanterns
    (
        ("lanterns", 2, {"red": "harvest"}),
        'row 2 (lantern "lantern_2"): red must be "gold1" or "gold2" or "honor1" or "honor2" or '
        '"rand1" or "rand2" or "choice1", not "harvest"',
    ),
    (("lanterns", 2, {"id": "lantern_8"}), "no row for lantern lantern_2"),
    (("lanterns", None, {"id": "lantern_8"}), "has 8 rows, must have 7"),
    # deeds
    (
        ("deeds", 9, {"size": "large"}),
        'row 9 (deed "kanto_s"): size must be "small" with 4 structures, not "large"',
    ),
    (
        ("deeds", 9, {"honden": 2}),
        'row 9 (deed "kanto_s"): size must be "medium" with 5 structures, not "small"',
    ),
    (
        ("deeds", 9, {"honden": 6}),
        'row 9 (deed "kanto_s"): must show 4 to 6 structures, not 9',
    ),
    (
        ("deeds", 9, {"honden": 0}),
        'row 9 (deed "kanto_s"): must show 4 to 6 structures, not 3',
    ),
    (
        ("deeds", 9, {"honden": -1}),
        'row 9 (deed "kanto_s"): honden must be a whole number from 0 to 6, not -1',
    ),
    (
        ("deeds", 9, {"honor": 0}),
        'row 9 (deed "kanto_s"): honor must be a whole number from 1 to 15, not 0',
    ),
    (
        ("deeds", 9, {"honor": 16}),
        'row 9 (deed "kanto_s"): honor must be a whole number from 1 to 15, not 16',
    ),
    (("deeds", 9, {"territory": "kansai"}), "kanto has 3 deeds, each territory must have 4"),
    (("deeds", 9, {"territory": "kansai"}), "kansai has 5 deeds, each territory must have 4"),
    (
        ("deeds", 9, {"id": "kanto_l"}),
        'row 12 (deed "kanto_l"): id kanto_l is already in row 9; each deed has one row',
    ),
    (
        ("deeds", 9, {"id": "Kanto,s"}),
        'row 9 (deed "Kanto,s"): id must be a letter and at most 63 more characters of a-z, 0-9 '
        'and _, not "Kanto,s"',
    ),
    (("deeds", None, {"id": "kanto_xl"}), "has 29 rows, must have 28"),
    # omikuji
    (
        ("omikuji", 1, {"honor": 2}),
        'row 1 (omikuji "large_hokkaido"): honor must be a whole number from 3 to 10, not 2',
    ),
    (
        ("omikuji", 1, {"honor": 11}),
        'row 1 (omikuji "large_hokkaido"): honor must be a whole number from 3 to 10, not 11',
    ),
    (
        ("omikuji", 1, {"condition": "large"}),
        f'row 1 (omikuji "large_hokkaido"): condition must be {FORMS}',
    ),
    (
        ("omikuji", 1, {"condition": {"size": "large"}}),
        f'row 1 (omikuji "large_hokkaido"): condition must be {FORMS}',
    ),
    (
        ("omikuji", 1, {"condition": {"size": "huge", "territory": "kanto"}}),
        'row 1 (omikuji "large_hokkaido"): condition size must be "small" or "medium" or "large", '
        'not "huge"',
    ),
    (
        ("omikuji", 1, {"condition": {"size": "large", "region": "kanto"}}),
        'row 1 (omikuji "large_hokkaido"): condition region must be "northeast" or "central" or '
        '"southwest", not "kanto"',
    ),
    (
        ("omikuji", 1, {"condition": {"all": "kanto"}}),
        f'row 1 (omikuji "large_hokkaido"): condition all must be a list of some of {ALL}, '
        'not "kanto"',
    ),
    *(
        (
            ("omikuji", 1, {"condition": {"all": names}}),
            f'row 1 (omikuji "large_hokkaido"): condition all must list some of {ALL}, '
            "each once and in this order",
        )
        for names in (["kyushu", "kanto"], ["kanto", "kanto"], ["kanto", "edo"], [["kanto"]])
    ),
    (
        ("omikuji", 1, {"condition": {"territories": 8}}),
        'row 1 (omikuji "large_hokkaido"): condition territories must be a whole number '
        "from 1 to 7, not 8",
    ),
    (
        ("omikuji", 1, {"condition": {"regions": 2}}),
        'row 1 (omikuji "large_hokkaido"): condition regions must be a whole number from 3 to 3, '
        "not 2",
    ),
    (("omikuji", 1, {"id": "kanto_s"}), "id kanto_s is the name of a deed already"),
    (("omikuji", 1, {"id": "honden"}), "id honden is the name of a structure already"),
    (("omikuji", None, {"id": "new"}), "has 35 rows, must have 34"),
    # kitsune
    (
        ("kitsune", 13, {"type": "immediate"}),
        'row 13 (kitsune "k_grace"): type must be "season", not "immediate"',
    ),
    (("kitsune", 13, {"id": "k_greed"}), "no row for kitsune k_grace"),
    # activities
    (
        ("activities", 9, {"circles": [1, 1, 3, 2]}),
        'row 9 (activity "market"): circles value 3 must be a whole number from 0 to 2, not 3',
    ),
    (
        ("activities", 9, {"circles": [1, 1, 2]}),
        'row 9 (activity "market"): circles must list 4 values, not 3',
    ),
    (
        ("activities", 9, {"circles": 1}),
        'row 9 (activity "market"): circles must be a list, not 1',
    ),
    (
        ("activities", 9, {"cost": 10}),
        'row 9 (activity "market"): cost must be a whole number from 0 to 9, not 10',
    ),
    *(
        (
            ("activities", row, {"cost": 0}),
            f'row {row} (activity "{name}"): cost must be at least 1, for a Kitsune lowers it by 1',
        )
        for row, name in (
            (2, "deed_buyback"),
            (5, "territory_build"),
            (7, "minor_offering"),
            (8, "major_offering"),
            (11, "random_structures"),
        )
    ),
    *(
        (
            ("activities", 12, {"circles": circles}),
            'row 12 (activity "supplement_gold"): circles must be 0 with 2 players and at least 1 '
            "with 3 to 5",
        )
        for circles in ([1, 1, 1, 1], [0, 1, 0, 1])
    ),
    (("activities", 1, {"id": "deed_trade"}), "no row for activity deed_exchange"),
    # setup
    (
        ("setup", 2, {"workers": 6}),
        "row 2 (player count 3): workers must be a whole number from 1 to 5, not 6",
    ),
    (
        ("setup", 2, {"gold": [2, 2]}),
        "row 2 (player count 3): gold must list 3 values, not 2",
    ),
    (
        ("setup", 2, {"gold": [2, 2, 10]}),
        "row 2 (player count 3): gold value 3 must be a whole number from 0 to 9, not 10",
    ),
    (
        ("setup", 2, {"fox": [0, 1, 2]}),
        "row 2 (player count 3): fox value 3 must be a whole number from 0 to 1, not 2",
    ),
    (
        ("setup", 2, {"fox": [0, 0, 0, 1]}),
        "row 2 (player count 3): fox must list 3 values, not 4",
    ),
    (
        ("setup", 2, {"fox": [0]}),
        "row 2 (player count 3): fox must list 2 to 5 values, not 1",
    ),
    (("setup", 2, {"players": 6}), "no row for player count 3"),
    (
        ("setup", 2, {"workers": 5}),
        "3 players place 15 workers in a season, but only 14 circles are always usable",
    ),
    # die
    (("die", 1, {"faces": 3}), "the die has 7 faces, must have 6"),
    (("die", 1, {"faces": 1}), "the die has 5 faces, must have 6"),
    (
        ("die", 1, {"faces": 0}),
        'row 1 (face "blue"): faces must be a whole number from 1 to 3, not 0',
    ),
    (("die", 1, {"id": "green"}), "no row for face blue"),
]


def test_the_default_document_has_no_fault():
    assert RULES.read(DOCUMENT)[2] == []


@pytest.mark.parametrize(("change", "fault"), BROKEN)
def test_each_broken_rule_is_named_with_its_row(change, fault):
    table, row, cells = change
    joint = ", " if fault.startswith("row ") else ": "
    assert f"table {table}{joint}{fault}" in faults(table, row, **cells)


def test_free_circles_are_counted_for_each_number_of_players():
    assert faults("activities", 6, circles=[0, 0, 0, 0]) == []  # change_lantern, one each
    short = [
        "table setup: 5 players place 15 workers in a season, but only 14 circles are always usable"
    ]
    assert faults("activities", 9, circles=[0, 0, 0, 0]) == short  # market, two with 4 and 5
    assert faults("activities", 9, cost=1) == short


def test_circles_that_may_be_refused_do_not_count_as_always_usable():
    document = deepcopy(DOCUMENT)
    activities = document["activities"]["rows"]
    activities[0]["circles"] = [2, 2, 2, 2]  # deed_exchange
    activities[8]["circles"] = [0, 1, 1, 1]  # market
    assert RULES.read(document)[2] == []
    activities[5]["circles"] = [0, 1, 1, 1]  # change_lantern
    activities[12]["circles"] = [0, 1, 1, 1]  # roll_gold
    assert RULES.read(document)[2] == [
        "table setup: 2 players place 10 workers in a season, but only 9 circles are always usable"
    ]


def test_rules_over_tables_wait_until_their_tables_are_right():
    document = deepcopy(DOCUMENT)
    document["die"]["rows"][0]["faces"] = 0
    document["deeds"]["rows"][0] |= {"territory": "kanto", "honor": 99}
    told = RULES.read(document)[2]
    assert len(told) == 2
    assert all(", row 1" in line for line in told)


def test_a_missing_table_is_named_and_the_others_still_checked():
    document = deepcopy(DOCUMENT)
    del document["activities"]
    document["die"]["rows"][0]["faces"] = 3
    assert RULES.read(document)[2] == [
        "table activities: is missing",
        "table die: the die has 7 faces, must have 6",
    ]


def test_a_row_of_another_shape_is_told_what_it_looks_like(tmp_path_factory):
    line = '{ id = "blue",      faces = 2 }'
    assert line in TEXT
    with pytest.raises(ComponentError, match=re.escape("must be { id = ..., faces = ... }, not 3")):
        load(tmp_path_factory, TEXT.replace(line, "3"))


# Damaged files


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The default file with a few words or numbers exchanged for others of it."""
    words = re.findall(r"\w+|\W", TEXT)
    for _ in range(draw(st.integers(1, 4))):
        at, other = (draw(st.integers(0, len(words) - 1)) for _ in range(2))
        words[at] = words[other]
    return "".join(words)


@given(damaged())
def test_a_damaged_file_loads_or_gives_a_component_error(tmp_path_factory, text):
    with contextlib.suppress(ComponentError):
        found = load(tmp_path_factory, text)
        for table, rows in found.tables.items():
            assert [len(row) for row in rows] == [len(row) for row in DEFAULT.tables[table]]
            assert all(type(value) is int and value >= 0 for row in rows for value in row)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)
CELLS = [
    (table.name, row, column)
    for table in RULES.tables
    for row in range(len(DEFAULT.rows[table.name]))
    for column in table.columns
]


@given(st.sampled_from(CELLS), VALUES)
def test_any_value_in_any_cell_is_judged_without_a_crash(place, value):
    table, row, column = place
    told = faults(table, row + 1, **{column: value})
    assert all(isinstance(fault, str) and fault.isprintable() for fault in told)

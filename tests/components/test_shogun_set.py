"""Component sets of Shogun: the default's values, what C++ gets, and every rule of the schema."""

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
from tests.reference import shogun_tables as reference

DEFAULT = components.load("shogun")
TEXT = DEFAULT.path.read_text(encoding="utf-8")
DOCUMENT = tomllib.loads(TEXT)
RULES = components.schema_of("shogun")

REGIONS = list(reference.REGIONS)
PROVINCES = DEFAULT.names["provinces"]
CODED = {"borders", "routes", "lineups"}
"""Tables whose keys C++ gets as numbers, not as names."""


def document(changes: dict[str, dict[int, dict[str, Any]]]) -> dict[str, Any]:
    """The default document after changes to rows (from 1) of tables."""
    changed = deepcopy(DOCUMENT)
    for table, rows in changes.items():
        for row, cells in rows.items():
            changed[table]["rows"][row - 1] |= cells
    return changed


def faults(table: str, row: int | None = None, **changes: Any) -> list[str]:
    """What is wrong with the default set after changes to a row of a table (from 1)."""
    if row is not None:
        return RULES.read(document({table: {row: changes}}))[2]
    longer = deepcopy(DOCUMENT)
    longer[table]["rows"].append(changes)
    return RULES.read(longer)[2]


def load(tmp_path_factory, text: str) -> components.ComponentSet:
    path = tmp_path_factory.mktemp("sets") / "set.toml"
    path.write_text(text, encoding="utf-8")
    return components.load("shogun", path)


def by_id(table: str) -> dict[str, list[int]]:
    """What C++ gets for each row, by its name."""
    return dict(zip(DEFAULT.names[table], DEFAULT.tables[table], strict=True))


def row_of(table: str, key: str) -> int:
    """The number (from 1) of the row with a key in the default document."""
    column = next(rules.key for rules in RULES.tables if rules.name == table)
    return 1 + [row[column] for row in DOCUMENT[table]["rows"]].index(key)


# The default set is that of the reference rules, as numbers


def test_the_default_set_has_a_fixed_id():
    assert DEFAULT.id == "shogun/default@a54d8c908a03"
    assert components.find(DEFAULT.id) == DEFAULT


def test_provinces():
    wanted = {
        name: [
            REGIONS.index(row.sun),
            REGIONS.index(row.moon),
            row.chests,
            row.rice,
            row.spaces,
            int("sun" in row.out),
            int("moon" in row.out),
        ]
        for name, row in reference.PROVINCES.items()
    }
    assert list(by_id("provinces").items()) == list(wanted.items())


def pair(one: str, other: str) -> list[int]:
    return sorted((PROVINCES.index(one), PROVINCES.index(other)))


def test_borders_are_sorted_pairs():
    wanted = {
        tuple(pair(one, other)) for one, words in reference.LAND.items() for other in words.split()
    }
    assert DEFAULT.tables["borders"] == sorted(map(list, wanted))
    assert len(wanted) == 91


def test_routes_are_sorted_pairs_with_the_sides_that_have_them():
    sides = {"sun": 1, "moon": 2}
    wanted = Counter()
    for side, bit in sides.items():
        wanted.update({tuple(pair(*route)): bit for route in reference.DEFAULT.sea[side]})
    assert DEFAULT.tables["routes"] == sorted([*route, bits] for route, bits in wanted.items())
    assert len(wanted) == 14


def test_events():
    assert by_id("events") == {name: [loss] for name, loss in reference.EVENTS.items()}
    assert DEFAULT.names["events"] == list(reference.EVENTS)


def test_actions_in_the_order_of_the_planning_spaces():
    wanted = {
        name: [price, *reference.ARMIES.get(name, (0, 0))]
        for name, price in reference.PRICES.items()
    }
    assert list(by_id("actions").items()) == list(wanted.items())


def test_setup_has_a_zero_for_each_missing_group():
    assert DEFAULT.tables["setup"] == [
        [players, start.chests, *start.groups, *[0] * (9 - len(start.groups))]
        for players, start in reference.STARTS.items()
    ]


def test_supply():
    supply, seeds = reference.SUPPLY, reference.SEEDS
    assert by_id("supply") == {
        "armies": [supply["armies"]],
        "farmers": [supply["farmers"]],
        "castles": [supply["castle"]],
        "temples": [supply["temple"]],
        "theaters": [supply["theater"]],
        "seed_armies": [seeds["armies"]],
        "seed_farmers": [seeds["farmers"]],
    }


def test_towers_are_fractions():
    wanted = {
        name: [
            part
            for chance in (tower.p_seed, tower.p_new, tower.q0, tower.r)
            for part in chance.as_integer_ratio()
        ]
        for name, tower in reference.TOWERS.items()
    }
    assert list(by_id("towers").items()) == list(wanted.items())


def test_provisions():
    assert DEFAULT.tables["provisions"] == [
        [missing, *row] for missing, row in enumerate(reference.PROVISIONS)
    ]


def test_lineups_have_minus_one_for_each_missing_province():
    wanted = []
    for players, seats in reference.LINEUPS.items():
        for seat, words in enumerate(seats):
            places = [PROVINCES.index(name) for name in words.split()]
            wanted.append([players, seat, *places, *[-1] * (9 - len(places))])
    assert DEFAULT.tables["lineups"] == wanted


def test_all_tables_with_words_for_keys_have_names_but_pairs_and_seats():
    assert set(DEFAULT.names) == set(DEFAULT.tables) - CODED - {"setup", "provisions"}


def test_origins_are_told_by_row_where_they_differ():
    assert DEFAULT.origins == dict.fromkeys(DEFAULT.tables, "published") | {
        "provinces": "published 37, reconstructed 8",
        "routes": "reconstructed 8, published 6",
        "actions": "rulebook 8, published 2",
        "supply": "rulebook",
        "towers": "published 2, reconstructed 1",
    }
    assert DEFAULT.row_origins["towers"] == ["reconstructed", "published", "published"]


def test_the_provinces_left_out_on_the_moon_side_are_reconstructed():
    told = zip(DEFAULT.rows["provinces"], DEFAULT.row_origins["provinces"], strict=True)
    assert all((origin == "reconstructed") == bool(row["out3_moon"]) for row, origin in told)


def test_the_routes_of_the_moon_side_alone_are_reconstructed():
    told = zip(DEFAULT.rows["routes"], DEFAULT.row_origins["routes"], strict=True)
    assert all((origin == "reconstructed") == (row["sides"] == ["moon"]) for row, origin in told)


def test_the_spread_of_printed_values():
    spread = {
        column: Counter(row[column] for row in DEFAULT.rows["provinces"])
        for column in ("chests", "rice", "spaces")
    }
    assert spread == {
        "chests": {3: 9, 4: 10, 5: 9, 6: 11, 7: 6},
        "rice": {2: 14, 3: 16, 4: 11, 5: 4},
        "spaces": {1: 13, 2: 22, 3: 10},
    }


@pytest.mark.parametrize(
    ("side", "left_out", "provinces", "links"),
    [
        ("sun", False, 45, 97),
        ("sun", True, 37, 77),
        ("moon", False, 45, 105),
        ("moon", True, 37, 79),
    ],
)
def test_the_boards_have_as_many_provinces_and_links_as_they_should(
    side, left_out, provinces, links
):
    gone = {row["id"] for row in DEFAULT.rows["provinces"] if left_out and row[f"out3_{side}"]}
    pairs = [
        set(row["between"].split("-"))
        for row in DEFAULT.rows["borders"] + DEFAULT.rows["routes"]
        if side in row.get("sides", ("sun", "moon"))
    ]
    assert len(PROVINCES) - len(gone) == provinces
    assert sum(not pair & gone for pair in pairs) == links


# The hash


def swapped(text: str, one: str, other: str) -> str:
    """The text with the two lines that begin with these words in each other's place."""
    lines = text.splitlines()
    first, second = (
        next(number for number, line in enumerate(lines) if line.startswith(f"    {{ {words}"))
        for words in (one, other)
    )
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('id = "kai"', 'id = "aki"'),
        ('between = "mutsu-echigo"', 'between = "iwami-aki"'),
        ('between = "kaga-tajima"', 'between = "izu-shima"'),
        ('id = "levy"', 'id = "castle_b"'),
        ('seat = "p0/3"', 'seat = "p4/5"'),
    ],
)
def test_the_order_of_rows_does_not_count(tmp_path_factory, one, other):
    found = load(tmp_path_factory, swapped(TEXT, one, other))
    assert found.id == DEFAULT.id
    assert found.tables == DEFAULT.tables


def test_the_order_in_a_line_up_counts(tmp_path_factory):
    found = load(tmp_path_factory, TEXT.replace('"suruga", "mino"', '"mino", "suruga"'))
    assert found.hash != DEFAULT.hash
    assert found.tables["lineups"][0][2:4] == [PROVINCES.index("mino"), PROVINCES.index("suruga")]


def test_the_hash_covers_the_sides_of_routes(tmp_path_factory):
    old = '"kaga-tajima",           sides = ["sun", "moon"]'
    assert old in TEXT
    found = load(tmp_path_factory, TEXT.replace(old, '"kaga-tajima", sides = ["sun"]'))
    assert found.hash != DEFAULT.hash
    assert [PROVINCES.index("kaga"), PROVINCES.index("tajima"), 1] in found.tables["routes"]


def test_a_board_may_have_more_or_fewer_routes():
    assert faults("routes", between="echizen-tajima", sides=["sun"]) == []
    fewer = deepcopy(DOCUMENT)
    del fewer["routes"]["rows"][0]
    assert RULES.read(fewer)[2] == []


# Faults

FRACTION = 'must be a fraction in lowest terms such as "3/4", {} and with denominators up to 999'
ABOVE, FROM = FRACTION.format('above "0" to "1"'), FRACTION.format('"0" to "1"')

BROKEN = [
    # provinces
    (
        ("provinces", 1, {"chests": 2}),
        'row 1 (province "mutsu"): chests must be a whole number from 3 to 7, not 2',
    ),
    (
        ("provinces", 1, {"chests": 8}),
        'row 1 (province "mutsu"): chests must be a whole number from 3 to 7, not 8',
    ),
    (
        ("provinces", 1, {"rice": 1}),
        'row 1 (province "mutsu"): rice must be a whole number from 2 to 5, not 1',
    ),
    (
        ("provinces", 1, {"spaces": 4}),
        'row 1 (province "mutsu"): spaces must be a whole number from 1 to 3, not 4',
    ),
    (
        ("provinces", 1, {"sun_region": "blue"}),
        'row 1 (province "mutsu"): sun_region must be "brown" or "yellow" or "red" or "purple" or '
        '"green", not "blue"',
    ),
    (
        ("provinces", 1, {"out3_sun": True}),
        'row 1 (province "mutsu"): out3_sun must be a whole number from 0 to 1, not true',
    ),
    (
        ("provinces", 2, {"id": "mutsu"}),
        'row 2 (province "mutsu"): id mutsu is already in row 1; each province has one row',
    ),
    (("provinces", 2, {"id": "mutsu"}), "no row for province echigo"),
    (
        ("provinces", 1, {"sun_region": "red"}),
        "sun_region: brown has 8 provinces, each region must have 9",
    ),
    (
        ("provinces", 1, {"sun_region": "red"}),
        "sun_region: red has 10 provinces, each region must have 9",
    ),
    (
        ("provinces", 1, {"moon_region": "green"}),
        "moon_region: green has 10 provinces, each region must have 9",
    ),
    (
        ("provinces", 1, {"out3_sun": 0}),
        "out3_sun: 7 provinces are left out, must be 8",
    ),
    (
        ("provinces", 3, {"out3_moon": 1}),
        "out3_moon: 9 provinces are left out, must be 8",
    ),
    (("provinces", 1, {"chests": 5}), "chests: the provinces show 221 together, must be 220"),
    (("provinces", 1, {"rice": 2}), "rice: the provinces show 139 together, must be 140"),
    (("provinces", 1, {"spaces": 3}), "spaces: the provinces show 88 together, must be 87"),
    # borders
    (
        ("borders", 1, {"between": "echigo-mutsu"}),
        'row 1 (border "echigo-mutsu"): between must be two provinces in the order of the table '
        'provinces, not "echigo-mutsu"',
    ),
    (
        ("borders", 1, {"between": "mutsu-mutsu"}),
        'row 1 (border "mutsu-mutsu"): between must be two provinces in the order of the table '
        'provinces, not "mutsu-mutsu"',
    ),
    (
        ("borders", 1, {"between": "-mutsu"}),
        'row 1 (border "-mutsu"): between must be of provinces, which "" is not',
    ),
    (
        ("borders", 1, {"between": "mutsu-edo"}),
        'row 1 (border "mutsu-edo"): between must be of provinces, which "edo" is not',
    ),
    *(
        (
            ("borders", 1, {"between": text}),
            f'row 1 (border "{text}"): between must be two provinces with - between, not "{text}"',
        )
        for text in ("mutsu", "mutsu-echigo-kai", "")
    ),
    (
        ("borders", 1, {"between": ["mutsu", "echigo"]}),
        "row 1: between must be two provinces with - between, not a list",
    ),
    (
        ("borders", 2, {"between": "mutsu-echigo"}),
        'row 2 (border "mutsu-echigo"): between mutsu-echigo is already in row 1; each border has '
        "one row",
    ),
    (("borders", None, {"between": "mutsu-aki"}), "has 92 rows, must have 91"),
    (
        ("borders", row_of("borders", "iwami-aki"), {"between": "shinano-kaga"}),
        "shinano has 10 neighbors on the sun side, must have 9 at most",
    ),
    # routes
    (
        ("routes", 1, {"sides": []}),
        'row 1 (route "echigo-noto"): sides must be a list of some of sun, moon, not a list',
    ),
    (
        ("routes", 1, {"sides": ["moon", "sun"]}),
        'row 1 (route "echigo-noto"): sides must list some of sun, moon, each once and in this '
        "order",
    ),
    (
        ("routes", 2, {"between": "echigo-noto"}),
        'row 2 (route "echigo-noto"): between echigo-noto is already in row 1; each route has one '
        "row",
    ),
    (("routes", 1, {"between": "mutsu-echigo"}), "mutsu-echigo is a border by land already"),
    # events
    (
        ("events", 1, {"winter_loss": 8}),
        'row 1 (event "tax_max5"): winter_loss must be a whole number from 0 to 7, not 8',
    ),
    (
        ("events", 1, {"winter_loss": 1}),
        "winter_loss: the cards show 41 together, must be 40",
    ),
    (("events", 1, {"id": "flood"}), "no row for event tax_max5"),
    # actions
    (
        ("actions", 1, {"price": 10}),
        'row 1 (action "castle"): price must be a whole number from 0 to 9, not 10',
    ),
    (
        ("actions", 1, {"armies": 1}),
        'row 1 (action "castle"): armies must be 0, not 1',
    ),
    (
        ("actions", 1, {"levy_armies": 1}),
        'row 1 (action "castle"): levy_armies must be 0, not 1',
    ),
    (
        ("actions", 6, {"levy_armies": 0}),
        'row 6 (action "deploy5"): levy_armies must be above 0, not 0',
    ),
    (
        ("actions", 6, {"armies": 6}),
        'row 6 (action "deploy5"): armies must be a whole number from 0 to 5, not 6',
    ),
    (
        ("actions", 8, {"levy_armies": 2}),
        'row 8 (action "deploy1"): levy_armies must be at most armies, 1, not 2',
    ),
    (("actions", 1, {"id": "fort"}), "no row for action castle"),
    # setup
    (
        ("setup", 1, {"chests": 0}),
        "row 1 (player count 3): chests must be a whole number from 1 to 20, not 0",
    ),
    (
        ("setup", 1, {"groups": [5, 4, 4, 3, 3, 2, 2, 2]}),
        "row 1 (player count 3): groups must list 9 values, not 8",
    ),
    (
        ("setup", 3, {"groups": [5, 4, 4, 3, 3, 2, 2, 2]}),
        "row 3 (player count 5): groups must list 7 values, not 8",
    ),
    (
        ("setup", 3, {"groups": [5, 4, 4, 3, 3, 2]}),
        "row 3 (player count 5): groups must list 7 to 9 values, not 6",
    ),
    (
        ("setup", 3, {"groups": [5, 4, 4, 3, 2, 3, 2]}),
        "row 3 (player count 5): groups must descend",
    ),
    (
        ("setup", 3, {"groups": [5, 4, 4, 3, 2, 2, 1]}),
        "row 3 (player count 5): groups value 7 must be a whole number from 2 to 5, not 1",
    ),
    (("setup", 1, {"players": 2}), "no row for player count 3"),
    # supply
    *(
        (
            ("supply", row, {"count": wanted - 1}),
            f'row {row} (supply "{name}"): count must be {wanted}, not {wanted - 1}',
        )
        for row, (name, wanted) in enumerate(
            {
                "armies": 62,
                "farmers": 20,
                "castles": 28,
                "temples": 26,
                "theaters": 26,
                "seed_armies": 7,
                "seed_farmers": 10,
            }.items(),
            1,
        )
    ),
    # towers
    *(
        (
            ("towers", 1, {"p_new": value}),
            f'row 1 (tower "blend"): p_new {ABOVE}, not "{value}"',
        )
        for value in ("0", "6/8", "4/3", "3/3", "2/1", "0/1", "03/4", "3/1000", "-3/4", "1/0", "¾")
    ),
    (("towers", 1, {"p_seed": 0.75}), f'row 1 (tower "blend"): p_seed {ABOVE}, not 0.75'),
    (("towers", 1, {"q0": "2"}), f'row 1 (tower "blend"): q0 {FROM}, not "2"'),
    (
        ("towers", 1, {"r": "0"}),
        'row 1 (tower "blend"): q0 or r must be above 0, for nothing stuck would ever come out',
    ),
    (("towers", 1, {"id": "real"}), "no row for tower blend"),
    # provisions
    (
        ("provisions", 8, {"revolts": 4}),
        "row 8 (missing rice 7): revolts must be a whole number from 0 to 3, not 4",
    ),
    (
        ("provisions", 3, {"revolts": 3}),
        "row 3 (missing rice 2): revolts must be from 1 to 2 when 2 rice is missing, not 3",
    ),
    (
        ("provisions", 3, {"revolts": 0}),
        "row 3 (missing rice 2): revolts must be from 1 to 2 when 2 rice is missing, not 0",
    ),
    (
        ("provisions", 1, {"revolts": 1}),
        "row 1 (missing rice 0): revolts must be from 0 to 0 when 0 rice is missing, not 1",
    ),
    (
        ("provisions", 8, {"revolts": 1}),
        "revolts must not be fewer for 7 missing than for 6",
    ),
    (
        ("provisions", 7, {"extra": 2}),
        "extra must not be fewer for 6 missing than for 5",
    ),
    (("provisions", 8, {"missing": 8}), "no row for missing rice 7"),
    # lineups
    (
        ("lineups", 1, {"seat": "p3/3"}),
        "no row for seat p0/3",
    ),
    (
        ("lineups", 1, {"provinces": ["suruga", "edo", *["mino"] * 7]}),
        'row 1 (seat "p0/3"): provinces value 2 must be a province, not "edo"',
    ),
    (
        ("lineups", 1, {"provinces": ["suruga", *["mino"] * 8]}),
        'row 1 (seat "p0/3"): provinces names mino twice',
    ),
    (
        ("lineups", 1, {"provinces": ["suruga"]}),
        'row 1 (seat "p0/3"): provinces must list 7 to 9 provinces, not 1',
    ),
    (
        ("lineups", 1, {"provinces": "suruga"}),
        'row 1 (seat "p0/3"): provinces must be a list of provinces, not "suruga"',
    ),
    (
        ("lineups", 1, {"provinces": DOCUMENT["lineups"]["rows"][0]["provinces"][:8]}),
        "p0/3 has 8 provinces, must have 9",
    ),
    (
        ("lineups", 1, {"provinces": ["bizen", *DOCUMENT["lineups"]["rows"][0]["provinces"][1:]]}),
        "bizen is of p0/3 and of p2/3",
    ),
    (
        ("lineups", 1, {"provinces": ["mutsu", *DOCUMENT["lineups"]["rows"][0]["provinces"][1:]]}),
        "p0/3 has mutsu, which is left out with 3 players",
    ),
]


def test_the_default_document_has_no_fault():
    assert RULES.read(DOCUMENT)[2] == []


@pytest.mark.parametrize(("change", "fault"), BROKEN)
def test_each_broken_rule_is_named_with_its_row(change, fault):
    table, row, cells = change
    joint = ", " if fault.startswith("row ") else ": "
    assert f"table {table}{joint}{fault}" in faults(table, row, **cells)


def test_a_province_that_no_way_leads_to_is_named_with_the_side():
    changes = {
        "borders": {row_of("borders", "shima-ise"): {"between": "musashi-totomi"}},
        "routes": {row_of("routes", "izu-shima"): {"sides": ["moon"]}},
    }
    assert RULES.read(document(changes))[2] == [
        "table borders: on the sun side no way leads to shima",
        "table borders: on the sun side with 3 players no way leads to shima",
    ]


def test_with_3_players_the_provinces_left_out_lead_nowhere():
    changes = {
        "borders": {
            row_of("borders", "sagami-izu"): {"between": "musashi-suruga"},
            row_of("borders", "suruga-izu"): {"between": "musashi-totomi"},
        },
        "routes": {row_of("routes", "izu-shima"): {"sides": ["moon"]}},
    }
    assert RULES.read(document(changes))[2] == [
        "table borders: on the sun side with 3 players no way leads to izu"
    ]


def test_certain_outcomes_are_probabilities_too():
    assert faults("towers", 1, p_seed="1", p_new="1", q0="1", r="1") == []


def test_rules_over_tables_wait_until_their_tables_are_right():
    changed = document({"provinces": {1: {"sun_region": "red", "rice": 9}}, "events": {1: {}}})
    told = RULES.read(changed)[2]
    assert told == [
        'table provinces, row 1 (province "mutsu"): rice must be a whole number from 2 to 5, not 9'
    ]


def test_a_missing_table_is_named_and_the_others_still_checked():
    changed = document({"events": {1: {"winter_loss": 1}}})
    del changed["provinces"]
    assert RULES.read(changed)[2] == [
        "table provinces: is missing",
        "table events: winter_loss: the cards show 41 together, must be 40",
    ]


def test_a_row_of_another_shape_is_told_what_it_looks_like(tmp_path_factory):
    line = '{ between = "mutsu-echigo" }'
    assert line in TEXT
    with pytest.raises(ComponentError, match=re.escape("must be { between = ... }, not 3")):
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
            assert {len(row) for row in rows} == {len(DEFAULT.tables[table][0])}
            assert all(type(value) is int and value >= -1 for row in rows for value in row)


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

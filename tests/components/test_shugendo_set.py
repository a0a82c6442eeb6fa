"""Component sets of Shugendo: the default's values, what C++ gets, and every rule of the schema."""

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
from henro.components.shugendo.schema import neighbours
from henro.errors import ComponentError
from tests.reference import shugendo_tables as reference

DEFAULT = components.load("shugendo")
TEXT = DEFAULT.path.read_text(encoding="utf-8")
DOCUMENT = tomllib.loads(TEXT)
RULES = components.schema_of("shugendo")


def faults(table: str, row: int | None = None, **changes: Any) -> list[str]:
    """What is wrong with the default set after changes to a row of a table (from 1)."""
    document = deepcopy(DOCUMENT)
    rows = document[table]["rows"]
    if row is None:
        rows.append(changes)
    else:
        rows[row - 1] |= changes
    return RULES.read(document)[2]


def map_faults(**changes: dict[str, Any]) -> list[str]:
    """What is wrong after changes to cells of the first board: `a1={"icon": "none"}`."""
    document = deepcopy(DOCUMENT)
    for row in document["cells"]["rows"]:
        board, cell = row["id"].split(":")
        if board == "board_common":
            row |= changes.get(cell, {})
    return RULES.read(document)[2]


def load(tmp_path_factory, text: str) -> components.ComponentSet:
    path = tmp_path_factory.mktemp("sets") / "set.toml"
    path.write_text(text, encoding="utf-8")
    return components.load("shugendo", path)


def by_id(table: str) -> dict[str, list[int]]:
    """What C++ gets for each row, by its name."""
    return dict(zip(DEFAULT.names[table], DEFAULT.tables[table], strict=True))


# The default set


def test_the_default_set_has_a_fixed_id():
    assert DEFAULT.id == "shugendo/default@cbb3f5edc23c"
    assert components.find(DEFAULT.id) == DEFAULT


def test_tables_have_names_but_those_whose_keys_are_numbers():
    assert set(DEFAULT.tables) - set(DEFAULT.names) == {"cells", "development", "prefecture"}


def test_origins_are_told_by_row_where_they_differ():
    assert DEFAULT.origins == dict.fromkeys(DEFAULT.tables, "reconstructed") | {
        "rules": "rulebook 13, reconstructed 7",
    }
    origins = dict(zip(DEFAULT.names["rules"], DEFAULT.row_origins["rules"], strict=True))
    assert origins["mischief"] == "rulebook"
    assert origins["book_end"] == "reconstructed"  # SG35


# It is that of the reference rules, as numbers

SPECIALS = [
    "sp_vp_prefectures", "sp_pilgrim_sets", "sp_vp_sets", "sp_vp_cities", "sp_vp_villages",
    "sp_vp_farms", "sp_vp_revealed", "sp_silver_farms", "sp_silver_villages", "sp_silver_cities",
    "sp_step_forest", "sp_vp_hills", "sp_vp_mountains",
]  # fmt: skip
TERRAINS = ["forest", "hills", "mountains", "lake"]
ICONS = ["", "start", "ivory", "iron", "gold", "penalty", "bonus"]
EFFECTS = {
    "ivory": ["iv_swap", "iv_leap", "iv_calm", "iv_alms", "iv_peaks"],
    "iron": ["ir_farms", "ir_village", "ir_gift", "ir_boost", "ir_guest"],
    "gold": ["go_forgive", "go_humble", "go_villages", "go_learning", "go_shrines"],
}


def test_a_card_is_age_copies_cost_yokai_icons_bonus_special_and_end_vp():
    wanted = {
        name: [
            *(card.age, card.copies, card.cost, card.yokai),
            *(card.icons[icon] for icon in reference.ICONS),
            *(card.gold, card.bonus.silver, card.bonus.pilgrims, card.bonus.vp),
            SPECIALS.index(card.special) if card.special else -1,
            card.end_vp,
        ]
        for name, card in reference.CARDS.items()
    }
    assert list(by_id("cards").items()) == list(wanted.items())


def test_a_board_is_its_rows_of_vp_their_gains_and_its_prefectures():
    wanted = {
        name: [
            *(value for kind in reference.COMMUNITIES for value in board.row_vp[kind]),
            *board.row_gain["village"],
            *board.row_gain["city"],
            *(value for one in board.prefectures for value in (*one.now, one.end_vp)),
        ]
        for name, board in reference.BOARDS.items()
    }
    assert list(by_id("boards").items()) == list(wanted.items())


def test_a_cell_is_board_place_terrain_icon_penalty_and_gain():
    assert DEFAULT.tables["cells"] == [
        [
            *(number, place, TERRAINS.index(cell.terrain), ICONS.index(cell.icon), cell.penalty),
            *cell.gain,
        ]
        for number, board in enumerate(reference.BOARDS.values())
        for place, cell in enumerate(board.cells.values())
    ]


def test_a_milestone_is_its_three_effects():
    wanted = {
        name: [EFFECTS[metal].index(getattr(card, metal)) for metal in EFFECTS]
        for name, card in reference.MILESTONES.items()
    }
    assert list(by_id("milestones").items()) == list(wanted.items())


@pytest.mark.parametrize(
    ("table", "groups"),
    [("development", reference.DEVELOPMENT), ("prefecture", reference.PREFECTURES)],
)
def test_a_token_is_its_group_dots_and_vp(table, groups):
    wanted = [[group, token.dots, token.vp] for group, row in groups.items() for token in row]
    assert DEFAULT.tables[table] == wanted


def test_a_reward_is_level_and_gain():
    wanted = {name: [tile.level, *tile.gain] for name, tile in reference.REWARDS.items()}
    assert list(by_id("rewards").items()) == list(wanted.items())


def test_the_rules_are_single_numbers():
    rules = reference.RULES
    wanted = {
        "start_silver": rules.start_silver,
        "track_start": rules.track_start,
        **{f"{track}_end": end for track, end in rules.track_ends.items()},
        **{f"display_{age}": number for age, number in rules.display.items()},
        "mischief": rules.mischief,
        "prefecture_stars": rules.prefecture_stars,
        "round_limit": rules.round_limit,
        **{f"age_cost_{age}": books for age, books in rules.age_costs.items()},
        **{f"shrines_{number}": rules.shrines[number] for number in (1, 2, 3)},
        "five_vp": rules.five_vp,
        "end_vp": rules.end_vp,
    }
    assert list(by_id("rules").items()) == [(name, [value]) for name, value in wanted.items()]


# The design of the default set


def test_no_card_is_dominated_by_a_card_of_its_age():
    """Another one that is as cheap, as calm and as good in every icon, and better somewhere."""

    def worth(row: list[int]) -> list[int]:
        _, _, cost, yokai, *icons, special, end_vp = row
        return [-cost, -yokai, *icons, *(int(special == index) for index in range(13)), end_vp]

    for age in (1, 2, 3):
        cards = {name: worth(row) for name, row in by_id("cards").items() if row[0] == age}
        for name, one in cards.items():
            better = [
                other
                for other, two in cards.items()
                if other != name and all(a <= b for a, b in zip(one, two, strict=True))
            ]
            assert not better, name


def test_starting_cards_have_fourteen_yokai_and_cost_nine_vp():
    cards = [row for row in DEFAULT.rows["cards"] if row["age"] == 0]
    assert sum(card["copies"] * card["yokai"] for card in cards) == 14
    assert sum(card["copies"] * card["end_vp"] for card in cards) == -9


def test_every_folk_design_has_two_copies():
    copies = Counter(row["copies"] for row in DEFAULT.rows["cards"] if row["age"])
    assert copies == {2: 45}  # SG37


def test_cells_next_to_each_other():
    cells = [f"{row}{column}" for row in "abcd" for column in range(1, 6)]
    near = {cell: {cells[other] for other in neighbours(i)} for i, cell in enumerate(cells)}
    assert near["a1"] == {"a2", "b1"}
    assert near["b2"] == {"a2", "a3", "b1", "b3", "c2", "c3"}
    assert near["c5"] == {"b4", "b5", "c4", "d4", "d5"}
    assert near["d5"] == {"c5", "d4"}
    assert all(one in near[two] for one in cells for two in near[one])


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("board_fox:a1", "board_koi:d5"),
        ("age2:1", "age5:1"),
        ("pile1:1", "pile3:1"),
        ("ms_a", "ms_e"),
    ],
)
def test_the_order_of_rows_with_fixed_ids_does_not_count(tmp_path_factory, one, other):
    found = load(tmp_path_factory, swapped(TEXT, one, other))
    assert found.id == DEFAULT.id
    assert found.tables == DEFAULT.tables


def test_the_order_of_cards_that_the_file_names_counts(tmp_path_factory):
    found = load(tmp_path_factory, swapped(TEXT, "hunter", "fisher"))
    assert found.hash != DEFAULT.hash
    assert found.names["cards"][9] == "fisher"
    assert found.tables["cards"][9] == by_id("cards")["fisher"]


def test_the_hash_covers_names(tmp_path_factory):
    found = load(tmp_path_factory, TEXT.replace('"hunter"', '"archer"'))
    assert found.tables == DEFAULT.tables
    assert found.names["cards"][9] == "archer"
    assert found.hash != DEFAULT.hash


def test_the_hash_covers_gains(tmp_path_factory):
    found = load(tmp_path_factory, TEXT.replace("gain = { silver = 4 }", "gain = { silver = 3 }"))
    assert by_id("rewards")["r2_coins"] == [2, 0, 0, 0, 0, 4, 0, 0]
    assert found.tables["rewards"][5] == [2, 0, 0, 0, 0, 3, 0, 0]
    assert found.hash != DEFAULT.hash


# Faults

BROKEN = [
    # cards
    (
        ("cards", 10, {"age": 4}),
        'row 10 (card "hunter"): age must be a whole number from 0 to 3, not 4',
    ),
    (
        ("cards", 10, {"copies": 4}),
        'row 10 (card "hunter"): copies must be a whole number from 1 to 3, not 4',
    ),
    (("cards", 10, {"copies": 0}), "copies must be a whole number from 1 to 3, not 0"),
    (
        ("cards", 10, {"cost": 13}),
        'row 10 (card "hunter"): cost must be a whole number from 0 to 12, not 13',
    ),
    (
        ("cards", 10, {"cost": 0}),
        'row 10 (card "hunter"): cost must be at least 1 for a Folk card',
    ),
    (
        ("cards", 1, {"cost": 1}),
        'row 1 (card "scout"): cost must be 0 for a starting card, not 1',
    ),
    (
        ("cards", 10, {"yokai": 4}),
        'row 10 (card "hunter"): yokai must be a whole number from 0 to 3, not 4',
    ),
    (
        ("cards", 10, {"icons": {"gold": 1}}),
        'row 10 (card "hunter"): icons may have compass, hammer, book, compass_hammer, '
        'compass_book, hammer_book, any, not "gold"',
    ),
    (
        ("cards", 10, {"icons": {"any": 6}}),
        'row 10 (card "hunter"): icons any must be a whole number from 1 to 5, not 6',
    ),
    (
        ("cards", 10, {"icons": {"any": 0}}),
        'row 10 (card "hunter"): icons any must be a whole number from 1 to 5, not 0',
    ),
    (
        ("cards", 10, {"bonus": 1}),
        'row 10 (card "hunter"): bonus must say how many of gold, silver, pilgrim, vp, not 1',
    ),
    (
        ("cards", 10, {"special": "sp_gold"}),
        'row 10 (card "hunter"): special must be "none" or "sp_vp_prefectures" or '
        '"sp_pilgrim_sets" or "sp_vp_sets" or "sp_vp_cities" or "sp_vp_villages" or '
        '"sp_vp_farms" or "sp_vp_revealed" or "sp_silver_farms" or "sp_silver_villages" or '
        '"sp_silver_cities" or "sp_step_forest" or "sp_vp_hills" or "sp_vp_mountains", '
        'not "sp_gold"',
    ),
    (
        ("cards", 10, {"end_vp": -6}),
        'row 10 (card "hunter"): end_vp must be a whole number from -5 to 9, not -6',
    ),
    (("cards", 1, {"copies": 1}), "a starting deck has 12 cards, must have 13"),
    (("cards", 10, {"copies": 3}), "Age 1 has 35 cards, must have 34"),
    (("cards", 27, {"copies": 1}), "Age 2 has 29 cards, must have 30"),
    (("cards", 54, {"copies": 3}), "Age 3 has 27 cards, must have 26"),
    (("cards", 10, {"age": 2}), "card stonemason of age 1 stands after one of age 2"),
    (("cards", 45, {"special": "none"}), "no card has sp_vp_cities"),
    (
        ("cards", 10, {"id": "fisher"}),
        'row 16 (card "fisher"): id fisher is already in row 10; each card has one row',
    ),
    (
        ("cards", 10, {"id": "Hunter"}),
        'row 10 (card "Hunter"): id must be a letter and at most 63 more characters of a-z, 0-9 '
        'and _, not "Hunter"',
    ),
    (("cards", None, {"id": "new"}), "has 55 rows, must have 54"),
    # boards
    (
        ("boards", 1, {"farm_vp": [0, 0, 1, 1, 2, 3, 4]}),
        'row 1 (board "board_common"): farm_vp must list 8 values, not 7',
    ),
    (
        ("boards", 1, {"village_vp": [1, 2, 3, 5, 7, 21]}),
        'row 1 (board "board_common"): village_vp value 6 must be a whole number from 0 to 20, '
        "not 21",
    ),
    *(
        (
            ("boards", 1, {f"{kind}_vp": values}),
            f'row 1 (board "board_common"): {kind}_vp must not fall: value 3 is 1 after 2',
        )
        for kind, values in (
            ("farm", [1, 2, 1, 3, 4, 5, 6, 7]),
            ("village", [1, 2, 1, 5, 7, 9]),
            ("city", [1, 2, 1, 14]),
        )
    ),
    (
        ("boards", 1, {"gain_1": {"gold": 1}}),
        'row 1 (board "board_common"): gain_1 may have compass, hammer, book, any, silver, '
        'pilgrim, vp, not "gold"',
    ),
    (
        ("boards", 1, {"end_vp_3": -1}),
        'row 1 (board "board_common"): end_vp_3 must be a whole number from 0 to 20, not -1',
    ),
    (("boards", 1, {"id": "board_tanuki"}), "no row for board board_common"),
    # cells
    (
        ("cells", 2, {"id": "board_common:a6"}),
        'row 2 (cell "board_common:a6"): id must be a board and a cell, such as '
        '"board_common:a1", not "board_common:a6"',
    ),
    (("cells", 2, {"id": "board_common:a6"}), "no row for cell board_common:a2"),
    (
        ("cells", 2, {"terrain": "swamp"}),
        'row 2 (cell "board_common:a2"): terrain must be "forest" or "hills" or "mountains" or '
        '"lake", not "swamp"',
    ),
    (
        ("cells", 2, {"terrain": "lake"}),
        'row 2 (cell "board_common:a2"): icon must be "none" on a lake',
    ),
    (
        ("cells", 18, {"terrain": "hills"}),
        'row 18 (cell "board_common:d3"): terrain must be "forest" at the start, not "hills"',
    ),
    (
        ("cells", 2, {"icon": "silver"}),
        'row 2 (cell "board_common:a2"): icon must be "none" or "start" or "ivory" or "iron" or '
        '"gold", not "silver"',
    ),
    (
        ("cells", 2, {"icon": {"penalty": 5}}),
        'row 2 (cell "board_common:a2"): icon penalty must be a whole number from 1 to 4, not 5',
    ),
    (
        ("cells", 2, {"icon": {"penalty": 1, "vp": 1}}),
        'row 2 (cell "board_common:a2"): icon may have compass, hammer, book, any, silver, '
        'pilgrim, vp, not "penalty"',
    ),
    (
        ("cells", 2, {"icon": {}}),
        'row 2 (cell "board_common:a2"): icon must gain something',
    ),
    (("cells", 6, {"terrain": "lake"}), "board_common has 5 lakes, must have 4"),
    (("cells", 1, {"icon": "ivory"}), "board_common has 2 cells of ivory, must have 1"),
    *(
        (("cells", row, {"icon": "none"}), f"board_common has 0 cells of {icon}, must have 1")
        for row, icon in ((18, "start"), (11, "ivory"), (9, "iron"), (1, "gold"))
    ),
    (
        ("cells", 2, {"icon": {"penalty": 2}}),
        "board_common has 4 penalties of 9 VP, must have 4 of 10",
    ),
    (
        ("cells", 2, {"icon": "none"}),
        "board_common has 3 penalties of 7 VP, must have 4 of 10",
    ),
    (
        ("cells", 12, {"icon": {"vp": 1}}),
        "board_common has 6 cells with a gain, must have 5",
    ),
    (("cells", 4, {"icon": "none"}), "board_common has 4 cells with a gain, must have 5"),
    # milestones
    (
        ("milestones", 2, {"iron": "iv_swap"}),
        'row 2 (milestone "ms_a"): iron must be "ir_farms" or "ir_village" or "ir_gift" or '
        '"ir_boost" or "ir_guest", not "iv_swap"',
    ),
    *(
        (
            ("milestones", 2, {metal: effect}),
            f"{effect} is on 2 of the five flower sides, must be on one",
        )
        for metal, effect in (("ivory", "iv_leap"), ("iron", "ir_guest"), ("gold", "go_villages"))
    ),
    (("milestones", 2, {"id": "ms_f"}), "no row for milestone ms_a"),
    # development and prefecture
    (
        ("development", 1, {"vp": 21}),
        'row 1 (token "age2:1"): vp must be a whole number from 1 to 20, not 21',
    ),
    (
        ("development", 1, {"id": "age5:2"}),
        'row 1 (token "age5:2"): id must be an Age and dots, "age2:1" to "age4:4" or "age5:1", '
        'not "age5:2"',
    ),
    (("development", 1, {"id": "age5:2"}), "no row for token age2:1"),
    (("development", 2, {"vp": 5}), "age2:2 has 5 VP, more than age2:1"),
    (
        ("prefecture", 1, {"vp": 0}),
        'row 1 (token "pile1:1"): vp must be a whole number from 1 to 20, not 0',
    ),
    (
        ("prefecture", 1, {"id": "pile3:2"}),
        'row 1 (token "pile3:2"): id must be a pile and dots, "pile1:1" to "pile2:4" or '
        '"pile3:1", not "pile3:2"',
    ),
    (("prefecture", 8, {"vp": 6}), "pile2:4 has 6 VP, more than pile2:3"),
    # rewards
    (
        ("rewards", 1, {"gain": {}}),
        'row 1 (reward "r1_coins"): gain must have something',
    ),
    (
        ("rewards", 1, {"level": 3}),
        'row 1 (reward "r1_coins"): level must be a whole number from 1 to 2, not 3',
    ),
    (("rewards", 1, {"level": 2}), "must have 5 tiles of level 1, then 5 of level 2"),
    (
        ("rewards", 1, {"id": "r1_fame"}),
        'row 5 (reward "r1_fame"): id r1_fame is already in row 1; each reward has one row',
    ),
    # rules
    *(
        (
            ("rules", row, {"value": value}),
            f'row {row} (rule "{name}"): value must be {value - 1}, as printed, not {value}',
        )
        for row, name, value in (
            (1, "start_silver", 3),
            (2, "track_start", 2),
            (6, "display_1", 6),
            (7, "display_2", 5),
            (8, "display_3", 4),
            (9, "mischief", 8),
            (10, "prefecture_stars", 7),
            (12, "age_cost_2", 6),
            (13, "age_cost_3", 8),
            (14, "age_cost_4", 9),
            (15, "age_cost_5", 11),
            (19, "five_vp", 6),
            (20, "end_vp", 16),
        )
    ),
    *(
        (
            ("rules", row, {"value": 16}),
            f'row {row} (rule "{track}_end"): value must be from {low} to 15, not 16',
        )
        for row, track, low in ((3, "compass", 9), (4, "hammer", 9), (5, "book", 10))
    ),
    (
        ("rules", 5, {"value": 9}),
        'row 5 (rule "book_end"): value must be from 10 to 15, not 9',
    ),
    (
        ("rules", 11, {"value": 61}),
        'row 11 (rule "round_limit"): value must be a whole number from 0 to 60, not 61',
    ),
    (
        ("rules", 11, {"value": 0}),
        'row 11 (rule "round_limit"): value must be from 1 to 60, not 0',
    ),
    (
        ("rules", 16, {"value": 21}),
        'row 16 (rule "shrines_1"): value must be from 0 to 20, not 21',
    ),
    (("rules", 16, {"value": 5}), "shrines_1, shrines_2 and shrines_3 must not fall"),
    (("rules", 17, {"value": 9}), "shrines_1, shrines_2 and shrines_3 must not fall"),
    (("rules", 1, {"id": "luck"}), "no row for rule start_silver"),
]


def test_the_default_document_has_no_fault():
    assert RULES.read(DOCUMENT)[2] == []


@pytest.mark.parametrize(("change", "fault"), BROKEN)
def test_each_broken_rule_is_named_with_its_row(change, fault):
    table, row, cells = change
    told = faults(table, row, **cells)
    assert any(line.startswith(f"table {table}") and line.endswith(fault) for line in told), told


def test_land_must_be_connected():
    lake, land = {"terrain": "lake", "icon": "none"}, {"terrain": "forest", "icon": "none"}
    assert map_faults(b1=lake, a3=land, c2=land | {"terrain": "hills"}) == []
    assert map_faults(c2=lake, c4=land) == []
    # a1 and a2 alone between lakes
    cut = map_faults(a3=lake, b1=lake, b2=lake, c4=land)
    assert cut == ["table cells: board_common has land that no path of land connects"]


@pytest.mark.parametrize(
    ("terrain", "most", "changed"),
    [("forest", 8, ("b1", "c3")), ("hills", 6, ("c2", "d2")), ("mountains", 4, ("d2",))],
)
def test_the_tiles_must_be_enough_for_every_map(terrain, most, changed):
    told = map_faults(**{cell: {"terrain": terrain} for cell in changed})
    assert told == [f"table cells: board_common has {most + 1} cells of {terrain}, may have {most}"]
    assert map_faults(**{cell: {"terrain": terrain} for cell in changed[1:]}) == []


def test_rules_over_tables_wait_until_their_tables_are_right():
    document = deepcopy(DOCUMENT)
    document["rules"]["rows"][0]["value"] = 3
    document["cards"]["rows"][9] |= {"copies": 9, "end_vp": 99}
    told = RULES.read(document)[2]
    assert len(told) == 3
    assert all(", row " in line for line in told)


def test_a_missing_table_is_named_and_the_others_still_checked():
    document = deepcopy(DOCUMENT)
    del document["boards"]
    document["development"]["rows"][1]["vp"] = 5
    assert RULES.read(document)[2] == [
        "table boards: is missing",
        "table development: age2:2 has 5 VP, more than age2:1",
    ]


def test_a_row_of_another_shape_is_told_what_it_looks_like(tmp_path_factory):
    line = '{ id = "age5:1", vp = 15 }'
    assert line in TEXT
    with pytest.raises(ComponentError, match=re.escape("must be { id = ..., vp = ... }, not 3")):
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
            assert all(type(value) is int for row in rows for value in row)


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

"""The printed and reconstructed components of Shugendo, for the reference rules in `shugendo.py`.

Every table is a dict in the order of its rows; "before" always means earlier in that order. Values
that no publisher has listed are replaceable: `Shugendo(players, flower, tables)` takes any other
`Tables`.

Gains and icons are written in short: `C`, `H`, `B` a step on the compass, hammer, book track; `ch`,
`cb`, `hb` a step on one of the two, `any` on one of the three; `G` gold, `S` silver, `P` Pilgrim,
`V` immediate VP; the number behind is how many.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

TRACKS = ("compass", "hammer", "book")
ICONS = ("C", "H", "B", "ch", "cb", "hb", "any")
CHOICES = {
    "ch": ("compass", "hammer"),
    "cb": ("compass", "book"),
    "hb": ("hammer", "book"),
    "any": TRACKS,
}
"""Choice icon -> its tracks, in the order in which the icons are used (SG11)."""
COMMUNITIES = ("farm", "village", "city")
TERRAINS = {"F": "forest", "H": "hills", "M": "mountains", "L": "lake"}


class Gain(NamedTuple):
    """What a cell, a row, a Prefecture or a tile gives at once."""

    compass: int = 0
    hammer: int = 0
    book: int = 0
    any: int = 0
    silver: int = 0
    pilgrims: int = 0
    vp: int = 0


@dataclass(frozen=True)
class Card:
    age: int
    """0 for a starting card, else 1 to 3."""
    copies: int
    """In all; of a starting card, for each player."""
    cost: int
    yokai: int
    icons: Mapping[str, int]
    """Icon of the Action phase -> how many; every one of ICONS has an entry."""
    gold: int
    bonus: Gain
    """Recruit bonus without gold and special."""
    special: str
    """Recruit bonus that depends on what its owner has, or ""."""
    end_vp: int


@dataclass(frozen=True)
class Cell:
    terrain: str
    icon: str
    """`start`, `ivory`, `iron`, `gold`, `penalty`, `bonus` or "" for none."""
    penalty: int
    """VP lost at the end while the cell is not covered."""
    gain: Gain


@dataclass(frozen=True)
class Prefecture:
    now: Gain
    end_vp: int


@dataclass(frozen=True)
class Board:
    cells: Mapping[str, Cell]
    row_vp: Mapping[str, tuple[int, ...]]
    """Community -> VP at the end with 1, 2, ... of them on the map."""
    row_gain: Mapping[str, Gain]
    """Community -> what each one placed gives."""
    prefectures: tuple[Prefecture, Prefecture, Prefecture]


@dataclass(frozen=True)
class Milestone:
    ivory: str
    iron: str
    gold: str


@dataclass(frozen=True)
class Token:
    dots: int
    """The fewest players it is used with."""
    vp: int


@dataclass(frozen=True)
class Reward:
    level: int
    gain: Gain


@dataclass(frozen=True)
class Rules:
    """Single figures."""

    start_silver: int
    track_start: int
    track_ends: Mapping[str, int]
    display: Mapping[int, int]
    """Age -> cards on show."""
    mischief: int
    prefecture_stars: int
    round_limit: int
    age_costs: Mapping[int, int]
    """Age -> books to reach it."""
    shrines: tuple[int, ...]
    """VP of go_shrines for 0, 1, ... covered Milestone cells."""
    five_vp: int
    end_vp: int


@dataclass(frozen=True)
class Tables:
    cards: Mapping[str, Card]
    boards: Mapping[str, Board]
    """The side without a flower first."""
    milestones: Mapping[str, Milestone]
    """The side without a flower first, whose effects are among those of the others (SG4)."""
    development: Mapping[int, tuple[Token, ...]]
    """Age -> its tokens."""
    prefectures: Mapping[int, tuple[Token, ...]]
    """Pile -> its tokens."""
    rewards: Mapping[str, Reward]
    rules: Rules


def _amounts(text: str) -> dict[str, int]:
    """The numbers behind the letters: "S2 V1" -> {"S": 2, "V": 1}."""
    return {code: int(number) for code, number in re.findall(r"([A-Za-z]+)(\d+)", text)}


def _gain(text: str) -> Gain:
    codes = ("C", "H", "B", "any", "S", "P", "V")
    amounts = _amounts(text)
    return Gain(*(amounts.get(code, 0) for code in codes))


def _card(
    age: int, cost: int, yokai: int, icons: str, bonus: str, end_vp: int, copies: int
) -> Card:
    found = _amounts(icons)
    special = re.search(r"sp_\w+", bonus)
    return Card(
        age=age,
        copies=copies,
        cost=cost,
        yokai=yokai,
        icons={icon: found.get(icon, 0) for icon in ICONS},
        gold=_amounts(bonus).get("G", 0),
        bonus=_gain(bonus),
        special=special.group() if special else "",
        end_vp=end_vp,
    )


def _start(copies: int, yokai: int, icons: str, bonus: str, end_vp: int) -> Card:
    return _card(0, 0, yokai, icons, bonus, end_vp, copies)


def _folk(age: int, cost: int, yokai: int, icons: str, bonus: str, end_vp: int) -> Card:
    return _card(age, cost, yokai, icons, bonus, end_vp, copies=2)  # SG37


def _cell(text: str) -> Cell:
    """From "M gold", "H -3", "M V2", "F": terrain, then what is printed on it."""
    terrain, _, printed = text.partition(" ")
    if printed in ("", "start", "ivory", "iron", "gold"):
        return Cell(TERRAINS[terrain], printed, 0, Gain())
    if printed.startswith("-"):
        return Cell(TERRAINS[terrain], "penalty", int(printed[1:]), Gain())
    return Cell(TERRAINS[terrain], "bonus", 0, _gain(printed))


def _cells(*rows: str) -> dict[str, Cell]:
    """The map, row by row: a1 to a5, b1 to b5, ..."""
    return {
        f"{letter}{number}": _cell(text.strip())
        for letter, row in zip("abcd", rows, strict=True)
        for number, text in enumerate(row.split(","), start=1)
    }


def _board(
    cells: dict[str, Cell],
    farms: tuple[int, ...],
    villages: tuple[int, ...],
    cities: tuple[int, ...],
    row_gains: tuple[str, str],
    prefectures: tuple[tuple[str, int], tuple[str, int], tuple[str, int]],
) -> Board:
    first, second, third = (Prefecture(_gain(now), end_vp) for now, end_vp in prefectures)
    return Board(
        cells=cells,
        row_vp=dict(zip(COMMUNITIES, (farms, villages, cities), strict=True)),
        row_gain=dict(zip(COMMUNITIES, map(_gain, ("", *row_gains)), strict=True)),
        prefectures=(first, second, third),
    )


# fmt: off
CARDS = {
    "scout":    _start(2, 1, "C1",   "",   -1),
    "digger":   _start(2, 1, "H1",   "",    0),
    "copyist":  _start(2, 1, "B1",   "",    0),
    "peddler":  _start(2, 0, "",     "G1", -1),
    "trader":   _start(1, 1, "",     "G2", -1),
    "porter":   _start(1, 1, "ch1",  "",   -1),
    "novice":   _start(1, 2, "ch1",  "G1", -1),
    "hermit":   _start(1, 1, "any1", "",   -1),
    "ruffian":  _start(1, 3, "ch1",  "G1", -1),

    "hunter":            _folk(1, 3, 1, "C1",       "G1",                  0),
    "stonemason":        _folk(1, 3, 1, "H1",       "G1",                  0),
    "temple_pupil":      _folk(1, 3, 1, "B1",       "G1",                  1),
    "trail_guide":       _folk(1, 3, 2, "C2",       "G2",                  1),
    "carpenter":         _folk(1, 4, 2, "H2",       "G2",                  1),
    "letter_writer":     _folk(1, 3, 2, "B2",       "G1",                  1),
    "fisher":            _folk(1, 4, 1, "ch1",      "G1",                  1),
    "rice_trader":       _folk(1, 5, 0, "",         "G2",                 -1),
    "potter":            _folk(1, 4, 1, "ch1",      "S1",                  0),
    "silk_reeler":       _folk(1, 4, 1, "cb1",      "S1",                  1),
    "farmhand":          _folk(1, 4, 2, "H1",       "G2 sp_silver_farms",  1),
    "field_singer":      _folk(1, 5, 1, "C1",       "G1 sp_vp_farms",      1),
    "woodcutter":        _folk(1, 4, 2, "C1",       "G2 sp_step_forest",   1),
    "mendicant":         _folk(1, 4, 1, "",         "G1 P1",               0),
    "shrine_maiden":     _folk(1, 5, 1, "any1",     "G1",                  1),
    "drummer":           _folk(1, 2, 2, "ch2",      "G2",                 -1),
    "night_watch":       _folk(1, 4, 3, "C1 H1 B1", "G2 S1",               2),

    "mountain_guide":    _folk(2, 4, 1, "C2",       "",                    1),
    "master_builder":    _folk(2, 6, 1, "H2",       "G2",                  1),
    "scholar":           _folk(2, 5, 1, "B2",       "G1",                  0),
    "merchant":          _folk(2, 6, 0, "",         "G3",                  0),
    "pilgrim_host":      _folk(2, 6, 1, "ch1",      "P1",                  1),
    "village_head":      _folk(2, 6, 2, "H1",       "G2 sp_vp_villages",   2),
    "tax_collector":     _folk(2, 5, 2, "hb1",      "G2 sp_silver_villages", 2),
    "storyteller":       _folk(2, 6, 2, "cb1",      "G2 sp_vp_revealed",   1),
    "surveyor":          _folk(2, 5, 2, "C2",       "G2 sp_vp_hills",      1),
    "miner":             _folk(2, 5, 2, "H2",       "G2 sp_vp_mountains",  1),
    "forest_hermit":     _folk(2, 6, 1, "ch1",      "G1 sp_step_forest",   1),
    "diviner":           _folk(2, 5, 2, "B2",       "G2 S1",               2),
    "wrestler":          _folk(2, 4, 3, "H4",       "G3",                  1),
    "lantern_bearer":    _folk(2, 7, 1, "any1",     "G1 V1",               2),
    "festival_crier":    _folk(2, 6, 3, "ch2",      "G3 V1",               2),

    "road_commissioner": _folk(3, 6, 1, "C3",       "G2",                  2),
    "castle_architect":  _folk(3, 8, 2, "H3",       "G3 sp_silver_cities", 3),
    "grand_scholar":     _folk(3, 8, 2, "B3",       "G3",                  4),
    "city_magistrate":   _folk(3, 8, 2, "H2 any1",  "G2 sp_vp_cities",     3),
    "daimyo":            _folk(3, 10, 2, "any1",    "G2 sp_vp_prefectures", 3),
    "harmony_priest":    _folk(3, 8, 1, "any1",     "G2 sp_vp_sets",       3),
    "abbot":             _folk(3, 7, 1, "B1",       "G2 sp_pilgrim_sets",  4),
    "banker":            _folk(3, 6, 1, "",         "G4 S1",               2),
    "mountain_ascetic":  _folk(3, 8, 2, "C2",       "G1 V1 sp_vp_mountains", 4),
    "terrace_master":    _folk(3, 8, 1, "H2",       "G1 sp_vp_hills",      3),
    "theatre_troupe":    _folk(3, 9, 3, "any2",     "G2 V2",               5),
    "spirit_tamer":      _folk(3, 7, 3, "any5",     "G3 V2",              -2),
    "elder_poet":        _folk(3, 10, 0, "any1",    "",                    5),
}

BOARDS = {
    "board_common": _board(
        _cells(
            "M gold,  H -3, L,     M V2,   H -4",
              "H,     L,    M S2,  F iron, L",
            "F ivory, F,    H P1,  L,      M -2",
              "H S1,  F,    F start, F any1, F -1",
        ),
        farms=(0, 0, 1, 1, 2, 3, 4, 5),
        villages=(1, 2, 3, 5, 7, 9),
        cities=(3, 6, 10, 14),
        row_gains=("S1", "V1"),
        prefectures=(("S2 V1", 2), ("P1 V1", 4), ("V2", 6)),
    ),
    "board_crane": _board(
        _cells(
            "F start, F,    H S1,    L,      H -4",
              "F P1,  H,    L,       M iron, M V2",
            "F -1,    L,    H ivory, F any1, F -2",
              "H,     F -3, M S2,    L,      M gold",
        ),
        farms=(0, 0, 1, 1, 2, 3, 4, 5),
        villages=(1, 2, 3, 4, 6, 8),
        cities=(3, 6, 9, 12),
        row_gains=("C1", "V1"),
        prefectures=(("S3", 3), ("V2", 4), ("V2", 6)),
    ),
    "board_fox": _board(
        _cells(
            "M -4,   F iron, H S1,    L,      M gold",
              "L,    H,      F P1,    H -2,   M V2",
            "H -3,   F,      F start, F any1, L",
              "M S2, F -1,   L,       F,      F ivory",
        ),
        farms=(0, 0, 1, 1, 2, 3, 4, 5),
        villages=(1, 3, 4, 6, 8, 10),
        cities=(2, 5, 9, 13),
        row_gains=("S1", "V1"),
        prefectures=(("any2 V1", 2), ("S2 V1", 4), ("V2", 6)),
    ),
    "board_koi": _board(
        _cells(
            "M gold, L,       H -2,   H V2,    M -4",
              "H P1, F,       L,      F iron,  L",
            "L,      F ivory, F any1, H,       H S2",
              "M -3, H S1,    F,      F start, F -1",
        ),
        farms=(0, 0, 1, 2, 3, 4, 5, 6),
        villages=(1, 3, 5, 7, 9, 11),
        cities=(4, 7, 11, 15),
        row_gains=("H1", "V1"),
        prefectures=(("P1 V1", 2), ("any2 V1", 4), ("V3", 6)),
    ),
    "board_deer": _board(
        _cells(
            "H -2,    L,       M V2, M -3, H gold",
              "F S1,  M iron,  H -2, L,    F",
            "F start, F any1,  F,    L,    H P1",
              "L,     H ivory, F,    M S2, F -3",
        ),
        farms=(0, 1, 1, 2, 3, 4, 5, 6),
        villages=(1, 2, 4, 6, 8, 10),
        cities=(4, 8, 12, 16),
        row_gains=("B1", "V1"),
        prefectures=(("B2 V1", 2), ("S2 V1", 4), ("V2", 6)),
    ),
}

MILESTONES = {
    "ms_common": Milestone("iv_peaks", "ir_boost",   "go_villages"),
    "ms_a":      Milestone("iv_swap",  "ir_farms",   "go_forgive"),
    "ms_b":      Milestone("iv_leap",  "ir_village", "go_humble"),
    "ms_c":      Milestone("iv_calm",  "ir_gift",    "go_villages"),
    "ms_d":      Milestone("iv_alms",  "ir_boost",   "go_learning"),
    "ms_e":      Milestone("iv_peaks", "ir_guest",   "go_shrines"),
}

DEVELOPMENT = {
    2: (Token(1, 4), Token(2, 3), Token(3, 3), Token(4, 2)),
    3: (Token(1, 6), Token(2, 5), Token(3, 4), Token(4, 3)),
    4: (Token(1, 10), Token(2, 8), Token(3, 7), Token(4, 6)),
    5: (Token(1, 15),),
}

PREFECTURES = {
    1: (Token(1, 5), Token(2, 4), Token(3, 3), Token(4, 2)),
    2: (Token(1, 7), Token(2, 6), Token(3, 5), Token(4, 4)),
    3: (Token(1, 12),),
}

REWARDS = {
    "r1_coins":    Reward(1, _gain("S2")),
    "r1_pilgrim":  Reward(1, _gain("P1")),
    "r1_steps":    Reward(1, _gain("any2")),
    "r1_trio":     Reward(1, _gain("C1 H1 B1")),
    "r1_fame":     Reward(1, _gain("V1 S1")),
    "r2_coins":    Reward(2, _gain("S4")),
    "r2_pilgrims": Reward(2, _gain("P2")),
    "r2_steps":    Reward(2, _gain("any4")),
    "r2_trio":     Reward(2, _gain("C2 H2 B2")),
    "r2_fame":     Reward(2, _gain("V2")),
}
# fmt: on

RULES = Rules(
    start_silver=2,
    track_start=1,
    track_ends={"compass": 10, "hammer": 10, "book": 12},  # SG35
    display={1: 5, 2: 4, 3: 3},
    mischief=7,
    prefecture_stars=6,
    round_limit=60,  # SG32
    age_costs={2: 5, 3: 7, 4: 8, 5: 10},
    shrines=(0, 2, 4, 8),  # SG5
    five_vp=5,
    end_vp=15,
)

DEFAULT = Tables(
    cards=CARDS,
    boards=BOARDS,
    milestones=MILESTONES,
    development=DEVELOPMENT,
    prefectures=PREFECTURES,
    rewards=REWARDS,
    rules=RULES,
)

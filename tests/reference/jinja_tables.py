"""The printed and reconstructed components of Jinja, for the reference rules in `jinja.py`.

Every table is a dict in the order of its rows; "lower" always means earlier in that order. Values
that no publisher has listed are replaceable: `Jinja(players, tables)` takes any other `Tables`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

KINDS = ("honden", "kitsune_statue", "torii_gate", "chozuya")
SIZES = ("small", "medium", "large")


@dataclass(frozen=True)
class Territory:
    region: str
    spaces: int
    """How many Shrines fit (J4)."""


@dataclass(frozen=True)
class Lantern:
    blue: str
    red: str
    """The bonus code of each side."""


@dataclass(frozen=True)
class Deed:
    territory: str
    size: str
    cost: tuple[int, int, int, int]
    """Structures to pay, in the order of KINDS."""
    honor: int
    bonus: str
    """The code of its bonus at the end of a season."""


@dataclass(frozen=True)
class Omikuji:
    condition: str
    """`size_terr`, `size_reg`, `all`, `most`, `distinct` or `regions`."""
    terms: tuple[str, ...]
    honor: int


@dataclass(frozen=True)
class Activity:
    cost: int
    """Gold to pay."""
    circles: tuple[int, int, int, int]
    """Usable circles with 2, 3, 4 and 5 players."""


@dataclass(frozen=True)
class Start:
    """What a seat begins with."""

    structures: int
    gold: int
    fox: bool


@dataclass(frozen=True)
class Tables:
    territories: Mapping[str, Territory]
    lanterns: Mapping[str, Lantern]
    deeds: Mapping[str, Deed]
    omikuji: Mapping[str, Omikuji]
    kitsune: Mapping[str, str]
    """Card -> `immediate` or `season`."""
    activities: Mapping[str, Activity]
    die: Mapping[str, int]
    """Face -> how many of the six sides show it."""
    workers: Mapping[int, int]
    """Number of players -> workers of each."""
    starts: Mapping[int, tuple[Start, ...]]
    """Number of players -> what seat 0, 1, ... begins with."""

    @property
    def regions(self) -> list[str]:
        return list(dict.fromkeys(row.region for row in self.territories.values()))


# fmt: off
TERRITORIES = {
    "hokkaido": Territory("northeast", 3),
    "tohoku":   Territory("northeast", 3),
    "kanto":    Territory("central",   4),
    "kansai":   Territory("central",   4),
    "chugoku":  Territory("southwest", 3),
    "shikoku":  Territory("southwest", 2),
    "kyushu":   Territory("southwest", 3),
}

LANTERNS = {
    "lantern_1": Lantern("gold1",  "gold2"),
    "lantern_2": Lantern("gold1",  "honor2"),
    "lantern_3": Lantern("gold1",  "choice1"),
    "lantern_4": Lantern("rand1",  "rand2"),
    "lantern_5": Lantern("rand1",  "choice1"),
    "lantern_6": Lantern("honor1", "honor2"),
    "lantern_7": Lantern("honor1", "gold2"),
}

DEEDS = {
    "hokkaido_s":  Deed("hokkaido", "small",  (2, 0, 2, 0),  4, "harvest"),
    "hokkaido_m":  Deed("hokkaido", "medium", (2, 1, 0, 2),  7, "honor1"),
    "hokkaido_l1": Deed("hokkaido", "large",  (0, 2, 2, 2), 10, "rand1"),
    "hokkaido_l2": Deed("hokkaido", "large",  (1, 2, 2, 1), 10, "gold1"),
    "tohoku_s1":   Deed("tohoku",   "small",  (2, 1, 1, 0),  3, "rand2"),
    "tohoku_s2":   Deed("tohoku",   "small",  (0, 2, 0, 2),  5, "gold2"),
    "tohoku_m":    Deed("tohoku",   "medium", (1, 2, 1, 1),  7, "rand1"),
    "tohoku_l":    Deed("tohoku",   "large",  (2, 0, 2, 2), 11, "honor1"),
    "kanto_s":     Deed("kanto",    "small",  (1, 1, 1, 1),  3, "honor2"),
    "kanto_m1":    Deed("kanto",    "medium", (1, 1, 2, 1),  6, "choice1"),
    "kanto_m2":    Deed("kanto",    "medium", (1, 1, 1, 2),  7, "gold1"),
    "kanto_l":     Deed("kanto",    "large",  (2, 2, 1, 1),  9, "rand1"),
    "kansai_s":    Deed("kansai",   "small",  (0, 2, 2, 0),  4, "lantern"),
    "kansai_m":    Deed("kansai",   "medium", (1, 0, 2, 2),  7, "gold1"),
    "kansai_l1":   Deed("kansai",   "large",  (2, 2, 0, 2), 10, "honor1"),
    "kansai_l2":   Deed("kansai",   "large",  (2, 2, 1, 1),  9, "gold1"),
    "chugoku_s1":  Deed("chugoku",  "small",  (1, 0, 2, 1),  4, "omikuji"),
    "chugoku_s2":  Deed("chugoku",  "small",  (1, 1, 0, 2),  4, "gold2"),
    "chugoku_m":   Deed("chugoku",  "medium", (2, 2, 1, 0),  7, "donate"),
    "chugoku_l":   Deed("chugoku",  "large",  (1, 1, 2, 2), 10, "rand1"),
    "shikoku_s":   Deed("shikoku",  "small",  (2, 0, 0, 2),  5, "choice1"),
    "shikoku_m1":  Deed("shikoku",  "medium", (0, 2, 2, 1),  7, "omikuji"),
    "shikoku_m2":  Deed("shikoku",  "medium", (1, 1, 1, 2),  7, "honor1"),
    "shikoku_l":   Deed("shikoku",  "large",  (2, 2, 2, 0), 10, "honor1"),
    "kyushu_s":    Deed("kyushu",   "small",  (0, 2, 1, 1),  4, "choice1"),
    "kyushu_m1":   Deed("kyushu",   "medium", (2, 1, 1, 1),  5, "lantern"),
    "kyushu_m2":   Deed("kyushu",   "medium", (1, 1, 2, 1),  7, "rand1"),
    "kyushu_l":    Deed("kyushu",   "large",  (2, 1, 1, 2),  9, "gold1"),
}

OMIKUJI = {
    "large_hokkaido":   Omikuji("size_terr", ("large", "hokkaido"), 5),
    "small_tohoku":     Omikuji("size_terr", ("small", "tohoku"), 4),
    "medium_kanto":     Omikuji("size_terr", ("medium", "kanto"), 5),
    "large_kansai":     Omikuji("size_terr", ("large", "kansai"), 5),
    "small_chugoku":    Omikuji("size_terr", ("small", "chugoku"), 4),
    "medium_shikoku":   Omikuji("size_terr", ("medium", "shikoku"), 5),
    "medium_kyushu":    Omikuji("size_terr", ("medium", "kyushu"), 5),
    "small_northeast":  Omikuji("size_reg", ("small", "northeast"), 3),
    "medium_northeast": Omikuji("size_reg", ("medium", "northeast"), 4),
    "small_central":    Omikuji("size_reg", ("small", "central"), 4),
    "large_central":    Omikuji("size_reg", ("large", "central"), 4),
    "medium_southwest": Omikuji("size_reg", ("medium", "southwest"), 3),
    "large_southwest":  Omikuji("size_reg", ("large", "southwest"), 4),
    "path_hokkaido_kansai":  Omikuji("all", ("hokkaido", "kansai"), 4),
    "path_kansai_shikoku":   Omikuji("all", ("kansai", "shikoku"), 5),
    "path_tohoku_shikoku":   Omikuji("all", ("tohoku", "shikoku"), 5),
    "path_tohoku_kyushu":    Omikuji("all", ("tohoku", "kyushu"), 4),
    "path_kanto_kyushu":     Omikuji("all", ("kanto", "kyushu"), 4),
    "path_kanto_chugoku":    Omikuji("all", ("kanto", "chugoku"), 4),
    "path_hokkaido_chugoku": Omikuji("all", ("hokkaido", "chugoku"), 4),
    "pilgrimage_hokkaido_tohoku_kansai":
        Omikuji("all", ("hokkaido", "tohoku", "kansai"), 7),
    "pilgrimage_tohoku_kanto_chugoku":
        Omikuji("all", ("tohoku", "kanto", "chugoku"), 7),
    "pilgrimage_kanto_kansai_shikoku":
        Omikuji("all", ("kanto", "kansai", "shikoku"), 8),
    "pilgrimage_kansai_chugoku_kyushu":
        Omikuji("all", ("kansai", "chugoku", "kyushu"), 7),
    "pilgrimage_hokkaido_chugoku_shikoku":
        Omikuji("all", ("hokkaido", "chugoku", "shikoku"), 8),
    "pilgrimage_tohoku_shikoku_kyushu":
        Omikuji("all", ("tohoku", "shikoku", "kyushu"), 8),
    "pilgrimage_hokkaido_kanto_kyushu":
        Omikuji("all", ("hokkaido", "kanto", "kyushu"), 7),
    "most_small":    Omikuji("most", ("small",), 5),
    "most_medium":   Omikuji("most", ("medium",), 5),
    "most_large":    Omikuji("most", ("large",), 6),
    "territories_4": Omikuji("distinct", ("4",), 4),
    "territories_5": Omikuji("distinct", ("5",), 6),
    "territories_6": Omikuji("distinct", ("6",), 10),
    "every_region":  Omikuji("regions", (), 4),
}

KITSUNE = {
    "k_fortune":  "immediate",
    "k_trade":    "immediate",
    "k_lights":   "immediate",
    "k_purse":    "immediate",
    "k_gift":     "immediate",
    "k_vow":      "immediate",
    "k_mason":    "season",
    "k_praise":   "season",
    "k_pilgrims": "season",
    "k_alms":     "season",
    "k_crafts":   "season",
    "k_omen":     "season",
    "k_grace":    "season",
}

ACTIVITIES = {
    "deed_exchange":     Activity(0, (1, 1, 1, 1)),
    "deed_buyback":      Activity(2, (1, 1, 1, 1)),
    "omikuji":           Activity(0, (1, 1, 2, 2)),
    "gain_territory":    Activity(0, (1, 1, 1, 1)),
    "territory_build":   Activity(1, (1, 1, 1, 2)),
    "change_lantern":    Activity(0, (1, 1, 1, 1)),
    "minor_offering":    Activity(2, (1, 1, 1, 1)),
    "major_offering":    Activity(4, (1, 1, 1, 2)),
    "market":            Activity(0, (1, 1, 2, 2)),
    "roll_structures":   Activity(0, (0, 1, 1, 1)),
    "random_structures": Activity(1, (1, 1, 1, 1)),
    "supplement_gold":   Activity(0, (0, 1, 1, 1)),
    "roll_gold":         Activity(0, (1, 1, 1, 1)),
}

DIE = {"blue": 2, "red": 2, "blue_star": 1, "red_star": 1}

WORKERS = {2: 5, 3: 4, 4: 3, 5: 3}

STARTS = {
    2: (Start(2, 2, False), Start(2, 2, True)),
    3: (Start(2, 2, False), Start(2, 2, False), Start(2, 2, True)),
    4: (Start(2, 2, False), Start(2, 2, True), Start(2, 3, True), Start(2, 3, True)),
    5: (Start(2, 2, True),) * 5,
}
# fmt: on

DEFAULT = Tables(
    territories=TERRITORIES,
    lanterns=LANTERNS,
    deeds=DEEDS,
    omikuji=OMIKUJI,
    kitsune=KITSUNE,
    activities=ACTIVITIES,
    die=DIE,
    workers=WORKERS,
    starts=STARTS,
)

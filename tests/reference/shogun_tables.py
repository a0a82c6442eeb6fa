"""The printed and reconstructed components of Shogun, for the reference rules in `shogun.py`.

Every table is a dict in the order of its rows; "lower" always means earlier in that order. Values
that no publisher has listed are replaceable: `Shogun(players, tables=...)` takes any `Tables`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

BOARDS = ("sun", "moon")
REGIONS = ("brown", "yellow", "red", "purple", "green")
BUILDINGS = ("castle", "temple", "theater")
FARMERS = "f"
"""The color of the farmers, beside p0, p1, ... of the seats."""


@dataclass(frozen=True)
class Province:
    sun: str
    """Region on the sun side."""
    moon: str
    """Region on the moon side."""
    chests: int
    rice: int
    spaces: int
    """How many buildings fit."""
    out: tuple[str, ...]
    """The sides on which three players do without it (SU5, SU6)."""

    def region(self, board: str) -> str:
        return self.sun if board == "sun" else self.moon


@dataclass(frozen=True)
class Start:
    """What each player begins with."""

    chests: int
    groups: tuple[int, ...]
    """Army groups, the largest first."""


@dataclass(frozen=True)
class Tower:
    """SU11: how a cube tower of one kind behaves."""

    p_seed: Fraction
    """The chance that a cube comes out when the tower is filled at the start."""
    p_new: Fraction
    """The chance that a thrown cube comes out."""
    q0: Fraction
    r: Fraction

    def q(self, thrown: int) -> Fraction:
        """The chance that a stuck cube comes out in a throw of so many cubes."""
        return 1 - (1 - self.q0) * (1 - self.r) ** thrown


@dataclass(frozen=True)
class Tables:
    provinces: Mapping[str, Province]
    land: Mapping[str, str]
    """Province -> its neighbors by land; every border stands on both sides."""
    sea: Mapping[str, tuple[tuple[str, str], ...]]
    """Board -> its sea routes."""
    events: Mapping[str, int]
    """Event -> rice lost if it is the winter card."""
    prices: Mapping[str, int]
    """Action -> chests to pay; in the order of the planning spaces."""
    armies: Mapping[str, tuple[int, int]]
    """Action that deploys -> armies, and armies under the levy event."""
    specials: tuple[str, ...]
    starts: Mapping[int, Start]
    lineups: Mapping[int, tuple[str, ...]]
    """Number of players -> the provinces of seat 0, 1, ... in the order of the army groups."""
    supply: Mapping[str, int]
    """Kind of piece -> how many there are, of armies for each player."""
    seeds: Mapping[str, int]
    """Cubes thrown into the empty tower: `armies` of each player, `farmers`."""
    towers: Mapping[str, Tower]
    provisions: tuple[tuple[int, int], ...]
    """Missing rice -> revolts, extra farmers of each; the last row is for all that is more."""


# fmt: off
PROVINCES = {
    "mutsu":       Province("brown",  "brown",  4, 3, 2, ("sun", "moon")),
    "echigo":      Province("brown",  "brown",  5, 3, 2, ("sun", "moon")),
    "shimotsuke":  Province("brown",  "brown",  6, 2, 3, ()),
    "hitachi":     Province("brown",  "yellow", 3, 4, 1, ()),
    "kozuke":      Province("brown",  "brown",  3, 4, 2, ()),
    "shinano":     Province("brown",  "red",    6, 2, 3, ()),
    "etchu":       Province("brown",  "brown",  7, 3, 3, ()),
    "kaga":        Province("brown",  "brown",  4, 5, 3, ()),
    "noto":        Province("brown",  "brown",  5, 2, 2, ()),
    "awa_boso":    Province("yellow", "yellow", 3, 4, 2, ("sun", "moon")),
    "kazusa":      Province("yellow", "yellow", 5, 3, 3, ("sun", "moon")),
    "shimosa":     Province("yellow", "yellow", 5, 5, 1, ()),
    "musashi":     Province("yellow", "yellow", 6, 3, 2, ()),
    "sagami":      Province("yellow", "yellow", 3, 4, 3, ()),
    "kai":         Province("yellow", "red",    5, 3, 1, ()),
    "suruga":      Province("yellow", "yellow", 7, 3, 2, ()),
    "izu":         Province("yellow", "yellow", 6, 2, 3, ()),
    "totomi":      Province("yellow", "yellow", 6, 2, 2, ()),
    "mikawa":      Province("red",    "red",    6, 3, 1, ()),
    "owari":       Province("red",    "purple", 6, 2, 2, ()),
    "mino":        Province("red",    "red",    3, 5, 1, ()),
    "hida":        Province("red",    "red",    4, 2, 2, ()),
    "echizen":     Province("red",    "brown",  4, 4, 2, ()),
    "omi":         Province("red",    "red",    3, 2, 3, ()),
    "wakasa":      Province("red",    "brown",  6, 2, 2, ()),
    "tamba":       Province("red",    "red",    7, 2, 1, ()),
    "harima":      Province("red",    "red",    4, 4, 2, ()),
    "shima":       Province("purple", "purple", 4, 3, 1, ()),
    "ise":         Province("purple", "purple", 5, 3, 2, ()),
    "kii":         Province("purple", "purple", 5, 4, 2, ()),
    "yamato":      Province("purple", "purple", 5, 4, 2, ()),
    "settsu":      Province("purple", "purple", 7, 3, 1, ()),
    "sanuki":      Province("purple", "green",  6, 2, 1, ("sun",)),
    "awa_shikoku": Province("purple", "purple", 4, 2, 2, ()),
    "tosa":        Province("purple", "purple", 6, 3, 2, ("sun", "moon")),
    "iyo":         Province("purple", "purple", 3, 4, 3, ()),
    "tajima":      Province("green",  "green",  4, 4, 1, ()),
    "hoki":        Province("green",  "green",  6, 5, 2, ()),
    "mimasaka":    Province("green",  "red",    7, 3, 1, ("moon",)),
    "bizen":       Province("green",  "green",  4, 2, 1, ()),
    "bitchu":      Province("green",  "green",  5, 3, 2, ()),
    "bingo":       Province("green",  "green",  3, 4, 2, ()),
    "izumo":       Province("green",  "green",  3, 3, 3, ("sun", "moon")),
    "iwami":       Province("green",  "green",  7, 2, 1, ("sun", "moon")),
    "aki":         Province("green",  "green",  4, 3, 2, ()),
}

LAND = {
    "mutsu":       "echigo kozuke shimotsuke hitachi",
    "echigo":      "mutsu kozuke shinano etchu",
    "shimotsuke":  "kozuke mutsu hitachi shimosa",
    "hitachi":     "mutsu shimotsuke shimosa",
    "kozuke":      "shimotsuke mutsu echigo shinano musashi shimosa",
    "shinano":     "kozuke echigo etchu hida mino mikawa totomi kai musashi",
    "etchu":       "echigo shinano hida kaga noto",
    "kaga":        "noto etchu hida echizen",
    "noto":        "etchu kaga",
    "awa_boso":    "kazusa",
    "kazusa":      "awa_boso shimosa",
    "shimosa":     "kazusa musashi kozuke shimotsuke hitachi",
    "musashi":     "shimosa kozuke shinano kai sagami",
    "sagami":      "musashi kai suruga izu",
    "kai":         "totomi suruga sagami musashi shinano",
    "suruga":      "izu sagami kai totomi",
    "izu":         "sagami suruga",
    "totomi":      "suruga kai shinano mikawa",
    "mikawa":      "totomi shinano mino owari",
    "owari":       "mikawa mino ise",
    "mino":        "shinano hida echizen omi ise owari mikawa",
    "hida":        "shinano etchu kaga echizen mino",
    "echizen":     "wakasa omi mino hida kaga",
    "omi":         "mino echizen wakasa tamba settsu yamato ise",
    "wakasa":      "tajima tamba omi echizen",
    "tamba":       "tajima harima settsu omi wakasa",
    "harima":      "tajima hoki mimasaka bizen settsu tamba",
    "shima":       "ise",
    "ise":         "owari mino omi yamato kii shima",
    "kii":         "ise yamato settsu",
    "yamato":      "omi settsu kii ise",
    "settsu":      "kii yamato omi tamba harima",
    "sanuki":      "iyo awa_shikoku",
    "awa_shikoku": "sanuki iyo tosa",
    "tosa":        "awa_shikoku iyo",
    "iyo":         "tosa awa_shikoku sanuki",
    "tajima":      "wakasa tamba harima hoki",
    "hoki":        "tajima harima mimasaka bitchu bingo izumo",
    "mimasaka":    "hoki bitchu bizen harima",
    "bizen":       "harima mimasaka bitchu",
    "bitchu":      "bizen mimasaka hoki bingo",
    "bingo":       "bitchu hoki izumo iwami aki",
    "izumo":       "hoki bingo iwami",
    "iwami":       "izumo bingo aki",
    "aki":         "iwami bingo",
}

SEA = (
    ("kaga", "tajima"), ("aki", "iyo"), ("harima", "sanuki"), ("awa_shikoku", "kii"),
    ("izu", "shima"), ("awa_boso", "izu"),
)

MOON_SEA = (
    ("izumo", "wakasa"), ("echigo", "noto"), ("bizen", "sanuki"), ("awa_shikoku", "settsu"),
    ("kii", "tosa"), ("ise", "mikawa"), ("kazusa", "sagami"), ("hitachi", "kazusa"),
)
"""SU4: the routes that only the moon side has."""

EVENTS = {
    "tax_max5":  0,
    "tax_min6":  2,
    "rice_max3": 4,
    "rice_min4": 3,
    "levy":      1,
    "farmers2":  3,
    "temple_a":  3,
    "temple_b":  4,
    "castle_a":  2,
    "castle_b":  6,
    "theater_a": 5,
    "theater_b": 7,
}

PRICES = {
    "castle":  3,
    "temple":  2,
    "theater": 1,
    "rice":    0,
    "tax":     0,
    "deploy5": 3,
    "deploy3": 2,
    "deploy1": 1,
    "battlea": 0,
    "battleb": 0,
}

ARMIES = {"deploy5": (5, 3), "deploy3": (3, 2), "deploy1": (1, 1)}

SPECIALS = ("attack", "defend", "chest", "rice", "six")

STARTS = {
    3: Start(18, (5, 4, 4, 3, 3, 2, 2, 2, 2)),
    4: Start(15, (5, 4, 4, 3, 3, 2, 2, 2)),
    5: Start(12, (5, 4, 4, 3, 3, 2, 2)),
}

LINEUPS = {
    3: (
        "suruga mino tamba musashi harima izu owari sagami tajima",
        "yamato echizen shimotsuke shimosa ise hitachi awa_shikoku kaga kii",
        "bizen omi hida etchu hoki bitchu bingo settsu shinano",
    ),
    4: (
        "yamato awa_shikoku kaga omi tamba kii settsu noto",
        "kozuke hida ise echizen shinano etchu shimotsuke shima",
        "mimasaka wakasa awa_boso harima bitchu hoki tajima kazusa",
        "kai musashi mino mikawa bingo aki totomi sagami",
    ),
    5: (
        "sagami mimasaka harima kazusa izu awa_boso bizen",
        "shimotsuke echizen tamba shimosa kozuke hitachi wakasa",
        "mino hida iyo owari totomi mikawa tosa",
        "hoki shinano bingo echigo aki izumo etchu",
        "yamato kaga kii shima omi ise noto",
    ),
}

SUPPLY = {"armies": 62, "farmers": 20, "castle": 28, "temple": 26, "theater": 26, "markers": 42}

SEEDS = {"armies": 7, "farmers": 10}

TOWERS = {
    "blend": Tower(Fraction(3, 4),  Fraction(3, 4), Fraction(0),    Fraction(1, 20)),
    "sbw":   Tower(Fraction(2, 3),  Fraction(2, 3), Fraction(1, 3), Fraction(0)),
    "won":   Tower(Fraction(7, 10), Fraction(1, 2), Fraction(3, 5), Fraction(0)),
}

PROVISIONS = ((0, 0), (1, 1), (1, 2), (2, 2), (2, 2), (2, 3), (2, 3), (3, 3))
# fmt: on

DEFAULT = Tables(
    provinces=PROVINCES,
    land=LAND,
    sea={"sun": SEA, "moon": SEA + MOON_SEA},
    events=EVENTS,
    prices=PRICES,
    armies=ARMIES,
    specials=SPECIALS,
    starts=STARTS,
    lineups=LINEUPS,
    supply=SUPPLY,
    seeds=SEEDS,
    towers=TOWERS,
    provisions=PROVISIONS,
)

"""Perft of Shogun: how many sequences of plies there are from fixed positions, chance included.

Each player count has two: a battle amid the game, and revolts of the last winter, behind which the
game soon ends. The counts were made by the engine and agree with the reference rules as far as the
tests follow them. Besides, every kind of ply is counted from where it first comes up in a game.
"""

import math
from functools import cache
from typing import Any

import pytest

import henro
from tests.families.cases import sized
from tests.games.shogun import ADAPTER, load, position
from tests.reference.perft import perft
from tests.reference.shogun import Shogun, State, Step

# fmt: off
PERFT: list[tuple[int, dict[str, str], dict[str, Any], list[int]]] = [
    (3, {}, {"phase": "actions", "year": 1, "season": "fall", "provinces": {"hitachi": (1, 4,
     "castle", 1), "kozuke": (2, 11, "castle"), "etchu": (0, 3, "", 1), "kaga": (2, 1, "castle",
     1), "shimosa": (2, 2, "", 1), "musashi": (1, 6), "sagami": (0, 7, "temple"), "kai": (0, 2,
     "temple", 1), "izu": (1, 5, "castle temple"), "totomi": (0, 5, "castle", 1), "mikawa": (1,
     4), "owari": (1, 5, "theater", 2), "mino": (2, 5, "theater"), "hida": (2, 3), "echizen": (2,
     1, "temple"), "omi": (2, 6, "temple"), "wakasa": (0, 2, "", 1), "tamba": (0, 5, "theater",
     1), "ise": (1, 2, "", 1), "yamato": (1, 3, "theater", 1), "awa_shikoku": (1, 3), "iyo": (1,
     7, "temple"), "tajima": (0, 2, "castle"), "hoki": (2, 2), "mimasaka": (0, 4), "bizen": (2,
     4), "bitchu": (2, 4)}, "tower": {"p1": 6, "p2": 4, "f": 1}, "tray": {"p0": 8}, "chests": [5,
     0, 3], "rice": [7, 8, 11], "opened": ["theater_b"], "unopened": ["tax_max5", "tax_min6",
     "rice_max3", "rice_min4", "temple_a", "temple_b", "castle_a", "castle_b"], "event":
     "farmers2", "fields": ["battleb", "rice", "temple", "battlea", "castle", "deploy1",
     "deploy5", "deploy3"], "specials": {"chest": 0, "defend": 1, "rice": 2}, "slots": ["six",
     "attack", "chest", "defend", "rice"], "plans": [{"castle": "etchu", "temple": "kai",
     "theater": "totomi", "rice": "tamba", "tax": "wakasa", "deploy5": "blank", "deploy3":
     "mimasaka", "deploy1": "sagami", "battlea": "tajima", "battleb": "blank", "bid": "2"},
     {"castle": "musashi", "temple": "iyo", "theater": "blank", "rice": "owari", "tax": "ise",
     "deploy5": "hitachi", "deploy3": "mikawa", "deploy1": "yamato", "battlea": "izu", "battleb":
     "blank", "bid": "1"}, {"castle": "mino", "temple": "echizen", "theater": "shimosa", "rice":
     "kaga", "tax": "bizen", "deploy5": "blank", "deploy3": "blank", "deploy1": "hida", "battlea":
     "omi", "battleb": "hoki", "bid": "bitchu"}], "field": 5, "effect": [("battle", 0,
     ("tajima",), 0), ("perform", 1, ("battlea",), 0), ("perform", 2, ("battlea",), 0), ("field",
     None, (), 9)]}, [6, 69, 726, 5992, 29141, 153468]),
    (3, {}, {"phase": "winter", "year": 2, "season": "fall", "provinces": {"shimotsuke": (2, 7,
     "", 1), "kozuke": (0, 1, "theater"), "shinano": (2, 3, "castle temple"), "etchu": (0, 3,
     "theater", 1), "kaga": (1, 6, "temple", 1), "noto": (0, 1, "castle", 1), "shimosa": (0, 8,
     "theater", 1), "sagami": (0, 4, "castle temple", 1), "suruga": (1, 3, "", 2), "mikawa": (1,
     4, "temple", 1), "owari": (2, 8, "theater", 1), "hida": (0, 9, "castle", 1), "omi": (0, 6,
     "theater"), "wakasa": (1, 7, "castle"), "harima": (1, 5, "castle theater"), "shima": (1, 2,
     "theater", 1), "ise": (1, 4, "theater", 1), "kii": (0, 3, "", 1), "yamato": (2, 3, "", 1),
     "iyo": (1, 7, "castle theater"), "hoki": (2, 8, "", 1), "mimasaka": (2, 3, "theater", 1),
     "bizen": (2, 6, "castle"), "bingo": (2, 3), "aki": (2, 1, "theater")}, "tower": {"p1": 1,
     "p2": 2, "f": 1}, "tray": {"p2": 2}, "chests": [3, 5, 3], "rice": [8, 10, 6], "vp": [15, 20,
     17], "opened": ["farmers2"], "unopened": ["rice_max3", "rice_min4", "castle_a", "castle_b"],
     "order": [0, 2, 1], "drawn": ["shimotsuke", "bingo"], "effect": [("break_out", 0, (), 2),
     ("break_out", 0, (), 2)], "done": 3}, [2, 4, 40, 184, 184, 368, 3752, 19496]),
    (4, {"board": "moon"}, {"phase": "actions", "year": 1, "season": "fall", "provinces":
     {"mutsu": (0, 1, "", 1), "shimotsuke": (0, 3), "hitachi": (2, 7), "kozuke": (2, 13), "etchu":
     (2, 1, "temple"), "noto": (0, 3), "awa_boso": (0, 3, "", 1), "kazusa": (1, 5, "theater"),
     "shimosa": (1, 5), "musashi": (3, 2, "castle", 1), "sagami": (0, 5, "temple theater"), "kai":
     (0, 1, "", 1), "izu": (3, 3, "theater", 1), "totomi": (2, 2, "theater"), "mikawa": (2, 4,
     "castle"), "hida": (2, 5, "temple theater"), "echizen": (2, 7, "", 2), "omi": (1, 2, "", 1),
     "tamba": (0, 8), "ise": (3, 1), "kii": (3, 2), "yamato": (1, 12, "castle"), "settsu": (1, 2,
     "", 1), "sanuki": (3, 10, "theater"), "awa_shikoku": (0, 2, "castle temple"), "tosa": (1, 4,
     "theater", 1), "tajima": (3, 3, "castle"), "hoki": (0, 4), "mimasaka": (1, 4), "bizen": (3,
     8), "bitchu": (1, 1, "", 1), "bingo": (1, 2, "temple", 1), "izumo": (3, 2, "temple theater"),
     "aki": (3, 6)}, "tower": {"p0": 2, "p1": 8}, "tray": {"p1": 2}, "chests": [0, 0, 0, 0],
     "rice": [4, 7, 4, 2], "opened": ["tax_min6"], "unopened": ["tax_max5", "rice_min4",
     "farmers2", "temple_a", "castle_a", "castle_b", "theater_a", "theater_b"], "event":
     "rice_max3", "fields": ["theater", "battleb", "deploy5", "deploy3", "battlea", "temple",
     "tax", "deploy1", "rice"], "specials": {"chest": 2, "six": 3, "attack": 1, "rice": 0},
     "slots": ["chest", "defend", "six", "attack", "rice"], "plans": [{"castle": "mutsu",
     "temple": "shimotsuke", "theater": "awa_shikoku", "rice": "noto", "tax": "sagami", "deploy5":
     "tamba", "deploy3": "hoki", "deploy1": "blank", "battlea": "awa_boso", "battleb": "blank",
     "bid": "2"}, {"castle": "kazusa", "temple": "mimasaka", "theater": "tosa", "rice": "settsu",
     "tax": "bingo", "deploy5": "yamato", "deploy3": "blank", "deploy1": "bitchu", "battlea":
     "omi", "battleb": "blank", "bid": "4"}, {"castle": "kozuke", "temple": "etchu", "theater":
     "totomi", "rice": "hida", "tax": "mikawa", "deploy5": "echizen", "deploy3": "hitachi",
     "deploy1": "blank", "battlea": "blank", "battleb": "blank", "bid": "1"}, {"castle": "kii",
     "temple": "ise", "theater": "izu", "rice": "izumo", "tax": "musashi", "deploy5": "sanuki",
     "deploy3": "bizen", "deploy1": "blank", "battlea": "blank", "battleb": "blank", "bid": "2"}],
     "field": 6, "effect": [("battle", 1, ("omi",), 0), ("perform", 0, ("battlea",), 0), ("field",
     None, (), 10)]}, [8, 38, 356, 1999, 8882, 55979, 206997, 673161]),
    (4, {}, {"phase": "winter", "year": 2, "season": "fall", "provinces": {"mutsu": (1, 9,
     "castle theater", 1), "echigo": (0, 3, "theater"), "shimotsuke": (1, 1, "", 1), "hitachi":
     (1, 1, "temple", 1), "kozuke": (1, 13, "temple"), "shinano": (2, 3), "shimosa": (1, 3,
     "theater", 1), "suruga": (3, 5, "", 3), "mikawa": (2, 4, "castle"), "mino": (0, 2, "temple"),
     "echizen": (2, 3, "theater", 1), "omi": (0, 6, "theater", 1), "wakasa": (2, 1, "temple"),
     "tamba": (3, 6), "harima": (3, 1, "temple", 1), "shima": (3, 8, "temple", 1), "ise": (2, 7,
     "", 1), "kii": (1, 4, "theater"), "yamato": (0, 2), "awa_shikoku": (3, 1, "temple theater"),
     "iyo": (3, 3, "temple"), "tajima": (3, 5, "theater", 1), "hoki": (3, 7, "castle"), "bizen":
     (2, 5, "temple"), "bitchu": (0, 2, "castle temple", 1), "bingo": (2, 2, "castle", 2),
     "izumo": (2, 2, "castle theater", 1), "iwami": (0, 18, "temple"), "aki": (1, 11, "theater")},
     "tower": {"p0": 2, "p2": 6}, "tray": {"p0": 7, "p3": 10}, "chests": [5, 5, 3, 5], "rice": [4,
     4, 7, 9], "vp": [23, 17, 20, 16], "opened": ["temple_a"], "unopened": ["rice_min4", "levy",
     "castle_a", "castle_b"], "order": [3, 2, 1, 0], "drawn": ["shimosa", "aki"], "effect":
     [("break_out", 2, (), 2), ("break_out", 2, (), 2)], "done": 4}, [2, 20, 160, 1120, 12320,
     40040, 40040, 400400]),
    (5, {}, {"phase": "actions", "year": 1, "season": "fall", "provinces": {"mutsu": (1, 5,
     "theater"), "echigo": (1, 7), "shimotsuke": (1, 6), "hitachi": (3, 4, "castle", 1), "kozuke":
     (0, 5, "theater"), "etchu": (4, 3), "kaga": (3, 2, "theater", 1), "noto": (4, 4, "", 1),
     "awa_boso": (2, 4, "theater"), "kazusa": (3, 2, "temple", 1), "musashi": (2, 3, "", 1),
     "kai": (3, 3, "castle"), "izu": (2, 2, "temple", 1), "totomi": (3, 3, "temple"), "mikawa":
     (4, 9), "mino": (1, 1, "castle"), "echizen": (1, 3, "", 1), "omi": (1, 3, "temple", 1),
     "tamba": (0, 2, "theater"), "harima": (2, 3), "shima": (3, 5, "", 1), "ise": (0, 1,
     "temple"), "kii": (2, 6), "yamato": (4, 2, "theater", 1), "settsu": (0, 3, "castle"),
     "sanuki": (1, 4, "castle"), "tosa": (3, 7), "iyo": (0, 3, "", 2), "tajima": (4, 3, "castle"),
     "hoki": (0, 4, "theater", 1), "bizen": (2, 5, "castle"), "bitchu": (1, 3, "", 1), "izumo":
     (4, 5, "temple"), "iwami": (4, 3, "", 1), "aki": (0, 3, "temple", 1)}, "tower": {"p0": 2,
     "p4": 2, "f": 2}, "tray": {"p2": 1, "p4": 1}, "chests": [2, 0, 0, 2, 5], "rice": [9, 8, 4, 9,
     8], "opened": ["levy"], "unopened": ["tax_max5", "tax_min6", "rice_max3", "temple_a",
     "temple_b", "castle_b", "theater_a", "theater_b"], "event": "farmers2", "fields": ["deploy1",
     "theater", "battlea", "rice", "castle", "tax", "deploy5"], "specials": {"rice": 4, "attack":
     3, "six": 2, "defend": 1, "chest": 0}, "slots": ["rice", "attack", "six", "defend", "chest"],
     "plans": [{"castle": "hoki", "temple": "ise", "theater": "tamba", "rice": "aki", "tax":
     "kozuke", "deploy5": "settsu", "deploy3": "iyo", "deploy1": "blank", "battlea": "blank",
     "battleb": "blank", "bid": "2"}, {"castle": "mino", "temple": "shimotsuke", "theater": "omi",
     "rice": "mutsu", "tax": "echizen", "deploy5": "bitchu", "deploy3": "blank", "deploy1":
     "echigo", "battlea": "sanuki", "battleb": "blank", "bid": "0"}, {"castle": "musashi",
     "temple": "awa_boso", "theater": "blank", "rice": "bizen", "tax": "blank", "deploy5":
     "harima", "deploy3": "blank", "deploy1": "blank", "battlea": "izu", "battleb": "kii", "bid":
     "3"}, {"castle": "kazusa", "temple": "shima", "theater": "hitachi", "rice": "kai", "tax":
     "totomi", "deploy5": "tosa", "deploy3": "kaga", "deploy1": "blank", "battlea": "blank",
     "battleb": "blank", "bid": "1"}, {"castle": "iwami", "temple": "noto", "theater": "blank",
     "rice": "tajima", "tax": "izumo", "deploy5": "yamato", "deploy3": "blank", "deploy1":
     "blank", "battlea": "blank", "battleb": "blank", "bid": "etchu"}], "field": 4, "effect":
     [("battle", 2, ("izu",), 0), ("perform", 1, ("battlea",), 0), ("perform", 0, ("battlea",),
     0), ("field", None, (), 8)]}, [5, 29, 105, 378, 1242, 6912, 29664, 96912]),
    (5, {}, {"phase": "winter", "year": 2, "season": "fall", "provinces": {"mutsu": (1, 1,
     "theater", 1), "echigo": (1, 7, "castle"), "shimotsuke": (1, 6), "hitachi": (3, 4, "castle",
     1), "kozuke": (0, 8, "castle theater", 1), "etchu": (4, 6, "castle", 1), "kaga": (3, 2,
     "theater", 1), "noto": (4, 1, "temple theater"), "awa_boso": (2, 10, "theater"), "kazusa":
     (3, 2, "castle temple theater", 1), "musashi": (2, 5), "kai": (3, 3, "castle", 1), "izu": (2,
     1, "temple"), "totomi": (3, 3, "temple theater"), "mikawa": (4, 14, "theater", 1), "echizen":
     (1, 1), "omi": (1, 4, "temple", 1), "tamba": (0, 2, "theater", 1), "harima": (2, 3, "castle",
     1), "shima": (3, 5, "temple"), "ise": (0, 1, "temple"), "kii": (2, 3, "theater"), "yamato":
     (4, 7, "castle theater"), "settsu": (2, 1, "castle", 2), "sanuki": (1, 3, "castle"),
     "awa_shikoku": (0, 7), "tosa": (3, 12, "", 1), "iyo": (0, 5, "", 1), "tajima": (4, 8,
     "castle"), "hoki": (0, 4, "theater", 1), "bizen": (2, 5, "castle", 1), "bitchu": (1, 11),
     "izumo": (4, 8, "temple", 1), "iwami": (4, 1, "castle", 2)}, "tower": {"p0": 1, "p1": 6,
     "p4": 2, "f": 1}, "tray": {"p0": 1, "p3": 3}, "chests": [0, 1, 5, 5, 5], "rice": [9, 3, 0, 8,
     5], "vp": [12, 19, 14, 22, 20], "opened": ["tax_min6"], "unopened": ["tax_max5", "rice_max3",
     "temple_a", "theater_b"], "order": [0, 2, 4, 3, 1], "drawn": ["awa_boso", "musashi",
     "settsu"], "effect": [("break_out", 3, (), 3), ("break_out", 3, (), 3), ("break_out", 3, (),
     3)], "done": 3}, [3, 9, 63, 399, 1596, 4788, 24948, 49896]),
]
# fmt: on

every_position = pytest.mark.parametrize(
    ("players", "options", "parts", "counts"),
    PERFT,
    ids=[f"{players}-{parts['phase']}" for players, _, parts, _ in PERFT],
)


def reference_position(players: int, options: dict[str, str], parts: dict[str, Any]) -> State:
    effect = [Step(*step) for step in parts["effect"]]
    return Shogun(players, **options).setup(**{**parts, "effect": effect})


@every_position
def test_perft_counts_stay_what_they_are(
    players: int, options: dict[str, str], parts: dict[str, Any], counts: list[int]
) -> None:
    state = position(reference_position(players, options, parts))
    assert [state.perft(depth) for depth in range(len(counts) + 1)] == [1, *counts]


@every_position
@sized("most", 2000, 100_000)
def test_perft_agrees_with_the_reference(
    players: int, options: dict[str, str], parts: dict[str, Any], counts: list[int], most: int
) -> None:
    reference = reference_position(players, options, parts)
    for depth, count in enumerate(counts, start=1):
        if count <= most:
            assert perft(reference, depth) == count


@every_position
def test_perft_divides_into_the_moves_there_are(
    players: int, options: dict[str, str], parts: dict[str, Any], counts: list[int]
) -> None:
    state = position(reference_position(players, options, parts))
    divided = henro.perft(state, 4, divide=True)
    assert list(divided) == [state.action_to_string(action) for action in state.legal_actions()]
    assert sum(divided.values()) == counts[3] == henro.perft(state, 4)


# -- from the first ply of every kind ------------------------------------------------------------

every_player_count = pytest.mark.parametrize("players", range(3, 6))


@cache
def first_plies(players: int) -> dict[str, tuple[henro.State, State]]:
    """By engine and reference, where a ply of each kind first comes up in a game in which the last
    of all choices is taken and the last thing happens, so that there are battles."""
    rules = Shogun(players)
    state, reference = load(rules).new_initial_state(), rules.new()
    found: dict[str, tuple[henro.State, State]] = {}
    while reference.actor() is not None:
        found.setdefault(ADAPTER.kind(state), (state.clone(), reference.clone()))
        text = reference.possible()[-1]
        state.apply(text)
        reference.apply(text)
    return found


@every_player_count
@pytest.mark.parametrize("kind", sorted(ADAPTER.kinds - {"end"}))
@sized("most", 1000, 20_000)
def test_perft_from_each_kind_of_ply_agrees_with_the_reference(
    players: int, kind: str, most: int
) -> None:
    state, reference = first_plies(players)[kind]
    depth, count = 1, state.perft(1)
    while (count <= most or depth == 2) and depth < 8:
        assert perft(reference, depth) == count
        depth += 1
        count = state.perft(depth)
    assert depth > 2


@every_player_count
def test_four_events_are_opened_and_five_actions_and_all_specials_laid_in_any_order(
    players: int,
) -> None:
    for kind, cards, laid in (("face", 12, 4), ("field", 10, 5), ("special", 5, 5)):
        state, _ = first_plies(players)[kind]
        ways = [math.perm(cards, depth) for depth in range(laid + 1)]
        assert [state.perft(depth) for depth in range(laid + 1)] == ways

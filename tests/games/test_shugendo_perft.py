"""Perft of Shugendo: how many sequences of plies there are from fixed positions, chance included.

The counts were made by the engine and agree with the reference rules as far as the test follows
them. Positions are what `setup` of the reference makes of their parts.
"""

from collections.abc import Mapping
from typing import Any

import pytest

import henro
from tests.families.cases import sized
from tests.games.shugendo import position
from tests.reference.shugendo import Shugendo, State

# fmt: off
PERFT: dict[str, tuple[int, int, dict[str, Any], list[int]]] = {
    "first round": (2, 0, {"phase": "reveal"},
        [2, 11, 31, 127, 413, 1451, 5195, 16360, 61562]),
    "Pilgrim and short deck": (3, 0,
        {"phase": "reveal", "pilgrims": [1], "deck": ["novice ruffian"],
         "discard": ["scout scout digger digger copyist copyist peddler peddler trader porter"
                     " hermit"]},
        [2, 4, 15, 37, 157, 541, 1862, 6998, 21910, 82508]),
    "all kinds of action": (4, 0,
        {"phase": "action", "covered": ["d3 c3"], "tracks": [(9, 4, 6), (3, 3, 3)]},
        [8, 35, 161, 778, 3548, 15349, 63640]),
    "ir_farms and iv_swap": (2, 1,
        {"phase": "action", "boards": ["board_koi"], "milestones": ["ms_a"],
         "covered": ["d4 d3 c3 c2"], "villages": ["d4"], "farms": ["d3"], "tracks": [(4, 6, 0)]},
        [12, 61, 217, 600, 2185, 7279, 27787, 106627]),
    "iv_leap and ir_village": (3, 1,
        {"phase": "action", "boards": ["board_fox"], "milestones": ["ms_b"],
         "covered": ["c3 c4 d4 d5"], "farms": ["c3"], "tracks": [(5, 0, 0)]},
        [12, 103, 447, 1605, 5084, 16624, 59156, 200637]),
    "ir_guest": (4, 1,
        {"phase": "action", "boards": ["board_deer"], "milestones": ["ms_e"],
         "covered": ["c1 b1"], "revealed": ["scout porter novice"], "tracks": [(3, 0, 0)]},
        [2, 3, 16, 52, 251, 1021, 4004, 14471, 105085]),
    "Mischief": (2, 0,
        {"phase": "action", "revealed": ["scout ruffian novice hermit"], "busted": [0]},
        [2, 6, 18, 62, 658, 1755, 8200, 23049, 90675]),
    "purchases": (3, 0,
        {"phase": "recruit", "revealed": ["trader novice scout peddler", "copyist peddler"]},
        [4, 15, 91, 447, 1555, 13555, 50074, 139424]),
    "last round": (2, 0,
        {"phase": "recruit", "round": 60, "revealed": ["trader peddler"]},
        [4, 7, 91, 91, 91]),
}
# fmt: on

every_position = pytest.mark.parametrize(
    ("players", "flower", "parts", "counts"), PERFT.values(), ids=PERFT
)


@every_position
def test_perft_counts_stay_what_they_are(
    players: int, flower: int, parts: Mapping[str, Any], counts: list[int]
) -> None:
    state = position(players, flower, **parts)
    assert [state.perft(depth) for depth in range(len(counts) + 1)] == [1, *counts]


@every_position
@sized("most", 700, 20_000)
def test_perft_agrees_with_the_reference(
    players: int, flower: int, parts: Mapping[str, Any], counts: list[int], most: int
) -> None:
    reference = Shugendo(players, flower).setup(**parts)
    for depth, count in enumerate(counts, start=1):
        if count <= most:
            assert reference_perft(reference, depth) == count


def reference_perft(state: State, depth: int) -> int:
    if depth == 0 or state.actor() is None:
        return 1
    leaves = 0
    for text in state.possible():
        after = state.clone()
        after.apply(text)
        leaves += reference_perft(after, depth - 1)
    return leaves


@every_position
def test_perft_divides_into_the_moves_there_are(
    players: int, flower: int, parts: Mapping[str, Any], counts: list[int]
) -> None:
    state = position(players, flower, **parts)
    divided = henro.perft(state, 3, divide=True)
    assert list(divided) == [state.action_to_string(action) for action in state.legal_actions()]
    assert sum(divided.values()) == counts[2] == henro.perft(state, 3)


def test_with_a_flower_boards_and_milestones_are_dealt_after_the_reward_tiles() -> None:
    state = henro.load_game("shugendo", players=3, flower="1").new_initial_state()
    first, rewards, boards, milestones = 3, 5 * 5, 4 * 3 * 2, 5 * 4 * 3
    assert state.perft(9) == first * rewards * boards * milestones

"""Perft of Shikoku: how many sequences of plies there are from fixed positions, chance included.

Each player count has two: the first play after set-up, and the last plays of a late round, where
some lines end the game and others go on. The counts were made by the engine and agree with the
reference rules as far as the test follows them.
"""

import pytest

import henro
from tests.families.cases import sized
from tests.games.shikoku import position, read_position
from tests.reference.perft import perft

# fmt: off
PERFT = [
    (3, "phase=play turn=0 order=1,2,0 steps=4,2,6"
        " previous=18,26,30 row=-,-,- removed=-"
        " hands=9,16,25/15,24,31/4,20,32 deck=21",
        [3, 9, 27, 567, 1701, 3402, 10206, 30618, 91854]),
    (3, "phase=play turn=1 order=0,1,2 steps=24,18,29"
        " previous=16,17,31 row=9,-,- removed=3,4,6,10,15,18,20,30"
        " hands=11+12/+24,25,32/8+22,26 deck=13",
        [3, 9, 93, 275, 548, 1640, 4916, 14744, 113876]),
    (4, "phase=play turn=0 order=2,3,1,0 steps=5,5,3,4"
        " previous=3,12,13,17 row=-,-,-,- removed=-"
        " hands=14,15,28/19,30,33/4,6,26/18,23,29 deck=17",
        [3, 9, 27, 81, 1377, 5508, 16524, 33048, 99144]),
    (4, "phase=play turn=2 order=3,2,0,1 steps=31,31,27,12"
        " previous=18,23,29,32 row=-,-,24,3 removed=4,12,13,14,16,19,30,33"
        " hands=2,20+6/11+7,15/+26,28/27+17 deck=9",
        [3, 9, 17, 44, 116, 224, 656, 1952, 5840]),
    (5, "phase=play turn=0 order=0,1,4,2,3 steps=2,5,4,5,4"
        " previous=11,13,16,21,28 row=-,-,-,-,- removed=-"
        " hands=8,9,26/5,19,24/2,15,25/7,23,29/4,6,30 deck=13",
        [3, 9, 27, 81, 243, 3159, 15795, 63180, 189540]),
    (5, "phase=play turn=3 order=3,0,2,4,1 steps=27,12,17,21,18"
        " previous=5,7,16,23,26 row=15,-,13,18,- removed=4,10,11,19,21,22,24,30"
        " hands=+9,27/14,20+28/12+2/+6,8/+17,25,29 deck=5",
        [3, 9, 33, 153, 603, 1803, 3603, 10803, 32403]),
    (6, "phase=play turn=0 order=1,3,5,4,2,0 steps=4,6,3,2,7,2"
        " previous=2,5,11,23,24,30 row=-,-,-,-,-,- removed=-"
        " hands=8,32,33/3,20,27/6,7,19/18,21,22/1,12,29/14,15,17 deck=9",
        [3, 9, 27, 81, 243, 729, 6561, 39366, 196830]),
    (6, "phase=play turn=4 order=2,1,5,4,3,0 steps=25,22,20,16,16,29"
        " previous=2,9,14,15,16,24 row=-,22,32,-,19,17 removed=3,7,8,11,13,18,26,30"
        " hands=10,31+23/25+4/+6,27/+5,12,33/1+29/+20,21 deck=1",
        [3, 9, 9, 34, 154, 604, 1804, 3604, 10804]),
    (7, "phase=play turn=0 order=0,3,2,1,5,4,6 steps=2,4,7,4,3,7,4"
        " previous=5,7,15,21,23,24,30 row=-,-,-,-,-,-,- removed=-"
        " hands=3,17,20/2,6,33/1,16,18/13,19,29/25,28,32/9,26,27/4,14,22 deck=5",
        [3, 9, 27, 81, 243, 729, 2187, 10935, 76545]),
    (7, "phase=play turn=5 order=4,2,0,1,5,3,6 steps=21,21,31,25,27,21,21"
        " previous=6,10,14,16,27,30,33 row=12,4,31,-,7,11,- removed=21,22,25,26,28"
        " hands=3+1/+17,23/+13,29/+8,18,24/+5,20/+2,9/+15,19,32 deck=0",
        [3, 9, 27, 132, 636, 2526, 7566, 15126, 15126]),
    (8, "phase=play turn=0 order=4,1,2,0,7,5,6,3 steps=3,2,4,2,4,4,3,7"
        " previous=1,5,7,8,15,16,24,27 row=-,-,-,-,-,-,-,- removed=-"
        " hands=14,17,22/11,21,28/26,30,31/4,13,29/9,10,32/6,12,33/3,20,23/2,18,25 deck=1",
        [3, 9, 27, 81, 243, 729, 2187, 6561, 6561]),
    (8, "phase=play turn=6 order=3,7,0,2,1,4,5,6 steps=28,21,27,13,19,28,13,25"
        " previous=3,5,7,23,26,28,30,32 row=15,22,18,16,21,-,-,6 removed=8"
        " hands=+11,19/+13,24/+4,29/+9,14/+20,25/+1,12,17/+2,10,31/+27,33 deck=0",
        [3, 9, 16, 64, 344, 1688, 6728, 20168, 40328]),
]
# fmt: on

every_position = pytest.mark.parametrize(
    ("players", "parts", "counts"),
    PERFT,
    ids=[f"{players}-{parts.split()[1]}" for players, parts, _ in PERFT],
)


@every_position
def test_perft_counts_stay_what_they_are(players: int, parts: str, counts: list[int]) -> None:
    state = position(players, parts)
    assert [state.perft(depth) for depth in range(len(counts) + 1)] == [1, *counts]


@every_position
@sized("most", 2000, 200_000)
def test_perft_agrees_with_the_reference(
    players: int, parts: str, counts: list[int], most: int
) -> None:
    reference = read_position(position(players, parts).serialize())
    for depth, count in enumerate(counts, start=1):
        if count <= most:
            assert perft(reference, depth) == count


@every_position
def test_perft_divides_into_the_moves_there_are(
    players: int, parts: str, counts: list[int]
) -> None:
    state = position(players, parts)
    divided = henro.perft(state, 4, divide=True)
    assert list(divided) == [state.action_to_string(action) for action in state.legal_actions()]
    assert sum(divided.values()) == counts[3] == henro.perft(state, 4)


def test_the_first_card_dealt_is_one_of_33_and_the_next_one_of_32() -> None:
    state = henro.load_game("shikoku", players=5).new_initial_state()
    assert [state.perft(depth) for depth in range(4)] == [1, 33, 33 * 32, 33 * 32 * 31]

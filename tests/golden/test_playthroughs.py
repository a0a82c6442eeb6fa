"""The recorded games still go as recorded.

`python -m tests.golden.regenerate` records them anew, in the project's root.
"""

import difflib

import pytest

from tests.families.cases import Case
from tests.golden.playthrough import RECORDED, moves_for, path, recorded_moves, render

every_recorded = pytest.mark.parametrize("case", RECORDED, ids=str)


@every_recorded
def test_a_recorded_game_goes_as_recorded(case: Case) -> None:
    recorded = path(case).read_text(encoding="ascii")
    found = render(case, recorded_moves(recorded))
    if found != recorded:
        lines = difflib.unified_diff(
            recorded.splitlines(), found.splitlines(), "recorded", "found", n=1, lineterm=""
        )
        pytest.fail("\n".join([path(case).name, *lines]), pytrace=False)


@every_recorded
def test_a_recorded_game_is_whole(case: Case) -> None:
    recorded = path(case).read_text(encoding="ascii")
    assert recorded.splitlines()[-1].startswith("end: ")
    assert moves_for(case, recorded_moves(recorded)) == recorded_moves(recorded)


def test_there_is_a_recorded_game_of_every_game_and_player_count_and_option_and_no_other() -> None:
    folder = path(RECORDED[0]).parent
    assert set(folder.glob("*.txt")) == {path(case) for case in RECORDED}

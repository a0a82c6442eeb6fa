"""bench/game_statistics.py."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bench")
    return importlib.import_module("game_statistics")


@pytest.fixture
def tables(script, capsys):
    """Calls the script and returns the rows of its tables, cell by cell, without the headers."""

    def call(*args: str) -> list[list[str]]:
        assert script.main(args) == 0
        lines = capsys.readouterr().out.splitlines()
        rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
        return [row for row in rows if row[0].isdecimal()]

    return call


def test_there_is_a_row_for_each_number_of_players(tables):
    rows = tables("shikoku", "--games", "20")
    assert [row[0] for row in rows] == ["3", "4", "5", "6", "7", "8"]
    for players, games, decisions, by_seat, by_turn, score, *ends in rows:
        assert games == "20"
        assert float(decisions) > 2 * int(players)
        assert len(by_seat.split()) == len(by_turn.split()) == int(players)
        assert 1 < float(score) <= 33
        assert sum(float(share.rstrip("%")) for share in ends) == pytest.approx(100)


def test_engines_play_if_wanted(tables):
    args = ("shikoku", "--players", "3", "--games", "5", "--engine-games", "2", "--nodes", "20")
    assert [row[:2] for row in tables(*args)] == [["3", "5"], ["3", "2"]]


def test_games_that_end_in_several_ways_say_in_which(tables):
    rows = tables("shugendo", "--games", "5", "--greedy-games", "5")
    assert [row[0] for row in rows] == ["2", "3", "4"] * 2
    for row in rows:
        *_, ends = row
        assert set(re.findall(r"[A-Za-z1]\w* \w+(?= \d)", ends)) <= {
            *("15 VP", "Age 5", "third Prefecture", "round 60")
        }


def test_the_figures_in_the_documents_are_those_of_the_script(tables):
    page = (ROOT / "docs" / "games" / "shikoku.md").read_text(encoding="utf-8")
    [row] = tables("shikoku", "--players", "3", "--games", "50000")
    assert f"| {' | '.join(row)} |" in page


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--players", "9"], "game_statistics.py: error: jinja is for 2 to 5 players"),
        (["--set", "beliefs=nan"], "game_statistics.py: error: beliefs is a number from 0"),
        (["--set", "x=1"], "game_statistics.py: error: no search option x"),
        (["--option", "x=1"], "game_statistics.py: error: "),
    ],
)
def test_a_wrong_call_ends_with_2_and_says_what_is_wrong(script, capsys, args, words):
    assert script.main(["jinja", "--players", "2", *args]) == 2
    assert capsys.readouterr().err.startswith(words)


@pytest.mark.parametrize("option", ["--games", "--nodes", "--seed"])
def test_a_number_out_of_range_is_a_wrong_call(script, capsys, option):
    with pytest.raises(SystemExit):
        script.main(["jinja", option, "-1"])
    assert f"{option} is a whole number from" in capsys.readouterr().err

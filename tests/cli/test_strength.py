"""bench/strength.py."""

import importlib
import json
import shlex
from argparse import Namespace
from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from henro import bench
from henro.arena import Arena, parse_bot
from henro.arena.schedule import schedule
from henro.protocol import Limits
from henro.search.options import OPTIONS as SEARCH_OPTIONS

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def strength(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    module = importlib.import_module("strength")
    monkeypatch.setattr(module, "measured_signatures", lambda: ("0123456789ab", "00"))
    return module


@pytest.fixture
def script(strength, tmp_path, capsys):
    """Calls the script with a folder and a page of the test: (exit code, rows as JSON, errors)."""

    def call(*args: str):
        places = ["--out", str(tmp_path / "out"), "--page", str(tmp_path / "page.md"), "--json"]
        code = strength.main([*places, *args])
        out, err = capsys.readouterr()
        return code, json.loads(out or "[]"), err

    return call


def cells(page: str, *start: str) -> list[str]:
    """The row of a table that begins with these cells."""
    [line] = [line for line in page.splitlines() if line.startswith(f"| {' | '.join(start)} |")]
    return line.strip("| ").split(" | ")


def test_a_run_makes_a_page_and_plays_nothing_twice(script, henro, tmp_path):
    names = ["shikoku-4-plain", "shikoku-4-growth-1000"]
    call = [*(f"--only={name}" for name in names), "--rounds=2", "--nodes=20"]
    code, rows, _ = script(*call)
    assert (code, [row["name"] for row in rows]) == (0, names)
    page = (tmp_path / "page.md").read_text()
    assert cells(page, "shikoku", "4", "20 iterations", "plain")[4:6] == ["2", "4"]
    assert cells(page, "shikoku", "4", "1000 iterations", "1000")[-2:] == ["1", "none"]
    assert "## Levels" not in page
    assert (tmp_path / "page" / "growth.svg").read_text().startswith("<?xml")
    assert "](page/growth.svg)" in page
    assert "Not measured yet: shikoku-4-greedy, shikoku-4-random, shikoku-6-plain" in page

    records = {path: path.read_text() for path in (tmp_path / "out").glob("*/games.jsonl")}
    assert len(records) == 2
    assert script(*call)[1] == rows
    for row in rows:  # the arena goes on with the very same run only
        assert row["command"] in page
        _, *args = shlex.split(row["command"])
        assert henro(*args, "--out", str(tmp_path / "out" / row["name"])).code == 0
    assert all(path.read_text() == text for path, text in records.items())


def test_rounds_that_are_not_complete_are_left_out_and_told(strength, script, tmp_path):
    match = next(m for m in strength.matches(Limits(nodes=20)) if m.name == "shikoku-4-greedy")
    places = Namespace(seed=1, out=tmp_path / "out", concurrency=1)
    arena = Arena(replace(match, rounds=2).config(places))
    arena.run(lambda update: update.games_done == 3 and arena.stop())
    _, [row], _ = script("--report")
    assert (row["rounds_done"], row["games"]) == (1, 2)
    page = (tmp_path / "page.md").read_text()
    assert cells(page, "shikoku", "4", "20 iterations", "greedy")[4] == "1 of 2 so far"


def test_rounds_hold_for_the_rows_that_are_named_and_the_last_that_fits_counts(strength):
    args = Namespace(only=["jinja-4", "*-growth"], rounds=["30", "jinja-*-random=7", "shogun=9"])
    chosen = strength.selected(strength.matches(Limits(nodes=20)), args)
    rounds = {match.name: match.rounds for match in chosen}
    assert len(rounds) == 3 + 24
    assert (rounds["jinja-4-plain"], rounds["jinja-4-random"]) == (30, 7)
    assert (rounds["jinja-2-growth-25"], rounds["shogun-3-growth-25"]) == (30, 9)


def test_results_are_of_one_engine(strength, script, monkeypatch, tmp_path):
    call = ["--only=shikoku-4-random", "--rounds=1", "--nodes=20"]
    assert script(*call)[0] == 0
    assert (
        ", by an engine with the `henro bench` signature 0123456789ab."
        in (tmp_path / "page.md").read_text()
    )
    monkeypatch.setattr(strength, "measured_signatures", lambda: ("0123456789ab", "11"))
    assert script(*call)[0] == 0  # the code is known
    build = tmp_path / "out" / "engine.json"
    build.write_text('{"code":"another","signature":"0123456789ab","options":"00"}')
    code, _, err = script(*call)
    assert code == 2
    assert "played by an engine with the signatures 0123456789ab and 00; this one has" in err
    build.write_text("{}")
    assert "engine.json: Object missing required field `code`" in script(*call)[2]
    build.unlink()
    assert "nothing tells which engine has played there" in script(*call)[2]


@pytest.mark.slow
def test_the_signatures_are_those_of_the_engine(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    module = importlib.import_module("strength")
    signature, options = module.measured_signatures()
    assert signature == bench.signature(list(bench.run()))
    assert len(options) == len(signature) == 12


def test_rows_alone_are_shown_and_leave_the_page(strength, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(strength, "ROOT", tmp_path)
    call = ["--only=shikoku-4-random", "--rounds=1", "--nodes=20"]
    assert strength.main([*call, "--list"]) == 0
    assert capsys.readouterr().out == "shikoku-4-random\n"
    assert strength.main([*call, "--out", str(tmp_path / "out")]) == 0
    assert cells(capsys.readouterr().out, "shikoku-4-random")[1:3] == ["1", "2"]
    assert not (tmp_path / "docs").exists()


def test_the_win_share_is_a_ratio_of_sums_with_an_interval_over_rounds(strength):
    # Wins 9 and 3; influences 0, -1/4, 1/4; standard error 1/sqrt(48); t = 4.303 with 2 degrees.
    share = strength.win_share([(3, 1), (2, 2), (4, 0)])
    assert (share.mean, share.rounds) == (0.75, 3)
    assert share.high - share.mean == pytest.approx(4.3027 / 48**0.5, abs=1e-4)
    assert share.mean - share.low == pytest.approx(share.high - share.mean)


def test_rounds_that_are_all_alike_still_leave_a_doubt(strength):
    share = strength.win_share([(2, 0)] * 50)
    assert share.mean == share.high == 1
    assert share.low == pytest.approx(0.025 ** (1 / 50))


def test_without_a_win_there_is_no_share(strength):
    assert strength.win_share([(0, 0), (0, 0)]) is None


def test_in_a_round_both_bots_have_every_seat_equally_often(strength):
    for _, players in strength.TABLES:
        rounds: dict[int, Counter] = {}
        for pairing in schedule(2, players, 20, 2, seed="1"):
            rounds.setdefault(pairing.round, Counter()).update(enumerate(pairing.bots))
        places = {(seat, bot): 1 for seat in range(players) for bot in range(2)}
        assert all(seats == places for seats in rounds.values())


def test_the_page_has_rows_for_every_game_table_and_opponent(strength):
    names = [match.name for match in strength.matches(Limits(movetime_ms=200))]
    options = sum(len(settings) for _, _, settings in strength.OPTIONS.values())
    assert len(names) == len(set(names)) == 8 * 3 + 4 * 6 + 2 + options + 4 * 11
    assert {"jinja-2-random", "shogun-5-plain", "shogun-3-growth-800"} <= set(names)
    assert {"shikoku-4-level-10", "shogun-3-level-greedy"} <= set(names)


def test_levels_meet_the_one_below_and_have_a_section_of_their_own(script, tmp_path):
    names = [f"shikoku-4-level-{number}" for number in (1, 2)]
    code, rows, _ = script(*(f"--only={name}" for name in names), "--rounds=2")
    assert (code, [row["name"] for row in rows]) == (0, names)
    assert [(row["bot"], row["opponent"]) for row in rows] == [
        ("level-1", "random"),
        ("level-2", "level-1"),
    ]
    assert all(row["iterations"] is row["movetime_ms"] is None for row in rows)
    page = (tmp_path / "page.md").read_text()
    assert "## Head to head" not in page
    assert "| player | shikoku, 4 players |\n" in page
    assert cells(page, "level-1") == ["level-1", "+0"]
    assert cells(page, "shikoku", "4", "level-2", "level-1")[5:7] == ["2", "4"]


def test_options_are_measured_against_the_default(script, tmp_path):
    names = ["shikoku-4-option-observers=many", "shikoku-4-option-tuned=true"]
    code, rows, _ = script(*(f"--only={name}" for name in names), "--rounds=1")
    assert (code, [row["name"] for row in rows]) == (0, names)
    assert [row["settings"] for row in rows] == ["observers=many", "tuned=true"]
    page = (tmp_path / "page.md").read_text()
    assert cells(page, "shikoku", "4", "1000 iterations", "`tuned=true`")[4:6] == ["1", "2"]


def test_every_setting_is_one_the_bot_takes(strength):
    known = set(SEARCH_OPTIONS) | {"Reuse"}
    for *_, settings in strength.OPTIONS.values():
        for setting in settings:
            for name, value in (part.split("=") for part in setting.split()):
                assert name in known
                assert name == "Reuse" or SEARCH_OPTIONS[name].parse(value) is not None


def row_of(strength, bot, opponent, difference):
    """A row of the page with nothing but a difference."""
    estimate = strength.Estimate(difference, difference - 0.04, difference + 0.04, 99)
    unknown = {"game": "jinja", "players": 2, "iterations": None, "movetime_ms": None}
    return strength.Row(
        name=f"jinja-2-{bot}",
        bot=bot,
        opponent=opponent,
        win_share=None,
        difference=estimate,
        **dict.fromkeys(("rounds_done", "rounds", "games"), 99),
        **dict.fromkeys(("seed", "command", "settings"), ""),
        even_share=0.5,
        faults={},
        **unknown,
    )


def test_ratings_are_steps_added_up_from_level_1(strength):
    # With half a round added to 99: 75 wins in 100, three times those of the other.
    three_to_one = 50 / 99
    rows = [
        row_of(strength, "level-1", "random", three_to_one),
        row_of(strength, "level-2", "level-1", three_to_one),
        row_of(strength, "level-3", "level-2", -three_to_one),
        row_of(strength, "greedy", "level-2", 0.0),
    ]
    found = strength.ratings(rows)
    elos = {player: rating.elo for player, rating in found.items()}
    assert elos == pytest.approx(
        {"random": -190.85, "level-1": 0, "level-2": 190.85, "level-3": 0, "greedy": 190.85},
        abs=0.01,
    )
    margin = 0.04 * strength.ELO_SCALE / (1 - 0.5**2)
    assert found["random"].margin == pytest.approx(margin)
    assert found["level-3"].margin == pytest.approx(margin * 2**0.5)


def test_what_no_match_joins_to_level_1_has_no_rating(strength):
    assert set(strength.ratings([row_of(strength, "level-3", "level-2", 0.2)])) == {"level-1"}


def test_a_step_without_a_lost_game_is_finite(strength):
    won = strength.Estimate(1.0, 0.8, 1.0, 49)
    rating = strength.step(msgspec.structs.replace(row_of(strength, "a", "b", 0.0), difference=won))
    assert rating.elo == pytest.approx(400 * 1.9956, abs=0.1)  # 99 to 1
    assert rating.margin > 1000


def test_bots_are_written_as_the_command_line_reads_them(strength):
    for match in strength.matches(Limits(movetime_ms=200)):
        config = match.config(Namespace(seed=1, out=Path("out"), concurrency=1))
        for bot in config.bots:
            assert parse_bot(strength.bot_text(bot), {}) == bot


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--only", "chess"], "--only chess: none of the rows (--list) is meant"),
        (["--only", "jinja-2", "--rounds", "jinja-4=3"], "--rounds jinja-4=3: none of the rows"),
        (["--rounds", "many"], "--rounds many: expected N or ROWS=N"),
        (["--rounds", "jinja-2=0"], "--rounds jinja-2=0: expected N or ROWS=N"),
        (["--movetime", "soon"], "movetime soon: expected a time"),
        (["--report"], "no row has a complete round there"),
    ],
)
def test_a_wrong_call_is_told(script, args, words):
    code, rows, err = script(*args)
    assert (code, rows) == (2, [])
    assert words in err

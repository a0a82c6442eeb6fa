"""`henro arena` as a user has it: output, exit codes, Ctrl-C, kill and resume."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from henro import cli, components
from henro.arena import load
from henro.cli import runs

BASE = Path(__file__).parents[1] / "protocol" / "bots" / "base.py"
BOTS = [
    text
    for name in ("one", "two")
    for text in ("--bot", f'name={name},cmd="{sys.executable} -S {BASE}"')
]
RUN = ["--game", "shikoku", "--players", "4", *BOTS, "--movetime", "2s", "--seed", "7"]
FOLDER = ["--out", "run"]


@pytest.fixture
def henro(tmp_path):
    """Starts `henro ARGS` in an empty folder; kills what is left of it in the end."""
    started = []

    def start(*args, env=None):
        process = subprocess.Popen(
            [sys.executable, "-m", "henro", *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            start_new_session=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


@pytest.fixture
def run(henro):
    """Runs `henro ARGS` to its end: exit code, standard output, standard error."""

    def finish(*args, **env):
        process = henro(*args, env=env)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    return finish


def wait_for_games(folder, count):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        path = folder / "games.jsonl"
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.01)
    raise AssertionError(f"not {count} games in time")


def running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(pids):
    deadline = time.monotonic() + 10
    while any(map(running, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return [pid for pid in pids if running(pid)]


def test_a_run_prints_progress_as_lines_and_the_standing_at_the_end(run):
    code, out, err = run("arena", *RUN, *FOLDER, "--rounds", "3")
    assert code == 0
    head, titles, *rows = out.splitlines()
    assert head.startswith("shikoku, 4 players, shikoku/default@")
    assert head.endswith(": 6 of 6 games, 3 of 3 rounds complete")
    assert titles.split() == ["bot", "games", "win", "share", "score", "rank", "ms/move"]
    assert {row.split()[0] for row in rows[:2]} == {"one", "two"}
    assert "even win share" in rows[2]
    assert rows[3] == "faults: none"
    assert rows[-1].split()[-1] in ("open", "better", "worse")
    assert err.splitlines()[0] == "playing 6 games in run"
    assert err.splitlines()[-2].startswith("6/6 games")
    assert err.splitlines()[-1] == "results in run"
    assert "\x1b" not in out + err
    assert not re.search(" $", out + err, re.MULTILINE)


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("preset=default,option.priors=1,option.exploration=2", ["exploration", "priors=0"]),
        ("preset=default,option.tuned=TRUE,option.priors=1", ["tuned", "priors=0"]),
        ("preset=flat,option.priors=1", ["priors", "a preset that grows a tree"]),
        ("preset=flat,option.Preset=default,option.priors=1", []),
        ("preset=default,option.Preset=GREEDY,option.priors=1", ["priors", "a preset that sea"]),
        ("preset=default,option.tree=shared", ["tree", "threads above 1"]),
        ("preset=default,option.tree=shared,option.Threads=2", []),
        (
            "preset=default,option.Reuse=true,option.Deterministic=true",
            ["Reuse", "Deterministic=false"],
        ),
        ("preset=default,option.confidence=0,option.sealed=priors", []),
    ],
)
def test_options_that_change_nothing_are_named(run, bot, told):
    bots = ["--bot", f"name=one,nodes=5,{bot}", "--bot", "name=two,preset=random"]
    code, _, err = run("arena", "--game", "shikoku", *bots, *FOLDER)
    assert code == 0
    lines = [line for line in err.splitlines() if "changes nothing" in line]
    assert len(lines) == bool(told)
    for line in lines:
        name, need = told
        assert line.startswith(f"bot one: option.{name} changes nothing here; it needs {need}")


def test_json_is_all_there_is_on_standard_output(run, tmp_path):
    code, out, _ = run("arena", *RUN, *FOLDER, "--rounds", "2", "--json")
    assert code == 0
    standing = json.loads(out)
    assert standing["format"] == "henro-standing/1"
    assert (standing["games"], standing["games_done"], standing["rounds_done"]) == (4, 4, 2)
    one = standing["bots"][0]
    assert set(one["win_share"]) == {"mean", "low", "high", "rounds"}
    assert standing["pairs"][0]["verdict"] in ("open", "better", "worse")
    again = run("arena", *RUN, *FOLDER, "--rounds", "2", "--json")
    assert json.loads(again[1]) == standing
    assert "all 4 games in run have been played" in again[2]


def test_a_test_stops_the_run_is_part_of_its_json_and_is_kept(run):
    bad = f'name=bad,cmd="{sys.executable} -S {BASE.with_name("illegal.py")}"'
    duel = [*RUN[:4], *BOTS[:2], "--bot", bad, "--movetime", "2s", "--on-fault", "forfeit"]
    code, out, err = run("arena", *duel, *FOLDER, "--sprt", "elo1=100", "--json")
    assert code == 0
    standing = json.loads(out)
    test = standing["sprt"]
    assert (test["bot"], test["opponent"], test["verdict"]) == ("one", "bad", "H1")
    assert (test["elo0"], test["elo1"], test["alpha"], test["beta"]) == (0, 100, 0.05, 0.05)
    assert test["llr"] >= test["upper"]
    assert test["rounds"] * 2 <= standing["games_done"]
    assert re.search(r"^\d+ games .* LLR \d", err, re.MULTILINE)
    code, out, err = run("arena", "--resume", "run")
    assert code == 0
    assert f"the test in run was decided after {standing['games_done']} games" in err
    assert "SPRT of one against bad, elo0=0 elo1=100 alpha=0.05 beta=0.05: H1 accepted" in out


def test_a_killed_run_goes_on_with_nothing_lost_and_nothing_doubled(henro, run, tmp_path):
    killed = 0
    for games in (3, 9, 15):
        process = henro("arena", *RUN, *FOLDER, "--rounds", "20", "--concurrency", "2")
        wait_for_games(tmp_path / "run", games)
        os.kill(process.pid, signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
    code, out, err = run("arena", "--resume", "run", "--json")
    assert code == 0
    assert "going on in run: " in err
    assert killed >= 1
    records = list(load(tmp_path / "run").records())
    assert Counter((record.round, record.rotation) for record in records) == Counter(
        (number, rotation) for number in range(1, 21) for rotation in range(2)
    )
    assert json.loads(out)["games_done"] == 40
    assert load(tmp_path / "run").standing().games_done == 40
    code, _, _ = run("arena", *RUN, "--out", "whole", "--rounds", "20")
    whole = {(r.round, r.rotation): r.moves for r in load(tmp_path / "whole").records()}
    assert {(r.round, r.rotation): r.moves for r in records} == whole


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_is_done_and_leaves_no_bot_behind(henro, tmp_path, number):
    pids = tmp_path / "pids"
    program = f"import os; open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')"
    (tmp_path / "mine.py").write_text(f"{program}\n{BASE.read_text()}")
    bot = f"name=mine,cmd={sys.executable} -S mine.py"
    process = henro(
        *["arena", "--game", "shikoku", "--players", "4", "--bot", bot, *FOLDER],
        *["--movetime", "2s", "--rounds", "5000"],
    )
    wait_for_games(tmp_path / "run", 3)
    os.kill(process.pid, number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "of 5000 games" in out
    assert "stopping; what is finished is kept" in err
    assert err.splitlines()[-1] == "results in run; go on with: henro arena --resume run"
    results = load(tmp_path / "run")
    assert len(results.games) == len(list(results.records())) >= 3
    assert all(not game.faults for game in results.games)
    assert wait_until_gone([int(pid) for pid in pids.read_text().split()]) == []


def test_faults_and_error_lines_are_told_once_and_counted_and_do_not_fail_the_run(run):
    bad = f'name=bad,cmd="{sys.executable} -S {BASE.with_name("complains.py")}"'
    code, out, err = run("arena", *RUN, *FOLDER, "--bot", bad, "--rounds", "2")
    assert code == 0
    assert re.search(r"^faults of bad: \d+ illegal\nerror lines of bad: \d+\n\n", out, re.MULTILINE)
    news = [line for line in err.splitlines() if line.startswith(("fault:", "error:"))]
    assert len(news) == 2
    assert re.search(r"bad \(seat \d\) illegal: pass is not a legal move", news[0])
    assert re.search(r"bad \(seat \d\) says: view no idea what this means", news[1])
    code, out, _ = run("arena", "--resume", "run", "--json")
    bots = {bot["name"]: bot for bot in json.loads(out)["bots"]}
    assert [bots[name]["complaints"] for name in ("one", "two")] == [0, 0]
    assert bots["bad"]["complaints"] == bots["bad"]["faults"]["illegal"] >= 6
    code, out, _ = run("replay", "run")
    assert code == 0
    assert "error lines" in out


def test_a_component_file_reaches_game_and_bots(run, tmp_path):
    text = components.load("shikoku").path.read_text()
    (tmp_path / "own.toml").write_text(text.replace("7, icons = 3", "7, icons = 5"))
    code, out, _ = run(
        *["arena", "--game", "shikoku", "--players", "3", "--bot", "preset=greedy"],
        *["--nodes", "5", "--components", "own.toml", *FOLDER, "--json"],
    )
    assert code == 0
    standing = json.loads(out)
    assert standing["components"] != components.load("shikoku").id
    assert standing["bots"][0]["faults"] == {}
    code, out, _ = run("replay", "run/games.jsonl", "--components", "own.toml")
    assert code == 0
    code, out, err = run("replay", "run/games.jsonl")
    assert code == 2
    assert "run/games.jsonl:1: " in err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--game", "shikoku"], "--bot is needed"),
        ([*BOTS, "--nodes", "5"], "--game is needed"),
        (
            ["--game", "shikoku", *BOTS],
            "bot one: no limit for its moves; give --nodes, --movetime or --tc for all bots",
        ),
        (["--game", "chess", *BOTS], "unknown game 'chess'"),
        (["--game", "shikoku", "--players", "9", *BOTS], "3 to 8 players"),
        (["--game", "shikoku", "--bot", "preset=clever"], "no preset clever"),
        (["--game", "shikoku", *BOTS, *BOTS], "the name one is given twice"),
        ([*RUN, "--bot", "preset=flat,option.Level=11"], "option Level is a number from 0 to 10"),
        ([*RUN, "--movetime", "0"], "movetime in ms must be at least 1"),
        ([*RUN, "--option", "x"], "--option x: expected key=value"),
        ([*RUN, "--option", "x=1"], "x"),
        ([*RUN, "--on-fault", "cry"], "on-fault must be random or forfeit"),
        ([*RUN, "--games", "3"], "games must be a multiple"),
        ([*RUN, "--players", "9"], "3 to 8 players"),
        ([*RUN, "--game", "chess"], "chess"),
        ([*RUN, "--bot", "name=x,cmd=./no/such/program"], "bot x: cannot start ./no/such/program"),
        (["--resume", "nowhere"], "nowhere: no results.sqlite"),
        (["--resume", "nowhere", "--seed", "0"], "leave out --seed"),
        (["--resume", "nowhere", "--sprt", "elo1=5"], "leave out --sprt"),
        ([*RUN, "--sprt", "elo2=5"], "sprt: elo2 is not one of elo0, elo1, alpha, beta"),
        ([*RUN, "--sprt", "elo0=20"], "sprt: elo0=20 must be less than elo1=20"),
        ([*RUN, "--bot", "preset=greedy", "--sprt", ""], "sprt compares two bots, not 3"),
    ],
)
def test_a_wrong_call_ends_with_2_says_what_is_wrong_and_leaves_nothing(
    monkeypatch, capsys, tmp_path, args, words
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["henro", "arena", *args])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_out_the_folder_has_the_time_in_its_name(run, tmp_path):
    code, _, err = run("arena", *RUN)
    assert code == 0
    (folder,) = tmp_path.glob("arena-*")
    assert f"results in {folder.name}" in err


def test_a_folder_with_the_time_in_its_name_is_never_shared(monkeypatch, tmp_path):
    class Noon(datetime):
        @classmethod
        def now(cls):
            return cls(2026, 1, 2, 12)

    monkeypatch.setattr(runs, "datetime", Noon)
    monkeypatch.chdir(tmp_path)
    names = ["arena-20260102-120000", "arena-20260102-120000-2", "arena-20260102-120000-3"]
    with runs.new_folder("arena") as first, runs.new_folder("arena") as second:
        (first / "games.jsonl").touch()
        with runs.new_folder("arena") as third:
            assert [str(folder) for folder in (first, second, third)] == names
    assert [path.name for path in tmp_path.iterdir()] == names[:1]


def test_a_run_that_is_stopped_before_it_begins_says_so_and_leaves_nothing(henro, tmp_path):
    program = "import time; open('started', 'w'); time.sleep(60)"
    bot = f'name=never,cmd={sys.executable} -c "{program}"'
    process = henro("arena", "--game", "shikoku", "--bot", bot, "--nodes", "1")
    deadline = time.monotonic() + 20
    while not (tmp_path / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert err.splitlines()[-1] == "stopped before the first game; there are no results"
    assert [path.name for path in tmp_path.iterdir()] == ["started"]


def test_in_a_terminal_the_standing_is_drawn_in_place(tmp_path):
    command = [sys.executable, "-m", "henro", "arena", *RUN, "--rounds", "3", *FOLDER]
    done = subprocess.run(
        [sys.executable, "-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)", *command],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "6/6" in text
    assert "\x1b[" in text
    assert "6 of 6 games" in text

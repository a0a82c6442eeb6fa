"""A bot process never blocks its referee, and every kind of fault is told apart."""

import collections
import itertools
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from henro.errors import OptionError
from henro.protocol import BotFault, BotProcess, BotSpec, Limits, Option, Thought
from henro.protocol.process import thought
from henro.protocol.types import MAX_COMPLAINTS

GAME = SimpleNamespace(
    name="shikoku", players=3, options={"deck": "short"}, components_id="shikoku/default@1"
)
MOVES = ["play:3", "play:7"]
EASY = Limits(movetime_ms=2000, timemargin_ms=100, grace_ms=500)
QUICK = Limits(movetime_ms=100, timemargin_ms=50, grace_ms=500)
SLOW_BOTS = ("late", "hang", "deaf")


def play(bot, limits=EASY, games=1):
    """Drives a bot through games of one `go` each, as a referee does."""
    for _ in range(games):
        bot.newgame(GAME, 0)
        bot.isready()
        for _ in range(3):
            bot.event("1", "play:5")
            bot.position("seat=0")
            bot.legal(MOVES)
            answer = bot.go(limits)
        bot.gameover([1, 2, 2], [4, 3, 2])
    return answer


def fault_of(bot, limits=EASY):
    with pytest.raises(BotFault) as caught:
        play(bot, limits)
    return caught.value


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("nodes 20 nps 9 time 2 depth 3 value 0.1 0.25 1 pv a b", Thought(20, 3, 0.25)),
        ("pv nodes 7 depth 1", Thought(7, 1)),
        ("value 0 1 0", Thought(value=1.0)),
        ("value 0 0.333333333333333314829616256247 0", Thought(value=1 / 3)),
        ("value 0 1e-05 0", Thought(value=1e-05)),
        ("value 0.5", None),
        ("value 0.5 0.5", None),
        ("value 0.5 1.5 0", None),
        ("value 0.5 nan 0", None),
        ("value 0.5 -0.5 0", None),
        ("value 0.5 0.5 zero", None),
        ("nodes -1 depth many", None),
        ("nodes 10000000000000000 depth 2", Thought(depth=2)),
        ("nodes 1 2", None),
        ("nodes \u0663", None),
        ("nodes 0 nps 0 time 0 depth 0 pv a", None),
        ("depth 4 multipv 2 nodes 9 value 0.1 0.1 0.8", None),
        ("nodes 5 string nodes 9 depth 9", Thought(5)),
        ("string value 0 1 0", None),
        ("hashfull 3", None),
        ("", None),
        ("nodes", None),
        ("pv a b", None),
    ],
)
def test_what_a_bot_tells_of_its_search_is_kept_as_far_as_it_makes_sense(told, found):
    assert thought(told, seat=1, players=3) == found


def test_a_good_bot_plays_and_quits_by_itself(mock):
    bot = mock("base", Depth="3")
    assert (bot.name, bot.author) == ("mock", "the tests")
    assert bot.games == {"shikoku": (3, 8)}
    assert bot.options == {"Depth": Option("Depth", "spin", "1", 1, 9)}
    assert bot.plays("shikoku", 8)
    assert not bot.plays("shikoku", 9)
    assert not bot.plays("go", 2)
    answer = play(bot, games=3)
    assert answer.move == "play:3"
    assert 0 <= answer.elapsed_ms < 2000
    started = time.monotonic()
    bot.quit()
    assert not bot.running
    assert time.monotonic() - started < 0.9


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("illegal", "illegal", "play:99 is not a legal move"),
        ("complains", "illegal", "(the bot said: view no idea what this means)"),
        ("late", "timeout", "answered after"),
        ("hang", "stall", "not even after stop"),
        ("deaf", "stall", "no readyok in time"),
        ("crash", "crash", "exited with status 3: out of ideas"),
        ("closes_stdout", "crash", "closed its input or output"),
        ("closes_stdin", "crash", "closed its input or output"),
        ("flood_bytes", "protocol", "a line of more than 65536 bytes"),
        ("flood_lines", "protocol", "flood"),
        ("flood_idle", "protocol", "flood"),
        ("bad_bytes", "protocol", "not UTF-8"),
        ("control_bytes", "protocol", "control characters"),
        ("no_move", "protocol", "bestmove without a move"),
        ("glued", "protocol", "of the form bestmove <move>: bestmove=play:3"),
        ("bare", "protocol", "of the form bestmove <move>: play:3"),
        ("early", "protocol", "nobody asked for"),
        ("twice", "protocol", "nobody asked for"),
    ],
)
def test_each_fault_has_its_kind_and_costs_little_time(mock, name, kind, words):
    bot = mock(name)
    started = time.monotonic()
    fault = fault_of(bot, QUICK if name in SLOW_BOTS else EASY)
    assert fault.kind == kind
    assert words in fault.detail
    assert time.monotonic() - started < 3.0
    assert bot.running == (kind in ("illegal", "timeout"))
    assert len(fault.detail) < 500


def test_a_full_error_output_is_no_fault(mock):
    assert play(mock("flood_stderr"), Limits(nodes=1, untimed_ms=5000)).move == "play:3"


def test_after_a_late_answer_no_stale_move_is_taken_for_a_new_one(mock):
    bot = mock("late")
    assert fault_of(bot, QUICK).kind == "timeout"
    assert not bot.recover()
    assert play(bot, games=2).move == "play:3"


def test_a_bot_that_does_not_read_cannot_block_a_writer(mock):
    bot = mock("deaf")
    bot.newgame(GAME, 0)
    bot.isready()
    started = time.monotonic()
    views = itertools.repeat("x" * 10_000, 1000)
    with pytest.raises(BotFault, match="stall: does not read its input"):
        collections.deque(map(bot.position, views), maxlen=0)
    assert time.monotonic() - started < 1.0


def test_long_lines_reach_a_bot_that_reads(mock):
    bot = mock("base")
    bot.position("x" * 500_000)
    bot.legal(MOVES)
    assert bot.go(Limits(movetime_ms=2000)).move == "play:3"


@pytest.mark.parametrize(
    ("cmd", "words"),
    [
        (["/no/such/program"], "No such file"),
        (["/"], "Permission denied"),
        (["nul\0byte"], "null byte"),
    ],
)
def test_a_program_that_cannot_start_is_a_crash(cmd, words):
    with pytest.raises(BotFault, match=words) as caught:
        BotProcess(BotSpec("missing", cmd)).start()
    assert caught.value.kind == "crash"


def test_a_crash_at_the_start_tells_the_last_words(mock):
    with pytest.raises(BotFault, match="exited with status 1: no licence found"):
        mock("crash_at_start")


def test_a_bot_that_gets_never_ready_is_given_up():
    script = str(Path(__file__).parent / "bots" / "never_ready.py")
    with pytest.raises(BotFault, match="stall: no readyok"):
        BotProcess(BotSpec("never", [sys.executable, script]), patience_s=0.3).start()


def test_an_option_that_the_bot_lacks_is_an_error_of_the_caller(mock):
    with pytest.raises(OptionError, match="bot base has no option Hash; it has Depth"):
        mock("base", Hash="64")


def test_a_value_that_the_option_refuses_is_an_error_of_the_caller(mock):
    with pytest.raises(OptionError, match="bot base: option Depth is a number from 1 to 9, not 0"):
        mock("base", Depth="0")


def test_an_option_can_be_set_between_games_and_a_button_has_no_value(mock, tmp_path):
    bot = mock("recorder", str(tmp_path / "heard"))
    bot.options["Clear"] = Option("Clear", "button")
    bot.setoption("Depth", "09")
    bot.setoption("Clear", "")
    bot.isready()
    heard = (tmp_path / "heard").read_text().splitlines()
    assert heard[-3:] == ["setoption name Depth value 9", "setoption name Clear", "isready"]


def test_a_line_that_declares_no_option_is_a_fault():
    line = "option name Depth type spin default 1"
    program = f"print({line!r}, flush=True); input()"
    with pytest.raises(BotFault, match="protocol: no option line: option name Depth type spin"):
        BotProcess(BotSpec("sloppy", [sys.executable, "-c", program])).start()


def test_error_lines_are_kept_until_they_are_taken(mock):
    bot = mock("objects", "isready", "go")
    assert bot.take_complaints() == ["view I do not like isready"]
    play(bot, games=3)
    assert len(bot.take_complaints()) == MAX_COMPLAINTS
    assert bot.take_complaints() == []


def test_a_bot_that_ignores_quit_is_ended_with_its_children(mock):
    bot = mock("ignores_quit")
    child = int(bot.author)
    started = time.monotonic()
    bot.quit()
    assert 0.9 < time.monotonic() - started < 2.0
    assert not bot.running
    assert not runs(child)


def runs(pid):
    """Whether a process is there and no zombie that waits for its foster parent."""
    time.sleep(0.05)
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_a_crashed_bot_is_restarted_between_games_and_a_sound_one_is_not(mock):
    bot = mock("crash")
    assert fault_of(bot).kind == "crash"
    assert bot.recover()
    assert not bot.recover()
    assert fault_of(bot).kind == "crash"


def test_a_bot_that_is_not_running_crashes_at_once():
    bot = BotProcess(BotSpec("ghost", ["ghost"]))
    assert fault_of(bot).kind == "crash"
    bot.quit()


def test_abort_ends_a_wait_from_another_thread(mock):
    bot = mock("hang")
    bot.legal(MOVES)
    threading.Timer(0.1, bot.abort).start()
    started = time.monotonic()
    with pytest.raises(BotFault, match="crash: was killed by SIGKILL"):
        bot.go(Limits(movetime_ms=10_000))
    assert time.monotonic() - started < 1.0
    bot.abort()


def test_limits_must_limit_something():
    with pytest.raises(OptionError, match="limits need"):
        Limits()
    with pytest.raises(OptionError, match="an increment needs a clock"):
        Limits(nodes=1, inc_ms=5)
    with pytest.raises(OptionError, match="nodes must be at least 1"):
        Limits(nodes=0)
    with pytest.raises(OptionError, match="the time of tc in ms must be at least 1, not 0"):
        Limits(clock_ms=0)
    with pytest.raises(OptionError, match="the command is empty"):
        BotSpec("nothing", [])

"""`henro bot` through pipes: it answers every `go` in time, and no input can end it badly."""

import os
import queue
import subprocess
import sys
import threading
import time
from importlib.resources import files

import pytest

import henro

GAME = henro.load_game("shikoku", players=4)
NEWGAME = f"newgame game shikoku players 4 seat 0 components {GAME.components_id}"


def state_with_choice(seed=1):
    """A position in which some seat chooses among several moves."""
    state = GAME.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.sample_chance(seed))
        seed += 1
    return state


STATE = state_with_choice()
VIEW = STATE.view(STATE.current_player())
LEGAL = [STATE.action_to_string(action) for action in STATE.legal_actions()]
POSITION = [NEWGAME, f"position view {VIEW}", "legal " + " ".join(LEGAL)]


class Bot:
    """The engine as a child process, with its lines read by a thread."""

    def __init__(self, *flags):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "henro", "bot", *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()

    def until(self, start, seconds=10.0):
        """Lines up to the first that starts with `start`; fails after some seconds."""
        lines = []
        end = time.monotonic() + seconds
        while True:
            lines.append(self.lines.get(timeout=max(0.001, end - time.monotonic())))
            if lines[-1].startswith(start):
                return lines

    def ask(self, *lines):
        """Sends lines and returns all answers up to the answer to a final isready."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def go(self, *lines, seconds=10.0):
        """Sends lines and returns the answers up to bestmove, and the seconds they took."""
        started = time.monotonic()
        self.send(*lines)
        answers = self.until("bestmove", seconds)
        return answers, time.monotonic() - started

    def end(self):
        """Ends the input; the bot must end in good order and without a word of complaint."""
        self.process.stdin.close()
        assert self.process.wait(2) == 0
        assert self.process.stderr.read() == b""
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture
def start():
    """Starts a bot with flags."""
    bots = []

    def make(*flags):
        bots.append(Bot(*flags))
        bots[-1].ask()
        return bots[-1]

    yield make
    for bot in bots:
        bot.end()


@pytest.fixture(scope="module")
def engine():
    """A bot for tests that leave it as it was but for the game."""
    bot = Bot()
    yield bot
    bot.end()


def moves_of(answers):
    return [line.removeprefix("bestmove ") for line in answers if line.startswith("bestmove")]


def errors_of(answers):
    """Codes of the error lines."""
    return [line.split()[1] for line in answers if line.startswith("error")]


def test_hello_names_the_games_and_every_option(start):
    lines = start("--name", "pilgrim", "--preset", "greedy").ask("uhi")
    assert lines[0] == "id name pilgrim"
    assert lines[1].startswith("id author ")
    assert "game shikoku players 3 8" in lines
    assert lines[-1] == "uhiok"
    options = {line.split()[2]: line for line in lines if line.startswith("option")}
    assert list(options) == [
        *("Threads", "Hash", "Seed", "Deterministic", "Level", "Preset", "MultiPV", "Components"),
        "Reuse",
        *henro.SEARCH_OPTIONS,
    ]
    assert options["sealed"] == (
        "option name sealed type combo default default "
        "var default var priors var tree var regret var exp3"
    )
    assert options["horizon"] == "option name horizon type string default default"
    assert options["Level"] == "option name Level type spin default 0 min 0 max 10"
    assert options["Preset"].startswith("option name Preset type combo default default var ")


def test_search_options_are_obeyed_and_refused_by_name(engine):
    for line in ("playouts value mast", "horizon value 8", "priors value 0.5", "TUNED value true"):
        assert not errors_of(engine.ask(f"setoption name {line}"))
    answers, _ = engine.go(*POSITION, "go nodes 100")
    assert moves_of(answers)[0] in LEGAL
    for line in ("playouts value wild", "horizon value 1.5", "priors value x", "rank value 2"):
        (error,) = engine.ask(f"setoption name {line}")
        assert error.startswith(f"error option {line.split()[0]} is ")
    for name in ("playouts", "horizon", "priors", "tuned"):
        assert not errors_of(engine.ask(f"setoption name {name} value default"))


def test_a_game_is_answered_by_legal_moves_with_info_before_each(engine):
    answers, _ = engine.go(*POSITION, "go nodes 500")
    assert moves_of(answers)[0] in LEGAL
    info = answers[-2].split()
    assert info[:3] == ["info", "nodes", "500"]
    assert [word for word in info if word.isalpha()][1:6] == [
        *("nodes", "nps", "time", "depth", "value")
    ]
    start_of_pv = info.index("pv")
    assert len(info[info.index("value") + 1 : start_of_pv]) == GAME.players
    assert info[start_of_pv + 1] in LEGAL


def test_the_view_alone_is_enough(engine):
    answers, _ = engine.go(*POSITION[:2], "go nodes 200")
    assert moves_of(answers)[0] in LEGAL
    assert not errors_of(answers)


def test_the_legal_line_alone_is_enough(engine):
    assert moves_of(engine.go("legal left right", "go movetime 1000")[0])[0] in ("left", "right")
    # The position of an earlier question is not mistaken for that of the next.
    engine.go(*POSITION, "go nodes 10")
    answers, _ = engine.go("legal left right", "go nodes 10")
    assert moves_of(answers)[0] in ("left", "right")
    assert not errors_of(answers)


def test_the_same_question_may_be_asked_again(engine):
    first, _ = engine.go(*POSITION, "go nodes 300")
    second, _ = engine.go("go nodes 300")
    assert moves_of(first) == moves_of(second)


def test_a_single_legal_move_is_answered_at_once(engine):
    answers, seconds = engine.go(*POSITION[:2], f"legal {LEGAL[1]}", "go movetime 5000")
    assert answers == [f"bestmove {LEGAL[1]}"]
    assert seconds < 0.5


def test_a_legal_line_that_contradicts_the_view_wins_and_is_reported(engine):
    answers, _ = engine.go(*POSITION[:2], f"legal {LEGAL[0]} take:99", "go nodes 100")
    assert errors_of(answers) == ["view"]
    assert moves_of(answers) == [LEGAL[0]]
    answers, _ = engine.go(*POSITION[:2], "legal north south", "go nodes 100")
    assert errors_of(answers) == ["view"]
    assert moves_of(answers) == ["north"]


@pytest.mark.parametrize(
    "view", ["", "nonsense", VIEW[:-9], VIEW + " moon=full", VIEW.replace("play", "take")]
)
def test_a_bad_view_is_reported_and_the_legal_line_still_answered(engine, view):
    answers, _ = engine.go(NEWGAME, f"position view {view}", POSITION[2], "go nodes 100")
    assert errors_of(answers) == ["view"]
    assert moves_of(answers)[0] in LEGAL


def test_a_view_of_another_seat_is_reported(engine):
    waiting = STATE.view((STATE.current_player() + 1) % 4)
    answers, _ = engine.go(NEWGAME, f"position view {waiting}", POSITION[2], "go nodes 100")
    assert errors_of(answers) == ["view"]
    assert moves_of(answers)[0] in LEGAL


def quickest(bot, *lines):
    """Seconds of the quickest of three answers: the machine may be busy."""
    return min(bot.go(*lines)[1] for _ in range(3))


@pytest.mark.parametrize("movetime", [50, 200, 400])
def test_movetime_is_kept_and_used(engine, movetime):
    engine.ask(*POSITION)
    seconds = quickest(engine, f"go movetime {movetime}")
    assert 0.5 * movetime < seconds * 1000 < movetime + 20


def test_a_clock_is_used_by_small_parts_and_never_run_down(engine):
    engine.ask(*POSITION)
    assert 0.1 < quickest(engine, "go clock 5000 inc 0") < 0.3
    assert quickest(engine, "go clock 100 inc 1000") < 0.12
    for clock in (1, 0, -20):
        assert quickest(engine, f"go clock {clock} inc 0") < 0.1


def test_the_least_of_several_limits_holds(engine):
    engine.ask(*POSITION)
    answers, seconds = engine.go("go movetime 5000 nodes 100 clock 60000 inc 0")
    assert "nodes 100 " in answers[-2]
    assert seconds < 1


def test_infinite_thinks_until_stop_and_stop_is_answered_at_once(engine):
    engine.send(*POSITION, "go infinite")
    assert engine.until("info nodes", 3.0)[-1].startswith("info nodes")
    assert engine.ask() == []
    answers, seconds = engine.go("stop")
    assert moves_of(answers)[0] in LEGAL
    assert seconds < 0.3
    assert engine.ask("stop") == []


def test_stop_is_heeded_before_the_search_has_begun(engine):
    for _ in range(20):
        answers, seconds = engine.go(*POSITION, "go infinite", "stop")
        assert moves_of(answers)[0] in LEGAL
        assert seconds < 0.5


def test_infinite_holds_the_answer_even_if_nothing_is_left_to_think(engine):
    assert engine.ask("legal only", "go infinite") == []
    assert engine.go("stop")[0] == ["bestmove only"]


def test_changes_while_thinking_are_refused(engine):
    engine.send(*POSITION, "go infinite")
    answers = engine.ask(*POSITION, "setoption name Hash value 1", "go nodes 1")
    assert errors_of(answers) == ["busy"] * 5
    assert len(moves_of(engine.go("stop")[0])) == 1


def test_reuse_goes_on_with_what_was_learned(start):
    bot = start()
    bot.ask("setoption name Reuse value true")
    first, _ = bot.go(*POSITION, "go nodes 400")
    second, _ = bot.go(*POSITION, "go nodes 400")
    assert "nodes 400 " in first[-2]
    assert "nodes 400 " in second[-2]
    assert int(second[-2].split()[second[-2].split().index("depth") + 1]) >= 1
    assert not errors_of(bot.ask("event 0 play:1", "event 1 draw:?", "event 2 nonsense"))
    assert moves_of(bot.go(*POSITION, "go nodes 50")[0])[0] in LEGAL


def test_beliefs_come_from_the_events_and_leave_the_tree_anew(start):
    bot = start()
    bot.ask("setoption name beliefs value 1")
    bot.go(*POSITION, "go nodes 400")
    assert not errors_of(bot.ask("event 0 play:1", "event 1 draw:?", "event 2 nonsense"))
    answers, _ = bot.go(*POSITION, "go nodes 50")
    assert moves_of(answers)[0] in LEGAL
    assert not errors_of(answers)


@pytest.mark.parametrize("flags", [[], ["--threads", "2", "--set", "tree=shared"]])
def test_deterministic_mode_ignores_clocks_and_repeats_itself(start, flags):
    answers = []
    for _ in range(2):
        bot = start("--seed", "5", *flags)
        bot.ask("setoption name Deterministic value true", *POSITION)
        answers.append(bot.go("go movetime 1 clock 1 inc 0")[0][-2:])
        answers.append(bot.go(*POSITION, "go clock 900000 inc 0")[0][-2:])
    assert "nodes 10000 " in answers[0][0]
    plain = [
        (info.split(" nps ")[0], info[info.index(" depth ") :], move) for info, move in answers
    ]
    assert all(line == plain[0] for line in plain)


@pytest.mark.parametrize("go", ["go", "go nodes 400000", "go movetime 60000", "go clock 900000"])
@pytest.mark.parametrize("level", [6, 8, 10])
def test_a_level_caps_the_iterations(start, level, go):
    bot = start("--level", str(level))
    answers, _ = bot.go(*POSITION, go)
    assert f"nodes {henro.LEVELS['shikoku'][level - 1].nodes} " in answers[-2]
    bot.ask("setoption name Level value 0", *POSITION)
    answers, _ = bot.go("go nodes 11111")
    assert "nodes 11111 " in answers[-2]


def test_a_level_has_its_own_iterations_in_deterministic_mode(start):
    bot = start("--preset", "fast", "--level", "9")
    bot.ask("setoption name Deterministic value true", *POSITION)
    answers, _ = bot.go("go movetime 1")
    assert f"nodes {henro.LEVELS['shikoku'][8].nodes} " in answers[-2]


def test_the_same_question_gets_the_same_answer_at_a_low_level(start):
    bot = start("--level", "1")
    moves = [moves_of(bot.go(*POSITION, "go movetime 60000")[0]) for _ in range(4)]
    assert moves == moves[:1] * 4


def test_a_preset_without_levels_says_so_and_still_plays(start):
    bot = start()
    bot.ask("setoption name Preset value greedy", "setoption name Level value 3")
    answers, _ = bot.go(*POSITION, "go")
    assert errors_of(answers) == ["option", "option"]  # at the game's start and at the question
    assert moves_of(answers)[0] in LEGAL


@pytest.mark.parametrize("order", [1, -1])
def test_what_is_told_counts_before_or_after_the_preset(start, order):
    settings = ["Preset value fast", "MultiPV value 2", "Threads value 2"][::order]
    bot = start()
    bot.ask(*(f"setoption name {setting}" for setting in settings), *POSITION)
    answers, _ = bot.go("go")
    assert f"nodes {henro.PRESETS['fast'].nodes} " in answers[0]
    assert [line.split()[:3] for line in answers[1:-1]] == [
        ["info", "multipv", "1"],
        ["info", "multipv", "2"],
    ]


def test_analysis_tells_of_all_moves_best_first(start):
    bot = start("--preset", "analysis")
    answers, _ = bot.go(*POSITION, "go nodes 3000")
    lines = [line.split() for line in answers[-1 - len(LEGAL) : -1]]
    assert [line[:3] for line in lines] == [["info", "multipv", str(k + 1)] for k in range(3)]
    visits = [int(line[line.index("visits") + 1]) for line in lines]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == 3000
    first = [line[line.index("pv") + 1] for line in lines]
    assert sorted(first) == sorted(LEGAL)
    assert moves_of(answers) == first[:1]
    assert all(len(line[line.index("value") + 1 : line.index("pv")]) == 4 for line in lines)


def test_a_bare_go_is_answered_after_a_second(engine):
    answers, seconds = engine.go(*POSITION, "go")
    assert not errors_of(answers)
    assert moves_of(answers)[0] in LEGAL
    assert seconds < 5


def test_a_bare_go_has_the_limit_of_the_preset_and_infinite_has_none(start):
    bot = start("--preset", "fast")
    answers, seconds = bot.go(*POSITION, "go")
    assert f"nodes {henro.PRESETS['fast'].nodes} " in answers[-2]
    assert seconds < 0.9
    bot.send(*POSITION, "go infinite")
    time.sleep(0.3)
    answers, _ = bot.go("stop")
    assert int(answers[-2].split()[2]) > henro.PRESETS["fast"].nodes


@pytest.mark.parametrize("preset", list(henro.PRESETS))
def test_every_preset_answers(start, preset):
    bot = start("--preset", preset)
    answers, _ = bot.go(*POSITION, "go nodes 50")
    assert moves_of(answers)[0] in LEGAL
    assert not errors_of(answers)


def test_the_random_preset_draws_anew_in_each_game(start):
    bot = start("--preset", "random")
    moves = {moves_of(bot.go(*POSITION, "go nodes 1")[0])[0] for _ in range(40)}
    assert moves == set(LEGAL)


def test_options_can_be_set_between_games(start):
    bot = start()
    settings = {"Threads": "2", "Hash": "8", "seed": "9", "Preset": "Flat"}
    lines = [f"setoption name {name} value {value}" for name, value in settings.items()]
    assert bot.ask(*lines) == []
    answers, _ = bot.go(*POSITION, "go nodes 100")
    assert "nodes 100 " in answers[-2]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("setoption name Threads value 0", "option"),
        ("setoption name Threads value many", "option"),
        ("setoption name Level value 11", "option"),
        ("setoption name Level value -1", "option"),
        ("setoption name MultiPV value 0", "option"),
        ("setoption name Preset value genius", "option"),
        ("setoption name Deterministic value perhaps", "option"),
        ("setoption name Ponder value true", "option"),
        ("setoption Threads 2", "command"),
        ("setoption", "command"),
        ("setoption name Threads", "option"),
        ("newgame", "command"),
        ("newgame game shikoku players four seat 0", "command"),
        ("newgame game mahjong players 4 seat 0", "game"),
        ("newgame game shikoku players 4 seat x", "command"),
        ("newgame game shikoku players 4", "command"),
        ("newgame game shikoku players 9 seat 0", "option"),
        ("newgame game shikoku players 4 seat 9", "option"),
        ("newgame game shikoku players 4 seat 4", "option"),
        ("newgame game shikoku players 4 seat -1", "option"),
        ("newgame game shikoku players 4 seat 0 components shikoku/other@12", "components"),
        ("newgame game shikoku players 4 seat 0 board sun", "option"),
        ("position board", "command"),
        ("go", "state"),
    ],
)
def test_trouble_is_named_by_its_code(engine, line, code):
    engine.ask("gameover")
    assert errors_of(engine.ask(line)) == [code]


def test_a_component_set_other_than_the_referees_is_refused(start, tmp_path):
    text = files("henro.components.shikoku").joinpath("default.toml").read_text()
    other = tmp_path / "mine.toml"
    other.write_text(text.replace('name = "default"', 'name = "mine"'))
    bot = start()
    answers = bot.ask(f"setoption name Components value {other}", NEWGAME)
    assert errors_of(answers) == ["components"]
    identity = henro.load_game("shikoku", players=4, components=str(other)).components_id
    mine = NEWGAME.replace(GAME.components_id, identity)
    assert bot.ask(mine) == []


def test_go_before_a_game_is_reported_but_answered(start):
    answers, _ = start().go(f"position view {VIEW}", POSITION[2], "go nodes 100")
    assert errors_of(answers) == ["state"]
    assert moves_of(answers)[0] in LEGAL


def test_a_limit_without_a_number_is_reported_and_ignored(engine):
    answers, _ = engine.go(*POSITION, "go nodes 50 movetime soon wisdom 3")
    assert errors_of(answers) == ["command"]
    assert moves_of(answers)[0] in LEGAL


def test_unknown_lines_and_bad_bytes_are_ignored(engine):
    engine.process.stdin.write(b"\xff\xfe\x00\n\n   \nhello bot\nGO\n" + b"x" * 300_000 + b"\n")
    assert engine.ask("event 2 draw:?", "event chance", "event", "stop") == []
    answers, _ = engine.go(*POSITION, "go nodes 50 ponder")
    assert not errors_of(answers)


def test_text_is_utf_8_in_every_locale():
    done = subprocess.run(
        [sys.executable, "-m", "henro", "bot"],
        input=b"newgame game \xc3\xa9 players 4 seat 0\nnewgame game \xff players 4 seat 0\nuhi\n",
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        timeout=10,
        check=True,
    )
    lines = done.stdout.decode().splitlines()
    assert errors_of(lines) == ["game", "game"]
    assert "é" in lines[0]
    assert lines[-1] == "uhiok"
    assert done.stderr == b""


def test_a_referee_that_is_gone_ends_the_bot_quietly():
    bot = subprocess.Popen(
        [sys.executable, "-m", "henro", "bot"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    bot.stdout.close()
    bot.stdout = None
    _, errors = bot.communicate(b"uhi\n" * 9, timeout=5)
    assert errors == b""


def test_board_prints_what_the_seat_knows(start):
    bot = start()
    lines = bot.ask("board", *POSITION, "board")
    assert all(line.startswith("info string ") for line in lines)
    assert "info string deck=17" in lines


def test_gameover_forgets_the_position(engine):
    answers = engine.ask(*POSITION, "gameover ranks 1 2 2 2 scores 9 8 8 8", "go nodes 5")
    assert errors_of(answers) == ["state"]


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_quit_and_the_end_of_input_end_it_also_while_thinking(end):
    bot = Bot()
    bot.ask()
    bot.send(*POSITION, "go infinite")
    bot.until("info nodes", 3.0)
    started = time.monotonic()
    bot.process.communicate(end.encode(), timeout=2)
    assert bot.process.returncode == 0
    assert time.monotonic() - started < 1.0


def test_a_script_gets_its_answer_although_the_input_ends():
    script = "\n".join(["uhi", *POSITION, "go nodes 2000"]) + "\n"
    done = subprocess.run(
        [sys.executable, "-m", "henro", "bot"],
        input=script,
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
    )
    assert done.stdout.splitlines()[-1].removeprefix("bestmove ") in LEGAL
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (
            ["--preset", "genius"],
            "Preset is one of default, fast, strong, analysis, flat, greedy, random",
        ),
        (["--set", "rank=0.7", "--set", "score=0.7"], "rank 0.7 and score 0.7: together they are"),
        (["--preset", "flat", "--level", "3"], "Level 3: the preset flat has none"),
    ],
)
def test_a_wrong_flag_is_an_error_of_the_call(flags, words):
    command = [sys.executable, "-m", "henro", "bot", *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""

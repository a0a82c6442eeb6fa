"""What docs/protocol.md and the example bots promise."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import henro
from henro.protocol import BotProcess, BotSpec, ChanceSource, FaultKind, Limits, play_game
from henro.protocol.engine import ErrorCode

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "protocol.md").read_text()
BOTS = ROOT / "examples" / "bots"
GAME = henro.load_game("shikoku", players=4)
GREEDY = [sys.executable, "-m", "henro", "bot", "--preset", "greedy"]


def block(kind):
    """Text of the document's first block of a kind."""
    return re.search(rf"^```{kind}\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)[1]


def table(heading):
    """First cells of the rows of the table that follows a heading of the document."""
    rows = re.search(rf"\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", DOCUMENT)[1]
    return [re.match(r"\| `?(\w+)", row)[1] for row in rows.splitlines()]


def blurred(line):
    """A line of the session without what differs from run to run."""
    line = re.sub(r"(nps|time) \d+", r"\1 0", line)
    return re.sub(r"shikoku/default@\w+", GAME.components_id, line)


def test_the_example_session_goes_as_written():
    session = [blurred(line) for line in block("uhi").splitlines()]
    bot = subprocess.Popen(
        [sys.executable, "-m", "henro", "bot"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with bot:
        for line in session:
            if line.startswith("> "):
                bot.stdin.write(line[2:] + "\n")
                bot.stdin.flush()
            else:
                assert "< " + blurred(bot.stdout.readline().rstrip("\n")) == line
        assert bot.stdout.read() == ""
    assert bot.returncode == 0


def test_the_tables_of_codes_and_faults_are_complete():
    assert table("code") == list(get_args(ErrorCode))
    assert table("kind") == list(get_args(FaultKind))


def test_the_bot_of_the_document_is_the_example_bot():
    example = (BOTS / "minimal_bot.py").read_text()
    assert block("python") == example[example.index("import random") :]


def test_the_arena_command_of_the_document_works(tmp_path):
    (tmp_path / "mybot.py").write_text(block("python"))
    henro_word, *words = shlex.split(block("console").removeprefix("$ "))
    assert henro_word == "henro"
    words[words.index("--rounds") + 1] = "1"
    done = subprocess.run(
        [sys.executable, "-m", "henro", *words],
        cwd=tmp_path,
        env={"PATH": str(Path(sys.executable).parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout


@pytest.fixture(scope="module")
def lowcard(tmp_path_factory):
    """The bot in C, built with all warnings as errors."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    program = tmp_path_factory.mktemp("lowcard") / "lowcard_bot"
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run([compiler, *flags, "-o", program, BOTS / "lowcard_bot.c"], check=True)
    return str(program)


def test_the_example_bots_play_a_game_without_faults(lowcard):
    commands = [[sys.executable, str(BOTS / "minimal_bot.py")], [lowcard], GREEDY, [lowcard]]
    bots = [BotProcess(BotSpec(str(seat), command)) for seat, command in enumerate(commands)]
    try:
        for bot in bots:
            bot.start()
        limits = [Limits(movetime_ms=1000)] * 4
        record = play_game(GAME, bots, limits, ChanceSource(b"examples"))
    finally:
        for bot in bots:
            bot.quit()
    assert record.faults == []
    assert_lowest_cards(record, 1)


def assert_lowest_cards(record, seat):
    state = GAME.new_initial_state()
    for text in record.moves:
        if state.current_player() == seat:
            legal = map(state.action_to_string, state.legal_actions())
            assert text == min(legal, key=lambda move: int(move.split(":")[1]))
        state.apply(text)


@pytest.mark.parametrize("name", ["minimal_bot.py", "lowcard_bot.c"])
def test_the_example_bots_are_short(name):
    assert len((BOTS / name).read_text().splitlines()) < 80

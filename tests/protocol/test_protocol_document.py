"""What docs/protocol.md and the example bots promise."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import henro
from henro import components
from henro.arena import load
from henro.protocol import BotProcess, BotSpec, ChanceSource, FaultKind, Limits, play_game
from henro.protocol.engine import ErrorCode
from henro.protocol.types import MAX_COMPLAINTS

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "protocol.md").read_text()
BOTS = ROOT / "examples" / "bots"
GAME = henro.load_game("shikoku", players=4)
GREEDY = [sys.executable, "-m", "henro", "bot", "--preset", "greedy"]


def block(kind, index=0):
    """Text of one of the document's blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)[index]


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


def play(command, folder):
    """Plays one round by an arena command, with the bot of the document in the folder."""
    (folder / "mybot.py").write_text(block("python"))
    henro_word, *words = shlex.split(command.removeprefix("$ "))
    assert henro_word == "henro"
    if "--rounds" in words:
        words[words.index("--rounds") + 1] = "1"
    done = subprocess.run(
        [sys.executable, "-m", "henro", *words, "--out", "run"],
        cwd=folder,
        env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "faults: none" in done.stdout
    return load(folder / "run")


def test_the_arena_command_of_the_document_works(tmp_path):
    play(block("console"), tmp_path)


def test_the_tee_recipe_gives_each_process_its_own_pair_of_files(tmp_path):
    results = play(block("console", -1), tmp_path)
    heard = sorted(tmp_path.glob("in.*.log"))
    assert len(heard) == max(record.bots.count("mine") for record in results.records()) == 2
    for file in heard:
        lines = file.read_text().splitlines()
        assert lines[0] == "uhi"
        assert lines.count("uhi") == lines.count("quit") == 1
        said = file.with_name(file.name.replace("in", "out", 1)).read_text().splitlines()
        assert said[:2] == ["id name minimal", "uhiok"]
        assert sum(line.startswith("bestmove") for line in said) == sum(
            line.startswith("go") for line in lines
        )


@pytest.mark.skipif(not shutil.which("mawk"), reason="no mawk")
def test_mawk_plays_if_it_does_not_hold_its_input_back(tmp_path):
    assert "`mawk -W interactive`" in DOCUMENT
    (tmp_path / "bot.awk").write_text(
        """\
        $1 == "uhi"     { print "uhiok"; fflush() }
        $1 == "isready" { print "readyok"; fflush() }
        $1 == "legal"   { move = $2 }
        $1 == "go"      { print "bestmove " move; fflush() }
        """
    )
    play(
        "henro arena --game shikoku --movetime 1s "
        '--bot name=awk,cmd="mawk -W interactive -f bot.awk"',
        tmp_path,
    )


def test_the_icons_of_the_document_are_those_of_the_default_set():
    cards = components.load("shikoku")
    assert f"`{cards.id}`; `henro components show`" in DOCUMENT
    shown = re.search(r"\| icons \| cards \|\n\|[-|]+\n((?:\|.*\n)+)", DOCUMENT)[1]
    rows = [re.findall(r"\d+", line) for line in shown.splitlines()]
    assert (
        sorted([int(card), int(row[0])] for row in rows for card in row[1:])
        == (cards.tables["cards"])
    )


def test_the_number_of_complaints_that_are_kept_is_told():
    assert f"the first {MAX_COMPLAINTS} of a seat in a game" in DOCUMENT


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

"""Commands at a terminal: signs of work, keys pressed meanwhile, Ctrl-C."""

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
import time

import msgspec
import pytest

from henro.protocol.types import GameRecord

VIEW = (
    "shikoku players=4 components=shikoku/default@f47ec5c722bf seat=2 phase=play turn=3 "
    "order=1,3,0,2 steps=5,2,4,4 previous=5,12,17,30 row=19,21,-,2 removed=- "
    "hands=?2/?2/3,9,33/?2 deck=17"
)


class Terminal:
    """A henro command at a terminal of its own."""

    def __init__(self, folder, *args: str) -> None:
        self.end, end = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "henro", *args],
            stdin=end,
            stdout=end,
            stderr=end,
            cwd=folder,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"},
        )
        os.close(end)
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def wait_for(self, text: str) -> str:
        """Reads until `text` is shown; returns all that was read up to its end."""
        while text not in self.shown:
            self.shown += os.read(self.end, 4096).decode(errors="replace")
        head, _, self.shown = self.shown.partition(text)
        return head + text

    def finish(self) -> str:
        """The rest of the output."""
        with contextlib.suppress(OSError):  # the command has closed its end
            while data := os.read(self.end, 4096):
                self.shown += data.decode(errors="replace")
        self.process.wait(timeout=30)
        return self.shown

    def press_ctrl_c(self) -> None:
        time.sleep(0.2)  # the search has begun
        self.process.send_signal(signal.SIGINT)


@pytest.fixture
def terminal(tmp_path):
    started = []

    def start(*args: str) -> Terminal:
        started.append(Terminal(tmp_path, *args))
        return started[-1]

    yield start
    for running in started:
        running.process.kill()
        running.process.wait()
        os.close(running.end)


def test_what_is_typed_while_others_think_is_no_move(terminal, tmp_path):
    args = ("--players", "4", "--seed", "3", "--movetime", "600ms", "--record", "game.jsonl")
    game = terminal("play", "shikoku", *args)
    game.wait_for("p2 is thinking ...")
    time.sleep(0.1)
    game.type("18\n")
    before = game.wait_for("18, 28 or 33> ")
    assert "\n18" not in before  # nor is it shown
    time.sleep(0.2)
    game.type("q\n")
    assert "Goodbye" in game.finish()
    played = msgspec.json.decode((tmp_path / "game.jsonl").read_text(), type=GameRecord)
    (only,) = [move for move in played.moves if move.startswith("play:")]
    assert only != "play:18"  # the card typed: p2 alone has played


def test_ctrl_c_cancels_a_hint_and_nothing_else(terminal):
    game = terminal("play", "shikoku", "--opponents", "random", "--movetime", "60s")
    game.wait_for("> ")
    game.type("hint\n")
    game.wait_for("searching ...")
    game.press_ctrl_c()
    game.wait_for("The hint is cancelled.")
    game.wait_for("> ")
    game.type("q\n")
    assert "Goodbye" in game.finish()
    assert game.process.returncode == 0


def test_ctrl_c_ends_analyse_with_what_it_found(terminal):
    analysis = terminal("analyse", "--view", VIEW, "--movetime", "60s")
    shown = analysis.wait_for("searching ...")
    assert "your hand" in shown  # the board comes first
    assert re.search(r"\d+ nodes, best play:\d+", analysis.wait_for("(Ctrl-C stops)"))
    analysis.press_ctrl_c()
    rest = analysis.finish()
    assert "Share of wins of each seat" in rest
    assert "best play:" in rest
    assert "stopped; this is what it found so far" in rest
    assert analysis.process.returncode == 1

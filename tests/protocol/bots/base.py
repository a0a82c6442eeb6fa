"""A bot without fault, which the files beside it spoil in one way each."""

import sys
from collections.abc import Iterable


def say(line: str) -> None:
    print(line, flush=True)


class Bot:
    """Answers every command through the method of its name and plays the first legal move."""

    def __init__(self) -> None:
        self.moves: tuple[str, ...] = ()

    def run(self, lines: Iterable[str] = sys.stdin) -> None:
        for line in lines:
            command, *words = line.split()
            getattr(self, command, self.ignore)(*words)

    def ignore(self, *words: str) -> None:
        pass

    def uhi(self) -> None:
        say("id name mock")
        say("id author the tests")
        say("game shikoku players 3 8")
        say("option name Depth type spin default 1 min 1 max 9")
        say("uhiok")

    def isready(self) -> None:
        say("readyok")

    def legal(self, *moves: str) -> None:
        self.moves = moves

    def go(self, *limits: str) -> None:
        say(f"bestmove {self.moves[0]}")

    def quit(self) -> None:
        raise SystemExit


if __name__ == "__main__":
    Bot().run()

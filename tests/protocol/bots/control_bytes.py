"""Answers with a NUL in its line."""

from base import Bot, say


class ControlBytes(Bot):
    def go(self, *limits):
        say(f"bestmove {self.moves[0]}\0")


ControlBytes().run()

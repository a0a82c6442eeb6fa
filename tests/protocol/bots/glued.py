"""Answers in its own syntax."""

from base import Bot, say


class Glued(Bot):
    def go(self, *limits):
        say(f"bestmove={self.moves[0]}")


Glued().run()

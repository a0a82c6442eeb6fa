"""Answers every question twice."""

from base import Bot, say


class Twice(Bot):
    def go(self, *limits):
        say(f"bestmove {self.moves[0]}\nbestmove {self.moves[-1]}")


Twice().run()

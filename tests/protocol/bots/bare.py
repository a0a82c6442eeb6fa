"""Answers with the move alone."""

from base import Bot, say


class Bare(Bot):
    def go(self, *limits):
        say(self.moves[0])


Bare().run()

"""Answers with a move that is not in the legal list."""

from base import Bot, say


class Illegal(Bot):
    def go(self, *limits):
        say("bestmove play:99")


Illegal().run()

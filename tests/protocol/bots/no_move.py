"""Answers `bestmove` and no move."""

from base import Bot, say


class NoMove(Bot):
    def go(self, *limits):
        say("bestmove ")


NoMove().run()

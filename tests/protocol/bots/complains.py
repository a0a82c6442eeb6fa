"""Explains by an error line why its move is wrong."""

from base import Bot, say


class Complains(Bot):
    def go(self, *limits):
        say("error view no idea what this means")
        say("bestmove pass")


Complains().run()

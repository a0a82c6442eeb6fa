"""Answers before it is asked."""

from base import Bot, say


class Early(Bot):
    def newgame(self, *words):
        say("bestmove play:1")


Early().run()

"""Stops reading once a game begins."""

from time import sleep

from base import Bot


class Deaf(Bot):
    def newgame(self, *words):
        self.isready()
        sleep(60)


Deaf().run()

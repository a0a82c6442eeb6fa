"""Floods while nobody asks it anything."""

import sys

from base import Bot


class Flood(Bot):
    def newgame(self, *words):
        self.isready()
        while True:
            sys.stdout.write("hello\n" * 10000)


Flood().run()

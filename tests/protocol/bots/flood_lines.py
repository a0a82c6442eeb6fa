"""Writes harmless lines without end."""

import sys

from base import Bot


class Flood(Bot):
    def go(self, *limits):
        while True:
            sys.stdout.write("info string " + "x" * 1000 + "\n")


Flood().run()

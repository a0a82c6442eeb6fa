"""Writes without end and without a newline."""

import sys

from base import Bot


class Flood(Bot):
    def go(self, *limits):
        while True:
            sys.stdout.write("x" * 65536)


Flood().run()

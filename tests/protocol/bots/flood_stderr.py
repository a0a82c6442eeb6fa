"""Fills its error output before each answer, which is right."""

import sys

from base import Bot


class Chatty(Bot):
    def go(self, *limits):
        sys.stderr.write("thinking\n" * 50_000)
        super().go(*limits)


Chatty().run()

"""Answers in bytes that are no text."""

import sys

from base import Bot


class BadBytes(Bot):
    def go(self, *limits):
        sys.stdout.buffer.write(b"bestmove \xff\xfe\n")
        sys.stdout.buffer.flush()


BadBytes().run()

"""Plays the first legal move and copies its whole input to the file named in its arguments."""

import sys
from collections.abc import Iterator
from typing import TextIO

from base import Bot


def copied(file: TextIO) -> Iterator[str]:
    for line in sys.stdin:
        file.write(line)
        file.flush()
        yield line


with open(sys.argv[1], "a") as file:
    Bot().run(copied(file))

"""Time management: how long a search may take, and when it is done early."""

from __future__ import annotations

from dataclasses import dataclass, replace

_MOVES = 25  # a move may take this fraction of the clock, and most of the increment
_INC_SHARE = 0.8
_CLOSE = 0.1  # a decision is close while the best two moves differ by less of all visits
_EXTENSION = 2.5  # a close decision may take this many times the time of another
_MOST = 0.25  # and no decision more than this part of the clock


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock before a move: seconds left, and seconds added after the move."""

    left: float
    inc: float = 0.0


@dataclass(frozen=True, slots=True)
class Time:
    """Seconds for a search: `usual`, and up to `most` while the decision is close.

    With `settle` it ends as soon as the most visited move cannot be caught in the usual time.
    """

    usual: float
    most: float
    settle: bool = False

    @classmethod
    def of_clock(cls, clock: Clock) -> Time:
        """A fair part of the clock; some time even if nothing is left."""
        left = max(clock.left, 0.001)
        most = _MOST * left
        usual = min(left / _MOVES + _INC_SHARE * clock.inc, most)
        return cls(usual, min(_EXTENSION * usual, most), settle=True)

    def within(self, seconds: float) -> Time:
        """The same, but never longer than `seconds`."""
        return replace(self, usual=min(self.usual, seconds), most=min(self.most, seconds))

    def to_the_end(self) -> Time:
        """All the time that there is, for every decision."""
        return replace(self, usual=self.most, settle=False)

    def over(self, elapsed: float, nodes: int, lead: int) -> bool:
        """Whether to end after `nodes` iterations, the best move being `lead` visits ahead."""
        if elapsed >= self.most:
            return True
        if elapsed >= self.usual:
            return lead >= _CLOSE * nodes
        return self.settle and lead > nodes / elapsed * (self.usual - elapsed)

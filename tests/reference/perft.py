"""Perft by reference rules."""

from __future__ import annotations

from typing import Protocol, Self


class Position(Protocol):
    """What the reference states of all games can do."""

    def actor(self) -> int | str | None: ...
    def possible(self) -> list[str]: ...
    def apply(self, text: str) -> None: ...
    def clone(self) -> Self: ...


def perft(state: Position, depth: int) -> int:
    """How many sequences of `depth` plies there are, chance included; games that end count once."""
    if depth == 0 or state.actor() is None:
        return 1
    leaves = 0
    for text in state.possible():
        after = state.clone()
        after.apply(text)
        leaves += perft(after, depth - 1)
    return leaves

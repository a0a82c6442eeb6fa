"""Presets: named sets of engine settings, each of which can still be set by hand."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Literal

from henro.search.options import SearchOptions

MAX_THREADS = 256
MAX_HASH_MB = 1 << 20
MAX_NODES = 10**15 - 1


@dataclass(frozen=True)
class Preset:
    """How an engine goes about a move where it is not told otherwise.

    description  what it is for, in a line
    search       tree search, flat Monte Carlo, or an answer at once: the greedy rule, a random move
    threads      search threads; None: one for each core
    hash_mb      memory of all trees together, in MiB
    nodes        iterations of a search that is given no limit
    movetime     seconds of a search that is given no limit
    settle       whether a search by the clock may end before its time
    lines        moves of which `info` tells in UHI
    options      search options
    """

    description: str
    search: Literal["tree", "flat", "greedy", "random"] = "tree"
    threads: int | None = 1
    hash_mb: int = 64
    nodes: int | None = None
    movetime: float | None = None
    settle: bool = True
    lines: int = 1
    options: SearchOptions = field(default_factory=SearchOptions)

    @property
    def searches(self) -> bool:
        """Whether it searches at all, rather than answer at once."""
        return self.search in ("tree", "flat")

    @property
    def bounded(self) -> bool:
        """Whether a move ends of itself where no limit is given."""
        return not self.searches or self.nodes is not None or self.movetime is not None


PRESETS: dict[str, Preset] = {
    "default": Preset("information set Monte Carlo tree search"),
    "fast": Preset("an answer at once: the same search with few iterations", hash_mb=16, nodes=500),
    "strong": Preset(
        "for matches: the same search on all cores in one tree, with room for long searches",
        threads=None,
        hash_mb=512,
        movetime=2.0,
        options={"tree": "shared"},
    ),
    "analysis": Preset(
        "for study: the same search to its very end, with much memory and many lines",
        hash_mb=2048,
        nodes=500_000,
        settle=False,
        lines=10,
        options={"confidence": 0.2},
    ),
    "flat": Preset(
        "flat Monte Carlo: every move gets the same number of random playouts",
        search="flat",
        options={"playouts": "uniform"},
    ),
    "greedy": Preset("the game's documented one-ply rule", search="greedy"),
    "random": Preset("a legal move, uniformly at random", search="random"),
}
"""What an engine can be, by name."""


def cores() -> int:
    """Search threads that this process can run at once."""
    usable = getattr(os, "sched_getaffinity", None)  # not on every system
    return min(len(usable(0)) if usable else os.cpu_count() or 1, MAX_THREADS)

"""Strength levels: weaker play by fewer iterations and a share of moves at random."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from henro.game import InformationSet

MAX_LEVEL = 10


@dataclass(frozen=True, slots=True)
class Level:
    """Most iterations of a move, and the share of moves that are drawn at random instead."""

    nodes: int
    random: float = 0.0

    def mistake(self, known: InformationSet, seed: int) -> int | None:
        """The random move that the level plays in place of a search, None where it searches.

        Drawn from the seed and the view alone: the same question gets the same answer, and
        nothing but what the seat knows has a part in it.
        """
        drawn = blake2b(known.view().encode(), digest_size=16, key=seed.to_bytes(8)).digest()
        if int.from_bytes(drawn[:8]) >= self.random * 2**64:
            return None
        legal = known.legal_actions()
        return legal[(int.from_bytes(drawn[8:]) * len(legal)) >> 64]


LEVELS: dict[str, tuple[Level, ...]] = {
    "shikoku": (
        Level(20, 0.80),
        Level(20, 0.66),
        Level(20, 0.54),
        Level(20, 0.43),
        Level(20, 0.33),
        Level(20, 0.22),
        Level(20, 0.11),
        Level(20),
        Level(200),
        Level(10_000),
    ),
    "jinja": (
        Level(10, 0.70),
        Level(10, 0.57),
        Level(10, 0.45),
        Level(10, 0.33),
        Level(10, 0.22),
        Level(10, 0.11),
        Level(10),
        Level(50),
        Level(300),
        Level(2_000),
    ),
    "shugendo": (
        Level(10, 0.45),
        Level(10, 0.37),
        Level(10, 0.30),
        Level(10, 0.23),
        Level(10, 0.17),
        Level(10, 0.11),
        Level(10, 0.05),
        Level(10),
        Level(100),
        Level(2_000),
    ),
    "shogun": (
        Level(10, 0.75),
        Level(10, 0.65),
        Level(10, 0.55),
        Level(10, 0.45),
        Level(10, 0.36),
        Level(10, 0.27),
        Level(10, 0.18),
        Level(10, 0.09),
        Level(20),
        Level(2_000),
    ),
}
"""The levels of each game from 1 on. `bench/strength.py` measures the steps between them."""

"""Who sits where: duplicate rounds in which every bot takes every seat equally often.

A round is one deal. Its seating is a *pattern*: a class 0..bots-1 for each seat. Game `g` of
the round puts bot `(pattern[seat] + g) % bots` on each seat, so over the round's `bots` games
each bot sits in each seat exactly once, whether there are fewer bots than seats, as many or
more. Which bots meet, and who sits just before whom, depends on the pattern alone; each round
draws some patterns from the run's seed and takes the one that evens these out best.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

import msgspec

CANDIDATES = 16


class Pairing(msgspec.Struct, frozen=True):
    """One game to play: `bots[seat]` is the index of the bot that sits there."""

    round: int
    rotation: int
    bots: tuple[int, ...]

    @property
    def key(self) -> tuple[int, int]:
        """(round, rotation): what a game of a run is known by."""
        return self.round, self.rotation


def derive(seed: str, label: str, *numbers: int) -> bytes:
    """32 secret bytes for one purpose, `label` and `numbers`, in the run with this master seed."""
    text = "\n".join(["henro-arena/1", seed, label, *map(str, numbers)])
    return hashlib.blake2b(text.encode(), digest_size=32).digest()


def deal_seed(seed: str, round_number: int) -> bytes:
    """Seed of all chance events in a round; the same for each of its games."""
    return derive(seed, "deal", round_number)


def bot_seed(seed: str, pairing: Pairing, seat: int) -> int:
    """56-bit seed for the search of a seat in one game; tells nothing of the run's other seeds."""
    digest = derive(seed, "bot", pairing.round, pairing.rotation, seat)
    return int.from_bytes(digest[:7], "little")


def schedule(bots: int, players: int, rounds: int, games: int, seed: str) -> Iterator[Pairing]:
    """All games of a run in playing order; rounds count from 1, rotations from 0.

    `games` is the number of games in a round and a multiple of `bots`: each further `bots`
    games seat the same deal after another pattern. The first rounds of a longer run are the
    rounds of a shorter one.
    """
    balance = _Balance(bots)
    for round_number in range(1, rounds + 1):
        rng = random.Random(derive(seed, "seats", round_number))
        used: set[tuple[int, ...]] = set()
        for turn in range(games // bots):
            candidates = [_pattern(bots, players, rng) for _ in range(CANDIDATES)]
            pattern = min(candidates, key=lambda p: (_form(p, bots) in used, balance.cost(p)))
            used.add(_form(pattern, bots))
            balance.add(pattern)
            for shift in range(bots):
                seats = tuple((part + shift) % bots for part in pattern)
                yield Pairing(round_number, turn * bots + shift, seats)


def _pattern(bots: int, players: int, rng: random.Random) -> tuple[int, ...]:
    """A random class for each seat; how often two classes occur differs by at most one."""
    places = _shuffled(max(bots, players), rng)[:players]
    names = _shuffled(bots, rng)
    return tuple(names[place % bots] for place in places)


def _shuffled(count: int, rng: random.Random) -> list[int]:
    """A random order of 0..count-1; only `random()` is stable between Python versions."""
    return sorted(range(count), key=lambda _: rng.random())


def _form(pattern: tuple[int, ...], bots: int) -> tuple[int, ...]:
    """The same for all rotations of a pattern."""
    return tuple((part - pattern[0]) % bots for part in pattern)


class _Balance:
    """How often bots at each distance have met and have sat side by side so far.

    Over a rotated pattern every pair of bots `d` apart fares alike, so counting distances
    counts pairs.
    """

    def __init__(self, bots: int) -> None:
        self.bots = bots
        self.met = [0] * bots
        self.followed = [0] * bots

    def cost(self, pattern: tuple[int, ...]) -> int:
        """Sum of squares of the counts if `pattern` came next: least when they are even."""
        met, followed = self._counted(pattern)
        return sum(n * n for n in met[1:]) + sum(n * n for n in followed[1:])

    def add(self, pattern: tuple[int, ...]) -> None:
        self.met, self.followed = self._counted(pattern)

    def _counted(self, pattern: tuple[int, ...]) -> tuple[list[int], list[int]]:
        met, followed = self.met.copy(), self.followed.copy()
        for seat, part in enumerate(pattern):
            followed[(pattern[seat - 1] - part) % self.bots] += 1
            for other in pattern[:seat]:
                met[(other - part) % self.bots] += 1
                met[(part - other) % self.bots] += 1
        return met, followed

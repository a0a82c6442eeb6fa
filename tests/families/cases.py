"""Which games, at which player counts, the families run on: all that this build knows.

A game joins with its adapter, `tests/games/<name>.py`; nothing else has to be named anywhere.
"""

import importlib
from dataclasses import dataclass
from functools import cache

import pytest

import henro
from tests.families.adapter import Adapter


@dataclass(frozen=True)
class Case:
    """A game at one player count, with some of its options or none."""

    name: str
    players: int
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.name, str(self.players), *(value for _, value in self.options)])

    @property
    def game(self) -> henro.Game:
        return _load(self)

    @property
    def adapter(self) -> Adapter:
        adapter: Adapter = importlib.import_module(f"tests.games.{self.name}").ADAPTER
        return adapter


CASES = [
    Case(name, players)
    for name, (fewest, most) in henro.games().items()
    for players in range(fewest, most + 1)
]

every_case = pytest.mark.parametrize("case", CASES, ids=str)


def sized(name: str, trimmed: int, full: int) -> pytest.MarkDecorator:
    """Parametrises a test by a size: trimmed by default, full under the marker `slow`."""
    return pytest.mark.parametrize(
        name,
        [
            pytest.param(trimmed, id="trimmed"),
            pytest.param(full, id="full", marks=pytest.mark.slow),
        ],
    )


@cache
def _load(case: Case) -> henro.Game:
    return henro.load_game(case.name, players=case.players, **dict(case.options))

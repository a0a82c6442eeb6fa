"""Which games, at which player counts, the families run on: all that this build knows.

A game joins with its adapter, `tests/games/<name>.py`; nothing else has to be named anywhere.
VARIANTS there has an adapter for each set of options that makes it another game; those are run at
the largest player count.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import pytest

import henro
from tests.families.adapter import Adapter


@dataclass(frozen=True)
class Case:
    """A game at one player count."""

    name: str
    players: int
    options: str = ""
    """What differs from the default options: `flower=1`, `a=1,b=2`."""

    def __str__(self) -> str:
        return "-".join(filter(None, [self.name, str(self.players), self.options]))

    @property
    def game(self) -> henro.Game:
        return _load(self)

    @property
    def adapter(self) -> Adapter:
        return _adapters(self.name)[self.options]


def _adapters(name: str) -> Mapping[str, Adapter]:
    """The adapter of a game for each of its sets of options."""
    module = importlib.import_module(f"tests.games.{name}")
    return {"": module.ADAPTER, **getattr(module, "VARIANTS", {})}


CASES = [
    Case(name, players, options)
    for name, (fewest, most) in henro.games().items()
    for options in _adapters(name)
    for players in range(most if options else fewest, most + 1)
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
    options = dict(option.split("=") for option in case.options.split(",") if option)
    return henro.load_game(case.name, players=case.players, **options)

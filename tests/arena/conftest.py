"""Runs of the mock bots that the protocol's tests keep."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from henro.arena import ArenaConfig, Bot
from henro.protocol import Limits

BOTS = Path(__file__).parents[1] / "protocol" / "bots"


@pytest.fixture
def mock_bot() -> Callable[..., Bot]:
    """Makes a contestant of bots/<script>.py with a name, arguments and limits."""

    def make(script: str, name: str | None = None, *args: str, **limits: int) -> Bot:
        return Bot(
            name=name or script,
            cmd=[sys.executable, "-S", str(BOTS / f"{script}.py"), *args],
            limits=Limits(**limits or {"movetime_ms": 2000}),
        )

    return make


@pytest.fixture
def config(tmp_path: Path, mock_bot: Callable[..., Bot]) -> Callable[..., ArenaConfig]:
    """Makes a run of three faultless bots in an own folder, with any fields changed."""

    def make(**fields: object) -> ArenaConfig:
        usual = {
            "game": "shikoku",
            "players": 3,
            "bots": [mock_bot("base", name) for name in "abc"],
            "rounds": 2,
            "seed": "7",
            "out": tmp_path / "run",
        }
        return ArenaConfig(**usual | fields)

    return make

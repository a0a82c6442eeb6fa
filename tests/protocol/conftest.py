"""Mock bots, each with one fault, started as real processes."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from henro.protocol import BotProcess, BotSpec

StartMock = Callable[..., BotProcess]


def mock_bots() -> Iterator[StartMock]:
    """Yields a function that starts bots/<name>.py with arguments; ends them all at last."""
    started = []

    def start(name: str, *args: str, **options: str) -> BotProcess:
        script = Path(__file__).parent / "bots" / f"{name}.py"
        cmd = [sys.executable, "-S", str(script), *args]
        bot = BotProcess(BotSpec(name, cmd, options), patience_s=5.0)
        started.append(bot)
        bot.start()
        return bot

    yield start
    for bot in started:
        bot.kill()


mock = pytest.fixture(mock_bots, name="mock")
lasting_mock = pytest.fixture(mock_bots, name="lasting_mock", scope="module")

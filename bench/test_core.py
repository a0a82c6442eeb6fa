"""Bulk work inside the core. `plies`, `worlds` and `iterations` a second are in extra_info."""

from typing import Any

import henro


def rated(benchmark: Any, unit: str, amount: int) -> None:
    if benchmark.enabled:
        benchmark.extra_info[f"{unit}_per_second"] = amount / benchmark.stats.stats.median


def test_playouts(benchmark: Any, game: henro.Game, amount: int) -> None:
    result = benchmark(game.playouts, amount, 1)
    rated(benchmark, "plies", result.plies)


def test_plain_playouts(benchmark: Any, game: henro.Game, amount: int) -> None:
    """The generic loop over legal, apply and chance."""
    result = benchmark(game.playouts, amount, 1, plain=True)
    rated(benchmark, "plies", result.plies)


def test_perft(benchmark: Any, decision: henro.State) -> None:
    leaves = benchmark(decision.perft, 7)
    rated(benchmark, "leaves", leaves)


def test_sample_worlds(benchmark: Any, decision: henro.State, amount: int) -> None:
    info = decision.information_set(decision.current_player())
    benchmark(info.sample_many, amount, 1)
    rated(benchmark, "worlds", amount)


def test_search(benchmark: Any, decision: henro.State, amount: int) -> None:
    engine = henro.Engine(decision.game)
    benchmark(engine.search, decision, nodes=amount)
    rated(benchmark, "iterations", amount)

"""Run under the counting allocator: prints allocations of short and of long runs of each loop."""

import ctypes
import json
from collections.abc import Callable

import henro
from henro import _core

COUNTER = ctypes.CDLL(None)
COUNTER.alloc_count.restype = ctypes.c_long


def count(work: Callable[[int], object], amount: int) -> int:
    work(amount)  # once before, so that no first-time allocation of Python counts
    before = COUNTER.alloc_count()
    work(amount)
    return COUNTER.alloc_count() - before


def main() -> None:
    results = {}
    for name, (low, high) in henro.games().items():
        for players in (low, high):
            game = henro.load_game(name, players=players)
            state = game.new_initial_state()
            while state.is_chance_node():
                state.apply_action(state.sample_chance(1))
            info = state.information_set(state.current_player())
            few = 1 if name == "shikoku" else 20  # long games: fewer
            full = _core.make_searcher(
                info, 1, 1, playouts="uniform", priors=0
            )  # the smallest tree, soon full
            full.run(100_000 // few)
            guided = _core.make_searcher(
                info,
                1,
                1,
                playouts="informed",
                horizon=8,
                priors=1.0,
                observers="many",
                sealed="regret",
            )
            guided.run(10_000 // few)
            loops: dict[str, tuple[Callable[[int], object], int, int]] = {
                "playouts": (lambda n, s=state: s.playouts(n, 1), 1_000, 50_000 // few),
                "plain playouts": (
                    lambda n, s=state: s.playouts(n, 1, plain=True),
                    1_000,
                    50_000 // few,
                ),
                "perft": (state.perft, 6, 8),
                "samples": (lambda n, i=info: i.sample_many(n, 1), 1_000, 50_000),
                "iterations": (full.run, 1_000, 50_000 // few),
                "guided iterations": (guided.run, 300, 10_000 // few),
            }
            for loop, (work, short, long) in loops.items():
                results[f"{name} {players} {loop}"] = [count(work, short), count(work, long)]
    print(json.dumps(results))


if __name__ == "__main__":
    main()

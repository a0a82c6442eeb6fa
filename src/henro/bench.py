"""The benchmark behind `henro bench`: fixed work whose results make one deterministic signature.

The signature depends on rules, sampling and search alone, not on the machine, the instruction set
or the time. A change that means to leave behaviour alone leaves it alone too.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import henro

PLAYOUTS = 100_000
WORLDS = 100_000
NODES = 20_000
SEARCHES = 8
_STEP = 5  # decisions between two searched positions


@dataclass
class Bench:
    """Figures of one game at one player count: units of work and seconds, by kind of work."""

    game: str
    players: int
    work: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    signature: str = ""

    def rate(self, kind: str) -> float:
        """Units of work per second: plies of playouts, sampled worlds, search iterations."""
        return self.work[kind] / self.seconds[kind]


def run(games: list[str] | None = None, scale: float = 1.0) -> Iterator[Bench]:
    """One Bench for every game and player count, as each is done.

    `scale` multiplies the work; signatures are comparable only at the same scale.
    """
    for name, (low, high) in henro.games().items():
        if games is None or name in games:
            for players in range(low, high + 1):
                yield _bench(henro.load_game(name, players=players), scale)


def signature(benches: list[Bench]) -> str:
    """One signature over those of all parts."""
    return _digest([bench.signature for bench in benches])


def _bench(game: henro.Game, scale: float) -> Bench:
    bench = Bench(game.name, game.players)
    results: list[object] = []

    def timed(kind: str, units: int, call: Callable[[], object]) -> object:
        began = time.perf_counter()
        result = call()
        bench.seconds[kind] = bench.seconds.get(kind, 0.0) + time.perf_counter() - began
        bench.work[kind] = bench.work.get(kind, 0) + units
        return result

    playouts = timed("plies", 0, lambda: game.playouts(_scaled(PLAYOUTS, scale), seed=1))
    assert isinstance(playouts, henro.Playouts)
    bench.work["plies"] = playouts.plies
    results += [playouts.plies, playouts.utilities, playouts.scores]
    for i, state in enumerate(_positions(game)):
        info = state.information_set(state.current_player())
        worlds, nodes = _scaled(WORLDS // SEARCHES, scale), _scaled(NODES, scale)
        results.append(timed("worlds", worlds, lambda: info.sample_many(worlds, i)))
        engine = henro.Engine(game, seed=i + 1)
        found = timed("iterations", nodes, lambda: engine.search(info, nodes=nodes))
        assert isinstance(found, henro.SearchResult)
        results += [[(m.text, m.visits, m.values) for m in found.moves], info.greedy()]
    bench.signature = _digest(results)
    return bench


def _positions(game: henro.Game) -> Iterator[henro.State]:
    """SEARCHES positions of random games, some plies apart, all at decisions."""
    seed, decisions, found = 0, 0, 0
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            seed += 1
            if state.is_chance_node():
                state.apply_action(state.sample_chance(seed))
                continue
            decisions += 1
            if decisions % _STEP == 1:
                found += 1
                yield state.clone()
                if found == SEARCHES:
                    return
            legal = state.legal_actions()
            state.apply_action(legal[seed % len(legal)])


def _scaled(amount: int, scale: float) -> int:
    return max(1, round(amount * scale))


def _digest(results: list[object]) -> str:
    return hashlib.sha256(repr(results).encode()).hexdigest()[:12]

"""The benchmark behind `henro bench`: fixed work whose results make one deterministic signature.

The signature depends on rules, sampling and search alone, not on the machine, the instruction set
or the time. A change that means to leave behaviour alone leaves it alone too.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import henro

T = TypeVar("T")

PLAYOUTS = 100_000
WORLDS = 100_000
NODES, LONG_GAME_NODES = 20_000, 2_000
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

    def timed(self, kind: str, call: Callable[[], T], units: int = 0) -> T:
        """Run a piece of work and add its units and seconds to those of its kind."""
        began = time.perf_counter()
        result = call()
        self.seconds[kind] = self.seconds.get(kind, 0.0) + time.perf_counter() - began
        self.work[kind] = self.work.get(kind, 0) + units
        return result

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
    return digest([bench.signature for bench in benches])


def _bench(game: henro.Game, scale: float) -> Bench:
    bench = Bench(game.name, game.players)
    playouts = bench.timed("plies", lambda: game.playouts(_scaled(PLAYOUTS, scale), seed=1))
    bench.work["plies"] = playouts.plies
    results: list[object] = [playouts.plies, playouts.utilities, playouts.scores]
    for i, state in enumerate(positions(game)):
        results += _searched(bench, state.information_set(state.current_player()), i + 1, scale)
    bench.signature = digest(results)
    return bench


def _searched(bench: Bench, info: henro.InformationSet, seed: int, scale: float) -> list[object]:
    worlds, nodes = _scaled(WORLDS // SEARCHES, scale), _scaled(nodes_of(info.game), scale)
    sampled = bench.timed("worlds", lambda: info.sample_many(worlds, seed), worlds)
    engine = henro.Engine(info.game, seed=seed)
    found = bench.timed("iterations", lambda: engine.search(info, nodes=nodes), nodes)
    return [sampled, [(m.text, m.visits, m.values) for m in found.moves], info.greedy()]


def positions(game: henro.Game) -> Iterator[henro.State]:
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


def nodes_of(game: henro.Game) -> int:
    """Iterations of a search; games of all but Shikoku have many times the plies."""
    return NODES if game.name == "shikoku" else LONG_GAME_NODES


def _scaled(amount: int, scale: float) -> int:
    return max(1, round(amount * scale))


def digest(results: list[object]) -> str:
    return hashlib.sha256(repr(results).encode()).hexdigest()[:12]

"""Bulk calls let other Python threads run, and nothing breaks when threads meet."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import henro
from henro import StateError, _core

TICKS = 5


class Ticker(threading.Thread):
    """Counts its own wake-ups, so long as it gets the interpreter."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.ticks = 0
        self.done = False

    def run(self) -> None:
        while not self.done:
            time.sleep(0.001)
            self.ticks += 1


def bulk_calls(state: henro.State) -> dict[str, Callable[[int], object]]:
    """Calls whose work grows with their argument."""
    info = state.information_set(state.current_player())
    searcher = _core.make_searcher(info, 1, 1 << 20)
    return {
        "Game.playouts": lambda n: state.game.playouts(n, 1),
        "State.playouts": lambda n: state.playouts(n, 1),
        "InformationSet.sample_many": lambda n: info.sample_many(n, 1),
        "State.perft": lambda n: state.perft(n.bit_length() // 2),
        "Searcher.run": searcher.run,
    }


@pytest.mark.parametrize(
    "name",
    [
        "Game.playouts",
        "State.playouts",
        "InformationSet.sample_many",
        "State.perft",
        "Searcher.run",
    ],
)
def test_another_thread_runs_during_a_bulk_call(state: henro.State, name: str) -> None:
    """Whoever holds the interpreter lock lets a sleeping thread wake once a call at most."""
    call = bulk_calls(state)[name]
    ticker = Ticker()
    ticker.start()
    try:
        for exponent in range(10, 28):
            before = ticker.ticks
            call(1 << exponent)
            if ticker.ticks - before >= TICKS:
                return
        pytest.fail(f"{name} holds the interpreter lock")
    finally:
        ticker.done = True
        ticker.join()


def wait_until_refused(searcher: _core.Searcher) -> None:
    while True:
        try:
            searcher.root()
        except StateError:
            return


def test_a_searcher_belongs_to_one_thread_at_a_time(state: henro.State) -> None:
    info = state.information_set(state.current_player())
    searcher = _core.make_searcher(info, 1, 1 << 20, tree="shared")
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(searcher.run, 2**60)
        wait_until_refused(searcher)
        for call in (
            lambda: searcher.run(1),
            lambda: searcher.beside(2),
            searcher.principal_variation,
            lambda: searcher.depth,
        ):
            with pytest.raises(StateError, match="running in another thread"):
                call()
        searcher.stop()
        done = running.result(timeout=60)
    assert sum(visits for _, visits, *_ in searcher.root()) == done


def test_a_searcher_takes_a_seat_to_move_and_known_options(
    state: henro.State, bystander: int
) -> None:
    info = state.information_set(state.current_player())
    with pytest.raises(StateError, match=f"seat {bystander} is not to move"):
        _core.make_searcher(state.information_set(bystander), 1, 1 << 20)
    wrong: list[tuple[str, object, str]] = [
        ("exploration", float("nan"), "exploration is a number from 0"),
        ("exploration", -1, "exploration is a number from 0"),
        ("horizon", -1, "horizon is a whole number from 0"),
        ("horizon", 1.5, "horizon is a whole number from 0"),
        ("playouts", "wild", "playouts is not 'wild'"),
        ("observers", 3, "observers is not '3'"),
        ("random", 1.5, "random is a share from 0 to 1"),
        ("rank", 1.5, "rank is a share from 0 to 1"),
        ("depth", 3, "options were given that do not exist"),
    ]
    for name, value, message in wrong:
        with pytest.raises(henro.OptionError, match=message):
            _core.make_searcher(info, 1, 1 << 20, **{name: value})  # type: ignore[misc]
    with pytest.raises(TypeError):
        _core.make_searcher(info, 1, 1 << 20, exploration="high")  # type: ignore[arg-type]


def test_searches_in_several_threads_do_not_disturb_each_other(
    game: henro.Game, state: henro.State
) -> None:
    def search(seed: int) -> tuple[float, ...]:
        return henro.Engine(game, seed=seed).search(state, nodes=5000).value

    alone = [search(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(search, range(4))) == alone


def test_one_engine_serves_several_threads(game: henro.Game, state: henro.State) -> None:
    engine = henro.Engine(game, threads=2)
    alone = engine.search(state, nodes=5000).value
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(engine.search, state, nodes=5000) for _ in range(8)]
        assert {job.result().value for job in jobs} == {alone}


def test_a_state_may_change_while_its_playouts_run(state: henro.State) -> None:
    expected = state.playouts(200_000, 1).utilities
    other = state.clone()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(state.playouts, 200_000, 1)
        while not running.done():
            if state.legal_actions():
                state.apply_action(state.legal_actions()[0])
        assert running.result().utilities in (expected, other.playouts(200_000, 1).utilities)

"""Threads in one tree: nothing is lost, memory is bounded, and one alone searches as ever."""

import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Unpack

import pytest

import henro
from henro import OptionError, _core
from henro.search.options import SearchOptions
from tests.families.cases import Case, sized
from tests.games.shikoku import position
from tests.search.test_beliefs import met, moved_on
from tests.search.test_equilibrium import errors
from tests.search.test_options import CLEAR, EDGE_BYTES, every_game, outcome, twins

THREADS = 3
WAYS: list[SearchOptions] = [
    {},
    {"priors": 0, "observers": "many", "sealed": "tree", "widening": 1.5},
    {"observers": "many", "sealed": "regret", "playouts": "mast"},
    {"observers": "many", "sealed": "exp3"},
    {"redetermine": 0.5},
    {"observers": "many", "redetermine": 0.3, "beliefs": 1.0},
]

every_way = pytest.mark.parametrize(
    "way", WAYS, ids=lambda way: "-".join(map(str, way.values())) or "default"
)


def shared(
    state: henro.State, threads: int = THREADS, hash_mb: int = 64, **way: Unpack[SearchOptions]
) -> henro.Engine:
    options: SearchOptions = {**way, "tree": "shared"}
    return henro.Engine(state.game, seed=5, threads=threads, hash_mb=hash_mb, **options)


# -- one thread ----------------------------------------------------------------------------------


@every_game
@every_way
@sized("games", 1, 10)
def test_one_thread_searches_a_shared_tree_as_its_own(
    case: Case, way: SearchOptions, games: int
) -> None:
    """So it is repeatable and blindfold as well: either world of an information set, one search."""
    for state, other in twins(case, games):
        own = henro.Engine(state.game, seed=5, **way).search(state, nodes=200)
        for world in (state, other):
            found = shared(state, 1, **way).search(world, nodes=200)
            assert outcome(found) == outcome(own)


# -- several threads -----------------------------------------------------------------------------


@every_game
@every_way
def test_no_visit_is_lost(case: Case, way: SearchOptions) -> None:
    """A search that goes on from the same position finds all visits in the tree."""
    state, _ = twins(case, 1)[0]
    engine = shared(state, **way)
    first = engine.search(state, nodes=1001)
    second = engine.search(state, nodes=500, since=[])
    assert (first.nodes, second.nodes) == (1001, 500)
    assert sum(move.visits for move in first.moves) == 1001
    assert sum(move.visits for move in second.moves) == 1501
    assert second.edges >= first.edges
    assert first.best in state.legal_actions()


@every_game
def test_a_tree_begun_anew_for_its_beliefs_keeps_no_visits(case: Case) -> None:
    stretch = met(case, 1)[0]
    engine = shared(stretch.before, beliefs=1.0)
    engine.search(stretch.before, nodes=300)
    anew = engine.search(stretch.after, nodes=200, since=stretch.seen, reuse=False)
    assert sum(move.visits for move in anew.moves) == 200
    again = engine.search(stretch.after, nodes=100, since=[])
    assert sum(move.visits for move in again.moves) == 300


@pytest.mark.parametrize("observers", ["one", "many"])
@sized("nodes", 300_000, 10_000_000)
def test_a_full_tree_is_searched_on_within_its_bounds_and_finds_what_a_large_one_finds(
    observers: str, nodes: int
) -> None:
    state = position(4, CLEAR)
    small, large = (
        shared(state, hash_mb=size, playouts="uniform", observers=observers).search(
            state, nodes=nodes
        )
        for size in (1, 64)
    )
    assert sum(move.visits for move in small.moves) == nodes
    assert 0 < small.edges * EDGE_BYTES <= 1 << 20 < large.edges * EDGE_BYTES <= 64 << 20
    assert small.best_text == large.best_text
    assert small.value[0] == pytest.approx(large.value[0], abs=0.03)


@pytest.mark.parametrize("sealed", ["regret", "exp3"])
def test_mixed_strategies_come_to_the_equilibrium(sealed: str) -> None:
    name = "shugendo: half of the win"  # many iterations: no two runs are alike
    distance, off = errors(name, 1_000_000, sealed=sealed, tree="shared", threads=THREADS)
    assert distance < 0.06
    assert off < 0.02


def test_a_settled_search_ends_early() -> None:
    """What one thread knows of the lead all of them know."""
    state = position(4, CLEAR)
    engine = shared(state, playouts="uniform", exploration=0.1)
    result = engine.search(state, movetime=2, settle=True)
    assert result.elapsed < 1.8
    assert result.moves[0].visits > result.nodes / 2


def test_a_search_stopped_half_way_leaves_a_whole_tree() -> None:
    state = position(4, CLEAR)
    engine = shared(state)
    timer = threading.Timer(0.1, engine.stop)
    timer.start()
    first = engine.search(state, on_info=lambda _: None)
    timer.join()
    second = engine.search(state, nodes=100, since=[])
    assert sum(move.visits for move in second.moves) == first.nodes + 100


# -- searchers -----------------------------------------------------------------------------------


def searcher(tree: str, max_bytes: int = 1 << 20) -> _core.Searcher:
    info = position(4, CLEAR).information_set(0)
    return _core.make_searcher(info, 1, max_bytes, tree=tree, playouts="uniform")


def test_only_a_shared_tree_takes_another_searcher() -> None:
    with pytest.raises(OptionError, match="option tree is separate"):
        searcher("separate").beside(2)


@every_game
def test_searchers_in_one_tree_believe_what_one_alone_believes(case: Case) -> None:
    for stretch in met(case, 1)[:3]:
        before, after = (
            state.information_set(stretch.seat) for state in (stretch.before, stretch.after)
        )
        first = _core.make_searcher(before, 5, 1 << 20, beliefs=1.0, tree="shared")
        searchers = [first, first.beside(6)]
        for each in searchers:
            each.advance(after, stretch.seen)
        searchers += [first.beside(7), moved_on(stretch)]
        for seed in range(20):
            assert len({each.world(seed).serialize() for each in searchers}) == 1


def test_a_tree_outlives_the_searcher_that_made_it() -> None:
    first = searcher("shared")
    second = first.beside(2)
    first.run(1000)
    del first
    gc.collect()
    assert second.run(1000) == 1000
    assert second.lead > 0


def test_the_smallest_tree_is_full_all_the_time_and_still_shared() -> None:
    first = searcher("shared", max_bytes=1)
    searchers = [first, *(first.beside(seed) for seed in range(2, 6))]
    with ThreadPoolExecutor(len(searchers)) as pool:
        done = list(pool.map(lambda each: each.run(3000), searchers))
    assert done == [3000] * len(searchers)
    assert 0 < first.edges <= 96
    assert [each.edges for each in searchers[1:]] == [0] * 4

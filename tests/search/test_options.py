"""Every value of every search option: searches are whole, repeatable, blindfold and bounded."""

import math
import random
from functools import cache

import pytest

import henro
from henro.search.options import OPTIONS, SearchOption, SearchOptions, Value
from tests.families.cases import CASES, Case, sized
from tests.families.walks import random_game
from tests.games.shikoku import position

NODES = 100
EDGE_BYTES = 24
FEWEST = [case for case in CASES if case.players == henro.games()[case.name][0]]

every_game = pytest.mark.parametrize("case", FEWEST, ids=str)


def values_of(option: SearchOption) -> tuple[Value, ...]:
    """All of its values if it has a few, else the ends of the range and some in between."""
    if option.choices or option.check:
        return option.choices or (False, True)
    if option.whole:
        return (0, 1, 8, math.inf)
    return (0, 0.25, 1) if option.most <= 1 else (0, 0.5, 2, option.most)


VALUES = [(name, value) for name, option in OPTIONS.items() for value in values_of(option)]
MIXTURES: list[SearchOptions] = [
    {"observers": "many", "sealed": "tree", "redetermine": 0.7},
    {"observers": "many", "sealed": "regret", "redetermine": 0.7, "priors": 0.5},
    {"playouts": "mast", "random": 0.2, "widening": 1.5, "redetermine": 0.7, "priors": 0},
    {"observers": "many", "sealed": "priors", "priors": 0},
    {"observers": "many", "sealed": "tree", "priors": 0},
    {"observers": "many", "sealed": "regret", "priors": 0},
    {"observers": "many", "sealed": "regret", "priors": 0.5},
    {"observers": "many", "sealed": "exp3", "priors": 0},
    {"observers": "many", "sealed": "exp3", "priors": 0.5},
    {"observers": "many", "sealed": "tree", "priors": 1, "confidence": 0.3, "first_play": 0.1},
    {"observers": "one", "sealed": "regret", "rank": 0.3, "score": 0.3},
    {"playouts": "mast", "random": 0.2, "tuned": True, "priors": 0},
    {"playouts": "informed", "horizon": 3, "random": 0.5, "widening": 1.5, "priors": 0},
]

every_value = pytest.mark.parametrize(
    ("name", "value"), VALUES, ids=[f"{name}-{value}" for name, value in VALUES]
)
every_mixture = pytest.mark.parametrize(
    "options", MIXTURES, ids=lambda options: "-".join(map(str, options.values()))
)


@cache
def twins(case: Case, games: int) -> tuple[tuple[henro.State, henro.State], ...]:
    """The last decision of each kind in random games at which the seat to move has a choice and
    something is hidden from it, each with another world that it cannot tell from the true one."""
    found: list[tuple[henro.State, henro.State]] = []
    rng = random.Random(f"decisions of {case}")
    for _ in range(games):
        last: dict[str, tuple[henro.State, henro.State]] = {}
        for state in random_game(case.game, rng):
            if state.is_chance_node() or len(state.legal_actions()) < 2:
                continue
            if other := another_world(state):
                last[case.adapter.kind(state)] = (state.clone(), other)
        found += last.values()
    return tuple(found)


def another_world(state: henro.State) -> henro.State | None:
    seat = state.current_player()
    samples = (state.resample_from_infostate(seat, seed) for seed in range(5))
    return next((world for world in samples if world != state), None)


def outcome(result: henro.SearchResult) -> tuple[object, ...]:
    """A search result without the clock."""
    return (result.best, result.moves, result.value, result.depth, result.edges, result.pv)


def check(state: henro.State, other: henro.State, options: SearchOptions) -> None:
    """A search of either world, twice: whole, legal, and the same each time."""
    results = [
        henro.Engine(state.game, seed=3, **options).search(world, nodes=NODES)
        for world in (state, state, other)
    ]
    for result in results:
        assert result.nodes == sum(move.visits for move in result.moves) == NODES
        assert sorted(move.action for move in result.moves) == state.legal_actions()
        assert result.best in state.legal_actions()
        assert all(0 <= value <= 1 for move in result.moves for value in move.values)
    assert outcome(results[0]) == outcome(results[1]) == outcome(results[2])


@every_game
@every_value
@sized("games", 1, 10)
def test_a_search_by_any_value_of_any_option_is_whole_repeatable_and_blindfold(
    case: Case, name: str, value: Value, games: int
) -> None:
    for state, other in twins(case, games):
        check(state, other, {name: value})  # type: ignore[misc]


@every_game
@every_mixture
@sized("games", 1, 10)
def test_a_search_by_options_taken_together_is_whole_repeatable_and_blindfold(
    case: Case, options: SearchOptions, games: int
) -> None:
    for state, other in twins(case, games):
        check(state, other, options)


# -- memory --------------------------------------------------------------------------------------

CLEAR = (
    "phase=play turn=0 order=0,3,2,1 steps=9,8,18,13 previous=8,26,29,31 row=-,-,-,- "
    "removed=12,17,24 hands=4+14,33/7,19+23/22+2,13/11,16+6 deck=14"
)
"""Far from the end, so that a tree grows with every iteration; one card is the best by far."""


@pytest.mark.parametrize("observers", ["one", "many"])
@sized("nodes", 300_000, 10_000_000)
def test_a_small_tree_is_searched_on_within_its_bounds_and_finds_what_a_large_one_finds(
    observers: str, nodes: int
) -> None:
    state = position(4, CLEAR)
    small, large = (
        henro.Engine(state.game, hash_mb=size, playouts="uniform", observers=observers).search(
            state, nodes=nodes
        )
        for size in (1, 64)
    )
    assert small.nodes == large.nodes == nodes
    assert sum(move.visits for move in small.moves) == nodes
    assert 0 < small.edges * EDGE_BYTES <= 1 << 20 < large.edges * EDGE_BYTES <= 64 << 20
    assert small.best_text == large.best_text
    assert small.value[0] == pytest.approx(large.value[0], abs=0.03)


def test_a_tree_that_was_full_many_times_is_the_same_each_time() -> None:
    state = position(4, CLEAR)
    engine = henro.Engine(state.game, hash_mb=1, playouts="uniform", observers="many")
    one, two = (engine.search(state, nodes=300_000) for _ in range(2))
    assert outcome(one) == outcome(two)


# -- options that change nothing -----------------------------------------------------------------

IDLE = [
    ({"priors": 1}, {"exploration": 0.1}),
    ({"priors": 1}, {"tuned": True}),
    ({"priors": 1}, {"widening": 1.5}),
    ({"priors": 0}, {"confidence": 0.5}),
    ({"priors": 0}, {"first_play": 0.5}),
    ({"playouts": "uniform"}, {"horizon": 0}),
    ({"playouts": "mast"}, {"horizon": 0}),
    ({"playouts": "uniform"}, {"random": 0.5}),
    ({"horizon": 0}, {"rank": 0.5}),
    ({"horizon": 0}, {"score": 0.5}),
    ({"observers": "one"}, {"sealed": "tree"}),
    ({"priors": 1}, {"tree": "shared"}),
]
BUSY = [
    ({"priors": 0}, {"exploration": 0.1}),
    ({"priors": 0, "exploration": 0.7}, {"tuned": True}),
    ({"priors": 0}, {"widening": 1.5}),
    ({"priors": 1, "confidence": 0}, {"confidence": 2}),
    ({"priors": 1}, {"first_play": 0.5}),
    ({"horizon": math.inf}, {"horizon": 0}),
    ({"horizon": 0, "random": 0.5}, {"horizon": math.inf}),
    ({"horizon": math.inf}, {"random": 0.5}),
    ({"horizon": math.inf}, {"score": 0.5}),
]


@cache
def beginnings(case: Case) -> tuple[henro.State, ...]:
    """The first decision of each kind in a random game."""
    found: dict[str, henro.State] = {}
    for state in random_game(case.game, random.Random(f"beginnings of {case}")):
        if not state.is_chance_node() and len(state.legal_actions()) > 1:
            found.setdefault(case.adapter.kind(state), state.clone())
    return tuple(found.values())


def differing(case: Case, base: SearchOptions, option: SearchOptions, nodes: int) -> int:
    """In how many positions the option changes the search."""
    positions = beginnings(case)[:6]
    searches = [
        [henro.Engine(case.game, seed=3, **how).search(state, nodes=nodes) for state in positions]
        for how in (base, base | option)
    ]
    return sum(outcome(a) != outcome(b) for a, b in zip(*searches, strict=True))


@every_game
@pytest.mark.parametrize(("base", "option"), IDLE, ids=str)
def test_an_option_that_is_said_to_be_idle_changes_nothing(
    case: Case, base: SearchOptions, option: SearchOptions
) -> None:
    assert list(henro.Engine(case.game, **base | option).idle) == list(option)
    assert differing(case, base, option, NODES) == 0


@every_game
@pytest.mark.parametrize(("base", "option"), BUSY, ids=str)
def test_an_option_that_is_not_idle_changes_something(
    case: Case, base: SearchOptions, option: SearchOptions
) -> None:
    assert henro.Engine(case.game, **base | option).idle == {}
    assert differing(case, base, option, 300) > 0

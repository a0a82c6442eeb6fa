"""Levels of strength: fewer iterations, some moves at random, the same on every machine."""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import henro
from henro import LEVELS, Level, OptionError
from henro.search.levels import MAX_LEVEL

every_game = pytest.mark.parametrize("name", henro.games())
TREE_PRESETS = [name for name, preset in henro.PRESETS.items() if preset.search == "tree"]


def questions(name: str, count: int) -> Iterator[henro.State]:
    """Positions of a random game in which a seat has a choice."""
    state, rng = henro.load_game(name).new_initial_state(), random.Random(5)
    while count and not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng.getrandbits(64)))
            continue
        if len(state.legal_actions()) > 1:
            count -= 1
            yield state
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.fixture
def erring(monkeypatch: pytest.MonkeyPatch, game: henro.Game) -> Level:
    """The lowest level, made to draw half of its moves at random."""
    level = Level(nodes=20, random=0.5)
    monkeypatch.setitem(LEVELS, game.name, (level, *LEVELS[game.name][1:]))
    return level


@every_game
def test_every_game_has_ten_levels_each_with_no_less_search_and_no_more_chance(name: str) -> None:
    levels = LEVELS[name]
    assert len(levels) == MAX_LEVEL
    for below, above in pairwise(levels):
        assert below != above
        assert below.nodes <= above.nodes
        assert below.random >= above.random
    assert 0 < levels[0].random < 1
    assert levels[-1].random == 0


@every_game
@pytest.mark.parametrize("number", [1, 4, 7])
def test_a_level_never_searches_more_than_it_says(name: str, number: int) -> None:
    level = LEVELS[name][number - 1]
    for state in questions(name, 5):
        engine = henro.Engine(state.game, level=number)
        for limits in ({}, {"nodes": 10**6}, {"movetime": 60.0}, {"infinite": True}):
            result = engine.search(state, **limits)
            assert result.nodes in (0, level.nodes)
            assert result.best in state.legal_actions()


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("preset", TREE_PRESETS)
def test_a_level_holds_with_any_preset_that_searches_a_tree_and_any_threads(
    state: henro.State, preset: str, threads: int
) -> None:
    engine = henro.Engine(state.game, preset, threads=threads, level=6)
    assert engine.search(state).nodes == LEVELS["shikoku"][5].nodes


@pytest.mark.parametrize("level", [6, 10])
@pytest.mark.parametrize("preset", TREE_PRESETS)
def test_a_level_is_the_same_player_with_every_such_preset(
    state: henro.State, preset: str, level: int
) -> None:
    engine = henro.Engine(state.game, preset, level=level)
    assert engine.threads == 1
    plain = henro.Engine(state.game, level=level)
    assert engine.search(state).moves == plain.search(state).moves


def test_fewer_iterations_than_the_level_has_may_be_asked_for(state: henro.State) -> None:
    assert henro.Engine(state.game, level=10).search(state, nodes=7).nodes == 7


def test_a_time_limit_holds_for_a_level(state: henro.State) -> None:
    engine = henro.Engine(state.game, level=10, playouts="uniform")
    result = engine.search(state, movetime=1e-6)
    assert 0 < result.nodes < LEVELS["shikoku"][9].nodes


def test_a_level_does_not_end_early(state: henro.State) -> None:
    engine, nodes = henro.Engine(state.game, level=10), LEVELS["shikoku"][9].nodes
    assert engine.search(state, movetime=60.0, settle=True).nodes == nodes
    assert engine.search(state, clock=henro.Clock(240.0)).nodes == nodes


def test_a_level_does_not_go_on_with_its_last_search(state: henro.State) -> None:
    engine = henro.Engine(state.game, level=6)
    first = engine.search(state)
    again = engine.search(state, since=[])
    assert first.moves == again.moves


def test_the_moves_of_a_level_follow_from_seed_and_view_alone(
    state: henro.State, erring: Level
) -> None:
    def moves(engine: henro.Engine) -> list[int]:
        return [engine.search(question).best for question in questions("shikoku", 20)]

    game = henro.load_game("shikoku")
    one = henro.Engine(game, seed=3, level=1)
    first = moves(one)
    assert moves(one) == first == moves(henro.Engine(game, seed=3, level=1))
    assert moves(henro.Engine(game, seed=4, level=1)) != first


def test_the_share_of_random_moves_is_that_of_the_level(state: henro.State, erring: Level) -> None:
    known = state.information_set(state.current_player())
    drawn = [erring.mistake(known, seed) for seed in range(2000)]
    chosen = [move for move in drawn if move is not None]
    assert 900 < len(chosen) < 1100
    legal = state.legal_actions()
    assert set(chosen) == set(legal)
    for move in legal:
        assert chosen.count(move) == pytest.approx(len(chosen) / len(legal), rel=0.2)


def test_a_random_move_of_a_level_needs_no_search(state: henro.State, erring: Level) -> None:
    known = state.information_set(state.current_player())
    seed = next(seed for seed in range(100) if erring.mistake(known, seed) is not None)
    result = henro.Engine(state.game, seed=seed, level=1).search(state)
    assert (result.best, result.nodes) == (erring.mistake(known, seed), 0)
    assert result.pv == [result.best_text]


@pytest.mark.parametrize("level", [0, 11, -1, 1.5, "3", True])
def test_a_level_out_of_range_is_refused_by_name(game: henro.Game, level: Any) -> None:
    with pytest.raises(OptionError, match="level is a whole number from 1 to 10, not"):
        henro.Engine(game, level=level)


@pytest.mark.parametrize("preset", ["flat", "greedy", "random"])
def test_only_a_tree_search_has_levels(game: henro.Game, preset: str) -> None:
    with pytest.raises(OptionError, match=f"level 3: the preset {preset} has no levels"):
        henro.Engine(game, preset, level=3)

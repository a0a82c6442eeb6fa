"""Benchmarks: `make bench`. Figures are for reading; nothing here asserts a time."""

import pytest

import henro


@pytest.fixture(params=[("shikoku", 4), ("shikoku", 8)], ids=lambda p: f"{p[0]}-{p[1]}p")
def game(request: pytest.FixtureRequest) -> henro.Game:
    name, players = request.param
    return henro.load_game(name, players=players)


@pytest.fixture
def decision(game: henro.Game) -> henro.State:
    """The first decision of a game."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.sample_chance(7))
    return state

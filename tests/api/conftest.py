"""A game, and positions of it, to call the Python API on."""

import pytest

import henro


@pytest.fixture(scope="session")
def game() -> henro.Game:
    return henro.load_game("shikoku", players=4)


@pytest.fixture
def start(game: henro.Game) -> henro.State:
    """Before the first chance event."""
    return game.new_initial_state()


@pytest.fixture
def state(game: henro.Game) -> henro.State:
    """After set-up; a seat is to move."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.sample_chance(len(state.history())))
    return state


@pytest.fixture
def finished(game: henro.Game) -> henro.State:
    """A game played to its end with first moves."""
    state = game.new_initial_state()
    while not state.is_terminal():
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(1) if chance else state.legal_actions()[0])
    return state


@pytest.fixture
def actor(state: henro.State) -> int:
    return state.current_player()


@pytest.fixture
def bystander(state: henro.State) -> int:
    """A seat that is not to move."""
    return (state.current_player() + 1) % 4

"""Benchmarks: `make bench`. Figures are for reading; nothing here asserts a time."""

import pytest

import henro

GAMES = [
    ("shikoku", 4),
    ("shikoku", 8),
    ("jinja", 2),
    ("jinja", 5),
    ("shugendo", 2),
    ("shugendo", 4),
    ("shogun", 3),
    ("shogun", 5),
]
SETUP_DECISIONS = {("jinja", 2): 14, ("jinja", 5): 30, ("shogun", 3): 54, ("shogun", 5): 70}


@pytest.fixture(params=GAMES, ids=lambda p: f"{p[0]}-{p[1]}p")
def game(request: pytest.FixtureRequest) -> henro.Game:
    name, players = request.param
    return henro.load_game(name, players=players)


@pytest.fixture
def decision(game: henro.Game) -> henro.State:
    """The first decision after set-up."""
    state = game.new_initial_state()
    left = SETUP_DECISIONS.get((game.name, game.players), 0)
    while state.is_chance_node() or left:
        if state.is_chance_node():
            state.apply_action(state.sample_chance(7))
        else:
            state.apply_action(state.legal_actions()[0])
            left -= 1
    return state


@pytest.fixture
def amount(game: henro.Game) -> int:
    """Playouts, worlds or iterations of one call; games of the others have many times the plies."""
    return 20_000 if game.name == "shikoku" else 2_000

"""Searches that go on with what the last one learned."""

import random

import pytest

import henro


def test_a_repeated_search_counts_the_visits_of_the_first(state: henro.State) -> None:
    engine = henro.Engine(state.game)
    first = engine.search(state, nodes=500)
    second = engine.search(state, nodes=500, since=[])
    assert (first.nodes, second.nodes) == (500, 500)
    assert sum(move.visits for move in first.moves) == 500
    assert sum(move.visits for move in second.moves) == 1000
    assert second.edges > first.edges


def test_without_the_actions_in_between_a_search_starts_anew(state: henro.State) -> None:
    engine = henro.Engine(state.game, seed=3)
    first = engine.search(state, nodes=500)
    again = engine.search(state, nodes=500)
    assert first.moves == again.moves


@pytest.mark.parametrize("never", [-1, 2**16 - 1, 2**16, 10**6])
def test_after_what_cannot_have_happened_a_search_starts_anew(
    state: henro.State, never: int
) -> None:
    engine = henro.Engine(state.game, beliefs=1.0)
    engine.search(state, nodes=500)
    again = engine.search(state, nodes=500, since=[never])
    assert sum(move.visits for move in again.moves) == 500


@pytest.mark.parametrize("name", henro.games())
@pytest.mark.parametrize("observers", ["one", "many"])
@pytest.mark.parametrize(("threads", "tree"), [(1, "separate"), (2, "separate"), (2, "shared")])
def test_games_are_played_on_with_what_was_learned(
    name: str, observers: str, threads: int, tree: str
) -> None:
    low, _ = henro.games()[name]
    game = henro.load_game(name, players=low)
    engine = henro.Engine(game, observers=observers, threads=threads, tree=tree)
    state, rng = game.new_initial_state(), random.Random(4)
    seen, searched, inherited = list[int](), 0, 0
    while not state.is_terminal() and searched < 12:
        if state.is_chance_node():
            action = state.sample_chance(rng)
        elif state.current_player() == 0 and len(state.legal_actions()) > 1:
            found = engine.search(state, nodes=60, since=seen)
            assert found.nodes == 60
            assert found.best in state.legal_actions()
            inherited += sum(move.visits for move in found.moves) - found.nodes
            seen, action, searched = [], found.best, searched + 1
        else:
            action = state.legal_actions()[0]
        if any("?" not in text for _, text in state.events(action)[0]):
            seen.append(action)
        state.apply_action(action)
    assert searched == 12
    assert inherited > 0


def test_another_seat_starts_anew(game: henro.Game, state: henro.State) -> None:
    engine = henro.Engine(game, seed=3)
    fresh = henro.Engine(game, seed=3)
    engine.search(state, nodes=100)
    seat = state.current_player()
    while state.current_player() in (seat, henro.CHANCE):
        if state.is_chance_node():
            state.apply_action(state.sample_chance(1))
        else:
            state.apply_action(state.legal_actions()[0])
    assert engine.search(state, nodes=100, since=[]).moves == fresh.search(state, nodes=100).moves

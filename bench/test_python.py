"""Calls that cross the language border once each."""

from typing import Any

import henro


def test_clone(benchmark: Any, decision: henro.State) -> None:
    benchmark(decision.clone)


def test_legal_actions(benchmark: Any, decision: henro.State) -> None:
    benchmark(decision.legal_actions)


def test_apply_action(benchmark: Any, decision: henro.State) -> None:
    action = decision.legal_actions()[0]
    benchmark.pedantic(
        lambda state: state.apply_action(action),
        setup=lambda: ((decision.clone(),), {}),
        rounds=2000,
    )


def test_view(benchmark: Any, decision: henro.State) -> None:
    benchmark(decision.view, 0)


def test_information_set(benchmark: Any, decision: henro.State) -> None:
    benchmark(decision.game.information_set, decision.view(0))


def test_observation_tensor(benchmark: Any, decision: henro.State) -> None:
    benchmark(decision.observation_tensor, 0)


def test_random_game(benchmark: Any, game: henro.Game) -> None:
    """A whole game driven move by move."""

    def play() -> int:
        state, i = game.new_initial_state(), 0
        while not state.is_terminal():
            i += 1
            if state.is_chance_node():
                state.apply_action(state.sample_chance(i))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[i % len(legal)])
        return i

    benchmark(play)

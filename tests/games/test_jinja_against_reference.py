"""Jinja, ply by ply, against the reference rules of an independent author."""

import random
from collections.abc import Hashable

import pytest

import henro
from tests.families.cases import sized
from tests.reference.jinja import CHANCE, Jinja, State

every_player_count = pytest.mark.parametrize("players", range(2, 6))


@every_player_count
@sized("games", 8, 2000)
def test_random_games_go_the_same_way_as_in_the_reference(players: int, games: int) -> None:
    game = henro.load_game("jinja", players=players)
    rng = random.Random(f"against the reference, {players} players")
    for _ in range(games):
        state, reference = game.new_initial_state(), Jinja(players).new()
        while (actor := reference.actor()) is not None:
            text = rng.choice(assert_same_choices(state, reference, actor))
            assert_same_events(state, reference, text)
            state.apply(text)
            reference.apply(text)
            assert state.scores() == reference.scores()
        assert_same_end(state, reference)


def assert_same_choices(state: henro.State, reference: State, actor: int | str) -> list[str]:
    """The texts possible here. The order of legal moves is each side's own."""
    assert state.current_player() == (henro.CHANCE if actor == CHANCE else actor)
    if actor == CHANCE:
        outcomes = {state.action_to_string(a): p for a, p in state.chance_outcomes()}
        assert outcomes == pytest.approx({text: float(p) for text, p in reference.chance()})
        return sorted(outcomes)
    texts = sorted(state.action_to_string(action) for action in state.legal_actions())
    assert texts == sorted(reference.legal())
    return texts


def assert_same_events(state: henro.State, reference: State, text: str) -> None:
    events = state.events(state.string_to_action(text))
    assert events == [list(told) for told in reference.events(text)]


def assert_same_end(state: henro.State, reference: State) -> None:
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.ranks() == reference.ranks()
    assert state.returns() == pytest.approx([float(u) for u in reference.utilities()])


@every_player_count
@sized("games", 4, 200)
def test_views_tell_apart_exactly_what_the_reference_tells_apart(players: int, games: int) -> None:
    """Each view stands for one state of knowledge, and the other way round."""
    game = henro.load_game("jinja", players=players)
    rng = random.Random(f"knowledge of the reference, {players} players")
    views: dict[Hashable, str] = {}
    known: dict[str, Hashable] = {}
    for _ in range(games):
        state, reference = game.new_initial_state(), Jinja(players).new()
        while reference.actor() is not None:
            text = rng.choice(reference.possible())
            state.apply(text)
            reference.apply(text)
            for seat in range(players):
                view, knows = state.view(seat), reference.knows(seat)
                assert views.setdefault(knows, view) == view
                assert known.setdefault(view, knows) == knows

"""Worlds that a seat cannot tell apart look the same to it in every way."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

import henro
from tests.families.cases import Case, every_case, sized
from tests.families.plies import possible_actions
from tests.families.walks import last_seen, positions, seats

each_size = sized("per_kind", 4, 60)
WORLDS = 4


def worlds(case: Case, per_kind: int) -> Iterator[tuple[henro.State, int, henro.State]]:
    """(state, seat, a world drawn from what the seat knows of the state)"""
    rng = random.Random(f"worlds of {case}")
    for state in positions(case, per_kind):
        for seat in seats(case):
            for _ in range(WORLDS):
                yield state, seat, state.resample_from_infostate(seat, rng.getrandbits(64))


@every_case
@each_size
def test_the_view_and_its_key_are_the_same_in_every_world(case: Case, per_kind: int) -> None:
    for state, seat, world in worlds(case, per_kind):
        assert world.view(seat) == state.view(seat)
        assert world.information_set(seat).key() == state.information_set(seat).key()


@every_case
@each_size
def test_the_seat_to_move_and_its_moves_are_the_same_in_every_world(
    case: Case, per_kind: int
) -> None:
    for state, seat, world in worlds(case, per_kind):
        actor = last_seen(state, seat).current_player()
        assert world.current_player() == actor
        assert state.information_set(seat).current_player() == actor
        assert bool(possible_actions(world)) == (not state.is_terminal())
        if state.current_player() == seat:
            assert world.legal_actions() == state.legal_actions()
            assert state.information_set(seat).legal_actions() == state.legal_actions()


@every_case
@each_size
def test_the_observation_tensor_is_the_same_in_every_world(case: Case, per_kind: int) -> None:
    for state, seat, world in worlds(case, per_kind):
        tensor = state.observation_tensor(seat)
        assert np.array_equal(world.observation_tensor(seat), tensor)
        assert np.array_equal(state.information_set(seat).observation_tensor(), tensor)


@every_case
@each_size
def test_the_result_of_a_finished_game_is_the_same_in_every_world(
    case: Case, per_kind: int
) -> None:
    for state, _, world in worlds(case, per_kind):
        assert world.is_terminal() == state.is_terminal()
        if state.is_terminal() and case.adapter.open_end:
            assert world.returns() == state.returns()
            assert world.ranks() == state.ranks()
            assert world.scores() == state.scores()


@every_case
@each_size
def test_an_action_possible_in_two_worlds_looks_the_same_in_both(case: Case, per_kind: int) -> None:
    for state, seat, world in worlds(case, per_kind):
        possible = set(possible_actions(world))
        for action in possible_actions(state):
            told = state.events(action)[seat]
            if action in possible and len(told) <= 1:  # more than the action: something is revealed
                assert world.events(action)[seat] == told


Told = tuple[str, tuple[tuple[str, str], ...]]
"""What a seat knew before (its view), and what it was told of an action."""


def views_after(case: Case, per_kind: int) -> dict[Told, set[str]]:
    """The views that a seat can come to from a view, by what it is told of the action."""
    views: defaultdict[Told, set[str]] = defaultdict(set)
    for state, seat, world in worlds(case, per_kind):
        for action in () if case.adapter.shows_more(state) else possible_actions(world):
            told = tuple(world.events(action)[seat])
            after = world.clone()
            after.apply_action(action)
            views[state.view(seat), told].add(after.view(seat))
    return views


@every_case
@each_size
def test_what_a_seat_knows_afterwards_follows_from_what_it_knew_and_what_it_was_told(
    case: Case, per_kind: int
) -> None:
    assert all(len(views) == 1 for views in views_after(case, per_kind).values())


@every_case
@each_size
def test_a_seat_is_told_nothing_that_its_view_then_leaves_out(case: Case, per_kind: int) -> None:
    come_to = Counter(
        (before, after)
        for (before, told), views in views_after(case, per_kind).items()
        for after in views
        if not any(text.split(":")[0] in case.adapter.forgotten for _, text in told)
    )
    assert set(come_to.values()) == {1}

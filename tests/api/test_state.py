"""State: what it answers, and what it refuses."""

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import henro
from henro import IllegalActionError, OptionError, PositionError, StateError


def test_a_state_begins_with_the_deal(start: henro.State) -> None:
    assert start.current_player() == henro.CHANCE
    assert start.history() == []
    assert start.legal_actions() == []
    assert len(start.chance_outcomes()) == 33


def test_actions_are_taken_by_number_or_by_text(state: henro.State) -> None:
    other = state.clone()
    action = state.legal_actions()[1]
    state.apply_action(action)
    other.apply(other.action_to_string(action))
    assert other == state
    assert state.history()[-1] == action


def test_numpy_integers_are_actions_and_seats(state: henro.State) -> None:
    view = state.view(np.int64(0))
    assert view == state.view(0)
    state.apply_action(np.int64(state.legal_actions()[0]))
    assert len(state.history()) == 17


def test_a_state_prints_its_position(state: henro.State) -> None:
    assert repr(state) == f"<State {state.serialize()}>"


def test_equality_is_that_of_positions_not_of_histories(
    game: henro.Game, state: henro.State
) -> None:
    read = game.deserialize_state(state.serialize())
    assert read.history() != state.history()
    assert read == state
    assert hash(read) == hash(state)
    assert state != state.resample_from_infostate(0, 1)
    assert state != "a state"
    assert state != None  # noqa: E711


def test_states_of_different_games_are_not_equal(start: henro.State) -> None:
    assert start != henro.load_game("shikoku", players=5).new_initial_state()


@pytest.mark.parametrize(
    "copied", [henro.State.clone, copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_a_copy_goes_its_own_way(
    state: henro.State, copied: Callable[[henro.State], henro.State]
) -> None:
    text, history = state.serialize(), state.history()
    other = copied(state)
    assert (other, other.history()) == (state, history)
    other.apply_action(other.legal_actions()[0])
    assert (state.serialize(), state.history()) == (text, history)


def test_the_history_handed_out_is_a_copy(state: henro.State) -> None:
    state.history().clear()
    assert len(state.history()) == 16


def test_events_change_nothing(state: henro.State) -> None:
    before = state.serialize()
    for action in state.legal_actions():
        state.events(action)
    assert state.serialize() == before


def test_events_name_the_seat_that_acts(state: henro.State, actor: int) -> None:
    action = state.legal_actions()[0]
    text = state.action_to_string(action)
    assert state.events(action) == [[(str(actor), text)]] * 4


def test_the_observation_tensor_is_a_fresh_float_array(
    game: henro.Game, state: henro.State
) -> None:
    tensor = state.observation_tensor(0)
    assert tensor.dtype == np.float32
    assert tensor.shape == game.observation_tensor_shape
    tensor[:] = 9
    assert state.observation_tensor(0).max() <= 1


def test_scores_stand_at_any_time_results_at_the_end_alone(
    state: henro.State, finished: henro.State
) -> None:
    assert len(state.scores()) == 4
    for call in (state.returns, state.ranks):
        with pytest.raises(StateError, match="when the game is over"):
            call()
    assert max(finished.scores()) == 33
    assert len(finished.returns()) == len(finished.ranks()) == 4


def test_a_finished_state_goes_no_further(finished: henro.State) -> None:
    for call in (finished.apply_action, finished.events):
        with pytest.raises(StateError, match="the game is over: no action can be applied"):
            call(0)
    with pytest.raises(StateError, match="no chance event is due: the game is over"):
        finished.chance_outcomes()
    with pytest.raises(StateError, match="no chance event is due: the game is over"):
        finished.sample_chance(1)


def test_there_is_no_chance_event_while_a_seat_is_to_move(state: henro.State) -> None:
    with pytest.raises(StateError, match="no chance event is due: a seat is to move"):
        state.chance_outcomes()
    with pytest.raises(StateError, match="no chance event is due: a seat is to move"):
        state.sample_chance(1)


def test_a_move_that_is_not_legal_is_refused_with_the_legal_ones(
    state: henro.State, actor: int
) -> None:
    legal = ", ".join(state.action_to_string(action) for action in state.legal_actions())
    with pytest.raises(IllegalActionError) as refusal:
        state.apply("take:1")
    assert str(refusal.value) == f"'take:1' is not possible here: seat {actor} may choose {legal}"


def test_a_move_is_refused_at_a_chance_event(start: henro.State) -> None:
    with pytest.raises(IllegalActionError, match="'play:1' is not possible here: a chance event"):
        start.apply("play:1")


def test_an_outcome_that_cannot_come_is_refused(start: henro.State) -> None:
    start.apply("deal:1")
    with pytest.raises(IllegalActionError, match="'deal:1' is not possible here"):
        start.apply("deal:1")
    assert start.history() == [start.game.string_to_action("deal:1")]


# -- chance and seeds ----------------------------------------------------------------------------


def test_the_same_seed_draws_the_same_outcome(start: henro.State) -> None:
    draws = [start.sample_chance(seed) for seed in range(50)]
    assert draws == [start.sample_chance(seed) for seed in range(50)]
    assert len(set(draws)) > 10


def test_sampling_chance_applies_nothing(start: henro.State) -> None:
    start.sample_chance(1)
    assert start.history() == []


def test_generators_are_sources_of_chance(start: henro.State) -> None:
    for make in (np.random.default_rng, random.Random):
        one, two = make(5), make(5)
        draws = [start.sample_chance(one) for _ in range(20)]
        assert draws == [start.sample_chance(two) for _ in range(20)]
        assert len(set(draws)) > 5


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1, np.int64(3), np.uint64(2**64 - 1)])
def test_a_seed_is_any_whole_number_of_64_bits(
    game: henro.Game, start: henro.State, seed: int
) -> None:
    assert start.sample_chance(seed) == start.sample_chance(int(seed))
    assert start.resample_from_infostate(0, seed) == start
    assert start.playouts(1, seed).plies == start.playouts(1, int(seed)).plies
    assert game.playouts(1, seed).games == 1
    assert start.information_set(0).sample(seed) == start


@pytest.mark.parametrize("seed", [-1, 2**64, -(2**64)])
def test_a_seed_out_of_range_is_refused(start: henro.State, seed: int) -> None:
    for call in seeded_calls(start):
        with pytest.raises(OptionError, match="whole number from 0 to 2"):
            call(seed)


@pytest.mark.parametrize("seed", [None, "1", 1.0, [1], object(), b"1"])
def test_a_seed_of_another_kind_is_refused(start: henro.State, seed: Any) -> None:
    for call in seeded_calls(start):
        with pytest.raises(TypeError, match="a seed is a whole number or a random generator"):
            call(seed)


def seeded_calls(state: henro.State) -> list[Callable[[Any], object]]:
    info = state.information_set(0)
    return [
        state.sample_chance,
        lambda seed: state.resample_from_infostate(0, seed),
        lambda seed: state.playouts(1, seed),
        lambda seed: state.game.playouts(1, seed),
        info.sample,
        lambda seed: info.sample_many(1, seed),
    ]


def test_an_error_inside_a_generator_comes_through(start: henro.State) -> None:
    class Broken(random.Random):
        def getrandbits(self, k: int) -> int:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        start.sample_chance(Broken())


# -- arguments out of range or of another kind ----------------------------------------------------


@pytest.mark.parametrize("seat", [-1, 4, 8, 255, 2**31 - 1, -(2**31), 2**31, 2**64])
def test_a_seat_that_is_none_is_refused(state: henro.State, seat: int) -> None:
    for call in (
        state.view,
        state.information_set,
        state.information_state_string,
        state.observation_tensor,
        lambda seat: state.resample_from_infostate(seat, 1),
    ):
        with pytest.raises(OptionError, match=r"seat -?\d+ is not in 0\.\.3"):
            call(seat)


@pytest.mark.parametrize("action", [-1, 165, 2**16, 2**32, 2**63 - 1, -(2**63), 2**63, 2**100])
def test_an_action_that_is_none_is_refused(state: henro.State, action: int) -> None:
    for call in (state.apply_action, state.events, state.action_to_string):
        with pytest.raises(IllegalActionError, match=r"action -?\d+ is not in 0\.\.164"):
            call(action)


@pytest.mark.parametrize("n", [-1, -(2**63), 2**64])
def test_a_number_of_playouts_out_of_range_is_refused(state: henro.State, n: int) -> None:
    for owner in (state, state.game):
        with pytest.raises(OptionError):
            owner.playouts(n, 1)


def test_no_playouts_are_no_playouts(state: henro.State) -> None:
    assert (state.playouts(0, 1).games, state.playouts(0, 1).utilities) == (0, [0.0] * 4)


@pytest.mark.parametrize("depth", [-1, -(2**31)])
def test_a_negative_depth_is_refused(state: henro.State, depth: int) -> None:
    for call in (state.perft, lambda depth: henro.perft(state, depth)):
        with pytest.raises(OptionError, match="depth"):
            call(depth)


@pytest.mark.parametrize("value", [None, 1.5, "1", [], object()])
def test_values_of_another_kind_are_type_errors(state: henro.State, value: Any) -> None:
    before = state.serialize()
    for call in (
        state.apply_action,
        state.action_to_string,
        state.events,
        state.view,
        state.perft,
        lambda value: state.playouts(value, 1),
    ):
        with pytest.raises(TypeError):
            call(value)
    assert state.serialize() == before


@pytest.mark.parametrize(
    "text", ["\ud800", "play:\udc80", "\udcff" * 50], ids=["one", "within", "many"]
)
def test_a_text_that_is_no_unicode_is_refused_like_any_other(
    game: henro.Game, state: henro.State, text: str
) -> None:
    """Undecodable bytes of a command line or a file come as lone surrogates."""
    for call, error in (
        (state.apply, IllegalActionError),
        (state.string_to_action, IllegalActionError),
        (game.string_to_action, IllegalActionError),
        (game.deserialize_state, PositionError),
        (game.information_set, henro.ViewError),
    ):
        with pytest.raises(error):
            call(text)


@pytest.mark.parametrize("owner", [henro.State, henro.InformationSet])
def test_states_and_information_sets_are_made_by_their_game_alone(owner: type) -> None:
    with pytest.raises(TypeError, match="No constructor defined"):
        owner()


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("Game", "new_initial_state()"),
        ("State", "view(0)"),
        ("InformationSet", "view()"),
        ("Playouts", "utilities"),
        ("Searcher", "run(1)"),
    ],
)
def test_an_object_that_was_never_made_is_refused(name: str, use: str) -> None:
    """In a process of its own: the mistake to look for ends it."""
    script = f"""
from henro import _core
try:
    _core.{name}.__new__(_core.{name}).{use}
except Exception as error:
    print("refused", type(error).__name__)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()[:1]) == (0, ["refused"])


def test_a_pickle_with_a_broken_position_is_refused(state: henro.State) -> None:
    data = pickle.dumps(state).replace(b"phase=play", b"phase=plow")
    with pytest.raises(PositionError, match="phase=plow"):
        pickle.loads(data)

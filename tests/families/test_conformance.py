"""A simulation of random games in which every call of the API is made at every node."""

import math
import random

import pytest

import henro
from henro import IllegalActionError, OptionError, StateError
from tests.families.cases import Case, every_case, sized
from tests.families.plies import possible_actions
from tests.families.walks import positions, random_action, random_game, seats

MOST_TRIED = 600
"""Impossible actions tried at one position, drawn at random where there are more."""


@every_case
@sized("games", 3, 100)
def test_every_node_of_random_games_conforms(case: Case, games: int) -> None:
    rng = random.Random(f"conformance of {case}")
    for _ in range(games):
        for state in random_game(case.game, rng):
            check_node(case, state)
        check_history(case, state)


def check_node(case: Case, state: henro.State) -> None:
    check_kind_of_node(case, state)
    check_actions(case, state)
    check_events(case, state)
    check_seats(case, state)
    check_clone(state)


def check_kind_of_node(case: Case, state: henro.State) -> None:
    actor = state.current_player()
    assert state.game == case.game
    assert state.is_terminal() == (actor == henro.TERMINAL)
    assert state.is_chance_node() == (actor == henro.CHANCE)
    assert actor in (henro.CHANCE, henro.TERMINAL, *seats(case))
    if state.is_terminal():
        check_results(case, state)
    else:
        for result in (state.returns, state.ranks):
            with pytest.raises(StateError, match="when the game is over"):
                result()


def check_actions(case: Case, state: henro.State) -> None:
    legal = state.legal_actions()
    assert legal == sorted(set(legal))
    assert len(legal) <= case.adapter.max_legal(case.players)
    assert bool(legal) == (state.current_player() >= 0)
    if state.is_chance_node():
        check_chance(state)
    else:
        for call in (state.chance_outcomes, lambda: state.sample_chance(1)):
            with pytest.raises(StateError, match="no chance event is due"):
                call()
    for action in possible_actions(state):
        assert 0 <= action < case.game.num_distinct_actions
        assert state.string_to_action(state.action_to_string(action)) == action


def check_chance(state: henro.State) -> None:
    outcomes = dict(state.chance_outcomes())
    assert len(outcomes) == len(state.chance_outcomes()) > 0
    assert all(probability > 0 for probability in outcomes.values())
    assert math.isclose(sum(outcomes.values()), 1, abs_tol=1e-12)
    for seed in range(3):
        assert state.sample_chance(seed) == state.sample_chance(seed)
        assert state.sample_chance(seed) in outcomes


def check_events(case: Case, state: henro.State) -> None:
    for action in possible_actions(state):
        text = state.action_to_string(action)
        events = state.events(action)
        assert len(events) == case.players
        subjects = {subject for told in events for subject, _ in told}
        assert subjects <= {"chance", *map(str, seats(case))}
        if state.current_player() in seats(case):  # whoever chooses knows what was chosen
            assert (str(state.current_player()), text) in events[state.current_player()]
        assert all(seen.split() == [seen] for told in events for _, seen in told)


def check_seats(case: Case, state: henro.State) -> None:
    assert len(state.scores()) == case.players
    for seat in seats(case):
        view = state.view(seat)
        assert state.information_state_string(seat) == view
        info = state.information_set(seat)
        assert (info.seat, info.view()) == (seat, view)
        assert info.is_terminal() == state.is_terminal()
        tensor = state.observation_tensor(seat)
        assert tensor.dtype == "float32"
        assert tensor.shape == case.game.observation_tensor_shape
        world = state.resample_from_infostate(seat, 1)
        assert world == state.resample_from_infostate(seat, 1)
        assert world.view(seat) == view
        check_moves_of(info, state if state.current_player() == seat else world)
    for nobody in (-1, case.players, 255):
        for call in (state.view, state.information_set, state.observation_tensor):
            with pytest.raises(OptionError, match=f"seat {nobody} is not in"):
                call(nobody)


def check_moves_of(info: henro.InformationSet, state: henro.State) -> None:
    actor = state.current_player()
    assert info.current_player() == actor
    if actor in (info.seat, henro.CHANCE, henro.TERMINAL):
        assert info.legal_actions() == state.legal_actions()
    else:
        with pytest.raises(StateError, match=f"seat {actor} is to move"):
            info.legal_actions()
    if actor == info.seat:
        assert info.greedy() in state.legal_actions()
    else:
        with pytest.raises(StateError, match="not to move"):
            info.greedy()


def check_clone(state: henro.State) -> None:
    text, history = state.serialize(), state.history()
    clone = state.clone()
    assert clone == state
    assert clone.history() == history
    if possible := possible_actions(clone):
        clone.apply_action(possible[-1])
        assert clone != state
        assert clone.history() == [*history, possible[-1]]
    assert (state.serialize(), state.history()) == (text, history)


def check_results(case: Case, state: henro.State) -> None:
    returns, ranks, scores = state.returns(), state.ranks(), state.scores()
    assert len(returns) == len(ranks) == len(scores) == case.players
    assert all(0 <= value <= 1 for value in returns)
    assert all(1 <= rank <= case.players for rank in ranks)
    assert all((value > 0) == (rank == 1) for value, rank in zip(returns, ranks, strict=True))
    assert len({value for value in returns if value > 0}) <= 1  # winners share alike
    assert possible_actions(state) == []
    with pytest.raises(StateError, match="the game is over"):
        state.apply_action(0)
    with pytest.raises(StateError, match="the game is over"):
        state.events(0)


def check_history(case: Case, state: henro.State) -> None:
    by_action, by_text = case.game.new_initial_state(), case.game.new_initial_state()
    for action in state.history():
        text = by_text.action_to_string(action)
        by_action.apply_action(action)
        by_text.apply(text)
    assert by_action == by_text == state
    assert by_action.history() == by_text.history() == state.history()


@every_case
def test_actions_and_their_texts_belong_to_each_other_one_to_one(case: Case) -> None:
    game = case.game
    actions = range(game.num_distinct_actions)
    texts = [game.action_to_string(action) for action in actions]
    assert len(set(texts)) == len(texts)
    assert [game.string_to_action(text) for text in texts] == list(actions)
    assert all(text == text.lower() and text.split() == [text] for text in texts)


@every_case
@sized("per_kind", 2, 40)
def test_an_action_that_is_not_possible_is_refused_and_changes_nothing(
    case: Case, per_kind: int
) -> None:
    rng = random.Random(f"impossible actions of {case}")
    count = case.game.num_distinct_actions
    outside = [-1, -(2**31), -(2**63), count, 2**16, 2**16 + 1, 2**31, 2**32, 2**63 - 1]
    for state in positions(case, per_kind):
        state = state.clone()
        before, history = state.serialize(), state.history()
        refusal = StateError if state.is_terminal() else IllegalActionError
        impossible = sorted(set(range(count)) - set(possible_actions(state)))
        for action in rng.sample(impossible, min(len(impossible), MOST_TRIED)):
            with pytest.raises(refusal):
                state.apply_action(action)
            with pytest.raises(refusal):
                state.apply(state.action_to_string(action))
            with pytest.raises(refusal):
                state.string_to_action(state.action_to_string(action))
            with pytest.raises(refusal):
                state.events(action)
        for action in outside:
            with pytest.raises(refusal):
                state.apply_action(action)
            with pytest.raises(refusal):
                state.events(action)
            with pytest.raises(IllegalActionError, match="is not in 0"):
                state.action_to_string(action)
        assert (state.serialize(), state.history()) == (before, history)


STRANGE_TEXTS = {
    "nothing": "",
    "a space": " ",
    "a colon": ":",
    "a mark": "?",
    "a word": "nothing",
    "a word and a colon": "nothing:",
    "hexadecimal": "play:0x1",
    "accents": "é" * 100,
    "a zero byte": "a\0b",
    "a long one": "x" * 10**6,
}


@every_case
@pytest.mark.parametrize("text", STRANGE_TEXTS.values(), ids=STRANGE_TEXTS)
def test_a_text_that_is_no_action_is_refused(case: Case, text: str) -> None:
    state = case.game.new_initial_state()
    for call in (state.apply, state.string_to_action, case.game.string_to_action):
        with pytest.raises(IllegalActionError) as refusal:
            call(text)
        message = str(refusal.value)
        assert message.endswith(f"is no move or chance event of {case.name}")
        assert message.isprintable()
        assert len(message) < 200
    assert state == case.game.new_initial_state()


@every_case
@sized("per_kind", 1, 20)
def test_the_refusal_of_a_move_names_the_moves_there_are(case: Case, per_kind: int) -> None:
    for state in positions(case, per_kind):
        if legal := state.legal_actions():
            other = next(a for a in range(case.game.num_distinct_actions) if a not in legal)
            with pytest.raises(IllegalActionError) as refusal:
                state.apply_action(other)
            message = str(refusal.value)
            assert f"seat {state.current_player()} may choose" in message
            assert all(state.action_to_string(action) in message for action in legal[:20])


@every_case
def test_a_state_fits_its_bound(case: Case) -> None:
    assert case.game.state_bytes <= case.adapter.max_state_bytes


@every_case
def test_a_game_ends_after_a_bounded_number_of_plies(case: Case) -> None:
    rng = random.Random(f"length of {case}")
    for _ in range(3):
        state = case.game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random_action(state, rng))
            assert len(state.history()) < 10_000

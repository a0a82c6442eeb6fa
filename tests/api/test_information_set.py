"""InformationSet: what one seat knows, as a value."""

import pytest

import henro
from henro import IllegalActionError, StateError


def test_an_information_set_says_whose_it_is(game: henro.Game, state: henro.State) -> None:
    info = state.information_set(2)
    assert info.seat == 2
    assert info.game == game
    assert info.view() == state.view(2)
    assert repr(info) == f"<InformationSet {info.view()}>"


def test_information_sets_are_equal_when_the_seat_knows_the_same(
    game: henro.Game, state: henro.State
) -> None:
    info = state.information_set(1)
    world = state.resample_from_infostate(1, 3)
    assert world != state
    assert world.information_set(1) == info == game.information_set(info.view())
    assert hash(world.information_set(1)) == hash(info)
    assert info.key() == world.information_set(1).key()
    assert info != state.information_set(2)
    assert info.key() != state.information_set(2).key()
    assert info != info.view()


def test_it_does_not_follow_the_state_it_came_from(state: henro.State, actor: int) -> None:
    info = state.information_set(actor)
    view = info.view()
    state.apply_action(state.legal_actions()[0])
    assert info.view() == view


def test_the_seat_to_move_knows_its_moves(state: henro.State, actor: int) -> None:
    info = state.information_set(actor)
    assert info.current_player() == actor
    assert info.legal_actions() == state.legal_actions()
    assert info.greedy() in info.legal_actions()


def test_moves_of_another_seat_are_not_this_seats_to_know(
    state: henro.State, actor: int, bystander: int
) -> None:
    info = state.information_set(bystander)
    assert info.current_player() == actor
    with pytest.raises(StateError, match=f"seat {actor} is to move"):
        info.legal_actions()
    with pytest.raises(StateError, match="not to move"):
        info.greedy()


def test_chance_and_the_end_are_known_to_everyone(
    start: henro.State, finished: henro.State
) -> None:
    assert start.information_set(0).current_player() == henro.CHANCE
    assert start.information_set(0).legal_actions() == []
    assert finished.information_set(0).is_terminal()
    assert finished.information_set(0).legal_actions() == []
    assert not start.information_set(0).is_terminal()


def test_texts_and_actions_translate_like_those_of_the_game(
    game: henro.Game, state: henro.State
) -> None:
    info = state.information_set(0)
    assert info.action_to_string(0) == game.action_to_string(0)
    assert info.string_to_action("play:7") == game.string_to_action("play:7")
    with pytest.raises(IllegalActionError, match="no move or chance event"):
        info.string_to_action("play:77")
    with pytest.raises(IllegalActionError, match="is not in 0"):
        info.action_to_string(-1)


def test_the_same_seed_draws_the_same_world(state: henro.State) -> None:
    info = state.information_set(0)
    worlds = [info.sample(seed) for seed in range(20)]
    assert worlds == [info.sample(seed) for seed in range(20)]
    assert len({world.serialize() for world in worlds}) == 20
    assert all(world.history() == [] for world in worlds)


def test_many_samples_are_hashed_in_one_call(state: henro.State) -> None:
    info = state.information_set(0)
    assert info.sample_many(100, 1) == info.sample_many(100, 1)
    assert info.sample_many(100, 1) != info.sample_many(100, 2)
    assert info.sample_many(100, 1) != info.sample_many(99, 1)
    assert info.sample_many(0, 1) == 0

"""A game's fast playouts are its rules: they equal the plain loop over legal moves bit by bit."""

import henro
from henro._core import Playouts
from tests.families.cases import Case, every_case, sized
from tests.families.walks import positions


def assert_equal_playouts(source: henro.Game | henro.State, n: int, seed: int) -> None:
    fast, plain = source.playouts(n, seed), source.playouts(n, seed, plain=True)
    assert totals(fast) == totals(plain), (source, n, seed)
    assert fast.games == n


def totals(playouts: Playouts) -> tuple[object, ...]:
    return (playouts.games, playouts.plies, playouts.utilities, playouts.scores)


@every_case
@sized("seeds", 60, 20_000)
def test_single_playouts_from_the_start_equal_the_plain_loop(case: Case, seeds: int) -> None:
    for seed in range(seeds):
        assert_equal_playouts(case.game, 1, seed)


@every_case
@sized("per_kind", 10, 300)
def test_single_playouts_from_every_kind_of_ply_equal_the_plain_loop(
    case: Case, per_kind: int
) -> None:
    for state in positions(case, per_kind):
        for seed in range(25):
            assert_equal_playouts(state, 1, seed)


@every_case
@sized("games", 2000, 1_000_000)
def test_playouts_in_bulk_equal_the_plain_loop(case: Case, games: int) -> None:
    assert_equal_playouts(case.game, games, 2**64 - 1)


@every_case
@sized("per_kind", 2, 40)
def test_a_batch_is_made_of_playouts_that_do_not_depend_on_its_size(
    case: Case, per_kind: int
) -> None:
    for state in positions(case, per_kind):
        one, two = state.playouts(1, 9), state.playouts(2, 9)
        assert two.plies >= one.plies
        assert all(a <= b for a, b in zip(one.scores, two.scores, strict=True))


@every_case
def test_the_initial_state_plays_out_like_its_game(case: Case) -> None:
    assert totals(case.game.playouts(50, 3)) == totals(
        case.game.new_initial_state().playouts(50, 3)
    )


@every_case
@sized("per_kind", 2, 40)
def test_playouts_leave_the_state_as_it_was(case: Case, per_kind: int) -> None:
    for state in positions(case, per_kind):
        before = (state.serialize(), state.history())
        state.playouts(5, 1)
        assert (state.serialize(), state.history()) == before


@every_case
def test_playouts_of_a_finished_game_are_its_result(case: Case) -> None:
    for state in positions(case, 2):
        if state.is_terminal():
            done = state.playouts(3, 1)
            assert done.plies == 0
            assert done.utilities == [3 * value for value in state.returns()]
            assert done.scores == [3 * score for score in state.scores()]

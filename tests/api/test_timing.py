"""How long a search takes."""

import pytest

import henro
from henro.search.timing import Clock, Time


def test_a_clock_is_spent_in_fair_parts_with_more_for_close_decisions():
    time = Time.of_clock(Clock(50.0))
    assert time.usual == pytest.approx(2.0)
    assert time.usual < time.most <= 50.0 / 4


def test_most_of_the_increment_is_used_but_never_more_than_a_quarter_of_the_clock():
    assert Time.of_clock(Clock(50.0, inc=10.0)).usual == pytest.approx(10.0)
    for clock in (Clock(1.0, inc=10.0), Clock(0.5, inc=1.0), Clock(2.0, inc=0.5)):
        time = Time.of_clock(clock)
        assert time.usual <= time.most <= clock.left / 4
    for left in (0.0, -3.0):
        assert 0 < Time.of_clock(Clock(left)).most <= 0.001


def test_a_movetime_bounds_what_the_clock_allows():
    time = Time.of_clock(Clock(50.0)).within(1.0)
    assert (time.usual, time.most) == (1.0, 1.0)


def test_a_search_ends_when_the_best_move_cannot_be_caught():
    time = Time(usual=1.0, most=1.0, settle=True)
    assert not time.over(0.6, nodes=600, lead=399)
    assert time.over(0.6, nodes=600, lead=401)
    assert not Time(usual=1.0, most=1.0).over(0.6, nodes=600, lead=600)


def test_a_close_decision_gets_more_time():
    time = Time(usual=1.0, most=2.5)
    assert time.over(1.0, nodes=1000, lead=500)
    assert not time.over(1.0, nodes=1000, lead=50)
    assert time.over(2.5, nodes=1000, lead=50)


def test_a_search_by_the_clock_keeps_to_its_part_of_it(state: henro.State):
    engine = henro.Engine(state.game)
    result = engine.search(state, clock=Clock(2.0))
    assert 0 < result.elapsed < 0.5


def test_a_settled_search_ends_early_and_answers_as_the_whole_one(state: henro.State):
    engine = henro.Engine(state.game)
    whole = engine.search(state, movetime=0.2)
    early = engine.search(state, movetime=0.2, settle=True)
    assert early.elapsed <= whole.elapsed + 0.05
    assert early.moves[0].visits > early.moves[1].visits

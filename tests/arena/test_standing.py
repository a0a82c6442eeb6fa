"""The statistics of a run: the round is the unit."""

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from henro.arena.standing import (
    DIFFERENCES,
    UTILITIES,
    GameResult,
    SeatResult,
    Tally,
    estimate,
    t_quantile,
    verdict,
)
from henro.errors import HenroError


def game(round_number, rotation, *utilities, bots=(0, 1), faults=(), complaints=()):
    seats = tuple(
        SeatResult(bot, score=10 + seat, rank=1 if utility else 2, utility=utility, moves=2,
                   time_ms=30)
        for seat, (bot, utility) in enumerate(zip(bots, utilities, strict=True))
    )  # fmt: skip
    return GameResult(round_number, rotation, seats, faults, complaints)


@given(st.lists(st.floats(0, 1, width=16), min_size=2, max_size=30))
def test_an_interval_is_students_t_over_the_rounds(values):
    found = estimate(values)
    assert math.isclose(found.mean, sum(values) / len(values), abs_tol=1e-12)
    if len(set(values)) == 1:
        assert found.low is None
        return
    low, high = stats.t.interval(0.95, len(values) - 1, found.mean, stats.sem(values))
    assert math.isclose(found.low, low, abs_tol=1e-9)
    assert math.isclose(found.high, high, abs_tol=1e-9)


def test_there_is_no_interval_for_one_round_or_without_any_spread():
    assert estimate([0.5]).margin is None
    assert estimate([1.0, 1.0, 1.0]).margin is None
    assert estimate([1.0], UTILITIES).margin is None


@pytest.mark.parametrize("rounds", [2, 6, 40])
def test_equal_rounds_leave_room_for_what_they_may_have_missed(rounds):
    won = estimate([1.0] * rounds, UTILITIES)
    exact = stats.binomtest(rounds, rounds).proportion_ci(0.95, "exact")
    assert (won.mean, won.high) == (1.0, 1.0)
    assert won.low == pytest.approx(exact.low)
    assert won.margin == pytest.approx(1 - exact.low)
    even = estimate([0.0] * rounds, DIFFERENCES)
    assert -even.low == even.high == pytest.approx(1 - exact.low)
    assert verdict(estimate([1.0] * rounds, DIFFERENCES)) == ("better" if rounds > 5 else "open")


def test_games_of_a_round_count_once_together():
    tally = Tally(["a", "b"])
    for rotation, utilities in enumerate([(1, 0), (1, 0), (0, 1)]):
        tally.add(game(1, rotation, *utilities))
    tally.add(game(2, 0, 0, 1))
    a, b = sorted(tally.bots(), key=lambda bot: bot.name)
    assert a.win_share.mean == pytest.approx((2 / 3 + 0) / 2)
    assert a.win_share.rounds == 2
    assert (a.games, a.seats, b.games) == (4, 4, 4)
    assert (a.moves, a.move_ms) == (8, 15.0)


def test_the_order_of_games_does_not_matter():
    games = [game(r, g, r % 2, g % 2) for r in range(1, 5) for g in range(2)]
    forward, backward = Tally(["a", "b"]), Tally(["a", "b"])
    for one, other in zip(games, reversed(games), strict=True):
        forward.add(one)
        backward.add(other)
    assert forward.bots() == backward.bots()
    assert forward.pairs() == backward.pairs()


def test_a_pair_is_compared_by_its_mean_seats_in_shared_games():
    tally = Tally(["a", "b", "c"])
    tally.add(game(1, 0, 1, 1, 0, bots=(0, 0, 1)))
    tally.add(game(1, 1, 1, 0, 0, bots=(0, 1, 1)))
    tally.add(game(2, 0, 0, 1, 1, bots=(0, 2, 2)))
    pairs = {(pair.bot, pair.opponent): pair for pair in tally.pairs()}
    assert set(pairs) == {("c", "a"), ("a", "b"), ("c", "b")} - {("c", "b")}
    assert pairs["a", "b"].games == 2
    assert pairs["a", "b"].difference.mean == 1.0
    assert pairs["c", "a"].difference.mean == 1.0


def test_a_verdict_needs_an_interval_that_excludes_equality():
    assert verdict(estimate([0.4, 0.5, 0.6])) == "better"
    assert verdict(estimate([-0.4, -0.5, -0.6])) == "worse"
    assert verdict(estimate([-0.4, 0.5, 0.6])) == "open"
    assert verdict(estimate([0.5])) == "open"


def test_faults_are_counted_by_bot_and_kind():
    tally = Tally(["a", "b"])
    tally.add(game(1, 0, 1, 0, faults=((1, "crash"), (1, "illegal"))))
    tally.add(game(1, 1, 1, 0, faults=((1, "crash"),)))
    assert [bot.faults for bot in tally.bots()] == [{}, {"crash": 2, "illegal": 1}]


def test_complaints_are_counted_by_bot():
    tally = Tally(["a", "b"])
    tally.add(game(1, 0, 1, 0, complaints=(1, 1)))
    tally.add(game(1, 1, 1, 0, complaints=(1,)))
    assert [bot.complaints for bot in tally.bots()] == [0, 3]


def test_without_scipy_the_way_to_get_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(HenroError, match=r"'henro\[arena\]', or pip install '\.\[arena\]' in a"):
        t_quantile(1)


def test_several_winners_each_have_a_whole_win():
    tally = Tally(["a", "b"])
    tally.add(game(1, 0, 1, 1))
    assert [bot.win_share.mean for bot in tally.bots()] == [1.0, 1.0]
    assert tally.even_share() == 1.0

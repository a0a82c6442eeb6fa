"""Every bot sits in every seat equally often, and bots meet as evenly as can be."""

from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from henro.arena.schedule import deal_seed, schedule

bots = st.integers(1, 12)
players = st.integers(2, 8)
seeds = st.integers(0, 2**128).map(str)


@given(bots, players, st.integers(1, 6), st.integers(1, 3), seeds)
def test_each_round_puts_each_bot_on_each_seat_equally_often(bots, players, rounds, times, seed):
    by_round = {}
    for pairing in schedule(bots, players, rounds, bots * times, seed):
        by_round.setdefault(pairing.round, []).append(pairing)
    assert list(by_round) == list(range(1, rounds + 1))
    for games in by_round.values():
        assert [game.rotation for game in games] == list(range(bots * times))
        seated = Counter((seat, bot) for game in games for seat, bot in enumerate(game.bots))
        assert seated == {(seat, bot): times for seat in range(players) for bot in range(bots)}


@given(bots, players, seeds)
def test_no_bot_has_two_seats_more_than_another_in_a_game(bots, players, seed):
    for pairing in schedule(bots, players, 3, bots, seed):
        seats = Counter(pairing.bots)
        most, least = max(seats.values()), min(seats[bot] for bot in range(bots))
        assert most - least <= 1


@given(bots, players, seeds)
def test_a_longer_run_begins_with_the_shorter_one(bots, players, seed):
    short = list(schedule(bots, players, 2, bots, seed))
    assert list(islice(schedule(bots, players, 5, bots, seed), len(short))) == short


@pytest.mark.parametrize(("bots", "players"), [(5, 4), (6, 4), (7, 3), (12, 4), (12, 8)])
@given(seed=seeds)
def test_with_more_bots_than_seats_all_pairs_meet_about_equally_often(bots, players, seed):
    met = Counter()
    for pairing in schedule(bots, players, 12, bots, seed):
        met.update(combinations(sorted(pairing.bots), 2))
    counts = [met[pair] for pair in combinations(range(bots), 2)]
    assert max(counts) - min(counts) <= max(4, sum(counts) / len(counts) / 4)


@given(seeds)
def test_with_four_bots_everybody_sits_before_everybody_equally_often(seed):
    before = Counter()
    for pairing in schedule(4, 4, 30, 4, seed):
        before.update((pairing.bots[seat - 1], pairing.bots[seat]) for seat in range(4))
    assert max(before.values()) - min(before.values()) <= 8


def test_two_bots_at_four_seats_sit_in_every_arrangement_if_a_round_has_six_games():
    games = list(schedule(2, 4, 1, 6, "7"))
    assert len({game.bots for game in games}) == 6


def test_deals_differ_between_rounds_and_runs():
    seeds = {deal_seed(seed, number) for seed in ("1", "2", "11") for number in range(1, 12)}
    assert len(seeds) == 33

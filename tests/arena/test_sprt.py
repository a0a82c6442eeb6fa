"""The sequential test decides with the error rates that it states, and always comes to an end."""

import json
import math

import msgspec
import numpy as np
import pytest

from henro.arena import Arena, load
from henro.arena.sprt import (
    Sprt,
    SprtConfig,
    difference_at,
    elo_at,
    log_likelihood_ratio,
    parse_sprt,
)
from henro.arena.standing import GameResult, SeatResult, Tally
from henro.errors import OptionError

WHOLE = ([-1, 0, 1], [0.25, 0.5, 0.25])
PARTS = ([-1, -0.5, 0, 0.5, 1], [0.1, 0.2, 0.4, 0.2, 0.1])
CHANCE = 0.014  # two standard deviations of a share of 5 % among 1000
RARE = ([-1, 0, 1], [0.01, 0.98, 0.01])


def test_elo_of_a_difference_is_that_of_the_expected_score():
    for elo in (-200, 0, 20, 400):
        score = 1 / (1 + 10 ** (-elo / 400))
        assert difference_at(elo) == pytest.approx(2 * score - 1)
        assert elo_at(difference_at(elo)) == pytest.approx(elo)
    assert elo_at(1.0) == math.inf
    assert elo_at(-1.0) == -math.inf


def test_the_ratio_is_the_one_computed_by_hand():
    # d0 = 0 and d1 = 10/11 - 1/11; four rounds with mean 1/2 and squared deviations 3/4 in all.
    config = SprtConfig(elo0=0, elo1=400)
    test = Sprt(config)
    for difference in (0.0, 1.0, 0.0, 1.0):
        test.add(difference)
    d1 = 9 / 11
    variance = (1 + 2) / (4 + 2)
    assert test.llr == pytest.approx(4 * d1 * (2 * 0.5 - d1) / (2 * variance))
    assert test.llr == pytest.approx(0.5950, abs=1e-4)


def test_the_bounds_are_those_of_wald():
    config = SprtConfig(alpha=0.05, beta=0.1)
    assert config.lower == pytest.approx(math.log(0.1 / 0.95))
    assert config.upper == pytest.approx(math.log(0.9 / 0.05))


def wrong_share(config, outcomes, elo, accepted):
    """How many of 1000 simulated tests accept a hypothesis where the first bot is `elo` stronger.

    The probabilities of `outcomes` (values, probabilities) are shifted towards the bound.
    """
    values, odds = map(np.array, outcomes)
    shift = difference_at(elo)
    odds = odds * (1 - abs(shift))
    odds[-1 if shift > 0 else 0] += abs(shift)
    rng = np.random.default_rng(1)
    found = rng.choice(values, size=(1000, 1500), p=odds)
    counts = np.arange(1, found.shape[1] + 1)
    ratios = log_likelihood_ratio(config, counts, found.cumsum(1), (found**2).cumsum(1))
    high, low = ratios >= config.upper, ratios <= config.lower
    ended = (high | low).argmax(1)
    rows = np.arange(len(ended))
    return {"H1": high, "H0": low}[accepted][rows, ended].mean()


@pytest.mark.parametrize("outcomes", [WHOLE, PARTS, RARE])
def test_a_bot_that_is_no_stronger_passes_no_more_often_than_alpha(outcomes):
    config = SprtConfig(elo0=0, elo1=50)
    assert wrong_share(config, outcomes, 0, "H1") < 0.05 + CHANCE
    assert wrong_share(config, outcomes, -30, "H1") < 0.01


@pytest.mark.parametrize("outcomes", [WHOLE, PARTS, RARE])
def test_a_bot_that_is_stronger_fails_no_more_often_than_beta(outcomes):
    config = SprtConfig(elo0=0, elo1=50)
    assert wrong_share(config, outcomes, 50, "H0") < 0.05 + CHANCE
    assert wrong_share(config, outcomes, 80, "H0") < 0.01


def rounds_until_decided(config, difference):
    test = Sprt(config)
    while not test.decided:
        test.add(difference)
    return len(test.differences), test.verdict


def test_rounds_that_are_all_alike_decide_neither_at_once_nor_never():
    config = SprtConfig(elo0=0, elo1=20)
    count, verdict = rounds_until_decided(config, 0.0)
    assert verdict == "H0"
    # So long that a bot that wins just often enough for H1 would have won a round but for beta.
    assert (1 - difference_at(20)) ** count < config.beta
    assert count < 100
    count, verdict = rounds_until_decided(config, 1.0)
    assert verdict == "H1"
    assert 6 <= count < 30
    assert rounds_until_decided(config, -1.0)[1] == "H0"


def test_what_comes_after_the_decision_does_not_count():
    test = Sprt(SprtConfig(elo1=200))
    while not test.decided:
        test.add(1.0)
    before = test.standing(["a", "b"])
    test.add(-1.0)
    assert test.standing(["a", "b"]) == before
    assert before.verdict == "H1"


def test_before_the_first_round_nothing_is_known():
    standing = Sprt(SprtConfig()).standing(["a", "b"])
    assert (standing.llr, standing.rounds, standing.elo) == (0.0, 0, None)
    assert standing.verdict == "undecided"


def test_bounds_that_are_unknown_or_infinite_are_null_in_json():
    test = Sprt(SprtConfig())
    test.add(1.0)
    elo = json.loads(msgspec.json.encode(test.standing(["a", "b"])))["elo"]
    assert elo == {"mean": None, "low": None, "high": None, "rounds": 1}


def game(round_number, rotation, *utilities):
    seats = tuple(SeatResult(bot, 0, 1, utility, 1, 1) for bot, utility in enumerate(utilities))
    return GameResult(round_number, rotation, seats)


def test_rounds_count_in_their_order_and_only_when_they_are_complete():
    tally, test = Tally(["a", "b"]), Sprt(SprtConfig())
    games = [game(2, 0, 1, 0), game(2, 1, 1, 0), game(1, 0, 0, 1), game(3, 0, 1, 0)]
    for played in games:
        tally.add(played)
        test.follow(tally, games_a_round=2)
    assert test.differences == []
    tally.add(game(1, 1, 1, 1))
    test.follow(tally, games_a_round=2)
    assert test.differences == [-0.5, 1.0]


def test_a_text_names_what_is_tested_and_the_rest_is_as_usual():
    assert parse_sprt("") == SprtConfig(elo0=0, elo1=20, alpha=0.05, beta=0.05)
    assert parse_sprt("elo0=-5,elo1=5.5,beta=1e-2") == SprtConfig(elo0=-5, elo1=5.5, beta=0.01)
    config = SprtConfig(elo0=-2.5, elo1=30, alpha=0.01)
    assert parse_sprt(str(config)) == config


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("elo2=5", "sprt: elo2 is not one of elo0, elo1, alpha, beta"),
        ("elo1", "sprt: elo1 needs a number, not nothing"),
        ("elo1=much", "sprt: elo1 needs a number, not much"),
        ("elo1=5,elo1=6", "sprt: elo1 is given twice"),
        ("elo0=20", "sprt: elo0=20 must be less than elo1=20"),
        ("elo0=30,elo1=20", "sprt: elo0=30 must be less than elo1=20"),
        ("elo1=nan", "sprt: elo1 is a number from -1000 to 1000, not nan"),
        ("elo1=inf", "sprt: elo1 is a number from -1000 to 1000, not inf"),
        ("alpha=0", "sprt: alpha must be more than 0 and less than 0.5, not 0"),
        ("beta=0.5", "sprt: beta must be more than 0 and less than 0.5, not 0.5"),
        ("beta=nan", "sprt: beta must be more than 0 and less than 0.5, not nan"),
    ],
)
def test_a_wrong_text_is_refused_by_key_and_rule(text, words):
    with pytest.raises(OptionError) as error:
        parse_sprt(text)
    assert str(error.value) == words


def test_a_test_is_between_two_bots(config, mock_bot):
    with pytest.raises(OptionError, match="sprt compares two bots, not 3"):
        config(sprt=SprtConfig())
    with pytest.raises(OptionError, match="sprt compares two bots, not 1"):
        config(sprt=SprtConfig(), bots=[mock_bot("base")])


@pytest.fixture
def duel(config, mock_bot):
    """A run in which the first bot is so much stronger that a test decides soon."""

    def make(**fields):
        usual = {
            "bots": [mock_bot("base", "good"), mock_bot("illegal", "bad")],
            "players": 4,
            "rounds": 500,
            "on_fault": "forfeit",
            "sprt": SprtConfig(elo0=0.0, elo1=100.0),
        }
        return config(**usual | fields)

    return make


def test_a_run_ends_when_its_test_is_decided_however_many_games_go_at_once(duel, tmp_path):
    updates = []
    standing = Arena(duel()).run(updates.append)
    assert standing.complete
    assert (standing.sprt.bot, standing.sprt.verdict) == ("good", "H1")
    assert 2 * standing.sprt.rounds <= standing.games_done < 1000
    assert [update.complete for update in updates][:: len(updates) - 1] == [False, True]
    assert load(duel().out).standing() == standing
    several = Arena(duel(out=tmp_path / "several", concurrency=3)).run()
    assert several.sprt == standing.sprt


def test_a_decided_run_is_not_played_on(duel):
    first = Arena(duel()).run()
    updates = []
    assert Arena(duel()).run(updates.append) == first
    assert [(update.record, update.complete) for update in updates] == [(None, True)]


def test_a_stopped_test_goes_on_to_the_same_end(duel, tmp_path):
    whole = Arena(duel(out=tmp_path / "whole")).run()
    arena = Arena(duel())
    stopped = arena.run(lambda update: arena.stop() if update.games_done == 3 else None)
    assert not stopped.complete
    assert stopped.sprt.verdict == "undecided"
    assert Arena(duel()).run().sprt == whole.sprt


def test_a_test_that_runs_out_of_rounds_stays_undecided_and_may_be_lengthened(duel):
    short = Arena(duel(rounds=2)).run()
    assert short.complete
    assert (short.sprt.verdict, short.sprt.rounds) == ("undecided", 2)
    assert Arena(duel()).run().sprt.verdict == "H1"


def test_a_run_keeps_its_test(duel):
    Arena(duel(rounds=2)).run()
    with pytest.raises(OptionError, match=r"sprt\.elo1 is 100\.0 there and 10\.0 here"):
        Arena(duel(sprt=SprtConfig(elo1=10.0))).run()
    with pytest.raises(OptionError, match=r"sprt is .* there and not set here"):
        Arena(duel(sprt=None)).run()

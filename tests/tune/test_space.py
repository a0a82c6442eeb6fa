"""What may be tuned is a search option, within values that it takes."""

from pathlib import Path

import pytest

import henro
from henro.errors import OptionError
from henro.tune import Choice, Range, TuneConfig, parse_base, parse_param
from henro.tune.run import idle_params


@pytest.mark.parametrize(
    ("text", "param"),
    [
        ("exploration=0.2..2.0", Range("exploration", 0.2, 2.0)),
        ("exploration=0..2", Range("exploration", 0, 2)),
        ("priors=0.05..2:log", Range("priors", 0.05, 2, log=True)),
        ("priors=1e-3..2:log", Range("priors", 0.001, 2, log=True)),
        ("horizon=0..64", Range("horizon", 0, 64, whole=True)),
        ("horizon=1..256:log", Range("horizon", 1, 256, whole=True, log=True)),
        ("horizon=0,8,64,inf", Choice("horizon", ["0", "8", "64", "inf"])),
        ("playouts=uniform,informed", Choice("playouts", ["uniform", "informed"])),
        ("tuned=true,false", Choice("tuned", ["true", "false"])),
        ("priors=default,0,0.5", Choice("priors", ["default", "0", "0.5"])),
    ],
)
def test_a_text_says_what_is_tried(text, param):
    assert parse_param(text) == param
    assert parse_param(str(param)) == param


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("speed=1..2", "param speed=1..2: no search option speed; there are playouts, horizon, "),
        ("priors", "param priors: expected NAME=LOW..HIGH, NAME=LOW..HIGH:log or "),
        ("priors=1", "param priors=1: two values or more are needed, all different"),
        ("priors=1,1", "param priors=1,1: two values or more are needed, all different"),
        ("priors=1,,2", "param priors=1,,2: priors is a number from 0 to 1000000, not ''"),
        ("priors=2..1", "param priors=2..1: the first number must be less than the second"),
        ("priors=0..1:log", "param priors=0..1:log: with log, numbers must be greater than 0"),
        ("priors=-1..1", "param priors=-1..1: priors is a number from 0 to 1000000, not -1"),
        (
            "priors=0..1:lin",
            "param priors=0..1:lin: priors is a number from 0 to 1000000, not '0..1:lin'; "
            "expected NAME=LOW..HIGH, NAME=LOW..HIGH:log or ",
        ),
        ("horizon=0.5..8", "param horizon=0.5..8: horizon is a whole number from 0, or inf"),
        ("horizon=1..inf", "param horizon=1..inf: a range needs numbers at its ends, not inf"),
        (
            "priors=default..2",
            "param priors=default..2: a range needs numbers at its ends, not ",
        ),
        ("tuned=0..1", "param tuned=0..1: tuned takes a list of values, not a range"),
        ("random=0..2", "param random=0..2: random is a number from 0 to 1, not 2"),
        ("playouts=1..2", "param playouts=1..2: playouts takes a list of values, not a range"),
        ("playouts=uniform,wild", "param playouts=uniform,wild: playouts is one of uniform, "),
    ],
)
def test_another_text_is_refused_with_the_rule(text, words):
    with pytest.raises(OptionError) as error:
        parse_param(text)
    assert str(error.value).startswith(words)


def test_what_is_tried_has_four_digits_and_is_a_value_of_the_option():
    assert parse_param("exploration=0.2..2").text(0.123456) == "0.1235"
    assert parse_param("priors=0.000001..2:log").text(0.00001234567) == "1.235e-05"
    assert parse_base(["priors=1.235e-05"]) == {"priors": "1.235e-05"}
    assert parse_param("horizon=0..64").text(12) == "12"


def test_options_of_the_baseline_are_checked_alike():
    assert parse_base(["exploration=0.7", "playouts=uniform"]) == {
        "exploration": "0.7",
        "playouts": "uniform",
    }
    with pytest.raises(OptionError, match="base speed=1: no search option speed; there are"):
        parse_base(["speed=1"])
    with pytest.raises(OptionError, match="base priors=-1: priors is a number from 0"):
        parse_base(["priors=-1"])
    with pytest.raises(OptionError, match="base priors=2: priors is given twice"):
        parse_base(["priors=1", "priors=2"])


@pytest.mark.parametrize(
    ("params", "base", "idle"),
    [
        (["exploration=0..2"], {}, {"exploration"}),
        (["exploration=0,default"], {}, {"exploration"}),
        (["exploration=0..2"], {"priors": "0"}, set()),
        (["exploration=0..2", "priors=0..1"], {}, set()),
        (["confidence=0..1", "priors=0,0.5"], {}, set()),
        (["horizon=0,inf"], {"playouts": "uniform"}, {"horizon"}),
        (["horizon=default,inf"], {}, {"horizon"}),
        (["horizon=0,inf", "playouts=uniform,informed"], {"random": "0.1"}, set()),
        (["score=0..0.5"], {"horizon": "8"}, {"score"}),
        (["sealed=priors,tree", "observers=one,many"], {}, set()),
    ],
)
def test_what_would_be_tried_for_nothing_is_found(params, base, idle):
    config = TuneConfig(
        game="jinja",
        params=[parse_param(text) for text in params],
        base=base,
        budget={"nodes": "10"},
        rounds=1,
        trials=1,
        out=Path("none"),
    )
    assert set(idle_params(config, henro.load_game("jinja"))) == idle

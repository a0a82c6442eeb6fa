"""Tuning tries settings on the same deals, keeps what is done and ends with the best."""

import json
import shlex
import sys

import msgspec
import pytest

from henro import cli
from henro.arena import Standing, load, parse_bot
from henro.arena.standing import Estimate, PairStanding
from henro.errors import HenroError, OptionError, RecordError
from henro.tune import TuneConfig, Tuner, parse_base, parse_param, run


@pytest.fixture
def config(tmp_path):
    """Makes a small tuning in an own folder, with any fields changed."""

    def make(**fields):
        usual = {
            "game": "shikoku",
            "players": 3,
            "params": [
                parse_param("exploration=0.1..2.0"),
                parse_param("playouts=default,uniform"),
            ],
            "base": parse_base(["priors=0"]),
            "budget": {"nodes": "10"},
            "rounds": 2,
            "trials": 2,
            "seed": "7",
            "out": tmp_path / "tune",
        }
        return TuneConfig(**usual | fields)

    return make


@pytest.fixture
def judged(monkeypatch):
    """Puts a formula in place of matches: the difference follows from the candidate's options."""

    def put(formula):
        class Formula:
            def __init__(self, config):
                self.options = config.bots[0].options

            def run(self, on_update):
                mean = formula(self.options)
                difference = Estimate(mean, mean - 0.1, mean + 0.1, 2)
                pair = PairStanding("baseline", "candidate", 4, difference.negated(), "open")
                return Standing(
                    game="shikoku",
                    players=3,
                    options={},
                    components="",
                    rounds=2,
                    rounds_done=2,
                    games=4,
                    games_done=4,
                    even_share=0.3,
                    bots=[],
                    pairs=[pair],
                )

        monkeypatch.setattr(run, "Arena", Formula)

    return put


def test_the_best_setting_is_found(config, judged):
    judged(lambda options: 0.5 - (float(options["exploration"]) - 0.7) ** 2)
    result = Tuner(config(trials=25)).run()
    assert result.complete
    best = result.results[0]
    assert float(best.settings["exploration"]) == pytest.approx(0.7, abs=0.1)
    means = [found.difference.mean for found in result.results]
    assert means == sorted(means, reverse=True)
    assert best.difference.low == pytest.approx(best.difference.mean - 0.1)


def test_where_nothing_is_better_nothing_is_to_be_confirmed(config, judged):
    judged(lambda options: -0.1)
    assert Tuner(config()).run().confirm is None


def test_the_confirming_command_plays_the_best_against_the_base_on_fresh_deals(config, judged):
    judged(lambda options: 0.1)
    result = Tuner(config(trials=1)).run()
    words = result.confirm
    assert words[:4] == ["henro", "arena", "--sprt", "elo0=0,elo1=20,alpha=0.05,beta=0.05"]
    assert "--seed" not in words
    tuned, base = (parse_bot(words[n + 1], {}) for n, word in enumerate(words) if word == "--bot")
    assert tuned.options == {"priors": "0"} | result.results[0].settings
    assert base.options == {"priors": "0"}


def test_trials_are_matches_on_the_same_deals_and_a_stop_changes_nothing(config, tmp_path):
    whole = Tuner(config(rounds=1)).run()
    assert whole.complete
    assert [found.faults for found in whole.results] == [0, 0]
    deals = [
        [record.moves[:12] for record in load(tmp_path / "tune" / f"trial-000{n}").records()]
        for n in (0, 1)
    ]
    assert deals[0] == deals[1]

    updates = []

    def stop_in_the_second_trial(update):
        updates.append(update)
        if (update.trial, update.games_done) == (1, 1):
            tuner.stop()

    tuner = Tuner(config(rounds=1, out=tmp_path / "stopped"))
    stopped = tuner.run(stop_in_the_second_trial)
    assert (stopped.complete, stopped.trials_done) == (False, 1)
    assert [update.trial for update in updates if update.result] == [0]
    again = Tuner(config(rounds=1, out=tmp_path / "stopped", seed=None))
    assert again.run() == whole
    assert len(load(tmp_path / "stopped" / "trial-0001").games) == 2


def test_the_same_settings_are_not_played_again(config, tmp_path):
    tuning = config(params=[parse_param("playouts=default,uniform")], trials=4, rounds=1)
    result = Tuner(tuning).run()
    assert result.trials_done == 4
    assert len(list((tmp_path / "tune").glob("trial-*"))) == 2
    by_settings = {found.settings["playouts"]: found.difference for found in result.results}
    assert all(
        found.difference == by_settings[found.settings["playouts"]] for found in result.results
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rounds": 3}, "rounds is 2 there and 3 here"),
        ({"players": 4}, "players is 3 there and 4 here"),
        ({"seed": "8"}, "seed is 7 there and 8 here"),
        ({"base": {}}, "base.priors is 0 there and not set here"),
        (
            {
                "params": [
                    parse_param("exploration=0.1..3"),
                    parse_param("playouts=default,uniform"),
                ]
            },
            r"param.exploration is 0\.1\.\.2 there and 0\.1\.\.3 here",
        ),
    ],
)
def test_a_folder_keeps_its_tuning(config, judged, fields, words):
    judged(lambda options: 0.0)
    Tuner(config(trials=1)).run()
    with pytest.raises(OptionError, match=f"holds another tuning: {words}"):
        Tuner(config(**fields)).run()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"params": []}, "params: at least one is needed"),
        ({"params": [parse_param("priors=0,1")] * 2}, "param: priors is given twice"),
        (
            {"params": [parse_param("rank=0..0.7")], "base": {"score": "0.7"}},
            "rank 0.7 and score 0.7: together they are at most 1",
        ),
        (
            {"params": [parse_param("rank=0.6,0.9"), parse_param("score=default,0.6")]},
            "rank 0.9 and score 0.6: together they are at most 1",
        ),
        ({"rounds": 0}, "rounds must be at least 1, not 0"),
        ({"trials": 0}, "trials must be at least 1, not 0"),
        ({"budget": {}}, "no limit for the moves; give nodes or movetime"),
        ({"budget": {"movetime": "soon"}}, "movetime soon: expected a time like 100ms or 1.5s"),
    ],
)
def test_a_tuning_that_cannot_be_is_refused(config, fields, words):
    with pytest.raises(OptionError) as error:
        config(**fields)
    assert str(error.value) == words


def test_without_optuna_the_way_to_get_it_is_told(config, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(HenroError, match=r"'henro\[tune\]', or pip install '\.\[tune\]' in a"):
        Tuner(config())


def test_a_file_that_is_no_database_is_named(config):
    tuning = config()
    tuning.out.mkdir()
    (tuning.out / "tune.sqlite").write_text("not a database, but long enough to be taken for one")
    with pytest.raises(RecordError, match=r"tune\.sqlite: "):
        Tuner(tuning).run()


@pytest.fixture
def henro(monkeypatch, capsys, tmp_path):
    """Calls the command line in an empty folder: exit code, standard output, standard error."""

    def call(*args):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["henro", *args])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code or 0, *capsys.readouterr()

    return call


CALL = [
    *("tune", "--game", "shikoku", "--param", "playouts=default,uniform", "--trials", "2"),
    *("--rounds", "1", "--nodes", "10", "--seed", "3", "--out", "run"),
]


def test_the_command_tells_each_trial_and_ends_with_the_best(henro, judged):
    judged(lambda options: 0.25 if options["playouts"] == "uniform" else -0.25)
    code, out, err = henro(*CALL, "--trials", "6")
    assert code == 0
    assert err.count("best so far") == 6
    assert err.splitlines()[-1] == "trials in run"
    head, titles, best, *_ = out.splitlines()
    assert head.startswith("shikoku, 3 players, shikoku/default@")
    assert head.endswith(": 6 of 6 trials, 1 rounds each, against the defaults")
    assert titles.split() == ["trial", "playouts", "difference", "faults"]
    assert best.split()[1:5] == ["uniform", "+0.250", "±", "0.100"]
    assert shlex.split(out.splitlines()[-1])[:3] == ["henro", "arena", "--sprt"]
    assert out == "\n".join(line.rstrip() for line in out.split("\n"))


def test_json_is_all_there_is_on_standard_output_and_resume_goes_on(henro):
    code, out, _ = henro(*CALL, "--json")
    assert code == 0
    result = json.loads(out)
    assert (result["format"], result["trials_done"]) == ("henro-tune/1", 2)
    assert set(result["results"][0]) == {"trial", "settings", "difference", "faults"}
    code, out, err = henro("tune", "--resume", "run", "--trials", "3", "--json")
    assert (code, json.loads(out)["trials_done"]) == (0, 3)
    assert err.count("best so far") == 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--game", "shikoku"], "--param is needed (or --resume DIR)"),
        (["--param", "priors=0,1"], "--game is needed (or --resume DIR)"),
        ([*CALL[1:], "--param", "speed=0..1"], "param speed=0..1: no search option speed"),
        ([*CALL[1:], "--base", "speed=0"], "base speed=0: no search option speed"),
        ([*CALL[1:], "--param", "confidence=0..1"], "param confidence would change nothing: "),
        ([*CALL[1:], "--param", "tree=separate,shared"], "it needs threads above 1"),
        ([*CALL[1:], "--param", "sealed=priors,tree"], "it needs observers=many"),
        ([*CALL[1:], "--game", "chess"], "unknown game 'chess'"),
        ([*CALL[1:], "--players", "9"], "3 to 8 players"),
        ([*CALL[1:5], "--trials", "2"], "no limit for the moves; give nodes or movetime"),
        (["--resume", "nowhere"], "nowhere: no tune.sqlite there"),
        (["--resume", "nowhere", "--seed", "0"], "leave out --seed"),
    ],
)
def test_a_wrong_call_ends_with_2_says_what_is_wrong_and_leaves_nothing(
    henro, tmp_path, args, words
):
    code, out, err = henro("tune", *args)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_is_what_was_given(config):
    tuning = config()
    assert TuneConfig.from_json(tuning.to_json(), tuning.out) == tuning
    assert msgspec.structs.replace(tuning, trials=9).identity() == tuning.identity()

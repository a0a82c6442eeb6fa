"""`henro odds`."""

import json

import pytest

ATTACK = ("odds", "neutral", "--attack", "3", "--stuck", "attacker=2,farmers=3")
SIDES = ("--stuck", "attacker=1,defender=2,farmers=2", "--tray", "farmers=1")


def test_a_table_shows_how_an_attack_may_end(henro):
    ended = henro(*ATTACK, "--tray", "others=1")
    lines = [" ".join(line.split()) for line in ended.out.splitlines()]
    assert lines[0] == "attack on a neutral province: 5 cubes thrown, tower blend"
    assert "conquered 73.7192%" in lines
    assert "tie: stays neutral 18.1516%" in lines
    assert "fewer cubes: stays neutral 8.1292%" in lines
    assert lines[-1].startswith("attacker 3 1.6274 1:29.83% 2:27.66% 3:13.04%")


def test_losses_are_told_for_both_sides(henro):
    ended = henro("odds", "player", "--attack", "4", "--defend", "5", *SIDES)
    lines = [line.split()[:3] for line in ended.out.splitlines()]
    assert ["attacker", "4", "3.9595"] in lines
    assert ["defender", "5", "2.2959"] in lines


def test_json_has_all_digits(henro):
    found = json.loads(
        henro("odds", "marked", "--attack", "4", "--defend", "5", *SIDES, "--json").out
    )
    assert found["battle"] == "marked"
    assert found["tower"] == "blend"
    assert found["cubes"] == 10
    assert found["win"] == pytest.approx(0.1411857145, abs=1e-10)
    assert found["win"] + found["tie"] + found["loss"] == pytest.approx(1)
    assert found["attacker_loss"] == pytest.approx(
        4 - sum(int(armies) * chance for armies, chance in found["attacker_armies"].items())
    )


def test_the_tower_may_be_of_another_model_or_of_a_set_of_ones_own(henro, tmp_path):
    flat = henro(*ATTACK, "--tower", "sbw").out
    assert "tower sbw" in flat
    assert henro("components", "export", "shogun/default", "mine.toml").code == 0
    own = tmp_path / "mine.toml"
    text = own.read_text(encoding="utf-8")
    own.write_text(text.replace('p_new = "2/3"', 'p_new = "1/2"'), encoding="utf-8")
    assert henro(*ATTACK, "--tower", "sbw", "--components", "mine.toml").out != flat


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("duel",), "a battle is 'neutral', 'player', 'marked' or 'revolt', not 'duel'"),
        (("neutral",), "attacker: at least one cube must be thrown"),
        (("neutral", "--attack", "70"), "attacker: thrown must be a whole number from 0 to 62"),
        (("revolt", "--defend", "2"), "--farmers: say how many farmers are thrown in the revolt"),
        (("neutral", "--attack", "2", "--stuck", "others=1"), "--stuck others=1: has cubes of"),
        (("neutral", "--attack", "2", "--tray", "p1=1"), "--tray p1=1: has cubes of attacker"),
        (("neutral", "--attack", "2", "--tray", "others=x"), "write a number of cubes, like"),
        (("neutral", "--attack", "2", "--tray", "others=1,others=2"), "others comes twice"),
        (("neutral", "--attack", "2", "--tower", "wood"), "option 'tower' must be 'blend'"),
    ],
)
def test_wrong_numbers_are_refused_by_name(henro, args, error):
    ended = henro("odds", *args)
    assert ended.code == 2
    assert error in ended.err

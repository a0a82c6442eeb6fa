"""The odds of battles in Shogun: worked examples, exact fractions, and throws of the game."""

from collections import Counter

import numpy as np
import pytest

import henro
from henro import _core, components
from henro.solve import BattleOdds, Cubes, battle_odds
from tests.families.statistics import assert_frequencies
from tests.reference import shogun as reference
from tests.reference.shogun_tables import DEFAULT

DIGITS = 0.5e-10
SEATS = ("p0", "p1", "p2", "p3", "p4")
LANDS = (
    "harima:2,kazusa:2,awa_boso:2,izu:2,mimasaka:2,sagami:2,bizen:2",
    "shimosa:2,kozuke:2,hitachi:2,wakasa:2,shimotsuke:2,echizen:2,tamba:2",
    "mino:2,hida:2,iyo:2,owari:2,totomi:2,mikawa:2,tosa:2",
    "hoki:2,shinano:2,bingo:2,echigo:2,aki:2,izumo:2,etchu:2",
    "yamato:2,kaga:2,kii:2,shima:2,omi:2,ise:2,noto:2",
)
TARGETS = {"neutral": "musashi", "player": "tamba", "marked": "tamba", "revolt": "izu"}
ORIGINS = {"neutral": "sagami", "player": "harima", "marked": "harima", "revolt": "sagami"}

# Battle; attacker, defender, farmers; cubes of other colors in the tray; tower.
CASES = [
    ("neutral", Cubes(1), Cubes(), Cubes(1), 0, "blend"),
    ("neutral", Cubes(2), Cubes(), Cubes(1), 0, "sbw"),
    ("neutral", Cubes(3, 0, 2), Cubes(), Cubes(1, 0, 3), 1, "blend"),
    ("neutral", Cubes(4, 2, 1), Cubes(), Cubes(2, 1, 5), 4, "won"),
    ("neutral", Cubes(9, 0, 6), Cubes(), Cubes(1, 3, 9), 12, "blend"),
    ("neutral", Cubes(1, 1, 8), Cubes(), Cubes(2, 0, 2), 0, "sbw"),
    ("player", Cubes(1), Cubes(1), Cubes(), 0, "blend"),
    ("player", Cubes(4, 0, 1), Cubes(5, 0, 2), Cubes(0, 1, 2), 0, "blend"),
    ("player", Cubes(6, 1, 3), Cubes(2, 2, 1), Cubes(0, 4, 3), 5, "blend"),
    ("player", Cubes(8), Cubes(3, 0, 4), Cubes(0, 0, 6), 2, "sbw"),
    ("player", Cubes(3, 3, 3), Cubes(3, 3, 3), Cubes(), 0, "won"),
    ("player", Cubes(15, 0, 5), Cubes(12, 1, 7), Cubes(0, 2, 4), 9, "blend"),
    ("marked", Cubes(4, 0, 1), Cubes(5, 0, 2), Cubes(0, 1, 2), 0, "blend"),
    ("marked", Cubes(2), Cubes(1), Cubes(0, 6, 6), 3, "blend"),
    ("marked", Cubes(7, 2, 0), Cubes(6, 0, 2), Cubes(0, 0, 3), 7, "won"),
    ("marked", Cubes(5, 0, 4), Cubes(2, 3, 6), Cubes(0, 2, 0), 0, "sbw"),
    ("revolt", Cubes(), Cubes(2, 0, 1), Cubes(1, 0, 2), 0, "blend"),
    ("revolt", Cubes(), Cubes(3, 0, 1), Cubes(3, 0, 2), 0, "blend"),
    ("revolt", Cubes(), Cubes(6, 2, 4), Cubes(5, 1, 7), 8, "won"),
    ("revolt", Cubes(), Cubes(5, 0, 3), Cubes(3, 1, 4), 20, "sbw"),
]


def running_throw(
    battle: str, attacker: Cubes, defender: Cubes, farmers: Cubes, others: int, tower: str
) -> henro.State:
    """A fall in which p0 carries out the action on field 1, with the cubes thrown just now.

    p0 attacks, in a revolt p0 is the owner. p1 is attacked, the other cubes are of p2.
    """
    first, second = (defender, attacker) if battle == "revolt" else (attacker, defender)
    colors = [first, second, Cubes(0, others), Cubes(), Cubes(), farmers]
    tray = [side.thrown + side.tray for side in colors]
    target = TARGETS[battle]
    mark = {"marked": "!1", "revolt": "!1"}.get(battle, "")
    lands = "/".join(LANDS).replace(f"{target}:2", f"{target}:0{mark}")
    action = "tax" if battle == "revolt" else "battlea"
    laid = [action, "castle", "temple", "theater", "deploy5", *"-----"]
    plans = [
        f"blank,blank,blank,blank,izu,mimasaka,kazusa,awa_boso,{ORIGINS[battle]},bizen,0",
        "blank,blank,blank,blank,shimosa,kozuke,hitachi,wakasa,shimotsuke,echizen,0",
        "blank,blank,blank,blank,mino,hida,iyo,owari,totomi,mikawa,0",
        "blank,blank,blank,blank,hoki,shinano,bingo,echigo,aki,izumo,0",
        "blank,blank,blank,blank,yamato,kaga,kii,shima,omi,ise,0",
    ]
    head = {"players": 5, "components": components.load("shogun").id}
    options = {"board": "sun", "setup": "draft", "tower": tower}
    moment = {"year": 1, "season": "fall", "step": "tower", "active": 0, "victim": "-", "field": 1}
    parts = {
        **head,
        **options,
        **moment,
        "event": "farmers2" if battle == "neutral" and farmers.thrown == 2 else "theater_a",
        "faceup": "levy",
        "used": "tax_max5,rice_max3",
        "fields": ",".join(laid),
        "specials": "attack:0,defend:1,chest:2,rice:3,six:4",
        "lands": lands,
        "chests": "12,12,12,12,12",
        "rice": "0,0,0,0,0",
        "points": "0,0,0,0,0",
        "stuck": ",".join(str(side.stuck) for side in colors),
        "tray": ",".join(map(str, tray)),
        "throw": f"{sum(tray)}/p0/{target}",
        **dict.fromkeys(("open", "card", "stale", "under", "groups"), "-"),
        "plans": "/".join(plans),
        **dict.fromkeys(("changed", "drawn", "draws", "extra"), "-"),
    }
    game = henro.load_game("shogun", 5, tower=tower)
    return game.deserialize_state(" ".join(["shogun", *(f"{k}={v}" for k, v in parts.items())]))


def chances(state: henro.State) -> list[float]:
    return [chance for _, chance in state.chance_outcomes()]


def exactly(*values: float):
    return pytest.approx(list(values), abs=DIGITS)


def ends(odds: BattleOdds) -> list[float]:
    return [odds.win, odds.tie, odds.loss]


def after(battle: str, row: np.ndarray) -> tuple[str, int]:
    """By the rules of the reference, who has the province, and with how many armies."""
    first, second, farmers = int(row[0]), int(row[1]), int(row[5])
    match battle:
        case "neutral":
            return reference.after_attack_on_neutral(first, farmers)
        case "revolt":
            return reference.after_revolt(first, farmers)
        case _:
            return reference.after_battle(first, second, farmers if battle == "player" else 0)


def by_end(odds: BattleOdds) -> dict[tuple[str, int], float]:
    """The probability of each end, as `after` names it."""
    found = {("attacker", armies): p for armies, p in odds.attacker_armies.items()}
    found |= {("defender", armies): p for armies, p in odds.defender_armies.items()}
    return {**found, ("nobody", 0): 1 - sum(found.values())}


# -- Worked examples


def test_h2_a_throw_of_five():
    state = running_throw("neutral", Cubes(3, 0, 2), Cubes(), Cubes(1), 1, "blend")
    assert chances(state) == exactly(
        0.0093552647, 0.0896675070, 0.3026228811, 0.4074820132, 0.1692828538, 0.0215894802
    )
    mean = sum(out * chance for out, chance in enumerate(chances(state)))
    assert mean == pytest.approx(2.7024381250, abs=DIGITS)
    stuck = running_throw("neutral", Cubes(4, 0, 0), Cubes(), Cubes(1, 0, 4), 0, "blend")
    stuck.apply("tower:p0:0")  # all of them stay in the tower: N is fixed for the whole throw
    four = [0.3584859224, 0.4192212310, 0.1838424080, 0.0358315514, 0.0026188872]
    assert chances(stuck) == exactly(*np.convolve(four, [0.25, 0.75]))  # and one farmer thrown


def test_h3_attack_on_a_neutral_province():
    odds = battle_odds("neutral", Cubes(3, 0, 2), farmers=Cubes(1, 0, 3), others=1)
    assert odds.cubes == 5
    assert ends(odds) == exactly(0.7371919259, 0.1815159078, 0.0812921663)
    assert list(odds.attacker_armies) == [1, 2, 3, 4, 5]
    assert list(odds.attacker_armies.values()) == exactly(
        0.2983220020, 0.2766344704, 0.1304332695, 0.0293016299, 0.0025005542
    )


def test_h4_two_farmers_against_one_cube_more():
    odds = battle_odds("neutral", Cubes(4, 0, 2), farmers=Cubes(2, 0, 3), others=1)
    assert odds.cubes == 7
    assert ends(odds) == exactly(0.6876732351, 0.1892333218, 0.1230934432)


def test_h7_attack_on_a_castle_with_and_without_a_marker():
    sides = (Cubes(4, 0, 1), Cubes(5, 0, 2), Cubes(0, 1, 2))
    assert ends(battle_odds("player", *sides)) == exactly(0.0321042062, 0.0704964844, 0.8973993093)
    assert ends(battle_odds("marked", *sides)) == exactly(0.1411857145, 0.1944060300, 0.6644082555)


def test_h8_a_revolt_of_tax_payers():
    odds = battle_odds("revolt", defender=Cubes(2, 0, 1), farmers=Cubes(1, 0, 2))
    assert odds.cubes == 3
    assert [odds.loss, odds.win + odds.tie] == exactly(0.5663149274, 0.4336850726)
    assert odds.defender_armies == pytest.approx(
        {1: 0.4039780493, 2: 0.1475934042, 3: 0.0147434739}, abs=DIGITS
    )
    assert not odds.attacker_armies


def test_h14_a_revolt_in_winter():
    odds = battle_odds("revolt", defender=Cubes(3, 0, 1), farmers=Cubes(3, 0, 2))
    assert odds.loss == pytest.approx(0.2770559814, abs=DIGITS)
    assert list(odds.defender_armies.values()) == exactly(
        0.1941002054, 0.0692778644, 0.0127343238, 0.0009435878
    )


def test_h20_the_seeding_of_the_tower():
    state = henro.load_game("shogun", 5, setup="lineup").new_initial_state()
    stuck = np.ones(1)
    for seat in SEATS:
        assert chances(state)[7] == pytest.approx(0.1334838867, abs=DIGITS)
        stuck = np.convolve(stuck, chances(state)[::-1])
        state.apply(f"tower:{seat}:{5 if seat == 'p0' else 7}")
    assert chances(state)[10 - 3] == pytest.approx(0.2502822876, abs=DIGITS)
    stuck = np.convolve(stuck, chances(state)[::-1])
    assert stuck @ np.arange(len(stuck)) == pytest.approx(11.25, abs=DIGITS)
    assert stuck[:6].sum() == pytest.approx(0.0179434621, abs=DIGITS)


def test_h21_one_or_two_cubes_against_one_farmer():
    assert ends(battle_odds("neutral", Cubes(1), farmers=Cubes(1))) == exactly(
        0.1875, 0.625, 0.1875
    )
    assert ends(battle_odds("neutral", Cubes(2), farmers=Cubes(1))) == exactly(
        0.65625, 0.296875, 0.046875
    )


# -- Against the reference and the game


@pytest.mark.parametrize("case", CASES, ids=str)
def test_odds_are_the_exact_fractions_of_the_reference(case):
    battle, attacker, defender, farmers, others, tower = case
    sides = {"p0": attacker, "p1": defender, "f": farmers}
    inside = {color: side.stuck for color, side in sides.items()}
    lying = {color: side.tray for color, side in sides.items()} | {"p2": others}
    model = DEFAULT.towers[tower]
    if battle == "neutral":
        wanted = reference.neutral_odds(model, "p0", attacker.thrown, farmers.thrown, inside, lying)
    elif battle == "revolt":
        wanted = reference.revolt_odds(model, "p1", defender.thrown, farmers.thrown, inside, lying)
        wanted = reference.Odds(wanted.loss, wanted.tie, wanted.win, wanted.armies)
    else:
        wanted = reference.battle_odds(
            model, "p0", attacker.thrown, "p1", defender.thrown, inside, lying, battle == "marked"
        )
    odds = battle_odds(*case)
    assert ends(odds) == pytest.approx([float(p) for p in (wanted.win, wanted.tie, wanted.loss)])
    fractions = {end: float(p) for end, p in wanted.armies.items() if p}
    assert by_end(odds) == pytest.approx(fractions, rel=1e-12, abs=1e-14)
    assert odds.attacker_loss + odds.defender_loss == pytest.approx(
        attacker.thrown
        + defender.thrown
        - sum(armies * float(p) for (_, armies), p in wanted.armies.items())
    )


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize(
    "throws", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)], ids="{:,}".format
)
def test_throws_of_the_game_end_as_often_as_the_odds_say(case, throws):
    rows = _core.shogun_sample_throws(running_throw(*case), throws, seed=20)
    wanted = by_end(battle_odds(*case))
    rare = rare_ends(wanted, throws)
    seen = Counter()
    codes = rows @ 64 ** np.arange(6)
    _, places, counts = np.unique(codes, return_index=True, return_counts=True)
    for place, count in zip(places, counts, strict=True):
        end = after(case[0], rows[place])
        seen["rare" if end in rare else end] += int(count)
    expected = {end: chance for end, chance in wanted.items() if end not in rare}
    if rare:
        expected["rare"] = sum(wanted[end] for end in rare)
    assert_frequencies(seen, expected, str(case))


def rare_ends(wanted: dict[tuple[str, int], float], throws: int) -> set[tuple[str, int]]:
    """The least likely ends, so many that together they are expected ten times; or none."""
    rare, together = set[tuple[str, int]](), 0.0
    for end, chance in sorted(wanted.items(), key=lambda item: item[1]):
        if chance * throws >= 10 and (not rare or together * throws >= 10):
            break
        rare.add(end)
        together += chance
    return rare


def test_bulk_throws_go_on_from_what_has_fallen_and_are_repeatable():
    state = running_throw(*CASES[7])
    state.apply("tower:p0:3")
    rows = _core.shogun_sample_throws(state, 1000, seed=1)
    assert rows.shape == (1000, 6)
    assert rows.dtype == np.uint8
    assert set(rows[:, 0]) == {3}
    assert not rows[:, 2:5].any()
    assert (rows == _core.shogun_sample_throws(state, 1000, seed=1)).all()
    assert (rows != _core.shogun_sample_throws(state, 1000, seed=2)).any()


# -- Errors and the command


@pytest.mark.parametrize(
    ("numbers", "error"),
    [
        (dict(battle="duel"), "a battle is 'neutral', 'player', 'marked' or 'revolt', not 'duel'"),
        (dict(battle="neutral"), "attacker: at least one cube must be thrown"),
        (dict(battle="neutral", attacker=Cubes(63)), "attacker: thrown must be .* 0 to 62, not 63"),
        (dict(battle="neutral", attacker=Cubes(3, -1)), "attacker: tray must be .*, not -1"),
        (dict(battle="neutral", attacker=Cubes(30, 20, 20)), "attacker: .* 70 cubes, .* only 62"),
        (dict(battle="neutral", attacker=Cubes(2), farmers=Cubes(1, 0, 20)), "farmers: .* only 20"),
        (dict(battle="neutral", attacker=Cubes(2), others=249), "others: tray .* 0 to 248"),
        (dict(battle="neutral", attacker=Cubes(2), defender=Cubes(1)), "defender: does not take"),
        (dict(battle="revolt", attacker=Cubes(2), defender=Cubes(1)), "attacker: does not take"),
        (dict(battle="player", attacker=Cubes(2)), "defender: at least one cube must be thrown"),
        (
            dict(battle="marked", attacker=Cubes(2), defender=Cubes(2), farmers=Cubes(1)),
            "farmers: none are thrown when a player is attacked",
        ),
        (dict(battle="neutral", attacker=Cubes(2), tower="wood"), "option 'tower' must be"),
    ],
)
def test_wrong_numbers_are_refused(numbers, error):
    with pytest.raises(henro.OptionError, match=error):
        battle_odds(**numbers)


def test_bulk_throws_need_a_running_throw_of_shogun():
    other = henro.load_game("shikoku").new_initial_state()
    with pytest.raises(henro.OptionError, match="only shogun has a cube tower, not shikoku"):
        _core.shogun_sample_throws(other, 1, seed=1)
    start = henro.load_game("shogun").new_initial_state()
    with pytest.raises(henro.StateError, match="no throw is running in this state"):
        _core.shogun_sample_throws(start, 1, seed=1)
    with pytest.raises(henro.OptionError, match="number of throws must be a whole number"):
        _core.shogun_sample_throws(running_throw(*CASES[0]), -1, seed=1)

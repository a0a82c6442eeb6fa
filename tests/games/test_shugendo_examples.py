"""Shugendo's rules, one sentence each: worked examples by their numbers (H1 to H23).

A position is made from what the example names; the rest of it is as at the start of a game.
"""

from itertools import pairwise
from typing import Any

import pytest

import henro
from tests.games.shugendo import load, parts_of, position
from tests.reference.shugendo_tables import BOARDS, CARDS

LAND = " ".join(cell for cell, row in BOARDS["board_common"].cells.items() if row.terrain != "lake")
LAST_ROUND = 60
TWO_PREFECTURES: dict[str, Any] = {
    "covered": "a1 b1 b3 b4 c1 c2 c3 d1 d2 d3 d4 d5",
    "farms": "b1 d3",
    "villages": "d1 b3",
    "cities": "c1 c3",
    "marks": "c1 c3",
}


def play(state: henro.State, *texts: str) -> henro.State:
    for text in texts:
        state.apply(text)
    return state


def moves(state: henro.State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def outcomes(state: henro.State) -> dict[str, float]:
    return {state.action_to_string(action): p for action, p in state.chance_outcomes()}


def now(state: henro.State, key: str, seat: int = 0) -> str:
    """What a part of the position says of a seat, without what it said before the phase."""
    separator = "/" if key in ("maps", "deck", "discard", "revealed", "recruited") else ","
    return parts_of(state.serialize())[key].split(separator)[seat].split("<")[0]


def supply(state: henro.State, key: str) -> str:
    return parts_of(state.serialize())[key]


def each(players: int, **parts: Any) -> dict[str, Any]:
    """The same for every seat."""
    return {key: [value] * players for key, value in parts.items()}


def reveal(state: henro.State, *cards: str) -> henro.State:
    return play(state, *(text for card in cards for text in ("reveal", f"draw:{card}")))


def bust_chance(state: henro.State, move: str) -> float:
    """The probability that the draw after a move brings Mischief."""
    state = play(state.clone(), move)
    return sum(
        probability
        for text, probability in outcomes(state).items()
        if now(play(state.clone(), text), "bust") == "1"
    )


def skip_to(state: henro.State, phase: str) -> henro.State:
    """Stops, does nothing, buys nothing until a phase begins."""
    while supply(state, "phase") != phase:
        play(state, *{"stop", "done"} & set(moves(state)))
    return state


# -- supplies ------------------------------------------------------------------------------------


def test_h01_four_players_can_cover_their_maps_with_the_tiles_there_are() -> None:
    state = position(4, phase="reveal", **each(4, covered=LAND))
    assert all(len(now(state, "maps", seat).split(",")) == 16 for seat in range(4))


@pytest.mark.parametrize(
    ("players", "ages", "piles"),
    [
        (2, [[4, 3], [6, 5], [10, 8]], [[5, 4], [7, 6]]),
        (3, [[4, 3, 3], [6, 5, 4], [10, 8, 7]], [[5, 4, 3], [7, 6, 5]]),
        (4, [[4, 3, 3, 2], [6, 5, 4, 3], [10, 8, 7, 6]], [[5, 4, 3, 2], [7, 6, 5, 4]]),
    ],
)
def test_h21_as_many_tokens_of_a_kind_are_used_as_there_are_players(
    players: int, ages: list[list[int]], piles: list[list[int]]
) -> None:
    start = load(players).new_initial_state()
    row = "-" * players
    assert supply(start, "development") == f"{row}/{row}/{row}/-"
    assert supply(start, "prefectures") == f"{row}/{row}/-"

    def scores(**parts: Any) -> list[int]:
        return position(players, phase="over", round=LAST_ROUND, **each(players, **parts)).scores()

    by_age = [scores(age=age) for age in range(1, 5)]
    gained = [
        [after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(by_age)
    ]
    assert gained == ages
    with_tokens = scores(**TWO_PREFECTURES)
    tokens = [sum(own) for own in zip(*piles, strict=True)]
    assert [score - with_tokens[0] for score in with_tokens] == [vp - tokens[0] for vp in tokens]


def test_h21_there_is_one_token_of_age_5_and_one_of_the_third_pile() -> None:
    with_age_5 = position(phase="over", age=[5])
    assert supply(with_age_5, "development") == "0-/0-/0-/0"
    with_age_4 = position(phase="over", round=LAST_ROUND, age=[4])
    assert with_age_5.scores()[0] - with_age_4.scores()[0] == 15


# -- Reveal --------------------------------------------------------------------------------------


def test_h02_the_first_draw_is_one_of_thirteen_cards() -> None:
    state = play(position(phase="reveal"), "reveal")
    twice, once = "scout digger copyist peddler", "trader porter novice hermit ruffian"
    odds = {f"draw:{card}": 2 / 13 for card in twice.split()}
    odds |= {f"draw:{card}": 1 / 13 for card in once.split()}
    assert outcomes(state) == pytest.approx(odds)
    yokai = sum(p * CARDS[text.split(":")[1]].yokai for text, p in outcomes(state).items())
    assert yokai == pytest.approx(14 / 13)


def test_h03_a_pilgrim_can_be_placed_from_four_yokai_on() -> None:
    without, owner = (
        reveal(position(phase="reveal", pilgrims=[number]), "scout", "novice", "ruffian")
        for number in (0, 1)
    )
    assert moves(without) == ["reveal", "stop"]
    assert moves(owner) == ["reveal", "stop", "pilgrim:1", "pilgrim:2", "pilgrim:3"]
    assert bust_chance(owner, "reveal") == pytest.approx(8 / 10)
    assert bust_chance(owner, "pilgrim:1") == 0
    play(owner, "pilgrim:1", "draw:digger")
    assert (now(owner, "pilgrims"), now(owner, "calmed")) == ("0", "1")
    assert moves(owner) == ["reveal", "stop"]


def test_h04_the_discard_pile_becomes_the_deck_when_a_card_is_to_be_drawn() -> None:
    state = position(
        phase="reveal",
        deck=["scout copyist peddler porter novice hermit"],
        discard=["scout digger digger copyist peddler trader fisher"],
    )
    reveal(state, "scout", "copyist", "peddler", "porter", "novice")
    play(state, "reveal")
    assert outcomes(state) == {"draw:hermit": 1}
    play(state, "draw:hermit")
    assert bust_chance(state, "reveal") == pytest.approx(6 / 7)
    play(state, "reveal")
    assert len(now(state, "deck").split(",")) == 7
    assert now(state, "discard") == "-"


def test_h05_a_seat_that_goes_on_revealing_may_bust_on_the_fourth_card() -> None:
    busts, waiting = [0.0] * 4, [(position(phase="reveal"), 1.0)]
    for number in range(4):
        following = []
        for state, weight in waiting:
            play(state, "reveal")
            for text, probability in outcomes(state).items():
                after = play(state.clone(), text)
                if now(after, "bust") == "1":
                    busts[number] += weight * probability
                else:
                    following.append((after, weight * probability))
        waiting = following
    assert busts == pytest.approx([0, 0, 0, 36 / 715])


# -- Action --------------------------------------------------------------------------------------


CHOICE_CARDS = "porter shrine_maiden theatre_troupe"


def gathering(compass: int, hammer: int, book: int) -> henro.State:
    """Examples 6 and 7: icons of two tracks and of all three."""
    return position(
        phase="action", revealed=[CHOICE_CARDS], age=[4], tracks=[(compass, hammer, book)]
    )


def test_h06_full_tracks_are_not_offered() -> None:
    state = gathering(9, 10, 3)
    assert moves(state) == ["gain:compass"]
    play(state, "gain:compass")
    for _ in range(3):
        assert moves(state) == ["gain:book"]
        play(state, "gain:book")
    assert now(state, "tracks") == "10.10.6"


def test_h07_choices_of_a_batch_do_not_go_back() -> None:
    state = play(gathering(8, 4, 3), "gain:compass", "gain:hammer")
    assert now(state, "tracks") == "9.5.3"
    assert moves(state) == ["gain:hammer", "gain:book"]


def test_h08_quiet_cells_are_explored_in_order() -> None:
    state = position(phase="action", tracks=[(4, 0, 0)])
    assert moves(state) == ["done", "explore:c3", "explore:d2", "explore:d4"]
    play(state, "explore:d4", "gain:compass")
    assert now(state, "tracks") == "4.0.0"
    assert moves(state) == ["done", "explore:c3", "explore:c5", "explore:d2", "explore:d5"]
    play(state, "explore:d5")
    assert now(state, "tracks") == "3.0.0"
    assert moves(state) == ["done", "explore:c3"]


def test_h09_a_farmstead_out_of_order_is_offered_only_to_found() -> None:
    state = position(
        phase="action", covered=["c1 c2 c3 d2 d3 d4 d5"], farms=["c2"], tracks=[(0, 6, 0)]
    )
    play(state, "village:c2", "farm:c3")
    assert "farm:c1" not in moves(state)
    play(state, "farm:d2", "farm:d3")
    assert moves(state) == ["done", "farm:c1", "farm:d4", "farm:d5"]
    play(state, "farm:d4")
    assert now(state, "maps") == "c1,c2v,c3f,d2f,d3f,d4f*,d5"
    assert (now(state, "silver"), now(state, "score"), now(state, "tracks")) == ("5", "1", "0.0.0")
    assert supply(skip_to(state, "recruit"), "prefectures") == "0-/--/-"


def test_h10_a_prefecture_that_grows_is_not_founded_again() -> None:
    state = position(
        phase="action",
        covered=["c1 c2 c3 d2 d3 d4 d5"],
        farms=["c3"],
        villages=["d2"],
        cities=["c2"],
        marks=["c2"],
        tracks=[(0, 10, 0)],
    )
    play(state, "farm:c1", "farm:d3", "farm:d4", "farm:d5", "city:d2", "village:d5")
    assert state.current_player() == 1  # nothing but `done` was left (SG12)
    assert now(state, "maps") == "c1f,c2c*,c3f,d2c,d3f,d4f,d5v"
    assert (now(state, "silver"), now(state, "score"), now(state, "tracks")) == ("3", "1", "0.1.0")
    assert supply(skip_to(state, "recruit"), "prefectures") == "0-/--/-"


def test_h11_only_the_first_in_turn_order_takes_the_token_of_the_third_prefecture() -> None:
    state = position(
        phase="action",
        prefecture_tokens=[[5, 7], [4, 6]],
        **each(
            2,
            covered=LAND,
            cities="c1 b3 d4",
            villages="d1 c3 d5",
            farms="b1 a4",
            marks="c1 b3",
            score=4,
            tracks=(0, 3, 0),
        ),
    )
    before = state.scores()
    play(state, "city:d5", "city:d5")
    assert state.is_terminal()
    assert supply(state, "prefectures") == "01/01/0"
    assert [now(state, "score", seat) for seat in (0, 1)] == ["7", "7"]
    track, prefecture, rows, villages, leftovers = 3, 6, 16 - 13, -2, -1
    gained = track + prefecture + rows + villages + leftovers
    assert [after - before[seat] for seat, after in enumerate(state.scores())] == [
        gained + 12,
        gained,
    ]


def test_h12_several_ages_in_one_action_take_the_highest_token_of_each() -> None:
    state = position(phase="action", tracks=[(1, 1, 12), (1, 1, 5)])
    play(state, "develop", "develop", "develop")
    state = skip_to(state, "recruit")
    assert [now(state, "age", seat) for seat in (0, 1)] == ["3", "2"]
    assert [now(state, "tracks", seat) for seat in (0, 1)] == ["1.1.0", "1.1.0"]
    assert supply(state, "development") == "01/0-/--/-"


def busted() -> henro.State:
    """Example 13: Mischief in the first round."""
    return position(phase="action", revealed=["scout ruffian novice hermit"], busted=[0])


def test_h13_after_mischief_the_action_phase_may_be_played() -> None:
    state = busted()
    assert moves(state) == ["mischief:action", "mischief:recruit"]
    play(state, "mischief:action")
    assert now(state, "tracks") == "2.1.1"
    assert moves(state) == ["gain:compass", "gain:hammer"]
    play(state, "gain:compass", "gain:hammer")
    assert now(state, "tracks") == "3.2.1"
    assert moves(state) == ["gain:compass", "gain:hammer", "gain:book"]
    play(state, "gain:book")
    state = skip_to(state, "reveal")
    assert supply(state, "round") == "2"
    assert now(state, "silver") == "2"


def test_h13_after_mischief_the_recruit_phase_may_be_played_instead() -> None:
    state = play(busted(), "mischief:recruit")
    assert now(state, "tracks") == "1.1.1"
    assert state.current_player() == 1
    state = skip_to(state, "recruit")
    assert (state.current_player(), supply(state, "gold")) == (0, "2")


def test_h17_iv_leap_skips_one_space() -> None:
    for covered, offers in [
        ("c3 c4 d4 d5", "a2 a3 b2 b3 b4 c1 c2 d2"),
        ("c3 c4 d4", "b2 b3 b4 c2 d2 d5"),
    ]:
        state = position(
            flower=1,
            phase="action",
            boards=["board_fox"],
            milestones=["ms_b"],
            covered=[covered],
            tracks=[(2, 0, 0)],
        )
        assert moves(state) == ["done", *(f"explore:{cell}" for cell in offers.split())]


def test_h22_gains_are_there_at_once_and_iv_peaks_makes_mountains_cheaper() -> None:
    state = position(phase="action", covered=["d3 d2 c2 c1"], tracks=[(4, 0, 0)])
    play(state, "explore:c3")
    assert (now(state, "tracks"), now(state, "pilgrims")) == ("2.0.0", "1")
    play(state, "explore:b3")
    assert (now(state, "tracks"), now(state, "silver")) == ("0.0.0", "4")
    assert state.current_player() == 1


@pytest.mark.parametrize(
    ("track", "after"), [("compass", "4.8.10"), ("hammer", "0.10.10"), ("book", "0.8.12")]
)
def test_h23_ir_boost_advances_one_track_by_four(track: str, after: str) -> None:
    state = position(phase="action", covered=["d3 c3 b3"], tracks=[(1, 8, 10)])
    play(state, "explore:b4")
    assert moves(state) == ["boost:compass", "boost:hammer", "boost:book"]
    assert now(play(state, f"boost:{track}"), "tracks") == after


# -- Recruit -------------------------------------------------------------------------------------


def test_h14_cards_are_bought_then_replaced_both_in_order() -> None:
    state = position(
        phase="recruit",
        revealed=["trader novice scout peddler"],
        display={
            1: "hunter hunter carpenter shrine_maiden drummer",
            2: "mountain_guide merchant miner wrestler",
        },
    )
    assert supply(state, "gold") == "4"
    offers = ["hunter", "carpenter", "shrine_maiden", "drummer"]
    assert moves(state) == ["done", *(f"recruit:{card}" for card in offers)]
    play(state, "recruit:hunter")
    assert (supply(state, "gold"), now(state, "silver")) == ("1", "2")
    assert moves(state) == ["done", "recruit:hunter", "recruit:drummer"]
    play(state, "recruit:hunter")
    assert now(state, "silver") == "0"
    assert moves(state) == ["replace:scout", "replace:peddler", "replace:trader"]
    play(state, "replace:scout")
    assert moves(state) == ["replace:peddler", "replace:trader", "replace:novice"]


def two_prefectures(**parts: Any) -> henro.State:
    return position(**{key: [value] for key, value in TWO_PREFECTURES.items()}, **parts)


def test_h15_a_reward_tile_may_carry_the_marker_to_the_next() -> None:
    state = two_prefectures(
        phase="recruit",
        score=[4],
        age=[4],
        tracks=[(10, 9, 3)],
        rewards="r1_steps r2_fame",
        revealed=["daimyo theatre_troupe"],
    )
    assert (now(state, "score"), supply(state, "gold")) == ("12", "4")
    assert moves(state) == ["gain:hammer", "gain:book"]
    play(state, "gain:hammer")
    assert moves(state) == ["gain:book"]
    assert now(play(state, "gain:book"), "tracks") == "10.10.4"


def test_h16_special_bonuses_count_the_map_and_the_revealed_cards() -> None:
    """With c5 covered too, a mountain that counts for none of the bonuses: b4 has to be reached."""
    state = position(
        phase="recruit",
        age=[4],
        covered=["b1 b4 c1 c2 c3 c5 d1 d2 d3 d4 d5"],
        farms=["d2 d3 d4"],
        villages=["c1 c2"],
        cities=["b1"],
        marks=["b1"],
        silver=[0],
        tracks=[(10, 10, 5)],
        busted=[0],
        choice=["recruit"],
        revealed=[
            "field_singer village_head city_magistrate storyteller terrace_master woodcutter "
            "harmony_priest"
        ],
    )
    assert (now(state, "score"), now(state, "silver"), supply(state, "gold")) == ("6", "2", "12")
    assert moves(state) == ["gain:book"]
    assert now(play(state, "gain:book"), "tracks") == "10.10.6"


def test_h20_a_missing_card_is_refilled_from_the_deck_of_its_age() -> None:
    state = position(
        phase="recruit",
        age=[2],
        display={2: "merchant merchant scholar miner"},
        revealed=["trader peddler"],
    )
    play(state, "recruit:miner", "replace:peddler")
    odds = {f"refill:{card}": 1 / 13 for card, row in CARDS.items() if row.age == 2}
    del odds["refill:merchant"]
    odds |= {"refill:scholar": 1 / 26, "refill:miner": 1 / 26}
    assert outcomes(state) == pytest.approx(odds)


# -- scoring -------------------------------------------------------------------------------------


def test_sg48_a_card_counts_from_when_it_is_recruited_and_another_until_it_is_replaced() -> None:
    state = position(
        phase="recruit",
        tracks=[(0, 0, 0)],
        revealed=["trader novice"],
        display={1: "hunter hunter carpenter drummer night_watch"},
    )
    before = state.scores()[0]
    play(state, "recruit:night_watch")
    assert state.scores()[0] == before + 2
    play(state, "replace:trader")
    assert state.scores()[0] == before + 2 + 1


def test_sg48_penalties_count_from_when_a_board_is_dealt() -> None:
    state = play(load(2, flower=1).new_initial_state(), "first:p0", "reward:r1_coins")
    play(state, "reward:r2_coins", "board:board_koi")
    assert state.scores() == [-18, -8]


SCORED = (
    "digger digger copyist peddler hermit fisher night_watch field_singer mountain_guide diviner "
    "abbot banker spirit_tamer"
)
"""The cards of examples 18 and 19: 17 yokai."""


def scored(players: int, **changes: Any) -> henro.State:
    """Examples 18 and 19: the first two seats have the same, their tokens are worth the same."""
    parts: dict[str, Any] = {
        **each(2, deck="", discard=SCORED, age=3, score=11, silver=3, pilgrims=1, tracks=(2, 0, 4)),
        **each(2, **TWO_PREFECTURES),
        "development": [[4, 5], [3, 6]],
        "prefecture_tokens": [[5, 6], [4, 7]],
    }
    return position(players, phase="over", round=LAST_ROUND, **(parts | changes))


def test_h18_the_final_scoring_adds_all_parts_and_subtracts_what_is_negative() -> None:
    track, cards, development, tokens, prefectures, rows, villages = 11, 13, 9, 11, 6, 8, 4
    leftovers, negative = 10 // 5, 4 + 3 + 4 + 2
    total = track + cards + development + tokens + prefectures + rows + villages + leftovers
    assert scored(2).scores() == [total - negative] * 2 == [51, 51]


@pytest.mark.parametrize(
    ("track", "silver", "ranks", "utilities"),
    [(12, 0, [2, 1, 3], [0, 1, 0]), (11, 5, [1, 1, 3], [0.5, 0.5, 0])],
)
def test_h19_ties_are_broken_by_yokai_then_by_the_score_track(
    track: int, silver: int, ranks: list[int], utilities: list[float]
) -> None:
    """A VP less on the track of seat 1 is made up for by five silver more."""
    yokai_20 = (
        "digger digger copyist copyist ruffian novice hermit porter trader trail_guide "
        "carpenter letter_writer drummer"
    )
    assert sum(CARDS[card].yokai for card in SCORED.split()) == 17
    assert sum(CARDS[card].yokai for card in yokai_20.split()) == 20
    state = scored(
        3,
        score=[11, track, 9],
        silver=[5, silver, 255],
        pilgrims=[0, 0, 10],
        tracks=[(1, 0, 4), (1, 0, 4), (0, 0, 0)],
        deck=["", "", ""],
        discard=[SCORED, SCORED, yokai_20],
    )
    assert state.scores() == [51, 51, 49]
    assert state.ranks() == ranks
    assert state.returns() == utilities

"""Worked examples of Shugendo (H1 to H23), and rules that always hold."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from statistics import mean
from typing import Any

import pytest

from . import shugendo
from .shugendo import (
    CELLS,
    CHANCE,
    COMPASSES,
    NEIGHBOURS,
    PHASES,
    TILES,
    Shugendo,
    State,
    Step,
    ranking,
    tiles_suffice,
)
from .shugendo_tables import (
    BOARDS,
    CARDS,
    COMMUNITIES,
    DEFAULT,
    DEVELOPMENT,
    ICONS,
    MILESTONES,
    PREFECTURES,
    REWARDS,
    RULES,
    TRACKS,
    Board,
    Card,
    Gain,
    Milestone,
    Tables,
)

every_player_count = pytest.mark.parametrize("players", range(2, 5))
both_sides = pytest.mark.parametrize("flower", [0, 1])
every_board = pytest.mark.parametrize("board", BOARDS)

LAND = " ".join(cell for cell, row in BOARDS["board_common"].cells.items() if row.terrain != "lake")


def play(state: State, *texts: str) -> State:
    for text in texts:
        state.apply(text)
    return state


def reveal(state: State, *cards: str) -> State:
    return play(state, *(text for card in cards for text in ("reveal", f"draw:{card}")))


def at(phase: str, players: int = 2, flower: int = 0, **parts: Any) -> State:
    return Shugendo(players, flower).setup(phase=phase, **parts)


def random_ply(state: State, rng: random.Random) -> str:
    outcomes = state.chance()
    if not outcomes:
        return rng.choice(state.legal())
    return rng.choices([text for text, _ in outcomes], [float(p) for _, p in outcomes])[0]


def busy_ply(state: State, rng: random.Random) -> str:
    """Somebody in a hurry: five yokai are enough, nothing is left undone, the last card is best."""
    step, moves = state.agenda[0], state.legal()
    if not moves:
        return random_ply(state, rng)
    if step.name == "reveal":
        assert step.seat is not None
        return moves[0] if state.total_yokai(step.seat) < 5 else moves[-1]
    if step.name == "main":
        best = [text for text in moves if text.split(":")[0] in ("develop", "city", "village")]
        return rng.choice(best or moves[1:])
    return moves[-1] if step.name == "buy" else rng.choice(moves)


def tracks(state: State, seat: int = 0) -> tuple[int, ...]:
    return tuple(state.seats[seat].tracks.values())


def skip_to(state: State, phase: str) -> State:
    """Stop revealing, do nothing, buy nothing until a phase begins."""
    while state.phase != phase:
        (text,) = {"stop", "done"} & set(state.legal())
        state.apply(text)
    return state


def bust_chance(state: State, move: str) -> Fraction:
    """The probability that a move and the draw after it bust the seat."""
    state = play(state.clone(), move)
    seat = state.subject()
    assert isinstance(seat, int)
    return sum(
        (p for text, p in state.chance() if play(state.clone(), text).seats[seat].busted),
        Fraction(0),
    )


# -- component tables ------------------------------------------------------------------------------


def every_copy(age: int) -> list[Card]:
    return [card for card in CARDS.values() if card.age == age for _ in range(card.copies)]


def test_a_starting_deck_has_13_cards_14_yokai_and_costs_9_vp() -> None:
    cards = every_copy(0)
    assert len(cards) == 13
    assert sum(card.yokai for card in cards) == 14
    assert sum(card.end_vp for card in cards) == -9
    assert sum(sum(card.icons.values()) for card in cards) == 10
    assert sum(card.gold for card in cards) == 6


@pytest.mark.parametrize(
    ("age", "designs", "cards", "cost", "yokai", "end_vp"),
    [(1, 17, 34, 3.8, 1.41, 0.6), (2, 15, 30, 5.5, 1.60, 1.2), (3, 13, 26, 7.9, 1.62, 3.0)],
)
def test_folk_cards_grow_with_the_ages(
    age: int, designs: int, cards: int, cost: float, yokai: float, end_vp: float
) -> None:
    """SG37"""
    own = every_copy(age)
    assert len({id(card) for card in own}) == designs
    assert len(own) == cards
    assert round(mean(card.cost for card in own), 1) == cost
    assert round(mean(card.yokai for card in own), 2) == yokai
    assert round(mean(card.end_vp for card in own), 1) == end_vp
    assert {card.yokai for card in own} == {0, 1, 2, 3}


def test_every_icon_and_every_special_is_used() -> None:
    specials = {card.special for card in CARDS.values()} - {""}
    assert len(specials) == 13
    assert all(any(card.icons[icon] for card in CARDS.values()) for icon in ICONS)


@pytest.mark.parametrize("age", [1, 2, 3])
def test_no_card_is_dominated_by_another_of_its_age(age: int) -> None:
    rows = {name: card for name, card in CARDS.items() if card.age == age}
    assert not [(a, b) for a, b in product(rows, rows) if a != b and dominates(rows[a], rows[b])]


def dominates(card: Card, other: Card) -> bool:
    return (
        card.cost <= other.cost
        and card.yokai <= other.yokai
        and all(card.icons[icon] >= other.icons[icon] for icon in ICONS)
        and card.gold >= other.gold
        and all(more >= less for more, less in zip(card.bonus, other.bonus, strict=True))
        and other.special in ("", card.special)
        and card.end_vp >= other.end_vp
    )


def test_there_are_13_development_and_9_prefecture_tokens_and_5_tiles_of_each_level() -> None:
    """SG38: more dots, no more VP."""
    for tokens, number in ((DEVELOPMENT, 13), (PREFECTURES, 9)):
        assert sum(map(len, tokens.values())) == number
        for row in tokens.values():
            assert [token.dots for token in row] == list(range(1, len(row) + 1))
            assert [t.vp for t in row] == sorted((t.vp for t in row), reverse=True)
    assert Counter(row.level for row in REWARDS.values()) == {1: 5, 2: 5}


def test_milestones_with_a_flower_use_each_bonus_once() -> None:
    """SG4"""
    common, *flowers = MILESTONES.values()
    for colour in ("ivory", "iron", "gold"):
        found = [getattr(milestone, colour) for milestone in flowers]
        assert len(set(found)) == 5
        assert getattr(common, colour) in found


def test_cells_are_next_to_each_other_as_on_a_hex_map() -> None:
    printed = {
        "a1": "a2 b1",
        "a2": "a1 a3 b1 b2",
        "a3": "a2 a4 b2 b3",
        "a4": "a3 a5 b3 b4",
        "a5": "a4 b4 b5",
        "b1": "a1 a2 b2 c1 c2",
        "b2": "a2 a3 b1 b3 c2 c3",
        "b3": "a3 a4 b2 b4 c3 c4",
        "b4": "a4 a5 b3 b5 c4 c5",
        "b5": "a5 b4 c5",
        "c1": "b1 c2 d1",
        "c2": "b1 b2 c1 c3 d1 d2",
        "c3": "b2 b3 c2 c4 d2 d3",
        "c4": "b3 b4 c3 c5 d3 d4",
        "c5": "b4 b5 c4 d4 d5",
        "d1": "c1 c2 d2",
        "d2": "c2 c3 d1 d3",
        "d3": "c3 c4 d2 d4",
        "d4": "c4 c5 d3 d5",
        "d5": "c5 d4",
    }
    assert {cell: " ".join(near) for cell, near in NEIGHBOURS.items()} == printed


@every_board
def test_a_map_has_16_land_cells_with_the_printed_icons(board: str) -> None:
    cells = BOARDS[board].cells
    icons = Counter(row.icon for row in cells.values() if row.terrain != "lake")
    assert list(cells) == CELLS
    singles = dict.fromkeys(["start", "ivory", "iron", "gold"], 1)
    assert icons == {**singles, "bonus": 5, "penalty": 4, "": 3}
    assert sum(row.penalty for row in cells.values()) == 10
    assert any(row.gain.pilgrims for row in cells.values())
    assert all(row.icon == "" for row in cells.values() if row.terrain == "lake")
    start = next(row for row in cells.values() if row.icon == "start")
    assert start.terrain == "forest"


@pytest.mark.parametrize(
    ("board", "terrains", "everything", "paths", "all_three"),
    [
        ("board_common", (7, 5, 4), 28, (3, 5, 7), 13),
        ("board_crane", (7, 5, 4), 28, (5, 9, 10), 13),
        ("board_fox", (8, 4, 4), 27, (3, 3, 6), 11),
        ("board_koi", (7, 6, 3), 27, (3, 3, 8), 10),
        ("board_deer", (7, 5, 4), 28, (3, 4, 9), 13),
    ],
)
def test_maps_cost_as_many_compasses_as_published_with_the_rules(
    board: str,
    terrains: tuple[int, ...],
    everything: int,
    paths: tuple[int, ...],
    all_three: int,
) -> None:
    cells = BOARDS[board].cells
    found = Counter(row.terrain for row in cells.values())
    assert tuple(found[terrain] for terrain in COMPASSES) == terrains
    costs = cheapest_tiles(BOARDS[board])
    goals = [next(c for c in CELLS if cells[c].icon == icon) for icon in ("ivory", "iron", "gold")]
    assert tuple(min(costs[s] for s in costs if goal in s) for goal in goals) == paths
    assert min(cost for tiles, cost in costs.items() if tiles.issuperset(goals)) == all_three
    assert max(costs.values()) == everything  # all land is connected
    assert max(map(len, costs)) == 16


def cheapest_tiles(board: Board) -> dict[frozenset[str], int]:
    """Every set of tiles that Explore can lead to, with its cost."""
    land = {c for c in CELLS if board.cells[c].terrain != "lake"}
    start = frozenset(c for c in land if board.cells[c].icon == "start")
    costs, layer = {start: 0}, {start}
    while layer:
        following: set[frozenset[str]] = set()
        for tiles in layer:
            for cell in {n for tile in tiles for n in NEIGHBOURS[tile]} & land - tiles:
                costs[tiles | {cell}] = costs[tiles] + COMPASSES[board.cells[cell].terrain]
                following.add(tiles | {cell})
        layer = following
    return costs


# -- worked examples -------------------------------------------------------------------------------


def test_h1_tiles_suffice_exactly_when_they_can_be_turned_to_show_the_terrains() -> None:
    """SG1, all ways to turn them by brute force."""
    demands = [(40, 20, 5), (50, 10, 6), (30, 5, 30), (56, 0, 0), (20, 45, 0), (0, 36, 30)]
    assert [tiles_suffice(*d) for d in demands] == [True, False, True, False, True, False]
    turned = [range(number + 1) for number in TILES.values()]
    fh, fm, hm = TILES.values()
    assert (fh, fm, hm) == (35, 20, 10)
    most: dict[tuple[int, int], int] = {}
    for as_forest, as_forest_too, as_hills in product(*turned):
        forests, hills = as_forest + as_forest_too, fh - as_forest + as_hills
        mountains = fm - as_forest_too + hm - as_hills
        most[forests, hills] = max(most.get((forests, hills), 0), mountains)
    for forests, hills in product(range(fh + fm, -1, -1), range(fh + hm, -1, -1)):
        near = [(forests, hills), (forests + 1, hills), (forests, hills + 1)]
        most[forests, hills] = max(most.get(key, -1) for key in near)
    for forests, hills, mountains in product(range(58), range(48), range(33)):
        feasible = mountains <= most.get((forests, hills), -1)
        assert tiles_suffice(forests, hills, mountains) == feasible


def test_h1_four_players_never_need_more_tiles_than_there_are() -> None:
    """SG1"""
    terrains = [Counter(row.terrain for row in board.cells.values()) for board in BOARDS.values()]
    assert [max(count[t] for count in terrains) for t in COMPASSES] == [8, 6, 4]
    for maps in combinations_with_replacement(terrains, 4):
        assert tiles_suffice(*(sum(count[t] for count in maps) for t in COMPASSES))


def test_h2_the_first_draw_of_a_game() -> None:
    state = play(at("reveal"), "reveal")
    odds = {text.removeprefix("draw:"): p for text, p in state.chance()}
    assert odds == {
        **dict.fromkeys(["scout", "digger", "copyist", "peddler"], Fraction(2, 13)),
        **dict.fromkeys(["trader", "porter", "novice", "hermit", "ruffian"], Fraction(1, 13)),
    }
    assert sum(p * CARDS[card].yokai for card, p in odds.items()) == Fraction(14, 13)


def test_h3_a_pilgrim_is_offered_between_four_and_six_yokai() -> None:
    without, owner = (
        reveal(at("reveal", pilgrims=[number]), "scout", "novice", "ruffian") for number in (0, 1)
    )
    assert without.legal() == ["reveal", "stop"]
    assert owner.legal() == ["reveal", "stop", "pilgrim:1", "pilgrim:2", "pilgrim:3"]
    assert bust_chance(owner, "reveal") == Fraction(8, 10)
    assert bust_chance(owner, "pilgrim:1") == 0
    play(owner, "pilgrim:1")
    assert (owner.total_yokai(0), owner.seats[0].pilgrims) == (5, 0)
    play(owner, "draw:digger")
    assert owner.legal() == ["reveal", "stop"]


def test_h4_the_discard_pile_becomes_the_deck_when_a_card_is_to_be_drawn() -> None:
    state = at(
        "reveal",
        deck=["scout copyist peddler porter novice hermit"],
        discard=["scout digger digger copyist peddler trader fisher"],
    )
    reveal(state, "scout", "copyist", "peddler", "porter", "novice")
    assert state.total_yokai(0) == 5
    play(state, "reveal")
    assert state.chance() == [("draw:hermit", Fraction(1))]
    play(state, "draw:hermit")
    assert state.total_yokai(0) == 6
    assert bust_chance(state, "reveal") == Fraction(6, 7)
    play(state, "reveal")
    assert state.seats[0].deck.total() == 7
    assert not state.seats[0].discard


def test_h5_chances_to_bust_on_the_third_and_on_the_fourth_card() -> None:
    busts = [Fraction(0)] * 4
    waiting = [(at("reveal"), Fraction(1))]
    for number in range(4):
        following = []
        for state, weight in waiting:
            play(state, "reveal")
            for text, p in state.chance():
                after = play(state.clone(), text)
                if after.seats[0].busted:
                    busts[number] += weight * p
                else:
                    following.append((after, weight * p))
        waiting = following
    assert busts == [0, 0, 0, Fraction(36, 715)]


H6: dict[str, Any] = {"revealed": ["porter shrine_maiden theatre_troupe"]}


def test_h6_full_tracks_are_not_offered() -> None:
    state = at("action", tracks=[(9, 10, 3)], **H6)
    assert state.legal() == ["gain:compass"]
    play(state, "gain:compass")
    for _ in range(3):
        assert state.legal() == ["gain:book"]
        play(state, "gain:book")
    assert tracks(state) == (10, 10, 6)
    assert state.legal()[0] == "done"


def test_h7_choices_of_a_batch_do_not_go_back() -> None:
    state = at("action", tracks=[(8, 4, 3)], **H6)
    assert state.legal() == ["gain:compass", "gain:hammer"]
    play(state, "gain:compass", "gain:hammer")
    assert tracks(state) == (9, 5, 3)
    assert state.legal() == ["gain:hammer", "gain:book"]


def test_h8_quiet_cells_are_explored_in_order() -> None:
    state = at("action", tracks=[(4, 0, 0)])
    assert state.legal() == ["done", "explore:c3", "explore:d2", "explore:d4"]
    play(state, "explore:d4")
    assert state.legal() == ["gain:compass", "gain:hammer", "gain:book"]
    play(state, "gain:compass")
    assert tracks(state)[0] == 4
    assert state.legal() == ["done", "explore:c3", "explore:c5", "explore:d2", "explore:d5"]
    play(state, "explore:d5")
    assert tracks(state)[0] == 3
    assert state.legal() == ["done", "explore:c3"]


def test_h9_farmsteads_are_placed_in_order_unless_one_founds() -> None:
    state = at("action", covered=["c1 c2 c3 d2 d3 d4 d5"], farms=["c2"], tracks=[(0, 6, 0)])
    play(state, "village:c2", "farm:c3")
    assert "farm:c1" not in state.legal()
    play(state, "farm:d2", "farm:d3")
    assert tracks(state)[1] == 1
    assert state.legal() == ["done", "farm:c1", "farm:d4", "farm:d5"]
    play(state, "farm:d4")
    own = state.seats[0]
    assert (own.prefecture_tokens, own.marks) == ([(1, 5)], {"d4"})
    assert (own.silver, own.score, tracks(state)[1]) == (5, 1, 0)
    assert [state.row_vp(0, kind) for kind in COMMUNITIES] == [1, 1, 0]


def test_h10_a_prefecture_that_grows_is_not_founded_again() -> None:
    state = at(
        "action",
        covered=["c1 c2 c3 d2 d3 d4 d5"],
        farms=["c3"],
        villages=["d2"],
        cities=["c2"],
        marks=["c2"],
        tracks=[(0, 10, 0)],
    )
    play(state, "farm:c1", "farm:d3", "farm:d4", "farm:d5", "city:d2", "village:d5")
    own = state.seats[0]
    assert state.actor() == 1  # nothing but `done` was left (SG12)
    assert state.group(own.tokens, "c2") == set(own.tokens)
    assert (tracks(state)[1], own.silver, own.score) == (1, 3, 1)
    assert (own.marks, own.prefecture_tokens) == ({"c2"}, [(1, 5)])


def test_h11_only_the_first_in_turn_order_gets_the_third_prefecture_token() -> None:
    both: dict[str, Any] = {
        "covered": [LAND],
        "cities": ["c1 b3 d4"],
        "villages": ["d1 c3 d5"],
        "farms": ["b1 a4"],
        "marks": ["c1 b3"],
        "score": [4],
        "tracks": [(0, 3, 0)],
    }
    parts = {name: part * 2 for name, part in both.items()}
    state = at("action", prefecture_tokens=[[5, 7], [4, 6]], **parts)
    assert state.prefectures == {1: [], 2: [], 3: [12]}
    play(state, "city:d5", "city:d5")
    assert [own.prefecture_tokens for own in state.seats] == [
        [(1, 5), (2, 7), (3, 12)],
        [(1, 4), (2, 6)],
    ]
    for seat in (0, 1):
        score = state.score_parts(seat)
        assert (score["track"], score["prefectures"], score["rows"]) == (7, 12, 16)
        assert [state.row_vp(seat, kind) for kind in COMMUNITIES] == [0, 2, 14]
    assert state.phase == "over"


def test_h12_several_ages_in_one_action_take_the_highest_token_of_each() -> None:
    state = at("action", tracks=[(1, 1, 12), (1, 1, 5)])
    play(state, "develop", "develop", "develop")
    first, second = state.seats
    assert (first.age, first.development, first.tracks["book"]) == (3, {2: 4, 3: 6}, 0)
    assert (second.age, second.development) == (2, {2: 3})
    assert state.development == {2: [], 3: [5], 4: [10, 8], 5: [15]}


H13: dict[str, Any] = {"revealed": ["scout ruffian novice hermit"], "busted": [0]}


def test_h13_after_mischief_the_action_phase_may_be_played() -> None:
    state = at("action", **H13)
    assert state.legal() == ["mischief:action", "mischief:recruit"]
    play(state, "mischief:action")
    assert tracks(state) == (2, 1, 1)
    assert state.legal() == ["gain:compass", "gain:hammer"]
    play(state, "gain:compass", "gain:hammer")
    assert tracks(state) == (3, 2, 1)
    assert state.legal() == ["gain:compass", "gain:hammer", "gain:book"]
    play(state, "gain:book")
    skip_to(state, "reveal")
    assert state.round == 2
    assert state.seats[0].silver == 2


def test_h13_after_mischief_the_recruit_phase_may_be_played_instead() -> None:
    state = play(at("action", **H13), "mischief:recruit")
    assert tracks(state) == (1, 1, 1)
    assert state.actor() == 1
    skip_to(state, "recruit")
    assert (state.actor(), state.gold) == (0, 2)


def test_h14_cards_are_bought_then_replaced_both_in_order() -> None:
    state = at(
        "recruit",
        revealed=["trader novice scout peddler"],
        display={
            1: "hunter hunter carpenter shrine_maiden drummer",
            2: "mountain_guide merchant miner wrestler",
        },
    )
    assert state.gold == 4
    assert state.legal() == [
        "done",
        "recruit:hunter",
        "recruit:carpenter",
        "recruit:shrine_maiden",
        "recruit:drummer",
    ]
    play(state, "recruit:hunter")
    assert state.gold + state.seats[0].silver == 3
    assert state.legal() == ["done", "recruit:hunter", "recruit:drummer"]
    play(state, "recruit:hunter")
    assert state.seats[0].silver == 0
    assert state.legal() == ["replace:scout", "replace:peddler", "replace:trader"]
    play(state, "replace:scout")
    assert state.legal() == ["replace:peddler", "replace:trader", "replace:novice"]


TWO_PREFECTURES: dict[str, Any] = {
    "covered": ["a1 b1 b3 b4 c1 c2 c3 d1 d2 d3 d4 d5"],
    "farms": ["b1 d3"],
    "villages": ["d1 b3"],
    "cities": ["c1 c3"],
    "marks": ["c1 c3"],
}


def test_h15_a_reward_tile_may_carry_the_marker_to_the_next() -> None:
    state = at(
        "recruit",
        score=[4],
        tracks=[(10, 9, 3)],
        rewards="r1_steps r2_fame",
        revealed=["daimyo theatre_troupe"],
        **TWO_PREFECTURES,
    )
    assert (state.seats[0].score, state.gold) == (12, 4)
    assert state.legal() == ["gain:hammer", "gain:book"]
    play(state, "gain:hammer")
    assert state.legal() == ["gain:book"]
    play(state, "gain:book")
    assert tracks(state) == (10, 10, 4)


def test_h16_special_bonuses_count_the_map_and_the_revealed_cards() -> None:
    state = at(
        "recruit",
        covered=["b1 b4 c1 c2 c3 d1 d2 d3 d4 d5"],
        farms=["d2 d3 d4"],
        villages=["c1 c2"],
        cities=["b1"],
        marks=["b1"],
        silver=[0],
        tracks=[(10, 10, 5)],
        revealed=[
            "field_singer village_head city_magistrate storyteller terrace_master woodcutter "
            "harmony_priest"
        ],
    )
    assert (state.seats[0].score, state.seats[0].silver, state.gold) == (6, 2, 12)
    assert state.legal() == ["gain:book"]
    play(state, "gain:book")
    assert tracks(state) == (10, 10, 6)


@pytest.mark.parametrize(
    ("covered", "offers"),
    [
        ("c3 c4 d4 d5", "a2 a3 b2 b3 b4 c1 c2 d2"),
        ("c3 c4 d4", "b2 b3 b4 c2 d2 d5"),
    ],
)
def test_h17_iv_leap_skips_one_space(covered: str, offers: str) -> None:
    state = at(
        "action",
        flower=1,
        boards=["board_fox"],
        milestones=["ms_b"],
        covered=[covered],
        tracks=[(2, 0, 0)],
    )
    assert state.legal() == ["done", *(f"explore:{cell}" for cell in offers.split())]


def test_h18_final_scoring() -> None:
    state = at(
        "over",
        age=[3],
        development=[[4, 5]],
        prefecture_tokens=[[5, 6]],
        score=[11],
        silver=[3],
        pilgrims=[1],
        tracks=[(2, 0, 4)],
        deck=[""],
        discard=[
            "digger digger copyist peddler hermit fisher night_watch field_singer mountain_guide "
            "diviner abbot banker spirit_tamer"
        ],
        **TWO_PREFECTURES,
    )
    assert state.score_parts(0) == {
        "track": 11,
        "cards": 13,
        "development": 9,
        "prefecture_tokens": 11,
        "prefectures": 6,
        "rows": 8,
        "five_vp": 0,
        "milestone": 4,
        "leftovers": 2,
        "negative": -4 - 3 - 4 - 2,
    }
    assert state.scores()[0] == 51


def test_h19_ties_are_broken_by_yokai_then_by_the_score_track() -> None:
    assert ranking([(51, 17, 11), (51, 17, 12), (49, 20, 9)]) == [2, 1, 3]
    assert ranking([(51, 17, 11), (51, 17, 11), (49, 20, 9)]) == [1, 1, 3]


def test_h20_a_missing_card_is_refilled_from_the_deck_of_its_age() -> None:
    state = at(
        "recruit",
        age=[2],
        display={2: "merchant merchant scholar miner"},
        revealed=["trader peddler"],
    )
    play(state, "recruit:miner", "replace:peddler")
    assert (state.actor(), state.subject()) == (CHANCE, CHANCE)
    odds = {text.removeprefix("refill:"): p for text, p in state.chance()}
    once = {"scholar": Fraction(1, 26), "miner": Fraction(1, 26)}
    twice = [c for c, row in CARDS.items() if row.age == 2 and c not in {*once, "merchant"}]
    assert odds == {**once, **dict.fromkeys(twice, Fraction(1, 13))}


@pytest.mark.parametrize(
    ("players", "ages", "piles"),
    [
        (2, [[4, 3], [6, 5], [10, 8], [15]], [[5, 4], [7, 6], [12]]),
        (3, [[4, 3, 3], [6, 5, 4], [10, 8, 7], [15]], [[5, 4, 3], [7, 6, 5], [12]]),
        (4, [[4, 3, 3, 2], [6, 5, 4, 3], [10, 8, 7, 6], [15]], [[5, 4, 3, 2], [7, 6, 5, 4], [12]]),
    ],
)
def test_h21_tokens_with_too_many_dots_stay_in_the_box(
    players: int, ages: list[list[int]], piles: list[list[int]]
) -> None:
    state = Shugendo(players).new()
    assert list(state.development.values()) == ages
    assert list(state.prefectures.values()) == piles


def test_h22_gains_are_there_at_once_and_iv_peaks_makes_mountains_cheaper() -> None:
    state = at("action", covered=["d3 d2 c2 c1"], tracks=[(4, 0, 0)])
    play(state, "explore:c3")
    assert (tracks(state)[0], state.seats[0].pilgrims) == (2, 1)
    play(state, "explore:b3")
    assert (tracks(state)[0], state.seats[0].silver) == (0, 4)
    assert state.actor() == 1


@pytest.mark.parametrize(
    ("track", "after"), [("hammer", (0, 10, 10)), ("book", (0, 8, 12)), ("compass", (4, 8, 10))]
)
def test_h23_ir_boost_advances_one_track_by_four(track: str, after: tuple[int, ...]) -> None:
    state = at("action", covered=["d3 c3 b3"], tracks=[(1, 8, 10)])
    play(state, "explore:b4")
    assert state.legal() == ["boost:compass", "boost:hammer", "boost:book"]
    play(state, f"boost:{track}")
    assert tracks(state) == after


# -- set-up and rounds -----------------------------------------------------------------------------


@every_player_count
@both_sides
def test_setup_is_all_chance_in_a_fixed_order(players: int, flower: int) -> None:
    state, verbs = Shugendo(players, flower).new(), []
    rng = random.Random(players)
    while state.phase != "reveal":
        assert state.actor() == CHANCE
        outcomes = state.chance()
        assert sum(p for _, p in outcomes) == 1
        verbs.append(outcomes[0][0].split(":")[0])
        state.apply(random_ply(state, rng))
    dealt = ["board"] * players + ["milestone"] * players
    assert verbs == ["first", "reward", "reward", *dealt * flower, *["refill"] * 12]
    assert [len(state.shown(age)) for age in (1, 2, 3)] == [5, 4, 3]
    assert state.actor() == state.first


def test_boards_and_milestones_with_a_flower_are_dealt_without_replacement() -> None:
    """SG3, SG41: the last of four boards is a ply with one outcome."""
    state = play(Shugendo(4, 1).new(), "first:p2", "reward:r1_trio", "reward:r2_trio")
    assert state.subject() == 0
    for board in ("fox", "crane", "deer"):
        assert f"board:board_{board}" in [text for text, _ in state.chance()]
        play(state, f"board:board_{board}")
    assert state.chance() == [("board:board_koi", Fraction(1))]
    play(state, "board:board_koi")
    assert [text for text, p in state.chance() if p == Fraction(1, 5)] == [
        f"milestone:ms_{letter}" for letter in "abcde"
    ]
    assert [own.covered for own in state.seats] == [{"c3"}, {"a1"}, {"c1"}, {"d4"}]


def test_the_first_player_passes_to_the_left_each_round() -> None:
    """SG39"""
    state = at("recruit", players=3, first=2, round=4)
    assert (state.round, state.first, state.actor()) == (5, 0, 0)


def test_cards_of_a_round_go_to_the_discard_pile() -> None:
    state = at("recruit", revealed=["peddler trader"], display={1: "drummer hunter fisher"})
    play(state, "recruit:drummer", "replace:peddler")
    while state.phase == "recruit":
        state.apply(state.possible()[0])
    assert state.seats[0].discard == Counter(["trader", "drummer"])
    assert state.removed()["peddler"] == 1


THREE_PREFECTURES: dict[str, Any] = {
    "covered": [LAND],
    "cities": ["c1 b3 d4 d5"],
    "villages": ["d1 c3"],
    "farms": ["b1 a4"],
    "marks": ["c1 b3 d5"],
}


@pytest.mark.parametrize(
    ("parts", "ends"),
    [
        ({}, False),
        ({"round": 59}, False),
        ({"round": 60}, True),
        ({"score": [14]}, False),
        ({"score": [0, 15]}, True),
        ({"age": [4]}, False),
        ({"age": [5]}, True),
        ({**THREE_PREFECTURES, "cities": ["c1 b3 d4"], "marks": ["c1 b3"]}, False),
        (THREE_PREFECTURES, True),
    ],
)
def test_the_game_ends_with_the_round_of_a_trigger(parts: Mapping[str, Any], ends: bool) -> None:
    """SG29, SG32"""
    assert (at("recruit", **parts).phase == "over") == ends


# -- Reveal ----------------------------------------------------------------------------------------


def test_a_seat_may_stop_without_a_card() -> None:
    """SG7"""
    state = play(at("reveal"), "stop")
    assert (state.actor(), state.phase) == (1, "reveal")


def test_a_pilgrim_is_placed_on_a_revealed_card_with_yokai_once_a_round() -> None:
    """SG8: from four yokai on, for the numbers that the revealed cards show."""
    state = reveal(at("reveal", pilgrims=[2]), "scout", "peddler", "novice")
    assert (state.total_yokai(0), state.legal()) == (3, ["reveal", "stop"])
    reveal(state, "digger")
    assert state.legal() == ["reveal", "stop", "pilgrim:1", "pilgrim:2"]
    play(state, "pilgrim:2", "draw:ruffian")
    assert (state.total_yokai(0), state.legal()) == (5, ["reveal", "stop"])


def test_without_cards_left_the_reveal_ends_without_a_decision() -> None:
    """SG6"""
    quiet = "scout scout digger digger copyist copyist rice_trader rice_trader merchant merchant"
    state = at("reveal", deck=[f"{quiet} elder_poet elder_poet peddler"], pilgrims=[1])
    reveal(state, *quiet.split(), "elder_poet", "elder_poet")
    assert state.legal() == ["reveal", "stop", "pilgrim:1"]
    play(state, "reveal", "draw:peddler")
    assert state.actor() == 1


def test_iv_calm_makes_two_yokai_of_three_and_iv_alms_pays_for_a_bust() -> None:
    calm, alms = (
        at("reveal", flower=1, boards=["board_koi"], milestones=[milestone], covered=[covered])
        for milestone, covered in (("ms_c", "d4 d3 c3 c2"), ("ms_d", "d4 d3 c3 c2"))
    )
    for state, total in ((calm, 6), (alms, 7)):
        reveal(state, "ruffian", "novice", "scout", "digger")
        assert state.total_yokai(0) == total
    assert calm.legal() == ["reveal", "stop"]
    assert (alms.seats[0].busted, alms.seats[0].pilgrims, alms.actor()) == (True, 1, 1)


# -- Action ----------------------------------------------------------------------------------------


def test_a_batch_that_wraps_around_goes_on_from_the_new_choice() -> None:
    """SG42"""
    state = at("action", revealed=["spirit_tamer"], tracks=[(1, 1, 11)])
    play(state, "gain:book")
    assert state.legal() == ["gain:compass", "gain:hammer"]
    play(state, "gain:hammer")
    assert state.legal() == ["gain:hammer"]


def test_without_anything_to_do_there_is_no_main_action() -> None:
    state = at("action", tracks=[(0, 0, 4)])
    assert state.actor() == 1


def test_one_kind_of_main_action_a_round() -> None:
    """SG12"""
    state = at("action", tracks=[(3, 3, 5)])
    kinds = {text.split(":")[0] for text in state.legal()}
    assert kinds == {"done", "explore", "farm", "develop"}
    for text in ("explore:d2", "farm:d3", "develop"):
        after = play(state.clone(), text)
        rest = {each.split(":")[0] for each in after.legal()} if after.actor() == 0 else {"done"}
        assert rest <= {"done", *(["village"] if text == "farm:d3" else []), text.split(":")[0]}


def test_a_later_seat_in_age_5_gets_no_token() -> None:
    """SG23"""
    state = at("action", age=[4, 4], tracks=[(0, 0, 10), (0, 0, 10)])
    play(state, "develop", "develop")
    assert state.phase == "over"
    assert [own.development.get(5) for own in state.seats] == [15, None]


def test_a_pile_that_is_empty_is_replaced_by_the_highest_top_below() -> None:
    """SG20"""
    state = at("action", players=3)
    state.prefectures = {1: [3], 2: [5], 3: []}
    for number in (3, 3, 3, 1, 2):
        state.take_prefecture(0, number)
    assert state.seats[0].prefecture_tokens == [(2, 5), (1, 3)]


def flower_koi(milestone: str, **parts: Any) -> State:
    """One step before the iron cell of board_koi; the ivory cell is covered already."""
    return at(
        "action",
        flower=1,
        boards=["board_koi"],
        milestones=[milestone],
        **{"covered": ["d4 d3 c3 c2 c4"], "tracks": [(1, 0, 0)], **parts},
    )


def test_ir_farms_places_three_farmsteads_in_order() -> None:
    """SG33"""
    state = play(flower_koi("ms_a"), "explore:b4")
    assert state.legal() == [f"farm:{cell}" for cell in ("b4", "c2", "c3", "c4", "d3", "d4")]
    play(state, "farm:c4")
    assert state.legal() == [f"farm:{cell}" for cell in ("d3", "d4")]
    play(state, "farm:d4")
    assert state.legal() == [
        f"farm:{cell}" for cell in ("b4", "c2", "c3", "d3")
    ]  # none left at all
    play(state, "farm:b4")
    assert state.actor() == 1


def test_ir_farms_may_found_and_be_swapped_before_it_goes_on() -> None:
    """SG21, SG33: iv_swap is active, the order starts anew after the founding."""
    state = flower_koi("ms_a", cities=["d3"], villages=["c3"])
    play(state, "explore:b4", "farm:d4")
    assert state.seats[0].marks == {"d4"}
    assert state.legal() == ["noswap", "swap:d4"]
    play(state, "swap:d4")
    own = state.seats[0]
    assert (own.tokens["d4"], own.score) == ("city", 2)
    assert state.legal() == [f"farm:{cell}" for cell in ("b4", "c2", "c4")]
    play(state, "farm:c4")
    assert state.legal() == [f"farm:{cell}" for cell in ("b4", "c2")]


def test_iv_swap_asks_nothing_without_a_farmstead() -> None:
    """SG21"""
    state = flower_koi("ms_a", cities=["d3"], villages=["c3"], tracks=[(0, 3, 0)])
    play(state, "city:c3")
    assert (state.seats[0].marks, state.actor()) == ({"c3"}, 1)


def test_ir_village_gives_the_row_bonus_and_is_lost_without_a_farmstead() -> None:
    """SG18, SG33"""
    state = play(flower_koi("ms_b", farms=["c3 d4"]), "explore:b4")
    assert state.legal() == ["village:c3", "village:d4"]
    play(state, "village:c3")
    assert (state.seats[0].tokens["c3"], tracks(state)) == ("village", (0, 1, 0))
    assert play(flower_koi("ms_b"), "explore:b4").actor() == 1


def test_ir_gift_gives_one_vp_and_one_silver() -> None:
    state = play(flower_koi("ms_c"), "explore:b4")
    assert (state.seats[0].score, state.seats[0].silver) == (1, 3)


def test_ir_guest_recruits_one_card_of_an_unlocked_age_for_free() -> None:
    """SG26: what is replaced gives no gold, and the display is refilled after the phase."""
    display = {1: "hunter hunter fisher potter drummer"}
    state = flower_koi("ms_e", revealed=["trader peddler"], display=display)
    play(state, "explore:b4")
    designs = ["hunter", "fisher", "potter", "drummer"]
    assert state.legal() == [f"recruit:{card}" for card in designs]
    play(state, "recruit:potter")
    assert state.legal() == ["replace:peddler", "replace:trader"]
    play(state, "replace:trader")
    assert state.shown(1) == ["hunter", "hunter", "fisher", "drummer"]
    skip_to(state, "restock")
    assert (state.actor(), state.chance()[0][0]) == (CHANCE, "refill:stonemason")
    play(state, "refill:stonemason")
    assert (state.phase, state.gold, state.seats[0].revealed_count) == ("recruit", 1, 2)


def test_ir_guest_is_lost_without_a_revealed_card() -> None:
    assert play(flower_koi("ms_e"), "explore:b4").actor() == 1


CROWDED: dict[str, Any] = {"covered": ["c1 c2 c3 d2 d3 d4"], "farms": ["c2 d3"], "villages": ["d2"]}


@pytest.mark.parametrize(
    ("flower", "parts"),
    [
        (0, {"tracks": [(4, 0, 0)]}),
        (0, {"tracks": [(0, 9, 11)], "revealed": ["shrine_maiden porter silk_reeler"]}),
        (0, {"tracks": [(0, 6, 0)], **CROWDED}),
        (1, {"tracks": [(4, 0, 0)], "milestones": ["ms_b"], "covered": ["d4 d3 c3 c2"]}),
        (1, {"tracks": [(1, 3, 0)], "milestones": ["ms_a"], "covered": ["d4 d3 c3 c2 c4"]}),
    ],
)
def test_canonical_orders_lose_no_result_of_a_turn(
    flower: int, parts: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """SG11, SG13, SG22"""
    state = at("action", flower=flower, boards=["board_koi"] * flower, **parts)
    ordered = results_of_turn(state)
    monkeypatch.setattr(State, "_belongs_before", lambda *_: False)
    monkeypatch.setattr(State, "_sites_in_order", lambda own, seat, kind, _: own.sites(seat, kind))
    monkeypatch.setattr(State, "_may_gain", any_track)
    assert results_of_turn(state) == ordered


def any_track(state: State, step: Step) -> list[str]:
    return [f"gain:{track}" for track in step.ids if not state.is_full(step.seat or 0, track)]


def results_of_turn(state: State) -> set[Hashable]:
    """Every position after the present turn."""
    turn, met, ended, waiting = state.turn(), set[Hashable](), set[Hashable](), [state]
    while waiting:
        position = waiting.pop()
        key = position.key()
        if position.turn() != turn:
            ended.add(key)
        elif key not in met:
            met.add(key)
            waiting += [play(position.clone(), text) for text in position.legal()]
    return ended


# -- score track -----------------------------------------------------------------------------------


def test_both_tiles_are_gained_in_order_by_one_long_move() -> None:
    """SG28: the level 1 tile itself does not pass 10 a second time."""
    state = at("recruit", score=[4], rewards="r1_fame r2_coins", revealed=["daimyo theatre_troupe"])
    assert state.seats[0].score == 4 + 2 + 1
    state = at(
        "recruit",
        score=[6],
        rewards="r1_fame r2_coins",
        revealed=["daimyo theatre_troupe"],
        **TWO_PREFECTURES,
    )
    assert (state.seats[0].score, state.seats[0].silver) == (12, 2 + 4)


def test_the_first_to_reach_15_takes_the_5_vp_token() -> None:
    state = at(
        "recruit", score=[14, 14], revealed=["lantern_bearer"] * 2, rewards="r1_fame r2_fame"
    )
    assert state.five_vp == 0
    assert state.score_parts(0)["five_vp"] == 5
    skip_to(state, "over")
    assert (state.seats[1].score, state.five_vp) == (15, 0)


# -- Recruit ---------------------------------------------------------------------------------------


def test_no_more_cards_are_bought_than_are_revealed() -> None:
    """SG25"""
    state = at("recruit", revealed=["peddler"], silver=[20])
    play(state, state.legal()[1])
    assert state.legal() == ["replace:peddler"]


def test_an_exhausted_deck_leaves_gaps() -> None:
    """SG27"""
    state = at("recruit", revealed=["banker"], decks={1: "", 2: "", 3: ""})
    play(state, "recruit:hunter", "replace:banker")
    assert state.phase == "reveal"
    assert len(state.shown(1)) == 4


@pytest.mark.parametrize(
    ("special", "gain"),
    [
        ("sp_vp_prefectures", Gain(vp=4)),
        ("sp_pilgrim_sets", Gain(pilgrims=2)),
        ("sp_vp_sets", Gain(vp=2)),
        ("sp_vp_cities", Gain(vp=2)),
        ("sp_vp_villages", Gain(vp=1)),
        ("sp_vp_farms", Gain(vp=0)),
        ("sp_vp_revealed", Gain(vp=2)),
        ("sp_silver_farms", Gain(silver=0)),
        ("sp_silver_villages", Gain(silver=1)),
        ("sp_silver_cities", Gain(silver=2)),
        ("sp_step_forest", Gain(any=1)),
        ("sp_vp_hills", Gain(vp=1)),
        ("sp_vp_mountains", Gain(vp=1)),
    ],
)
def test_special_bonuses_are_rounded_down(special: str, gain: Gain) -> None:
    """Two of each Community, 7 forests, 3 hills, 2 mountains, 11 cards and one of them replaced."""
    revealed = ["scout scout digger digger copyist copyist peddler peddler trader porter"]
    state = at("action", revealed=revealed, revealed_count=[11], **TWO_PREFECTURES)
    assert state.special(0, special) == gain


# -- golden Milestones -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("milestone", "vp", "negative"),
    [("ms_a", 0, 0), ("ms_b", 8, -19), ("ms_d", 3, -19), ("ms_e", 8, -19)],
)
def test_golden_milestones(milestone: str, vp: int, negative: int) -> None:
    """SG5, E: the starting cards have -9, the four penalties -10; four cards are worth nothing."""
    cells = BOARDS["board_deer"].cells
    covered = [c for c in CELLS if cells[c].terrain != "lake" and cells[c].icon != "penalty"]
    state = at(
        "over",
        flower=1,
        boards=["board_deer"],
        milestones=[milestone],
        covered=[" ".join(covered)],
        age=[2],
    )
    score = state.score_parts(0)
    assert (score["milestone"], score["negative"]) == (vp, negative)


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "done", "reveal:scout", "draw:scout", "pilgrim:1", "stop "])
def test_a_text_that_is_not_possible_is_refused_and_changes_nothing(text: str) -> None:
    state = at("reveal")
    before = state.clone()
    with pytest.raises(ValueError, match="not possible here"):
        state.apply(text)
    assert state == before


@pytest.mark.parametrize(("players", "flower"), [(1, 0), (5, 0), (2, 2)])
def test_the_game_is_for_two_to_four_players_with_two_sides(players: int, flower: int) -> None:
    with pytest.raises(ValueError, match=r"2 to 4|0 or 1"):
        Shugendo(players, flower)


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"deck": ["scout"]}, "13 cards"),
        ({"discard": ["hunter hunter hunter"]}, "more cards of a kind"),
        ({"display": {1: "hunter hunter fisher fisher potter potter"}}, "display of Age 1"),
        ({"covered": ["c4"]}, "not on land"),
        ({"farms": ["d4"]}, "nothing below"),
        ({"covered": ["d3 d2"], "cities": ["d3 d2"]}, "should be a Prefecture"),
        ({"covered": ["d3 d2"], "cities": ["d3"], "marks": ["d3"]}, "too few stars"),
        ({"age": [3], "development": [[4]]}, "one Development token"),
        ({"tracks": [(11, 0, 0)]}, "out of range"),
        ({"score": [3], "five_vp": 0}, "5-VP token"),
        ({"boards": ["board_koi"]}, "without flower"),
        ({"rewards": "r2_coins r1_coins"}, "Reward tile"),
        ({"choice": ["action"]}, "only after a bust"),
        ({"done": 1}, "at its start"),
    ],
)
def test_a_position_whose_parts_do_not_fit_is_refused(
    parts: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        at("reveal", **parts)


def test_ranks_are_not_known_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        Shugendo(2).new().ranks()


# -- events and knowledge --------------------------------------------------------------------------


@every_player_count
@both_sides
def test_a_sealed_turn_shows_nothing_to_the_others(players: int, flower: int) -> None:
    """SG10, SG46: no event, and no change of what they know until it is over."""
    rng = random.Random(f"{players} {flower}")
    state = play_until_round(players, flower, 8, rng)
    while state.round < 14 and state.actor() is not None:
        text, turn = busy_ply(state, rng), state.turn()
        known = [state.knows(seat) for seat in range(players)]
        told = [(str(state.subject()), text)]
        assert state.events(text) == [
            told if turn in (None, seat) else [] for seat in range(players)
        ]
        state.apply(text)
        for seat in range(players):
            same = turn is not None and state.turn() == turn != seat
            assert (state.knows(seat) == known[seat]) or not same
    assert state.round > 8


def play_until_round(players: int, flower: int, round_: int, rng: random.Random) -> State:
    """A busy game up to a round, or to its end."""
    state = Shugendo(players, flower).new()
    while state.round < round_ and state.actor() is not None:
        state.apply(busy_ply(state, rng))
    return state


def test_nobody_sees_which_token_was_taken_until_the_phase_ends() -> None:
    """SG34: not even who took it."""
    state = at("action", tracks=[(1, 1, 5), (1, 1, 5)])
    before = [state.knows(seat) for seat in (0, 1)]
    play(state, "develop")
    for seat in (0, 1):
        for name in ("development", "taken"):
            assert fact(state.knows(seat), name) == fact(before[seat], name)
    ages = [fact(fact(state.knows(seat), "seats")[0], "age") for seat in (0, 1)]
    assert ages == [2, 1]
    skip_to(state, "reveal")
    assert fact(state.knows(1), "taken")[0] == (((2, 4),), ())


def fact(facts: tuple[tuple[str, Hashable], ...], name: str) -> Any:
    return dict(facts)[name]


# -- worlds ----------------------------------------------------------------------------------------


def test_where_nothing_is_sealed_there_is_one_world() -> None:
    state = at("recruit", revealed=["peddler trader"])
    ((world, weight),) = state.worlds(1)
    assert world == state
    assert weight == 1
    assert world is not state


def few_cards(milestone: Milestone = MILESTONES["ms_common"]) -> Tables:
    """Starting decks of five cards, and another Milestone."""
    copies = {"scout": 2, "peddler": 1, "novice": 1, "ruffian": 1}
    cards = {
        name: row if row.age else replace(row, copies=copies[name])
        for name, row in CARDS.items()
        if row.age or name in copies
    }
    return replace(DEFAULT, cards=cards, milestones={**MILESTONES, "ms_common": milestone})


Belief = dict[Hashable, Fraction]


def every_course(state: State, seat: int, weight: Fraction = Fraction(1)) -> Belief:
    """How the turn of a seat may end when it moves at random, course by course."""
    if state.turn() != seat:
        return {state.key(): weight}
    found: Belief = defaultdict(Fraction)
    moves = [(text, Fraction(1, len(state.legal()))) for text in state.legal()]
    for text, odds in state.chance() or moves:
        after = every_course(play(state.clone(), text), seat, weight * odds)
        for key, each in after.items():
            found[key] += each
    return found


def listed(state: State, seat: int) -> Belief:
    return {world.key(): weight for world, weight in state.worlds(seat)}


def test_worlds_of_a_reveal_are_all_its_courses() -> None:
    game = Shugendo(2, tables=few_cards())
    state = game.setup(phase="reveal", pilgrims=[1, 1])
    expected = every_course(state.clone(), 0)
    reveal(state, "ruffian", "novice")
    assert len(listed(state, 1)) == 1  # nothing is done yet as far as seat 1 can see
    play(state, "stop")
    assert listed(state, 1) == expected
    assert sum(expected.values()) == 1
    play(state, "reveal", "draw:scout")
    own, other = listed(state, 1), listed(state, 0)
    assert len(own) == len(expected)
    assert state.key() in own
    assert list(other.values()) == [1]
    assert all(dict(world.knows(1)) == dict(state.knows(1)) for world, _ in state.worlds(1))


def test_the_own_turn_stays_as_it_was_in_the_worlds_of_later_turns() -> None:
    game = Shugendo(3, tables=few_cards())
    state = reveal(game.setup(phase="reveal"), "scout", "peddler")
    play(state, "stop", "reveal", "draw:ruffian", "stop", "reveal")
    worlds = list(state.worlds(0))
    assert sum(weight for _, weight in worlds) == 1
    assert {game.sort_cards(world.seats[0].revealed) for world, _ in worlds} == {
        ("scout", "peddler")
    }
    assert {(world.actor(), world.seats[2].revealed.total()) for world, _ in worlds} == {(2, 0)}
    shown = {game.sort_cards(world.seats[1].revealed) for world, _ in worlds}
    assert len(shown) == 3 * 2 * 2 * 2


def test_worlds_agree_with_the_display_that_a_seat_has_seen() -> None:
    """SG46: only ir_guest looks at what earlier seats of the phase have left."""
    guest = Milestone("iv_peaks", "ir_guest", "go_villages")
    game = Shugendo(2, tables=few_cards(guest))
    state = game.setup(
        phase="action",
        covered=["d3 c3 b3"] * 2,
        tracks=[(1, 0, 0)] * 2,
        revealed=["peddler", "scout"],
        display={1: "hunter hunter fisher potter drummer"},
    )
    before = every_course(state.clone(), 0)
    play(state, "explore:b4", "recruit:hunter", "replace:peddler")
    assert listed(state, 1) == before
    taken = {game.sort_cards(world.seats[0].recruited) for world, _ in state.worlds(1)}
    assert taken == {(), ("hunter",), ("fisher",), ("potter",), ("drummer",)}
    play(state, "explore:b4")
    after = list(state.worlds(1))
    assert {game.sort_cards(world.seats[0].recruited) for world, _ in after} == {("hunter",)}
    assert sum(weight for _, weight in after) == 1
    play(state, "recruit:hunter", "replace:scout")
    assert len(listed(state, 1)) == len(after)


@pytest.mark.parametrize("players", [2, 3])
@both_sides
def test_a_world_looks_the_same_to_the_seat_it_was_made_for(
    players: int, flower: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shugendo, "MAX_WORLDS", 100)
    rng = random.Random(f"worlds {players} {flower}")
    state = Shugendo(players, flower, few_cards()).new()
    met: Counter[str] = Counter()
    while met["reveal"] < 5 or met["action"] < 2:
        if state.actor() is None:
            state = Shugendo(players, flower, few_cards()).new()
        state.apply(busy_ply(state, rng))
        seat = rng.randrange(players)
        if state.turn() == state.first or met[state.phase] > 5:
            continue
        try:
            worlds = list(state.worlds(seat))
        except ValueError:
            continue
        met[state.phase] += len(worlds) > 1
        assert sum(weight for _, weight in worlds) == 1
        for world, _ in rng.sample(worlds, min(10, len(worlds))):
            assert_same_to(seat, state, world)
        assert listed(worlds[-1][0], seat) == {w.key(): weight for w, weight in worlds}


def assert_same_to(seat: int, state: State, world: State) -> None:
    world.check()
    assert world.knows(seat) == state.knows(seat)
    assert (world.phase, world.turn()) == (state.phase, state.turn())
    if state.turn() in (None, seat):
        assert world.possible() == state.possible()
        for text in state.possible():
            assert world.events(text)[seat] == state.events(text)[seat]


def test_too_many_worlds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shugendo, "MAX_WORLDS", 400)
    state = play(at("reveal", players=4), "stop", "stop", "stop")
    with pytest.raises(ValueError, match="too many"):
        state.worlds(3)


# -- rules that hold in every game -----------------------------------------------------------------


@every_player_count
@both_sides
@pytest.mark.parametrize("policy", [random_ply, busy_ply])
def test_in_random_games_all_components_are_kept_after_every_ply(
    players: int, flower: int, policy: Any
) -> None:
    rng = random.Random(f"{players} {flower}")
    state = Shugendo(players, flower).new()
    phases = {state.phase}
    while state.actor() is not None:
        before = state.clone()
        state.apply(policy(state, rng))
        state.check()
        check_ply(before, state)
        assert len(state.scores()) == players
        phases.add(state.phase)
    unused = set() if flower else {"boards", "milestones"}
    assert phases >= set(PHASES) - unused - {"first", "restock"}
    assert (state.legal(), state.chance(), state.subject()) == ([], [], None)
    assert state.is_last_round()
    assert sum(state.utilities()) == 1
    assert min(state.ranks()) == 1


def check_ply(before: State, after: State) -> None:
    outcomes = before.chance()
    assert sum(p for _, p in outcomes) == (1 if outcomes else 0)
    lost = after.removed() - before.removed()
    assert lost.total() <= 1
    assert not before.removed() - after.removed()
    for old, new in zip(before.seats, after.seats, strict=True):
        assert old.score <= new.score
        assert old.age <= new.age
        assert old.covered <= new.covered
        assert old.marks <= new.marks
        assert set(old.tokens) <= set(new.tokens)
        assert len(old.prefecture_tokens) <= len(new.prefecture_tokens)


@every_player_count
@both_sides
def test_in_random_games_choices_stay_within_their_bounds(players: int, flower: int) -> None:
    bounds = {
        "reveal": 5,
        "mischief": 2,
        "gain": 3,
        "main": 18,
        "swap": 9,
        "iron_farms": 16,
        "iron_village": 8,
        "iron_boost": 3,
        "guest_card": 12,
        "replace": 13,
        "buy": 13,
    }
    rng = random.Random(f"bounds {players} {flower}")
    state = Shugendo(players, flower).new()
    while state.actor() is not None:
        legal = state.legal()
        assert len(set(legal)) == len(legal) <= bounds.get(state.agenda[0].name, 0)
        assert in_canonical_order(legal)
        state.apply(busy_ply(state, rng))


ORDER = [
    *("reveal", "stop", "pilgrim", "mischief", "gain", "done", "noswap"),
    *("explore", "farm", "village", "city", "develop", "swap", "boost", "recruit", "replace"),
]


def in_canonical_order(texts: Iterable[str]) -> bool:
    names = ["", *"123", "action", "recruit", *TRACKS, *CELLS, *CARDS]

    def rank(text: str) -> tuple[int, int]:
        verb, _, what = text.partition(":")
        return ORDER.index(verb), names.index(what)

    ranks = [rank(text) for text in texts]
    return ranks == sorted(ranks)


def test_busy_games_end_by_score_and_by_age() -> None:
    rng = random.Random("triggers")
    met = set()
    for number in range(12):
        state = play_until_round(2 + number % 3, number % 2, RULES.round_limit + 1, rng)
        assert state.phase == "over"
        met |= {"score" for own in state.seats if own.score >= RULES.end_vp}
        met |= {"age" for own in state.seats if own.age == 5}
    assert met == {"score", "age"}


@every_player_count
def test_a_clone_goes_its_own_way(players: int) -> None:
    rng = random.Random(players)
    for round_ in (1, 3, 6):
        state = play_until_round(players, 1, round_, rng)
        copy = state.clone()
        assert copy == state
        copy.apply(copy.possible()[0])
        assert copy != state
        assert state.clone() == state

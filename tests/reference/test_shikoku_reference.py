"""Worked examples of Shikoku (numbers 1 to 12), and rules that always hold."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Hashable
from fractions import Fraction
from itertools import islice
from math import comb

import pytest

from .shikoku import ALL_CARDS, DEFAULT_ICONS, HAND_SIZE, PAGODA, Shikoku, State

PLAYERS = range(3, 9)


def play(state: State, *texts: str) -> State:
    for text in texts:
        state.apply(text)
    return state


def after_setup(players: int, row: list[int]) -> State:
    """Deal the lowest cards that the set-up row leaves, then turn up the row."""
    state = Shikoku(players).new()
    spare = sorted(ALL_CARDS - set(row))
    play(state, *(f"deal:{card}" for card in spare[: HAND_SIZE * players]))
    return play(state, *(f"row:{card}" for card in row))


def random_ply(state: State, rng: random.Random) -> str:
    return rng.choice(state.possible())


def random_state(players: int, plies: int, rng: random.Random) -> State:
    state = Shikoku(players).new()
    for _ in range(plies):
        if state.actor() is None:
            break
        state.apply(random_ply(state, rng))
    return state


def over(*steps: int) -> State:
    return Shikoku(len(steps)).setup(phase="over", steps=steps)


# -- component table -----------------------------------------------------------------------------


def test_icons_run_from_one_to_six_and_sum_to_111() -> None:
    assert len(DEFAULT_ICONS) == 33
    assert sum(DEFAULT_ICONS.values()) == 111
    assert Counter(DEFAULT_ICONS.values()) == {1: 4, 2: 6, 3: 8, 4: 7, 5: 5, 6: 3}


# -- worked examples -----------------------------------------------------------------------------


def test_example_1_every_pilgrim_climbs_its_setup_card_and_the_lowest_card_starts() -> None:
    state = after_setup(4, [17, 5, 30, 12])
    assert state.steps() == [5, 2, 4, 4]
    assert state.order() == [1, 3, 0, 2]
    assert (state.phase, state.actor()) == ("play", 1)


def example_2() -> State:
    state = Shikoku(4).setup(
        phase="play",
        steps=[5, 2, 4, 4],
        order=[1, 3, 0, 2],
        hands=[[19, 6, 7], [21, 8, 9], [33, 10, 11], [2, 13, 14]],
        prev_row=[17, 5, 30, 12],
    )
    return play(state, "play:21", "play:2", "play:19", "play:33")


def test_example_2_with_four_players_only_the_second_lowest_card_stays() -> None:
    state = example_2()
    assert state.steps() == [5, 5, 7, 9]


def test_example_2_the_owner_of_the_lowest_card_becomes_last() -> None:
    assert example_2().order() == [0, 1, 2, 3]


def test_example_3_the_last_player_draws_and_the_leftover_card_leaves_the_game() -> None:
    state = example_2()
    assert (state.actor(), state.subject()) == ("chance", 3)
    play(state, "draw:20")
    assert state.actor() == 0
    assert state.legal() == ["take:5", "take:12", "take:17", "take:30"]
    play(state, "take:30", "take:12", "take:5")
    assert state.removed == {17}
    assert state.prev_row == {2, 19, 21, 33}
    assert state.hands[3] == {13, 14, 20}
    assert (state.phase, state.actor()) == ("play", 0)
    assert state.order() == [0, 1, 2, 3]


def test_example_4_with_five_players_the_second_highest_card_stays_too() -> None:
    state = Shikoku(5).setup(
        phase="play",
        steps=[10] * 5,
        hands=[[3, 1, 2], [8, 4, 5], [20, 6, 7], [25, 9, 10], [31, 11, 12]],
        prev_row=[13, 14, 15, 16, 17],
    )
    play(state, "play:3", "play:8", "play:20", "play:25", "play:31")
    assert state.steps() == [12, 10, 12, 10, 15]
    assert state.order() == [1, 2, 3, 4, 0]


def test_example_5_nobody_climbs_past_the_pagoda_and_the_game_ends_there() -> None:
    state = Shikoku(3).setup(
        phase="play",
        steps=[30, 31, 20],
        hands=[[6, 1, 2], [7, 3, 4], [15, 5, 8]],
        prev_row=[10, 11, 12],
    )
    play(state, "play:6", "play:7", "play:15")
    assert state.steps() == [33, 31, 26]
    assert state.actor() is None
    assert state.winners() == [1]
    assert state.scores() == [33, 31, 26]
    assert state.utilities() == [0, 1, 0]


def test_example_6_with_eight_players_the_last_card_is_drawn_in_round_1() -> None:
    state = example_6_round_1()
    assert (state.phase, len(state.deck)) == ("draw", 1)
    last = state.order()[-1]
    assert state.subject() == last
    assert state.chance() == [("draw:33", Fraction(1))]
    play(state, "draw:33")
    assert len(state.hands[last]) == HAND_SIZE
    takers = take_all(state)
    assert takers == state.order()[:-1]
    assert len(state.removed) == 1
    assert state.deck == set()


def test_example_6_with_an_empty_deck_nobody_draws_and_the_last_player_takes_too() -> None:
    state = example_6_round_1()
    play(state, "draw:33")
    take_all(state)
    play_lowest_cards(state)
    assert state.phase == "take"
    assert take_all(state) == state.order()
    assert len(state.removed) == 1
    assert state.prev_row
    assert all(len(hand) == HAND_SIZE for hand in state.hands)


def test_example_6_the_last_player_has_one_card_to_take_and_must_still_take_it() -> None:
    state = example_6_round_1()
    play(state, "draw:33")
    take_all(state)
    play_lowest_cards(state)
    while len(state.prev_row) > 1:
        play(state, state.legal()[0])
    assert state.actor() == state.order()[-1]
    assert len(state.legal()) == 1


def example_6_round_1() -> State:
    state = after_setup(8, [25, 26, 27, 28, 29, 30, 31, 32])
    assert state.deck == {33}
    play_lowest_cards(state)
    return state


def play_lowest_cards(state: State) -> None:
    for _ in range(state.game.players):
        play(state, state.legal()[0])


def take_all(state: State) -> list[int | str | None]:
    """Take cards until the phase ends; the seats that took, in order."""
    takers = []
    while state.phase == "take":
        takers.append(state.actor())
        play(state, state.legal()[0])
    return takers


def test_example_7_with_four_players_everyone_on_the_second_step_from_the_top_wins() -> None:
    assert over(33, 30, 30, 12).winners() == [1, 2]


def test_example_7_with_five_players_the_second_step_from_the_bottom_wins_too() -> None:
    state = over(33, 30, 30, 12, 7)
    assert state.winners() == [1, 2, 3]
    assert state.utilities() == [0, 1, 1, 1, 0]
    assert state.ranks() == [2, 1, 1, 1, 2]


def test_example_8_with_three_occupied_steps_both_winning_positions_are_the_middle_one() -> None:
    assert over(33, 33, 28, 28, 15, 15).winners() == [2, 3]


def test_example_9_with_two_occupied_steps_the_lower_one_wins() -> None:
    assert over(33, 33, 29, 29, 29).winners() == [2, 3, 4]
    assert over(33, 33, 33, 20).winners() == [3]


def test_example_10_when_all_reach_the_pagoda_nobody_wins() -> None:
    state = over(33, 33, 33)
    assert state.winners() == []
    assert state.utilities() == [0, 0, 0]
    assert len(set(state.ranks())) == 1


def test_example_11_the_first_draw_with_four_players_has_17_equal_outcomes() -> None:
    outcomes = example_2().chance()
    assert [probability for _, probability in outcomes] == [Fraction(1, 17)] * 17


def test_example_12_with_three_players_there_are_5920200_worlds_after_setup() -> None:
    state = after_setup(3, [10, 20, 30])
    assert len(state.unseen(0)) == 27
    assert state.world_count(0) == 5_920_200
    with pytest.raises(ValueError, match="5920200"):
        state.worlds(0)


# -- the text of moves and what is refused --------------------------------------------------------


def test_the_deal_gives_seat_0_its_three_cards_before_seat_1() -> None:
    state = Shikoku(3).new()
    subjects = []
    while state.phase == "deal":
        subjects.append(state.subject())
        play(state, state.chance()[0][0])
    assert subjects == [0, 0, 0, 1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("text", ["", "play", "play:", "play:3", "play:021", "take:21", "draw:20"])
def test_a_text_that_is_not_possible_is_refused_and_changes_nothing(text: str) -> None:
    state = after_setup(4, [17, 5, 30, 21])
    before = state.clone()
    with pytest.raises(ValueError, match="not possible"):
        state.apply(text)
    assert state == before


def test_a_position_with_a_card_in_two_places_is_refused() -> None:
    with pytest.raises(ValueError, match="exactly one place"):
        Shikoku(3).setup(phase="deal", hands=[[1], [1], []])


@pytest.mark.parametrize("players", [2, 9])
def test_the_game_is_for_three_to_eight_players(players: int) -> None:
    with pytest.raises(ValueError, match="3 to 8"):
        Shikoku(players)


def test_winners_are_not_known_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        Shikoku(3).new().winners()


# -- events and knowledge -------------------------------------------------------------------------


def test_only_the_owner_sees_a_dealt_or_drawn_card() -> None:
    assert Shikoku(3).new().events("deal:9") == [("0", "deal:9"), ("0", "deal:?"), ("0", "deal:?")]
    assert example_2().events("draw:20") == [("3", "draw:?")] * 3 + [("3", "draw:20")]


def test_everyone_sees_the_setup_row_the_plays_and_the_takes() -> None:
    state = after_setup(3, [10, 20, 30])
    assert state.events("play:1") == [("0", "play:1")] * 3
    state = play(example_2(), "draw:20")
    assert state.events("take:30") == [("0", "take:30")] * 4


def test_a_taken_card_is_public_until_it_is_played() -> None:
    state = play(example_2(), "draw:20", "take:30", "take:12", "take:5")
    assert state.known == [{30}, {12}, {5}, set()]
    play(state, "play:30")
    assert state.known[0] == set()


def test_worlds_are_all_ways_to_place_the_unseen_cards() -> None:
    state = small_world_state()
    worlds = list(state.worlds(0))
    unseen = len(state.unseen(0))
    assert len(worlds) == state.world_count(0) == comb(unseen, 2) * comb(unseen - 2, 1)
    assert len({repr(world) for world in worlds}) == len(worlds)
    assert worlds.count(state) == 1
    assert {world.knows(0) for world in worlds} == {state.knows(0)}
    assert len({world.knows(1) for world in worlds}) > 1


def small_world_state() -> State:
    """Three players, seven cards out of seat 0's sight: two in one hand, one in another."""
    return Shikoku(3).setup(
        phase="play",
        steps=[9, 12, 14],
        order=[2, 0, 1],
        hands=[[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        known=[[1], [4], [7, 8]],
        prev_row=[10, 11, 12],
        removed=range(13, 30),
    )


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_tells_two_positions_apart_exactly_when_it_has_seen_different_things(
    seat: int,
) -> None:
    """From one information set, follow every course of the game for a while and sort the
    positions reached by what the seat saw on the way: the same groups as by what it knows."""
    knowledge_after: dict[Hashable, set[Hashable]] = defaultdict(set)
    sights_before: dict[Hashable, set[Hashable]] = defaultdict(set)
    reached: list[tuple[State, tuple[tuple[str, str], ...]]]
    reached = [(world, ()) for world in draw_state().worlds(seat)]
    while reached:
        state, seen = reached.pop()
        knowledge_after[seen].add(state.knows(seat))
        sights_before[state.knows(seat)].add(seen)
        if state.phase in ("draw", "take"):
            for text in state.possible():
                after = play(state.clone(), text)
                reached.append((after, (*seen, state.events(text)[seat])))
    assert len(knowledge_after) > 1
    assert all(len(group) == 1 for group in knowledge_after.values())
    assert all(len(group) == 1 for group in sights_before.values())


def draw_state() -> State:
    return Shikoku(3).setup(
        phase="draw",
        steps=[9, 12, 14],
        order=[2, 0, 1],
        hands=[[1, 2], [4, 5], [7, 8]],
        known=[[1], [4], [7, 8]],
        prev_row=[10, 11, 12],
        row={2: 15, 0: 16, 1: 14},
        removed=[3, 6, 9, 13, *range(17, 30)],
    )


# -- rules that hold in every game ----------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_in_random_games_every_card_stays_in_one_place_and_hands_are_refilled(
    players: int,
) -> None:
    rng = random.Random(players)
    for _ in range(40):
        state = Shikoku(players).new()
        while state.actor() is not None:
            before = state.clone()
            state.apply(random_ply(state, rng))
            state.check()
            check_hand_sizes(state)
            assert len(before.deck) - len(state.deck) == (before.actor() == "chance")
            assert all(old <= new for old, new in zip(before.steps(), state.steps(), strict=True))
        assert PAGODA in state.steps()
        assert all(state.step_of[winner] < PAGODA for winner in state.winners())
        assert state.legal() == []
        assert state.chance() == []


def check_hand_sizes(state: State) -> None:
    for seat, hand in enumerate(state.hands):
        if state.phase == "row":
            assert len(hand) == HAND_SIZE
        if state.phase == "play":
            assert len(hand) == HAND_SIZE - (seat in state.row)
            assert len(state.prev_row) == state.game.players
        if state.phase in ("draw", "over"):
            assert len(hand) == HAND_SIZE - 1
        if state.phase == "take":
            assert len(hand) in (HAND_SIZE - 1, HAND_SIZE)


@pytest.mark.parametrize("players", PLAYERS)
def test_in_random_games_chance_adds_up_to_one_and_choices_stay_within_their_bounds(
    players: int,
) -> None:
    rng = random.Random(players)
    for _ in range(10):
        state = Shikoku(players).new()
        while state.actor() is not None:
            outcomes = state.chance()
            assert sum(probability for _, probability in outcomes) == (1 if outcomes else 0)
            assert len(state.legal()) <= (3 if state.phase == "play" else players)
            state.apply(random_ply(state, rng))


@pytest.mark.parametrize("players", PLAYERS)
def test_in_random_games_a_world_looks_the_same_to_the_seat_it_was_made_for(players: int) -> None:
    rng = random.Random(players)
    listed = 0
    for _ in range(12):
        state = random_state(players, rng.randrange(4 * players, 12 * players), rng)
        for seat in range(players):
            if state.world_count(seat) > 200_000:
                continue
            for world in islice(state.worlds(seat), 200):
                world.check()
                assert world.knows(seat) == state.knows(seat)
                if state.actor() == seat:
                    assert world.legal() == state.legal()
                listed += 1
    assert listed > 0


@pytest.mark.parametrize("players", PLAYERS)
def test_a_clone_goes_its_own_way(players: int) -> None:
    rng = random.Random(players)
    state = random_state(players, 6 * players, rng)
    copy = state.clone()
    assert copy == state
    if state.actor() is not None:
        copy.apply(copy.possible()[0])
        assert copy != state

"""Boards are drawn from the text of a view or position, and say nothing beyond it."""

import io

import pytest
from rich.console import Console

import henro as engine
from henro import components
from henro.cli.board import board_of, render
from henro.cli.boards.base import Board

CARDS = components.load("shikoku")
HEAD = f"shikoku players=4 components={CARDS.id} "
FIRST_ROUND = (
    HEAD + "seat=2 phase=play turn=1 order=1,3,0,2 steps=5,2,4,4 previous=5,12,17,30 "
    "row=-,21,-,- removed=- hands=?3/?2/3,7,9/?3 deck=17"
)
TAKING = (
    HEAD + "seat=2 phase=take turn=2 order=0,1,2,3 steps=5,5,7,9 previous=5,17 "
    "row=19,21,33,2 removed=8 hands=?2+30/?2+12/3,9/?3 deck=15"
)


def drawn(text: str, width: int = 100) -> list[str]:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(render(text, CARDS))
    return [line.rstrip() for line in console.export_text().splitlines()]


def line(lines: list[str], start: str) -> str:
    [found] = [text for text in lines if text.startswith(start)]
    return found


def test_the_headline_says_who_is_to_move_and_how_large_the_deck_is():
    assert drawn(FIRST_ROUND)[0] == "Shikoku, 4 players | p3 to play | deck 17"


def test_lanes_stand_in_the_order_of_turns_with_a_mark_for_the_seat_to_move():
    lanes = drawn(FIRST_ROUND)[3:7]
    assert drawn(FIRST_ROUND)[2].startswith("turn  pilgrim")
    assert [lane[:7] for lane in lanes] == [" 1    p", "▶2    p", " 3    p", " 4    p"]
    assert [lane.split()[1] for lane in lanes] == ["p1", "p3", "p0", "p2"]
    assert "p2 you" in lanes[3]


def test_a_pilgrim_stands_under_the_number_of_its_step():
    lines = drawn(FIRST_ROUND)
    start = lines[2].index(" 1 ") + 1
    for lane, step in zip(lines[3:7], (2, 4, 5, 4), strict=True):
        assert lane.index("●") == start + step - 1
    assert lines[2][start + 31 : start + 33] == "33"


def test_places_are_counted_by_occupied_steps_from_the_top():
    assert [lane.split("p")[1][1:].split()[0] for lane in drawn(TAKING)[3:5]] == ["3rd", "3rd"]
    assert "1st" in drawn(TAKING)[6]


def test_hidden_cards_are_question_marks_and_taken_ones_are_named():
    lanes = drawn(TAKING)[3:7]
    assert lanes[0].endswith("? ? 30+")
    assert lanes[1].endswith("? ? 12+")
    assert lanes[2].endswith("3 9")
    assert lanes[3].endswith("? ? ?")


def test_the_row_is_sorted_and_tells_who_stands_still():
    row = line(drawn(TAKING), "mantra row")
    assert row.split("   ", 1)[1].strip() == (
        "p3 2 ▲▲▲▲▲   p0 19 ▲▲▲▲▲ stands still   p1 21 ▲▲▲   p2 33 ▲▲▲"
    )


def test_the_other_places_for_cards_are_shown_with_icons():
    lines = drawn(TAKING)
    assert line(lines, "previous row").split()[2:] == ["5", "▲", "17", "▲▲▲▲"]
    assert line(lines, "out of the game").split()[4:] == ["8", "▲▲"]
    assert line(lines, "your hand").split()[2:] == ["3", "▲▲", "9", "▲▲▲▲"]
    assert line(drawn(FIRST_ROUND), "out of the game").split()[4:] == ["-"]


def test_a_position_shows_all_hands_and_no_reader():
    position = FIRST_ROUND.replace("seat=2 ", "").replace("?3/?2/3,7,9/?3", "1,2/4,6,8/3,7,9/10,11")
    lines = drawn(position)
    assert lines[3].endswith("4 6 8")
    assert not any(text.startswith("your hand") or "you" in text for text in lines)


@pytest.mark.parametrize("players", [3, 8])
def test_every_view_of_a_game_can_be_drawn_and_told_in_80_columns(players):
    game = engine.load_game("shikoku", players)
    board = board_of(CARDS)
    state = game.new_initial_state()
    for seed in range(10_000):
        before = state.view(0)
        for text in (before, state.serialize()):
            lines = drawn(text, width=80)
            assert max(map(len, lines)) <= 80
            assert sum("●" in lane for lane in lines) == players
        if state.is_terminal():
            break
        if state.is_chance_node():
            action = state.sample_chance(seed)
        else:
            action = state.legal_actions()[seed % len(state.legal_actions())]
        told = [board.event(*seen) for seat in state.events(action) for seen in seat]
        assert state.action_to_string(action).startswith("deal:") == (None in told)
        state.apply_action(action)
        was_play, is_play = "phase=play" in before, "phase=play" in state.view(0)
        assert (board.change(before, state.view(0)) is not None) == (was_play and not is_play)
        assert board.begins_round(before, state.view(0)) == (is_play and not was_play)
    assert state.is_terminal()


def test_the_climb_is_told_card_by_card():
    after = TAKING.replace("take turn=2", "draw turn=0")
    assert board_of(CARDS).change(FIRST_ROUND, after).plain == (
        "climb: p3 +5 to 9, p0 stands still, p1 +3 to 5, p2 +3 to 7"
    )


def test_the_prompt_asks_for_the_number_of_a_card():
    board = board_of(CARDS)
    assert board.prompt(["play:3", "play:7", "play:9"]) == "play a card of your hand: 3, 7 or 9> "
    assert board.prompt(["take:5", "take:17"]) == "take a card of the previous row: 5 or 17> "


@pytest.mark.parametrize("players", [3, 4, 5, 8])
def test_goal_and_legend_tell_of_the_second_from_the_bottom_where_it_counts(players):
    board = board_of(CARDS)
    assert ("second lowest step" in board.goal(players)) == (players >= 5)
    assert ("second highest card" in board.legend(players)) == (players >= 5)


def test_a_game_without_a_board_of_its_own_shows_its_fields():
    board = Board(CARDS)
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(board.board("jinja players=2 gold=3,4"))
    text = console.export_text()
    assert "jinja" in text
    assert "gold" in text
    assert board.event("chance", "roll:3").plain == "chance roll:3"
    assert board.event("1", "take:?").plain == "p1 take:?"
    assert board.move("take:3").plain == "take:3"
    assert board.change("jinja a=1", "jinja a=2") is None
    assert not board.begins_round("jinja a=1", "jinja a=2")
    assert board.prompt(["take:3", "roll"]) == "your move: take:3 or roll> "
    assert board.goal(2) == board.legend(2) == ""

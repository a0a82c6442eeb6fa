"""Texts and pickles give back what went into them, at every kind of ply, for every seat."""

import pickle

from tests.families.cases import Case, every_case, sized
from tests.families.walks import positions, seats

each_size = sized("per_kind", 4, 60)


@every_case
@each_size
def test_a_view_reads_back_as_the_information_set_that_wrote_it(case: Case, per_kind: int) -> None:
    for state in positions(case, per_kind):
        for seat in seats(case):
            view = state.view(seat)
            info = case.game.information_set(view)
            assert info.view() == view == state.information_state_string(seat)
            assert info == state.information_set(seat)
            assert info.key() == state.information_set(seat).key()
            assert info.seat == seat
            assert info.game == case.game


@every_case
@each_size
def test_a_world_drawn_from_a_view_shows_that_view(case: Case, per_kind: int) -> None:
    for state in positions(case, per_kind):
        for seat in seats(case):
            view = state.view(seat)
            assert case.game.information_set(view).sample(1).view(seat) == view


@every_case
@each_size
def test_a_position_reads_back_as_the_state_that_wrote_it(case: Case, per_kind: int) -> None:
    for state in positions(case, per_kind):
        text = state.serialize()
        read = case.game.deserialize_state(text)
        assert read == state
        assert read.serialize() == text
        assert read.history() == []
        assert [read.view(seat) for seat in seats(case)] == [
            state.view(seat) for seat in seats(case)
        ]


@every_case
@each_size
def test_views_and_positions_are_single_lines_of_plain_characters(
    case: Case, per_kind: int
) -> None:
    for state in positions(case, per_kind):
        for text in [state.serialize(), *(state.view(seat) for seat in seats(case))]:
            assert text.isascii()
            assert text.isprintable()
            assert text == " ".join(text.split())


@every_case
@each_size
def test_the_parts_of_a_text_may_come_in_any_order(case: Case, per_kind: int) -> None:
    for state in positions(case, per_kind):
        assert case.game.deserialize_state(_turned_round(state.serialize())) == state
        info = state.information_set(0)
        assert case.game.information_set(_turned_round(info.view())) == info


@every_case
@each_size
def test_states_information_sets_and_games_survive_pickling(case: Case, per_kind: int) -> None:
    assert pickle.loads(pickle.dumps(case.game)) == case.game
    for state in positions(case, per_kind):
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        assert again.history() == state.history()
        assert again.game == case.game
        for seat in seats(case):
            info = state.information_set(seat)
            assert pickle.loads(pickle.dumps(info)) == info


def _turned_round(text: str) -> str:
    name, *parts = text.split(" ")
    return " ".join([name, *reversed(parts)])

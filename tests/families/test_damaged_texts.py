"""A damaged view or position is refused with the part named, or is another sound one."""

import re

import pytest
from hypothesis import given, settings

import henro
from henro import PositionError, ViewError
from tests.families.cases import Case, every_case, sized
from tests.families.mutations import damaged
from tests.families.plies import possible_actions
from tests.families.walks import positions, seats

each_size = sized("examples", 150, 20_000)


@every_case
@each_size
def test_a_damaged_position_is_refused_or_sound(case: Case, examples: int) -> None:
    texts = [state.serialize() for state in positions(case, 4)]

    @settings(max_examples=examples)
    @given(damaged(texts))
    def check(text: str) -> None:
        try:
            state = case.game.deserialize_state(text)
        except PositionError as error:
            assert_names_the_part(str(error), "position", texts[0])
        else:
            assert_sound(case, state)

    check()


@every_case
@each_size
def test_a_damaged_view_is_refused_or_sound(case: Case, examples: int) -> None:
    texts = [state.view(seat) for state in positions(case, 2) for seat in seats(case)]

    @settings(max_examples=examples)
    @given(damaged(texts))
    def check(text: str) -> None:
        try:
            info = case.game.information_set(text)
        except ViewError as error:
            assert_names_the_part(str(error), "view", texts[0])
        else:
            assert case.game.information_set(info.view()) == info
            assert case.game.information_set(info.view()).view() == info.view()
            world = info.sample(1)
            assert world.view(info.seat) == info.view()
            assert_sound(case, world)

    check()


def assert_names_the_part(message: str, what: str, text: str) -> None:
    keys = "|".join(re.findall(r"(\w+)=", text))
    part = rf"{what}: (({keys})=|part '({keys})='|unknown part )"
    assert re.match(rf"{part}|{what} must start with ", message), message
    assert message.isprintable()
    assert len(message) < 400


def assert_sound(case: Case, state: henro.State) -> None:
    """Its text is canonical, the view of each seat can be read, the game played to its end."""
    text = state.serialize()
    again = case.game.deserialize_state(text)
    assert again == state
    assert again.serialize() == text
    for seat in seats(case):
        info = case.game.information_set(state.view(seat))
        assert info.view() == state.view(seat)
        assert info.sample(1).view(seat) == state.view(seat)
    for action in possible_actions(state):
        again.clone().apply_action(action)
    for plain in (False, True):
        assert state.playouts(2, 1, plain=plain).games == 2


@every_case
@pytest.mark.parametrize("text", ["", " ", "\0", "=", "\n", "shikoku", "x=1", "\x7f", "é" * 10**6])
def test_a_text_of_something_else_is_refused(case: Case, text: str) -> None:
    with pytest.raises(PositionError, match=r"^position(: part '| must start with )"):
        case.game.deserialize_state(text)
    with pytest.raises(ViewError, match=r"^view(: part '| must start with )"):
        case.game.information_set(text)


@every_case
def test_a_position_is_no_view_and_a_view_is_no_position(case: Case) -> None:
    state = positions(case, 1)[0]
    with pytest.raises(ViewError, match="part 'seat=' is missing"):
        case.game.information_set(state.serialize())
    with pytest.raises(PositionError, match="unknown part 'seat=0'"):
        case.game.deserialize_state(state.view(0))


@every_case
@sized("per_kind", 1, 10)
def test_every_part_of_a_text_is_needed_once(case: Case, per_kind: int) -> None:
    for state in positions(case, per_kind):
        for read, text, error in [
            (case.game.deserialize_state, state.serialize(), PositionError),
            (case.game.information_set, state.view(0), ViewError),
        ]:
            for part in text.split()[1:]:
                key = part.split("=")[0]
                with pytest.raises(error, match=f"part '{key}=' is missing"):
                    read(text.replace(f" {part}", "", 1))
                with pytest.raises(error, match=f"part '{key}=' comes twice"):
                    read(f"{text} {part}")

"""The names that the Python API promises."""

import inspect

import pytest

import henro

PROMISED = {
    henro.Game: "name players options components_id min_players max_players num_distinct_actions "
    "state_bytes observation_tensor_shape new_initial_state deserialize_state information_set "
    "action_to_string string_to_action playouts",
    henro.State: "game current_player legal_actions action_to_string string_to_action apply_action "
    "apply chance_outcomes sample_chance is_terminal is_chance_node returns scores ranks view "
    "information_set information_state_string observation_tensor events resample_from_infostate "
    "clone serialize history playouts perft",
    henro.InformationSet: "seat game view current_player legal_actions is_terminal sample "
    "sample_many key greedy action_to_string string_to_action observation_tensor",
    henro.Engine: "search stop",
    henro.SearchResult: "best best_text moves value nodes elapsed nps depth pv",
    henro.Move: "action text visits values",
}


@pytest.mark.parametrize("name", henro.__all__)
def test_a_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(henro, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert value.__doc__


@pytest.mark.parametrize("owner", PROMISED)
def test_a_class_has_the_names_it_promises(owner: type) -> None:
    assert [name for name in PROMISED[owner].split() if not hasattr(owner, name)] == []


def test_chance_and_the_end_have_the_numbers_of_open_spiel() -> None:
    assert (henro.CHANCE, henro.TERMINAL) == (-1, -4)


def test_the_presets_are_these_seven() -> None:
    searches = ["default", "fast", "strong", "analysis", "flat"]
    assert list(henro.PRESETS) == [*searches, "greedy", "random"]
    assert all(preset.description for preset in henro.PRESETS.values())


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (henro.UnknownGameError, LookupError),
        (henro.OptionError, ValueError),
        (henro.ComponentError, ValueError),
        (henro.ViewError, ValueError),
        (henro.PositionError, ValueError),
        (henro.IllegalActionError, ValueError),
        (henro.StateError, RuntimeError),
        (henro.ProtocolError, RuntimeError),
        (henro.RecordError, ValueError),
    ],
)
def test_an_error_is_a_henro_error_and_the_builtin_one_would_expect(
    error: type[Exception], builtin: type[Exception]
) -> None:
    assert issubclass(error, henro.HenroError)
    assert issubclass(error, builtin)
    assert error.exit_code == 2

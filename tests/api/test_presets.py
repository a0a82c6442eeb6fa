"""Presets: what they set, and that each setting can still be made by hand."""

import pytest

import henro
from henro.search.presets import PRESETS, cores


def test_the_default_is_as_plain_as_can_be() -> None:
    assert PRESETS["default"] == henro.Preset("information set Monte Carlo tree search")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_threads_memory_and_search_options(game: henro.Game, name: str) -> None:
    preset, engine = PRESETS[name], henro.Engine(game, name)
    assert engine.threads == (preset.threads or cores())
    assert engine.hash_mb == preset.hash_mb
    assert engine.options == preset.options


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_set_by_hand_counts_instead(game: henro.Game, name: str) -> None:
    engine = henro.Engine(game, name, threads=3, hash_mb=7, playouts="mast")
    assert (engine.threads, engine.hash_mb) == (3, 7)
    assert engine.options["playouts"] == "mast"


def test_the_strong_preset_uses_all_cores_in_one_tree(
    game: henro.Game, state: henro.State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("henro.search.engine.cores", lambda: 2)
    strong = henro.Engine(game, "strong", seed=3)
    assert strong.threads == 2
    assert strong.options["tree"] == "shared"
    assert strong.search(state, nodes=500).nodes == 500
    apart, by_hand = (
        henro.Engine(game, preset, seed=3, threads=2, tree="separate")
        for preset in ("strong", "default")
    )
    assert apart.search(state, nodes=500).moves == by_hand.search(state, nodes=500).moves


@pytest.mark.parametrize("name", ["fast", "analysis"])
def test_without_a_limit_a_preset_has_its_own(
    game: henro.Game, state: henro.State, name: str
) -> None:
    engine = henro.Engine(game, name)
    assert engine.bounded
    assert engine.search(state).nodes == PRESETS[name].nodes


def test_the_strong_preset_takes_its_time_without_a_limit(state: henro.State) -> None:
    assert PRESETS["strong"].movetime == 2.0
    engine = henro.Engine(state.game, "strong")
    assert engine.bounded
    assert engine.search(state, nodes=100).nodes == 100


def test_infinite_has_no_limit_but_stop(state: henro.State) -> None:
    engine = henro.Engine(state.game, "fast")
    result = engine.search(state, infinite=True, on_info=lambda _: engine.stop())
    assert result.nodes > PRESETS["fast"].nodes


def test_analysis_searches_to_the_end_of_its_time(state: henro.State) -> None:
    result = henro.Engine(state.game, "analysis").search(state, movetime=0.3, settle=True)
    assert result.elapsed > 0.29


def test_the_default_is_not_bounded(game: henro.Game) -> None:
    assert not henro.Engine(game).bounded
    assert henro.Engine(game, level=3).bounded

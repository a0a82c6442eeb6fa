"""Blindfold: nothing that a seat does not know can reach a sample, a playout or a search.

Two worlds of one information set, and the view as bare text, give the same results bit by bit.
"""

from collections.abc import Iterator

import pytest

import henro
from tests.families.cases import Case, every_case, sized
from tests.families.walks import positions, seats

each_size = sized("per_kind", 2, 20)

EVERY_SEARCH = {preset.search: name for name, preset in reversed(henro.PRESETS.items())}.values()
"""A preset of each kind of search; the others differ in limits, memory and threads only."""


def twins(case: Case, per_kind: int) -> Iterator[tuple[henro.State, henro.State, int]]:
    """(state, another world, seat) for each seat that cannot tell the two apart."""
    for state in positions(case, per_kind):
        for seat in seats(case):
            samples = (state.resample_from_infostate(seat, seed) for seed in range(20))
            if other := next((world for world in samples if world != state), None):
                yield state, other, seat


def deciding_twins(case: Case, per_kind: int) -> list[tuple[henro.State, henro.State]]:
    """Twins for the seat to move."""
    return [
        (state, other)
        for state, other, seat in twins(case, per_kind)
        if state.current_player() == seat
    ]


def outcome(result: henro.SearchResult) -> dict[str, object]:
    """A search result without the clock."""
    return {
        "best": (result.best, result.best_text),
        "moves": result.moves,
        "value": result.value,
        "size": (result.nodes, result.depth, result.edges),
        "pv": result.pv,
    }


@every_case
@each_size
def test_samples_do_not_depend_on_the_true_world(case: Case, per_kind: int) -> None:
    for state, other, seat in twins(case, per_kind):
        text_alone = case.game.information_set(state.view(seat))
        for seed in range(12):
            sample = state.resample_from_infostate(seat, seed)
            assert other.resample_from_infostate(seat, seed) == sample
            assert state.information_set(seat).sample(seed) == sample
            assert text_alone.sample(seed) == sample


@every_case
@each_size
def test_samples_in_bulk_do_not_depend_on_the_true_world(case: Case, per_kind: int) -> None:
    for state, other, seat in twins(case, per_kind):
        drawn = state.information_set(seat).sample_many(100, 5)
        assert other.information_set(seat).sample_many(100, 5) == drawn
        assert case.game.information_set(state.view(seat)).sample_many(100, 5) == drawn


@every_case
@each_size
def test_playouts_of_samples_do_not_depend_on_the_true_world(case: Case, per_kind: int) -> None:
    for state, other, seat in twins(case, per_kind):
        one = state.resample_from_infostate(seat, 3).playouts(8, 5)
        two = other.resample_from_infostate(seat, 3).playouts(8, 5)
        assert (one.plies, one.utilities, one.scores) == (two.plies, two.utilities, two.scores)


@every_case
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("preset", EVERY_SEARCH)
@each_size
def test_a_search_does_not_depend_on_the_true_world(
    case: Case, preset: str, threads: int, per_kind: int
) -> None:
    found = deciding_twins(case, per_kind)
    assert found
    for state, other in found:
        seat = state.current_player()
        sources: list[henro.State | henro.InformationSet] = [
            state,
            other,
            other.information_set(seat),
            case.game.information_set(state.view(seat)),
        ]
        results = [
            outcome(
                henro.Engine(case.game, preset=preset, seed=11, threads=threads).search(
                    source, nodes=600
                )
            )
            for source in sources
        ]
        assert results[1:] == results[:1] * 3


@every_case
@pytest.mark.parametrize("level", [2, 7])
@each_size
def test_a_level_does_not_depend_on_the_true_world(case: Case, level: int, per_kind: int) -> None:
    for state, other in deciding_twins(case, per_kind):
        for seed in range(4):
            one, two = (
                henro.Engine(case.game, seed=seed, level=level).search(source)
                for source in (state, other)
            )
            assert outcome(one) == outcome(two)


@every_case
@each_size
def test_the_greedy_rule_does_not_depend_on_the_true_world(case: Case, per_kind: int) -> None:
    for state, other in deciding_twins(case, per_kind):
        seat = state.current_player()
        assert state.information_set(seat).greedy() == other.information_set(seat).greedy()

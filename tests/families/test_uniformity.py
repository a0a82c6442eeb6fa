"""Samples and chance events come with the probabilities that the rules give them."""

from collections import Counter

import numpy as np

import henro
from tests.families.adapter import Pool
from tests.families.cases import Case, every_case, sized
from tests.families.statistics import assert_frequencies, rare_as_one
from tests.families.walks import positions


@every_case
@sized("draws_per_world", 60, 600)
def test_small_information_sets_are_sampled_as_the_list_of_their_worlds_says(
    case: Case, draws_per_world: int
) -> None:
    for small in case.adapter.small_cases(case.game):
        state = case.game.deserialize_state(small.position)
        info = case.game.information_set(state.view(small.seat))
        assert small.listed(small.position) in small.worlds
        counts = Counter(
            small.listed(info.sample(seed).serialize())
            for seed in range(draws_per_world * len(small.worlds))
        )
        assert_frequencies(counts, small.worlds, f"worlds of {info.view()}")


@every_case
@sized("draws", 1000, 40_000)
def test_in_large_information_sets_everything_hidden_is_spread_evenly(
    case: Case, draws: int
) -> None:
    for number, state in enumerate(positions(case, 1)):
        seat = (number + 1) % case.players
        info = state.information_set(seat)
        counts: Counter[tuple[int, object, str]] = Counter()
        for seed in range(draws):
            for index, pool in enumerate(case.adapter.pools(info.sample(seed), seat)):
                for place, things in pool.places.items():
                    counts.update((index, item, place) for item in things)
        for index, pool in enumerate(case.adapter.pools(state, seat)):
            _assert_even(counts, index, pool, f"{info.view()}, pool {index}")


def _assert_even(
    counts: Counter[tuple[int, object, str]], index: int, pool: Pool, what: str
) -> None:
    means = pool.means()
    total = len(pool.items())
    for item in set(pool.items()):
        found = {place: counts[index, item, place] for place in means}
        expected = {place: mean / total for place, mean in means.items()}
        assert_frequencies(found, expected, f"{what}: places of {item}")


def chance_positions(case: Case, per_kind: int) -> list[henro.State]:
    return [state for state in positions(case, per_kind) if state.is_chance_node()]


@every_case
@sized("draws_per_outcome", 60, 1000)
def test_chance_events_are_drawn_with_the_probabilities_they_list(
    case: Case, draws_per_outcome: int
) -> None:
    for state in chance_positions(case, 3):
        outcomes = dict(state.chance_outcomes())
        draws = range(draws_per_outcome * len(outcomes))
        counts = Counter(state.sample_chance(seed) for seed in draws)
        assert_frequencies(*rare_as_one(counts, outcomes), f"chance at {state.serialize()}")


@every_case
def test_a_numpy_generator_draws_chance_events_too(case: Case) -> None:
    for state in chance_positions(case, 1):
        outcomes = dict(state.chance_outcomes())
        generator = np.random.default_rng(7)
        counts = Counter(state.sample_chance(generator) for _ in range(60 * len(outcomes)))
        assert_frequencies(*rare_as_one(counts, outcomes), f"chance at {state.serialize()}")

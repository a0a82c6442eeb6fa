"""Where something is hidden from a seat, its worlds differ; what passes as a sample is no copy."""

import math

import henro
from tests.families.adapter import Pool
from tests.families.cases import Case, every_case, sized
from tests.families.walks import last_seen, positions, seats

each_size = sized("per_kind", 1, 12)
MISS = 1e-9
"""Chance that a sound sampler leaves one thing out of one place."""


@every_case
@each_size
def test_samples_differ_from_each_other_and_from_the_truth(case: Case, per_kind: int) -> None:
    for state in positions(case, per_kind):
        for seat in seats(case):
            samples = [state.resample_from_infostate(seat, seed) for seed in range(30)]
            truth = last_seen(state, seat)
            if is_open(case, state, seat):
                assert all(sample == truth for sample in samples)
            else:
                assert any(sample != truth for sample in samples)
                assert len({sample.serialize() for sample in samples}) > 1


def is_open(case: Case, state: henro.State, seat: int) -> bool:
    """Nothing is hidden from the seat."""
    if case.adapter.hides_choices(state, seat):
        return False
    return all(pool.is_open() for pool in case.adapter.pools(state, seat))


@every_case
@each_size
def test_a_sample_keeps_the_hidden_things_and_the_size_of_every_place(
    case: Case, per_kind: int
) -> None:
    for state in positions(case, per_kind):
        for seat in seats(case):
            truth = case.adapter.pools(state, seat)
            for seed in range(10):
                drawn = case.adapter.pools(state.resample_from_infostate(seat, seed), seat)
                for have, want in zip(drawn, truth, strict=True):
                    assert have.items() == want.items()
                    assert have.means() == want.means()


@every_case
@each_size
def test_every_hidden_thing_turns_up_in_every_hidden_place(case: Case, per_kind: int) -> None:
    for number, state in enumerate(positions(case, per_kind)):
        seat = number % case.players
        truth = case.adapter.pools(state, seat)
        missing = [
            {(item, place) for item in pool.items() for place in pool.means()} for pool in truth
        ]
        for seed in range(max(map(_samples_needed, truth), default=1)):
            drawn = case.adapter.pools(state.resample_from_infostate(seat, seed), seat)
            for pairs, pool in zip(missing, drawn, strict=True):
                pairs -= {(item, place) for place in pool.means() for item in pool.places[place]}
        assert not any(missing)


def _samples_needed(pool: Pool) -> int:
    """Samples after which the rarest pair of thing and place is missing with chance MISS."""
    if pool.is_open():
        return 1
    rarest = min(pool.means().values()) / len(pool.items())
    return math.ceil(math.log(MISS) / math.log1p(-rarest))

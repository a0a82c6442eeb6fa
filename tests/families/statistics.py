"""Goodness of fit. Seeds are fixed, so a test passes always or never; the level is so low that
a change of random numbers alone will not make a sound sampler fail."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from scipy import stats

LEVEL = 1e-7

Outcome = TypeVar("Outcome")


def assert_frequencies(
    counts: Mapping[Outcome, int], probabilities: Mapping[Outcome, float | Fraction], what: str
) -> None:
    """Chi-square test of counts against probabilities that sum to 1 over the same keys."""
    strangers = set(counts) - set(probabilities)
    assert not strangers, f"{what}: impossible outcomes {sorted(map(str, strangers))[:3]}"
    total = sum(counts.values())
    keys = list(probabilities)
    observed = [counts.get(key, 0) for key in keys]
    expected = [total * float(probabilities[key]) for key in keys]
    if len(keys) == 1:
        return
    assert min(expected) >= 5, f"{what}: {total} draws are too few for {len(keys)} outcomes"
    p = stats.chisquare(observed, expected).pvalue
    assert p > LEVEL, f"{what}: p = {p:.2g}, observed {observed}, expected {expected}"

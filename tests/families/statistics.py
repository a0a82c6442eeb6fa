"""Goodness of fit. Seeds are fixed, so a test passes always or never; the level is so low that
a change of random numbers alone will not make a sound sampler fail."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from scipy import stats

LEVEL = 1e-7
FEWEST = 5
"""How often an outcome must be expected for the test to be sound."""

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
    assert min(expected) >= FEWEST, f"{what}: {total} draws are too few for {len(keys)} outcomes"
    p = stats.chisquare(observed, expected).pvalue
    assert p > LEVEL, f"{what}: p = {p:.2g}, observed {observed}, expected {expected}"


def rare_as_one(
    counts: Mapping[Outcome, int], probabilities: Mapping[Outcome, float]
) -> tuple[dict[str, int], dict[str, float]]:
    """Counts and probabilities with the outcomes too rare for the test taken together, and with
    the next one if that is not enough."""
    total = sum(counts.values())
    names: dict[Outcome, str] = {}
    rare = 0.0
    for outcome in sorted(probabilities, key=probabilities.__getitem__):
        is_rare = total * probabilities[outcome] < FEWEST or 0 < total * rare < FEWEST
        rare += probabilities[outcome] if is_rare else 0
        names[outcome] = "rare" if is_rare else str(outcome)
    merged_counts, merged = Counter[str](), Counter[str]()
    for outcome, name in names.items():
        merged_counts[name] += counts.get(outcome, 0)
        merged[name] += probabilities[outcome]  # type: ignore[assignment]
    return dict(merged_counts), dict(merged)

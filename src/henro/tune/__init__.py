"""Tuning of the search's options on duplicate rounds (docs/arena.md)."""

from henro.tune.run import TrialResult, TuneConfig, Tuner, TuneResult, TuneUpdate
from henro.tune.space import Choice, Range, parse_base, parse_param

__all__ = [
    "Choice",
    "Range",
    "TrialResult",
    "TuneConfig",
    "TuneResult",
    "TuneUpdate",
    "Tuner",
    "parse_base",
    "parse_param",
]

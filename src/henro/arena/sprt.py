"""Sequential probability ratio test: which of two bots is stronger, in no more rounds than needed.

An observation is what one duplicate round gave: the first bot's mean utility less the second's, d
from -1 to 1. Its expectation under a hypothesis follows from that hypothesis' elo. The test is the
generalised one: the variance, which no hypothesis knows, is that of the rounds seen so far, and
the rounds' mean is taken as normal. docs/arena.md has the formulas.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from henro.arena.standing import DIFFERENCES, Estimate, SprtStanding, Tally, estimate
from henro.errors import OptionError

MAX_ELO = 1000.0
MAX_ROUNDS = 100_000
"""Rounds of a test that names no number of its own: more than any takes."""

UNSEEN_ROUNDS = 2
"""Rounds that the variance reckons with beside those seen, each a whole point from their mean.

Without them the first few rounds, which are often alike, would seem to leave no doubt.
"""

ELO_SCALE = 800 / math.log(10)
"""Elo for a difference of utility, where it is small."""

Verdict = Literal["H0", "H1", "undecided"]


class SprtConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a test decides between.

    elo0, elo1  the first bot is stronger than the second by no more than elo0 (H0), by elo1 (H1)
    alpha       how often H1 may be accepted where H0 holds
    beta        how often H0 may be accepted where H1 holds
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= MAX_ELO:
                raise OptionError(
                    f"sprt: {name} is a number from {-MAX_ELO:g} to {MAX_ELO:g}, "
                    f"not {getattr(self, name):g}"
                )
        if not self.elo0 < self.elo1:
            raise OptionError(f"sprt: elo0={self.elo0:g} must be less than elo1={self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise OptionError(
                    f"sprt: {name} must be more than 0 and less than 0.5, "
                    f"not {getattr(self, name):g}"
                )

    @property
    def lower(self) -> float:
        """The log likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def __str__(self) -> str:
        return ",".join(f"{name}={getattr(self, name):g}" for name in self.__struct_fields__)


def parse_sprt(text: str) -> SprtConfig:
    """A test from `elo0=0,elo1=20,alpha=0.05,beta=0.05`, any of them left out; raises OptionError.

    >>> str(parse_sprt("elo1=50"))
    'elo0=0,elo1=50,alpha=0.05,beta=0.05'
    """
    known = SprtConfig.__struct_fields__
    values: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise OptionError(f"sprt: {key} is not one of {', '.join(known)}")
        if key in values:
            raise OptionError(f"sprt: {key} is given twice")
        try:
            values[key] = float(value)
        except ValueError:
            raise OptionError(f"sprt: {key} needs a number, not {value or 'nothing'}") from None
    return SprtConfig(**values)


def difference_at(elo: float) -> float:
    """Expected difference of utility (-1 to 1) where the first bot is `elo` stronger."""
    return math.tanh(elo / ELO_SCALE)


def elo_at(difference: float) -> float:
    """The elo at which a difference of utility is expected; infinite from ±1 on."""
    if abs(difference) >= 1:
        return math.copysign(math.inf, difference)
    return ELO_SCALE * math.atanh(difference)


def log_likelihood_ratio(config: SprtConfig, count: int, total: float, squares: float) -> float:
    """LLR of H1 to H0 after `count` rounds whose differences and squares add up to these sums."""
    mean = total / count
    spread = squares - total * mean
    variance = (spread + UNSEEN_ROUNDS) / (count + UNSEEN_ROUNDS)
    d0, d1 = difference_at(config.elo0), difference_at(config.elo1)
    return count * (d1 - d0) * (2 * mean - d0 - d1) / (2 * variance)


class Sprt:
    """Takes the rounds' differences one by one, in the order of rounds, until one decides.

    differences  of the rounds that count
    llr          log likelihood ratio after them
    verdict      which hypothesis has been accepted, if any
    """

    def __init__(self, config: SprtConfig) -> None:
        self.config = config
        self.differences: list[float] = []
        self.llr = 0.0
        self.verdict: Verdict = "undecided"
        self._total = self._squares = 0.0

    @property
    def decided(self) -> bool:
        return self.verdict != "undecided"

    def add(self, difference: float) -> None:
        """The next round's difference; nothing that follows a decision counts."""
        if self.decided:
            return
        self.differences.append(difference)
        self._total += difference
        self._squares += difference**2
        count = len(self.differences)
        self.llr = log_likelihood_ratio(self.config, count, self._total, self._squares)
        if self.llr >= self.config.upper:
            self.verdict = "H1"
        elif self.llr <= self.config.lower:
            self.verdict = "H0"

    def follow(self, tally: Tally, games_a_round: int) -> None:
        """Take the rounds that have become complete, up to the first that is not.

        A round that is quick to play must not count before a slow one that began earlier: that
        would prefer some results to others.
        """
        while not self.decided:
            number = len(self.differences) + 1
            if tally.rounds[number] < games_a_round:
                return
            self.add(tally.difference(0, 1, number))

    def standing(self, names: list[str]) -> SprtStanding:
        """Where the test stands; `names` are those of the first bot and the second."""
        return SprtStanding(
            bot=names[0],
            opponent=names[1],
            elo0=self.config.elo0,
            elo1=self.config.elo1,
            alpha=self.config.alpha,
            beta=self.config.beta,
            lower=self.config.lower,
            upper=self.config.upper,
            llr=self.llr,
            rounds=len(self.differences),
            elo=_elo(estimate(self.differences, DIFFERENCES)) if self.differences else None,
            verdict=self.verdict,
        )


def _elo(difference: Estimate) -> Estimate:
    low, high = (
        None if bound is None or abs(bound) >= 1 else elo_at(bound)
        for bound in (difference.low, difference.high)
    )
    return Estimate(elo_at(difference.mean), low, high, difference.rounds)

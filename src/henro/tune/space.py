"""What may be tuned: search options, each with a range or a list of values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from henro import SEARCH_OPTIONS, SearchOption
from henro.errors import OptionError
from henro.protocol.engine import GAMES_OWN

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

DIGITS = 4
"""Significant digits of a number that is tried."""

_FORMS = "NAME=LOW..HIGH, NAME=LOW..HIGH:log or NAME=VALUE,VALUE,..."
_RANGE = re.compile(r"(?P<low>[^:]+?)\.\.(?P<high>[^:]+)(?P<log>:log)?")


class Range(msgspec.Struct, frozen=True, tag=True):
    """Numbers from `low` to `high`, whole ones if `whole`; with `log` each factor weighs alike."""

    name: str
    low: float
    high: float
    whole: bool = False
    log: bool = False

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise OptionError(f"param {self}: the first number must be less than the second")
        if self.log and self.low <= 0:
            raise OptionError(f"param {self}: with log, numbers must be greater than 0")

    def distribution(self) -> BaseDistribution:
        from optuna.distributions import FloatDistribution, IntDistribution

        if self.whole:
            return IntDistribution(int(self.low), int(self.high), log=self.log)
        return FloatDistribution(self.low, self.high, log=self.log)

    def text(self, value: Any) -> str:
        """A value of the distribution as the option takes it."""
        return str(value) if self.whole else f"{value:.{DIGITS}g}"

    @property
    def ends(self) -> list[str]:
        """The least and the greatest value that may be tried."""
        return [self.text(int(end) if self.whole else end) for end in (self.low, self.high)]

    @property
    def most(self) -> str:
        """The greatest value that may be tried."""
        return self.ends[1]

    def __str__(self) -> str:
        return f"{self.name}={self.low:g}..{self.high:g}{':log' if self.log else ''}"


class Choice(msgspec.Struct, frozen=True, tag=True):
    """One of some values."""

    name: str
    values: list[str]

    def __post_init__(self) -> None:
        if len(self.values) < 2 or len(set(self.values)) < len(self.values):
            raise OptionError(f"param {self}: two values or more are needed, all different")

    def distribution(self) -> BaseDistribution:
        from optuna.distributions import CategoricalDistribution

        return CategoricalDistribution(self.values)

    def text(self, value: Any) -> str:
        """A value of the distribution as the option takes it."""
        return str(value)

    @property
    def ends(self) -> list[str]:
        """All values."""
        return self.values

    @property
    def most(self) -> str:
        """The greatest value that may be tried, if they are numbers; else any."""
        return max(self.values, key=_number)

    def __str__(self) -> str:
        return f"{self.name}={','.join(self.values)}"


def parse_param(text: str) -> Range | Choice:
    """A range from `exploration=0.2..2` or `priors=0.05..2:log`, a choice from `horizon=0,8,inf`.

    Raises OptionError, also for values that the option does not take.
    """
    option, rest = _option_of(text, "param")
    if match := _RANGE.fullmatch(rest):
        low, high = (_end(text, option, match[end]) for end in ("low", "high"))
        return Range(option.name, low, high, option.whole, match["log"] is not None)
    values = rest.split(",")
    try:
        return Choice(option.name, [_checked(text, "param", option, v) for v in values])
    except OptionError as error:
        raise error if len(values) > 1 else OptionError(f"{error}; expected {_FORMS}") from None


def parse_base(texts: list[str]) -> dict[str, str]:
    """Options from texts like `exploration=0.7`; raises OptionError."""
    base: dict[str, str] = {}
    for text in texts:
        option, value = _option_of(text, "base")
        if option.name in base:
            raise OptionError(f"base {text}: {option.name} is given twice")
        base[option.name] = _checked(text, "base", option, value)
    return base


def _option_of(text: str, what: str) -> tuple[SearchOption, str]:
    name, equals, rest = text.partition("=")
    if not equals:
        raise OptionError(f"{what} {text}: expected {'NAME=VALUE' if what == 'base' else _FORMS}")
    if name not in SEARCH_OPTIONS:
        known = ", ".join(SEARCH_OPTIONS)
        raise OptionError(f"{what} {text}: no search option {name}; there are {known}")
    return SEARCH_OPTIONS[name], rest


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def _checked(text: str, what: str, option: SearchOption, value: str) -> str:
    if value != GAMES_OWN:
        try:
            option.parse(value)
        except OptionError as error:
            raise OptionError(f"{what} {text}: {error}") from None
    return value


def _end(text: str, option: SearchOption, value: str) -> float:
    """One end of a range."""
    if option.choices or option.check:
        raise OptionError(f"param {text}: {option.name} takes a list of values, not a range")
    if value in (GAMES_OWN, "inf"):
        raise OptionError(f"param {text}: a range needs numbers at its ends, not {value}")
    return float(_checked(text, "param", option, value))

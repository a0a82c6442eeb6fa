"""Search options: how the tree grows and how games are played out. The one list of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypedDict, cast

from henro.errors import OptionError

Value = str | int | float | bool


class SearchOptions(TypedDict, total=False):
    """Search options by name; OPTIONS says what they mean and which values they take."""

    playouts: str
    horizon: float
    random: float
    observers: str
    sealed: str
    exploration: float
    tuned: bool
    widening: float
    priors: float
    confidence: float
    first_play: float
    rank: float
    score: float
    beliefs: float
    redetermine: float
    tree: str


@dataclass(frozen=True)
class SearchOption:
    """An option: one of `choices`, yes or no (`check`), or a number from 0 to `most`."""

    name: str
    description: str
    choices: tuple[str, ...] = ()
    check: bool = False
    whole: bool = False
    most: float = 1e6

    @property
    def off(self) -> Value:
        """The value with which it is as good as not there; of choices the first."""
        if self.choices:
            return self.choices[0]
        return math.inf if self.whole else 0

    @property
    def values(self) -> str:
        """The values it takes, for people."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.check:
            return "true or false"
        if self.whole:
            return "a whole number from 0, or inf"
        return f"a number from 0 to {self.most:.0f}"

    def checked(self, value: object) -> Value:
        """The value if the option takes it; raises OptionError."""
        if self._takes(value):
            assert isinstance(value, str | int | float)
            return value
        raise OptionError(f"{self.name} is {self.values}, not {value!r}")

    def parse(self, text: str) -> Value:
        """The value that the text stands for; raises OptionError."""
        if self.choices:
            return self.checked(text)
        if self.check:
            return self.checked({"true": True, "false": False}.get(text, text))
        try:
            number = float(text)
        except ValueError:
            return self.checked(text)
        return self.checked(int(number) if self.whole and number % 1 == 0 else number)

    def _takes(self, value: object) -> bool:
        if self.choices or self.check:
            return value in self.choices if self.choices else isinstance(value, bool)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if self.whole:
            return value >= 0 and (value == math.inf or value % 1 == 0)
        return 0 <= value <= self.most


OPTIONS: dict[str, SearchOption] = {
    option.name: option
    for option in (
        SearchOption(
            "playouts",
            "how games are played to the end: uniformly at random, by the game's rule of thumb, or "
            "by the moves that did best so far in this search",
            choices=("uniform", "informed", "mast"),
        ),
        SearchOption(
            "horizon",
            "decisions after which an informed playout ends at the next quiet position, which is "
            "then evaluated; inf plays to the end",
            whole=True,
        ),
        SearchOption("random", "share of random decisions in informed and mast playouts", most=1.0),
        SearchOption(
            "observers",
            "one tree of what the searching seat sees, or a tree for each seat of what that sees",
            choices=("one", "many"),
        ),
        SearchOption(
            "sealed",
            "how sealed decisions are chosen: others' by the priors, or all in the tree, or as "
            "mixed strategies by regret matching or Exp3 (others' need many observers)",
            choices=("priors", "tree", "regret", "exp3"),
        ),
        SearchOption("exploration", "weight of exploration in UCB1, for utilities from 0 to 1"),
        SearchOption("tuned", "UCB1-tuned: explores less where results vary less", check=True),
        SearchOption(
            "widening",
            "0, or UCB1 tries only the likeliest moves, this many times the root of the visits",
        ),
        SearchOption("priors", "0, or PUCT instead of UCB1, with this weight of the priors"),
        SearchOption(
            "confidence",
            "weight of UCB1's term in PUCT, so that a move with a bad start is tried again",
        ),
        SearchOption(
            "first_play", "how far below the mean PUCT rates a move not yet tried", most=1.0
        ),
        SearchOption("rank", "share of the final rank in what is maximised", most=1.0),
        SearchOption("score", "share of the lead in points in what is maximised", most=1.0),
        SearchOption(
            "beliefs",
            "0, or worlds count by what others have chosen since the last search: likelihoods by "
            "the priors to this power",
        ),
        SearchOption(
            "redetermine",
            "share of iterations after which another seat learns its choice in a world drawn from "
            "what it knows; above 0 others learn in no other world",
            most=1.0,
        ),
        SearchOption(
            "tree",
            "several threads grow separate trees, which can be repeated, or a shared one",
            choices=("separate", "shared"),
        ),
    )
}
"""Every search option by name."""


FLAT_OPTIONS = frozenset({"playouts", "horizon", "random"})
"""Those that flat Monte Carlo heeds, too; what is maximised counts there in mast playouts alone."""


def parse_search_options(texts: Mapping[str, str]) -> SearchOptions:
    """Search options from texts by name; raises OptionError."""
    values = {name: _option(name).parse(text) for name, text in texts.items()}
    return checked_search_options(cast(SearchOptions, values))


def checked_search_options(options: SearchOptions) -> SearchOptions:
    """A copy of the options if they exist and take their values together; raises OptionError."""
    values = {name: _option(name).checked(value) for name, value in options.items()}
    found = cast(SearchOptions, values)
    rank, score = found.get("rank", 0.0), found.get("score", 0.0)
    if rank + score > 1:
        raise OptionError(f"rank {rank:g} and score {score:g}: together they are at most 1")
    return found


def idle_options(how: SearchOptions, names: Iterable[str], threads: int = 1) -> dict[str, str]:
    """Those of `names` that change nothing beside the other options, with what they would need.

    `how` has a value for every option. What is off is not idle.
    """
    ucb1 = how["priors"] == 0
    informed = how["playouts"] == "informed"
    to_the_end = not informed or how["horizon"] == math.inf
    needs = {
        "exploration": (ucb1 or how["sealed"] in ("regret", "exp3"), "priors=0"),
        "tuned": (ucb1, "priors=0"),
        "widening": (ucb1, "priors=0"),
        "confidence": (not ucb1, "priors above 0"),
        "first_play": (not ucb1, "priors above 0"),
        "horizon": (informed, "playouts=informed"),
        "random": (how["playouts"] != "uniform", "playouts=informed or mast"),
        "rank": (to_the_end, "horizon=inf"),
        "score": (to_the_end, "horizon=inf"),
        "sealed": (how["sealed"] != "tree" or how["observers"] == "many", "observers=many"),
        "tree": (threads > 1, "threads above 1"),
    }
    values = dict(how)
    return {
        name: needs[name][1]
        for name in names
        if name in needs and not needs[name][0] and values[name] != OPTIONS[name].off
    }


def effective(how: SearchOptions, threads: int = 1) -> dict[str, object]:
    """The options as if those that change nothing were off: equal for equal searches."""
    idle = idle_options(how, OPTIONS, threads)
    return {**how, **{name: OPTIONS[name].off for name in idle}}


def _option(name: str) -> SearchOption:
    if name not in OPTIONS:
        raise OptionError(f"no search option {name}; known are {', '.join(OPTIONS)}")
    return OPTIONS[name]

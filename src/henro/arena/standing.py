"""Results of a run: means over duplicate rounds, with intervals.

The games of one round share a deal and are correlated, so the round is the unit of all
statistics: each round gives one mean, a figure is the mean of the rounds' means, and its 95 %
interval is Student's t over the rounds. Where all rounds gave the same, Student's t knows no
spread: for figures with bounds (win shares, differences) the interval then allows for what the
rounds may have missed, for n of them show nothing of an outcome of probability q with (1 - q)^n.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations, permutations

import msgspec

from henro.errors import HenroError

CONFIDENCE = 0.95

Bounds = tuple[float, float]
UTILITIES: Bounds = (0.0, 1.0)
DIFFERENCES: Bounds = (-1.0, 1.0)


class SeatResult(msgspec.Struct, frozen=True):
    """What one seat of a game got; `moves` were asked of its bot and took `time_ms` in all."""

    bot: int
    score: int
    rank: int
    utility: float
    moves: int
    time_ms: int


class GameResult(msgspec.Struct, frozen=True):
    """A finished game as the statistics see it.

    Results are by seat, faults (bot, kind), and `complaints` has the bot of each complaint.
    """

    round: int
    rotation: int
    seats: tuple[SeatResult, ...]
    faults: tuple[tuple[int, str], ...] = ()
    complaints: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[int, int]:
        return self.round, self.rotation


class Estimate(msgspec.Struct, frozen=True):
    """Mean of the rounds' means and its 95 % interval.

    There is no interval (None) after fewer than two rounds, nor for a figure without bounds if all
    rounds gave the same: then nothing is known about the spread.
    """

    mean: float
    low: float | None
    high: float | None
    rounds: int

    def negated(self) -> Estimate:
        """The same figure for the other side."""
        low, high = (None if bound is None else -bound for bound in (self.high, self.low))
        return Estimate(0.0 - self.mean, low, high, self.rounds)  # 0.0 has no sign

    @property
    def margin(self) -> float | None:
        """How far the interval reaches from the mean, to the farther side."""
        if self.low is None or self.high is None:
            return None
        return max(self.high - self.mean, self.mean - self.low)


class BotStanding(msgspec.Struct, frozen=True):
    """One bot's figures. `seats` counts its results: several in a game if it had several seats."""

    name: str
    games: int
    seats: int
    win_share: Estimate | None
    score: Estimate | None
    rank: Estimate | None
    faults: dict[str, int]
    complaints: int
    moves: int
    move_ms: float | None


class PairStanding(msgspec.Struct, frozen=True):
    """Mean utility of `bot` less that of `opponent` in the games they shared.

    `verdict` is "better" or "worse" if the interval excludes equality, else "open".
    """

    bot: str
    opponent: str
    games: int
    difference: Estimate
    verdict: str


class SprtStanding(msgspec.Struct, frozen=True, kw_only=True):
    """Where a sequential test of `bot` against `opponent` stands.

    `rounds` are those that count, `elo` is their estimate (a bound is None where it is unknown or
    infinite), `llr` the log likelihood ratio; at `lower` the `verdict` is "H0", at `upper` "H1",
    in between "undecided".
    """

    bot: str
    opponent: str
    elo0: float
    elo1: float
    alpha: float
    beta: float
    lower: float
    upper: float
    llr: float
    rounds: int
    elo: Estimate | None
    verdict: str


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run stands; `bots` is sorted by win share, best first."""

    format: str = "henro-standing/1"
    game: str
    players: int
    options: dict[str, str]
    components: str
    rounds: int
    rounds_done: int
    games: int
    games_done: int
    even_share: float | None
    bots: list[BotStanding]
    pairs: list[PairStanding]
    sprt: SprtStanding | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play: all games are over, or the test is decided."""
        decided = self.sprt is not None and self.sprt.verdict != "undecided"
        return decided or self.games_done == self.games

    def difference(self, bot: str, opponent: str) -> Estimate:
        """Mean utility of `bot` less that of `opponent`; raises KeyError if they have not met."""
        for pair in self.pairs:
            if (pair.bot, pair.opponent) == (bot, opponent):
                return pair.difference
            if (pair.opponent, pair.bot) == (bot, opponent):
                return pair.difference.negated()
        raise KeyError((bot, opponent))


class _Mean:
    """Running sums by round of one figure."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        self.bounds = bounds
        self.sums: dict[int, float] = defaultdict(float)
        self.counts: Counter[int] = Counter()

    def add(self, round_number: int, value: float) -> None:
        self.sums[round_number] += value
        self.counts[round_number] += 1

    def of(self, round_number: int) -> float:
        return self.sums[round_number] / self.counts[round_number]

    def estimate(self) -> Estimate | None:
        if not self.sums:
            return None
        return estimate(map(self.of, self.sums), self.bounds)


class Tally:
    """Takes games one by one, in any order, and gives their statistics at any time."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.games = 0
        self.rounds: Counter[int] = Counter()
        self.faults = [Counter[str]() for _ in names]
        self.complaints: Counter[int] = Counter()
        self._utilities = _Mean(UTILITIES)
        self._played: Counter[int] = Counter()
        self._seats: Counter[int] = Counter()
        self._moves: Counter[int] = Counter()
        self._time: Counter[int] = Counter()
        bounds = {"utility": UTILITIES, "score": None, "rank": None}
        self._figures = {what: [_Mean(b) for _ in names] for what, b in bounds.items()}
        pairs = permutations(range(len(names)), 2)
        self._differences = {pair: _Mean(DIFFERENCES) for pair in pairs}
        self._shared: Counter[tuple[int, int]] = Counter()

    def add(self, game: GameResult) -> None:
        self.games += 1
        self.rounds[game.round] += 1
        for bot, kind in game.faults:
            self.faults[bot][kind] += 1
        self.complaints.update(game.complaints)
        by_bot: dict[int, list[float]] = defaultdict(list)
        for seat in game.seats:
            by_bot[seat.bot].append(seat.utility)
            self._add_seat(game.round, seat)
        self._played.update(list(by_bot))
        shares = {bot: sum(values) / len(values) for bot, values in by_bot.items()}
        for a, b in permutations(shares, 2):
            self._shared[a, b] += 1
            self._differences[a, b].add(game.round, shares[a] - shares[b])

    def _add_seat(self, round_number: int, seat: SeatResult) -> None:
        self._seats[seat.bot] += 1
        self._moves[seat.bot] += seat.moves
        self._time[seat.bot] += seat.time_ms
        self._utilities.add(round_number, seat.utility)
        for what, means in self._figures.items():
            means[seat.bot].add(round_number, getattr(seat, what))

    def difference(self, a: int, b: int, round_number: int) -> float:
        """Mean utility of bot `a` less that of `b` in a round in which they met."""
        return self._differences[a, b].of(round_number)

    def even_share(self) -> float | None:
        """Mean utility over all seats: what a bot no better than the field would get."""
        total = self._utilities.estimate()
        return None if total is None else total.mean

    def bots(self) -> list[BotStanding]:
        """Every bot's figures, the highest win share first, then in the order of the run."""
        found = [self._bot(bot) for bot in range(len(self.names))]
        return sorted(found, key=lambda b: -math.inf if b.win_share is None else -b.win_share.mean)

    def pairs(self) -> list[PairStanding]:
        """Every pair of bots that met, the one with the higher win share first."""
        order = [self.names.index(bot.name) for bot in self.bots()]
        met = [pair for pair in combinations(order, 2) if self._shared[pair]]
        return [self._pair(a, b) for a, b in met]

    def _bot(self, bot: int) -> BotStanding:
        moves = self._moves[bot]
        return BotStanding(
            name=self.names[bot],
            games=self._played[bot],
            seats=self._seats[bot],
            win_share=self._figures["utility"][bot].estimate(),
            score=self._figures["score"][bot].estimate(),
            rank=self._figures["rank"][bot].estimate(),
            faults=dict(sorted(self.faults[bot].items())),
            complaints=self.complaints[bot],
            moves=moves,
            move_ms=self._time[bot] / moves if moves else None,
        )

    def _pair(self, a: int, b: int) -> PairStanding:
        difference = self._differences[a, b].estimate()
        assert difference is not None
        return PairStanding(
            self.names[a], self.names[b], self._shared[a, b], difference, verdict(difference)
        )


def estimate(values: Iterable[float], bounds: Bounds | None = None) -> Estimate:
    """Mean of at least one round's means and its 95 % interval (see the head of this file)."""
    values = list(values)
    count = len(values)
    mean = math.fsum(values) / count
    spread = math.fsum((v - mean) ** 2 for v in values)
    if count < 2:
        return Estimate(mean, None, None, count)
    if spread <= 1e-18 * count:
        if bounds is None:
            return Estimate(mean, None, None, count)
        unseen = 1 - ((1 - CONFIDENCE) / 2) ** (1 / count)
        low, high = (mean + unseen * (bound - mean) for bound in bounds)
        return Estimate(mean, low, high, count)
    margin = t_quantile(count - 1) * math.sqrt(spread / (count - 1) / count)
    return Estimate(mean, mean - margin, mean + margin, count)


def verdict(difference: Estimate) -> str:
    """What an interval for a difference says: "better", "worse" or "open"."""
    if difference.low is not None and difference.low > 0:
        return "better"
    if difference.high is not None and difference.high < 0:
        return "worse"
    return "open"


def t_quantile(freedom: int) -> float:
    """Two-sided quantile of Student's t for CONFIDENCE; raises HenroError without scipy."""
    try:
        from scipy.special import stdtrit  # type: ignore[import-untyped]  # slow to import, and only needed here
    except ImportError:
        raise HenroError(
            "intervals need scipy: pip install 'henro[arena]', or pip install '.[arena]' in a clone"
        ) from None
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))

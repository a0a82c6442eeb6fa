"""How strong the engine is: against weaker players, with time, threads, options and levels.

    python bench/strength.py                                 # all rows, then docs/strength.md
    python bench/strength.py --list                          # the names of all rows
    python bench/strength.py --only shogun-3 --rounds 40     # the rows of one game and table size
    python bench/strength.py --rounds 'shogun-*-plain=60' --concurrency 2
    python bench/strength.py --only '*-level'                # the steps between levels
    python bench/strength.py --only '*-option'               # what each search option is worth
    python bench/strength.py --report                        # only the page, from what is there

Each row of the page is a run of henro arena in a folder of its own under --out. Called again, the
script goes on where it was stopped. Results belong to one state of the engine, told by the
signature of henro bench and by searches with the options of the rows: after a change to it, take
another --out. When rows alone are played (--only), or not all to the end, they are shown and the
page stays as it is, unless --page names one.
"""

import argparse
import fnmatch
import hashlib
import math
import os
import platform
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import msgspec

from henro import (
    LEVELS,
    SEARCH_OPTIONS,
    Engine,
    _core,
    bench,
    load_game,
    parse_search_options,
    search,
)
from henro.arena import Arena, ArenaConfig, Bot, Estimate, load
from henro.arena.config import parse_time
from henro.arena.report import console, reporter
from henro.arena.sprt import ELO_SCALE, elo_at
from henro.arena.standing import UTILITIES, GameResult, Tally, estimate
from henro.arena.store import DATABASE
from henro.errors import HenroError, OptionError, RecordError
from henro.protocol import Limits

try:
    from matplotlib import rc_context
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullLocator, ScalarFormatter
except ImportError:
    raise SystemExit(
        "bench/strength.py draws with matplotlib: pip install 'henro[plot]', or pip install "
        "'.[plot]' in a clone"
    ) from None

T = TypeVar("T")

PLAIN = {
    "playouts": "uniform",
    "observers": "one",
    "sealed": "priors",
    "exploration": "0.7",
    "priors": "0",
    "tuned": "false",
    "widening": "0",
    "rank": "0",
    "score": "0",
}
"""Options that make the preset default a plain single-observer ISMCTS: UCB1, uniform playouts."""

TABLES = [
    *[("shikoku", 4), ("shikoku", 6), ("jinja", 2), ("jinja", 4)],
    *[("shugendo", 2), ("shugendo", 4), ("shogun", 3), ("shogun", 5)],
]
"""Games and player counts of the head-to-head matches."""

ROUNDS = {"plain": 200, "greedy": 50, "random": 50}
"""Opponents in the head-to-head matches, and how many rounds are played against each."""

GROWTH = {
    ("shikoku", 4): (250, 400),
    ("jinja", 2): (25, 100),
    ("shugendo", 2): (25, 100),
    ("shogun", 3): (25, 100),
}
"""Where growth is measured: the fewest iterations a move, and the rounds of each match."""

DOUBLINGS = 5
FIXED_DOUBLINGS = 2
"""How often the fewest iterations are doubled for henro, at most, and for its opponent."""

STEPS = {
    ("shikoku", 4): (400, 1),
    ("jinja", 2): (50, 6),
    ("shugendo", 2): (50, 8),
    ("shogun", 3): (50, 9),
}
"""Where levels are measured: the rounds of each match, and the level that greedy meets."""

THREADS = {("jinja", 2): 80, ("shogun", 3): 40}
"""Where two threads meet one, and the rounds of each match."""

THREADS_MS = 30

_EVERYWHERE = [
    *["playouts=uniform", "playouts=mast", "random=0.2"],
    *["observers=many", "redetermine=0.5", "beliefs=1", "Reuse=true"],
]
_SEALED = [
    *["sealed=regret", "observers=many sealed=tree"],
    *["observers=many sealed=regret", "observers=many sealed=exp3"],
]
_UCB1 = ["priors=0", "priors=0 tuned=true", "priors=0 widening=2"]
_TO_THE_END = ["rank=0.3", "score=0.3", "horizon=20"]

_LONG = [*_EVERYWHERE, *_SEALED, *_TO_THE_END, *_UCB1, "first_play=0.1"]

OPTIONS: dict[tuple[str, int], tuple[int, int, list[str]]] = {
    ("shikoku", 4): (
        1000,
        100,
        [
            *[*_EVERYWHERE, "horizon=inf", "exploration=0.25", "exploration=1"],
            *["tuned=true", "widening=2", "priors=0.5"],
        ],
    ),
    ("jinja", 2): (100, 30, [*_LONG, "confidence=0.2", "priors=0.5", "priors=2"]),
    ("shugendo", 2): (100, 20, [*_LONG, "confidence=0", "priors=0.15", "priors=0.6"]),
    ("shogun", 3): (100, 20, [*_LONG, "confidence=0.2", "priors=0.2", "priors=0.8"]),
}
"""Where options are measured: iterations a move, rounds of each match, and settings."""

MARGIN_MS = 1000
"""Overrun forgiven: both bots end their search by the clock, so only a busy machine is late."""

HENRO = "henro"
COLORS = {"shikoku": "#0072B2", "jinja": "#D55E00", "shugendo": "#009E73", "shogun": "#CC79A7"}
"""From the palette of Okabe and Ito, which the colour-blind can tell apart."""

ROOT = Path(__file__).parents[1]
MACHINES = "machines.txt"
BUILD = "engine.json"

PAGE = """\
# Strength

How strong the engine is: the preset `default` against the search that henro began with, its \
greedy rule and random play; what it gains from more iterations and from a second thread; what \
its options are worth; and how its levels of strength compare. `bench/strength.py` plays the \
matches and writes this page.

Played on {machines}{engine}.{missing}

A round is one deal, played once as drawn and once with all seats swapped between the two bots, \
so that each has every seat once ([arena.md](arena.md#rounds-seats-and-deals)). Only complete \
rounds count.

* **Win share**: a bot's part of the wins of both, over the run: *w* / (*w* + *v*) with *w* the \
sum of its utilities and *v* that of its opponent's. Equals are at 0.5, whatever the number of \
players.
* **95 % interval**: by the delta method, with Student's *t* over the rounds. Where all rounds \
came out alike it allows for what they may have missed, as in [arena.md]\
(arena.md#what-the-standing-says).
* **Difference**: mean utility of a seat of the bot less that of a seat of its opponent, game by \
game.
* **Even share**: mean utility over all seats, which is what equals have.
{sections}
## The matches again

Each line below plays one row as it stands above; `python bench/strength.py` plays them all, with \
the numbers of rounds that `--help` shows unless told otherwise. Matches by iterations give the \
same figures on every machine; matches by time depend on its speed.

```sh
{commands}
```
"""

HEAD_TO_HEAD_SECTION = """
## Head to head

henro is the preset `default`, with equal time on one core. `plain` is single-observer information \
set MCTS as henro first had it: UCB1 with exploration 0.7, playouts uniformly at random to the end \
of the game, no priors. `greedy` and `random` answer at once.

{table}
"""

GROWTH_SECTION = """
## Strength grows with time

The preset `default` at doubled numbers of iterations a move, against itself at the fixed number \
that the column *against* gives. Where both are the same the win share is 0.5 but for chance.

![Win share by iterations a move]({picture})

{table}
"""

THREADS_SECTION = """
## Two threads

The preset `default` with two threads and a [shared tree](search.md#threads) against itself with \
one, with the same time a move, on a machine with two idle cores.

{table}
"""

OPTIONS_SECTION = """
## Options

The preset `default` with one [option](search.md) set otherwise, against the preset as it is, with \
equal iterations; so a setting that costs time has that advantage here. Above 0.5 the setting is \
better; it is more than chance where the interval leaves 0.5 out, and of so many rows one in forty \
does so on either side by chance alone.

{table}
"""

LEVELS_SECTION = """
## Levels

Each [level of strength](search.md#levels) has played the one below it. A level searches no more \
than so many iterations a move and draws a share of its moves at random; neither depends on the \
machine.

* **Step**: by how many Elo a player is stronger than the one that it met, as [arena.md]\
(arena.md#sequential-test) makes it of the difference, to which half a round is added for either \
side. Its margin is that of the 95 % interval of the difference, times the slope there.
* **Rating**: the steps added up from level 1, which has 0; with nothing but a chain of matches \
these are the ratings of maximum likelihood. The squares of the margins add up.

Elo of different games, or numbers of players, do not compare.

{ratings}

{steps}
"""


@dataclass(frozen=True)
class Match:
    """A row of the page: a bot, mostly henro, against one opponent in one game."""

    label: str
    game: str
    players: int
    bot: Bot
    opponent: Bot
    rounds: int

    @property
    def name(self) -> str:
        """What --only and --rounds know it by, and its folder."""
        return f"{self.game}-{self.players}-{self.label}"

    def config(self, args: argparse.Namespace) -> ArenaConfig:
        return ArenaConfig(
            game=self.game,
            players=self.players,
            bots=[self.bot, self.opponent],
            rounds=self.rounds,
            seed=str(args.seed),
            out=args.out / self.name,
            concurrency=args.concurrency,
        )


class Row(msgspec.Struct, kw_only=True):
    """Figures of a match so far, from its complete rounds.

    `settings` are the bot's options as `NAME=VALUE`. `iterations` or `movetime_ms` is its limit for
    a move, the other None; a level has both None. `win_share` is None if nobody has won yet.
    `faults` count by bot and kind.
    """

    name: str
    game: str
    players: int
    bot: str
    opponent: str
    settings: str
    iterations: int | None
    movetime_ms: int | None
    rounds_done: int
    rounds: int
    games: int
    win_share: Estimate | None
    difference: Estimate
    even_share: float
    seed: str
    faults: dict[str, dict[str, int]]
    command: str


def matches(limits: Limits) -> list[Match]:
    """All rows of the page; `limits` hold for henro and plain, head to head."""
    opponents = [
        Bot(name="plain", preset="default", options=PLAIN, limits=limits),
        Bot(name="greedy", preset="greedy"),
        Bot(name="random", preset="random"),
    ]
    head_to_head = [
        Match(bot.name, game, players, henro_bot(limits), bot, ROUNDS[bot.name])
        for game, players in TABLES
        for bot in opponents
    ]
    return [
        *head_to_head,
        *growth_matches(),
        *threads_matches(),
        *option_matches(),
        *level_matches(),
    ]


def henro_bot(limits: Limits) -> Bot:
    return Bot(name=HENRO, preset="default", limits=limits)


def growth_matches() -> Iterator[Match]:
    for (game, players), (base, rounds) in GROWTH.items():
        fixed = base << FIXED_DOUBLINGS
        opponent = Bot(name=f"henro@{fixed}", preset="default", limits=Limits(nodes=fixed))
        for doublings in range(DOUBLINGS + 1):
            nodes = base << doublings
            label = f"growth-{nodes}"
            bot = henro_bot(Limits(nodes=nodes))
            yield Match(label, game, players, bot, opponent, rounds)


def threads_matches() -> Iterator[Match]:
    limits = Limits(movetime_ms=THREADS_MS, timemargin_ms=MARGIN_MS)
    options = {"Threads": "2", "tree": "shared"}
    two = Bot(name="two-threads", preset="default", options=options, limits=limits)
    for (game, players), rounds in THREADS.items():
        yield Match("threads", game, players, two, henro_bot(limits), rounds)


def option_matches() -> Iterator[Match]:
    for (game, players), (nodes, rounds, settings) in OPTIONS.items():
        limits = Limits(nodes=nodes)
        for setting in settings:
            options = options_of(setting)
            bot = Bot(name="other", preset="default", options=options, limits=limits)
            label = f"option-{setting.replace(' ', ',')}"
            yield Match(label, game, players, bot, henro_bot(limits), rounds)


def level_matches() -> Iterator[Match]:
    greedy, weakest = (Bot(name=name, preset=name) for name in ("greedy", "random"))
    for (game, players), (rounds, near_greedy) in STEPS.items():
        levels = [level_bot(number) for number in range(1, len(LEVELS[game]) + 1)]
        for number, (below, level) in enumerate(pairwise([weakest, *levels]), start=1):
            yield Match(f"level-{number}", game, players, level, below, rounds)
        yield Match("level-greedy", game, players, greedy, levels[near_greedy - 1], rounds)


def level_bot(number: int) -> Bot:
    return Bot(name=f"level-{number}", preset="default", options={"Level": str(number)})


def win_share(rounds: Iterable[tuple[float, float]]) -> Estimate | None:
    """The first bot's part of the wins of both, from what the two won in each round.

    A ratio of sums. Its interval is that of the mean of the rounds' influences (delta method).
    None without any win.
    """
    rounds = list(rounds)
    ours, theirs = (math.fsum(wins) for wins in zip(*rounds, strict=True))
    if not ours + theirs:
        return None
    share, wins_a_round = ours / (ours + theirs), (ours + theirs) / len(rounds)
    return estimate((share + (a - share * (a + b)) / wins_a_round for a, b in rounds), UTILITIES)


def row(folder: Path) -> Row | None:
    """The figures of the match in a results folder, None before its first complete round."""
    results = load(folder)
    config = results.config
    games = list(complete(results.games, config.games_a_round))
    if not games:
        return None
    bot, opponent = config.bots
    limits = bot.limits
    tally = Tally([bot.name for bot in config.bots])
    wins: dict[int, tuple[float, float]] = {}
    for game in games:
        tally.add(game)
        ours, theirs = wins.get(game.round, (0.0, 0.0))
        wins[game.round] = (ours + won(game, 0), theirs + won(game, 1))
    even_share = tally.even_share()
    assert even_share is not None
    assert config.players is not None
    assert config.seed is not None
    return Row(
        name=folder.name,
        game=config.game,
        players=config.players,
        bot=bot.name,
        opponent=opponent.name,
        settings=" ".join(f"{name}={value}" for name, value in bot.options.items()),
        iterations=None if limits is None else limits.nodes,
        movetime_ms=None if limits is None else limits.movetime_ms,
        rounds_done=len(wins),
        rounds=config.rounds,
        games=tally.games,
        win_share=win_share(wins.values()),
        difference=difference(tally),
        even_share=even_share,
        seed=config.seed,
        faults={n: dict(f) for n, f in zip(tally.names, tally.faults, strict=True) if f},
        command=command(config),
    )


def complete(games: Sequence[GameResult], games_a_round: int) -> Iterator[GameResult]:
    """The games of rounds that are played to the end, in which the bots had the same seats."""
    played = Counter(game.round for game in games)
    return (game for game in games if played[game.round] == games_a_round)


def won(game: GameResult, bot: int) -> float:
    return math.fsum(seat.utility for seat in game.seats if seat.bot == bot)


def difference(tally: Tally) -> Estimate:
    """The arena's difference of the two bots, the first less the second."""
    [pair] = tally.pairs()
    found = pair.difference
    if pair.bot == tally.names[0]:
        return found
    low, high = (None if end is None else -end for end in (found.high, found.low))
    return Estimate(-found.mean, low, high, found.rounds)


def command(config: ArenaConfig) -> str:
    """The command line that plays the same match."""
    words = ["henro", "arena", "--game", config.game, "--players", str(config.players)]
    for bot in config.bots:
        words += ["--bot", bot_text(bot)]
    return shlex.join([*words, "--rounds", str(config.rounds), "--seed", str(config.seed)])


def bot_text(bot: Bot) -> str:
    """A preset as --bot names it."""
    parts = [f"name={bot.name}", f"preset={bot.preset}"]
    parts += [f"option.{name}={value}" for name, value in bot.options.items()]
    if bot.limits is not None and bot.limits.nodes is not None:
        parts.append(f"nodes={bot.limits.nodes}")
    if bot.limits is not None and bot.limits.movetime_ms is not None:
        parts.append(f"movetime={bot.limits.movetime_ms}ms")
        parts.append(f"timemargin={bot.limits.timemargin_ms}")
    return ",".join(parts)


def machine() -> str:
    """Processor model and number of cores."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.processor() or platform.machine()
    return f"{model}, {os.cpu_count()} cores"


def machines(out: Path) -> list[str]:
    """Where the matches in this folder have been played."""
    file = out / MACHINES
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


class Build(msgspec.Struct, frozen=True):
    """An engine: a digest of its code, and how it behaves.

    signature  that of henro bench
    options    another over searches with the options of the rows
    """

    code: str
    signature: str
    options: str


def known_build(out: Path) -> Build | None:
    """What the matches in this folder have been played by."""
    file = out / BUILD
    try:
        return msgspec.json.decode(file.read_bytes(), type=Build) if file.exists() else None
    except msgspec.DecodeError as error:
        raise RecordError(f"{file}: {error}") from None


def played_by(out: Path) -> str:
    build = known_build(out)
    if build is None:
        return ""
    return f", by an engine with the `henro bench` signature {build.signature}"


def check_build(out: Path) -> None:
    """Make sure that this engine may add to the folder; raises RecordError.

    How it behaves takes a minute to find, so that is done only for code new to the folder.
    """
    code = code_digest()
    known = known_build(out)
    if known is not None and known.code == code:
        return
    if known is None and any(out.glob(f"*/{DATABASE}")):
        raise RecordError(f"{out}: nothing tells which engine has played there; take another --out")
    print("measuring the signature of this engine, a minute or two ...", file=sys.stderr)
    build = Build(code, *measured_signatures())
    if known is not None and msgspec.structs.replace(known, code=code) != build:
        raise RecordError(
            f"{out}: played by an engine with the signatures {known.signature} and "
            f"{known.options}; this one has {build.signature} and {build.options}, so take "
            "another --out"
        )
    (out / BUILD).write_bytes(msgspec.json.encode(build) + b"\n")


def code_digest() -> str:
    files = [Path(_core.__file__), *sorted(Path(search.__file__).parent.glob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def measured_signatures() -> tuple[str, str]:
    """Of henro bench, and of searches with the options of the rows."""
    results: list[object] = []
    for (name, players), (_, _, settings) in OPTIONS.items():
        game = load_game(name, players)
        state = next(iter(bench.positions(game)))
        for setting in settings:
            told = {k: v for k, v in options_of(setting).items() if k in SEARCH_OPTIONS}
            found = Engine(game, **parse_search_options(told)).search(state, nodes=200)
            results.append([(move.text, move.visits, move.values) for move in found.moves])
    return bench.signature(list(bench.run())), bench.digest(results)


def options_of(setting: str) -> dict[str, str]:
    return dict(part.split("=") for part in setting.split())


def play(chosen: Sequence[Match], args: argparse.Namespace) -> None:
    """Play what is still to play of the matches, one after the other."""
    target = console(stderr=True)
    args.out.mkdir(parents=True, exist_ok=True)
    check_build(args.out)
    known = dict.fromkeys([*machines(args.out), machine()])
    (args.out / MACHINES).write_text("".join(f"{line}\n" for line in known), encoding="utf-8")
    for number, match in enumerate(chosen, start=1):
        target.print(f"match {number} of {len(chosen)}: {match.name}", markup=False)
        config = match.config(args)
        with reporter(target, str(config.out)) as show:
            Arena(config).run(show)


def measured(names: Iterable[str], out: Path) -> list[Row]:
    """The rows that have figures."""
    folders = [out / name for name in names]
    found = [row(folder) for folder in folders if (folder / DATABASE).is_file()]
    return [figures for figures in found if figures is not None]


def write_page(
    page: Path, rows: Sequence[Row], missing: Sequence[str], where: list[str], engine: str
) -> None:
    """The page, and beside it a folder of its name with the picture."""
    sections = ""
    if head_to_head := of_kind(rows, *ROUNDS):
        sections += HEAD_TO_HEAD_SECTION.format(table=table(HEAD_TO_HEAD_COLUMNS, head_to_head))
    if growth := of_kind(rows, "growth"):
        sections += growth_section(page, growth)
    if threads := of_kind(rows, "threads"):
        sections += THREADS_SECTION.format(table=table(THREADS_COLUMNS, threads))
    if options := of_kind(rows, "option"):
        sections += OPTIONS_SECTION.format(table=table(OPTION_COLUMNS, options))
    if levels := of_kind(rows, "level"):
        sections += levels_section(levels)
    text = PAGE.format(
        machines="; ".join(where),
        engine=engine,
        missing=f" Not measured yet: {', '.join(missing)}." if missing else "",
        sections=sections,
        commands="\n".join(row.command for row in rows),
    )
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


def of_kind(rows: Sequence[Row], *kinds: str) -> list[Row]:
    """The rows whose label begins with one of these words."""
    return [row for row in rows if row.name.split("-")[2] in kinds]


def growth_section(page: Path, rows: Sequence[Row]) -> str:
    picture = page.with_suffix("") / "growth.svg"
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(rows, picture)
    link = picture.relative_to(page.parent).as_posix()
    return GROWTH_SECTION.format(picture=link, table=table(GROWTH_COLUMNS, rows))


def levels_section(rows: Sequence[Row]) -> str:
    columns: dict[str, Callable[[str], str]] = {"player": str}
    for game, players in dict.fromkeys((row.game, row.players) for row in rows):
        found = ratings([row for row in rows if (row.game, row.players) == (game, players)])
        columns[f"{game}, {players} players"] = rating_in(found)
    names = dict.fromkeys(["random", *(row.bot for row in rows)])
    return LEVELS_SECTION.format(
        ratings=table(columns, list(names)), steps=table(STEP_COLUMNS, rows)
    )


def rating_in(found: dict[str, "Rating"]) -> Callable[[str], str]:
    return lambda player: str(found.get(player, "-"))


@dataclass(frozen=True)
class Rating:
    """Elo with the margin of its 95 % interval: None where that is unknown, 0 by definition."""

    elo: float
    margin: float | None

    def __str__(self) -> str:
        return f"{self.elo:+.0f}" + (f" ± {self.margin:.0f}" if self.margin else "")

    def __add__(self, other: "Rating") -> "Rating":
        elo = self.elo + other.elo
        if self.margin is None or other.margin is None:
            return Rating(elo, None)
        return Rating(elo, math.hypot(self.margin, other.margin))

    def __neg__(self) -> "Rating":
        return Rating(-self.elo, self.margin)


def step(row: Row) -> Rating:
    """By how much the first bot of a match is stronger than the second."""
    rounds, margin = row.difference.rounds, row.difference.margin
    d = row.difference.mean * rounds / (rounds + 1)
    return Rating(elo_at(d), None if margin is None else margin * ELO_SCALE / (1 - d * d))


def ratings(rows: Sequence[Row]) -> dict[str, Rating]:
    """The ratings of the players of one game, level 1 having 0.

    `rows` are in the order of the page. What no chain of matches joins to level 1 has none.
    """
    found = {"level-1": Rating(0.0, 0.0)}
    for row in rows:
        if row.opponent in found:
            found[row.bot] = found[row.opponent] + step(row)
        elif row.bot in found:
            found[row.opponent] = found[row.bot] + -step(row)
    return found


def table(columns: dict[str, Callable[[T], str]], rows: Sequence[T]) -> str:
    lines = [list(columns), ["---"] * len(columns)]
    lines += [[cell(row) for cell in columns.values()] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def figure(estimate: Estimate | None, sign: str = "") -> str:
    """Mean and 95 % interval, which is cut at the bounds of shares or, with a sign, differences."""
    if estimate is None:
        return "-"
    mean = f"{estimate.mean:{sign}.3f}"
    if estimate.low is None or estimate.high is None:
        return mean
    low, high = max(estimate.low, -1.0 if sign else 0.0), min(estimate.high, 1.0)
    return f"{mean} ({low:{sign}.3f} to {high:{sign}.3f})"


def faults(row: Row) -> str:
    counts = [
        f"{bot} {count} {kind}"
        for bot, kinds in row.faults.items()
        for kind, count in kinds.items()
    ]
    return ", ".join(counts) or "none"


def progress(row: Row) -> str:
    done = row.rounds_done == row.rounds
    return str(row.rounds) if done else f"{row.rounds_done} of {row.rounds} so far"


def budget(row: Row) -> str:
    return f"{row.movetime_ms} ms" if row.iterations is None else f"{row.iterations} iterations"


_GAME: dict[str, Callable[[Row], str]] = {
    "game": lambda row: row.game,
    "players": lambda row: str(row.players),
    "a move": budget,
}

_FIGURES: dict[str, Callable[[Row], str]] = {
    "rounds": progress,
    "games": lambda row: str(row.games),
    "win share (95 % interval)": lambda row: figure(row.win_share),
    "difference (95 % interval)": lambda row: figure(row.difference, "+"),
    "even share": lambda row: f"{row.even_share:.3f}",
    "seed": lambda row: row.seed,
    "faults": faults,
}

HEAD_TO_HEAD_COLUMNS = {**_GAME, "opponent": lambda row: row.opponent, **_FIGURES}
GROWTH_COLUMNS = {
    **_GAME,
    "against": lambda row: row.opponent.removeprefix(f"{HENRO}@"),
    **_FIGURES,
}
THREADS_COLUMNS = {**_GAME, **_FIGURES}
SHORT_COLUMNS = {"row": lambda row: row.name, **_FIGURES}
OPTION_COLUMNS = {**_GAME, "setting": lambda row: f"`{row.settings}`", **_FIGURES}
STEP_COLUMNS = {
    "game": lambda row: row.game,
    "players": lambda row: str(row.players),
    "player": lambda row: row.bot,
    "against": lambda row: row.opponent,
    "step": lambda row: str(step(row)),
    **_FIGURES,
}


def draw(rows: Sequence[Row], picture: Path) -> None:
    """Win share by iterations, a panel for each game; an SVG that the same rows always give."""
    with rc_context({"font.size": 11, "svg.hashsalt": "henro"}):
        picture_of_all = Figure(figsize=(10, 7), layout="constrained")
        panels = picture_of_all.subplots(2, 2, sharey=True)
        for ((game, players), (base, _)), panel in zip(GROWTH.items(), panels.flat, strict=True):
            fixed = base << FIXED_DOUBLINGS
            panel.set_title(
                f"{game.capitalize()}, {players} players: against itself at {fixed}", fontsize=11
            )
            points = [
                (row.iterations, row.win_share)
                for row in rows
                if row.game == game and row.iterations is not None and row.win_share is not None
            ]
            if points:
                curve(panel, points, COLORS[game])
        for panel in panels[-1]:
            panel.set_xlabel("iterations a move")
        for panel in panels[:, 0]:
            panel.set_ylabel("win share, 95 % interval")
        picture_of_all.savefig(picture, facecolor="white", metadata={"Date": None})


def curve(panel: Axes, points: Sequence[tuple[int, Estimate]], color: str) -> None:
    """Draw the win shares of one game by iterations."""
    panel.set_ylim(-0.03, 1.03)
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="y", color="#dddddd", linewidth=0.6)
    panel.axhline(0.5, color="#666666", linewidth=1, linestyle="--")
    iterations = [count for count, _ in points]
    means = [share.mean for _, share in points]
    bars = list(zip(*(bar(share) for _, share in points), strict=True))
    panel.errorbar(
        iterations, means, bars, color=color, linewidth=1.8, marker="o", markersize=5, capsize=4
    )
    panel.set_xscale("log", base=2)
    panel.set_xticks(iterations)
    panel.xaxis.set_major_formatter(ScalarFormatter())
    panel.xaxis.set_minor_locator(NullLocator())


def bar(share: Estimate) -> tuple[float, float]:
    """How far the interval reaches below the mean and above it."""
    if share.low is None or share.high is None:
        return 0.0, 0.0
    return share.mean - share.low, share.high - share.mean


def is_meant(name: str, pattern: str) -> bool:
    """Whether a pattern is the name, or its beginning up to a hyphen; * stands for anything."""
    return fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(name, f"{pattern}-*")


def selected(all_matches: Sequence[Match], args: argparse.Namespace) -> list[Match]:
    """The matches to play, with the rounds that are asked for; raises OptionError."""
    names = [match.name for match in all_matches]
    settings = [rounds_setting(text) for text in args.rounds]
    for pattern in args.only:
        if not any(is_meant(name, pattern) for name in names):
            raise OptionError(f"--only {pattern}: none of the rows (--list) is meant")
    chosen = []
    used = set()
    for match in all_matches:
        if not args.only or any(is_meant(match.name, pattern) for pattern in args.only):
            given = [s for s in settings if is_meant(match.name, s[0])]
            used.update(given)
            chosen.append(replace(match, rounds=given[-1][1]) if given else match)
    for pattern, count in settings:
        if (pattern, count) not in used:
            raise OptionError(f"--rounds {pattern}={count}: none of the rows to play is meant")
    return chosen


def rounds_setting(text: str) -> tuple[str, int]:
    """(pattern of rows, rounds) from `ROWS=N` or `N`; raises OptionError."""
    pattern, _, count = text.rpartition("=")
    if not count.isdecimal() or not int(count):
        raise OptionError(f"--rounds {text}: expected N or ROWS=N, with N from 1")
    return pattern or "*", int(count)


def usual_rounds() -> str:
    """How many rounds are played where nothing else is asked for, in words."""
    games = [f"{count} against {name}" for name, count in ROUNDS.items()]
    growth = [f"{count} in {game}" for (game, _), (_, count) in GROWTH.items()]
    threads = [f"{count} in {game}" for (game, _), count in THREADS.items()]
    options = [f"{count} in {game}" for (game, _), (_, count, _) in OPTIONS.items()]
    steps = [f"{count} in {game}" for (game, _), (count, _) in STEPS.items()]
    return "; ".join(
        [
            ", ".join(games),
            f"for growth {', '.join(growth)}",
            f"for two threads {', '.join(threads)}",
            f"for options {', '.join(options)}",
            f"for levels {', '.join(steps)}",
        ]
    )


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="ROWS",
        help="play these rows alone: a name, or its beginning, like shogun-3 or '*-growth'; "
        "once for each",
    )
    parser.add_argument(
        "--rounds",
        action="append",
        default=[],
        metavar="[ROWS=]N",
        help="rounds of all rows, or of some; the last that fits holds "
        f"(default: {usual_rounds()})",
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--movetime", default="200ms", help="time a move, head to head (200ms)")
    limit.add_argument("--nodes", type=int, help="iterations a move instead, head to head")
    parser.add_argument(
        "--concurrency", type=int, default=1, help="games at once, no more than idle cores (1)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of deals and seats (1)")
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "matches" / "strength",
        help="results folder (matches/strength)",
    )
    parser.add_argument(
        "--page",
        type=Path,
        help="the page to write (docs/strength.md, where all rows are played to the end)",
    )
    parser.add_argument("--list", action="store_true", help="play nothing, print the rows' names")
    parser.add_argument("--report", action="store_true", help="play nothing, only write the page")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON, too")
    args = parser.parse_args(argv)
    if args.seed < 0:
        parser.error("--seed is a whole number from 0")
    if args.concurrency < 1:
        parser.error("--concurrency is a whole number from 1")
    return args


def run(args: argparse.Namespace) -> int:
    limits = (
        Limits(movetime_ms=parse_time(args.movetime), timemargin_ms=MARGIN_MS)
        if args.nodes is None
        else Limits(nodes=args.nodes)
    )
    all_matches = matches(limits)
    names = [match.name for match in all_matches]
    chosen = selected(all_matches, args)
    if args.list:
        print("\n".join(match.name for match in chosen))
        return 0
    code = 0
    if not args.report:
        try:
            play(chosen, args)
        except KeyboardInterrupt:
            print("stopped; what is finished is kept, the same command goes on", file=sys.stderr)
            code = 1
    rows = measured(names, args.out)
    if not rows:
        raise RecordError(f"{args.out}: no row has a complete round there, so no page is written")
    there = {row.name for row in rows}
    missing = [name for name in names if name not in there]
    page = args.page
    if page is None and (args.report or not (args.only or code)):
        page = ROOT / "docs" / "strength.md"
    if page is not None:
        write_page(page, rows, missing, machines(args.out), played_by(args.out))
        print(f"{len(rows)} of {len(names)} rows in {page}", file=sys.stderr)
    elif not args.json:
        played = {match.name for match in chosen}
        print(table(SHORT_COLUMNS, [row for row in rows if row.name in played]))
    if args.json:
        print(msgspec.json.encode(rows).decode())
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Exit codes: 0 done, 1 stopped before the end, 2 wrong call or results folder."""
    try:
        return run(arguments(argv))
    except HenroError as error:
        print(f"strength.py: error: {error}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())

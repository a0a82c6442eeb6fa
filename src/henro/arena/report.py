"""What a user sees of a run: a live view in a terminal, lines elsewhere, tables at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from henro.arena.config import NAME_LENGTH
from henro.arena.run import Update
from henro.arena.standing import BotStanding, Estimate, PairStanding, SprtStanding, Standing
from henro.protocol.types import Complaint, Fault, GameRecord

WIDE = 1000
REFRESH_SECONDS = 0.25
LINE_SECONDS = 1.0
SHARE_OF_TIME = 0.05
"""How much of the time may go into standings that are only looked at."""

EXPENDABLE = ("ms/move", "rank", "score", "games")
"""Columns that a narrow terminal loses, the first one first."""

LEAST_NAME = 6
"""Letters that are left of a name in the narrowest terminal."""

_Row = TypeVar("_Row")


def console(stderr: bool = False) -> Console:
    """A console that neither squeezes nor wraps when its output goes into a file."""
    width = None if Console(stderr=stderr).is_terminal else WIDE
    return Console(stderr=stderr, width=width, highlight=False, emoji=False)


def print_standing(target: Console, standing: Standing) -> None:
    """The standing and, if bots have met, every pair's difference; no line ends with spaces."""
    with without_trailing_spaces(target):
        of = "of" if standing.sprt is None else "of at most"
        target.print(
            f"[bold]{standing.game}[/], {standing.players} players, {standing.components}: "
            f"{standing.games_done} {of} {standing.games} games, "
            f"{standing.rounds_done} {of} {standing.rounds} rounds complete"
        )
        target.print(standing_view(target, standing))
        if standing.pairs:
            target.print()
            target.print(_table(target, _PAIR_COLUMNS, standing.pairs))
        if standing.sprt is not None:
            target.print()
            target.print(*_test(standing.sprt), sep="\n", markup=False, soft_wrap=True)


def standing_view(target: Console, standing: Standing) -> Group:
    """The table of the bots, what its figures mean, and who has failed."""
    notes = list(_trouble(standing.bots))
    if standing.even_share is not None:
        share = f"an even win share is {standing.even_share:.3f}"
        notes.insert(0, f"± 95 % interval over rounds; {share}")
    return Group(_table(target, _BOT_COLUMNS, standing.bots), *notes)


def reporter(target: Console, folder: str) -> LiveReport | LineReport:
    """What shows a run on this console: call it with each update, inside a `with`."""
    return LiveReport(target, folder) if target.is_terminal else LineReport(target, folder)


class LiveReport(AbstractContextManager["LiveReport"]):
    """Progress bar and standing, drawn in place and gone at the end; the news stay above them."""

    def __init__(self, target: Console, folder: str) -> None:
        self._target = target
        self._folder = folder
        self._news = _News()
        self._pace = _Pace()
        self._turn = Turn(REFRESH_SECONDS)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TimeRemainingColumn(compact=True),
            console=target,
        )
        self._task = self._bar.add_task("games", total=None, pace="")
        self._live = Live(self._bar, console=target, refresh_per_second=4, transient=True)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def __call__(self, update: Update) -> None:
        if update.record is None:
            say(self._target, _opening(self._folder, update))
        else:
            for line in self._news.of(update.record):
                say(self._target, line)
        self._pace.note(update)
        total = None if update.open_ended else update.games
        self._bar.update(
            self._task, completed=update.games_done, total=total, pace=self._pace.text()
        )
        if self._turn.has_come():
            self._live.update(self._view(update))
            self._turn.ends()

    def _view(self, update: Update) -> RenderableType:
        parts: list[RenderableType] = [f"[bold]henro arena[/]  {escape(self._folder)}", self._bar]
        if update.games_done:
            standing = update.standing()
            parts.append(standing_view(self._target, standing))
            if standing.sprt is not None:
                parts += map(Text, _test(standing.sprt))
        return Group(*parts)


class LineReport(AbstractContextManager["LineReport"]):
    """Lines of text: the news, and at most once a second how the run stands."""

    def __init__(self, target: Console, folder: str) -> None:
        self._target = target
        self._folder = folder
        self._news = _News()
        self._pace = _Pace()
        self._turn = Turn(LINE_SECONDS)
        self._turn.ends()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing is left to be done."""

    def __call__(self, update: Update) -> None:
        self._pace.note(update)
        if update.record is None:
            say(self._target, _opening(self._folder, update))
            return
        for line in self._news.of(update.record):
            say(self._target, line)
        if self._turn.has_come() or update.complete:
            say(self._target, self._line(update))
            self._turn.ends()

    def _line(self, update: Update) -> str:
        standing = update.standing()
        total = "" if update.open_ended else f"/{update.games}"
        done = f"{update.games_done}{total} games"
        parts = [done, self._pace.text(), f"faults {update.faults}"]
        parts += [
            f"{bot.name} {bot.win_share.mean:.3f}"
            for bot in standing.bots
            if bot.win_share is not None
        ]
        if standing.sprt is not None:
            parts.append(_ratio(standing.sprt))
        return "  ".join(parts)


class _News:
    """What deserves a line of its own: of each bot the first fault of each kind, and the first
    complaint. All are counted in the standing, and kept in the records."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def of(self, record: GameRecord) -> Iterator[str]:
        for fault in record.faults:
            if self._is_new(record.bots[fault.seat], fault.kind):
                yield f"fault: {_place(record, fault)} {fault.kind}: {fault.detail}"
        for complaint in record.complaints:
            if self._is_new(record.bots[complaint.seat], "error"):
                yield f"error: {_place(record, complaint)} says: {complaint.words}"

    def _is_new(self, bot: str, what: str) -> bool:
        known = (bot, what) in self._told
        self._told.add((bot, what))
        return not known


class Turn:
    """When to show something again: not before `pause` s, and later if showing it takes long."""

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._began = self._next = monotonic()

    def has_come(self) -> bool:
        self._began = monotonic()
        return self._began >= self._next

    def ends(self) -> None:
        now = monotonic()
        self._next = now + max(self._pause, (now - self._began) / SHARE_OF_TIME)


class _Pace:
    """Games a minute since this process began to play."""

    def __init__(self) -> None:
        self._started = monotonic()
        self._before: int | None = None
        self._done = 0

    def note(self, update: Update) -> None:
        if self._before is None:
            self._started, self._before = monotonic(), update.games_done
        self._done = update.games_done - self._before

    def text(self) -> str:
        if not self._done:
            return ""
        pace = 60 * self._done / (monotonic() - self._started)
        return f"{pace:.{0 if pace >= 10 else 1}f} games/min"


def _table(
    target: Console, columns: Mapping[str, Callable[[_Row], str]], rows: Sequence[_Row]
) -> Table:
    """The widest table that fits: first columns give way, then names."""
    wide = target.options.update_width(WIDE)
    for shown, name_width in _diets(columns):
        table = _drawn(shown, rows, name_width)
        if target.measure(table, options=wide).maximum <= target.width:
            break
    return table


def _diets(
    columns: Mapping[str, Callable[[_Row], str]],
) -> Iterator[tuple[Mapping[str, Callable[[_Row], str]], int]]:
    """Columns and the width of names, from the whole table to the narrowest."""
    shown = dict(columns)
    yield shown, NAME_LENGTH
    for lost in EXPENDABLE:
        shown = {title: cell for title, cell in shown.items() if title != lost}
        yield shown, NAME_LENGTH
    for width in range(NAME_LENGTH - 1, LEAST_NAME - 1, -1):
        yield shown, width


def _drawn(
    columns: Mapping[str, Callable[[_Row], str]], rows: Sequence[_Row], name_width: int
) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title in columns:
        name = title in ("bot", "against")
        table.add_column(
            title,
            justify="left" if name or title == "verdict" else "right",
            no_wrap=True,
            max_width=name_width if name else None,
        )
    for row in rows:
        table.add_row(*(cell(row) for cell in columns.values()))
    return table


def estimate_text(figure: Estimate | None, digits: int, sign: str = "") -> str:
    """Mean and margin, like `0.550 ± 0.075`; `sign` "+" shows that of a mean above 0."""
    if figure is None:
        return "-"
    margin = "" if figure.margin is None else f" ± {figure.margin:.{digits}f}"
    return f"{figure.mean:{sign}.{digits}f}{margin}"


_BOT_COLUMNS: dict[str, Callable[[BotStanding], str]] = {
    "bot": lambda bot: escape(bot.name),
    "games": lambda bot: str(bot.games),
    "win share": lambda bot: estimate_text(bot.win_share, 3),
    "score": lambda bot: estimate_text(bot.score, 1),
    "rank": lambda bot: estimate_text(bot.rank, 2),
    "ms/move": lambda bot: "-" if bot.move_ms is None else f"{bot.move_ms:.1f}",
}

_VERDICTS = {"better": "[green]better[/]", "worse": "[red]worse[/]", "open": "open"}

_PAIR_COLUMNS: dict[str, Callable[[PairStanding], str]] = {
    "bot": lambda pair: escape(pair.bot),
    "against": lambda pair: escape(pair.opponent),
    "games": lambda pair: str(pair.games),
    "difference": lambda pair: estimate_text(pair.difference, 3, "+"),
    "verdict": lambda pair: _VERDICTS[pair.verdict],
}


def _test(sprt: SprtStanding) -> Iterator[str]:
    """What is tested and what has come out of it."""
    errors = f"alpha={sprt.alpha:g} beta={sprt.beta:g}"
    yield (
        f"SPRT of {sprt.bot} against {sprt.opponent}, "
        f"elo0={sprt.elo0:g} elo1={sprt.elo1:g} {errors}: {_VERDICTS_OF_TESTS[sprt.verdict]}"
    )
    yield f"{_ratio(sprt)} after {sprt.rounds} rounds"


def _ratio(sprt: SprtStanding) -> str:
    """The log likelihood ratio between its bounds, and elo with its interval."""
    text = f"LLR {sprt.llr:.2f} ({sprt.lower:.2f}, {sprt.upper:.2f})"
    if sprt.elo is None:
        return text
    low = "-inf" if sprt.elo.low is None else f"{sprt.elo.low:+.0f}"
    high = "+inf" if sprt.elo.high is None else f"{sprt.elo.high:+.0f}"
    return f"{text}  elo {sprt.elo.mean:+.0f} [{low}, {high}]"


_VERDICTS_OF_TESTS = {
    "H0": "H0 accepted",
    "H1": "H1 accepted",
    "undecided": "undecided",
}


def _trouble(bots: Sequence[BotStanding]) -> Iterator[str]:
    """A line for each bot with faults, and for each that has complained."""
    if not any(bot.faults for bot in bots):
        yield "faults: none"
    for bot in bots:
        if bot.faults:
            kinds = ", ".join(f"{count} {kind}" for kind, count in bot.faults.items())
            yield f"faults of {escape(bot.name)}: [red]{kinds}[/]"
    for bot in bots:
        if bot.complaints:
            yield f"error lines of {escape(bot.name)}: [red]{bot.complaints}[/]"


def _place(record: GameRecord, trouble: Fault | Complaint) -> str:
    return (
        f"round {record.round} rotation {record.rotation} ply {trouble.ply}: "
        f"{record.bots[trouble.seat]} (seat {trouble.seat})"
    )


@contextmanager
def without_trailing_spaces(target: Console) -> Iterator[None]:
    """What is printed inside comes out at the end, and no line of it ends with spaces."""
    with target.capture() as shown:
        yield
    lines = shown.get().rstrip("\n").split("\n")
    target.file.write("".join(f"{line.rstrip()}\n" for line in lines))


def say(target: Console, text: str) -> None:
    """A line as it is, however wide."""
    target.print(text, markup=False, soft_wrap=True)


def _opening(folder: str, update: Update) -> str:
    games = f"at most {update.games}" if update.open_ended else f"{update.games}"
    if not update.games_done:
        return f"playing {games} games in {folder}"
    if update.games_done == update.games:
        return f"all {update.games} games in {folder} have been played"
    if update.complete:
        return f"the test in {folder} was decided after {update.games_done} games"
    return f"going on in {folder}: {update.games_done} of {games} games have been played"

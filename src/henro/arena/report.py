"""What a user sees of a run: a live view in a terminal, lines elsewhere, tables at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from henro.arena.run import Update
from henro.arena.standing import BotStanding, Estimate, PairStanding, Standing
from henro.protocol.types import GameRecord

PLAIN_WIDTH = 100
REFRESH_SECONDS = 0.25
LINE_SECONDS = 1.0
LAST_FAULTS = 5
SHARE_OF_TIME = 0.05
"""How much of the time may go into standings that are only looked at."""


def console(stderr: bool = False) -> Console:
    """A console that does not squeeze tables when its output goes into a file."""
    found = Console(stderr=stderr, highlight=False)
    return found if found.is_terminal else Console(stderr=stderr, width=PLAIN_WIDTH)


def print_standing(target: Console, standing: Standing) -> None:
    """The standing and, if bots have met, every pair's difference."""
    target.print(_headline(standing))
    target.print(standing_table(standing))
    if standing.pairs:
        target.print()
        target.print(pair_table(standing.pairs))


def standing_table(standing: Standing) -> Table:
    table = _table("bot", "games", "win share", "score", "rank", "ms/move", "faults")
    for bot in standing.bots:
        table.add_row(
            escape(bot.name),
            str(bot.games),
            _estimate(bot.win_share, 3),
            _estimate(bot.score, 1),
            _estimate(bot.rank, 2),
            "-" if bot.move_ms is None else f"{bot.move_ms:.1f}",
            _faults(bot),
        )
    if standing.even_share is not None:
        table.caption = (
            f"± 95 % interval over rounds; an even win share is {standing.even_share:.3f}"
        )
        table.caption_justify = "left"
    return table


def pair_table(pairs: list[PairStanding]) -> Table:
    table = _table("bot", "against", "games", "difference", "verdict")
    for pair in pairs:
        verdict = {"better": "[green]better[/]", "worse": "[red]worse[/]"}
        table.add_row(
            escape(pair.bot),
            escape(pair.opponent),
            str(pair.games),
            _estimate(pair.difference, 3, "+"),
            verdict.get(pair.verdict, pair.verdict),
        )
    return table


def reporter(target: Console, folder: str) -> LiveReport | LineReport:
    """What shows a run on this console: call it with each update, inside a `with`."""
    return LiveReport(target, folder) if target.is_terminal else LineReport(target, folder)


class LiveReport(AbstractContextManager["LiveReport"]):
    """Progress bar, standing and the last faults, drawn in place; gone at the end."""

    def __init__(self, target: Console, folder: str) -> None:
        self._folder = folder
        self._pace = _Pace()
        self._faults: list[str] = []
        self._turn = _Turn(REFRESH_SECONDS)
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
            self._bar.console.print(_opening(self._folder, update), markup=False)
        self._pace.note(update)
        self._bar.update(
            self._task, completed=update.games_done, total=update.games, pace=self._pace.text()
        )
        if update.record is not None:
            self._faults = [*self._faults, *_fault_lines(update.record)][-LAST_FAULTS:]
        if self._turn.has_come():
            self._live.update(self._view(update))
            self._turn.ends()

    def _view(self, update: Update) -> RenderableType:
        parts: list[RenderableType] = [f"[bold]henro arena[/]  {escape(self._folder)}", self._bar]
        if update.games_done:
            parts.append(standing_table(update.standing()))
        if self._faults:
            parts.append("\n".join([f"faults: {update.faults}, the last of them:", *self._faults]))
        return Group(*parts)


class LineReport(AbstractContextManager["LineReport"]):
    """Lines of text: each fault, and how the run stands, at most once a second."""

    def __init__(self, target: Console, folder: str) -> None:
        self._target = target
        self._folder = folder
        self._pace = _Pace()
        self._turn = _Turn(LINE_SECONDS)
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
            self._say(escape(_opening(self._folder, update)))
            return
        for line in _fault_lines(update.record):
            self._say(f"fault: {line}")
        if self._turn.has_come() or update.games_done == update.games:
            shares = "  ".join(
                f"{escape(bot.name)} {bot.win_share.mean:.3f}"
                for bot in update.standing().bots
                if bot.win_share is not None
            )
            self._say(
                f"{update.games_done}/{update.games} games  {self._pace.text()}  "
                f"faults {update.faults}  {shares}"
            )
            self._turn.ends()

    def _say(self, text: str) -> None:
        self._target.print(text, soft_wrap=True)


class _Turn:
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


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    left = ("bot", "against", "faults", "verdict")
    for name in columns:
        table.add_column(
            name, justify="left" if name in left else "right", no_wrap=name != "faults"
        )
    return table


def _headline(standing: Standing) -> str:
    return (
        f"[bold]{standing.game}[/], {standing.players} players, {standing.components}: "
        f"{standing.games_done} of {standing.games} games, "
        f"{standing.rounds_done} of {standing.rounds} rounds complete"
    )


def _estimate(figure: Estimate | None, digits: int, sign: str = "") -> str:
    if figure is None:
        return "-"
    margin = "" if figure.margin is None else f" ± {figure.margin:.{digits}f}"
    return f"{figure.mean:{sign}.{digits}f}{margin}"


def _faults(bot: BotStanding) -> str:
    kinds = ", ".join(f"{count} {kind}" for kind, count in bot.faults.items())
    return f"[red]{kinds}[/]" if kinds else "-"


def _fault_lines(record: GameRecord) -> Iterator[str]:
    for fault in record.faults:
        yield escape(
            f"round {record.round} rotation {record.rotation} ply {fault.ply}: "
            f"{record.bots[fault.seat]} (seat {fault.seat}) {fault.kind}: {fault.detail}"
        )


def _opening(folder: str, update: Update) -> str:
    if not update.games_done:
        return f"playing {update.games} games in {folder}"
    if update.games_done == update.games:
        return f"all {update.games} games in {folder} have been played"
    return f"going on in {folder}: {update.games_done} of {update.games} games have been played"

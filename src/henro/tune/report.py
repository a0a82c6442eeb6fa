"""What a user sees of tuning: bars in a terminal, lines elsewhere, a table at the end."""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from henro.arena.report import Turn, estimate_text, say, without_trailing_spaces
from henro.tune.run import TrialResult, TuneResult, TuneUpdate

SHOWN = 5
"""How many of the best trials are shown at the end."""

LINE_SECONDS = 10.0


class TuneReport(AbstractContextManager["TuneReport"]):
    """A line for each trial that has ended; in a terminal bars for trials and games below them,
    elsewhere now and then a line on the trial that is played."""

    def __init__(self, target: Console) -> None:
        self._target = target
        self._best: TrialResult | None = None
        self._turn = Turn(LINE_SECONDS)
        self._turn.ends()
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            console=target,
            transient=True,
            disable=not target.is_terminal,
        )
        self._trials = self._bars.add_task("trials", total=None)
        self._games = self._bars.add_task("games", total=None)

    def __enter__(self) -> Self:
        self._bars.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.__exit__(kind, error, trace)

    def __call__(self, update: TuneUpdate) -> None:
        self._bars.update(self._trials, completed=update.trials_done, total=update.trials)
        if update.result is not None:
            say(self._target, self._line(update.result))
            return
        self._bars.update(self._games, completed=update.games_done, total=update.games)
        if not self._target.is_terminal and self._turn.has_come():
            place = f"{update.trials_done}/{update.trials} trials"
            games = f"{update.games_done}/{update.games} games"
            say(self._target, f"{place}  trial {update.trial}: {games}")
            self._turn.ends()

    def _line(self, result: TrialResult) -> str:
        if self._best is None or result.difference.mean > self._best.difference.mean:
            self._best = result
        parts = [f"trial {result.trial}: {_settings(result.settings)}", _difference(result)]
        if result.faults:
            parts.append(f"faults {result.faults}")
        parts.append(f"best so far {_difference(self._best)} (trial {self._best.trial})")
        return "  ".join(parts)


def print_result(target: Console, result: TuneResult) -> None:
    """The best trials, and how to make sure of the first; no line ends with spaces."""
    with without_trailing_spaces(target):
        target.print(
            f"[bold]{result.game}[/], {result.players} players, {result.components}: "
            f"{result.trials_done} of {result.trials} trials, {result.rounds} rounds each, "
            f"against {_settings(result.base) or 'the defaults'}"
        )
        if result.results:
            target.print(_table(result.results[:SHOWN]))
            if len(result.results) > SHOWN:
                target.print(f"the best {SHOWN} trials; --json has all")
            target.print("± 95 % interval over rounds, not corrected for the choice of the best")
        if result.confirm is not None:
            target.print("\nto test the best on fresh deals:", markup=False)
            target.print(shlex.join(result.confirm), markup=False, soft_wrap=True)
        elif result.results:
            target.print("no trial has done better than the baseline")


def _table(results: list[TrialResult]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("trial", *results[0].settings, "difference", "faults"):
        table.add_column(title, justify="right", no_wrap=True)
    for result in results:
        figures = (_difference(result), str(result.faults))
        table.add_row(str(result.trial), *result.settings.values(), *figures)
    return table


def _difference(result: TrialResult) -> str:
    return estimate_text(result.difference, 3, "+")


def _settings(settings: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in settings.items())

"""`henro replay`: records played over, for a person or for another program."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.text import Text

import henro
from henro import components as component_sets
from henro.arena.records import load_game, read_records
from henro.arena.records import replay as play_over
from henro.arena.store import RECORDS
from henro.cli.board import Board, board_of, seat_name
from henro.cli.options import AsJson, Components
from henro.errors import OptionError, RecordError
from henro.protocol.types import GameRecord, Thought


def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE[:N]",
            help="A file of records, or a results folder; N is the line of one record.",
        ),
    ],
    ply: Annotated[
        int | None, typer.Option(min=0, help="Show the position before this ply, nothing else.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Show only what this seat gets to see.")
    ] = None,
    components: Components = None,
    as_json: AsJson = False,
) -> None:
    """Play a record over move by move, and prove that it can have happened as it stands.

    Of a file with several games each is proved and gets one line, unless N picks one out.
    """
    path, line = _place(file)
    lines = read_records(path)
    records = list(lines if line is None else islice(lines, max(line - 1, 0), line))
    if not records:
        raise RecordError(f"{path}: no games" if line is None else f"{path}: no line {line}")
    if len(records) == 1:
        number, record = records[0]
        shown = _Shown(record, f"{path}:{number}", seat, components)
        shown.print_json(ply) if as_json else shown.print(ply)
        return
    if ply is not None or seat is not None:
        raise OptionError(f"{path} has {len(records)} games; pick one, like {path}:1")
    _prove_all(path, records, components, as_json)


def _place(text: str) -> tuple[Path, int | None]:
    """The file of records that is meant, and the line."""
    path, line = Path(text), None
    match = re.fullmatch(r"(.+):(\d+)", text)
    if match and not path.exists():
        path, line = Path(match[1]), int(match[2])
    return path / RECORDS if path.is_dir() else path, line


def _prove_all(
    path: Path, records: list[tuple[int, GameRecord]], components: str | None, as_json: bool
) -> None:
    """A line for each game; ends at the first one that does not replay, with its error."""
    for number, record in records:
        where = f"{path}:{number}"
        for _ in play_over(record, load_game(record, components, where), where):
            pass
        if as_json:
            print(json.dumps({"line": number, **_facts(record), **_results(record)}))
        else:
            print(_summary(number, record))
    if not as_json:
        print(f"all {len(records)} games replay exactly")


def _summary(number: int, record: GameRecord) -> str:
    results = [f" {utility:.3g}" for utility in record.utilities] or [""] * record.players
    shares = "  ".join(name + result for name, result in zip(record.bots, results, strict=True))
    counts = {"faults": len(record.faults), "error lines": len(record.complaints)}
    trouble = "".join(f"  {count} {what}" for what, count in counts.items() if count)
    place = f"round {record.round} rotation {record.rotation}"
    return f"{number}: {place}  {len(record.moves)} plies  {shares}{trouble}"


class _Shown:
    """One game on its way to the screen, as a whole or as `seat` sees it."""

    def __init__(
        self, record: GameRecord, where: str, seat: int | None, components: str | None
    ) -> None:
        if seat is not None and seat >= record.players:
            raise OptionError(f"seat {seat}: the seats are 0 to {record.players - 1}")
        if seat is not None:  # what another bot has said may tell of its cards
            record = _heard_by(seat, record)
        self.record, self.where, self.seat = record, where, seat
        self.game = load_game(record, components, where)
        self.board: Board = board_of(
            component_sets.load(record.game, components or record.components)
        )
        self.console = Console(highlight=False)

    def print(self, ply: int | None) -> None:
        self._check(ply)
        self._print_head()
        before = None
        for number, (state, text) in self._steps():
            if ply is None:
                self._print_change(before, state)
                self._print_ply(number, state, text)
            elif ply == number:
                self._print_moment(state, text)
            before = state
        if ply is None:
            self._print_end()

    def print_json(self, ply: int | None) -> None:
        self._check(ply)
        plies = [
            self._ply_json(number, state, text)
            for number, (state, text) in self._steps()
            if ply in (None, number)
        ]
        print(json.dumps({**_facts(self.record), **_results(self.record), "plies": plies}))

    def _check(self, ply: int | None) -> None:
        if ply is not None and ply > len(self.record.moves):
            raise OptionError(f"ply {ply}: the game has {len(self.record.moves)} plies")

    def _steps(self) -> Iterator[tuple[int, tuple[Any, str | None]]]:
        return enumerate(play_over(self.record, self.game, self.where))

    def _known(self, state: Any) -> str:
        text = state.serialize() if self.seat is None else state.view(self.seat)
        return str(text)

    def _actor(self, subject: int | str) -> Text:
        """`p1 henro`, or `chance`."""
        if not str(subject).isdecimal():
            return Text("chance", style="dim")
        return seat_name(int(subject)) + Text(f" {self.record.bots[int(subject)]}", style="default")

    def _seen(self, state: Any, text: str | None) -> list[tuple[int | str, str]]:
        """What to show of a ply: itself, or the events that it is for the seat."""
        if text is None:
            return []
        if self.seat is None:
            return [(state.current_player(), text)]
        return list(state.events(state.string_to_action(text))[self.seat])

    def _print_head(self) -> None:
        record = self.record
        options = "".join(f", {key} {value}" for key, value in record.options.items())
        print(f"{record.game}, {record.players} players{options}, {record.components}")
        print(f"{self.where}: round {record.round}, rotation {record.rotation}, {record.started}")
        for seat in range(record.players):
            self.console.print(self._actor(seat))
        print()

    def _print_change(self, before: Any, after: Any) -> None:
        """What the rules did by themselves after the last ply."""
        if before is not None:
            change = self.board.change(self._known(before), self._known(after))
            if change is not None:
                self.console.print(Text("      ") + change, soft_wrap=True)

    def _print_ply(self, number: int, state: Any, text: str | None) -> None:
        for subject, told in self._seen(state, text):
            time_ms = self.record.times_ms[number]
            line = Text(f"{number:4}  ", style="dim") + self._actor(subject)
            line.pad_right(max(1, 28 - line.cell_len))
            line += self.board.move(told)
            if time_ms is not None:
                line += Text(f"  {time_ms} ms", style="dim")
            if self.seat in (None, state.current_player()):
                line += Text(_told(self.record.thought(number)), style="dim")
            self.console.print(line, soft_wrap=True)
        for complaint in self.record.complaints:
            if complaint.ply == number:
                self._print_trouble("error", complaint.seat, f"says: {complaint.words}")
        for fault in self.record.faults:
            if fault.ply == number:
                words = f"{fault.kind}: {fault.detail}" if fault.detail else fault.kind
                self._print_trouble("fault", fault.seat, words)

    def _print_trouble(self, what: str, seat: int, words: str) -> None:
        line = Text(f"      {what}: ", style="red") + self._actor(seat) + Text(f" {words}")
        self.console.print(line, soft_wrap=True)

    def _print_moment(self, state: Any, text: str | None) -> None:
        self.console.print(self.board.board(self._known(state)))
        print(f"\n{self._known(state)}")
        actor = state.current_player()
        if actor >= 0 and self.seat in (None, actor):
            moves = " ".join(map(state.action_to_string, state.legal_actions()))
            self.console.print(self._actor(actor) + Text(f" may {moves}"), soft_wrap=True)
        for subject, told in self._seen(state, text):
            self.console.print(Text("then ") + self._actor(subject) + Text(f" {told}"))

    def _print_end(self) -> None:
        record = self.record
        if not record.ranks:
            print("\nabandoned; so far it replays exactly")
            return
        print()
        for seat in range(record.players):
            result = f"  rank {record.ranks[seat]}  score {record.scores[seat]}"
            share = f"  utility {record.utilities[seat]:.3g}"
            self.console.print(self._actor(seat) + Text(result + share))
        print("the record replays exactly")

    def _ply_json(self, number: int, state: Any, text: str | None) -> dict[str, Any]:
        entry: dict[str, Any] = {"ply": number}
        if text is not None and self.seat is None:
            actor = state.current_player()
            entry["actor"] = "chance" if actor == henro.CHANCE else actor
            entry["move"] = text
            entry["time_ms"] = self.record.times_ms[number]
        elif text is not None:
            entry["events"] = self._seen(state, text)
        if text is not None and self.seat in (None, state.current_player()):
            thought = self.record.thought(number)
            if thought is not None:
                entry["thought"] = msgspec.to_builtins(thought)
        entry["position" if self.seat is None else "view"] = self._known(state)
        return entry


def _heard_by(seat: int, record: GameRecord) -> GameRecord:
    """The record without the words of other bots: their faults are told by kind alone."""
    return msgspec.structs.replace(
        record,
        complaints=[complaint for complaint in record.complaints if complaint.seat == seat],
        faults=[
            fault if fault.seat == seat else msgspec.structs.replace(fault, detail="")
            for fault in record.faults
        ],
    )


def _told(thought: Thought | None) -> str:
    """What the bot told of its search, like `  value 0.412  depth 9  20000 nodes`."""
    if thought is None:
        return ""
    parts = {"value {:.3f}": thought.value, "depth {}": thought.depth, "{} nodes": thought.nodes}
    return "".join(f"  {form.format(part)}" for form, part in parts.items() if part is not None)


def _facts(record: GameRecord) -> dict[str, Any]:
    return {
        "game": record.game,
        "players": record.players,
        "options": record.options,
        "components": record.components,
        "bots": record.bots,
        "round": record.round,
        "rotation": record.rotation,
    }


def _results(record: GameRecord) -> dict[str, Any]:
    return {
        "scores": record.scores,
        "ranks": record.ranks,
        "utilities": record.utilities,
        "faults": msgspec.to_builtins(record.faults),
        "complaints": msgspec.to_builtins(record.complaints),
        "termination": record.termination,
    }

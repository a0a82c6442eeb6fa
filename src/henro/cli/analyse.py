"""`henro analyse`: the moves of a view, searched, for a person or for another program."""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import henro
from henro import components as component_sets
from henro.cli.board import Board, board_of, either, seat_name
from henro.cli.options import (
    DEFAULT_NODES,
    AsJson,
    Components,
    Hash,
    MoveTime,
    Nodes,
    Settings,
    Threads,
    search_limits,
    search_options,
    text_head,
    unwrapped,
)
from henro.cli.terminal import forgive_encoding, status_line, stopped_by_ctrl_c
from henro.errors import OptionError, PositionError, ViewError
from henro.protocol.types import Limits
from henro.search.levels import MAX_LEVEL


def analyse(
    view: Annotated[
        str | None, typer.Option(help="What a seat knows; - reads one from each line of input.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(help="A full position; - reads one from each line of input.")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Whose knowledge of the position to use.",
            show_default="the seat to move",
        ),
    ] = None,
    nodes: Nodes = None,
    movetime: MoveTime = None,
    threads: Threads = None,
    hash_mb: Hash = None,
    preset: Annotated[
        str, typer.Option(help=f"How to search: {either(list(henro.PRESETS))}.")
    ] = "default",
    level: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_LEVEL, help="Strength.", show_default="full strength"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the search.")] = 1,
    told: Settings = None,
    components: Components = None,
    as_json: AsJson = False,
) -> None:
    """Search what the seat to move should do, given only what it knows.

    Ctrl-C ends the search with what it found so far. --json prints one line a view, for programs.

    \b
    henro analyse --view 'shikoku players=4 ...' --nodes 100000
    henro analyse --position 'shikoku players=4 ...' --movetime 2s --threads 2
    henro analyse --view 'shikoku players=4 ...' --preset analysis
    henro analyse --view - --json --preset fast < views.txt
    """
    if (view is None) == (position is None):
        raise OptionError("give either --view or --position")
    if position is None and seat is not None:
        raise OptionError("--seat goes with --position; a view names its seat itself")
    limits = search_limits(nodes, movetime)
    forgive_encoding()
    console = Console()
    warned: set[str] = set()
    for text in _texts(view or position or ""):
        known = _seen(text, seat, components) if view is None else _known(text, components)
        game = known.game
        engine = henro.Engine(
            game,
            preset=preset,
            seed=seed,
            threads=threads,
            hash_mb=hash_mb,
            level=level,
            **search_options(told),
        )
        if game.name not in warned:
            warned.add(game.name)
            _warn(engine)
        board = board_of(component_sets.load(game.name, components or game.components_id))
        if not as_json:
            console.print(board.board(known.view()), Text())
        with stopped_by_ctrl_c(engine.stop) as stopped, status_line("searching ...") as show:
            result = search(engine, known, limits, lambda found: show(_progress(found)))
        if as_json:
            print(json.dumps(_report(known, engine, result)), flush=True)
        else:
            _print(console, result, board, known)
        if stopped.is_set():
            print("henro: stopped; this is what it found so far", file=sys.stderr)
            raise typer.Exit(1)


def _warn(engine: henro.Engine) -> None:
    """Tells of settings that change nothing."""
    idle = dict(engine.idle)
    if engine.options.get("beliefs"):
        idle.setdefault("beliefs", "a game, in which the seat has seen what the others chose")
    for name, need in idle.items():
        print(f"henro: --set {name} changes nothing here; it needs {need}", file=sys.stderr)


def search(
    engine: henro.Engine,
    known: henro.InformationSet,
    limits: Limits | None,
    on_info: Callable[[henro.SearchResult], None] | None = None,
) -> henro.SearchResult:
    """Searches what a seat knows, within limits or else those of the engine."""
    if limits is None:
        return engine.search(
            known, nodes=None if engine.bounded else DEFAULT_NODES, on_info=on_info
        )
    seconds = None if limits.movetime_ms is None else limits.movetime_ms / 1000
    return engine.search(known, nodes=limits.nodes, movetime=seconds, on_info=on_info)


def moves_table(result: henro.SearchResult, board: Board, seat: int) -> Table:
    """The searched moves, best first: visits, their share, and each seat's chance to win."""
    table = Table(
        title="Share of wins of each seat, by move, best first",
        title_justify="left",
        box=None,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("move", no_wrap=True)
    table.add_column("visits", justify="right")
    table.add_column("share", justify="right")
    for number in range(len(result.value)):
        table.add_column(seat_name(number, seat), justify="right")
    for move in result.moves:
        table.add_row(
            board.move(move.text),
            str(move.visits),
            f"{move.visits / max(result.nodes, 1):.0%}",
            *(f"{value:.1%}" if move.visits else "-" for value in move.values),
        )
    return table


def _texts(given: str) -> Iterator[str]:
    """The text that was given or, for `-`, each line of the input; OptionError if it has none."""
    if given != "-":
        yield unwrapped(given)
        return
    line = ""
    for line in filter(None, map(str.strip, sys.stdin)):
        yield line
    if not line:
        raise OptionError("the input is empty: - reads a view or position from each line")


def _known(text: str, components: str | None) -> henro.InformationSet:
    """What a view says; the text names its game and component set."""
    return _game(text, components, ViewError).information_set(text)


def _seen(text: str, seat: int | None, components: str | None) -> henro.InformationSet:
    """What `seat`, or else the seat to move, knows of a position."""
    state = _game(text, components, PositionError).deserialize_state(text)
    return state.information_set(max(state.current_player(), 0) if seat is None else seat)


def _game(
    text: str, components: str | None, error: type[ViewError] | type[PositionError]
) -> henro.Game:
    name, players, named, options = text_head(text, error)
    return henro.load_game(name, players, components or named, **options)


def _print(
    console: Console, result: henro.SearchResult, board: Board, known: henro.InformationSet
) -> None:
    if result.moves:
        console.print(moves_table(result, board, known.seat), Text())
    lines = [f"best {result.best_text}   pv {' '.join(result.pv)}"]
    if result.nodes:
        shares = " ".join(f"{value:.1%}" for value in result.value)
        lines.append(
            f"{result.nodes} nodes, value {shares}, depth {result.depth}, "
            f"{result.elapsed:.2f} s, {result.nps:.0f} nps"
        )
    console.print(Text("\n".join(lines)), soft_wrap=True)


def _progress(found: henro.SearchResult) -> str:
    return f"searching ... {found.nodes} nodes, best {found.best_text}   (Ctrl-C stops)"


def _report(
    known: henro.InformationSet, engine: henro.Engine, result: henro.SearchResult
) -> dict[str, Any]:
    return {
        "game": known.game.name,
        "players": known.game.players,
        "components": known.game.components_id,
        "seat": known.seat,
        "view": known.view(),
        "preset": engine.preset,
        "level": engine.level,
        "seed": engine.seed,
        "best": result.best_text,
        "value": list(result.value),
        "moves": [
            {"move": move.text, "visits": move.visits, "values": list(move.values)}
            for move in result.moves
        ],
        "pv": list(result.pv),
        "nodes": result.nodes,
        "nps": round(result.nps),
        "elapsed": result.elapsed,
        "depth": result.depth,
    }

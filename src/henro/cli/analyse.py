"""`henro analyse`: the moves of a view, searched, for a person or for another program."""

import json
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import henro
from henro import components as component_sets
from henro.cli.board import Board, board_of, seat_name
from henro.cli.options import AsJson, Components, MoveTime, Nodes, search_limits, text_head
from henro.cli.terminal import forgive_encoding
from henro.errors import OptionError, PositionError, ViewError
from henro.protocol.types import Limits


def analyse(
    view: Annotated[
        str | None, typer.Option(help="What a seat knows; - reads one from each line of input.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(help="A full position, with --seat; - reads it from the input.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Whose knowledge of the position to use.")
    ] = None,
    nodes: Nodes = None,
    movetime: MoveTime = None,
    threads: Annotated[int, typer.Option(min=1, help="Search threads.")] = 1,
    preset: Annotated[str, typer.Option(help="How to search: see henro games.")] = "default",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the search.")] = 1,
    components: Components = None,
    as_json: AsJson = False,
) -> None:
    """Search what the seat to move should do, given only what it knows.

    --json prints one line for each view, for other programs.
    """
    if (view is None) == (position is None):
        raise OptionError("give either --view or --position")
    if (position is None) != (seat is None):
        raise OptionError("--seat goes with --position; a view names its seat itself")
    limits = search_limits(nodes, movetime)
    forgive_encoding()
    console = Console()
    for text in _lines(view or position or ""):
        known = _known(text, seat, components)
        game = known.game
        engine = henro.Engine(game, preset=preset, seed=seed, threads=threads)
        result = search(engine, known, limits)
        if as_json:
            print(json.dumps(_report(game, known, preset, seed, result)), flush=True)
            continue
        board = board_of(component_sets.load(game.name, components or game.components_id))
        console.print(board.board(known.view()), Text())
        if result.moves:
            console.print(moves_table(result, board, known.seat), Text())
        console.print(_speed(result), soft_wrap=True)


def search(engine: henro.Engine, known: henro.InformationSet, limits: Limits) -> henro.SearchResult:
    """Searches what a seat knows, within limits."""
    seconds = None if limits.movetime_ms is None else limits.movetime_ms / 1000
    return engine.search(known, nodes=limits.nodes, movetime=seconds)


def moves_table(result: henro.SearchResult, board: Board, seat: int) -> Table:
    """The searched moves, best first: visits, their share, and each seat's chance to win."""
    table = Table(
        title="Share of wins of each seat, by move",
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
            *(f"{value:.1%}" for value in move.values),
        )
    return table


def _lines(text: str) -> Iterator[str]:
    if text != "-":
        yield text
        return
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


def _known(text: str, seat: int | None, components: str | None) -> henro.InformationSet:
    """What a view says (`seat` is None), or what `seat` knows of a position.

    The game and its component set are those that the text names.
    """
    name, players, named = text_head(text, ViewError if seat is None else PositionError)
    game = henro.load_game(name, players, components or named)
    if seat is None:
        return game.information_set(text)
    return game.deserialize_state(text).information_set(seat)


def _report(
    game: henro.Game,
    known: henro.InformationSet,
    preset: str,
    seed: int,
    result: henro.SearchResult,
) -> dict[str, Any]:
    return {
        "game": game.name,
        "players": game.players,
        "components": game.components_id,
        "seat": known.seat,
        "view": known.view(),
        "preset": preset,
        "seed": seed,
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


def _speed(result: henro.SearchResult) -> Text:
    return Text(
        f"best {result.best_text}   pv {' '.join(result.pv)}\n"
        f"{result.nodes} nodes, depth {result.depth}, {result.elapsed:.2f} s, {result.nps:.0f} nps"
    )

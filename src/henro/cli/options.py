"""Command line options that several commands share."""

import re
from typing import Annotated

import typer

import henro
from henro.arena.config import parse_time
from henro.cli.boards.base import split
from henro.errors import OptionError, PositionError, ViewError
from henro.protocol.types import Limits
from henro.search.levels import MAX_LEVEL

DEFAULT_NODES = 20_000
"""Iterations of a search without any limit, where the preset has none."""

_RANGES = ", ".join(f"{name} {low} to {high}" for name, (low, high) in henro.games().items())

Players = Annotated[
    int | None,
    typer.Option(help=f"Number of seats: {_RANGES}.", show_default="the fewest of the game"),
]
Components = Annotated[
    str | None, typer.Option(help="A component file of your own, or the id of an installed set.")
]
GameOptions = Annotated[
    list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="An option of the game.")
]
Nodes = Annotated[
    int | None,
    typer.Option(
        min=1, help=f"Iterations a search; without any limit the preset's, or else {DEFAULT_NODES}."
    ),
]
MoveTime = Annotated[
    str | None, typer.Option(metavar="TIME", help="Time a search, like 500ms or 1.5s.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="How to search (docs/search.md). Once for each option."
    ),
]
Threads = Annotated[
    int | None, typer.Option(min=1, help="Search threads.", show_default="the preset's")
]
Hash = Annotated[
    int | None,
    typer.Option(
        "--hash", min=1, help="Memory of the search tree, in MiB.", show_default="the preset's"
    ),
]
Level = Annotated[
    int | None,
    typer.Option(
        min=1, max=MAX_LEVEL, help="Strength of the other seats.", show_default="full strength"
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def search_limits(nodes: int | None, movetime: str | None) -> Limits | None:
    """The limits of one search from --nodes and --movetime, None without any; OptionError."""
    if nodes is None and movetime is None:
        return None
    milliseconds = None if movetime is None else parse_time(movetime)
    if milliseconds == 0:
        raise OptionError(f"movetime {movetime}: a search takes at least 1ms")
    return Limits(nodes=nodes, movetime_ms=milliseconds)


def settings(texts: list[str] | None) -> dict[str, str]:
    """Values by name from NAME=VALUE texts; raises OptionError."""
    values: dict[str, str] = {}
    for text in texts or []:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise OptionError(f"--set {text}: expected NAME=VALUE")
        if name in values:
            raise OptionError(f"--set {text}: {name} is given twice")
        values[name] = value
    return values


def search_options(texts: list[str] | None) -> henro.SearchOptions:
    """Search options from NAME=VALUE texts; raises OptionError."""
    return henro.parse_search_options(settings(texts))


def text_head(
    text: str, error: type[ViewError] | type[PositionError]
) -> tuple[str, int, str, dict[str, str]]:
    """The game, players, component set and options of the game that a view or position names.

    Raises `error` when the text does not name them.
    """
    name, fields = split(text)
    players, components = fields.get("players", ""), fields.get("components", "")
    if not re.fullmatch("[0-9]{1,3}", players) or not components:
        raise error("a view or position starts like 'shikoku players=4 components=...'")
    known = henro.game_options(name) if name in henro.games() else {}
    options = {key: fields[key] for key in known if key in fields}
    return name, int(players), components, options


def unwrapped(text: str) -> str:
    """A view or position on one line, however line breaks and indents cut it when it was copied.

    A part `key=value` that begins a line after a finished part is a part of its own; any other
    beginning of a line goes on with the word that the break cut.
    """
    whole, *lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    for line in lines:
        head, _, last = whole.rpartition(" ")
        finished = "=" in last or not head
        whole += f" {line}" if finished and re.match(r"\w+=", line) else line
    return whole

"""`henro components`: list, show, export and check component sets."""

import json
import re
from collections import Counter
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.columns import Columns
from rich.console import Console, JustifyMethod
from rich.table import Table

from henro import components
from henro.components import ComponentSet
from henro.components.schema import SetName
from henro.components.schema import Table as Rules
from henro.errors import ComponentError

BLOCK = 11  # rows in one block of numbers: 33 mantra cards stand in three blocks

components_app = typer.Typer(
    name="components",
    help="List, show, export and check component sets: card lists and boards as data.",
    no_args_is_help=True,
)

Source = Annotated[
    str,
    typer.Argument(
        metavar="SET",
        help="A game (shikoku) for its default set, the id of an installed set "
        "(shikoku/default), or a file.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@components_app.command("list")
def list_sets(as_json: AsJson = False) -> None:
    """List the component sets that come with henro."""
    sets = [
        components.load(game, f"{game}/{name}")
        for game in components.games()
        for name in components.installed(game)
    ]
    if as_json:
        print(json.dumps([_summary(found) for found in sets], indent=2))
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("set", no_wrap=True)
    table.add_column("title")
    table.add_column("origin")
    for found in sets:
        table.add_row(found.id, found.title, _origins(found))
    Console().print(table)


@components_app.command()
def show(source: Source, as_json: AsJson = False) -> None:
    """Show the values of a set and where they come from."""
    found = _found(source)
    if as_json:
        print(json.dumps(_summary(found) | {"tables": found.tables}, indent=2))
        return
    console = Console()
    console.print(f"[bold]{found.id}[/bold]  {found.title}", highlight=False)
    if found.note:
        console.print(found.note, markup=False, highlight=False)
    for table in components.schema_of(found.game).tables:
        console.print(f"\n[bold]{table.name}[/bold]: {found.origins[table.name]}", highlight=False)
        console.print(Columns(_blocks(table, found), padding=(0, 4)))


@components_app.command()
def export(
    source: Source,
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.")] = False,
) -> None:
    """Write a set to FILE for you to edit; it takes its name from FILE."""
    name = file.stem
    if fault := SetName().fault(name):
        raise ComponentError(f"{file}: the file's name becomes the set's name, which {fault}")
    text = _found(source).path.read_text(encoding="utf-8")
    text = re.sub(r'(?m)^name = "[^"]*"', f'name = "{name}"', text, count=1)
    try:
        with open(file, "w" if force else "x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise ComponentError(f"{file}: exists; --force overwrites it") from None
    except OSError as error:
        raise ComponentError(f"{file}: cannot be written: {error.strerror}") from error
    print(f"wrote {file}: {components.find(file).id}")


@components_app.command()
def check(source: Source) -> None:
    """Check a set: print its id, or everything that is wrong with it."""
    try:
        print(_found(source).id)
    except ComponentError as error:
        print(error)
        raise typer.Exit(1) from None


def _found(source: str) -> ComponentSet:
    """The set that an argument means; raises like `components.find`."""
    return components.load(source) if source in components.games() else components.find(source)


def _origins(found: ComponentSet) -> str:
    """Where the rows of all tables come from, the most frequent origin first."""
    counts = Counter(chain.from_iterable(found.row_origins.values()))
    return ", ".join(origin for origin, _ in counts.most_common())


def _summary(found: ComponentSet) -> dict[str, Any]:
    return {
        "id": found.id,
        "game": found.game,
        "name": found.name,
        "hash": found.hash,
        "title": found.title,
        "origins": found.origins,
    }


def _blocks(table: Rules, found: ComponentSet) -> list[Table]:
    """The rows of a table, of numbers alone in blocks of BLOCK; with origins when they differ."""
    origins = found.row_origins[table.name]
    mixed = len(set(origins)) > 1
    rows = found.rows[table.name]
    is_narrow = all(isinstance(value, int) for row in rows for value in row.values())
    entries = iter(zip(rows, origins, strict=True))
    blocks = []
    while part := list(islice(entries, BLOCK if is_narrow else None)):
        block = Table(box=None, pad_edge=False)
        for title in table.columns:
            is_number = isinstance(part[0][0][title], int)
            justify: JustifyMethod = "right" if is_number else "left"
            is_key = title == table.key
            block.add_column(title, justify=justify, overflow="fold", no_wrap=is_key)
        if mixed:
            block.add_column("origin")
        for row, origin in part:
            cells = [_cell(row[title]) for title in table.columns]
            block.add_row(*cells, *([origin] if mixed else []))
        blocks.append(block)
    return blocks


def _cell(value: Any) -> str:
    """A value of a component file for a table: `3`, `1, 2`, `size large, region central`."""
    match value:
        case dict():
            return ", ".join(f"{name} {_cell(inner)}" for name, inner in value.items())
        case list():
            return ", ".join(map(_cell, value))
        case _:
            return str(value)

"""`henro games`: what can be played, and how it can be searched."""

import json
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

import henro
from henro import components
from henro.cli.options import AsJson


def games(as_json: AsJson = False) -> None:
    """List the games with their players and component sets, and the search presets."""
    known = henro.games()
    sets = {name: _set_ids(name) for name in known}
    presets = {name: preset.description for name, preset in henro.PRESETS.items()}
    if as_json:
        facts = [
            {
                "name": name,
                "min_players": low,
                "max_players": high,
                "options": henro.game_options(name),
                "components": sets[name],
            }
            for name, (low, high) in known.items()
        ]
        print(json.dumps({"games": facts, "presets": presets}, indent=2))
        return
    rows = [
        (name, f"{low}-{high}", _option_lines(name), "\n".join(sets[name]))
        for name, (low, high) in known.items()
    ]
    console = Console(highlight=False)
    console.print(_table(("game", "players", "options", "component sets"), rows))
    console.print()
    console.print(_table(("preset", "search"), presets.items()))


def _option_lines(game: str) -> str:
    options = henro.game_options(game).items()
    return "\n".join(f"{name}={'|'.join(values)}" for name, values in options)


def _set_ids(game: str) -> list[str]:
    return [components.load(game, f"{game}/{name}").id for name in components.installed(game)]


def _table(titles: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for title in titles:
        table.add_column(title)
    for row in rows:
        table.add_row(*row)
    return table

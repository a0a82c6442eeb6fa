"""`henro perft`: count the positions that a game's rules reach, as proof and speed of the rules."""

import itertools
import json
import time
from typing import Annotated

import typer

import henro
from henro.arena.config import parse_options
from henro.cli.options import (
    AsJson,
    Components,
    GameOptions,
    Players,
    text_head,
    unwrapped,
)
from henro.errors import OptionError, PositionError
from henro.protocol.referee import ChanceSource


def perft(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, such as shikoku.")],
    depth: Annotated[int, typer.Option(min=0, help="Plies to go, decisions and chance alike.")],
    players: Players = None,
    position: Annotated[
        str | None, typer.Option(help="Where to start; it names its players.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the deal without --position.")] = 1,
    divide: Annotated[
        bool, typer.Option("--divide", help="Also the count below each move.")
    ] = False,
    components: Components = None,
    option: GameOptions = None,
    as_json: AsJson = False,
) -> None:
    """Count the ways to play DEPTH plies from a position, or from a deal made by chance.

    The counts prove the rules: they are the same in every correct program.

    \b
    henro perft shikoku --depth 6
    henro perft shikoku --depth 8 --players 5 --seed 2 --divide
    henro perft shikoku --depth 4 --position 'shikoku players=4 ...' --json
    """
    if position is not None:
        position = unwrapped(position)
        players, components, options = _named(position, players, components)
    else:
        options = {}
    loaded = henro.load_game(game, players, components, **options | parse_options(option or []))
    state = dealt(loaded, seed) if position is None else loaded.deserialize_state(position)
    start = time.perf_counter()
    counts = henro.perft(state, depth, divide=True)
    elapsed = time.perf_counter() - start
    total = sum(counts.values()) if counts else 1
    if as_json:
        report = {
            "game": loaded.name,
            "players": loaded.players,
            "components": loaded.components_id,
            "position": state.serialize(),
            "depth": depth,
            "nodes": total,
            "elapsed": elapsed,
        }
        print(json.dumps(report | ({"divide": counts} if divide else {})))
        return
    print(state.serialize())
    if divide:
        for text, count in counts.items():
            print(f"{text}: {count}")
    print(f"nodes {total} depth {depth} time {elapsed:.3f} s nps {total / max(elapsed, 1e-9):.0f}")


def _named(
    position: str, players: int | None, components: str | None
) -> tuple[int, str, dict[str, str]]:
    """Players, component set and options of a position; one's own set stands in for the named."""
    _, count, named, options = text_head(position, PositionError)
    if players not in (None, count):
        raise OptionError(f"--players {players}: the position has {count} players")
    return count, components or named, options


def dealt(game: henro.Game, seed: int) -> henro.State:
    """The first state of `game` in which a seat decides; chance follows `seed`."""
    chance = ChanceSource(str(seed).encode())
    state = game.new_initial_state()
    events = itertools.count()
    while state.is_chance_node():
        state.apply_action(state.sample_chance(chance.chance(next(events))))
    return state

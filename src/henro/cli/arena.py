"""`henro arena`: matches between bots."""

import sys
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import msgspec
import typer

import henro
from henro.arena import Arena, ArenaConfig, Bot, Standing, load, parse_bot
from henro.arena.config import parse_options
from henro.arena.sprt import MAX_ROUNDS, parse_sprt
from henro.arena.store import DATABASE
from henro.cli.options import AsJson, Components, GameOptions
from henro.cli.runs import (
    STOPPING,
    found,
    need,
    new_folder,
    refuse_with_resume,
    stopped_by_signals,
)
from henro.errors import HenroError
from henro.protocol import UhiEngine


def arena(
    game: Annotated[str | None, typer.Option(help="Game to play.")] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            help="A contestant: name=N,preset=P or name=N,cmd=COMMAND, then option.NAME=VALUE, "
            "nodes=, movetime=, tc=, timemargin= as wanted. Once for each bot.",
            metavar="KEY=VALUE,...",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Deals to play; each is a round. With --sprt the most to be played. "
            f"(default: 1, with --sprt {MAX_ROUNDS})",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Seats. (default: the game's fewest)")] = None,
    option: GameOptions = None,
    components: Components = None,
    games: Annotated[
        int | None,
        typer.Option(help="Games a round, a multiple of the bots. (default: the number of bots)"),
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Search iterations a move.")] = None,
    movetime: Annotated[
        str | None, typer.Option(help="Time a move: 100ms, 1.5s.", metavar="TIME")
    ] = None,
    tc: Annotated[
        str | None,
        typer.Option(help="Seconds a game and a move: 60+0.5.", metavar="TIME+INC"),
    ] = None,
    timemargin: Annotated[
        int | None, typer.Option(min=0, help="Overrun forgiven, in ms. (default: 100)")
    ] = None,
    on_fault: Annotated[
        str | None,
        typer.Option(
            help="A bot that fails: random moves to the end of the game, or also the last rank. "
            "(default: random)",
            metavar="random|forfeit",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            help="Test whether the first of two bots is stronger, and stop when that is clear. "
            "Keys and defaults: elo0=0, elo1=20, alpha=0.05, beta=0.05.",
            metavar="KEY=VALUE,...",
        ),
    ] = None,
    concurrency: Annotated[
        int, typer.Option(min=1, help="Games at the same time, each with its own bots.")
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed of deals and seating. (default: secret, from the system)"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Results folder. (default: arena-DATE-TIME)")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the run in this folder.", metavar="DIR")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other, with the same deals for all.

    A round is one deal, played with the seats rotated until every bot has had every seat.
    The same command with the same --out goes on where it was stopped.

    \b
    henro arena --game shikoku --players 4 --rounds 50 --nodes 1000 \\
      --bot preset=default --bot name=mine,cmd="python mybot.py"
    henro arena --sprt elo0=0,elo1=20 --game jinja --nodes 1000 \\
      --bot name=new,cmd="./new" --bot name=old,cmd="./old"
    henro arena --resume arena-20260102-120000 --rounds 100
    """
    run_options = {
        "--game": game,
        "--bot": bot,
        "--players": players,
        "--option": option,
        "--components": components,
        "--games": games,
        "--nodes": nodes,
        "--movetime": movetime,
        "--tc": tc,
        "--timemargin": timemargin,
        "--on-fault": on_fault,
        "--sprt": sprt,
        "--seed": seed,
        "--out": out,
    }
    if resume is not None:
        config = _resumed(resume, run_options, rounds, concurrency)
        standing = _run(config)
    else:
        with new_folder("arena") if out is None else nullcontext(out) as folder:
            config = _config(run_options, rounds, concurrency, folder)
            standing = _run(config)
    _print(standing, config.out, as_json)
    if not standing.complete:
        raise typer.Exit(1)


def _resumed(
    folder: Path, run_options: dict[str, Any], rounds: int | None, concurrency: int
) -> ArenaConfig:
    refuse_with_resume("run", folder, run_options)
    config = load(folder).config
    return msgspec.structs.replace(config, rounds=rounds or config.rounds, concurrency=concurrency)


def _config(values: dict[str, Any], rounds: int | None, concurrency: int, out: Path) -> ArenaConfig:
    need(("--game", "--bot"), values)
    budget = {
        name: str(values[f"--{name}"])
        for name in ("nodes", "movetime", "tc")
        if values[f"--{name}"] is not None
    }
    seed = values["--seed"]
    sprt = None if values["--sprt"] is None else parse_sprt(values["--sprt"])
    return ArenaConfig(
        game=values["--game"],
        players=values["--players"],
        options=parse_options(values["--option"] or []),
        components=found(values["--components"]),
        bots=[parse_bot(text, budget, values["--timemargin"]) for text in values["--bot"]],
        rounds=rounds or (1 if sprt is None else MAX_ROUNDS),
        games=values["--games"],
        on_fault=cast(Literal["random", "forfeit"], values["--on-fault"] or "random"),
        sprt=sprt,
        seed=None if seed is None else str(seed),
        out=out,
        concurrency=concurrency,
    )


def _run(config: ArenaConfig) -> Standing:
    from henro.arena.report import console, reporter

    arena = Arena(config)
    target = console(stderr=True)
    for bot in config.bots:
        for name, needed in _idle(bot, arena.game).items():
            target.print(
                f"bot {bot.name}: option.{name} changes nothing here; it needs {needed}",
                markup=False,
                soft_wrap=True,
            )
    with (
        reporter(target, str(config.out)) as show,
        stopped_by_signals(arena.stop, lambda: target.print(STOPPING, soft_wrap=True)),
    ):
        return arena.run(show)


def _idle(bot: Bot, game: henro.Game) -> dict[str, str]:
    """Options of a preset that change nothing, with what they need."""
    if bot.preset is None:
        return {}
    try:
        settings = {"Preset": bot.preset, **bot.options}
        return UhiEngine(StringIO(), StringIO(), settings=settings).idle(game)
    except HenroError:
        return {}  # the bot itself says what is wrong, and when


def _print(standing: Standing, folder: Path, as_json: bool) -> None:
    from henro.arena.report import console, print_standing

    if as_json:
        sys.stdout.write(msgspec.json.encode(standing).decode() + "\n")
    else:
        print_standing(console(), standing)
    where = f"results in {folder}"
    if not (folder / DATABASE).exists():
        where = "stopped before the first game; there are no results"
    elif not standing.complete:
        where += f"; go on with: henro arena --resume {folder}"
    console(stderr=True).print(where, markup=False, soft_wrap=True)

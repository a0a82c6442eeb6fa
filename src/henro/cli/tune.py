"""`henro tune`: better options for the search, found by matches."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from henro.arena.config import parse_options
from henro.cli.options import AsJson, Components, GameOptions
from henro.cli.runs import (
    STOPPING,
    found,
    need,
    new_folder,
    refuse_with_resume,
    stopped_by_signals,
)
from henro.tune import TuneConfig, Tuner, TuneResult, parse_base, parse_param
from henro.tune.run import load_config

ROUNDS = 20
TRIALS = 50


def tune(
    game: Annotated[str | None, typer.Option(help="Game to play.")] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            help="A search option to tune: NAME=LOW..HIGH, NAME=LOW..HIGH:log, or "
            "NAME=VALUE,VALUE,... Once for each option.",
            metavar="NAME=RANGE",
        ),
    ] = None,
    base: Annotated[
        list[str] | None,
        typer.Option(
            help="A search option of the baseline, other than the game's own.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help=f"Duplicate rounds of a trial. (default: {ROUNDS})")
    ] = None,
    trials: Annotated[
        int | None, typer.Option(min=1, help=f"Settings to try. (default: {TRIALS})")
    ] = None,
    players: Annotated[int | None, typer.Option(help="Seats. (default: the game's fewest)")] = None,
    option: GameOptions = None,
    components: Components = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Search iterations a move.")] = None,
    movetime: Annotated[
        str | None, typer.Option(help="Time a move: 100ms, 1.5s.", metavar="TIME")
    ] = None,
    concurrency: Annotated[
        int, typer.Option(min=1, help="Games at the same time, each with its own bots.")
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed of deals and proposals. (default: from the system)"),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder. (default: tune-DATE-TIME)")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the tuning in this folder.", metavar="DIR")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tune search options of the default preset in matches against a baseline, on the same deals.

    The same command with the same --out goes on where it was stopped.

    \b
    henro tune --game jinja --param priors=0.1..5:log --nodes 200
    henro tune --game shogun --param priors=0.05..2:log --param horizon=0,8,64,inf \\
      --param playouts=uniform,informed --base random=0.1 --rounds 30 --movetime 50ms
    henro tune --resume tune-20260102-120000 --trials 100
    """
    values = {
        "--game": game,
        "--param": param,
        "--base": base,
        "--rounds": rounds,
        "--players": players,
        "--option": option,
        "--components": components,
        "--nodes": nodes,
        "--movetime": movetime,
        "--seed": seed,
        "--out": out,
    }
    if resume is not None:
        config = _resumed(resume, values, trials, concurrency)
        result = _run(config)
    else:
        with new_folder("tune") if out is None else nullcontext(out) as folder:
            config = _config(values, trials or TRIALS, concurrency, folder)
            result = _run(config)
    _print(result, config.out, as_json)
    if not result.complete:
        raise typer.Exit(1)


def _resumed(
    folder: Path, values: dict[str, Any], trials: int | None, concurrency: int
) -> TuneConfig:
    refuse_with_resume("tuning", folder, values)
    config = load_config(folder)
    return msgspec.structs.replace(config, trials=trials or config.trials, concurrency=concurrency)


def _config(values: dict[str, Any], trials: int, concurrency: int, out: Path) -> TuneConfig:
    need(("--game", "--param"), values)
    budget = {name: values[f"--{name}"] for name in ("nodes", "movetime")}
    seed = values["--seed"]
    return TuneConfig(
        game=values["--game"],
        players=values["--players"],
        options=parse_options(values["--option"] or []),
        components=found(values["--components"]),
        params=[parse_param(text) for text in values["--param"]],
        base=parse_base(values["--base"] or []),
        budget={name: str(value) for name, value in budget.items() if value is not None},
        rounds=values["--rounds"] or ROUNDS,
        trials=trials,
        seed=None if seed is None else str(seed),
        out=out,
        concurrency=concurrency,
    )


def _run(config: TuneConfig) -> TuneResult:
    from henro.arena.report import console
    from henro.tune.report import TuneReport

    tuner = Tuner(config)
    target = console(stderr=True)
    with (
        TuneReport(target) as show,
        stopped_by_signals(tuner.stop, lambda: target.print(STOPPING, soft_wrap=True)),
    ):
        return tuner.run(show)


def _print(result: TuneResult, folder: Path, as_json: bool) -> None:
    from henro.arena.report import console
    from henro.tune.report import print_result

    if as_json:
        sys.stdout.write(msgspec.json.encode(result).decode() + "\n")
    else:
        print_result(console(), result)
    where = f"trials in {folder}"
    if not result.complete:
        where += f"; go on with: henro tune --resume {folder}"
    console(stderr=True).print(where, markup=False, soft_wrap=True)

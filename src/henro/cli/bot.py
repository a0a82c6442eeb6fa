"""`henro bot`: the engine as a bot on standard input and output."""

import sys
from typing import Annotated

import typer

from henro.cli.options import Hash, Settings, Threads, settings
from henro.protocol.engine import UhiEngine
from henro.search.levels import MAX_LEVEL


def bot(
    preset: Annotated[
        str, typer.Option(help="Search preset, as listed by henro games.")
    ] = "default",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the search.")] = 1,
    threads: Threads = None,
    hash_mb: Hash = None,
    level: Annotated[
        int, typer.Option(min=0, max=MAX_LEVEL, help="Strength; 0 is full strength.")
    ] = 0,
    told: Settings = None,
    name: Annotated[str, typer.Option(help="Name told to the referee.")] = "henro",
) -> None:
    """Speak the UHI protocol (docs/protocol.md): one command a line, until quit.

    The flags set start values of the options that the referee may change by setoption.

    \b
    henro bot
    henro bot --preset greedy --name rival
    henro bot --level 3
    henro bot --preset strong --threads 2 --hash 256 --seed 7
    henro bot --set playouts=uniform --set priors=0
    """
    values = {
        "Preset": preset,
        "Seed": str(seed),
        "Level": str(level),
        **settings(told),
    }
    if threads is not None:
        values["Threads"] = str(threads)
    if hash_mb is not None:
        values["Hash"] = str(hash_mb)
    engine = UhiEngine(sys.stdin, sys.stdout, name, values)
    # UHI is UTF-8 in every locale, and bytes that are no text must not end the bot.
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    engine.run()

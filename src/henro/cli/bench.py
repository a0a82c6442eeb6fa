"""`henro bench`."""

import json
from typing import Annotated, Any

import typer

from henro.errors import OptionError


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(help="Games to run; all if left out.")
    ] = None,
    scale: Annotated[float, typer.Option(help="Multiplies the work; changes the signature.")] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure the core and print a deterministic signature.

    The signature is the same on every machine as long as rules, sampling and search behave the
    same. Examples: `henro bench`, `henro bench shikoku --json`.
    """
    from henro import bench as benchmark
    from henro.game import load_game

    for name in games or []:
        load_game(name)  # an unknown game ends here
    if not 0 < scale <= 1000:
        raise OptionError(f"scale is a number above 0 and up to 1000, not {scale}")
    benches = []
    for done in benchmark.run(games, scale):
        benches.append(done)
        if not as_json:
            print(_line(done), flush=True)
    whole = benchmark.signature(benches)
    if as_json:
        print(json.dumps({"signature": whole, "parts": [_facts(b) for b in benches]}, indent=2))
    else:
        print(f"signature: {whole}")


def _line(done: Any) -> str:
    million = {kind: done.rate(kind) / 1e6 for kind in done.work}
    return (
        f"{done.game:9} {done.players} players  {million['plies']:7.1f} M plies/s  "
        f"{million['worlds']:6.2f} M worlds/s  {million['iterations']:6.3f} M iterations/s  "
        f"{done.signature}"
    )


def _facts(done: Any) -> dict[str, Any]:
    return {
        "game": done.game,
        "players": done.players,
        "per_second": {kind: round(done.rate(kind)) for kind in done.work},
        "signature": done.signature,
    }

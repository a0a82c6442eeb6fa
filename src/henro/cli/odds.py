"""`henro odds`: how a battle of Shogun may end, exactly."""

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from henro.cli.boards.base import either
from henro.cli.options import AsJson, Components
from henro.cli.terminal import forgive_encoding
from henro.errors import OptionError
from henro.solve.odds import BATTLES, BattleOdds, Cubes, battle_odds

SIDES = ("attacker", "defender", "farmers")
OTHERS = "others"
LEAST = 0.00005
"""Armies less likely than this are left out of the table."""
ENDS = {
    "neutral": ("conquered", "tie: stays neutral", "fewer cubes: stays neutral"),
    "player": ("conquered", "tie: devastated, neutral", "the defender keeps it"),
    "marked": ("conquered", "tie: devastated, neutral", "the defender keeps it"),
    "revolt": (
        "more farmers: devastated, neutral",
        "tie: devastated, neutral",
        "the owner keeps it",
    ),
}

Placed = dict[str, int]


def odds(
    battle: Annotated[str, typer.Argument(help=f"What is fought: {either(list(BATTLES))}.")],
    attack: Annotated[
        int, typer.Option(help="Cubes that the attacker throws, a bonus cube included.")
    ] = 0,
    defend: Annotated[
        int, typer.Option(help="Cubes that the owner throws, bonus cubes included.")
    ] = 0,
    farmers: Annotated[
        int | None,
        typer.Option(
            help="Farmers thrown, those of the tray not counted.", show_default="as usual"
        ),
    ] = None,
    stuck: Annotated[
        str, typer.Option(metavar="WHO=N,...", help="Cubes stuck in the tower before.")
    ] = "",
    tray: Annotated[
        str,
        typer.Option(
            metavar="WHO=N,...", help=f"Cubes in the tray before; {OTHERS}: all other colors."
        ),
    ] = "",
    tower: Annotated[str, typer.Option(help="Model of the tower: blend, sbw or won.")] = "blend",
    components: Components = None,
    as_json: AsJson = False,
) -> None:
    """Print how a battle of Shogun may end: exact probabilities and expected losses.

    WHO is attacker, defender (the owner in a revolt), farmers or others.

    \b
    henro odds neutral --attack 3 --stuck attacker=2,farmers=3 --tray others=1
    henro odds player --attack 4 --defend 5 --stuck attacker=1,defender=2
    henro odds revolt --defend 3 --farmers 3 --tower sbw --json
    """
    inside, lying = _placed("--stuck", stuck, SIDES), _placed("--tray", tray, (*SIDES, OTHERS))
    thrown = {"attacker": attack, "defender": defend, "farmers": _farmers(battle, farmers)}
    attacker, defender, peasants = (
        Cubes(thrown[who], lying.get(who, 0), inside.get(who, 0)) for who in SIDES
    )
    found = battle_odds(
        battle, attacker, defender, peasants, lying.get(OTHERS, 0), tower, components
    )
    if as_json:
        report = {**asdict(found), "tower": tower, **_losses(found)}
        print(json.dumps(report))
    else:
        _print(found, tower)


def _placed(option: str, text: str, known: tuple[str, ...]) -> Placed:
    """`attacker=2,farmers=3` as numbers of cubes."""
    found: Placed = {}
    for part in filter(None, text.split(",")):
        who, _, number = part.partition("=")
        if who not in known:
            raise OptionError(f"{option} {part}: has cubes of {either(known)}")
        if who in found:
            raise OptionError(f"{option} {part}: {who} comes twice")
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            raise OptionError(f"{option} {part}: write a number of cubes, like {who}=2")
        found[who] = int(number)
    return found


def _farmers(battle: str, farmers: int | None) -> int:
    """A neutral province is defended by one farmer unless an event says otherwise."""
    if farmers is None and battle == "revolt":
        raise OptionError("--farmers: say how many farmers are thrown in the revolt")
    return int(battle == "neutral") if farmers is None else farmers


def _losses(found: BattleOdds) -> dict[str, float]:
    return {"attacker_loss": found.attacker_loss, "defender_loss": found.defender_loss}


def _print(found: BattleOdds, tower: str) -> None:
    forgive_encoding()
    console = Console(highlight=False)
    console.print(f"{BATTLES[found.battle]}: {found.cubes} cubes thrown, tower {tower}\n")
    results = Table("result", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    results.add_column("probability", justify="right")
    for end, chance in zip(ENDS[found.battle], (found.win, found.tie, found.loss), strict=True):
        results.add_row(end, f"{chance:.4%}")
    console.print(results, "", _armies(found), sep="\n")


def _armies(found: BattleOdds) -> Table:
    """For each side that fights with armies: thrown, lost, and the chance of each number left."""
    sides = [
        ("attacker", found.attacker, found.attacker_loss, found.attacker_armies),
        ("defender", found.defender, found.defender_loss, found.defender_armies),
    ]
    table = Table("side", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for title in ("thrown", "expected loss"):
        table.add_column(title, justify="right")
    table.add_column("armies in the province afterwards, from 0.01%")
    for name, cubes, loss, armies in sides:
        if cubes.thrown > 0:
            left = [f"{n}:{p:.2%}" for n, p in armies.items() if p >= LEAST]
            table.add_row(name, str(cubes.thrown), f"{loss:.4f}", "  ".join(left))
    return table

"""The command line: one module a command, assembled here."""

import sys

import typer

import henro
from henro.cli.analyse import analyse
from henro.cli.arena import arena
from henro.cli.bench import bench
from henro.cli.bot import bot
from henro.cli.components import components_app
from henro.cli.games import games
from henro.cli.odds import odds
from henro.cli.perft import perft
from henro.cli.play import play
from henro.cli.replay import replay
from henro.cli.tune import tune

app = typer.Typer(
    name="henro",
    help="Search engine for board games with hidden information.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (games, play, bot, arena, tune, analyse, odds, replay, perft, bench):
    app.command()(command)
app.add_typer(components_app, name="components")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"henro {henro.__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True),
) -> None:
    pass


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 the work failed, 2 the call was wrong."""
    try:
        app()
    except henro.HenroError as error:
        print(f"henro: error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("henro: interrupted", file=sys.stderr)
        sys.exit(1)

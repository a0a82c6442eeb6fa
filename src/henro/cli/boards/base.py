"""What a game's board can do, with an answer for every game that has no board of its own."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from henro.components import ComponentSet

SEAT_STYLES = (
    "bold red",
    "bold blue",
    "bold green",
    "bold magenta",
    "bold cyan",
    "bold yellow",
    "bold bright_black",
    "bold dark_orange",
)


class Board:
    """Shows views, positions, moves and events of one game to a person.

    It knows nothing but the texts it is given and the component set, so that it can show
    nothing that the text does not say.
    """

    def __init__(self, components: ComponentSet) -> None:
        self.components = components

    def goal(self, players: int) -> str:
        """How one wins, in a sentence or two."""
        return ""

    def legend(self, players: int) -> str:
        """How a round goes and what the signs on the board mean, in a few lines."""
        return ""

    def prompt(self, moves: Sequence[str]) -> str:
        """The question that one of `moves`, given as texts, answers."""
        return f"your move: {either(moves)}> "

    def board(self, text: str) -> RenderableType:
        """The board of a view or position text."""
        game, fields = split(text)
        table = Table(title=game, title_justify="left", show_header=False, box=None)
        for name, value in fields.items():
            table.add_row(name, value)
        return table

    def move(self, text: str) -> Text:
        """A move or chance event, with what its components do."""
        return Text(text)

    def event(self, subject: str, text: str) -> Text | None:
        """What a seat saw happen, or None for what is not worth a line of its own.

        `subject` is the number of the seat concerned, or "chance".
        """
        who = seat_name(int(subject)) if subject.isdecimal() else Text(subject)
        return who.append(f" {text}", style="not bold default")

    def change(self, before: str, after: str) -> Text | None:
        """What the rules did by themselves between two views of one seat, if anything."""
        return None

    def begins_round(self, before: str, after: str) -> bool:
        """Whether a round begins between two views of one seat."""
        return False


def split(text: str) -> tuple[str, dict[str, str]]:
    """The first word, which names the game, and the fields of a view or position text."""
    game, *parts = text.split() or [""]
    return game, {name: value for name, _, value in (part.partition("=") for part in parts)}


def either(words: Sequence[str]) -> str:
    """`1`, `1 or 2`, `1, 2 or 3`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def seat_name(number: int, own: int | None = None) -> Text:
    """A seat's name in its colour; `own` is the seat of the reader."""
    name = "you" if number == own else f"p{number}"
    return Text(name, style=SEAT_STYLES[number % len(SEAT_STYLES)])

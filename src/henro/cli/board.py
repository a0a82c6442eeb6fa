"""Boards for people: every game's views, moves and events as rich text."""

from rich.console import RenderableType

from henro.cli.boards.base import Board, either, seat_name
from henro.cli.boards.jinja import JinjaBoard
from henro.cli.boards.shikoku import ShikokuBoard
from henro.cli.boards.shogun import ShogunBoard
from henro.cli.boards.shugendo import ShugendoBoard
from henro.components import ComponentSet

__all__ = ["Board", "board_of", "either", "render", "seat_name"]

_BOARDS: dict[str, type[Board]] = {
    "jinja": JinjaBoard,
    "shikoku": ShikokuBoard,
    "shugendo": ShugendoBoard,
    "shogun": ShogunBoard,
}


def board_of(components: ComponentSet) -> Board:
    """The board of the set's game."""
    return _BOARDS.get(components.game, Board)(components)


def render(text: str, components: ComponentSet) -> RenderableType:
    """The board of a view or position text, as a rich renderable.

    What it shows is taken from `text` alone; `components` adds what is printed on the cards.
    """
    return board_of(components).board(text)

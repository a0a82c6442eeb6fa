"""The board of Shikoku: one lane of 33 steps for each pilgrim, the mantra row, the hands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from henro.cli.boards.base import Board, either, seat_name, split
from henro.components import ComponentSet

PAGODA = 33
QUESTIONS = {"play": "play a card of your hand", "take": "take a card of the previous row"}
ICON, PILGRIM, STEP, FIFTH_STEP, ROOF = "▲", "●", "·", ":", "⌂"
PLACES = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards in one hand: `hidden` many that the text does not name, `private` ones that only
    the owner knows, `known` ones that everybody saw being taken."""

    hidden: int
    private: list[int]
    known: list[int]

    @classmethod
    def read(cls, text: str) -> "Hand":
        first, _, known = text.partition("+")
        if first.startswith("?"):
            return cls(int(first[1:]), [], numbers(known))
        return cls(0, numbers(first), numbers(known))


@dataclass(frozen=True, slots=True)
class Scene:
    """The fields of a Shikoku view or position. `seat` is None in a position."""

    players: int
    seat: int | None
    phase: str
    order: list[int]
    turn: int
    steps: list[int]
    previous: list[int]
    row: dict[int, int]
    removed: list[int]
    hands: list[Hand]
    deck: str

    @classmethod
    def read(cls, text: str) -> "Scene":
        _, field = split(text)
        row = field["row"].split(",")
        return cls(
            players=int(field["players"]),
            seat=int(field["seat"]) if "seat" in field else None,
            phase=field["phase"],
            order=numbers(field["order"]),
            turn=int(field["turn"]),
            steps=numbers(field["steps"]),
            previous=numbers(field["previous"]),
            row={int(card): owner for owner, card in enumerate(row) if card != "-"},
            removed=numbers(field["removed"]),
            hands=[Hand.read(hand) for hand in field["hands"].split("/")],
            deck=field["deck"],
        )

    @property
    def lanes(self) -> list[int]:
        """Seats from top to bottom: as they take turns, or by number before there is an order."""
        return self.order or list(range(self.players))

    @property
    def acting(self) -> int | None:
        return self.order[self.turn] if self.phase in ("play", "take") else None

    @property
    def standing_still(self) -> list[int]:
        """The cards of a full row whose owners do not climb."""
        if self.phase not in ("draw", "take", "end"):
            return []
        cards = sorted(self.row)
        return [cards[1]] + ([cards[-2]] if self.players >= 5 else [])

    def place(self, step: int) -> str:
        """The rank of an occupied step, counted from the top."""
        return PLACES[len({other for other in self.steps if other > step})]


class ShikokuBoard(Board):
    """See Board."""

    def __init__(self, components: ComponentSet) -> None:
        super().__init__(components)
        self.icons = {number: icons for number, icons in components.tables["cards"]}

    def goal(self, players: int) -> str:
        second_last = " or the second lowest" if players >= 5 else ""
        return (
            f"The game ends when a pilgrim reaches the pagoda on step {PAGODA}. Who stands there "
            f"is first and loses; you win on the second highest{second_last} step that is occupied."
        )

    def legend(self, players: int) -> str:
        second_last = " and of the second highest" if players >= 5 else ""
        return (
            "In a round each pilgrim plays a card. All climb as many steps as their card has "
            f"{ICON}, but the owner of the second lowest{second_last} card stands still. Then the "
            "owner of the lowest draws a card, the others take one of the previous row, and turns "
            "go by card: second lowest first, lowest last.\n"
            "A card ? is one that you do not know; 30+ was taken for all to see."
        )

    def prompt(self, moves: Sequence[str]) -> str:
        kind, cards = moves[0].split(":")[0], [move.split(":")[1] for move in moves]
        return f"{QUESTIONS[kind]}: {either(cards)}> "

    def board(self, text: str) -> RenderableType:
        scene = Scene.read(text)
        return Group(self._headline(scene), Text(), self._lanes(scene), Text(), self._cards(scene))

    def move(self, text: str) -> Text:
        kind, _, card = text.partition(":")
        return Text(f"{kind}:") + self._card(int(card)) if card.isdecimal() else Text(text)

    def event(self, subject: str, text: str) -> Text | None:
        if text.startswith("deal:"):  # the first board shows the hand
            return None
        return seat_name(int(subject)) + Text(" ") + self.move(text)

    def change(self, before: str, after: str) -> Text | None:
        """The climb, told card by card."""
        old, new = Scene.read(before), Scene.read(after)
        if old.phase != "play" or new.phase == "play":
            return None
        parts = []
        for card in sorted(new.row):
            owner = new.row[card]
            step = new.steps[owner]
            climbed = step - old.steps[owner]
            told = "stands still" if card in new.standing_still else f"+{climbed} to {step}"
            parts.append(seat_name(owner) + Text(f" {told}"))
        return Text("climb: ") + Text(", ").join(parts)

    def begins_round(self, before: str, after: str) -> bool:
        return Scene.read(after).phase == "play" != Scene.read(before).phase

    def _headline(self, scene: Scene) -> Text:
        parts = [Text(f"Shikoku, {scene.players} players", style="bold")]
        if scene.acting is not None:
            parts.append(Text.assemble(seat_name(scene.acting), f" to {scene.phase}"))
        else:
            parts.append(Text("the game is over" if scene.phase == "end" else scene.phase))
        parts.append(Text(f"deck {scene.deck}"))
        return Text(" | ").join(parts)

    def _lanes(self, scene: Scene) -> Table:
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        table.add_column("turn")
        table.add_column("pilgrim")
        table.add_column("place")
        table.add_column("step", justify="right")
        table.add_column(ruler(), no_wrap=True)
        table.add_column("hand")
        for position, owner in enumerate(scene.lanes, 1):
            step = scene.steps[owner]
            table.add_row(
                f"▶{position}" if owner == scene.acting else f" {position}",
                seat_name(owner).append(" you" if owner == scene.seat else ""),
                scene.place(step),
                str(step),
                lane(step, owner),
                self._hand(scene.hands[owner]),
            )
        return table

    def _hand(self, hand: Hand) -> Text:
        cards = [Text("?", style="dim")] * hand.hidden
        cards += [Text(str(card), style="bold") for card in hand.private]
        cards += [Text(f"{card}+", style="italic") for card in hand.known]
        return Text(" ").join(cards)

    def _cards(self, scene: Scene) -> Table:
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_row("mantra row", spread(self._played(scene, card) for card in sorted(scene.row)))
        table.add_row("previous row", spread(map(self._card, scene.previous)))
        table.add_row("out of the game", spread(map(self._card, scene.removed)))
        if scene.seat is not None:
            hand = scene.hands[scene.seat]
            table.add_row("your hand", spread(map(self._card, sorted(hand.private + hand.known))))
        return table

    def _played(self, scene: Scene, card: int) -> Text:
        still = " stands still" if card in scene.standing_still else ""
        return Text.assemble(seat_name(scene.row[card]), " ", self._card(card), still)

    def _card(self, card: int) -> Text:
        return Text(str(card), style="bold").append(f" {ICON * self.icons[card]}", style="dim")


def numbers(text: str) -> list[int]:
    """Numbers divided by commas; "-" and nothing stand for none."""
    return [int(part) for part in text.split(",") if part not in ("", "-")]


def ruler() -> str:
    """Step numbers whose last digit stands over their step."""
    marks = [1, *range(5, PAGODA, 5), PAGODA]
    line = [" "] * PAGODA
    for mark in marks:
        line[mark - len(str(mark)) : mark] = str(mark)
    return "".join(line)


def lane(step: int, owner: int) -> Text:
    line = [FIFTH_STEP if step % 5 == 0 else STEP for step in range(1, PAGODA)] + [ROOF]
    text = Text("".join(line), style="dim")
    return text[: step - 1] + Text(PILGRIM, style=seat_name(owner).style) + text[step:]


def spread(cards: Iterable[Text]) -> RenderableType:
    """Cards side by side, or a dash."""
    texts = list(cards)
    return Columns(texts, padding=(0, 3)) if texts else Text("-", style="dim")

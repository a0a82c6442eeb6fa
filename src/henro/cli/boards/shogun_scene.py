"""What a Shogun view or position says, and what the cards say to it."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from henro.cli.boards.base import SEAT_STYLES, split
from henro.components import ComponentSet
from henro.components.shogun.schema import ACTIONS, Graph, graph

SPACES = (*ACTIONS, "bid")
FACE_UP_FIELDS = 5
FARMERS = "f"
INCOMES = {"tax": "chests", "rice": "rice"}
BUILDINGS = {"castle": "C", "temple": "T", "theater": "N"}
DECISIONS = ("claim", "group", "plan", "bid", "pick", "move", "revolt")
SIX = 6


@dataclass(frozen=True, slots=True)
class Land:
    """A province that a seat owns."""

    owner: int
    armies: int
    buildings: list[str]
    markers: int

    @classmethod
    def read(cls, owner: int, text: str) -> "tuple[str, Land]":
        """`omi:3+castle+temple!1`."""
        rest, _, markers = text.partition("!")
        head, *buildings = rest.split("+")
        name, armies = head.split(":")
        return name, cls(owner, int(armies), buildings, int(markers or 0))

    @property
    def letters(self) -> str:
        """`CT!1`."""
        built = "".join(BUILDINGS[kind] for kind in self.buildings)
        return built + (f"!{self.markers}" if self.markers else "")


@dataclass(frozen=True, slots=True)
class Throw:
    """A running throw: cubes thrown in all, the color that falls next, the province fought for."""

    cubes: str
    color: str
    province: str


class Scene:
    """The fields of a Shogun view or position. `seat` is None in a position."""

    def __init__(self, text: str) -> None:
        _, field = split(text)
        self.players = int(field["players"])
        self.side = field["board"]
        self.seat = optional(field.get("seat", "-"))
        self.year = field["year"]
        self.season = field["season"]
        self.step = field["step"]
        self.active = optional(field["active"])
        self.victim = optional(field["victim"])
        self.field = optional(field["field"])
        self.event = field["event"]
        self.face_up = items(field["faceup"])
        self.fields = [card for card in field["fields"].split(",") if card != "-"]
        slots = [slot.partition(":") for slot in field["specials"].split(",")]
        self.specials = {name: optional(taker or "-") for name, _, taker in slots if name != "-"}
        self.lands = dict(
            Land.read(owner, land)
            for owner, entry in enumerate(field["lands"].split("/"))
            for land in items(entry)
        )
        self.chests = numbers(field["chests"])
        self.rice = numbers(field["rice"])
        self.points = numbers(field["points"])
        self.stuck = numbers(field["stuck"])
        self.tray = numbers(field["tray"])
        self.throw = Throw(*field["throw"].split("/")) if field["throw"] != "-" else None
        self.open = [card for card in field["open"].split(",") if card != "-"]
        self.card = field["card"]
        self.under = items(field["under"])
        self.groups = [items(left) for left in items(field["groups"], "/")]
        self.plans = [items(plan) for plan in items(field["plans"], "/")]
        self.drawn = items(field["drawn"])
        self.extra = field["extra"]

    @property
    def acting(self) -> int | None:
        """The seat that has a choice; None at chance events and at the end."""
        return self.active if self.step in DECISIONS else None

    @property
    def planning(self) -> bool:
        """Whether the reader is laying a card."""
        return self.step in ("plan", "bid") and self.seat is not None and self.active == self.seat

    @property
    def order(self) -> list[int]:
        """Seats as they take turns, those that took a special so far."""
        return [taker for taker in self.specials.values() if taker is not None]

    @property
    def colors(self) -> list[str]:
        return [*(f"p{seat}" for seat in range(self.players)), FARMERS]

    @property
    def done(self) -> int:
        """Fields whose action has been carried out."""
        if self.field is not None:
            return self.field - 1
        return max(0, len(self.fields) - FACE_UP_FIELDS + 1) if self.step == "field" else 0

    @property
    def action(self) -> str:
        """The action that is carried out, or nothing."""
        return self.fields[self.field - 1] if self.field is not None else ""

    def owned(self, seat: int) -> dict[str, Land]:
        return {name: land for name, land in self.lands.items() if land.owner == seat}

    def card_on(self, seat: int, space: str) -> str:
        """What lies on a planning space; nothing before the seat has planned it."""
        plan = self.plans[seat] if self.plans else []
        index = SPACES.index(space)
        return plan[index] if index < len(plan) else ""

    def holds(self, seat: int, special: str) -> bool:
        return self.specials.get(special) == seat


class Cards:
    """What is printed on board, cards and play aids, and what it means in a scene."""

    def __init__(self, components: ComponentSet) -> None:
        self.rows = components.rows
        self.provinces = {row["id"]: row for row in self.rows["provinces"]}
        self.actions = {row["id"]: row for row in self.rows["actions"]}
        self.losses = {row["id"]: row["winter_loss"] for row in self.rows["events"]}
        self.supply = {row["id"]: row["count"] for row in self.rows["supply"]}
        self.setup = {row["players"]: row for row in self.rows["setup"]}
        self.provisions = {row["missing"]: row for row in self.rows["provisions"]}

    def region(self, scene: Scene, name: str) -> str:
        return str(self.provinces[name][f"{scene.side}_region"])

    def neighbors(self, scene: Scene) -> Graph:
        """Provinces in play and those next to them (SU6, SU52)."""
        three = scene.players == min(self.setup)
        out = {n for n, row in self.provinces.items() if three and row[f"out3_{scene.side}"]}
        return graph(scene.side, out, self.rows["borders"], self.rows["routes"])

    def armies_left(self, scene: Scene, seat: int) -> int:
        """Armies in a seat's supply."""
        standing = sum(land.armies for land in scene.owned(seat).values())
        return int(self.supply["armies"]) - standing - scene.stuck[seat] - scene.tray[seat]

    def income(self, scene: Scene, seat: int, action: str, name: str) -> tuple[int, str]:
        """What tax or rice brings, and how it comes about if it is not what is printed (SU30)."""
        printed = int(self.provinces[name][INCOMES[action]])
        bounds = {
            "tax_max5": ("tax", min(printed, 5)),
            "tax_min6": ("tax", max(printed, 6)),
            "rice_max3": ("rice", min(printed, 3)),
            "rice_min4": ("rice", max(printed, 4)),
        }
        concerned, bounded = bounds.get(scene.event, ("", printed))
        amount = bounded if concerned == action else printed
        special = "chest" if action == "tax" else "rice"
        how = [f"printed {printed}"]
        if amount != printed:
            how.append(f"event {amount}")
        if scene.holds(seat, special):
            how.append("special +1")
        more = int(scene.holds(seat, special))
        return amount + more, f" ({', '.join(how)})" if len(how) > 1 else ""

    def deployed(self, scene: Scene, seat: int, action: str) -> int:
        """Armies that a deployment brings (SU24, SU25)."""
        column = "levy_armies" if scene.event == "levy" else "armies"
        six = action == "deploy5" and scene.holds(seat, "six")
        return SIX if six and self.armies_left(scene, seat) >= SIX else self.actions[action][column]

    def hindrance(self, scene: Scene, seat: int, action: str, name: str) -> str:
        """Why the seat could not carry out the action in its province now, or nothing (SU20)."""
        land, price = scene.lands[name], self.actions[action]["price"]
        if action in BUILDINGS:
            tiles = sum(action in other.buildings for other in scene.lands.values())
            if action in land.buildings:
                return f"has a {action}"
            if len(land.buildings) >= self.provinces[name]["spaces"]:
                return "no free space"
            if tiles >= self.supply[f"{action}s"]:
                return f"no {action} is left"
        elif action.startswith("deploy"):
            if (left := self.armies_left(scene, seat)) < self.deployed(scene, seat, action):
                return f"only {counted(left, 'army', 'armies')} left"
        elif action.startswith("battle"):
            if land.armies < 2:
                return "1 army"
            if scene.event.startswith("temple") and not self._open_ways(scene, seat, name):
                return "temples all around"
        return f"costs {price}, {scene.chests[seat]} there" if scene.chests[seat] < price else ""

    def _open_ways(self, scene: Scene, seat: int, name: str) -> bool:
        """Whether an army may go anywhere when temples are spared (SU28)."""
        near = [scene.lands.get(other) for other in self.neighbors(scene)[name]]
        return any(
            land is None or land.owner == seat or "temple" not in land.buildings for land in near
        )


def optional(text: str) -> int | None:
    """A number; "-" stands for none."""
    return None if text == "-" else int(text)


def items(text: str, separator: str = ",") -> list[str]:
    """The entries of a list; "-" stands for none."""
    return [] if text == "-" else text.split(separator)


def numbers(text: str) -> list[int]:
    return [int(entry) for entry in text.split(",")]


def counted(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def garrison(land: Land) -> Text:
    """`p2:4` in the owner's colour."""
    return Text(f"p{land.owner}:{land.armies}", style=SEAT_STYLES[land.owner])


def joined(parts: Iterable[Text | str], separator: str = ", ") -> Text:
    return Text(separator).join(part if isinstance(part, Text) else Text(part) for part in parts)

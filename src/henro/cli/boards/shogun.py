"""The board of Shogun: regions, action spaces, seats, and the provinces of the reader."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from henro.cli.boards.base import SEAT_STYLES, Board, either, seat_name, split
from henro.components import ComponentSet
from henro.components.shogun.schema import ACTIONS, PROVINCES, REGIONS, Graph, graph

SPACES = (*ACTIONS, "bid")
FACE_UP_FIELDS = 5
FARMERS = "f"
BUILDINGS = {"castle": "C", "temple": "T", "theater": "N"}

EFFECTS = {
    "castle": "build a castle",
    "temple": "build a temple",
    "theater": "build a No theater",
    "rice": "bring in rice",
    "tax": "collect chests",
    "deploy5": "deploy many armies",
    "deploy3": "deploy some armies",
    "deploy1": "deploy an army, then move to a neighbor of yours",
    "battlea": "move or attack",
    "battleb": "move or attack",
}
EVENTS = {
    "tax_max5": "tax brings 5 chests at most",
    "tax_min6": "tax brings 6 chests at least",
    "rice_max3": "rice brings 3 at most",
    "rice_min4": "rice brings 4 at least",
    "levy": "deploy5 brings 3 armies, deploy3 brings 2",
    "farmers2": "2 farmers defend a neutral province",
    "temple_a": "provinces with a temple cannot be attacked",
    "temple_b": "provinces with a temple cannot be attacked",
    "castle_a": "an attacked province with a castle has a cube more",
    "castle_b": "an attacked province with a castle has a cube more",
    "theater_a": "a new theater takes a revolt marker away",
    "theater_b": "a new theater takes a revolt marker away",
}
SPECIALS = {
    "attack": "a cube more when you attack",
    "defend": "a cube more when a player attacks you",
    "chest": "a chest more with tax",
    "rice": "one rice more with rice",
    "six": "deploy5 brings 6 armies",
}
STEPS = {
    "claim": "take a province card",
    "group": "choose its army group",
    "plan": "plan",
    "bid": "bid",
    "pick": "take a special",
    "move": "move or stay",
    "revolt": "choose the next revolt",
}
CARDS = {"blank": "no action", "empty": "no card", "?": ""}


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
        return self.active if self.step in STEPS else None

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

    def owned(self, seat: int) -> dict[str, Land]:
        return {name: land for name, land in self.lands.items() if land.owner == seat}

    def card_on(self, seat: int, space: str) -> str:
        """What lies on a planning space; nothing before the seat has planned it."""
        plan = self.plans[seat]
        index = SPACES.index(space)
        return plan[index] if index < len(plan) else ""


class ShogunBoard(Board):
    """See Board."""

    def __init__(self, components: ComponentSet) -> None:
        super().__init__(components)
        rows = components.rows
        self.provinces = {row["id"]: row for row in rows["provinces"]}
        self.actions = {row["id"]: row for row in rows["actions"]}
        self.losses = {row["id"]: row["winter_loss"] for row in rows["events"]}
        self.supply = {row["id"]: row["count"] for row in rows["supply"]}
        self.setup = {row["players"]: row for row in rows["setup"]}

    def goal(self, players: int) -> str:
        return (
            "Most points after the second winter win, then chests. Each winter a province and a "
            "building bring 1 point each; in each region most castles bring 3, most temples 2, "
            "most No theaters 1, and one less to each seat if the lead is shared."
        )

    def legend(self, players: int) -> str:
        chests = self.setup[players]["chests"]
        return (
            f"Everybody starts with {chests} chests. In spring, summer and fall each seat lays a "
            "card on each of ten actions and a bid: province cards say where, chest cards that the "
            "action is left out. Bids (4 to 1, a province, 0, none) tell who takes a special "
            "first; its place is the place in turn order. Then the actions are carried out field "
            "by field. In winter a seat needs a rice for each province, or some revolt.\n"
            "kai 5/3/1 p2:4 CT!1: kai has 5 chests, 3 rice and 1 space; p2 has 4 armies, a castle, "
            "a temple and a revolt marker there (N is a No theater). Stuck and tray count cubes in "
            "and before the tower. On planning spaces ? lies face down."
        )

    def prompt(self, moves: Sequence[str]) -> str:
        verb, *parts = moves[0].split(":")
        if "move:" in moves[-1]:
            return f"move armies: {self._marches(moves)}> "
        question = f"plan {parts[0]}" if verb == "plan" else STEPS.get(verb, STEPS["claim"])
        return f"{question}: {either([move.split(':')[-1] for move in moves])}> "

    def board(self, text: str) -> RenderableType:
        scene = Scene(text)
        neighbors = self._neighbors(scene)
        parts: list[RenderableType] = [
            self._headline(scene),
            *map(Text, self._remarks(scene)),
            Text(),
            self._regions(scene, neighbors),
            Text(),
            self._seats(scene),
        ]
        if scene.fields:
            parts += [Text(), self._plans(scene)]
        for title, names in self._own_cards(scene):
            parts += [Text(), self._cards(scene, title, names, neighbors)]
        return Group(*parts)

    def move(self, text: str) -> Text:
        """A move with what it does, short enough to stand in a table."""
        told = self._told(*text.split(":"))
        return Text(text).append(f"  {told}" if told else "", style="dim")

    def event(self, subject: str, text: str) -> Text | None:
        verb = text.partition(":")[0]
        if verb in ("tower", "open", "special") or text == "plan:?":  # the board shows them
            return None
        if text == "bid:?":
            return seat_name(int(subject)).append(" has planned and bid", style="not bold default")
        who = Text("chance") if subject == "chance" else seat_name(int(subject))
        return who + Text(" ") + self.move(text)

    def change(self, before: str, after: str) -> Text | None:
        """Throws that are over, cards turned up, and what seats gained, built, deployed or paid."""
        old, new = Scene(before), Scene(after)
        parts = [*fallen(old, new), *turned_up(old, new)]
        for seat in range(new.players):
            if told := ", ".join(gains(old, new, seat)):
                parts.append(seat_name(seat) + Text(f" {told}"))
        return Text("  ") + Text("; ").join(parts) if parts else None

    def begins_round(self, before: str, after: str) -> bool:
        return Scene(before).season != Scene(after).season

    # -- Parts of the board

    def _neighbors(self, scene: Scene) -> Graph:
        """Provinces in play and those next to them (SU6, SU52)."""
        rows = self.components.rows
        three = scene.players == min(self.setup)
        out = {n for n, row in self.provinces.items() if three and row[f"out3_{scene.side}"]}
        return graph(scene.side, out, rows["borders"], rows["routes"])

    def _headline(self, scene: Scene) -> Text:
        when = "setup" if scene.season == "setup" else f"year {scene.year}, {scene.season}"
        parts = [
            Text(f"Shogun, {scene.players} players", style="bold"),
            Text(f"{scene.side} side"),
            Text(when),
        ]
        if scene.acting is not None:
            what = STEPS[scene.step]
            if scene.step == "plan":
                what += f" {SPACES[len(scene.plans[scene.acting])]}"
            parts.append(seat_name(scene.acting) + Text(f" to {what}", "not bold default"))
        else:
            parts.append(Text("the game is over" if scene.step == "end" else scene.step))
        return Text(" | ").join(parts)

    def _remarks(self, scene: Scene) -> Iterator[str]:
        """Lines on the event, the throw, the draft and the revolts of the moment."""
        if scene.event != "-":
            yield f"event {scene.event}: {EVENTS[scene.event]}"
        if scene.face_up and scene.season == "winter":
            yield f"rice lost in winter: {self.losses[scene.face_up[0]]}"
        elif scene.face_up:
            cards = [f"{name} ({self.losses[name]})" for name in scene.face_up]
            yield f"events to come (rice lost in winter): {', '.join(cards)}"
        if scene.field is not None and scene.active is not None:
            action = scene.fields[scene.field - 1]
            yield f"p{scene.active} carries out {action} in {scene.card_on(scene.active, action)}"
        if scene.throw is not None:
            where = f" for {scene.throw.province}" if scene.throw.province != "-" else ""
            yield f"{scene.throw.cubes} cubes are thrown{where}, {scene.throw.color} falls next"
        if scene.under:
            yield f"under the pile: {', then '.join(scene.under)}"
        if scene.victim is not None:
            drawn = ", ".join(scene.drawn) or "none yet"
            yield f"revolts of p{scene.victim} with {scene.extra} farmers more: {drawn}"

    def _regions(self, scene: Scene, neighbors: Graph) -> Table:
        table = Table.grid(padding=(0, 2, 0, 0))
        for region in REGIONS:
            names = [n for n in neighbors if self.provinces[n][f"{scene.side}_region"] == region]
            for row in range(0, len(names), 3):
                cells = [self._province(scene, name) for name in names[row : row + 3]]
                table.add_row("" if row else region, *cells)
        return table

    def _province(self, scene: Scene, name: str) -> Text:
        """`kai 5/3/1 p2:4 CT!1`."""
        card = self.provinces[name]
        cell = Text(f"{name} ").append(income(card), style="dim")
        if name not in scene.lands:
            return cell.append(" -")
        land = scene.lands[name]
        return (cell + Text(" ") + garrison(land)).append(f" {land.letters}".rstrip())

    def _seats(self, scene: Scene) -> Table:
        columns = ("points", "chests", "rice", "lands", "armies", "C", "T", "N")
        table = grid("turn", "seat", *columns, "supply", "stuck", "tray", "special")
        numbered = {seat: turn for turn, seat in enumerate(scene.order, 1)}
        taken = {taker: special for special, taker in scene.specials.items()}
        for seat in sorted(
            range(scene.players), key=lambda s: (numbered.get(s, len(PROVINCES)), s)
        ):
            lands = scene.owned(seat).values()
            armies = sum(land.armies for land in lands)
            used = armies + scene.stuck[seat] + scene.tray[seat]
            groups = "".join(scene.groups[seat]) if scene.groups else ""
            table.add_row(
                ("▶" if seat == scene.acting else " ") + str(numbered.get(seat, "")),
                seat_name(seat).append(" you" if seat == scene.seat else ""),
                *(str(track[seat]) for track in (scene.points, scene.chests, scene.rice)),
                str(len(lands)),
                str(armies),
                *(str(sum(kind in land.buildings for land in lands)) for kind in BUILDINGS),
                *(str(n) for n in (self.supply["armies"] - used, scene.stuck[seat])),
                str(scene.tray[seat]),
                f"groups {groups}" if groups else taken.get(seat, "-"),
            )
        farmers = self.supply["farmers"] - scene.stuck[-1] - scene.tray[-1]
        table.add_row(
            "", "farmers", *[""] * 8, str(farmers), *map(str, (scene.stuck[-1], scene.tray[-1]))
        )
        if free := [special for special, taker in scene.specials.items() if taker is None]:
            table.caption = f"specials left, by slot: {', '.join(free)}"
            table.caption_justify = "left"
        return table

    def _plans(self, scene: Scene) -> Table:
        """Actions by field, those not turned up yet last, and what lies on their spaces."""
        table = grid("field", "action", "price")
        for seat in range(scene.players):
            table.add_column(seat_name(seat))
        hidden = [action for action in ACTIONS if action not in scene.fields]
        for number, action in enumerate([*scene.fields, *hidden], 1):
            known = number <= len(scene.fields)
            mark = "▶" if number == scene.field else " "
            table.add_row(
                mark + (str(number) if known else "?"),
                action,
                str(self.actions[action]["price"] or "-"),
                *(scene.card_on(seat, action) for seat in range(scene.players)),
                style="dim" if number <= scene.done else "",
            )
        table.add_row("", "bid", "", *(scene.card_on(seat, "bid") for seat in range(scene.players)))
        return table

    def _own_cards(self, scene: Scene) -> Iterator[tuple[str, list[str]]]:
        """Tables of province cards, each with its title: the draft's, and the reader's own."""
        if draft := [*scene.open, *items(scene.card)]:
            yield "cards to take" if scene.card == "-" else f"open, and {scene.card} taken", draft
        elif scene.seat is not None and scene.owned(scene.seat):
            yield "your provinces", list(scene.owned(scene.seat))

    def _cards(self, scene: Scene, title: str, names: list[str], neighbors: Graph) -> Table:
        table = grid(title, "region", "income", "next to")
        for name in names:
            near = [
                Text(other) + (Text(" ") + garrison(scene.lands[other]))
                if other in scene.lands
                else Text(other, style="dim")
                for other in sorted(neighbors[name], key=PROVINCES.index)
            ]
            card = self.provinces[name]
            table.add_row(name, card[f"{scene.side}_region"], income(card), Text(", ").join(near))
        return table

    # -- Moves

    def _told(self, verb: str, *parts: str) -> str:
        match verb, *parts:
            case (("claim" | "draw" | "open"), *_, name):
                card = self.provinces[name]
                spaces = counted(card["spaces"], "space")
                return f"{card['chests']} chests, {card['rice']} rice, {spaces}"
            case "blind", *_:
                return "the next card of the pile, which must be kept"
            case "group", size:
                return f"{size} armies"
            case "plan", action, name:
                return CARDS[name] if name in CARDS else self._planned(action, name)
            case "bid", card:
                return self._bid(card)
            case (("pick" | "special"), *_, name):
                return SPECIALS[name]
            case "stay", *_:
                return "no army moves"
            case "move", name, armies:
                return f"{armies} to {name}"
            case "tower", color, cubes:
                whose = "the farmers" if color == FARMERS else color
                return f"{counted(int(cubes), 'cube')} of {whose} come out"
            case "face", name:
                return f"{EVENTS[name]}; in winter {self.losses[name]} rice lost"
            case "event", name:
                return EVENTS[name]
            case "field", _, name:
                return EFFECTS[name]
            case "tie", *_:
                return "takes a special first"
            case _:
                return ""

    def _planned(self, action: str, name: str) -> str:
        if action in ("tax", "rice"):
            kind = "chests" if action == "tax" else "rice"
            return f"{self.provinces[name][kind]} {kind}"
        price = self.actions[action]["price"]
        return f"{counted(price, 'chest')}: {EFFECTS[action]}" if price else EFFECTS[action]

    def _bid(self, card: str) -> str:
        if card.isdecimal():
            return counted(int(card), "chest")
        return CARDS.get(card, "a card that is not used: better than 0 chests")

    def _marches(self, moves: Sequence[str]) -> str:
        """`stay, or up to 4 to kai or izu, like "kai 4"`."""
        marches = [move.split(":")[1:] for move in moves if move.startswith("move:")]
        names = list(dict.fromkeys(name for name, _ in marches))
        most = max(int(armies) for _, armies in marches)
        return f'stay, or up to {most} to {either(names)}, like "move {names[0]} {most}"'


def fallen(old: Scene, new: Scene) -> Iterator[Text]:
    """What came out of a throw that ended between two scenes, and who has the province now."""
    if old.throw is None:
        return
    colors = old.colors
    if new.throw is not None and colors.index(new.throw.color) > colors.index(old.throw.color):
        return
    last = colors.index(old.throw.color)
    outs = [*old.tray[:last], old.stuck[last] + old.tray[last] - new.stuck[last]]
    shown = [
        seat_name(color).append(f" {out}", style="not bold default")
        if color < old.players
        else Text(f"farmers {out}")
        for color, out in enumerate(outs)
        if out or color == last
    ]
    yield Text("out of the tower: ") + Text(", ").join(shown)
    if (where := old.throw.province) == "-":
        return
    if where in new.lands:
        yield Text(f"{where} ") + garrison(new.lands[where])
    else:
        yield Text(f"{where} is neutral")


def turned_up(old: Scene, new: Scene) -> Iterator[Text]:
    """The cards of others that lay face down in the old scene and do not in the new one."""
    if old.seat is None or not new.plans or not old.plans:
        return
    for space in SPACES:
        shown = [
            seat_name(seat).append(f" {new.card_on(seat, space)}", style="not bold default")
            for seat in range(new.players)
            if old.card_on(seat, space) == "?" and new.card_on(seat, space) not in ("?", "")
        ]
        if shown:
            yield Text(f"{space}: ") + Text(", ").join(shown)


def gains(old: Scene, new: Scene, seat: int) -> Iterator[str]:
    """What a seat has more or less of, but for what is fought for."""
    tracks = ((old.chests, new.chests, "chests"), (old.rice, new.rice, "rice"))
    for track in (*tracks, (old.points, new.points, "points")):
        if change := track[1][seat] - track[0][seat]:
            yield f"{change:+d} {track[2]}"
    fought_for = {scene.throw.province for scene in (old, new) if scene.throw is not None}
    for name, land in new.owned(seat).items():
        before = old.lands.get(name)
        if before is None or before.owner != seat or name in fought_for:
            continue
        if change := land.armies - before.armies:
            yield f"{change:+d} armies in {name}"
        for kind in land.buildings:
            if kind not in before.buildings:
                yield f"{kind} in {name}"


def optional(text: str) -> int | None:
    """A number; "-" stands for none."""
    return None if text == "-" else int(text)


def items(text: str, separator: str = ",") -> list[str]:
    """The entries of a list; "-" stands for none."""
    return [] if text == "-" else text.split(separator)


def numbers(text: str) -> list[int]:
    return [int(entry) for entry in text.split(",")]


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def income(card: dict[str, int]) -> str:
    """Chests, rice and building spaces."""
    return f"{card['chests']}/{card['rice']}/{card['spaces']}"


def garrison(land: Land) -> Text:
    """`p2:4` in the owner's colour."""
    return Text(f"p{land.owner}:{land.armies}", style=SEAT_STYLES[land.owner])


def grid(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    left = ("turn", "seat", "special", "field", "action", "region", "next to")
    for place, name in enumerate(columns):
        table.add_column(name, justify="left" if name in left or place == 0 else "right")
    return table

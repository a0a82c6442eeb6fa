"""The board of Shogun: regions, action spaces, seats, and the provinces of the reader."""

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from henro.cli.boards.base import Board, either, seat_name
from henro.cli.boards.shogun_scene import (
    BUILDINGS,
    FARMERS,
    INCOMES,
    SPACES,
    Cards,
    Scene,
    counted,
    garrison,
    items,
)
from henro.cli.boards.shogun_story import Story
from henro.components import ComponentSet
from henro.components.shogun.schema import ACTIONS, PROVINCES, REGIONS, Graph

WIDTH = 100
"""Columns that the board is made for."""

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


class ShogunBoard(Board):
    """See Board."""

    def __init__(self, components: ComponentSet) -> None:
        super().__init__(components)
        self.cards = Cards(components)

    def goal(self, players: int) -> str:
        return (
            "Most points after the second winter win, then chests. Each winter a province and a "
            "building bring 1 point each; in each region most castles bring 3, most temples 2, "
            "most No theaters 1, and one less to each seat if the lead is shared."
        )

    def legend(self, players: int) -> str:
        chests = self.cards.setup[players]["chests"]
        return (
            f"Everybody starts with {chests} chests. In spring, summer and fall each seat lays a "
            "card on each of ten actions and a bid: province cards say where, chest cards that the "
            "action is left out. Bids (4 to 1, a province, 0, none) tell who takes a special "
            "first; its place is the place in turn order. Then the actions are carried out field "
            "by field. In winter a seat needs a rice for each province, or some revolt.\n"
            "kai 5/3/2 p2:4 CT!1: kai brings 5 chests or 3 rice and has 2 spaces for buildings; p2 "
            "has 4 armies, a castle, a temple and a revolt marker there (N is a No theater, - is "
            "neutral). Stuck and tray count cubes in and before the tower: what lies in the tray "
            "joins the next throw. On planning spaces ? lies face down. An action that cannot be "
            f"done in full is left out. The board is {WIDTH} columns wide."
        )

    def prompt(self, moves: Sequence[str]) -> str:
        verb, *parts = moves[0].split(":")
        if "move:" in moves[-1]:
            return f"move armies: {self._marches(moves)}> "
        question = f"plan {parts[0]}" if verb == "plan" else STEPS.get(verb, STEPS["claim"])
        return f"{question}: {either([move.split(':')[-1] for move in moves])}> "

    def board(self, text: str) -> RenderableType:
        scene = Scene(text)
        neighbors = self.cards.neighbors(scene)
        parts: list[RenderableType] = [
            WidthHint(),
            self._headline(scene),
            *map(Text, self._remarks(scene)),
            Text(),
            Text("province chests/rice/spaces owner:armies buildings!markers, - neutral", "dim"),
            self._regions(scene, neighbors),
            Text(),
            self._seats(scene),
        ]
        if scene.specials:
            parts.append(Text(self._slots(scene)))
        if scene.fields:
            parts += [Text(), self._plans(scene)]
        for title, names in self._own_cards(scene):
            parts += [Text(), self._cards(scene, title, names, neighbors)]
        if scene.step in ("bid", "tie", "pick"):
            parts += [Text(), self._specials(scene)]
        if scene.planning:
            parts += [Text(), *map(Text, self._advice(scene))]
        return Group(*parts)

    def move(self, text: str) -> Text:
        """A move with what it does, short enough to stand in a table."""
        told = self._told(*text.split(":"))
        return Text(text).append(f"  {told}" if told else "", style="dim")

    def event(self, subject: str, text: str) -> Text | None:
        verb = text.partition(":")[0]
        if verb in ("tower", "special") or text == "plan:?":  # told by `change`, or on the board
            return None
        if text == "bid:?":
            return seat_name(int(subject)).append(" has planned and bid", style="not bold default")
        who = Text("chance") if subject == "chance" else Text().append_text(seat_name(int(subject)))
        return who + Text(" ") + self.move(text)

    def change(self, before: str, after: str) -> Text | None:
        """Bids, turns, throws, losses, winter and points: a line each."""
        lines = list(Story(self.cards, before, after).lines())
        return Text("  ") + Text("\n  ").join(lines) if lines else None

    def begins_round(self, before: str, after: str) -> bool:
        return Scene(before).season != Scene(after).season

    # -- Parts of the board

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
            yield f"rice lost in winter: {self.cards.losses[scene.face_up[0]]}"
        elif scene.face_up:
            cards = [f"{name} ({self.cards.losses[name]})" for name in scene.face_up]
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
            names = [n for n in neighbors if self.cards.region(scene, n) == region]
            for row in range(0, len(names), 3):
                cells = [self._province(scene, name) for name in names[row : row + 3]]
                table.add_row("" if row else region, *cells)
        return table

    def _province(self, scene: Scene, name: str) -> Text:
        """`kai 5/3/1 p2:4 CT!1`."""
        card = self.cards.provinces[name]
        cell = Text(f"{name} ").append(income(card), style="dim")
        if name not in scene.lands:
            return cell.append(" -")
        land = scene.lands[name]
        return (cell + Text(" ") + garrison(land)).append(f" {land.letters}".rstrip())

    def _seats(self, scene: Scene) -> Table:
        columns = ("points", "chests", "rice", "lands", "armies", "C", "T", "N")
        table = grid("turn", "seat", *columns, "supply", "stuck", "tray", "special")
        table.padding = (0, 1, 0, 0)
        picking = scene.step in ("tie", "pick")  # the order is not known before all have picked
        numbered = {seat: turn for turn, seat in enumerate([] if picking else scene.order, 1)}
        taken = {taker: special for special, taker in scene.specials.items()}
        for seat in sorted(
            range(scene.players), key=lambda s: (numbered.get(s, len(PROVINCES)), s)
        ):
            lands = scene.owned(seat).values()
            armies = sum(land.armies for land in lands)
            groups = "".join(scene.groups[seat]) if scene.groups else ""
            table.add_row(
                ("▶" if seat == scene.acting else " ") + str(numbered.get(seat, "")),
                seat_name(seat).append(" you" if seat == scene.seat else ""),
                *(str(track[seat]) for track in (scene.points, scene.chests, scene.rice)),
                str(len(lands)),
                str(armies),
                *(str(sum(kind in land.buildings for land in lands)) for kind in BUILDINGS),
                *(str(n) for n in (self.cards.armies_left(scene, seat), scene.stuck[seat])),
                str(scene.tray[seat]),
                f"groups {groups}" if groups else taken.get(seat, "-"),
            )
        farmers = self.cards.supply["farmers"] - scene.stuck[-1] - scene.tray[-1]
        table.add_row(
            "", "farmers", *[""] * 8, str(farmers), *map(str, (scene.stuck[-1], scene.tray[-1]))
        )
        return table

    def _slots(self, scene: Scene) -> str:
        """The specials by slot, with their takers."""
        slots = [
            f"{slot} {special}" + (f" p{taker}" if taker is not None else "")
            for slot, (special, taker) in enumerate(scene.specials.items(), 1)
        ]
        return f"specials by slot, which is the turn order: {', '.join(slots)}"

    def _specials(self, scene: Scene) -> Table:
        """The specials by slot, with what they do."""
        table = grid("special", "slot", "taken by", "effect")
        for slot, (special, taker) in enumerate(scene.specials.items(), 1):
            whose = Text("-") if taker is None else seat_name(taker)
            table.add_row(special, str(slot), whose, SPECIALS[special])
        return table

    def _advice(self, scene: Scene) -> Iterator[str]:
        """What the reader's plan costs, and what could not be carried out as things stand."""
        assert scene.seat is not None
        laid = {space: scene.card_on(scene.seat, space) for space in ACTIONS}
        laid = {action: card for action, card in laid.items() if card in self.cards.provinces}
        price = sum(self.cards.actions[action]["price"] for action in laid)
        chests = scene.chests[scene.seat]
        taxed = f", before {laid['tax']} is taxed" if "tax" in laid else ""
        yield f"your plan costs {price} so far, the bid is paid first; your chests: {chests}{taxed}"
        for action, card in laid.items():
            if why := self.cards.hindrance(scene, scene.seat, action, card):
                yield f"as things stand {action} in {card} is left out: {why}"

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
                str(self.cards.actions[action]["price"] or "-"),
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
        planned = bool(scene.plans) and scene.seat is not None
        table = grid(title, "region", "ch/ri/sp", *["card"] * planned, "next to")
        for name in names:
            near = [
                Text(other) + (Text(" ") + garrison(scene.lands[other]))
                if other in scene.lands
                else Text(other, style="dim")
                for other in sorted(neighbors[name], key=PROVINCES.index)
            ]
            use = [self._use(scene, name)] if planned else []
            brings = income(self.cards.provinces[name])
            region = self.cards.region(scene, name)
            table.add_row(name, region, brings, *use, Text(", ").join(near))
        return table

    def _use(self, scene: Scene, name: str) -> Text:
        """Where the reader has laid a province card, or why it would not do on the next space."""
        assert scene.seat is not None
        plan = scene.plans[scene.seat]
        if name in plan:
            return Text(SPACES[plan.index(name)])
        if not scene.planning or scene.step == "bid":
            return Text()
        why = self.cards.hindrance(scene, scene.seat, SPACES[len(plan)], name)
        return Text(f"({why})" if why else "", style="dim")

    # -- Moves

    def _told(self, verb: str, *parts: str) -> str:
        match verb, *parts:
            case (("claim" | "draw" | "open"), *_, name):
                card = self.cards.provinces[name]
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
                return f"{EVENTS[name]}; in winter {self.cards.losses[name]} rice lost"
            case "event", name:
                return EVENTS[name]
            case "field", _, name:
                return EFFECTS[name]
            case "tie", *_:
                return "takes a special first"
            case "winter", name:
                return f"drawn: {name} will revolt"
            case "revolt", name:
                return f"{name} revolts next"
            case _:
                return ""

    def _planned(self, action: str, name: str) -> str:
        if action in INCOMES:
            kind = INCOMES[action]
            return f"{self.cards.provinces[name][kind]} {kind}"
        price = self.cards.actions[action]["price"]
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


def income(card: dict[str, int]) -> str:
    """Chests, rice and building spaces."""
    return f"{card['chests']}/{card['rice']}/{card['spaces']}"


def grid(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    left = ("seat", "special", "action", "region", "card", "next to", "effect")
    for place, name in enumerate(columns):
        table.add_column(name, justify="left" if name in left or place == 0 else "right")
    return table


class WidthHint:
    """A line for those whose terminal is too narrow for the board."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width < WIDTH:
            yield Text(f"(the board wants {WIDTH} columns, here are {options.max_width})", "dim")

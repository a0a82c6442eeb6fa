"""The board of Jinja: territories, activities, seats, and the cards of the reader."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from henro.cli.boards.base import Board, either, seat_name, split
from henro.components import ComponentSet
from henro.components.jinja.schema import (
    ACTIVITIES,
    FEWEST,
    KINDS,
    REGION_OF,
    REGIONS,
    TERRITORIES,
)

SEASONS = 5
TOKENS_OF_KIND = 20
REGION_HONOR = 8
SET_SIZE, SET_HONOR = 5, 2
FOX_HONOR = 3
LETTERS = dict(zip(KINDS, "HKTC", strict=True))
KIND_NAMES = dict(zip(KINDS, ("Honden", "Kitsune Statue", "Torii Gate", "Chozuya"), strict=True))

BONUSES = {
    "gold1": "1 Gold",
    "gold2": "2 Gold",
    "honor1": "1 honor",
    "honor2": "2 honor",
    "rand1": "1 random",
    "rand2": "2 random",
    "choice1": "1 of choice",
    "harvest": "empty a territory",
    "lantern": "flip, gain it",
    "omikuji": "draw an Omikuji",
    "donate": "1 Gold: 2 honor",
}
EFFECTS = {
    "deed_exchange": "discard a Deed: 3 random structures; 1 for each opponent",
    "deed_buyback": "take a Deed of the pile; build it, with a worker there",
    "omikuji": "draw 2 Omikuji, put 1 of the hand under the deck",
    "gain_territory": "all tokens of one territory",
    "territory_build": "build in any territory with a free space",
    "change_lantern": "flip 2 Lanterns, gain the bonus of one",
    "minor_offering": "roll: blue 3 honor, red 5",
    "major_offering": "6 honor",
    "market": "sell for 1 Gold each, then buy up to 5",
    "roll_structures": "roll: blue 2 random structures, red 1 of choice",
    "random_structures": "2 random structures",
    "supplement_gold": "all Gold that lies here",
    "roll_gold": "roll: blue 2 Gold, red 3",
}
TERRITORY_EFFECT = "take its tokens, or build a Deed of it"
KITSUNE = {
    "k_fortune": "at once, each seat: draw 2 Omikuji, put 1 back",
    "k_trade": "at once, each seat may trade as at the market",
    "k_lights": "at once, each seat may flip 2 Lanterns and gain a bonus",
    "k_purse": "at once, each seat rolls for Gold",
    "k_gift": "at once, each seat: 2 random structures",
    "k_vow": "at once, each seat may build in any territory for 1 Gold",
    "k_mason": "this season a Shrine costs one token less",
    "k_praise": "this season a Shrine built gives 2 honor",
    "k_pilgrims": "this season taking from a territory gives 1 Gold more",
    "k_alms": "this season both Offerings cost 1 Gold less",
    "k_crafts": "this season bought structures cost 1 Gold",
    "k_omen": "this season blue faces count as red",
    "k_grace": "this season Buyback, Territory Build and Random cost 1 less",
}
CHEAPER = {
    "k_alms": ("minor_offering", "major_offering"),
    "k_grace": ("deed_buyback", "territory_build", "random_structures"),
}
STEPS = {
    "return_setup": "put back 2 Omikuji",
    "draft": "keep a Deed of the pack",
    "place": "place a worker",
    "territory": "take the tokens or build",
    "discard": "discard a Deed",
    "search": "take a Deed of the pile",
    "keep": "build the Deed or keep it",
    "return_card": "put an Omikuji under the deck",
    "pick": "empty a territory",
    "build": "build a Shrine",
    "flip_first": "flip the first Lantern",
    "flip_second": "flip the second Lantern",
    "gain": "gain one of the two bonuses",
    "star": "flip a Lantern or not (star)",
    "market": "trade",
    "choose": "choose a structure",
    "omit": "leave out a token",
    "lights": "flip the first Lantern or skip",
    "vow": "build for 1 Gold or skip",
    "use": "choose the next Deed bonus",
    "flip_one": "flip a Lantern and gain its bonus",
    "donate": "pay 1 Gold for 2 honor or skip",
}
VERBS = {
    "place": "place a worker",
    "fox": "place a worker with your Fox",
    "take": "take the tokens or build",
    "build": "build a Shrine",
    "discard": "discard a Deed",
    "search": "take a Deed of the pile",
    "keep": "build the Deed or keep it",
    "return": "put back an Omikuji",
    "draft": "keep a Deed of the pack",
    "pick": "empty a territory",
    "flip": "flip a Lantern",
    "noflip": "flip a Lantern or not (star)",
    "gain": "gain a bonus",
    "sell": "trade",
    "buy": "trade",
    "done": "trade",
    "choose": "choose a structure",
    "omit": "leave out a token",
    "skip": "do it or skip",
    "use": "choose the next Deed bonus",
    "pay": "pay 1 Gold for 2 honor",
}
ORDERS = {  # J24, J20, J28
    "market": "sales first, then up to 5 purchases, each in the order H K T C; "
    "what is passed over is not offered again",
    "first": "the first of two, the other must stand later in the list",
    "return": "at setup two, the one that stands earlier in the list first",
    "use": "of Deeds with an equal bonus one stands for all",
}
PLAIN = {
    "take": "all tokens of the territory",
    "keep": "the Deed stays in hand",
    "noflip": "leave the Lanterns as they are",
    "done": "no more trades",
    "skip": "do nothing",
    "pay": "1 Gold for 2 honor",
}
PAID_BY = {  # the Deed bonuses that ask for a step
    "choose": ("choice1", "lantern"),
    "pick": ("harvest",),
    "flip_one": ("lantern",),
    "return_card": ("omikuji",),
    "donate": ("donate",),
}
STAGES = ("setup", "kitsune", "work", "lanterns", "deeds")
NAMED_BY_EVENT = ("goods", "draw", "choose")  # steps whose action is the token gained
NUMBERS = ("left", "honor", "built", "Gold", "cost", "Deeds", "Omikuji", *LETTERS.values())
FACES = {
    "blue": "blue",
    "red": "red",
    "blue_star": "blue, and a Lantern may be flipped",
    "red_star": "red, and a Lantern may be flipped",
}


@dataclass(frozen=True, slots=True)
class Worker:
    """Seats with a worker at a place, and how many of its circles are taken."""

    seats: list[int]
    circles: int


@dataclass(frozen=True, slots=True)
class Hand:
    """Deeds in one hand: `hidden` many that the text does not name, those it names by the round
    of the draft in which they were kept, and those that everybody saw being taken."""

    hidden: int
    kept: list[str]
    known: list[str]

    @classmethod
    def read(cls, text: str) -> "Hand":
        hidden, kept, known = 0, [], []
        for card in items(text):
            name, mark, _ = card.partition("@")
            if card.startswith("?"):
                hidden = int(card[1:])
            elif mark:
                kept.append(name)
            else:
                known.append(name)
        return cls(hidden, kept, known)

    @property
    def named(self) -> list[str]:
        return self.kept + self.known

    @property
    def size(self) -> int:
        return self.hidden + len(self.named)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Deeds seen in a pack in the draft, of which one was kept in each of `rounds`."""

    pack: int
    deeds: list[str]
    rounds: list[int]

    @classmethod
    def read(cls, text: str) -> "Candidates":
        head, deeds, *rounds = text.split(":")
        pack, _, _ = head.partition("@")
        return cls(int(pack), items(deeds), numbers(rounds[0]) if rounds else [])


class Scene:
    """The fields of a Jinja view or position. `seat` is None in a position."""

    def __init__(self, text: str) -> None:
        _, field = split(text)
        self.players = int(field["players"])
        self.seat = int(field["seat"]) if "seat" in field else None
        self.season = int(field["season"])
        self.first = int(field["first"])
        self.stage = field["stage"]
        self.step = field["step"]
        self.active = int(field["active"])
        self.placed = int(field["placed"])
        self.kitsune = field["kitsune"]
        self.revealed = items(field["revealed"])
        self.supplement = int(field["supplement"])
        self.lanterns = field["lanterns"].split(",")
        self.tokens = [structures(entry) for entry in field["tokens"].split(",")]
        self.workers = dict(map(worker, items(field["workers"])))
        self.structures = [structures(entry) for entry in field["structures"].split(",")]
        self.gold = numbers(field["gold"])
        self.honor = numbers(field["honor"])
        self.fox = numbers(field["fox"])
        self.built = [items(deeds) for deeds in field["built"].split("/")]
        self.hands = [Hand.read(hand) for hand in field["hands"].split("/")]
        self.pile = items(field["pile"])
        self.packs = [items(pack) for pack in field["packs"].split("/")]
        self.seen = [Candidates.read(group) for group in items(field.get("seen", "-"), "/")]
        self.omikuji = [items(hand) for hand in field["omikuji"].split("/")]
        self.ordered = [card.split(":") for card in items(field["ordered"])]
        self.deck = int(field["deck"])
        self.returned = [items(cards) for cards in field["returned"].split("/")]
        self.draws = field["draws"]
        self.where = field["where"].partition(":")[0]
        self.deed = field["deed"]
        self.flipped = items(field["flipped"])
        self.market = field["market"]
        self.pending = items(field["pending"])

    @property
    def moment(self) -> tuple[int, int]:
        """Grows from stage to stage of a game."""
        return self.season, STAGES.index(self.stage)

    @property
    def order(self) -> list[int]:
        """Seats as they take turns in this season."""
        return [(self.first + turn) % self.players for turn in range(self.players)]

    @property
    def acting(self) -> int | None:
        """The seat that has a choice; None at chance events and at the end."""
        return self.active if self.step in STEPS else None

    @property
    def bag(self) -> list[int]:
        """Tokens left in the bag, by kind."""
        outside = self.structures + self.tokens
        return [TOKENS_OF_KIND - sum(goods[kind] for goods in outside) for kind in range(4)]

    def shrines(self, seat: int | None = None) -> list[str]:
        """The Deeds built by a seat, or by all."""
        return [
            deed
            for owner, deeds in enumerate(self.built)
            if seat in (None, owner)
            for deed in deeds
        ]

    def has_worker(self, seat: int, place: str) -> bool:
        return place in self.workers and seat in self.workers[place].seats

    def omikuji_in_hand(self, seat: int) -> int:
        cards = self.omikuji[seat]
        return int(cards[0][1:]) if cards and cards[0].startswith("?") else len(cards)


class JinjaBoard(Board):
    """See Board."""

    def __init__(self, components: ComponentSet) -> None:
        super().__init__(components)
        rows = components.rows
        self.deeds = {row["id"]: row for row in rows["deeds"]}
        self.omikuji = {row["id"]: row for row in rows["omikuji"]}
        self.lanterns = {row["id"]: row for row in rows["lanterns"]}
        self.activities = {row["id"]: row for row in rows["activities"]}
        self.spaces = {row["id"]: row["spaces"] for row in rows["territories"]}
        self.setup = {row["players"]: row for row in rows["setup"]}

    def goal(self, players: int) -> str:
        return (
            "Most honor after five seasons wins: honor gained in play, that of your Shrines and of "
            "the Omikuji they fulfil, 8 shared by those with most Shrines in each region, 2 for "
            "every 5 Gold and structures left, and 3 for an unused Fox."
        )

    def legend(self, players: int) -> str:
        workers = self.setup[players]["workers"]
        return (
            f"In a season each seat places {workers} workers in turn and does at once what the "
            "place offers. A Fox, once a game, stands in for a worker where all circles are taken "
            "and an opponent stands. Then Lanterns pay those with Shrines beside them (twice for "
            "two Shrines), and built Deeds pay their bonus.\n"
            "H Honden, K Kitsune Statue, T Torii Gate, C Chozuya. Of a seat, left are the workers "
            "still to be placed, honor is what was gained in play, built that of its Shrines. A "
            "Lantern shows its blue or red side; the bonus of the other side stands in brackets. "
            "In hands, ? is a Deed that you cannot name, and kanto_s+ was taken for all to see.\n"
            "Where the order of your choices makes no difference you take them in a fixed order, "
            "which the prompt names."
        )

    def prompt(self, moves: Sequence[str]) -> str:
        verb = moves[0].partition(":")[0]
        named = [move.partition(":")[2] or move for move in moves]
        verbs = {move.partition(":")[0] for move in moves}
        note = ORDERS.get("market" if VERBS[verb] == "trade" else verb)
        if is_first_flip(moves):
            note = ORDERS["first"]
        if "noflip" in verbs:
            verb = "noflip"
        if len(verbs) > 1:
            named = list(moves)
        return f"{VERBS[verb]}{f' ({note})' if note else ''}: {either(named)}> "

    def board(self, text: str) -> RenderableType:
        scene = Scene(text)
        parts: list[RenderableType] = [
            self._headline(scene),
            self._second_line(scene),
            Text(),
            self._territories(scene),
        ]
        if scene.stage != "setup" or scene.season > 1:
            parts += [Text(), self._activities(scene)]
        parts += [Text(), self._seats(scene), self._regions(scene)]
        if scene.step == "end":
            parts += [Text(), self._scoring(scene)]
        for table in self._own_cards(scene):
            parts += [Text(), table]
        parts += [Text(), self._rest(scene)]
        if source := self._source(scene):
            parts += [Text(), Text(f"{STEPS[scene.step]}: {source}")]
        return Group(*parts)

    def move(self, text: str) -> Text:
        """A move with what it does, short enough to stand in a table."""
        verb, _, name = text.partition(":")
        told = PLAIN.get(text) or self._told(verb, name)
        return Text(text).append(f"  {told}" if told else "", style="dim")

    def event(self, subject: str, text: str) -> Text | None:
        verb = text.partition(":")[0]
        if verb in ("deal", "lantern"):  # the first board shows them
            return None
        if subject == "chance":  # what falls on territories is on the board
            return Text("Kitsune: ") + self.move(text) if verb == "kitsune" else None
        return seat_name(int(subject)) + Text(" ") + self.move(text)

    def change(self, before: str, after: str) -> Text | None:
        """What Lanterns and Deeds paid, and what seats gained or paid in all."""
        old, new = Scene(before), Scene(after)
        lines = [*self._season_end(old, new)]
        if gains := goods_moved(old, new):
            lines.append(gains)
        return Text("\n").join(Text("  ") + line for line in lines) if lines else None

    def begins_round(self, before: str, after: str) -> bool:
        old, new = Scene(before), Scene(after)
        drafted = old.step == "draft" != new.step
        return new.season != old.season or drafted

    def _season_end(self, old: Scene, new: Scene) -> Iterator[Text]:
        """The Lanterns and Deeds that begin to pay between two views, one line each."""
        ends = {stage: (old.season, STAGES.index(stage)) for stage in ("lanterns", "deeds")}
        paid = [seat for seat in old.order if new.built[seat]]
        if old.moment < ends["lanterns"] <= new.moment and paid:
            yield listed("Lanterns", {seat: self._lanterns_paid(new, seat) for seat in paid})
        if old.moment < ends["deeds"] <= new.moment and paid:
            bonuses = {
                seat: [f"{deed} {self._deed_bonus(deed)}" for deed in new.built[seat]]
                for seat in paid
            }
            yield listed("Deeds", bonuses)

    def _lanterns_paid(self, scene: Scene, seat: int) -> list[str]:
        shrines = {name: self._in_territory(scene, seat, name) for name in TERRITORIES}
        return [
            f"{name} {self._lantern_bonus(scene, name)}{' twice' if number > 1 else ''}"
            for name, number in shrines.items()
            if number
        ]

    def _lantern_bonus(self, scene: Scene, territory: str) -> str:
        name, _, red = scene.lanterns[TERRITORIES.index(territory)].partition(":")
        return BONUSES[self.lanterns[name]["red" if red else "blue"]]

    def _deed_bonus(self, deed: str) -> str:
        return BONUSES[self.deeds[deed]["bonus"]]

    def _in_territory(self, scene: Scene, seat: int, territory: str) -> int:
        """The Shrines of a seat in a territory."""
        return sum(self.deeds[deed]["territory"] == territory for deed in scene.built[seat])

    # -- Parts of the board

    def _headline(self, scene: Scene) -> Text:
        parts = [
            Text(f"Jinja, {scene.players} players", style="bold"),
            Text(f"season {scene.season} of {SEASONS}"),
        ]
        if scene.acting is not None:
            at = f" at {scene.where}" if scene.where != "-" else ""
            parts.append(
                seat_name(scene.acting) + Text(f" to {STEPS[scene.step]}{at}", "not bold default")
            )
        else:
            parts.append(Text("the game is over" if scene.step == "end" else scene.step))
        order = Text(" ").join(map(seat_name, scene.order))
        return Text(" | ").join([*parts, Text("order ") + order])

    def _second_line(self, scene: Scene) -> Text:
        lines = [f"bag {letters(scene.bag, counted=True)} | Omikuji deck {scene.deck}"]
        if scene.kitsune != "-":
            lines.append(f"Kitsune {scene.kitsune}: {KITSUNE[scene.kitsune]}")
        if scene.deed != "-":
            lines.append(f"in question: {scene.deed}")
        if scene.flipped:
            lines.append(f"flipped: {self._bonuses(scene, scene.flipped)}")
        if scene.market != "-":
            lines.append(f"traded: {traded(scene.market)}")
        if scene.pending:
            lines.append(f"bonuses still due: {', '.join(scene.pending)}")
        return Text("\n".join(lines))

    def _bonuses(self, scene: Scene, territories: list[str]) -> str:
        return ", ".join(f"{name} ({self._lantern_bonus(scene, name)})" for name in territories)

    def _source(self, scene: Scene) -> str | None:
        """Why there is a choice, where that is not the worker just placed alone."""
        if scene.acting is None:
            return None
        if scene.step == "return_setup" and (put_back := scene.returned[scene.acting]):
            return f"the second, one that stands later in the list than {put_back[0]}"
        if scene.step == "gain":
            return self._bonuses(scene, scene.flipped)
        match scene.stage:
            case "lanterns":
                return f"Lantern of {scene.where} ({self._lantern_bonus(scene, scene.where)})"
            case "kitsune":
                return f"Kitsune {scene.kitsune} ({KITSUNE[scene.kitsune]})"
            case "deeds" if scene.step in PAID_BY:
                return self._paid_deeds(scene, scene.acting)
            case "work" if scene.where in EFFECTS:
                return f"{scene.where} ({EFFECTS[scene.where]})"
        return None

    def _paid_deeds(self, scene: Scene, seat: int) -> str | None:
        """The built Deeds of which one asks for this choice; the text does not say which."""
        deeds = [
            f"{deed} ({self._deed_bonus(deed)})"
            for deed in scene.built[seat]
            if self.deeds[deed]["bonus"] in PAID_BY[scene.step] and deed not in scene.pending
        ]
        return f"Deed {either(deeds)}" if deeds else None

    def _territories(self, scene: Scene) -> Table:
        table = grid("territory", "region", "free", "tokens", "Lantern", "workers", "Shrines")
        for index, name in enumerate(TERRITORIES):
            shrines = [
                seat_name(owner).append(f" {short(deed, name)}", style="not bold default")
                for owner, deeds in enumerate(scene.built)
                for deed in deeds
                if self.deeds[deed]["territory"] == name
            ]
            table.add_row(
                name,
                REGION_OF[name],
                f"{self.spaces[name] - len(shrines)} of {self.spaces[name]}",
                letters(scene.tokens[index]) or "-",
                self._lantern(scene.lanterns[index]),
                workers_at(scene, name),
                Text(", ").join(shrines),
            )
        return table

    def _lantern(self, text: str) -> Text:
        name, _, red = text.partition(":")
        if name == "-":
            return Text("-")
        sides = self.lanterns[name]
        up, down = ("red", "blue") if red else ("blue", "red")
        shown = Text(f"{up:<4} {BONUSES[sides[up]]}", style=up)
        return shown.append(f" ({BONUSES[sides[down]]})", style="dim")

    def _activities(self, scene: Scene) -> Table:
        table = grid("activity", "cost", "circles", "workers", "effect")
        for name in ACTIVITIES:
            circles = self.activities[name]["circles"][scene.players - FEWEST]
            if circles == 0:
                continue
            taken = scene.workers[name].circles if name in scene.workers else 0
            effect = EFFECTS[name]
            if name == "market":
                effect += f" for {1 if scene.kitsune == 'k_crafts' else 2} each"
            if name == "supplement_gold":
                effect += f": {scene.supplement}"
            cost = self._cost(scene, name)
            table.add_row(
                name,
                str(cost) if cost else "-",
                "●" * taken + "○" * (circles - taken),
                workers_at(scene, name),
                effect,
            )
        return table

    def _cost(self, scene: Scene, activity: str) -> int:
        cheaper = activity in CHEAPER.get(scene.kitsune, ())
        return int(self.activities[activity]["cost"]) - cheaper

    def _seats(self, scene: Scene) -> Table:
        table = grid(
            *("turn", "seat", "left", "honor", "built", "Gold", *LETTERS.values()),
            *("Fox", "Deeds", "Omikuji", "Shrines"),
        )
        for turn, seat in enumerate(scene.order, 1):
            table.add_row(
                f"▶{turn}" if seat == scene.acting else f" {turn}",
                seat_name(seat).append(" you" if seat == scene.seat else ""),
                str(self._workers_left(scene, seat)),
                str(scene.honor[seat]),
                str(self._shrine_honor(scene, seat)),
                str(scene.gold[seat]),
                *(str(count) for count in scene.structures[seat]),
                "yes" if scene.fox[seat] else "-",
                str(scene.hands[seat].size),
                str(scene.omikuji_in_hand(seat)),
                " ".join(scene.built[seat]) or "-",
            )
        return table

    def _workers_left(self, scene: Scene, seat: int) -> int:
        """Workers of this season that a seat has still to place."""
        workers = int(self.setup[scene.players]["workers"])
        match scene.stage:
            case "work":
                done = scene.placed + (scene.step != "place")
                return workers - len(range(scene.order.index(seat), done, scene.players))
            case "setup" | "kitsune":
                return workers
        return 0

    def _regions(self, scene: Scene) -> Text:
        """J32: Shrines by region, of those who have any."""
        parts = []
        for region in REGIONS:
            counts = self._in_region(scene, region)
            stands = [seat_name(n).append(f" {count}") for n, count in enumerate(counts) if count]
            parts.append(Text(f"{region} ") + (Text(" ").join(stands) or Text("-")))
        return Text("Shrines by region: ", "dim").append(Text(" | ", "not dim").join(parts))

    def _in_region(self, scene: Scene, region: str) -> list[int]:
        """The Shrines of each seat in a region."""
        return [
            sum(REGION_OF[self.deeds[deed]["territory"]] == region for deed in deeds)
            for deeds in scene.built
        ]

    def _scoring(self, scene: Scene) -> Table:
        """A column a seat; `?` stands for what Omikuji of others brought."""
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        table.add_column("honor at the end")
        for seat in range(scene.players):
            table.add_column(seat_name(seat), justify="right")
        scores = [self._score(scene, seat) for seat in range(scene.players)]
        for name in scores[0]:
            row = [score[name] for score in scores]
            table.add_row(name, *("?" if honor is None else str(honor) for honor in row))
        totals = [
            f"{sum(filter(None, score.values()))}{' + ?' if None in score.values() else ''}"
            for score in scores
        ]
        table.add_row("total", *totals, style="bold")
        return table

    def _score(self, scene: Scene, seat: int) -> dict[str, int | None]:
        """Where the honor of a seat comes from; None for what the text does not tell."""
        goods = scene.gold[seat] + sum(scene.structures[seat])
        hidden = scene.seat not in (None, seat) and scene.omikuji_in_hand(seat) > 0
        return {
            "gained in play": scene.honor[seat],
            "Shrines": self._shrine_honor(scene, seat),
            **{region: self._region_honor(scene, seat, region) for region in REGIONS},
            "sets of five": SET_HONOR * (goods // SET_SIZE),
            "unused Fox": FOX_HONOR * scene.fox[seat],
            "Omikuji": None if hidden else self._omikuji_honor(scene, seat),
        }

    def _shrine_honor(self, scene: Scene, seat: int) -> int:
        return sum(self.deeds[deed]["honor"] for deed in scene.built[seat])

    def _region_honor(self, scene: Scene, seat: int, region: str) -> int:
        """J32: the leaders share, rounded up."""
        counts = self._in_region(scene, region)
        if not 0 < counts[seat] == max(counts):
            return 0
        return -(-REGION_HONOR // counts.count(counts[seat]))

    def _omikuji_honor(self, scene: Scene, seat: int) -> int:
        return sum(
            self.omikuji[card]["honor"]
            for card in scene.omikuji[seat]
            if self._fulfilled(scene, seat, card)
        )

    def _own_cards(self, scene: Scene) -> list[Table]:
        """The tables of the reader's cards: the pack it holds, its Deeds and its Omikuji."""
        if scene.seat is None:
            return []
        tables = []
        pack = [deed for cards in scene.packs for deed in cards if not deed.startswith("?")]
        if pack:
            tables.append(self._deeds(scene, scene.seat, "pack to choose from", pack))
        if scene.step == "search" and scene.acting == scene.seat:
            tables.append(self._deeds(scene, scene.seat, "Deed pile", scene.pile))
        if hand := scene.hands[scene.seat].named:
            tables.append(self._deeds(scene, scene.seat, "your Deeds", hand))
        if cards := scene.omikuji[scene.seat]:
            tables.append(self._omikuji(scene, scene.seat, cards))
        return tables

    def _deeds(self, scene: Scene, seat: int, title: str, deeds: list[str]) -> Table:
        table = grid(title, "size", "needs", "honor", "each season", "can be built")
        for name in deeds:
            deed = self.deeds[name]
            mark = "+" if name in scene.hands[seat].known else ""
            table.add_row(
                name + mark,
                deed["size"],
                letters([deed[kind] for kind in KINDS]),
                str(deed["honor"]),
                BONUSES[deed["bonus"]],
                self._buildable(scene, seat, name),
            )
        return table

    def _buildable(self, scene: Scene, seat: int, name: str) -> Text:
        """J14: a free space and the structures, under k_mason all but one; J17: a worker."""
        deed = self.deeds[name]
        territory = deed["territory"]
        built = sum(self.deeds[other]["territory"] == territory for other in scene.shrines())
        if built == self.spaces[territory]:
            return Text("no space left", style="dim")
        missing = [
            max(0, deed[kind] - have)
            for kind, have in zip(KINDS, scene.structures[seat], strict=True)
        ]
        if sum(missing) <= (scene.kitsune == "k_mason"):
            if scene.step == "search" and not scene.has_worker(seat, territory):
                return Text("not without a worker there")
            return Text("now", style="bold green")
        return Text(f"lacks {letters(missing)}")

    def _omikuji(self, scene: Scene, seat: int, cards: list[str]) -> Table:
        table = grid("your Omikuji", "honor", "condition", "now")
        for name in cards:
            card = self.omikuji[name]
            held = (
                Text("fulfilled", style="bold green")
                if self._fulfilled(scene, seat, name)
                else Text(self._lacking(scene, seat, name))
            )
            table.add_row(name, str(card["honor"]), condition(card["condition"]), held)
        return table

    def _lacking(self, scene: Scene, seat: int, name: str) -> str:
        """How far the Shrines are from fulfilling an Omikuji."""
        where = {self.deeds[deed]["territory"] for deed in scene.built[seat]}
        match self.omikuji[name]["condition"]:
            case {"all": [*territories]}:
                missing = [name for name in territories if name not in where]
                some = len(missing) < len(territories)
                return f"lacks {', '.join(missing) if some else 'all'}"
            case {"most": size}:
                counts = self._of_size(scene, size)
                return f"you have {counts[seat]}, the most is {max(counts)}"
            case {"territories": _}:
                return f"you have {len(where)}"
            case {"size": _}:
                return "not yet"
        regions = {REGION_OF[territory] for territory in where}
        return f"lacks {', '.join(region for region in REGIONS if region not in regions)}"

    def _of_size(self, scene: Scene, size: str) -> list[int]:
        """The Shrines of a size that each seat has."""
        return [sum(self.deeds[deed]["size"] == size for deed in deeds) for deeds in scene.built]

    def _fulfilled(self, scene: Scene, seat: int, name: str) -> bool:
        """J31, J40: whether the Shrines on the board would fulfil an Omikuji."""
        own = [self.deeds[deed] for deed in scene.built[seat]]
        where = {deed["territory"] for deed in own}
        match self.omikuji[name]["condition"]:
            case {"size": size, "territory": territory}:
                return any((d["size"], d["territory"]) == (size, territory) for d in own)
            case {"size": size, "region": region}:
                return any((d["size"], REGION_OF[d["territory"]]) == (size, region) for d in own)
            case {"all": territories}:
                return where.issuperset(territories)
            case {"most": size}:
                counts = self._of_size(scene, size)
                return bool(0 < counts[seat] == max(counts))
            case {"territories": number}:
                return bool(len(where) >= number)
            case _:
                return len({REGION_OF[territory] for territory in where}) == len(REGIONS)

    def _rest(self, scene: Scene) -> Table:
        """What is known of other hands, and the cards that lie aside."""
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column()
        for seat, hand in enumerate(scene.hands):
            if seat != scene.seat and hand.size > 0:
                table.add_row(Text("Deeds of ") + seat_name(seat), hand_text(hand))
        for group in scene.seen:
            if group.rounds:
                table.add_row("among these", self._group(scene, group))
        table.add_row("Deed pile", ", ".join(scene.pile) or "-")
        if scene.seat is None:
            for seat, cards in enumerate(scene.omikuji):
                table.add_row(Text("Omikuji of ") + seat_name(seat), ", ".join(cards) or "-")
        elif put_back := scene.returned[scene.seat]:
            table.add_row("you put back", ", ".join(put_back))
        if scene.ordered:
            below = [f"{card} (p{placer})" for placer, card in scene.ordered]
            table.add_row("under the deck", ", then ".join(below))
        if scene.revealed:
            table.add_row("Kitsune so far", ", ".join(scene.revealed))
        return table

    def _group(self, scene: Scene, group: Candidates) -> Text:
        """J35: in round r a pack is held by the seat r - 1 places after the one it began with."""
        holders = [(group.pack + number - 1) % scene.players for number in group.rounds]
        names = Text(", ").join(map(seat_name, holders))
        return Text(", ".join(group.deeds) + ": one each kept by ") + names

    # -- Moves

    def _told(self, verb: str, name: str) -> str:
        if name == "?":
            return ""
        match verb:
            case "place" | "fox":
                return EFFECTS.get(name, TERRITORY_EFFECT)
            case "flip" | "gain" | "pick" | "lantern":
                return ""
            case "sell" | "buy" | "choose" | "omit" | "draw" if name in KIND_NAMES:
                return KIND_NAMES[name]
            case "kitsune":
                return KITSUNE[name]
            case "die":
                return FACES[name]
        if name in self.deeds:
            deed = self.deeds[name]
            needs = letters([deed[kind] for kind in KINDS])
            return f"{needs}, {deed['honor']} honor, {BONUSES[deed['bonus']]}"
        card = self.omikuji[name]
        return f"{card['honor']} honor: {condition(card['condition'])}"


def items(text: str, separator: str = ",") -> list[str]:
    """The entries of a list; "-" stands for none."""
    return [] if text == "-" else text.split(separator)


def numbers(text: str) -> list[int]:
    return [int(entry) for entry in items(text)]


def structures(text: str) -> list[int]:
    """`2.0.1.0`, a number of each kind; "-" stands for none."""
    return [0] * len(KINDS) if text == "-" else [int(part) for part in text.split(".")]


def worker(text: str) -> tuple[str, Worker]:
    """`kanto:02/1`: seats 0 and 2 have workers there, one circle is taken."""
    place, _, rest = text.partition(":")
    seats, _, circles = rest.partition("/")
    return place, Worker([int(seat) for seat in seats], int(circles))


def letters(counts: Sequence[int], counted: bool = False) -> str:
    """`HHT` or, counted, `H2 K0 T1 C0`."""
    pairs = list(zip(LETTERS.values(), counts, strict=True))
    if counted:
        return " ".join(f"{letter}{count}" for letter, count in pairs)
    return "".join(letter * count for letter, count in pairs)


def signed(number: int, what: str) -> str:
    return f"{number:+d} {what}" if number else ""


def listed(what: str, of_seats: dict[int, list[str]]) -> Text:
    """`Lanterns: p0 kanto 1 Gold, kansai 1 honor; p2 kanto 1 Gold`."""
    parts = [
        seat_name(seat).append(f" {', '.join(entries)}", "not bold default")
        for seat, entries in of_seats.items()
    ]
    return Text(f"{what}: ") + Text("; ").join(parts)


def goods_moved(old: Scene, new: Scene) -> Text | None:
    """Honor, Gold and structures that seats gained or paid."""
    parts = []
    for seat in range(new.players):
        changes = [
            signed(new.honor[seat] - old.honor[seat], "honor"),
            signed(new.gold[seat] - old.gold[seat], "Gold"),
        ]
        moved = [b - a for a, b in zip(old.structures[seat], new.structures[seat], strict=True)]
        if sum(map(abs, moved)) > 1 or old.step not in NAMED_BY_EVENT:
            changes += [signed(n, LETTERS[kind]) for n, kind in zip(moved, KINDS, strict=True)]
        if told := " ".join(filter(None, changes)):
            parts.append(seat_name(seat) + Text(f" {told}"))
    return Text(", ").join(parts) if parts else None


def short(deed: str, territory: str) -> str:
    """A Deed's id without its territory, where that goes without saying."""
    return deed.removeprefix(f"{territory}_")


def is_first_flip(moves: Sequence[str]) -> bool:
    """J20: the first Lantern of two is never the last in the list, the second never the first."""
    flips = [move for move in moves if move.startswith("flip:")]
    return bool(flips) and f"flip:{TERRITORIES[-1]}" not in flips


def workers_at(scene: Scene, place: str) -> Text:
    if place not in scene.workers:
        return Text("-")
    return Text(" ").join(map(seat_name, scene.workers[place].seats))


def hand_text(hand: Hand) -> str:
    """`? ? kanto_s kyushu_l+`: `+` marks what everybody saw being taken."""
    return " ".join(["?"] * hand.hidden + hand.kept + [f"{card}+" for card in hand.known])


def traded(market: str) -> str:
    """`honden,chozuya/2:torii_gate`: kinds sold, how many bought, the last of them."""
    sold, _, bought = market.partition("/")
    number, _, last = bought.partition(":")
    parts = [f"sold {sold.replace(',', ', ')}"] if sold != "-" else []
    if last:
        parts.append(f"bought {number}, the last a {last}")
    return "; ".join(parts)


def condition(form: dict[str, object]) -> str:
    """The condition of an Omikuji, in words."""
    match form:
        case {"size": size, **place}:
            [where] = place.values()
            return f"a {size} Shrine in {where}"
        case {"all": [*territories]}:
            return f"Shrines in {', '.join(map(str, territories))}"
        case {"most": size}:
            return f"most {size} Shrines, at least one"
        case {"territories": number}:
            return f"Shrines in {number} territories"
        case _:
            return "a Shrine in each region"


def grid(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name in columns:
        right = name in NUMBERS
        table.add_column(name, justify="right" if right else "left", no_wrap=name == columns[0])
    return table

"""The board of Shugendo: the display, a map for each seat, its goods, and all cards."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from henro.cli.boards.base import Board, either, seat_name, split
from henro.components import ComponentSet
from henro.components.shugendo.schema import (
    BONUSES,
    CELLS,
    COLUMNS,
    ICONS,
    PLACES,
    TRACKS,
    neighbours,
)

SIGNS = {
    "compass": "C",
    "hammer": "H",
    "book": "B",
    "compass_hammer": "C/H",
    "compass_book": "C/B",
    "hammer_book": "H/B",
    "any": "any",
    "gold": "G",
    "silver": "S",
    "pilgrim": "P",
    "vp": "V",
}
CHOICES = ("compass_hammer", "compass_book", "hammer_book", "any")
TOKENS = {"f": "Farmstead", "v": "Village", "c": "City"}
STAGES = ("", *TOKENS)
ROW_GAINS = {"v": "village_gain", "c": "city_gain"}
ROW_VP = {"f": "farm_vp", "v": "village_vp", "c": "city_vp"}
HAMMERS = {"": 0, "f": 1, "v": 1 + 2, "c": 1 + 2 + 3}  # for all that it took to come so far
COMPASSES = {"forest": 1, "hills": 2, "mountains": 3}
TERRAIN_LETTERS = {"forest": "f", "hills": "h", "mountains": "m", "lake": "~"}
MILESTONES = PLACES[1:]
PLACE_LETTERS = dict(zip(PLACES, ("st", "iv", "ir", "go"), strict=True))

SPECIALS = {
    "none": "",
    "sp_vp_prefectures": "V×2 a Prefecture",
    "sp_pilgrim_sets": "P a set",
    "sp_vp_sets": "V a set",
    "sp_vp_cities": "V a City",
    "sp_vp_villages": "V per 2 Villages",
    "sp_vp_farms": "V per 3 Farmsteads",
    "sp_vp_revealed": "V per 4 revealed",
    "sp_silver_farms": "S per 3 Farmsteads",
    "sp_silver_villages": "S per 2 Villages",
    "sp_silver_cities": "S a City",
    "sp_step_forest": "any per 4 forests",
    "sp_vp_hills": "V per 3 hills",
    "sp_vp_mountains": "V per 2 mountains",
}
EFFECTS = {
    "iv_swap": "on founding, a Farmstead may become a City",
    "iv_leap": "Explore may skip one space",
    "iv_calm": "3 Yokai count as 2",
    "iv_alms": "Mischief gives P",
    "iv_peaks": "mountains cost 2 C",
    "ir_farms": "place 3 Farmsteads",
    "ir_village": "a Farmstead becomes a Village",
    "ir_gift": "S V",
    "ir_boost": "4 steps on a track",
    "ir_guest": "recruit a card for nothing",
    "go_forgive": "no negative VP",
    "go_humble": "2 VP for each card of 0 VP",
    "go_villages": "2 VP for each Village",
    "go_learning": "3 VP for each Development token",
}
CALM_YOKAI = 2  # what iv_calm makes of 3 Yokai
BUILT_FREE = ("iv_swap", "ir_farms", "ir_village")
BUILDS_FREE = ("swap", "farms", "village")  # the steps of BUILT_FREE
PHASES = ("setup", "reveal", "action", "restock", "recruit")
STEPS = {
    "reveal": "reveal a card or stop",
    "mischief": "choose a phase",
    "gain": "choose a track",
    "main": "choose a main action",
    "swap": "make a Farmstead a City or not",
    "farms": "place a Farmstead",
    "village": "make a Farmstead a Village",
    "boost": "choose a track for 4 steps",
    "guest": "recruit a card for nothing",
    "guest_replace": "give up a card for the guest",
    "buy": "recruit cards",
    "replace": "give up a card for each recruited",
}
QUESTIONS = {
    "stop": "reveal a card or stop",
    "pilgrim": "reveal a card or stop",
    "mischief": "choose the phase to play",
    "gain": "choose a track",
    "swap": "make a Farmstead a City or not",
    "farm": "place a Farmstead",
    "village": "make a Farmstead a Village",
    "boost": "choose a track for 4 steps",
    "recruit": "recruit a card",
    "replace": "give up a revealed card",
}
PASSED = "what is passed over is not offered again"
ORDERS = {  # SG11, SG13, SG22, SG25
    "gain": f"in the order C, H, B; {PASSED} for icons of this kind",
    "farm": f"in the order a1 .. d5; {PASSED}",
    "recruit": f"down the display; {PASSED} in this turn",
    "replace": f"down your cards; {PASSED} in this turn",
    "main": "in the order a1 .. d5; after a step, lower cells may no longer be offered",
}
PILGRIM = "with pilgrim n, a Pilgrim cancels the n Yokai of a card, then one card more"
PLAIN = {
    "reveal": "one card more",
    "stop": "no more cards",
    "mischief:action": "no Recruit phase in this round",
    "mischief:recruit": "no Action phase in this round",
    "done": "that is all",
    "develop": "unlock the next Age",
    "noswap": "the Farmstead stays",
}
PLACED = {
    "explore": "a Terrain tile",
    "farm": "a Farmstead",
    "village": "a Village for the Farmstead",
    "city": "a City for the Village",
    "swap": "a City for the Farmstead",
}
DEVELOPMENT = ("age2", "age3", "age4", "age5")
PREFECTURES = {"pile1": "first", "pile2": "second", "pile3": "third"}
CARD_COLUMNS = ("Yokai", "icons", "Recruit bonus", "VP")
PILES = ("deck", "disc", "shown")
NUMBERS = ("Age", "cost", "VP", "new", *PILES, *"VSPCHB", *TOKENS, "*")
PREFECTURE_NUMBERS = (1, 2, 3)


class Scene:
    """The fields of a Shugendo view or position. `seat` is None in a position.

    What has changed in a sealed turn is shown as it is now.
    """

    def __init__(self, text: str) -> None:
        _, field = split(text)
        self.players = int(field["players"])
        self.seat = int(field["seat"]) if "seat" in field else None
        self.round = int(field["round"])
        self.first = 0 if field["first"] == "-" else int(field["first"])
        self.phase = field["phase"]
        self.step = field["step"]
        self.turn = int(field["turn"])
        self.rewards = field["rewards"].split(",")
        self.boards = field["boards"].split(",")
        self.milestones = field["milestones"].split(",")
        self.display = [card for row in field["display"].split("/") for card in items(row)]
        self.taken = items(field["taken"])
        self.removed = items(field["removed"])
        self.tokens = owners(DEVELOPMENT, field["development"])
        self.tokens |= owners(PREFECTURES, field["prefectures"])
        self.five = field["five"]
        self.maps = [tiles(entry) for entry in now(field["maps"], "/")]
        self.tracks = [
            dict(zip(TRACKS, map(int, entry.split(".")), strict=True))
            for entry in now(field["tracks"], ",")
        ]
        self.silver = numbers(field["silver"])
        self.pilgrims = numbers(field["pilgrims"])
        self.score = numbers(field["score"])
        self.age = numbers(field["age"])
        self.deck, self.discard, self.revealed, self.recruited = (
            [items(entry) for entry in now(field[place], "/")]
            for place in ("deck", "discard", "revealed", "recruited")
        )
        self.calmed = numbers(field["calmed"])
        self.bust = [entry == "1" for entry in field["bust"].split(",")]
        self.skips = field["skips"].split(",")
        self.guests = field["guests"].split(",")
        self.choices = [] if field["choices"] == "-" else numbers(field["choices"], ".")
        self.main = field["main"]
        self.farms = int(field["farms"])
        self.gold = int(field["gold"])

    @property
    def order(self) -> list[int]:
        """Seats as they take turns in this round."""
        return [(self.first + turn) % self.players for turn in range(self.players)]

    @property
    def moment(self) -> tuple[int, int, int]:
        """Grows from turn to turn of a game."""
        return self.round, PHASES.index(self.phase), self.turn

    @property
    def in_turn(self) -> int | None:
        """The seat whose turn it is; None in the setup, at refills for nobody and at the end."""
        if self.phase in ("setup", "restock") or self.step == "end":
            return None
        return self.order[self.turn]

    @property
    def acting(self) -> int | None:
        """The seat that has a choice which this text shows."""
        return self.in_turn if self.step in STEPS else None

    @property
    def goes_on_revealing(self) -> bool:
        """Whether the reader has a card and may reveal one more: little else has changed."""
        mine = self.seat is not None and self.seat == self.acting
        return mine and self.step == "reveal" and bool(self.revealed[self.acting or 0])

    def is_sealed(self, seat: int) -> bool:
        """Whether the turn of a seat in this phase is hidden from the reader."""
        return (
            self.phase in ("reveal", "action")
            and self.seat not in (None, seat)
            and self.order.index(seat) <= self.turn
        )

    def count(self, seat: int, token: str) -> int:
        """Farmsteads (f), Villages (v), Cities (c) or Prefectures (*) on a map."""
        return sum(token in marks for marks in self.maps[seat].values())

    def token(self, seat: int, cell: str) -> str:
        """What stands on a cell: one of TOKENS, or nothing."""
        return self.maps[seat].get(cell, "").replace("*", "")

    def cards(self, seat: int) -> list[str]:
        """The cards of a seat, wherever they lie."""
        places = (self.deck, self.discard, self.revealed, self.recruited)
        return [card for place in places for card in place[seat]]

    def goods(self, seat: int) -> dict[str, int]:
        """What a seat has, by sign."""
        return {
            "V": self.score[seat],
            "S": self.silver[seat],
            "P": self.pilgrims[seat],
            **{SIGNS[track]: steps for track, steps in self.tracks[seat].items()},
        }


class ShugendoBoard(Board):
    """See Board."""

    def __init__(self, components: ComponentSet) -> None:
        super().__init__(components)
        rows = components.rows
        self.cards = {row["id"]: row for row in rows["cards"]}
        self.boards = {row["id"]: row for row in rows["boards"]}
        self.milestones = {row["id"]: row for row in rows["milestones"]}
        self.rewards = {row["id"]: row["gain"] for row in rows["rewards"]}
        self.rules = {row["id"]: row["value"] for row in rows["rules"]}
        self.cells = {tuple(row["id"].split(":")): row for row in rows["cells"]}
        self.token_vp = {row["id"]: row["vp"] for row in rows["development"] + rows["prefecture"]}
        shrines = ", ".join(str(self.rules[f"shrines_{n}"]) for n in (1, 2, 3))
        self.rank = {name: number for number, name in enumerate(self.cards)}
        self.age_cost = {age: self.rules[f"age_cost_{age}"] for age in (2, 3, 4, 5)}
        self.effects = EFFECTS | {"go_shrines": f"{shrines} VP for 1, 2, 3 Milestone cells covered"}

    def goal(self, players: int) -> str:
        return (
            f"A round in which a seat reaches {self.rules['end_vp']} VP on the score track, Age 5 "
            "or a third Prefecture is the last. Most VP wins: those of the track, of your 13 "
            "cards, tokens, Prefectures, rows of Farmsteads, Villages and Cities, the gold "
            "Milestone, and 1 for every 5 steps, silver and Pilgrims left; penalties and cards "
            "below zero cost VP."
        )

    def legend(self, players: int) -> str:
        return (
            "In a round each seat reveals cards of its deck; "
            f"{self.rules['mischief']} Yokai are Mischief, and cost it the Action or the Recruit "
            "phase. Then each gathers the icons and explores, expands or develops. Both phases are "
            "sealed: you see what others did when all are through. Then each seat in turn gains "
            "the bonuses of its cards and recruits new ones for them.\n"
            "Exploring costs 1, 2, 3 C for forest, hills, mountains; a Farmstead 1 H, a Village in "
            "place of a Farmstead 2 H, a City in place of a Village 3 H; the Ages 2 to 5 cost "
            f"{', '.join(map(str, self.age_cost.values()))} B. "
            f"{self.rules['prefecture_stars']} stars that touch found a Prefecture: a Farmstead "
            "has 1, a Village 2, a City 3.\n"
            "C, H, B are steps on the Compass, Hammer, Book tracks, C/H one of two, any one of "
            "three; G gold for this round, S silver, P Pilgrims, V VP at once. A set is a "
            "Farmstead, a Village and a City.\n"
            "Maps: F, H, M are tiles of forest, hills, mountains, with f Farmstead, v Village, c "
            "City on them, * where a Prefecture was founded. Unexplored cells are f, h, m with "
            "what they give, -3 a penalty until explored, iv, ir, go Milestones; 1? is a step of "
            "your choice, ++ more than one gain, ~ a lake. Rows b and d lie half a cell to the "
            "right: b2 touches b1, b3, a2, a3, c2, c3.\n"
            "A seat with ? is shown as it was before its sealed turn. Of its 13 cards, some lie in "
            "the deck, some on the discard pile (disc), some are shown; ruffian(3) is a card of 3 "
            "Yokai. A seat behind a Milestone bonus has covered its cell.\n"
            "Where the order of your choices makes no difference you take them in a fixed order, "
            "which the prompt names; what you pass over may be gone for that turn."
        )

    def prompt(self, moves: Sequence[str]) -> str:
        names: dict[str, list[str]] = {}
        for move in moves:
            verb, _, name = move.partition(":")
            names.setdefault(verb, []).append(name)
        last = [*names][-1]
        acts = "done" in names and last != "recruit"
        note = PILGRIM if last == "pilgrim" else ORDERS.get("main" if acts else last)
        if [*names] in (["done", "develop"], ["recruit"]):
            note = None  # Ages come in order anyway, and there is but one guest
        question = STEPS["main"] if acts else QUESTIONS[last]
        choices = [f"{verb} {'/'.join(ids)}".strip() for verb, ids in names.items()]
        return f"{question}{f' ({note})' if note else ''}: {either(choices)}> "

    def board(self, text: str) -> RenderableType:
        scene = Scene(text)
        parts: list[RenderableType] = [self._headline(scene)]
        parts += [Text(line) for line in self._state_of_turn(scene)]
        own: list[RenderableType] = []
        if scene.seat is not None:
            own = [Text(), self._own_cards(scene, scene.seat)]
        if scene.goes_on_revealing:
            above = "display, maps and tokens are as before your first card"
            return Group(*parts, Text(), self._seats(scene), *own, Text(above, "dim"))
        if scene.display:
            parts += [Text(), self._display(scene)]
        parts += [Text(), self._maps(scene), Text(), self._seats(scene)]
        parts += [*own, Text(), self._rest(scene)]
        if scene.step == "end":
            parts += [Text(), self._scoring(scene)]
        return Group(*parts)

    def move(self, text: str) -> Text:
        """A move with what it does, short enough to stand in a table."""
        verb, _, name = text.partition(":")
        told = PLAIN.get(text) or PLACED.get(verb) or self._told(verb, name)
        return Text(text).append(f"  {told}" if told else "", style="dim")

    def event(self, subject: str, text: str) -> Text | None:
        verb = text.partition(":")[0]
        if verb in ("reveal", "refill"):  # the draw tells the card, the board the display
            return None
        who = seat_name(int(subject)) if subject.isdecimal() else Text("setup")
        return who + Text(" ") + self.move(text)

    def change(self, before: str, after: str) -> Text | None:
        """What followed by itself, and what others did in a phase now unsealed; a line a seat."""
        old, new = Scene(before), Scene(after)
        lines = [Text(f"  the display gets {card}") for card in refilled(old, new)]
        for seat in sorted(range(new.players), key=lambda seat: seat == new.in_turn):
            told = [] if new.seat in (None, seat) else [*self._unsealed(old, new, seat)]
            told += [*self._deeds(old, new, seat), *self._recruiting(old, new, seat)]
            told += [*self._goods_moved(old, new, seat), *self._tokens_taken(old, new, seat)]
            if told:
                lines.append(Text("  ") + seat_name(seat) + Text(f" {'; '.join(told)}"))
        return Text("\n").join(lines) if lines else None

    def begins_round(self, before: str, after: str) -> bool:
        return Scene(before).round != Scene(after).round

    # -- What has changed

    @staticmethod
    def _goods_moved(old: Scene, new: Scene, seat: int) -> Iterator[str]:
        has, had = new.goods(seat), old.goods(seat)
        moved = {sign: has[sign] - had[sign] for sign in has if has[sign] != had[sign]}
        named = old.step == "gain" and old.acting == seat and [*moved.values()] == [1]
        if moved and not named:  # by the event
            yield ", ".join(f"{sign} {had[sign]} to {has[sign]}" for sign in moved)

    def _tokens_taken(self, old: Scene, new: Scene, seat: int) -> Iterator[str]:
        """SG34: the seat itself learns it only when the phase ends."""
        for token, owner in new.tokens.items():
            if owner == str(seat) != old.tokens[token]:
                kind = "Development" if token.startswith("age") else "Prefecture"
                yield f"{kind} token {self.token_vp[token]} VP"
        if new.five == str(seat) != old.five:
            yield f"the token of {self.rules['five_vp']} VP"

    def _unsealed(self, old: Scene, new: Scene, seat: int) -> Iterator[str]:
        """What another seat did in a phase that has ended, but for its deeds."""
        if old.phase == "reveal" != new.phase and (cards := new.revealed[seat]):
            yield f"revealed {self._hand(cards)}"
            if new.calmed[seat]:
                yield f"a Pilgrim calmed {new.calmed[seat]} Yokai"
        if old.phase != "action" or new.phase == "action":
            return
        if new.skips[seat] != "-":
            yield f"skips the {new.skips[seat].capitalize()} phase"
        if new.skips[seat] != "action":
            yield from self._gathered(old, seat)
        if guests := new.recruited[seat]:
            yield f"recruited {listed(guests)} for nothing"

    def _deeds(self, old: Scene, new: Scene, seat: int) -> Iterator[str]:
        """What a seat has done or reached, each with its cost and gain; the own at once."""
        if new.bust[seat] and not old.bust[seat]:
            alms = self._milestone(new, seat, "ivory") == "iv_alms"
            yield "Mischief" + " gives P" * alms
        if seat == new.seat and self._gathers(old, new, seat):
            yield from self._gathered(new if new.round == old.round else old, seat)
        if old.maps[seat]:
            yield from self._explored(old, new, seat)
            yield from self._built(old, new, seat)
            yield from self._founded(old, new, seat)
        if ages := range(old.age[seat] + 1, new.age[seat] + 1):
            yield f"Age {new.age[seat]} ({sum(map(self.age_cost.__getitem__, ages))} B)"
        for level, tile in enumerate(new.rewards, 1):
            if old.score[seat] < 5 * level <= new.score[seat]:
                yield f"Reward tile at {5 * level} VP: {amounts(self.rewards[tile])}"
        if self._ends_game(new, seat) and not self._ends_game(old, seat):
            yield "this round is the last"

    @staticmethod
    def _gathers(old: Scene, new: Scene, seat: int) -> bool:
        if old.step == "mischief" and old.acting == seat:
            return new.skips[seat] == "recruit"
        return begins(old, new, seat, "action") and new.step != "mischief"

    def _gathered(self, scene: Scene, seat: int) -> Iterator[str]:
        if icons := self._sum(scene.revealed[seat], "icons", ICONS):
            yield f"gathers {icons}"

    def _explored(self, old: Scene, new: Scene, seat: int) -> Iterator[str]:
        cells = [cell for cell in new.maps[seat] if cell not in old.maps[seat]]
        if cells:
            before = old if len(cells) == 1 else new
            told = []
            for cell in cells:
                costs = sorted({self._compasses(scene, seat, cell) for scene in (before, old)})
                gain = icon_text(self.cells[new.boards[seat], cell]["icon"])
                cost = f"{' or '.join(map(str, costs))} C"
                told.append(f"{cell} ({', '.join(filter(None, (cost, gain)))})")
            yield f"explored {', '.join(told)}"
        for metal in MILESTONES:
            effect = self._milestone(new, seat, metal)
            if effect and not self._milestone(old, seat, metal):
                yield f"{metal} Milestone {effect}: {self.effects[effect]}"

    def _built(self, old: Scene, new: Scene, seat: int) -> Iterator[str]:
        """Tokens placed, with costs and row bonuses where none may have been free."""
        board = self.boards[new.boards[seat]]
        free = self._may_be_free(old, new, seat)
        for cell in new.maps[seat]:
            token, before = new.token(seat, cell), old.token(seat, cell)
            if token not in ("", before):
                place = f"in place of a {TOKENS[before]}" if before else "where nothing stood"
                steps = STAGES[STAGES.index(before) + 1 : STAGES.index(token) + 1]
                gains = [amounts(board[ROW_GAINS[step]]) for step in steps if step in ROW_GAINS]
                paid = f"{HAMMERS[token] - HAMMERS[before]} H"
                told = "" if free else f" ({', '.join(filter(None, (paid, *gains)))})"
                yield f"{TOKENS[token]} {cell}" + f" {place}" * (token != "f") + told

    def _may_be_free(self, old: Scene, new: Scene, seat: int) -> bool:
        if seat == new.seat:
            return old.step in BUILDS_FREE
        iron = None if self._milestone(old, seat, "iron") else self._milestone(new, seat, "iron")
        return bool({iron, self._milestone(new, seat, "ivory")} & {*BUILT_FREE})

    def _founded(self, old: Scene, new: Scene, seat: int) -> Iterator[str]:
        marks = [cell for cell, tile in new.maps[seat].items() if "*" in tile]
        if cells := [cell for cell in marks if "*" not in old.maps[seat].get(cell, "")]:
            numbers = PREFECTURE_NUMBERS[len(marks) - len(cells) : len(marks)]
            board = self.boards[new.boards[seat]]
            gains = ", ".join(amounts(board[f"gain_{number}"]) for number in numbers)
            which = " and ".join(map(str, numbers))
            yield f"founds Prefecture {which} at {' '.join(cells)} ({gains})"

    def _recruiting(self, old: Scene, new: Scene, seat: int) -> Iterator[str]:
        """How a turn of the Recruit phase begins, and that its buying is over."""
        now = new if new.round == old.round else old
        if old.phase == "setup" or now.skips[seat] == "recruit":
            return
        starts = begins(old, new, seat, "recruit")
        if starts:
            yield f"Recruit bonus {self._bonus(now.revealed[seat]) or 'nothing'}"
        if old.in_turn == seat and old.step == "buy" and new.step == "replace":
            yield f"buys no more and gives up {len(new.taken)}"
        if ends(old, new, seat, "recruit") and (starts or old.step in ("buy", "gain")):
            yield "recruits nobody"

    def _ends_game(self, scene: Scene, seat: int) -> bool:
        """Whether a seat has made the round the last."""
        return (
            scene.score[seat] >= self.rules["end_vp"]
            or scene.age[seat] >= max(self.age_cost)
            or scene.count(seat, "*") >= len(PREFECTURE_NUMBERS)
        )

    # -- Parts of the board

    def _headline(self, scene: Scene) -> Text:
        parts = [Text(f"Shugendo, {scene.players} players", style="bold")]
        if scene.round:
            parts.append(Text(f"round {scene.round}"))
        if scene.step == "end":
            parts.append(Text("the game is over"))
        elif (seat := scene.in_turn) is None:
            parts.append(Text(f"{scene.phase}: {scene.step}"))
        else:
            doing = STEPS.get(scene.step)
            told = f" to {doing}" if doing else f" in its turn ({scene.step})"
            parts.append(Text(f"{scene.phase} phase"))
            parts.append(seat_name(seat) + Text(told, "not bold default"))
        if scene.round:
            parts.append(Text("order ") + Text(" ").join(map(seat_name, scene.order)))
            if scene.step != "end" and any(self._ends_game(scene, s) for s in scene.order):
                parts.append(Text("last round"))
        return Text(" | ").join(parts)

    def _state_of_turn(self, scene: Scene) -> list[str]:
        """What the turn under way has left to do or to spend, and the risk of the next card."""
        seat, lines = scene.acting, []
        if seat is None:
            return []
        if scene.step == "reveal":
            total = self._yokai(scene, seat)
            pile = scene.deck[seat] or scene.discard[seat]
            bad = sum(total + self._effective(scene, seat, card) >= self._limit for card in pile)
            calmed = f", {scene.calmed[seat]} calmed" if scene.calmed[seat] else ""
            lines.append(
                f"Yokai {total} of {self._limit}{calmed} | "
                f"Mischief with {bad} of the {len(pile)} cards"
            )
        if scene.choices:
            due = dict(zip(CHOICES, scene.choices, strict=True))
            lines.append(f"still to gain: {amounts(due)}")
        if scene.farms:
            lines.append(f"Farmsteads still to place: {scene.farms}")
        if scene.main != "-":
            lines.append(f"main action: {scene.main}")
        if scene.step == "main":
            lines += self._chances(scene, seat)
        if scene.phase == "recruit" and scene.step == "buy":
            lines.append(f"to spend: {scene.gold} gold, {scene.silver[seat]} silver")
        if scene.taken:
            lines.append(f"taken from the display: {listed(scene.taken)}")
        return lines

    def _chances(self, scene: Scene, seat: int) -> Iterator[str]:
        """What the main action may do, with costs and gains."""
        if scene.main in ("-", "explore"):
            told = []
            for cell in self._reached(scene, seat):
                gain = icon_text(self.cells[scene.boards[seat], cell]["icon"])
                cost = f"{self._compasses(scene, seat, cell)} C"
                told.append(f"{cell} {', '.join(filter(None, (cost, gain)))}")
            yield f"to explore: {'; '.join(told) or 'nothing in reach'}"
        if scene.main in ("-", "expand"):
            yield "to expand: Farmstead 1 H; Village for a Farmstead 2 H; City for a Village 3 H"
        if scene.main in ("-", "develop") and (age := scene.age[seat] + 1) in self.age_cost:
            yield f"to develop: Age {age} {self.age_cost[age]} B"

    def _reached(self, scene: Scene, seat: int) -> Iterator[str]:
        """Land without a tile next to a tile, or with iv_leap next but one (SG14)."""
        leaps = self._milestone(scene, seat, "ivory") == "iv_leap"
        for number, name in enumerate(CELLS):
            near = {*neighbours(number)}
            if leaps:
                near |= {far for between in near for far in neighbours(between)}
            land = self.cells[scene.boards[seat], name]["terrain"] in COMPASSES
            free = land and name not in scene.maps[seat]
            if free and any(CELLS[cell] in scene.maps[seat] for cell in near):
                yield name

    def _compasses(self, scene: Scene, seat: int, cell: str) -> int:
        terrain = self.cells[scene.boards[seat], cell]["terrain"]
        peaks = self._milestone(scene, seat, "ivory") == "iv_peaks"
        return COMPASSES[terrain] - (peaks and terrain == "mountains")

    @property
    def _limit(self) -> int:
        return int(self.rules["mischief"])

    def _effective(self, scene: Scene, seat: int, card: str) -> int:
        """Yokai of a card for a seat, fewer under iv_calm."""
        yokai = int(self.cards[card]["yokai"])
        calm = self._milestone(scene, seat, "ivory") == "iv_calm"
        return min(yokai, CALM_YOKAI) if calm else yokai

    def _yokai(self, scene: Scene, seat: int) -> int:
        total = sum(self._effective(scene, seat, card) for card in scene.revealed[seat])
        return total - scene.calmed[seat]

    def _milestone(self, scene: Scene, seat: int, metal: str) -> str | None:
        """The effect of a seat's Milestone card if its cell is covered."""
        if scene.milestones[seat] == "-":
            return None
        covered = any(
            self.cells[scene.boards[seat], cell]["icon"] == metal for cell in scene.maps[seat]
        )
        return self.milestones[scene.milestones[seat]][metal] if covered else None

    def _display(self, scene: Scene) -> Table:
        buys = scene.seat is not None and scene.step == "buy" and scene.acting == scene.seat
        table = grid("display", "Age", "cost", *CARD_COLUMNS, *["for you"] * buys)
        for name, copies in Counter(scene.display).items():
            card = self.cards[name]
            table.add_row(
                times(name, copies),
                str(card["age"]),
                str(card["cost"]),
                *self._printed(name),
                *[self._price(scene, name)] * buys,
            )
        return table

    def _price(self, scene: Scene, name: str) -> Text:
        """What a card costs the seat that buys, or why it cannot have it."""
        card, seat = self.cards[name], scene.order[scene.turn]
        if scene.taken.count(name) == scene.display.count(name):
            return Text("taken", style="dim")
        if self.rank[name] < max((self.rank[taken] for taken in scene.taken), default=0):
            return Text("too late", style="dim")  # SG25
        if card["age"] > scene.age[seat]:
            return Text(f"needs Age {card['age']}", style="dim")
        silver = max(0, card["cost"] - scene.gold)
        if silver > scene.silver[seat]:
            return Text(f"lacks {silver - scene.silver[seat]}", style="dim")
        return Text(f"{silver} silver" if silver else "gold", style="bold green")

    def _printed(self, name: str) -> tuple[str, str, str, str]:
        """The cells of CARD_COLUMNS."""
        card = self.cards[name]
        bonus = f"{amounts(card['bonus'])} {SPECIALS[card['special']]}".strip()
        return str(card["yokai"]), amounts(card["icons"]), bonus, str(card["end_vp"])

    def _maps(self, scene: Scene) -> Columns:
        drawn = [self._map(scene, seat) for seat in range(scene.players)]
        return Columns(drawn, padding=(0, 1))

    def _map(self, scene: Scene, seat: int) -> Text:
        board = scene.boards[seat]
        lines = [seat_name(seat).append(f" {board}", style="not bold default")]
        if board != "-":
            lines.append(Text("  " + "   ".join(map(str, range(1, COLUMNS + 1))), "dim"))
            for start in range(0, len(CELLS), COLUMNS):
                row = CELLS[start]
                line = Text(f"{row[0]} " + " " * 2 * (row[0] in "bd"))
                line += Text(" ").join(
                    self._cell(scene, seat, cell) for cell in CELLS[start : start + COLUMNS]
                )
                lines.append(line)
        return Text("\n").join(lines)

    def _cell(self, scene: Scene, seat: int, name: str) -> Text:
        """Three signs: terrain, then what stands on the tile or is printed in its place."""
        cell = self.cells[scene.boards[seat], name]
        letter = TERRAIN_LETTERS[cell["terrain"]]
        if name in scene.maps[seat]:
            marks = scene.maps[seat][name] or "."
            return Text(f"{letter.upper()}{marks:<2}", seat_name(seat).style)
        return Text(f"{letter}{printed(cell['icon']):<2}", "dim")

    def _seats(self, scene: Scene) -> Table:
        table = grid("turn", "seat", *"VSPCHB", "Age", *TOKENS, "*", *PILES, "Yokai")
        for turn, seat in enumerate(scene.order, 1):
            mark = " you" if seat == scene.seat else " ?" * scene.is_sealed(seat)
            table.add_row(
                f"▶{turn}" if seat == scene.in_turn else f" {turn}",
                seat_name(seat).append(mark),
                *map(str, scene.goods(seat).values()),
                str(scene.age[seat]),
                *(str(scene.count(seat, token)) for token in (*TOKENS, "*")),
                str(len(scene.deck[seat])),
                str(len(scene.discard[seat])),
                str(len(scene.revealed[seat])),
                self._yokai_text(scene, seat),
            )
        return table

    def _yokai_text(self, scene: Scene, seat: int) -> str:
        if scene.phase == "reveal" and scene.is_sealed(seat):
            return "?"
        skips = scene.skips[seat]
        mischief = " Mischief" if skips == "-" else f", no {skips.capitalize()}"
        return f"{self._yokai(scene, seat)}" + mischief * scene.bust[seat]

    def _own_cards(self, scene: Scene, seat: int) -> Table:
        """The cards of the reader, where they lie and what is printed on them."""
        piles = [scene.deck[seat], scene.revealed[seat], scene.discard[seat]]
        new = [scene.recruited[seat]] if scene.recruited[seat] else []
        table = grid("your cards", "deck", "shown", "disc", *["new" for _ in new], *CARD_COLUMNS)
        calmed = self._calmed(scene, seat)
        for name in sorted({*scene.cards(seat)}, key=self.rank.__getitem__):
            counts = (str(pile.count(name) or "") for pile in piles + new)
            table.add_row(name + " calmed" * (name == calmed), *counts, *self._printed(name))
        return table

    def _calmed(self, scene: Scene, seat: int) -> str | None:
        """A card that the Pilgrim of this round may lie on; all such are alike (SG8)."""
        if not scene.calmed[seat]:
            return None
        fitting = (
            card
            for card in scene.revealed[seat]
            if self._effective(scene, seat, card) == scene.calmed[seat]
        )
        return next(fitting, None)

    def _rest(self, scene: Scene) -> Table:
        """All cards of the seats, the tokens, and what boards and Milestone cards say."""
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column()
        for seat in range(scene.players):
            for place, cards in self._cards_of(scene, seat):
                table.add_row(seat_name(seat, scene.seat) + Text(f" {place}"), cards)
        ages = {f"age{age}": f"Age {age} for {cost} B" for age, cost in self.age_cost.items()}
        table.add_row("Development", self._tokens(scene, ages))
        table.add_row("Prefectures", self._tokens(scene, PREFECTURES))
        for level, tile in enumerate(scene.rewards, 1):
            if tile != "-":
                table.add_row(f"at {5 * level} VP", f"{tile}: {amounts(self.rewards[tile])}")
        owner = f"p{scene.five}" if scene.five != "-" else "for the first"
        table.add_row(f"at {self.rules['end_vp']} VP", f"{self.rules['five_vp']} VP more: {owner}")
        for name in dict.fromkeys(scene.boards):
            if name != "-":
                table.add_row(name, self._board_text(name))
        for name in dict.fromkeys(scene.milestones):
            if name != "-":
                table.add_row(name, self._milestone_text(scene, name))
        if scene.removed:
            table.add_row("out of the game", listed(scene.removed))
        return table

    def _cards_of(self, scene: Scene, seat: int) -> Iterator[tuple[str, str]]:
        """Where a seat has cards and which; those of the reader have a table."""
        places = {
            "deck": scene.deck,
            "discard": scene.discard,
            "recruited": scene.recruited,
            "revealed": scene.revealed,
        }
        for place, hands in places.items():
            if hands[seat] and seat != scene.seat:
                yield place, self._hand(hands[seat])
        if scene.guests[seat] != "-":
            yield "guest", scene.guests[seat].replace(">", " for ")

    def _hand(self, cards: Sequence[str]) -> str:
        """`scout(1)×2, digger(1)`: cards with their Yokai."""
        return listed([f"{card}({self.cards[card]['yokai']})" for card in cards])

    def _sum(self, cards: Sequence[str], column: str, words: Sequence[str]) -> str:
        total = {word: sum(self.cards[c][column].get(word, 0) for c in cards) for word in words}
        return amounts(total)

    def _bonus(self, cards: Sequence[str]) -> str:
        specials = [SPECIALS[self.cards[card]["special"]] for card in cards]
        return ", ".join(filter(None, (self._sum(cards, "bonus", BONUSES), *specials)))

    def _tokens(self, scene: Scene, piles: dict[str, str]) -> Text:
        """`first: VP 5 p1, 4; second: ...`: the VP of each token, with its owner."""
        told = []
        for pile, name in piles.items():
            entries = []
            for token, owner in scene.tokens.items():
                if token.startswith(pile):
                    vp = Text(str(self.token_vp[token]))
                    entries.append(vp if owner == "-" else vp + Text(" ") + seat_name(int(owner)))
            told.append(Text(f"{name}: VP ") + Text(", ").join(entries))
        return Text("; ").join(told)

    def _board_text(self, name: str) -> str:
        board = self.boards[name]
        now = ", ".join(amounts(board[f"gain_{k}"]) or "nothing" for k in (1, 2, 3))
        later = ", ".join(str(board[f"end_vp_{k}"]) for k in (1, 2, 3))
        rows = "; ".join(
            f"{token}s {' '.join(map(str, board[f'{key}_vp']))}"
            for token, key in (("Farmstead", "farm"), ("Village", "village"))
        )
        return (
            f"each Village {amounts(board['village_gain']) or 'nothing'}, each City "
            f"{amounts(board['city_gain']) or 'nothing'}; Prefectures {now}, at the end {later} "
            f"VP; rows at the end: {rows}; Cities {' '.join(map(str, board['city_vp']))}"
        )

    def _milestone_text(self, scene: Scene, name: str) -> Text:
        """What a Milestone card gives, each effect with the seats that have it."""
        told = []
        for metal in MILESTONES:
            effect = self.milestones[name][metal]
            entry = Text(f"{metal} {effect}: {self.effects[effect]}")
            having = [
                seat_name(seat)
                for seat, card in enumerate(scene.milestones)
                if card == name and self._milestone(scene, seat, metal)
            ]
            if having:
                entry += Text(" (") + Text(" ").join(having) + Text(")")
            told.append(entry)
        return Text("; ").join(told)

    # -- The end

    def _scoring(self, scene: Scene) -> Table:
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        table.add_column("VP at the end")
        for seat in range(scene.players):
            table.add_column(seat_name(seat), justify="right")
        parts = [self._score(scene, seat) for seat in range(scene.players)]
        for name in parts[0]:
            table.add_row(name, *(str(part[name]) for part in parts))
        table.add_row("total", *(str(sum(part.values())) for part in parts), style="bold")
        return table

    def _score(self, scene: Scene, seat: int) -> dict[str, int]:
        """Where the VP of a seat come from at the end of the game."""
        board = self.boards[scene.boards[seat]]
        printed = [self.cards[card]["end_vp"] for card in scene.cards(seat)]
        owned = [token for token, owner in scene.tokens.items() if owner == str(seat)]
        goods = scene.goods(seat)
        counts = self._milestone(scene, seat, "gold") != "go_forgive"  # what is below zero
        return {
            "score track": scene.score[seat],
            "cards above 0": sum(vp for vp in printed if vp > 0),
            "Development tokens": sum(self.token_vp[t] for t in owned if t.startswith("age")),
            "Prefecture tokens": sum(self.token_vp[t] for t in owned if t.startswith("pile")),
            "Prefectures": sum(
                board[f"end_vp_{number}"] for number in PREFECTURE_NUMBERS[: scene.count(seat, "*")]
            ),
            **{
                f"{name} row": ([0] + board[ROW_VP[token]])[scene.count(seat, token)]
                for token, name in TOKENS.items()
            },
            "5-VP token": self.rules["five_vp"] * (scene.five == str(seat)),
            "gold Milestone": self._gold_vp(scene, seat),
            "leftovers": (sum(goods.values()) - goods["V"]) // 5,
            "cards below 0": counts * sum(vp for vp in printed if vp < 0),
            "penalties": -counts * self._penalties(scene, seat),
        }

    def _gold_vp(self, scene: Scene, seat: int) -> int:
        match self._milestone(scene, seat, "gold"):
            case "go_humble":
                return 2 * [self.cards[card]["end_vp"] for card in scene.cards(seat)].count(0)
            case "go_villages":
                return 2 * scene.count(seat, "v")
            case "go_learning":
                return 3 * sum(
                    token.startswith("age") and owner == str(seat)
                    for token, owner in scene.tokens.items()
                )
            case "go_shrines":
                return self._shrines(scene, seat)
        return 0

    def _penalties(self, scene: Scene, seat: int) -> int:
        icons = [
            cell["icon"]
            for (board, name), cell in self.cells.items()
            if board == scene.boards[seat] and name not in scene.maps[seat]
        ]
        return sum(int(icon["penalty"]) for icon in icons if "penalty" in icon)

    def _shrines(self, scene: Scene, seat: int) -> int:
        covered = sum(self._milestone(scene, seat, metal) is not None for metal in MILESTONES)
        return int(self.rules[f"shrines_{covered}"]) if covered else 0

    # -- Moves

    def _told(self, verb: str, name: str) -> str:
        match verb:
            case "pilgrim":
                return f"a Pilgrim cancels {name} Yokai, then one card more"
            case "gain":
                return f"1 {SIGNS[name]}"
            case "boost":
                return f"4 {SIGNS[name]}"
            case "first":
                return "begins"
            case "reward":
                return amounts(self.rewards[name])
            case "milestone":
                return " ".join(self.milestones[name][metal] for metal in MILESTONES)
            case "board":
                return ""
        yokai, icons, bonus, end_vp = self._printed(name)
        cost = f"cost {self.cards[name]['cost']}" if verb in ("recruit", "refill") else ""
        return ", ".join(filter(None, (cost, f"{yokai} Yokai", icons, bonus, f"{end_vp} VP")))


def turn_of(scene: Scene, seat: int, phase: str) -> tuple[int, int, int]:
    """The moment of a seat's turn in a phase of the round."""
    return scene.round, PHASES.index(phase), scene.order.index(seat)


def begins(old: Scene, new: Scene, seat: int, phase: str) -> bool:
    """Whether a seat's turn in a phase begins between two views."""
    return old.moment < turn_of(old, seat, phase) <= new.moment


def ends(old: Scene, new: Scene, seat: int, phase: str) -> bool:
    return old.moment <= turn_of(old, seat, phase) < new.moment


def refilled(old: Scene, new: Scene) -> list[str]:
    """The card that a refill in play has laid out."""
    if old.step != "refill" or old.phase == "setup":
        return []
    return [*(Counter(new.display) - Counter(old.display))]


def icon_text(icon: str | dict[str, Any]) -> str:
    """What a cell gives."""
    match icon:
        case str():
            return f"{icon} Milestone" if icon in MILESTONES else ""
        case {"penalty": vp}:
            return f"covers -{vp}"
    return amounts(icon)


def items(text: str) -> list[str]:
    """The entries of a list; "-" stands for none."""
    return [] if text == "-" else text.split(",")


def now(text: str, separator: str) -> list[str]:
    """The entries of the seats, of `now<then` the first part."""
    return [entry.partition("<")[0] for entry in text.split(separator)]


def numbers(text: str, separator: str = ",") -> list[int]:
    return [int(entry) for entry in now(text, separator)]


def tiles(text: str) -> dict[str, str]:
    """`c2f,d3v*,d4`: what stands on each cell with a Terrain tile."""
    return {entry[:2]: entry[2:] for entry in items(text)}


def owners(piles: Iterable[str], text: str) -> dict[str, str]:
    """`02-/---`: the owner of each token, or "-", by the token's id; the most VP have one dot."""
    return {
        f"{pile}:{dots}": owner
        for pile, entry in zip(piles, text.split("/"), strict=True)
        for dots, owner in enumerate(entry, 1)
    }


def times(what: str, number: int) -> str:
    return what if number == 1 else f"{what}×{number}"


def amounts(gain: dict[str, int]) -> str:
    """`S×2 V`: a gain, or the icons of a card."""
    return " ".join(times(SIGNS[word], number) for word, number in gain.items() if number)


def listed(cards: Sequence[str]) -> str:
    """`scout×2, digger`."""
    return ", ".join(times(card, copies) for card, copies in Counter(cards).items())


def printed(icon: str | dict[str, Any]) -> str:
    """What a cell shows behind its terrain, in two signs at most."""
    match icon:
        case str():
            return PLACE_LETTERS.get(icon, "")
        case {"penalty": vp}:
            return f"-{vp}"
    [word, *more] = icon
    if more:
        return "++"
    return f"{icon[word]}{'?' if word == 'any' else SIGNS[word]}"


def grid(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name in columns:
        table.add_column(name, justify="right" if name in NUMBERS else "left")
    return table

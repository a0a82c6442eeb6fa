"""What the rules of Shogun did between two views of one seat, told line by line.

Only what both views say is used. The turns in between are played over with the cards that lie
open by then, so that each is told with its reason. At the end of a season the cards of others
are put away at once: there the province is taken from what has changed on the board.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from rich.text import Text

from henro.cli.boards.base import seat_name
from henro.cli.boards.shogun_scene import (
    BUILDINGS,
    INCOMES,
    Cards,
    Land,
    Scene,
    counted,
    joined,
)
from henro.components.shogun.schema import ACTIONS, REGIONS

MAJORITIES = {"castle": 3, "temple": 2, "theater": 1}
BID = "bid"
UNSEEN = "?"
Turn = tuple[int, int]
"""Number of the field, and seat."""


class Story:
    """`now` is the scene before, brought forward as the story is told."""

    def __init__(self, cards: Cards, before: str, after: str) -> None:
        self.cards = cards
        self.old, self.now, self.new = Scene(before), Scene(before), Scene(after)
        self.season_over = self.old.season != self.new.season or self.old.year != self.new.year
        if self.old.step == "pick":
            self.now.specials = self.new.specials
        fields = self.old.fields if self.season_over else self.new.fields
        self.fields = [*fields, *(a for a in ACTIONS if len(fields) == 9 and a not in fields)]

    def lines(self) -> Iterator[Text]:
        old, new = self.old, self.new
        if buried := [name for name in new.under if name not in old.under and name in old.open]:
            yield Text(f"nobody wants {joined(buried, ' and ')}: under the pile")
        if old.step == "event" and new.plans:
            bids = [name(seat) + Text(f" {new.card_on(seat, BID)}") for seat in range(new.players)]
            yield Text("bids: ") + joined(bids)
        if self._is_over():
            yield from self._outcome()
        elif old.step == "move" and not self._is_attack():
            self._march()
        for number, turns in groupby(self._turns(), key=lambda turn: turn[0]):
            action = self.fields[number - 1]
            told = [name(seat) + Text(f" {self._turn(seat, action)}") for _, seat in turns]
            yield Text(f"field {number}, {action}: ") + joined(told, "; ")
        yield from self._untold()
        if old.season == "fall" and self.season_over:
            yield from self._winter()
        if old.season != "setup" and (new.step == "end" or new.year != old.year):
            yield from self._points()
        if new.throw is not None and (old.throw is None or self._is_over()):
            yield self._thrown()

    # -- Throws

    def _is_over(self) -> bool:
        """Whether a throw ended."""
        old, new = self.old, self.new
        if old.throw is None:
            return False
        colors = old.colors
        return new.throw is None or colors.index(new.throw.color) <= colors.index(old.throw.color)

    def _is_attack(self) -> bool:
        """Whether the armies that were to move attack."""
        old, new = self.old, self.new
        return new.throw is not None and (old.field, old.active) == (new.field, new.active)

    def _thrown(self) -> Text:
        """What is thrown: garrison or attackers, bonus cubes, farmers, and what lay in the tray."""
        now, new = self.now, self.new
        assert new.throw is not None
        where = new.throw.province
        land = now.lands.get(where)
        fighting = {land.owner: land.armies} if land else {}
        if where == "-":
            head = Text("the tower is filled")
        elif new.season == "winter" or new.action in INCOMES:
            head = Text(f"revolt in {where}") + self._of(land)
        else:
            assert new.active is not None
            origin = new.card_on(new.active, new.action)
            fighting[new.active] = now.lands[origin].armies - new.lands[origin].armies
            target = Text(f" attacks {'' if land else 'neutral '}{where}") + self._of(land)
            head = name(new.active) + target + Text(f" from {origin}")
        thrown = []
        for color, cubes in enumerate(new.tray):
            armies, tray = fighting.get(color, 0), now.tray[color]
            fresh = cubes - armies - tray
            what = [str(armies)] if armies else []
            what += [f"bonus {fresh}" if armies else str(fresh)] if fresh else []
            what += [f"tray {tray}"] if tray else []
            if what:
                thrown.append(self._color(color) + Text(f" {' + '.join(what)}"))
        return head + Text("; thrown: ") + joined(thrown)

    def _outcome(self) -> Iterator[Text]:
        """What came out of the tower, and what that means for the province fought for."""
        old, new, now = self.old, self.new, self.now
        assert old.throw is not None
        where, last = old.throw.province, old.colors.index(old.throw.color)
        fell = old.stuck[last] + old.tray[last] - new.stuck[last]
        outs = [*old.tray[:last], fell, *[0] * (len(old.tray) - last - 1)]
        now.stuck, now.tray, now.throw = [*new.stuck], [*outs], None
        shown = [self._color(color) + Text(f" {out}") for color, out in enumerate(outs) if out]
        yield Text("out of the tower: ") + (joined(shown) if shown else Text("nothing"))
        if where == "-":
            now.tray = [0] * len(outs)
        elif old.season == "winter" or old.action in INCOMES:
            yield self._settle_revolt(where, outs)
        else:
            yield self._settle_attack(where, outs)
        yield from self._void(where)

    def _settle_revolt(self, where: str, outs: list[int]) -> Text:
        land, farmers = self.now.lands[where], outs[-1]
        left = max(0, outs[land.owner] - farmers)
        told = self._score(land.owner, outs[land.owner], [(len(outs) - 1, farmers)])
        self.now.tray[land.owner] = self.now.tray[-1] = 0
        if left == 0:
            return told + self._devastate(where) + self._back({land.owner: outs[land.owner]})
        marker = int(self.old.season != "winter")  # SU31
        self.now.lands[where] = replace(land, armies=left, markers=land.markers + marker)
        return told + self._keeps(land.owner, where, left, outs[land.owner])

    def _settle_attack(self, where: str, outs: list[int]) -> Text:
        now, attacker, land = self.now, self.old.active, self.now.lands.get(where)
        assert attacker is not None
        attack, farmers = outs[attacker], outs[-1]
        defense = outs[land.owner] if land else 0
        helps = land is None or land.markers == 0  # SU33
        against = [(land.owner, defense)] if land else []
        if helps and (farmers or land is None):
            against.append((len(outs) - 1, farmers))
        told = self._score(attacker, attack, against)
        now.tray[attacker] = 0
        if land is not None:
            now.tray[land.owner] = 0
        if helps:
            now.tray[-1] = 0
        back = {attacker: attack, **({land.owner: defense} if land else {})}
        if (left := attack - defense - (farmers if helps else 0)) > 0:
            taken = land or Land(attacker, 0, [], 0)
            now.lands[where] = replace(taken, owner=attacker, armies=left)
            told += name(attacker) + Text(f" takes {'' if land else 'neutral '}{where}")
            told += Text(" from ") + self._you(land.owner) if land else Text()
            told += Text(f" with {counted(left, 'army', 'armies')}")
            if taken.buildings:
                told += Text(f" and its {joined(taken.buildings, ' and ')}")
            return told + self._back({**back, attacker: attack - left})
        if land is None:
            return told + Text(f"{where} stays neutral") + self._back(back)
        if left == 0 or defense == 0:
            return told + self._devastate(where) + self._back(back)
        kept = defense - max(0, attack - (farmers if helps else 0))
        now.lands[where] = replace(land, armies=kept)
        return told + self._keeps(land.owner, where, kept, defense, {attacker: attack})

    def _score(self, seat: int, cubes: int, against: list[tuple[int, int]]) -> Text:
        """`p1 5 against p0 3, farmers 1: `."""
        others = [self._color(color) + Text(f" {number}") for color, number in against]
        return name(seat) + Text(f" {cubes} against ") + joined(others) + Text(": ")

    def _keeps(
        self, seat: int, where: str, left: int, out: int, back: dict[int, int] | None = None
    ) -> Text:
        told = name(seat) + Text(f" keeps {where} with {counted(left, 'army', 'armies')}")
        return told + self._back({**(back or {}), seat: out - left})

    def _devastate(self, where: str) -> Text:
        """The province becomes neutral, without anything on it (SU34)."""
        land = self.now.lands.pop(where)
        gone = f", its {joined(land.buildings, ' and ')} gone" if land.buildings else ""
        return self._you(land.owner) + Text(f" lost {where}, it is neutral{gone}")

    def _back(self, cubes: dict[int, int]) -> Text:
        """Armies lost to the supply; the others of a throw are stuck in the tower."""
        lost = [name(seat) + Text(f" {number}") for seat, number in cubes.items() if number]
        return Text("; back to the supply: ") + joined(lost) if lost else Text()

    def _void(self, where: str) -> Iterator[Text]:
        """Cards taken off with a lost province (SU37)."""
        if self.season_over:
            return
        for seat in range(self.new.players):
            for action in ACTIONS:
                if self.new.card_on(seat, action) == "void" != self.old.card_on(seat, action):
                    whose = Text("your") if seat == self.old.seat else name(seat) + Text("'s")
                    yield whose + Text(f" {action} card in {where} is void")

    # -- Turns

    def _turns(self) -> Iterator[Turn]:
        """The turns that were taken, in order."""
        begins = self._begins()
        if begins is None:
            return
        for number in range(begins[0], len(self.fields) + 1):
            for seat in self.now.order:
                if number == begins[0] and self._place(seat) < begins[1]:
                    continue
                if not self.season_over and number == self.new.field:
                    assert self.new.active is not None
                    if self._place(seat) > self._place(self.new.active):
                        return
                yield number, seat
            if not self.season_over and number == (self.new.field or self.new.done):
                return

    def _begins(self) -> Turn | None:
        """Field and place in turn order of the first turn that was taken."""
        old, new = self.old, self.new
        if old.season in ("setup", "winter"):
            return None
        if old.step == "pick" and new.step not in ("tie", "pick"):
            return 1, 0
        if old.step == "field":
            return (old.done + 1, 0) if old.done else None
        if old.field is None or self._is_attack() or (old.throw and not self._is_over()):
            return None
        assert old.active is not None
        return old.field, self._place(old.active) + 1

    def _place(self, seat: int) -> int:
        return self.now.order.index(seat)

    def _turn(self, seat: int, action: str) -> str:
        """A seat's turn with an action: the province, and what came of it."""
        card = (self.old if self.season_over else self.new).card_on(seat, action)
        if card == UNSEEN:
            found = self._guessed(seat, action)
            if found in self.cards.provinces:
                return f"{found} {self._carry_out(seat, action, found)}"
            return "put away unseen" if found else "nothing done"
        if card not in self.cards.provinces:
            return {"blank": "no action", "empty": "no card"}.get(card, card)
        if card not in self.now.owned(seat):  # lost just before the cards were put away
            return f"{card} void"
        if why := self.cards.hindrance(self.now, seat, action, card):
            return f"{card} left out ({why})"
        return f"{card} {self._carry_out(seat, action, card)}"

    def _carry_out(self, seat: int, action: str, card: str) -> str:
        now, land = self.now, self.now.lands[card]
        now.chests[seat] -= self.cards.actions[action]["price"]
        if action in BUILDINGS:
            pleased = action == "theater" and now.event.startswith("theater") and land.markers > 0
            built = [kind for kind in BUILDINGS if kind in (*land.buildings, action)]
            now.lands[card] = replace(land, buildings=built, markers=land.markers - pleased)
            return "built" + (", a marker taken away" if pleased else "")
        if action in INCOMES:
            amount, how = self.cards.income(now, seat, action, card)
            (now.chests if action == "tax" else now.rice)[seat] += amount
            if not land.markers:
                now.lands[card] = replace(land, markers=1)
            what = counted(amount, "chest") if action == "tax" else f"{amount} rice"
            return what + how + (", then a revolt" if land.markers else "")
        if action.startswith("deploy"):
            armies = self.cards.deployed(now, seat, action)
            now.lands[card] = replace(land, armies=land.armies + armies)
            return f"+{counted(armies, 'army', 'armies')}"
        return "to move or attack"

    def _march(self) -> None:
        """Armies that went to a province of their own."""
        old, now, seat = self.old, self.now, self.old.active
        assert seat is not None
        origin = old.card_on(seat, old.action)
        moved = old.lands[origin].armies - self.new.lands[origin].armies
        gains = {}
        for where in self.cards.neighbors(old)[origin] if moved else ():
            land, after = old.lands.get(where), self.new.lands.get(where)
            if land and after and land.owner == seat and after.armies >= land.armies + moved:
                gains[where] = after.armies - land.armies
        exact = [where for where, gain in gains.items() if gain == moved]
        if len(found := exact or list(gains)) == 1:  # else armies deployed at once hide the way
            for where, change in ((found[0], moved), (origin, -moved)):
                now.lands[where] = replace(
                    old.lands[where], armies=old.lands[where].armies + change
                )

    # -- Cards that were put away unseen

    def _guessed(self, seat: int, action: str) -> str:
        """The province of an unseen card; "" if nothing was done, "?" if it cannot be told."""
        if action in INCOMES:
            return self._collected(seat, action)
        if action.startswith("battle"):
            return ""
        own = self.new.owned(seat)
        if action in BUILDINGS:
            found = [
                where
                for where, land in own.items()
                if action in land.buildings and action not in self.now.lands[where].buildings
            ]
        else:
            armies = self.cards.deployed(self.now, seat, action)
            found = [
                where
                for where, land in own.items()
                if land.armies == self.now.lands[where].armies + armies
            ]
        return found[0] if len(found) == 1 else UNSEEN if found else ""

    def _collected(self, seat: int, action: str) -> str:
        """Where tax or rice was collected: there lies a marker, and the rice fits."""
        old, new = self.old, self.new
        if old.year != new.year:  # the markers are gone
            return UNSEEN
        marked = [where for where, land in new.owned(seat).items()
                  if land.markers and not old.lands[where].markers]  # fmt: skip
        due = {self.fields[number - 1] for number, other in self._turns() if other == seat}
        loss = self.cards.losses[old.face_up[0]] if new.season == "winter" else 0
        found = set()
        for where in [*marked, ""]:
            others = [name for name in marked if name != where]
            if len(others) > 1 or (where and "rice" not in due) or (others and "tax" not in due):
                continue
            brought = self.cards.income(self.now, seat, "rice", where)[0] if where else 0
            if max(0, old.rice[seat] + brought - loss) == new.rice[seat]:
                found.add(where if action == "rice" else "".join(others))
        return found.pop() if len(found) == 1 else UNSEEN

    def _untold(self) -> Iterator[Text]:
        """Chests of others that unseen cards moved."""
        if self.old.step == "event":  # bids are told
            return
        for seat in range(self.new.players):
            if change := self.new.chests[seat] - self.now.chests[seat]:
                yield name(seat) + Text(f" {change:+d} chests for cards put away unseen")

    # -- Winter and points

    def _winter(self) -> Iterator[Text]:
        """What rice is left to each seat, and the revolts that follow (SU46)."""
        loss = self.cards.losses[self.old.face_up[0]]
        if self.new.season != "winter":  # a new year has begun
            yield Text(f"winter: {loss} rice lost, nobody is short of rice")
            return
        yield Text(f"winter: {loss} rice lost")
        for seat in self.old.order:
            rice, lands = self.new.rice[seat], len(self.new.owned(seat))
            told = f" {rice} rice for {counted(lands, 'province')}"
            if (missing := lands - rice) > 0:
                row = self.cards.provisions[min(missing, max(self.cards.provisions))]
                told += f", {missing} short: {counted(min(row['revolts'], lands), 'revolt')}, "
                told += f"{counted(row['extra'], 'farmer')} each and one a marker"
            else:
                told += ", enough"
            yield name(seat) + Text(told)

    def _points(self) -> Iterator[Text]:
        """The points of a winter, seat by seat."""
        won = majorities(self.cards, self.new)
        for seat in range(self.new.players):
            lands = self.new.owned(seat).values()
            built = sum(len(land.buildings) for land in lands)
            more = [f"{region} {kind}s {points}" for region, kind, points in won[seat]]
            gained = len(lands) + built + sum(points for *_, points in won[seat])
            told = f" +{gained} points = {self.new.points[seat]}: {counted(len(lands), 'province')}"
            told += f", {counted(built, 'building')}"
            yield name(seat) + Text(told + "".join(f", {each}" for each in more))

    # -- Names

    def _color(self, color: int) -> Text:
        return name(color) if color < self.old.players else Text("farmers")

    def _you(self, seat: int) -> Text:
        """The reader is "you" where it loses something."""
        return Text().append_text(seat_name(seat, self.old.seat))

    def _of(self, land: Land | None) -> Text:
        return Text(" of ") + name(land.owner) if land else Text()


def majorities(cards: Cards, scene: Scene) -> list[list[tuple[str, str, int]]]:
    """Region, kind of building and points of each majority, by seat."""
    won: list[list[tuple[str, str, int]]] = [[] for _ in range(scene.players)]
    for region in REGIONS:
        for kind, most in MAJORITIES.items():
            built = [
                sum(
                    kind in land.buildings and cards.region(scene, where) == region
                    for where, land in scene.owned(seat).items()
                )
                for seat in range(scene.players)
            ]
            first = [seat for seat, number in enumerate(built) if number == max(built) > 0]
            if points := most - (len(first) > 1):
                for seat in first:
                    won[seat].append((region, kind, points))
    return won


def name(seat: int) -> Text:
    """A seat's name in its colour; what is added to it is plain."""
    return Text().append_text(seat_name(seat))

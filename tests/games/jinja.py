"""Jinja for the tests: its texts read, small cases listed by the reference, its adapter."""

import math
import random
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from fractions import Fraction

import henro
from tests.families.adapter import Pool, SmallCase
from tests.reference.jinja import Jinja, State
from tests.reference.jinja_tables import DEFAULT

BEFORE_DEEDS = ("lantern", "goods", "deal_omikuji", "return_setup")
"""Steps at which no Deed has been dealt."""
MOST_PLACINGS = {2: 17, 3: 20, 4: 4, 5: 4}
"""Ways to deal out the Deeds of a small case, by the player count; worlds also tell apart from
which pack a Deed came. 17 is the fewest that there are in the draft of two players."""
GAMES_TO_FIND_ONE = 200

# -- texts ---------------------------------------------------------------------------------------


def parts_of(text: str) -> dict[str, str]:
    """The parts of a position or view."""
    return dict(part.split("=", 1) for part in text.split()[1:])


def names(entry: str) -> list[str]:
    return [] if entry == "-" else entry.split(",")


def position(players: int, base: str = "", **changes: str) -> henro.State:
    """The position of a text (that of a first placement by default) with some parts changed."""
    game = henro.load_game("jinja", players=players)
    parts = parts_of(base or first_placement(players)) | changes
    return game.deserialize_state(
        " ".join(["jinja", *(f"{key}={value}" for key, value in parts.items())])
    )


def first_placement(players: int) -> str:
    """The text of a first placement under a Kitsune card that changes nothing any more.

    Lanterns, Omikuji and Deeds come in table order, everybody keeps and takes what comes first.
    """
    state = henro.load_game("jinja", players=players).new_initial_state()
    while parts_of(state.serialize())["step"] != "kitsune":
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(state.legal_actions()[0])
    state.apply("kitsune:k_gift")
    while parts_of(state.serialize())["step"] != "place":
        state.apply_action(state.chance_outcomes()[0][0])
    return state.serialize()


def read_position(text: str) -> State:
    """The reference state of the position text of a placement.

    The text does not say from where in the draft Deeds came that everybody has seen since; the
    reference makes up something that fits.
    """
    parts = parts_of(text)
    assert parts["step"] == "place"
    lanterns = [lantern.split(":") for lantern in parts["lanterns"].split(",")]
    workers, fox_workers = _workers(parts["workers"])
    hands = [[held.split("@") for held in names(hand)] for hand in parts["hands"].split("/")]
    territories = list(DEFAULT.territories)
    return Jinja(int(parts["players"])).setup(
        phase="placements",
        season=int(parts["season"]),
        done=int(parts["placed"]),
        lanterns=[lantern for lantern, *_ in lanterns],
        red=[t for t, lantern in zip(territories, lanterns, strict=True) if lantern[1:]],
        tokens=dict(zip(territories, map(_kinds, parts["tokens"].split(",")), strict=True)),
        goods=[_kinds(kinds) for kinds in parts["structures"].split(",")],
        gold=_numbers(parts["gold"]),
        honor=_numbers(parts["honor"]),
        fox=[seat for seat, left in enumerate(_numbers(parts["fox"])) if left],
        active=parts["kitsune"],
        revealed=names(parts["revealed"]),
        supplement=int(parts["supplement"]),
        workers=workers,
        fox_workers=fox_workers,
        hands=[[deed for deed, *_ in hand] for hand in hands],
        public=[deed for hand in hands for deed, *kept in hand if not kept],
        built=[names(built) for built in parts["built"].split("/")],
        pile=names(parts["pile"]),
        omikuji=[names(hand) for hand in parts["omikuji"].split("/")],
        returned=[names(pair) for pair in parts["returned"].split("/")],
        bottom=[(card, int(seat)) for seat, card in _pairs(parts["ordered"])],
        has_drawn=[drew == 1 for drew in _numbers(parts["drew"])],
    )


def _workers(text: str) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """The seats at each place, those in its circles and those beside them. A seat that is there
    more than once counts for all circles that no other needs."""
    in_circles, beside = {}, {}
    for place, entry in _pairs(text):
        seats, circles = entry.split("/")
        there, taken = [int(seat) for seat in seats], int(circles)
        in_circles[place] = (there * taken)[:taken]
        beside[place] = there[taken:]
    return in_circles, beside


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(one, other) for one, _, other in (entry.partition(":") for entry in names(text))]


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _kinds(text: str) -> list[int]:
    return [0] * 4 if text == "-" else [int(number) for number in text.split(".")]


# -- Deeds ---------------------------------------------------------------------------------------


def deed_pools(parts: Mapping[str, str], seat: int) -> list[Pool]:
    """Deeds that the seat saw in a pack and cannot place, by pack and round, then all it never saw.

    A Deed kept in the draft is `deed@round`; the owner and the round tell from which pack.
    """
    hands = [names(hand) for hand in parts["hands"].split("/")]
    packs = [names(pack) for pack in parts["packs"].split("/")]
    begun = rounds_begun(parts)
    groups: defaultdict[tuple[int, int], defaultdict[str, list[str]]]
    groups = defaultdict(lambda: defaultdict(list))
    for other, hand in enumerate(hands):
        for card in hand if other != seat else ():
            deed, at, number = card.partition("@")
            if at:
                pack = (other - int(number) + 1) % len(hands)
                visit = last_visit(seat, pack, min(int(number), begun), len(hands))
                groups[pack if visit else -1, visit][f"hand of seat {other}"].append(deed)
    for pack, deeds in enumerate(packs):
        visit = last_visit(seat, pack, begun, len(hands))
        if not visit or visit != begun:
            groups[pack if visit else -1, visit][f"pack {pack}"] += deeds
    groups[-1, 0]["aside"] += undealt(parts)
    return [
        Pool({place: tuple(deeds) for place, deeds in groups[key].items()})
        for key in sorted(groups)
    ]


def rounds_begun(parts: Mapping[str, str]) -> int:
    """Rounds of the draft whose packs have been looked at; one's own pack is seen while dealt."""
    players = int(parts["players"])
    if parts["step"] == "draft":
        return int(parts["placed"]) // players + 1
    if parts["step"] == "deal_deed":
        return 1
    return 0 if parts["step"] in BEFORE_DEEDS else Jinja(players).pack_size


def last_visit(seat: int, pack: int, round_: int, players: int) -> int:
    """The last round up to this one in which the seat held the pack, 0 for none."""
    first = (seat - pack) % players + 1
    return 0 if round_ < first else round_ - (round_ - first) % players


def undealt(parts: Mapping[str, str]) -> list[str]:
    """The Deeds that have not come up at all."""
    listed = ",".join(parts[key] for key in ("hands", "built", "packs", "pile"))
    found = set(re.findall(r"[a-z]+_[a-z0-9]+", listed))
    return [deed for deed in DEFAULT.deeds if deed not in found]


# -- Omikuji -------------------------------------------------------------------------------------


def omikuji_pools(parts: Mapping[str, str], seat: int) -> list[Pool]:
    """Omikuji that the seat cannot place.

    Its own two returned cards reach no hand that has not drawn since. So as long as there is such
    a hand, one pool has the other cards, in those hands or somewhere else, and one pool the places
    left open, in which only the two returned cards bear names.
    """
    places, closed, own = omikuji_places(parts, seat)
    returned = [card for card in names(parts["returned"].split("/")[seat]) if card not in own]
    if not closed or not returned:
        return [Pool({place: tuple(cards) for place, cards in places.items()})]
    still = {place: tuple(places[place]) for place in closed}
    open_places = {place: cards for place, cards in places.items() if place not in closed}
    elsewhere = [card for cards in open_places.values() for card in cards if card not in returned]
    return [
        Pool({**still, "elsewhere": tuple(elsewhere)}),
        Pool(
            {
                place: tuple(card if card in returned else "another" for card in cards)
                for place, cards in open_places.items()
            }
        ),
    ]


def returned_pools(parts: Mapping[str, str], seat: int) -> list[Pool]:
    """Omikuji that others may have returned at setup, as one pool, if the seat knows nothing that
    makes some of them likelier (J52): once it has drawn it knows where some cards are."""
    if parts["step"] in BEFORE_DEEDS or parts["drew"].split(",")[seat] == "1":
        return []
    returned = [names(pair) for pair in parts["returned"].split("/")]
    own = {*names(parts["omikuji"].split("/")[seat]), *returned[seat]}
    places = {f"returned by seat {p}": tuple(pair) for p, pair in enumerate(returned) if p != seat}
    taken = own.union(*places.values())
    kept = tuple(card for card in DEFAULT.omikuji if card not in taken)
    return [Pool({**places, "not returned": kept})]


def omikuji_places(
    parts: Mapping[str, str], seat: int
) -> tuple[dict[str, list[str]], list[str], set[str]]:
    """Places that the seat cannot look into and their cards, those of seats that never drew, and
    the cards that the seat can place."""
    hands = [names(hand) for hand in parts["omikuji"].split("/")]
    ordered = [entry.split(":") for entry in names(parts["ordered"])]
    own = {*hands[seat], *(card for putter, card in ordered if int(putter) == seat)}
    places = {f"hand of seat {p}": hand for p, hand in enumerate(hands) if p != seat}
    drew = parts["drew"].split(",")
    closed = [place for place in places if drew[int(place[-1])] == "0"]
    for i, (putter, card) in enumerate(ordered):
        if int(putter) != seat:
            places[f"ordered place {i}"] = [card]
    known = {*own, *(card for cards in places.values() for card in cards)}
    places["deck"] = [card for card in DEFAULT.omikuji if card not in known]
    return places, closed, own


# -- small cases ---------------------------------------------------------------------------------


def small_deal_cases(game: henro.Game) -> list[SmallCase]:
    """While the Omikuji are dealt: all five of seat 0 and one of seat 1, or one of seat 0 alone."""
    return [_dealt(game, cards=6, seat=0), _dealt(game, cards=1, seat=1)]


def _dealt(game: henro.Game, cards: int, seat: int) -> SmallCase:
    state, reference = game.new_initial_state(), Jinja(game.players).new()
    rng = random.Random(f"{cards} cards")
    while sum(map(len, reference.omikuji)) < cards:
        _play(state, reference, rng.choice(reference.possible()))
    sort = reference.game.sort_omikuji
    worlds = {
        "omikuji=" + "/".join(",".join(sort(hand)) or "-" for hand in world.omikuji): each
        for world, each in reference.worlds(seat)
    }
    return SmallCase(state.serialize(), seat, worlds, frozenset({"omikuji"}))


def small_draft_cases(game: henro.Game) -> list[SmallCase]:
    """Where the Deeds may be: for two players in the draft, after which they know; else later."""
    phases = {"draft"} if game.players == 2 else {"placements"}
    return [_few_worlds(game, seat, phases) for seat in range(min(2, game.players))]


def _few_worlds(game: henro.Game, seat: int, phases: Collection[str]) -> SmallCase:
    """A moment of a random game at which few worlds are left, most Deeds having been shown."""
    rng = random.Random(f"few worlds of seat {seat}")
    for _ in range(GAMES_TO_FIND_ONE):
        state, reference = game.new_initial_state(), Jinja(game.players).new()
        while texts := reference.possible():
            if reference.phase in phases and reference.legal():
                pools = deed_pools(parts_of(state.serialize()), seat)
                if 1 < math.prod(map(_arrangements, pools)) <= MOST_PLACINGS[game.players]:
                    return _deed_case(state, reference, seat)
            showing = [text for text in texts if re.search("deed_exchange|discard|build", text)]
            _play(state, reference, rng.choice(showing or texts))
    raise AssertionError(f"jinja-{game.players}: no moment with few worlds for seat {seat}")


def _deed_case(state: henro.State, reference: State, seat: int) -> SmallCase:
    worlds: dict[str, Fraction] = {}
    for world, each in reference.worlds(seat, omikuji=False, returned=False):
        text = _deeds_text(world)
        worlds[text] = worlds.get(text, Fraction(0)) + each
    return SmallCase(state.serialize(), seat, worlds, frozenset({"hands", "packs"}))


def _arrangements(pool: Pool) -> int:
    sizes = pool.sizes().values()
    return math.factorial(sum(sizes)) // math.prod(map(math.factorial, sizes))


def _play(state: henro.State, reference: State, text: str) -> None:
    state.apply(text)
    reference.apply(text)


def _deeds_text(world: State) -> str:
    """The parts `hands` and `packs` of a position's text."""
    sort = world.game.sort_deeds
    hands = [
        ",".join(
            deed if deed in world.public else f"{deed}@{world.origin[deed][1]}"
            for deed in sort(hand)
        )
        for hand in world.hands
    ]
    packs = [",".join(sort(pack)) for pack in world.packs]
    return " ".join(
        f"{key}={'/'.join(entry or '-' for entry in entries)}"
        for key, entries in (("hands", hands), ("packs", packs))
    )


# -- adapter -------------------------------------------------------------------------------------


class JinjaAdapter:
    kinds = frozenset({
        "lantern", "goods", "deal_omikuji", "deal_deed", "fill", "kitsune", "draw", "draw_omikuji",
        "die", "return_setup", "draft", "place", "territory", "discard", "search", "keep",
        "return_card", "pick", "build", "flip_first", "flip_second", "gain", "star", "market",
        "choose", "omit", "lights", "vow", "use", "flip_one", "donate", "end",
    })  # fmt: skip
    max_state_bytes = 192
    open_end = False  # Omikuji in hand stay hidden
    forgotten = frozenset({"die", "gain"})

    def kind(self, state: henro.State) -> str:
        """The step of the text."""
        return parts_of(state.serialize())["step"]

    def shows_more(self, state: henro.State) -> bool:
        """After the last choice of a round of the draft the packs are handed on."""
        parts = parts_of(state.serialize())
        return parts["step"] == "draft" and int(parts["active"]) == state.game.players - 1

    def max_legal(self, players: int) -> int:
        return len(DEFAULT.omikuji)

    def hides_choices(self, state: henro.State, seat: int) -> bool:
        return False  # what is hidden is in the pools

    def pools(self, state: henro.State, seat: int) -> list[Pool]:
        parts = parts_of(state.serialize())
        pools = omikuji_pools(parts, seat) + returned_pools(parts, seat)
        if parts["step"] == "build" and int(parts["active"]) != seat:
            return pools  # the seat to move holds a Deed that it can build: not all is even
        return deed_pools(parts, seat) + pools

    def small_cases(self, game: henro.Game) -> list[SmallCase]:
        return small_deal_cases(game) + small_draft_cases(game)


ADAPTER = JinjaAdapter()

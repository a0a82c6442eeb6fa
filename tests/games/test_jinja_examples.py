"""Jinja's rules, one sentence each: the worked examples h01 to h22.

A position is that of a first placement with a few parts changed, or one of the end.
"""

import math
import random
import re

import pytest

import henro
from tests.families.plies import possible_actions
from tests.games.jinja import first_placement, names, parts_of, position
from tests.reference.jinja_tables import DEFAULT

TERRITORIES = ["hokkaido", "tohoku", "kanto", "kansai", "chugoku", "shikoku", "kyushu"]
NOTHING = ",".join("-" * 7)
IN_THE_SOUTHWEST = (
    "small_chugoku,medium_shikoku,medium_kyushu",
    "medium_southwest,large_southwest,every_region",
    "path_kanto_kyushu,path_tohoku_shikoku,path_tohoku_kyushu",
    "path_kanto_chugoku,path_hokkaido_chugoku,path_kansai_shikoku",
)
"""Omikuji that nobody fulfils without a Shrine in the Southwest."""


def play(state: henro.State, *texts: str) -> henro.State:
    for text in texts:
        state.apply(text)
    return state


def moves(state: henro.State) -> set[str]:
    return {state.action_to_string(action) for action in state.legal_actions()}


def possible(state: henro.State) -> list[str]:
    """Moves or outcomes of the chance event, whichever is due."""
    return [state.action_to_string(action) for action in possible_actions(state)]


def outcomes(state: henro.State) -> dict[str, float]:
    return {state.action_to_string(action): p for action, p in state.chance_outcomes()}


def probability(state: henro.State, *texts: str) -> float:
    """The chance that these events happen one after the other; the state stays as it is."""
    after, factors = state.clone(), list[float]()
    for text in texts:
        factors.append(outcomes(after).get(text, 0))
        if factors[-1]:
            after.apply(text)
    return math.prod(factors)


def part(state: henro.State, key: str, seat: int | None = None) -> str:
    """A part of the position's text, or of a seat's view."""
    return parts_of(state.serialize() if seat is None else state.view(seat))[key]


def number(state: henro.State, key: str, seat: int) -> int:
    """The number that a part of the position's text has for a seat."""
    return int(part(state, key).split(",")[seat])


def exchanged(text: str, *pairs: tuple[str, str]) -> str:
    """The position text in which the cards of each pair have changed places."""
    for one, two in pairs:
        other = {one: two, two: one}
        text = re.sub(rf"\b({one}|{two})\b", lambda found, other=other: other[found[0]], text)
    return text


def with_shrines(text: str, *built: str) -> str:
    """The position text in which each seat has built these Deeds, whoever had them before."""
    parts = parts_of(text)
    cards = {deed for entry in built for deed in entry.split(",")}
    hands = [
        ",".join(card for card in hand.split(",") if card.split("@")[0] not in cards) or "-"
        for hand in parts["hands"].split("/")
    ]
    pile = ",".join(card for card in parts["pile"].split(",") if card not in cards) or "-"
    return changed(text, hands="/".join(hands), pile=pile, built="/".join(built))


def with_omikuji(text: str, *hands: str) -> str:
    """The position text in which each seat holds these Omikuji, dealt or drawn since."""
    held = ",".join(hands).split(",")
    others = [card for card in DEFAULT.omikuji if card not in held]
    return changed(
        text,
        omikuji="/".join(hands),
        returned="/".join(",".join(others[2 * p : 2 * p + 2]) for p in range(len(hands))),
        deck=str(len(others)),
        drew=",".join(str(int(hand.count(",") > 2)) for hand in hands),
    )


def changed(text: str, **changes: str) -> str:
    return " ".join(["jinja", *(f"{k}={v}" for k, v in (parts_of(text) | changes).items())])


def last_season(players: int) -> str:
    first = str(4 % players)
    cards = "k_trade,k_lights,k_purse,k_gift,k_vow"
    return changed(first_placement(players), season="5", first=first, active=first, revealed=cards)


def honor_of(deeds: str) -> int:
    return sum(DEFAULT.deeds[deed].honor for deed in deeds.split(","))


def game_over(players: int, *built: str) -> str:
    """The position text of an end at which nobody has anything but Shrines."""
    return changed(
        with_shrines(last_season(players), *built),
        stage="deeds",
        step="end",
        active="0",
        kitsune="-",
        tokens=NOTHING,
        structures=",".join("-" * players),
        gold=",".join("0" * players),
        fox=",".join("0" * players),
    )


def places(*activities: str) -> set[str]:
    return {f"place:{place}" for place in [*TERRITORIES, *activities]}


# -- set-up --------------------------------------------------------------------------------------


def test_h01_a_structure_comes_from_what_is_left_in_the_bag() -> None:
    state = henro.load_game("jinja", players=2).new_initial_state()
    play(state, *(f"lantern:{lantern}" for lantern in DEFAULT.lanterns))
    play(state, "draw:honden", "draw:honden", "draw:torii_gate")
    left = {"honden": 18, "kitsune_statue": 20, "torii_gate": 19, "chozuya": 20}
    assert outcomes(state) == pytest.approx({f"draw:{kind}": n / 77 for kind, n in left.items()})


def test_h03_packs_are_passed_to_the_left_and_the_last_card_is_kept_without_a_choice() -> None:
    state = henro.load_game("jinja", players=3).new_initial_state()
    held, decisions = [], 0
    while part(state, "step") != "fill":
        if part(state, "step") == "draft":
            decisions += 1
            if state.current_player() == 0:
                packs = part(state, "packs", seat=0).split("/")
                held += [(q, len(names(p))) for q, p in enumerate(packs) if not p.startswith("?")]
            pack_1 = names(part(state, "packs").split("/")[1])  # at the last choice, of two cards
        play(state, possible(state)[0])
    assert held == [(0, 6), (2, 5), (1, 4), (0, 3), (2, 2)]
    assert decisions == 15
    hands = [names(hand) for hand in part(state, "hands").split("/")]
    assert [len(hand) for hand in hands] == [6, 6, 6]
    assert len({f"{deed}@6" for deed in pack_1} & set(hands[0])) == 1
    for seat in range(3):
        assert len(names(part(state, "pile", seat))) == 10


# -- placements ----------------------------------------------------------------------------------


def test_h02_two_omikuji_come_from_the_unordered_deck_and_one_goes_under_it() -> None:
    state = play(position(3), "place:omikuji")
    assert list(outcomes(state).values()) == pytest.approx([1 / 25] * 25)
    play(state, next(iter(outcomes(state))))
    assert list(outcomes(state).values()) == pytest.approx([1 / 24] * 24)
    play(state, next(iter(outcomes(state))))
    assert len(moves(state)) == 5
    play(state, "return:medium_kanto")
    assert part(state, "ordered") == "0:medium_kanto"
    assert part(state, "ordered", seat=1) == "0:?"
    assert part(state, "deck") == "23"
    assert len(part(state, "omikuji").split("/")[0].split(",")) == 4


def test_h04_a_place_may_be_used_if_it_can_be_paid_and_does_something() -> None:
    activities = {
        "deed_exchange", "deed_buyback", "omikuji", "gain_territory", "change_lantern",
        "minor_offering", "market", "random_structures", "roll_gold",
    }  # fmt: skip
    assert moves(position(2)) == places(*activities)


def test_h05_a_fox_opens_a_full_place_where_somebody_else_stands() -> None:
    state = position(
        4, placed="2", active="2", workers="deed_buyback:0/1,omikuji:1/1", gold="2,2,3,3"
    )
    activities = {
        "deed_exchange", "omikuji", "gain_territory", "change_lantern", "minor_offering", "market",
        "roll_structures", "random_structures", "supplement_gold", "roll_gold",
    }  # fmt: skip
    assert moves(state) == places(*activities) | {"fox:deed_buyback"}


def test_h06_a_fox_follows_others_but_not_the_worker_of_its_own_seat() -> None:
    state = position(3, placed="1", active="1", workers="kansai:0/1", fox="1,0,1")
    assert not {"place:kansai", "fox:kansai"} & moves(state)
    play(state, "place:hokkaido", "take")
    assert "fox:kansai" in moves(state)
    elsewhere = play(state.clone(), "place:tohoku", "take")
    assert not {"place:kansai", "fox:kansai"} & moves(elsewhere)
    play(state, "fox:kansai", "take")
    assert "fox:kansai" in moves(state)


# -- building ------------------------------------------------------------------------------------


def kansai(kitsune: str = "k_gift") -> henro.State:
    """Example 7: seat 0 stands in Kansai."""
    text = exchanged(
        first_placement(2),
        ("hokkaido_s", "kansai_s"),
        ("hokkaido_l1", "kansai_m"),
        ("tohoku_s1", "kanto_s"),
    )
    state = position(
        2, text, structures="2.1.2.2,0.0.0.0", tokens=NOTHING, kitsune=kitsune, revealed=kitsune
    )
    return play(state, "place:kansai")


def test_h07_a_deed_is_built_from_the_structures_it_lists() -> None:
    state = kansai()
    assert moves(state) == {"take", "build:kansai_m"}
    before = state.scores()
    play(state, "build:kansai_m")
    assert part(state, "structures") == "1.1.0.0,-"
    assert part(state, "built") == "kansai_m/-"
    shrine, region, set_of_five = 7, 8, 2
    assert state.scores() == [before[0] + shrine + region - set_of_five, before[1]]
    three_more = with_shrines(state.serialize(), "kansai_m", "kansai_s,kansai_l1,kansai_l2")
    assert position(2, three_more).serialize() == three_more
    play(state, "place:random_structures")  # shows the bag
    bag = {"honden": 19, "kitsune_statue": 19, "torii_gate": 20, "chozuya": 20}
    assert outcomes(state) == pytest.approx({f"draw:{kind}": n / 78 for kind, n in bag.items()})


def test_h08_under_k_mason_one_structure_of_a_deed_is_left_out() -> None:
    state = kansai("k_mason")
    assert moves(state) == {"take", "build:kansai_s", "build:kansai_m"}
    small = play(state.clone(), "build:kansai_s")
    assert moves(small) == {"omit:kitsune_statue"}
    assert part(play(small, "omit:kitsune_statue"), "structures") == "2.0.0.2,-"
    play(state, "build:kansai_m")
    assert moves(state) == {"omit:honden", "omit:torii_gate", "omit:chozuya"}
    assert part(play(state, "omit:torii_gate"), "structures") == "1.1.1.0,-"


def test_h16_a_deed_bought_back_can_be_built_where_one_stands_or_is_kept() -> None:
    text = exchanged(first_placement(3), ("kansai_l2", "chugoku_m"))
    pile = parts_of(text)["pile"].split(",")
    shown = ["kansai_l2", "kyushu_m1", "kyushu_l"]
    rest = ",".join(deed for deed in pile if deed not in shown)
    deeds = {"pile": ",".join(shown), "hands": f"{parts_of(text)['hands']},{rest}"}
    order = {"placed": "7", "active": "1"}
    workers = "hokkaido:0/1,tohoku:0/1,kanto:0/1,chugoku:2/1,shikoku:2/1,kyushu:1/1,roll_gold:1/1"
    goods = {"gold": "2,3,2", "structures": "-,2.2.1.1,-"}
    state = play(
        position(3, text, workers=workers, **deeds, **order, **goods), "place:deed_buyback"
    )
    assert part(state, "gold") == "2,1,2"
    assert moves(state) == {f"search:{deed}" for deed in shown}
    assert moves(play(state.clone(), "search:kyushu_m1")) == {"build:kyushu_m1", "keep"}
    for kept in ("kyushu_l", "kansai_l2"):
        after = play(state.clone(), f"search:{kept}")
        assert part(after, "step") == "place"
        assert kept in part(after, "hands").split("/")[1].split(",")
        assert kept in parts_of(after.view(0))["hands"].split("/")[1].split(",")


# -- activities ----------------------------------------------------------------------------------


def test_h09_the_market_sells_first_and_buys_at_a_rising_price() -> None:
    state = position(
        2,
        last_season(2),
        structures="0.2.0.1,10.13.20.16",
        tokens=NOTHING,
        gold="3,0",
    )
    play(state, "place:market")
    sell, buy = ("sell:kitsune_statue", "sell:chozuya"), ("buy:honden", "buy:kitsune_statue")
    assert moves(state) == {*sell, *buy, "buy:chozuya", "done"}
    play(state, "sell:chozuya")
    assert part(state, "gold") == "4,0"
    assert moves(state) == {*buy, "done"}
    play(state, "buy:kitsune_statue")
    assert part(state, "gold") == "2,0"
    assert moves(state) == {"buy:kitsune_statue", "done"}


def test_h10_blue_draws_two_structures_and_red_offers_one_of_those_in_the_bag() -> None:
    held = "17.20.19.18,-,-"
    state = position(3, last_season(3), structures=held, tokens=NOTHING)
    play(state, "place:roll_structures")
    orders = (("draw:honden", "draw:chozuya"), ("draw:chozuya", "draw:honden"))
    blue, with_star = (
        sum(probability(state, face, *order) for order in orders)
        for face in ("die:blue", "die:blue_star")
    )
    assert blue == pytest.approx(2 / 15)
    assert blue + with_star == pytest.approx(1 / 5)
    faces = outcomes(state)
    assert faces["die:red"] + faces["die:red_star"] == pytest.approx(1 / 2)
    choice = {"choose:honden", "choose:torii_gate", "choose:chozuya"}
    assert moves(play(state.clone(), "die:red")) == choice
    assert moves(play(state, "die:red_star")) == choice
    flips = {f"flip:{territory}" for territory in TERRITORIES}
    assert moves(play(state, "choose:honden")) == flips | {"noflip"}


@pytest.mark.parametrize(
    ("kitsune", "cost", "honor"),
    [
        ("k_gift", 2, {3: 1 / 2, 5: 1 / 2}),
        ("k_omen", 2, {5: 1}),
        ("k_alms", 1, {3: 1 / 2, 5: 1 / 2}),
    ],
)
def test_h11_the_minor_offering_gives_three_honor_or_five(
    kitsune: str, cost: int, honor: dict[int, float]
) -> None:
    card = {"kitsune": kitsune, "revealed": kitsune}
    assert "place:minor_offering" not in moves(position(2, gold=f"{cost - 1},0", **card))
    state = play(position(2, gold=f"{cost},0", **card), "place:minor_offering")
    assert number(state, "gold", 0) == 0
    found: dict[int, float] = {}
    star = 0.0
    for face, each in outcomes(state).items():
        after = play(state.clone(), face)
        gained = number(after, "honor", 0)
        found[gained] = found.get(gained, 0) + each
        star += each * ("noflip" in moves(after))
    assert found == pytest.approx(honor)
    assert star == pytest.approx(1 / 3)


@pytest.mark.parametrize(("kitsune", "cost"), [("k_gift", 4), ("k_alms", 3)])
def test_h11_the_major_offering_costs_four_gold_or_three(kitsune: str, cost: int) -> None:
    card = {"kitsune": kitsune, "revealed": kitsune}
    assert "place:major_offering" not in moves(position(2, gold=f"{cost - 1},0", **card))
    state = play(position(2, gold=f"{cost},0", **card), "place:major_offering")
    assert (number(state, "gold", 0), number(state, "honor", 0)) == (0, 6)


def test_h13_two_lanterns_are_flipped_and_one_of_them_gives_its_bonus() -> None:
    lanterns = "lantern_2,lantern_1,lantern_3,lantern_5,lantern_4,lantern_6,lantern_7"
    state = play(position(2, lanterns=lanterns), "place:change_lantern")
    assert moves(state) == {f"flip:{territory}" for territory in TERRITORIES[:-1]}
    pairs = [play(state.clone(), first) for first in moves(state)]
    assert sum(len(moves(second)) for second in pairs) == 21
    play(state, "flip:hokkaido", "flip:kansai")
    assert moves(state) == {"gain:hokkaido", "gain:kansai"}
    assert part(play(state.clone(), "gain:hokkaido"), "honor") == "2,0"
    assert part(play(state, "gain:kansai"), "step") == "choose"


def test_h14_deed_exchange_serves_its_own_seat_before_the_others_clockwise() -> None:
    held = "-,-,-,17.20.19.20"
    turn = {"workers": "hokkaido:0/1", "placed": "1", "active": "1"}
    state = position(4, last_season(4), structures=held, tokens=NOTHING, **turn)
    play(state, "place:deed_exchange")
    play(state, min(moves(state)))
    honden = ["draw:honden"] * 3
    assert probability(state, *honden, "draw:torii_gate") == pytest.approx(1 / 4)
    play(state, *honden, "draw:torii_gate")
    assert part(state, "structures") == "-,3.0.0.0,0.0.1.0,17.20.19.20"
    assert (part(state, "step"), state.current_player()) == ("place", 2)


def test_h15_supplement_gold_grows_until_somebody_takes_it() -> None:
    state, rng = henro.load_game("jinja", players=3).new_initial_state(), random.Random(15)
    at_start: dict[str, int] = {}
    while (season := part(state, "season")) < "5":
        seat = state.current_player()
        if part(state, "step") == "place":
            at_start.setdefault(season, int(part(state, "supplement")))
        if season == "3" and "place:supplement_gold" in moves(state):
            before = number(state, "gold", seat)
            play(state, "place:supplement_gold")
            assert number(state, "gold", seat) == before + 4
            continue
        play(state, rng.choice([text for text in possible(state) if "supplement" not in text]))
    assert at_start == {"1": 2, "2": 3, "3": 4, "4": 2}


def test_h21_when_the_unordered_deck_is_used_up_the_oldest_returned_card_is_next() -> None:
    cards = list(DEFAULT.omikuji)
    hands = [cards[3 * seat : 3 * seat + 3] for seat in range(4)]
    last, a, b, own = cards[12], cards[13], cards[14], hands[0][0]
    hands.append(cards[15:])
    returned = [cards[15 + 2 * seat : 17 + 2 * seat] for seat in range(5)]
    state = position(
        5,
        omikuji="/".join(map(",".join, hands)),
        returned="/".join(map(",".join, returned)),
        ordered=f"1:{a},3:{b}",
        deck="1",
        drew="1,1,1,1,1",
    )
    play(state, "place:omikuji")
    assert outcomes(state) == {f"draw:{last}": 1}
    play(state, f"draw:{last}")
    assert outcomes(state) == {f"draw:{a}": 1}
    play(state, f"draw:{a}", f"return:{own}")
    assert part(state, "ordered") == f"3:{b},0:{own}"
    play(state, "place:omikuji")
    assert outcomes(state) == {f"draw:{b}": 1}
    play(state, f"draw:{b}")
    assert outcomes(state) == {f"draw:{own}": 1}


def test_h22_under_k_pilgrims_an_empty_territory_still_gives_a_gold() -> None:
    card = {"kitsune": "k_pilgrims", "revealed": "k_pilgrims"}
    tokens = "1.0.0.0,1.0.0.0,1.0.0.0,1.0.0.0,1.0.0.0,-,1.0.0.0"
    state = position(2, tokens=tokens, **card)
    play(state, "place:shikoku")
    assert moves(state) == {"take"}
    before = part(state, "structures")
    play(state, "take")
    assert part(state, "structures") == before
    assert part(state, "gold") == "3,2"
    other = play(position(2, **card), "place:gain_territory", "pick:kanto")
    assert part(other, "gold") == "2,2"


# -- ends of seasons and of the game -------------------------------------------------------------


def test_h12_each_shrine_up_to_two_in_a_territory_gives_the_bonus_of_its_lantern() -> None:
    built = "tohoku_s1,tohoku_s2,tohoku_m,kanto_s,kanto_m1,kyushu_s"
    lanterns = "lantern_2,lantern_6:red,lantern_1,lantern_3,lantern_4,lantern_5,lantern_7:red"
    places_of = {
        "0": ["hokkaido", "tohoku", "kanto", "kansai"],
        "1": ["chugoku", "shikoku", "kyushu", "market"],
        "2": ["gain_territory", "change_lantern", "roll_gold"],
    }
    workers = [f"{place}:{seat}/1" for seat, used in places_of.items() for place in used]
    state = position(
        3,
        with_shrines(first_placement(3), built, "-", "-"),
        lanterns=lanterns,
        workers=",".join(workers),
        placed="11",
        active="2",
    )
    state.apply("place:supplement_gold")
    codes = [DEFAULT.deeds[deed].bonus for deed in built.split(",")]
    own = {sort: sum(int(c[-1]) for c in codes if c[:-1] == sort) for sort in ("honor", "gold")}
    assert part(state, "honor").split(",")[0] == str(4 + own["honor"])
    assert part(state, "gold").split(",")[0] == str(2 + 4 + own["gold"])


def test_h17_bonuses_of_deeds_come_in_any_order_that_makes_a_difference() -> None:
    built = "hokkaido_l2,tohoku_s1,tohoku_m,kanto_s,chugoku_m,kyushu_m2"
    state = position(
        3,
        with_shrines(first_placement(3), built, "-", "-"),
        stage="lanterns",
        step="draw",
        kitsune="-",
        lanterns="lantern_1,lantern_2,lantern_3,lantern_5,lantern_6,lantern_7,lantern_4",
        where="kyushu:1",
        draws="0/1",
        gold="0,0,0",
    )
    play(state, "draw:chozuya")  # the last Lantern bonus
    assert (number(state, "gold", 0), number(state, "honor", 0)) == (1, 2)
    assert moves(state) == {"use:tohoku_s1", "use:tohoku_m", "use:chugoku_m"}
    play(state, "use:tohoku_m", "draw:chozuya")
    assert moves(state) == {"use:tohoku_s1", "use:chugoku_m", "use:kyushu_m2"}
    play(state, "use:chugoku_m")
    assert moves(state) == {"pay", "skip"}
    play(state, "pay")
    assert (number(state, "gold", 0), number(state, "honor", 0)) == (0, 4)


def test_h18_the_leaders_of_a_region_share_its_honor_rounded_up() -> None:
    built = (
        "hokkaido_s,hokkaido_m,kanto_s",
        "tohoku_s1,tohoku_m,kanto_m1",
        "kansai_s",
        "hokkaido_l1",
    )
    state = position(4, with_omikuji(game_over(4, *built), *IN_THE_SOUTHWEST))
    shares = [score - honor_of(deeds) for score, deeds in zip(state.scores(), built, strict=True)]
    assert shares == [4 + 3, 4 + 3, 3, 0]


def test_h19_the_final_scoring_adds_track_sets_fox_shrines_omikuji_and_regions() -> None:
    built = (
        "tohoku_s1,tohoku_m,kanto_l,shikoku_s",
        "hokkaido_s,kanto_s,kansai_l1,kyushu_m1",
        "tohoku_s2,chugoku_s2,chugoku_l",
    )
    hands = (
        "small_tohoku,path_tohoku_shikoku,most_large,territories_4",
        "every_region,large_central,pilgrimage_kanto_kansai_shikoku",
        "most_small,medium_shikoku,most_medium",
    )
    unfulfilled = (
        "large_hokkaido,medium_kanto,small_chugoku",
        "small_tohoku,medium_shikoku,large_southwest",
        "medium_kyushu,medium_northeast,small_central",
    )
    goods = {"structures": "4.0.0.0,0.1.0.0,1.1.1.1", "gold": "3,9,0"}
    text = changed(game_over(3, *built), honor="21,30,25", fox="0,0,1", **goods)
    state = position(3, with_omikuji(text, *hands))
    assert state.scores() == [70, 72, 60]
    assert state.ranks() == [2, 1, 3]
    assert state.returns() == [0, 1, 0]

    def lost(without: str, **changes: str) -> list[int]:
        scores = position(3, without, **changes).scores()
        return [have - left for have, left in zip(state.scores(), scores, strict=True)]

    track = lost(state.serialize(), honor="0,0,0")
    sets = lost(state.serialize(), structures="-,-,-", gold="0,0,0")
    fox = lost(state.serialize(), fox="0,0,0")
    omikuji = lost(with_omikuji(text, *unfulfilled))
    shrines = [honor_of(deeds) for deeds in built]
    assert [*zip(track, sets, fox, shrines, omikuji, strict=True)] == [
        (21, 2, 0, 24, 15),
        (30, 4, 0, 22, 8),
        (25, 0, 3, 19, 5),
    ]  # and 8 for a region each


def test_h20_equal_honor_is_decided_by_shrines_then_by_large_and_medium_ones() -> None:
    built = (
        "hokkaido_l1,kanto_m1,kanto_m2,kansai_m,hokkaido_s",
        "hokkaido_l2,tohoku_l,chugoku_m,tohoku_s1,tohoku_s2",
        "kanto_l,kansai_l1,shikoku_m1,kanto_s,kansai_s",
        "kansai_l2,chugoku_l,shikoku_l,kyushu_m1,kyushu_m2,chugoku_s1,kyushu_s",
    )
    text = changed(
        with_shrines(last_season(4), *built), stage="deeds", step="end", active="0", kitsune="-"
    )
    wanted = (88, 88, 88, 70)
    track = [score - have for score, have in zip(wanted, position(4, text).scores(), strict=True)]
    state = position(4, text, honor=",".join(map(str, track)))
    assert state.scores() == [*wanted]
    assert state.ranks() == [3, 1, 1, 4]
    assert state.returns() == [0, 0.5, 0.5, 0]

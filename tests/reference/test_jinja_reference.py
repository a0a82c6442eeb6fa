"""Worked examples of Jinja (H1 to H22), and rules that always hold."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from statistics import mean, stdev
from typing import Any

import pytest

from .jinja import CHANCE, PHASES, PRIVATE, SEASONS, TOKENS_OF_A_KIND, Jinja, State, Step, ranking
from .jinja_tables import DEFAULT, KINDS, SIZES

PLAYERS = range(2, 6)
TERRITORIES = list(DEFAULT.territories)
EVERYTHING = tuple([TOKENS_OF_A_KIND] * 4)

every_player_count = pytest.mark.parametrize("players", PLAYERS)


def play(state: State, *texts: str) -> State:
    for text in texts:
        state.apply(text)
    return state


def random_ply(state: State, rng: random.Random) -> str:
    outcomes = state.chance()
    if not outcomes:
        return rng.choice(state.legal())
    return rng.choices([text for text, _ in outcomes], [float(p) for _, p in outcomes])[0]


def play_until(state: State, phase: str, rng: random.Random | None = None) -> State:
    rng = rng or random.Random(1)
    while state.phase != phase:
        state.apply(random_ply(state, rng))
    return state


def random_state(players: int, plies: int, rng: random.Random) -> State:
    state = Jinja(players).new()
    for _ in range(plies):
        if state.actor() is not None:
            state.apply(random_ply(state, rng))
    return state


def goods(state: State, seat: int) -> tuple[int, ...]:
    return tuple(state.goods[seat].values())


def bag(state: State) -> tuple[int, ...]:
    return tuple(state.bag.values())


def all_but(*parts: Sequence[int]) -> tuple[int, ...]:
    """The Structures that are in none of the parts, for a seat that does not matter."""
    return tuple(total - sum(part[kind] for part in parts) for kind, total in enumerate(EVERYTHING))


def probability(state: State, *texts: str) -> Fraction:
    """The chance that these events happen one after the other."""
    product, state = Fraction(1), state.clone()
    for text in texts:
        product *= dict(state.chance()).get(text, Fraction(0))
        if product:
            state.apply(text)
    return product


def hands(players: int, own: Iterable[str] = (), seat: int = 0, size: int = 6) -> list[list[str]]:
    """A full hand for every seat: some Deeds for one seat, then the first of the table."""
    dealt = [list(own) if other == seat else [] for other in range(players)]
    rest = [deed for deed in DEFAULT.deeds if deed not in dealt[seat]]
    for hand in dealt:
        while len(hand) < size:
            hand.append(rest.pop(0))
    return dealt


def at_work(players: int, step: Step, **parts: Any) -> State:
    """A seat in the middle of something, in the season of the first table row: k_fortune."""
    return Jinja(players).setup(**{"phase": "placements", "done": 1, "effect": [step], **parts})


# -- component tables ------------------------------------------------------------------------------


def test_the_28_deeds_demand_every_kind_equally_and_come_in_all_sizes_everywhere() -> None:
    deeds = DEFAULT.deeds.values()
    assert [sum(deed.cost[kind] for deed in deeds) for kind in range(4)] == [35] * 4
    assert Counter(deed.size for deed in deeds) == {"small": 9, "medium": 10, "large": 9}
    assert all(SIZES.index(deed.size) == sum(deed.cost) - 4 for deed in deeds)
    for territory in TERRITORIES:
        sizes = [deed.size for deed in deeds if deed.territory == territory]
        assert len(sizes) == 4
        assert set(sizes) == set(SIZES)


def test_the_34_omikuji_are_worth_177_and_name_each_territory_alike() -> None:
    cards = DEFAULT.omikuji.values()
    assert len(cards) == 34
    assert sum(card.honor for card in cards) == 177
    for terms, times in ((2, 2), (3, 3)):
        named = [
            t for c in cards if c.condition == "all" and len(c.terms) == terms for t in c.terms
        ]
        assert Counter(named) == dict.fromkeys(TERRITORIES, times)


@pytest.mark.parametrize(("players", "circles"), [(2, 18), (3, 20), (4, 22), (5, 24)])
def test_circles_add_up_for_each_player_count(players: int, circles: int) -> None:
    game = Jinja(players)
    assert sum(game.circles(place) for place in game.places) == circles


@pytest.mark.parametrize(("players", "circles"), [(2, 12), (3, 14), (4, 16), (5, 16)])
def test_always_usable_circles_are_never_fewer_than_workers(players: int, circles: int) -> None:
    """J9"""
    game = Jinja(players)
    conditional = ["deed_exchange", "deed_buyback", "territory_build"]
    always = [
        place
        for place in game.places
        if place in TERRITORIES
        or (DEFAULT.activities[place].cost == 0 and place not in conditional)
    ]
    assert sum(game.circles(place) for place in always) == circles
    assert circles >= players * game.workers


# -- worked examples -------------------------------------------------------------------------------


def test_h1_the_second_structure_comes_from_what_is_left_in_the_bag() -> None:
    state = Jinja(2).new()
    play_until(state, "goods")
    play(state, "draw:honden", "draw:honden", "draw:torii_gate")
    assert (state.actor(), state.subject()) == (CHANCE, 1)
    assert state.chance() == [
        ("draw:honden", Fraction(18, 77)),
        ("draw:kitsune_statue", Fraction(20, 77)),
        ("draw:torii_gate", Fraction(19, 77)),
        ("draw:chozuya", Fraction(20, 77)),
    ]


def test_h2_the_omikuji_activity_draws_two_and_puts_one_of_the_hand_at_the_bottom() -> None:
    state = Jinja(3).setup(phase="placements", hands=hands(3))
    assert len(state.deck) == 25
    play(state, "place:omikuji")
    assert [p for _, p in state.chance()] == [Fraction(1, 25)] * 25
    state.apply(state.chance()[0][0])
    assert [p for _, p in state.chance()] == [Fraction(1, 24)] * 24
    state.apply(state.chance()[0][0])
    assert (state.actor(), len(state.legal())) == (0, 5)
    state.apply(state.legal()[2])
    assert (len(state.omikuji[0]), len(state.deck)) == (4, 23)
    assert [putter for _, putter in state.bottom] == [0]
    assert dict(state.knows(1))["bottom"] == ((None, 0),)


def test_h3_packs_of_six_go_round_to_the_left_and_the_last_card_is_taken_unasked() -> None:
    state = play_until(Jinja(3).new(), "draft")
    held, decisions = [], 0
    while state.phase == "draft":
        if state.actor() == 0:
            (pack,) = [p for p in range(3) if state.game.holder(p, state.draft_round()) == 0]
            held.append((pack, len(state.packs[pack])))
        decisions += 1
        state.apply(random_ply(state, random.Random(decisions)))
    assert held == [(0, 6), (2, 5), (1, 4), (0, 3), (2, 2)]
    assert [state.game.holder(pack, 6) for pack in range(3)] == [2, 0, 1]
    assert decisions == 15
    assert len(state.pile) == 10
    assert [len(hand) for hand in state.hands] == [6, 6, 6]


def test_h4_the_first_placement_with_two_players_and_two_gold() -> None:
    state = Jinja(2).setup(phase="placements", gold=[2, 2], hands=hands(2))
    assert len(state.pile) == 16
    assert state.legal() == [
        *(f"place:{territory}" for territory in TERRITORIES),
        "place:deed_exchange",
        "place:deed_buyback",
        "place:omikuji",
        "place:gain_territory",
        "place:change_lantern",
        "place:minor_offering",
        "place:market",
        "place:random_structures",
        "place:roll_gold",
    ]


def test_h5_with_four_players_there_are_second_circles_and_a_fox_enters_a_full_place() -> None:
    state = Jinja(4).setup(
        phase="placements",
        done=2,
        gold=[0, 0, 3, 0],
        fox=[2],
        hands=hands(4),
        workers={"deed_buyback": [0], "omikuji": [1]},
    )
    assert state.actor() == 2
    assert state.legal() == [
        *(f"place:{territory}" for territory in TERRITORIES),
        "place:deed_exchange",
        "place:omikuji",
        "place:gain_territory",
        "place:change_lantern",
        "place:minor_offering",
        "place:market",
        "place:roll_structures",
        "place:random_structures",
        "place:supplement_gold",
        "place:roll_gold",
        "fox:deed_buyback",
    ]


def h6(done: int) -> State:
    return Jinja(3).setup(phase="placements", done=done, fox=[0, 2], workers={"kansai": [0]})


def test_h6_a_fox_needs_an_opponent_at_the_place() -> None:
    at_kansai = [[text for text in h6(done).legal() if "kansai" in text] for done in (3, 4, 5)]
    assert at_kansai == [[], [], ["fox:kansai"]]


def test_h6_a_worker_that_came_by_fox_counts_as_a_worker_there() -> None:
    state = play(h6(5), "fox:kansai", "take")
    assert state.actor() == 0
    assert "fox:kansai" in state.legal()
    assert state.fox == {0}
    assert state.circles["kansai"] == 1


def h7(active: str | None = None) -> State:
    state = Jinja(2).setup(
        phase="placements",
        goods=[(2, 1, 2, 2), (0, 0, 0, 0)],
        hands=[["kansai_s", "kansai_m", "kanto_s"], []],
        active=active,
    )
    return play(state, "place:kansai")


def test_h7_a_build_needs_all_structures_of_a_deed_of_the_territory_and_pays_them() -> None:
    state = h7()
    assert state.legal() == ["take", "build:kansai_m"]
    play(state, "build:kansai_m")
    assert goods(state, 0) == (1, 1, 0, 0)
    assert bag(state) == (19, 19, 20, 20)
    assert state.free_spaces("kansai") == 3
    assert state.score_parts(0)["shrines"] == 7


def test_h8_under_k_mason_the_builder_leaves_out_one_token() -> None:
    state = h7("k_mason")
    assert state.legal() == ["take", "build:kansai_s", "build:kansai_m"]
    small = play(state.clone(), "build:kansai_s")
    assert small.legal() == ["omit:kitsune_statue"]
    assert goods(play(small, "omit:kitsune_statue"), 0) == (2, 0, 0, 2)
    medium = play(state.clone(), "build:kansai_m")
    assert medium.legal() == ["omit:honden", "omit:torii_gate", "omit:chozuya"]
    assert goods(play(medium, "omit:torii_gate"), 0) == (1, 1, 1, 0)


def h9() -> State:
    own, in_bag = (0, 2, 0, 1), (10, 5, 0, 3)
    return at_work(2, Step("market", 0), goods=[own, all_but(own, in_bag)], gold=[3, 0], bag=in_bag)


def test_h9_the_market_sells_first_then_buys_both_in_the_order_of_kinds() -> None:
    assert h9().legal() == [
        "sell:kitsune_statue",
        "sell:chozuya",
        "buy:honden",
        "buy:kitsune_statue",
        "buy:chozuya",
        "done",
    ]
    state = play(h9(), "sell:chozuya")
    assert state.gold[0] == 4
    assert state.legal() == ["buy:honden", "buy:kitsune_statue", "done"]
    play(state, "buy:kitsune_statue")
    assert state.gold[0] == 2
    assert state.legal() == ["buy:kitsune_statue", "done"]


def h10() -> State:
    state = Jinja(3).setup(
        phase="placements", goods=[all_but((3, 0, 1, 2)), (0,) * 4, (0,) * 4], bag=(3, 0, 1, 2)
    )
    return play(state, "place:roll_structures")


def test_h10_blue_gives_two_random_structures_and_red_one_of_choice() -> None:
    state = h10()
    orders = [("draw:honden", "draw:chozuya"), ("draw:chozuya", "draw:honden")]
    plain = sum(probability(state, "die:blue", *order) for order in orders)
    starred = sum(probability(state, "die:blue_star", *order) for order in orders)
    assert plain == Fraction(2, 15)
    assert plain + starred == Fraction(1, 5)
    red = play(state.clone(), "die:red")
    assert red.legal() == ["choose:honden", "choose:torii_gate", "choose:chozuya"]


def test_h10_a_star_is_asked_after_the_color_has_given_everything() -> None:
    red = play(h10(), "die:red_star", "choose:torii_gate")
    assert red.legal() == [*(f"flip:{territory}" for territory in TERRITORIES), "noflip"]
    blue = play(h10(), "die:blue_star", "draw:honden", "draw:honden")
    assert blue.legal() == red.legal()
    play(blue, "flip:kanto")
    assert blue.red == {"kanto"}


@pytest.mark.parametrize(
    ("active", "gold", "blue", "red"), [(None, 2, 3, 5), ("k_omen", 2, 5, 5), ("k_alms", 1, 3, 5)]
)
def test_h11_the_minor_offering(active: str | None, gold: int, blue: int, red: int) -> None:
    state = Jinja(2).setup(phase="placements", gold=[gold, 0], active=active)
    play(state, "place:minor_offering")
    assert state.gold[0] == 0
    assert state.chance() == [
        ("die:blue", Fraction(1, 3)),
        ("die:red", Fraction(1, 3)),
        ("die:blue_star", Fraction(1, 6)),
        ("die:red_star", Fraction(1, 6)),
    ]
    honor = {text: play(state.clone(), text).honor[0] for text, _ in state.chance()}
    assert honor == {
        "die:blue": blue,
        "die:red": red,
        "die:blue_star": blue,
        "die:red_star": red,
    }
    star = play(state, "die:blue_star")
    assert (star.actor(), len(star.legal())) == (0, 8)


def test_h11_the_major_offering_costs_four_or_under_k_alms_three() -> None:
    for active, cost in (("k_fortune", 4), ("k_alms", 3)):
        rich, poor = (
            Jinja(2).setup(phase="placements", gold=[gold, 0], active=active)
            for gold in (cost, cost - 1)
        )
        assert "place:major_offering" not in poor.legal()
        play(rich, "place:major_offering")
        assert (rich.gold[0], rich.honor[0]) == (0, 6)


def test_h12_lantern_bonuses_are_doubled_by_a_second_shrine_but_not_tripled_by_a_third() -> None:
    lanterns = dict(zip(TERRITORIES, ("", "lantern_6", "lantern_1", "", "", "", ""), strict=True))
    lanterns |= {"shikoku": "lantern_5", "kyushu": "lantern_7"}
    rest = [lantern for lantern in DEFAULT.lanterns if lantern not in lanterns.values()]
    own = ["tohoku_s1", "tohoku_s2", "tohoku_m", "kyushu_m2", "kanto_m1", "kanto_l"]
    state = Jinja(2).setup(
        phase="lantern_bonuses",
        lanterns=[lanterns[t] or rest.pop() for t in TERRITORIES],
        red=["tohoku", "kyushu", "shikoku"],
        built=[own, ["shikoku_s"]],  # seat 1 is asked for a Structure, so the end waits
    )
    assert (state.phase, state.actor()) == ("lantern_bonuses", 1)
    assert (state.honor[0], state.gold[0]) == (4, 4)


def test_h13_two_lanterns_are_flipped_and_the_bonus_of_one_of_them_is_gained() -> None:
    order = [
        "lantern_2",
        "lantern_1",
        "lantern_3",
        "lantern_5",
        "lantern_4",
        "lantern_6",
        "lantern_7",
    ]
    state = Jinja(2).setup(phase="placements", lanterns=order)
    play(state, "place:change_lantern")
    assert state.legal() == [f"flip:{territory}" for territory in TERRITORIES[:6]]
    assert sum(len(play(state.clone(), text).legal()) for text in state.legal()) == 21
    play(state, "flip:hokkaido", "flip:kansai")
    assert state.legal() == ["gain:hokkaido", "gain:kansai"]
    assert state.red == {"hokkaido", "kansai"}
    assert play(state.clone(), "gain:hokkaido").honor[0] == 2
    chosen = play(state, "gain:kansai")
    assert chosen.legal() == [f"choose:{kind}" for kind in KINDS]


def test_h14_deed_exchange_serves_the_active_player_first_while_the_bag_lasts() -> None:
    in_bag = (3, 0, 1, 0)
    state = Jinja(4).setup(
        phase="placements",
        done=1,
        goods=[(0,) * 4, (0,) * 4, (0,) * 4, all_but(in_bag)],
        bag=in_bag,
        hands=hands(4),
    )
    play(state, "place:deed_exchange")
    state.apply(state.legal()[0])
    honden = "draw:honden"
    assert probability(state, honden, honden, honden, "draw:torii_gate") == Fraction(1, 4)
    subjects = []
    while state.actor() == CHANCE:
        subjects.append(state.subject())
        state.apply(state.chance()[0][0])
    assert subjects == [1, 1, 1, 2]
    assert (state.phase, state.actor()) == ("placements", 2)


def test_h15_supplement_gold_grows_until_it_is_taken() -> None:
    state, rng = Jinja(3).setup(phase="fill"), random.Random(15)
    at_start: dict[int, int] = {}
    collected = None
    while state.season < 5:
        if state.phase == "placements":
            at_start.setdefault(state.season, state.supplement)
        if state.season == 3 and "place:supplement_gold" in state.legal():
            seat = state.agenda[0].seat or 0
            before = state.gold[seat]
            collected = play(state, "place:supplement_gold").gold[seat] - before
            continue
        texts = [text for text in state.legal() if not text.endswith(":supplement_gold")]
        state.apply(rng.choice(texts) if texts else random_ply(state, rng))
    assert at_start == {1: 2, 2: 3, 3: 4, 4: 2}
    assert collected == 4


def h16(pick: str) -> State:
    """All Deeds but three are with the others, most of them from the open pile."""
    pile = ["kyushu_m1", "kyushu_l", "kansai_l2"]
    others = [deed for deed in DEFAULT.deeds if deed not in pile]
    state = Jinja(3).setup(
        phase="placements",
        done=7,
        gold=[0, 3, 0],
        goods=[(0,) * 4, (2, 2, 1, 1), (0,) * 4],
        hands=[others[6:], [], others[:6]],
        public=others[12:],
        pile=pile,
        workers={"kyushu": [1], "roll_gold": [1], "omikuji": [0]},
    )
    play(state, "place:deed_buyback")
    assert state.gold[1] == 1
    assert state.legal() == ["search:kansai_l2", "search:kyushu_m1", "search:kyushu_l"]
    return play(state, f"search:{pick}")


def test_h16_a_deed_bought_back_may_be_built_where_a_worker_stands() -> None:
    state = h16("kyushu_m1")
    assert (state.actor(), state.legal()) == (1, ["build:kyushu_m1", "keep"])
    built = play(state.clone(), "build:kyushu_m1")
    assert built.built[1] == {"kyushu_m1"}
    assert goods(built, 1) == (0, 1, 0, 0)
    assert "kyushu_m1" not in built.public
    assert "kyushu_m1" in play(state, "keep").public


@pytest.mark.parametrize("deed", ["kyushu_l", "kansai_l2"])
def test_h16_otherwise_it_is_kept_without_a_question_and_known_to_all(deed: str) -> None:
    state = h16(deed)
    assert state.actor() == 2
    assert state.hands[1] == {deed}
    assert dict(state.knows(0))["public"] == (state.hands[0] & state.public, {deed}, set())


def test_h17_deed_bonuses_with_one_code_are_interchangeable() -> None:
    own = ["hokkaido_l2", "tohoku_s1", "tohoku_m", "kanto_s", "chugoku_m", "kyushu_m2"]
    state = Jinja(2).setup(phase="deed_bonuses", built=[own, []])
    assert (state.gold[0], state.honor[0]) == (1, 2)
    assert state.legal() == ["use:tohoku_s1", "use:tohoku_m", "use:chugoku_m"]
    play(state, "use:tohoku_m", "draw:honden")
    assert state.legal() == ["use:tohoku_s1", "use:chugoku_m", "use:kyushu_m2"]
    play(state, "use:chugoku_m")
    assert state.legal() == ["pay", "skip"]
    play(state, "pay")
    assert (state.gold[0], state.honor[0]) == (0, 4)


def test_h18_tied_leaders_of_a_region_share_its_honor_rounded_up() -> None:
    built = [
        ["hokkaido_s", "hokkaido_m", "kanto_s"],
        ["tohoku_s1", "tohoku_m", "kanto_m1"],
        ["kansai_s"],
        ["hokkaido_l1"],
    ]
    state = Jinja(4).setup(phase="over", season=5, built=built)
    assert [state.score_parts(seat)["regions"] for seat in range(4)] == [7, 7, 3, 0]
    assert [state.region_share(0, region) for region in DEFAULT.regions] == [4, 3, 0]


def test_h19_final_scores() -> None:
    pilgrimage = "pilgrimage_kanto_kansai_shikoku"
    state = Jinja(3).setup(
        phase="over",
        season=5,
        honor=[21, 30, 25],
        gold=[3, 9, 0],
        goods=[(4, 0, 0, 0), (0, 1, 0, 0), (1, 1, 1, 1)],
        fox=[2],
        built=[
            ["tohoku_s1", "tohoku_m", "kanto_l", "shikoku_s"],
            ["hokkaido_s", "kanto_s", "kansai_l1", "kyushu_m1"],
            ["tohoku_s2", "chugoku_s2", "chugoku_l"],
        ],
        omikuji=[
            ["small_tohoku", "path_tohoku_shikoku", "most_large", "territories_4"],
            ["every_region", "large_central", pilgrimage],
            ["most_small", "medium_shikoku", "most_medium"],
        ],
    )
    assert [list(state.score_parts(seat).values()) for seat in range(3)] == [
        [21, 2, 0, 24, 15, 8],
        [30, 4, 0, 22, 8, 8],
        [25, 0, 3, 19, 5, 8],
    ]
    assert state.scores() == [70, 72, 60]
    assert state.ranks() == [2, 1, 3]
    assert state.utilities() == [0, 1, 0]


def test_h20_ties_are_broken_by_shrines_then_large_then_medium_ones() -> None:
    assert ranking([(88, 5, 1, 3), (88, 5, 2, 1), (88, 5, 2, 1), (70, 7, 3, 2)]) == [3, 1, 1, 4]


def test_h21_cards_put_back_are_drawn_after_all_others_oldest_first() -> None:
    x, a, b, y, *others = DEFAULT.omikuji
    state = Jinja(5).setup(
        phase="placements",
        omikuji=[[y, *others[:6]], *(others[first : first + 6] for first in (6, 12, 18, 24))],
        deck=[x],
        bottom=[(a, 1), (b, 3)],
    )
    play(state, "place:omikuji")
    assert state.chance() == [(f"draw:{x}", Fraction(1))]
    play(state, f"draw:{x}")
    assert state.chance() == [(f"draw:{a}", Fraction(1))]
    play(state, f"draw:{a}", f"return:{y}")
    assert state.bottom == [(b, 3), (y, 0)]
    play(state, "place:omikuji")
    assert state.subject() == 1
    assert state.chance() == [(f"draw:{b}", Fraction(1))]
    play(state, f"draw:{b}")
    assert state.chance() == [(f"draw:{y}", Fraction(1))]


def test_h22_under_k_pilgrims_an_empty_territory_gives_one_gold() -> None:
    state = Jinja(2).setup(phase="placements", active="k_pilgrims")
    play(state, "place:shikoku")
    assert state.legal() == ["take"]
    play(state, "take")
    assert (goods(state, 0), state.gold[0]) == ((0, 0, 0, 0), 1)
    lying = Jinja(2).setup(phase="placements", active="k_pilgrims", tokens={"kanto": (1, 0, 0, 0)})
    play(lying, "place:gain_territory", "pick:kanto")
    assert (goods(lying, 0), lying.gold[0]) == ((1, 0, 0, 0), 0)


# -- set-up and the start of a season --------------------------------------------------------------


@pytest.mark.parametrize(("players", "decisions"), [(2, 14), (3, 21), (4, 28), (5, 30)])
def test_setup_has_a_fixed_number_of_plies(players: int, decisions: int) -> None:
    state, rng = Jinja(players).new(), random.Random(players)
    kinds = Counter[str]()
    while state.phase != "fill":
        kinds[state.agenda[0].name] += 1
        state.apply(random_ply(state, rng))
    size = state.game.pack_size
    assert kinds["return_first"] + kinds["return_second"] + kinds["draft"] == decisions
    assert kinds["lantern"] == 7
    assert kinds["token"] == 2 * players
    assert kinds["deal_omikuji"] == 5 * players
    assert kinds["deal_deed"] == size * players
    assert len(state.deck) == 34 - 3 * players
    assert len(state.pile) == 28 - size * players


@every_player_count
def test_seats_start_with_the_printed_goods(players: int) -> None:
    state = play_until(Jinja(players).new(), "omikuji_deal")
    starts = DEFAULT.starts[players]
    assert [sum(own.values()) for own in state.goods] == [2] * players
    assert state.gold == [start.gold for start in starts]
    assert state.fox == {seat for seat, start in enumerate(starts) if start.fox}


def test_two_omikuji_are_returned_lowest_first() -> None:
    """P1"""
    state = play_until(Jinja(2).new(), "omikuji_return")
    cards = state.game.sort_omikuji(state.omikuji[0])
    assert state.legal() == [f"return:{card}" for card in cards[:4]]
    play(state, f"return:{cards[1]}")
    assert state.legal() == [f"return:{card}" for card in cards[2:]]
    play(state, f"return:{cards[4]}")
    assert state.actor() == 1
    assert state.returned[0] == {cards[1], cards[4]}


def test_returned_omikuji_join_the_deck_when_all_have_chosen() -> None:
    state = play_until(Jinja(2).new(), "omikuji_return")
    while state.phase == "omikuji_return":
        assert len(state.deck) == 24
        state.apply(state.legal()[0])
    assert len(state.deck) == 28
    assert state.returned[0] | state.returned[1] <= state.deck


def test_a_season_starts_with_a_token_on_each_territory_in_order_while_the_bag_lasts() -> None:
    in_bag = (2, 0, 1, 0)
    state = Jinja(2).setup(phase="fill", goods=[all_but(in_bag), (0,) * 4], bag=in_bag)
    play(state, "draw:honden", "draw:torii_gate", "draw:honden")
    assert (state.phase, state.actor()) == ("kitsune", CHANCE)  # J46
    assert [sum(lying.values()) for lying in state.tokens.values()] == [1, 1, 1, 0, 0, 0, 0]


def test_each_season_reveals_a_new_kitsune_and_starts_one_seat_further() -> None:
    state, rng = Jinja(3).setup(phase="fill"), random.Random(3)
    first: dict[int, int | str | None] = {}
    while state.phase != "over":
        if state.agenda[0].name == "kitsune":
            assert len(state.chance()) == 13 - (state.season - 1)
        if state.phase == "placements":
            first.setdefault(state.season, state.actor())
        state.apply(random_ply(state, rng))
    assert first == {1: 0, 2: 1, 3: 2, 4: 0, 5: 1}
    assert len(state.revealed) == SEASONS


@pytest.mark.parametrize(("players", "gold"), [(2, [0] * 5), (3, [2, 3, 4, 5, 6])])
def test_supplement_gold_is_used_by_three_players_and_more(players: int, gold: list[int]) -> None:
    """J29"""
    state, rng = Jinja(players).setup(phase="fill"), random.Random(4)
    seen = {}
    while state.phase != "over":
        if state.phase == "placements":
            seen[state.season] = state.supplement
        texts = [text for text in state.legal() if not text.endswith(":supplement_gold")]
        state.apply(rng.choice(texts) if texts else random_ply(state, rng))
    assert list(seen.values()) == gold


# -- Kitsune ---------------------------------------------------------------------------------------


def revealing(card: str, players: int = 3, season: int = 2, **parts: Any) -> State:
    """The moment after a card is revealed; in season 2 seat 1 is first."""
    others = [other for other in DEFAULT.kitsune if other != card][: season - 1]
    setup = {"phase": "kitsune", "season": season, "revealed": others, **parts}
    state = Jinja(players).setup(**setup)
    return play(state, f"kitsune:{card}")


def course(state: State, *, until: str = "placements") -> list[tuple[str, int | str | None]]:
    """The steps and subjects of the plies up to a phase, taking the first text each time."""
    steps = []
    while state.phase != until:
        steps.append((state.agenda[0].name, state.subject()))
        state.apply(state.possible()[0])
    return steps


def test_k_fortune_lets_each_seat_draw_two_omikuji_in_season_order() -> None:
    one = ["draw_omikuji", "draw_omikuji", "put_back"]
    assert course(revealing("k_fortune")) == [(step, seat) for seat in (1, 2, 0) for step in one]


def test_k_fortune_with_a_short_deck_gives_fewer_cards() -> None:
    """J23: the card that one seat puts back is all that the next seat can draw."""
    every = list(DEFAULT.omikuji)
    state = revealing(
        "k_fortune",
        omikuji=[every[:11], every[11:22], every[22:33]],
        deck=[],
        bottom=[(every[33], 0)],
    )
    steps = course(state)
    assert steps == [(step, seat) for seat in (1, 2, 0) for step in ("draw_omikuji", "put_back")]
    empty = revealing("k_fortune", omikuji=[every[:11], every[11:22], every[22:]], deck=[])
    assert empty.phase == "placements"  # J46


def test_k_trade_lets_each_seat_visit_the_market_and_leave_at_once() -> None:
    state = revealing("k_trade")
    for seat in (1, 2, 0):
        assert (state.actor(), state.legal()) == (seat, ["done"])  # J48
        play(state, "done")
    assert state.phase == "placements"


def test_k_lights_may_be_declined() -> None:
    state = revealing("k_lights")
    assert state.legal() == ["skip", *(f"flip:{territory}" for territory in TERRITORIES[:6])]
    play(state, "skip", "flip:hokkaido", "flip:kansai", "gain:hokkaido")
    assert (state.actor(), state.red) == (0, {"hokkaido", "kansai"})


def test_k_purse_rolls_for_gold_with_the_star() -> None:
    state = revealing("k_purse")
    play(state, "die:blue_star")
    assert (state.gold[1], state.actor(), len(state.legal())) == (2, 1, 8)
    play(state, "noflip", "die:red")
    assert state.gold == [0, 2, 3]


def test_k_gift_draws_two_structures_for_each_seat() -> None:
    assert course(revealing("k_gift")) == [("token", seat) for seat in (1, 1, 2, 2, 0, 0)]


def test_k_vow_asks_those_with_gold_and_takes_it_only_for_a_build() -> None:
    state = revealing(
        "k_vow",
        gold=[1, 0, 2],
        goods=[(1, 1, 1, 1), (0,) * 4, (0,) * 4],
        hands=[["kanto_s"], [], []],
    )
    assert (state.actor(), state.legal()) == (2, ["skip"])
    play(state, "skip")
    assert (state.actor(), state.legal()) == (0, ["skip", "build:kanto_s"])
    play(state, "build:kanto_s")
    assert state.gold == [0, 0, 2]
    assert state.built[0] == {"kanto_s"}
    assert goods(state, 0) == (0, 0, 0, 0)


def test_k_praise_gives_two_honor_for_every_build() -> None:
    state = Jinja(2).setup(
        phase="placements",
        active="k_praise",
        gold=[1, 0],
        goods=[(1, 1, 1, 1), (0,) * 4],
        hands=[["kanto_s"], []],
    )
    play(state, "place:territory_build", "build:kanto_s")
    assert (state.honor[0], state.gold[0]) == (2, 0)


def test_k_crafts_halves_the_price_of_the_market() -> None:
    state = Jinja(2).setup(phase="placements", active="k_crafts", gold=[7, 0])
    play(state, "place:market", *["buy:torii_gate"] * 5)
    assert state.legal() == ["done"]  # J24: at most five, J48: but done is asked
    assert (state.gold[0], goods(state, 0)) == (2, (0, 0, 5, 0))


def test_k_grace_makes_three_activities_cheaper() -> None:
    state = Jinja(2).setup(phase="placements", active="k_grace")
    places = ["deed_buyback", "territory_build", "random_structures", "minor_offering"]
    assert [state.cost(place) for place in places] == [1, 0, 0, 2]


def test_a_season_card_ends_with_the_last_placement() -> None:
    state = Jinja(2).setup(phase="placements", done=9, active="k_omen")
    play(state, "place:shikoku", "take")
    assert state.active is None
    assert not any(state.present.values())


# -- placements and effects ------------------------------------------------------------------------


def test_one_seat_may_fill_both_circles_of_an_activity() -> None:
    """J6"""
    state = Jinja(4).setup(phase="placements", done=4, workers={"market": [0]}, fox=[0])
    play(state, "place:market", "done")
    assert state.circles["market"] == 2
    state = Jinja(4).setup(phase="placements", done=8, workers={"market": [0, 0]}, fox=[0])
    assert not [text for text in state.legal() if text.endswith(":market")]  # J7


def test_territory_build_needs_no_worker_and_no_free_circle_in_the_territory() -> None:
    """J18"""
    state = Jinja(2).setup(
        phase="placements",
        done=1,
        workers={"kanto": [0]},
        gold=[0, 1],
        goods=[(0,) * 4, (1, 1, 1, 1)],
        hands=[[], ["kanto_s"]],
    )
    play(state, "place:territory_build", "build:kanto_s")
    assert state.free_spaces("kanto") == 3


def test_nothing_is_built_in_a_full_territory() -> None:
    """J14, J38"""
    state = Jinja(2).setup(
        phase="placements",
        gold=[1, 0],
        goods=[EVERYTHING, (0,) * 4],
        hands=[["shikoku_l"], []],
        built=[["shikoku_s"], ["shikoku_m1"]],
    )
    assert "place:territory_build" not in state.legal()
    assert play(state, "place:shikoku").legal() == ["take"]


def test_gain_territory_does_nothing_when_no_tokens_lie_anywhere() -> None:
    state = Jinja(2).setup(phase="placements")
    play(state, "place:gain_territory")
    assert state.actor() == 1


def test_a_structure_of_choice_is_lost_with_an_empty_bag() -> None:
    """J13"""
    state = Jinja(3).setup(phase="placements", goods=[EVERYTHING, (0,) * 4, (0,) * 4])
    play(state, "place:roll_structures", "die:red")
    assert state.actor() == 1


def test_a_discarded_deed_lies_open_and_is_no_longer_public_in_a_hand() -> None:
    state = Jinja(2).setup(
        phase="placements", hands=[["kanto_s", "kanto_l"], []], public=["kanto_l"]
    )
    play(state, "place:deed_exchange", "discard:kanto_l")
    assert "kanto_l" in state.pile
    assert state.public == set()


def test_random_structures_and_roll_for_gold() -> None:
    state = Jinja(2).setup(phase="placements", gold=[1, 0])
    play(state, "place:random_structures", "draw:honden", "draw:chozuya")
    assert (goods(state, 0), state.gold[0]) == ((1, 0, 0, 1), 0)
    play(state, "place:roll_gold", "die:red")
    assert state.gold[1] == 3


def test_harvest_lantern_and_omikuji_bonuses() -> None:
    """J43"""
    state = Jinja(2).setup(
        phase="deed_bonuses",
        built=[["hokkaido_s", "kansai_s", "chugoku_s1"], []],
        tokens={"tohoku": (0, 2, 0, 0)},
    )
    assert state.legal() == ["use:hokkaido_s", "use:kansai_s", "use:chugoku_s1"]
    play(state, "use:hokkaido_s")
    assert state.legal() == ["pick:tohoku"]
    play(state, "pick:tohoku", "use:kansai_s")
    assert state.legal() == [f"flip:{territory}" for territory in TERRITORIES]
    play(state, "flip:kyushu")
    assert state.gold[0] == 2  # the red side of lantern_7
    assert state.agenda[0].name == "draw_omikuji"  # the last one needs no order
    state.apply(state.chance()[0][0])
    assert len(state.legal()) == 4


def test_bonuses_that_cannot_act_still_count_in_the_order() -> None:
    """J49"""
    state = Jinja(2).setup(phase="deed_bonuses", built=[["hokkaido_s", "chugoku_m"], []])
    assert state.legal() == ["use:hokkaido_s", "use:chugoku_m"]
    play(state, "use:chugoku_m")
    assert state.phase != "deed_bonuses"


def test_lantern_and_deed_bonuses_go_by_seats_from_the_first_player() -> None:
    """J27"""
    built = [["tohoku_s1", "kanto_l"], ["hokkaido_l1", "tohoku_m"]]
    order = ["lantern_5", "lantern_4", "lantern_1", "lantern_2", "lantern_3", "lantern_6"]
    state = Jinja(2).setup(
        phase="lantern_bonuses", season=2, lanterns=[*order, "lantern_7"], built=built
    )
    assert course(state, until="deed_bonuses") == [("token", 1), ("token", 1), ("token", 0)]
    assert course(state, until="fill")[:2] == [("token", 1), ("token", 1)]


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "take", "place:", "place:edo", "fox:kanto", "draw:honden"])
def test_a_text_that_is_not_possible_is_refused_and_changes_nothing(text: str) -> None:
    state = Jinja(3).setup(phase="placements")
    before = state.clone()
    for refuse in (state.apply, state.events):
        with pytest.raises(ValueError, match="not possible"):
            refuse(text)
    assert state == before


@pytest.mark.parametrize("players", [1, 6])
def test_the_game_is_for_two_to_five_players(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 5"):
        Jinja(players)


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"bag": EVERYTHING, "goods": [(1, 0, 0, 0), (0,) * 4]}, "20 tokens of honden"),
        ({"hands": [["kanto_s"], ["kanto_s"]]}, "exactly one place"),
        ({"deck": ["most_small"]}, "exactly one place"),
        ({"public": ["kanto_s"]}, "public Deed is in a hand"),
        ({"workers": {"kanto": [0, 1]}, "done": 2}, "each circle holds one"),
        ({"workers": {"kanto": [0]}, "done": 0}, "more workers"),
        ({"lanterns": ["lantern_1"] * 7}, "each Lantern"),
        ({"revealed": ["k_gift"], "season": 2}, "one Kitsune card"),
        ({"built": [["shikoku_s", "shikoku_m1", "shikoku_m2"], []]}, "more Shrines than spaces"),
    ],
)
def test_a_position_whose_parts_do_not_fit_is_refused(
    parts: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        Jinja(2).setup(phase="placements", **parts)


def test_ranks_are_not_known_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        Jinja(2).new().ranks()


# -- events and knowledge --------------------------------------------------------------------------


def test_only_the_owner_is_told_of_deals_returns_picks_and_draws() -> None:
    state, rng = Jinja(3).new(), random.Random(8)
    met = set()
    while state.phase != "over":
        text = random_ply(state, rng)
        subject, verb = str(state.subject()), text.split(":")[0]
        if state.agenda[0].name in PRIVATE:
            met.add(verb)
            assert state.events(text) == [
                [(subject, text if str(seat) == subject else f"{verb}:?")] for seat in range(3)
            ]
        else:
            assert state.events(text) == [[(subject, text)]] * 3
        state.apply(text)
    assert met == {"deal", "return", "draft", "draw"}


def test_an_event_of_nobody_concerns_chance() -> None:
    assert Jinja(2).new().events("lantern:lantern_4")[0] == [("chance", "lantern:lantern_4")]
    assert Jinja(2).setup(phase="fill").events("draw:honden")[0] == [("chance", "draw:honden")]


def test_only_the_putter_knows_a_card_at_the_bottom_and_forgets_it_when_it_is_drawn() -> None:
    """J45"""
    every = list(DEFAULT.omikuji)
    state = Jinja(2).setup(
        phase="placements", omikuji=[every[:16], every[16:33]], deck=[], bottom=[(every[33], 1)]
    )
    known = [dict(state.knows(seat))["bottom"] for seat in (0, 1)]
    assert known == [((None, 1),), ((every[33], 1),)]
    play(state, "place:omikuji", f"draw:{every[33]}")
    assert dict(state.knows(1))["bottom"] == ()
    assert {frozenset(world.omikuji[0]) for world, _ in state.worlds(1, returned=False)} == {
        frozenset(state.omikuji[0])
    }


def test_with_two_players_the_other_hand_is_known_once_the_pile_lies_open() -> None:
    state = play_until(Jinja(2).new(), "fill", random.Random(5))
    for seat in (0, 1):
        ((world, weight),) = state.worlds(seat, omikuji=False, returned=False)
        assert world == state
        assert weight == 1


@every_player_count
def test_the_draft_is_remembered_by_what_was_missing_at_each_visit(players: int) -> None:
    """J36: a seat knows the taker when it took the card itself, when one pick lies between two
    of its visits, or when one card was left after its last visit."""
    state = play_until(Jinja(players).new(), "fill", random.Random(players))
    size = state.game.pack_size
    for seat in range(players):
        groups = {(pack, first): deeds for pack, first, deeds in state.draft_memory(seat)}
        alone = {deed for deeds in groups.values() if len(deeds) == 1 for deed in deeds}
        seen = {deed for deeds in groups.values() for deed in deeds}
        for deed, (pack, taken) in state.origin.items():
            visits = [r for r in range(1, size + 1) if state.game.holder(pack, r) == seat]
            later = [r for r in visits if r > taken]
            picks_between = (
                (later[0] if later else size + 1)
                - 1
                - max([r for r in visits if r < taken], default=-size)
            )
            assert (deed in seen) == (visits[0] <= taken)
            assert (deed in alone) == (deed in seen and (taken in visits or picks_between == 1))


def small_draft(players: int, pack_size: int, deeds: int) -> State:
    """The deal of the Deeds with few of them in small packs."""
    tables = replace(DEFAULT, deeds=dict(islice(DEFAULT.deeds.items(), deeds)))
    game = Jinja(players, tables)
    game.pack_size = pack_size
    return game.setup(phase="deed_deal")


def sight_in_draft(state: State, seat: int) -> Hashable:
    """What lies before a seat: its pack, its hand, the open pile, what others hold openly."""
    held: frozenset[str] = frozenset()
    if state.phase in ("deed_deal", "draft"):
        round_ = state.draft_round()
        (pack,) = [p for p in range(state.game.players) if state.game.holder(p, round_) == seat]
        held = frozenset(state.packs[pack])
    return (
        held,
        frozenset(state.hands[seat]),
        frozenset(state.pile),
        frozenset(state.public),
        tuple(frozenset(row) for row in state.built),
    )


@pytest.mark.parametrize(
    ("players", "seat", "pack_size", "deeds"),
    [(2, 0, 6, 13), (2, 1, 6, 13), (2, 1, 4, 10), (3, 0, 4, 12), (3, 0, 3, 10), (3, 2, 3, 9)],
)
def test_worlds_of_the_draft_are_those_of_a_perfect_memory(
    players: int, seat: int, pack_size: int, deeds: int
) -> None:
    """Carry every deal and every course of the draft along, with its exact probability when the
    others choose at random; drop what the seat sees to be wrong; compare with `worlds`."""
    rng = random.Random(f"{players} {pack_size}")
    state = small_draft(players, pack_size, deeds)
    belief = {where_deeds_are(state): (state, Fraction(1))}
    while state.phase != "fill":
        text, own = random_ply(state, rng), state.subject() == seat
        belief = follow(belief, text if own else None)
        state = play(state.clone(), text)
        belief = without_what_looks_different(belief, state, seat)
        assert_worlds(state, seat, belief)


Belief = dict[Hashable, tuple[State, Fraction]]
"""Where the Deeds are -> a world with its weight."""


def follow(belief: Belief, text: str | None = None) -> Belief:
    """Every world one ply later, by every text that is possible in it or by this one alone.

    All texts that are possible in a world are equally likely there.
    """
    followed: Belief = {}
    for world, weight in belief.values():
        possible = world.possible()
        for each in possible if text is None else {text}.intersection(possible):
            after = play(world.clone(), each)
            _, so_far = followed.get(where_deeds_are(after), (after, Fraction(0)))
            followed[where_deeds_are(after)] = (after, so_far + weight / len(possible))
    return followed


def without_what_looks_different(belief: Belief, state: State, seat: int) -> Belief:
    sight = sight_in_draft(state, seat)
    return {key: item for key, item in belief.items() if sight_in_draft(item[0], seat) == sight}


def assert_worlds(state: State, seat: int, belief: Belief) -> None:
    total = sum(weight for _, weight in belief.values())
    assert {world.knows(seat) for world, _ in belief.values()} == {state.knows(seat)}
    listed = state.worlds(seat, omikuji=False, returned=False)
    assert {where_deeds_are(world): weight for world, weight in listed} == {
        key: weight / total for key, (_, weight) in belief.items()
    }


def where_deeds_are(state: State) -> Hashable:
    return (
        tuple(frozenset(place) for place in [*state.hands, *state.packs, state.aside]),
        frozenset(state.origin.items()),
    )


@pytest.mark.parametrize("number", range(6))
def test_whoever_shows_a_deed_tells_who_drafted_it_for_good(number: int) -> None:
    """Seat 1 discards a Deed, seat 2 buys it back: all courses again, compared with `worlds`."""
    rng = random.Random(number)
    drafted = play_until(small_draft(3, 4, 13), "fill", rng)
    state = drafted.game.setup(
        phase="placements",
        gold=[0, 0, 2],
        hands=drafted.hands,
        origin=drafted.origin,
    )
    worlds = state.worlds(0, omikuji=False, returned=False)
    belief: Belief = {where_deeds_are(world): (world, weight) for world, weight in worlds}
    before = len(belief)
    play_all = ["place:roll_gold", "die:blue", "place:deed_exchange"]
    discarded = rng.choice(state.game.sort_deeds(state.hands[1]))
    play_all += [f"discard:{discarded}", *["draw:honden"] * 5]
    play_all += ["place:deed_buyback", f"search:{discarded}"]
    for text in play_all:
        if text.startswith("place"):  # how likely a placement is in which world is no rule
            belief = {key: (play(world, text), p) for key, (world, p) in belief.items()}
        else:
            belief = follow(belief, text)
        play(state, text)
        assert_worlds(state, 0, belief)
    assert discarded in state.public
    assert len(belief) < before or all(
        len(deeds) == 1 for *_, deeds in state.draft_memory(0) if discarded in deeds
    )


def omikuji_state(**parts: Any) -> State:
    """Two players; seat 0 does not know where six Omikuji lie, two of which it returned."""
    every = list(DEFAULT.omikuji)
    setup: dict[str, Any] = {
        "phase": "placements",
        "done": 1,
        "omikuji": [every[6:33], every[:3]],
        "deck": every[3:6],
        "bottom": [(every[33], 0)],
        "returned": [every[4:6], every[6:8]],
        **parts,
    }
    return Jinja(2).setup(**setup)


def test_an_omikuji_that_a_seat_returned_is_in_a_hand_only_if_that_hand_has_drawn() -> None:
    fresh = list(omikuji_state().worlds(0, returned=False))
    assert len(fresh) == 4  # the hand of three is any of the four cards that may be there
    drawn = list(omikuji_state(has_drawn=[True, True]).worlds(0, returned=False))
    assert len(drawn) == 20
    assert {weight for _, weight in drawn} == {Fraction(1, 20)}


def test_worlds_hold_what_the_others_may_have_returned() -> None:
    state = omikuji_state()
    worlds = list(state.worlds(0, deeds=False))
    assert len(worlds) == 4 * 406  # two of the 34 - 3 - 2 cards that seat 1 may have returned
    assert sum(weight for _, weight in worlds) == 1
    assert sum(world == state for world, _ in worlds) == 1
    for world, _ in worlds:
        world.check()
        assert not world.returned[1] & world.omikuji[1]
        assert not world.returned[1] & world.returned[0]


def test_while_omikuji_are_being_returned_they_lie_apart_unseen() -> None:
    tables = replace(DEFAULT, omikuji=dict(islice(DEFAULT.omikuji.items(), 12)))
    state = Jinja(2, tables).setup(phase="omikuji_deal")
    play_until(state, "omikuji_return")
    play(state, state.legal()[0])
    play(state, state.legal()[0])
    worlds = list(state.worlds(1))
    assert len(worlds) == 7 * 6 * 5 // 6 * 6  # three in hand and two returned out of seven
    assert {world.knows(1) for world, _ in worlds} == {state.knows(1)}


def test_between_two_returns_the_first_is_never_the_highest_card() -> None:
    tables = replace(DEFAULT, omikuji=dict(islice(DEFAULT.omikuji.items(), 11)))
    state = Jinja(2, tables).setup(phase="omikuji_deal")
    play_until(state, "omikuji_return")
    play(state, state.legal()[0])
    worlds = list(state.worlds(1))
    assert len(worlds) == 6 * 4  # five of six cards in all, any but the highest of them returned
    for world, weight in worlds:
        (first,) = world.returned[0]
        assert first != world.game.sort_omikuji(world.omikuji[0] | {first})[-1]
        assert weight == Fraction(1, 24)


def test_whoever_is_about_to_build_anywhere_has_a_deed_to_build() -> None:
    state = Jinja(3).setup(
        phase="placements",
        gold=[1, 0, 0],
        goods=[(1, 1, 1, 1), (0,) * 4, (0,) * 4],
        hands=hands(3, ["kanto_s"]),
    )
    before = len(list(state.worlds(1, omikuji=False, returned=False)))
    play(state, "place:territory_build")
    worlds = list(state.worlds(1, omikuji=False, returned=False))
    assert 0 < len(worlds) < before
    assert all("kanto_s" in world.hands[0] for world, _ in worlds)
    assert sum(weight for _, weight in worlds) == 1


def test_too_many_worlds_are_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        play_until(Jinja(3).new(), "fill").worlds(0)


@pytest.mark.parametrize("players", [2, 3])
def test_in_random_games_a_world_looks_the_same_to_the_seat_it_was_made_for(players: int) -> None:
    rng = random.Random(players)
    for _ in range(12):
        state = random_state(players, rng.randrange(70, 250), rng)
        seat = rng.randrange(players)
        worlds = list(state.worlds(seat, omikuji=False, returned=False))
        assert sum(weight for _, weight in worlds) == 1
        assert sum(world == state for world, _ in worlds) == 1
        for world, _ in rng.sample(worlds, min(100, len(worlds))):
            assert_same_to(seat, state, world)


def assert_same_to(seat: int, state: State, world: State) -> None:
    world.check()
    assert world.knows(seat) == state.knows(seat)
    assert (world.actor(), world.subject()) == (state.actor(), state.subject())
    if state.subject() == seat or (state.agenda and state.agenda[0].name not in PRIVATE):
        for text in set(state.possible()) & set(world.possible()):
            assert world.events(text)[seat] == state.events(text)[seat]
    if state.actor() == seat:
        assert world.legal() == state.legal()


@pytest.mark.parametrize("step", ["put_back", "market", "discard", "territory"])
@pytest.mark.parametrize("seat", range(2))
def test_equal_sights_from_one_information_set_give_equal_knowledge(step: str, seat: int) -> None:
    """Follow many courses of a few plies from worlds of a seat: whatever it cannot tell apart by
    what it was told, it does not tell apart afterwards."""
    rng = random.Random(f"{step} {seat}")
    parts: dict[str, dict[str, Any]] = {
        "put_back": {"effect": [Step("omikuji", 1, number=1)]},
        "market": {"effect": [Step("market", 1)], "gold": [0, 4]},
        "discard": {"effect": [Step("discard", 1)], "hands": hands(2)},
        "territory": {"effect": [Step("territory", 1, ("kanto",))], "hands": hands(2)},
    }
    every = list(DEFAULT.omikuji)
    cards = {"omikuji": [every[5:], every[:3]], "deck": every[3:5], "bottom": []}
    state = omikuji_state(**{"returned": None, "done": 2, **cards, **parts[step]})
    worlds = [world for world, _ in state.worlds(seat, returned=False)]
    Reached = list[tuple[State, tuple[tuple[str, str], ...]]]
    reached: Reached = [(world, ()) for world in rng.sample(worlds, min(40, len(worlds)))]
    knowledge: dict[tuple[tuple[str, str], ...], set[Hashable]] = defaultdict(set)
    for _ in range(3):
        follow: Reached = []
        for world, seen in reached:
            for text in world.possible():
                after, sights = play(world.clone(), text), (*seen, *world.events(text)[seat])
                follow.append((after, sights))
                knowledge[sights].add(after.knows(seat))
        reached = rng.sample(follow, min(300, len(follow)))
    assert len(knowledge) > 1
    assert all(len(group) == 1 for group in knowledge.values())


# -- rules that hold in every game -----------------------------------------------------------------


@every_player_count
def test_in_random_games_all_components_stay_in_one_place_after_every_ply(players: int) -> None:
    rng = random.Random(players)
    for _ in range(6):
        state = Jinja(players).new()
        phases = [state.phase]
        while state.actor() is not None:
            before = state.clone()
            state.apply(random_ply(state, rng))
            state.check()
            check_ply(before, state)
            if state.phase != phases[-1]:
                phases.append(state.phase)
        assert phases[:6] == list(PHASES[:6])
        assert phases[-1] == "over"
        assert state.legal() == []
        assert state.chance() == []
        assert sum(state.utilities()) == 1


def check_ply(before: State, after: State) -> None:
    outcomes = before.chance()
    assert sum(probability for _, probability in outcomes) == (1 if outcomes else 0)
    assert all(old <= new for old, new in zip(before.honor, after.honor, strict=True))
    assert before.fox >= after.fox or before.phase == "goods"
    assert all(old <= new for old, new in zip(before.built, after.built, strict=True))
    if after.phase == "placements" and after.agenda[0].name == "place":
        assert any(text.startswith("place:") for text in after.legal())  # J9


@every_player_count
def test_in_random_games_choices_stay_within_their_bounds(players: int) -> None:
    bounds = {
        "return_first": 4,
        "return_second": 4,
        "draft": 6,
        "place": 20,
        "territory": 5,
        "flip_first": 6,
        "flip_second": 6,
        "gain": 2,
        "star": 8,
        "market": 9,
        "choose": 4,
        "omit": 4,
        "lights": 7,
        "order": 7,
        "flip_and_gain": 7,
        "donate": 2,
        "pick": 7,
        "build_or_keep": 2,
    }
    rng = random.Random(players)
    for _ in range(6):
        state = Jinja(players).new()
        while state.actor() is not None:
            legal = state.legal()
            assert len(set(legal)) == len(legal) <= bounds.get(state.agenda[0].name, 34)
            state.apply(random_ply(state, rng))


@every_player_count
def test_a_clone_goes_its_own_way(players: int) -> None:
    rng = random.Random(players)
    for plies in (20, 60, 150):
        state = random_state(players, plies, rng)
        copy = state.clone()
        assert copy == state
        copy.apply(copy.possible()[0])
        assert copy != state
        assert state.clone() == state


# -- figures of random games (C10) -----------------------------------------------------------------

GAMES = 150


@pytest.mark.parametrize(
    ("players", "winner", "shrines", "plies"),
    [(2, 59.6, 2.36, 248), (3, 50.4, 1.72, 300), (4, 40.2, 1.14, 328), (5, 39.6, 1.09, 388)],
)
def test_random_games_score_and_build_as_much_as_published_with_the_rules(
    players: int, winner: float, shrines: float, plies: int
) -> None:
    """The first two figures are those of another program by another author; the number of plies
    has been counted here."""
    rng = random.Random(f"figures for {players}")
    winners, built, lengths = [], [], []
    for _ in range(GAMES):
        state, count = Jinja(players).new(), 0
        while state.actor() is not None:
            state.apply(random_ply(state, rng))
            count += 1
        winners.append(max(state.scores()))
        built.append(mean(len(row) for row in state.built))
        lengths.append(count)
    assert_mean(winners, winner)
    assert_mean(built, shrines)
    assert_mean(lengths, plies)


def assert_mean(values: Sequence[float], expected: float) -> None:
    """Within four standard errors."""
    assert abs(mean(values) - expected) < 4 * stdev(values) / len(values) ** 0.5

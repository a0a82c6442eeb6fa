"""Worked examples of Shogun (H1 to H22), and rules that always hold."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import prod
from statistics import mean, stdev
from typing import Any

import pytest

from . import shogun
from .shogun import (
    BID,
    BLANK,
    CHANCE,
    CHEST_CARDS,
    EMPTY,
    HIDDEN,
    PHASES,
    PRIVATE,
    VOID,
    Odds,
    Shogun,
    State,
    Step,
    after_battle,
    battle_odds,
    cubes_out,
    neutral_odds,
    ranking,
    revolt_odds,
    throw_odds,
)
from .shogun_tables import BOARDS, BUILDINGS, DEFAULT, REGIONS

PLAYERS = range(3, 6)
ACTIONS = list(DEFAULT.prices)
BLEND = DEFAULT.towers["blend"]
PROVINCES = list(DEFAULT.provinces)

every_player_count = pytest.mark.parametrize("players", PLAYERS)
every_board = pytest.mark.parametrize("board", BOARDS)

EVERY_GAME = [
    *({"board": board, "tower": tower} for board in BOARDS for tower in DEFAULT.towers),
    *({"setup": "lineup", "tower": tower} for tower in DEFAULT.towers),
]


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


def play_on(state: State, name: str) -> State:
    """Go on, taking the first text each time, until a step of this name is next."""
    while state.agenda[0].name != name:
        state.apply(state.possible()[0])
    return state


def random_state(players: int, plies: int, rng: random.Random, **options: Any) -> State:
    state = Shogun(players, **options).new()
    for _ in range(plies):
        if state.actor() is not None:
            state.apply(random_ply(state, rng))
    return state


def spread(state: State, sight: Callable[[State], Hashable]) -> dict[Any, Fraction]:
    """How likely each sight is after the chance events of the kind that comes next."""
    total: dict[Any, Fraction] = defaultdict(Fraction)
    now = state.agenda[0].name, state.contested()
    for text, probability in state.chance():
        after = play(state.clone(), text)
        goes_on = (after.agenda[0].name, after.contested()) == now
        rest = spread(after, sight) if goes_on else {sight(after): Fraction(1)}
        for seen, share in rest.items():
            total[seen] += probability * share
    return dict(total)


def probability(state: State, *texts: str) -> Fraction:
    """The chance that these events happen one after the other."""
    likelihood, state = Fraction(1), state.clone()
    for text in texts:
        likelihood *= dict(state.chance()).get(text, Fraction(0))
        if likelihood:
            state.apply(text)
    return likelihood


def digits(number: Fraction | float) -> str:
    return f"{float(number):.10f}"


def acting(players: int, action: str, province: str, **parts: Any) -> State:
    """Seat 0 performs an action, which is the first of the round; nobody else does anything in it.

    Unless named, the event and the special of seat 0 have no effect on the action.
    """
    setup: dict[str, Any] = {
        "event": "levy" if action == "theater" else "theater_a",
        "specials": {"six" if action == "rice" else "rice": 0},
        "plans": [{action: province}, *[{}] * (players - 1)],
        **parts,
    }
    return Shogun(players).setup(phase="actions", fields=first_field(action), **setup)


def first_field(action: str) -> list[str]:
    return [action, *(other for other in ACTIONS if other != action)][:5]


def reserve(supply: int, *elsewhere: int) -> int:
    """As many armies as leave a supply of this size."""
    return DEFAULT.supply["armies"] - supply - sum(elsewhere)


# -- component tables (C.1 to C.8) -----------------------------------------------------------------


def test_the_45_provinces_have_the_published_sums() -> None:
    rows = DEFAULT.provinces.values()
    assert len(rows) == 45
    assert sum(row.chests for row in rows) == 220
    assert sum(row.rice for row in rows) == 140
    assert sum(row.spaces for row in rows) == 87
    assert Counter(row.chests for row in rows) == {3: 9, 4: 10, 5: 9, 6: 11, 7: 6}
    assert Counter(row.rice for row in rows) == {2: 14, 3: 16, 4: 11, 5: 4}
    assert Counter(row.spaces for row in rows) == {1: 13, 2: 22, 3: 10}


@pytest.mark.parametrize(
    ("board", "sums", "left"),
    [
        (
            "sun",
            [(43, 28, 21), (46, 29, 19), (43, 26, 16), (45, 28, 16), (43, 29, 15)],
            [7, 7, 9, 7, 7],
        ),
        (
            "moon",
            [(44, 28, 21), (44, 30, 19), (45, 26, 15), (45, 28, 17), (42, 28, 15)],
            [7, 7, 8, 8, 7],
        ),
    ],
)
def test_each_side_has_five_regions_of_nine_provinces_about_alike(
    board: str, sums: list[tuple[int, int, int]], left: list[int]
) -> None:
    for region, total, with_three in zip(REGIONS, sums, left, strict=True):
        rows = [row for row in DEFAULT.provinces.values() if row.region(board) == region]
        assert len(rows) == 9
        columns = [(row.chests, row.rice, row.spaces) for row in rows]
        assert tuple(map(sum, zip(*columns, strict=True))) == total
        assert sum(board not in row.out for row in rows) == with_three


@pytest.mark.parametrize(
    ("board", "players", "nodes", "edges", "by_sea", "degrees"),
    [
        ("sun", 5, 45, 97, 6, (2, 9)),
        ("sun", 3, 37, 77, 4, None),
        ("moon", 5, 45, 105, 14, (2, 9)),
        ("moon", 3, 37, 79, 8, (2, 8)),
    ],
)
def test_the_map_of_each_side(
    board: str, players: int, nodes: int, edges: int, by_sea: int, degrees: tuple[int, int] | None
) -> None:
    game = Shogun(players, board)
    assert len(game.provinces) == nodes
    assert sum(map(len, game.neighbors.values())) == 2 * edges
    assert all(a in game.neighbors[b] for a, near in game.neighbors.items() for b in near)
    assert sum(set(route) <= set(game.provinces) for route in DEFAULT.sea[board]) == by_sea
    counts = [len(near) for near in game.neighbors.values()]
    assert degrees is None or (min(counts), max(counts)) == degrees
    assert reached(game, game.provinces[0]) == set(game.provinces)


def reached(game: Shogun, province: str) -> set[str]:
    seen, edge = {province}, [province]
    while edge:
        fresh = set(game.neighbors[edge.pop()]) - seen
        seen |= fresh
        edge += fresh
    return seen


def test_land_borders_stand_on_both_sides_and_no_sea_route_doubles_one() -> None:
    land = {(a, b) for a, row in DEFAULT.land.items() for b in row.split()}
    assert len(land) == 2 * 91
    assert all((b, a) in land and a != b for a, b in land)
    assert not land & set(DEFAULT.sea["moon"])
    assert len(set(map(frozenset, DEFAULT.sea["moon"]))) == 14


def test_twelve_events_lose_forty_rice() -> None:
    assert len(DEFAULT.events) == 12
    assert sum(DEFAULT.events.values()) == 40


@every_player_count
def test_line_ups_name_each_province_once(players: int) -> None:
    rows = [row.split() for row in DEFAULT.lineups[players]]
    names = [province for row in rows for province in row]
    assert [len(row) for row in rows] == [len(DEFAULT.starts[players].groups)] * players
    assert len(set(names)) == len(names)
    assert set(names) <= set(Shogun(players).provinces)


@pytest.mark.parametrize(
    ("players", "armies", "neutral", "seeds"), [(3, 27, 10, 31), (4, 25, 13, 38), (5, 23, 10, 45)]
)
def test_what_players_start_with(players: int, armies: int, neutral: int, seeds: int) -> None:
    state = play_until(Shogun(players).new(), "seed")
    assert sum(state.armies.values()) == players * armies
    assert list(state.owner.values()).count(None) == neutral
    assert sum(state.thrown.values()) == seeds
    assert state.chests == [{3: 18, 4: 15, 5: 12}[players]] * players


def test_mean_cubes_stuck_by_each_model() -> None:
    """C.6: after the seeding, and in the long run of throws of equal size."""
    stuck = {
        name: [digits(seeds * (1 - model.p_seed))[:5] for seeds in (31, 38, 45)]
        for name, model in DEFAULT.towers.items()
    }
    assert stuck == {
        "blend": ["7.750", "9.500", "11.25"],
        "sbw": ["10.33", "12.66", "15.00"],
        "won": ["9.300", "11.40", "13.50"],
    }
    kept = {
        name: [float(n * (1 - m.p_new) / m.q(n)) for n in (3, 5, 6, 8, 12)]
        for name, m in DEFAULT.towers.items()
    }
    assert kept["blend"] == pytest.approx([5.26, 5.53, 5.66, 5.94, 6.53], abs=0.005)
    assert kept["sbw"] == pytest.approx([3, 5, 6, 8, 12])
    assert kept["won"] == pytest.approx([2.5, 25 / 6, 5, 20 / 3, 10])


# -- worked examples -------------------------------------------------------------------------------


def h1(players: int) -> State:
    beside = {"awa_boso": (2, 1)} if players > 3 else {}
    return acting(
        players,
        "battlea",
        "izu",
        event="temple_a",
        provinces={"izu": (0, 5), "sagami": (0, 1), "suruga": (1, 1, "temple"), **beside},
    )


def test_h1_armies_move_into_neighbors_by_land_and_sea_but_not_against_a_temple() -> None:
    """SU6, SU22, SU28, SU52"""
    assert h1(5).legal() == [
        "stay",
        *(f"move:{t}:{k}" for t in ("awa_boso", "sagami", "shima") for k in range(1, 5)),
    ]
    assert [PROVINCES.index(t) for t in ("awa_boso", "sagami", "shima")] == [9, 13, 27]
    assert len(h1(5).legal()) == 13
    assert len(h1(3).legal()) == 9


def test_h2_each_color_comes_out_by_two_binomials() -> None:
    """SU11"""
    assert digits(BLEND.q(5)) == "0.2262190625"
    outs = throw_odds(BLEND, {"p0": 2, "f": 2}, {"p0": 2, "p1": 4}, {"p0": 1})
    assert [digits(p) for p in outs["p0"]] == [
        "0.0093552647",
        "0.0896675070",
        "0.3026228811",
        "0.4074820132",
        "0.1692828538",
        "0.0215894802",
    ]
    assert digits(sum(k * p for k, p in enumerate(outs["p0"]))) == "2.7024381250"
    assert [digits(p) for p in outs["p1"]] == [
        "0.3584859224",
        "0.4192212310",
        "0.1838424080",
        "0.0358315514",
        "0.0026188872",
    ]


def test_the_release_chance_grows_with_the_throw() -> None:
    """C.6"""
    shown = {
        1: "0.0500000000",
        2: "0.0975000000",
        3: "0.1426250000",
        4: "0.1854937500",
        6: "0.2649081094",
        8: "0.3365795687",
        10: "0.4012630608",
    }
    assert {n: digits(BLEND.q(n)) for n in shown} == shown
    assert [DEFAULT.towers[name].q(9) for name in ("sbw", "won")] == [
        Fraction(1, 3),
        Fraction(3, 5),
    ]


def armies_after(state: State, province: str) -> dict[tuple[int | None, int], Fraction]:
    """(Owner, armies) of a province after the throw."""
    return spread(state, lambda after: (after.owner[province], after.armies[province]))


def as_seats(odds: Odds, **seats: int) -> dict[tuple[int | None, int], Fraction]:
    return {(seats.get(who), armies): p for (who, armies), p in odds.armies.items()}


def h3(event: str = "theater_a", **parts: Any) -> State:
    return acting(
        4,
        "battlea",
        "kai",
        event=event,
        **{"provinces": {"kai": (0, 4)}, "tower": {"p0": 2, "p1": 4, "f": 3}, **parts},
        tray={"p1": 1},
    )


H3_BEFORE: dict[str, Any] = {"tower": {"p0": 2, "p1": 4, "f": 3}, "tray": {"p1": 1}}


def test_h3_an_attack_on_a_neutral_province() -> None:
    """SU26, SU34"""
    odds = neutral_odds(BLEND, "p0", 3, **H3_BEFORE)
    assert [digits(p) for p in (odds.win, odds.tie, odds.loss)] == [
        "0.7371919259",
        "0.1815159078",
        "0.0812921663",
    ]
    assert [digits(odds.armies["attacker", k]) for k in range(1, 6)] == [
        "0.2983220020",
        "0.2766344704",
        "0.1304332695",
        "0.0293016299",
        "0.0025005542",
    ]
    state = play(h3(), "move:suruga:3")
    assert sum(state.thrown.values()) == 5
    assert armies_after(state, "suruga") == as_seats(odds, attacker=0)


def test_h3_beaten_attackers_go_home_and_strangers_stay_in_the_tray() -> None:
    state = play(h3(), "move:suruga:3", "tower:p0:2", "tower:p1:3", "tower:f:2")
    assert (state.owner["suruga"], state.armies["suruga"], state.armies["kai"]) == (None, 0, 1)
    assert state.tray == state.game.cubes({"p1": 3})
    assert state.tower == state.game.cubes({"p0": 3, "p1": 2, "f": 2})
    assert state.supply["p0"] == 62 - 1 - 3
    assert state.supply["f"] == 20 - 2


def test_h4_two_farmers_and_a_special_for_the_attacker() -> None:
    """SU26"""
    odds = neutral_odds(BLEND, "p0", 4, farmers=2, **H3_BEFORE)
    assert digits(BLEND.q(7)) == "0.3016627039"
    assert [digits(p) for p in (odds.win, odds.tie, odds.loss)] == [
        "0.6876732351",
        "0.1892333218",
        "0.1230934432",
    ]
    state = play(h3("farmers2", specials={"attack": 0}), "move:suruga:3")
    assert state.agenda[0].number == 7
    assert armies_after(state, "suruga") == as_seats(odds, attacker=0)


def test_h4_without_armies_in_the_supply_there_is_no_bonus_cube() -> None:
    provinces = {"kai": (0, 4), "aki": (0, reserve(0, 4, 2))}
    state = h3("farmers2", specials={"attack": 0}, provinces=provinces)
    assert state.supply["p0"] == 0
    play(state, "move:suruga:3")
    assert state.agenda[0].number == 6


def h5(outs: Mapping[str, int], markers: int) -> tuple[State, int]:
    """The battle for suruga with given cubes in the tray, and how many farmers left the tray."""
    state = acting(
        4,
        "battlea",
        "kai",
        provinces={"kai": (0, 7), "suruga": (1, 4, "castle", markers)},
        tray={"f": 4, "p2": 2, "p3": 1},
    )
    play(state, "move:suruga:6")
    while state.agenda[0].name == "tower":
        (color,) = state.agenda[0].ids
        state.apply(f"tower:{color}:{outs.get(color, 0)}")
    return state, state.supply["f"] - 16


@pytest.mark.parametrize(
    ("outs", "owner", "armies", "tray", "farmers"),
    [
        ({"p0": 3, "p1": 4, "f": 1, "p2": 2}, 1, 2, {"p2": 2}, 1),
        ({"p0": 3, "p1": 2, "f": 2}, 1, 1, {}, 2),
        ({"p0": 4, "p1": 2, "f": 2}, None, 0, {}, 2),
        ({"p0": 2, "p1": 0, "f": 3}, None, 0, {}, 3),
        ({"p0": 5, "p1": 2, "f": 1, "p3": 1}, 0, 2, {"p3": 1}, 1),
        ({}, None, 0, {}, 0),
    ],
)
def test_h5_farmers_help_a_defender_without_markers(
    outs: dict[str, int], owner: int | None, armies: int, tray: dict[str, int], farmers: int
) -> None:
    """SU33, SU34, SU36"""
    state, freed = h5(outs, markers=0)
    assert (state.owner["suruga"], state.armies["suruga"]) == (owner, armies)
    assert state.tray == state.game.cubes(tray)
    assert freed == farmers
    assert state.buildings["suruga"] == (set() if owner is None else {"castle"})


@pytest.mark.parametrize(
    ("outs", "owner", "armies", "tray"),
    [
        ({"p0": 3, "p1": 2, "f": 2, "p2": 1}, 0, 1, {"f": 2, "p2": 1}),
        ({"p0": 2, "p1": 2, "f": 3}, None, 0, {"f": 3}),
        ({"p0": 2, "p1": 3, "f": 3}, 1, 1, {"f": 3}),
        ({"p0": 1, "p1": 0, "f": 4}, 0, 1, {"f": 4}),
    ],
)
def test_h6_farmers_keep_out_of_a_province_with_markers(
    outs: dict[str, int], owner: int | None, armies: int, tray: dict[str, int]
) -> None:
    """SU33, SU36"""
    state, freed = h5(outs, markers=2)
    assert (state.owner["suruga"], state.armies["suruga"]) == (owner, armies)
    assert state.tray == state.game.cubes(tray)
    assert freed == 0
    assert state.markers["suruga"] == (0 if owner is None else 2)


@pytest.mark.parametrize(
    ("markers", "shown"),
    [
        (0, ("0.0321042062", "0.8973993093", "0.0704964844")),
        (1, ("0.1411857145", "0.6644082555", "0.1944060300")),
    ],
)
def test_h7_a_fortified_defender_with_the_special(markers: int, shown: tuple[str, ...]) -> None:
    """SU26, SU33"""
    before: dict[str, Any] = {"tower": {"p0": 1, "p1": 2, "f": 2, "p2": 3}, "tray": {"f": 1}}
    odds = battle_odds(BLEND, "p0", 4, "p1", 5, markers=markers > 0, **before)
    assert tuple(digits(p) for p in (odds.win, odds.loss, odds.tie)) == shown
    state = acting(
        3,
        "battleb",
        "kai",
        event="castle_a",
        specials={"six": 0, "defend": 1},
        provinces={"kai": (0, 5), "suruga": (1, 3, "castle", markers)},
        **before,
    )
    play(state, "move:suruga:4")
    assert state.agenda[0].number == 10
    assert armies_after(state, "suruga") == as_seats(odds, attacker=0, defender=1)


def h8() -> State:
    return acting(
        3,
        "tax",
        "kaga",
        event="tax_min6",
        specials={"chest": 0},
        chests=[0, 0, 0],
        provinces={"kaga": (0, 2, "", 1)},
        tower={"p0": 1, "f": 2},
    )


def test_h8_tax_from_a_province_with_a_marker() -> None:
    """SU30, SU31"""
    odds = revolt_odds(BLEND, "p0", 2, 1, tower={"p0": 1, "f": 2})
    assert digits(odds.win) == "0.5663149274"
    assert [digits(odds.armies["defender", k]) for k in range(1, 4)] == [
        "0.4039780493",
        "0.1475934042",
        "0.0147434739",
    ]
    assert digits(odds.tie + odds.loss) == "0.4336850726"
    state = h8()
    assert state.chests[0] == 7
    assert state.agenda[0].number == 3
    assert armies_after(state, "kaga") == as_seats(odds, defender=0)
    assert set(spread(state, lambda s: (s.owner["kaga"], s.markers["kaga"], s.chests[0]))) == {
        (0, 2, 7),
        (None, 0, 7),
    }


@pytest.mark.parametrize("chests", [2, 3])
@pytest.mark.parametrize(
    ("event", "special", "supply", "deployed"),
    [
        ("tax_max5", None, 5, 5),
        ("tax_max5", None, 4, 0),
        ("tax_max5", "six", 6, 6),
        ("tax_max5", "six", 5, 5),
        ("levy", None, 3, 3),
        ("levy", "six", 9, 6),
        ("levy", "six", 4, 3),
    ],
)
def test_h9_deploying_five(
    event: str, special: str | None, supply: int, deployed: int, chests: int
) -> None:
    """SU20, SU24, SU25"""
    state = acting(
        3,
        "deploy5",
        "kaga",
        event=event,
        specials={special or "chest": 0},
        chests=[chests, 0, 0],
        provinces={"kaga": (0, 1), "aki": (0, reserve(supply, 1))},
    )
    placed = deployed if chests == 3 else 0
    assert state.armies["kaga"] == 1 + placed
    assert state.supply["p0"] == supply - placed
    assert state.chests[0] == (0 if placed else chests)


def planning(own: int, chests: int = 12, **plan: str) -> State:
    """Seat 0 of five plans with the first so many provinces; the last five lie apart."""
    provinces = {name: (0, 1) for name in PROVINCES[:own]}
    others = {name: (seat, 1) for seat, name in enumerate(PROVINCES[-4:], 1)}
    return Shogun(5).setup(
        phase="plan",
        chests=[chests, 12, 12, 12, 12],
        provinces={**provinces, **others},
        plans=[plan, {}, {}, {}, {}],
    )


def count_plans(state: State) -> int:
    """How many complete plans seat 0 has; one province is as good as any other."""

    @cache
    def count(space: int, used: int, blanks: int, empties: int) -> int:
        if space == len(state.game.spaces):
            return 1
        plan = dict(
            zip(
                state.game.spaces,
                [*own[:used], *[BLANK] * blanks, *[EMPTY] * empties],
                strict=False,
            )
        )
        ways = 0
        for what in state.contents(0, state.game.spaces[space], plan):
            chest = what == BLANK or what.isdigit()
            province = what in own
            ways += count(space + 1, used + province, blanks + chest, empties + (what == EMPTY))
        return ways

    own = state.owned(0)
    return count(0, 0, 0, 0)


def test_h10_planning_with_seven_provinces() -> None:
    """SU15"""
    state = planning(7)
    assert state.legal() == [
        *(f"plan:castle:{province}" for province in PROVINCES[:7]),
        "plan:castle:blank",
    ]
    for action in ACTIONS[:5]:
        state.apply(f"plan:{action}:blank")
    assert state.legal() == [f"plan:deploy5:{province}" for province in PROVINCES[:7]]
    for action, province in zip(ACTIONS[5:], PROVINCES[2:], strict=False):
        state.apply(f"plan:{action}:{province}")
    assert state.legal() == ["bid:mutsu", "bid:echigo"]


@pytest.mark.parametrize(("chests", "bids"), [(12, 5), (2, 3)])
def test_h10_bids_with_four_blanks(chests: int, bids: int) -> None:
    """SU16, SU17"""
    plan = dict(zip(ACTIONS, [*[BLANK] * 4, *PROVINCES[:6]], strict=True))
    state = planning(7, chests, **plan)
    assert state.legal() == [f"bid:{PROVINCES[6]}", *(f"bid:{v}" for v in range(bids))]


def test_h10_number_of_complete_plans() -> None:
    assert count_plans(planning(7)) == 10_644_480
    assert count_plans(planning(7, chests=1)) == 5_654_880


def test_h11_with_four_provinces_two_spaces_stay_empty() -> None:
    """SU2, SU15"""
    state = planning(4)
    assert [text.split(":")[2] for text in state.legal()] == [*PROVINCES[:4], BLANK, EMPTY]
    play(state, "plan:castle:empty", "plan:temple:empty")
    assert [text.split(":")[2] for text in state.legal()] == [*PROVINCES[:4], BLANK]
    for action, what in zip(ACTIONS[2:], [*PROVINCES[:4], *[BLANK] * 4], strict=True):
        state.apply(f"plan:{action}:{what}")
    assert state.legal() == [f"bid:{v}" for v in range(5)]


def test_h11_the_bid_may_be_the_space_that_stays_empty() -> None:
    plan: dict[str, Any] = dict(zip(ACTIONS, [EMPTY, *[BLANK] * 5, *PROVINCES[:4]], strict=True))
    assert planning(4, **plan).legal() == ["bid:empty"]
    assert count_plans(planning(4)) == 468_720


def h12() -> State:
    own = dict(enumerate(PROVINCES[:5]))
    bids = ["2", own[1], "0", "2", "0"]
    return Shogun(5).setup(
        phase="bids",
        provinces={province: (seat, 1) for seat, province in own.items()},
        plans=[{BID: bid} for bid in bids],
        slots=["attack", "six", "chest", "rice", "defend"],
    )


def test_h12_bids_are_paid_and_ties_drawn() -> None:
    """SU43, SU44, SU45"""
    state = h12()
    assert state.chests == [10, 12, 12, 10, 12]
    assert state.chance() == [("tie:p0", Fraction(1, 2)), ("tie:p3", Fraction(1, 2))]
    play(state, "tie:p3")
    assert (state.actor(), len(state.legal())) == (3, 5)
    play(state, "pick:rice")
    assert state.actor() == 0
    play(state, "pick:attack")
    assert state.actor() == 1
    play(state, "pick:chest")
    assert state.chance() == [("tie:p2", Fraction(1, 2)), ("tie:p4", Fraction(1, 2))]
    play(state, "tie:p2")
    assert state.legal() == ["pick:defend", "pick:six"]
    play(state, "pick:defend")
    assert (state.actor(), state.legal()) == (4, ["pick:six"])
    play(state, "pick:six")
    assert state.order == [0, 4, 1, 3, 2]


def h13() -> State:
    return Shogun(3).setup(
        phase="actions",
        event="theater_a",
        fields=["castle", "tax", "battlea", "deploy5", "rice"],
        provinces={"aki": (0, 1), "kai": (1, 1), "izu": (2, 1)},
        plans=[{BID: "aki"}, {BID: "kai"}, {BID: "izu"}],
    )


def test_h13_hidden_actions_are_turned_up_one_by_one() -> None:
    """SU51"""
    state = h13()
    hidden = ["temple", "theater", "deploy3", "deploy1", "battleb"]
    assert state.chance() == [(f"field:6:{action}", Fraction(1, 5)) for action in hidden]
    play(state, "field:6:temple")
    assert dict(state.chance())["field:7:battleb"] == Fraction(1, 4)
    play(state, "field:7:theater", "field:8:deploy3", "field:9:battleb")
    assert state.chance() == [("field:10:deploy1", Fraction(1))]


def test_h13_battleb_comes_on_fields_six_to_eight_with_three_fifths() -> None:
    def until_nine(state: State) -> Fraction:
        if "battleb" in state.fields:
            return Fraction(1)
        if len(state.fields) == 8:
            return Fraction(0)
        return sum(
            (p * until_nine(play(state.clone(), text)) for text, p in state.chance()), Fraction(0)
        )

    assert until_nine(h13()) == Fraction(3, 5)


def h14() -> State:
    provinces: dict[str, tuple[int, int]] = {name: (1, 1) for name in PROVINCES[:8]}
    return Shogun(5).setup(
        phase="winter",
        season="fall",
        opened=["rice_min4"],
        rice=[0, 7, 0, 0, 0],
        provinces={**provinces, "noto": (1, 3)},
        tower={"p1": 1, "f": 2, "p0": 3},
    )


def test_h14_a_winter_with_too_little_rice() -> None:
    """SU46, SU47"""
    state = h14()
    assert state.rice[1] == 4
    assert [step.name for step in state.agenda[:5]] == [
        *["winter"] * 2,
        *["break_out"] * 2,
        "score",
    ]
    assert state.subject() == 1
    pairs = spread(state, lambda s: frozenset(s.drawn))
    assert set(pairs.values()) == {Fraction(1, 36)}
    assert sum(p for pair, p in pairs.items() if "kaga" in pair) == Fraction(2, 9)
    play(state, "winter:noto", "winter:mutsu")
    assert (state.actor(), state.legal()) == (2, ["revolt:mutsu", "revolt:noto"])


def test_h14_the_first_revolt() -> None:
    odds = revolt_odds(BLEND, "p1", 3, 3, tower={"p1": 1, "f": 2, "p0": 3})
    assert digits(odds.win) == "0.2770559814"
    assert [digits(odds.armies["defender", k]) for k in range(1, 5)] == [
        "0.1941002054",
        "0.0692778644",
        "0.0127343238",
        "0.0009435878",
    ]
    state = play(h14(), "winter:noto", "winter:mutsu", "revolt:noto")
    assert state.agenda[0].number == 6
    assert armies_after(state, "noto") == as_seats(odds, defender=1)


def test_h15_scoring() -> None:
    """SU42"""
    state = Shogun(4).setup(
        phase="winter",
        season="fall",
        opened=["tax_max5"],
        rice=[9, 9, 9, 9],
        provinces={
            "mutsu": (0, 1, "castle"),
            "kaga": (0, 1, "castle temple"),
            "shinano": (0, 1, "theater"),
            "etchu": (1, 1, "castle temple theater"),
            "noto": (1, 1, "castle"),
            "omi": (1, 1, "castle temple"),
            "mino": (2, 1, "temple"),
            "hida": (2, 1),
            "aki": (2, 1, "theater"),
        },
    )
    assert state.scores() == [10, 16, 7, 0]
    assert [state.majority(0, "brown", building) for building in BUILDINGS] == [2, 1, 0]
    assert [state.majority(1, "red", building) for building in BUILDINGS] == [3, 1, 0]
    assert [state.majority(2, "green", building) for building in BUILDINGS] == [0, 0, 1]
    assert (state.year, state.phase, state.rice) == (2, "faces", [0, 0, 0, 0])


def draft(*turns: str) -> State:
    """A draft of three, `blind` or `claim` by turns; the smallest group goes to the first card."""
    state = Shogun(3).new()
    for turn in turns:
        play_on(state, "card")
        state.apply(turn if turn == "blind" else f"claim:{state.open_pair[0]}")
        play_on(state, "group").apply(state.legal()[0])
    return state


def test_h16_a_pair_that_a_player_has_seen_before_goes_under_the_pile() -> None:
    """SU7"""
    state = draft("blind", "blind")
    pair = list(state.open_pair)
    play(state, "blind")
    play_on(state, "group").apply("group:2")
    assert state.under == pair
    assert state.agenda[0] == Step("open", number=1)
    assert [p for _, p in state.chance()] == [Fraction(1, 32)] * 32
    state.apply(state.chance()[0][0])
    assert [p for _, p in state.chance()] == [Fraction(1, 31)] * 31
    state.apply(state.chance()[0][0])
    assert (state.actor(), state.agenda[0].name, state.stale) == (0, "card", 0)


def test_h16_a_claim_makes_the_pair_new_for_all() -> None:
    turns = ["blind", "claim", "blind", "blind", "blind"]
    replaced = [bool(draft(*turns[:played]).under) for played in range(2, 6)]
    assert replaced == [False, False, False, True]
    assert play_on(draft(*turns), "card").actor() == 2


def test_h17_a_planned_action_is_lost_with_its_province() -> None:
    """SU19, SU37"""
    state = Shogun(3).setup(
        phase="actions",
        event="levy",
        fields=["castle", "temple", "battlea", "rice", "battleb"],
        provinces={"ise": (0, 4), "omi": (2, 1, "", 1), "tamba": (2, 5), "kai": (1, 1)},
        plans=[{"battlea": "ise"}, {}, {"tax": "omi", "battleb": "tamba"}],
        specials={"chest": 0, "rice": 1, "six": 2},
    )
    while state.agenda[0].name != "battle":
        state.apply(state.chance()[0][0])
    assert dict(state.knows(0))["plans"][2][4] == ("tax", HIDDEN)  # type: ignore[index]
    play(state, "move:omi:3", "tower:p0:3", "tower:p2:1")
    assert (state.owner["omi"], state.armies["omi"], state.markers["omi"]) == (0, 2, 1)
    assert state.plans[2]["tax"] == VOID
    assert dict(state.knows(0))["plans"][2][4] == ("tax", VOID)  # type: ignore[index]
    play(state, "field:8:deploy1", "field:9:deploy3")
    play(state, "move:omi:4", "tower:p0:1", "tower:p2:4")
    assert (state.owner["omi"], state.armies["omi"], state.markers["omi"]) == (2, 3, 1)
    chests = list(state.chests)
    play(state, "field:10:deploy5")
    assert (state.chests, state.plans) == (chests, [{}, {}, {}])


def built(there: str = "", *, province: str = "kai", chests: int = 3, castles: int = 0) -> bool:
    """Whether a castle planned in a province is built and paid."""
    spots = [name for name in PROVINCES if name != province]
    state = acting(
        4,
        "castle",
        province,
        chests=[chests, 0, 0, 0],
        provinces={province: (0, 1, there), **{name: (1, 1, "castle") for name in spots[:castles]}},
    )
    done = state.chests[0] == chests - 3
    assert ("castle" in state.buildings[province]) == (done or "castle" in there)
    return done


def test_h18_building_a_castle() -> None:
    """SU20, SU38"""
    assert built()
    assert not built(chests=2)
    assert not built("temple")
    assert not built(castles=28)
    assert built(castles=27)
    assert built("temple theater", province="sagami")
    assert not built("castle", province="sagami")


def test_h19_ranks_by_victory_points_then_chests() -> None:
    """SU54"""
    assert ranking([(41, 7), (41, 9), (38, 20), (41, 9)]) == [3, 1, 4, 1]
    state = Shogun(4).setup(
        phase="over", year=2, season="fall", vp=[41, 41, 38, 41], chests=[7, 9, 20, 9]
    )
    assert state.ranks() == [3, 1, 4, 1]
    assert state.utilities() == [0, Fraction(1, 2), 0, Fraction(1, 2)]
    assert state.scores() == [41, 41, 38, 41]


def test_h20_seeding_the_tower() -> None:
    """SU12"""
    state = Shogun(5, setup="lineup").new()
    assert (state.phase, state.actor()) == ("seed", CHANCE)
    farmers = cubes_out(10, 0, BLEND.p_seed, Fraction(0))
    assert digits(farmers[7]) == "0.2502822876"
    assert digits(dict(state.chance())["tower:p0:7"]) == "0.1334838867"
    everybody = cubes_out(45, 0, BLEND.p_seed, Fraction(0))
    assert digits(sum(everybody[40:])) == "0.0179434621"
    assert sum((45 - k) * p for k, p in enumerate(everybody)) == Fraction(45, 4)
    play(state, "tower:p0:5")
    assert [state.tower["p0"], state.tray["p0"]] == [2, 5]
    play(state, *(f"tower:p{seat}:7" for seat in range(1, 5)), "tower:f:6")
    assert state.tower == state.game.cubes({"p0": 2, "f": 4})
    assert not any(state.tray.values())
    assert (state.supply["p0"], state.supply["f"]) == (37, 16)


@pytest.mark.parametrize(
    ("attackers", "shown"),
    [(1, (0.1875, 0.625, 0.1875)), (2, (0.65625, 0.296875, 0.046875))],
)
def test_h21_one_farmer_in_an_empty_tower(attackers: int, shown: tuple[float, ...]) -> None:
    odds = neutral_odds(BLEND, "p0", attackers)
    assert (odds.win, odds.tie, odds.loss) == tuple(map(Fraction, shown))


def h22(chests: int) -> State:
    return acting(
        3,
        "deploy1",
        "mino",
        chests=[chests, 0, 0],
        provinces={"mino": (0, 1), "omi": (0, 30), "owari": (0, 30)},
    )


def test_h22_one_army_is_deployed_and_armies_may_move_into_own_neighbors() -> None:
    """SU20, SU23"""
    state = h22(chests=1)
    assert (state.armies["mino"], state.supply["p0"], state.chests[0]) == (2, 0, 0)
    assert state.legal() == ["stay", "move:owari:1", "move:omi:1"]
    play(state, "move:omi:1")
    assert (state.armies["mino"], state.armies["omi"]) == (1, 31)
    skipped = h22(chests=0)
    assert (skipped.armies["mino"], skipped.supply["p0"], skipped.actor()) == (1, 1, CHANCE)


# -- options and set-up ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "options", "complaint"),
    [
        (2, {}, "3 to 5 players"),
        (6, {}, "3 to 5 players"),
        (3, {"board": "star"}, "no board 'star'"),
        (3, {"setup": "auction"}, "no setup 'auction'"),
        (3, {"tower": "imr"}, "no tower 'imr'"),
        (3, {"board": "moon", "setup": "lineup"}, "sun side only"),
    ],
)
def test_options_that_do_not_exist_are_refused(
    players: int, options: dict[str, Any], complaint: str
) -> None:
    """SU3"""
    with pytest.raises(ValueError, match=complaint):
        Shogun(players, **options)


@every_board
def test_with_three_players_eight_provinces_do_not_exist(board: str) -> None:
    """SU5, SU6"""
    small, full = Shogun(3, board), Shogun(4, board)
    out = set(full.provinces) - set(small.provinces)
    assert len(out) == 8
    assert not any(out & set(near) for near in small.neighbors.values())
    state = small.new()
    assert len(state.chance()) == 37
    assert not out & set(state.owner)


def test_moon_has_its_own_regions_and_sea_routes() -> None:
    """SU4"""
    sun, moon = Shogun(4, "sun"), Shogun(4, "moon")
    assert (sun.region("kai"), moon.region("kai")) == ("yellow", "red")
    assert "kazusa" not in sun.neighbors["hitachi"]
    assert moon.neighbors["hitachi"] == ["mutsu", "shimotsuke", "kazusa", "shimosa"]


@every_player_count
def test_the_draft_goes_round_until_all_groups_are_placed(players: int) -> None:
    """SU1, SU9"""
    state, rng = Shogun(players).new(), random.Random(players)
    seats, kinds, last = [], Counter[str](), ""
    while state.phase == "draft":
        last = state.agenda[0].name
        kinds[last] += 1
        if last == "card":
            seats.append(state.actor())
        state.apply(random_ply(state, rng))
    turns = len(state.game.start.groups)
    assert seats == list(range(players)) * turns
    assert kinds["group"] == players * turns
    assert last == "group"
    assert not state.pile
    for seat in range(players):
        armies = [state.armies[province] for province in state.owned(seat)]
        assert sorted(armies, reverse=True) == list(state.game.start.groups)


def test_a_card_is_claimed_from_the_pair_or_drawn_blind() -> None:
    """SU8, SU9, SU10"""
    state = play(Shogun(3).new(), "open:1:kai", "open:2:aki")
    assert state.legal() == ["claim:kai", "claim:aki", "blind"]
    drawn = play(state.clone(), "blind", "draw:izu")
    assert (drawn.actor(), drawn.legal()) == (0, [f"group:{k}" for k in (2, 3, 4, 5)])
    play(drawn, "group:4")
    assert (drawn.owner["izu"], drawn.armies["izu"], drawn.actor()) == (0, 4, 1)
    assert (drawn.open_pair, drawn.stale) == (["kai", "aki"], 1)
    play(state, "claim:aki", "group:5")
    assert (state.owner["aki"], state.open_pair) == (0, ["kai", None])
    assert len(state.chance()) == 35
    play(state, "open:2:izu")
    assert (state.actor(), state.legal()) == (1, ["claim:kai", "claim:izu", "blind"])


def test_cards_put_under_the_pile_come_up_in_order_when_the_rest_is_gone() -> None:
    """SU7"""
    game = Shogun(3)
    taken, rest = game.provinces[:24], game.provinces[24:]
    sizes = [size for size in game.start.groups[:-1] for _ in range(3)]
    state = game.setup(
        phase="draft",
        done=2 + 24,
        provinces={name: (i % 3, sizes[i]) for i, name in enumerate(taken)},
        groups=[[2]] * 3,
        open_pair=rest[:2],
        under=rest[:1:-1],
    )
    top = state.under[0]
    assert not state.pile
    play(state, "blind")
    assert state.chance() == [(f"draw:{top}", Fraction(1))]  # SU2: a ply all the same
    play(state, f"draw:{top}")
    assert top not in state.under


# -- cards laid out, plans and bids ----------------------------------------------------------------


@every_player_count
def test_a_round_lays_out_cards_before_the_plans_and_a_season_event_after_them(
    players: int,
) -> None:
    """D.3, D.4, SU13, SU14"""
    state, rng = Shogun(players, setup="lineup").new(), random.Random(players)
    outcomes = defaultdict(list)
    while state.phase != "plan":
        if state.phase != "seed":
            outcomes[state.phase].append(len(state.chance()))
        state.apply(random_ply(state, rng))
    assert outcomes == {
        "faces": [12, 11, 10, 9],
        "fields": [10, 9, 8, 7, 6],
        "specials": [5, 4, 3, 2, 1],  # SU2
    }
    asked = []
    while state.phase == "plan":
        asked.append((state.actor(), state.agenda[0].name))
        state.apply(random_ply(state, rng))
    each = [*["plan"] * 10, "bid"]
    assert asked == [(seat, name) for seat in range(players) for name in each]
    assert (state.phase, len(state.chance())) == ("event", 4)


def test_the_second_year_opens_four_other_events() -> None:
    state, rng = Shogun(3, setup="lineup").new(), random.Random(2)
    play_until(state, "winter", rng)
    while state.phase == "winter":
        state.apply(random_ply(state, rng))
    assert (state.year, state.season, state.phase) == (2, "spring", "faces")
    assert len(state.chance()) == 8
    assert not any(state.markers.values())


@every_player_count
def test_every_order_of_choices_leads_to_a_complete_plan(players: int) -> None:
    """SU15: a player with few provinces leaves just as many spaces empty."""
    rng = random.Random(players)
    for own in range(1, 10):
        state = planning(own, chests=rng.randrange(5))
        while state.actor() == 0:
            state.apply(rng.choice(state.legal()))
        placed = list(state.plans[0].values())
        assert placed.count(EMPTY) == max(0, 6 - own)
        assert placed.count(BLANK) + state.plans[0][BID].isdigit() <= CHEST_CARDS


@pytest.mark.parametrize(("chests", "bids"), [(0, ["0"]), (2, ["0", "1", "2"])])
def test_nobody_bids_more_than_he_has(chests: int, bids: list[str]) -> None:
    """SU17"""
    plan = dict(zip(ACTIONS, [*[BLANK] * 4, *PROVINCES[:6]], strict=True))
    assert planning(6, chests, **plan).legal() == [f"bid:{v}" for v in bids]


def test_bids_rank_by_chests_then_a_province_then_nought_then_no_card() -> None:
    """SU43"""
    bids = ["0", EMPTY, "aki", "1", "4"]
    state = Shogun(5).setup(
        phase="bids",
        provinces={name: (s, 1) for s, name in enumerate(["kai", "izu", "aki", "omi", "mino"])},
        plans=[{BID: bid} for bid in bids],
    )
    served = []
    while state.phase == "bids":
        served.append(state.actor())
        state.apply(state.legal()[0])
    assert served == [4, 3, 2, 0, 1]


def test_among_three_equal_bids_one_is_drawn_at_a_time() -> None:
    """SU44"""
    state = Shogun(3).setup(
        phase="bids",
        provinces={"kai": (0, 1), "izu": (1, 1), "aki": (2, 1)},
        plans=[{BID: "1"}] * 3,
    )
    assert state.chance() == [(f"tie:p{seat}", Fraction(1, 3)) for seat in range(3)]
    play(state, "tie:p1", "pick:rice")
    assert state.chance() == [("tie:p0", Fraction(1, 2)), ("tie:p2", Fraction(1, 2))]


def test_the_turn_order_leaves_out_specials_that_nobody_took() -> None:
    """SU45"""
    state = Shogun(3).setup(
        phase="bids",
        provinces={"kai": (0, 1), "izu": (1, 1), "aki": (2, 1)},
        plans=[{BID: "3"}, {BID: "2"}, {BID: "1"}],
        slots=["six", "rice", "chest", "defend", "attack"],
    )
    play(state, "pick:attack", "pick:six", "pick:chest")
    assert state.order == [1, 2, 0]
    assert [state.holds(0, special) for special in DEFAULT.specials] == [True, *[False] * 4]


def test_a_player_without_provinces_takes_no_part_but_keeps_what_he_has() -> None:
    """SU50"""
    state = Shogun(3).setup(
        phase="fields",
        chests=[5, 5, 5],
        vp=[0, 9, 0],
        tower={"p1": 2},
        provinces={"kai": (0, 2), "aki": (2, 2)},
    )
    rng = random.Random(5)
    while state.phase != "winter":
        assert state.subject() != 1
        state.apply(random_ply(state, rng))
    assert (state.chests[1], state.vp[1]) == (5, 9)
    assert 1 not in state.order


def test_a_player_who_loses_his_last_province_keeps_his_place_until_the_round_ends() -> None:
    """SU50"""
    state = acting(3, "battlea", "kai", provinces={"kai": (0, 5), "suruga": (1, 1)})
    play(state, "move:suruga:4", "tower:p0:4", "tower:p1:0")
    assert state.owned(1) == []
    assert state.order == [0, 1]
    play_until(state, "fields")
    assert state.order == []


# -- actions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("action", "price"), [("castle", 3), ("temple", 2), ("theater", 1)])
def test_buildings_cost_three_two_and_one(action: str, price: int) -> None:
    state = acting(3, action, "kai", chests=[price, 0, 0], provinces={"kai": (0, 1)})
    assert (state.buildings["kai"], state.chests[0]) == ({action}, 0)
    poor = acting(3, action, "kai", chests=[price - 1, 0, 0], provinces={"kai": (0, 1)})
    assert (poor.buildings["kai"], poor.chests[0]) == (set(), price - 1)  # SU20


@pytest.mark.parametrize(("event", "left"), [("theater_a", 1), ("theater_b", 1), ("levy", 2)])
def test_the_theater_event_takes_a_marker_away(event: str, left: int) -> None:
    """SU29"""
    state = acting(3, "theater", "kai", event=event, provinces={"kai": (0, 1, "", 2)})
    assert state.markers["kai"] == left


@pytest.mark.parametrize(
    ("province", "event", "special", "chests"),
    [
        ("suruga", "tax_max5", None, 5),
        ("suruga", "tax_max5", "chest", 6),
        ("suruga", "tax_min6", "chest", 8),
        ("kaga", "tax_min6", None, 6),
        ("kaga", "levy", None, 4),
        ("kaga", "levy", "chest", 5),
    ],
)
def test_income_in_chests(province: str, event: str, special: str | None, chests: int) -> None:
    """SU30, SU31"""
    state = acting(
        3,
        "tax",
        province,
        event=event,
        chests=[0] * 3,
        specials={special or "six": 0},
        provinces={province: (0, 1)},
    )
    assert (state.chests[0], state.markers[province]) == (chests, 1)


@pytest.mark.parametrize(
    ("event", "special", "stock", "rice"),
    [
        ("rice_max3", None, 0, 3),
        ("rice_max3", "rice", 0, 4),
        ("rice_min4", None, 0, 5),
        ("levy", "rice", 0, 6),
        ("levy", "rice", 15, 18),  # SU41
    ],
)
def test_income_in_rice(event: str, special: str | None, stock: int, rice: int) -> None:
    """SU30"""
    state = acting(
        3,
        "rice",
        "kaga",
        event=event,
        rice=[stock, 0, 0],
        specials={special or "six": 0},
        provinces={"kaga": (0, 1)},
    )
    assert (state.rice[0], state.markers["kaga"]) == (rice, 1)


def test_a_revolt_takes_as_many_farmers_as_there_are() -> None:
    """SU31, SU32"""
    state = acting(
        3, "rice", "kaga", provinces={"kaga": (0, 3, "", 2)}, tower={"f": 12}, tray={"f": 7}
    )
    assert state.supply["f"] == 0
    assert state.thrown == state.game.cubes({"p0": 3, "f": 8})
    nobody = acting(3, "rice", "kaga", provinces={"kaga": (0, 3, "", 2)}, tower={"f": 20, "p1": 1})
    assert nobody.agenda[0].number == 3
    play(nobody, "tower:p0:1", "tower:p1:1", "tower:f:0")
    assert (nobody.armies["kaga"], nobody.markers["kaga"]) == (1, 3)
    assert nobody.tray == nobody.game.cubes({"p1": 1})


def test_a_lost_revolt_devastates_the_province_but_not_the_income() -> None:
    """SU31, SU34"""
    state = acting(3, "rice", "kaga", provinces={"kaga": (0, 3, "temple theater", 1)})
    play(state, "tower:p0:1", "tower:f:1")
    assert state.rice[0] == 5
    assert (state.owner["kaga"], state.armies["kaga"]) == (None, 0)
    assert (state.buildings["kaga"], state.markers["kaga"]) == (set(), 0)
    assert state.supply["p0"] == 62 - 2
    assert state.supply["f"] == 20
    assert state.plans[0]["rice"] == "kaga"  # it was being executed, and stays shown


def test_special_and_castle_event_do_not_help_in_a_revolt() -> None:
    """SU27"""
    state = acting(
        3,
        "rice",
        "kaga",
        event="castle_b",
        specials={"defend": 0},
        provinces={"kaga": (0, 3, "castle", 1)},
    )
    assert state.thrown == state.game.cubes({"p0": 3, "f": 1})


@pytest.mark.parametrize(("event", "armies", "chests"), [("levy", 3, 1), ("theater_a", 4, 1)])
def test_deploying_three(event: str, armies: int, chests: int) -> None:
    """SU24: the special `six` is for deploy5 alone"""
    state = acting(
        3,
        "deploy3",
        "kai",
        event=event,
        chests=[3, 0, 0],
        specials={"six": 0},
        provinces={"kai": (0, 1)},
    )
    assert (state.armies["kai"], state.chests[0]) == (armies, chests)


@pytest.mark.parametrize(
    ("action", "supply", "placed"),
    [("deploy3", 2, 0), ("deploy3", 3, 3), ("deploy1", 0, 0), ("deploy1", 1, 1)],
)
def test_deploying_needs_all_the_armies_in_the_supply(
    action: str, supply: int, placed: int
) -> None:
    """SU21, SU23"""
    provinces = {"kai": (0, 1), "aki": (0, reserve(supply, 1))}
    state = acting(3, action, "kai", provinces=provinces)
    assert state.armies["kai"] == 1 + placed
    assert state.actor() == CHANCE  # no own neighbor to move into


def test_deploy1_moves_into_own_provinces_only() -> None:
    """SU23, SU52"""
    provinces = {"izu": (0, 2), "shima": (0, 1), "sagami": (1, 1)}
    state = acting(3, "deploy1", "izu", provinces=provinces)
    assert state.legal() == ["stay", "move:shima:1", "move:shima:2"]


def test_a_single_army_does_not_move_and_a_move_without_target_is_not_asked() -> None:
    """C.5, SU22, SU28"""
    alone = acting(3, "battlea", "kai", provinces={"kai": (0, 1)})
    assert alone.actor() == CHANCE
    shut_in = acting(
        3,
        "battlea",
        "shima",
        event="temple_b",
        provinces={"shima": (0, 5), "ise": (1, 1, "temple"), "izu": (1, 1, "temple")},
    )
    assert shut_in.actor() == CHANCE
    open_again = acting(3, "battlea", "shima", provinces={"shima": (0, 2), "ise": (1, 1, "temple")})
    assert open_again.legal() == ["stay", "move:izu:1", "move:ise:1"]


def test_own_provinces_may_be_entered_under_the_temple_event_and_without_battle() -> None:
    """SU28, SU53"""
    state = acting(
        3,
        "battleb",
        "shima",
        event="temple_b",
        provinces={"shima": (0, 5), "ise": (0, 1, "temple"), "izu": (1, 1, "temple")},
    )
    assert state.legal() == ["stay", *(f"move:ise:{k}" for k in range(1, 5))]
    play(state, "move:ise:4")
    assert (state.armies["shima"], state.armies["ise"], state.actor()) == (1, 5, CHANCE)


def test_the_bonuses_of_a_defender_add_up_as_far_as_his_supply_goes() -> None:
    """SU26"""
    for supply, cubes in ((2, 5), (1, 4), (0, 3)):
        provinces = {
            "kai": (0, 5),
            "suruga": (1, 3, "castle"),
            "aki": (1, reserve(supply, 3)),
        }
        state = acting(
            3,
            "battlea",
            "kai",
            event="castle_b",
            specials={"six": 0, "defend": 1},
            provinces=provinces,
        )
        play(state, "move:suruga:1")
        assert state.thrown["p1"] == cubes
        assert state.supply["p1"] == max(0, supply - 2)


def test_armies_freed_from_tower_and_tray_fight_too() -> None:
    """SU56"""
    state = acting(
        3,
        "battlea",
        "kai",
        provinces={"kai": (0, 2), "suruga": (1, 4)},
        tower={"p0": 3},
        tray={"p0": 2},
    )
    play(state, "move:suruga:1", "tower:p0:6", "tower:p1:2")
    assert (state.owner["suruga"], state.armies["suruga"]) == (0, 4)


def test_conquest_keeps_buildings_and_markers() -> None:
    """SU35"""
    provinces = {"kai": (0, 5), "suruga": (1, 1, "temple castle", 2)}
    state = acting(3, "battlea", "kai", provinces=provinces)
    play(state, "move:suruga:4", "tower:p0:4", "tower:p1:1")
    assert (state.owner["suruga"], state.armies["suruga"]) == (0, 3)
    assert (state.buildings["suruga"], state.markers["suruga"]) == ({"temple", "castle"}, 2)
    assert state.changed == {"suruga"}


@pytest.mark.parametrize("markers", [0, 1])
def test_farmers_stay_in_the_tray_unless_they_took_part(markers: int) -> None:
    """SU36"""
    provinces = {"kai": (0, 5), "suruga": (1, 1, "", markers)}
    state = acting(3, "battlea", "kai", provinces=provinces, tower={"f": 2})
    play(state, "move:suruga:4", "tower:p0:4", "tower:p1:1", "tower:f:1")
    assert state.tray["f"] == markers
    assert state.armies["suruga"] == 2 + markers


@pytest.mark.parametrize("attackers", range(5))
@pytest.mark.parametrize("defenders", range(4))
@pytest.mark.parametrize("farmers", range(4))
def test_the_three_ends_of_a_battle(attackers: int, defenders: int, farmers: int) -> None:
    """SU33, SU34: what is left follows from losses one for one, farmers first."""
    winner, armies = after_battle(attackers, defenders, farmers)
    lost_by_defender = min(defenders, max(0, attackers - farmers))
    left = attackers - defenders - farmers
    if left > 0:
        assert (winner, armies) == ("attacker", left)
    elif left == 0 or defenders == 0:
        assert (winner, armies) == ("nobody", 0)
    else:
        assert (winner, armies) == ("defender", defenders - lost_by_defender)
        assert armies > 0


def test_a_bid_with_the_card_of_a_lost_province_is_void() -> None:
    """SU37"""
    state = acting(
        3,
        "battlea",
        "kai",
        provinces={"kai": (0, 5), "suruga": (1, 1), "aki": (1, 1)},
        plans=[{"battlea": "kai"}, {BID: "suruga"}, {}],
    )
    play(state, "move:suruga:4", "tower:p0:4", "tower:p1:0")
    assert state.plans[1][BID] == VOID


def test_a_player_whose_province_falls_in_the_same_field_does_not_act_any_more() -> None:
    """SU37"""
    parts: dict[str, Any] = {
        "provinces": {"kai": (0, 5), "suruga": (1, 4)},
        "plans": [{"battlea": "kai"}, {"battlea": "suruga"}, {}],
    }
    first = acting(3, "battlea", "kai", **parts)
    play(first, "move:suruga:4", "tower:p0:4", "tower:p1:0")
    assert (first.actor(), first.plans[1]["battlea"]) == (CHANCE, VOID)
    second = acting(3, "battlea", "kai", specials={"chest": 1, "rice": 0}, **parts)
    assert second.actor() == 1
    play(second, "move:sagami:1", "tower:p1:0", "tower:f:1", "move:suruga:4")
    play(second, "tower:p0:4", "tower:p1:0")
    assert second.plans[1]["battlea"] == "suruga"  # executed before it was lost


def test_after_the_tenth_field_everything_is_collected() -> None:
    state = h13()
    play_until(state, "fields")
    assert state.season == "summer"
    assert (state.slots, state.takers, state.fields, state.event) == ([], [], [], None)
    assert not any(state.plans)


# -- winter ----------------------------------------------------------------------------------------


def winter(missing: int, **parts: Any) -> State:
    """Seat 0 of three with nine provinces and so much rice missing; no loss of rice."""
    provinces = {name: (0, 2) for name in Shogun(3).provinces[:9]}
    setup: dict[str, Any] = {
        "opened": ["tax_max5"],
        "rice": [9 - missing, 9, 9],
        "provinces": provinces,
        **parts,
    }
    return Shogun(3).setup(phase="winter", season="fall", **setup)


@pytest.mark.parametrize(
    ("missing", "revolts", "farmers"),
    [(1, 1, 1), (2, 1, 2), (3, 2, 2), (4, 2, 2), (5, 2, 3), (6, 2, 3), (7, 3, 3), (9, 3, 3)],
)
def test_the_provisions_table(missing: int, revolts: int, farmers: int) -> None:
    """C.7, SU47"""
    state = winter(missing)
    names = [step.name for step in state.agenda]
    assert names == [*["winter"] * revolts, *["break_out"] * revolts, "score"]
    assert [p for _, p in state.chance()] == [Fraction(1, 9)] * 9
    for _ in range(revolts):
        state.apply(state.chance()[-1][0])
    assert (state.actor(), len(state.legal())) == (1, revolts)  # SU1, SU48: it owns nothing
    play(state, state.legal()[0])
    assert state.thrown["f"] == farmers


def test_all_lose_rice_before_the_first_revolt_and_fall_gives_the_order() -> None:
    """SU46"""
    state = winter(
        0,
        opened=["theater_b"],
        rice=[9, 2, 1],
        order=[2, 0, 1],
        provinces={"kai": (0, 1), "aki": (1, 1), "izu": (2, 1)},
    )
    assert state.rice == [2, 0, 0]
    assert (state.subject(), state.chance()) == (2, [("winter:izu", Fraction(1))])
    play(state, "winter:izu")
    assert (state.actor(), state.legal()) == (0, ["revolt:izu"])
    play(state, "revolt:izu", "tower:p2:0", "tower:f:0")
    assert state.subject() == 1


def test_a_beaten_winter_revolt_adds_no_marker_and_markers_bring_farmers() -> None:
    """SU49"""
    state = winter(1, provinces={"kai": (0, 4, "", 2), "aki": (0, 1)}, rice=[1, 0, 0])
    play(state, "winter:kai", "revolt:kai")
    assert state.thrown == state.game.cubes({"p0": 4, "f": 3})
    before = state.clone()
    play(state, "tower:p0:4", "tower:f:1")
    assert state.armies["kai"] == 3
    assert before.vp == [0, 0, 0]
    assert state.vp == [2, 0, 0]


def test_a_year_ends_with_markers_and_rice_gone_and_the_tower_as_it_is() -> None:
    state = winter(0, tower={"p0": 3}, tray={"f": 2}, provinces={"kai": (0, 4, "", 2)})
    assert (state.phase, state.year) == ("faces", 2)
    assert (state.markers["kai"], state.rice) == (0, [0, 0, 0])
    assert (state.tower["p0"], state.tray["f"]) == (3, 2)


def test_the_second_winter_ends_the_game() -> None:
    """SU55"""
    state = winter(0, year=2, vp=[3, 12, 0], provinces={"kai": (0, 4, "castle")})
    assert state.phase == "over"
    assert (state.actor(), state.subject(), state.possible()) == (None, None, [])
    assert state.vp == [3 + 1 + 1 + 3, 12, 0]
    assert state.ranks() == [2, 1, 3]
    assert state.utilities() == [0, 1, 0]


@every_board
def test_no_scoring_gives_more_than_thirty_in_majorities(board: str) -> None:
    provinces = {name: (0, 1, "castle temple theater") for name in PROVINCES}
    state = Shogun(4, board).setup(phase="faces")
    for name, (seat, armies, there) in provinces.items():
        state.owner[name], state.armies[name] = seat, armies
        state.buildings[name] = set(there.split())
    assert state.score(0) - 45 - 3 * 45 == 30


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "stay", "move:", "move:omi:1", "move:suruga:4", "tower:p0:1"])
def test_a_text_that_is_not_possible_is_refused_and_changes_nothing(text: str) -> None:
    state = acting(3, "deploy1", "kai", provinces={"kai": (0, 1), "izu": (0, 1)})
    before = state.clone()
    for refuse in (state.apply, state.events):
        with pytest.raises(ValueError, match="not possible"):
            refuse(text)
    assert state == before


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"provinces": {"edo": (0, 1)}}, "no province 'edo'"),
        ({"provinces": {"mutsu": (0, 1)}}, "no province 'mutsu'"),
        ({"provinces": {"kai": (3, 1)}}, "no seat 3"),
        ({"provinces": {"kai": (0, 0)}}, "has 0 armies"),
        ({"provinces": {"kai": (0, 1, "castle temple")}}, "more buildings than spaces"),
        ({"provinces": {"kai": (0, 1, "", 4)}}, "4 markers"),
        ({"provinces": {"kai": (0, 60)}, "tower": {"p0": 3}}, "more cubes of p0"),
        ({"tower": {"f": 21}}, "more cubes of f"),
        ({"tower": {"p3": 1}}, "colors are"),
        ({"thrown": {"p0": 1}}, "only in a throw"),
        ({"opened": ["levy"]}, "events are unopened"),
        ({"rice": [19, 0, 0]}, "18 rice"),
        ({"chests": [-1, 0, 0]}, "less than nothing"),
        ({"chests": [1, 0]}, "each seat has chests"),
        ({"plans": [{"castle": "kai"}, {}, {}]}, "has lost kai"),
        ({"plans": [{"temple": BLANK}, {}, {}]}, "in order"),
        ({"provinces": {"kai": (0, 1)}, "plans": [{"castle": "0"}, {}, {}]}, "not for the space"),
        ({"drawn": ["kai"]}, "drawn in winter"),
        ({"open_pair": ["kai", "izu"]}, "draft is over"),
        ({"changed": ["edo"], "phase": "fields"}, "kept for a round"),
    ],
)
def test_a_position_whose_parts_do_not_fit_is_refused(
    parts: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        Shogun(3).setup(**{"phase": "plan", "provinces": {"aki": (2, 1)}, **parts})


def test_ranks_are_not_known_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        Shogun(3).new().ranks()


# -- events and knowledge --------------------------------------------------------------------------


@every_player_count
def test_only_the_planner_is_told_what_he_plans_and_bids(players: int) -> None:
    state, rng = Shogun(players).new(), random.Random(8)
    while state.year == 1:
        text = random_ply(state, rng)
        step, subject = state.agenda[0], str(state.subject())
        hidden = f"{step.name}:{HIDDEN}"
        assert state.events(text) == [
            [(subject, hidden if step.name in PRIVATE and str(seat) != subject else text)]
            for seat in range(players)
        ]
        state.apply(text)


def test_whom_chance_events_concern() -> None:
    state = play(Shogun(3).new(), "open:1:kai", "open:2:aki", "blind")
    assert state.events("draw:izu")[2] == [("0", "draw:izu")]
    assert Shogun(3).new().events("open:1:izu")[0] == [("chance", "open:1:izu")]
    assert Shogun(3, setup="lineup").new().events("tower:p0:3")[1] == [("chance", "tower:p0:3")]
    assert h12().events("tie:p0")[1] == [("chance", "tie:p0")]
    assert h14().events("winter:noto")[0] == [("1", "winter:noto")]


def seen(state: State, observer: int, seat: int) -> dict[str, str]:
    """The plan of a seat in the eyes of another."""
    return dict(dict(state.knows(observer))["plans"][seat])  # type: ignore[index]


def test_what_others_see_of_a_plan() -> None:
    """SU18, SU19"""
    plan = {"castle": "kai", "tax": "izu", "temple": EMPTY, "battlea": EMPTY, BID: "2"}
    parts: dict[str, Any] = {"provinces": {"kai": (0, 1), "izu": (0, 1), "aki": (1, 1)}}
    full = Shogun(3).setup(phase="event", plans=[plan, {}, {}], **parts).plans[0]
    empty = [space for space, what in full.items() if what == EMPTY]
    begun = Shogun(3).setup(
        phase="plan", plans=[{s: full[s] for s in list(full)[:4]}, {}, {}], **parts
    )
    assert seen(begun, 1, 0) == dict.fromkeys(list(full)[:4], HIDDEN)
    assert seen(begun, 0, 0) == dict(list(full.items())[:4])
    planned = Shogun(3).setup(phase="event", plans=[full, {}, {}], **parts)
    backs = {space: EMPTY if space in empty else HIDDEN for space in full}
    assert seen(planned, 1, 0) == backs
    play(planned, planned.chance()[0][0])
    assert seen(planned, 1, 0) == {**backs, BID: "2"}
    acted = Shogun(3).setup(
        phase="actions", fields=first_field("tax"), plans=[full, {}, {}], **parts
    )
    assert acted.field == 1
    assert seen(acted, 1, 0) == {**backs, BID: "2", "tax": "izu"}


def small_planning(own: int, chests: int) -> State:
    """Seat 1 of three comes to plan with one or two provinces, beside the only one of seat 0."""
    provinces = {"kai": (0, 9), **{name: (1, 3) for name in ("suruga", "sagami")[:own]}}
    plan = dict.fromkeys(ACTIONS, EMPTY) | dict.fromkeys(ACTIONS[:3], BLANK)
    plan |= {"battlea": "kai", "deploy1": BLANK, "deploy3": BLANK, BID: EMPTY}
    plan |= dict.fromkeys(ACTIONS[3:6], EMPTY)
    full = {space: plan[space] for space in [*ACTIONS, BID]}
    return Shogun(3).setup(
        phase="plan", chests=[5, chests, 5], provinces=provinces, plans=[full, {}, {}]
    )


def every_course(state: State, plies: int) -> Iterable[State]:
    """Every position that a number of sealed plies may lead to."""
    if plies == 0:
        yield state
        return
    for text in state.legal():
        yield from every_course(play(state.clone(), text), plies - 1)


@cache
def all_courses(own: int, chests: int) -> list[State]:
    """Every position after the planning."""
    return list(every_course(small_planning(own, chests), 11))


def plan_of(state: State, seat: int) -> Hashable:
    return tuple(state.plans[seat].items())


def assert_worlds(state: State, observer: int, possible: Iterable[State]) -> None:
    worlds = list(state.worlds(observer))
    plans = [plan_of(world, 1) for world, _ in worlds]
    assert len(set(plans)) == len(plans)
    assert set(plans) == {plan_of(other, 1) for other in possible}
    assert {weight for _, weight in worlds} == {Fraction(1, len(worlds))}


@pytest.mark.parametrize("plies", range(5))
def test_worlds_of_a_plan_in_the_making_are_all_its_beginnings(plies: int) -> None:
    """SU57"""
    start = small_planning(2, 1)
    state = next(iter(every_course(start.clone(), plies)))
    assert_worlds(state, 0, every_course(start, plies))


@pytest.mark.parametrize(
    ("own", "chests", "seed"),
    [(1, 1, seed) for seed in range(4)] + [(2, 0, seed) for seed in range(6)],
)
def test_worlds_are_all_plans_that_fit_what_was_seen(own: int, chests: int, seed: int) -> None:
    """Carry every plan of seat 1 along through a round and drop what looks different: SU57."""
    rng = random.Random(seed)
    courses = all_courses(own, chests)
    state = rng.choice(courses).clone()
    belief = [world.clone() for world in courses if world.knows(0) == state.knows(0)]
    numbers = []
    while state.phase in ("event", "bids", "actions"):
        sight = state.knows(0)
        belief = [world for world in belief if world.knows(0) == sight]
        numbers.append(len(belief))
        assert_worlds(state, 0, belief)
        text = random_ply(state, rng)
        belief = [play(world, text) for world in belief if text in world.possible()]
        state.apply(text)
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 10 > numbers[-1]


@pytest.mark.parametrize("blanks", range(6))
def test_worlds_of_the_last_face_down_spaces(blanks: int) -> None:
    """F: seat 1 has nine provinces, two of its spaces are face down."""
    own = Shogun(4).provinces[:9]
    shown, spare = own[: 8 - blanks], own[8 - blanks :]
    bid, *hidden = ["0", *spare] if blanks == 0 else spare
    last = [hidden[0], hidden[1] if blanks == CHEST_CARDS else BLANK]
    plan = dict(zip(ACTIONS, [*[BLANK] * blanks, *shown, *last], strict=True)) | {BID: bid}
    state = Shogun(4).setup(
        phase="actions",
        fields=ACTIONS,
        field=9,
        effect=[Step("march", 0, ("aki",))],
        provinces={**{name: (1, 1) for name in own}, "aki": (0, 1)},
        plans=[{}, plan, {}, {}],
    )
    provinces, chest_cards = len(hidden), CHEST_CARDS - (blanks or 1)
    expected = provinces * (provinces - 1)
    expected += 2 * provinces if chest_cards >= 1 else 0
    expected += 1 if chest_cards >= 2 else 0
    worlds = list(state.fillings(1))
    assert len({tuple(world.values()) for world in worlds}) == len(worlds) == expected


def test_a_province_that_changed_hands_is_not_face_down_any_more() -> None:
    """F: seat 1 got kai back, and showed izu already"""
    state = Shogun(3).setup(
        phase="actions",
        fields=ACTIONS,
        field=10,
        effect=[Step("march", 0, ("omi",))],
        provinces={**dict.fromkeys(["kai", "izu", "aki", "bingo", "iyo"], (1, 1)), "omi": (0, 1)},
        plans=[{}, {"castle": VOID, "tax": "izu", "battleb": "aki", BID: "0"}, {}],
        changed=["kai"],
    )
    assert list(state.plans[1].values()).count(BLANK) == 4
    assert list(state.plans[1].values()).count(EMPTY) == 1
    seen_elsewhere = set(state.seen_plan(1).values())
    assert {plan["battleb"] for plan in state.fillings(1)} == {
        "aki",
        "bingo",
        "iyo",
    } - seen_elsewhere


def test_too_many_worlds_are_refused() -> None:
    state = planning(7)
    while state.actor() == 0:
        state.apply(state.legal()[0])
    assert len(list(state.worlds(0))) == 1
    with pytest.raises(ValueError, match="too many"):
        state.worlds(1)


@every_player_count
def test_worlds_look_like_the_position_to_the_seat(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shogun, "MAX_WORLDS", 60)
    rng = random.Random(players)
    state = play_until(Shogun(players, setup="lineup").new(), "actions", rng)
    listed = 0
    while state.phase != "winter":
        for seat in range(players):
            if (worlds := listed_worlds(state, seat)) is None:
                continue
            listed += len(worlds) > 1
            assert sum(world == state for world in worlds) == 1
            for world in rng.sample(worlds, min(2, len(worlds))):
                assert_looks_alike(world, state, seat)
        state.apply(random_ply(state, rng))
    assert listed > 5


def listed_worlds(state: State, seat: int) -> list[State] | None:
    """The worlds of a seat, None if they are too many."""
    try:
        return [world for world, _ in state.worlds(seat)]
    except ValueError:
        return None


def assert_looks_alike(world: State, state: State, seat: int) -> None:
    world.check()
    assert world.knows(seat) == state.knows(seat)
    assert world.actor() == state.actor()
    if state.actor() == seat:
        assert world.legal() == state.legal()
    if state.actor() == CHANCE:
        assert world.chance() == state.chance()


@pytest.mark.parametrize("seed", range(3))
def test_equal_sights_from_one_information_set_give_equal_knowledge(seed: int) -> None:
    """Follow many courses of a few plies from worlds of a seat: whatever it cannot tell apart by
    the fronts of the cards it saw and what it was told, it does not tell apart afterwards."""
    rng = random.Random(seed)
    start = rng.choice(all_courses(1, 1)).clone()
    worlds = [world for world, _ in start.worlds(0)]
    Sight = tuple[Hashable, ...]
    reached: list[tuple[State, Sight]] = [(w, ()) for w in rng.sample(worlds, min(60, len(worlds)))]
    knowledge: dict[Sight, set[Hashable]] = defaultdict(set)
    for _ in range(5):
        follow: list[tuple[State, Sight]] = []
        for world, sights in reached:
            for text in world.possible():
                after = play(world.clone(), text)
                table = tuple(after.seen_plan(1).items())
                now = (*sights, *world.events(text)[0], after.actor(), table)
                follow.append((after, now))
                knowledge[now].add(after.knows(0))
        reached = rng.sample(follow, min(300, len(follow)))
    assert len(knowledge) > 1
    assert all(len(group) == 1 for group in knowledge.values())


# -- rules that hold in every game -----------------------------------------------------------------


@every_player_count
@pytest.mark.parametrize("options", EVERY_GAME, ids=lambda options: "-".join(options.values()))
def test_in_random_games_all_pieces_stay_in_one_place_after_every_ply(
    players: int, options: dict[str, Any]
) -> None:
    rng = random.Random(f"{players} {options}")
    state = Shogun(players, **options).new()
    phases = [state.phase]
    while state.actor() is not None:
        before = state.clone()
        state.apply(random_ply(state, rng))
        state.check()
        check_ply(before, state)
        if state.phase != phases[-1]:
            phases.append(state.phase)
    year = [*["fields", "specials", "plan", "event", "bids", "actions"] * 3, "winter"]
    assert phases == [*PHASES[state.game.lineup : 2], *["faces", *year] * 2, "over"]
    assert (state.legal(), state.chance()) == ([], [])
    assert sum(state.utilities()) == 1
    assert all(vp <= 310 for vp in state.vp)
    assert all(chests <= 66 for chests in state.chests)


def check_ply(before: State, after: State) -> None:
    outcomes = before.chance()
    assert sum(probability for _, probability in outcomes) == (1 if outcomes else 0)
    texts = before.possible()
    assert len(set(texts)) == len(texts)
    assert texts == sorted(texts, key=in_canonical_order)
    assert all(old <= new for old, new in zip(before.vp, after.vp, strict=True))
    assert sum(after.markers.values()) <= 30  # SU39
    if before.agenda[0].name in PRIVATE | {"event", "pick", "tie", "face", "special"}:
        assert before.armies == after.armies or after.phase == "actions"
        assert before.tower == after.tower
    if any(after.thrown.values()):
        assert after.agenda[0].name == "tower"
    if before.phase in ("plan", "event", "bids"):
        assert after.changed == set() or after.phase == "actions"


def in_canonical_order(text: str) -> tuple[int, ...]:
    """D.7: `stay` first; provinces, then what is no card of the map, numbers ascending."""
    verb, *rest = text.split(":")
    cards = DEFAULT.specials if verb in ("special", "pick") else [*ACTIONS, *DEFAULT.events]
    numbers, colors = map(str, range(70)), [f"p{seat}" for seat in range(5)]
    verbs = ["stay", "move", "claim", "blind"]
    words = [*verbs, *PROVINCES, *cards, BLANK, *numbers, EMPTY, *colors]
    return tuple(words.index(part) if part in words else -1 for part in (verb, *rest))


@every_player_count
def test_in_random_games_choices_stay_within_their_bounds(players: int) -> None:
    """D.7"""
    rng = random.Random(players)
    state = Shogun(players).new()
    while state.actor() is not None:
        name, number, seat = state.agenda[0].name, len(state.legal()), state.agenda[0].seat
        own = 0 if seat is None else len(state.owned(seat))
        bounds = {"card": 3, "group": 4, "plan": own + 2, "bid": own + 6, "pick": 5}
        bounds |= {"break_out": 3, "battle": 9 * 61 + 1, "march": 9 * 61 + 1}
        assert number <= bounds.get(name, 0)
        state.apply(random_ply(state, rng))


@every_player_count
def test_a_clone_goes_its_own_way(players: int) -> None:
    rng = random.Random(players)
    for plies in (20, 90, 150, 260):
        state = random_state(players, plies, rng)
        copy = state.clone()
        assert copy == state
        copy.apply(copy.possible()[0])
        assert copy != state
        assert state.clone() == state


def test_the_battle_odds_of_a_position_are_those_of_the_formula() -> None:
    """Attacks, battles and revolts in random games, against the throw played out."""
    rng = random.Random(11)
    met = Counter[str]()
    for number in range(4):
        state = Shogun(3, tower=list(DEFAULT.towers)[number % 3], setup="lineup").new()
        while state.actor() is not None:
            before = state.clone()
            state.apply(random_ply(state, rng))
            ends = [step for step in state.agenda if step.name.startswith("after")]
            starts = bool(ends) and before.agenda[0].name != "tower"
            if starts and outcomes(state) < 400 and met[ends[0].name] < 5:
                met[ends[0].name] += 1
                assert_odds(state, ends[0])
    assert len(met) == 4


def outcomes(state: State) -> int:
    """In how many ways a throw may end."""
    return prod(1 + state.thrown[color] + state.tower[color] for color in state.thrown)


def assert_odds(state: State, end: Step) -> None:
    """`thrown` holds the tray too, which makes no difference."""
    (province,), color, owner = end.ids, f"p{end.seat}", state.owner[end.ids[0]]
    known: dict[str, Any] = {
        "tower": state.tower,
        "tray": {c: k for c, k in state.thrown.items() if c not in (color, f"p{owner}", "f")},
    }
    model, farmers = state.game.tower, state.thrown["f"]
    if end.name == "after_attack_on_neutral":
        odds = neutral_odds(model, color, state.thrown[color], farmers, **known)
    elif end.name == "after_battle":
        known["tray"]["f"] = farmers
        marked = state.markers[province] > 0
        cubes = state.thrown[color], f"p{owner}", state.thrown[f"p{owner}"]
        odds = battle_odds(model, color, *cubes, markers=marked, **known)
    else:
        odds = revolt_odds(model, color, state.thrown[color], farmers, **known)
    assert odds.win + odds.tie + odds.loss == 1
    seats: dict[str, Any] = {"attacker": end.seat, "defender": owner}
    assert armies_after(state, province) == as_seats(odds, **seats)


# -- figures of random games (D.7) -----------------------------------------------------------------

GAMES = 40


@pytest.mark.parametrize(
    ("players", "decisions", "chances"), [(3, 285, 235), (4, 357, 292), (5, 403, 340)]
)
def test_random_games_are_as_long_as_published_with_the_rules(
    players: int, decisions: int, chances: int
) -> None:
    """Plies with more than one move or outcome; 26 to 34 throws a game."""
    rng = random.Random(f"figures for {players}")
    asked, happened, throws = [], [], []
    for _ in range(GAMES):
        state, count = Shogun(players).new(), Counter[str]()
        while state.actor() is not None:
            count["asked"] += len(state.legal()) > 1
            count["happened"] += len(state.chance()) > 1
            running = any(state.thrown.values())
            state.apply(random_ply(state, rng))
            count["throws"] += any(state.thrown.values()) and not running
        asked.append(count["asked"])
        happened.append(count["happened"])
        throws.append(count["throws"])
    assert_mean(asked, decisions)
    assert_mean(happened, chances)
    assert 24 < mean(throws) < 36


def assert_mean(values: Sequence[float], expected: float) -> None:
    """Within four standard errors."""
    assert abs(mean(values) - expected) < 4 * stdev(values) / len(values) ** 0.5

"""Shogun's rules, one sentence each: the worked examples h01 to h22.

Positions are texts of reference states, which fill up what an example leaves open.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from math import comb
from typing import Any

import pytest

import henro
from henro import OptionError
from tests.games.shogun import names, parts_of, position
from tests.reference.shogun import BID, BLANK, Holding, Plan, Shogun
from tests.reference.shogun_tables import DEFAULT

HALF_A_TENTH_DIGIT = 5.1e-11

Lands = Mapping[str, Holding]
"""Province -> seat, armies, buildings, markers."""


def play(state: henro.State, *texts: str) -> henro.State:
    for text in texts:
        state.apply(text)
    return state


def moves(state: henro.State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def outcomes(state: henro.State) -> dict[str, float]:
    return {state.action_to_string(action): p for action, p in state.chance_outcomes()}


def part(state: henro.State, key: str) -> str:
    return parts_of(state.serialize())[key]


def counts(state: henro.State, key: str) -> list[int]:
    """A part that has a number for each seat or color."""
    return [int(number) for number in part(state, key).split(",")]


def lands(state: henro.State, seat: int) -> dict[str, str]:
    """The provinces of a seat and what stands there: `3+castle!1`."""
    return dict(land.split(":") for land in names(part(state, "lands").split("/")[seat]))


def plan_of(state: henro.State, seat: int) -> dict[str, str]:
    spaces = [*DEFAULT.prices, BID]
    return dict(zip(spaces, part(state, "plans").split("/")[seat].split(","), strict=True))


def to_ten_digits(values: float | Sequence[float]) -> object:
    return pytest.approx(values, abs=HALF_A_TENTH_DIGIT)


def at(players: int, phase: str, **parts: Any) -> henro.State:
    """A position in the summer of the second year unless the parts say otherwise."""
    return position(Shogun(players).setup(phase=phase, **{"year": 2, "season": "summer", **parts}))


def go_on(state: henro.State) -> henro.State:
    """Lets the first outcome happen of a chance event whose outcome does not matter."""
    return play(state, next(iter(outcomes(state))))


def carried_out(action: str, plans: Sequence[Plan], **parts: Any) -> henro.State:
    """The first ply after seats, all with provinces, have begun to carry out an action.

    It lies on field 2; the one on field 1 has been blank for all.
    """
    blank = "temple" if action == "theater" else "theater"
    others = [other for other in DEFAULT.prices if other not in (action, blank)]
    fields = [blank, action, *others[:3]]
    full = [{blank: BLANK, **plan} for plan in plans]
    return go_on(at(len(plans), "actions", fields=fields, plans=full, **parts))


# -- throws --------------------------------------------------------------------------------------

Outs = dict[str, int]
"""Color -> cubes that come out of the tower."""


def throws(state: henro.State) -> Iterator[tuple[Outs, float, henro.State]]:
    """Every way in which the cubes of a running throw fall, how likely it is, what comes of it."""
    for text, p in outcomes(state).items():
        _, color, cubes = text.split(":")
        after = play(state.clone(), text)
        if color == "f" or part(after, "throw") == "-":
            yield {color: int(cubes)}, p, after
        else:
            for outs, q, end in throws(after):
                yield {color: int(cubes), **outs}, p * q, end


def chances(
    state: henro.State, look: Callable[[Outs, henro.State], Hashable]
) -> dict[Hashable, float]:
    """How likely it is that one sees this or that after the throw."""
    found: dict[Hashable, float] = {}
    for outs, p, end in throws(state):
        seen = look(outs, end)
        found[seen] = found.get(seen, 0) + p
    return found


def lead(one: str, other: str) -> Callable[[Outs, henro.State], str]:
    """Which of two colors has more cubes in the tray."""

    def look(outs: Outs, end: henro.State) -> str:
        ahead = outs.get(one, 0) - outs.get(other, 0)
        return "tie" if ahead == 0 else one if ahead > 0 else other

    return look


def armies_in(province: str, seat: int) -> Callable[[Outs, henro.State], int]:
    """How many armies a seat has in a province, 0 if it is not its own."""
    return lambda _, end: int(lands(end, seat).get(province, "0").split("+")[0].split("!")[0])


# -- moves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "targets"), [(5, ["awa_boso", "sagami", "shima"]),
                                                  (3, ["sagami", "shima"])])  # fmt: skip
def test_h01_armies_move_to_every_neighbor_in_play_without_a_temple_under_its_event(
    players: int, targets: list[str]
) -> None:
    holdings = {"izu": (0, 5), "sagami": (0, 1), "suruga": (1, 3, "temple"), "aki": (2, 2)}
    if players == 5:
        holdings |= {"awa_boso": (2, 2), "omi": (3, 2), "kaga": (4, 2)}
    state = carried_out(
        "battlea", [{"battlea": "izu"}, *[{BID: "1"}] * (players - 1)],
        provinces=holdings, event="temple_a",
    )  # fmt: skip
    assert state.current_player() == 0
    assert moves(state) == ["stay", *(f"move:{t}:{k}" for t in targets for k in range(1, 5))]
    play(state, "move:sagami:4")
    assert lands(state, 0) == {"izu": "1", "sagami": "5"}


def test_h22_the_army_deployed_may_move_on_to_a_neighbor_of_ones_own() -> None:
    def mino(chests: int) -> henro.State:
        return carried_out(
            "deploy1", [{"deploy1": "mino"}, {BID: "1"}, {BID: "1"}], chests=[chests, 5, 5],
            provinces={
                "mino": (0, 1), "omi": (0, 30), "owari": (0, 30), "ise": (1, 3), "aki": (2, 1)
            },
        )  # fmt: skip

    state = mino(chests=1)
    assert moves(state) == ["stay", "move:owari:1", "move:omi:1"]
    assert lands(state, 0)["mino"] == "2"
    assert counts(state, "chests")[0] == 0
    assert lands(play(state, "move:omi:1"), 0) == {"mino": "1", "omi": "31", "owari": "30"}
    assert part(mino(chests=0), "step") == "field"
    assert lands(mino(chests=0), 0)["mino"] == "1"


# -- throws and battles --------------------------------------------------------------------------


def attack(
    armies: int, target: Holding | None = None, supply: int = 20, **parts: Any
) -> henro.State:
    """Seat 0 attacks suruga, neutral or of seat 1, with so many armies from kai."""
    stuck = parts.get("tower", {}).get("p0", 0)
    provinces = {"kai": (0, armies + 1), "hida": (0, 61 - armies - stuck - supply)}
    holdings = provinces | ({} if target is None else {"suruga": target})
    holdings |= {"aki": (1, 4), "iyo": (2, 4), "kii": (3, 4), "omi": (4, 4)}
    plans = [{"battlea": "kai"}, *[{BID: "1"}] * 4]
    usual = {"event": "theater_a", "specials": {"six": 0}}
    state = carried_out("battlea", plans, provinces=holdings, **(usual | parts))
    return play(state, f"move:suruga:{armies}")


def attack_of_example_3(**parts: Any) -> henro.State:
    return attack(3, tower={"p0": 2, "p1": 4, "f": 3}, tray={"p1": 1}, **parts)


def test_h02_thrown_and_stuck_cubes_come_out_each_with_its_own_chance() -> None:
    state = attack(3, tower={"p0": 2, "p2": 4, "f": 3}, tray={"p1": 1})
    assert part(state, "throw") == "5/p0/suruga"
    odds = outcomes(state)
    assert [*odds] == [f"tower:p0:{k}" for k in range(6)]
    assert [*odds.values()] == to_ten_digits(
        [0.0093552647, 0.0896675070, 0.3026228811, 0.4074820132, 0.1692828538, 0.0215894802]
    )
    assert sum(k * p for k, p in enumerate(odds.values())) == to_ten_digits(2.7024381250)
    play(state, "tower:p0:3", "tower:p1:0")
    assert [*outcomes(state).values()] == to_ten_digits(
        [0.3584859224, 0.4192212310, 0.1838424080, 0.0358315514, 0.0026188872]
    )


def test_h03_a_neutral_province_is_taken_by_whoever_has_more_cubes_than_the_farmers() -> None:
    state = attack_of_example_3()
    assert part(state, "throw").startswith("5/")
    odds = chances(state, lead("p0", "f"))
    assert [odds["p0"], odds["tie"], odds["f"]] == to_ten_digits(
        [0.7371919259, 0.1815159078, 0.0812921663]
    )
    armies = chances(state, armies_in("suruga", 0))
    assert [armies[k] for k in range(1, 6)] == to_ten_digits(
        [0.2983220020, 0.2766344704, 0.1304332695, 0.0293016299, 0.0025005542]
    )


def test_h03_cubes_of_the_attacker_and_farmers_leave_the_tray_those_of_others_stay() -> None:
    for outs, _, end in throws(attack_of_example_3()):
        assert counts(end, "tray") == [0, outs["p1"], 0, 0, 0, 0]
        assert ("suruga" in lands(end, 0)) == (outs["p0"] > outs["f"])
        assert not any("suruga" in lands(end, seat) for seat in range(1, 5))


def test_h04_the_attacker_has_one_cube_more_with_attack_if_one_is_in_his_supply() -> None:
    specials = {"attack": 0, "six": 1}
    state = attack_of_example_3(event="farmers2", specials=specials, supply=1)
    assert part(state, "throw").startswith("7/")
    odds = chances(state, lead("p0", "f"))
    assert [odds["p0"], odds["tie"], odds["f"]] == to_ten_digits(
        [0.6876732351, 0.1892333218, 0.1230934432]
    )
    without = attack_of_example_3(event="farmers2", specials=specials, supply=0)
    assert part(without, "throw").startswith("6/")


def fought(outs: Outs, markers: int) -> henro.State:
    """Seat 0 has attacked seat 1 in suruga, and so many cubes came out."""
    stuck = {"p1": 1, "f": 4, "p2": 2, "p3": 1}
    state = attack(5, (1, 3, "castle", markers), tower=stuck)
    return play(state, *(f"tower:{c}:{outs.get(c, 0)}" for c in ("p0", "p1", "p2", "p3", "f")))


@pytest.mark.parametrize(
    ("outs", "owner", "suruga"),
    [
        ({"p0": 3, "p1": 4, "f": 1, "p2": 2}, 1, "2+castle"),
        ({"p0": 3, "p1": 2, "f": 2}, 1, "1+castle"),
        ({"p0": 4, "p1": 2, "f": 2}, None, None),
        ({"p0": 2, "p1": 0, "f": 3}, None, None),
        ({"p0": 5, "p1": 2, "f": 1, "p3": 1}, 0, "2+castle"),
        ({"p0": 0, "p1": 0, "f": 0}, None, None),
    ],
)
def test_h05_farmers_help_the_defender_of_a_province_without_markers(
    outs: Outs, owner: int | None, suruga: str | None
) -> None:
    state = fought(outs, markers=0)
    assert [lands(state, p).get("suruga") for p in (0, 1)] == [
        suruga if owner == p else None for p in (0, 1)
    ]
    assert counts(state, "tray") == [0, 0, outs.get("p2", 0), outs.get("p3", 0), 0, 0]
    assert counts(state, "stuck")[-1] == 4 - outs["f"]


@pytest.mark.parametrize(
    ("outs", "owner", "suruga"),
    [
        ({"p0": 3, "p1": 2, "f": 2, "p2": 1}, 0, "1+castle!1"),
        ({"p0": 2, "p1": 2, "f": 3}, None, None),
        ({"p0": 2, "p1": 3, "f": 3}, 1, "1+castle!1"),
        ({"p0": 1, "p1": 0, "f": 4}, 0, "1+castle!1"),
    ],
)
def test_h06_farmers_look_on_where_there_are_markers(
    outs: Outs, owner: int | None, suruga: str | None
) -> None:
    state = fought(outs, markers=1)
    assert [lands(state, p).get("suruga") for p in (0, 1)] == [
        suruga if owner == p else None for p in (0, 1)
    ]
    assert counts(state, "tray") == [0, 0, outs.get("p2", 0), 0, 0, outs["f"]]


@pytest.mark.parametrize(
    ("markers", "odds"),
    [
        (0, [0.0321042062, 0.8973993093, 0.0704964844]),
        (1, [0.1411857145, 0.6644082555, 0.1944060300]),
    ],
)
def test_h07_defend_and_a_castle_under_its_event_add_up(markers: int, odds: list[float]) -> None:
    state = attack(
        4, (1, 3, "castle", markers), event="castle_a", specials={"six": 0, "defend": 1},
        tower={"p0": 1, "p1": 2, "f": 2, "p2": 3}, tray={"f": 1},
    )  # fmt: skip
    assert part(state, "throw") == "10/p0/suruga"

    def owner(_: Outs, end: henro.State) -> int | None:
        return next((p for p in (0, 1) if "suruga" in lands(end, p)), None)

    found = chances(state, owner)
    assert [found[0], found[1], found[None]] == to_ten_digits(odds)


def test_h21_in_an_empty_tower_one_attacker_is_even_with_the_farmer_and_two_are_better() -> None:
    for armies, odds in ((1, [0.1875, 0.625, 0.1875]), (2, [0.65625, 0.296875, 0.046875])):
        found = chances(attack(armies), lead("p0", "f"))
        assert [found["p0"], found["tie"], found["f"]] == to_ten_digits(odds)


# -- actions -------------------------------------------------------------------------------------


def test_h08_income_comes_before_the_revolt_and_is_kept() -> None:
    state = carried_out(
        "tax", [{"tax": "kaga"}, {BID: "1"}, {BID: "1"}], event="tax_min6", chests=[3, 9, 9],
        provinces={"kaga": (0, 2, "", 1), "aki": (1, 3), "iyo": (2, 3)},
        specials={"chest": 0}, tower={"p0": 1, "f": 2},
    )  # fmt: skip
    assert counts(state, "chests")[0] == 3 + 6 + 1
    assert part(state, "throw") == "3/p0/kaga"
    found = chances(state, lambda _, end: lands(end, 0).get("kaga"))
    kept = [found[f"{armies}!2"] for armies in (1, 2, 3)]
    assert kept == to_ten_digits([0.4039780493, 0.1475934042, 0.0147434739])
    assert [sum(kept), found[None]] == to_ten_digits([0.5663149274, 0.4336850726])
    assert all(counts(end, "chests")[0] == 10 for _, _, end in throws(state))


@pytest.mark.parametrize(
    ("event", "special", "supply", "deployed"),
    [
        ("farmers2", "rice", 5, 5),
        ("farmers2", "rice", 4, 0),
        ("farmers2", "six", 6, 6),
        ("farmers2", "six", 5, 5),
        ("levy", "rice", 3, 3),
        ("levy", "six", 9, 6),
        ("levy", "six", 4, 3),
    ],
)
def test_h09_five_armies_or_as_many_as_the_event_and_six_make_of_them_or_none(
    event: str, special: str, supply: int, deployed: int
) -> None:
    for chests in (2, 3):
        state = carried_out(
            "deploy5", [{"deploy5": "kaga"}, {BID: "1"}, {BID: "1"}],
            provinces={"kaga": (0, 62 - supply), "aki": (1, 3), "iyo": (2, 3)},
            event=event, specials={special: 0}, chests=[chests, 9, 9],
        )  # fmt: skip
        got = deployed if chests == 3 else 0
        assert lands(state, 0)["kaga"] == str(62 - supply + got)
        assert counts(state, "chests")[0] == (chests - 3 if got else chests)


@pytest.mark.parametrize(
    ("province", "there", "chests", "built"),
    [
        ("kai", "", 3, True),
        ("kai", "", 2, False),
        ("kai", "temple", 3, False),
        ("kai", "castle", 3, False),
        ("sagami", "temple theater", 3, True),
        ("sagami", "castle", 3, False),
    ],
)
def test_h18_a_building_needs_its_price_a_free_space_and_that_none_of_its_kind_is_there(
    province: str, there: str, chests: int, built: bool
) -> None:
    state = carried_out(
        "castle", [{"castle": province}, {BID: "1"}, {BID: "1"}], chests=[chests, 9, 9],
        provinces={province: (0, 2, there), "aki": (1, 3), "iyo": (2, 3)},
    )  # fmt: skip
    expected = ["castle", *there.split()] if built else there.split()
    assert lands(state, 0)[province] == "+".join(["2", *expected])
    assert counts(state, "chests")[0] == (0 if built else chests)


def test_h18_nothing_is_built_when_no_tile_is_left() -> None:
    """Of 28 castles there are 25 at most before the last round, in which five may be built."""
    homes = ["kai", "omi", "aki", "iyo", "kii"]
    others = [province for province in DEFAULT.provinces if province not in homes][:25]
    state = carried_out(
        "castle", [{"castle": home} for home in homes], season="fall", chests=[3] * 5,
        provinces={
            **{home: (seat, 2) for seat, home in enumerate(homes)},
            **{province: (i % 5, 1, "castle") for i, province in enumerate(others)},
        },
    )  # fmt: skip
    built = [lands(state, seat)[home] == "2+castle" for seat, home in enumerate(homes)]
    assert built == [True, True, True, False, False]
    assert counts(state, "chests") == [0, 0, 0, 3, 3]


def test_h17_a_province_lost_takes_its_card_along_and_the_action_does_not_come_back() -> None:
    actions = ["castle", "temple", "battlea", "theater", "battleb", "rice", "tax"]
    state = at(
        3, "actions", field=3, fields=actions, specials={"attack": 0, "six": 1, "chest": 2},
        provinces={
            "yamato": (0, 6), "omi": (2, 1, "temple", 1), "mino": (2, 8), "aki": (1, 2)
        },
        plans=[
            {"castle": BLANK, "battlea": "yamato"}, {BID: "aki"}, {"tax": "omi", "battleb": "mino"}
        ],
        chests=[0, 0, 4],
    )  # fmt: skip
    assert "tax" not in [space for space, what in plan_of(state, 2).items() if what == "void"]
    play(state, "move:omi:5", "tower:p0:5", "tower:p2:0")
    assert lands(state, 0) == {"yamato": "1", "omi": "5+temple!1"}
    for seat in range(3):
        assert parts_of(state.view(seat))["plans"].split("/")[2].split(",")[4] == "void"
    go_on(go_on(state))
    assert (state.current_player(), part(state, "field")) == (2, "5")
    play(state, "move:omi:7", "tower:p0:0", "tower:p2:7")
    assert lands(state, 2) == {"omi": "7+temple!1", "mino": "1"}
    go_on(state)
    assert (part(state, "season"), part(state, "step")) == ("fall", "field")
    assert counts(state, "chests")[2] == 4
    assert lands(state, 2)["omi"] == "7+temple!1"


# -- plans and bids ------------------------------------------------------------------------------


def planning(provinces: int, chests: int) -> henro.State:
    """Seat 0 is about to plan with so many provinces."""
    own = [*DEFAULT.provinces][2 : 2 + provinces]
    holdings = {**{province: (0, 2) for province in own}, "aki": (1, 3), "iyo": (2, 3)}
    return at(3, "plan", provinces=holdings, chests=[chests, 5, 5])


def lay(state: henro.State, *cards: str) -> henro.State:
    """Lay these cards on the next planning spaces; `any` is the first province still in hand."""
    for what in cards:
        found = [text for text in moves(state) if what in ("any", text.split(":")[-1])]
        play(state, found[0])
    return state


def test_h10_with_seven_provinces_no_space_stays_empty() -> None:
    state = planning(7, chests=12)
    assert len(moves(state)) == 8
    assert moves(state)[-1] == "plan:castle:blank"
    lay(state, *["blank"] * 5)
    assert len(moves(state)) == 7
    assert "plan:deploy5:blank" not in moves(state)
    lay(state, *["any"] * 5)
    assert len(moves(state)) == 2
    assert all(text.split(":")[1] in DEFAULT.provinces for text in moves(state))


@pytest.mark.parametrize(("chests", "bids"), [(12, 6), (2, 4)])
def test_h10_a_bid_can_be_paid(chests: int, bids: int) -> None:
    state = lay(planning(7, chests), *["blank"] * 4, *["any"] * 6)
    assert len(moves(state)) == bids
    assert moves(state)[1:] == [f"bid:{value}" for value in range(bids - 1)]


@pytest.mark.parametrize(("chests", "plans"), [(12, 10_644_480), (1, 5_654_880)])
def test_h10_so_many_plans_can_be_made_with_seven_provinces(chests: int, plans: int) -> None:
    assert planning(7, chests).perft(11) == plans


def test_h11_with_four_provinces_two_spaces_stay_empty() -> None:
    state = planning(4, chests=12)
    assert len(moves(state)) == 6
    assert moves(state)[-2:] == ["plan:castle:blank", "plan:castle:empty"]
    lay(state, "empty", "empty")
    assert not any("empty" in text for text in moves(state))
    lay(state, *["any"] * 4, *["blank"] * 4)
    assert moves(state) == [f"bid:{value}" for value in range(5)]


def test_h11_the_space_of_the_bid_may_be_the_one_that_stays_empty() -> None:
    state = lay(planning(4, chests=12), "empty", *["blank"] * 5, *["any"] * 4)
    assert moves(state) == ["bid:empty"]


def test_h11_so_many_plans_can_be_made_with_four_provinces() -> None:
    assert planning(4, chests=12).perft(11) == 468_720


def test_h12_the_highest_bids_pick_first_by_lot_among_equals() -> None:
    bids = ["2", "kai", "0", "2", "0"]
    homes = ["omi", "kai", "aki", "iyo", "kii"]
    state = at(
        5, "event", chests=[12] * 5, slots=["attack", "six", "chest", "rice", "defend"],
        provinces={home: (seat, 3) for seat, home in enumerate(homes)},
        plans=[{BID: bid} for bid in bids],
    )  # fmt: skip
    go_on(state)
    assert counts(state, "chests") == [10, 12, 12, 10, 12]
    chance = 1.0
    for seat, special in ((3, "rice"), (0, "attack"), (1, "chest"), (2, "defend")):
        if state.is_chance_node():
            assert [*outcomes(state).values()] == [0.5, 0.5]
            chance *= outcomes(state)[f"tie:p{seat}"]
            play(state, f"tie:p{seat}")
        assert state.current_player() == seat
        play(state, f"pick:{special}")
    assert chance == 0.25
    assert state.current_player() == 4
    assert moves(state) == ["pick:six"]
    play(state, "pick:six")
    assert part(state, "specials") == "attack:0,six:4,chest:1,rice:3,defend:2"


def test_h13_actions_on_fields_6_to_10_are_turned_up_one_at_a_time() -> None:
    state = at(
        3, "actions", fields=["castle", "tax", "battlea", "deploy5", "rice"],
        provinces={"omi": (0, 3), "kai": (1, 3), "aki": (2, 3)},
        plans=[{BID: "omi"}, {BID: "kai"}, {BID: "aki"}],
    )  # fmt: skip
    hidden = ["temple", "theater", "deploy3", "deploy1", "battleb"]
    assert outcomes(state) == pytest.approx({f"field:6:{action}": 1 / 5 for action in hidden})

    def chance_by_field(now: henro.State, last: int) -> float:
        """That battleb is turned up on the fields up to the last."""
        return sum(
            p * (1 if text.endswith("battleb") else chance_by_field(play(now.clone(), text), last))
            for text, p in outcomes(now).items()
            if int(text.split(":")[1]) <= last
        )

    assert chance_by_field(state, 8) == pytest.approx(3 / 5)
    play(state, "field:6:temple")
    assert outcomes(state)["field:7:battleb"] == 1 / 4
    play(state, "field:7:theater", "field:8:battleb", "field:9:deploy1")
    assert outcomes(state) == {"field:10:deploy3": 1}


# -- winter --------------------------------------------------------------------------------------


def last_ply_of_fall(players: int, holdings: Lands, **parts: Any) -> henro.State:
    """Somebody is to decide whether to stay; everybody else has done everything."""
    return at(
        players, "actions", season="fall", field=10, fields=[*DEFAULT.prices],
        provinces=holdings, **parts,
    )  # fmt: skip


def test_h14_the_left_neighbor_says_which_of_the_drawn_provinces_revolts() -> None:
    own = ["mutsu", "echigo", "shimotsuke", "hitachi", "kozuke", "shinano", "etchu", "kaga", "noto"]
    state = last_ply_of_fall(
        5,
        {
            **{province: (1, 3) for province in own},
            "omi": (0, 2), "aki": (2, 2), "iyo": (3, 2), "kii": (4, 2),
        },
        rice=[9, 7, 9, 9, 9], opened=["rice_min4"], tower={"p1": 1, "f": 2, "p0": 3},
        plans=[{"battleb": "omi"}, *[{"battleb": BLANK}] * 4],
    )  # fmt: skip
    play(state, "stay")
    assert part(state, "season") == "winter"
    assert counts(state, "rice") == [6, 4, 6, 6, 6]
    assert (part(state, "victim"), part(state, "draws"), part(state, "extra")) == ("1", "2", "3")
    assert outcomes(state) == pytest.approx({f"winter:{province}": 1 / 9 for province in own})
    pairs = Counter[frozenset[str]]()
    for first, p in outcomes(state).items():
        for second, q in outcomes(play(state.clone(), first)).items():
            pairs[frozenset((first, second))] += p * q  # type: ignore[assignment]
    assert [*pairs.values()] == pytest.approx([1 / 36] * comb(9, 2))
    play(state, "winter:kaga", "winter:etchu")
    assert state.current_player() == 2
    assert moves(state) == ["revolt:etchu", "revolt:kaga"]
    play(state, "revolt:kaga")
    assert part(state, "throw") == "6/p0/kaga"
    armies = chances(state, armies_in("kaga", 1))
    assert 1 - armies[0] == to_ten_digits(0.2770559814)
    assert [armies[k] for k in range(1, 5)] == to_ten_digits(
        [0.1941002054, 0.0692778644, 0.0127343238, 0.0009435878]
    )


def test_h15_provinces_buildings_and_the_most_of_a_kind_in_a_region_score() -> None:
    state = last_ply_of_fall(
        4,
        {
            "mutsu": (0, 1, "castle"), "kaga": (0, 2, "castle temple"),
            "shinano": (0, 1, "theater"),
            "etchu": (1, 1, "castle temple theater"), "noto": (1, 1, "castle"),
            "omi": (1, 1, "castle temple"),
            "mino": (2, 1, "temple"), "hida": (2, 1), "aki": (2, 1, "theater"),
        },
        vp=[20, 30, 40, 50], rice=[9] * 4, opened=["tax_max5"],
        plans=[{"battleb": "kaga"}, {"battleb": BLANK}, {"battleb": BLANK}, {}],
    )  # fmt: skip
    assert play(state, "stay").scores() == [20 + 10, 30 + 16, 40 + 7, 50]


@pytest.mark.parametrize(
    ("points", "chests", "ranks"),
    [([41, 41, 38, 41], [7, 9, 20, 9], [3, 1, 4, 1])],
)
def test_h19_equal_points_are_decided_by_chests(
    points: list[int], chests: list[int], ranks: list[int]
) -> None:
    state = at(4, "over", season="fall", vp=points, chests=chests)
    assert state.scores() == points
    assert state.ranks() == ranks
    assert state.returns() == [0, 0.5, 0, 0.5]


# -- set-up --------------------------------------------------------------------------------------


def draft(players: int) -> henro.State:
    state = henro.load_game("shogun", players=players).new_initial_state()
    return play(state, "open:1:kai", "open:2:omi")


def blind(state: henro.State) -> henro.State:
    """A turn in which a card is drawn blindly."""
    go_on(play(state, "blind"))
    return play(state, moves(state)[0])


def test_h16_a_pair_that_all_left_lying_goes_under_the_pile() -> None:
    state = draft(3)
    for _ in range(3):
        assert part(state, "step") == "claim"
        blind(state)
    assert part(state, "under") == "kai,omi"
    assert [*outcomes(state).values()] == pytest.approx([1 / 32] * 32)
    go_on(state)
    assert [*outcomes(state).values()] == pytest.approx([1 / 31] * 31)
    go_on(state)
    assert (part(state, "step"), state.current_player()) == ("claim", 0)


def test_h16_a_card_claimed_makes_the_pair_new_for_everybody() -> None:
    state = blind(draft(3))
    play(state, "claim:omi", "group:5")
    go_on(state)
    for seat in (2, 0, 1):
        assert (part(state, "step"), state.current_player()) == ("claim", seat)
        blind(state)
    assert part(state, "step") == "open"
    assert part(state, "open") == "-,-"


def test_h20_three_quarters_of_the_cubes_fall_out_of_the_new_tower() -> None:
    state = henro.load_game("shogun", players=5, setup="lineup").new_initial_state()
    stuck = [1.0]  # probability of each number of cubes stuck in all
    for color, out in (("p0", 5), ("p1", 7), ("p2", 7), ("p3", 7), ("p4", 7), ("f", 10)):
        odds = outcomes(state)
        cubes = len(odds) - 1
        kept = [odds[f"tower:{color}:{cubes - k}"] for k in range(cubes + 1)]
        if color == "p0":
            assert odds["tower:p0:7"] == to_ten_digits(0.1334838867)
        if color == "f":
            assert kept[3] == to_ten_digits(0.2502822876)
        stuck = [
            sum(stuck[i] * kept[k - i] for i in range(len(stuck)) if 0 <= k - i <= cubes)
            for k in range(len(stuck) + cubes)
        ]
        play(state, f"tower:{color}:{out}")
    assert sum(k * p for k, p in enumerate(stuck)) == to_ten_digits(11.25)
    assert sum(stuck[:6]) == to_ten_digits(0.0179434621)
    assert counts(state, "stuck") == [2, 0, 0, 0, 0, 0]
    assert counts(state, "tray") == [0] * 6
    goods = state.observation_tensor(0)[17 + 3]
    assert round(goods[3] * 62) == 62 - 23 - 2


# -- what the examples leave open ----------------------------------------------------------------


@pytest.mark.parametrize(("supply", "cubes"), [(2, 4 + 3 + 2), (1, 4 + 3 + 1), (0, 4 + 3)])
def test_su26_a_defender_gets_no_more_cubes_than_his_supply_has(supply: int, cubes: int) -> None:
    state = attack(
        4, (1, 3, "castle"), event="castle_b", specials={"six": 0, "defend": 1},
        tower={"p1": 62 - 3 - 4 - supply},
    )  # fmt: skip
    assert part(state, "throw") == f"{cubes}/p0/suruga"


@pytest.mark.parametrize(("event", "markers"), [("theater_b", 0), ("levy", 1)])
def test_su29_a_new_theater_takes_a_marker_away_under_its_event(event: str, markers: int) -> None:
    state = carried_out(
        "theater", [{"theater": "kaga"}, {BID: "1"}, {BID: "1"}], event=event, chests=[1, 9, 9],
        provinces={"kaga": (0, 2, "", 1), "aki": (1, 3), "iyo": (2, 3)},
    )  # fmt: skip
    assert lands(state, 0)["kaga"] == ("2+theater!1" if markers else "2+theater")


@pytest.mark.parametrize(
    ("action", "event", "special", "province", "income"),
    [
        ("tax", "tax_max5", "chest", "etchu", 5 + 1),
        ("tax", "tax_max5", "rice", "etchu", 5),
        ("tax", "tax_min6", "rice", "kaga", 6),
        ("tax", "tax_min6", "rice", "etchu", 7),
        ("rice", "rice_max3", "rice", "kaga", 3 + 1),
        ("rice", "rice_max3", "chest", "etchu", 3),
        ("rice", "rice_min4", "chest", "etchu", 4),
        ("rice", "rice_min4", "rice", "kaga", 5 + 1),
    ],
)
def test_su30_an_event_bounds_what_is_printed_and_a_special_adds_to_it(
    action: str, event: str, special: str, province: str, income: int
) -> None:
    state = carried_out(
        action, [{action: province}, {BID: "1"}, {BID: "1"}], event=event, chests=[0, 9, 9],
        provinces={province: (0, 2), "aki": (1, 3), "iyo": (2, 3)}, specials={special: 0},
    )  # fmt: skip
    assert counts(state, "chests" if action == "tax" else "rice")[0] == income
    assert lands(state, 0)[province] == "2!1"


def test_su32_no_farmer_is_thrown_when_all_are_stuck() -> None:
    assert part(attack(3, tower={"f": 20}), "throw") == "3/p0/suruga"
    assert part(attack(3, tower={"f": 19}, event="farmers2"), "throw") == "4/p0/suruga"


@pytest.mark.parametrize("first", [0, 1])
def test_su37_a_card_is_void_in_the_running_action_too_if_its_turn_has_not_come(
    first: int,
) -> None:
    specials = {"attack": first, "six": 1 - first}
    state = carried_out(
        "battlea", [{"battlea": "yamato"}, {"battlea": "omi"}, {BID: "1"}], specials=specials,
        provinces={"yamato": (0, 6), "omi": (1, 2), "kai": (1, 2), "aki": (2, 2)},
    )  # fmt: skip
    if first == 1:
        play(state, "stay")
    play(state, "move:omi:5", "tower:p0:5", "tower:p1:0")
    assert plan_of(state, 1)["battlea"] == ("void" if first == 0 else "omi")
    assert part(state, "step") == "field"


def test_su50_whoever_has_no_province_neither_plans_nor_bids() -> None:
    state = at(4, "plan", provinces={"omi": (1, 3), "kai": (3, 3)})
    planners = []
    while part(state, "step") in ("plan", "bid"):
        planners.append(state.current_player())
        play(state, moves(state)[0])
    assert planners == [1] * 11 + [3] * 11
    assert [entry == "-" for entry in part(state, "plans").split("/")] == [True, False, True, False]


# -- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"board": "mars"}, "'board' must be 'sun' or 'moon', not 'mars'"),
        ({"setup": "random"}, "'setup' must be 'draft' or 'lineup', not 'random'"),
        ({"tower": "real"}, "'tower' must be 'blend', 'sbw' or 'won', not 'real'"),
        ({"side": "moon"}, "no option 'side'"),
        ({"board": "moon", "setup": "lineup"}, "line-ups are known for the sun side only"),
    ],
)
def test_su03_options_are_of_few_values(options: dict[str, str], named: str) -> None:
    with pytest.raises(OptionError, match=named):
        henro.load_game("shogun", players=4, **options)

"""Positions in which a sealed choice decides what is right, one or more for each game that seals.

In a `Secret` seat 0 has chosen, unseen, one of two things, and seat 1 is to answer: what is right
against one of them is wrong against the other. In a `Duel` seat 0 is still to choose and seat 1 to
answer without having seen it: who goes first would be lost if it were seen.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import henro
from henro.search.options import SearchOptions
from tests.games import shogun, shugendo
from tests.reference.shogun import BID, BLANK, EMPTY, Plan, Shogun
from tests.search.exact import Matrix, payoffs

# -- Shugendo: the Action phase ------------------------------------------------------------------
#
# The last round of all, and nothing to pay with but 8 Books and a Hammer: a seat can develop to
# Age 4 or found a Prefecture with a Farmstead. The first seat that develops gets 10 VP and the
# second 8, the first that founds gets 5 and the second 4, so the second had better do the other.
# Nothing else happens any more, so that points given before make the payoffs: share of the win of
# seat 0 by its choice and that of seat 1, each of farm:d3 and develop.

FARM, DEVELOP = "farm:d3", "develop"


def shugendo_duel(silver: Sequence[int] = (0, 0), score: Sequence[int] = (0, 2)) -> henro.State:
    """By default seat 0 wins if both do the same and loses if not."""

    def each(what: Any) -> list[Any]:
        return [what, what]

    return shugendo.position(
        phase="action",
        round=60,
        covered=each("b3 c3 d3"),
        villages=each("b3"),
        cities=each("c3"),
        tracks=each((0, 1, 8)),
        age=each(3),
        development=[(4, 6), (3, 5)],
        silver=silver,
        score=score,
    )


# -- Shogun: the plans ---------------------------------------------------------------------------
#
# The last season of all. Kai and Tamba are held by an army each, Sagami (beside Kai alone) and
# Harima (beside Tamba alone) by five of the other seat. One battle is carried out, after one
# deployment: the attack goes where five armies have come, and fails, or where they have not, and
# succeeds nearly always. Each seat has 5 blanks, 4 empties and its two provinces for 11 spaces, so
# that nothing else is to be decided. Neutral provinces that may be attacked too are worth a point,
# too few for the attacker to win.

PLANS = Shogun(3)
SPENT = dict.fromkeys(("castle", "temple", "theater", "rice", "tax"), BLANK)
DEFENDED = ("kai", "tamba")


def shogun_plans(attacker: int, plans: Sequence[Plan], harima: int = 5) -> henro.State:
    """The attacker has no points and the defender, the other of seats 0 and 1, has one."""
    defender = 1 - attacker
    return shogun.position(
        PLANS.setup(
            phase="plan",
            year=2,
            season="fall",
            provinces={
                **{province: (defender, 1, "castle") for province in DEFENDED},
                "sagami": (attacker, 5),
                "harima": (attacker, harima),
            },
            chests=[5, 5, 0],
            rice=[9, 9, 0],
            vp=[int(defender == 0), int(defender == 1), 0],
            opened=["temple_a", "temple_b"],
            fields=["deploy5", "battleb", "castle", "temple", "theater"],
            plans=plans,
        )
    )


def plan_of_attacker() -> Plan:
    """All but the two spaces that are left for the two provinces: the battle and the bid."""
    return {**SPENT, **dict.fromkeys(("deploy5", "deploy3", "deploy1", "battlea"), EMPTY)}


def plan_of_defender(deploy: str, bid: str) -> Plan:
    rest = dict.fromkeys(("deploy3", "deploy1", "battlea", "battleb"), EMPTY)
    return {**SPENT, "deploy5": deploy, **rest, BID: bid}


# -- Jinja: the draft ----------------------------------------------------------------------------
#
# The last choice of the draft. Of the first pack, which seat 1 has seen before, Tohoku and Kansai
# are left: what seat 0 does not keep goes to seat 1. The second pack has Kanto and Kyushu. Seat 1
# has a Deed of Shikoku and two Omikuji, 10 honor each: for Kanto, Kansai and Shikoku and for
# Tohoku, Shikoku and Kyushu. So if it gets Kansai it needs Kanto, if it gets Tohoku it needs
# Kyushu. The Deed that is left goes to seat 0, which has no use for any more than for another.
# In this box Deeds of the pile are dear, and both Omikuji worth 10.

DEFAULT_BOX = Path(henro.__file__).parent / "components" / "jinja" / "default.toml"
PILGRIMAGES = ("pilgrimage_kanto_kansai_shikoku", "pilgrimage_tohoku_shikoku_kyushu")
OMIKUJI = (
    ("most_small", "most_medium", "territories_4", "every_region", "small_northeast"),
    ("small_tohoku", "large_kansai", "large_hokkaido", *PILGRIMAGES),
)
PACKS = (
    ("hokkaido_m", "hokkaido_s", "chugoku_m", "shikoku_m1", "tohoku_m", "kansai_m"),
    ("shikoku_s", "chugoku_s1", "chugoku_s2", "hokkaido_l1", "kanto_m1", "kyushu_m2"),
)
"""In the order in which they leave the pack, to the seat that holds it."""


def jinja_draft() -> henro.State:
    state = _jinja().new_initial_state()
    while not state.action_to_string(state.chance_outcomes()[0][0]).startswith("deal"):
        state.apply_action(state.chance_outcomes()[0][0])
    for hand in OMIKUJI:
        for card in hand:
            state.apply(f"deal:{card}")
    for hand in OMIKUJI:
        for card in hand[:2]:
            state.apply(f"return:{card}")
    for pack in PACKS:
        for deed in pack:
            state.apply(f"deal:{deed}")
    for number in range(4):  # the packs change hands after each round
        for seat in range(2):
            state.apply(f"draft:{PACKS[(seat + number) % 2][number]}")
    return state


@cache
def _jinja() -> henro.Game:
    box = DEFAULT_BOX.read_text().replace('name = "default"', 'name = "draft"')
    box = box.replace('id = "deed_buyback", cost = 2', 'id = "deed_buyback", cost = 9')
    for card in PILGRIMAGES:
        box = re.sub(rf'(id = "{card}", +honor = +)\d+', r"\g<1>10", box)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "draft.toml"
        path.write_text(box)
        return henro.load_game("jinja", players=2, components=path)


# -- secrets -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Secret:
    """Two positions that seat 1, to move, cannot tell apart, and what is right in each."""

    worlds: tuple[henro.State, henro.State]
    right: tuple[str, str]
    gap: float
    """By how much of a win, at least, the right move is better than the other if all is known."""
    nodes: int
    options: SearchOptions


def _shugendo_secret() -> Secret:
    worlds = [shugendo_duel(), shugendo_duel()]
    for state, choice in zip(worlds, (FARM, DEVELOP), strict=True):
        state.apply(choice)
    return Secret((worlds[0], worlds[1]), (DEVELOP, FARM), 0.99, 300, {})


def _shogun_secret() -> Secret:
    kai, tamba = DEFENDED
    one, two = (
        shogun_plans(attacker=1, plans=[plan_of_defender(*deployed), plan_of_attacker(), {}])
        for deployed in ((kai, tamba), (tamba, kai))
    )
    return Secret((one, two), ("plan:battleb:harima", "plan:battleb:sagami"), 0.8, 200, {})


def _jinja_secret() -> Secret:
    worlds = [jinja_draft(), jinja_draft()]
    for state, choice in zip(worlds, ("draft:tohoku_m", "draft:kansai_m"), strict=True):
        state.apply(choice)
    right = ("draft:kanto_m1", "draft:kyushu_m2")
    return Secret((worlds[0], worlds[1]), right, 0.12, 60, {"horizon": 8})


SECRETS: Mapping[str, Callable[[], Secret]] = {
    "shugendo": cache(_shugendo_secret),
    "shogun": cache(_shogun_secret),
    "jinja": cache(_jinja_secret),
}


# -- duels ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Duel:
    """Seat 0 is to choose, then seat 1, which has not seen it; who is seen is worse off.

    There is none for Jinja: what seat 1 wants from the draft goes by Omikuji that are hidden from
    seat 0, so that for all that seat 0 knows it hardly matters whether its choice is seen.
    """

    state: henro.State
    replies: Sequence[Sequence[str]]
    """What seat 1 can do that counts, each as all of its moves."""
    nodes: int
    options: SearchOptions


def _shugendo_duel(silver: tuple[int, int], score: tuple[int, int]) -> Duel:
    return Duel(shugendo_duel(silver, score), [[FARM], [DEVELOP]], 5000, {"priors": 0})


def _shogun_duel(harima: int) -> Duel:
    """The attacker plans first. With fewer armies in Harima Kai has to be watched more."""
    kai, tamba = DEFENDED
    plans = [plan_of_defender(*deployed) for deployed in ((kai, tamba), (tamba, kai))]
    replies = [
        [f"plan:{space}:{what}" for space, what in plan.items() if space != BID] for plan in plans
    ]
    return Duel(shogun_plans(0, [plan_of_attacker(), {}, {}], harima), replies, 100_000, {})


DUELS: Mapping[str, Callable[[], Duel]] = {
    "shugendo: half of the win": lambda: _shugendo_duel((0, 0), (0, 2)),
    "shugendo: two thirds by farm": lambda: _shugendo_duel((0, 5), (0, 1)),
    "shugendo: a third by farm": lambda: _shugendo_duel((0, 15), (0, 0)),
    "shugendo: two thirds by develop": lambda: _shugendo_duel((0, 19), (1, 0)),
    "shogun: equal attackers": lambda: _shogun_duel(5),
    "shogun: unequal attackers": lambda: _shogun_duel(3),
}
"""Named by what the first seat gets in the end, and by which move more often."""


@cache
def matrix(name: str) -> Matrix:
    """What seat 0 gets in a duel, by its move and the reply: counted exactly where all is forced
    after that (Shugendo), else played on by the rule of thumb."""
    duel = DUELS[name]()
    return payoffs(duel.state, duel.replies, _share_of_wins)


def _share_of_wins(state: henro.State) -> float:
    if state.is_terminal():
        return state.returns()[0]
    played = state.playouts(4000, 7, informed=True)
    return played.utilities[0] / played.games

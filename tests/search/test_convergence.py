"""With more iterations a search comes to the exact value, where brute force can tell it."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import pytest

import henro
from henro.search.options import SearchOptions
from tests.families.cases import sized
from tests.games import jinja, shikoku, shogun
from tests.reference.shogun import Holding, Shogun
from tests.search.exact import after, move_values

VALUE = 0.03
"""How far the value of the best move may be from the exact one."""
ROOT = 0.05
"""The same for the value of the root, which has the moves that were only explored in it."""
WAYS: dict[str, SearchOptions] = {
    "default": {},
    "plain": {"playouts": "uniform", "priors": 0},
    "many": {"observers": "many", "sealed": "regret"},
    "confident": {"confidence": 0.2},
    # Which results come first is another matter of luck each time.
    "shared": {"tree": "shared", "confidence": 0.2},
}

every_way = pytest.mark.parametrize("way", WAYS)


def check(state: henro.State, exact: Mapping[str, float], way: SearchOptions, nodes: int) -> None:
    """A search finds a best move of the exact ones, and its value."""
    seat, most = state.current_player(), max(exact.values())
    threads = 3 if "tree" in way else 1
    result = henro.Engine(state.game, seed=2, threads=threads, **way).search(state, nodes=nodes)
    assert exact[result.best_text] == pytest.approx(most)
    assert result.moves[0].values[seat] == pytest.approx(most, abs=VALUE)
    assert result.value[seat] == pytest.approx(most, abs=ROOT)


# -- open positions ------------------------------------------------------------------------------
#
# Close to the end, and nothing hidden that counts. The exact values are those of max^n, by brute
# force over all that can still happen.


def shikoku_open(steps: str, hands: Sequence[str], previous: str) -> henro.State:
    """Seat 0 begins a round. All cards were taken openly, and there is no deck any more."""
    there = {int(card) for part in (*hands, previous) for card in part.split(",")}
    removed = ",".join(str(card) for card in range(1, 34) if card not in there)
    return shikoku.position(
        3,
        f"phase=play turn=0 order=0,1,2 steps={steps} previous={previous} row=-,-,- "
        f"removed={removed} hands={'/'.join(f'+{hand}' for hand in hands)} deck=0",
    )


def jinja_last_workers(honor: str, gold: str) -> henro.State:
    """The last worker of seat 0, then that of seat 1. There are no Shrines, nor structures to
    build any, so that no Omikuji is worth anything; an Offering brings honor, 5 of Gold and
    structures together 2. What seat 0 leaves seat 1 can take."""
    return jinja.position(
        2,
        season="5",
        placed="8",
        revealed="k_gift,k_trade,k_purse,k_lights,k_vow",
        workers="kanto:0/1,kansai:1/1,deed_exchange:0/1,omikuji:1/1,gain_territory:0/1,"
        "territory_build:1/1,change_lantern:0/1,market:1/1",
        structures="1.0.0.0,0.1.0.0",
        gold=gold,
        honor=honor,
        fox="0,0",
    )


def shogun_last_battle(kai: int, lands: Mapping[str, Holding]) -> henro.State:
    """The last field of the last season: seat 0 attacks from Kai, then seat 1 from Tamba."""
    rules = Shogun(3)
    actions = [action for action in rules.actions if action != "battleb"]
    return shogun.position(
        rules.setup(
            phase="actions",
            year=2,
            season="fall",
            field=10,
            fields=[*actions, "battleb"],
            provinces={"kai": (0, kai), **lands},
            chests=[3, 2, 0],
            rice=[9, 9, 0],
            vp=[1, 0, 0],
            event="levy",
            opened=["temple_a"],
            plans=[{"battleb": "kai"}, {"battleb": "tamba"}, {}],
        )
    )


OPEN: dict[str, Callable[[], henro.State]] = {
    "shikoku: one card of three wins": lambda: shikoku_open(
        "29,31,31", ("15,19,24", "6,7,13", "3,8,9"), "1,18,21"
    ),
    "shikoku: one card of three loses": lambda: shikoku_open(
        "28,29,31", ("19,25,27", "7,11,31", "3,16,20"), "6,15,17"
    ),
    "jinja: the dear Offering": lambda: jinja_last_workers("22,26", "4,1"),
    "jinja: either Offering, so that one is left": lambda: jinja_last_workers("22,23", "4,2"),
    "shogun: the weaker neighbor": lambda: shogun_last_battle(
        5, {"sagami": (1, 3), "suruga": (1, 2), "harima": (0, 1), "tamba": (1, 4)}
    ),
    "shogun: the neighbor with buildings": lambda: shogun_last_battle(
        4,
        {
            "sagami": (1, 1, "castle temple"),
            "suruga": (1, 1),
            "harima": (0, 2, "castle"),
            "tamba": (1, 4),
        },
    ),
}


@pytest.mark.parametrize("name", OPEN)
@every_way
@sized("nodes", 100_000, 2_000_000)
def test_an_open_position_is_worth_what_brute_force_says(name: str, way: str, nodes: int) -> None:
    state = OPEN[name]()
    exact = move_values(state)
    assert min(exact.values()) < max(exact.values())
    check(state, exact, WAYS[way], nodes)


@sized("seeds", 8, 40)
def test_a_move_with_a_bad_start_is_tried_again(seeds: int) -> None:
    """Battles and what follows are chance: the first results of the best move can all be losses.
    By priors alone two searches in five do not come back to it in 30,000 iterations."""
    state = OPEN["shogun: the weaker neighbor"]()
    exact = move_values(state)
    for seed in range(seeds):
        result = henro.Engine(state.game, seed=seed, confidence=0.2).search(state, nodes=10_000)
        assert exact[result.best_text] == max(exact.values())


# -- hidden cards --------------------------------------------------------------------------------
#
# Shikoku, the last round: seat 0 has played, seat 1 is to play and seat 2 plays last from a hand
# that seat 1 has not seen. Then the game is over, so seat 2 plays the card that is best for it,
# and the value of a card of seat 1 is the mean over all hands that seat 2 may have.

HIDDEN = {
    "20 of 35": "steps=31,28,28 previous=3,25,33 row=31,-,- "
    "removed=1,2,4,5,7,10,11,12,13,15,16,17,18,20,26,27,28,30,32 hands=8,19/9,21+29/14,23,24",
    "10 of 35": "steps=29,28,32 previous=2,5,12 row=13,-,- "
    "removed=1,3,4,6,8,9,10,11,14,15,17,18,19,22,23,24,26,29,32 hands=16,28/27,33+21/20,30,31",
    "4 of 35": "steps=32,32,27 previous=10,24,25 row=3,-,- "
    "removed=1,2,4,5,6,8,9,11,12,14,16,18,19,20,22,23,26,28,32 hands=29,30/27,31+17/7,13,33",
    "three different cards": "steps=32,27,30 previous=3,10,15 row=4,-,- "
    "removed=1,2,7,11,12,16,19,20,21,22,23,24,25,26,27,29,30,31,32 hands=9,17/6,14+13/5,8,33",
}


def last_reply(state: henro.State) -> float:
    """What seat 1 gets when seat 2 plays last; equal cards of seat 2 must be equal to seat 1."""
    ends = [after(state, action) for action in state.legal_actions()]
    assert all(end.is_terminal() for end in ends)
    results = [end.returns() for end in ends]
    most = max(result[2] for result in results)
    [worth] = {result[1] for result in results if result[2] == most}
    return worth


def worlds(state: henro.State) -> list[henro.State]:
    """Every hand of three that seat 2 may have, all equally likely."""
    parts = dict(part.split("=") for part in state.serialize().split()[1:])
    first, own, last = parts["hands"].split("/")
    gone = [parts[key] for key in ("previous", "row", "removed")] + [own.replace("+", ",")]
    listed = {int(card) for entry in gone for card in entry.split(",") if card != "-"}
    unseen = [card for card in range(1, 34) if card not in listed]
    found = []
    for hand in combinations(unseen, len(last.split(","))):
        rest = [card for card in unseen if card not in hand]
        parts["hands"] = "/".join(
            [",".join(map(str, rest[: len(first.split(","))])), own, ",".join(map(str, hand))]
        )
        found.append(
            state.game.deserialize_state(
                " ".join(["shikoku", *(f"{key}={value}" for key, value in parts.items())])
            )
        )
    return found


@pytest.mark.parametrize("name", HIDDEN)
@every_way
@sized("nodes", 50_000, 2_000_000)
def test_a_position_with_hidden_cards_is_worth_the_mean_over_all_worlds(
    name: str, way: str, nodes: int
) -> None:
    state = shikoku.position(3, f"phase=play turn=1 order=0,1,2 {HIDDEN[name]} deck=2")
    all_worlds = worlds(state)
    assert len(all_worlds) == 35
    assert len({world.view(1) for world in all_worlds}) == 1
    exact = {
        state.action_to_string(action): sum(
            last_reply(after(world, action)) for world in all_worlds
        )
        / len(all_worlds)
        for action in state.legal_actions()
    }
    assert 0 < max(exact.values()) < 1
    check(state, exact, WAYS[way], nodes)


@pytest.mark.parametrize("name", HIDDEN)
def test_a_flat_search_counts_the_worlds_in_which_a_random_reply_loses(name: str) -> None:
    """Without a tree seat 2 plays any card: the mean over all worlds and all of its cards."""
    state = shikoku.position(3, f"phase=play turn=1 order=0,1,2 {HIDDEN[name]} deck=2")
    result = henro.Engine(state.game, "flat", seed=2).search(state, nodes=60_000)
    for move in result.moves:
        replies = [
            after(world, move.action, reply).returns()[1]
            for world in worlds(state)
            for reply in after(world, move.action).legal_actions()
        ]
        assert move.values[1] == pytest.approx(sum(replies) / len(replies), abs=0.015)

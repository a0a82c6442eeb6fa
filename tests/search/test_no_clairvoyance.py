"""A search answers sealed choices as one who has not seen them.

What another seat has sealed has no part in what the search says, and what is sealed at the root is
not answered inside the search as if it were seen. The positions are told in `sealed.py`.
"""

from collections import Counter
from itertools import product

import pytest
from scipy import stats

import henro
from henro.search.options import SearchOptions
from tests.families.cases import sized
from tests.families.statistics import LEVEL
from tests.search.exact import after, equilibrium, seen, texts
from tests.search.sealed import DUELS, SECRETS, Secret, matrix

PLAYOUTS = 1000
WAYS: list[SearchOptions] = [
    {"observers": observers, "sealed": sealed}
    for observers, sealed in product(("one", "many"), ("priors", "tree", "regret", "exp3"))
]

UNSEEN: list[SearchOptions] = [
    {"observers": "many", "sealed": "tree"},
    {"observers": "many", "sealed": "regret"},
    {"observers": "many", "sealed": "exp3"},
    {"observers": "one", "sealed": "priors"},
]

every_secret = pytest.mark.parametrize("game", SECRETS)
every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))


def search(secret: Secret, state: henro.State, way: SearchOptions, seed: int) -> henro.SearchResult:
    options: SearchOptions = {**secret.options, **way}
    return henro.Engine(state.game, seed=seed, **options).search(state, nodes=secret.nodes)


def outcome(result: henro.SearchResult) -> tuple[object, ...]:
    """A search result without the clock."""
    return (result.best, result.moves, result.value, result.depth, result.edges, result.pv)


def share_of_wins(state: henro.State, move: str) -> float:
    """Of seat 1 after its move, if all play on by the rule of thumb."""
    after = state.clone()
    after.apply(move)
    played = after.playouts(PLAYOUTS, 7, informed=True)
    return played.utilities[1] / played.games


@every_secret
def test_to_one_who_knows_the_sealed_choice_it_decides(game: str) -> None:
    secret = SECRETS[game]()
    for state, right, wrong in zip(secret.worlds, secret.right, secret.right[::-1], strict=True):
        assert state.current_player() == 1
        assert share_of_wins(state, right) - share_of_wins(state, wrong) > secret.gap
        others = {state.action_to_string(action) for action in state.legal_actions()}
        for other in others - {right, wrong}:
            assert share_of_wins(state, right) >= share_of_wins(state, other)


@every_secret
@every_way
@sized("seeds", 10, 200)
def test_a_search_is_the_same_whatever_was_sealed(
    game: str, way: SearchOptions, seeds: int
) -> None:
    secret = SECRETS[game]()
    one, two = secret.worlds
    for seed in range(seeds):
        assert outcome(search(secret, one, way, seed)) == outcome(search(secret, two, way, seed))


@every_secret
@every_way
@sized("seeds", 40, 1000)
def test_choices_go_with_the_seed_and_not_with_what_was_sealed(
    game: str, way: SearchOptions, seeds: int
) -> None:
    """Each world with seeds of its own. Who cannot see is right in the mean in one of two worlds:
    as often as it chooses what is right in one, it is wrong in the other."""
    secret = SECRETS[game]()
    chosen = [
        Counter(
            search(secret, state, way, seeds * number + seed).best_text for seed in range(seeds)
        )
        for number, state in enumerate(secret.worlds)
    ]
    moves = sorted(chosen[0] + chosen[1])
    if len(moves) > 1:
        table = [[counts[move] for move in moves] for counts in chosen]
        assert stats.chi2_contingency(table).pvalue > LEVEL
    right = sum(counts[move] for counts, move in zip(chosen, secret.right, strict=True))
    wrong = sum(counts[move] for counts, move in zip(chosen, secret.right[::-1], strict=True))
    assert stats.binomtest(right, right + wrong).pvalue > LEVEL


# -- what is sealed at the root ------------------------------------------------------------------


@pytest.mark.parametrize("name", DUELS)
@pytest.mark.parametrize("way", UNSEEN, ids=lambda way: "-".join(way.values()))
def test_what_is_sealed_at_the_root_is_not_answered_as_if_it_were_seen(
    name: str, way: SearchOptions
) -> None:
    """Were it seen the root would be worth far less than it is in equilibrium. Searches that are no
    mixed strategies need not come to the equilibrium, but must not fall to that."""
    duel = DUELS[name]()
    lost, value = seen(matrix(name)), equilibrium(matrix(name))[0]
    assert value - lost > 0.09
    options: SearchOptions = {**duel.options, **way}
    engine = henro.Engine(duel.state.game, seed=3, **options)
    result = engine.search(duel.state, nodes=duel.nodes)
    assert result.value[0] > lost + (value - lost) / 4


@pytest.mark.parametrize("name", [name for name in DUELS if name.startswith("shugendo")])
@pytest.mark.parametrize("priors", [0, 0.3, 5])
def test_outside_the_tree_others_seal_by_their_priors_whatever_was_sealed_at_the_root(
    name: str, priors: float
) -> None:
    duel = DUELS[name]()
    answering = [after(duel.state, move) for move in texts(duel.state)]
    [known] = {state.view(1) for state in answering}
    shares = dict(duel.state.game.information_set(known).priors())
    if priors == 0:
        shares = {action: 1 / len(shares) for action in shares}
    engine = henro.Engine(duel.state.game, seed=4, observers="one", sealed="priors", priors=priors)
    result = engine.search(duel.state, nodes=20_000)
    exact = {
        move: sum(share * after(state, action).returns()[0] for action, share in shares.items())
        for move, state in zip(texts(duel.state), answering, strict=True)
    }
    for move in result.moves:
        if move.visits > 1000:
            assert move.values[0] == pytest.approx(exact[move.text], abs=0.03)
    assert exact[result.best_text] == pytest.approx(max(exact.values()), abs=0.02)

"""Sealed decisions as mixed strategies come to the equilibrium of the game that they are.

Seat 0 chooses, seat 1 chooses without having seen it, and all that follows is counted exactly
(Shugendo) or played by the rule of thumb (Shogun): a matrix game, solved by linear programming. The
positions are told in `sealed.py`.
"""

import pytest

import henro
from henro.search.options import SearchOptions
from tests.families.cases import sized
from tests.search.exact import equilibrium, texts
from tests.search.sealed import DUELS, matrix

SEEDS = 6
every_strategy = pytest.mark.parametrize("sealed", ["regret", "exp3"])


def errors(name: str, nodes: int, **options: object) -> tuple[float, float]:
    """How far a search is from the equilibrium, in the mean over seeds: the total variation
    distance of its visits from the strategy, and the distance of its value from that of the game.
    """
    duel = DUELS[name]()
    value, strategy = equilibrium(matrix(name))
    shares = dict(zip(texts(duel.state), strategy, strict=True))
    distance, off = 0.0, 0.0
    for seed in range(SEEDS):
        way: SearchOptions = {"observers": "many", **options}  # type: ignore[typeddict-item]
        result = henro.Engine(duel.state.game, seed=seed, **way).search(duel.state, nodes=nodes)
        distance += sum(abs(m.visits / nodes - shares[m.text]) for m in result.moves) / 2
        off += abs(result.value[0] - value)
    return distance / SEEDS, off / SEEDS


@pytest.mark.parametrize("name", [name for name in DUELS if name.startswith("shugendo")])
@pytest.mark.parametrize("priors", [0, 0.3])
@every_strategy
@sized("nodes", 40_000, 1_000_000)
def test_visits_of_a_small_game_come_to_the_mixed_equilibrium(
    name: str, priors: float, sealed: str, nodes: int
) -> None:
    few = errors(name, 500, sealed=sealed, priors=priors)
    many = errors(name, nodes, sealed=sealed, priors=priors)
    assert many[0] < few[0]
    assert many[0] < 0.06
    assert many[1] < 0.02


@every_strategy
@sized("nodes", 60_000, 1_000_000)
def test_visits_come_to_the_mixed_equilibrium_where_the_other_has_a_whole_plan_to_make(
    sealed: str, nodes: int
) -> None:
    few = errors("shogun: unequal attackers", 500, sealed=sealed)
    many = errors("shogun: unequal attackers", nodes, sealed=sealed)
    assert many[0] < few[0]
    assert many[0] < 0.08
    assert many[1] < 0.06

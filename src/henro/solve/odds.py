"""How a battle of Shogun may end. Decision ids (SU33) are those of `docs/games/shogun.md`."""

import os
from dataclasses import dataclass
from typing import NamedTuple

from henro import _core
from henro.game import load_game

BATTLES = {
    "neutral": "attack on a neutral province",
    "player": "attack on a province of a player, without revolt markers",
    "marked": "attack on a province of a player, with revolt markers",
    "revolt": "revolt, in which the farmers attack",
}


class Cubes(NamedTuple):
    """Cubes of one color before a throw: those thrown for the battle with all bonus cubes, those
    that lie in the tray (and are thrown too), and those stuck in the tower."""

    thrown: int = 0
    tray: int = 0
    stuck: int = 0


NONE = Cubes()


@dataclass(frozen=True, slots=True)
class BattleOdds:
    """Probabilities of how a battle ends, for the attacking side: in a revolt the farmers.

    A `tie` in which the attacked province is a player's leaves it devastated, so a revolt takes
    the province with `win` and `tie` alike (SU34). `attacker_armies` and `defender_armies` have
    the probability of each number of armies that the side has in the province afterwards, none
    left out but 0. The losses are expected ones: cubes thrown less armies in the province
    afterwards. What sticks in the tower counts as lost, what comes out of it as gained.
    """

    battle: str
    attacker: Cubes
    defender: Cubes
    farmers: Cubes
    cubes: int
    """All cubes thrown, those that lay in the tray included."""
    win: float
    tie: float
    loss: float
    attacker_armies: dict[int, float]
    defender_armies: dict[int, float]

    @property
    def attacker_loss(self) -> float:
        return self.attacker.thrown - _mean(self.attacker_armies)

    @property
    def defender_loss(self) -> float:
        return self.defender.thrown - _mean(self.defender_armies)


def battle_odds(
    battle: str,
    attacker: Cubes = NONE,
    defender: Cubes = NONE,
    farmers: Cubes = NONE,
    others: int = 0,
    tower: str = "blend",
    components: str | os.PathLike[str] | None = None,
) -> BattleOdds:
    """The exact odds of a battle, without sampling.

    `battle` is a key of BATTLES. In a revolt nobody is the attacker and the owner of the province
    the defender; a neutral province has no defender. `others` counts cubes of all other colors in
    the tray; what they have in the tower does not matter. `tower` is a model of the tower in the
    component set, which `components` names as in load_game.

    Raises OptionError for a number that cannot be, ComponentError for a wrong set.
    """
    game = load_game("shogun", components=components, tower=tower)
    win, tie, loss, winners, keepers = _core.shogun_battle_odds(
        game, battle, attacker, defender, farmers, others
    )
    thrown = sum(side.thrown + side.tray for side in (attacker, defender, farmers))
    return BattleOdds(
        battle=battle,
        attacker=attacker,
        defender=defender,
        farmers=farmers,
        cubes=thrown + others,
        win=win,
        tie=tie,
        loss=loss,
        attacker_armies=_possible(winners),
        defender_armies=_possible(keepers),
    )


def _possible(chances: list[float]) -> dict[int, float]:
    return {armies: chance for armies, chance in enumerate(chances) if chance > 0}


def _mean(chances: dict[int, float]) -> float:
    return sum(armies * chance for armies, chance in chances.items())

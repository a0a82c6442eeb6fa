"""Exact answers that need no search."""

from henro.solve.odds import BATTLES, BattleOdds, Cubes, battle_odds

__all__ = ["BATTLES", "BattleOdds", "Cubes", "battle_odds"]

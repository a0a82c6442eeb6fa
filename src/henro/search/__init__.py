"""Search: engines that choose a move from what a seat knows."""

from henro.search.engine import PRESETS, Engine, Move, SearchResult

__all__ = ["PRESETS", "Engine", "Move", "SearchResult"]

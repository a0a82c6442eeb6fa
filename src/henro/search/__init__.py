"""Search: engines that choose a move from what a seat knows."""

from henro.search.engine import Engine, Move, SearchResult
from henro.search.levels import LEVELS, Level
from henro.search.options import OPTIONS as SEARCH_OPTIONS
from henro.search.options import SearchOption, SearchOptions, parse_search_options
from henro.search.presets import PRESETS, Preset
from henro.search.timing import Clock

__all__ = [
    "LEVELS",
    "PRESETS",
    "SEARCH_OPTIONS",
    "Clock",
    "Engine",
    "Level",
    "Move",
    "Preset",
    "SearchOption",
    "SearchOptions",
    "SearchResult",
    "parse_search_options",
]

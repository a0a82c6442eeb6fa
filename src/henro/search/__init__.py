"""Search: engines that choose a move from what a seat knows."""

from henro.search.engine import PRESETS, Engine, Move, SearchResult
from henro.search.options import OPTIONS as SEARCH_OPTIONS
from henro.search.options import SearchOption, SearchOptions, parse_search_options
from henro.search.timing import Clock

__all__ = [
    "PRESETS",
    "SEARCH_OPTIONS",
    "Clock",
    "Engine",
    "Move",
    "SearchOption",
    "SearchOptions",
    "SearchResult",
    "parse_search_options",
]

"""henro: a search engine for board games with hidden information.

>>> import henro
>>> game = henro.load_game("shikoku", players=4)
>>> state = game.new_initial_state()
>>> while state.is_chance_node():
...     state.apply_action(state.sample_chance(1))
>>> henro.Engine(game, seed=1).search(state, nodes=1000).nodes
1000
"""

from henro._core import CHANCE, TERMINAL
from henro.errors import (
    ComponentError,
    HenroError,
    IllegalActionError,
    OptionError,
    PositionError,
    ProtocolError,
    RecordError,
    StateError,
    UnknownGameError,
    ViewError,
)
from henro.game import (
    Game,
    InformationSet,
    Playouts,
    State,
    game_options,
    games,
    load_game,
    perft,
)
from henro.search import (
    LEVELS,
    PRESETS,
    SEARCH_OPTIONS,
    Clock,
    Engine,
    Level,
    Move,
    Preset,
    SearchOption,
    SearchOptions,
    SearchResult,
    parse_search_options,
)

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "LEVELS",
    "PRESETS",
    "SEARCH_OPTIONS",
    "TERMINAL",
    "Clock",
    "ComponentError",
    "Engine",
    "Game",
    "HenroError",
    "IllegalActionError",
    "InformationSet",
    "Level",
    "Move",
    "OptionError",
    "Playouts",
    "PositionError",
    "Preset",
    "ProtocolError",
    "RecordError",
    "SearchOption",
    "SearchOptions",
    "SearchResult",
    "State",
    "StateError",
    "UnknownGameError",
    "ViewError",
    "game_options",
    "games",
    "load_game",
    "parse_search_options",
    "perft",
]

"""Loading games: a rule set at one player count with one component set."""

import os
from typing import Literal, overload

from henro import _core
from henro import components as component_sets
from henro.errors import OptionError, UnknownGameError

Game = _core.Game
State = _core.State
InformationSet = _core.InformationSet
Playouts = _core.Playouts


def games() -> dict[str, tuple[int, int]]:
    """The games of this build: name -> (fewest, most players)."""
    return {name: (low, high) for name, low, high in _core.games()}


def game_options(name: str) -> dict[str, list[str]]:
    """The options of a game and their values, the default first. Raises UnknownGameError."""
    return _core.game_options(name)


def load_game(
    name: str,
    players: int | None = None,
    components: str | os.PathLike[str] | None = None,
    **options: str,
) -> Game:
    """A game to play, search and analyse.

    `players` is the smallest number the game allows if left out. `components` is a component
    file, a set id such as ``shikoku/default`` (optionally with its hash), or None for the default
    set. Further keywords are options of the game, see `game_options`.

    Raises UnknownGameError, OptionError or ComponentError, naming what is wrong.
    """
    known = games()
    if name not in known:
        raise UnknownGameError(f"unknown game {name!r}; this build knows: {', '.join(known)}")
    low, high = known[name]
    count = low if players is None else players
    if isinstance(count, bool) or not isinstance(count, int) or not low <= count <= high:
        raise OptionError(f"{name} is for {low} to {high} players, not {count!r}")
    component_set = component_sets.load(name, components)
    texts = {key: str(value) for key, value in options.items()}
    return _core.make_game(
        name, count, component_set.id, component_set.tables, component_set.names, texts
    )


@overload
def perft(state: State, depth: int, divide: Literal[False] = False) -> int: ...
@overload
def perft(state: State, depth: int, divide: Literal[True]) -> dict[str, int]: ...
def perft(state: State, depth: int, divide: bool = False) -> int | dict[str, int]:
    """Number of sequences of `depth` actions from a state, chance events counted as actions.

    A game that ends earlier counts once. With `divide`, the count behind each first action by
    its text. Ctrl-C is heeded between the first two plies.
    """
    if depth < 0:
        raise OptionError(f"depth is a whole number from 0, not {depth}")
    counts = {
        state.action_to_string(action): _count(child, depth - 1)
        for action, child in _children(state, depth)
    }
    if divide:
        return counts
    return sum(counts.values()) if counts else 1


def _children(state: State, depth: int) -> list[tuple[int, State]]:
    if depth == 0 or state.is_terminal():
        return []
    if state.is_chance_node():
        actions = [action for action, _ in state.chance_outcomes()]
    else:
        actions = state.legal_actions()
    children = []
    for action in actions:
        child = state.clone()
        child.apply_action(action)
        children.append((action, child))
    return children


def _count(state: State, depth: int) -> int:
    children = _children(state, depth)
    return sum(child.perft(depth - 1) for _, child in children) if children else 1

"""Random games, and positions met in them."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache

import henro
from tests.families.cases import Case

GAMES_TO_MEET_ALL = 60
"""Random games that meet every kind of ply at least once, rare kinds included."""


def random_action(state: henro.State, rng: random.Random) -> int:
    if state.is_chance_node():
        return state.sample_chance(rng.getrandbits(64))
    return rng.choice(state.legal_actions())


def random_game(game: henro.Game, rng: random.Random) -> Iterator[henro.State]:
    """Every state of a random game, from the first to the last; one object that moves on."""
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(random_action(state, rng))
    yield state


def played(game: henro.Game, history: Iterable[int]) -> henro.State:
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def last_seen(state: henro.State, seat: int) -> henro.State:
    """The first position since which nothing has changed for the seat: where its worlds stand.

    That is the state itself unless others have moved without being seen.
    """
    seen, view, history = state, state.view(seat), state.history()
    while history:
        history.pop()
        before = played(state.game, history)
        if before.view(seat) != view:
            break
        seen = before
    return seen


@cache
def positions(case: Case, per_kind: int) -> tuple[henro.State, ...]:
    """So many positions of every kind of ply, one a game for each kind. Clone before applying.

    Every other one, and the first, is an early one of its kind: there more is hidden.
    """
    rng = random.Random(f"positions of {case}")
    found: dict[str, list[henro.State]] = {kind: [] for kind in sorted(case.adapter.kinds)}
    for _ in range(GAMES_TO_MEET_ALL * per_kind):
        for kind, met in _by_kind(case, random_game(case.game, rng)).items():
            if len(found[kind]) < per_kind:
                early = met[: len(met) // 4 + 1]
                found[kind].append(rng.choice(met if len(found[kind]) % 2 else early))
        if all(len(states) == per_kind for states in found.values()):
            return tuple(state for states in found.values() for state in states)
    raise AssertionError(f"{case}: too few plies of a kind in {found}")


def _by_kind(case: Case, states: Iterator[henro.State]) -> dict[str, list[henro.State]]:
    met: defaultdict[str, list[henro.State]] = defaultdict(list)
    for state in states:
        met[case.adapter.kind(state)].append(state.clone())
    return met


def seats(case: Case) -> range:
    return range(case.players)

"""Exact values by brute force through the API, for positions close to the end."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

import henro

Values = tuple[float, ...]
"""The expected utility of each seat."""
Matrix = npt.NDArray[np.float64]
"""What seat 0 gets, by its choice (row) and that of seat 1 (column)."""


def after(state: henro.State, *moves: str | int) -> henro.State:
    """The position after these moves and all that is forced then, chance of one outcome too."""
    state = state.clone()
    for move in moves:
        state.apply(move) if isinstance(move, str) else state.apply_action(move)
        while not state.is_terminal() and len(forced := possible(state)) == 1:
            state.apply_action(forced[0])
    return state


def possible(state: henro.State) -> list[int]:
    if state.is_chance_node():
        return [action for action, _ in state.chance_outcomes()]
    return state.legal_actions()


# -- open positions ------------------------------------------------------------------------------


def open_values(state: henro.State) -> set[Values]:
    """Expected utilities if all seats know everything and each maximises its own: max^n.

    A seat to whom moves are equal may choose any of them, so there may be several values; at most
    a few are expected. At a chance event each combination of what can follow is one.
    """
    if state.is_terminal():
        return {tuple(state.returns())}
    if state.is_chance_node():
        sums = {(0.0,) * state.game.players}
        for action, probability in state.chance_outcomes():
            sums = {
                tuple(a + probability * b for a, b in zip(have, more, strict=True))
                for have in sums
                for more in open_values(after(state, action))
            }
        return _distinct(sums)
    seat = state.current_player()
    following = [open_values(after(state, action)) for action in state.legal_actions()]
    least = max(min(values[seat] for values in each) for each in following)
    return _distinct(
        {values for each in following for values in each if values[seat] >= least - 1e-9}
    )


def _distinct(values: set[Values]) -> set[Values]:
    return {tuple(round(value, 12) for value in each) for each in values}


def move_values(state: henro.State) -> dict[str, float]:
    """What each move is worth to the seat to move, where that is the same whatever others choose
    among moves that are equal to them."""
    seat = state.current_player()
    worth: dict[str, float] = {}
    for action in state.legal_actions():
        [worth[state.action_to_string(action)]] = {
            values[seat] for values in open_values(after(state, action))
        }
    return worth


# -- two seats that choose unseen ----------------------------------------------------------------


def payoffs(
    state: henro.State,
    replies: Sequence[Sequence[str]],
    value: Callable[[henro.State], float],
) -> Matrix:
    """A row for each move of seat 0, to move here; a column for each way of seat 1 to reply."""
    return np.array(
        [[value(after(state, move, *reply)) for reply in replies] for move in texts(state)]
    )


def texts(state: henro.State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def seen(matrix: Matrix) -> float:
    """What seat 0 gets if seat 1 knows its choice."""
    return float(matrix.min(axis=1).max())


def equilibrium(matrix: Matrix) -> tuple[float, Matrix]:
    """The value of the zero-sum game, and the strategy of seat 0: shares of its moves."""
    rows, columns = matrix.shape
    solved = linprog(
        [*[0] * rows, -1],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*[1] * rows, 0]],
        b_eq=[1],
        bounds=[*[(0, 1)] * rows, (None, None)],
    )
    return float(solved.x[-1]), solved.x[:-1]

"""What a position asks for."""

import henro

END = "end"


def ply_kind(state: henro.State) -> str:
    """The first word of the actions possible here: `deal`, `play`, ...; `end` when it is over."""
    actions = possible_actions(state)
    return state.action_to_string(actions[0]).split(":")[0] if actions else END


def possible_actions(state: henro.State) -> list[int]:
    """Legal moves, or outcomes of the chance event; none at the end."""
    if state.is_chance_node():
        return [action for action, _ in state.chance_outcomes()]
    return state.legal_actions()

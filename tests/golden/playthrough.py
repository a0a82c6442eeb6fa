"""A recorded game as a text that a person reads and `git diff` compares.

Each ply is one line: who decides among what, and after the arrow what was done, and how it looks to
those who may not see it. A changed score follows. At the first ply of each kind, every 20th ply and
the end stand all views (that of seat 0 in full, of the others what differs from it) and the
checksums of the observation tensors.
"""

import random
import re
import zlib
from collections.abc import Sequence
from pathlib import Path

import henro
from tests.families.cases import CASES, Case
from tests.families.plies import ply_kind, possible_actions
from tests.families.walks import random_action, seats

VIEWS_EVERY = 20
VARIANTS = [
    Case("shogun", 3, "board=moon"),
    Case("shogun", 4, "setup=lineup"),
    Case("shogun", 4, "tower=won"),
    Case("shogun", 5, "tower=sbw"),
]
"""Options that make no case of the families, each once."""
RECORDED = [*CASES, *VARIANTS]


def path(case: Case) -> Path:
    name = re.sub(r"\W", "_", str(case))
    return Path(__file__).parent / f"{name}.txt"


def recorded_moves(text: str) -> list[str]:
    return re.findall(r" -> (\S+)", text)


def moves_for(case: Case, wanted: Sequence[str]) -> list[str]:
    """A whole game: the wanted moves as far as they are possible, then random ones."""
    rng = random.Random(f"playthrough of {case}")
    state = case.game.new_initial_state()
    for text in wanted:
        possible = [state.action_to_string(action) for action in possible_actions(state)]
        if text not in possible:
            break
        state.apply(text)
    while not state.is_terminal():
        state.apply_action(random_action(state, rng))
    return [state.action_to_string(action) for action in state.history()]


def render(case: Case, moves: Sequence[str]) -> str:
    """The text of the game that these moves make, or of its beginning up to a move refused."""
    game, state = case.game, case.game.new_initial_state()
    lines = [
        ", ".join(
            filter(None, [game.name, f"{game.players} players", game.components_id, case.options])
        ),
        f"{game.num_distinct_actions} actions, state of {game.state_bytes} bytes, "
        f"tensor {game.observation_tensor_shape}",
    ]
    kinds: set[str] = set()
    for ply, text in enumerate(moves):
        if ply_kind(state) not in kinds or ply % VIEWS_EVERY == 0:
            kinds.add(ply_kind(state))
            lines += views(case, state)
        scores = state.scores()
        line = f"{ply} {chooser(state)}"
        try:
            events = seen(state, text)
            state.apply(text)
        except henro.HenroError as error:
            return "\n".join([*lines, f"{line} => {text}: {error}", ""])
        lines.append(f"{line} -> {text}{events}")
        if state.scores() != scores:
            lines.append(f"    scores {numbers(state.scores())}")
    lines += [*views(case, state), *result(state)]
    return "\n".join([*lines, ""])


def chooser(state: henro.State) -> str:
    texts = [state.action_to_string(action) for action in possible_actions(state)]
    if not state.is_chance_node():
        return f"seat {state.current_player()} of {' '.join(texts) or 'nothing'}"
    probabilities = sorted({f"{probability:.6g}" for _, probability in state.chance_outcomes()})
    return f"chance of {len(texts)}, {texts[0]} to {texts[-1]}, each {' or '.join(probabilities)}"


def seen(state: henro.State, text: str) -> str:
    """How the seats that see something else than the action are told of it."""
    others: dict[str, list[int]] = {}
    for seat, told in enumerate(state.events(state.string_to_action(text))):
        shown = " ".join(f"{subject} {part}" for subject, part in told) or "nothing"
        if not shown.endswith(f" {text}"):
            others.setdefault(shown, []).append(seat)
    return "".join(f"  [{shown} for {numbers(group)}]" for shown, group in others.items())


def views(case: Case, state: henro.State) -> list[str]:
    full, *others = [state.view(seat) for seat in seats(case)]
    common = set(full.split())
    differing = [" ".join(part for part in view.split() if part not in common) for view in others]
    sums = [zlib.crc32(state.observation_tensor(seat).tobytes()) for seat in seats(case)]
    return [
        "",
        f"    view 0: {full}",
        *(f"    view {seat}: {parts}" for seat, parts in enumerate(differing, start=1)),
        f"    tensors {' '.join(f'{value:08x}' for value in sums)}",
        "",
    ]


def result(state: henro.State) -> list[str]:
    if not state.is_terminal():
        return ["the game goes on"]
    return [
        f"end: scores {numbers(state.scores())}, ranks {numbers(state.ranks())}, "
        f"utilities {numbers(state.returns())}"
    ]


def numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)

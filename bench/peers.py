"""henro beside OpenSpiel in the same run, one core: 4-player Shikoku against 4-player hearts.

Games differ, so rates are per move (a decision of a seat) or per search iteration. Hearts is the
peer's hidden-information card game of like length with the same number of seats. Run by
`make peers`; prints the figures and ratios, with --json for programs.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import henro

try:
    import pyspiel
except ImportError:
    raise SystemExit("bench/peers.py needs OpenSpiel: pip install open_spiel") from None


def rate(work: Callable[[], int], rounds: int) -> float:
    """Median units per second over the rounds."""
    rates = []
    for _ in range(rounds):
        began = time.perf_counter()
        units = work()
        rates.append(units / (time.perf_counter() - began))
    return statistics.median(rates)


def first_decision(game: Any, sample: Callable[[Any], int]) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(sample(state))
    return state


def spiel_chance(rng: random.Random) -> Callable[[Any], int]:
    def sample(state: Any) -> int:
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        return rng.choices(actions, weights)[0]

    return sample


def play_on(starts: list[Any], rng: random.Random) -> int:
    """Random games driven from Python after the deal; the number of decisions."""
    moves, seed = 0, 0
    for start in starts:
        state = start.clone()
        while not state.is_terminal():
            legal = state.legal_actions()
            if legal:
                state.apply_action(legal[int(rng.random() * len(legal))])
                moves += 1
            else:  # a draw in Shikoku; hearts has no chance event after the deal
                seed += 1
                state.apply_action(state.sample_chance(seed))
    return moves


def rollouts(rounds: int) -> tuple[float, float]:
    """Moves per second of random rollouts inside the two cores, from the start of play."""
    game = henro.load_game("shikoku", players=4)
    state = first_decision(game, lambda s: s.sample_chance(5))
    ours = rate(lambda: state.playouts(200_000, 1).plies, rounds)

    # The peer's way to roll out inside its core: each simulation of its MCTS evaluates a
    # leaf by a batch of rollouts. Leaves lie one or two moves deep; 51 moves are counted for each.
    hearts = pyspiel.load_game("hearts(pass_cards=false)")
    start = first_decision(hearts, spiel_chance(random.Random(5)))
    start.apply_action(start.legal_actions()[0])  # the first lead is forced
    batch, simulations = 500, 4
    evaluator = pyspiel.RandomRolloutEvaluator(batch, 1)
    bot = pyspiel.MCTSBot(hearts, evaluator, 0.7, simulations, 100, False, 1, False)

    def theirs() -> int:
        bot.step(start)
        return batch * simulations * 51

    return ours, rate(theirs, rounds)


def searches(rounds: int, nodes: int) -> tuple[float, float]:
    """Search iterations per second with full playouts, averaged over the decisions of a game."""
    game = henro.load_game("shikoku", players=4)
    engine = henro.Engine(game, playouts="uniform", priors=0.0)

    def ours() -> int:
        state, total, i = game.new_initial_state(), 0, 0
        while not state.is_terminal():
            i += 1
            if state.is_chance_node():
                state.apply_action(state.sample_chance(i))
                continue
            found = engine.search(state, nodes=10 * nodes)
            total += found.nodes
            state.apply_action(found.best)
        return total

    # Deal 1 is one that the peer's bot plays to the end; on some deals OpenSpiel 2.0.2 crashes.
    hearts = pyspiel.load_game("hearts(pass_cards=false)")
    start = first_decision(hearts, spiel_chance(random.Random(1)))
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)  # the bot does not keep it alive
    policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT

    def theirs() -> int:
        state, total = start.clone(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            if len(legal) > 1:
                total += nodes
                bot = pyspiel.ISMCTSBot(1, evaluator, 0.7, nodes, -1, policy, False, False)
                state.apply_action(bot.step(state))
            else:
                state.apply_action(legal[0])
        return total

    return rate(ours, rounds), rate(theirs, rounds)


def driving(rounds: int) -> tuple[float, float]:
    """Moves per second of random games driven move by move from Python."""
    game = henro.load_game("shikoku", players=4)
    ours = [first_decision(game, lambda s, i=i: s.sample_chance(i)) for i in range(100)]
    hearts = pyspiel.load_game("hearts(pass_cards=false)")
    theirs = [first_decision(hearts, spiel_chance(random.Random(i))) for i in range(100)]
    rng = random.Random(1)
    return rate(lambda: play_on(ours, rng), rounds), rate(lambda: play_on(theirs, rng), rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds; the median counts")
    parser.add_argument("--nodes", type=int, default=300, help="the peer's iterations a move")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    figures = {
        "random rollouts, moves/s": rollouts(args.rounds),
        "search, iterations/s": searches(max(1, args.rounds // 2), args.nodes),
        "driven from Python, moves/s": driving(args.rounds),
    }
    if args.json:
        rows = {
            name: {"henro": ours, "openspiel": theirs, "ratio": ours / theirs}
            for name, (ours, theirs) in figures.items()
        }
        print(json.dumps(rows, indent=2))
        return
    print(f"{'':30} {'henro':>14} {'OpenSpiel':>14} {'ratio':>8}")
    for name, (ours, theirs) in figures.items():
        print(f"{name:30} {ours:14,.0f} {theirs:14,.0f} {ours / theirs:8.1f}")


if __name__ == "__main__":
    main()

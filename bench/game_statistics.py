"""How games go and end, by number of players: random games and games between equal engines.

    python bench/game_statistics.py shikoku --games 10000 --engine-games 500 --nodes 1000

Prints markdown tables. The same arguments give the same figures on every machine.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import henro
from henro.arena.config import parse_options
from henro.cli.options import search_options
from henro.errors import HenroError

COLUMNS = (
    "players",
    "games",
    "decisions a game",
    "wins by seat",
    "wins by turn",
    "final score",
    "nobody wins",
    "one wins",
    "several win",
)

Policy = Callable[[henro.State], int]


def _shugendo_reasons(final: henro.State) -> list[str]:
    """What ended a game of Shugendo; several reasons can come together."""
    fields = dict(part.partition("=")[::2] for part in final.serialize().split()[1:])
    reasons = {
        "15 VP": max(map(int, fields["score"].split(","))) >= 15,
        "Age 5": "5" in fields["age"].split(","),
        "third Prefecture": fields["prefectures"].split("/")[2] != "-",
    }
    return [reason for reason, holds in reasons.items() if holds] or ["round 60"]


REASONS: dict[str, Callable[[henro.State], list[str]]] = {"shugendo": _shugendo_reasons}
"""Why a finished game is over, of the games that end in more than one way."""


@dataclass
class Totals:
    """Sums over games at one player count.

    `by_seat` and `by_turn` count games won, by the number of the seat and by its place in the
    order in which seats first decided; `winners` counts games by their number of winners.
    """

    by_seat: list[int]
    by_turn: list[int]
    games: int = 0
    decisions: int = 0
    score: int = 0
    winners: Counter[int] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, final: henro.State, deciders: list[int]) -> None:
        """Counts a game that is over; `deciders` has the seat of each decision."""
        won = [rank == 1 for rank in final.ranks()]
        for seat, win in enumerate(won):
            self.by_seat[seat] += win
        for turn, seat in enumerate(dict.fromkeys(deciders)):
            self.by_turn[turn] += won[seat]
        self.games += 1
        self.decisions += len(deciders)
        self.score += sum(final.scores())
        self.winners[sum(won)] += 1
        if reasons_of := REASONS.get(final.game.name):
            self.reasons.update(reasons_of(final))

    def row(self) -> list[str]:
        """The cells of COLUMNS, and the reasons for the end if there are several."""
        games, players = self.games, len(self.by_seat)
        none, one = self.winners[0], self.winners[1]
        cells = [
            str(players),
            str(games),
            f"{self.decisions / games:.1f}",
            *(" ".join(f"{n / games:.2f}" for n in wins) for wins in (self.by_seat, self.by_turn)),
            f"{self.score / games / players:.1f}",
            *(f"{count / games:.2%}" for count in (none, one, games - none - one)),
        ]
        ends = ", ".join(f"{why} {n / games:.1%}" for why, n in sorted(self.reasons.items()))
        return [*cells, ends] if ends else cells


def totals(game: henro.Game, games: int, policy: Policy, rng: random.Random) -> Totals:
    """Statistics of `games` games in which `policy` decides for every seat."""
    found = Totals([0] * game.players, [0] * game.players)
    for _ in range(games):
        state, deciders = game.new_initial_state(), list[int]()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(rng))
            else:
                deciders.append(state.current_player())
                state.apply_action(policy(state))
        found.add(state, deciders)
    return found


def random_row(game: henro.Game, games: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return totals(game, games, lambda state: rng.choice(state.legal_actions()), rng).row()


def greedy_row(game: henro.Game, games: int, seed: int) -> list[str]:
    def rule_of_thumb(state: henro.State) -> int:
        return state.information_set(state.current_player()).greedy()

    return totals(game, games, rule_of_thumb, random.Random(seed)).row()


def engine_row(
    game: henro.Game, games: int, seed: int, nodes: int, options: henro.SearchOptions
) -> list[str]:
    engine = henro.Engine(game, seed=seed, **options)

    def search(state: henro.State) -> int:
        actions = state.legal_actions()
        return actions[0] if len(actions) == 1 else engine.search(state, nodes=nodes).best

    return totals(game, games, search, random.Random(seed)).row()


def print_table(title: str, rows: list[list[str]]) -> None:
    print(f"{title}\n")
    columns = [*COLUMNS, "ended by"][: len(rows[0])]
    for cells in (columns, ["---"] * len(columns), *rows):
        print(f"| {' | '.join(cells)} |")
    print()


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=list(henro.games()))
    parser.add_argument("--players", type=int, help="one player count instead of all")
    parser.add_argument("--games", type=int, default=10_000, help="random games a player count")
    parser.add_argument("--greedy-games", type=int, default=0, help="games by the rule of thumb")
    parser.add_argument("--engine-games", type=int, default=0, help="games between engines")
    parser.add_argument("--nodes", type=int, default=1000, help="iterations a move of an engine")
    parser.add_argument(
        "--set", action="append", metavar="NAME=VALUE", help="search option of the engines"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="of the game"
    )
    args = parser.parse_args(argv)
    least = {"games": 0, "greedy_games": 0, "engine_games": 0, "nodes": 1, "seed": 0}
    for name, low in least.items():
        if getattr(args, name) < low:
            parser.error(f"--{name.replace('_', '-')} is a whole number from {low}")
    return args


def run(args: argparse.Namespace) -> None:
    low, high = henro.games()[args.game]
    counts = range(low, high + 1) if args.players is None else [args.players]
    options, how = parse_options(args.option), search_options(args.set)
    loaded = [henro.load_game(args.game, players=players, **options) for players in counts]
    if args.games:
        rows = [random_row(game, args.games, args.seed) for game in loaded]
        print_table("Random games", rows)
    if args.greedy_games:
        rows = [greedy_row(game, args.greedy_games, args.seed) for game in loaded]
        print_table("Games by the rule of thumb", rows)
    if args.engine_games:
        rows = [engine_row(game, args.engine_games, args.seed, args.nodes, how) for game in loaded]
        print_table(f"Engines, {args.nodes} iterations a move", rows)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit codes: 0 done, 1 stopped before the end, 2 wrong call."""
    args = arguments(argv)
    try:
        run(args)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 1
    except HenroError as error:
        print(f"game_statistics.py: error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

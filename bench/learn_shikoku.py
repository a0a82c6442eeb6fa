"""Fits the network that evaluates Shikoku at the start of a round, with all hands open.

    python bench/learn_shikoku.py --out gen1 --set horizon=inf --write   # playouts without it
    make build
    python bench/learn_shikoku.py --out gen2 --also gen1 --start gen1 --write   # and with it

The engine plays against itself; every start of a round is kept with who won in the end, in a file
for each number of players. From these two networks are fitted, for 3 and 4 players, where one place
wins, and for 5 to 8. After each epoch a line tells the cross-entropy on every tenth game, which
is not learned from, and in brackets that of a constant guess. --write puts both into network.cpp.

Called again, the script plays what is missing and fits anew; with --start it goes on from the
weights of a folder, which may be --out itself. The same arguments give the same games on every
machine. Games belong to one build: after `make build` with other weights, take another --out.

The weights that come with henro were learned in six rounds from about 240,000 games with 150 to
300 iterations a move and a share of 0.05 to 0.1 random moves: the first with playouts to the end,
the others with the network of the round before, in the last three (4 and 6 players alone) --weak
0.4 or 0.7. Then both networks were fitted anew to the games of all rounds, but for the first of 4
players, in 12 to 19 epochs. Held-out cross-entropies, and of the constant guess: 0.662 (0.684) with
3 players, 0.668 (0.689) with 4, 0.667 (0.693) with 5, 0.676 (0.691) with 6, 0.673 (0.693) with 7
and 0.677 (0.693) with 8.
"""

import argparse
import itertools
import multiprocessing
import os
import random
import signal
import sys
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import henro
from henro import components
from henro.cli.options import search_options
from henro.errors import HenroError, RecordError

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.floating[Any]]

NETWORKS = {"one_place_wins": (3, 4), "two_places_win": (5, 6, 7, 8)}
"""The networks, and the numbers of players that each is for."""

CARDS = PAGODA = 33
WIDTH, ONE = 128, 256
MOST_SEAT, MOST_HIDDEN = 2, 4
"""As in network.hpp: width of both layers, what stands for 1, and the most that goes through."""

ENCODING = {"hand": CARDS, "step": PAGODA + 1, "turn": 33, "previous": CARDS, "deck": 3}
"""What the first layer sees of a seat, and how many inputs, each 0 or 1, tell it."""

LARGEST = (1 << 11) - 1
"""Of a weight, in 1/ONE: none of the sums in network.hpp can then exceed 32 bits."""

STARTS: dict[str, tuple[tuple[int, ...], float, float]] = {
    "seat": ((sum(ENCODING.values()), WIDTH), 0, 0.15),
    "seat_bias": ((WIDTH,), 0.1, 0),
    "own": ((WIDTH, WIDTH), 0, WIDTH**-0.5),
    "all": ((WIDTH, WIDTH), 0, 0.3 * WIDTH**-0.5),
    "distance": ((2 * PAGODA - 1, WIDTH), 0, 0.2),
    "hidden_bias": ((WIDTH,), 0.1, 0),
    "win": ((WIDTH,), 0, WIDTH**-0.5),
    "win_bias": ((1,), 0, 0),
}
"""Weights by name: shape, mean and deviation of the random values that fitting starts with."""

WEAKER = ("greedy", "random", "flat")
"""Presets that share the table with the searches, so that these do not expect too much of all."""

BATCH = 1024
RATE, LAST_RATE, WARM_UP = 2e-3, 2e-5, 200
"""Size of a step of Adam: it grows to RATE in the first WARM_UP, then falls to LAST_RATE."""

LAMBDA = 0.4
OUTCOME_EPOCHS = 2
"""So many epochs learn the outcome alone, until the values of a new network mean something."""

HELD_OUT, SPAN = 10, 100
"""One game in how many is held out, and after how many games the file is written."""

NETWORK_CPP = Path(__file__).parents[1] / "csrc" / "games" / "shikoku" / "network.cpp"

# Self-play


@dataclass(frozen=True)
class SelfPlay:
    """How games are played: `nodes` iterations a move, or with odds `random` any legal move.

    In a share `weak` of the games every seat is, with even odds, a weaker player: WEAKER.
    """

    nodes: int
    random: float
    weak: float
    seed: int
    settings: tuple[str, ...]


def layout(players: int) -> np.dtype[np.void]:
    """A start of a round: sets of cards have bit c for card c, `winners` has bit p for seat p."""
    seats = [("steps", "u1", players), ("order", "u1", players), ("hands", "<u8", players)]
    return np.dtype(
        [("game", "<u4"), *seats, ("previous", "<u8"), ("deck", "u1"), ("winners", "u1")]
    )


def play_game(how: SelfPlay, players: int, component_set: str | None, number: int) -> Array:
    """The starts of all rounds of a game."""
    game = henro.load_game("shikoku", players, component_set)
    rng = random.Random(f"{how.seed} {players} {number}")
    seats = engines(game, how, rng)
    state, starts = game.new_initial_state(), list[tuple[object, ...]]()
    while not state.is_terminal():
        parts = dict(part.split("=") for part in state.serialize().split()[1:])
        if (parts["phase"], parts["turn"]) == ("play", "0"):
            starts.append(board(parts))
        state.apply_action(choice(state, how, seats, rng))
    winners = sum(1 << seat for seat, utility in enumerate(state.returns()) if utility)
    return np.array([(number, *start, winners) for start in starts], layout(players))


def engines(game: henro.Game, how: SelfPlay, rng: random.Random) -> list[henro.Engine]:
    """Who plays which seat."""
    mixed = rng.random() < how.weak
    seats = []
    for _ in range(game.players):
        weaker = mixed and rng.random() < 0.5
        preset = rng.choice(WEAKER) if weaker else "default"
        options = search_options([*how.settings]) if preset == "default" else {}
        seats.append(henro.Engine(game, preset, seed=rng.getrandbits(64), **options))
    return seats


def board(parts: dict[str, str]) -> tuple[object, ...]:
    """What `layout` has between game and winners, from the parts of a position's text."""
    steps, order = ([int(entry) for entry in parts[key].split(",")] for key in ("steps", "order"))
    hands = [card_set(hand.lstrip("+").replace("+", ",")) for hand in parts["hands"].split("/")]
    return steps, order, hands, card_set(parts["previous"]), int(parts["deck"])


def card_set(cards: str) -> int:
    return sum(1 << int(card) for card in cards.split(","))


def choice(state: henro.State, how: SelfPlay, seats: list[henro.Engine], rng: random.Random) -> int:
    if state.is_chance_node():
        return state.sample_chance(rng)
    legal = state.legal_actions()
    if len(legal) == 1 or rng.random() < how.random:
        return rng.choice(legal)
    return seats[state.current_player()].search(state, nodes=how.nodes).best


def play(pool: Pool, how: SelfPlay, players: int, args: argparse.Namespace) -> None:
    """Add to the file of this number of players until it has all games."""
    file, icons = games_file(args.out, players), icons_of(args.components)
    positions: Array = np.empty(0, layout(players))
    if file.exists():
        positions, played = read_games(file, icons)
        if played != str(how):
            raise RecordError(f"{file}: has games of {played}; take another --out for {how}")
    done = int(positions["game"][-1]) + 1 if len(positions) else 0
    while done < args.games:
        span = range(done, min(done + SPAN, args.games))
        play_one = partial(play_game, how, players, args.components)
        positions = np.concatenate([positions, *pool.map(play_one, span, chunksize=1)])
        done = span.stop
        save(file, positions=positions, icons=np.array(icons), played=np.array(str(how)))
        print(f"{players} players: {done} of {args.games} games", flush=True)


# Files


def icons_of(component_set: str | None) -> list[int]:
    """Icons by the number of the card; there is no card 0."""
    return [0, *(icons for _, icons in components.load("shikoku", component_set).tables["cards"])]


def games_file(folder: Path, players: int) -> Path:
    return folder / f"games-{players}.npz"


def weights_file(folder: Path, network: str) -> Path:
    return folder / f"{network}.npz"


def save(file: Path, **arrays: Any) -> None:
    """Write all of it or nothing."""
    part = file.with_suffix(".part")
    with part.open("wb") as out:
        np.savez(out, **arrays)
    part.replace(file)


def read(file: Path, *names: str) -> dict[str, Array]:
    """Arrays by name, of those that `save` wrote; raises OSError or RecordError."""
    try:
        with np.load(file) as stored:
            return {name: stored[name] for name in names}
    except (ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise RecordError(f"{file}: cannot be read: {error}") from None


def read_games(file: Path, icons: list[int]) -> tuple[Array, str]:
    """The positions of a file and how they were played; raises OSError or RecordError."""
    stored = read(file, "positions", "icons", "played")
    if stored["icons"].tolist() != icons:
        raise RecordError(f"{file}: was played with other icons, see --components")
    return stored["positions"], str(stored["played"])


def read_weights(file: Path) -> dict[str, Floats]:
    """The weights of a network by name; raises OSError or RecordError."""
    weights = read(file, *STARTS)
    for name, (shape, _, _) in STARTS.items():
        if weights[name].shape != shape:
            raise RecordError(f"{file}: {name} has shape {weights[name].shape}, not {shape}")
    return weights


# The network


def inputs(positions: Array) -> tuple[Floats, Floats]:
    """What the first layer sees, (positions, seats, inputs of ENCODING), and how many others are
    how far from each seat, (positions, seats, distances)."""
    count, players = positions["order"].shape
    steps = positions["steps"].astype(int)
    turn = (players - 3) * (players + 2) // 2 + np.argsort(positions["order"], axis=1)
    deck = one_hot(np.minimum(positions["deck"], 2), 3)
    of_all = np.concatenate([cards(positions["previous"]), deck], axis=1)
    of_seats = [
        cards(positions["hands"]),
        one_hot(steps, ENCODING["step"]),
        one_hot(turn, ENCODING["turn"]),
        np.broadcast_to(of_all[:, None], (count, players, of_all.shape[1])),
    ]
    apart = steps[:, None, :] - steps[:, :, None] + PAGODA - 1
    distances = one_hot(apart, 2 * PAGODA - 1).sum(axis=2)
    distances[..., PAGODA - 1] -= 1  # the seat itself
    return np.concatenate(of_seats, axis=2), distances


def one_hot(index: Array, size: int) -> Floats:
    return np.eye(size, dtype=np.float32)[index]


def cards(sets: Array) -> Floats:
    return (sets[..., None] >> np.arange(1, CARDS + 1, dtype=np.uint64) & np.uint64(1)).astype("f4")


def sigmoid(logits: Floats) -> Floats:
    return 1 / (1 + np.exp(-logits))


class Network:
    """network.hpp in real numbers, and Adam (Kingma and Ba, 2015) to fit it."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = weights
        self._mean = {name: np.zeros_like(array) for name, array in weights.items()}
        self._square = {name: np.zeros_like(array) for name, array in weights.items()}
        self._steps = 0

    def values(self, positions: Array) -> Floats:
        """The probability of each seat to win, (positions, seats)."""
        parts = np.split(positions, range(BATCH, len(positions), BATCH))
        return np.concatenate([sigmoid(self._forward(*inputs(part))[-1]) for part in parts])

    def learn(self, positions: Array, targets: Floats, rate: float) -> None:
        """One step towards the targets, (positions, seats)."""
        w, (seen, distances) = self.weights, inputs(positions)
        seat, shown, hidden, active, logits = self._forward(seen, distances)
        d_logits = (sigmoid(logits) - targets)[..., None] / targets.size
        d_hidden = d_logits * w["win"] * ((hidden > 0) & (hidden < MOST_HIDDEN))
        d_total = d_hidden.sum(axis=1, keepdims=True)
        d_shown = d_hidden @ w["own"].T + d_total @ w["all"].T
        d_seat = d_shown * ((seat > 0) & (seat < MOST_SEAT))
        gradient = {
            "seat": product(seen, d_seat),
            "seat_bias": d_seat.sum((0, 1)),
            "own": product(shown, d_hidden),
            "all": product(shown.sum(axis=1, keepdims=True), d_total),
            "distance": product(distances, d_hidden),
            "hidden_bias": d_hidden.sum((0, 1)),
            "win": product(active, d_logits)[:, 0],
            "win_bias": d_logits.sum((0, 1)),
        }
        self._steps += 1
        for name, slope in gradient.items():
            mean = self._mean[name] = 0.9 * self._mean[name] + 0.1 * slope
            square = self._square[name] = 0.999 * self._square[name] + 0.001 * slope**2
            deviation = np.sqrt(square / (1 - 0.999**self._steps))
            w[name] -= rate * mean / (1 - 0.9**self._steps) / (deviation + 1e-8)

    def _forward(self, seen: Floats, distances: Floats) -> tuple[Floats, ...]:
        """Both layers before and after cutting off, and the logits."""
        w = self.weights
        seat = seen @ w["seat"] + w["seat_bias"]
        shown = np.clip(seat, 0, MOST_SEAT)
        total = shown.sum(axis=1, keepdims=True) @ w["all"] + w["hidden_bias"]
        hidden = shown @ w["own"] + total + distances @ w["distance"]
        active = np.clip(hidden, 0, MOST_HIDDEN)
        return seat, shown, hidden, active, active @ w["win"] + w["win_bias"]


def product(values: Floats, slopes: Floats) -> Floats:
    """The gradient of a matrix, summed over positions and seats."""
    return values.reshape(-1, values.shape[-1]).T @ slopes.reshape(-1, slopes.shape[-1])


# Fitting


class Sample:
    """The games of a file: positions to learn by targets, and those held out."""

    def __init__(self, file: Path, icons: list[int]) -> None:
        positions, _ = read_games(file, icons)
        held_out = positions["game"] % HELD_OUT == 0
        if held_out.all():
            raise RecordError(f"{file}: has nothing to learn from, take more --games")
        self.name = f"{file.parent.name}/{file.stem}"
        self.learned, self.held_out = positions[~held_out], positions[held_out]
        self.targets = outcomes(self.learned)

    def batches(self, rng: np.random.Generator) -> list[tuple[Array, Floats]]:
        order = rng.permutation(len(self.learned))
        parts = np.array_split(order, len(order) // BATCH + 1)
        return [(self.learned[part], self.targets[part]) for part in parts]

    def score(self, network: Network) -> str:
        won = outcomes(self.held_out)
        guess = cross_entropy(np.full_like(won, won.mean()), won)
        return f"{self.name} {cross_entropy(network.values(self.held_out), won):.5f} ({guess:.5f})"


def outcomes(positions: Array) -> Floats:
    """1 for each seat that won in the end, (positions, seats)."""
    seats = np.arange(positions["order"].shape[1], dtype=np.uint8)
    return (positions["winners"][:, None] >> seats & 1).astype("f4")


def returns(positions: Array, values: Floats) -> Floats:
    """TD(lambda) (Sutton, 1988): targets from the values of the rounds to come and the outcome."""
    found, games = outcomes(positions), positions["game"]
    for i in range(len(found) - 2, -1, -1):
        if games[i] == games[i + 1]:
            found[i] = (1 - LAMBDA) * values[i + 1] + LAMBDA * found[i + 1]
    return found


def cross_entropy(values: Floats, won: Floats) -> float:
    """In nats, the mean over seats."""
    kept = np.clip(values, 1e-4, 1 - 1e-4)
    return float(-np.mean(won * np.log(kept) + (1 - won) * np.log(1 - kept)))


def fit(name: str, args: argparse.Namespace) -> None:
    """Fit a network to all games that it is for, and write it after each epoch."""
    files = [games_file(f, players) for players in NETWORKS[name] for f in (args.out, *args.also)]
    samples = [Sample(file, icons_of(args.components)) for file in files]
    rng = np.random.default_rng(args.seed)
    weights: dict[str, Floats] = {
        part: (mean + deviation * rng.standard_normal(shape)).astype("f4")
        for part, (shape, mean, deviation) in STARTS.items()
    }
    if args.start:
        weights = read_weights(weights_file(args.start, name))
    network, step, begin = Network(weights), 0, time.monotonic()
    for epoch in range(1, args.epochs + 1):
        if args.start or epoch > OUTCOME_EPOCHS:
            for sample in samples:
                sample.targets = returns(sample.learned, network.values(sample.learned))
        batches = [batch for sample in samples for batch in sample.batches(rng)]
        rng.shuffle(batches)
        for positions, targets in batches:
            left = 1 - step / (len(batches) * args.epochs)
            network.learn(positions, targets, RATE * min(1, step / WARM_UP) * left + LAST_RATE)
            step += 1
        save(weights_file(args.out, name), **weights)
        scores = ", ".join(sample.score(network) for sample in samples)
        print(f"{name}, epoch {epoch}: {scores}, {time.monotonic() - begin:.0f} s", flush=True)


# network.cpp


def write(args: argparse.Namespace) -> None:
    """Put the icons and both networks in the place of those in network.cpp."""
    numbers = braces(np.array(icons_of(args.components)))
    icons = f"constexpr std::uint8_t icons[kCards + 1] = {numbers};"
    networks = [definition(name, weights_file(args.out, name)) for name in NETWORKS]
    written = "\n\n".join([icons, *networks])
    before, after = source_parts(args.file)
    args.file.write_text(before + written + after, encoding="utf-8")


def source_parts(file: Path) -> tuple[str, str]:
    """What stands before and after the networks in network.cpp."""
    source = file.read_text(encoding="utf-8")
    begin, end = source.find("constexpr"), source.rfind("\n\n}  // namespace\n")
    if min(begin, end) < 0:
        raise RecordError(f"{file}: is no network.cpp, it has no constexpr or no namespace")
    return source[:begin], source[end:]


def definition(name: str, file: Path) -> str:
    """A Network in C++; raises RecordError if a weight is too large."""
    whole = {part: np.rint(array * ONE).astype(int) for part, array in read_weights(file).items()}
    for part, array in whole.items():
        if (most := abs(array).max()) > LARGEST:
            raise RecordError(f"{file}: {part} has {most}/{ONE}, more than {LARGEST}/{ONE}")
    [win_bias] = whole.pop("win_bias")
    ends = np.cumsum([*ENCODING.values()])[:-1]
    for part in ("own", "all"):
        whole[part] = whole[part].T  # by hidden unit
    encoding = dict(zip(ENCODING, np.split(whole.pop("seat"), ends), strict=True))
    members = [f".{part} = {braces(array)}" for part, array in (encoding | whole).items()]
    lines = "".join(f"    {member},\n" for member in [*members, f".win_bias = {win_bias}"])
    return f"constexpr Network {name} = {{\n{lines}}};"


def braces(array: Array) -> str:
    if array.ndim == 1:
        return "{" + ", ".join(map(str, array)) + "}"
    return "{\n" + ",\n".join(f"        {braces(row)}" for row in array) + "}"


# Command line


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--out", type=Path, required=True, help="folder of the games and the weights")
    add("--network", choices=NETWORKS, action="append", help="play for and fit this one alone")
    add("--games", type=int, default=20_000, help="for each number of players (20000)")
    add("--nodes", type=int, default=300, help="iterations a move (300)")
    add("--random", type=float, default=0.1, help="share of random moves (0.1)")
    add("--weak", type=float, default=0.0, help="share of games with weaker players (0)")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="search option")
    add("--components", metavar="SET", help="of the games, if not the default one")
    add("--concurrency", type=int, default=os.cpu_count(), help="games at once (all cores)")
    add("--epochs", type=int, default=8, help="passes over the games; 0 fits nothing (8)")
    add("--also", type=Path, action="append", default=[], help="folder of games to learn, too")
    add("--start", type=Path, help="folder of weights to begin with, instead of random ones")
    add("--write", action="store_true", help="put the weights into network.cpp")
    add("--file", type=Path, default=NETWORK_CPP, help="which network.cpp (that of the clone)")
    add("--seed", type=int, default=1, help="of games and fits (1)")
    args = parser.parse_args(argv)
    for name, least in (("games", 0), ("nodes", 1), ("concurrency", 1), ("epochs", 0), ("seed", 0)):
        if getattr(args, name) < least:
            parser.error(f"--{name} is a whole number from {least}")
    for name in ("random", "weak"):
        if not 0 <= getattr(args, name) <= 1:
            parser.error(f"--{name} is a share from 0 to 1")
    return args


def check(args: argparse.Namespace, networks: list[str]) -> None:
    """Raises HenroError or OSError for what would stop it after hours of play."""
    search_options(args.set)
    icons = icons_of(args.components)
    for name in networks if args.epochs else []:
        for folder, players in itertools.product(args.also, NETWORKS[name]):
            read_games(games_file(folder, players), icons)
        if args.start:
            read_weights(weights_file(args.start, name))
    if args.write:
        source_parts(args.file)
        for name in NETWORKS:
            if not (args.epochs and name in networks):
                read_weights(weights_file(args.out, name))


def run(args: argparse.Namespace) -> None:
    networks = args.network or list(NETWORKS)
    check(args, networks)
    how = SelfPlay(args.nodes, args.random, args.weak, args.seed, tuple(sorted(args.set)))
    args.out.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    with context.Pool(args.concurrency, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        for players in [players for name in networks for players in NETWORKS[name]]:
            play(pool, how, players, args)
    if args.epochs:
        for name in networks:
            fit(name, args)
    if args.write:
        write(args)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit codes: 0 done, 1 stopped before the end, 2 wrong call or files."""
    args = arguments(argv)
    try:
        run(args)
    except KeyboardInterrupt:
        print("stopped; what was written last is kept", file=sys.stderr)
        return 1
    except (HenroError, OSError) as error:
        print(f"learn_shikoku.py: error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Shikoku's learned evaluation, computed here once more, and bench/learn_shikoku.py."""

import importlib
import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import henro
from henro import components
from henro.errors import RecordError
from tests.families.walks import random_game

ROOT = Path(__file__).parents[2]
SOURCE = (ROOT / "csrc" / "games" / "shikoku" / "network.cpp").read_text(encoding="utf-8")

ONE = 256
"""What stands for 1 in a network of whole numbers."""

WIDTH = 128

LAYOUT = {
    "hand": (33, WIDTH),
    "step": (34, WIDTH),
    "turn": (33, WIDTH),
    "previous": (33, WIDTH),
    "deck": (3, WIDTH),
    "seat_bias": (WIDTH,),
    "own": (WIDTH, WIDTH),
    "all": (WIDTH, WIDTH),
    "distance": (65, WIDTH),
    "hidden_bias": (WIDTH,),
    "win": (WIDTH,),
    "win_bias": (),
}

Weights = dict[str, Any]
"""The members of a network by name: a list of rows, a row or a number."""

every_table = pytest.mark.parametrize("players", range(3, 9))


def networks(source: str) -> dict[str, Weights]:
    """The networks in a network.cpp by name."""
    return {
        name: {member: numbers(text) for member, text in re.findall(r"\.(\w+) = ([^.]*),\n", body)}
        for name, body in re.findall(r"constexpr Network (\w+) = \{(.*?)\};\n", source, re.DOTALL)
    }


def numbers(braces: str) -> Any:
    return json.loads(braces.translate(str.maketrans("{}", "[]")))


def network_for(players: int) -> Weights:
    return networks(SOURCE)["one_place_wins" if players < 5 else "two_places_win"]


def weighted(rows: Sequence[Sequence[int]], weights: Sequence[int]) -> list[int]:
    return [sum(w * x for w, x in zip(weights, column, strict=True)) for column in columns(rows)]


def columns(rows: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    return list(zip(*rows, strict=True))


def cut(values: Sequence[int], most: int) -> list[int]:
    return [min(max(value, 0), most) for value in values]


def rated(net: Weights, text: str) -> list[float]:
    """The share of the win that a network gives each seat at the start of a round."""
    parts = parts_of(text)
    steps, order, previous = (whole(parts[key]) for key in ("steps", "order", "previous"))
    players, deck = len(steps), min(int(parts["deck"]), 2)
    first_turn = sum(range(3, players))
    shown = []
    for seat, hand in enumerate(parts["hands"].split("/")):
        rows = [
            net["seat_bias"],
            net["deck"][deck],
            net["turn"][first_turn + order.index(seat)],
            net["step"][steps[seat]],
            *(net["previous"][card - 1] for card in previous),
            *(net["hand"][card - 1] for card in whole(hand.replace("+", ","))),
        ]
        shown.append(cut(weighted(rows, [1] * len(rows)), 2 * ONE))
    total = [sum(column) for column in zip(*shown, strict=True)]
    shares = []
    for seat in range(players):
        others = [steps[other] - steps[seat] + 32 for other in range(players) if other != seat]
        rows = [
            *columns(net["own"]),
            *columns(net["all"]),
            net["hidden_bias"],
            *(net["distance"][k] for k in others),
        ]
        hidden = weighted(rows, [*shown[seat], *total, ONE, *(ONE for _ in others)])
        active = [value // ONE for value in cut(hidden, 4 * ONE * ONE)]
        rating = sum(a * w for a, w in zip(active, net["win"], strict=True)) + net["win_bias"] * ONE
        shares.append(1 / (1 + math.exp(-rating / ONE**2)))
    return shares


def parts_of(text: str) -> dict[str, str]:
    return dict(part.split("=") for part in text.split()[1:])


def whole(numbers: str) -> list[int]:
    return [int(number) for number in numbers.split(",") if number]


def round_starts(players: int, games: int) -> Iterator[henro.State]:
    """Every start of a round of random games."""
    game = henro.load_game("shikoku", players=players)
    rng = random.Random(f"network {players}")
    for _ in range(games):
        for state in random_game(game, rng):
            if " phase=play turn=0 " in state.serialize():
                yield state.clone()


def in_mid_game(players: int) -> henro.State:
    """The start of a round in which cards have been taken already."""
    return next(s for s in round_starts(players, 1) if " removed=- " not in s.serialize())


# The evaluation


def test_there_are_two_networks_of_one_layout():
    assert list(networks(SOURCE)) == ["one_place_wins", "two_places_win"]
    for net in networks(SOURCE).values():
        assert {name: np.shape(values) for name, values in net.items()} == LAYOUT


def test_the_networks_are_fitted_to_the_default_icons():
    [icons] = re.findall(r"icons\[kCards \+ 1\] = (.*);", SOURCE)
    cards = dict(components.load("shikoku").tables["cards"])
    assert numbers(icons) == [0, *(cards[card] for card in range(1, 34))]


@every_table
def test_a_start_of_a_round_is_evaluated_by_the_network(players):
    net = network_for(players)
    for state in round_starts(players, 5):
        assert state.evaluation() == pytest.approx(rated(net, state.serialize()), abs=1e-4)


@every_table
def test_whoever_has_which_number_seats_are_rated_alike(players):
    state = in_mid_game(players)
    names = random.Random(players).sample(range(players), players)
    parts = parts_of(state.serialize())
    for key, separator in (("steps", ","), ("row", ","), ("hands", "/")):
        entries = parts[key].split(separator)
        parts[key] = separator.join(entries[names.index(seat)] for seat in range(players))
    parts["order"] = ",".join(str(names[seat]) for seat in whole(parts["order"]))
    text = " ".join(["shikoku", *(f"{key}={value}" for key, value in parts.items())])
    renamed = state.game.deserialize_state(text).evaluation()
    assert [renamed[name] for name in names] == state.evaluation()


@pytest.fixture
def other_icons(tmp_path) -> Path:
    """A component set in which one card has other icons."""
    text = components.load("shikoku").path.read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text(text.replace("number =  7, icons = 3", "number = 7, icons = 4"))
    return path


@every_table
def test_with_other_icons_the_network_says_nothing(players, other_icons):
    state, other = in_mid_game(players), henro.load_game("shikoku", players, other_icons)
    text = state.serialize().replace(state.game.components_id, other.components_id)
    same = other.deserialize_state(text)
    assert same.evaluation() != pytest.approx(state.evaluation(), abs=0.01)
    searches = [henro.Engine(other, horizon=horizon) for horizon in (0, math.inf)]
    assert searches[0].search(same, nodes=50).moves == searches[1].search(same, nodes=50).moves
    # So what is maximised counts by default: all playouts go to the end.
    assert other.search_defaults["horizon"] == math.inf
    assert henro.Engine(other, score=0.5).idle == {}
    blended = henro.Engine(other, score=0.5).search(same, nodes=50).moves
    assert blended != searches[1].search(same, nodes=50).moves


# The script


@pytest.fixture
def script(monkeypatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "bench")
    return importlib.import_module("learn_shikoku")


@pytest.fixture
def learn(script, tmp_path):
    """Calls the script for a folder of the test with tiny searches: its exit code."""

    def call(folder: str, *args: str) -> int:
        return script.main(["--out", str(tmp_path / folder), "--nodes=5", "--concurrency=1", *args])

    return call


def in_real_numbers(script: ModuleType, net: Weights) -> dict[str, Any]:
    """The weights that the script would write as this network."""
    weights = {member: np.array(values, np.float32) / ONE for member, values in net.items()}
    seat = np.concatenate([weights.pop(part) for part in script.ENCODING])
    for part in ("own", "all"):
        weights[part] = weights[part].T  # by hidden unit in C++
    return {**weights, "seat": seat, "win_bias": weights["win_bias"].reshape(1)}


def test_a_run_plays_fits_and_writes_networks_of_the_same_layout(learn, tmp_path, capsys):
    file = tmp_path / "network.cpp"
    file.write_text(SOURCE, encoding="utf-8")
    assert learn("out", "--games=3", "--epochs=1", "--write", f"--file={file}") == 0
    written = file.read_text(encoding="utf-8")
    assert re.sub(r"-?\d+", "0", written) == re.sub(r"-?\d+", "0", SOURCE)
    assert networks(written) != networks(SOURCE)
    out = capsys.readouterr().out
    for players in range(3, 9):
        assert f"{players} players: 3 of 3 games" in out
        assert re.search(rf" out/games-{players} \d\.\d+ \(0\.\d+\), ", out)


def test_the_shipped_weights_are_written_as_they_are(script, learn, tmp_path):
    for name, net in networks(SOURCE).items():
        script.save(tmp_path / f"{name}.npz", **in_real_numbers(script, net))
    file = tmp_path / "network.cpp"
    file.write_text(re.sub(r"-?\d+(?=[,}])", "0", SOURCE), encoding="utf-8")
    assert learn(".", "--games=0", "--epochs=0", "--write", f"--file={file}") == 0
    assert file.read_text(encoding="utf-8") == SOURCE


def test_only_missing_games_are_played_and_each_depends_on_its_number_alone(
    script, learn, tmp_path, capsys
):
    for games in (1, 3, 2):
        call = [f"--games={games}", "--weak=0.5", "--epochs=0", "--network=one_place_wins"]
        assert learn("out", *call) == 0
    assert capsys.readouterr().out.count("of") == 4
    how = script.SelfPlay(nodes=5, random=0.1, weak=0.5, seed=1, settings=())
    for players in (3, 4):
        kept, played = script.read_games(
            script.games_file(tmp_path / "out", players), script.icons_of(None)
        )
        games = [script.play_game(how, players, None, number) for number in range(3)]
        assert kept.tobytes() == np.concatenate(games).tobytes()
        assert played == str(how)


@every_table
def test_what_is_fitted_rates_as_the_engine_does(script, players):
    network = script.Network(in_real_numbers(script, network_for(players)))
    states = list(round_starts(players, 5))
    kept = [(0, *script.board(parts_of(state.serialize())), 0) for state in states]
    values = network.values(np.array(kept, script.layout(players)))
    assert values == pytest.approx(np.array([state.evaluation() for state in states]), abs=0.01)


def test_games_played_otherwise_are_not_mixed(learn, tmp_path, other_icons, capsys):
    call = ["--games=2", "--epochs=0", "--network=one_place_wins"]
    assert learn("out", *call) == 0
    assert learn("out", *call, "--set=horizon=inf") == 2
    assert "games-3.npz: has games of SelfPlay(" in capsys.readouterr().err
    assert learn("out", *call, f"--components={other_icons}") == 2
    assert "games-3.npz: was played with other icons" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--set=horizon"], "--set horizon: expected NAME=VALUE"),
        (["--components=none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["--epochs=1"], "No such file or directory: '{out}/games-3.npz'"),
        (["--epochs=1", "--also={out}/no"], "No such file or directory: '{out}/no/games-3.npz'"),
        (["--epochs=1", "--start={out}/no"], "file or directory: '{out}/no/one_place_wins.npz'"),
        (["--epochs=1", "--write", "--file={out}/no.cpp"], "directory: '{out}/no.cpp'"),
        (["--write"], "No such file or directory: '{out}/one_place_wins.npz'"),
    ],
)
def test_what_is_missing_or_wrong_is_named(learn, tmp_path, capsys, args, told):
    args = [arg.format(out=tmp_path / "out") for arg in args]
    assert learn("out", "--games=0", "--epochs=0", *args) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("learn_shikoku.py: error: ")
    assert told.format(out=tmp_path / "out") in line


def test_a_number_out_of_range_is_told(learn, capsys):
    with pytest.raises(SystemExit, match="2"):
        learn("out", "--epochs=-1")
    assert "--epochs is a whole number from 0" in capsys.readouterr().err


def test_weights_that_do_not_fit_are_named(script, tmp_path):
    weights = in_real_numbers(script, network_for(3))
    file = tmp_path / "weights.npz"
    script.save(file, **weights | {"win": weights["win"] * 64})
    with pytest.raises(RecordError, match=r"weights\.npz: win has \d+/256, more than 2047/256"):
        script.definition("one_place_wins", file)
    script.save(file, **weights | {"win": weights["win"][1:]})
    with pytest.raises(RecordError, match=r"weights\.npz: win has shape \(127,\), not \(128,\)"):
        script.definition("one_place_wins", file)
    file.write_bytes(b"no weights")
    with pytest.raises(RecordError, match=r"weights\.npz: cannot be read"):
        script.definition("one_place_wins", file)

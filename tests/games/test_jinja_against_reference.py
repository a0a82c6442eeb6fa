"""Jinja, ply by ply, against the reference rules of an independent author."""

import random
import re
import tomllib
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

import henro
from henro import components
from tests.families.cases import sized
from tests.reference.jinja import CHANCE, Jinja, State
from tests.reference.jinja_tables import (
    DEFAULT,
    KINDS,
    Activity,
    Deed,
    Lantern,
    Omikuji,
    Start,
    Tables,
    Territory,
)

every_player_count = pytest.mark.parametrize("players", range(2, 6))


@every_player_count
@sized("games", 8, 2000)
def test_random_games_go_the_same_way_as_in_the_reference(players: int, games: int) -> None:
    game = henro.load_game("jinja", players=players)
    rng = random.Random(f"against the reference, {players} players")
    for _ in range(games):
        assert_same_game(game, Jinja(players), rng)


def assert_same_game(game: henro.Game, rules: Jinja, rng: random.Random) -> None:
    """A random game goes the same way on both sides."""
    state, reference = game.new_initial_state(), rules.new()
    while (actor := reference.actor()) is not None:
        text = rng.choice(assert_same_choices(state, reference, actor))
        assert_same_events(state, reference, text)
        state.apply(text)
        reference.apply(text)
        assert state.scores() == reference.scores()
    assert_same_end(state, reference)


def assert_same_choices(state: henro.State, reference: State, actor: int | str) -> list[str]:
    """The texts possible here. The order of legal moves is each side's own."""
    assert state.current_player() == (henro.CHANCE if actor == CHANCE else actor)
    if actor == CHANCE:
        outcomes = {state.action_to_string(a): p for a, p in state.chance_outcomes()}
        assert outcomes == pytest.approx({text: float(p) for text, p in reference.chance()})
        return sorted(outcomes)
    texts = sorted(state.action_to_string(action) for action in state.legal_actions())
    assert texts == sorted(reference.legal())
    return texts


def assert_same_events(state: henro.State, reference: State, text: str) -> None:
    events = state.events(state.string_to_action(text))
    assert events == [list(told) for told in reference.events(text)]


def assert_same_end(state: henro.State, reference: State) -> None:
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.ranks() == reference.ranks()
    assert state.returns() == pytest.approx([float(u) for u in reference.utilities()])


@every_player_count
@sized("games", 8, 300)
def test_a_view_changes_with_two_cards_exchanged_if_what_the_reference_knows_does(
    players: int, games: int
) -> None:
    """Two games that have two cards in each other's place all along look the same to exactly those
    seats that cannot tell the two cards apart."""
    rng = random.Random(f"knowledge of the reference, {players} players")
    same = Counter[bool]()
    for _ in range(games):
        moves = random_moves(players, rng.randrange(20, 250), rng)
        one = play_through(players, moves)
        for cards in (DEFAULT.deeds, DEFAULT.omikuji) * 3:
            other = play_through(players, exchanged(moves, rng.sample([*cards], 2)))
            if one is None or other is None:
                continue
            for seat in range(players):
                looks = one[0].view(seat) == other[0].view(seat)
                knows = known_of_hidden(one[1], seat) == known_of_hidden(other[1], seat)
                assert looks == knows
                same[looks] += 1
    assert min(same[True], same[False]) > players * games


def random_moves(players: int, most: int, rng: random.Random) -> list[str]:
    reference, moves = Jinja(players).new(), list[str]()
    while reference.actor() is not None and len(moves) < most:
        moves.append(rng.choice(reference.possible()))
        reference.apply(moves[-1])
    return moves


def play_through(players: int, moves: Sequence[str]) -> tuple[henro.State, State] | None:
    """Where the moves lead, by engine and reference; None if one of them is not possible."""
    state = henro.load_game("jinja", players=players).new_initial_state()
    reference = Jinja(players).new()
    for text in moves:
        if text not in reference.possible():
            return None
        state.apply(text)
        reference.apply(text)
    return state, reference


def exchanged(moves: Sequence[str], cards: Sequence[str]) -> list[str]:
    """The moves with one of two cards wherever the other was."""
    other = dict(zip(cards, reversed(cards), strict=True))
    return [":".join(other.get(word, word) for word in text.split(":")) for text in moves]


def known_of_hidden(reference: State, seat: int) -> dict[str, Hashable]:
    """What the seat knows, but not how Deeds got to where everybody saw them: nothing that is still
    hidden hangs on that, so views leave it out."""
    knows = dict(reference.knows(seat))
    del knows["undealt"], knows["takers"]
    knows["draft"] = [
        (pack, glance, hidden)
        for pack, glance, deeds in reference.draft_memory(seat)
        if (hidden := {deed for deed in deeds if not reference.is_shown(deed)})
    ]
    return knows


# -- other component sets ------------------------------------------------------------------------

VALUE = r'("[^"]*"|\[[^]]*\]|\{[^}]*\}|\d+)'
SET = components.load("jinja")


@every_player_count
@sized("sets", 3, 100)
def test_games_with_other_components_go_the_same_way_too(
    tmp_path: Path, players: int, sets: int
) -> None:
    rng = random.Random(f"other components, {players} players")
    for number in range(sets):
        path = tmp_path / f"{number}.toml"
        path.write_text(rearranged(SET.path.read_text(encoding="utf-8"), rng), encoding="utf-8")
        other = components.load("jinja", path)
        assert other.hash != SET.hash
        game = henro.load_game("jinja", players=players, components=path)
        assert_same_game(game, Jinja(players, reference_tables(other.rows)), rng)


def rearranged(text: str, rng: random.Random) -> str:
    """A component file in which rows of a table have exchanged values, where its rules allow it."""
    schema = components.schema_of("jinja")
    for _ in range(100):
        other = with_values_exchanged(text, rng)
        if not schema.read(tomllib.loads(other))[2]:
            text = other
    return text


def with_values_exchanged(text: str, rng: random.Random) -> str:
    """The file with a value of two rows, which come one to a line, in each other's place."""
    table = rng.choice([*SET.rows])
    column = rng.choice([*SET.rows[table][0]][1:])
    cell = re.compile(rf"(?<=\b{column}) *= *{VALUE}")
    lines = text.splitlines()
    start = lines.index(f"[{table}]") + 1
    rows = takewhile(lambda i: not lines[i].startswith("["), range(start, len(lines)))
    one, other = rng.sample([i for i in rows if cell.search(lines[i])], 2)
    values = [cell.findall(lines[i])[0] for i in (one, other)]
    lines[one] = cell.sub(f" = {values[1]}", lines[one], count=1)
    lines[other] = cell.sub(f" = {values[0]}", lines[other], count=1)
    return "\n".join(lines)


def reference_tables(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Tables:
    by_id = {table: {row["id"]: row for row in rows[table]} for table in rows if table != "setup"}
    return Tables(
        territories={
            t: Territory(r["region"], r["spaces"]) for t, r in by_id["territories"].items()
        },
        lanterns={i: Lantern(r["blue"], r["red"]) for i, r in by_id["lanterns"].items()},
        deeds={
            i: Deed(r["territory"], r["size"], tuple(r[k] for k in KINDS), r["honor"], r["bonus"])
            for i, r in by_id["deeds"].items()
        },
        omikuji={
            i: Omikuji(*condition(r["condition"]), r["honor"]) for i, r in by_id["omikuji"].items()
        },
        kitsune={i: r["type"] for i, r in by_id["kitsune"].items()},
        activities={
            i: Activity(r["cost"], tuple(r["circles"])) for i, r in by_id["activities"].items()
        },
        die={i: r["faces"] for i, r in by_id["die"].items()},
        workers={r["players"]: r["workers"] for r in rows["setup"]},
        starts={
            r["players"]: tuple(
                Start(2, gold, bool(fox)) for gold, fox in zip(r["gold"], r["fox"], strict=True)
            )
            for r in rows["setup"]
        },
    )


def condition(cell: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """A condition of the file in the words of the reference."""
    match cell:
        case {"size": size, "territory": place}:
            return "size_terr", (size, place)
        case {"size": size, "region": place}:
            return "size_reg", (size, place)
        case {"all": territories}:
            return "all", tuple(territories)
        case {"most": size}:
            return "most", (size,)
        case {"territories": number}:
            return "distinct", (str(number),)
    return "regions", ()

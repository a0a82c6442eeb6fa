"""Shugendo, ply by ply, against the reference rules of an independent author."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

import henro
from tests.families.cases import sized
from tests.families.statistics import assert_frequencies
from tests.games.shugendo import bought_after, comparable, load, parts_of, position_text
from tests.reference.shugendo import CHANCE, Shugendo, State
from tests.reference.shugendo_tables import DEFAULT

every_player_count = pytest.mark.parametrize("players", range(2, 5))
both_sides = pytest.mark.parametrize("flower", [0, 1], ids=["common", "flower"])

BOLD = 5
"""Yokai up to which a seat in a hurry reveals."""


@every_player_count
@both_sides
@sized("games", 4, 1000)
def test_random_games_go_the_same_way_as_in_the_reference(
    players: int, flower: int, games: int
) -> None:
    for number in range(games):
        rng = random.Random(f"against the reference, {players} players, {flower}, {number}")
        state, reference = (
            load(players, flower).new_initial_state(),
            Shugendo(players, flower).new(),
        )
        while (actor := reference.actor()) is not None:
            texts = assert_same_choices(state, reference, actor)
            text = rng.choice(texts) if number % 2 else hurried(reference, rng)
            assert_same_events(state, reference, text)
            state.apply(text)
            reference.apply(text)
            assert state.scores() == reference.scores()
        assert_same_end(state, reference)


def new_game(players: int, flower: int) -> tuple[henro.State, State]:
    return load(players, flower).new_initial_state(), Shugendo(players, flower).new()


def assert_same_choices(state: henro.State, reference: State, actor: int | str) -> list[str]:
    """The texts possible here, in order."""
    assert state.current_player() == (henro.CHANCE if actor == CHANCE else actor)
    if actor != CHANCE:
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        assert texts == reference.legal()
        return texts
    outcomes = {state.action_to_string(a): p for a, p in state.chance_outcomes()}
    expected = {text: float(p) for text, p in reference.chance()}
    assert list(outcomes) == list(expected)
    assert outcomes == pytest.approx(expected)
    return list(outcomes)


def assert_same_events(state: henro.State, reference: State, text: str) -> None:
    events = state.events(state.string_to_action(text))
    assert events == [list(told) for told in reference.events(text)]


def assert_same_end(state: henro.State, reference: State) -> None:
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.ranks() == reference.ranks()
    assert state.returns() == pytest.approx([float(u) for u in reference.utilities()])


def hurried(reference: State, rng: random.Random) -> str:
    """What a seat does that wants the game to end; games of chance alone seldom get anywhere."""
    step, texts = reference.agenda[0], reference.possible()
    if step.name == "reveal":
        assert step.seat is not None
        return texts[0] if reference.total_yokai(step.seat) < BOLD else texts[-1]
    if step.name == "main":
        progress = [text for text in texts if text.split(":")[0] in ("develop", "city", "village")]
        return rng.choice(progress or texts[1:])
    return texts[-1] if step.name == "buy" else rng.choice(texts)


@every_player_count
@both_sides
@sized("games", 1, 100)
def test_positions_read_as_the_reference_has_them(players: int, flower: int, games: int) -> None:
    game, rules = load(players, flower), Shugendo(players, flower)
    for state, reference, bought in positions(players, flower, games):
        text = state.serialize()
        expected = position_text(reference, game.components_id, bought)
        assert comparable(text, rules) == parts_of(expected)
        assert game.deserialize_state(text) == state


def positions(
    players: int, flower: int, games: int
) -> Iterator[tuple[henro.State, State, Sequence[str]]]:
    """Every position of random games on both sides, with the cards in the course of purchase."""
    for number in range(games):
        rng = random.Random(f"positions of the reference, {players} players, {flower}, {number}")
        state, reference = (
            load(players, flower).new_initial_state(),
            Shugendo(players, flower).new(),
        )
        bought: Sequence[str] = ()
        yield state, reference, bought
        while reference.actor() is not None:
            at_random = number % 2 == 1
            text = rng.choice(reference.possible()) if at_random else hurried(reference, rng)
            bought = bought_after(bought, reference, text)
            state.apply(text)
            reference.apply(text)
            yield state, reference, bought


@every_player_count
@both_sides
@sized("games", 1, 100)
def test_views_tell_apart_exactly_what_the_reference_tells_apart(
    players: int, flower: int, games: int
) -> None:
    """Each view stands for one state of knowledge, and the other way round."""
    views: dict[int, int] = {}
    known: dict[int, int] = {}
    for state, reference, _ in positions(players, flower, games):
        for seat in range(players):
            text, knows = state.view(seat), reference.knows(seat)
            view, fact = hash(text), hash(knows)  # there are too many to keep
            assert views.setdefault(fact, view) == view, text
            assert known.setdefault(view, fact) == fact, (text, knows)


HEAVY_DECK = (
    "novice ruffian night_watch night_watch diviner wrestler wrestler festival_crier "
    "festival_crier theatre_troupe theatre_troupe spirit_tamer spirit_tamer"
)
"""Three of these cards are nearly always too many."""


@every_player_count
@sized("draws", 12_000, 500_000)
def test_sealed_reveals_are_played_again_with_the_odds_of_the_reference(
    players: int, draws: int
) -> None:
    """SG46: going on or stopping at even odds, cards by chance."""
    game = load(players)
    reference = Shugendo(players).setup(phase="reveal", age=[3], deck=[HEAVY_DECK])
    reference.apply("stop")
    state = game.deserialize_state(position_text(reference, game.components_id))
    info = state.information_set(1)
    odds = {position_text(world, game.components_id): p for world, p in reference.worlds(1)}
    counts = Counter(info.sample(seed).serialize() for seed in range(draws))
    assert_frequencies(counts, odds, "what seat 0 has revealed")


@pytest.mark.parametrize(
    "seat_0",
    [
        ("explore:b4", "recruit:hunter", "replace:peddler"),
        ("explore:b4", "recruit:carpenter", "replace:peddler"),
        ("done",),
    ],
    ids=["same card", "another card", "no guest"],
)
def test_worlds_agree_with_the_display_that_an_own_guest_has_shown(
    tmp_path: Path, seat_0: Sequence[str]
) -> None:
    """SG26, SG46, with a set in which more than one seat may have ir_guest."""
    printed = DEFAULT.milestones["ms_common"]
    milestones = {**DEFAULT.milestones, "ms_common": replace(printed, iron="ir_guest")}
    tables = replace(DEFAULT, milestones=milestones)
    components = tmp_path / "guests.toml"
    text = files("henro.components.shugendo").joinpath("default.toml").read_text("utf-8")
    row = f'"ms_common", ivory = "{printed.ivory}", iron = '
    components.write_text(text.replace(f'{row}"{printed.iron}"', f'{row}"ir_guest"'), "utf-8")
    game = henro.load_game("shugendo", players=2, components=components)
    reference = Shugendo(2, tables=tables).setup(
        phase="action",
        display={1: "hunter hunter carpenter drummer fisher"},
        covered=["d3 c3 b3"] * 2,
        tracks=[(1, 0, 0)] * 2,
        revealed=["peddler"] * 2,
    )
    state = game.deserialize_state(position_text(reference, game.components_id))
    for text in [*seat_0, "explore:b4", "recruit:hunter"]:
        state.apply(text)
        reference.apply(text)
    odds = {position_text(world, game.components_id): p for world, p in reference.worlds(1)}
    assert len(odds) > 1
    info = state.information_set(1)
    assert game.information_set(info.view()) == info
    counts = Counter(info.sample(seed).serialize() for seed in range(2000))
    assert_frequencies(counts, odds, "what seat 0 has done")

"""Shikoku, ply by ply, against the reference rules of an independent author."""

import random

import pytest

import henro
from tests.families.cases import sized
from tests.games.shikoku import position_text, read_position, view_text
from tests.reference.shikoku import CHANCE, Shikoku, State

every_player_count = pytest.mark.parametrize("players", range(3, 9))


@every_player_count
@sized("games", 60, 2000)
def test_random_games_go_the_same_way_as_in_the_reference(players: int, games: int) -> None:
    game = henro.load_game("shikoku", players=players)
    rng = random.Random(f"against the reference, {players} players")
    for _ in range(games):
        state, reference = game.new_initial_state(), Shikoku(players).new()
        while (actor := reference.actor()) is not None:
            text = rng.choice(assert_same_choices(state, reference, actor))
            assert_same_events(state, reference, text)
            state.apply(text)
            reference.apply(text)
            assert_same_position(state, reference)
        assert_same_end(state, reference)


def assert_same_choices(state: henro.State, reference: State, actor: int | str) -> list[str]:
    """The texts possible here."""
    assert state.current_player() == (henro.CHANCE if actor == CHANCE else actor)
    if actor == CHANCE:
        outcomes = [(state.action_to_string(a), p) for a, p in state.chance_outcomes()]
        assert outcomes == [(text, float(p)) for text, p in reference.chance()]
        return [text for text, _ in outcomes]
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    assert texts == reference.legal()
    return texts


def assert_same_events(state: henro.State, reference: State, text: str) -> None:
    events = state.events(state.string_to_action(text))
    assert events == [[event] for event in reference.events(text)]
    assert {subject for told in events for subject, _ in told} == {str(reference.subject())}


def assert_same_position(state: henro.State, reference: State) -> None:
    """Every fact of the position, and exactly what each seat knows of it."""
    components = state.game.components_id
    assert state.serialize() == position_text(reference, components)
    assert state.scores() == reference.scores()
    for seat in range(reference.game.players):
        assert state.view(seat) == view_text(reference.knows(seat), components)


def assert_same_end(state: henro.State, reference: State) -> None:
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.ranks() == reference.ranks()
    assert state.returns() == [float(utility) for utility in reference.utilities()]


@every_player_count
@sized("games", 10, 200)
def test_a_position_written_by_the_reference_is_the_one_played_to(players: int, games: int) -> None:
    game = henro.load_game("shikoku", players=players)
    rng = random.Random(f"positions of the reference, {players} players")
    for _ in range(games):
        state, reference = game.new_initial_state(), Shikoku(players).new()
        while reference.actor() is not None:
            text = rng.choice(reference.possible())
            state.apply(text)
            reference.apply(text)
            written = position_text(reference, game.components_id)
            assert game.deserialize_state(written) == state
            if reference.actor() is not None:
                assert read_position(written) == reference


@every_player_count
@sized("games", 2, 40)
def test_worlds_stay_worlds_in_the_reference(players: int, games: int) -> None:
    """A sample is a position of the reference in which the seat knows the same as before."""
    game = henro.load_game("shikoku", players=players)
    rng = random.Random(f"worlds of the reference, {players} players")
    for _ in range(games):
        state, reference = game.new_initial_state(), Shikoku(players).new()
        while reference.actor() is not None:
            text = rng.choice(reference.possible())
            state.apply(text)
            reference.apply(text)
            seat = rng.randrange(players)
            world = state.resample_from_infostate(seat, rng.getrandbits(64))
            if reference.actor() is not None:
                assert read_position(world.serialize()).knows(seat) == reference.knows(seat)


@every_player_count
@sized("final_steps", 300, 20_000)
def test_the_winners_of_any_final_standing_are_those_of_the_reference(
    players: int, final_steps: int
) -> None:
    game = henro.load_game("shikoku", players=players)
    rng = random.Random(f"standings, {players} players")
    for _ in range(final_steps):
        low = rng.choice([2, 20, 30, 32])
        steps = [rng.randrange(low, 34) for _ in range(players)]
        steps[rng.randrange(players)] = 33
        reference = Shikoku(players).setup(phase="over", steps=steps)
        state = game.deserialize_state(final_position(game, steps))
        assert state.scores() == steps
        assert state.ranks() == reference.ranks()
        assert state.returns() == [float(utility) for utility in reference.utilities()]


def final_position(game: henro.Game, steps: list[int]) -> str:
    """Any position at the end of a game with these steps."""
    n = game.players
    cards = iter(range(1, 34))
    row = [next(cards) for _ in range(n)]
    hands = [(next(cards), next(cards)) for _ in range(n)]
    reference = Shikoku(n).setup(
        phase="over",
        steps=steps,
        hands=hands,
        known=hands,
        prev_row=[next(cards) for _ in range(n)],
        row=dict(enumerate(row)),
        removed=cards,
    )
    return position_text(reference, game.components_id)

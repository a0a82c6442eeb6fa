"""Worlds weighted by what others have chosen: exact where it can be counted, and never a leak."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import pytest

import henro
from henro import _core
from tests.families.cases import CASES, Case, sized
from tests.families.walks import played, random_action
from tests.games import shikoku
from tests.search.sealed import jinja_draft

UNIFORM = 0.2
"""Share of the policy that is not of the priors."""
NODES = 60
DRAWS = 4000
WORLDS = 1000
FRESH = 0.1
"""Share of the draws that owe nothing to the past."""
CLOSE = 0.05
"""How far the share of a world may be off."""
FEWEST = [case for case in CASES if case.players == henro.games()[case.name][0]]

every_game = pytest.mark.parametrize("case", FEWEST, ids=str)


@dataclass(frozen=True)
class Stretch:
    """Two decisions of a seat and the actions that it saw in between."""

    before: henro.State
    seen: Sequence[int]
    after: henro.State

    @property
    def seat(self) -> int:
        return self.before.current_player()


def sees(state: henro.State, action: int, seat: int) -> bool:
    return any("?" not in text for _, text in state.events(action)[seat])


def stretch(state: henro.State, seat: int, moves: Sequence[str]) -> Stretch:
    """By the moves that are told, chance included."""
    before, seen = state.clone(), list[int]()
    for move in moves:
        action = state.string_to_action(move)
        if sees(state, action, seat):
            seen.append(action)
        state.apply_action(action)
    assert before.current_player() == state.current_player() == seat
    return Stretch(before, seen, state)


@cache
def met(case: Case, games: int) -> Sequence[Stretch]:
    """Stretches of random games, from one real decision of seat 0 to the next."""
    rng, found = random.Random(f"stretches of {case}"), list[Stretch]()
    for _ in range(games):
        state = case.game.new_initial_state()
        before: henro.State | None = None
        seen: list[int] = []
        while not state.is_terminal():
            if state.current_player() == 0 and len(state.legal_actions()) > 1:
                if before is not None:
                    found.append(Stretch(before, seen, state.clone()))
                before, seen = state.clone(), []
            action = random_action(state, rng)
            if sees(state, action, 0):
                seen.append(action)
            state.apply_action(action)
    return rng.sample(found, min(len(found), 12 * games))


def moved_on(found: Stretch, beliefs: float = 1.0) -> _core.Searcher:
    searcher = _core.make_searcher(
        found.before.information_set(found.seat), 5, 1 << 20, beliefs=beliefs
    )
    searcher.advance(found.after.information_set(found.seat), found.seen)
    return searcher


def outcome(result: henro.SearchResult) -> tuple[object, ...]:
    """A search result without the clock."""
    return (result.best, result.moves, result.value, result.depth, result.edges, result.pv)


def shares_of(searcher: _core.Searcher) -> Mapping[str, float]:
    """Of worlds, by their texts."""
    counts = Counter(searcher.world(seed).serialize() for seed in range(DRAWS))
    return {world: count / DRAWS for world, count in counts.items()}


# -- the exact posterior -------------------------------------------------------------------------


def policy(state: henro.State, beliefs: float) -> Mapping[int, float]:
    priors = state.information_set(state.current_player()).priors()
    odds = {
        action: ((1 - UNIFORM) * prior + UNIFORM / len(priors)) ** beliefs
        for action, prior in priors
    }
    return {action: each / sum(odds.values()) for action, each in odds.items()}


def followed(
    state: henro.State, seen: Sequence[int], seat: int, beliefs: float
) -> Iterator[tuple[henro.State, float]]:
    """Every way on from a world on which the seat sees these actions, and how likely it is."""
    if state.current_player() == seat and not seen:
        yield state, 1.0
        return
    if state.is_chance_node():
        odds = dict(state.chance_outcomes())
    elif state.current_player() == seat:
        odds = dict.fromkeys(state.legal_actions(), 1.0)
    else:
        odds = dict(policy(state, beliefs))
    for action, likelihood in odds.items():
        rest = seen
        if sees(state, action, seat):
            if not seen or action != seen[0]:
                continue
            rest = seen[1:]
        child = state.clone()
        child.apply_action(action)
        for end, more in followed(child, rest, seat, beliefs):
            yield end, likelihood * more


def posterior(found: Stretch, beliefs: float) -> Mapping[str, float]:
    """Shares of the worlds after a stretch with few worlds before it, all equally likely."""
    start = found.before
    worlds = {
        world.serialize(): world
        for world in (start.resample_from_infostate(found.seat, seed) for seed in range(300))
    }
    weights = Counter[str]()
    for world in worlds.values():
        for end, weight in followed(world, found.seen, found.seat, beliefs):
            if end.view(found.seat) == found.after.view(found.seat):
                weights[end.serialize()] += weight  # type: ignore[assignment]
    return {world: weight / sum(weights.values()) for world, weight in weights.items()}


OPEN = ("play:26", "play:21", "play:23", "draw:31", "take:9")
HIDDEN = ("play:26", "play:20", "play:23", "draw:31", "take:9")
"""Seat 1 plays the card that it may have held instead."""


def a_round(moves: Sequence[str] = OPEN) -> Stretch:
    """Of 20, 24 and 31 seats 1 and 2 hold one each, beside two that all have seen them take."""
    state = shikoku.position(
        3,
        "phase=play turn=0 order=0,1,2 steps=23,5,6 previous=1,9,10 row=-,-,- "
        "removed=2,3,4,5,6,7,8,11,12,13,14,15,16,17,18,19,29,30,32,33 "
        "hands=26,27+28/20+21,22/24+23,25 deck=1",
    )
    return stretch(state, 0, moves)


@pytest.mark.parametrize("moves", [OPEN, HIDDEN], ids=["open cards", "a hidden card"])
@pytest.mark.parametrize("beliefs", [0.5, 1.0, 3.0])
def test_worlds_are_as_likely_as_others_choices_make_them(
    moves: Sequence[str], beliefs: float
) -> None:
    found = a_round(moves)
    exact = posterior(found, beliefs)
    shares = shares_of(moved_on(found, beliefs))
    assert set(shares) == set(exact)
    for world, share in exact.items():
        mixed = (1 - FRESH) * share + FRESH / len(exact)
        assert shares[world] == pytest.approx(mixed, abs=CLOSE)


@pytest.mark.parametrize("moves", [OPEN, HIDDEN], ids=["open cards", "a hidden card"])
def test_what_others_chose_tells_something(moves: Sequence[str]) -> None:
    exact = posterior(a_round(moves), 1)
    assert len(exact) > 1
    assert max(exact.values()) - min(exact.values()) > 0.4


def test_sealed_choices_are_drawn_by_the_policy() -> None:
    """Of the two Deeds that seat 0 could keep in the last round of the draft."""
    after = jinja_draft()
    history = after.history()
    before = played(after.game, history[:-1])
    after.apply("draft:tohoku_m")
    found = Stretch(before, history[-1:], after)

    def taken(position: str) -> bool:
        [hands] = [part for part in position.split() if part.startswith("hands=")]
        return "tohoku_m" in hands.split("/")[0]

    expected = 0.0
    for seed in range(WORLDS):
        world = before.resample_from_infostate(found.seat, seed)
        world.apply_action(history[-1])
        expected += policy(world, 1)[world.string_to_action("draft:tohoku_m")] / WORLDS
    share = sum(s for world, s in shares_of(moved_on(found)).items() if taken(world))
    assert share == pytest.approx(expected, abs=CLOSE)


# -- nothing left to believe ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "seen",
    [
        ["play:26", "play:24", "play:23", "take:9"],  # another card than was played
        ["take:9"],
        ["play:33"],
        ["play:26", "play:21", "play:23", "take:9", "take:1"],  # more than has happened
    ],
)
def test_contradicted_beliefs_leave_the_worlds_that_the_rules_allow(seen: Sequence[str]) -> None:
    found = a_round()
    actions = [found.before.game.string_to_action(move) for move in seen]
    shares = shares_of(moved_on(replace(found, seen=actions)))
    exact = {
        found.after.resample_from_infostate(found.seat, seed).serialize() for seed in range(100)
    }
    assert set(shares) == exact
    for share in shares.values():
        assert share == pytest.approx(1 / len(exact), abs=CLOSE)


def test_actions_that_no_game_has_are_believed_by_no_world() -> None:
    found = a_round()
    searcher = moved_on(replace(found, seen=[65535, 7, 65535]))
    assert searcher.run(50) == 50


def test_before_anything_was_seen_a_search_is_as_without_beliefs() -> None:
    state = a_round().before
    engine = henro.Engine(state.game, seed=3, beliefs=1.0)
    plain = henro.Engine(state.game, seed=3, beliefs=0.0)
    assert outcome(engine.search(state, nodes=500)) == outcome(plain.search(state, nodes=500))


def test_without_beliefs_and_reuse_a_search_starts_anew_whatever_was_seen() -> None:
    found = a_round()
    engine = henro.Engine(found.before.game, seed=3)
    engine.search(found.before, nodes=200)
    one = engine.search(found.after, nodes=200, since=found.seen, reuse=False)
    assert outcome(one) == outcome(
        henro.Engine(found.before.game, seed=3).search(found.after, nodes=200)
    )


# -- whole games ---------------------------------------------------------------------------------


def searched(found: Stretch, reuse: bool, threads: int = 1) -> tuple[object, ...]:
    engine = henro.Engine(found.before.game, seed=3, threads=threads, beliefs=1.0)
    engine.search(found.before, nodes=NODES)
    result = engine.search(found.after, nodes=NODES, since=found.seen, reuse=reuse)
    inherited = sum(move.visits for move in result.moves) - NODES
    assert result.nodes == NODES
    assert inherited == 0 or reuse
    assert sorted(move.action for move in result.moves) == found.after.legal_actions()
    return outcome(result)


@every_game
@pytest.mark.parametrize("reuse", [False, True])
@sized("games", 1, 10)
def test_beliefs_do_not_depend_on_the_true_world(case: Case, reuse: bool, games: int) -> None:
    for found in met(case, games):
        twin = Stretch(
            found.before.resample_from_infostate(0, 1),
            found.seen,
            found.after.resample_from_infostate(0, 2),
        )
        assert searched(found, reuse) == searched(twin, reuse)


@every_game
@sized("games", 1, 10)
def test_believed_worlds_are_what_the_seat_cannot_tell_from_the_true_one(
    case: Case, games: int
) -> None:
    for found in met(case, games):
        searcher, view = moved_on(found), found.after.view(0)
        for seed in range(40):
            world = searcher.world(seed)
            assert world.view(0) == view
            assert world.current_player() == 0


@every_game
def test_beliefs_of_several_threads_are_the_same_each_time(case: Case) -> None:
    found = met(case, 1)[0]
    assert searched(found, False, threads=2) == searched(found, False, threads=2)


def test_beliefs_go_on_from_search_to_search() -> None:
    """A whole game by one engine, in every search with what was seen since the last."""
    game = henro.load_game("shikoku", players=3)
    engine = henro.Engine(game, beliefs=1.0)
    state, rng, seen, searches = game.new_initial_state(), random.Random(5), list[int](), 0
    while not state.is_terminal():
        action = random_action(state, rng)
        if state.current_player() == 0 and len(state.legal_actions()) > 1:
            action = engine.search(state, nodes=50, since=seen, reuse=False).best
            seen, searches = [], searches + 1
        if sees(state, action, 0):
            seen.append(action)
        state.apply_action(action)
    assert searches > 5

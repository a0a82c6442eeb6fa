"""Engine: budgets, seeds, results, and what it refuses."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import henro
from henro import OptionError, StateError

SEARCHING = ["default", "flat"]
EDGE_BYTES = 24

every_preset = pytest.mark.parametrize("preset", henro.PRESETS)
every_search = pytest.mark.parametrize("preset", SEARCHING)


def without_clock(result: henro.SearchResult) -> tuple[object, ...]:
    return (
        result.best,
        result.best_text,
        result.moves,
        result.value,
        result.nodes,
        result.depth,
        result.edges,
        result.pv,
    )


# -- results -------------------------------------------------------------------------------------


@every_preset
def test_the_best_move_is_a_legal_one(game: henro.Game, state: henro.State, preset: str) -> None:
    result = henro.Engine(game, preset=preset).search(state, nodes=200)
    assert result.best in state.legal_actions()
    assert result.best_text == state.action_to_string(result.best)
    assert result.pv[0] == result.best_text
    assert result.elapsed >= 0
    assert result.nps >= 0


@every_search
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("nodes", [1, 2, 3, 10, 1000, 3001])
def test_a_node_budget_is_kept_to_the_node(
    game: henro.Game, state: henro.State, preset: str, threads: int, nodes: int
) -> None:
    result = henro.Engine(game, preset=preset, threads=threads).search(state, nodes=nodes)
    assert result.nodes == nodes
    assert sum(move.visits for move in result.moves) == nodes


@every_search
def test_a_result_is_about_every_legal_move(
    game: henro.Game, state: henro.State, preset: str
) -> None:
    result = henro.Engine(game, preset=preset).search(state, nodes=2000)
    assert sorted(move.action for move in result.moves) == state.legal_actions()
    for move in result.moves:
        assert move.text == state.action_to_string(move.action)
        assert len(move.values) == game.players
        assert all(0 <= value <= 1 for value in move.values)
    assert result.best == result.moves[0].action
    assert result.depth >= 1
    assert result.nps == result.nodes / result.elapsed


@every_search
def test_the_value_is_the_mean_over_all_iterations(
    game: henro.Game, state: henro.State, preset: str
) -> None:
    result = henro.Engine(game, preset=preset, threads=2).search(state, nodes=2000)
    for seat in range(game.players):
        total = sum(move.visits * move.values[seat] for move in result.moves)
        assert result.value[seat] == pytest.approx(total / result.nodes)


def test_tree_search_puts_the_move_visited_most_first(game: henro.Game, state: henro.State) -> None:
    moves = henro.Engine(game).search(state, nodes=3000).moves
    assert [m.visits for m in moves] == sorted((m.visits for m in moves), reverse=True)


def test_flat_search_spreads_its_playouts_and_puts_the_best_mean_first(
    game: henro.Game, state: henro.State, actor: int
) -> None:
    moves = henro.Engine(game, preset="flat").search(state, nodes=3000).moves
    assert {move.visits for move in moves} == {1000}
    means = [move.values[actor] for move in moves]
    assert means == sorted(means, reverse=True)


def test_the_principal_variation_is_a_line_of_actions(game: henro.Game, state: henro.State) -> None:
    result = henro.Engine(game).search(state, nodes=20_000)
    assert len(result.pv) > 1
    assert all(game.string_to_action(text) >= 0 for text in result.pv)


def test_a_single_legal_move_is_searched_like_any_other(game: henro.Game) -> None:
    state = game.deserialize_state(
        f"shikoku players=4 components={game.components_id} phase=take turn=3 order=0,1,2,3 "
        "steps=15,15,17,19 previous=4 row=2,3,6,1 "
        "removed=7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23 "
        "hands=24,25+26/27,28+29/30,31+32/33+5 deck=0"
    )
    result = henro.Engine(game).search(state, nodes=50)
    assert (result.nodes, [move.visits for move in result.moves]) == (50, [50])


def test_more_search_finds_a_win_that_is_there(game: henro.Game) -> None:
    """Seat 3 plays last. With 14 or 33 it ends second, with 15 it would be first."""
    state = game.deserialize_state(
        f"shikoku players=4 components={game.components_id} phase=play turn=3 order=0,1,2,3 "
        "steps=28,20,10,27 previous=5,12,17,30 row=6,8,9,- removed=1,2 "
        "hands=3,4/7,10/11,13/14,15,33 deck=15"
    )
    result = henro.Engine(game).search(state, nodes=3000)
    assert result.best_text in ("play:14", "play:33")
    assert {move.text: move.values[3] for move in result.moves} == {
        "play:14": 1.0,
        "play:15": 0.0,
        "play:33": 1.0,
    }


# -- determinism ---------------------------------------------------------------------------------


@every_preset
@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_search(
    game: henro.Game, state: henro.State, preset: str, threads: int
) -> None:
    one, two = (
        henro.Engine(game, preset, 5, threads, tree="separate").search(state, nodes=3000)
        for _ in range(2)
    )
    assert without_clock(one) == without_clock(two)


@every_search
def test_searching_again_with_one_engine_gives_the_same_result(
    game: henro.Game, state: henro.State, preset: str
) -> None:
    engine = henro.Engine(game, preset=preset, seed=5)
    one, two = (engine.search(state, nodes=3000) for _ in range(2))
    assert without_clock(one) == without_clock(two)


@every_search
def test_a_clock_or_more_memory_than_needed_changes_no_result(
    game: henro.Game, state: henro.State, preset: str
) -> None:
    """However the search is cut into slices, however much room its tree has."""
    plain = henro.Engine(game, preset).search(state, nodes=3000)
    roomy = henro.Engine(game, preset, hash_mb=256).search(state, nodes=3000)
    timed = henro.Engine(game, preset).search(
        state, nodes=3000, movetime=600, on_info=lambda _: None
    )
    assert without_clock(plain) == without_clock(roomy) == without_clock(timed)


@every_search
def test_different_seeds_give_different_searches(
    game: henro.Game, state: henro.State, preset: str
) -> None:
    values = {
        henro.Engine(game, preset=preset, seed=seed).search(state, nodes=1000).value
        for seed in (0, 1, 2, 2**64 - 1)
    }
    assert len(values) > 1


def test_random_moves_differ_from_seed_to_seed(game: henro.Game, state: henro.State) -> None:
    found = {henro.Engine(game, "random", seed=seed).search(state).best for seed in range(30)}
    assert found == set(state.legal_actions())


def test_threads_search_different_worlds(game: henro.Game, state: henro.State) -> None:
    one = henro.Engine(game, threads=1).search(state, nodes=1000)
    two = henro.Engine(game, threads=2).search(state, nodes=2000)
    doubled = [(move.action, 2 * move.visits) for move in one.moves]
    assert [(move.action, move.visits) for move in two.moves] != doubled


@every_preset
def test_a_state_and_its_view_are_searched_alike(
    game: henro.Game, state: henro.State, actor: int, preset: str
) -> None:
    sources: list[henro.State | henro.InformationSet] = [
        state,
        state.information_set(actor),
        game.information_set(state.view(actor)),
    ]
    results = [
        henro.Engine(game, preset, seed=3, tree="separate").search(source, nodes=500)
        for source in sources
    ]
    assert len({repr(without_clock(result)) for result in results}) == 1


@every_search
def test_a_search_leaves_the_state_as_it_was(
    game: henro.Game, state: henro.State, preset: str
) -> None:
    before = (state.serialize(), state.history())
    henro.Engine(game, preset).search(state, nodes=500)
    assert (state.serialize(), state.history()) == before


# -- time, stop, interim results ------------------------------------------------------------------


@contextmanager
def stopped_by_another_thread(engine: henro.Engine) -> Iterator[None]:
    """Calls stop() again and again from a thread until the block is left."""
    done = threading.Event()

    def keep_stopping() -> None:
        while not done.wait(0.02):
            engine.stop()

    thread = threading.Thread(target=keep_stopping)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@every_search
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_from_another_thread_ends_a_search_without_a_budget(
    game: henro.Game, state: henro.State, preset: str, threads: int
) -> None:
    engine = henro.Engine(game, preset=preset, threads=threads)
    with stopped_by_another_thread(engine):
        result = engine.search(state)
    assert result.best in state.legal_actions()


def test_a_stop_does_not_reach_the_next_search(game: henro.Game, state: henro.State) -> None:
    engine = henro.Engine(game)
    engine.stop()
    assert engine.search(state, nodes=2000).nodes == 2000


@pytest.mark.parametrize("threads", [1, 2])
def test_movetime_ends_a_search(game: henro.Game, state: henro.State, threads: int) -> None:
    result = henro.Engine(game, threads=threads).search(state, movetime=0.1)
    assert result.nodes > 0
    assert 0.1 <= result.elapsed < 30  # a busy machine may be slow, not quick


def test_whichever_budget_is_used_up_first_ends_the_search(
    game: henro.Game, state: henro.State
) -> None:
    assert henro.Engine(game).search(state, nodes=100, movetime=600).nodes == 100
    assert henro.Engine(game).search(state, nodes=10**9, movetime=0.05).nodes < 10**9


@pytest.mark.parametrize("threads", [1, 2])
def test_interim_results_come_while_searching(
    game: henro.Game, state: henro.State, threads: int
) -> None:
    seen: list[henro.SearchResult] = []
    engine = henro.Engine(game, threads=threads)
    result = engine.search(state, movetime=1.3, on_info=seen.append)
    assert seen
    nodes = [interim.nodes for interim in seen]
    assert nodes == sorted(nodes)
    assert nodes[-1] <= result.nodes
    assert all(interim.best in state.legal_actions() for interim in seen)


def test_stop_may_come_from_within_an_interim_result(game: henro.Game, state: henro.State) -> None:
    engine = henro.Engine(game)
    assert engine.search(state, on_info=lambda _: engine.stop()).nodes > 0


def test_an_error_in_the_receiver_of_interim_results_comes_through(
    game: henro.Game, state: henro.State
) -> None:
    def fail(_: henro.SearchResult) -> None:
        raise ZeroDivisionError

    engine = henro.Engine(game)
    with pytest.raises(ZeroDivisionError):
        engine.search(state, movetime=60, on_info=fail)
    assert engine.search(state, nodes=10).nodes == 10


# -- memory --------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 32])
def test_a_search_goes_on_within_its_memory(
    game: henro.Game, state: henro.State, threads: int
) -> None:
    result = henro.Engine(game, hash_mb=1, threads=threads).search(state, nodes=80_000)
    assert result.nodes == 80_000
    assert 0 < result.edges * EDGE_BYTES <= 1 << 20
    assert result.best in state.legal_actions()


def test_more_memory_holds_a_larger_tree(game: henro.Game, state: henro.State) -> None:
    small, large = (
        henro.Engine(game, hash_mb=size).search(state, nodes=80_000).edges for size in (1, 16)
    )
    assert small < large


# -- refusals ------------------------------------------------------------------------------------


@every_preset
def test_there_is_nothing_to_search_when_the_game_is_over(
    game: henro.Game, finished: henro.State, preset: str
) -> None:
    engine = henro.Engine(game, preset)
    for source in (finished, finished.information_set(0)):
        with pytest.raises(StateError, match="the game is over: nothing to search"):
            engine.search(source, nodes=10)


@every_preset
def test_there_is_nothing_to_search_at_a_chance_event(
    game: henro.Game, start: henro.State, preset: str
) -> None:
    for source in (start, start.information_set(0)):
        with pytest.raises(StateError, match="a chance event is due: nothing to search"):
            henro.Engine(game, preset).search(source, nodes=10)


@every_preset
def test_only_the_seat_to_move_searches(
    game: henro.Game, state: henro.State, actor: int, bystander: int, preset: str
) -> None:
    engine = henro.Engine(game, preset)
    assert engine.search(state, seat=actor, nodes=10).best in state.legal_actions()
    for call in (
        lambda: engine.search(state, seat=bystander, nodes=10),
        lambda: engine.search(state.information_set(bystander), nodes=10),
        lambda: engine.search(state.information_set(actor), seat=bystander, nodes=10),
        lambda: engine.search(state, seat=99, nodes=10),
        lambda: engine.search(state, seat=-1, nodes=10),
    ):
        with pytest.raises(StateError, match="is not to move"):
            call()


def test_a_state_of_another_game_is_refused(state: henro.State) -> None:
    engine = henro.Engine(henro.load_game("shikoku", players=5))
    with pytest.raises(OptionError, match=r"made for <Game shikoku players=5 .* players=4"):
        engine.search(state, nodes=10)


@pytest.mark.parametrize("source", ["a view", None, 3])
def test_only_a_state_or_an_information_set_is_searched(game: henro.Game, source: Any) -> None:
    with pytest.raises((TypeError, henro.HenroError)):
        henro.Engine(game).search(source, nodes=10)


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("preset", ["", "best", "Default", None]),
        ("seed", [-1, 2**64]),
        ("threads", [0, -1, 257]),
        ("hash_mb", [0, -1, 2**21]),
        ("exploration", [-0.1, float("nan"), float("inf")]),
    ],
)
def test_an_engine_option_out_of_range_is_refused_by_name(
    game: henro.Game, option: str, values: list[Any]
) -> None:
    for value in values:
        with pytest.raises(OptionError, match=option):
            henro.Engine(game, **{option: value})


@pytest.mark.parametrize("option", ["seed", "threads", "hash_mb"])
@pytest.mark.parametrize("value", [1.5, "1", True])
def test_an_engine_option_of_another_kind_is_refused_at_once(
    game: henro.Game, option: str, value: Any
) -> None:
    with pytest.raises((OptionError, TypeError)):
        henro.Engine(game, **{option: value})


def test_shares_that_are_more_than_the_whole_are_refused(game: henro.Game) -> None:
    with pytest.raises(OptionError, match=r"rank 0.7 and score 0.6: together they are at most 1"):
        henro.Engine(game, rank=0.7, score=0.6)


def test_an_engine_is_made_for_a_game() -> None:
    with pytest.raises(TypeError, match="made for a Game, not 'jinja'"):
        henro.Engine("jinja")  # type: ignore[arg-type]


@pytest.mark.parametrize("nodes", [0, -1, 10**15, 2**64])
def test_a_node_budget_out_of_range_is_refused(
    game: henro.Game, state: henro.State, nodes: int
) -> None:
    with pytest.raises(OptionError, match="nodes"):
        henro.Engine(game).search(state, nodes=nodes)


@pytest.mark.parametrize("movetime", [0, -1, float("nan"), float("inf")])
def test_a_movetime_out_of_range_is_refused(
    game: henro.Game, state: henro.State, movetime: float
) -> None:
    with pytest.raises(OptionError, match="movetime"):
        henro.Engine(game).search(state, movetime=movetime)


@pytest.mark.parametrize(
    "budget",
    [
        *[{"nodes": 1.5}, {"nodes": "9"}, {"movetime": "9"}, {"clock": 5}],
        *[{"clock": henro.Clock(float("nan"))}, {"since": "abc"}, {"since": 5}, {"since": [1.5]}],
    ],
)
def test_a_budget_of_another_kind_is_refused(
    game: henro.Game, state: henro.State, budget: dict[str, Any]
) -> None:
    [name] = budget
    with pytest.raises(OptionError, match=name):
        henro.Engine(game).search(state, **budget)

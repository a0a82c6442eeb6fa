"""Long use does not fill the memory. Each check runs in a process of its own."""

import os
import subprocess
import sys

import pytest

LIMIT_MB = 8

PRELUDE = """
import pickle, resource, sys
import henro

game = henro.load_game("shikoku", players=4)
state = game.new_initial_state()
while state.is_chance_node():
    state.apply_action(state.sample_chance(1))
view, position = state.view(state.current_player()), state.serialize()


def peak():
    units = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * units


def refused(call, *arguments):
    try:
        call(*arguments)
    except henro.HenroError:
        return
    raise AssertionError
"""

WORK = {
    "searches": (200, "henro.Engine(game, threads=1 + i % 2).search(state, nodes=400)"),
    "shared trees": (
        200,
        "henro.Engine(game, threads=2, tree='shared').search(state, nodes=400)",
    ),
    "growing trees": (12, "henro.Engine(game, hash_mb=2).search(state, nodes=60_000)"),
    "states": (8000, "state.clone().apply_action(state.legal_actions()[0])"),
    "views": (8000, "game.information_set(state.view(i % 4)).sample(i).serialize()"),
    "results": (4000, "(state.playouts(1, i).utilities, state.events(state.legal_actions()[0]))"),
    "tensors": (8000, "state.observation_tensor(i % 4)"),
    "pickles": (4000, "pickle.loads(pickle.dumps((state, state.information_set(0))))"),
    "games": (400, "henro.load_game('shikoku', players=3 + i % 6).new_initial_state()"),
    "illegal moves": (8000, "refused(state.apply_action, 10**6)"),
    "broken texts": (8000, "refused(game.deserialize_state, position + ' x=1')"),
    "broken seeds": (8000, "refused(state.resample_from_infostate, 0, -1)"),
}


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="it keeps freed memory")
@pytest.mark.parametrize("name", WORK)
def test_memory_does_not_grow_with(name: str) -> None:
    pytest.importorskip("resource")
    times, work = WORK[name]
    script = f"""{PRELUDE}
for i in range({times}):
    {work}
before = peak()
for i in range(4 * {times}):
    {work}
print(peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < LIMIT_MB << 20


def test_a_search_that_may_be_long_begins_small() -> None:
    """A large budget of iterations is no reason to lay hands on all memory beforehand."""
    pytest.importorskip("resource")
    script = f"""{PRELUDE}
henro.Engine(game, hash_mb=4).search(state, nodes=1000)
before = peak()
henro.Engine(game, hash_mb=4096).search(state, nodes=10**12, movetime=0.05)
print(peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 64 << 20

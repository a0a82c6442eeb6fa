"""Refereed games: only an offender suffers, and no bot learns what its seat may not know."""

import random
from pathlib import Path

import pytest

import henro
from henro.errors import OptionError
from henro.protocol import BotProcess, BotSpec, ChanceSource, Complaint, Limits, play_game
from henro.protocol.types import MAX_COMPLAINTS

GAME = henro.load_game("shikoku", players=4)
SEED = b"a secret"
LIMITS = Limits(movetime_ms=1000, grace_ms=1000)
QUICK = Limits(movetime_ms=100, timemargin_ms=60, grace_ms=400)


@pytest.fixture(scope="module")
def good(lasting_mock, tmp_path_factory):
    """Four good bots that copy all they read."""
    folder = tmp_path_factory.mktemp("heard")
    return [lasting_mock("recorder", str(folder / str(seat))) for seat in range(GAME.players)]


def heard(bot):
    """Where a good bot copies what it reads."""
    return Path(bot.spec.cmd[-1])


def match(bots, limits=LIMITS, seed=SEED, game=GAME, **kwargs):
    """A game in which all have the same limits, or each seat those of a list."""
    each = limits if isinstance(limits, list) else [limits] * len(bots)
    return play_game(game, bots, each, ChanceSource(seed), **kwargs)


def replayed(record):
    """(state, text) before each ply of a record."""
    state = GAME.new_initial_state()
    for text in record.moves:
        yield state, text
        state.apply(text)
    assert state.is_terminal()
    assert state.scores() == record.scores


def asked(state):
    """The seat that has a choice, or None."""
    return state.current_player() if len(state.legal_actions()) > 1 else None


def with_faulty(good, faulty, seat=1):
    return [faulty if s == seat else bot for s, bot in enumerate(good)]


def test_a_game_without_faults_replays_and_keeps_the_time_of_each_choice(good):
    record = match(good, round=3, rotation=2)
    assert record.termination == "normal"
    assert record.faults == []
    assert (record.game, record.players) == ("shikoku", 4)
    assert (record.round, record.rotation) == (3, 2)
    assert record.components == GAME.components_id
    assert record.bots == ["recorder"] * 4
    for (state, _), time_ms in zip(replayed(record), record.times_ms, strict=True):
        assert (time_ms is not None) == (asked(state) is not None)
        assert time_ms is None or 0 <= time_ms < 1000


def test_the_seed_fixes_chance(good):
    assert match(good).moves == match(good).moves
    assert match(good).moves != match(good, seed=b"another").moves


def test_the_nth_chance_event_is_the_same_whatever_is_played(good, mock):
    lowest, other = match(good), match(with_faulty(good, mock("illegal")))
    setup = 4 * GAME.players
    assert lowest.moves[:setup] == other.moves[:setup]
    assert lowest.moves != other.moves


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("illegal", "illegal"),
        ("late", "timeout"),
        ("hang", "stall"),
        ("crash", "crash"),
        ("flood_lines", "protocol"),
        ("early", "protocol"),
    ],
)
def test_only_the_offender_suffers(good, mock, name, kind):
    bots = with_faulty(good, mock(name))
    record = match(bots, [LIMITS, QUICK, LIMITS, LIMITS])
    (fault,) = record.faults
    assert (fault.seat, fault.kind) == (1, kind)
    assert record.termination == "faults"
    for ply, (state, _) in enumerate(replayed(record)):
        if asked(state) is not None:
            out = state.current_player() == 1 and ply >= fault.ply
            assert (record.times_ms[ply] is None) == out
        if ply == fault.ply and ply > 0:
            assert state.current_player() == 1


def test_moves_for_an_offender_come_from_the_secret_seed(good, mock):
    bots = with_faulty(good, mock("illegal"))
    first = match(bots)
    assert match(bots).moves == first.moves
    numbers = [ChanceSource(SEED).fallback(1, n) for n in range(99)]
    fallbacks = 0
    for state, text in replayed(first):
        legal = state.legal_actions()
        if asked(state) == 1:
            expected = legal[numbers[fallbacks] % len(legal)]
            assert text == state.action_to_string(expected)
            fallbacks += 1
    assert fallbacks > 5


def test_several_bots_may_fail_in_one_game(good, mock):
    bots = [mock("crash"), good[1], mock("no_move"), mock("illegal")]
    kinds = {fault.seat: fault.kind for fault in match(bots).faults}
    assert kinds == {0: "crash", 2: "protocol", 3: "illegal"}


def test_a_bot_that_does_not_run_is_out_from_the_start(good):
    ghost = BotProcess(BotSpec("ghost", ["ghost"]))
    record = match(with_faulty(good, ghost))
    assert [(fault.ply, fault.kind) for fault in record.faults] == [(0, "crash")]


def test_a_forfeit_costs_the_offender_its_result_and_nobody_else_theirs(good, mock):
    bots = with_faulty(good, mock("illegal"))
    offender_won = False
    for number in range(40):
        seed = b"%d" % number
        plain = match(bots, seed=seed)
        forfeit = match(bots, seed=seed, on_fault="forfeit")
        assert forfeit.moves == plain.moves
        assert forfeit.scores == plain.scores
        assert (forfeit.ranks[1], forfeit.utilities[1]) == (4, 0.0)
        for seat in (0, 2, 3):
            assert forfeit.ranks[seat] == plain.ranks[seat]
            assert forfeit.utilities[seat] == plain.utilities[seat]
        offender_won = offender_won or plain.utilities[1] > 0
    assert offender_won


def test_error_lines_are_no_fault_but_kept_with_seat_and_ply(good, mock):
    record = match(with_faulty(good, mock("objects", "newgame", "go")))
    assert record.faults == []
    assert record.termination == "normal"
    plies = [ply for ply, (state, _) in enumerate(replayed(record)) if asked(state) == 1]
    complaints = [Complaint(1, ply, "view I do not like go") for ply in plies]
    first = Complaint(1, 0, "view I do not like newgame")
    assert record.complaints == [first, *complaints][:MAX_COMPLAINTS]


def test_each_seat_has_its_own_clock(good, mock):
    bots = with_faulty(good, mock("slow"))
    clock = Limits(clock_ms=5000, inc_ms=10)
    short = Limits(clock_ms=250, inc_ms=10, timemargin_ms=30, grace_ms=500)
    (fault,) = match(bots, [clock, short, clock, clock]).faults
    assert (fault.seat, fault.kind) == (1, "timeout")
    others = questions(good[0])
    assert others[0] == "go clock 5000 inc 10"
    assert all(int(line.split()[2]) > 4000 for line in others)


def questions(bot):
    """The go lines of a good bot's last game."""
    lines = heard(bot).read_text().splitlines()
    last = max(n for n, line in enumerate(lines) if line.startswith("newgame"))
    return [line for line in lines[last:] if line.startswith("go ")]


def test_a_clock_falls_by_the_time_taken_and_rises_by_the_increment(good):
    limits = Limits(clock_ms=5000, inc_ms=100, nodes=7)
    record = match(good, limits)
    left = 5000
    lines = iter(questions(good[2]))
    for (state, _), time_ms in zip(replayed(record), record.times_ms, strict=True):
        if asked(state) == 2:
            assert next(lines) == f"go nodes 7 clock {left} inc 100"
            left += 100 - time_ms


def test_on_ply_sees_every_ply_and_its_exception_ends_the_game(good):
    seen = []
    record = match(good, on_ply=lambda actor, text, state: seen.append((actor, text)))
    assert [text for _, text in seen] == record.moves
    assert seen[0][0] == henro.CHANCE

    class Enough(Exception):
        pass

    def stop(actor, text, state):
        raise Enough

    with pytest.raises(Enough):
        match(good, on_ply=stop)


def test_seats_bots_and_limits_must_match(good):
    for bots in (good[:3], [*good[:3], good[0]]):
        with pytest.raises(OptionError, match="4 seats need as many different bots"):
            match(bots)


# ---- what a bot is told


def told_lines(record, seat, limits):
    """What the protocol owes a seat in a game, computed from views and events alone."""
    lines = [f"newgame game shikoku players 4 seat {seat} components {GAME.components_id}"]
    lines.append("isready")
    events = []
    for state, text in replayed(record):
        if asked(state) == seat:
            legal = [state.action_to_string(action) for action in state.legal_actions()]
            lines += events
            lines += [f"position view {state.view(seat)}", "legal " + " ".join(legal)]
            lines += ["isready", limits]
            events = []
        action = state.string_to_action(text)
        events += [f"event {subject} {seen}" for subject, seen in state.events(action)[seat]]
    result = ["gameover ranks", *map(str, record.ranks), "scores", *map(str, record.scores)]
    return [*lines, *events, " ".join(result)]


def test_a_bot_is_told_its_views_events_and_legal_moves_and_nothing_else(good):
    for bot in good:
        heard(bot).write_text("")
    record = match(good)
    for seat, bot in enumerate(good):
        bot.isready()
        told = told_lines(record, seat, "go movetime 1000")
        assert heard(bot).read_text().splitlines() == [*told, "isready"]


class Middle:
    """A game that begins in the middle: at a given state."""

    def __init__(self, state):
        self.state = state
        self.name, self.players, self.options = GAME.name, GAME.players, GAME.options
        self.components_id = GAME.components_id

    def new_initial_state(self):
        return self.state.clone()


def draw_nodes(count):
    """States of random games in which a seat is about to draw a card in secret."""
    rng = random.Random(4)
    found = []
    while len(found) < count:
        state = GAME.new_initial_state()
        setup_and_more = rng.randrange(17, 60)
        while not state.is_terminal():
            if not state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
            elif len(state.history()) >= setup_and_more:
                found.append(state)
                break
            else:
                state.apply_action(state.sample_chance(rng.getrandbits(60)))
    return found


def drawing_seat(state):
    ((subject, _),) = state.events(state.sample_chance(1))[0]
    return int(subject)


def heard_until_asked(bots, game, seat, seed):
    """What a seat's bot reads in a game up to its first question."""

    class Asked(Exception):
        pass

    before = heard(bots[seat]).stat().st_size

    def watch(actor, text, state):
        if actor == seat:
            raise Asked

    with pytest.raises(Asked):
        match(bots, game=game, seed=seed, on_ply=watch)
    return heard(bots[seat]).read_bytes()[before:]


def test_worlds_that_a_seat_cannot_tell_apart_give_its_bot_the_same_bytes(good):
    hidden = 0
    for state in draw_nodes(12):
        seat = (drawing_seat(state) + 1) % GAME.players
        other = state.resample_from_infostate(seat, 77)
        hidden += other != state
        first = heard_until_asked(good, Middle(state), seat, b"one")
        assert b"draw:?" in first
        assert first == heard_until_asked(good, Middle(other), seat, b"two")
    assert hidden > 6


# ---- chance


def test_streams_of_a_chance_source_differ_and_repeat():
    source = ChanceSource(SEED)
    numbers = [source.chance(n) for n in range(50)]
    numbers += [source.fallback(seat, n) for seat in range(8) for n in range(50)]
    assert len(set(numbers)) == len(numbers)
    assert all(0 <= number < 2**64 for number in numbers)
    assert numbers[:50] == [ChanceSource(SEED).chance(n) for n in range(50)]
    assert ChanceSource(b"other").chance(0) != numbers[0]


@pytest.mark.parametrize("seed", [b"", b"x" * 65])
def test_a_chance_seed_has_a_length(seed):
    with pytest.raises(OptionError, match="1 to 64 bytes"):
        ChanceSource(seed)

"""A record replays exactly, or the first thing that is wrong with it is named."""

import json
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import henro
from henro import cli
from henro.arena import Arena, Bot, load, read_records, replay
from henro.arena.records import decode
from henro.errors import RecordError
from henro.protocol import Complaint, Fault, GameRecord, Limits, Thought


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("replay") / "run"


@pytest.fixture
def file(config, mock_bot, folder):
    """games.jsonl of a run of three games in which the bot "bad" fails at its first move."""
    if not folder.exists():
        bots = [mock_bot("base", "good"), mock_bot("illegal", "bad"), mock_bot("base", "fine")]
        Arena(config(bots=bots, rounds=1, out=folder)).run()
    return folder / "games.jsonl"


@pytest.fixture
def record(file):
    return next(load(file.parent).records())


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """Calls `henro replay ARGS` in this process: exit code, output, errors."""

    def call(*args):
        monkeypatch.setattr(sys, "argv", ["henro", "replay", *map(str, args)])
        monkeypatch.setenv("COLUMNS", "100")
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code or 0, *capsys.readouterr()

    return call


def test_a_replay_gives_every_state_with_the_text_that_was_played_there(record):
    steps = list(replay(record))
    assert [text for _, text in steps] == [*record.moves, None]
    state = henro.load_game("shikoku", players=3).new_initial_state()
    for shown, text in steps:
        assert shown == state
        if text is not None:
            state.apply(text)
    assert steps[-1][0].is_terminal()


def test_a_record_survives_writing_and_reading(record):
    assert decode(msgspec.json.encode(record), "here") == record


texts = st.text(max_size=8)
seats = st.integers(0, 7)
records = st.builds(
    GameRecord,
    game=texts,
    players=seats,
    options=st.dictionaries(texts, texts, max_size=2),
    components=texts,
    bots=st.lists(texts, max_size=3),
    round=seats,
    rotation=seats,
    moves=st.lists(texts, max_size=5),
    scores=st.lists(st.integers(-99, 99), max_size=3),
    ranks=st.lists(seats, max_size=3),
    utilities=st.lists(st.floats(0, 1), max_size=3),
    faults=st.lists(st.builds(Fault, seats, seats, st.just("crash"), texts), max_size=2),
    complaints=st.lists(st.builds(Complaint, seats, seats, texts), max_size=2),
    times_ms=st.lists(st.none() | seats, max_size=5),
    thoughts=st.lists(st.none() | st.builds(Thought, st.none() | seats, seats), max_size=5),
    started=texts,
)


@given(records)
def test_any_record_is_one_line_and_reads_back(record):
    line = msgspec.json.encode(record)
    assert b"\n" not in line
    assert decode(line, "here") == record


@given(records)
def test_no_nonsense_crashes_a_replay(record):
    with pytest.raises(RecordError, match=r"^here: "):
        list(replay(record, where="here"))


@given(st.binary(max_size=40))
def test_no_bytes_crash_the_reader(line):
    with pytest.raises(RecordError, match=r"^here: "):
        decode(line, "here")


def moved(record, ply, text):
    return [*record.moves[:ply], text, *record.moves[ply + 1 :]]


def replay_all(path):
    for number, record in read_records(path):
        list(replay(record, where=f"{path}:{number}"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: {"format": "henro-record/9"}, "format: 'henro-record/9'"),
        (lambda r: {"game": "chess"}, "chess"),
        (lambda r: {"players": 9}, "players|9"),
        (lambda r: {"options": {"players": "3"}}, "players"),
        (lambda r: {"components": "shikoku/default@000000000000"}, "components|000000000000"),
        (lambda r: {"bots": ["good"]}, "bots: expected 3"),
        (lambda r: {"moves": moved(r, 0, "deal:99")}, "ply 0: moves: "),
        (lambda r: {"moves": moved(r, 1, r.moves[0])}, "ply 1: moves: "),
        (lambda r: {"moves": moved(r, 12, "play:99")}, "ply 12: moves: "),
        (lambda r: {"moves": moved(r, 12, "?")}, "ply 12: moves: "),
        (lambda r: {"moves": r.moves[:-1], "times_ms": r.times_ms[:-1]}, "is not over here"),
        (
            lambda r: {"moves": [*r.moves, "play:1"], "times_ms": [*r.times_ms, None]},
            r"ply \d+: moves: the game is over here",
        ),
        (lambda r: {"times_ms": r.times_ms[1:]}, "times_ms: expected one for each"),
        (lambda r: {"times_ms": [5, *r.times_ms[1:]]}, "ply 0: times_ms: 5 cannot be"),
        (lambda r: {"thoughts": [None]}, "thoughts: expected none, or one for each move"),
        (lambda r: {"thoughts": [Thought(1)] * len(r.moves)}, "ply 0: thoughts: .* cannot be"),
        (lambda r: {"scores": [s + 1 for s in r.scores]}, "scores: stated"),
        (lambda r: {"scores": r.scores[1:]}, "scores: expected 3"),
        (lambda r: {"ranks": [3, 3, 3]}, "ranks: stated"),
        (lambda r: {"utilities": [0.5, 0.5, 0.5]}, "utilities: stated"),
        (lambda r: {"faults": []}, "termination: 'faults' with 0 faults"),
        (lambda r: {"termination": "normal"}, "termination: 'normal' with 1 faults"),
        (lambda r: {"faults": [Fault(3, 0, "crash", "")]}, r"faults\[0\].seat: 3"),
        (lambda r: {"faults": [Fault(0, 999, "crash", "")]}, r"faults\[0\].ply: 999"),
        (lambda r: {"complaints": [Complaint(3, 0, "")]}, r"complaints\[0\].seat: 3"),
        (lambda r: {"complaints": [Complaint(0, 999, "")]}, r"complaints\[0\].ply: 999"),
        (lambda r: {"termination": "abandoned"}, "scores: expected 0"),
    ],
)
def test_a_tampered_record_is_refused_by_file_line_ply_and_field(
    record, command, tmp_path, change, words
):
    tampered = msgspec.structs.replace(record, **change(record))
    path = tmp_path / "games.jsonl"
    path.write_bytes(msgspec.json.encode(record) + b"\n" + msgspec.json.encode(tampered) + b"\n")
    with pytest.raises(RecordError, match=words) as error:
        replay_all(path)
    assert str(error.value).startswith(f"{path}:2: ")
    code, _, err = command(path)
    assert code == 2
    assert err == f"henro: error: {error.value}\n"


def test_a_forfeit_is_true_although_the_rules_give_another_result(record):
    seat = record.faults[0].seat
    forfeit = msgspec.structs.replace(
        record,
        ranks=[3 if s == seat else rank for s, rank in enumerate(record.ranks)],
        utilities=[0.0 if s == seat else u for s, u in enumerate(record.utilities)],
    )
    list(replay(forfeit))


def test_an_abandoned_game_replays_as_far_as_it_goes(record, command, tmp_path):
    left = msgspec.structs.replace(
        record,
        moves=record.moves[:20],
        times_ms=record.times_ms[:20],
        scores=[],
        ranks=[],
        utilities=[],
        termination="abandoned",
    )
    assert len(list(replay(left))) == 21
    (tmp_path / "left.jsonl").write_bytes(msgspec.json.encode(left) + b"\n")
    code, out, _ = command(tmp_path / "left.jsonl")
    assert code == 0
    assert "abandoned; so far it replays exactly" in out


def test_all_games_of_a_file_are_proved(command, file):
    code, out, _ = command(file)
    assert code == 0
    *games, last = out.splitlines()
    assert [line.split(":")[0] for line in games] == ["1", "2", "3"]
    assert all("1 faults" in line for line in games)
    assert last == "all 3 games replay exactly"
    _, out, _ = command(file, "--json")
    assert [json.loads(line)["line"] for line in out.splitlines()] == [1, 2, 3]


def test_one_game_is_shown_move_by_move(command, file, record):
    code, out, _ = command(f"{file}:1")
    assert code == 0
    numbers = [int(line[:4]) for line in out.splitlines() if line[:4].strip().isdecimal()]
    assert numbers == list(range(len(record.moves)))
    assert "climb: " in out
    assert "bad illegal: play:99 is not a legal move" in out
    assert out.splitlines()[-1] == "the record replays exactly"


def test_one_seat_sees_no_hidden_card(command, file, record):
    code, out, _ = command(f"{file}:1", "--seat", 0)
    assert code == 0
    assert "deal:?" in out
    assert all(text in out for text in record.moves[:3])
    assert not any(text in out for text in record.moves[3:9])


def test_a_complaint_is_shown_at_its_ply_to_all_but_other_seats(command, record, tmp_path):
    sad = msgspec.structs.replace(record, complaints=[Complaint(1, 20, "view I do not see")])
    (tmp_path / "sad.jsonl").write_bytes(msgspec.json.encode(sad) + b"\n")
    name = record.bots[1]
    _, out, _ = command(tmp_path / "sad.jsonl")
    lines = out.splitlines()
    shown = lines.index(f"      error: p1 {name} says: view I do not see")
    assert lines[shown - 1].split()[0] == "20"
    for seat, expected in ((0, False), (1, True)):
        _, out, _ = command(tmp_path / "sad.jsonl", "--seat", seat)
        assert ("I do not see" in out) == expected
        _, out, _ = command(tmp_path / "sad.jsonl", "--seat", seat, "--json")
        assert bool(json.loads(out)["complaints"]) == expected


@pytest.mark.parametrize("impossible", [Thought(-1), Thought(1, -1), Thought(1, 1, 1.5)])
def test_a_thought_that_cannot_be_is_refused(record, impossible):
    ply = next(ply for ply, time_ms in enumerate(record.times_ms) if time_ms is not None)
    thoughts = [impossible if n == ply else None for n in range(len(record.moves))]
    with pytest.raises(RecordError, match=f"ply {ply}: thoughts: .* cannot be"):
        list(replay(msgspec.structs.replace(record, thoughts=thoughts)))


def test_what_a_faulty_bot_said_is_shown_to_its_own_seat_alone(command, file, record):
    [fault] = record.faults
    for seat in range(3):
        for args in ([], ["--json"]):
            _, out, _ = command(f"{file}:1", "--seat", seat, *args)
            assert "illegal" in out
            assert ("not a legal move" in out) == (seat == fault.seat)


def test_what_bots_tell_of_their_searches_is_kept_and_shown_to_all_but_other_seats(
    config, command, tmp_path
):
    bots = [Bot(name="henro", preset="default", limits=Limits(nodes=30))]
    Arena(config(bots=bots, rounds=1, out=tmp_path / "run")).run()
    record = next(load(tmp_path / "run").records())
    by_seat = {0: 0, 1: 0, 2: 0}
    for (state, text), thought, time_ms in zip(
        replay(record), record.thoughts, record.times_ms, strict=False
    ):
        assert (thought is None) == (time_ms is None)
        if thought is not None:
            assert text is not None
            by_seat[state.current_player()] += 1
            assert thought.nodes == 30
            assert thought.depth > 0
            assert 0 <= thought.value <= 1
    place = f"{tmp_path / 'run'}:1"
    assert command(place)[1].count("  30 nodes") == sum(by_seat.values())
    for seat, count in by_seat.items():
        _, out, _ = command(place, "--seat", seat)
        assert out.count("  30 nodes") == count
        plies = json.loads(command(place, "--seat", seat, "--json")[1])["plies"]
        assert sum("thought" in ply for ply in plies) == count
    plies = json.loads(command(place, "--json")[1])["plies"]
    assert [ply["thought"]["nodes"] for ply in plies if "thought" in ply] == [30] * sum(
        by_seat.values()
    )


def test_a_results_folder_stands_for_its_records(command, file):
    assert command(file.parent) == command(file)
    assert command(f"{file.parent}:2") == command(f"{file}:2")
    code, _, err = command(file.parent.parent)
    assert code == 2
    assert "games.jsonl: No such file" in err


def test_a_record_of_another_component_set_asks_for_its_file(command, file, record, tmp_path):
    other = msgspec.structs.replace(record, components="shikoku/own@000000000000")
    (tmp_path / "own.jsonl").write_bytes(msgspec.json.encode(other) + b"\n")
    for args in ([], ["--components", "shikoku/default"]):
        code, _, err = command(tmp_path / "own.jsonl", *args)
        assert code == 2
        assert err.endswith("; give the set that was played with by --components FILE\n")


def test_a_position_is_shown_by_ply_and_can_be_read_back(command, file, record):
    states = [state for state, _ in replay(record)]
    for ply in (0, 15, len(record.moves)):
        code, out, _ = command(f"{file}:1", "--ply", ply)
        assert code == 0
        assert states[ply].serialize() in out.splitlines()
        _, out, _ = command(f"{file}:1", "--ply", ply, "--seat", 2)
        assert states[ply].view(2) in out.splitlines()
        assert states[ply].serialize() not in out.splitlines()


def test_json_has_every_ply_with_its_position(command, file, record):
    _, out, _ = command(f"{file}:1", "--json")
    shown = json.loads(out)
    assert [ply["move"] for ply in shown["plies"][:-1]] == record.moves
    assert [ply["position"] for ply in shown["plies"]] == [
        state.serialize() for state, _ in replay(record)
    ]
    _, out, _ = command(f"{file}:1", "--json", "--seat", 1, "--ply", 14)
    (ply,) = json.loads(out)["plies"]
    assert set(ply) == {"ply", "events", "view"}


@pytest.mark.parametrize(
    ("place", "args", "words"),
    [
        (":9", [], "no line 9"),
        (":1", ["--ply", "999"], "ply 999: the game has"),
        (":1", ["--seat", "3"], "seat 3: the seats are 0 to 2"),
        ("", ["--ply", "3"], "has 3 games; pick one"),
        (".gone", [], "No such file"),
    ],
)
def test_a_wrong_call_is_explained(command, file, place, args, words):
    code, _, err = command(f"{file}{place}", *args)
    assert code == 2
    assert words in err

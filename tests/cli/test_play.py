"""`henro play`: a person at the table."""

import re
import signal
import subprocess
import sys
import time

import msgspec
import pytest

import henro as engine
from henro.cli.play import find_move
from henro.protocol.types import GameRecord

FAST = ("--nodes", "20", "--seed", "3")
ALWAYS_FIRST = "#1\n" * 200


def record(path) -> GameRecord:
    [line] = path.read_text().splitlines()
    return msgspec.json.decode(line, type=GameRecord)


def replay(played: GameRecord):
    state = engine.load_game(played.game, played.players, played.components).new_initial_state()
    for text in played.moves:
        state.apply(text)
    return state


@pytest.mark.parametrize("players", [3, 5, 8])
def test_a_whole_game_through_a_pipe(henro, tmp_path, players):
    args = ("play", "shikoku", "--players", str(players), "--seat", "1", "--record", "game.jsonl")
    ended = henro(*args, *FAST, stdin=ALWAYS_FIRST)
    assert ended.code == 0
    assert "the game is over" in ended.out
    assert "winners: " in ended.out
    played = record(tmp_path / "game.jsonl")
    state = replay(played)
    assert state.is_terminal()
    assert played.termination == "normal"
    assert (played.scores, played.ranks) == (state.scores(), state.ranks())
    assert played.utilities == state.returns()
    assert played.bots[1] == "person"
    assert len(played.times_ms) == len(played.moves)
    won = played.ranks[1] == 1
    assert ("You win!" if won else "You do not win.") in ended.out


def test_the_same_seed_gives_the_same_game(henro, tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        henro("play", "shikoku", *FAST, "--record", name, stdin=ALWAYS_FIRST)
    assert record(tmp_path / "a.jsonl").moves == record(tmp_path / "b.jsonl").moves


def test_nothing_hidden_is_shown(henro, tmp_path):
    args = ("play", "shikoku", "--players", "4", "--seat", "2", "--record", "game.jsonl")
    shown = henro(*args, *FAST, stdin="hint\nview\nboard\n#1\n" * 60).out
    assert re.findall(r"^p([013]) draw:(\d+)", shown, re.MULTILINE) == []
    assert "deal:" not in shown
    assert "p2 draw:" in shown
    # Every board and every view is one that the seat has in the replayed game.
    played = record(tmp_path / "game.jsonl")
    state = engine.load_game("shikoku", 4).new_initial_state()
    views = set()
    for text in played.moves:
        state.apply(text)
        views.add(state.view(2))
    assert set(re.findall(r"^shikoku players.*$", shown, re.MULTILINE)) <= views


def test_opponents_see_only_their_own_seat(henro, tmp_path, monkeypatch):
    searched = []
    search = engine.Engine.search

    def spy(self, known, *args, **options):
        searched.append(known)
        return search(self, known, *args, **options)

    monkeypatch.setattr(engine.Engine, "search", spy)
    henro("play", "shikoku", *FAST, stdin="hint\n" + ALWAYS_FIRST)
    assert searched
    assert all(isinstance(known, engine.InformationSet) for known in searched)


@pytest.mark.parametrize("goodbye", ["", "quit\n", "QUIT", "#1\n#1\nquit\nfoo\n", b"\xff\xfe\n"])
def test_leaving_keeps_what_was_played(process, tmp_path, goodbye):
    ended = process("play", "shikoku", *FAST, "--record", "game.jsonl", stdin=goodbye)
    assert ended.code == 0
    assert "Goodbye" in ended.out
    assert "Traceback" not in ended.err
    played = record(tmp_path / "game.jsonl")
    assert played.termination == "abandoned"
    assert (played.scores, played.ranks, played.utilities) == ([], [], [])
    assert not replay(played).is_terminal()
    assert len(played.times_ms) == len(played.moves)


def test_ctrl_c_ends_politely_and_keeps_the_record(tmp_path):
    game = subprocess.Popen(
        [sys.executable, "-m", "henro", "play", "shikoku", *FAST, "--record", "game.jsonl"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    prompt = b""
    while b"p0> " not in prompt:
        prompt += game.stdout.read1(4096)
    time.sleep(0.1)
    game.send_signal(signal.SIGINT)
    out, err = game.communicate(timeout=30)
    assert game.returncode == 0
    assert b"Goodbye" in out
    assert err == b""
    assert record(tmp_path / "game.jsonl").termination == "abandoned"


def test_commands_are_answered(henro):
    shown = henro("play", "shikoku", *FAST, stdin="help\nhint\nview\nboard\nnonsense\n#9\n\n").out
    assert "choose the second move of the list" in shown
    assert "Share of wins of each seat, by move" in shown
    assert "shikoku players=3 components=" in shown
    assert shown.count("previous row") == 2
    assert "'nonsense' is none of your moves or commands" in shown
    assert "'#9' is none of your moves or commands" in shown


def test_records_are_appended(henro, tmp_path):
    for _ in range(2):
        henro("play", "shikoku", *FAST, "--record", "game.jsonl")
    assert len((tmp_path / "game.jsonl").read_text().splitlines()) == 2


def test_a_set_of_ones_own_is_played_with_and_shown(henro, tmp_path):
    henro("components", "export", "shikoku/default", "mybox.toml")
    file = tmp_path / "mybox.toml"
    file.write_text(re.sub(r"icons = \d", "icons = 6", file.read_text()))
    args = ("play", "shikoku", *FAST, "--components", "mybox.toml", "--record", "game.jsonl")
    shown = henro(*args, stdin=ALWAYS_FIRST).out
    assert set(re.findall(r"p\d row:\d+ (▲+)", shown)) == {"▲" * 6}
    assert record(tmp_path / "game.jsonl").components.startswith("shikoku/mybox@")


def test_a_terminal_without_the_symbols_gets_ascii(process):
    shown = process("play", "shikoku", *FAST, PYTHONIOENCODING="ascii")
    assert shown.code == 0
    assert "o" in shown.out.split("place")[1]
    assert ">1" in shown.out
    assert "^" in shown.out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("chess",), "unknown game"),
        (("shikoku", "--players", "9"), "3 to 8 players"),
        (("shikoku", "--seat", "3"), "seat 3: the seats are 0 to 2"),
        (("shikoku", "--opponents", "clever"), "unknown preset"),
        (("shikoku", "--record", "none/game.jsonl"), "cannot be written"),
        (("shikoku", "--option", "board=sun"), "board"),
        (("shikoku", "--option", "board"), "key=value"),
        (("shikoku", "--option", "players=4"), "--option players"),
    ],
)
def test_a_wrong_call_exits_with_2_and_says_why(henro, args, words):
    refused = henro("play", *args)
    assert refused.code == 2
    assert words in refused.err


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("play:17", "play:17"),
        ("17", "play:17"),
        ("2", "play:2"),
        ("#2", "play:7"),
        ("#3", "play:17"),
        ("#4", None),
        ("#0", None),
        ("#", None),
        ("1", None),
        ("play", None),
        ("", None),
        ("take:17", None),
    ],
)
def test_a_move_is_meant_by_its_number_its_text_or_a_part_only_it_has(answer, move):
    texts = ["play:2", "play:7", "play:17"]
    index = find_move(answer, texts)
    assert (None if index is None else texts[index]) == move

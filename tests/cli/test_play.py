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
ANY_CARD = "".join(f"{card}\n" for card in range(1, 34))  # one of them is a move
ANY_GAME = ANY_CARD * 60


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
    ended = henro(*args, *FAST, stdin=ANY_GAME)
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
        henro("play", "shikoku", *FAST, "--record", name, stdin=ANY_GAME)
    assert record(tmp_path / "a.jsonl").moves == record(tmp_path / "b.jsonl").moves


def test_opponents_of_a_level_are_named_by_it(henro, tmp_path):
    args = ("play", "shikoku", "--level", "2", "--seed", "3")
    for name in ("a.jsonl", "b.jsonl"):
        assert henro(*args, "--record", name, stdin=ANY_GAME).code == 0
    played = record(tmp_path / "a.jsonl")
    assert played.bots == ["person", "level-2", "level-2"]
    assert played.moves == record(tmp_path / "b.jsonl").moves


def test_nothing_hidden_is_shown(henro, tmp_path):
    args = ("play", "shikoku", "--players", "4", "--seat", "2", "--record", "game.jsonl")
    # A seed of a game in which the seat has to draw.
    shown = henro(*args, *FAST, "--seed", "1", stdin=f"hint\nview\nboard\n{ANY_CARD}" * 60).out
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
    henro("play", "shikoku", *FAST, stdin="hint\n" + ANY_GAME)
    assert searched
    assert all(isinstance(known, engine.InformationSet) for known in searched)


@pytest.mark.parametrize(
    "goodbye", ["", "quit\n", "Q", "exit", ANY_CARD + "quit\nfoo\n", b"\xff\xfe\n"]
)
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
    while b"> " not in prompt:
        data = game.stdout.read1(4096)
        assert data, game.stderr.read()
        prompt += data
    time.sleep(0.1)
    game.send_signal(signal.SIGINT)
    out, err = game.communicate(timeout=30)
    assert game.returncode == 0
    assert b"Goodbye" in out
    assert err == b""
    assert record(tmp_path / "game.jsonl").termination == "abandoned"


def test_commands_are_answered(henro):
    shown = henro("play", "shikoku", *FAST, stdin="hint\nview\nboard\nnonsense\n34\n\n").out
    assert "Share of wins of each seat, by move" in shown
    assert "shikoku players=3 components=" in shown
    assert shown.count("out of the game") == 2
    assert "'nonsense' is none of your moves or commands" in shown
    assert "'34' is none of your moves or commands" in shown


@pytest.mark.parametrize("command", ["h", "help", "?", "H"])
def test_help_tells_the_goal_the_signs_and_the_commands(henro, command):
    shown = " ".join(henro("play", "shikoku", *FAST, stdin=f"{command}\n").out.split())
    assert shown.count("first and loses; you win on the second highest step") == 2
    assert "30+ was taken for all to see" in shown
    assert "q, quit leave the game" in shown


def test_the_goal_is_told_before_the_first_question_and_only_then(henro):
    goal = "The game ends when a pilgrim reaches the pagoda"
    for players in ("4", "5"):
        args = ("play", "shikoku", "--players", players, *FAST)
        shown = henro(*args, stdin=ANY_CARD * 3).out
        assert shown.startswith(f"You are p0 of {players} players. Type h for help")
        assert goal in shown.partition("> ")[0]
        assert shown.count(goal) == 1
        assert ("second lowest" in shown) == (players == "5")


def test_the_prompt_says_what_can_be_typed(henro):
    shown = henro("play", "shikoku", "--players", "4", *FAST, stdin=ANY_CARD * 2).out
    assert "play a card of your hand: 18, 28 or 33> 1\n" in shown
    assert re.search(r"take a card of the previous row: (\d+, )*\d+ or \d+> ", shown)


def test_rounds_are_divided_by_a_rule(henro):
    shown = henro("play", "shikoku", *FAST, stdin=ANY_GAME).out
    rounds = [int(number) for number in re.findall(r"^round (\d+) ─+$", shown, re.MULTILINE)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) == shown.count("climb: ") > 1


def test_a_move_without_choice_is_made_and_told(henro, tmp_path):
    args = ("--players", "8", "--opponents", "random", "--seed", "3", "--record", "game.jsonl")
    shown = henro("play", "shikoku", *args, stdin=ANY_GAME).out
    state = engine.load_game("shikoku", 8).new_initial_state()
    forced = 0
    for text in record(tmp_path / "game.jsonl").moves:
        forced += state.current_player() == 0 and len(state.legal_actions()) == 1
        state.apply(text)
    assert shown.count(" (your only move)") == forced > 0


def test_records_are_appended(henro, tmp_path):
    for _ in range(2):
        henro("play", "shikoku", *FAST, "--record", "game.jsonl")
    assert len((tmp_path / "game.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize("text", ["my notes\n", "\n", "{}\n", '{"format": "other"}\n', "\xff"])
def test_a_file_of_something_else_is_left_alone(henro, tmp_path, text):
    file = tmp_path / "notes.txt"
    file.write_text(text, encoding="latin-1")
    refused = henro("play", "shikoku", *FAST, "--record", "notes.txt", stdin="q\n")
    assert refused.code == 2
    assert refused.out == ""
    assert "notes.txt:1: " in refused.err
    assert "--record adds to a file of records only" in refused.err
    assert file.read_text(encoding="latin-1") == text


def test_a_record_begins_a_line_of_its_own(henro, tmp_path):
    henro("play", "shikoku", *FAST, "--record", "game.jsonl")
    file = tmp_path / "game.jsonl"
    file.write_text(file.read_text().rstrip("\n"))
    henro("play", "shikoku", *FAST, "--record", "game.jsonl")
    assert len(file.read_text().splitlines()) == 2


def test_a_set_of_ones_own_is_played_with_and_shown(henro, tmp_path):
    henro("components", "export", "shikoku/default", "mybox.toml")
    file = tmp_path / "mybox.toml"
    file.write_text(re.sub(r"icons = \d", "icons = 6", file.read_text()))
    args = ("play", "shikoku", *FAST, "--components", "mybox.toml", "--record", "game.jsonl")
    shown = henro(*args, stdin=ANY_GAME).out
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
        (("shikoku", "--level", "11"), "--level"),
        (("shikoku", "--level", "0"), "--level"),
        (
            ("shikoku", "--level", "3", "--opponents", "greedy"),
            "level 3: the preset greedy has no levels",
        ),
        (("shikoku", "--movetime", "0ms"), "movetime 0ms"),
        (("shikoku", "--record", "."), "cannot be written"),
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
        ("play 17", "play:17"),
        ("play:  17", "play:17"),
        ("17", "play:17"),
        ("2", "play:2"),
        ("#2", None),
        ("play 3", None),
        ("play 2 7", None),
        ("1", None),
        ("play", None),
        ("", None),
        ("take:17", None),
    ],
)
def test_a_move_is_meant_by_its_text_or_a_part_only_it_has(answer, move):
    texts = ["play:2", "play:7", "play:17"]
    index = find_move(answer, texts)
    assert (None if index is None else texts[index]) == move

"""`henro games`, `henro perft` and `henro analyse`."""

import json
import re

import pytest

import henro as engine
from henro.cli.options import unwrapped

VIEW = (
    "shikoku players=4 components=shikoku/default@f47ec5c722bf seat=2 phase=play turn=3 "
    "order=1,3,0,2 steps=5,2,4,4 previous=5,12,17,30 row=19,21,-,2 removed=- "
    "hands=?2/?2/3,9,33/?2 deck=17"
)
POSITION = VIEW.replace("seat=2 ", "").replace("?2/?2/3,9,33/?2", "8,23/10,27/3,9,33/14,29")


# games


def test_games_lists_players_sets_and_presets(henro):
    listed = json.loads(henro("games", "--json").out)
    assert {
        "name": "shikoku",
        "min_players": 3,
        "max_players": 8,
        "options": {},
        "components": ["shikoku/default@f47ec5c722bf"],
    } in listed["games"]
    assert set(listed["presets"]) == set(engine.PRESETS)
    text = henro("games").out
    assert "shikoku" in text
    assert "3-8" in text
    assert "greedy" in text


# perft


def test_perft_counts_from_a_position(henro):
    counted = henro("perft", "shikoku", "--position", POSITION, "--depth", "2")
    assert counted.code == 0
    # three plays, then the draw of one of 17 cards
    assert f"nodes {3 * 17} depth 2 " in counted.out


def test_perft_divides_by_first_action(henro):
    args = ("perft", "shikoku", "--position", POSITION, "--depth", "2")
    report = json.loads(henro(*args, "--divide", "--json").out)
    assert report["divide"] == {"play:3": 17, "play:9": 17, "play:33": 17}
    assert report["nodes"] == 51
    assert "play:33: 17\n" in henro(*args, "--divide").out
    assert "play:33: " not in henro(*args).out
    assert "divide" not in json.loads(henro(*args, "--json").out)


def test_perft_takes_the_players_that_the_position_has(henro):
    args = ("perft", "shikoku", "--position", POSITION.replace(" deck", "\n  deck"), "--depth", "1")
    assert henro(*args, "--players", "4").code == 0
    refused = henro(*args, "--players", "3")
    assert refused.code == 2
    assert "--players 3: the position has 4 players" in refused.err


def test_perft_deals_by_seed_without_a_position(henro):
    def position(seed: int) -> str:
        args = ("perft", "shikoku", "--depth", "0", "--json", "--seed", str(seed))
        report = json.loads(henro(*args).out)
        assert report["nodes"] == 1
        return report["position"]

    assert "phase=play turn=0" in position(1)
    assert position(1) == position(1)
    assert position(1) != position(2)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--depth", "2", "--position", VIEW), "unknown part 'seat=2'"),
        (("--depth", "2", "--position", "shikoku"), "a view or position starts like"),
        (("--depth", "2", "--players", "9"), "3 to 8 players"),
        (("--depth", "2", "--option", "players=4"), "--option players=4"),
        (("--depth", "-1"), "--depth"),
        ((), "--depth"),
    ],
)
def test_a_wrong_call_of_perft_exits_with_2_and_says_why(henro, args, words):
    refused = henro("perft", "shikoku", *args)
    assert refused.code == 2
    assert words in refused.err


# analyse


def test_analyse_shows_board_moves_and_line(henro):
    shown = henro("analyse", "--view", VIEW, "--nodes", "500")
    assert shown.code == 0
    assert "Shikoku, 4 players | p2 to play | deck 17" in shown.out
    assert "500 nodes" in shown.out
    for move in ("play:3 ", "play:9 ", "play:33 "):
        assert move in shown.out


def test_analyse_as_json_adds_up(henro):
    shown = json.loads(henro("analyse", "--view", VIEW, "--nodes", "500", "--json").out)
    assert shown["view"] == VIEW
    assert shown["seat"] == 2
    assert shown["best"] == shown["moves"][0]["move"] == shown["pv"][0]
    assert {move["move"] for move in shown["moves"]} == {"play:3", "play:9", "play:33"}
    assert sum(move["visits"] for move in shown["moves"]) == shown["nodes"] == 500
    assert all(len(move["values"]) == 4 for move in shown["moves"])


def test_analyse_of_a_position_uses_what_the_seat_knows(henro):
    budget = ("--nodes", "500", "--json")
    of_view = json.loads(henro("analyse", "--view", VIEW, *budget).out)
    of_position = json.loads(henro("analyse", "--position", POSITION, "--seat", "2", *budget).out)
    for timing in ("elapsed", "nps"):
        of_view.pop(timing)
        of_position.pop(timing)
    assert of_view == of_position


def test_analyse_of_a_position_is_for_the_seat_to_move_if_not_told(henro):
    shown = json.loads(henro("analyse", "--position", POSITION, "--nodes", "50", "--json").out)
    assert shown["view"] == VIEW


def test_analyse_shows_no_values_of_moves_that_were_not_tried(henro):
    moves = henro("analyse", "--view", VIEW, "--nodes", "1").out.split("share")[1]
    assert re.findall(r"^play:\S+ ▲+ +0 +0%(?: +-){4}$", moves, re.MULTILINE)


@pytest.mark.parametrize("width", range(40, 160, 7))
def test_line_breaks_and_indents_in_a_copied_view_do_not_count(henro, width):
    lines = [VIEW[start : start + width] for start in range(0, len(VIEW), width)]
    for lost in ("\n", "\r\n   "):
        assert unwrapped(lost.join(lines)) == VIEW
    shown = henro("analyse", "--view", "\n  ".join(lines), "--nodes", "1", "--json")
    assert json.loads(shown.out)["view"] == VIEW


def test_a_break_between_any_two_letters_can_be_healed():
    for cut in range(1, len(VIEW)):
        assert unwrapped(f"{VIEW[:cut].rstrip()}\n{VIEW[cut:].lstrip()}\n") == VIEW


def test_analyse_answers_every_line_of_its_input(henro):
    shown = henro(
        "analyse", "--view", "-", "--nodes", "50", "--json", stdin=f"{VIEW}\n\n  {VIEW}  \n"
    )
    assert [json.loads(line)["view"] for line in shown.out.splitlines()] == [VIEW, VIEW]


def test_analyse_keeps_to_a_time(henro):
    shown = json.loads(henro("analyse", "--view", VIEW, "--movetime", "50ms", "--json").out)
    assert 0.04 < shown["elapsed"] < 1


@pytest.mark.parametrize("preset", engine.PRESETS)
def test_analyse_takes_every_preset(henro, preset):
    args = ("analyse", "--view", VIEW, "--preset", preset, "--nodes", "50")
    assert henro(*args).code == 0
    assert json.loads(henro(*args, "--json").out)["preset"] == preset


@pytest.mark.parametrize("preset", ["default", "fast"])
def test_analyse_without_a_limit_has_that_of_the_preset(henro, preset):
    args = ("analyse", "--view", VIEW, "--preset", preset, "--hash", "8", "--json")
    nodes = engine.PRESETS[preset].nodes or 20_000
    assert json.loads(henro(*args).out)["nodes"] == nodes


@pytest.mark.parametrize("command", ["bot", "analyse", "play"])
def test_help_names_presets_and_levels(henro, command):
    text = henro(command, "--help").out
    for name in engine.PRESETS if command != "bot" else ["--preset"]:
        assert name in text
    assert "--level" in text


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--set", "confidence=0.2"), "--set confidence changes nothing here; it needs priors "),
        (("--set", "score=0.3"), "--set score changes nothing here; it needs horizon=inf"),
        (("--set", "beliefs=1"), "--set beliefs changes nothing here; it needs a game, in which"),
        (("--set", "priors=1", "--preset", "flat"), "it needs a preset that grows a tree"),
        (("--set", "priors=1", "--preset", "greedy"), "it needs a preset that searches"),
        (("--set", "priors=1", "--set", "confidence=0.2"), ""),
        (("--set", "confidence=0", "--set", "tuned=true"), ""),
    ],
)
def test_analyse_tells_of_settings_that_change_nothing(henro, args, words):
    shown = henro("analyse", "--view", VIEW, "--nodes", "50", *args)
    assert shown.code == 0
    assert words in shown.err
    assert bool(words) == ("changes nothing" in shown.err)


def test_analyse_at_a_level_searches_no_more_than_that_has(henro):
    shown = henro("analyse", "--view", VIEW, "--level", "8", "--nodes", "100", "--json")
    found = json.loads(shown.out)
    assert (found["nodes"], found["level"]) == (20, 8)


def test_analyse_with_a_set_of_ones_own(henro):
    own = henro("components", "export", "shikoku/default", "mybox.toml").out.split()[-1]
    view = VIEW.replace("shikoku/default@f47ec5c722bf", own)
    assert henro("analyse", "--view", view, "--nodes", "50").code == 2
    shown = henro("analyse", "--view", view, "--nodes", "50", "--components", "mybox.toml")
    assert shown.code == 0
    mixed = henro("analyse", "--view", VIEW, "--nodes", "50", "--components", "mybox.toml")
    assert mixed.code == 2
    assert f"this game uses {own}" in mixed.err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "give either --view or --position"),
        (("--view", VIEW, "--position", POSITION), "give either --view or --position"),
        (("--view", VIEW, "--seat", "1"), "--seat goes with --position"),
        (("--position", POSITION, "--seat", "9"), "seat 9"),
        (("--view", ""), "a view or position starts like"),
        (("--view", "-"), "the input is empty"),
        (("--position", "-"), "the input is empty"),
        (("--view", "shikoku"), "a view or position starts like"),
        (("--view", "shikoku players=x"), "a view or position starts like"),
        (("--view", "shikoku players=4"), "a view or position starts like"),
        (("--view", "shikoku players=4 components=shikoku/default"), "is missing"),
        (("--view", "chess players=4 components=x"), "unknown game 'chess'"),
        (("--view", VIEW.replace("players=4", "players=9")), "3 to 8 players"),
        (("--view", VIEW.replace("deck=17", "deck=18")), "deck=18"),
        (("--view", VIEW.replace("f47ec5c722bf", "000000000000")), "the values differ"),
        (("--view", VIEW, "--movetime", "soon"), "movetime soon"),
        (("--view", VIEW, "--preset", "clever"), "unknown preset"),
        (("--view", VIEW, "--components", "none.toml"), "none.toml: cannot be read"),
        (("--view", VIEW, "--nodes", "0"), "--nodes"),
        (("--view", VIEW, "--movetime", "0"), "movetime 0"),
    ],
)
def test_a_wrong_call_exits_with_2_and_says_why(henro, args, words):
    refused = henro("analyse", *args)
    assert refused.code == 2
    assert refused.out == ""
    assert words in refused.err


def test_a_seat_that_is_not_to_move_is_told_so(henro):
    refused = henro("analyse", "--position", POSITION, "--seat", "1")
    assert refused.code == 2
    assert "seat 1 is not to move" in refused.err


def test_where_chance_is_to_act_there_is_nothing_to_search(henro):
    state = engine.load_game("shikoku", 4).deserialize_state(POSITION)
    state.apply("play:33")
    refused = henro("analyse", "--position", state.serialize())
    assert refused.code == 2
    assert "nothing to search" in refused.err


def test_bytes_that_are_no_text_are_a_bad_view(process):
    refused = process("analyse", "--view", "-", stdin=b"\xff\xfe\n")
    assert refused.code == 2
    assert "a view or position starts like" in refused.err

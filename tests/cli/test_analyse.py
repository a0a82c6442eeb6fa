"""`henro games`, `henro perft` and `henro analyse`."""

import json

import pytest

import henro as engine

VIEW = (
    "shikoku players=4 components=shikoku/default@f47ec5c722bf seat=2 phase=play turn=3 "
    "order=1,3,0,2 steps=5,2,4,4 previous=5,12,17,30 row=19,21,-,2 removed=- "
    "hands=?2/?2/3,9,33/?2 deck=17"
)
POSITION = VIEW.replace("seat=2 ", "").replace("?2/?2/3,9,33/?2", "8,23/10,27/3,9,33/14,29")


# games


def test_games_lists_players_sets_and_presets(henro):
    listed = json.loads(henro("games", "--json").out)
    assert listed["games"] == [
        {
            "name": "shikoku",
            "min_players": 3,
            "max_players": 8,
            "components": ["shikoku/default@f47ec5c722bf"],
        }
    ]
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
        (("--position", POSITION), "--seat goes with --position"),
        (("--position", POSITION, "--seat", "1"), "seat 1 is not to move"),
        (("--position", POSITION, "--seat", "9"), "seat 9"),
        (("--view", ""), "a view or position starts like"),
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
    ],
)
def test_a_wrong_call_exits_with_2_and_says_why(henro, args, words):
    refused = henro("analyse", *args)
    assert refused.code == 2
    assert refused.out == ""
    assert words in refused.err


def test_bytes_that_are_no_text_are_a_bad_view(process):
    refused = process("analyse", "--view", "-", stdin=b"\xff\xfe\n")
    assert refused.code == 2
    assert "a view or position starts like" in refused.err

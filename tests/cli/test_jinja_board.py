"""The board of Jinja is drawn from the text of a view or position alone."""

import io

import pytest
from rich.console import Console

import henro as engine
from henro import components
from henro.cli.board import board_of, render

CARDS = components.load("jinja")
VIEW = (
    f"jinja players=3 components={CARDS.id} seat=0 season=3 first=2 stage=work "
    "step=territory active=2 placed=9 kitsune=k_grace revealed=k_gift,k_pilgrims,k_grace "
    "supplement=0 lanterns=lantern_1,lantern_3:red,lantern_4,lantern_2:red,lantern_6:red,"
    "lantern_7,lantern_5 tokens=1.0.1.0,-,0.1.0.0,-,1.0.0.0,-,1.0.0.1 workers=hokkaido:2/1,"
    "tohoku:1/1,kansai:0/1,chugoku:2/1,gain_territory:0/1,territory_build:1/1,"
    "major_offering:2/1,roll_structures:2/1,random_structures:0/1,supplement_gold:1/1 "
    "structures=5.4.4.4,1.2.0.0,1.1.4.1 gold=3,8,1 honor=7,0,7 fox=0,0,0 "
    "built=-/kanto_l/hokkaido_m hands=hokkaido_l2@1,tohoku_s2@6,kansai_m@3,chugoku_m@5,"
    "chugoku_l@4,kyushu_m1@2/?3,hokkaido_l1@3,tohoku_l@5,kyushu_l@6/?4 "
    "pile=hokkaido_s,kanto_s,kanto_m1,kansai_s,kansai_l1,kansai_l2,chugoku_s1,chugoku_s2,"
    "shikoku_s,shikoku_l packs=-/-/- seen=0@1:tohoku_s1,kyushu_m2:2,3/1@3:tohoku_m,"
    "shikoku_m1:4,5 omikuji=medium_kanto,path_hokkaido_kansai,"
    "pilgrimage_tohoku_shikoku_kyushu/?4/?4 ordered=1:?,2:? deck=21 "
    "returned=small_chugoku,path_hokkaido_chugoku/-/- drew=0,1,1 draws=- where=chugoku "
    "deed=- star=0 flipped=- market=- pending=-"
)


def drawn(text: str, width: int = 100) -> list[str]:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(render(text, CARDS))
    return [line.rstrip() for line in console.export_text().splitlines()]


def words(lines: list[str], start: str) -> str:
    """The first line that begins with `start`, with single blanks."""
    return " ".join(next(text for text in lines if text.startswith(start)).split())


def test_the_view_is_one_that_the_game_accepts():
    known = engine.load_game("jinja", 3).information_set(VIEW)
    assert known.view() == VIEW


def test_the_head_says_whose_turn_it_is_and_what_the_kitsune_does():
    lines = drawn(VIEW)
    assert lines[0] == (
        "Jinja, 3 players | season 3 of 5 | p2 to take the tokens or build at chugoku | "
        "order p2 p0 p1"
    )
    assert lines[1] == "bag H10 K12 T11 C14 | Omikuji deck 21"
    assert lines[2].startswith("Kitsune k_grace: this season")


def test_territories_show_spaces_tokens_lantern_workers_and_shrines():
    lines = drawn(VIEW)
    assert words(lines, "hokkaido ") == "hokkaido northeast 2 of 3 HT blue 1 Gold (2 Gold) p2 p2 m"
    assert words(lines, "kanto ") == "kanto central 3 of 4 K blue 1 random (2 random) - p1 l"


def test_activities_show_circles_and_the_cost_of_this_season():
    lines = drawn(VIEW)
    assert words(lines, "deed_buyback").startswith("deed_buyback 1 ○ - ")
    assert words(lines, "territory_build").startswith("territory_build - ● p1 ")
    assert not any(line.startswith("supplement_gold") for line in drawn(two_players()))


def test_own_cards_say_what_can_be_built_and_what_is_fulfilled():
    lines = drawn(VIEW)
    assert words(lines, "kansai_m ") == "kansai_m medium HTTCC 7 1 Gold now"
    assert words(lines, "medium_kanto ") == "medium_kanto 5 a medium Shrine in kanto not yet"
    assert words(drawn(one_built()), "path_hokkaido_kansai ").endswith("lacks hokkaido")
    without = drawn(VIEW.replace("structures=5.4.4.4", "structures=0.4.4.4"))
    assert words(without, "kansai_m ").endswith("lacks H")


def test_the_last_token_is_not_needed_under_the_mason():
    mason = VIEW.replace("structures=5.4.4.4", "structures=0.4.4.4").replace("k_grace", "k_mason")
    assert words(drawn(mason), "kansai_m ").endswith("now")


def test_seats_show_workers_left_built_honor_and_regions():
    lines = drawn(VIEW)
    assert words(lines, " 2    p0") == "2 p0 you 1 7 0 3 5 4 4 4 - 6 3 -"
    assert words(lines, "▶1    p2").startswith("▶1 p2 0 7 ")
    assert words(lines, "Shrines by region") == (
        "Shrines by region: northeast p2 1 | central p1 1 | southwest -"
    )


def test_the_pile_is_a_table_of_its_own_when_a_deed_of_it_is_taken():
    searching = VIEW.replace("active=2", "active=0").replace("step=territory", "step=search")
    lines = drawn(searching)
    assert words(lines, "Deed pile").startswith("Deed pile size needs honor")
    assert words(lines, "hokkaido_s ").endswith("not without a worker there")
    assert words(lines, "kansai_s ").endswith("now")


def test_a_choice_is_shown_with_its_source():
    lantern = VIEW.replace("stage=work", "stage=lanterns").replace("step=territory", "step=choose")
    assert drawn(lantern.replace("where=chugoku", "where=kanto:1"))[-1] == (
        "choose a structure: Lantern of kanto (1 random)"
    )


def test_what_lanterns_and_deeds_pay_is_told():
    after = VIEW.replace("stage=work", "stage=deeds").replace("gold=3,8,1", "gold=3,9,1")
    assert board_of(CARDS).change(VIEW, after).plain.splitlines() == [
        "  Lanterns: p2 hokkaido 1 Gold; p1 kanto 1 random",
        "  Deeds: p2 hokkaido_m 1 honor; p1 kanto_l 1 random",
        "  p1 +1 Gold",
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_last_board_tells_the_score(players):
    state = engine.load_game("jinja", players).new_initial_state()
    for seed in range(10_000):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        chance = state.is_chance_node()
        state.apply_action(
            state.sample_chance(seed) if chance else actions[seed * 7 % len(actions)]
        )
    total = words(drawn(state.serialize()), "total").split()[1:]
    assert total == [str(score) for score in state.scores()]
    own, *others = words(drawn(state.view(0)), "total").removeprefix("total ").split(" ", 1)
    assert own == total[0]
    assert "+ ?" in others[0]


def test_what_is_known_of_other_hands_is_told():
    lines = drawn(VIEW)
    assert words(lines, "Deeds of p1") == "Deeds of p1 ? ? ? hokkaido_l1 tohoku_l kyushu_l"
    assert words(lines, "among these") == (
        "among these tohoku_s1, kyushu_m2: one each kept by p1, p2"
    )
    assert words(lines, "under the deck") == "under the deck ? (p1), then ? (p2)"


def one_built() -> str:
    """The view with a Shrine of the reader."""
    return VIEW.replace("built=-/", "built=kansai_m/").replace("kansai_m@3,", "")


def two_players() -> str:
    state = engine.load_game("jinja", 2).new_initial_state()
    while "step=place" not in state.view(0):
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(1) if chance else state.legal_actions()[0])
    return state.view(0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everything_in_a_game_can_be_drawn_and_told_in_100_columns(players):
    board = board_of(CARDS)
    state = engine.load_game("jinja", players).new_initial_state()
    seasons = 0
    for seed in range(10_000):
        before = state.view(0)
        if seed % 25 == 0 or state.is_terminal():
            for text in (before, state.serialize()):
                lines = drawn(text)
                assert max(map(len, lines)) <= 100
                assert not any("…" in line for line in lines)
        if state.is_terminal():
            break
        moves = [state.action_to_string(action) for action in state.legal_actions()]
        if state.is_chance_node():
            action = state.sample_chance(seed)
        else:
            assert board.prompt(moves).endswith("> ")
            assert all(len(board.move(move).plain) <= 90 for move in moves)
            action = state.legal_actions()[seed * 7 % len(moves)]
        for seat in state.events(action):
            for seen in seat:
                board.event(*seen)
        state.apply_action(action)
        board.change(before, state.view(0))
        seasons += board.begins_round(before, state.view(0))
    assert state.is_terminal()
    assert seasons == 5


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("place:market", "place:market  sell for 1 Gold each, then buy up to 5"),
        ("place:minor_offering", "place:minor_offering  roll: blue 3 honor, red 5"),
        ("take", "take  all tokens of the territory"),
        ("buy:chozuya", "buy:chozuya  Chozuya"),
        ("build:kansai_m", "build:kansai_m  HTTCC, 7 honor, 1 Gold"),
        ("return:most_large", "return:most_large  6 honor: most large Shrines, at least one"),
        ("draw:?", "draw:?"),
        ("flip:kanto", "flip:kanto"),
    ],
)
def test_a_move_is_told_with_what_it_does(move, told):
    assert board_of(CARDS).move(move).plain == told


def test_the_goal_and_the_change_of_goods_are_told():
    board = board_of(CARDS)
    assert "five seasons" in board.goal(3)
    assert "4 workers" in board.legend(3)
    after = VIEW.replace("gold=3,8,1 honor=7,0,7", "gold=3,9,0 honor=7,0,9")
    assert board.change(VIEW, after).plain == "  p1 +1 Gold, p2 +2 honor -1 Gold"
    assert board.change(VIEW, VIEW) is None
    assert "in the order H K T C" in board.prompt(["sell:honden", "done"])
    assert "must stand later" in board.prompt(["flip:hokkaido", "flip:shikoku"])
    assert "must stand later" not in board.prompt(["flip:kanto", "flip:kyushu"])
    assert "one stands for all" in board.prompt(["use:kanto_l", "use:hokkaido_m"])
    assert board.prompt(["take", "build:kanto_s"]) == (
        "take the tokens or build: take or build:kanto_s> "
    )

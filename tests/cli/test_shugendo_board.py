"""The board of Shugendo is drawn from the text of a view or position alone."""

import io

import pytest
from rich.console import Console

import henro as engine
from henro import components
from henro.cli.board import board_of, render

CARDS = components.load("shugendo")
VIEW = (
    f"shugendo players=3 components={CARDS.id} flower=0 seat=0 round=9 first=2 phase=reveal "
    "step=reveal turn=1 rewards=r1_pilgrim,r2_trio "
    "boards=board_common,board_common,board_common milestones=ms_common,ms_common,ms_common "
    "display=stonemason,potter,potter,mendicant,mendicant/mountain_guide,pilgrim_host,"
    "storyteller,forest_hermit/grand_scholar,grand_scholar,theatre_troupe taken=- removed=fisher "
    "development=21-/2--/---/- prefectures=012/2--/- five=- "
    "maps=a5c,b4f,c3c*,c5,d3c,d4c/a5,b4c,c5c*,d2c,d3f,d4/b4c*,c5c,d2c,d3c*,d4 "
    "tracks=4.1.7,4.1.6,6.2.0 silver=2,1,0 pilgrims=1,0,1 score=5,4,6 age=1,2,3 "
    "deck=copyist,peddler,peddler,temple_pupil,carpenter,letter_writer,farmhand,woodcutter/"
    "digger,peddler,trail_guide/peddler,rice_trader,night_watch "
    "discard=-<digger,digger,copyist,peddler,peddler,hermit,temple_pupil,carpenter,"
    "letter_writer,farmhand,field_singer,woodcutter/digger,copyist,copyist,peddler,hermit,"
    "hunter,temple_pupil,silk_reeler,woodcutter,mountain_guide/scout,scout,digger,digger,"
    "copyist,copyist,peddler,scholar,surveyor,wrestler "
    "revealed=digger,digger,copyist,hermit,field_singer/-/- recruited=-/-/- calmed=0,0,0 "
    "bust=0,0,0 skips=-,-,- guests=-,-,- choices=- track=- main=- last=- farms=0 swap=0 gold=0 "
    "replaced=-"
)
GAINING = (
    f"shugendo players=2 components={CARDS.id} flower=0 seat=1 round=2 first=1 phase=action "
    "step=gain turn=0 rewards=r1_fame,r2_trio boards=board_common,board_common "
    "milestones=ms_common,ms_common display=hunter,hunter,fisher,fisher,silk_reeler/"
    "mountain_guide,scholar,merchant,miner/daimyo,abbot,elder_poet taken=- removed=- "
    "development=--/--/--/- prefectures=--/--/- five=- maps=d3/d3 tracks=1.1.1,3.1.2<2.1.1 "
    "silver=2,2 pilgrims=0,0 score=0,0 age=1,1 "
    "deck=scout,digger,digger,copyist,copyist,peddler,novice,hermit,ruffian/"
    "scout,digger,digger,copyist,peddler,peddler,trader,novice,ruffian discard=-/- "
    "revealed=scout,peddler,trader,porter/scout,copyist,porter,hermit recruited=-/- calmed=0,0 "
    "bust=0,0 skips=-,- guests=-,- choices=1.0.0.1 track=compass main=- last=- farms=0 swap=0 "
    "gold=0 replaced=-"
)


def changed(text: str, **fields: str) -> str:
    """A view with other values for some fields."""
    return " ".join(
        f"{name}={fields.get(name, value)}" if equals else name
        for name, equals, value in (part.partition("=") for part in text.split())
    )


ACTING = changed(VIEW, phase="action", step="main")
"""Nothing but the Yokai matters in the Reveal phase, so that its board is a short one."""
BUYING = changed(GAINING, phase="recruit", step="buy", tracks="1.1.1,3.1.2", choices="-", track="-")
BUYING = changed(BUYING, gold="3", silver="2,1")
BUYING_DISPLAY = "hunter,hunter,fisher,fisher,silk_reeler/mountain_guide,scholar,merchant,miner/"
BUYING_DISPLAY += "daimyo,abbot,elder_poet"


def drawn(text: str, width: int = 100) -> list[str]:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(render(text, CARDS))
    return [line.rstrip() for line in console.export_text().splitlines()]


def words(lines: list[str], start: str) -> str:
    """The first line that begins with `start`, with single blanks."""
    return " ".join(next(text for text in lines if text.startswith(start)).split())


@pytest.mark.parametrize(("players", "view"), [(3, VIEW), (2, BUYING)])
def test_the_views_are_ones_that_the_game_accepts(players, view):
    assert engine.load_game("shugendo", players).information_set(view).view() == view


def test_the_head_says_whose_turn_it_is_and_what_the_next_card_risks():
    lines = drawn(VIEW)
    assert lines[0] == (
        "Shugendo, 3 players | round 9 | reveal phase | p0 to reveal a card or stop | "
        "order p2 p0 p1"
    )
    assert lines[1] == "Yokai 5 of 7 | Mischief with 4 of the 8 cards"


def test_the_discard_pile_counts_when_the_deck_is_empty():
    empty = changed(VIEW, deck="-/-/-", discard="digger,novice,ruffian/-/-")
    assert drawn(empty)[1].endswith("Mischief with 2 of the 3 cards")


def test_a_pilgrim_and_calm_spirits_take_yokai_away():
    assert drawn(changed(VIEW, calmed="1,0,0"))[1].startswith("Yokai 4 of 7")
    night = changed(VIEW, revealed="night_watch/-/-", boards="board_koi,-,-", maps="c2/d3/d3")
    assert drawn(changed(night, milestones="ms_c,-,-"))[1].startswith("Yokai 2 of 7")
    assert drawn(changed(night, milestones="ms_a,-,-"))[1].startswith("Yokai 3 of 7")


def test_the_board_is_short_once_the_reader_has_a_card():
    assert not any(line.startswith(("display  ", "p0 board")) for line in drawn(VIEW))
    first = changed(VIEW, revealed="-/-/-")
    for text in (first, changed(VIEW, seat="1"), ACTING):
        assert any(line.startswith("display  ") for line in drawn(text))
        assert any(line.startswith("p0 board_common") for line in drawn(text))


def test_cards_on_display_are_counted_and_explained():
    lines = drawn(ACTING)
    assert words(lines, "potter") == "potter×2 1 4 1 C/H S 0"
    assert words(lines, "storyteller") == "storyteller 2 6 2 C/B G×2 V per 4 revealed 1"


def test_maps_show_tiles_tokens_prefectures_and_what_is_printed():
    lines = drawn(ACTING)
    start = next(n for n, line in enumerate(lines) if line.startswith("p0 board_common"))
    first = [line[:23].rstrip() for line in lines[start : start + 6]]
    assert first == [
        "p0 board_common",
        "  1   2   3   4   5",
        "a mgo h-3 ~   m2V Hc",
        "b   h   ~   m2S Ff  ~",
        "c fiv f   Hc* ~   M.",
        "d   h1S f   Fc  Fc  f-1",
    ]


def test_a_seat_shows_its_goods_its_tokens_and_its_cards():
    lines = drawn(VIEW)
    assert words(lines, "▶2") == "▶2 p0 you 5 2 1 4 1 7 1 1 0 4 1 8 0 5 5"
    assert words(lines, " 3") == "3 p1 4 1 0 4 1 6 2 1 0 3 1 3 10 0 0"


def test_a_turn_that_is_sealed_is_marked():
    assert words(drawn(VIEW), " 1") == "1 p2 ? 6 0 1 6 2 0 3 0 0 4 2 3 10 0 ?"
    sealed = changed(GAINING, seat="0", step="sealed", tracks="1.1.1,2.1.1", choices="-", track="-")
    lines = drawn(sealed)
    assert "p1 in its turn (sealed)" in lines[0]
    assert words(lines, "▶1").startswith("▶1 p1 ? 0 2 0 2 1 1")


def test_mischief_and_its_price_are_told():
    assert words(drawn(changed(GAINING, bust="1,0")), " 2").endswith(" 3 Mischief")
    skipped = changed(GAINING, bust="1,0", skips="recruit,-")
    assert words(drawn(skipped), " 2").endswith(" 3, no Recruit")


def test_tokens_tell_their_owners():
    lines = drawn(ACTING)
    assert words(lines, "Development").startswith(
        "Development Age 2 for 5 B: VP 4 p2, 3 p1, 3; Age 3 for 7 B: VP 6 p2, 5, 4; Age 4 for 8 B"
    )
    assert words(lines, "Prefectures").startswith("Prefectures first: VP 5 p0, 4 p1, 3 p2; second:")
    assert words(lines, "at 10 VP") == "at 10 VP r2_trio: C×2 H×2 B×2"
    assert words(drawn(changed(ACTING, five="2")), "at 15 VP") == "at 15 VP 5 VP more: p2"


def test_who_has_a_milestone_bonus_is_told():
    told = " ".join(" ".join(drawn(ACTING)).split())
    assert "ivory iv_peaks: mountains cost 2 C; iron ir_boost" in told
    assert "4 steps on a track (p0 p1 p2); gold go_villages" in told


def test_the_reader_sees_its_cards_as_a_table_and_those_of_others_as_lists():
    assert words(drawn(VIEW), "digger") == "digger 2 1 H 0"
    lines = drawn(changed(ACTING, discard="digger/digger,ruffian/scout,digger,digger,scout"))
    assert words(lines, "your cards").startswith("your cards deck shown disc Yokai")
    assert words(lines, "digger") == "digger 2 1 1 H 0"
    assert words(lines, "p1 discard") == "p1 discard digger(1), ruffian(3)"
    assert words(lines, "p2 discard") == "p2 discard scout(1)×2, digger(1)×2"
    assert not any(line.startswith("p0 deck") for line in lines)


def test_a_card_under_the_pilgrim_is_marked():
    calmed = drawn(changed(VIEW, calmed="1,0,0"))
    assert calmed[1].startswith("Yokai 4 of 7, 1 calmed | ")
    assert [line.split()[0] for line in calmed if " calmed  " in line] == ["digger"]
    assert not any("calmed" in line for line in drawn(VIEW))


def test_what_a_main_action_costs_and_gives_is_told():
    lines = drawn(ACTING)
    assert lines[1] == ("to explore: a4 3 C, V×2; b3 3 C, S×2; c2 1 C; d2 1 C; d5 1 C, covers -1")
    assert lines[2].startswith("to expand: Farmstead 1 H; Village for a Farmstead 2 H")
    assert lines[3] == "to develop: Age 2 5 B"
    assert drawn(changed(ACTING, main="develop"))[2] == "to develop: Age 2 5 B"
    cheap = drawn(changed(ACTING, maps="b4,c1,d2,d3/a5/a5"))
    assert cheap[1].startswith("to explore: a4 2 C, V×2; a5 2 C, covers -4; b1 2 C; b3 2 C, S×2; ")


@pytest.mark.parametrize(
    ("tiles", "reached"),
    [
        ("c3,c4,d4,d5", "a2 a3 a5 b2 b3 b4 b5 c1 c2 d1 d2"),  # d5 brings iv_leap
        ("c3,c4,d4", "b2 b3 b4 c2 d2 d5"),
    ],
)
def test_a_leap_brings_more_cells_in_reach(tiles, reached):
    near = changed(GAINING, step="main", boards="board_fox,board_fox", milestones="ms_b,ms_b")
    told = " ".join(drawn(changed(near, maps=f"d3/{tiles}"))).split("to e")
    cells = told[1].removeprefix("xplore: ").split("; ")
    assert " ".join(cell.split()[0] for cell in cells) == reached


def test_a_round_that_is_the_last_is_marked():
    assert "last round" not in drawn(VIEW)[0]
    assert "last round" in " ".join(drawn(changed(VIEW, score="5,15,6"))[:2])


def test_gains_that_are_due_are_told():
    assert drawn(GAINING)[1] == "still to gain: C/H any"


def test_who_buys_sees_the_price_of_each_card():
    lines = drawn(BUYING)
    assert lines[1] == "to spend: 3 gold, 1 silver"
    assert words(lines, "hunter×2").endswith("gold")
    assert words(lines, "fisher×2").endswith("1 silver")
    assert words(lines, "scholar").endswith("needs Age 2")
    assert words(drawn(changed(BUYING, silver="2,0")), "fisher×2").endswith("lacks 1")
    assert not words(drawn(changed(BUYING, seat="0")), "hunter×2").endswith("gold")


def test_cards_that_cannot_be_bought_any_more_are_marked():
    lines = drawn(changed(BUYING, taken="fisher,fisher", gold="9"))
    assert words(lines, "hunter×2").endswith("too late")
    assert words(lines, "fisher×2").endswith("taken")
    assert words(lines, "silk_reeler").endswith("gold")
    assert words(drawn(changed(BUYING, taken="hunter")), "hunter×2").endswith("gold")


@pytest.mark.parametrize(("players", "flower"), [(2, 1), (3, 0), (4, 1)])
def test_everything_in_a_game_can_be_drawn_and_told_in_100_columns(players, flower):
    board = board_of(CARDS)
    state = engine.load_game("shugendo", players, flower=flower).new_initial_state()
    rounds = 0
    for seed in range(10_000):
        before = state.view(0)
        if seed % 60 == 0 or state.is_terminal():
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
        rounds += board.begins_round(before, state.view(0))
    assert state.is_terminal()
    assert words(drawn(state.view(0)), "total") == f"total {' '.join(map(str, state.scores()))}"
    assert f" round={rounds} " in state.serialize()


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("reveal", "reveal  one card more"),
        ("pilgrim:2", "pilgrim:2  a Pilgrim cancels 2 Yokai, then one card more"),
        ("mischief:action", "mischief:action  no Recruit phase in this round"),
        ("gain:book", "gain:book  1 B"),
        ("boost:hammer", "boost:hammer  4 H"),
        ("village:c3", "village:c3  a Village for the Farmstead"),
        ("recruit:night_watch", "recruit:night_watch  cost 4, 3 Yokai, C H B, G×2 S, 2 VP"),
        ("replace:peddler", "replace:peddler  0 Yokai, G, -1 VP"),
        ("draw:farmhand", "draw:farmhand  2 Yokai, H, G×2 S per 3 Farmsteads, 1 VP"),
        ("reward:r1_fame", "reward:r1_fame  V S"),
        ("milestone:ms_b", "milestone:ms_b  iv_leap ir_village go_humble"),
        ("board:board_fox", "board:board_fox"),
    ],
)
def test_a_move_is_told_with_what_it_does(move, told):
    assert board_of(CARDS).move(move).plain == told


@pytest.mark.parametrize(
    ("moves", "question"),
    [
        (["reveal", "stop"], "reveal a card or stop: reveal or stop> "),
        (
            ["reveal", "stop", "pilgrim:1", "pilgrim:3"],
            "reveal a card or stop (with pilgrim n, a Pilgrim cancels the n Yokai of a card, then "
            "one card more): reveal, stop or pilgrim 1/3> ",
        ),
        (
            ["gain:hammer", "gain:book"],
            "choose a track (in the order C, H, B; what is passed over is not offered again for "
            "icons of this kind): gain hammer/book> ",
        ),
        (["done", "develop"], "choose a main action: done or develop> "),
        (
            ["done", "explore:b4", "explore:c2", "farm:d3", "develop"],
            "choose a main action (in the order a1 .. d5; after a step, lower cells may no longer "
            "be offered): done, explore b4/c2, farm d3 or develop> ",
        ),
        (
            ["done", "recruit:hunter"],
            "recruit a card (down the display; what is passed over is not offered again in this "
            "turn): done or recruit hunter> ",
        ),
        (["recruit:hunter", "recruit:potter"], "recruit a card: recruit hunter/potter> "),
        (
            ["farm:c3", "farm:d2"],
            "place a Farmstead (in the order a1 .. d5; what is passed over is not offered again): "
            "farm c3/d2> ",
        ),
        (["village:c3", "village:d2"], "make a Farmstead a Village: village c3/d2> "),
        (["noswap", "swap:d2"], "make a Farmstead a City or not: noswap or swap d2> "),
    ],
)
def test_the_prompt_asks_for_what_is_due(moves, question):
    assert board_of(CARDS).prompt(moves) == question


def test_events_that_the_board_shows_anyway_have_no_line():
    board = board_of(CARDS)
    assert board.event("chance", "refill:hunter") is None
    assert board.event("0", "reveal") is None
    assert board.event("0", "draw:scout").plain == "p0 draw:scout  1 Yokai, C, -1 VP"
    assert board.event("chance", "first:p2").plain == "setup first:p2  begins"


def test_goods_that_change_are_told_unless_the_event_names_them():
    board = board_of(CARDS)
    gained = changed(GAINING, tracks="1.1.1,4.1.2<2.1.1")
    assert board.change(GAINING, gained) is None
    assert board.change(GAINING, GAINING) is None
    paid = changed(BUYING, silver="2,0")
    assert board.change(BUYING, paid).plain == "  p1 S 1 to 0"


def told(before: str, after: str) -> list[str]:
    change = board_of(CARDS).change(before, after)
    return [] if change is None else change.plain.splitlines()


def test_the_end_of_the_reveal_phase_tells_what_others_revealed():
    before = changed(GAINING, phase="reveal", revealed="-/-", tracks="1.1.1,2.1.1", turn="1")
    revealed = "novice,ruffian,digger,scout/-"
    after = changed(before, phase="action", revealed=revealed, bust="1,0", turn="0")
    assert told(before, after) == [
        "  p0 revealed novice(2), ruffian(3), digger(1), scout(1); Mischief",
    ]


def test_the_own_turn_of_the_action_phase_begins_with_the_icons():
    before = changed(GAINING, phase="reveal", step="reveal", turn="1", tracks="1.1.1,2.1.1")
    begun = changed(GAINING, tracks="1.1.1,3.1.2<2.1.1")
    assert told(before, begun)[-1] == "  p1 gathers C B C/H any; C 2 to 3, B 1 to 2"
    bust = changed(begun, step="mischief", bust="0,1", tracks="1.1.1,2.1.1")
    assert told(before, bust)[-1] == "  p1 Mischief"
    assert told(bust, changed(begun, bust="0,1", skips="-,recruit")) == [
        "  p1 gathers C B C/H any; C 2 to 3, B 1 to 2"
    ]


def test_the_end_of_the_action_phase_tells_what_others_did_and_all_tokens():
    before = changed(VIEW, phase="action", step="main", turn="2", tracks="9.9.9,4.6.6,6.9.9")
    before = changed(before, revealed="digger/hermit,scout/scout,trader")
    after = changed(
        before,
        phase="recruit",
        step="buy",
        turn="0",
        skips="-,recruit,-",
        tracks="9.9.4,4.0.6,6.9.9",
        maps="a5c,b4f,c3c*,c5,d3c,d4c/a5,b4c,c5c*,d2c,d3c*,d4f/b3,b4c*,c1,c5c,d2c,d3c*,d4",
        age="2,2,3",
        development="210/2--/---/-",
        prefectures="012/21-/-",
    )
    assert told(before, after) == [
        "  p0 Age 2 (5 B); B 9 to 4; Development token 3 VP",
        "  p1 skips the Recruit phase; gathers C any; City d3 in place of a Farmstead (5 H, S, V); "
        "Farmstead d4 (1 H); founds Prefecture 2 at d3 (P V); H 6 to 0; Prefecture token 6 VP",
        "  p2 gathers C; explored b3 (2 or 3 C, S×2), c1 (1 C, ivory Milestone); "
        "ivory Milestone iv_peaks: mountains cost 2 C; Recruit bonus G×2",
    ]


def test_what_may_have_been_built_for_nothing_has_no_cost():
    before = changed(VIEW, phase="action", step="sealed", turn="2", milestones="ms_a,ms_a,ms_a")
    maps = "a5c,b4f,c3c*,c5,d3c,d4c/a5,b4c,c5c*,d2c,d3f,d4/b4c*,c5f,d2c,d3c*,d4"
    before = changed(before, maps=maps, revealed="-/-/-")
    after = changed(before, phase="recruit", turn="0", maps=maps.replace("d3f,d4", "c1,d3c,d4"))
    assert "City d3 in place of a Farmstead" in told(before, after)[0]
    assert " H" not in told(before, after)[0]
    own = changed(before, seat="1", step="swap", turn="2")
    assert told(own, changed(own, maps=maps.replace("d3f,d4", "d3c,d4"))) == [
        "  p1 City d3 in place of a Farmstead"
    ]


def test_rewards_and_the_last_round_are_announced():
    higher = changed(BUYING, score="0,6", silver="2,2")
    assert told(BUYING, higher) == ["  p1 Reward tile at 5 VP: V S; V 0 to 6, S 1 to 2"]
    assert "this round is the last" in told(BUYING, changed(BUYING, score="0,15"))[0]


def test_a_recruit_turn_is_told_from_its_bonus_to_the_refill():
    before = changed(BUYING, turn="1", step="refill", first="0", round="2", seat="0")
    before = changed(before, first="1", turn="0", display=BUYING_DISPLAY.replace("fisher,", "", 1))
    begun = changed(before, turn="1", step="buy", display=BUYING_DISPLAY, gold="3")
    assert told(before, begun) == ["  the display gets fisher", "  p0 Recruit bonus G×3"]
    bought = changed(begun, taken="hunter", step="replace")
    assert told(begun, bought) == ["  p0 buys no more and gives up 1"]
    assert told(begun, changed(begun, round="3", first="0", phase="reveal", turn="0")) == [
        "  p0 recruits nobody"
    ]


@pytest.mark.parametrize(
    ("milestone", "gold", "negative"), [("ms_common", 4, -4), ("ms_a", 0, 0), ("ms_d", 6, -4)]
)
def test_the_final_score_is_told_part_by_part(milestone, gold, negative):
    cards = "digger,digger,copyist,peddler,hermit,fisher,night_watch,field_singer,mountain_guide"
    end = changed(
        VIEW,
        step="end",
        phase="recruit",
        milestones=f"{milestone},ms_common,ms_common",
        maps="a1,b1f,b3v,b4,c1c*,c2,c3c*,d1v,d2,d3f,d4,d5/d3/d3",
        deck=f"{cards},diviner,abbot,banker,spirit_tamer/-/-",
        discard="-/-/-",
        revealed="-/-/-",
        score="11,0,0",
        silver="3,2,2",
        pilgrims="1,0,0",
        tracks="2.0.4,1.1.1,1.1.1",
        development="0--/-0-/---/-",
        prefectures="0--/-0-/-",
    )
    lines = drawn(end)
    start = next(n for n, line in enumerate(lines) if line.startswith("VP at the end"))
    parts = {line[:18].strip(): int(line[18:].split()[0]) for line in lines[start + 1 : start + 15]}
    penalties = -9 if negative else 0
    assert [*parts.values()] == [
        *(11, 13, 9, 11, 6, 0, 2, 6, 0),
        *(gold, 2, negative, penalties, 60 + gold + negative + penalties),
    ]


def test_goal_and_legend_name_the_figures_of_the_rules():
    board = board_of(CARDS)
    assert "15 VP" in board.goal(3)
    assert "7 Yokai" in board.legend(3)

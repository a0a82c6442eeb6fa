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


BUYING = changed(GAINING, phase="recruit", step="buy", tracks="1.1.1,3.1.2", choices="-", track="-")
BUYING = changed(BUYING, gold="3", silver="2,1")


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


def test_cards_on_display_are_counted_and_explained():
    lines = drawn(VIEW)
    assert words(lines, "potter") == "potter×2 1 4 1 C/H S 0"
    assert words(lines, "storyteller") == "storyteller 2 6 2 C/B G×2 V per 4 revealed 1"


def test_maps_show_tiles_tokens_prefectures_and_what_is_printed():
    lines = drawn(VIEW)
    start = next(n for n, line in enumerate(lines) if line.startswith("p0 board_common"))
    first = [line[:23].rstrip() for line in lines[start : start + 5]]
    assert first == [
        "p0 board_common",
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
    lines = drawn(VIEW)
    assert words(lines, "Development") == (
        "Development Age 2: 4 p2, 3 p1, 3; Age 3: 6 p2, 5, 4; Age 4: 10, 8, 7; Age 5: 15"
    )
    assert words(lines, "Prefectures").startswith("Prefectures first: 5 p0, 4 p1, 3 p2; second: 7")
    assert words(lines, "at 10 VP") == "at 10 VP r2_trio: C×2 H×2 B×2"
    assert words(drawn(changed(VIEW, five="2")), "at 15 VP") == "at 15 VP 5 VP more: p2"


def test_who_has_a_milestone_bonus_is_told():
    told = " ".join(" ".join(drawn(VIEW)).split())
    assert "ivory iv_peaks: mountains cost 2 C; iron ir_boost" in told
    assert "4 steps on a track (p0 p1 p2); gold go_villages" in told


def test_the_reader_sees_its_cards_as_a_table_and_those_of_others_as_lists():
    lines = drawn(VIEW)
    assert words(lines, "digger×2") == "digger×2 1 H 0"
    assert words(lines, "you deck").startswith("you deck copyist, peddler×2, temple_pupil")
    assert words(lines, "p2 discard").startswith("p2 discard scout×2, digger×2, copyist×2")


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
        (["reveal", "stop", "pilgrim:1"], "reveal a card or stop: reveal, stop or pilgrim:1> "),
        (["gain:hammer", "gain:book"], "choose a track: hammer or book> "),
        (["done", "develop"], "choose a main action: done or develop> "),
        (["done", "recruit:hunter"], "recruit a card: done or recruit:hunter> "),
        (["farm:c3", "farm:d2"], "place a Farmstead: c3 or d2> "),
        (["noswap", "swap:d2"], "make a Farmstead a City or not: noswap or swap:d2> "),
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
    assert board.change(BUYING, paid).plain == "  p1 -1 S"


def test_the_end_of_the_reveal_phase_tells_what_others_revealed():
    before = changed(GAINING, phase="reveal", revealed="-/-", tracks="1.1.1,2.1.1")
    after = changed(before, phase="action", revealed="novice,ruffian,digger,scout/-", bust="1,0")
    assert board_of(CARDS).change(before, after).plain == (
        "  p0 revealed novice, ruffian, digger, scout, Mischief"
    )


def test_the_end_of_the_action_phase_tells_what_others_did_and_all_tokens():
    before = changed(VIEW, phase="action", step="main", tracks="9.9.9,4.6.6,6.9.9")
    after = changed(
        before,
        phase="recruit",
        step="buy",
        skips="-,recruit,-",
        tracks="9.9.4,4.0.6,6.9.9",
        maps="a5c,b4f,c3c*,c5,d3c,d4c/a5,b4c,c5c*,d2c,d3c*,d4f/b4c*,b3,c3,c5c,d2c,d3c*,d4",
        age="2,2,3",
        development="210/2--/---/-",
        prefectures="012/21-/-",
    )
    assert board_of(CARDS).change(before, after).plain.split("; ") == [
        "  p0 -5 B, Development token 3 VP",
        "p1 skips the Recruit phase, City d3 founds a Prefecture, Farmstead d4, -6 H, "
        "Prefecture token 6 VP",
        "p2 explored b3 c3",
    ]


def test_goal_and_legend_name_the_figures_of_the_rules():
    board = board_of(CARDS)
    assert "15 VP" in board.goal(3)
    assert "7 Yokai" in board.legend(3)

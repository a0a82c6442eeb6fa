"""The board of Shogun is drawn from the text of a view or position alone."""

import io

import pytest
from rich.console import Console

import henro as engine
from henro import components
from henro.cli.board import board_of, render
from henro.cli.boards.shogun_scene import Cards
from henro.cli.boards.shogun_story import Story

CARDS = components.load("shogun")
VIEW = (
    f"shogun players=4 components={CARDS.id} board=sun setup=draft tower=blend seat=0 year=1 "
    "season=spring step=move active=3 victim=- field=6 event=farmers2 "
    "faceup=castle_b,theater_a,theater_b used=- fields=tax,theater,temple,deploy3,castle,deploy1,"
    "battlea,deploy5,battleb,rice specials=attack:3,chest:0,six,defend:1,rice:2 "
    "lands=shimotsuke:2+theater,kozuke:4+temple,kaga:6,suruga:2,mikawa:4,shima:5,kii:3,"
    "hoki:2+castle/noto:3+theater,izu:2,echizen:5,omi:2+castle,sanuki:3!1,iyo:4,tajima:4,"
    "iwami:5+temple/shinano:4,etchu:2!1,hida:2+theater,tamba:5,yamato:3,awa_shikoku:2,"
    "tosa:4+temple,aki:6/musashi:5+temple,kai:2+theater,totomi:3!1,harima:4,ise:4+castle,"
    "settsu:3,bizen:5,bitchu:3 chests=6,10,17,10 rice=0,0,0,0 points=0,0,0,0 stuck=2,2,1,3,3 "
    "tray=0,0,0,0,0 throw=- open=- card=- stale=- under=- groups=- "
    "plans=hoki,kozuke,shimotsuke,suruga,blank,mikawa,kaga,blank,shima,blank,1/omi,iwami,noto,?,"
    "sanuki,?,echizen,iyo,?,?,3/blank,tosa,hida,?,etchu,?,aki,yamato,?,?,0/ise,musashi,kai,?,"
    "totomi,?,bizen,settsu,?,?,2 changed=- drawn=- draws=- extra=-"
)


def changed(**parts: str) -> str:
    fields = dict(part.split("=", 1) for part in VIEW.split()[1:])
    return " ".join(["shogun", *(f"{k}={v}" for k, v in {**fields, **parts}.items())])


def drawn(text: str, width: int = 100) -> list[str]:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(render(text, CARDS))
    return [line.rstrip() for line in console.export_text().splitlines()]


def words(lines: list[str], start: str) -> str:
    """The first line whose words begin with `start`, with single blanks."""
    found = (" ".join(line.split()) for line in lines)
    return next(text for text in found if text.startswith(start))


def first(players: int, step: str, **options: str) -> engine.State:
    """The first state of some game with this step due."""
    state = engine.load_game("shogun", players, **options).new_initial_state()
    for seed in range(1000):
        if f"step={step} " in state.view(0):
            break
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(seed) if chance else state.legal_actions()[0])
    return state


def test_the_view_is_one_that_the_game_accepts():
    known = engine.load_game("shogun", 4).information_set(VIEW)
    assert known.view() == VIEW


def test_the_head_says_whose_turn_it_is_and_which_events_there_are():
    lines = drawn(VIEW)
    assert lines[:4] == [
        "Shogun, 4 players | sun side | year 1, spring | p3 to move or stay",
        "event farmers2: 2 farmers defend a neutral province",
        "events to come (rice lost in winter): castle_b (6), theater_a (5), theater_b (7)",
        "p3 carries out deploy1 in settsu",
    ]


def test_provinces_stand_in_their_regions_with_income_armies_buildings_and_markers():
    lines = drawn(VIEW)
    assert words(lines, "brown") == "brown mutsu 4/3/2 - echigo 5/3/2 - shimotsuke 6/2/3 p0:2 N"
    assert words(lines, "suruga 7/3/2") == "suruga 7/3/2 p0:2 izu 6/2/3 p1:2 totomi 6/2/2 p3:3 !1"


def test_seats_stand_in_turn_order_with_goods_cubes_and_specials():
    lines = drawn(VIEW)
    assert words(lines, "turn seat") == (
        "turn seat points chests rice lands armies C T N supply stuck tray special"
    )
    assert words(lines, "▶1 p3") == "▶1 p3 0 10 0 8 29 1 1 1 30 3 0 attack"
    assert words(lines, "2 p0 you") == "2 p0 you 0 6 0 8 28 1 1 1 32 2 0 chest"
    assert words(lines, "farmers") == "farmers 17 3 0"
    assert words(lines, "specials by slot") == (
        "specials by slot, which is the turn order: 1 attack p3, 2 chest p0, 3 six, 4 defend p1, "
        "5 rice p2"
    )


def test_specials_are_shown_with_slots_and_effects_before_they_are_taken():
    lines = drawn(first(4, "pick").view(0))
    assert words(lines, "special slot") == "special slot taken by effect"
    assert words(lines, "six").endswith("- deploy5 brings 6 armies")
    assert not any(line.startswith("1") for line in lines)  # no turn order yet


def test_a_terminal_too_narrow_is_told():
    assert drawn(VIEW, 80)[0] == "(the board wants 100 columns, here are 80)"


def test_a_plan_is_shown_with_its_price_and_what_cannot_be_done():
    state = first(3, "plan")
    while state.current_player() == 0:
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        own = [text for text in texts if text.startswith("plan:castle")]
        state.apply_action(state.string_to_action((own or texts)[0]))
    view = state.view(0)
    assert words(drawn(view), "your provinces") == ("your provinces region ch/ri/sp card next to")
    assert not any("your plan" in line for line in drawn(view))
    poor = changed(
        step="plan", active="0", field="-", event="-", chests="1,10,17,10",
        specials="attack,chest,six,defend,rice", plans="hoki,kaga,kozuke/-/-/-",
    )  # fmt: skip
    lines = drawn(poor)
    assert words(lines, "your plan") == (
        "your plan costs 6 so far, the bid is paid first; your chests: 1"
    )
    assert [line for line in lines if line.startswith("as things stand")] == [
        "as things stand castle in hoki is left out: has a castle",
        "as things stand temple in kaga is left out: costs 2, 1 there",
    ]
    assert words(lines, "hoki green").startswith("hoki green 6/5/2 castle ")


def test_planning_spaces_stand_by_field_with_what_lies_on_them():
    lines = drawn(VIEW)
    assert words(lines, "2 theater") == "2 theater 1 shimotsuke noto hida kai"
    assert words(lines, "▶6 deploy1") == "▶6 deploy1 1 blank iyo yamato settsu"
    assert words(lines, "9 battleb") == "9 battleb - blank ? ? ?"
    assert words(lines, "bid") == "bid 1 3 0 2"
    planning = drawn(first(4, "plan").view(0))
    assert sum(line.startswith(" ?") for line in planning) == 5


def test_own_provinces_are_told_with_what_is_next_to_them():
    lines = drawn(VIEW)
    assert words(lines, "shima purple") == "shima purple 4/3/1 battlea izu p1:2, ise p3:4"
    assert any(line.startswith("your provinces") for line in lines)
    assert not any(
        line.startswith("your provinces") for line in drawn(first(4, "plan").serialize())
    )


def test_three_players_and_the_moon_side_have_another_map():
    lines = drawn(first(3, "plan").view(0))
    assert not any("mutsu" in line for line in lines)
    assert words(drawn(first(4, "plan", board="moon").view(0)), "purple").startswith("purple owari")


def test_the_draft_shows_the_cards_to_take_and_the_groups_left():
    lines = drawn(first(5, "claim").view(0))
    assert lines[0] == "Shogun, 5 players | sun side | setup | p0 to take a province card"
    assert words(lines, "▶ p0 you").endswith("groups 5443322")
    assert words(lines, "cards to take") == "cards to take region ch/ri/sp next to"


@pytest.mark.parametrize(
    ("players", "options"), [(3, {}), (4, {"board": "moon"}), (5, {"setup": "lineup"})]
)
def test_everything_in_a_game_can_be_drawn_and_told_in_100_columns(players, options):
    board = board_of(CARDS)
    state = engine.load_game("shogun", players, **options).new_initial_state()
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
    assert seasons == 8


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("claim:kai", "claim:kai  5 chests, 3 rice, 1 space"),
        ("blind", "blind  the next card of the pile, which must be kept"),
        ("group:5", "group:5  5 armies"),
        ("plan:tax:kai", "plan:tax:kai  5 chests"),
        ("plan:castle:kai", "plan:castle:kai  3 chests: build a castle"),
        ("plan:battlea:kai", "plan:battlea:kai  move or attack"),
        ("plan:tax:blank", "plan:tax:blank  no action"),
        ("plan:?", "plan:?"),
        ("bid:3", "bid:3  3 chests"),
        ("bid:kai", "bid:kai  a card that is not used: better than 0 chests"),
        ("bid:empty", "bid:empty  no card"),
        ("bid:?", "bid:?"),
        ("pick:six", "pick:six  deploy5 brings 6 armies"),
        ("stay", "stay  no army moves"),
        ("move:kai:3", "move:kai:3  3 to kai"),
        ("revolt:kai", "revolt:kai  kai revolts next"),
        ("tower:p2:3", "tower:p2:3  3 cubes of p2 come out"),
        ("tower:f:1", "tower:f:1  1 cube of the farmers come out"),
        ("face:castle_b", "face:castle_b  an attacked province with a castle has a cube more; "
         "in winter 6 rice lost"),
    ],
)  # fmt: skip
def test_a_move_is_told_with_what_it_does(move, told):
    assert board_of(CARDS).move(move).plain == told


def test_moves_of_armies_are_asked_for_by_province_and_number():
    moves = ["stay", *(f"move:{name}:{n}" for name in ("sagami", "izu") for n in (1, 2, 3))]
    assert board_of(CARDS).prompt(moves) == (
        'move armies: stay, or up to 3 to sagami or izu, like "move sagami 3"> '
    )
    assert board_of(CARDS).prompt(["plan:tax:kai", "plan:tax:blank"]) == (
        "plan tax: kai or blank> "
    )


def test_what_others_plan_is_told_when_it_is_done():
    board = board_of(CARDS)
    assert board.event("2", "plan:?") is None
    assert board.event("2", "bid:?").plain == "p2 has planned and bid"
    assert board.event("chance", "event:levy").plain.startswith("chance event:levy")


def told(before: str, after: str) -> list[str]:
    line = board_of(CARDS).change(before, after)
    return [] if line is None else [each.strip() for each in line.plain.split("\n")]


FIELDS = dict(part.split("=", 1) for part in VIEW.split()[1:])
ATTACK = changed(  # p3 against p0, who has planned the temple there
    step="tower", field="7", throw="9/p0/shima", tray="4,0,1,4,0", stuck="2,2,0,3,3",
    lands=FIELDS["lands"].replace("shima:5", "shima:0+temple").replace("ise:4", "ise:1"),
    plans=FIELDS["plans"].replace("hoki,kozuke", "hoki,shima").replace("blank,shima", "blank,kaga")
    .replace("ise,musashi", "blank,musashi").replace("settsu,?", "settsu,ise"),
    fields="tax,theater,castle,deploy3,rice,deploy1,battlea,deploy5,battleb,temple",
)  # fmt: skip


def test_a_throw_tells_what_is_thrown():
    before = ATTACK.replace("step=tower", "step=move").replace("throw=9/p0/shima", "throw=-")
    before = before.replace("tray=4,0,1,4,0", "tray=0,0,1,0,0").replace("shima:0", "shima:4")
    before = before.replace("ise:1", "ise:4")
    assert told(before, ATTACK) == [
        "p3 attacks shima of p0 from ise; thrown: p0 4, p2 tray 1, p3 3 + bonus 1"
    ]


def test_the_end_of_a_throw_tells_what_fell_out_and_what_is_lost():
    before = ATTACK.replace("throw=9/p0/shima", "throw=9/f/shima")
    before = before.replace("tray=4,0,1,4,0", "tray=2,0,1,4,1")
    lands = FIELDS["lands"].replace("shima:5,", "").replace("ise:4", "ise:1")
    lands = lands.replace("/musashi", "/shima:2+temple,musashi")
    after = changed(
        step="field", field="-", lands=lands, tray="0,0,1,0,0", stuck="2,2,0,3,4",
        plans=FIELDS["plans"].replace("hoki,kozuke", "hoki,void"), changed="shima",
    )  # fmt: skip
    after = after.replace(
        f"fields={FIELDS['fields']}", ATTACK[ATTACK.index("fields=") :].split()[0]
    )
    assert told(before, after)[:3] == [
        "out of the tower: p0 2, p2 1, p3 4",
        "p3 4 against p0 2: p3 takes shima from you with 2 armies and its temple; "
        "back to the supply: p3 2, p0 2",
        "your temple card in shima is void",
    ]


def test_turns_are_told_by_field_with_the_reason_when_an_action_is_left_out():
    after = changed(
        field="8", active="3", step="field", chests="6,9,0,10",
        plans=FIELDS["plans"].replace("iyo,?,?,3", "iyo,omi,?,3"),
        lands=FIELDS["lands"].replace("iyo:4", "iyo:5"),
    )  # fmt: skip
    before = VIEW.replace("chests=6,10,17,10", "chests=6,10,0,10")
    assert told(before, after)[0] == (
        "field 6, deploy1: p0 no action; p1 iyo +1 army; p2 yamato left out (costs 1, 0 there)"
    )
    assert told(VIEW, VIEW) == []


def test_bids_are_told_of_all_seats():
    before = changed(step="event", field="-", active="-", event="-")
    after = changed(step="pick", field="-", active="1")
    assert told(before, after) == ["bids: p0 1, p1 3, p2 0, p3 2"]


@pytest.mark.parametrize(("players", "board"), [(3, "sun"), (5, "moon")])
def test_what_is_told_adds_up(players, board):
    """Chests, rice, armies and points as told are those of the game, whoever looks."""
    cards = Cards(CARDS)
    state = engine.load_game("shogun", players, board=board).new_initial_state()
    heard = []
    for seed in range(10_000):
        if state.is_terminal():
            break
        before = [state.serialize(), *map(state.view, range(players))]
        moves = state.legal_actions()
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(seed) if chance else moves[seed * 7 % len(moves)])
        after = [state.serialize(), *map(state.view, range(players))]
        for texts in zip(before, after, strict=True):
            story = Story(cards, *texts)
            lines = [line.plain for line in story.lines()]
            heard += lines
            old, now, new = story.old, story.now, story.new
            gained = [int(line.split()[1]) for line in lines if " points = " in line]
            paired = zip(old.points, gained, strict=True) if gained else []
            assert not gained or [sum(pair) for pair in paired] == new.points
            if old.season in ("spring", "summer", "fall") and not story.season_over:
                assert not any("unseen" in line for line in lines)
                assert old.step == "event" or now.chests == new.chests
                assert now.rice == new.rice
                assert new.throw is not None or (now.lands, now.tray) == (new.lands, new.tray)
    for part in ("left out (", "revolt in ", " takes neutral ", "winter: ", "provinces, "):
        assert any(part in line for line in heard)


def test_the_goal_and_the_rounds_are_told():
    board = board_of(CARDS)
    assert "second winter" in board.goal(3)
    assert "starts with 18 chests" in board.legend(3)
    assert board.begins_round(VIEW, changed(season="summer"))
    assert not board.begins_round(VIEW, VIEW)

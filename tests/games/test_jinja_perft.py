"""Perft of Jinja: how many sequences of plies there are from fixed positions, chance included.

Each player count has two: a placement amid the game with much to choose from, and the last one of
the game, behind which some lines end sooner than others. The counts were made by the engine and
agree with the reference rules as far as the tests follow them. Set-up is counted from the first ply
of each of its steps.
"""

import math

import pytest

import henro
from tests.families.cases import sized
from tests.games.jinja import parts_of, read_position
from tests.reference.jinja import Jinja, State
from tests.reference.perft import perft

PLACEMENT = "stage=work step=place draws=- where=- deed=- star=0 flipped=- market=- pending=-"

# fmt: off
PERFT = [
    (2, "season=3 first=0 active=1 placed=5 kitsune=k_mason revealed=k_trade,k_mason,k_omen "
        "supplement=0 lanterns=lantern_3,lantern_6,lantern_2,lantern_7:red,lantern_1:red,"
        "lantern_4,lantern_5 tokens=-,1.0.0.0,0.1.0.0,0.0.1.0,0.0.0.1,0.0.0.1,0.1.0.1 "
        "workers=hokkaido:1/1,chugoku:0/1,omikuji:0/1,change_lantern:1/1,minor_offering:0/1 "
        "structures=0.0.0.4,2.1.6.1 gold=1,2 honor=12,7 fox=0,1 built=chugoku_s1/- "
        "hands=tohoku_s1@2,kanto_l@6,kansai_m@5,kansai_l1@4,chugoku_s2@1/tohoku_s2@1,"
        "tohoku_l@2,chugoku_m@6,shikoku_m2@4,shikoku_l@3,kyushu_m1@5 pile=hokkaido_s,"
        "hokkaido_m,hokkaido_l1,hokkaido_l2,tohoku_m,kanto_s,kanto_m1,kanto_m2,kansai_s,"
        "kansai_l2,chugoku_l,shikoku_s,shikoku_m1,kyushu_s,kyushu_m2,kyushu_l "
        "omikuji=large_central,path_kansai_shikoku,pilgrimage_hokkaido_chugoku_shikoku,"
        "most_small,territories_4/large_kansai,large_southwest,path_tohoku_shikoku,"
        "territories_6 ordered=0:pilgrimage_tohoku_shikoku_kyushu,1:path_hokkaido_kansai,"
        "0:medium_northeast deck=22 returned=path_hokkaido_kansai,most_large/path_kanto_kyushu,"
        "every_region drew=1,1",
        [15, 87, 870, 4347, 36309, 128025, 1010216]),
    (2, "season=5 first=0 active=1 placed=9 kitsune=k_crafts revealed=k_fortune,k_trade,k_alms,"
        "k_crafts,k_omen supplement=0 lanterns=lantern_7,lantern_2:red,lantern_1:red,"
        "lantern_5:red,lantern_4:red,lantern_3,lantern_6:red tokens=0.1.0.0,-,1.1.0.0,0.1.1.0,"
        "1.0.0.1,1.0.0.0,1.0.0.0 workers=hokkaido:0/1,tohoku:0/1,kansai:1/1,omikuji:1/1,"
        "territory_build:0/1,change_lantern:1/1,minor_offering:0/1,major_offering:1/1,"
        "roll_gold:0/1 structures=0.0.7.5,3.3.1.1 gold=0,1 honor=19,20 fox=0,1 "
        "built=hokkaido_l1,tohoku_l/tohoku_m,kanto_l,kansai_s,kansai_l1 hands=hokkaido_s@2,"
        "hokkaido_m@1,shikoku_l@4/kanto_m2@3 pile=hokkaido_l2,tohoku_s1,tohoku_s2,kanto_s,"
        "kanto_m1,kansai_m,kansai_l2,chugoku_s1,chugoku_s2,chugoku_m,chugoku_l,shikoku_s,"
        "shikoku_m1,shikoku_m2,kyushu_s,kyushu_m1,kyushu_m2,kyushu_l "
        "omikuji=path_hokkaido_kansai,path_tohoku_kyushu,pilgrimage_hokkaido_tohoku_kansai,"
        "pilgrimage_kansai_chugoku_kyushu,pilgrimage_hokkaido_chugoku_shikoku,"
        "pilgrimage_hokkaido_kanto_kyushu,territories_6/large_hokkaido,large_kansai,"
        "small_central,most_small,most_medium,territories_4 ordered=0:medium_northeast,"
        "0:every_region,0:large_southwest,1:medium_southwest,1:medium_kanto,"
        "0:path_hokkaido_chugoku,1:small_northeast deck=14 returned=medium_southwest,"
        "large_southwest/large_hokkaido,territories_4 drew=1,1",
        [11, 30, 124, 490, 1864, 5448, 19317, 74545, 285849]),
    (3, "season=4 first=0 active=2 placed=5 kitsune=k_pilgrims revealed=k_fortune,k_purse,"
        "k_gift,k_pilgrims supplement=0 lanterns=lantern_3,lantern_2:red,lantern_7,lantern_4,"
        "lantern_5:red,lantern_6:red,lantern_1 tokens=-,-,0.0.1.0,0.1.0.0,2.0.0.0,1.1.0.0,"
        "2.0.0.0 workers=hokkaido:1/1,tohoku:2/1,minor_offering:1/1,major_offering:0/1,"
        "supplement_gold:0/1 structures=1.1.0.0,0.1.2.2,1.3.1.3 gold=3,5,4 honor=14,12,15 "
        "fox=0,0,1 built=tohoku_m,kyushu_l/hokkaido_m,kanto_m2/hokkaido_l2,chugoku_s1 "
        "hands=kanto_s@1,kansai_m@2,shikoku_m1@3/tohoku_s2@3,kanto_l@6,kansai_s@5,kansai_l1@4,"
        "kansai_l2@2,kyushu_s/hokkaido_l1@5,tohoku_s1@3,chugoku_l@2,shikoku_m2@1 "
        "pile=hokkaido_s,tohoku_l,kanto_m1,chugoku_s2,chugoku_m,shikoku_s,shikoku_l,kyushu_m1,"
        "kyushu_m2 omikuji=medium_shikoku,path_kansai_shikoku,path_tohoku_shikoku,"
        "path_tohoku_kyushu,path_kanto_chugoku,pilgrimage_tohoku_shikoku_kyushu,most_large/"
        "large_kansai,pilgrimage_kanto_kansai_shikoku,pilgrimage_kansai_chugoku_kyushu,"
        "territories_6/large_hokkaido,path_hokkaido_chugoku,pilgrimage_tohoku_kanto_chugoku,"
        "pilgrimage_hokkaido_chugoku_shikoku ordered=0:small_tohoku,1:path_kanto_kyushu,"
        "2:large_central,0:small_chugoku,0:small_central,2:medium_kanto,0:territories_5,"
        "2:every_region deck=11 returned=territories_4,territories_5/medium_shikoku,"
        "medium_northeast/large_central,path_tohoku_kyushu drew=1,1,1",
        [19, 96, 720, 4124, 30863, 189524, 1344691]),
    (3, "season=5 first=1 active=0 placed=11 kitsune=k_mason revealed=k_trade,k_mason,k_praise,"
        "k_pilgrims,k_crafts supplement=0 lanterns=lantern_5:red,lantern_4,lantern_7:red,"
        "lantern_2,lantern_3,lantern_6:red,lantern_1:red tokens=-,0.1.1.0,1.0.0.1,0.0.2.0,"
        "0.0.0.1,0.1.0.0,1.0.0.0 workers=tohoku:1/1,kanto:1/1,kansai:2/1,deed_exchange:2/1,"
        "omikuji:0/1,gain_territory:1/1,minor_offering:0/1,major_offering:0/1,"
        "roll_structures:1/1,supplement_gold:2/1,roll_gold:2/1 structures=3.4.1.1,0.2.1.0,"
        "3.1.0.2 gold=6,3,7 honor=15,17,24 fox=0,0,0 built=kanto_l,kyushu_s/tohoku_l,kanto_m2,"
        "kansai_s,kyushu_m2/kanto_s,kansai_m hands=hokkaido_s@1,hokkaido_l1@3,hokkaido_l2@2,"
        "shikoku_m1@5/tohoku_s2@1,chugoku_s1@6/chugoku_l@6,shikoku_l@5,kyushu_m1@4,kyushu_l@3 "
        "pile=hokkaido_m,tohoku_s1,tohoku_m,kanto_m1,kansai_l1,kansai_l2,chugoku_s2,chugoku_m,"
        "shikoku_s,shikoku_m2 omikuji=large_southwest,path_kansai_shikoku,"
        "pilgrimage_hokkaido_chugoku_shikoku,pilgrimage_hokkaido_kanto_kyushu,territories_6/"
        "small_tohoku,medium_shikoku,small_central,pilgrimage_kanto_kansai_shikoku,"
        "pilgrimage_tohoku_shikoku_kyushu/pilgrimage_hokkaido_tohoku_kansai,"
        "pilgrimage_kansai_chugoku_kyushu,most_small,most_medium ordered=0:large_hokkaido,"
        "1:medium_northeast,2:large_kansai,1:path_hokkaido_kansai,0:medium_kyushu deck=15 "
        "returned=path_hokkaido_chugoku,most_large/path_kansai_shikoku,"
        "pilgrimage_tohoku_kanto_chugoku/large_kansai,medium_kyushu drew=1,1,1",
        [9, 39, 141, 386, 1401, 5903, 20595, 71553, 248305]),
    (4, "season=4 first=3 active=2 placed=7 kitsune=k_praise revealed=k_fortune,k_trade,"
        "k_praise,k_crafts supplement=2 lanterns=lantern_5,lantern_6,lantern_3,lantern_4,"
        "lantern_1:red,lantern_2:red,lantern_7 tokens=-,0.0.1.0,1.0.0.1,-,0.0.2.0,1.0.0.0,- "
        "workers=hokkaido:1/1,kansai:0/1,omikuji:12/2,gain_territory:3/1,minor_offering:0/1,"
        "roll_gold:3/1 structures=1.0.2.1,1.1.2.1,3.2.0.0,0.1.2.1 gold=1,2,2,4 honor=13,7,6,8 "
        "fox=0,1,1,0 built=chugoku_s2/shikoku_m2/kanto_m2/chugoku_s1 hands=hokkaido_l1,"
        "kansai_m@3,shikoku_s@2,kyushu_s@1,kyushu_m1@4,kyushu_l@5/tohoku_s1@4,tohoku_s2@1,"
        "kansai_s@3,chugoku_l@6,shikoku_m1@2/hokkaido_l2@5,tohoku_m@4,kanto_l@6,kansai_l1@3,"
        "kansai_l2@1/hokkaido_s@2,tohoku_l,kanto_s@1,kanto_m1@5,chugoku_m@6,shikoku_l@3 "
        "pile=hokkaido_m,kyushu_m2 omikuji=medium_kanto,small_chugoku,medium_southwest,"
        "most_small,territories_4/medium_shikoku,path_hokkaido_kansai,path_tohoku_shikoku,"
        "pilgrimage_kanto_kansai_shikoku,pilgrimage_hokkaido_chugoku_shikoku,territories_5,"
        "territories_6/large_central,large_southwest,path_tohoku_kyushu,path_kanto_chugoku,"
        "pilgrimage_hokkaido_tohoku_kansai,pilgrimage_hokkaido_kanto_kyushu,most_medium/"
        "path_kansai_shikoku,path_hokkaido_chugoku,pilgrimage_tohoku_kanto_chugoku,most_large,"
        "every_region ordered=2:small_tohoku,3:medium_northeast,"
        "0:pilgrimage_tohoku_shikoku_kyushu,1:medium_kyushu,2:path_kanto_kyushu,"
        "2:pilgrimage_kansai_chugoku_kyushu,3:small_northeast,3:large_kansai,1:large_hokkaido,"
        "2:small_central deck=0 returned=medium_northeast,path_hokkaido_kansai/small_chugoku,"
        "medium_kyushu/medium_southwest,territories_6/small_northeast,path_tohoku_kyushu "
        "drew=1,1,1,1",
        [18, 60, 393, 2149, 10339, 51171, 259368, 1357676]),
    (4, "season=5 first=0 active=3 placed=11 kitsune=k_omen revealed=k_lights,k_pilgrims,"
        "k_alms,k_crafts,k_omen supplement=0 lanterns=lantern_3,lantern_2:red,lantern_5:red,"
        "lantern_1,lantern_4,lantern_6:red,lantern_7:red tokens=-,-,-,0.0.1.0,-,0.1.0.0,- "
        "workers=hokkaido:0/1,tohoku:1/1,kanto:2/1,chugoku:3/1,kyushu:0/1,omikuji:1/1,"
        "gain_territory:1/1,minor_offering:2/1,major_offering:0/1,supplement_gold:2/1,"
        "roll_gold:3/1 structures=2.2.1.2,0.2.3.1,5.1.4.0,4.1.1.3 gold=6,2,3,9 honor=17,12,17,"
        "14 fox=0,1,0,1 built=-/tohoku_l/tohoku_s1,shikoku_m1/shikoku_m2,kyushu_s "
        "hands=hokkaido_s@4,hokkaido_m@1,hokkaido_l2@3,tohoku_m@2,kanto_m1@5,kanto_l@6/"
        "tohoku_s2@2,kansai_l1@1,kansai_l2@3,shikoku_s@4,kyushu_m1@6/kanto_s@1,kanto_m2@4,"
        "shikoku_l@5,kyushu_l@3/hokkaido_l1@4,chugoku_s1@3,chugoku_m@6,kyushu_m2@5 "
        "pile=kansai_s,kansai_m,chugoku_s2,chugoku_l omikuji=path_kansai_shikoku,"
        "path_kanto_chugoku,pilgrimage_hokkaido_chugoku_shikoku,"
        "pilgrimage_hokkaido_kanto_kyushu,territories_5,every_region/large_kansai,"
        "large_central,large_southwest,path_kanto_kyushu,pilgrimage_tohoku_kanto_chugoku,"
        "pilgrimage_kansai_chugoku_kyushu,most_medium/medium_southwest,"
        "pilgrimage_kanto_kansai_shikoku,most_large,territories_6/small_chugoku,medium_shikoku,"
        "path_hokkaido_chugoku,territories_4 ordered=0:medium_kanto,1:path_tohoku_kyushu,"
        "0:pilgrimage_hokkaido_tohoku_kansai,1:path_tohoku_shikoku,1:medium_northeast,"
        "3:pilgrimage_tohoku_shikoku_kyushu,0:small_central,2:path_hokkaido_kansai,"
        "2:medium_kyushu,1:small_northeast deck=3 returned=medium_southwest,most_large/"
        "small_chugoku,path_kanto_chugoku/large_southwest,most_small/small_central,"
        "path_kanto_kyushu drew=1,1,1,1",
        [17, 50, 173, 572, 1853, 6707, 26247, 91379, 244601]),
    (5, "season=2 first=1 active=3 placed=12 kitsune=k_grace revealed=k_fortune,k_grace "
        "supplement=2 lanterns=lantern_6:red,lantern_7:red,lantern_3,lantern_5,lantern_4,"
        "lantern_1,lantern_2 tokens=0.0.0.1,1.0.0.0,-,-,-,-,0.0.2.0 workers=kanto:0/1,kansai:3/"
        "1,chugoku:1/1,shikoku:2/1,deed_exchange:1/1,deed_buyback:1/1,omikuji:23/2,"
        "territory_build:04/2,minor_offering:2/1,roll_gold:4/1 structures=0.0.0.1,1.1.4.3,"
        "0.3.2.1,3.2.1.1,1.0.0.0 gold=0,1,0,0,2 honor=6,2,7,3,6 fox=1,1,1,1,1 built=kansai_m/-/"
        "kanto_s/-/tohoku_s2 hands=hokkaido_l2@5,kansai_s@2,chugoku_l@1,shikoku_l@3/"
        "hokkaido_s@1,hokkaido_m@4,hokkaido_l1,chugoku_s2@2,kyushu_l@3/tohoku_m@4,kansai_l2@5,"
        "shikoku_s@3,shikoku_m1@1/kanto_m1@5,chugoku_m@3,shikoku_m2@1,kyushu_m2@4/tohoku_l@3,"
        "kanto_m2@5,kanto_l@4,kansai_l1@1 pile=tohoku_s1,chugoku_s1,kyushu_s,kyushu_m1 "
        "omikuji=pilgrimage_hokkaido_tohoku_kansai,pilgrimage_tohoku_kanto_chugoku,"
        "pilgrimage_hokkaido_kanto_kyushu,most_large,territories_4/small_northeast,"
        "medium_northeast,small_central,pilgrimage_hokkaido_chugoku_shikoku,most_small/"
        "large_kansai,path_hokkaido_kansai,path_tohoku_shikoku,path_kanto_chugoku,"
        "path_hokkaido_chugoku/medium_kyushu,pilgrimage_tohoku_shikoku_kyushu,most_medium,"
        "territories_5,territories_6/small_tohoku,medium_kanto,medium_shikoku,"
        "path_tohoku_kyushu ordered=0:large_southwest,1:small_chugoku,"
        "2:pilgrimage_kanto_kansai_shikoku,3:path_kanto_kyushu,4:large_hokkaido,"
        "0:path_kansai_shikoku,1:pilgrimage_kansai_chugoku_kyushu,2:medium_southwest,"
        "3:large_central deck=1 returned=path_hokkaido_chugoku,most_small/medium_southwest,"
        "pilgrimage_tohoku_kanto_chugoku/small_tohoku,medium_northeast/territories_4,"
        "territories_6/large_central,territories_5 drew=1,1,1,1,1",
        [16, 56, 396, 2113, 11409, 54877, 235081, 962913]),
    (5, "season=5 first=4 active=3 placed=14 kitsune=k_alms revealed=k_fortune,k_purse,k_vow,"
        "k_alms,k_grace supplement=2 lanterns=lantern_3:red,lantern_2:red,lantern_6,"
        "lantern_4:red,lantern_5:red,lantern_1:red,lantern_7:red tokens=0.1.0.0,-,0.0.0.1,-,-,"
        "-,1.0.1.0 workers=tohoku:3/1,kansai:0/1,chugoku:3/1,shikoku:4/1,deed_exchange:1/1,"
        "omikuji:0/1,gain_territory:2/1,territory_build:0/1,minor_offering:4/1,"
        "major_offering:12/2,market:1/1,roll_gold:24/1 structures=1.2.1.2,2.1.2.2,2.3.1.2,"
        "1.2.1.1,0.2.2.3 gold=2,0,2,3,4 honor=6,14,16,8,26 fox=0,0,0,1,0 built=tohoku_s1,"
        "kansai_s,chugoku_s1/kyushu_m1/hokkaido_s,shikoku_l/tohoku_l,kyushu_m2/- "
        "hands=chugoku_s2@1,chugoku_m@3/shikoku_s@5,shikoku_m1@3,shikoku_m2@4/hokkaido_m@1,"
        "hokkaido_l1@4,hokkaido_l2@3/tohoku_m@3,chugoku_l@5,kyushu_s@2/kanto_s@2,kanto_m2@3,"
        "kansai_m@4,kansai_l2@1,kyushu_l@5 pile=tohoku_s2,kanto_m1,kanto_l,kansai_l1 "
        "omikuji=small_tohoku,small_chugoku,path_kanto_chugoku,"
        "pilgrimage_kansai_chugoku_kyushu,pilgrimage_hokkaido_kanto_kyushu,most_small,"
        "territories_5/large_kansai,medium_shikoku,medium_kyushu,path_kansai_shikoku,"
        "pilgrimage_tohoku_kanto_chugoku,pilgrimage_tohoku_shikoku_kyushu,most_medium/"
        "small_northeast,path_hokkaido_chugoku,pilgrimage_hokkaido_tohoku_kansai,territories_6,"
        "every_region/large_hokkaido,medium_kanto,medium_northeast,path_tohoku_shikoku,"
        "path_tohoku_kyushu,pilgrimage_hokkaido_chugoku_shikoku/small_central,large_central,"
        "pilgrimage_kanto_kansai_shikoku,most_large,territories_4 "
        "ordered=0:path_hokkaido_kansai,3:path_kanto_kyushu,0:large_southwest,"
        "0:medium_southwest deck=0 returned=medium_northeast,medium_southwest/large_hokkaido,"
        "small_northeast/large_central,large_southwest/pilgrimage_tohoku_kanto_chugoku,"
        "territories_5/small_chugoku,path_kanto_chugoku drew=1,1,1,1,1",
        [18, 58, 237, 915, 3624, 13887, 49868, 181626, 627615]),
]
# fmt: on

every_position = pytest.mark.parametrize(
    ("players", "parts", "counts"),
    PERFT,
    ids=[f"{players}-{parts.split()[0]}" for players, parts, _ in PERFT],
)


def position(players: int, parts: str) -> henro.State:
    game = henro.load_game("jinja", players=players)
    same = f"players={players} components={game.components_id} packs={'/'.join('-' * players)}"
    return game.deserialize_state(f"jinja {same} {PLACEMENT} {parts}")


@every_position
def test_perft_counts_stay_what_they_are(players: int, parts: str, counts: list[int]) -> None:
    state = position(players, parts)
    assert [state.perft(depth) for depth in range(len(counts) + 1)] == [1, *counts]


@every_position
@sized("most", 6000, 200_000)
def test_perft_agrees_with_the_reference(
    players: int, parts: str, counts: list[int], most: int
) -> None:
    reference = read_position(position(players, parts).serialize())
    for depth, count in enumerate(counts, start=1):
        if count <= most:
            assert perft(reference, depth) == count


@every_position
def test_perft_divides_into_the_moves_there_are(
    players: int, parts: str, counts: list[int]
) -> None:
    state = position(players, parts)
    divided = henro.perft(state, 4, divide=True)
    assert list(divided) == [state.action_to_string(action) for action in state.legal_actions()]
    assert sum(divided.values()) == counts[3] == henro.perft(state, 4)


# -- set-up --------------------------------------------------------------------------------------

STEPS = (
    "lantern",
    "goods",
    "deal_omikuji",
    "return_setup",
    "deal_deed",
    "draft",
    "fill",
    "kitsune",
)
every_player_count = pytest.mark.parametrize("players", range(2, 6))


def first_at(players: int, step: str) -> tuple[henro.State, State]:
    """By engine and reference, the first ply of a step after whatever came first in the tables."""
    state = henro.load_game("jinja", players=players).new_initial_state()
    reference = Jinja(players).new()
    while parts_of(state.serialize())["step"] != step:
        text = reference.possible()[0]
        state.apply(text)
        reference.apply(text)
    return state, reference


@every_player_count
@pytest.mark.parametrize("step", STEPS)
@sized("most", 2000, 100_000)
def test_perft_of_set_up_agrees_with_the_reference(players: int, step: str, most: int) -> None:
    state, reference = first_at(players, step)
    depth, count = 1, state.perft(1)
    while count <= most and depth < 8:
        assert perft(reference, depth) == count
        depth += 1
        count = state.perft(depth)
    assert depth > 2


@every_player_count
def test_lanterns_lie_in_every_order_before_the_first_structure_is_drawn(players: int) -> None:
    state, _ = first_at(players, "lantern")
    orders = [math.perm(7, depth) for depth in range(8)]
    assert [state.perft(depth) for depth in range(10)] == [*orders, 4 * orders[7], 16 * orders[7]]


@every_player_count
def test_each_seat_returns_one_of_ten_pairs_of_omikuji(players: int) -> None:
    state, _ = first_at(players, "return_setup")
    assert [state.perft(2 * seats) for seats in range(players + 1)] == [
        math.comb(5, 2) ** seats for seats in range(players + 1)
    ]


@every_player_count
def test_each_round_of_the_draft_leaves_packs_with_a_card_less(players: int) -> None:
    state, _ = first_at(players, "draft")
    size = 5 if players == 5 else 6
    assert state.perft(players) == size**players
    assert state.perft(2 * players) == (size * (size - 1)) ** players

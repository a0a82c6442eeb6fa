"""Shogun, ply by ply, against the reference rules of an independent author."""

import random
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

import henro
from henro import _core, components
from tests.families.cases import sized
from tests.families.statistics import assert_frequencies
from tests.games.shogun import (
    SPACES,
    essential,
    fillings,
    load,
    names,
    parts_of,
    position,
    position_text,
    sealed_cards,
    view_text,
)
from tests.reference.shogun import BID, CHANCE, Shogun, State
from tests.reference.shogun_tables import DEFAULT, Tables

OPTIONS = [
    {"board": "moon"},
    {"setup": "lineup"},
    {"tower": "sbw"},
    {"tower": "won"},
]
PAIRS_OF_OPTIONS = [
    one | {"tower": tower}
    for one in ({"board": "moon"}, {"setup": "lineup"})
    for tower in ("sbw", "won")
]
every_player_count = pytest.mark.parametrize("players", range(3, 6))
every_option = pytest.mark.parametrize(
    "options",
    [*OPTIONS, *(pytest.param(pair, marks=pytest.mark.slow) for pair in PAIRS_OF_OPTIONS)],
    ids=lambda options: "-".join(options.values()),
)

# -- the same game -------------------------------------------------------------------------------


@every_player_count
@sized("games", 2, 2000)
def test_random_games_go_the_same_way_as_in_the_reference(players: int, games: int) -> None:
    rules = Shogun(players)
    rng = random.Random(f"against the reference, {players} players")
    for _ in range(games):
        assert_same_game(load(rules), rules, rng)


@every_player_count
@every_option
@sized("games", 1, 250)
def test_games_with_options_go_the_same_way_too(
    players: int, options: dict[str, str], games: int
) -> None:
    rules = Shogun(players, **options)
    rng = random.Random(f"with options {options}, {players} players")
    for _ in range(games):
        assert_same_game(load(rules), rules, rng)


@every_player_count
@sized("games", 2, 500)
def test_games_with_other_components_go_the_same_way_too(players: int, games: int) -> None:
    """With so few pieces of a kind that they run out."""
    rng = random.Random(f"other components, {players} players")
    for _ in range(games):
        rules = Shogun(players, tables=other_tables(players, rng))
        assert_same_game(game_of(rules), rules, rng)


@every_player_count
@sized("games", 5, 2000)
def test_games_of_few_provinces_go_the_same_way_too(players: int, games: int) -> None:
    """Seats leave planning spaces empty, are without any province, and lose their last one."""
    rules = Shogun(players)
    rng = random.Random(f"few provinces, {players} players")
    for _ in range(games):
        start = with_few_provinces(rules, rng)
        go_the_same_way(position(start), start, rng)


def assert_same_game(game: henro.Game, rules: Shogun, rng: random.Random) -> None:
    """A random game goes the same way on both sides."""
    go_the_same_way(game.new_initial_state(), rules.new(), rng)


def go_the_same_way(state: henro.State, reference: State, rng: random.Random) -> None:
    assert_same_position(state, reference)
    while (actor := reference.actor()) is not None:
        text = rng.choice(assert_same_choices(state, reference, actor))
        assert_same_events(state, reference, text)
        state.apply(text)
        reference.apply(text)
        assert_same_position(state, reference)
        assert_can_be_read(state, rng.randrange(reference.game.players))
    assert_same_end(state, reference)


def assert_same_choices(state: henro.State, reference: State, actor: int | str) -> list[str]:
    """The texts possible here, in their canonical order."""
    assert state.current_player() == (henro.CHANCE if actor == CHANCE else actor)
    if actor == CHANCE:
        outcomes = [(state.action_to_string(a), p) for a, p in state.chance_outcomes()]
        chance = [(text, float(p)) for text, p in reference.chance()]
        assert [text for text, _ in outcomes] == [text for text, _ in chance]
        assert [p for _, p in outcomes] == pytest.approx([p for _, p in chance], rel=1e-9)
        return [text for text, _ in outcomes]
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    assert texts == reference.legal()
    return texts


def assert_same_events(state: henro.State, reference: State, text: str) -> None:
    events = state.events(state.string_to_action(text))
    assert events == reference.events(text)


def assert_same_position(state: henro.State, reference: State) -> None:
    """Every fact of the position, and exactly what each seat knows of it."""
    components_id = state.game.components_id
    assert state.scores() == reference.scores()
    assert essential(state.serialize()) == essential(position_text(reference, components_id))
    for seat in range(reference.game.players):
        view = view_text(reference.game, reference.knows(seat), components_id)
        assert essential(state.view(seat)) == essential(view)


def assert_can_be_read(state: henro.State, seat: int) -> None:
    """Nothing that play reaches is taken for impossible."""
    assert state.game.deserialize_state(state.serialize()) == state
    assert state.game.information_set(state.view(seat)) == state.information_set(seat)


def assert_same_end(state: henro.State, reference: State) -> None:
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.ranks() == reference.ranks()
    assert state.returns() == pytest.approx([float(u) for u in reference.utilities()])


# -- few provinces -------------------------------------------------------------------------------


def with_few_provinces(rules: Shogun, rng: random.Random) -> State:
    """The beginning of a summer in which each seat has some provinces or none, often close by."""
    center, *rest = rng.sample(rules.provinces, len(rules.provinces))
    near = [province for province in rest if province in rules.neighbors[center]]
    others = [province for province in rest if province not in near]
    free = [center, *near, *others] if rng.random() < 0.5 else others
    owners = [seat for seat in range(rules.players) for _ in range(rng.choice([0, 1, 1, 2, 3, 5]))]
    castles = rng.sample(free, rules.players)
    return rules.setup(
        phase="fields",
        year=rng.choice([1, 2]),
        season="summer",
        provinces={
            province: (
                seat,
                rng.randrange(1, 9),
                "castle" if province in castles else "",
                rng.randrange(2),
            )
            for province, seat in zip(free, owners, strict=False)
        },
        chests=[rng.randrange(12) for _ in range(rules.players)],
        rice=[rng.randrange(5) for _ in range(rules.players)],
        tower={color: rng.randrange(4) for color in rules.colors},
        tray={color: rng.randrange(2) for color in rules.colors},
    )


# -- other components ----------------------------------------------------------------------------


def other_tables(players: int, rng: random.Random) -> Tables:
    """Values of provinces and events exchanged, other prices, and few pieces of each kind."""
    values = [(row.chests, row.rice, row.spaces) for row in DEFAULT.provinces.values()]
    rng.shuffle(values)
    losses = rng.sample([*DEFAULT.events.values()], len(DEFAULT.events))
    needed = sum(DEFAULT.starts[players].groups) + DEFAULT.seeds["armies"]
    supply = {
        "armies": rng.randrange(needed, needed + 12),
        "farmers": rng.randrange(DEFAULT.seeds["farmers"], DEFAULT.seeds["farmers"] + 3),
        "castle": rng.randrange(1, 5),
        "temple": rng.randrange(1, 5),
        "theater": rng.randrange(1, 5),
    }
    return replace(
        DEFAULT,
        provinces={
            name: replace(row, chests=chests, rice=rice, spaces=spaces)
            for (name, row), (chests, rice, spaces) in zip(
                DEFAULT.provinces.items(), values, strict=True
            )
        },
        events=dict(zip(DEFAULT.events, losses, strict=True)),
        prices={action: rng.randrange(price + 2) for action, price in DEFAULT.prices.items()},
        supply={**DEFAULT.supply, **supply},
    )


def game_of(rules: Shogun) -> henro.Game:
    """The game with the components of the reference rules, which no file need allow."""
    default = components.load("shogun")
    tables = {name: [list(row) for row in rows] for name, rows in default.tables.items()}
    for values, province in zip(tables["provinces"], rules.tables.provinces.values(), strict=True):
        values[2:5] = [province.chests, province.rice, province.spaces]
    for table, column in (("events", rules.tables.events), ("actions", rules.tables.prices)):
        for values, value in zip(tables[table], column.values(), strict=True):
            values[0] = value
    kinds = ("armies", "farmers", "castle", "temple", "theater")
    for values, kind in zip(tables["supply"], kinds, strict=False):
        values[0] = rules.tables.supply[kind]
    return _core.make_game("shogun", rules.players, "shogun/other", tables, default.names, {})


# -- knowledge -----------------------------------------------------------------------------------


@every_player_count
@sized("games", 3, 200)
def test_a_view_changes_with_another_plan_if_what_the_reference_knows_does(
    players: int, games: int
) -> None:
    """Two games that differ in one card of one plan look the same to exactly those seats that do
    not know it (yet)."""
    rng = random.Random(f"knowledge of the reference, {players} players")
    same = Counter[bool]()
    for _ in range(games):
        for one, other in twins(Shogun(players), rng):
            for seat in range(players):
                looks = one[0].view(seat) == other[0].view(seat)
                assert looks == (one[1].knows(seat) == other[1].knows(seat))
                same[looks] += 1
    assert min(same[True], same[False]) > players * games


Pair = tuple[henro.State, State]


def twins(rules: Shogun, rng: random.Random) -> Iterator[tuple[Pair, Pair]]:
    """A game by engine and reference and another one with a card exchanged in a plan, from there
    on move for move as long as the same moves are possible in both."""
    one: Pair = (load(rules).new_initial_state(), rules.new())
    planned = rng.randrange(200, 600)
    while len(one[0].history()) < planned or one[1].phase != "plan":
        if one[1].actor() is None:
            return
        _play(one, rng.choice(one[1].possible()))
    other = (one[0].clone(), one[1].clone())
    for pair, text in zip((one, other), rng.sample(one[1].legal(), 2), strict=True):
        _play(pair, text)
    while True:
        yield one, other
        both = [text for text in one[1].possible() if text in other[1].possible()]
        if not both:
            return
        text = rng.choice(both)
        _play(one, text)
        _play(other, text)


def _play(pair: Pair, text: str) -> None:
    pair[0].apply(text)
    pair[1].apply(text)


@every_player_count
@sized("games", 1, 100)
def test_worlds_stay_worlds_in_the_reference(players: int, games: int) -> None:
    """A sample is a position of the reference in which the seat knows the same as before."""
    rules = Shogun(players)
    rng = random.Random(f"worlds of the reference, {players} players")
    for _ in range(games):
        state, reference = load(rules).new_initial_state(), rules.new()
        while reference.actor() is not None:
            text = rng.choice(reference.possible())
            state.apply(text)
            reference.apply(text)
            seat = rng.randrange(players)
            world = state.resample_from_infostate(seat, rng.getrandbits(64))
            found = with_plans_of(reference, world.serialize())
            assert found.knows(seat) == reference.knows(seat)
            text = position_text(found, state.game.components_id)
            assert essential(world.serialize()) == essential(text)


def with_plans_of(reference: State, text: str) -> State:
    """The reference state with the plans of a position's text."""
    world = reference.clone()
    entries = parts_of(text)["plans"]
    if entries != "-":
        world.plans = [dict(zip(SPACES, names(plan), strict=False)) for plan in entries.split("/")]
    world.check()
    return world


@every_player_count
@sized("draws", 600, 30_000)
def test_a_sealed_bid_is_drawn_as_often_as_plans_have_it(players: int, draws: int) -> None:
    """SU57: every plan is as likely as any other, so that most bids are provinces."""
    rules, rng = Shogun(players), random.Random(f"bids, {players} players")
    state, reference = load(rules).new_initial_state(), rules.new()
    while reference.phase != "event":
        text = rng.choice(reference.possible())
        state.apply(text)
        reference.apply(text)
    seat, other = players - 1, 0
    sealed = sealed_cards(state, seat)[other]
    provinces = len(sealed.provinces)
    with_chest = fillings(sealed.actions, provinces, sealed.chests - 1, 0, None)
    odds: dict[Hashable, Fraction] = {
        str(value): Fraction(with_chest, sealed.ways()) for value in range(sealed.bids or 0)
    }
    odds["province"] = sealed.shares()[BID]
    counts = Counter[Hashable]()
    for seed in range(draws):
        world = with_plans_of(reference, state.resample_from_infostate(seat, seed).serialize())
        bid = world.plans[other][BID]
        counts[bid if bid.isdigit() else "province"] += 1
    assert sum(odds.values()) == 1
    assert_frequencies(counts, odds, "bids")


@every_player_count
@sized("games", 1, 40)
def test_the_ways_to_fill_a_plan_are_those_that_the_reference_lists(
    players: int, games: int
) -> None:
    """What the pools of the tests reckon with, wherever a plan has at most three hidden cards."""
    rules = Shogun(players)
    rng = random.Random(f"ways, {players} players")
    compared = 0
    for _ in range(games):
        state, reference = load(rules).new_initial_state(), rules.new()
        while reference.actor() is not None:
            text = rng.choice(reference.possible())
            state.apply(text)
            reference.apply(text)
            observer = rng.randrange(players)
            for seat, sealed in (
                sealed_cards(state, observer).items() if rng.random() < 0.25 else ()
            ):
                if len(sealed.spaces) <= 3:
                    assert sealed.ways() == sum(1 for _ in reference.fillings(seat))
                    compared += 1
    assert compared > 10 * games

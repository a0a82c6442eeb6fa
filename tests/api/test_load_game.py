"""henro.load_game and the Game it returns."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import henro
from henro import ComponentError, OptionError, UnknownGameError, _core
from henro.components import load


def test_the_games_of_this_build_have_their_player_counts() -> None:
    assert henro.games()["shikoku"] == (3, 8)


def test_a_game_says_what_it_is(game: henro.Game) -> None:
    assert (game.name, game.players, game.options) == ("shikoku", 4, {})
    assert (game.min_players, game.max_players) == (3, 8)
    assert game.components_id == load("shikoku").id
    assert repr(game) == f"<Game shikoku players=4 components={game.components_id}>"


def test_without_a_number_of_players_it_is_the_smallest() -> None:
    assert henro.load_game("shikoku").players == 3


def test_games_are_equal_when_rules_players_and_components_are(game: henro.Game) -> None:
    same = henro.load_game("shikoku", players=4)
    assert same == game
    assert hash(same) == hash(game)
    assert game != henro.load_game("shikoku", players=5)
    assert game != "shikoku"


@pytest.mark.parametrize("name", ["go", "", "Shikoku", "shikoku ", "é", 5, None])
def test_an_unknown_game_is_refused_and_the_known_ones_named(name: Any) -> None:
    with pytest.raises(UnknownGameError, match="this build knows: shikoku"):
        henro.load_game(name)


@pytest.mark.parametrize("players", [2, 9, 0, -1, 10**30, "4", 4.0, True])
def test_a_wrong_number_of_players_is_refused(players: Any) -> None:
    with pytest.raises(OptionError, match="shikoku is for 3 to 8 players"):
        henro.load_game("shikoku", players=players)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(OptionError, match="shikoku has no option 'board'"):
        henro.load_game("shikoku", players=4, board="sun")


@pytest.mark.parametrize("of", ["name", "id", "path"])
def test_components_are_named_by_set_id_or_path(game: henro.Game, of: str) -> None:
    chosen = load("shikoku")
    sources: dict[str, str | Path] = {
        "name": "shikoku/default",
        "id": chosen.id,
        "path": chosen.path,
    }
    assert henro.load_game("shikoku", players=4, components=sources[of]) == game


@pytest.mark.parametrize(
    "source", ["shikoku/none", "shikoku/default@000000000000", "/nowhere.toml", Path("nowhere")]
)
def test_components_that_are_not_there_are_refused(source: str | Path) -> None:
    with pytest.raises(ComponentError):
        henro.load_game("shikoku", players=4, components=source)


@pytest.fixture
def other_game(tmp_path: Path) -> henro.Game:
    """The same game with one more icon on the first card."""
    text = load("shikoku").path.read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace("number =  1, icons = 3", "number =  1, icons = 4"))
    return henro.load_game("shikoku", players=4, components=path)


def test_other_components_make_another_game(game: henro.Game, other_game: henro.Game) -> None:
    assert other_game != game
    assert other_game.components_id != game.components_id


def test_views_positions_and_searches_of_other_components_are_refused(
    state: henro.State, other_game: henro.Game
) -> None:
    with pytest.raises(henro.ViewError, match=f"this game uses {other_game.components_id}"):
        other_game.information_set(state.view(0))
    with pytest.raises(henro.PositionError, match=f"this game uses {other_game.components_id}"):
        other_game.deserialize_state(state.serialize())
    with pytest.raises(OptionError, match="the engine was made for"):
        henro.Engine(other_game).search(state, nodes=1)


def test_a_pickled_game_keeps_its_components(other_game: henro.Game) -> None:
    assert pickle.loads(pickle.dumps(other_game)) == other_game


def test_the_core_checks_the_tables_it_is_given() -> None:
    make = _core.make_game
    with pytest.raises(ComponentError, match="needs the one table 'cards'"):
        make("shikoku", 4, "id", {}, {}, {})
    with pytest.raises(ComponentError, match="33 rows"):
        make("shikoku", 4, "id", {"cards": [[1, 1]]}, {}, {})
    with pytest.raises(ComponentError, match="each once, and its icons 1-6"):
        make("shikoku", 4, "id", {"cards": [[1, 1]] * 33}, {}, {})
    with pytest.raises(OptionError, match="3 to 8 players"):
        make("shikoku", 99, "id", {}, {}, {})
    with pytest.raises(UnknownGameError, match="'go'"):
        make("go", 4, "id", {}, {}, {})

"""`henro components`."""

import json

import pytest

from henro import components

DEFAULT = components.load("shikoku")


def test_list_names_the_default_set_and_its_origin(henro):
    listed = henro("components", "list")
    assert listed.code == 0
    assert DEFAULT.id in listed.out
    assert "reconstructed" in listed.out


def test_list_as_json(henro):
    entries = json.loads(henro("components", "list", "--json").out)
    [entry] = [entry for entry in entries if entry["game"] == "shikoku"]
    assert entry["id"] == DEFAULT.id
    assert entry["origins"] == {"cards": "reconstructed"}


def test_show_prints_every_card(henro):
    shown = henro("components", "show", "shikoku/default")
    numbers = [int(word) for word in shown.out.split("icons\n")[1].split()]
    pairs = sorted(zip(numbers[::2], numbers[1::2], strict=True))
    assert pairs == [tuple(row) for row in DEFAULT.tables["cards"]]


def test_a_game_alone_means_its_default_set(henro):
    shown = henro("components", "show", "shikoku")
    assert shown.code == 0
    assert shown.out == henro("components", "show", "shikoku/default").out
    assert henro("components", "check", "shikoku").out == f"{DEFAULT.id}\n"
    assert henro("components", "export", "shikoku", "own.toml").code == 0


def test_show_as_json_has_the_tables(henro):
    shown = json.loads(henro("components", "show", "shikoku/default", "--json").out)
    assert shown["tables"] == DEFAULT.tables


def test_an_exported_set_can_be_edited_checked_and_shown(henro, tmp_path):
    exported = henro("components", "export", "shikoku/default", "mybox.toml")
    assert exported.out == f"wrote mybox.toml: shikoku/mybox@{DEFAULT.hash}\n"
    file = tmp_path / "mybox.toml"
    text = file.read_text(encoding="utf-8")
    assert text.count("#") > 5  # the comments that explain the file
    file.write_text(text.replace("7, icons = 3", '7, icons = 4, origin = "published"'))
    checked = henro("components", "check", "mybox.toml")
    assert checked.code == 0
    assert checked.out.startswith("shikoku/mybox@")
    assert DEFAULT.hash not in checked.out
    assert "published" in henro("components", "show", "mybox.toml").out


def test_export_overwrites_only_by_force(henro, tmp_path):
    (tmp_path / "mybox.toml").write_text("mine")
    refused = henro("components", "export", "shikoku/default", "mybox.toml")
    assert refused.code == 2
    assert refused.err == "henro: error: mybox.toml: exists; --force overwrites it\n"
    assert (tmp_path / "mybox.toml").read_text() == "mine"
    assert henro("components", "export", "shikoku/default", "mybox.toml", "--force").code == 0


def test_export_wants_a_file_name_that_can_name_a_set(henro):
    refused = henro("components", "export", "shikoku/default", "My Box.toml")
    assert refused.code == 2
    assert "the file's name becomes the set's name" in refused.err


def test_export_into_no_folder_is_an_error(henro):
    refused = henro("components", "export", "shikoku/default", "none/mybox.toml")
    assert refused.code == 2
    assert "cannot be written" in refused.err


def test_check_takes_the_id_of_a_set(henro):
    assert henro("components", "check", "shikoku/default").out == f"{DEFAULT.id}\n"
    assert henro("components", "check", DEFAULT.id).code == 0
    other = henro("components", "check", "shikoku/default@000000000000")
    assert other.code == 1
    assert "the values differ" in other.out


def test_check_lists_all_faults_and_exits_with_1(henro, tmp_path):
    text = DEFAULT.path.read_text(encoding="utf-8")
    text = text.replace("7, icons = 3", "7, icons = 9").replace("9, icons = 4", "8, icons = 4")
    (tmp_path / "bad.toml").write_text(text)
    checked = henro("components", "check", "bad.toml")
    assert checked.code == 1
    assert len(checked.out.splitlines()) == 3
    assert all(line.startswith("bad.toml: table cards") for line in checked.out.splitlines())


def test_an_unknown_set_is_an_error(henro):
    assert henro("components", "show", "shikoku/none").code == 2
    assert henro("components", "show", "chess/default").code == 2


@pytest.mark.parametrize("game", components.games())
def test_show_prints_every_row_of_every_game(henro, game):
    found = components.load(game)
    lines = [line.split() for line in henro("components", "show", game).out.splitlines()]
    for table in components.schema_of(game).tables:
        keys = [str(row[table.key]) for row in found.rows[table.name]]
        assert all(any(key in words for words in lines) for key in keys), table.name

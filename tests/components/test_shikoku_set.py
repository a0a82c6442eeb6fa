"""Component sets of Shikoku: what the default holds, what a file may say, how faults are told."""

import contextlib
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from henro import components
from henro.errors import ComponentError, UnknownGameError

DEFAULT = components.load("shikoku")
TEXT = DEFAULT.path.read_text(encoding="utf-8")
ICONS = dict(DEFAULT.tables["cards"])


@pytest.fixture
def write(tmp_path):
    """Writes a component file and returns its path."""

    def to_file(text: str | bytes) -> Path:
        path = tmp_path / "set.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return to_file


def faults(path: Path, game: str = "shikoku") -> list[str]:
    """The lines of the error that a file gives, without its path."""
    with pytest.raises(ComponentError) as caught:
        components.load(game, path)
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{path}: ") for line in lines)
    return [line.removeprefix(f"{path}: ") for line in lines]


def document(rows: list[str], name: str = "own") -> str:
    return (
        f'format = "henro-components/1"\ngame = "shikoku"\nname = "{name}"\ntitle = "Own"\n'
        f'[cards]\norigin = "published"\nrows = [\n{"".join(f"  {row},{chr(10)}" for row in rows)}]'
    )


def rows(icons: dict[int, int]) -> list[str]:
    return [f"{{ number = {card}, icons = {count} }}" for card, count in icons.items()]


# The default set


def test_the_default_set_has_cards_1_to_33_with_the_documented_spread():
    assert list(ICONS) == list(range(1, 34))
    assert sum(ICONS.values()) == 111
    spread = [list(ICONS.values()).count(icons) for icons in range(1, 7)]
    assert spread == [4, 6, 8, 7, 5, 3]


def test_the_core_gets_numbers_and_no_names():
    assert DEFAULT.tables == {"cards": [[card, icons] for card, icons in ICONS.items()]}
    assert DEFAULT.names == {}
    assert DEFAULT.rows["cards"][6] == {"number": 7, "icons": 3}


def test_the_default_set_has_a_fixed_id():
    assert DEFAULT.id == "shikoku/default@f47ec5c722bf"


def test_the_default_set_says_that_its_icons_are_reconstructed():
    assert DEFAULT.origins == {"cards": "reconstructed"}


def test_an_installed_set_is_found_by_its_id_with_and_without_hash():
    assert components.load("shikoku", "shikoku/default") == DEFAULT
    assert components.load("shikoku", DEFAULT.id) == DEFAULT
    assert components.find("shikoku/default") == DEFAULT


def test_every_installed_set_loads():
    for game in components.games():
        for name in components.installed(game):
            assert components.load(game, f"{game}/{name}").name == name


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("shikoku/default@000000000000", "not the one installed"),
        ("shikoku/default@", "not the one installed"),
        ("shikoku/mine", "no component set shikoku/mine comes with henro"),
        ("jinja/default", "is of game jinja"),
    ],
)
def test_an_id_that_cannot_be_had_is_refused(source, words):
    with pytest.raises(ComponentError, match=words):
        components.load("shikoku", source)


def test_an_unknown_game_is_refused():
    with pytest.raises(UnknownGameError, match="known are shikoku"):
        components.load("chess")


# The hash


@given(st.permutations(sorted(ICONS)), st.integers())
def test_the_hash_ignores_row_order_comments_layout_name_and_origin(tmp_path_factory, order, seed):
    noise = random.Random(seed)
    lines = [
        f"{{icons={ICONS[card]},number = {card}}}"
        + noise.choice(["", " ", "# a comment\n", '\n # origin = "x"\n'])
        for card in order
    ]
    path = tmp_path_factory.mktemp("sets") / "set.toml"
    path.write_text(document([line.replace("}", ' , origin = "rulebook"}', 1) for line in lines]))
    found = components.load("shikoku", path)
    assert found.hash == DEFAULT.hash
    assert found.tables == DEFAULT.tables
    assert found.id == f"shikoku/own@{DEFAULT.hash}"


@given(st.integers(1, 33), st.integers(1, 6))
def test_the_hash_follows_every_value(tmp_path_factory, card, icons):
    path = tmp_path_factory.mktemp("sets") / "set.toml"
    path.write_text(document(rows(ICONS | {card: icons})))
    same = ICONS[card] == icons
    assert (components.load("shikoku", path).hash == DEFAULT.hash) == same


def test_rows_are_sorted_by_card_number(write):
    path = write(document(rows(dict(reversed(ICONS.items())))))
    assert components.load("shikoku", path).tables == DEFAULT.tables


def test_a_row_may_have_an_origin_of_its_own(write):
    text = TEXT.replace("number =  7, icons = 3", 'number = 7, icons = 3, origin = "published"')
    found = components.load("shikoku", write(text))
    assert found.origins == {"cards": "reconstructed 32, published 1"}
    assert found.row_origins["cards"][6] == "published"


# Faults


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "number =  7, icons = 3",
            "number = 7, icons = 9",
            "table cards, row 7 (card 7): icons must be a whole number from 1 to 6, not 9",
        ),
        (
            "number =  7, icons = 3",
            "number = 7, icons = 0",
            "table cards, row 7 (card 7): icons must be a whole number from 1 to 6, not 0",
        ),
        (
            "number =  7, icons = 3",
            "number = 7, icons = true",
            "table cards, row 7 (card 7): icons must be a whole number from 1 to 6, not true",
        ),
        (
            "number =  7, icons = 3",
            "number = 7, icons = 3.0",
            "table cards, row 7 (card 7): icons must be a whole number from 1 to 6, not 3.0",
        ),
        (
            "number =  7, icons = 3",
            'number = 7, icons = "3"',
            'table cards, row 7 (card 7): icons must be a whole number from 1 to 6, not "3"',
        ),
        (
            "number =  7, icons = 3",
            f"number = 7, icons = {10**40}",
            "table cards, row 7 (card 7): icons must be a whole number from 1 to 6, "
            "not a huge number",
        ),
        (
            "number =  7, icons = 3",
            "number = 7",
            "table cards, row 7 (card 7): icons is missing",
        ),
        (
            "number =  7, icons = 3",
            "number = 7, icons = 3, colour = 1",
            'table cards, row 7 (card 7): "colour" is not known here; '
            "known are number, icons, origin",
        ),
        (
            "{ number =  7, icons = 3 }",
            "[7, 3]",
            "table cards, row 7: must be { number = ..., icons = ... }, not a list",
        ),
        (
            "number =  7, icons = 3",
            'number = 7, icons = 3, origin = "guess"',
            'table cards, row 7 (card 7): origin must be "rulebook" or "published" or '
            '"reconstructed", not "guess"',
        ),
        (
            "number =  7, icons = 3",
            "number = 8, icons = 3",
            "table cards, row 8 (card 8): number 8 is already in row 7; each card has one row",
        ),
        (
            "    { number =  7, icons = 3 },\n",
            "",
            "table cards: has 32 rows, must have 33",
        ),
        (
            "number =  7, icons = 3",
            "number = 34, icons = 3",
            "table cards, row 7 (card 34): number must be a whole number from 1 to 33, not 34",
        ),
        (
            'origin = "reconstructed"\n',
            "",
            "table cards: origin is missing",
        ),
        (
            'format = "henro-components/1"',
            'format = "henro-components/2"',
            'header: format must be "henro-components/1", not "henro-components/2"',
        ),
        (
            'game = "shikoku"',
            'game = "jinja"',
            'header: game must be "shikoku", not "jinja"',
        ),
        (
            'name = "default"',
            'name = "My box"',
            'header: name must be 1 to 64 characters of a-z, 0-9, _ and -, not "My box"',
        ),
        (
            'title = "Reconstructed mantra cards"',
            "title = 3",
            "header: title must be a text of at most 200 characters, not 3",
        ),
        (
            'title = "Reconstructed mantra cards"',
            "",
            "header: title is missing",
        ),
        (
            'title = "Reconstructed mantra cards"',
            'titel = "x"\ntitle = "y"',
            'header: "titel" is not known here; known are format, game, name, title, note, cards',
        ),
    ],
)
def test_each_broken_rule_is_named_with_its_place(write, old, new, fault):
    assert old in TEXT
    assert fault in faults(write(TEXT.replace(old, new, 1)))


def test_a_missing_card_is_named(write):
    assert "table cards: no row for card 7" in faults(
        write(TEXT.replace("    { number =  7, icons = 3 },\n", ""))
    )


def test_all_faults_of_a_file_are_listed(write):
    icons = ICONS | {4: 0, 9: 7, 30: 12}
    told = faults(write(document(rows(icons), name="Own")))
    assert len(told) == 4
    assert [line for line in told if "row" in line and "icons" in line] == told[1:]


@pytest.mark.parametrize("cards", ["cards = 3", "[[cards]]\nnumber = 1", "[cards]\nrows = 3"])
def test_a_table_of_another_shape_is_refused(write, cards):
    header = TEXT.split("[cards]")[0]
    assert any(line.startswith("table cards: ") for line in faults(write(header + cards)))


def test_a_missing_table_is_named(write):
    assert faults(write(TEXT.split("[cards]")[0])) == ["table cards: is missing"]


def test_a_file_that_is_not_toml_is_refused(write):
    [told] = faults(write("cards: [1, 2]"))
    assert told.startswith("is not TOML: ")


def test_a_file_nested_without_end_is_refused(write):
    [told] = faults(write("a = " + "[" * 100_000))
    assert told.startswith("is not TOML: ")


def test_a_file_in_another_encoding_is_refused(write):
    [told] = faults(write(TEXT.replace("Reconstructed", "Größe").encode("latin-1")))
    assert re.fullmatch(r"is not UTF-8 text \(byte \d+\)", told)


def test_a_byte_order_mark_is_accepted(write):
    assert components.load("shikoku", write(TEXT.encode("utf-8-sig"))).id == DEFAULT.id


def test_a_huge_file_is_refused(write):
    assert faults(write(TEXT + "#" * components.MAX_BYTES)) == ["is larger than 1048576 bytes"]


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    assert faults(tmp_path / "none.toml") == ["cannot be read: No such file or directory"]
    assert faults(tmp_path) == ["cannot be read: Is a directory"]
    with pytest.raises(ComponentError, match="cannot be read"):
        components.load("shikoku", "a\0b")


def test_find_takes_the_game_from_the_file(write):
    assert components.find(write(TEXT)).game == "shikoku"
    with pytest.raises(ComponentError, match=r'header: game must be .*, not "chess"'):
        components.find(write(TEXT.replace('game = "shikoku"', 'game = "chess"')))
    with pytest.raises(ComponentError, match="header: game is missing"):
        components.find(write(TEXT.replace('game = "shikoku"', "")))


# Damaged files


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The default file with a few stretches replaced by anything."""
    data = bytearray(TEXT.encode())
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        length = draw(st.integers(0, 12))
        piece = draw(
            st.sampled_from([b"", b"{", b"]", b"=", b'"', b"\n", b"0x1f", b"nan", b"1979-05-27"])
            | st.binary(max_size=8)
        )
        data[start : start + length] = piece
    return bytes(data)


@given(damaged())
def test_a_damaged_file_loads_or_gives_a_component_error(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("sets") / "set.toml"
    path.write_bytes(data)
    with contextlib.suppress(ComponentError):
        numbers, icons = zip(*components.load("shikoku", path).tables["cards"], strict=True)
        assert numbers == tuple(range(1, 34))
        assert all(1 <= count <= 6 for count in icons)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)


@given(st.sampled_from(["format", "game", "name", "title", "note", "cards", "rows"]), VALUES)
def test_any_value_in_any_place_is_judged_without_a_crash(place, value):
    rules = components.schema_of("shikoku")
    content = {
        "format": "henro-components/1",
        "game": "shikoku",
        "name": "own",
        "title": "Own",
        "cards": {
            "origin": "published",
            "rows": [{"number": card, "icons": count} for card, count in ICONS.items()],
        },
    }
    assert rules.read(content)[2] == []
    if place == "rows":
        content["cards"]["rows"][4] = value
    else:
        content[place] = value
    found = rules.read(content)[2]
    assert all(isinstance(fault, str) and fault.isprintable() for fault in found)
    if place in ("format", "cards", "rows"):
        assert found

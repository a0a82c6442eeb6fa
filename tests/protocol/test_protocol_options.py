"""An option is declared in a line, and takes the values that the line allows and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from henro.errors import OptionError
from henro.protocol import Option

DEPTH = Option("Depth", "spin", "1", -2, 9)
STYLE = Option("Style", "combo", "Slow", choices=("Slow", "Very fast"))
words = st.text("abcXYZ09_-", min_size=1, max_size=8).filter(lambda word: word != "default")
numbers = st.integers(-(10**20), 10**20)


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("name Depth type spin default 1 min -2 max 9", DEPTH),
        ("name Depth  type spin min -2 max 9 default 1 step 3", DEPTH),
        ("name Style type combo default Slow var Slow var Very fast", STYLE),
        ("name Own Book type check default false", Option("Own Book", "check", "false")),
        ("name File type string default", Option("File", "string")),
        ("name File type string default a b.c", Option("File", "string", "a b.c")),
        ("name Clear type button", Option("Clear", "button")),
    ],
)
def test_a_line_declares_an_option(line, option):
    assert Option.parse(line) == option


@given(
    st.builds(Option, words, st.sampled_from(["check", "string"]), words)
    | st.builds(Option, words, st.just("spin"), numbers.map(str), numbers, numbers)
    | st.builds(
        lambda name, first, *rest: Option(name, "combo", first, choices=(first, *rest)),
        *[words] * 4,
    )
    | st.builds(Option, words, st.just("button"))
)
def test_a_declaration_can_be_read_back(option):
    assert Option.parse(option.declaration().removeprefix("option ")) == option


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Depth",
        "name Depth",
        "name Depth type slider default 3",
        "name Depth type spin default 1",
        "name Depth type spin default one min 1 max 9",
        "name Style type combo default Slow",
    ],
)
def test_what_declares_nothing_is_refused(line):
    with pytest.raises(ValueError, match=r"need|is none"):
        Option.parse(line)


@pytest.mark.parametrize(
    ("option", "value", "sent"),
    [
        (DEPTH, "9", "9"),
        (DEPTH, "-2", "-2"),
        (DEPTH, "007", "7"),
        (STYLE, "very FAST", "Very fast"),
        (Option("Book", "check"), "True", "true"),
        (Option("File", "string"), "", ""),
        (Option("File", "string"), "ein Wörterbuch.txt", "ein Wörterbuch.txt"),
        (Option("Clear", "button"), "", ""),
    ],
)
def test_a_value_is_taken_as_the_option_spells_it(option, value, sent):
    assert option.check(value) == sent


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        (DEPTH, "10", "Depth is a number from -2 to 9, not 10"),
        (DEPTH, "1.5", "Depth is a number from -2 to 9, not 1.5"),
        (DEPTH, "", "Depth is a number from -2 to 9, not empty"),
        (STYLE, "quick", "Style is one of Slow, Very fast, not quick"),
        (Option("Book", "check"), "yes", "Book is one of true, false, not yes"),
        (Option("Clear", "button"), "now", "Clear is a button and takes no value"),
        (Option("File", "string"), "a\nquit", "File takes one line without control characters"),
    ],
)
def test_another_value_is_refused_by_name_and_rule(option, value, words):
    with pytest.raises(OptionError) as error:
        option.check(value)
    assert str(error.value) == words

"""Hypothesis strategies for damaged texts of views and positions."""

import re
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

Damage = Callable[[st.DrawFn, str], str]


def _index(draw: st.DrawFn, items: Sequence[object]) -> int:
    return draw(st.integers(0, max(len(items) - 1, 0)))


def _drop_part(draw: st.DrawFn, text: str) -> str:
    parts = text.split(" ")
    del parts[_index(draw, parts)]
    return " ".join(parts)


def _repeat_part(draw: st.DrawFn, text: str) -> str:
    parts = text.split(" ")
    parts.insert(_index(draw, parts), parts[_index(draw, parts)])
    return " ".join(parts)


def _swap_parts(draw: st.DrawFn, text: str) -> str:
    parts = text.split(" ")
    i, j = _index(draw, parts), _index(draw, parts)
    parts[i], parts[j] = parts[j], parts[i]
    return " ".join(parts)


def _swap_values(draw: st.DrawFn, text: str) -> str:
    parts = [part.partition("=") for part in text.split(" ")]
    i, j = _index(draw, parts), _index(draw, parts)
    values = [value for _, _, value in parts]
    values[i], values[j] = values[j], values[i]
    return " ".join(
        f"{key}{sign}{value}" for (key, sign, _), value in zip(parts, values, strict=True)
    )


def _change_digit(draw: st.DrawFn, text: str) -> str:
    digits = [i for i, char in enumerate(text) if char.isdigit()]
    if not digits:
        return text
    i = digits[_index(draw, digits)]
    return text[:i] + draw(st.sampled_from("0123456789")) + text[i + 1 :]


def _swap_numbers(draw: st.DrawFn, text: str) -> str:
    """Two entries of a list change places, in one part or across parts."""
    entries = [i for i, char in enumerate(text) if char in ",=/+"]
    if len(entries) < 2:
        return text
    i, j = sorted((entries[_index(draw, entries)], entries[_index(draw, entries)]))
    one, two = _entry(text, i), _entry(text, j)
    if i == j or i + len(one) >= j:
        return text
    return text[: i + 1] + two + text[i + 1 + len(one) : j + 1] + one + text[j + 1 + len(two) :]


def _entry(text: str, sign: int) -> str:
    end = sign + 1
    while end < len(text) and text[end] not in ",=/+ ":
        end += 1
    return text[sign + 1 : end]


def _swap_in_part(draw: st.DrawFn, text: str) -> str:
    """Two entries of one part change places."""
    parts = text.split(" ")
    i = _index(draw, parts)
    pieces = re.split("([=,/])", parts[i])
    entries = range(2, len(pieces), 2)
    if entries:
        one, other = entries[_index(draw, entries)], entries[_index(draw, entries)]
        pieces[one], pieces[other] = pieces[other], pieces[one]
    return " ".join([*parts[:i], "".join(pieces), *parts[i + 1 :]])


def _value_of(other: str) -> Damage:
    """A part gets the value that it has in another text."""

    def exchange(draw: st.DrawFn, text: str) -> str:
        parts, others = text.split(" "), other.split(" ")
        i = _index(draw, parts)
        found = [part for part in others if part.split("=")[0] == parts[i].split("=")[0]]
        return " ".join([*parts[:i], *(found or [parts[i]])[:1], *parts[i + 1 :]])

    return exchange


def _insert(draw: st.DrawFn, text: str) -> str:
    i = draw(st.integers(0, len(text)))
    extra = draw(
        st.one_of(st.text(max_size=8), st.sampled_from([" ", "\0", "=", "-", "+", "?", ","]))
    )
    return text[:i] + extra + text[i:]


def _delete(draw: st.DrawFn, text: str) -> str:
    i = draw(st.integers(0, len(text)))
    return text[:i] + text[i + draw(st.integers(1, 4)) :]


def _lengthen(draw: st.DrawFn, text: str) -> str:
    i = draw(st.integers(0, len(text)))
    return text[:i] + draw(st.sampled_from("0919 ,/=-?é")) * draw(st.integers(1, 20_000)) + text[i:]


DAMAGES: list[Damage] = [
    _drop_part,
    _repeat_part,
    _swap_parts,
    _swap_values,
    _change_digit,
    _swap_numbers,
    _insert,
    _delete,
    _lengthen,
]


@st.composite
def damaged(draw: st.DrawFn, texts: Sequence[str]) -> str:
    """One of the texts after one to three accidents; sometimes no text of ours at all.

    Half of the texts stay well formed, so that what they say has to be judged.
    """
    if draw(st.integers(0, 19)) == 0:
        return draw(st.text(max_size=200))
    text = draw(st.sampled_from(texts))
    careful = [_swap_in_part, _change_digit, _value_of(draw(st.sampled_from(texts)))]
    damages = draw(st.sampled_from([DAMAGES, careful]))
    for damage in draw(st.lists(st.sampled_from(damages), min_size=1, max_size=3)):
        text = damage(draw, text)
    return text

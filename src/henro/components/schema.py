"""What a component file must look like, stated as data.

A game declares one :class:`Schema`: its tables, their columns, what every cell may hold, and the
rules that join several cells. Reading, checking, hashing and showing a set are the same for all
games.

Every value can be written in one way only, so that equal components have equal hashes.
All checks collect: a file with five faults is told about five faults.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

FORMAT = "henro-components/1"
ORIGINS = ("rulebook", "published", "reconstructed")
SET_NAME = re.compile(r"[a-z0-9_-]{1,64}")
ROW_ID = re.compile(r"[a-z][a-z0-9_]{0,63}")

Record = Mapping[str, Any]
Row = dict[str, Any]


class Kind(Protocol):
    """What one value may be."""

    def fault(self, value: Any) -> str | None:
        """The rule that `value` breaks, or None when it is right."""


class Column(Kind, Protocol):
    """What the cells of a column may hold, and the integers C++ gets for each."""

    def codes(self, value: Any) -> tuple[int, ...]:
        """The integers that stand for a right value, equally many for every value."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def codes(self, value: int) -> tuple[int, ...]:
        return (value,)

    def fault(self, value: Any) -> str | None:
        # bool is a kind of int in Python, and no number of anything in a box.
        if type(value) is int and self.low <= value <= self.high:
            return None
        return f"must be a whole number from {self.low} to {self.high}, not {shown(value)}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words, for C++ its index among them."""

    words: tuple[str, ...]

    def codes(self, value: str) -> tuple[int, ...]:
        return (self.words.index(value),)

    def fault(self, value: Any) -> str | None:
        if isinstance(value, str) and value in self.words:
            return None
        return f"must be {' or '.join(map(quoted, self.words))}, not {shown(value)}"


@dataclass(frozen=True, slots=True)
class Known:
    """One of a few words that C++ is not told, because the rules fix it."""

    words: tuple[str, ...]

    def codes(self, value: str) -> tuple[int, ...]:
        return ()

    def fault(self, value: Any) -> str | None:
        return Choice(self.words).fault(value)


@dataclass(frozen=True, slots=True)
class Subset:
    """Some of a few words, for C++ a bit mask with the first word in bit 0."""

    words: tuple[str, ...]

    def codes(self, value: list[str]) -> tuple[int, ...]:
        return (sum(1 << self.words.index(word) for word in value),)

    def fault(self, value: Any) -> str | None:
        if isinstance(value, list) and value:
            if value == [word for word in self.words if word in value]:
                return None
            return f"must list some of {', '.join(self.words)}, each once and in this order"
        return f"must be a list of some of {', '.join(self.words)}, not {shown(value)}"


@dataclass(frozen=True, slots=True)
class Each:
    """A list of `least` to `most` values of one kind; C++ gets `most`, the missing ones as 0."""

    kind: Whole
    least: int
    most: int

    def codes(self, value: list[int]) -> tuple[int, ...]:
        return (*value, *[0] * (self.most - len(value)))

    def fault(self, value: Any) -> str | None:
        if not isinstance(value, list):
            return f"must be a list, not {shown(value)}"
        if not self.least <= len(value) <= self.most:
            wanted = self.most if self.least == self.most else f"{self.least} to {self.most}"
            return f"must list {wanted} values, not {len(value)}"
        faults = ((number, self.kind.fault(item)) for number, item in enumerate(value, 1))
        return next((f"value {number} {fault}" for number, fault in faults if fault), None)


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a statement: its fields, and the field each of C++'s integers comes from.

    A slot of None is 0 for C++: this form has nothing to say there.
    """

    fields: Mapping[str, Column]
    slots: tuple[str | None, ...]

    def codes(self, value: Record) -> Iterator[int]:
        for slot in self.slots:
            yield from (0,) if slot is None else self.fields[slot].codes(value[slot])

    def fault(self, value: Record) -> str | None:
        faults = ((name, kind.fault(value[name])) for name, kind in self.fields.items())
        return next((f"{name} {fault}" for name, fault in faults if fault), None)


@dataclass(frozen=True, slots=True)
class OneOf:
    """A statement in one of several forms, told apart by their fields.

    C++ gets the index of the form and then its slots, equally many in each form.
    """

    forms: tuple[Form, ...]

    def codes(self, value: Record) -> tuple[int, ...]:
        [(index, form)] = self._matching(value)
        return (index, *form.codes(value))

    def fault(self, value: Any) -> str | None:
        for _, form in self._matching(value):
            return form.fault(value)
        return f"must be {' or '.join(shape(form.fields) for form in self.forms)}"

    def _matching(self, value: Any) -> list[tuple[int, Form]]:
        """The form that has the fields of `value`, if any, and its index."""
        fields = value.keys() if isinstance(value, dict) else None
        return [
            (index, form) for index, form in enumerate(self.forms) if form.fields.keys() == fields
        ]


@dataclass(frozen=True, slots=True)
class RowId:
    """What a file calls a row. It stands in views and moves."""

    def codes(self, value: str) -> tuple[int, ...]:
        return ()

    def fault(self, value: Any) -> str | None:
        if isinstance(value, str) and ROW_ID.fullmatch(value):
            return None
        return (
            f"must be a letter and at most 63 more characters of a-z, 0-9 and _, not {shown(value)}"
        )


@dataclass(frozen=True, slots=True)
class Text:
    """Any text of at most `limit` characters."""

    limit: int

    def fault(self, value: Any) -> str | None:
        if isinstance(value, str) and len(value) <= self.limit:
            return None
        return f"must be a text of at most {self.limit} characters, not {shown(value)}"


@dataclass(frozen=True, slots=True)
class SetName:
    """A set's name, which stands in ids, views and file names."""

    def fault(self, value: Any) -> str | None:
        if isinstance(value, str) and SET_NAME.fullmatch(value):
            return None
        return f"must be 1 to 64 characters of a-z, 0-9, _ and -, not {shown(value)}"


RowRule = Callable[[Row], str | None]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of components, one row for each printed item.

    `columns` are in the order handed to C++. The column `key` tells the rows apart. A key of kind
    Whole or Choice holds each of its values exactly once, and rows are sorted by it. With RowId
    the file itself names its `count` rows, and their order stays: it is part of the values.
    C++ gets keys that are words as the names of the rows, not among the integers.

    `item` is what the box calls a row ("card"). `rules` are what the cells of a row owe one
    another: each gives the rule that a row of right cells breaks, or None.
    """

    name: str
    item: str
    key: str
    columns: Mapping[str, Column]
    count: int = 0
    rules: tuple[RowRule, ...] = ()

    @property
    def keys(self) -> Sequence[Any]:
        """The fixed keys; none when the file names its rows."""
        match self.columns[self.key]:
            case Whole(low, high):
                return range(low, high + 1)
            case Choice(words):
                return words
        return ()

    @property
    def is_named(self) -> bool:
        return not isinstance(self.columns[self.key], Whole)

    def codes(self, rows: list[Row]) -> list[list[int]]:
        """The rows as C++ gets them."""
        coded = [name for name in self.columns if name != self.key or not self.is_named]
        return [
            [code for name in coded for code in self.columns[name].codes(row[name])] for row in rows
        ]

    def names(self, rows: list[Row]) -> list[str]:
        """The names of the rows, for a table that is_named."""
        return [row[self.key] for row in rows]

    def read(self, value: Any, faults: list[str]) -> tuple[list[Row], list[str]]:
        """The rows in order and, beside each, its origin; adds what is wrong to `faults`."""
        where = f"table {self.name}"
        if not isinstance(value, dict):
            faults.append(f"{where}: must be a table with origin and rows, not {shown(value)}")
            return [], []
        faults += check_record(where, value, {"origin": Choice(ORIGINS), "rows": None})
        raw = value.get("rows", [])
        if not isinstance(raw, list):
            faults.append(f"{where}: rows must be a list, not {shown(raw)}")
            return [], []
        good = [row for number, row in enumerate(raw, 1) if self._row_is_good(number, row, faults)]
        if "rows" in value:
            faults += self._key_faults(raw)
        good.sort(key=lambda row: self.columns[self.key].codes(row[self.key]))
        rows = [{column: row[column] for column in self.columns} for row in good]
        return rows, [row.get("origin", value.get("origin")) for row in good]

    def _row_is_good(self, number: int, row: Any, faults: list[str]) -> bool:
        where = f"table {self.name}, row {number}"
        if not isinstance(row, dict):
            faults.append(f"{where}: must be {shape(self.columns)}, not {shown(row)}")
            return False
        where += self._label(row)
        found = [*check_record(where, row, self.columns, {"origin": Choice(ORIGINS)})]
        if not found:
            found = [f"{where}: {fault}" for rule in self.rules if (fault := rule(row))]
        faults += found
        return not found

    def _label(self, row: Record) -> str:
        """ " (card 7)", when the row says which item it is."""
        key = row.get(self.key)
        return f" ({self.item} {shown(key)})" if type(key) in (int, str) else ""

    def _key_faults(self, raw: list[Any]) -> Iterator[str]:
        """Every key once, none missing, and the number of rows."""
        first: dict[Any, int] = {}
        for number, row in enumerate(raw, 1):
            key = row.get(self.key) if isinstance(row, dict) else None
            if self.columns[self.key].fault(key):
                continue
            if key in first:
                yield (
                    f"table {self.name}, row {number}{self._label(row)}: {self.key} {key} "
                    f"is already in row {first[key]}; each {self.item} has one row"
                )
            first.setdefault(key, number)
        missing = [str(key) for key in self.keys if key not in first]
        if missing:
            yield f"table {self.name}: no row for {self.item} {', '.join(missing)}"
        if len(raw) != (count := self.count or len(self.keys)):
            yield f"table {self.name}: has {len(raw)} rows, must have {count}"


@dataclass(frozen=True, slots=True)
class Rule:
    """What whole tables owe one another, checked once all of them are right in themselves.

    `check` gets the rows of each of `tables` and gives what is wrong with the first of them.
    """

    tables: tuple[str, ...]
    check: Callable[..., Iterable[str]]


@dataclass(frozen=True, slots=True)
class Schema:
    """All tables of one game's component files."""

    game: str
    tables: tuple[Table, ...]
    rules: tuple[Rule, ...] = ()

    def read(
        self, document: Record
    ) -> tuple[dict[str, list[Row]], dict[str, list[str]], list[str]]:
        """Rows and row origins by table, and every fault of the file."""
        faults: list[str] = []
        rows: dict[str, list[Row]] = {}
        origins: dict[str, list[str]] = {}
        right: set[str] = set()
        header: dict[str, Kind] = {
            "format": Choice((FORMAT,)),
            "game": Choice((self.game,)),
            "name": SetName(),
            "title": Text(200),
        }
        known = {"note": Text(10_000)} | dict.fromkeys((table.name for table in self.tables), None)
        faults += check_record("header", document, header, known)
        for table in self.tables:
            if table.name not in document:
                faults.append(f"table {table.name}: is missing")
                continue
            before = len(faults)
            rows[table.name], origins[table.name] = table.read(document[table.name], faults)
            if len(faults) == before:
                right.add(table.name)
        for rule in self.rules:
            if right.issuperset(rule.tables):
                found = rule.check(*(rows[name] for name in rule.tables))
                faults += [f"table {rule.tables[0]}: {fault}" for fault in found]
        return rows, origins, faults


def check_record(
    where: str,
    record: Record,
    required: Mapping[str, Kind | None],
    optional: Mapping[str, Kind | None] | None = None,
) -> Iterator[str]:
    """What is wrong with the keys and values of `record`; a kind of None is checked elsewhere."""
    kinds = dict(required) | dict(optional or {})
    for name in required:
        if name not in record:
            yield f"{where}: {name} is missing"
    for name, value in record.items():
        if name not in kinds:
            yield f"{where}: {shown(name)} is not known here; known are {', '.join(kinds)}"
        elif (kind := kinds[name]) and (fault := kind.fault(value)):
            yield f"{where}: {name} {fault}"


def shape(fields: Iterable[str]) -> str:
    """`{ number = ..., icons = ... }`: what a record with these fields looks like."""
    return f"{{ {', '.join(f'{name} = ...' for name in fields)} }}"


def quoted(word: str) -> str:
    return f'"{word}"'


def shown(value: Any) -> str:
    """A value as the file has it, cut to a length that fits a message."""
    match value:
        case bool():
            text = str(value).lower()
        case dict():
            text = "a table"
        case list():
            text = "a list"
        case str():
            text = quoted(value if len(value) <= 40 else value[:37] + "...")
        case int() if abs(value) >= 10**18:
            text = "a huge number"
        case _:
            text = str(value)
    return text.encode("unicode_escape").decode("ascii") if not text.isprintable() else text

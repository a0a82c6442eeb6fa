"""What a component file must look like, stated as data.

A game declares one :class:`Schema`: its tables, their columns and what every cell may hold.
Reading, checking, hashing and showing a set are the same for all games.

All checks collect: a file with five faults is told about five faults.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

FORMAT = "henro-components/1"
ORIGINS = ("rulebook", "published", "reconstructed")
SET_NAME = re.compile(r"[a-z0-9_-]{1,64}")

Record = Mapping[str, Any]
Row = dict[str, Any]


class Kind(Protocol):
    """What one value may be."""

    def fault(self, value: Any) -> str | None:
        """The rule that `value` breaks, or None when it is right."""


class Column(Kind, Protocol):
    """What the cells of a column may hold, and the integer C++ gets for each."""

    @property
    def values(self) -> Sequence[Any]:
        """Everything a cell may hold."""

    def code(self, value: Any) -> int:
        """The integer that stands for a right value."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    @property
    def values(self) -> range:
        return range(self.low, self.high + 1)

    def code(self, value: int) -> int:
        return value

    def fault(self, value: Any) -> str | None:
        # bool is a kind of int in Python, and no number of anything in a box.
        if type(value) is int and self.low <= value <= self.high:
            return None
        return f"must be a whole number from {self.low} to {self.high}, not {shown(value)}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words, for C++ its index among them."""

    words: tuple[str, ...]

    @property
    def values(self) -> tuple[str, ...]:
        return self.words

    def code(self, value: str) -> int:
        return self.words.index(value)

    def fault(self, value: Any) -> str | None:
        if isinstance(value, str) and value in self.words:
            return None
        return f"must be {' or '.join(map(quoted, self.words))}, not {shown(value)}"


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


@dataclass(frozen=True, slots=True)
class Table:
    """A table of components, one row for each printed item.

    `columns` are in the order handed to C++. The column `key` holds each of its values exactly
    once, which fixes the number of rows; rows are sorted by it. `item` is what the box calls a
    row ("card").
    """

    name: str
    item: str
    key: str
    columns: Mapping[str, Column]

    @property
    def keys(self) -> Sequence[Any]:
        return self.columns[self.key].values

    def codes(self, rows: list[Row]) -> list[list[int]]:
        """The rows as C++ gets them."""
        return [[column.code(row[name]) for name, column in self.columns.items()] for row in rows]

    def read(self, value: Any, faults: list[str]) -> tuple[list[Row], list[str]]:
        """The rows sorted by key and, beside each, its origin; adds what is wrong to `faults`."""
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
        good.sort(key=lambda row: self.columns[self.key].code(row[self.key]))
        rows = [{column: row[column] for column in self.columns} for row in good]
        return rows, [row.get("origin", value.get("origin")) for row in good]

    def _row_is_good(self, number: int, row: Any, faults: list[str]) -> bool:
        where = f"table {self.name}, row {number}"
        if not isinstance(row, dict):
            faults.append(f"{where}: must be {{ {self._example()} }}, not {shown(row)}")
            return False
        where += self._label(row)
        found = [*check_record(where, row, self.columns, {"origin": Choice(ORIGINS)})]
        faults += found
        return not found

    def _example(self) -> str:
        return ", ".join(f"{name} = {column.values[0]}" for name, column in self.columns.items())

    def _label(self, row: Record) -> str:
        """ " (card 7)", when the row says which item it is."""
        key = row.get(self.key)
        return f" ({self.item} {shown(key)})" if type(key) in (int, str) else ""

    def _key_faults(self, raw: list[Any]) -> Iterator[str]:
        """Every key once and none missing: this fixes the number of rows too."""
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
        if len(raw) != len(self.keys):
            yield f"table {self.name}: has {len(raw)} rows, must have {len(self.keys)}"


@dataclass(frozen=True, slots=True)
class Schema:
    """All tables of one game's component files."""

    game: str
    tables: tuple[Table, ...]

    def read(
        self, document: Record
    ) -> tuple[dict[str, list[Row]], dict[str, list[str]], list[str]]:
        """Rows and row origins by table, and every fault of the file."""
        faults: list[str] = []
        rows: dict[str, list[Row]] = {}
        origins: dict[str, list[str]] = {}
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
            rows[table.name], origins[table.name] = table.read(document[table.name], faults)
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

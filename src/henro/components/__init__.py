"""Component sets: the card lists, boards and tokens of a game as data.

A set is a TOML file, `src/henro/components/<game>/<name>.toml` or a user's own. It is read and
checked here (`docs/components.md` has the format) and handed to C++ as tables of integers.
Its id, `shikoku/default@1f3a9c2e7b40`, names it and fixes its values.
"""

import hashlib
import json
import os
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from henro.components.jinja.schema import SCHEMA as JINJA
from henro.components.schema import FORMAT, Choice, Row, Schema, shown
from henro.components.shikoku.schema import SCHEMA as SHIKOKU
from henro.components.shogun.schema import SCHEMA as SHOGUN
from henro.components.shugendo.schema import SCHEMA as SHUGENDO
from henro.errors import ComponentError, UnknownGameError

__all__ = ["DEFAULT", "ComponentSet", "find", "games", "installed", "load", "schema_of"]

DEFAULT = "default"
MAX_BYTES = 1 << 20
HASH_DIGITS = 12

_SCHEMAS = {schema.game: schema for schema in (SHIKOKU, JINJA, SHUGENDO, SHOGUN)}
_SET_ID = re.compile(r"(?P<game>[a-z0-9_-]+)/(?P<name>[a-z0-9_-]+)(?:@(?P<hash>[^@]*))?")


@dataclass(frozen=True, slots=True)
class ComponentSet:
    """A checked component set.

    `rows` holds each table's rows as the file has them, `{"number": 7, "icons": 3}`, in the order
    of the table: sorted by key, or as in the file where it names its rows itself.
    `tables` holds the same rows as lists of integers in the schema's column order, for Shikoku
    `{"cards": [[number, icons], ...]}`. `names` has the ids of the rows, for tables with ids.
    `origins` says for each table where its values come from, `row_origins` for each row.
    `hash` is taken over game and `rows` alone: no comment, layout or origin counts.
    """

    game: str
    name: str
    title: str
    note: str
    hash: str
    rows: dict[str, list[Row]]
    tables: dict[str, list[list[int]]]
    names: dict[str, list[str]]
    origins: dict[str, str]
    row_origins: dict[str, list[str]]
    path: Path

    @property
    def id(self) -> str:
        """What views, protocol and records call the set: `shikoku/default@1f3a9c2e7b40`."""
        return f"{self.game}/{self.name}@{self.hash}"


def games() -> list[str]:
    """The games that have component sets."""
    return list(_SCHEMAS)


def schema_of(game: str) -> Schema:
    """The schema of a game's component files. Raises UnknownGameError."""
    if game not in _SCHEMAS:
        raise UnknownGameError(f"unknown game {shown(game)}; known are {', '.join(_SCHEMAS)}")
    return _SCHEMAS[game]


def installed(game: str) -> list[str]:
    """The names of the sets that come with henro, the default first."""
    schema_of(game)
    names = sorted(path.stem for path in _folder(game).glob("*.toml"))
    return sorted(names, key=lambda name: name != DEFAULT)


def load(game: str, source: str | os.PathLike[str] | None = None) -> ComponentSet:
    """Reads and checks a component set of `game`.

    `source` is None for the default set, the id of an installed set (`shikoku/default`, or with
    its hash to insist on the values: `shikoku/default@1f3a9c2e7b40`), or the path of a TOML file.
    Raises UnknownGameError, and ComponentError listing everything that is wrong with the file.
    """
    rules = schema_of(game)
    if source is None:
        source = f"{game}/{DEFAULT}"
    if isinstance(source, str) and (parts := _SET_ID.fullmatch(source)):
        return _load_installed(rules, source, parts)
    return _read(rules, Path(source), _parse(Path(source)))


def find(source: str | os.PathLike[str]) -> ComponentSet:
    """Reads and checks the set that `source` names, of whichever game it is. Raises like load."""
    if isinstance(source, str) and (parts := _SET_ID.fullmatch(source)):
        return load(parts["game"], source)
    path = Path(source)
    document = _parse(path)
    known = Choice(tuple(_SCHEMAS))
    if fault := known.fault(document["game"]) if "game" in document else "is missing":
        raise ComponentError(f"{path}: header: game {fault}")
    return _read(_SCHEMAS[document["game"]], path, document)


def _folder(game: str) -> Path:
    return Path(__file__).parent / game


def _load_installed(rules: Schema, source: str, parts: re.Match[str]) -> ComponentSet:
    if parts["game"] != rules.game:
        raise ComponentError(
            f"component set {source} is of game {parts['game']}, wanted is one of {rules.game}"
        )
    if parts["name"] not in (names := installed(rules.game)):
        raise ComponentError(
            f"no component set {parts['game']}/{parts['name']} comes with henro, only "
            f"{', '.join(f'{rules.game}/{name}' for name in names)}; give your own by its path"
        )
    path = _folder(rules.game) / f"{parts['name']}.toml"
    found = _read(rules, path, _parse(path))
    if parts["hash"] is not None and parts["hash"] != found.hash:
        raise ComponentError(
            f"component set {source} is not the one installed, {found.id}: the values differ"
        )
    return found


def _read(rules: Schema, path: Path, document: dict[str, Any]) -> ComponentSet:
    rows, row_origins, faults = rules.read(document)
    if faults:
        raise ComponentError("\n".join(f"{path}: {fault}" for fault in faults))
    return ComponentSet(
        game=rules.game,
        name=document["name"],
        title=document["title"],
        note=" ".join(document.get("note", "").split()),
        hash=_hash(rules.game, rows),
        rows=rows,
        tables={table.name: table.codes(rows[table.name]) for table in rules.tables},
        names={
            table.name: table.names(rows[table.name]) for table in rules.tables if table.is_named
        },
        origins={name: _summary(words) for name, words in row_origins.items()},
        row_origins=row_origins,
        path=path,
    )


def _parse(path: Path) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ComponentError(f"{path}: cannot be read: {reason}") from error
    if len(data) > MAX_BYTES:
        raise ComponentError(f"{path}: is larger than {MAX_BYTES} bytes")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ComponentError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    except (ValueError, RecursionError) as error:
        raise ComponentError(f"{path}: is not TOML: {error}") from error


def _hash(game: str, rows: dict[str, list[Row]]) -> str:
    values = {"format": FORMAT, "game": game, "tables": rows}
    canonical = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:HASH_DIGITS]


def _summary(words: list[str]) -> str:
    """The origin that all rows share, or each with its number of rows."""
    counts = Counter(words).most_common()
    if len(counts) == 1:
        return words[0]
    return ", ".join(f"{word} {count}" for word, count in counts)

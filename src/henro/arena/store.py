"""The results folder: `games.jsonl` holds the records, `results.sqlite` run and results.

A game is written to games.jsonl first, as one line, and then to the database in one
transaction. Whatever moment the process dies at, the next `Store` brings both together: a line
torn at the end of the file is cut off, rows without a line are deleted, lines without rows are
entered again. So the file decides which games have been played.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import msgspec

from henro.arena.config import ArenaConfig, first_difference
from henro.arena.records import decode, read_records, result_of
from henro.arena.standing import GameResult, SeatResult
from henro.errors import HenroError, OptionError, RecordError
from henro.protocol.types import GameRecord

RECORDS = "games.jsonl"
DATABASE = "results.sqlite"
SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE run (
    config TEXT NOT NULL,
    components TEXT NOT NULL,
    henro TEXT NOT NULL,
    started TEXT NOT NULL
) STRICT;
CREATE TABLE bots (
    bot INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    id_name TEXT,
    id_author TEXT
) STRICT;
CREATE TABLE games (
    game INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    rotation INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    termination TEXT NOT NULL,
    started TEXT NOT NULL,
    UNIQUE (round, rotation)
) STRICT;
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    bot INTEGER NOT NULL REFERENCES bots,
    score INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    utility REAL NOT NULL,
    moves INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT;
CREATE TABLE faults (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
CREATE TABLE complaints (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    words TEXT NOT NULL
) STRICT;
"""

_NEW = f"{_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION};"
_EMPTY = "DELETE FROM games; DELETE FROM bots; DELETE FROM run;"


class BusyError(HenroError, RuntimeError):
    """Another process is writing to the results folder."""


def read(folder: Path) -> tuple[ArenaConfig, str, list[GameResult]]:
    """The run in `folder`, its components id and its games, without changing anything there.

    Raises RecordError if there is no run.
    """
    if not (folder / DATABASE).is_file():
        raise RecordError(f"{folder}: no {DATABASE} there, so no run to read")
    with _named(folder), closing(_connect(folder)) as db:
        config, components = _stored_run(db, folder)
        return config, components, list(_stored_results(db).values())


class Store:
    """The results folder of a run that is being played; one process at a time has it.

    `config` is the given one with what was left open filled in: the seed from the folder or,
    for a new run, from `fresh_seed`. `results` are the games already played. A new folder is
    made, or an empty one filled, by `begin` only: a run that cannot be started leaves no trace.
    A run without any game in the folder is replaced.
    Raises OptionError if the folder holds another run, BusyError if it is in use and
    RecordError if its files are damaged.
    """

    def __init__(self, config: ArenaConfig, game: Any, fresh_seed: str, version: str) -> None:
        self.game = game
        self.version = version
        self.folder = config.out
        self.config = msgspec.structs.replace(config, seed=config.seed or fresh_seed)
        self.results: list[GameResult] = []
        self._index = {bot.name: number for number, bot in enumerate(config.bots)}
        self._records: IO[bytes] | None = None
        self._db: sqlite3.Connection | None = None
        if not _is_free(self.folder):
            self._open(config)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
        if self._records is not None:
            with suppress(OSError):  # what could not be written has been reported by `add`
                self._records.close()

    def begin(self, introductions: Iterable[tuple[str, str]]) -> None:
        """Make the folder if it is new, and enter how each bot calls itself: (name, author)."""
        if self._db is None:
            self._open(self.config)
        assert self._db is not None
        with _named(self.folder), self._db:
            self._db.executemany(
                "UPDATE bots SET id_name = ?, id_author = ? WHERE bot = ?",
                [(name, author, bot) for bot, (name, author) in enumerate(introductions)],
            )

    def add(self, record: GameRecord) -> GameResult:
        """Write one finished game, after `begin`."""
        assert self._records is not None
        result = result_of(record, self._index, self.game)
        with _named(self.folder):
            self._records.write(msgspec.json.encode(record) + b"\n")
            self._records.flush()
            os.fsync(self._records.fileno())
            self.results.append(result)
            self._enter(len(self.results), record, result)
        return result

    def _open(self, config: ArenaConfig) -> None:
        try:
            with _named(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
                self._records = (self.folder / RECORDS).open("ab")
                self._lock(self._records)
                self._db = _connect(self.folder)
                self._settle(config)
                self._agree()
                self.results = list(_stored_results(self._db).values())
        except BaseException:
            self.close()
            raise

    def _lock(self, records: IO[bytes]) -> None:
        try:
            fcntl.flock(records, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BusyError(f"{self.folder}: another henro arena is playing there") from None

    def _settle(self, config: ArenaConfig) -> None:
        """Check `config` against the folder's run, or enter it if no game has been played."""
        assert self._db is not None
        if _version(self._db) == 0:
            if self._size():
                raise RecordError(f"{self.folder}: has {RECORDS} but no run in {DATABASE}")
            self._enter_run(_NEW)
            return
        before, components = _stored_run(self._db, self.folder)
        self._repair_tail()
        if not self._size():
            self._enter_run(_EMPTY)
            return
        self.config = msgspec.structs.replace(config, seed=config.seed or before.seed)
        self._check_same(
            before.identity() | {"components": components},
            self.config.identity() | {"components": self.game.components_id},
        )
        self._lengthen(before, self.config)

    def _size(self) -> int:
        return (self.folder / RECORDS).stat().st_size

    def _enter_run(self, preparation: str) -> None:
        """Make `self.config` the folder's run, after SQL that makes room for it."""
        assert self._db is not None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._db:
            self._db.executescript(f"BEGIN; {preparation}")
            self._db.execute(
                "INSERT INTO run VALUES (?, ?, ?, ?)",
                (self.config.to_json(), self.game.components_id, self.version, now),
            )
            self._db.executemany(
                "INSERT INTO bots (bot, name) VALUES (?, ?)",
                [(number, name) for name, number in self._index.items()],
            )

    def _check_same(self, stored: dict[str, Any], given: dict[str, Any]) -> None:
        if found := first_difference(stored, given):
            field, there, here = found
            raise OptionError(
                f"{self.folder} holds another run: {field} is {shown(there)} there and "
                f"{shown(here)} here; play into another folder or with the run's own settings"
            )

    def _lengthen(self, before: ArenaConfig, config: ArenaConfig) -> None:
        """A run may get more rounds, not fewer."""
        assert self._db is not None
        if config.rounds < before.rounds:
            raise OptionError(
                f"{self.folder} holds another run: rounds is {before.rounds} there and "
                f"{config.rounds} here; a run can be lengthened, not shortened"
            )
        if config.rounds > before.rounds:
            with self._db:
                self._db.execute("UPDATE run SET config = ?", (config.to_json(),))

    def _repair_tail(self) -> None:
        """Cut off a line that a killed process left unfinished; finish a whole one."""
        assert self._records is not None
        path = self.folder / RECORDS
        data = path.read_bytes()
        tail = data[data.rfind(b"\n") + 1 :]
        if not tail:
            return
        with suppress(RecordError):
            decode(tail, f"{path}: last line")
            self._records.write(b"\n")
            self._records.flush()
            return
        self._records.truncate(len(data) - len(tail))

    def _agree(self) -> None:
        """Make the database's games those of the file."""
        assert self._db is not None
        path = self.folder / RECORDS
        keys = self._checked_keys(path)
        rows = {game: result.key for game, result in _stored_results(self._db).items()}
        if rows == keys:
            return
        with self._db:
            wrong = [(game,) for game, key in rows.items() if keys.get(game) != key]
            self._db.executemany("DELETE FROM games WHERE game = ?", wrong)
        for line, record in read_records(path):
            if rows.get(line) != keys[line]:
                result = result_of(record, self._index, self.game, f"{path}:{line}")
                self._enter(line, record, result)

    def _checked_keys(self, path: Path) -> dict[int, tuple[int, int]]:
        """(round, rotation) by line; raises RecordError for games that are not of this run."""
        lines: dict[tuple[int, int], int] = {}
        for line, record in read_records(path):
            place = f"{path}:{line}: round {record.round}, rotation {record.rotation}"
            in_rounds = 1 <= record.round <= self.config.rounds
            if not in_rounds or not 0 <= record.rotation < self.config.games_a_round:
                raise RecordError(f"{place} is not in this run")
            if strangers := set(record.bots) - set(self._index):
                raise RecordError(f"{path}:{line}: bots: {strangers.pop()} is not in this run")
            first = lines.setdefault((record.round, record.rotation), line)
            if first != line:
                raise RecordError(f"{place} is already in line {first}")
        return {line: key for key, line in lines.items()}

    def _enter(self, line: int, record: GameRecord, result: GameResult) -> None:
        assert self._db is not None
        game = (line, record.round, record.rotation)
        end = (len(record.moves), record.termination, record.started)
        seats = [
            (line, seat, s.bot, s.score, s.rank, s.utility, s.moves, s.time_ms)
            for seat, s in enumerate(result.seats)
        ]
        faults = [(line, f.seat, f.ply, f.kind, f.detail) for f in record.faults]
        complaints = [(line, c.seat, c.ply, c.words) for c in record.complaints]
        with self._db:
            self._db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", game + end)
            self._db.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?)", seats)
            self._db.executemany("INSERT INTO faults VALUES (?, ?, ?, ?, ?)", faults)
            self._db.executemany("INSERT INTO complaints VALUES (?, ?, ?, ?)", complaints)


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    """Errors of the system and the database as RecordError with the folder's name."""
    try:
        yield
    except OSError as error:
        raise RecordError(f"{error.filename or folder}: {error.strerror}") from error
    except sqlite3.Error as error:
        raise RecordError(f"{folder / DATABASE}: {error}") from error


def _connect(folder: Path) -> sqlite3.Connection:
    db = sqlite3.connect(folder / DATABASE, timeout=30)
    db.execute("PRAGMA foreign_keys = ON")
    return db


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _stored_run(db: sqlite3.Connection, folder: Path) -> tuple[ArenaConfig, str]:
    version = _version(db)
    if version != SCHEMA_VERSION:
        raise RecordError(
            f"{folder / DATABASE}: schema version {version}, this henro reads {SCHEMA_VERSION}"
        )
    config, components = db.execute("SELECT config, components FROM run").fetchone()
    return ArenaConfig.from_json(config, folder), components


def _stored_results(db: sqlite3.Connection) -> dict[int, GameResult]:
    """Results of the played games by their line in games.jsonl."""
    seats: dict[int, list[SeatResult]] = defaultdict(list)
    for game, *fields in db.execute(
        "SELECT game, bot, score, rank, utility, moves, time_ms FROM seats ORDER BY game, seat"
    ):
        seats[game].append(SeatResult(*fields))
    faults: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for game, bot, kind in db.execute(
        "SELECT game, bot, kind FROM faults JOIN seats USING (game, seat) ORDER BY faults.rowid"
    ):
        faults[game].append((bot, kind))
    complaints: dict[int, list[int]] = defaultdict(list)
    for game, bot in db.execute(
        "SELECT game, bot FROM complaints JOIN seats USING (game, seat) ORDER BY complaints.rowid"
    ):
        complaints[game].append(bot)
    return {
        game: GameResult(
            round_number,
            rotation,
            tuple(seats[game]),
            tuple(faults[game]),
            tuple(complaints[game]),
        )
        for game, round_number, rotation in db.execute(
            "SELECT game, round, rotation FROM games ORDER BY game"
        )
    }


def _is_free(folder: Path) -> bool:
    """Whether nothing is there yet that a run could collide with."""
    try:
        return not any(folder.iterdir())
    except FileNotFoundError:
        return True
    except OSError:
        return False


def shown(value: object) -> str:
    """A value of a run's configuration as errors name it."""
    return "not set" if value is None else str(value)

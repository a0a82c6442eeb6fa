"""Game records: reading them from a file, playing them over, proving that they are true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

import henro
from henro.arena.standing import GameResult, SeatResult
from henro.errors import ComponentError, HenroError, RecordError
from henro.protocol.types import RECORD_FORMAT, GameRecord

ABANDONED = "abandoned"
"""Termination of a game that was left before its end; it has no results."""

_COMPONENTS_HINT = "give the set that was played with by --components FILE"

_DECODER = msgspec.json.Decoder(GameRecord)


def decode(line: bytes, where: str) -> GameRecord:
    """The record in one line of JSON; a RecordError names `where` and the field."""
    try:
        record = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"{where}: {error}") from None
    if record.format != RECORD_FORMAT:
        raise RecordError(f"{where}: format: {record.format!r}, expected {RECORD_FORMAT!r}")
    return record


def read_records(path: Path) -> Iterator[tuple[int, GameRecord]]:
    """(line number from 1, record) for each line of a file; raises RecordError."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield number, decode(line, f"{path}:{number}")
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None


def load_game(record: GameRecord, components: str | None = None, where: str = "record") -> Any:
    """The game of a record. A set that is not installed has to be given as a file."""
    try:
        game = henro.load_game(
            record.game,
            players=record.players,
            components=components or record.components,
            **record.options,
        )
    except ComponentError as error:
        hint = "" if components else f"; {_COMPONENTS_HINT}"
        raise RecordError(f"{where}: {error}{hint}") from None
    except (HenroError, TypeError) as error:  # TypeError: an option called players, say
        raise RecordError(f"{where}: {error}") from None
    if game.components_id != record.components:
        raise RecordError(
            f"{where}: components: played with {record.components}, not {game.components_id}; "
            f"{_COMPONENTS_HINT}"
        )
    return game


def replay(
    record: GameRecord, game: Any = None, where: str = "record"
) -> Iterator[tuple[Any, str | None]]:
    """Play a record over: the state before each ply with the ply's text, at last the final
    state with None.

    `game` is the record's game, loaded if it is not given. Every state is the caller's to keep.
    Raises RecordError, which names `where`, ply and field, at the first thing that cannot have
    happened: an impossible chance event, an illegal move, another result.
    """
    game = load_game(record, where=where) if game is None else game
    _check_shape(record, where)
    state = game.new_initial_state()
    for ply, text in enumerate(record.moves):
        yield state.clone(), text
        _check_ply(record, state, ply, where)
        try:
            state.apply(text)
        except HenroError as error:
            raise RecordError(f"{where}: ply {ply}: moves: {error}") from None
    _check_end(record, state, where)
    yield state.clone(), None


def result_of(
    record: GameRecord, index: Mapping[str, int], game: Any, where: str = "record"
) -> GameResult:
    """What the statistics need of a record, with bots by number; the record is proved."""
    moves, times = [0] * record.players, [0] * record.players
    for (state, _), time_ms in zip(replay(record, game, where), record.times_ms, strict=False):
        if time_ms is not None:
            moves[state.current_player()] += 1
            times[state.current_player()] += time_ms
    bots = [index[name] for name in record.bots]
    columns = zip(bots, record.scores, record.ranks, record.utilities, moves, times, strict=True)
    return GameResult(
        record.round,
        record.rotation,
        tuple(SeatResult(*fields) for fields in columns),
        tuple((bots[fault.seat], fault.kind) for fault in record.faults),
        tuple(bots[complaint.seat] for complaint in record.complaints),
    )


def _check_shape(record: GameRecord, where: str) -> None:
    results = 0 if record.termination == ABANDONED else record.players
    counts = {"bots": record.players, "scores": results, "ranks": results, "utilities": results}
    for field, count in counts.items():
        if len(getattr(record, field)) != count:
            raise RecordError(f"{where}: {field}: expected {count}, one for each seat")
    if len(record.times_ms) != len(record.moves):
        raise RecordError(f"{where}: times_ms: expected one for each of {len(record.moves)} moves")
    if record.thoughts and len(record.thoughts) != len(record.moves):
        raise RecordError(f"{where}: thoughts: expected none, or one for each move")
    _check_places(record, "faults", where)
    _check_places(record, "complaints", where)
    if record.termination not in ("faults" if record.faults else "normal", ABANDONED):
        raise RecordError(
            f"{where}: termination: {record.termination!r} with {len(record.faults)} faults"
        )


def _check_places(record: GameRecord, field: str, where: str) -> None:
    """Each fault or complaint has a seat and a ply of the game."""
    for number, entry in enumerate(getattr(record, field)):
        for place, end in (("seat", record.players), ("ply", len(record.moves))):
            value = getattr(entry, place)
            if not 0 <= value < end:
                raise RecordError(f"{where}: {field}[{number}].{place}: {value} is not in the game")


def _check_ply(record: GameRecord, state: Any, ply: int, where: str) -> None:
    """The game goes on here, and only a bot that was asked has a time."""
    if state.is_terminal():
        raise RecordError(f"{where}: ply {ply}: moves: the game is over here")
    time_ms = record.times_ms[ply]
    if time_ms is not None and (state.is_chance_node() or time_ms < 0):
        raise RecordError(f"{where}: ply {ply}: times_ms: {time_ms} cannot be")
    thought = record.thought(ply)
    if thought is not None and (time_ms is None or not thought.possible):
        raise RecordError(f"{where}: ply {ply}: thoughts: {thought} cannot be")


def _check_end(record: GameRecord, state: Any, where: str) -> None:
    if record.termination == ABANDONED:
        return
    if not state.is_terminal():
        raise RecordError(f"{where}: ply {len(record.moves)}: moves: the game is not over here")
    _check_results(record, state, where)


def _check_results(record: GameRecord, state: Any, where: str) -> None:
    results = {
        "scores": list(state.scores()),
        "ranks": list(state.ranks()),
        "utilities": list(state.returns()),
    }
    forfeits = [results] + [_forfeited(record, results)] * bool(record.faults)
    stated = {field: getattr(record, field) for field in results}
    if stated in forfeits:
        return
    for field, value in results.items():
        if all(stated[field] != outcome[field] for outcome in forfeits):
            raise RecordError(f"{where}: {field}: stated {stated[field]}, the game gives {value}")
    raise RecordError(f"{where}: ranks: they do not go with the utilities")


def _forfeited(record: GameRecord, results: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Results under on_fault="forfeit": an offender has the last rank and utility 0."""
    ranks, utilities = list(results["ranks"]), list(results["utilities"])
    for fault in record.faults:
        ranks[fault.seat], utilities[fault.seat] = record.players, 0.0
    return results | {"ranks": ranks, "utilities": utilities}

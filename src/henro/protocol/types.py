"""The values that matches are made of: bots, limits, faults and game records."""

from typing import Literal

import msgspec

from henro.errors import OptionError, ProtocolError

FaultKind = Literal["illegal", "timeout", "stall", "crash", "protocol"]
OnFault = Literal["random", "forfeit"]

RECORD_FORMAT = "henro-record/1"


class BotSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to start one bot. `cmd` is the program and its arguments, started without a shell.

    `options` are sent by `setoption` once after the start.
    """

    name: str
    cmd: list[str]
    options: dict[str, str] = {}

    def __post_init__(self) -> None:
        if not self.cmd:
            raise OptionError(f"bot {self.name}: the command is empty")


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one seat may spend on its moves; every limit that is set holds at once.

    movetime_ms   time for each move
    nodes         search iterations for each move (told to the bot, not measured)
    clock_ms      time for the whole game, `inc_ms` is added after each move
    timemargin_ms overrun of movetime or clock that the referee forgives
    grace_ms      after that: how long a late answer is waited for (timeout), before the bot
                  is given up (stall)
    untimed_ms    time for a move when neither movetime_ms nor clock_ms is set
    """

    movetime_ms: int | None = None
    nodes: int | None = None
    clock_ms: int | None = None
    inc_ms: int | None = None
    timemargin_ms: int = 100
    grace_ms: int = 2000
    untimed_ms: int = 60_000

    def __post_init__(self) -> None:
        if self.movetime_ms is None and self.nodes is None and self.clock_ms is None:
            raise OptionError("limits need movetime_ms, nodes or clock_ms")
        if self.inc_ms is not None and self.clock_ms is None:
            raise OptionError("inc_ms needs clock_ms")
        for field in ("movetime_ms", "nodes", "clock_ms", "untimed_ms"):
            value = getattr(self, field)
            if value is not None and value < 1:
                raise OptionError(f"{field} must be at least 1, not {value}")
        for field in ("inc_ms", "timemargin_ms", "grace_ms"):
            value = getattr(self, field)
            if value is not None and value < 0:
                raise OptionError(f"{field} must not be negative, not {value}")

    def allowance_ms(self, clock_ms: int | None) -> int:
        """Time for the next move, in ms, of a seat with `clock_ms` left (None: no clock)."""
        times = [t for t in (self.movetime_ms, clock_ms) if t is not None]
        return min(times, default=self.untimed_ms)


class Fault(msgspec.Struct, frozen=True):
    """Why a bot's part in a game ended.

    `ply` is the index in GameRecord.moves of the move that the referee chose instead
    (0 when the bot failed before the first move).
    """

    seat: int
    ply: int
    kind: FaultKind
    detail: str


class BotFault(ProtocolError):
    """A bot broke the protocol, its time or itself; `kind` is one of FaultKind."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: FaultKind = kind
        self.detail = detail


class GameRecord(msgspec.Struct, kw_only=True):
    """One finished game: `moves` replays it from the initial state, chance events included.

    bots        names by seat
    moves       texts of all plies in order
    times_ms    one per move; None for chance, forced moves and moves the referee chose
    scores, ranks, utilities
                by seat; with on_fault="forfeit" an offender has the last rank and utility 0
    termination "normal", or "faults" when at least one bot was replaced on the way
    started     ISO 8601, UTC
    """

    format: str = RECORD_FORMAT
    game: str
    players: int
    options: dict[str, str] = {}
    components: str
    bots: list[str]
    round: int = 0
    rotation: int = 0
    moves: list[str]
    scores: list[int]
    ranks: list[int]
    utilities: list[float]
    faults: list[Fault] = []
    times_ms: list[int | None]
    termination: str = "normal"
    started: str

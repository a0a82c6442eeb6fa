"""The values that matches are made of: bots, limits, faults and game records."""

from typing import Literal

import msgspec

from henro.errors import OptionError, ProtocolError

FaultKind = Literal["illegal", "timeout", "stall", "crash", "protocol"]
OnFault = Literal["random", "forfeit"]

RECORD_FORMAT = "henro-record/1"

MAX_COMPLAINTS = 10
"""How many complaints of one seat a game record keeps: the first."""

MAX_WORDS = 200
"""Most characters that are kept of a complaint."""


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


MAX_LIMIT = 10**15 - 1
"""The greatest number that a limit can be: fifteen digits."""

_LEAST = {
    "nodes": (1, "nodes"),
    "movetime_ms": (1, "movetime in ms"),
    "clock_ms": (1, "the time of tc in ms"),
    "inc_ms": (0, "the increment of tc in ms"),
    "timemargin_ms": (0, "timemargin in ms"),
    "grace_ms": (0, "the grace in ms"),
    "untimed_ms": (1, "the time of an untimed move in ms"),
}
"""Least value of each limit, and what users call the limit."""


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
            raise OptionError("limits need nodes, a movetime or a clock")
        if self.inc_ms is not None and self.clock_ms is None:
            raise OptionError("an increment needs a clock")
        for field, (least, words) in _LEAST.items():
            value = getattr(self, field)
            if value is not None and value < least:
                raise OptionError(f"{words} must be at least {least}, not {value}")
            if value is not None and value > MAX_LIMIT:
                raise OptionError(f"{words} must be at most {MAX_LIMIT}, not {value}")

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


class Complaint(msgspec.Struct, frozen=True):
    """An `error` line of a bot: its `words`, code first.

    `ply` is the index in GameRecord.moves of the move that was due when the line was read.
    """

    seat: int
    ply: int
    words: str


class BotFault(ProtocolError):
    """A bot broke the protocol, its time or itself; `kind` is one of FaultKind."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: FaultKind = kind
        self.detail = detail


class Thought(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a bot told by `info` of its search for a move, each part None if it did not.

    `nodes` is its iterations, `depth` that of the search, `value` its utility from 0 to 1.
    """

    nodes: int | None = None
    depth: int | None = None
    value: float | None = None

    @property
    def possible(self) -> bool:
        """Whether all parts are in their ranges."""
        counts = (self.nodes or 0, self.depth or 0)
        return min(counts) >= 0 and 0 <= (self.value or 0) <= 1


class GameRecord(msgspec.Struct, kw_only=True):
    """One finished game: `moves` replays it from the initial state, chance events included.

    bots        names by seat
    moves       texts of all plies in order
    times_ms    one per move; None for chance, forced moves and moves the referee chose
    thoughts    one per move, None where a bot told nothing; empty if none ever did
    scores, ranks, utilities
                by seat; with on_fault="forfeit" an offender has the last rank and utility 0
    complaints  `error` lines; of each seat the first MAX_COMPLAINTS
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
    complaints: list[Complaint] = []
    times_ms: list[int | None]
    thoughts: list[Thought | None] = []
    termination: str = "normal"
    started: str

    def thought(self, ply: int) -> Thought | None:
        """What the bot told of its search for a move, None if nothing."""
        return self.thoughts[ply] if self.thoughts else None

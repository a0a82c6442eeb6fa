"""The referee's end of UHI: one bot as a process that cannot hold up anybody."""

import contextlib
import re
from collections.abc import Iterator, Sequence
from time import monotonic
from types import TracebackType
from typing import NamedTuple, Self

import henro
from henro.errors import OptionError
from henro.protocol.child import Child
from henro.protocol.options import Option
from henro.protocol.types import (
    MAX_COMPLAINTS,
    MAX_WORDS,
    BotFault,
    BotSpec,
    Limits,
    Thought,
)

QUIT_SECONDS = 1.0
"""How long a bot may take to end after `quit` before it is killed."""

# Parts of an `info` line.
_FACTS = ("nodes", "nps", "time", "depth", "value", "pv", "multipv", "visits")

_IN_STEP = ("illegal", "timeout")  # faults that leave the process usable


class Answer(NamedTuple):
    """A legal move, the milliseconds that it took, and what the bot told of its search."""

    move: str
    elapsed_ms: int
    thought: Thought | None


class BotProcess:
    """A bot, from start to quit. Used by one thread at a time; also a context manager.

    Every method returns within the times given here or raises BotFault, whatever the program
    does. A fault of kind stall, crash or protocol has ended the process; `recover` starts it
    again. After illegal or timeout it is still usable.

    spec        what was started
    patience_s  longest wait for `uhiok` and for `readyok`
    name        `id name` of the bot (spec.name until it has told)
    author      `id author`
    games       game name -> (least, most players); empty when the bot does not tell
    options     option name -> what the bot declares of it
    complaint   the last `error` line since the last good answer, or empty
    """

    def __init__(self, spec: BotSpec, patience_s: float = 10.0) -> None:
        self.spec = spec
        self.patience_s = patience_s
        self.name = spec.name
        self.author = ""
        self.games: dict[str, tuple[int, int]] = {}
        self.options: dict[str, Option] = {}
        self.complaint = ""
        self._complaints: list[str] = []
        self._child: Child | None = None
        self._legal: Sequence[str] = ()
        self._seat = 0
        self._players = 0
        self._thought: Thought | None = None

    # ---- life

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._child is not None and self._child.alive

    def start(self) -> None:
        """Starts the program, says hello, sets the options of the spec and waits for readiness.

        Raises BotFault, or OptionError when the bot does not take an option of the spec.
        """
        self.kill()
        with self._guard():
            self._child = Child(self.spec.cmd)
            self._hello()
        for name, value in self.spec.options.items():
            self.setoption(name, value)
        self.isready()

    def recover(self) -> bool:
        """Makes sure that the bot runs and is in step; True when it had to be restarted.

        Raises BotFault when the restart fails.
        """
        if self.running:
            with contextlib.suppress(BotFault):
                self.isready()
                return False
        self.start()
        return True

    def quit(self) -> None:
        """Asks the bot to end, and ends it with its children when it does not. Never raises."""
        if self._child is not None:
            with contextlib.suppress(BotFault):
                self._child.send("quit")
            self._child.wait_exit(QUIT_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Ends the process and its children at once. Never raises."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def abort(self) -> None:
        """Kills the process from any thread; one that waits for it gets a BotFault. Never raises.

        The thread that uses the bot still has to call `quit` or `kill`.
        """
        if (child := self._child) is not None:
            child.kill()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.quit()

    # ---- the protocol, in the order of a game

    def plays(self, game: str, players: int) -> bool:
        """Whether the bot offers this game for so many players (also when it offers none)."""
        least, most = self.games.get(game, (1, 0)) if self.games else (players, players)
        return least <= players <= most

    def setoption(self, name: str, value: str) -> None:
        """Sets an option between games; raises OptionError for one that the bot does not take."""
        with self._guard():
            option = self.options.get(name)
            if option is None:
                known = ", ".join(self.options) or "none"
                raise OptionError(f"bot {self.spec.name} has no option {name}; it has {known}")
            try:
                value = option.check(value)
            except OptionError as error:
                raise OptionError(f"bot {self.spec.name}: option {error}") from None
            setting = "" if option.kind == "button" else f" value {value}"
            self._running_child().send(f"setoption name {name}{setting}")

    def isready(self) -> None:
        """Waits for `readyok`. Raises BotFault, "protocol" for a move nobody asked for."""
        with self._guard():
            self._request("isready")
            self._await_ready(monotonic() + self.patience_s, drop_moves=False)

    def newgame(self, game: henro.Game, seat: int) -> None:
        """Announces a game to the bot in `seat`; follow up with `isready`."""
        self._seat, self._players = seat, game.players
        options = [f"{key} {value}" for key, value in game.options.items()]
        head = f"newgame game {game.name} players {game.players} seat {seat}"
        self._send(" ".join([head, f"components {game.components_id}", *options]))

    def event(self, subject: str, text: str) -> None:
        """Tells what the seat has seen; `subject` is a seat number or "chance"."""
        self._send(f"event {subject} {text}")

    def position(self, view: str) -> None:
        """Tells the seat's whole knowledge."""
        self._send(f"position view {view}")

    def legal(self, moves: Sequence[str]) -> None:
        """Tells the legal moves, to which `go` holds the answer."""
        self._legal = moves
        self._send(" ".join(["legal", *moves]))

    def go(self, limits: Limits, clock_ms: int | None = None) -> Answer:
        """Asks for one of the moves last given to `legal`; `clock_ms` is what the seat has left.

        Raises BotFault: "illegal" for another move, "timeout" for one that comes after the time
        and margin but within the grace, "stall" for none, "crash", "protocol".
        """
        with self._guard():
            started = monotonic()
            due = started + (limits.allowance_ms(clock_ms) + limits.timemargin_ms) / 1000
            end = due + limits.grace_ms / 1000
            # The answer to isready parts the moves that nobody asked for from the one to come.
            # Its time counts as thinking, or a bot could think for nothing before it.
            self._request("isready")
            self._await_ready(end, drop_moves=False)
            self._thought = None
            self._request(_go_line(limits, clock_ms))
            move = self._await_move(due) or self._await_late_move(end)
            arrived = monotonic()
            elapsed_ms = round((arrived - started) * 1000)
            if arrived > due:
                self._resynchronise(limits.grace_ms / 1000)
                raise BotFault("timeout", f"answered after {elapsed_ms} ms")
            if move not in self._legal:
                raise BotFault("illegal", f"{move[:100]} is not a legal move")
            self.complaint = ""
            return Answer(move, elapsed_ms, self._thought)

    def take_complaints(self) -> list[str]:
        """The words of the `error` lines since the last call, at most MAX_COMPLAINTS."""
        taken, self._complaints = self._complaints, []
        return taken

    def gameover(self, ranks: Sequence[int], scores: Sequence[int]) -> None:
        """Tells the result, by seat."""
        self._send(" ".join(["gameover ranks", *map(str, ranks), "scores", *map(str, scores)]))

    # ---- parts

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        """Ends the process after a fault that leaves it out of step; adds the complaint."""
        try:
            yield
        except BotFault as fault:
            if fault.kind not in _IN_STEP:
                self.kill()
            said = f" (the bot said: {self.complaint})" if self.complaint else ""
            raise BotFault(fault.kind, fault.detail + said) from None
        except OptionError:
            self.kill()
            raise

    def _running_child(self) -> Child:
        if self._child is None:
            raise BotFault("crash", "is not running")
        return self._child

    def _send(self, line: str) -> None:
        with self._guard():
            self._running_child().send(line)

    def _request(self, line: str) -> None:
        child = self._running_child()
        child.begin_request()
        child.send(line)

    def _read(self, deadline: float) -> tuple[str, str] | None:
        """Next line as command and rest, None at the deadline; notes complaints on the way."""
        line = self._running_child().read_line(deadline)
        if line is None:
            return None
        command, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if command == "error":
            self.complaint = rest[:MAX_WORDS]
            if len(self._complaints) < MAX_COMPLAINTS:
                self._complaints.append(self.complaint)
        return command, rest

    def _hello(self) -> None:
        self.games.clear()
        self.options.clear()
        self.complaint = ""
        self._request("uhi")
        deadline = monotonic() + self.patience_s
        while monotonic() < deadline and (line := self._read(deadline)) is not None:
            command, rest = line
            if command == "uhiok":
                return
            if command == "id":
                self._note_id(rest)
            elif command == "game":
                self._note_game(rest)
            elif command == "option":
                self._note_option(rest)
        raise BotFault("stall", f"no uhiok within {self.patience_s:g} s")

    def _note_id(self, rest: str) -> None:
        key, _, value = rest.partition(" ")
        if key in ("name", "author") and value:
            setattr(self, key, value)

    def _note_game(self, rest: str) -> None:
        match = re.match(r"(\S+) players (\d+) (\d+)", rest)
        if match is None:
            raise BotFault("protocol", f"no game line: game {rest[:100]}")
        self.games[match[1]] = (int(match[2]), int(match[3]))

    def _note_option(self, rest: str) -> None:
        try:
            option = Option.parse(rest)
        except ValueError as error:
            raise BotFault("protocol", f"no option line: option {rest[:100]} ({error})") from None
        self.options[option.name] = option

    def _await_ready(self, deadline: float, drop_moves: bool) -> None:
        while monotonic() < deadline and (line := self._read(deadline)) is not None:
            if line[0] == "readyok":
                return
            if line[0] == "bestmove" and not drop_moves:
                raise BotFault("protocol", "a bestmove that nobody asked for")
        raise BotFault("stall", "no readyok in time")

    def _await_move(self, deadline: float) -> str | None:
        """The answer to `go`, legal or not; None at the deadline. Keeps what `info` tells."""
        while (line := self._read(deadline)) is not None:
            command, rest = line
            if command == "info":
                self._thought = thought(rest, self._seat, self._players) or self._thought
            if command == "bestmove":
                if not rest:
                    raise BotFault("protocol", "bestmove without a move")
                return rest.split()[0]
            if command.startswith("bestmove") or command in self._legal:
                raise BotFault(
                    "protocol", f"no answer of the form bestmove <move>: {command[:100]}"
                )
            if monotonic() > deadline:
                break
        return None

    def _await_late_move(self, deadline: float) -> str:
        self._running_child().send("stop")
        move = self._await_move(deadline)
        if move is None:
            raise BotFault("stall", "no bestmove, not even after stop")
        return move

    def _resynchronise(self, seconds: float) -> None:
        """Drops everything up to `readyok`, so that no stale answer is taken for a new one."""
        try:
            self._request("isready")
            self._await_ready(monotonic() + seconds, drop_moves=True)
        except BotFault:
            self.kill()


def thought(told: str, seat: int, players: int) -> Thought | None:
    """What an `info` line says of the search of the bot in `seat`; None if nothing.

    A part that is not as the protocol has it is passed over, and so are lines on single moves.
    """
    facts: dict[str, list[str]] = {}
    key = ""
    for word in told.split():
        if word == "string":
            break
        if word in _FACTS:
            key = word
            facts[key] = []
        elif key:
            facts[key].append(word)
    values = [_share(word) for word in facts.get("value", [])]
    found = Thought(
        nodes=_whole(facts.get("nodes", [])),
        depth=_whole(facts.get("depth", [])),
        value=values[seat] if len(values) == players and None not in values else None,
    )
    if "multipv" in facts or not (found.nodes or found.depth or found.value is not None):
        return None
    return found


def _whole(words: list[str]) -> int | None:
    word = words[0] if len(words) == 1 else ""
    return int(word) if re.fullmatch("[0-9]{1,15}", word) else None


def _share(word: str) -> float | None:
    number = float(word) if re.fullmatch(r"[0-9]+(\.[0-9]+)?(e-?[0-9]+)?", word) else -1.0
    return number if 0 <= number <= 1 else None


def _go_line(limits: Limits, clock_ms: int | None) -> str:
    parts = ["go"]
    if limits.movetime_ms is not None:
        parts.append(f"movetime {limits.movetime_ms}")
    if limits.nodes is not None:
        parts.append(f"nodes {limits.nodes}")
    if clock_ms is not None:
        parts.append(f"clock {clock_ms} inc {limits.inc_ms or 0}")
    return " ".join(parts)

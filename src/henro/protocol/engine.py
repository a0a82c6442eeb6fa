"""The bot's end of UHI: henro's search behind a pipe."""

import contextlib
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Literal, TextIO

import henro
from henro import PRESETS, SEARCH_OPTIONS, parse_search_options
from henro.errors import (
    ComponentError,
    HenroError,
    IllegalActionError,
    OptionError,
    UnknownGameError,
    ViewError,
)
from henro.protocol.options import Option
from henro.search.levels import MAX_LEVEL
from henro.search.presets import MAX_HASH_MB, MAX_THREADS

ErrorCode = Literal[
    "command", "option", "game", "components", "view", "move", "state", "busy", "internal"
]
"""What an `error` line is about; docs/protocol.md explains them."""

DETERMINISTIC_NODES = 10_000
"""Iterations of a move in Deterministic mode when `go` names none."""

BARE_GO_SECONDS = 1.0
"""Thinking time when `go` names no limit at all, and neither a preset nor a level does."""

GAMES_OWN = "default"
"""Value of a search option: what the preset sets, or else the game's own search uses."""

_STOP_SECONDS = 0.002
_OVERHEAD_SECONDS = 0.03  # kept back for the pipe and the end of a search
_OVERHEAD_SHARE = 0.2  # at most this part of a short move time
_UNINTERRUPTED = {"setoption", "newgame", "position", "legal", "go"}
_CODES: list[tuple[type[HenroError], ErrorCode]] = [
    (UnknownGameError, "game"),
    (ComponentError, "components"),
    (OptionError, "option"),
    (ViewError, "view"),
    (IllegalActionError, "move"),
    (HenroError, "command"),
]


class UhiError(HenroError):
    """Trouble that is answered by `error <code> <words>`."""

    def __init__(self, code: ErrorCode, words: str) -> None:
        super().__init__(words)
        self.code: ErrorCode = code


def _options() -> dict[str, Option]:
    """The engine's options by lower-case name; defaults are those of the preset `default`."""
    options = [
        Option("Threads", "spin", "1", 1, MAX_THREADS),
        Option("Hash", "spin", "64", 1, MAX_HASH_MB),
        Option("Seed", "spin", "1", 0, 10**18 - 1),
        Option("Deterministic", "check", "false"),
        Option("Level", "spin", "0", 0, MAX_LEVEL),
        Option("Preset", "combo", "default", choices=tuple(PRESETS)),
        Option("MultiPV", "spin", "1", 1, 100),
        Option("Components", "string", ""),
        Option("Reuse", "check", "false"),
        *map(_declared, SEARCH_OPTIONS.values()),
    ]
    return {option.name.lower(): option for option in options}


def _declared(option: henro.SearchOption) -> Option:
    """A search option as UHI has it; `default` is the game's own value."""
    choices = ("true", "false") if option.check else option.choices
    if choices:
        return Option(option.name, "combo", GAMES_OWN, choices=(GAMES_OWN, *choices))
    return Option(option.name, "string", GAMES_OWN)


@dataclass(frozen=True)
class _Budget:
    """What a search may spend; None: unlimited. `infinite` holds the answer until `stop`."""

    nodes: int | None
    seconds: float | None
    clock: henro.Clock | None
    infinite: bool


class UhiEngine:
    """Reads UHI from `stdin` and answers on `stdout` until `quit` or the end of the input.

    One thread reads, another searches, so that `stop` and `isready` work at any time. Every
    trouble becomes an `error` line, and every `go` with a known legal move gets a bestmove.
    """

    def __init__(
        self,
        stdin: TextIO,
        stdout: TextIO,
        name: str = "henro",
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """`settings` are start values of options; raises OptionError for a wrong one."""
        self._stdin = stdin
        self._stdout = stdout
        self._name = name
        self._options = _options()
        self._told: dict[str, str] = {}
        for key, value in (settings or {}).items():
            self._set(key, value)
        self._check_together()
        self._game: henro.Game | None = None
        self._engine: henro.Engine | None = None
        self._view: str | None = None
        self._legal: list[str] = []
        self._seen: list[int] | None = None
        self._answered_position = False
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._answered = threading.Event()
        self._write_lock = threading.Lock()
        self._handlers: dict[str, Callable[[str], None]] = {
            "uhi": self._do_uhi,
            "isready": self._do_isready,
            "setoption": self._do_setoption,
            "newgame": self._do_newgame,
            "event": self._do_event,
            "position": self._do_position,
            "legal": self._do_legal,
            "go": self._do_go,
            "stop": self._do_stop,
            "board": self._do_board,
            "gameover": self._do_gameover,
        }

    def run(self) -> None:
        """Serves the referee until it has had enough."""
        with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
            try:
                for line in self._stdin:
                    command, _, rest = line.strip().partition(" ")
                    if command == "quit":
                        break
                    self._handle(command, rest.strip())
            finally:
                self._stop_thinking()

    def _handle(self, command: str, rest: str) -> None:
        handler = self._handlers.get(command)
        if handler is None:
            return
        with self._reporting():
            if command in _UNINTERRUPTED:
                self._finish_answer(command)
            handler(rest)

    # ---- output

    def _write(self, line: str) -> None:
        with self._write_lock:
            self._stdout.write(line + "\n")
            self._stdout.flush()

    def _report(self, code: ErrorCode, words: object) -> None:
        self._write(f"error {code} {' '.join(str(words).split())}")

    @contextlib.contextmanager
    def _reporting(self) -> Iterator[None]:
        """Answers any trouble by an `error` line; a referee that is gone passes through."""
        try:
            yield
        except BrokenPipeError:
            raise
        except UhiError as error:
            self._report(error.code, error)
        except HenroError as error:
            self._report(next(code for kind, code in _CODES if isinstance(error, kind)), error)
        except Exception as error:
            self._report("internal", f"{type(error).__name__}: {error}")

    def _write_info(self, result: henro.SearchResult) -> None:
        parts = [f"info nodes {result.nodes} nps {round(result.nps)}"]
        parts.append(f"time {round(result.elapsed * 1000)} depth {result.depth}")
        if result.value:
            parts.append("value " + " ".join(f"{value:.4f}" for value in result.value))
        if result.pv:
            parts.append("pv " + " ".join(result.pv))
        self._write(" ".join(parts))
        lines = self._number("multipv") or self._preset.lines
        if lines > 1:
            for rank, move in enumerate(result.moves[:lines], start=1):
                self._write_line(rank, move, result)

    def _write_line(self, rank: int, move: henro.Move, result: henro.SearchResult) -> None:
        """One of several root moves, best first; only of the best the line is known."""
        value = " ".join(f"{value:.4f}" for value in move.values)
        line = " ".join(result.pv) if move.action == result.best else move.text
        self._write(f"info multipv {rank} visits {move.visits} value {value} pv {line}")

    # ---- commands

    def _do_uhi(self, rest: str) -> None:
        self._write(f"id name {self._name}")
        self._write("id author the henro developers")
        for name, (least, most) in henro.games().items():
            self._write(f"game {name} players {least} {most}")
        for option in self._options.values():
            self._write(option.declaration())
        self._write("uhiok")

    def _do_isready(self, rest: str) -> None:
        self._write("readyok")

    def _do_setoption(self, rest: str) -> None:
        match = re.fullmatch(r"name (.+?)(?: value(?: (.*))?)?", rest)
        if match is None:
            raise UhiError("command", "expected: setoption name <name> value <value>")
        self._set(match[1], match[2] or "")
        self._engine = None

    def _set(self, name: str, value: str) -> None:
        option = self._options.get(name.lower())
        if option is None:
            known = ", ".join(option.name for option in self._options.values())
            raise OptionError(f"no option {name}; there are {known}")
        value = option.check(value)
        if name.lower() in SEARCH_OPTIONS and value != GAMES_OWN:
            SEARCH_OPTIONS[name.lower()].parse(value)
        self._told[name.lower()] = value

    def _check_together(self) -> None:
        """Raises OptionError where options do not go together in any game."""
        self._search_options()
        if self._level is not None and self._preset.search != "tree":
            raise OptionError(f"Level {self._level}: the preset {self._value('preset')} has none")

    def idle(self, game: henro.Game) -> dict[str, str]:
        """Options told so far that change nothing in this game, with what they would need."""
        idle = self._new_engine(game).idle
        if self._deterministic:
            off = {"tree": "separate", "beliefs": "0", "reuse": "false"}
            for name, value in off.items():
                if self._told.get(name, value) not in (value, GAMES_OWN):
                    idle[name] = "Deterministic=false"
        return {self._options[name].name: need for name, need in idle.items()}

    def _value(self, name: str) -> str:
        return self._told.get(name, self._options[name].default)

    def _number(self, name: str) -> int | None:
        """The value of a spin, None where it is left to the preset."""
        return int(self._told[name]) if name in self._told else None

    @property
    def _preset(self) -> henro.Preset:
        return PRESETS[self._value("preset")]

    @property
    def _deterministic(self) -> bool:
        return self._value("deterministic") == "true"

    def _do_newgame(self, rest: str) -> None:
        self._game = self._seen = None
        self._forget_position()
        words = rest.split()
        facts = dict(zip(words[::2], words[1::2], strict=False))
        try:
            name = facts.pop("game")
            players, seat = int(facts.pop("players")), int(facts.pop("seat"))
        except (KeyError, ValueError):
            raise UhiError("command", "expected: newgame game <g> players <n> seat <s>") from None
        wanted = facts.pop("components", None)
        components = self._value("components") or wanted
        game = henro.load_game(name, players=players, components=components, **facts)
        if wanted not in (None, game.components_id):
            raise ComponentError(f"the game is played with {wanted}, here is {game.components_id}")
        if not 0 <= seat < game.players:
            raise OptionError(f"seat {seat}: the seats are 0 to {game.players - 1}")
        self._game = game
        # A fresh engine makes a game independent of the games before it; otherwise the old one
        # goes on, so that a preset that only draws lots does not repeat itself.
        if self._deterministic or not self._fits(game):
            self._engine = self._new_engine(game)

    def _fits(self, game: henro.Game) -> bool:
        return self._engine is not None and self._engine.game == game

    def _do_event(self, rest: str) -> None:
        """Remembered for Reuse and beliefs; otherwise a search starts from the view alone."""
        _, _, text = rest.partition(" ")
        if self._game is not None and self._seen is not None:
            with contextlib.suppress(HenroError):  # what the seat cannot see is no action
                self._seen.append(self._game.string_to_action(text))

    def _do_position(self, rest: str) -> None:
        kind, _, view = rest.partition(" ")
        if kind != "view":
            raise UhiError("command", "expected: position view <view>")
        self._forget_position()
        self._view = view.strip()

    def _do_legal(self, rest: str) -> None:
        if self._answered_position:
            self._forget_position()
        self._legal = rest.split()

    def _do_gameover(self, rest: str) -> None:
        self._stop_thinking()
        self._forget_position()

    def _do_stop(self, rest: str) -> None:
        self._stop_thinking()

    def _do_board(self, rest: str) -> None:
        if self._game is not None:
            self._write(f"info string {self._game.name}, {self._game.players} players")
        for part in (self._view or "no view").split():
            self._write(f"info string {part}")
        self._write(f"info string legal {' '.join(self._legal)}")

    def _do_go(self, rest: str) -> None:
        started = monotonic()
        if self._view is None and not self._legal:
            raise UhiError("state", "go before position and legal")
        self._answered_position = True
        self._stop.clear()
        self._answered.clear()
        budget = self._budget(rest)
        self._thread = threading.Thread(target=self._think, args=(budget, started), daemon=True)
        self._thread.start()

    def _forget_position(self) -> None:
        self._view = None
        self._legal = []
        self._answered_position = False

    # ---- time

    def _budget(self, rest: str) -> _Budget:
        facts = self._go_facts(rest)
        infinite = "infinite" in rest.split()
        nodes = max(1, facts["nodes"]) if "nodes" in facts else None
        seconds = clock = None
        if self._deterministic:
            if nodes is None and self._level is None:
                nodes = self._preset.nodes or DETERMINISTIC_NODES
        elif not infinite:
            if "movetime" in facts:
                seconds = _less_overhead(facts["movetime"] / 1000)
            if "clock" in facts:
                clock = henro.Clock(facts["clock"] / 1000, facts.get("inc", 0) / 1000)
            bounded = self._preset.bounded or self._level is not None
            if nodes is None and seconds is None and clock is None and not bounded:
                seconds = BARE_GO_SECONDS
        return _Budget(nodes, seconds, clock, infinite)

    def _go_facts(self, rest: str) -> dict[str, int]:
        """The numbers of a `go` line; a limit without a number is reported and ignored."""
        words = rest.split()
        facts = {}
        for word, value in zip(words, [*words, ""][1:], strict=True):
            if word in ("movetime", "nodes", "clock", "inc"):
                if re.fullmatch(r"-?\d{1,15}", value):
                    facts[word] = int(value)
                else:
                    self._report("command", f"{word} needs a number of at most 15 digits")
        return facts

    # ---- thinking

    def _think(self, budget: _Budget, started: float) -> None:
        with contextlib.suppress(BrokenPipeError):
            move = self._legal[0] if self._legal else None
            with self._reporting():
                move = self._best(budget, started)
            if budget.infinite:
                self._stop.wait()
            self._answered.set()
            if move is not None:
                self._write(f"bestmove {move}")

    def _best(self, budget: _Budget, started: float) -> str:
        legal = self._legal
        if len(legal) == 1 or self._view is None:
            return legal[0]
        if self._game is None:
            raise UhiError("state", "go without a newgame that worked")
        seen = self._game.information_set(self._view)
        if seen.current_player() != seen.seat:
            raise UhiError("view", "this seat is not to move")
        moves = [seen.action_to_string(action) for action in seen.legal_actions()]
        if legal and set(moves) != set(legal):
            self._report("view", "the view and the legal line disagree")
        if len(moves) == 1 and not legal:
            return moves[0]
        result = self._search(seen, budget, started)
        self._write_info(result)
        ranking = [result.best_text, *(move.text for move in result.moves)]
        return next((text for text in ranking if text in (legal or moves)), (legal or moves)[0])

    def _search(
        self, seen: henro.InformationSet, budget: _Budget, started: float
    ) -> henro.SearchResult:
        engine = self._engine = self._engine or self._new_engine(seen.game)
        passed = monotonic() - started
        seconds, clock = budget.seconds, budget.clock
        if seconds is not None:
            seconds = max(0.001, seconds - passed)
        if clock is not None:
            clock = replace(clock, left=clock.left - passed - _OVERHEAD_SECONDS)
        result = engine.search(
            seen,
            since=None if self._deterministic else self._seen,
            reuse=self._value("reuse") == "true",
            nodes=budget.nodes,
            movetime=seconds,
            clock=clock,
            settle=True,
            infinite=budget.infinite,
            on_info=self._write_info,
        )
        self._seen = []
        return result

    def _new_engine(self, game: henro.Game) -> henro.Engine:
        return henro.Engine(
            game,
            preset=self._value("preset"),
            seed=int(self._value("seed")),
            threads=self._number("threads"),
            hash_mb=self._number("hash"),
            level=self._level,
            **self._search_options(),
        )

    @property
    def _level(self) -> int | None:
        """The level that bounds the strength, None at 0."""
        return int(self._value("level")) or None

    def _search_options(self) -> henro.SearchOptions:
        told = {name: self._value(name) for name in SEARCH_OPTIONS}
        if self._deterministic:
            told["tree"] = "separate"
        return parse_search_options({k: v for k, v in told.items() if v != GAMES_OWN})

    def _stop_thinking(self) -> None:
        """Ends the search, if any, and waits for its answer."""
        self._stop.set()
        while self._thread is not None and self._thread.is_alive():
            # Again and again: the search may not have begun when the first call comes.
            if self._engine is not None:
                self._engine.stop()
            self._thread.join(_STOP_SECONDS)

    def _finish_answer(self, command: str) -> None:
        """Lets an answer that is being written end; refuses `command` while a search runs."""
        if self._thread is None:
            return
        if not self._answered.is_set():
            raise UhiError("busy", f"{command} while thinking; send stop first")
        self._thread.join()
        self._thread = None


def _less_overhead(seconds: float) -> float:
    return seconds - min(_OVERHEAD_SECONDS, _OVERHEAD_SHARE * seconds)

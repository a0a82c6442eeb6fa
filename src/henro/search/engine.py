"""Engine: budgets, threads, merging and reporting around the C++ search loops."""

import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from operator import index
from typing import Unpack

from henro import _core
from henro.errors import OptionError, StateError
from henro.game import Game, InformationSet, State
from henro.search.levels import LEVELS, MAX_LEVEL, Level
from henro.search.options import (
    FLAT_OPTIONS,
    SearchOptions,
    checked_search_options,
    idle_options,
)
from henro.search.presets import MAX_HASH_MB, MAX_NODES, MAX_THREADS, PRESETS, cores
from henro.search.timing import Clock, Time

_SLICE_SECONDS = 0.02  # Ctrl-C, stop() and the clock are heeded this often
_FIRST_SLICE = 256
_FIRST_TIMED_SLICE = 8  # by a clock that may have little left; slices grow
_INFO_SECONDS = 0.5
_RAREST = 20  # a mixed strategy plays no move visited less than the most visited by this factor
_EDGES_PER_SECOND = 1 << 20
_FIRST_EDGES = 1 << 21  # most room that a search starts with; trees grow
_NEVER = (1 << 16) - 1
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Move:
    """A move at the root: iterations spent on it and the mean utility of every seat (0 to 1)."""

    action: int
    text: str
    visits: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found. `moves` are sorted, best first; `value` is the mean over all of them.

    `nodes` counts iterations, `elapsed` seconds, `depth` the longest path in the tree, `edges` the
    size of the tree; `pv` is the line most visited, as texts (own draws included).
    """

    best: int
    best_text: str
    moves: list[Move]
    value: tuple[float, ...]
    nodes: int
    elapsed: float
    depth: int
    edges: int
    pv: list[str]

    @property
    def nps(self) -> float:
        """Iterations per second."""
        return self.nodes / self.elapsed if self.elapsed > 0 else 0.0


class Engine:
    """Chooses moves for a seat from what that seat knows.

    `preset` is one of PRESETS, which sets what is left out here (None). The same seed, node budget
    and thread count give the same result on every machine: one tree a thread, merged at the root.
    With the option `tree="shared"` all threads grow one tree together, not twice the same.
    `hash_mb` bounds the memory of all trees together; a full tree drops what it visited least and
    is searched on.

    `level`, from 1 to 10, bounds the strength of a tree search (henro.LEVELS): no move gets more
    iterations than the level has, some are drawn at random, and no search goes on with the last
    one. It searches with one thread unless told otherwise.

    How it searches is told by search options (henro.SEARCH_OPTIONS); what is left out is the
    preset's or else the game's best measured way.
    """

    def __init__(
        self,
        game: Game,
        preset: str = "default",
        seed: int = 1,
        threads: int | None = None,
        hash_mb: int | None = None,
        level: int | None = None,
        **options: Unpack[SearchOptions],
    ) -> None:
        if not isinstance(game, Game):
            raise TypeError(f"an Engine is made for a Game, not {game!r:.80}")
        if preset not in PRESETS:
            raise OptionError(f"unknown preset {preset!r}; known are {', '.join(PRESETS)}")
        self.game = game
        self.preset = preset
        self.settings = PRESETS[preset]
        self.level = level
        self._level: Level | None = None
        if level is not None:
            self._level = LEVELS[game.name][_whole("level", level, 1, MAX_LEVEL) - 1]
        if level is not None and self.settings.search != "tree":
            raise OptionError(f"level {level}: the preset {preset} has no levels")
        if threads is None:
            threads = 1 if level is not None else self.settings.threads or cores()
        self.threads = _whole("threads", threads, 1, MAX_THREADS)
        if hash_mb is None:
            hash_mb = self.settings.hash_mb
        self.hash_mb = _whole("hash_mb", hash_mb, 1, MAX_HASH_MB, "of MiB ")
        self.seed = _whole("seed", seed, 0, _MASK)
        self.options: SearchOptions = {**self.settings.options, **options}
        self._how = checked_search_options({**game.search_defaults, **self.options})
        self._believes = self._how["beliefs"] != 0
        self._shared = self._how["tree"] == "shared"
        self._given = list(options)
        self._stopped = threading.Event()
        self._searches = 0
        self._last: tuple[int, list[_core.Searcher]] | None = None

    @property
    def bounded(self) -> bool:
        """Whether a search that is given no limit ends of itself."""
        return self.settings.bounded or self._level is not None

    @property
    def idle(self) -> dict[str, str]:
        """Search options given to the engine that change nothing, with what they would need."""
        if not self.settings.searches:
            return dict.fromkeys(self._given, "a preset that searches")
        idle = idle_options(self._how, self._given, self.threads)
        if self.settings.search == "flat":
            learned = {"rank", "score"} if self._how["playouts"] == "mast" else set()
            grown = [n for n in self._given if n not in FLAT_OPTIONS | learned]
            idle |= dict.fromkeys(grown, "a preset that grows a tree")
        return idle

    def search(
        self,
        position: State | InformationSet,
        seat: int | None = None,
        nodes: int | None = None,
        movetime: float | None = None,
        clock: Clock | None = None,
        settle: bool = False,
        since: Sequence[int] | None = None,
        reuse: bool = True,
        on_info: Callable[[SearchResult], None] | None = None,
        infinite: bool = False,
    ) -> SearchResult:
        """Search for the seat to move.

        A State is reduced to what `seat` knows before anything else happens; `seat` is the seat
        to move if left out. The search ends after `nodes` iterations, `movetime` seconds or
        stop(), whichever comes first. With no limit it has that of the preset; where the preset
        has none, or with `infinite`, it runs until stop(). `on_info` gets an interim result about
        twice a second.

        Of a `clock` the search takes a fair part, more of it for a close decision. With a clock or
        `settle` it ends early when the most visited move can no longer be caught in time, but for
        a preset that never does and for levels, which take all the time that they need.

        `since` lists the actions after the position of the last search that the seat saw, its own
        included: the search goes on with what the last one learned on that way, and the visits of
        its moves count those of before. Without it every search starts anew. With `reuse` False
        the tree starts anew all the same, and only beliefs (the option) go on. Actions that cannot
        have happened are no error: nothing is believed of them.

        Raises StateError if the seat is not to move, OptionError for a budget out of range.
        """
        info = self._information_set(position, seat)
        if nodes is not None:
            _whole("nodes", nodes, 1, MAX_NODES)
        if movetime is not None and not (_finite(movetime) and movetime > 0):
            raise OptionError(f"movetime is a number of seconds above 0, not {movetime!r}")
        if clock is not None and not (
            isinstance(clock, Clock) and _finite(clock.left) and _finite(clock.inc)
        ):
            raise OptionError(f"clock is a henro.Clock of seconds, not {clock!r}")
        if nodes is None and movetime is None and clock is None and not infinite:
            nodes, movetime = self._own_limits()
        self._stopped.clear()
        self._searches += 1
        at_once = self._at_once(info)
        if at_once is not None:
            self._last = None
            text = info.action_to_string(at_once)
            return SearchResult(at_once, text, [], (), 0, 0.0, 0, 0, [text])
        if self._level is not None:
            nodes = min(nodes or self._level.nodes, self._level.nodes)
        limit = self._time(movetime, clock, settle)
        return self._run(_Run(self, info, nodes, limit, on_info, self._kept(info, since, reuse)))

    def _own_limits(self) -> tuple[int | None, float | None]:
        """Iterations and seconds of a search that is given no limit."""
        if self._level is not None:
            return self._level.nodes, None
        return self.settings.nodes, self.settings.movetime

    def _at_once(self, info: InformationSet) -> int | None:
        """The move that needs no search, if there is one."""
        if self.settings.search == "greedy":
            return info.greedy()
        if self.settings.search == "random":
            return self._random_move(info)
        return None if self._level is None else self._level.mistake(info, self.seed)

    def _time(self, movetime: float | None, clock: Clock | None, settle: bool) -> Time | None:
        limit = None if clock is None else Time.of_clock(clock)
        if movetime is not None:
            limit = limit.within(movetime) if limit else Time(movetime, movetime, settle)
        if limit is None or (self._level is None and self.settings.settle):
            return limit
        return limit.to_the_end()

    def _kept(
        self, info: InformationSet, since: Sequence[int] | None, reuse: bool
    ) -> list[_core.Searcher]:
        """The searchers of the last search, gone on to the position, if they can."""
        if since is None:
            return []
        try:  # a number that is no action of the game has not happened either
            seen = [a if 0 <= index(a) < info.game.num_distinct_actions else _NEVER for a in since]
        except TypeError:
            raise OptionError(f"since is a list of actions, not {since!r:.80}") from None
        if self._last is None or self._last[0] != info.seat:
            return []
        reuse = reuse and self._level is None  # inherited visits would make a level stronger
        if not reuse and not self._believes:
            return []
        _, searchers = self._last
        for searcher in searchers:
            searcher.advance(info, seen, reuse)
        return searchers

    def _run(self, run: "_Run") -> SearchResult:
        result = run.result()
        self._last = (run.seat, run.searchers) if self.settings.search == "tree" else None
        return result

    def stop(self) -> None:
        """End the running search soon; from any thread. No search running: nothing happens."""
        self._stopped.set()

    def _information_set(
        self, position: State | InformationSet, seat: int | None
    ) -> InformationSet:
        if not isinstance(position, State | InformationSet):
            raise TypeError(f"search takes a State or an InformationSet, not {position!r:.80}")
        if position.game != self.game:
            raise OptionError(f"the engine was made for {self.game!r}, not {position.game!r}")
        actor = position.current_player()
        if actor < 0:
            ended = actor == _core.TERMINAL
            raise StateError(
                "the game is over: nothing to search"
                if ended
                else "a chance event is due: nothing to search"
            )
        own = position.seat if isinstance(position, InformationSet) else actor
        if seat is not None and seat != own:
            raise StateError(f"seat {seat} is not to move, seat {actor} is")
        if own != actor:
            raise StateError(f"seat {own} is not to move, seat {actor} is")
        return position if isinstance(position, InformationSet) else position.information_set(own)

    def _random_move(self, info: InformationSet) -> int:
        legal = info.legal_actions()
        draw = _mix(self.seed + 0x9E3779B97F4A7C15 * self._searches)
        return legal[(draw * len(legal)) >> 64]


class _Run:
    """One search: a Searcher per thread, run in slices until a budget is used up."""

    def __init__(
        self,
        engine: Engine,
        info: InformationSet,
        nodes: int | None,
        limit: Time | None,
        on_info: Callable[[SearchResult], None] | None,
        kept: list[_core.Searcher],
    ) -> None:
        self._engine = engine
        self._info = info
        self.seat = info.seat
        self._on_info = on_info
        self._start = time.perf_counter()
        self._limit = limit
        tree = engine.settings.search == "tree"
        self._lead_known = tree and (engine._shared or engine.threads == 1)
        self._expired = threading.Event()
        threads = engine.threads
        self._shares = [
            None if nodes is None else nodes // threads + (t < nodes % threads)
            for t in range(threads)
        ]
        self._done = [0] * threads
        self.searchers = kept or self._new_searchers(nodes)

    def _new_searchers(self, nodes: int | None) -> list[_core.Searcher]:
        """A searcher for each thread, in a tree of its own or beside the first in one for all."""
        engine, threads = self._engine, self._engine.threads
        trees = 1 if engine._shared else threads
        seconds = self._limit.usual if self._limit else 0.0
        edges = nodes or _FIRST_EDGES
        if self._limit:
            edges = min(edges, int(seconds * threads * _EDGES_PER_SECOND))
        edges = min(edges, _FIRST_EDGES) // trees + 1
        seeds = [_mix(engine.seed + t * 0x632BE59BD9B4E019) for t in range(threads)]
        searchers = [
            _core.make_searcher(
                self._info,
                seed,
                (engine.hash_mb << 20) // trees,
                expected_edges=edges,
                flat=engine.settings.search == "flat",
                **engine.options,
            )
            for seed in seeds[:trees]
        ]
        return searchers + [searchers[0].beside(seed) for seed in seeds[trees:]]

    def result(self) -> SearchResult:
        if len(self.searchers) == 1:
            self._drive(0, self._inform)
        else:
            self._drive_all()
        return self._report([_Found(searcher) for searcher in self.searchers])

    def _drive_all(self) -> None:
        """A thread for each searcher; they leave what they found so far for the interim reports."""
        found: dict[int, _Found] = {}
        threads = len(self.searchers)
        with ThreadPoolExecutor(threads) as pool:
            jobs = [pool.submit(self._drive, t, found.__setitem__) for t in range(threads)]
            try:
                while wait(jobs, timeout=_INFO_SECONDS).not_done:
                    if self._on_info is not None and found:
                        self._on_info(self._report(list(found.values())))
                for job in jobs:
                    job.result()
            finally:
                self._expired.set()

    def _inform(self, _: int, found: "_Found") -> None:
        if self._on_info is not None:
            self._on_info(self._report([found]))

    def _drive(self, index: int, leave: Callable[[int, "_Found"], None]) -> None:
        """Run one searcher to the end of its share, calling `leave` twice a second."""
        searcher, share = self.searchers[index], self._shares[index]
        done, size = 0, _FIRST_SLICE if self._limit is None else _FIRST_TIMED_SLICE
        due = self._start + _INFO_SECONDS
        while (done == 0 or not self._over(searcher)) and (share is None or done < share):
            began = time.perf_counter()
            want = size if share is None else min(size, share - done)
            self._done[index] = done = done + searcher.run(want)
            now = time.perf_counter()
            size = self._next_size(want, began, now)
            if self._on_info is not None and now >= due:
                due = now + _INFO_SECONDS
                leave(index, _Found(searcher))

    def _over(self, searcher: _core.Searcher) -> bool:
        if self._engine._stopped.is_set() or self._expired.is_set():
            return True
        if self._limit is None:
            return False
        elapsed = time.perf_counter() - self._start
        if not self._lead_known:  # of several trees none knows how far ahead the best move is
            return elapsed >= self._limit.usual
        if self._limit.over(elapsed, sum(self._done), searcher.lead):
            self._expired.set()  # for all of a shared tree
        return self._expired.is_set()

    def _next_size(self, done: int, began: float, now: float) -> int:
        """Iterations that fit the slice, and half of what the clock still allows."""
        rate = done / max(now - began, 1e-6)
        seconds = _SLICE_SECONDS
        if self._limit is not None:
            elapsed = now - self._start
            end = self._limit.usual if elapsed < self._limit.usual else self._limit.most
            seconds = min(seconds, max(end - elapsed, 0.0))
        return max(1, min(int(rate * seconds), 8 * done))

    def _report(self, found: list["_Found"]) -> SearchResult:
        info, players = self._info, self._info.game.players
        visits: dict[int, int] = {}
        new: dict[int, int] = {}
        sums: dict[int, list[float]] = {}
        for part in found:
            for action, count, utilities, inherited in part.root:
                new[action] = new.get(action, 0) + count
                visits[action] = visits.get(action, 0) + count + inherited
                have = sums.setdefault(action, [0.0] * players)
                sums[action] = [a + b for a, b in zip(have, utilities, strict=True)]
        moves = [
            Move(
                action,
                info.action_to_string(action),
                count,
                tuple(total / max(new[action], 1) for total in sums[action]),
            )
            for action, count in visits.items()
        ]
        flat = self._engine.settings.search == "flat"
        seat = info.seat
        moves.sort(
            key=lambda m: (-m.values[seat] if flat else -m.visits, -m.values[seat], m.action)
        )
        nodes = sum(new.values())
        value = tuple(
            sum(totals[p] for totals in sums.values()) / max(nodes, 1) for p in range(players)
        )
        best = self._drawn(moves) if self.searchers[0].mixed else moves[0]
        lines = (part.line for part in found if part.line[:1] == [best.action])
        line = next(lines, [best.action])
        return SearchResult(
            best.action,
            best.text,
            moves,
            value,
            nodes,
            time.perf_counter() - self._start,
            max(part.depth for part in found),
            sum(part.edges for part in found),
            [info.action_to_string(a) for a in line],
        )

    def _drawn(self, moves: list[Move]) -> Move:
        """A move of a mixed strategy: drawn by the seed, without what was only explored."""
        most = moves[0].visits
        kept = [move for move in moves if move.visits * _RAREST >= most]
        draw = _mix(self._engine.seed + 0x9E3779B97F4A7C15 * self._engine._searches)
        left = (draw * sum(move.visits for move in kept)) >> 64
        for move in kept:
            left -= move.visits
            if left < 0:
                return move
        raise AssertionError("the shares of the moves do not add up")


class _Found:
    """What one searcher has found so far, read between two of its slices."""

    def __init__(self, searcher: _core.Searcher) -> None:
        self.root = searcher.root()
        self.line = searcher.principal_variation()
        self.depth = searcher.depth
        self.edges = searcher.edges


def _mix(value: int) -> int:
    """SplitMix64's output function, as in csrc/core/rng.hpp."""
    z = value & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _whole(name: str, value: object, least: int, most: int, unit: str = "") -> int:
    """The value if it is a whole number in the range; raises OptionError."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise OptionError(f"{name} is a whole number {unit}from {least} to {most}, not {value!r}")
    return value

"""Playing a run: worker threads with bots of their own, one writer, results at any time."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

import msgspec

import henro
from henro.arena.config import ArenaConfig
from henro.arena.records import read_records
from henro.arena.schedule import Pairing, bot_seed, deal_seed, schedule
from henro.arena.sprt import Sprt
from henro.arena.standing import Standing, Tally, t_quantile
from henro.arena.store import RECORDS, Store, read
from henro.errors import OptionError, ProtocolError
from henro.protocol import BotFault, BotProcess, ChanceSource, GameRecord, play_game

SEED_BITS = 128


class Update(msgspec.Struct, frozen=True):
    """What `on_update` gets: once when the bots have started (`record` is None), then after
    each game.

    `games_done` and `faults` count the games that were there before, too. `complete` tells that
    nothing is left to play, `open_ended` that a test may end the run before its last game.
    `standing` computes the standing of this moment; call it before the
    next update.
    """

    record: GameRecord | None
    games_done: int
    games: int
    faults: int
    complete: bool
    open_ended: bool
    standing: Callable[[], Standing]


class Results:
    """A run's results folder, read without changing it, also while the run goes on."""

    def __init__(self, folder: Path) -> None:
        self.config, self.components, self.games = read(folder)

    def standing(self) -> Standing:
        tally = Tally([bot.name for bot in self.config.bots])
        for game in self.games:
            tally.add(game)
        return standing_of(self.config, self.components, tally)

    def records(self) -> Iterator[GameRecord]:
        """The games in the order they ended."""
        for _, record in read_records(self.config.out / RECORDS):
            yield record


def load(folder: str | Path) -> Results:
    """The results in a run's folder; raises RecordError if there are none."""
    return Results(Path(folder))


class Arena:
    """A run of games between bots.

    `config.out` is the results folder: a new one, or that of the same run, which then goes on
    where it was. Raises HenroError for a configuration that cannot be played, and without scipy.
    """

    def __init__(self, config: ArenaConfig) -> None:
        self.game = henro.load_game(
            config.game,
            players=config.players,
            components=config.components,
            **config.options,
        )
        for bot in config.bots:
            if bot.preset is not None and bot.preset not in henro.PRESETS:
                known = ", ".join(henro.PRESETS)
                raise OptionError(f"bot {bot.name}: no preset {bot.preset}; there are {known}")
        for bot in config.bots:
            bot.move_limits()
        t_quantile(1)  # what a run needs at its end is there at its beginning
        self.config = msgspec.structs.replace(config, players=self.game.players)
        self._stop = Event()
        self._run: _Run | None = None

    def stop(self) -> None:
        """Make `run` end early, for good: finished games are kept, the others given up.

        May be called from any thread.
        """
        self._stop.set()
        if self._run is not None:
            self._run.give_up()

    def run(self, on_update: Callable[[Update], object] | None = None) -> Standing:
        """Play all games that are still to play and return the standing.

        `on_update` is called in this thread. An interrupted run returns what it has.
        Raises OptionError or ProtocolError if a bot cannot be started, does not take an option
        or complains while it gets ready for the game; later on, a failing bot is a fault in its
        games.
        """
        fresh = str(secrets.randbits(SEED_BITS))
        with Store(self.config, self.game, fresh, henro.__version__) as store:
            self._run = _Run(self.game, store, self._stop, on_update)
            return self._run.play()


class _Run:
    """One call of `Arena.run`."""

    def __init__(
        self,
        game: Any,
        store: Store,
        stop: Event,
        on_update: Callable[[Update], object] | None,
    ) -> None:
        self.game, self.store, self.stop, self.on_update = game, store, stop, on_update
        self.config = store.config
        self.crews: list[_Crew] = []
        self.tally = Tally([bot.name for bot in self.config.bots])
        for result in store.results:
            self.tally.add(result)
        self.sprt = _test_of(self.config, self.tally)

    def play(self) -> Standing:
        waiting = _Waiting(self.config, {result.key for result in self.store.results})
        if waiting.count and not self._decided():
            self._play_all(waiting)
        else:
            self._tell(None)
        return self._standing()

    def give_up(self) -> None:
        """End the games in progress, in any thread: their next ply raises _Stopped."""
        self.stop.set()
        for crew in self.crews:
            crew.abort()

    def _play_all(self, waiting: _Waiting) -> None:
        ended: SimpleQueue[GameRecord | Exception | None] = SimpleQueue()
        tables = min(self.config.concurrency, waiting.count)
        self.crews = [_Crew(self.config, self.game, self.stop) for _ in range(tables)]
        try:
            self._begin(self.crews[0])
        except _Stopped:
            return
        for crew in self.crews:
            # As daemons they cannot hold up a process that is told to end at once.
            Thread(target=_work, args=(crew, waiting, ended), daemon=True).start()
        try:
            self._collect(ended, tables)
        except BaseException:
            self.give_up()
            raise

    def _begin(self, crew: _Crew) -> None:
        """Start the bots of a crew, and only then the results folder."""
        try:
            self.store.begin(crew.introduce())
            self._tell(None)
        except BaseException:
            crew.leave()
            raise

    def _collect(self, ended: SimpleQueue[GameRecord | Exception | None], tables: int) -> None:
        """Take the finished games until each table has sent its closing None."""
        failure: Exception | None = None
        while tables:
            item = ended.get()
            if item is None:
                tables -= 1
            elif isinstance(item, Exception):
                failure = item
                self.give_up()
            else:
                self.tally.add(self.store.add(item))
                if self._decided():
                    self.give_up()
                self._tell(item)
        if failure is not None:
            raise failure

    def _decided(self) -> bool:
        if self.sprt is None:
            return False
        self.sprt.follow(self.tally, self.config.games_a_round)
        return self.sprt.decided

    def _tell(self, record: GameRecord | None) -> None:
        if self.on_update is None:
            return
        games = self.config.rounds * self.config.games_a_round
        self.on_update(
            Update(
                record=record,
                games_done=self.tally.games,
                games=games,
                faults=sum(sum(kinds.values()) for kinds in self.tally.faults),
                complete=self._decided() or self.tally.games == games,
                open_ended=self.sprt is not None,
                standing=self._standing,
            )
        )

    def _standing(self) -> Standing:
        return standing_of(self.config, self.game.components_id, self.tally)


class _Waiting:
    """The games still to play, handed out one by one to any thread."""

    def __init__(self, config: ArenaConfig, done: set[tuple[int, int]]) -> None:
        assert config.players is not None
        assert config.seed is not None
        self.count = config.rounds * config.games_a_round - len(done)
        pairings = schedule(
            len(config.bots), config.players, config.rounds, config.games_a_round, config.seed
        )
        self._pairings = (pairing for pairing in pairings if pairing.key not in done)
        self._lock = Lock()

    def next(self) -> Pairing | None:
        with self._lock:
            return next(self._pairings, None)


class _Stopped(Exception):
    """The game in progress is given up."""


class _Crew:
    """The bots of one worker: alive from game to game, started again after a crash."""

    def __init__(self, config: ArenaConfig, game: Any, stop: Event) -> None:
        self.config, self.game, self.stop = config, game, stop
        self.bots: dict[tuple[int, int], BotProcess] = {}

    def introduce(self) -> list[tuple[str, str]]:
        """Start every bot once; (name, author) as each tells.

        Raises OptionError or ProtocolError if one does not start, take its options or get ready
        for the game.
        """
        return [self._introduce(number) for number in range(len(self.config.bots))]

    def _introduce(self, number: int) -> tuple[str, str]:
        process = self._process(number, 0)
        try:
            process.start()
            _no_complaints(process, "at its start")
            if not process.plays(self.game.name, self.game.players):
                wanted = f"{self.game.name} with {self.game.players} players"
                raise ProtocolError(f"bot {process.spec.name} does not play {wanted}")
            process.newgame(self.game, 0)
            process.isready()
            _no_complaints(process, "about the game")
        except BotFault as fault:
            self._check()
            raise ProtocolError(f"bot {process.spec.name}: {fault.detail}") from None
        return process.name, process.author

    def play(self, pairing: Pairing) -> GameRecord:
        """Play one game; raises _Stopped if the run ends meanwhile."""
        assert self.config.seed is not None
        return play_game(
            self.game,
            self._seat(pairing, self.config.seed),
            [self.config.bots[number].move_limits() for number in pairing.bots],
            ChanceSource(deal_seed(self.config.seed, pairing.round)),
            on_fault=self.config.on_fault,
            round=pairing.round,
            rotation=pairing.rotation,
            on_ply=self._check,
        )

    def leave(self) -> None:
        for process in self.bots.values():
            process.quit()
        self.bots.clear()

    def abort(self) -> None:
        """Kill the bots while another thread plays with them, so that it need not wait."""
        for process in list(self.bots.values()):
            process.abort()

    def _check(self, *_: object) -> None:
        if self.stop.is_set():
            raise _Stopped

    def _seat(self, pairing: Pairing, seed: str) -> list[BotProcess]:
        """Processes by seat; a bot in several seats has one for each."""
        copies: Counter[int] = Counter()
        processes = []
        for seat, number in enumerate(pairing.bots):
            self._check()
            process = self._process(number, copies[number])
            copies[number] += 1
            with suppress(BotFault, OptionError):  # it fails in the game, where that is recorded
                process.recover()
                if self.config.bots[number].seeded:
                    process.setoption("Seed", str(bot_seed(seed, pairing, seat)))
            processes.append(process)
        return processes

    def _process(self, number: int, copy: int) -> BotProcess:
        spec = self.config.bots[number].spec(self.config.components)
        return self.bots.setdefault((number, copy), BotProcess(spec))


def _no_complaints(process: BotProcess, when: str) -> None:
    """Raises ProtocolError with the first `error` line of a bot that has sent any."""
    complaints = process.take_complaints()
    if not complaints:
        return
    needs_file = (
        complaints[0].startswith("components ")
        and "Components" in process.options
        and "Components" not in process.spec.options
    )
    hint = "; name the file to it by option.Components=FILE in its --bot" if needs_file else ""
    raise ProtocolError(f"bot {process.spec.name} says {when}: error {complaints[0]}{hint}")


def _work(
    crew: _Crew, waiting: _Waiting, ended: SimpleQueue[GameRecord | Exception | None]
) -> None:
    """Play waiting games until there are none; what stops that is sent, and at last None."""
    try:
        while (pairing := waiting.next()) is not None:
            ended.put(crew.play(pairing))
    except _Stopped:
        pass
    except Exception as error:
        ended.put(error)
    finally:
        crew.leave()
        ended.put(None)


def _test_of(config: ArenaConfig, tally: Tally) -> Sprt | None:
    """The run's sequential test after the games in `tally`, if it has one."""
    if config.sprt is None:
        return None
    test = Sprt(config.sprt)
    test.follow(tally, config.games_a_round)
    return test


def standing_of(config: ArenaConfig, components: str, tally: Tally) -> Standing:
    """The standing of a run after the games in `tally`."""
    assert config.players is not None
    test = _test_of(config, tally)
    return Standing(
        game=config.game,
        players=config.players,
        options=config.options,
        components=components,
        rounds=config.rounds,
        rounds_done=sum(n == config.games_a_round for n in tally.rounds.values()),
        games=config.rounds * config.games_a_round,
        games_done=tally.games,
        even_share=tally.even_share(),
        bots=tally.bots(),
        pairs=tally.pairs(),
        sprt=None if test is None else test.standing(tally.names),
    )

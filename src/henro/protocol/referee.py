"""One refereed game between bots: the only place that knows the whole position."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b

import henro
from henro.errors import OptionError
from henro.protocol.process import Answer, BotProcess
from henro.protocol.types import (
    MAX_COMPLAINTS,
    BotFault,
    Complaint,
    Fault,
    GameRecord,
    Limits,
    OnFault,
    Thought,
)

OnPly = Callable[[int, str, henro.State], None]
"""Called as on_ply(actor, text, state) after each ply; actor is a seat or henro.CHANCE."""


class ChanceSource:
    """Random numbers of one deal, derived from a secret seed of 1 to 64 bytes.

    The n-th number of a stream depends on the seed, the stream and n alone, so one source may
    serve all rotations of a deal. Nothing of it is ever told to a bot.
    """

    def __init__(self, seed: bytes) -> None:
        if not 1 <= len(seed) <= 64:
            raise OptionError(f"a chance seed has 1 to 64 bytes, not {len(seed)}")
        self._seed = seed

    def chance(self, n: int) -> int:
        """64-bit seed of the game's n-th chance event."""
        return self._number(b"henro-chance", n)

    def fallback(self, seat: int, n: int) -> int:
        """64-bit number that chooses the n-th move for a bot that is out of the game."""
        return self._number(b"henro-fallback", seat, n)

    def _number(self, stream: bytes, *indices: int) -> int:
        text = b"".join(index.to_bytes(8, "little") for index in indices)
        digest = blake2b(text, digest_size=8, key=self._seed, person=stream)
        return int.from_bytes(digest.digest(), "little")


def play_game(
    game: henro.Game,
    bots: Sequence[BotProcess],
    limits: Sequence[Limits],
    chance: ChanceSource,
    on_fault: OnFault = "random",
    round: int = 0,
    rotation: int = 0,
    on_ply: OnPly | None = None,
) -> GameRecord:
    """Plays `game` to its end; `bots` (started) and `limits` are by seat.

    A bot that fails is out of this game: the referee moves for it at random to the end, and
    sends it nothing more but the result. With on_fault="random" the result counts as it is;
    with "forfeit" the offender's rank is the number of players and its utility 0, while scores
    and what the others have stay as the game gives them. An `error` line is no fault; it is
    kept as a complaint. Bots are neither restarted nor ended in good order here; a bot that does
    not run fails at ply 0. Exceptions of `on_ply` pass through and end the game. Raises
    OptionError unless there is one bot and one limit a seat.
    """
    seats = game.players
    if not len(set(map(id, bots))) == len(bots) == len(limits) == seats:
        raise OptionError(f"{seats} seats need as many different bots, and limits for each")
    started = datetime.now(UTC).isoformat(timespec="seconds")
    match = _Match(game, bots, limits, chance)
    match.announce()
    while not match.state.is_terminal():
        actor, text = match.ply()
        if on_ply is not None:
            on_ply(actor, text, match.state)
    ranks, utilities = _results(match, on_fault)
    scores = list(match.state.scores())
    match.finish(ranks, scores)
    return GameRecord(
        game=game.name,
        players=seats,
        options=dict(game.options),
        components=game.components_id,
        bots=[bot.spec.name for bot in bots],
        round=round,
        rotation=rotation,
        moves=match.moves,
        scores=scores,
        ranks=ranks,
        utilities=utilities,
        faults=match.faults,
        complaints=match.complaints,
        times_ms=match.times_ms,
        thoughts=match.thoughts if any(match.thoughts) else [],
        termination="faults" if match.faults else "normal",
        started=started,
    )


class _Match:
    """A game on its way."""

    def __init__(
        self,
        game: henro.Game,
        bots: Sequence[BotProcess],
        limits: Sequence[Limits],
        chance: ChanceSource,
    ) -> None:
        self.game = game
        self.bots = bots
        self.limits = limits
        self.chance = chance
        self.state = game.new_initial_state()
        self.moves: list[str] = []
        self.times_ms: list[int | None] = []
        self.thoughts: list[Thought | None] = []
        self.faults: list[Fault] = []
        self.complaints: list[Complaint] = []
        self.clocks = [limit.clock_ms for limit in limits]
        self.unsent: list[list[tuple[str, str]]] = [[] for _ in bots]
        self.chance_events = 0
        self.fallbacks = [0] * len(bots)

    @property
    def offenders(self) -> set[int]:
        return {fault.seat for fault in self.faults}

    def announce(self) -> None:
        """Sends `newgame` to all, so that they set up side by side, then waits for each."""
        for seat, bot in enumerate(self.bots):
            with self._watch(seat):
                bot.newgame(self.game, seat)
        for seat, bot in enumerate(self.bots):
            if seat not in self.offenders:
                with self._watch(seat):
                    bot.isready()

    def ply(self) -> tuple[int, str]:
        """Plays one ply; returns who acted and the text."""
        actor = self.state.current_player()
        answer = None
        if actor == henro.CHANCE:
            action = self.state.sample_chance(self.chance.chance(self.chance_events))
            self.chance_events += 1
        else:
            action, answer = self._choose(actor)
        text = self.state.action_to_string(action)
        for news, events in zip(self.unsent, self.state.events(action), strict=True):
            news.extend(events)
        self.state.apply_action(action)
        self.moves.append(text)
        self.times_ms.append(None if answer is None else answer.elapsed_ms)
        self.thoughts.append(None if answer is None else answer.thought)
        return actor, text

    def finish(self, ranks: Sequence[int], scores: Sequence[int]) -> None:
        """Tells the last events and the result to every bot that still listens."""
        for seat, bot in enumerate(self.bots):
            with contextlib.suppress(BotFault):
                if seat not in self.offenders:
                    self._tell_events(seat)
                bot.gameover(ranks, scores)

    def _choose(self, seat: int) -> tuple[int, Answer | None]:
        """The seat's action, and its bot's answer where it was asked and gave one."""
        actions = self.state.legal_actions()
        if len(actions) == 1:
            return actions[0], None
        if seat not in self.offenders:
            with self._watch(seat):
                return self._ask(seat, actions)
        number = self.chance.fallback(seat, self.fallbacks[seat])
        self.fallbacks[seat] += 1
        return actions[number % len(actions)], None

    def _ask(self, seat: int, actions: Sequence[int]) -> tuple[int, Answer]:
        bot, limits, clock = self.bots[seat], self.limits[seat], self.clocks[seat]
        texts = [self.state.action_to_string(action) for action in actions]
        self._tell_events(seat)
        bot.position(self.state.view(seat))
        bot.legal(texts)
        answer = bot.go(limits, clock)
        if clock is not None:
            self.clocks[seat] = max(0, clock - answer.elapsed_ms) + (limits.inc_ms or 0)
        return actions[texts.index(answer.move)], answer

    def _tell_events(self, seat: int) -> None:
        """Events go out together before a request: when they come tells nothing of others."""
        for subject, text in self.unsent[seat]:
            self.bots[seat].event(subject, text)
        self.unsent[seat].clear()

    @contextlib.contextmanager
    def _watch(self, seat: int) -> Iterator[None]:
        """Turns a BotFault into a fault of the seat, which is out from then on, and keeps the
        complaints of its bot."""
        try:
            yield
        except BotFault as fault:
            self.faults.append(Fault(seat, len(self.moves), fault.kind, fault.detail))
        finally:
            self._keep_complaints(seat)

    def _keep_complaints(self, seat: int) -> None:
        room = MAX_COMPLAINTS - sum(complaint.seat == seat for complaint in self.complaints)
        for words in self.bots[seat].take_complaints()[:room]:
            self.complaints.append(Complaint(seat, len(self.moves), words))


def _results(match: _Match, on_fault: OnFault) -> tuple[list[int], list[float]]:
    ranks, utilities = list(match.state.ranks()), list(match.state.returns())
    if on_fault == "forfeit":
        for seat in match.offenders:
            ranks[seat], utilities[seat] = len(ranks), 0.0
    return ranks, utilities

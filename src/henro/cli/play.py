"""`henro play`: a person at the table, the engine on all other seats."""

import re
import secrets
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.text import Text

import henro
from henro import components as component_sets
from henro.arena.config import parse_options
from henro.arena.records import read_records
from henro.cli.analyse import moves_table, search
from henro.cli.board import Board, board_of, either, seat_name
from henro.cli.options import (
    Components,
    GameOptions,
    Level,
    MoveTime,
    Nodes,
    Players,
    search_limits,
)
from henro.cli.terminal import forgive_encoding, status_line, stopped_by_ctrl_c, unheard_input
from henro.errors import OptionError, RecordError
from henro.protocol.referee import ChanceSource
from henro.protocol.types import GameRecord, Limits

HELP = """\
a move        by its text, play:17 or play 17, or by a part that no other move has, 17
m, moves      list your moves
h, help, ?    print this
hint          search your moves, with what your seat knows; Ctrl-C cancels
b, board      show the board again
v, view       print what your seat knows on one line, for henro analyse
q, quit       leave the game, as does Ctrl-C"""

PERSON = "person"


class Leave(Exception):
    """The person leaves the table."""


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, such as shikoku.")],
    players: Players = None,
    seat: Annotated[int, typer.Option(min=0, help="Your seat, counted from 0.")] = 0,
    opponents: Annotated[
        str, typer.Option(help=f"Preset of the other seats: {either(list(henro.PRESETS))}.")
    ] = "default",
    level: Level = None,
    nodes: Nodes = None,
    movetime: MoveTime = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of chance and search; random if not given.")
    ] = None,
    components: Components = None,
    option: GameOptions = None,
    record: Annotated[
        Path | None, typer.Option(help="Add the game's record to this file, as a JSON line.")
    ] = None,
) -> None:
    """Play against the engine in the terminal. Each side sees only what its seat may see.

    The other seats search with --nodes or --movetime, and so does a hint.

    \b
    henro play shikoku
    henro play jinja --level 3
    henro play shikoku --players 5 --movetime 1s
    henro play shikoku --seat 2 --opponents greedy --seed 7 --record games.jsonl
    """
    loaded = henro.load_game(game, players, components, **parse_options(option or []))
    if seat >= loaded.players:
        raise OptionError(f"seat {seat}: the seats are 0 to {loaded.players - 1}")
    played = PlayedGame(
        game=loaded,
        board=board_of(component_sets.load(loaded.name, components)),
        seat=seat,
        opponents=opponents,
        level=level,
        limits=search_limits(nodes, movetime),
        seed=secrets.randbits(32) if seed is None else seed,
    )
    if record:
        _check(record)
    forgive_encoding()
    try:
        played.run()
    except (Leave, EOFError, KeyboardInterrupt):
        print("\nYou leave the table. Goodbye.")
    finally:
        if record:
            _add(record, msgspec.json.encode(played.record()).decode() + "\n")
            print(f"The record is in {record}.")


class PlayedGame:
    """One game between a person on `seat` and the preset `opponents` on the other seats, at full
    strength or a `level`.

    What is printed comes from views and events of the person's seat, and from nothing else.
    """

    def __init__(
        self,
        game: henro.Game,
        board: Board,
        seat: int,
        opponents: str,
        level: int | None,
        limits: Limits | None,
        seed: int,
    ) -> None:
        self.game = game
        self.board = board
        self.seat = seat
        self.limits = limits
        self.seed = seed
        self.opponents = opponents if level is None else f"level-{level}"
        self.engine = henro.Engine(game, preset=opponents, seed=seed, level=level)
        self.adviser = henro.Engine(game, seed=seed)
        self.chance = ChanceSource(str(seed).encode())
        self.chance_events = 0
        self.state = game.new_initial_state()
        self.times_ms: list[int | None] = []
        self.started = datetime.now(UTC).isoformat(timespec="seconds")
        self.round = 0
        self.first_question = True
        self.console = Console(highlight=False)
        self.commands: dict[str, Callable[[], None]] = {
            **dict.fromkeys(("h", "help", "?"), self._help),
            **dict.fromkeys(("m", "moves"), self._list_moves),
            **dict.fromkeys(("b", "board"), self._show_board),
            **dict.fromkeys(("v", "view"), lambda: print(self.state.view(self.seat))),
            **dict.fromkeys(("q", "quit", "exit"), self._leave),
            "hint": self._hint,
        }

    def run(self) -> None:
        """Plays to the end. Raises Leave, EOFError or KeyboardInterrupt when the person goes."""
        players = f" of {self.game.players} players. Type h for help, q to leave.\n"
        self.console.print(Text.assemble("You are ", seat_name(self.seat), players))
        while not self.state.is_terminal():
            self._apply(*self._choose(self.state.current_player()))
        self._show_board()
        self._show_result()

    def record(self) -> GameRecord:
        """The game so far; an unfinished one has termination "abandoned" and no result."""
        over = self.state.is_terminal()
        moves = list(map(self.state.action_to_string, self.state.history()))
        bots = [self.opponents] * self.game.players
        bots[self.seat] = PERSON
        return GameRecord(
            game=self.game.name,
            players=self.game.players,
            options=dict(self.game.options),
            components=self.game.components_id,
            bots=bots,
            moves=moves,
            scores=self.state.scores() if over else [],
            ranks=self.state.ranks() if over else [],
            utilities=self.state.returns() if over else [],
            times_ms=self.times_ms[: len(moves)],
            termination="normal" if over else "abandoned",
            started=self.started,
        )

    def _choose(self, actor: int) -> tuple[int, int | None]:
        """The next action and, when somebody had a choice, the time it took in ms."""
        if actor == henro.CHANCE:
            self.chance_events += 1
            return self.state.sample_chance(self.chance.chance(self.chance_events - 1)), None
        actions = self.state.legal_actions()
        if len(actions) == 1:
            return actions[0], None
        start = time.monotonic()
        action = self._ask(actions) if actor == self.seat else self._think(actor)
        return action, round(1000 * (time.monotonic() - start))

    def _think(self, actor: int) -> int:
        known = self.state.information_set(actor)
        with unheard_input(), status_line(f"p{actor} is thinking ..."):
            return search(self.engine, known, self.limits).best

    def _apply(self, action: int, time_ms: int | None) -> None:
        actor = self.state.current_player()
        forced = actor == self.seat and len(self.state.legal_actions()) == 1
        before = self.state.view(self.seat)
        seen = self.state.events(action)[self.seat]
        self.times_ms.append(time_ms)
        self.state.apply_action(action)
        for subject, text in seen:
            if (line := self.board.event(subject, text)) is not None:
                self.console.print(line.append(" (your only move)" if forced else ""))
        self._show_change(before, self.state.view(self.seat))

    def _show_change(self, before: str, after: str) -> None:
        if (line := self.board.change(before, after)) is not None:
            self.console.print(line)
        if self.board.begins_round(before, after):
            self.round += 1
            self.console.print()
            self.console.rule(f"round {self.round}", align="left", style="dim")

    def _ask(self, actions: list[int]) -> int:
        texts = [self.state.action_to_string(action) for action in actions]
        prompt = self.board.prompt(texts)
        self._show_board()
        if self.first_question:
            self.first_question = False
            self._tell(self.board.goal(self.game.players))
        while True:
            answer = self._read(prompt)
            if (command := self.commands.get(answer)) is not None:
                command()
            elif (index := find_move(answer, texts)) is not None:
                return actions[index]
            elif answer:
                print(
                    f"{answer!a} is none of your moves or commands. "
                    "Type m for your moves, h for help."
                )

    def _read(self, prompt: str) -> str:
        answer = input(prompt).strip().lower()
        if not sys.stdin.isatty():  # a terminal shows what is typed, a transcript should too
            print(answer)
        return answer

    def _list_moves(self) -> None:
        print(", ".join(map(self.state.action_to_string, self.state.legal_actions())))

    def _leave(self) -> None:
        raise Leave

    def _hint(self) -> None:
        known = self.state.information_set(self.seat)
        with (
            unheard_input(),
            stopped_by_ctrl_c(self.adviser.stop) as stopped,
            status_line("searching ... (Ctrl-C cancels)"),
        ):
            result = search(self.adviser, known, self.limits)
        if stopped.is_set():
            print("The hint is cancelled.")
        else:
            self.console.print(moves_table(result, self.board, self.seat), "", sep="\n")

    def _help(self) -> None:
        players = self.game.players
        self._tell(self.board.goal(players), self.board.legend(players), HELP)

    def _tell(self, *texts: str) -> None:
        for text in filter(None, texts):
            self.console.print(Text(text), "", sep="\n")

    def _show_board(self) -> None:
        self.console.print("", self.board.board(self.state.view(self.seat)), "", sep="\n")

    def _show_result(self) -> None:
        scores, ranks = self.state.scores(), self.state.ranks()
        winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
        for seat in sorted(range(self.game.players), key=lambda seat: (ranks[seat], seat)):
            self.console.print(
                Text.assemble(f"rank {ranks[seat]}  ", seat_name(seat), f"  score {scores[seat]}")
            )
        names = Text(", ").join(map(seat_name, winners)) if winners else Text("nobody")
        you = "You win!" if self.seat in winners else "You do not win."
        self.console.print(Text.assemble("winners: ", names, f". {you} (seed {self.seed})"))


def find_move(answer: str, texts: list[str]) -> int | None:
    """The index of the move that `answer` means: `play:17`, `play 17`, or a part only it has."""
    text = ":".join(re.split(r"[\s:]+", answer))
    if text in texts:
        return texts.index(text)
    for fits in (lambda move: move.endswith(f":{text}"), lambda move: text in move.split(":")):
        fitting = [n for n, move in enumerate(texts) if fits(move)]
        if len(fitting) == 1:
            return fitting[0]
    return None


def _check(record: Path) -> None:
    """Let a file take a record on a line of its own; RecordError for a file of anything else."""
    _add(record, "")  # now, not after the game
    if not record.is_file():
        return
    try:
        for _ in read_records(record):
            pass
    except RecordError as error:
        raise RecordError(f"{error}; --record adds to a file of records only") from error
    if record.read_bytes()[-1:] not in (b"", b"\n"):
        _add(record, "\n")


def _add(record: Path, text: str) -> None:
    try:
        with open(record, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise RecordError(f"{record}: cannot be written: {error.strerror}") from error

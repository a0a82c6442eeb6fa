"""`henro play`: a person at the table, the engine on all other seats."""

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
from henro.cli.analyse import moves_table, search
from henro.cli.board import Board, board_of, seat_name
from henro.cli.options import Components, GameOptions, MoveTime, Nodes, search_limits
from henro.cli.terminal import forgive_encoding
from henro.errors import OptionError, RecordError
from henro.protocol.referee import ChanceSource
from henro.protocol.types import GameRecord, Limits

HELP = """\
17 or play:17  choose the move with that text, or the only one with such a part
#2             choose the second move of the list
hint           search your moves, with the knowledge of your seat
board          show the board again
view           print all that your seat knows on one line, for henro analyse --view
help           print this
quit           leave the game
On the board ? is a card you do not know; 30+ is in a hand, and everybody saw it taken."""

PERSON = "person"


class Leave(Exception):
    """The person leaves the table."""


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, such as shikoku.")],
    players: Annotated[int | None, typer.Option(help="Number of seats.")] = None,
    seat: Annotated[int, typer.Option(min=0, help="Your seat.")] = 0,
    opponents: Annotated[str, typer.Option(help="Preset of the other seats.")] = "default",
    nodes: Nodes = None,
    movetime: MoveTime = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of chance and search; random if not given.")
    ] = None,
    components: Components = None,
    option: GameOptions = None,
    record: Annotated[
        Path | None, typer.Option(help="Append the game's record to this file, as a JSON line.")
    ] = None,
) -> None:
    """Play against the engine in the terminal. Each side sees only what its seat may see."""
    loaded = henro.load_game(game, players, components, **parse_options(option or []))
    if seat >= loaded.players:
        raise OptionError(f"seat {seat}: the seats are 0 to {loaded.players - 1}")
    played = PlayedGame(
        game=loaded,
        board=board_of(component_sets.load(loaded.name, components)),
        seat=seat,
        opponents=opponents,
        limits=search_limits(nodes, movetime),
        seed=secrets.randbits(32) if seed is None else seed,
    )
    if record:
        _append(record, "")  # find out now, not after the game, whether it can be written
    forgive_encoding()
    try:
        played.run()
    except (Leave, EOFError, KeyboardInterrupt):
        print("\nYou leave the table. Goodbye.")
    finally:
        if record:
            _append(record, msgspec.json.encode(played.record()).decode() + "\n")
            print(f"The record is in {record}.")


class PlayedGame:
    """One game between a person on `seat` and the preset `opponents` on the other seats.

    What is printed comes from views and events of the person's seat, and from nothing else.
    """

    def __init__(
        self, game: henro.Game, board: Board, seat: int, opponents: str, limits: Limits, seed: int
    ) -> None:
        self.game = game
        self.board = board
        self.seat = seat
        self.limits = limits
        self.seed = seed
        self.opponents = opponents
        self.engine = henro.Engine(game, preset=opponents, seed=seed)
        self.adviser = henro.Engine(game, seed=seed)
        self.chance = ChanceSource(str(seed).encode())
        self.chance_events = 0
        self.state = game.new_initial_state()
        self.times_ms: list[int | None] = []
        self.started = datetime.now(UTC).isoformat(timespec="seconds")
        self.console = Console(highlight=False)

    def run(self) -> None:
        """Plays to the end. Raises Leave, EOFError or KeyboardInterrupt when the person goes."""
        self.console.print(Text.assemble("You are ", seat_name(self.seat), ". Type help for help."))
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
        if actor == self.seat:
            action = self._ask(actions)
        else:
            action = search(self.engine, self.state.information_set(actor), self.limits).best
        return action, round(1000 * (time.monotonic() - start))

    def _apply(self, action: int, time_ms: int | None) -> None:
        before = self.state.view(self.seat)
        seen = self.state.events(action)[self.seat]
        self.times_ms.append(time_ms)
        self.state.apply_action(action)
        told = [self.board.event(subject, text) for subject, text in seen]
        told.append(self.board.change(before, self.state.view(self.seat)))
        for line in told:
            if line is not None:
                self.console.print(line)

    def _ask(self, actions: list[int]) -> int:
        texts = [self.state.action_to_string(action) for action in actions]
        self._show_board()
        self._show_moves(texts)
        commands: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "board": self._show_board,
            "view": lambda: print(self.state.view(self.seat)),
            "help": lambda: print(HELP),
        }
        while True:
            answer = self._read()
            if answer in ("quit", "exit"):
                raise Leave
            if answer in commands:
                commands[answer]()
            elif (index := find_move(answer, texts)) is not None:
                return actions[index]
            elif answer:
                print(f"{answer!a} is none of your moves or commands. Type help for help.")
            self._show_moves(texts)

    def _read(self) -> str:
        answer = input(f"p{self.seat}> ").strip().lower()
        if not sys.stdin.isatty():  # a terminal shows what is typed, a transcript should too
            print(answer)
        return answer

    def _hint(self) -> None:
        known = self.state.information_set(self.seat)
        result = search(self.adviser, known, self.limits)
        self.console.print(moves_table(result, self.board, self.seat), "", sep="\n")

    def _show_board(self) -> None:
        self.console.print("", self.board.board(self.state.view(self.seat)), "", sep="\n")

    def _show_moves(self, texts: list[str]) -> None:
        choices = [Text(f"#{n} ") + self.board.move(text) for n, text in enumerate(texts, 1)]
        self.console.print(Text("   ").join(choices))

    def _show_result(self) -> None:
        winners = [seat for seat, rank in enumerate(self.state.ranks()) if rank == 1]
        names = Text(", ").join(map(seat_name, winners)) if winners else Text("nobody")
        you = "You win!" if self.seat in winners else "You do not win."
        self.console.print(Text.assemble("winners: ", names, f". {you} (seed {self.seed})"))


def find_move(answer: str, texts: list[str]) -> int | None:
    """The index of the move that `answer` means: `#2`, `play:17`, or a part that only it has."""
    if answer.startswith("#") and answer[1:].isdecimal():
        index = int(answer[1:]) - 1
        return index if 0 <= index < len(texts) else None
    if answer in texts:
        return texts.index(answer)
    fitting = [n for n, text in enumerate(texts) if answer in text.split(":")]
    return fitting[0] if len(fitting) == 1 else None


def _append(path: Path, text: str) -> None:
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from error

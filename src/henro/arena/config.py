"""What a run plays: game, bots, limits, rounds, and how the command line writes them."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self, get_args

import msgspec

from henro.arena.sprt import SprtConfig
from henro.errors import OptionError
from henro.protocol.types import BotSpec, Limits, OnFault
from henro.search.presets import PRESETS

_TIME = re.compile(r"(?P<number>\d+(\.\d+)?)(?P<unit>ms|s)?")
_CLOCK = re.compile(r"((?P<minutes>\d+):)?(?P<seconds>\d+(\.\d+)?)(\+(?P<inc>\d+(\.\d+)?))?")
_FIELD = re.compile(r"""(?:[^,"']|"[^"]*"|'[^']*')+""")
_QUOTED = re.compile(r"""(?P<quote>["'])(?P<inner>((?!(?P=quote)).)*)(?P=quote)""")
NAME_LENGTH = 40
_NOT_OPTIONS = ("name", "players", "components")
_BUDGETS = ("nodes", "movetime", "tc")
_OWN_LIMIT = Limits(nodes=10**6)  # told to bots that end a move of themselves, well before that


class Bot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A contestant: either a `preset` of this engine or a program `cmd`, with its limits.

    Only presets that end a move of themselves, and levels, may go without limits (None).
    """

    name: str
    preset: str | None = None
    cmd: list[str] = []
    options: dict[str, str] = {}
    limits: Limits | None = None

    def __post_init__(self) -> None:
        if (self.preset is None) == (not self.cmd):
            raise OptionError(f"bot {self.name or '?'}: give either cmd= or preset=")
        if not (self.name.isprintable() and 0 < len(self.name.strip()) <= NAME_LENGTH):
            raise OptionError(
                f"bot name {self.name!r}: 1 to {NAME_LENGTH} printable characters are needed"
            )

    @property
    def seeded(self) -> bool:
        """Whether the run gives the bot its seed: a preset without one of its own."""
        return self.preset is not None and "Seed" not in self.options

    def move_limits(self) -> Limits:
        """What holds for its moves; raises OptionError for a bot that needs limits and has none."""
        if self.limits is not None:
            return self.limits
        if own := self._own_limits():
            return own
        raise OptionError(
            f"bot {self.name}: no limit for its moves; give --nodes, --movetime or --tc for all "
            "bots, or nodes=, movetime= or tc= in its --bot"
        )

    def _own_limits(self) -> Limits | None:
        """What bounds the moves of a preset or a level that is given no limit."""
        preset = PRESETS.get(self.preset or "")
        if preset is None:
            return None
        if not preset.searches or self.options.get("Level", "0") != "0":
            return _OWN_LIMIT
        if preset.movetime is not None:
            return Limits(movetime_ms=round(1000 * preset.movetime))
        return None if preset.nodes is None else Limits(nodes=preset.nodes)

    def spec(self, components: str | None) -> BotSpec:
        """How to start the bot. A preset also gets the run's own component set, if any."""
        if self.preset is None:
            return BotSpec(name=self.name, cmd=self.cmd, options=self.options)
        cmd = [sys.executable, "-m", "henro", "bot", "--preset", self.preset]
        own = {} if components is None else {"Components": components}
        return BotSpec(name=self.name, cmd=cmd, options=own | self.options)


class ArenaConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run. What is None is settled when the run is opened: `players` by the game, `seed` by
    the operating system's entropy, `games` by the number of bots.

    components   None, the id of an installed set, or the path of a component file
    rounds       deals; each is played `games` times with the seats rotated
    games        games a round, a multiple of the number of bots
    on_fault     what becomes of a bot that fails: random moves, or also the last rank
    sprt         test of the first bot against the second that ends the run once it is decided
    out          results folder
    concurrency  games played at the same time
    """

    game: str
    players: int | None = None
    options: dict[str, str] = {}
    components: str | None = None
    bots: list[Bot]
    rounds: int
    games: int | None = None
    on_fault: OnFault = "random"
    sprt: SprtConfig | None = None
    seed: str | None = None
    out: Path
    concurrency: int = 1

    def __post_init__(self) -> None:
        for field in ("rounds", "concurrency"):
            if getattr(self, field) < 1:
                raise OptionError(f"{field} must be at least 1, not {getattr(self, field)}")
        if not self.bots:
            raise OptionError("bots: at least one is needed")
        names = [bot.name for bot in self.bots]
        for name in names:
            if names.count(name) > 1:
                raise OptionError(f"bots: the name {name} is given twice; set name=")
        if self.on_fault not in get_args(OnFault):
            raise OptionError(f"on-fault must be random or forfeit, not {self.on_fault}")
        if self.games is not None and (self.games < 1 or self.games % len(self.bots)):
            raise OptionError(
                f"games must be a multiple of the number of bots ({len(self.bots)}), so that "
                f"each bot takes each seat equally often, not {self.games}"
            )

        if self.sprt is not None and len(self.bots) != 2:
            raise OptionError(f"sprt compares two bots, not {len(self.bots)}")

    @property
    def games_a_round(self) -> int:
        return self.games or len(self.bots)

    def to_json(self) -> str:
        """The run as the results folder keeps it: without folder and concurrency."""
        return msgspec.json.encode(self._stored()).decode()

    @classmethod
    def from_json(cls, text: str, out: Path) -> Self:
        """The run that `to_json` wrote, in the folder `out`."""
        fields = msgspec.json.decode(text)
        return msgspec.convert(fields | {"out": out}, cls)

    def identity(self) -> dict[str, Any]:
        """Everything a resumed run must have in common with what is already played, under the
        names of the command line's options.

        Not part of it: where results go, how fast, and for how many rounds. `components` is
        left to the caller, who knows the id of the set behind a file.
        """
        fields = self._stored()
        del fields["rounds"], fields["components"]
        fields["games"] = self.games_a_round
        fields["option"] = fields.pop("options")
        fields["on-fault"] = fields.pop("on_fault")
        fields["bots"] = [bot.name for bot in self.bots]
        fields["bot"] = {bot.name: _as_given(bot) for bot in self.bots}
        return fields

    def _stored(self) -> dict[str, Any]:
        fields: dict[str, Any] = msgspec.to_builtins(self, enc_hook=str)
        del fields["out"], fields["concurrency"]
        return fields


def _as_given(bot: Bot) -> dict[str, Any]:
    """The bot's fields as --bot names and writes them."""
    fields: dict[str, Any] = msgspec.to_builtins(bot)
    fields["option"] = fields.pop("options")
    limits = fields.pop("limits") or {}
    if "movetime_ms" in limits:
        fields["movetime"] = f"{limits.pop('movetime_ms')}ms"
    if "clock_ms" in limits:
        clock, inc = limits.pop("clock_ms"), limits.pop("inc_ms", 0)
        fields["tc"] = f"{_seconds(clock)}+{_seconds(inc)}"
    if "timemargin_ms" in limits:
        fields["timemargin"] = limits.pop("timemargin_ms")
    return fields | limits


def _seconds(ms: int) -> str:
    return str(ms / 1000).removesuffix(".0")


def first_difference(stored: Any, given: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Path and the two values of the first difference between nested mappings, or None."""
    if not isinstance(stored, Mapping) or not isinstance(given, Mapping):
        return None if stored == given else (path, stored, given)
    for key in [*stored, *(key for key in given if key not in stored)]:
        inner = f"{path}.{key}" if path else key
        if found := first_difference(stored.get(key), given.get(key), inner):
            return found
    return None


def parse_bot(text: str, budget: Mapping[str, str], timemargin_ms: int | None = None) -> Bot:
    """A bot from `name=mine,cmd="./mybot --x",option.Seed=3,tc=10+0.1`.

    `budget` and `timemargin_ms` hold for bots that do not have their own. A bot with any of
    nodes, movetime and tc of its own takes none of `budget`. Raises OptionError.
    """
    fields = _fields(text)
    options = {
        key.removeprefix("option."): fields.pop(key)
        for key in list(fields)
        if key.startswith("option.")
    }
    own = {key: fields.pop(key) for key in _BUDGETS if key in fields}
    margin = fields.pop("timemargin", None)
    preset, command = fields.pop("preset", None), shlex.split(fields.pop("cmd", ""))
    program = Path(command[0]).name if command else ""
    name = fields.pop("name", preset or program)
    if fields:
        known = "name, cmd, preset, nodes, movetime, tc, timemargin, option.<name>"
        raise OptionError(f"--bot {text}: {next(iter(fields))} is not one of {known}")
    try:
        limits = parse_limits(
            own or budget, timemargin_ms if margin is None else whole("timemargin", margin)
        )
    except OptionError as error:
        raise OptionError(f"bot {name}: {error}") from None
    return Bot(name=name, preset=preset, cmd=command, options=options, limits=limits)


def parse_limits(budget: Mapping[str, str], timemargin_ms: int | None) -> Limits | None:
    """Limits from the texts of `nodes`, `movetime` and `tc`, None without any.

    Raises OptionError.
    """
    if not budget:
        return None
    fields: dict[str, int] = {}
    if "nodes" in budget:
        fields["nodes"] = whole("nodes", budget["nodes"])
    if "movetime" in budget:
        fields["movetime_ms"] = parse_time(budget["movetime"])
    if "tc" in budget:
        fields["clock_ms"], fields["inc_ms"] = parse_clock(budget["tc"])
    if timemargin_ms is not None:
        fields["timemargin_ms"] = timemargin_ms
    return Limits(**fields)


def parse_time(text: str) -> int:
    """Milliseconds from `100ms`, `1.5s` or, as in UCI, a bare number of milliseconds."""
    match = _TIME.fullmatch(text)
    if not match:
        raise OptionError(f"movetime {text}: expected a time like 100ms or 1.5s")
    return round(float(match["number"]) * (1000 if match["unit"] == "s" else 1))


def parse_clock(text: str) -> tuple[int, int]:
    """(time for the game, increment a move) in ms from `60+0.5` (seconds) or `2:30+1`."""
    match = _CLOCK.fullmatch(text)
    if not match:
        raise OptionError(f"tc {text}: expected seconds for the game and a move, like 60+0.5")
    seconds = 60 * int(match["minutes"] or 0) + float(match["seconds"])
    return round(1000 * seconds), round(1000 * float(match["inc"] or 0))


def parse_options(texts: list[str]) -> dict[str, str]:
    """Game options from `key=value` texts; raises OptionError."""
    options: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key and equals) or key in options:
            raise OptionError(f"--option {text}: expected key=value, each key once")
        if key in _NOT_OPTIONS:
            raise OptionError(f"--option {text}: {key} is no option of a game")
        options[key] = value
    return options


def whole(name: str, text: str) -> int:
    """A whole number written in decimal digits; raises OptionError that names the field."""
    if not re.fullmatch(r"[0-9]{1,30}", text):
        raise OptionError(f"{name} {text}: expected a whole number from 0")
    return int(text)


def _fields(text: str) -> dict[str, str]:
    parts = _FIELD.findall(text)
    if ",".join(parts) != text:
        raise OptionError(f"--bot {text}: a quote is not closed, or nothing stands between commas")
    fields: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"--bot {text}: {part} is not key=value")
        if key in fields:
            raise OptionError(f"--bot {text}: {key} is given twice")
        quoted = _QUOTED.fullmatch(value)
        fields[key] = quoted["inner"] if quoted else value
    return fields

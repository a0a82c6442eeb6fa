"""Tuning: an optimiser proposes settings, matches against the baseline on the same deals judge.

The state is in the folder: what has been proposed in optuna's storage, each trial's games in an
arena folder of its own. A trial that was interrupted is played to its end when tuning goes on.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Self, cast

import msgspec

import henro
from henro.arena import Arena, ArenaConfig, Bot, Estimate, SprtConfig, Standing, Update, load
from henro.arena.config import first_difference, parse_limits
from henro.arena.run import SEED_BITS
from henro.arena.schedule import derive
from henro.arena.store import shown
from henro.errors import HenroError, OptionError, RecordError
from henro.protocol.engine import GAMES_OWN
from henro.search.options import effective, idle_options
from henro.tune.space import Choice, Range

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial

DATABASE = "tune.sqlite"
CANDIDATE = "candidate"
BASELINE = "baseline"

_SWITCHES = {"playouts", "horizon", "priors", "observers", "sealed"}  # others may need them
_SETTINGS = 1000  # looked at for a param
_STUDY = "henro"
_RUN = "run"
_COMPONENTS = "components"


class TuneConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is tuned. `players` and `seed`, if None, are settled when tuning begins.

    params       search options that are tried
    base         options of the baseline other than the preset's defaults; the candidate has them,
                 too, but for what is tried
    budget       limits of all moves as `henro arena` takes them: `nodes` or `movetime`
    rounds       duplicate rounds of each trial
    trials       settings that are tried
    out          folder
    concurrency  games played at the same time
    """

    game: str
    players: int | None = None
    options: dict[str, str] = {}
    components: str | None = None
    params: list[Range | Choice]
    base: dict[str, str] = {}
    budget: dict[str, str]
    rounds: int
    trials: int
    seed: str | None = None
    out: Path
    concurrency: int = 1

    def __post_init__(self) -> None:
        if not self.params:
            raise OptionError("params: at least one is needed")
        names = [param.name for param in self.params]
        for name in names:
            if names.count(name) > 1:
                raise OptionError(f"param: {name} is given twice")
        for field in ("rounds", "trials"):
            if getattr(self, field) < 1:
                raise OptionError(f"{field} must be at least 1, not {getattr(self, field)}")
        most = self.base | {param.name: param.most for param in self.params}
        henro.parse_search_options({k: v for k, v in most.items() if v != GAMES_OWN})
        if not self.budget:
            raise OptionError("no limit for the moves; give nodes or movetime")
        parse_limits(self.budget, None)

    def bot(self, name: str, settings: dict[str, str]) -> Bot:
        """The default preset with the baseline's options, changed by `settings`."""
        limits = parse_limits(self.budget, None)
        return Bot(name=name, preset="default", options=self.base | settings, limits=limits)

    def match(self, folder: str, settings: dict[str, str]) -> ArenaConfig:
        """The run that judges `settings`."""
        return ArenaConfig(
            game=self.game,
            players=self.players,
            options=self.options,
            components=self.components,
            bots=[self.bot(CANDIDATE, settings), self.bot(BASELINE, {})],
            rounds=self.rounds,
            seed=self.seed,
            out=self.out / folder,
            concurrency=self.concurrency,
        )

    def to_json(self) -> str:
        """All but the folder."""
        fields: dict[str, Any] = msgspec.to_builtins(self, enc_hook=str)
        del fields["out"]
        return msgspec.json.encode(fields).decode()

    @classmethod
    def from_json(cls, text: str, out: Path) -> Self:
        """What `to_json` wrote, in the folder `out`."""
        return msgspec.convert(msgspec.json.decode(text) | {"out": out}, cls)

    def identity(self) -> dict[str, Any]:
        """What must stay when tuning goes on, under the names of the command line's options.

        `components` is left to the caller, who knows the id of the set behind a file.
        """
        return {
            "game": self.game,
            "players": self.players,
            "option": self.options,
            "param": {param.name: str(param).partition("=")[2] for param in self.params},
            "base": self.base,
            "rounds": self.rounds,
            "seed": self.seed,
        } | self.budget


class TrialResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a trial gave: its settings' mean difference of utility to the baseline."""

    trial: int
    settings: dict[str, str]
    difference: Estimate
    faults: int


class TuneResult(msgspec.Struct, frozen=True, kw_only=True):
    """Where tuning stands: `results` has the best trial first, `confirm` the words of a command
    that tests it on fresh deals (None as long as no trial has done better than the baseline)."""

    format: str = "henro-tune/1"
    game: str
    players: int
    options: dict[str, str]
    components: str
    base: dict[str, str]
    rounds: int
    trials: int
    trials_done: int
    results: list[TrialResult]
    confirm: list[str] | None

    @property
    def complete(self) -> bool:
        return self.trials_done >= self.trials


class TuneUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """What `on_update` gets: after each game of a trial, and with `result` after each trial.

    `trials_done` counts the trials that were there before, too.
    """

    trial: int
    settings: dict[str, str]
    games_done: int
    games: int
    trials_done: int
    trials: int
    result: TrialResult | None


def idle_params(config: TuneConfig, game: henro.Game) -> dict[str, str]:
    """What would be tried for nothing, whatever the other params are, with what it would need."""
    return {
        param.name: need
        for param in config.params
        if (need := _need(param, config, game)) is not None
    }


def _need(param: Range | Choice, config: TuneConfig, game: henro.Game) -> str | None:
    """What a param needs in order to change anything; None if it has it or may have it."""
    need = "other values"
    others = [p for p in config.params if p.name in _SWITCHES and p is not param]
    for values in islice(product(*(other.ends for other in others)), _SETTINGS):
        told = config.base | {o.name: v for o, v in zip(others, values, strict=True)}
        searches = []
        for value in param.ends:
            set_so = {k: v for k, v in (told | {param.name: value}).items() if v != GAMES_OWN}
            how = cast(
                henro.SearchOptions, {**game.search_defaults, **henro.parse_search_options(set_so)}
            )
            need = idle_options(how, [param.name]).get(param.name, need)
            searches.append(effective(how))
        if any(search != searches[0] for search in searches):
            return None
    return need


class Tuner:
    """Tunes search options of the default preset.

    `config.out` is a folder: a new one, or that of the same tuning, which then goes on. Raises
    HenroError for a configuration that cannot be played, and without optuna.
    """

    def __init__(self, config: TuneConfig) -> None:
        _optuna()
        game = henro.load_game(
            config.game,
            players=config.players,
            components=config.components,
            **config.options,
        )
        self.components: str = game.components_id
        if not (config.out / DATABASE).exists():  # what was begun can be ended
            for name, need in idle_params(config, game).items():
                raise OptionError(f"param {name} would change nothing: it needs {need}")
        self.config = msgspec.structs.replace(config, players=game.players)
        self._stop = Event()
        self._arena: Arena | None = None
        self._results: dict[int, TrialResult] = {}
        self._folders: dict[tuple[str, ...], str] = {}

    def stop(self) -> None:
        """Make `run` end early, for good: finished games are kept. From any thread."""
        self._stop.set()
        if self._arena is not None:
            self._arena.stop()

    def run(self, on_update: Callable[[TuneUpdate], object] | None = None) -> TuneResult:
        """Play the trials that are still to play; an interrupted run returns what it has.

        `on_update` is called in this thread.
        """
        tell = on_update or (lambda update: None)
        study = self._open()
        for trial in self._to_play(study):
            result = self._play(trial, tell)
            if result is None:
                break
            study.tell(trial.number, result.difference.mean)
            self._results[trial.number] = result
            tell(self._update(result.trial, result.settings, 0, 0, result))
        return self._result()

    def _open(self) -> Study:
        """The folder's study, with the results of its finished trials read."""
        study = _study(self.config.out)
        if not study.get_trials(deepcopy=False):
            fresh = self.config.seed or str(secrets.randbits(SEED_BITS))
            self.config = msgspec.structs.replace(self.config, seed=fresh)
        else:
            self._agree(study.user_attrs)
        study.set_user_attr(_RUN, self.config.to_json())
        study.set_user_attr(_COMPONENTS, self.components)
        for trial in study.get_trials(deepcopy=False):
            folder = self._folder(trial)
            if trial.state.is_finished():
                standing = load(self.config.out / folder).standing()
                self._results[trial.number] = _judged(trial.number, self._settings(trial), standing)
        return study

    def _agree(self, stored: dict[str, Any]) -> None:
        """Take over the seed of what has been begun, and check that the rest is the same."""
        before = TuneConfig.from_json(stored[_RUN], self.config.out)
        self.config = msgspec.structs.replace(self.config, seed=self.config.seed or before.seed)
        found = first_difference(
            before.identity() | {"components": stored[_COMPONENTS]},
            self.config.identity() | {"components": self.components},
        )
        if found:
            field, there, here = found
            raise OptionError(
                f"{self.config.out} holds another tuning: {field} is {shown(there)} there and "
                f"{shown(here)} here; tune in another folder or with its own settings"
            )

    def _to_play(self, study: Study) -> Iterator[FrozenTrial]:
        """The trial that was interrupted, if any, then as many new ones as are wanted."""
        for trial in study.get_trials(deepcopy=False):
            if not trial.state.is_finished():
                yield trial
        space = {param.name: param.distribution() for param in self.config.params}
        for number in range(len(study.get_trials(deepcopy=False)), self.config.trials):
            if self._stop.is_set():
                return
            study.sampler = self._sampler(number)
            study.ask(space)
            yield study.get_trials(deepcopy=False)[number]

    def _sampler(self, number: int) -> Any:
        """With a seed for each trial, so that a stopped tuning goes on as it would have."""
        assert self.config.seed is not None
        seed = int.from_bytes(derive(self.config.seed, "tune", number)[:4], "little")
        return _optuna().samplers.TPESampler(seed=seed)

    def _play(self, trial: FrozenTrial, tell: Callable[[TuneUpdate], object]) -> TrialResult | None:
        """None if it was stopped before its end."""
        settings = self._settings(trial)

        def show(update: Update) -> None:
            tell(self._update(trial.number, settings, update.games_done, update.games, None))

        self._arena = Arena(self.config.match(self._folder(trial), settings))
        if self._stop.is_set():
            return None
        standing = self._arena.run(show)
        return _judged(trial.number, settings, standing) if standing.complete else None

    def _settings(self, trial: FrozenTrial) -> dict[str, str]:
        return {param.name: param.text(trial.params[param.name]) for param in self.config.params}

    def _folder(self, trial: FrozenTrial) -> str:
        """Where a trial's games are: with those of the first trial of the same settings, since
        playing them again would only repeat them."""
        key = tuple(self._settings(trial).values())
        return self._folders.setdefault(key, f"trial-{trial.number:04d}")

    def _update(
        self,
        trial: int,
        settings: dict[str, str],
        games_done: int,
        games: int,
        result: TrialResult | None,
    ) -> TuneUpdate:
        return TuneUpdate(
            trial=trial,
            settings=settings,
            games_done=games_done,
            games=games,
            trials_done=len(self._results),
            trials=self.config.trials,
            result=result,
        )

    def _result(self) -> TuneResult:
        assert self.config.players is not None
        results = sorted(self._results.values(), key=lambda r: (-r.difference.mean, r.trial))
        better = results[:1] if results and results[0].difference.mean > 0 else []
        return TuneResult(
            game=self.config.game,
            players=self.config.players,
            options=self.config.options,
            components=self.components,
            base=self.config.base,
            rounds=self.config.rounds,
            trials=self.config.trials,
            trials_done=len(results),
            results=results,
            confirm=confirmation(self.config, better[0].settings) if better else None,
        )


def load_config(folder: Path) -> TuneConfig:
    """What is tuned in a folder; raises RecordError if there is nothing."""
    if not (folder / DATABASE).is_file():
        raise RecordError(f"{folder}: no {DATABASE} there, so no tuning to go on with")
    attributes = _study(folder).user_attrs
    if _RUN not in attributes:
        raise RecordError(f"{folder / DATABASE}: holds no tuning of henro")
    return TuneConfig.from_json(attributes[_RUN], folder)


def confirmation(config: TuneConfig, settings: dict[str, str]) -> list[str]:
    """The words of a command that tests settings against the baseline on fresh deals."""
    words = ["henro", "arena", "--sprt", str(SprtConfig())]
    words += ["--game", config.game, "--players", str(config.players)]
    for key, value in config.options.items():
        words += ["--option", f"{key}={value}"]
    if config.components is not None:
        words += ["--components", config.components]
    for bot in (config.bot("tuned", settings), config.bot(BASELINE, {})):
        options = [f"option.{name}={_quoted(value)}" for name, value in bot.options.items()]
        words += ["--bot", ",".join([f"name={bot.name}", "preset=default", *options])]
    for key, value in config.budget.items():
        words += [f"--{key}", value]
    return words


def _quoted(value: str) -> str:
    return f'"{value}"' if "," in value else value


def _judged(number: int, settings: dict[str, str], standing: Standing) -> TrialResult:
    faults = sum(sum(bot.faults.values()) for bot in standing.bots)
    difference = standing.difference(CANDIDATE, BASELINE)
    return TrialResult(trial=number, settings=settings, difference=difference, faults=faults)


def _study(folder: Path) -> Study:
    """The study in a folder, which is made if it is new; raises RecordError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        study: Study = _optuna().create_study(
            storage=f"sqlite:///{folder.resolve() / DATABASE}",
            study_name=_STUDY,
            direction="maximize",
            load_if_exists=True,
        )
    except OSError as error:
        raise RecordError(f"{error.filename or folder}: {error.strerror}") from None
    except Exception as error:  # of optuna's storage or the libraries below it
        raise RecordError(f"{folder / DATABASE}: {str(error).splitlines()[0]}") from None
    return study


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise HenroError(
            "tuning needs optuna: pip install 'henro[tune]', or pip install '.[tune]' in a clone"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna

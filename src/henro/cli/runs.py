"""What commands that play for a long time share: their folder, and an end in good order."""

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from threading import Thread
from typing import Any

from henro.errors import OptionError, RecordError

STOPPING = "stopping; what is finished is kept"


@contextmanager
def new_folder(what: str) -> Iterator[Path]:
    """A folder `what-DATE-TIME` that nobody else has, gone if it stays empty."""
    stem = datetime.now().strftime(f"{what}-%Y%m%d-%H%M%S")
    names = chain([stem], (f"{stem}-{number}" for number in count(2)))
    folder = next(path for path in map(Path, names) if _made(path))
    try:
        yield folder
    finally:
        with suppress(OSError):  # it has become a results folder
            folder.rmdir()


def _made(folder: Path) -> bool:
    """Make the folder; False if there is something of that name."""
    try:
        folder.mkdir()
    except FileExistsError:
        return False
    except OSError as error:
        raise RecordError(f"{folder}: {error.strerror}") from None
    return True


def refuse_with_resume(what: str, folder: Path, values: Mapping[str, Any]) -> None:
    """OptionError for the first flag that was given, though `what` in the folder has it already."""
    for name, value in values.items():
        if value not in (None, []):
            raise OptionError(f"--resume takes the {what} as it is in {folder}; leave out {name}")


def need(names: Iterable[str], values: Mapping[str, Any]) -> None:
    """OptionError for the first of these flags that was not given."""
    for name in names:
        if not values[name]:
            raise OptionError(f"{name} is needed (or --resume DIR)")


def found(components: str | None) -> str | None:
    """A component file by its full path, so that bots and later calls find it, too."""
    if components is not None and Path(components).is_file():
        return str(Path(components).resolve())
    return components


@contextmanager
def stopped_by_signals(
    stop: Callable[[], object], announce: Callable[[], object]
) -> Iterator[None]:
    """Ctrl-C and `kill` end the run in good order; a second one ends it at once."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def announce_and_stop() -> None:
        announce()
        stop()

    def handle(number: int, frame: object) -> None:
        restore()
        # Not here: the interrupted code may hold a lock that printing or stopping needs.
        Thread(target=announce_and_stop, daemon=True).start()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        restore()

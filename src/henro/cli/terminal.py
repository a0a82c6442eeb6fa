"""Standard streams that serve every terminal, and what a terminal can do while henro works."""

import codecs
import io
import shutil
import signal
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PLAIN = str.maketrans({"▲": "^", "●": "o", "·": ".", "⌂": "#", "▶": ">"})
_LOCAL_MODES = 3  # index in what tcgetattr gives


def forgive_encoding() -> None:
    """Let no byte or letter that an encoding lacks end a command.

    Bytes that cannot be read are replaced; board symbols that cannot be shown become ASCII.
    """
    codecs.register_error("henro.plain", _plain)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="henro.plain")


@contextmanager
def status_line(text: str) -> Iterator[Callable[[str], None]]:
    """A line about the work of the block, which may replace it; gone when the work is done.

    It stands on the terminal of the error stream; without one there is none.
    """
    _show_status(text)
    try:
        yield _show_status
    finally:
        _show_status("")


@contextmanager
def unheard_input() -> Iterator[None]:
    """What is typed during the block is neither shown nor read."""
    if not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    silent = termios.tcgetattr(sys.stdin)
    silent[_LOCAL_MODES] &= ~termios.ECHO
    termios.tcsetattr(sys.stdin, termios.TCSANOW, silent)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, before)


@contextmanager
def stopped_by_ctrl_c(stop: Callable[[], None]) -> Iterator[threading.Event]:
    """Ctrl-C in the block calls `stop` and sets the event; a second one ends the command."""
    pressed = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        pressed.set()
        # Not here: the interrupted code may hold a lock that stopping needs.
        threading.Thread(target=stop, daemon=True).start()

    signal.signal(signal.SIGINT, handle)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _show_status(text: str) -> None:
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        sys.stderr.write(f"\r\x1b[2K{text[: width - 1]}")
        sys.stderr.flush()


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_PLAIN)
    return text.encode("ascii", "replace").decode("ascii"), error.end

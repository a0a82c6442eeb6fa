"""A child process spoken to in lines, without ever blocking on it or growing with its output."""

import contextlib
import os
import selectors
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import IO

from henro.protocol.types import BotFault

MAX_LINE = 64 * 1024
"""Longest line, in bytes, that a bot may write."""

MAX_REPLY = 1024 * 1024
"""Most bytes that a bot may write between two requests."""

MAX_UNREAD = 1024 * 1024
"""Most bytes kept for a bot that does not read its input."""

_CHUNK = 64 * 1024
_ERROR_TAIL = 2048
_EXIT_PAUSE = 0.2


class Child:
    """One running program with its pipes and a process group of its own.

    What the program writes while nobody reads stays in the pipe, which then stops the program:
    memory is bounded by one chunk and one line. Used by one thread at a time, except for `kill`.
    """

    def __init__(self, cmd: list[str]) -> None:
        """Starts the program; raises BotFault "crash" if that fails."""
        try:
            self._process = subprocess.Popen(
                cmd,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise BotFault("crash", f"cannot start {cmd[0]}: {error}") from None
        self._selector = selectors.DefaultSelector()
        self._input = self._pipe(self._process.stdin)
        self._output = self._pipe(self._process.stdout, self._read_output)
        self._errors = self._pipe(self._process.stderr, self._read_errors)
        self._unsent = bytearray()
        self._lines: deque[bytes] = deque()
        self._partial = b""
        self._error_tail = b""
        self._received = 0
        self._connected = True
        self._closed = False
        self._life = threading.Lock()

    def _pipe(self, pipe: IO[bytes] | None, reader: Callable[[], None] | None = None) -> int:
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
        if reader is not None:
            self._selector.register(pipe, selectors.EVENT_READ, reader)
        return pipe.fileno()

    # ---- traffic

    def begin_request(self) -> None:
        """Grants the program MAX_REPLY bytes of output anew."""
        self._received = 0

    def send(self, *lines: str) -> None:
        """Queues lines and writes what the pipe takes now; the rest goes out while reading.

        Raises BotFault "stall" when MAX_UNREAD bytes wait. A closed pipe shows at the next read.
        """
        if not self._connected:
            return
        for line in lines:
            self._unsent += line.encode() + b"\n"
        self._flush()
        if len(self._unsent) > MAX_UNREAD:
            raise BotFault("stall", "does not read its input")

    def read_line(self, deadline: float) -> str | None:
        """Next line of the program, or None when none has come by `deadline` (monotonic s).

        Raises BotFault "crash" when the program has ended or closed a pipe, and "protocol" for
        an over-long line, bytes that are no text, or too much output for one request.
        """
        while not self._lines:
            if not self._connected:
                raise BotFault("crash", self._epitaph())
            if len(self._partial) > MAX_LINE:
                raise BotFault("protocol", f"a line of more than {MAX_LINE} bytes")
            remaining = deadline - monotonic()
            self._poll(max(0.0, remaining))
            if self._received > MAX_REPLY:
                raise BotFault("protocol", f"flood: more than {MAX_REPLY} bytes of output")
            if remaining <= 0 and not self._lines:
                return None
        return _text(self._lines.popleft())

    def _poll(self, timeout: float) -> None:
        for key, _ in self._selector.select(timeout):
            key.data()

    def _read_output(self) -> None:
        data = os.read(self._output, _CHUNK)
        if not data:
            self._selector.unregister(self._output)
            self._connected = False
        self._received += len(data)
        *lines, self._partial = (self._partial + data).split(b"\n")
        self._lines.extend(lines)

    def _read_errors(self) -> None:
        data = os.read(self._errors, _CHUNK)
        if not data:
            self._selector.unregister(self._errors)
        self._error_tail = (self._error_tail + data)[-_ERROR_TAIL:]

    def _flush(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._input, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent.clear()
            self._connected = False
        self._watch_input(bool(self._unsent))

    def _watch_input(self, wanted: bool) -> None:
        if wanted == (self._input in self._selector.get_map()):
            return
        if wanted:
            self._selector.register(self._input, selectors.EVENT_WRITE, self._flush)
        else:
            self._selector.unregister(self._input)

    # ---- life

    @property
    def alive(self) -> bool:
        """Whether the program still runs."""
        return not self._closed and self._exit_status() is None

    def wait_exit(self, seconds: float) -> bool:
        """Waits for the program to end, dropping what it writes; False when it runs on."""
        deadline = monotonic() + seconds
        while self.alive:
            remaining = deadline - monotonic()
            if remaining <= 0:
                return False
            self._poll(min(remaining, 0.005))
            self._lines.clear()
            self._partial = b""
        return True

    def kill(self) -> None:
        """Kills the program with its children; safe from any thread."""
        with self._life, contextlib.suppress(ProcessLookupError, PermissionError):
            # Nobody has waited for the program yet, so its group id cannot belong to others.
            if not self._closed:
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kills the program with its children and frees the pipes."""
        if self._closed:
            return
        self.kill()
        with self._life, contextlib.suppress(subprocess.TimeoutExpired):
            self._closed = True
            self._process.wait(1.0)
        self._connected = False
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()

    def _exit_status(self) -> str | None:
        """How the program ended, None while it runs; leaves it to be waited for by close()."""
        state = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if state is None:
            return None
        if state.si_code == os.CLD_EXITED:
            return f"exited with status {state.si_status}"
        return f"was killed by {signal.Signals(state.si_status).name}"

    def _epitaph(self) -> str:
        if self._closed:
            return "is not running"
        self.wait_exit(_EXIT_PAUSE)
        self._poll(0.0)
        text = self._exit_status() or "closed its input or output"
        last_words = self._error_tail.decode(errors="replace").strip().rpartition("\n")[2]
        return f"{text}: {last_words[:200]}" if last_words else text


def _text(line: bytes) -> str:
    """The line as text; raises BotFault "protocol" for bytes that are none."""
    if len(line) > MAX_LINE:
        raise BotFault("protocol", f"a line of {len(line)} bytes, {MAX_LINE} are allowed")
    try:
        text = line.decode().rstrip("\r")
    except UnicodeDecodeError as error:
        raise BotFault("protocol", f"a line is not UTF-8: {error.reason}") from None
    if any(char < " " and char != "\t" for char in text):
        raise BotFault("protocol", "a line holds control characters")
    return text

"""Standard streams that serve every terminal."""

import codecs
import io
import sys

_PLAIN = str.maketrans({"▲": "^", "●": "o", "·": ".", "⌂": "#", "▶": ">"})


def forgive_encoding() -> None:
    """Let no byte or letter that an encoding lacks end a command.

    Bytes that cannot be read are replaced; board symbols that cannot be shown become ASCII.
    """
    codecs.register_error("henro.plain", _plain)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="henro.plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_PLAIN)
    return text.encode("ascii", "replace").decode("ascii"), error.end

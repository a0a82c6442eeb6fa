"""Every error that henro raises on purpose.

Each class derives from :class:`HenroError`, and from the built-in exception a Python
programmer would expect in its place, so both ``except HenroError`` and
``except ValueError`` work.
"""


class HenroError(Exception):
    """Base of all henro errors. `exit_code` is what the command line exits with."""

    exit_code = 2


class UnknownGameError(HenroError, LookupError):
    """No game of that name is registered."""


class OptionError(HenroError, ValueError):
    """A game option, player count, preset or search option is unknown or out of range."""


class ComponentError(HenroError, ValueError):
    """A component set breaks its schema; the text names the file, table, row and rule."""


class ViewError(HenroError, ValueError):
    """A view text is malformed or describes something that cannot happen."""


class PositionError(HenroError, ValueError):
    """A position text is malformed or describes something that cannot happen."""


class IllegalActionError(HenroError, ValueError):
    """A move or chance outcome is unknown, or not possible in this state."""


class StateError(HenroError, RuntimeError):
    """The operation does not fit the state: it is finished, or another kind of node."""


class ProtocolError(HenroError, RuntimeError):
    """A line of the UHI protocol could not be understood or came at the wrong time."""


class RecordError(HenroError, ValueError):
    """A game record is malformed or does not replay."""

"""`henro bench`."""


def bench() -> None:
    """Placeholder."""

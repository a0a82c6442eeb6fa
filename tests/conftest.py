"""Settings of the whole test suite.

Sizes: a test that plays many games runs trimmed by default. Its full size carries the marker
`slow` and is left out unless a `-m` expression asks for it:

    pytest                       everything, trimmed
    pytest -m slow               the full sizes alone
    pytest -m "slow or not slow" both

Every seed is fixed, hypothesis draws the same examples on every run: a failure can be repeated.

`make test` spreads the tests over the cores. Those that start bots or a command and wait for them
stay on one worker, so that they do not crowd each other out of time.
"""

import pytest
from hypothesis import settings

WITH_PROCESSES = {"arena", "cli", "protocol", "tune"}
"""Folders of tests that start processes."""

SLOW_TIMEOUT = 7200.0
"""Seconds that a full-size test may take, instead of the timeout in pyproject.toml."""

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    if not config.option.markexpr:
        config.option.markexpr = "not slow"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name in WITH_PROCESSES:
            item.add_marker(pytest.mark.xdist_group("processes"))
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SLOW_TIMEOUT))

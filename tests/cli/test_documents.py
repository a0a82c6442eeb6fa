"""What the documents show is what the commands print."""

import re
import shlex
from pathlib import Path

import pytest

from henro import SEARCH_OPTIONS, components

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^(?P<indent> *)```console\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)


def dialogues(page: str) -> list[tuple[str, str]]:
    """The commands of a page and what it shows of their output."""
    found = []
    for block in BLOCK.finditer((DOCS / page).read_text(encoding="utf-8")):
        lines = [line.removeprefix(block["indent"]) for line in block["text"].splitlines()]
        for line in lines:
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            else:
                found[-1][1].append(line)
    return [(command, "\n".join(shown)) for command, shown in found]


def pattern(shown: str) -> str:
    """`...` stands for anything; blanks at line ends do not count."""
    return ".*".join(re.escape(part) for part in shown.split("..."))


@pytest.mark.parametrize(
    "page",
    [
        "components.md",
        "search.md",
        "games/shikoku.md",
        "games/jinja.md",
        "games/shugendo.md",
        "games/shogun.md",
    ],
)
def test_the_examples_of_a_page_run_as_shown(henro, tmp_path, page):
    text = components.load("shikoku").path.read_text(encoding="utf-8")
    slip = text.replace("7, icons = 3", "7, icons = 9").replace("number =  9", "number = 8")
    (tmp_path / "slip.toml").write_text(slip)
    for command, shown in dialogues(page):
        _, *args = shlex.split(command)
        ended = henro(*args)
        exit_line = f"\n[exit {ended.code}]" if ended.code else ""
        out = "\n".join(line.rstrip() for line in ended.out.splitlines()) + exit_line
        assert re.fullmatch(pattern(shown.rstrip()), out.rstrip(), re.DOTALL), (command, out)


def test_the_search_page_names_every_option_and_its_python_runs():
    page = (DOCS / "search.md").read_text(encoding="utf-8")
    for option in SEARCH_OPTIONS.values():
        assert f"`{option.name}`" in page
        for choice in option.choices:
            assert f"`{choice}`" in page, (option.name, choice)
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(example, {})

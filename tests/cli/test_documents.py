"""What the documents show is what the commands print."""

import re
import shlex
from pathlib import Path

import pytest

from henro import LEVELS, PRESETS, SEARCH_OPTIONS, components, load_game

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
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        exec(example, {})


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the table whose first heading is this."""
    text = (DOCS / page).read_text(encoding="utf-8")
    (table,) = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_the_search_page_says_what_a_level_is():
    for number, *cells in rows("search.md", "level"):
        for levels, cell in zip(LEVELS.values(), cells, strict=True):
            level = levels[int(number) - 1]
            chance = f", {100 * level.random:.0f} % random" if level.random else ""
            assert cell == f"{level.nodes:,}{chance}"


def test_the_search_page_says_what_a_preset_sets():
    found = {cells[0].strip("`"): cells[2:5] for cells in rows("search.md", "preset")}
    assert list(found) == list(PRESETS)
    for name, (threads, memory, limit) in found.items():
        preset = PRESETS[name]
        if not preset.searches:
            continue
        assert threads == ("one a core" if preset.threads is None else str(preset.threads))
        size, unit = memory.split()
        assert int(size) * {"MiB": 1, "GiB": 1024}[unit] == preset.hash_mb
        assert preset.nodes is None or limit == f"{preset.nodes:,} iterations"
        assert preset.movetime is None or limit == f"{preset.movetime:g} s"


def test_the_search_page_says_what_the_defaults_are():
    page = (DOCS / "search.md").read_text(encoding="utf-8")
    table = page.split("\n## Defaults\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    told = {cells[0].strip("`"): cells[1:] for cells in rows}
    games = [name.lower() for name in told.pop("option")]
    own = [load_game(name).search_defaults for name in games]
    for name, option in SEARCH_OPTIONS.items():
        values = told.pop(name, None)
        if values is None:
            alike = {"observers": "one", "sealed": "priors", "tree": "separate"}
            assert all(how[name] == alike.get(name, 0) for how in own)
        else:
            assert [how[name] for how in own] == [option.parse(value) for value in values]
    assert not told

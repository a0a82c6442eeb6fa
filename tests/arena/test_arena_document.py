"""The page on the arena: its examples run as shown, its tables are complete."""

import re
import shlex
import sqlite3
import sys
from pathlib import Path

import msgspec
import pytest

from henro import cli
from henro.arena import BotStanding, Estimate, PairStanding, SprtStanding, Standing
from henro.arena.run import SEED_BITS
from henro.arena.schedule import CANDIDATES
from henro.arena.sprt import MAX_ROUNDS, SprtConfig, difference_at
from henro.arena.store import SCHEMA_VERSION
from henro.cli.tune import ROUNDS, TRIALS
from henro.protocol import Complaint, Fault, GameRecord, Limits
from henro.protocol.types import MAX_COMPLAINTS, FaultKind
from henro.tune import TrialResult, TuneResult

PAGE = (Path(__file__).parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def section(title):
    return re.search(rf"^## {title}\n(.*?)(^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]


def pattern(shown):
    """`...` stands for anything, and decimal fractions for any of their kind."""
    parts = [re.sub(r"\d+\\\.\d+", r"\\d+\.\\d+", re.escape(part)) for part in shown.split("...")]
    return ".*".join(parts)


def dialogue(block):
    """(command, what is shown of its output) for each command of a block."""
    return [
        part.partition("\n")[::2] for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The examples build on each other."""
    return tmp_path_factory.mktemp("document")


@pytest.fixture
def henro(monkeypatch, capsys, folder):
    """Runs a command in the folder; its output with the exit code as the page writes it."""

    def run(command):
        monkeypatch.chdir(folder)
        monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        shown = f"{err}[exit {ended.value.code}]\n" if ended.value.code else out
        return "\n".join(line.rstrip() for line in shown.splitlines())

    return run


def test_the_examples_run_as_shown_and_in_order(henro, folder, monkeypatch, capsys):
    for language, block in BLOCKS:
        if language == "console":
            for command, shown in dialogue(block):
                out = henro(command)
                assert re.fullmatch(pattern(shown.rstrip()), out.rstrip(), re.DOTALL), (
                    command,
                    out,
                )
        elif language == "sql":
            with sqlite3.connect(folder / "first" / "results.sqlite") as db:
                assert db.execute(block).fetchall()
        elif language == "python":
            monkeypatch.chdir(folder)
            exec(compile(block, "arena.md", "exec"), {})
            assert "4 of 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("title", "kinds"),
    [
        ("Records", [GameRecord, Fault, Complaint]),
        ("For programs", [Standing, BotStanding, PairStanding, SprtStanding, Estimate]),
    ],
)
def test_every_field_is_explained(title, kinds):
    for kind in kinds:
        for field in msgspec.structs.fields(kind):
            assert f"`{field.name}`" in section(title), field.name


def test_every_column_is_explained(folder, henro):
    henro("henro arena --game shikoku --bot preset=random --nodes 1 --out columns")
    text = section("Database")
    with sqlite3.connect(folder / "columns" / "results.sqlite") as db:
        tables = [
            name
            for (name,) in db.execute(
                "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE%'"
            )
        ]
        for table in tables:
            row = next(line for line in text.splitlines() if line.startswith(f"| `{table}` |"))
            for (column,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,)):
                assert f"`{column}`" in row, (table, column)


def test_every_field_of_a_tuning_is_explained():
    for kind in (TuneResult, TrialResult):
        for field in msgspec.structs.fields(kind):
            assert f"`{field.name}`" in section("Tuning"), field.name
    assert f"rounds of a trial ({ROUNDS}), and trials ({TRIALS})" in section("Tuning")


def test_every_fault_and_the_numbers_in_the_text_are_those_of_the_program():
    assert re.findall(r"^\| `(\w+)` \|", section("Faults"), re.MULTILINE) == [*FaultKind.__args__]
    test = section("Sequential test")
    assert f"the most that is played ({MAX_ROUNDS})" in test
    defaults = re.findall(r"^\| `(\w+)` \| .*\((.*)\) \|$", test, re.MULTILINE)
    assert [(key, float(value)) for key, value in defaults] == [
        *msgspec.structs.asdict(SprtConfig()).items()
    ]
    elos, differences = re.findall(r"^\| (?:elo|\*d\*) \| (.*) \|$", test, re.MULTILINE)
    assert differences.split(" | ") == [
        f"{difference_at(float(elo)):.3f}" for elo in elos.split(" | ")
    ]
    limits = Limits(nodes=1)
    assert f"({limits.timemargin_ms})" in section("Bots")
    assert f"may take {limits.untimed_ms // 1000} seconds" in section("Bots")
    assert MAX_COMPLAINTS == 10
    assert "at most ten of a seat" in section("Faults")
    assert "at most ten of a seat" in section("Records")
    assert f"Of {CANDIDATES} draws" in section("Rounds, seats and deals")
    assert f"{SEED_BITS} bits" in section("Seed")
    assert f"schema, {SCHEMA_VERSION}." in section("Database")

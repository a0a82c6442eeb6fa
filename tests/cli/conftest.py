import io
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from henro import cli


@dataclass
class Finished:
    code: int
    out: str
    err: str


@pytest.fixture
def henro(monkeypatch, capsys, tmp_path):
    """Calls the command line in this process, in an empty folder: henro("games", "--json")."""

    def call(*args: str, stdin: str | bytes = "") -> Finished:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setattr(sys, "argv", ["henro", *args])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return Finished(ended.value.code or 0, *capsys.readouterr())

    return call


@pytest.fixture
def process(tmp_path):
    """Runs `python -m henro ARGS` as a process of its own, in an empty folder."""

    def run(*args: str, stdin: str | bytes = "", **env: str) -> Finished:
        done = subprocess.run(
            [sys.executable, "-m", "henro", *args],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8", **env},
            timeout=60,
        )
        return Finished(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode())

    return run

"""Portable loops and those for newer processors do the same; the binary keeps them apart."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import henro
from henro import _core

FAST = re.compile(r"\b(pdep|pext|mulx|andn|bzhi|shlx|shrx|sarx|rorx|blsr|blsi|vmov\w+|vp\w+)\b")


def bench(isa: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "henro", "bench", "--scale", "0.05", "--json"],
        env={**os.environ, "HENRO_ISA": isa},
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, object] = json.loads(done.stdout)
    return result


def test_the_bench_signature_is_the_same_on_every_instruction_set() -> None:
    assert bench("base")["signature"] == bench("")["signature"]


def test_the_bench_signature_is_the_same_every_time() -> None:
    assert bench("")["signature"] == bench("")["signature"]


@pytest.mark.skipif(henro.load_game("shikoku").isa != "v3", reason="one instruction set only")
def test_new_instructions_are_in_functions_of_their_own() -> None:
    """Code for newer processors lives in namespace henro::v3 alone."""
    objdump = shutil.which("objdump")
    if objdump is None:
        pytest.skip("needs objdump")
    listing = subprocess.run(
        [objdump, "-d", "-C", "--no-show-raw-insn", str(Path(_core.__file__))],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    function, fast_functions = "", set()
    for line in listing.splitlines():
        if line.endswith(">:"):
            function = line[line.index("<") + 1 : -2]
        elif FAST.search(line):
            fast_functions.add(function)
    strangers = sorted(f for f in fast_functions if "henro::v3::" not in f)
    assert any("henro::v3::" in f for f in fast_functions)
    assert not strangers

"""Nothing allocates in apply, legal, playouts, world samples and search iterations."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.skipif(sys.platform != "linux", reason="the counting allocator needs glibc")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="one allocator at a time")
def test_hot_loops_allocate_nothing(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert compiler, "a C compiler is needed"
    library = tmp_path / "alloc_counter.so"
    source = HERE / "alloc_counter.c"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    done = subprocess.run(
        [sys.executable, HERE / "count_allocations.py"],
        env={**os.environ, "LD_PRELOAD": str(library), "PYTHONMALLOC": "malloc"},
        capture_output=True,
        text=True,
        check=True,
    )
    counts = json.loads(done.stdout)
    assert counts
    for loop, (short, long) in counts.items():
        assert short == long, f"{loop}: {short} allocations in a short run, {long} in a long one"

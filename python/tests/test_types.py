"""The types of the package: annotations, stubs of the native module, and the file that is written from the table."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent
TOOL = SOURCES.parent / "tools/python-api"


def run(*command, cwd=None):
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not TOOL.exists(), reason="the sources of the project are not here")
def test_the_methods_are_those_of_the_table_of_algorithms():
    run(str(TOOL), "--check")


def test_annotations_pass_mypy_strictly(tmp_path):
    pytest.importorskip("mypy")
    folder = SOURCES / "warpgraph"
    cache = f"--cache-dir={os.environ.get('MYPY_CACHE_DIR', tmp_path)}"
    run("-m", "mypy", "--strict", cache, f"--config-file={SOURCES / 'pyproject.toml'}", str(folder))


def test_stubs_of_the_native_module_agree_with_it():
    pytest.importorskip("mypy")
    run("-m", "mypy.stubtest", "warpgraph._warpgraph", cwd=SOURCES / "tests")


def test_calls_are_typed_as_users_write_them(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(
        "import warpgraph\n"
        "graph = warpgraph.Graph.generate('kron:8')\n"
        "answer: warpgraph.Answer = graph.bfs(source='max-degree', max_depth=3, progress=print)\n"
        "other: warpgraph.Answer = warpgraph.pagerank(graph, personalize={3: 1.0})\n"
        "wrong: int = graph.bfs()  # type: ignore[assignment]\n"
        "graph.bfs(sorce=1)  # type: ignore[call-arg]\n"
    )
    assert importlib.util.find_spec("warpgraph")
    run("-m", "mypy", "--strict", f"--cache-dir={tmp_path}", str(program), cwd=tmp_path)

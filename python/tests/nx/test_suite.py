"""All of NetworkX's own tests pass with the backend, which answers often enough, and they see a wrong answer.

``UPDATE=1`` writes ``suite_floors.json`` anew: half of the answers of each function.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

nx = pytest.importorskip("networkx")
pytest.importorskip("scipy")
pytest.importorskip("pandas")

from _warpgraph_nx import FUNCTIONS  # noqa: E402

HERE = Path(__file__).parent
FLOORS = HERE / "suite_floors.json"

#: Tests that may fail, with the reason. A wrong answer is no reason.
EXPECTED: dict[str, str] = {}


def _run(folder, packages, wrong=""):
    """Runs tests of NetworkX; returns what failed, and how often each function has answered."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("WARPGRAPH", "NETWORKX"))}
    environment = {
        **inherited,
        "NETWORKX_TEST_BACKEND": "warpgraph",
        "NETWORKX_FALLBACK_TO_NX": "True",
        "PYTHONPATH": str(HERE),
        "WARPGRAPH_SUITE": str(folder),
        "WARPGRAPH_SUITE_WRONG": wrong,
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "suite_plugin", "-p", "no:cacheprovider", "--tb=short"]
    if not wrong and _has_xdist():
        command += ["-n", "2"]
    done = subprocess.run([*command, "--pyargs", *packages], cwd=folder, env=environment, capture_output=True, text=True)
    failed = json.loads((folder / "failed.json").read_text())
    calls = sum((Counter(json.loads(path.read_text())) for path in folder.glob("calls-*.json")), Counter())
    return failed, calls, done.stdout[-6000:]


def _has_xdist():
    try:
        import xdist  # noqa: F401
    except ImportError:
        return False
    return True


def test_the_tests_of_networkx_pass_and_reach_the_backend(tmp_path):
    failed, calls, output = _run(tmp_path, ["networkx"])
    assert "error" not in output.splitlines()[-1], output
    assert sorted(set(failed) - set(EXPECTED)) == [], output
    assert sorted(set(EXPECTED) - set(failed)) == [], "these pass now: take them off the list"
    if os.environ.get("UPDATE"):
        floors = {function.name: (calls[function.name] + 1) // 2 for function in FUNCTIONS}
        FLOORS.write_text(json.dumps(floors, indent=1) + "\n")
    floors = json.loads(FLOORS.read_text())
    assert sorted(floors) == sorted(function.name for function in FUNCTIONS)
    assert {name: calls[name] for name, floor in floors.items() if calls[name] < floor} == {}
    print("\n".join(f"{calls[name]:6} {name}" for name in sorted(floors)))


@pytest.mark.parametrize(
    ("function", "tests"),
    [
        ("single_source_shortest_path_length", "shortest_paths.tests.test_unweighted"),
        ("single_source_dijkstra_path_length", "shortest_paths.tests.test_weighted"),
        ("pagerank", "link_analysis.tests.test_pagerank"),
        ("betweenness_centrality", "centrality.tests.test_betweenness_centrality"),
        ("strongly_connected_components", "components.tests.test_strongly_connected"),
        ("core_number", "tests.test_core"),
    ],
)
def test_the_tests_of_networkx_see_a_wrong_answer(tmp_path, function, tests):
    failed, _, output = _run(tmp_path, [f"networkx.algorithms.{tests}"], wrong=function)
    assert failed, output

"""The table of functions, the implementations, NetworkX and the documentation agree."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

nx = pytest.importorskip("networkx")

from cases import named

from _warpgraph_nx import ALL, BY_NAME, FUNCTIONS, get_info
from warpgraph.nx import backend
from warpgraph.nx._registry import implementations


#: Parameters that NetworkX 3.7 added.
LATER = {"closeness_centrality": {"sp"}}


@pytest.mark.parametrize("name", [function.name for function in ALL])
def test_parameters_are_those_of_networkx(name):
    ours = inspect.signature(getattr(backend, name)).parameters
    theirs = inspect.signature(named(name).orig_func).parameters
    added = {parameter.split(" ")[0] for parameter, _ in BY_NAME[name].parameters}
    added |= LATER.get(name, set()) - set(theirs)
    assert [(p.name, p.default) for p in ours.values() if p.name not in added] == [
        (p.name, p.default) for p in theirs.values()
    ]
    assert all(ours[parameter].kind is inspect.Parameter.KEYWORD_ONLY for parameter in added)


def test_every_function_of_the_table_is_implemented_where_it_says():
    for name, implementation in implementations().items():
        assert implementation.call.__module__ == f"warpgraph.nx._{BY_NAME[name].module}"


def test_networkx_shows_what_differs_in_its_help():
    assert "max_error : float" in nx.betweenness_centrality.__doc__
    assert "`dangling` is left to NetworkX" in nx.pagerank.__doc__
    assert "Always left to NetworkX" in nx.edge_betweenness_centrality.__doc__
    assert set(get_info()["functions"]) == set(BY_NAME)


PAGE = Path(__file__).resolve().parents[3] / "docs" / "networkx.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not here")
def test_the_documentation_lists_the_functions():
    """``UPDATE=1`` writes the list anew."""
    groups = {}
    for function in FUNCTIONS:
        groups.setdefault((function.module, function.note), []).append(f"`{function.name}`")
    rows = [f"| {', '.join(names)} | {note} |" for (_, note), names in groups.items()]
    listed = "\n".join(["| functions | what differs |", "| --- | --- |", *rows]) + "\n"
    begin, end = f"<!-- functions: generated, {len(FUNCTIONS)} -->\n", "<!-- end -->"
    text = PAGE.read_text()
    head, rest = text.split("<!-- functions: generated", 1)
    expected = head + begin + listed + rest[rest.index(end) :]
    if os.environ.get("UPDATE"):
        PAGE.write_text(expected)
    assert PAGE.read_text() == expected, "run this test with UPDATE=1"


def _in_new_process(code, **environment):
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("WARPGRAPH", "NETWORKX"))}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env={**inherited, **environment}, capture_output=True, text=True, check=True)
    return done


def test_importing_networkx_does_not_load_the_native_module():
    code = "import json, sys, networkx; print(json.dumps([m for m in sys.modules if 'warpgraph' in m]))"
    assert json.loads(_in_new_process(code).stdout) == ["_warpgraph_nx"]


PROGRAM = """
import networkx as nx
G = nx.gnm_random_graph(300, 5000, seed=1)
nx.pagerank(G)
tree = nx.minimum_spanning_tree(G)
print(type(tree).__name__, len(tree))
"""


def test_one_variable_makes_networkx_use_the_backend_and_another_tells():
    done = _in_new_process(PROGRAM, WARPGRAPH_NX="1", WARPGRAPH_NX_LOG="1")
    assert done.stdout == "Graph 300\n"
    lines = done.stderr.splitlines()
    assert any(line.startswith("warpgraph: converted <warpgraph.nx.Graph: undirected, 300 nodes, 5000 edges>") for line in lines)
    assert any(line.startswith("warpgraph: pagerank ran here in") for line in lines)
    assert any(line.startswith("warpgraph: minimum_spanning_edges runs here") for line in lines)


COPIES = """
import copy, pickle, networkx as nx
G = nx.gnm_random_graph(300, 5000, seed=1)
before = nx.pagerank(G)
kept = G.__networkx_cache__["backends"]["warpgraph"]
assert kept
for again in (pickle.loads(pickle.dumps(G)), copy.deepcopy(G), G.copy()):
    assert nx.pagerank(again) == before
"""


def test_graphs_can_be_copied_by_a_program_that_knows_nothing_of_the_backend():
    assert _in_new_process(COPIES, WARPGRAPH_NX="1").stdout == ""


@pytest.mark.parametrize("value", ["0", "false", "", "off"])
def test_the_variable_can_be_off(value):
    done = _in_new_process(PROGRAM, WARPGRAPH_NX=value, WARPGRAPH_NX_LOG="1")
    assert (done.stdout, done.stderr) == ("Graph 300\n", "")


def test_other_backends_that_the_user_has_chosen_come_first():
    code = "import os, networkx as nx; print(os.environ['NETWORKX_BACKEND_PRIORITY'], nx.config.backend_priority.algos)"
    done = _in_new_process(code, WARPGRAPH_NX="1", NETWORKX_BACKEND_PRIORITY="networkx")
    assert done.stdout == "networkx,warpgraph ['networkx', 'warpgraph']\n"

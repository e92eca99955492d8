"""What runs here and what is left to NetworkX, and how users are told."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

nx = pytest.importorskip("networkx")

from graphs import outcome

from _warpgraph_nx import ARRAYS, BY_NAME, HEAVY, LIGHT, PAIR, SEARCHES
from warpgraph.nx import backend, calls
from warpgraph.nx._common import NETWORKX
from warpgraph.nx._registry import implementations
from warpgraph.nx._worth import FEWEST_EDGES, LIGHT_CALLS


FROM_37 = pytest.mark.skipif(NETWORKX < (3, 7), reason="NetworkX 3.7 added it")


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO, "warpgraph.nx")
    return lambda: [record.getMessage() for record in caplog.records if record.name == "warpgraph.nx"]


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("pagerank", {"dangling": {0: 1}}, "dangling is given"),
        ("pagerank", {"alpha": 1.0}, "alpha is not in [0, 1)"),
        ("closeness_centrality", {"distance": "weight"}, "weighted distances: sums of them are not computed here"),
        pytest.param("closeness_centrality", {"sp": {}}, "sp is given", marks=FROM_37),
        ("harmonic_centrality", {"distance": "weight"}, "weighted distances: sums of them are not computed here"),
        ("edge_betweenness_centrality", {}, "scores of edges are not computed here; betweenness_centrality, of nodes, is"),
        ("betweenness_centrality", {"weight": lambda u, v, d: 1}, "weight is a function"),
        ("minimum_spanning_edges", {"algorithm": "prim"}, "an algorithm other than Kruskal's"),
        ("clustering", {"weight": "weight"}, "weight is given"),
        ("bfs_edges", {"source": 0, "sort_neighbors": sorted}, "sort_neighbors is given"),
        ("eccentricity", {"sp": {}}, "sp is given"),
    ],
)
def test_what_is_not_done_is_declined_with_a_reason(name, given, reason, lines):
    G = nx.path_graph(3)
    with pytest.raises(NotImplementedError) as error:
        list(getattr(nx, name)(G, **given, backend="warpgraph"))
    assert str(error.value) == f"{name} does not run on warpgraph: {reason}"
    assert lines() == [f"{name} is left to NetworkX: {reason}"]
    theirs = outcome(lambda: list(getattr(nx, name)(G, **given, backend="networkx")))
    with nx.config(backend_priority=["warpgraph"]):
        assert outcome(lambda: list(getattr(nx, name)(G, **given))) == theirs


def test_reasons_see_parameters_that_come_by_position():
    G = nx.path_graph(3)
    with pytest.raises(NotImplementedError, match="dangling is given"):
        backend.can_run("pagerank", (G, 0.85, None, 100, 1e-6, None, "weight", {0: 1}), {})
    assert backend.can_run("pagerank", (G, 0.85, None, 100, 1e-6, None, "weight", None), {}) is True


@pytest.fixture
def preferred():
    with nx.config(backend_priority=["warpgraph"]):
        yield


def test_small_graphs_stay_with_networkx(preferred, lines):
    before = calls["pagerank"]
    nx.pagerank(nx.path_graph(8))
    assert calls["pagerank"] == before
    assert lines() == ["pagerank is left to NetworkX: the graph has 7 edges, and a conversion pays from 10"]
    nx.pagerank(nx.path_graph(5000))
    assert calls["pagerank"] == before + 1


RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results" / "python-2-cores.json"


@pytest.mark.skipif(not RESULTS.exists(), reason="the documentation is not here")
def test_thresholds_are_near_those_that_were_measured():
    measured = json.loads(RESULTS.read_text())["thresholds"]
    kinds = {ARRAYS: "arrays_edges", HEAVY: "heavy_edges", SEARCHES: "searches_edges"}
    for kind, name in kinds.items():
        assert max(measured[name].values()) / 4 <= FEWEST_EDGES[kind] <= 4 * max(measured[name].values()), kind
    assert max(measured["light_calls"].values()) / 4 <= LIGHT_CALLS <= 4 * max(measured["light_calls"].values())


def test_searches_wait_until_a_conversion_pays(preferred):
    G = nx.gnm_random_graph(300, 1000, seed=1)
    before = calls["single_source_shortest_path_length"]
    ran = []
    for source in range(12):
        nx.single_source_shortest_path_length(G, source)
        ran.append(calls["single_source_shortest_path_length"] - before)
    assert ran == [max(0, call - LIGHT_CALLS) for call in range(1, 13)]
    G.add_edge(0, 1)
    nx.single_source_shortest_path_length(G, 0)
    assert calls["single_source_shortest_path_length"] - before == ran[-1], "the changed graph is not converted yet"


@pytest.mark.parametrize(
    ("name", "given", "cost"),
    [
        ("shortest_path", {}, SEARCHES),
        ("shortest_path", {"source": 0}, LIGHT),
        ("shortest_path", {"source": 0, "target": 1}, PAIR),
        ("shortest_path_length", {"target": 0, "weight": "weight"}, HEAVY),
        ("closeness_centrality", {}, SEARCHES),
        ("closeness_centrality", {"u": 0}, LIGHT),
        ("harmonic_centrality", {"nbunch": 0}, LIGHT),
        ("eccentricity", {"v": 0}, LIGHT),
        ("eccentricity", {"v": [0, 1]}, SEARCHES),
        ("triangles", {"nodes": 0}, PAIR),
    ],
)
def test_the_arguments_say_what_a_call_costs(name, given, cost):
    implementation = implementations()[name]
    assert implementation.cost(BY_NAME[name].cost, (nx.path_graph(3),), given) == cost


def test_calls_count_once_they_have_succeeded():
    G = nx.path_graph(3)
    before = calls.copy()
    with pytest.raises(nx.NodeNotFound):
        nx.single_source_shortest_path_length(G, "nobody", backend="warpgraph")
    with pytest.raises(nx.NetworkXError):
        list(nx.bfs_edges(G, "nobody", backend="warpgraph"))
    unread = nx.bfs_edges(G, 0, backend="warpgraph")
    assert calls == before
    assert list(unread) == [(0, 1), (1, 2)]
    assert list(nx.bfs_edges(nx.empty_graph(1), 0, backend="warpgraph")) == []
    nx.single_source_shortest_path_length(G, 0, backend="warpgraph")
    assert calls - before == {"bfs_edges": 2, "single_source_shortest_path_length": 1}


def test_a_converted_graph_is_used_at_once(preferred):
    G = nx.path_graph(5000)
    nx.pagerank(G)
    before = calls["has_path"]
    assert nx.has_path(G, 0, 4999)
    assert calls["has_path"] == before + 1


def test_results_are_python_scalars():
    G = nx.karate_club_graph()
    for values in (nx.pagerank(G, backend="warpgraph"), nx.core_number(G, backend="warpgraph")):
        assert {type(value) for value in values.values()} <= {int, float}


def test_an_unknown_parameter_is_an_error():
    with pytest.raises(TypeError, match="max_eror"):
        nx.betweenness_centrality(nx.path_graph(3), backend="warpgraph", max_eror=0.1)

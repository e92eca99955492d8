"""What runs here and what is left to NetworkX, and how users are told."""

from __future__ import annotations

import logging

import pytest

nx = pytest.importorskip("networkx")

from warpgraph.nx import backend, calls


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO, "warpgraph.nx")
    return lambda: [record.getMessage() for record in caplog.records if record.name == "warpgraph.nx"]


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("pagerank", {"dangling": {0: 1}}, "dangling is given"),
        ("pagerank", {"alpha": 1.0}, "alpha is not in [0, 1)"),
        ("closeness_centrality", {"distance": "weight"}, "distance is given"),
        ("betweenness_centrality", {"weight": lambda u, v, d: 1}, "weight is a function"),
        ("minimum_spanning_edges", {"algorithm": "prim"}, "an algorithm other than Kruskal's"),
        ("clustering", {"weight": "weight"}, "weight is given"),
        ("bfs_edges", {"source": 0, "sort_neighbors": sorted}, "sort_neighbors is given"),
        ("eccentricity", {"sp": {}}, "sp is given"),
    ],
)
def test_what_is_not_done_is_declined_with_a_reason(name, given, reason, lines):
    G = nx.path_graph(3)
    assert backend.can_run(name, (G,), given) == reason
    assert lines() == [f"{name} is left to NetworkX: {reason}"]
    with pytest.raises(NotImplementedError):
        list(getattr(nx, name)(G, **given, backend="warpgraph"))


def test_reasons_see_parameters_that_come_by_position():
    G = nx.path_graph(3)
    assert backend.can_run("pagerank", (G, 0.85, None, 100, 1e-6, None, "weight", {0: 1}), {}) == "dangling is given"
    assert backend.can_run("pagerank", (G, 0.85, None, 100, 1e-6, None, "weight", None), {}) is True


@pytest.fixture
def preferred():
    with nx.config(backend_priority=["warpgraph"]):
        yield


def test_small_graphs_stay_with_networkx(preferred, lines):
    before = calls["pagerank"]
    nx.pagerank(nx.path_graph(20))
    assert calls["pagerank"] == before
    assert lines() == ["pagerank is left to NetworkX: the graph has 19 edges, and a conversion pays from 500"]
    nx.pagerank(nx.path_graph(600))
    assert calls["pagerank"] == before + 1


def test_searches_wait_until_a_conversion_pays(preferred):
    G = nx.gnm_random_graph(300, 1000, seed=1)
    before = calls["single_source_shortest_path_length"]
    ran = []
    for source in range(12):
        nx.single_source_shortest_path_length(G, source)
        ran.append(calls["single_source_shortest_path_length"] - before)
    assert ran == [0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6]
    G.add_edge(0, 1)
    nx.single_source_shortest_path_length(G, 0)
    assert calls["single_source_shortest_path_length"] - before == 6, "the changed graph is not converted yet"


def test_a_converted_graph_is_used_at_once(preferred):
    G = nx.path_graph(600)
    nx.pagerank(G)
    before = calls["has_path"]
    assert nx.has_path(G, 0, 599)
    assert calls["has_path"] == before + 1


def test_results_are_python_scalars():
    G = nx.karate_club_graph()
    for values in (nx.pagerank(G, backend="warpgraph"), nx.core_number(G, backend="warpgraph")):
        assert {type(value) for value in values.values()} <= {int, float}


def test_an_unknown_parameter_is_an_error():
    with pytest.raises(TypeError, match="max_eror"):
        nx.betweenness_centrality(nx.path_graph(3), backend="warpgraph", max_eror=0.1)

"""Every function returns what NetworkX returns: values, types, order, exceptions and their messages."""

from __future__ import annotations

import random

import pytest

nx = pytest.importorskip("networkx")

from cases import CASES, CLOSE, call
from graphs import differences, graph, outcome

from _warpgraph_nx import FUNCTIONS, MAKES
from warpgraph.nx import Graph, backend, calls

NAMES = [function.name for function in FUNCTIONS if function.cost != MAKES]
SEEDS = 60


def test_every_function_has_cases():
    assert sorted(CASES) == sorted(NAMES)


def _kinds(rng: random.Random) -> dict[str, object]:
    return {
        "directed": rng.random() < 0.5,
        "weights": rng.choice(["none", "int", "float", "float", "mixed"]),
        "loops": rng.random() < 0.4,
        "multi": rng.random() < 0.15,
    }


@pytest.mark.filterwarnings(r"ignore:\s*bfs_predecessors is deprecated:DeprecationWarning")
@pytest.mark.parametrize("name", NAMES)
def test_results_equal_those_of_networkx(name):
    ran = calls[name]
    for seed in range(SEEDS):
        rng = random.Random(f"{name} {seed}")
        G = graph(rng, **_kinds(rng))
        for given in CASES[name](rng, G):
            _compare(name, G, given, f"seed {seed}, {G}, {given}")
    # Functions for connected graphs raise an exception on most of these.
    assert calls[name] - ran >= SEEDS / 6, "the backend left nearly all calls to NetworkX"


def _compare(name, G, given, where):
    # Converted by the call, and read by it from a graph of the backend.
    theirs = outcome(lambda: call(name, G, given, "networkx"))
    ours = outcome(lambda: call(name, G, given, "warpgraph"))
    if isinstance(ours, tuple) and ours and ours[0] is NotImplementedError:
        # What is left to NetworkX is declared, with a reason that depends on the arguments alone.
        assert f"{name} does not run on warpgraph: " in ours[1], f"{name}, {where}: {ours[1]}"
        return
    wrong = differences(ours, theirs, close=CLOSE.get(name, 0.0))
    assert wrong is None, f"{name}, {where}: {wrong}"


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", ["int", "float", "mixed"])
def test_distances_of_the_engine_come_in_the_order_of_dijkstra(directed, weights):
    """Graphs with so many arcs go to the engine, and their nodes are put in order afterwards."""
    rng = random.Random(weights)
    G = (nx.DiGraph if directed else nx.Graph)()
    for _ in range(21_000):
        value = rng.randint(0, 5)
        value = {"int": value, "float": value / 3, "mixed": rng.choice([value, value / 3])}[weights]
        G.add_edge(rng.randrange(2500), rng.randrange(2500), weight=value)
    for kind in ("single_source_dijkstra_path_length", "single_source_dijkstra_path"):
        theirs = call(kind, G, ((7,), {}), "networkx")
        assert differences(call(kind, G, ((7,), {}), "warpgraph"), theirs) is None


def test_negative_weights_have_the_answers_of_networkx():
    rng = random.Random(11)
    cycles = 0
    for seed in range(200):
        G = nx.gnp_random_graph(8, 0.25, seed=seed, directed=True)
        for u, v in G.edges:
            G[u][v]["weight"] = rng.choice([-1, -1, 1, 2, 3, 4])
        for name in ("single_source_bellman_ford", "bellman_ford_predecessor_and_distance", "single_source_dijkstra"):
            theirs = outcome(lambda: call(name, G, ((0,), {}), "networkx"))
            ours = outcome(lambda: call(name, G, ((0,), {}), "warpgraph"))
            cycles += theirs[0] is nx.NetworkXUnbounded
            assert differences(ours, theirs) is None, f"{name} on seed {seed}"
    assert 50 < cycles < 400


def test_a_larger_graph_has_the_values_of_networkx():
    G = nx.barabasi_albert_graph(1500, 4, seed=2)
    for name, given in [
        ("pagerank", ((), {"tol": 1e-10})),
        ("betweenness_centrality", ((), {"k": 20, "seed": 1})),
        ("closeness_centrality", ((), {"u": 17})),
        ("core_number", ((), {})),
        ("triangles", ((), {})),
        ("clustering", ((), {})),
        ("minimum_spanning_edges", ((), {"data": False})),
        ("single_source_shortest_path", ((3,), {})),
    ]:
        theirs, ours = (outcome(lambda b=b: call(name, G, given, b)) for b in ("networkx", "warpgraph"))
        assert differences(ours, theirs, close=CLOSE.get(name, 0.0)) is None, name


def test_an_error_that_is_allowed_is_kept():
    G = nx.barabasi_albert_graph(400, 3, seed=2)
    exact = nx.betweenness_centrality(G)
    estimated = nx.betweenness_centrality(G, backend="warpgraph", max_error=0.05)
    assert max(abs(exact[node] - estimated[node]) for node in G) <= 0.05
    assert estimated != exact


def test_answers_on_a_graph_of_the_backend_are_the_same():
    G = nx.karate_club_graph()
    converted = backend.convert_from_nx(G, edge_attrs={"weight": 1})
    assert isinstance(converted, Graph)
    assert nx.single_source_dijkstra_path_length(converted, 0) == nx.single_source_dijkstra_path_length(G, 0)
    assert list(nx.bfs_edges(converted, 3)) == list(nx.bfs_edges(G, 3))
    with nx.config(fallback_to_nx=True):
        assert nx.is_planar(converted) == nx.is_planar(G)

"""Calls of every function of the table, with arguments drawn from a graph."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import networkx as nx

Call = tuple[tuple[Any, ...], dict[str, Any]]
Draw = Callable[[random.Random, Any], list[Call]]


def _node(rng: random.Random, G: Any) -> Any:
    """Draws a node; sometimes one that the graph does not have."""
    return rng.choice(list(G)) if len(G) and rng.random() < 0.95 else "nobody"


def _nodes(rng: random.Random, G: Any) -> list[Any]:
    return rng.sample(list(G), rng.randint(0, len(G)))


def plain(*keywords: dict[str, Any]) -> Draw:
    """Calls with the graph alone, and with each of these keywords."""
    return lambda rng, G: [((), keyword) for keyword in ({}, *keywords)]


def from_node(*keywords: dict[str, Any]) -> Draw:
    """Calls with a node."""
    return lambda rng, G: [((_node(rng, G),), keyword) for keyword in ({}, *keywords)]


def between(*keywords: dict[str, Any]) -> Draw:
    """Calls with two nodes."""
    return lambda rng, G: [((_node(rng, G), _node(rng, G)), keyword) for keyword in ({}, *keywords)]


_CUTOFF = ({"cutoff": 0}, {"cutoff": 2}, {"cutoff": 1.5}, {"cutoff": -1})
_DEPTH = ({"depth_limit": 0}, {"depth_limit": 2})
_METHODS = ({"weight": "weight"}, {"weight": "weight", "method": "bellman-ford"}, {"method": "nothing"})
_WEIGHT = ({"weight": None}, {"weight": "absent"})


def _layers(rng: random.Random, G: Any) -> list[Call]:
    return [((_node(rng, G),), {}), ((_nodes(rng, G),), {})]


def _at_distance(rng: random.Random, G: Any) -> list[Call]:
    return [((_node(rng, G), distance), {}) for distance in (0, 1, 2, 99, -1)]


def _to_target(rng: random.Random, G: Any) -> list[Call]:
    return [((_node(rng, G),), {"target": _node(rng, G), **more}) for more in ({}, {"weight": None})]


def _several(rng: random.Random, G: Any) -> list[Call]:
    return [((_nodes(rng, G),), keyword) for keyword in ({}, *_CUTOFF)] + [(([],), {}), ((["nobody"],), {})]


def _generic(rng: random.Random, G: Any) -> list[Call]:
    ends = [{}, {"source": _node(rng, G)}, {"target": _node(rng, G)}]
    ends.append({"source": _node(rng, G), "target": _node(rng, G)})
    return [((), {**end, **method}) for end in ends for method in ({}, *_METHODS)]


def _pagerank(rng: random.Random, G: Any) -> list[Call]:
    some = {node: rng.randint(0, 3) for node in _nodes(rng, G)}
    keywords: list[dict[str, Any]] = [{}, {"alpha": 0.5}, {"weight": None}, {"personalization": some}, {"max_iter": 0}]
    return [((), {"tol": 1e-12, "max_iter": 1000, **keyword}) for keyword in keywords]


def _betweenness(rng: random.Random, G: Any) -> list[Call]:
    k = rng.randint(1, max(1, len(G)))
    keywords: list[dict[str, Any]] = [{}, {"normalized": False}, {"endpoints": True}, {"weight": "weight"}]
    keywords += [{"k": k, "seed": 3}, {"k": k, "seed": 4, "endpoints": True}, {"k": k, "seed": 5, "normalized": False}]
    return [((), keyword) for keyword in keywords]


def _some_or_one(name: str) -> Draw:
    return lambda rng, G: [((), {}), ((), {name: _nodes(rng, G)}), ((), {name: _node(rng, G)})]


def _closeness(rng: random.Random, G: Any) -> list[Call]:
    return [((), {}), ((), {"wf_improved": False}), ((), {"u": _node(rng, G)})]


def _clustering(rng: random.Random, G: Any) -> list[Call]:
    return [((), {}), ((), {"count_zeros": False}), ((), {"nodes": _nodes(rng, G)})]


_SPANNING = ({"data": False}, {"weight": None}, {"weight": "absent"}, {"algorithm": "prim"})

CASES: dict[str, Draw] = {
    "all_pairs_all_shortest_paths": plain({"weight": "weight"}),
    "all_pairs_bellman_ford_path": plain(*_WEIGHT),
    "all_pairs_bellman_ford_path_length": plain(*_WEIGHT),
    "all_pairs_dijkstra": plain(*_WEIGHT, *_CUTOFF),
    "all_pairs_dijkstra_path": plain(*_WEIGHT, *_CUTOFF),
    "all_pairs_dijkstra_path_length": plain(*_WEIGHT, *_CUTOFF),
    "all_pairs_shortest_path": plain(*_CUTOFF),
    "all_pairs_shortest_path_length": plain(*_CUTOFF),
    "all_shortest_paths": between(*_METHODS),
    "ancestors": from_node(),
    "average_clustering": _clustering,
    "average_shortest_path_length": plain({"weight": "weight"}, {"method": "unweighted"}),
    "bellman_ford_path": between(*_WEIGHT),
    "bellman_ford_path_length": between(*_WEIGHT),
    "bellman_ford_predecessor_and_distance": from_node(*_WEIGHT, {"heuristic": True}),
    "betweenness_centrality": _betweenness,
    "bfs_edges": from_node({"reverse": True}, *_DEPTH),
    "bfs_layers": _layers,
    "bfs_predecessors": from_node(*_DEPTH),
    "bfs_successors": from_node(*_DEPTH),
    "bfs_tree": from_node({"reverse": True}, *_DEPTH),
    "bidirectional_dijkstra": between(*_WEIGHT),
    "bidirectional_shortest_path": between(),
    "center": plain(),
    "closeness_centrality": _closeness,
    "clustering": _some_or_one("nodes"),
    "condensation": plain(),
    "connected_components": plain(),
    "core_number": plain(),
    "degree_centrality": plain(),
    "descendants": from_node(),
    "descendants_at_distance": _at_distance,
    "diameter": plain({"usebounds": True}),
    "dijkstra_path": between(*_WEIGHT),
    "dijkstra_path_length": between(*_WEIGHT),
    "dijkstra_predecessor_and_distance": from_node(*_WEIGHT, *_CUTOFF),
    "eccentricity": _some_or_one("v"),
    "harmonic_centrality": _some_or_one("nbunch"),
    "has_path": between(),
    "in_degree_centrality": plain(),
    "is_connected": plain(),
    "is_strongly_connected": plain(),
    "is_weakly_connected": plain(),
    "label_propagation_communities": plain(),
    "k_core": plain({"k": 1}, {"k": 2}),
    "k_crust": plain({"k": 1}, {"k": 2}),
    "k_shell": plain({"k": 1}, {"k": 2}),
    "maximum_spanning_edges": plain(*_SPANNING),
    "maximum_spanning_tree": plain({"weight": "absent"}),
    "minimum_spanning_edges": plain(*_SPANNING),
    "minimum_spanning_tree": plain({"weight": "absent"}),
    "multi_source_dijkstra": _several,
    "multi_source_dijkstra_path": _several,
    "multi_source_dijkstra_path_length": _several,
    "node_connected_component": from_node(),
    "number_connected_components": plain(),
    "number_strongly_connected_components": plain(),
    "number_weakly_connected_components": plain(),
    "out_degree_centrality": plain(),
    "pagerank": _pagerank,
    "periphery": plain(),
    "predecessor": lambda rng, G: from_node(*_CUTOFF, {"return_seen": True})(rng, G)
    + [((_node(rng, G), _node(rng, G)), {"return_seen": seen}) for seen in (None, True)],
    "radius": plain(),
    "shortest_path": _generic,
    "shortest_path_length": _generic,
    "single_source_all_shortest_paths": from_node(*_METHODS),
    "single_source_bellman_ford": lambda rng, G: from_node(*_WEIGHT)(rng, G) + _to_target(rng, G),
    "single_source_bellman_ford_path": from_node(*_WEIGHT),
    "single_source_bellman_ford_path_length": from_node(*_WEIGHT),
    "single_source_dijkstra": lambda rng, G: from_node(*_WEIGHT, *_CUTOFF)(rng, G) + _to_target(rng, G),
    "single_source_dijkstra_path": from_node(*_WEIGHT, *_CUTOFF),
    "single_source_dijkstra_path_length": from_node(*_WEIGHT, *_CUTOFF),
    "single_source_shortest_path": from_node(*_CUTOFF),
    "single_source_shortest_path_length": from_node(*_CUTOFF),
    "single_target_shortest_path": from_node(*_CUTOFF),
    "single_target_shortest_path_length": from_node(*_CUTOFF),
    "strongly_connected_components": plain(),
    "transitivity": plain(),
    "triangles": _some_or_one("nodes"),
    "weakly_connected_components": plain(),
}

#: How far floats may differ: sums are added in another order. Everything that is not named is equal to the last bit.
CLOSE = {
    "average_clustering": 1e-12,
    "betweenness_centrality": 1e-9,
    "harmonic_centrality": 1e-12,
    "pagerank": 1e-9,
}



def named(name: str) -> Any:
    """Returns NetworkX's function of this name, wherever it is exported."""
    places = (nx, nx.algorithms, nx.community, nx.convert_matrix)
    return next(function for place in places if (function := getattr(place, name, None)) is not None)


def call(name: str, G: Any, given: Call, backend: str) -> Any:
    """Calls a function of NetworkX with a backend."""
    args, kwargs = given
    return named(name)(G, *args, **kwargs, backend=backend)

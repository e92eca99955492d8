"""Shortest paths by hops or by weight, as the arguments ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from _warpgraph_nx import HEAVY, PAIR, SEARCHES

from . import _unweighted as hops
from . import _weighted as by_weight
from ._graph import Graph, native
from ._registry import function, given, weighted

_METHODS = "dijkstra", "bellman-ford"


def _method(weight: Any, method: str) -> str:
    if method not in _METHODS:
        raise ValueError(f"method not supported: {method}")
    return "unweighted" if weight is None else method


def _to_one(arguments: dict[str, Any]) -> str | None:
    one = arguments["source"] is None and arguments["target"] is not None
    if one and arguments["weight"] is not None and arguments["G"].is_directed():
        return "weighted paths to one target of a directed graph"
    return None


def _ends(arguments: dict[str, Any]) -> str | None:
    """A path between two nodes, from or to one by weight, or between all pairs."""
    given = sum(arguments[end] is not None for end in ("source", "target"))
    return {0: SEARCHES, 1: _one(arguments), 2: PAIR}[given]


def _one(arguments: dict[str, Any]) -> str | None:
    return None if arguments["weight"] is None else HEAVY


@function(weighted(), _to_one, costs=_ends)
def shortest_path(
    G: Graph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    method = _method(weight, method)
    if source is None and target is None:
        if method == "unweighted":
            return hops.all_pairs_shortest_path(G)
        if method == "dijkstra":
            return by_weight.all_pairs_dijkstra_path(G, weight=weight)
        return by_weight.all_pairs_bellman_ford_path(G, weight=weight)
    if source is not None and target is not None:
        if method == "unweighted":
            return hops.bidirectional_shortest_path(G, source, target)
        if method == "dijkstra":
            return by_weight.bidirectional_dijkstra(G, source, target, weight)[1]
        return by_weight.bellman_ford_path(G, source, target, weight)
    if source is None and method == "unweighted":
        if target not in G:
            raise nx.NodeNotFound(f"Source {target} not in G")
        return hops.single_target_shortest_path(G, target)
    # Without a source the graph is undirected here, and paths from the target lead to it backwards.
    start = target if source is None else source
    if method == "unweighted":
        paths = hops.single_source_shortest_path(G, start)
    elif method == "dijkstra":
        paths = by_weight.single_source_dijkstra_path(G, start, weight=weight)
    else:
        paths = by_weight.single_source_bellman_ford_path(G, start, weight=weight)
    return {node: path[::-1] for node, path in paths.items()} if source is None else paths


@function(weighted(), _to_one, costs=_ends)
def shortest_path_length(
    G: Graph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    method = _method(weight, method)
    if source is None and target is None:
        if method == "unweighted":
            return hops.all_pairs_shortest_path_length(G)
        if method == "dijkstra":
            return by_weight.all_pairs_dijkstra_path_length(G, weight=weight)
        return by_weight.all_pairs_bellman_ford_path_length(G, weight=weight)
    if source is not None and target is not None:
        if method == "unweighted":
            return len(hops.bidirectional_shortest_path(G, source, target)) - 1
        if method == "dijkstra":
            return by_weight.dijkstra_path_length(G, source, target, weight)
        return by_weight.bellman_ford_path_length(G, source, target, weight)
    if source is None and method == "unweighted":
        if target not in G:
            raise nx.NodeNotFound(f"Source {target} is not in G")
        return hops.single_target_shortest_path_length(G, target)
    start = target if source is None else source
    if method == "unweighted":
        return hops.single_source_shortest_path_length(G, start)
    if method == "dijkstra":
        return by_weight.single_source_dijkstra_path_length(G, start, weight=weight)
    return by_weight.single_source_bellman_ford_path_length(G, start, weight=weight)


def _not_by_hops(arguments: dict[str, Any]) -> str | None:
    return None if arguments["method"] in (None, "unweighted") else "a method other than unweighted"


@function(given("weight"), _not_by_hops)
def average_shortest_path_length(G: Graph, weight: Any = None, method: str | None = None) -> float:
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    count = native.strong_count if G.is_directed() else native.weak_count
    if count(G.adjacency) != 1:
        kind = "strongly connected" if G.is_directed() else "connected"
        raise nx.NetworkXError(f"Graph is not {kind}.")
    total = native.distance_sums(G.adjacency)[0]
    return total / (n * (n - 1))  # type: ignore[no-any-return]


# NetworkX builds all shortest paths from predecessors, which it asks this backend for.


@function(weighted(), costs=_one)
def all_shortest_paths(
    G: Graph, source: Any, target: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[list[Any]]:
    return nx.all_shortest_paths.orig_func(G, source, target, weight, method)  # type: ignore[no-any-return]


@function(weighted(), costs=_one)
def single_source_all_shortest_paths(
    G: Graph, source: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, list[list[Any]]]]:
    yield from nx.single_source_all_shortest_paths.orig_func(G, source, weight, method)


@function(weighted())
def all_pairs_all_shortest_paths(
    G: Graph, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, dict[Any, list[list[Any]]]]]:
    for node in G:
        yield node, dict(single_source_all_shortest_paths(G, node, weight, method))

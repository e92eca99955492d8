"""Shortest paths by weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx

from ._common import known
from ._graph import Graph, native
from ._registry import function, weighted

Lengths = dict[Any, Any]
Paths = dict[Any, list[Any]]


def _search(
    G: Graph, sources: list[int], weight: str | None, kind: str, cutoff: Any = None, target: int | None = None
) -> Any:
    return native.dijkstra(G.adjacency, G.column(weight), sources, cutoff, target, kind)


def _sources(G: Graph, sources: Iterable[Any]) -> list[int]:
    if not sources:
        raise ValueError("sources must not be empty")
    return list(dict.fromkeys(known(G, source, "Node {} not found in graph") for source in sources))


@function(weighted())
def multi_source_dijkstra_path_length(
    G: Graph, sources: Any, cutoff: Any = None, weight: Any = "weight"
) -> Lengths:
    return _search(G, _sources(G, sources), weight, "lengths", cutoff)  # type: ignore[no-any-return]


@function(weighted())
def multi_source_dijkstra(
    G: Graph, sources: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight"
) -> tuple[Any, Any]:
    numbers = _sources(G, sources)
    if target in sources:
        return 0, [target]
    if target is None:
        return _search(G, numbers, weight, "paths", cutoff)  # type: ignore[no-any-return]
    number = G.number(target)
    found = None if number is None else _search(G, numbers, weight, "target", cutoff, number)
    if found is None:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return found  # type: ignore[no-any-return]


@function(weighted())
def multi_source_dijkstra_path(G: Graph, sources: Any, cutoff: Any = None, weight: Any = "weight") -> Paths:
    return multi_source_dijkstra(G, sources, cutoff=cutoff, weight=weight)[1]  # type: ignore[no-any-return]


@function(weighted())
def single_source_dijkstra(
    G: Graph, source: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight"
) -> tuple[Any, Any]:
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)  # type: ignore[no-any-return]


@function(weighted())
def single_source_dijkstra_path(G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight") -> Paths:
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)  # type: ignore[no-any-return]


@function(weighted())
def single_source_dijkstra_path_length(
    G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight"
) -> Lengths:
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)  # type: ignore[no-any-return]


@function(weighted())
def dijkstra_path(G: Graph, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    return single_source_dijkstra(G, source, target, weight=weight)[1]  # type: ignore[no-any-return]


@function(weighted())
def dijkstra_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:
    start = known(G, source, "Node {} not found in graph")
    if source == target:
        return 0
    number = G.number(target)
    found = None if number is None else _search(G, [start], weight, "target", None, number)
    if found is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return found[0]


@function(weighted())
def dijkstra_predecessor_and_distance(
    G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight"
) -> tuple[Paths, Lengths]:
    number = known(G, source, "Node {} is not found in the graph")
    return _search(G, [number], weight, "predecessors", cutoff)  # type: ignore[no-any-return]


@function(weighted())
def all_pairs_dijkstra(
    G: Graph, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Any, tuple[Lengths, Paths]]]:
    for number, node in enumerate(G):
        yield node, _search(G, [number], weight, "paths", cutoff)


@function(weighted())
def all_pairs_dijkstra_path_length(
    G: Graph, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Any, Lengths]]:
    for number, node in enumerate(G):
        yield node, _search(G, [number], weight, "lengths", cutoff)


@function(weighted())
def all_pairs_dijkstra_path(
    G: Graph, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Any, Paths]]:
    for number, node in enumerate(G):
        yield node, _search(G, [number], weight, "paths", cutoff)[1]


@function(weighted())
def bidirectional_dijkstra(G: Graph, source: Any, target: Any, weight: Any = "weight") -> tuple[Any, list[Any]]:
    ends = known(G, source), known(G, target, "Target {} is not in G")
    if source == target:
        return 0, [source]
    found = native.path_by_weight(G.with_sources(), G.column(weight), *ends)
    if found is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return found  # type: ignore[no-any-return]


def _queue(
    G: Graph, source: int, weight: str | None, kind: str, target: int | None = None, heuristic: bool = True
) -> tuple[Lengths, Paths]:
    found = native.bellman_ford(G.adjacency, G.column(weight), source, target, heuristic, kind)
    if found is None:
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    return found  # type: ignore[no-any-return]


@function(weighted())
def bellman_ford_predecessor_and_distance(
    G: Graph, source: Any, target: Any = None, weight: Any = "weight", heuristic: bool = False
) -> tuple[Paths, Lengths]:
    number = known(G, source, "Node {} is not found in the graph")
    column = G.column(weight)
    if column is not None and native.has_negative_loop(G.adjacency, column):
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    if len(G) == 1:
        return {source: []}, {source: 0}
    lengths, predecessors = _queue(G, number, weight, "predecessors", None, heuristic)
    return predecessors, lengths


@function(weighted())
def single_source_bellman_ford(
    G: Graph, source: Any, target: Any = None, weight: Any = "weight"
) -> tuple[Any, Any]:
    if source == target:
        known(G, source, "Node {} is not found in the graph")
        return 0, [source]
    start = known(G, source, "Source {} not in G")
    if target is None:
        return _queue(G, start, weight, "paths")
    lengths, paths = _queue(G, start, weight, "paths", G.number(target))
    if target not in lengths:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return lengths[target], paths[target]


@function(weighted())
def single_source_bellman_ford_path(G: Graph, source: Any, weight: Any = "weight") -> Paths:
    return single_source_bellman_ford(G, source, weight=weight)[1]  # type: ignore[no-any-return]


@function(weighted())
def single_source_bellman_ford_path_length(G: Graph, source: Any, weight: Any = "weight") -> Lengths:
    return _queue(G, known(G, source, "Source {} not in G"), weight, "lengths")[0]


@function(weighted())
def bellman_ford_path(G: Graph, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    return single_source_bellman_ford(G, source, target, weight)[1]  # type: ignore[no-any-return]


@function(weighted())
def bellman_ford_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:
    if source == target:
        known(G, source, "Node {} not found in graph")
        return 0
    lengths = single_source_bellman_ford_path_length(G, source, weight)
    if target not in lengths:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return lengths[target]


@function(weighted())
def all_pairs_bellman_ford_path_length(G: Graph, weight: Any = "weight") -> Iterator[tuple[Any, Lengths]]:
    for number, node in enumerate(G):
        yield node, _queue(G, number, weight, "lengths")[0]


@function(weighted())
def all_pairs_bellman_ford_path(G: Graph, weight: Any = "weight") -> Iterator[tuple[Any, Paths]]:
    for number, node in enumerate(G):
        yield node, _queue(G, number, weight, "paths")[1]

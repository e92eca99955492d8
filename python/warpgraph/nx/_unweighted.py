"""Shortest paths by hops."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import networkx as nx

from ._common import known, levels
from ._graph import Graph, native
from ._registry import function


@function()
def single_source_shortest_path_length(G: Graph, source: Any, cutoff: Any = None) -> dict[Any, int]:
    return native.bfs_lengths(G.adjacency, known(G, source), levels(cutoff), False)  # type: ignore[no-any-return]


@function()
def single_target_shortest_path_length(G: Graph, target: Any, cutoff: Any = None) -> dict[Any, int]:
    number = known(G, target, "Target {} is not in G")
    return native.bfs_lengths(G.with_sources(), number, levels(cutoff), True)  # type: ignore[no-any-return]


@function()
def all_pairs_shortest_path_length(G: Graph, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, int]]]:
    depth = levels(cutoff)
    for number, node in enumerate(G):
        yield node, native.bfs_lengths(G.adjacency, number, depth, False)


@function()
def single_source_shortest_path(G: Graph, source: Any, cutoff: Any = None) -> dict[Any, list[Any]]:
    number = known(G, source, "Source {} not in G")
    return native.bfs_paths(G.adjacency, number, levels(cutoff), False)  # type: ignore[no-any-return]


@function()
def single_target_shortest_path(G: Graph, target: Any, cutoff: Any = None) -> dict[Any, list[Any]]:
    number = known(G, target, "Target {} not in G")
    return native.bfs_paths(G.with_sources(), number, levels(cutoff), True)  # type: ignore[no-any-return]


@function()
def all_pairs_shortest_path(G: Graph, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    depth = levels(cutoff)
    for number, node in enumerate(G):
        yield node, native.bfs_paths(G.adjacency, number, depth, False)


@function()
def bidirectional_shortest_path(G: Graph, source: Any, target: Any) -> list[Any]:
    ends = known(G, source), known(G, target, "Target {} is not in G")
    path = native.path_by_hops(G.with_sources(), *ends)
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return path  # type: ignore[no-any-return]


@function()
def has_path(G: Graph, source: Any, target: Any) -> bool:
    try:
        bidirectional_shortest_path(G, source, target)
    except nx.NetworkXNoPath:
        return False
    return True


@function()
def predecessor(
    G: Graph, source: Any, target: Any = None, cutoff: Any = None, return_seen: bool | None = None
) -> Any:
    number = known(G, source, "Source {} not in G")
    # NetworkX looks at the cutoff after each level, so that it is never less than one.
    limit = max(1, math.ceil(min(cutoff, len(G)))) if cutoff else 0
    parents, seen = native.bfs_parents(G.adjacency, number, limit)
    if target is not None:
        parents, seen = parents.get(target, []), seen.get(target, -1)
    return (parents, seen) if return_seen else parents

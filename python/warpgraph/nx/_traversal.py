"""Breadth-first search: nodes, edges and levels in the order of the search."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import networkx as nx

from ._common import levels
from ._graph import Graph, native
from ._registry import function, given

Sort = Callable[[Iterable[Any]], Iterable[Any]]


def _edges(G: Graph, source: Any, reverse: bool, depth_limit: Any) -> list[tuple[Any, Any]]:
    number = G.number(source)
    if number is None:
        kind = "digraph" if G.is_directed() else "graph"
        raise nx.NetworkXError(f"The node {source} is not in the {kind}.")
    backwards = bool(reverse) and G.is_directed()
    adjacency = G.with_sources() if backwards else G.adjacency
    return native.bfs_edges(adjacency, number, levels(depth_limit), backwards)  # type: ignore[no-any-return]


@function(given("sort_neighbors"))
def bfs_edges(
    G: Graph, source: Any, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Sort | None = None
) -> Iterator[tuple[Any, Any]]:
    yield from _edges(G, source, reverse, depth_limit)


@function(given("sort_neighbors"))
def bfs_tree(
    G: Graph, source: Any, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Sort | None = None
) -> nx.DiGraph:
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(_edges(G, source, reverse, depth_limit))
    return tree


@function(given("sort_neighbors"))
def bfs_predecessors(
    G: Graph, source: Any, depth_limit: Any = None, sort_neighbors: Sort | None = None
) -> Iterator[tuple[Any, Any]]:
    # NetworkX reads edges, which it asks this backend for; from 3.7 on it also warns that the function will go.
    yield from nx.bfs_predecessors.orig_func(G, source, depth_limit)


@function(given("sort_neighbors"))
def bfs_successors(
    G: Graph, source: Any, depth_limit: Any = None, sort_neighbors: Sort | None = None
) -> Iterator[tuple[Any, list[Any]]]:
    edges = _edges(G, source, False, depth_limit)
    if not edges:
        yield source, []
    for parent, group in groupby(edges, itemgetter(0)):
        yield parent, [child for _, child in group]


def _layers(G: Graph, sources: Any, depth: int | None) -> list[list[Any]]:
    if sources in G:
        sources = [sources]
    first = list(set(sources))
    for source in first:
        if source not in G:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
    return native.bfs_layers(G.adjacency, G.numbers(first), depth) if first else []


@function()
def bfs_layers(G: Graph, sources: Any) -> Iterator[list[Any]]:
    yield from _layers(G, sources, None)


@function()
def descendants_at_distance(G: Graph, source: Any, distance: Any) -> set[Any]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    layers = _layers(G, source, levels(distance) if distance < math.inf else None)
    return next((set(layer) for level, layer in enumerate(layers) if level == distance), set())


@function()
def descendants(G: Graph, source: Any) -> set[Any]:
    return {child for _, child in _edges(G, source, False, None)}


@function()
def ancestors(G: Graph, source: Any) -> set[Any]:
    return {child for _, child in _edges(G, source, True, None)}

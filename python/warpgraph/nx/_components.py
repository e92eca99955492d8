"""Connected components."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from ._graph import Graph, native
from ._registry import function, given

Sets = Iterator[set[Any]]


def _needs_nodes(G: Graph) -> None:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")


@function()
def connected_components(G: Graph) -> Sets:
    yield from native.weak_components(G.adjacency)


@function()
def weakly_connected_components(G: Graph) -> Sets:
    yield from native.weak_components(G.adjacency)


@function()
def number_connected_components(G: Graph) -> int:
    return native.weak_count(G.adjacency)  # type: ignore[no-any-return]


@function()
def number_weakly_connected_components(G: Graph) -> int:
    return native.weak_count(G.adjacency)  # type: ignore[no-any-return]


@function()
def is_connected(G: Graph) -> bool:
    _needs_nodes(G)
    return native.weak_count(G.adjacency) == 1  # type: ignore[no-any-return]


@function()
def is_weakly_connected(G: Graph) -> bool:
    _needs_nodes(G)
    return native.weak_count(G.adjacency) == 1  # type: ignore[no-any-return]


@function()
def node_connected_component(G: Graph, n: Any) -> set[Any]:
    number = G.number(n)
    if number is None:
        raise KeyError(n)
    return set(native.bfs_lengths(G.adjacency, number, None, False))


@function()
def strongly_connected_components(G: Graph) -> Sets:
    yield from native.strong_components(G.adjacency)


@function()
def number_strongly_connected_components(G: Graph) -> int:
    return native.strong_count(G.adjacency)  # type: ignore[no-any-return]


@function()
def is_strongly_connected(G: Graph) -> bool:
    _needs_nodes(G)
    return native.strong_count(G.adjacency) == 1  # type: ignore[no-any-return]


@function(given("scc"))
def condensation(G: Graph, scc: Any = None) -> nx.DiGraph:
    condensed = nx.DiGraph()
    mapping: dict[Any, int] = {}
    condensed.graph["mapping"] = mapping
    components, edges = native.condensed(G.adjacency)
    for number, members in enumerate(components):
        mapping.update((node, number) for node in members)
        condensed.add_node(number, members=members)
    condensed.add_edges_from(edges)
    return condensed

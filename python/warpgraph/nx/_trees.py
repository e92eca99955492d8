"""Spanning trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ._graph import Graph, native
from ._registry import directed, function, multigraph, weighted


def _kruskal(arguments: dict[str, Any]) -> str | None:
    return None if arguments["algorithm"] == "kruskal" else "an algorithm other than Kruskal's"


def _forest(G: Graph, weight: Any, minimum: bool) -> list[tuple[Any, Any]]:
    return native.forest(G.adjacency, G.column(weight), minimum)  # type: ignore[no-any-return]


def _edges(G: Graph, weight: Any, data: bool, minimum: bool) -> Iterator[tuple[Any, ...]]:
    forest = _forest(G, weight, minimum)
    if not data:
        yield from forest
        return
    adjacency = G.source._adj
    for u, v in forest:
        yield u, v, adjacency[u][v]


def _tree(G: Graph, weight: Any, minimum: bool) -> Any:
    source = G.source
    tree = source.__class__()
    tree.graph.update(source.graph)
    tree.add_nodes_from(source.nodes.items())
    tree.add_edges_from(_edges(G, weight, True, minimum))
    return tree


@function(weighted(), _kruskal, multigraph, directed)
def minimum_spanning_edges(
    G: Graph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[tuple[Any, ...]]:
    return _edges(G, weight, data, True)


@function(weighted(), _kruskal, multigraph, directed)
def maximum_spanning_edges(
    G: Graph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[tuple[Any, ...]]:
    return _edges(G, weight, data, False)


@function(weighted(), _kruskal, multigraph, directed)
def minimum_spanning_tree(
    G: Graph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    return _tree(G, weight, True)


@function(weighted(), _kruskal, multigraph, directed)
def maximum_spanning_tree(
    G: Graph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    return _tree(G, weight, False)

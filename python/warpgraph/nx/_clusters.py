"""Triangles, clustering and cores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx

from _warpgraph_nx import PAIR

from ._common import bunch
from ._graph import Graph, native
from ._registry import directed, function, given, multigraph, of_one


def _of(G: Graph, values: dict[Any, Any], nodes: Any) -> Any:
    """Returns the values of some nodes, or the value of one."""
    if nodes is None:
        return values
    if nodes in G:
        return values[nodes]
    return {node: values[node] for node in bunch(G, nodes)}


@function(multigraph, costs=of_one("nodes", PAIR))
def triangles(G: Graph, nodes: Any = None) -> Any:
    return _of(G, native.triangles(G.adjacency), nodes)


@function(multigraph, directed, given("weight"), costs=of_one("nodes", PAIR))
def clustering(G: Graph, nodes: Any = None, weight: Any = None) -> Any:
    return _of(G, native.clustering(G.adjacency)[0], nodes)


@function(multigraph, directed, given("weight"))
def average_clustering(G: Graph, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> float:
    values: list[float] = list(clustering(G, nodes).values())
    if not count_zeros:
        values = [value for value in values if abs(value) > 0]
    return sum(values) / len(values)


@function(multigraph, directed)
def transitivity(G: Graph) -> float:
    _, corners, pairs = native.clustering(G.adjacency)
    return corners / pairs if corners else 0


@function()
def core_number(G: Graph) -> dict[Any, int]:
    if G.adjacency.self_loops > 0:
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    return native.core_numbers(G.adjacency)  # type: ignore[no-any-return]


def _subgraph(G: Graph, cores: dict[Any, int] | None, keeps: Callable[[int, int], bool], k: int | None, less: int) -> Any:
    if cores is None:
        cores = core_number(G)
    if k is None:
        k = max(cores.values()) - less
    return G.source.subgraph([node for node, core in cores.items() if keeps(core, k)]).copy()


@function()
def k_core(G: Graph, k: int | None = None, core_number: dict[Any, int] | None = None) -> Any:
    return _subgraph(G, core_number, lambda core, k: core >= k, k, 0)


@function()
def k_shell(G: Graph, k: int | None = None, core_number: dict[Any, int] | None = None) -> Any:
    return _subgraph(G, core_number, lambda core, k: core == k, k, 0)


@function()
def k_crust(G: Graph, k: int | None = None, core_number: dict[Any, int] | None = None) -> Any:
    return _subgraph(G, core_number, lambda core, k: core <= k, k, 1)

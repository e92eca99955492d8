"""Eccentricity and what follows from it."""

from __future__ import annotations

from typing import Any

import networkx as nx

from _warpgraph_nx import LIGHT

from ._common import NETWORKX, bunch
from ._graph import Graph, native
from ._registry import function, given, of_one


def _eccentricities(G: Graph, nodes: list[Any]) -> dict[Any, int]:
    if len(G) == 0 and NETWORKX >= (3, 7):
        raise nx.NetworkXPointlessConcept("Cannot compute eccentricity of a null graph.")
    if not nodes:
        return {}
    everywhere = len(nodes) == len(G)
    count = native.strong_count if G.is_directed() else native.weak_count
    is_connected = not everywhere or count(G.adjacency) == 1
    if is_connected:
        asked = [] if everywhere else G.numbers(dict.fromkeys(nodes))
        values, reached = native.eccentricity(G.backwards(), asked)
        is_connected = reached == len(G) - 1
    if not is_connected:
        what = "digraph is not strongly connected" if G.is_directed() else "graph is not connected"
        raise nx.NetworkXError(f"Found infinite path length because the {what}")
    return {node: values[node] for node in nodes}


@function(given("sp", "weight"), costs=of_one("v", LIGHT))
def eccentricity(G: Graph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    values = _eccentricities(G, bunch(G, v))
    return values[v] if v in G else values


def _all(G: Graph) -> dict[Any, int]:
    return _eccentricities(G, list(G))


@function(given("e", "usebounds", "weight"))
def diameter(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:
    return max(_all(G).values())


@function(given("e", "usebounds", "weight"))
def radius(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:
    return min(_all(G).values())


@function(given("e", "usebounds", "weight"))
def periphery(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    values = _all(G)
    most = max(values.values())
    return [node for node, value in values.items() if value == most]


def _tree(arguments: dict[str, Any]) -> str | None:
    G = arguments["G"]
    is_small = not G.is_directed() and (len(G) == 0 or G.number_of_edges() == len(G) - 1)
    return "the center of a tree takes one pass" if is_small else None


@function(given("e", "usebounds", "weight"), _tree)
def center(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    values = _all(G)
    least = min(values.values())
    return [node for node, value in values.items() if value == least]

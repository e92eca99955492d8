"""Centralities."""

from __future__ import annotations

from typing import Any

import networkx as nx
from networkx.utils import create_py_random_state

from _warpgraph_nx import LIGHT

from ._common import bunch, known
from ._graph import Graph, native
from ._registry import function, given, of_one, weighted

Scores = dict[Any, float]


def _walk(arguments: dict[str, Any]) -> str | None:
    if not 0 <= arguments["alpha"] < 1:
        return "alpha is not in [0, 1)"
    if any(share < 0 for share in (arguments["personalization"] or {}).values()):
        return "a negative personalization"
    parallel = arguments["G"].is_multigraph() and arguments["weight"] is None
    return "parallel edges that count without weights" if parallel else None


@function(weighted(), given("dangling"), _walk)
def pagerank(
    G: Graph,
    alpha: float = 0.85,
    personalization: dict[Any, float] | None = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: dict[Any, float] | None = None,
    weight: Any = "weight",
    dangling: dict[Any, float] | None = None,
) -> Scores:
    n = len(G)
    if n == 0:
        return {}
    teleport: list[tuple[int, float]] = []
    if personalization is not None:
        shares = ((G.number(node), float(share)) for node, share in personalization.items())
        teleport = [(number, share) for number, share in shares if number is not None and share > 0]
        if not teleport:
            raise ZeroDivisionError
    if max_iter < 1 or not tol > 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    column = G.column(weight, sums=True)
    # NetworkX stops when the total change is below n * tol, which is far from the result on large graphs.
    loose = n * tol
    ranks, converged = native.pagerank(
        G.adjacency, column, alpha, teleport, int(max_iter), min(tol, loose), loose
    )
    if not converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return ranks  # type: ignore[no-any-return]


def _no_sources(arguments: dict[str, Any]) -> str | None:
    return "k is 0" if arguments["k"] == 0 else None


def _exactly(arguments: dict[str, Any]) -> str | None:
    exact = arguments["k"] is not None or arguments["weight"] is not None or arguments["endpoints"]
    return "max_error goes with no k, weight or endpoints" if arguments["max_error"] is not None and exact else None


@function(weighted(), _no_sources, _exactly)
def betweenness_centrality(
    G: Graph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
    *,
    max_error: float | None = None,
) -> Scores:
    if k == len(G):
        k = None
    sources = None if k is None else G.numbers(create_py_random_state(seed).sample(list(G), k))
    if len(G) == 0:
        return {}
    return native.betweenness(  # type: ignore[no-any-return]
        G.adjacency, G.column(weight), sources, bool(normalized), bool(endpoints), max_error
    )


def _by_weight(arguments: dict[str, Any]) -> str | None:
    return None if arguments["distance"] is None else "weighted distances: sums of them are not computed here"


@function(_by_weight, given("sp"), costs=of_one("u", LIGHT))
def closeness_centrality(
    G: Graph, u: Any = None, distance: Any = None, wf_improved: bool = True, *, sp: Any = None
) -> Any:
    if u is not None:
        return native.closeness(G.adjacency, [known(G, u)], bool(wf_improved))[u]
    return native.closeness(G.adjacency, [], bool(wf_improved)) if len(G) else {}


@function(_by_weight, given("sources"), costs=of_one("nbunch", LIGHT))
def harmonic_centrality(G: Graph, nbunch: Any = None, distance: Any = None, sources: Any = None) -> Scores:
    # NetworkX returns the nodes in the order of a set.
    nodes = set(bunch(G, nbunch))
    if not nodes:
        return {}
    asked = [] if len(nodes) == len(G) else G.numbers(nodes)
    values = native.harmonic(G.adjacency, asked)
    return {node: values[node] for node in nodes}


def _degrees(G: Graph, direction: str) -> Scores:
    if len(G) <= 1:
        return {node: 1 for node in G}
    return native.degrees(G.adjacency, 1.0 / (len(G) - 1.0), direction)  # type: ignore[no-any-return]


@function()
def degree_centrality(G: Graph) -> Scores:
    return _degrees(G, "±")


@function()
def in_degree_centrality(G: Graph) -> Scores:
    return _degrees(G, "-")


@function()
def out_degree_centrality(G: Graph) -> Scores:
    return _degrees(G, "+")

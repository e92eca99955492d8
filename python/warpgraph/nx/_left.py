"""Functions that are always left to NetworkX, with the reason."""

from __future__ import annotations

from typing import Any

from ._graph import Graph
from ._registry import function


def _edges(arguments: dict[str, Any]) -> str:
    return "scores of edges are not computed here; betweenness_centrality, of nodes, is"


@function(_edges)
def edge_betweenness_centrality(
    G: Graph, k: int | None = None, normalized: bool = True, weight: Any = None, seed: Any = None
) -> dict[tuple[Any, Any], float]:
    raise NotImplementedError(_edges({}))

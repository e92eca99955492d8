"""Whether a call is worth a conversion of its graph."""

from __future__ import annotations

from typing import Any

from _warpgraph_nx import ARRAYS, HEAVY, LIGHT, MAKES, PAIR, SEARCHES

from ._graph import Graph

#: On graphs with fewer edges, some functions of the kind are done by NetworkX before conversion and call are. The greatest
#: values of the cell `thresholds` of tools/python-bench, kept in docs/results/python-2-cores.json.
FEWEST_EDGES = {ARRAYS: 10, HEAVY: 500, SEARCHES: 45}
#: So many calls of light functions on a graph that does not change take as long as its conversion; measured likewise.
LIGHT_CALLS = 1
_COUNT = "warpgraph light calls"


def too_little(cost: str, graph: Any) -> str | None:
    """Returns why a conversion would take longer than it saves; None if it would not."""
    cache = getattr(graph, "__networkx_cache__", None)
    if isinstance(graph, Graph) or cost == MAKES or (cache and cache.get("backends", {}).get("warpgraph")):
        return None
    if cost in (LIGHT, PAIR):
        if cache is not None:
            cache[_COUNT] = cache.get(_COUNT, 0) + 1
            if cost == LIGHT and cache[_COUNT] > LIGHT_CALLS:
                return None
        return "it takes less time than to convert the graph"
    edges, fewest = graph.number_of_edges(), FEWEST_EDGES[cost]
    return f"the graph has {edges} edges, and a conversion pays from {fewest}" if edges < fewest else None

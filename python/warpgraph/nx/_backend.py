"""The object that NetworkX calls."""

from __future__ import annotations

import functools
import time
from collections import Counter
from types import GeneratorType
from typing import Any

import networkx as nx

from _warpgraph_nx import BY_NAME, HEAVY, LIGHT, MAKES, PAIR, SEARCHES

from . import _log
from ._graph import Graph
from ._registry import Implementation, implementations

#: How often each function was called.
calls: Counter[str] = Counter()

#: In graphs with fewer edges, NetworkX is done before a conversion is. Measured on two cores; see docs/python.md.
_FEWEST_EDGES = {HEAVY: 500, SEARCHES: 60}
#: So many calls of light functions on a graph that does not change take as long as its conversion.
_LIGHT_CALLS = 6
_COUNT = "warpgraph light calls"


class Backend:
    """The backend ``warpgraph``. Its attributes with the names of NetworkX's functions are added below."""

    def convert_from_nx(
        self,
        graph: Any,
        *,
        edge_attrs: dict[str, Any] | None = None,
        node_attrs: dict[str, Any] | None = None,
        preserve_edge_attrs: bool = False,
        preserve_node_attrs: bool = False,
        preserve_graph_attrs: bool = False,
        name: str | None = None,
        graph_name: str | None = None,
    ) -> Graph:
        """Converts a graph. Attributes that are asked for as a whole are read from the NetworkX graph when needed."""
        if isinstance(graph, Graph):
            return graph
        start = time.perf_counter()
        device = getattr(getattr(nx.config.backends, "warpgraph", None), "device", "auto")
        converted = Graph.from_networkx(graph, edge_attrs, device)
        _log.note("converted %r in %.3f s", converted, time.perf_counter() - start)
        return converted

    def convert_to_nx(self, obj: Any, *, name: str | None = None) -> Any:
        """Converts a graph of the backend to NetworkX, and returns everything else as it is."""
        return obj.to_networkx() if isinstance(obj, Graph) else obj

    def can_run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Returns True, or the reason why a call is left to NetworkX."""
        return _told(name, _implementations[name].reason(args, kwargs))

    def should_run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Returns True, or the reason why NetworkX is faster."""
        graph = args[0] if args else kwargs.get("G")
        return _told(name, _too_little(BY_NAME[name].cost, graph))


def _told(name: str, reason: str | None) -> bool | str:
    if reason is None:
        return True
    _log.note("%s is left to NetworkX: %s", name, reason)
    return reason


def _too_little(cost: str, graph: Any) -> str | None:
    """Returns why a conversion would take longer than it saves."""
    cache = getattr(graph, "__networkx_cache__", None)
    if isinstance(graph, Graph) or cost == MAKES or (cache and cache.get("backends", {}).get("warpgraph")):
        return None
    if cost in (LIGHT, PAIR):
        if cache is not None:
            cache[_COUNT] = cache.get(_COUNT, 0) + 1
            if cost == LIGHT and cache[_COUNT] > _LIGHT_CALLS:
                return None
        return "it takes less time than to convert the graph"
    edges = graph.number_of_edges()
    fewest = _FEWEST_EDGES[cost]
    return f"the graph has {edges} edges, and a conversion pays from {fewest}" if edges < fewest else None


def _called(name: str, implementation: Implementation) -> Any:
    """Returns the function as NetworkX calls it: counted, and reported if the user asked for a log."""

    @functools.wraps(implementation.call)
    def call(*args: Any, **kwargs: Any) -> Any:
        calls[name] += 1
        if not _log.is_heard():
            return implementation.call(*args, **kwargs)
        start = time.perf_counter()
        try:
            result = implementation.call(*args, **kwargs)
        except NotImplementedError as reason:
            _log.note("%s is left to NetworkX: %s", name, reason)
            raise
        if isinstance(result, GeneratorType):
            _log.note("%s runs here while its results are read", name)
        else:
            _log.note("%s ran here in %.3f s", name, time.perf_counter() - start)
        return result

    return call


_implementations = implementations()
backend = Backend()
for _name, _implementation in _implementations.items():
    setattr(backend, _name, _called(_name, _implementation))

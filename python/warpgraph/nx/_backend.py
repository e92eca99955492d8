"""The object that NetworkX calls."""

from __future__ import annotations

import functools
import time
from collections import Counter
from collections.abc import Iterator
from types import GeneratorType
from typing import Any

import networkx as nx

from _warpgraph_nx import BY_NAME

from . import _log
from ._graph import Graph
from ._registry import Implementation, implementations
from ._worth import too_little

#: How often each function has answered. Calls that raise an exception do not count.
calls: Counter[str] = Counter()


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
        """Returns True if a call can run here.

        Raises:
            NotImplementedError: with the reason why it cannot. NetworkX then goes on with the next backend, or passes the
                exception to a caller that named this one; a reason that is returned would not reach that caller. NetworkX's
                own tests do not expect an exception here and get the reason returned.
        """
        reason = _implementations[name].reason(args, kwargs)
        if reason is None:
            return True
        _log.left(name, reason)
        if _is_tested():
            return reason
        raise NotImplementedError(f"{name} does not run on warpgraph: {reason}")

    def should_run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Returns True, or the reason why NetworkX is faster."""
        graph = args[0] if args else kwargs.get("G")
        cost = BY_NAME[name].cost
        reason = too_little(_implementations[name].cost(cost, args, kwargs), graph)
        if reason is None:
            return True
        _log.left(name, reason)
        return reason


def _is_tested() -> bool:
    """Returns True while NetworkX's own tests run on a backend."""
    return bool(getattr(nx.utils.backends._dispatchable, "_is_testing", False))


def _called(name: str, implementation: Implementation) -> Any:
    """Returns the function as NetworkX calls it: counted, and reported if the user asked for a log."""

    @functools.wraps(implementation.call)
    def call(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        try:
            result = implementation.call(*args, **kwargs)
        except NotImplementedError as reason:
            _log.left(name, str(reason))
            raise
        if isinstance(result, GeneratorType):
            _log.note("%s runs here while its results are read", name)
            return _counted(name, result)
        calls[name] += 1
        _log.note("%s ran here in %.3f s", name, time.perf_counter() - start)
        return result

    return call


def _counted(name: str, results: Iterator[Any]) -> Iterator[Any]:
    """Yields results, and counts the call once there is one, or once there are none without an exception."""
    for first in results:
        calls[name] += 1
        yield first
        yield from results
        return
    calls[name] += 1


_implementations = implementations()
backend = Backend()
for _name, _implementation in _implementations.items():
    setattr(backend, _name, _called(_name, _implementation))

"""The NetworkX backend.

NetworkX finds it by itself; there is nothing to import. Three ways to use it::

    nx.pagerank(G, backend="warpgraph")              # one call
    nx.config.backend_priority = ["warpgraph"]       # all calls from here on
    WARPGRAPH_NX=1 python program.py                 # all calls of a program that knows nothing of warpgraph

A graph is converted once and kept with the NetworkX graph until that changes. ``WARPGRAPH_NX_LOG=1`` prints one line per
call: what ran where, or why NetworkX did it.
"""

from ._backend import Backend, backend, calls
from ._graph import Graph

__all__ = ["Backend", "Graph", "backend", "calls"]

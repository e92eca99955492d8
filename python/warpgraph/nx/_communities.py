"""Communities."""

from __future__ import annotations

from collections.abc import ValuesView
from typing import Any

from ._graph import Graph, native
from ._registry import function


@function()
def label_propagation_communities(G: Graph) -> ValuesView[set[Any]]:
    return dict(enumerate(native.communities(G.adjacency))).values()

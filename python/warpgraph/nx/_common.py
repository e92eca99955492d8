"""What several functions need."""

from __future__ import annotations

import math
import re
from typing import Any

import networkx as nx

from ._graph import Graph


#: The version of NetworkX. Where versions differ, functions do what the installed one does.
NETWORKX = tuple(int(number) for number in re.findall(r"\d+", nx.__version__)[:2])


def known(G: Graph, node: Any, message: str = "Source {} is not in G") -> int:
    """Returns the number of a node.

    Raises NodeNotFound with the message that the NetworkX function has for a node that is not there.
    """
    number = G.number(node)
    if number is None:
        raise nx.NodeNotFound(message.format(node))
    return number


def levels(limit: Any) -> int | None:
    """Returns the number of levels within a limit that may be any number; None for all."""
    if limit is None or limit == math.inf:
        return None
    return math.ceil(limit) if limit > 0 else 0


def bunch(G: Graph, nodes: Any) -> list[Any]:
    """Returns the nodes that NetworkX's ``G.nbunch_iter(nodes)`` does."""
    if nodes is None:
        return list(G)
    if nodes in G:
        return [nodes]
    return list(nx.Graph.nbunch_iter(_Bunch(G), nodes))


class _Bunch:
    """As much of a NetworkX graph as ``nbunch_iter`` uses."""

    def __init__(self, graph: Graph) -> None:
        self._adj = graph.adjacency.numbers

    def __contains__(self, node: object) -> bool:
        try:
            return node in self._adj
        except TypeError:
            return False

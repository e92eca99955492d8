"""Random graphs of many kinds, and a comparison that sees order and types."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, ValuesView
from typing import Any

import networkx as nx


def _keys(rng: random.Random, n: int) -> list[Any]:
    """Draws keys: small or large integers, strings, or a mix of hashable objects; not in ascending order."""
    kinds = [
        lambda i: i,
        lambda i: i * 10**9 - 5,
        lambda i: f"node {i}",
        lambda i: rng.choice([i, float(i) + 0.5, str(i), (i, "x"), frozenset([i])]),
        lambda i: 2**70 + i,
    ]
    kind = rng.choice(kinds)
    keys = [kind(i) for i in range(n)]
    rng.shuffle(keys)
    return keys


def _weight(rng: random.Random, kind: str) -> dict[str, Any]:
    """Draws the attributes of an edge. Few different values make ties, and some edges have no weight."""
    if kind == "none" or rng.random() < 0.1:
        return {}
    integer = rng.randint(1, 4)
    value = {"int": integer, "float": integer / 4, "mixed": rng.choice([integer, integer / 4])}[kind]
    return {"weight": value, "color": rng.choice("rgb")}


def graph(rng: random.Random, *, directed: bool, weights: str = "none", loops: bool = True, multi: bool = False) -> Any:
    """Draws a graph: empty, tiny, disconnected or dense, with edges in random order."""
    kinds = {(False, False): nx.Graph, (True, False): nx.DiGraph, (False, True): nx.MultiGraph}
    made = kinds.get((directed, multi), nx.MultiDiGraph)()
    n = rng.choice([0, 1, 2, 3, 5, 8, 8, 13, 13, 30])
    keys = _keys(rng, n)
    made.add_nodes_from(keys[: rng.randint(0, n)])
    for _ in range(int(n * rng.choice([0.3, 1, 1.5, 3])) if n else 0):
        u, v = rng.choice(keys), rng.choice(keys)
        if loops or u != v:
            made.add_edge(u, v, **_weight(rng, weights))
    made.add_nodes_from(keys)
    for node in made:
        if rng.random() < 0.3:
            made.nodes[node]["size"] = rng.random()
    made.graph["name"] = "drawn"
    return made


def outcome(call: Any) -> Any:
    """Returns what a call returns, or the exception that it raises; iterators are read to their end."""
    try:
        return _read(call())
    except RecursionError:
        raise
    except Exception as error:
        return (type(error), str(error))


def _read(value: Any) -> Any:
    if isinstance(value, Iterator):
        return [_read(item) for item in value]
    if isinstance(value, ValuesView):
        return ("values", list(value))
    return tuple(_read(item) for item in value) if type(value) is tuple else value


def differences(ours: Any, theirs: Any, *, close: float = 0.0, where: str = "") -> str | None:
    """Returns where two results differ: in values, types or order; None if they do not. Floats may differ by ``close``."""
    if type(ours) is not type(theirs):
        return f"{where}: {type(ours).__name__} {ours!r} instead of {type(theirs).__name__} {theirs!r}"
    if isinstance(ours, float):
        same = ours == theirs or math.isclose(ours, theirs, rel_tol=close, abs_tol=close)
        same = same or (math.isnan(ours) and math.isnan(theirs))
        return None if same else f"{where}: {ours!r} instead of {theirs!r}"
    if isinstance(ours, nx.Graph):
        parts = [(list(g.nodes(data=True)), list(g.edges(data=True))) for g in (ours, theirs)]
        named = None if ours.graph == theirs.graph else f"{where}: {ours.graph} instead of {theirs.graph}"
        return named or differences(*parts, close=close, where=f"{where} graph")
    if isinstance(ours, dict):
        keys = differences(list(ours), list(theirs), where=f"{where} keys")
        values = ((differences(ours[key], theirs[key], close=close, where=f"{where}[{key!r}]")) for key in ours)
        return keys or next(filter(None, values), None)
    if isinstance(ours, (list, tuple)):
        if len(ours) != len(theirs):
            return f"{where}: {ours!r} instead of {theirs!r}"
        items = (differences(a, b, close=close, where=f"{where}[{i}]") for i, (a, b) in enumerate(zip(ours, theirs)))
        return next(filter(None, items), None)
    return None if ours == theirs else f"{where}: {ours!r} instead of {theirs!r}"

"""The graph of the backend."""

from __future__ import annotations

from typing import Any

import networkx as nx

from .. import _warpgraph

native = _warpgraph.nx

#: Where a NetworkX graph keeps conversions, which it clears when it changes. The backend leaves a mark there.
_CACHE = "__networkx_cache__"
_MARK = "warpgraph mark"


class Graph:
    """A graph that does not change: the nodes of a NetworkX graph, its edges in the same order, and numeric attributes.

    NetworkX converts graphs when it calls the backend. Constructors such as
    ``nx.from_pandas_edgelist(df, backend="warpgraph")`` make one without a NetworkX graph.
    """

    __networkx_backend__ = "warpgraph"

    def __init__(
        self,
        adjacency: Any,
        columns: dict[str, tuple[Any, Any]],
        source: Any = None,
        device: str = "auto",
    ) -> None:
        adjacency.set_device(device)
        self.adjacency = adjacency
        self._columns = columns
        self._source = source
        self._device = device
        self._mark = object()
        self._backwards: Any = None
        cache = getattr(source, _CACHE, None)
        self._is_marked = cache is not None
        if cache is not None:
            cache[_MARK] = self._mark = cache.get(_MARK, self._mark)

    @classmethod
    def from_networkx(cls, source: Any, attributes: dict[str, Any] | None = None, device: str = "auto") -> Graph:
        """Converts a NetworkX graph with these attributes of its edges, each with the value of edges that lack it."""
        changed = _changed(source)
        if changed is not None:
            raise NotImplementedError(f"{type(source).__name__} has a {changed} of its own")
        attributes = attributes or {}
        adjacency, columns = _read(source, list(attributes.items()))
        return cls(adjacency, _paired(attributes, columns, source.is_multigraph()), source, device)

    def is_directed(self) -> bool:
        """Returns True if edges have a direction."""
        return bool(self.adjacency.directed)

    def is_multigraph(self) -> bool:
        """Returns True if there may be parallel edges."""
        return bool(self.adjacency.multigraph)

    def __len__(self) -> int:
        return len(self.adjacency)

    def __iter__(self) -> Any:
        return iter(self.adjacency.keys)

    def __contains__(self, node: object) -> bool:
        return self.number(node) is not None

    def number_of_nodes(self) -> int:
        """Returns the number of nodes."""
        return len(self)

    order = number_of_nodes

    def number_of_edges(self) -> int:
        """Returns the number of edges."""
        return int(self.adjacency.edges)

    def __getattr__(self, name: str) -> Any:
        """Reads everything else, such as ``G.edges``, from the same graph in NetworkX; the first time makes that."""
        if name.startswith("__") or not hasattr(nx.MultiDiGraph, name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name.startswith(("add_", "remove_", "clear", "update")):
            raise AttributeError(f"a warpgraph graph does not change: call to_networkx() first, then {name}")
        return getattr(self.source, name)

    def __repr__(self) -> str:
        kind = "directed" if self.is_directed() else "undirected"
        return f"<warpgraph.nx.Graph: {kind}, {len(self)} nodes, {self.number_of_edges()} edges>"

    def number(self, node: object) -> int | None:
        """Returns the number of a node; None if the graph does not have it."""
        try:
            found: int | None = self.adjacency.find(node)
        except TypeError:
            return None
        return found

    def numbers(self, nodes: Any) -> list[int]:
        """Returns the numbers of nodes, which the graph has."""
        return [self.adjacency.find(node) for node in nodes]

    def column(self, name: str | None, *, sums: bool = False) -> Any:
        """Returns the weights that an attribute gives to arcs; None if every edge weighs 1.

        Of parallel edges the least weight counts, or with ``sums`` the sum of all.
        """
        if name is None:
            return None
        if name not in self._columns:
            if self._source is None or self._is_made:
                return None
            adjacency, columns = _read(self.source, [(name, 1)])
            if (len(adjacency), adjacency.arcs) != (len(self), self.adjacency.arcs):
                raise RuntimeError("the NetworkX graph changed after it was converted")
            self._columns.update(_paired([name], columns, self.is_multigraph()))
        return self._columns[name][1 if sums else 0]

    _is_made = False

    @property
    def source(self) -> Any:
        """The same graph in NetworkX: the one that was converted, or one made now."""
        if self._source is None:
            self._source, self._is_made = self._make(), True
        cache = getattr(self._source, _CACHE, None)
        if self._is_marked and cache is not None and cache.get(_MARK) is not self._mark:
            raise RuntimeError("the NetworkX graph changed after it was converted; convert it again")
        return self._source

    def with_sources(self) -> Any:
        """Returns the adjacency after making sure that it has the incoming arcs in the order of the graph."""
        if not self.adjacency.has_sources:
            self.adjacency.read_sources(_plain(self.source._pred))
        return self.adjacency

    def backwards(self) -> Any:
        """Returns the adjacency with all arcs reversed, for questions that do not depend on the order of neighbours."""
        if not self.is_directed():
            return self.adjacency
        if self._backwards is None:
            self._backwards = self.adjacency.reversed()
        return self._backwards

    def to_networkx(self) -> Any:
        """Returns a NetworkX graph of its own."""
        return self.source.copy() if self._source is not None and not self._is_made else self._make()

    def _make(self) -> Any:
        directed = self.is_directed()
        made = nx.DiGraph() if directed else nx.Graph()
        keys, (offsets, targets) = self.adjacency.keys, self.adjacency.rows()
        names = list(self._columns)
        values = [column.values() for column, _ in self._columns.values()]
        data = [dict(zip(names, row)) for row in zip(*values)] if names else [{} for _ in targets]
        made._node.update((key, {}) for key in keys)
        for number, key in enumerate(keys):
            row = made._adj[key] = {}
            for place in range(offsets[number], offsets[number + 1]):
                target = targets[place]
                # Both arcs of an undirected edge share their data.
                shared = not directed and target < number
                row[keys[target]] = made._adj[keys[target]][key] if shared else data[place]
        if directed:
            offsets, targets = self.adjacency.rows(True)
            for number, key in enumerate(keys):
                sources = (keys[target] for target in targets[offsets[number] : offsets[number + 1]])
                made._pred[key] = {source: made._succ[source][key] for source in sources}
        return made


def _restored_adjacency(*kept: Any) -> Any:
    """Returns the adjacency that was pickled or copied."""
    return native.restored(*kept)


def _restored_column(*kept: Any) -> Any:
    """Returns the column that was pickled or copied."""
    return native.restored_column(*kept)


#: What a subclass may not change, because a conversion reads the dictionaries below it.
_READ = ("__iter__", "__len__", "__getitem__", "adj", "adjacency", "neighbors", "degree", "edges", "nodes")


def _changed(source: Any) -> str | None:
    """Returns a method by which a subclass shows other edges than its dictionaries have, as a complement graph does."""
    kinds = [[nx.Graph, nx.DiGraph], [nx.MultiGraph, nx.MultiDiGraph]]
    usual = kinds[source.is_multigraph()][source.is_directed()]
    own = (name for name in _READ if getattr(type(source), name, None) is not getattr(usual, name))
    return None if type(source) is usual else next(own, None)


def _read(source: Any, attributes: list[tuple[str, Any]]) -> tuple[Any, list[Any]]:
    directed, multi = source.is_directed(), source.is_multigraph()
    adjacency = source._adj
    if type(adjacency) is dict:
        try:
            return native.Adjacency.from_dicts(adjacency, directed, multi, attributes)  # type: ignore[no-any-return]
        except TypeError:  # A view, or a subclass with dictionaries of its own.
            pass
    plain = _plain(adjacency)
    if multi:
        plain = {u: {v: dict(edges.items()) for v, edges in row.items()} for u, row in plain.items()}
    return native.Adjacency.from_dicts(plain, directed, multi, attributes)  # type: ignore[no-any-return]


def _plain(adjacency: Any) -> dict[Any, dict[Any, Any]]:
    if type(adjacency) is dict and all(type(row) is dict for row in adjacency.values()):
        return adjacency
    return {u: dict(row.items()) for u, row in adjacency.items()}


def _paired(names: Any, columns: list[Any], multigraph: bool) -> dict[str, tuple[Any, Any]]:
    """Returns per attribute the columns of least weights and of sums, which are the same without parallel edges."""
    if not multigraph:
        return {name: (column, column) for name, column in zip(names, columns)}
    return {name: (least, total) for name, least, total in zip(names, columns[::2], columns[1::2])}

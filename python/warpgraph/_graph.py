"""The graph."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _columns, _html, _warpgraph
from ._algorithms import Algorithms
from ._answer import Answer
from ._errors import InvalidError, in_python
from ._options import NAMES, Progress, Vertex, watched


def _made(make: Any, *arguments: Any, **how: Any) -> Graph:
    """Makes a graph by a function of the native module, whose last argument is how; tells what that has assumed."""
    close = watched(how)
    try:
        graph = Graph(make(*arguments, how))
    finally:
        close()
    _warn(graph._native.warnings())
    return graph


def _warn(sentences: list[str]) -> None:
    for sentence in sentences:
        warnings.warn(in_python(sentence), stacklevel=4)


class Graph(Algorithms):
    """A graph in memory or in a mapped file. Graphs do not change.

    Vertices have ids: whole numbers from 0 to 2**64 - 1, or texts. Arrays with one value per vertex are in the order of
    :attr:`ids`, which is ascending. Every algorithm is a method; see ``help(warpgraph.Graph.bfs)``.
    """

    def __init__(self, native: _warpgraph.NativeGraph) -> None:
        self._native = native

    @classmethod
    def from_edges(
        cls,
        src: Any,
        dst: Any,
        weights: Any = None,
        *,
        directed: bool,
        vertices: int | Iterable[Vertex] | None = None,
        loops: str = "keep",
        parallel: str = "min",
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Graph:
        """Builds a graph from one array of sources and one of targets.

        Args:
            src: Ids, one per edge: an array of NumPy, a list, a column of polars, pandas or PyArrow, or an array on a GPU.
            dst: Ids, as many.
            weights: One number per edge.
            directed: False if every edge goes both ways.
            vertices: The number n of vertices, whose ids are then 0 to n - 1; or their ids. By default, the vertices are the
                ids that occur in an edge.
            loops: ``keep`` or ``drop`` edges from a vertex to itself.
            parallel: What several edges between the same vertices become: ``min`` (the least weight), ``sum``, ``first``, or
                ``keep`` for all of them.
            progress: True for a bar of tqdm, or a function ``f(stage, done, total)``.
            time_limit: Stop with :class:`DeadlineError` after this many seconds.
        """
        columns = _columns.ids(src, "src"), _columns.ids(dst, "dst"), _columns.weights(weights)
        return _made(
            _warpgraph.from_columns,
            *columns,
            "memory",
            directed=directed,
            vertices=_columns.universe(vertices),
            loops=loops,
            parallel=parallel,
            progress=progress,
            time_limit=time_limit,
        )

    @classmethod
    def from_arrow(
        cls,
        table: Any,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        *,
        directed: bool,
        weighted: bool = True,
        vertices: int | Iterable[Vertex] | None = None,
        loops: str = "keep",
        parallel: str = "min",
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Graph:
        """Builds a graph from a table of edges: of polars, pandas, PyArrow, DuckDB or any library of Arrow.

        Columns are chosen by their names, such as ``source``, ``target`` and ``weight`` or ``from``, ``to`` and ``cost``; name
        them if that is not clear. ``weighted=False`` leaves weights out. The rest is as in :meth:`from_edges`.
        """
        return _made(
            _warpgraph.from_arrow,
            table,
            _asked(source, target, weight),
            weighted,
            directed=directed,
            vertices=_columns.universe(vertices),
            loops=loops,
            parallel=parallel,
            progress=progress,
            time_limit=time_limit,
        )

    @classmethod
    def from_pandas(
        cls,
        frame: Any,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        *,
        directed: bool,
        weighted: bool = True,
        **how: Any,
    ) -> Graph:
        """Builds a graph from a DataFrame of edges. Does not need PyArrow; otherwise as :meth:`from_arrow`."""
        names = [str(name) for name in frame.columns]
        asked = _asked(source, target, weight)
        (first, second), third, assumed = _warpgraph.choose_columns(names, asked)
        _warn(assumed if weighted else [])
        values = frame.iloc[:, third] if weighted and third is not None else None
        return cls.from_edges(frame.iloc[:, first], frame.iloc[:, second], values, directed=directed, **how)

    @classmethod
    def from_scipy(cls, matrix: Any, *, directed: bool = True, weighted: bool = True, copy: bool = True) -> Graph:
        """Builds a graph from a sparse matrix or array of SciPy: entry (i, j) is an edge from i to j.

        The arrays of a CSR matrix with sorted rows become the graph as they are, if their values are of a type that a graph
        stores (int32, uint32, float32, float64). They are copied, because engines rely on them not to change. With
        ``copy=False`` graph and matrix share them, and they become read-only; whoever makes them writable again and changes
        them while a run uses them breaks the run, and maybe the process.

        Args:
            matrix: A square matrix of any form.
            directed: False if every edge goes both ways; the matrix need not be symmetric.
            weighted: False to leave the values of entries out.
            copy: False to share memory.
        """
        rows, columns = matrix.shape
        if rows != columns:
            help = "a bipartite graph needs one numbering for both sides: add the row count to the columns"
            raise InvalidError(f"the matrix has {rows} rows and {columns} columns; only a square one is a graph", help=help)
        weighted = weighted and matrix.dtype.kind != "b"
        if matrix.format == "csr":
            data = matrix.data if weighted else None
            native = _warpgraph.from_csr(matrix.indptr, matrix.indices, data, directed, not copy)
            if native is not None:
                if not copy:
                    # Only now, because arrays that do not fit are copied after all.
                    for array in (matrix.indptr, matrix.indices, data):
                        if array is not None:
                            array.flags.writeable = False
                return cls(native)
        entries = matrix.tocoo()
        values = entries.data if weighted else None
        return cls.from_edges(entries.row, entries.col, values, directed=directed, vertices=rows)

    @classmethod
    def from_networkx(cls, graph: Any, weight: str | None = None) -> Graph:
        """Builds a graph from one of NetworkX, whose nodes are whole numbers from 0, or texts.

        Args:
            graph: The graph. Parallel edges of a multigraph count once, with their least weight.
            weight: The edge attribute that has the weights; edges without it weigh 1. None for no weights.
        """
        from .nx._graph import Graph as Converted

        converted = Converted.from_networkx(graph, None if weight is None else {weight: 1})
        column = None if weight is None else converted.column(weight)
        return cls(_warpgraph.nx.to_graph(converted.adjacency, column))

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        directed: bool | None = None,
        weights: bool = True,
        loops: str = "keep",
        parallel: str = "min",
        vertices: int | None = None,
        base: int | None = None,
        ids: str = "auto",
        columns: str | None = None,
        header: str = "auto",
        weight_type: str | None = None,
        vertex_table: str | os.PathLike[str] | None = None,
        progress: Progress = False,
        time_limit: float | None = None,
    ) -> Graph:
        """Reads the graph in a file of any known format. A ``.wg`` file is mapped, not read.

        Args:
            path: The file, a folder, a pattern such as ``part-*.parquet``, or ``-`` for standard input.
            format: The format; by default the content or the ending decides.
            directed: Whether edges have a direction; by default the file decides.
            weights: False to leave weights out.
            loops: ``keep`` or ``drop`` edges from a vertex to itself.
            parallel: ``min``, ``sum``, ``first`` or ``keep`` several edges between the same vertices.
            vertices: The number of vertices, isolated ones included.
            base: The id of the first vertex, in formats that number vertices.
            ids: ``numbers``, ``names`` or ``auto``.
            columns: Which columns to read, such as ``src=from,dst=to,weight=km``.
            header: Whether the first line names the columns: ``yes``, ``no`` or ``auto``.
            weight_type: ``f32`` to narrow decimal weights.
            vertex_table: A file with the vertices and their labels.
            progress: True for a bar of tqdm, or a function ``f(stage, done, total)``.
            time_limit: Stop with :class:`DeadlineError` after this many seconds.
        """
        return _made(
            _warpgraph.open,
            path,
            format=format,
            directed=directed,
            weights=weights,
            loops=loops,
            parallel=parallel,
            vertices=vertices,
            base=base,
            ids=ids,
            columns=columns,
            header=header,
            weight_type=weight_type,
            vertex_table=vertex_table,
            progress=progress,
            time_limit=time_limit,
        )

    @classmethod
    def generate(cls, spec: str, *, progress: Progress = False, time_limit: float | None = None) -> Graph:
        """Generates a graph, e.g. ``kron:20`` or ``grid:1000x1000,w=1..9``."""
        return _made(_warpgraph.generate, spec, progress=progress, time_limit=time_limit)

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the graph to a file; the ending of its name says the format. ``force`` replaces an existing file."""
        self._native.write(path, force)

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return self._native.vertices

    @property
    def edges(self) -> int:
        """The number of edges; an undirected edge counts once."""
        return self._native.edges

    @property
    def arcs(self) -> int:
        """The number of arcs; an undirected edge is two, a loop one."""
        return self._native.arcs

    @property
    def directed(self) -> bool:
        """True if edges have a direction."""
        return self._native.directed

    @property
    def weight_type(self) -> str | None:
        """``u32``, ``i32``, ``f32`` or ``f64``; None without weights."""
        return self._native.weight_type

    @property
    def bytes(self) -> int:
        """The memory of the graph, in a mapped file or not."""
        return self._native.bytes

    @property
    def is_mapped(self) -> bool:
        """True if the edges lie in a mapped file."""
        return self._native.is_mapped

    @property
    def info(self) -> dict[str, Any]:
        """What was read or built: loops, isolated vertices, the largest degree, merged edges, warnings."""
        info: dict[str, Any] = self._native.info()
        return info

    @property
    def ids(self) -> Any:
        """The ids of all vertices, in ascending order: an array of numbers, or of texts."""
        return _as_array(self._native.ids())

    def number(self, id: Vertex) -> int:
        """Returns the number of the vertex with this id: its position in :attr:`ids`."""
        return self._native.number(id)

    def degrees(self) -> Any:
        """Returns the number of outgoing edges of every vertex, in the order of the ids."""
        return self._native.degrees()

    def to_edges(self) -> tuple[Any, Any, Any]:
        """Returns arrays of the sources, the targets and the weights (or None) of all edges."""
        columns = {name: _as_array(values) for name, values in self._native.edge_columns()}
        return columns["source"], columns["target"], columns.get("weight")

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Hands the edges to libraries of Arrow: ``polars.DataFrame(graph)``, ``pyarrow.table(graph)``."""
        return self._native.arrow_stream()

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self._native.arrow_array()

    def __arrow_c_schema__(self) -> Any:
        return self._native.arrow_schema()

    def run(self, algorithm: str, **arguments: Any) -> Answer:
        """Asks an algorithm by name, with the fields of its configuration and the options of a run."""
        options = {name: arguments.pop(name) for name in NAMES & arguments.keys()}
        for name, what in (("personalize", "share"), ("inject", "value")):
            if name in arguments:
                arguments[name] = _seeds(arguments[name], what)
        close = watched(options)
        try:
            return Answer(self._native.run(algorithm, arguments, options), algorithm)
        finally:
            close()

    def __len__(self) -> int:
        return self.vertices

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = f", weights {self.weight_type}" if self.weight_type else ""
        return f"<warpgraph.Graph: {kind}, {self.vertices} vertices, {self.edges} edges{weights}>"

    def _repr_html_(self) -> str:
        return _html.graph(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.info.get("name", "memory"), self._native.to_bytes())


def _seeds(given: Any, what: str) -> list[Any]:
    """Returns vertices with a number each, from a dict, or from ids, which get 1."""
    if isinstance(given, Mapping):
        return [{"vertex": vertex, what: float(number)} for vertex, number in given.items()]
    return [one if isinstance(one, Mapping) else {"vertex": one, what: 1.0} for one in given]


def _restored(name: str, data: bytes) -> Graph:
    return Graph(_warpgraph.from_bytes(name, data))


def _as_array(values: Any) -> Any:
    return np.array(values, dtype=object) if isinstance(values, list) else values


def _asked(source: str | None, target: str | None, weight: str | None) -> str:
    """Writes a choice of columns as on the command line."""
    for name in (source, target, weight):
        if name is not None and ("," in name or not name.strip()):
            raise InvalidError(f"the column {name!r} cannot be named here", help="rename it, or use Graph.from_edges")
    asked = (("src", source), ("dst", target), ("weight", weight))
    return ",".join(f"{key}={name}" for key, name in asked if name is not None)

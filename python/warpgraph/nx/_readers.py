"""Graphs from tables, matrices and files, without a NetworkX graph on the way."""

from __future__ import annotations

import io
import os
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import open_file

from ._graph import Graph, native
from ._registry import function


def _directed(create_using: Any) -> bool | None:
    """Returns whether a plain graph to be made is directed; None for other kinds."""
    kinds = {None: False, nx.Graph: False, nx.DiGraph: True}
    return kinds.get(create_using) if create_using is None or isinstance(create_using, type) else None


def _kind(arguments: dict[str, Any]) -> str | None:
    return "create_using is not nx.Graph or nx.DiGraph" if _directed(arguments["create_using"]) is None else None


def _numbers(values: Any) -> Any:
    """Returns a column as an array of int64 or float64; None if it has other values."""
    array = np.asarray(values)
    if array.dtype.kind in "iu" and array.dtype.itemsize + (array.dtype.kind == "u") <= 8:
        return np.ascontiguousarray(array, np.int64)
    return np.ascontiguousarray(array, np.float64) if array.dtype.kind == "f" else None


def _built(keys: list[Any], ends: tuple[Any, Any], columns: dict[str, Any], directed: bool) -> Graph:
    adjacency, read = native.read_arrays(keys, *ends, list(columns.values()), directed)
    return Graph(adjacency, {name: (column, column) for name, column in zip(columns, read)})


def _headings(df: Any, source: Any, target: Any, edge_attr: Any) -> list[Any]:
    if edge_attr is None:
        return []
    if edge_attr is True:
        return [name for name in df.columns if name not in (source, target)]
    return list(edge_attr) if isinstance(edge_attr, (list, tuple)) else [edge_attr]


def _frame(arguments: dict[str, Any]) -> str | None:
    df, ends = arguments["df"], [arguments["source"], arguments["target"]]
    headings = _headings(df, ends[0], ends[1], arguments["edge_attr"])
    if not hasattr(df, "columns") or any(name not in df.columns for name in [*ends, *headings]):
        return "a column is missing"
    if arguments["edge_attr"] is not None and not headings:
        return "edge_attr names no column"
    if any(not isinstance(name, str) or _numbers(df[name]) is None for name in headings):
        return "an attribute is not of int or float"
    kinds = [np.asarray(df[name]).dtype.kind for name in ends]
    if kinds != ["O", "O"] and not set(kinds) <= {"i", "u"}:
        return "the ends are neither integers nor objects"
    return None


@function(_kind, _frame)
def from_pandas_edgelist(
    df: Any,
    source: Any = "source",
    target: Any = "target",
    edge_attr: Any = None,
    create_using: Any = None,
    edge_key: Any = None,
) -> Graph:
    import pandas as pd

    # Nodes come in the order of first mention, sources before targets in every row.
    ends = np.column_stack([np.asarray(df[source]), np.asarray(df[target])]).ravel()
    numbers, keys = pd.factorize(ends)
    if (numbers < 0).any():
        raise NotImplementedError("an end of an edge is missing")
    numbers = numbers.astype(np.int64, copy=False)
    columns = {name: _numbers(df[name]) for name in _headings(df, source, target, edge_attr)}
    arrays = np.ascontiguousarray(numbers[::2]), np.ascontiguousarray(numbers[1::2])
    return _built(keys.tolist(), arrays, columns, bool(_directed(create_using)))


def _matrix(arguments: dict[str, Any]) -> str | None:
    matrix = arguments["A"]
    if matrix.format not in ("csr", "coo"):
        return "a format other than CSR and COO"
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        return "the matrix is not square"
    if not isinstance(arguments["edge_attribute"], str) or _numbers(matrix.data[:0]) is None:
        return "entries are not of int or float"
    return None


@function(_kind, _matrix)
def from_scipy_sparse_array(
    A: Any, parallel_edges: bool = False, create_using: Any = None, edge_attribute: str = "weight"
) -> Graph:
    n = A.shape[0]
    if A.format == "csr":
        rows, columns = np.repeat(np.arange(n, dtype=np.int64), np.diff(A.indptr)), A.indices
    else:
        rows, columns = A.coords if hasattr(A, "coords") else (A.row, A.col)
    ends = np.ascontiguousarray(rows, np.int64), np.ascontiguousarray(columns, np.int64)
    return _built(list(range(n)), ends, {edge_attribute: _numbers(A.data)}, bool(_directed(create_using)))


def _lines(arguments: dict[str, Any]) -> str | None:
    if arguments["nodetype"] not in (None, str, int):
        return "nodetype is not str or int"
    if arguments["encoding"].lower().replace("-", "") not in ("utf8", "ascii"):
        return "an encoding other than UTF-8"
    if not isinstance(arguments["path"], (str, os.PathLike)) and not hasattr(arguments["path"], "read"):
        return "the path is neither a name nor a file"
    data = arguments.get("data", True)
    if isinstance(data, bool):
        return None
    if any(not isinstance(name, str) or kind not in (int, float) for name, kind in data):
        return "an attribute is not int or float"
    return None


@open_file(0, mode="rb")  # type: ignore[untyped-decorator]
def _text(path: Any, encoding: str) -> bytes:
    text = path.read()
    return text.encode(encoding) if isinstance(text, str) else text


@function(_kind, _lines)
def read_edgelist(
    path: Any,
    comments: str | None = "#",
    delimiter: str | None = None,
    create_using: Any = None,
    nodetype: Any = None,
    data: Any = True,
    edgetype: Any = None,
    encoding: str = "utf-8",
) -> Any:
    text = _text(path, encoding)
    attributes = {} if isinstance(data, bool) else {name: kind is int for name, kind in data}
    directed = bool(_directed(create_using))
    read = native.parse_edges(
        text, comments, delimiter, nodetype is int, None if data is False else list(attributes.values()), directed
    )
    if read is None:
        # The lines have something that only Python reads, or an error, which NetworkX reports.
        lines = (line.decode(encoding) for line in io.BytesIO(text))
        made = nx.parse_edgelist(lines, comments, delimiter, create_using, nodetype, data, backend="networkx")
        return Graph.from_networkx(made)
    return Graph(read[0], {name: (column, column) for name, column in zip(attributes, read[1])})


@function(_kind, _lines)
def read_weighted_edgelist(
    path: Any,
    comments: str | None = "#",
    delimiter: str | None = None,
    create_using: Any = None,
    nodetype: Any = None,
    encoding: str = "utf-8",
) -> Any:
    data = (("weight", float),)
    return read_edgelist(path, comments, delimiter, create_using, nodetype, data, encoding=encoding)

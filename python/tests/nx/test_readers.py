"""Constructors return the graphs that NetworkX's own return: nodes, neighbours and attributes in the same order."""

from __future__ import annotations

import gzip
import random

import numpy as np
import pytest

nx = pytest.importorskip("networkx")

from graphs import differences

from warpgraph.nx import Graph


def _same(ours, theirs):
    assert isinstance(ours, Graph), "the backend left it to NetworkX"
    made = ours.to_networkx()
    assert (type(made), made.graph, made._node) == (type(theirs), theirs.graph, theirs._node)
    for name in ("_adj", "_pred") if theirs.is_directed() else ("_adj",):
        assert differences(getattr(made, name), getattr(theirs, name)) is None
    if not theirs.is_directed():
        assert all(made._adj[u][v] is made._adj[v][u] for u, v in made.edges)
    assert list(nx.bfs_edges(ours, next(iter(theirs)))) == list(nx.bfs_edges(theirs, next(iter(theirs))))


def _edges(seed, keys):
    rng = random.Random(seed)
    return [(rng.choice(keys), rng.choice(keys), rng.randint(1, 9), rng.random()) for _ in range(60)]


@pytest.mark.parametrize("kind", [None, nx.Graph, nx.DiGraph])
@pytest.mark.parametrize("keys", [list(range(20)), [f"n{i}" for i in range(20)], [(i, "x") for i in range(20)]])
def test_tables(kind, keys):
    pandas = pytest.importorskip("pandas")
    for seed in range(5):
        df = pandas.DataFrame(_edges(seed, keys), columns=["a", "b", "w", "x"])
        for attributes in (None, "w", ["x", "w"], True):
            given = (df, "a", "b", attributes, kind)
            _same(nx.from_pandas_edgelist(*given, backend="warpgraph"), nx.from_pandas_edgelist(*given))


@pytest.mark.parametrize("kind", [None, nx.DiGraph])
@pytest.mark.parametrize("form", ["csr", "coo"])
@pytest.mark.parametrize("dtype", [int, float, np.int32, np.float32])
def test_matrices(kind, form, dtype):
    scipy = pytest.importorskip("scipy")
    made = np.random.default_rng(3)
    entries = made.integers(0, 4, (15, 15)) * (made.random((15, 15)) < 0.3)
    matrix = scipy.sparse.csr_array(entries.astype(dtype)).asformat(form)
    ours = nx.from_scipy_sparse_array(matrix, create_using=kind, backend="warpgraph")
    _same(ours, nx.from_scipy_sparse_array(matrix, create_using=kind))


LINES = {
    "plain": ("1 2\n2 3\n# no edge\n3 1 # with a comment\n\n1 2\n4 4\n5\n", {}),
    "dictionaries": ("a b {}\nb c {}\n", {}),
    "tabs": ("a\tb\t3\nb\tc\t4\n", {"delimiter": "\t", "data": (("w", int),)}),
    "commas": ("a,b,0.5\r\nb,c,1e3\r\n", {"delimiter": ",", "data": (("w", float),)}),
    "two attributes": ("1 2 3 0.25\n2 1 4 0.5\n", {"nodetype": int, "data": (("w", int), ("x", float))}),
    "skipped attributes": ("1 2 anything\n2 3 at all\n", {"nodetype": int, "data": False}),
    "large integers": ("900000000000 -4\n-4 7\n", {"nodetype": int}),
    "other marks": ("% no\na b\n", {"comments": "%"}),
    "no marks": ("#a b\n", {"comments": None}),
    "words beyond ASCII": ("å ß\nß 字\n", {}),
}


@pytest.mark.parametrize("case", LINES)
@pytest.mark.parametrize("kind", [None, nx.DiGraph])
@pytest.mark.parametrize("packed", [False, True])
def test_files(tmp_path, case, kind, packed):
    text, given = LINES[case]
    path = tmp_path / ("edges.txt.gz" if packed else "edges.txt")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    given = {**given, "create_using": kind}
    _same(nx.read_edgelist(str(path), **given, backend="warpgraph"), nx.read_edgelist(str(path), **given))


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("a b {'w': 3}\n", {}),
        ("1 2 1_000\n", {"data": (("w", int),)}),
        ("1 2 inf\n", {"data": (("w", float),)}),
        ("1 2\n", {"data": (("w", float),)}),
        ("١ ٢\n", {"nodetype": int}),
    ],
)
def test_lines_that_only_python_reads_are_read_by_networkx(tmp_path, text, given):
    (tmp_path / "edges").write_text(text)
    theirs = nx.read_edgelist(tmp_path / "edges", **given)
    ours = nx.read_edgelist(tmp_path / "edges", **given, backend="warpgraph")
    assert nx.utils.graphs_equal(ours.to_networkx(), theirs)


def test_weighted_files(tmp_path):
    (tmp_path / "edges").write_text("a b 1\nb c 2.5\na b 3\n")
    ours = nx.read_weighted_edgelist(tmp_path / "edges", backend="warpgraph")
    _same(ours, nx.read_weighted_edgelist(tmp_path / "edges"))
    assert nx.dijkstra_path_length(ours, "a", "c") == 5.5


@pytest.mark.parametrize("text", ["1 2 x\n", "1 2 3 4\n"])
def test_errors_are_those_of_networkx(tmp_path, text):
    (tmp_path / "edges").write_text(text)
    given = {"data": (("w", float),)}
    with pytest.raises(Exception) as theirs:  # noqa: PT011
        nx.read_edgelist(tmp_path / "edges", **given)
    with pytest.raises(theirs.type) as ours:
        nx.read_edgelist(tmp_path / "edges", **given, backend="warpgraph")
    assert str(ours.value) == str(theirs.value)


def test_missing_ends_are_left_to_networkx():
    pandas = pytest.importorskip("pandas")
    df = pandas.DataFrame({"source": ["a", None], "target": ["b", "c"]})
    with nx.config.backend_priority(generators=["warpgraph"]):
        assert None in nx.from_pandas_edgelist(df) or len(nx.from_pandas_edgelist(df)) == 4

"""Graphs from SciPy and NetworkX, files, pickles, and arrays of other memory."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import warpgraph
from warpgraph import Graph


def same(a, b):
    assert (a.vertices, a.directed, a.weight_type) == (b.vertices, b.directed, b.weight_type)
    assert a.ids.tolist() == b.ids.tolist()
    assert all(x is y or x.tolist() == y.tolist() for x, y in zip(a.to_edges(), b.to_edges()))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil"])
@pytest.mark.parametrize("kind", ["i4", "u4", "f4", "f8", "i8", "u1", "?"])
def test_a_sparse_matrix_is_a_graph(form, kind):
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.array([[0, 2, 0], [0, 0, 3], [1, 0, 1]], kind)
    graph = Graph.from_scipy(sparse.coo_array(dense).asformat(form))
    assert graph.vertices == 3 and graph.directed
    src, dst, weights = graph.to_edges()
    assert list(zip(src.tolist(), dst.tolist())) == [(0, 1), (1, 2), (2, 0), (2, 2)]
    assert weights is None if kind == "?" else weights.tolist() == [2, 3, 1, 1]
    undirected = Graph.from_scipy(sparse.coo_array(dense).asformat(form), directed=False)
    assert not undirected.directed and undirected.edges == 4


def test_a_matrix_is_shared_only_if_the_caller_says_so_and_then_read_only():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.random_array((100, 100), density=0.1, format="csr", rng=1)
    before = matrix.data[0]
    graph = Graph.from_scipy(matrix)
    matrix.data[0] = before + 1
    assert graph.to_edges()[2][0] == before, "copied"
    matrix.data[0] = before
    shared = Graph.from_scipy(matrix, copy=False)
    assert not matrix.data.flags.writeable and not matrix.indices.flags.writeable
    same(graph, shared)
    places = [array.__array_interface__["data"][0] for array in (matrix.indptr, matrix.indices, matrix.data)]
    assert shared._native.addresses() == places, "no copy"
    assert not set(graph._native.addresses()) & set(places)
    del matrix
    shared.pagerank(weighted=True).verify()
    ranks = shared.pagerank()["rank"]
    assert np.array_equal(ranks, graph.pagerank()["rank"])


def test_a_matrix_that_cannot_be_shared_stays_writable():
    sparse = pytest.importorskip("scipy.sparse")
    for matrix in (
        sparse.csr_array(np.array([[0, 2], [1, 0]], np.int64)),
        sparse.csr_array((np.array([1.0, 2]), np.array([1, 0]), np.array([0, 2, 2])), shape=(2, 2)),
    ):
        assert Graph.from_scipy(matrix, copy=False).edges == 2
        assert all(array.flags.writeable for array in (matrix.indptr, matrix.indices, matrix.data))
    unweighted = sparse.csr_array(np.array([[0, 2.0], [1, 0]]))
    assert Graph.from_scipy(unweighted, weighted=False, copy=False).weight_type is None
    assert unweighted.data.flags.writeable and not unweighted.indices.flags.writeable


def test_matrices_that_are_no_graph_or_need_work_are_handled():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(warpgraph.InvalidError, match="2 rows and 3 columns"):
        Graph.from_scipy(sparse.csr_array(np.ones((2, 3))))
    unsorted = sparse.csr_array((np.array([1.0, 2, 5]), np.array([2, 0, 0]), np.array([0, 3, 3, 3])), shape=(3, 3))
    src, dst, weights = Graph.from_scipy(unsorted).to_edges()
    assert (dst.tolist(), weights.tolist()) == ([0, 2], [2, 1]), "parallel entries merge to the least"
    outside = sparse.csr_array(np.eye(3))
    outside.indices[1] = 7
    with pytest.raises((warpgraph.Error, ValueError)):
        Graph.from_scipy(outside)
    infinite = sparse.csr_array(np.array([[0, np.inf], [0, 0]]))
    with pytest.raises(warpgraph.InvalidError, match="not a finite number"):
        Graph.from_scipy(infinite)


def test_a_networkx_graph_keeps_its_nodes_as_ids():
    nx = pytest.importorskip("networkx")
    G = nx.DiGraph([(7, 3, {"w": 2}), (3, 9, {})])
    G.add_node(100)
    graph = Graph.from_networkx(G, weight="w")
    assert graph.ids.tolist() == [3, 7, 9, 100] and graph.directed
    assert [column.tolist() for column in graph.to_edges()] == [[3, 7], [9, 3], [1, 2]]
    named = Graph.from_networkx(nx.Graph([("x", "y"), ("y", "y")]))
    assert named.ids.tolist() == ["x", "y"] and named.edges == 2 and named.weight_type is None
    many = nx.MultiGraph([(0, 1, {"w": 5.5}), (0, 1, {"w": 2.5})])
    assert Graph.from_networkx(many, weight="w").to_edges()[2].tolist() == [2.5]
    assert Graph.from_networkx(nx.Graph()).vertices == 0
    with pytest.raises(warpgraph.InvalidError, match=r"the node \(0, 0\) is neither.*\nhelp: number the nodes"):
        Graph.from_networkx(nx.grid_2d_graph(2, 2))
    with pytest.raises(warpgraph.InvalidError, match="some nodes are numbers and some are text"):
        Graph.from_networkx(nx.Graph([("x", 1)]))


def test_centralities_agree_with_networkx():
    nx = pytest.importorskip("networkx")
    G = nx.karate_club_graph()
    graph = Graph.from_networkx(G)
    ours = graph.bc(normalized=True)["score"]
    theirs = nx.betweenness_centrality(G, backend="networkx")
    assert ours == pytest.approx([theirs[v] for v in sorted(theirs)])


@pytest.mark.parametrize("spec", ["kron:8", "grid:9x7,w=1..9", "uniform:6,directed,w=1..5"])
def test_graphs_and_answers_survive_pickling(spec):
    graph = Graph.generate(spec)
    again = pickle.loads(pickle.dumps(graph))
    same(graph, again)
    answer = graph.bfs()
    kept = pickle.loads(pickle.dumps(answer))
    assert kept.columns == answer.columns and kept.summary == answer.summary and kept.run == answer.run
    assert all(np.array_equal(kept[name], answer[name]) for name in answer.columns)
    assert all(np.array_equal(pickle.loads(pickle.dumps(kept))[name], answer[name]) for name in answer.columns)
    first = int(graph.ids[0])
    assert kept.row(first) == answer.row(first) and "bfs" in repr(kept) and "<table" in kept._repr_html_()
    with pytest.raises(warpgraph.RefusedError, match="a pickled answer"):
        kept.verify()


@pytest.mark.parametrize("named", [False, True])
def test_a_pickled_answer_is_the_same_table(named):
    polars = pytest.importorskip("polars")
    ids = ["a", "b", "c", "lone"] if named else [5, 7, 2**40, 2**50]
    graph = Graph.from_edges(ids[:2], ids[1:3], [1.5, 2], directed=True, vertices=ids)
    for answer in (graph.bfs(source=ids[1]), graph.sssp(source=ids[0]), graph.wcc(), graph.mst() if not graph.directed else graph.scc()):
        table, kept = polars.DataFrame(answer), polars.DataFrame(pickle.loads(pickle.dumps(answer)))
        assert kept.schema == table.schema and kept.equals(table)
    lost = polars.DataFrame(pickle.loads(pickle.dumps(graph.bfs(source=ids[1]))))
    assert lost["distance"].to_list() == [None, 0, 1, None]


def test_a_pickled_answer_needs_no_library_to_be_a_table():
    program = (
        "import pickle, sys, warpgraph; sys.modules['pyarrow'] = None;"
        "answer = warpgraph.Graph.from_edges([0], [1], directed=True, vertices=3).bfs(source=1);"
        "kept = pickle.loads(pickle.dumps(answer));"
        "print(kept.__arrow_c_stream__(), kept.__arrow_c_array__(), kept.__arrow_c_schema__())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.count("capsule object") == 4


def test_names_survive_pickling_and_files(tmp_path):
    graph = Graph.from_edges(["a", "b"], ["b", "ü"], [1.5, 2], directed=False)
    same(graph, pickle.loads(pickle.dumps(graph)))
    for ending in ("wg", "parquet", "csv.gz"):
        path = tmp_path / f"graph.{ending}"
        graph.write(path)
        same(graph, Graph.open(path, directed=False))
        with pytest.raises(warpgraph.ExistsError):
            graph.write(path)
        graph.write(path, force=True)


def test_a_wg_file_is_mapped_and_other_files_are_read(tmp_path):
    graph = Graph.generate("kron:10")
    graph.write(tmp_path / "graph.wg")
    mapped = Graph.open(tmp_path / "graph.wg")
    assert mapped.is_mapped and not graph.is_mapped
    same(graph, mapped)
    mapped.bfs().verify()
    with pytest.raises(warpgraph.FileError, match="nowhere"):
        Graph.open(tmp_path / "nowhere.el")


def test_files_are_read_as_the_options_say(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("a,b,km\n1,2,5\n2,3,7\n2,3,6\n")
    graph = Graph.open(path, columns="src=a,dst=b,weight=km", directed=False, parallel="sum", header="yes")
    assert graph.to_edges()[2].tolist() == [5, 13] and not graph.directed
    with pytest.raises(warpgraph.FormatError, match='say which, .* columns="src=1,dst=2,weight=3"; see also header="yes|no"'):
        Graph.open(path)
    path.write_text("from,to,km\n1,2,5\n")
    with pytest.warns(UserWarning, match='"km" is ignored'):
        Graph.open(path)
    with pytest.raises(warpgraph.InvalidError, match="unknown format"):
        Graph.open(path, format="xls")
    with pytest.raises(warpgraph.InvalidError, match="header="):
        Graph.open(path, header="perhaps")


class OnProcessor:
    """Memory that is known by DLPack alone."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **how):
        return self._array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_tensors_come_in_and_go_out():
    src, dst = OnProcessor(np.array([0, 1])), OnProcessor(np.array([1, 2], np.int32))
    graph = Graph.from_edges(src, dst, OnProcessor(np.array([0.5, 1.5], np.float32)), directed=True)
    assert graph.weight_type == "f32" and graph.edges == 2
    tensor = graph.bfs(source=0).tensor("distance")
    assert np.from_dlpack(tensor).tolist() == [0, 1, 2]

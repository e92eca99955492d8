"""Graphs are read as NetworkX has them: keys, order, attributes, views, and whatever users make of dictionaries."""

from __future__ import annotations

import collections
import copy
import gc
import io
import pickle
import weakref

import numpy as np
import pytest

nx = pytest.importorskip("networkx")

from warpgraph.nx import Graph, backend


def weights(G, attribute="weight", default=1, **more):
    """Returns the values that a conversion reads, by edge."""
    converted = backend.convert_from_nx(G, edge_attrs={attribute: default})
    column = converted.column(attribute, **more)
    offsets, targets = converted.adjacency.rows()
    ends = [(u, targets[at]) for u in range(len(converted)) for at in range(offsets[u], offsets[u + 1])]
    return dict(zip(ends, column.values()))


@pytest.mark.parametrize(
    "keys",
    [
        [3, 1, 2],
        [0, 10**12, -(10**12)],
        [2**70, 0, 1],
        ["b", "a", "c"],
        [(1, "x"), frozenset([1]), 2.5],
        [True, "True", 2],
        [1.0, 2, 3],
        [None.__class__, int, "x"],
    ],
)
def test_keys_may_be_any_hashable_objects(keys):
    G = nx.DiGraph([(keys[0], keys[1]), (keys[1], keys[2]), (keys[2], keys[0])])
    lengths = nx.single_source_shortest_path_length(G, keys[1], backend="warpgraph")
    assert list(lengths.items()) == [(keys[1], 0), (keys[2], 1), (keys[0], 2)]
    assert all(a is b for a, b in zip(lengths, [keys[1], keys[2], keys[0]]))


def test_equal_keys_of_other_types_find_their_node():
    G = nx.path_graph(3)
    assert nx.single_source_shortest_path_length(G, 1.0, backend="warpgraph") == {1: 0, 0: 1, 2: 1}
    assert nx.single_source_shortest_path_length(G, True, backend="warpgraph") == {1: 0, 0: 1, 2: 1}


def test_neighbours_named_by_equal_objects_are_found():
    G = nx.Graph()
    G.add_nodes_from([0, 1])
    G.add_edge(0.0, True)
    G.add_edge(int("1000"), int("1001"))
    G.add_edge(int("1000"), 0)
    assert nx.number_connected_components(G, backend="warpgraph") == 1


class Odd:
    """A key whose comparison runs code that changes the graph."""

    graph = None

    def __hash__(self):
        return 1

    def __eq__(self, other):
        if Odd.graph is not None:
            Odd.graph._adj.clear()
            Odd.graph = None
        return self is other


def test_a_comparison_that_changes_the_graph_does_no_harm():
    a, b, c = Odd(), Odd(), Odd()
    G = nx.Graph([(a, b), (b, c), (a, c)])
    Odd.graph = G
    try:
        backend.convert_from_nx(G)
    except RuntimeError:
        pass
    gc.collect()


def test_weights_keep_their_types_and_defaults():
    G = nx.DiGraph()
    G.add_edge(0, 1, weight=2)
    G.add_edge(0, 2, weight=0.5)
    G.add_edge(1, 2)
    G.add_edge(2, 0, weight=True)
    assert weights(G) == {(0, 1): 2, (0, 2): 0.5, (1, 2): 1, (2, 0): 1}
    assert weights(G, default=7)[(1, 2)] == 7
    assert weights(G, attribute="absent") == dict.fromkeys([(0, 1), (0, 2), (1, 2), (2, 0)], 1)


def test_numpy_floats_are_weights():
    G = nx.Graph()
    G.add_edge(0, 1, weight=np.float64(2.5))
    assert nx.dijkstra_path_length(G, 0, 1, backend="warpgraph") == 2.5


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "NoneType"),
        ("3", "str"),
        (3 + 1j, "complex"),
        (np.int64(3), "int64"),
        (float("nan"), "NaN"),
        (float("inf"), "inf"),
        (2**53, "2**53"),
        (10**30, "2**53"),
    ],
)
def test_other_values_are_left_to_networkx(value, reason):
    G = nx.Graph()
    G.add_edge(0, 1, weight=value)
    with pytest.raises(NotImplementedError) as error:
        nx.dijkstra_path_length(G, 0, 1, backend="warpgraph")
    assert reason in str(error.value.__cause__)
    with nx.config(backend_priority=["warpgraph"]):
        if value != "3" and not isinstance(value, complex) and value is not None:
            assert repr(nx.dijkstra_path_length(G, 0, 1)) == repr(nx.dijkstra_path_length(G, 0, 1, backend="networkx"))


@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_parallel_edges_count_by_the_least_weight_or_the_sum(kind):
    G = kind()
    for weight in (3, 2, 0.5, 4):
        G.add_edge("a", "b", weight=weight)
    G.add_edge("b", "b")
    assert weights(G)[(0, 1)] == 0.5
    assert weights(G, sums=True)[(0, 1)] == 9.5
    converted = backend.convert_from_nx(G)
    assert converted.is_multigraph() and converted.number_of_edges() == 5
    assert nx.pagerank(G, backend="warpgraph", tol=1e-10) == pytest.approx(nx.pagerank(G, tol=1e-10))


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_views_and_subclasses_are_read(kind):
    class Ordered(kind):
        node_dict_factory = adjlist_outer_dict_factory = adjlist_inner_dict_factory = collections.OrderedDict

    G = nx.gnp_random_graph(12, 0.3, seed=1, directed=kind().is_directed())
    ordered = Ordered(G.edges)
    views = [kind(G.edges).subgraph(range(8)), ordered, nx.subgraph_view(kind(G.edges), filter_edge=lambda *e: e[0] != 3)]
    if kind().is_directed():
        views.append(kind(G.edges).reverse(copy=False))
    for view in views:
        source = next(iter(view))
        theirs = nx.single_source_shortest_path_length(view, source)
        assert list(nx.single_source_shortest_path_length(view, source, backend="warpgraph").items()) == list(theirs.items())
        assert nx.single_target_shortest_path_length(view, source, backend="warpgraph") == (
            nx.single_target_shortest_path_length(view, source)
        )


def test_a_subclass_that_shows_other_edges_is_left_to_networkx():
    class Complement(nx.Graph):
        def __getitem__(self, node):
            return {other: {} for other in self._adj if other != node and other not in self._adj[node]}

    with pytest.raises(NotImplementedError) as error:
        nx.pagerank(Complement([(0, 1)]), backend="warpgraph")
    assert "Complement has a __getitem__ of its own" in str(error.value.__cause__)


def test_a_conversion_is_kept_until_the_graph_changes():
    G = nx.path_graph(4)
    first = nx.single_source_shortest_path_length(G, 0, backend="warpgraph")
    kept = next(iter(G.__networkx_cache__["backends"]["warpgraph"].values()))
    nx.single_source_shortest_path_length(G, 1, backend="warpgraph")
    assert next(iter(G.__networkx_cache__["backends"]["warpgraph"].values())) is kept
    G.add_edge(0, 3)
    assert nx.single_source_shortest_path_length(G, 0, backend="warpgraph") != first


def test_a_graph_that_changed_after_its_conversion_is_noticed():
    G = nx.path_graph(4, create_using=nx.DiGraph)
    converted = backend.convert_from_nx(G)
    G.add_edge(3, 0)
    with pytest.raises(RuntimeError, match="changed after it was converted"):
        nx.ancestors(converted, 2)


def test_a_converted_graph_is_freed_with_its_source():
    G = nx.path_graph(4)
    nx.pagerank(G, backend="warpgraph")
    kept = weakref.ref(next(iter(G.__networkx_cache__["backends"]["warpgraph"].values())))
    del G
    gc.collect()
    assert kept() is None


@pytest.mark.parametrize("copied", [lambda G: pickle.loads(pickle.dumps(G)), copy.deepcopy])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_a_converted_graph_can_be_pickled_and_copied(copied, kind):
    G = kind([("a", "b", {"weight": 2.5}), ("b", 3, {"weight": 1}), ("b", "b", {})])
    ask = [
        lambda G: nx.single_source_dijkstra_path_length(G, "a", backend="warpgraph"),
        lambda G: nx.single_target_shortest_path_length(G, 3, backend="warpgraph"),
        lambda G: nx.pagerank(G, tol=1e-9, backend="warpgraph"),
    ]
    before = [call(G) for call in ask]
    again = copied(G)
    assert again.__networkx_cache__["backends"]["warpgraph"], "the conversion is copied too"
    assert [call(again) for call in ask] == before
    converted = next(iter(again.__networkx_cache__["backends"]["warpgraph"].values()))
    assert converted.source is again, "it belongs to the copy"
    again.add_edge(3, "c", weight=1)
    assert nx.single_source_dijkstra_path_length(again, "a", backend="warpgraph")["c"] == 4.5
    assert "c" not in nx.single_source_dijkstra_path_length(G, "a", backend="warpgraph")


def test_a_graph_of_the_backend_can_be_pickled_and_copied():
    G = nx.read_edgelist(io.BytesIO(b"a b 2\nb c 3\n"), data=[("km", int)], create_using=nx.DiGraph, backend="warpgraph")
    for again in (pickle.loads(pickle.dumps(G)), copy.deepcopy(G)):
        assert nx.single_target_shortest_path_length(again, "c") == {"c": 0, "b": 1, "a": 2}
        assert sorted(again.edges(data="km")) == [("a", "b", 2), ("b", "c", 3)]


def test_a_damaged_pickle_is_refused():
    converted = backend.convert_from_nx(nx.path_graph(3))
    restore, (keys, (offsets, targets), *rest) = converted.adjacency.__reduce__()
    assert len(restore(keys, (offsets, targets), *rest)) == 3
    far = np.frombuffer(targets, np.uint32) + 2
    for damaged in [(offsets[:-8], targets), (offsets, targets[:-4]), (offsets, targets[:-1]), (offsets, far.tobytes())]:
        with pytest.raises(ValueError, match="damaged"):
            restore(keys, damaged, *rest)


def test_a_graph_comes_back_as_it_was():
    for kind in (nx.Graph, nx.DiGraph):
        G = kind(name="back")
        G.add_node("alone", size=3)
        G.add_edge("b", "a", weight=2, color="r")
        G.add_edge("b", "b")
        back = backend.convert_to_nx(backend.convert_from_nx(G, preserve_edge_attrs=True))
        assert nx.utils.graphs_equal(G, back) and back is not G


def test_a_graph_of_the_backend_reads_like_one_of_networkx():
    G = backend.convert_from_nx(nx.karate_club_graph())
    assert (len(G), G.number_of_edges(), 33 in G, 99 in G, [] in G) == (34, 78, True, False, False)
    assert G.degree[0] == 16 and sorted(G.edges)[0] == (0, 1)
    with pytest.raises(AttributeError, match="does not change"):
        G.add_edge(1, 2)
    assert repr(G) == "<warpgraph.nx.Graph: undirected, 34 nodes, 78 edges>"
    assert isinstance(G, Graph) and G.to_networkx().number_of_edges() == 78


def test_the_device_is_chosen_by_the_configuration_of_networkx():
    G = nx.path_graph(30)
    with nx.config.backends.warpgraph(device="cpu"):
        assert sum(nx.pagerank(G, backend="warpgraph").values()) == pytest.approx(1)
    with nx.config.backends.warpgraph(device="nothing"), pytest.raises(ValueError, match="nothing"):
        nx.pagerank(nx.path_graph(30), backend="warpgraph")

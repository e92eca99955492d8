"""Graphs from columns: which vertices there are, which types are read, and what is refused."""

import numpy as np
import pytest

import warpgraph
from warpgraph import Graph, _columns
from warpgraph._warpgraph import addresses


def edges(graph):
    sources, targets, weights = graph.to_edges()
    return list(zip(sources.tolist(), targets.tolist())), None if weights is None else weights.tolist()


def test_vertices_are_the_ids_that_occur_unless_the_caller_says_which():
    assert Graph.from_edges([5], [9], directed=True).ids.tolist() == [5, 9]
    assert Graph.from_edges([1], [2], directed=True).ids.tolist() == [1, 2]
    assert Graph.from_edges([1], [2], directed=True, vertices=4).ids.tolist() == [0, 1, 2, 3]
    assert Graph.from_edges([7], [9], directed=True, vertices=[9, 3, 7]).ids.tolist() == [3, 7, 9]
    names = Graph.from_edges(["b"], ["a"], directed=True, vertices=["c", "a", "b"])
    assert names.ids.tolist() == ["a", "b", "c"] and edges(names)[0] == [("b", "a")]
    empty = Graph.from_edges([], [], directed=True)
    assert (empty.vertices, empty.edges) == (0, 0)


@pytest.mark.parametrize("kind", ["i4", "u4", "i8", "u8", "f4", "f8"])
def test_arrays_are_read_where_they_lie(kind):
    array = np.arange(6, dtype=kind)
    place = array.__array_interface__["data"][0]
    read = _columns.weights if kind[0] == "f" else lambda values: _columns.ids(values, "src")
    assert addresses(read(array)) == [place]
    assert addresses(read(array[2:])) == [place + 2 * array.itemsize]
    assert addresses(read(array[::2])) != [place], "an array with gaps is copied"


@pytest.mark.parametrize("top", [3, 70, 10**6, 2**31, 2**40, 2**64 - 2])
def test_ids_with_gaps_of_any_size_keep_their_order_and_come_back(top):
    ids = sorted({0, 1, 2, top - 1, top})
    generator = np.random.default_rng(top % 1000)
    src, dst = (generator.choice(np.array(ids, np.uint64), 50) for _ in range(2))
    graph = Graph.from_edges(src, dst, directed=True)
    expected = sorted({(int(u), int(v)) for u, v in zip(src, dst)})
    assert edges(graph)[0] == expected
    assert graph.ids.tolist() == sorted({end for edge in expected for end in edge})
    answer = graph.bfs(source=expected[0][0])
    assert answer.row(expected[0][0])["distance"] == 0


@pytest.mark.parametrize("kind", ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", ">i4", ">u8", "O"])
def test_every_type_of_whole_numbers_is_read(kind):
    src, dst = np.array([0, 3, 100], kind), np.array([3, 100, 0], kind)
    for one in (src, np.repeat(src, 2)[::2]):  # The second is not contiguous.
        assert edges(Graph.from_edges(one, dst, directed=True))[0] == [(0, 3), (3, 100), (100, 0)]


@pytest.mark.parametrize(
    ("values", "stored"),
    [
        (np.array([1, 2], "u4"), "u32"),
        (np.array([1, -2], "i4"), "i32"),
        (np.array([1, 2], "f4"), "f32"),
        (np.array([1, 2], "f8"), "f64"),
        (np.array([1, 2], "f2"), "f32"),
        ([1, 2], "u32"),
        ([-1, 2], "i32"),
        ([1, 2**40], "f64"),
        ([1, 2.5], "f64"),
        (np.array([200, 2], "u1"), "u32"),
    ],
)
def test_weights_are_stored_in_the_type_that_holds_them(values, stored):
    graph = Graph.from_edges([0, 1], [1, 2], values, directed=True)
    assert graph.weight_type == stored
    assert edges(graph)[1] == [float(value) for value in values]


def test_parallel_edges_and_loops_are_treated_as_asked():
    def made(**how):
        return edges(Graph.from_edges([0, 0, 1], [1, 1, 1], [5, 3, 7], directed=True, **how))

    assert made() == ([(0, 1), (1, 1)], [3, 7])
    assert made(parallel="sum") == ([(0, 1), (1, 1)], [8, 7])
    assert made(parallel="first") == ([(0, 1), (1, 1)], [5, 7])
    assert len(made(parallel="keep")[0]) == 3
    assert made(loops="drop") == ([(0, 1)], [3])


@pytest.mark.parametrize(
    ("src", "dst", "how", "said"),
    [
        ([0.5], [1], {}, r"src has values of type float64, such as .*0\.5"),
        ([-1], [1], {}, "-1 in row 0 is no id"),
        (["a"], [1], {}, "some ids are numbers and some are text"),
        (["a", None], ["b", "c"], {}, "None in row 1 is no text"),
        ([1], [1, 2], {}, "1 sources for 2 targets"),
        ([1], [2], {"weights": [1, 2]}, "2 weights for 1 edges"),
        ([1], [2], {"weights": [float("nan")]}, "edge 0 is not a finite number"),
        ([1], [2], {"weights": ["x"]}, "weights are <U1"),
        ([1], [2], {"weights": [2**60 + 1]}, "beyond 2\\^53"),
        ([5], [1], {"vertices": 3}, "id 5 is no vertex: there are 3 vertices, 0 to 2"),
        ([5], [1], {"vertices": [1, 2]}, "edge 0 has an end 5"),
        ([2**40], [1], {"vertices": [1, 2**50]}, "edge 0 has an end 1099511627776"),
        (["q"], ["r"], {"vertices": ["q"]}, 'an end "r"'),
        (["q"], ["r"], {"vertices": 2}, "ids are text"),
        ([2**64], [1], {}, "beyond 64 bits"),
        ([[1]], [[2]], {}, "src has 2 dimensions"),
        ([1], [2], {"loops": "maybe"}, 'loops="maybe" is no choice\nhelp: one of `keep` or `drop`'),
        ([True], [False], {}, "src has values of type bool"),
        (3, [1], {}, None),
    ],
)
def test_columns_that_are_no_edges_are_refused_in_words(src, dst, how, said):
    if said is None:
        with pytest.raises((TypeError, warpgraph.InvalidError)):
            Graph.from_edges(src, dst, directed=True, **how)
        return
    with pytest.raises(warpgraph.InvalidError, match=said) as caught:
        Graph.from_edges(src, dst, directed=True, **how)
    assert caught.value.help


def test_a_run_on_names_answers_with_names():
    graph = Graph.from_edges(["ann", "bob"], ["bob", "cy"], directed=True)
    answer = graph.bfs(source="ann")
    assert answer["parent"].tolist() == ["ann", "ann", "bob"]
    assert answer.path("cy") == (["ann", "bob", "cy"], 2)
    assert answer.row("cy") == {"vertex": "cy", "distance": 2, "parent": "bob"}
    assert graph.bfs(source="cy").path("ann") is None
    with pytest.raises(warpgraph.NoSuchVertexError, match="dan"):
        answer.row("dan")

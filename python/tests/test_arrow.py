"""Tables of other libraries, in and out, by the Arrow PyCapsule interface."""

import gc

import numpy as np
import pytest

import warpgraph
from warpgraph import Graph
from warpgraph._warpgraph import addresses

pa = pytest.importorskip("pyarrow")


def ends(graph):
    return list(zip(*(column.tolist() for column in graph.to_edges()[:2])))


class Only:
    """Shows nothing of an object but the methods of Arrow."""

    def __init__(self, of, *methods):
        for name in methods:
            setattr(self, name, getattr(of, name))


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()])
def test_numbers_of_every_type_in_chunks_and_slices_are_read(kind):
    source = pa.chunked_array([pa.array([9, 0, 1, 2], kind).slice(1), pa.array([2], kind)])
    target = pa.chunked_array([pa.array([1], kind), pa.array([2, 3, 0], kind)])
    table = pa.table({"source": source, "target": target})
    assert ends(Graph.from_arrow(table, directed=True)) == [(0, 1), (1, 2), (2, 0), (2, 3)]
    assert ends(Graph.from_edges(source, target, directed=True)) == [(0, 1), (1, 2), (2, 0), (2, 3)]


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())], ids=str
)
def test_texts_in_every_layout_are_read(kind):
    words = ["b", "a text of more than twelve bytes", "a", "", "ü"]
    source = pa.array(["skipped", *words]).slice(1).cast(kind) if "view" in str(kind) else pa.array(words).cast(kind)
    target = pa.array(words[1:] + words[:1]).cast(kind)
    graph = Graph.from_arrow(pa.table({"from": source, "to": target}), directed=True)
    assert graph.ids.tolist() == sorted(words, key=lambda word: word.encode())
    assert sorted(ends(graph)) == sorted(zip(words, words[1:] + words[:1]))


def test_columns_of_tables_are_read_where_they_lie():
    chunked = pa.chunked_array([pa.array([1, 2, 3]), pa.array([4])])
    assert addresses(chunked) == [chunk.buffers()[1].address for chunk in chunked.chunks]
    assert addresses(pa.array([1, 2, 3]).slice(1)) != addresses(pa.array([1, 2, 3]))


def test_an_object_with_either_method_alone_is_read():
    batch = pa.record_batch({"u": [0, 1], "v": [1, 2], "weight": [0.5, 1.5]})
    for one in (Only(batch, "__arrow_c_array__"), Only(pa.table(batch), "__arrow_c_stream__")):
        graph = Graph.from_arrow(one, directed=True)
        assert ends(graph) == [(0, 1), (1, 2)] and graph.to_edges()[2].tolist() == [0.5, 1.5]
    column = Only(pa.array([4, 5]), "__arrow_c_array__")
    assert ends(Graph.from_edges(column, column, directed=True)) == [(4, 4), (5, 5)]


def test_columns_are_chosen_by_words_or_by_the_caller_and_what_is_left_out_is_told():
    table = pa.table({"km": [7, 8], "from": [0, 1], "to": [1, 2]})
    with pytest.warns(UserWarning, match='"km" is ignored; weight="km" would take it as the weight'):
        assert Graph.from_arrow(table, directed=True).weight_type is None
    assert Graph.from_arrow(table, weight="km", directed=True).to_edges()[2].tolist() == [7, 8]
    assert Graph.from_arrow(table, weight="km", weighted=False, directed=True).weight_type is None
    assert ends(Graph.from_arrow(table, source="to", target="from", weight="km", directed=True)) == [(1, 0), (2, 1)]
    with pytest.raises(warpgraph.InvalidError, match="their names do not say which"):
        Graph.from_arrow(pa.table({"a": [1], "b": [2], "c": [3], "d": [4]}), directed=True)
    with pytest.raises(warpgraph.InvalidError, match="there is no column"):
        Graph.from_arrow(table, source="nobody", directed=True)


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (pa.array([1, None]), "u has a null in row 1"),
        (pa.array(["a", None]), "u has a null in row 1"),
        (pa.array([1.5, 2]), "1.5 in row 0 is no id"),
        (pa.array([[1], [2]]), "u has nested or encoded values"),
        (pa.array([True, False]), "u has true and false"),
        (pa.array([b"a", b"b"]), "u has bytes"),
        (pa.array([1, 2], pa.timestamp("s")), "u has dates, times"),
        (pa.nulls(2), "u has nulls only"),
        (pa.array([1, -2]), "-2 in row 1 is no id"),
    ],
)
def test_columns_that_hold_no_ids_are_refused_by_name(column, said):
    with pytest.raises(warpgraph.InvalidError, match=said):
        Graph.from_arrow(pa.table({"u": column, "v": [1, 2]}), directed=True)


def test_what_is_no_table_is_refused():
    with pytest.raises(warpgraph.InvalidError, match="int is no table"):
        Graph.from_arrow(3, directed=True)
    with pytest.raises(warpgraph.InvalidError, match="single column"):
        Graph.from_arrow(pa.array([1]), directed=True)
    with pytest.raises(warpgraph.InvalidError, match="a table of 2 columns where one"):
        Graph.from_edges(pa.table({"a": [1], "b": [2]}), [1], directed=True)


def test_an_error_of_the_producer_comes_through():
    def batches():
        yield pa.record_batch({"u": [1], "v": [2]})
        raise ValueError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("u", pa.int64()), ("v", pa.int64())]), batches())
    with pytest.raises(warpgraph.InvalidError, match="cannot be read: .*the disk is gone"):
        Graph.from_arrow(reader, directed=True)


def test_answers_go_out_with_nulls_for_none_and_keep_their_memory_alive():
    answer = Graph.from_edges([0, 1], [1, 2], directed=True, vertices=4).bfs(source=1)
    table = pa.table(answer)
    address = answer["distance"].ctypes.data
    assert table["distance"].chunk(0).buffers()[1].address == address, "shared, not copied"
    assert table.schema.names == answer.columns and not table.schema.field("vertex").nullable
    del answer
    gc.collect()
    expected = {"vertex": [0, 1, 2, 3], "distance": [None, 0, 1, None], "parent": [None, 1, 1, None]}
    assert table.to_pydict() == expected
    table.validate(full=True)


def test_every_column_of_every_answer_is_valid_arrow_and_agrees_with_numpy():
    graph = Graph.generate("kron:7,w=1..9")
    named = Graph.from_edges(*(np.char.mod("v%d", column) for column in graph.to_edges()[:2]), directed=False)
    for one in (graph, named):
        for entry in warpgraph._warpgraph.algorithms():
            given = {"inject": [one.ids[3]]} if entry["name"] == "adsorption" else {}
            answer = one.run(entry["name"], **given)
            table = answer.to_arrow()
            table.validate(full=True)
            for name in answer.columns:
                ours, theirs = answer[name].tolist(), table[name].to_pylist()
                nones = (-1, None)
                assert all(
                    a == b or (b is None and (a in nones or not np.isfinite(a))) for a, b in zip(ours, theirs)
                ), (entry["name"], name)


def test_edges_go_out_and_come_back():
    graph = Graph.from_edges(["x", "y"], ["y", "z"], [4_294_967_295, 1], directed=True)
    table = pa.table(graph)
    assert table.to_pydict() == {"source": ["x", "y"], "target": ["y", "z"], "weight": [4_294_967_295, 1]}
    again = Graph.from_arrow(table, directed=True)
    assert ends(again) == ends(graph) and again.weight_type == "u32"
    array = pa.record_batch(graph)
    assert array.num_rows == 2 and pa.schema(graph) == table.schema


def test_a_capsule_serves_once_and_frees_what_nobody_takes():
    answer = Graph.from_edges([0], [1], directed=True).wcc()
    capsule = answer.__arrow_c_stream__()

    class Twice:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    assert pa.table(Twice()).num_rows == 2
    with pytest.raises(warpgraph.InvalidError, match="was taken before"):
        Graph.from_arrow(Twice(), directed=True)
    for _ in range(100):
        answer.__arrow_c_stream__()
        answer.__arrow_c_array__()


def test_polars_pandas_and_duckdb_read_and_are_read():
    pl, pd, duckdb = (pytest.importorskip(name) for name in ("polars", "pandas", "duckdb"))
    expected = [("a", "b"), ("b", "c")]
    frame = pl.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [1.5, 2.5]})
    graph = Graph.from_arrow(frame, directed=True)
    assert ends(graph) == expected and ends(Graph.from_arrow(frame.with_columns(pl.col("source").cast(pl.Categorical)), directed=True)) == expected
    assert ends(Graph.from_edges(frame["source"], frame["target"], frame["weight"], directed=True)) == expected
    assert pl.DataFrame(graph).equals(frame)
    answer = graph.sssp(source="b")
    assert answer.to_polars()["distance"].to_list() == [None, 0.0, 2.5]
    table = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [1.5, 2.5]})
    assert ends(Graph.from_pandas(table, directed=True)) == expected
    assert ends(Graph.from_edges(table["source"].astype("category"), table["target"], directed=True)) == expected
    assert answer.to_pandas()["vertex"].tolist() == ["a", "b", "c"]
    found = answer.to_arrow()
    assert duckdb.sql("select vertex from found where distance > 1").fetchall() == [("c",)]
    assert ends(Graph.from_arrow(duckdb.sql("select * from frame"), directed=True)) == expected


def test_pandas_needs_no_pyarrow_and_tells_of_missing_values():
    pd = pytest.importorskip("pandas")
    with pytest.raises(warpgraph.InvalidError, match="float64.*\nhelp: .*missing values"):
        Graph.from_pandas(pd.DataFrame({"u": [1, None], "v": [1, 2]}), directed=True)
    nullable = pd.DataFrame({"u": pd.array([1, 2], "Int64"), "v": pd.array([2, 3], "Int64")})
    assert ends(Graph.from_pandas(nullable, directed=True)) == [(1, 2), (2, 3)]

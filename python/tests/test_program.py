"""Programs from Python: they are traced once, run without Python, and say clearly what they cannot do."""

import math

import numpy as np
import pytest

import warpgraph
from warpgraph import Graph, TraceError, identity, where


@warpgraph.program(combine="min", value="u32")
def hops(src, edge):
    """The fewest hops from a source."""
    return src.value + 1


@hops.init
def _(v, source):
    return where(v.id == source, 0, identity)


@warpgraph.program(combine="min", value="f64", init=lambda v, source: where(v.id == source, 0, identity))
def lengths(src, edge):
    return src.value + edge.weight


@warpgraph.program(combine="sum", distributes=True, init=lambda v, damping, n: (1 - damping) / n)
def ranks(src, edge, damping):
    return src.value * damping / warpgraph.cast(src.degree, "f64")


GRAPHS = ["kron:9,w=1..9", "grid:25x20,w=1..9", "uniform:9,directed,degree=4,w=1..9"]


# The simulated GPU compiles kernels by a C++ compiler, which takes seconds each.
@pytest.mark.parametrize(("spec", "device"), [*((spec, "cpu") for spec in GRAPHS), ("uniform:6,directed,w=1..9", "simt")])
def test_programs_answer_as_the_algorithms_do_on_every_device(spec, device):
    graph = Graph.generate(spec)
    source = int(graph.ids[np.argmax(graph.degrees())])
    how = {"device": device, "source": graph.number(source)}
    found = hops.run(graph, **how)
    expected = graph.bfs(source=source)["distance"]
    assert np.array_equal(found["value"], expected)
    found.verify()
    assert found.run["device"] == device and found.algorithm == "hops"
    found = lengths.run(graph, seeds=[source], **how)
    expected = graph.sssp(source=source)["distance"].astype(np.float64)
    expected[expected < 0] = np.inf
    assert np.array_equal(found["value"], expected)
    found.verify()


@pytest.mark.parametrize("device", ["cpu", "simt"])
def test_sums_answer_as_pagerank_does(device):
    graph = Graph.generate("grid:12x9" if device == "simt" else "grid:40x30")
    found = ranks.run(graph, damping=0.85, n=graph.vertices, tolerance=1e-10, max_rounds=300, device=device)
    assert found["value"] == pytest.approx(graph.pagerank(tolerance=1e-10, max_iterations=300)["rank"], rel=1e-6)
    found.verify()


def test_an_order_changes_no_answer_and_plans_are_checked():
    graph = Graph.generate("kron:10")
    plain = hops.run(graph, source=3)
    assert np.array_equal(hops.run(graph, source=3, order="degree")["value"], plain["value"])
    assert hops.run(graph, source=3, plan="push", threads=1).run["plan"] == "bsp+push"
    for plan, said in [("pull", "interpreted for blocks"), ("paths", "run by supersteps"), ("tiled", "balances share")]:
        with pytest.raises(warpgraph.RefusedError, match=said):
            hops.run(graph, source=3, plan=plan, device="cpu")
    with pytest.raises(warpgraph.RefusedError):
        hops.run(graph, source=3, approx="divergence")
    with pytest.raises(warpgraph.DeadlineError):
        hops.run(graph, source=3, time_limit=0)


def test_no_call_of_python_is_made_per_edge():
    calls = 0

    @warpgraph.program(combine="min", value="u32", init=lambda v: v.id)
    def components(src, edge):
        nonlocal calls
        calls += 1
        return src.value

    graph = Graph.generate("kron:12")
    assert np.array_equal(components.run(graph)["value"], graph.wcc()["component"])
    assert calls == 1


def test_columns_weights_and_own_functions_are_used():
    graph = Graph.from_edges([0, 1, 0, 2], [1, 3, 2, 3], [1.0, 1.0, 1.0, 1.0], directed=True)
    tolls = lengths_with_tolls.run(graph, source=0, columns={"toll": [0, 100, 2, 0]})
    assert tolls["value"].tolist() == [0.0, 101.0, 3.0, 4.0]
    tolls.verify()
    mixed = lengths_with_tolls.run(graph, source=0, columns={"toll": np.array([0, 7, 2.5, 0], "f4"), "other": [1, 2, 3, 4]})
    assert mixed["value"].tolist() == [0.0, 8.0, 3.5, 4.5]

    @warpgraph.program(combine="max", value="i32", init=lambda v: where(v.id == 0, 10, -5))
    def falling(src, edge):
        return src.value - 3

    @falling.apply
    def _(v, old, arrived):
        return warpgraph.maximum(old, arrived)

    @falling.active
    def _(old, new):
        return (new > old) & ~(new < 0)

    found = falling.run(graph)
    assert found["value"].tolist() == [10, 7, 7, 4]
    found.verify()


@warpgraph.program(combine="min", init=lambda v, source: where(v.id == source, 0, identity))
def lengths_with_tolls(src, edge):
    return src.value + edge.weight + warpgraph.cast(edge.target.toll, "f64")


def test_pairs_bits_and_every_operation_are_recorded():
    @warpgraph.program(combine="min", value="u64", init=lambda v, source: where(v.id == source, warpgraph.pack(v.id * 0, v.id), identity))
    def tree(src, edge):
        return warpgraph.pack(warpgraph.high(src.value) + 1, src.id)

    graph = Graph.generate("grid:9x9")
    found = tree.run(graph, source=0)["value"].astype(np.uint64)
    expected = graph.bfs(source=0)
    assert np.array_equal(found >> 32, expected["distance"])
    assert np.array_equal(found & 0xFFFFFFFF, expected["parent"])

    @warpgraph.program(combine="or", value="u32", init=lambda v: v.id & 3 | (v.id // 5) * 0)
    def bits(src, edge):
        return src.value & 7

    bits.run(graph).verify()

    @warpgraph.program(combine="max", init=0.0)
    def everything(src, edge, p):
        x = warpgraph.sqrt(abs(-src.value)) + p * edge.weight / 2 - 1
        near = (src.id != edge.target.id) | (src.degree >= 2) & (x <= p)
        return where(near, warpgraph.minimum(x, 3), where(p > x, p, 1 - x))

    text = everything.trace(p=1.5)
    for word in ("sqrt", "abs", "div", "select", "param p as f64 1.5", "literal 2.0", "source.degree", "weight"):
        assert word in text, text
    everything.run(Graph.generate("grid:5x5"), p=1.5, seeds=[0], max_rounds=5).verify()


def traced(message, **how):
    how = {"combine": "min", "init": 0, **how}
    return lambda: warpgraph.program(**how)(message).run(Graph.generate("grid:3x3"))


def branching(src, edge):
    if src.value > 3:
        return src.value
    return src.value + 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (traced(branching), "used as a condition of Python\nhelp: .*warpgraph.where"),
        (traced(lambda src, edge: min(src.value, edge.weight)), "used as a condition"),
        (traced(lambda src, edge: 0 < src.value < 3), "used as a condition"),
        (traced(lambda src, edge: math.sqrt(src.value)), "used as a number of Python\nhelp: use warpgraph.sqrt"),
        (traced(lambda src, edge: [1, 2][src.id]), "used as a number of Python"),
        (traced(lambda src, edge: np.sqrt(src.value)), None),
        (traced(lambda src, edge: np.float64(2) * src.value + "x"), None),
        (traced(lambda src, edge: None), "`message` returns nothing"),
        (traced(lambda src, edge: src.value > 1), "`message` returns a comparison"),
        (traced(lambda src, edge: src.id), "returns u32 where f64 is expected\nhelp: cast"),
        (traced(lambda src, edge: src.value + src.id), "cast one of them"),
        (traced(lambda src, edge: src.value + 0.5, value="u32"), "0.5 is no u32"),
        (traced(lambda src, edge: src.value + 2**40, value="u32"), "out of the range of u32"),
        (traced(lambda src, edge: src.value / 2, value="u32"), "does not take u32\nhelp: cast to a decimal"),
        (traced(lambda src, edge: src.value // 2, value="i32"), "// does not take i32"),
        (traced(lambda src, edge: src.rank), "a vertex has no 'rank' here\nhelp: it has id, degree, value"),
        (traced(lambda src, edge: edge.target.value), "no 'value' here"),
        (traced(lambda src, edge, p: src.value * p), "parameters p, which are not given\nhelp: run\\(graph, p="),
        (traced(lambda src: src.value), "takes 1 arguments, and gets 2"),
        (traced(lambda src, edge: src.value, combine="mean"), "combine='mean' is no choice"),
        (traced(lambda src, edge: src.value, value="f16"), "there is no type 'f16'"),
        (traced(lambda src, edge: src.value, init=None), "has no `init`"),
        (traced(lambda src, edge: where(True, src.value, 1)), "the condition is bool True"),
        (traced(lambda src, edge: src.value, combine="or"), "joins bits, and the values are decimals"),
        (traced(lambda src, edge: src.value, combine="sum"), "a sum needs a rule that ends it"),
    ],
)
def test_what_cannot_be_traced_is_said_in_words(call, said):
    if said is None:
        with pytest.raises(TypeError):
            call()
        return
    with pytest.raises(warpgraph.Error, match=f"(?s){said}"):
        call()


def test_runs_are_refused_in_words():
    graph = Graph.generate("grid:3x3")
    with pytest.raises(warpgraph.InvalidError, match="hops has no parameter 'sorce'"):
        hops.run(graph, sorce=1)
    with pytest.raises(warpgraph.InvalidError, match="the parameter source is 'a'\nhelp: .*graph.number"):
        hops.run(graph, source="a")
    with pytest.raises(warpgraph.NoSuchVertexError):
        hops.run(graph, source=0, seeds=[99])
    with pytest.raises(warpgraph.ConfigError, match='column "toll" has 2 values for 9 vertices'):
        lengths_with_tolls.run(graph, source=0, columns={"toll": [1, 2]})
    with pytest.raises(warpgraph.InvalidError, match="cannot be named 'id'"):
        lengths_with_tolls.run(graph, source=0, columns={"id": [1] * 9})
    with pytest.raises(TraceError, match="needs arguments"):
        warpgraph.program(lambda src, edge: src.value)
    assert isinstance(TraceError("x"), TypeError) and hops.__doc__.startswith("The fewest")


def test_an_interpreted_run_takes_no_python_time_per_edge():
    import time

    graph = Graph.generate("kron:16")
    began = time.perf_counter()
    hops.run(graph, source=graph.number(int(graph.ids[np.argmax(graph.degrees())])))
    seconds = time.perf_counter() - began
    # Python takes some 50 ns for less than one step of an interpreter, of which a message needs dozens.
    assert seconds / graph.arcs < 1e-6, f"{seconds / graph.arcs * 1e9:.0f} ns per arc"

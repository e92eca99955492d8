"""How runs behave: options, progress, limits, signals, threads."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import warpgraph
from warpgraph import Graph


def test_methods_and_functions_take_the_options_of_every_run():
    graph = Graph.generate("kron:9,w=1..9")
    asked = graph.bfs(source=3, device="cpu", plan="push", order="degree", threads=1, seed=7, trace=True)
    assert asked.run["plan"] == "bsp+push" and asked.run["order"] == "degree" and asked.run["threads"] == 1
    assert asked.run["trace"], "traced"
    assert np.array_equal(warpgraph.bfs(graph, source=3)["distance"], asked["distance"])
    near = graph.bc(max_error=0.05, seed=1)
    near.verify()
    assert near.run["accuracy"], "how near it is"
    assert graph.pagerank(personalize={3: 2.0, 5: 1.0})["rank"][3] > 0.05
    assert graph.pagerank(personalize=[3, 5])["rank"][3] > 0.05
    simulated = Graph.generate("kron:7").wcc(device="simt", gpu_memory="64M")
    assert simulated.run["device"] == "simt"
    simulated.verify()


WITH_ERROR = [
    entry["name"]
    for entry in warpgraph._warpgraph.algorithms()
    if any(field["name"] == "max_error" for field in entry["fields"])
]


@pytest.mark.parametrize("name", WITH_ERROR)
def test_every_algorithm_that_allows_an_error_reports_how_near_it_is(name):
    graph = Graph.generate("kron:9,w=1..9")
    answer = getattr(graph, name.replace("-", "_"))(max_error=0.2, seed=1)
    answer.verify()
    accuracy = answer.run["accuracy"]
    assert accuracy["asked"] == 0.2 and accuracy["achieved"] <= 0.2 + 1e-12, accuracy
    assert accuracy["word"] in ("proved", "measured", "exact")


def test_every_method_has_the_names_defaults_and_words_of_the_table():
    import inspect

    for entry in warpgraph._warpgraph.algorithms():
        method = getattr(Graph, entry["name"].replace("-", "_"))
        parameters = inspect.signature(method).parameters
        for field in entry["fields"]:
            default = () if field["is_list"] else field["default"]
            assert parameters[field["name"]].default == default
            assert f"{field['name']}: " in method.__doc__
        assert method.__name__ in warpgraph._algorithms.__all__


def test_wrong_options_are_refused_in_words():
    graph = Graph.generate("kron:6")
    for how, said in [
        ({"device": "gpu9"}, "gpu9"),
        ({"plan": "puhs"}, "puhs"),
        ({"order": "degre"}, "degre"),
        ({"gpu_memory": "4X"}, "4X.* is no size"),
        ({"time_limit": -1}, "time_limit"),
        ({"threads": 0}, "thread"),
    ]:
        with pytest.raises(warpgraph.Error, match=said):
            graph.bfs(**how)
    with pytest.raises(TypeError):
        graph.bfs(sorce=1)


def test_help_names_what_python_has():
    with pytest.raises(warpgraph.NoSuchVertexError) as caught:
        Graph.generate("kron:6").bfs(source=10**9)
    assert "`graph.ids` has all of them" in caught.value.help


def test_progress_is_told_to_a_function_and_ends_the_run_if_that_raises():
    graph = Graph.generate("uniform:13,degree=8")
    told = []
    graph.closeness(progress=lambda *news: told.append(news))
    assert told and all(isinstance(stage, str) and done <= (total or done) for stage, done, total in told)

    class Enough(Exception):
        pass

    def stop(stage, done, total):
        raise Enough

    with pytest.raises(Enough):
        graph.bc(progress=stop)


def test_progress_is_shown_by_tqdm(capsys):
    pytest.importorskip("tqdm")
    Graph.generate("uniform:13,degree=8").closeness(progress=True)
    assert "%" in capsys.readouterr().err


def test_a_time_limit_ends_a_run_soon():
    graph = Graph.generate("uniform:17,degree=16")
    began = time.monotonic()
    with pytest.raises(warpgraph.DeadlineError) as caught:
        graph.bc(time_limit=0.3)
    assert time.monotonic() - began < 10 and isinstance(caught.value, TimeoutError)


GRID = """
import networkx as nx, numpy as np, scipy.sparse
n = 1_000_000
right, down = np.flatnonzero(np.arange(n) % 1000 < 999), np.arange(n - 1000)
u, v = np.concatenate([right, down]), np.concatenate([right + 1, down + 1000])
ends = np.concatenate([u, v]), np.concatenate([v, u])
matrix = scipy.sparse.coo_array((np.random.default_rng(1).random(len(ends[0])), ends), shape=(n, n)).tocsr()
G = nx.from_scipy_sparse_array(matrix, create_using=nx.DiGraph, backend="warpgraph")
"""

#: What takes several seconds: how to prepare it, and the call.
LONG = {
    "run": ('graph = warpgraph.Graph.generate("uniform:17,degree=16")', "graph.bc()"),
    "verify": ('a = warpgraph.Graph.generate("uniform:21,degree=16").closeness(sources=64)', "a.verify()"),
    "bellman_ford": (GRID, "nx.single_source_bellman_ford_path_length(G, 0)"),
}


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_long_work_soon_and_the_process_goes_on(name):
    if name == "bellman_ford":
        pytest.importorskip("networkx")
        pytest.importorskip("scipy")
    prepare, call = LONG[name]
    program = f"""
import warpgraph
{prepare}
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("stopped", flush=True)
    print(warpgraph.Graph.generate("kron:5").bfs().summary["reached"] > 0)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert child.poll() is None, "it was done before the signal"
        child.send_signal(signal.SIGINT)
        sent = time.monotonic()
        assert child.stdout.readline() == "stopped\n"
        assert time.monotonic() - sent < 3
        assert child.communicate(timeout=30)[0] == "True\n"
        assert child.returncode == 0
    finally:
        child.kill()


def test_other_threads_of_python_run_during_a_run():
    graph = Graph.generate("uniform:15,degree=16")
    done = threading.Event()
    ticks = 0

    def count():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.monotonic()
    graph.bc(sources=500)
    seconds = time.monotonic() - began
    done.set()
    thread.join()
    assert seconds < 0.05 or ticks > seconds * 50, (ticks, seconds)


def test_threads_may_ask_one_graph_at_once():
    graph = Graph.generate("kron:12")
    answers = [None] * 4

    def ask(at):
        answers[at] = graph.pagerank(deterministic=True)["rank"]

    threads = [threading.Thread(target=ask, args=(at,)) for at in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(np.array_equal(answers[0], other) for other in answers)


def test_graphs_and_answers_describe_themselves_in_html():
    graph = Graph.from_edges(["<b>", "x"], ["x", "y"], [1, 2], directed=True)
    shown = graph._repr_html_()
    assert "&lt;b&gt;" in shown and "<b>&lt;" not in shown and "<svg" in shown and "u32" in shown
    assert "no device yet" in shown
    answer = graph.pagerank()
    assert "auto" in graph._repr_html_()
    shown = answer._repr_html_()
    assert "greatest rank" in shown and "&lt;b&gt;" in shown and "how it ran" in shown
    assert "<script" not in shown and "http" not in shown.replace("http://www.w3.org/2000/svg", "")
    bare = warpgraph.program(combine="max", init=lambda v: float("inf"))(lambda src, edge: src.value)
    assert "None" not in bare.run(graph)._repr_html_()
    empty = Graph.from_edges([], [], directed=True)
    assert "vertices" in empty._repr_html_() and empty.wcc()._repr_html_()
    assert "2 edges" in repr(graph) and "pagerank" in repr(answer)


def test_importing_costs_little_beyond_numpy_and_loads_nothing_of_cuda():
    program = (
        "import numpy, time; began = time.process_time(); import warpgraph; print(time.process_time() - began);"
        "print('cuda' in open('/proc/self/maps').read() if __import__('os').path.exists('/proc/self/maps') else False)"
    )
    found = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in range(5)]
    seconds = sorted(float(one.stdout.split()[0]) for one in found)
    assert seconds[2] < 0.05, seconds
    assert all(one.stdout.split()[1] == "False" for one in found)


def test_a_wrong_answer_does_not_pass_verification():
    graph = Graph.generate("kron:8")
    answer = graph.bfs(source=1)
    values = answer["distance"]
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 3
    at = int(np.flatnonzero(values == 1)[0])
    address = values.__array_interface__["data"][0]
    # Change the answer behind the array's back.
    import ctypes

    ctypes.c_int32.from_address(address + 4 * at).value = 7
    with pytest.raises(warpgraph.VerificationError) as caught:
        answer.verify()
    assert caught.value.kind == "verification" and isinstance(caught.value, AssertionError)

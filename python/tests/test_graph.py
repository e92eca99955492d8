import numpy as np
import pytest

import warpgraph


def path(n: int, **how: object) -> warpgraph.Graph:
    return warpgraph.Graph.from_edges(np.arange(n - 1), np.arange(1, n), vertices=n, directed=False, **how)


def test_a_search_along_a_path_counts_hops():
    answer = path(5).run("bfs", source=0)
    assert answer["distance"].tolist() == [0, 1, 2, 3, 4]
    assert answer["parent"].tolist() == [0, 0, 1, 2, 3]
    assert answer.summary["depth"] == 4
    assert answer.run["device"] == "cpu"
    answer.verify()


def test_unreached_vertices_have_minus_one():
    graph = warpgraph.Graph.from_edges([0], [1], directed=True, vertices=3)
    answer = graph.run("bfs", source=1)
    assert answer["distance"].tolist() == [-1, 0, -1]
    assert answer["parent"].tolist() == [-1, 1, -1]


def test_errors_are_those_of_the_command_line_with_kind_and_help():
    with pytest.raises(warpgraph.NoSuchVertexError, match=r"vertex 9 is not in the graph \(ids 0 to 4\)") as caught:
        path(5).run("bfs", source=9)
    assert caught.value.kind == "no-such-vertex" and caught.value.help
    with pytest.raises(warpgraph.RefusedError, match="no algorithm"):
        path(5).run("bsf")
    with pytest.raises(warpgraph.ConfigError, match="unknown field"):
        path(5).run("bfs", sorce=1)


def test_weights_are_used():
    graph = warpgraph.Graph.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.5, 9.0], directed=True, vertices=3)
    assert graph.run("sssp", source=0)["distance"].tolist() == [0.0, 1.0, 2.5]


@pytest.mark.parametrize("algorithm", [entry["name"] for entry in warpgraph._warpgraph.algorithms()])
def test_every_algorithm_answers_and_verifies(algorithm):
    arguments = {"inject": [{"vertex": 0, "value": 1.0}]} if algorithm == "adsorption" else {}
    answer = warpgraph.Graph.generate("kron:8,w=1..9").run(algorithm, **arguments)
    answer.verify()
    assert all(len(answer[name]) == len(answer) for name in answer.columns)

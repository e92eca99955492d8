"""What NetworkX reads when it is imported: which functions the backend ``warpgraph`` has.

This package imports nothing but the standard library, because every ``import networkx`` calls :func:`get_info`. The table
below is the only list of functions: :mod:`warpgraph.nx` implements them, and tests and documentation follow it.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

#: How long a function takes in NetworkX, which decides when a graph is converted for it.
LIGHT = "light"  # no longer than a conversion
HEAVY = "heavy"  # several times as long as a conversion
ARRAYS = "arrays"  # NetworkX has arrays for it, too
SEARCHES = "searches"  # a search from each node, or from many
PAIR = "pair"  # touches few nodes
MAKES = "makes"  # makes a graph, and has none to convert


class Function(NamedTuple):
    """A function of NetworkX that the backend has."""

    name: str
    module: str
    cost: str
    note: str = ""
    """What is left to NetworkX, or what differs."""
    parameters: tuple[tuple[str, str], ...] = ()
    """Parameters that NetworkX does not have."""


_WEIGHT = "Weights are int or finite float; others, and functions, are left to NetworkX."
_TO_ONE = "By weight to one target from all nodes of a directed graph is left to NetworkX."
_HOPS = "Distances are hops; weighted ones are left to NetworkX."
_KRUSKAL = "Kruskal's algorithm on graphs without parallel edges; others are left to NetworkX."
_SIMPLE = "Undirected graphs without parallel edges, unweighted; others are left to NetworkX."
_PLAIN = "Makes nx.Graph or nx.DiGraph; multigraphs are left to NetworkX."

FUNCTIONS: tuple[Function, ...] = (
    Function("ancestors", "traversal", LIGHT),
    Function("bfs_edges", "traversal", LIGHT, "`sort_neighbors` is left to NetworkX."),
    Function("bfs_layers", "traversal", LIGHT),
    Function("bfs_predecessors", "traversal", LIGHT, "`sort_neighbors` is left to NetworkX."),
    Function("bfs_successors", "traversal", LIGHT, "`sort_neighbors` is left to NetworkX."),
    Function("bfs_tree", "traversal", LIGHT, "`sort_neighbors` is left to NetworkX."),
    Function("descendants", "traversal", LIGHT),
    Function("descendants_at_distance", "traversal", LIGHT),
    Function("all_pairs_shortest_path", "unweighted", SEARCHES),
    Function("all_pairs_shortest_path_length", "unweighted", SEARCHES),
    Function("bidirectional_shortest_path", "unweighted", PAIR),
    Function("has_path", "unweighted", PAIR),
    Function("predecessor", "unweighted", LIGHT),
    Function("single_source_shortest_path", "unweighted", LIGHT),
    Function("single_source_shortest_path_length", "unweighted", LIGHT),
    Function("single_target_shortest_path", "unweighted", LIGHT),
    Function("single_target_shortest_path_length", "unweighted", LIGHT),
    Function("all_pairs_all_shortest_paths", "generic", SEARCHES, _WEIGHT),
    Function("all_shortest_paths", "generic", LIGHT, _WEIGHT),
    Function("average_shortest_path_length", "generic", SEARCHES, _HOPS),
    Function("shortest_path", "generic", LIGHT, f"{_WEIGHT} {_TO_ONE}"),
    Function("shortest_path_length", "generic", LIGHT, f"{_WEIGHT} {_TO_ONE}"),
    Function("single_source_all_shortest_paths", "generic", LIGHT, _WEIGHT),
    Function("all_pairs_dijkstra", "weighted", SEARCHES, _WEIGHT),
    Function("all_pairs_dijkstra_path", "weighted", SEARCHES, _WEIGHT),
    Function("all_pairs_dijkstra_path_length", "weighted", SEARCHES, _WEIGHT),
    Function("bidirectional_dijkstra", "weighted", PAIR, _WEIGHT),
    Function("dijkstra_path", "weighted", PAIR, _WEIGHT),
    Function("dijkstra_path_length", "weighted", PAIR, _WEIGHT),
    Function("dijkstra_predecessor_and_distance", "weighted", HEAVY, _WEIGHT),
    Function("multi_source_dijkstra", "weighted", HEAVY, _WEIGHT),
    Function("multi_source_dijkstra_path", "weighted", HEAVY, _WEIGHT),
    Function("multi_source_dijkstra_path_length", "weighted", HEAVY, _WEIGHT),
    Function("single_source_dijkstra", "weighted", HEAVY, _WEIGHT),
    Function("single_source_dijkstra_path", "weighted", HEAVY, _WEIGHT),
    Function("single_source_dijkstra_path_length", "weighted", HEAVY, _WEIGHT),
    Function("all_pairs_bellman_ford_path", "weighted", SEARCHES, _WEIGHT),
    Function("all_pairs_bellman_ford_path_length", "weighted", SEARCHES, _WEIGHT),
    Function("bellman_ford_path", "weighted", HEAVY, _WEIGHT),
    Function("bellman_ford_path_length", "weighted", HEAVY, _WEIGHT),
    Function("bellman_ford_predecessor_and_distance", "weighted", HEAVY, _WEIGHT),
    Function("single_source_bellman_ford", "weighted", HEAVY, _WEIGHT),
    Function("single_source_bellman_ford_path", "weighted", HEAVY, _WEIGHT),
    Function("single_source_bellman_ford_path_length", "weighted", HEAVY, _WEIGHT),
    Function(
        "betweenness_centrality",
        "centrality",
        SEARCHES,
        "Weights must be greater than 0.",
        (
            (
                "max_error : float",
                "Sample shortest paths until every normalised score is within this error with probability 0.9.",
            ),
        ),
    ),
    Function("closeness_centrality", "centrality", SEARCHES, f"{_HOPS} `sp` is left to NetworkX."),
    Function("degree_centrality", "centrality", LIGHT),
    Function("harmonic_centrality", "centrality", SEARCHES, f"{_HOPS} `sources` is left to NetworkX."),
    Function("in_degree_centrality", "centrality", LIGHT),
    Function("out_degree_centrality", "centrality", LIGHT),
    Function(
        "pagerank",
        "centrality",
        ARRAYS,
        "Ranks are within `tol` in total, not within `tol` times the number of nodes. `dangling` is left to NetworkX; "
        "`nstart` does not change the result.",
    ),
    Function("condensation", "components", HEAVY, "`scc` is left to NetworkX."),
    Function("connected_components", "components", LIGHT),
    Function("is_connected", "components", LIGHT),
    Function("is_strongly_connected", "components", HEAVY),
    Function("is_weakly_connected", "components", LIGHT),
    Function("node_connected_component", "components", LIGHT),
    Function("number_connected_components", "components", LIGHT),
    Function("number_strongly_connected_components", "components", HEAVY),
    Function("number_weakly_connected_components", "components", LIGHT),
    Function("strongly_connected_components", "components", HEAVY),
    Function("weakly_connected_components", "components", LIGHT),
    Function("center", "distances", SEARCHES, f"{_HOPS} Trees, `e` and `usebounds` are left to NetworkX."),
    Function("diameter", "distances", SEARCHES, f"{_HOPS} `e` and `usebounds` are left to NetworkX."),
    Function("eccentricity", "distances", SEARCHES, f"{_HOPS} `sp` is left to NetworkX."),
    Function("periphery", "distances", SEARCHES, f"{_HOPS} `e` and `usebounds` are left to NetworkX."),
    Function("radius", "distances", SEARCHES, f"{_HOPS} `e` and `usebounds` are left to NetworkX."),
    Function("maximum_spanning_edges", "trees", HEAVY, _KRUSKAL),
    Function("maximum_spanning_tree", "trees", HEAVY, _KRUSKAL),
    Function("minimum_spanning_edges", "trees", HEAVY, _KRUSKAL),
    Function("minimum_spanning_tree", "trees", HEAVY, _KRUSKAL),
    Function("average_clustering", "clusters", HEAVY, _SIMPLE),
    Function("clustering", "clusters", HEAVY, _SIMPLE),
    Function("label_propagation_communities", "communities", HEAVY),
    Function("core_number", "clusters", HEAVY),
    Function("k_core", "clusters", HEAVY),
    Function("k_crust", "clusters", HEAVY),
    Function("k_shell", "clusters", HEAVY),
    Function("transitivity", "clusters", HEAVY, _SIMPLE),
    Function("triangles", "clusters", HEAVY, _SIMPLE),
    Function("from_pandas_edgelist", "readers", MAKES, f"{_PLAIN} Attributes are columns of int or float."),
    Function("from_scipy_sparse_array", "readers", MAKES, f"{_PLAIN} CSR and COO, int or float."),
    Function("read_edgelist", "readers", MAKES, f"{_PLAIN} Keys are str or int, attributes int or float."),
    Function("read_weighted_edgelist", "readers", MAKES, f"{_PLAIN} Keys are str or int."),
)

#: Functions that the backend always leaves to NetworkX, and says why. They do not count among those it has.
LEFT: tuple[Function, ...] = (
    Function("edge_betweenness_centrality", "left", SEARCHES, "Always left to NetworkX: scores of edges are not computed here."),
)

ALL = FUNCTIONS + LEFT
BY_NAME = {function.name: function for function in ALL}


def is_on(name: str) -> bool:
    """Returns True if an environment variable is set to anything but ``0``, ``false``, ``no`` or ``off``."""
    return os.environ.get(name, "").strip().lower() not in {"", "0", "false", "no", "off"}


def _configure() -> None:
    """Makes NetworkX use this backend on its own: NetworkX reads these variables after it has called :func:`get_info`.

    Functions that return graphs stay with NetworkX, so that programs get the graphs they know. Most of the work of those in
    the table is in functions that they call, such as ``minimum_spanning_edges``, which come here.
    """
    usual = "NETWORKX_BACKEND_PRIORITY"
    variable = f"{usual}_ALGOS" if f"{usual}_ALGOS" in os.environ else usual
    names = [name.strip() for name in os.environ.get(variable, "").split(",") if name.strip()]
    if "warpgraph" not in names:
        os.environ[variable] = ",".join([*names, "warpgraph"])
    os.environ.setdefault("NETWORKX_FALLBACK_TO_NX", "True")


def get_info() -> dict[str, Any]:
    """Describes the backend to NetworkX. With ``WARPGRAPH_NX=1`` in the environment, also makes NetworkX use it."""
    if is_on("WARPGRAPH_NX"):
        _configure()
    return {
        "backend_name": "warpgraph",
        "project": "warpgraph",
        "package": "warpgraph",
        "short_summary": "Fast graph analytics on CPUs and NVIDIA GPUs.",
        "default_config": {"device": "auto"},
        "functions": {
            function.name: {"additional_docs": function.note, "additional_parameters": dict(function.parameters)}
            for function in ALL
        },
    }

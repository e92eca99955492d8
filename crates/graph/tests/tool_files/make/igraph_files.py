"""What igraph writes."""

import igraph
from record import Graph, call


def held(graph, weighted=True, ids=None):
    """Returns the graph that igraph holds; `ids` are those that the file has."""
    name = ids or list(range(graph.vcount()))
    weights = graph.es["weight"] if weighted and "weight" in graph.es.attributes() else None
    edges = [(name[u], name[v], *([weights[i]] if weights else [])) for i, (u, v) in enumerate(graph.get_edgelist())]
    return Graph(edges, graph.is_directed(), name)


def make():
    ring = igraph.Graph(5, [(0, 1), (1, 2), (2, 3), (3, 0)])
    ring.es["weight"] = [1.5, 2.0, 0.25, 3.0]
    ring.vs["name"] = ["a", "b", "c", "d", "alone"]
    arrows = igraph.Graph(4, [(0, 1), (1, 2), (3, 1)], directed=True)
    using = {"ring": ring, "arrows": arrows}
    names = ring.vs["name"]
    ends = [edge[:2] for edge in held(ring).edges]
    joined = Graph([(names[u], names[v], w) for u, v, w in held(ring).edges], False)

    def written(file, code, graph=None, **about):
        call(file, "igraph", code, graph, using=using, **about)

    undirected = {"directed": False}
    written("igraph.edges", "ring.write_edgelist(path)", Graph(ends, False), options=undirected)
    written("igraph-arrows.edges", "arrows.write_edgelist(path)", held(arrows))
    written("igraph.ncol", "ring.write_ncol(path)", joined, options=undirected)
    written("igraph-arrows.ncol", "arrows.write_ncol(path, names=None, weights=None)", held(arrows))
    written("igraph.lgl", "ring.write_lgl(path)", Graph(joined.edges, False, names), error=["lgl"],
            options=undirected, why="read, or refused by its name")
    written("igraph.net", "ring.write_pajek(path)", Graph(joined.edges, False, names),
            why="the names of igraph are the labels of Pajek")
    written("igraph-arrows.net", "arrows.write_pajek(path)", held(arrows, ids=[1, 2, 3, 4]),
            why="without labels the ids are those of Pajek, from 1 on")
    written("igraph.gml", "ring.write_gml(path)", held(ring), why="igraph writes ids from 0 on, and names beside them")
    written("igraph-arrows.gml", "arrows.write_gml(path)", held(arrows))
    in_xml = [f"n{v}" for v in range(5)]
    written("igraph.graphml", "ring.write_graphml(path)", held(ring, ids=in_xml), feature="graphml",
            why="the ids of the file are n0, n1, ...; igraph keeps names as data")
    written("igraph.graphmlz", "ring.write_graphmlz(path)", held(ring, ids=in_xml), feature="graphml")
    written("igraph-arrows.dot", "arrows.write_dot(path)", held(arrows))
    written("igraph.dot", "ring.write_dot(path)", held(ring), error=["dot"], why="read, or refused by its name")
    written("igraph.lgr", "ring.write_leda(path, names='name', weights='weight')", error=["leda"],
            why="LEDA is not read")
    flow = igraph.Graph(3, [(0, 1), (1, 2)], directed=True)
    flow.es["capacity"] = [3, 4]
    call("igraph.dimacs", "igraph", "flow.write_dimacs(path, 0, 2, 'capacity')",
         Graph([(u + 1, v + 1, c) for (u, v), c in zip(flow.get_edgelist(), flow.es["capacity"])]),
         error=["p max"], using={"flow": flow}, why="a flow problem: its arcs are read, or it is refused by its name")
    written("igraph-matrix.txt", "ring.write_adjacency(path)", error=["columns|matrix"],
            why="a matrix of numbers is no edge list")
    written("igraph.pickle", "ring.write_pickle(path)", error=["pickle|binary"])

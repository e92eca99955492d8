"""What NetworkX writes. Lists say nothing of their direction, so the options of these rows do."""

import json

import networkx as nx
from record import Graph, call

UNDIRECTED = {"directed": False}
DIRECTED = {"directed": True}


def held(graph):
    """Returns the graph that NetworkX holds."""
    edges = [(u, v, *([data["weight"]] if "weight" in data else [])) for u, v, data in graph.edges(data=True)]
    return Graph(edges, graph.is_directed(), graph)


def occurring(graph):
    """Returns the same without vertices that no edge has: an edge list does not hold them."""
    return held(graph.edge_subgraph(graph.edges))


def graphs():
    ways = nx.Graph(name="ways")
    ways.add_weighted_edges_from([(1, 2, 4), (2, 3, 7), (1, 3, 0.5), (5, 5, 1)])
    ways.add_node(9)
    links = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3)])
    links.add_node(4)
    people = nx.DiGraph()
    people.add_edge("ann", "bob", weight=2, label="knows well")
    people.add_edge("bob", "cy", weight=3, label="it's {odd}")
    people.add_node("dee")
    return ways, links, people


def make():
    ways, links, people = graphs()
    using = {"nx": nx, "json": json, "ways": ways, "links": links, "people": people}

    def networkx(file, code, graph=None, **about):
        call(file, "NetworkX", code, graph, using=using, **about)

    lists(networkx, ways, links, people)
    adjacency(networkx, ways, links, people)
    languages(networkx, ways, links, people)
    documents(networkx, ways, links, people)


def lists(networkx, ways, links, people):
    plain = Graph([edge[:2] for edge in occurring(ways).edges], False)
    networkx("networkx.edgelist", "nx.write_edgelist(ways, path)", occurring(ways), options=UNDIRECTED,
             why="1 2 {'weight': 4}")
    networkx("networkx-links.edgelist", "nx.write_edgelist(links, path)", occurring(links), why="0 1 {}")
    networkx("networkx-people.edgelist", "nx.write_edgelist(people, path)", occurring(people),
             why="the braces hold blanks, quotes and more attributes")
    networkx("networkx-plain.edgelist", "nx.write_edgelist(ways, path, data=False)", plain, options=UNDIRECTED)
    networkx("networkx-weight.edgelist", "nx.write_edgelist(ways, path, data=['weight'])", occurring(ways),
             options=UNDIRECTED)
    networkx("networkx-weighted.edgelist", "nx.write_weighted_edgelist(ways, path)", occurring(ways),
             options=UNDIRECTED)
    networkx("networkx-comma.csv", "nx.write_edgelist(people, path, delimiter=',', data=['weight', 'label'])",
             error=["--columns"], why="four columns without names; names and labels may hold blanks")
    networkx("networkx.edgelist.gz", "nx.write_edgelist(links, path, data=False)", occurring(links))
    networkx("networkx.edgelist.bz2", "nx.write_edgelist(links, path, data=False)", occurring(links),
             error=["bz2|bzip2"], why="read, or refused by its name")
    networkx("networkx-pandas.csv", "nx.to_pandas_edgelist(people).to_csv(path, index=False)", occurring(people),
             says=["label"])
    multi = nx.MultiDiGraph([(1, 2), (1, 2), (2, 1)])
    call("networkx-multi.edgelist", "NetworkX", "nx.write_edgelist(multi, path, data=False)", held(multi),
         using={"nx": nx, "multi": multi}, options={"parallel": "keep"})


def adjacency(networkx, ways, links, people):
    bare = Graph([edge[:2] for edge in held(ways).edges], False, ways)
    networkx("networkx.adjlist", "nx.write_adjlist(ways, path)", bare, options=UNDIRECTED)
    networkx("networkx-links.adjlist", "nx.write_adjlist(links, path)", held(links), options=DIRECTED)
    names = Graph([edge[:2] for edge in held(people).edges], True, people)
    networkx("networkx-people.adjlist", "nx.write_adjlist(people, path)", names, options=DIRECTED)
    networkx("networkx-bare.adjlist",
             "open(path, 'w').writelines(line + '\\n' for line in nx.generate_adjlist(links))", held(links),
             options={**DIRECTED, "format": "adjacency-list"}, why="no comment says what the file is")
    networkx("networkx.multiline_adjlist", "nx.write_multiline_adjlist(ways, path)", held(ways),
             error=["adjacency|adjlist"], options=UNDIRECTED, why="read, or refused by its name")


def languages(networkx, ways, links, people):
    networkx("networkx-ways.gml", "nx.write_gml(ways, path)", held(ways),
             why="the ids of NetworkX are the labels of GML, whose own ids NetworkX counts from 0 on")
    networkx("networkx-people.gml", "nx.write_gml(people, path)", held(people))
    multi = nx.MultiGraph([("a", "b"), ("a", "b")])
    call("networkx-multi.gml", "NetworkX", "nx.write_gml(multi, path)", held(multi),
         using={"nx": nx, "multi": multi}, options={"parallel": "keep"})
    networkx("networkx-ways.net", "nx.write_pajek(ways, path)", held(ways),
             why="the ids of NetworkX are the labels of Pajek, which counts from 1 on")
    unit = links.copy()
    nx.set_edge_attributes(unit, 1.0, "weight")
    networkx("networkx-links.net", "nx.write_pajek(links, path)", held(unit),
             why="NetworkX writes the weight 1.0 where there is none")
    networkx("networkx-links.dot", "nx.nx_pydot.write_dot(links, path)", held(links))
    networkx("networkx-people.dot", "nx.nx_pydot.write_dot(people, path)", held(people))
    networkx("networkx-links.graphml", "nx.write_graphml(links, path)", held(links), feature="graphml")
    networkx("networkx-people.graphml", "nx.write_graphml(people, path)", held(people), feature="graphml")
    networkx("networkx-ways.graphml", "nx.write_graphml(ways, path, infer_numeric_types=True)", held(ways),
             feature="graphml")
    networkx("networkx-people.gexf", "nx.write_gexf(people, path)", error=["gexf|xml"])


def documents(networkx, ways, links, people):
    networkx("networkx.json", "json.dump(nx.node_link_data(people, edges='edges'), open(path, 'w'))", held(people))
    networkx("networkx-links.json", "json.dump(nx.node_link_data(ways, edges='links'), open(path, 'w'), indent=1)",
             held(ways), why="the key `links` of NetworkX before 3.4, and of D3")
    networkx("networkx-adjacency.json", "json.dump(nx.adjacency_data(links), open(path, 'w'))", held(links),
             error=["json"], why="read, or refused by its name")
    networkx("networkx-cytoscape.json", "json.dump(nx.cytoscape_data(people), open(path, 'w'))", error=["json"])
    networkx("networkx-tree.json", "json.dump(nx.tree_data(nx.DiGraph([(1, 2), (1, 3)]), 1), open(path, 'w'))",
             error=["json"])
    networkx("networkx.g6", "nx.write_graph6(nx.path_graph(6), path)", error=["graph6"])
    networkx("networkx.s6", "nx.write_sparse6(nx.path_graph(6), path)", error=["sparse6"])
    networkx("networkx-no-header.s6", "nx.write_sparse6(nx.path_graph(6), path, header=False)", error=["sparse6"])
    networkx("networkx.npz",
             "__import__('scipy.sparse').sparse.save_npz(path, nx.to_scipy_sparse_array(links, dtype=bool))",
             held(links))

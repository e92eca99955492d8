"""Lists that awk writes: the headers of SNAP, KONECT and LDBC, and of graph databases."""

from record import Graph, shell

PAIRS = [(0, 1), (0, 2), (2, 3), (3, 0)]
WEIGHTED = [(1, 2, 3), (2, 3, 1), (4, 1, 2)]
TIMED = [(1, 2, 1, 1082040961), (3, 4, 5, 1082155839)]
INPUT = "".join(f"{u} {v}\n" for u, v in PAIRS)
INPUT_WEIGHTED = "".join(f"{u} {v} {w}\n" for u, v, w in WEIGHTED)
INPUT_TIMED = "".join(" ".join(map(str, line)) + "\n" for line in TIMED)


def awk(file, program, graph=None, stdin=INPUT, tool="awk", **about):
    shell(file, tool, f"awk '{program}'", graph, stdin=stdin, **about)


def make():
    snap()
    konect()
    databases()
    ldbc()
    shapes()


def snap():
    head = r'print "# {}"; print "# Nodes: 4 Edges: 4"; print "# FromNodeId\tToNodeId"'
    tool = "awk, as SNAP"
    lines = ' {print $1 "\\t" $2}'
    awk("snap-directed.txt", "BEGIN {" + head.format("Directed graph (each unordered pair of nodes is saved once)")
        + "}" + lines, Graph(PAIRS), tool=tool)
    awk("snap-undirected.txt", "BEGIN {" + head.format("Undirected graph: ../../data/output/toy.ungraph.txt")
        + "}" + lines, Graph(PAIRS, False), tool=tool)
    awk("snap-not-undirected.txt", "BEGIN {" + head.format("This is not an undirected graph") + "}" + lines,
        Graph(PAIRS), tool=tool, why="the comment denies what it names")
    awk("snap-crlf.txt", 'BEGIN {ORS = "\\r\\n"; print "# Directed graph"} {print $1 "\\t" $2}', Graph(PAIRS),
        tool=tool)
    awk("snap-temporal.txt", "{print $1, $2, $4}", Graph([(u, v, t) for u, v, _, t in TIMED]), stdin=INPUT_TIMED,
        tool=tool, why="three columns without names: the third is the weight, as documented")


def konect():
    tool = "awk, as KONECT"
    awk("out.konect-sym", 'BEGIN {print "% sym unweighted"; print "% 3 4 4"} {print $1 + 1, $2 + 1}',
        Graph([(u + 1, v + 1) for u, v in PAIRS], False), tool=tool)
    awk("out.konect-asym", 'BEGIN {print "% asym posweighted"} {print $1 " " $2 " " $3 " "}', Graph(WEIGHTED),
        stdin=INPUT_WEIGHTED, tool=tool, why="lines end with a blank")
    awk("out.konect-tab", 'BEGIN {OFS = "\\t"; print "% asym weighted"} {print $1, $2, $3}', Graph(WEIGHTED),
        stdin=INPUT_WEIGHTED, tool=tool)
    awk("out.konect-time", 'BEGIN {print "% asym positive"} {print $1, $2, $3, $4}',
        Graph([edge[:3] for edge in TIMED]), stdin=INPUT_TIMED, tool=tool, error=["--columns|--no-weights"],
        why="the fourth column of KONECT is the time: left out, or refused with the flag")


def databases():
    tool = "awk, as neo4j-admin import"
    knows = Graph([edge[:2] for edge in WEIGHTED])
    awk("neo4j.csv", 'BEGIN {OFS = ","; print ":START_ID,:END_ID,:TYPE"} {print $1, $2, "KNOWS"}', knows,
        stdin=INPUT_WEIGHTED, tool=tool, says=["TYPE"])
    awk("neo4j-spaces.csv", 'BEGIN {OFS = ","; print ":START_ID(Person),weight:double,:END_ID(Person),:TYPE"}'
        ' {print $1, $3, $2, "KNOWS"}', Graph(WEIGHTED), stdin=INPUT_WEIGHTED, tool=tool, error=["--columns"],
        why="the weight stands between the ends: read by name, or refused with the flag")
    awk("gephi-directed.csv", 'BEGIN {OFS = ","; print "Source,Target,Type,Id,Label,Weight"}'
        ' {print $1, $2, "Directed", NR - 1, "", $3 ".0"}', Graph(WEIGHTED), stdin=INPUT_WEIGHTED,
        tool="awk, as Gephi's data laboratory", says=["Id", "Label"])
    awk("gephi-undirected.csv", 'BEGIN {OFS = ","; print "Source,Target,Type,Id,Label,Weight"}'
        ' {print $1, $2, "Undirected", NR - 1, "", $3 ".0"}', Graph(WEIGHTED, False), stdin=INPUT_WEIGHTED,
        tool="awk, as Gephi's data laboratory", options={"directed": False}, says=["Type"])
    awk("gephi.graphml", 'BEGIN {print "<?xml version=\\"1.0\\" encoding=\\"UTF-8\\"?>'
        '<graphml xmlns=\\"http://graphml.graphdrawing.org/xmlns\\">";'
        ' print "<key attr.name=\\"label\\" attr.type=\\"string\\" for=\\"node\\" id=\\"label\\"/>";'
        ' print "<key attr.name=\\"Edge Label\\" attr.type=\\"string\\" for=\\"edge\\" id=\\"edgelabel\\"/>";'
        ' print "<key attr.name=\\"weight\\" attr.type=\\"double\\" for=\\"edge\\" id=\\"weight\\"/>";'
        ' print "<key attr.name=\\"x\\" attr.type=\\"float\\" for=\\"node\\" id=\\"x\\"/>";'
        ' print "<graph edgedefault=\\"directed\\">";'
        ' for (v = 1; v <= 5; v++) print "<node id=\\"" v "\\"><data key=\\"label\\">v" v "</data>'
        '<data key=\\"x\\">" v * 7.5 "</data></node>"}'
        ' {print "<edge id=\\"" NR - 1 "\\" source=\\"" $1 "\\" target=\\"" $2 "\\">'
        '<data key=\\"weight\\">" $3 ".0</data></edge>"} END {print "</graph></graphml>"}',
        Graph(WEIGHTED, vertices=range(1, 6)), stdin=INPUT_WEIGHTED, tool="awk, as Gephi's GraphML export",
        feature="graphml")


def ldbc():
    vertices = [1, 2, 3, 4, 10]
    awk("ldbc.v", "{print}", Graph(WEIGHTED, vertices=vertices), stdin="".join(f"{v}\n" for v in vertices),
        tool="awk, as LDBC Graphalytics", error=["ldbc.e"], options={"directed": True},
        why="the vertices of ldbc.e: read with it, or refused with the name of the file to give")
    awk("ldbc.e", "{print}", Graph(WEIGHTED, vertices=vertices), stdin=INPUT_WEIGHTED,
        tool="awk, as LDBC Graphalytics", options={"directed": True},
        why="ldbc.v beside it holds the isolated vertex 10")


def shapes():
    awk("awk-comma.csv", 'BEGIN {OFS = ","} {print $1, $2}', Graph(PAIRS))
    awk("awk-arrow.txt", '{print $1 " -> " $2}', Graph(PAIRS), error=["->"],
        why="read as two ends, or refused: an arrow is no id")
    awk("awk-dashes.txt", '{print $1 "--" $2}', error=[":1", "ids"], why="one field per line")
    awk("awk-names-first.txt", 'BEGIN {print "alice bob"} {print $1, $2}', Graph([("alice", "bob"), *PAIRS]),
        options={"header": "no"}, why="the first line is an edge")
    awk("awk-header-said.txt", 'BEGIN {print "alice bob"} {print $1, $2}', Graph([("alice", "bob"), *PAIRS]),
        says=["alice bob"], why="two unknown words before a few numbers are an edge, and a warning says so")
    awk("awk-follower.csv", 'BEGIN {OFS = ","; print "follower,followee"} {print $1, $2}', Graph(PAIRS),
        says=["follower"])
    awk("awk-follower-names.csv", 'BEGIN {OFS = ","; print "follower,followee"} {print "u" $1, "u" $2}',
        Graph([(f"u{u}", f"u{v}") for u, v in PAIRS]), says=["follower"])
    awk("awk-comments.txt", '{print "# line " NR; print $1, $2; print ""}', Graph(PAIRS))
    awk("awk-no-newline.txt", '{printf "%s%s %s", s, $1, $2; s = "\\n"}', Graph(PAIRS))
    awk("awk-one-column.txt", "{print $1}", error=[":1"])
    awk("awk-mac.txt", 'BEGIN {ORS = "\\r"} {print $1, $2}', Graph(PAIRS), error=["line|column"],
        why="lines end in CR alone: read, or refused")
    awk("awk-cut.csv.gz", '{print $1, $2 | "gzip -n | head -c 20"}', error=["gzip|decompress|unpack"],
        why="the end of the archive is missing")

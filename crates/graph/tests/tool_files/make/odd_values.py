"""Lists with odd orders of columns, ids and weights, written by Python's csv module."""

import csv

from record import Graph, call


def make():
    orders()
    ids()
    weights()
    shapes()


def listed(file, lines, graph=None, delimiter=",", **about):
    writer = f"csv.writer(open(path, 'w', newline=''), delimiter={delimiter!r}, lineterminator='\\n')"
    code = f"{writer}.writerows({lines!r})"
    call(file, "csv of Python", code, graph, using={"csv": csv}, **about)


def orders():
    listed("dst-src.csv", [("dst", "src"), (1, 2), (1, 3)], Graph([(2, 1), (3, 1)]))
    listed("id-source-target.csv", [("id", "source", "target"), (0, 10, 20), (1, 20, 30)],
           Graph([(10, 20), (20, 30)]), says=["id"])
    listed("weight-source-target.csv", [("weight", "source", "target"), (5, 10, 20), (6, 20, 30)],
           Graph([(10, 20, 5), (20, 30, 6)]))
    listed("u-v-cost.csv", [("u", "v", "cost"), (1, 2, 0.5)], Graph([(1, 2, 0.5)]))
    listed("tail-head.csv", [("tail", "head", "distance"), ("a", "b", 3)], Graph([("a", "b", 3)]))
    listed("head-tail.csv", [("head", "tail"), (1, 2)], Graph([(2, 1)]), why="an arc leads from its tail to its head")
    listed("from-to-amount.csv", [("from", "to", "time", "amount", "label"), (1, 2, 99, 7, "x")],
           Graph([(1, 2, 7)]), says=["time", "label"])
    listed("upper-case.csv", [("SRC", "Dst", "WEIGHT"), (1, 2, 3)], Graph([(1, 2, 3)]))
    listed("blanks-in-header.csv", [(" source ", " target"), (1, 2)], Graph([(1, 2)]))
    listed("node1-node2.tsv", [("node1", "node2"), ("a", "b")], Graph([("a", "b")]), delimiter="\t")
    listed("source-twice.csv", [("source", "source", "target"), (1, 2, 3)], error=["source", "--columns"])
    listed("only-source.csv", [("source", "kind", "size"), (1, 2, 3)], error=["--columns"])
    listed("unknown-names.csv", [("x", "y", "z", "t"), (1, 2, 3, 4)], error=["--columns", "x,y,z,t", "1,2,3,4"])
    listed("header-lost.csv", [(0, 10, 20, 0.5), (1, 20, 30, 0.25)], error=["--columns", "0,10,20,0.5", "1,20,30,0.25"])


def ids():
    listed("mixed-ids.csv", [(1, 2), (2, 3), ("n/a", 4), (4, 5)],
           Graph([("1", "2"), ("2", "3"), ("n/a", "4"), ("4", "5")]), says=["n/a"],
           why="names among numbers: all are names, and the report shows one line of each kind")
    listed("mixed-ids-late.csv", [*((i, i + 1) for i in range(60)), (60, "x61")],
           Graph([*((str(i), str(i + 1)) for i in range(60)), ("60", "x61")]), says=["x61"])
    listed("names-with-zeros.csv", [("source", "target"), ("007", "7"), ("7", "x")],
           Graph([("007", "7"), ("7", "x")]))
    listed("numbers-with-zeros.csv", [("007", "7"), ("7", "8")], Graph([("007", "7"), ("7", "8")]),
           options={"ids": "names"})
    listed("large-ids.csv", [(2**64 - 1, 0), (2**63, 2**64 - 1)], Graph([(2**64 - 1, 0), (2**63, 2**64 - 1)]))
    listed("too-large-ids.csv", [(2**64, 1), (1, 2**64 + 1)],
           Graph([(str(2**64), "1"), ("1", str(2**64 + 1))]), error=[str(2**64)],
           why="taken as names, or refused; never cut to 64 bits")
    listed("negative-ids.csv", [(-1, 2), (2, -3)], Graph([("-1", "2"), ("2", "-3")]), error=["-1"],
           why="taken as names, or refused")
    listed("unicode.tsv", [("東京", "🚉 Kyōto"), ("🚉 Kyōto", "e\u0301"), ("é", "東京")],
           Graph([("東京", "🚉 Kyōto"), ("🚉 Kyōto", "e\u0301"), ("é", "東京")]), delimiter="\t",
           why="two forms of é are two names")
    listed("names-with-blanks.tsv", [("New York", "Los Angeles"), ("Los Angeles", "San José")],
           Graph([("New York", "Los Angeles"), ("Los Angeles", "San José")]), delimiter="\t")
    listed("names-like-comments.csv", [("source", "target"), ("a", "#b"), ("b", "%c")],
           Graph([("a", "#b"), ("b", "%c")]), why="a sign of comments inside a line is part of a name")
    listed("long-name.csv", [("x" * 1500, "y")], Graph([("x" * 1500, "y")]))


def weights():
    listed("negative-weights.csv", [(1, 2, -4), (2, 3, 5)], Graph([(1, 2, -4), (2, 3, 5)]))
    listed("huge-weights.csv", [(1, 2, 1.7e308), (2, 3, 5e-324)], Graph([(1, 2, 1.7e308), (2, 3, 5e-324)]))
    listed("whole-weights-beyond-32-bits.csv", [(1, 2, 2**53), (2, 3, 1)], Graph([(1, 2, 2**53), (2, 3, 1)]))
    listed("nan-weight.csv", [(1, 2, 1.5), (2, 3, "nan")], error=["nan", ":2"])
    listed("infinite-weight.csv", [(1, 2, 1.5), (2, 3, "inf")], error=["inf", ":2"])
    listed("overflowing-weight.csv", [(1, 2, 1.5), (2, 3, "1e400")], error=["1e400", ":2"])
    listed("complex-weight.csv", [(1, 2, "(1+2j)"), (2, 3, "1j")], error=["1+2j", "weight"])
    listed("money-weight.csv", [("from", "to", "amount"), ("a", "b", "$5")], error=["$5", "weight"])
    listed("decimal-comma-no-header.csv", [(1, 2, "0,5"), (2, 3, "1,25")], Graph([(1, 2, 0.5), (2, 3, 1.25)]),
           delimiter=";", error=["0,5"], why="read, or refused")
    listed("some-weights.csv", [(1, 2), (2, 3, 7)], error=[":2", "weight"])
    listed("missing-weight.csv", [(1, 2, 7), (2, 3)], error=[":2", "weight"])


def shapes():
    listed("duplicates.csv", [(1, 2, 5), (1, 2, 3), (2, 1, 9)], Graph([(1, 2, 5), (1, 2, 3), (2, 1, 9)]),
           why="of parallel edges the smallest weight stays")
    listed("duplicates-kept.csv", [(1, 2, 5), (1, 2, 3), (2, 1, 9)], Graph([(1, 2, 5), (1, 2, 3), (2, 1, 9)]),
           options={"parallel": "keep"})
    listed("duplicates-undirected.csv", [(1, 2, 5), (2, 1, 3)], Graph([(1, 2, 5), (2, 1, 3)], False),
           options={"directed": False})
    listed("self-loops.csv", [(1, 1, 5), (1, 2, 3), (2, 2, 1)], Graph([(1, 1, 5), (1, 2, 3), (2, 2, 1)], False),
           options={"directed": False})
    listed("isolated.csv", [(0, 3)], Graph([(0, 3)], vertices=range(6)), options={"vertices": 6})
    listed("empty.csv", [], Graph([]), says=["no edges"])
    listed("header-only.csv", [("source", "target")], Graph([]), says=["no edges"])
    listed("trailing-separator.csv", [(1, 2, ""), (2, 3, "")], Graph([(1, 2), (2, 3)]), error=[":1"],
           why="read without the empty column, or refused")
    listed("ragged.csv", [(1, 2), (2, 3, 4, 5)], error=[":2"])
    call("nul.csv", "Python", "open(path, 'wb').write(b'1,2\\n2,\\x003\\n')", error=["binary|nul|:2"])

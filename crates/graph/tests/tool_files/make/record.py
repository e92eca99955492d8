"""Runs a call that writes a file, and notes the file, the call and what must come out of it."""

import importlib.metadata
import json
import pathlib
import platform
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
FILES = HERE / "files"
rows = []


class Graph:
    """A graph as a tool holds it: edges of two ends, or of two ends and a weight, and the vertices besides theirs."""

    def __init__(self, edges, directed=True, vertices=()):
        self.edges = [tuple(edge) for edge in edges]
        self.directed = directed
        self.vertices = {end for edge in self.edges for end in edge[:2]} | set(vertices)

    def named(self):
        """Returns the same graph with texts as ids."""
        edges = [(str(u), str(v), *weight) for u, v, *weight in self.edges]
        return Graph(edges, self.directed, map(str, self.vertices))

    def row(self, parallel):
        """Returns the graph in the form of the table. Of parallel edges it keeps the smallest weight, as documented."""
        if not all(isinstance(v, int) for v in self.vertices):
            return self.named().form("names", parallel)
        return self.form("numbers", parallel)

    def form(self, ids, parallel):
        edges = []
        for u, v, *weight in self.edges:
            ends = (u, v) if self.directed or u <= v else (v, u)
            edges.append((*ends, *map(float, weight)))
        if parallel != "keep":
            least = {}
            for edge in sorted(edges, reverse=True):
                least[edge[:2]] = edge
            edges = least.values()
        # Parallel edges are sorted by weight.
        return {
            "directed": self.directed,
            "ids": ids,
            "vertices": sorted(self.vertices),
            "edges": sorted(edges),
        }


def start():
    """Empties the folder of files, and holds still what tools write down of the time and of their command line."""
    shutil.rmtree(FILES, ignore_errors=True)
    FILES.mkdir()
    sys.argv = ["make"]
    time.gmtime = lambda *_: time.struct_time((2026, 1, 1, 0, 0, 0, 3, 1, 0))


def call(file, tool, code, graph=None, **about):
    """Runs Python code that writes `path`; the caller's variables are those of `about["using"]`."""
    path = FILES / file
    exec(code, {"path": str(path), **about.pop("using", {})})
    note(file, tool, code, graph, **about)


def shell(file, tool, command, graph=None, stdin="", **about):
    """Runs a shell command whose output is the file."""
    given = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run(["bash", "-c", command], input=given, capture_output=True, check=True)
    (FILES / file).write_bytes(done.stdout)
    note(file, tool, command, graph, **about)


def note(file, tool, made_by, graph, **about):
    """Adds a row: `options`, `feature`, `says`, `error` and `why` stand in it as given."""
    row = {"file": file, "tool": tool, "call": made_by}
    row |= {name: about.pop(name) for name in ("why", "options", "feature") if name in about}
    if graph is not None:
        row["graph"] = graph.row(row.get("options", {}).get("parallel"))
    row |= {name: about.pop(name) for name in ("says", "error") if name in about}
    assert not about, f"{file}: unknown {about}"
    assert "graph" in row or "error" in row, file
    rows.append(row)


def finish():
    """Writes the table, one line per file, and the versions of the tools."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
    (HERE / "expected.json").write_text(f"[\n{lines}\n]\n")
    packages = (HERE / "make" / "requirements.txt").read_text().split()
    versions = [f"{name} {importlib.metadata.version(name)}" for name in packages]
    awk = subprocess.run("dpkg-query -W -f '${Package} ${Version}' mawk", shell=True, capture_output=True, text=True)
    versions += [f"Python {platform.python_version()}", awk.stdout.strip()]
    (HERE / "versions.txt").write_text("\n".join(versions) + "\n")
    print(f"{len(rows)} files, {sum(f.stat().st_size for f in FILES.iterdir())} bytes")

"""The Python code of the documentation and of the notebook runs, page by page, from top to bottom."""

import ast
import json
import re
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = ["docs/python.md", "docs/networkx.md", "python/README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
LIBRARIES = ("networkx", "scipy", "pandas", "polars", "pyarrow", "duckdb")


def source(name):
    path = ROOT / name
    if not path.exists():
        pytest.skip("the sources of the project are not here")
    for module in LIBRARIES:
        pytest.importorskip(module)
    return path


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page, monkeypatch, tmp_path):
    path = source(page)
    monkeypatch.chdir(tmp_path)
    text = path.read_text()
    blocks = list(BLOCK.finditer(text))
    assert blocks
    names = {}
    with warnings.catch_warnings():
        # NetworkX tells that it keeps conversions, which the page on NetworkX explains.
        warnings.filterwarnings("ignore", category=UserWarning, module="networkx")
        for block in blocks:
            line = text[: block.start(1)].count("\n")
            exec(compile("\n" * line + block[1], str(path), "exec"), names)  # noqa: S102


def shown(code, where, names):
    """Runs a cell of a notebook, and returns the HTML of its last value."""
    body = ast.parse(code, where).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), where, "exec"), names)  # noqa: S102
    value = eval(compile(ast.Expression(last.value), where, "eval"), names) if last else None
    return value._repr_html_() if hasattr(value, "_repr_html_") else None


def test_the_cells_of_the_notebook_run_and_show_what_they_showed(monkeypatch, tmp_path):
    notebook = json.loads(source("python/examples/tour.ipynb").read_text())
    monkeypatch.chdir(tmp_path)
    names = {}
    tables = 0
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            html = shown("".join(cell["source"]), f"cell {number}", names)
            kept = [output for output in cell["outputs"] if "text/html" in output.get("data", {})]
            assert (html is not None) == bool(kept), f"cell {number}"
            tables += html is not None
    assert tables >= 4

"""The Python code of the documentation runs, page by page, from top to bottom."""

import re
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = ["docs/python.md", "docs/networkx.md", "python/README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page, monkeypatch, tmp_path):
    path = ROOT / page
    if not path.exists():
        pytest.skip("the sources of the project are not here")
    for module in ("networkx", "scipy", "pandas", "polars", "pyarrow", "duckdb"):
        pytest.importorskip(module)
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

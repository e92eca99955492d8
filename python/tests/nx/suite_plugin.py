"""A pytest plugin for runs of NetworkX's own tests: counts calls of the backend, collects failures, spoils answers.

Every process of pytest-xdist writes ``calls-<process>.json`` into the folder ``WARPGRAPH_SUITE``; the one that collects the
reports writes ``failed.json``. ``WARPGRAPH_SUITE_WRONG`` names functions whose answers are made wrong, which must make
tests fail.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_failed: list[str] = []


def _spoiled(value: Any) -> Any:
    """Returns a wrong answer of the same type."""
    if isinstance(value, Iterator):
        return (_spoiled(item) for item in value)
    if isinstance(value, Mapping):
        return {key: _spoiled(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset, list, tuple)):
        return type(value)(list(value)[1:])
    return value + 1 if isinstance(value, (int, float)) else value


def pytest_configure(config: Any) -> None:
    from warpgraph.nx import backend

    for name in filter(None, os.environ.get("WARPGRAPH_SUITE_WRONG", "").split(",")):
        right = getattr(backend, name)
        setattr(backend, name, lambda *args, right=right, **kwargs: _spoiled(right(*args, **kwargs)))


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed:
        _failed.append(report.nodeid)


def pytest_sessionfinish(session: Any) -> None:
    from warpgraph.nx import calls

    folder = Path(os.environ["WARPGRAPH_SUITE"])
    (folder / f"calls-{os.getpid()}.json").write_text(json.dumps(calls))
    if not hasattr(session.config, "workerinput"):
        (folder / "failed.json").write_text(json.dumps(sorted(set(_failed))))

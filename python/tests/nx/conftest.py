"""Tests of the NetworkX backend."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def quiet_cache():
    """Keeps NetworkX from warning about its cache, which the tests use on purpose."""
    networkx = pytest.importorskip("networkx")
    networkx.config.warnings_to_ignore.add("cache")
    yield
    networkx.config.warnings_to_ignore.discard("cache")

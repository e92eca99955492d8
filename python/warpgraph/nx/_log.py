"""One line per call that says what ran, or why NetworkX does it."""

from __future__ import annotations

import logging
import sys

from _warpgraph_nx import is_on

logger = logging.getLogger("warpgraph.nx")

if is_on("WARPGRAPH_NX_LOG"):
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("warpgraph: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def note(message: str, *values: object) -> None:
    """Logs a line."""
    logger.info(message, *values)


def left(name: str, reason: str) -> None:
    """Logs why a call of a function is left to NetworkX."""
    note("%s is left to NetworkX: %s", name, reason)

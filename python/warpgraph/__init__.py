"""Graph analytics on CPUs and NVIDIA GPUs.

>>> import warpgraph
>>> graph = warpgraph.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False)
>>> graph.bfs(source=0)["distance"].tolist()
[0, 1, 2, 3]
"""

from __future__ import annotations

from . import _algorithms, _warpgraph
from ._algorithms import *  # noqa: F403
from ._answer import Answer
from ._errors import (
    ConfigError,
    DeadlineError,
    DeviceError,
    DistanceOverflowError,
    Error,
    ExistsError,
    FileError,
    FormatError,
    InterruptedError,
    InvalidError,
    NegativeCycleError,
    NoSuchVertexError,
    ParseError,
    PlanError,
    RefusedError,
    TooLargeError,
    TraceError,
    VerificationError,
)
from ._graph import Graph
from ._program import Program, program
from ._trace import cast, high, identity, low, maximum, minimum, pack, sqrt, where

__version__: str = _warpgraph.version()

__all__ = [
    "Answer",
    "ConfigError",
    "DeadlineError",
    "DeviceError",
    "DistanceOverflowError",
    "Error",
    "ExistsError",
    "FileError",
    "FormatError",
    "InterruptedError",
    "InvalidError",
    "NegativeCycleError",
    "NoSuchVertexError",
    "ParseError",
    "PlanError",
    "RefusedError",
    "TooLargeError",
    "TraceError",
    "VerificationError",
    "Graph",
    "Program",
    "cast",
    "high",
    "identity",
    "low",
    "maximum",
    "minimum",
    "pack",
    "program",
    "sqrt",
    "where",
]
__all__ += _algorithms.__all__

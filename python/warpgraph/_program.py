"""Programs of the user's own: functions of Python that are traced once and then run by the engine, never per edge."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from . import _columns, _warpgraph
from ._answer import Answer
from ._errors import InvalidError, TraceError
from ._options import NAMES, Vertex, watched
from ._trace import DECIMALS, RANGES, Number, Param, Trace, Value, is_number

_COMBINES = ("min", "max", "sum", "or")


class _Vertex:
    """A vertex as a function sees it."""

    def __init__(self, trace: Trace, side: str, columns: Mapping[str, str], value: bool) -> None:
        self._trace, self._side, self._columns, self._value = trace, side, columns, value

    def __getattr__(self, name: str) -> Value:
        if name in ("id", "degree"):
            return self._trace.number("u32", "input", f"{self._side}.{name}")
        if name == "value" and self._value:
            return self._trace.number(self._trace.value, "input", "value")
        if name in self._columns:
            place = list(self._columns).index(name)
            return self._trace.number(self._columns[name], "input", f"{self._side}.column{place}")
        known = ["id", "degree", *(["value"] if self._value else []), *self._columns]
        raise TraceError(f"a vertex has no {name!r} here", help=f"it has {', '.join(known)}; columns are passed to run(...)")


class _Edge:
    """An edge as a message sees it."""

    def __init__(self, trace: Trace, weight: str, columns: Mapping[str, str]) -> None:
        self._trace, self._weight = trace, weight
        self.source = _Vertex(trace, "source", columns, True)
        self.target = _Vertex(trace, "target", columns, False)
        self.reads_weight = False

    @property
    def weight(self) -> Value:
        self.reads_weight = True
        return self._trace.number(self._weight, "input", "weight")


class Program:
    """A program, made by :func:`program`. ``run`` runs it on a graph."""

    def __init__(self, message: Callable[..., Any], combine: str, value: str, weight: str, **how: Any) -> None:
        if combine not in _COMBINES:
            raise TraceError(f"combine={combine!r} is no choice", help="min, max, sum or or")
        for kind in (value, weight):
            if kind not in RANGES:
                raise TraceError(f"there is no type {kind!r}", help="u32, i32, u64, f32 and f64 are")
        if combine == "or" and value in DECIMALS:
            raise TraceError("`or` joins bits, and the values are decimals", help='declare value="u32" or "u64", or use max')
        self.__name__, self.__doc__ = message.__name__, message.__doc__
        self.combine, self.value, self.weight = combine, value, weight
        self._functions: dict[str, Any] = {"message": message}
        for name in ("init", "apply", "active"):
            if how.get(name) is not None:
                self._functions[name] = how[name]
        self._how = how

    def _given(self, name: str, function: Any) -> Any:
        self._functions[name] = function
        return function

    def init(self, function: Any) -> Any:
        """Declares the value of a vertex before any message arrives: a function of the vertex, or a number."""
        return self._given("init", function)

    def apply(self, function: Any) -> Any:
        """Declares the new value of a vertex: a function of the vertex, the old value and what arrived."""
        return self._given("apply", function)

    def active(self, function: Any) -> Any:
        """Declares whether a change makes a vertex send: a function of the old and the new value."""
        return self._given("active", function)

    def _call(self, name: str, trace: Trace, *fixed: Any) -> Any:
        function = self._functions[name]
        if not callable(function):
            return function
        names = list(inspect.signature(function).parameters)
        if len(names) < len(fixed):
            raise TraceError(f"`{name}` takes {len(names)} arguments, and gets {len(fixed)}")
        missing = [one for one in names[len(fixed) :] if one not in trace.params]
        if missing:
            given = ", ".join(f"{one}=..." for one in missing)
            raise TraceError(f"`{name}` has the parameters {', '.join(missing)}, which are not given", help=f"run(graph, {given})")
        params = {one: Param(trace, one, trace.params[one]) for one in names[len(fixed) :]}
        return function(*fixed, **params)

    def _trace(self, params: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
        """Returns all functions as lists of nodes."""
        spec: dict[str, Any] = {"apply": None, "active": None}

        def new() -> Trace:
            return Trace(self.combine, self.value, params)

        trace = new()
        edge = _Edge(trace, self.weight, columns)
        result = self._call("message", trace, edge.source, edge)
        spec["message"] = trace.end(result, self.value, "message")
        spec["weight"] = self.weight if any(node[2:] == ("weight",) for node in spec["message"]) else None
        if "init" not in self._functions:
            help = f"say what a vertex starts with: {self.__name__}.init(function of the vertex, or a number)"
            raise TraceError(f"{self.__name__} has no `init`", help=help)
        trace = new()
        result = self._call("init", trace, _Vertex(trace, "own", columns, False))
        spec["init"] = trace.end(result, self.value, "init")
        if "apply" in self._functions:
            trace = new()
            both = (trace.number(self.value, "input", name) for name in ("value", "arrived"))
            result = self._call("apply", trace, _Vertex(trace, "own", columns, False), *both)
            spec["apply"] = trace.end(result, self.value, "apply")
        if "active" in self._functions:
            trace = new()
            both = (trace.number(self.value, "input", name) for name in ("value", "arrived"))
            spec["active"] = trace.end(self._call("active", trace, *both), "bool", "active")
        return spec

    def trace(self, columns: Iterable[str] = (), **params: Number) -> str:
        """Returns what was recorded of every function, one node per line, for a look at it."""
        spec = self._trace(params, dict.fromkeys(columns, "f64"))
        lines = []
        for name in ("init", "message", "apply", "active"):
            if spec[name]:
                lines.append(f"{name}:")
                for place, (what, kind, *rest) in enumerate(spec[name]):
                    shown = rest if what in ("literal", "param", "input") else [f"%{operand}" for operand in rest]
                    lines.append(f"  %{place}: {kind} = {what} {' '.join(map(str, shown))}".rstrip())
        return "\n".join(lines)

    def run(
        self,
        graph: Any,
        *,
        seeds: Iterable[Vertex] | None = None,
        columns: Mapping[str, Any] | None = None,
        tolerance: float | None = None,
        max_rounds: int | None = None,
        **given: Any,
    ) -> Answer:
        """Runs the program.

        Args:
            graph: The graph.
            seeds: Ids of the vertices that send first. By default those whose initial value is not the identity; all, for sums.
            columns: Arrays with one number per vertex, in the order of ``graph.ids``; a vertex has them as attributes.
            tolerance: For sums: stop when a superstep changes less than this in total.
            max_rounds: Stop after this many supersteps.
            given: The parameters of the functions, and the options that every run has: ``device``, ``plan``, ``order``,
                ``threads``, ``deterministic``, ``trace``, ``gpu_memory``, ``progress``, ``time_limit``.
        """
        options = {name: given.pop(name) for name in NAMES & given.keys()}
        known = {one for f in self._functions.values() if callable(f) for one in inspect.signature(f).parameters}
        unknown = sorted(given.keys() - known)
        if unknown:
            raise InvalidError(f"{self.__name__} has no parameter {unknown[0]!r}", help="parameters are arguments of its functions")
        for name, number in given.items():
            if not is_number(number):
                raise InvalidError(f"the parameter {name} is {number!r}", help="give a number; graph.number(id) gives that of a vertex")
        arrays = _arrays(columns or {})
        kinds = {name: kind for name, (kind, _) in arrays.items()}
        spec = {
            **self._trace(given, kinds),
            "name": self.__name__,
            "combine": self.combine,
            "value": self.value,
            "distributes": bool(self._how.get("distributes", False)),
            "once": bool(self._how.get("once", False)),
            "columns": {name: array for name, (_, array) in arrays.items()},
            "seeds": None if seeds is None else [graph.number(seed) for seed in seeds],
            "tolerance": tolerance,
            "max_rounds": max_rounds,
        }
        close = watched(options)
        try:
            return Answer(_warpgraph.run_program(graph._native, spec, options), self.__name__)
        finally:
            close()

    def __call__(self, graph: Any, **given: Any) -> Answer:
        return self.run(graph, **given)


def _arrays(columns: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Returns the columns with their types, which are all the same."""
    typed = {name: _column(name, values) for name, values in columns.items()}
    if len({kind for kind, _ in typed.values()}) > 1:
        return {name: ("f64", array.astype(np.float64)) for name, (_, array) in typed.items()}
    return typed


def _column(name: str, values: Any) -> tuple[str, Any]:
    if name in ("id", "degree", "value") or not name.isidentifier():
        raise InvalidError(f"a column cannot be named {name!r}", help="use the name of an attribute, such as toll")
    array = _columns.numbers(values)
    kinds = {"uint32": "u32", "int32": "i32", "uint64": "u64", "float32": "f32", "float64": "f64"}
    if array.dtype.name in kinds:
        return kinds[array.dtype.name], array
    if array.dtype.kind == "f":
        return "f32", array.astype(np.float32)
    least, greatest = (int(array.min()), int(array.max())) if len(array) else (0, 0)
    for kind, dtype in (("u32", np.uint32), ("i32", np.int32), ("u64", np.uint64)):
        if RANGES[kind][0] <= least and greatest <= RANGES[kind][1]:
            return kind, array.astype(dtype)
    return "f64", array.astype(np.float64)


def program(
    combine: str,
    *,
    value: str = "f64",
    weight: str = "f64",
    init: Any = None,
    apply: Any = None,
    active: Any = None,
    distributes: bool = False,
    once: bool = False,
) -> Callable[[Callable[..., Any]], Program]:
    """Makes a program of a function ``message(src, edge)``: what the source of an edge sends to its target.

    The function is traced once: it runs on values that record what is computed. The engine then runs the record on all edges,
    on all cores or on a GPU, and never calls Python.

    >>> import warpgraph
    >>> @warpgraph.program(combine="min", value="u32")
    ... def hops(src, edge):
    ...     return src.value + 1
    >>> @hops.init
    ... def start(v, source):
    ...     return warpgraph.where(v.id == source, 0, warpgraph.identity)
    >>> graph = warpgraph.Graph.from_edges([0, 1], [1, 2], directed=True)
    >>> hops.run(graph, source=0)["value"].tolist()
    [0, 1, 2]

    Args:
        combine: How a vertex combines what arrives: ``min``, ``max``, ``sum`` or ``or``.
        value: The type of the value of a vertex: ``u32``, ``i32``, ``u64``, ``f32`` or ``f64``.
        weight: The type in which a message reads weights; edges without weights weigh 1.
        init: The value before any message arrives, as for ``init``.
        apply: The new value of a vertex, as for ``apply``; by default old and new are combined.
        active: Whether a change makes a vertex send, as for ``active``; by default if the value changed.
        distributes: True if a message is the value times a factor; a sum then solves x[v] = init(v) + sum of messages.
        once: True if a vertex changes at most once.
    """
    if callable(combine):
        raise TraceError("the decorator needs arguments", help='@warpgraph.program(combine="min")')

    def made(message: Callable[..., Any]) -> Program:
        how = {"init": init, "apply": apply, "active": active, "distributes": distributes, "once": once}
        return Program(message, combine, value, weight, **how)

    return made

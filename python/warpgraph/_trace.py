"""Values that record what is computed with them, for programs of the user's own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from ._errors import TraceError

#: The types of numbers: their greatest and least value, and whether they are decimals.
RANGES = {
    "u32": (0, 2**32 - 1),
    "i32": (-(2**31), 2**31 - 1),
    "u64": (0, 2**64 - 1),
    "f32": (-math.inf, math.inf),
    "f64": (-math.inf, math.inf),
}
DECIMALS = ("f32", "f64")

Number = Union[int, float]


class Trace:
    """The nodes of one function, in the form that the native module reads."""

    def __init__(self, combine: str, value: str, params: Mapping[str, Any]) -> None:
        self.combine, self.value, self.params = combine, value, params
        self.nodes: list[tuple[Any, ...]] = []
        self._known: dict[tuple[Any, ...], int] = {}

    def add(self, *node: Any) -> int:
        """Returns the index of a node; the same for equal nodes."""
        key = (*node[:2], *(repr(part) for part in node[2:]))
        if key not in self._known:
            self._known[key] = len(self.nodes)
            self.nodes.append(node)
        return self._known[key]

    def number(self, kind: str, *node: Any) -> Value:
        return Value(self, kind, self.add(node[0], kind, *node[1:]))

    def literal(self, number: Number, kind: str) -> Value:
        return self.number(kind, "literal", _fit(number, kind))

    def end(self, result: Any, kind: str, name: str) -> list[tuple[Any, ...]]:
        """Returns the nodes up to the result, which comes last."""
        if kind == "bool":
            if not isinstance(result, Truth):
                raise TraceError(f"`{name}` returns {_name(result)}, and a comparison is expected")
            wanted: Value | Truth = result
        else:
            if result is None:
                raise TraceError(f"`{name}` returns nothing", help="does it lack a `return`?")
            wanted = _as(self, result, kind, f"`{name}` returns")
        # The result is the last node: a copy of it, if it is not, that computes the same.
        nodes = self.nodes[: wanted.place + 1]
        return nodes


def _fit(number: Any, kind: str) -> Number:
    if isinstance(number, (bool, np.bool_)):
        number = int(number)
    least, greatest = RANGES[kind]
    if kind in DECIMALS:
        return float(number)
    if isinstance(number, (float, np.floating)) and not float(number).is_integer():
        help = 'declare value="f64", or cast(x, "f64"); identity stands for "nothing arrived yet"'
        raise TraceError(f"{number} is no {kind}", help=help)
    if not least <= int(number) <= greatest:
        raise TraceError(f"{number} is out of the range of {kind}", help="use a wider type, such as u64 or f64")
    return int(number)


def is_number(other: Any) -> bool:
    return isinstance(other, (int, float, np.integer, np.floating, np.bool_))


def _name(other: Any) -> str:
    if isinstance(other, Value):
        return f"a number of type {other.kind}"
    return "a comparison" if isinstance(other, Truth) else f"{type(other).__name__} {other!r}"


def _as(trace: Trace, other: Any, kind: str, where: str) -> Value:
    """Returns a number as a value of a type."""
    if isinstance(other, Param):
        other = other.of(trace, kind)
    if isinstance(other, Value):
        if other.trace is not trace:
            raise TraceError("a value of another function is used", help="pass it by a message or a column")
        if other.kind != kind:
            help = f'cast one of them, e.g. warpgraph.cast(x, "{kind}")'
            raise TraceError(f"{where} {other.kind} where {kind} is expected", help=help)
        return other
    if other is identity:
        least, greatest = RANGES[kind]
        return trace.literal({"min": greatest, "max": least, "sum": 0, "or": 0}[trace.combine], kind)
    if is_number(other):
        return trace.literal(other, kind)
    raise TraceError(f"{where} {_name(other)}", help="compute with values of the program and with numbers")


class _Traced:
    """What values, truths and parameters share: no Python code may look at them, because they have no value yet."""

    def _refuse(self, what: str, help: str) -> Any:
        raise TraceError(what, help=help)

    def __bool__(self) -> bool:
        help = (
            "the function runs once, for all vertices and edges: use warpgraph.where(condition, a, b) instead of `if`, "
            "& | ~ instead of `and`, `or`, `not`, and warpgraph.minimum and maximum instead of min and max"
        )
        return bool(self._refuse("a value of the program is used as a condition of Python", help))

    def _no_number(self, *_: Any) -> Any:
        help = "use warpgraph.sqrt, minimum, maximum, cast; a loop over numbers known beforehand may use range(...)"
        return self._refuse("a value of the program is used as a number of Python", help)

    __int__ = __float__ = __index__ = __len__ = __iter__ = __getitem__ = __round__ = __floor__ = __ceil__ = _no_number
    __array_ufunc__ = None

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self._no_number()

    __hash__ = None  # type: ignore[assignment]


class Truth(_Traced):
    """A comparison, to be used by :func:`where`; combined by ``&``, ``|`` and ``~``."""

    def __init__(self, trace: Trace, place: int) -> None:
        self.trace, self.place = trace, place

    def _with(self, other: Any, op: str) -> Truth:
        if not isinstance(other, Truth):
            raise TraceError(f"a comparison is combined with {_name(other)}", help="put comparisons in brackets: (a < b) & (b < c)")
        return Truth(self.trace, self.trace.add(op, "bool", self.place, other.place))

    def __and__(self, other: Any) -> Truth:
        return self._with(other, "and")

    def __or__(self, other: Any) -> Truth:
        return self._with(other, "or")

    def __invert__(self) -> Truth:
        return Truth(self.trace, self.trace.add("not", "bool", self.place))


class Param(_Traced):
    """A parameter of the program. Its type is that of the value it meets; among numbers, that of the program's values."""

    def __init__(self, trace: Trace, name: str, number: Number) -> None:
        self.trace, self.name, self._number = trace, name, number

    def of(self, trace: Trace, kind: str) -> Value:
        """Returns the parameter as a value of a type."""
        return trace.number(kind, "param", f"{self.name} as {kind}", _fit(self._number, kind))

    def _usual(self) -> Value:
        return self.of(self.trace, self.trace.value)

    def __neg__(self) -> Value:
        return -self._usual()

    def __abs__(self) -> Value:
        return abs(self._usual())


def _binary(op: str, *, swapped: bool = False, whole: bool = True, decimal: bool = True) -> Any:
    def method(self: Value, other: Any) -> Value:
        other = _as(self.trace, other, self.kind, f"`{op}` of {self.kind} and")
        if not (decimal if self.kind in DECIMALS else whole):
            help = 'cast to a decimal first, or use // for whole numbers' if op == "div" else "cast first"
            raise TraceError(f"this operation does not take {self.kind}", help=help)
        a, b = (other, self) if swapped else (self, other)
        return self.trace.number(self.kind, op, a.place, b.place)

    return method


def _compare(op: str, *, swapped: bool = False, negated: bool = False) -> Any:
    def method(self: Value, other: Any) -> Truth:
        other = _as(self.trace, other, self.kind, f"a comparison of {self.kind} and")
        a, b = (other, self) if swapped else (self, other)
        truth = Truth(self.trace, self.trace.add(op, "bool", a.place, b.place))
        return ~truth if negated else truth

    return method


def _floor_divide(self: Value, other: Any) -> Value:
    if self.kind not in ("u32", "u64"):
        raise TraceError(f"// does not take {self.kind}", help="use / for decimals, and unsigned types for //")
    quotient: Value = _binary("div")(self, other)
    return quotient


class Value(_Traced):
    """A number that the engine computes for every vertex or edge."""

    def __init__(self, trace: Trace, kind: str, place: int) -> None:
        self.trace, self.kind, self.place = trace, kind, place

    __add__, __radd__ = _binary("add"), _binary("add", swapped=True)
    __sub__, __rsub__ = _binary("sub"), _binary("sub", swapped=True)
    __mul__, __rmul__ = _binary("mul"), _binary("mul", swapped=True)
    __truediv__, __rtruediv__ = _binary("div", whole=False), _binary("div", swapped=True, whole=False)
    __floordiv__ = _floor_divide
    __and__, __or__ = _binary("bits-and", decimal=False), _binary("bits-or", decimal=False)
    __rand__, __ror__ = __and__, __or__
    __eq__, __ne__ = _compare("eq"), _compare("eq", negated=True)
    __lt__, __gt__ = _compare("lt"), _compare("lt", swapped=True)
    __le__, __ge__ = _compare("le"), _compare("le", swapped=True)

    def __neg__(self) -> Value:
        return 0 - self  # type: ignore[no-any-return]

    def __abs__(self) -> Value:
        return self.trace.number(self.kind, "abs", self.place)

    def __repr__(self) -> str:
        return f"<warpgraph value of type {self.kind}>"


def _mirrored(method: str, mirror: str) -> Any:
    def call(self: Param, other: Any) -> Any:
        if isinstance(other, Value):
            return getattr(other, mirror)(self)
        return getattr(self._usual(), method)(other)

    return call


_MIRRORS = {
    "__add__": "__radd__", "__sub__": "__rsub__", "__mul__": "__rmul__", "__truediv__": "__rtruediv__", "__eq__": "__eq__",
    "__ne__": "__ne__", "__lt__": "__gt__", "__gt__": "__lt__", "__le__": "__ge__", "__ge__": "__le__",
}  # fmt: skip
for _method, _mirror in _MIRRORS.items():
    setattr(Param, _method, _mirrored(_method, _mirror))
    if _mirror.startswith("__r"):
        setattr(Param, _mirror, _mirrored(_mirror, _method))


class _Identity:
    """What stands for "nothing arrived yet": the greatest value under min, the least under max, else 0."""

    def __repr__(self) -> str:
        return "warpgraph.identity"


identity: Any = _Identity()


def _first(*values: Any) -> Value:
    value = next((value for value in values if isinstance(value, Value)), None)
    if value is None:
        value = next((value._usual() for value in values if isinstance(value, Param)), None)
    if value is None:
        raise TraceError("no value of the program is among the operands", help="compute it in Python, outside of the program")
    return value


def where(condition: Any, a: Any, b: Any) -> Value:
    """Returns ``a`` where the condition holds, else ``b``; both are computed."""
    if not isinstance(condition, Truth):
        raise TraceError(f"the condition is {_name(condition)}", help="use a comparison, such as v.id == 3")
    trace = condition.trace
    known = next((value.kind for value in (a, b) if isinstance(value, Value)), trace.value)
    a, b = _as(trace, a, known, "a choice gives"), _as(trace, b, known, "a choice gives")
    return trace.number(known, "select", condition.place, a.place, b.place)


def minimum(a: Any, b: Any) -> Value:
    """Returns the smaller of two values; ``a`` if either is NaN."""
    one = _first(a, b)
    a, b = (_as(one.trace, value, one.kind, "minimum of") for value in (a, b))
    return where(b < a, b, a)


def maximum(a: Any, b: Any) -> Value:
    """Returns the larger of two values; ``a`` if either is NaN."""
    one = _first(a, b)
    a, b = (_as(one.trace, value, one.kind, "maximum of") for value in (a, b))
    return where(a < b, b, a)


def sqrt(value: Any) -> Value:
    """Returns the square root of a decimal."""
    one = _first(value)
    if one.kind not in DECIMALS:
        raise TraceError(f"sqrt does not take {one.kind}", help='cast first: sqrt(cast(x, "f64"))')
    return one.trace.number(one.kind, "sqrt", one.place)


def cast(value: Any, kind: str) -> Value:
    """Converts to another type: towards zero for whole numbers, within the range of the type."""
    if kind not in RANGES:
        raise TraceError(f"there is no type {kind!r}", help="u32, i32, u64, f32 and f64 are")
    one = _first(value)
    return one if one.kind == kind else one.trace.number(kind, "cast", one.place)


def pack(high: Any, low: Any) -> Value:
    """Returns a u64 of two u32 that orders by ``high`` first: a distance and a parent, under min."""
    trace = _first(high, low).trace
    high, low = (_as(trace, half, "u32", "pack of") for half in (high, low))
    return trace.number("u64", "pack", high.place, low.place)


def _half(value: Any, op: str) -> Value:
    one = _first(value)
    if one.kind != "u64":
        raise TraceError(f"a half of {one.kind}", help="only u64 has halves, such as pack makes")
    return one.trace.number("u32", op, one.place)


def high(value: Any) -> Value:
    """Returns the upper half of a u64."""
    return _half(value, "hi")


def low(value: Any) -> Value:
    """Returns the lower half of a u64."""
    return _half(value, "lo")

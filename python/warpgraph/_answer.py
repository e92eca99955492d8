"""The answer of an algorithm."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from . import _html, _warpgraph
from ._errors import InvalidError, RefusedError
from ._options import Vertex


class _Found(Protocol):
    """What an answer is made of: the native answer, or one that was pickled."""

    def names(self) -> list[str]: ...
    def rows(self) -> int: ...
    def column(self, name: str) -> Any: ...
    def summary(self) -> dict[str, Any]: ...
    def run(self) -> dict[str, Any]: ...
    def verify(self) -> None: ...
    def vertex(self, id: Vertex) -> int: ...
    def path(self, target: Vertex) -> Any: ...
    def forms(self) -> list[tuple[str, dict[str, Any]]]: ...
    def arrow_stream(self) -> Any: ...
    def arrow_array(self) -> Any: ...
    def arrow_schema(self) -> Any: ...


class Answer:
    """What an algorithm found: columns with one value per vertex or per edge, a summary, and how the run went.

    ``answer["rank"]`` is a column as an array of NumPy. Whole numbers are -1 and decimals infinite or NaN where there is no
    value; in Arrow these are null.
    """

    def __init__(self, native: _Found, algorithm: str) -> None:
        self._native = native
        self.algorithm = algorithm

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._native.names()

    def __len__(self) -> int:
        return self._native.rows()

    def __getitem__(self, name: str) -> Any:
        values = self._native.column(name)
        if values is None:
            raise KeyError(f"{self.algorithm} has no column {name!r}, it has {', '.join(self.columns)}")
        if isinstance(values, list):
            values = np.array(values, dtype=object)
        return values

    def __iter__(self) -> Any:
        return iter(self.columns)

    def keys(self) -> list[str]:
        """Returns the names of the columns, so that ``dict(answer)`` has all of them."""
        return self.columns

    def row(self, vertex: Vertex) -> dict[str, Any]:
        """Returns the values of the vertex with this id."""
        if self.columns[:1] != ["vertex"]:
            raise InvalidError(f"{self.algorithm} answers about edges", help="use answer.to_pandas()")
        at = self._native.vertex(vertex)
        return {name: self[name][at] for name in self.columns}

    def path(self, target: Vertex) -> tuple[list[Vertex], float] | None:
        """Returns the ids along a shortest path to the vertex with this id, and its length; None if there is none."""
        path: tuple[list[Vertex], float] | None = self._native.path(target)
        return path

    @property
    def summary(self) -> dict[str, Any]:
        """The figures that the command line prints."""
        return self._native.summary()

    @property
    def run(self) -> dict[str, Any]:
        """How the run went: device, plan, seconds, bytes."""
        return self._native.run()

    def verify(self) -> None:
        """Checks properties that only the right answer has.

        Raises:
            VerificationError: if one does not hold.
        """
        self._native.verify()

    def tensor(self, name: str) -> Any:
        """Returns a copy of a column that every library of tensors takes: ``torch.from_dlpack(answer.tensor("rank"))``.

        ``answer[name]`` itself needs no copy, but it is read-only, which many libraries refuse.
        """
        return np.array(self[name])

    def to_pandas(self) -> Any:
        """Returns a DataFrame of pandas with the same values as the arrays."""
        import pandas

        return pandas.DataFrame({name: self[name] for name in self.columns}, copy=False)

    def to_polars(self) -> Any:
        """Returns a DataFrame of polars; null where there is no value."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> Any:
        """Returns a Table of PyArrow over the memory of the answer; null where there is no value."""
        import pyarrow

        return pyarrow.table(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Hands the columns to libraries of Arrow, where they lie."""
        return self._native.arrow_stream()

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self._native.arrow_array()

    def __arrow_c_schema__(self) -> Any:
        return self._native.arrow_schema()

    def __repr__(self) -> str:
        figures = ", ".join(f"{name}={value}" for name, value in self.summary.items() if not isinstance(value, (list, dict)))
        return f"<warpgraph.Answer: {self.algorithm}, {len(self)} rows, {figures}>"

    def _repr_html_(self) -> str:
        return _html.answer(self)

    def __reduce__(self) -> tuple[Any, ...]:
        columns = {name: np.array(self[name]) for name in self.columns}
        return _kept, (self.algorithm, columns, self._native.forms(), self.summary, self.run)


class _Kept:
    """An answer that was pickled: its columns and their forms, its summary and its report. The graph is not with it."""

    def __init__(
        self, columns: dict[str, Any], forms: list[tuple[str, dict[str, Any]]], summary: dict[str, Any], run: dict[str, Any]
    ) -> None:
        self._columns, self._forms, self._summary, self._run = columns, forms, summary, run

    def names(self) -> list[str]:
        return list(self._columns)

    def rows(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def column(self, name: str) -> Any:
        return self._columns.get(name)

    def summary(self) -> dict[str, Any]:
        return self._summary

    def run(self) -> dict[str, Any]:
        return self._run

    def vertex(self, id: Vertex) -> int:
        found = np.flatnonzero(self._columns["vertex"] == id)
        if len(found) == 0:
            from ._errors import NoSuchVertexError

            raise NoSuchVertexError(f"vertex {id} is not in the answer", "no-such-vertex")
        return int(found[0])

    def _missing(self, *_: Any) -> Any:
        help = "do it before pickling, or ask again"
        raise RefusedError("a pickled answer has its columns, its summary and its report only", "refused", None, help)

    verify = path = _missing

    def forms(self) -> list[tuple[str, dict[str, Any]]]:
        return self._forms

    def arrow_stream(self) -> Any:
        return self._table().arrow_stream()

    def arrow_array(self) -> Any:
        return self._table().arrow_array()

    def arrow_schema(self) -> Any:
        return self._table().arrow_schema()

    def _table(self) -> _warpgraph.KeptTable:
        columns = ((name, self._columns[name], form) for name, form in self._forms)
        return _warpgraph.KeptTable(
            [(name, values.tolist() if values.dtype == object else values, form) for name, values, form in columns]
        )


def _kept(algorithm: str, *parts: Any) -> Answer:
    return Answer(_Kept(*parts), algorithm)

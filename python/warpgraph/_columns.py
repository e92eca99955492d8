"""Columns of numbers or texts from whatever holds them, in the forms that the native module reads."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _warpgraph
from ._errors import InvalidError

_CPU = (1, 3)  # DLPack's numbers for memory of the processor, and such that a GPU reads too.


def _is_pandas(values: Any) -> bool:
    return type(values).__module__.split(".")[0] == "pandas"


def _from_gpu(values: Any) -> Any:
    data, kind = _warpgraph.from_gpu(values)
    return np.frombuffer(data, np.dtype(kind))


def _array(values: Any) -> Any:
    """Returns an array, or an object with Arrow's methods, which the native module reads in place."""
    if isinstance(values, np.ndarray):
        return values
    if _is_pandas(values):  # Its Arrow methods need PyArrow, and its values do not.
        return values.to_numpy()
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        return values
    if hasattr(values, "__cuda_array_interface__"):
        return _from_gpu(values)
    if hasattr(values, "__dlpack__"):
        return np.from_dlpack(values) if values.__dlpack_device__()[0] in _CPU else _from_gpu(values)
    return np.asarray(values if hasattr(values, "__len__") or hasattr(values, "__array__") else list(values))


def ids(values: Any, what: str) -> Any:
    """Returns a column of ids."""
    array = _array(values)
    if not isinstance(array, np.ndarray):
        return array
    if array.ndim != 1:
        raise InvalidError(f"{what} has {array.ndim} dimensions", help="give one id per edge, in one dimension")
    if array.dtype.kind in "iu":
        return _plain(array)
    if array.size == 0:
        return array.astype(np.uint32)
    if array.dtype.kind in "UOT":
        return _objects(array.tolist())
    raise InvalidError(
        f"{what} has values of type {array.dtype}, such as {array[0]!r}",
        help="ids are whole numbers from 0, or text; missing values turn whole numbers into decimals in pandas",
    )


def _objects(values: list[Any]) -> Any:
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        try:
            return np.array(values, np.int64 if min(values) < 0 else np.uint64)
        except OverflowError:
            raise InvalidError("an id is beyond 64 bits", help="ids are whole numbers below 2**64, or text") from None
    return values


def weights(values: Any) -> Any:
    """Returns a column of weights; None for None."""
    if values is None:
        return None
    array = _array(values)
    if not isinstance(array, np.ndarray):
        return array
    if array.ndim != 1 or array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        if array.dtype.kind == "O" and array.ndim == 1:
            return np.array([float(value) for value in array.tolist()])
        raise InvalidError(
            f"the weights are {array.dtype} in {array.ndim} dimensions", help="give one number per edge"
        )
    return _plain(array.astype(np.float32) if array.dtype == np.float16 else array)


def numbers(values: Any) -> Any:
    """Returns numbers as an array, for what has no ids and no weights."""
    array = _array(values)
    if not isinstance(array, np.ndarray):
        array = np.asarray(array)
    array = array.astype(np.uint8) if array.dtype == bool else array
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise InvalidError(f"a column is {array.dtype} in {array.ndim} dimensions", help="give one number per vertex")
    return _plain(array)


def _plain(array: Any) -> Any:
    return np.ascontiguousarray(array, array.dtype.newbyteorder("="))


def universe(vertices: Any) -> Any:
    """Returns what the native module takes for ``vertices``: None, a number, or a column of ids."""
    is_one = vertices is None or isinstance(vertices, (int, np.integer))
    return vertices if is_one else ids(vertices, "vertices")

"""Arrays on a GPU come in through the CUDA driver.

Without a GPU, a driver of a few lines stands in for the real one: its device memory is that of the process, shifted by an
offset, so that an address read as it stands would crash, and it counts what was called.
"""

import json
import os
import shutil
import subprocess
import sys
import textwrap

import pytest

DRIVER = r"""
#include <stdint.h>
#include <string.h>
#define SHIFT 0x1000000000000000ull
int pushed = 0, waited = 0, copied = 0;
int cuInit(unsigned flags) { return flags; }
int cuPointerGetAttribute(void **data, int attribute, uint64_t address) {
    if (attribute != 1 || address < SHIFT) return 1;
    *data = &pushed;
    return 0;
}
int cuCtxPushCurrent_v2(void *context) { pushed += context == &pushed; return context != &pushed; }
int cuCtxPopCurrent_v2(void **context) { pushed--; *context = &pushed; return 0; }
int cuStreamSynchronize(uint64_t stream) { waited++; return stream == 7; }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
    if (pushed != 1) return 201;
    copied++;
    memcpy(to, (void *)(from - SHIFT), bytes);
    return 0;
}
int cuGetErrorName(int code, const char **name) { *name = code == 1 ? "CUDA_ERROR_INVALID_VALUE" : 0; return 0; }
"""

PROGRAM = r"""
import ctypes, json, sys
import numpy as np
import warpgraph

SHIFT = 0x1000000000000000


class ByInterface:
    def __init__(self, array, **changes):
        self.array = array
        address = array.__array_interface__["data"][0] + changes.pop("shift", SHIFT)
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (address, False), "version": 3, "stream": 7, **changes
        }


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_uint64), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p), ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ]


class ByDlpack:
    deleted = 0

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream=None):
        assert stream == 1, "the producer is asked to wait for pending work"
        def delete(_):
            ByDlpack.deleted += 1
        self.delete = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(delete)
        self.shape = (ctypes.c_int64 * 1)(len(self.array))
        kind = {"i": 0, "u": 1, "f": 2}[self.array.dtype.kind]
        address = self.array.__array_interface__["data"][0] + SHIFT
        self.tensor = Tensor(address - 8, 2, 0, 1, kind, self.array.itemsize * 8, 1, self.shape, None, 8, None, self.delete)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


src, dst, weights = np.array([5, 6, 7]), np.array([6, 7, 5], np.uint32), np.array([1.5, 2.5, 3.5], np.float32)
results = {}
for name, kind in {"interface": lambda a: ByInterface(a, stream=9), "dlpack": ByDlpack}.items():
    graph = warpgraph.Graph.from_edges(kind(src), kind(dst), kind(weights), directed=True)
    results[name] = [column.tolist() for column in graph.to_edges()]
results["deleted"] = ByDlpack.deleted
results["errors"] = []
for wrong in (ByInterface(src), ByInterface(src, shift=0), ByInterface(src, shape=(3, 1)), ByInterface(src, strides=(16,))):
    try:
        warpgraph.Graph.from_edges(wrong, dst, directed=True)
    except warpgraph.Error as error:
        results["errors"].append([type(error).__name__, str(error)])
empty = ByInterface(np.array([], np.int64), shift=0)
results["empty"] = warpgraph.Graph.from_edges(empty, empty, directed=True).vertices
print(json.dumps(results))
"""


def run(program, folder, path=""):
    environment = {**os.environ, "LD_LIBRARY_PATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def driver(tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler on Linux")
    (tmp_path / "driver.c").write_text(DRIVER)
    command = [compiler, "-shared", "-fPIC", "-o", str(tmp_path / "libcuda.so.1"), str(tmp_path / "driver.c")]
    subprocess.run(command, check=True)
    return tmp_path


def test_arrays_on_a_gpu_are_copied_by_the_driver(driver):
    found = run(PROGRAM, driver, str(driver))
    expected = [[5, 6, 7], [6, 7, 5], [1.5, 2.5, 3.5]]
    assert found["interface"] == expected and found["dlpack"] == expected
    assert found["deleted"] == 3 and found["empty"] == 0
    assert found["errors"] == [
        [
            "DeviceError",
            "the CUDA driver cannot copy the array: CUDA_ERROR_INVALID_VALUE\n"
            "help: the array may have been freed, or the GPU has failed before",
        ],
        [
            "DeviceError",
            "the CUDA driver cannot find the array: CUDA_ERROR_INVALID_VALUE\n"
            "help: the array may have been freed, or the GPU has failed before",
        ],
        ["InvalidError", "an array of shape [3, 1]\nhelp: give a contiguous, one-dimensional array of numbers"],
        [
            "InvalidError",
            "an array of type <i8 with gaps between values\nhelp: give a contiguous, one-dimensional array of numbers",
        ],
    ]


def test_without_a_driver_the_error_says_what_to_do(tmp_path):
    program = textwrap.dedent(
        """
        import json, warpgraph
        class Array:
            __cuda_array_interface__ = {"shape": (1,), "typestr": "<i8", "data": (4096, False), "version": 3}
        try:
            warpgraph.Graph.from_edges(Array(), Array(), directed=True)
            print(json.dumps("no error"))
        except warpgraph.DeviceError as error:
            print(json.dumps(error.help))
        """
    )
    found = run(program, tmp_path)
    known = ["an array on a GPU needs its driver; copy it to the host first"]
    assert found in [*known, "the array may have been freed, or the GPU has failed before"]


def test_arrays_of_cupy_on_a_real_gpu():
    cupy = pytest.importorskip("cupy", reason="needs a GPU and CuPy")
    import warpgraph

    src, dst = cupy.array([0, 1]), cupy.array([1, 2])
    assert warpgraph.Graph.from_edges(src, dst, directed=True).bfs(source=0)["distance"].tolist() == [0, 1, 2]

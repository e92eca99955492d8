"""The exceptions of warpgraph.

Every exception is an :class:`Error` with the message of the command line, and with

- ``kind``: a stable word for programs, such as ``"no-such-vertex"``
- ``where``: the place in a file, such as ``"road.gr:17:3"``, or ``None``
- ``help``: what to do next, or ``None``

Each kind has a subclass, which also derives from the built-in exception that fits.
"""

from __future__ import annotations

import re


class Error(Exception):
    """The base of all exceptions of warpgraph."""

    kind: str
    where: str | None
    help: str | None

    def __init__(self, message: str, kind: str = "invalid", where: str | None = None, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.kind, self.where, self.help = kind, where, help

    def __str__(self) -> str:
        return f"{self.message}\nhelp: {self.help}" if self.help else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return make, (self.kind, self.message, self.where, self.help)


class FileError(Error, OSError):
    """The system does not open, read or write a file, or the file changed while it was in use."""


class ParseError(Error, ValueError):
    """A file or a description has text that its format does not allow."""


class FormatError(Error, ValueError):
    """A file is damaged or contradicts itself."""


class TooLargeError(Error, MemoryError):
    """The graph or the run needs more than this machine has."""


class InvalidError(Error, ValueError):
    """An argument is not valid."""


class NoSuchVertexError(Error, LookupError):
    """The graph has no vertex of this id."""


class ExistsError(Error, FileExistsError):
    """The output file exists already."""


class InterruptedError(Error):
    """The work was cancelled."""


class DeadlineError(Error, TimeoutError):
    """The time limit passed."""


class ConfigError(Error, ValueError):
    """The configuration of an algorithm is not valid, in general or for this graph."""


class PlanError(Error, ValueError):
    """A plan cannot be parsed."""


class RefusedError(Error, ValueError):
    """Two choices cannot be combined, or there is no such choice."""


class NegativeCycleError(Error, ArithmeticError):
    """Shortest paths do not exist, because of a negative cycle."""


class DistanceOverflowError(Error, OverflowError):
    """A distance is beyond the range of its type."""


class DeviceError(Error, RuntimeError):
    """A GPU is missing, full or failing; ``kind`` says which."""


class VerificationError(Error, AssertionError):
    """An answer lacks a property that the right answer has."""


class TraceError(Error, TypeError):
    """A function of a program does what cannot be recorded, such as `if` on a value."""

    def __init__(self, message: str, kind: str = "trace", where: str | None = None, help: str | None = None) -> None:
        super().__init__(message, kind, where, help)


_CLASSES: dict[str, type[Error]] = {
    "io": FileError,
    "file": FileError,
    "parse": ParseError,
    "format": FormatError,
    "too-large": TooLargeError,
    "invalid": InvalidError,
    "no-such-vertex": NoSuchVertexError,
    "exists": ExistsError,
    "interrupted": InterruptedError,
    "deadline": DeadlineError,
    "config": ConfigError,
    "plan": PlanError,
    "refused": RefusedError,
    "negative-cycle": NegativeCycleError,
    "overflow": DistanceOverflowError,
    "verification": VerificationError,
    "trace": TraceError,
}


def in_python(text: str) -> str:
    """Writes what the command line has as Python has it: ``--max-error`` becomes ``max_error=``."""
    text = text.replace("`warpgraph info` shows their range", "`graph.ids` has all of them")
    text = re.sub(r"--columns weight=([^ ;,]+)", r'weight="\1"', text)
    text = re.sub(r"--([a-z]+) ([^ ;]*[=|][^ ;]*)", r'\1="\2"', text)
    return re.sub(r"--([a-z][a-z-]*)", lambda flag: flag[1].replace("-", "_") + "=", text)


def make(kind: str, message: str, where: str | None = None, help: str | None = None) -> Error:
    """Returns the exception of a kind. All kinds that are not listed are troubles of a device."""
    return _CLASSES.get(kind, DeviceError)(in_python(message), kind, where, help and in_python(help))

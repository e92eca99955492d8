"""The implementations of the functions in the table ``_warpgraph_nx.FUNCTIONS``."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from _warpgraph_nx import BY_NAME, FUNCTIONS

Declines = Callable[..., "str | None"]


@dataclass(frozen=True)
class Implementation:
    """A function, and the reasons for which it leaves a call to NetworkX."""

    call: Callable[..., Any]
    signature: inspect.Signature
    declines: tuple[Declines, ...]

    def reason(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
        """Returns why a call is left to NetworkX; None if it is not.

        NetworkX passes every parameter by position here, so reasons look them up by name.
        """
        given = self.signature.bind(*args, **kwargs)
        given.apply_defaults()
        return next((reason for declines in self.declines if (reason := declines(given.arguments))), None)


_all: dict[str, Implementation] = {}


def function(*declines: Declines) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the implementation of the function of the same name.

    ``declines`` get the arguments by name and return why the call is left to NetworkX.
    """

    def register(call: Callable[..., Any]) -> Callable[..., Any]:
        if call.__name__ not in BY_NAME:
            raise LookupError(f"{call.__name__} is not in the table of functions")
        _all[call.__name__] = Implementation(call, inspect.signature(call), declines)
        return call

    return register


def implementations() -> dict[str, Implementation]:
    """Returns all implementations by name."""
    for module in dict.fromkeys(function.module for function in FUNCTIONS):
        importlib.import_module(f"warpgraph.nx._{module}")
    return {function.name: _all[function.name] for function in FUNCTIONS}


def given(*names: str) -> Declines:
    """Declines calls with one of these parameters."""

    def declines(arguments: dict[str, Any]) -> str | None:
        name = next((name for name in names if arguments[name] is not None and arguments[name] is not False), None)
        return f"{name} is given" if name else None

    return declines


def weighted(name: str = "weight") -> Declines:
    """Declines weights that are not the name of an attribute."""

    def declines(arguments: dict[str, Any]) -> str | None:
        weight = arguments[name]
        if weight is None or isinstance(weight, str):
            return None
        return f"{name} is a function" if callable(weight) else f"{name} is not the name of an attribute"

    return declines


def multigraph(arguments: dict[str, Any]) -> str | None:
    """Declines graphs with parallel edges."""
    return "parallel edges" if arguments["G"].is_multigraph() else None


def directed(arguments: dict[str, Any]) -> str | None:
    """Declines directed graphs."""
    return "directed graphs" if arguments["G"].is_directed() else None

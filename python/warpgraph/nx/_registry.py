"""The implementations of the functions in the table ``_warpgraph_nx.FUNCTIONS``."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from _warpgraph_nx import ALL, BY_NAME

Declines = Callable[..., "str | None"]
Costs = Callable[[dict[str, Any]], "str | None"]


@dataclass(frozen=True)
class Implementation:
    """A function, the reasons for which it leaves a call to NetworkX, and what a call costs if that is not usual."""

    call: Callable[..., Any]
    signature: inspect.Signature
    declines: tuple[Declines, ...]
    costs: Costs

    def reason(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
        """Returns why a call is left to NetworkX; None if it is not.

        NetworkX passes every parameter by position here, so reasons look them up by name.
        """
        given = self._bound(args, kwargs)
        return next((reason for declines in self.declines if (reason := declines(given))), None)

    def cost(self, usual: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Returns how long NetworkX takes for a call with these arguments."""
        return self.costs(self._bound(args, kwargs)) or usual

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        given = self.signature.bind(*args, **kwargs)
        given.apply_defaults()
        return given.arguments


_all: dict[str, Implementation] = {}


def _usual(arguments: dict[str, Any]) -> str | None:
    return None


def function(*declines: Declines, costs: Costs = _usual) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the implementation of the function of the same name.

    ``declines`` get the arguments by name and return why the call is left to NetworkX. ``costs`` gets them too, and returns
    what the call costs, or None if as much as the table says.
    """

    def register(call: Callable[..., Any]) -> Callable[..., Any]:
        if call.__name__ not in BY_NAME:
            raise LookupError(f"{call.__name__} is not in the table of functions")
        _all[call.__name__] = Implementation(call, inspect.signature(call), declines, costs)
        return call

    return register


def implementations() -> dict[str, Implementation]:
    """Returns all implementations by name."""
    for module in dict.fromkeys(function.module for function in ALL):
        importlib.import_module(f"warpgraph.nx._{module}")
    return {function.name: _all[function.name] for function in ALL}


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


def of_one(name: str, cost: str) -> Costs:
    """Returns what a call costs if this parameter names one node."""

    def costs(arguments: dict[str, Any]) -> str | None:
        node = arguments[name]
        return cost if node is not None and node in arguments["G"] else None

    return costs

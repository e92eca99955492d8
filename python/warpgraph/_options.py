"""The options that every run has beside the fields of its algorithm. This is the only list of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Union

Vertex = Union[int, str]
"""The id of a vertex."""

Progress = Union[bool, Callable[[str, int, Union[int, None]], object]]
"""True for a bar of tqdm, or a function that is called with the stage, the units done, and those in total or None."""


class Option(NamedTuple):
    """An option: its name, its type and default as source text, and what it does."""

    name: str
    kind: str
    default: str
    help: str


OPTIONS = (
    Option("device", "str", '"auto"', "Where to run: `auto`, `cpu`, `cuda`, `cuda:1`; `simt` is a simulated GPU."),
    Option("plan", "str", '"auto"', "How to run, such as `push` or `tiled+zero-copy`."),
    Option("order", "str | None", "None", "Renumber the vertices first, such as `degree`. Ids in answers stay."),
    Option("approx", "str", '"none"', "Change the graph for speed: `coalesce`, `latency` or `divergence`."),
    Option("threads", "int | None", "None", "The number of threads; by default all cores."),
    Option("seed", "int | None", "None", "The seed of whatever is drawn at random."),
    Option("deterministic", "bool", "False", "Give the same bits in every run."),
    Option("trace", "bool", "False", "Record every superstep in `answer.run`."),
    Option("gpu_memory", "int | str | None", "None", "Use at most this much GPU memory: bytes, or a text such as `4G`."),
    Option("progress", "Progress", "False", "True for a bar of tqdm, or a function `f(stage, done, total)`."),
    Option("time_limit", "float | None", "None", "Stop with `DeadlineError` after this many seconds."),
)

NAMES = frozenset(option.name for option in OPTIONS)


class _Bar:
    """Shows progress by tqdm, a bar per stage."""

    def __init__(self, bar: Any) -> None:
        self._new, self._stage = bar, ""
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if self._bar is None or stage != self._stage:
            self.close()
            self._bar, self._stage = self._new(desc=stage, total=total), stage
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Ends the bar of the stage."""
        if self._bar is not None:
            self._bar.close()


def watched(options: dict[str, Any]) -> Callable[[], object]:
    """Replaces ``progress=True`` by a bar. Returns what to call at the end."""
    progress = options.get("progress")
    if progress is not True:
        options["progress"] = progress or None
        return lambda: None
    try:
        from tqdm.auto import tqdm
    except ImportError as missing:
        from ._errors import RefusedError

        raise RefusedError(
            "progress=True shows a bar of tqdm, which is not installed", "refused", None,
            "pip install tqdm, or pass a function progress(stage, done, total)",
        ) from missing
    bar = options["progress"] = _Bar(tqdm)
    return bar.close

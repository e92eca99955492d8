"""Graphs and answers as notebooks show them: plain HTML and SVG that load nothing."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._answer import Answer
    from ._graph import Graph

_ROWS = 8
_WIDTH, _HEIGHT, _FOOT = 260, 64, 14
_LARGE = 50_000_000
"""From so many vertices on, no plot is drawn, because that would take longer than a glance."""


def size(count: float) -> str:
    """Writes bytes for people."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    raise AssertionError


def _table(rows: list[tuple[str, str]]) -> str:
    cells = "".join(
        f'<tr><td style="text-align:left;opacity:.65">{name}</td><td style="text-align:left">{value}</td></tr>'
        for name, value in rows
    )
    return f'<table style="margin:0">{cells}</table>'


def _bars(degrees: Any) -> str:
    """Draws how many vertices have a degree of 0, 1, 2-3, 4-7 and so on."""
    bins = np.zeros(len(degrees), np.int64)
    there = degrees > 0
    bins[there] = np.frexp(degrees[there].astype(np.float64))[1]
    counts = np.bincount(bins)
    step = _WIDTH / max(len(counts), 6)
    top = np.log1p(counts.max())
    drawn = []
    for i, count in enumerate(counts.tolist()):
        height = _HEIGHT * np.log1p(count) / top
        first, last = (0, 0) if i == 0 else (1 << (i - 1), (1 << i) - 1)
        title = f"degree {first}" if first == last else f"degree {first} to {last}"
        place = f'x="{i * step + 1:.1f}" y="{_HEIGHT - height:.1f}" width="{step - 2:.1f}" height="{height:.1f}"'
        drawn.append(f'<rect {place} fill="#4c78a8"><title>{title}: {count} vertices</title></rect>')
        label = f'x="{i * step + step / 2:.1f}" y="{_HEIGHT + _FOOT - 3}"'
        if len(counts) <= 12 or i % 2 == 0:
            drawn.append(f'<text {label} font-size="9" text-anchor="middle" fill="currentColor">{_short(first)}</text>')
    frame = f'width="{_WIDTH}" height="{_HEIGHT + _FOOT}" role="img" aria-label="vertices by degree"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>{"".join(drawn)}</svg>'


def _short(number: int) -> str:
    return str(number) if number < 1024 else f"{number >> 10}k" if number < 1 << 20 else f"{number >> 20}M"


def graph(of: Graph) -> str:
    """Describes a graph: its size, its memory and where it lies, and its degrees as a plot."""
    kind = "directed" if of.directed else "undirected"
    where = "a mapped file" if of.is_mapped else "memory"
    rows = [
        ("vertices", f"{of.vertices:,} ({html.escape(str(of.info['ids']))})"),
        ("edges", f"{of.edges:,}, {kind}"),
        ("weights", of.weight_type or "none"),
        ("memory", f"{size(of.bytes)} in {where}"),
        ("from", html.escape(str(of.info["name"]))),
        ("prepared for", html.escape(", ".join(of._native.prepared()) or "no device yet")),
    ]
    plot = ""
    if 0 < of.vertices < _LARGE:
        plot = f'<div><div style="opacity:.65">vertices by degree, in logarithmic scales</div>{_bars(of.degrees())}</div>'
    return f'<div><b>warpgraph.Graph</b><div style="display:flex;gap:2em">{_table(rows)}{plot}</div></div>'


def _cell(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)
    return f"<td>{html.escape(text)}</td>"


def _top(of: Answer) -> str:
    """Shows the rows with the greatest values of the last column of decimals, or the first rows."""
    columns = [of[name] for name in of.columns]
    places = np.arange(min(_ROWS, len(of)))
    heading = "first rows"
    for name, values in reversed(list(zip(of.columns, columns))):
        if values.dtype.kind == "f" and name not in ("distance", "weight"):
            ranked = np.where(np.isfinite(values), values, -np.inf)
            places = np.argsort(-ranked, kind="stable")[:_ROWS]
            heading = f"greatest {html.escape(name)}"
            break
    head = "".join(f"<th>{html.escape(name)}</th>" for name in of.columns)
    body = "".join("<tr>" + "".join(_cell(values[at]) for values in columns) + "</tr>" for at in places)
    table = f'<table style="margin:0"><tr>{head}</tr>{body}</table>'
    return f'<div><div style="opacity:.65">{heading}, of {len(of):,}</div>{table}</div>'


def answer(of: Answer) -> str:
    """Describes an answer: its figures, how it ran, and its top rows."""
    known = {name: value for name, value in of.summary.items() if value is not None}
    figures = [(html.escape(name), html.escape(_figure(value))) for name, value in known.items()]
    run = of.run
    shown = ("device", "plan", "seconds", "rounds", "choice")
    how = [(name, html.escape(_figure(run[name]))) for name in shown if run.get(name) not in (None, "")]
    left = _table(figures) + '<div style="opacity:.65;margin-top:.5em">how it ran</div>' + _table(how)
    title = f"<b>warpgraph.Answer</b> of {html.escape(of.algorithm)}"
    return f'<div>{title}<div style="display:flex;gap:2em"><div>{left}</div>{_top(of)}</div></div>'


def _figure(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return f"{len(value)} entries"
    return str(value)

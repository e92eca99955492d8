"""Spreadsheets as CSV: what LibreOffice and Excel export, written by Python's csv module with their settings."""

import csv
import io

from record import Graph, call

CELLS = [("Berlin", "Bonn", 1.5), ("Bonn", "Köln", 27.25), ("Köln", "Berlin", 575.0)]
GRAPH = Graph(CELLS)


def text(lines, **dialect):
    out = io.StringIO()
    csv.writer(out, **dialect).writerows(lines)
    return out.getvalue()


def comma(number):
    return str(number).replace(".", ",")


def make():
    head = ("Source", "Target", "Weight")
    local = [(u, v, comma(w)) for u, v, w in CELLS]
    using = {"text": text, "head": head, "cells": CELLS, "local": local}

    def sheet(file, tool, code, graph=GRAPH, **about):
        call(file, f"csv of Python, as {tool}", code, graph, using=using, **about)

    sheet("libreoffice.csv", "LibreOffice",
          "open(path, 'w', newline='').write(text([head, *cells], lineterminator='\\n'))")
    sheet("libreoffice-german.csv", "LibreOffice",
          "open(path, 'w', newline='').write(text([head, *local], delimiter=';', lineterminator='\\n'))")
    sheet("libreoffice-quoted.csv", "LibreOffice",
          "open(path, 'w', newline='').write(text([head, *local], lineterminator='\\n'))",
          error=["1,5"], why="decimal commas in quotes, commas between fields: read, or refused")
    sheet("excel-utf-8.csv", "Excel", "open(path, 'w', newline='', encoding='utf-8-sig').write(text([head, *cells]))")
    sheet("excel-german.csv", "Excel",
          "open(path, 'w', newline='', encoding='utf-8-sig').write(text([head, *local], delimiter=';'))")
    sheet("excel-sep.csv", "Excel",
          "open(path, 'w', newline='').write('sep=;\\r\\n' + text([head, *local], delimiter=';'))", error=["sep="],
          why="the first line is for Excel alone: read, or refused by its name")
    sheet("excel-unicode.txt", "Excel's Unicode text",
          "open(path, 'w', newline='', encoding='utf-16').write(text([head, *cells], delimiter='\\t'))",
          error=["utf-16"], why="read, or refused by its name")
    sheet("excel-trailing.csv", "Excel",
          "open(path, 'w', newline='').write(text([(*row, '', '') for row in [head, *cells]]))",
          why="empty cells to the right of the table")
    sheet("excel-trailing-pairs.csv", "Excel",
          "open(path, 'w', newline='').write(text([(*row[:2], '') for row in [head, *cells]]))",
          Graph([row[:2] for row in CELLS]), why="an empty cell to the right of the table")
    sheet("excel-empty-lines.csv", "Excel",
          "open(path, 'w', newline='').write(text([head, *cells, ('', '', ''), ('', '', '')]))", error=["5|empty"],
          why="empty rows below the table: skipped, or refused with the line")
    sheet("excel-title.csv", "Excel",
          "open(path, 'w', newline='').write(text([('Trips of May', '', ''), head, *cells]))", None,
          error=["--columns|--header|:1|:2"], why="a title above the header")
    sheet("excel-thousands.csv", "Excel",
          "open(path, 'w', newline='').write(text([head, ('a', 'b', '1,234.5'), ('b', 'c', '7')]))", None,
          error=["1,234.5"], why="1,234.5 is no number that all would read alike")
    sheet("excel-dates.csv", "Excel",
          "open(path, 'w', newline='').write(text([('From', 'To', 'Date', 'Amount'), ('a', 'b', '03/04/2026', 5)]))",
          Graph([("a", "b", 5)]), says=["Date"])

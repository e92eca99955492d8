"""Writes the files of ../files and the table ../expected.json by running the tools that write such files.

    python3 -m venv venv && venv/bin/pip install -r make/requirements.txt
    venv/bin/python make

Each module below runs the tools of one kind. The expected graph of a file is what its tool holds in memory, never what
warpgraph reads. ../versions.txt records the versions of the tools. A file that a tool writes anew in the same way but
with other bytes (times, compression) is harmless; the table must not change unless a call does.
"""

import sys

sys.dont_write_bytecode = True

import igraph_files
import matrices
import networkx_files
import odd_values
import parquet_files
import record
import spreadsheets
import tables
import text

record.start()
for module in (tables, parquet_files, networkx_files, igraph_files, matrices, text, spreadsheets, odd_values):
    module.make()
record.finish()

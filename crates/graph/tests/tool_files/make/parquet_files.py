"""Parquet files of pandas, Polars, DuckDB and PyArrow, and what PyArrow writes besides."""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.ipc
import pyarrow.orc
import pyarrow.parquet
from record import Graph, call
from tables import EDGES, rows_of

PLACES = [("Oslo", "Rome", 3), ("Rome", "Zürich", 5), ("Oslo", "Zürich", 4), ("São Paulo", "Oslo", 9)]


def parquet(file, tool, code, graph=None, **about):
    call(file, tool, code, graph, feature="parquet", **about)


def make():
    frames()
    duck()
    compressions()
    arrow_types()
    arrow_refused()
    arrow_text()
    spark_parts()


def frames():
    frame = pd.DataFrame(EDGES, columns=["source", "target", "weight"])
    graph = Graph(rows_of(frame, "source", "target", "weight"))
    using = {"frame": frame}
    parquet("pandas.parquet", "pandas", "frame.to_parquet(path)", graph, using=using)
    parquet("pandas-index.parquet", "pandas",
            "frame.sort_values('weight').to_parquet(path)", graph, using=using,
            why="the index is a column of its own, __index_level_0__")
    parquet("pandas-weight-first.parquet", "pandas",
            "frame[['weight', 'target', 'source']].to_parquet(path, index=False)", graph, using=using)
    parquet("pandas-columns.parquet", "pandas",
            "frame.set_axis(['a', 'b', 'c'], axis=1).to_parquet(path, index=False)", None, error=["--columns", "a"],
            using=using, why="nothing says which of a, b and c is what")
    parquet("pandas-columns-given.parquet", "pandas",
            "frame.set_axis(['a', 'b', 'c'], axis=1).to_parquet(path, index=False)",
            Graph([(v, u, w) for u, v, w in graph.edges]), options={"columns": "src=b,dst=a,weight=c"}, using=using)
    parquet("pandas-two-columns.parquet", "pandas",
            "frame[['source', 'target']].set_axis(['x', 'y'], axis=1).to_parquet(path, index=False)",
            Graph([edge[:2] for edge in graph.edges]), says=["x", "y"], using=using,
            why="two columns of unknown names: the first is the source, and the report says so")
    places = pd.DataFrame(PLACES, columns=["from", "to", "distance"]).astype({"from": "category", "to": "category"})
    parquet("pandas-category.parquet", "pandas", "frame.to_parquet(path)",
            Graph(rows_of(places, "from", "to", "distance")), using={"frame": places})
    gap = frame.astype({"target": "Int64"})
    gap.loc[2, "target"] = pd.NA
    parquet("pandas-missing.parquet", "pandas", "frame.to_parquet(path)", error=["target", "null"],
            using={"frame": gap})
    floats = frame.astype({"source": "float"})
    parquet("pandas-float-ids.parquet", "pandas", "frame.to_parquet(path)", error=["source", "double"],
            using={"frame": floats})
    small = pl.DataFrame(PLACES, schema=["src", "dst", "w"], orient="row")
    named = Graph(rows_of(small, "src", "dst", "w"))
    for packed in ("zstd", "snappy", "gzip", "uncompressed"):
        parquet(f"polars-{packed}.parquet", "Polars", f"frame.write_parquet(path, compression='{packed}')", named,
                using={"frame": small})
    for packed in ("lz4", "brotli"):
        parquet(f"polars-{packed}.parquet", "Polars", f"frame.write_parquet(path, compression='{packed}')", named,
                error=[f"{packed}|{packed}_raw"], using={"frame": small},
                why="read, or refused by the name of its compression")
    parquet("polars-categorical.parquet", "Polars",
            "frame.with_columns(pl.col('src', 'dst').cast(pl.Categorical)).write_parquet(path)", named,
            using={"frame": small, "pl": pl})


def duck():
    con = duckdb.connect()
    con.execute("create table e (src uinteger, dst uinteger, weight double)")
    con.execute("insert into e select i, (i * 7) % 10, i / 4.0 from range(10) t(i)")
    con.execute("create table n as select 'k' || src as source, 'k' || dst as target, weight::float as weight from e")
    con.execute("create macro named(i) as ('00000000-0000-0000-0000-00000000000' || i)::uuid")
    con.execute("create table u as select named(i) as source, named(i + 1) as target from range(3) t(i)")

    def copy(file, query, how, graph, **about):
        code = f"con.execute(f\"copy ({query}) to '{{path}}' ({how})\")"
        parquet(file, "DuckDB", code, graph, using={"con": con}, **about)

    edges = con.execute("select src, dst, weight from e").fetchall()
    names = con.execute("select source, target, weight from n").fetchall()
    copy("duckdb.parquet", "from e", "format parquet", Graph(edges))
    copy("duckdb-zstd.parquet", "from n", "format parquet, compression zstd", Graph(names))
    copy("duckdb-v2.parquet", "from n", "format parquet, parquet_version v2", Graph(names))
    copy("duckdb-lz4.parquet", "from e", "format parquet, compression lz4_raw", Graph(edges), error=["lz4|lz4_raw"],
         why="read, or refused by the name of its compression")
    copy("duckdb-decimal.parquet", "select src, dst, weight::decimal(9, 2) as weight from e", "format parquet",
         Graph(edges), error=["weight", "decimal"], why="read with the scale, or refused")
    copy("duckdb-uuid.parquet", "from u", "format parquet",
         Graph(con.execute("select source::varchar, target::varchar from u").fetchall()),
         error=["source", "uuid|fixed_len_byte_array"], why="read as texts, or refused")


def compressions():
    table = pa.table({"u": [4, 4, 9], "v": [9, 6, 6], "w": [1, 2, 3]})
    graph = Graph(zip(*(table[c].to_pylist() for c in "uvw")))
    using = {"table": table, "pq": pyarrow.parquet}
    options = {"none": "compression='none', use_dictionary=False", "snappy": "compression='snappy'",
               "gzip-v2": "compression='gzip', data_page_version='2.0'",
               "zstd-delta": "compression='zstd', use_dictionary=False, column_encoding='DELTA_BINARY_PACKED'",
               "two-groups": "row_group_size=2"}
    for name, option in options.items():
        parquet(f"pyarrow-{name}.parquet", "PyArrow", f"pq.write_table(table, path, {option})", graph, using=using)
    parquet("pyarrow-split.parquet", "PyArrow",
            "pq.write_table(table, path, use_dictionary=False, column_encoding='BYTE_STREAM_SPLIT')", graph,
            error=["byte_stream_split|encoding"], using=using, why="read, or refused by the name of its encoding")


def arrow_types():
    held = {"source": ["a", "b", "a"], "target": ["b", "c", "c"]}
    graph = Graph(zip(held["source"], held["target"]))
    for name in ("string", "large_string", "string_view"):
        table = pa.table({c: pa.array(v).cast(getattr(pa, name)()) for c, v in held.items()})
        parquet(f"pyarrow-{name.replace('_', '-')}.parquet", "PyArrow", "pq.write_table(table, path)", graph,
                using={"table": table, "pq": pyarrow.parquet})
    small = pa.table({"src": pa.array([0, 255], pa.uint8()), "dst": pa.array([7, 0], pa.int16()),
                      "stamped": pa.array([1, 2], pa.timestamp("us")), "weight": pa.array([0.1, 2.5], pa.float32())})
    parquet("pyarrow-narrow.parquet", "PyArrow", "pq.write_table(table, path)",
            Graph(zip(*(small[c].to_pylist() for c in ("src", "dst", "weight")))), says=["stamped"],
            using={"table": small, "pq": pyarrow.parquet})
    wide = pa.table({"src": pa.array([2**64 - 1, 2**63], pa.uint64()), "dst": pa.array([0, 2**64 - 1], pa.uint64())})
    parquet("pyarrow-uint64.parquet", "PyArrow", "pq.write_table(table, path)",
            Graph(zip(*(wide[c].to_pylist() for c in ("src", "dst")))), using={"table": wide, "pq": pyarrow.parquet})
    empty = pa.table({"src": pa.array([], pa.int64()), "dst": pa.array([], pa.int64())})
    parquet("pyarrow-empty.parquet", "PyArrow", "pq.write_table(table, path)", Graph([]), says=["no edges"],
            using={"table": empty, "pq": pyarrow.parquet})


def arrow_refused():
    tables = {
        "negative": ({"src": [1, -1], "dst": [2, 3]}, ["src", "-1"]),
        "one-column": ({"src": [1, 2]}, ["columns"]),
        "nan": ({"src": [1], "dst": [2], "weight": [float("nan")]}, ["weight", "nan"]),
        "nested": ({"edge": [{"src": 1, "dst": 2}]}, ["edge"]),
        "lists": ({"src": [1, 2], "dst": [[2, 3], [3]]}, ["dst"]),
    }
    for name, (columns, words) in tables.items():
        parquet(f"pyarrow-{name}.parquet", "PyArrow", f"pq.write_table(pa.table({columns}), path)", error=words,
                using={"pa": pa, "pq": pyarrow.parquet, "nan": float("nan")})


def arrow_text():
    table = pa.table({"source": ["x", "y"], "target": ["y", "z"], "weight": [1.5, 2.0]})
    using = {"table": table, "pa": pa}
    graph = Graph(zip(*(table[c].to_pylist() for c in ("source", "target", "weight"))))
    call("pyarrow.csv", "PyArrow", "pa.csv.write_csv(table, path)", graph, using=using, why="names stand in quotes")
    call("pyarrow.arrows", "PyArrow", "pa.ipc.new_stream(path, table.schema).write_table(table)",
         error=["arrow|binary"], using=using)
    call("pyarrow.orc", "PyArrow", "pa.orc.write_table(table, path)", error=["orc|binary"], using=using)


def spark_parts():
    """Writes files with the names and settings of Spark, by PyArrow."""
    table = pa.table({"src": ["u1", "u2"], "dst": ["u2", "u3"], "relationship": ["follow", "friend"]})
    graph = Graph(zip(table["src"].to_pylist(), table["dst"].to_pylist()))
    stem = "part-00000-5f1c7f6e-9d0b-4c9e-8f5e-3a2b1c0d9e8f-c000"
    using = {"table": table, "pa": pa, "pq": pyarrow.parquet}
    parquet(f"{stem}.snappy.parquet", "PyArrow, as Spark", "pq.write_table(table, path, flavor='spark')", graph,
            says=["relationship"], using=using)
    call(f"{stem}.csv", "PyArrow, as Spark",
         "pa.csv.write_csv(table, path, pa.csv.WriteOptions(quoting_style='none'))", graph, says=["relationship"],
         using=using)
    call("part-00000", "PyArrow, as Spark's saveAsTextFile of pairs",
         "open(path, 'w').writelines(f'({u},{v})\\n' for u, v in [(1, 2), (2, 3)])", error=["("],
         why="brackets are no part of an id")

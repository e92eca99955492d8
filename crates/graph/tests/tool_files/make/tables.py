"""Tables of pandas, Polars and DuckDB as text, and what they write that is no table of text."""

import duckdb
import pandas as pd
import polars as pl
from record import Graph, call

EDGES = [(1, 2, 0.5), (1, 3, 2.0), (3, 2, 1.25), (7, 1, 4.0)]
PEOPLE = [("Ann", "Bob"), ("Bob", "Çelik, Deniz"), ("Ann", 'Lee "Jo"'), ("Zoë", "Ann")]


def rows_of(frame, *columns):
    """Returns the edges in these columns of a data frame of pandas or Polars."""
    return list(zip(*(frame[column].to_list() for column in columns)))


def make():
    frame = pd.DataFrame(EDGES, columns=["source", "target", "weight"])
    plain = frame[["source", "target"]]
    people = pd.DataFrame(PEOPLE, columns=["from", "to"])
    pandas_text(frame, plain, people)
    pandas_packed(frame)
    pandas_encoded(people)
    pandas_other(frame)
    polars(frame)
    duck()


def pandas_text(frame, plain, people):
    weighted = Graph(rows_of(frame, "source", "target", "weight"))
    pairs = Graph(rows_of(plain, "source", "target"))

    def pandas(file, code, graph, **about):
        call(file, "pandas", code, graph, using={"frame": frame, "plain": plain, "people": people, "pd": pd}, **about)

    pandas("pandas.csv", "plain.to_csv(path, index=False)", pairs)
    pandas("pandas-weight.csv", "frame.to_csv(path, index=False)", weighted)
    pandas("pandas-index.csv", "frame.to_csv(path)", weighted, says=["source", "target"],
           why="the first column, without a name, is the index of the frame")
    pandas("pandas-index-pairs.csv", "plain.to_csv(path)", pairs, says=["source", "target"])
    pandas("pandas-index-label.csv", "plain.to_csv(path, index_label='id')", pairs, says=["id"])
    pandas("pandas-no-header.csv", "frame.to_csv(path, index=False, header=False)", weighted)
    pandas("pandas-header-lost.csv", "frame.to_csv(path, header=False)", None, error=["--columns"],
           why="four columns without names")
    pandas("pandas-tab.tsv", "frame.to_csv(path, sep='\\t', index=False)", weighted)
    pandas("pandas-blank.txt", "plain.to_csv(path, sep=' ', index=False, header=False)", pairs)
    pandas("pandas-pipe.psv", "frame.to_csv(path, sep='|', index=False)", weighted)
    pandas("pandas-decimal-comma.csv", "frame.to_csv(path, sep=';', decimal=',', index=False)", weighted)
    pandas("pandas-crlf.csv", "frame.to_csv(path, index=False, lineterminator='\\r\\n')", weighted)
    pandas("pandas-quoted.csv", "frame.to_csv(path, index=False, quoting=2)", weighted)
    pandas("pandas-names.csv", "people.to_csv(path, index=False)", Graph(rows_of(people, "from", "to")))
    pandas("pandas-to-from.csv", "people[['to', 'from']].to_csv(path, index=False)",
           Graph(rows_of(people, "from", "to")), says=["from", "to"])
    pandas("pandas-columns.csv",
           "frame.set_axis(['a', 'b', 'c'], axis=1).to_csv(path, index=False)", None,
           error=["--columns", "a,b,c", "1,2,0.5"], why="nothing says which of a, b and c is what")
    pandas("pandas-columns-given.csv",
           "frame.set_axis(['a', 'b', 'c'], axis=1).to_csv(path, index=False)",
           Graph([(v, u, w) for u, v, w in rows_of(frame, "source", "target", "weight")]),
           options={"columns": "src=b,dst=a,weight=c"})
    pandas("pandas-columns-by-place.csv", "frame.to_csv(path, header=False)", weighted,
           options={"columns": "src=2,dst=3,weight=4"}, why="positions count from 1")
    pandas("pandas-header-no.csv", "people.to_csv(path, index=False)",
           Graph([("from", "to"), *rows_of(people, "from", "to")]), options={"header": "no"})
    pandas("pandas-time.csv",
           "plain.assign(time=pd.date_range('2026-01-01', periods=4, freq='D')).to_csv(path, index=False)",
           pairs, says=["time"])
    gaps = plain.astype("float")
    call("pandas-float-ids.csv", "pandas", "gaps.to_csv(path, index=False)", Graph(rows_of(gaps, "source", "target")),
         using={"gaps": gaps}, why="a column that once had a gap holds floats: 1.0 is then the id")
    missing = plain.astype("Int64")
    missing.loc[1, "target"] = pd.NA
    call("pandas-missing.csv", "pandas", "missing.to_csv(path, index=False)", error=[":3"], using={"missing": missing},
         why="the second edge has no target")
    lines = pd.DataFrame([("a\nb", "c"), ("c", "d")], columns=["source", "target"])
    call("pandas-line-in-name.csv", "pandas", "lines.to_csv(path, index=False)",
         Graph(rows_of(lines, "source", "target")), error=["quote|line"], using={"lines": lines},
         why="a quoted name holds a line end: read, or refused with the place")


def pandas_packed(frame):
    graph = Graph(rows_of(frame, "source", "target", "weight"))
    for ending in ("gz", "zst", "xz"):
        call(f"pandas.csv.{ending}", "pandas", "frame.to_csv(path, index=False)", graph, using={"frame": frame})
    call("pandas.csv.bz2", "pandas", "frame.to_csv(path, index=False)", graph, error=["bz2|bzip2"],
         using={"frame": frame}, why="read, or refused by its name")
    call("pandas.csv.zip", "pandas", "frame.to_csv(path, index=False)", error=["zip"], using={"frame": frame})


def pandas_encoded(people):
    graph = Graph(rows_of(people, "from", "to"))
    using = {"people": people}
    call("pandas-bom.csv", "pandas", "people.to_csv(path, index=False, encoding='utf-8-sig')", graph, using=using)
    for name, encoding in (("utf-16", "utf-16"), ("utf-16-be", "utf-16-be")):
        call(f"pandas-{name}.csv", "pandas", f"people.to_csv(path, index=False, encoding='{encoding}')", graph,
             error=["utf-16"], using=using, why="read, or refused by its name")
    call("pandas-latin-1.csv", "pandas", "people.to_csv(path, index=False, encoding='latin-1')", error=["utf-8"],
         using=using, why="no name is guessed")


def pandas_other(frame):
    using = {"frame": frame}
    call("pandas-records.json", "pandas", "frame.to_json(path, orient='records')", error=["json"], using=using)
    call("pandas-lines.json", "pandas", "frame.to_json(path, orient='records', lines=True)", error=["json"],
         using=using)
    call("pandas.xlsx", "pandas, openpyxl", "frame.to_excel(path, index=False)", error=["xlsx|excel|spreadsheet|zip"],
         using=using)
    call("pandas.feather", "pandas, PyArrow", "frame.to_feather(path)", error=["arrow|feather"], using=using)
    call("pandas.pickle", "pandas", "frame.to_pickle(path)", error=["pickle|binary"], using=using)
    call("pandas.html", "pandas", "frame.to_html(path)", error=["html|xml"], using=using)
    call("pandas-to-string.txt", "pandas",
         "open(path, 'w').write(frame.to_string())", error=["--columns|--header"], using=using,
         why="print(frame): the index has no name, so the header has one field less than the lines")


def polars(pandas_frame):
    frame = pl.from_pandas(pandas_frame)
    graph = Graph(rows_of(frame, "source", "target", "weight"))
    using = {"frame": frame, "pl": pl}
    call("polars.csv", "Polars", "frame.write_csv(path)", graph, using=using)
    call("polars-row-index.csv", "Polars", "frame.with_row_index().write_csv(path)", graph, says=["index"],
         using=using)
    call("polars-decimal-comma.csv", "Polars", "frame.write_csv(path, separator=';', decimal_comma=True)", graph,
         using=using)
    call("polars-bom.tsv", "Polars", "frame.write_csv(path, separator='\\t', include_bom=True)", graph, using=using)
    call("polars-float-form.csv", "Polars", "frame.write_csv(path, float_scientific=True)", graph, using=using)
    call("polars-quoted.csv", "Polars", "frame.write_csv(path, quote_style='always')", graph, using=using)
    call("polars.ndjson", "Polars", "frame.write_ndjson(path)", error=["json"], using=using)
    call("polars.arrow", "Polars", "frame.write_ipc(path)", error=["arrow"], using=using)


def duck():
    con = duckdb.connect()
    con.execute("create table knows (src bigint, dst bigint, since date, weight decimal(8, 2))")
    con.execute("insert into knows values (10, 20, '2020-01-01', 1.5), (20, 30, '2021-06-01', 2), (10, 30, null, 7)")
    con.execute("create table mails (sender varchar, recipient varchar)")
    con.execute("insert into mails values ('ann@x.org', 'bob@x.org'), ('bob@x.org', 'cy;d@y.org'), ('', 'ann@x.org')")
    held = con.execute("select src, dst, weight from knows").fetchall()
    pairs = con.execute("select src, dst from knows").fetchall()

    def copy(file, query, how, graph, **about):
        code = f"con.execute(f\"copy ({query}) to '{{path}}' ({how})\")"
        call(file, "DuckDB", code, graph, using={"con": con}, **about)

    copy("duckdb.csv", "select src, dst, weight from knows", "format csv", Graph(held))
    copy("duckdb-more-columns.csv", "from knows", "format csv", Graph(held), says=["since"])
    copy("duckdb-dst-src.csv", "select dst, src from knows", "format csv", Graph(pairs), says=["dst", "src"])
    copy("duckdb-no-header.csv", "select src, dst from knows", "format csv, header false", Graph(pairs))
    copy("duckdb-tab.tsv", "select src, dst, weight from knows", "format csv, delimiter '\\t'", Graph(held))
    copy("duckdb.csv.gz", "select src, dst, weight from knows", "format csv, compression gzip", Graph(held))
    copy("duckdb.csv.zst", "select src, dst, weight from knows", "format csv, compression zstd", Graph(held))
    copy("duckdb.json", "from knows", "format json", None, error=["json"])
    copy("duckdb-array.json", "from knows", "format json, array true", None, error=["json"])
    mails = con.execute("select sender, recipient from mails where sender <> ''").fetchall()
    copy("duckdb-names.csv", "select sender as source, recipient as target from mails where sender <> ''",
         "format csv", Graph(mails))
    copy("duckdb-unknown-names.csv", "select * from mails where sender <> ''", "format csv", Graph(mails),
         options={"header": "yes"}, why="sender,recipient are two columns; the first is the source")
    copy("duckdb-empty-name.csv", "select sender as source, recipient as target from mails", "format csv", None,
         error=[":4"], why="an id without characters is no id")
    copy("duckdb-null-weight.csv", "select src, dst, case when src = 20 then null else weight end as weight from knows",
         "format csv", None, error=["weight"])

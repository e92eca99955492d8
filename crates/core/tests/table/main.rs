//! Tables as files: the exact text, and what Python reads back.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[cfg(feature = "parquet")]
mod parquet;

use std::{borrow::Cow, path::Path, process::Command};
use warpgraph_core::{Table, TableFormat, table::Values};
use warpgraph_graph::{Control, Ids, NO_VERTEX, Names};

fn names(list: &[&str]) -> Ids {
    let mut starts = vec![0u64];
    starts.extend(list.iter().scan(0, |end, name| {
        *end += name.len() as u64;
        Some(*end)
    }));
    Ids::Names(Names::new(starts.into(), list.concat().into_bytes().into(), "test").unwrap())
}

fn text(table: &Table<'_>, format: TableFormat) -> String {
    let mut out = Vec::new();
    table.write(format, &mut out, "test", &Control::new()).unwrap();
    String::from_utf8(out).unwrap()
}

/// Every kind of column, each with one "none".
fn every_kind(ids: &Ids) -> Table<'_> {
    Table::of_vertices(ids)
        .with("parent", Values::Vertices(ids, Cow::Owned(vec![0, 2, NO_VERTEX])))
        .with("u32", Values::U32(Cow::Owned(vec![0, 7, u32::MAX])))
        .with("u64", Values::U64(Cow::Owned(vec![0, 1 << 40, u64::MAX])))
        .with("i64", Values::I64(Cow::Owned(vec![-5, 0, i64::MAX])))
        .with("f32", Values::F32(Cow::Owned(vec![0.1, -2.0, f32::INFINITY])))
        .with("f64", Values::F64(Cow::Owned(vec![0.1 + 0.2, 1e-300, f64::NAN])))
}

#[test]
fn numbers_are_written_with_empty_fields_for_none() {
    let ids = Ids::Range { first: 1, len: 3 };
    let expected = "vertex,parent,u32,u64,i64,f32,f64\n\
                    1,1,0,0,-5,0.1,0.30000000000000004\n\
                    2,3,7,1099511627776,0,-2.0,1e-300\n\
                    3,,,,,,\n";
    assert_eq!(text(&every_kind(&ids), TableFormat::Csv), expected);
    assert_eq!(text(&every_kind(&ids), TableFormat::Tsv), expected.replace(',', "\t"));
}

#[test]
fn names_are_quoted_only_where_they_must_be() {
    let ids = names(&["", "a,b", "plain", "say \"hi\"", "tab\t", "two\nlines", "é"]);
    let table = Table::of_vertices(&ids);
    let csv = "vertex\n\"\"\n\"a,b\"\nplain\n\"say \"\"hi\"\"\"\ntab\t\n\"two\nlines\"\né\n";
    assert_eq!(text(&table, TableFormat::Csv), csv);
    let tsv = "vertex\n\"\"\na,b\nplain\n\"say \"\"hi\"\"\"\n\"tab\t\"\n\"two\nlines\"\né\n";
    assert_eq!(text(&table, TableFormat::Tsv), tsv);
}

#[test]
fn every_row_is_written_once_and_in_order() {
    let ids = Ids::Range { first: 0, len: 300_001 };
    let written = text(&Table::of_vertices(&ids), TableFormat::Csv);
    assert!(written.lines().skip(1).map(|l| l.parse::<u64>().unwrap()).eq(0..300_001));
}

#[test]
fn an_empty_table_is_a_header() {
    assert_eq!(text(&Table::of_vertices(&Ids::zero_based(0)), TableFormat::Csv), "vertex\n");
}

#[test]
fn the_ending_decides_the_form() {
    let form =
        |name: &str| TableFormat::of_path(Path::new(name)).map_err(|e| (e.to_string(), e.help().unwrap()));
    assert_eq!(form("-"), Ok(TableFormat::Csv));
    assert_eq!(form("a.b/c.NPY"), Ok(TableFormat::Npy));
    assert_eq!(
        form("out.xlsx"),
        Err((
            "out.xlsx: cannot tell the form of the table by this ending".to_owned(),
            "name the file with one of the endings .csv, .tsv, .npy or .parquet, or - for CSV on standard output"
                .to_owned()
        ))
    );
}

#[test]
fn a_cancelled_or_refused_table_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let ids = Ids::zero_based(10);
    let path = folder.path().join("a.csv");
    let control = Control::new();
    control.cancel();
    assert_eq!(Table::of_vertices(&ids).save(&path, false, &control).unwrap_err().kind(), "interrupted");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    Table::of_vertices(&ids).save(&path, false, &Control::new()).unwrap();
    let again = Table::of_vertices(&ids).save(&path, false, &Control::new());
    assert_eq!(again.unwrap_err().kind(), "exists");
    Table::of_vertices(&ids).save(&path, true, &Control::new()).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Runs a Python script in `folder`; `false` if this machine has no Python with `module`.
fn python(folder: &Path, module: &str, script: &str) -> bool {
    let run = |code: &str| Command::new("python3").args(["-c", code]).current_dir(folder).output();
    if !run(&format!("import {module}")).is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: python3 with {module} is not here");
        return false;
    }
    let output = run(script).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}

#[test]
fn numpy_reads_the_same_values_back() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = Ids::Numbers(vec![3, 9, 1 << 40].into());
    let words = names(&["a", "größe", "zz"]);
    every_kind(&numbers).save(&folder.path().join("numbers.npy"), false, &Control::new()).unwrap();
    every_kind(&words).save(&folder.path().join("names.npy"), false, &Control::new()).unwrap();
    Table::of_vertices(&Ids::zero_based(0))
        .save(&folder.path().join("empty.npy"), false, &Control::new())
        .unwrap();
    let script = r#"
import numpy as np
a = np.load("numbers.npy")
assert a.dtype.names == ("vertex", "parent", "u32", "u64", "i64", "f32", "f64"), a.dtype
assert a["vertex"].tolist() == [3, 9, 1 << 40] and a["parent"].tolist() == [3, 1 << 40, 2**64 - 1]
assert a["u32"].tolist() == [0, 7, 2**32 - 1] and a["u64"].tolist() == [0, 1 << 40, 2**64 - 1]
assert a["i64"].tolist() == [-5, 0, 2**63 - 1] and a["f64"].tolist()[:2] == [0.1 + 0.2, 1e-300]
assert a["f32"][0] == np.float32(0.1) and np.isinf(a["f32"][2]) and np.isnan(a["f64"][2])
b = np.load("names.npy")
assert b["vertex"].tolist() == ["a", "größe", "zz"] and b["parent"].tolist() == ["a", "zz", ""]
assert np.load("empty.npy").shape == (0,)
"#;
    python(folder.path(), "numpy", script);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let error = TableFormat::of_path(Path::new("a.parquet")).unwrap_err();
    assert_eq!(error.to_string(), "a.parquet: this build is without Parquet");
    assert_eq!(error.help().unwrap(), "build it with the feature parquet, or write .csv, .tsv or .npy");
}

#[test]
fn pandas_reads_the_same_values_back() {
    let folder = tempfile::tempdir().unwrap();
    let words = names(&["a,b", "say \"hi\"", "two\nlines"]);
    every_kind(&words).save(&folder.path().join("names.csv"), false, &Control::new()).unwrap();
    let script = r#"
import pandas as pd
t = pd.read_csv("names.csv", float_precision="round_trip")
assert t["vertex"].tolist() == ["a,b", 'say "hi"', "two\nlines"]
assert t["parent"].tolist()[:2] == ["a,b", "two\nlines"] and t["parent"].isna().tolist() == [False, False, True]
assert t["f64"].tolist()[:2] == [0.1 + 0.2, 1e-300] and t["u32"].tolist()[:2] == [0, 7]
"#;
    python(folder.path(), "pandas", script);
}

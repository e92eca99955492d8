//! What Python reads back of the tables that are written.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[path = "table/columns.rs"]
mod columns;

use columns::{every_kind, names};
use std::{
    path::Path,
    process::{Command, ExitCode},
};
use warpgraph_core::Table;
use warpgraph_graph::{Control, Ids};
use warpgraph_testing::{Suite, needs, tests};

fn main() -> ExitCode {
    let suite = Suite::default()
        .needing(&needs::python(&["numpy"]), tests![numpy_reads_the_same_values_back])
        .needing(&needs::python(&["pandas"]), tests![pandas_reads_the_same_values_back_from_csv]);
    #[cfg(feature = "parquet")]
    let suite = suite.needing(
        &needs::python(&["pandas", "pyarrow"]),
        tests![pandas_reads_the_same_values_back_from_parquet],
    );
    suite.run()
}

/// Runs a Python script in a folder.
fn python(folder: &Path, script: &str) {
    let output = Command::new("python3").args(["-c", script]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

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
    python(folder.path(), script);
}

fn pandas_reads_the_same_values_back_from_csv() {
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
    python(folder.path(), script);
}

#[cfg(feature = "parquet")]
fn pandas_reads_the_same_values_back_from_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let save = |table: &Table<'_>, name: &str| {
        table.save(&folder.path().join(name), false, &Control::new()).unwrap();
    };
    save(&every_kind(&Ids::Numbers(vec![3, 9, 1 << 40].into())), "numbers.parquet");
    save(&every_kind(&names(&["a", "größe", "zz"])), "names.parquet");
    let script = r#"
import pandas as pd
a = pd.read_parquet("numbers.parquet", dtype_backend="numpy_nullable")
assert list(a.columns) == ["vertex", "parent", "u32", "u64", "i64", "f32", "f64"]
assert a["vertex"].tolist() == [3, 9, 1 << 40] and a["parent"].tolist()[:2] == [3, 1 << 40]
assert a.isna().iloc[2].tolist() == [False] + 6 * [True] and not a.isna().iloc[:2].any().any()
assert a["u64"].tolist()[:2] == [0, 1 << 40] and a["i64"].tolist()[:2] == [-5, 0]
assert a["f64"].tolist()[:2] == [0.1 + 0.2, 1e-300]
b = pd.read_parquet("names.parquet")
assert b["vertex"].tolist() == ["a", "größe", "zz"] and b["parent"].tolist()[:2] == ["a", "zz"]
assert b["parent"].isna().tolist() == [False, False, True]
"#;
    python(folder.path(), script);
}

//! Tables as files: the exact text, and the values that come back.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[cfg(feature = "parquet")]
mod parquet;

mod columns;

use columns::{every_kind, names};
use std::path::Path;
use warpgraph_core::{Table, TableFormat};
use warpgraph_graph::{Control, Ids, Input};

fn text(table: &Table<'_>, format: TableFormat) -> String {
    let mut out = Vec::new();
    table.write(format, &mut out, "test", &Control::new()).unwrap();
    String::from_utf8(out).unwrap()
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
            "name the file with one of the endings .csv, .tsv, .npy or .parquet, of which .gz or .zst packs the first \
             three, or - for CSV on standard output"
                .to_owned()
        ))
    );
    assert_eq!(form("a.tsv.GZ"), Ok(TableFormat::Tsv));
    let inside = "a.parquet.gz: a Parquet file is compressed inside, and not packed again".to_owned();
    assert_eq!(
        form("a.parquet.gz").unwrap_err(),
        (inside, "leave .gz or .zst out, or write .csv.gz".to_owned())
    );
    assert!(form("csv.gz").is_err() && form(".gz").is_err());
}

#[test]
fn packed_tables_unpack_to_the_plain_ones() {
    let folder = tempfile::tempdir().unwrap();
    let ids = Ids::zero_based(1 << 18);
    let table = Table::of_vertices(&ids);
    for plain in ["a.csv", "a.npy"] {
        let save = |name: &str| {
            let path = folder.path().join(name);
            table.save(&path, false, &Control::new()).unwrap();
            Input::open(&path, &Control::new()).unwrap()
        };
        let expected = save(plain);
        for ending in ["gz", "zst"] {
            let packed = format!("{plain}.{ending}");
            assert!(save(&packed)[..] == expected[..], "{packed}");
            let length = folder.path().join(&packed).metadata().unwrap().len();
            assert!(length * 2 < expected.len() as u64, "{packed}: {length} bytes");
        }
    }
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

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let error = TableFormat::of_path(Path::new("a.parquet")).unwrap_err();
    assert_eq!(error.to_string(), "a.parquet: this build is without Parquet");
    assert_eq!(error.help().unwrap(), "build it with the feature parquet, or write .csv, .tsv or .npy");
}

//! Tables as Parquet, read back with the library and with Python.

use super::{every_kind, names};
use ::parquet::{
    basic::{ConvertedType, Repetition},
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
};
use std::{borrow::Cow, fs::File, path::Path};
use warpgraph_core::{Table, table::Values};
use warpgraph_graph::{Control, Graph, Ids, NO_VERTEX};

fn save(table: &Table<'_>, folder: &Path, name: &str) -> SerializedFileReader<File> {
    let path = folder.join(name);
    table.save(&path, false, &Control::new()).unwrap();
    SerializedFileReader::new(File::open(path).unwrap()).unwrap()
}

/// All rows, nulls as they are.
fn rows(reader: &SerializedFileReader<File>) -> Vec<Vec<Field>> {
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().into_columns().into_iter().map(|(_, field)| field).collect()).collect()
}

#[test]
fn numbers_come_back_with_nulls_for_none() {
    let folder = tempfile::tempdir().unwrap();
    let ids = Ids::Numbers(vec![3, 9, 1 << 40].into());
    let reader = save(&every_kind(&ids), folder.path(), "a.parquet");
    use Field::{Double, Float, Long, Null, UInt, ULong};
    assert_eq!(
        rows(&reader),
        [
            vec![Long(3), Long(3), UInt(0), ULong(0), Long(-5), Float(0.1), Double(0.1 + 0.2)],
            vec![Long(9), Long(1 << 40), UInt(7), ULong(1 << 40), Long(0), Float(-2.0), Double(1e-300)],
            vec![Long(1 << 40), Null, Null, Null, Null, Null, Null],
        ]
    );
    let schema = reader.metadata().file_metadata().schema_descr();
    let columns: Vec<&str> = schema.columns().iter().map(|c| c.name()).collect();
    assert_eq!(columns, ["vertex", "parent", "u32", "u64", "i64", "f32", "f64"]);
    assert_eq!(schema.column(0).self_type().get_basic_info().repetition(), Repetition::REQUIRED);
    assert!(reader.metadata().file_metadata().created_by().unwrap().starts_with("warpgraph version "));
}

#[test]
fn names_come_back_as_texts() {
    let folder = tempfile::tempdir().unwrap();
    let ids = names(&["", "a,b", "é"]);
    let table =
        Table::of_vertices(&ids).with("parent", Values::Vertices(&ids, Cow::Owned(vec![2, NO_VERTEX, 0])));
    let text = |text: &str| Field::Str(text.to_owned());
    assert_eq!(
        rows(&save(&table, folder.path(), "a.parquet")),
        [vec![text(""), text("é")], vec![text("a,b"), Field::Null], vec![text("é"), text("")]]
    );
}

#[test]
fn ids_beyond_63_bits_are_unsigned() {
    let folder = tempfile::tempdir().unwrap();
    let kind = |reader: &SerializedFileReader<File>| {
        reader.metadata().file_metadata().schema_descr().column(0).converted_type()
    };
    let large = Ids::Numbers(vec![1, u64::MAX].into());
    let reader = save(&Table::of_vertices(&large), folder.path(), "large.parquet");
    assert_eq!(kind(&reader), ConvertedType::UINT_64);
    assert_eq!(rows(&reader), [[Field::ULong(1)], [Field::ULong(u64::MAX)]]);
    let small = Ids::Range { first: 1, len: 2 };
    assert_eq!(kind(&save(&Table::of_vertices(&small), folder.path(), "small.parquet")), ConvertedType::NONE);
}

#[test]
fn long_tables_have_several_row_groups_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let n = 1_500_000;
    let ids = Ids::Range { first: 10, len: n };
    let parents: Vec<u32> = (0..n as u32).map(|v| if v % 3 == 0 { NO_VERTEX } else { v / 2 }).collect();
    let table = Table::of_vertices(&ids).with("parent", Values::Vertices(&ids, Cow::Borrowed(&parents)));
    let reader = save(&table, folder.path(), "a.parquet");
    assert_eq!(reader.num_row_groups(), 6);
    for (v, row) in rows(&reader).into_iter().enumerate() {
        let parent = if v % 3 == 0 { Field::Null } else { Field::Long(v as i64 / 2 + 10) };
        assert_eq!(row, [Field::Long(v as i64 + 10), parent]);
    }
    let bytes = std::fs::metadata(folder.path().join("a.parquet")).unwrap().len();
    assert!(bytes < 8 * n as u64, "{bytes}");
}

#[test]
fn an_empty_table_has_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let ids = Ids::zero_based(0);
    let reader = save(&Table::of_vertices(&ids), folder.path(), "a.parquet");
    assert_eq!((reader.num_row_groups(), rows(&reader).len()), (0, 0));
    assert_eq!(reader.metadata().file_metadata().schema_descr().num_columns(), 1);
}

#[test]
fn a_table_reads_back_as_an_edge_list() {
    let folder = tempfile::tempdir().unwrap();
    let ids = Ids::Range { first: 1, len: 3 };
    let table = Table::of_vertices(&ids).with("parent", Values::Vertices(&ids, Cow::Owned(vec![0, 0, 1])));
    save(&table, folder.path(), "a.parquet");
    let graph = Graph::open(folder.path().join("a.parquet")).unwrap();
    assert_eq!((graph.vertices(), graph.arcs(), graph.ids().describe().as_str()), (3, 3, "ids 1 to 3"));
}

#[test]
fn a_cancelled_or_failed_table_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let ids = Ids::zero_based(10);
    let control = Control::new();
    control.cancel();
    let path = folder.path().join("a.parquet");
    assert_eq!(Table::of_vertices(&ids).save(&path, false, &control).unwrap_err().kind(), "interrupted");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_the_systems_error() {
    let mut full = File::options().write(true).open("/dev/full").unwrap();
    let ids = Ids::zero_based(1_000_000);
    let table = Table::of_vertices(&ids).with("parent", Values::U32(Cow::Owned((0..1_000_000).collect())));
    let error = table
        .write(warpgraph_core::TableFormat::Parquet, &mut full, "a.parquet", &Control::new())
        .unwrap_err();
    assert_eq!(error.to_string(), "a.parquet: cannot write: No space left on device (os error 28)");
}

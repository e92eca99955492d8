use super::{arcs, fails, fails_with, read, read_with};
use ::parquet::{
    basic::Compression,
    data_type::{ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type},
    file::{
        properties::{WriterProperties, WriterVersion},
        writer::SerializedFileWriter,
    },
    schema::parser::parse_message_type,
};
use std::sync::Arc;
use warpgraph_graph::{Control, Format, IdKind, Input, ReadOptions, VertexId, WeightType, format};

/// The values of a column of a row group.
#[derive(Clone)]
pub(super) enum Values {
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Text(Vec<&'static str>),
    Bytes(Vec<Vec<u8>>),
    /// Values of a nullable column of which these are there.
    Nullable(Vec<i64>, Vec<i16>),
    /// Texts of a nullable column of which these are there.
    Labels(Vec<&'static str>, Vec<i16>),
}
use Values::{Bytes, F32, F64, I32, I64, Labels, Nullable, Text};

fn write(schema: &str, groups: &[Vec<Values>], properties: WriterProperties) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message m {{ {schema} }}")).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for group in groups {
        let mut rows = writer.next_row_group().unwrap();
        for values in group {
            let mut column = rows.next_column().unwrap().unwrap();
            let texts = |t: &[&[u8]]| t.iter().map(|t| ByteArray::from(t.to_vec())).collect::<Vec<_>>();
            match values {
                I32(v) => column.typed::<Int32Type>().write_batch(v, None, None),
                I64(v) => column.typed::<Int64Type>().write_batch(v, None, None),
                F32(v) => column.typed::<FloatType>().write_batch(v, None, None),
                F64(v) => column.typed::<DoubleType>().write_batch(v, None, None),
                Text(v) => {
                    let v: Vec<&[u8]> = v.iter().map(|t| t.as_bytes()).collect();
                    column.typed::<ByteArrayType>().write_batch(&texts(&v), None, None)
                }
                Bytes(v) => {
                    let v: Vec<&[u8]> = v.iter().map(|t| &t[..]).collect();
                    column.typed::<ByteArrayType>().write_batch(&texts(&v), None, None)
                }
                Nullable(v, levels) => column.typed::<Int64Type>().write_batch(v, Some(levels), None),
                Labels(v, levels) => {
                    let v: Vec<&[u8]> = v.iter().map(|t| t.as_bytes()).collect();
                    column.typed::<ByteArrayType>().write_batch(&texts(&v), Some(levels), None)
                }
            }
            .unwrap();
            column.close().unwrap();
        }
        rows.close().unwrap();
    }
    writer.into_inner().unwrap()
}

pub(super) fn plain(schema: &str, columns: Vec<Values>) -> Vec<u8> {
    write(schema, &[columns], WriterProperties::builder().build())
}

pub(super) const IDS: &str = "required int64 source; required int64 target;";

/// The edges 1-2 and 2-3 with this column beside them.
fn beside(column: &str, values: Values) -> Vec<u8> {
    plain(&format!("{IDS} {column}"), vec![I64(vec![1, 2]), I64(vec![2, 3]), values])
}

fn first_line(text: String) -> String {
    text.lines().next().unwrap().to_owned()
}

#[test]
fn files_of_other_programs_are_read() {
    let graph = read("a.parquet", *include_bytes!("data/pyarrow-snappy.parquet"));
    assert_eq!(graph.ids().describe(), "3 ids from 1 to 7");
    assert_eq!(arcs(&graph), [(0, 2, 1.5), (1, 0, 0.5), (1, 2, 2.5), (2, 1, 3.5)]);
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F32));
    assert_eq!((graph.origin().format.as_str(), graph.origin().listed), ("parquet", 4));
    assert!(graph.is_directed() && graph.origin().warnings.is_empty());

    let graph = read("told-by-content", *include_bytes!("data/pyarrow-gzip-delta.parquet"));
    assert_eq!(graph.ids().describe(), "4 names from \"ann\" to \"cy\"");
    assert_eq!(arcs(&graph), [(0, 1, 7.0), (0, 2, 5.0), (2, 3, 6.0), (3, 0, -8.0)]);
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::I32));

    let graph = read("a.parquet", *include_bytes!("data/polars-zstd.parquet"));
    assert_eq!(arcs(&graph), [(0, 2, 1.0), (1, 0, 1.0), (1, 2, 1.0)]);
    assert_eq!(graph.out().weights.weight_type(), None);

    let graph = read("a.parquet", *include_bytes!("data/pandas.parquet"));
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (1, 2, 1.0)]);
    assert_eq!(
        graph.origin().warnings,
        ["the columns \"a\" and \"b\" are taken as source and target, in this order"]
    );
    assert_eq!(graph.origin().ignored, ["when", "__index_level_0__"]);
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    for [a, b] in
        [["source", "target"], ["SRC", "Dst"], ["from", "to"], ["u", "v"], ["source_id", "target_id"]]
    {
        let schema =
            format!("required double x; required int32 {b}; required int64 Weight; required int32 {a};");
        let data = plain(&schema, vec![F64(vec![0.5]), I32(vec![9]), I64(vec![7]), I32(vec![4])]);
        let graph = read("a.parquet", data.clone());
        assert_eq!(graph.ids().describe(), "2 ids from 4 to 9", "{a}");
        assert_eq!(arcs(&graph), [(0, 1, 7.0)]);
        assert_eq!(graph.origin().warnings, ["the column \"x\" is ignored"]);
        assert_eq!((graph.origin().ignored.len(), &*graph.origin().columns[0]), (1, a));
        let bare = ReadOptions { no_weights: true, ..Default::default() };
        let graph = read_with("a.parquet", data, &bare).unwrap();
        assert_eq!((graph.out().weights.weight_type(), graph.origin().warnings.len()), (None, 0));
    }
}

#[test]
fn ids_of_every_type_are_read_as_they_are() {
    let ids = |kind: &str, values: Values| {
        let data = plain(
            &format!("required {kind} u; required {kind} v;").replace("#", "u"),
            vec![values.clone(), values],
        );
        read("a.parquet", data).ids().describe()
    };
    assert_eq!(ids("int32", I32(vec![0, i32::MAX])), "2 ids from 0 to 2147483647");
    assert_eq!(ids("int64", I64(vec![0, i64::MAX])), "2 ids from 0 to 9223372036854775807");
    for (kind, values, last) in [
        ("int32 # (INTEGER(32,false))", I32(vec![0, -1]), u64::from(u32::MAX)),
        ("int64 # (INTEGER(64,false))", I64(vec![0, -1]), u64::MAX),
        ("int64 # (UINT_64)", I64(vec![0, -1]), u64::MAX),
        ("int32 # (INTEGER(8,true))", I32(vec![0, 127]), 127),
    ] {
        let schema = format!("required {}; required {};", kind.replace('#', "u"), kind.replace('#', "v"));
        let graph = read("a.parquet", plain(&schema, vec![values.clone(), values]));
        assert_eq!(graph.ids().describe(), format!("2 ids from 0 to {last}"), "{kind}");
    }
    let names = |kind: &str| {
        let schema = format!("required binary u{kind}; required binary v{kind};");
        let data = plain(&schema, vec![Text(vec!["7", "é"]), Text(vec!["é", ""])]);
        read("a.parquet", data).ids().describe()
    };
    for kind in ["", " (UTF8)", " (STRING)", " (ENUM)"] {
        assert_eq!(names(kind), "3 names from \"\" to \"é\"");
    }
}

#[test]
fn number_ids_can_be_taken_as_names_and_mixed_ones_too() {
    let names = ReadOptions { ids: IdKind::Names, ..Default::default() };
    let data =
        plain("required int64 u; required binary v (UTF8);", vec![I64(vec![10, 9]), Text(vec!["9", "x"])]);
    let graph = read_with("a.parquet", data.clone(), &names).unwrap();
    assert_eq!(graph.ids().id(0), VertexId::Name("10".to_owned()));
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (1, 2, 1.0)]);
    assert_eq!(
        fails("a.parquet", data.clone()),
        "a.parquet: the column \"v\" has values of type BYTE_ARRAY (UTF8), expected whole numbers as in the other column \
         of ids\nhelp: give both columns one type, or pass --ids names"
    );
    let numbers = ReadOptions { ids: IdKind::Numbers, ..Default::default() };
    assert!(
        fails_with("a.parquet", data, &numbers).contains("expected whole numbers\nhelp: leave --ids out")
    );
}

#[test]
fn weights_take_the_narrowest_type_that_holds_them() {
    let typed = |column: &str, values: Values| {
        let graph = read("a.parquet", beside(&format!("required {column};"), values));
        let weights = &graph.out().weights;
        (weights.weight_type().map(WeightType::name), [weights.get(0), weights.get(1)])
    };
    assert_eq!(typed("int32 w", I32(vec![1, 2])), (Some("u32"), [1.0, 2.0]));
    assert_eq!(typed("int32 value", I32(vec![1, -2])), (Some("i32"), [1.0, -2.0]));
    assert_eq!(typed("int64 w", I64(vec![1, 1 << 40])), (Some("f64"), [1.0, 1099511627776.0]));
    assert_eq!(typed("int32 w (UINT_32)", I32(vec![1, -1])), (Some("u32"), [1.0, 4294967295.0]));
    assert_eq!(typed("float w", F32(vec![1.0, 0.1])), (Some("f32"), [1.0, f64::from(0.1f32)]));
    assert_eq!(typed("double w", F64(vec![1.0, 0.1])), (Some("f64"), [1.0, 0.1]));
    let narrow = ReadOptions { narrow_weights: true, ..Default::default() };
    let graph = read_with("a.parquet", beside("required double w;", F64(vec![1.0, 0.5])), &narrow).unwrap();
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F32));
}

#[test]
fn values_that_cannot_be_are_named_with_their_row() {
    let line = |data: Vec<u8>| first_line(fails("a.parquet", data));
    assert_eq!(
        fails("a.parquet", plain(IDS, vec![I64(vec![1, 2, -3]), I64(vec![1, 2, 3])])),
        "a.parquet: row 3 of the column \"source\": expected an id from 0 on, got -3\nhelp: ids are whole numbers from 0 \
         on, or texts; renumber them"
    );
    let schema = "optional int64 source; required int64 target;";
    let columns = |v: Vec<i64>, levels| vec![Nullable(v, levels), I64(vec![1, 2, 3])];
    assert_eq!(arcs(&read("a.parquet", plain(schema, columns(vec![2, 3, 1], vec![1, 1, 1])))).len(), 3);
    let groups = [columns(vec![1, 1, 1], vec![1, 1, 1]), columns(vec![1, 1], vec![1, 0, 1])];
    assert_eq!(
        fails("a.parquet", write(schema, &groups, WriterProperties::builder().build())),
        "a.parquet: row 5 of the column \"source\": expected a value, got null\nhelp: drop such rows, e.g. with pandas: \
         table.dropna()"
    );
    assert_eq!(
        line(beside("required double w;", F64(vec![1.0, f64::NAN]))),
        "a.parquet: row 2 of the column \"w\": expected a finite weight, got NaN"
    );
    assert_eq!(
        line(beside("required float w;", F32(vec![f32::NEG_INFINITY, 1.0]))),
        "a.parquet: row 1 of the column \"w\": expected a finite weight, got -inf"
    );
    assert_eq!(
        line(beside("required int64 w;", I64(vec![0, i64::MAX]))),
        "a.parquet: row 2 of the column \"w\": expected a whole weight of at most 2^53, which decimals hold exactly, got \
         9223372036854775807"
    );
    let latin = plain(
        "required binary u; required binary v;",
        vec![Text(vec!["a", "b"]), Bytes(vec![b"x".to_vec(), vec![0xe9]])],
    );
    assert_eq!(
        line(latin),
        "a.parquet: row 2 of the column \"v\": expected a name in UTF-8, got \"\u{fffd}\""
    );
}

#[test]
fn columns_that_cannot_be_are_refused_with_a_way_out() {
    assert_eq!(
        fails("a.parquet", plain("required int64 a;", vec![I64(vec![1])])),
        "a.parquet: an edge list needs two columns, the file has 1\nhelp: name them source and target"
    );
    let line = |data: Vec<u8>| first_line(fails("a.parquet", data));
    assert_eq!(
        line(plain("required double u; required double v;", vec![F64(vec![1.0]), F64(vec![1.0])])),
        "a.parquet: the column \"u\" has values of type DOUBLE, expected ids: whole numbers or texts"
    );
    assert_eq!(
        line(plain("required int32 u (DATE); required int64 v;", vec![I32(vec![1]), I64(vec![1])])),
        "a.parquet: the column \"u\" of sources has values of type INT32 (DATE)"
    );
    assert_eq!(
        line(beside("required binary w (UTF8);", Text(vec!["heavy", "light"]))),
        "a.parquet: the column \"w\" has values of type BYTE_ARRAY (UTF8), expected weights: numbers"
    );
    let nested = "required group edge { required int64 source; required int64 target; }";
    assert_eq!(
        line(plain(nested, vec![I64(vec![1]), I64(vec![2])])),
        "a.parquet: the column \"edge.source\" of sources has values of type INT64, nested"
    );
}

#[test]
fn options_override_direction_vertices_and_merging() {
    let data = plain(IDS, vec![I64(vec![1, 2, 2]), I64(vec![2, 1, 2])]);
    let undirected = ReadOptions { directed: Some(false), ..Default::default() };
    let graph = read_with("a.parquet", data.clone(), &undirected).unwrap();
    assert_eq!((graph.edges(), graph.is_directed(), graph.origin().merged), (2, false, 1));
    let all = ReadOptions { vertices: Some(4), ..Default::default() };
    let graph = read_with("a.parquet", data.clone(), &all).unwrap();
    assert_eq!((graph.ids().describe().as_str(), graph.counts().isolated), ("ids 0 to 3", 2));
    let few = ReadOptions { vertices: Some(2), ..Default::default() };
    assert_eq!(
        first_line(fails_with("a.parquet", data, &few)),
        "a.parquet: row 1 of the column \"target\": expected a vertex id from 0 to below 2, got 2"
    );
}

#[test]
fn an_empty_file_is_an_empty_graph_with_a_warning() {
    for data in
        [plain(IDS, vec![I64(vec![]), I64(vec![])]), write(IDS, &[], WriterProperties::builder().build())]
    {
        let graph = read("a.parquet", data);
        assert_eq!((graph.vertices(), graph.arcs()), (0, 0));
        assert_eq!(graph.origin().warnings, ["the file has no edges"]);
    }
}

/// Many rows in several groups and pages, the same whatever the encoding and compression.
#[test]
fn large_files_keep_every_row_in_every_form() {
    let rows = 40_000i64;
    let group = |from: i64, text: bool| {
        let id = |i: i64| (i * 7919) % 30_011;
        let (sources, targets): (Vec<i64>, Vec<i64>) =
            (from..from + rows).map(|i| (id(i), id(i + 1))).unzip();
        let weights = (from..from + rows).map(|i| i as i32 - 9).collect();
        let bytes = |ids: &[i64]| Bytes(ids.iter().map(|i| format!("v{i:05}").into_bytes()).collect());
        match text {
            true => vec![bytes(&sources), bytes(&targets), I32(weights)],
            false => vec![I64(sources), I64(targets), I32(weights)],
        }
    };
    let mut expected = None;
    for text in [false, true] {
        let groups: Vec<_> = (0..3).map(|g| group(g * rows, text)).collect();
        let kind = if text { "binary" } else { "int64" };
        let schema = format!("required {kind} u; required {kind} v; required int32 w;");
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY] {
                for dictionary in [false, true] {
                    let properties = WriterProperties::builder()
                        .set_writer_version(version)
                        .set_compression(compression)
                        .set_dictionary_enabled(dictionary)
                        .set_data_page_row_count_limit(7000)
                        .set_write_batch_size(1000)
                        .build();
                    let graph = read("a.parquet", write(&schema, &groups, properties));
                    let arcs = arcs(&graph);
                    assert_eq!((graph.vertices(), graph.origin().listed), (30_011, 120_000));
                    assert_eq!(
                        expected.get_or_insert_with(|| arcs.clone()),
                        &arcs,
                        "{version:?} {compression}"
                    );
                }
            }
        }
    }
}

#[test]
fn ids_far_beyond_the_number_of_rows_are_read_again() {
    let data = plain(IDS, vec![I64(vec![1 << 60, 5]), I64(vec![5, 1 << 50])]);
    let graph = read("a.parquet", data);
    assert_eq!(graph.ids().describe(), format!("3 ids from 5 to {}", 1u64 << 60));
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (2, 0, 1.0)]);
}

#[test]
fn reading_can_be_stopped() {
    let data = plain(IDS, vec![I64((0..100_000).collect()), I64((0..100_000).collect())]);
    let control = Control::new();
    let stop = control.clone();
    let watched = control.with_progress(move |_| stop.cancel());
    let input = Input::from_bytes("a.parquet", data);
    assert_eq!(format::read(input, &ReadOptions::default(), &watched).unwrap_err().kind(), "interrupted");
}

#[test]
fn files_that_are_damaged_are_refused() {
    let whole = plain(IDS, vec![I64(vec![1, 2]), I64(vec![2, 3])]);
    for end in 0..whole.len() {
        let options = ReadOptions { format: Some(Format::Parquet), ..Default::default() };
        assert!(fails_with("a.parquet", &whole[..end], &options).starts_with("a.parquet: "), "{end}");
    }
    let line = |data: Vec<u8>| first_line(fails("a.parquet", data));
    let tail = whole.len() - 8;
    let mut long = whole.clone();
    long[tail..tail + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(line(long).starts_with(
        "a.parquet: the description at the end promises 4294967295 bytes, the file has room for "
    ));
    let mut encrypted = whole.clone();
    encrypted[tail + 4..].copy_from_slice(b"PARE");
    assert_eq!(line(encrypted), "a.parquet: the file is encrypted");
    let mut garbage = whole;
    garbage[tail - 40..tail].fill(0xff);
    assert!(line(garbage).starts_with("a.parquet: the description at the end of the file is damaged"));
}

/// A description whose schema is `depth` groups in each other.
fn deep(depth: usize) -> Vec<u8> {
    let mut footer = vec![0x15, 2, 0x19, 0xfc];
    let mut count = depth + 1;
    while count > 127 {
        footer.push((count & 127) as u8 | 128);
        count >>= 7;
    }
    footer.push(count as u8);
    for _ in 0..depth {
        // repetition required, a name of one letter, one child
        footer.extend([0x35, 0, 0x18, 1, b'a', 0x15, 2, 0]);
    }
    footer.extend([0x15, 4, 0x25, 0, 0x18, 1, b'a', 0]);
    footer.extend([0x16, 0, 0x19, 0x0c, 0]);
    let len = (footer.len() as u32).to_le_bytes();
    [b"PAR1", &footer[..], &len, b"PAR1"].concat()
}

#[test]
fn a_schema_that_is_too_deep_does_not_exhaust_the_stack() {
    assert_eq!(
        first_line(fails("a.parquet", deep(300_000))),
        "a.parquet: columns are nested more than 64 deep"
    );
    assert!(
        fails("a.parquet", deep(10)).starts_with("a.parquet: an edge list needs two columns, the file has 1")
    );
}

/// The answer may be an error, or a graph where the byte did not matter or the values are others now; never a panic that
/// gets out, and never gigabytes.
#[test]
fn every_flipped_byte_is_survived() {
    let rows: Vec<i64> = (0..200).collect();
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_compression(Compression::SNAPPY)
        .set_data_page_row_count_limit(50)
        .set_write_batch_size(10)
        .build();
    let own = write(IDS, &[vec![I64(rows.clone()), I64(rows)]], properties);
    for whole in [
        &own[..],
        include_bytes!("data/pyarrow-snappy.parquet"),
        include_bytes!("data/pyarrow-gzip-delta.parquet"),
        include_bytes!("data/polars-zstd.parquet"),
        include_bytes!("data/pandas.parquet"),
    ] {
        for at in 4..whole.len() - 4 {
            for change in [0x01, 0x10, 0x80, 0xff] {
                let mut data = whole.to_vec();
                data[at] ^= change;
                if let Err(error) = read_with("a.parquet", data, &ReadOptions::default()) {
                    assert!(["format", "too-large"].contains(&error.kind()), "{at}: {error}");
                }
            }
        }
    }
}

#[test]
fn columns_of_unknown_meaning_are_an_error_unless_the_caller_says_them() {
    let schema = "required int64 a; required int64 b; required int64 c;";
    let data = plain(schema, vec![I64(vec![1]), I64(vec![2]), I64(vec![3])]);
    let error = fails("a.parquet", data.clone());
    assert!(
        error.starts_with(
            "a.parquet: 3 columns, and their names do not say which are the source and target: the columns are \
             \"a\", \"b\", \"c\"\n"
        ) && error.contains("--columns src=1,dst=2,weight=3"),
        "{error}"
    );
    let options = ReadOptions { columns: "src=C,dst=1".parse().unwrap(), ..ReadOptions::default() };
    let graph = read_with("a.parquet", data, &options).unwrap();
    assert_eq!((graph.ids().id(1), arcs(&graph)), (3.into(), vec![(1, 0, 1.0)]));
    assert_eq!(
        (&graph.origin().columns[..], &graph.origin().ignored[..]),
        (&["c".into(), "a".into()][..], &["b".into()][..])
    );
}

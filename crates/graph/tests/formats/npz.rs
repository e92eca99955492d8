use super::{arcs, fails, fails_with, read, read_with};
use flate2::{Compression, Crc, write::DeflateEncoder};
use std::io::Write;
use warpgraph_graph::{
    ReadOptions, WeightType,
    build::{Loops, Parallel},
};

/// One NumPy array as a file.
pub(super) fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

fn bytes<const N: usize, T: Copy>(numbers: &[T], le: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    numbers.iter().flat_map(|&n| le(n)).collect()
}

fn i4(numbers: &[i32]) -> Vec<u8> {
    npy("<i4", &format!("({},)", numbers.len()), &bytes(numbers, i32::to_le_bytes))
}

fn i8(numbers: &[i64]) -> Vec<u8> {
    npy("<i8", &format!("({},)", numbers.len()), &bytes(numbers, i64::to_le_bytes))
}

fn f8(numbers: &[f64]) -> Vec<u8> {
    npy("<f8", &format!("({},)", numbers.len()), &bytes(numbers, f64::to_le_bytes))
}

/// A ZIP archive; sizes of 64 bits where asked for.
pub(super) fn zip(members: &[(&str, Vec<u8>)], deflate: bool, wide: bool) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in members {
        let name = format!("{name}.npy");
        let mut packed = data.clone();
        if deflate {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(data).unwrap();
            packed = encoder.finish().unwrap();
        }
        let mut crc = Crc::new();
        crc.update(data);
        let (size, len, start) = (data.len() as u64, packed.len() as u64, file.len() as u64);
        let field = |value: u64| if wide { u32::MAX.to_le_bytes() } else { (value as u32).to_le_bytes() };
        let mut about = vec![45, 0, 0, 0, if deflate { 8 } else { 0 }, 0, 0, 0, 0, 0];
        about.extend(crc.sum().to_le_bytes());
        about.extend(field(len));
        about.extend(field(size));
        about.extend((name.len() as u16).to_le_bytes());
        // A member's own extra field may differ from the one in the directory.
        file.extend(
            [b"PK\x03\x04", &about[..], &[5, 0], name.as_bytes(), &[9, 9, 1, 0, 7], &packed].concat(),
        );
        let mut extra = vec![9, 9, 1, 0, 7];
        if wide {
            extra.extend([1, 0, 24, 0]);
            [size, len, start].iter().for_each(|n| extra.extend(n.to_le_bytes()));
        }
        directory.extend([b"PK\x01\x02", &[45, 0][..], &about].concat());
        directory.extend((extra.len() as u16).to_le_bytes());
        directory.extend([0; 10]);
        directory.extend(field(start));
        directory.extend([name.as_bytes(), &extra].concat());
    }
    let (start, len) = (file.len() as u64, directory.len() as u64);
    file.extend(directory);
    let count = members.len() as u64;
    if wide {
        let end = file.len() as u64;
        file.extend(
            [b"PK\x06\x06", &44u64.to_le_bytes()[..], &[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]].concat(),
        );
        [count, count, len, start].iter().for_each(|n| file.extend(n.to_le_bytes()));
        file.extend([b"PK\x06\x07", &[0; 4][..], &end.to_le_bytes(), &[1, 0, 0, 0]].concat());
    }
    let field = |value: u64| if wide { u32::MAX.to_le_bytes() } else { (value as u32).to_le_bytes() };
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend((count as u16).to_le_bytes());
    file.extend((count as u16).to_le_bytes());
    file.extend([field(len), field(start)].concat());
    file.extend([3, 0, b'e', b'n', b'd']);
    file
}

type Members = Vec<(&'static str, Vec<u8>)>;

fn form(name: &str) -> (&'static str, Vec<u8>) {
    ("format", npy(&format!("|S{}", name.len()), "()", name.as_bytes()))
}

/// A 3 x 3 matrix in rows, or in columns: 0-1 and 0-2, 2-0.
fn compressed(name: &str, data: Vec<u8>) -> Members {
    vec![
        form(name),
        ("shape", i8(&[3, 3])),
        ("indptr", i4(&[0, 2, 2, 3])),
        ("indices", i4(&[1, 2, 0])),
        ("data", data),
    ]
}

fn coordinates(rows: &[i64], columns: &[i64], data: &[f64]) -> Members {
    vec![form("coo"), ("shape", i8(&[3, 3])), ("row", i8(rows)), ("col", i8(columns)), ("data", f8(data))]
}

fn file(members: &Members) -> Vec<u8> {
    zip(members, true, false)
}

/// The matrix with one member replaced.
fn with(mut members: Members, name: &str, data: Vec<u8>) -> Vec<u8> {
    members.iter_mut().find(|m| m.0 == name).unwrap().1 = data;
    file(&members)
}

fn first_line(text: String) -> String {
    text.lines().next().unwrap().to_owned()
}

#[test]
fn files_of_scipy_are_read() {
    let graph = read("a.npz", *include_bytes!("data/scipy-csr.npz"));
    assert_eq!(arcs(&graph), [(0, 1, 5.0), (1, 3, 7.0), (3, 0, 2.0)]);
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::U32));
    let graph = read("told-by-content", *include_bytes!("data/scipy-coo.npz"));
    assert_eq!(arcs(&graph), [(0, 1, 2.5), (2, 0, 0.5)]);
    assert_eq!((graph.origin().format.as_str(), graph.origin().listed), ("npz", 2));
}

#[test]
fn rows_columns_and_coordinates_are_directed_edges_numbered_from_0() {
    for (deflate, wide) in [(false, false), (true, false), (false, true), (true, true)] {
        let read = |members: Members| read("a.npz", zip(&members, deflate, wide));
        let graph = read(compressed("csr", i4(&[5, 6, 7])));
        assert_eq!(arcs(&graph), [(0, 1, 5.0), (0, 2, 6.0), (2, 0, 7.0)]);
        assert!(graph.is_directed());
        assert_eq!(graph.ids().describe(), "ids 0 to 2");
        let graph = read(compressed("csc", i4(&[5, 6, 7])));
        assert_eq!(arcs(&graph), [(0, 2, 7.0), (1, 0, 5.0), (2, 0, 6.0)]);
        let graph = read(coordinates(&[2, 0, 0], &[0, 2, 1], &[7.0, 6.0, 5.0]));
        assert_eq!(arcs(&graph), [(0, 1, 5.0), (0, 2, 6.0), (2, 0, 7.0)]);
    }
}

#[test]
fn the_form_may_be_a_text_and_indices_wide() {
    let text: Vec<u8> = "csr".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let mut members = compressed("csr", f8(&[0.0; 3]));
    members[0].1 = npy("<U3", "()", &text);
    members[1].1 = i4(&[3, 3]);
    members[2].1 = i8(&[0, 2, 2, 3]);
    members[3].1 = i8(&[1, 2, 0]);
    assert_eq!(arcs(&read("a.npz", file(&members))), [(0, 1, 0.0), (0, 2, 0.0), (2, 0, 0.0)]);
}

#[test]
fn rows_that_are_unsorted_or_repeat_go_through_the_builder() {
    let unsorted = with(compressed("csr", i4(&[5, 6, 7])), "indices", i4(&[2, 1, 0]));
    assert_eq!(arcs(&read("a.npz", unsorted)), [(0, 1, 6.0), (0, 2, 5.0), (2, 0, 7.0)]);
    let twice = with(compressed("csr", i4(&[5, 6, 7])), "indices", i4(&[1, 1, 0]));
    let graph = read("a.npz", twice.clone());
    assert_eq!((arcs(&graph), graph.origin().merged), (vec![(0, 1, 5.0), (2, 0, 7.0)], 1));
    let sum = ReadOptions { parallel: Parallel::Sum, ..Default::default() };
    assert_eq!(arcs(&read_with("a.npz", twice, &sum).unwrap()), [(0, 1, 11.0), (2, 0, 7.0)]);
}

#[test]
fn options_override_direction_weights_and_loops() {
    for name in ["csr", "csc"] {
        let loops = with(compressed(name, f8(&[0.5, 1.5, 2.5])), "indices", i4(&[0, 2, 0]));
        let with = |options: &ReadOptions| read_with("a.npz", loops.clone(), options).unwrap();
        let graph = with(&ReadOptions { directed: Some(false), ..Default::default() });
        assert_eq!(arcs(&graph), [(0, 0, 0.5), (0, 2, 1.5), (2, 0, 1.5)]);
        assert!(!graph.is_directed());
        assert_eq!(graph.origin().direction_because, "asked for");
        let graph = with(&ReadOptions { loops: Loops::Drop, no_weights: true, ..Default::default() });
        assert_eq!((arcs(&graph), graph.origin().loops_dropped), (vec![(0, 2, 1.0), (2, 0, 1.0)], 1));
        let graph = with(&ReadOptions { narrow_weights: true, ..Default::default() });
        assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F32));
    }
}

#[test]
fn weights_of_every_type_take_the_narrowest_that_holds_them() {
    let typed = |kind: &str, data: Vec<u8>| {
        let graph = read("a.npz", file(&compressed("csr", npy(kind, "(3,)", &data))));
        let weights = &graph.out().weights;
        (weights.weight_type().map(WeightType::name), [0, 1, 2].map(|i| weights.get(i)))
    };
    let u32 = Some("u32");
    assert_eq!(typed("|b1", vec![1, 0, 1]), (None, [1.0; 3]));
    assert_eq!(typed("|u1", vec![1, 0, 255]), (u32, [1.0, 0.0, 255.0]));
    assert_eq!(typed("|i1", vec![1, 0, 255]), (Some("i32"), [1.0, 0.0, -1.0]));
    assert_eq!(typed("<i2", bytes(&[1, 2, -300], i16::to_le_bytes)), (Some("i32"), [1.0, 2.0, -300.0]));
    assert_eq!(typed("<u2", bytes(&[1, 2, 65535], u16::to_le_bytes)), (u32, [1.0, 2.0, 65535.0]));
    let large = f64::from(u32::MAX);
    assert_eq!(typed("<u4", bytes(&[1, 2, u32::MAX], u32::to_le_bytes)), (u32, [1.0, 2.0, large]));
    assert_eq!(typed("<i8", bytes(&[1, 2, 3], i64::to_le_bytes)), (u32, [1.0, 2.0, 3.0]));
    assert_eq!(
        typed("<u8", bytes(&[1, 2, 1 << 53], u64::to_le_bytes)),
        (Some("f64"), [1.0, 2.0, 9007199254740992.0])
    );
    assert_eq!(
        typed("<i8", bytes(&[-1, 1 << 31, 0], i64::to_le_bytes)),
        (Some("f64"), [-1.0, 2147483648.0, 0.0])
    );
    assert_eq!(typed("<f4", bytes(&[0.5, 1.0, -2.0], f32::to_le_bytes)), (Some("f32"), [0.5, 1.0, -2.0]));
    assert_eq!(typed("<f8", bytes(&[0.5, 1.0, -2.0], f64::to_le_bytes)), (Some("f64"), [0.5, 1.0, -2.0]));
}

#[test]
fn weights_that_cannot_be_are_named_with_their_place() {
    let line = |kind: &str, data: Vec<u8>| {
        first_line(fails("a.npz", file(&compressed("csr", npy(kind, "(3,)", &data)))))
    };
    assert_eq!(line("<c16", vec![0; 48]), "a.npz: data.npy: complex weights are not supported");
    assert_eq!(line("<f2", vec![0; 6]), "a.npz: data.npy: weights of type <f2 are not supported");
    assert_eq!(line(">f8", vec![0; 24]), "a.npz: data.npy: weights of type >f8 are not supported");
    assert_eq!(
        line("<f8", bytes(&[1.0, f64::NAN, 2.0], f64::to_le_bytes)),
        "a.npz: data.npy: weight 1 is NaN, expected a finite number"
    );
    assert_eq!(
        line("<f4", bytes(&[1.0, 2.0, f32::INFINITY], f32::to_le_bytes)),
        "a.npz: data.npy: weight 2 is inf, expected a finite number"
    );
    assert_eq!(
        line("<i8", bytes(&[1, 2, (1 << 53) + 1], i64::to_le_bytes)),
        "a.npz: data.npy: weight 2 is 9007199254740993, decimals hold whole numbers up to 2^53 only"
    );
}

#[test]
fn an_empty_matrix_is_an_empty_graph() {
    let none: [i32; 0] = [];
    let members = vec![
        form("csr"),
        ("shape", i8(&[0, 0])),
        ("indptr", i4(&[0])),
        ("indices", i4(&none)),
        ("data", i4(&none)),
    ];
    let graph = read("a.npz", file(&members));
    assert_eq!((graph.vertices(), graph.arcs()), (0, 0));
    assert_eq!(read("a.npz", file(&coordinates(&[], &[], &[]))).vertices(), 3);
}

#[test]
fn matrices_that_are_no_graph_are_refused_with_a_way_out() {
    assert_eq!(
        fails("a.npz", with(compressed("csr", i4(&[1; 3])), "shape", i8(&[3, 4]))),
        "a.npz: the matrix has 3 rows and 4 columns; only a square one is a graph\nhelp: a bipartite graph needs one \
         numbering for both sides: add the row count to the columns"
    );
    assert_eq!(
        fails("a.npz", file(&vec![form("dia"), ("shape", i8(&[3, 3]))])),
        "a.npz: a sparse matrix in the form \"dia\", expected csr, csc or coo\nhelp: convert it first: \
         scipy.sparse.save_npz(\"out.npz\", a.tocsr())"
    );
    assert_eq!(
        fails("a.npz", file(&vec![form("csr"), ("shape", i8(&[3, 3]))])),
        "a.npz: indptr.npy is missing; the archive has \"format.npy\", \"shape.npy\"\nhelp: write the file with \
         scipy.sparse.save_npz"
    );
    assert_eq!(
        fails("a.npz", file(&vec![("x", i4(&[1]))])).lines().next().unwrap(),
        "a.npz: format.npy is missing; the archive has \"x.npy\""
    );
    assert_eq!(
        first_line(fails("a.zip", file(&vec![("x", i4(&[1]))]))),
        "a.zip: this is a ZIP archive, but no sparse matrix as scipy.sparse.save_npz writes it"
    );
    let huge = with(compressed("csr", i4(&[1; 3])), "shape", i8(&[i64::MAX, i64::MAX]));
    assert!(fails("a.npz", huge).contains("needs vertex numbers beyond 32 bits"));
    let options = ReadOptions { format: Some("npz".parse().unwrap()), ..Default::default() };
    assert!(
        fails_with("a.npz", "1 2\n", &options)
            .starts_with("a.npz: the ZIP archive has no directory at its end")
    );
}

#[test]
fn arrays_that_contradict_each_other_are_refused() {
    let line = |name: &str, data: Vec<u8>| {
        first_line(fails("a.npz", with(compressed("csr", i4(&[1; 3])), name, data)))
    };
    assert_eq!(
        line("shape", i8(&[3])),
        "a.npz: shape.npy: expected two whole numbers, the rows and columns of a matrix"
    );
    assert_eq!(
        line("shape", i8(&[-3, -3])),
        "a.npz: shape.npy: expected two whole numbers, the rows and columns of a matrix"
    );
    assert_eq!(line("shape", i8(&[4, 4])), "a.npz: indptr.npy: 4 offsets for 4 rows");
    assert_eq!(
        line("indptr", i4(&[0, 2, 1, 3])),
        "a.npz: indptr.npy: offset 2 is smaller than the one before it"
    );
    assert_eq!(line("indptr", i4(&[0, 2, -1, 3])), "a.npz: indptr.npy: offset 2 is -1, expected 0 to 3");
    assert_eq!(
        line("indptr", i4(&[1, 2, 2, 3])),
        "a.npz: indptr.npy: offsets run from 1 to 3, expected 0 to 3"
    );
    assert_eq!(
        line("indptr", i4(&[0, 2, 2, 2])),
        "a.npz: indptr.npy: offsets run from 0 to 2, expected 0 to 3"
    );
    assert_eq!(line("indices", i4(&[1, 3, 0])), "a.npz: indices.npy: index 1 is 3, expected 0 to 2");
    assert_eq!(line("indices", i8(&[1, 2, -1])), "a.npz: indices.npy: index 2 is -1, expected 0 to 2");
    assert_eq!(
        line("indices", f8(&[1.0, 2.0, 0.0])),
        "a.npz: indices.npy: expected indices of type <i4 or <i8, got <f8"
    );
    assert_eq!(line("data", i4(&[1, 2])), "a.npz: data.npy: 2 values for 3 entries");
    assert_eq!(
        line("data", npy("<i4", "(3, 1)", &[0; 12])),
        "a.npz: data.npy: expected an array with one dimension, got shape [3, 1]"
    );
    assert_eq!(
        line("data", npy("<i4", "(3,)", &[0; 11])),
        "a.npz: data.npy: 11 bytes for an array of type <i4 and shape [3]"
    );
    assert_eq!(
        line("data", npy("<i4", "(18446744073709551615,)", &[0; 12])),
        "a.npz: data.npy: 12 bytes for an array of type <i4 and shape [18446744073709551615]"
    );
    assert!(line("data", npy("|O", "(3,)", &[0; 12])).contains("12 bytes for an array of type |O"));
    assert!(line("data", b"no array".to_vec()).starts_with("a.npz: data.npy: this is no NumPy array"));
    let structured = npy("x", "(3,)", &[0; 12]);
    let structured = String::from_utf8_lossy(&structured).replace("'x'", "[('a', '<i4')]");
    assert!(!line("data", structured.into_bytes()).is_empty());
    let line = |rows: &[i64], columns: &[i64]| {
        first_line(fails("a.npz", file(&coordinates(rows, columns, &[1.0, 2.0]))))
    };
    assert_eq!(line(&[0, 1, 2], &[0, 1]), "a.npz: row.npy: 3 rows for 2 columns");
    assert_eq!(line(&[0, 3], &[0, 1]), "a.npz: row.npy: index 1 is 3, expected 0 to 2");
    assert_eq!(line(&[0, 1], &[0, -7]), "a.npz: col.npy: index 1 is -7, expected 0 to 2");
}

#[test]
fn archives_that_are_damaged_are_refused() {
    let whole = file(&compressed("csr", i4(&[1; 3])));
    for end in 0..whole.len() {
        assert!(!fails("a.npz", &whole[..end]).is_empty(), "{end}");
    }
    let stored = zip(&compressed("csr", i4(&[1; 3])), false, false);
    let mut bad = stored.clone();
    let at = stored.len() / 2;
    bad[at] ^= 1;
    let line = first_line(fails("a.npz", bad));
    assert!(line.contains(": its checksum is ") || line.contains("ZIP directory"), "{line}");
    let mut bomb = whole.clone();
    // The unpacked size of the last entry of the directory.
    let entry = bomb.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    bomb[entry + 24..entry + 28].copy_from_slice(&0xffff_fff0u32.to_le_bytes());
    assert!(fails("a.npz", bomb).contains(" bytes cannot unpack to 4294967280"));
    let mut longer = whole.clone();
    longer[entry + 24] += 1;
    assert!(fails("a.npz", longer).contains("the data end or are damaged after "));
    let mut encrypted = whole.clone();
    encrypted[entry + 8] |= 1;
    assert!(fails("a.npz", encrypted).starts_with("a.npz: data.npy: it is encrypted"));
    let mut method = whole;
    method[entry + 10] = 14;
    assert!(fails("a.npz", method).contains("compression method 14, expected 0 or 8 (deflate)"));
}

#[test]
fn vertices_that_the_file_does_not_back_are_refused() {
    let file = with(coordinates(&[2, 0], &[0, 1], &[7.0, 6.0]), "shape", i8(&[1_000_000_000; 2]));
    let error = fails("a.npz", file);
    assert!(error.starts_with("a.npz: 1000000000 vertices in a file of "), "{error}");
}

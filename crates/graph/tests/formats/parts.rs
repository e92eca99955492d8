//! Several files as one graph: folders, patterns and lists.

use super::{
    arcs,
    parquet::{IDS, Values, plain},
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use warpgraph_graph::{Error, Graph, Preview, ReadOptions};

/// A folder with these files; a name may contain folders.
fn folder(files: &[(&str, Vec<u8>)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, data) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, data).unwrap();
    }
    folder
}

fn edges(sources: Vec<i64>, targets: Vec<i64>) -> Vec<u8> {
    plain(IDS, vec![Values::I64(sources), Values::I64(targets)])
}

fn names(sources: Vec<&'static str>, targets: Vec<&'static str>) -> Vec<u8> {
    let schema = "required binary source (UTF8); required binary target (UTF8);";
    plain(schema, vec![Values::Text(sources), Values::Text(targets)])
}

fn fails(path: impl AsRef<Path>, folder: &TempDir) -> String {
    let error: Error = Graph::open(path).unwrap_err();
    let text = format!("{error}\nhelp: {}", error.help().unwrap());
    text.replace(&format!("{}/", folder.path().display()), "")
        .replace(&folder.path().display().to_string(), ".")
}

#[test]
fn a_folder_of_parquet_files_is_one_graph() {
    let folder = folder(&[
        ("part-0.parquet", edges(vec![1, 2], vec![2, 3])),
        ("year=2024/part-1.parquet", edges(vec![3], vec![9])),
        ("_SUCCESS", Vec::new()),
        (".part-0.parquet.crc", vec![0, 1]),
        ("_delta_log/0.json", b"{}".to_vec()),
    ]);
    let graph = Graph::open(folder.path()).unwrap();
    assert_eq!((graph.vertices(), graph.origin().listed), (4, 3));
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)]);
    assert_eq!(graph.ids().id(3), 9.into());
    assert_eq!(graph.origin().name, folder.path().display().to_string());
}

#[test]
fn patterns_and_lists_name_the_files_of_a_graph() {
    let folder = folder(&[
        ("a-1.parquet", names(vec!["x", "y"], vec!["y", "z"])),
        ("a-2.parquet", names(vec!["z"], vec!["x"])),
        ("b.parquet", names(vec!["q"], vec!["r"])),
        ("list.txt", b"# two parts\na-1.parquet\n\n  b.parquet\r\n".to_vec()),
    ]);
    let pattern = Graph::open(folder.path().join("a-*.parquet")).unwrap();
    assert_eq!((pattern.vertices(), pattern.arcs()), (3, 3));
    let list = PathBuf::from(format!("@{}", folder.path().join("list.txt").display()));
    let listed = Graph::open(list).unwrap();
    assert_eq!((listed.vertices(), listed.arcs()), (5, 3));
}

#[test]
fn ids_far_apart_and_many_parts_are_numbered_as_in_one_file() {
    let part =
        |i: i64| (format!("{i:02}.parquet"), edges(vec![i * 1_000_000_007], vec![(i + 1) * 1_000_000_007]));
    let parts: Vec<(String, Vec<u8>)> = (0..64).map(part).collect();
    let parts: Vec<(&str, Vec<u8>)> = parts.iter().map(|(name, data)| (&name[..], data.clone())).collect();
    let graph = Graph::open(folder(&parts).path()).unwrap();
    assert_eq!((graph.vertices(), graph.arcs()), (65, 64));
    assert!(arcs(&graph).iter().all(|&(u, v, _)| v == u + 1));
}

#[test]
fn parts_that_do_not_belong_together_are_named() {
    let numbers = ("0.parquet", edges(vec![1], vec![2]));
    let other =
        plain("required int64 a; required int64 b;", vec![Values::I64(vec![1]), Values::I64(vec![2])]);
    let weighted = plain(
        &format!("{IDS} required double weight;"),
        vec![Values::I64(vec![1]), Values::I64(vec![2]), Values::F64(vec![0.5])],
    );
    let cases: [(&str, Vec<u8>, &str); 5] = [
        (
            "1.parquet",
            names(vec!["a"], vec!["b"]),
            "1.parquet: the column \"source\" has values of type BYTE_ARRAY (UTF8), but INT64 in 0.parquet",
        ),
        ("1.parquet", other, "1.parquet: the column \"a\", but it is \"source\" in 0.parquet"),
        ("1.parquet", weighted, "1.parquet: there are weights, but none in 0.parquet"),
        ("1.csv", b"1,2\n".to_vec(), ".: 0.parquet and 1.csv have different endings"),
        (
            "1.parquet",
            b"1,2\n".to_vec(),
            "1.parquet: a Parquet file starts and ends with PAR1, this one does not",
        ),
    ];
    for (name, data, expected) in cases {
        let folder = folder(&[numbers.clone(), (name, data)]);
        let text = fails(folder.path(), &folder);
        assert!(text.starts_with(expected) && text.contains("help: "), "{text}");
    }
    let folder = folder(&[("0.dat", edges(vec![1], vec![2])), ("1.dat", b"1,2\n".to_vec())]);
    let text = fails(folder.path(), &folder);
    assert!(text.starts_with("1.dat: the format is edge-list, but parquet in 0.dat"), "{text}");
}

#[test]
fn a_folder_of_text_files_is_one_graph() {
    let packed = |text: &str| {
        use std::io::Write as _;
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(text.as_bytes()).unwrap();
        out.finish().unwrap()
    };
    // Each part has its own header, as Spark writes it; the columns are not in order, and one part has no rows.
    let folder = folder(&[
        ("part-0.csv.gz", packed("dst,src,weight\n2,1,0.5\n3,2,1\n")),
        ("part-1.csv.gz", packed("dst,src,weight\n9,3,4\n")),
        ("part-2.csv.gz", packed("dst,src,weight\n")),
        ("part-3.csv.gz", packed("")),
    ]);
    let graph = Graph::open(folder.path()).unwrap();
    assert_eq!(arcs(&graph), [(0, 1, 0.5), (1, 2, 1.0), (2, 3, 4.0)]);
    assert_eq!((graph.ids().id(3), graph.origin().listed), (9.into(), 3));
    assert_eq!(graph.origin().header.as_deref(), Some("dst,src,weight"));
}

#[test]
fn names_in_one_part_make_all_ids_names() {
    let folder = folder(&[("a.txt", b"1 2\n2 10\n".to_vec()), ("b.txt", b"x 1\n".to_vec())]);
    let graph = Graph::open(folder.path()).unwrap();
    let ids: Vec<String> = (0..4).map(|v| graph.ids().id(v).to_string()).collect();
    assert_eq!((ids, graph.arcs()), (["1", "10", "2", "x"].map(str::to_owned).to_vec(), 3));
}

#[test]
fn text_parts_that_disagree_are_named() {
    let cases = [
        ("src,dst\n1,2\n", "dst,src\n1,2\n", "1.csv: the columns dst,src, but the columns src,dst in 0.csv"),
        ("1,2\n", "1,2,5\n", "1.csv: 3 columns with weights, but 2 columns without weights in 0.csv"),
        ("# Undirected graph\n1 2\n", "# Directed graph\n1 2\n", "1.csv: directed, but undirected in 0.csv"),
        ("1,2\n", "3,4\n5;\n", "1.csv:2:3: expected a target id"),
    ];
    for (first, second, expected) in cases {
        let folder = folder(&[("0.csv", first.into()), ("1.csv", second.into())]);
        let text = fails(folder.path(), &folder);
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn nothing_to_read_is_an_error_that_says_so() {
    let empty = folder(&[("_SUCCESS", Vec::new())]);
    assert!(fails(empty.path(), &empty).starts_with(".: the folder has no files\nhelp: check the path"));
    let missing = empty.path().join("*.csv");
    assert!(fails(missing, &empty).starts_with("*.csv: no file matches the pattern"));
    let matrices = folder(&[
        ("a.mtx", b"%%MatrixMarket matrix coordinate pattern general\n1 1 0\n".to_vec()),
        ("b.mtx", b"%%MatrixMarket matrix coordinate pattern general\n1 1 0\n".to_vec()),
    ]);
    let text = fails(matrices.path(), &matrices);
    assert!(
        text.starts_with(".: 2 files of the format matrix-market, expected one\nhelp: only edge lists"),
        "{text}"
    );
    let list = PathBuf::from(format!("@{}", empty.path().join("list.txt").display()));
    assert!(fails(list, &empty).starts_with("list.txt: cannot read: No such file"));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_back_ends() {
    let folder = folder(&[("0.parquet", edges(vec![1], vec![2]))]);
    std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
    assert!(fails(folder.path(), &folder).contains("more than 16 folders within each other"));
}

#[test]
fn a_name_with_wildcards_is_a_file_if_there_is_one() {
    let folder = folder(&[("a[1].csv", b"1,2\n".to_vec())]);
    assert_eq!(Graph::open(folder.path().join("a[1].csv")).unwrap().arcs(), 1);
}

#[test]
fn a_preview_of_parts_grows_with_their_sizes() {
    let text: String = (0..1000).map(|i| format!("{i},{}\n", i + 1)).collect();
    let folder = folder(&[("0.csv", text.clone().into_bytes()), ("1.csv", text.into_bytes())]);
    let preview = Preview::of(folder.path(), &ReadOptions::default()).unwrap();
    assert!((1900..2100).contains(&preview.arcs) && !preview.exact, "{preview:?}");
}

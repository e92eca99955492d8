//! Tables of vertices beside the edges.

use super::{
    arcs,
    parquet::{Values, plain},
};
use std::fs;
use warpgraph_graph::{Control, Error, Graph, ReadOptions};

/// Reads these edges with this vertex table, in files of these names.
fn read(edges: (&str, &str), table: (&str, Vec<u8>)) -> Result<Graph, Error> {
    let folder = tempfile::tempdir().unwrap();
    let (edges_at, table_at) = (folder.path().join(edges.0), folder.path().join(table.0));
    fs::write(&edges_at, edges.1).unwrap();
    fs::write(&table_at, table.1).unwrap();
    let options = ReadOptions { vertex_table: Some(table_at), ..ReadOptions::default() };
    Graph::open_with(edges_at, &options, &Control::new())
}

fn ids(graph: &Graph) -> Vec<String> {
    (0..graph.vertices() as u32).map(|v| graph.ids().id(v).to_string()).collect()
}

fn labels(graph: &Graph) -> Vec<&str> {
    let labels = graph.labels().unwrap();
    (0..graph.vertices() as u32).map(|v| labels.get(v)).collect()
}

#[test]
fn isolated_vertices_and_labels_come_from_the_table() {
    let table = "id,label\n7,seven\n3,\"three, or so\"\n5,\n100,far\n1,one\n";
    let graph = read(("e.csv", "src,dst,weight\n3,1,0.5\n7,3,2\n"), ("v.csv", table.into())).unwrap();
    assert_eq!(ids(&graph), ["1", "3", "5", "7", "100"]);
    assert_eq!(labels(&graph), ["one", "three, or so", "", "seven", "far"]);
    assert_eq!(arcs(&graph), [(1, 0, 0.5), (3, 1, 2.0)]);
    assert_eq!(graph.counts().isolated, 2);
}

#[test]
fn names_numbers_and_ranges_keep_their_kind() {
    let cases: [(&str, &str, &[&str], &str); 5] = [
        ("b a\n", "name\na\nb\nc\n", &["a", "b", "c"], "names"),
        // The table has a name, so the ids of the edges are names too.
        ("1 2\n", "10\nx\n2\n1\n", &["1", "10", "2", "x"], "names"),
        ("0 2\n", "0\n1\n2\n3\n", &["0", "1", "2", "3"], "range"),
        ("5 9\n", "9\n5\n", &["5", "9"], "numbers"),
        ("", "4\n6\n", &["4", "6"], "numbers"),
    ];
    for (edges, table, expected, kind) in cases {
        let graph = read(("e.txt", edges), ("v.txt", table.into())).unwrap();
        assert_eq!(
            (ids(&graph), graph.ids().kind()),
            (expected.iter().map(|s| s.to_string()).collect(), kind)
        );
        assert!(graph.labels().is_none(), "{table}");
    }
}

#[test]
fn columns_are_chosen_by_their_names() {
    let cases: [(&str, &[&str], usize); 4] = [
        ("name;age;personId:ID\nAda;36;2\nBob;40;1\n", &["Bob", "Ada"], 1),
        ("label\tnode_id\nAda\t2\nBob\t1\n", &["Bob", "Ada"], 0),
        ("2 Ada Lovelace\n1 Bob\n", &["Bob", "Ada Lovelace"], 0),
        ("# people\nid|x\n2|Ada\n1|Bob\n", &["Bob", "Ada"], 0),
    ];
    for (table, expected, warnings) in cases {
        let graph = read(("e.txt", "1 2\n"), ("v.txt", table.into())).unwrap();
        assert_eq!((labels(&graph), ids(&graph)), (expected.to_vec(), vec!["1".to_owned(), "2".to_owned()]));
        assert_eq!(graph.origin().warnings.len(), warnings, "{:?}", graph.origin().warnings);
    }
}

#[test]
fn parquet_tables_are_read_with_nulls_as_empty_labels() {
    let schema = "required int32 id; optional int64 age; optional binary name (UTF8);";
    let columns = vec![
        Values::I32(vec![2, 9, 1]),
        Values::Nullable(vec![36], vec![0, 1, 0]),
        Values::Labels(vec!["Ada", "Bob"], vec![1, 0, 1]),
    ];
    let graph = read(("e.txt", "1 2\n"), ("v.parquet", plain(schema, columns))).unwrap();
    assert_eq!(
        (ids(&graph), labels(&graph)),
        (["1", "2", "9"].map(str::to_owned).to_vec(), vec!["Bob", "Ada", ""])
    );
    assert_eq!(graph.origin().warnings, ["columns of the vertex table that are not read: \"age\""]);
}

#[test]
fn what_does_not_fit_is_named() {
    let fails = |edges: &str, table: &str| {
        let error = read(("e.txt", edges), ("v.txt", table.into())).unwrap_err();
        let text = format!("{error}\nhelp: {}", error.help().unwrap_or_default());
        text.rsplit_once("v.txt").unwrap().1.to_owned()
    };
    let missing = fails("1 2\n2 3\n", "1\n2\n");
    assert!(
        missing.starts_with(": an edge names the vertex 3, which is not in the table\nhelp: add its row"),
        "{missing}"
    );
    assert!(fails("1 2\n", "1\n2\n1\n").starts_with(": the id 1 is there twice"));
    assert!(fails("a b\n", "a\nb\nb\n").starts_with(": the id b is there twice"));
    let empty = fails("1 2\n", "id,label\n,x\n");
    assert!(empty.starts_with(":2:1: expected the id of a vertex, got nothing"), "{empty}");
}

#[test]
fn undirected_graphs_stay_symmetric() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("e.txt"), "1 5\n5 9\n").unwrap();
    fs::write(folder.path().join("v.txt"), "0\n1\n3\n5\n9\n").unwrap();
    let options = ReadOptions {
        directed: Some(false),
        vertex_table: Some(folder.path().join("v.txt")),
        ..ReadOptions::default()
    };
    let graph = Graph::open_with(folder.path().join("e.txt"), &options, &Control::new()).unwrap();
    let checked =
        Graph::new(graph.out().clone(), false, graph.ids().clone(), graph.origin().clone()).unwrap();
    assert_eq!((checked.vertices(), checked.edges()), (5, 2));
    assert_eq!(arcs(&graph), [(1, 3, 1.0), (3, 1, 1.0), (3, 4, 1.0), (4, 3, 1.0)]);
}

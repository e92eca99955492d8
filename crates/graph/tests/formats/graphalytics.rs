//! LDBC Graphalytics: edges, vertices and direction in three files.

use super::arcs;
use warpgraph_graph::{Control, Error, Graph, Input, ReadOptions, build::Loops, format};

const EDGES: &str = "2 30 0.5\n30 4 1.25\n";
const VERTICES: &str = "1\n2\n4\n30\n77 a property\n";

fn open(
    edges: &str,
    vertices: &str,
    properties: Option<&str>,
    options: &ReadOptions,
) -> Result<Graph, Error> {
    let input = Input::from_bytes("x.e", edges.into()).with_beside("v", vertices.into());
    let input = match properties {
        Some(properties) => input.with_beside("properties", properties.into()),
        None => input,
    };
    format::read(input, options, &Control::new())
}

fn fails(edges: &str, vertices: &str, properties: Option<&str>) -> String {
    let error = open(edges, vertices, properties, &ReadOptions::default()).unwrap_err();
    format!("{error}\nhelp: {}", error.help().unwrap())
}

#[test]
fn vertices_come_from_the_v_file_and_direction_from_the_properties() {
    let undirected = "graph.x.vertex-file = x.v\ngraph.x.directed = false\n";
    let graph = open(EDGES, VERTICES, Some(undirected), &ReadOptions::default()).unwrap();
    assert_eq!(
        (graph.origin().format.as_str(), graph.is_directed(), graph.vertices()),
        ("graphalytics", false, 5)
    );
    assert_eq!(graph.ids().describe(), "5 ids from 1 to 77");
    assert_eq!(arcs(&graph), [(1, 3, 0.5), (2, 3, 1.25), (3, 1, 0.5), (3, 2, 1.25)]);
    assert_eq!(graph.origin().direction_because, "x.properties says graph.x.directed = false");
    assert_eq!(graph.counts().isolated, 2);
    let graph = open(EDGES, VERTICES, None, &ReadOptions::default()).unwrap();
    assert_eq!(arcs(&graph), [(1, 3, 0.5), (3, 2, 1.25)]);
    let warning = "there is no .properties file beside it: the graph is taken as directed";
    assert_eq!(graph.origin().warnings, [warning]);
}

#[test]
fn a_range_of_vertices_stays_a_range() {
    let options = ReadOptions { no_weights: true, loops: Loops::Drop, ..Default::default() };
    let graph = open("1 2 5\n2 2 6\n", "2\n1\n3\n", Some("graph.x.directed = true"), &options).unwrap();
    assert_eq!((graph.ids().describe().as_str(), arcs(&graph)), ("ids 1 to 3", vec![(0, 1, 1.0)]));
    let graph = open("1 2\n", "1\n2\n", Some("graph.x.directed = true"), &ReadOptions::default()).unwrap();
    assert_eq!((graph.vertices(), graph.arcs()), (2, 1));
    let graph = open("", "5\n9\n", Some("graph.x.directed=true"), &ReadOptions::default()).unwrap();
    assert_eq!((graph.vertices(), graph.arcs()), (2, 0));
}

#[test]
fn large_ids_are_read() {
    let graph =
        open("6597069777240 3\n", "3\n10995116277782\n6597069777240\n", None, &ReadOptions::default())
            .unwrap();
    assert_eq!((graph.vertices(), arcs(&graph)), (3, vec![(1, 0, 1.0)]));
}

#[test]
fn what_contradicts_itself_is_named_with_its_line() {
    assert_eq!(
        fails("2 4\n2 5\n", VERTICES, None),
        "x.e:2:3: the vertex 5 is not listed in x.v\nhelp: add it there, or pass --format edge-list to take the vertices that occur"
    );
    assert_eq!(
        fails("2 4\n", "2\n4\n2\n", None),
        "x.v:3:1: the vertex 2 is listed twice\nhelp: keep one of the lines"
    );
    assert_eq!(
        fails("2 4\n", "2\nfour\n", None),
        "x.v:2:1: expected a vertex id, got \"four\"\nhelp: a .v file has one vertex id per line, a whole number"
    );
    assert_eq!(
        fails("2 4\n", VERTICES, Some("\ngraph.x.directed = maybe\n")),
        "x.properties:2: graph.x.directed is \"maybe\", expected true or false\nhelp: correct the line, or pass --directed or \
         --undirected"
    );
}

#[test]
fn without_a_v_file_it_is_an_edge_list_and_the_v_file_alone_names_the_e_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("x.e"), "1 2\n").unwrap();
    assert_eq!(Graph::open(path("x.e")).unwrap().origin().format, "edge-list");
    std::fs::write(path("x.v"), "1\n2\n3\n").unwrap();
    assert_eq!(Graph::open(path("x.e")).unwrap().vertices(), 3);
    let error = Graph::open(path("x.v")).unwrap_err();
    assert!(
        error.to_string().ends_with("x.v: this is the list of vertices of a Graphalytics graph"),
        "{error}"
    );
    assert!(error.help().unwrap().ends_with("x.e"));
}

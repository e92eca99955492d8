//! Pajek networks: what is read of them, and what is refused by its name.

use super::{arcs, fails, read, read_with};
use warpgraph_graph::{IdKind, ReadOptions};

#[test]
fn labels_are_the_ids_as_in_networkx() {
    let text = "*vertices 4\n1 a 0.0 0.0 ellipse\n2 b 0.0 0.0 ellipse\n3 c 0.0 0.0 ellipse\n4 \"Zoë & Co\" 0.0 0.0 ellipse\n*edges\n1 2 2.5\n2 3 1.0\n";
    let graph = read("a.txt", text);
    assert_eq!((graph.origin().format.as_str(), graph.is_directed()), ("pajek", false));
    assert_eq!(graph.origin().direction_because, "the file lists `*Edges`");
    let names: Vec<String> = (0..4).map(|v| graph.ids().id(v).to_string()).collect();
    assert_eq!(names, ["Zoë & Co", "a", "b", "c"]);
    assert_eq!(arcs(&graph), [(1, 2, 2.5), (2, 1, 2.5), (2, 3, 1.0), (3, 2, 1.0)]);
    let numbers = ReadOptions { ids: IdKind::Numbers, ..Default::default() };
    assert_eq!(read_with("a.net", text, &numbers).unwrap().ids().describe(), "ids 1 to 4");
}

#[test]
fn vertices_need_no_lines_and_sections_may_be_lists() {
    let text =
        "% drawn\r\n*Network x\r\n*Vertices 5 3\r\n\r\n*Arcslist\r\n1 2 3\r\n*ARCS :1 \"likes\"\r\n4 1\r\n";
    let graph = read("<stdin>", text);
    assert_eq!((graph.ids().describe().as_str(), graph.is_directed()), ("ids 1 to 5", true));
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (0, 2, 1.0), (3, 0, 1.0)]);
    assert_eq!(graph.origin().direction_because, "the file lists `*Arcs`");
    let names = ReadOptions { ids: IdKind::Names, ..Default::default() };
    let graph = read_with("a.net", "*Vertices 10\n*Arcs\n10 9\n", &names).unwrap();
    assert_eq!(arcs(&graph), [(1, 9, 1.0)], "names are in the order of their bytes: 1, 10, 2, ..., 9");
}

#[test]
fn arcs_and_edges_together_are_directed_and_say_so() {
    let graph = read("a.net", "*Vertices 3\n*Arcs\n1 2 5 c Blue\n*Edges\n2 3 6 [1-4]\n3 3 7\n");
    assert_eq!(arcs(&graph), [(0, 1, 5.0), (1, 2, 6.0), (2, 1, 6.0), (2, 2, 7.0)]);
    let warning = "2 of 3 edges are undirected and became two arcs each, since the others are directed";
    assert_eq!(graph.origin().warnings, [warning]);
}

#[test]
fn labels_that_cannot_be_ids_are_left_out_aloud() {
    let graph = read("a.net", "*Vertices 2\n1 \"x\"\n2 \"x\"\n*Arcs\n1 2\n");
    assert_eq!(graph.ids().describe(), "ids 1 to 2");
    assert_eq!(graph.origin().warnings, ["the labels are not used as ids: two nodes have the label \"x\""]);
}

#[test]
fn what_is_not_read_is_named_with_its_line() {
    let help = "help: a Pajek network is `*Vertices n`, lines `number \"label\"`, then `*Arcs` or `*Edges` and lines `u v [weight]`";
    let save =
        "help: save the network from Pajek with *Arcs and *Edges, or write it with networkx.write_pajek";
    for (text, message) in [
        ("*Vertices 2\n*Matrix\n0 1\n1 0\n", format!("a.net:2:1: \"*Matrix\" is not read\n{save}")),
        ("*Vertices 2\n*Partition p\n", format!("a.net:2:1: \"*Partition\" is not read\n{save}")),
        ("*Vertices 2\n*Arcs\n1 3\n", format!("a.net:3:3: expected a vertex from 1 to 2, got \"3\"\n{help}")),
        ("*Vertices 2\n*Arcs\n0 1\n", format!("a.net:3:1: expected a vertex from 1 to 2, got \"0\"\n{help}")),
        ("*Vertices 2\n*Arcs\n1\n2 1\n", format!("a.net:3:2: expected a vertex from 1 to 2, got nothing\n{help}")),
        ("*Vertices x\n", format!("a.net:1:1: expected the number of vertices behind `*Vertices`, got \"x\"\n{help}")),
        ("*Vertices 1\n*Vertices 1\n", "a.net:2:1: the file has a second network\nhelp: keep one network in the file".to_owned()),
        ("*Vertices 1\n1 a\n1 b\n", "a.net:3:1: the vertex 1 has a second line\nhelp: keep one of them".to_owned()),
        ("*Vertices 1\n1 \"a\n", format!("a.net:2:3: this label has no closing quote\n{help}")),
        ("*Arcs\n1 2\n", format!("a.net:1:1: there is no `*Vertices n` before this line\n{help}")),
        ("*Vertices 2\n*Arcs\n1 2 big\n", "a.net:3:5: expected a weight, got \"big\"\nhelp: a weight is a number such as 3, -1 or 2.5e-3; --no-weights leaves them out".to_owned()),
    ] {
        assert_eq!(fails("a.net", text), message, "{text}");
    }
    let huge = fails("a.net", "*Vertices 99999999999\n");
    assert!(
        huge.starts_with("a.net:1: a graph of 99999999999 vertices needs vertex numbers beyond 32 bits"),
        "{huge}"
    );
}

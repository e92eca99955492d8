//! GML: what is read of it, and what is refused by its name.

use super::{arcs, fails, read, read_with};
use warpgraph_graph::{IdKind, ReadOptions};

/// As `networkx.write_gml` writes it.
const NETWORKX: &str = "graph [\n  directed 1\n  name \"tiny\"\n  node [\n    id 0\n    label \"Zo&#235; &#38; Co\"\n  ]\n  node [\n    id 1\n    label \"b\"\n  ]\n  node [\n    id 2\n    label \"c\"\n    graphics [ x 1.5 fill \"#ff0000\" deep [ er 1 ] ]\n  ]\n  edge [\n    source 1\n    target 0\n    weight 2.5\n  ]\n]\n";

#[test]
fn labels_are_the_ids_as_in_networkx() {
    let graph = read("a.txt", NETWORKX);
    assert_eq!((graph.origin().format.as_str(), graph.is_directed()), ("gml", true));
    assert_eq!(graph.origin().direction_because, "the file says `directed 1`");
    let names: Vec<String> = (0..3).map(|v| graph.ids().id(v).to_string()).collect();
    assert_eq!(names, ["Zoë & Co", "b", "c"]);
    assert_eq!(arcs(&graph), [(1, 0, 2.5)]);
    let numbers = ReadOptions { ids: IdKind::Numbers, ..Default::default() };
    let graph = read_with("a.gml", NETWORKX, &numbers).unwrap();
    assert_eq!((graph.ids().describe().as_str(), arcs(&graph)), ("ids 0 to 2", vec![(1, 0, 2.5)]));
}

#[test]
fn labels_that_are_numbers_are_number_ids() {
    let graph = read(
        "a.gml",
        "graph [ node [ id 0 label \"30\" ] node [ id 1 label \"10\" ] edge [ source 0 target 1 ] ]",
    );
    assert_eq!((graph.ids().describe().as_str(), graph.is_directed()), ("2 ids from 10 to 30", false));
}

#[test]
fn numbers_are_the_ids_if_labels_cannot_be() {
    let graph = read(
        "a.gml",
        "graph [ node [ id 5 label \"x\" ] node [ id 7 label \"x\" ] edge [ source 5 target 7 ] ]",
    );
    assert_eq!(graph.ids().describe(), "2 ids from 5 to 7");
    assert_eq!(graph.origin().warnings, ["the labels are not used as ids: two nodes have the label \"x\""]);
    let graph = read("a.gml", "graph [ node [ id 5 label \"x\" ] node [ id 7 ] edge [ source 5 target 7 ] ]");
    assert_eq!(graph.origin().warnings, ["the labels are not used as ids: 1 of 2 nodes have none"]);
}

#[test]
fn files_of_newman_and_igraph_are_read() {
    let text = "Creator \"Mark Newman on Sat Jul 22 05:32:16 2006\"\ngraph\n[\n  node\n  [\n    id 1\n  ]\n  node\n  [\n    id 2\n  ]\n  \
                edge\n  [\n    source 2\n    target 1\n    value 3\n  ]\n]\n";
    let graph = read("<stdin>", text);
    assert_eq!((graph.origin().format.as_str(), arcs(&graph)), ("gml", vec![(0, 1, 3.0), (1, 0, 3.0)]));
    assert_eq!(
        graph.origin().warnings,
        ["the weights are the values of \"value\"; --no-weights leaves them out"]
    );
    let text = "# made by hand\nCreator \"igraph version 0.10\"\nVersion 1\ngraph\n[\n directed 0\n node\n [\n  id 0\n ]\n]\n";
    assert_eq!(read("<stdin>", text).vertices(), 1);
}

#[test]
fn deep_lists_overflow_nothing() {
    let deep = 500_000;
    let text = format!("graph [ x {}{} node [ id 1 ] ]", "[ a ".repeat(deep), "]".repeat(deep));
    assert_eq!(read("a.gml", text).vertices(), 1);
    assert!(
        fails("a.gml", format!("graph [ x {}", "[ a ".repeat(deep)))
            .contains("expected `]`, got the end of the file")
    );
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let help = "help: GML is `graph [ node [ id 1 ] edge [ source 1 target 2 ] ]`; correct the file, or make it anew";
    for (text, message) in [
        (
            "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]",
            "a.gml:2:24: there is no node \"2\"\nhelp: declare it with `node [ id ... ]`, or remove the edge".to_owned(),
        ),
        ("graph [ node [ id 1 ]\nnode [ id 1 ] ]", "a.gml:2:6: the node \"1\" is declared a second time\nhelp: give every node an id of its own".to_owned()),
        ("graph [ node [ label \"x\" ] ]", format!("a.gml:1:14: this node has no number `id`\n{help}")),
        ("graph [ edge [ source 1 ] ]", format!("a.gml:1:14: this edge has no number `source` or no number `target`\n{help}")),
        ("graph [ ]\ngraph [ ]", "a.gml:2:2: the file has a second graph\nhelp: keep one graph in the file; they may use the same ids for other nodes".to_owned()),
        ("graph [ directed 2 ]", format!("a.gml:1:18: `directed` is neither 0 nor 1\n{help}")),
        ("graph [ node [ id 1", format!("a.gml:1:20: expected a key or `]`, got the end of the file\n{help}")),
        ("graph [ name \"x ]", format!("a.gml:1:14: this string has no end\n{help}")),
        ("Version 1", format!("a.gml:1:10: expected `graph [`, got the end of the file\n{help}")),
    ] {
        assert_eq!(fails("a.gml", text), message, "{text}");
    }
}

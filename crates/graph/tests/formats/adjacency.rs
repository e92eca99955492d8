//! Adjacency lists: told by the comment of NetworkX or by the ending, and never guessed.

use super::{arcs, fails, read, read_with};
use warpgraph_graph::{Format, ReadOptions};

const NETWORKX: &str = "#write.py out\n# GMT Mon Nov 16 19:57:09 2026\n# \na b c\nb c\nc\nd\n";

#[test]
fn a_file_of_networkx_is_read() {
    let graph = read("<stdin>", NETWORKX);
    assert_eq!((graph.origin().format.as_str(), graph.is_directed()), ("adjacency-list", true));
    assert_eq!(graph.ids().describe(), "4 names from \"a\" to \"d\"");
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]);
    let undirected = ReadOptions { directed: Some(false), ..Default::default() };
    assert_eq!(read_with("a", NETWORKX, &undirected).unwrap().edges(), 3);
}

#[test]
fn the_ending_or_the_option_tells_it_too() {
    let text = "0 1 2 3 4 # a hub\r\n1\r\n\r\n5\t0\r\n";
    let graph = read("a.adjlist.gz", text);
    assert_eq!((graph.ids().describe().as_str(), graph.arcs()), ("ids 0 to 5", 5));
    let named = ReadOptions { format: Some(Format::AdjacencyList), ..Default::default() };
    assert_eq!(read_with("a.txt", text, &named).unwrap().arcs(), 5);
    assert_eq!(
        fails("a.txt", text.replace("# a hub", "")),
        "a.txt: this is either an adjacency list or a METIS graph: its lines have different numbers of ids\nhelp: pass --format \
         adjacency-list if each line is a vertex and its neighbours, --format metis if it is a METIS graph"
    );
}

#[test]
fn what_is_not_read_is_named_with_its_line() {
    let multi = "#write.py\n# GMT Mon Nov 16 19:57:09 2026\n# \na 1\nb {}\nb 0\n";
    assert_eq!(
        fails("<stdin>", multi),
        "<stdin>:5:3: the attributes of an adjacency list with several lines per vertex are not read\nhelp: write it with \
         networkx.write_adjlist, or with networkx.write_weighted_edgelist to keep weights"
    );
    assert_eq!(
        fails("a.adj", "(0, 0) (1, 0)\n"),
        "a.adj:1:3: expected a blank, got \",\"\nhelp: separate the ids by blanks; for lines of `source,target` pass \
         --format edge-list"
    );
}

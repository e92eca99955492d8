//! DOT: what is read of it, and what is refused by its name.

use super::{arcs, fails, fails_with, read, read_with};
use warpgraph_graph::{IdKind, ReadOptions};

#[test]
fn statements_chains_groups_and_defaults_make_edges() {
    let text = "/* made by hand */\nstrict digraph \"my graph\" {\n  # a line\n  rankdir=LR; node [shape=box, label=<<b>x</b>>]\n  \
                edge [weight=1]\n  a -> b -> c [weight=2.5, color=\"red\"];  alone // isolated\n  \
                subgraph cluster0 { edge [weight=4]; x -> y; }\n  c:port:n -> { x y } [weight=3]\n}\n";
    let graph = read("a.txt", text);
    assert_eq!(graph.origin().format, "dot");
    assert_eq!(graph.origin().direction_because, "the file says `digraph`");
    assert_eq!(graph.ids().describe(), "6 names from \"a\" to \"y\"");
    // a 0, alone 1, b 2, c 3, x 4, y 5.
    assert_eq!(arcs(&graph), [(0, 2, 2.5), (2, 3, 2.5), (3, 4, 3.0), (3, 5, 3.0), (4, 5, 4.0)]);
    assert!(graph.origin().warnings.is_empty());
}

#[test]
fn a_graph_is_undirected_and_its_ids_may_be_numbers() {
    let graph = read("a.dot", "graph { 1 -- 2 -- 10 ; 7; \"3\" -- 1 }");
    assert_eq!(
        (graph.is_directed(), graph.edges(), graph.ids().describe()),
        (false, 3, "5 ids from 1 to 10".into())
    );
    let names = ReadOptions { ids: IdKind::Names, ..Default::default() };
    let graph = read_with("a.dot", "graph { 1 -- 02 }", &names).unwrap();
    assert_eq!(graph.ids().describe(), "2 names from \"02\" to \"1\"");
    let graph = read("a.dot", "graph { }");
    assert_eq!((graph.vertices(), graph.arcs()), (0, 0));
}

#[test]
fn strings_are_joined_and_keep_what_graphviz_keeps() {
    let graph = read("a.dot", "digraph { \"a \\\"b\\\" \\n\" -> \"c\" + \"d\"; é -> -.5 }");
    let names: Vec<String> = (0..4).map(|v| graph.ids().id(v).to_string()).collect();
    assert_eq!(names, ["-.5", "a \"b\" \\n", "cd", "é"]);
}

#[test]
fn groups_on_both_sides_are_all_pairs_but_bounded() {
    let graph = read("a.dot", "digraph { {a b a} -> {c d}; {p -> q} -> subgraph s {r} }");
    assert_eq!(graph.arcs(), 4 + 3);
    let group: String = (0..100).map(|i| format!("n{i} ")).collect();
    assert_eq!(
        fails("a.dot", format!("digraph {{ {{{group}}} -> {{{group}}} }}")),
        "a.dot:1:402: the edges between groups of nodes outnumber the bytes of the file\nhelp: write these edges one by one"
    );
}

#[test]
fn deep_braces_overflow_nothing() {
    let deep = 200_000;
    let text = format!("graph {{ {}a b{} }}", "{".repeat(deep), "}".repeat(deep));
    assert_eq!(read("a.dot", text).vertices(), 2);
    assert!(fails("a.dot", format!("graph {{ {}", "{ a ".repeat(deep))).contains("the end of the file"));
    assert!(fails("a.dot", format!("graph {{ a [label={}", "<".repeat(deep))).contains("has no end"));
}

#[test]
fn what_is_not_read_is_named_with_its_line() {
    let help =
        "DOT is `digraph { a -> b [weight=3]; }` or `graph { a -- b; }`; correct the file, or make it anew";
    for (text, message) in [
        (
            "graph {\n a -> b }",
            "a.dot:2:4: `->` in a `graph`, which joins nodes by `--`\nhelp: change the sign, or the word `graph` at the top",
        ),
        (
            "digraph {\n a -- b }",
            "a.dot:2:4: `--` in a `digraph`, which joins nodes by `->`\nhelp: change the sign, or the word `digraph` at the top",
        ),
        (
            "graph {\n <a> -- b }",
            "a.dot:2:2: a node whose name is an HTML string is not read\nhelp: give the node a name without `<` and `>`, and the text as its label",
        ),
        (
            "graph { a }\ngraph { b }",
            "a.dot:2:1: the file goes on after its graph\nhelp: keep one graph in the file",
        ),
        (
            "graph { subgraph s -- b }",
            "a.dot:1:20: a subgraph without braces is not read\nhelp: write its nodes in braces: `subgraph name { a b }`",
        ),
        (
            "graph { a -- b [weight=big] }",
            "a.dot:1:24: expected a weight, got \"big\"\nhelp: a weight is a number such as 3, -1 or 2.5e-3; --no-weights leaves them out",
        ),
        (
            "graph { a -- b [weight=2]\n b -- c }",
            "a.dot:2:2: this edge has no weight\nhelp: other edges have one; give every edge a weight, or pass --no-weights to leave them out",
        ),
        (
            "graph { a -- b",
            &format!("a.dot:1:15: expected a statement or `}}`, got the end of the file\nhelp: {help}"),
        ),
        (
            "graph { a -- ; }",
            &format!("a.dot:1:14: expected a node behind the edge, got \";\"\nhelp: {help}"),
        ),
    ] {
        assert_eq!(fails("a.dot", text), message, "{text}");
    }
    for text in
        ["digraph { 1a -> 2 }", "graph { a-1 -- b }", "graph { 2020-01-01 -- b }", "graph { a.1 -- b }"]
    {
        assert!(fails("a.dot", text).contains("a number touches a name or another number"), "{text}");
    }
    assert_eq!(read("a.dot", "graph{1--2--3}").edges(), 2);
    let no = ReadOptions { no_weights: true, ..Default::default() };
    assert_eq!(read_with("a.dot", "graph { a -- b [weight=big] }", &no).unwrap().edges(), 1);
    let numbers = ReadOptions { ids: IdKind::Numbers, ..Default::default() };
    assert!(
        fails_with("a.dot", "graph { a -- b }", &numbers)
            .contains("expected a node id that is a whole number")
    );
}

//! Reading of every format of single nodes and edges can be stopped.

use warpgraph_graph::{Control, Format, Input, ReadOptions, format};

/// Texts of about 3 MB each.
fn texts() -> Vec<(Format, String)> {
    let edges = |edge: fn(u32) -> String| (1..150_000).map(edge).collect::<String>();
    vec![
        (Format::AdjacencyList, edges(|i| format!("{i} {} {}\n", i + 1, i + 2))),
        (Format::Pajek, format!("*Vertices 150000\n*Arcs\n{}", edges(|i| format!("{i} {} 12345\n", i + 1)))),
        (
            Format::Gml,
            format!("graph [ {} ]", edges(|i| format!("node [ id {i} ] edge [ source {i} target {i} ]\n"))),
        ),
        (Format::Dot, format!("digraph {{ {} }}", edges(|i| format!("{i} -> {} [weight=3];\n", i + 1)))),
        (
            Format::NodeLink,
            format!("{{\"x\": [{}0], \"links\": []}}", edges(|i| format!("[{i}, \"filler\"], "))),
        ),
    ]
}

#[test]
fn reading_can_be_stopped() {
    for (format, text) in texts() {
        let options = ReadOptions { format: Some(format), ..Default::default() };
        assert!(text.len() > 2 << 20, "{format}: {}", text.len());
        format::read(Input::from_bytes("a", text.clone().into_bytes()), &options, &Control::new()).unwrap();
        let control = Control::new();
        let stop = control.clone();
        let watched = control.with_progress(move |_| stop.cancel());
        let read = format::read(Input::from_bytes("a", text.into_bytes()), &options, &watched);
        assert_eq!(read.unwrap_err().kind(), "interrupted", "{format}");
    }
}

//! Node-link JSON: what is read of it, and which other shapes of JSON are refused by name.

use super::{arcs, fails, read, read_with};
use warpgraph_graph::{IdKind, ReadOptions};

#[test]
fn a_file_of_networkx_is_read() {
    let text = r#"{"directed": true, "multigraph": false, "graph": {"nodes": [1, [2]]}, "nodes": [{"id": 3}, {"color": {"r": [1]}, "id": 1}, {"id": 9}], "edges": [{"weight": 7, "source": 3, "target": 1}]}"#;
    let graph = read("<stdin>", text);
    assert_eq!((graph.origin().format.as_str(), graph.is_directed()), ("node-link", true));
    assert_eq!(graph.origin().direction_because, "the file says \"directed\": true");
    assert_eq!((graph.ids().describe().as_str(), arcs(&graph)), ("3 ids from 1 to 9", vec![(1, 0, 7.0)]));
    let text = r#"{"links": [{"source": "a", "target": "Zo\u00eb \ud83d\ude00"}], "directed": false, "nodes": [{"id": "Zoë 😀"}, {"id": "a"}]}"#;
    let graph = read("a.json", text);
    assert_eq!((graph.ids().describe().as_str(), graph.edges()), ("2 names from \"Zoë 😀\" to \"a\"", 1));
}

#[test]
fn files_of_d3_are_read() {
    let text = r#"{"nodes":[{"id":"Myriel","group":1},{"id":"Napoleon","group":1}],"links":[{"source":"Napoleon","target":"Myriel","value":1}]}"#;
    let graph = read("a.json", text);
    assert_eq!((graph.is_directed(), graph.edges()), (false, 1));
    assert_eq!(
        graph.origin().warnings,
        [
            "the weights are the values of \"value\"; --no-weights leaves them out",
            "the file does not say \"directed\": it is taken as undirected"
        ]
    );
    let text = r#"{"directed": true, "nodes":[{"name":"Z"},{"name":"A"}],"links":[{"source":0,"target":1}]}"#;
    let graph = read("a.json", text);
    assert_eq!(
        (graph.ids().describe().as_str(), arcs(&graph)),
        ("2 names from \"A\" to \"Z\"", vec![(1, 0, 1.0)])
    );
    assert_eq!(graph.origin().warnings, ["no node has an \"id\": the edges name nodes by position, from 0"]);
    let numbers = ReadOptions { ids: IdKind::Numbers, ..Default::default() };
    assert_eq!(read_with("a.json", text, &numbers).unwrap().ids().describe(), "ids 0 to 1");
}

#[test]
fn nodes_may_be_missing_or_plain_ids() {
    assert_eq!(read("a.json", r#"{"edges":[{"from":"a","to":"b"}]}"#).vertices(), 2);
    assert_eq!(read("a.json", r#"{"nodes":["a","b","c"],"edges":[{"from":"a","to":"b"}]}"#).vertices(), 3);
    assert_eq!(read("a.json", r#"{"nodes":[],"links":[]}"#).vertices(), 0);
}

#[test]
fn deep_values_overflow_nothing() {
    let deep = 500_000;
    let text = format!(r#"{{"x":{}1{},"links":[]}}"#, "[{\"a\":".repeat(deep), "}]".repeat(deep));
    assert_eq!(read("a.json", text).vertices(), 0);
    assert!(
        fails("a.json", format!(r#"{{"x":{}"#, "[".repeat(deep)))
            .contains("expected a value, got the end of the file")
    );
}

#[test]
fn other_shapes_are_named() {
    for (text, message) in [
        (r#"{"elements": {"nodes": [], "edges": []}}"#, "a.json:1:1: the JSON of Cytoscape is not read"),
        (
            r#"{"nodes": [{"id": 3}], "adjacency": [[]]}"#,
            "a.json:1:1: the adjacency JSON of NetworkX is not read",
        ),
        (
            r#"{"graph": {"nodes": {}, "edges": []}}"#,
            "a.json:1:1: JSON Graph Format, or JSON without edges, is not read",
        ),
        (
            "{\"source\": 1, \"target\": 2}\n{\"source\": 2, \"target\": 3}\n",
            "a.json:1:1: JSON lines, one object per edge, are not read",
        ),
        ("[[1, 2], [2, 3]]", "a.json:1:1: a list in JSON is not read as a graph"),
        (r#"{"name": "root", "children": []}"#, "a.json:1:1: a tree in JSON is not read"),
        (r#"{"type": "FeatureCollection", "features": []}"#, "a.json:1:1: GeoJSON is not read"),
        (
            r#"{"a": 1, "b": 2}"#,
            "a.json:1:1: this JSON has no list \"links\" or \"edges\", only \"a\", \"b\"",
        ),
        ("{}", "a.json:1:1: this JSON has no list \"links\" or \"edges\", only an object without other keys"),
    ] {
        for name in ["a.json", "a.txt"] {
            let message = message.replace("a.json", name);
            let said = fails(name, text);
            assert!(said.starts_with(&format!("{message}\nhelp: ")), "{text}: {said}");
        }
    }
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let json = "help: this is no valid JSON; the file is cut short or damaged, fetch or make it anew";
    let ids = "help: ids are numbers or strings; give the nodes such ids, e.g. with networkx.convert_node_labels_to_integers";
    let weight = "help: a weight is a number such as 3, -1 or 2.5e-3; --no-weights leaves them out";
    for (text, message) in [
        ("{\"nodes\": [{\"id\": 1}],\n\"links\": [{\"source\": 1, \"target\": 2}]}", "a.json:2:35: there is no node \"2\"\nhelp: an edge names nodes by their \"id\"; add the node to \"nodes\", or remove the edge".to_owned()),
        (r#"{"nodes": [{"id": [0, 1]}], "links": []}"#, format!("a.json:1:19: expected an id, a number or a string, got \"[\"\n{ids}")),
        (r#"{"nodes": [{"id": null}], "links": []}"#, format!("a.json:1:19: expected an id, a number or a string, got \"null\"\n{ids}")),
        (r#"{"links": [{"source": 1, "target": 2, "weight": NaN}]}"#, format!("a.json:1:49: expected a finite weight, got \"NaN\"\n{weight}")),
        (r#"{"links": [{"source": 1, "target": 2, "weight": null}]}"#, format!("a.json:1:49: expected a weight, got \"null\"\n{weight}")),
        (r#"{"links": [{"source": 1}]}"#, "a.json:1:12: this edge lacks an end\nhelp: an edge has \"source\" and \"target\", or \"from\" and \"to\"".to_owned()),
        (r#"{"nodes": [{"id": 1}, {"name": "x"}], "links": []}"#, "a.json:1:23: only some nodes have an \"id\"\nhelp: give every node an \"id\", or none of them".to_owned()),
        (r#"{"links": [], "edges": []}"#, "a.json:1:24: the file has a second list of edges\nhelp: keep one of them".to_owned()),
        (r#"{"links": []"#, format!("a.json:1:13: expected `,` or `}}`, got the end of the file\n{json}")),
        (r#"{"links": []} x"#, format!("a.json:1:15: expected the end of the file, got \"x\"\n{json}")),
        (r#"{"links": [], "x": "\ud800"}"#, format!("a.json:1:21: a `\\` that stands for no character\n{json}")),
    ] {
        assert_eq!(fails("a.json", text), message, "{text}");
    }
}

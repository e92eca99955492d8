use super::{arcs, fails, fails_with, read, read_with};
use warpgraph_graph::{Control, Format, IdKind, ReadOptions, VertexId, WeightType, build::Loops};

/// A file around the inside of a graph.
fn graph(attributes: &str, keys: &str, inside: &str) -> String {
    format!("<graphml>{keys}\n<graph {attributes}>\n{inside}\n</graph></graphml>")
}

fn directed(inside: &str) -> String {
    graph("edgedefault=\"directed\"", "", inside)
}

/// A directed graph of the nodes 1 and 2 with a weight key of this type.
fn weighted(kind: &str, default: &str, edges: &str) -> String {
    let key = format!("<key id='w' for='edge' attr.name='weight' attr.type='{kind}'>{default}</key>");
    graph("edgedefault=\"directed\"", &key, &format!("<node id=\"1\"/><node id=\"2\"/>\n{edges}"))
}

fn first_line(text: String) -> String {
    text.lines().next().unwrap().to_owned()
}

const NETWORKX: &str = r#"<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="d0" for="edge" attr.name="weight" attr.type="long" />
  <graph edgedefault="directed">
    <node id="3" />
    <node id="1" />
    <node id="10" />
    <node id="7" />
    <edge source="3" target="1">
      <data key="d0">2</data>
    </edge>
    <edge source="1" target="10">
      <data key="d0">5</data>
    </edge>
  </graph>
</graphml>
"#;

#[test]
fn a_file_of_networkx_keeps_its_numbers_and_its_isolated_node() {
    let graph = read("a.graphml", NETWORKX);
    assert_eq!(graph.ids().describe(), "4 ids from 1 to 10");
    assert_eq!(arcs(&graph), [(0, 3, 5.0), (1, 0, 2.0)]);
    assert!(graph.is_directed());
    assert_eq!(graph.counts().isolated, 1);
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::U32));
    let origin = graph.origin();
    assert_eq!((origin.format.as_str(), origin.listed), ("graphml", 2));
    assert_eq!(origin.direction_because, "edgedefault is \"directed\"");
    assert!(origin.warnings.is_empty(), "{:?}", origin.warnings);
    assert_eq!(serde_json::to_string(&Format::GraphMl).unwrap(), "\"graphml\"");
}

const IGRAPH: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
         xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns
         http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
<!-- Created by igraph -->
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <key id="e_weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph id="G" edgedefault="undirected">
    <node id="n0">
      <data key="v_name">a &amp; &#98;</data>
    </node>
    <node id="n1"/>
    <node id="n2"/>
    <edge source="n0" target="n1">
      <data key="e_weight">1.5</data>
    </edge>
    <edge source="n1" target="n2">
      <data key="e_weight">2</data>
    </edge>
  </graph>
</graphml>
"#;

#[test]
fn a_file_of_igraph_is_undirected_with_names_and_decimals() {
    let graph = read("a.graphml", IGRAPH);
    assert_eq!(graph.ids().id(2), VertexId::Name("n2".to_owned()));
    assert_eq!(arcs(&graph), [(0, 1, 1.5), (1, 0, 1.5), (1, 2, 2.0), (2, 1, 2.0)]);
    assert!(!graph.is_directed() && graph.origin().symmetrised);
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F64));
}

const YED: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <!--Created by yEd 3.23-->
  <key attr.name="Description" attr.type="string" for="graph" id="d0"/>
  <key for="port" id="d1" yfiles.type="portgraphics"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key attr.name="Weight" attr.type="int" for="edge" id="d8"><default>4</default></key>
  <key for="edge" id="d9" yfiles.type="edgegraphics"/>
  <graph edgedefault="directed" id="G">
    <data key="d0" xml:space="preserve"/>
    <node id="n0">
      <data key="d6"><y:ShapeNode><y:NodeLabel>one &lt; two<y:node/></y:NodeLabel></y:ShapeNode></data>
    </node>
    <node id="n1" yfiles.foldertype="group">
      <data key="d6"><y:ProxyAutoBoundsNode/></data>
      <graph edgedefault="directed" id="n1:">
        <node id="n1::n0"><port name="top"/></node>
        <edge id="n1::e0" source="n1::n0" target="n0" sourceport="top"/>
      </graph>
    </node>
    <edge id="e0" source="n0" target="n1::n0">
      <data key="d8"><![CDATA[7]]></data>
      <data key="d9"><y:PolyLineEdge><y:Arrows source="none" target="standard"/></y:PolyLineEdge></data>
    </edge>
  </graph>
  <data key="d7"><y:Resources/></data>
</graphml>
"#;

#[test]
fn a_file_of_yed_is_flattened_and_says_so() {
    let graph = read("a.graphml", YED);
    assert_eq!(graph.ids().describe(), "3 names from \"n0\" to \"n1::n0\"");
    assert_eq!(arcs(&graph), [(0, 2, 7.0), (2, 0, 4.0)]);
    assert_eq!(
        graph.origin().warnings,
        [
            "1 nested graphs were read as part of the graph around them",
            "1 ports were read past: edges join the nodes they belong to"
        ]
    );
}

#[test]
fn the_empty_graph_is_a_graph() {
    let graph = read("a.graphml", "\u{feff}<graphml><graph edgedefault='undirected'/></graphml>");
    assert_eq!((graph.vertices(), graph.arcs(), graph.is_directed()), (0, 0, false));
    let graph = read("a.graphml", directed("<node id='5'/>"));
    assert_eq!((graph.vertices(), graph.ids().describe().as_str()), (1, "ids 5 to 5"));
}

#[test]
fn nodes_may_follow_the_edges_that_use_them() {
    let graph = read("a.graphml", directed("<edge source='a' target='b'/><node id='b'/><node id='a'/>"));
    assert_eq!(arcs(&graph), [(0, 1, 1.0)]);
    assert_eq!(graph.out().weights.weight_type(), None);
}

#[test]
fn ids_are_numbers_only_if_all_are_written_as_numbers_are() {
    let ids = |nodes: &str| read("a.graphml", directed(nodes)).ids().describe();
    assert_eq!(ids("<node id='2'/><node id='0'/><node id='1'/>"), "ids 0 to 2");
    assert_eq!(ids("<node id='07'/><node id='10'/><node id='9'/>"), "3 names from \"07\" to \"9\"");
    assert_eq!(ids("<node id='-1'/><node id='+1'/><node id=''/>"), "3 names from \"\" to \"-1\"");
    let largest = "<node id='18446744073709551615'/><node id='1'/>";
    assert_eq!(ids(largest), "2 ids from 1 to 18446744073709551615");
    assert_eq!(
        ids("<node id='18446744073709551616'/>"),
        "1 names from \"18446744073709551616\" to \"18446744073709551616\""
    );
    assert_eq!(ids("<node id='a&amp;b&#x21;'/>"), "1 names from \"a&b!\" to \"a&b!\"");
    let names = ReadOptions { ids: IdKind::Names, ..Default::default() };
    let graph = read_with("a.graphml", directed("<node id='1'/>"), &names).unwrap();
    assert_eq!(graph.ids().kind(), "names");
    let numbers = ReadOptions { ids: IdKind::Numbers, ..Default::default() };
    assert_eq!(
        fails_with("a.graphml", directed("<node id='01'/>"), &numbers),
        "a.graphml:3:11: expected a node id that is a whole number, got \"01\"\nhelp: pass --ids names to take all ids \
         as names"
    );
}

#[test]
fn an_edge_may_have_its_own_direction() {
    let nodes = "<node id='0'/><node id='1'/><node id='2'/>";
    let edges = |default: &str, [a, b]: [&str; 2]| {
        let edges = format!(
            "<edge source='0' target='1' {a}/><edge source='2' target='1' {b}/><edge source='2' target='2' {a}/>"
        );
        let graph =
            read("a.graphml", graph(&format!("edgedefault='{default}'"), "", &format!("{nodes}{edges}")));
        let arcs: Vec<_> = arcs(&graph).into_iter().map(|(u, v, _)| (u, v)).collect();
        (graph.is_directed(), arcs, graph.origin().warnings.clone(), graph.origin().direction_because.clone())
    };
    let (no, yes) = ("directed='false'", "directed='true'");
    let warning = "2 of 3 edges are undirected and became two arcs each, since the others are directed";
    let mixed = (
        true,
        vec![(0, 1), (1, 0), (2, 1), (2, 2)],
        vec![warning.to_owned()],
        "some edges are directed".to_owned(),
    );
    assert_eq!(edges("directed", [no, ""]), mixed);
    assert_eq!(edges("undirected", ["", yes]), mixed);
    let all = edges("undirected", [yes, yes]);
    assert_eq!((all.0, all.1.len(), all.2.len()), (true, 3, 0));
    assert_eq!(all.3, "every edge says directed=\"true\"");
    let all = edges("directed", [no, no]);
    assert_eq!((all.0, all.1.len(), all.2.len()), (false, 5, 0));
}

#[test]
fn mixed_edges_keep_their_weights() {
    let edges = "<edge source='1' target='2' directed='false'><data key='w'>3</data></edge>\
                 <edge source='2' target='2'><data key='w'>-1</data></edge>";
    let graph = read("a.graphml", weighted("int", "", edges));
    assert_eq!(arcs(&graph), [(0, 1, 3.0), (1, 0, 3.0), (1, 1, -1.0)]);
}

#[test]
fn options_override_direction_weights_and_loops() {
    let text = weighted(
        "double",
        "<default>0.5</default>",
        "<edge source='1' target='2' directed='false'/><edge source='2' target='2'/>",
    );
    let with = |options: &ReadOptions| read_with("a.graphml", text.as_str(), options).unwrap();
    let graph = with(&ReadOptions { directed: Some(true), ..Default::default() });
    assert_eq!((arcs(&graph), graph.origin().warnings.len()), (vec![(0, 1, 0.5), (1, 1, 0.5)], 0));
    assert_eq!(graph.origin().direction_because, "asked for");
    let graph = with(&ReadOptions { directed: Some(false), loops: Loops::Drop, ..Default::default() });
    assert_eq!((arcs(&graph), graph.is_directed()), (vec![(0, 1, 0.5), (1, 0, 0.5)], false));
    assert_eq!(graph.origin().loops_dropped, 1);
    let graph = with(&ReadOptions { no_weights: true, ..Default::default() });
    assert_eq!(graph.out().weights.weight_type(), None);
    let graph = with(&ReadOptions { narrow_weights: true, ..Default::default() });
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F32));
}

#[test]
fn weights_take_the_type_the_key_says() {
    let typed = |kind: &str, weight: &str| {
        let edge = format!(
            "<edge source='1' target='2'><data key='other'>x</data><data key='w'> {weight}\n</data></edge>"
        );
        let graph = read("a.graphml", weighted(kind, "", &edge));
        (graph.out().weights.weight_type().unwrap().name(), graph.out().weights.get(0))
    };
    assert_eq!(typed("int", "7"), ("u32", 7.0));
    assert_eq!(typed("long", "-7"), ("i32", -7.0));
    assert_eq!(typed("long", "4294967296"), ("f64", 4294967296.0));
    assert_eq!(typed("float", "7"), ("f64", 7.0));
    assert_eq!(typed("double", "-2.5e-3"), ("f64", -0.0025));
    assert_eq!(typed("double", "&#49;2<!-- x -->.5"), ("f64", 12.5));
}

#[test]
fn keys_that_are_no_numbers_of_edges_are_left_out() {
    let edge = "<edge source='1' target='2'><data key='w'>heavy</data></edge>";
    let graph = read("a.graphml", weighted("string", "", edge));
    assert_eq!(graph.out().weights.weight_type(), None);
    assert_eq!(graph.origin().warnings, ["the key weight is left out: its type is \"string\", no number"]);
    let text = weighted("double", "", edge).replace("for='edge'", "for='node'");
    assert_eq!(read("a.graphml", text).out().weights.weight_type(), None);
}

#[test]
fn a_graph_without_edgedefault_is_undirected_and_says_so() {
    let graph = read("a.graphml", graph("", "", "<node id='1'/>"));
    assert!(!graph.is_directed());
    assert_eq!(graph.origin().warnings, ["the graph has no edgedefault: it is taken as undirected"]);
}

#[test]
fn an_edge_may_hold_a_graph() {
    let inside = "<node id='a'/><edge source='a' target='a'><data key='w'>1</data><graph edgedefault='directed'>\
                  <node id='b'/><edge source='b' target='a'><data key='w'>2</data></edge></graph></edge>";
    let key = "<key id='w' for='edge' attr.name='weight' attr.type='int'/>";
    let graph = read("a.graphml", graph("edgedefault='directed'", key, inside));
    assert_eq!(arcs(&graph), [(0, 0, 1.0), (1, 0, 2.0)]);
}

#[test]
fn weights_that_cannot_be_are_named_with_line_and_column() {
    let edge = |weight: &str| format!("<edge source='1' target='2'><data key='w'>{weight}</data></edge>");
    let bad = |kind: &str, weight: &str| first_line(fails("a.graphml", weighted(kind, "", &edge(weight))));
    assert_eq!(bad("double", "x"), "a.graphml:4:43: expected a weight, got \"x\"");
    assert_eq!(bad("double", " \n x"), "a.graphml:5:2: expected a weight, got \"x\"");
    assert_eq!(bad("double", ""), "a.graphml:4:43: expected a weight, got nothing");
    assert_eq!(bad("double", "INF"), "a.graphml:4:43: expected a finite weight, got \"INF\"");
    assert_eq!(bad("float", "NaN"), "a.graphml:4:43: expected a finite weight, got \"NaN\"");
    assert_eq!(bad("int", "1.5"), "a.graphml:4:43: expected a whole weight, got \"1.5\"");
    assert_eq!(bad("double", "&big;"), "a.graphml:4:43: expected a weight, got \"&big;\"");
    let long = "9".repeat(5000);
    assert!(bad("double", &long).starts_with("a.graphml:4:43: expected a finite weight, got \"999"));
    assert_eq!(
        bad("long", "9007199254740993"),
        "a.graphml:4:43: expected a whole weight of at most 2^53, which decimals hold exactly, got \"9007199254740993\""
    );
    assert_eq!(
        first_line(fails("a.graphml", weighted("int", "<default>y</default>", ""))),
        "a.graphml:1:77: expected a weight, got \"y\""
    );
    let bare = "<edge source='2' target='1'/>";
    for (edges, column) in [(format!("{}{bare}", edge("1")), 58), (format!("{bare}{}", edge("1")), 1)] {
        assert_eq!(
            fails("a.graphml", weighted("int", "", &edges)),
            format!(
                "a.graphml:4:{column}: this edge has no weight\nhelp: other edges have one; give every edge a weight, or \
                 pass --no-weights to leave them out"
            )
        );
    }
    let twice = edge("1</data><data key='w'>2");
    assert_eq!(
        first_line(fails("a.graphml", weighted("int", "", &twice))),
        "a.graphml:4:51: a second weight for one edge"
    );
}

#[test]
fn nodes_that_cannot_be_are_named_with_line_and_column() {
    assert_eq!(
        fails(
            "a.graphml",
            directed("<node id='1'/>\n<edge source='1' target='nobody'/>\n<edge source='z' target='1'/>")
        ),
        "a.graphml:4:26: there is no node \"nobody\"\nhelp: declare it with <node id=\"...\"/>, or remove the edge"
    );
    assert_eq!(
        fails("a.graphml", directed("<node id='1'/>\n <node id=\"1\"/>")),
        "a.graphml:4:12: the node \"1\" is declared a second time\nhelp: give every node an id of its own"
    );
    let line = |inside: &str| first_line(fails("a.graphml", directed(inside)));
    assert_eq!(line("<node/>"), "a.graphml:3:1: <node> has no attribute id");
    assert_eq!(line("<node id='1'/><edge target='1'/>"), "a.graphml:3:15: <edge> has no attribute source");
    assert_eq!(line("<node id='1'/><edge source='1'/>"), "a.graphml:3:15: <edge> has no attribute target");
    assert_eq!(
        line("<node id='1'/><edge source='1' target='1' directed='maybe'/>"),
        "a.graphml:3:53: expected true or false, got \"maybe\""
    );
    assert_eq!(
        line("<node id='&nope;'/>"),
        "a.graphml:3:11: an entity that is not one of XML's own in \"&nope;\""
    );
    assert_eq!(
        line("<node id='1' id='2'/>"),
        "a.graphml:3:1: the tag <node> is no well-formed XML: the attribute id is given twice"
    );
    assert!(line("<node id=1/>").starts_with("a.graphml:3:1: the tag <node> is no well-formed XML: "));
}

#[test]
fn what_is_no_simple_graph_is_refused_with_a_way_out() {
    assert_eq!(
        fails("a.graphml", directed("<hyperedge><endpoint node='1'/></hyperedge>")),
        "a.graphml:3:1: hyperedges are not supported\nhelp: write it as edges, or as a node with an edge to each of its ends"
    );
    let line = |text: &str| first_line(fails("a.graphml", text));
    assert_eq!(
        line("<graphml><graph edgedefault='directed'/>\n<graph edgedefault='directed'/></graphml>"),
        "a.graphml:2:1: the file has a second graph"
    );
    assert_eq!(line("<graphml><node id='1'/></graphml>"), "a.graphml:1:10: a <node> where there can be none");
    assert_eq!(
        line("<graphml><graph edgedefault='sideways'/></graphml>"),
        "a.graphml:1:30: expected directed or undirected, got \"sideways\""
    );
    let key = "<key id='w' for='edge' attr.name='weight' attr.type='int'/>";
    assert_eq!(
        line(&format!("<graphml>{key}{key}</graphml>")),
        "a.graphml:1:69: a second edge key is named weight"
    );
    assert_eq!(
        line(&format!("<graphml><graph edgedefault='directed'/>{key}</graphml>")),
        "a.graphml:1:41: a key after the graph that uses it"
    );
    assert_eq!(line("<graphml/>"), "a.graphml:1:11: the file has no <graph>");
    assert_eq!(line("<graphml/><graphml/>"), "a.graphml:1:11: the file goes on after </graphml>");
    assert_eq!(line("<gexf/>"), "a.graphml:1:1: expected <graphml>, got \"<gexf>\"");
    assert_eq!(line("1 2\n"), "a.graphml:1:1: expected <graphml>, got \"1 2\"");
    assert_eq!(line(""), "a.graphml:1:1: the file has no <graph>");
}

#[test]
fn entities_cannot_grow() {
    let laughs = "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol1 \"&lol;&lol;\">]>\n\
                  <graphml><graph edgedefault=\"directed\"><node id=\"&lol1;\"/></graph></graphml>";
    assert_eq!(
        fails("a.graphml", laughs),
        "a.graphml:2:1: a document type is not read\nhelp: remove the <!DOCTYPE ...>; GraphML needs none, and entities are \
         not expanded"
    );
}

#[test]
fn other_encodings_than_utf8_are_refused() {
    let text =
        "<?xml version='1.0' encoding='ISO-8859-1'?>\n<graphml><graph edgedefault='directed'/></graphml>";
    assert_eq!(read("a.graphml", text).vertices(), 0, "plain ASCII is all of them");
    assert_eq!(
        first_line(fails("a.graphml", text.replace("<graph ", "<graph id='é' "))),
        "a.graphml:1:1: the encoding is \"ISO-8859-1\", only UTF-8 is read"
    );
    let mut latin = b"<graphml>\n<graph id='".to_vec();
    latin.push(0xe9);
    assert_eq!(first_line(fails("a.graphml", latin)), "a.graphml:2:12: this is no UTF-8");
}

#[test]
fn a_file_cut_short_anywhere_is_an_error() {
    for text in [NETWORKX, YED] {
        let whole = text.trim_end().len();
        for end in (0..whole).filter(|&end| text.is_char_boundary(end)) {
            let error = read_with("a.graphml", &text.as_bytes()[..end], &ReadOptions::default()).unwrap_err();
            assert!(["format", "parse"].contains(&error.kind()), "{end}: {error}");
        }
    }
    assert!(fails("a.graphml", NETWORKX.replace("</graph>", "</node>")).contains("no well-formed XML: "));
}

#[test]
fn many_attributes_and_deep_elements_take_linear_time() {
    let many: String = (0..200_000).map(|i| format!(" a{i}='x'")).collect();
    assert_eq!(read("a.graphml", directed(&format!("<node id='1'{many}/>"))).vertices(), 1);
    let deep = "<a>".repeat(200_000) + &"</a>".repeat(200_000);
    assert_eq!(read("a.graphml", directed(&format!("<node id='1'>{deep}</node>"))).vertices(), 1);
}

#[test]
fn reading_can_be_stopped() {
    let nodes: String = (0..100_000).map(|i| format!("<node id='{i}'/>")).collect();
    let input = warpgraph_graph::Input::from_bytes("a.graphml", directed(&nodes).into_bytes());
    let control = Control::new();
    let stop = control.clone();
    let watched = control.with_progress(move |_| stop.cancel());
    let error = warpgraph_graph::format::read(input, &ReadOptions::default(), &watched).unwrap_err();
    assert_eq!(error.kind(), "interrupted");
}

//! Hostile ids in every format that is written: the file reads back as the same graph, or the writer refuses it and
//! names the id and a format that holds it.

use super::read_with;
use proptest::prelude::*;
use std::collections::BTreeSet;
use warpgraph_graph::{
    Control, Error, Graph, Ids, Names, Origin, ReadOptions, Vertex, VertexId, WeightType,
    build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
    format::write::{OutputFormat, to_writer},
};

/// Names that a careless writer or reader takes for something else.
const HOSTILE: &[&str] = &[
    "//x",
    "//",
    "#",
    "# Undirected graph",
    "# Ids: names",
    "%",
    "%%MatrixMarket",
    "% sym ",
    "from",
    "to",
    "source",
    "target",
    "weight",
    "Source",
    "SOURCE",
    "src",
    "id",
    "7",
    "007",
    "07",
    "0",
    "-1",
    "+7",
    "1e3",
    "0x10",
    "1.5",
    "nan",
    "null",
    "a b",
    " a",
    "a ",
    " ",
    "\t",
    "a\tb",
    "1 2",
    "1,2",
    "1;2",
    "1|2",
    ",",
    ";",
    "|",
    "\"",
    "\"\"",
    "\"a",
    "a\"",
    "say \"hi\"",
    "'a'",
    "\\",
    "\\n",
    "a\nb",
    "\n",
    "a\rb",
    "\r",
    "",
    "->",
    "--",
    "{",
    "{'weight': 4}",
    "[",
    "<a>",
    "&amp;",
    "&",
    "]]>",
    "<?warpgraph ids=\"names\"?>",
    "<graphml>",
    "*Vertices",
    ":An",
    ">>sparse6<<",
    "digraph",
    "p",
    "a",
    "c",
    "PAR1",
    "\u{feff}",
    "\u{feff}a",
    "Zoë",
    "日本",
    "\u{a0}",
    "\u{2028}",
    "\u{85}",
    "\0",
    "\x01",
    "\x0b",
    "\x0c",
    "\u{ffff}",
    "🦀",
    "99999999999999999999",
];

fn names() -> impl Strategy<Value = Ids> {
    let name = prop_oneof![
        6 => prop::sample::select(HOSTILE).prop_map(str::to_owned),
        2 => "[0-9]{1,3}",
        2 => "[ \t\"',;|#%/<>&a0-]{0,5}",
        1 => any::<String>(),
    ];
    prop::collection::btree_set(name, 1..12).prop_map(|names| named(&names))
}

fn named(names: &BTreeSet<String>) -> Ids {
    let mut starts = vec![0];
    starts.extend(names.iter().scan(0, |end, name| {
        *end += name.len() as u64;
        Some(*end)
    }));
    let text: String = names.iter().map(String::as_str).collect();
    Ids::Names(Names::new(starts.into(), text.into_bytes().into(), "test").unwrap())
}

fn numbers() -> impl Strategy<Value = Ids> {
    let number = prop_oneof![0u64..20, Just(u64::MAX), Just(1 << 63), any::<u64>()];
    prop::collection::btree_set(number, 1..12)
        .prop_map(|ids| Ids::Numbers(ids.into_iter().collect::<Vec<_>>().into()))
}

/// A graph with these ids, as the builder makes it.
fn graph(ids: Ids, edges: &[(Vertex, Vertex, f32)], directed: bool, kind: Option<WeightType>) -> Graph {
    let n = ids.len();
    let pairs = edges.iter().map(|&(u, v, _)| [u % n as Vertex, v % n as Vertex]).collect();
    let weights = edges.iter().map(|e| e.2);
    let weights = match kind {
        None => EdgeWeights::None,
        Some(WeightType::U32) => EdgeWeights::U32(weights.map(|w| w as u32).collect()),
        Some(WeightType::I32) => EdgeWeights::I32(weights.map(|w| w as i32).collect()),
        Some(WeightType::F32) => EdgeWeights::F32(weights.collect()),
        Some(WeightType::F64) => EdgeWeights::F64(weights.map(|w| f64::from(w) / 3.0).collect()),
    };
    let list = EdgeList { vertices: n, chunks: vec![EdgeChunk { pairs, weights }] };
    let options = build::Options { directed, loops: Loops::Keep, parallel: Parallel::Min };
    let built = build::build(list, &options, &Control::new()).unwrap();
    let name = "an undirected graph Nodes: 1 Edges: 1\n% sym ".to_owned();
    let origin = Origin { name, ..Default::default() };
    Graph::new(built.arcs, directed, ids, origin).unwrap()
}

/// What a graph says: vertices, arcs by ids with the bits of their weights, and direction.
type Said = (Vec<VertexId>, Vec<(VertexId, VertexId, Option<u64>)>, bool);

fn said(graph: &Graph, ids: &Ids, weighted: bool, isolated: bool) -> Said {
    let out = graph.out();
    let weighted = weighted && graph.weight_type().is_some();
    let vertices = 0..graph.vertices() as Vertex;
    let weight = |arc| weighted.then(|| out.weights.get(arc).to_bits());
    let row = |u| out.csr.arcs_of(u).map(move |arc| (u, out.csr.targets()[arc], arc));
    let arcs: Vec<_> = vertices.clone().flat_map(row).collect();
    let has_edge: BTreeSet<Vertex> = arcs.iter().flat_map(|&(u, v, _)| [u, v]).collect();
    (
        vertices.filter(|v| isolated || has_edge.contains(v)).map(|v| ids.id(v)).collect(),
        arcs.iter().map(|&(u, v, arc)| (ids.id(u), ids.id(v), weight(arc))).collect(),
        graph.is_directed(),
    )
}

fn written(graph: &Graph, format: OutputFormat) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    to_writer(graph, format, &mut out, "out", &Control::new()).map(|()| out)
}

fn reads_back(graph: &Graph, format: OutputFormat, bytes: Vec<u8>) -> Result<(), TestCaseError> {
    let keeps = format.keeps();
    let options = ReadOptions {
        directed: keeps.assumed_directed.map(|_| graph.is_directed()),
        narrow_weights: !keeps.single && graph.weight_type() == Some(WeightType::F32),
        ..Default::default()
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let again = read_with(&format!("a.{format}"), bytes, &options);
    let again = again.map_err(|e| TestCaseError::fail(format!("{format}: {e}\n{text}")))?;
    let renumbered = keeps.renumbered_from.map(|first| Ids::Range { first, len: graph.vertices() });
    let expected =
        said(graph, renumbered.as_ref().unwrap_or(graph.ids()), keeps.weighted.is_none(), keeps.isolated);
    prop_assert_eq!(said(&again, again.ids(), true, true), expected, "{}\n{}", format, text);
    let is_names = |ids: &Ids| matches!(ids, Ids::Names(_));
    let kept = renumbered.is_none() && again.vertices() > 0;
    prop_assert!(!kept || is_names(again.ids()) == is_names(graph.ids()), "{}\n{}", format, text);
    Ok(())
}

/// Checks that a refusal names an id of the graph, and formats that hold it.
fn refuses_well(graph: &Graph, format: OutputFormat, error: &Error) -> Result<(), TestCaseError> {
    let (what, help) = (error.to_string(), error.help().unwrap_or_default());
    let Ids::Names(names) = graph.ids() else { return Ok(()) };
    if format != OutputFormat::Graph500 {
        let is_named = |i| what.contains(&warpgraph_graph::error::quote(names.get(i).as_bytes()));
        prop_assert!((0..names.len()).any(is_named), "{}", what);
    }
    let offered = help.split([' ', ',']).filter_map(|word| word.strip_prefix('.'));
    let offered: Vec<OutputFormat> = offered.filter_map(|name| name.parse().ok()).collect();
    prop_assert!(offered.iter().any(|&other| written(graph, other).is_ok()), "{}: {}", what, help);
    Ok(())
}

fn every_format(graph: &Graph) -> Result<(), TestCaseError> {
    let refuses_weights = |format: OutputFormat| match (format, graph.weight_type()) {
        (OutputFormat::WeightedEdgeList | OutputFormat::WeightedGap, None) => true,
        (OutputFormat::WeightedGap, Some(kind)) => kind != WeightType::I32,
        _ => false,
    };
    for &format in OutputFormat::ALL {
        match written(graph, format) {
            Ok(bytes) => reads_back(graph, format, bytes)?,
            Err(_) if refuses_weights(format) => {}
            Err(error) => refuses_well(graph, format, &error)?,
        }
    }
    Ok(())
}

fn kinds() -> impl Strategy<Value = Option<WeightType>> {
    use WeightType::{F32, F64, I32, U32};
    prop::sample::select(vec![None, Some(U32), Some(I32), Some(F32), Some(F64)])
}

fn edges() -> impl Strategy<Value = Vec<(Vertex, Vertex, f32)>> {
    prop::collection::vec((0u32..12, 0u32..12, -1e9f32..1e9), 0..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn hostile_names_read_back_or_are_refused(
        ids in names(), edges in edges(), directed: bool, kind in kinds(),
    ) {
        every_format(&graph(ids, &edges, directed, kind))?;
    }

    #[test]
    fn all_numbers_read_back(ids in numbers(), edges in edges(), directed: bool, kind in kinds()) {
        every_format(&graph(ids, &edges, directed, kind))?;
    }
}

/// Each hostile name in turn, next to a harmless one, in both directions and as a loop.
#[test]
fn each_hostile_name_reads_back_or_is_refused() {
    for name in HOSTILE {
        for other in ["ann", "7", "zoe"] {
            let ids = named(&[name, other].map(str::to_owned).into());
            for edges in [&[(0, 1, 2.0)][..], &[(0, 0, 2.0), (1, 1, 3.0), (1, 0, 4.0)]] {
                let graph = graph(ids.clone(), edges, true, Some(WeightType::U32));
                every_format(&graph).unwrap_or_else(|e| panic!("{name:?} and {other:?}: {e}"));
            }
        }
    }
}

#[test]
fn an_arrow_within_quotes_is_a_name() {
    // A blank beyond ASCII needs no quotes, and stands beside the arrow in the first line of edges.
    let ids = named(&["->", "\u{a0}"].map(str::to_owned).into());
    every_format(&graph(ids, &[(0, 1, 1.0)], false, None)).unwrap();
}

#[test]
fn every_name_stands_in_some_format_with_its_edges() {
    let all = named(&HOSTILE.iter().map(|&name| name.to_owned()).collect());
    let n = all.len() as Vertex;
    let path: Vec<_> = (1..n).map(|v| (v - 1, v, 1.5)).collect();
    let graph = graph(all, &path, false, Some(WeightType::F32));
    for format in [OutputFormat::Wg, OutputFormat::Parquet] {
        reads_back(&graph, format, written(&graph, format).unwrap()).unwrap();
    }
}

#[test]
fn a_refusal_names_the_id_and_the_formats_that_hold_it() {
    let refused = |names: [&str; 2], format| {
        let edges = [(0, 1, 1.0)];
        let graph = graph(named(&names.map(str::to_owned).into()), &edges, true, None);
        let error = written(&graph, format).unwrap_err();
        format!("{error}\nhelp: {}", error.help().unwrap())
    };
    assert_eq!(
        refused(["a\nb", "c"], OutputFormat::Csv),
        "the name \"a\\nb\" cannot stand in a .csv file: it has a line end\nhelp: write .wg or .parquet, which hold every \
         name, or .mtx, which numbers the vertices"
    );
    assert_eq!(
        refused(["\x01", "c"], OutputFormat::GraphMl),
        "the name \"\\u{1}\" cannot stand in a .graphml file: XML has no such control characters\nhelp: write .wg or \
         .parquet, which hold every name, or .mtx, which numbers the vertices"
    );
    assert_eq!(
        refused(["007", "7"], OutputFormat::Tsv),
        "the name \"007\" would be read from a .tsv file as a number\nhelp: write .wg, .el, .parquet or .graphml, which \
         record that ids are names"
    );
}

#[test]
fn the_names_of_the_columns_are_no_vertices() {
    let header = |names: [&str; 4]| {
        let ids = named(&names.map(str::to_owned).into());
        let text = written(&graph(ids, &[(0, 1, 1.0), (2, 3, 1.0)], true, None), OutputFormat::Csv);
        text.map(|text| String::from_utf8(text).unwrap().lines().next().unwrap().to_owned())
    };
    assert_eq!(header(["a", "b", "c", "Source"]).unwrap(), "source,target");
    assert_eq!(header(["a", "b", "c", "target"]).unwrap(), "src,dst");
    assert_eq!(header(["source", "src", "from", "a"]).unwrap(), "SOURCE,TARGET");
    assert_eq!(
        header(["source", "src", "from", "TARGET"]).unwrap_err().to_string(),
        "the name \"source\" is one for a column of a .csv file, as are others of this graph"
    );
}

#[test]
fn files_of_names_look_as_documented() {
    let ids = named(&["#1", "7", "a b"].map(str::to_owned).into());
    let graph = graph(ids, &[(0, 1, 2.0), (2, 1, 3.0)], true, Some(WeightType::U32));
    let text = |format| String::from_utf8(written(&graph, format).unwrap()).unwrap();
    assert_eq!(
        text(OutputFormat::WeightedEdgeList),
        "# Directed graph: an_undirected_graph_Nodes:_1_Edges:_1_%_sym_\n# Nodes: 3 Edges: 2\n# Ids: names\n\
         source target weight\n\"#1\" 7 2\n\"a b\" 7 3\n"
    );
    assert_eq!(text(OutputFormat::Csv), "source,target,weight\n\"#1\",7,2\n\"a b\",7,3\n");
    assert_eq!(text(OutputFormat::Tsv), "source\ttarget\tweight\n\"#1\"\t7\t2\n\"a b\"\t7\t3\n");
    assert_eq!(
        text(OutputFormat::GraphMl),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  \
         <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n  <graph edgedefault=\"directed\">\n    \
         <node id=\"#1\"/>\n    <node id=\"7\"/>\n    <node id=\"a b\"/>\n    \
         <edge source=\"#1\" target=\"7\"><data key=\"weight\">2</data></edge>\n    \
         <edge source=\"a b\" target=\"7\"><data key=\"weight\">3</data></edge>\n  </graph>\n</graphml>\n"
    );
}

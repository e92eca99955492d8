//! Text edge lists as they are found in the wild, and what is said about those that are none.

#![allow(clippy::unwrap_used, reason = "a test may panic in its helpers too")]

use warpgraph_graph::{
    Control, Error, Graph, IdKind, Ids, Input, ReadOptions, Result, VertexId, WeightType,
    build::{Loops, Parallel},
};

fn read_with(text: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Graph> {
    let input = Input::from_bytes("x.txt", text.as_ref().to_vec());
    Graph::read_edge_list(&input, options, &Control::new())
}

fn read(text: impl AsRef<[u8]>) -> Graph {
    read_with(text, &ReadOptions::default()).unwrap()
}

fn fails(text: impl AsRef<[u8]>) -> (String, String) {
    let error = read_with(text, &ReadOptions::default()).unwrap_err();
    (error.to_string(), error.help().unwrap_or_default())
}

/// Arcs by original ids, `1>2` or `1>2:5`.
fn arcs(graph: &Graph) -> Vec<String> {
    let out = graph.out();
    let mut all = Vec::new();
    for u in 0..graph.vertices() as u32 {
        for i in out.csr.arcs_of(u) {
            let (from, to) = (graph.ids().id(u), graph.ids().id(out.csr.targets()[i]));
            let weight =
                out.weights.weight_type().map_or(String::new(), |_| format!(":{}", out.weights.get(i)));
            all.push(format!("{from}>{to}{weight}"));
        }
    }
    all
}

/// Enough plain lines that the fast way is taken.
fn plain(lines: usize) -> String {
    (0..lines).map(|i| format!("{} {}\n", i % 977, i * 7 % 1013)).collect()
}

#[test]
fn all_separators_line_ends_and_comments_read_the_same() {
    for text in [
        "1 2\n2 30\n",
        "1\t2\n2\t30",
        "1,2\r\n2,30\r\n",
        "  1 ;  2  \n\n\t2;30 \n",
        "1|2\n2|30\n",
        "\u{feff}1 2\n2 30\n",
        "# a\n% b\n1 2\n// c\n  # d\n2 30\n#",
        "\"1\",\"2\"\n\"2\",\"30\"\n",
        "source,target\n1,2\n2,30\n",
        "FromNodeId\tToNodeId\n1\t2\n2\t30\n",
        "1,2,\n2,30,,\n",
    ] {
        let graph = read(text);
        assert_eq!(arcs(&graph), ["1>2", "2>30"], "{text:?}");
        assert_eq!(graph.ids().kind(), "numbers", "{text:?}");
        assert!(graph.is_directed() && graph.origin().warnings.is_empty(), "{text:?}");
    }
}

#[test]
fn plain_and_odd_lines_mixed_give_the_same_graph() {
    let plain = plain(5000);
    let odd: String = plain
        .lines()
        .enumerate()
        .map(|(i, line)| match i % 5 {
            0 => format!("  {line} \r\n"),
            1 => format!("# comment\n{}\n", line.replace(' ', " \t ")),
            2 => format!("\n{}\n", line.replace(' ', ";")),
            3 => format!("{}\r\n", line.replace(' ', ",")),
            _ => format!("000{line}\n"),
        })
        .collect();
    assert_eq!(read(&plain).hash(), read(&odd).hash());
}

#[test]
fn ids_without_gaps_are_a_range_and_others_are_listed_in_order() {
    assert!(matches!(read("7 9\n8 7\n").ids(), Ids::Range { first: 7, len: 3 }));
    assert!(matches!(read("7 9\n9 7\n").ids(), Ids::Numbers(_)));
    let graph = read(format!("{} 5\n3 {}\n", u64::MAX, u64::MAX - 1));
    let max = u64::MAX;
    assert_eq!(arcs(&graph), [format!("3>{}", max - 1), format!("{max}>5")]);
}

#[test]
fn huge_ids_give_the_same_structure_as_small_ones() {
    let text = plain(3000);
    let huge: String = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(u, v)| format!("1000000000000{u:0>4} 1000000000000{v:0>4}\n"))
        .collect();
    let (small, huge) = (read(&text), read(&huge));
    assert_eq!(small.out().csr.targets()[..], huge.out().csr.targets()[..]);
    let same = |(s, h): (VertexId, VertexId)| format!("1000000000000{:0>4}", s.to_string()) == h.to_string();
    assert!((0..small.vertices() as u32).map(|v| (small.ids().id(v), huge.ids().id(v))).all(same));
}

#[test]
fn names_are_taken_whole_and_sorted() {
    let graph = read("New York,Rio\nRio,\"Paris, \"\"X\"\"\"\n");
    assert_eq!(arcs(&graph), ["New York>Rio", "Rio>Paris, \"X\""]);
    assert_eq!(arcs(&read("from,to\nb,a\n")), ["b>a"]);
    assert_eq!(arcs(&read("b a 2\na é 1\n")), ["a>é:1", "b>a:2"]);
    let options = ReadOptions { ids: IdKind::Names, ..ReadOptions::default() };
    assert_eq!(arcs(&read_with("10 9\n", &options).unwrap()), ["10>9"]);
    assert_eq!(read_with("10 9\n", &options).unwrap().ids().kind(), "names");
}

#[test]
fn a_few_names_among_numbers_make_all_ids_names_with_a_warning() {
    let graph = read(plain(100) + "n1 n2\n");
    assert_eq!(graph.ids().kind(), "names");
    assert_eq!(
        graph.origin().warnings,
        ["all ids are taken as names: line 101 (\"n1 n2\") has a name, line 1 (\"0 0\") has numbers"]
    );
}

#[test]
fn a_letter_after_a_thousand_numbers_is_a_slip() {
    let (error, help) = fails(plain(1500) + "12 3x4\n");
    assert_eq!(error, "x.txt:1501:4: expected a vertex id that is a whole number, got \"3x4\"");
    assert!(help.contains("--ids names"), "{help}");
    let (error, _) = fails("O 1\n1 2\n2 3\n");
    assert_eq!(error, "x.txt:1:1: expected a vertex id that is a whole number, got \"O\"");
    let names = ReadOptions { ids: IdKind::Names, ..ReadOptions::default() };
    assert_eq!(read_with(plain(1500) + "12 3x4\n", &names).unwrap().ids().kind(), "names");
    let numbers = ReadOptions { ids: IdKind::Numbers, ..ReadOptions::default() };
    assert!(read_with("1 2\na b\n", &numbers).is_err());
}

#[test]
fn weights_take_the_narrowest_type_that_holds_them() {
    for (text, kind, expected) in [
        ("1 2 5\n2 1 4294967295\n", WeightType::U32, ["1>2:5", "2>1:4294967295"]),
        ("1 2 5\n2 1 -3\n", WeightType::I32, ["1>2:5", "2>1:-3"]),
        ("1 2 -5\n2 1 4000000000\n", WeightType::F64, ["1>2:-5", "2>1:4000000000"]),
        ("1 2 5\n2 1 2.5\n", WeightType::F64, ["1>2:5", "2>1:2.5"]),
        ("1,2,5\n2,1,1e3\n", WeightType::F64, ["1>2:5", "2>1:1000"]),
        ("1 2 5\n2 1 9007199254740992\n", WeightType::F64, ["1>2:5", "2>1:9007199254740992"]),
    ] {
        let graph = read(text);
        assert_eq!(graph.out().weights.weight_type(), Some(kind), "{text:?}");
        assert_eq!(arcs(&graph), expected, "{text:?}");
    }
    let narrow = ReadOptions { narrow_weights: true, ..ReadOptions::default() };
    let graph = read_with("1 2 0.5\n", &narrow).unwrap();
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F32));
}

#[test]
fn pieces_with_weights_of_different_types_agree_on_one() {
    let mut text: String = (0..40_000).map(|i| format!("{} {} {}\n", i % 3000, i % 2999, i)).collect();
    assert_eq!(read(&text).out().weights.weight_type(), Some(WeightType::U32));
    text += "0 5000 -7\n";
    assert_eq!(read(&text).out().weights.weight_type(), Some(WeightType::I32));
    text.insert_str(0, "0 5001 4294967295\n");
    let graph = read(&text);
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F64));
    assert_eq!(graph.out().weights.range(), Some((-7.0, 4294967295.0)));
}

#[test]
fn what_is_no_edge_is_told_by_line_and_column() {
    for (text, message) in [
        ("1 2 3\n1 2\n", "x.txt:2:4: expected a weight, got the end of the line"),
        ("1 2 3\n1 2", "x.txt:2:4: expected a weight, got the end of the file"),
        ("1 2\n1 2 3\n", "x.txt:2:5: expected the end of the line, got \"3\""),
        ("1 2 3\n1 2 3 4\n", "x.txt:2:7: expected the end of the line, got \"4\""),
        ("1 2\n\n3\n", "x.txt:3:2: expected a target id, got the end of the line"),
        ("1,2\n,3\n", "x.txt:2:1: expected a source id, got nothing"),
        ("1 2 nan\n", "x.txt:1:5: expected a finite weight, got \"nan\""),
        ("1 2 1e999\n", "x.txt:1:5: expected a finite weight, got \"1e999\""),
        ("1 2 x\n", "x.txt:1:5: expected a weight, got \"x\""),
        (
            "1 2 9007199254740993\n",
            "x.txt:1:5: expected a whole weight of at most 2^53, which decimals hold exactly, got \
             \"9007199254740993\"",
        ),
    ] {
        let (error, help) = fails(text);
        assert_eq!(error, message, "{text:?}");
        assert!(!help.is_empty(), "{text:?}");
    }
    let (error, _) = fails(b"a \xff\xfe\nb c\n");
    assert!(error.starts_with("x.txt:1:3: expected a name in UTF-8, got"), "{error}");
}

#[test]
fn of_many_errors_the_first_in_the_file_is_told() {
    let mut text = plain(60_000);
    let at = text.match_indices('\n').nth(30_000).unwrap().0 + 1;
    text.insert_str(at, "1 y\n");
    text += "1 z\n";
    for _ in 0..3 {
        let (error, _) = fails(&text);
        assert_eq!(error, "x.txt:30002:3: expected a vertex id that is a whole number, got \"y\"");
    }
}

#[test]
fn weights_left_out_leave_other_columns_out_too() {
    let options = ReadOptions { no_weights: true, ..ReadOptions::default() };
    let graph = read_with("1 2 nan x\n2 1\n", &options).unwrap();
    assert_eq!(arcs(&graph), ["1>2", "2>1"]);
}

#[test]
fn a_header_that_says_undirected_is_believed_and_the_caller_more() {
    let text = "# Undirected graph: a\n# Nodes: 3 Edges: 2\n1 2\n3 2\n";
    let graph = read(text);
    assert_eq!(arcs(&graph), ["1>2", "2>1", "2>3", "3>2"]);
    let origin = graph.origin();
    assert_eq!((origin.listed, origin.symmetrised, origin.format.as_str()), (2, true, "edge-list"));
    assert_eq!(origin.direction_because, "the header says \"undirected graph\"");
    assert!(origin.warnings.is_empty());
    assert!(!read("% sym unweighted\n1 2\n").is_directed());
    let options = ReadOptions { directed: Some(true), ..ReadOptions::default() };
    assert!(read_with(text, &options).unwrap().is_directed());
    assert_eq!(
        read("1 2\n").origin().direction_because,
        "text edge lists are directed unless they say otherwise"
    );
}

#[test]
fn a_header_that_promises_other_numbers_is_a_warning() {
    let graph = read("# Nodes: 4 Edges: 9\n1 2\n3 2\n");
    assert_eq!(graph.origin().warnings, ["the header says 4 vertices and 9 edges, found 3 and 2"]);
}

#[test]
fn loops_and_parallel_edges_are_treated_as_asked_and_counted() {
    let options = ReadOptions {
        directed: Some(false),
        loops: Loops::Drop,
        parallel: Parallel::Sum,
        ..ReadOptions::default()
    };
    let graph = read_with("1 2 5\n2 1 6\n3 3 1\n", &options).unwrap();
    assert_eq!(arcs(&graph), ["1>2:11", "2>1:11"]);
    assert_eq!((graph.vertices(), graph.origin().loops_dropped, graph.origin().merged), (3, 1, 1));
}

#[test]
fn a_given_number_of_vertices_keeps_isolated_ones_and_bounds_the_ids() {
    let options = ReadOptions { vertices: Some(5), ..ReadOptions::default() };
    let graph = read_with("1 2\n", &options).unwrap();
    assert_eq!((graph.vertices(), graph.ids().describe()), (5, "ids 0 to 4".to_owned()));
    let error = read_with("1 2\n2 5\n", &options).unwrap_err();
    assert_eq!(error.to_string(), "x.txt:2:3: expected a vertex id from 0 to below 5, got \"5\"");
    let based = ReadOptions { base: Some(1), ..options };
    assert_eq!(arcs(&read_with("1 5\n", &based).unwrap()), ["1>5"]);
    let error = read_with("0 5\n", &based).unwrap_err();
    assert_eq!(error.to_string(), "x.txt:1:1: expected a vertex id from 1 to below 6, got \"0\"");
}

#[test]
fn a_file_without_edges_is_an_empty_graph_with_a_warning() {
    for text in ["", "\n\n", "# nothing\n", "source,target\n"] {
        let graph = read(text);
        assert_eq!((graph.vertices(), graph.arcs()), (0, 0), "{text:?}");
        assert_eq!(graph.origin().warnings, ["the file has no edges"], "{text:?}");
    }
}

#[test]
fn the_graph_is_the_same_on_any_number_of_threads() {
    let text = plain(100_000);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| read(&text).hash())
    };
    let one = on(1);
    assert!(one == on(2) && one == on(5));
}

#[test]
fn reading_stops_when_asked() {
    let control = Control::new();
    control.cancel();
    let input = Input::from_bytes("x.txt", b"1 2\n".to_vec());
    let error = Graph::read_edge_list(&input, &ReadOptions::default(), &control).unwrap_err();
    assert!(matches!(error, Error::Interrupted { .. }), "{error}");
}

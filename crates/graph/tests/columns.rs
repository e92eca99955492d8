//! Which columns of a text edge list are read, and what is said about headers and about lines that are no edges.

#![allow(clippy::unwrap_used, reason = "a test may panic in its helpers too")]

use warpgraph_graph::{Control, Graph, Header, IdKind, Input, ReadOptions, Result, WeightType};

fn read_with(text: &str, options: &ReadOptions) -> Result<Graph> {
    let input = Input::from_bytes("x.csv", text.as_bytes().to_vec());
    Graph::read_edge_list(&input, options, &Control::new())
}

fn read(text: &str) -> Graph {
    read_with(text, &ReadOptions::default()).unwrap()
}

fn fails_with(text: &str, options: &ReadOptions) -> (String, String) {
    let error = read_with(text, options).unwrap_err();
    (error.to_string(), error.help().unwrap_or_default())
}

fn fails(text: &str) -> (String, String) {
    fails_with(text, &ReadOptions::default())
}

fn columns(text: &str) -> ReadOptions {
    ReadOptions { columns: text.parse().unwrap(), ..ReadOptions::default() }
}

fn header(header: Header) -> ReadOptions {
    ReadOptions { header, ..ReadOptions::default() }
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

/// Lines `1 2`, `2 3`, ... after a first line.
fn numbered(first: &str, lines: usize) -> String {
    let lines = (1..=lines).map(|i| format!("{i},{}\n", i + 1));
    [format!("{first}\n")].into_iter().chain(lines).collect()
}

#[test]
fn names_of_columns_decide_what_they_are() {
    for (text, expected) in [
        ("dst,src\n1,2\n", "2>1"),
        ("id,source,target\n0,10,20\n", "10>20"),
        ("weight,source,target\n7,10,20\n", "10>20:7"),
        ("Source,Target,Type,Id,Label,Weight\n1,2,Directed,0,x y,2.5\n", "1>2:2.5"),
        ("follower,followee\n1,2\n", "1>2"),
        ("head\ttail\tcost\nb\ta\t3\n", "a>b:3"),
        ("u v timestamp\n1 2 1600000000\n", "1>2"),
        (",source,target\n0,5,6\n", "5>6"),
        ("\"from\";\"to\";\"amount\"\r\n\"5\";\"6\";\"2\"\r\n", "5>6:2"),
        ("src|dst|time\n1|2|2020-01-01 10:00\n", "1>2"),
        ("source,target,0\n1,2,9\n", "1>2"),
        ("from,source,to,target\n1,2,3,4\n", "2>4"),
    ] {
        let graph = read(text);
        assert_eq!(arcs(&graph), [expected], "{text:?}");
        assert_eq!(graph.origin().header.as_deref(), text.lines().next().map(str::trim), "{text:?}");
    }
}

#[test]
fn the_origin_names_the_columns_read_and_ignored() {
    let graph = read("id,dst,src,time,w\n0,2,1,99,5\n");
    let origin = graph.origin();
    assert_eq!(origin.columns, ["src", "dst", "w"]);
    assert_eq!(origin.ignored, ["id", "time"]);
    assert!(origin.warnings.is_empty());
    let json = serde_json::to_value(origin).unwrap();
    assert_eq!((&json["header"], &json["ignored"][1]), (&"id,dst,src,time,w".into(), &"time".into()));
    let graph = read("source,target,mood\n1,2,9\n");
    assert_eq!(
        graph.origin().warnings,
        ["the column \"mood\" is ignored; --columns weight=mood would take it as the weight"]
    );
    assert_eq!(arcs(&read_with("source,target,mood\n1,2,9\n", &columns("weight=mood")).unwrap()), ["1>2:9"]);
}

#[test]
fn the_caller_says_the_columns_by_name_or_position() {
    for (text, spec, expected) in [
        ("1,2,3\n", "src=2,dst=1", "2>1"),
        ("1,2,3\n", "src=2,dst=3,weight=1", "2>3:1"),
        ("a b c d\n", "src=4,dst=1", "d>a"),
        ("source,target\n1,2\n", "src=TARGET,dst=source", "2>1"),
        ("user,friend,since\nann,bob,2010\n", "src=friend,dst=user,weight=since", "bob>ann:2010"),
        ("a,b,c\n1,2,3\n", "src=3,dst=1", "3>1"),
        ("1;2;0,5\n", "src=2,dst=1,weight=3", "2>1:0.5"),
    ] {
        assert_eq!(arcs(&read_with(text, &columns(spec)).unwrap()), [expected], "{text:?} {spec}");
    }
    let (error, help) = fails_with("a,b\n1,2\n", &columns("src=x,dst=b"));
    assert_eq!(
        error,
        "x.csv: there is no column \"x\"; the columns are \"a\", \"b\": line 1 (\"a,b\"), line 2 (\"1,2\")"
    );
    assert!(help.contains("--columns src=1,dst=2"), "{help}");
    let (error, _) = fails_with("1,2\n", &columns("src=3,dst=1"));
    assert!(error.starts_with("x.csv: there is no column 3; there are 2 columns"), "{error}");
}

#[test]
fn columns_of_unknown_meaning_are_an_error_that_shows_two_lines_and_the_flag() {
    for (text, problem) in [
        (
            "1 2 3 4\n5 6 7 8\n",
            "4 columns, and no line names them: which are the source and target is unknown",
        ),
        ("a,b,c\n1,2,3\n", "3 columns, and their names do not say which are the source and target"),
        (
            "user,friend,mood\nann,bob,2010\n",
            "3 columns, and their names do not say which are the source and target",
        ),
        ("src,dst,cost,distance\n1,2,3,4\n", "the columns \"cost\", \"distance\" may all be the weight"),
        ("source,target\n1,2,3\n", "the header names 2 columns, but the next line has 3"),
        (
            "1,2,0,5\n1,2,1,5\n",
            "4 columns, and no line names them: which are the source and target is unknown",
        ),
    ] {
        let (error, help) = fails(text);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(error, format!("x.csv: {problem}: line 1 ({:?}), line 2 ({:?})", lines[0], lines[1]));
        assert!(help.contains("--columns src=1,dst=2") && help.contains("--header"), "{help}");
    }
}

#[test]
fn positions_help_where_the_header_lacks_a_name() {
    let text = "\"source\" \"target\"\n\"1\" 7 8\n\"2\" 8 9\n";
    assert!(fails(text).0.contains("the header names 2 columns, but the next line has 3"));
    assert_eq!(arcs(&read_with(text, &columns("src=2,dst=3")).unwrap()), ["7>8", "8>9"]);
}

#[test]
fn a_column_of_types_gives_the_direction() {
    let graph = read("Source,Target,Type\n1,2,Undirected\n2,3,Undirected\n");
    assert_eq!(graph.origin().direction_because, "the column \"Type\" says \"undirected\"");
    assert_eq!((graph.is_directed(), graph.arcs()), (false, 4));
    assert!(read("Source,Target,Type\n1,2,Directed\n").is_directed());
    let graph = read("Source,Target,Type\n1,2,Directed\n2,3,Undirected\n");
    assert_eq!(
        graph.origin().warnings,
        ["some lines are undirected by their \"Type\", but all are read alike"]
    );
}

#[test]
fn three_columns_without_names_stay_source_target_and_weight() {
    for text in ["1 2 0.5\n", "1,2,0.5\n", "1\t2\t0.5\n", "1 2 0.5 \n"] {
        let graph = read(text);
        assert_eq!(arcs(&graph), ["1>2:0.5"], "{text:?}");
        assert!(graph.origin().columns.is_empty() && graph.origin().header.is_none());
    }
}

#[test]
fn two_unknown_words_before_a_few_numbers_are_an_edge_with_a_warning() {
    let graph = read("alice bob\n1 2\n");
    assert_eq!(arcs(&graph), ["1>2", "alice>bob"]);
    assert_eq!(
        graph.origin().warnings,
        ["all ids are taken as names: line 1 (\"alice bob\") has a name, line 2 (\"1 2\") has numbers; \
          pass --header yes if this line names the columns"]
    );
    let graph = read_with("alice bob\n1 2\n", &header(Header::Yes)).unwrap();
    assert_eq!(arcs(&graph), ["1>2"]);
    assert_eq!(graph.origin().header.as_deref(), Some("alice bob"));
}

#[test]
fn two_unknown_words_before_many_numbers_are_a_header_with_a_warning() {
    let text = numbered("user,friend", 10);
    let graph = read(&text);
    assert_eq!((graph.arcs(), graph.ids().kind()), (10, "range"));
    assert_eq!(graph.origin().header.as_deref(), Some("user,friend"));
    assert!(
        graph.origin().warnings[0].starts_with("line 1 (\"user,friend\") is taken as a header"),
        "{:?}",
        graph.origin().warnings
    );
    assert_eq!(read_with(&text, &header(Header::No)).unwrap().arcs(), 11);
    let names = ReadOptions { ids: IdKind::Names, ..ReadOptions::default() };
    assert_eq!(read_with(&text, &names).unwrap().arcs(), 11);
}

#[test]
fn words_that_are_ids_of_other_lines_are_no_header() {
    assert_eq!(arcs(&read("from to\nto sea\n")), ["from>to", "to>sea"]);
    assert_eq!(arcs(&read("node1 node2\nnode2 node3\n")), ["node1>node2", "node2>node3"]);
    assert_eq!(arcs(&read("from from\na b\n")), ["a>b", "from>from"]);
    assert_eq!(arcs(&read("from to 5\na b 6\n")), ["a>b:6", "from>to:5"]);
    assert_eq!(arcs(&read_with("from,to\nb,a\n", &header(Header::No)).unwrap()), ["b>a", "from>to"]);
}

#[test]
fn mixed_ids_get_a_warning_with_the_first_line_of_each_kind() {
    let graph = read("# x\n1 2\n2 3\nann 3\nbob 1\n");
    assert_eq!(
        graph.origin().warnings,
        ["all ids are taken as names: line 4 (\"ann 3\") has a name, line 2 (\"1 2\") has numbers"]
    );
    assert!(read("ann 3\nbob 1\n").origin().warnings.is_empty());
}

#[test]
fn decimal_commas_are_read_beside_another_separator() {
    for text in ["1;2;0,5\n2;3;4\n", "1\t2\t0,5\n2\t3\t4\n", "a;b;w\n1;2;0,5\n2;3;4\n"] {
        let graph = read(text);
        assert_eq!(arcs(&graph), ["1>2:0.5", "2>3:4"], "{text:?}");
        assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F64));
        let warnings = graph.origin().warnings.join("\n");
        assert!(warnings.contains("weights are read with a decimal comma, as in line"), "{warnings}");
    }
    let (error, _) = fails("1;2;0,5\n1;2;1,000,5\n");
    assert_eq!(error, "x.csv:2:5: expected a weight, got \"1,000,5\"");
}

#[test]
fn empty_fields_at_the_end_of_a_line_do_not_count() {
    assert_eq!(arcs(&read("1,2,\n2,3,\n")), ["1>2", "2>3"]);
    assert_eq!(arcs(&read("source,target,\n1,2,\n")), ["1>2"]);
    assert_eq!(arcs(&read("1;2;3;\n2;3;4\n")), ["1>2:3", "2>3:4"]);
    assert_eq!(fails("1,2,3\n1,2,\n").0, "x.csv:2:5: expected a weight, got the end of the line");
    assert_eq!(fails("1,2\n1,2,,4\n").0, "x.csv:2:5: expected the end of the line, got nothing");
}

#[test]
fn an_empty_field_does_not_shift_the_others() {
    let text = "id\tsource\ttarget\ttime\n1\t2\t3\t4\n\t5\t6\t7\n";
    assert_eq!(arcs(&read(text)), ["2>3", "5>6"]);
    let (error, _) = fails("time,source,target\n1,2,3\n4,,5\n");
    assert_eq!(error, "x.csv:3:3: expected a source id in column 2, got nothing");
    let (error, _) = fails("id,source,target\n1,2,3\n4,5,6,7\n");
    assert_eq!(error, "x.csv:3:7: expected the end of the line after 3 columns, got \"7\"");
    let bare = ReadOptions { no_weights: true, ..ReadOptions::default() };
    assert_eq!(
        fails_with("1\t2\t3\n1\t\t5\n", &bare).0,
        "x.csv:2:3: expected a target id in column 2, got nothing"
    );
}

#[test]
fn arrows_are_refused_by_name() {
    for (text, arrow) in [("1 -> 2\n", "->"), ("a->b\n", "->"), ("1 -- 2\n", "--")] {
        let (error, help) = fails(text);
        assert!(
            error.ends_with(&format!("expected a blank, a tab or a comma between two ids, got {arrow:?}")),
            "{error}"
        );
        assert!(help.contains("sed"), "{help}");
    }
    assert_eq!(arcs(&read("a->b c\n")), ["a->b>c"]);
}

#[test]
fn attributes_as_networkx_writes_them_are_read() {
    let graph = read("1 2 {'weight': 4}\n2 3 {'weight': 0.5, 'color': 'red, {x}'}\n");
    assert_eq!(arcs(&graph), ["1>2:4", "2>3:0.5"]);
    assert_eq!(graph.origin().ignored, ["color"]);
    let graph = read("1 2 {}\n2 3 {}\n");
    assert_eq!(arcs(&graph), ["1>2", "2>3"]);
    assert!(graph.origin().ignored.is_empty() && graph.origin().warnings.is_empty());
    assert_eq!(arcs(&read("a,b,{'weight': np.float64(1.5)}\n")), ["a>b:1.5"]);
    assert_eq!(arcs(&read_with("1 2 {'km': 3}\n", &columns("weight=km")).unwrap()), ["1>2:3"]);
    let bare = ReadOptions { no_weights: true, ..ReadOptions::default() };
    assert_eq!(arcs(&read_with("1 2 {'weight': 'x'}\n", &bare).unwrap()), ["1>2"]);
    for (text, message) in [
        (
            "1 2 {'weight': 4}\n2 3 {}\n",
            "x.csv:2:5: expected a weight among the attributes, as in other edges, got \"{}\"",
        ),
        ("1 2 {'weight': 'x'}\n", r#"x.csv:1:5: expected a weight, got "{\'weight\': \'x\'}""#),
        ("1 2 {}\n2 3 4\n", "x.csv:2:5: expected attributes such as {'weight': 4}, got \"4\""),
        ("1 2 {}\n2 3\n", "x.csv:2:4: expected attributes such as {'weight': 4}, got nothing"),
    ] {
        assert_eq!(fails(text).0, message, "{text:?}");
    }
    let late: String = (0..1200).map(|i| format!("{i} {} {{}}\n", i + 1)).collect();
    let (error, _) = fails(&(late + "1 2 {'weight': 4}\n"));
    assert!(error.starts_with("x.csv:1201:5: expected no weight, as in the first edges"), "{error}");
}

#[test]
fn only_a_comment_that_starts_like_snaps_gives_the_direction() {
    assert!(read("# This is not an undirected graph\n1 2\n").is_directed());
    assert!(read("# made from a directed graph\n1 2\n").origin().direction_because.contains("unless"));
    assert!(!read("# Undirected graph: x.txt\n1 2\n").is_directed());
    assert!(!read("#undirected graph\n1 2\n").is_directed());
    let graph = read("# Directed graph (each unordered pair of nodes is saved once): a.txt\n1 2\n");
    assert_eq!(graph.origin().direction_because, "the header says \"directed graph\"");
}

use super::{arcs, fails, fails_with, read, read_with};
use warpgraph_graph::{ReadOptions, VertexId, WeightType, build::Loops};

const BANNER: &str = "%%MatrixMarket matrix coordinate";

fn mtx(kind: &str, body: &str) -> String {
    format!("{BANNER} {kind}\n{body}")
}

#[test]
fn a_general_pattern_is_a_directed_graph_numbered_from_1() {
    let graph = read("a.mtx", mtx("pattern general", "% note\n\n3 3 2\n1 2\n% between\n\n 3\t1 \r\n"));
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (2, 0, 1.0)]);
    assert!(graph.is_directed());
    assert_eq!(graph.ids().id(0), VertexId::Number(1));
    assert_eq!(graph.origin().direction_because, "the header says \"general\"");
    assert_eq!(graph.origin().format, "matrix-market");
    assert_eq!(graph.origin().listed, 2);
}

#[test]
fn a_symmetric_matrix_is_undirected_and_a_loop_stays_single() {
    let graph = read("a.mtx", mtx("integer symmetric", "3 3 2\n2 1 7\n3 3 4\n"));
    assert_eq!(arcs(&graph), [(0, 1, 7.0), (1, 0, 7.0), (2, 2, 4.0)]);
    assert!(!graph.is_directed());
    assert_eq!(graph.edges(), 2);
}

#[test]
fn a_skew_symmetric_matrix_has_both_arcs_of_opposite_weight() {
    let graph = read("a.mtx", mtx("real skew-symmetric", "2 2 1\n2 1 .5\n"));
    assert_eq!(arcs(&graph), [(0, 1, -0.5), (1, 0, 0.5)]);
    assert!(graph.is_directed());
    let graph = read("a.mtx", mtx("integer skew-symmetric", "2 2 1\n2 1 5\n"));
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::I32));
}

#[test]
fn weights_take_the_narrowest_type_that_holds_them() {
    let typed = |field: &str, weight: &str| {
        let graph = read("a.mtx", mtx(&format!("{field} general"), &format!("2 2 2\n1 2 {weight}\n2 1 0\n")));
        (graph.out().weights.weight_type().unwrap().name(), graph.out().weights.get(0))
    };
    assert_eq!(typed("integer", "4294967295"), ("u32", 4294967295.0));
    assert_eq!(typed("integer", "+3"), ("u32", 3.0));
    assert_eq!(typed("integer", "-2147483648"), ("i32", -2147483648.0));
    assert_eq!(typed("integer", "4294967296"), ("f64", 4294967296.0));
    assert_eq!(typed("integer", "-2147483649"), ("f64", -2147483649.0));
    assert_eq!(typed("real", "3"), ("f64", 3.0));
    assert_eq!(typed("real", "-1.25e-3"), ("f64", -0.00125));
    assert_eq!(typed("double", ".5"), ("f64", 0.5));
}

#[test]
fn explicit_zeroes_are_edges_of_weight_zero() {
    assert_eq!(arcs(&read("a.mtx", mtx("real general", "2 2 1\n1 2 0\n"))), [(0, 1, 0.0)]);
}

#[test]
fn options_override_direction_base_weights_and_loops() {
    let text = mtx("real general", "2 2 2\n0 1 1.5\n1 1 2.5\n");
    let undirected = ReadOptions { directed: Some(false), base: Some(0), ..Default::default() };
    let graph = read_with("a.mtx", text.as_str(), &undirected).unwrap();
    assert_eq!(arcs(&graph), [(0, 1, 1.5), (1, 0, 1.5), (1, 1, 2.5)]);
    assert_eq!(graph.origin().direction_because, "asked for");
    assert_eq!(graph.ids().id(0), VertexId::Number(0));
    let bare = ReadOptions { no_weights: true, loops: Loops::Drop, base: Some(0), ..Default::default() };
    let graph = read_with("a.mtx", text.as_str(), &bare).unwrap();
    assert_eq!((arcs(&graph), graph.out().weights.weight_type()), (vec![(0, 1, 1.0)], None));
    assert_eq!(graph.origin().loops_dropped, 1);
    let narrow = ReadOptions { narrow_weights: true, base: Some(0), ..Default::default() };
    let graph = read_with("a.mtx", text.as_str(), &narrow).unwrap();
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F32));
    let directed = ReadOptions { directed: Some(true), ..Default::default() };
    let graph = read_with("a.mtx", mtx("integer symmetric", "2 2 1\n2 1 7\n"), &directed).unwrap();
    assert_eq!((arcs(&graph), graph.is_directed()), (vec![(0, 1, 7.0), (1, 0, 7.0)], true));
}

#[test]
fn parallel_entries_merge_to_the_smallest() {
    let graph = read("a.mtx", mtx("integer general", "2 2 3\n1 2 7\n1 2 5\n1 2 6\n"));
    assert_eq!((arcs(&graph), graph.origin().merged), (vec![(0, 1, 5.0)], 2));
}

#[test]
fn an_empty_matrix_is_an_empty_graph() {
    let graph = read("a.mtx", mtx("pattern general", "0 0 0"));
    assert_eq!((graph.vertices(), graph.arcs()), (0, 0));
}

#[test]
fn banners_that_are_no_graph_are_refused_with_a_way_out() {
    assert_eq!(
        fails("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n"),
        "a.mtx:1:23: dense `array` matrices are not read as graphs (got \"array\")\nhelp: convert it to \
         `coordinate`, e.g. scipy.io.mmwrite(\"out.mtx\", scipy.sparse.coo_matrix(a))"
    );
    assert_eq!(
        fails("a.mtx", mtx("complex general", "1 1 0\n")),
        "a.mtx:1:34: complex weights are not supported (got \"complex\")\nhelp: write a real matrix, e.g. the moduli: \
         scipy.io.mmwrite(\"out.mtx\", abs(scipy.io.mmread(\"a.mtx\")))"
    );
    assert_eq!(
        fails("a.mtx", mtx("real Hermitian", "1 1 0\n")),
        "a.mtx:1:39: hermitian matrices are complex, which is not supported (got \"Hermitian\")\nhelp: write it as \
         `real symmetric` instead"
    );
    assert_eq!(
        fails("a.mtx", mtx("pattern skew-symmetric", "1 1 0\n")),
        "a.mtx:1: a skew-symmetric pattern contradicts itself: it has no values to negate\nhelp: change the banner to \
         `general` or `symmetric`"
    );
    assert_eq!(
        fails("a.mtx", mtx("text general", "1 1 0\n")),
        "a.mtx:1:34: expected pattern, integer or real, got \"text\"\nhelp: the first line is `%%MatrixMarket matrix \
         coordinate pattern|integer|real general|symmetric|skew-symmetric`"
    );
    assert_eq!(
        fails("a.mtx", "3 3 1\n1 2\n").lines().next().unwrap(),
        "a.mtx:1:1: expected `%%MatrixMarket`, got \"3\""
    );
    assert_eq!(
        fails("a.mtx", "").lines().next().unwrap(),
        "a.mtx:1:1: expected `%%MatrixMarket`, got the end of the file"
    );
    let undirected = ReadOptions { directed: Some(false), ..Default::default() };
    assert_eq!(
        fails_with("a.mtx", mtx("real skew-symmetric", "1 1 0\n"), &undirected).lines().next().unwrap(),
        "a.mtx: a skew-symmetric matrix cannot be read as undirected: its two arcs differ in sign"
    );
}

#[test]
fn size_lines_that_cannot_be_are_refused_before_anything_is_allocated() {
    let sized = |sizes: &str| fails("a.mtx", mtx("pattern general", &format!("%\n{sizes}\n1 1\n")));
    assert_eq!(
        sized("18446744073709551615 18446744073709551615 1"),
        "a.mtx:3: a graph of 18446744073709551615 vertices needs vertex numbers beyond 32 bits, the limit is \
         4294967295 vertices\nhelp: check the header; larger graphs are not supported"
    );
    assert_eq!(
        sized("3 3 18446744073709551615"),
        "a.mtx:3: the header promises 18446744073709551615 entries, the rest of the file has room for 1 at most\nhelp: \
         the file is cut short or its header is wrong; fetch or make it anew"
    );
    assert_eq!(
        sized("2 3 1"),
        "a.mtx:3: the matrix has 2 rows and 3 columns; only a square one is a graph\nhelp: a bipartite graph needs one \
         numbering for both sides: add the row count to the columns"
    );
    assert_eq!(
        sized("3 3 -1"),
        "a.mtx:3:5: expected the number of entries, got \"-1\"\nhelp: the first line after the comments is `rows \
         columns entries`"
    );
    assert_eq!(
        sized("18446744073709551616 1 1").lines().next().unwrap(),
        "a.mtx:3:1: expected the number of rows, got \"18446744073709551616\""
    );
    assert_eq!(
        sized("3 3").lines().next().unwrap(),
        "a.mtx:3:4: expected the number of entries, got the end of the line"
    );
    assert_eq!(
        sized("3 3 1 1").lines().next().unwrap(),
        "a.mtx:3:7: expected the end of the line, got \"1\""
    );
    assert_eq!(
        fails("a.mtx", mtx("pattern general", "% only comments\n")).lines().next().unwrap(),
        "a.mtx:3:1: expected the number of rows, got the end of the file"
    );
}

#[test]
fn entries_other_than_promised_are_counted() {
    assert_eq!(
        fails("a.mtx", mtx("pattern general", "3 3 3\n1 2\n2 3\n% no more\n")),
        "a.mtx:2: the header promises 3 entries, but 2 follow\nhelp: the file is cut short or its header is wrong; \
         fetch or make it anew"
    );
    assert_eq!(
        fails("a.mtx", mtx("pattern general", "3 3 1\n1 2\n2 3\n")),
        "a.mtx:2: the header promises 1 entries, but 2 follow\nhelp: the header is wrong, or two files were joined; \
         correct the count or make the file anew"
    );
}

#[test]
fn entries_that_cannot_be_are_named_with_line_and_column() {
    let entry = |field: &str, line: &str| {
        fails("a.mtx", mtx(&format!("{field} general"), &format!("3 3 2\n1 2 3\n{line}\n")))
    };
    assert_eq!(
        entry("integer", "0 1 5"),
        "a.mtx:4:1: expected a vertex id from 1 to 3, got \"0\"\nhelp: ids are 1-based; pass --base 0 if this file counts \
         from 0"
    );
    assert_eq!(
        entry("integer", "1 4 5"),
        "a.mtx:4:3: expected a vertex id from 1 to 3, got \"4\"\nhelp: every line names two vertices within the range the \
         header gives"
    );
    assert_eq!(
        entry("integer", "1 x 5").lines().next().unwrap(),
        "a.mtx:4:3: expected a vertex id from 1 to 3, got \"x\""
    );
    assert_eq!(
        entry("integer", "1").lines().next().unwrap(),
        "a.mtx:4:2: expected a vertex id from 1 to 3, got the end of the line"
    );
    assert_eq!(
        entry("integer", "1 2 1.5"),
        "a.mtx:4:5: expected a whole number, got \"1.5\"\nhelp: weights are whole numbers in this file; check what its \
         header says"
    );
    assert_eq!(
        entry("real", "1 2 x"),
        "a.mtx:4:5: expected a weight, got \"x\"\nhelp: a weight is a number such as 3, -1 or 2.5e-3"
    );
    assert_eq!(
        entry("real", "1 2").lines().next().unwrap(),
        "a.mtx:4:4: expected a weight, got the end of the line"
    );
    for bad in ["NaN", "inf", "-Infinity", "1e999"] {
        assert_eq!(
            entry("real", &format!("1 2 {bad}")),
            format!(
                "a.mtx:4:5: expected a finite weight, got \"{bad}\"\nhelp: remove the edge, or read with --no-weights"
            )
        );
    }
    assert_eq!(
        fails("a.mtx", mtx("pattern general", "3 3 1\n1 2 3\n")),
        "a.mtx:3:5: expected the end of the line, got \"3\"\nhelp: lines are `u v` without a weight here; check what the \
         header says"
    );
    assert_eq!(
        fails("a.mtx", mtx("pattern general", "0 0 1\n1 1\n")).lines().next().unwrap(),
        "a.mtx:3:1: expected no entries in a graph without vertices, got \"1\""
    );
}

#[test]
fn the_first_error_of_a_long_file_is_reported() {
    let lines = 200_000;
    let mut text = mtx("pattern general", &format!("9 9 {lines}\n"));
    for i in 0..lines {
        text.push_str(if i == 60_000 || i == 190_000 { "1 z\n" } else { "1 2\n" });
    }
    assert!(fails("a.mtx", text).starts_with("a.mtx:60003:3: expected a vertex id from 1 to 9, got \"z\""));
}

#[test]
fn vertices_that_the_file_does_not_back_need_a_confirmation() {
    let text = mtx("pattern general", "5000000 5000000 1\n1 2\n");
    let error = fails("a.mtx", text.clone());
    assert_eq!(
        error,
        format!(
            "a.mtx:2: 5000000 vertices in a file of {} bytes, expected 4194304 at most\n\
             help: correct the count; if nearly all vertices have no edges, confirm it with --vertices 5000000",
            text.len()
        )
    );
    let options = ReadOptions { vertices: Some(5_000_000), ..ReadOptions::default() };
    assert_eq!(read_with("a.mtx", text, &options).unwrap().vertices(), 5_000_000);
    let long = mtx("pattern general", &format!("5000000 5000000 1\n%{}\n1 2\n", "x".repeat(320_000)));
    assert_eq!(read("a.mtx", long).vertices(), 5_000_000);
}

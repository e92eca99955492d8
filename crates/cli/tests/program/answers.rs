//! Answers that need a word of their own: distances out of range, labels that never settle, graphs without vertices.

use crate::common::Bench;

#[test]
fn a_distance_out_of_range_is_an_error_with_its_vertex() {
    let bench = Bench::new();
    bench.file("a.wel", "1 2 1.7e308\n2 3 1.7e308\n");
    for order in ["natural", "random"] {
        let outcome = bench.run(&format!("run sssp a.wel --source 1 --verify -q --order {order}"));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
        assert_eq!(
            outcome.stderr,
            "warpgraph: the distance of vertex 3, over vertex 2, is beyond the range of f64\n\
             help: divide all weights by the same number, so that their sums stay in range\n",
            "{order}"
        );
    }
    assert_eq!(bench.json("run sssp a.wel --source 1 --json")["error"]["kind"], "overflow");
    bench.file("b.wel", "1 2 3e38\n2 3 3e38\n");
    let outcome = bench.run("run sssp b.wel --source 1 --weight-type f32 -q");
    assert!(
        outcome.stderr.contains("is beyond the range of f32\nhelp: read the weights as f64"),
        "{}",
        outcome.stderr
    );
    assert_eq!(bench.json("run sssp b.wel --source 1 --verify --json")["result"]["reached"], 3);
}

#[test]
fn sums_of_weights_that_may_be_out_of_range_are_refused() {
    let bench = Bench::new();
    bench.file("a.wel", "1 2 1.7e308\n1 3 1.7e308\n2 1 1\n3 1 1\n");
    for algorithm in ["pagerank", "adsorption", "bc", "label-propagation"] {
        let outcome = bench.run(&format!("run {algorithm} a.wel --weighted -q"));
        assert_eq!(outcome.code, 2, "{algorithm}: {}", outcome.stdout);
        assert!(outcome.stderr.contains("may be beyond the range of f64"), "{algorithm}: {}", outcome.stderr);
    }
}

#[test]
fn labels_that_swap_for_ever_say_so() {
    let bench = Bench::new();
    bench.file("a.el", "1 2\n");
    for limit in [2, 3, 10] {
        let json = bench.json(&format!(
            "run label-propagation a.el --undirected --max-iterations {limit} --verify --json"
        ));
        assert_eq!((json["halt"].as_str(), json["verify"].as_str()), (Some("alternates"), Some("passed")));
        let warning = json["warnings"][0].as_str().unwrap();
        assert!(warning.contains("the labels swap between two states for ever"), "{warning}");
    }
    let cut = bench.json("run label-propagation grid:40x1 --max-iterations 2 --json");
    assert_eq!(cut["halt"], "max-iterations");
}

#[test]
fn a_graph_without_vertices_is_said_to_have_none() {
    let bench = Bench::new();
    bench.file("a.el", "# nothing\n");
    for algorithm in ["bfs", "sssp"] {
        let outcome = bench.run(&format!("run {algorithm} a.el -q"));
        assert_eq!(outcome.code, 2);
        assert!(
            outcome.stderr.contains("the graph has no vertices to start from\nhelp: check the file"),
            "{}",
            outcome.stderr
        );
    }
    for algorithm in
        ["pagerank", "wcc", "scc", "mst", "triangles", "kcore", "label-propagation", "bc", "closeness"]
    {
        let outcome = bench.run(&format!("run {algorithm} a.el --verify"));
        assert_eq!(outcome.code, 0, "{algorithm}: {}", outcome.stderr);
        assert!(!outcome.stdout.contains("NaN"), "{algorithm}: {}", outcome.stdout);
    }
}

//! `partition`: slices and the report on the cut.

use crate::common::Bench;

#[test]
fn slices_are_written_and_the_cut_is_told() {
    let bench = Bench::new();
    let said = bench.json("partition kron:8 --parts 3 slices --json");
    assert_eq!(said["cut"]["parts"], 3);
    let parts = said["parts"].as_array().unwrap();
    let sum = |key: &str| parts.iter().map(|part| part[key].as_u64().unwrap()).sum::<u64>();
    let whole = bench.json("info kron:8 --json");
    assert_eq!(said["arcs"], whole["graph"]["arcs"]);
    assert_eq!((sum("vertices"), sum("arcs")), (256, said["arcs"].as_u64().unwrap()));
    assert_eq!(sum("crossing"), said["cut"]["crossing"].as_u64().unwrap());
    assert!(said["cut"]["imbalance"].as_f64().unwrap() < 1.5);
    let again = bench.run("partition kron:8 --parts 3 slices");
    assert_eq!(again.code, 2, "{}", again.stderr);
    assert_eq!(bench.run("partition kron:8 --parts 3 --order degree slices --force").code, 0);
}

#[test]
fn an_order_of_few_crossing_arcs_is_a_better_cut() {
    let bench = Bench::new();
    let crossing = |order: &str| {
        let said =
            bench.json(&format!("partition grid:40x40,shuffle --parts 4 --order {order} {order} --json"));
        said["cut"]["crossing"].as_u64().unwrap()
    };
    assert!(2 * crossing("rcm") < crossing("natural"));
}

#[test]
fn a_slice_is_refused_where_a_whole_graph_is_wanted() {
    let bench = Bench::new();
    assert_eq!(bench.run("partition kron:6 --parts 2 slices").code, 0);
    for command in
        ["run bfs slices/part-0001.wg", "info slices/part-0001.wg", "estimate bfs slices/part-0001.wg"]
    {
        let outcome = bench.run(command);
        assert_eq!(outcome.code, 2, "{command}");
        let wanted = "holds part 1 of 2 of the graph \"kron:6\", not a whole graph";
        assert!(outcome.stderr.contains(wanted), "{command}: {}", outcome.stderr);
    }
}

#[test]
fn parts_are_estimated() {
    let bench = Bench::new();
    let said = bench.json("estimate wcc kron:20 --parts 16 --json");
    assert_eq!(said["parts"]["parts"], 16);
    assert!(said["parts"]["graph_bytes"].as_u64().unwrap() < said["bytes"]["graph"].as_u64().unwrap() / 8);
    assert!(bench.run("estimate wcc kron:20 --parts 16 -q").stdout.contains("per superstep at most"));
    assert_eq!(bench.run("estimate bc kron:10 --parts 2").code, 2);
}

//! Several files as one graph, and tables of vertices.

use crate::common::Bench;

#[test]
fn a_folder_and_a_pattern_are_one_graph() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("edges")).unwrap();
    bench.file("edges/part-0.csv", "src,dst\n1,2\n").file("edges/part-1.csv", "src,dst\n2,9\n");
    bench.file("edges/_SUCCESS", "");
    for name in ["edges", "edges/part-*.csv"] {
        let report = bench.json(&format!("run wcc {name} --json --verify"));
        assert_eq!(
            (&report["graph"]["vertices"], &report["graph"]["arcs"]),
            (&3.into(), &2.into()),
            "{report}"
        );
        assert_eq!(report["origin"]["name"], name, "{report}");
    }
    let estimate = bench.run("estimate bfs edges");
    assert_eq!(estimate.code, 0, "{}", estimate.stderr);
}

#[test]
fn labels_of_the_vertex_table_are_in_the_tables_of_answers() {
    let bench = Bench::new();
    bench.file("e.csv", "src,dst\n1,2\n").file("v.csv", "id,name\n2,\"Ada, of L.\"\n5,\n1,Bob\n");
    let outcome = bench.run("run bfs e.csv --vertex-table v.csv --source 1 --out d.csv");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let table = std::fs::read_to_string(bench.path("d.csv")).unwrap();
    assert_eq!(table, "vertex,label,distance,parent\n1,Bob,0,1\n2,\"Ada, of L.\",1,1\n5,,,\n");
    for ending in ["npy", "parquet", "tsv"] {
        let outcome = bench.run(&format!("run wcc e.csv --vertex-table v.csv --out d.{ending}"));
        assert!(
            outcome.code == 0 && outcome.stdout.contains("vertex, label, component"),
            "{}",
            outcome.stdout
        );
    }
    let lost = bench.run("convert e.csv e.wg --vertex-table v.csv");
    assert!(lost.stderr.contains("a .wg file has no labels"), "{}", lost.stderr);
    let missing = bench.run("info e.csv --vertex-table v2.csv");
    assert!(missing.code != 0 && missing.stderr.contains("v2.csv: cannot open"), "{}", missing.stderr);
}

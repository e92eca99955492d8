//! What the program says about columns and headers.

use crate::common::Bench;

#[test]
fn columns_are_read_by_name_and_said_aloud() {
    let bench = Bench::new();
    bench.file("a.csv", "id,dst,src,weight\n0,20,10,7\n1,30,20,8\n");
    let outcome = bench.run("run bfs a.csv --source 10 --out - -q");
    assert_eq!(outcome.stdout, "vertex,distance,parent\n10,0,10\n20,1,10\n30,2,20\n", "{}", outcome.stderr);
    for command in ["run bfs a.csv --source 10", "info a.csv"] {
        let outcome = bench.run(command);
        let said = outcome.stdout + &outcome.stderr;
        assert!(said.contains("\"id,dst,src,weight\", skipped"), "{said}");
        assert!(said.contains("source \"src\", target \"dst\", weight \"weight\", ignored \"id\""), "{said}");
    }
    for command in ["run bfs a.csv --source 10 --json", "info a.csv --json"] {
        let origin = &bench.json(command)["origin"];
        assert_eq!(origin["header"], "id,dst,src,weight", "{command}");
        assert_eq!(origin["ignored"][0], "id", "{command}");
    }
}

#[test]
fn flags_say_the_columns_and_the_header() {
    let bench = Bench::new();
    bench.file("a.csv", "1,2,3,4\n5,6,7,8\n");
    let outcome = bench.run("info a.csv");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("line 1 (\"1,2,3,4\"), line 2 (\"5,6,7,8\")")
            && outcome.stderr.contains("--columns src=1,dst=2,weight=3"),
        "{}",
        outcome.stderr
    );
    let bfs = bench.run("run bfs a.csv --columns src=4,dst=1 --source 4 --out - -q");
    assert_eq!(bfs.stdout, "vertex,distance,parent\n1,1,4\n4,0,4\n5,,\n8,,\n", "{}", bfs.stderr);
    let estimate = bench.json("estimate bfs a.csv --columns src=4,dst=1 --json");
    assert!(estimate.get("error").is_none(), "{estimate}");
    let wrong = bench.run("info a.csv --columns 1,2");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("is not of the form src=COLUMN"), "{}", wrong.stderr);
    bench.file("b.txt", "alice bob\n1 2\n");
    let both = bench.run("info b.txt");
    assert!(
        both.stderr.contains("line 1 (\"alice bob\") has a name, line 2 (\"1 2\") has numbers"),
        "{}",
        both.stderr
    );
    assert_eq!(bench.json("info b.txt --json")["graph"]["vertices"], 4);
    assert_eq!(bench.json("info b.txt --header yes --json")["graph"]["vertices"], 2);
    assert_eq!(bench.json("info b.txt --header yes --json")["origin"]["header"], "alice bob");
}

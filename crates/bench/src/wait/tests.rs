//! A report as tables and as files, and new graphs on an open engine.

use super::{report, *};
use warpgraph::{Control, Device, Engine, Graph, graph::format::write::WriteOptions};

fn run(wall: f64, phases: [(&str, &str, f64); 3]) -> Waited {
    let phases =
        phases.map(|(lane, phase, seconds)| Spent { phase: phase.into(), lane: lane.into(), seconds });
    Waited { wall, before: 0.001, after: 0.002, phases: phases.to_vec() }
}

fn case() -> Case {
    let of = |wall, opening| {
        run(wall, [("main", "opening", opening), ("main", "other", 0.1), ("kernels", "compiling", 1.0)])
    };
    Case {
        name: "kron:4".to_owned(),
        algorithm: "bfs".to_owned(),
        device: "cuda:0".to_owned(),
        bytes: 2_000_000_000,
        limits: AtBest::new(2_000_000_000, 20e9, Some(50e9)),
        starts: vec![Start::new("cold", vec![of(0.5, 0.4), of(0.3, 0.2), of(0.4, 0.3)])],
        ..Case::default()
    }
}

#[test]
fn a_table_has_a_row_per_phase_the_whole_and_the_limits() {
    let expected = "\
| phase | cold | least |
| --- | ---: | ---: |
| before main | 1.00 ms | 1.00 ms |
| opening | 300 ms | 200 ms |
| other | 100 ms | 100 ms |
| ~ compiling | 1.00 s | 1.00 s |
| after | 2.00 ms | 2.00 ms |
| wall clock | 400 ms | 300 ms |
| at best: page cache | 100 ms |  |
| at best: bus | 40.0 ms |  |
| at best: both | 140 ms |  |
";
    assert_eq!(report::sheet(&case()).markdown(), expected);
    let mut both = case();
    both.starts.push(Start::new("open", vec![run(0.2, [("main", "running", 0.1); 3])]));
    let text = report::sheet(&both).markdown();
    assert!(text.contains("| opening | 300 ms | 200 ms | - | - |\n"), "{text}");
    assert!(report::NOTE.lines().all(|line| line.len() <= 80));
}

#[test]
fn a_report_is_written_read_back_and_not_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let report = Report { memory: 20e9, cases: vec![case()], ..Report::new("0.0.0", 2, 3) };
    report::check(folder.path(), false).unwrap();
    report::write(folder.path(), &report).unwrap();
    assert_eq!(Report::read(&folder.path().join("wait.json")).unwrap(), report);
    assert!(
        std::fs::read_to_string(folder.path().join("wait.md"))
            .unwrap()
            .contains("## bfs on kron:4 (1.9 GiB)")
    );
    assert!(report::check(folder.path(), false).is_err() && report::check(folder.path(), true).is_ok());
}

#[test]
fn the_exit_code_says_whether_answers_were_right_and_anything_was_measured() {
    let with = |verify: &str, error| Case { verify: Some(verify.to_owned()), error, ..case() };
    let code = |cases| Report { cases, ..Report::new("0", 1, 1) }.exit_code();
    let error = || Some(Failure::new("io", "gone"));
    assert_eq!(code(vec![with("passed", None), with("passed", error())]), 0);
    assert_eq!(code(vec![with("failed", None), with("passed", error())]), 1);
    assert_eq!(code(vec![with("passed", error())]), 2);
}

#[test]
fn a_new_graph_on_an_open_engine_is_opened_checked_and_answered_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let (file, control) = (folder.path().join("a.wg"), Control::new());
    let graph = Graph::from_edges(4, &[(0, 1), (1, 2)], false).unwrap();
    graph.write(&file, &WriteOptions::default(), &control).unwrap();
    let engine = Engine::on(Device::Cpu, Some(1)).unwrap();
    let question = warpgraph::find("bfs").unwrap().usual();
    let runs = opened::measure(&engine, &*question, &file, 3, &control).unwrap();
    assert_eq!(runs.len(), 3);
    for run in &runs {
        let main: f64 =
            run.phases.iter().filter(|spent| spent.lane == "main").map(|spent| spent.seconds).sum();
        assert!((main - run.wall).abs() < 1e-8, "{run:?}");
        let has = |phase: &str| run.phases.iter().any(|spent| spent.phase == phase);
        assert!(has("opening") && has("checking") && has("running") && !has("threads"), "{run:?}");
    }
    control.cancel();
    assert!(opened::measure(&engine, &*question, &file, 1, &control).is_err());
}

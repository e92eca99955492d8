//! Paths are made by the runs that need them, and kept.

use crate::{Answer, Device, Engine, Graph, Order, Plan, Wcc};
use std::sync::Arc;

#[test]
fn an_open_plan_makes_no_paths_and_one_that_names_them_keeps_them() {
    let edges: Vec<_> = (1..60).map(|v| (v / 3, v)).collect();
    let graph = Graph::from_edges(60, &edges, false).unwrap();
    let loaded = Engine::on(Device::Cpu, Some(2)).unwrap().load(&graph, Order::Degree).unwrap();
    let run = |plan: &str| {
        let answer = loaded.wcc(Wcc {}).plan(plan.parse().unwrap()).run().unwrap();
        assert_eq!(answer.components(), [0; 60], "{plan}");
        answer.run().paths
    };
    assert!(run("auto").is_none() && loaded.paths().is_none());
    let made = run("paths").unwrap();
    let first = loaded.paths().unwrap();
    assert!(made.making_seconds > 0.0 && first.found().edges() == 59, "{made:?}");
    assert_eq!(run("paths(np=1)").unwrap().making_seconds, 0.0, "the same paths will do");
    assert!(Arc::ptr_eq(&first, &loaded.paths().unwrap()));
    assert!(run("paths(lambda=0.5)").unwrap().making_seconds > 0.0);
    assert!(!Arc::ptr_eq(&first, &loaded.paths().unwrap()), "other hubs, other paths");
    assert!(run("auto").is_none(), "kept paths do not change an open plan");
    let importance: Vec<f64> = (0..60).map(f64::from).collect();
    let own = loaded
        .make_paths(Plan::PATHS.paths().unwrap(), Some(("last", &importance)), &Default::default())
        .unwrap();
    assert_eq!((own.recipe().importance.as_str(), run("paths").unwrap().making_seconds), ("last", 0.0));
    let short = loaded.make_paths(Plan::PATHS.paths().unwrap(), Some(("short", &[1.0])), &Default::default());
    assert_eq!(short.unwrap_err().to_string(), "1 numbers of importance for 60 vertices");
}

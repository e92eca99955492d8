//! A kernel that traps: the device is lost, for good and alone.

use crate::common::{QUESTIONS, engine, graph, load, spread};
use std::time::{Duration, Instant};
use warpgraph::{Answer, Bfs, Device, Engine, Order, Wcc, devices::simt::Faults};

fn trapping(launch: u64) -> Engine {
    engine(Faults { trap: Some(launch), ..Faults::default() })
}

#[test]
fn whichever_launch_traps_the_device_is_lost_with_the_name_of_the_kernel() {
    for question in &QUESTIONS {
        for n in spread() {
            let engine = trapping(n);
            let loaded = load(&engine);
            let Err(error) = question.ask(&loaded) else {
                assert!(n > question.least_launches(), "{} made fewer than {n} launches only", question.name);
                break;
            };
            let at = format!("{}, launch {n}", question.name);
            assert_eq!(error.kind(), "device-lost", "{at}: {error}");
            let text = error.to_string();
            assert!(text.starts_with("simt is lost: kernel ") && text.contains(": trapped"), "{at}: {text}");
            assert!(error.help().unwrap().starts_with("start the process again"), "{at}: {error:?}");
        }
    }
}

#[test]
fn every_later_run_on_a_lost_device_gives_the_first_error_at_once() {
    let engine = trapping(1);
    let before = load(&engine);
    let first = QUESTIONS[0].ask(&before).unwrap_err();
    let start = Instant::now();
    for question in &QUESTIONS {
        for loaded in [&before, &before.clone(), &load(&engine)] {
            let again = question.ask(loaded).unwrap_err();
            assert_eq!(
                (again.kind(), again.to_string()),
                ("device-lost", first.to_string()),
                "{}",
                question.name
            );
            assert_eq!(again.help(), first.help(), "{}", question.name);
        }
    }
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert!(engine.gpu().unwrap().lost().is_some());
}

#[test]
fn other_devices_go_on_while_one_is_lost() {
    let (lost, other) = (trapping(1), engine(Faults::default()));
    let cpu = Engine::on(Device::Cpu, Some(1)).unwrap();
    let (on_lost, on_other, on_cpu) = (load(&lost), load(&other), load(&cpu));
    QUESTIONS[0].ask(&on_other).unwrap();
    for question in &QUESTIONS {
        assert_eq!(question.ask(&on_lost).unwrap_err().kind(), "device-lost");
        question.ask(&on_other).unwrap();
        question.ask(&on_cpu).unwrap();
    }
    // A device that is opened anew is as good as any.
    drop((on_lost, lost));
    let anew = load(&trapping(u64::MAX)).wcc(Wcc {}).run().unwrap();
    assert_eq!(anew.run().device, warpgraph::Device::Simt);
}

#[test]
fn runs_that_wait_for_their_turn_on_a_device_that_is_lost_all_end() {
    let engine = trapping(1);
    let loaded = engine.load(&graph(), Order::Natural).unwrap();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|source| {
                scope.spawn({
                    let loaded = &loaded;
                    move || loaded.bfs(Bfs::from(source)).run()
                })
            })
            .collect();
        for run in runs {
            assert_eq!(run.join().unwrap().unwrap_err().kind(), "device-lost");
        }
    });
}

//! Disks that fail under every writer: nothing half-written is left, and what was there stays.

// Helpers outside of #[test] functions unwrap too: a failure there is a failed test.
#![allow(clippy::unwrap_used)]

mod disk;

use disk::{Fault, Faulty, Step, survives_every_fault};
use std::{fs, io::Write, path::Path};
use warpgraph_graph::{
    AtomicFile, Control, Error, Graph,
    format::write::{OutputFormat, WriteOptions},
    generate::Spec,
};

/// A graph whose files take several writes.
fn graph() -> Graph {
    let spec: Spec = "uniform:14,degree=8,w=1..9".parse().unwrap();
    spec.generate(&Control::new()).unwrap()
}

fn save(graph: &Graph, path: &Path) -> Result<(), Error> {
    graph.write(path, &WriteOptions { format: None, force: true }, &Control::new())
}

#[test]
fn every_graph_writer_survives_every_fault() {
    let graph = graph();
    for &format in OutputFormat::ALL {
        let steps = survives_every_fault(&format!("a.{format}"), |path| save(&graph, path));
        let writes = steps.iter().filter(|s| **s == Step::Write).count();
        assert!(writes >= 3, "{format}: {writes} writes are too few to test");
        assert_eq!(steps[0], Step::Create);
        assert_eq!(steps[steps.len() - 2..], [Step::Sync, Step::Rename]);
    }
}

#[test]
fn a_small_file_survives_every_fault() {
    let steps = survives_every_fault("a", |path| {
        let mut file = AtomicFile::create(path, true)?;
        file.write_all(b"whole").map_err(|e| Error::io(path, "write", e))?;
        file.commit()
    });
    assert_eq!(steps, [Step::Create, Step::Write, Step::Sync, Step::Rename]);
}

#[test]
fn a_new_file_is_not_there_after_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph();
    let save = |path: &Path| graph.write(path, &WriteOptions::default(), &Control::new());
    let path = folder.path().join("a.el");
    let (_, steps) = Faulty::run(Fault::None, || save(&path));
    fs::remove_file(&path).unwrap();
    for at in [0, 1, steps.len() / 2, steps.len() - 2, steps.len() - 1] {
        let fault = Fault::From { at, kind: std::io::ErrorKind::StorageFull };
        assert_eq!(Faulty::run(fault, || save(&path)).0.unwrap_err().kind(), "io");
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "{at}");
    }
}

#[test]
fn another_thread_and_a_later_file_are_not_on_the_failing_disk() {
    let folder = tempfile::tempdir().unwrap();
    let fault = Fault::From { at: 0, kind: std::io::ErrorKind::StorageFull };
    let (other, _) = Faulty::run(fault, || {
        std::thread::scope(|s| {
            s.spawn(|| AtomicFile::create(folder.path().join("a"), false)?.commit()).join().unwrap()
        })
    });
    other.unwrap();
    AtomicFile::create(folder.path().join("b"), false).unwrap().commit().unwrap();
}

#[test]
fn a_folder_that_vanishes_is_an_error_at_the_rename() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let path = inner.join("a");
    let mut file = AtomicFile::create(&path, false).unwrap();
    file.write_all(b"text").unwrap();
    fs::remove_dir_all(&inner).unwrap();
    let error = file.commit().unwrap_err();
    let text = format!("{}: cannot rename: No such file or directory (os error 2)", path.display());
    assert_eq!(error.to_string(), text);
    assert!(!inner.exists());
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux has /dev/full")]
fn a_full_device_is_named_by_every_graph_writer() {
    for &format in OutputFormat::ALL {
        let options = WriteOptions { format: Some(format), force: false };
        let error = graph().write("/dev/full", &options, &Control::new()).unwrap_err();
        assert_eq!(error.to_string(), "/dev/full: cannot write: No space left on device (os error 28)");
    }
}

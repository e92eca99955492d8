//! No compiler, and no place to keep what it made.

use crate::common::{QUESTIONS, engine, engine_with, load};
use warpgraph::{Answer, Device, Engine, Settings, Wcc, devices::simt::Faults};

#[test]
fn without_a_compiler_a_run_is_an_error_that_names_what_installs_one() {
    let engine = engine(Faults { no_compiler: true, ..Faults::default() });
    let loaded = load(&engine);
    for question in QUESTIONS.iter().chain(&QUESTIONS) {
        let error = question.ask(&loaded).unwrap_err();
        assert_eq!(error.kind(), "no-compiler", "{}: {error}", question.name);
        assert!(error.to_string().starts_with("a C++ compiler was not found: "), "{error}");
        assert!(error.help().unwrap().contains("apt install g++"), "{error:?}");
    }
    assert!(engine.gpu().unwrap().lost().is_none(), "it is all there but for the compiler");
    let cpu = Engine::on(Device::Cpu, Some(1)).unwrap();
    QUESTIONS[0].ask(&load(&cpu)).unwrap();
}

#[test]
fn a_cache_that_cannot_be_written_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    // Within a file there are no folders, not even for the superuser.
    for cache in [file.clone(), file.join("kernels")] {
        let settings = Settings { cache: Some(cache), ..Settings::default() };
        let engine = engine_with(&settings, Faults::default());
        let loaded = load(&engine);
        let job = || loaded.wcc(Wcc {}).plan("push+node".parse().unwrap());
        let first = job().run().unwrap();
        first.verify(loaded.graph()).unwrap();
        assert!(first.run().compile_seconds > 0.0);
        assert_eq!(job().run().unwrap().run().compile_seconds, 0.0, "within the engine they stay");
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
}

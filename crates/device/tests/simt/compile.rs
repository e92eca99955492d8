//! From text to kernels: errors of the compiler, texts that are kept, kernels of a module.

use crate::common::{Bench, Io, block, body, line_of, module, settings};
use std::sync::{Arc, Mutex};
use warpgraph_device::{
    Arguments, Error, PRELUDE, Settings, Source,
    simt::{Simt, SimtOptions},
};

fn compile_error(source: &Source) -> String {
    let gpu = Simt::open(&settings(), SimtOptions::default()).unwrap();
    match gpu.compile(source).unwrap_err() {
        Error::Compile { name, target, log, .. } => {
            assert_eq!((name.as_str(), target.as_str()), ("test", "simt"));
            log
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_kernel_that_does_not_compile_is_shown_with_its_lines() {
    let source = body("u32 a = 1;\nu32 b = nonsense(a);\nu32 c = b;");
    let line = line_of(&source, "nonsense");
    let log = compile_error(&source);
    assert!(log.contains(&format!("test.cu:{line}:")), "{log}");
    assert!(
        log.contains(&format!(">{line:>5} | u32 b = nonsense(a);\n {:>5} | u32 c = b;", line + 1)),
        "{log}"
    );
}

#[test]
fn arguments_with_another_layout_than_in_rust_do_not_compile() {
    let text = Io::cuda().replace("u32 count;", "u64 count;");
    assert_ne!(text, Io::cuda());
    let root = format!("#include \"prelude.cuh\"\n{text}KERNEL(k, Io) {{}}\n");
    let source = Source::assemble("test", &root, &[PRELUDE], vec!["k"]).unwrap();
    assert!(compile_error(&source).contains("Io.other"), "{}", compile_error(&source));
}

#[test]
fn only_plain_values_of_eight_bytes_are_shuffled() {
    let log = compile_error(&body("struct Big { u64 a, b; }; warp_shuffle(FULL_WARP, Big{}, 0);"));
    assert!(log.contains("shuffles carry plain values of up to 8 bytes"), "{log}");
}

#[test]
fn arguments_of_another_size_are_refused() {
    warpgraph_device::arguments! {
        struct Other { x: u32, }
    }
    let bench = Bench::new(&body(""));
    // SAFETY: it is refused.
    let error = unsafe { bench.gpu.launch(&bench.kernel, block(1), &Other { x: 1 }) }.unwrap_err();
    assert!(error.to_string().contains("k takes 32 bytes of arguments, 4 were given"), "{error}");
}

#[test]
fn a_kernel_that_is_not_there_is_named_with_those_that_are() {
    let gpu = Simt::open(&settings(), SimtOptions::default()).unwrap();
    let kernel = |name| format!("KERNEL({name}, Io) {{}}\n");
    let source = module(&(kernel("k") + &kernel("write")), vec!["k", "write", "gone"]);
    let compiled = gpu.compile(&source).unwrap();
    // The C library has a function of this name.
    compiled.kernel("write").unwrap();
    let error = compiled.kernel("l").unwrap_err().to_string();
    assert!(error.contains("test has no kernel l; it has k, write, gone"), "{error}");
    let error = compiled.kernel("gone").unwrap_err().to_string();
    assert!(error.contains("test lists kernel gone but does not define it"), "{error}");
}

#[test]
fn texts_are_kept_where_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("deep/kernels");
    let settings = Settings { keep_kernels: Some(kept.clone()), ..settings() };
    let source = body("args.output[0] = 1;");
    Simt::open(&settings, SimtOptions::default()).unwrap().compile(&source).unwrap();
    assert_eq!(std::fs::read_to_string(kept.join("test.cu")).unwrap(), source.text);

    std::fs::write(folder.path().join("file"), "").unwrap();
    let settings = Settings { keep_kernels: Some(folder.path().join("file")), ..settings };
    let error = Simt::open(&settings, SimtOptions::default()).unwrap().compile(&source).unwrap_err();
    assert!(matches!(&error, Error::File { path, .. } if path.ends_with("file/test.cu")), "{error}");
}

#[test]
fn compiling_reports_the_name_of_the_module() {
    let (told, folder) = (Arc::new(Mutex::new(Vec::new())), tempfile::tempdir().unwrap());
    let tell = {
        let told = told.clone();
        Arc::new(move |name: &str| told.lock().unwrap().push(name.to_owned()))
    };
    let cache = Some(folder.path().to_owned());
    let settings = Settings { cache, compiling: Some(tell), ..Settings::default() };
    let gpu = Simt::open(&settings, SimtOptions::default()).unwrap();
    gpu.compile(&body("")).unwrap();
    gpu.compile(&body("")).unwrap();
    assert_eq!(*told.lock().unwrap(), ["test"]);
    assert!(gpu.compile_seconds() > 0.0);
}

#[test]
fn modules_have_memory_of_their_own_however_many_there_are() {
    // The loader identifies libraries by path, and a path is reused after a device is gone.
    for round in 0..3u32 {
        let text = |x: u32| {
            format!(
                "SHARED(u32, s); if (thread_in_block() == 0) s = {x}; block_sync(); args.output[thread_in_block()] = s;"
            )
        };
        let benches: Vec<Bench> = (0..3).map(|i| Bench::new(&body(&text(10 * round + i)))).collect();
        for (i, bench) in (0..).zip(&benches) {
            assert_eq!(bench.run(block(40), &[0], 40, false).unwrap(), [10 * round + i; 40]);
        }
    }
}

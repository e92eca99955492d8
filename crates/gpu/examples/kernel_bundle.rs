//! Compiles the kernels of a release and writes them into one file: the bundle. Needs NVRTC 12.9, which is the only one
//! that knows all architectures, and no GPU. `docs/testing.md` has the command.
//!
//! Usage: `kernel_bundle LIBNVRTC FILE`

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};
use warpgraph_device::{Source, bundle, nvrtc::Nvrtc};
use warpgraph_gpu::ahead;

/// The most bytes of a bundle.
const MOST: u64 = 5_000_000;

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let made = match &paths[..] {
        [library, file] => make(library, file),
        _ => Err("usage: kernel_bundle LIBNVRTC FILE".into()),
    };
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kernel_bundle: {error}");
            ExitCode::from(2)
        }
    }
}

/// Reads the bundle back as a device does.
fn check(file: &Path, all: &[(Arc<Source>, u32)]) -> Result<(), Box<dyn std::error::Error>> {
    let (bundle, start) = (bundle::Bundle::open(file), Instant::now());
    let mut bytes = 0;
    for (source, sm) in all {
        let cubin = bundle.get(&source.text, *sm);
        bytes += cubin.ok_or_else(|| format!("{} for sm_{sm} cannot be read back", source.name))?.len();
    }
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    println!("{} cubins of {bytes} bytes read back in {milliseconds:.0} ms", all.len());
    Ok(())
}

fn make(library: &Path, file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let (nvrtc, start) = (Nvrtc::open(library)?, Instant::now());
    let mut all: Vec<(Arc<Source>, u32)> = Vec::new();
    for sm in ahead::ARCHITECTURES {
        all.extend(ahead::bundled(sm)?.into_iter().map(|source| (source, sm)));
    }
    let making: Vec<bundle::Making<'_>> = all.iter().map(|(source, sm)| (&**source, *sm)).collect();
    let sizes = Mutex::new(BTreeMap::<u32, (u32, usize)>::new());
    let tell = |name: &str, sm: u32, bytes: usize| {
        let mut sizes = sizes.lock().unwrap_or_else(PoisonError::into_inner);
        let of = sizes.entry(sm).or_default();
        *of = (of.0 + 1, of.1 + bytes);
        println!("{name} for sm_{sm}: {bytes} bytes");
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let bytes = bundle::write(file, &nvrtc, &making, threads, &tell)?;
    for (sm, (modules, bytes)) in &*sizes.lock().unwrap_or_else(PoisonError::into_inner) {
        println!("sm_{sm}: {modules} modules, {bytes} bytes");
    }
    check(file, &all)?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{}: {} modules by {}, {bytes} bytes, {seconds:.0} s", file.display(), all.len(), nvrtc.name());
    if bytes > MOST {
        return Err(format!("a release has room for {MOST} bytes: shorten ahead::bundled").into());
    }
    Ok(())
}

//! Checks that a device does what the engine needs: opens it, runs kernels with known answers, and prints one line,
//! `ok` or `FAILED`, per check.
//!
//! `cargo run --release -p warpgraph-device --example device_check -- [--device cuda:0]`; exit status 1 if anything
//! failed.

mod checks;
mod kernels;
mod residency;
mod timings;

use checks::Seen;
use std::{
    cell::Cell,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};
use warpgraph_device::{Device, Error, Gpu, Result, Settings, cuda};

/// The budget to test with.
const BUDGET: u64 = 3_000_001;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let label = match (arguments.next().as_deref(), arguments.next(), arguments.next()) {
        (None, ..) => "cuda:0".to_owned(),
        (Some("--device"), Some(label), None) => label,
        _ => {
            eprintln!("device_check [--device cuda:0]");
            return ExitCode::from(2);
        }
    };
    let Ok(folder) = tempfile::tempdir() else {
        eprintln!("device_check: no folder for temporary files");
        return ExitCode::from(2);
    };
    let settings = Settings { cache: Some(folder.path().join("cache")), ..Settings::default() };
    match open(&label, &settings) {
        Ok(device) => check(&label, Gpu::new(device), &settings),
        Err(error) => {
            println!("FAILED open {label}: {error}\nhelp: {}", error.help());
            ExitCode::FAILURE
        }
    }
}

/// A device by its label.
fn open(label: &str, settings: &Settings) -> Result<Box<dyn Device>> {
    match label.strip_prefix("cuda:").and_then(|index| index.parse().ok()) {
        Some(index) => cuda::device(index, settings),
        None => Err(Error::NoDevice {
            label: label.to_owned(),
            what: "devices are cuda:0, cuda:1, ...".to_owned(),
        }),
    }
}

/// Runs all checks; the one that loses the device comes last.
fn check(label: &str, gpu: Gpu, settings: &Settings) -> ExitCode {
    println!("{:#?}", gpu.properties());
    let failed = Cell::new(0);
    let say = |name: &str, seen: Seen| match seen {
        Ok(seen) => println!("ok     {name}: {seen}"),
        Err(why) => {
            failed.set(failed.get() + 1);
            println!("FAILED {name}: {why}");
        }
    };
    let another = |settings: &Settings| open(label, settings).map_err(|error| error.to_string());

    let compiled =
        kernels::source().and_then(|source| gpu.compile(&source)).map_err(|error| error.to_string());
    say("compile", compiled.map(|_| format!("{:.3} s", gpu.compile_seconds())));
    let compiled = Arc::new(AtomicU32::new(0));
    let count = compiled.clone();
    let tell = move |_: &str| {
        count.fetch_add(1, Ordering::Relaxed);
    };
    let telling = Settings { compiling: Some(Arc::new(tell)), ..settings.clone() };
    say("cache", another(&telling).and_then(|device| cached(&Gpu::new(device), &compiled)));
    say("vector add", checks::vector_add(&gpu));
    say("warps", checks::warps(&gpu));
    say("block reduce", checks::block_reduce(&gpu));
    say("shared memory", checks::shared_memory(&gpu));
    say("grid barrier", checks::grid_barrier(&gpu));
    say("arithmetic", checks::arithmetic(&gpu));
    say("cancel", checks::cancel(&gpu));
    say("streams", another(settings).and_then(|device| checks::streams(&*device)));
    say("threads", threads(&gpu));
    say("in place", residency::in_place(&gpu));
    say("pages", residency::pages(&gpu));
    say("managed", residency::managed(&gpu));
    say("relay", residency::relay(&gpu));
    say("copies", timings::copies(&gpu));
    say("launches", timings::launches(&gpu));
    say("allocations", timings::allocations(&gpu));
    say("no room", checks::no_room(&gpu));
    let limited = Settings { memory_budget: Some(BUDGET), ..settings.clone() };
    say("budget", another(&limited).and_then(|device| checks::budget(&Gpu::new(device), BUDGET)));
    say("trap", checks::trap(&gpu));
    drop(gpu);
    println!("{} failed", failed.get());
    ExitCode::from(u8::from(failed.get() > 0))
}

/// Checks that a second handle takes from the cache what the first one compiled.
fn cached(gpu: &Gpu, compiled: &AtomicU32) -> Seen {
    checks::vector_add(gpu)?;
    match compiled.load(Ordering::Relaxed) {
        0 => Ok(format!("{:.3} s", gpu.compile_seconds())),
        times => Err(format!("compiled {times} times more")),
    }
}

/// Checks that several threads can use one handle.
fn threads(gpu: &Gpu) -> Seen {
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(|| checks::block_reduce(gpu))).collect();
        for thread in all {
            thread.join().map_err(|_| "a thread panicked".to_owned())??;
        }
        Ok("4 at once".to_owned())
    })
}

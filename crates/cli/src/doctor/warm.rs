//! `doctor --warm`: compiles kernels before they are needed, and leaves them in the cache.

use crate::{
    console::{self, counted, seconds},
    failure::{Failure, Result},
    put_json,
    report::{SCHEMA, VERSION},
    session::{Session, Working},
};
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};
use warpgraph::{Device, Engine, Gpu, Settings, ahead};

/// What was done.
struct Warmed {
    modules: usize,
    compiled: usize,
    seconds: f64,
}

/// Compiles what the default forms of the named algorithms, or of all, need on a GPU.
pub(super) fn run(working: &Working, device: &str, names: &[String]) -> Result<u8> {
    let names = names.iter().map(|name| Ok(warpgraph::find(name)?.name)).collect::<Result<Vec<_>>>()?;
    let session = Session::start(working)?;
    let compiled = Arc::new(AtomicUsize::new(0));
    let engine = opened(device, &session, settings(&compiled, working.talks()))?;
    let Some(gpu) = engine.gpu() else { return Err(none(device)) };
    let start = Instant::now();
    let modules = compile(gpu, &session, &names)?;
    let seconds = start.elapsed().as_secs_f64();
    let warmed = Warmed { modules, compiled: compiled.load(Ordering::Relaxed), seconds };
    tell(&warmed, gpu, working.json)?;
    Ok(0)
}

/// Counts the modules that are compiled, and prints their names if wanted.
fn settings(compiled: &Arc<AtomicUsize>, talks: bool) -> Settings {
    let compiled = Arc::clone(compiled);
    let compiling = move |name: &str| {
        let number = compiled.fetch_add(1, Ordering::Relaxed) + 1;
        if talks {
            console::err(&format!("  {number}: {name}\n"));
        }
    };
    Settings { compiling: Some(Arc::new(compiling)), ..Settings::default() }
}

/// Opens the GPU of that name.
fn opened(device: &str, session: &Session, settings: Settings) -> Result<Engine> {
    let asked = match device.parse()? {
        Device::Auto => Device::FIRST_GPU,
        Device::Cpu => return Err(none(device)),
        gpu => gpu,
    };
    Ok(Engine::with(asked, Some(session.engine.threads()), settings)?)
}

fn none(device: &str) -> Failure {
    let what = format!("--warm compiles for a GPU, and --device {device} is none");
    Failure::new("refused", what, "use --device cuda, or cuda:N for another GPU")
}

/// Compiles until all modules are there. Returns their number.
fn compile(gpu: &Gpu, session: &Session, names: &[&str]) -> Result<usize> {
    let modules = ahead::usual(names)?;
    session.say(&format!("compiling for {}\n", gpu.properties().label));
    ahead::compile(gpu, &modules, &session.control)?;
    Ok(modules.len())
}

fn tell(warmed: &Warmed, gpu: &Gpu, as_json: bool) -> Result<()> {
    let &Warmed { modules, compiled, seconds: time } = warmed;
    let (label, there) = (&gpu.properties().label, modules.saturating_sub(compiled));
    if as_json {
        return put_json(&json!({
            "schema": SCHEMA, "version": VERSION, "command": "doctor", "device": label,
            "warm": { "modules": modules, "compiled": compiled, "found": there, "seconds": time },
        }));
    }
    let modules = counted(modules as u64, "module", "modules");
    let text = format!("{modules} for {label}: {compiled} compiled, {there} were there, {}\n", seconds(time));
    console::out(&text).map_err(Failure::stdout)
}

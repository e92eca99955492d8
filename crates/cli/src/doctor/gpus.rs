//! Findings about GPUs: driver, compiler, devices, kernel cache, and what the simulator needs. What is missing comes
//! with the command that installs it. A machine without a GPU counts as healthy.

use super::findings::Finding;
use crate::{
    console::{bytes, counted},
    session::Session,
};
use serde::Serialize;
use warpgraph::{
    CostModel, Device, Engine, Gpu, Properties, cost_model,
    devices::{
        Cache, Error,
        bundle::{self, Bundle},
        cuda,
        nvrtc::Nvrtc,
    },
};

/// The findings, and the engines that work.
pub(super) struct Gpus {
    pub(super) findings: Vec<Finding>,
    pub(super) devices: Vec<DeviceReport>,
    pub(super) engines: Vec<Engine>,
}

/// A GPU, or the simulator.
#[derive(Serialize)]
pub(super) struct DeviceReport {
    pub(super) label: String,
    name: String,
    capability: String,
    multiprocessors: u32,
    memory: u64,
    /// Null if it could not be opened.
    free: Option<u64>,
    driver: String,
    compiler: String,
    /// Why it could not be opened.
    error: Option<String>,
    /// What balances cost on it; null if it could not be opened.
    pub(super) cost_model: Option<CostModel>,
}

/// Checks everything about GPUs.
pub(super) fn look(session: &Session) -> Gpus {
    let mut gpus = Gpus { findings: Vec::new(), devices: Vec::new(), engines: Vec::new() };
    match cuda::list() {
        Ok(list) => gpus.add_cards(session, &list),
        Err(error) => gpus.findings.push(missing("gpu", &error)),
    }
    gpus.findings.push(compiler(Nvrtc::find()));
    gpus.findings.push(cache(&Cache::open(None)));
    gpus.findings.push(bundle(&Bundle::find(None)));
    gpus.add_simulator(session);
    gpus
}

impl Gpus {
    fn add_cards(&mut self, session: &Session, list: &[Properties]) {
        match list.first() {
            Some(first) => self.findings.push(Finding::fine("driver", first.driver.clone())),
            None => {
                let fix = "nvidia-smi must list it; in a container, start it with --gpus all";
                self.findings.push(Finding::note("gpu", "there is a driver, and it shows no GPU", fix));
            }
        }
        for card in list {
            let opened = card.label.parse().and_then(|device| session.beside(device));
            self.findings.push(match &opened {
                Ok(engine) if card.compiler.is_empty() => {
                    let known = "without NVRTC it runs only kernels that the cache or the bundle has";
                    let value = format!("{}; {known}", described(card, free(engine)));
                    Finding::note("gpu", value, "")
                }
                Ok(engine) => Finding::fine("gpu", described(card, free(engine))),
                Err(error) => {
                    let value = format!("{}; it cannot be used: {error}", described(card, None));
                    Finding::note("gpu", value, error.help().unwrap_or_default())
                }
            });
            self.add(card, opened);
        }
    }

    fn add_simulator(&mut self, session: &Session) {
        match session.beside(Device::Simt) {
            Ok(engine) => {
                let Some(simulated) = engine.gpu().map(|gpu| gpu.properties().clone()) else { return };
                let value = format!("{}: kernels can be tested with --device simt", simulated.compiler);
                self.findings.push(Finding::fine("simulator", value));
                self.add(&simulated, Ok(engine));
            }
            Err(error) => {
                let value = format!("--device simt cannot be used: {error}");
                self.findings.push(Finding::note("simulator", value, error.help().unwrap_or_default()));
            }
        }
    }

    fn add(&mut self, device: &Properties, opened: warpgraph::Result<Engine>) {
        let (free, error) = match &opened {
            Ok(engine) => (free(engine), None),
            Err(error) => (None, Some(error.to_string())),
        };
        self.devices.push(DeviceReport {
            label: device.label.clone(),
            name: device.name.clone(),
            capability: capability(device),
            multiprocessors: device.multiprocessors,
            memory: device.memory,
            free,
            driver: device.driver.clone(),
            compiler: device.compiler.clone(),
            error,
            cost_model: opened.as_ref().ok().and_then(Engine::gpu).map(cost_model),
        });
        self.engines.extend(opened);
    }
}

fn missing(name: &'static str, error: &Error) -> Finding {
    Finding::note(name, error.to_string(), error.help())
}

fn compiler(found: Result<Nvrtc, Error>) -> Finding {
    match found {
        Ok(nvrtc) => {
            let (major, minor) = nvrtc.version();
            Finding::fine("nvrtc", format!("{major}.{minor}, {}", nvrtc.path().display()))
        }
        Err(error) => missing("nvrtc", &error),
    }
}

fn cache(cache: &Cache) -> Finding {
    match (cache.problem(), cache.folder()) {
        (Some(problem), _) => {
            let value = format!("kernels are compiled anew by every process: {problem}");
            Finding::note("kernel cache", value, "set XDG_CACHE_HOME to a folder of your own")
        }
        (None, Some(folder)) => Finding::fine("kernel cache", folder.display().to_string()),
        (None, None) => Finding::note("kernel cache", "there is no folder for it", "set XDG_CACHE_HOME"),
    }
}

fn bundle(bundle: &Bundle) -> Finding {
    let (name, made_by) = ("bundle", bundle.nvrtc().unwrap_or_default());
    match (bundle.check(), bundle.path()) {
        (Some(problem), _) => {
            let value = format!("what is damaged is compiled instead: {problem}");
            Finding::note(name, value, format!("install the release again, or unset {}", bundle::VARIABLE))
        }
        (None, Some(path)) => {
            let modules = counted(bundle.len() as u64, "module", "modules");
            let value = format!("{modules} by NVRTC {}.{}, {}", made_by.0, made_by.1, path.display());
            Finding::fine(name, value)
        }
        (None, None) => Finding::fine(name, "none: this build compiles every kernel when it is first used"),
    }
}

fn described(card: &Properties, free: Option<u64>) -> String {
    let free = free.map_or_else(String::new, |free| format!(", {} free", bytes(free)));
    format!(
        "{}: {}, compute capability {}, {} multiprocessors, {}{free}",
        card.label,
        card.name,
        capability(card),
        card.multiprocessors,
        bytes(card.memory)
    )
}

fn capability(card: &Properties) -> String {
    format!("{}.{}", card.capability.0, card.capability.1)
}

fn free(engine: &Engine) -> Option<u64> {
    engine.gpu().map(Gpu::memory)?.ok().map(|memory| memory.free)
}

#[cfg(test)]
mod tests {
    use super::super::findings::Status;
    use super::*;

    #[test]
    fn a_card_is_described_in_one_line() {
        let card = Properties {
            label: "cuda:0".to_owned(),
            name: "NVIDIA H200".to_owned(),
            capability: (9, 0),
            multiprocessors: 132,
            memory: 139 << 30,
            driver: "12.8".to_owned(),
            compiler: "NVRTC 12.8".to_owned(),
        };
        assert_eq!(
            described(&card, Some(100 << 30)),
            "cuda:0: NVIDIA H200, compute capability 9.0, 132 multiprocessors, 139.0 GiB, 100.0 GiB free"
        );
    }

    #[test]
    fn a_compiler_that_is_missing_comes_with_what_installs_it() {
        let install = "pip install it".to_owned();
        let gone = Error::NoCompiler { compiler: "NVRTC", what: "looked nowhere".to_owned(), install };
        let finding = compiler(Err(gone));
        assert_eq!((finding.status, finding.fix.as_deref()), (Status::Note, Some("pip install it")));
        assert_eq!(finding.value, "NVRTC was not found: looked nowhere");
    }

    #[test]
    fn a_bundle_that_is_damaged_is_a_note_and_none_is_fine() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("warpgraph.kernels");
        std::fs::write(&file, "some other file, long enough to have a head").unwrap();
        let finding = bundle(&Bundle::open(&file));
        assert_eq!(finding.status, Status::Note);
        assert!(finding.value.contains("no bundle of kernels") && finding.fix.is_some(), "{}", finding.value);
        // This test lies beside no bundle.
        let none = bundle(&Bundle::find(None));
        assert!(none.status == Status::Note || none.value.contains("none"), "{}", none.value);
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_a_note() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "mine").unwrap();
        let finding = cache(&Cache::open(Some(file)));
        assert_eq!(finding.status, Status::Note);
        assert!(
            finding.value.starts_with("kernels are compiled anew by every process: "),
            "{}",
            finding.value
        );
        let fine = cache(&Cache::open(Some(folder.path().join("kernels"))));
        assert_eq!(
            (fine.status, fine.value),
            (Status::Fine, folder.path().join("kernels").display().to_string())
        );
    }
}

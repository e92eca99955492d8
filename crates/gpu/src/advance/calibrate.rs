//! [`cost_model`]: what balances cost on a device, measured once and kept with the compiled kernels.
//!
//! The cache finds a model by what it was made from: the device, its driver, and the text of all kernels that were measured, so
//! that no model outlives its cause. The compiler is no part of that, since a GPU loads its compiler only to compile. A process measures anew if the cached model cannot be read or is of another
//! device, and every process does if the folder cannot be written. A device that cannot be measured, since it is simulated, full
//! or failing, gets [`Costs::assumed`].

use super::{
    model::{Costs, priced},
    probe,
};
use crate::{error::lift, variants};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Instant, SystemTime, UNIX_EPOCH},
};
use warpgraph_core::{Error, Result};
use warpgraph_device::{Cache, Gpu, Properties, Source};

/// Measuring needs so many free bytes.
const ROOM: u64 = 256 << 20;

/// What balances cost on a device, and how that is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CostModel {
    /// The device and its driver.
    pub device: String,
    /// Nanoseconds.
    pub costs: Costs,
    /// When it was measured; `None` if the costs are assumed.
    pub measured: Option<Measurement>,
}

/// A measurement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Seconds since 1970.
    pub at: u64,
    /// Seconds it took, compiling included.
    pub seconds: f64,
}

/// Returns what balances cost on a device: as this process knows, as the cache has it, or as it measures now.
pub fn cost_model(gpu: &Gpu) -> CostModel {
    static KNOWN: Mutex<Option<HashMap<String, CostModel>>> = Mutex::new(None);
    let device = named(gpu.properties());
    if gpu.properties().driver.is_empty() {
        // Time on a simulator says nothing of a device.
        return CostModel::assumed(device);
    }
    // Held while measuring: two threads that measure at once disturb each other.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(model) = known.get(&device) {
        return model.clone();
    }
    // A measurement that fails, or has no room now, may succeed later.
    let Ok(model) = kept(gpu.cache(), &device, || measured(gpu)) else { return CostModel::assumed(device) };
    known.insert(model.device.clone(), model.clone());
    model
}

/// Measures on threads of its own: the caller may be a thread of a pool, which would take up other work of that pool while it waits,
/// and that work may ask for the model again.
fn measured(gpu: &Gpu) -> Result<Costs> {
    let problem = |what: String| Error::Device {
        kind: warpgraph_core::DeviceTrouble::Call,
        what,
        help: "run it again".to_owned(),
    };
    let memory = gpu.memory().map_err(lift)?;
    if memory.free < ROOM {
        return Err(problem(format!(
            "{} bytes are free, {ROOM} are needed to measure balances",
            memory.free
        )));
    }
    let pool = rayon::ThreadPoolBuilder::new().build().map_err(|error| problem(error.to_string()))?;
    let measure = || pool.install(|| probe::costs(gpu));
    let done = std::thread::scope(|scope| scope.spawn(measure).join());
    done.unwrap_or_else(|_| Err(problem("measuring balances panicked".to_owned())))
}

/// Returns what a model is found by.
fn named(device: &Properties) -> String {
    let Properties { label, name, capability: (major, minor), multiprocessors, driver, .. } = device;
    format!("{label} {name} {major}.{minor} {multiprocessors} {driver}")
}

impl CostModel {
    /// Returns the model of a device that was not measured.
    fn assumed(device: String) -> Self {
        Self { device, costs: Costs::assumed(), measured: None }
    }

    /// Returns the model that `measure` finds now.
    fn measured(device: &str, measure: impl FnOnce() -> Result<Costs>) -> Result<Self> {
        let (at, start) = (SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(), Instant::now());
        let costs = measure()?;
        let measured = Measurement { at: at.as_secs(), seconds: start.elapsed().as_secs_f64() };
        Ok(Self { device: device.to_owned(), costs, measured: Some(measured) })
    }

    /// Reads a model that was kept; `None` if it is not one of this device.
    fn read(bytes: &[u8], device: &str) -> Option<Self> {
        let model: Self = serde_json::from_slice(bytes).ok()?;
        (model.device == device && model.measured.is_some() && model.costs.is_sound()).then_some(model)
    }
}

/// Returns the cached model of a device, or the one that `measure` finds.
fn kept(cache: Option<&Cache>, device: &str, measure: impl FnOnce() -> Result<Costs>) -> Result<CostModel> {
    let Some(cache) = cache else { return CostModel::measured(device, measure) };
    let texts = measured_texts()?;
    let parts: Vec<&str> = texts.iter().map(|source| &*source.text).chain([device]).collect();
    if let Some(model) = cache.get(&parts).and_then(|bytes| CostModel::read(&bytes, device)) {
        return Ok(model);
    }
    let model = CostModel::measured(device, measure)?;
    if let Ok(bytes) = serde_json::to_vec(&model) {
        cache.put(&parts, &bytes);
    }
    Ok(model)
}

/// Returns the texts of all kernels that are measured.
pub(crate) fn measured_texts() -> Result<Vec<Arc<Source>>> {
    let schemes = || priced().into_iter().map(|(scheme, _)| scheme);
    let lists = schemes().filter_map(|scheme| variants::lists(false, scheme));
    schemes().map(variants::probe).chain([variants::frontier(false)]).chain(lists).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use std::{cell::Cell, fs};
    use warpgraph_core::Error;

    /// Counts how often a test measures.
    struct Lab {
        cache: Cache,
        times: Cell<u32>,
    }

    impl Lab {
        fn model(&self, device: &str) -> CostModel {
            let measure = || {
                self.times.set(self.times.get() + 1);
                Ok(Costs { launch: f64::from(self.times.get()) + 0.1, ..Costs::assumed() })
            };
            kept(Some(&self.cache), device, measure).unwrap()
        }
    }

    fn lab(folder: &std::path::Path) -> Lab {
        Lab { cache: Cache::open(Some(folder.to_owned())), times: Cell::new(0) }
    }

    #[test]
    fn a_device_is_measured_once_and_another_one_for_itself() {
        let folder = tempfile::tempdir().unwrap();
        let lab = lab(folder.path());
        let first = lab.model("cuda:0 a");
        assert_eq!((lab.model("cuda:0 a"), lab.times.get()), (first.clone(), 1));
        let other = lab.model("cuda:0 b");
        assert_eq!((other.device.as_str(), lab.times.get()), ("cuda:0 b", 2));
        assert_eq!((lab.model("cuda:0 a"), lab.times.get()), (first, 2));
    }

    #[test]
    fn a_file_that_is_damaged_is_measured_and_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let lab = lab(folder.path());
        lab.model("cuda:0 a");
        let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&file, bytes).unwrap();
        let again = lab.model("cuda:0 a");
        assert_eq!(lab.times.get(), 2);
        assert_eq!((lab.model("cuda:0 a"), lab.times.get()), (again, 2));
    }

    #[test]
    fn what_is_of_another_device_or_no_model_is_not_believed() {
        let model = CostModel::measured("a", || Ok(Costs::assumed())).unwrap();
        let bytes = serde_json::to_vec(&model).unwrap();
        assert_eq!(CostModel::read(&bytes, "a"), Some(model.clone()));
        assert_eq!(CostModel::read(&bytes, "b"), None);
        assert_eq!(CostModel::read(b"{}", "a"), None);
        assert_eq!(CostModel::read(&bytes[..bytes.len() - 2], "a"), None);
        let broken = CostModel { costs: Costs { launch: -1.0, ..Costs::assumed() }, ..model };
        assert_eq!(CostModel::read(&serde_json::to_vec(&broken).unwrap(), "a"), None);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "mine").unwrap();
        let lab = lab(&file);
        lab.model("cuda:0 a");
        lab.model("cuda:0 a");
        assert_eq!(lab.times.get(), 2, "every time anew");
    }

    #[test]
    fn a_measurement_that_fails_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(folder.path().to_owned()));
        let fails = || {
            Err(Error::Device {
                kind: warpgraph_core::DeviceTrouble::Call,
                what: "gone".to_owned(),
                help: String::new(),
            })
        };
        assert!(kept(Some(&cache), "a", fails).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn a_simulator_is_assumed_to_be_like_any_other() {
        let model = cost_model(&crate::testing::simt());
        assert_eq!((model.costs, model.measured), (Costs::assumed(), None));
    }
}

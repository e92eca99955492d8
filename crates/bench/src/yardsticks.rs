//! What the cases of a bench are held against: the processor's limits, or those of the GPU they run on.

use crate::{GpuLimits, Limits, limits::Effort};
use warpgraph::{Control, Device, Engine, Gpu, Result, Settings};

/// Limits, measured where cases run.
#[derive(Debug, Clone, Default)]
pub struct Yardsticks {
    /// The processor's, unless all cases run on a GPU.
    pub processor: Option<Limits>,
    /// The GPU's, if a case may have run there.
    pub gpu: Option<GpuLimits>,
    /// Why a GPU could not be measured; cases may run there all the same.
    pub trouble: Option<String>,
    settings: Settings,
}

impl Yardsticks {
    /// Nothing measured yet; a GPU is opened for that with these settings.
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Measures the GPU if the engine is on one, else the processor. Where each run is sent somewhere, a GPU is measured
    /// once there was a run on it ([`Yardsticks::on_gpu`]). It is opened once more for that, with these settings, so
    /// that what is held while it is measured is not counted as a run's.
    ///
    /// # Errors
    /// When memory is short, or what `control` asks for.
    pub fn measure(engine: &Engine, settings: Settings, control: &Control) -> Result<Self> {
        let mut all = Self::new(settings);
        if matches!(engine.device(), Device::Auto | Device::Cpu) {
            all.processor = Some(Limits::measure(Effort::Thorough, control)?);
        } else {
            all.on_gpu(engine, control)?;
        }
        Ok(all)
    }

    /// The limits of the GPU of an engine; tries to measure them once.
    ///
    /// # Errors
    /// Only when everything must stop.
    pub fn on_gpu(&mut self, engine: &Engine, control: &Control) -> Result<Option<&GpuLimits>> {
        if let (None, None, Some(gpu)) = (&self.gpu, &self.trouble, engine.gpu()) {
            match apart(gpu, &self.settings, control) {
                Ok(limits) => self.gpu = limits,
                Err(error) if control.should_stop() => return Err(error),
                Err(error) => {
                    let label = &gpu.properties().label;
                    self.trouble = Some(format!("the limits of {label} could not be measured: {error}"));
                }
            }
        }
        Ok(self.gpu.as_ref())
    }
}

/// Opens a GPU once more, and measures it.
fn apart(gpu: &Gpu, settings: &Settings, control: &Control) -> Result<Option<GpuLimits>> {
    let engine = Engine::with(gpu.properties().label.parse()?, Some(1), settings.clone())?;
    engine.gpu().map(|gpu| GpuLimits::measure(gpu, control)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_limits::tests::simulator;

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn what_is_measured_is_where_runs_are_unless_there_is_no_room_or_it_is_cancelled() {
        let (control, engine) = (Control::new(), simulator());
        let measured = |engine: &Engine, memory_budget| {
            let settings = Settings { memory_budget, ..Settings::default() };
            Yardsticks::measure(engine, settings, &control).unwrap()
        };
        let mut here = measured(&Engine::on(Device::Cpu, Some(1)).unwrap(), None);
        assert!(here.processor.is_some() && here.gpu.is_none());
        assert!(here.on_gpu(&engine, &control).unwrap().is_some(), "measured when it is asked for");
        let mut there = measured(&engine, None);
        let before = there.gpu.clone().unwrap();
        assert!(there.processor.is_none());
        assert_eq!(there.on_gpu(&engine, &control).unwrap(), Some(&before), "not measured once more");
        assert_eq!(engine.gpu().unwrap().memory().unwrap().peak, 0, "nor is its memory counted");
        let none = measured(&engine, Some(1 << 10));
        assert!(none.gpu.is_none() && none.processor.is_none());
        let why = none.trouble.unwrap();
        assert!(why.starts_with("the limits of simt could not be measured: simt has no room for "), "{why}");
        control.cancel();
        assert!(Yardsticks::default().on_gpu(&engine, &control).is_err());
    }
}

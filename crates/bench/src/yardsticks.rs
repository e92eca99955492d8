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

    fn measured(engine: &Engine, settings: Settings) -> Yardsticks {
        Yardsticks::measure(engine, settings, &Control::new()).unwrap()
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn what_is_measured_is_where_runs_are() {
        let control = Control::new();
        let mut here = measured(&Engine::on(Device::Cpu, Some(1)).unwrap(), Settings::default());
        assert!(here.processor.is_some() && here.gpu.is_none());
        let engine = simulator();
        let mut there = measured(&engine, Settings::default());
        assert!(there.processor.is_none() && there.gpu.is_some());
        assert!(here.on_gpu(&engine, &control).unwrap().is_some(), "measured when it is asked for");
        let before = there.gpu.clone();
        let again = there.on_gpu(&engine, &control).unwrap().map(|limits| limits.seconds);
        assert_eq!(again, before.map(|limits| limits.seconds), "and not once more");
        assert_eq!(engine.gpu().unwrap().memory().unwrap().peak, 0, "nor is its memory counted");
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn a_gpu_without_room_has_no_limits_and_a_cancelled_measurement_ends() {
        let engine = simulator();
        let settings = Settings { memory_budget: Some(1 << 10), ..Settings::default() };
        let none = measured(&engine, settings);
        assert!(none.gpu.is_none() && none.processor.is_none());
        let why = none.trouble.unwrap();
        assert!(why.starts_with("the limits of simt could not be measured: simt has no room for "), "{why}");
        let control = Control::new();
        control.cancel();
        assert!(Yardsticks::default().on_gpu(&engine, &control).is_err());
    }
}

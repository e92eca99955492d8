//! The flags for the device to run on, and for its settings.

use crate::failure::{Failure, Result};
use clap::{Args, builder::PossibleValue, builder::StringValueParser, builder::TypedValueParser};
use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
    sync::Arc,
};
use warpgraph::{Device, Plan, Residency, Settings};

/// The device to run on.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Running")]
pub(crate) struct OnDevice {
    /// Device to run on: auto, cpu, cuda, cuda:N or simt; several GPUs as cuda:0,cuda:1
    ///
    /// auto: a GPU if there is one, it supports the algorithm and the graph is large enough to gain from it; otherwise
    /// the CPU. cuda: the first NVIDIA GPU; cuda:N: the GPU with that number, from 0. simt: a GPU simulated on the CPU,
    /// which is slow, for testing kernels. cuda:0,cuda:1: several GPUs, each with a part of the graph, for bfs, sssp, wcc,
    /// pagerank and adsorption; simt:4: four simulated ones.
    #[arg(long, value_name = "D", default_value = "auto", value_parser = Names, hide_possible_values = true)]
    device: String,
    /// Use at most this much GPU memory: bytes, or a number with a unit, as 512M or 4G
    #[arg(long, value_name = "B", value_parser = warpgraph::graph::memory::parse_bytes)]
    gpu_memory: Option<u64>,
    /// Let unified memory exceed the GPU's free memory; this can hang a driver
    ///
    /// For --plan unified. The driver then moves pages back and forth while kernels run. Without this flag, a graph that
    /// does not fit is refused.
    #[arg(long)]
    oversubscribe: bool,
    /// Write the source of every kernel that a GPU runs into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) keep_kernels: Option<PathBuf>,
}

impl OnDevice {
    /// Returns the device; refuses GPU flags together with `--device cpu`.
    pub(crate) fn device(&self) -> Result<Device> {
        let device = self.device.parse()?;
        let flags = [
            (self.gpu_memory.is_some(), "--gpu-memory"),
            (self.oversubscribe, "--oversubscribe"),
            (self.keep_kernels.is_some(), "--keep-kernels"),
        ];
        match flags.into_iter().find(|(given, _)| *given && device == Device::Cpu) {
            Some((_, flag)) => Err(Failure::new(
                "refused",
                format!("{flag} is for GPUs, and --device cpu asks for none"),
                format!("leave {flag} out, or use --device cuda"),
            )),
            None => Ok(device),
        }
    }

    /// Refuses `--oversubscribe` unless the plan stores edges in unified memory.
    pub(crate) fn check_plan(&self, plan: Plan) -> Result<()> {
        match plan.residency {
            Some(Residency::Unified { .. }) => Ok(()),
            _ if !self.oversubscribe => Ok(()),
            _ => Err(Failure::new(
                "refused",
                format!("--oversubscribe is for unified memory, and the plan is {plan}"),
                "use --plan unified, or leave --oversubscribe out: an open plan runs graphs of any size",
            )),
        }
    }

    /// Returns the flags with which a child of this process uses the same device.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["--device".into(), self.device.clone().into()];
        if let Some(bytes) = self.gpu_memory {
            arguments.extend(["--gpu-memory".into(), bytes.to_string().into()]);
        }
        if self.oversubscribe {
            arguments.push("--oversubscribe".into());
        }
        if let Some(folder) = &self.keep_kernels {
            arguments.extend(["--keep-kernels".into(), folder.as_os_str().to_owned()]);
        }
        arguments
    }

    /// Returns the limit on GPU memory, if the user gave one.
    pub(crate) fn gpu_memory(&self) -> Option<u64> {
        self.gpu_memory
    }

    /// Returns the GPU settings; the engine calls `compiling` for each kernel that it has to compile.
    pub(crate) fn settings(&self, compiling: impl Fn(&str) + Send + Sync + 'static) -> Settings {
        Settings {
            keep_kernels: self.keep_kernels.clone(),
            memory_budget: self.gpu_memory,
            oversubscribe: self.oversubscribe,
            compiling: Some(Arc::new(compiling)),
            ..Settings::default()
        }
    }
}

/// Accepts any text, which the library then parses; offers the usual names to shell completion.
#[derive(Debug, Clone)]
pub(crate) struct Names;

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = [
            ("auto", "a GPU where it pays, else the processor"),
            ("cpu", "the processor"),
            ("cuda", "the first NVIDIA GPU"),
            ("simt", "a simulated GPU"),
        ];
        Some(Box::new(names.into_iter().map(|(name, help)| PossibleValue::new(name).help(help))))
    }
}

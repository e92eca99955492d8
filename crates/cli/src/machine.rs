//! What this machine and this process are, as far as the system tells.

use std::fs;

/// The processor's name, e.g. `AMD EPYC 9654 96-Core Processor`.
pub(crate) fn processor() -> Option<String> {
    field("/proc/cpuinfo", "model name")
}

/// The most memory this process has held, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    let text = field("/proc/self/status", "VmHWM")?;
    let kib: u64 = text.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// The value of the first `name : value` line of a file.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

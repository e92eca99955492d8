//! What this machine and this process are, as far as the system tells. Elsewhere than on Linux most is unknown: `None`.

use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};
use warpgraph::graph::memory;

/// The machine a measurement was made on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub processor: Option<String>,
    /// Logical processors that this process may use.
    pub cores: usize,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// `linux`, `macos`, ...
    pub os: String,
    /// `x86_64`, `aarch64`, ...
    pub arch: String,
}

impl Machine {
    /// This one.
    pub fn this() -> Self {
        Self {
            processor: processor(),
            cores: cores(),
            memory: memory::physical(),
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
        }
    }
}

/// A cache of the first processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// 1, 2, 3.
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// Its size.
    pub bytes: u64,
    /// The processors that share it, e.g. `0-3`.
    pub shared_by: String,
}

/// The processor's name, e.g. `AMD EPYC 9654 96-Core Processor`.
pub fn processor() -> Option<String> {
    field("/proc/cpuinfo", "model name")
}

/// Logical processors that this process may use; 1 if the system does not tell.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The vector instructions of the processor that are worth knowing.
pub fn simd() -> Vec<String> {
    const WORTH: [&str; 8] = ["sse4_2", "avx", "avx2", "bmi2", "avx512f", "avx512vl", "asimd", "sve"];
    let flags = field("/proc/cpuinfo", "flags").or_else(|| field("/proc/cpuinfo", "Features"));
    let flags = flags.unwrap_or_default();
    let has = |name: &&str| flags.split_ascii_whitespace().any(|flag| flag == *name);
    WORTH.iter().filter(|name| has(name)).map(|name| (*name).to_owned()).collect()
}

/// The caches of the first processor; empty if the system does not tell.
pub fn caches() -> Vec<Cache> {
    let folder = Path::new("/sys/devices/system/cpu/cpu0/cache");
    (0..8).map_while(|i| cache(&folder.join(format!("index{i}")))).collect()
}

fn cache(folder: &Path) -> Option<Cache> {
    let read = |name: &str| Some(fs::read_to_string(folder.join(name)).ok()?.trim().to_owned());
    Some(Cache {
        level: read("level")?.parse().ok()?,
        kind: read("type")?.to_ascii_lowercase(),
        bytes: size(&read("size")?)?,
        shared_by: read("shared_cpu_list").unwrap_or_default(),
    })
}

/// `48K`, `2M`, `512` as bytes.
fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// Memory that can be had without swapping: what the system calls available, within the limit of a container.
pub fn available_memory() -> Option<u64> {
    let free = kib(&field("/proc/meminfo", "MemAvailable")?)?;
    Some(container_memory().map_or(free, |left| left.min(free)))
}

/// What a container's limit leaves; `None` without one.
fn container_memory() -> Option<u64> {
    let number = |file: &str| -> Option<u64> { fs::read_to_string(file).ok()?.trim().parse().ok() };
    let limit = number("/sys/fs/cgroup/memory.max")?;
    Some(limit.saturating_sub(number("/sys/fs/cgroup/memory.current")?))
}

/// The most memory this process has held, in bytes.
pub fn peak_memory() -> Option<u64> {
    let now = kib(&field("/proc/self/status", "VmHWM")?)?;
    Some(now.max(EARLIER_PEAK.load(Ordering::Relaxed)))
}

/// The peak before the system was last asked to forget it.
static EARLIER_PEAK: AtomicU64 = AtomicU64::new(0);

/// Does some work; says by how much the most memory this process held meanwhile was above what it held before. Where the
/// system does not tell, or other work goes on, the figure is none, or not of this work alone.
pub fn with_peak<T>(work: impl FnOnce() -> T) -> (T, Option<u64>) {
    EARLIER_PEAK.fetch_max(peak_memory().unwrap_or(0), Ordering::Relaxed);
    // Linux: forget the peak.
    let can_tell = fs::write("/proc/self/clear_refs", "5").is_ok();
    let device_graph = |name| field("/proc/self/status", name).and_then(|text| kib(&text));
    let before = device_graph("VmRSS");
    let done = work();
    let above = device_graph("VmHWM").zip(before).map(|(peak, before)| peak.saturating_sub(before));
    (done, above.filter(|_| can_tell))
}

/// The kernel's rule for huge pages: `always`, `madvise` or `never`.
pub fn huge_pages() -> Option<String> {
    chosen(&fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").ok()?)
}

/// The word in brackets: `always [madvise] never`.
fn chosen(text: &str) -> Option<String> {
    Some(text.split_once('[')?.1.split_once(']')?.0.to_owned())
}

/// `123 kB` as bytes.
fn kib(text: &str) -> Option<u64> {
    let kib: u64 = text.strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The value of the first `name : value` line of a file.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_writes_is_read() {
        assert_eq!(
            [size("48K"), size("2M"), size("512"), size("x")],
            [Some(49152), Some(2 << 20), Some(512), None]
        );
        assert_eq!(kib("24 kB"), Some(24576));
        assert_eq!(chosen("always [madvise] never\n").as_deref(), Some("madvise"));
        assert_eq!(chosen("always"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells_the_memory() {
        let (available, all) = (available_memory().unwrap(), memory::physical().unwrap());
        assert!(0 < available && available <= all);
        assert!(peak_memory().unwrap() > 0 && cores() > 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_peak_of_some_work_is_what_it_took_and_is_not_forgotten() {
        let large = 64 << 20;
        let (sum, took) = with_peak(|| vec![1u8; large].iter().map(|&x| u64::from(x)).sum::<u64>());
        assert_eq!(sum, large as u64);
        assert!(took.unwrap() >= large as u64 / 2, "{took:?}");
        let (_, less) = with_peak(|| ());
        assert!(less.unwrap() < took.unwrap());
        assert!(peak_memory().unwrap() >= took.unwrap());
    }
}

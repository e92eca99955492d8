//! Finds how much more memory this process may take.
//!
//! Several limits hold at once: the memory of the machine, the memory of each control group that the process is in (a
//! container, a batch job), and the process's own limits on address space and data (`ulimit -v`, `ulimit -d`). Each
//! leaves a number of bytes, and the least of them is what [`available`] returns. All figures come from the files of
//! Linux under `/proc` and `/sys`; on other systems there are none.
//!
//! File pages that the kernel can drop count as free, because reading a mapped file fills them. Swap space does not
//! count: algorithms that read at random from swap take forever. A call costs about 0.1 ms.

use super::human_bytes;
use std::{fmt, path::Path};

/// What one limit leaves to this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Available {
    /// The bytes that are left.
    pub bytes: u64,
    /// The limit itself, in bytes.
    pub limit: u64,
    /// The kind of the limit.
    pub by: Limit,
}

/// The kind of a memory limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The memory of the machine.
    Machine,
    /// The memory of a control group.
    ControlGroup,
    /// The address space of the process.
    AddressSpace,
    /// The data of the process.
    Data,
}

/// Says what is left, and of what: `1.2 MiB left of 585.9 MiB of address space (ulimit -v)`.
impl fmt::Display for Available {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = match self.by {
            Limit::Machine => "of memory",
            Limit::ControlGroup => "in this container (control group)",
            Limit::AddressSpace => "of address space (ulimit -v)",
            Limit::Data => "of data (ulimit -d)",
        };
        write!(f, "{} left of {} {of}", human_bytes(self.bytes), human_bytes(self.limit))
    }
}

/// Returns the limit that leaves the least, or `None` where the system does not tell.
pub fn available() -> Option<Available> {
    limits(Path::new("/")).into_iter().min_by_key(|limit| limit.bytes)
}

/// Returns the smallest limit, whatever is in use, in bytes; `None` where the system does not tell.
pub fn limit() -> Option<u64> {
    limits(Path::new("/")).into_iter().map(|limit| limit.limit).min()
}

/// Returns every limit that the files under `root` state.
fn limits(root: &Path) -> Vec<Available> {
    let mut limits = groups(root);
    limits.extend(machine(root));
    limits.extend(process(root));
    limits
}

fn text(root: &Path, path: &str) -> Option<String> {
    std::fs::read_to_string(root.join(path.trim_start_matches('/'))).ok()
}

/// Returns the number after `name` in a text of lines `name number [kB]`, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name).filter(|rest| !starts_a_word(rest)))?;
    let mut words = line.trim_start_matches(':').split_ascii_whitespace();
    let number: u64 = words.next()?.parse().ok()?;
    Some(if words.next() == Some("kB") { number.saturating_mul(1024) } else { number })
}

fn starts_a_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

fn machine(root: &Path) -> Option<Available> {
    let text = text(root, "proc/meminfo")?;
    let (bytes, limit) = (field(&text, "MemAvailable")?, field(&text, "MemTotal")?);
    Some(Available { bytes, limit, by: Limit::Machine })
}

/// Returns the soft limits of the process.
fn process(root: &Path) -> Vec<Available> {
    let (Some(limits), Some(status)) = (text(root, "proc/self/limits"), text(root, "proc/self/status"))
    else {
        return Vec::new();
    };
    let left = |(name, used, by)| {
        let limit = field(&limits, name)?;
        Some(Available { bytes: limit.saturating_sub(field(&status, used)?), limit, by })
    };
    let known =
        [("Max address space", "VmSize", Limit::AddressSpace), ("Max data size", "VmData", Limit::Data)];
    known.into_iter().filter_map(left).collect()
}

/// Where a version of control groups keeps its figures.
struct Version {
    mounts: &'static [&'static str],
    limit: &'static str,
    used: &'static str,
    /// The counters of `memory.stat` that hold file pages.
    files: [&'static str; 2],
}

const FIRST: Version = Version {
    mounts: &["sys/fs/cgroup/memory"],
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    files: ["total_inactive_file", "total_active_file"],
};
const SECOND: Version = Version {
    mounts: &["sys/fs/cgroup", "sys/fs/cgroup/unified"],
    limit: "memory.max",
    used: "memory.current",
    files: ["inactive_file", "active_file"],
};

/// Returns the limits of the process's control groups and of all groups above them.
fn groups(root: &Path) -> Vec<Available> {
    let lines = text(root, "proc/self/cgroup").unwrap_or_default();
    let group = |line: &str| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        match controllers {
            "" => Some((&SECOND, path.to_owned())),
            list if list.split(',').any(|name| name == "memory") => Some((&FIRST, path.to_owned())),
            _ => None,
        }
    };
    let found = lines.lines().filter_map(group);
    found.flat_map(|(version, path)| version.limits(root, &path)).collect()
}

impl Version {
    /// Returns the limits of the group `path` and of those above it. Inside a container the mount may show only the
    /// container's own group, as its root.
    fn limits(&self, root: &Path, path: &str) -> Vec<Available> {
        let above = |mount: &&str| {
            let folders = Path::new(path.trim_start_matches('/')).ancestors();
            folders.map(|folder| Path::new(mount).join(folder)).collect::<Vec<_>>()
        };
        let folders = self.mounts.iter().flat_map(above);
        folders.filter_map(|folder| self.left(root, &folder)).collect()
    }

    fn left(&self, root: &Path, folder: &Path) -> Option<Available> {
        let read = |name: &str| text(root, folder.join(name).to_str()?);
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        // Without a limit, version 2 says `max`, and version 1 a number next to 2^63.
        let limit = number(self.limit).filter(|&limit| limit < 1 << 60)?;
        let stat = read("memory.stat").unwrap_or_default();
        let files = self.files.iter().filter_map(|name| field(&stat, name)).sum();
        let used = number(self.used)?.saturating_sub(files);
        Some(Available { bytes: limit.saturating_sub(used), limit, by: Limit::ControlGroup })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a tree of files.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    fn least(files: &[(&str, &str)]) -> Option<Available> {
        limits(tree(files).path()).into_iter().min_by_key(|limit| limit.bytes)
    }

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    800 kB\n");
    const STATUS: (&str, &str) =
        ("proc/self/status", "Name:\tx\nVmSize:\t     300 kB\nVmData:\t      50 kB\n");
    const UNLIMITED: (&str, &str) = (
        "proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units     \n\
         Max data size             unlimited            unlimited            bytes     \n\
         Max address space         unlimited            unlimited            bytes     \n",
    );

    #[test]
    fn without_other_limits_the_machine_decides() {
        let machine = Available { bytes: 800 << 10, limit: 1000 << 10, by: Limit::Machine };
        assert_eq!(least(&[MEMINFO, STATUS, UNLIMITED]), Some(machine));
        assert_eq!(machine.to_string(), "800.0 KiB left of 1000.0 KiB of memory");
        assert_eq!(least(&[]), None);
    }

    #[test]
    fn the_limits_of_the_process_count_less_what_it_uses() {
        let limits = |text| ("proc/self/limits", text);
        let space = limits("Max address space         409600               unlimited            bytes\n");
        let left = Available { bytes: 100 << 10, limit: 400 << 10, by: Limit::AddressSpace };
        assert_eq!(least(&[MEMINFO, STATUS, space]), Some(left));
        assert_eq!(left.to_string(), "100.0 KiB left of 400.0 KiB of address space (ulimit -v)");
        let data = limits("Max data size             10240                unlimited            bytes\n");
        assert_eq!(
            least(&[MEMINFO, STATUS, data]),
            Some(Available { bytes: 0, limit: 10 << 10, by: Limit::Data })
        );
    }

    #[test]
    fn a_control_group_counts_without_the_file_pages_that_it_can_drop() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "0::/job/task\n"),
            ("sys/fs/cgroup/job/task/memory.max", "max\n"),
            ("sys/fs/cgroup/job/memory.max", "600000\n"),
            ("sys/fs/cgroup/job/memory.current", "500000\n"),
            ("sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 100000\nactive_file 50000\n"),
        ];
        let left = Available { bytes: 250_000, limit: 600_000, by: Limit::ControlGroup };
        assert_eq!(least(&files), Some(left));
    }

    #[test]
    fn version_1_of_control_groups_is_read_too_and_its_unlimited_ones_are_left_out() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "5:cpu:/a\n4:memory:/a/b\n0::/\n"),
            ("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "300000\n"),
            ("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "200000\n"),
            (
                "sys/fs/cgroup/memory/a/b/memory.stat",
                "inactive_file 1\ntotal_inactive_file 30000\ntotal_active_file 0\n",
            ),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "9223372036854771000\n"),
        ];
        let left = Available { bytes: 130_000, limit: 300_000, by: Limit::ControlGroup };
        assert_eq!(least(&files), Some(left));
        assert_eq!(left.to_string(), "127.0 KiB left of 293.0 KiB in this container (control group)");
    }

    #[test]
    fn inside_a_container_the_mounted_root_is_the_group() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "0::/host/path/of/it\n"),
            ("sys/fs/cgroup/memory.max", "400000\n"),
            ("sys/fs/cgroup/memory.current", "100000\n"),
        ];
        assert_eq!(least(&files).unwrap().bytes, 300_000);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_a_limit_and_is_below_it() {
        let left = available().unwrap();
        assert!(0 < left.bytes && left.bytes <= left.limit && limit().unwrap() <= left.limit, "{left:?}");
    }
}

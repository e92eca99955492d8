//! A disk that fails on request, over the real one.

use std::{
    fmt::Debug,
    fs,
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex},
};
use warpgraph_graph::{
    Error,
    atomic_file::{Disk, FileSystem, Sink, on_disk},
};

/// What a file is asked to do, in the words of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Create,
    Write,
    Sync,
    Rename,
}

impl Step {
    fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Write => "write",
            Self::Sync => "sync",
            Self::Rename => "rename",
        }
    }
}

/// How a disk behaves.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    /// It does what it should.
    None,
    /// Step number `at`, counted from 0, and all after it fail; a write has written half of its bytes by then.
    From { at: usize, kind: io::ErrorKind },
    /// Step number `at` is interrupted by a signal, once.
    Interrupt { at: usize },
    /// Every write takes 1021 bytes at most.
    Short,
}

/// A disk, and what was asked of it.
#[derive(Debug, Clone)]
pub(crate) struct Faulty {
    fault: Fault,
    steps: Arc<Mutex<Vec<Step>>>,
}

impl Faulty {
    pub(crate) fn new(fault: Fault) -> Self {
        Self { fault, steps: Arc::default() }
    }

    /// Runs `work` on this disk; what it returned, and the steps it took.
    pub(crate) fn run<T>(fault: Fault, work: impl FnOnce() -> T) -> (T, Vec<Step>) {
        let disk = Self::new(fault);
        let done = on_disk(Arc::new(disk.clone()), work);
        let steps = disk.steps.lock().unwrap().clone();
        (done, steps)
    }

    fn step(&self, step: Step) -> io::Result<()> {
        let mut steps = self.steps.lock().unwrap();
        let number = steps.len();
        steps.push(step);
        match self.fault {
            Fault::From { at, kind } if number >= at => Err(kind.into()),
            Fault::Interrupt { at } if number == at => Err(io::ErrorKind::Interrupted.into()),
            _ => Ok(()),
        }
    }
}

impl Disk for Faulty {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        self.step(Step::Create)?;
        Ok(Box::new(FaultyFile { disk: self.clone(), file: FileSystem.create(path)? }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(Step::Rename)?;
        FileSystem.rename(from, to)
    }
}

struct FaultyFile {
    disk: Faulty,
    file: Box<dyn Sink>,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.disk.step(Step::Write) {
            if let Fault::From { .. } = self.disk.fault {
                self.file.write_all(&bytes[..bytes.len() / 2])?;
            }
            return Err(error);
        }
        let len = if let Fault::Short = self.disk.fault { bytes.len().min(1021) } else { bytes.len() };
        self.file.write(&bytes[..len])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Sink for FaultyFile {
    fn sync(&self) -> io::Result<()> {
        self.disk.step(Step::Sync)?;
        self.file.sync()
    }
}

/// Holds a writer to its promise: whatever step fails, the error names the file and the step, the file that was there
/// is as it was, and no other is left; where nothing fails in the end, the file is whole.
///
/// `save` writes the file it is given, over one that is there. Returns the steps it takes when all goes well.
pub(crate) fn survives_every_fault(name: &str, save: impl Fn(&Path) -> Result<(), Error>) -> Vec<Step> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let (done, steps) = Faulty::run(Fault::None, || save(&path));
    done.unwrap();
    let whole = fs::read(&path).unwrap();
    let check = |fault: Fault| {
        fs::write(&path, "old").unwrap();
        let (done, _) = Faulty::run(fault, || save(&path));
        let names: Vec<_> = folder.path().read_dir().unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, [name], "{fault:?}");
        let expected = if done.is_ok() { whole.as_slice() } else { b"old" };
        assert_eq!(fs::read(&path).unwrap(), expected, "{name}: {fault:?}");
        done
    };
    for (at, step) in chosen(&steps) {
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied, io::ErrorKind::Other] {
            let error = check(Fault::From { at, kind }).expect_err("a failing disk");
            let text = format!("{}: cannot {}: {}", path.display(), step.word(), io::Error::from(kind));
            assert_eq!(error.to_string(), text);
            assert!(error.help().is_some());
        }
        if step == Step::Write {
            check(Fault::Interrupt { at }).unwrap();
        }
    }
    check(Fault::Short).unwrap();
    steps
}

/// The first, the middle and the last writes, and all other steps.
fn chosen(steps: &[Step]) -> Vec<(usize, Step)> {
    let writes: Vec<usize> = (0..steps.len()).filter(|&i| steps[i] == Step::Write).collect();
    let is_chosen = |i: usize| match writes.iter().position(|&w| w == i) {
        Some(nth) => nth < 3 || nth + 3 >= writes.len() || nth == writes.len() / 2,
        None => true,
    };
    (0..steps.len()).filter(|&i| is_chosen(i)).map(|i| (i, steps[i])).collect()
}

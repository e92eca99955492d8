//! Checkpoints: what each process of a run keeps every so many supersteps, so that a run that was broken off continues.
//!
//! A process writes `part-0001-of-0004.step-000000000020.checkpoint` into a folder, atomically, and keeps its last two:
//! supersteps end together, so when a run breaks off, any two processes are at most one checkpoint apart. A run that
//! resumes takes the last superstep that all processes have whole.
//!
//! A file is: magic and version; what the run is, as a digest of its question, graph and cut; part, parts, superstep and
//! the number of arrays; each array with its name and length; and a checksum of everything before it.

use std::{
    fs::File,
    io::{BufReader, Read, Write},
    path::{Path, PathBuf},
};
use warpgraph_graph::{self as graph, AtomicFile, Position};
use warpgraph_parts::{Exchange, State};
use xxhash_rust::xxh3::Xxh3;

use crate::{Error, secret::digest};

const MAGIC: [u8; 8] = *b"WGCHECK\0";
const VERSION: u64 = 1;
/// A run has a handful of arrays, with short names.
const MOST_ARRAYS: u64 = 1_024;
const LONGEST_NAME: u64 = 1_024;

/// Where a process keeps the states of a run.
#[derive(Debug, Clone)]
pub struct Checkpoints {
    folder: PathBuf,
    part: usize,
    parts: usize,
    run: [u8; 32],
}

impl Checkpoints {
    /// Returns the checkpoints of a part in a folder. `run` says what is asked of which graph and how it is cut: a checkpoint
    /// with other words is refused.
    ///
    /// # Errors
    ///
    /// [`graph::Error::Io`] if the folder cannot be made.
    pub fn new(folder: &Path, (part, parts): (usize, usize), run: &str) -> graph::Result<Self> {
        std::fs::create_dir_all(folder).map_err(|error| graph::Error::io(folder, "create", error))?;
        Ok(Self { folder: folder.to_owned(), part, parts, run: digest(&[b"checkpoint:", run.as_bytes()]) })
    }

    fn prefix(&self) -> String {
        format!("part-{:04}-of-{:04}.step-", self.part, self.parts)
    }

    fn path(&self, superstep: u64) -> PathBuf {
        self.folder.join(format!("{}{superstep:012}.checkpoint", self.prefix()))
    }

    /// Returns the supersteps of which there are files, the latest first.
    ///
    /// # Errors
    ///
    /// [`graph::Error::Io`] if the folder cannot be read.
    pub fn supersteps(&self) -> graph::Result<Vec<u64>> {
        let unread = |error| graph::Error::io(&self.folder, "read", error);
        let mut found = Vec::new();
        for entry in self.folder.read_dir().map_err(unread)? {
            let name = entry.map_err(unread)?.file_name();
            let step = name.to_str().and_then(|name| {
                name.strip_prefix(&self.prefix())?.strip_suffix(".checkpoint")?.parse::<u64>().ok()
            });
            found.extend(step);
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        Ok(found)
    }

    /// Writes a state, then removes those before the last two.
    ///
    /// # Errors
    ///
    /// [`graph::Error::Io`] if the disk fails or is full. What was there before stays.
    pub fn write(&self, state: &State) -> graph::Result<()> {
        let path = self.path(state.superstep);
        let failed = |error| graph::Error::io(&path, "write", error);
        let mut file = Summing { inner: AtomicFile::create(&path, true)?, sum: Xxh3::new() };
        let head = [VERSION, self.part as u64, self.parts as u64, state.superstep, state.arrays.len() as u64];
        file.put(&MAGIC).map_err(failed)?;
        file.put(&self.run).map_err(failed)?;
        head.iter().try_for_each(|word| file.put(&word.to_le_bytes())).map_err(failed)?;
        for (name, bytes) in &state.arrays {
            for piece in [name.as_bytes(), bytes] {
                file.put(&(piece.len() as u64).to_le_bytes())
                    .and_then(|()| file.put(piece))
                    .map_err(failed)?;
            }
        }
        let sum = file.sum.digest().to_le_bytes();
        file.inner.write_all(&sum).map_err(failed)?;
        file.inner.commit()?;
        for old in self.supersteps()?.into_iter().filter(|step| *step < state.superstep).skip(1) {
            // It only takes room: the next checkpoint tries again.
            let _ = std::fs::remove_file(self.path(old));
        }
        Ok(())
    }

    /// Reads the state after a superstep.
    ///
    /// # Errors
    ///
    /// [`graph::Error::Format`] if the file is damaged or belongs to another run, [`graph::Error::Io`] if it cannot be
    /// read.
    pub fn read(&self, superstep: u64) -> graph::Result<State> {
        let path = self.path(superstep);
        let file = File::open(&path).map_err(|error| graph::Error::io(&path, "open", error))?;
        let size = file.metadata().map_err(|error| graph::Error::io(&path, "read", error))?.len();
        let mut reader = Checked { inner: BufReader::new(file), sum: Xxh3::new(), left: size, path };
        let state = self.parse(&mut reader, superstep)?;
        let wanted = reader.sum.digest();
        let got = reader.word()?;
        if got != wanted {
            return Err(reader.damaged("its checksum does not match its content"));
        }
        if reader.left > 0 {
            return Err(reader.damaged(&format!("{} bytes follow its end", reader.left)));
        }
        Ok(state)
    }

    fn parse(&self, reader: &mut Checked, superstep: u64) -> graph::Result<State> {
        if reader.bytes(8)? != MAGIC {
            return Err(reader.damaged("this is no checkpoint of warpgraph"));
        }
        let run = reader.bytes(32)?;
        let [version, part, parts, step, arrays] = {
            let mut words = [0; 5];
            for word in &mut words {
                *word = reader.word()?;
            }
            words
        };
        if version != VERSION {
            return Err(reader.damaged(&format!("its version is {version}, expected {VERSION}")));
        }
        if run != self.run || (part, parts) != (self.part as u64, self.parts as u64) {
            let what = "it belongs to a run with another question, graph, flags or number of processes";
            let help = "resume with the command line that wrote it, or name another folder";
            return Err(graph::Error::format(reader.position(), what, help));
        }
        if step != superstep || arrays > MOST_ARRAYS {
            return Err(reader.damaged(&format!("it has superstep {step} and {arrays} arrays")));
        }
        let mut state = State { superstep, arrays: Vec::new() };
        for _ in 0..arrays {
            let name = reader.sized(LONGEST_NAME)?;
            let name = String::from_utf8(name).map_err(|_| reader.damaged("an array has no name"))?;
            state.arrays.push((name, reader.sized(u64::MAX)?));
        }
        Ok(state)
    }

    /// Returns the state of the last superstep that all processes have whole; collective.
    ///
    /// # Errors
    ///
    /// [`graph::Error::Invalid`] if there is none, [`graph::Error::Format`] if a file belongs to another run.
    pub fn last_common(&self, exchange: &mut dyn Exchange) -> Result<State, Error> {
        let mine = self.supersteps().and_then(|steps| self.whole(steps));
        let mine = match mine {
            Ok(mine) => mine,
            Err(error) => {
                exchange.fail(&error.to_string());
                return Err(error.into());
            }
        };
        let bytes: Vec<u8> = mine.iter().flat_map(|step| step.to_le_bytes()).collect();
        for to in 0..self.parts {
            exchange.send(to, bytes.clone())?;
        }
        let mut common = mine;
        exchange.flush(&mut |_, bytes| {
            let steps: Vec<u64> = bytes.chunks_exact(8).map(word).collect();
            common.retain(|step| steps.contains(step));
            Ok(())
        })?;
        match common.first() {
            Some(step) => Ok(self.read(*step)?),
            None => Err(graph::Error::invalid(
                format!(
                    "{}: there is no checkpoint that all {} processes have",
                    self.folder.display(),
                    self.parts
                ),
                "start without --resume, or name the folder of the run that was broken off",
            )
            .into()),
        }
    }

    /// Returns the supersteps whose files are whole. A file that a broken disk damaged counts as none; that of another run
    /// is an error.
    fn whole(&self, steps: Vec<u64>) -> graph::Result<Vec<u64>> {
        let mut whole = Vec::new();
        for step in steps {
            match self.read(step) {
                Ok(_) => whole.push(step),
                Err(error) if error.to_string().contains("another question") => return Err(error),
                Err(_) => {}
            }
        }
        Ok(whole)
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().copied().map_or(0, u64::from_le_bytes)
}

/// A file and the checksum of what was written.
struct Summing {
    inner: AtomicFile,
    sum: Xxh3,
}

impl Summing {
    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.sum.update(bytes);
        self.inner.write_all(bytes)
    }
}

/// A file, the checksum of what was read, and how much is left.
struct Checked {
    inner: BufReader<File>,
    sum: Xxh3,
    left: u64,
    path: PathBuf,
}

impl Checked {
    fn position(&self) -> Position {
        Position::file(self.path.display().to_string())
    }

    fn damaged(&self, what: &str) -> graph::Error {
        graph::Error::format(self.position(), format!("a damaged checkpoint: {what}"), "delete it")
    }

    /// Reads so many bytes, if the file has them.
    fn bytes(&mut self, count: u64) -> graph::Result<Vec<u8>> {
        if count > self.left {
            return Err(self.damaged(&format!("it ends {} bytes early", count - self.left)));
        }
        let mut bytes = vec![0; count as usize];
        self.inner.read_exact(&mut bytes).map_err(|error| graph::Error::io(&self.path, "read", error))?;
        self.left -= count;
        self.sum.update(&bytes);
        Ok(bytes)
    }

    fn word(&mut self) -> graph::Result<u64> {
        Ok(word(&self.bytes(8)?))
    }

    /// Reads bytes behind their number.
    fn sized(&mut self, most: u64) -> graph::Result<Vec<u8>> {
        let count = self.word()?;
        if count > most {
            return Err(self.damaged(&format!("a name of {count} bytes")));
        }
        self.bytes(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph_parts::exchange::local;

    fn state(superstep: u64) -> State {
        let arrays = vec![("labels".to_owned(), vec![1, 2, 3]), ("empty".to_owned(), Vec::new())];
        State { superstep, arrays }
    }

    #[test]
    fn a_state_is_read_as_it_was_written_and_the_last_two_stay() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(&folder.path().join("new"), (1, 4), "wcc on a graph").unwrap();
        for step in [2, 4, 6, 8] {
            checkpoints.write(&state(step)).unwrap();
        }
        assert_eq!(checkpoints.supersteps().unwrap(), [8, 6]);
        assert_eq!(checkpoints.read(6).unwrap(), state(6));
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path(), (0, 1), "run").unwrap();
        checkpoints.write(&state(3)).unwrap();
        let path = checkpoints.path(3);
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert!(checkpoints.read(3).is_err(), "byte {at}");
            std::fs::write(&path, &whole[..at]).unwrap();
            assert!(checkpoints.read(3).is_err(), "cut at {at}");
        }
        std::fs::write(&path, [&whole[..], &[0]].concat()).unwrap();
        assert!(checkpoints.read(3).is_err());
    }

    #[test]
    fn a_checkpoint_of_another_run_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        Checkpoints::new(folder.path(), (0, 1), "wcc on a").unwrap().write(&state(3)).unwrap();
        let other = Checkpoints::new(folder.path(), (0, 1), "wcc on b").unwrap();
        let error = other.read(3).unwrap_err().to_string();
        assert!(error.contains("another question, graph, flags or number of processes"), "{error}");
        let mut alone = local(1);
        assert!(other.last_common(&mut alone[0]).unwrap_err().to_string().contains("another question"));
    }

    #[test]
    fn all_parts_resume_from_the_last_superstep_that_each_has_whole() {
        let folder = tempfile::tempdir().unwrap();
        let of = |part| Checkpoints::new(folder.path(), (part, 3), "run").unwrap();
        let resume = || {
            let threads: Vec<_> = local(3)
                .into_iter()
                .enumerate()
                .map(|(part, mut member)| {
                    let checkpoints = of(part);
                    std::thread::spawn(move || {
                        checkpoints.last_common(&mut member).map(|state| state.superstep)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        };
        for end in resume() {
            assert!(end.unwrap_err().to_string().contains("no checkpoint that all 3 processes have"));
        }
        for (part, steps) in [(0, [10, 20]), (1, [10, 20]), (2, [5, 10])] {
            steps.iter().for_each(|step| of(part).write(&state(*step)).unwrap());
        }
        assert!(resume().into_iter().all(|end| end.unwrap() == 10));
        // The last write of part 2 was damaged.
        of(2).write(&state(20)).unwrap();
        let path = of(2).path(20);
        std::fs::write(&path, &std::fs::read(&path).unwrap()[..60]).unwrap();
        assert!(resume().into_iter().all(|end| end.unwrap() == 10));
    }
}

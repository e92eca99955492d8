//! [`Spill`]: files for the edges of each part, which vanish with the value, and on Unix also if the process is killed.

use super::list::Edge;
use crate::error::{Error, Result};
use std::{
    fs::{self, File},
    io::{BufReader, ErrorKind, Read, Seek, Write},
    path::{Path, PathBuf},
};

/// The most files at a time: systems allow a process 1,024 open ones, or 256.
const FILES: usize = 128;
/// Bytes that are read at once.
const READ: usize = 1 << 20;

/// Files with edges by part. Each holds those of a range of parts.
#[derive(Debug)]
pub(super) struct Spill {
    files: Vec<Temporary>,
    parts: usize,
    weighted: bool,
}

impl Spill {
    /// Creates the files in a folder.
    ///
    /// # Errors
    /// [`Error::Io`] if that is not possible.
    pub(super) fn create(folder: &Path, parts: usize, weighted: bool) -> Result<Self> {
        let files = (0..parts.min(FILES)).map(|file| Temporary::create(folder, file));
        Ok(Self { files: files.collect::<Result<_>>()?, parts, weighted })
    }

    /// Returns the number of files.
    pub(super) fn files(&self) -> usize {
        self.files.len()
    }

    /// Returns the file of a part.
    pub(super) fn file_of(&self, part: usize) -> usize {
        part * self.files.len() / self.parts
    }

    /// Appends an edge to the bytes that are to be written.
    pub(super) fn push(&self, bytes: &mut Vec<u8>, ([u, v], weight): Edge) {
        bytes.extend_from_slice(&u.to_le_bytes());
        bytes.extend_from_slice(&v.to_le_bytes());
        if self.weighted {
            bytes.extend_from_slice(&weight.to_le_bytes());
        }
    }

    /// Appends such bytes to a file.
    ///
    /// # Errors
    /// [`Error::Io`], such as for a full disk.
    pub(super) fn write(&self, file: usize, bytes: &[u8]) -> Result<()> {
        let Temporary { file, path, .. } = &self.files[file];
        let mut file: &File = file;
        file.write_all(bytes).map_err(|error| Error::io(path, "write", error))
    }

    /// Calls `take` with all edges of the file of a part, in the order in which they were written.
    ///
    /// # Errors
    /// [`Error::Io`], and those of `take`.
    pub(super) fn read(&self, part: usize, mut take: impl FnMut(Edge) -> Result<()>) -> Result<()> {
        let Temporary { file, path, .. } = &self.files[self.file_of(part)];
        let failed = |error| Error::io(path, "read", error);
        let mut file: &File = file;
        file.rewind().map_err(failed)?;
        let mut reader = BufReader::with_capacity(READ, file);
        let (mut pair, mut weight) = ([0; 8], [0; 8]);
        loop {
            match reader.read_exact(&mut pair) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
                read => read.map_err(failed)?,
            }
            if self.weighted {
                reader.read_exact(&mut weight).map_err(failed)?;
            }
            let [a, b, c, d, e, f, g, h] = pair;
            let ends = [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])];
            take((ends, f64::from_le_bytes(weight)))?;
        }
    }
}

/// A file without a name, or one that is removed in the end where systems have no such files.
#[derive(Debug)]
struct Temporary {
    file: File,
    path: PathBuf,
    is_named: bool,
}

impl Temporary {
    fn create(folder: &Path, number: usize) -> Result<Self> {
        let path = folder.join(format!(".warpgraph-{}-{number:03}.spill", std::process::id()));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.map_err(|error| Error::io(&path, "create", error))?;
        // Unix keeps an open file without a name until the process ends, however that happens.
        let is_named = !cfg!(unix) || fs::remove_file(&path).is_err();
        Ok(Self { file, path, is_named })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.is_named {
            // A file that cannot be removed does no harm but takes room.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_come_back_in_their_order_and_no_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        for (parts, weighted) in [(1, true), (3, false), (1000, true)] {
            let spill = Spill::create(folder.path(), parts, weighted).unwrap();
            assert!(spill.files() <= FILES && spill.file_of(parts - 1) == spill.files() - 1);
            let edge = |part: usize, k: u32| ([part as u32, k], f64::from(k) / 2.0);
            for k in 0..3 {
                for part in 0..parts {
                    let mut bytes = Vec::new();
                    spill.push(&mut bytes, edge(part, k));
                    spill.write(spill.file_of(part), &bytes).unwrap();
                }
            }
            for part in 0..parts {
                let mut found = Vec::new();
                let take = |edge: Edge| {
                    found.extend((edge.0[0] == part as u32).then_some(edge));
                    Ok(())
                };
                spill.read(part, take).unwrap();
                let wanted = |k| if weighted { edge(part, k) } else { (edge(part, k).0, 0.0) };
                assert_eq!(found, [0, 1, 2].map(wanted), "part {part} of {parts}");
            }
            drop(spill);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}

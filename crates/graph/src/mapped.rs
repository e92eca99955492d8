//! [`MappedFile`]: a file mapped to memory, and whether it is still what it was when it was mapped.

use crate::{Error, Result};
use memmap2::Mmap;
use std::{
    fs::{File, Metadata},
    io,
    ops::Deref,
    path::Path,
    time::SystemTime,
};

/// A file that is mapped to memory for reading. A file that is replaced under its name stays as it was here; one that is
/// written to changes under the process, and one that shrinks ends it with SIGBUS. [`MappedFile::check`] notices both
/// without reading a page.
#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
    file: File,
    name: String,
    stamp: Stamp,
}

/// What the system says about a file. The handle stays open, so that it is always about the same inode.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    /// `None` if the system does not tell.
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(about: &Metadata) -> Self {
        Self { bytes: about.len(), modified: about.modified().ok() }
    }
}

impl MappedFile {
    /// Maps a file; `path` is its name in messages.
    ///
    /// # Errors
    /// When the system does not map it, e.g. because it is empty.
    pub(crate) fn new(file: File, path: &Path) -> io::Result<Self> {
        let stamp = Stamp::of(&file.metadata()?);
        // SAFETY: the process only reads the map. If the file shrinks meanwhile, SIGBUS ends the process, as it does
        // for every reader of mapped files; the documentation of the formats says so.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self { map, file, name: path.display().to_string(), stamp })
    }

    /// Compares size and time of the last change with those at the time of mapping.
    ///
    /// # Errors
    /// Returns [`Error::Changed`] if they differ, and [`Error::Io`] if the system does not tell.
    pub fn check(&self) -> Result<()> {
        let now = Stamp::of(&self.file.metadata().map_err(|e| Error::io(&self.name, "read", e))?);
        let how = match now.bytes == self.stamp.bytes {
            _ if now == self.stamp => return Ok(()),
            true => "something wrote to it".to_owned(),
            false => format!("it had {} bytes, and has {}", self.stamp.bytes, now.bytes),
        };
        Err(Error::Changed { path: self.name.clone(), how })
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, io::Write, time::Duration};

    fn mapped(folder: &Path, name: &str) -> (std::path::PathBuf, MappedFile) {
        let path = folder.join(name);
        fs::write(&path, [7; 5000]).unwrap();
        let map = MappedFile::new(File::open(&path).unwrap(), &path).unwrap();
        map.check().unwrap();
        (path, map)
    }

    #[test]
    fn what_happens_to_a_file_is_noticed_unless_another_takes_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let how = |map: &MappedFile| match map.check() {
            Err(Error::Changed { how, .. }) => how,
            other => panic!("{other:?}"),
        };
        let (path, map) = mapped(folder.path(), "longer");
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"!").unwrap();
        assert_eq!(how(&map), "it had 5000 bytes, and has 5001");
        let (path, map) = mapped(folder.path(), "shorter");
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(10).unwrap();
        assert_eq!(how(&map), "it had 5000 bytes, and has 10");
        let (path, map) = mapped(folder.path(), "touched");
        let later = fs::metadata(&path).unwrap().modified().unwrap() + Duration::from_secs(1);
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert_eq!(how(&map), "something wrote to it");
        let (path, map) = mapped(folder.path(), "replaced");
        fs::write(folder.path().join("new"), [8; 10]).unwrap();
        fs::rename(folder.path().join("new"), &path).unwrap();
        map.check().unwrap();
        fs::remove_file(&path).unwrap();
        map.check().unwrap();
        assert_eq!(map.len(), 5000);
        assert!(map.iter().all(|&byte| byte == 7));
    }
}

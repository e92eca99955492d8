//! Writes tables to files and streams. All threads format rows in blocks, and one batch of blocks is written, in order,
//! while the next is formatted. Parquet has its own writer.

use super::{Table, csv, npy};
use std::{fmt, io::Write, path::Path, str::FromStr};
use warpgraph_graph::{
    Control, Error, Result,
    atomic_file::AtomicFile,
    format::write::packing::{Packer, Packing, packed_inside},
    par,
};

const BLOCK_ROWS: usize = 1 << 14;

/// A file format for tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Text with fields separated by commas.
    Csv,
    /// Text with fields separated by tabs.
    Tsv,
    /// One structured NumPy array.
    Npy,
    /// A Parquet file; needs the feature `parquet`.
    Parquet,
}

/// Parses `csv`, `tsv`, `npy` or `parquet`.
impl FromStr for TableFormat {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text.to_ascii_lowercase().as_str() {
            "csv" => Ok(Self::Csv),
            "tsv" => Ok(Self::Tsv),
            "npy" => Ok(Self::Npy),
            "parquet" => Ok(Self::Parquet),
            _ => Err(Error::invalid(format!("cannot write a table as {text:?}"), HELP)),
        }
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Npy => "npy",
            Self::Parquet => "parquet",
        })
    }
}

const HELP: &str = "name the file with one of the endings .csv, .tsv, .npy or .parquet, of which .gz or .zst packs the \
                    first three, or - for CSV on standard output";

impl TableFormat {
    /// Returns the format for a file's ending, without `.gz` or `.zst`; `-` is CSV.
    ///
    /// # Errors
    /// [`Error::Invalid`] listing the known endings, or saying that this build lacks the format.
    pub fn of_path(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Csv);
        }
        let (packing, ending) = Packing::of_path(path);
        let unknown = |_| {
            let what = format!("{}: cannot tell the form of the table by this ending", path.display());
            Error::invalid(what, HELP)
        };
        match ending.parse().map_err(unknown)? {
            Self::Parquet if packing != Packing::Plain => Err(packed_inside(path)),
            Self::Parquet if !cfg!(feature = "parquet") => Err(without_parquet(&path.display().to_string())),
            format => Ok(format),
        }
    }
}

fn without_parquet(name: &str) -> Error {
    let help = "build it with the feature parquet, or write .csv, .tsv or .npy";
    Error::invalid(format!("{name}: this build is without Parquet"), help)
}

impl Table<'_> {
    /// Writes the table to a file in the format of its ending, packed if `.gz` or `.zst` follows. Leaves no file behind
    /// if that fails.
    ///
    /// # Errors
    /// [`Error::Exists`] unless `force`, [`Error::Invalid`] for an unknown ending, [`Error::Io`], or when `control`
    /// stops it.
    pub fn save(&self, path: &Path, force: bool, control: &Control) -> Result<()> {
        let format = TableFormat::of_path(path)?;
        let name = path.display().to_string();
        let mut file = AtomicFile::create(path, force)?;
        let mut packer = Packer::new(&mut file, Packing::of_path(path).0);
        self.write(format, &mut packer, &name, control)?;
        packer.finish().map_err(|e| Error::io(&name, "write", e))?;
        file.commit()
    }

    /// Writes the table to a stream; `name` is the name of the stream in errors.
    ///
    /// # Errors
    /// [`Error::Io`], or when `control` stops it.
    pub fn write(
        &self,
        format: TableFormat,
        out: &mut (dyn Write + Send),
        name: &str,
        control: &Control,
    ) -> Result<()> {
        let text = |separator| move |rows| csv::rows(self, rows, separator);
        match format {
            TableFormat::Csv => self.stream(csv::header(self, b','), &text(b','), out, name, control),
            TableFormat::Tsv => self.stream(csv::header(self, b'\t'), &text(b'\t'), out, name, control),
            TableFormat::Npy => {
                let fields = npy::fields(self);
                let rows = |rows| npy::rows(self, &fields, rows);
                self.stream(npy::header(self, &fields), &rows, out, name, control)
            }
            #[cfg(feature = "parquet")]
            TableFormat::Parquet => super::parquet::write(self, out, name, control),
            #[cfg(not(feature = "parquet"))]
            TableFormat::Parquet => Err(without_parquet(name)),
        }
    }

    /// Writes the header, then all blocks of rows; `format` returns the bytes of a block.
    fn stream(
        &self,
        header: Vec<u8>,
        format: &(dyn Fn(std::ops::Range<usize>) -> Vec<u8> + Sync),
        out: &mut (dyn Write + Send),
        name: &str,
        control: &Control,
    ) -> Result<()> {
        let batch_rows = BLOCK_ROWS * 4 * rayon::current_num_threads();
        let batch = |start: usize| -> Vec<Vec<u8>> {
            let end = self.rows().min(start + batch_rows);
            let blocks = start..end.max(start);
            let starts: Vec<usize> = blocks.step_by(BLOCK_ROWS).collect();
            par::map_each(starts, |_, s| format(s..end.min(s + BLOCK_ROWS)))
        };
        let mut ready = vec![header];
        let mut next = 0;
        while !ready.is_empty() {
            control.check("writing the table")?;
            control.report("writing", next.min(self.rows()) as u64, Some(self.rows() as u64));
            let put = || ready.iter().try_for_each(|block| out.write_all(block));
            let (written, formatted) = par::join(put, || batch(next));
            written.map_err(|e| Error::io(name, "write", e))?;
            (ready, next) = (formatted, next + batch_rows);
        }
        out.flush().map_err(|e| Error::io(name, "write", e))
    }
}

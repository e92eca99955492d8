//! A figure into a file, of the kind that its ending names.

use super::Figure;
use std::{io, io::Write, path::Path};
use warpgraph::graph::{AtomicFile, Error, Result};

/// The kinds of files that figures can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// `.svg`.
    Svg,
    /// `.png`.
    Png,
}

impl Ending {
    /// That of a path, in letters of any case.
    ///
    /// # Errors
    /// [`Error::Invalid`] when it is another one, or none; ask before measuring for minutes.
    pub fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match ending.as_str() {
            "svg" => Ok(Self::Svg),
            "png" => Ok(Self::Png),
            _ => {
                let what = format!("{}: cannot tell the kind of picture by this ending", path.display());
                Err(Error::invalid(what, "use .svg or .png"))
            }
        }
    }
}

/// Draws a figure and writes it, whole or not at all; replaces a file that is there only if `force`.
///
/// # Errors
/// As [`Ending::of`] and [`AtomicFile`], or when the drawing library refuses.
pub fn save(figure: &Figure<'_>, path: &Path, force: bool) -> Result<()> {
    let drawn = match Ending::of(path)? {
        Ending::Svg => figure.svg().map(String::into_bytes),
        Ending::Png => figure.png(),
    };
    let bytes = drawn.map_err(|error| Error::io(path, "draw", io::Error::other(error.to_string())))?;
    let mut file = AtomicFile::create(path, force)?;
    file.write_all(&bytes).map_err(|error| Error::io(path, "write", error))?;
    file.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{encode::SIGNATURE, testing::decoded};

    #[test]
    fn a_figure_is_of_the_kind_that_its_ending_names() {
        let folder = tempfile::tempdir().unwrap();
        let figure = Figure::new((90, 40), |canvas| canvas.title("title"));
        let (svg, png) = (folder.path().join("a.svg"), folder.path().join("a.PNG"));
        save(&figure, &svg, false).unwrap();
        save(&figure, &png, false).unwrap();
        assert_eq!(std::fs::read_to_string(&svg).unwrap(), figure.svg().unwrap());
        let bytes = std::fs::read(&png).unwrap();
        assert_eq!(bytes[..8], SIGNATURE);
        assert_eq!(decoded(&bytes).0, (180, 80));
    }

    #[test]
    fn other_endings_and_files_that_are_there_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let figure = Figure::new((9, 9), |_| Ok(()));
        for name in ["a.pdf", "png", "a.svg.gz", "a"] {
            let error = save(&figure, &folder.path().join(name), true).unwrap_err();
            assert_eq!(
                (error.kind(), error.help().as_deref()),
                ("invalid", Some("use .svg or .png")),
                "{name}"
            );
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let path = folder.path().join("a.png");
        save(&figure, &path, false).unwrap();
        assert_eq!(save(&figure, &path, false).unwrap_err().kind(), "exists");
        save(&figure, &path, true).unwrap();
    }
}

//! The folder of the cache: how it is chosen, and the checks that it must pass to hold code.

use std::{
    fs::{self, DirBuilder, File, Metadata},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

/// Extension of a temporary file's name.
pub(super) const UNFINISHED: &str = ".tmp";

/// Returns a file name that no other thread or process uses. Process ids repeat between containers, so it includes the
/// time.
pub(super) fn unfinished_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{process}-{time:x}-{count}{UNFINISHED}")
}

/// Returns the user's folder for kernels, by the rules of the XDG base directories, which ignore relative paths.
pub(super) fn of_user(variable: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |name| variable(name).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(cache.join("warpgraph").join("kernels"))
}

/// Creates the folder if it is missing, and checks that this user owns it, can write to it, and is the only one who
/// can.
pub(super) fn make_ready(folder: &Path) -> Result<(), String> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| format!("it cannot be made: {error}"))?;

    let probe = folder.join(unfinished_name());
    let made = File::create_new(&probe).and_then(|file| file.metadata());
    let _ = fs::remove_file(&probe);
    let made = made.map_err(|error| format!("it cannot be written to: {error}"))?;
    let folder = fs::metadata(folder).map_err(|error| error.to_string())?;
    fit_for_code(&folder, &made)
}

/// Checks owner and mode of the folder. `made`, a file that this process just created, tells the id of this user.
#[cfg(unix)]
fn fit_for_code(folder: &Metadata, made: &Metadata) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt as _;
    let (owner, us, mode) = (folder.uid(), made.uid(), folder.mode() & 0o777);
    if owner != us {
        return Err(format!("it belongs to user {owner}, not to {us}, and it would hold code that is run"));
    }
    if mode & 0o022 != 0 {
        return Err(format!(
            "others may write to it (mode {mode:o}), and it would hold code that is run: chmod 700 makes it fit"
        ));
    }
    Ok(())
}

/// Accepts every folder: on other systems the user's folder is protected by its location.
#[cfg(not(unix))]
fn fit_for_code(_folder: &Metadata, _made: &Metadata) -> Result<(), String> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(xdg: Option<&str>, home: Option<&str>) -> Option<PathBuf> {
        of_user(&|name| (if name == "HOME" { home } else { xdg }).map(PathBuf::from))
    }

    #[test]
    fn the_users_folder_is_below_xdg_cache_home_or_home() {
        assert_eq!(of(Some("/x"), Some("/h")), Some("/x/warpgraph/kernels".into()));
        assert_eq!(of(None, Some("/h")), Some("/h/.cache/warpgraph/kernels".into()));
        assert_eq!(of(Some("not/absolute"), Some("/h")), Some("/h/.cache/warpgraph/kernels".into()));
        assert_eq!(of(Some(""), None), None);
    }
}

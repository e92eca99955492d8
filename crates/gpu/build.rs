//! Lists the files of `kernels/` for [`variants`](src/variants.rs), so that a new kernel file needs no line anywhere.

use std::{env, error::Error, fmt::Write as _, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("kernels");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut names = Vec::new();
    find(&root, "", &mut names)?;
    names.sort();
    let mut text = String::from("&[\n");
    for name in &names {
        let path = root.join(name);
        writeln!(text, "    ({name:?}, include_str!({:?})),", path.display().to_string())?;
    }
    text.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("kernels.rs"), text)?;
    Ok(())
}

/// Collects the names of all kernel files in a folder and its subfolders, relative to `kernels/`.
fn find(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type()?.is_dir() {
            true => find(&entry.path(), &format!("{name}/"), names)?,
            false => names.push(name),
        }
    }
    Ok(())
}

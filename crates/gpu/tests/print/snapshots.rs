//! The text of programs, word for word. `WARPGRAPH_BLESS=1` writes the texts anew.

use crate::programs;
use std::{env, fs, path::Path};

#[test]
fn programs_print_as_they_were_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let bless = env::var_os("WARPGRAPH_BLESS").is_some_and(|set| set == "1");
    let mut wrong = Vec::new();
    for case in programs::all() {
        let path = folder.join(case.name).with_extension("cu");
        let text = format!("{}\n{}", case.printed.types, case.printed.program);
        if bless {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &text).unwrap();
        } else if fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            wrong.push(format!("{} should be\n{text}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nIf that is right, run with WARPGRAPH_BLESS=1.", wrong.join("\n"));
}

//! The compile cache: what it keeps, what it does not believe, and what it does where it cannot keep anything.
#![allow(clippy::unwrap_used)]

use std::{
    cell::Cell,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, SystemTime},
};
use tempfile::TempDir;
use warpgraph_device::{Cache, Error};

const PARTS: [&str; 3] = ["text", "options", "sm_90"];
const CODE: &[u8] = b"machine code";

fn folder() -> (TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("warpgraph/kernels");
    (root, folder)
}

/// The content, and whether it had to be made.
fn get(cache: &Cache, parts: &[&str], content: &[u8]) -> (Vec<u8>, bool) {
    let made = Cell::new(false);
    let got = cache.get_or_make(parts, || {
        made.set(true);
        Ok(content.to_vec())
    });
    (got.unwrap(), made.get())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn only_file(folder: &Path) -> PathBuf {
    let files = files(folder);
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

#[test]
fn an_entry_is_kept_for_the_next_process() {
    let (_root, folder) = folder();
    let first = Cache::open(Some(folder.clone()));
    assert_eq!((first.problem(), first.folder()), (None, Some(folder.as_path())));
    assert_eq!(get(&first, &PARTS, CODE), (CODE.to_vec(), true));
    assert_eq!(get(&first, &PARTS, b"other"), (CODE.to_vec(), false));
    assert_eq!(get(&Cache::open(Some(folder)), &PARTS, b"other"), (CODE.to_vec(), false));
}

#[test]
fn every_part_counts_and_so_does_where_it_ends() {
    let (_root, folder) = folder();
    let cache = Cache::open(Some(folder.clone()));
    let lists: [&[&str]; 5] = [&["ab", "c"], &["a", "bc"], &["abc"], &["ab", "c", ""], &["c", "ab"]];
    for (i, parts) in lists.iter().enumerate() {
        assert_eq!(get(&cache, parts, &[i as u8]), (vec![i as u8], true), "{parts:?}");
    }
    assert_eq!(files(&folder).len(), lists.len());
}

#[test]
fn an_error_is_passed_on_and_nothing_is_kept() {
    let (_root, folder) = folder();
    let cache = Cache::open(Some(folder.clone()));
    let refused = Error::NoDriver { what: "none".to_owned() };
    assert!(matches!(cache.get_or_make(&PARTS, || Err(refused)), Err(Error::NoDriver { .. })));
    assert_eq!(files(&folder), Vec::<PathBuf>::new());
}

#[test]
fn the_folder_is_made_for_its_owner_alone() {
    let (_root, folder) = folder();
    Cache::open(Some(folder.clone()));
    assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    assert_eq!(
        files(&folder),
        Vec::<PathBuf>::new(),
        "nothing is left of finding out whether it can be written"
    );
}

#[test]
fn an_entry_cut_anywhere_is_made_anew_and_replaced() {
    let (_root, folder) = folder();
    let cache = Cache::open(Some(folder.clone()));
    get(&cache, &PARTS, CODE);
    let file = only_file(&folder);
    let whole = fs::read(&file).unwrap();
    for length in 0..whole.len() {
        fs::write(&file, &whole[..length]).unwrap();
        assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true), "cut to {length} bytes");
        assert_eq!(fs::read(only_file(&folder)).unwrap(), whole);
    }
    fs::write(&file, [whole.as_slice(), b"more"].concat()).unwrap();
    assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true), "and too long");
}

#[test]
fn an_entry_with_any_byte_flipped_is_made_anew_and_replaced() {
    let (_root, folder) = folder();
    let cache = Cache::open(Some(folder.clone()));
    get(&cache, &PARTS, CODE);
    let file = only_file(&folder);
    let whole = fs::read(&file).unwrap();
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        fs::write(&file, &flipped).unwrap();
        assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true), "byte {at}");
        assert_eq!(fs::read(only_file(&folder)).unwrap(), whole);
    }
}

#[test]
fn an_entry_of_other_parts_is_rejected() {
    let (_root, folder) = folder();
    let cache = Cache::open(Some(folder.clone()));
    get(&cache, &["others"], b"others' code");
    let others = only_file(&folder);
    get(&cache, &PARTS, CODE);
    let ours = files(&folder).into_iter().find(|file| *file != others).unwrap();
    fs::copy(others, ours).unwrap();
    assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true));
}

#[test]
fn make_anew_replaces_a_good_entry() {
    let (_root, folder) = folder();
    let cache = Cache::open(Some(folder));
    get(&cache, &PARTS, b"refused by the driver");
    assert_eq!(cache.make_anew(&PARTS, || Ok(CODE.to_vec())).unwrap(), CODE);
    assert_eq!(get(&cache, &PARTS, b""), (CODE.to_vec(), false));
}

#[test]
fn a_folder_that_cannot_be_made_means_compiling_every_time() {
    let (root, _) = folder();
    let file = root.path().join("file");
    fs::write(&file, b"in the way").unwrap();
    for folder in [file.clone(), file.join("below")] {
        let cache = Cache::open(Some(folder.clone()));
        assert_eq!(cache.folder(), Some(folder.as_path()));
        let problem = cache.problem().unwrap();
        assert!(
            problem.contains(&folder.display().to_string()) && problem.contains("cannot be made"),
            "{problem}"
        );
        assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true));
        assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true));
    }
    assert_eq!(fs::read(file).unwrap(), b"in the way");
}

#[test]
fn a_folder_that_goes_away_is_a_problem_and_no_error() {
    let (_root, folder) = folder();
    let cache = Cache::open(Some(folder.clone()));
    fs::remove_dir(&folder).unwrap();
    assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true));
    assert!(cache.problem().unwrap().contains(&folder.display().to_string()));
    fs::create_dir(&folder).unwrap();
    assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true));
    assert_eq!((cache.problem(), get(&cache, &PARTS, b"").1), (None, false));
}

#[test]
fn a_folder_that_others_may_write_to_is_not_used() {
    for mode in [0o777, 0o770, 0o702] {
        let (_root, folder) = folder();
        get(&Cache::open(Some(folder.clone())), &PARTS, b"planted");
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
        let cache = Cache::open(Some(folder));
        let problem = cache.problem().unwrap();
        assert!(problem.contains(&format!("mode {mode:o}")) && problem.contains("chmod 700"), "{problem}");
        assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true));
    }
}

#[test]
fn a_folder_of_somebody_else_is_not_used() {
    let (_root, own) = folder();
    get(&Cache::open(Some(own.clone())), &PARTS, b"planted");
    // Only root may give a folder away; all others have one of root's before them.
    let (folder, user) = match chown(&own, Some(12_345), None) {
        Ok(()) => (own, 12_345),
        Err(_) => (PathBuf::from("/usr"), 0),
    };
    let cache = Cache::open(Some(folder));
    assert!(cache.problem().unwrap().contains(&format!("belongs to user {user}")), "{:?}", cache.problem());
    assert_eq!(get(&cache, &PARTS, CODE), (CODE.to_vec(), true));
}

/// Makes a file look unused for so long.
fn age(file: &Path, hours: u64) {
    let then = SystemTime::now() - Duration::from_secs(hours * 3600);
    fs::File::options().write(true).open(file).unwrap().set_modified(then).unwrap();
}

#[test]
fn the_entries_longest_unused_make_room_for_new_ones() {
    let (_root, folder) = folder();
    let cache = Cache::with_limit(Some(folder.clone()), 4096);
    let content = [7; 1000];
    for (hours, part) in [(9, "a"), (8, "b"), (7, "c")] {
        let before = files(&folder);
        get(&cache, &[part], &content);
        let new = files(&folder).into_iter().find(|file| !before.contains(file)).unwrap();
        age(&new, hours);
    }
    assert!(!get(&cache, &["a"], &content).1, "the oldest is used, and so the newest now");
    get(&cache, &["d"], &content);
    assert!(files(&folder).iter().map(|file| fs::metadata(file).unwrap().len()).sum::<u64>() <= 4096);
    for (part, made) in [("a", false), ("c", false), ("d", false), ("b", true)] {
        assert_eq!(get(&cache, &[part], &content).1, made, "{part}");
    }
}

#[test]
fn an_entry_that_is_replaced_needs_no_room_beside_itself() {
    let (_root, folder) = folder();
    let cache = Cache::with_limit(Some(folder), 4096);
    get(&cache, &["small"], &[1; 1000]);
    get(&cache, &["large"], &[1; 2000]);
    cache.make_anew(&["large"], || Ok(vec![2; 2000])).unwrap();
    assert!(!get(&cache, &["small"], &[]).1);
}

#[test]
fn an_entry_larger_than_the_limit_is_not_kept_and_evicts_no_other() {
    let (_root, folder) = folder();
    let cache = Cache::with_limit(Some(folder), 4096);
    get(&cache, &PARTS, CODE);
    assert_eq!(get(&cache, &["large"], &[1; 5000]).0.len(), 5000);
    assert!(get(&cache, &["large"], &[1; 5000]).1);
    assert!(!get(&cache, &PARTS, CODE).1);
}

#[test]
fn other_files_stay_except_those_that_dead_processes_left_unfinished() {
    let (_root, folder) = folder();
    let cache = Cache::with_limit(Some(folder.clone()), 4096);
    let [foreign, dead, live] = ["notes.txt", "1-2-3.tmp", "4-5-6.tmp"].map(|name| folder.join(name));
    for (file, hours) in [(&foreign, 1000), (&dead, 2), (&live, 0)] {
        fs::write(file, [0; 4096]).unwrap();
        age(file, hours);
    }
    get(&cache, &PARTS, CODE);
    assert!(!get(&cache, &PARTS, CODE).1);
    assert_eq!([foreign.exists(), dead.exists(), live.exists()], [true, false, true]);
}

/// The content for a key, long enough that a write of it is not one step.
fn long(key: usize) -> Vec<u8> {
    (0..200_000).map(|i| (i * 31 + key * 7) as u8).collect()
}

/// Reads, writes and replaces entries that do not all have room; every answer must be right.
fn hammer(folder: &Path) {
    let cache = Cache::with_limit(Some(folder.to_owned()), 700_000);
    for round in 0..60_usize {
        let key = round * 7 % 5;
        let parts = ["hammer", &key.to_string()];
        let got = if round % 11 == 0 {
            cache.make_anew(&parts, || Ok(long(key))).unwrap()
        } else {
            cache.get_or_make(&parts, || Ok(long(key))).unwrap()
        };
        assert!(got == long(key), "round {round}");
    }
}

#[test]
fn concurrent_threads_all_get_what_they_asked_for() {
    let (_root, folder) = folder();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| hammer(&folder));
        }
    });
    assert!(files(&folder).iter().all(|file| file.extension().is_some_and(|end| end == "code")));
}

#[test]
fn concurrent_processes_all_get_what_they_asked_for() {
    const FOLDER: &str = "WARPGRAPH_TEST_HAMMER";
    if let Some(folder) = std::env::var_os(FOLDER) {
        return hammer(Path::new(&folder));
    }
    let (_root, folder) = folder();
    let name = "concurrent_processes_all_get_what_they_asked_for";
    let again = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", name]).env(FOLDER, &folder).stdout(Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = (0..3).map(|_| again()).collect();
    hammer(&folder);
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert!(!files(&folder).is_empty());
}

#[test]
fn an_entry_is_found_only_by_its_own_parts() {
    let (_root, folder) = folder();
    let cache = Cache::open(Some(folder.clone()));
    assert_eq!(cache.get(&PARTS), None);
    cache.put(&PARTS, CODE);
    assert_eq!(cache.get(&PARTS).as_deref(), Some(CODE));
    assert_eq!(cache.get(&PARTS[..2]), None);
    cache.put(&PARTS, b"another");
    assert_eq!(Cache::open(Some(folder.clone())).get(&PARTS).as_deref(), Some(&b"another"[..]));
    assert_eq!(files(&folder).len(), 1);
}

//! Warns about plugin folders and libraries that every user of the machine may write: whoever writes there chooses code
//! that the host runs. Only permissions are read. Main thread.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::code::Code;
use super::discover::{Candidate, SearchPath};
use super::refusal::Refusal;

/// Write permission for everyone.
const OTHERS_WRITE: u32 = 0o002;
/// In a folder with this bit, as in `/tmp`, files can be replaced by their owners only.
const STICKY: u32 = 0o1000;

/// Returns a warning for each folder of a search that every user may write: the given ones, and those of the files found
/// below them.
pub(super) fn folders(search: &SearchPath, candidates: &[Candidate]) -> Vec<Refusal> {
    let given = search.folders().map(|(_, path)| path.to_owned());
    let of_files = candidates.iter().flat_map(|candidate| {
        let real = candidate.path.canonicalize().ok();
        [Some(candidate.path.clone()), real].into_iter().flatten()
    });
    let of_files = of_files.filter_map(|file| file.parent().map(Path::to_owned));
    let all: BTreeSet<PathBuf> = given.chain(of_files).filter(|path| is_open_folder(path)).collect();
    all.iter().map(|path| warning(&format!("the plugin folder `{}`", path.display()))).collect()
}

/// Returns a warning if every user may write a library.
pub(super) fn library(path: &Path) -> Option<Refusal> {
    let mode = fs::metadata(path).ok()?.permissions().mode();
    (mode & OTHERS_WRITE != 0).then(|| warning("this library"))
}

fn is_open_folder(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| {
        found.is_dir() && found.permissions().mode() & (OTHERS_WRITE | STICKY) == OTHERS_WRITE
    })
}

fn warning(what: &str) -> Refusal {
    Refusal::new(Code::WritableByAll, format!("every user of this machine may write {what}"))
}

#[cfg(test)]
mod tests {
    use super::super::discover::{Origin, discover};
    use super::*;

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    }

    fn warned(search: &SearchPath) -> Vec<String> {
        folders(search, &discover(search).candidates).into_iter().map(|warning| warning.to_string()).collect()
    }

    #[test]
    fn folders_that_every_user_may_write_are_named_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let (top, below) = (folder.path(), folder.path().join("vendor"));
        fs::create_dir(&below).expect("a folder");
        for name in ["a.so", "b.so"] {
            fs::write(below.join(name), "").expect("a file");
        }
        let mut search = SearchPath::new();
        search.add(Origin::User, top);
        search.add(Origin::CommandLine, top.join("absent"));
        for mode in [0o755, 0o775, 0o1777] {
            chmod(top, mode);
            chmod(&below, mode);
            assert_eq!(warned(&search), Vec::<String>::new(), "{mode:o}");
        }
        chmod(&below, 0o777);
        let [warning] = &warned(&search)[..] else { panic!("{:?}", warned(&search)) };
        assert!(warning.starts_with("[BH-PLG-003] "), "{warning}");
        assert!(
            warning.contains(&format!("`{}`", below.display())) && warning.contains("chmod o-w"),
            "{warning}"
        );
        chmod(top, 0o702);
        assert_eq!(warned(&search).len(), 2);
    }

    #[test]
    fn the_folder_of_a_linked_library_counts() {
        let (folder, elsewhere) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        fs::write(elsewhere.path().join("real.so"), "").expect("a file");
        std::os::unix::fs::symlink(elsewhere.path().join("real.so"), folder.path().join("a.so"))
            .expect("a link");
        let mut search = SearchPath::new();
        search.add(Origin::CommandLine, folder.path());
        chmod(elsewhere.path(), 0o777);
        assert_eq!(warned(&search).len(), 1);
    }

    #[test]
    fn a_library_that_every_user_may_write_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.so");
        fs::write(&path, "").expect("a file");
        chmod(&path, 0o664);
        assert_eq!(library(&path), None);
        chmod(&path, 0o666);
        assert_eq!(library(&path).map(|warning| warning.code), Some(Code::WritableByAll));
        assert_eq!(library(&folder.path().join("absent.so")), None);
    }
}

//! Results and warnings of a search.

use tempfile::TempDir;

use super::*;

fn touch(folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(&path, b"").expect("a file");
    path
}

fn found(search: &SearchPath) -> Vec<PathBuf> {
    discover(search).candidates.into_iter().map(|candidate| candidate.path).collect()
}

#[test]
fn folders_are_searched_in_order_and_files_by_name() {
    let (first, second) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    let b = touch(&first, "b.so");
    let a = touch(&first, "a.so");
    let deep = touch(&first, "deep/er/c.so");
    touch(&first, "notes.txt");
    touch(&first, "libx.so.1");
    fs::create_dir(first.path().join("folder.so")).expect("a folder");
    let other = touch(&second, "0.so");
    let mut search = SearchPath::new();
    search.add(Origin::CommandLine, first.path());
    search.add(Origin::Configuration, second.path());
    assert_eq!(found(&search), [a, b, deep, other]);
}

#[test]
fn beside_the_binary_only_the_plugins_folder_is_entered() {
    let folder = TempDir::new().expect("a folder");
    let own = touch(&folder, "libudp.so");
    touch(&folder, "deps/libudp.so");
    let below = touch(&folder, "plugins/vendor/libcan.so");
    let mut search = SearchPath::new();
    search.add_beside_binary(folder.path());
    assert_eq!(found(&search), [own, below]);
}

#[test]
fn a_program_in_a_folder_bin_finds_the_libraries_of_its_installation() {
    let prefix = TempDir::new().expect("a folder");
    let library = touch(&prefix, "lib/bridgehead/libudp.so");
    touch(&prefix, "lib/libother.so");
    let mut search = SearchPath::new();
    search.add_installation(&prefix.path().join("bin"));
    assert_eq!(found(&search), [library]);
    let mut elsewhere = SearchPath::new();
    elsewhere.add_installation(&prefix.path().join("sbin"));
    assert_eq!(elsewhere, SearchPath::new());
}

#[test]
fn intermediates_of_cargo_are_skipped() {
    let folder = TempDir::new().expect("a folder");
    let result = touch(&folder, "debug/libudp.so");
    touch(&folder, "debug/deps/libserde_derive-0.so");
    touch(&folder, "debug/.fingerprint/udp/stamp");
    let mut search = SearchPath::new();
    search.add(Origin::CommandLine, folder.path());
    assert_eq!(found(&search), [result]);
}

#[test]
fn a_file_may_be_named_instead_of_a_folder() {
    let folder = TempDir::new().expect("a folder");
    let file = touch(&folder, "plugin.bin");
    let mut search = SearchPath::new();
    search.add(Origin::CommandLine, &file);
    assert_eq!(found(&search), [file]);
}

#[test]
fn linked_files_are_taken_and_linked_folders_are_not_entered() {
    let folder = TempDir::new().expect("a folder");
    touch(&folder, "sub/real.so");
    let link = folder.path().join("link.so");
    std::os::unix::fs::symlink("sub/real.so", &link).expect("a link");
    std::os::unix::fs::symlink(".", folder.path().join("loop")).expect("a link");
    let mut search = SearchPath::new();
    search.add(Origin::User, folder.path());
    assert_eq!(found(&search), [link], "both names are one file");
}

#[test]
fn only_named_folders_cause_warnings() {
    let empty = TempDir::new().expect("a folder");
    let absent = empty.path().join("absent");
    for origin in [Origin::CommandLine, Origin::Configuration, Origin::Environment] {
        let mut search = SearchPath::new();
        search.add(origin, &absent);
        search.add(origin, empty.path());
        let warnings = discover(&search).warnings;
        let codes: Vec<Code> = warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, [Code::FolderMissing, Code::FolderEmpty]);
        let text = format!("cannot read plugin path `{}` ({origin}): No such file", absent.display());
        assert!(warnings[0].text.starts_with(&text), "{}", warnings[0]);
    }
    for origin in [Origin::User, Origin::BesideBinary] {
        let mut search = SearchPath::new();
        search.add(origin, &absent);
        search.add(origin, empty.path());
        assert_eq!(discover(&search).warnings, []);
    }
}

#[test]
fn the_environment_list_is_split_at_colons() {
    let mut search = SearchPath::new();
    search.add_environment(OsStr::new("/a::/b c"));
    let folders: Vec<_> = search.folders().collect();
    assert_eq!(folders, [(Origin::Environment, Path::new("/a")), (Origin::Environment, Path::new("/b c"))]);
}

#[test]
fn the_user_folder_follows_xdg() {
    let folder = |data: Option<&str>, home: Option<&str>| user_folder(data, home);
    assert_eq!(folder(Some("/data"), Some("/home/me")), Some(PathBuf::from("/data/bridgehead/plugins")));
    assert_eq!(
        folder(Some("relative"), Some("/home/me")),
        Some(PathBuf::from("/home/me/.local/share/bridgehead/plugins"))
    );
    assert_eq!(folder(None, None), None);
}

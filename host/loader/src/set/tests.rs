//! When libraries are opened, and what happens to those whose files change or that are refused when they are opened.

use std::fs;
use std::path::Path;

use super::*;
use crate::BareHosts;
use crate::tests::fixture::{Shelf, patch};

/// Finds the plugins of folders without opening a library.
fn find(folders: &[&Path]) -> PluginSet {
    let mut search = SearchPath::new();
    folders.iter().for_each(|folder| search.add(Origin::CommandLine, *folder));
    PluginSet::search(&search, LoadOptions::default())
}

/// Opens the library of a model plugin. Returns the codes of the findings.
fn open_model(set: &mut PluginSet, name: &str) -> Vec<Code> {
    let findings = set.open(Kind::Model, name, &mut BareHosts);
    findings.into_iter().map(|(_, refusal)| refusal.code).collect()
}

fn states(set: &PluginSet) -> Vec<&'static str> {
    set.report().files.iter().map(|file| file.state.name()).collect()
}

#[test]
fn a_library_is_opened_when_one_of_its_plugins_is_used_for_the_first_time() {
    let shelf = Shelf::new();
    let marker = shelf.path().join("constructor-ran");
    let constructor = format!("fclose(fopen(\"{}\",\"w\"))", marker.display());
    shelf.plugin("used", &[]);
    shelf.plugin("unused", &[("FIXTURE_CONSTRUCTOR", &constructor)]);
    let mut set = find(&[shelf.path()]);
    assert_eq!(states(&set), ["available", "available"]);
    assert!(set.find(Kind::Model, "used").is_some() && set.model("used").is_none());
    assert!(set.private_folder().is_none(), "nothing is copied");

    assert_eq!(open_model(&mut set, "used"), []);
    assert_eq!(open_model(&mut set, "used"), [], "it is open");
    assert!(set.model("used").is_some() && !marker.exists());
    assert_eq!((states(&set), set.libraries().len()), (vec!["available", "loaded"], 1));
    let copies = set.private_folder().expect("a folder");
    assert!(copies.join("0/libused.so").is_file() && !copies.join("1").exists(), "only this one is copied");

    assert_eq!(open_model(&mut set, "org.example.unused"), [], "found by id");
    assert!(marker.exists());
}

#[test]
fn the_copy_of_a_library_equals_its_file() {
    let shelf = Shelf::new();
    let path = shelf.plugin("copied", &[]);
    let mut set = find(&[shelf.path()]);
    open_model(&mut set, "copied");
    let copy = set.private_folder().expect("a folder").join("0/libcopied.so");
    assert_eq!(fs::read(copy).expect("the copy"), fs::read(path).expect("the file"));
}

#[test]
fn the_next_file_with_a_plugin_replaces_one_that_is_refused_when_it_is_opened() {
    let (first, second) = (Shelf::new(), Shelf::new());
    let broken = first.plugin("twin", &[("FIXTURE_UNDEFINED", "1")]);
    let good = second.plugin("twin", &[]);
    let mut set = find(&[first.path(), second.path()]);
    assert_eq!(states(&set), ["available", "duplicate"]);
    assert_eq!(open_model(&mut set, "twin"), [Code::Link]);
    assert_eq!(states(&set), ["refused", "loaded"]);
    assert_eq!(set.model("twin").map(|(plugin, _)| plugin.path.clone()), Some(good));
    assert_eq!(set.report().files[0].path, broken);
    assert_eq!(set.report().files[1].warnings, [], "it is no longer a duplicate");
}

#[test]
fn a_plugin_whose_only_file_is_refused_when_it_is_opened_is_gone() {
    let shelf = Shelf::new();
    shelf.plugin("broken", &[("FIXTURE_UNDEFINED", "1")]);
    let mut set = find(&[shelf.path()]);
    assert_eq!(open_model(&mut set, "broken"), [Code::Link]);
    assert!(set.find(Kind::Model, "broken").is_none());
    assert_eq!(open_model(&mut set, "broken"), [], "it is refused once");
    let text = set.explain_missing(Kind::Model, "broken");
    assert!(text.contains("libbroken.so` contains it but was refused: [BH-PLG-051]"), "{text}");
}

#[test]
fn a_file_that_changes_before_it_is_used_is_checked_again() {
    let shelf = Shelf::new();
    let (replaced, cut, deleted) =
        (shelf.plugin("replaced", &[]), shelf.plugin("cut", &[]), shelf.plugin("deleted", &[]));
    let mut set = find(&[shelf.path()]);
    patch(&replaced, br#""version":"1.0.0""#, br#""version":"2.0.0""#);
    let bytes = fs::read(&cut).expect("the library");
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("the file is written");
    fs::remove_file(deleted).expect("the file");
    assert_eq!(open_model(&mut set, "replaced"), [Code::Changed]);
    assert_eq!(open_model(&mut set, "cut"), [Code::Truncated]);
    assert_eq!(open_model(&mut set, "deleted"), [Code::Unreadable]);
    assert_eq!(set.libraries().len(), 0);
}

#[test]
fn each_library_gets_init_once_and_only_open_ones_get_deinit() {
    let (first, second) = (Shelf::new(), Shelf::new());
    first.pair("one", &[]);
    second.pair("two", &[]);
    let mut set = find(&[first.path(), second.path()]);
    open_model(&mut set, "shared");
    open_model(&mut set, "one");
    set.deinit();
    assert_eq!(first.notes(), ["init one", "deinit one"]);
    assert_eq!(second.notes(), Vec::<String>::new());
}

/// The news of a refresh, with the names of files.
fn news(set: &mut PluginSet) -> Vec<(String, String)> {
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let word = |news: &FileNews| match news {
        FileNews::Added => "added".to_owned(),
        FileNews::Changed => "changed".to_owned(),
        FileNews::Refused(refusal) => refusal.code.to_string(),
    };
    set.refresh().iter().map(|(path, change)| (name(path), word(change))).collect()
}

fn told(file: &str, word: &str) -> Vec<(String, String)> {
    vec![(file.to_owned(), word.to_owned())]
}

fn version(set: &PluginSet, name: &str) -> String {
    set.model(name).expect("an open plugin").0.metadata.version.clone()
}

#[test]
fn a_changed_file_is_opened_anew_and_the_old_library_stays() {
    let shelf = Shelf::new();
    shelf.plugin("edited", &[]);
    let mut set = find(&[shelf.path()]);
    open_model(&mut set, "edited");
    let library = |set: &PluginSet| {
        set.model("edited").and_then(|(plugin, _)| plugin.loaded).map(|(_, library)| library)
    };
    let before = library(&set).expect("open");
    assert_eq!(news(&mut set), [], "nothing has changed");
    assert_eq!(library(&set), Some(before));

    let marker = shelf.path().join("constructor-ran");
    let constructor = format!("fclose(fopen(\"{}\",\"w\"))", marker.display());
    shelf.plugin("edited", &[("FIXTURE_CONSTRUCTOR", &constructor)]);
    assert_eq!(news(&mut set), told("libedited.so", "changed"));
    assert!(set.model("edited").is_none() && !marker.exists(), "it is opened when it is used");
    assert_eq!(open_model(&mut set, "edited"), []);
    let after = library(&set).expect("open");
    assert!(marker.exists() && after != before);
    assert!(set.library(before).is_some(), "instances may still use it");
    let current: Vec<LibraryIndex> = set.current_libraries().map(|(index, _)| index).collect();
    assert_eq!(current, [after], "converters of the old one are not added again");
    assert_eq!(news(&mut set), []);
}

#[test]
fn a_changed_file_that_is_refused_leaves_the_open_library_in_use() {
    let shelf = Shelf::new();
    let path = shelf.plugin("edited", &[]);
    let bytes = fs::read(&path).expect("the library");
    let mut set = find(&[shelf.path()]);
    open_model(&mut set, "edited");
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("the file is written");
    assert_eq!(news(&mut set), told("libedited.so", &Code::Truncated.to_string()));
    assert_eq!(version(&set, "edited"), "1.0.0");
    assert_eq!(news(&mut set), [], "reported once");
    fs::write(&path, bytes).expect("the file is written");
    assert_eq!(news(&mut set), told("libedited.so", "changed"), "repaired");
    assert_eq!(open_model(&mut set, "edited"), []);
}

#[test]
fn files_that_come_and_go_are_found() {
    let shelf = Shelf::new();
    let first = shelf.plugin("first", &[]);
    let mut set = find(&[shelf.path()]);
    open_model(&mut set, "first");
    shelf.plugin("second", &[]);
    shelf.file("notes.so", b"no library");
    assert_eq!(news(&mut set), told("libsecond.so", "added"));
    assert_eq!(open_model(&mut set, "second"), []);
    fs::remove_file(first).expect("removed");
    assert_eq!(news(&mut set), []);
    assert_eq!(version(&set, "first"), "1.0.0", "an open library stays usable");
}

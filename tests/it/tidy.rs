//! Rules of the source tree: allowed dependencies between modules, limits on file lengths, and no unused fixtures.
//!
//! The limits are in `docs/style.md`; lists of exceptions may only become shorter.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{cargo, root};

/// No circles of imports.
mod circles;
/// One form of error codes.
mod codes;
/// One set of features for the demo and the workspace.
mod features;
/// One place that opens files.
mod files;
mod fuzz;
/// Paths and imports of a source.
mod imports;
/// Layers of the host.
mod layers;
/// Rust source as tokens.
mod lexer;
/// No lock without a name.
mod locks;
/// No file outside of the module tree.
mod modules;
/// Equal numbers on every machine.
mod numbers;
/// The compiler version and the checks of continuous integration.
mod project;
/// Waits for wall time.
mod waits;

/// A file longer than this must be split; exceptions are listed in [`LONG_FILES`].
const SOFT_LIMIT: usize = 400;
/// No file may be longer than this.
const HARD_LIMIT: usize = 800;

/// Files over the soft limit. A file that becomes shorter must be removed.
const LONG_FILES: &[&str] =
    &["host/loader/src/tests.rs", "plugin-api/abi/src/bridge.rs", "plugin-api/abi/src/host.rs"];

/// Crates that only some files may name, as in `use rapier3d` or `rapier3d::`.
const CONFINED: &[(&str, &[&str])] = &[
    ("rapier3d", &["host/dynamics", "host/physics"]),
    ("rapier3d_f64", &["host/dynamics", "host/physics"]),
    ("libloading", &["host/loader"]),
    ("object", &["host/loader"]),
    ("quick_xml", &["host/sdf"]),
    ("axum", &["host/src/web"]),
    ("hyper", &["host/src/web"]),
    ("hyper_util", &["host/src/web"]),
    ("tokio", &["host/src/web", "host/campaign/src/store"]),
    ("object_store", &["host/campaign/src/store"]),
    ("clap", &["host/src/cli", "host/src/main.rs"]),
    ("toml", &["host/campaign", "host/loader/src/script", "host/run/src/config"]),
];

/// Crates that a third party must not have to build, as parts of their names.
const TOO_HEAVY_FOR_PLUGINS: &[&str] = &["abi_stable", "tokio", "rapier", "quick-xml", "libloading", "clap"];

/// A source file, by its path from the root.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }

    fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs") || self.path.contains("/benches/")
    }

    /// Lines of code, without comment lines.
    fn code(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"))
    }
}

/// Every Rust file of the repository.
fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    for folder in ["host", "plugin-api", "plugins", "bridges", "tests"] {
        collect(&root().join(folder), "rs", &mut sources);
    }
    assert!(sources.len() > 100, "only {} sources were found", sources.len());
    sources
}

fn collect(folder: &Path, extension: &str, into: &mut Vec<Source>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, extension, into);
        } else if path.extension().is_some_and(|found| found == extension) {
            let text = fs::read_to_string(&path).expect("a text");
            let path = path.strip_prefix(root()).expect("inside the root").display().to_string();
            into.push(Source { path, text });
        }
    }
}

/// Fails with all findings at once.
#[track_caller]
fn assert_none(findings: &[String], rule: &str) {
    assert!(findings.is_empty(), "{rule}:\n{}", findings.join("\n"));
}

#[test]
fn every_file_begins_with_its_purpose() {
    let without_purpose: Vec<String> = sources()
        .into_iter()
        .filter(|source| !source.text.starts_with("//!"))
        .map(|source| source.path)
        .collect();
    assert_none(&without_purpose, "a file begins with `//!`");
}

#[test]
fn files_stay_short() {
    let long = |source: &Source| source.text.lines().count() > SOFT_LIMIT;
    let sources = sources();
    let unlisted: Vec<String> = sources
        .iter()
        .filter(|source| long(source) && !LONG_FILES.contains(&source.path.as_str()))
        .map(|source| format!("{}: {} lines", source.path, source.text.lines().count()))
        .collect();
    assert_none(&unlisted, "a file has at most 400 lines");
    for listed in LONG_FILES {
        let source = sources.iter().find(|source| source.path == *listed);
        assert!(source.is_some_and(long), "{listed} is short now: remove it from the list");
        assert!(
            source.is_some_and(|source| source.text.lines().count() <= HARD_LIMIT),
            "{listed} is over 800 lines"
        );
    }
}

#[test]
fn no_file_is_named_mod_rs() {
    let found: Vec<String> = sources()
        .into_iter()
        .filter(|source| source.path.ends_with("/mod.rs"))
        .map(|source| source.path)
        .collect();
    assert_none(&found, "`name.rs` beside `name/`, never `mod.rs`");
}

/// Whether a line of code names a crate.
fn names(line: &str, name: &str) -> bool {
    line.match_indices(&format!("{name}::")).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == ':')
    }) || line == format!("use {name};")
}

#[test]
fn confined_crates_are_named_only_in_their_modules() {
    let sources = sources();
    let findings = CONFINED.iter().flat_map(|(name, places)| {
        let offenders = sources.iter().filter(|source| {
            source.path.starts_with("host/")
                && !source.is_in(places)
                && source.code().any(|line| names(line, name))
        });
        offenders.map(move |source| format!("{} names `{name}`", source.path)).collect::<Vec<_>>()
    });
    assert_none(&findings.collect::<Vec<_>>(), "some crates are named in one module only");
}

#[test]
fn the_lifecycle_and_the_sdf_reader_use_no_operating_system_services() {
    /// Names that a pure module must not contain.
    const OUTSIDE: &[&str] = &["std::net", "std::thread", "std::time::Instant", "SystemTime", "std::process"];
    let sources = sources();
    let pure = sources
        .iter()
        .filter(|source| source.is_in(&["host/lifecycle/src", "host/sdf/src"]) && !source.is_test());
    let findings: Vec<String> = pure
        .flat_map(|source| {
            let found = OUTSIDE.iter().filter(|name| source.code().any(|line| line.contains(*name)));
            found.map(|name| format!("{} names `{name}`", source.path)).collect::<Vec<_>>()
        })
        .collect();
    assert_none(&findings, "`lifecycle` and `sdf` are pure");
}

#[test]
fn the_plugin_api_does_not_depend_on_heavy_crates() {
    let package = ["tree", "--package", "bridgehead-plugin-api"];
    let form = ["--edges", "normal", "--prefix", "none"];
    let tree = cargo(|command| command.current_dir(root()).args(package).args(form));
    assert!(tree.contains("bridgehead-abi"), "{tree}");
    let heavy = tree.lines().filter(|line| TOO_HEAVY_FOR_PLUGINS.iter().any(|name| line.contains(name)));
    assert_none(&heavy.map(str::to_owned).collect::<Vec<_>>(), "dependencies of the plugin API");
}

#[test]
fn the_bridge_to_gazebo_is_built_of_what_everybody_can_have() {
    let package = ["tree", "--package", "bridgehead-bridge-gz"];
    let form = ["--edges", "normal", "--prefix", "none", "--no-dedupe"];
    let tree = cargo(|command| command.current_dir(root()).args(package).args(form));
    // Crates of this workspace have a path.
    let own = tree.lines().filter_map(|line| line.split_once(" (")?.1.strip_prefix(root().to_str()?));
    let own: BTreeSet<&str> = own.filter_map(|path| path.strip_prefix('/')?.strip_suffix(')')).collect();
    assert!(own.contains("plugin-api"), "{own:?}");
    let is_public =
        |path: &str| path.starts_with("plugin-api") || path.starts_with("bridges/") || path == "host/files";
    let private = own.iter().filter(|path| !is_public(path));
    assert_none(
        &private.map(ToString::to_string).collect::<Vec<_>>(),
        "the SDK and libraries beside it suffice",
    );
}

#[test]
fn pointers_for_plugins_are_made_from_whole_objects() {
    // A closure that names one field captures a reference to that field alone, which tells an optimising compiler that a
    // call changes nothing else of the object.
    let sources = sources();
    let is_part = |line: &&str| {
        line.contains("raw const")
            && [".abi)", ".abi,", ".abi;"].iter().any(|end| line.contains(end))
            && !line.contains("HOST.abi")
    };
    let host = sources.iter().filter(|source| source.path.starts_with("host/src"));
    let findings = host.flat_map(|source| {
        source.code().filter(is_part).map(|line| format!("{}: {line}", source.path)).collect::<Vec<_>>()
    });
    assert_none(&findings.collect::<Vec<_>>(), "a pointer that a plugin gets is cast from the whole object");
}

#[test]
fn only_tests_depend_on_the_host() {
    let mut manifests = Vec::new();
    for folder in ["plugin-api", "plugins", "bridges"] {
        collect(&root().join(folder), "toml", &mut manifests);
    }
    let found: Vec<String> = manifests
        .into_iter()
        .filter(|manifest| manifest.text.contains("bridgehead-host"))
        .map(|manifest| manifest.path)
        .collect();
    assert_none(&found, "plugins and bridges depend only on the plugin API");
}

#[test]
fn every_fixture_is_used() {
    let mut tests = Vec::new();
    collect(&root().join("tests/it"), "rs", &mut tests);
    let fixtures = fs::read_dir(root().join("tests/fixtures")).expect("the fixtures");
    let names = fixtures.map(|entry| entry.expect("an entry").path());
    let unused: Vec<String> = names
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| !tests.iter().any(|test| test.text.contains(name.as_str())))
        .collect();
    assert_none(&unused, "unused fixtures");
}

/// Texts in backquotes that look like a path of this repository.
fn paths_in(text: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let tops = ["host/", "plugin-api/", "plugins/", "bridges/", "worlds/", "tests/", "docs/"];
    let is_path = |name: &&str| {
        tops.iter().any(|top| name.starts_with(top)) && !name.contains([' ', '*', '{', '<', '…'])
    };
    quoted.filter(is_path).map(str::to_owned).collect()
}

#[test]
fn paths_named_in_the_architecture_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let missing: Vec<String> =
        paths_in(&text).into_iter().filter(|path| !root().join(path).exists()).collect();
    assert_none(&missing, "ARCHITECTURE.md names paths that do not exist");
}

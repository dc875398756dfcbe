//! Circles of imports between the files of a crate.
//!
//! A file that imports from another one, which imports from it in turn, perhaps by way of further ones, can only be read
//! and changed together with all of them. An import counts for the file that it names: through a re-export, for the file
//! that re-exports.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::imports::paths;
use super::lexer::{tokens, without_tests};
use super::{Source, assert_none, sources};

/// Source folders with circles of more than two files, and the number of files in these circles. The numbers may only
/// become smaller.
const TIED: &[(&str, usize)] = &[
    ("bridges/cloisim/src", 30),
    ("bridges/foxglove/src", 8),
    ("bridges/logging/src", 3),
    ("bridges/replay/src", 3),
    ("bridges/rosbridge/src", 11),
    ("bridges/websocket/src", 7),
    ("host/bus/src", 12),
    ("host/campaign/src", 23),
    ("host/dynamics/src", 18),
    ("host/loader/src", 3),
    ("host/mesh/src", 20),
    ("host/physics/src", 10),
    ("host/runtime/src", 19),
    ("plugin-api/abi/src", 18),
    ("plugin-api/build/src", 4),
    ("plugin-api/header-gen/src", 4),
    ("plugin-api/messages/src", 32),
    ("plugin-api/src", 84),
    ("plugins/camera/render/src", 9),
    ("plugins/comms/src", 4),
];

/// Source folders without any circle, also of two files.
const FREE: &[&str] = &[
    "bridges/gz/src",
    "bridges/ros2-node/src",
    "bridges/ros2/src",
    "bridges/zenoh/src",
    "bridges/zeromq/src",
    "host/run/src",
    "host/src",
    "host/world/src",
];

/// The files from which each file imports, except test files: they import from the files that they test.
type Arrows<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The source folder of a file, and the modules from the root of its crate to the content of the file.
fn modules(path: &str) -> Option<(&str, Vec<&str>)> {
    let (folder, inside) = path.split_at(path.find("/src/")? + "/src".len());
    let inside = inside.strip_prefix('/')?.strip_suffix(".rs")?;
    let modules = if matches!(inside, "lib" | "main") { Vec::new() } else { inside.split('/').collect() };
    Some((folder, modules))
}

/// The file that contains a module or an item: that of the longest part of its path that is a file.
fn file<'a>(paths: &BTreeSet<&'a str>, folder: &str, path: &[&str]) -> Option<&'a str> {
    let files = (1..=path.len()).rev().map(|length| format!("{folder}/{}.rs", path[..length].join("/")));
    let roots = ["lib", "main"].map(|root| format!("{folder}/{root}.rs"));
    files.chain(roots).find_map(|file| paths.get(file.as_str()).copied())
}

fn arrows(files: &[Source]) -> Arrows<'_> {
    let paths_of_files: BTreeSet<&str> = files.iter().map(|source| source.path.as_str()).collect();
    let mut arrows = Arrows::new();
    for source in files.iter().filter(|source| !source.is_test()) {
        let Some((folder, modules)) = modules(&source.path) else { continue };
        let named = paths(without_tests(&tokens(&source.text)), modules.len());
        let used = named.iter().filter_map(|named| {
            let path = [modules.get(..named.depth)?, &named.names].concat();
            file(&paths_of_files, folder, &path).filter(|file| *file != source.path)
        });
        arrows.insert(source.path.as_str(), used.collect());
    }
    arrows
}

/// The files that can be reached from a file along the arrows.
fn reached<'a>(arrows: &Arrows<'a>, from: &'a str) -> BTreeSet<&'a str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(file) = open.pop() {
        let next = arrows.get(file).into_iter().flatten();
        open.extend(next.copied().filter(|next| reached.insert(*next)));
    }
    reached
}

/// The circles, each as all files that can be reached from each other.
fn circles<'a>(arrows: &Arrows<'a>) -> BTreeSet<Vec<&'a str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|file| (*file, reached(arrows, file))).collect();
    let circle = |(file, others): (&&'a str, &BTreeSet<&'a str>)| {
        let back =
            others.iter().filter(|other| reached.get(*other).is_some_and(|there| there.contains(file)));
        back.copied().collect::<Vec<_>>()
    };
    reached.iter().map(circle).filter(|circle| circle.len() > 1).collect()
}

/// The files of all crates except the tests.
fn files() -> Vec<Source> {
    sources().into_iter().filter(|source| !source.path.starts_with("tests/")).collect()
}

/// What is wrong with the circles of a folder, of which `listed` files may be in circles.
fn difference(folder: &str, circles: &[Vec<&str>], listed: usize) -> Option<String> {
    let count: usize = circles.iter().map(Vec::len).sum();
    let lines: String = circles.iter().map(|circle| format!("\n  {}", circle.join(" "))).collect();
    match count.cmp(&listed) {
        Ordering::Greater => Some(format!("{folder}: {count} files instead of {listed}:{lines}")),
        Ordering::Equal => None,
        Ordering::Less => Some(format!("{folder}: only {count} files instead of {listed}: lower the number")),
    }
}

#[test]
fn files_import_each_other_in_no_large_circles() {
    let files = files();
    let listed: BTreeMap<&str, usize> = TIED.iter().copied().collect();
    let mut tied: BTreeMap<&str, Vec<Vec<&str>>> =
        listed.keys().map(|folder| (*folder, Vec::new())).collect();
    for circle in circles(&arrows(&files)).into_iter().filter(|circle| circle.len() > 2) {
        tied.entry(modules(circle[0]).expect("a source").0).or_default().push(circle);
    }
    let limit = |folder: &str| listed.get(folder).copied().unwrap_or_default();
    let wrong: Vec<String> =
        tied.iter().filter_map(|(folder, circles)| difference(folder, circles, limit(folder))).collect();
    assert_none(
        &wrong,
        "circles of imports have two files at most, except those that are listed: move what the files of a circle share \
         into a file below them",
    );
}

#[test]
fn some_folders_have_no_circles() {
    let files = files();
    let wrong: Vec<String> = circles(&arrows(&files))
        .into_iter()
        .filter(|circle| FREE.contains(&modules(circle[0]).expect("a source").0))
        .map(|circle| circle.join(" "))
        .collect();
    assert_none(&wrong, "folders without circles of imports");
}

#[test]
fn circles_are_found_in_every_form_of_import() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let files = [
        source("a/src/lib.rs", "mod bus; mod world; pub use bus::Topic;"),
        source("a/src/bus.rs", "mod topic; pub(crate) use topic::Topic; fn f() { world::f() }"),
        source("a/src/bus/tests.rs", "use super::*;"),
        source(
            "a/src/bus/topic.rs",
            "use super::Other; fn f() { super::tests::capture() } use crate::{world::{pose as p,}, bus,};",
        ),
        source("a/src/world.rs", "use self::pose::Pose; #[cfg(test)] mod tests { use crate::bus::Topic; }"),
        source(
            "a/src/world/pose.rs",
            "use std::bus::Topic; use b::world; fn f() { super::super::Topic::f() }",
        ),
        source("b/src/world.rs", "use crate::world::pose; use super::bus;"),
    ];
    let all = arrows(&files);
    let used = |file: &str| all[file].iter().copied().collect::<Vec<_>>();
    assert_eq!(used("a/src/lib.rs"), ["a/src/bus.rs"]);
    assert_eq!(used("a/src/bus/topic.rs"), ["a/src/bus.rs", "a/src/bus/tests.rs", "a/src/world/pose.rs"]);
    assert_eq!(used("a/src/world.rs"), ["a/src/world/pose.rs"]);
    assert_eq!(used("a/src/world/pose.rs"), ["a/src/lib.rs"]);
    assert!(used("b/src/world.rs").is_empty());
    let tied = ["a/src/bus.rs", "a/src/bus/topic.rs", "a/src/lib.rs", "a/src/world/pose.rs"];
    assert_eq!(circles(&all), BTreeSet::from([tied.to_vec()]));
}

#[test]
fn more_files_in_circles_than_listed_are_rejected_and_fewer_too() {
    let circles = [vec!["a/src/b.rs", "a/src/c.rs", "a/src/d.rs"]];
    assert_eq!(difference("a/src", &circles, 3), None);
    assert_eq!(
        difference("a/src", &circles, 0).as_deref(),
        Some("a/src: 3 files instead of 0:\n  a/src/b.rs a/src/c.rs a/src/d.rs")
    );
    let fewer = difference("a/src", &circles, 4);
    assert_eq!(fewer.as_deref(), Some("a/src: only 3 files instead of 4: lower the number"));
}

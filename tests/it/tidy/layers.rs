//! The allowed dependencies between modules of the host.
//!
//! The rules work on texts, so that tests can check forbidden imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::imports::{WHOLE, imports};
use super::lexer::{Token, tokens};
use super::{Source, assert_none, sources};
use crate::support::root;

/// Layers from bottom to top.
type Layers<'a> = [&'a [&'a str]];

/// The modules of a run from bottom to top: a module uses modules of its own layer and of those below, without cycles. The
/// table in `host/run/src/lib.rs` repeats the layers, counted from 1.
const RUN: &Layers<'_> = &[
    &["catalogue", "severity"],
    &["api", "description", "resources", "scene"],
    &["bridge", "config", "model_plugin", "recording", "report", "trigger", "worker"],
    &["sim"],
];

/// The modules of the host above it, likewise.
const HOST: &Layers<'_> = &[&["control"], &["step_channel", "web"], &["cli", "fuzz"]];

/// The folders of both.
const FOLDERS: [(&str, &Layers<'_>); 2] = [("host/run/src/", RUN), ("host/src/", HOST)];

/// Modules of other crates, which a root passes on: below all layers. Cargo keeps them from using what is above.
const BELOW: &[&str] = &[
    "api",
    "atomic_file",
    "bridge",
    "bus",
    "call",
    "catalogue",
    "checksum",
    "clock",
    "config",
    "crash",
    "description",
    "descriptors",
    "duration",
    "file_stamp",
    "guard",
    "ledger",
    "log_feed",
    "memory",
    "model_plugin",
    "plugin",
    "recording",
    "report",
    "resources",
    "scene",
    "severity",
    "sim",
    "statistics",
    "supervisor",
    "terminal",
    "text",
    "thread",
    "trigger",
    "watchdog",
    "worker",
    "world",
];

fn layer_of(layers: &Layers<'_>, module: &str) -> Option<usize> {
    layers.iter().position(|layer| layer.contains(&module))
}

/// The module at the root that a file of the host belongs to, and the depth of the file below the root. `None` for the
/// root itself and for the program.
fn module_of(path: &str) -> Option<(&str, usize)> {
    let inside = FOLDERS.iter().find_map(|(folder, _)| path.strip_prefix(folder))?.strip_suffix(".rs")?;
    let module = inside.split('/').next().unwrap_or(inside);
    (!matches!(inside, "lib" | "main")).then(|| (module, inside.split('/').count()))
}

/// The forbidden imports of a file of the host.
fn wrong_imports(layers: &Layers<'_>, path: &str, text: &str) -> Vec<String> {
    let Some((module, depth)) = module_of(path) else { return Vec::new() };
    let Some(own) = layer_of(layers, module) else {
        return vec![format!("{path}: `{module}` is in no layer")];
    };
    let wrong = imports(text, depth).into_iter().filter_map(|name| match layer_of(layers, &name) {
        Some(layer) if layer <= own => None,
        Some(layer) => Some(format!("{path}: layer {} uses `{name}` of layer {}", own + 1, layer + 1)),
        None if BELOW.contains(&name.as_str()) => None,
        None if name == WHOLE => Some(format!("{path} imports the whole crate, or renames it")),
        None => Some(format!("{path} uses `{name}`, which is in no layer")),
    });
    wrong.collect()
}

/// Cycles of modules within a layer: each cycle is found once, as `a -> b -> a`.
fn cycles<'a>(layers: &Layers<'_>, files: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let mut uses: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in files {
        if let Some((module, depth)) = module_of(path) {
            let own = layer_of(layers, module);
            let same = imports(text, depth).into_iter();
            let same = same.filter(|name| name != module && layer_of(layers, name) == own);
            uses.entry(module).or_default().extend(same);
        }
    }
    let mut found = BTreeSet::new();
    for module in uses.keys() {
        follow(&uses, &mut vec![module], &mut found);
    }
    found.into_iter().collect()
}

/// Follows the uses of the last module of a path, and records the paths that lead back to the first module. Only paths
/// whose first module is the first by name are followed, so that each cycle is found once.
fn follow<'a>(
    uses: &'a BTreeMap<&str, BTreeSet<String>>,
    path: &mut Vec<&'a str>,
    found: &mut BTreeSet<String>,
) {
    let (first, last) = (path[0], path[path.len() - 1]);
    for next in uses.get(last).into_iter().flatten() {
        if next == first {
            found.insert(format!("{} -> {first}", path.join(" -> ")));
        } else if next.as_str() > first && !path.contains(&next.as_str()) {
            path.push(next);
            follow(uses, path, found);
            path.pop();
        }
    }
}

/// The modules that the root of a crate declares: `mod name;` with any visibility.
fn declared(lib: &str) -> BTreeSet<&str> {
    let tokens = tokens(lib);
    let modules = tokens.windows(3).filter_map(|window| match window {
        [(Token::Word("mod"), _), (Token::Word(name), _), (Token::Sign(';'), _)] => Some(*name),
        _ => None,
    });
    modules.collect()
}

/// The rows of the table of layers in the documentation of a crate: layer and module.
fn table(lib: &str) -> Vec<(usize, &str)> {
    let rows = lib.lines().filter_map(|line| {
        let (layer, rest) = line.strip_prefix("//! | ")?.split_once(" | [`")?;
        Some((layer.parse().ok()?, rest.split_once("`] | ")?.0))
    });
    rows.collect()
}

/// Differences between the layers, the modules that a crate declares, and the table in its documentation.
fn wrong_table(layers: &Layers<'_>, lib: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let listed: Vec<(usize, &str)> = (1..)
        .zip(layers)
        .flat_map(|(layer, modules)| modules.iter().map(move |module| (layer, *module)))
        .collect();
    let modules: BTreeSet<&str> = listed.iter().map(|(_, module)| *module).collect();
    if modules.len() != listed.len() {
        wrong.push("a module is in the layers twice".to_owned());
    }
    let declared = declared(lib);
    wrong.extend(declared.difference(&modules).map(|module| format!("`{module}` is in no layer")));
    wrong.extend(modules.difference(&declared).map(|module| format!("`{module}` is no longer a module")));
    let rows = table(lib);
    let expected: BTreeSet<(usize, &str)> = listed.into_iter().collect();
    let found: BTreeSet<(usize, &str)> = rows.iter().copied().collect();
    let row = |(layer, module): &(usize, &str)| format!("| {layer} | [`{module}`] |");
    wrong.extend(expected.difference(&found).map(|entry| format!("the table has no row {}", row(entry))));
    wrong
        .extend(found.difference(&expected).map(|entry| format!("the table has a wrong row {}", row(entry))));
    if rows.len() != found.len() {
        wrong.push("the table has a row twice".to_owned());
    }
    if !rows.is_sorted_by_key(|(layer, _)| usize::MAX - layer) {
        wrong.push("the rows of the table are not ordered from the highest layer to the lowest".to_owned());
    }
    wrong
}

/// The files of a folder to which the rules apply.
fn files(folder: &str) -> Vec<Source> {
    sources().into_iter().filter(|source| source.path.starts_with(folder) && !source.is_test()).collect()
}

#[test]
fn modules_use_only_their_own_layer_and_those_below() {
    for (folder, layers) in FOLDERS {
        let wrong: Vec<String> = files(folder)
            .iter()
            .flat_map(|source| wrong_imports(layers, &source.path, &source.text))
            .collect();
        assert_none(&wrong, "a module uses its own layer and those below");
    }
}

#[test]
fn modules_of_one_layer_have_no_cycles() {
    for (folder, layers) in FOLDERS {
        let files = files(folder);
        let texts = files.iter().map(|source| (source.path.as_str(), source.text.as_str()));
        assert_none(&cycles(layers, texts), "modules of one layer have no cycles");
    }
}

#[test]
fn the_layers_match_the_documentation() {
    for (folder, layers) in FOLDERS {
        let lib = fs::read_to_string(root().join(folder).join("lib.rs")).expect("the root of a crate");
        assert_none(
            &wrong_table(layers, &lib),
            &format!("the table in {folder}lib.rs, its modules and the layers agree"),
        );
    }
}

/// The layers of the examples below.
const EXAMPLE: &Layers<'_> = &[&["clock", "thread"], &["sdf", "world"], &["sim"]];

#[test]
fn an_import_from_above_is_rejected_in_every_form() {
    for (path, text) in [
        ("host/src/world.rs", "use crate::sim::Simulation;"),
        ("host/src/world.rs", "use crate::{clock::Clock, sdf::{Pose, Document}, sim};"),
        ("host/src/world.rs", "use crate::{\n    clock::Clock,\n    sim::{\n        Simulation,\n    },\n};"),
        ("host/src/world.rs", "fn f() { crate::sim::run() }"),
        ("host/src/world.rs", "pub use crate::sim::Simulation;"),
        ("host/src/world.rs", "use crate::sim as clock;"),
        ("host/src/world.rs", "use super::sim;"),
        ("host/src/world.rs", "mod inner { use super::super::sim; }"),
        ("host/src/world/entity.rs", "use super::super::sim;"),
        ("host/src/world/entity.rs", "use super::{slot, super::{clock, sim}};"),
        ("host/src/world/entities/poses.rs", "pub(super) use super::super::super::sim::Simulation;"),
    ] {
        let wrong = wrong_imports(EXAMPLE, path, text);
        assert_eq!(wrong, [format!("{path}: layer 2 uses `sim` of layer 3")], "{text}");
    }
}

#[test]
fn an_import_from_below_passes() {
    let text = "use crate::{clock::Clock, sdf::{Pose, Document}, world}; use super::thread; use std::sim;";
    assert!(wrong_imports(EXAMPLE, "host/src/world.rs", text).is_empty());
    assert!(wrong_imports(EXAMPLE, "host/src/lib.rs", "pub use crate::sim::Simulation;").is_empty());
}

#[test]
fn names_without_a_layer_are_rejected() {
    let of = |text| wrong_imports(EXAMPLE, "host/src/world.rs", text);
    assert_eq!(of("use crate::Simulation;"), ["host/src/world.rs uses `Simulation`, which is in no layer"]);
    assert_eq!(of("use crate::*;"), ["host/src/world.rs imports the whole crate, or renames it"]);
    assert_eq!(of("use crate as host;"), ["host/src/world.rs imports the whole crate, or renames it"]);
    let unlisted = wrong_imports(EXAMPLE, "host/src/other/part.rs", "");
    assert_eq!(unlisted, ["host/src/other/part.rs: `other` is in no layer"]);
}

#[test]
fn cycles_within_a_layer_are_rejected() {
    let layers: &Layers<'_> = &[&["a", "b", "c", "d"], &["e"]];
    let files = [
        ("host/src/a.rs", "use crate::b;"),
        ("host/src/b/part.rs", "use crate::{c, d};"),
        ("host/src/c.rs", "fn f() { crate::a::f() }"),
        ("host/src/d.rs", "use crate::d::part;"),
        ("host/src/e.rs", "use crate::a;"),
    ];
    assert_eq!(cycles(layers, files.into_iter()), ["a -> b -> c -> a"]);
    assert!(cycles(layers, files.into_iter().skip(1)).is_empty());
}

#[test]
fn the_table_is_compared_row_by_row() {
    let layers: &Layers<'_> = &[&["clock"], &["sim"]];
    let lib = "//! | layer | module | is |\n//! |---|---|---|\n//! | 2 | [`sim`] | the loop |\n\
               //! | 1 | [`clock`] | time |\n\npub mod clock;\nmod sim;\n";
    assert!(wrong_table(layers, lib).is_empty(), "{:?}", wrong_table(layers, lib));
    for (from, to, expected) in [
        ("//! | 1 | [`clock`] | time |\n", "", "the table has no row | 1 | [`clock`] |"),
        ("| 2 | [`sim`]", "| 1 | [`sim`]", "the table has a wrong row | 1 | [`sim`] |"),
        ("//! | 2 |", "//! | 1 | [`clock`] | time |\n//! | 2 |", "the table has a row twice"),
        ("mod sim;", "", "`sim` is no longer a module"),
        ("mod sim;", "mod sim;\nmod web;", "`web` is in no layer"),
    ] {
        let wrong = wrong_table(layers, &lib.replacen(from, to, 1));
        assert!(wrong.iter().any(|wrong| wrong == expected), "{expected}: {wrong:?}");
    }
    assert_eq!(wrong_table(&[&["clock"], &["sim"], &["clock"]], lib)[0], "a module is in the layers twice");
}

//! Files that somebody else names are opened in one place, which opens regular files only: `bridgehead_files`.

use super::lexer::{Placed, Token, tokens, without_tests};
use super::{Source, assert_none, sources};

/// Files that open others by themselves, and why nobody else decides what these are.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("bridges/foxglove/src/session.rs", "a file of the system"),
    ("bridges/ros2/src/memory.rs", "a file of the system"),
    ("host/campaign/src/engine/ray/client.rs", "the token of the user"),
    ("host/campaign/src/store/folder.rs", "a file that it has just written"),
    ("host/runtime/src/call/state/files.rs", "a file of the system"),
    ("host/src/cli/plugin/validate/trial.rs", "files of its own folder"),
    ("host/loader/src/private_copy.rs", "locks of its own folder"),
    ("host/loader/src/probe.rs", "reports of its own child"),
    ("host/runtime/src/supervisor/orphans.rs", "a file of the system"),
    ("host/runtime/src/watchdog/waits.rs", "a file of the system"),
    ("host/run/src/api/panics.rs", "a test, which reads the sources of these crates"),
    ("host/run/src/worker/memory.rs", "memory that it has just made"),
    ("host/world/src/convex_cache.rs", "its own cache, with checksums"),
];

/// Crates that run on the machine of a developer, when something is built.
const OF_BUILDS: &[&str] =
    &["host/build.rs", "plugin-api/build/", "plugin-api/header-gen/", "tests/", "host/features/"];

/// The lines that open or read a file without the rule.
fn opened(source: &str) -> Vec<usize> {
    let all = tokens(source);
    let product = without_tests(&all);
    (0..product.len()).filter(|&at| opens(&product[at..])).map(|at| product[at].1).collect()
}

fn opens(tokens: &[Placed<'_>]) -> bool {
    let word = |at: usize| match tokens.get(at) {
        Some((Token::Word(word), _)) => *word,
        _ => "",
    };
    let is_path = matches!(tokens.get(1), Some((Token::Path, _)));
    is_path && matches!((word(0), word(2)), ("fs", "read" | "read_to_string") | ("File", "open"))
}

#[test]
fn files_are_opened_in_one_place() {
    let is_product = |source: &Source| {
        !source.is_test() && !OF_BUILDS.iter().any(|folder| source.path.starts_with(folder))
    };
    let found: Vec<(String, usize)> = sources()
        .into_iter()
        .filter(is_product)
        .flat_map(|Source { path, text }| {
            opened(&text).into_iter().map(|line| (path.clone(), line)).collect::<Vec<_>>()
        })
        .collect();
    let is_excepted = |path: &str| EXCEPTIONS.iter().any(|(listed, _)| *listed == path);
    let findings: Vec<String> = found
        .iter()
        .filter(|(path, _)| !is_excepted(path))
        .map(|(path, line)| format!("{path}:{line}"))
        .collect();
    assert_none(&findings, "open files with `bridgehead_files`: a pipe or a device may be there");
    for (path, _) in EXCEPTIONS {
        assert!(found.iter().any(|(of, _)| of == path), "{path} opens no file: remove it from the list");
    }
}

#[test]
fn opening_a_file_is_detected() {
    for source in
        ["fs::read(path)", "std::fs::read_to_string(path)", "File::open(path)", "fs::File::open(path)"]
    {
        assert_eq!(opened(source).len(), 1, "{source}");
    }
    for source in
        ["fs::read_dir(path)", "File::create(path)", "// fs::read(path)", "open(path)", "fs::write(a, b)"]
    {
        assert_eq!(opened(source), [0; 0], "{source}");
    }
}

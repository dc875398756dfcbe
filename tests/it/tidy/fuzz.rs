//! Each fuzz target has a corpus, a short run in the tests of its crate, a row in the fuzzer and a place in its README.

use std::collections::BTreeSet;
use std::fs;

use super::lexer::{Token, tokens};
use super::sources;
use crate::support::root;

/// Targets that read the corpus of another one.
const SHARED: &[(&str, &str)] = &[("world", "sdf")];

fn names<'a>(found: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    found.into_iter().map(str::to_owned).collect()
}

/// Texts in quotes or backquotes that are names of targets.
fn between(text: &str, mark: char) -> BTreeSet<String> {
    let is_name = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    names(text.split(mark).skip(1).step_by(2).filter(is_name))
}

#[test]
fn every_fuzz_target_is_run_by_the_tests_and_by_the_fuzzer() {
    let folder = root().join("tests/fuzz");
    let corpora = fs::read_dir(folder.join("corpus")).expect("the corpora");
    let corpora: BTreeSet<String> =
        corpora.map(|entry| entry.expect("a folder").file_name().to_string_lossy().into_owned()).collect();
    assert!(corpora.len() >= 18, "{corpora:?}");

    let main = fs::read_to_string(folder.join("libfuzzer/src/main.rs")).expect("the fuzzer");
    let rows = main.lines().filter_map(|line| line.trim().strip_prefix("(\"")?.split('"').next());
    let mut expected = corpora.clone();
    expected.extend(SHARED.iter().map(|(target, _)| (*target).to_owned()));
    assert_eq!(names(rows), expected, "rows of the fuzzer, and folders in tests/fuzz/corpus");

    let readme = fs::read_to_string(folder.join("README.md")).expect("the README");
    let table: String = readme.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(between(&table, '`'), expected, "rows of tests/fuzz/README.md");

    let mut tested = BTreeSet::new();
    for source in sources().iter().filter(|source| source.path.ends_with("src/fuzz.rs")) {
        let texts = tokens(&source.text);
        tested.extend(texts.iter().filter_map(|(token, _)| match token {
            Token::Text(text) if corpora.contains(*text) => Some((*text).to_owned()),
            _ => None,
        }));
    }
    assert_eq!(tested, corpora, "targets that the module `fuzz` of a crate runs in its tests");
}

//! The tables against the sources: each code is explained, used, and has one meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::*;
use crate::catalogue::{CODE_LENGTH, catalogue, is_code};

/// Codes that occur in several files. Before adding one, check that it has the same meaning in all of them.
const IN_SEVERAL_FILES: &[&str] = &["BH-BRG-114"];

/// Folders with codes, from the root of the repository.
const FOLDERS: &[&str] = &["host", "bridges", "plugins", "plugin-api"];

/// The file of the Python package that defines its codes; other files quote them.
const IN_PYTHON: &str = "errors.py";

/// Returns the files that contain each code, without tests and comments.
fn uses() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a root");
    let mut sources = Vec::new();
    for folder in FOLDERS {
        collect(&root.join(folder), &mut sources);
    }
    assert!(sources.len() > 100, "the sources were found");
    let mut uses = BTreeMap::<String, BTreeSet<String>>::new();
    for (path, text) in sources {
        for code in codes_in(&text) {
            uses.entry(code.to_owned()).or_default().insert(path.clone());
        }
    }
    uses
}

/// Returns all sources below a folder, without tests, the catalogue and the table of severities.
fn collect(folder: &Path, into: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !matches!(name, "tests" | "target" | "benches" | "examples" | "catalogue") {
            collect(&path, into);
        } else if name == IN_PYTHON
            || name.ends_with(".rs") && !matches!(name, "tests.rs" | "catalogue.rs" | "severity.rs")
        {
            into.push((path.display().to_string(), fs::read_to_string(&path).expect("a text")));
        }
    }
}

/// Returns the error codes in a file, without its tests and comments.
fn codes_in(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| {
        let starts = line.match_indices("BH-").map(|(at, _)| at);
        starts.filter_map(|at| line.get(at..at + CODE_LENGTH)).filter(|found| is_code(found))
    })
}

#[track_caller]
fn assert_none(findings: &[String], rule: &str) {
    assert!(findings.is_empty(), "{rule}:\n{}", findings.join("\n"));
}

#[test]
fn every_code_of_the_sources_is_explained() {
    let page = error_codes();
    let unexplained: Vec<String> = uses()
        .into_iter()
        .filter(|(code, _)| !page.contains(&format!("\n| {code} |")))
        .map(|(code, files)| format!("{code}, in {files:?}"))
        .collect();
    assert_none(&unexplained, "codes that `host/run/src/catalogue` does not explain");
}

#[test]
fn every_code_of_the_catalogue_is_used() {
    let uses = uses();
    let unused = catalogue().filter(|entry| !uses.contains_key(entry.code));
    let unused: Vec<String> = unused.map(|entry| entry.code.to_owned()).collect();
    assert_none(&unused, "codes of the catalogue that no source gives out");
}

#[test]
fn a_code_means_one_thing() {
    let codes: Vec<String> = rows().into_iter().map(|row| row.0).collect();
    let twice = codes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone());
    assert_none(&twice.collect::<Vec<_>>(), "codes that two tables explain");
    let scattered: Vec<String> = uses()
        .into_iter()
        .filter(|(code, files)| (files.len() > 1) != IN_SEVERAL_FILES.contains(&code.as_str()))
        .map(|(code, files)| format!("{code}, in {files:?}"))
        .collect();
    assert_none(&scattered, "codes in several files, against `IN_SEVERAL_FILES`");
}

#[test]
fn every_code_has_its_row_on_the_page() {
    let page = error_codes();
    for (code, meaning, _) in rows() {
        assert!(page.contains(&format!("\n| {code} | {} |", meaning.replace('|', "\\|"))), "{code}");
    }
}

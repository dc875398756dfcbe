//! The SDF files of libsdformat's own tests and of Gazebo's examples: what this host reads, compared with libsdformat.
//!
//! The files and libsdformat's readings are not part of the project: they are in `shared/sdf` beside it, and the tests
//! are skipped if that folder is missing. Every allowed difference is listed in `docs/sdf-agreement.md` with its
//! reason and its source.

mod compare;
mod incomplete;
mod page;
mod quote;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Line, host, read_lines, shared};
use compare::{Difference, compare};
use table::{FILES, VALUES, VERDICTS};

/// The folder of files with `expected.jsonl`. Without it the tests are skipped.
#[track_caller]
fn folder() -> Option<PathBuf> {
    shared("sdf")
}

/// The output of `bridgehead world print --json` for a file.
fn reading(folder: &Path, file: &str) -> Value {
    let mut command = Command::new(host());
    command
        .args(["world", "print", "--json", file])
        .current_dir(folder)
        .env("SDF_PATH", folder.join("models"));
    let output = command.output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let reading = serde_json::from_str::<Value>(&text);
    let reading = reading.unwrap_or_else(|error| panic!("{file}: {error}: {text}"));
    assert_eq!(output.status.code(), Some(if reading["ok"] == true { 0 } else { 1 }), "{file}");
    reading
}

/// Each row with our reading of the file.
fn readings(folder: &Path) -> Vec<(Line, Value)> {
    let rows = read_lines(&folder.join("expected.jsonl"));
    let with_ours = |row: Line| {
        let ours = reading(folder, row.text("file"));
        (row, ours)
    };
    rows.into_iter().map(with_ours).collect()
}

#[test]
fn all_verdicts_except_the_listed_ones_agree_with_libsdformat() {
    let Some(folder) = folder() else { return };
    let readings = readings(&folder);
    assert_eq!(readings.len(), FILES);
    let differ = readings.iter().filter(|(row, ours)| row["ok"] != ours["ok"]);
    let differ: Vec<(&str, bool)> =
        differ.map(|(row, ours)| (row.text("file"), ours["ok"] == true)).collect();
    let listed: Vec<(&str, bool)> = VERDICTS.iter().map(|verdict| (verdict.file, verdict.ours)).collect();
    assert_eq!(differ, listed);
}

#[test]
fn all_values_of_files_valid_for_both_agree_except_the_listed_ones() {
    let Some(folder) = folder() else { return };
    let mut compared = 0;
    let mut used = vec![false; VALUES.len()];
    for (row, ours) in readings(&folder).iter().filter(|(row, ours)| row["ok"] == true && ours["ok"] == true)
    {
        let mut differences: Vec<Difference> = Vec::new();
        for part in ["worlds", "model", "light", "actor"].into_iter().filter(|part| !row[*part].is_null()) {
            compare(part, &row[part], &ours[part], &mut differences);
        }
        differences.retain(|(path, ..)| {
            let listed =
                VALUES.iter().position(|value| value.file == row.text("file") && path.contains(value.suffix));
            listed.inspect(|index| used[*index] = true).is_none()
        });
        assert!(differences.is_empty(), "{}: {differences:#?}", row.text("file"));
        compared += 1;
    }
    assert!(compared > 100, "only {compared} files were compared");
    assert!(used.iter().all(|used| *used), "a listed difference does not occur: {used:?}");
}

/// The reading of the text that `bridgehead world print --sdf` prints.
fn reading_of_printed(folder: &Path, file: &str) -> Option<Value> {
    let mut command = Command::new(host());
    command
        .args(["world", "print", "--sdf", file])
        .current_dir(folder)
        .env("SDF_PATH", folder.join("models"));
    let output = command.output().expect("the program runs");
    let scratch = tempfile::tempdir().expect("a folder");
    let printed = scratch.path().join("printed.sdf");
    fs::write(&printed, &output.stdout).expect("the printed file");
    output.status.success().then(|| reading(folder, printed.to_str().expect("UTF-8")))
}

#[test]
fn a_printed_world_is_read_as_the_original() {
    let Some(folder) = folder() else { return };
    let mut compared = 0;
    for (row, ours) in readings(&folder).iter().filter(|(_, ours)| ours["ok"] == true) {
        let file = row.text("file");
        let again = reading_of_printed(&folder, file).unwrap_or_else(|| panic!("{file} is not printed"));
        let mut differences: Vec<Difference> = Vec::new();
        for part in ["worlds", "model", "light", "actor"].into_iter().filter(|part| !ours[*part].is_null()) {
            compare(part, &ours[part], &again[part], &mut differences);
        }
        assert!(differences.is_empty(), "{file}: {differences:#?}");
        compared += 1;
    }
    assert!(compared > 100, "only {compared} files were compared");
}

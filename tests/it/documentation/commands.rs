//! Every command of the program in the documentation, split by a shell and parsed by the program's own command line.
//! Nothing is run: all programs are replaced by functions of the shell.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::blocks::{Block, pages};
use crate::support::{Setup, root};

/// Replaces every program: `bridgehead` is recorded, scripts of the repository must exist.
const SHELL: &str = r#"
set -e
bridgehead() { printf '%s\0' "$#" "$@" >> "$CALLS"; }
function target/debug/bridgehead { bridgehead "$@"; }
function .ci/run { :; }
cd() { :; }
command_not_found_handle() {
    if [[ $1 == bash && ! -f $ROOT/$2 ]]; then printf '%s does not exist\n' "$2" >&2; return 1; fi
}
PATH=/nonexistent
"#;

/// Returns the commands of a block, without what they print.
fn script(block: &Block) -> String {
    if block.language == "sh" {
        return block.text.clone();
    }
    let typed = block.text.lines().filter_map(|line| line.strip_prefix("$ "));
    typed.map(|line| format!("{line}\n")).collect()
}

/// Returns the arguments of each call of the program.
fn calls(file: &Path) -> Vec<Vec<OsString>> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut words = text.split_terminator('\0');
    let mut calls = Vec::new();
    while let Some(count) = words.next() {
        let count = count.parse().expect("a number of arguments");
        let program = std::iter::once("bridgehead");
        calls.push(program.chain(words.by_ref().take(count)).map(OsString::from).collect());
    }
    calls
}

#[test]
fn commands_are_understood_and_name_files_that_exist() {
    let setup = Setup::new();
    let file = setup.path("calls");
    let mut count = 0;
    for page in pages() {
        for block in page.of("sh").chain(page.of("console")) {
            drop(fs::remove_file(&file));
            let place = format!("{}:{}", page.path, block.line);
            let mut shell = Command::new("bash");
            shell.args(["-c", &format!("{SHELL}{}\nwait", script(block))]).current_dir(setup.path("out"));
            let output = shell.env("CALLS", &file).env("ROOT", root()).output().expect("a shell");
            assert!(output.status.success(), "{place}: {}", String::from_utf8_lossy(&output.stderr));
            for call in calls(&file) {
                if let Err(error) = bridgehead_host::cli::parse(&call) {
                    panic!("{place}: {call:?}: {error}");
                }
                let words = call.iter().filter_map(|word| word.to_str());
                for world in words.filter(|word| word.starts_with("worlds/")) {
                    assert!(root().join(world).exists(), "{place}: `{world}` does not exist");
                }
                count += 1;
            }
        }
    }
    assert!(count > 80, "only {count} commands were found");
}

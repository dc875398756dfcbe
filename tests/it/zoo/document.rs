//! `docs/plugin-outcomes.md`, generated from the rows, so that it states what the tests check.

use std::fs;

use super::row::{Command, Exit, Row, Run};
use super::{
    boundary, bridges, builds, careless_bridges, careless_models, ends, files, isolated, models, process,
};
use crate::support::root;

/// Environment variable that makes the test write the page.
const UPDATE: &str = "BRIDGEHEAD_UPDATE_DOCS";

/// The text above the tables.
const HEAD: &str = "\
<!-- Generated from tests/it/zoo; the test rewrites it with BRIDGEHEAD_UPDATE_DOCS=1. -->

# What happens if a plugin misbehaves

Each line of these tables is a test: a plugin that does what the first column says, in a run with another sensor and another bridge, which work correctly.
If the run *continues*, it takes all its steps, and every message of that sensor arrives at that bridge.
Codes are explained in [errors.md](errors.md).

In short:

- A file is checked before any of its code runs; a refused file affects only its own plugin.
- If a call fails or panics, the plugin instance is disabled, and the run continues unless `on_failure`, `required` or `--strict` demands otherwise.
- A call of a host function that breaks a rule of the ABI is refused and reported, and so is what a call leaves changed of the process.
  Within one process not everything can be detected: a plugin can write anywhere in memory, and a stray pointer can look like a valid one.
- A crash, an abort and an `exit` end the process, as in any program; the last line on standard error names the plugin and the call, and the result does too.
  A run has a second process that watches the first one from outside: it says what the first one cannot, for example after `_exit(0)` or SIGKILL, and writes the result.
  So exit code 0 means that the run was done.
  `bridgehead plugin probe` loads a plugin in a separate process.
- With `--isolate`, a plugin runs in a process of its own, and neither a crash nor a hang ends the run.
";

fn page() -> String {
    let mut page = String::from(HEAD);
    for (title, rows) in [
        ("Files", files::ROWS),
        ("Model plugins", models::ROWS),
        ("Ends of the process", ends::ROWS),
        ("State of the process", process::ROWS),
        ("Rules of the boundary", boundary::ROWS),
        ("Careless model plugins", careless_models::ROWS),
        ("Bridges", bridges::ROWS),
        ("Careless bridges", careless_bridges::ROWS),
        ("Plugins in worker processes", isolated::ROWS),
        ("Languages and compilers", builds::ROWS),
    ] {
        page.push_str(&format!(
            "\n## {title}\n\n| plugin | command | exit | codes | run | note |\n|---|---|---|---|---|---|\n"
        ));
        page.extend(rows.iter().map(line));
    }
    page
}

fn line(row: &Row) -> String {
    let codes: Vec<&str> = row.codes().collect();
    format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        row.plugin,
        command(row.command),
        exit(row.exit),
        codes.join(", "),
        run(row.run),
        row.note
    )
}

fn command(command: Command) -> String {
    let (command, more) = match command {
        Command::Run(arguments) => ("run", arguments.join(" ")),
        Command::Configured(toml) => {
            ("run", toml.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(", "))
        }
        Command::Probe(arguments) => ("plugin probe", arguments.join(" ")),
    };
    if more.is_empty() { format!("`{command}`") } else { format!("`{command}`, `{more}`") }
}

fn exit(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => code.to_string(),
        Exit::Signal(_, name) => name.to_owned(),
    }
}

fn run(run: Run) -> &'static str {
    match run {
        Run::None => "none",
        Run::Continues => "continues",
        Run::Ends => "ends early",
        Run::Untold => "continues, and the result says why there is no more in it",
        Run::Cut => "ends at once, with a result",
    }
}

#[test]
fn the_page_on_plugin_outcomes_is_up_to_date() {
    let path = root().join("docs/plugin-outcomes.md");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, page()).expect("the page is written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page(), "docs/plugin-outcomes.md is out of date: run this test with {UPDATE}=1");
}

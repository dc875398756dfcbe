//! `docs/plugin-outcomes.md`, made from the rows: what the tests see is what authors read.

use std::fs;

use super::row::{Asked, Exit, Row, Run};
use super::{bridges, builds, files, models};
use crate::support::root;

/// Environment variable that has the test write the page.
const UPDATE: &str = "BRIDGEHEAD_UPDATE_DOCS";

/// What stands above the tables.
const HEAD: &str = "\
<!-- Made from tests/it/zoo; the test writes it anew with BRIDGEHEAD_UPDATE_DOCS=1. -->

# What happens when a plugin misbehaves

Each line of these tables is a test: a plugin that does what the first column says, in a run with a sensor and a bridge that behave well.
Where the run *goes on*, it makes all its steps, and every message of that sensor arrives at that bridge.
Codes are explained in [errors.md](errors.md).

In short:

- A file is checked before any of its code runs; one that is refused costs nothing but its plugin.
- A failure or a panic in a call costs the plugin instance, and the run goes on unless `on_failure`, `required` or `--strict` says otherwise.
- A crash, an abort and an `exit` end the process, as in any program; the last line on standard error names the plugin and the call.
  After an `exit` the result says so too.
  `bridgehead plugin probe` meets them in a process of its own.
";

fn page() -> String {
    let mut page = String::from(HEAD);
    for (title, rows) in [
        ("Files", files::ROWS),
        ("Model plugins", models::ROWS),
        ("Bridges", bridges::ROWS),
        ("Languages and compilers", builds::ROWS),
    ] {
        page.push_str(&format!(
            "\n## {title}\n\n| the plugin | asked for | exit | codes | the run | |\n|---|---|---|---|---|---|\n"
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
        asked(row.asked),
        exit(row.exit),
        codes.join(", "),
        run(row.run),
        row.note
    )
}

fn asked(asked: Asked) -> String {
    let (command, more) = match asked {
        Asked::Run(arguments) => ("run", arguments.join(" ")),
        Asked::Configured(toml) => {
            ("run", toml.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(", "))
        }
        Asked::Probe(arguments) => ("plugin probe", arguments.join(" ")),
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
        Run::GoesOn => "goes on",
        Run::Ends => "ends in order",
        Run::Cut => "ends at once, with a result",
        Run::Lost => "is lost, without a result",
    }
}

#[test]
fn the_page_says_what_the_tests_see() {
    let path = root().join("docs/plugin-outcomes.md");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, page()).expect("the page is written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page(), "docs/plugin-outcomes.md is out of date: run this test with {UPDATE}=1");
}

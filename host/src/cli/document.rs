//! Writes `docs/cli.md`, `docs/errors.md`, `docs/names.md`, the tables of `docs/configuration.md` and the limits in
//! `docs/worlds.md` from the tables of the program itself.
//!
//! A test compares the files with these texts; if the variable [`UPDATE`] is set, it writes the files instead.

use std::fmt::Write as _;

pub use codes::error_codes;
pub use keys::{configuration, missing};
pub use limits::worlds;
pub use names::names;
pub use page::UPDATE;
pub use porting::porting;

use super::{args, log};
use crate::plugin;
use page::NOTE;

mod codes;
mod keys;
mod limits;
mod names;
mod page;
mod porting;

/// Width of help texts in the document.
const WIDTH: usize = 100;

/// Returns the page of the command line.
#[must_use]
pub fn command_line() -> String {
    let mut page = String::from(NOTE);
    page.push_str("# Command line\n\n");
    page.push_str("This page shows the `--help` text of every command.\n");
    page.push_str("Further settings are in a [configuration file](configuration.md).\n\n");
    page.push_str("Results go to standard output, everything else to standard error: log lines, progress, the summary.\n");
    page.push_str("A bridge may therefore write data to standard output.\n\n");
    let mut command = args::command().term_width(WIDTH);
    command.build();
    describe(&mut command, "bridgehead", &mut page);
    page.push_str(&variables());
    page
}

fn describe(command: &mut clap::Command, name: &str, page: &mut String) {
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = write!(page, "## {name}\n\n```text\n{}\n```\n\n", lines.join("\n").trim_end());
    // What every command below takes as well is said once.
    let hides = ["ctl", "topic", "service"].iter().any(|group| {
        let below = name.strip_prefix("bridgehead ").and_then(|name| name.strip_prefix(group));
        below.is_some_and(|below| below.is_empty() || below.starts_with(' '))
    });
    for inner in command.get_subcommands_mut() {
        let name = format!("{name} {}", inner.get_name());
        if hides {
            *inner = inner.clone().mut_args(|argument| {
                let is_shared = argument.is_global_set() || argument.get_id() == "help";
                argument.hide(is_shared)
            });
        }
        describe(inner, &name, page);
    }
}

fn variables() -> String {
    let rows = [
        (
            log::VARIABLE,
            "log level if neither `-v` nor `-q` is given: a level (`off`, `error`, `warn`, `info`, `debug`, `trace`), or pairs such as `warn,car1/logging=debug`",
        ),
        (plugin::discover::PATH_VARIABLE, "folders that are searched for plugins, separated by colons"),
        (
            "XDG_DATA_HOME",
            "its folder `bridgehead/plugins` is searched for plugins; `~/.local/share` if it is not set",
        ),
        (
            "BRIDGEHEAD_RUN_…, BRIDGEHEAD_HTTP_…",
            "a key of the [configuration](configuration.md#from-the-environment), such as `BRIDGEHEAD_RUN_SPEED=unlimited`",
        ),
        ("NO_COLOR", "no colours if it is set and not empty"),
    ];
    let mut text = String::from("## Environment\n\n| variable | meaning |\n|---|---|\n");
    for (name, meaning) in rows {
        let _ = writeln!(text, "| `{name}` | {meaning} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn compare(name: &str, text: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
        if std::env::var_os(UPDATE).is_some() {
            std::fs::write(&path, text).expect("written");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "docs/{name} is out of date: run the test with {UPDATE}=1");
    }

    #[test]
    fn the_page_on_the_command_line_is_up_to_date() {
        compare("cli.md", &command_line());
    }

    #[test]
    fn the_page_on_error_codes_is_up_to_date() {
        compare("errors.md", &error_codes());
    }

    #[test]
    fn the_tables_of_keys_are_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
        let guide = std::fs::read_to_string(&path).expect("the guide");
        assert_eq!(missing(&guide), [""; 0], "sections without a table");
        compare("configuration.md", &configuration(&guide));
    }

    #[test]
    fn the_table_of_limits_is_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/worlds.md");
        let guide = std::fs::read_to_string(&path).expect("the guide");
        compare("worlds.md", &worlds(&guide).expect("a place for the table"));
    }

    #[test]
    fn the_tables_on_porting_are_up_to_date() {
        for name in ["porting-from-gazebo.md", "porting-from-cloisim.md", "control.md"] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
            let page = std::fs::read_to_string(&path).expect("the page");
            compare(name, &porting(&page).expect("the ends of all tables"));
        }
    }

    #[test]
    fn the_page_on_names_is_up_to_date() {
        compare("names.md", &names());
    }
}

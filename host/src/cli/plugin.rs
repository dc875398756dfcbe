//! `bridgehead plugin`: new plugins, available ones, and whether they load.
//!
//! The loader finds and checks plugins, and for a probe opens them; its reports are printed here. Main thread.

mod hosts;
mod info;
mod new;
mod templates;
mod validate;

use std::fmt::Write as _;

pub(super) use hosts::ProbeHosts;
pub(super) use info::info;
pub(super) use new::new;
pub(super) use validate::validate;

use super::args::{ListArguments, ProbeArguments};
use super::console::Console;
use super::error::CliError;
use super::printed;
use super::printed::EXIT_CONFIGURATION;
use crate::config::{ConfigError, ConfigErrors, Settings, file, value};
use crate::plugin::probe::{Outcome, ProbeReport, Prober};
use crate::plugin::{LoadOptions, PluginSet, SearchPath, probe};
use crate::text::one_line;

/// Lists the plugins without running them; returns the exit code.
pub(super) fn list(arguments: &ListArguments, console: &Console) -> u8 {
    let configured = match arguments.config.as_deref().map(file::read).transpose() {
        Ok(settings) => settings.unwrap_or_default(),
        Err(errors) => {
            console.line(&errors.to_string());
            return EXIT_CONFIGURATION;
        }
    };
    let search = search_path(arguments, &configured);
    let set = PluginSet::search(&search, LoadOptions::default());
    let text = if arguments.json { format!("{}\n", set.report().to_json()) } else { listing(&set, &search) };
    printed(&text, 0, EXIT_CONFIGURATION, console)
}

fn search_path(arguments: &ListArguments, configured: &Settings) -> SearchPath {
    SearchPath::standard(&arguments.plugin_path, &configured.plugin_path)
}

/// Returns the table, or the searched folders if there is no plugin.
fn listing(set: &PluginSet, search: &SearchPath) -> String {
    let mut text = set.report().to_text();
    if set.plugins().is_empty() {
        text.push_str("\nNo plugin can be used. The searched folders are:\n");
        for (origin, folder) in search.folders() {
            let _ = writeln!(text, "  {}  ({origin})", one_line(&folder.display().to_string()));
        }
    }
    text
}

/// Probes files and folders; returns the exit code.
pub(super) fn probe(arguments: &ProbeArguments, console: &Console) -> u8 {
    let reports = match run_probe(arguments) {
        Ok(reports) => reports,
        Err(error) => {
            console.line(&error.to_string());
            return Outcome::Usage.exit_code();
        }
    };
    let text = if arguments.json { json(&reports) } else { text(&reports) };
    printed(&text, probe::exit_code(&reports), Outcome::Usage.exit_code(), console)
}

fn run_probe(arguments: &ProbeArguments) -> Result<Vec<ProbeReport>, CliError> {
    let in_flag = |error: ConfigError| ConfigErrors::from(error.at("--timeout"));
    let timeout = value::duration(&arguments.timeout).map_err(in_flag)?;
    let prober = Prober::current_exe().map_err(|source| CliError::System {
        what: "the path of this program cannot be determined",
        source,
    })?;
    let prober = prober.with_timeout(timeout);
    Ok(arguments.paths.iter().flat_map(|path| prober.probe(path)).collect())
}

fn text(reports: &[ProbeReport]) -> String {
    let mut text = String::new();
    for report in reports {
        let _ = writeln!(text, "{}", report.to_text());
    }
    text
}

fn json(reports: &[ProbeReport]) -> String {
    // Paths are the only part that can fail to serialize: those that are not UTF-8.
    let text = serde_json::to_string_pretty(reports);
    let text = text.unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string());
    format!("{text}\n")
}

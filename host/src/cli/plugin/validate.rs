//! `bridgehead plugin validate`: whether plugins keep the rules that the host has for them.
//!
//! Each case is a run of this program in a process of its own, with a time limit, so that a plugin that crashes or hangs
//! ends its case and nothing else. [`cases`] is the table of cases, [`trial`] makes one run, [`place`] the worlds. Main
//! thread.

mod cases;
mod place;
mod report;
mod trial;

use std::io;
use std::path::Path;
use std::time::Duration;

pub(super) use report::word;

use crate::cli::args::ValidateArguments;
use crate::cli::console::Console;
use crate::cli::error::CliError;
use crate::cli::finding::finding;
use crate::cli::printed;
use crate::config::{ConfigError, ConfigErrors, value};
use crate::plugin::probe::{Outcome, Prober};
use crate::plugin::{LoadOptions, Origin, PluginSet, SearchPath, discover};
use crate::{atomic_file, clock};
use cases::Subject;
use report::{CaseReport, PluginReport, Verdict};

/// Validates files and folders; returns the exit code.
pub(in crate::cli) fn validate(arguments: &ValidateArguments, console: &Console) -> u8 {
    let usage = Outcome::Usage.exit_code();
    let reports = match try_validate(arguments, console) {
        Ok(reports) => reports,
        Err(error) => {
            console.line(&error.to_string());
            return usage;
        }
    };
    if let Some(file) = &arguments.junit
        && let Err(error) = atomic_file::write(file, report::junit(&reports).as_bytes())
    {
        let text = format!("[BH-KIT-005] `{}` is not written: {error}", file.display());
        console.line(&finding("error", "", &text));
        return usage;
    }
    let text = if arguments.json { report::json(&reports) } else { report::summary(&reports) };
    printed(&text, report::exit_code(&reports), usage, console)
}

fn try_validate(arguments: &ValidateArguments, console: &Console) -> Result<Vec<PluginReport>, CliError> {
    let timeout = value::duration(&arguments.timeout)
        .map_err(|error: ConfigError| ConfigErrors::from(error.at("--timeout")))?;
    let program = |source| CliError::System { what: "the path of this program cannot be determined", source };
    let prober = Prober::current_exe().map_err(program)?.with_timeout(timeout);
    let mut reports = Vec::new();
    for path in &arguments.paths {
        let mut search = SearchPath::new();
        search.add(Origin::CommandLine, path);
        let found = discover(&search);
        if found.candidates.is_empty() {
            let refusal = found.warnings.into_iter().next();
            let text = refusal.map_or_else(|| "no plugin is there".to_owned(), |refusal| refusal.to_string());
            reports.push(PluginReport::of_file(path, vec![CaseReport::failed("load", Outcome::Usage, text)]));
        }
        for candidate in &found.candidates {
            let of_file = of_file(&candidate.path, &prober, arguments, timeout).map_err(program)?;
            if !arguments.json {
                let text: String = of_file.iter().map(PluginReport::to_text).collect();
                console.print(&text).map_err(|source| CliError::System {
                    what: "standard output cannot be written to",
                    source,
                })?;
            }
            reports.extend(of_file);
        }
    }
    Ok(reports)
}

/// Validates all plugins of one file.
fn of_file(
    path: &Path,
    prober: &Prober,
    arguments: &ValidateArguments,
    timeout: Duration,
) -> io::Result<Vec<PluginReport>> {
    let began = clock::now();
    let probed = prober.probe_file(path);
    let load = CaseReport {
        case: "load",
        verdict: match &probed.refusal {
            None => Verdict::Passed,
            Some(refusal) => Verdict::Failed { outcome: probed.outcome, findings: vec![refusal.to_string()] },
        },
        seconds: began.elapsed().as_secs_f64(),
    };
    if probed.outcome != Outcome::Ok {
        return Ok(vec![PluginReport::of_file(path, vec![load])]);
    }
    let mut search = SearchPath::new();
    search.add(Origin::CommandLine, path);
    let set = PluginSet::search(&search, LoadOptions::default());
    set.plugins()
        .iter()
        .map(|plugin| {
            let subject = Subject {
                file: path,
                plugin: &plugin.metadata,
                world: arguments.world.as_deref(),
                connection: arguments.connection.as_deref(),
                search: &arguments.plugin_path,
                timeout,
            };
            let mut cases = vec![load.clone()];
            cases.extend(cases::all(&subject)?);
            Ok(PluginReport::of_plugin(path, &plugin.metadata, cases))
        })
        .collect()
}

//! `bridgehead check`: the problems that runs of these files would report before their first step. Main thread.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bridgehead_sdf::{Diagnostic, Severity, digest};
use serde_json::{Value, json};

use super::args::{CheckFilesArguments, XacroArguments};
use super::configuration::layers_of;
use super::console::Console;
use super::finding::finding;
use super::hang::described_hang;
use super::printed;
use super::printed::EXIT_CONFIGURATION;
use super::world_file::world_file;
use crate::api::Shared;
use crate::catalogue::{CODE_LENGTH, is_code, split_code};
use crate::config::{ConfigErrors, Layers};
use crate::sim::Finding;
use crate::text::{entry, one_line};
use crate::world::names::{NO_COUNTERPART, NOT_FOUND};
use crate::{crash, severity, sim};

/// Prints the findings of each file; returns the exit code.
pub(super) fn check(arguments: &CheckFilesArguments, is_detailed: bool, console: &Console) -> u8 {
    let _watch = crash::watch();
    let limit = if arguments.strict { Severity::Warning } else { Severity::Error };
    let mut text = String::new();
    let mut is_valid = true;
    for file in &arguments.files {
        let findings = findings_of(file, &arguments.plugin_path, &arguments.xacro);
        let is_right = findings.iter().all(|finding| finding.severity < limit);
        is_valid &= is_right;
        let verdict = if is_right { "OK" } else { "INVALID" };
        let name = file.display();
        if arguments.json {
            let findings: Vec<Value> = findings.iter().map(object).collect();
            let verdict =
                json!({ "file": name.to_string(), "ok": is_right, "verdict": verdict, "findings": findings });
            let _ = writeln!(text, "{verdict}");
        } else {
            text.push_str(&listed(&findings, is_detailed));
            let _ = writeln!(text, "{}: {verdict}{}", one_line(&name.to_string()), not_simulated(&findings));
        }
    }
    printed(&text, if is_valid { 0 } else { EXIT_CONFIGURATION }, EXIT_CONFIGURATION, console)
}

/// Returns all findings about a file: a configuration if its name ends in `.toml`, otherwise a world.
fn findings_of(file: &Path, plugin_path: &[PathBuf], xacro: &XacroArguments) -> Vec<Finding> {
    let is_configuration = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let (mut layers, outcome) = layers_of(is_configuration.then_some(file));
    layers.flags.plugin_path = plugin_path.to_vec();
    layers.flags.arguments = xacro.requests();
    if !is_configuration {
        layers.flags.run.world = Some(file.to_owned());
    }
    let mut findings = errors(outcome);
    // What could be read is tried nevertheless: one look shows everything that is wrong.
    let strict = layers.clone().merged().run.strict.unwrap_or_default();
    findings.extend(tried(layers));
    if strict {
        findings.iter_mut().for_each(|finding| finding.severity = Severity::Error);
    }
    findings
}

/// Returns the findings of building a world and starting its plugins, without those of its reader and without unsupported
/// names.
pub(super) fn of_building(file: &Path, xacro: &XacroArguments) -> Vec<Finding> {
    let is_meant = |found: &Finding| {
        let code = split_code(&found.text).map(|(code, _)| code);
        let is_of_names = code.is_some_and(|code| [NO_COUNTERPART, NOT_FOUND].contains(&code));
        found.read.is_none() && !is_of_names && code.is_some_and(severity::is_listed)
    };
    findings_of(file, &[], xacro).into_iter().filter(is_meant).collect()
}

fn tried(layers: Layers) -> Vec<Finding> {
    match layers.into_config() {
        Ok(mut config) => {
            if let Some(world) = &config.world {
                match world_file(world, &config.worlds) {
                    Ok(world) => config.world = Some(world),
                    Err(error) => return vec![Finding::error(error)],
                }
            }
            let shared = Shared::new(config.seed);
            // Code of plugins runs here, and may never return.
            let _calls = shared.watchdog.watch(config.call_timeout, |hang| {
                log::error!("{}", described_hang(hang, 0));
                crash::leave(EXIT_CONFIGURATION);
            });
            sim::check(config, shared)
        }
        Err(wrong) => errors(Err(wrong)),
    }
}

fn errors(outcome: Result<(), ConfigErrors>) -> Vec<Finding> {
    let errors = outcome.err().map(|errors| errors.0).unwrap_or_default();
    let finding = |error: crate::config::ConfigError| Finding {
        severity: Severity::Error,
        place: Some(error.place.clone()).filter(|place| !place.is_empty()),
        text: error.to_string(),
        read: None,
    };
    errors.into_iter().map(finding).collect()
}

/// Returns the findings as lines. Those of the reader are a digest, unless all are requested.
fn listed(findings: &[Finding], is_detailed: bool) -> String {
    if is_detailed {
        return findings.iter().map(line).collect();
    }
    let read: Vec<Diagnostic> = findings
        .iter()
        .filter_map(|finding| Some(finding.read.as_deref()?.with_severity(finding.severity)))
        .collect();
    let mut digest = Some(
        digest(&read).iter().map(|finding| format!("{}\n", entry(&finding.to_string()))).collect::<String>(),
    );
    let text = |finding: &Finding| match finding.read {
        Some(_) => digest.take().unwrap_or_default(),
        None => line(finding),
    };
    findings.iter().map(text).collect()
}

/// Returns how much of the world is not simulated, for the verdict.
fn not_simulated(findings: &[Finding]) -> String {
    let count = findings.iter().filter(|finding| finding.text.contains(NO_COUNTERPART)).count();
    match count {
        0 => String::new(),
        1 => ", without 1 system or sensor, which is not simulated".to_owned(),
        _ => format!(", without {count} systems and sensors, which are not simulated"),
    }
}

/// Returns a finding as a line of the log. A finding whose level was changed shows the new level.
fn line(found: &Finding) -> String {
    let text = without_level(&found.text);
    let line = match text.strip_prefix('[').filter(|_| text.len() != found.text.len()) {
        // `error[CODE] place: text`, as the readers write it.
        Some(_) => format!("{}{text}", found.severity),
        None => finding(&found.severity.to_string(), "", &found.text),
    };
    format!("{}\n", entry(&line))
}

/// Returns `[CODE] place: text` for `error[CODE] place: text`, and other texts unchanged.
fn without_level(text: &str) -> &str {
    let levels = ["error", "warning", "note"];
    levels
        .iter()
        .find_map(|level| text.strip_prefix(level).filter(|rest| rest.starts_with('[')))
        .unwrap_or(text)
}

fn object(found: &Finding) -> Value {
    let (code, message) = code_and_message(without_level(&found.text));
    json!({
        "severity": found.severity.to_string(),
        "code": code,
        "place": found.place,
        "message": message,
    })
}

/// Splits `[CODE] text`, with or without the colon of lines that begin with a level.
fn code_and_message(text: &str) -> (Option<&str>, String) {
    let code = text.get(1..=CODE_LENGTH).filter(|code| is_code(code));
    let rest = code.and_then(|code| text.strip_prefix('[')?.strip_prefix(code)?.strip_prefix(']'));
    match rest {
        Some(rest) => (code, rest.trim_start_matches(':').trim_start().to_owned()),
        None => split_code(text).map_or((None, text.to_owned()), |(code, rest)| (Some(code), rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(severity: Severity, text: &str) -> Finding {
        Finding { severity, place: None, text: text.to_owned(), read: None }
    }

    #[test]
    fn findings_are_lines_of_one_form_with_the_level_they_have_here() {
        let cases = [
            (
                Severity::Warning,
                "error[BH-SDF-060] a.sdf:1:1: no file",
                "warning[BH-SDF-060] a.sdf:1:1: no file\n",
            ),
            (Severity::Error, "[BH-BRG-021] no such form", "error[BH-BRG-021]: no such form\n"),
            (Severity::Error, "error[BH-CFG-004]: unknown", "error[BH-CFG-004]: unknown\n"),
        ];
        for (severity, text, expected) in cases {
            assert_eq!(line(&found(severity, text)), expected);
        }
    }

    #[test]
    fn findings_have_their_code_in_json() {
        let object = object(&found(Severity::Error, "error[BH-CFG-004]: unknown key"));
        assert_eq!(
            (object["code"].as_str(), object["message"].as_str()),
            (Some("BH-CFG-004"), Some("unknown key"))
        );
        assert_eq!(super::object(&found(Severity::Warning, "late"))["code"], Value::Null);
    }
}

//! `bridgehead world`: checks a file, prints its content, draws it, and writes changes back.
//!
//! The SDF crate reads files with the same functions as in a run; the results are printed here. Main thread.

mod load;
mod map;
mod picture;
mod save;

use std::fmt::Write as _;
use std::path::Path;

use bridgehead_sdf::resolved::{Body, Joint, Model};
use bridgehead_sdf::{
    Diagnostic, Disk, LoadError, Loaded, Pose, Severity, digest, findings, reading, verdict,
};
use serde_json::{Map, Value, json};

pub(super) use map::map;
pub(super) use picture::picture;
pub(super) use save::save;

use super::args::{CheckArguments, PrintArguments};
use super::check::of_building;
use super::console::Console;
use super::finding::finding;
use super::printed;
use super::printed::EXIT_CONFIGURATION;
use super::world_file::search_path;
use crate::catalogue::split_code;
use crate::sim::Finding;
use crate::text::{entry, one_line, printable};
use crate::world::names::UnsupportedNames;
use load::loaded;

/// Prints the findings of each file; returns the exit code.
pub(super) fn check(arguments: &CheckArguments, is_detailed: bool, console: &Console) -> u8 {
    let limit = if arguments.strict { Severity::Warning } else { Severity::Error };
    let mut text = String::new();
    let mut is_clean = true;
    for file in &arguments.files {
        let outcome = judged(loaded(file, &arguments.xacro));
        let of_building = if outcome.is_ok() { of_building(file, &arguments.xacro) } else { Vec::new() };
        let severities = findings(&outcome).into_iter().map(|finding| finding.severity);
        let is_right =
            severities.chain(of_building.iter().map(|found| found.severity)).all(|one| one < limit);
        is_clean &= is_right;
        if arguments.json {
            let mut object = verdict(&name(file), &outcome);
            object.insert("ok".to_owned(), is_right.into());
            add_to(&mut object, &of_building);
            let names: Vec<String> = not_simulated(&outcome).iter().map(|name| name.name.clone()).collect();
            object.insert("not_simulated".to_owned(), names.into());
            let _ = writeln!(text, "{}", Value::Object(object));
        } else {
            text.push_str(&report(&name(file), &outcome, &of_building, is_detailed));
        }
    }
    printed(&text, if is_clean { 0 } else { EXIT_CONFIGURATION }, EXIT_CONFIGURATION, console)
}

/// Prints the content of a file; returns the exit code.
pub(super) fn print(arguments: &PrintArguments, console: &Console) -> u8 {
    let outcome = loaded(&arguments.file, &arguments.xacro);
    let is_right = findings(&outcome).iter().all(|finding| finding.severity < Severity::Error);
    let file = name(&arguments.file);
    let text = match &outcome {
        _ if arguments.json => format!("{}\n", reading(&file, &outcome)),
        Ok(loaded) => {
            // Other programs may read the output, so findings go to standard error, as in a run.
            console.tell(&findings_of(&outcome));
            if arguments.sdf {
                bridgehead_sdf::print(loaded, &search_path(&arguments.xacro.xacro), &Disk)
            } else {
                printable(&listing(loaded)).into_owned()
            }
        }
        Err(_) => {
            console.tell(&findings_of(&outcome));
            String::new()
        }
    };
    printed(&text, if is_right { 0 } else { EXIT_CONFIGURATION }, EXIT_CONFIGURATION, console)
}

/// Gives the findings of the reader the severity that they have in a run.
fn judged(outcome: Result<Loaded, LoadError>) -> Result<Loaded, LoadError> {
    let all = |found: &[Diagnostic]| found.iter().map(Diagnostic::judged).collect();
    match outcome {
        Ok(loaded) => Ok(Loaded { diagnostics: all(&loaded.diagnostics), ..loaded }),
        Err(error) => Err(LoadError { diagnostics: all(&error.diagnostics), ..error }),
    }
}

/// Adds the findings of building a world to the verdict of its reader.
fn add_to(verdict: &mut Map<String, Value>, further: &[Finding]) {
    let object = |found: &Finding| {
        let (code, text) = split_code(&found.text).unwrap_or(("", found.text.clone()));
        json!({
            "severity": found.severity.to_string(), "code": code, "found": text, "expected": "", "hint": ""
        })
    };
    if let Some(Value::Array(diagnostics)) = verdict.get_mut("diagnostics") {
        diagnostics.extend(further.iter().map(object));
    }
}

fn name(file: &Path) -> String {
    file.display().to_string()
}

/// Returns all findings of a file, and their number.
fn report(
    file: &str,
    outcome: &Result<Loaded, LoadError>,
    of_building: &[Finding],
    is_detailed: bool,
) -> String {
    let mut text = if is_detailed { findings_of(outcome) } else { digest_of(outcome) };
    for found in of_building {
        let _ = writeln!(text, "{}", entry(&finding(&found.severity.to_string(), "", &found.text)));
    }
    let not_simulated = not_simulated(outcome);
    for name in not_simulated.iter() {
        let _ = writeln!(text, "{}", entry(&finding("note", "", &name.to_string())));
    }
    let count = |severity| {
        let of_reader = findings(outcome).into_iter().map(|finding| finding.severity);
        of_reader.chain(of_building.iter().map(|found| found.severity)).filter(|one| *one == severity).count()
    };
    let [errors, warnings, notes] = [Severity::Error, Severity::Warning, Severity::Note].map(count);
    let read = if outcome.is_ok() { "" } else { ", the file is not loaded" };
    let _ = writeln!(
        text,
        "{file}: {}, {}, {}{}{read}",
        counted(errors, "error"),
        counted(warnings, "warning"),
        counted(notes, "note"),
        match not_simulated.iter().count() {
            0 => String::new(),
            count => format!(", {count} not simulated"),
        }
    );
    text
}

/// Returns the sensor types and plugins of a file that are known and have no counterpart.
fn not_simulated(outcome: &Result<Loaded, LoadError>) -> UnsupportedNames {
    outcome.as_ref().map(|loaded| UnsupportedNames::of_world(&loaded.world)).unwrap_or_default()
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn findings_of(outcome: &Result<Loaded, LoadError>) -> String {
    findings(outcome).iter().map(|finding| format!("{}\n", entry(&finding.to_string()))).collect()
}

/// Returns the findings as people read them.
fn digest_of(outcome: &Result<Loaded, LoadError>) -> String {
    let findings: Vec<Diagnostic> = findings(outcome).into_iter().cloned().collect();
    digest(&findings).iter().map(|finding| format!("{}\n", entry(&finding.to_string()))).collect()
}

/// Returns the world as text: a line for each model, link and joint.
fn listing(loaded: &Loaded) -> String {
    let world = &loaded.world;
    let mut lines = vec![format!("world {}", world.name)];
    let [x, y, z] = world.gravity.to_array();
    lines.push(format!("  gravity {x} {y} {z} m/s², step {} s", world.physics.max_step_size));
    for model in &world.models {
        list_model(&mut lines, model);
    }
    for joint in &world.joints {
        lines.push(format!("  joint {} ({})", joint.joint.name, joint.joint.kind.as_str()));
    }
    // A name cannot begin a line of its own.
    lines.iter().flat_map(|line| [one_line(line), "\n".into()]).collect()
}

fn list_model(lines: &mut Vec<String>, model: &Model) {
    let fixed = if model.is_static { ", static" } else { "" };
    lines.push(format!("  model {} at {}{fixed}", model.name, place(&model.pose)));
    for link in &model.links {
        let pose = model.link_pose_world(link);
        lines.push(format!("    link {} at {}, {} kg", link.name, place(&pose), link.inertial.mass));
        for sensor in &link.sensors {
            lines.push(format!("      sensor {} ({})", sensor.element.name, sensor.element.kind));
        }
    }
    for joint in &model.joints {
        let [parent, child] = [joint.parent, joint.child].map(|side| side_name(model, side));
        let (name, kind, limits) = (&joint.name, joint.kind.as_str(), limits(joint));
        lines.push(format!("    joint {name} ({kind}): {parent} to {child}{limits}"));
    }
    for plugin in &model.plugins {
        lines.push(format!("    plugin {} ({})", plugin.name, plugin.filename));
    }
}

fn side_name(model: &Model, side: Body) -> &str {
    match side {
        Body::World => "world",
        Body::Link(link) => model.links.get(link).map_or("?", |link| link.name.as_str()),
    }
}

fn limits(joint: &Joint) -> String {
    let limit = joint.axis.as_ref().map(|axis| axis.limit).filter(|limit| limit.is_limited());
    limit.map_or_else(String::new, |limit| format!(", from {} to {}", limit.lower, limit.upper))
}

/// Returns a pose in metres and degrees.
fn place(pose: &Pose) -> String {
    let [x, y, z] = pose.position.to_array().map(rounded);
    let [roll, pitch, yaw] = pose.rpy().map(|angle| rounded(angle.to_degrees()));
    format!("{x} {y} {z} m, {roll} {pitch} {yaw}°")
}

/// Rounds to a millionth, without a negative zero.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}

//! Every fault of the tables that the host reports in a run is also found by `bridgehead plugin validate`.

use serde_json::Value;

use super::check::{element, make};
use super::row::{Command, Exit, Made, Row};
use super::{boundary, bridges, builds, careless_bridges, careless_models, ends, models, process};
use crate::support::{Setup, is_long, vehicle, world};

/// Returns true for rows with a fault that a run without special arguments reports.
fn is_fault(row: &Row) -> bool {
    // Calls that never return: each takes ten seconds here.
    let blocks = row.plugin.starts_with("blocks");
    let is_plain = match row.command {
        Command::Run(arguments) => {
            (arguments.is_empty() || arguments == ["--check-plugins"]) && (is_long() || !blocks)
        }
        Command::Configured(_) => is_long() && blocks,
        Command::Probe(_) => false,
    };
    // The fault of these is in the folder, or needs a second instance; or it keeps the plugin from being loaded, which has a
    // code of its own.
    let is_alone = !matches!(row.made, Made::Twins | Made::Breaker("destroyed", _))
        && !row.plugin.contains("while it is loaded");
    is_plain && is_alone && (row.codes().next().is_some() || row.exit != Exit::Code(0))
}

/// Validates the plugin of a row; returns the exit code and the report.
fn validated(row: &Row) -> (Option<i32>, Value) {
    let setup = Setup::new().fixtures(&["own_type"]).plugins(&["imu", "logging"]);
    let path = make(row.made, &setup);
    let sdf = setup.file("zoo.sdf", world(&vehicle("car2", &element(row.made))));
    let setup = row.environment.iter().fold(setup, |setup, (name, value)| setup.env(name, value));
    let folder = setup.plugin_folder();
    let setup = setup
        .env("BRIDGEHEAD_PLUGIN_PATH", folder)
        .args(["plugin", "validate", "--json", "--world"])
        .arg(sdf);
    let setup = match row.made {
        Made::Bridge(fault) | Made::CarelessBridge(fault) => setup.args(["--connection", fault]),
        _ => setup,
    };
    let finished = setup.arg(path).finish();
    let text = finished.stdout();
    let report =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}\n{finished}", row.plugin));
    (finished.code(), report)
}

#[track_caller]
fn assert_found(rows: &[Row]) {
    let mut missed = Vec::new();
    // Long tests try all of them.
    let part = if is_long() { 1 } else { 4 };
    let faults: Vec<&Row> = rows.iter().filter(|row| is_fault(row)).step_by(part).collect();
    assert!(!faults.is_empty(), "the table has faults");
    for row in faults {
        let (code, report) = validated(row);
        let text = report["plugins"].to_string();
        let is_named = row.codes().next().is_none_or(|code| text.contains(code));
        if code == Some(0) || !is_named {
            missed.push(format!("{} ({:?}): {code:?} {text}", row.plugin, row.codes().collect::<Vec<_>>()));
        }
    }
    assert!(missed.is_empty(), "not found:\n{}", missed.join("\n"));
}

#[test]
fn faults_of_model_plugins_are_found() {
    assert_found(models::ROWS);
}

#[test]
fn ends_of_the_process_are_found() {
    assert_found(ends::ROWS);
}

#[test]
fn changes_of_the_process_are_found() {
    assert_found(process::ROWS);
}

#[test]
fn broken_rules_of_the_boundary_are_found() {
    assert_found(boundary::ROWS);
}

#[test]
fn faults_of_bridges_are_found() {
    assert_found(bridges::ROWS);
}

#[test]
fn careless_models_are_found() {
    assert_found(careless_models::ROWS);
}

#[test]
fn careless_bridges_are_found() {
    assert_found(careless_bridges::ROWS);
}

#[test]
fn faults_of_builds_are_found() {
    assert_found(builds::ROWS);
}

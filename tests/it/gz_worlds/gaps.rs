//! Test of how many of Gazebo's worlds name a system or a sensor without a counterpart, as `world check` reports it.

use std::fs;

use serde_json::Value;

use super::folder;
use crate::support::Setup;

#[test]
fn at_most_one_world_in_ten_names_something_without_a_counterpart() {
    let Some(folder) = folder() else { return };
    let entries = fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut worlds: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "sdf")).collect();
    worlds.sort();
    assert!(worlds.len() > 70, "only {} worlds in {}", worlds.len(), folder.display());
    let setup = Setup::new().args(["world", "check", "--json"]);
    let finished = worlds.iter().fold(setup, Setup::arg).finish();
    let reports: Vec<Value> =
        finished.stdout().lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert_eq!(reports.len(), worlds.len(), "one report for each world: {finished}");
    let names = |report: &Value| report["not_simulated"].as_array().cloned().unwrap_or_default();
    let gaps: Vec<(&Value, Vec<Value>)> = reports
        .iter()
        .map(|report| (&report["file"], names(report)))
        .filter(|(_, names)| !names.is_empty())
        .collect();
    // The check is not blind: a system that nobody replaces is among them.
    assert!(gaps.iter().any(|(_, names)| names.contains(&"gz-sim-led-plugin-system".into())), "{gaps:#?}");
    assert!(gaps.len() * 10 <= worlds.len(), "{} of {} worlds: {gaps:#?}", gaps.len(), worlds.len());
}

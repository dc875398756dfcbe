//! Field names, writing and reading, and a file that is written completely or not at all.

use std::collections::BTreeSet;

use std::fs;

use super::*;
use crate::cli::tests::finished_run;

#[test]
fn a_result_comes_back_as_it_was_written() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("result.json");
    fs::write(&path, "an older result").expect("written");
    let result = ResultFile::from(&finished_run());
    result.write(&path).expect("written");
    let text = fs::read_to_string(&path).expect("text");
    assert_eq!(serde_json::from_str::<ResultFile>(&text).expect("a result"), result);
    let files: Vec<_> = fs::read_dir(folder.path()).expect("folder").collect();
    assert_eq!(files.len(), 1, "no temporary file stays: {files:?}");
}

#[test]
fn values_have_their_fields() {
    let value = serde_json::to_value(ResultFile::from(&finished_run())).expect("JSON");
    let cases = [
        ("/schema", serde_json::json!("bridgehead-result/1")),
        ("/outcome", serde_json::json!("stopped")),
        ("/exit_code", serde_json::json!(8)),
        ("/time_ns", serde_json::json!(10_000_000_000_u64)),
        ("/wall_s", serde_json::json!(4.2)),
        ("/state_hash", serde_json::json!("0123456789abcdef")),
        ("/topics/0/vehicle", Value::Null),
        ("/topics/0/rate_hz", serde_json::json!(1000.0)),
        ("/topics/1/type", serde_json::json!("sensor_msgs/msg/PointCloud2")),
        ("/bridges/0/failure", Value::Null),
        ("/bridges/1/failure", serde_json::json!("connection refused\nby 127.0.0.1")),
        ("/plugins/1/label", serde_json::json!("car1/lidar")),
        ("/unsupported/0/kind", serde_json::json!("sensor")),
        ("/unsupported/0/name", serde_json::json!("camera")),
        ("/unsupported/0/count", serde_json::json!(2)),
        ("/unsupported/0/place", serde_json::json!("two_vehicles.sdf:12")),
        ("/statistics/cycle_time_s/p99", serde_json::json!(4e-4)),
        ("/statistics/achievable_factor", Value::Null),
        ("/versions/loaded/0/version", serde_json::json!("1.2.0")),
        ("/unsupported/0/reason", serde_json::json!("no-counterpart")),
        ("/triggers/0/label", serde_json::json!("arrived")),
        ("/triggers/0/at", serde_json::json!("1.5s")),
        ("/triggers/0/event/name", serde_json::json!("time")),
    ];
    for (pointer, expected) in cases {
        assert_eq!(value.pointer(pointer), Some(&expected), "{pointer}");
    }
}

#[test]
fn what_is_not_a_number_is_null() {
    let result =
        RunResult { real_time_factor: f64::INFINITY, time: std::time::Duration::ZERO, ..finished_run() };
    let value = serde_json::to_value(ResultFile::from(&result)).expect("JSON");
    assert_eq!(value.pointer("/real_time_factor"), Some(&Value::Null));
    assert_eq!(value.pointer("/topics/0/rate_hz"), Some(&Value::Null));
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("taken");
    fs::create_dir(&path).expect("folder");
    assert!(ResultFile::from(&finished_run()).write(&path).is_err());
    assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 1);
}

/// The tables of the page on the result contain exactly the fields.
#[test]
fn the_page_on_the_result_names_every_field() {
    let page = include_str!("../../../../docs/result-file.md");
    let value = serde_json::to_value(ResultFile::from(&finished_run())).expect("JSON");
    let mut fields = BTreeSet::new();
    let inner = ["/statistics", "/statistics/cycle_time_s", "/versions", "/versions/loaded/0"];
    for pointer in ["", "/topics/0", "/bridges/0", "/plugins/0", "/unsupported/0", "/triggers/0"]
        .into_iter()
        .chain(inner)
    {
        let object = value.pointer(pointer).and_then(Value::as_object).expect("an object");
        fields.extend(object.keys().cloned());
    }
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let documented: BTreeSet<String> = rows.map(str::to_owned).collect();
    assert_eq!(documented, fields);
}

//! Compares two readings of one file, value by value.

use serde_json::Value;

/// Largest difference allowed between two readers, in metres, radians or kilograms.
const TOLERANCE: f64 = 1e-6;

/// Values that only the other reader prints: parameters of sensors, which our sensor plugins read, and the pitch of a
/// joint in the older of its two units (see [`super::table::FORMS`]).
const NOT_COMPARED: &[&str] = &["camera", "lidar", "thread_pitch"];

/// A difference between two readings: its path, the expected value, the found value.
pub(super) type Difference = (String, String, String);

/// Adds every difference between `expected` and `found`; extra members of objects in `found` are allowed.
pub(super) fn compare(path: &str, expected: &Value, found: &Value, into: &mut Vec<Difference>) {
    match (expected, found) {
        (Value::Object(fields), Value::Object(_)) => {
            for (name, expected) in fields.iter().filter(|(name, _)| !NOT_COMPARED.contains(&name.as_str())) {
                compare(&format!("{path}/{name}"), expected, &found[name], into);
            }
        }
        (Value::Array(all), Value::Array(found)) if is_named(all) || is_named(found) => {
            compare_named(path, all, found, into);
        }
        (Value::Array(all), Value::Array(found)) if all.len() == found.len() => {
            for (index, (expected, found)) in all.iter().zip(found).enumerate() {
                compare(&format!("{path}/{index}"), expected, found, into);
            }
        }
        _ => {
            if !is_equal(expected, found) {
                into.push((path.to_owned(), shortened(expected), shortened(found)));
            }
        }
    }
}

fn is_named(list: &[Value]) -> bool {
    list.first().is_some_and(|item| item["name"].is_string())
}

/// Compares elements by name, in any order.
fn compare_named(path: &str, expected: &[Value], found: &[Value], into: &mut Vec<Difference>) {
    for item in expected {
        let name = item["name"].as_str().unwrap_or_default();
        let namesake = found.iter().find(|other| other["name"] == item["name"]);
        compare(&format!("{path}/{name}"), item, namesake.unwrap_or(&Value::Null), into);
    }
    for item in found.iter().filter(|item| !expected.iter().any(|other| other["name"] == item["name"])) {
        into.push((path.to_owned(), "nothing".to_owned(), shortened(&item["name"])));
    }
}

fn is_equal(expected: &Value, found: &Value) -> bool {
    match (number(expected), number(found)) {
        // Before SDF 1.10, "no limit" was written as a number this large.
        (Some(expected), Some(found)) if found.is_infinite() => {
            expected.signum() == found.signum() && expected.abs() >= 1e16
        }
        (Some(expected), Some(found)) => (expected - found).abs() <= TOLERANCE,
        _ => expected == found,
    }
}

/// JSON has no infinity, so it is written as a string.
fn number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        _ => value.as_f64(),
    }
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    text.chars().take(60).collect()
}

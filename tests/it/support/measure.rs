//! Compares values of a log with values of a formula.

use super::recording::Line;

/// The message of a topic with this time stamp.
#[track_caller]
pub(crate) fn at<'a>(lines: &'a [Line], topic: &str, milliseconds: u64) -> &'a Line {
    let is_wanted = |line: &&Line| line.is_topic(topic) && line["stamp"] == milliseconds * 1_000_000;
    lines.iter().find(is_wanted).unwrap_or_else(|| panic!("no {topic} at {milliseconds} ms"))
}

/// Fails unless a value is as expected.
#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} ± {tolerance}");
}

/// Fails unless a vector is as expected, component by component.
#[track_caller]
pub(crate) fn assert_all_near<const N: usize>(found: [f64; N], expected: [f64; N], tolerance: f64) {
    let is_near = found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() <= tolerance);
    assert!(is_near, "{found:?} is not {expected:?} ± {tolerance}");
}

impl Line {
    /// x, y and z of a vector of the message, by JSON pointer.
    #[track_caller]
    pub(crate) fn vector(&self, pointer: &str) -> [f64; 3] {
        ["x", "y", "z"].map(|axis| self.number(&format!("{pointer}/{axis}")))
    }

    /// w, x, y and z of a quaternion of the message, by JSON pointer.
    #[track_caller]
    pub(crate) fn quaternion(&self, pointer: &str) -> [f64; 4] {
        ["w", "x", "y", "z"].map(|axis| self.number(&format!("{pointer}/{axis}")))
    }
}

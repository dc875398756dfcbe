//! The text of `<pose>` elements: plain decimals, in the format that the author chose.
//!
//! A physics engine leaves digits behind that mean nothing, such as `1.574e-19`. Numbers therefore have nine decimals,
//! and more only if a pose would be off without them. Pure functions, usable from any thread.

use crate::document::Element;
use crate::text::{parse_euler_pose, parse_flag, parse_quaternion_pose};
use bridgehead_pose::Pose;

/// Decimals of a number: a nanometre, a nanoradian.
const DECIMALS: usize = 9;
/// Decimals of a number if [`DECIMALS`] are too few; an `f64` near 1 has no more.
const MAX_DECIMALS: usize = 16;

/// Formats a pose like its `<pose>` element: Euler angles or quaternion, radians or degrees.
///
/// The numbers have at most nine decimals. Each has more if the pose that the text is read as does not pass `is_kept`,
/// for example that of a frame far from the origin of its model.
#[must_use]
pub fn pose_text(element: Element<'_>, pose: &Pose, is_kept: impl Fn(&Pose) -> bool) -> String {
    let format = Format::of(element);
    let numbers = format.numbers(pose);
    let texts = (DECIMALS..=MAX_DECIMALS).map(|decimals| decimals_text(&numbers, decimals));
    let mut last = String::new();
    for text in texts {
        last = text;
        if format.read(&last).is_some_and(|read| is_kept(&read)) {
            break;
        }
    }
    last
}

/// Returns the pose in a `<pose>` element, without its frame; `None` if it is not a pose.
pub(crate) fn pose_in(element: Element<'_>) -> Option<Pose> {
    Format::of(element).read(element.text())
}

/// Returns numbers with blanks between them, with at most nine decimals.
pub(crate) fn numbers_text(numbers: &[f64]) -> String {
    decimals_text(numbers, DECIMALS)
}

fn decimals_text(numbers: &[f64], decimals: usize) -> String {
    numbers.iter().map(|number| decimal(*number, decimals)).collect::<Vec<_>>().join(" ")
}

/// A number without exponent, trailing zeros and negative zero.
fn decimal(number: f64, decimals: usize) -> String {
    // There is a decimal point, because there are decimals.
    let text = format!("{number:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// How a `<pose>` contains its rotation.
enum Format {
    Quaternion,
    Degrees,
    Radians,
}

impl Format {
    fn of(element: Element<'_>) -> Self {
        if element.attribute("rotation_format") == Some("quat_xyzw") {
            return Format::Quaternion;
        }
        match element.attribute("degrees").and_then(parse_flag) {
            Some(true) => Format::Degrees,
            Some(false) | None => Format::Radians,
        }
    }

    fn numbers(&self, pose: &Pose) -> Vec<f64> {
        let rotation = match self {
            Format::Quaternion => pose.rotation.to_array().to_vec(),
            Format::Degrees => pose.rpy().map(f64::to_degrees).to_vec(),
            Format::Radians => pose.rpy().to_vec(),
        };
        [pose.position.to_array().to_vec(), rotation].concat()
    }

    fn read(&self, text: &str) -> Option<Pose> {
        match self {
            Format::Quaternion => parse_quaternion_pose(text),
            Format::Degrees => parse_euler_pose(text, true),
            Format::Radians => parse_euler_pose(text, false),
        }
    }
}

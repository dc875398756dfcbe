//! Values of elements: the text of a child as a number, a flag, a vector, a colour or a pose. Any other text is a finding,
//! and the default is used.

use super::report::Report;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{FramePose, Rgba};
use crate::text::{
    MAX, are_bounded, parse_color, parse_euler_pose, parse_flag, parse_integer, parse_number, parse_numbers,
    parse_quaternion_pose,
};
use crate::version::Version;
use bridgehead_pose::Pose;
use glam::{DVec2, DVec3};

/// A child's text as it is; `None` if the child is missing or empty.
pub(super) fn text(parent: Element<'_>, name: &str) -> Option<String> {
    parent.child(name).map(Element::text).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A child's number; `None` if it is missing or invalid; the latter is reported.
pub(super) fn number(parent: Element<'_>, name: &str, report: &mut Report) -> Option<f64> {
    let child = parent.child(name)?;
    number_of(child, report)
}

/// An element's own text as a finite number.
pub(super) fn number_of(element: Element<'_>, report: &mut Report) -> Option<f64> {
    let value = parse_number(element.text()).filter(|number| number.is_finite());
    check(element, value, "a finite number", report)
}

/// A number that may be infinite.
pub(super) fn unbounded(parent: Element<'_>, name: &str, report: &mut Report) -> Option<f64> {
    let child = parent.child(name)?;
    let value = parse_number(child.text()).filter(|number| !number.is_nan());
    check(child, value, "a number or inf", report)
}

/// A number above zero.
pub(super) fn positive(parent: Element<'_>, name: &str, report: &mut Report) -> Option<f64> {
    let child = parent.child(name)?;
    let value = parse_number(child.text()).filter(|number| number.is_finite() && *number > 0.0);
    check(child, value, "a number above 0", report)
}

/// A length above zero.
pub(super) fn length_of(parent: Element<'_>, name: &str, report: &mut Report) -> Option<f64> {
    let child = parent.child(name)?;
    let value = parse_number(child.text()).filter(|number| *number > 0.0 && *number <= MAX);
    check(child, value, "a number above 0, at most 1e9", report)
}

/// A number of at least zero.
pub(super) fn not_negative(parent: Element<'_>, name: &str, report: &mut Report) -> Option<f64> {
    let child = parent.child(name)?;
    let value = parse_number(child.text()).filter(|number| number.is_finite() && *number >= 0.0);
    check(child, value, "a number not below 0", report)
}

/// A number from 0 to 1.
pub(super) fn fraction(parent: Element<'_>, name: &str, report: &mut Report) -> Option<f64> {
    let child = parent.child(name)?;
    let value = parse_number(child.text()).filter(|number| (0.0..=1.0).contains(number));
    check(child, value, "a number from 0 to 1", report)
}

/// A whole number; hexadecimal with `0x`.
pub(super) fn integer(parent: Element<'_>, name: &str, report: &mut Report) -> Option<u32> {
    let child = parent.child(name)?;
    check(child, parse_integer(child.text()), "a whole number from 0 to 4294967295", report)
}

/// A child's flag.
pub(super) fn flag(parent: Element<'_>, name: &str, report: &mut Report) -> Option<bool> {
    let child = parent.child(name)?;
    check(child, parse_flag(child.text()), "true or false (or 1 or 0)", report)
}

/// An attribute's flag; missing is false.
pub(super) fn flag_attribute(element: Element<'_>, name: &str, report: &mut Report) -> bool {
    let Some(text) = element.attribute(name) else { return false };
    parse_flag(text).unwrap_or_else(|| {
        let found = format!("`{text}` for `{name}`");
        report.error(Code::ValueInvalid, element, found, "true or false (or 1 or 0)");
        false
    })
}

/// A child's three numbers.
pub(super) fn vector3(parent: Element<'_>, name: &str, report: &mut Report) -> Option<DVec3> {
    let child = parent.child(name)?;
    let value = parse_numbers::<3>(child.text()).filter(are_bounded).map(DVec3::from_array);
    check(child, value, "three finite numbers within 1e9", report)
}

/// A child's two numbers.
pub(super) fn vector2(parent: Element<'_>, name: &str, report: &mut Report) -> Option<DVec2> {
    let child = parent.child(name)?;
    let value = parse_numbers::<2>(child.text()).filter(are_bounded).map(DVec2::from_array);
    check(child, value, "two finite numbers within 1e9", report)
}

/// A child's direction, made of unit length.
pub(super) fn direction(parent: Element<'_>, name: &str, report: &mut Report) -> Option<DVec3> {
    let child = parent.child(name)?;
    let value =
        parse_numbers::<3>(child.text()).and_then(|numbers| DVec3::from_array(numbers).try_normalize());
    check(child, value, "three finite numbers that are not all 0", report)
}

/// A child's colour; alpha may be left out.
pub(super) fn color(parent: Element<'_>, name: &str, report: &mut Report) -> Option<Rgba> {
    let child = parent.child(name)?;
    check(child, parse_color(child.text()), "three or four numbers from 0 to 1", report)
}

/// The pose of an element, from its `<pose>` child; identity when there is none.
pub(super) fn pose(parent: Element<'_>, report: &mut Report) -> FramePose {
    parent.child("pose").map_or_else(FramePose::default, |pose| pose_of(pose, report))
}

/// A `<pose>` element.
pub(super) fn pose_of(element: Element<'_>, report: &mut Report) -> FramePose {
    // `relative_to` is accepted in older files too: it is never there by accident.
    let old_spelling =
        if Version::of(element).has_frame_semantics() { None } else { element.attribute("frame") };
    let relative_to =
        element.attribute("relative_to").or(old_spelling).filter(|name| !name.is_empty()).map(str::to_owned);
    FramePose { pose: transform(element, report), relative_to }
}

fn transform(element: Element<'_>, report: &mut Report) -> Pose {
    if element.text().is_empty() {
        return Pose::IDENTITY;
    }
    let degrees = flag_attribute(element, "degrees", report);
    let (value, expected) = match element.attribute("rotation_format").unwrap_or("euler_rpy") {
        "quat_xyzw" => {
            (parse_quaternion_pose(element.text()), "x y z qx qy qz qw, seven finite numbers within 1e9")
        }
        "euler_rpy" => {
            (parse_euler_pose(element.text(), degrees), "x y z roll pitch yaw, six finite numbers within 1e9")
        }
        other => {
            let found = format!("rotation_format `{other}`");
            report.error(Code::ValueInvalid, element, found, "`euler_rpy` or `quat_xyzw`");
            return Pose::IDENTITY;
        }
    };
    check(element, value, expected, report).unwrap_or_default()
}

/// Passes a value on, or reports the element's text.
pub(super) fn check<T>(
    element: Element<'_>,
    value: Option<T>,
    expected: &str,
    report: &mut Report,
) -> Option<T> {
    if value.is_none() {
        let found = match element.text() {
            "" => format!("an empty `<{}>`", element.name()),
            text => format!("`{text}`"),
        };
        report.error(Code::ValueInvalid, element, found, expected);
    }
    value
}

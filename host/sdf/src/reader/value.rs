//! Texts into numbers, flags, vectors, colours and poses; anything else is a finding, and the default is
//! used.

use super::Reader;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{FramePose, Rgba};
use bridgehead_params::whole_number;
use bridgehead_pose::Pose;
use glam::{DQuat, DVec2, DVec3};

/// Largest component of a pose, a size or another vector, and largest length: metres, m/s, m/s². Beyond it, physics has
/// no precision left, and squares of such numbers soon have no value.
const MAX: f64 = 1e9;

impl Reader<'_> {
    /// A child's text as it is; `None` if the child is missing or empty.
    pub(super) fn text(&mut self, parent: Element<'_>, name: &str) -> Option<String> {
        parent.child(name).map(Element::text).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// A child's number; `None` if it is missing or invalid; the latter is reported.
    pub(super) fn number(&mut self, parent: Element<'_>, name: &str) -> Option<f64> {
        let child = parent.child(name)?;
        self.number_of(child)
    }

    /// An element's own text as a finite number.
    pub(super) fn number_of(&mut self, element: Element<'_>) -> Option<f64> {
        let value = parse_number(element.text()).filter(|number| number.is_finite());
        self.check(element, value, "a finite number")
    }

    /// A number that may be infinite.
    pub(super) fn unbounded(&mut self, parent: Element<'_>, name: &str) -> Option<f64> {
        let child = parent.child(name)?;
        let value = parse_number(child.text()).filter(|number| !number.is_nan());
        self.check(child, value, "a number or inf")
    }

    /// A number above zero.
    pub(super) fn positive(&mut self, parent: Element<'_>, name: &str) -> Option<f64> {
        let child = parent.child(name)?;
        let value = parse_number(child.text()).filter(|number| number.is_finite() && *number > 0.0);
        self.check(child, value, "a number above 0")
    }

    /// A length above zero.
    pub(super) fn length_of(&mut self, parent: Element<'_>, name: &str) -> Option<f64> {
        let child = parent.child(name)?;
        let value = parse_number(child.text()).filter(|number| *number > 0.0 && *number <= MAX);
        self.check(child, value, "a number above 0, at most 1e9")
    }

    /// A number of at least zero.
    pub(super) fn not_negative(&mut self, parent: Element<'_>, name: &str) -> Option<f64> {
        let child = parent.child(name)?;
        let value = parse_number(child.text()).filter(|number| number.is_finite() && *number >= 0.0);
        self.check(child, value, "a number not below 0")
    }

    /// A number from 0 to 1.
    pub(super) fn fraction(&mut self, parent: Element<'_>, name: &str) -> Option<f64> {
        let child = parent.child(name)?;
        let value = parse_number(child.text()).filter(|number| (0.0..=1.0).contains(number));
        self.check(child, value, "a number from 0 to 1")
    }

    /// A whole number; hexadecimal with `0x`.
    pub(super) fn integer(&mut self, parent: Element<'_>, name: &str) -> Option<u32> {
        let child = parent.child(name)?;
        self.check(child, parse_integer(child.text()), "a whole number from 0 to 4294967295")
    }

    /// A child's flag.
    pub(super) fn flag(&mut self, parent: Element<'_>, name: &str) -> Option<bool> {
        let child = parent.child(name)?;
        self.check(child, parse_flag(child.text()), "true or false (or 1 or 0)")
    }

    /// An attribute's flag; missing is false.
    pub(super) fn flag_attribute(&mut self, element: Element<'_>, name: &str) -> bool {
        let Some(text) = element.attribute(name) else { return false };
        parse_flag(text).unwrap_or_else(|| {
            let found = format!("`{text}` for `{name}`");
            self.error(Code::ValueInvalid, element, found, "true or false (or 1 or 0)");
            false
        })
    }

    /// A child's three numbers.
    pub(super) fn vector3(&mut self, parent: Element<'_>, name: &str) -> Option<DVec3> {
        let child = parent.child(name)?;
        let value = parse_numbers::<3>(child.text()).filter(are_bounded).map(DVec3::from_array);
        self.check(child, value, "three finite numbers within 1e9")
    }

    /// A child's two numbers.
    pub(super) fn vector2(&mut self, parent: Element<'_>, name: &str) -> Option<DVec2> {
        let child = parent.child(name)?;
        let value = parse_numbers::<2>(child.text()).filter(are_bounded).map(DVec2::from_array);
        self.check(child, value, "two finite numbers within 1e9")
    }

    /// A child's direction, made of unit length.
    pub(super) fn direction(&mut self, parent: Element<'_>, name: &str) -> Option<DVec3> {
        let child = parent.child(name)?;
        let value =
            parse_numbers::<3>(child.text()).and_then(|numbers| DVec3::from_array(numbers).try_normalize());
        self.check(child, value, "three finite numbers that are not all 0")
    }

    /// A child's colour; alpha may be left out.
    pub(super) fn color(&mut self, parent: Element<'_>, name: &str) -> Option<Rgba> {
        let child = parent.child(name)?;
        self.check(child, parse_color(child.text()), "three or four numbers from 0 to 1")
    }

    /// The pose of an element, from its `<pose>` child; identity when there is none.
    pub(super) fn pose(&mut self, parent: Element<'_>) -> FramePose {
        parent.child("pose").map_or_else(FramePose::default, |pose| self.pose_of(pose))
    }

    /// A `<pose>` element.
    pub(super) fn pose_of(&mut self, element: Element<'_>) -> FramePose {
        // `relative_to` is accepted in older files too: it is never there by accident.
        let old_spelling = if self.version.has_frame_semantics() { None } else { element.attribute("frame") };
        let relative_to = element
            .attribute("relative_to")
            .or(old_spelling)
            .filter(|name| !name.is_empty())
            .map(str::to_owned);
        FramePose { pose: self.transform(element), relative_to }
    }

    fn transform(&mut self, element: Element<'_>) -> Pose {
        if element.text().is_empty() {
            return Pose::IDENTITY;
        }
        let degrees = self.flag_attribute(element, "degrees");
        let (value, expected) = match element.attribute("rotation_format").unwrap_or("euler_rpy") {
            "quat_xyzw" => {
                (parse_quaternion_pose(element.text()), "x y z qx qy qz qw, seven finite numbers within 1e9")
            }
            "euler_rpy" => (
                parse_euler_pose(element.text(), degrees),
                "x y z roll pitch yaw, six finite numbers within 1e9",
            ),
            other => {
                let found = format!("rotation_format `{other}`");
                self.error(Code::ValueInvalid, element, found, "`euler_rpy` or `quat_xyzw`");
                return Pose::IDENTITY;
            }
        };
        self.check(element, value, expected).unwrap_or_default()
    }

    /// Passes a value on, or reports the element's text.
    pub(super) fn check<T>(&mut self, element: Element<'_>, value: Option<T>, expected: &str) -> Option<T> {
        if value.is_none() {
            let found = match element.text() {
                "" => format!("an empty `<{}>`", element.name()),
                text => format!("`{text}`"),
            };
            self.error(Code::ValueInvalid, element, found, expected);
        }
        value
    }
}

fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

fn parse_integer(text: &str) -> Option<u32> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => whole_number(text),
    }
}

/// A flag, as SDF writes it.
pub(crate) fn parse_flag(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Exactly `N` finite numbers separated by whitespace.
fn parse_numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut numbers = [0.0; N];
    let mut words = text.split_whitespace();
    for number in &mut numbers {
        *number = parse_number(words.next()?).filter(|number| number.is_finite())?;
    }
    words.next().is_none().then_some(numbers)
}

fn are_bounded<const N: usize>(numbers: &[f64; N]) -> bool {
    numbers.iter().all(|number| number.abs() <= MAX)
}

fn parse_color(text: &str) -> Option<Rgba> {
    let [red, green, blue, alpha] = match parse_numbers::<4>(text) {
        Some(numbers) => numbers,
        None => parse_numbers::<3>(text).map(|[red, green, blue]| [red, green, blue, 1.0])?,
    };
    #[expect(clippy::cast_possible_truncation, reason = "a colour needs no more than eight bits")]
    let color = [red as f32, green as f32, blue as f32, alpha as f32];
    color.iter().all(|part| (0.0..=1.0).contains(part)).then_some(color)
}

/// A position and roll, pitch, yaw.
pub(crate) fn parse_euler_pose(text: &str, degrees: bool) -> Option<Pose> {
    let [x, y, z, roll, pitch, yaw] = parse_numbers::<6>(text).filter(are_bounded)?;
    let scale = if degrees { std::f64::consts::PI / 180.0 } else { 1.0 };
    Some(Pose::from_rpy(DVec3::new(x, y, z), roll * scale, pitch * scale, yaw * scale))
}

/// A position and a quaternion, which need not have unit length.
pub(crate) fn parse_quaternion_pose(text: &str) -> Option<Pose> {
    let [x, y, z, qx, qy, qz, qw] = parse_numbers::<7>(text).filter(are_bounded)?;
    let rotation = DQuat::from_xyzw(qx, qy, qz, qw);
    (rotation.length() > 1e-9).then(|| Pose::new(DVec3::new(x, y, z), rotation.normalize()))
}

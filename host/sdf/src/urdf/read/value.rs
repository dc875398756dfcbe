//! Attributes and texts into numbers, vectors, flags and poses; anything else is a finding, and has no value.

use super::Reader;
use crate::diagnostic::{Code, excerpt};
use crate::document::Element;
use crate::urdf::robot::{Origin, Rotation};

/// Which numbers an attribute takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Range {
    /// Any finite number.
    Finite,
    /// 0 or more.
    NotNegative,
    /// More than 0.
    Positive,
}

impl Range {
    fn holds(self, number: f64) -> bool {
        number.is_finite()
            && match self {
                Self::Finite => true,
                Self::NotNegative => number >= 0.0,
                Self::Positive => number > 0.0,
            }
    }

    const fn expected(self) -> &'static str {
        match self {
            Self::Finite => "a finite number",
            Self::NotNegative => "a number not below 0",
            Self::Positive => "a number above 0",
        }
    }
}

impl<'d> Reader<'d> {
    /// A number in an attribute; `None` if it is missing or invalid; the latter is reported.
    pub(super) fn number(&mut self, element: Element<'d>, attribute: &str, range: Range) -> Option<f64> {
        let text = element.attribute(attribute)?;
        let number = parse_number(text).filter(|number| range.holds(*number));
        if number.is_none() {
            self.bad_attribute(element, attribute, text, range.expected());
        }
        number
    }

    /// Like [`Reader::number`], for a required attribute.
    pub(super) fn required_number(
        &mut self,
        element: Element<'d>,
        attribute: &str,
        range: Range,
    ) -> Option<f64> {
        if element.attribute(attribute).is_none() {
            self.missing_attribute(element, attribute);
        }
        self.number(element, attribute, range)
    }

    /// `N` finite numbers in an attribute; `None` if it is missing or invalid; the latter is reported.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        element: Element<'d>,
        attribute: &str,
    ) -> Option<[f64; N]> {
        let text = element.attribute(attribute)?;
        let numbers = parse_numbers(text);
        if numbers.is_none() {
            self.bad_attribute(element, attribute, text, &format!("{N} finite numbers"));
        }
        numbers
    }

    pub(super) fn missing_attribute(&mut self, element: Element<'d>, attribute: &str) {
        let found = format!("`<{}>` without `{attribute}`", element.name());
        self.error(Code::AttributeMissing, element, found, &format!("{attribute}=\"…\""));
    }

    fn bad_attribute(&mut self, element: Element<'d>, attribute: &str, text: &str, expected: &str) {
        self.error(Code::ValueInvalid, element, format!("{attribute}=\"{}\"", excerpt(text)), expected);
    }

    /// The `<origin>` of an element; identity without one.
    pub(super) fn origin(&mut self, parent: Element<'d>) -> Origin {
        self.single(parent, "origin").map_or_else(Origin::default, |origin| self.origin_of(origin))
    }

    /// An `<origin>` element.
    pub(super) fn origin_of(&mut self, origin: Element<'d>) -> Origin {
        self.check_known(origin);
        Origin { xyz: self.numbers(origin, "xyz").unwrap_or_default(), rotation: self.rotation(origin) }
    }

    fn rotation(&mut self, origin: Element<'d>) -> Rotation {
        let quaternion = self.numbers::<4>(origin, "quat_xyzw");
        if let Some(quaternion) = quaternion {
            // Too short to have a direction; the reader of SDF refuses it too.
            if quaternion.iter().any(|part| part.abs() > 1e-6) {
                return Rotation::Quaternion(quaternion);
            }
            self.error(
                Code::ValueInvalid,
                origin,
                "a quaternion of length 0",
                "x y z w of length 1; rpy is used",
            );
        }
        self.numbers(origin, "rpy").map_or_else(Rotation::default, Rotation::Rpy)
    }

    /// The value of a Gazebo setting, `<mu1 value="1"/>` or `<mu1>1</mu1>`, as a number.
    pub(super) fn setting_number(&mut self, element: Element<'d>, range: Range) -> Option<f64> {
        let text = setting_text(element);
        let number = parse_number(text).filter(|number| range.holds(*number));
        self.checked_setting(element, number, range.expected())
    }

    /// A setting of three numbers.
    pub(super) fn setting_vector(&mut self, element: Element<'d>) -> Option<[f64; 3]> {
        self.checked_setting(element, parse_numbers(setting_text(element)), "three finite numbers")
    }

    /// A setting that is true or false.
    pub(super) fn setting_flag(&mut self, element: Element<'d>) -> Option<bool> {
        let value = match setting_text(element).to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => None,
        };
        self.checked_setting(element, value, "true or false")
    }

    fn checked_setting<T>(&mut self, element: Element<'d>, value: Option<T>, expected: &str) -> Option<T> {
        if value.is_none() {
            let found = format!("`{}` in `<{}>`", excerpt(setting_text(element)), element.name());
            self.error(Code::ValueInvalid, element, found, expected);
        }
        value
    }
}

/// The value of a setting of Gazebo.
pub(super) fn setting_text(element: Element<'_>) -> &str {
    element.attribute("value").unwrap_or(element.text()).trim()
}

fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
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

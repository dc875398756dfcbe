//! Attributes into numbers, flags and poses, with the defaults of the class; anything else is a finding, and has no value.

use super::{At, Reader};
use crate::diagnostic::{Code, excerpt};
use crate::document::Element;
use crate::mjcf::rotation::{about, from_axes, from_euler, from_wxyz, to_direction};
use bridgehead_pose::{DQuat, DVec3, Pose};

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
        match self {
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

/// The attributes that give an orientation; an element has one of them.
pub(super) const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];

impl<'d> Reader<'d> {
    /// The text of an attribute and where it is written: in the element, or else in the defaults of its class.
    pub(super) fn text(&self, at: At<'d>, name: &str) -> Option<(&'d str, Element<'d>)> {
        let own = at.element.attribute(name).map(|text| (text, at.element));
        own.or_else(|| self.classes.attribute(at.class, at.element.name(), name))
    }

    /// A word of an attribute, without blanks around it; `None` if there is none.
    pub(super) fn word(&self, at: At<'d>, name: &str) -> Option<&'d str> {
        self.text(at, name).map(|(text, _)| text.trim()).filter(|text| !text.is_empty())
    }

    /// The first number of an attribute: some have several in newer versions, of which only the first is used here.
    pub(super) fn number(&mut self, at: At<'d>, name: &str, range: Range) -> Option<f64> {
        let (text, place) = self.text(at, name)?;
        let number = text.split_whitespace().next().and_then(finite).filter(|number| range.holds(*number));
        if number.is_none() {
            self.bad_attribute(place, name, text, range.expected());
        }
        number
    }

    /// A number of contact bits and the like.
    pub(super) fn whole(&mut self, at: At<'d>, name: &str) -> Option<u32> {
        let (text, place) = self.text(at, name)?;
        // MuJoCo has signed numbers; -1 is all bits.
        let number = text.trim().parse::<i64>().ok();
        let number = number.and_then(|number| {
            u32::try_from(number).ok().or_else(|| i32::try_from(number).ok().map(i32::cast_unsigned))
        });
        if number.is_none() {
            self.bad_attribute(place, name, text, "a whole number");
        }
        number
    }

    /// Finite numbers, at least `least`.
    pub(super) fn list(&mut self, at: At<'d>, name: &str, least: usize) -> Option<Vec<f64>> {
        let (text, place) = self.text(at, name)?;
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(finite).collect();
        let numbers = numbers.filter(|numbers| numbers.len() >= least);
        if numbers.is_none() {
            self.bad_attribute(place, name, text, &format!("at least {least} finite numbers"));
        }
        numbers
    }

    /// Exactly `N` finite numbers.
    pub(super) fn numbers<const N: usize>(&mut self, at: At<'d>, name: &str) -> Option<[f64; N]> {
        let (text, place) = self.text(at, name)?;
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(finite).collect();
        let numbers = numbers.and_then(|numbers| <[f64; N]>::try_from(numbers).ok());
        if numbers.is_none() {
            self.bad_attribute(place, name, text, &format!("{N} finite numbers"));
        }
        numbers
    }

    pub(super) fn vector(&mut self, at: At<'d>, name: &str) -> Option<DVec3> {
        self.numbers(at, name).map(DVec3::from_array)
    }

    /// True or false; `None` for `auto` too.
    pub(super) fn flag(&mut self, at: At<'d>, name: &str) -> Option<bool> {
        let (text, place) = self.text(at, name)?;
        match text.trim() {
            "true" | "enable" => Some(true),
            "false" | "disable" => Some(false),
            "auto" => None,
            _ => {
                self.bad_attribute(place, name, text, "true, false or auto");
                None
            }
        }
    }

    /// An angle of the file in radians.
    pub(super) fn radians(&self, angle: f64) -> f64 {
        if self.compiler.is_in_radians { angle } else { angle.to_radians() }
    }

    /// The pose of an element: `pos`, and one of the forms of orientation.
    pub(super) fn pose(&mut self, at: At<'d>) -> Pose {
        Pose::new(self.vector(at, "pos").unwrap_or_default(), self.rotation(at).unwrap_or_default())
    }

    /// The orientation that the element gives, or else that of its class.
    pub(super) fn rotation(&mut self, at: At<'d>) -> Option<DQuat> {
        let own = ORIENTATIONS.into_iter().find(|name| at.element.attribute(name).is_some());
        let name = own.or_else(|| ORIENTATIONS.into_iter().find(|name| self.text(at, name).is_some()))?;
        let vector = |[x, y, z]: [f64; 3]| DVec3::new(x, y, z);
        let rotation = match name {
            "quat" => from_wxyz(self.numbers(at, name)?),
            "axisangle" => {
                let [x, y, z, angle] = self.numbers(at, name)?;
                about(DVec3::new(x, y, z), self.radians(angle))
            }
            "xyaxes" => {
                let [a, b, c, d, e, f] = self.numbers(at, name)?;
                from_axes(vector([a, b, c]), vector([d, e, f]))
            }
            "zaxis" => to_direction(self.vector(at, name)?),
            _ => {
                let angles = self.numbers::<3>(at, name)?.map(|angle| self.radians(angle));
                from_euler(self.compiler.euler_sequence, angles)
            }
        };
        if rotation.is_none() {
            let (text, place) = self.text(at, name)?;
            self.bad_attribute(place, name, text, "vectors with a direction");
        }
        rotation
    }

    pub(super) fn bad_attribute(&mut self, place: Element<'d>, name: &str, text: &str, expected: &str) {
        self.error(Code::ValueInvalid, place, format!("{name}=\"{}\"", excerpt(text)), expected);
    }
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

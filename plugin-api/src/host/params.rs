//! Parameters of an instance, from the world file or the configuration.

mod pose;

use std::fmt::Display;

use bridgehead_abi as abi;

use super::extension_handle;
use super::model::{Joint, JointKind, Link, Model};
use crate::error::{Error, Result};

extension_handle! {
    /// Reads parameters by path: `scan/horizontal/samples`, `wheel[1]/radius`, `@type`. `[any]`
    ///
    /// After `awake` the host names parameters that were not read, so a misspelt one is noticed.
    Params, abi::host::HostParams, abi::extension::PARAMS
}

/// Parameter below which a plugin finds the elements it contributed to a saved world:
/// `params.get(&format!("{SAVED}/charge"))`.
pub const SAVED: &str = abi::model::SAVED_ELEMENT;

/// A value that a parameter's text can be read as.
pub trait FromParam: Sized {
    /// What the text should look like, for error messages: "a number".
    const EXPECTED: &'static str;

    /// Reads the trimmed text; `None` if it is something else.
    fn from_param(text: &str) -> Option<Self>;
}

impl FromParam for String {
    const EXPECTED: &'static str = "a text";
    fn from_param(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl FromParam for f64 {
    const EXPECTED: &'static str = "a number";
    fn from_param(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number: &f64| !number.is_nan())
    }
}

impl FromParam for [f64; 3] {
    const EXPECTED: &'static str = "three finite numbers";
    fn from_param(text: &str) -> Option<Self> {
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        let vector = <[f64; 3]>::try_from(numbers?).ok()?;
        vector.iter().all(|number| number.is_finite()).then_some(vector)
    }
}

impl FromParam for bool {
    const EXPECTED: &'static str = "true or false";
    fn from_param(text: &str) -> Option<Self> {
        match text {
            "true" | "True" | "TRUE" | "1" => Some(true),
            "false" | "False" | "FALSE" | "0" => Some(false),
            _ => None,
        }
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => { $(
        impl FromParam for $type {
            const EXPECTED: &'static str = concat!("a whole number that fits ", stringify!($type));
            fn from_param(text: &str) -> Option<Self> {
                bridgehead_params::whole_number(text)
            }
        }
    )* };
}
whole_numbers!(u16, u32, u64, usize, i32, i64);

impl Params {
    /// The text at `path`, or `None` if there is no such parameter.
    #[must_use]
    pub fn text(self, path: &str) -> Option<String> {
        let _entered = self.host().enter().ok()?;
        self.extension.get(path).ok().map(super::text_of)
    }

    /// The value at `path`, or `None` if there is no such parameter.
    ///
    /// # Errors
    /// Returns an error if the text is not a `T`: the error names the path, the text, what was expected, and the place.
    pub fn get<T: FromParam>(self, path: &str) -> Result<Option<T>> {
        let Some(text) = self.text(path) else {
            return Ok(None);
        };
        match T::from_param(&text) {
            Some(value) => Ok(Some(value)),
            None => Err(self.refuse(path, &text, T::EXPECTED)),
        }
    }

    /// The value at `path`, or `default`.
    ///
    /// # Errors
    /// As [`Params::get`].
    pub fn get_or<T: FromParam>(self, path: &str, default: T) -> Result<T> {
        Ok(self.get(path)?.unwrap_or(default))
    }

    /// The number at `path`, or `default`.
    ///
    /// # Errors
    /// Returns an error if the text is no number, or one that is not finite.
    pub fn finite_or(self, path: &str, default: f64) -> Result<f64> {
        let value = self.get_or(path, default)?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(self.refuse(path, &value.to_string(), "a finite number"))
        }
    }

    /// The number at `path`, or `default`, which is not negative.
    ///
    /// # Errors
    /// Returns an error if it is negative or not finite.
    pub fn not_negative_or(self, path: &str, default: f64) -> Result<f64> {
        let value = self.finite_or(path, default)?;
        if value >= 0.0 { Ok(value) } else { Err(self.refuse(path, &value.to_string(), "0 or more")) }
    }

    /// The number at `path`, or `default`, which is above 0.
    ///
    /// # Errors
    /// Returns an error if it is 0, negative or not finite.
    pub fn positive_or(self, path: &str, default: f64) -> Result<f64> {
        let value = self.finite_or(path, default)?;
        if value > 0.0 { Ok(value) } else { Err(self.refuse(path, &value.to_string(), "a number above 0")) }
    }

    /// The value at `path`, which must be there.
    ///
    /// # Errors
    /// As [`Params::get`], and if there is no such parameter.
    pub fn require<T: FromParam>(self, path: &str) -> Result<T> {
        self.get(path)?
            .ok_or_else(|| Error::invalid(format!("parameter `{path}` is missing; expected {}", T::EXPECTED)))
    }

    /// The link of a model that the value at `path` names.
    ///
    /// # Errors
    /// Returns an error with the place of the value if there is none, or the model has no such link.
    pub fn link(self, model: Model, path: &str) -> Result<Link> {
        let name: String = self.require(path)?;
        model.link(&name).map_err(|error| self.at(path, error))
    }

    /// The joint of a model that the value at `path` names.
    ///
    /// # Errors
    /// Returns an error with the place of the value if there is none, or the model has no such joint.
    pub fn joint(self, model: Model, path: &str) -> Result<Joint> {
        let name: String = self.require(path)?;
        model.joint(&name).map_err(|error| self.at(path, error))
    }

    /// The joint of a model that the value at `path` names, which turns about one axis.
    ///
    /// # Errors
    /// As [`Params::joint`], and if it does something else.
    pub fn turning_joint(self, model: Model, path: &str) -> Result<Joint> {
        let joint = self.joint(model, path)?;
        match joint.kind {
            JointKind::Revolute | JointKind::Continuous => Ok(joint),
            JointKind::Fixed | JointKind::Prismatic | JointKind::Other => Err(self.refuse(
                path,
                &joint.name,
                "a joint that turns about one axis (revolute or continuous)",
            )),
        }
    }

    /// An error about what the value at `path` names, with its place.
    fn at(self, path: &str, error: Error) -> Error {
        let place = self.place(path).filter(|place| !place.is_empty());
        let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
        error.context(format_args!("{place}parameter `{path}`"))
    }

    /// Says that the plugin makes use of everything below `path`, so that nothing there is reported as unread: for
    /// elements that are handed on as a whole.
    pub fn take_whole(self, path: &str) {
        let _: usize = self.count(&format!("{path}/*"));
    }

    /// How many elements `path` names.
    #[must_use]
    pub fn count(self, path: &str) -> usize {
        usize::try_from(self.extension.count(path).unwrap_or(0)).unwrap_or(usize::MAX)
    }

    /// An error about the value at `path`, with its place in the file: what was found, what was expected.
    #[must_use]
    pub fn refuse(self, path: &str, found: &str, expected: impl Display) -> Error {
        let place = self.place(path).filter(|place| !place.is_empty());
        let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
        Error::invalid(format!("{place}parameter `{path}` is `{found}`; expected {expected}"))
    }

    /// Where the value at `path` was written, as `file:line`.
    #[must_use]
    pub fn place(self, path: &str) -> Option<String> {
        let _entered = self.host().enter().ok()?;
        self.extension.location(path).ok().map(super::text_of)
    }
}

//! The target and the options of one string, with readers for common kinds of values.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::form::Form;
use crate::error::{Error, Result};

/// The parts of a connection string.
#[derive(Debug)]
pub struct Options<'t> {
    form: &'static Form,
    pub(super) target: Option<&'t str>,
    pub(super) given: Vec<(&'t str, &'t str)>,
}

impl<'t> Options<'t> {
    pub(super) fn new(form: &'static Form) -> Self {
        Options { form, target: None, given: Vec::new() }
    }

    /// Returns the target as it is written, or `None` if it is left out.
    #[must_use]
    pub fn target_text(&self) -> Option<&'t str> {
        self.target
    }

    /// Returns the target as `parse` reads it, which returns `None` for a wrong one. A target that is left out is read as
    /// an empty text.
    ///
    /// # Errors
    /// Returns an error that shows the target and what was expected.
    pub fn target<T>(&self, parse: impl FnOnce(&'t str) -> Option<T>) -> Result<T> {
        let text = self.target.unwrap_or_default();
        parse(text).ok_or_else(|| {
            let (name, expected) =
                self.form.target.map_or(("TARGET", "left out"), |target| (target.name, target.expected));
            self.wrong(format_args!("{name} must be {expected}, found `{text}`"))
        })
    }

    /// Returns the value of a key as it is written.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&'t str> {
        self.given.iter().find(|(given, _)| *given == key).map(|(_, value)| *value)
    }

    /// Returns the value of a key as `parse` reads it, which returns `None` for a wrong one; `Ok(None)` if the key is not
    /// given.
    ///
    /// # Errors
    /// Returns an error that shows the value, if it is no secret, and what was expected.
    pub fn read<T>(&self, key: &str, parse: impl FnOnce(&'t str) -> Option<T>) -> Result<Option<T>> {
        let Some(text) = self.text(key) else { return Ok(None) };
        parse(text).map(Some).ok_or_else(|| self.unexpected(key, text))
    }

    /// Returns the number of a key within a range.
    ///
    /// # Errors
    /// Returns an error if the value is no number within the range.
    pub fn number<T: FromStr + PartialOrd>(&self, key: &str, range: RangeInclusive<T>) -> Result<Option<T>> {
        self.read(key, |text| text.parse().ok().filter(|number| range.contains(number)))
    }

    /// Returns whether a key is `true` or `false`.
    ///
    /// # Errors
    /// Returns an error if the value is neither.
    pub fn flag(&self, key: &str) -> Result<Option<bool>> {
        self.read(key, |text| text.parse().ok())
    }

    /// Returns the secret of a key.
    ///
    /// # Errors
    /// Returns an error that does not show it, if it is empty or has other characters than secrets may have.
    pub fn secret(&self, key: &str) -> Result<Option<String>> {
        let is_usual = |text: &&str| {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b';')
        };
        self.read(key, |text| Some(text).filter(is_usual).map(str::to_owned))
    }

    /// Returns the error for a wrong string, with the code and the expected form.
    pub fn wrong(&self, what: impl Display) -> Error {
        self.form.wrong(what)
    }

    fn unexpected(&self, key: &str, found: &str) -> Error {
        let key = self.form.key(key);
        let (name, expected) =
            key.map_or(("KEY", "in the table of the form"), |key| (key.name, key.expected));
        if found.is_empty() {
            return self.wrong(format_args!("`{name}=` must be {expected}, found nothing"));
        }
        match key {
            Some(key) if key.is_secret => self.wrong(format_args!("`{name}=` must be {expected}")),
            _ => self.wrong(format_args!("`{name}=` must be {expected}, found `{found}`")),
        }
    }
}

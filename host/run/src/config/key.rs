//! A setting that has a key: how it is read, shown and explained. Plain data, any thread.

use std::ffi::OsStr;

use serde_json::Value;

use super::error::ConfigError;
use super::file::table::Table;

/// Which values a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Any text.
    Text,
    /// A path; in a file relative to its folder.
    Path,
    /// A duration.
    Time,
    /// A duration, or `off`.
    Timeout,
    /// `true` or `false`.
    Boolean,
    /// A whole number within these limits.
    Number(u64, u64),
    /// A decimal number within these limits.
    Decimal(f64, f64),
    /// A number, or `unlimited`.
    Speed,
    /// A number of bytes.
    Bytes,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `host:port`, or `off`.
    Address,
    /// One character.
    Key,
    /// A text that is never shown.
    Secret,
}

impl Form {
    /// Returns whether TOML writes the value without quotes.
    #[must_use]
    pub fn is_bare(self) -> bool {
        matches!(self, Form::Boolean | Form::Number(..) | Form::Decimal(..))
    }

    /// Returns the description for the guide.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Form::Text | Form::Path | Form::Secret => String::from("text"),
            Form::Time => String::from("time"),
            Form::Timeout => String::from("time or `\"off\"`"),
            Form::Boolean => String::from("boolean"),
            Form::Number(0, u64::MAX) => String::from("number"),
            Form::Number(least, u64::MAX) => format!("number from {least}"),
            Form::Number(least, most) => format!("number from {least} to {most}"),
            Form::Decimal(least, most) => format!("number from {least} to {most}"),
            Form::Speed => String::from("number or `\"unlimited\"`"),
            Form::Bytes => String::from("bytes"),
            Form::Choice(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
                words.join(", ")
            }
            Form::Address => String::from("`\"host:port\"` or `\"off\"`"),
            Form::Key => String::from("one character"),
        }
    }
}

/// A setting that has a key. `S` has the values that one place gives.
pub struct Row<S> {
    /// The table that it belongs to.
    pub section: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// Which values it takes.
    pub form: Form,
    /// What applies without it, in words; empty if it has a default.
    pub without: &'static str,
    /// What it is for.
    pub meaning: &'static str,
    /// The flag of `run` for the same setting.
    pub flag: Option<Flag>,
    pub(super) read: fn(&Table<'_, '_>, &'static str, &mut S),
    pub(super) parse: fn(&OsStr, &mut S) -> Result<(), ConfigError>,
    pub(super) show: fn(&S, &'static str) -> Option<Value>,
}

/// The flag of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// `--name`, or the name of a positional argument.
    pub name: &'static str,
    /// What its argument is called in help texts; empty for a flag without one.
    pub value: &'static str,
    /// Whether the flag may be given again; the last one then applies.
    pub is_repeatable: bool,
    /// `--name` of another simulator for the same flag; empty for none.
    pub alias: &'static str,
}

/// What only some settings have: a flag, words in place of a default, a key named unlike the field.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    without: &'static str,
    flag: Option<Flag>,
    name: Option<&'static str>,
}

/// A setting without a default; `words` say what applies if it is not given.
pub(super) const fn without(words: &'static str) -> Facts {
    Facts { without: words, flag: None, name: None }
}

/// A setting with a default and a flag.
pub(super) const fn flag(name: &'static str, value: &'static str) -> Facts {
    without("").flag(name, value)
}

impl Facts {
    pub(super) const fn flag(self, name: &'static str, value: &'static str) -> Self {
        Facts { flag: Some(Flag { name, value, is_repeatable: false, alias: "" }), ..self }
    }

    pub(super) const fn repeatable(self) -> Self {
        match self.flag {
            Some(flag) => Facts { flag: Some(Flag { is_repeatable: true, ..flag }), ..self },
            None => self,
        }
    }

    pub(super) const fn alias(self, alias: &'static str) -> Self {
        match self.flag {
            Some(flag) => Facts { flag: Some(Flag { alias, ..flag }), ..self },
            None => self,
        }
    }

    pub(super) const fn named(self, name: &'static str) -> Self {
        Facts { name: Some(name), ..self }
    }
}

impl<S> Clone for Row<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Row<S> {}

impl<S> Row<S> {
    pub(super) const fn with(self, facts: Facts) -> Self {
        let name = match facts.name {
            Some(name) => name,
            None => self.name,
        };
        Row { name, without: facts.without, flag: facts.flag, ..self }
    }

    /// Returns the environment variable for the same setting.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("BRIDGEHEAD_{}_{}", self.section, self.name).to_uppercase()
    }

    /// Reads the argument of its flag.
    ///
    /// # Errors
    /// Returns an error without a place if the argument is not such a value.
    pub fn parse(&self, text: &OsStr, settings: &mut S) -> Result<(), ConfigError> {
        (self.parse)(text, settings)
    }

    /// Returns the value that one place gives, as a file would write it.
    #[must_use]
    pub fn show(&self, settings: &S) -> Option<Value> {
        (self.show)(settings, self.name)
    }

    /// Returns the default as a file would write it; `defaults` is `Settings::defaults`.
    #[must_use]
    pub fn default_text(&self, defaults: &S) -> Option<String> {
        let value = self.show(defaults)?;
        Some(match (self.form, value) {
            // Values are shown as absolute paths; the default is the working directory.
            (Form::Path, _) => String::from("\".\""),
            // A whole factor needs no fraction.
            (_, Value::Number(number)) => number.to_string().trim_end_matches(".0").to_owned(),
            (_, value) => value.to_string(),
        })
    }
}

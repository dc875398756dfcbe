//! A table of the file with its typed look-ups: each returns the value, or `None` after reporting an error.

use std::ops::Range;

use bridgehead_runtime::nearest::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::Source;
use crate::clock::Speed;
use crate::config::code::Code;
use crate::config::error::{ConfigError, quoted};
use crate::config::value;

/// A table, its path, and its place.
pub(in crate::config) struct Table<'a, 'i> {
    entries: &'a DeTable<'i>,
    span: Range<usize>,
    path: String,
    source: &'a Source<'a>,
}

impl<'a, 'i> Table<'a, 'i> {
    pub(in crate::config) fn new(
        entries: &'a DeTable<'i>,
        span: Range<usize>,
        path: String,
        source: &'a Source<'a>,
    ) -> Self {
        Table { entries, span, path, source }
    }

    pub(in crate::config) fn source(&self) -> &'a Source<'a> {
        self.source
    }

    /// Returns the place of the table, as `file:line`.
    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.source.name(), self.line())
    }

    /// Returns the place of a key, as `file:line`; `None` if the table does not have it.
    pub(in crate::config) fn place_of(&self, key: &str) -> Option<String> {
        let (found, _) = self.entries.get_key_value(key)?;
        Some(format!("{}:{}", self.source.name(), self.source.line(found.span().start)))
    }

    /// Returns the line on which the table begins.
    pub(super) fn line(&self) -> u32 {
        self.source.line(self.span.start)
    }

    /// Reports every key that is not among `known`.
    pub(super) fn allow(&self, known: &[&str]) {
        for key in self.entries.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let found = format!("unknown key `{}` {}", key.get_ref(), self.inside());
            let mut error = ConfigError::new(Code::UnknownKey, found)
                .expected(format!("one of {}", quoted(known.iter().copied())));
            if let Some(nearest) = nearest(key.get_ref(), known) {
                error = error.hint(format!("write `{nearest}`"));
            }
            self.source.report(&key.span(), error);
        }
    }

    fn inside(&self) -> String {
        if self.path.is_empty() { String::from("outside any table") } else { format!("in `{}`", self.path) }
    }

    /// Returns its entries.
    pub(super) fn entries(&self) -> &'a DeTable<'i> {
        self.entries
    }

    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'i>>> {
        self.entries.get(key)
    }

    /// Reports an error at the value of `key`.
    pub(super) fn refuse(&self, key: &str, error: ConfigError) {
        let span = self.get(key).map_or_else(|| self.span.clone(), Spanned::span);
        self.source.report(&span, error);
    }

    fn wrong_type(&self, key: &str, value: &DeValue<'_>, expected: &str) {
        let found = format!("`{key}` {} is {}", self.inside(), described(value));
        self.refuse(key, ConfigError::new(Code::WrongType, found).expected(expected));
    }

    /// Reads a text.
    pub(in crate::config) fn text(&self, key: &str) -> Option<&'a str> {
        self.text_like(key, "a text in quotes")
    }

    fn text_like(&self, key: &str, expected: &str) -> Option<&'a str> {
        match self.get(key)?.get_ref() {
            DeValue::String(text) => Some(text),
            other => {
                self.wrong_type(key, other, expected);
                None
            }
        }
    }

    /// Reads a required text.
    pub(super) fn required_text(&self, key: &str) -> Option<&'a str> {
        if self.get(key).is_none() {
            let found = format!("`{key}` is missing {}", self.inside());
            self.source.report(&self.span, ConfigError::new(Code::MissingKey, found));
        }
        self.text(key)
    }

    /// Reads a text and parses it.
    pub(in crate::config) fn parsed<T>(
        &self,
        key: &str,
        parse: fn(&str) -> Result<T, ConfigError>,
    ) -> Option<T> {
        let text = self.text_like(key, "a text in quotes, such as \"10s\" for a duration")?;
        self.kept(key, parse(text))
    }

    /// Reports the error of a parsed value.
    pub(in crate::config) fn kept<T>(&self, key: &str, result: Result<T, ConfigError>) -> Option<T> {
        result.map_err(|error| self.refuse(key, error)).ok()
    }

    /// `true` or `false`.
    pub(in crate::config) fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key)?.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            other => {
                self.wrong_type(key, other, "`true` or `false`");
                None
            }
        }
    }

    /// A whole number from `least` to `most`.
    pub(in crate::config) fn whole_number<T: TryFrom<u64>>(
        &self,
        key: &str,
        least: u64,
        most: u64,
    ) -> Option<T> {
        let value = self.get(key)?.get_ref();
        let DeValue::Integer(number) = value else {
            self.wrong_type(key, value, "a whole number");
            return None;
        };
        let parsed = u64::from_str_radix(number.as_str(), number.radix()).ok();
        let fitting =
            parsed.filter(|number| (least..=most).contains(number)).and_then(|n| T::try_from(n).ok());
        self.kept(
            key,
            fitting.ok_or_else(|| {
                ConfigError::new(Code::NumberInvalid, format!("`{key}` {} is {number}", self.inside()))
                    .expected(format!("a whole number from {least} to {most}"))
            }),
        )
    }

    /// Reads a finite number of at least `least`.
    pub(super) fn number(&self, key: &str, least: f64) -> Option<f64> {
        let value = self.get(key)?.get_ref();
        let Some(number) = float(value) else {
            self.wrong_type(key, value, "a number");
            return None;
        };
        let fitting = Some(number).filter(|number| number.is_finite() && *number >= least);
        self.kept(
            key,
            fitting.ok_or_else(|| {
                ConfigError::new(Code::NumberInvalid, format!("`{key}` {} is {number}", self.inside()))
                    .expected(format!("a number of at least {least}"))
            }),
        )
    }

    /// Reads a decimal number from `least` to `most`.
    pub(in crate::config) fn decimal(&self, key: &str, [least, most]: [f64; 2]) -> Option<f64> {
        let value = self.get(key)?.get_ref();
        let Some(number) = float(value) else {
            self.wrong_type(key, value, "a number");
            return None;
        };
        let fitting = Some(number).filter(|number| *number >= least && *number <= most);
        self.kept(
            key,
            fitting.ok_or_else(|| {
                ConfigError::new(Code::NumberInvalid, format!("`{key}` {} is {number}", self.inside()))
                    .expected(format!("a number from {least} to {most}"))
            }),
        )
    }

    /// Reads a list of `N` finite numbers.
    pub(super) fn numbers<const N: usize>(&self, key: &str, expected: &str) -> Option<[f64; N]> {
        let value = self.get(key)?.get_ref();
        let DeValue::Array(values) = value else {
            self.wrong_type(key, value, expected);
            return None;
        };
        let numbers: Vec<f64> = values.iter().filter_map(|value| float(value.get_ref())).collect();
        let fitting = <[f64; N]>::try_from(numbers).ok().filter(|all| all.iter().all(|one| one.is_finite()));
        self.kept(
            key,
            fitting.filter(|_| values.len() == N).ok_or_else(|| {
                ConfigError::new(Code::NumberInvalid, format!("`{key}` {} is not such a list", self.inside()))
                    .expected(expected.to_owned())
            }),
        )
    }

    /// Reads a number of bytes: a whole number, or a text such as `"64M"`.
    pub(in crate::config) fn size(&self, key: &str) -> Option<usize> {
        match self.get(key)?.get_ref() {
            DeValue::Integer(number) => self.kept(key, value::size(&number.to_string())),
            DeValue::String(text) => self.kept(key, value::size(text)),
            other => {
                self.wrong_type(key, other, "a number of bytes, such as 500000 or \"64M\"");
                None
            }
        }
    }

    /// Reads a speed: a number, or `"unlimited"`.
    pub(in crate::config) fn speed(&self, key: &str) -> Option<Speed> {
        match self.get(key)?.get_ref() {
            DeValue::Integer(number) => self.kept(key, value::speed(&number.to_string())),
            DeValue::Float(number) => self.kept(key, value::speed(number.as_str())),
            DeValue::String(text) => self.kept(key, value::speed(text)),
            other => {
                self.wrong_type(key, other, "a number, or \"unlimited\"");
                None
            }
        }
    }

    /// Reads a table.
    pub(super) fn table(&self, key: &str) -> Option<Table<'a, 'i>> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::Table(entries) => Some(self.inner(key, entries, value.span())),
            other => {
                self.wrong_type(key, other, "a table");
                None
            }
        }
    }

    fn inner(&self, key: &str, entries: &'a DeTable<'i>, span: Range<usize>) -> Table<'a, 'i> {
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Table { entries, span, path, source: self.source }
    }

    /// Reads a list of tables, `[[key]]`.
    pub(super) fn tables(&self, key: &str) -> Vec<Table<'a, 'i>> {
        self.list(key, &format!("tables, each under `[[{key}]]`"), |value| match value.get_ref() {
            DeValue::Table(entries) => Some(self.inner(key, entries, value.span())),
            _ => None,
        })
    }

    /// Reads a list of texts.
    pub(super) fn texts(&self, key: &str) -> Vec<&'a str> {
        self.list(key, "a list of texts in quotes", |value| match value.get_ref() {
            DeValue::String(text) => Some(text.as_ref()),
            _ => None,
        })
    }

    fn list<T>(
        &self,
        key: &str,
        expected: &str,
        member: impl Fn(&'a Spanned<DeValue<'i>>) -> Option<T>,
    ) -> Vec<T> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let DeValue::Array(values) = value.get_ref() else {
            self.wrong_type(key, value.get_ref(), expected);
            return Vec::new();
        };
        let mut members = Vec::with_capacity(values.len());
        for value in values.iter() {
            match member(value) {
                Some(member) => members.push(member),
                None => {
                    let found = format!("`{key}` contains {}", described(value.get_ref()));
                    let error = ConfigError::new(Code::WrongType, found).expected(expected);
                    self.source.report(&value.span(), error);
                }
            }
        }
        members
    }
}

/// Returns the value of a number, whole or not.
fn float(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(number) => number.to_string().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// Returns the description of a value for a message.
pub(super) fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text {text:?}"),
        DeValue::Integer(number) => format!("the number {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(flag) => format!("`{flag}`"),
        DeValue::Datetime(_) => String::from("a date or time"),
        DeValue::Array(_) => String::from("a list"),
        DeValue::Table(_) => String::from("a table"),
    }
}

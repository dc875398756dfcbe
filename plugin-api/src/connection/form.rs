//! The declaration of a form: what a string may contain, with the words of errors and of the documentation.

use std::fmt::Display;

use super::options::Options;
use super::split::split;
use crate::error::{Error, Result};

/// Names of keys whose values are secrets. The host hides the values of these in logs and results.
const SECRETS: [&str; 3] = ["token", "password", "secret"];

/// The form of the connection strings of a bridge.
#[derive(Debug)]
pub struct Form {
    /// Code of the errors, such as `BH-BRG-110`.
    pub code: &'static str,
    /// What strings begin with; `None` if they have options only.
    pub target: Option<Target>,
    /// The keys, in groups: servers share theirs.
    pub keys: &'static [&'static [Key]],
    /// A complete string, for errors and the documentation.
    pub example: &'static str,
}

/// What a string begins with.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub(super) name: &'static str,
    pub(super) expected: &'static str,
    default: Option<&'static str>,
    pub(super) old: Option<&'static str>,
    pub(super) is_path: bool,
}

impl Target {
    /// A target that each string needs. `name` stands for it in the documentation, such as `PEER`; `expected` is a noun
    /// phrase for errors.
    #[must_use]
    pub const fn new(name: &'static str, expected: &'static str) -> Self {
        Target { name, expected, default: None, old: None, is_path: false }
    }

    /// A target that may be left out.
    #[must_use]
    pub const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// A path: every byte of it counts, and it may contain `=`.
    #[must_use]
    pub const fn path(name: &'static str, expected: &'static str) -> Self {
        Target { is_path: true, ..Target::new(name, expected) }
    }

    /// Accepts what stood before the target in earlier versions, such as `listen=` or `listen://`, with a warning.
    #[must_use]
    pub const fn formerly(mut self, prefix: &'static str) -> Self {
        self.old = Some(prefix);
        self
    }
}

/// A key of an option.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub(super) name: &'static str,
    pub(super) expected: &'static str,
    default: &'static str,
    meaning: &'static str,
    pub(super) is_secret: bool,
}

impl Key {
    /// A key. `expected` is a noun phrase for errors; `default` and `meaning`, a sentence, are for the documentation.
    #[must_use]
    pub const fn new(
        name: &'static str,
        expected: &'static str,
        default: &'static str,
        meaning: &'static str,
    ) -> Self {
        Key { name, expected, default, meaning, is_secret: false }
    }

    /// The key `token`, whose value no text shows: visible ASCII characters without spaces and `;`.
    #[must_use]
    pub const fn token(meaning: &'static str) -> Self {
        let expected = "a secret of visible ASCII characters without spaces and semicolons";
        Key { is_secret: true, ..Key::new(SECRETS[0], expected, "none", meaning) }
    }

    /// The same key with another default in the documentation.
    #[must_use]
    pub const fn or(mut self, default: &'static str) -> Self {
        self.default = default;
        self
    }
}

impl Form {
    /// Splits a string.
    ///
    /// # Errors
    /// Returns an error if a key is unknown or given twice, or a part is none.
    pub fn read<'t>(&'static self, text: &'t str) -> Result<Options<'t>> {
        split(self, text)
    }

    /// Returns the error for a wrong string, with the code and the expected form.
    pub fn wrong(&self, what: impl Display) -> Error {
        Error::invalid(format!("[{}] connection string: {what}; expected {}", self.code, self.usage()))
    }

    /// Returns the keys.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().flat_map(|group| group.iter())
    }

    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|key| key.name == name)
    }

    fn grammar(&self) -> String {
        let (open, close) =
            if self.keys().next().is_some() { (";key=value;…", "key=value;…") } else { ("", "") };
        match self.target {
            None => close.to_owned(),
            Some(Target { name, default: Some(_), .. }) => format!("[{name}]{open}"),
            Some(Target { name, .. }) => format!("{name}{open}"),
        }
    }

    fn usage(&self) -> String {
        let names: Vec<&str> = self.keys().map(|key| key.name).collect();
        let keys = match names.as_slice() {
            [] => String::new(),
            [only] => format!(" with the key {only}"),
            [all @ .., last] => format!(" with the keys {} and {last}", all.join(", ")),
        };
        format!("{}{keys}, such as {}", self.grammar(), self.example)
    }

    /// Returns the section of a README about the form: the grammar, an example, and a table of the target and the keys.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("`{}`, such as `{}`\n\n", self.grammar(), self.example);
        text.push_str("| Part | Expected | Default | Meaning |\n|---|---|---|---|\n");
        if let Some(target) = &self.target {
            let default = target.default.map_or("none, required".to_owned(), shown);
            text.push_str(&format!("| `{}` | {} | {default} | |\n", target.name, target.expected));
        }
        for key in self.keys() {
            let default = shown(key.default);
            let Key { name, expected, meaning, .. } = key;
            text.push_str(&format!("| `{name}=` | {expected} | {default} | {meaning} |\n"));
        }
        text
    }
}

/// A default is a value, a phrase, or `none`.
fn shown(default: &str) -> String {
    if default == "none" || default.contains(' ') { default.to_owned() } else { format!("`{default}`") }
}

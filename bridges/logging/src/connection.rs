//! The connection string: `TARGET[;topics=GLOB,…][;max_size=BYTES][;overwrite=true]`.
//!
//! Only parses the text; [`crate::place`] and the disk decide whether the target can be opened. A `;` ends the target
//! or an option only if a known `key=` follows, so a path may contain any other `;`, and each of its bytes is kept.

use bridgehead_plugin_api::{Error, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::format::Format;

#[cfg(test)]
mod tests;

/// Keys of the options, as written before `=`.
const KEYS: [&str; 3] = ["topics", "max_size", "overwrite"];

/// Expected form, for every error about a connection string.
const USAGE: &str = "expected TARGET[;topics=GLOB,GLOB][;max_size=10M][;overwrite=true] \
    with a TARGET that ends in .mcap, .jsonl, .jsonl.gz, .txt or .txt.gz, or is - for standard output";

/// A parsed connection string.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// The path as written, or `-`.
    pub(crate) target: String,
    pub(crate) format: Format,
    pub(crate) topics: Topics,
    pub(crate) options: FileOptions,
}

/// Options of the file, on which all connections to it must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileOptions {
    /// Size in bytes at which writing stops.
    pub(crate) max_size: Option<u64>,
    /// Whether an existing file may be replaced.
    pub(crate) overwrite: bool,
}

/// Which topics an instance writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topics {
    /// `None` for all of them.
    globs: Option<GlobSet>,
}

impl Topics {
    pub(crate) fn contains(&self, topic: &str) -> bool {
        self.globs.as_ref().is_none_or(|globs| globs.is_match(topic))
    }

    fn parse(text: &str) -> Result<Self> {
        let mut globs = GlobSetBuilder::new();
        for pattern in split_outside_braces(text) {
            globs.add(parse_glob(pattern)?);
        }
        let globs = globs.build().map_err(|error| wrong(format_args!("topics=`{text}`: {error}")))?;
        Ok(Topics { globs: Some(globs) })
    }
}

impl Connection {
    /// Parses a connection string.
    ///
    /// # Errors
    /// Returns an error that names the wrong part and shows the expected form.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let (target, options) = split(text);
        let Some(format) = Format::of_target(target) else {
            return Err(wrong(format_args!("the target is `{target}`")));
        };
        let mut connection = Connection {
            target: target.to_owned(),
            format,
            topics: Topics::default(),
            options: FileOptions::default(),
        };
        let mut seen = Vec::new();
        for (key, value) in options {
            if seen.contains(&key) {
                return Err(wrong(format_args!("`{key}=` is given twice")));
            }
            seen.push(key);
            connection.set(key, value)?;
        }
        Ok(connection)
    }

    fn set(&mut self, key: &str, value: &str) -> Result {
        match key {
            "topics" => self.topics = Topics::parse(value)?,
            "max_size" => self.options.max_size = Some(parse_size(value)?),
            _ => self.options.overwrite = parse_bool(key, value)?,
        }
        Ok(())
    }
}

/// Splits the text into the target and the options with their keys.
fn split(text: &str) -> (&str, Vec<(&'static str, &str)>) {
    let starts: Vec<(usize, &'static str)> =
        text.match_indices(';').filter_map(|(at, _)| Some((at, key_at(text.get(at + 1..)?)?))).collect();
    let target = text.get(..starts.first().map_or(text.len(), |(at, _)| *at)).unwrap_or(text);
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([text.len()]);
    let options = starts.iter().zip(ends).map(|((at, key), end)| {
        let value = text.get(at + key.len() + 2..end).unwrap_or_default();
        (*key, value)
    });
    (target, options.collect())
}

/// Returns the key of the option with which `text` begins.
fn key_at(text: &str) -> Option<&'static str> {
    KEYS.into_iter().find(|key| text.strip_prefix(key).is_some_and(|rest| rest.starts_with('=')))
}

/// Parses a size in bytes: an integer, with K, M or G for powers of 1024.
fn parse_size(text: &str) -> Result<u64> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'K') => (text.strip_suffix('K'), 1 << 10),
        Some(b'M') => (text.strip_suffix('M'), 1 << 20),
        Some(b'G') => (text.strip_suffix('G'), 1 << 30),
        _ => (Some(text), 1),
    };
    digits
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|digits| digits.parse::<u64>().ok())
        .and_then(|number| number.checked_mul(factor))
        .filter(|size| *size > 0)
        .ok_or_else(|| {
            wrong(format_args!(
                "max_size=`{text}` is not a size in bytes, such as 500000, 64K, 10M or 2G (powers of 1024)"
            ))
        })
}

fn parse_bool(key: &str, text: &str) -> Result<bool> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(wrong(format_args!("{key}=`{text}` is neither true nor false"))),
    }
}

/// Parses one glob. A topic name starts with `/`, so a pattern that cannot match one is an error, and so is an
/// unknown option that ended up inside a pattern.
fn parse_glob(pattern: &str) -> Result<Glob> {
    if !pattern.starts_with(['/', '*', '?', '[', '{']) {
        return Err(wrong(format_args!(
            "topics=`{pattern}` matches no topic: names start with a slash, such as /car1/* or *imu"
        )));
    }
    if let Some((_, unknown)) = pattern.split_once(';') {
        return Err(wrong(format_args!("`{unknown}` is not a known option")));
    }
    Glob::new(pattern).map_err(|error| wrong(format_args!("topics=`{pattern}`: {error}")))
}

/// Splits at commas, except in `{a,b}`, which is part of a glob.
fn split_outside_braces(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    text.split(|letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth <= 0
    })
    .collect()
}

fn wrong(what: impl std::fmt::Display) -> Error {
    Error::invalid(format!("[BH-BRG-110] connection string: {what}; {USAGE}"))
}

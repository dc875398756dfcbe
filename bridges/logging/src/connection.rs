//! The connection string: `FILE;topics=GLOB,!GLOB,…;images=compressed;part_size=BYTES;max_size=BYTES;overwrite=true`.
//!
//! Only parses the text; [`crate::place`] and the disk decide whether the file can be opened.

use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key, Target};
use bridgehead_plugin_api::{Error, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::format::Format;

#[cfg(test)]
mod tests;

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: "BH-BRG-110",
    target: Some(Target::path(
        "FILE",
        "a path that ends in .mcap, .jsonl, .jsonl.gz, .txt or .txt.gz, or - for standard output",
    )),
    keys: &[&[
        Key::new(
            "topics",
            "patterns of topics, separated by commas, which start with a slash or a wildcard, such as /car1/* or *imu, or with a ! and then those, such as !*/points",
            "*",
            "Topics that are written; `*` matches slashes too, `{a,b}` is a choice, `!` leaves topics out.",
        ),
        Key::new(
            "images",
            "all or compressed",
            "all",
            "Whether the raw image of a camera is written too if the camera publishes it compressed.",
        ),
        Key::new(
            "part_size",
            "a size in bytes of at least 64K, such as 100M or 2G (powers of 1024)",
            "none",
            "Size at which the log continues in a new part, which can be read alone.",
        ),
        Key::new(
            "max_size",
            "a size in bytes, such as 500000, 64K, 10M or 2G (powers of 1024)",
            "none",
            "Size at which writing stops, of all parts together.",
        ),
        Key::new(
            "overwrite",
            "true or false",
            "false",
            "Whether an existing file of another process is replaced, or refused.",
        ),
    ]],
    example: "run.mcap;topics=/car1/*,/clock;max_size=10M;overwrite=true",
};

/// A parsed connection string.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// The path as written, or `-`.
    pub(crate) target: String,
    pub(crate) format: Format,
    pub(crate) topics: Topics,
    pub(crate) images: Images,
    pub(crate) options: FileOptions,
}

/// Options of the file, on which all connections to it must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileOptions {
    pub(crate) limits: Limits,
    /// Whether an existing file may be replaced.
    pub(crate) overwrite: bool,
}

/// Limits of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Size in bytes at which writing stops, of all parts together.
    pub(crate) max_size: Option<u64>,
    /// Size in bytes at which a part ends.
    pub(crate) part_size: Option<u64>,
}

/// Which topics an instance writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topics {
    /// `None` for all of them.
    wanted: Option<GlobSet>,
    unwanted: GlobSet,
}

impl Topics {
    pub(crate) fn contains(&self, topic: &str) -> bool {
        self.wanted.as_ref().is_none_or(|globs| globs.is_match(topic)) && !self.unwanted.is_match(topic)
    }

    /// Parses patterns; without one of wanted topics, all are wanted.
    fn parse(text: &str) -> Option<Self> {
        let (mut wanted, mut unwanted) = (None, GlobSetBuilder::new());
        for pattern in split_outside_braces(text) {
            match pattern.strip_prefix('!') {
                Some(pattern) => unwanted.add(glob(pattern)?),
                None => wanted.get_or_insert_with(GlobSetBuilder::new).add(glob(pattern)?),
            };
        }
        let wanted = wanted.map(|globs| globs.build()).transpose().ok()?;
        Some(Topics { wanted, unwanted: unwanted.build().ok()? })
    }
}

/// Smallest size of a part: many small files would take more than their messages.
const MIN_PART: u64 = 64 << 10;

/// Which images of a camera are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Images {
    #[default]
    All,
    /// Not the raw ones that are published compressed too.
    Compressed,
}

impl Images {
    fn parse(text: &str) -> Option<Self> {
        [("all", Images::All), ("compressed", Images::Compressed)]
            .into_iter()
            .find_map(|(word, images)| (word == text).then_some(images))
    }
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        let (target, format) =
            options.target(|target| Some((target.to_owned(), Format::of_target(target)?)))?;
        Ok(Connection {
            target,
            format,
            topics: options.read("topics", Topics::parse)?.unwrap_or_default(),
            images: options.read("images", Images::parse)?.unwrap_or_default(),
            options: FileOptions {
                limits: Limits {
                    max_size: options.read("max_size", size)?,
                    part_size: options
                        .read("part_size", |text| size(text).filter(|size| *size >= MIN_PART))?,
                },
                overwrite: options.flag("overwrite")?.unwrap_or(false),
            },
        })
    }
}

/// Parses a size in bytes: an integer, with K, M or G for powers of 1024.
fn size(text: &str) -> Option<u64> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'K') => (text.strip_suffix('K'), 1 << 10),
        Some(b'M') => (text.strip_suffix('M'), 1 << 20),
        Some(b'G') => (text.strip_suffix('G'), 1 << 30),
        _ => (Some(text), 1),
    };
    let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse::<u64>().ok()?.checked_mul(factor).filter(|size| *size > 0)
}

/// Parses one glob. A topic name starts with `/`, so a pattern that cannot match one is none.
fn glob(pattern: &str) -> Option<Glob> {
    Some(pattern).filter(|pattern| pattern.starts_with(['/', '*', '?', '[', '{']))?;
    Glob::new(pattern).ok()
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

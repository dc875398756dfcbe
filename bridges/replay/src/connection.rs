//! The connection string: `PATH[;topics=GLOB,…]`.
//!
//! A `;` ends the path only if `topics=` follows, so a path may contain any other `;`, and each of its bytes is kept.
//! Only parses the text.

use std::path::{Component, Path, PathBuf};

use bridgehead_plugin_api::{Error, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};

#[cfg(test)]
mod tests;

/// Expected form, for every error about a connection string.
const USAGE: &str = "expected PATH[;topics=GLOB,GLOB] with a PATH that ends in .jsonl, .jsonl.gz or .mcap";

/// Format of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    JsonLines { gzip: bool },
    Mcap,
}

/// Formats by the ending of a path.
const ENDINGS: [(&str, Format); 3] = [
    (".jsonl", Format::JsonLines { gzip: false }),
    (".jsonl.gz", Format::JsonLines { gzip: true }),
    (".mcap", Format::Mcap),
];

/// A parsed connection string.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// The path as written.
    pub(crate) path: String,
    pub(crate) format: Format,
    pub(crate) topics: Topics,
}

/// Which topics are played.
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
            if !pattern.starts_with(['/', '*', '?', '[', '{']) {
                return Err(wrong(format_args!(
                    "topics=`{pattern}` matches no topic: names start with a slash, such as /car1/* or *cmd_vel"
                )));
            }
            globs
                .add(Glob::new(pattern).map_err(|error| wrong(format_args!("topics=`{pattern}`: {error}")))?);
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
        let (path, topics) = match text.split_once(";topics=") {
            Some((path, globs)) => (path, Topics::parse(globs)?),
            None => (text, Topics::default()),
        };
        let Some((_, format)) = ENDINGS.into_iter().find(|(ending, _)| path.ends_with(ending)) else {
            return Err(wrong(format_args!("the path is `{path}`")));
        };
        Ok(Connection { path: path.to_owned(), format, topics })
    }

    /// Returns the path of the recording: a user's path as it is, a world file's path inside `world_dir`.
    ///
    /// # Errors
    /// Returns an error if a world's path is absolute or leaves that directory.
    pub(crate) fn locate(&self, world_dir: Option<&Path>) -> Result<PathBuf> {
        let path = Path::new(&self.path);
        let Some(directory) = world_dir else { return Ok(path.to_owned()) };
        let stays_inside =
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if stays_inside {
            return Ok(directory.join(path));
        }
        Err(Error::invalid(format!(
            "[BH-BRG-121] the world file names the recording `{}`, which is outside its directory `{}`; write \
             a relative path without `..`, or give the path with --bridge",
            self.path,
            directory.display()
        )))
    }
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
    Error::invalid(format!("[BH-BRG-120] connection string: {what}; {USAGE}"))
}

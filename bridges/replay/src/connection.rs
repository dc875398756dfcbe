//! The connection string: `PATH[;topics=GLOB,…]`.
//!
//! A `;` ends the path only where `topics=` follows, so a path may hold any other `;`, and every byte of it
//! is kept. Reads the text and nothing else.

use std::path::{Component, Path, PathBuf};

use bridgehead_plugin_api::{Error, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};

#[cfg(test)]
mod tests;

/// What is allowed, for every error about a connection string.
const USAGE: &str = "expected PATH[;topics=GLOB,GLOB] with a PATH that ends in .jsonl, .jsonl.gz or .mcap";

/// How a recording is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    JsonLines { gzip: bool },
    Mcap,
}

/// What the end of a path says.
const ENDINGS: [(&str, Format); 3] = [
    (".jsonl", Format::JsonLines { gzip: false }),
    (".jsonl.gz", Format::JsonLines { gzip: true }),
    (".mcap", Format::Mcap),
];

/// A connection string that was understood.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// Path as it was written.
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
    /// Reads a connection string.
    ///
    /// # Errors
    /// Says which part is wrong, and what a right string looks like.
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

    /// Where the recording is: a path of the user as it is, one of a world file inside `world_dir`.
    ///
    /// # Errors
    /// Where a world's path is absolute or climbs out of that directory.
    pub(crate) fn locate(&self, world_dir: Option<&Path>) -> Result<PathBuf> {
        let path = Path::new(&self.path);
        let Some(directory) = world_dir else { return Ok(path.to_owned()) };
        let stays_inside =
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if stays_inside {
            return Ok(directory.join(path));
        }
        Err(Error::invalid(format!(
            "the world file names the recording `{}`, which is outside its directory `{}`; write a relative path \
             without `..`, or give the path with --bridge [BH-BRG-121]",
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
    Error::invalid(format!("connection string: {what}; {USAGE} [BH-BRG-120]"))
}

//! The connection string: `FILE;topics=GLOB,…`. Only parses the text.

use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key, Target};
use bridgehead_plugin_api::{Error, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};

#[cfg(test)]
mod tests;

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: "BH-BRG-120",
    target: Some(Target::path("FILE", "the path of a recording, which ends in .jsonl, .jsonl.gz or .mcap")),
    keys: &[&[Key::new(
        "topics",
        "patterns of topics, separated by commas, which start with a slash or a wildcard, such as /car1/* or *cmd_vel",
        "*",
        "Topics that are played; `*` matches slashes too, `{a,b}` is a choice.",
    )]],
    example: "run.mcap;topics=*cmd_vel",
};

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

    fn parse(text: &str) -> Option<Self> {
        let mut globs = GlobSetBuilder::new();
        for pattern in split_outside_braces(text) {
            // Names of topics start with a slash: other patterns match none.
            Some(pattern).filter(|pattern| pattern.starts_with(['/', '*', '?', '[', '{']))?;
            globs.add(Glob::new(pattern).ok()?);
        }
        Some(Topics { globs: Some(globs.build().ok()?) })
    }
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        let (path, format) = options.target(|path| Some((path.to_owned(), Format::of_path(path)?)))?;
        Ok(Connection { path, format, topics: options.read("topics", Topics::parse)?.unwrap_or_default() })
    }
}

impl Format {
    fn of_path(path: &str) -> Option<Self> {
        ENDINGS.into_iter().find(|(ending, _)| path.ends_with(ending)).map(|(_, format)| format)
    }
}

impl Connection {
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
            "[BH-BRG-121] the recording `{}` is outside the directory `{}` of the world file, which world files and \
             clients cannot leave; write a relative path without `..`, or give the path with --bridge",
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

//! The pages of the documentation and their fenced blocks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::root;

/// A fenced block, such as `xml robot.sdf` or `rust,ignore`.
pub(crate) struct Block {
    /// The first word.
    pub(crate) language: String,
    /// Whether the block says that it cannot be tested.
    pub(crate) is_ignored: bool,
    /// The name of the file that the reader writes; empty if there is none.
    pub(crate) file: String,
    /// The lines, without the indentation of the fence.
    pub(crate) text: String,
    /// The line of the fence in the page, from 1.
    pub(crate) line: usize,
}

/// Returns the blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut indentation = None;
    for (index, line) in page.lines().enumerate() {
        let inner = line.trim_start();
        match (inner.strip_prefix("```"), indentation) {
            (Some(_), Some(_)) => indentation = None,
            (Some(head), None) => {
                indentation = Some(line.len() - inner.len());
                let (words, file) = head.split_once(' ').unwrap_or((head, ""));
                let mut words = words.split(',');
                blocks.push(Block {
                    language: words.next().unwrap_or_default().to_owned(),
                    is_ignored: words.any(|word| word == "ignore"),
                    file: file.to_owned(),
                    text: String::new(),
                    line: index + 1,
                });
            }
            (None, Some(width)) => {
                let block = blocks.last_mut().expect("a block has begun");
                block.text += line.get(width..).unwrap_or_default();
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// A page, by its path from the root.
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) blocks: Vec<Block>,
}

impl Page {
    pub(crate) fn read(path: &str) -> Self {
        let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        Page { path: path.to_owned(), blocks: blocks(&text) }
    }

    /// Returns a word for a module or a file: `docs_plugin_guide`.
    pub(crate) fn word(&self) -> String {
        self.path.trim_end_matches(".md").replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
    }

    /// Returns the tested blocks of a language.
    pub(crate) fn of<'a>(&'a self, language: &'a str) -> impl Iterator<Item = &'a Block> {
        self.blocks.iter().filter(move |block| block.language == language && !block.is_ignored)
    }
}

/// Returns all pages of the documentation.
pub(crate) fn pages() -> Vec<Page> {
    let mut paths = BTreeSet::new();
    for folder in ["", "docs"] {
        paths.extend(
            files(&root().join(folder)).filter(|path| path.extension().is_some_and(|end| end == "md")),
        );
    }
    let folders = ["bridges", "host", "plugin-api", "plugin-api/examples", "plugins", "tests"];
    for folder in folders.map(|folder| root().join(folder)) {
        let inner = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        paths.extend(inner.map(|path| path.join("README.md")).filter(|path| path.is_file()));
    }
    for page in ["plugin-api/README.md", "worlds/README.md"] {
        paths.insert(root().join(page));
    }
    let names = paths.iter().map(|path| path.strip_prefix(root()).expect("inside the root").display());
    names.map(|name| Page::read(&name.to_string())).collect()
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.is_file())
}

//! Links of a page: from places in the repository to places in the site.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::book::{Book, place};
use crate::codes::Codes;
use crate::markdown::events;

/// The file with the list of a folder that has no README.
pub const LIST: &str = "index.html";

/// A page whose links fit the site.
pub struct Linked {
    /// Its text.
    pub text: String,
    /// Files and folders that it links to and that are no pages, by their paths in the repository.
    pub assets: BTreeSet<String>,
    /// Links without a target.
    pub problems: Vec<String>,
}

/// Returns the path in the repository that a link on the page `from` names, without its anchor.
pub fn resolve(from: &str, link: &str) -> String {
    let link = link.split('#').next().unwrap_or_default();
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the link on the page `from` that names `to`; both are paths in the same tree.
pub fn between(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let folders = &from[..from.len() - 1];
    let shared = folders.iter().zip(&to[..to.len() - 1]).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", folders.len() - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// Returns true if a link leaves the repository, or stays on its page.
fn is_elsewhere(link: &str) -> bool {
    link.starts_with('#') || link.contains("://") || link.starts_with("mailto:")
}

impl Linked {
    /// Rewrites the links of the page at `path`, and makes links of the codes that it names.
    pub fn new(book: &Book, path: &str, text: &str) -> Self {
        let mut linked = Linked { text: String::new(), assets: BTreeSet::new(), problems: Vec::new() };
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        // Inside of links, headings and code blocks, codes are not linked.
        let mut depth = 0_usize;
        for (event, range) in events(text) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    depth += 1;
                    edits.extend(linked.edit(book, path, text, range, &dest_url));
                }
                Event::Start(Tag::Heading { .. } | Tag::CodeBlock(_)) => depth += 1,
                Event::End(TagEnd::Link | TagEnd::Image | TagEnd::Heading(_) | TagEnd::CodeBlock) => {
                    depth -= 1
                }
                Event::Text(_) | Event::Code(_) if depth == 0 && !path.ends_with("SUMMARY.md") => {
                    edits.extend(code_links(book, path, text, range));
                }
                _ => {}
            }
        }
        edits.sort_by_key(|(range, _)| range.start);
        let mut end = 0;
        for (range, new) in edits {
            linked.text += &text[end..range.start];
            linked.text += &new;
            end = range.end;
        }
        linked.text += &text[end..];
        linked
    }

    /// Returns the new target of a link with its place.
    fn edit(
        &mut self,
        book: &Book,
        path: &str,
        text: &str,
        range: Range<usize>,
        link: &str,
    ) -> Option<(Range<usize>, String)> {
        if is_elsewhere(link) {
            return None;
        }
        let found = self.target(book, &resolve(path, link));
        let found = found.and_then(|target| match text[range.clone()].rfind(&format!("]({link}")) {
            Some(at) => Ok((range.start + at + 2, target)),
            None => Err("is not written as `[text](target)`".to_owned()),
        });
        match found {
            Ok((start, target)) => {
                let anchor = link.find('#').map_or("", |at| &link[at..]);
                Some((start..start + link.len(), between(&place(path), &place(&target)) + anchor))
            }
            Err(why) => {
                let line = text[..range.start].lines().count().max(1);
                self.problems.push(format!("{path}:{line}: `{link}` {why}"));
                None
            }
        }
    }

    /// Returns what a link to a path of the repository names in the site. A folder is its README, or a list of its files.
    fn target(&mut self, book: &Book, path: &str) -> Result<String, String> {
        let file = book.root.join(path);
        let page = if file.is_dir() { format!("{path}/README.md") } else { path.to_owned() };
        if book.pages.contains_key(&page) {
            return Ok(page);
        }
        if page.ends_with(".md") && book.root.join(&page).exists() {
            return Err(format!("names {page}, which docs/SUMMARY.md does not list"));
        }
        if !file.exists() {
            return Err("names no file".to_owned());
        }
        self.assets.insert(path.to_owned());
        Ok(if file.is_dir() { format!("{path}/{LIST}") } else { path.to_owned() })
    }
}

/// Returns links for the codes in a piece of text.
fn code_links(book: &Book, path: &str, text: &str, range: Range<usize>) -> Vec<(Range<usize>, String)> {
    let is_own = |code: &str| Codes::path(code) == path;
    let link = |code: &str| between(&place(path), &place(&Codes::path(code)));
    let piece = &text[range.clone()];
    if piece.starts_with('`') {
        let code = piece.trim_matches('`');
        let is_code = book.codes.contains(code) && !is_own(code);
        return is_code.then(|| (range, format!("[{piece}]({})", link(code)))).into_iter().collect();
    }
    let found = book.codes.find(piece);
    let found = found.filter(|(_, code)| !is_own(code));
    found
        .map(|(at, code)| {
            let start = range.start + at;
            (start..start + code.len(), format!("[`{code}`]({})", link(code)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_in_both_trees() {
        assert_eq!(resolve("docs/a.md", "../plugins/imu/README.md#x"), "plugins/imu/README.md");
        assert_eq!(resolve("plugins/imu/README.md", "../lidar"), "plugins/lidar");
        assert_eq!(between("plugins/imu/index.md", "names.md"), "../../names.md");
        assert_eq!(between("errors/BH-PLG-001.md", "errors/BH-PLG.md"), "BH-PLG.md");
    }
}

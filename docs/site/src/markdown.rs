//! What the tool reads from Markdown, with the parser of mdBook.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The syntax of the pages, as mdBook reads it.
fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES
}

/// Returns the events of a page with their places in the text.
pub fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, options()).into_offset_iter()
}

/// Returns the targets of all links of a page.
pub fn links(text: &str) -> Vec<String> {
    let targets = events(text).filter_map(|(event, _)| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    });
    targets.collect()
}

/// A heading.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// Its text.
    pub text: String,
    /// The anchor, unless an earlier heading has the same.
    pub anchor: String,
    /// Its place in the text.
    pub at: usize,
}

/// Returns all headings of a page.
pub fn headings(text: &str) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut current: Option<Heading> = None;
    for (event, range) in events(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                current = Some(Heading { at: range.start, ..Heading::default() });
            }
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut current {
                    heading.text += &part;
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(mut heading) = current.take() {
                    heading.anchor = anchor(&heading.text);
                    headings.push(heading);
                }
            }
            _ => {}
        }
    }
    headings
}

/// Returns the text of the first heading.
pub fn title(text: &str) -> Option<String> {
    headings(text).into_iter().next().map(|heading| heading.text)
}

/// Returns the anchor that mdBook and forges give to a heading.
pub fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ if letter.is_alphanumeric() => Some(letter),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_the_anchors_of_forges() {
        let found = headings("# `[run]`: a_b\n\ntext\n\n## What a plugin can do\n");
        let anchors: Vec<&str> = found.iter().map(|heading| heading.anchor.as_str()).collect();
        assert_eq!(anchors, ["run-a_b", "what-a-plugin-can-do"]);
    }

    #[test]
    fn links_in_code_are_no_links() {
        assert_eq!(links("[a](b.md) `[c](d.md)`\n\n```text\n[e](f.md)\n```\n"), ["b.md"]);
    }
}

//! Texts for terminals and logs: control characters are escaped, and columns are padded. Plain functions, usable from any
//! thread.
//!
//! Names and messages come from files, peers and plugins. An escape sequence in one of them could rewrite the lines
//! above it, and a line break could make it look like a line of the host.

use std::borrow::Cow;

/// Returns true for characters that change how a terminal shows the text around them: control characters, and those that
/// change the direction of writing.
fn is_hidden(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped_where(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_escaped(letter) {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    Cow::Owned(line)
}

/// Keys whose values are secrets.
const SECRETS: [&str; 3] = ["token", "password", "secret"];

/// Returns a connection string with `…` in place of each secret: logs and results are read by more people than may
/// connect. The value of a key ends where the next option begins, in an address at the next `&`.
#[must_use]
pub fn without_secrets(connection: &str) -> Cow<'_, str> {
    if !SECRETS.iter().any(|key| connection.contains(key)) {
        return Cow::Borrowed(connection);
    }
    let ends = connection.match_indices(';').map(|(at, _)| at);
    let ends = ends.filter(|at| connection.get(at + 1..).is_some_and(begins_option));
    let (mut shown, mut start) = (String::new(), 0);
    for end in ends.chain([connection.len()]) {
        hide(connection.get(start..end).unwrap_or_default(), &mut shown);
        start = end;
    }
    Cow::Owned(shown)
}

/// Appends a part, with `…` in place of secrets.
fn hide(part: &str, shown: &mut String) {
    let mut rest = part;
    while let Some((before, secret)) = at_secret(rest) {
        shown.push_str(before);
        shown.push('…');
        let key = before.trim_end_matches(|letter: char| letter == '=' || letter.is_whitespace());
        let key = key.trim_end_matches(char::is_alphanumeric);
        let end = if key.ends_with(['?', '&']) { secret.find('&') } else { None };
        rest = end.and_then(|end| secret.get(end..)).unwrap_or_default();
    }
    shown.push_str(rest);
}

/// Splits a text behind the first `key=` of a secret, with spaces or without.
fn at_secret(text: &str) -> Option<(&str, &str)> {
    let after = |key: &str, at: usize| {
        let rest = text.get(at + key.len()..)?.trim_start().strip_prefix('=')?;
        Some(text.len() - rest.len())
    };
    let all = SECRETS.iter().flat_map(|key| text.match_indices(key).filter_map(|(at, key)| after(key, at)));
    text.split_at_checked(all.min()?)
}

/// Whether an option or nothing follows a `;`.
fn begins_option(text: &str) -> bool {
    let text = text.trim_start_matches(|letter: char| letter == ';' || letter.is_whitespace());
    let key = text.split_once('=').map(|(key, _)| key.trim());
    let is_key = |key: &str| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    text.is_empty() || key.is_some_and(|key| !key.is_empty() && is_key(key))
}

/// Returns the text on one line: control characters are escaped, line breaks too.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped_where(text, is_hidden)
}

/// Returns the text with its line breaks and tabs; all other control characters are escaped.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped_where(text, |letter| is_hidden(letter) && !matches!(letter, '\n' | '\t'))
}

/// Returns the text as [`printable`] does, with the escapes of JSON, so that data in that format remain the same data.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_escaped = |letter: char| is_hidden(letter) && !matches!(letter, '\n' | '\t');
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_escaped(letter) {
            shown.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// Returns the text of one log entry: as [`printable`], with every line after the first one indented, so that no part of
/// it looks like another entry.
#[must_use]
pub fn entry(text: &str) -> Cow<'_, str> {
    let text = printable(text);
    let is_plain = text.split('\n').skip(1).all(|line| line.is_empty() || line.starts_with(' '));
    if is_plain {
        return text;
    }
    let mut lines = text.split('\n');
    let mut entry = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        entry.push('\n');
        if !line.is_empty() && !line.starts_with(' ') {
            entry.push_str("  ");
        }
        entry.push_str(line);
    }
    Cow::Owned(entry)
}

/// Returns the text shortened to so many characters; the last one shows that something is missing.
#[must_use]
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    // Most texts are short, and a character has at least one byte.
    if text.len() <= most || text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().take(most.saturating_sub(1)).chain(['…']).collect())
}

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// Returns a cell as wide as its column. The formatting of std panics for widths above 65,535.
#[must_use]
pub fn padded(cell: &str, side: Side, width: usize) -> String {
    let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
    match side {
        Side::Left => [cell, &gap].concat(),
        Side::Right => [&gap, cell].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        let every: String = (0..=0x2100).filter_map(char::from_u32).collect();
        assert!(!one_line(&every).contains(is_hidden));
        assert!(
            !printable(&every).contains(|letter: char| is_hidden(letter) && letter != '\n' && letter != '\t')
        );
        assert_eq!(one_line("a\nb\x1b[2J\u{9b}\u{202e}"), "a\\nb\\u{1b}[2J\\u{9b}\\u{202e}");
        assert_eq!(printable("a\n\tb\x1b[2J"), "a\n\tb\\u{1b}[2J");
        assert!(matches!(one_line("häuser"), Cow::Borrowed("häuser")));
    }

    #[test]
    fn data_with_visible_control_characters_are_the_same_data() {
        let every: String = (0..=0x2100).filter_map(char::from_u32).collect();
        let json = serde_json::to_string_pretty(&[&every]).expect("JSON");
        let shown = visible(&json);
        assert!(!shown.contains(|letter: char| is_hidden(letter) && letter != '\n'));
        assert_eq!(serde_json::from_str::<[String; 1]>(&shown).expect("JSON"), [every]);
        assert_eq!(visible("a\n\tb\x1b[2J\r\u{9b}"), "a\n\tb\\u001b[2J\\u000d\\u009b");
        assert!(matches!(visible("häuser\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn secrets_are_not_shown() {
        let shown = |connection: &'static str| without_secrets(connection).into_owned();
        assert_eq!(shown("0.0.0.0:1;token=s3cret;backlog=2"), "0.0.0.0:1;token=…;backlog=2");
        assert_eq!(shown("0.0.0.0:1; token = s3cret "), "0.0.0.0:1; token =…");
        assert_eq!(shown("*=foxglove:token=s3cret"), "*=foxglove:token=…");
        assert_eq!(shown("token=a;b&c;;d;backlog=2;password=x"), "token=…;backlog=2;password=…");
        assert_eq!(shown("ws://host:1/?token=s3cret&x=1"), "ws://host:1/?token=…&x=1");
        assert_eq!(shown("token=a;token=b"), "token=…;token=…");
        assert_eq!(shown("token="), "token=…");
        assert!(matches!(without_secrets("out.jsonl"), Cow::Borrowed("out.jsonl")));
    }

    #[test]
    fn a_line_break_cannot_forge_an_entry() {
        assert_eq!(entry("box\nerror[BH-SIM-900]: all is lost\n"), "box\n  error[BH-SIM-900]: all is lost\n");
        assert!(matches!(entry("a.so: no ELF\n  try: another"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_cell_of_any_length_is_padded() {
        let long = "x".repeat(66_000);
        assert_eq!(padded(&long, Side::Left, 66_001).len(), 66_001);
        assert_eq!((padded("é", Side::Left, 3), padded("é", Side::Right, 3)), ("é  ".into(), "  é".into()));
        assert_eq!(padded("long", Side::Left, 2), "long");
        assert_eq!((shortened("abcdef", 4), shortened("äbcd", 4)), ("abc…".into(), "äbcd".into()));
    }
}

//! Rust source as words, signs and strings, for the rules of this folder.
//!
//! Comments and character literals are dropped. This is not a parser: a rule looks for short sequences of tokens.

use std::ops::Range;

/// A token of Rust source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// An identifier, a keyword or a number; `r#` of a raw identifier is dropped.
    Word(&'a str),
    /// `::`.
    Path,
    /// Any other character that is not white space.
    Sign(char),
    /// The contents of a string literal, with escapes as they are written.
    Text(&'a str),
}

/// A token and its line, counted from 1.
pub(super) type Placed<'a> = (Token<'a>, usize);

/// The tokens of a source.
pub(super) fn tokens(source: &str) -> Vec<Placed<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let (token, length) = next(rest, first);
        found.extend(token.map(|token| (token, line)));
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// The token at the beginning of a text, if it is one, and its length in bytes.
fn next(rest: &str, first: char) -> (Option<Token<'_>>, usize) {
    if rest.starts_with("//") {
        return (None, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (None, comment(rest));
    }
    if let Some((text, length)) = string(rest) {
        return (Some(Token::Text(text)), length);
    }
    if first == '\'' {
        return (None, quote(rest));
    }
    if is_of_word(first) {
        let skipped = if rest.starts_with("r#") { 2 } else { 0 };
        let length = rest[skipped..].find(|letter| !is_of_word(letter)).unwrap_or(rest.len() - skipped);
        return (Some(Token::Word(&rest[skipped..][..length])), skipped + length);
    }
    if rest.starts_with("::") {
        return (Some(Token::Path), 2);
    }
    ((!first.is_whitespace()).then_some(Token::Sign(first)), first.len_utf8())
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of a block comment; such comments nest.
fn comment(rest: &str) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        let step = if here.starts_with(b"/*") {
            depth += 1;
            2
        } else if here.starts_with(b"*/") {
            depth -= 1;
            2
        } else {
            1
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// The contents and the length of a string literal of any kind.
fn string(rest: &str) -> Option<(&str, usize)> {
    let prefix = rest.find(|letter| !matches!(letter, 'r' | 'b' | 'c'))?;
    let after = &rest[prefix..];
    if rest[..prefix].contains('r') {
        let hashes = after.find(|letter| letter != '#')?;
        let text = after[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", &after[..hashes]);
        let length = text.find(&close).unwrap_or(text.len());
        return Some((&text[..length], rest.len() - text.len() + length + close.len()));
    }
    let text = after.strip_prefix('"')?;
    let mut is_escaped = false;
    let length = text.find(|letter| {
        let ends = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    });
    let length = length.unwrap_or(text.len());
    Some((&text[..length], rest.len() - text.len() + length + 1))
}

/// The length of a character literal, or of the quote of a lifetime.
fn quote(rest: &str) -> usize {
    let mut letters = rest.chars().skip(1);
    match (letters.next(), letters.next()) {
        // The letter after the backslash may be a quote.
        (Some('\\'), _) => rest.get(3..).and_then(|rest| rest.find('\'')).map_or(rest.len(), |at| at + 4),
        (Some(letter), Some('\'')) => 2 + letter.len_utf8(),
        _ => 1,
    }
}

/// A module that is compiled only for tests.
pub(super) struct TestModule<'a> {
    pub(super) name: &'a str,
    /// The tokens of `#[cfg(test)] mod name { … }`; empty for `#[cfg(test)] mod name;`, whose content is in a file.
    pub(super) tokens: Range<usize>,
}

/// The modules that are compiled only for tests, without those inside of others.
pub(super) fn test_modules<'a>(tokens: &[Placed<'a>]) -> Vec<TestModule<'a>> {
    const MARK: [Token<'_>; 7] = [
        Token::Sign('#'),
        Token::Sign('['),
        Token::Word("cfg"),
        Token::Sign('('),
        Token::Word("test"),
        Token::Sign(')'),
        Token::Sign(']'),
    ];
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_marked = tokens[at..].iter().map(|(token, _)| token).take(MARK.len()).eq(&MARK);
        let begin = after_visibility(tokens, at + MARK.len());
        at = match tokens.get(begin..).unwrap_or_default() {
            [(Token::Word("mod"), _), (Token::Word(name), _), (Token::Sign(sign @ ('{' | ';')), _), ..]
                if is_marked =>
            {
                let open = begin + 2;
                let end = if *sign == '{' { end_of_block(tokens, open) } else { at };
                found.push(TestModule { name, tokens: at..end });
                end.max(open)
            }
            _ => at + 1,
        };
    }
    found
}

/// The index after `pub` or `pub(…)`, if that stands here.
fn after_visibility(tokens: &[Placed<'_>], at: usize) -> usize {
    let token = |at: usize| tokens.get(at).map(|(token, _)| *token);
    match (token(at), token(at + 1)) {
        (Some(Token::Word("pub")), Some(Token::Sign('('))) => {
            let inside = tokens[at..].iter().take_while(|(token, _)| *token != Token::Sign(')'));
            at + inside.count() + 1
        }
        (Some(Token::Word("pub")), _) => at + 1,
        _ => at,
    }
}

/// Leaves out modules that are compiled only for tests: `#[cfg(test)] mod name { … }`.
pub(super) fn without_tests<'a>(tokens: &[Placed<'a>]) -> Vec<Placed<'a>> {
    let mut kept = Vec::new();
    let mut at = 0;
    for module in test_modules(tokens) {
        kept.extend_from_slice(&tokens[at..module.tokens.start]);
        at = module.tokens.end;
    }
    kept.extend_from_slice(&tokens[at..]);
    kept
}

/// The index after the block that begins at `open`.
pub(super) fn end_of_block(tokens: &[Placed<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (at, (token, _)) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

#[test]
fn strings_comments_and_characters_hide_text_that_resembles_code() {
    let source = r####"a /* b /* c */ d */ "e\"//" r#"f"g"# '"' '\'' b'\\' 'static r#type::h // i
"j
k" l"####;
    use Token::{Path, Text, Word};
    let expected = [
        (Word("a"), 1),
        (Text("e\\\"//"), 1),
        (Text("f\"g"), 1),
        (Word("b"), 1),
        (Word("static"), 1),
        (Word("type"), 1),
        (Path, 1),
        (Word("h"), 1),
        (Text("j\nk"), 2),
        (Word("l"), 3),
    ];
    assert_eq!(tokens(source), expected);
}

#[test]
fn test_modules_are_left_out() {
    let source = "a #[cfg(test)] mod tests { b { c } } #[cfg(test)] mod tests; d \
                  #[cfg(test)] pub(in crate::a) mod tests { e } #[cfg(test)] pub mod tests { f }";
    let found = tokens(source);
    let words: Vec<&str> = without_tests(&found)
        .into_iter()
        .filter_map(|(token, _)| if let Token::Word(word) = token { Some(word) } else { None })
        .collect();
    assert_eq!(words, ["a", "cfg", "test", "mod", "tests", "d"]);
}

//! Translates POSIX extended regular expressions for the crate `regex`.
//!
//! Outside of brackets both notations have the same meaning, as far as POSIX defines it. Inside of brackets a backslash
//! is an ordinary character for POSIX, and pairs of `[`, `&`, `~` and `-` have no special meaning. Notation that POSIX
//! leaves undefined and Perl defines is refused, so that an expression means the same in every simulator.

use thiserror::Error;

/// Why an expression is not a POSIX extended regular expression. The crate `regex` would read these as Perl does.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum EreError {
    /// A backslash before a character that has no special meaning.
    #[error(
        "`\\{0}` is an escape of other dialects; a backslash may only stand before one of `{SPECIAL}`, and classes are \
         written like `[[:digit:]]`"
    )]
    Escape(char),
    /// A group with options, such as `(?:a)`.
    #[error("`(?` begins a group of other dialects; a group is written `(…)`")]
    GroupOptions,
    /// A repetition of a repetition, such as `.*?`, which is lazy in other dialects.
    #[error(
        "`{0}` repeats a repetition, which other dialects read differently; put the inner one into a group"
    )]
    Repetition(char),
}

/// The characters with a special meaning outside of brackets.
const SPECIAL: &str = r".[]\()*+?{}|^$/-";

/// Translates an expression.
///
/// # Errors
/// Returns an error if the expression contains notation of other dialects, to which POSIX gives no meaning.
pub(super) fn translated(expression: &str) -> Result<String, EreError> {
    let mut out = String::with_capacity(expression.len() + 8);
    let mut rest = expression;
    let mut is_after_repetition = false;
    while let Some(letter) = rest.chars().next() {
        let (taken, after) = rest.split_at(letter.len_utf8());
        rest = after;
        let repeats = matches!(letter, '*' | '+' | '?' | '{');
        if repeats && is_after_repetition {
            return Err(EreError::Repetition(letter));
        }
        is_after_repetition = repeats;
        match letter {
            '\\' => rest = escape(rest, &mut out)?,
            '[' => rest = bracket(rest, &mut out),
            '(' if rest.starts_with('?') => return Err(EreError::GroupOptions),
            '{' => rest = interval(rest, &mut out),
            _ => out.push_str(taken),
        }
    }
    Ok(out)
}

/// Copies an escape, whose text after the backslash is given. Returns the text behind it.
fn escape<'a>(rest: &'a str, out: &mut String) -> Result<&'a str, EreError> {
    out.push('\\');
    let Some(escaped) = rest.chars().next() else { return Ok(rest) };
    if !SPECIAL.contains(escaped) {
        return Err(EreError::Escape(escaped));
    }
    out.push(escaped);
    Ok(rest.split_at(escaped.len_utf8()).1)
}

/// Copies the interval of a repetition, such as `{2,3}`, whose text behind `{` is given. Returns the text behind it.
fn interval<'a>(rest: &'a str, out: &mut String) -> &'a str {
    out.push('{');
    let (inside, after) = rest.find('}').map_or((rest, ""), |end| rest.split_at(end + 1));
    out.push_str(inside);
    after
}

/// Translates the text behind `[`. Returns the text behind the matching `]`.
fn bracket<'a>(mut rest: &'a str, out: &mut String) -> &'a str {
    out.push('[');
    if let Some(after) = rest.strip_prefix('^') {
        out.push('^');
        rest = after;
    }
    let mut is_first = true;
    while let Some(letter) = rest.chars().next() {
        if let Some((class, after)) = class(rest) {
            out.push_str(class);
            rest = after;
            is_first = false;
            continue;
        }
        let (taken, after) = rest.split_at(letter.len_utf8());
        rest = after;
        match letter {
            ']' if !is_first => {
                out.push(']');
                return rest;
            }
            ']' | '[' | '\\' | '&' | '~' | '^' => {
                out.push('\\');
                out.push_str(taken);
            }
            _ => out.push_str(taken),
        }
        is_first = false;
    }
    rest
}

/// Splits a character class such as `[:alpha:]` off the beginning of a text.
fn class(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("[:")?;
    let end = inner.find(":]")?;
    inner.get(..end)?.chars().all(|letter| letter.is_ascii_alphabetic()).then(|| text.split_at(end + 4))
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    fn matches(expression: &str, text: &str) -> bool {
        let translated = translated(expression).expect("an expression");
        Regex::new(&translated).expect("an expression").is_match(text)
    }

    #[test]
    fn expressions_have_their_posix_meaning() {
        for (expression, text, expected) in [
            ("^box_", "box_a", true),
            ("ox_a", "box_a", true),
            ("^ox_a", "box_a", false),
            ("[[:digit:]]+$", "car12", true),
            ("^[]x]+$", "x]x", true),
            ("^[^]x]+$", "abc", true),
            (r"^[\d]+$", r"d\d", true),
            (r"^[\d]+$", "7", false),
            ("^[a&&b]+$", "a&b", true),
            ("^[a[]+$", "[a", true),
            (r"a\.b", "a.b", true),
            (r"a\.b", "axb", false),
            ("(car|truck)_[0-9]{2}", "truck_07", true),
        ] {
            assert_eq!(matches(expression, text), expected, "{expression} in {text}");
        }
    }

    #[test]
    fn notation_of_perl_is_refused() {
        for letter in (' '..='~').filter(|letter| !SPECIAL.contains(*letter)) {
            assert_eq!(translated(&format!("a\\{letter}")), Err(EreError::Escape(letter)));
        }
        for expression in ["(?:a)", "(?i)a", "a|(?P<n>b)"] {
            assert_eq!(translated(expression), Err(EreError::GroupOptions), "{expression}");
        }
        for (expression, second) in [(".*?", '?'), ("a++", '+'), ("a{2}?", '?'), ("a*{2}", '{')] {
            assert_eq!(translated(expression), Err(EreError::Repetition(second)), "{expression}");
        }
        assert!(matches("(a+)*b?c{1,2}$", "aacc"));
    }

    #[test]
    fn an_unclosed_group_or_bracket_is_refused() {
        for expression in ["[a-z", "(", "a{2", "[", "[[:digit:]"] {
            let compiled = Regex::new(&translated(expression).expect("no other dialect"));
            // `a{2` is a literal in some dialects and an error in others; nothing else may pass.
            assert!(compiled.is_err() || expression == "a{2", "{expression}");
        }
    }
}

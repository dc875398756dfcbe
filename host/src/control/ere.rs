//! Translates POSIX extended regular expressions for the crate `regex`.
//!
//! Outside of brackets both notations have the same meaning, as far as POSIX defines it. Inside of brackets a backslash
//! is an ordinary character for POSIX, and pairs of `[`, `&`, `~` and `-` have no special meaning.

/// Translates an expression.
pub(super) fn translated(expression: &str) -> String {
    let mut out = String::with_capacity(expression.len() + 8);
    let mut rest = expression;
    while let Some(letter) = rest.chars().next() {
        let (taken, after) = rest.split_at(letter.len_utf8());
        rest = after;
        match letter {
            '\\' => {
                out.push_str(taken);
                let next = rest.chars().next().map_or(0, char::len_utf8);
                let (escaped, after) = rest.split_at(next);
                out.push_str(escaped);
                rest = after;
            }
            '[' => rest = bracket(rest, &mut out),
            _ => out.push_str(taken),
        }
    }
    out
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
        Regex::new(&translated(expression)).expect("an expression").is_match(text)
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
    fn an_unclosed_group_or_bracket_is_refused() {
        for expression in ["[a-z", "(", "a{2", "[", "[[:digit:]"] {
            let compiled = Regex::new(&translated(expression));
            // `a{2` is a literal in some dialects and an error in others; nothing else may pass.
            assert!(compiled.is_err() || expression == "a{2", "{expression}");
        }
    }
}

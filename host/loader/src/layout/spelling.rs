//! The spelling of types in layout rows: one form for comparison, another for messages. Plain functions.
//!
//! Rows are written by `stringify!` on one side and by a header generator on the other, so paths, trailing commas and
//! parameter names do not matter.

/// Returns the form for comparison: without white space, paths, parameter names and trailing commas.
pub(super) fn normal(type_name: &str) -> String {
    let mut normal = String::with_capacity(type_name.len());
    let mut rest = type_name;
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) { word_length(rest) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        rest = after;
        if is_word(first)
            && let Some(after) = skip_separator(rest)
        {
            normal.push_str(if normal.ends_with('*') { pointer_kind(token) } else { "" });
            rest = after;
        } else if !(first.is_whitespace() || first == ',' && rest.trim_start().starts_with(')')) {
            normal.push_str(token);
        }
    }
    normal
}

/// Returns the form for messages: with the spaces that [`normal`] removed, and short function types.
pub(super) fn readable(normal: &str) -> String {
    normal
        .replace("unsafeextern\"C\"fn", "fn")
        .replace("*const", "*const ")
        .replace("*mut", "*mut ")
        .replace("->", " -> ")
        .replace(',', ", ")
        .replace(';', "; ")
}

/// Returns the rest after the separator of a path segment (`::`) or a parameter name (`:`).
fn skip_separator(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    rest.strip_prefix("::").or_else(|| rest.strip_prefix(':'))
}

/// Returns the `const` or `mut` of a pointer, which has lost the space before the path: `*constcrate::Str`.
fn pointer_kind(token: &str) -> &'static str {
    match token {
        _ if token.starts_with("const") => "const",
        _ if token.starts_with("mut") => "mut",
        _ => "",
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn word_length(text: &str) -> usize {
    text.find(|character| !is_word(character)).unwrap_or(text.len())
}

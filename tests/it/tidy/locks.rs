//! Locks that a reader can see: a guard that is kept has a name.
//!
//! `let list = &mut lock(&state).list` keeps the guard to the end of the block, though nothing is called a guard. A request
//! that was carried out in such a block took the lock again, and its thread waited for itself for ever.

use super::lexer::{Placed, Token, tokens, without_tests};
use super::{Source, assert_none, sources};

/// The lines on which a reference into a lock is bound to a name.
fn nameless(source: &str) -> Vec<usize> {
    let all = tokens(source);
    let product = without_tests(&all);
    (0..product.len()).filter(|&at| is_nameless(&product[at..])).map(|at| product[at].1).collect()
}

fn is_nameless(tokens: &[Placed<'_>]) -> bool {
    let words: Vec<Token<'_>> = tokens.iter().take(12).map(|(token, _)| *token).collect();
    let [Token::Sign('='), Token::Sign('&'), rest @ ..] = &words[..] else { return false };
    let rest = if let [Token::Word("mut"), rest @ ..] = rest { rest } else { rest };
    // `lock(…)` or a path such as `self.state.lock()`, before the call ends.
    let call =
        rest.iter().take_while(|token| matches!(token, Token::Word(_) | Token::Sign('.') | Token::Path));
    let path: Vec<_> = call.collect();
    matches!(path.last(), Some(Token::Word("lock" | "read" | "write")))
        && matches!(rest.get(path.len()), Some(Token::Sign('(')))
}

#[test]
fn every_guard_that_is_kept_has_a_name() {
    let product =
        sources().into_iter().filter(|source| !source.is_test() && !source.path.starts_with("tests/"));
    let found: Vec<String> = product
        .flat_map(|Source { path, text }| {
            nameless(&text).into_iter().map(move |line| format!("{path}:{line}")).collect::<Vec<_>>()
        })
        .collect();
    assert_none(&found, "bind the guard to a name, and drop it before anything else is called");
}

#[test]
fn guards_without_a_name_are_detected() {
    for source in [
        "let list = &mut lock(&self.state).list;",
        "let list = &lock(&state).list;",
        "let list = &mut self.state.lock().list;",
        "let map = &crate::lock::lock(&state).map;",
    ] {
        assert_eq!(nameless(source).len(), 1, "{source}");
    }
    for source in [
        "let mut state = lock(&self.state); let list = &mut state.list;",
        "lock(&self.state).list.push(1);",
        "let count = lock(&self.state).list.len();",
        "// let list = &lock(&state).list;",
        "let lock = &self.lock;",
    ] {
        assert_eq!(nameless(source), [0; 0], "{source}");
    }
}

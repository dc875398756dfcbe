//! Functions of Rust tests that wait for wall time.

use std::ops::Range;

use super::super::lexer::{Placed, Token, end_of_block};

/// Functions that call their argument until it returns true, and fail at a deadline.
const POLLING: &[&str] = &["eventually", "wait_until"];

/// A function with its body, as indices of tokens.
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    body: Range<usize>,
}

/// The functions among the tokens that wait for wall time, with their lines.
pub(super) fn waiting<'a>(tokens: &[Placed<'a>]) -> Vec<(Function<'a>, Range<usize>)> {
    let source = Tokens(tokens);
    let polls = source.polls();
    let waits = (0..tokens.len())
        .filter(|&at| source.is_wait(at) && !polls.iter().any(|poll| poll.contains(&at)))
        .collect::<Vec<_>>();
    let functions = source.functions();
    // The innermost function is the last one that begins before.
    let owner = |wait: &usize| functions.iter().rposition(|function| function.body.contains(wait));
    let owners: Vec<usize> = waits.iter().filter_map(owner).collect();
    let found = functions.into_iter().enumerate().filter(|(number, _)| owners.contains(number));
    found
        .map(|(_, function)| (source.lines(&function.body), function))
        .map(|(lines, one)| (one, lines))
        .collect()
}

struct Tokens<'t, 'a>(&'t [Placed<'a>]);

impl<'a> Tokens<'_, 'a> {
    fn word(&self, at: usize) -> Option<&'a str> {
        if let Some((Token::Word(word), _)) = self.0.get(at) { Some(word) } else { None }
    }

    fn sign(&self, at: usize) -> Option<char> {
        if let Some((Token::Sign(sign), _)) = self.0.get(at) { Some(*sign) } else { None }
    }

    /// The sign that stands `back` tokens before `at`.
    fn sign_before(&self, at: usize, back: usize) -> Option<char> {
        self.sign(at.checked_sub(back)?)
    }

    /// The lines of a range of tokens, including the last one.
    fn lines(&self, range: &Range<usize>) -> Range<usize> {
        let line = |at: usize| self.0.get(at).or(self.0.last()).map_or(0, |(_, line)| *line);
        line(range.start)..line(range.end - 1) + 1
    }

    /// Whether the token is a call that waits for wall time, or a comparison of wall times.
    fn is_wait(&self, at: usize) -> bool {
        let is_declared = at > 0 && self.word(at - 1) == Some("fn");
        if is_declared || self.sign(at + 1) != Some('(') {
            return false;
        }
        match self.word(at) {
            Some("sleep" | "sleep_until" | "park_timeout") => true,
            Some("recv_timeout") => !self.is_for_event(at),
            Some("prompt") => self.sign_before(at, 1) != Some('.'),
            _ => self.is_comparison(at),
        }
    }

    /// Whether the token reads a wall clock to find out how much time has passed: `x.elapsed()`, `clock::now() < end`,
    /// `clock::now() - begin`, `clock::now().duration_since(begin)`; not `clock::now() + PATIENCE`, and not the `now` of
    /// something else, such as `timeline.now()`.
    fn is_comparison(&self, at: usize) -> bool {
        let is_method = self.sign_before(at, 1) == Some('.');
        match (self.word(at), self.sign(at + 1), self.sign(at + 2)) {
            (Some("elapsed"), Some('('), _) => is_method,
            (Some("now"), Some('('), Some(')')) if !is_method => match self.sign(at + 3) {
                Some('<' | '>' | '-') => true,
                Some('.') => self.word(at + 4).is_some_and(|word| word.ends_with("duration_since")),
                _ => self.follows_comparison(at),
            },
            _ => false,
        }
    }

    /// Whether the path that ends with this token is the right side of `<`, `<=`, `>` or `>=`.
    fn follows_comparison(&self, at: usize) -> bool {
        let is_of_path = |at: &usize| matches!(self.0[*at].0, Token::Word(_) | Token::Path);
        let begin = (0..at).rev().take_while(is_of_path).last().unwrap_or(at);
        match (self.sign_before(begin, 2), self.sign_before(begin, 1)) {
            // An arrow.
            (Some('=' | '-'), Some('>')) => false,
            (_, Some('<' | '>')) | (Some('<' | '>'), Some('=')) => true,
            _ => false,
        }
    }

    /// Whether a test fails unless something is received: `recv_timeout(…).expect(…)`, or compared with `Ok(…)` or
    /// `Err(RecvTimeoutError::Disconnected)`, or an arm of `match` is for the timeout.
    fn is_for_event(&self, at: usize) -> bool {
        let end = end_of_group(self.0, at + 1);
        match self.sign(end) {
            Some('.') => matches!(self.word(end + 1), Some("expect" | "unwrap")),
            Some(',') if self.word(end + 1) == Some("Err") => {
                (end..end_of_group(self.0, end + 2)).any(|at| self.word(at) == Some("Disconnected"))
            }
            Some(',') => self.word(end + 1) == Some("Ok"),
            Some('{') => true,
            _ => false,
        }
    }

    fn functions(&self) -> Vec<Function<'a>> {
        let begins = (0..self.0.len()).filter(|&at| self.word(at) == Some("fn"));
        let function = |at| {
            let (name, open) = (self.word(at + 1)?, self.block_after(at + 2)?);
            Some(Function { name, body: at..end_of_block(self.0, open) })
        };
        begins.filter_map(function).collect()
    }

    /// The index of the `{` of the block before which this stands, which may contain groups; `None` if `;` comes first.
    fn block_after(&self, mut at: usize) -> Option<usize> {
        loop {
            match self.sign(at) {
                Some('{') => return Some(at),
                Some(';') => return None,
                Some('(' | '[') => at = end_of_group(self.0, at),
                _ if at >= self.0.len() => return None,
                _ => at += 1,
            }
        }
    }

    /// Waits for an event with a deadline: the arguments of polling functions, and loops that assert that the deadline
    /// has not passed.
    fn polls(&self) -> Vec<Range<usize>> {
        let loops: Vec<Range<usize>> = (0..self.0.len()).filter_map(|at| self.loop_at(at)).collect();
        let loop_around = |at: usize| loops.iter().rfind(|range| range.contains(&at)).cloned();
        let asserted = (0..self.0.len()).filter(|&at| self.asserts_time(at)).filter_map(loop_around);
        let is_polling = |at: &usize| self.word(*at).is_some_and(|word| POLLING.contains(&word));
        let called = (0..self.0.len()).filter(|at| is_polling(at) && self.sign(at + 1) == Some('('));
        let arguments = called.map(|at| at..end_of_group(self.0, at + 1));
        asserted.filter(|range| !self.begins_measurement(range)).chain(arguments).collect()
    }

    /// The `while` or `loop` that begins here, to its end.
    fn loop_at(&self, at: usize) -> Option<Range<usize>> {
        let open = match self.word(at) {
            Some("loop") => at + 1,
            Some("while") => self.block_after(at + 1)?,
            _ => return None,
        };
        (self.sign(open) == Some('{')).then(|| at..end_of_block(self.0, open))
    }

    /// Whether this is an `assert!` that compares wall times.
    fn asserts_time(&self, at: usize) -> bool {
        self.word(at) == Some("assert")
            && (self.sign(at + 1), self.sign(at + 2)) == (Some('!'), Some('('))
            && (at..end_of_group(self.0, at + 2)).any(|at| self.is_comparison(at))
    }

    /// Whether a loop reads the clock in each turn, as in `let begin = clock::now();`: it asserts how long a turn takes.
    fn begins_measurement(&self, range: &Range<usize>) -> bool {
        range.clone().any(|at| {
            self.word(at) == Some("now")
                && [1, 2, 3].map(|next| self.sign(at + next)) == [Some('('), Some(')'), Some(';')]
        })
    }
}

/// The index after the group in parentheses, brackets or braces that begins at `open`.
fn end_of_group(tokens: &[Placed<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, (token, _)) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

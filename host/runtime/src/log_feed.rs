//! The newest lines of the log, for clients that show it. Any thread.
//!
//! A reader remembers how far it has read and comes back later, so a slow one costs nothing: it only misses lines, which
//! are counted. A thread that logs never waits for a reader longer than for the copy of a list.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use log::Level;

use crate::text::shortened;
use crate::thread::lock;

/// Most lines that are kept.
const MAX_LINES: usize = 1000;
/// Most bytes of text that are kept.
const MAX_BYTES: usize = 1 << 20;
/// Longest line in characters; longer ones are shortened.
const LONGEST: usize = 4 << 10;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Its level.
    pub level: Level,
    /// Its text; that of a plugin begins with the label of the instance.
    pub message: String,
    /// Simulated time at which it was logged, in nanoseconds.
    pub time_ns: i64,
}

/// The newest lines of a run.
#[derive(Debug, Default)]
pub struct LogFeed {
    lines: Mutex<Lines>,
}

#[derive(Debug, Default)]
struct Lines {
    kept: VecDeque<Arc<LogLine>>,
    bytes: usize,
    /// Number of lines that are no longer kept.
    gone: u64,
}

/// What a reader has not read yet.
#[derive(Debug, Default)]
pub struct NewLines {
    /// The lines, the oldest first.
    pub lines: Vec<Arc<LogLine>>,
    /// Number of lines before them that are no longer kept.
    pub lost: u64,
    /// Number of all lines so far, from which the reader continues.
    pub end: u64,
}

impl LogFeed {
    /// Adds a line, and drops the oldest ones beyond the limits.
    pub fn push(&self, level: Level, message: &str, time_ns: i64) {
        let message = shortened(message, LONGEST).into_owned();
        let dropped = lock(&self.lines).push(Arc::new(LogLine { level, message, time_ns }));
        // Freed without the lock.
        drop(dropped);
    }

    /// Returns the lines after the first `known` ones.
    #[must_use]
    pub fn after(&self, known: u64) -> NewLines {
        let mut lines = Vec::with_capacity(MAX_LINES);
        let inner = lock(&self.lines);
        let skipped = usize::try_from(known.saturating_sub(inner.gone)).unwrap_or(usize::MAX);
        lines.extend(inner.kept.iter().skip(skipped).cloned());
        let end = inner.gone + inner.kept.len() as u64;
        NewLines { lines, lost: inner.gone.saturating_sub(known), end }
    }
}

impl Lines {
    /// Returns the lines that are no longer kept.
    fn push(&mut self, line: Arc<LogLine>) -> Option<Vec<Arc<LogLine>>> {
        self.bytes += line.message.len();
        self.kept.push_back(line);
        let mut dropped = None;
        while self.kept.len() > MAX_LINES || self.bytes > MAX_BYTES {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.bytes -= oldest.message.len();
            self.gone += 1;
            dropped.get_or_insert_with(Vec::new).push(oldest);
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(new: &NewLines) -> Vec<&str> {
        new.lines.iter().map(|line| line.message.as_str()).collect()
    }

    #[test]
    fn a_reader_gets_each_line_once() {
        let feed = LogFeed::default();
        feed.push(Level::Info, "one", 0);
        feed.push(Level::Warn, "two", 5);
        let first = feed.after(0);
        assert_eq!((texts(&first), first.lost, first.end), (vec!["one", "two"], 0, 2));
        let second = &first.lines[1];
        assert_eq!((second.level, second.time_ns), (Level::Warn, 5));
        assert!(feed.after(first.end).lines.is_empty());
        feed.push(Level::Info, "three", 6);
        assert_eq!(texts(&feed.after(first.end)), ["three"]);
    }

    #[test]
    fn a_late_reader_gets_the_newest_lines_and_the_number_of_the_others() {
        let feed = LogFeed::default();
        (0..MAX_LINES + 7).for_each(|number| feed.push(Level::Info, &number.to_string(), 0));
        let new = feed.after(3);
        assert_eq!((new.lines.len(), new.lost), (MAX_LINES, 4));
        assert_eq!(texts(&new)[0], "7");
        assert_eq!(new.end, MAX_LINES as u64 + 7);
    }

    #[test]
    fn long_lines_are_bounded_alone_and_together() {
        let feed = LogFeed::default();
        let long = "x".repeat(10 * LONGEST);
        (0..500).for_each(|_| feed.push(Level::Info, &long, 0));
        let new = feed.after(0);
        assert_eq!(new.lines[0].message.chars().count(), LONGEST);
        let bytes: usize = new.lines.iter().map(|line| line.message.len()).sum();
        assert!(bytes <= MAX_BYTES && bytes > MAX_BYTES / 2, "{bytes}");
        assert_eq!(new.lost + new.lines.len() as u64, 500);
    }
}

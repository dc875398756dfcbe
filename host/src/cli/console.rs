//! Standard error and standard output, shared by the logger, the status line and the reports.
//!
//! The status line is the last line of a terminal and is written again below whatever else is printed. A stream that
//! was closed is not an error: a simulation does not end because nobody reads along. Any thread.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Width assumed of a terminal that does not tell.
const DEFAULT_WIDTH: usize = 80;

/// One of the two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output: what was asked for.
    Out,
    /// Standard error: everything else.
    Error,
}

/// Both streams of the process.
pub(super) struct Console {
    is_terminal: bool,
    has_colours: bool,
    out_has_colours: bool,
    /// The status line on the screen; empty without one.
    live: Mutex<String>,
}

static CONSOLE: OnceLock<Console> = OnceLock::new();

impl Console {
    /// The console of this process.
    pub(super) fn get() -> &'static Self {
        CONSOLE.get_or_init(|| {
            let wanted = colours_are_wanted();
            let is_terminal = io::stderr().is_terminal();
            Console {
                is_terminal,
                has_colours: is_terminal && wanted,
                out_has_colours: io::stdout().is_terminal() && wanted,
                live: Mutex::default(),
            }
        })
    }

    /// Whether somebody watches standard error.
    pub(super) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Whether standard error takes colours.
    pub(super) fn has_colours(&self) -> bool {
        self.has_colours
    }

    /// Writes a text that ends with its own line break.
    pub(super) fn write(&self, stream: Stream, text: &str) {
        let live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        match stream {
            Stream::Out => send(io::stdout().lock(), text),
            Stream::Error if live.is_empty() => send(io::stderr().lock(), text),
            Stream::Error => send(io::stderr().lock(), &format!("\r\x1b[K{text}{live}")),
        }
    }

    /// Writes lines to standard error.
    pub(super) fn line(&self, text: &str) {
        self.write(Stream::Error, &format!("{text}\n"));
    }

    /// Puts `text` in place of the status line; empty takes the line away. Only in a terminal.
    pub(super) fn set_live(&self, text: &str) {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if *live != text {
            *live = shortened(text, terminal_width());
            send(io::stderr().lock(), &format!("\r\x1b[K{live}"));
        }
    }

    /// What clap has to say, with colours where the stream takes them.
    pub(super) fn rendered(&self, stream: Stream, error: &clap::Error) -> String {
        let text = error.render();
        let coloured = match stream {
            Stream::Out => self.out_has_colours,
            Stream::Error => self.has_colours,
        };
        if coloured { text.ansi().to_string() } else { text.to_string() }
    }
}

fn send(mut stream: impl Write, text: &str) {
    // A closed stream has no readers who could miss anything.
    drop(stream.write_all(text.as_bytes()).and_then(|()| stream.flush()));
}

/// The convention of <https://no-color.org>, and terminals that know no escapes.
fn colours_are_wanted() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn terminal_width() -> usize {
    terminal_size::terminal_size_of(io::stderr()).map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}

/// A line that does not wrap: one that does cannot be taken away again.
fn shortened(text: &str, width: usize) -> String {
    let room = width.saturating_sub(1);
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(room.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shortened_to_less_than_the_width() {
        assert_eq!(shortened("short", 80), "short");
        assert_eq!(shortened("abcdef", 6), "abcd…");
        assert_eq!(shortened("abc", 0), "…");
    }
}

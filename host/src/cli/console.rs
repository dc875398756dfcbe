//! Standard error and standard output, shared by the logger, the status line and the reports.
//!
//! The status line is the last line of a terminal and is written again below whatever else is printed. A standard
//! error that was closed is none: a simulation does not end because nobody reads along. Any thread.

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

    /// Writes what was asked for to standard output.
    ///
    /// # Errors
    /// The text cannot be written, other than for a reader who has read enough.
    pub(super) fn print(&self, text: &str) -> io::Result<()> {
        match send(io::stdout().lock(), text) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    /// Writes to standard error a text that ends with its own line break.
    pub(super) fn tell(&self, text: &str) {
        let live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        let redrawn;
        let text = if live.is_empty() {
            text
        } else {
            redrawn = format!("\r\x1b[K{text}{live}");
            &redrawn
        };
        // A closed stream has no readers who could miss anything.
        drop(send(io::stderr().lock(), text));
    }

    /// Writes lines to standard error.
    pub(super) fn line(&self, text: &str) {
        self.tell(&format!("{text}\n"));
    }

    /// Puts `text` in place of the status line; empty takes the line away. Only in a terminal.
    pub(super) fn set_live(&self, text: &str) {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if *live != text {
            *live = shortened(text, terminal_width());
            drop(send(io::stderr().lock(), &format!("\r\x1b[K{live}")));
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

fn send(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes()).and_then(|()| stream.flush())
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

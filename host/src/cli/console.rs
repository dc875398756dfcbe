//! Standard error and standard output, shared by the logger, the status line and the reports.
//!
//! The status line is the last line of a terminal and is rewritten below all other output. A closed standard error is
//! ignored, so that it does not end a simulation. Any thread.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::text::{one_line, printable};

/// Width of a terminal that does not report one.
const DEFAULT_WIDTH: usize = 80;

/// One of the two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output: the requested output.
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
    /// Returns the console of this process.
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

    /// Returns true if standard error is a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Returns true if standard error supports colours.
    pub(super) fn has_colours(&self) -> bool {
        self.has_colours
    }

    /// Writes the requested output to standard output.
    ///
    /// # Errors
    /// Returns an error if the text cannot be written, unless the reader closed the pipe.
    pub(super) fn print(&self, text: &str) -> io::Result<()> {
        match send(io::stdout().lock(), text) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    /// Writes a text that ends with a line break to standard error. Texts of others in it are escaped already.
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

    /// Writes lines to standard error, with control characters escaped.
    pub(super) fn line(&self, text: &str) {
        self.tell(&format!("{}\n", printable(text)));
    }

    /// Replaces the status line; an empty text removes it. Only in a terminal.
    pub(super) fn set_live(&self, text: &str) {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if *live != text {
            *live = shortened(&one_line(text), terminal_width());
            drop(send(io::stderr().lock(), &format!("\r\x1b[K{live}")));
        }
    }

    /// Writes a text of clap, with colours if the stream supports them.
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

/// Follows <https://no-color.org>, and excludes terminals without escape sequences.
fn colours_are_wanted() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn terminal_width() -> usize {
    terminal_size::terminal_size_of(io::stderr()).map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}

/// Shortens a line so that it does not wrap: a wrapped line could not be removed again.
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

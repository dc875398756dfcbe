//! What goes wrong in a plugin, and what a plugin may ask for: the return values of its callbacks.

use std::convert::Infallible;
use std::fmt;
use std::net::AddrParseError;

use bridgehead_abi::{Status, status};

/// Result of everything in this crate that can fail.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// A failure: a status code of the ABI and a text for the person who reads the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    text: String,
}

impl Error {
    /// A failure after which the callee cannot do what it was asked.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Error { status: status::FATAL, text: text.into() }
    }

    /// A failure with a status code of its own; codes that mean success become FATAL.
    #[must_use]
    pub fn with_status(status: Status, text: impl Into<String>) -> Self {
        let status = if status < 0 { status } else { status::FATAL };
        Error { status, text: text.into() }
    }

    /// A malformed argument, parameter or connection string.
    #[must_use]
    pub fn invalid(text: impl Into<String>) -> Self {
        Error::with_status(status::INVALID_ARG, text)
    }

    /// Something this plugin or host does not offer.
    #[must_use]
    pub fn unsupported(text: impl Into<String>) -> Self {
        Error::with_status(status::UNSUPPORTED, text)
    }

    /// The status code.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Prefixes the text with what was being done.
    #[must_use]
    pub fn context(mut self, what: impl fmt::Display) -> Self {
        self.text = format!("{what}: {}", self.text);
        self
    }

    /// Turns a status into a result, naming the call that returned it.
    pub(crate) fn check(status: Status, call: impl fmt::Display) -> Result {
        if status >= 0 {
            return Ok(());
        }
        Err(Error::with_status(status, format!("{call} returned {}", status::name(status))))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Error::with_status(status::IO, error.to_string())
    }
}

/// For texts of which each is right.
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<AddrParseError> for Error {
    fn from(error: AddrParseError) -> Self {
        Error::invalid(error.to_string())
    }
}

impl From<String> for Error {
    fn from(text: String) -> Self {
        Error::new(text)
    }
}

impl From<&str> for Error {
    fn from(text: &str) -> Self {
        Error::new(text)
    }
}

/// What a model plugin asks the run to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// End the run without a verdict.
    Stop,
    /// End the run as a success.
    Succeed,
    /// End the run as a failure.
    Fail,
    /// Reset the simulation.
    Reset,
    /// End the run at once.
    Abort,
}

impl Request {
    /// The status code that carries this request.
    #[must_use]
    pub fn status(self) -> Status {
        match self {
            Request::Stop => status::REQUEST_STOP,
            Request::Succeed => status::REQUEST_SUCCEED,
            Request::Fail => status::REQUEST_FAIL,
            Request::Reset => status::REQUEST_RESET,
            Request::Abort => status::REQUEST_ABORT,
        }
    }
}

/// How the run goes on after a model plugin's callback.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// As before.
    #[default]
    Continue,
    /// The plugin asks for something, with the reason that reports show.
    Ask(Request, String),
}

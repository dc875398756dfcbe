//! How a call of the plugin under test ended.

use std::fmt;

use bridgehead_abi::{Status, status};

use crate::error::{Error, Request};

/// How a call ended, as the host reads it from the status code and the reason.
#[must_use = "a failed call does not fail the test by itself: use `expect_done`, or compare"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done.
    Done,
    /// Goes on in the background.
    Pending,
    /// The plugin asks the run for something.
    Asked(Request, String),
    /// The call failed.
    Failed(Error),
    /// The plugin panicked, now (the text names the call) or before (no text).
    Panicked(String),
}

impl Outcome {
    pub(super) fn from_status(call: &str, code: Status, reason: String) -> Self {
        match (code, request(code)) {
            (status::PENDING, _) => Outcome::Pending,
            (status::PANIC, _) => Outcome::Panicked(reason),
            (_, Some(request)) => Outcome::Asked(request, reason),
            (0.., None) => Outcome::Done,
            (_, None) if reason.is_empty() => {
                Outcome::Failed(Error::with_status(code, format!("`{call}` gave no reason")))
            }
            (_, None) => Outcome::Failed(Error::with_status(code, reason)),
        }
    }

    /// Whether the call succeeded and asked for nothing.
    #[must_use]
    pub fn is_done(&self) -> bool {
        *self == Outcome::Done
    }

    /// The reason the plugin gave; empty if there was none.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Outcome::Done | Outcome::Pending => "",
            Outcome::Asked(_, reason) | Outcome::Panicked(reason) => reason,
            Outcome::Failed(error) => error.text(),
        }
    }

    /// Fails the test unless the call is [`Outcome::Done`].
    ///
    /// # Panics
    /// With how the call ended instead.
    #[track_caller]
    pub fn expect_done(self) {
        assert!(self.is_done(), "expected the call to succeed, but it {self}");
    }

    /// The error of a call that had to fail.
    ///
    /// # Panics
    /// Panics if the call ended otherwise.
    #[must_use]
    #[track_caller]
    pub fn expect_failed(self) -> Error {
        match self {
            Outcome::Failed(error) => error,
            other => panic!("expected the call to fail, but it {other}"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Done => f.write_str("succeeded"),
            Outcome::Pending => f.write_str("goes on in the background"),
            Outcome::Asked(request, reason) => write!(f, "asked for {request:?}: {reason}"),
            Outcome::Failed(error) => write!(f, "failed with {}: {error}", status::name(error.status())),
            Outcome::Panicked(text) if text.is_empty() => f.write_str("was refused after an earlier panic"),
            Outcome::Panicked(text) => f.write_str(text),
        }
    }
}

/// The request that a status code carries.
pub(super) fn request(code: Status) -> Option<Request> {
    [Request::Stop, Request::Succeed, Request::Fail, Request::Reset, Request::Abort]
        .into_iter()
        .find(|request| request.status() == code)
}

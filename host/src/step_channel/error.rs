//! Why the socket is not opened, and why a request of a client is refused. Each has a code.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::sim::ReturnError;

/// Why the step channel cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Another host serves it.
    #[error("[BH-STP-001] the step channel `{}` is served by another run; try: another path", .0.display())]
    Taken(PathBuf),
    /// The path is a file of another kind.
    #[error("[BH-STP-002] the step channel `{}` is not created: a file that is no socket has this path", .0.display())]
    NoSocket(PathBuf),
    /// The operating system refused it.
    #[error(
        "[BH-STP-003] the step channel `{}` is not created: {source}; its folder must exist, and the path may have 107 \
         bytes",
        path.display()
    )]
    System {
        /// The path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// Why a request is refused.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error("[BH-STP-010] another client is connected to the step channel, which serves one at a time")]
    Taken,
    #[error(
        "[BH-STP-011] a client of the step channel begins with the bytes `BHSTEPS` and a zero, found others"
    )]
    NoClient,
    #[error("[BH-STP-012] the client has version {found} of the step channel, and this host version {own}")]
    Version { found: u32, own: u32 },
    #[error("[BH-STP-013] a frame of {length} bytes is too long; the limit is {limit}")]
    TooLong { length: u32, limit: usize },
    #[error("[BH-STP-014] there is no request of kind {kind}; kinds are 1 to 7")]
    UnknownKind { kind: u32 },
    #[error("[BH-STP-015] the body of a request of kind {kind} has {length} bytes; expected {expected}")]
    Malformed { kind: u32, length: usize, expected: &'static str },
    #[error("[BH-STP-020] line {line} of the declaration, `{text}`: {expected}")]
    Line { line: usize, text: String, expected: String },
    #[error("[BH-STP-021] there is no {what} `{asked}`{near}; there are {found}")]
    Unknown { what: &'static str, asked: String, near: String, found: String },
    #[error("[BH-STP-022] topic `{topic}` carries {carries}, of which this cannot be declared: {cause}")]
    Field { topic: String, carries: String, cause: String },
    #[error("[BH-STP-023] {values} values are declared, and {limit} are possible")]
    TooMany { values: usize, limit: usize },
    #[error("[BH-STP-024] nothing is declared yet; send a declaration first")]
    Undeclared,
    #[error("[BH-STP-025] no world is loaded; load one first")]
    NoWorld,
    #[error(
        "[BH-STP-030] the step has {found} values of commands; {declared} are declared, and none may be given"
    )]
    Count { found: usize, declared: usize },
    #[error("[BH-STP-031] the command for topic `{topic}` is not a message of {carries}: {cause}")]
    Command { topic: String, carries: String, cause: String },
    #[error("[BH-STP-032] {what} needs a paused simulation, and this one is {state}; try: {advice}")]
    NotPaused { what: &'static str, state: &'static str, advice: &'static str },
    #[error("[BH-STP-033] there is no snapshot `{asked}`{near}; there are {found}")]
    NoSnapshot { asked: String, near: String, found: String },
    #[error("[BH-STP-034] the snapshot is not kept: a client has at most {limit}; try: forget others")]
    TooManySnapshots { limit: String },
    #[error("[BH-STP-035] the snapshot cannot be made: {0}")]
    Snapshot(String),
    /// The lifecycle refuses the request.
    #[error(transparent)]
    Lifecycle(#[from] bridgehead_lifecycle::Refusal),
    /// The run does not return to the snapshot.
    #[error(transparent)]
    Return(#[from] ReturnError),
}

/// Longest list of names in an error.
const MAX_NAMED: usize = 20;

impl Refusal {
    /// Something that does not exist among `known`.
    pub(super) fn unknown(what: &'static str, asked: &str, known: &[&str]) -> Self {
        let (near, found) = near_and_found(asked, known);
        Refusal::Unknown { what, asked: asked.to_owned(), near, found }
    }

    /// A snapshot that does not exist among `known`.
    pub(super) fn no_snapshot(asked: &str, known: &[&str]) -> Self {
        let (near, found) = near_and_found(asked, known);
        Refusal::NoSnapshot { asked: asked.to_owned(), near, found }
    }
}

/// Returns the most similar name as a question, and a list of the names.
fn near_and_found(asked: &str, known: &[&str]) -> (String, String) {
    let near = crate::config::nearest(asked, known);
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let some: Vec<&str> = known.iter().copied().take(MAX_NAMED).collect();
    let more = if known.len() > MAX_NAMED { " and others" } else { "" };
    (near, if some.is_empty() { "none".to_owned() } else { format!("{}{more}", some.join(", ")) })
}

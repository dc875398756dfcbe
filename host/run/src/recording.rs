//! Recordings of runs, for `bridgehead view`: MCAP files as the logging bridge writes them.
//!
//! A file is read once from the front, without its index, so that the recording of a process that was killed can be
//! viewed too. [`Recording`] keeps where each message is, and reads its bytes when they are wanted, so that memory
//! depends on the number of messages, not on their size. [`Poses`] follows the poses of the scene through it.
//!
//! The time of a recording continues over resets, at which simulated time runs backwards. Usable from any thread.

mod error;
mod index;
mod poses;
mod records;
#[cfg(test)]
mod tests;
mod topic;

pub use error::RecordingError;
pub use index::{Contents, Recording};
pub use poses::Poses;
pub use topic::{Entry, Topic};

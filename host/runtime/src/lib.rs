//! What the host needs of the system, and of calls into plugins: time, threads, files, the terminal, guards and reports of
//! what goes wrong.
//!
//! Knows nothing of worlds, messages and the lifecycle's effects, so that it is compiled once while those change.
//!
//! | module | is |
//! |---|---|
//! | [`atomic_file`] | writes a file completely or not at all |
//! | [`call`] | records calls into plugins, and undoes what they change of the thread and the process |
//! | [`checksum`] | checksums that identify files and detect damaged ones |
//! | [`clock`] | the wall clock and the pacing of steps |
//! | [`crash`] | crash report: names the plugin that ended the process |
//! | [`descriptors`] | the limit of open files |
//! | [`duration`] | durations as text |
//! | [`file_stamp`] | tells whether a file has changed |
//! | [`guard`] | catches panics of the host in the functions that plugins call |
//! | [`ledger`] | what the process of a run leaves for its supervisor |
//! | [`log_feed`] | the newest lines of the log, for clients |
//! | [`memory`] | the arenas of the allocator |
//! | [`nearest`] | the name that was probably meant by a wrong one |
//! | [`statistics`] | counts, means and percentiles |
//! | [`supervisor`] | the process that watches a run from outside |
//! | [`terminal`] | single key presses, and the original terminal settings at the end |
//! | [`text`] | texts for terminals and logs: escaped, shortened, padded |
//! | [`thread`] | threads with a name and a join deadline, and the mutex lock helper |
//! | [`watchdog`] | reports plugin calls that are late or do not return |

pub mod atomic_file;
pub mod call;
pub mod checksum;
pub mod clock;
pub mod crash;
pub mod descriptors;
pub mod duration;
pub mod file_stamp;
pub mod guard;
pub mod ledger;
pub mod log_feed;
pub mod memory;
pub mod nearest;
pub mod statistics;
pub mod supervisor;
pub mod terminal;
pub mod text;
pub mod thread;
pub mod watchdog;

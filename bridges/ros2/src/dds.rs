//! DDS, as far as a bridge to ROS 2 needs it: a participant, writers and readers of bytes, and discovered endpoints.
//!
//! This module knows no message types: payloads are CDR bodies, types are names. It is the only one that names
//! `rustdds`.
//!
//! - [`Participant`] creates [`Writer`]s and [`Reader`]s and owns one thread, `ros2-receive`. That thread calls the
//!   readers' handlers, processes discovery events and publishes the list of nodes. A slow handler delays all others,
//!   so handlers must pass work on.
//! - [`ParticipantPool`] is the participants of one node: it opens further ones as endpoints come and go, and renews those
//!   that many remote endpoints have left. So a [`Writer`] or [`Reader`] is a pair of endpoints ([`pair`]) that can move
//!   ([`movable`]), and [`duplicates`] hands each sample over once meanwhile.
//! - [`Sample`] is what a reader receives, [`WriteOptions`] are the options of one write.
//! - [`guard`] checks every datagram before `rustdds` reads it; `silent_pair` saves the file descriptors that `rustdds`
//!   opens for each endpoint; `pace` makes pauses while large samples are sent; `suspension` keeps its threads alive.
//! - [`Peer`] describes a remote endpoint: its vendor and the user data it announced.

mod encoding;
mod guid;
mod options;
mod pair;
mod qos;

mod pace;
mod silent_pair;
mod suspension;

mod datagram;
mod delivery;
mod duplicates;
mod first_heartbeat;
pub(crate) mod guard;
mod logged;
mod lost;
mod movable;
mod raw;
mod resend_request;
mod signal;
mod sole;

mod graph;
mod node;
mod participant_state;
mod peers;
mod raw_participant;
mod receive;

mod entry;
mod participant;
mod reader;
mod writer;

mod pool;

#[cfg(test)]
pub(crate) mod tests;

pub use delivery::Sample;
pub use encoding::Encoding;
pub use guid::{Guid, SampleId, Vendor};
pub use options::{GidSize, Network, Node, ParticipantOptions};
pub use participant::Participant;
pub use peers::Peer;
pub use pool::ParticipantPool;
pub use qos::{Durability, History, Qos, Reliability};
pub use reader::Reader;
pub use writer::{WriteOptions, Writer};

//! DDS, as far as a bridge to ROS 2 needs it: a participant, writers and readers of bytes, and discovered endpoints.
//!
//! This module knows no message types: payloads are CDR bodies, types are names. It is the only one that names
//! `rustdds`.
//!
//! - [`Participant`] owns one thread, `ros2-receive`. That thread calls the readers' handlers, processes discovery events
//!   and publishes the list of nodes. A slow handler delays all others, so handlers must pass work on.
//! - [`Writer`] and [`Reader`] are opened in a participant. Each is a pair of endpoints ([`pair`]) that can move
//!   ([`movable`]), and [`duplicates`] hands each sample over once meanwhile.
//! - [`ParticipantPool`] is the participants of one node: it opens further ones as endpoints come and go, and renews those
//!   that many remote endpoints have left.
//! - [`Sample`] is what a reader receives, [`WriteOptions`] are the options of one write.
//! - [`guard`] checks every datagram before `rustdds` reads it; `silent_pair` saves the file descriptors that `rustdds`
//!   opens for each endpoint; `pace` makes pauses while large samples are sent; `suspension` keeps its threads alive.
//! - [`Peer`] describes a remote endpoint: its vendor and the user data it announced.
//!
//! The modules are in layers, listed here from bottom to top. A file imports from the file that defines a name, from its own
//! layer or one below, without circles; nothing in this folder imports from this file.
//!
//! | layer | modules |
//! |---|---|
//! | 1. values | `encoding`, `guid`, `logged`, `options`, `pair`, `qos`, `signal` |
//! | 2. system calls of `rustdds` | `guard`, `pace`, `silent_pair`, `suspension` |
//! | 3. parts of endpoints | `datagram`, `delivery`, `duplicates`, `first_heartbeat`, `lost`, `movable`, `raw`, `resend_request`, `sole` |
//! | 4. a participant | `graph`, `node`, `participant`, `participant_state`, `peers`, `raw_participant`, `receive` |
//! | 5. its endpoints | `entry`, `reader`, `writer` |
//! | 6. the participants of a node | `pool` |

mod encoding;
mod guid;
mod logged;
mod options;
mod pair;
mod qos;
mod signal;

pub(crate) mod guard;
mod pace;
mod silent_pair;
mod suspension;

mod datagram;
mod delivery;
mod duplicates;
mod first_heartbeat;
mod lost;
mod movable;
mod raw;
mod resend_request;
mod sole;

mod graph;
mod node;
mod participant;
mod participant_state;
mod peers;
mod raw_participant;
mod receive;

mod entry;
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

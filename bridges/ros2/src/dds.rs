//! DDS, as far as a bridge to ROS 2 needs it: a participant, writers and readers of bytes, and who is at the other end.
//!
//! Nothing here knows a message type: payloads are CDR bodies, types are names. This is the only module that names
//! `rustdds`.
//!
//! - [`Participant`] makes [`Writer`]s and [`Reader`]s and owns one thread, `ros2-receive`. On it samples are handed to
//!   the readers' handlers, events of discovery are taken in, and the list of nodes is published. A handler that takes
//!   long keeps all others waiting: hand work over.
//! - [`Sample`] is what a reader gets, [`WriteOptions`] what a writer may be told about one write.
//! - [`Peer`] is what is known of an endpoint elsewhere: its vendor and the user data it announced.

mod datagram;
mod encoding;
mod first_heartbeat;
mod graph;
mod guid;
mod options;
mod participant;
mod peers;
mod qos;
mod raw;
mod reader;
mod receive;
mod resend_request;
#[cfg(test)]
pub(crate) mod tests;
mod writer;

pub use encoding::Encoding;
pub use graph::GidSize;
pub use guid::{Guid, SampleId, Vendor};
pub use options::{Network, Node, ParticipantOptions};
pub use participant::Participant;
pub use peers::Peer;
pub use qos::{Durability, History, Qos, Reliability};
pub use reader::{Reader, Sample};
pub use writer::{WriteOptions, Writer};

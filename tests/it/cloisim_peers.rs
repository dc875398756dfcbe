//! Tests with clients of CLOiSim that use third-party libraries: the Python packages of libzmq, protobuf and WebSocket.
//!
//! The scripts beside the tests are written from the protocol alone and share the `.proto` files with the bridge. A test
//! is skipped if the packages of `tests/requirements.txt` are missing.

mod codec;
mod peer;
mod place;
mod stalled;
mod yard;

pub(crate) use peer::{Peer as CloisimPeer, proto, python as peer_python};
pub(crate) use place::Place;

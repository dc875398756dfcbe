//! Clients of CLOiSim that other people's libraries are in: libzmq, protobuf and WebSocket as Python has them.
//!
//! The scripts beside the tests are written from the protocol alone and share the `.proto` files with the bridge. A test
//! is skipped where the packages of `tests/requirements.txt` are missing.

mod codec;
mod peer;
mod place;
mod stalled;
mod yard;

//! The types of Apollo that `build.rs` makes from `proto/`.

#![allow(missing_docs, clippy::all, reason = "generated")]

include!(concat!(env!("OUT_DIR"), "/apollo.rs"));

/// The descriptors of all of them.
pub(crate) const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/apollo.bin"));

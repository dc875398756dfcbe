//! How nodes of `rmw_zenoh` name and mark what they exchange. Plain values.
//!
//! - [`key`]: where samples and requests go.
//! - [`token`]: how an endpoint makes itself known; [`qos`] is a part of it, and [`gid`] identifies it.
//! - [`attachment`]: what each sample, request and reply carries beside its payload.
//! - [`payload`]: CDR with its encapsulation.

pub(crate) mod attachment;
pub(crate) mod gid;
pub(crate) mod key;
pub(crate) mod payload;
pub(crate) mod qos;
pub(crate) mod token;

//! Protects `rustdds` from datagrams that make it use memory or time out of proportion.
//!
//! `rustdds` trusts the numbers in a datagram: it makes a list of all samples that a HEARTBEAT announces, reserves the
//! size that a fragment announces, and keeps an entry for each address that it has ever received from. So the guard
//! reads every datagram first. What exceeds a limit is dropped or shortened; decision 24 gives the reasons.
//!
//! - [`socket`] replaces the system calls with which `rustdds` receives and binds, in this library only.
//! - [`filter`] decides about a datagram, with the bookkeeping of [`fragments`] and [`recent`].
//! - [`limits`] are the limits, [`wire`] reads and writes RTPS.
//! - [`matched`] records the readers of remote writers.
//! - [`guarded`] is what the guard knows of a participant of this process: its siblings, and the places that departed
//!   endpoints have left.

mod filter;
mod fragments;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzz;
mod guarded;
mod limits;
pub(super) mod matched;
mod reason;
mod recent;
mod socket;
#[cfg(test)]
mod tests;
mod wire;

pub(super) use guarded::{GuardedParticipant, Siblings};
pub(crate) use socket::is_in_effect;
pub(super) use socket::open_guarded;

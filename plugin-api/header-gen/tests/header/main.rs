//! The committed header: is it the one that would be generated, do compilers of three standards take it,
//! does it describe the same ABI as the Rust crate, and do its sections end up in a library as promised.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test, in helper functions too")]

mod compiler;
mod connection;
mod contract;
mod drift;
mod examples;
mod frozen;
mod layout;
mod sections;
#[path = "../../../../tests/it/support/skip.rs"]
mod skip;
mod standards;

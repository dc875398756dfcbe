//! The C ABI between the Bridgehead host and its plugins.
//!
//! Everything that crosses the boundary is defined in this crate and nowhere else: `repr(C)` structs of
//! plain values and function pointers, string ids of extensions and integer constants. It uses no standard library and
//! has no required dependencies, so that it can be read as a specification. The header
//! `plugin-api/include/bridgehead.h` is generated from it for C and C++; the safe Rust layer above it is
//! `bridgehead-plugin-api`.
//!
//! # Rules for every struct and function
//!
//! 1. **A released struct never changes**, and what is written here of a function, a field or a constant stays true.
//!    An addition is a new extension id, a new revision of one (`bridgehead.bus/2`), a constant, or a meaning for a
//!    reserved field. Reserved fields are 0, and 0 keeps its meaning; a reader ignores a value that it does not know.
//!    If one side fills a struct and the other side
//!    reads it, the struct begins with `struct_size`, which the filling side sets. The caller sets it too before it
//!    passes memory for a result: it is the size of that memory, and a host refuses what is too small.
//! 2. **The side that allocates also frees.** Memory is passed on only through [`Buffer`], which carries its own
//!    `retain` and `release`. A [`Str`] or [`Bytes`] is borrowed for the duration of the call unless its
//!    field says otherwise.
//! 3. **Every function returns a [`Status`]** unless it cannot fail. Before a plugin returns a failure, or a
//!    status that requests something, it may call [`Host::explain`] with a text that gives the reason.
//! 4. **Nothing unwinds across the boundary**: no Rust panic and no C++ exception may leave a function.
//! 5. **Every function pointer states its thread and its state** in the last line of its documentation:
//!    `[thread: …] [state: …]`, with the terms of [Threads](#threads) and [States](#states).
//! 6. Unknown enum values and unknown extension ids are tolerated: ignored, or answered with null or
//!    [`status::UNSUPPORTED`].
//!
//! # Threads
//!
//! | tag | meaning |
//! |---|---|
//! | `main` | an instance's lifecycle calls: one at a time per instance, on any OS thread, so that starts can run in parallel |
//! | `sim` | calls on the simulation thread: one at a time in the whole process; must not wait for a peer |
//! | `tx` | the transmit thread of a bridge instance, created by the host; may block, ends on interrupt |
//! | `rx` | the receive thread of a bridge instance, created by the host; may block, ends on interrupt |
//! | `plugin` | a thread created with `bridgehead.threads/1`; may call `any` functions only |
//! | `any` | any thread, also several at once |
//!
//! # States
//!
//! `created`, `awake`, `starting`, `started`, `stopped` for model plugins; `created`, `disconnected`,
//! `connecting`, `connected` for bridges; `any` for every state. After `destroy`, the host calls no
//! function of the instance.
#![no_std]
#![allow(
    clippy::missing_safety_doc,
    reason = "the contract of every function pointer is its thread and state line and the rules above"
)]

#[macro_use]
mod layout;

pub mod actions;
pub mod basic;
pub mod bridge;
pub mod bridges;
pub mod calls;
pub mod description;
pub mod dynamics;
pub mod encodings;
pub mod entry;
pub mod extension;
pub mod host;
pub mod kinematics;
pub mod message;
pub mod model;
pub mod report;
pub mod scene;
pub mod status;
pub mod stepping;
#[cfg(feature = "stable-abi")]
pub mod surface;
pub mod surroundings;

pub use basic::{Bytes, Str};
pub use entry::Entry;
pub use host::Host;
pub use layout::{LAYOUT, LayoutRow};
pub use message::{Buffer, Message};
pub use status::Status;

/// Major version of the plugin ABI. A host accepts plugins of its own major version only.
pub const ABI_MAJOR: u32 = 1;

/// Minor version of the plugin ABI: raised by a release that adds an extension id, a constant or a meaning of a reserved
/// field.
pub const ABI_MINOR: u32 = 0;

/// Whether a host of this crate's ABI version can run a plugin built for the major version `major`.
///
/// This is the single compatibility rule of versions. The minor version does not matter: what a plugin needs of a later
/// one is in its `requires`.
#[must_use]
pub const fn is_compatible(major: u32) -> bool {
    major == ABI_MAJOR
}

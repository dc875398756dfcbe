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
//! 1. **From major version 1 on, a released struct never changes.** An addition is a new extension id with a new
//!    revision (`bridgehead.bus/2`), never a new field. While the major version is 0, a minor version that changes a
//!    struct raises [`ABI_OLDEST_MINOR`]; one that only adds does not. If one side fills a struct and the other side
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
pub mod calls;
pub mod description;
pub mod dynamics;
pub mod entry;
pub mod extension;
pub mod host;
pub mod kinematics;
pub mod message;
pub mod model;
pub mod report;
pub mod scene;
pub mod status;
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
pub const ABI_MAJOR: u32 = 0;

/// Minor version of the plugin ABI: grows with every added extension id or constant.
pub const ABI_MINOR: u32 = 5;

/// While the major version is 0: the oldest minor version whose plugins this one still runs. It grows when a struct or
/// the meaning of a function changes, and not when something is added.
pub const ABI_OLDEST_MINOR: u32 = 3;

/// Whether a host of this crate's ABI version can run a plugin built for `major.minor`.
///
/// This is the single compatibility rule of versions: equal majors; while the major is 0, a minor from
/// [`ABI_OLDEST_MINOR`] to [`ABI_MINOR`]; later any minor. What a plugin needs of a newer minor is in its `requires`.
#[must_use]
#[allow(
    clippy::absurd_extreme_comparisons,
    reason = "the rule is written for every major, also the later ones"
)]
pub const fn is_compatible(major: u32, minor: u32) -> bool {
    major == ABI_MAJOR && (ABI_MAJOR > 0 || (ABI_OLDEST_MINOR <= minor && minor <= ABI_MINOR))
}

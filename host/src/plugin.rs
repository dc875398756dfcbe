//! The plugin loader: finds `.so` files, checks them without running them, loads what passes, and says about
//! each file what became of it and why.
//!
//! It knows the plugin ABI and nothing of buses, worlds or logs; host objects come in through
//! [`LibraryHosts`]. It is the only place that calls the dynamic linker. Everything here runs on the main
//! thread.
//!
//! A file passes these steps, and each failure has a code of its own in [`CODES`]:
//!
//! 1. [`discover`](discover()): a regular `.so` file in a plugin folder
//! 2. read once into memory, up to a size limit
//! 3. ELF: a whole 64-bit shared object for this machine
//! 4. metadata section: schema, ABI version, ids and names, required extensions
//! 5. layout section: every ABI struct laid out as in this host
//! 6. no plugin of the same id or name before it
//! 7. private copy, linked with all symbols resolved
//! 8. entry and types: magic, version, function pointers, and for Rust libraries the deep type comparison
//! 9. descriptors equal to the metadata, valid factories
//! 10. `init`
//!
//! Up to step 6 no code of the file runs. A file that is refused leaves the host as it was, except that a
//! library refused in steps 8 to 10 stays mapped. What a constructor does in step 7 cannot be contained in
//! the host's process; [`probe`] runs all steps in a child process.

pub mod border;
pub mod code;
mod descriptor;
pub mod discover;
mod elf;
pub mod hosts;
mod inspect;
mod layout;
pub mod library;
pub mod metadata;
mod private_copy;
pub mod probe;
pub mod refusal;
pub mod report;
pub mod set;
#[cfg(feature = "stable-abi")]
mod stable_abi;

pub use code::{CODES, Code, codes_markdown};
pub use discover::{Candidate, Discovery, Origin, SearchPath, discover};
pub use hosts::{BareHosts, LibraryHosts};
pub use library::{Factory, Library};
pub use metadata::{Kind, Metadata, PanicStrategy, PluginMetadata, Remembers};
pub use refusal::Refusal;
pub use report::{FileReport, FileState, Report};
pub use set::{LibraryIndex, LoadOptions, LoadedPlugin, PluginSet};

#[cfg(test)]
mod tests;

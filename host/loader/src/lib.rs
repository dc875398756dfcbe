//! The plugin loader: finds `.so` files and marked `.py` files, checks them without running them, opens those whose plugins are used, and
//! reports the result for each file.
//!
//! It knows the plugin ABI, but no buses, worlds or logs; its caller provides host objects through [`LibraryHosts`].
//! Only this module calls the dynamic linker. Everything here runs on the main thread.
//!
//! A file passes these steps, and each failure has a code of its own in [`CODES`]:
//!
//! 1. [`discover`](discover()): a regular `.so` file in a plugin folder, within the size limit
//! 2. ELF: a whole 64-bit shared object for this machine
//! 3. metadata section: schema, ABI version, ids and names, required extensions
//! 4. layout section: every ABI struct laid out as in this host
//! 5. no plugin of the same id or name before it
//!
//! The following steps wait until one of its plugins is used for the first time:
//!
//! 6. private copy, which passes steps 2 to 4 again, with the same metadata
//! 7. linked with all symbols resolved
//! 8. entry and types: magic, version, function pointers, and for Rust libraries the deep type comparison
//! 9. descriptors equal to the metadata, valid factories
//! 10. `init`
//!
//! A [`script`] has its metadata in comments instead of the steps 2 to 4, and its caller opens it in another process
//! instead of the steps 7 to 10.
//!
//! Up to step 6 no code of the file runs. A refused file leaves the host unchanged, except that a library refused in
//! steps 8 to 10 stays mapped. The effects of a constructor in step 7 cannot be contained in the host's process;
//! [`probe`] runs all steps in a child process.

pub mod abi_struct;
pub mod code;
mod descriptor;
pub mod discover;
mod elf;
pub mod hosts;
mod inspect;
pub mod instance;
pub mod known;
mod layout;
pub mod library;
pub mod metadata;
mod private_copy;
pub mod probe;
pub mod refusal;
pub mod report;
pub mod script;
pub mod set;
#[cfg(feature = "stable-abi")]
mod stable_abi;
pub mod watch;
mod writable;

pub use code::{CODES, Code, codes_markdown};
pub use discover::{Candidate, Discovery, Origin, SearchPath, discover};
pub use hosts::{BareHosts, LibraryHosts};
pub use inspect::check as check_bytes;
pub use inspect::inspect as described;
pub use inspect::open_copy;
pub use instance::{CreateError, create_instance, free_label, leak};
pub use known::KnownPlugin;
pub use library::{Factory, Library, Linkage};
pub use metadata::{Kind, Metadata, PanicStrategy, PluginMetadata, StateSupport};
pub use private_copy::PrivateFolder;
pub use refusal::Refusal;
pub use report::{FileReport, FileState, Report};
pub use script::is_script;
pub use set::{FileFinding, FileNews, LibraryIndex, LoadOptions, PluginSet};

#[cfg(test)]
mod tests;

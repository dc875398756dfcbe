//! No code: this crate turns on features of dependencies, and `Cargo.toml` says why.

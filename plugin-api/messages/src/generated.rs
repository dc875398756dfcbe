//! The prost types and their `Message` implementations, as `build.rs` wrote them from `proto/`.

#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    reason = "written by prost-build; its docs are the comments of the .proto files"
)]
pub mod types {
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

include!(concat!(env!("OUT_DIR"), "/impls.rs"));
include!(concat!(env!("OUT_DIR"), "/services.rs"));
include!(concat!(env!("OUT_DIR"), "/comments.rs"));

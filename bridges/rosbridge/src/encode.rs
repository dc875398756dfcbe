//! Messages of the run in the forms of rosbridge.
//!
//! - [`payload`] reads protobuf into the fields of a message, without copying texts and arrays.
//! - [`walk`] visits these fields in the order of their ROS definition; [`json`] and [`cbor`] write what it visits.
//! - [`image`] puts JSON into PNG images and back; [`fragment`] splits long texts and joins them.
//! - [`encoder`] makes the frames of a message, each form once.
//! - [`decode`] converts JSON of clients to protobuf; [`relayed`] passes it on to other clients.

pub(crate) mod cbor;
pub(crate) mod decode;
pub(crate) mod encoder;
pub(crate) mod fragment;
pub(crate) mod image;
pub(crate) mod json;
pub(crate) mod payload;
pub(crate) mod relayed;
pub(crate) mod walk;

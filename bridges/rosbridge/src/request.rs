//! Splits what a client sends into requests: JSON objects, several or parts of one in a frame.
//!
//! A request keeps its members as JSON text, so that large messages are read once, by the plan of their type.

mod any;
mod members;
mod splitter;

pub(crate) use any::AnyJson;
pub(crate) use members::{Request, elements};
pub(crate) use splitter::Splitter;

//! lib
pub use bridgehead_abi as abi;
pub use bridgehead_messages as messages;

pub mod bridge;
mod contain;
mod error;
pub mod export;
pub mod host;
pub mod model;
pub mod noise;
mod payload;
pub mod random;
#[cfg(feature = "testing")]
pub mod testing;
pub mod schedule;

pub use bridge::Ack;
pub use error::{Error, Flow, Request, Result};
pub use model::Started;
pub use payload::Payload;

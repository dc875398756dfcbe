//! Connection strings of bridges: `TARGET;key=value;key=value`, one grammar for all.
//!
//! A bridge declares the [`Form`] of its strings once. The table gives the keys that are known, what errors say, and the
//! documentation ([`Form::markdown`]). [`Form::read`] splits a string into its target and [`Options`], whose values are
//! then parsed one by one.
//!
//! - The target comes first: a file, an address. Some bridges have a default, others have no target.
//! - Options follow in any order, each at most once, as `key=value`. Spaces around keys and values do not count.
//! - A `;` ends a part if `key=` or nothing follows it. Any other `;` belongs to the value.
//!
//! ```
//! use bridgehead_plugin_api::Error;
//! use bridgehead_plugin_api::connection::{Form, Key, Target};
//!
//! static FORM: Form = Form {
//!     code: "EXA-001",
//!     target: Some(Target::new("PEER", "HOST:PORT")),
//!     keys: &[&[Key::new("retries", "a number from 0 to 9", "3", "Attempts before it gives up.")]],
//!     example: "127.0.0.1:9000;retries=5",
//! };
//!
//! /// What `connect` of the bridge receives.
//! struct Peer {
//!     address: std::net::SocketAddr,
//!     retries: u8,
//! }
//!
//! impl std::str::FromStr for Peer {
//!     type Err = Error;
//!
//!     fn from_str(text: &str) -> Result<Self, Error> {
//!         let options = FORM.read(text)?;
//!         Ok(Peer {
//!             address: options.target(|text| text.parse().ok())?,
//!             retries: options.number("retries", 0..=9)?.unwrap_or(3),
//!         })
//!     }
//! }
//!
//! let peer: Peer = "127.0.0.1:9000".parse().expect("a peer");
//! assert_eq!((peer.address.port(), peer.retries), (9000, 3));
//! let error = "127.0.0.1:9000;retires=5".parse::<Peer>().err().expect("a wrong key");
//! assert_eq!(
//!     error.text(),
//!     "[EXA-001] connection string: `retires=` is not a known key; expected PEER;key=value;… with the key retries, such \
//!      as 127.0.0.1:9000;retries=5"
//! );
//! ```

mod address;
mod form;
mod options;
mod split;

pub use self::address::{Peer, address, listen_address};
pub use self::form::{Form, Key, Target};
pub use self::options::Options;

#[cfg(test)]
mod tests;

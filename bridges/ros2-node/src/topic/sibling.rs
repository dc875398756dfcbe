//! Types that a topic accepts beside its own: some publishers send velocities with a stamp, some without.

use bridgehead_plugin_api::messages::geometry_msgs::{Twist, TwistStamped};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::{Message, Schema};

/// Converts the payload of the other type to the topic's type; `None` if it is malformed.
pub type Convert = fn(&[u8]) -> Option<Vec<u8>>;

/// Returns the other type that topics of a type accept.
pub fn sibling(full_name: &str) -> Option<(Schema, Convert)> {
    match full_name {
        Twist::FULL_NAME => Some((Schema::of::<TwistStamped>(), unstamped)),
        TwistStamped::FULL_NAME => Some((Schema::of::<Twist>(), stamped)),
        _ => None,
    }
}

fn unstamped(payload: &[u8]) -> Option<Vec<u8>> {
    let stamped = TwistStamped::decode(payload).ok()?;
    Some(stamped.twist.unwrap_or_default().encode_to_vec())
}

fn stamped(payload: &[u8]) -> Option<Vec<u8>> {
    let twist = Twist::decode(payload).ok()?;
    Some(TwistStamped { twist: Some(twist), ..TwistStamped::default() }.encode_to_vec())
}

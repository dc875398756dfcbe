//! What the fuzzer reads.

use crate::ros2::wire::attachment::Attachment;
use crate::ros2::wire::payload;
use crate::ros2::wire::token::Endpoint;

/// Returns true if it is the token of an endpoint.
pub(crate) fn is_token(text: &str) -> bool {
    Endpoint::read(text).is_some()
}

/// Returns true if it is an attachment.
pub(crate) fn attachment(bytes: &[u8]) -> bool {
    // Any bytes may stand in the place of a payload.
    drop(payload::body(bytes));
    let Ok(attachment) = Attachment::decode(Some(bytes)) else { return false };
    assert_eq!(attachment.encode(), bytes, "an attachment has one form");
    true
}

//! Fuzz targets of this crate; see `tests/fuzz`.

use crate::ros2::fuzz;

/// What any peer can send beside a message: the token of an endpoint, as UTF-8, and an attachment.
///
/// # Panics
/// Panics if an attachment that is understood is not written with the same bytes.
#[must_use]
pub fn beside_messages(bytes: &[u8]) -> bool {
    let is_token = std::str::from_utf8(bytes).is_ok_and(fuzz::is_token);
    fuzz::attachment(bytes) | is_token
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn anything_beside_a_message_is_of_rmw_zenoh_or_refused() {
        short_run("zenoh", 50_000, super::beside_messages);
    }
}

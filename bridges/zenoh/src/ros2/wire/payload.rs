//! The payload of a message: four bytes of encapsulation, and the body.

use bridgehead_plugin_api::{Error, Result};

/// Returns the body of a payload.
///
/// # Errors
/// Returns an error if it is not CDR version 1 in little endian, which every ROS 2 writes.
pub(crate) fn body(payload: &[u8]) -> Result<&[u8]> {
    match payload {
        [0, 1, _, _, body @ ..] => Ok(body),
        [high, low, _, _, ..] => Err(Error::unsupported(format!(
            "its encapsulation is {high:02x} {low:02x}; only CDR version 1 in little endian (00 01) is supported, which \
             every ROS 2 writes"
        ))),
        short => Err(Error::invalid(format!(
            "it has {} bytes, fewer than the four of its encapsulation",
            short.len()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_follows_the_encapsulation() {
        assert_eq!(body(&[0, 1, 0, 0, 7]), Ok(&[7][..]));
        assert_eq!(body(&[0, 1, 9, 9]), Ok(&[][..]));
        for other in [&[][..], &[0, 1, 0], &[0, 0, 0, 0, 7], &[0, 7, 0, 0], &[1, 1, 0, 0]] {
            assert!(body(other).is_err(), "{other:?}");
        }
    }
}

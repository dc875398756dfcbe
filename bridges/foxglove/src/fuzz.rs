//! Fuzz targets of this crate; see `tests/fuzz`.

use std::sync::LazyLock;

use bridgehead_plugin_api::messages::{Message as _, geometry_msgs, sensor_msgs, std_msgs, trajectory_msgs};

use crate::codec::{Codec, ENCODINGS, Encoding};
use crate::protocol::frame::{self, Call, ClientFrame};
use crate::protocol::request;

/// Longest error in bytes: it repeats only a part of what the client has sent.
const LONGEST: usize = 1000;

/// Types that clients publish, or send as requests.
static CODECS: LazyLock<[Codec; 4]> = LazyLock::new(|| {
    [
        Codec::new(geometry_msgs::TwistStamped::schema()),
        Codec::new(std_msgs::String::schema()),
        Codec::new(sensor_msgs::PointCloud2::schema()),
        Codec::new(trajectory_msgs::JointTrajectory::schema()),
    ]
});

/// Any text of a client: a request, or an error that shows a part of it.
///
/// # Panics
/// Panics if an error is long.
pub fn request_text(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    match request::parse(text) {
        Ok(_) => true,
        Err(reason) => {
            assert!(reason.len() < LONGEST, "an error of {} bytes", reason.len());
            false
        }
    }
}

/// Any binary message of a client. Its data is read as several types, in the encoding that a call names, or in all of them;
/// what can be read has a form in every encoding.
///
/// # Panics
/// Panics if a message that was read cannot be sent.
pub fn binary_message(bytes: &[u8]) -> bool {
    let read = |encoding: Encoding, data: &[u8]| {
        CODECS.iter().filter(|codec| is_readable(codec, encoding, data)).count() > 0
    };
    match frame::parse(bytes) {
        Ok(ClientFrame::Message { data, .. }) => {
            ENCODINGS.into_iter().filter(|encoding| read(*encoding, data)).count() > 0
        }
        Ok(ClientFrame::Call(call)) => {
            let answer = frame::response(&call, call.data);
            let Call { service, call: number, .. } = call;
            assert_eq!(answer[1..9], [service.to_le_bytes(), number.to_le_bytes()].concat());
            Encoding::parse(call.encoding).is_some_and(|encoding| read(encoding, call.data))
        }
        Err(reason) => {
            assert!(reason.len() < LONGEST, "an error of {} bytes", reason.len());
            false
        }
    }
}

/// Returns true if bytes can be read as a type.
fn is_readable(codec: &Codec, encoding: Encoding, data: &[u8]) -> bool {
    let Ok(payload) = codec.decode(encoding, data) else { return false };
    for encoding in ENCODINGS {
        codec.encode(encoding, &payload, &mut Vec::new()).expect("a message that was read can be sent");
    }
    true
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_text_is_a_request_or_refused() {
        short_run("foxglove_text", 20_000, super::request_text);
    }

    #[test]
    fn any_bytes_are_a_message_or_refused() {
        short_run("foxglove_bytes", 20_000, super::binary_message);
    }
}

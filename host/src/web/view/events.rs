//! The messages of topics as events for clients.

use crate::recording::{Entry, Recording, Topic};
use crate::web::message;

/// Recorded time before the position that a client of all messages of a topic gets when it subscribes or the position
/// jumps, nanoseconds: as long as the plots of the page.
pub(super) const HISTORY: u64 = 60_000_000_000;
/// Most messages of one topic at once: a minute at 100 Hz. Older ones are left out and counted.
pub(super) const MAX: usize = 6000;
/// Most bytes of one topic at once.
const MAX_BYTES: u64 = 16 << 20;

/// Returns a message as JSON.
pub(super) fn message_of(recording: &Recording, topic: &Topic, entry: &Entry) -> Result<String, String> {
    let bytes = recording.bytes(entry).map_err(|error| error.to_string())?;
    let mut json = Vec::new();
    topic.plan.encode(&bytes, &mut json).map_err(|error| error.to_string())?;
    String::from_utf8(json).map_err(|error| error.to_string())
}

/// Returns a message as an event; `None` if it cannot be read.
pub(super) fn event_of(
    recording: &Recording,
    topic: &Topic,
    entry: &Entry,
    what: &str,
    (epoch, lost): (u32, u64),
) -> Option<String> {
    let content = message_of(recording, topic, entry).ok()?;
    let kind = serde_json::Value::from(topic.message.ros_type().to_string());
    let Entry { sequence, stamp_ns, step, .. } = entry;
    let data = format!(
        "{{\"type\":{kind},\"sequence\":{sequence},\"stamp_ns\":{stamp_ns},\"step\":{step},\"message\":{content}}}"
    );
    Some(message::event(what, epoch, lost, &data))
}

/// Returns the newest entries within the limits, and how many were left out before them.
pub(super) fn limited(entries: &[Entry]) -> (&[Entry], u64) {
    let mut bytes = 0;
    let fits = |entry: &&Entry| {
        bytes += u64::from(entry.length);
        bytes <= MAX_BYTES
    };
    let count = entries.iter().rev().take(MAX).take_while(fits).count();
    // One message is sent whatever its size.
    let count = count.max(entries.len().min(1));
    let (left_out, kept) = entries.split_at(entries.len() - count);
    (kept, left_out.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_messages_within_the_limits_are_kept() {
        let entry = |length| Entry { time_ns: 0, stamp_ns: 0, step: 0, epoch: 0, sequence: 0, at: 0, length };
        assert_eq!(limited(&[]), (&[][..], 0));
        let many = vec![entry(1); MAX + 5];
        assert_eq!((limited(&many).0.len(), limited(&many).1), (MAX, 5));
        let large = [entry(9 << 20), entry(9 << 20), entry(1)];
        assert_eq!((limited(&large).0.len(), limited(&large).1), (2, 1));
        let huge = [entry(1), entry(1 << 30)];
        assert_eq!((limited(&huge).0.len(), limited(&huge).1), (1, 1));
    }
}

//! Sends heartbeats to readers of Cyclone DDS before their first samples.
//!
//! Such a reader skips all samples up to the newest one named by the first heartbeat, even if that sample is on its
//! way, since other vendors' writers may no longer have it. The heartbeat that `rustdds` sends on discovery is lost
//! if the other side has not discovered the writer yet, and the next one may name a reply that has just been written.
//! That reply is then lost, and its caller waits forever. So a heartbeat is sent before the first reply: a caller has
//! already discovered the writer.
//!
//! A reader of a topic may discover the writer at any time. If its first heartbeat names an image of which a fragment was
//! lost, it skips the image instead of requesting the fragment. So for some seconds heartbeats are also sent before
//! samples for all readers. Each names the sample before the one that follows it. If it named an older one, the reader
//! would request those between, which were written before it discovered the writer, and `rustdds` takes seconds to send an
//! image again.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bridgehead_ros2_node::lock::lock;

use super::datagram::Submessage;
use super::guid::{Guid, Vendor};
use super::options::Network;

/// The HEARTBEAT submessage, and its flag that no response is required (RTPS 2.5, 9.4.5.7).
const HEARTBEAT: u8 = 0x07;
const FINAL: u8 = 2;

/// How long a reader gets heartbeats before samples for all readers. Also on a busy machine, it has discovered the writer by
/// then.
const JOINING: Duration = Duration::from_secs(5);
/// Shortest time between these heartbeats. It is less than the period of images, whose fragments take long to arrive.
const PERIOD: Duration = Duration::from_millis(10);

/// The readers that got a first heartbeat, and the newest sample.
#[derive(Default)]
pub(super) struct FirstHeartbeats(Mutex<State>);

#[derive(Default)]
struct State {
    known: HashSet<Guid>,
    /// Sequence number of the newest sample; 0 before the first.
    last: i64,
    /// Readers that were matched with the writer, and since when they are known.
    joining: HashMap<Guid, Instant>,
    /// When readers that join were last looked for.
    looked: Option<Instant>,
}

impl FirstHeartbeats {
    /// Records a written sample.
    pub(super) fn note(&self, sequence: i64) {
        let mut state = lock(&self.0);
        state.last = state.last.max(sequence);
    }

    /// Returns the newest sequence number if a reader still needs its first heartbeat. Readers that are not among
    /// `readers` are forgotten.
    pub(super) fn due(&self, reader: Guid, readers: impl FnOnce() -> Vec<Guid>) -> Option<i64> {
        let mut state = lock(&self.0);
        if !state.is_due(reader) {
            return None;
        }
        let present = readers();
        state.known.retain(|known| present.contains(known));
        state.known.insert(reader);
        Some(state.last)
    }

    /// Returns which of `readers` get a heartbeat before a sample for all of them, and the sequence number that it names.
    pub(super) fn joining(&self, now: Instant, readers: impl FnOnce() -> Vec<Guid>) -> (Vec<Guid>, i64) {
        let mut state = lock(&self.0);
        if state.looked.is_some_and(|looked| now.saturating_duration_since(looked) < PERIOD) {
            return (Vec::new(), state.last);
        }
        state.looked = Some(now);
        let mut joining = readers();
        joining.retain(|reader| reader.vendor() == Vendor::Cyclone);
        state.joining.retain(|reader, _| joining.contains(reader));
        joining.retain(|reader| {
            let begin = *state.joining.entry(*reader).or_insert(now);
            now.saturating_duration_since(begin) < JOINING
        });
        (joining, state.last)
    }

    /// Returns whether a reader still needs its first heartbeat.
    #[cfg(test)]
    pub(super) fn is_due(&self, reader: Guid) -> bool {
        lock(&self.0).is_due(reader)
    }

    /// Returns whether a reader gets heartbeats before samples for all readers.
    #[cfg(test)]
    pub(super) fn is_joining(&self, reader: Guid) -> bool {
        lock(&self.0).joining.contains_key(&reader)
    }
}

impl State {
    fn is_due(&self, reader: Guid) -> bool {
        reader.vendor() == Vendor::Cyclone && !self.known.contains(&reader)
    }
}

/// Sends a reader at `addresses` a heartbeat with `last` as the newest sample of a local writer.
pub(super) fn send(
    writer: Guid,
    last: i64,
    reader: Guid,
    network: &Network,
    addresses: impl Iterator<Item = SocketAddr>,
) {
    let mut body = [reader.entity(), writer.entity()].concat();
    // The first sample is always named as available: other readers of the same program may still wait for it. The
    // high word of a number comes first.
    for number in [1, last] {
        let [low @ .., h0, h1, h2, h3] = number.to_le_bytes();
        body.extend([h0, h1, h2, h3]);
        body.extend(low);
    }
    // The count of the heartbeat. Those of `rustdds` begin with 1; 0 keeps them from being taken for repetitions.
    body.extend([0; 4]);
    Submessage { from: writer, to: reader, kind: HEARTBEAT, flags: FINAL, body: &body }
        .send(network, addresses);
}

#[cfg(test)]
mod tests {
    use super::super::datagram::tests::{guid, received};
    use super::*;

    const CYCLONE: u8 = 0x10;

    #[test]
    fn a_reader_of_cyclone_gets_one_heartbeat_with_the_newest_number() {
        let (first, second) = (guid(CYCLONE, 1), guid(CYCLONE, 2));
        let first_heartbeats = FirstHeartbeats::default();
        let due = |reader| first_heartbeats.due(reader, || vec![first, second]);
        assert_eq!((due(first), due(first)), (Some(0), None));
        first_heartbeats.note(7);
        first_heartbeats.note(6);
        assert_eq!((due(second), due(first), due(guid(0x0f, 3))), (Some(7), None, None));
    }

    #[test]
    fn removed_readers_are_forgotten() {
        let (gone, new) = (guid(CYCLONE, 1), guid(CYCLONE, 2));
        let first_heartbeats = FirstHeartbeats::default();
        assert_eq!(first_heartbeats.due(gone, || vec![gone]), Some(0));
        assert_eq!(first_heartbeats.due(new, || vec![new]), Some(0));
        assert_eq!(lock(&first_heartbeats.0).known, HashSet::from([new]));
    }

    #[test]
    fn readers_that_join_get_heartbeats_with_the_newest_number_for_some_seconds() {
        let (early, late, fast) = (guid(CYCLONE, 1), guid(CYCLONE, 2), guid(0x0f, 3));
        let (heartbeats, begin) = (FirstHeartbeats::default(), bridgehead_ros2_node::wall_clock::now());
        let joining = |millis, readers: &[Guid]| {
            heartbeats.joining(begin + Duration::from_millis(millis), || readers.to_vec())
        };
        assert_eq!(joining(0, &[early, fast]), (vec![early], 0));
        heartbeats.note(7);
        assert_eq!(joining(9, &[early]), (vec![], 7), "not that often");
        assert_eq!(joining(20, &[early, late]), (vec![early, late], 7));
        heartbeats.note(8);
        assert_eq!(joining(5010, &[early, late]), (vec![late], 8), "the other one has discovered the writer");
        assert_eq!(joining(5030, &[early]), (vec![], 8));
        assert_eq!(joining(5050, &[early, late]), (vec![late], 8), "it has left and joined again");
    }

    #[test]
    fn the_heartbeat_names_the_newest_sample() {
        let (writer, reader) = (guid(0x12, 9), guid(CYCLONE, 8));
        let last = (1 << 32) + 5;
        let bytes = received(|network, address| send(writer, last, reader, network, [address].into_iter()));
        assert_eq!((&bytes[8..20], &bytes[24..36]), (&writer.0[..12], &reader.0[..12]));
        assert_eq!(bytes[36..40], [0x07, 3, 28, 0]);
        assert_eq!((&bytes[40..44], &bytes[44..48]), (&reader.0[12..], &writer.0[12..]));
        assert_eq!(bytes[48..], [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
    }
}

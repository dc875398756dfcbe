//! Requests samples that writers of Fast DDS wrote before they were discovered.
//!
//! A client that knows the local reader may write as soon as it has a writer, before that writer is discovered here.
//! `rustdds` asks a new writer for missed samples in a form that Fast DDS ignores. The sample is then sent again only
//! with the next heartbeat, three seconds later, which delays the first call of a service. So the first sample is
//! requested once more in the form of a reader that knows what it has missed. A writer that has not written yet
//! ignores that.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::wall_clock;

use super::datagram::Submessage;
use super::guid::{Guid, Vendor};
use super::options::Network;

/// Delay before a writer is asked: Fast DDS does not resend a sample that it is about to send, and one sent just
/// after the match arrives by itself.
const DELAY: Duration = Duration::from_millis(5);

/// The ACKNACK submessage, and its flag that only the sample is requested (RTPS 2.5, 9.4.5.3).
const ACKNACK: u8 = 0x06;
const FINAL: u8 = 2;

/// Pending requests with writer and reader, in the order of time.
#[derive(Default)]
pub(super) struct ResendRequests(Mutex<VecDeque<(Instant, Guid, Guid)>>);

impl ResendRequests {
    /// Plans a request after a match of a remote writer with a local reader.
    pub(super) fn plan(&self, writer: Guid, reader: Guid) {
        if writer.vendor() == Vendor::FastDds {
            lock(&self.0).push_back((wall_clock::now() + DELAY, writer, reader));
        }
    }

    /// Returns when the next request is due.
    pub(super) fn next(&self) -> Option<Instant> {
        lock(&self.0).front().map(|(when, ..)| *when)
    }

    /// Takes the writers and readers of the requests that are due.
    pub(super) fn due(&self) -> Vec<(Guid, Guid)> {
        let mut planned = lock(&self.0);
        let now = wall_clock::now();
        let count = planned.iter().take_while(|(when, ..)| *when <= now).count();
        planned.drain(..count).map(|(_, writer, reader)| (writer, reader)).collect()
    }
}

/// Sends the request of a local reader to a writer at `addresses`.
pub(super) fn send(
    writer: Guid,
    reader: Guid,
    network: &Network,
    addresses: impl Iterator<Item = SocketAddr>,
) {
    let mut body = [reader.entity(), writer.entity()].concat();
    // A bitmap of one bit, from sequence number 1 on; the bit is set.
    body.extend([0, 0, 0, 0, 1, 0, 0, 0]);
    body.extend([1, 0, 0, 0, 0, 0, 0, 0x80]);
    // The count of the request. `rustdds` begins with 0, from which Fast DDS counts.
    body.extend([1, 0, 0, 0]);
    // If it is lost, the sample comes with the next heartbeat.
    Submessage { from: reader, to: writer, kind: ACKNACK, flags: FINAL, body: &body }
        .send(network, addresses);
}

#[cfg(test)]
mod tests {
    use super::super::datagram::tests::{guid, received};
    use super::*;

    #[test]
    fn a_request_is_addressed_from_the_reader_to_the_writer() {
        let (writer, reader) = (guid(0x0f, 8), guid(0x12, 9));
        let bytes = received(|network, address| send(writer, reader, network, [address].into_iter()));
        assert_eq!((&bytes[8..20], &bytes[24..36]), (&reader.0[..12], &writer.0[..12]));
        assert_eq!(bytes[36..40], [0x06, 3, 28, 0]);
        assert_eq!((&bytes[40..44], &bytes[44..48]), (&reader.0[12..], &writer.0[12..]));
        assert_eq!(bytes.len(), 20 + 16 + 32);
    }

    #[test]
    fn only_writers_of_fast_dds_are_asked_after_a_delay() {
        let resend_requests = ResendRequests::default();
        resend_requests.plan(guid(0x10, 1), guid(0x12, 9));
        assert_eq!(resend_requests.next(), None);
        let before = wall_clock::now();
        resend_requests.plan(guid(0x0f, 2), guid(0x12, 9));
        let when = resend_requests.next().expect("planned");
        assert!(when >= before + DELAY);
        while resend_requests.next().is_some() {
            let due = resend_requests.due();
            assert!(due.is_empty() || due == [(guid(0x0f, 2), guid(0x12, 9))]);
            assert!(due.is_empty() || wall_clock::now() >= when);
            std::thread::yield_now();
        }
    }
}

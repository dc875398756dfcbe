//! Asks writers of Fast DDS for what they wrote before we knew them.
//!
//! A client that has known our reader for long may write as soon as it has a writer, a moment before discovery has told
//! us of that. `rustdds` asks a new writer whether it has missed something, in a form that Fast DDS passes over. What
//! was written then comes again only with the next heartbeat, three seconds later, and the first call of a service takes
//! that long. So the first sample is asked for once more in the form that a reader uses who knows what it has missed. A
//! writer that has not written yet passes that over.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::datagram::{Submessage, entity};
use super::options::Network;
use super::{Guid, Vendor};
use crate::lock::lock;
use crate::wall;

/// How long a writer is given: Fast DDS does not send again what it is about to send, and what it sends just after it
/// was matched arrives by itself.
const DELAY: Duration = Duration::from_millis(5);

/// ACKNACK, and that no answer but the sample is asked for (RTPS 2.5, 9.4.5.3).
const ACKNACK: u8 = 0x06;
const FINAL: u8 = 2;

/// Writers that are to be asked, and for which reader, in the order of time.
#[derive(Default)]
pub(super) struct ResendRequests(Mutex<VecDeque<(Instant, Guid, Guid)>>);

impl ResendRequests {
    /// A writer has been matched with a reader of ours.
    pub(super) fn plan(&self, writer: Guid, reader: Guid) {
        if writer.vendor() == Vendor::FastDds {
            lock(&self.0).push_back((wall::now() + DELAY, writer, reader));
        }
    }

    /// When the next is to be asked.
    pub(super) fn next(&self) -> Option<Instant> {
        lock(&self.0).front().map(|(when, ..)| *when)
    }

    /// Those that are to be asked now, with their readers.
    pub(super) fn due(&self) -> Vec<(Guid, Guid)> {
        let mut planned = lock(&self.0);
        let now = wall::now();
        let count = planned.iter().take_while(|(when, ..)| *when <= now).count();
        planned.drain(..count).map(|(_, writer, reader)| (writer, reader)).collect()
    }
}

/// Asks a writer that listens at `addresses` on behalf of a reader of ours.
pub(super) fn send(
    writer: Guid,
    reader: Guid,
    network: &Network,
    addresses: impl Iterator<Item = SocketAddr>,
) {
    let mut body = [entity(reader), entity(writer)].concat();
    // From the sample with the number 1 on, one bit, which is set.
    body.extend([0, 0, 0, 0, 1, 0, 0, 0]);
    body.extend([1, 0, 0, 0, 0, 0, 0, 0x80]);
    // The number of the question. The first of `rustdds` is 0, from which Fast DDS counts.
    body.extend([1, 0, 0, 0]);
    // What does not arrive comes with the next heartbeat.
    Submessage { from: reader, to: writer, kind: ACKNACK, flags: FINAL, body: &body }
        .send(network, addresses);
}

#[cfg(test)]
mod tests {
    use super::super::datagram::tests::{guid, received};
    use super::*;

    #[test]
    fn a_writer_is_asked_by_the_name_of_the_reader() {
        let (writer, reader) = (guid(0x0f, 8), guid(0x12, 9));
        let bytes = received(|network, address| send(writer, reader, network, [address].into_iter()));
        assert_eq!((&bytes[8..20], &bytes[24..36]), (&reader.0[..12], &writer.0[..12]));
        assert_eq!(bytes[36..40], [0x06, 3, 28, 0]);
        assert_eq!((&bytes[40..44], &bytes[44..48]), (&reader.0[12..], &writer.0[12..]));
        assert_eq!(bytes.len(), 20 + 16 + 32);
    }

    #[test]
    fn writers_of_fast_dds_are_asked_after_a_while_and_no_others() {
        let resend_requests = ResendRequests::default();
        resend_requests.plan(guid(0x10, 1), guid(0x12, 9));
        assert_eq!(resend_requests.next(), None);
        let before = wall::now();
        resend_requests.plan(guid(0x0f, 2), guid(0x12, 9));
        let when = resend_requests.next().expect("planned");
        assert!(when >= before + DELAY);
        while resend_requests.next().is_some() {
            let due = resend_requests.due();
            assert!(due.is_empty() || due == [(guid(0x0f, 2), guid(0x12, 9))]);
            assert!(due.is_empty() || wall::now() >= when);
            std::thread::yield_now();
        }
    }
}

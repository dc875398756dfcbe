//! Asks writers of Fast DDS for what they wrote before we knew them.
//!
//! A client that has known our reader for long may write as soon as it has a writer, a moment before discovery has told
//! us of that. `rustdds` asks a new writer whether it has missed something, in a form that Fast DDS passes over. What
//! was written then comes again only with the next heartbeat, three seconds later, and the first call of a service takes
//! that long. So the first sample is asked for once more in the form that a reader uses who knows what it has missed. A
//! writer that has not written yet passes that over.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::options::Network;
use super::participant::lock;
use super::{Guid, Vendor};
use crate::wall;

/// How long a writer is given: Fast DDS does not send again what it is about to send, and what it sends just after it
/// was matched arrives by itself.
const DELAY: Duration = Duration::from_millis(5);

/// The header of `rustdds` in the version of the protocol that it speaks.
const HEADER: [u8; 8] = [b'R', b'T', b'P', b'S', 2, 4, 1, 0x12];

/// Writers that are to be asked, and for which reader, in the order of time.
#[derive(Default)]
pub(super) struct Nudges(Mutex<VecDeque<(Instant, Guid, Guid)>>);

impl Nudges {
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

/// Asks a writer that listens at `addresses` on behalf of a reader of ours, on the interfaces that we speak on.
pub(super) fn send(
    writer: Guid,
    reader: Guid,
    network: &Network,
    addresses: impl Iterator<Item = SocketAddr>,
) {
    let datagram = datagram(writer, reader);
    let is_usable = |address: &SocketAddr| address.is_ipv4() && address.port() != 0;
    let addresses: Vec<SocketAddr> = addresses.filter(is_usable).collect();
    let sources = match network {
        Network::All => vec![IpAddr::V4(Ipv4Addr::UNSPECIFIED)],
        Network::Only(sources) => sources.clone(),
    };
    for socket in sources.into_iter().filter_map(|source| UdpSocket::bind((source, 0)).ok()) {
        for address in &addresses {
            // What does not arrive comes with the next heartbeat.
            drop(socket.send_to(&datagram, address));
        }
    }
}

/// An ACKNACK of `reader` to `writer` (RTPS 2.5, 9.4.5.3), behind the address of its participant (9.4.5.8).
fn datagram(writer: Guid, reader: Guid) -> Vec<u8> {
    let (Guid([w @ .., w0, w1, w2, w3]), Guid([r @ .., r0, r1, r2, r3])) = (writer, reader);
    let mut bytes = HEADER.to_vec();
    bytes.extend(r);
    // INFO_DST, little endian, 12 bytes.
    bytes.extend([0x0e, 1, 12, 0]);
    bytes.extend(w);
    // ACKNACK, little endian and final, 28 bytes: who asks whom.
    bytes.extend([0x06, 3, 28, 0]);
    bytes.extend([r0, r1, r2, r3, w0, w1, w2, w3]);
    // From the sample with the number 1 on, one bit, which is set.
    bytes.extend([0, 0, 0, 0, 1, 0, 0, 0]);
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0x80]);
    // The number of the question. The first of `rustdds` is 0, from which Fast DDS counts.
    bytes.extend([1, 0, 0, 0]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guid(vendor: u8, rest: u8) -> Guid {
        let mut bytes = [rest; 16];
        bytes[..2].copy_from_slice(&[1, vendor]);
        Guid(bytes)
    }

    #[test]
    fn a_writer_is_asked_by_the_name_of_the_reader() {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        socket.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        let address = socket.local_addr().expect("an address");
        let (writer, reader) = (guid(0x0f, 8), guid(0x12, 9));
        send(writer, reader, &Network::Only(vec![address.ip()]), [address].into_iter());
        let mut bytes = [0; 128];
        let length = socket.recv(&mut bytes).expect("a datagram");
        assert_eq!(bytes[..8], *b"RTPS\x02\x04\x01\x12");
        assert_eq!(bytes[8..20], reader.0[..12]);
        assert_eq!(bytes[24..36], writer.0[..12]);
        assert_eq!((&bytes[40..44], &bytes[44..48]), (&reader.0[12..], &writer.0[12..]));
        assert_eq!(length, 20 + 16 + 32);
    }

    #[test]
    fn writers_of_fast_dds_are_asked_after_a_while_and_no_others() {
        let nudges = Nudges::default();
        nudges.plan(guid(0x10, 1), guid(0x12, 9));
        assert_eq!(nudges.next(), None);
        let before = wall::now();
        nudges.plan(guid(0x0f, 2), guid(0x12, 9));
        let when = nudges.next().expect("planned");
        assert!(when >= before + DELAY);
        while nudges.next().is_some() {
            let due = nudges.due();
            assert!(due.is_empty() || due == [(guid(0x0f, 2), guid(0x12, 9))]);
            assert!(due.is_empty() || wall::now() >= when);
            std::thread::yield_now();
        }
    }
}

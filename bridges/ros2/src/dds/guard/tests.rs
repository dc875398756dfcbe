//! Real datagrams, captured between two participants of this process, and mutations of them.

use std::io::IoSliceMut;
use std::net::UdpSocket;
use std::os::fd::AsRawFd as _;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use bridgehead_ros2_node::lock::lock;
use nix::sys::socket::{MsgFlags, SockaddrStorage, recvmsg};

use super::filter::Filter;
use super::fuzz::assert_harmless;
use super::limits::MAX_INCOMPLETE;
use super::reason::Verdict;
use super::wire::{Entity, HEADER, kind};
use crate::dds::tests::{participant, unique};
use crate::dds::{Qos, Reader, WriteOptions, Writer};

/// How many mutations the filter gets.
const MUTATIONS: u32 = 200_000;
/// Datagrams that are captured at most.
const CAPTURED: usize = 4000;

static RECEIVED: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// Keeps a received datagram. All participants of the test process receive through here, and other tests.
pub(super) fn capture(datagram: &[u8]) {
    let mut received = lock(&RECEIVED);
    if received.len() < CAPTURED && datagram.starts_with(b"RTPS") {
        received.push(datagram.to_vec());
    }
}

/// Exchanges samples of several sizes and returns the datagrams of all participants of the process.
fn real_datagrams() -> Vec<Vec<u8>> {
    let (here, there) = (participant("here"), participant("there"));
    let topic = unique("rt/captured");
    let (sender, received) = channel();
    let kind = "std_msgs::msg::dds_::String_";
    let reader = Reader::open(&there, &topic, kind, Qos::DEFAULT, move |sample| {
        let _ = sender.send(sample.body.len());
    });
    let reader = reader.expect("a reader");
    let writer = Writer::open(&here, &topic, kind, Qos::DEFAULT).expect("a writer");
    let timeout = Duration::from_secs(20);
    assert_eq!(writer.await_reader(|_, _| true, timeout), Some(reader.guid()));
    for size in [4, 1000, 300_000, 1_000_000] {
        writer.write(vec![1; size], WriteOptions::default()).expect("written");
        assert_eq!(received.recv_timeout(timeout), Ok(size), "samples pass the guard");
    }
    lock(&RECEIVED).clone()
}

/// Fails unless the filter passes real datagrams, whose parts for others it may skip.
fn assert_unchanged(datagrams: &[Vec<u8>], now: Instant) {
    let mut filter = Filter::new();
    for datagram in datagrams {
        let mut checked = datagram.clone();
        let verdict = filter.check(&mut checked, &|_| Vec::new(), now);
        assert_eq!(verdict, Verdict::Pass, "{datagram:02x?}");
    }
}

/// A sequence of numbers that looks random (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).expect("small")
    }

    /// Changes some bytes or fields, cuts or extends a datagram, or appends a part of another.
    fn mutate(&mut self, datagram: &mut Vec<u8>, other: &[u8]) {
        const WORDS: [u32; 8] = [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0xffff_fff0, 1 << 16, 1 << 24];
        for _ in 0..=self.below(4) {
            // Mostly behind the header: the address of a participant decides about everything else.
            let at = HEADER.min(datagram.len()) + self.below(datagram.len().saturating_sub(HEADER).min(96));
            match self.below(6) {
                0 if !datagram.is_empty() => datagram.truncate(self.below(datagram.len())),
                1 => datagram.extend(other.get(HEADER..).unwrap_or_default()),
                2 | 3 => {
                    let word = WORDS[self.below(WORDS.len())].to_le_bytes();
                    datagram.iter_mut().skip(at & !3).zip(word).for_each(|(byte, new)| *byte = new);
                }
                _ => datagram.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << (self.0 % 8)),
            }
            self.next();
        }
        datagram.truncate(65_000);
    }
}

#[test]
fn real_datagrams_pass_unchanged_and_their_mutations_do_no_harm() {
    let datagrams = real_datagrams();
    let kinds: Vec<u8> = datagrams.iter().filter_map(|datagram| datagram.get(HEADER).copied()).collect();
    assert!(
        datagrams.len() > 50 && kinds.contains(&kind::INFO_DST) && kinds.contains(&kind::INFO_TS),
        "{kinds:?}"
    );
    let mut now = bridgehead_ros2_node::wall_clock::now();
    assert_unchanged(&datagrams, now);
    let matched = |_: Entity| vec![[0, 0, 0, 4], [0, 0, 1, 4]];
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut filter, mut refused) = (Filter::new(), 0);
    for _ in 0..MUTATIONS {
        let mut datagram = datagrams[numbers.below(datagrams.len())].clone();
        let other = &datagrams[numbers.below(datagrams.len())];
        numbers.mutate(&mut datagram, other);
        now += Duration::from_millis(u64::from(numbers.next().is_multiple_of(100)));
        match filter.check(&mut datagram, &matched, now) {
            Verdict::Drop(_) => refused += 1,
            Verdict::Changed(_) => {
                refused += 1;
                assert_harmless(&mut datagram);
            }
            Verdict::Pass => assert_harmless(&mut datagram),
        }
    }
    assert!(filter.fragments.charged() <= MAX_INCOMPLETE);
    assert!(refused > MUTATIONS / 10, "{refused}");
}

#[test]
fn the_calls_of_this_library_are_redirected() {
    assert!(super::is_in_effect());
}

#[test]
fn a_refused_datagram_is_not_delivered() {
    let receiver = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let sender = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let address = receiver.local_addr().expect("an address");
    let good = b"RTPS\x02\x04\x01\x12another peer".to_vec();
    for datagram in [&b"no RTPS"[..], &[0; 60], &good] {
        sender.send_to(datagram, address).expect("sent");
    }
    let mut bytes = [0; 100];
    let mut buffers = [IoSliceMut::new(&mut bytes)];
    let received = recvmsg::<SockaddrStorage>(receiver.as_raw_fd(), &mut buffers, None, MsgFlags::empty());
    let length = received.expect("a datagram").bytes;
    assert_eq!(bytes[..length], good);
}

//! Each limit, with datagrams made field by field.

use std::time::Duration;

use super::super::limits::{MAX_INCOMPLETE, MAX_SAMPLE};
use super::*;

const PEER: Prefix = *b"a peer's-gui";
const SEDP_READER: Entity = [0, 0, 3, 0xc7];
const SEDP_WRITER: Entity = [0, 0, 3, 0xc2];
const TOPIC_READER: Entity = [0, 0, 1, 0x04];
const TOPIC_WRITER: Entity = [0, 0, 1, 0x03];

fn header(prefix: Prefix) -> Vec<u8> {
    [b"RTPS\x02\x04\x01\x12".to_vec(), prefix.to_vec()].concat()
}

/// A datagram with one submessage in little endian.
fn datagram(prefix: Prefix, kind: u8, flags: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len()).expect("short").to_le_bytes();
    [&header(prefix), &[kind, flags | flag::LITTLE_ENDIAN][..], &length, body].concat()
}

fn number(value: i64) -> Vec<u8> {
    let [low @ .., h0, h1, h2, h3] = value.to_le_bytes();
    [&[h0, h1, h2, h3][..], &low].concat()
}

fn heartbeat(first: i64, last: i64, count: i32) -> Vec<u8> {
    let body = [&SEDP_READER[..], &SEDP_WRITER, &number(first), &number(last), &count.to_le_bytes()].concat();
    datagram(PEER, kind::HEARTBEAT, 0, &body)
}

fn gap(start: i64, base: i64, words: &[u32]) -> Vec<u8> {
    let bits = u32::try_from(words.len() * 32).expect("few");
    let mut body =
        [&SEDP_READER[..], &SEDP_WRITER, &number(start), &number(base), &bits.to_le_bytes()].concat();
    words.iter().for_each(|word| body.extend(word.to_le_bytes()));
    datagram(PEER, kind::GAP, 0, &body)
}

/// The same for the endpoints of a topic.
fn of_topic(mut datagram: Vec<u8>) -> Vec<u8> {
    datagram[HEADER + 4..HEADER + 12].copy_from_slice(&[TOPIC_READER, TOPIC_WRITER].concat());
    datagram
}

fn data(reader: Entity, writer: Entity, sequence: i64, payload: &[u8]) -> Vec<u8> {
    let body = [&[0, 0, 16, 0][..], &reader, &writer, &number(sequence), payload].concat();
    datagram(PEER, kind::DATA, 4, &body)
}

fn fragment(reader: Entity, sequence: i64, first: u32, size: u32, payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(payload.len()).expect("short").to_le_bytes();
    let fields = [&first.to_le_bytes()[..], &1_u16.to_le_bytes(), &length, &size.to_le_bytes()].concat();
    let body = [&[0, 0, 28, 0][..], &reader, &TOPIC_WRITER, &number(sequence), &fields, payload].concat();
    datagram(PEER, kind::DATA_FRAG, 0, &body)
}

fn request(base: u32, words: &[u32]) -> Vec<u8> {
    let bits = u32::try_from(words.len() * 32).expect("few");
    let set = words.iter().flat_map(|word| word.to_le_bytes());
    let mut body =
        [&SEDP_READER[..], &SEDP_WRITER, &number(1), &base.to_le_bytes(), &bits.to_le_bytes()].concat();
    body.extend(set.chain([1, 0, 0, 0]));
    datagram(PEER, kind::NACK_FRAG, 0, &body)
}

/// A filter at a time that tests set.
struct Tested {
    filter: Filter,
    now: Instant,
}

impl Tested {
    fn new() -> Self {
        Tested { filter: Filter::new(), now: bridgehead_ros2_node::wall_clock::now() }
    }

    fn check(&mut self, datagram: &mut [u8]) -> Verdict {
        self.filter.check(datagram, &|_| vec![TOPIC_READER], self.now)
    }

    /// Checks a datagram and returns the verdict with what became of it.
    fn send(&mut self, mut datagram: Vec<u8>) -> (Verdict, Vec<u8>) {
        (self.check(&mut datagram), datagram)
    }
}

/// Whether a datagram has only skipped submessages.
fn is_skipped((_, datagram): &(Verdict, Vec<u8>)) -> bool {
    datagram[HEADER] == kind::SKIPPED
}

#[test]
fn a_heartbeat_announces_a_limited_range_from_its_beginning() {
    let mut tested = Tested::new();
    let found = tested.send(heartbeat(1, 0x7fff_ffff, 1));
    assert_eq!(found, (Verdict::Changed(Reason::Announced), heartbeat(1, MAX_ANNOUNCED, 1)));
    for usual in [heartbeat(1, 0, 2), heartbeat(5, 9, 3), heartbeat(1, MAX_ANNOUNCED, 4)] {
        assert_eq!(tested.send(usual.clone()), (Verdict::Pass, usual));
    }
}

#[test]
fn heartbeats_are_counted_anew_so_that_one_with_a_high_count_suppresses_no_others() {
    let mut tested = Tested::new();
    let counts = [7, i32::MAX, 8, 8].map(|count| {
        let (_, datagram) = tested.send(heartbeat(1, 5, count));
        datagram[datagram.len() - 4..].to_vec()
    });
    assert_eq!(counts, [1_u32, 2, 3, 4].map(|count| count.to_le_bytes().to_vec()));
    tested.now += Duration::from_secs(16);
    assert_eq!(tested.send(heartbeat(1, 5, 9)).1, heartbeat(1, 5, 1000));
}

#[test]
fn a_known_writer_advances_in_steps_until_it_is_reached() {
    let mut tested = Tested::new();
    // Nothing is known of a writer at first: it may have run for long.
    let early = heartbeat(1_000_000, 1_000_009, 1);
    assert_eq!(tested.send(early.clone()), (Verdict::Pass, early));
    let far = 1_000_009 + 3 * MAX_ADVANCE;
    for step in 1..4_i32 {
        let first = (1_000_009 + i64::from(step) * MAX_ADVANCE).min(far);
        let verdict = if first == far { Verdict::Pass } else { Verdict::Changed(Reason::Advance) };
        let found = tested.send(heartbeat(far, far + 9, 1 + step));
        assert_eq!(found, (verdict, heartbeat(first, far + 9, 1 + step)));
    }
}

#[test]
fn a_gap_covers_only_what_its_writer_has_announced() {
    let mut tested = Tested::new();
    assert!(is_skipped(&tested.send(gap(50, 60, &[]))), "nothing is known of the writer");
    tested.check(&mut heartbeat(1, 60, 1));
    assert!(is_skipped(&tested.send(gap(61, 1 << 40, &[]))));
    let found = tested.send(gap(50, 1 << 40, &[u32::MAX]));
    assert_eq!(found, (Verdict::Changed(Reason::Advance), gap(50, 61, &[0])));
    // The first bit is number 58, so the first three are announced.
    let found = tested.send(gap(57, 58, &[u32::MAX]));
    assert_eq!(found, (Verdict::Changed(Reason::Advance), gap(57, 58, &[0b111 << 29])));
    // Writers of topics get a little more.
    tested.check(&mut of_topic(heartbeat(1, 60, 1)));
    let found = tested.send(of_topic(gap(50, 1 << 40, &[])));
    assert_eq!(found, (Verdict::Changed(Reason::Advance), of_topic(gap(50, 61 + MAX_AHEAD, &[]))));
    let usual = gap(3, 29, &[0xf000_000f]);
    assert_eq!(tested.send(usual.clone()), (Verdict::Pass, usual));
}

#[test]
fn numbers_that_overflow_are_refused() {
    for wrong in [-1, MAX_NUMBER, i64::MAX, i64::MIN] {
        let mut tested = Tested::new();
        tested.check(&mut heartbeat(1, 5, 1));
        for refused in [
            heartbeat(wrong, 5, 2),
            heartbeat(1, wrong, 2),
            gap(wrong, 5, &[]),
            gap(1, wrong, &[]),
            data(TOPIC_READER, TOPIC_WRITER, wrong, &[]),
            fragment(TOPIC_READER, wrong, 1, 8, &[0; 4]),
        ] {
            let found = tested.send(refused);
            assert!(found.0 == Verdict::Changed(Reason::Number) && is_skipped(&found), "{wrong}: {found:x?}");
        }
    }
}

#[test]
fn only_the_refused_part_of_a_datagram_is_skipped() {
    let mut tested = Tested::new();
    let good = data(TOPIC_READER, TOPIC_WRITER, 1, b"text");
    let bad = fragment(TOPIC_READER, 1, 1, 0xffff_fff0, &[0; 100]);
    let mut both = [&bad[..], &good[HEADER..]].concat();
    assert_eq!(tested.check(&mut both), Verdict::Changed(Reason::FragmentSize));
    assert_eq!((both[HEADER], &both[bad.len()..]), (kind::SKIPPED, &good[HEADER..]));
    both.pop();
    assert_eq!(tested.check(&mut both), Verdict::Drop(Reason::Malformed));
}

#[test]
fn fragments_are_limited_in_memory_and_old_ones_are_swept() {
    let mut tested = Tested::new();
    for sequence in 0..1000 {
        tested.check(&mut fragment(TOPIC_READER, sequence, 1, MAX_SAMPLE, &[0; 1000]));
    }
    assert!(tested.filter.fragments.charged() <= MAX_INCOMPLETE);
    let refused = tested.send(fragment(TOPIC_READER, 2000, 1, MAX_SAMPLE, &[0; 1000]));
    assert!(is_skipped(&refused) && refused.0 == Verdict::Changed(Reason::Incomplete));
    tested.now += Duration::from_secs(20);
    // The next one becomes a fragment of another sample, for which `rustdds` discards the old ones.
    let (verdict, swept) = tested.send(fragment(TOPIC_READER, 2000, 2, MAX_SAMPLE, &[0; 1000]));
    assert_eq!(verdict, Verdict::Changed(Reason::Incomplete));
    assert_eq!(swept, fragment(TOPIC_READER, SWEEP, 1, 1001, &[0; 1000]));
    assert_eq!(tested.filter.fragments.charged(), 0);
    assert_eq!(tested.send(fragment(TOPIC_READER, 2000, 1, MAX_SAMPLE, &[0; 1000])).0, Verdict::Pass);
}

#[test]
fn fragments_for_any_reader_are_for_the_matched_ones() {
    let mut tested = Tested::new();
    for first in [1, 2] {
        let found = tested.send(fragment(ANY_READER, 1, first, 2000, &[0; 1000]));
        assert_eq!(found.0, Verdict::Pass);
    }
    assert_eq!(tested.filter.fragments.charged(), 0, "the sample is complete");
    let mut unmatched = fragment(ANY_READER, 2, 1, 2000, &[0; 1000]);
    assert_eq!(tested.filter.check(&mut unmatched, &|_| Vec::new(), tested.now), Verdict::Pass);
    assert_eq!(unmatched[HEADER], kind::SKIPPED, "nobody waits for it, and it is no reason for a warning");
}

#[test]
fn requests_of_fragments_are_possible_and_limited() {
    let mut tested = Tested::new();
    let usual = request(1, &[1]);
    assert_eq!(tested.send(usual.clone()), (Verdict::Pass, usual));
    for wrong in [request(0, &[1]), request(1, &[]), request(1, &[0]), request(u32::MAX - 40, &[1])] {
        assert!(is_skipped(&tested.send(wrong)));
    }
    let passed = (0..1000)
        .filter(|_| tested.send(request(MAX_REQUESTED_FRAGMENT - 32, &[1])).0 == Verdict::Pass)
        .count();
    assert!(passed < 40, "{passed}");
    tested.now += Duration::from_secs(10);
    assert_eq!(tested.send(request(1, &[1])).0, Verdict::Pass);
}

#[test]
fn new_participants_are_limited_and_known_ones_pass() {
    let mut tested = Tested::new();
    tested.check(&mut header(PEER));
    let prefix =
        |number: u32| [&b"unknown:"[..], &number.to_le_bytes()].concat().try_into().expect("12 bytes");
    let admitted =
        (0..10_000).filter(|number| tested.check(&mut header(prefix(*number))) == Verdict::Pass).count();
    assert_eq!(admitted, 1023);
    assert_eq!(tested.check(&mut header(PEER)), Verdict::Pass);
    // Each participant that a known one announces counts too.
    let announced =
        [&[0, 3, 0, 0, 0x50, 0, 16, 0][..], &prefix(20_000), &[0, 0, 1, 0xc1, 1, 0, 0, 0]].concat();
    let announcement = data(ANY_READER, [0, 1, 0, 0xc2], 1, &announced);
    assert_eq!(tested.send(announcement.clone()).0, Verdict::Changed(Reason::Participants));
    tested.now += Duration::from_secs(5);
    assert_eq!(tested.send(announcement).0, Verdict::Pass);
}

#[test]
fn announced_endpoints_are_limited_and_signs_of_life_are_not() {
    let mut tested = Tested::new();
    let mut passed = |reader, writer| {
        (0..20_000)
            .filter(|number| tested.send(data(reader, writer, *number, b"\0\x03\0\0")).0 == Verdict::Pass)
            .count()
    };
    assert_eq!(passed(SEDP_READER, SEDP_WRITER), 10_000);
    assert_eq!(passed(LIVELINESS_READER, [0, 2, 0, 0xc2]), 20_000);
    assert_eq!(passed(TOPIC_READER, TOPIC_WRITER), 20_000);
}

#[test]
fn endpoints_that_are_gone_leave_their_places_and_departures_need_none() {
    let mut tested = Tested::new();
    let announcement = |number| data(SEDP_READER, SEDP_WRITER, number, b"\0\x03\0\0");
    for number in 0..10_000 {
        assert_eq!(tested.send(announcement(number)).0, Verdict::Pass);
    }
    assert!(is_skipped(&tested.send(announcement(10_000))));
    let mut departure = announcement(10_001);
    // A key instead of a value.
    departure[HEADER + 1] = flag::LITTLE_ENDIAN | 8;
    assert_eq!(tested.send(departure).0, Verdict::Pass);
    let mut left = 5;
    tested.filter.reuse_places(|most| std::mem::take(&mut left).min(most));
    let passed = (0..100).filter(|number| !is_skipped(&tested.send(announcement(20_000 + number)))).count();
    assert_eq!((passed, left), (5, 0));
}

#[test]
fn writers_of_discovery_reach_only_their_readers() {
    let mut tested = Tested::new();
    for (reader, writer) in
        [(SEDP_READER, TOPIC_WRITER), (TOPIC_READER, SEDP_WRITER), (SEDP_READER, [0, 0, 4, 0xc2])]
    {
        assert!(is_skipped(&tested.send(data(reader, writer, 1, &[]))), "{reader:?} {writer:?}");
    }
    for reader in [SEDP_READER, ANY_READER] {
        assert_eq!(tested.send(data(reader, SEDP_WRITER, 1, &[])).0, Verdict::Pass);
    }
}

#[test]
fn what_is_not_rtps_is_dropped() {
    let mut tested = Tested::new();
    for other in [&b""[..], b"RTPS", b"RTPX\x02\x04\x01\x12prefix12byte", &[0; 100]] {
        assert_eq!(tested.check(&mut other.to_vec()), Verdict::Drop(Reason::NotRtps));
    }
}

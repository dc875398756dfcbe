//! Any datagrams through the filter; see `tests/fuzz`.

use std::time::Duration;

use bridgehead_ros2_node::wall_clock;

use super::filter::Filter;
use super::limits::{MAX_ADVANCE, MAX_ANNOUNCED, MAX_INCOMPLETE, MAX_NUMBER, MAX_SAMPLE};
use super::reason::Verdict;
use super::wire::{Entity, HEADER, Submessage, kind, place};

/// Any bytes as a series of datagrams, each behind its length in two bytes (little endian): what passes the filter is
/// harmless for `rustdds`.
///
/// # Panics
/// Panics if a datagram that passed is not harmless.
pub fn datagrams(bytes: &[u8]) -> bool {
    let mut has_passed = false;
    let matched = |_: Entity| vec![[0, 0, 0, 4], [0, 0, 1, 4]];
    let (mut filter, mut now, mut rest) = (Filter::new(), wall_clock::now(), bytes);
    while let Some((length, after)) = rest.split_first_chunk() {
        let (datagram, after) = after.split_at(usize::from(u16::from_le_bytes(*length)).min(after.len()));
        let mut datagram = datagram.to_vec();
        if !matches!(filter.check(&mut datagram, &matched, now), Verdict::Drop(_)) {
            assert_harmless(&mut datagram);
            has_passed = true;
        }
        assert!(filter.fragments.charged() <= MAX_INCOMPLETE, "the memory for fragments is limited");
        now += Duration::from_millis(1);
        rest = after;
    }
    has_passed
}

/// Fails if a datagram that passed contains a number that `rustdds` does not process in bounded time and memory.
///
/// # Panics
/// Panics with the number.
pub(super) fn assert_harmless(datagram: &mut [u8]) {
    let mut at = HEADER;
    while let Some(place) = place(datagram, at) {
        at = place.body.end;
        let part = Submessage::at(datagram, &place).expect("one");
        let number = |at| part.number(at).expect("a number");
        match part.kind() {
            kind::HEARTBEAT => assert!(number(16) - number(8) < MAX_ANNOUNCED && number(16) < MAX_NUMBER),
            kind::GAP => assert!(number(16) - number(8) <= MAX_ADVANCE && number(16) < MAX_NUMBER),
            kind::DATA_FRAG => {
                let size = part.u32(28).expect("a size");
                assert!(size <= MAX_SAMPLE && size >= u32::from(part.u16(26).expect("a size")));
            }
            kind::NACK_FRAG => assert!(part.u32(16).expect("a fragment").checked_add(256).is_some()),
            _ => {}
        }
    }
}

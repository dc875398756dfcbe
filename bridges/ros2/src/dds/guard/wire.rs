//! Reads and changes RTPS datagrams in place (RTPS 2.5, chapter 9.4).
//!
//! The rules for the chain of submessages are those of `rustdds`, so that both find the same submessages.

use std::ops::Range;

/// Size of the header of a datagram.
pub(super) const HEADER: usize = 20;
/// Size of the header of a submessage.
const SUBMESSAGE_HEADER: usize = 4;

/// Kinds of submessages.
pub(super) mod kind {
    pub(crate) const PAD: u8 = 0x01;
    pub(crate) const ACKNACK: u8 = 0x06;
    pub(crate) const HEARTBEAT: u8 = 0x07;
    pub(crate) const GAP: u8 = 0x08;
    pub(crate) const INFO_TS: u8 = 0x09;
    pub(crate) const INFO_SRC: u8 = 0x0c;
    pub(crate) const INFO_DST: u8 = 0x0e;
    pub(crate) const INFO_REPLY: u8 = 0x0f;
    pub(crate) const NACK_FRAG: u8 = 0x12;
    pub(crate) const HEARTBEAT_FRAG: u8 = 0x13;
    pub(crate) const DATA: u8 = 0x15;
    pub(crate) const DATA_FRAG: u8 = 0x16;
    /// One of those that vendors define for themselves, which receivers skip.
    pub(crate) const SKIPPED: u8 = 0xff;
}

/// Flags of submessages.
pub(super) mod flag {
    pub(crate) const LITTLE_ENDIAN: u8 = 0x01;
    pub(crate) const INLINE_QOS: u8 = 0x02;
    /// Of DATA: it has the value of its sample, and not only the key of one that is disposed.
    pub(crate) const VALUE: u8 = 0x04;
    /// Of INFO_TS: it has no time stamp.
    pub(crate) const INVALIDATE: u8 = 0x02;
}

/// The id of a parameter that ends a list, and of the address of a participant.
const SENTINEL: u16 = 0x0001;
const PARTICIPANT_GUID: u16 = 0x0050;

/// The bytes of an endpoint within its participant.
pub(super) type Entity = [u8; 4];
/// The bytes of a participant.
pub(super) type Prefix = [u8; 12];

/// Returns the participant that sent a datagram; `None` if it is not RTPS 2.
pub(super) fn sender(datagram: &[u8]) -> Option<Prefix> {
    let is_rtps = datagram.starts_with(b"RTPS\x02");
    datagram.get(8..HEADER).filter(|_| is_rtps)?.try_into().ok()
}

/// Position of a submessage in a datagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) body: Range<usize>,
}

/// Returns the submessage at `start`; `None` if it is cut off.
pub(super) fn place(datagram: &[u8], start: usize) -> Option<Place> {
    let header: [u8; SUBMESSAGE_HEADER] = datagram.get(start..)?.first_chunk().copied()?;
    let [kind, flags, a, b] = header;
    let is_little = flags & flag::LITTLE_ENDIAN != 0;
    let length = if is_little { u16::from_le_bytes([a, b]) } else { u16::from_be_bytes([a, b]) };
    let begin = start + SUBMESSAGE_HEADER;
    let end = match (length, kind) {
        (0, kind::PAD | kind::INFO_TS) => begin,
        (0, _) => datagram.len(),
        (length, _) => begin + usize::from(length),
    };
    (end <= datagram.len()).then_some(Place { start, body: begin..end })
}

/// Returns true if the submessages fill the datagram.
pub(super) fn is_chain(datagram: &[u8]) -> bool {
    let mut at = HEADER;
    while at < datagram.len() {
        let Some(place) = place(datagram, at) else { return false };
        at = place.body.end;
    }
    true
}

/// A submessage. Reading beyond its end returns `None`.
pub(super) struct Submessage<'a> {
    header: &'a mut [u8],
    pub(super) body: &'a mut [u8],
}

impl<'a> Submessage<'a> {
    pub(super) fn at(datagram: &'a mut [u8], place: &Place) -> Option<Self> {
        let bytes = datagram.get_mut(place.start..place.body.end)?;
        let (header, body) = bytes.split_at_mut_checked(SUBMESSAGE_HEADER)?;
        Some(Submessage { header, body })
    }

    pub(super) fn kind(&self) -> u8 {
        self.header.first().copied().unwrap_or(kind::SKIPPED)
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.header.get(1).is_some_and(|flags| flags & flag != 0)
    }

    /// Makes receivers skip it.
    pub(super) fn skip(&mut self) {
        if let Some(kind) = self.header.first_mut() {
            *kind = kind::SKIPPED;
        }
    }

    pub(super) fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.body.get(at..)?.first_chunk().copied()
    }

    fn ordered<const N: usize>(&self, mut bytes: [u8; N]) -> [u8; N] {
        if !self.has(flag::LITTLE_ENDIAN) {
            bytes.reverse();
        }
        bytes
    }

    pub(super) fn u16(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.ordered(self.array(at)?)))
    }

    pub(super) fn u32(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.ordered(self.array(at)?)))
    }

    /// Returns a sequence number: its high word comes first in both byte orders.
    pub(super) fn number(&self, at: usize) -> Option<i64> {
        let high = i64::from(self.u32(at)?.cast_signed());
        Some((high << 32) + i64::from(self.u32(at + 4)?))
    }

    pub(super) fn set_u32(&mut self, at: usize, value: u32) {
        let bytes = self.ordered(value.to_le_bytes());
        self.set(at, bytes);
    }

    pub(super) fn set_number(&mut self, at: usize, value: i64) {
        let [l0, l1, l2, l3, h0, h1, h2, h3] = value.to_le_bytes();
        self.set_u32(at, u32::from_le_bytes([h0, h1, h2, h3]));
        self.set_u32(at + 4, u32::from_le_bytes([l0, l1, l2, l3]));
    }

    pub(super) fn set<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        if let Some(to) = self.body.get_mut(at..at + N) {
            to.copy_from_slice(&bytes);
        }
    }

    /// Returns the number of bits of a set at `at`, after its base, if it is complete.
    pub(super) fn set_bits(&self, at: usize) -> Option<u32> {
        let bits = self.u32(at).filter(|bits| *bits <= 256)?;
        let bytes = bits.div_ceil(32) * 4;
        self.body.get(at + 4..)?.get(..bytes as usize)?;
        Some(bits)
    }

    /// Clears all bits of a set except the first `kept`, and returns true if one remains. The first bit is the highest
    /// of the first word.
    pub(super) fn keep_bits(&mut self, at: usize, bits: u32, kept: u32) -> bool {
        let mut remains = false;
        for word in 0..bits.div_ceil(32) {
            let place = at + 4 + (word * 4) as usize;
            let cleared = 32 - kept.saturating_sub(word * 32).min(32);
            let mask = u32::MAX.checked_shl(cleared).unwrap_or(0);
            let value = self.u32(place).unwrap_or(0) & mask;
            remains |= value != 0;
            self.set_u32(place, value);
        }
        remains
    }

    /// Returns where the payload of a DATA or DATA_FRAG begins, whose own fields end at `end`; `None` if its inline QoS
    /// is malformed.
    pub(super) fn payload(&self, end: usize) -> Option<usize> {
        // The distance to the inline QoS counts from the end of its own field.
        const DISTANCE: usize = 2;
        let qos = DISTANCE + 2 + usize::from(self.u16(DISTANCE)?);
        if qos < end || qos > self.body.len() {
            return None;
        }
        if self.has(flag::INLINE_QOS) { self.end_of_parameters(qos) } else { Some(qos) }
    }

    fn end_of_parameters(&self, mut at: usize) -> Option<usize> {
        loop {
            let (id, length) = (self.u16(at)?, self.u16(at + 2)?);
            at += 4;
            if id == SENTINEL {
                return Some(at);
            }
            at += usize::from(length);
        }
    }

    /// Returns the participant that the payload at `at` announces: a list of parameters with its own byte order.
    pub(super) fn announced(&self, at: usize) -> Option<Prefix> {
        let [_, representation] = self.array::<2>(at)?;
        let is_little = representation & 1 != 0;
        let word = |at| {
            let bytes = self.array::<2>(at)?;
            Some(if is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
        };
        let mut at = at + 4;
        loop {
            let (id, length) = (word(at)?, word(at + 2)?);
            at += 4;
            match id {
                PARTICIPANT_GUID => return self.array(at),
                SENTINEL => return None,
                _ => at += usize::from(length),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn datagram(parts: &[(u8, u8, u16, &[u8])]) -> Vec<u8> {
        let mut bytes = b"RTPS\x02\x04\x01\x12prefix12byte".to_vec();
        for (kind, flags, length, body) in parts {
            bytes.extend([*kind, *flags]);
            let is_little = flags & flag::LITTLE_ENDIAN != 0;
            bytes.extend(if is_little { length.to_le_bytes() } else { length.to_be_bytes() });
            bytes.extend(*body);
        }
        bytes
    }

    fn kinds(bytes: &mut [u8]) -> Vec<u8> {
        let (mut at, mut kinds) = (HEADER, Vec::new());
        while let Some(place) = place(bytes, at) {
            kinds.push(Submessage::at(bytes, &place).expect("one").kind());
            at = place.body.end;
        }
        kinds
    }

    #[test]
    fn a_length_of_zero_extends_to_the_end_except_of_pads_and_time_stamps() {
        let mut bytes =
            datagram(&[(kind::PAD, 1, 0, &[]), (kind::INFO_TS, 3, 0, &[]), (kind::DATA, 1, 0, &[1; 24])]);
        assert!(is_chain(&bytes));
        assert_eq!(kinds(&mut bytes), [kind::PAD, kind::INFO_TS, kind::DATA]);
        assert_eq!(sender(&bytes), Some(*b"prefix12byte"));
    }

    #[test]
    fn a_submessage_that_is_cut_off_is_not_in_a_chain() {
        for bytes in [
            datagram(&[(kind::GAP, 1, 28, &[0; 27])]),
            datagram(&[(kind::GAP, 0, 28, &[0; 27])]),
            [&datagram(&[])[..], &[7, 1, 0]].concat(),
        ] {
            assert!(!is_chain(&bytes));
        }
        assert_eq!((sender(b"RTPS\x01"), sender(&[0; 40])), (None, None));
    }

    #[test]
    fn numbers_are_read_and_written_in_both_byte_orders() {
        let number = (3 << 32) + 7;
        for (flags, expected) in [(0, [0, 0, 0, 3, 0, 0, 0, 7]), (1, [3, 0, 0, 0, 7, 0, 0, 0])] {
            let mut bytes = datagram(&[(kind::GAP, flags, 16, &[0; 16])]);
            let place = place(&bytes, HEADER).expect("one");
            let mut part = Submessage::at(&mut bytes, &place).expect("one");
            part.set_number(8, number);
            part.set(0, if flags == 0 { [1, 2] } else { [2, 1] });
            assert_eq!((part.number(8), part.u16(0), part.number(9)), (Some(number), Some(0x0102), None));
            assert_eq!(part.body[8..], expected);
            part.set_number(8, -1);
            assert_eq!(part.number(8), Some(-1));
        }
    }

    #[test]
    fn payloads_begin_after_the_inline_qos() {
        let mut body = vec![0, 0, 16, 0];
        body.extend([0; 16]);
        body.extend([0x70, 0, 4, 0, 9, 9, 9, 9, 1, 0, 0, 0, b'x']);
        for (flags, expected) in [(1, Some(20)), (3, Some(32))] {
            let mut bytes = datagram(&[(kind::DATA, flags, 0, &body)]);
            let place = place(&bytes, HEADER).expect("one");
            assert_eq!(Submessage::at(&mut bytes, &place).expect("one").payload(20), expected);
        }
        // Without a sentinel, and with a distance into its own fields.
        for (at, value) in [(28, 2), (2, 15)] {
            let mut bytes = datagram(&[(kind::DATA, 3, 0, &body)]);
            bytes[HEADER + SUBMESSAGE_HEADER + at] = value;
            let place = place(&bytes, HEADER).expect("one");
            assert_eq!(Submessage::at(&mut bytes, &place).expect("one").payload(20), None);
        }
    }
}

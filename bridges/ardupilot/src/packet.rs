//! The packets of ArduPilot: a magic number, the wanted rate, the number of the frame, and pulse widths.

/// Magic number of a packet with 16 channels, and with 32.
const MAGICS: [(u16, usize); 2] = [(18_458, 16), (29_569, 32)];
/// Bytes before the pulse widths.
const HEAD: usize = 8;
/// Longest packet.
pub(crate) const MAX: usize = HEAD + 2 * 32;

/// A packet of the autopilot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packet {
    /// Frames per second that it wants; 0 if it does not say.
    pub(crate) rate: u16,
    /// Number of the frame: the same again if the answer was lost, and a small one after a restart.
    pub(crate) frame: u32,
    /// Pulse widths, microseconds; 0 for a channel without output.
    pub(crate) pulses: Vec<u16>,
}

impl Packet {
    /// Reads a packet, little-endian. Returns `None` if it is none.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<2>();
        let word = |index: usize| words.get(index).map(|word| u16::from_le_bytes(*word));
        let channels = MAGICS.into_iter().find(|(magic, _)| Some(*magic) == word(0))?.1;
        let pulses = words.get(HEAD / 2..)?;
        if !rest.is_empty() || pulses.len() != channels {
            return None;
        }
        Some(Packet {
            rate: word(1)?,
            frame: u32::from(word(2)?) | u32::from(word(3)?) << 16,
            pulses: pulses.iter().map(|word| u16::from_le_bytes(*word)).collect(),
        })
    }
}

#[cfg(test)]
pub(crate) fn bytes_of(magic: u16, rate: u16, frame: u32, pulses: &[u16]) -> Vec<u8> {
    let mut bytes = [magic.to_le_bytes(), rate.to_le_bytes()].concat();
    bytes.extend(frame.to_le_bytes());
    bytes.extend(pulses.iter().flat_map(|pulse| pulse.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_of_both_sizes_are_read() {
        for (magic, channels) in MAGICS {
            let pulses: Vec<u16> = (1000..).take(channels).collect();
            let read = Packet::read(&bytes_of(magic, 400, 0x0102_0304, &pulses));
            assert_eq!(read, Some(Packet { rate: 400, frame: 0x0102_0304, pulses }));
        }
    }

    #[test]
    fn everything_else_is_none() {
        let whole = bytes_of(18_458, 400, 1, &[1500; 16]);
        for len in 0..whole.len() {
            assert_eq!(Packet::read(&whole[..len]), None, "{len} bytes");
        }
        assert_eq!(Packet::read(&[&whole[..], &[0]].concat()), None);
        assert_eq!(Packet::read(&[&whole[..], &[0, 0]].concat()), None);
        assert_eq!(
            Packet::read(&bytes_of(18_458, 400, 1, &[1500; 32])),
            None,
            "the magic number of 16 channels"
        );
        assert_eq!(Packet::read(&bytes_of(1, 400, 1, &[1500; 16])), None);
    }
}

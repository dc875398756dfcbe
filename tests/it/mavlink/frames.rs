//! Frames of MAVLink, written from the description of the protocol.

/// Returns the checksum of MAVLink, CRC-16/MCRF4XX.
fn checksum(bytes: impl IntoIterator<Item = u8>) -> u16 {
    bytes.into_iter().fold(0xffff, |sum: u16, byte| {
        (0..8).fold(sum ^ u16::from(byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0x8408 } else { sum >> 1 })
    })
}

/// Returns a frame of MAVLink 2 by system 1, component 1. Zeros at the end of the payload are left out.
pub(super) fn frame((id, salt): (u32, u8), payload: &[u8]) -> Vec<u8> {
    let len = payload.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
    let [low, middle, high, _] = id.to_le_bytes();
    let mut bytes = vec![0xfd, u8::try_from(len).expect("at most 255"), 0, 0, 0, 1, 1, low, middle, high];
    bytes.extend(&payload[..len]);
    let sum = checksum(bytes[1..].iter().copied().chain([salt]));
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Returns a frame of MAVLink 1.
pub(super) fn first_version((id, salt): (u32, u8), payload: &[u8]) -> Vec<u8> {
    let len = u8::try_from(payload.len()).expect("at most 255");
    let mut bytes = vec![0xfe, len, 0, 1, 1, u8::try_from(id).expect("at most 255")];
    bytes.extend(payload);
    let sum = checksum(bytes[1..].iter().copied().chain([salt]));
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Takes the whole frames of MAVLink 2 from bytes: numbers and payloads, with the zeros that were left out.
///
/// # Panics
/// Panics if the bytes are anything else, or a checksum is wrong: the bridge sends nothing else.
pub(super) fn frames(bytes: &mut Vec<u8>, salts: &[(u32, u8)]) -> Vec<(u32, Vec<u8>)> {
    let mut found = Vec::new();
    while bytes.len() >= 12 && bytes.len() >= usize::from(bytes[1]) + 12 {
        let rest = bytes.split_off(usize::from(bytes[1]) + 12);
        let frame = std::mem::replace(bytes, rest);
        assert_eq!((frame[0], frame[2], frame[5], frame[6]), (0xfd, 0, 1, 200), "{frame:?}");
        let id = u32::from_le_bytes([frame[7], frame[8], frame[9], 0]);
        let salt = salts.iter().find(|(known, _)| *known == id).expect("a message of simulators").1;
        let end = frame.len() - 2;
        let sum = checksum(frame[1..end].iter().copied().chain([salt]));
        assert_eq!(frame[end..], sum.to_le_bytes(), "the checksum of message {id}");
        let mut payload = frame[10..end].to_vec();
        payload.resize(255, 0);
        found.push((id, payload));
    }
    found
}

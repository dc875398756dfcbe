//! Frames of WebSocket as bytes, right and wrong ones.

use super::random::Random;

/// Opcodes.
pub(super) const TEXT: u8 = 1;
pub(super) const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;

/// Lengths that no server accepts.
const LENGTHS: [u64; 6] = [17 << 20, 1 << 31, 1 << 40, i64::MAX as u64, 1 << 63, u64::MAX];
/// Codes of close frames, most of which must not be sent.
const CODES: [u16; 8] = [0, 999, 1000, 1004, 1005, 1015, 2999, 65535];

/// Returns a frame as a client sends it.
pub(super) fn frame(random: &mut Random, is_last: bool, opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = head(is_last, opcode, 0x80, u64::try_from(payload.len()).expect("64 bits"));
    append_masked(random, payload, &mut bytes);
    bytes
}

/// Returns the first bytes of a frame. `mask` is 0x80 if it says that a mask follows.
fn head(is_last: bool, opcode: u8, mask: u8, length: u64) -> Vec<u8> {
    let mut bytes = vec![if is_last { 0x80 } else { 0 } | opcode];
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(small), _) if small < 126 => bytes.push(mask | small),
        (_, Ok(short)) => {
            bytes.push(mask | 126);
            bytes.extend(short.to_be_bytes());
        }
        _ => {
            bytes.push(mask | 127);
            bytes.extend(length.to_be_bytes());
        }
    }
    bytes
}

fn append_masked(random: &mut Random, payload: &[u8], bytes: &mut Vec<u8>) {
    let mask = random.bytes(4);
    bytes.extend(&mask);
    bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
}

/// Returns a message in several frames, with control frames between them.
pub(super) fn fragmented(random: &mut Random, opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = payload;
    let mut opcode = opcode;
    while !rest.is_empty() {
        let (part, after) = rest.split_at(1 + random.below(rest.len()));
        rest = after;
        bytes.extend(frame(random, rest.is_empty(), opcode, part));
        opcode = 0;
        if random.once_in(3) {
            let content = random.bytes(5);
            bytes.extend(frame(random, true, PING, &content));
        }
    }
    bytes
}

/// Returns a control frame: allowed, too long, in parts, or a close frame with a wrong code or text.
pub(super) fn control(random: &mut Random) -> Vec<u8> {
    let opcode = 8 + u8::try_from(random.below(3)).expect("small");
    match random.below(6) {
        0 => {
            let content = random.bytes(126);
            frame(random, true, opcode, &content)
        }
        1 => frame(random, false, opcode, b"a"),
        2 => {
            let mut content = random.one_of(&CODES).to_be_bytes().to_vec();
            content.extend_from_slice(if random.once_in(2) { b"bye" } else { b"\xff\xfe" });
            frame(random, true, CLOSE, &content)
        }
        3 => frame(random, true, CLOSE, b"\x03"),
        _ => {
            let content = random.bytes(20);
            frame(random, true, PING, &content)
        }
    }
}

/// Returns a frame that breaks a rule of RFC 6455, or the beginning of one.
pub(super) fn broken(random: &mut Random, payload: &[u8]) -> Vec<u8> {
    let length = u64::try_from(payload.len()).expect("64 bits");
    match random.below(8) {
        // Without a mask.
        0 => [head(true, TEXT, 0, length), payload.to_vec()].concat(),
        // With reserved bits, or an opcode that is not defined.
        1 => {
            let mut bytes = frame(random, true, TEXT, payload);
            bytes[0] ^= 0x10 << random.below(3);
            bytes
        }
        2 => {
            let opcode = 3 + u8::try_from(random.below(5)).expect("small");
            frame(random, true, opcode, payload)
        }
        // A continuation of nothing, or a second beginning.
        3 => frame(random, payload.len().is_multiple_of(2), 0, payload),
        4 => {
            let first = frame(random, false, TEXT, payload);
            [first, frame(random, true, TEXT, payload)].concat()
        }
        // More than anybody sends, or more than what follows.
        5 => {
            let length = *random.one_of(&LENGTHS);
            [head(true, BINARY, 0x80, length), random.bytes(20)].concat()
        }
        6 => {
            let longer = length + 1 + u64::try_from(random.below(1000)).expect("small");
            let mut bytes = head(true, TEXT, 0x80, longer);
            append_masked(random, payload, &mut bytes);
            bytes
        }
        // A length in more bytes than it needs.
        _ => {
            let mut bytes = vec![0x81, 0x80 | 127];
            bytes.extend(length.to_be_bytes());
            append_masked(random, payload, &mut bytes);
            bytes
        }
    }
}

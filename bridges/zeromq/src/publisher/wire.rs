//! ZMTP 3.0, the protocol of ZeroMQ on TCP (RFC 23), as far as a publisher needs it: the greeting, frames and commands. Pure
//! functions; nothing here waits or allocates what a peer announces.

/// Length of a greeting.
pub(super) const GREETING: usize = 64;
/// Most bytes before the body of a frame: its flags and its length.
const MAX_FRAME_HEAD: usize = 9;
/// Longest frame that a subscriber may send, in bytes: a subscription, or metadata of a connection.
pub(super) const MAX_FRAME: usize = 4 << 10;

/// Flags of a frame.
const MORE: u8 = 1;
const LONG: u8 = 2;
const COMMAND: u8 = 4;

/// Mechanism of peers without encryption and authentication.
const MECHANISM: &[u8; 20] = b"NULL\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
/// What is to be repeated to a peer that asks whether this one lives, at most.
const MAX_PING_CONTEXT: usize = 16;

/// Why a peer is disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault(pub(super) &'static str);

/// Returns the greeting of this end: a signature, version 3.0, the mechanism, and padding.
pub(super) fn greeting() -> [u8; GREETING] {
    let mut bytes = [0; GREETING];
    (bytes[0], bytes[9], bytes[10]) = (0xff, 0x7f, 3);
    bytes[12..32].copy_from_slice(MECHANISM);
    bytes
}

/// Checks the beginning of a peer's greeting, as far as it has arrived. Returns true if it is complete.
pub(super) fn check_greeting(bytes: &[u8]) -> Result<bool, Fault> {
    let is = |place: usize, accepts: fn(u8) -> bool| bytes.get(place).copied().is_none_or(accepts);
    if !is(0, |byte| byte == 0xff) || !is(9, |byte| byte & 1 == 1) {
        return Err(Fault("it does not speak ZeroMQ"));
    }
    if !is(10, |version| version >= 3) {
        return Err(Fault("its version of ZeroMQ is older than 4"));
    }
    if bytes.get(12..32).is_some_and(|mechanism| mechanism != MECHANISM) {
        return Err(Fault("it asks for a password or for encryption"));
    }
    Ok(bytes.len() >= GREETING)
}

/// A frame that a subscriber sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame<'a> {
    /// Its properties, of which the type of its socket is one.
    Ready(&'a [u8]),
    /// Topics that begin so are received from now on.
    Subscribe(&'a [u8]),
    /// They are no longer.
    Cancel(&'a [u8]),
    /// The peer asks whether this end lives; the context is sent back.
    Ping(&'a [u8]),
    /// Something that a publisher does not act on.
    Other,
}

/// Takes a frame from the beginning of what has arrived. Returns it and its length, or `None` if it is incomplete.
pub(super) fn take_frame(bytes: &[u8]) -> Result<Option<(Frame<'_>, usize)>, Fault> {
    let Some((&flags, rest)) = bytes.split_first() else { return Ok(None) };
    if flags & !(MORE | LONG | COMMAND) != 0 {
        return Err(Fault("it sends a frame with unknown flags"));
    }
    let (length, rest) = if flags & LONG == 0 {
        let Some((&length, rest)) = rest.split_first() else { return Ok(None) };
        (u64::from(length), rest)
    } else {
        let Some((length, rest)) = rest.split_first_chunk() else { return Ok(None) };
        (u64::from_be_bytes(*length), rest)
    };
    let length = usize::try_from(length).ok().filter(|length| *length <= MAX_FRAME);
    let Some(length) = length else {
        return Err(Fault("it sends a frame that is too long for a subscription"));
    };
    let Some(body) = rest.get(..length) else { return Ok(None) };
    let frame = if flags & COMMAND == 0 { message(body) } else { command(body)? };
    Ok(Some((frame, bytes.len() - rest.len() + length)))
}

fn message(body: &[u8]) -> Frame<'_> {
    match body.split_first() {
        Some((1, topic)) => Frame::Subscribe(topic),
        Some((0, topic)) => Frame::Cancel(topic),
        _ => Frame::Other,
    }
}

fn command(body: &[u8]) -> Result<Frame<'_>, Fault> {
    let named = body.split_first().and_then(|(&length, rest)| rest.split_at_checked(length.into()));
    match named {
        Some((b"READY", properties)) => Ok(Frame::Ready(properties)),
        Some((b"SUBSCRIBE", topic)) => Ok(Frame::Subscribe(topic)),
        Some((b"CANCEL", topic)) => Ok(Frame::Cancel(topic)),
        // Two bytes before the context say how long the peer waits.
        Some((b"PING", ping)) => match ping.get(2..) {
            Some(context) if context.len() <= MAX_PING_CONTEXT => Ok(Frame::Ping(context)),
            _ => Err(Fault("it sends a damaged PING")),
        },
        Some((b"ERROR", _)) => Err(Fault("it refuses the connection")),
        Some(_) => Ok(Frame::Other),
        None => Err(Fault("it sends a damaged command")),
    }
}

/// Checks that a peer is a subscriber, given the properties of its `READY`.
pub(super) fn check_ready(mut properties: &[u8]) -> Result<(), Fault> {
    while let Some((name, value, rest)) = take_property(properties) {
        if name.eq_ignore_ascii_case(b"Socket-Type") {
            let is_subscriber = value == b"SUB" || value == b"XSUB";
            return if is_subscriber { Ok(()) } else { Err(Fault("its socket is not a subscriber")) };
        }
        properties = rest;
    }
    Err(Fault("it does not tell the type of its socket"))
}

fn take_property(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (&length, rest) = bytes.split_first()?;
    let (name, rest) = rest.split_at_checked(length.into())?;
    let (length, rest) = rest.split_first_chunk()?;
    let (value, rest) = rest.split_at_checked(u32::from_be_bytes(*length).try_into().ok()?)?;
    Some((name, value, rest))
}

/// Returns the `READY` of a publisher.
pub(super) fn ready() -> Vec<u8> {
    let mut body = b"\x05READY\x0bSocket-Type".to_vec();
    body.extend(3_u32.to_be_bytes());
    body.extend(b"PUB");
    framed(COMMAND, &body)
}

/// Returns the answer to a `PING`.
pub(super) fn pong(context: &[u8]) -> Vec<u8> {
    framed(COMMAND, &[b"\x04PONG", context].concat())
}

fn framed(flags: u8, body: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(MAX_FRAME_HEAD + body.len());
    put_head(&mut frame, flags, body.len());
    frame.extend(body);
    frame
}

fn put_head(frame: &mut Vec<u8>, flags: u8, length: usize) {
    if let Ok(length) = u8::try_from(length) {
        frame.extend([flags, length]);
    } else {
        frame.push(flags | LONG);
        frame.extend((length as u64).to_be_bytes());
    }
}

/// Returns the bytes around the last but one of several frames, so that it need not be copied: what precedes it, and what
/// follows it.
pub(super) fn around(before: &[&[u8]], body: &[u8], after: &[u8]) -> [Vec<u8>; 2] {
    let mut head = Vec::new();
    for frame in before {
        put_head(&mut head, MORE, frame.len());
        head.extend(*frame);
    }
    put_head(&mut head, MORE, body.len());
    [head, framed(0, after)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_is_checked_as_it_arrives() {
        let greeting = greeting();
        for length in 0..GREETING {
            assert_eq!(check_greeting(&greeting[..length]), Ok(false), "{length}");
        }
        assert_eq!(check_greeting(&greeting), Ok(true));
        for (place, byte, expected) in
            [(0, b'G', "does not speak"), (9, 0, "does not speak"), (10, 2, "older"), (12, b'P', "password")]
        {
            let mut damaged = greeting;
            damaged[place] = byte;
            let fault = check_greeting(&damaged).expect_err("damaged");
            assert!(fault.0.contains(expected), "{place}: {fault:?}");
        }
    }

    #[test]
    fn subscriptions_of_both_forms_are_frames() {
        assert_eq!(take_frame(b"\0\x03\x01ab"), Ok(Some((Frame::Subscribe(b"ab"), 5))));
        assert_eq!(take_frame(b"\0\x01\0rest"), Ok(Some((Frame::Cancel(b""), 3))));
        assert_eq!(take_frame(b"\x04\x0b\x09SUBSCRIBEa"), Ok(Some((Frame::Subscribe(b"a"), 13))));
        assert_eq!(take_frame(b"\x04\x08\x06CANCELa"), Ok(Some((Frame::Cancel(b"a"), 10))));
        assert_eq!(take_frame(b"\x04\x09\x04PING\0\x05xy"), Ok(Some((Frame::Ping(b"xy"), 11))));
        assert_eq!(take_frame(b"\x06\0\0\0\0\0\0\0\x02\x01J"), Ok(Some((Frame::Other, 11))));
    }

    #[test]
    fn what_is_incomplete_waits_and_what_is_damaged_is_refused() {
        let whole = b"\x02\0\0\0\0\0\0\0\x03\x01ab";
        for length in 0..whole.len() {
            assert_eq!(take_frame(&whole[..length]), Ok(None), "{length}");
        }
        let too_long = [&[LONG][..], &u64::MAX.to_be_bytes()].concat();
        for damaged in [&b"\x08\0"[..], &too_long, b"\x04\0", b"\x04\x02\x09S", b"\x04\x06\x04PING\0"] {
            assert!(take_frame(damaged).is_err(), "{damaged:?}");
        }
    }

    #[test]
    fn only_subscribers_are_accepted() {
        let ready = |kind: &[u8]| {
            let length = u32::try_from(kind.len()).expect("short").to_be_bytes();
            [&b"\x08Identity\0\0\0\0\x0bsocket-type"[..], &length, kind].concat()
        };
        assert_eq!(check_ready(&ready(b"SUB")), Ok(()));
        assert_eq!(check_ready(&ready(b"XSUB")), Ok(()));
        assert!(check_ready(&ready(b"PUB")).is_err());
        assert!(check_ready(b"").is_err());
        assert!(check_ready(b"\x0bSocket-Type\xff\xff\xff\xffSUB").is_err());
    }

    #[test]
    fn a_message_is_framed_around_its_body() {
        let [head, tail] = around(&[b"topic", b"address"], &[7; 300], b"type");
        assert_eq!(head, b"\x01\x05topic\x01\x07address\x03\0\0\0\0\0\0\x01\x2c");
        assert_eq!(tail, b"\0\x04type");
    }
}

//! The bytes of the step channel: the greeting, frames, and the bodies of requests and answers. Little-endian. Plain
//! functions, without a socket.

use super::error::Refusal;

/// First bytes of both greetings.
pub(super) const MAGIC: &[u8; 8] = b"BHSTEPS\0";
/// The version of the protocol.
pub(super) const VERSION: u32 = 1;
/// Bytes of the greeting of a client: magic, version, and four zeros.
pub(super) const GREETING: usize = 16;
/// Bytes before the body of a frame: its length and its kind.
pub(super) const HEADER: usize = 8;
/// Longest body of a request.
pub(super) const MAX_BODY: usize = 16 << 20;
/// Bytes of the body of a state before the observations.
const STATE: usize = 32;
/// Kind of an answer that is an error.
const ERROR: u32 = 0;

/// Since the last answer, time has begun anew.
pub(super) const RESET: u32 = 1;
/// The run has ended.
pub(super) const ENDED: u32 = 1 << 1;
/// The run has ended as a success.
pub(super) const SUCCEEDED: u32 = 1 << 2;
/// The run has ended as a failure, or was aborted.
pub(super) const FAILED: u32 = 1 << 3;
/// Fewer steps have run than were requested.
pub(super) const CUT_SHORT: u32 = 1 << 4;
/// An array has more elements than were declared.
pub(super) const OVERLONG: u32 = 1 << 5;
/// Something that is observed does not exist any more.
pub(super) const MISSING: u32 = 1 << 6;

/// What a client may request; the number is the kind of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Declare = 1,
    Step = 2,
    Reset = 3,
    Save = 4,
    Restore = 5,
    Forget = 6,
    Close = 7,
}

impl Kind {
    const ALL: [Kind; 7] =
        [Kind::Declare, Kind::Step, Kind::Reset, Kind::Save, Kind::Restore, Kind::Forget, Kind::Close];

    fn number(self) -> u32 {
        self as u32
    }
}

/// A request, as its frame has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Request<'a> {
    /// Lines that say what is sent and read.
    Declare(&'a str),
    /// Steps to run, and the numbers of the commands as bytes.
    Step {
        steps: u32,
        values: Values<'a>,
    },
    Reset,
    /// The name of a snapshot.
    Save(&'a str),
    Restore(&'a str),
    Forget(&'a str),
    Close,
}

/// Numbers in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Values<'a>(&'a [u8]);

impl Values<'_> {
    /// Replaces the content of `into` by the numbers.
    pub(super) fn copy_to(self, into: &mut Vec<f64>) {
        into.clear();
        into.extend(self.0.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)));
    }
}

/// Checks the greeting of a client.
pub(super) fn check_greeting(bytes: &[u8; GREETING]) -> Result<(), Refusal> {
    let [magic @ .., v0, v1, v2, v3, _, _, _, _] = bytes;
    if magic != MAGIC {
        return Err(Refusal::NoClient);
    }
    match u32::from_le_bytes([*v0, *v1, *v2, *v3]) {
        VERSION => Ok(()),
        found => Err(Refusal::Version { found, own: VERSION }),
    }
}

/// Appends the greeting of the host. A text says why the client is refused.
pub(super) fn put_greeting(out: &mut Vec<u8>, refusal: &str) {
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&number(refusal.len()).to_le_bytes());
    out.extend_from_slice(refusal.as_bytes());
}

/// Returns kind and length of the body of the next frame.
pub(super) fn header(bytes: &[u8; HEADER]) -> Result<(Kind, usize), Refusal> {
    let [l0, l1, l2, l3, k0, k1, k2, k3] = *bytes;
    let (length, kind) = (u32::from_le_bytes([l0, l1, l2, l3]), u32::from_le_bytes([k0, k1, k2, k3]));
    let known = Kind::ALL.into_iter().find(|known| known.number() == kind);
    let kind = known.ok_or(Refusal::UnknownKind { kind })?;
    match usize::try_from(length) {
        Ok(length) if length <= MAX_BODY => Ok((kind, length)),
        Ok(_) | Err(_) => Err(Refusal::TooLong { length, limit: MAX_BODY }),
    }
}

/// Reads the body of a request.
pub(super) fn request(kind: Kind, body: &[u8]) -> Result<Request<'_>, Refusal> {
    let malformed = |expected| Refusal::Malformed { kind: kind.number(), length: body.len(), expected };
    let text = || std::str::from_utf8(body).map_err(|_| malformed("text in UTF-8"));
    let empty = |request| if body.is_empty() { Ok(request) } else { Err(malformed("nothing")) };
    match kind {
        Kind::Declare => text().map(Request::Declare),
        Kind::Step => {
            let wrong = || malformed("the steps, the number of values, and 8 bytes for each value");
            let (steps, rest) = body.split_first_chunk().ok_or_else(wrong)?;
            let (count, values) = rest.split_first_chunk().ok_or_else(wrong)?;
            let count = usize::try_from(u32::from_le_bytes(*count)).ok();
            let is_whole = count.and_then(|count| count.checked_mul(size_of::<f64>())) == Some(values.len());
            let steps = u32::from_le_bytes(*steps);
            if is_whole { Ok(Request::Step { steps, values: Values(values) }) } else { Err(wrong()) }
        }
        Kind::Reset => empty(Request::Reset),
        Kind::Save => text().map(Request::Save),
        Kind::Restore => text().map(Request::Restore),
        Kind::Forget => text().map(Request::Forget),
        Kind::Close => empty(Request::Close),
    }
}

/// Appends an answer with a text.
pub(super) fn put_text(out: &mut Vec<u8>, kind: Kind, text: &str) {
    put_frame(out, kind.number(), text.as_bytes());
}

/// Appends an answer that is an error.
pub(super) fn put_error(out: &mut Vec<u8>, refusal: &Refusal) {
    put_frame(out, ERROR, refusal.to_string().as_bytes());
}

fn put_frame(out: &mut Vec<u8>, kind: u32, body: &[u8]) {
    out.extend_from_slice(&number(body.len()).to_le_bytes());
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(body);
}

/// Where and in which state the run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) time_ns: i64,
    pub(super) step: u64,
    pub(super) reset_epoch: u32,
    /// A number of `simulation_interfaces/msg/SimulationState`.
    pub(super) state: u32,
    pub(super) flags: u32,
}

/// Appends an answer with a state and the observations.
pub(super) fn put_state(out: &mut Vec<u8>, kind: Kind, moment: Moment, values: &[f64]) {
    let Moment { time_ns, step, reset_epoch, state, flags } = moment;
    out.reserve(HEADER + STATE + size_of_val(values));
    out.extend_from_slice(&number(STATE + size_of_val(values)).to_le_bytes());
    out.extend_from_slice(&kind.number().to_le_bytes());
    out.extend_from_slice(&time_ns.to_le_bytes());
    out.extend_from_slice(&step.to_le_bytes());
    for word in [reset_epoch, state, flags, number(values.len())] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    values.iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
}

/// Lengths are limited, so they fit.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greeting(magic: &[u8; 8], version: u32) -> [u8; GREETING] {
        let mut bytes = [0; GREETING];
        bytes[..8].copy_from_slice(magic);
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        bytes
    }

    #[test]
    fn only_the_own_magic_and_version_are_accepted() {
        assert!(check_greeting(&greeting(MAGIC, VERSION)).is_ok());
        let other = check_greeting(&greeting(b"GET / HT", VERSION)).expect_err("no client").to_string();
        assert!(other.starts_with("[BH-STP-011] "), "{other}");
        let later = check_greeting(&greeting(MAGIC, 7)).expect_err("another version").to_string();
        assert!(later.starts_with("[BH-STP-012] ") && later.contains("version 7"), "{later}");
    }

    #[test]
    fn headers_have_a_known_kind_and_a_limited_length() {
        let bytes = |length: u32, kind: u32| {
            let mut bytes = [0; HEADER];
            bytes[..4].copy_from_slice(&length.to_le_bytes());
            bytes[4..].copy_from_slice(&kind.to_le_bytes());
            bytes
        };
        assert_eq!(header(&bytes(16, 2)).expect("a step"), (Kind::Step, 16));
        assert_eq!(header(&bytes(16 << 20, 1)).expect("the longest"), (Kind::Declare, MAX_BODY));
        let text = |bytes: [u8; HEADER]| header(&bytes).expect_err("refused").to_string();
        assert!(text(bytes(u32::MAX, 2)).starts_with("[BH-STP-013] "));
        assert!(text(bytes(0, 0)).starts_with("[BH-STP-014] "), "an error is no request");
        assert!(text(bytes(0, 8)).contains("kind 8"));
        for kind in Kind::ALL {
            assert_eq!(header(&bytes(0, kind.number())).expect("known").0, kind);
        }
    }

    #[test]
    fn a_step_has_as_many_values_as_it_says() {
        let mut body = vec![3, 0, 0, 0, 2, 0, 0, 0];
        body.extend_from_slice(&0.5_f64.to_le_bytes());
        body.extend_from_slice(&f64::NEG_INFINITY.to_le_bytes());
        let Ok(Request::Step { steps: 3, values }) = request(Kind::Step, &body) else {
            panic!("three steps");
        };
        let mut numbers = vec![9.0];
        values.copy_to(&mut numbers);
        assert_eq!(numbers, [0.5, f64::NEG_INFINITY]);
        for length in 0..body.len() {
            let error = request(Kind::Step, &body[..length]).expect_err("too short").to_string();
            assert!(error.starts_with("[BH-STP-015] "), "{error}");
        }
        body[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(request(Kind::Step, &body).is_err());
    }

    #[test]
    fn bodies_of_other_requests_are_text_or_nothing() {
        assert_eq!(request(Kind::Save, b"start").expect("a name"), Request::Save("start"));
        assert!(request(Kind::Declare, b"\xff").is_err());
        assert_eq!(request(Kind::Reset, b"").expect("nothing"), Request::Reset);
        assert!(request(Kind::Close, b"x").is_err());
    }

    #[test]
    fn a_state_has_its_numbers_at_multiples_of_eight_bytes() {
        let moment = Moment { time_ns: -1, step: 2, reset_epoch: 3, state: 4, flags: 5 };
        let mut out = Vec::new();
        put_state(&mut out, Kind::Step, moment, &[1.5, -2.5]);
        let mut expected = Vec::new();
        expected.extend_from_slice(&48_u32.to_le_bytes());
        expected.extend_from_slice(&2_u32.to_le_bytes());
        expected.extend_from_slice(&(-1_i64).to_le_bytes());
        expected.extend_from_slice(&2_u64.to_le_bytes());
        for word in [3_u32, 4, 5, 2] {
            expected.extend_from_slice(&word.to_le_bytes());
        }
        assert_eq!((HEADER + STATE) % 8, 0);
        expected.extend_from_slice(&1.5_f64.to_le_bytes());
        expected.extend_from_slice(&(-2.5_f64).to_le_bytes());
        assert_eq!(out, expected);
    }
}

//! What each sample, request and reply carries beside its payload: its number, its time and its sender.

use super::gid::Gid;

/// Bytes of an attachment: two numbers, the length of the identity, and the identity.
const LENGTH: usize = 8 + 8 + 1 + 16;

/// The attachment of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attachment {
    /// Of a sample and a request, its number, from 1; of a reply, that of the request.
    pub(crate) sequence: i64,
    /// When it was sent, in nanoseconds since 1970.
    pub(crate) time_ns: i64,
    /// Of a sample and a request, the sender; of a reply, the sender of the request.
    pub(crate) gid: Gid,
}

/// Why an attachment cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// There is none.
    Missing,
    /// It has another length.
    Length(usize),
    /// Its identity has another length.
    GidLength(u8),
    /// A negative number or time: receivers of ROS refuse it.
    Negative,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Missing => write!(f, "it has no attachment, which every node of ROS sends"),
            Fault::Length(found) => {
                write!(f, "its attachment has {found} bytes, not {LENGTH} as since Jazzy 0.2.4")
            }
            Fault::GidLength(found) => write!(f, "the identity in its attachment has {found} bytes, not 16"),
            Fault::Negative => write!(f, "its attachment has a negative number or time"),
        }
    }
}

impl Attachment {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend(self.sequence.to_le_bytes());
        bytes.extend(self.time_ns.to_le_bytes());
        bytes.push(16);
        bytes.extend(self.gid.0);
        bytes
    }

    /// # Errors
    /// Returns why it cannot be used.
    pub(crate) fn decode(bytes: Option<&[u8]>) -> Result<Self, Fault> {
        let bytes = bytes.ok_or(Fault::Missing)?;
        let found = <&[u8; LENGTH]>::try_from(bytes).map_err(|_| Fault::Length(bytes.len()))?;
        let (sequence, rest) = found.split_first_chunk::<8>().ok_or(Fault::Length(LENGTH))?;
        let (time, rest) = rest.split_first_chunk::<8>().ok_or(Fault::Length(LENGTH))?;
        let (length, gid) = rest.split_first().ok_or(Fault::Length(LENGTH))?;
        let gid = <[u8; 16]>::try_from(gid).map_err(|_| Fault::Length(LENGTH))?;
        if *length != 16 {
            return Err(Fault::GidLength(*length));
        }
        let (sequence, time_ns) = (i64::from_le_bytes(*sequence), i64::from_le_bytes(*time));
        if sequence < 0 || time_ns < 0 {
            return Err(Fault::Negative);
        }
        Ok(Attachment { sequence, time_ns, gid: Gid(gid) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATTACHMENT: Attachment = Attachment { sequence: 1, time_ns: 2, gid: Gid([7; 16]) };

    #[test]
    fn an_attachment_has_33_bytes() {
        let mut expected = vec![1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 16];
        expected.extend([7; 16]);
        assert_eq!(ATTACHMENT.encode(), expected);
        assert_eq!(Attachment::decode(Some(&expected)), Ok(ATTACHMENT));
    }

    #[test]
    fn others_are_refused() {
        assert_eq!(Attachment::decode(None), Err(Fault::Missing));
        let bytes = ATTACHMENT.encode();
        for length in (0..bytes.len()).chain([34, 77]) {
            let other: Vec<u8> = bytes.iter().copied().chain([0; 50]).take(length).collect();
            assert_eq!(Attachment::decode(Some(&other)), Err(Fault::Length(length)));
        }
        let with = |at: usize, byte: u8| {
            let mut bytes = ATTACHMENT.encode();
            bytes[at] = byte;
            Attachment::decode(Some(&bytes))
        };
        assert_eq!(with(16, 15), Err(Fault::GidLength(15)));
        assert_eq!(with(7, 0x80), Err(Fault::Negative));
        assert_eq!(with(15, 0x80), Err(Fault::Negative));
    }
}

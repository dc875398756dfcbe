//! Fuzz targets of this crate; see `tests/fuzz`.

use crate::convert::COUNTERPARTS;
use crate::discovery::Datagram;

/// Any datagram of discovery. One that is understood can be written, and is then the same.
///
/// # Panics
/// Panics if it is not.
#[must_use]
pub fn datagram(bytes: &[u8]) -> bool {
    let Ok(datagram) = Datagram::decode_datagram(bytes) else { return false };
    if let Some(written) = datagram.encode_datagram() {
        assert_eq!(Datagram::decode_datagram(&written), Ok(datagram));
    }
    true
}

/// Any message of a peer: the first byte chooses its type, of those that have a counterpart. What comes from Gazebo can go
/// back.
///
/// # Panics
/// Panics if it cannot.
#[must_use]
pub fn message(bytes: &[u8]) -> bool {
    let Some((&row, bytes)) = bytes.split_first() else { return false };
    let Some(row) = COUNTERPARTS.get(usize::from(row) % COUNTERPARTS.len()) else { return false };
    let Ok(ours) = (row.incoming)(bytes) else { return false };
    assert!((row.outgoing)(&ours).is_ok(), "{} of {}", row.gz, row.ours);
    true
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_datagram_is_of_the_protocol_or_refused() {
        short_run("gz_datagram", 50_000, super::datagram);
    }

    #[test]
    fn any_message_is_of_its_type_or_refused() {
        short_run("gz_message", 50_000, super::message);
    }
}

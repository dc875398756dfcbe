//! The caller of a request, and the readers to which its reply goes.

use crate::dds::{Guid, Peer};

use super::identity::Identity;
use super::mapping::clientid;

/// The caller of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    /// Identity that is sent back with the reply.
    pub(crate) identity: Identity,
    /// The writer of the request.
    pub(crate) writer: Guid,
    /// The user data that this writer announced.
    pub(crate) user_data: Vec<u8>,
}

impl Client {
    /// Returns the readers that wait for the reply: the one named in the request, otherwise those of the same
    /// participant, reduced to the ones with the same `clientid` if there are any. Empty if none is discovered yet.
    pub(crate) fn readers_among(&self, readers: &[Guid], peer: impl Fn(Guid) -> Option<Peer>) -> Vec<Guid> {
        if let Some(named) = self.identity.reader() {
            return readers.iter().copied().filter(|reader| *reader == named).collect();
        }
        let of_participant =
            readers.iter().copied().filter(|reader| participant(*reader) == participant(self.writer));
        let Some(id) = clientid(&self.user_data) else { return of_participant.collect() };
        // Several clients of a service in one program have a reader each. A reader without `clientid` may be the
        // right one.
        let says = |reader: Guid| peer(reader).map(|peer| clientid(&peer.user_data).map(<[u8]>::to_vec));
        let of_participant: Vec<_> = of_participant.map(|reader| (reader, says(reader).flatten())).collect();
        let with = |wanted: Option<&[u8]>| {
            let fitting = of_participant.iter().filter(|(_, said)| said.as_deref() == wanted);
            fitting.map(|(reader, _)| *reader).collect::<Vec<_>>()
        };
        let same = with(Some(id));
        if same.is_empty() { with(None) } else { same }
    }
}

/// Returns the participant of an endpoint: the first twelve bytes of its address.
fn participant(guid: Guid) -> Option<[u8; 12]> {
    guid.0.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dds::{SampleId, Vendor};

    fn guid(participant: u8, endpoint: u8, kind: u8) -> Guid {
        let mut bytes = [participant; 16];
        bytes[12..].copy_from_slice(&[0, 0, endpoint, kind]);
        Guid(bytes)
    }

    fn reader(participant: u8, endpoint: u8) -> Guid {
        guid(participant, endpoint, 0x04)
    }

    fn client(identity: Identity, user_data: &[u8]) -> Client {
        Client { identity, writer: guid(1, 9, 0x03), user_data: user_data.to_vec() }
    }

    fn peer(user_data: &str) -> Option<Peer> {
        Some(Peer {
            vendor: Vendor::Cyclone,
            topic: String::new(),
            kind: String::new(),
            user_data: user_data.into(),
        })
    }

    const HEADER: Identity = Identity::Header([7; 16]);

    #[test]
    fn a_named_reader_is_the_only_one() {
        let related = SampleId { guid: reader(1, 3), sequence: 1 };
        let client = client(Identity::Related(related), b"");
        let found = client.readers_among(&[reader(1, 2), reader(1, 3), reader(2, 3)], |_| None);
        assert_eq!(found, [reader(1, 3)]);
        assert_eq!(client.readers_among(&[reader(1, 2)], |_| None), [], "it is not discovered yet");
    }

    #[test]
    fn otherwise_the_readers_of_the_same_participant_match() {
        let all = [reader(1, 2), reader(2, 2), reader(1, 3)];
        for identity in [HEADER, Identity::Related(SampleId { guid: guid(1, 9, 0x03), sequence: 1 })] {
            assert_eq!(client(identity, b"").readers_among(&all, |_| None), [reader(1, 2), reader(1, 3)]);
        }
        assert_eq!(client(HEADER, b"").readers_among(&[reader(2, 2)], |_| None), []);
    }

    #[test]
    fn of_two_clients_in_one_program_the_clientid_decides() {
        let client = client(HEADER, b"clientid=1.2;");
        let all = [reader(1, 2), reader(1, 3)];
        let both = |guid: Guid| peer(if guid == reader(1, 2) { "clientid=1.1;" } else { "clientid=1.2;" });
        assert_eq!(client.readers_among(&all, both), [reader(1, 3)]);
        let other = |guid: Guid| peer(if guid == reader(1, 2) { "clientid=1.1;" } else { "" });
        assert_eq!(
            client.readers_among(&all, other),
            [reader(1, 3)],
            "it has no clientid, so it may be the one"
        );
        assert_eq!(client.readers_among(&[reader(1, 2)], both), [], "that is the other client's");
    }
}

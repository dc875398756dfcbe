//! Events in the orders in which `rustdds` may report them.

use rustdds::LostReason;

use super::super::options::Network;
use super::*;

fn guid(participant: u8, endpoint: u8) -> GUID {
    let mut bytes = [participant; 16];
    bytes[12..].copy_from_slice(&[0, 0, endpoint, 0x04]);
    GUID::from_bytes(bytes)
}

fn peers() -> Peers {
    let guarded = GuardedParticipant::new(&Network::All, &Arc::default());
    Peers::new(guid(1, 0).into(), 7, guarded, &Arc::default())
}

fn matched(peers: &Peers) -> Vec<Guid> {
    peers.matched(guid(1, 1).into(), "")
}

fn matches(reader: GUID) -> Event {
    Event::RemoteReaderMatched { local_writer: guid(1, 1), remote_reader: reader }
}

#[test]
fn a_reader_that_is_matched_stays_so_until_it_or_its_participant_is_lost() {
    let lost: [fn(GUID) -> Event; 2] = [
        |guid| Event::ReaderLost { guid, reason: LostReason::Disposed },
        |guid| Event::ParticipantLost { id: guid.prefix, reason: LostReason::Disposed },
    ];
    for lost in lost {
        let peers = peers();
        let (gone, stays) = (guid(2, 1), guid(3, 1));
        for reader in [gone, stays] {
            peers.process(&matches(reader));
        }
        assert_eq!(matched(&peers).len(), 2);
        peers.process(&lost(gone));
        assert_eq!(matched(&peers), [Guid::from(stays)]);
        peers.process(&matches(gone));
        assert_eq!(matched(&peers), [Guid::from(stays)], "the report is older than the loss");
    }
}

#[test]
fn own_endpoints_are_not_peers() {
    let peers = peers();
    peers.process(&matches(guid(1, 2)));
    assert!(matched(&peers).is_empty() && peers.matched_with(guid(1, 1).into()).is_empty());
}

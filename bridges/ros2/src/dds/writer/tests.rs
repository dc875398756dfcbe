//! Writers that move, and first heartbeats.

use rustdds::{DomainParticipantStatusEvent as Event, GUID};

use super::super::datagram::tests::guid;
use super::super::tests::{KIND, participant, unique};
use super::*;

/// The vendor numbers of Cyclone DDS and Fast DDS (RTPS 2.5, 9.3.1.1 names the place).
const CYCLONE: u8 = 0x10;
const FAST: u8 = 0x0f;

#[test]
fn readers_of_cyclone_dds_get_their_first_heartbeat_from_the_second_endpoint_before_it_is_used() {
    let writer =
        Writer::open(&participant("old"), &unique("rt/moves"), KIND, Qos::DEFAULT).expect("a writer");
    let new = participant("new");
    Arc::clone(&writer.state).open_other(&new).expect("a second endpoint");
    let other = writer.state.endpoints().other().cloned().expect("a second endpoint");
    let [cyclone, fast] = [CYCLONE, FAST].map(|vendor| guid(vendor, 9));
    for remote_reader in [cyclone, fast] {
        let remote_reader = GUID::from_bytes(remote_reader.0);
        new.state
            .peers
            .process(&Event::RemoteReaderMatched { local_writer: other.dds.guid(), remote_reader });
    }
    let is_due = |reader| other.first_heartbeats.is_due(reader);
    assert_eq!([cyclone, fast].map(is_due), [true, false]);
    writer.state.send_first_heartbeats();
    assert_eq!([cyclone, fast].map(is_due), [false, false]);
}

#[test]
fn readers_of_cyclone_dds_that_join_get_heartbeats_before_samples_for_all() {
    let cyclone = guid(CYCLONE, 9);
    let is_joining = |qos: Qos| {
        let participant = participant("joining");
        let writer = Writer::open(&participant, &unique("rt/joining"), KIND, qos).expect("a writer");
        let event = Event::RemoteReaderMatched {
            local_writer: GUID::from_bytes(writer.guid().0),
            remote_reader: GUID::from_bytes(cyclone.0),
        };
        participant.state.peers.process(&event);
        drop(writer.write(vec![0; 8], WriteOptions::default()));
        writer.state.used().first_heartbeats.is_joining(cyclone)
    };
    let latched = Qos { durability: Durability::TransientLocal, ..Qos::DEFAULT };
    assert_eq!([Qos::DEFAULT, Qos::SENSOR_DATA, latched].map(is_joining), [true, false, false]);
}

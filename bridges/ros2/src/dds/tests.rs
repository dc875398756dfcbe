//! Two participants of one process, over the loopback interface.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use bridgehead_ros2_node::wall_clock;

use super::*;

/// Far longer than any test takes.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);
/// After this time at the latest, a participant that left is forgotten. RustDDS 0.15.1 leaves without notice if it is
/// just announcing itself: its discovery thread then drops the participant and fails to join itself. Others learn it
/// from the lease of 50 s.
const LEASE: Duration = Duration::from_secs(70);
pub(crate) const KIND: &str = "std_msgs::msg::dds_::String_";

/// Options of a participant. All of a test share a domain; topics have unique names.
pub(crate) fn options(name: &str) -> ParticipantOptions {
    ParticipantOptions {
        domain: 99,
        network: Network::Only(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]),
        node: Node { namespace: "/".to_owned(), name: name.to_owned() },
        gid: GidSize::Short,
    }
}

pub(crate) fn participant(name: &str) -> Arc<Participant> {
    Participant::open(&options(name)).expect("a participant")
}

/// Returns a name that no other test uses, in this process or another.
pub(crate) fn unique(stem: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{stem}_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn listen(to: &Arc<Participant>, topic: &str, kind: &str, qos: Qos) -> (Reader, Receiver<Sample>) {
    let (sender, received) = channel();
    let reader =
        Reader::open(to, topic, kind, qos, move |sample| drop(sender.send(sample))).expect("a reader");
    (reader, received)
}

fn await_reader(writer: &Writer) -> Guid {
    writer.await_reader(|_, _| true, TIMEOUT).expect("a reader is matched")
}

fn body(text: &[u8]) -> Vec<u8> {
    text.to_vec()
}

#[test]
fn samples_arrive_in_order_with_their_writer() {
    let (here, there) = (participant("here"), participant("there"));
    let topic = unique("rt/order");
    let (reader, received) = listen(&there, &topic, KIND, Qos::DEFAULT);
    let writer = Writer::open(&here, &topic, KIND, Qos::DEFAULT).expect("a writer");
    assert_eq!(await_reader(&writer), reader.guid());
    let ids: Vec<SampleId> = (0..20u8)
        .map(|number| writer.write(body(&[number, 0, 0, 0]), WriteOptions::default()).expect("written"))
        .collect();
    for (number, id) in (0u8..).zip(ids) {
        let sample = received.recv_timeout(TIMEOUT).expect("a sample");
        assert_eq!((&sample.body[..], sample.id), (&[number, 0, 0, 0][..], id));
        assert_eq!((sample.related, sample.vendor), (None, Vendor::RustDds));
        assert!(sample.encoding == Encoding::Cdr && id.is_numbered() && id.guid == writer.guid());
    }
}

#[test]
fn bodies_are_padded_with_zeros() {
    let (here, there) = (participant("here"), participant("there"));
    let topic = unique("rt/zeros");
    let (_reader, received) = listen(&there, &topic, KIND, Qos::DEFAULT);
    let writer = Writer::open(&here, &topic, KIND, Qos::DEFAULT).expect("a writer");
    await_reader(&writer);
    for (sent, expected) in [(&b"a"[..], &b"a\0\0\0"[..]), (b"abcd", b"abcd"), (b"abcde", b"abcde\0\0\0")] {
        writer.write(body(sent), WriteOptions::default()).expect("written");
        assert_eq!(&received.recv_timeout(TIMEOUT).expect("a sample").body[..], expected);
    }
}

#[test]
fn a_megabyte_arrives_whole() {
    let (here, there) = (participant("here"), participant("there"));
    let topic = unique("rt/large");
    let (_reader, received) = listen(&there, &topic, KIND, Qos::DEFAULT);
    let writer = Writer::open(&here, &topic, KIND, Qos::DEFAULT).expect("a writer");
    await_reader(&writer);
    let large: Vec<u8> = (0..1_000_000u32).map(|at| at.to_le_bytes()[0] ^ at.to_le_bytes()[1]).collect();
    for _ in 0..3 {
        writer.write(large.clone(), WriteOptions::default()).expect("written");
        assert!(received.recv_timeout(TIMEOUT).expect("a sample").body[..] == large);
    }
}

#[test]
fn a_sample_can_be_sent_to_one_reader_with_a_related_identity() {
    // Readers of one participant share their samples, so they are in two.
    let (here, there, elsewhere) = (participant("here"), participant("there"), participant("elsewhere"));
    let topic = unique("rt/single");
    let (meant, received) = listen(&there, &topic, KIND, Qos::DEFAULT);
    let (other, missed) = listen(&elsewhere, &topic, KIND, Qos::DEFAULT);
    let writer = Writer::open(&here, &topic, KIND, Qos::DEFAULT).expect("a writer");
    let is_there = |guid| writer.await_reader(|found, _| found == guid, TIMEOUT).is_some();
    assert!(is_there(meant.guid()) && is_there(other.guid()));
    let related = SampleId { guid: meant.guid(), sequence: 7 };
    let options = WriteOptions { related: Some(related), to: Some(meant.guid()) };
    writer.write(body(b"mine"), options).expect("written");
    writer.write(body(b"all."), WriteOptions::default()).expect("written");
    let sample = received.recv_timeout(TIMEOUT).expect("a sample");
    assert_eq!((&sample.body[..], sample.related), (&b"mine"[..], Some(related)));
    assert_eq!(&missed.recv_timeout(TIMEOUT).expect("a sample").body[..], b"all.");
}

#[test]
fn late_readers_get_latched_samples_only() {
    let [here, there, elsewhere] = ["here", "there", "elsewhere"].map(participant);
    let (kept, gone) = (unique("rt/kept"), unique("rt/gone"));
    let latched = Writer::open(&here, &kept, KIND, Qos::LATCHED).expect("a writer");
    let volatile = Writer::open(&here, &gone, KIND, Qos::DEFAULT).expect("a writer");
    // What is written before the thread of RustDDS 0.15.1 knows the writer is sent with the next sample, also to readers that
    // have joined meanwhile, so one reader is there from the beginning.
    let (_early, received) = listen(&there, &gone, KIND, Qos::DEFAULT);
    await_reader(&volatile);
    for text in [b"old.", b"new."] {
        latched.write(body(text), WriteOptions::default()).expect("written");
        volatile.write(body(text), WriteOptions::default()).expect("written");
        assert_eq!(&received.recv_timeout(TIMEOUT).expect("a sample").body[..], text);
    }
    let (_late, received) = listen(&there, &kept, KIND, Qos::LATCHED);
    // Replaced samples are discarded in the background, so one may arrive first.
    while received.recv_timeout(TIMEOUT).expect("the newest").body[..] != b"new."[..] {}
    let (late, received) = listen(&elsewhere, &gone, KIND, Qos::DEFAULT);
    volatile.await_reader(|found, _| found == late.guid(), TIMEOUT).expect("the late reader is matched");
    volatile.write(body(b"now."), WriteOptions::default()).expect("written");
    assert_eq!(&received.recv_timeout(TIMEOUT).expect("a sample").body[..], b"now.");
}

#[test]
fn readers_receive_their_own_type_only() {
    let (here, there) = (participant("here"), participant("there"));
    let topic = unique("rt/types");
    let other = "std_msgs::msg::dds_::Bool_";
    let (texts, of_texts) = listen(&there, &topic, KIND, Qos::DEFAULT);
    let (bools, of_bools) = listen(&there, &topic, other, Qos::DEFAULT);
    let writers =
        [(KIND, texts.guid(), b"text"), (other, bools.guid(), b"bool")].map(|(kind, reader, text)| {
            let writer = Writer::open(&here, &topic, kind, Qos::DEFAULT).expect("a writer");
            assert_eq!(writer.await_reader(|guid, _| guid == reader, TIMEOUT), Some(reader));
            (writer, text)
        });
    for (writer, text) in &writers {
        writer.write(body(*text), WriteOptions::default()).expect("written");
    }
    for (received, expected) in [(of_texts, b"text"), (of_bools, b"bool")] {
        assert_eq!(&received.recv_timeout(TIMEOUT).expect("a sample").body[..], expected);
        assert!(received.try_recv().is_err());
    }
}

#[test]
fn a_handler_no_longer_runs_once_its_reader_is_dropped() {
    let (here, there) = (participant("here"), participant("there"));
    let topic = unique("rt/dropped");
    let writer = Writer::open(&here, &topic, KIND, Qos::DEFAULT).expect("a writer");
    let (reader, received) = listen(&there, &topic, KIND, Qos::DEFAULT);
    await_reader(&writer);
    writer.write(body(b"here"), WriteOptions::default()).expect("written");
    received.recv_timeout(TIMEOUT).expect("a sample");
    drop(reader);
    // The handler held the sender.
    assert!(received.recv().is_err());
    // A later reader does not receive earlier samples.
    let (_again, received) = listen(&there, &topic, KIND, Qos::DEFAULT);
    let deadline = wall_clock::now() + TIMEOUT;
    while received.recv_timeout(Duration::from_millis(20)).map_or(true, |sample| sample.body != b"then"[..]) {
        assert!(wall_clock::now() < deadline, "nothing is received");
        writer.write(body(b"then"), WriteOptions::default()).expect("written");
    }
}

#[test]
fn remote_endpoints_are_discovered_and_forgotten() {
    let (here, there) = (participant("here"), participant("there"));
    let topic = unique("rt/known");
    let writer = Writer::open(&here, &topic, KIND, Qos::DEFAULT).expect("a writer");
    let (reader, _received) = listen(&there, &topic, KIND, Qos::DEFAULT);
    await_reader(&writer);
    let peer = here.known_reader(reader.guid()).expect("known");
    assert_eq!((peer.vendor, peer.topic, peer.kind), (Vendor::RustDds, topic, KIND.to_owned()));
    assert_eq!(here.known_reader(writer.guid()), None);
    let guid = reader.guid();
    drop(reader);
    assert!(writer.await_change(|readers| !readers.contains(&guid), TIMEOUT));
    assert_eq!(here.known_reader(guid), None);
}

#[test]
fn readers_that_go_at_once_are_forgotten_even_if_they_are_reported_late() {
    let (here, there) = (participant("here"), participant("there"));
    let topic = unique("rt/brief");
    let writer = Writer::open(&here, &topic, KIND, Qos::DEFAULT).expect("a writer");
    let (stays, _received) = listen(&there, &topic, KIND, Qos::DEFAULT);
    await_reader(&writer);
    for _ in 0..20 {
        let brief: Vec<_> = (0..20).map(|_| listen(&there, &topic, KIND, Qos::DEFAULT)).collect();
        let known = writer.await_change(|readers| readers.len() > 1, TIMEOUT);
        assert!(known, "some are matched");
        drop(brief);
    }
    assert!(writer.await_change(|readers| readers == [stays.guid()], TIMEOUT), "{:?}", writer.readers());
}

#[test]
fn nodes_and_their_endpoints_are_published() {
    let there = participant("there");
    let (sender, received) = channel();
    let info = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
    let take = move |sample: Sample| drop(sender.send(sample));
    let _reader = Reader::open(&there, "ros_discovery_info", info, Qos::LATCHED, take).expect("a reader");
    let here = participant("host");
    let writer = Writer::open(&here, &unique("rt/announced"), KIND, Qos::DEFAULT).expect("a writer");
    let is_announced = |sample: &Sample| {
        let body = &sample.body[..];
        let contains = |part: &[u8]| body.windows(part.len()).any(|window| window == part);
        body.starts_with(&here.guid().0) && contains(b"host\0") && contains(&writer.guid().0)
    };
    while !is_announced(&received.recv_timeout(TIMEOUT).expect("the writer is announced")) {}
}

#[test]
fn a_participant_that_leaves_is_forgotten_and_can_return() {
    let there = participant("there");
    let topic = unique("rt/leaves");
    let writer = Writer::open(&there, &topic, KIND, Qos::DEFAULT).expect("a writer");
    for _ in 0..2 {
        let here = participant("here");
        let (reader, _received) = listen(&here, &topic, KIND, Qos::DEFAULT);
        assert_eq!(await_reader(&writer), reader.guid());
        drop((reader, here));
        assert!(writer.await_change(<[Guid]>::is_empty, LEASE));
    }
}

#[test]
fn departed_endpoints_and_participants_give_their_places_back() {
    // A domain without the endpoints of other tests, which depart too.
    let [there, here] = ["there", "here"].map(|name| {
        Participant::open(&ParticipantOptions { domain: 98, ..options(name) }).expect("a participant")
    });
    let topic = unique("rt/places");
    let writer = Writer::open(&there, &topic, KIND, Qos::DEFAULT).expect("a writer");
    let (reader, _received) = listen(&here, &topic, KIND, Qos::DEFAULT);
    let (_stays, _received) = listen(&here, &topic, KIND, Qos::DEFAULT);
    assert!(writer.await_change(|readers| readers.len() == 2, TIMEOUT));
    let places = || there.state.places();
    let await_more = |than: u32, timeout| {
        let deadline = wall_clock::now() + timeout;
        while places() <= than {
            assert!(wall_clock::now() < deadline, "{} places after {timeout:?}", places());
            std::thread::sleep(Duration::from_millis(10));
        }
        places()
    };
    let before = places();
    drop(reader);
    assert_eq!(await_more(before, TIMEOUT), before + 1, "the reader");
    drop((_stays, here));
    assert!(await_more(before + 1, LEASE) > before + 1, "the rest of the participant");
}

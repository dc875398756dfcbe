//! Pools with small limits, and peers outside of them.

use std::sync::Weak;
use std::sync::mpsc::channel;
use std::time::Duration;

use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::wall_clock;

use super::*;
use crate::dds::tests::{KIND, TIMEOUT, listen, options, participant, unique};
use crate::dds::{Qos, Reader, Sample, WriteOptions, Writer};

fn pool(endpoints: u32, participants: usize) -> ParticipantPool {
    // Endpoints of other tests depart too.
    let open = open_participants::Limits { endpoints, participants };
    let limits = Limits { open, departed: u32::MAX, ..LIMITS };
    ParticipantPool::with_limits(options("host"), limits).expect("a pool")
}

fn write(pool: &ParticipantPool, topic: &str) -> Writer {
    Writer::open(&pool.participant(), topic, KIND, Qos::DEFAULT).expect("a writer")
}

fn lead(pool: &ParticipantPool) -> Arc<Participant> {
    Arc::clone(&lock(&pool.participants.state).lead)
}

fn is_open(participant: &Weak<Participant>) -> bool {
    participant.strong_count() > 0
}

#[test]
fn a_participant_with_all_its_endpoints_is_replaced_and_closed_with_the_last_of_them() {
    let pool = pool(2, 16);
    let topic = unique("rt/replaced");
    let [of_first, _of_first, one, other, newest] = std::array::from_fn(|_| write(&pool, &topic));
    let second = Arc::downgrade(&lock(&pool.participants.state).all[1].upgrade().expect("open"));
    assert_eq!(lock(&pool.participants.state).all.len(), 3, "two endpoints each");
    drop(one);
    assert!(is_open(&second), "it has one endpoint");
    drop(other);
    assert!(!is_open(&second));
    drop((of_first, newest));
    let open =
        || lock(&pool.participants.state).all.iter().filter(|participant| is_open(participant)).count();
    assert_eq!(open(), 2, "the first one and the current one stay open");
}

#[test]
fn with_the_most_participants_the_one_with_the_fewest_endpoints_creates_further_ones() {
    let pool = pool(2, 3);
    let topic = unique("rt/most");
    let endpoints: Vec<Writer> = (0..12).map(|_| write(&pool, &topic)).collect();
    let open: Vec<_> = lock(&pool.participants.state).all.iter().filter_map(Weak::upgrade).collect();
    let created: Vec<u32> = open.iter().map(|participant| participant.created()).collect();
    assert_eq!(created, [4, 4, 4]);
    drop((open, endpoints));
    write(&pool, &topic);
    assert_eq!(
        lock(&pool.participants.state).all.len(),
        3,
        "the first one, the one that was current, and a new one"
    );
}

#[test]
fn a_peer_matches_all_participants_which_do_not_discover_each_other() {
    let pool = pool(2, 16);
    let topic = unique("rt/siblings");
    let writers = [write(&pool, &topic), write(&pool, &unique("rt/fill")), write(&pool, &topic)];
    let reader = Reader::open(&pool.participant(), &topic, KIND, Qos::DEFAULT, |_| {}).expect("a reader");
    let peer = participant("peer");
    let (outside, received) = listen(&peer, &topic, KIND, Qos::DEFAULT);
    for writer in [&writers[0], &writers[2]] {
        let matched = writer.await_reader(|_, _| true, TIMEOUT);
        assert_eq!(matched, Some(outside.guid()));
        writer.write(b"text".to_vec(), WriteOptions::default()).expect("written");
        assert_eq!(received.recv_timeout(TIMEOUT).expect("a sample").id.guid, writer.guid());
    }
    let [first, second] = [lead(&pool), pool.participant()];
    assert_eq!((first.known_reader(reader.guid()), second.known_writer(writers[0].guid())), (None, None));
    // Announcements of a sibling arrive within this time, or never.
    assert!(!writers[0].await_change(|readers| readers.contains(&reader.guid()), Duration::from_secs(1)));
}

#[test]
fn own_samples_do_not_come_back() {
    let pool = pool(3, 16);
    let topic = unique("rt/own");
    let (sender, received) = channel();
    let take = move |sample: Sample| drop(sender.send(sample.body));
    let [own, peer] = [pool.participant(), participant("peer")];
    let _reader = Reader::open(&own, &topic, KIND, Qos::DEFAULT, take).expect("a reader");
    let writers = [&own, &peer].map(|from| Writer::open(from, &topic, KIND, Qos::DEFAULT).expect("a writer"));
    let send = |writer: &Writer, text: &[u8]| {
        writer.write(text.to_vec(), WriteOptions::default()).expect("written");
    };
    assert!(writers[1].await_reader(|_, _| true, TIMEOUT).is_some());
    send(&writers[0], b"mine");
    // Wall time: an own sample would be received in it.
    std::thread::sleep(Duration::from_millis(200));
    send(&writers[1], b"new.");
    assert_eq!(&received.recv_timeout(TIMEOUT).expect("a sample")[..], b"new.");
    assert!(!writers[0].has_readers(), "nothing is encoded for own readers");
}

#[test]
fn the_first_participant_lists_all_endpoints_and_the_others_have_hidden_nodes() {
    let (sender, received) = channel();
    let info = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
    let peer = participant("peer");
    let take = move |sample: Sample| drop(sender.send(sample.body));
    let _reader = Reader::open(&peer, "ros_discovery_info", info, Qos::LATCHED, take).expect("a reader");
    let pool = pool(1, 16);
    let [of_first, of_second] = std::array::from_fn(|_| write(&pool, &unique("rt/listed")));
    let contains = |body: &[u8], part: &[u8]| body.windows(part.len()).any(|window| window == part);
    let second = pool.participant();
    let [mut has_all, mut has_hidden] = [false; 2];
    while !(has_all && has_hidden) {
        let body = received.recv_timeout(TIMEOUT).expect("both lists");
        has_all |= body.starts_with(&lead(&pool).guid().0)
            && contains(&body, b"\x05\0\0\0host\0")
            && contains(&body, &of_first.guid().0)
            && contains(&body, &of_second.guid().0);
        has_hidden |= contains(&body, b"\x08\0\0\0_host_2\0") && contains(&body, &of_second.guid().0);
        assert!(!contains(&body, b"host_2\0") || !contains(&body, &of_first.guid().0));
    }
    assert_ne!(second.guid(), lead(&pool).guid());
}

#[test]
fn a_late_peer_finds_the_first_endpoint_after_thousands_that_came_and_went() {
    /// `rustdds` keeps 8,192 announcements. One that goes at once is perhaps announced only then.
    const ENDPOINTS: u32 = 9000;
    /// Period at which `rustdds` discards announcements, and some more.
    const DISCARDED: Duration = Duration::from_secs(7);
    let pool = ParticipantPool::open(options("host")).expect("a pool");
    let (topic, gone) = (unique("rt/kept"), unique("rt/gone"));
    let kept = write(&pool, &topic);
    for _ in 0..ENDPOINTS {
        write(&pool, &gone);
    }
    // Wall time: the period of a library.
    std::thread::sleep(DISCARDED);
    let late = participant("late");
    let (_reader, _received) = listen(&late, &topic, KIND, Qos::DEFAULT);
    let started = wall_clock::now();
    assert!(kept.await_reader(|_, _| true, TIMEOUT).is_some(), "the writer knows the peer");
    while late.known_writer(kept.guid()).is_none() {
        assert!(started.elapsed() < TIMEOUT, "the peer knows the writer");
        std::thread::sleep(Duration::from_millis(10));
    }
}

//! Pools that are renewed after a few departures, each in a domain of its own, and peers that stay meanwhile.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{scope, sleep};

use bridgehead_plugin_api::abi::status;

use super::super::{LIMITS, Limits};
use super::*;
use crate::dds::guid::Guid;
use crate::dds::movable::Movable;
use crate::dds::tests::{KIND, TIMEOUT, listen, options};
use crate::dds::{
    ParticipantOptions, ParticipantPool, Qos, Reader, Reliability, Sample, WriteOptions, Writer,
};

/// Departures after which the participants of these tests are renewed.
const DEPARTED: u32 = 4;
/// Interval of the numbered samples.
const INTERVAL: Duration = Duration::from_millis(2);
const BEST_EFFORT: Qos = Qos { reliability: Reliability::BestEffort, ..Qos::DEFAULT };

const QUICK: Times = Times {
    last_joining: Duration::from_millis(200),
    discovery: Duration::from_secs(20),
    settling: Duration::from_secs(1),
    late_requests: Duration::from_millis(500),
    acknowledgments: Duration::from_secs(10),
    before_close: Duration::from_millis(100),
    interval: Duration::ZERO,
};

/// A pool and a peer in a domain that no other test uses.
struct Domain {
    options: ParticipantOptions,
    pool: ParticipantPool,
    peer: Arc<Participant>,
}

impl Domain {
    fn new(domain: u16, times: Times) -> Self {
        let options = ParticipantOptions { domain, ..options("host") };
        let limits = Limits { departed: DEPARTED, times, ..LIMITS };
        let pool = ParticipantPool::with_limits(options.clone(), limits).expect("a pool");
        let peer = Participant::open(&options).expect("a peer");
        Domain { options, pool, peer }
    }

    fn lead(&self) -> Arc<Participant> {
        Arc::clone(&lock(&self.pool.participants.state).lead)
    }

    /// Lets endpoints of a guest come and go.
    fn depart(&self) {
        let writer =
            Writer::open(&self.pool.participant(), "rt/guests", KIND, Qos::DEFAULT).expect("a writer");
        let guest = Participant::open(&self.options).expect("a guest");
        for _ in 0..DEPARTED {
            let (reader, _received) = listen(&guest, "rt/guests", KIND, Qos::DEFAULT);
            let guid = reader.guid();
            assert!(writer.await_reader(|found, _| found == guid, TIMEOUT).is_some());
            drop(reader);
            let is_gone = || writer.await_change(|readers| !readers.contains(&guid), TIMEOUT);
            assert!(is_gone());
        }
    }

    /// Waits until the participant that was the lead is closed.
    fn await_renewal(&self, before: Weak<Participant>) {
        eventually("the participant is renewed", || before.strong_count() == 0);
        drop(before);
    }
}

#[track_caller]
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let started = wall_clock::now();
    while !is_so() {
        assert!(started.elapsed() < 2 * TIMEOUT, "{what}");
        sleep(Duration::from_millis(10));
    }
}

/// Writes a sample, again and again as long as readers do not keep up: on a busy machine they may be paused.
fn write(writer: &Writer, body: &[u8]) {
    let started = wall_clock::now();
    while let Err(error) = writer.write(body.to_vec(), WriteOptions::default()) {
        assert!(error.status() == status::TIMEOUT && started.elapsed() < TIMEOUT, "{error}");
    }
}

/// Writes numbers until it is told to stop, and returns how many.
fn count(writer: &Writer, is_over: &AtomicBool) -> u32 {
    let mut number: u32 = 0;
    while !is_over.load(Ordering::Relaxed) {
        number += 1;
        write(writer, &number.to_le_bytes());
        // Wall time: the pace of the samples.
        sleep(INTERVAL);
    }
    number
}

/// Expects the numbers from 1 to the last one, in order and each once, and returns their writers.
#[track_caller]
fn expect_numbers(received: &Receiver<Sample>, last: u32) -> Vec<Guid> {
    let mut writers = Vec::new();
    for number in 1..=last {
        let sample = received.recv_timeout(TIMEOUT).expect("a sample");
        assert_eq!(sample.body[..], number.to_le_bytes(), "of {last}");
        if writers.last() != Some(&sample.id.guid) {
            writers.push(sample.id.guid);
        }
    }
    // Wall time: shows that nothing is received.
    let further = received.recv_timeout(Duration::from_millis(200));
    assert!(further.is_err(), "a sample more: {further:?}");
    writers
}

fn is_matched(writer: &Writer, reader: &Reader) -> bool {
    let guid = reader.guid();
    writer.await_reader(|found, _| found == guid, TIMEOUT).is_some()
}

#[test]
fn samples_in_both_directions_arrive_once_and_in_order_while_the_participant_is_renewed() {
    let domain = Domain::new(97, QUICK);
    let own = domain.pool.participant();
    let topics = [("rt/out", Qos::DEFAULT), ("rt/sensor", BEST_EFFORT), ("rt/in", Qos::DEFAULT)];
    let [out, sensor, back] = topics.map(|(topic, qos)| {
        let (from, to) = if topic == "rt/in" { (&domain.peer, &own) } else { (&own, &domain.peer) };
        let (reader, received) = listen(to, topic, KIND, qos);
        (Writer::open(from, topic, KIND, qos).expect("a writer"), reader, received)
    });
    for (writer, reader, _) in [&out, &sensor, &back] {
        assert!(is_matched(writer, reader));
    }
    let before = [out.0.guid(), sensor.0.guid(), back.1.guid()];
    let old = Arc::downgrade(&domain.lead());
    drop(own);
    let is_over = AtomicBool::new(false);
    let counts = scope(|scope| {
        let counting = [&out, &sensor, &back].map(|(writer, ..)| scope.spawn(|| count(writer, &is_over)));
        domain.depart();
        domain.await_renewal(old);
        is_over.store(true, Ordering::Relaxed);
        counting.map(|thread| thread.join().expect("written"))
    });
    let after = [out.0.guid(), sensor.0.guid(), back.1.guid()];
    assert!(before.iter().zip(after).all(|(before, after)| *before != after), "all have moved");
    for ((_, _, received), (before, (after, last))) in
        [&out, &sensor].into_iter().zip(before.into_iter().zip(after.into_iter().zip(counts)))
    {
        assert_eq!(expect_numbers(received, last), [before, after]);
    }
    assert_eq!(expect_numbers(&back.2, counts[2]), [back.0.guid()]);
    let is_known = |guid| domain.peer.known_writer(guid).is_some();
    eventually("the peer knows the new writer only", || is_known(after[0]) && !is_known(before[0]));
}

#[test]
fn latched_samples_move_and_those_of_others_are_not_taken_again() {
    let domain = Domain::new(96, QUICK);
    let qos = Qos { history: crate::dds::History::KeepLast(2), ..Qos::LATCHED };
    let own = domain.pool.participant();
    let writer = Writer::open(&own, "rt/map", KIND, qos).expect("a writer");
    let other = Writer::open(&domain.peer, "rt/description", KIND, qos).expect("a writer");
    for number in 1..=2 {
        let write = |to: &Writer| to.write(u32::to_le_bytes(number).to_vec(), WriteOptions::default());
        write(&writer).and(write(&other)).expect("written");
    }
    let (_reader, received) = listen(&own, "rt/description", KIND, qos);
    let take = |received: &Receiver<Sample>| received.recv_timeout(TIMEOUT).expect("a sample").body.to_vec();
    assert_eq!([take(&received), take(&received)], [1u32, 2].map(|number| number.to_le_bytes().to_vec()));
    let old = Arc::downgrade(&domain.lead());
    drop(own);
    domain.depart();
    domain.await_renewal(old);
    // Wall time: shows that nothing is received.
    let again = received.recv_timeout(Duration::from_millis(500));
    assert!(again.is_err(), "taken again: {again:?}");
    let late = Participant::open(&domain.options).expect("a late peer");
    let (_late, received) = listen(&late, "rt/map", KIND, qos);
    assert_eq!([take(&received), take(&received)], [1u32, 2].map(|number| number.to_le_bytes().to_vec()));
}

#[test]
fn the_new_participant_has_the_name_of_the_node_and_lists_all_endpoints() {
    let domain = Domain::new(95, QUICK);
    let (sender, lists) = channel();
    let info = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
    let take = move |sample: Sample| drop(sender.send(sample.body));
    let _reader =
        Reader::open(&domain.peer, "ros_discovery_info", info, Qos::LATCHED, take).expect("a reader");
    let own = domain.pool.participant();
    let writer = Writer::open(&own, "rt/listed", KIND, Qos::DEFAULT).expect("a writer");
    // Created by a participant that is renewed meanwhile.
    let old = Arc::downgrade(&own);
    domain.depart();
    let late = Writer::open(&own, "rt/late", KIND, Qos::DEFAULT).expect("a writer");
    drop(own);
    domain.await_renewal(old);
    let new = domain.lead();
    assert!([&writer, &late].iter().all(|writer| writer.guid().prefix() == new.guid().prefix()));
    let contains = |body: &[u8], part: &[u8]| body.windows(part.len()).any(|window| window == part);
    let is_last = |body: &[u8]| {
        body.starts_with(&new.guid().0)
            && contains(body, b"\x05\0\0\0host\0")
            && [&writer, &late].iter().all(|writer| contains(body, &writer.guid().0))
    };
    while !is_last(&lists.recv_timeout(TIMEOUT).expect("the list of the new participant")) {}
}

#[test]
fn peers_that_join_during_a_renewal_get_samples_and_send_some() {
    // The new endpoints are not used before the end of the test.
    let domain = Domain::new(92, Times { settling: 100 * TIMEOUT, ..QUICK });
    let own = domain.pool.participant();
    let writer = Writer::open(&own, "rt/joined", KIND, Qos::DEFAULT).expect("a writer");
    let latched = Writer::open(&own, "rt/map", KIND, Qos::LATCHED).expect("a writer");
    let (_reader, arrived) = listen(&own, "rt/commands", KIND, Qos::DEFAULT);
    latched.write(vec![1; 4], WriteOptions::default()).expect("written");
    drop(own);
    domain.depart();
    let all = || lock(&domain.pool.participants.state).all.clone();
    eventually("the successor leads", || all().len() == 2 && domain.lead().endpoints().len() >= 3);
    let late = Participant::open(&domain.options).expect("a late peer");
    let (reader, received) = listen(&late, "rt/joined", KIND, Qos::DEFAULT);
    let (_map, kept) = listen(&late, "rt/map", KIND, Qos::LATCHED);
    let commands = Writer::open(&late, "rt/commands", KIND, Qos::DEFAULT).expect("a writer");
    let take = |received: &Receiver<Sample>| received.recv_timeout(TIMEOUT).expect("a sample");
    assert_eq!(take(&kept).body[..], [1; 4]);
    eventually("the writer knows the reader", || writer.readers().contains(&reader.guid()));
    assert!(writer.known_reader(reader.guid()).is_some() && writer.known_writer(commands.guid()).is_some());
    let before = writer.guid();
    for options in [WriteOptions::default(), WriteOptions { to: Some(reader.guid()), ..Default::default() }] {
        eventually("a sample arrives", || {
            writer.write(vec![2; 4], options).expect("written");
            received.recv_timeout(Duration::from_millis(50)).is_ok_and(|sample| sample.id.guid != before)
        });
    }
    assert_eq!(writer.guid(), before, "the old endpoint is still used");
    latched.write(vec![3; 4], WriteOptions::default()).expect("written");
    assert_eq!(take(&kept).body[..], [3; 4]);
    assert!(commands.await_reader(|_, _| true, TIMEOUT).is_some());
    eventually("a command arrives", || {
        commands.write(vec![4; 4], WriteOptions::default()).expect("written");
        arrived.recv_timeout(Duration::from_millis(50)).is_ok()
    });
}

#[test]
fn a_pool_that_is_dropped_ends_a_renewal_in_progress() {
    let times = Times { settling: 100 * TIMEOUT, ..QUICK };
    let domain = Domain::new(94, times);
    let writer = Writer::open(&domain.pool.participant(), "rt/ends", KIND, Qos::DEFAULT).expect("a writer");
    domain.depart();
    let all = || lock(&domain.pool.participants.state).all.clone();
    eventually("the successor is open", || all().len() == 2);
    let all = all();
    drop((domain, writer));
    assert!(all.iter().all(|participant| participant.strong_count() == 0), "all are closed");
}

/// An endpoint without DDS.
#[derive(Default)]
struct Fake {
    fails: bool,
    steps: Mutex<Vec<&'static str>>,
    matched: Mutex<HashSet<Guid>>,
    other_matched: Mutex<HashSet<Guid>>,
}

impl Movable<Participant> for Fake {
    fn open_other(self: Arc<Self>, _: &Arc<Participant>) -> Result {
        if self.fails { Err(bridgehead_plugin_api::Error::invalid("no other")) } else { Ok(()) }
    }

    fn matched(&self) -> HashSet<Guid> {
        lock(&self.matched).clone()
    }

    fn other_matched(&self) -> HashSet<Guid> {
        lock(&self.other_matched).clone()
    }

    fn send_first_heartbeats(&self) {
        lock(&self.steps).push("first heartbeats");
    }

    fn swap(&self) {
        lock(&self.steps).push("swap");
    }

    fn has_other_delivered(&self) -> bool {
        true
    }

    fn close_other(&self) {
        lock(&self.steps).push("close");
    }
}

fn moving<const N: usize>(fakes: &[Arc<Fake>; N]) -> Moving {
    Moving(
        fakes
            .iter()
            .map(|fake| Arc::downgrade(&(Arc::clone(fake) as Arc<dyn Movable<Participant>>)))
            .collect(),
    )
}

#[test]
fn if_one_endpoint_cannot_be_opened_all_are_closed() {
    let fakes = [false, true, false].map(|fails| Arc::new(Fake { fails, ..Fake::default() }));
    let to = Participant::open(&options("successor")).expect("a participant");
    moving(&fakes).open_others(&to).expect_err("the second one fails");
    assert!(fakes.iter().all(|fake| *lock(&fake.steps) == ["close"]));
}

#[test]
fn readers_get_a_first_heartbeat_before_the_new_endpoint_is_used() {
    let domain = Domain::new(93, Times { settling: Duration::from_millis(100), ..QUICK });
    let fakes: [Arc<Fake>; 1] = Default::default();
    assert!(domain.pool.renewal.move_all(&moving(&fakes)));
    assert_eq!(*lock(&fakes[0].steps), ["first heartbeats", "swap", "close"]);
}

#[test]
fn new_endpoints_are_waited_for_until_they_know_the_peers_that_were_there_and_have_stayed() {
    let [discovered, departed, late] = [1, 2, 3].map(|number| Guid([number; 16]));
    let fakes: [Arc<Fake>; 2] = Default::default();
    let moving = moving(&fakes);
    lock(&fakes[0].matched).extend([discovered, departed]);
    let mut missing = moving.matches();
    lock(&fakes[1].matched).insert(late);
    assert!(moving.is_any_missing(&mut missing));
    lock(&fakes[0].other_matched).insert(discovered);
    assert!(moving.is_any_missing(&mut missing), "one may still come");
    lock(&fakes[0].matched).remove(&departed);
    assert!(!moving.is_any_missing(&mut missing), "the late one is not waited for");
}

#[test]
fn a_dropped_endpoint_is_not_waited_for() {
    let fakes: [Arc<Fake>; 1] = Default::default();
    lock(&fakes[0].matched).insert(Guid([1; 16]));
    let moving = moving(&fakes);
    let mut missing = moving.matches();
    assert!(moving.is_any_missing(&mut missing));
    drop(fakes);
    assert!(!moving.is_any_missing(&mut missing));
}

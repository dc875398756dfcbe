//! Servers and the reply queue together, with a fake DDS and a fake host.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use bridgehead_plugin_api::Error;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::{Message, simulation_interfaces as si};
use bridgehead_ros2_node::service::codec::Codec;
use bridgehead_ros2_node::service::generation::Generation;

use super::super::mapping::Mapping;
use super::super::reply_writer::ReplyWriter;
use super::*;
use crate::dds::{Encoding, Guid, Peer, SampleId, Vendor, WriteOptions};

const TIMEOUT: Duration = Duration::from_secs(20);

/// A written reply and its reader.
type Written = (Vec<u8>, WriteOptions);

/// The peers, and what was written to them.
#[derive(Default)]
struct Sky {
    readers: Mutex<Vec<(Guid, &'static str)>>,
    writers: Mutex<Vec<(Guid, &'static str)>>,
}

struct FakeReplyWriter {
    sky: Arc<Sky>,
    flushed: Arc<AtomicU32>,
    written: Mutex<mpsc::Sender<Written>>,
}

fn find(all: &Mutex<Vec<(Guid, &'static str)>>, guid: Guid) -> Option<Peer> {
    let all = lock(all);
    let (guid, user_data) = all.iter().find(|(known, _)| *known == guid)?;
    Some(Peer {
        vendor: guid.vendor(),
        topic: String::new(),
        kind: String::new(),
        user_data: user_data.as_bytes().to_vec(),
    })
}

impl ReplyWriter for FakeReplyWriter {
    fn readers(&self) -> Vec<Guid> {
        lock(&self.sky.readers).iter().map(|(guid, _)| *guid).collect()
    }

    fn reader(&self, guid: Guid) -> Option<Peer> {
        find(&self.sky.readers, guid)
    }

    fn writer(&self, guid: Guid) -> Option<Peer> {
        find(&self.sky.writers, guid)
    }

    fn write(&self, cdr: Vec<u8>, options: WriteOptions) -> Result {
        lock(&self.written).send((cdr, options)).expect("a receiver");
        Ok(())
    }

    fn flush(&self, _: Duration) {
        self.flushed.fetch_add(1, Ordering::Relaxed);
    }
}

/// Hands calls to the test.
struct FakeCallee(Mutex<mpsc::Sender<(String, Answer)>>);

impl Callee for FakeCallee {
    fn call(&self, request: &Payload, answer: Answer) -> Result {
        let request = si::DeleteEntityRequest::decode(&**request).expect("a request");
        if request.entity == "refused" {
            return Err(Error::unsupported("nobody is there"));
        }
        lock(&self.0).send((request.entity, answer)).expect("a receiver");
        Ok(())
    }
}

/// A service with its peers.
struct Stage {
    sky: Arc<Sky>,
    flushed: Arc<AtomicU32>,
    server: Arc<ServiceServer>,
    calls: mpsc::Receiver<(String, Answer)>,
    written: mpsc::Receiver<Written>,
    replies: Arc<Replies>,
    thread: Option<JoinHandle<()>>,
}

impl Stage {
    fn new(mapping: Mapping) -> Self {
        let (calling, calls) = mpsc::channel();
        let (writing, written) = mpsc::channel();
        let (sky, replies) = (Arc::new(Sky::default()), Arc::new(Replies::default()));
        let sending = Arc::clone(&replies);
        let thread = std::thread::Builder::new().spawn(move || sending.run()).expect("a thread");
        let flushed = Arc::default();
        let reply_writer = FakeReplyWriter {
            sky: Arc::clone(&sky),
            flushed: Arc::clone(&flushed),
            written: Mutex::new(writing),
        };
        let codec = Codec::new(
            &si::DeleteEntityRequest::schema(),
            &si::DeleteEntityResponse::schema(),
            Generation::Two,
        )
        .expect("a service");
        let callee = Box::new(FakeCallee(Mutex::new(calling)));
        let sender = Arc::new(ReplySender::new("/delete_entity", mapping, codec, Box::new(reply_writer)));
        let server = ServiceServer::new(&sender, callee, &replies);
        Stage { sky, flushed, server, calls, written, replies, thread: Some(thread) }
    }

    /// A client with its request writer, and its reply reader if that is discovered.
    fn client(&self, client: &Tester, is_discovered: bool) {
        lock(&self.sky.writers).push((client.writer(), client.user_data));
        if is_discovered {
            self.discover(client);
        }
    }

    fn discover(&self, client: &Tester) {
        lock(&self.sky.readers).push((client.reader(), client.user_data));
    }

    fn taken(&self) -> (String, Answer) {
        self.calls.recv_timeout(TIMEOUT).expect("a call")
    }

    fn written(&self) -> Written {
        self.written.recv_timeout(TIMEOUT).expect("a reply")
    }

    /// Ends the queue and returns what is left.
    fn end(mut self) -> Vec<Written> {
        self.replies.end();
        self.thread.take().expect("it runs").join().expect("it ends");
        self.written.try_iter().collect()
    }
}

/// A client; the first bytes of its address decide its kind.
struct Tester {
    vendor: [u8; 2],
    number: u8,
    user_data: &'static str,
}

const CYCLONE: Tester = Tester { vendor: [1, 0x10], number: 1, user_data: "clientid=1.1;" };
const FASTDDS: Tester = Tester { vendor: [1, 0x0f], number: 2, user_data: "typehash=x;" };

impl Tester {
    fn guid(&self, endpoint: u8, kind: u8) -> Guid {
        let mut bytes = [self.number; 16];
        bytes[..2].copy_from_slice(&self.vendor);
        bytes[12..].copy_from_slice(&[0, 0, endpoint, kind]);
        Guid(bytes)
    }

    fn writer(&self) -> Guid {
        self.guid(1, 0x03)
    }

    fn reader(&self) -> Guid {
        self.guid(2, 0x04)
    }

    fn header(sequence: u8) -> Vec<u8> {
        let mut header = vec![0xaa; 8];
        header.extend([sequence, 0, 0, 0, 0, 0, 0, 0]);
        header
    }

    /// A request in the form of this client's implementation.
    fn request(&self, entity: &str, sequence: u8) -> Sample {
        let is_cyclone = self.vendor == CYCLONE.vendor;
        let mut body = if is_cyclone { Self::header(sequence) } else { Vec::new() };
        let length = u32::try_from(entity.len() + 1).expect("short");
        body.extend(length.to_le_bytes());
        body.extend(entity.as_bytes());
        body.push(0);
        let related = SampleId { guid: self.reader(), sequence: SampleId::UNKNOWN };
        Sample {
            body: body.into(),
            encoding: Encoding::Cdr,
            id: SampleId { guid: self.writer(), sequence: sequence.into() },
            related: (!is_cyclone).then_some(related),
            vendor: Vendor::of(self.vendor),
        }
    }
}

fn ok(text: &str) -> Payload {
    let result = si::Result { result: 1, error_message: text.to_owned() };
    Payload::from_vec(si::DeleteEntityResponse { result: Some(result) }.encode_to_vec())
}

/// Returns code and text of a reply without header.
fn result(cdr: &[u8]) -> (u8, String) {
    let length = usize::try_from(u32::from_le_bytes(cdr[4..8].try_into().expect("four"))).expect("short");
    (cdr[0], String::from_utf8(cdr[8..8 + length - 1].to_vec()).expect("a text"))
}

#[test]
fn each_kind_of_client_gets_its_reply_in_its_own_form_only() {
    let stage = Stage::new(Mapping::Auto);
    stage.client(&CYCLONE, true);
    stage.client(&FASTDDS, true);
    stage.server.handle_request(&CYCLONE.request("a", 7));
    stage.server.handle_request(&FASTDDS.request("b", 9));
    let (first, second) = (stage.taken(), stage.taken());
    assert_eq!((first.0.as_str(), second.0.as_str()), ("a", "b"));
    // Responses in another order than calls.
    (second.1)(Ok(ok("of b")));
    let (cdr, options) = stage.written();
    assert_eq!(result(&cdr), (1, "of b".into()));
    assert_eq!(options.related, Some(SampleId { guid: FASTDDS.reader(), sequence: 9 }));
    assert_eq!(options.to, Some(FASTDDS.reader()));
    (first.1)(Ok(ok("of a")));
    let (cdr, options) = stage.written();
    assert_eq!(cdr[..16], Tester::header(7));
    assert_eq!(result(&cdr[16..]), (1, "of a".into()));
    assert_eq!((options.related, options.to), (None, Some(CYCLONE.reader())));
    assert_eq!(stage.end(), []);
}

#[test]
fn a_reply_waits_for_its_reader_and_delays_no_other() {
    let stage = Stage::new(Mapping::Auto);
    let late = Tester { number: 3, ..CYCLONE };
    stage.client(&late, false);
    stage.client(&FASTDDS, true);
    stage.server.handle_request(&late.request("late", 1));
    (stage.taken().1)(Ok(ok("late")));
    stage.server.handle_request(&FASTDDS.request("b", 1));
    (stage.taken().1)(Ok(ok("b")));
    assert_eq!(stage.written().1.to, Some(FASTDDS.reader()));
    stage.discover(&late);
    assert_eq!(stage.written().1.to, Some(late.reader()));
}

#[test]
fn a_reader_that_is_discovered_after_seconds_gets_its_reply() {
    let stage = Stage::new(Mapping::Auto);
    stage.client(&CYCLONE, false);
    stage.server.handle_request(&CYCLONE.request("a", 1));
    (stage.taken().1)(Ok(ok("a")));
    // Wall time: shows that nothing is written for seconds.
    let early = stage.written.recv_timeout(Duration::from_secs(3));
    assert_eq!(early, Err(mpsc::RecvTimeoutError::Timeout), "there is no reader yet");
    stage.discover(&CYCLONE);
    assert_eq!(stage.written().1.to, Some(CYCLONE.reader()));
}

#[test]
fn a_caller_that_disappears_loses_only_its_own_reply() {
    let stage = Stage::new(Mapping::Auto);
    stage.client(&CYCLONE, true);
    let dead = Tester { number: 3, ..FASTDDS };
    stage.client(&dead, true);
    stage.server.handle_request(&dead.request("dead", 1));
    stage.server.handle_request(&CYCLONE.request("alive", 2));
    let calls = [stage.taken(), stage.taken()];
    lock(&stage.sky.readers).retain(|(guid, _)| *guid != dead.reader());
    lock(&stage.sky.writers).retain(|(guid, _)| *guid != dead.writer());
    calls.into_iter().for_each(|(entity, answer)| answer(Ok(ok(&entity))));
    assert_eq!(stage.written().1.to, Some(CYCLONE.reader()));
    assert_eq!(stage.end(), []);
}

#[test]
fn a_reader_in_another_participant_is_served_if_all_expect_the_same_kind() {
    let stage = Stage::new(Mapping::Auto);
    stage.client(&CYCLONE, false);
    let elsewhere = Tester { number: 4, ..CYCLONE };
    stage.discover(&Tester { user_data: "", ..elsewhere });
    stage.server.handle_request(&CYCLONE.request("a", 1));
    (stage.taken().1)(Ok(ok("a")));
    assert_eq!(stage.written().1.to, None);
    // A reader of the other kind would misread it.
    stage.discover(&FASTDDS);
    stage.server.handle_request(&CYCLONE.request("a", 2));
    (stage.taken().1)(Ok(ok("a")));
    assert_eq!(stage.end(), []);
}

#[test]
fn a_malformed_request_gets_the_reason_and_affects_no_other() {
    let stage = Stage::new(Mapping::Auto);
    stage.client(&CYCLONE, true);
    for cut in [0, 3, 15] {
        let mut sample = CYCLONE.request("a", 1);
        sample.body.truncate(cut);
        stage.server.handle_request(&sample);
    }
    let mut cut = CYCLONE.request("abcdef", 5);
    cut.body.truncate(22);
    stage.server.handle_request(&cut);
    let (cdr, options) = stage.written();
    assert_eq!((&cdr[..16], options.to), (&*Tester::header(5), Some(CYCLONE.reader())));
    let (code, text) = result(&cdr[16..]);
    assert_eq!(code, 4);
    assert!(text.contains("simulation_interfaces/srv/DeleteEntity") && text.contains("`entity`"), "{text}");
    stage.server.handle_request(&CYCLONE.request("a", 6));
    (stage.taken().1)(Ok(ok("a")));
    assert_eq!(stage.written().0[..16], Tester::header(6));
    assert_eq!(stage.end(), [], "those without a header could not be answered");
}

#[test]
fn another_encoding_is_answered_if_the_client_is_recognized() {
    let stage = Stage::new(Mapping::Auto);
    stage.client(&CYCLONE, true);
    stage.client(&FASTDDS, true);
    let take = |client: &Tester, encoding: Encoding| {
        stage.server.handle_request(&Sample { encoding, ..client.request("a", 1) });
    };
    for (encoding, part) in [(Encoding::CdrBigEndian, "big endian"), (Encoding::Other([0, 7]), "version 2")] {
        take(&FASTDDS, encoding);
        let (cdr, options) = stage.written();
        let (code, text) = result(&cdr);
        assert_eq!((code, options.to), (4, Some(FASTDDS.reader())));
        assert!(text.contains(part), "{text}");
    }
    take(&CYCLONE, Encoding::CdrBigEndian);
    let (cdr, options) = stage.written();
    assert_eq!((result(&cdr[16..]).0, options.to), (4, Some(CYCLONE.reader())));
    let mut header = Tester::header(1);
    header.chunks_exact_mut(8).for_each(<[u8]>::reverse);
    assert_eq!(cdr[..16], header, "replies are little endian");
    take(&CYCLONE, Encoding::Other([0, 7]));
    assert_eq!(stage.end(), [], "the position of its header is unknown");
}

#[test]
fn a_failed_call_is_answered_too() {
    let stage = Stage::new(Mapping::Cyclone);
    stage.client(&CYCLONE, true);
    stage.server.handle_request(&CYCLONE.request("refused", 1));
    assert_eq!(result(&stage.written().0[16..]), (4, "nobody is there".into()));
    stage.server.handle_request(&CYCLONE.request("interrupted", 2));
    (stage.taken().1)(Err(Error::new("the run is over")));
    assert_eq!(result(&stage.written().0[16..]), (4, "the run is over".into()));
    stage.server.close();
    stage.server.handle_request(&CYCLONE.request("late", 3));
    let (cdr, _) = stage.written();
    assert_eq!((&cdr[..16], result(&cdr[16..]).0), (&*Tester::header(3), 4));
}

#[test]
fn an_invalid_response_is_reported_to_the_client() {
    let stage = Stage::new(Mapping::FastDds);
    stage.client(&FASTDDS, true);
    stage.server.handle_request(&FASTDDS.request("a", 1));
    (stage.taken().1)(Ok(Payload::from_vec(vec![0x0a, 0xff])));
    let (code, text) = result(&stage.written().0);
    assert_eq!(code, 4);
    assert!(text.contains("cannot be sent"), "{text}");
}

#[test]
fn replies_queued_before_the_end_are_sent() {
    let stage = Stage::new(Mapping::Auto);
    stage.client(&CYCLONE, true);
    for sequence in 0..50 {
        stage.server.handle_request(&CYCLONE.request("a", sequence));
    }
    for _ in 0..50 {
        (stage.taken().1)(Ok(ok("a")));
    }
    let sequences: Vec<u8> = stage.end().into_iter().map(|(cdr, _)| cdr[8]).collect();
    assert_eq!(sequences, (0..50).collect::<Vec<_>>());
}

#[test]
fn the_last_reply_of_a_withdrawn_service_is_flushed() {
    let stage = Stage::new(Mapping::Auto);
    stage.server.sender().flush();
    assert_eq!(stage.flushed.load(Ordering::Relaxed), 0, "nothing was written");
    stage.client(&CYCLONE, true);
    stage.server.handle_request(&CYCLONE.request("a", 1));
    let (_, answer) = stage.taken();
    let Stage { server, flushed, replies, written, thread, .. } = stage;
    server.close();
    drop(server);
    answer(Ok(ok("a")));
    written.recv_timeout(TIMEOUT).expect("a reply");
    replies.end();
    thread.expect("it runs").join().expect("it ends");
    assert_eq!(flushed.load(Ordering::Relaxed), 1);
}

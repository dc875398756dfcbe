//! The publisher beside subscribers of libzmq, and beside peers that are none.

use std::io::{Read as _, Write as _};
use std::thread::sleep;

use zmq::{Context, DONTWAIT, Socket};

use super::*;

/// Longest wait for what must happen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A publisher whose clock the test drives.
struct Fixture {
    publisher: Publisher,
    now: Instant,
    turns: Turn,
}

impl Fixture {
    fn new() -> Self {
        let publisher = Publisher::bind(Ipv4Addr::LOCALHOST).expect("bound");
        Fixture { publisher, now: crate::tests::now(), turns: Turn::default() }
    }

    fn turn(&mut self) {
        let turn = self.publisher.turn(self.now);
        self.turns.subscribed.extend(turn.subscribed);
        self.turns.refused.extend(turn.refused);
    }

    #[track_caller]
    fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        let deadline = crate::tests::now() + PATIENCE;
        loop {
            self.turn();
            if is_so(self) {
                return;
            }
            assert!(crate::tests::now() < deadline, "{what}: {:?}", self.turns);
            sleep(Duration::from_millis(1));
        }
    }

    fn raw(&self) -> TcpStream {
        let stream =
            TcpStream::connect(self.publisher.listener.local_addr().expect("bound")).expect("connected");
        stream.set_nonblocking(true).expect("set");
        stream
    }

    /// A peer that has said that it is a subscriber.
    fn raw_subscriber(&self) -> TcpStream {
        let mut stream = self.raw();
        let ready = b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03SUB";
        stream.write_all(&[&wire::greeting()[..], ready].concat()).expect("sent");
        stream
    }

    fn publish(&mut self, topic: &str, body: Vec<u8>) -> usize {
        self.publisher.send(&Message::new(topic.as_bytes(), b"address", body, b"type"))
    }
}

fn subscriber(context: &Context, address: &str, topics: &[&str]) -> Socket {
    let socket = context.socket(zmq::SUB).expect("a socket");
    socket.set_linger(0).expect("set");
    socket.connect(address).expect("connected");
    topics.iter().for_each(|topic| socket.set_subscribe(topic.as_bytes()).expect("subscribed"));
    socket
}

fn received(socket: &Socket) -> Option<Vec<Vec<u8>>> {
    socket.recv_multipart(DONTWAIT).ok()
}

#[test]
fn subscribers_of_libzmq_receive_what_they_subscribed_to() {
    let (mut fixture, context) = (Fixture::new(), Context::new());
    let address = fixture.publisher.address().to_owned();
    let one = subscriber(&context, &address, &["a", "b"]);
    let other = subscriber(&context, &address, &["b"]);
    fixture.until("all subscriptions arrive", |fixture| fixture.turns.subscribed.len() == 3);
    assert!(fixture.publisher.has_subscribers(b"a1") && !fixture.publisher.has_subscribers(b"c"));
    // Larger than what the system buffers: it is sent in parts.
    let large: Vec<u8> = (0..9_000_000_u32).map(|number| number.to_le_bytes()[1]).collect();
    for (topic, body) in [("a1", vec![1]), ("b1", large.clone()), ("c1", vec![3]), ("b2", Vec::new())] {
        assert_eq!(fixture.publish(topic, body), 0);
    }
    let expected = |topic: &str, body: &[u8]| {
        Some(vec![topic.into(), b"address".to_vec(), body.to_vec(), b"type".to_vec()])
    };
    let next = |fixture: &mut Fixture, socket: &Socket| {
        let mut message = None;
        fixture.until("a message arrives", |_| {
            message = received(socket);
            message.is_some()
        });
        message
    };
    assert_eq!(next(&mut fixture, &one), expected("a1", &[1]));
    for socket in [&one, &other] {
        assert!(next(&mut fixture, socket) == expected("b1", &large), "the large message is another");
        assert_eq!(next(&mut fixture, socket), expected("b2", &[]));
        assert!(received(socket).is_none());
    }
    one.set_unsubscribe(b"a").expect("unsubscribed");
    fixture.until("the end of a subscription", |fixture| !fixture.publisher.has_subscribers(b"a"));
    drop((one, other));
    fixture.until("the peers leave", |fixture| fixture.publisher.peers.is_empty());
    assert!(!fixture.publisher.has_subscribers(b"b") && fixture.turns.refused.is_empty());
}

#[test]
fn a_message_may_go_to_a_late_subscriber_alone() {
    let (mut fixture, context) = (Fixture::new(), Context::new());
    let address = fixture.publisher.address().to_owned();
    let first = subscriber(&context, &address, &["a"]);
    fixture.until("the first subscribes", |fixture| fixture.turns.subscribed.len() == 1);
    let second = subscriber(&context, &address, &["a"]);
    fixture.until("the second subscribes", |fixture| fixture.turns.subscribed.len() == 2);
    let (late, prefix) = fixture.turns.subscribed[1].clone();
    assert_eq!(prefix, b"a");
    fixture.publisher.send_to(late, &Message::new(b"a", b"", vec![7], b""));
    fixture.until("it receives it", |_| received(&second).is_some_and(|message| message[2] == [7]));
    assert!(received(&first).is_none());
}

#[test]
fn a_peer_that_does_not_read_loses_messages_and_hinders_nobody() {
    let (mut fixture, context) = (Fixture::new(), Context::new());
    let mut slow = fixture.raw_subscriber();
    slow.write_all(b"\0\x01\x01").expect("sent");
    let quick = subscriber(&context, fixture.publisher.address(), &[""]);
    fixture.until("both subscribe", |fixture| fixture.turns.subscribed.len() == 2);
    let mut lost = 0;
    for number in 0..300_u32 {
        lost += fixture.publish("a", vec![0; 1 << 20]);
        fixture.until(&format!("message {number} arrives"), |_| received(&quick).is_some());
    }
    // Some are in the buffers of the system.
    assert!((150..=300 - 60).contains(&lost), "{lost}");
}

#[test]
fn peers_that_are_no_subscribers_are_disconnected_with_the_reason() {
    let greeting = wire::greeting();
    let mut password = greeting;
    password[12..17].copy_from_slice(b"PLAIN");
    let greeted = |rest: &[u8]| [&greeting[..], rest].concat();
    for (bytes, expected) in [
        (b"GET / HTTP/1.1\r\n\r\n".to_vec(), "does not speak ZeroMQ"),
        (password.to_vec(), "asks for a password"),
        (greeted(b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03PUB"), "not a subscriber"),
        (greeted(b"\0\x02\x01a"), "does not say first who it is"),
        (greeted(b"\x02\0\0\0\x01\0\0\0\0"), "too long for a subscription"),
    ] {
        let mut fixture = Fixture::new();
        let mut peer = fixture.raw();
        peer.write_all(&bytes).expect("sent");
        fixture.until(expected, |fixture| !fixture.turns.refused.is_empty());
        let [Refusal::Foreign(why)] = fixture.turns.refused[..] else { panic!("{:?}", fixture.turns) };
        assert!(why.contains(expected), "{why}");
        assert!(fixture.publisher.peers.is_empty());
    }
}

#[test]
fn a_silent_peer_is_disconnected() {
    let mut fixture = Fixture::new();
    let _silent = fixture.raw();
    fixture.until("it is accepted", |fixture| fixture.publisher.peers.len() == 1);
    fixture.now += Duration::from_secs(6);
    fixture.turn();
    assert_eq!(fixture.turns.refused, [Refusal::Foreign("it has not said within 5 s who it is")]);
}

#[test]
fn peers_beyond_the_limit_are_refused_until_others_leave() {
    let mut fixture = Fixture::new();
    let mut peers: Vec<_> = (0..=MAX_PEERS)
        .map(|_| {
            let peer = fixture.raw();
            fixture.turn();
            peer
        })
        .collect();
    fixture.until("one is refused", |fixture| {
        fixture.turns.refused == [Refusal::Excess("it is one peer too many")]
    });
    peers.clear();
    fixture.until("all leave", |fixture| fixture.publisher.peers.is_empty());
}

#[test]
fn subscriptions_without_end_are_refused_and_those_of_others_stay() {
    let (mut fixture, context) = (Fixture::new(), Context::new());
    let quick = subscriber(&context, fixture.publisher.address(), &["a"]);
    fixture.until("it subscribes", |fixture| fixture.turns.subscribed.len() == 1);
    let mut flood = fixture.raw_subscriber();
    for number in 0..10_000_u32 {
        let subscription = [&b"\0\x05\x01"[..], &number.to_be_bytes()].concat();
        while flood.write_all(&subscription).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock) {
            fixture.turn();
        }
    }
    fixture.until("it is refused", |fixture| {
        fixture.turns.refused == [Refusal::Excess("it has too many subscriptions")]
    });
    fixture.publish("a", vec![1]);
    fixture.until("the other still receives", |_| received(&quick).is_some());
}

#[test]
fn a_peer_that_asks_is_answered() {
    let mut fixture = Fixture::new();
    let mut peer = fixture.raw_subscriber();
    peer.write_all(b"\x04\x0a\x04PING\0\x05abc").expect("sent");
    let mut answered = Vec::new();
    fixture.until("it is answered", |_| {
        let mut buffer = [0; 256];
        if let Ok(length) = peer.read(&mut buffer) {
            answered.extend(&buffer[..length]);
        }
        answered.ends_with(b"\x04\x08\x04PONGabc")
    });
}

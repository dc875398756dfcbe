//! Tests of invalid input: bytes of all kinds on every port, while a correct client continues undisturbed.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::Value;

use super::answers::ports;
use super::discovery::{DEVICE_LIST, Discovery};
use super::msgs::{LaserScan, Micom, Param};
use super::sensors::forward;
use super::wire::{Requester, Subscriber, decode, frame, socket};
use super::yard::{Device, Place, Yard};
use crate::support::{eventually, is_loaded};

/// Pseudo-random numbers, the same in every run.
struct Noise(u64);

impl Noise {
    fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.number().to_le_bytes()[3]).collect()
    }
}

/// The first bytes that a ZeroMQ peer sends.
fn greeting() -> Vec<u8> {
    let mut greeting = vec![0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0];
    greeting.extend_from_slice(b"NULL");
    greeting.resize(64, 0);
    greeting
}

/// The complete handshake of a peer of this socket type.
fn handshake(kind: &str) -> Vec<u8> {
    let mut ready = b"\x05READY\x0bSocket-Type\0\0\0".to_vec();
    ready.push(u8::try_from(kind.len()).expect("short"));
    ready.extend_from_slice(kind.as_bytes());
    let len = u8::try_from(ready.len()).expect("short");
    [greeting(), vec![4, len], ready].concat()
}

/// Sends bytes to a port and returns the open connection; the host may close it early.
fn send(port: u16, bytes: &[u8]) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a timeout");
    drop(stream.write_all(bytes));
    drop(stream.read(&mut [0; 256]));
    Some(stream)
}

/// Sends all kinds of input to a port that a program of another protocol may send. Returns connections to be kept open.
fn send_garbage(port: u16, noise: &mut Noise) -> Vec<TcpStream> {
    let announced = |kind: &str| {
        // A long frame of a tebibyte, of which only the beginning is sent.
        let header = [vec![2], (1_u64 << 40).to_be_bytes().to_vec(), vec![7; 100]];
        [handshake(kind), header.concat()].concat()
    };
    let inputs = [
        noise.bytes(64),
        noise.bytes(4000),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        vec![0xff; 300],
        vec![0; 300],
        [greeting(), noise.bytes(500)].concat(),
        [handshake("REQ"), noise.bytes(500)].concat(),
        handshake("NONSENSE"),
        announced("REQ"),
        announced("PUB"),
        announced("SUB"),
    ];
    for input in &inputs {
        drop(send(port, input));
    }
    let half = send(port, &greeting()[..20]);
    half.iter().for_each(|stream| drop(stream.shutdown(Shutdown::Write)));
    let silent = send(port, b"");
    half.into_iter().chain(silent).collect()
}

/// What a correct client received.
#[derive(Debug, Default)]
struct Seen {
    scans: usize,
    longest_gap: Duration,
    answers: usize,
    lists: usize,
    missed: usize,
}

/// Receives scans, sends requests and polls the list of devices until `is_over`.
fn run_client(laser: &Device, service: u16, is_over: &AtomicBool) -> Seen {
    let (subscriber, requester) = (laser.subscriber("Data"), laser.requester());
    let mut discovery = Discovery::connect(service, "/control").expect("a connection");
    let mut seen = Seen::default();
    subscriber.next::<LaserScan>();
    let mut last = clock::now();
    while !is_over.load(Ordering::Acquire) || seen.scans < 30 {
        if subscriber.try_next().is_some() {
            // Wall time: a client that is held up receives everything too, but late.
            seen.longest_gap = seen.longest_gap.max(last.elapsed());
            last = clock::now();
            seen.scans += 1;
        }
        if seen.scans % 10 == 5 {
            seen.scans += 1;
            requester.ask::<Param>("request_ros2");
            seen.answers += 1;
            match discovery.poll(DEVICE_LIST) {
                Some((list, _)) if list["result"].is_object() => seen.lists += 1,
                _ => seen.missed += 1,
            }
        }
    }
    seen
}

/// Runs a correct client while `disturb` runs; fails if the client is affected.
#[track_caller]
fn while_a_client_runs(yard: &Yard, disturb: impl FnOnce()) {
    let is_over = AtomicBool::new(false);
    let (laser, service) = (yard.device("robot1", "LASER"), yard.service());
    let seen = thread::scope(|scope| {
        let body = || run_client(&laser, service, &is_over);
        let client = thread::Builder::new().spawn_scoped(scope, body).expect("a thread");
        disturb();
        is_over.store(true, Ordering::Release);
        client.join().expect("the client does not panic")
    });
    assert!(seen.scans > 5 && seen.lists + seen.missed > 0, "{seen:?}");
    let longest = Duration::from_secs(if is_loaded() { 10 } else { 3 });
    assert!(seen.longest_gap < longest, "{seen:?}");
    // There are only some requests in each test, and beside a load any of them may be late.
    let is_answered = if is_loaded() { seen.lists > 0 } else { seen.missed <= seen.lists / 5 };
    assert!(is_answered, "{seen:?}");
}

#[test]
fn noise_on_every_port_affects_no_other_client_and_is_reported() {
    let yard = Yard::start();
    let before = yard.devices();
    let mut open = Vec::new();
    while_a_client_runs(&yard, || {
        let mut noise = Noise(0x5eed);
        for (_, port) in ports(&yard) {
            open.extend(send_garbage(port, &mut noise));
        }
        open.extend(send_garbage(yard.service(), &mut noise));
    });
    assert_eq!(yard.devices(), before);
    // Connections that are still open do not prevent the end.
    let finished = yard.finish().expect_code(0);
    drop(open);
    let finished = finished.expect_message(&["does not speak ZeroMQ", "BH-CLO-013"]);
    let finished = finished.expect_message(&["does not speak WebSocket", "BH-CLO-013"]);
    let text = finished.to_string();
    let lines = text.lines().filter(|line| line.contains("BH-CLO-013")).count();
    assert!(lines < 300, "{lines} lines: the number of log lines is limited");
}

#[test]
fn invalid_requests_are_answered_and_invalid_commands_are_ignored_and_each_is_reported_once() {
    let yard = Yard::start();
    let board = yard.device("robot1", "MICOM");
    let odometry = board.subscriber("Tx");
    while_a_client_runs(&yard, || {
        let mut noise = Noise(0xf00d);
        let requester = board.requester();
        for len in [1, 7, 8, 9, 100, 5000] {
            let answer: Param = decode(&requester.ask_bytes(&noise.bytes(len)));
            assert!(answer.params.contains_key("error"), "{len} bytes: {answer:?}");
        }
        let answer: Param = requester.ask("request_nonsense");
        assert!(answer.params.contains_key("error"), "{answer:?}");
        // Shorter than a tag, in several parts, and larger than the limit.
        let raw = socket(zmq::REQ, board.port("Info"), |socket| {
            socket.set_req_relaxed(true)?;
            socket.set_rcvtimeo(5000)
        });
        for parts in [vec![vec![]], vec![vec![1; 3]], vec![vec![2; 20], vec![3; 20]]] {
            raw.send_multipart(parts, 0).expect("sent");
            assert!(raw.recv_bytes(0).expect("an answer").len() > 8);
        }
        raw.send(vec![0; 3 << 20], 0).expect("sent");
        board.requester().ask::<Param>("request_ros2");
        let publisher = board.publisher("Rx");
        let stranger = socket(zmq::PUB, board.port("Rx"), |_| Ok(()));
        let fast = prost::Message::encode_to_vec(&forward(2.0));
        for _ in 0..50 {
            publisher.send_bytes(&noise.bytes(30));
            stranger.send(frame("robot2MicomRx", &fast), 0).expect("sent");
            stranger.send(fast.clone(), 0).expect("sent");
            stranger.send(vec![9; 3 << 20], 0).expect("sent");
            // Wall time: the pace of the messages.
            thread::sleep(Duration::from_millis(10));
        }
        let speed = |board: &Micom| {
            let twist = board.odom.as_ref().and_then(|odom| odom.twist.as_ref());
            twist.and_then(|twist| twist.linear.as_ref()).map_or(f64::NAN, |linear| linear.x)
        };
        for _ in 0..20 {
            let speed = speed(&odometry.next());
            assert!(speed.abs() < 1.0, "{speed}: a command with another robot's tag");
        }
        publisher.send_until(&forward(0.3), "it can be driven", || {
            odometry.try_next().is_some_and(|payload| (speed(&decode(&payload)) - 0.3).abs() < 0.05)
        });
    });
    let finished = yard.finish().expect_code(0);
    let finished = finished.expect_message(&["a command for Micom of robot1 is ignored", "BH-CLO-008"]);
    let finished = finished.expect_message(&["a request to Micom of robot1", "BH-CLO-013"]);
    let finished = finished.expect_message(&["a message of 3145728 bytes on port", "BH-CLO-013"]);
    let finished = finished.expect_message(&["does not carry the tag of this port", "BH-CLO-013"]);
    let text = finished.to_string();
    let lines =
        text.lines().filter(|line| line.contains("BH-CLO-008") || line.contains("BH-CLO-013")).count();
    assert!(lines < 20, "{lines} lines\n{text}");
}

#[test]
fn ten_thousand_invalid_texts_are_each_answered() {
    let yard = Yard::start();
    while_a_client_runs(&yard, || {
        let mut noise = Noise(0xbad);
        let mut connection = Discovery::connect(yard.service(), "/control").expect("a connection");
        for count in 0..10_000_u32 {
            let len = usize::try_from(noise.number() % 60).expect("small");
            let mut text: String = noise.bytes(len).iter().map(|byte| char::from(byte % 96 + 32)).collect();
            match count % 5 {
                0 => text = DEVICE_LIST[..DEVICE_LIST.len().min(len)].to_owned(),
                1 => text = "[".repeat(len * 50),
                2 => text.insert_str(0, "{'command':'"),
                _ => {}
            }
            let answer = connection.ask(&text);
            assert!(answer["result"].is_string() || text == DEVICE_LIST, "{text}: {answer}");
        }
        // A text far above the limit of the service ends that connection and no other.
        let mut large = Discovery::connect(yard.service(), "/control").expect("a connection");
        large.send(&"x".repeat(60_000));
        let mut larger = Discovery::connect(yard.service(), "/control").expect("a connection");
        assert_eq!(larger.poll(&"x".repeat(1 << 20)), None);
    });
    let finished = yard.finish().expect_code(0);
    let finished = finished.expect_message(&["is not understood", "invalid json", "BH-CLO-013"]);
    let text = finished.to_string();
    let lines = text.lines().filter(|line| line.contains("BH-CLO-013")).count();
    assert!((1..20).contains(&lines), "{lines} lines for ten thousand texts");
}

#[test]
fn excess_connections_are_rejected_and_the_existing_ones_stay_open() {
    let yard = Yard::start();
    while_a_client_runs(&yard, || {
        let all: Vec<Discovery> =
            (0..40).filter_map(|_| Discovery::connect(yard.service(), "/control")).collect();
        assert!((20..40).contains(&all.len()), "{} connections", all.len());
        drop(all);
        eventually("connections are accepted again", || {
            Discovery::connect(yard.service(), "/control").is_some()
        });
    });
    yard.finish().expect_code(0).expect_message(&["was rejected", "BH-CLO-015"]);
}

#[test]
fn noise_does_not_affect_the_rust_library() {
    let yard = Yard::start_at(&Place::new().with(";backend=zeromq"));
    while_a_client_runs(&yard, || {
        let mut noise = Noise(0x0dd);
        for (_, port) in ports(&yard) {
            for input in [noise.bytes(64), noise.bytes(4000), b"GET / HTTP/1.1\r\n\r\n".to_vec(), greeting()]
            {
                drop(send(port, &input));
            }
        }
    });
    let clock = ports(&yard).into_iter().find(|(key, _)| key.ends_with("Clock")).expect("a clock");
    Subscriber::on(clock.1, &clock.0).next_bytes();
    let info = ports(&yard).into_iter().filter(|(key, _)| key.ends_with("Info"));
    for (key, port) in info {
        Requester::on(port, &key).ask::<Param>("request_transform");
    }
    assert_ne!(yard.devices(), Value::Null);
    yard.finish().expect_code(0).expect_message(&["does not speak ZeroMQ", "BH-CLO-013"]);
}

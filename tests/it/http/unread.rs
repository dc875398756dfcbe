//! Clients that keep the server waiting, each in another way, do not keep others out.

use std::io::{ErrorKind, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::client::Client;
use super::{started, wait_for_state};
use crate::support::{Setup, eventually, prompt};

/// How soon a client is served while others keep the server waiting.
const SOON: Duration = Duration::from_secs(9);
/// Requests of one client, whose responses exceed the buffers of a connection.
const REQUESTS: usize = 2000;

/// Default of `connections` in the configuration.
const CONNECTIONS: usize = 64;

/// A way to keep the server waiting.
#[derive(Clone, Copy, Debug)]
enum Nuisance {
    /// Connects and sends nothing.
    Silent,
    /// Sends the first byte of a request.
    OneByte,
    /// Sends a part of a head.
    HalfAHead,
    /// Announces a body and does not send it.
    NoBody,
    /// Sends requests for large responses and does not read these.
    Unread,
    /// Sends a request, and keeps the connection.
    Idle,
    /// Opens a WebSocket and neither subscribes nor reads.
    SilentSocket,
    /// Opens a WebSocket, sends messages, and does not read the answers.
    UnreadSocket,
}

impl Nuisance {
    const ALL: [Nuisance; 8] = [
        Nuisance::Silent,
        Nuisance::OneByte,
        Nuisance::HalfAHead,
        Nuisance::NoBody,
        Nuisance::Unread,
        Nuisance::Idle,
        Nuisance::SilentSocket,
        Nuisance::UnreadSocket,
    ];

    /// Connects. The returned connection must be kept.
    fn open(self, address: SocketAddr) -> TcpStream {
        let stream = TcpStream::connect(address).expect("connected");
        match self {
            Nuisance::Silent => {}
            Nuisance::OneByte => send(&stream, "G"),
            Nuisance::HalfAHead => send(&stream, "GET /healthz HTTP/1.1\r\nHost: loc"),
            Nuisance::NoBody => {
                send(
                    &stream,
                    "POST /api/get_status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
                );
            }
            Nuisance::Unread => {
                send(&stream, &"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(REQUESTS));
            }
            Nuisance::Idle => send(&stream, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            Nuisance::SilentSocket | Nuisance::UnreadSocket => {
                send(
                    &stream,
                    "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                     Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                );
                if matches!(self, Nuisance::UnreadSocket) {
                    // Until the server stops reading because its answers are not read.
                    while write(&stream, &unread_message()) {}
                }
            }
        }
        stream
    }
}

/// A masked text frame whose answer repeats most of its text.
fn unread_message() -> Vec<u8> {
    let text = json!({ "op": "unsubscribe", "what": "x".repeat(60_000) }).to_string();
    let length = u16::try_from(text.len()).expect("a short text");
    let mut frame = vec![0x81, 0x80 | 126];
    frame.extend(length.to_be_bytes());
    frame.extend([0; 4]);
    frame.extend(text.bytes());
    frame
}

fn send(stream: &TcpStream, text: &str) {
    write(stream, text.as_bytes());
}

/// Writes bytes. Returns false if the server does not read them, or has closed the connection.
fn write(mut stream: &TcpStream, bytes: &[u8]) -> bool {
    stream.set_write_timeout(Some(Duration::from_millis(200))).expect("a timeout");
    let written = stream.write_all(bytes);
    if let Err(error) = &written {
        let expected = [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset, ErrorKind::WouldBlock];
        assert!(expected.contains(&error.kind()), "{error}");
    }
    written.is_ok()
}

/// Has a new client call the server, which must answer soon and at the first attempt.
#[track_caller]
fn expect_service(client: &Client) {
    // Wall time: a client that waits for a connection is answered too, but later.
    let answer = prompt("an answer", SOON, || client.without_keep_alive().get("/api/get_status"));
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// Opens all connections at the same time, because some of them wait until the server stops reading.
fn open_all(nuisances: impl Iterator<Item = Nuisance>, address: SocketAddr) -> Vec<TcpStream> {
    thread::scope(|scope| {
        let opening: Vec<_> = nuisances.map(|nuisance| scope.spawn(move || nuisance.open(address))).collect();
        opening.into_iter().map(|one| one.join().expect("a connection")).collect()
    })
}

#[track_caller]
fn expect_service_beside(nuisances: impl Iterator<Item = Nuisance>) {
    let (running, client) = started(Setup::new(), &[]);
    wait_for_state(&client, "StepBegin");
    // Opened first, so that it has a connection.
    let observer = client.get("/healthz");
    assert_eq!(observer.status, 200);
    let mut open = open_all(nuisances, client.address);
    if open.len() <= CONNECTIONS {
        // The last one takes the connection of the observer once that is idle.
        await_standstill(&client);
        open.push(Nuisance::Unread.open(client.address));
    }
    (0..3).for_each(|_| expect_service(&client));
    drop(open);
    client.post("/api/quit", "").expect(200);
    running.finish().expect_code(0);
}

/// Waits until the server answers nobody but the observer, because the others do not read.
#[track_caller]
fn await_standstill(observer: &Client) {
    let mut last = 0;
    let mut still = 0;
    eventually("no other client is answered", || {
        let answered = answered(observer);
        still = if answered == last + 1 { still + 1 } else { 0 };
        last = answered;
        still >= 20
    });
}

/// Returns the number of responses so far.
#[track_caller]
fn answered(observer: &Client) -> u64 {
    let text = observer.get("/metrics").text;
    let counts = text.lines().filter(|line| line.starts_with("bridgehead_http_requests_total{"));
    counts.filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok()).sum()
}

#[test]
fn clients_that_do_not_read_are_closed_when_their_connections_are_needed() {
    // One connection is that of the observer.
    for number in [CONNECTIONS - 1, 200] {
        expect_service_beside(std::iter::repeat_n(Nuisance::Unread, number));
    }
}

#[test]
fn websockets_that_are_not_read_are_closed_when_their_connections_are_needed() {
    expect_service_beside(std::iter::repeat_n(Nuisance::UnreadSocket, CONNECTIONS - 1));
}

#[test]
fn a_random_mix_of_clients_that_keep_the_server_waiting_does_not_keep_others_out() {
    for seed in 1..=3_u64 {
        let mut state = seed;
        let mut next = move || {
            // Knuth's generator of MMIX.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let index = usize::try_from(state >> 33).expect("31 bits") % Nuisance::ALL.len();
            Nuisance::ALL[index]
        };
        expect_service_beside((0..150).map(|_| next()));
    }
}

//! Clients over TCP, including ones that use the wrong protocol.

use std::io::{Read, Write};

use tungstenite::stream::MaybeTlsStream;

use super::*;
use crate::wall_clock;

type Client = WebSocket<MaybeTlsStream<TcpStream>>;

fn server() -> WebSocketServer {
    let respond: Respond = Arc::new(|path, text| format!("{path:?} {text}"));
    WebSocketServer::start(SocketAddr::from(([127, 0, 0, 1], 0)), respond).expect("a server")
}

fn client(server: &WebSocketServer, path: &str) -> Client {
    tungstenite::connect(format!("ws://{}{path}", server.address())).expect("a connection").0
}

fn ask(client: &mut Client, text: &str) -> String {
    client.send(Message::text(text)).expect("sent");
    client.read().expect("an answer").into_text().expect("a text").to_string()
}

#[test]
fn only_reads_that_ended_early_are_repeated() {
    let of = |kind: ErrorKind| may_repeat(&WsError::Io(kind.into()));
    assert!([ErrorKind::WouldBlock, ErrorKind::TimedOut, ErrorKind::Interrupted].into_iter().all(of));
    assert!(!of(ErrorKind::ConnectionReset) && !may_repeat(&WsError::ConnectionClosed));
}

#[test]
fn a_text_is_answered_on_both_paths() {
    let server = server();
    let mut control = client(&server, "/control");
    let is_soon = (0..10).any(|_| {
        let begin = wall_clock::now();
        assert_eq!(ask(&mut control, "a"), "Control a");
        // Wall time: an answer that waits for the next poll of a socket arrives too, but late.
        begin.elapsed() < Duration::from_millis(300)
    });
    assert!(is_soon, "one of ten answers, on a machine that may be busy");
    assert_eq!(ask(&mut control, "b"), "Control b");
    assert_eq!(ask(&mut client(&server, "/markers"), "c"), "Markers c");
    assert!(tungstenite::connect(format!("ws://{}/other", server.address())).is_err());
}

#[test]
fn a_text_over_the_limit_ends_its_connection_and_no_other() {
    let server = server();
    let (mut good, mut bad) = (client(&server, "/control"), client(&server, "/control"));
    drop(bad.send(Message::text("x".repeat(MAX_TEXT + 1))));
    assert!(bad.read().is_err());
    assert_eq!(ask(&mut good, "a"), "Control a");
}

#[test]
fn connections_are_limited_and_closed_ones_make_room() {
    let server = server();
    let mut clients: Vec<Client> = (0..MAX_CONNECTIONS).map(|_| client(&server, "/control")).collect();
    assert!(tungstenite::connect(format!("ws://{}/control", server.address())).is_err());
    drop(clients.pop());
    let deadline = wall_clock::now() + Duration::from_secs(5);
    while tungstenite::connect(format!("ws://{}/control", server.address())).is_err() {
        assert!(wall_clock::now() < deadline);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(ask(&mut clients[0], "a"), "Control a");
}

#[test]
fn the_server_survives_ten_thousand_garbage_texts() {
    let respond: Respond = Arc::new(|_, text| {
        crate::pseudo_json::parse(text).map_or_else(|error| error.to_string(), |_| "ok".into())
    });
    let server = WebSocketServer::start(SocketAddr::from(([127, 0, 0, 1], 0)), respond).expect("a server");
    let mut client = client(&server, "/control");
    let mut seed = 7_u64;
    for _ in 0..10_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let garbage: String = seed.to_le_bytes().iter().map(|byte| char::from(*byte & 0x7f)).collect();
        ask(&mut client, &garbage);
    }
    assert_eq!(ask(&mut client, "{}"), "ok");
}

#[test]
fn other_protocols_do_no_harm_and_shutdown_does_not_wait_for_peers() {
    let server = server();
    let mut silent = TcpStream::connect(server.address()).expect("a connection");
    let mut rude = TcpStream::connect(server.address()).expect("a connection");
    rude.write_all(b"\x00\xff\r\n\r\n").expect("sent");
    rude.set_read_timeout(Some(Duration::from_secs(5))).expect("an option");
    drop(rude.read(&mut [0; 64]));
    assert_eq!(ask(&mut client(&server, "/control"), "a"), "Control a");
    let begin = wall_clock::now();
    drop(server);
    // Less than the time that the silent peer has for its handshake.
    // Wall time: a shutdown that waits for a peer succeeds too, but late.
    assert!(begin.elapsed() < HANDSHAKE, "{:?}", begin.elapsed());
    drop(silent.write_all(b"x"));
}

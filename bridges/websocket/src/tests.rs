//! Servers and clients over real sockets.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bridgehead_http_client::Connection;
use bytes::Bytes;
use tokio::time::Instant;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};

use super::*;
use crate::lock::lock;

mod fairness;

/// Longest wait for what must happen.
const DEADLINE: Duration = Duration::from_secs(20);

/// Sends texts back, sends data to all on `all:N:SIZE`, panics on `panic`.
#[derive(Default)]
struct Echo {
    links: Mutex<Vec<Link>>,
    gone: Mutex<Vec<u64>>,
    warnings: Mutex<Vec<String>>,
}

impl Echo {
    fn send_to_all(&self, frame: &Frame) {
        for link in lock(&self.links).iter() {
            link.data(frame.clone());
        }
    }
}

impl Protocol for Echo {
    type Client = Link;

    fn opened(&self, link: &Link) -> Link {
        lock(&self.links).push(link.clone());
        link.clone()
    }
    fn text(&self, client: &Link, text: &str) {
        assert!(text != "panic", "as requested");
        client.reply(Frame::text(text.to_owned()));
    }
    fn binary(&self, client: &Link, bytes: Bytes) {
        client.reply(Frame::headed(vec![7], bytes));
    }
    fn lost(&self, _: &Link, count: u64) -> Option<Frame> {
        Some(Frame::text(format!("lost {count}")))
    }
    fn warn(&self, text: &str) {
        lock(&self.warnings).push(text.to_owned());
    }
    fn closed(&self, client: &Link) {
        lock(&self.gone).push(client.id());
    }
}

fn options() -> ServerOptions {
    ServerOptions::new("127.0.0.1:0".parse().expect("an address"), "ws-test")
}

fn server(change: impl FnOnce(&mut ServerOptions)) -> Server<Echo> {
    let mut options = options();
    change(&mut options);
    Server::start(options, Echo::default()).expect("a server")
}

type Client = WebSocket<Connection>;

fn connect(address: SocketAddr) -> Client {
    let stream = Connection::connect(address, DEADLINE).expect("a connection");
    tungstenite::client(format!("ws://{address}/"), stream).expect("a handshake").0
}

/// The status of a refused handshake with these headers.
fn refusal(address: SocketAddr, path: &str, headers: &[(&'static str, &str)]) -> u16 {
    let mut request = format!("ws://{address}{path}").into_client_request().expect("a request");
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().expect("a value"));
    }
    match tungstenite::client(request, TcpStream::connect(address).expect("a connection")) {
        Ok(_) => 101,
        Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
            response.status().as_u16()
        }
        Err(error) => panic!("{error}"),
    }
}

fn echo(client: &mut Client, text: &str) {
    client.send(Message::text(text)).expect("sent");
    assert_eq!(client.read().expect("an answer"), Message::text(text));
}

fn close_code(client: &mut Client) -> CloseCode {
    loop {
        match client.read() {
            Ok(Message::Close(Some(frame))) => return frame.code,
            Ok(_) => {}
            Err(error) => panic!("the connection ended without a close frame: {error}"),
        }
    }
}

fn wait_until(what: &str, mut is_done: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_done() {
        assert!(begin.elapsed() < DEADLINE, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn messages_are_received_and_answered() {
    let server = server(|_| ());
    let mut client = connect(server.address());
    echo(&mut client, "hello");
    client.send(Message::binary(vec![1, 2])).expect("sent");
    assert_eq!(client.read().expect("an answer"), Message::binary(vec![7, 1, 2]));
    assert_eq!(server.clients(), 1);
    client.close(None).expect("closed");
    wait_until("the end of the client", || server.clients() == 0);
    assert_eq!(lock(&server.protocol().gone).len(), 1);
}

#[test]
fn a_close_frame_is_answered() {
    let server = server(|_| ());
    let mut client = connect(server.address());
    client.close(None).expect("sent");
    assert!(matches!(client.read(), Ok(Message::Close(_))), "the answer of the server");
    assert!(matches!(client.read(), Err(tungstenite::Error::ConnectionClosed)));
}

#[test]
fn strangers_are_refused_with_a_status() {
    let server = server(|options| options.token = Some("s3cret".to_owned()));
    let address = server.address();
    assert_eq!(refusal(address, "/", &[]), 401);
    assert_eq!(refusal(address, "/?token=wrong", &[]), 401);
    assert_eq!(refusal(address, "/?token=s3cret", &[]), 101);
    assert_eq!(refusal(address, "/", &[("authorization", "Bearer s3cret")]), 101);
    assert_eq!(refusal(address, "/?token=s3cret", &[("origin", "http://evil.example")]), 403);
    assert!(lock(&server.protocol().warnings).len() <= 1, "warnings are limited");
}

#[test]
fn a_browser_reads_what_the_server_is() {
    let server = server(|_| ());
    let mut stream = TcpStream::connect(server.address()).expect("a connection");
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("written");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    let (head, body) = response.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.starts_with("HTTP/1.1 426 ") && body.contains("WebSocket"), "{response}");
    assert!(head.ends_with(&format!("Content-Length: {}", body.len())), "{}", body.len());
}

#[test]
fn an_address_of_other_machines_needs_a_token() {
    let mut options = ServerOptions::new("0.0.0.0:0".parse().expect("an address"), "ws-test");
    let error = Server::start(options.clone(), Echo::default()).err().expect("refused");
    assert!(error.to_string().contains("token="), "{error}");
    options.token = Some("s3cret".to_owned());
    assert!(Server::start(options, Echo::default()).is_ok());
}

#[test]
fn more_clients_than_places_are_refused_until_one_leaves() {
    let server = server(|options| options.max_clients = 2);
    let (first, _second) = (connect(server.address()), connect(server.address()));
    assert_eq!(refusal(server.address(), "/", &[]), 503);
    drop(first);
    wait_until("a free place", || refusal(server.address(), "/", &[]) == 101);
}

#[test]
fn equal_options_share_a_server_and_others_are_refused() {
    static SERVERS: SharedServers<Echo> = SharedServers::new();
    let free =
        TcpStream::connect(server(|_| ()).address()).expect("a connection").peer_addr().expect("an address");
    let options = ServerOptions::new(free, "ws-test");
    let first = SERVERS.join(&options, Echo::default).expect("a server");
    let second = SERVERS.join(&options, Echo::default).expect("the same server");
    assert!(Arc::ptr_eq(&first, &second));
    let other = ServerOptions { max_clients: 3, ..options.clone() };
    let error = SERVERS.join(&other, Echo::default).err().expect("refused");
    assert!(error.to_string().contains("other options"), "{error}");
    drop((first, second));
    assert!(SERVERS.join(&other, Echo::default).is_ok(), "the address is free again");
}

#[test]
fn a_client_that_breaks_a_rule_is_alone() {
    let server = server(|options| {
        options.max_message = 1000;
        // Long enough for the clients of this test on a busy machine.
        options.handshake_deadline = Duration::from_secs(2);
    });
    let mut good = connect(server.address());
    let mut giant = connect(server.address());
    giant.send(Message::text("x".repeat(2000))).expect("sent");
    assert_eq!(close_code(&mut giant), CloseCode::Size);
    let mut faulty = connect(server.address());
    faulty.send(Message::text("panic")).expect("sent");
    assert_eq!(close_code(&mut faulty), CloseCode::Error);
    let mut garbage = connect(server.address());
    garbage.get_mut().write_all(&[0xff; 64]).expect("written");
    assert_eq!(close_code(&mut garbage), CloseCode::Protocol);
    let mut half = connect(server.address());
    half.get_mut().write_all(&[0x81, 0xfe]).expect("written");
    let mut silent = Connection::connect(server.address(), DEADLINE).expect("a connection");
    assert_eq!(silent.read(&mut [0; 10]).expect("closed"), 0, "the handshake has a deadline");
    echo(&mut good, "still here");
    wait_until("the ends", || lock(&server.protocol().gone).len() == 3);
}

#[test]
fn a_client_that_does_not_read_loses_data_and_is_disconnected_alone() {
    let server = server(|options| {
        options.backlog = Backlog { frames: 8, bytes: 8 << 20 };
        options.write_deadline = Duration::from_secs(2);
    });
    let (mut good, stalled) = (connect(server.address()), connect(server.address()));
    wait_until("both clients", || server.clients() == 2);
    let frame = Frame::binary(vec![1; 1 << 20]);
    let begin = Instant::now();
    let mut received = 0;
    while server.clients() == 2 {
        assert!(begin.elapsed() < DEADLINE, "the stalled client is still there");
        server.protocol().send_to_all(&frame);
        received += usize::from(good.read().expect("data").is_binary());
    }
    let links = lock(&server.protocol().links).clone();
    assert!(received > 8 && links[0].dropped() == 0, "{received}");
    assert!(links[1].dropped() > 0 && !links[1].is_open());
    echo(&mut good, "still here");
    drop(stalled);
}

#[test]
fn a_loss_is_reported_to_the_client_that_has_it() {
    let server = server(|options| options.backlog = Backlog { frames: 2, bytes: 1 << 20 });
    let mut client = connect(server.address());
    wait_until("the client", || !lock(&server.protocol().links).is_empty());
    let link = lock(&server.protocol().links)[0].clone();
    // Large enough that the socket is full after a few.
    let frame = Frame::binary(vec![1; 900_000]);
    for _ in 0..40 {
        link.data(frame.clone());
    }
    let dropped = link.dropped();
    assert!(dropped > 0);
    let (mut data, mut lost) = (0, 0);
    while data + lost < 40 {
        match client.read().expect("a message") {
            Message::Binary(_) => data += 1,
            Message::Text(text) => {
                lost += text.strip_prefix("lost ").and_then(|count| count.parse().ok()).unwrap_or(0);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((data + lost, lost), (40, dropped));
}

#[test]
fn a_hundred_clients_receive_the_same_bytes() {
    let server = server(|options| options.max_clients = 100);
    let mut clients: Vec<Client> = (0..100).map(|_| connect(server.address())).collect();
    wait_until("all clients", || server.clients() == 100);
    let frame = Frame::text("to all".to_owned());
    server.protocol().send_to_all(&frame);
    for client in &mut clients {
        assert_eq!(client.read().expect("data"), Message::text("to all"));
    }
}

#[test]
fn the_end_of_the_server_is_told_to_its_clients() {
    let server = server(|_| ());
    let mut client = connect(server.address());
    echo(&mut client, "a");
    let end = std::thread::scope(|scope| {
        let reading = scope.spawn(move || close_code(&mut client));
        drop(server);
        reading.join().expect("a close frame")
    });
    assert_eq!(end, CloseCode::Away);
}

#[test]
fn a_silent_client_gets_pings_and_is_closed_if_it_does_not_answer() {
    let server = server(|options| options.ping_interval = Duration::from_millis(100));
    let mut client = connect(server.address());
    assert!(client.read().expect("a ping").is_ping());
    // Reading answers pings; this thread now only waits.
    wait_until("the end of the client", || server.clients() == 0);
}

#[test]
fn a_dialer_connects_again_after_the_server_is_back() {
    let first = server(|_| ());
    let address = first.address();
    let mut options = DialerOptions::new(&format!("ws://{address}"), "ws-test").expect("options");
    options.first_pause = Duration::from_millis(20);
    options.longest_pause = Duration::from_millis(50);
    let protocol = Arc::new(Echo::default());
    let dialer = Dialer::start(options, Arc::clone(&protocol)).expect("a client");
    wait_until("the connection", || dialer.is_connected() && first.clients() == 1);
    drop(first);
    wait_until("the loss", || lock(&protocol.gone).len() == 1);
    let second = Server::start(ServerOptions::new(address, "ws-test"), Echo::default()).expect("a server");
    wait_until("the second connection", || dialer.is_connected() && second.clients() == 1);
    wait_until("the link", || lock(&protocol.links).len() == 2);
    lock(&second.protocol().links)[0].data(Frame::text("over there".to_owned()));
    // The client sends the text back, and the server again.
    wait_until("traffic", || dialer.is_connected());
    drop(dialer);
    wait_until("the end", || second.clients() == 0);
}

//! Clients that send what no client should: only they have the consequences.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{HandshakeError, Message};

use super::stage::Stage;
use crate::support::{Connection, eventually};

/// Frames that are no requests.
fn garbage() -> Vec<Message> {
    let texts = [
        "",
        "{",
        "}",
        "[]",
        "null",
        "{}",
        "{\"op\":5}",
        "{\"op\":\"publish\"}",
        "{\"op\":\"subscribe\",\"topic\":[]}",
        "{\"op\":\"call_service\",\"service\":\"/rosapi/topics\",\"args\":[[[[[[\"}\"]]]]]]}",
        "{\"op\":\"fragment\",\"id\":\"a\",\"data\":\"\",\"num\":4000000000,\"total\":4000000000}",
        "{\"op\":\"subscribe\",\"topic\":\"/a\",\"type\":\"x/Y\",\"throttle_rate\":1e308}",
        "{\"op\":\"publish\",\"topic\":\"/car1/cmd_vel\",\"msg\":{\"linear\":{\"x\":1e999}}}",
        "{\"op\":\"publish\",\"topic\":\"/car1/cmd_vel\",\"msg\":{\"linear\":",
        "{\"op\":\"png\",\"data\":\"iVBORw0KGgoAAAANSUhEUgAA////////CAIAAAAAAAAA\"}",
        "{\"op\":\"send_action_goal\",\"action\":\"/simulate_steps\",\"args\":{}},\"goal_id\":{}}",
    ];
    let mut frames: Vec<Message> = texts.into_iter().map(Message::text).collect();
    frames.push(Message::text("[".repeat(100_000)));
    frames.push(Message::text("{\"a\":".repeat(100_000)));
    frames.push(Message::binary(vec![0xff; 1000]));
    frames
}

#[test]
fn garbage_changes_nothing_for_others() {
    let stage = Stage::start("clients=100;max_message=1000000");
    let mut good = stage.socket();
    for frame in garbage() {
        let mut bad = stage.socket();
        bad.0.send(frame).expect("sent");
        assert_eq!(bad.call("/rosapi/nodes")["result"], true);
    }
    let mut giant = stage.socket();
    // The server may end the connection before all is sent.
    drop(giant.0.send(Message::text("x".repeat(2_000_000))));
    drop(giant.0.read());
    for bytes in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"\0\0\0\0", &[0xff; 5000]] {
        let mut raw = TcpStream::connect(("127.0.0.1", stage.port)).expect("a connection");
        raw.write_all(bytes).expect("written");
    }
    let crowd: Vec<_> = (0..80).map(|_| stage.socket()).collect();
    assert_eq!(good.call("/rosapi/nodes")["values"]["nodes"][0], "/bridgehead");
    drop(crowd);
    good.send(&json!({"op": "subscribe", "topic": "/clock", "type": "rosgraph_msgs/Clock"}));
    good.receive("publish");
    stage.finish();
}

/// The status of a handshake.
fn handshake(port: u16, path: &str, header: Option<(&'static str, &str)>) -> u16 {
    let mut request = format!("ws://127.0.0.1:{port}{path}").into_client_request().expect("a request");
    if let Some((name, value)) = header {
        request.headers_mut().insert(name, value.parse().expect("a value"));
    }
    match tungstenite::client(request, TcpStream::connect(("127.0.0.1", port)).expect("a connection")) {
        Ok(_) => 101,
        Err(HandshakeError::Failure(tungstenite::Error::Http(response))) => response.status().as_u16(),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn strangers_are_refused() {
    let stage = Stage::start("token=s3cret;origins=https://app.example;clients=2");
    let status = |path: &str, header| handshake(stage.port, path, header);
    assert_eq!(status("/", None), 401);
    assert_eq!(status("/?token=wrong", None), 401);
    assert_eq!(status("/?token=s3cret", Some(("origin", "http://evil.example"))), 403);
    assert_eq!(status("/?token=s3cret", Some(("origin", "https://app.example"))), 101);
    assert_eq!(status("/", Some(("authorization", "Bearer s3cret"))), 101);
    let url = |port: u16| format!("ws://127.0.0.1:{port}/?token=s3cret");
    let connect = || {
        let stream =
            Connection::connect(("127.0.0.1", stage.port), Duration::from_secs(20)).expect("a connection");
        tungstenite::client(url(stage.port), stream).ok()
    };
    let mut held = Vec::new();
    eventually("both places are free", || {
        held.extend(connect());
        held.len() == 2
    });
    assert_eq!(status("/?token=s3cret", None), 503);
    drop(held);
    let bridges = stage.host.ok("get_bridges", serde_json::json!({})).to_string();
    assert!(bridges.contains("token=…;origins="), "{bridges}");
    stage.host.signal(libc::SIGTERM);
    let finished = stage.host.finish().expect_code(0).expect_message(&["BH-RBR-003", "a token is required"]);
    let shown = format!("{finished}{}{}{bridges}", finished.stdout(), finished.result());
    assert!(!shown.contains("s3cret"), "the token is not shown: {shown}");
}

#[test]
fn a_server_for_other_machines_needs_a_token() {
    let port = crate::support::free_port();
    let setup = super::stage::two_vehicles().plugins(&["rosbridge"]);
    let bridge = format!("car1=rosbridge:0.0.0.0:{port}");
    let finished = setup.bridge(bridge).start().finish();
    finished.expect_code(1).expect_message(&["BH-RBR-001", "token="]);
}

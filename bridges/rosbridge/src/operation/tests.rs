//! Any text of a client is carried out or refused.

use std::sync::Arc;

use bridgehead_websocket::{Frame, Link, Protocol, Server, ServerOptions};
use proptest::prelude::*;

use crate::connection::Generation;
use crate::hub::Hub;
use crate::test_support::TestClient;

/// Answers every text with the number of clients of a hub that has read it.
struct Probe(Hub);

impl Protocol for Probe {
    type Client = (Link, Arc<crate::client::Client>);

    fn opened(&self, link: &Link) -> Self::Client {
        (link.clone(), self.0.opened(link))
    }
    fn text(&self, client: &Self::Client, text: &str) {
        self.0.text(&client.1, text);
        while self.0.proceed(&client.1) {}
        client.0.reply(Frame::text("\"read\"".to_owned()));
    }
    fn binary(&self, client: &Self::Client, bytes: bridgehead_websocket::Bytes) {
        self.0.binary(&client.1, bytes);
    }
}

/// Pieces of requests, which are joined in any order.
fn piece() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\"op\":",
        "\"publish\"",
        "\"subscribe\"",
        "\"call_service\"",
        "\"topic\":\"/a\"",
        "\"service\":\"/rosapi/topics\"",
        "\"msg\":{}",
        "\"args\":",
        "\"fragment\"",
        "\"id\":\"1\"",
        "\"num\":0",
        "\"total\":2",
        "\"data\":\"x\"",
        "\"png\"",
        "\"send_action_goal\"",
        "\"action\":\"/b\"",
        "\"advertise_service\"",
        "\"type\":\"a/B\"",
        "\"throttle_rate\":-1",
        "\"queue_length\":1e99",
        "null",
        "1e400",
        "\"advertise_action\"",
        "\"service_response\"",
        "\"action_result\"",
        "\"timeout\":1e308",
        "\"fragment_size\":0",
    ]);
    prop_oneof![3 => words.prop_map(str::to_owned), 1 => ".{0,8}"]
}

fn text() -> impl Strategy<Value = String> {
    let members = || prop::collection::vec(piece(), 0..10);
    prop_oneof![
        members().prop_map(|pieces| pieces.concat()),
        members().prop_map(|pieces| format!("{{{}}}", pieces.join(","))),
    ]
}

#[test]
fn any_text_is_carried_out_or_refused() {
    let mut options = ServerOptions::new("127.0.0.1:0".parse().expect("an address"), "rosbridge-fuzz");
    options.replies.frames = 1_000_000;
    let hub = Hub::new(Generation::Two, options.max_message);
    let server = Server::start(options, Probe(hub)).expect("a server");
    let mut client = TestClient::connect(server.address().port());
    let mut runner = proptest::test_runner::TestRunner::default();
    let read = runner.run(&prop::collection::vec(text(), 1..20), |texts| {
        for text in &texts {
            client_text(&server, text);
        }
        Ok(())
    });
    read.expect("no panic");
    client.send_text("{}");
    assert_eq!(client.receive(), "read");
}

/// Sends a text on a connection of its own and waits until it is read.
fn client_text(server: &Server<Probe>, text: &str) {
    let mut client = TestClient::connect(server.address().port());
    client.send_text("{\"op\":\"set_level\",\"level\":\"info\"}");
    assert_eq!(client.receive(), "read");
    client.send_text(text);
    while client.receive() != "read" {}
}

//! Clients that send what is not of the protocol, and clients that may not connect.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::{Value, json};
use tungstenite::client::{IntoClientRequest as _, client_with_config};
use tungstenite::http::HeaderValue;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};

use super::client::Kind;
use super::stage::Stage;
use crate::support::Connection;

/// Longest time to wait for a message.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection without any knowledge of the protocol.
pub(super) struct Raw(WebSocket<Connection>);

impl Raw {
    /// Connects with headers; the error is the status of the response.
    pub(super) fn connect(port: u16, headers: &[(&'static str, &str)]) -> Result<Self, u16> {
        let mut request = format!("ws://127.0.0.1:{port}/").into_client_request().expect("a request");
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).expect("a value"));
        }
        let stream = Connection::connect(("127.0.0.1", port), PATIENCE).expect("a connection");
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        match client_with_config(request, stream, Some(config)) {
            Ok((socket, _)) => Ok(Raw(socket)),
            Err(tungstenite::HandshakeError::Failure(Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Connects as a client of the protocol.
    pub(super) fn open(port: u16) -> Self {
        Raw::connect(port, &[("sec-websocket-protocol", "foxglove.sdk.v1")]).expect("a connection")
    }

    /// Connects when all vehicles have announced their topics; returns the announced services too.
    fn ready(port: u16) -> (Self, Vec<Value>) {
        let deadline = clock::now() + PATIENCE;
        loop {
            let mut client = Raw::open(port);
            let list = |event: &Value, key: &str| event[key].as_array().cloned().unwrap_or_default();
            let channels = list(&client.next("advertise"), "channels");
            let services = list(&client.next("advertiseServices"), "services");
            let is_last = |channel: &Value| channel["topic"] == "/car2/odom";
            if channels.iter().any(is_last) && !services.is_empty() {
                return (client, services);
            }
            assert!(clock::now() < deadline, "not all vehicles have announced their topics");
            sleep(Duration::from_millis(50));
        }
    }

    pub(super) fn send(&mut self, message: Message) {
        self.0.send(message).expect("a message is sent");
    }

    /// Returns the next text with this operation.
    pub(super) fn next(&mut self, operation: &str) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().expect("a message") {
                let event: Value = serde_json::from_str(&text).expect("JSON");
                if event["op"] == operation {
                    return event;
                }
            }
        }
    }

    /// Fails unless the server still answers this client.
    pub(super) fn expect_alive(&mut self) {
        self.send(Message::text(r#"{"op":"getParameters","parameterNames":[],"id":"alive"}"#));
        assert_eq!(self.next("parameterValues")["id"], "alive");
    }

    /// Reads until the server closes the connection; returns the code of the close frame, if there is one.
    fn close_code(&mut self) -> Option<u16> {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

/// Wrong messages and a part of the error that the client gets.
fn wrong_messages() -> Vec<(Message, &'static str)> {
    let text = |value: Value| Message::text(value.to_string());
    let binary = |bytes: &[u8]| Message::binary(bytes.to_vec());
    vec![
        (Message::text(""), "a text must be a JSON object"),
        (Message::text("hello"), "found `hello`"),
        (Message::text("[".repeat(100_000)), "a text must be a JSON object"),
        (text(json!(7)), "found `7`"),
        (text(json!({"op": 3})), "`op` must be a text, found `3`"),
        (text(json!({"op": "explode"})), "found `explode`"),
        (text(json!({"op": "x".repeat(1_000_000)})), "found `xxxx"),
        (text(json!({"op": "subscribe", "subscriptions": {}})), "`subscriptions` must be a list"),
        (text(json!({"op": "subscribe", "subscriptions": [{"id": 1.5, "channelId": 1}]})), "found `1.5`"),
        (
            text(json!({"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 4_294_967_295_u32}]})),
            "no channel",
        ),
        (text(json!({"op": "unsubscribe", "subscriptionIds": [5]})), "no subscription 5"),
        (text(json!({"op": "advertise", "channels": [{"id": 1}]})), "`topic` must be a text, found nothing"),
        (
            text(
                json!({"op": "advertise", "channels": [{"id": 1, "topic": "/car1/cmd_vel", "encoding": "ros1"}]}),
            ),
            "must be one of json, cdr, protobuf, found `ros1`",
        ),
        (
            text(
                json!({"op": "advertise", "channels": [{"id": 1, "topic": "x".repeat(2000), "encoding": "json"}]}),
            ),
            "a name may have 1024 bytes",
        ),
        (text(json!({"op": "unadvertise", "channelIds": [9]})), "has no channel 9"),
        (text(json!({"op": "fetchAsset", "uri": "a"})), "`requestId` must be an integer"),
        (text(json!({"op": "subscribeParameterUpdates", "parameterNames": ["\u{0}"]})), "no parameter"),
        (text(json!({"op": "playbackControlRequest"})), "found `playbackControlRequest`"),
        (binary(&[]), "found no bytes"),
        (binary(&[0]), "found 0"),
        (binary(&[255; 1000]), "found 255"),
        (binary(&[1, 0, 0]), "ends early"),
        (binary(&[1, 9, 9, 9, 9, 1, 2, 3]), "has no channel 151587081"),
        (binary(&[2, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]), "ends early"),
    ]
}

#[test]
fn wrong_messages_are_explained_and_the_connection_continues() {
    let stage = Stage::start("");
    let (mut client, _) = Raw::ready(stage.port);
    for (message, expected) in wrong_messages() {
        client.send(message);
        let status = client.next("status");
        let text = status["message"].as_str().expect("a text");
        assert!(status["level"] == 2 && text.starts_with("[BH-FOX-0") && text.contains(expected), "{status}");
        assert!(text.len() < 700, "{} bytes", text.len());
        client.expect_alive();
    }
    stage.finish();
}

#[test]
fn wrong_calls_and_messages_fail_one_by_one() {
    let stage = Stage::start("");
    let (mut client, services) = Raw::ready(stage.port);
    let call = |service: u32, encoding: &str, data: &[u8]| {
        let mut bytes = vec![2];
        let length = u32::try_from(encoding.len()).expect("small");
        [service, 5, length].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(encoding.as_bytes());
        bytes.extend(data);
        Message::binary(bytes)
    };
    let number = |service: &Value| u32::try_from(service["id"].as_u64().expect("an id")).expect("small");
    for service in &services {
        // Bytes that are no CDR, no JSON and no protobuf of any type.
        for encoding in ["cdr", "json", "protobuf"] {
            client.send(call(number(service), encoding, &[0xff; 7]));
            let failure = client.next("serviceCallFailure");
            assert_eq!((&failure["serviceId"], &failure["callId"]), (&service["id"], &json!(5)));
            let text = failure["message"].as_str().expect("a text");
            assert!(text.starts_with("[BH-FOX-010] the call of /"), "{text}");
        }
    }
    client.send(call(999_999, "cdr", &[]));
    assert!(
        client.next("serviceCallFailure")["message"].as_str().is_some_and(|text| text.contains("BH-FOX-006"))
    );
    client.send(call(number(&services[0]), "xml", &[]));
    assert!(client.next("serviceCallFailure")["message"].as_str().is_some_and(|text| text.contains("`xml`")));
    let channel =
        json!({"id": 3, "topic": "/car1/cmd_vel", "encoding": "cdr", "schemaName": "geometry_msgs/Twist"});
    client.send(Message::text(json!({"op": "advertise", "channels": [channel]}).to_string()));
    // A stream of equal errors is one report.
    for _ in 0..1000 {
        client.send(Message::binary(vec![1, 3, 0, 0, 0, 1, 2, 3]));
    }
    let status = client.next("status")["message"].clone();
    assert!(
        status.as_str().is_some_and(|text| text.starts_with("[BH-FOX-009] a message on /car1/cmd_vel")),
        "{status}"
    );
    client.expect_alive();
    stage.finish();
}

#[test]
fn broken_frames_and_giant_messages_end_one_connection_only() {
    let stage = Stage::start("max_message=65536");
    let mut giant = Raw::open(stage.port);
    giant.send(Message::binary(vec![1; 65_537]));
    // The close frame is lost if the operating system reports the unread rest of the message first.
    assert!(giant.close_code().is_none_or(|code| code == 1009));
    // Text that is not UTF-8: final frame, text, masked, two bytes.
    let mut garbled = Raw::open(stage.port);
    garbled.0.get_mut().write_all(&[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]).expect("bytes are sent");
    assert!(garbled.close_code().is_none_or(|code| matches!(code, 1002 | 1007)));
    // The beginning of a frame, and then nothing.
    let mut partial = Raw::open(stage.port);
    partial.0.get_mut().write_all(&[0x82, 0xfe, 0x10]).expect("bytes are sent");
    drop(partial);
    // Not WebSocket at all: the server ends the connection.
    let mut other = TcpStream::connect(("127.0.0.1", stage.port)).expect("a connection");
    other.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("bytes are sent");
    other.set_read_timeout(Some(PATIENCE)).expect("an option");
    let mut response = Vec::new();
    other.read_to_end(&mut response).expect("the end of the connection");
    Raw::open(stage.port).expect_alive();
    stage.finish();
}

#[test]
fn a_client_that_floods_without_reading_harms_only_itself() {
    let stage = Stage::start("");
    let Some(witness) = stage.client(Kind::Python) else { return };
    let mut flood = Raw::open(stage.port);
    flood.0.get_mut().set_write_timeout(Some(Duration::from_secs(20))).expect("an option");
    // Each message causes a reply that nobody reads; the server then stops reading, or ends the connection.
    let sent = (0..200_000).take_while(|_| flood.0.send(Message::text("{}")).is_ok()).count();
    assert!(sent > 1000, "{sent}");
    witness.collect_until("the clock arrives", "/clock", |clock| clock["count"].as_u64() > Some(10));
    drop(flood);
    stage.finish();
}

#[test]
fn clients_that_may_not_connect_are_refused() {
    let stage = Stage::start("token=s3cret;origins=https://viewer.example");
    let protocol = ("sec-websocket-protocol", "foxglove.websocket.v1");
    let token = ("authorization", "Bearer s3cret");
    let refused = |headers: &[(&'static str, &str)]| Raw::connect(stage.port, headers).err();
    assert_eq!(refused(&[protocol, token]), None);
    assert_eq!(refused(&[protocol]), Some(401));
    assert_eq!(refused(&[protocol, ("authorization", "Bearer wrong")]), Some(401));
    assert_eq!(refused(&[protocol, token, ("origin", "https://evil.example")]), Some(403));
    assert_eq!(refused(&[protocol, token, ("origin", "https://app.foxglove.dev")]), Some(403));
    assert_eq!(refused(&[protocol, token, ("origin", "https://viewer.example")]), None);
    assert_eq!(refused(&[("sec-websocket-protocol", "rosbridge"), token]), Some(400));
    assert_eq!(refused(&[token]), Some(400));
    stage.finish();
}

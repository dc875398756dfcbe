//! Single messages that would cost the most time and memory: other clients lose nothing meanwhile, and the memory of the
//! host is bounded.

use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::{Value, json};
use tungstenite::Message;

use super::reader::Reader;
use super::server::{Kind, Socket};
use super::stage::Stage;
use crate::support::{Setup, is_loaded, vehicle, world};

/// Clouds of a million bytes, ten times a second, and a clock.
const CLOUD: &str =
    "<plugin filename='cloud' name='cloud'><bytes>1000000</bytes><update_rate>10</update_rate></plugin>";
const CLOCK: &str = "<plugin filename='clock' name='clock'><update_rate>100</update_rate></plugin>";
const PERIOD_NS: u64 = 10_000_000;
/// How much the memory of the host may grow for one client, whose messages may have ten million bytes.
const MEMORY_KIB: u64 = 150_000;
/// Size of the largest messages in bytes.
const LARGE: usize = 9_900_000;
/// How long other clients may wait for the next message.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// Most processor time of the simulation thread for a step, microseconds.
const MAX_US: f64 = 500.0;
/// How long clients stay connected after their last message.
const PAUSE: Duration = Duration::from_secs(1);
/// Longest time in which a server must have taken what a client has sent.
const DEADLINE: Duration = Duration::from_secs(60);
/// The content of the last ping.
const SETTLED: &[u8] = b"everything was taken";

/// A costly thing to do with a connection.
type Attack = (&'static str, fn(&mut Socket));

fn text(socket: &mut Socket, text: impl Into<String>) {
    // The server may have ended the connection.
    drop(socket.send(Message::text(text.into())));
}

fn call(service: &str, arguments: &Value) -> Value {
    json!({"op": "call_service", "service": service, "args": arguments})
}

fn subscription(number: u64, more: &Value) -> Value {
    let mut request = json!({"op": "subscribe", "id": number.to_string(), "topic": "/car1/points"});
    request.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    request
}

const ROSBRIDGE: [Attack; 11] = [
    ("small requests in one text", |socket| text(socket, "{}".repeat(LARGE / 2))),
    ("costly requests in one text", |socket| {
        let request = call("/rosapi/topics_and_raw_types", &json!({})).to_string();
        text(socket, request.repeat(LARGE / request.len()));
    }),
    ("a queue without a limit", |socket| {
        let more = json!({"queue_length": 4_000_000_000_u32, "throttle_rate": 4_000_000_000_u32});
        text(socket, subscription(1, &more).to_string());
    }),
    ("fragments of one byte", |socket| {
        text(socket, subscription(1, &json!({"fragment_size": 1})).to_string());
    }),
    ("subscriptions with long names", |socket| {
        for number in 0..200 {
            let topic = format!("/{number}{}", "x".repeat(LARGE / 10));
            text(socket, json!({"op": "subscribe", "topic": topic, "type": "a/B"}).to_string());
        }
    }),
    ("subscriptions with long identifiers", |socket| {
        for number in 0..100 {
            let request = json!({"op": "subscribe", "topic": "/clock", "id": format!("{number}{}", "x".repeat(LARGE / 4))});
            text(socket, request.to_string());
        }
    }),
    ("announcements with long identifiers", |socket| {
        for number in 0..300 {
            let id = format!("{number}{}", "x".repeat(LARGE / 10));
            text(socket, json!({"op": "advertise", "topic": "/a", "type": "a/B", "id": id}).to_string());
        }
    }),
    ("fragments without an end", |socket| {
        for id in 0..8 {
            let request =
                json!({"op": "fragment", "id": id, "num": 0, "total": 2, "data": "x".repeat(LARGE)});
            text(socket, request.to_string());
        }
    }),
    ("a long level", |socket| {
        text(socket, json!({"op": "set_level", "level": "x".repeat(LARGE)}).to_string());
    }),
    ("long arguments", |socket| {
        let zeros = format!("[{}0]", "0,".repeat(LARGE / 2));
        for service in ["/rosapi/topics", "/get_status", "/mine"] {
            text(socket, json!({"op": "advertise_service", "service": "/mine", "type": "a/B"}).to_string());
            text(socket, format!("{{\"op\":\"call_service\",\"service\":\"{service}\",\"args\":{zeros}}}"));
        }
    }),
    ("a long list instead of a text", |socket| {
        let zeros = format!("[{}0]", "0,".repeat(LARGE / 2));
        text(socket, format!("{{\"op\":\"subscribe\",\"topic\":{zeros}}}"));
    }),
];

const FOXGLOVE: [Attack; 4] = [
    ("a long list", |socket| {
        text(socket, format!("{{\"op\":\"x\",\"a\":[{}0]}}", "0,".repeat(LARGE / 2)));
    }),
    ("many subscriptions in one text", |socket| {
        let one = "{\"id\":1,\"channelId\":4000000000},";
        let all = one.repeat(LARGE / one.len());
        text(socket, format!("{{\"op\":\"subscribe\",\"subscriptions\":[{}]}}", all.trim_end_matches(',')));
    }),
    ("many channels in one text", |socket| {
        let one = "{\"id\":1,\"topic\":\"/a\",\"encoding\":\"json\"},";
        let all = one.repeat(LARGE / one.len());
        text(socket, format!("{{\"op\":\"advertise\",\"channels\":[{}]}}", all.trim_end_matches(',')));
    }),
    ("a stream of questions", |socket| {
        for _ in 0..100_000 {
            text(socket, "{\"op\":\"getParameters\",\"parameterNames\":[]}");
        }
    }),
];

/// Waits until the server has taken everything, or has ended the connection.
#[track_caller]
fn settle(socket: &mut Socket) {
    let begin = clock::now();
    if socket.send(Message::Ping(SETTLED.into())).is_err() {
        return;
    }
    while let Ok(message) = socket.read() {
        if message == Message::Pong(SETTLED.into()) {
            return;
        }
        assert!(begin.elapsed() < DEADLINE, "the server does not come to an end");
    }
}

/// Makes all attacks on a server. Returns what was measured.
#[track_caller]
fn make_all(kind: Kind, attacks: &[Attack]) -> String {
    let mut report = String::new();
    let setup = Setup::new().plugins(&["clock"]).fixtures(&["cloud"]).in_real_time();
    let stage = Stage::start(setup.world(&world(&format!("{CLOCK}{}", vehicle("car1", CLOUD)))), "");
    let server = stage.server(kind);
    let before = stage.host.process_status("VmRSS");
    for (name, attack) in attacks {
        let witness = Reader::start(server, "/clock", "rosgraph_msgs/msg/Clock", Duration::ZERO);
        let mut socket = server.connect();
        let cost = stage.cost_of_steps(|| {
            attack(&mut socket);
            settle(&mut socket);
            // Wall time: costs of steps are measured in it too.
            sleep(PAUSE);
        });
        let (now, peak) = (stage.host.process_status("VmRSS"), stage.host.process_status("VmHWM"));
        drop(socket);
        let received = witness.finish();
        let wait = received.longest_wait;
        report += &format!("{name}: {before} to {now} KiB, at most {peak} KiB; {wait:?}; {cost:.0} us\n");
        assert!(peak < before + MEMORY_KIB, "{name}: from {before} KiB to {peak} KiB");
        assert!(cost < MAX_US, "{name}: a step costs {cost:.0} us");
        assert!(wait < LONGEST_WAIT || is_loaded(), "{name}: {wait:?}");
        received.expect_complete(PERIOD_NS);
    }
    stage.finish();
    report
}

#[test]
fn costly_messages_do_not_affect_other_clients_of_rosbridge() {
    println!("{}", make_all(Kind::Rosbridge, &ROSBRIDGE));
}

#[test]
fn costly_messages_do_not_affect_other_clients_of_foxglove() {
    println!("{}", make_all(Kind::Foxglove, &FOXGLOVE));
}

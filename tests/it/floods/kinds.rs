//! What peers flood the ports with. Peers do not read: what they would get fills their buffers, and then those of the host.

use std::io::Write as _;
use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::Message;

use super::gz::announcement;
use super::ports::{Ports, Server};

/// One burst of a peer, with a number that no other burst has.
type Burst = fn(&Ports, u64);

/// The floods.
pub(crate) const FLOODS: [(&str, Burst); 13] = [
    ("connections without a word", connections),
    ("bytes without meaning", noise),
    ("requests of HTTP", http_requests),
    ("messages for the WebSocket of the host", |ports, _| talk(ports, Server::Http, &host_requests())),
    ("messages for rosbridge", |ports, number| talk(ports, Server::Rosbridge, &rosbridge_requests(number))),
    ("messages for the Foxglove bridge", |ports, number| {
        talk(ports, Server::Foxglove, &foxglove_requests(number))
    }),
    ("requests for the service of CLOiSim", |ports, _| talk(ports, Server::Cloisim, &cloisim_requests())),
    ("requests in ZeroMQ", zmq_requests),
    ("subscriptions in ZeroMQ", zmq_subscriptions),
    ("datagrams for DDS", datagrams),
    ("subscriptions for Gazebo's topics", gz_subscriptions),
    ("requests for Gazebo's services", gz_requests),
    ("announcements for Gazebo's discovery", gz_announcements),
];

/// A burst of one of the floods.
pub(crate) fn flood(ports: &Ports, row: usize, number: u64) {
    FLOODS[row % FLOODS.len()].1(ports, number);
}

/// Messages of a burst.
const MESSAGES: usize = 200;

/// Subscriptions of a burst: more than the host allows a client.
const SUBSCRIPTIONS: u64 = 5000;

/// Bytes of a generator (xorshift).
fn random(seed: u64, count: usize) -> Vec<u8> {
    let mut word = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        word.to_le_bytes()[3]
    };
    (0..count).map(|_| next()).collect()
}

fn connections(ports: &Ports, _: u64) {
    for port in ports.of_tcp() {
        // The host may refuse some.
        drop((0..10).map(|_| TcpStream::connect(("127.0.0.1", port))).collect::<Vec<_>>());
    }
}

fn noise(ports: &Ports, number: u64) {
    for port in ports.of_tcp() {
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
            // The host may close the connection at the first byte.
            drop(stream.write_all(&random(number ^ u64::from(port), 16 << 10)));
        }
    }
}

fn http_requests(ports: &Ports, _: u64) {
    let requests = [
        "GET /api/get_status HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /api/get_entities HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ];
    if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", ports.port(Server::Http))) {
        for _ in 0..MESSAGES / requests.len() {
            if requests.iter().any(|request| stream.write_all(request.as_bytes()).is_err()) {
                return;
            }
        }
    }
}

/// Sends requests over and over.
fn talk(ports: &Ports, server: Server, requests: &[Value]) {
    let Some(mut socket) = ports.open(server) else { return };
    for request in requests.iter().cycle().take(MESSAGES) {
        if socket.send(Message::text(request.to_string())).is_err() {
            return;
        }
    }
}

fn host_requests() -> Vec<Value> {
    vec![
        json!({"op": "subscribe", "what": "state"}),
        json!({"op": "subscribe", "what": "topic:/core/imu"}),
        json!({"op": "unsubscribe", "what": "state"}),
        json!({"op": "fly"}),
    ]
}

fn rosbridge_requests(number: u64) -> Vec<Value> {
    vec![
        json!({"op": "subscribe", "topic": "/core/imu", "id": number}),
        json!({"op": "advertise", "topic": format!("/flood/{number}"), "type": "std_msgs/String"}),
        json!({"op": "publish", "topic": format!("/flood/{number}"), "msg": {"data": "x".repeat(1000)}}),
        json!({"op": "call_service", "service": "/get_entities"}),
        json!({"op": "call_service", "service": "/rosapi/topics"}),
        json!({"op": "unsubscribe", "topic": "/core/imu"}),
        json!({"op": "fragment", "id": number, "num": 0, "total": 2, "data": "{"}),
    ]
}

fn foxglove_requests(number: u64) -> Vec<Value> {
    vec![
        json!({"op": "subscribe", "subscriptions": [{"id": number % 1000, "channelId": 1}]}),
        json!({"op": "getParameters", "parameterNames": [], "id": "flood"}),
        json!({"op": "subscribeConnectionGraph"}),
        json!({"op": "advertise", "channels": [{"id": number % 1000, "topic": "/flood", "encoding": "json",
            "schemaName": "std_msgs/String"}]}),
        json!({"op": "fetchAsset", "uri": "package://no/mesh.stl", "requestId": 1}),
        json!({"op": "unsubscribe", "subscriptionIds": [number % 1000]}),
    ]
}

fn cloisim_requests() -> Vec<Value> {
    vec![
        json!({"command": "device_list", "filter": ""}),
        json!({"command": "topic_list", "filter": ""}),
        json!({"command": "port_list"}),
        json!({"command": "fly"}),
    ]
}

/// Subscribers of noise that leave at once.
fn gz_subscriptions(ports: &Ports, number: u64) {
    for one in 0..50 {
        let Some(mut stream) = ports.gz_subscribe() else { continue };
        let noise = random(number << 16 | one, 5 * usize::try_from(SUBSCRIPTIONS).expect("few"));
        let subscriptions = noise.chunks(5).flat_map(|noise| [&[0, 6, 1], noise].concat());
        drop(stream.write_all(&subscriptions.collect::<Vec<_>>()));
    }
}

/// Requests of nine parts and of others, with names and addresses without a meaning.
fn gz_requests(ports: &Ports, number: u64) {
    let Some(mut stream) = ports.gz_requester() else { return };
    for one in 0..MESSAGES as u64 {
        let parts = 6 + one % 4;
        let request = (1..=parts).flat_map(|part| {
            let flags = u8::from(part < parts);
            [vec![flags, 24], random(number << 16 | one << 4 | part, 24)].concat()
        });
        if stream.write_all(&request.collect::<Vec<_>>()).is_err() {
            return;
        }
    }
}

/// Datagrams of as many processes, whole and damaged.
fn gz_announcements(ports: &Ports, number: u64) {
    for one in 0..MESSAGES as u64 {
        let mut datagram = announcement(number << 16 | one);
        ports.gz_announce(&datagram);
        let place = usize::try_from(one).unwrap_or(0) % datagram.len();
        datagram[place] ^= 0x55;
        ports.gz_announce(&datagram);
        ports.gz_announce(&random(number << 16 | one, place));
    }
}

/// Requests without a meaning, whose replies are not read.
fn zmq_requests(ports: &Ports, number: u64) {
    let Some(mut stream) = ports.requester() else { return };
    for one in 0..MESSAGES as u64 {
        // An empty part, as the library sends before each request, then the request.
        let request = [b"\x01\0\0\x40".to_vec(), random(number << 16 | one, 0x40)].concat();
        if stream.write_all(&request).is_err() {
            return;
        }
    }
}

/// Subscriptions to texts that no message begins with, each of which the library keeps.
fn zmq_subscriptions(ports: &Ports, number: u64) {
    let Some(mut stream) = ports.subscribe() else { return };
    let mut subscriptions = Vec::new();
    for one in 0..SUBSCRIPTIONS {
        subscriptions.extend([0, 33, 1]);
        subscriptions.extend(random(number << 16 | one, 32));
    }
    // The host closes the connection of a peer that exceeds a limit.
    drop(stream.write_all(&subscriptions));
}

/// Datagrams that begin like those of DDS, each of another participant.
fn datagrams(ports: &Ports, number: u64) {
    for one in 0..MESSAGES as u64 {
        let mut packet = b"RTPS\x02\x03\x01\x10".to_vec();
        packet.extend(random(number << 16 | one, 12));
        // Submessages of discovery: a heartbeat, then data.
        packet.extend(b"\x07\x01\x1c\0\0\x01\0\xc7\0\x01\0\xc2");
        packet.extend(random(number ^ one, 20));
        packet.extend(b"\x15\x05\0\0");
        packet.extend(random(one, 64));
        for port in ports.dds() {
            ports.send_datagram(port, &packet);
        }
    }
}

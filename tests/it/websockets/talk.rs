//! What clients say to each server: valid messages, from which the hostile ones are made. None of them ends, pauses or
//! resets the run, since then nobody would receive anything.

use serde_json::{Value, json};

use super::frames::{BINARY, TEXT};
use super::random::Random;
use super::server::Kind;

/// Services that change nothing.
pub(super) const HARMLESS: [&str; 6] = [
    "/get_status",
    "/get_entities",
    "/get_entity_state",
    "/get_entities_states",
    "/get_bridges",
    "/get_simulator_features",
];

/// A message: its opcode and its payload.
pub(super) type Said = (u8, Vec<u8>);

/// The conversations with one server.
pub(super) struct Talk {
    kind: Kind,
    /// Messages of the protocol in JSON.
    requests: Vec<Value>,
    /// The ids of harmless services of Foxglove.
    services: Vec<u32>,
}

impl Talk {
    pub(super) fn new(kind: Kind, services: Vec<u32>) -> Self {
        let requests = match kind {
            Kind::Foxglove => foxglove(),
            Kind::Rosbridge => rosbridge(),
            Kind::Host => host(),
        };
        Talk { kind, requests, services }
    }

    /// Returns a valid message.
    fn valid(&self, random: &mut Random) -> Said {
        if self.kind == Kind::Foxglove && random.once_in(4) {
            return (BINARY, self.binary(random));
        }
        (TEXT, random.one_of(&self.requests).to_string().into_bytes())
    }

    /// Returns a message that is valid, or wrong in one of several ways.
    pub(super) fn next(&self, random: &mut Random) -> Said {
        match random.below(10) {
            0..3 => self.valid(random),
            3..6 => {
                let mut request = random.one_of(&self.requests).clone();
                random.distort(&mut request);
                (TEXT, request.to_string().into_bytes())
            }
            6..8 => {
                let (opcode, mut payload) = self.valid(random);
                random.damage(&mut payload);
                (opcode, self.defused(payload, opcode))
            }
            8 => (TEXT, self.deep(random)),
            _ => {
                let count = random.below(200);
                let payload = random.bytes(count);
                (*random.one_of(&[TEXT, BINARY]), self.defused(payload, BINARY))
            }
        }
    }

    /// A message on a channel, or a call of a service.
    fn binary(&self, random: &mut Random) -> Vec<u8> {
        let count = random.below(60);
        if random.once_in(2) {
            let channel = u32::try_from(random.below(4)).expect("small");
            return [vec![1], channel.to_le_bytes().to_vec(), random.bytes(count)].concat();
        }
        let (service, encoding) =
            (*random.one_of(&self.services), *random.one_of(&["cdr", "json", "protobuf"]));
        let data = if encoding == "json" { b"{}".to_vec() } else { random.bytes(count) };
        let call = u32::try_from(random.below(1000)).expect("small");
        let length = u32::try_from(encoding.len()).expect("small");
        let numbers = [service, call, length].map(u32::to_le_bytes).concat();
        [vec![2], numbers, encoding.as_bytes().to_vec(), data].concat()
    }

    /// A damaged call must not become the call of another service.
    fn defused(&self, mut payload: Vec<u8>, opcode: u8) -> Vec<u8> {
        if self.kind == Kind::Foxglove && opcode == BINARY && payload.first() == Some(&2) && payload.len() > 4
        {
            let service = u32::from_le_bytes(payload[1..5].try_into().expect("four bytes"));
            if !self.services.contains(&service) {
                payload[4] = 0xff;
            }
        }
        payload
    }

    /// JSON that is deep, long or of many parts.
    fn deep(&self, random: &mut Random) -> Vec<u8> {
        let times = 1 << random.below(16);
        let request = random.one_of(&self.requests).to_string();
        match random.below(5) {
            0 => "[".repeat(times),
            1 => "{\"op\":".repeat(times.min(10_000)),
            2 => "{}".repeat(times.min(10_000)),
            3 => request.repeat(times.min(200)),
            _ => format!("{}{request}", " ".repeat(times)),
        }
        .into_bytes()
    }
}

fn foxglove() -> Vec<Value> {
    let channel =
        json!({"id": 1, "topic": "/car2/cmd_vel", "encoding": "json", "schemaName": "geometry_msgs/Twist"});
    vec![
        json!({"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 3}, {"id": 2, "channelId": 5}]}),
        json!({"op": "subscribe", "subscriptions": [{"id": 3, "channelId": 1}, {"id": 4, "channelId": 2}]}),
        json!({"op": "unsubscribe", "subscriptionIds": [1, 2]}),
        json!({"op": "advertise", "channels": [channel]}),
        json!({"op": "unadvertise", "channelIds": [1]}),
        json!({"op": "getParameters", "parameterNames": ["bridgehead.time"], "id": "a"}),
        json!({"op": "getParameters", "parameterNames": []}),
        json!({"op": "setParameters", "parameters": [{"name": "bridgehead.time", "value": 1}], "id": "a"}),
        json!({"op": "subscribeParameterUpdates", "parameterNames": ["bridgehead.step"]}),
        json!({"op": "unsubscribeParameterUpdates", "parameterNames": ["bridgehead.step"]}),
        json!({"op": "subscribeConnectionGraph"}),
        json!({"op": "unsubscribeConnectionGraph"}),
        json!({"op": "fetchAsset", "uri": "package://a/b.stl", "requestId": 1}),
    ]
}

fn rosbridge() -> Vec<Value> {
    let mut requests = vec![
        json!({"op": "advertise", "id": "a", "topic": "/car2/cmd_vel", "type": "geometry_msgs/Twist"}),
        json!({"op": "unadvertise", "id": "a", "topic": "/car2/cmd_vel"}),
        json!({"op": "publish", "topic": "/car2/cmd_vel", "msg": {"linear": {"x": 0.1}, "angular": {"z": 0.1}}}),
        json!({"op": "subscribe", "id": "s", "topic": "/car1/imu", "type": "sensor_msgs/Imu", "throttle_rate": 100,
            "queue_length": 3, "fragment_size": 200, "compression": "png"}),
        json!({"op": "subscribe", "id": "t", "topic": "/car1/scan", "compression": "cbor"}),
        json!({"op": "unsubscribe", "id": "s", "topic": "/car1/imu"}),
        json!({"op": "unsubscribe", "topic": "/car1/scan"}),
        json!({"op": "advertise_service", "service": "/mine", "type": "a/B"}),
        json!({"op": "call_service", "id": "m", "service": "/mine", "args": {"a": 1}, "timeout": 0.5}),
        json!({"op": "service_response", "id": "bridgehead:1", "service": "/mine", "values": {}, "result": true}),
        json!({"op": "unadvertise_service", "service": "/mine"}),
        json!({"op": "advertise_action", "action": "/act", "type": "a/Act"}),
        json!({"op": "send_action_goal", "id": "g", "action": "/act", "action_type": "a/Act", "args": {}, "feedback": true}),
        json!({"op": "cancel_action_goal", "id": "g", "action": "/act"}),
        json!({"op": "action_feedback", "id": "bridgehead:1", "action": "/act", "values": {}}),
        json!({"op": "action_result", "id": "bridgehead:1", "action": "/act", "values": {}, "status": 4, "result": true}),
        json!({"op": "unadvertise_action", "action": "/act"}),
        json!({"op": "fragment", "id": "f", "data": "{\"op\":\"auth\"}", "num": 0, "total": 1}),
        json!({"op": "fragment", "id": "f", "data": "{\"op\":", "num": 0, "total": 2}),
        json!({"op": "png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC"}),
        json!({"op": "set_level", "level": "info"}),
        json!({"op": "auth", "mac": "", "client": "", "dest": "", "rand": "", "t": 0, "level": "", "end": 0}),
        json!({"op": "status", "level": "info", "msg": "hello"}),
    ];
    let questions =
        ["topics", "topics_and_raw_types", "message_details", "node_details", "get_param", "no_such"];
    let names = questions.map(|name| format!("/rosapi/{name}"));
    for service in names.iter().map(String::as_str).chain(HARMLESS) {
        let args = json!({"type": "sensor_msgs/Imu", "node": "/bridgehead", "name": "a"});
        let args = if service.starts_with("/rosapi") { args } else { json!({}) };
        requests.push(json!({"op": "call_service", "id": "c", "service": service, "args": args,
            "compression": "none", "fragment_size": 1000}));
    }
    requests
}

fn host() -> Vec<Value> {
    let subjects =
        ["state", "feedback", "status", "statistics", "topic:/car1/imu", "topic:/clock", "topic:/no_such"];
    let each = subjects.iter().flat_map(|what| {
        [
            json!({"op": "subscribe", "what": what}),
            json!({"op": "subscribe", "what": what, "rate": 20.0}),
            json!({"op": "unsubscribe", "what": what}),
        ]
    });
    each.collect()
}

//! Messages of every type of the plugin API over each transport, in both directions and with a value in every field.
//!
//! The plugin `triggered_publisher` answers each message on `/in/…` with one of the same type on `/out/…`, whose text has all
//! fields except arrays of bytes; messages with those come from a client of the run. The log shows what the run receives. The
//! values are made from the descriptors
//! of the types, so that a new type is tested too; the peers read the types from `.msg` texts.

use bridgehead_plugin_api::messages::ros::{RosElement, RosInterface};
use bridgehead_plugin_api::messages::{Arity, Field, MessageType, Struct, Wire as Scalar, all_schemas};
use serde_json::{Value, json};

use super::bytes::{is_bytes, with_base64};
use super::wire::over_each_transport;
use super::{Messages, Peer, Stage, Wire};
use crate::support::{Served, Setup, eventually, world};

/// Elements of an array of any length.
const LENGTH: u32 = 2;

/// A type with a message of it, in which bytes are numbers in a list.
struct Row {
    of: MessageType,
    message: Value,
}

impl Row {
    fn all() -> Vec<Self> {
        let types = all_schemas().map(|schema| schema.resolve().expect("a type"));
        let messages = types.filter(|of| of.ros_type().interface() == RosInterface::Msg);
        messages
            .map(|of| {
                let message = filled(&of, of.root(), &mut 0);
                Row { of, message }
            })
            .collect()
    }

    fn ros_type(&self) -> String {
        self.of.ros_type().to_string()
    }

    fn topic(&self, kind: &str) -> String {
        format!("/{kind}/{}", self.ros_type().replace("/msg/", "_"))
    }

    /// A plugin that receives the messages of this type, and answers with the same message.
    fn plugin(&self) -> String {
        let (name, ros_type) = (self.topic("of").replace('/', "_"), self.ros_type());
        format!(
            "<plugin filename='triggered_publisher' name='{name}'><input type='{ros_type}' topic='{}'/>\
             <output type='{ros_type}' topic='{}'>{}</output></plugin>\n",
            self.topic("in"),
            self.topic("out"),
            text(&self.of, self.of.root(), &self.message)
        )
    }
}

/// A message with a value other than the default in each field; `count` is the number of values so far.
fn filled(of: &MessageType, part: &Struct, count: &mut u32) -> Value {
    let mut message = json!({});
    for field in part.fields() {
        let mut values = |length: u32| (0..length).map(|_| value(of, field, count)).collect::<Vec<_>>();
        message[field.name()] = match field.arity() {
            Arity::One => values(1).remove(0),
            Arity::Sequence => json!(values(LENGTH)),
            Arity::Bounded(limit) => json!(values(LENGTH.min(limit))),
            Arity::Fixed(length) => json!(values(length)),
        };
    }
    message
}

/// The next value: of numbers one that does not fit into a shorter type.
fn value(of: &MessageType, field: &Field, count: &mut u32) -> Value {
    if let Scalar::Message(id) = field.wire() {
        return filled(of, &of.dependencies()[id.index()], count);
    }
    *count += 1;
    let number = i64::from(*count);
    let text = format!("tÄxt {number}");
    match field.ros_element() {
        RosElement::Bool => json!(true),
        RosElement::Byte | RosElement::Char | RosElement::Uint8 => json!(number % 255 + 1),
        RosElement::Int8 => json!(-(number % 127) - 1),
        RosElement::Int16 => json!(-(1 << 14) - number),
        RosElement::Uint16 => json!((1 << 15) + number),
        RosElement::Int32 => json!(-(1 << 30) - number),
        RosElement::Uint32 => json!((1 << 31) + number),
        RosElement::Int64 => json!(-(1 << 62) - number),
        RosElement::Uint64 => json!((1_u64 << 63) + u64::from(*count)),
        RosElement::Float32 => json!(f64::from(*count) + 0.5),
        RosElement::Float64 => json!(f64::from(*count) + 1_099_511_627_776.5),
        RosElement::String => json!(text),
        RosElement::BoundedString(limit) => {
            let fits = |letter: &(usize, char)| letter.0 + letter.1.len_utf8() <= limit as usize;
            json!(text.char_indices().take_while(fits).map(|(_, letter)| letter).collect::<String>())
        }
        RosElement::Message => panic!("{} is no scalar", field.name()),
    }
}

/// A message in the text format of protobuf, without arrays of bytes.
fn text(of: &MessageType, part: &Struct, message: &Value) -> String {
    let mut text = String::new();
    for field in part.fields().iter().filter(|field| !is_bytes(field)) {
        let (name, value) = (field.name(), &message[field.name()]);
        let Scalar::Message(id) = field.wire() else {
            text += &format!("{name}: {value} ");
            continue;
        };
        let one = std::slice::from_ref(value);
        for value in value.as_array().map_or(one, Vec::as_slice) {
            text += &format!("{name} {{{}}} ", self::text(of, &of.dependencies()[id.index()], value));
        }
    }
    text
}

/// A message as the text describes it: arrays of bytes are empty or zero.
fn without_bytes(of: &MessageType, part: &Struct, message: &Value) -> Value {
    let mut message = message.clone();
    for field in part.fields() {
        let value = &mut message[field.name()];
        match (is_bytes(field), field.arity(), field.wire()) {
            (true, Arity::Fixed(length), _) => *value = json!(vec![0; length as usize]),
            (true, ..) => *value = json!([]),
            (false, _, Scalar::Message(id)) => {
                let inner = &of.dependencies()[id.index()];
                match value {
                    Value::Array(values) => {
                        values.iter_mut().for_each(|value| *value = without_bytes(of, inner, value));
                    }
                    value => *value = without_bytes(of, inner, value),
                }
            }
            (false, ..) => {}
        }
    }
    message
}

/// Sends the message of a row until it is answered.
#[track_caller]
fn exchange(row: &Row, peer: &Peer, answers: &Messages) {
    let (ros_type, topic) = (row.ros_type(), row.topic("in"));
    let mut answer = None;
    eventually(&format!("{ros_type} is answered"), || {
        peer.publish(&topic, &ros_type, &row.message, json!({}));
        answer = answers.next_of_now();
        answer.is_some()
    });
    let expected = without_bytes(&row.of, row.of.root(), &row.message);
    assert_eq!(answer, Some(expected), "{ros_type} from the run");
}

/// Lets the run publish the message of a row with its bytes.
#[track_caller]
fn expect_bytes(row: &Row, host: &Served, answers: &Messages) {
    let json = with_base64(&row.of, &row.message).to_string();
    host.ok("publish_message", json!({"topic": row.topic("out"), "json": json}));
    // Messages of the text may come before it.
    let short = without_bytes(&row.of, row.of.root(), &row.message);
    let mut found = answers.next();
    while found == short && found != row.message {
        found = answers.next();
    }
    assert_eq!(found, row.message, "{} with bytes from the run", row.ros_type());
}

over_each_transport!(messages_of_every_type_arrive_in_both_directions_with_every_field);

fn messages_of_every_type_arrive_in_both_directions_with_every_field(wire: Wire) {
    let rows = Row::all();
    assert!(rows.len() > 100, "{}", rows.len());
    let plugins: String = rows.iter().map(Row::plugin).collect();
    let setup = Setup::new().in_real_time().plugins(&["triggered_publisher", "logging"]);
    let setup = setup.world(&world(&plugins)).bridge("*=logging:out/run.jsonl");
    let Some(stage) = Stage::start_over(wire, setup.args(["--start", "playing"]), "") else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    for row in &rows {
        let answers = peer.subscribe(&row.topic("out"), &row.ros_type(), json!({"depth": 100}));
        exchange(row, &peer, &answers);
        if without_bytes(&row.of, row.of.root(), &row.message) != row.message {
            expect_bytes(row, &stage.host, &answers);
        }
    }
    let finished = stage.finish().expect_code(0);
    let lines = finished.log("out/run.jsonl");
    for row in rows {
        let topic = row.topic("in");
        let line = lines.iter().find(|line| line.is_topic(&topic)).expect("a message");
        assert_eq!(line["message"], with_base64(&row.of, &row.message), "{} to the run", row.ros_type());
    }
}

#[test]
fn every_field_of_the_messages_has_a_value_that_is_not_the_default() {
    fn is_default(value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Bool(value) => !value,
            Value::Number(number) => number.as_f64() == Some(0.0),
            Value::String(text) => text.is_empty(),
            Value::Array(values) => values.is_empty() || values.iter().any(is_default),
            Value::Object(members) => members.values().any(is_default),
        }
    }
    for row in Row::all() {
        assert!(!is_default(&row.message), "{}: {}", row.ros_type(), row.message);
    }
}

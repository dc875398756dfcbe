//! Fuzz targets of this crate; see `tests/fuzz`.

use std::sync::LazyLock;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridgehead_plugin_api::messages::{JsonPlan, all_schemas};
use bridgehead_websocket::{Link, Protocol as _};
use serde_json::Value;

use crate::connection::Generation;
use crate::encode::decode::Decoder;
use crate::encode::encoder::{Compression, Encoder, Publication, Shape};
use crate::encode::fragment::{Fragments, split};
use crate::encode::image::from_image;
use crate::encode::walk::Form;
use crate::fault::Level;
use crate::hub::Hub;
use crate::wall_clock;

mod reader;

/// Largest message of a client, and of an image.
const LIMIT: usize = 1 << 16;
/// The form of messages.
const FORM: Form = Form { generation: Generation::Two, sequence: 0 };

/// Messages of all kinds of fields. The first byte of an input is an index into this list, so new ones go at the end.
const TYPES: [&str; 10] = [
    "simulation_interfaces.v1.SpawnEntityRequest",
    "simulation_interfaces.v1.GetEntitiesStatesResponse",
    "bridgehead_simulation_interfaces.v1.AddTriggersRequest",
    "trajectory_msgs.v1.JointTrajectory",
    "sensor_msgs.v1.PointCloud2",
    "sensor_msgs.v1.JointState",
    "tf2_msgs.v1.TFMessage",
    "visualization_msgs.v1.MarkerArray",
    "geometry_msgs.v1.Twist",
    "std_msgs.v1.String",
];

/// What reads and writes a type.
struct Codec {
    encoder: Encoder,
    decoder: Decoder,
    /// The other encoder of JSON.
    other: JsonPlan,
}

static CODECS: LazyLock<Vec<Codec>> = LazyLock::new(|| {
    let codecs = TYPES.iter().map(|name| {
        let schema =
            all_schemas().find(|schema| schema.full_name().ends_with(name)).expect("a message of the host");
        let encoder = Encoder::new(&schema).expect("a valid message");
        let (decoder, other) = (Decoder::new(encoder.message()), JsonPlan::compile(encoder.message()));
        Codec { encoder, decoder, other }
    });
    codecs.collect()
});

/// Returns what reads the type that the first byte chooses, and the other bytes.
fn chosen(bytes: &[u8]) -> Option<(&'static Codec, &[u8])> {
    let (number, rest) = bytes.split_first()?;
    Some((CODECS.get(usize::from(*number) % CODECS.len())?, rest))
}

/// Any texts of a client, one a line: requests that are carried out, or refused with an error. All that the client gets is
/// JSON, and nothing remains of it in the end.
///
/// # Panics
/// Panics if a rule of the server is broken.
pub fn requests(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let (hub, link) = (Hub::new(Generation::Two, LIMIT), Link::detached());
    let client = hub.opened(&link);
    client.set_level(Level::Info);
    for line in text.split('\n') {
        hub.text(&client, line);
        while hub.proceed(&client) {}
        client.poll(&hub, wall_clock::now() + Duration::from_secs(1));
    }
    hub.closed(&client);
    assert!(hub.is_unused(), "something remains of a client");
    let replies: Vec<Value> = std::iter::from_fn(|| link.take_frame())
        .map(|frame| serde_json::from_slice(&frame.to_bytes()).expect("JSON"))
        .collect();
    !replies.iter().any(|reply| reply["op"] == "status" && reply["level"] == "error")
}

/// Any JSON as a message of a type: a payload whose JSON is read as the same again, or refused.
///
/// # Panics
/// Panics if the JSON of a message that was read is refused, or becomes another message.
pub fn message(bytes: &[u8]) -> bool {
    let Some((codec, rest)) = chosen(bytes) else { return false };
    let Ok(text) = std::str::from_utf8(rest) else { return false };
    let Ok(payload) = codec.decoder.decode(text) else { return false };
    let json = |payload: &[u8]| {
        let mut json = Vec::new();
        codec.encoder.json(payload, FORM, &mut json).expect("a message that was read can be sent");
        String::from_utf8(json).expect("a text")
    };
    let first = json(&payload);
    let again = codec.decoder.decode(&first).expect("the JSON of this bridge");
    assert_eq!(json(&again), first);
    true
}

/// Any bytes as the protobuf of a message: its JSON is that of the other encoder, and its CBOR has the same values; or it is
/// refused.
///
/// # Panics
/// Panics if two forms of a message differ.
pub fn payload(bytes: &[u8]) -> bool {
    let Some((codec, payload)) = chosen(bytes) else { return false };
    let mut json = Vec::new();
    if codec.encoder.json(payload, FORM, &mut json).is_err() {
        return false;
    }
    let mut publication = Publication::new(&codec.encoder, "/a", payload, 0, 0, Generation::Two);
    let mut frames = |compression, fragment| publication.frames(Shape { compression, fragment });
    drop((frames(Compression::None, Some(100)), frames(Compression::CborRaw, None)));
    let mut cbor = Vec::new();
    codec.encoder.cbor(payload, FORM, &mut cbor).expect("what has JSON has CBOR");
    // Texts that are not UTF-8 have no JSON.
    let Ok(json) = String::from_utf8(json) else { return false };
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let cbor = reader::read(&cbor).expect("CBOR");
    assert!(reader::is_equal(&json, &cbor), "{json}\n{cbor}");
    let mut other = Vec::new();
    if codec.other.encode(payload, &mut other).is_ok() {
        let other: Value = serde_json::from_slice(&other).expect("JSON");
        assert!(reader::is_equal(&json, &without_names(other)), "{json}");
    }
    true
}

/// Replaces the names of numbers that are not finite by `null`.
fn without_names(value: Value) -> Value {
    match value {
        Value::String(text) if ["NaN", "Infinity", "-Infinity"].contains(&text.as_str()) => Value::Null,
        Value::Array(elements) => elements.into_iter().map(without_names).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, without_names(value))).collect()
        }
        other => other,
    }
}

/// Any sequence of fragments: those that belong together are joined, and what waits is bounded. A fragment is three bytes,
/// its message, its number and the total, and a text with its length in a byte.
///
/// # Panics
/// Panics if too much waits, or a text is not the same after it was split and joined.
pub fn fragments(mut bytes: &[u8]) -> bool {
    let (mut fragments, now) = (Fragments::default(), wall_clock::now());
    let mut has_joined = false;
    while let Some(([id, number, total, length], rest)) = bytes.split_first_chunk() {
        let (data, rest) = rest.split_at(usize::from(*length).min(rest.len()));
        bytes = rest;
        let data = String::from_utf8_lossy(data).into_owned();
        let (number, total) = (usize::from(*number), usize::from(*total));
        let joined = fragments.add(&id.to_string(), number, total, data, LIMIT / 64, now);
        assert!(fragments.size().bytes <= LIMIT / 64, "{:?}", fragments.size());
        if let Ok(Some(text)) = joined {
            expect_same(&text, usize::from(*length) % 16 + 1);
            has_joined = true;
        }
    }
    has_joined
}

/// Fails unless a text is the same after it was split and joined.
fn expect_same(text: &str, size: usize) {
    let mut fragments = Fragments::default();
    let mut joined = None;
    for fragment in split(text, size, "a") {
        let fragment: Value = serde_json::from_str(&fragment).expect("JSON");
        let number = |name: &str| fragment[name].as_u64().and_then(|number| usize::try_from(number).ok());
        let (number, total) = (number("num").expect("a number"), number("total").expect("a number"));
        let data = fragment["data"].as_str().expect("a text").to_owned();
        joined = fragments.add("a", number, total, data, LIMIT, wall_clock::now()).expect("a fragment");
    }
    assert_eq!(joined.as_deref().unwrap_or_default(), text);
}

/// Any bytes as an image: its pixels are a text, or it is refused.
///
/// # Panics
/// Panics if a text is larger than the limit.
pub fn image(bytes: &[u8]) -> bool {
    let text = from_image(&STANDARD.encode(bytes), LIMIT);
    text.is_ok_and(|text| {
        assert!(text.len() <= LIMIT, "{} bytes", text.len());
        true
    })
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_texts_are_carried_out_or_refused() {
        short_run("rosbridge_text", 10_000, super::requests);
    }

    #[test]
    fn any_json_is_a_message_or_refused() {
        short_run("rosbridge_message", 10_000, super::message);
    }

    #[test]
    fn any_payload_has_equal_forms_or_is_refused() {
        short_run("rosbridge_payload", 10_000, super::payload);
    }

    #[test]
    fn any_fragments_are_joined_or_refused() {
        short_run("rosbridge_fragments", 10_000, super::fragments);
    }

    #[test]
    fn any_bytes_are_an_image_or_refused() {
        short_run("rosbridge_image", 5000, super::image);
    }
}

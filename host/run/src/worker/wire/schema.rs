//! The protocol as data, for workers in other languages: the package of Python reads it from a file, and has no table of
//! its own. A test writes the file, or fails if it differs, so that no change of the protocol is forgotten.
//!
//! The types come from what their implementations of `Deserialize` ask for, the functions and structs from the declarations
//! of the plugin ABI.

mod trace;

use bridgehead_abi::basic::Pose;
use bridgehead_abi::{LAYOUT, LayoutRow, bridge as raw, message as qos, status};
use bridgehead_plugin_api::hosting::{
    FUNCTIONS, Line, LogRecord, Message, NewType, Place, Posted as _, RayBatch, Rays, SENT_STRUCTS, Spawn,
    SpawnSpec, TypeRecord,
};
use bridgehead_plugin_api::objects::{bridge_has, model_has};
use serde_json::{Map, Value, json};

use super::super::{lane, memory};
use super::{Answer, Bytes, Call, FromWorker, Lane, Loaded, ModelCall, ModelRequest, Request, Role, Signal};
use super::{Caller, ToWorker};
use trace::Types;

/// The file, from the folder of this crate.
const FILE: &str = "../python/src/bridgehead/plugin/protocol.json";
/// Structs that are sent as their bytes alone.
const PLAIN: [&str; 4] = ["Pose", "SurfaceMotion", "RayHit", "Contact"];

/// Returns the types of all messages.
fn types() -> Value {
    let mut types = Types::default();
    types.add::<Role>();
    types.add::<Caller>();
    types.add::<Bytes<'_>>();
    types.add::<Answer<'_>>();
    types.add::<ModelCall<'_>>();
    types.add::<ModelRequest<'_>>();
    types.add::<Loaded<'_>>();
    types.add::<Call<'_>>();
    types.add::<Request<'_>>();
    types.add::<ToWorker<'_>>();
    types.add::<FromWorker<'_>>();
    types.add::<Signal<'_>>();
    types.into_json()
}

/// Returns the host functions that a worker may call.
fn functions() -> Value {
    let all = FUNCTIONS.iter().flat_map(|extension| extension.iter());
    let row = |function: &bridgehead_plugin_api::hosting::Function| {
        let place = match function.place {
            Place::Any => "any",
            Place::Main => "main",
            Place::Sim => "sim",
        };
        let result: String = function.result.split_whitespace().collect();
        let row = json!({
            "number": function.number, "arguments": function.arguments, "result": result, "place": place
        });
        (function.name.to_owned(), row)
    };
    Value::Object(all.map(row).collect())
}

fn text(bytes: &[u8]) -> String {
    let used = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(used).into_owned()
}

/// Returns the structs that cross in their memory layout: size, fields with type, offset and size, and the texts behind.
fn structs() -> Value {
    let plain = PLAIN.iter().map(|name| (*name, [].as_slice()));
    let wanted = SENT_STRUCTS.iter().map(|(name, texts)| (*name, *texts)).chain(plain);
    let row = |(name, texts): (&str, &[&str])| {
        let prefix = format!("{name}.");
        let is_of = |row: &&LayoutRow| text(&row.name).starts_with(&prefix);
        let rows: Vec<&LayoutRow> = LAYOUT.iter().filter(is_of).collect();
        let (whole, fields) = rows.split_first().expect("an ABI struct");
        let field = |row: &&LayoutRow| {
            let name = text(&row.name);
            json!([name.trim_start_matches(&prefix), text(&row.type_name), row.offset, row.size])
        };
        let fields: Vec<Value> = fields.iter().map(field).collect();
        (name.to_owned(), json!({ "size": whole.size, "fields": fields, "texts": texts }))
    };
    Value::Object(wanted.map(row).collect())
}

fn statuses() -> Value {
    let named =
        (-200..=100).map(|code| (status::name(code), code)).filter(|(name, _)| *name != "unknown status");
    Value::Object(named.map(|(name, code)| (name.to_owned(), code.into())).collect())
}

/// Names of constants with their values.
macro_rules! table {
    ($($path:path as $name:literal),* $(,)?) => { json!({ $($name: $path),* }) };
}

fn constants() -> Value {
    json!({
        "status": statuses(),
        "connection": table!(
            raw::STATUS_DISCONNECTED as "disconnected",
            raw::STATUS_UNEXPECTEDLY_DISCONNECTED as "lost",
            raw::STATUS_CONNECTING as "connecting",
            raw::STATUS_CONNECTED as "connected",
            raw::STATUS_DISCONNECTING as "disconnecting",
        ),
        "model_has": table!(
            model_has::start as "start",
            model_has::all_started as "all_started",
            model_has::sample as "sample",
            model_has::control as "control",
            model_has::pause as "pause",
            model_has::resume as "resume",
            model_has::stop as "stop",
            model_has::save as "save",
            model_has::load as "load",
        ),
        "bridge_has": table!(
            bridge_has::tx_run as "transmit",
            bridge_has::rx_run as "receive",
            bridge_has::interrupt as "interrupt",
            bridge_has::notice as "notice",
        ),
        "qos": table!(
            qos::RELIABILITY_BEST_EFFORT as "best_effort",
            qos::RELIABILITY_RELIABLE as "reliable",
            qos::DURABILITY_VOLATILE as "volatile",
            qos::DURABILITY_LATCHED as "latched",
        ),
        "any_type": raw::ANY_TYPE,
        "next_step": raw::NEXT_STEP,
        "stamp_now": raw::STAMP_NOW,
        "link_lost": lane::LINK_LOST,
    })
}

fn shared_memory() -> Value {
    json!({
        "smallest": memory::SMALLEST,
        "host_slots": memory::HOST_SLOTS,
        "lanes": Lane::ALL.len(),
        "slot": memory::SLOT,
        "header": memory::HEADER,
    })
}

/// Returns arguments of the kinds with several fields as they are sent, for tests of the other languages: their layout is in
/// code only.
fn samples() -> Value {
    let pose = Pose { position: [1.0, 2.0, 3.0], orientation: [0.0, 0.0, 0.0, 1.0] };
    let line = Line { level: 3, target: b"front", text: b"a line", file: b"a.py", line: 12 };
    let (directions, origins) = ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]);
    let rays = Rays {
        ignore_link: 7,
        frame: pose,
        directions: &directions,
        origins: Some(&origins),
        range: [0.1, 30.0],
    };
    json!({
        "LogRecord": hex(|message| LogRecord::put(line, message)),
        "TypeRecord": hex(|message| TypeRecord::put(NewType { name: "a.B", descriptor_set: &[1, 2, 3] }, message)),
        "SpawnSpec": hex(|message| SpawnSpec::put(Spawn { flags: 1, sdf: "<sdf/>", name: "box", pose }, message)),
        "RayBatch": hex(|message| RayBatch::put(rays, message)),
    })
}

fn hex(put: impl FnOnce(&mut Message)) -> String {
    let mut message = Message::default();
    put(&mut message);
    message.bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the file.
fn protocol() -> String {
    let mut parts = Map::new();
    parts.insert("types".into(), types());
    parts.insert("functions".into(), functions());
    parts.insert("structs".into(), structs());
    parts.insert("constants".into(), constants());
    parts.insert("memory".into(), shared_memory());
    parts.insert("samples".into(), samples());
    let content = Value::Object(parts.clone()).to_string();
    // A row for each type, function and struct, so that a change shows as one.
    let mut text = format!("{{\n  \"fingerprint\": \"{:016x}\"", hash(&content));
    for (name, rows) in &parts {
        text.push_str(&format!(",\n  {}: {{", json!(name)));
        let rows = rows.as_object().expect("a table");
        let rows: Vec<String> =
            rows.iter().map(|(name, row)| format!("\n    {}: {row}", json!(name))).collect();
        text.push_str(&rows.join(","));
        text.push_str("\n  }");
    }
    text.push_str("\n}\n");
    text
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn the_file_for_other_languages_has_the_protocol_of_this_program() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let protocol = protocol();
    if std::env::var_os("BRIDGEHEAD_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &protocol).expect("the file is written");
    }
    let found = bridgehead_files::read_text(&path, u64::MAX).unwrap_or_default();
    assert!(
        found == protocol,
        "`{FILE}` is stale; run this test with BRIDGEHEAD_UPDATE_DOCS=1, and build again"
    );
    serde_json::from_str::<Value>(&protocol).expect("JSON");
}

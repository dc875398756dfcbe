//! CDR and type hashes against those of the Python package `rosbags`, in both directions.
//!
//! For the common interfaces the package has definitions of its own, so that ours are checked too; the others it takes
//! from our `.msg` texts. Values travel beside the bytes as JSON.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bridgehead_messages::ros::{msg_text, type_hash};
use bridgehead_messages::{CdrPlan, JsonPlan, MessageType, Wire};
use serde::{Deserialize, Serialize};

use crate::random::{Random, all_types, random_payload};
use crate::skip::missing;

/// Random messages of each type in each direction.
const SAMPLES: usize = 20;

#[derive(Serialize)]
struct Question {
    seed: u64,
    count: usize,
    types: Vec<Definition>,
    samples: Vec<Sample>,
}

#[derive(Serialize)]
struct Definition {
    name: String,
    text: String,
}

/// A message as bytes, each a number, and as JSON, in a text since `serde_json` rounds.
#[derive(Serialize, Deserialize)]
struct Sample {
    name: String,
    cdr: Vec<u8>,
    #[serde(default)]
    json: String,
}

#[derive(Deserialize)]
struct Answer {
    /// Types that the package knows by itself.
    known: Vec<String>,
    hashes: BTreeMap<String, String>,
    /// Those of the question, read and written again.
    samples: Vec<Sample>,
    random: Vec<Sample>,
}

struct Plans {
    message: MessageType,
    cdr: CdrPlan,
    json: JsonPlan,
}

impl Plans {
    fn new(message: MessageType) -> Self {
        Self { cdr: CdrPlan::compile(&message), json: JsonPlan::compile(&message), message }
    }

    fn cdr_of(&self, payload: &[u8]) -> Vec<u8> {
        let mut cdr = Vec::new();
        self.cdr.encode(payload, &mut cdr).unwrap();
        cdr
    }

    fn payload_of_cdr(&self, cdr: &[u8]) -> Vec<u8> {
        let mut payload = Vec::new();
        self.cdr.decode(cdr, &mut payload).unwrap_or_else(|error| panic!("{:?}: {error}", self.message));
        payload
    }

    fn text_of(&self, payload: &[u8]) -> String {
        let mut json = Vec::new();
        self.json.encode(payload, &mut json).unwrap();
        String::from_utf8(json).unwrap()
    }

    /// Returns our text for a JSON text of another program.
    fn text_of_json(&self, json: &str) -> String {
        let mut payload = Vec::new();
        self.json.decode(json, &mut payload).unwrap_or_else(|error| panic!("{error}: {json}"));
        self.text_of(&payload)
    }
}

/// The interpreter that `tests/run.sh` prepares. Without the package the tests are skipped.
#[track_caller]
fn python() -> Option<Command> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let venv = target.join("venv/bin/python");
    let program = if venv.is_file() { venv } else { PathBuf::from("python3") };
    let command = || {
        let mut command = Command::new(&program);
        command.env("PYTHONPATH", target.join("py"));
        command
    };
    let found = command().args(["-c", "import rosbags.typesys"]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(command());
    }
    missing("the Python package rosbags is missing; `bash tests/run.sh` installs it");
    None
}

fn ask(mut python: Command, question: &Question) -> Answer {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rosbags.json");
    fs::write(&file, serde_json::to_vec(question).unwrap()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codecs/ask_rosbags.py");
    let Output { status, stdout, stderr } = python.arg(script).arg(&file).output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).unwrap()
}

/// The `.msg` text with full names where the package takes a short one for a message, and with what ROS makes of
/// `char` before it hashes.
fn definition(message: &MessageType) -> Definition {
    let mut text = msg_text(message).lines().map(without_char).collect::<String>();
    for field in message.fields() {
        if let Wire::Message(id) = field.wire() {
            let contained = message.dependencies()[id.index()].ros_type();
            text = text.replace(&contained.short(), &contained.to_string());
        }
    }
    Definition { name: message.ros_type().to_string(), text }
}

fn without_char(line: &str) -> String {
    match line.strip_prefix("char").filter(|rest| rest.starts_with([' ', '['])) {
        Some(rest) => format!("uint8{rest}\n"),
        None => format!("{line}\n"),
    }
}

/// Contained types first, each once.
fn in_order(types: &[MessageType]) -> Vec<Definition> {
    let mut types: Vec<&MessageType> = types.iter().collect();
    types.sort_by_key(|message| message.dependencies().len());
    types.into_iter().map(definition).collect()
}

#[test]
fn cdr_and_hashes_are_those_of_rosbags() {
    let Some(python) = python() else { return };
    let types = all_types();
    let plans: BTreeMap<String, Plans> =
        types.iter().map(|message| (message.ros_type().to_string(), Plans::new(message.clone()))).collect();
    let mut random = Random(20);
    let mut payloads = Vec::new();
    let mut samples = Vec::new();
    for (name, plan) in &plans {
        for _ in 0..SAMPLES {
            let payload = random_payload(&plan.message, &mut random);
            samples.push(Sample { name: name.clone(), cdr: plan.cdr_of(&payload), json: String::new() });
            payloads.push(payload);
        }
    }
    let question = Question { seed: 20, count: SAMPLES, types: in_order(types), samples };
    let answer = ask(python, &question);

    for (name, plan) in &plans {
        assert_eq!(answer.hashes[name], type_hash(&plan.message).to_string(), "{name}");
    }
    assert_eq!(answer.samples.len(), payloads.len());
    for ((ours, payload), theirs) in question.samples.iter().zip(&payloads).zip(&answer.samples) {
        let plan = &plans[&ours.name];
        assert_eq!(ours.cdr, padded(&theirs.cdr), "{} {}", ours.name, theirs.json);
        assert_eq!(plan.text_of(payload), plan.text_of_json(&theirs.json), "{}", ours.name);
    }
    assert_eq!(answer.random.len(), plans.len() * SAMPLES);
    for sample in &answer.random {
        let plan = &plans[&sample.name];
        let payload = plan.payload_of_cdr(&sample.cdr);
        assert_eq!(plan.text_of(&payload), plan.text_of_json(&sample.json), "{}", sample.name);
        assert_eq!(plan.cdr_of(&payload), padded(&sample.cdr), "{} {}", sample.name, sample.json);
    }
    // What it knows by itself is what nearly every robot uses.
    assert!(answer.known.len() >= 45, "{:?}", answer.known);
    println!("{} types, {} of them by definitions of rosbags", plans.len(), answer.known.len());
}

fn padded(cdr: &[u8]) -> Vec<u8> {
    let mut padded = cdr.to_vec();
    padded.resize(cdr.len().next_multiple_of(4), 0);
    padded
}

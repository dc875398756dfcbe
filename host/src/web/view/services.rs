//! What clients may ask of a recording: the services of a host that have an answer in it, and `seek`.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use bridgehead_lifecycle::{SimulationState, State};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::{bridgehead_simulation_interfaces as own, simulation_interfaces as si};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::app::{Position, ViewApp};
use super::entity;
use super::playback::Playback;
use crate::recording::Topic;
use crate::web::problem::Problem;
use crate::web::refusal;

/// A service: its name, what it does, whether it only reads, and the function that answers.
pub(super) struct Service {
    pub(super) name: &'static str,
    pub(super) comment: &'static str,
    pub(super) is_reader: bool,
    answer: fn(&ViewApp, &str) -> Result<String, Problem>,
}

/// Every service.
pub(super) const SERVICES: &[Service] = &[
    read("get_status", "The position in the recording, in the form of the status of a host.", status),
    read("get_scene", "What the world looks like at the position.", scene),
    read("get_world_description", "The content of the world at the position.", description),
    read("get_entities", "The entities of the scene at the position.", entities),
    read("get_entity_state", "Pose and velocity of an entity of the scene at the position.", entity_state),
    read("get_topics", "The topics, with the messages up to the position.", topics),
    read("read_topic", "The newest message of a topic at the position.", newest),
    write("play", "Plays on, from the beginning if the position is the end.", play),
    write("resume", "Plays on.", play),
    write("pause", "Stops the position.", |app, _| playing(app, Playback::pause)),
    write("step_simulation", "Moves a paused recording to the next messages.", step),
    write("reset", "Moves to the beginning.", |app, _| {
        let begin = app.recording.times().0;
        playing(app, |playback, now| playback.jump(begin, now))
    }),
    write("set_real_time_factor", "Sets the recorded seconds per second.", set_speed),
    write("seek", "Moves to a time of the recording, `time_ns`.", seek),
];

const fn read(
    name: &'static str,
    comment: &'static str,
    answer: fn(&ViewApp, &str) -> Result<String, Problem>,
) -> Service {
    Service { name, comment, is_reader: true, answer }
}

const fn write(
    name: &'static str,
    comment: &'static str,
    answer: fn(&ViewApp, &str) -> Result<String, Problem>,
) -> Service {
    Service { name, comment, is_reader: false, answer }
}

/// Largest number of steps in one request.
const MAX_STEPS: u32 = 100_000;
/// Speeds that can be set.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.001..=1000.0;
/// Recorded time over which the rate of a topic is counted, nanoseconds.
const RATE_WINDOW: u64 = 1_000_000_000;

/// Returns the service with that name.
pub(super) fn find(name: &str) -> Result<&'static Service, Problem> {
    let found = SERVICES.iter().find(|service| service.name == name);
    found.ok_or_else(|| {
        refusal::no_service(name, &SERVICES.iter().map(|service| service.name).collect::<Vec<_>>())
    })
}

impl Service {
    /// Answers a request of JSON.
    pub(super) fn call(&self, app: &ViewApp, request: &str) -> Result<String, Problem> {
        (self.answer)(app, request)
    }
}

/// `GET /api`
pub(super) fn list(app: &ViewApp) -> String {
    let services: Vec<Value> = SERVICES
        .iter()
        .map(|service| {
            json!({ "name": service.name, "comment": service.comment, "reader": service.is_reader })
        })
        .collect();
    let (begin_ns, end_ns) = app.recording.times();
    let contents = app.recording.contents();
    json!({
        "services": services,
        "actions": [],
        "recording": {
            "file": app.recording.path().file_name().map(|name| name.to_string_lossy()),
            "begin_ns": begin_ns,
            "end_ns": end_ns,
            "messages": contents.messages,
            "has_scene": contents.has_scene,
            "problems": contents.problems,
        },
    })
    .to_string()
}

/// The newest position, in the form of the status of a host.
pub(super) fn status_of(app: &ViewApp, position: Position) -> own::GetStatusResponse {
    let (state, simulation_state) = if position.is_playing {
        (State::StepBegin, SimulationState::Playing)
    } else {
        (State::Pause, SimulationState::Paused)
    };
    let requests: &[&str] = if position.is_playing {
        &["pause", "reset"]
    } else {
        &["play", "resume", "step_simulation", "reset"]
    };
    own::GetStatusResponse {
        result: ok(),
        status: Some(own::HostStatus {
            state: state.name().to_owned(),
            simulation_state: Some(si::SimulationState { state: simulation_state.number().into() }),
            step: position.step,
            time_ns: position.simulated_ns,
            reset_epoch: position.epoch,
            target_real_time_factor: position.speed,
            real_time_factor: if position.is_playing { position.speed } else { 0.0 },
            world: app.recording.world_at(position.time_ns).to_owned(),
            allowed: requests.iter().map(|&name| name.to_owned()).collect(),
            ..own::HostStatus::default()
        }),
    }
}

/// The subject `recording` of the WebSocket.
pub(super) fn position_of(app: &ViewApp, position: Position) -> String {
    let (begin_ns, end_ns) = app.recording.times();
    json!({
        "begin_ns": begin_ns,
        "end_ns": end_ns,
        "position_ns": position.time_ns,
        "simulated_ns": position.simulated_ns,
        "is_playing": position.is_playing,
        "speed": position.speed,
    })
    .to_string()
}

fn status(app: &ViewApp, request: &str) -> Result<String, Problem> {
    parsed::<Nothing>(request)?;
    answer(app, &status_of(app, app.position()))
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct SceneRequest {
    known_revision: u64,
}

fn scene(app: &ViewApp, request: &str) -> Result<String, Problem> {
    let SceneRequest { known_revision } = parsed(request)?;
    let scene = app.recording.scene_at(app.position().time_ns);
    let revision = scene.as_ref().map_or(0, |scene| scene.revision);
    let scene = scene.filter(|scene| scene.revision != known_revision);
    answer(app, &own::GetSceneResponse { result: ok(), revision, scene })
}

fn description(app: &ViewApp, request: &str) -> Result<String, Problem> {
    parsed::<Nothing>(request)?;
    let description = app.recording.description_at(app.position().time_ns);
    answer(app, &own::GetWorldDescriptionResponse { result: ok(), description })
}

fn entities(app: &ViewApp, request: &str) -> Result<String, Problem> {
    parsed::<Nothing>(request)?;
    let scene = app.recording.scene_at(app.position().time_ns).unwrap_or_default();
    let names: BTreeSet<String> = scene.nodes.into_iter().map(|node| node.entity).collect();
    answer(app, &si::GetEntitiesResponse { result: ok(), entities: names.into_iter().collect() })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntityRequest {
    entity: String,
}

fn entity_state(app: &ViewApp, request: &str) -> Result<String, Problem> {
    let EntityRequest { entity } = parsed(request)?;
    let state = entity::state_at(&app.recording, &entity, app.position().time_ns);
    let result = match state {
        Some(_) => ok(),
        None => Some(si::Result {
            result: si::Result::RESULT_NOT_FOUND,
            error_message: format!("[BH-REC-010] the recording has no poses of `{entity}` here"),
        }),
    };
    answer(app, &si::GetEntityStateResponse { result, state })
}

fn topics(app: &ViewApp, request: &str) -> Result<String, Problem> {
    parsed::<Nothing>(request)?;
    let time_ns = app.position().time_ns;
    let topics = app.recording.topics().iter().map(|topic| topic_info(topic, time_ns)).collect();
    answer(app, &own::GetTopicsResponse { result: ok(), topics })
}

fn topic_info(topic: &Topic, time_ns: u64) -> own::TopicInfo {
    let published = topic.entries.get(..topic.count_at(time_ns)).unwrap_or_default();
    let recent = topic.between(time_ns.saturating_sub(RATE_WINDOW), time_ns).len();
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = recent as f64 * 1e9 / RATE_WINDOW as f64;
    own::TopicInfo {
        topic: topic.name.clone(),
        vehicle: topic.vehicle.clone(),
        r#type: topic.message.ros_type().to_string(),
        published: published.len() as u64,
        bytes: published.iter().map(|entry| u64::from(entry.length)).sum(),
        rate,
        ..own::TopicInfo::default()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicRequest {
    topic: String,
}

fn newest(app: &ViewApp, request: &str) -> Result<String, Problem> {
    let TopicRequest { topic } = parsed(request)?;
    let missing = |what: &str| {
        let message = format!("the recording has no {what} `{topic}`");
        Problem::new(StatusCode::NOT_FOUND, "BH-REC-010", message)
    };
    let found = app.recording.topic(&topic).ok_or_else(|| missing("topic"))?;
    let entry = found.newest_at(app.position().time_ns).ok_or_else(|| missing("message up to here on"))?;
    let json = super::events::message_of(&app.recording, found, entry).map_err(|why| unreadable(&why))?;
    answer(
        app,
        &own::ReadTopicResponse {
            result: ok(),
            r#type: found.message.ros_type().to_string(),
            stamp: Some(Time::from_nanos(entry.stamp_ns)),
            sequence: u64::from(entry.sequence),
            reset_epoch: entry.epoch,
            json,
        },
    )
}

fn play(app: &ViewApp, _: &str) -> Result<String, Problem> {
    playing(app, Playback::play)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepRequest {
    steps: u32,
}

fn step(app: &ViewApp, request: &str) -> Result<String, Problem> {
    let StepRequest { steps } = parsed(request)?;
    if !(1..=MAX_STEPS).contains(&steps) {
        return Err(wrong(format!("`steps` is {steps}; expected a number from 1 to {MAX_STEPS}")));
    }
    let begin = app.position();
    if begin.is_playing {
        let message = "steps need a paused recording";
        return Err(Problem::new(StatusCode::CONFLICT, "BH-REC-011", message));
    }
    let next = |time: u64, _| app.recording.next_after(time).unwrap_or(time);
    let to = (0..steps).fold(begin.time_ns, next);
    playing(app, |playback, now| playback.advance(to, now))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpeedRequest {
    factor: f64,
}

fn set_speed(app: &ViewApp, request: &str) -> Result<String, Problem> {
    let SpeedRequest { factor } = parsed(request)?;
    if !SPEEDS.contains(&factor) {
        let (least, most) = SPEEDS.into_inner();
        return Err(wrong(format!("a recording cannot be played at {factor}; expected {least} to {most}")));
    }
    playing(app, |playback, now| playback.set_speed(factor, now))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeekRequest {
    time_ns: u64,
}

fn seek(app: &ViewApp, request: &str) -> Result<String, Problem> {
    let SeekRequest { time_ns } = parsed(request)?;
    playing(app, |playback, now| playback.jump(time_ns, now))
}

#[derive(Deserialize)]
struct Nothing {}

/// Changes the playback and returns the status after it.
fn playing(app: &ViewApp, change: impl FnOnce(&mut Playback, std::time::Instant)) -> Result<String, Problem> {
    app.change(change);
    answer(app, &status_of(app, app.position()))
}

fn answer<M: bridgehead_plugin_api::messages::Message>(
    app: &ViewApp,
    message: &M,
) -> Result<String, Problem> {
    app.json(message).map_err(|why| unreadable(&why))
}

fn unreadable(why: &str) -> Problem {
    let message = format!("the recording cannot be read: {why}");
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "BH-REC-012", message)
}

fn parsed<T: DeserializeOwned>(request: &str) -> Result<T, Problem> {
    let text = if request.trim().is_empty() { "{}" } else { request };
    serde_json::from_str(text).map_err(|error| wrong(format!("the request cannot be read: {error}")))
}

fn wrong(why: String) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "BH-REC-013", why)
}

fn ok() -> Option<si::Result> {
    Some(si::Result { result: si::Result::RESULT_OK, error_message: String::new() })
}

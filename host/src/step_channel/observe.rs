//! What a client reads: numbers at fixed places of one array. Simulation thread only.

use std::sync::Arc;

use bridgehead_plugin_api::messages::{
    FieldKind, FieldPath, FieldPathError, FieldPathFault, FieldValue, NumbersPath,
};
use bridgehead_sdf::pose::{DVec3, Pose};

use super::declaration::{Item, Quantity};
use super::error::Refusal;
use super::topics::{Newest, ReadTopic, ReadTopics};
use super::wire::{MISSING, OVERLONG};
use crate::sim::Simulation;
use crate::world::World;

/// Most numbers that a client can read.
pub(super) const MAX_VALUES: usize = 1 << 20;
const NS_PER_SECOND: f64 = 1e9;

/// The observations of a client.
#[derive(Default)]
pub(super) struct Observations {
    parts: Vec<Part>,
    values: Vec<f64>,
    topics: ReadTopics,
    /// The entities when the names were last looked up.
    revision: Option<Arc<()>>,
}

/// One declared observation, at its place in the array.
struct Part {
    begin: usize,
    length: usize,
    source: Source,
}

enum Source {
    Time,
    Pose(Named),
    Twist(Named),
    Joint { name: String, handle: Option<u32>, quantity: Quantity },
    Value { topic: usize, path: FieldPath },
    Array { topic: usize, path: NumbersPath, is_overlong: bool },
    Stamp { topic: usize },
}

/// An entity or a link.
struct Named {
    name: String,
    place: Option<Place>,
}

#[derive(Clone, Copy)]
enum Place {
    Entity(usize),
    Link(u32),
}

/// Where a part is in the array, for the answer to the declaration.
pub(super) struct Layout {
    pub(super) begin: usize,
    pub(super) length: usize,
    pub(super) unit: &'static str,
}

/// Pose and velocities of something.
struct Motion {
    pose: Pose,
    linear: DVec3,
    angular: DVec3,
}

impl Observations {
    /// Adds an observation. Its numbers come behind those before it.
    pub(super) fn add(&mut self, simulation: &mut Simulation, item: &Item<'_>) -> Result<Layout, Refusal> {
        let (source, length, unit) = match item {
            Item::Action { .. } | Item::Constant { .. } => {
                return Ok(Layout { begin: 0, length: 0, unit: "" });
            }
            Item::Time => (Source::Time, 1, "s"),
            Item::Pose(name) => (Source::Pose(named(simulation, name)?), 7, "m m m 1 1 1 1"),
            Item::Twist(name) => {
                (Source::Twist(named(simulation, name)?), 6, "m/s m/s m/s rad/s rad/s rad/s")
            }
            Item::Joint { name, quantity } => {
                let (handle, unit) = joint(simulation, name, *quantity)?;
                (
                    Source::Joint { name: (*name).to_owned(), handle: Some(handle), quantity: *quantity },
                    1,
                    unit,
                )
            }
            Item::Topic { topic, path, most } => {
                let (source, length) = self.add_field(simulation, topic, path, *most)?;
                (source, length, "")
            }
            Item::Stamp(topic) => (Source::Stamp { topic: self.topics.add(simulation, topic)?.0 }, 1, "s"),
        };
        let begin = self.values.len();
        let values = begin.saturating_add(length);
        if values > MAX_VALUES {
            return Err(Refusal::TooMany { values, limit: MAX_VALUES });
        }
        self.values.resize(values, f64::NAN);
        self.parts.push(Part { begin, length, source });
        Ok(Layout { begin, length, unit })
    }

    fn add_field(
        &mut self,
        simulation: &mut Simulation,
        name: &str,
        path: &str,
        most: Option<usize>,
    ) -> Result<(Source, usize), Refusal> {
        let (topic, found) = self.topics.add(simulation, name)?;
        let message = &found.data_type.message;
        let refuse = |cause: String| {
            let (topic, carries) = (name.to_owned(), found.data_type.ros_name().to_owned());
            Refusal::Field { topic, carries, cause }
        };
        match FieldPath::compile(message, path) {
            Ok(value) if value.kind() == FieldKind::Text => Err(refuse(format!("`{path}` is a text"))),
            Ok(_) if most.is_some() => Err(refuse(format!("`{path}` is one number, without a length"))),
            Ok(path) => Ok((Source::Value { topic, path }, 1)),
            Err(FieldPathError { cause: FieldPathFault::WholeArray(_), .. }) => {
                let array = NumbersPath::compile(message, path).map_err(|error| refuse(error.to_string()))?;
                let length = most.or_else(|| array.fixed_length()).ok_or_else(|| {
                    refuse(format!("`{path}` is an array of any length: give the most elements to read"))
                })?;
                Ok((Source::Array { topic, path: array, is_overlong: false }, length))
            }
            Err(error) => Err(refuse(error.to_string())),
        }
    }

    /// Reads everything, and returns the numbers with flags.
    pub(super) fn read(&mut self, simulation: &mut Simulation) -> (&[f64], u32) {
        self.topics.update(simulation);
        let time = time_of(simulation.now().time_ns);
        let mut flags = if self.topics.lacks_topics() { MISSING } else { 0 };
        let Some(world) = simulation.world() else {
            self.values.fill(f64::NAN);
            return (&self.values, flags | if self.parts.is_empty() { 0 } else { MISSING });
        };
        self.find_again(&world);
        let Observations { parts, values, topics, .. } = self;
        for Part { begin, length, source } in parts {
            let Some(room) = values.get_mut(*begin..*begin + *length) else { continue };
            flags |= match source {
                Source::Time => put(room, &[time]),
                Source::Pose(named) => match motion(&world, named.place) {
                    Some(Motion { pose, .. }) => {
                        let (at, turn) = (pose.position, pose.rotation);
                        put(room, &[at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w])
                    }
                    None => missing(room),
                },
                Source::Twist(named) => match motion(&world, named.place) {
                    Some(Motion { linear, angular, .. }) => {
                        put(room, &[linear.x, linear.y, linear.z, angular.x, angular.y, angular.z])
                    }
                    None => missing(room),
                },
                Source::Joint { handle, quantity, .. } => {
                    match handle.and_then(|handle| world.joint_state(handle)) {
                        Some(state) => put(
                            room,
                            &[match quantity {
                                Quantity::Position => state.position,
                                Quantity::Velocity => state.velocity,
                                Quantity::Effort => state.effort,
                            }],
                        ),
                        None => missing(room),
                    }
                }
                Source::Value { topic, path } => value(topics.get(*topic), path, room),
                Source::Array { topic, path, is_overlong } => {
                    if let Some(topic) = topics.get(*topic).filter(|topic| topic.has_changed) {
                        *is_overlong = array(topic, path, room);
                    }
                    if *is_overlong { OVERLONG } else { 0 }
                }
                Source::Stamp { topic } => stamp(topics.get(*topic), room),
            };
        }
        topics.mark_read();
        (values, flags)
    }

    /// Looks names up again, after entities were added or removed.
    fn find_again(&mut self, world: &World) {
        let revision = world.entity_revision();
        if self.revision.as_ref().is_some_and(|known| Arc::ptr_eq(known, revision)) {
            return;
        }
        self.revision = Some(Arc::clone(revision));
        for part in &mut self.parts {
            match &mut part.source {
                Source::Pose(named) | Source::Twist(named) => named.place = place_of(world, &named.name),
                Source::Joint { name, handle, .. } => *handle = world.find_joint(name),
                Source::Time | Source::Value { .. } | Source::Array { .. } | Source::Stamp { .. } => {}
            }
        }
    }

    /// Returns the newest messages, for a snapshot.
    pub(super) fn newest(&mut self, simulation: &mut Simulation) -> Newest {
        self.topics.newest(simulation)
    }

    /// Returns to the messages of a snapshot.
    pub(super) fn return_to(&mut self, newest: &Newest, reset_epoch: u32) {
        self.topics.return_to(newest, reset_epoch);
    }

    /// Ends all subscriptions.
    pub(super) fn end(&mut self, simulation: &mut Simulation) {
        self.topics.end(simulation);
    }
}

fn put(room: &mut [f64], numbers: &[f64]) -> u32 {
    room.iter_mut().zip(numbers).for_each(|(place, number)| *place = *number);
    0
}

fn missing(room: &mut [f64]) -> u32 {
    room.fill(f64::NAN);
    MISSING
}

#[expect(clippy::cast_precision_loss, reason = "seconds for a policy; the exact time is in the answer")]
fn time_of(time_ns: i64) -> f64 {
    time_ns as f64 / NS_PER_SECOND
}

/// Reads one field of the newest message; without a message, NaN.
fn value(topic: Option<&ReadTopic>, path: &FieldPath, room: &mut [f64]) -> u32 {
    let Some(topic) = topic.filter(|topic| topic.has_changed) else { return 0 };
    let read = topic.newest().map(|newest| path.read(&newest.payload));
    let number = match read {
        Some(Ok(Some(FieldValue::Number(number)))) => number,
        Some(Ok(Some(FieldValue::Bool(is)))) => f64::from(u8::from(is)),
        Some(Ok(Some(FieldValue::Text(_)) | None) | Err(_)) | None => f64::NAN,
    };
    put(room, &[number])
}

/// Reads an array of the newest message; what it lacks is NaN. Returns true if it is longer.
fn array(topic: &ReadTopic, path: &NumbersPath, room: &mut [f64]) -> bool {
    room.fill(f64::NAN);
    let Some(newest) = topic.newest() else { return false };
    let length = room.len();
    let take = |index: usize, number: f64| {
        if let Some(place) = room.get_mut(index) {
            *place = number;
        }
    };
    path.read(&newest.payload, take).is_ok_and(|count| count > length)
}

fn stamp(topic: Option<&ReadTopic>, room: &mut [f64]) -> u32 {
    let newest = topic.and_then(ReadTopic::newest);
    put(room, &[newest.map_or(f64::NAN, |newest| time_of(newest.stamp_ns))])
}

fn motion(world: &World, place: Option<Place>) -> Option<Motion> {
    match place? {
        Place::Entity(index) => {
            let state = world.entity(index)?;
            Some(Motion { pose: state.pose, linear: state.linear, angular: state.angular })
        }
        Place::Link(link) => {
            let state = world.link_state(link)?;
            Some(Motion { pose: state.pose, linear: state.linear, angular: state.angular })
        }
    }
}

fn place_of(world: &World, name: &str) -> Option<Place> {
    let entity = world.find_entity(name).map(Place::Entity);
    entity.or_else(|| world.find_link(name).map(Place::Link))
}

fn named(simulation: &Simulation, name: &str) -> Result<Named, Refusal> {
    let world = simulation.world().ok_or(Refusal::NoWorld)?;
    if let Some(place) = place_of(&world, name) {
        return Ok(Named { name: name.to_owned(), place: Some(place) });
    }
    let entities = world.entities().map(|entity| entity.model.name.as_str());
    let known: Vec<&str> = entities.chain(world.link_poses().map(|(link, _)| link)).collect();
    Err(Refusal::unknown("entity or link", name, &known))
}

/// Returns a joint and the unit of a quantity of it.
fn joint(simulation: &Simulation, name: &str, quantity: Quantity) -> Result<(u32, &'static str), Refusal> {
    let world = simulation.world().ok_or(Refusal::NoWorld)?;
    let Some(handle) = world.find_joint(name) else {
        let known: Vec<&str> = world.joint_names().collect();
        return Err(Refusal::unknown("joint", name, &known));
    };
    let unit = match (quantity, world.joint_slides(handle)) {
        (Quantity::Position, true) => "m",
        (Quantity::Position, false) => "rad",
        (Quantity::Velocity, true) => "m/s",
        (Quantity::Velocity, false) => "rad/s",
        (Quantity::Effort, true) => "N",
        (Quantity::Effort, false) => "N m",
    };
    Ok((handle, unit))
}

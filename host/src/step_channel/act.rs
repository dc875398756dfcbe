//! The commands of a client: numbers that become messages, which the next step latches in. Simulation thread only.

use std::sync::Arc;

use bridgehead_plugin_api::messages::FieldsWriter;

use super::error::Refusal;
use super::topics::no_topic;
use crate::bus::Topic;
use crate::sim::Simulation;

/// The messages that are sent, and where their numbers come from.
#[derive(Default)]
pub(super) struct Commands {
    messages: Vec<Command>,
    /// How many numbers a client sends.
    count: usize,
    /// The topics of the bus when they were last compared.
    generation: u64,
}

/// A message for one topic.
struct Command {
    /// `None` if the topic does not exist any more.
    topic: Option<Arc<Topic>>,
    name: String,
    type_name: String,
    writer: FieldsWriter,
    /// The places of its numbers among those of the client.
    places: Vec<usize>,
    /// The numbers of the message that is written, kept for the next one.
    values: Vec<f64>,
}

/// A field of a message; without a text, a number of the client.
pub(super) struct Assignment<'a> {
    pub(super) topic: &'a str,
    pub(super) path: &'a str,
    pub(super) text: Option<&'a str>,
}

impl Commands {
    /// Makes a message for each topic, in the order in which the topics are named first.
    pub(super) fn new(simulation: &mut Simulation, fields: &[Assignment<'_>]) -> Result<Self, Refusal> {
        let mut topics: Vec<&str> = Vec::new();
        for field in fields {
            if !topics.contains(&field.topic) {
                topics.push(field.topic);
            }
        }
        let messages: Result<_, Refusal> =
            topics.into_iter().map(|topic| Command::new(simulation, topic, fields)).collect();
        let count = fields.iter().filter(|field| field.text.is_none()).count();
        let generation = simulation.shared().bus.generation();
        Ok(Commands { messages: messages?, count, generation })
    }

    /// Returns how many numbers a client sends.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Publishes the messages for the next step: all, or none if one of them cannot be made. No numbers at all publish
    /// nothing, and neither do those of a topic that are all NaN.
    pub(super) fn publish(&mut self, simulation: &mut Simulation, values: &[f64]) -> Result<(), Refusal> {
        if values.is_empty() && self.count > 0 {
            return Ok(());
        }
        if values.len() != self.count {
            return Err(Refusal::Count { found: values.len(), declared: self.count });
        }
        self.find_again(simulation);
        let mut written = Vec::with_capacity(self.messages.len());
        for command in &mut self.messages {
            written.extend(command.write(values)?);
        }
        written.into_iter().for_each(|(topic, payload)| simulation.publish_payload(topic, payload));
        Ok(())
    }

    fn find_again(&mut self, simulation: &mut Simulation) {
        let generation = simulation.shared().bus.generation();
        if self.generation != generation {
            self.generation = generation;
            for command in &mut self.messages {
                // A topic of another type has other fields.
                let is_known = |topic: &Arc<Topic>| topic.data_type.full_name() == command.type_name;
                command.topic = simulation.traffic.find_command_topic(&command.name).filter(is_known);
            }
        }
    }
}

impl Command {
    fn new(simulation: &mut Simulation, name: &str, fields: &[Assignment<'_>]) -> Result<Self, Refusal> {
        let topic = simulation.traffic.find_command_topic(name);
        let topic = topic.ok_or_else(|| no_topic(simulation, name))?;
        let (mut own, mut places, mut place) = (Vec::new(), Vec::new(), 0);
        for field in fields {
            if field.topic == name {
                own.push((field.path, field.text));
                places.extend(field.text.is_none().then_some(place));
            }
            place += usize::from(field.text.is_none());
        }
        let writer = FieldsWriter::compile(&topic.data_type.message, &own).map_err(|error| {
            let (topic, carries) = (name.to_owned(), topic.data_type.ros_name().to_owned());
            Refusal::Field { topic, carries, cause: error.to_string() }
        })?;
        let type_name = topic.data_type.full_name().to_owned();
        Ok(Command {
            topic: Some(topic),
            name: name.to_owned(),
            type_name,
            writer,
            places,
            values: Vec::new(),
        })
    }

    /// Returns the topic and the message; `None` if there is nothing to send.
    fn write(&mut self, values: &[f64]) -> Result<Option<(u32, Vec<u8>)>, Refusal> {
        let Some(topic) = &self.topic else { return Ok(None) };
        self.values.clear();
        self.values.extend(self.places.iter().filter_map(|place| values.get(*place)));
        if !self.values.is_empty() && self.values.iter().all(|value| value.is_nan()) {
            return Ok(None);
        }
        let mut payload = Vec::new();
        self.writer.write(&self.values, &mut payload).map_err(|error| Refusal::Command {
            topic: self.name.clone(),
            carries: topic.data_type.ros_name().to_owned(),
            cause: error.detail(),
        })?;
        Ok(Some((topic.id, payload)))
    }
}

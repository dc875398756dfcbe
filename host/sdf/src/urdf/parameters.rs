//! Files of parameters of ROS 2 nodes, in YAML, as `rcl_yaml_param_parser` reads them: names of nodes, then
//! `ros__parameters`, then the parameters, whose names may be split into levels. There are no aliases.

use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Marker, Parser};

use crate::diagnostic::{Code, excerpt};
use crate::source::{Location, Source};
use crate::urdf::refusal::{Refusal, refuse};

/// Key between the name of a node and its parameters.
const PARAMETERS: &str = "ros__parameters";
/// Names of nodes that stand for all.
const EVERY: [&str; 2] = ["**", "*"];
/// Levels of names and lists; ROS has five.
const MOST_LEVELS: usize = 32;

/// What a file says.
pub(crate) struct Parameters {
    source: Source,
    nodes: Nodes,
}

/// The parameters of each node, by its name without namespaces; their names have their levels, between dots.
type Nodes = BTreeMap<String, BTreeMap<String, Entry>>;

/// A parameter.
struct Entry {
    value: Value,
    at: Place,
}

/// Line and column in the file, both from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    line: u32,
    column: u32,
}

impl Place {
    fn of(marker: &Marker) -> Self {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Place { line: number(marker.line()), column: number(marker.col().saturating_add(1)) }
    }

    fn in_file(self, source: &Source) -> Location {
        let Place { line, column } = self;
        Location { file: source.name().into(), line, column, path: String::new() }
    }
}

enum Value {
    One(String),
    List(Vec<String>),
}

impl Value {
    fn one(&self) -> Option<&str> {
        match self {
            Value::One(value) => Some(value),
            Value::List(_) => None,
        }
    }
}

/// What is open around a place.
enum Level {
    /// A mapping; its key if one was read.
    Map(Option<String>),
    List {
        values: Vec<String>,
        at: Place,
    },
}

/// Reads the events of a file.
struct Reading<'s> {
    source: &'s Source,
    levels: Vec<Level>,
    nodes: Nodes,
}

impl Parameters {
    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error if it is not YAML, or not of this form.
    pub(crate) fn parse(source: Source) -> Result<Self, Refusal> {
        let mut reading = Reading { source: &source, levels: Vec::new(), nodes: Nodes::new() };
        for event in Parser::new_from_str(source.text()) {
            let (event, span) = event.map_err(|error| {
                let found = format!("what is not YAML: {}", excerpt(error.info()));
                refuse(
                    Code::UrdfParametersInvalid,
                    Place::of(error.marker()).in_file(&source),
                    found,
                    "a file of parameters",
                )
            })?;
            reading.take(event, &span.start)?;
        }
        let nodes = reading.nodes;
        Ok(Parameters { source, nodes })
    }

    /// Returns the names and types of the controllers that a manager has: those that it names, and the nodes that say
    /// their own type.
    pub(crate) fn controllers(&self, manager: &str) -> Vec<(&str, &str)> {
        let named = self.nodes_of(manager).into_iter().flatten();
        let named = named.filter_map(|(name, entry)| Some((name.strip_suffix(".type")?, entry.value.one()?)));
        let nodes = self.nodes.iter().filter(|(node, _)| !EVERY.contains(&node.as_str()));
        let own =
            nodes.filter_map(|(node, entries)| Some((node.as_str(), entries.get("type")?.value.one()?)));
        named.chain(own).collect()
    }

    /// The value of a parameter; the last one in the file counts.
    pub(crate) fn value(&self, node: &str, name: &str) -> Option<&str> {
        self.entry(node, name)?.value.one()
    }

    /// The values of a list, and where it is.
    pub(crate) fn list(&self, node: &str, name: &str) -> Option<(&[String], Location)> {
        let entry = self.entry(node, name)?;
        match &entry.value {
            Value::List(values) => Some((values.as_slice(), entry.at.in_file(&self.source))),
            Value::One(_) => None,
        }
    }

    fn entry(&self, node: &str, name: &str) -> Option<&Entry> {
        self.nodes_of(node).into_iter().filter_map(|entries| entries.get(name)).max_by_key(|entry| entry.at)
    }

    /// The parameters of a node, and those of all.
    fn nodes_of(&self, node: &str) -> Vec<&BTreeMap<String, Entry>> {
        std::iter::once(node).chain(EVERY).filter_map(|name| self.nodes.get(name)).collect()
    }
}

impl Reading<'_> {
    fn take(&mut self, event: Event<'_>, at: &Marker) -> Result<(), Refusal> {
        match event {
            Event::MappingStart(..) => self.open(Level::Map(None), at),
            Event::SequenceStart(..) => self.open(Level::List { values: Vec::new(), at: Place::of(at) }, at),
            Event::Scalar(text, ..) => self.scalar(text, at),
            Event::Alias(_) => Err(self.refuse(at, "an alias", "the value itself, as in ROS")),
            Event::MappingEnd => {
                self.levels.pop();
                self.end_value();
                Ok(())
            }
            Event::SequenceEnd => {
                if let Some(Level::List { values, at }) = self.levels.pop() {
                    self.add(Value::List(values), at);
                }
                Ok(())
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn open(&mut self, level: Level, at: &Marker) -> Result<(), Refusal> {
        match self.levels.last() {
            _ if self.levels.len() >= MOST_LEVELS => {
                Err(self.refuse(at, format!("more than {MOST_LEVELS} levels"), "fewer"))
            }
            Some(Level::Map(None)) => Err(self.refuse(at, "a name that is not a text", "a text")),
            Some(Level::List { .. }) => {
                Err(self.refuse(at, "a list in which not all are single values", "one"))
            }
            None if matches!(level, Level::List { .. }) => Err(self.refuse(at, "a list", "names of nodes")),
            Some(Level::Map(Some(_))) | None => {
                self.levels.push(level);
                Ok(())
            }
        }
    }

    fn scalar(&mut self, text: Cow<'_, str>, at: &Marker) -> Result<(), Refusal> {
        match self.levels.last_mut() {
            Some(Level::Map(key @ None)) => *key = Some(text.into_owned()),
            Some(Level::Map(Some(_))) => self.add(Value::One(text.into_owned()), Place::of(at)),
            Some(Level::List { values, .. }) => values.push(text.into_owned()),
            // An empty file.
            None if matches!(&*text, "" | "~") => {}
            None => return Err(self.refuse(at, format!("`{}`", excerpt(&text)), "names of nodes")),
        }
        Ok(())
    }

    /// Adds a parameter of which the name is open; what is not below `ros__parameters` is not one.
    fn add(&mut self, value: Value, at: Place) {
        let keys: Vec<&str> = self.levels.iter().filter_map(Level::key).collect();
        if let Some(split) = keys.iter().position(|key| *key == PARAMETERS) {
            let (node, name) = keys.split_at(split);
            let node = node.last().and_then(|node| node.rsplit('/').next()).unwrap_or_default();
            let name = name.get(1..).unwrap_or_default().join(".");
            self.nodes.entry(node.to_owned()).or_default().insert(name, Entry { value, at });
        }
        self.end_value();
    }

    fn end_value(&mut self) {
        if let Some(Level::Map(key)) = self.levels.last_mut() {
            *key = None;
        }
    }

    fn refuse(&self, at: &Marker, found: impl Into<String>, expected: &str) -> Refusal {
        refuse(Code::UrdfParametersInvalid, Place::of(at).in_file(self.source), found, expected)
    }
}

impl Level {
    fn key(&self) -> Option<&str> {
        match self {
            Level::Map(key) => key.as_deref(),
            Level::List { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests;

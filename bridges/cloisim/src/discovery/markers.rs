//! Markers that clients draw with commands on `/markers`: they are kept and listed for displays.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use crate::pseudo_json::{self, SyntaxError};

#[cfg(test)]
mod tests;

/// Largest number of markers.
const MAX_MARKERS: usize = 4096;
/// Types of markers, and the key under which each is listed; its shape is under the type name in lower case.
const KINDS: [(&str, &str); 4] =
    [("Line", "lines"), ("Text", "texts"), ("Box", "boxes"), ("Sphere", "spheres")];

/// Identity of a marker: group, id and type.
type Name = (String, i64, &'static str);

/// Why a command on `/markers` failed.
enum MarkerError {
    Syntax(SyntaxError),
    NoCommand,
    UnknownCommand(String),
    Exists(Name),
    NotFound(Name),
    TooMany,
    NoMatch,
    NotAList,
    NoId,
    UnknownType(String),
}

impl fmt::Display for MarkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MarkerError::Syntax(error) => write!(f, "invalid json: {error}"),
            MarkerError::NoCommand => f.write_str("command is empty"),
            MarkerError::UnknownCommand(command) => {
                write!(f, "unsupported command '{command}'; expected Add, Modify, Remove or List")
            }
            MarkerError::Exists((group, id, kind)) => {
                write!(f, "the {kind} {id} of group `{group}` already exists")
            }
            MarkerError::NotFound((group, id, kind)) => {
                write!(f, "the {kind} {id} of group `{group}` does not exist")
            }
            MarkerError::TooMany => write!(f, "there would be more than {MAX_MARKERS} markers"),
            MarkerError::NoMatch => f.write_str("no such marker exists"),
            MarkerError::NotAList => f.write_str("`markers` is not a list"),
            MarkerError::NoId => f.write_str("a marker has no integer in its field `id`"),
            MarkerError::UnknownType(kind) => {
                write!(f, "`{kind}` is not a marker type; expected Line, Sphere, Box or Text")
            }
        }
    }
}

/// The markers of a service.
#[derive(Debug, Default)]
pub(crate) struct Markers(BTreeMap<Name, Value>);

impl Markers {
    /// Returns the reply to a text: the command, its result, and after `List` the markers.
    pub(crate) fn respond(&mut self, text: &str) -> String {
        let mut answer = Map::new();
        let request = pseudo_json::parse(text).map_err(MarkerError::Syntax);
        let command =
            request.as_ref().ok().and_then(|request| request.get("command")).and_then(Value::as_str);
        answer.insert("command".to_owned(), command.unwrap_or_default().into());
        let outcome = request.and_then(|request| self.carry_out(&request));
        let list = match outcome {
            Ok(list) => {
                answer.insert("result".to_owned(), "Ok".into());
                list
            }
            Err(error) => {
                answer.insert("result".to_owned(), error.to_string().into());
                Vec::new()
            }
        };
        for (kind, key) in KINDS {
            let of_kind = list.iter().filter(|(name, _)| name.2 == kind).map(|(_, marker)| marker.clone());
            answer.insert(key.to_owned(), Value::Array(of_kind.collect()));
        }
        serde_json::to_string(&answer).unwrap_or_default()
    }

    /// Removes all markers, after a reset.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    fn carry_out(&mut self, request: &Value) -> Result<Vec<(Name, Value)>, MarkerError> {
        let command = request.get("command").and_then(Value::as_str).unwrap_or_default();
        match command.to_ascii_lowercase().as_str() {
            "add" => self.put(request, false),
            "modify" => self.put(request, true),
            "remove" => self.remove(request),
            "list" => Ok(self.find(request.get("filter"))),
            "" => Err(MarkerError::NoCommand),
            _ => Err(MarkerError::UnknownCommand(command.to_owned())),
        }
    }

    /// Adds markers, or changes existing ones; either all of them or none.
    fn put(&mut self, request: &Value, is_known: bool) -> Result<Vec<(Name, Value)>, MarkerError> {
        let markers = markers(request)?;
        for (name, _) in &markers {
            match (self.0.contains_key(name), is_known) {
                (true, false) => return Err(MarkerError::Exists(name.clone())),
                (false, true) => return Err(MarkerError::NotFound(name.clone())),
                _ => {}
            }
        }
        if self.0.len() + markers.len() > MAX_MARKERS && !is_known {
            return Err(MarkerError::TooMany);
        }
        for (name, marker) in markers {
            match (self.0.get_mut(&name), marker) {
                (Some(Value::Object(known)), Value::Object(fresh)) => known.extend(fresh),
                (_, marker) => _ = self.0.insert(name, marker),
            }
        }
        Ok(Vec::new())
    }

    /// Removes the markers that are listed and those that a filter matches.
    fn remove(&mut self, request: &Value) -> Result<Vec<(Name, Value)>, MarkerError> {
        let mut names: Vec<Name> = match request.get("markers") {
            None => Vec::new(),
            Some(_) => markers(request)?.into_iter().map(|(name, _)| name).collect(),
        };
        let filter = request.get("filter");
        if filter.is_some() {
            names.extend(self.find(filter).into_iter().map(|(name, _)| name));
        }
        let removed = names.iter().filter(|name| self.0.remove(name).is_some()).count();
        if removed == 0 { Err(MarkerError::NoMatch) } else { Ok(Vec::new()) }
    }

    fn find(&self, filter: Option<&Value>) -> Vec<(Name, Value)> {
        let field = |name: &str| filter.and_then(|filter| filter.get(name));
        let group = field("group").and_then(Value::as_str).filter(|group| !group.is_empty());
        let id = field("id").and_then(Value::as_i64);
        let kind = field("type").and_then(Value::as_str).filter(|kind| !kind.is_empty());
        let fits = |name: &Name| {
            group.is_none_or(|group| group == name.0)
                && id.is_none_or(|id| id == name.1)
                && kind.is_none_or(|kind| kind.eq_ignore_ascii_case(name.2))
        };
        self.0
            .iter()
            .filter(|(name, _)| fits(name))
            .map(|(name, marker)| (name.clone(), marker.clone()))
            .collect()
    }
}

fn markers(request: &Value) -> Result<Vec<(Name, Value)>, MarkerError> {
    let Some(Value::Array(list)) = request.get("markers") else {
        return Err(MarkerError::NotAList);
    };
    list.iter().map(|marker| Ok((name(marker)?, marker.clone()))).collect()
}

fn name(marker: &Value) -> Result<Name, MarkerError> {
    let group = marker.get("group").and_then(Value::as_str).unwrap_or_default();
    let Some(id) = marker.get("id").and_then(Value::as_i64) else {
        return Err(MarkerError::NoId);
    };
    let kind = marker.get("type").and_then(Value::as_str).unwrap_or_default();
    let known = KINDS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(kind));
    let Some((known, _)) = known else {
        return Err(MarkerError::UnknownType(kind.to_owned()));
    };
    Ok((group.to_owned(), id, known))
}

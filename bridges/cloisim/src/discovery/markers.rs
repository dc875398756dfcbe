//! Markers that clients draw, asked for on `/markers`: kept and listed, for whoever shows them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::pseudo_json;

#[cfg(test)]
mod tests;

/// Most markers that are kept.
const MAX_MARKERS: usize = 4096;
/// Types of markers, and under which key each is listed; the same key in small holds its shape.
const KINDS: [(&str, &str); 4] =
    [("Line", "lines"), ("Text", "texts"), ("Box", "boxes"), ("Sphere", "spheres")];

/// What tells markers apart.
type Name = (String, i64, &'static str);

/// The markers of a service.
#[derive(Debug, Default)]
pub(crate) struct Markers(BTreeMap<Name, Value>);

impl Markers {
    /// The answer to a text: the command, what came of it, and after `List` the markers.
    pub(crate) fn respond(&mut self, text: &str) -> String {
        let mut answer = Map::new();
        let request = pseudo_json::parse(text).map_err(|error| format!("invalid json: {error}"));
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
                answer.insert("result".to_owned(), error.into());
                Vec::new()
            }
        };
        for (kind, key) in KINDS {
            let of_kind = list.iter().filter(|(name, _)| name.2 == kind).map(|(_, marker)| marker.clone());
            answer.insert(key.to_owned(), Value::Array(of_kind.collect()));
        }
        serde_json::to_string(&answer).unwrap_or_default()
    }

    /// Forgets all: a reset.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    fn carry_out(&mut self, request: &Value) -> Result<Vec<(Name, Value)>, String> {
        let command = request.get("command").and_then(Value::as_str).unwrap_or_default();
        match command.to_ascii_lowercase().as_str() {
            "add" => self.put(request, false),
            "modify" => self.put(request, true),
            "remove" => self.remove(request),
            "list" => Ok(self.find(request.get("filter"))),
            "" => Err("command is empty".to_owned()),
            _ => Err(format!("unsupported command '{command}': there are Add, Modify, Remove and List")),
        }
    }

    /// Adds markers or changes those that are there; all of them or none.
    fn put(&mut self, request: &Value, is_known: bool) -> Result<Vec<(Name, Value)>, String> {
        let markers = markers(request)?;
        for (name, _) in &markers {
            match (self.0.contains_key(name), is_known) {
                (true, false) => return Err(format!("{} is there already", describe(name))),
                (false, true) => return Err(format!("{} is not there", describe(name))),
                _ => {}
            }
        }
        if self.0.len() + markers.len() > MAX_MARKERS && !is_known {
            return Err(format!("there would be more than {MAX_MARKERS} markers"));
        }
        for (name, marker) in markers {
            match (self.0.get_mut(&name), marker) {
                (Some(Value::Object(known)), Value::Object(fresh)) => known.extend(fresh),
                (_, marker) => _ = self.0.insert(name, marker),
            }
        }
        Ok(Vec::new())
    }

    /// Removes those that are named, and those that a filter fits.
    fn remove(&mut self, request: &Value) -> Result<Vec<(Name, Value)>, String> {
        let mut names: Vec<Name> = match request.get("markers") {
            None => Vec::new(),
            Some(_) => markers(request)?.into_iter().map(|(name, _)| name).collect(),
        };
        let filter = request.get("filter");
        if filter.is_some() {
            names.extend(self.find(filter).into_iter().map(|(name, _)| name));
        }
        let removed = names.iter().filter(|name| self.0.remove(name).is_some()).count();
        if removed == 0 { Err("no such marker is there".to_owned()) } else { Ok(Vec::new()) }
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

fn markers(request: &Value) -> Result<Vec<(Name, Value)>, String> {
    let Some(Value::Array(list)) = request.get("markers") else {
        return Err("`markers` is no list".to_owned());
    };
    list.iter().map(|marker| Ok((name(marker)?, marker.clone()))).collect()
}

fn name(marker: &Value) -> Result<Name, String> {
    let group = marker.get("group").and_then(Value::as_str).unwrap_or_default();
    let Some(id) = marker.get("id").and_then(Value::as_i64) else {
        return Err("a marker has no whole number as `id`".to_owned());
    };
    let kind = marker.get("type").and_then(Value::as_str).unwrap_or_default();
    let known = KINDS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(kind));
    let Some((known, _)) = known else {
        return Err(format!("`{kind}` is no type of markers: there are Line, Sphere, Box and Text"));
    };
    Ok((group.to_owned(), id, known))
}

fn describe((group, id, kind): &Name) -> String {
    format!("the {kind} {id} of group `{group}`")
}

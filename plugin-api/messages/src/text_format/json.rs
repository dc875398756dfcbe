//! Converts a tree of fields to the JSON of a type: names are checked, and single values become lists if the type has
//! lists.

use super::TextFormatError;
use super::parse::{Entry, Value};
use crate::{Arity, Field, MessageType, Struct, Wire};

/// Returns the JSON of a message.
pub(super) fn write(message: &MessageType, fields: &[Entry]) -> Result<String, TextFormatError> {
    let mut out = String::new();
    object(message, message.root(), fields, &mut out)?;
    Ok(out)
}

fn object(
    message: &MessageType,
    of: &Struct,
    entries: &[Entry],
    out: &mut String,
) -> Result<(), TextFormatError> {
    if let Some(stranger) =
        entries.iter().find(|entry| !of.fields().iter().any(|field| field.name() == entry.name))
    {
        let known: Vec<&str> = of.fields().iter().map(Field::name).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let what = format!("`{}` has no field `{}`; it has: {known}", of.full_name(), stranger.name);
        return Err(stranger.place.error(what));
    }
    out.push('{');
    let mut is_first = true;
    for field in of.fields() {
        let mut given = entries.iter().filter(|entry| entry.name == field.name());
        let Some(first) = given.next() else { continue };
        if !std::mem::take(&mut is_first) {
            out.push(',');
        }
        string(field.name(), out);
        out.push(':');
        if field.arity() == Arity::One {
            if let Some(second) = given.next() {
                return Err(second.place.error(format!("`{}` is given twice", field.name())));
            }
            value(message, field, first, &first.value, out)?;
        } else {
            list(message, field, std::iter::once(first).chain(given), out)?;
        }
    }
    out.push('}');
    Ok(())
}

/// Returns repeated entries and lists as one sequence.
fn list<'a>(
    message: &MessageType,
    field: &Field,
    entries: impl Iterator<Item = &'a Entry>,
    out: &mut String,
) -> Result<(), TextFormatError> {
    let items = entries.flat_map(|entry| {
        let items = match &entry.value {
            Value::List(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        items.iter().map(move |item| (entry, item))
    });
    out.push('[');
    for (index, (entry, item)) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        value(message, field, entry, item, out)?;
    }
    out.push(']');
    Ok(())
}

fn value(
    message: &MessageType,
    field: &Field,
    entry: &Entry,
    value: &Value,
    out: &mut String,
) -> Result<(), TextFormatError> {
    let wrong = |expected: &str| entry.place.error(format!("`{}` needs {expected}", field.name()));
    match (field.wire(), value) {
        (Wire::Message(id), Value::Message(fields)) => {
            let of = message.dependency(id).ok_or_else(|| wrong("a known type"))?;
            object(message, of, fields, out)
        }
        (Wire::Message(_), _) => Err(wrong("a message in braces")),
        (Wire::String, Value::Text(text)) => {
            string(text, out);
            Ok(())
        }
        (Wire::String, _) => Err(wrong("a string in quotes")),
        (Wire::Bytes, _) => Err(wrong("bytes, which cannot be written as text")),
        (Wire::Bool, Value::Word(word)) => {
            out.push_str(truth(word).ok_or_else(|| wrong("true or false"))?);
            Ok(())
        }
        (_, Value::Word(word)) => {
            out.push_str(&number(word).ok_or_else(|| wrong("a number"))?);
            Ok(())
        }
        (..) => Err(wrong("a single value")),
    }
}

fn truth(word: &str) -> Option<&'static str> {
    match word {
        "true" | "True" | "t" | "1" => Some("true"),
        "false" | "False" | "f" | "0" => Some("false"),
        _ => None,
    }
}

/// Converts a number of the text format to JSON: it may end in `f`, begin with `.` or be `inf` or `nan`.
fn number(word: &str) -> Option<String> {
    match word.trim_start_matches('-') {
        "inf" | "infinity" => {
            return Some(if word.starts_with('-') { "\"-Infinity\"" } else { "\"Infinity\"" }.to_owned());
        }
        "nan" => return Some("\"NaN\"".to_owned()),
        _ => {}
    }
    if let Ok(integer) = word.parse::<i128>() {
        return Some(integer.to_string());
    }
    let float: f64 = word.trim_end_matches(['f', 'F']).parse().ok()?;
    float.is_finite().then(|| float.to_string())
}

fn string(text: &str, out: &mut String) {
    use std::fmt::Write as _;
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            control if control < ' ' => _ = write!(out, "\\u{:04x}", u32::from(control)),
            plain => out.push(plain),
        }
    }
    out.push('"');
}

//! Input of commands from local files, standard input, or JSON on the command line. Main thread.

use std::io::{self, Read as _};
use std::path::Path;

use bridgehead_files::{MAX_OF_TEXT, read_text};
use serde_json::Value;

use super::error::CtlError;

/// Reads a whole file; `-` is standard input.
///
/// # Errors
/// Returns an error if it cannot be read, or is not UTF-8.
pub(super) fn text(file: &str) -> Result<String, CtlError> {
    let outcome = if file == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        read_text(Path::new(file), MAX_OF_TEXT).map_err(io::Error::from)
    };
    outcome.map_err(|source| CtlError::Input { file: file.to_owned(), source })
}

/// Returns JSON from the command line, or the text of a file.
///
/// # Errors
/// Returns an error if the file cannot be read, or does not contain the expected JSON.
pub(super) fn json(argument: &str, expected: Expected) -> Result<(String, Value), CtlError> {
    let is_json = argument.trim_start().starts_with(['{', '[']);
    let (what, text) = if is_json {
        (format!("`{}`", crate::cli::human::one_line(argument, 40)), argument.to_owned())
    } else {
        (format!("`{argument}`"), text(argument)?)
    };
    let wrong = |why: String| CtlError::Json { what: what.clone(), expected: expected.name(), why };
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let fits = match expected {
        Expected::Object => value.is_object(),
        Expected::ObjectOrList => value.is_object() || value.is_array(),
    };
    if fits { Ok((text, value)) } else { Err(wrong("it is a value of another kind".to_owned())) }
}

/// A message on the command line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    /// A JSON object, as written and as a value.
    Json(String, Value),
    /// Another text, which is read with the type of the message.
    Text(Text),
}

/// A text that is not JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    /// Its name in errors.
    pub(super) what: String,
    /// The text, without the braces around it.
    pub(super) text: String,
    /// Why it is not JSON.
    pub(super) fault: String,
}

/// Returns a message from the command line, or from a file: an argument without a colon or a brace is a path, and so is
/// the name of an existing file.
///
/// # Errors
/// Returns an error if the file cannot be read, or contains a JSON value other than an object.
pub(super) fn message(argument: &str) -> Result<Message, CtlError> {
    let begins = argument.trim_start().starts_with(['{', '[']) || argument.trim().is_empty();
    let (what, text) = if begins || (argument.contains(':') && !Path::new(argument).exists()) {
        (format!("`{}`", crate::cli::human::one_line(argument, 40)), argument.to_owned())
    } else {
        (format!("`{argument}`"), text(argument).map_err(|error| no_message(argument, error))?)
    };
    match serde_json::from_str::<Value>(&text) {
        Ok(value) if value.is_object() => Ok(Message::Json(text, value)),
        Ok(_) => {
            let why = "it is a value of another kind".to_owned();
            Err(CtlError::Json { what, expected: Expected::Object.name(), why })
        }
        Err(error) => {
            let inner = text.trim();
            // The braces of a YAML mapping.
            let inner = inner.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(inner);
            Ok(Message::Text(Text { what, text: inner.to_owned(), fault: error.to_string() }))
        }
    }
}

/// Returns the error for an argument that is no message and not the name of a file either.
fn no_message(argument: &str, error: CtlError) -> CtlError {
    match error {
        CtlError::Input { source, .. } if source.kind() == io::ErrorKind::NotFound => CtlError::Json {
            what: format!("`{argument}`"),
            expected: "JSON object, text such as `data: true`, or file",
            why: source.to_string(),
        },
        other => other,
    }
}

/// The expected content of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Object,
    ObjectOrList,
}

impl Expected {
    fn name(self) -> &'static str {
        match self {
            Self::Object => "JSON object",
            Self::ObjectOrList => "JSON object or list",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stands_on_the_command_line_or_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("request.json");
        std::fs::write(&file, "[1]").expect("written");
        let file = file.display().to_string();
        assert_eq!(json(" {\"a\": 1}", Expected::Object).expect("JSON").1["a"], 1);
        assert_eq!(json(&file, Expected::ObjectOrList).expect("JSON").0, "[1]");
        let error = json(&file, Expected::Object).expect_err("refused").to_string();
        assert!(
            error.contains("request.json` is not a JSON object: it is a value of another kind"),
            "{error}"
        );
    }

    #[test]
    fn a_message_is_json_or_a_text_and_may_be_in_a_file() {
        let text_of = |argument: &str| match message(argument).expect("a message") {
            Message::Text(text) => text.text,
            Message::Json(text, _) => panic!("JSON: {text}"),
        };
        let json = message("{\"a\": 1}").expect("JSON");
        assert_eq!(json, Message::Json("{\"a\": 1}".to_owned(), serde_json::json!({"a": 1})));
        assert_eq!(text_of("linear: {x: 0.5}"), "linear: {x: 0.5}");
        assert_eq!(text_of("{data: 'hi'}"), "data: 'hi'");
        assert_eq!(text_of(""), "");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a:b.txt");
        std::fs::write(&file, "data: true\n").expect("written");
        assert_eq!(text_of(&file.display().to_string()), "data: true");
        let error = message("[1]").expect_err("refused").to_string();
        assert_eq!(error, "[BH-CTL-025] `[1]` is not a JSON object: it is a value of another kind");
        let error = message("hello").expect_err("refused").to_string();
        let expected =
            "[BH-CTL-025] `hello` is not a JSON object, text such as `data: true`, or file: No such file";
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = json("{\"a\":", Expected::Object).expect_err("refused").to_string();
        assert!(error.starts_with("[BH-CTL-025] `{\"a\":` is not a JSON object: EOF"), "{error}");
        let error = json("no/such/file", Expected::Object).expect_err("refused").to_string();
        assert!(error.starts_with("[BH-CTL-024] `no/such/file` cannot be read: "), "{error}");
    }
}

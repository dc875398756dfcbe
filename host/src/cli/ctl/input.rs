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
    fn what_cannot_be_read_is_named() {
        let error = json("{\"a\":", Expected::Object).expect_err("refused").to_string();
        assert!(error.starts_with("[BH-CTL-025] `{\"a\":` is not a JSON object: EOF"), "{error}");
        let error = json("no/such/file", Expected::Object).expect_err("refused").to_string();
        assert!(error.starts_with("[BH-CTL-024] `no/such/file` cannot be read: "), "{error}");
    }
}

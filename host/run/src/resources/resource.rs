//! A world or model as given by a client. Plain values.

use super::format::Format;

/// Returns what an address is by its form.
pub(super) fn kind_of_address(uri: &str) -> &'static str {
    match uri.split_once("://").map(|(scheme, _)| scheme) {
        None => "a path or the name of a listed model",
        Some("file") => "the URI of a file",
        Some("package") => "a file in a ROS package",
        Some("http" | "https") => "an address of Gazebo Fuel",
        Some(_) => "a model in a folder of models",
    }
}

/// A world or model as given by a client. A non-empty address takes precedence over the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    /// Address; empty if the text is used.
    pub uri: String,
    /// SDF or URDF text.
    pub text: String,
}

impl Resource {
    /// Creates a resource by address.
    #[must_use]
    pub fn at(uri: impl Into<String>) -> Self {
        Resource { uri: uri.into(), text: String::new() }
    }

    /// Creates a resource from a text.
    #[must_use]
    pub fn of_text(text: impl Into<String>) -> Self {
        Resource { uri: String::new(), text: text.into() }
    }

    /// Returns which field of a request was used and how it was read, for the answer that refuses it: `` `uri` was read as
    /// a path, and its file as URDF``. `format` is that of the text, if it was reached.
    #[must_use]
    pub fn reading(&self, format: Option<Format>) -> String {
        let format = format.map(Format::title);
        if self.uri.is_empty() {
            return match format {
                _ if self.text.is_empty() => "`uri` and `resource_string` are empty".to_owned(),
                Some(format) => format!("`resource_string` was read as {format}"),
                None => "`resource_string` was read as the text of a model; a path or name belongs in `uri`"
                    .to_owned(),
            };
        }
        let mut text = format!("`uri` was read as {}", kind_of_address(&self.uri));
        if let Some(format) = format {
            text.push_str(", and its file as ");
            text.push_str(format);
        }
        if self.uri.trim_start().starts_with('<') {
            text.push_str("; the text of a model belongs in `resource_string`");
        }
        if !self.text.is_empty() {
            text.push_str("; `resource_string` was not used, because there is a `uri`");
        }
        text
    }

    /// Returns its name for messages.
    #[must_use]
    pub fn shown(&self) -> &str {
        if self.uri.is_empty() { "the text given" } else { &self.uri }
    }
}

//! Lines of XML with their indents, escaped.

/// XML that is being written.
#[derive(Debug, Default)]
pub(super) struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// Writes a line as it is.
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Opens an element; [`Self::close`] ends it.
    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.line(&format!("<{name}{}>", written(attributes)));
        self.depth += 1;
    }

    pub(super) fn close(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(&format!("</{name}>"));
    }

    /// Writes an element with a text only.
    pub(super) fn leaf(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        let attributes = written(attributes);
        if text.is_empty() {
            self.line(&format!("<{name}{attributes}/>"));
        } else {
            self.line(&format!("<{name}{attributes}>{}</{name}>", escaped(text)));
        }
    }

    /// Writes the text of an element that has children too.
    pub(super) fn content(&mut self, text: &str) {
        self.line(&escaped(text));
    }

    pub(super) fn into_string(self) -> String {
        self.text
    }
}

fn written(attributes: &[(&str, &str)]) -> String {
    attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", escaped(value))).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

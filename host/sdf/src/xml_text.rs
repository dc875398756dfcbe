//! XML text with indentation.

use quick_xml::escape::escape;

/// A text that grows.
#[derive(Default)]
pub(crate) struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// A start tag; the following elements are inside it.
    pub(crate) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        self.tag(name, attributes);
        self.text.push_str(">\n");
        self.depth += 1;
    }

    /// The end tag.
    pub(crate) fn close(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.indent();
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push_str(">\n");
    }

    /// An element with text.
    pub(crate) fn leaf(&mut self, name: &str, value: &str) {
        self.leaf_with(name, &[], value);
    }

    /// An element with attributes and text; without text when that is empty.
    pub(crate) fn leaf_with(&mut self, name: &str, attributes: &[(&str, &str)], value: &str) {
        self.indent();
        self.tag(name, attributes);
        if value.is_empty() {
            self.text.push_str("/>\n");
            return;
        }
        self.text.push('>');
        self.text.push_str(&escape(value));
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push_str(">\n");
    }

    /// A piece of XML as it is.
    pub(crate) fn raw(&mut self, xml: &str) {
        self.indent();
        self.text.push_str(xml);
        self.text.push('\n');
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.text.push_str(&escape(*value));
            self.text.push('"');
        }
    }
}

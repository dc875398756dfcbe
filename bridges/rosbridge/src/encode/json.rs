//! Writes JSON of rosbridge: arrays of bytes are base64, numbers that are not finite are `null`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridgehead_plugin_api::messages::ros::RosElement;

use super::walk::{Number, Writer};

/// Appends JSON to bytes.
pub(crate) struct JsonWriter<'a> {
    out: &'a mut Vec<u8>,
    /// Whether the next member or element is the first.
    is_first: bool,
}

impl<'a> JsonWriter<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        JsonWriter { out, is_first: true }
    }

    fn comma(&mut self) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(b',');
        }
    }

    fn write(&mut self, number: Number) {
        match number {
            Number::Bool(true) => self.out.extend_from_slice(b"true"),
            Number::Bool(false) => self.out.extend_from_slice(b"false"),
            Number::Signed(number) => {
                self.out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            Number::Unsigned(number) => {
                self.out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            Number::Single(number) if number.is_finite() => {
                self.out.extend_from_slice(zmij::Buffer::new().format_finite(number).as_bytes());
            }
            Number::Double(number) if number.is_finite() => {
                self.out.extend_from_slice(zmij::Buffer::new().format_finite(number).as_bytes());
            }
            Number::Single(_) | Number::Double(_) => self.out.extend_from_slice(b"null"),
        }
    }
}

/// Appends a JSON string.
pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    drop(serde_json::to_writer(out, text));
}

/// Returns a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl Writer for JsonWriter<'_> {
    fn object(&mut self, _: usize) {
        self.out.push(b'{');
        self.is_first = true;
    }

    fn key(&mut self, name: &str) {
        self.comma();
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    fn end_object(&mut self) {
        self.out.push(b'}');
        self.is_first = false;
    }

    fn array(&mut self, _: usize) {
        self.out.push(b'[');
        self.is_first = true;
    }

    fn element(&mut self) {
        self.comma();
    }

    fn end_array(&mut self) {
        self.out.push(b']');
        self.is_first = false;
    }

    fn number(&mut self, number: Number) {
        self.write(number);
    }

    fn text(&mut self, text: &[u8]) {
        write_text(&String::from_utf8_lossy(text), self.out);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let mut text = String::with_capacity(bytes.len() / 3 * 4 + 4);
        STANDARD.encode_string(bytes, &mut text);
        self.out.push(b'"');
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'"');
    }

    fn numbers(&mut self, _: RosElement, numbers: impl ExactSizeIterator<Item = Number>, _: Option<&[u8]>) {
        self.array(numbers.len());
        for number in numbers {
            self.comma();
            self.write(number);
        }
        self.end_array();
    }
}

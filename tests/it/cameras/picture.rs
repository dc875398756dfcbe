//! Images as they stand in logs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::support::Line;

/// An image message.
pub(super) struct Picture {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) encoding: String,
    step: usize,
    data: Vec<u8>,
}

/// The bytes of a field.
#[track_caller]
pub(super) fn bytes(field: &Value) -> Vec<u8> {
    STANDARD.decode(field.as_str().expect("a text")).expect("base64")
}

impl Picture {
    #[track_caller]
    pub(super) fn read(line: &Line) -> Self {
        let message = &line["message"];
        let number = |name: &str| {
            let value = message[name].as_u64().unwrap_or_else(|| panic!("`{name}` in {message}"));
            usize::try_from(value).expect("it fits")
        };
        let out = Picture {
            width: number("width"),
            height: number("height"),
            encoding: message["encoding"].as_str().expect("an encoding").to_owned(),
            step: number("step"),
            data: bytes(&message["data"]),
        };
        assert_eq!(out.data.len(), out.step * out.height);
        out
    }

    /// A pixel of three bytes.
    pub(super) fn rgb(&self, column: usize, row: usize) -> [u8; 3] {
        let at = row * self.step + 3 * column;
        self.data[at..at + 3].try_into().expect("three bytes")
    }

    /// A pixel of one byte.
    pub(super) fn byte(&self, column: usize, row: usize) -> u8 {
        self.data[row * self.step + column]
    }

    /// A pixel of 16 bits.
    pub(super) fn word(&self, column: usize, row: usize) -> u16 {
        let at = row * self.step + 2 * column;
        u16::from_le_bytes(self.data[at..at + 2].try_into().expect("two bytes"))
    }

    /// A pixel that is a number.
    pub(super) fn number(&self, column: usize, row: usize) -> f32 {
        let at = row * self.step + 4 * column;
        f32::from_le_bytes(self.data[at..at + 4].try_into().expect("four bytes"))
    }
}

//! Writes CBOR (RFC 8949) with typed arrays (RFC 8746), as rosbridge does.
//!
//! Only writes, and only what messages contain, so a library would add more than it saves.

use bridgehead_plugin_api::messages::ros::RosElement;

use super::walk::{Number, Writer};

/// Major types.
const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;
const TAG: u8 = 6;

/// Single bytes.
const FALSE: u8 = 0xf4;
const TRUE: u8 = 0xf5;
const DOUBLE: u8 = 0xfb;

/// Appends CBOR to bytes.
pub(crate) struct CborWriter<'a>(pub(crate) &'a mut Vec<u8>);

impl CborWriter<'_> {
    /// Writes a major type with its argument in the shortest form.
    fn head(&mut self, major: u8, argument: u64) {
        let major = major << 5;
        match (u8::try_from(argument), u16::try_from(argument), u32::try_from(argument)) {
            (Ok(small), ..) if small < 24 => self.0.push(major | small),
            (Ok(byte), ..) => self.0.extend([major | 24, byte]),
            (_, Ok(short), _) => {
                self.0.push(major | 25);
                self.0.extend(short.to_be_bytes());
            }
            (_, _, Ok(word)) => {
                self.0.push(major | 26);
                self.0.extend(word.to_be_bytes());
            }
            _ => {
                self.0.push(major | 27);
                self.0.extend(argument.to_be_bytes());
            }
        }
    }

    fn length(&mut self, major: u8, length: usize) {
        self.head(major, u64::try_from(length).unwrap_or(u64::MAX));
    }
}

/// Returns the tag and the width of a typed array in little endian; `None` for truth values.
fn typed_array(element: RosElement) -> Option<(u64, usize)> {
    Some(match element {
        RosElement::Byte | RosElement::Char | RosElement::Uint8 => (64, 1),
        RosElement::Uint16 => (69, 2),
        RosElement::Uint32 => (70, 4),
        RosElement::Uint64 => (71, 8),
        RosElement::Int8 => (72, 1),
        RosElement::Int16 => (77, 2),
        RosElement::Int32 => (78, 4),
        RosElement::Int64 => (79, 8),
        RosElement::Float32 => (85, 4),
        RosElement::Float64 => (86, 8),
        RosElement::Bool | RosElement::String | RosElement::BoundedString(_) | RosElement::Message => {
            return None;
        }
    })
}

/// Returns the bits of a number as an array of this element has them.
fn bits(number: Number, element: RosElement) -> u64 {
    match (number, element) {
        (Number::Bool(value), _) => value.into(),
        (Number::Signed(value), _) => value.cast_unsigned(),
        (Number::Unsigned(value), _) => value,
        (Number::Single(value), _) => value.to_bits().into(),
        (Number::Double(value), _) => value.to_bits(),
    }
}

impl Writer for CborWriter<'_> {
    fn object(&mut self, members: usize) {
        self.length(MAP, members);
    }

    fn key(&mut self, name: &str) {
        self.text(name.as_bytes());
    }

    fn end_object(&mut self) {}

    fn array(&mut self, length: usize) {
        self.length(ARRAY, length);
    }

    fn element(&mut self) {}

    fn end_array(&mut self) {}

    fn number(&mut self, number: Number) {
        let double = match number {
            Number::Bool(value) => return self.0.push(if value { TRUE } else { FALSE }),
            Number::Unsigned(value) => return self.head(UNSIGNED, value),
            Number::Signed(value) if value < 0 => return self.head(NEGATIVE, (!value).cast_unsigned()),
            Number::Signed(value) => return self.head(UNSIGNED, value.cast_unsigned()),
            Number::Single(value) => f64::from(value),
            Number::Double(value) => value,
        };
        self.0.push(DOUBLE);
        self.0.extend(double.to_bits().to_be_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        // A text of a plugin may have other bytes, which readers of CBOR refuse.
        let text = String::from_utf8_lossy(text);
        self.length(TEXT, text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.length(BYTES, bytes.len());
        self.0.extend_from_slice(bytes);
    }

    fn numbers(
        &mut self,
        element: RosElement,
        numbers: impl ExactSizeIterator<Item = Number>,
        packed: Option<&[u8]>,
    ) {
        let Some((tag, width)) = typed_array(element) else {
            self.array(numbers.len());
            return numbers.for_each(|number| self.number(number));
        };
        let bytes = numbers.len() * width;
        self.head(TAG, tag);
        self.length(BYTES, bytes);
        match packed {
            Some(packed) if packed.len() == bytes => self.0.extend_from_slice(packed),
            _ => {
                for number in numbers {
                    self.0.extend_from_slice(&bits(number, element).to_le_bytes()[..width]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cbor(write: impl FnOnce(&mut CborWriter<'_>)) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut CborWriter(&mut out));
        out
    }

    /// The examples are those of RFC 8949, appendix A.
    #[test]
    fn numbers_have_the_shortest_head() {
        let number = |number| cbor(|writer| writer.number(number));
        assert_eq!(number(Number::Unsigned(23)), [0x17]);
        assert_eq!(number(Number::Unsigned(100)), [0x18, 0x64]);
        assert_eq!(number(Number::Unsigned(1000)), [0x19, 0x03, 0xe8]);
        assert_eq!(number(Number::Unsigned(1_000_000)), [0x1a, 0x00, 0x0f, 0x42, 0x40]);
        assert_eq!(number(Number::Unsigned(u64::MAX)), [0x1b, 255, 255, 255, 255, 255, 255, 255, 255]);
        assert_eq!(number(Number::Signed(-1)), [0x20]);
        assert_eq!(number(Number::Signed(-1000)), [0x39, 0x03, 0xe7]);
        assert_eq!(number(Number::Double(1.1)), [0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a]);
        assert_eq!(number(Number::Bool(true)), [0xf5]);
    }

    #[test]
    fn texts_are_utf_8() {
        let text = |text: &[u8]| cbor(|writer| writer.text(text));
        assert_eq!(text("ü".as_bytes()), [0x62, 0xc3, 0xbc]);
        assert_eq!(text(&[0xff]), [0x63, 0xef, 0xbf, 0xbd]);
    }

    #[test]
    fn arrays_of_numbers_are_typed() {
        let numbers = [Number::Signed(1), Number::Signed(-2)];
        let array = |element, packed| cbor(|writer| writer.numbers(element, numbers.into_iter(), packed));
        assert_eq!(array(RosElement::Int16, None), [0xd8, 77, 0x44, 1, 0, 0xfe, 0xff]);
        assert_eq!(array(RosElement::Int8, None), [0xd8, 72, 0x42, 1, 0xfe]);
        assert_eq!(array(RosElement::Int8, Some(&[9, 8])), [0xd8, 72, 0x42, 9, 8]);
    }
}

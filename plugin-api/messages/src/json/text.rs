//! A pull reader for JSON text: the caller requests the next token.
//!
//! It builds no tree and allocates only for strings with escapes. The caller limits the depth, and a message type is
//! never recursive, so no text can exhaust the stack.

use std::borrow::Cow;

use crate::error::PayloadFault;

/// A position in a JSON text.
pub(crate) struct Text<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Text<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the next byte after whitespace without taking it; 0 at the end.
    pub(crate) fn peek(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.byte()
    }

    /// Takes `byte` if it comes next.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let comes = self.peek() == byte;
        self.at += usize::from(comes);
        comes
    }

    pub(crate) fn expect(&mut self, byte: u8, cause: &'static str) -> Result<(), PayloadFault> {
        if self.take(byte) { Ok(()) } else { Err(self.not_json(cause)) }
    }

    /// Checks that only whitespace follows.
    pub(crate) fn end(&mut self) -> Result<(), PayloadFault> {
        self.peek();
        if self.at == self.text.len() { Ok(()) } else { Err(self.not_json("expected the end of the text")) }
    }

    /// Takes a word such as `true` if it comes next.
    pub(crate) fn word(&mut self, word: &str) -> bool {
        self.peek();
        let comes = self.rest().starts_with(word);
        self.at += if comes { word.len() } else { 0 };
        comes
    }

    /// Takes a number as it is written; `None` if none comes next.
    pub(crate) fn number(&mut self) -> Result<Option<&'a str>, PayloadFault> {
        if !matches!(self.peek(), b'-' | b'0'..=b'9') {
            return Ok(None);
        }
        let number = number_length(self.rest().as_bytes()).and_then(|length| self.rest().get(..length));
        let Some(number) = number else { return Err(self.not_json("malformed number")) };
        self.at += number.len();
        Ok(Some(number))
    }

    /// Takes a string with its escapes resolved; `None` if none comes next.
    pub(crate) fn string(&mut self) -> Result<Option<Cow<'a, str>>, PayloadFault> {
        if !self.take(b'"') {
            return Ok(None);
        }
        let mut resolved = String::new();
        loop {
            let plain = self.plain()?;
            if self.byte() == b'"' {
                self.at += 1;
                return Ok(Some(if resolved.is_empty() {
                    Cow::Borrowed(plain)
                } else {
                    Cow::Owned(resolved + plain)
                }));
            }
            resolved.push_str(plain);
            self.at += 1;
            resolved.push(self.escape()?);
        }
    }

    /// Takes any value as it is written: only brackets are matched.
    pub(crate) fn value(&mut self) -> Result<&'a str, PayloadFault> {
        self.peek();
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                _ => self.leaf()?,
            }
            if depth == 0 {
                return Ok(self.text.get(start..self.at).unwrap_or_default());
            }
        }
    }

    /// Takes a string, a number or a word.
    fn leaf(&mut self) -> Result<(), PayloadFault> {
        let is_taken = self.string()?.is_some()
            || self.number()?.is_some()
            || ["true", "false", "null"].into_iter().any(|word| self.word(word));
        if is_taken { Ok(()) } else { Err(self.not_json("expected a value")) }
    }

    /// Takes characters up to a quote or a backslash.
    fn plain(&mut self) -> Result<&'a str, PayloadFault> {
        let rest = self.rest();
        let Some(length) = rest.bytes().position(|byte| byte < 0x20 || matches!(byte, b'"' | b'\\')) else {
            self.at = self.text.len();
            return Err(self.not_json("a string without its closing quote"));
        };
        self.at += length;
        if self.byte() < 0x20 {
            return Err(self.not_json("a control character in a string must be escaped"));
        }
        Ok(rest.get(..length).unwrap_or_default())
    }

    /// Returns the character for the escape after a backslash.
    fn escape(&mut self) -> Result<char, PayloadFault> {
        let kind = self.byte();
        self.at += 1;
        Ok(match kind {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => {
                self.at -= 1;
                return Err(self.not_json("an escape that JSON does not have"));
            }
        })
    }

    /// Returns the character of one `\u` escape or of a surrogate pair.
    fn unicode(&mut self) -> Result<char, PayloadFault> {
        let first = self.hex()?;
        let mut code = first;
        if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            let second = self.hex()?;
            if !(0xdc00..0xe000).contains(&second) {
                return Err(self.not_json("half of a surrogate pair"));
            }
            code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        }
        char::from_u32(code).ok_or_else(|| self.not_json("half of a surrogate pair"))
    }

    fn hex(&mut self) -> Result<u32, PayloadFault> {
        let digits =
            self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some(code) = code else { return Err(self.not_json("expected four hexadecimal digits")) };
        self.at += 4;
        Ok(code)
    }

    /// Returns the fault of a value of another kind than the field, or of text that is not JSON.
    pub(crate) fn wrong(&mut self, expected: &'static str) -> PayloadFault {
        let found = match self.peek() {
            b'{' => "an object",
            b'[' => "an array",
            b'"' => "a string",
            b't' | b'f' => "a truth value",
            b'n' => "null",
            b'-' | b'0'..=b'9' => "a number",
            _ => return self.not_json("expected a value"),
        };
        PayloadFault::WrongValue { expected, found, offset: self.at }
    }

    fn not_json(&self, cause: &'static str) -> PayloadFault {
        PayloadFault::NotJson { offset: self.at, cause }
    }

    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }
}

/// Returns the length of the number at the start of `text`, by the grammar of RFC 8259 section 6: no leading zero, digits
/// on both sides of a point. The text after the number is not checked.
fn number_length(text: &[u8]) -> Option<usize> {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let mut rest = match unsigned {
        [b'0', rest @ ..] => rest,
        _ => digits(unsigned)?,
    };
    if let [b'.', fraction @ ..] = rest {
        rest = digits(fraction)?;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        rest = match exponent {
            [b'+' | b'-', exponent @ ..] => digits(exponent)?,
            _ => digits(exponent)?,
        };
    }
    Some(text.len() - rest.len())
}

/// Returns the position after at least one digit.
fn digits(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    while let [b'0'..=b'9', after @ ..] = rest {
        rest = after;
    }
    (rest.len() < text.len()).then_some(rest)
}

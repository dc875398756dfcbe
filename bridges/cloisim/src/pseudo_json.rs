//! Parses what clients send: JSON in which texts may be in single quotes.
//!
//! Keys without quotes and a trailing comma are accepted too. The depth is limited, so that no text can exhaust the
//! stack.

use std::fmt;

use serde_json::{Map, Number, Value};

#[cfg(test)]
mod tests;

/// Largest nesting depth of arrays and objects.
const MAX_DEPTH: usize = 32;

/// Parses a text.
///
/// # Errors
/// Returns what was found and expected, with the position in bytes.
pub(crate) fn parse(text: &str) -> Result<Value, SyntaxError> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.unexpected("the end")),
    }
}

/// Why a text cannot be parsed. Positions are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxError {
    Unexpected { found: char, at: usize, expected: &'static str },
    EndsBefore { expected: &'static str },
    EndsInQuotes,
    EndsAfterBackslash,
    TooDeep { at: usize },
    NotANumber { text: String, at: usize },
    UnknownWord { word: String, at: usize },
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyntaxError::Unexpected { found, at, expected } => {
                write!(f, "`{found}` at byte {at}, expected {expected}")
            }
            SyntaxError::EndsBefore { expected } => write!(f, "the text ends, expected {expected}"),
            SyntaxError::EndsInQuotes => f.write_str("the text ends within quotes"),
            SyntaxError::EndsAfterBackslash => f.write_str("the text ends after a backslash"),
            SyntaxError::TooDeep { at } => write!(f, "more than {MAX_DEPTH} levels at byte {at}"),
            SyntaxError::NotANumber { text, at } => write!(f, "`{text}` at byte {at} is not a number"),
            SyntaxError::UnknownWord { word, at } => write!(f, "`{word}` at byte {at}, expected a value"),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn unexpected(&self, expected: &'static str) -> SyntaxError {
        match self.peek() {
            Some(found) => SyntaxError::Unexpected { found, at: self.at, expected },
            None => SyntaxError::EndsBefore { expected },
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        if depth > MAX_DEPTH {
            return Err(SyntaxError::TooDeep { at: self.at });
        }
        self.skip_space();
        match self.peek() {
            Some('{') => self.object(depth),
            Some('[') => self.array(depth),
            Some('"' | '\'') => Ok(Value::String(self.quoted()?)),
            Some('-' | '+' | '.' | '0'..='9') => self.number(),
            Some(letter) if letter.is_alphabetic() => self.word(),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        self.next();
        let mut map = Map::new();
        loop {
            self.skip_space();
            if self.take('}') {
                return Ok(Value::Object(map));
            }
            let key = match self.peek() {
                Some('"' | '\'') => self.quoted()?,
                Some(letter) if letter.is_alphabetic() || letter == '_' => self.name().to_owned(),
                _ => return Err(self.unexpected("a key or `}`")),
            };
            self.skip_space();
            if !self.take(':') {
                return Err(self.unexpected("`:`"));
            }
            let value = self.value(depth + 1)?;
            map.insert(key, value);
            self.skip_space();
            if !self.take(',') && self.peek() != Some('}') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        self.next();
        let mut items = Vec::new();
        loop {
            self.skip_space();
            if self.take(']') {
                return Ok(Value::Array(items));
            }
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if !self.take(',') && self.peek() != Some(']') {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    /// Parses a text in either kind of quotes; the other kind needs no escape within it.
    fn quoted(&mut self) -> Result<String, SyntaxError> {
        let quote = self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(SyntaxError::EndsInQuotes),
                letter if letter == quote => return Ok(text),
                Some('\\') => text.push(self.escaped()?),
                Some(letter) => text.push(letter),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, SyntaxError> {
        Ok(match self.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => self.unicode()?,
            Some(letter) => letter,
            None => return Err(SyntaxError::EndsAfterBackslash),
        })
    }

    /// Parses four digits after `\u`, or a surrogate pair.
    fn unicode(&mut self) -> Result<char, SyntaxError> {
        let high = self.four_digits()?;
        let code = if (0xd800..0xdc00).contains(&high) && self.take('\\') && self.take('u') {
            let low = self.four_digits()?;
            0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff)
        } else {
            high
        };
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Result<u32, SyntaxError> {
        let digits = self.text.get(self.at..self.at + 4);
        let code = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(code) = code.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(self.unexpected("four hexadecimal digits"));
        };
        self.at += 4;
        Ok(code)
    }

    fn while_in(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&is_part) {
            self.next();
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn name(&mut self) -> &'a str {
        self.while_in(|letter| letter.is_alphanumeric() || letter == '_')
    }

    fn number(&mut self) -> Result<Value, SyntaxError> {
        let start = self.at;
        let text = self.while_in(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
        if let Ok(whole) = text.parse::<i64>() {
            return Ok(whole.into());
        }
        let number = text.parse::<f64>().ok().and_then(Number::from_f64);
        number.map(Value::Number).ok_or_else(|| SyntaxError::NotANumber { text: text.to_owned(), at: start })
    }

    fn word(&mut self) -> Result<Value, SyntaxError> {
        let start = self.at;
        match self.name() {
            "true" | "True" => Ok(Value::Bool(true)),
            "false" | "False" => Ok(Value::Bool(false)),
            "null" | "None" => Ok(Value::Null),
            word => Err(SyntaxError::UnknownWord { word: word.to_owned(), at: start }),
        }
    }
}

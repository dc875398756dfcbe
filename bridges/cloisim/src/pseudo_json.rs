//! Reads what clients send: JSON, but with texts in single quotes as often as not.
//!
//! Also taken: keys without quotes, and a comma after the last element. Depth is limited, so that no text can
//! exhaust the stack.

use serde_json::{Map, Number, Value};

#[cfg(test)]
mod tests;

/// How deep arrays and objects may stand in each other.
const MAX_DEPTH: usize = 32;

/// Reads a text.
///
/// # Errors
/// What was found where, as a position in bytes.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(value),
        Some(letter) => Err(reader.unexpected(letter, "the end")),
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

    fn unexpected(&self, letter: char, expected: &str) -> String {
        format!("`{letter}` at byte {} where {expected} was expected", self.at)
    }

    fn refuse(&self, expected: &str) -> String {
        match self.peek() {
            Some(letter) => self.unexpected(letter, expected),
            None => format!("the text ends where {expected} was expected"),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} levels at byte {}", self.at));
        }
        self.skip_space();
        match self.peek() {
            Some('{') => self.object(depth),
            Some('[') => self.array(depth),
            Some('"' | '\'') => Ok(Value::String(self.quoted()?)),
            Some('-' | '+' | '.' | '0'..='9') => self.number(),
            Some(letter) if letter.is_alphabetic() => self.word(),
            _ => Err(self.refuse("a value")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
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
                _ => return Err(self.refuse("a key or `}`")),
            };
            self.skip_space();
            if !self.take(':') {
                return Err(self.refuse("`:`"));
            }
            let value = self.value(depth + 1)?;
            map.insert(key, value);
            self.skip_space();
            if !self.take(',') && self.peek() != Some('}') {
                return Err(self.refuse("`,` or `}`"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, String> {
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
                return Err(self.refuse("`,` or `]`"));
            }
        }
    }

    /// A text in quotes of either kind; the other kind stands for itself in it.
    fn quoted(&mut self) -> Result<String, String> {
        let quote = self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err("the text ends within quotes".to_owned()),
                letter if letter == quote => return Ok(text),
                Some('\\') => text.push(self.escaped()?),
                Some(letter) => text.push(letter),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        Ok(match self.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => self.unicode()?,
            Some(letter) => letter,
            None => return Err("the text ends behind a backslash".to_owned()),
        })
    }

    /// Four digits behind `\u`, or two groups of them.
    fn unicode(&mut self) -> Result<char, String> {
        let high = self.four_digits()?;
        let code = if (0xd800..0xdc00).contains(&high) && self.take('\\') && self.take('u') {
            let low = self.four_digits()?;
            0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff)
        } else {
            high
        };
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4);
        let code = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(code) = code.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(self.refuse("four hexadecimal digits"));
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

    fn number(&mut self) -> Result<Value, String> {
        let start = self.at;
        let text = self.while_in(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
        if let Ok(whole) = text.parse::<i64>() {
            return Ok(whole.into());
        }
        let number = text.parse::<f64>().ok().and_then(Number::from_f64);
        number.map(Value::Number).ok_or_else(|| format!("`{text}` at byte {start} is no number"))
    }

    fn word(&mut self) -> Result<Value, String> {
        let start = self.at;
        match self.name() {
            "true" | "True" => Ok(Value::Bool(true)),
            "false" | "False" => Ok(Value::Bool(false)),
            "null" | "None" => Ok(Value::Null),
            word => Err(format!("`{word}` at byte {start} where a value was expected")),
        }
    }
}

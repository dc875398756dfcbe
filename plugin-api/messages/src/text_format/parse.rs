//! Parses text to a tree of fields, each with its place. Types are not known here.

use std::iter::Peekable;
use std::str::Chars;

use super::TextFormatError;

/// Largest nesting depth; ROS message types are far below it.
const DEEPEST: usize = 64;

/// A place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

impl Place {
    pub(super) fn error(self, what: impl Into<String>) -> TextFormatError {
        TextFormatError::Text { line: self.line, column: self.column, what: what.into() }
    }
}

/// One field as written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) value: Value,
}

/// The value after a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Message(Vec<Entry>),
    List(Vec<Value>),
    Text(String),
    /// A number or a word, as written.
    Word(String),
}

/// Returns the fields of a whole text.
pub(super) fn message(text: &str) -> Result<Vec<Entry>, TextFormatError> {
    let mut reader = Reader { chars: text.chars().peekable(), place: Place { line: 1, column: 1 } };
    let fields = reader.fields(None, 0)?;
    match reader.peek() {
        None => Ok(fields),
        Some(other) => Err(reader.place.error(format!("`{other}` closes nothing"))),
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    place: Place,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.chars.next()?;
        if next == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(next)
    }

    /// Returns the next character that is neither whitespace nor part of a comment, without taking it.
    fn peek(&mut self) -> Option<char> {
        loop {
            match self.chars.peek()? {
                '#' => while self.next().is_some_and(|skipped| skipped != '\n') {},
                blank if blank.is_whitespace() => _ = self.next(),
                other => return Some(*other),
            }
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        let comes = self.peek() == Some(wanted);
        if comes {
            self.next();
        }
        comes
    }

    /// Takes fields up to and including `end`; `None` is the end of the text.
    fn fields(&mut self, end: Option<char>, depth: usize) -> Result<Vec<Entry>, TextFormatError> {
        let mut fields = Vec::new();
        loop {
            while self.take(',') || self.take(';') {}
            match self.peek() {
                None if end.is_none() => return Ok(fields),
                None => return Err(self.place.error("the text ends inside a message")),
                Some('}' | '>') if end.is_none() => return Ok(fields),
                found if found == end => {
                    self.next();
                    return Ok(fields);
                }
                Some(_) => fields.push(self.entry(depth)?),
            }
        }
    }

    fn entry(&mut self, depth: usize) -> Result<Entry, TextFormatError> {
        let place = self.place;
        let name = self.word();
        if name.is_empty() {
            let found = self.peek().map_or_else(String::new, String::from);
            return Err(place.error(format!("`{found}` begins no field name")));
        }
        let has_colon = self.take(':');
        let is_message = matches!(self.peek(), Some('{' | '<'));
        if !has_colon && !is_message {
            return Err(self.place.error(format!("expected `:` behind `{name}`")));
        }
        Ok(Entry { value: self.value(&name, depth)?, name, place })
    }

    fn value(&mut self, name: &str, depth: usize) -> Result<Value, TextFormatError> {
        match self.peek() {
            Some(open @ ('{' | '<')) => {
                if depth == DEEPEST {
                    return Err(self.place.error("messages stand too deep in each other"));
                }
                self.next();
                let close = if open == '{' { '}' } else { '>' };
                Ok(Value::Message(self.fields(Some(close), depth + 1)?))
            }
            Some('[') => self.list(name, depth),
            Some('"' | '\'') => self.text(),
            _ => {
                let place = self.place;
                let word = self.word();
                if word.is_empty() {
                    Err(place.error(format!("`{name}` has no value")))
                } else {
                    Ok(Value::Word(word))
                }
            }
        }
    }

    fn list(&mut self, name: &str, depth: usize) -> Result<Value, TextFormatError> {
        if depth == DEEPEST {
            return Err(self.place.error("lists stand too deep in each other"));
        }
        self.next();
        let mut items = Vec::new();
        while !self.take(']') {
            if self.peek().is_none() {
                return Err(self.place.error("the text ends inside a list"));
            }
            items.push(self.value(name, depth + 1)?);
            self.take(',');
        }
        Ok(Value::List(items))
    }

    /// Takes strings in quotes; adjacent strings are joined.
    fn text(&mut self) -> Result<Value, TextFormatError> {
        let mut text = String::new();
        while let Some(quote @ ('"' | '\'')) = self.peek() {
            self.next();
            self.quoted(quote, &mut text)?;
        }
        Ok(Value::Text(text))
    }

    fn quoted(&mut self, quote: char, text: &mut String) -> Result<(), TextFormatError> {
        loop {
            let place = self.place;
            match self.next() {
                None | Some('\n') => return Err(place.error("the string has no end on its line")),
                Some('\\') => text.push(self.escaped(place)?),
                Some(found) if found == quote => return Ok(()),
                Some(found) => text.push(found),
            }
        }
    }

    fn escaped(&mut self, place: Place) -> Result<char, TextFormatError> {
        match self.next() {
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some(plain @ ('\\' | '"' | '\'' | '?')) => Ok(plain),
            Some(other) => Err(place.error(format!("`\\{other}` is not supported in strings"))),
            None => Err(place.error("the string has no end")),
        }
    }

    /// Takes a run of letters, digits and characters of numbers; empty if none comes.
    fn word(&mut self) -> String {
        self.peek();
        let mut word = String::new();
        while let Some(next) = self.chars.peek().copied() {
            if !(next.is_alphanumeric() || matches!(next, '_' | '-' | '+' | '.')) {
                break;
            }
            word.push(next);
            self.next();
        }
        word
    }
}

//! One request: the members of an object, as JSON text.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::codes::{LIMIT, REQUEST};
use crate::fault::Fault;
use crate::request::AnyJson;

/// Most members of a request; operations have at most ten.
const MAX_MEMBERS: usize = 64;
/// Members that are kept, or repeated in responses.
const NAMES: [&str; 9] =
    ["op", "id", "topic", "type", "service", "action", "action_type", "level", "compression"];
/// Longest JSON of one of them in bytes.
const LONGEST_NAME: usize = 1024;

/// A request of a client.
#[derive(Debug)]
pub(crate) struct Request {
    text: String,
    members: Vec<(String, Range<usize>)>,
}

impl Request {
    /// Finds the members of an object. Their values are not checked.
    ///
    /// # Errors
    /// Returns an error if the text is not an object, or a name in it is too long.
    pub(crate) fn parse(text: String) -> Result<Self, Fault> {
        let members = Cursor { text: &text, at: 0 }.members();
        let members = members.ok_or_else(|| malformed("the request is not a JSON object"))?;
        let is_long = |(_, range): &&(String, Range<usize>)| range.len() > LONGEST_NAME;
        let mut names = members.iter().filter(|(name, _)| NAMES.contains(&name.as_str()));
        if let Some((name, range)) = names.find(is_long) {
            let text = format!("`{name}` may have {LONGEST_NAME} bytes, found {}", range.len());
            return Err(Fault::new(LIMIT, text));
        }
        Ok(Request { text, members })
    }

    /// Returns the JSON text of a member; `None` if it is absent or `null`.
    pub(crate) fn json(&self, name: &str) -> Option<&str> {
        let (_, range) = self.members.iter().find(|(member, _)| member == name)?;
        self.text.get(range.clone()).filter(|json| *json != "null")
    }

    /// Returns the JSON text of a member, checked so that it can be passed on; `default` if it is absent.
    ///
    /// # Errors
    /// Returns an error if it is not JSON.
    pub(crate) fn checked<'a>(&'a self, name: &str, default: &'a str) -> Result<&'a str, Fault> {
        let json = self.json(name).unwrap_or(default);
        let checked = serde_json::from_str::<AnyJson>(json);
        checked.map(|_| json).map_err(|error| malformed(&format!("`{name}` is not JSON: {error}")))
    }

    /// Returns a text; `None` if it is absent.
    ///
    /// # Errors
    /// Returns an error if the member is not a text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Fault> {
        self.read(name, "a text")
    }

    /// Returns a text that must be there.
    ///
    /// # Errors
    /// Returns an error if the member is absent or not a text.
    pub(crate) fn required(&self, name: &str) -> Result<String, Fault> {
        let text = self.text(name)?.filter(|text| !text.is_empty());
        text.ok_or_else(|| malformed(&format!("`{name}` is missing")))
    }

    /// Returns a number that is not negative; fractions are cut off.
    ///
    /// # Errors
    /// Returns an error if the member is not a number, or out of range.
    pub(crate) fn number(&self, name: &str) -> Result<Option<usize>, Fault> {
        let Some(number) = self.read::<f64>(name, "a number")? else { return Ok(None) };
        if !(0.0..=4e9).contains(&number) {
            return Err(malformed(&format!(
                "`{name}` must be a number from 0 to 4000000000, found {number}"
            )));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
        Ok(Some(number as usize))
    }

    /// Returns a number of seconds; `None` if it is absent or not positive.
    ///
    /// # Errors
    /// Returns an error if the member is not a number.
    pub(crate) fn seconds(&self, name: &str) -> Result<Option<f64>, Fault> {
        let seconds = self.read::<f64>(name, "a number")?;
        Ok(seconds.filter(|seconds| *seconds > 0.0))
    }

    /// Returns a truth value.
    ///
    /// # Errors
    /// Returns an error if the member is not a truth value.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Fault> {
        self.read(name, "true or false")
    }

    /// Returns the identifier; numbers are taken as texts.
    pub(crate) fn id(&self) -> Option<String> {
        match serde_json::from_str(self.json("id")?).ok()? {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    fn read<T: DeserializeOwned>(&self, name: &str, expected: &str) -> Result<Option<T>, Fault> {
        let Some(json) = self.json(name) else { return Ok(None) };
        serde_json::from_str(json).map(Some).map_err(|_| {
            let shown: String = json.chars().take(40).collect();
            malformed(&format!("`{name}` must be {expected}, found `{shown}`"))
        })
    }
}

fn malformed(text: &str) -> Fault {
    Fault::new(REQUEST, text)
}

/// Returns the elements of a list as JSON text; `None` if it is malformed, or has more than `most`. The elements are not
/// checked.
pub(crate) fn elements(list: &str, most: usize) -> Option<Vec<&str>> {
    Cursor { text: list, at: 0 }.elements(most)
}

/// Reads an object or a list.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn elements(mut self, most: usize) -> Option<Vec<&'a str>> {
        let mut elements = Vec::new();
        self.take(b'[')?;
        if self.take(b']').is_some() {
            return self.is_at_end().then_some(elements);
        }
        while elements.len() < most {
            let element = self.value()?;
            elements.push(self.text.get(element)?);
            if self.take(b',').is_none() {
                self.take(b']')?;
                return self.is_at_end().then_some(elements);
            }
        }
        None
    }

    /// Returns the names and the places of the members.
    fn members(mut self) -> Option<Vec<(String, Range<usize>)>> {
        let mut members = Vec::new();
        self.take(b'{')?;
        if self.take(b'}').is_some() {
            return self.is_at_end().then_some(members);
        }
        loop {
            let name = self.value()?;
            let name: String = serde_json::from_str(self.text.get(name)?).ok()?;
            self.take(b':')?;
            let value = self.value()?;
            members.push((name, value));
            if members.len() > MAX_MEMBERS {
                return None;
            }
            if self.take(b',').is_none() {
                self.take(b'}')?;
                return self.is_at_end().then_some(members);
            }
        }
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.text.len()
    }

    /// Passes over a value and returns its place.
    fn value(&mut self) -> Option<Range<usize>> {
        self.skip_space();
        let begin = self.at;
        let (mut depth, mut is_in_text, mut is_escaped) = (0_usize, false, false);
        while let Some(byte) = self.peek() {
            if is_in_text {
                match byte {
                    _ if is_escaped => is_escaped = false,
                    b'\\' => is_escaped = true,
                    b'"' => is_in_text = false,
                    _ => {}
                }
            } else {
                match byte {
                    b'"' => is_in_text = true,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' if depth == 0 => break,
                    b'}' | b']' => depth -= 1,
                    b',' | b':' if depth == 0 => break,
                    byte if depth == 0 && byte.is_ascii_whitespace() => break,
                    _ => {}
                }
            }
            self.at += 1;
        }
        (self.at > begin && depth == 0 && !is_in_text).then_some(begin..self.at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn request(text: &str) -> Request {
        Request::parse(text.to_owned()).expect(text)
    }

    #[test]
    fn members_are_found_with_their_text() {
        let found = request(
            r#" { "op" : "publish" , "msg":{"a":[1, "}"],"b":{}}, "id":null, "n":1.5,"\u006f":true } "#,
        );
        assert_eq!(found.required("op"), Ok("publish".to_owned()));
        assert_eq!(found.json("msg"), Some(r#"{"a":[1, "}"],"b":{}}"#));
        assert_eq!((found.json("id"), found.id()), (None, None));
        assert_eq!((found.number("n"), found.flag("o")), (Ok(Some(1)), Ok(Some(true))));
        assert_eq!(request("{}").text("op"), Ok(None));
        assert_eq!(request(r#"{"id":7}"#).id(), Some("7".to_owned()));
    }

    #[test]
    fn a_wrong_member_is_named() {
        let found = request(r#"{"topic":5,"n":-1,"f":"x"}"#);
        let error = found.required("topic").expect_err("a number");
        assert_eq!(error, malformed("`topic` must be a text, found `5`"));
        assert!(found.number("n").is_err() && found.flag("f").is_err());
        assert_eq!(found.required("type"), Err(malformed("`type` is missing")));
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for text in [
            "",
            "{",
            "{}{}",
            "[]",
            "{a:1}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":1",
            "{\"a\":\"}",
            "{,}",
        ] {
            assert!(Request::parse(text.to_owned()).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[{}\\[\\]\",:a1 \\\\ä]{0,40}") {
            if let Ok(found) = Request::parse(text) {
                for name in ["a", "1", ""] {
                    drop((found.text(name), found.number(name), found.flag(name), found.id()));
                }
            }
        }

        #[test]
        fn members_of_valid_objects_are_found(name in "\\PC{1,8}", value in "\\PC{0,20}") {
            let text = serde_json::json!({ "x": [{"y": 1}], &name: value }).to_string();
            let found = Request::parse(text).expect("an object");
            prop_assert_eq!(found.text(&name), Ok(Some(value)));
        }
    }
}

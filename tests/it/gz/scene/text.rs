//! Messages as the programs of Gazebo print them: the text form of protobuf.

/// A message.
#[derive(Debug, Default)]
pub(super) struct Message {
    values: Vec<(String, String)>,
    parts: Vec<(String, Message)>,
}

impl Message {
    /// The values of a repeated field.
    pub(super) fn values(&self, name: &str) -> Vec<&str> {
        self.values.iter().filter(|(field, _)| field == name).map(|(_, value)| value.as_str()).collect()
    }

    /// The text of a field; empty if it is missing.
    pub(super) fn text(&self, name: &str) -> String {
        self.values(name).first().map(|value| (*value).to_owned()).unwrap_or_default()
    }

    /// The number of a field. One that is zero is not printed.
    #[track_caller]
    pub(super) fn number(&self, name: &str) -> f64 {
        match self.text(name).as_str() {
            "" => 0.0,
            text => text.parse().unwrap_or_else(|error| panic!("{name}: {text}: {error}")),
        }
    }

    #[track_caller]
    pub(super) fn id(&self) -> u32 {
        self.text("id").parse().unwrap_or_else(|error| panic!("no id in {self:?}: {error}"))
    }

    /// The messages of a repeated field.
    pub(super) fn all(&self, name: &str) -> Vec<&Message> {
        self.parts.iter().filter(|(field, _)| field == name).map(|(_, part)| part).collect()
    }

    pub(super) fn part(&self, name: &str) -> Option<&Message> {
        self.all(name).first().copied()
    }
}

/// Reads a printed message.
#[track_caller]
pub(super) fn parse(text: &str) -> Message {
    let mut open = vec![(String::new(), Message::default())];
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_suffix(" {") {
            open.push((name.to_owned(), Message::default()));
        } else if line == "}" {
            let (name, closed) = open.pop().expect("an open message");
            open.last_mut().expect("a message around it").1.parts.push((name, closed));
        } else {
            let (name, value) = line.split_once(": ").unwrap_or_else(|| panic!("no field: {line}"));
            open.last_mut().expect("a message").1.values.push((name.to_owned(), unquoted(value)));
        }
    }
    assert_eq!(open.len(), 1, "every message is closed: {text}");
    open.remove(0).1
}

/// Returns the text of a value in quotes, and others as they are.
fn unquoted(value: &str) -> String {
    let Some(quoted) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return value.to_owned();
    };
    let mut bytes = Vec::new();
    let mut rest = quoted.bytes();
    while let Some(byte) = rest.next() {
        let escaped = if byte == b'\\' { rest.next() } else { None };
        bytes.push(match escaped {
            None => byte,
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(first @ b'0'..=b'3') => {
                let digits = [first, rest.next().expect("a digit"), rest.next().expect("a digit")];
                digits.into_iter().fold(0, |code, digit| code * 8 + (digit - b'0'))
            }
            Some(other) => other,
        });
    }
    String::from_utf8(bytes).expect("text")
}

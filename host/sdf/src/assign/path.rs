//! Paths of values: `world.model[robot].link[base].inertial.mass`, `world.physics.@name`. Only the notation.

use std::fmt;

/// Why a text is not a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) String);

/// The path of a value, from the children of `<sdf>` on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValuePath {
    pub(super) steps: Vec<Step>,
    /// The attribute that the path ends in.
    pub(super) attribute: Option<String>,
}

/// One step to a child element.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Step {
    /// Name of the element.
    pub(super) element: String,
    /// The text in brackets: a name, or a number from 0.
    pub(super) label: Option<String>,
}

impl ValuePath {
    pub(super) fn read(text: &str) -> Result<Self, Malformed> {
        let mut parts = parts(text)?;
        let attribute = match parts.last().and_then(|last| last.strip_prefix('@')) {
            Some(name) if is_name(name) => Some(name.to_owned()),
            Some(name) => return Err(Malformed(format!("`@{name}` is not the name of an attribute"))),
            None => None,
        };
        if attribute.is_some() {
            parts.pop();
        }
        let steps = parts.into_iter().map(step).collect::<Result<Vec<_>, _>>()?;
        if steps.is_empty() {
            return Err(Malformed("it names no element".to_owned()));
        }
        Ok(ValuePath { steps, attribute })
    }

    /// Returns the name of the element or attribute that the path ends in.
    #[must_use]
    pub fn last(&self) -> &str {
        let element = || self.steps.last().map_or("", |step| step.element.as_str());
        self.attribute.as_deref().unwrap_or_else(element)
    }

    /// Returns true if a step has this element name.
    #[must_use]
    pub fn passes(&self, element: &str) -> bool {
        self.steps.iter().any(|step| step.element == element)
    }
}

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            write!(f, "{}{step}", if at == 0 { "" } else { "." })?;
        }
        self.attribute.iter().try_for_each(|attribute| write!(f, ".@{attribute}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.label {
            Some(label) => write!(f, "{}[{label}]", self.element),
            None => f.write_str(&self.element),
        }
    }
}

/// Splits a path at the dots outside of brackets.
fn parts(text: &str) -> Result<Vec<&str>, Malformed> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' if depth == 0 => return Err(Malformed("a `]` has no `[` before it".to_owned())),
            ']' => depth -= 1,
            '.' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(Malformed("a `[` has no `]` behind it".to_owned()));
    }
    parts.push(text.get(start..).unwrap_or_default());
    Ok(parts)
}

fn step(text: &str) -> Result<Step, Malformed> {
    let (element, label) = match text.split_once('[') {
        None => (text, None),
        Some((element, rest)) => match rest.strip_suffix(']') {
            Some(label) if !label.is_empty() => (element, Some(label.to_owned())),
            Some(_) | None => return Err(Malformed(format!("`{text}` is not `ELEMENT[NAME]`"))),
        },
    };
    if !is_name(element) {
        return Err(Malformed(format!("`{element}` is not the name of an element")));
    }
    Ok(Step { element: element.to_owned(), label })
}

/// Element names of SDF and of extensions such as `gz:x`.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ':'))
}

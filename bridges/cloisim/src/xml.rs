//! The XML of an element as a tree, with CLOiSim's small path language: `a/b`, `a[@attr='x']`.

use quick_xml::events::{BytesStart, Event};

#[cfg(test)]
mod tests;

/// Largest nesting depth of elements.
const MAX_DEPTH: usize = 64;

/// One element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    /// Its own text, trimmed.
    pub(crate) text: String,
    pub(crate) children: Vec<Element>,
}

impl Element {
    /// Parses an element; invalid XML gives an element without name and content.
    pub(crate) fn parse(xml: &str) -> Self {
        read(xml).unwrap_or_default()
    }

    /// Returns the attribute of that name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns every element at a path below this one, in document order.
    pub(crate) fn all(&self, path: &str) -> Vec<&Element> {
        let mut found = vec![self];
        for step in path.split('/') {
            let step = Step::parse(step);
            found =
                found.iter().flat_map(|element| &element.children).filter(|child| step.fits(child)).collect();
        }
        found
    }

    /// Returns the first element at a path.
    pub(crate) fn at(&self, path: &str) -> Option<&Element> {
        self.all(path).into_iter().next()
    }

    /// Returns the text at a path; `None` if the element is missing or empty.
    pub(crate) fn text_at(&self, path: &str) -> Option<&str> {
        self.at(path).map(|element| element.text.as_str()).filter(|text| !text.is_empty())
    }

    /// Returns the number at a path.
    pub(crate) fn number_at(&self, path: &str) -> Option<f64> {
        self.text_at(path)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Returns every text at a path.
    pub(crate) fn texts_at(&self, path: &str) -> Vec<String> {
        self.all(path)
            .into_iter()
            .map(|element| element.text.clone())
            .filter(|text| !text.is_empty())
            .collect()
    }
}

/// A step of a path: a name, and optionally an attribute with its value.
struct Step<'a> {
    name: &'a str,
    condition: Option<(&'a str, &'a str)>,
}

impl<'a> Step<'a> {
    fn parse(text: &'a str) -> Self {
        let Some((name, condition)) = text.split_once("[@") else {
            return Step { name: text, condition: None };
        };
        let condition = condition.trim_end_matches(']').split_once('=');
        Step { name, condition: condition.map(|(key, value)| (key, value.trim_matches('\''))) }
    }

    fn fits(&self, element: &Element) -> bool {
        element.name == self.name
            && self.condition.is_none_or(|(key, value)| element.attribute(key) == Some(value))
    }
}

fn read(xml: &str) -> Option<Element> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut open: Vec<Element> = Vec::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => {
                if open.len() >= MAX_DEPTH {
                    return None;
                }
                open.push(begin(&start)?);
            }
            Event::Empty(start) => {
                let element = begin(&start)?;
                match open.last_mut() {
                    Some(parent) => parent.children.push(element),
                    None => return Some(element),
                }
            }
            Event::End(_) => {
                let mut element = open.pop()?;
                element.text = element.text.trim().to_owned();
                match open.last_mut() {
                    Some(parent) => parent.children.push(element),
                    None => return Some(element),
                }
            }
            Event::Text(text) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&text);
                }
            }
            Event::CData(data) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&data);
                }
            }
            Event::GeneralRef(name) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(entity(&name));
                }
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

fn begin(start: &BytesStart<'_>) -> Option<Element> {
    let mut element = Element { name: start.name().as_ref().to_owned(), ..Element::default() };
    for attribute in start.attributes() {
        let attribute = attribute.ok()?;
        let value = quick_xml::escape::unescape(&attribute.value).ok()?.into_owned();
        element.attributes.push((attribute.key.as_ref().to_owned(), value));
    }
    Some(element)
}

/// Returns the character for a named reference such as `&lt;`; numeric references are dropped, since parameters do
/// not use them.
fn entity(name: &str) -> &'static str {
    match name {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        _ => "",
    }
}

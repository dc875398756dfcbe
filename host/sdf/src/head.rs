//! The head of a file: its content, name and description, without reading the rest.
//!
//! Lists of worlds and models are made from heads, so reading a head is cheap even for large files: elements
//! are read in order until the first `<model>` or `<include>` of a world, or until the text ends. A truncated
//! text is not an error here. Pure functions, usable from any thread.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use std::sync::Arc;

use super::document::Document;
use super::mjcf;
use super::model_folder::one_line;

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A `<world>`.
    World,
    /// A `<model>` by itself.
    Model,
    /// A robot in URDF or MJCF.
    Robot,
}

/// The description of a world in `<bridgehead:world>`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its `<description>`; empty without one.
    pub description: String,
    /// Its `<tag>`s, in order.
    pub tags: Vec<String>,
}

/// The head of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The content.
    pub content: Content,
    /// Name of the world, model or robot; may be empty.
    pub name: String,
    /// The description of the world.
    pub about: About,
}

/// The greatest depth that is searched: deeper elements say nothing about the file.
const DEEPEST: usize = 8;

/// Returns the head of a text; `None` if it contains no world, model or robot.
#[must_use]
pub fn head(text: &str) -> Option<Head> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut scan = Scan::default();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                if !scan.open(&tag) {
                    return scan.end();
                }
                scan.path.push(name_of(&tag));
            }
            Ok(Event::Empty(tag)) => {
                if !scan.open(&tag) {
                    return scan.end();
                }
            }
            Ok(Event::End(_)) => scan.close(),
            Ok(Event::Text(text)) => scan.text.push_str(&text),
            Ok(Event::CData(text)) => scan.text.push_str(&text),
            Ok(Event::GeneralRef(entity)) => {
                let entity = format!("&{};", &*entity);
                scan.text.push_str(&unescape(&entity).unwrap_or_default());
            }
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
            // What was read so far is valid: only the rest of the text may be missing.
            Ok(Event::Eof) | Err(_) => return scan.end(),
        }
        if scan.path.len() > DEEPEST {
            return scan.end();
        }
    }
}

#[derive(Default)]
struct Scan {
    path: Vec<String>,
    /// Text of the element that is open.
    text: String,
    head: Option<Head>,
    /// Name of the model that the file includes in place of one; empty if the include gives it none.
    included: Option<String>,
}

impl Scan {
    /// Returns what was found.
    fn end(self) -> Option<Head> {
        let included =
            self.included.map(|name| Head { content: Content::Model, name, about: About::default() });
        self.head.or(included)
    }

    /// Processes a start tag; returns false if its content can be skipped.
    fn open(&mut self, tag: &BytesStart<'_>) -> bool {
        self.text.clear();
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        let name = name_of(tag);
        match (path.as_slice(), name.as_str()) {
            ([], "sdf") => true,
            ([], "robot" | mjcf::ROOT) => self.found(Content::Robot, tag),
            ([], _) => false,
            (["sdf"], "world") => {
                self.found(Content::World, tag);
                true
            }
            (["sdf"], "model") => self.found(Content::Model, tag),
            // The included model takes the place of the include, and a world that follows comes first.
            (["sdf"], "include") => {
                self.included.get_or_insert_default();
                true
            }
            // Models make a file long, and the description of the world precedes them.
            (["sdf", "world"], "model" | "include" | "actor") => false,
            _ => true,
        }
    }

    /// Records the content of the file; returns false if nothing more is needed, which is the case except for
    /// worlds.
    fn found(&mut self, content: Content, tag: &BytesStart<'_>) -> bool {
        // MJCF has another attribute for it.
        let name = attribute(tag, if name_of(tag) == mjcf::ROOT { "model" } else { "name" });
        self.head.get_or_insert(Head { content, name, about: About::default() });
        false
    }

    fn close(&mut self) {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        if let (["sdf", "world", "bridgehead:world", child], Some(head)) = (path.as_slice(), &mut self.head) {
            let text = one_line(&self.text);
            match *child {
                "description" => head.about.description = text,
                "tag" if !text.is_empty() => head.about.tags.push(text),
                _ => {}
            }
        }
        if let (["sdf", "include", "name"], Some(name)) = (path.as_slice(), &mut self.included) {
            *name = one_line(&self.text);
        }
        self.path.pop();
        self.text.clear();
    }
}

fn name_of(tag: &BytesStart<'_>) -> String {
    tag.name().0.to_owned()
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> String {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.0 == name);
    let value = found.map(|attribute| attribute.value).unwrap_or_default();
    unescape(&value).unwrap_or_default().into_owned()
}

/// Returns the description of the world of a loaded file.
#[must_use]
pub fn about(document: &Arc<Document>) -> About {
    let element = document.root().child("world").and_then(|world| world.child("bridgehead:world"));
    let Some(element) = element else { return About::default() };
    let tags = element.children_named("tag").map(|tag| one_line(tag.text())).filter(|tag| !tag.is_empty());
    About {
        description: element.child("description").map(|child| one_line(child.text())).unwrap_or_default(),
        tags: tags.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: &str = "<?xml version='1.0'?><!-- a --><sdf version='1.9' xmlns:bridgehead='urn:bridgehead:sdf'>\
        <world name='a &amp; b'><gravity>0 0 -9.8</gravity><bridgehead:world><description>Two\n lines &lt;</description>\
        <tag>indoor</tag><tag/><tag> warehouse </tag></bridgehead:world><model name='m'/></world></sdf>";

    #[test]
    fn a_world_says_its_name_and_what_its_author_says() {
        let head = head(WORLD).expect("a world");
        assert_eq!((head.content, head.name.as_str()), (Content::World, "a & b"));
        assert_eq!(head.about.description, "Two lines <");
        assert_eq!(head.about.tags, ["indoor", "warehouse"]);
        let source = super::super::Source::from_text("w", WORLD);
        let document = Document::parse(source).expect("XML");
        assert_eq!(about(&document), head.about, "the whole document says the same");
    }

    #[test]
    fn models_and_robots_are_told_from_worlds() {
        let model = head("<sdf version='1.9'><model name='crate'><link name='l'/></model></sdf>");
        assert_eq!(model.map(|head| (head.content, head.name)), Some((Content::Model, "crate".to_owned())));
        let robot = head("<robot name='arm'><link name='l'/></robot>");
        assert_eq!(robot.map(|head| (head.content, head.name)), Some((Content::Robot, "arm".to_owned())));
        let mujoco = head("<mujoco model='ant'><worldbody/></mujoco>");
        assert_eq!(mujoco.map(|head| (head.content, head.name)), Some((Content::Robot, "ant".to_owned())));
        for other in ["", "text", "<launch/>", "<sdf version='1.9'/>", "<sdf", "<world name='w'/>"] {
            assert_eq!(head(other), None, "{other}");
        }
    }

    #[test]
    fn an_include_in_place_of_a_model_is_a_model() {
        let include = "<include><uri>model://base</uri><name>alias</name></include>";
        let found = head(&format!("<sdf version='1.9'>{include}</sdf>"));
        assert_eq!(found.map(|head| (head.content, head.name)), Some((Content::Model, "alias".to_owned())));
        let world = head(&format!("<sdf version='1.9'>{include}<world name='w'/></sdf>"));
        assert_eq!(world.map(|head| (head.content, head.name)), Some((Content::World, "w".to_owned())));
    }

    #[test]
    fn every_beginning_of_a_file_is_read_without_a_complaint() {
        let whole = head(WORLD);
        let cut = WORLD.find("<model").expect("a model");
        assert_eq!(head(&WORLD[..cut]), whole);
        for (at, _) in WORLD.char_indices() {
            if let Some(head) = head(&WORLD[..at]) {
                assert_eq!(head.content, Content::World);
            }
        }
    }

    #[test]
    fn what_stands_behind_the_models_is_not_looked_for() {
        let late = "<sdf version='1.9'><world name='w'><model name='m'/><bridgehead:world><tag>t</tag>\
                    </bridgehead:world></world></sdf>";
        assert_eq!(head(late).expect("a world").about, About::default());
    }
}

//! Elements beyond SDF: `<bridgehead:entity>` of a model or include, and `<bridgehead:pose>`, the named poses
//! of a world. Plain values, usable from any thread.

use super::frame::FramePose;
use crate::document::Origin;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The category of an entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Category {
    /// Anything.
    #[default]
    Object,
    /// A robot.
    Robot,
    /// A human being.
    Human,
    /// Something that is meant to move.
    DynamicObject,
    /// Something that is meant to stay.
    StaticObject,
}

impl Category {
    /// Every category.
    pub const ALL: [Category; 5] =
        [Category::Object, Category::Robot, Category::Human, Category::DynamicObject, Category::StaticObject];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Category::Object => "object",
            Category::Robot => "robot",
            Category::Human => "human",
            Category::DynamicObject => "dynamic_object",
            Category::StaticObject => "static_object",
        }
    }

    /// The category with a name.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == word)
    }

    /// Its number in the messages of `simulation_interfaces`.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Category::Object => 0,
            Category::Robot => 1,
            Category::Human => 2,
            Category::DynamicObject => 4,
            Category::StaticObject => 5,
        }
    }

    /// The category with a number; 3 is not assigned.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.number() == number)
    }
}

/// The description of an entity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityInfo {
    /// Its category.
    pub category: Category,
    /// A description for people.
    pub description: String,
    /// Tags for filters.
    pub tags: Vec<String>,
}

/// Longest description of an entity, bytes.
pub const MAX_TEXT: usize = 65_536;
/// Largest number of tags of an entity.
pub const MAX_TAGS: usize = 256;

impl EntityInfo {
    /// Returns what is too long, if anything: the description, the list of tags, or a tag.
    #[must_use]
    pub fn excess(&self) -> Option<String> {
        let long_tag = || self.tags.iter().map(String::len).find(|length| *length > MAX_NAME);
        match (self.description.len(), self.tags.len()) {
            (length, _) if length > MAX_TEXT => {
                Some(format!("the description has {length} bytes; expected at most {MAX_TEXT}"))
            }
            (_, count) if count > MAX_TAGS => {
                Some(format!("there are {count} tags; expected at most {MAX_TAGS}"))
            }
            _ => long_tag().map(|length| format!("a tag has {length} bytes; expected at most {MAX_NAME}")),
        }
    }
}

/// `<bridgehead:entity>`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// Category, description and tags.
    pub info: EntityInfo,
    /// The prefix of its topic names, without a slash at either end; empty for none.
    pub namespace: String,
}

/// A space around a pose, in its axes and about its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseBounds {
    /// A box.
    Box {
        /// Metres along each axis.
        size: DVec3,
    },
    /// A ball.
    Sphere {
        /// Metres.
        radius: f64,
    },
}

/// `<bridgehead:pose>`: a place of the world with a name.
#[derive(Clone, Debug)]
pub struct NamedPose {
    /// Name among the poses of the world.
    pub name: String,
    /// A description for people.
    pub description: String,
    /// Tags for filters.
    pub tags: Vec<String>,
    /// Its pose.
    pub pose: FramePose,
    /// The free space around it.
    pub bounds: Option<PoseBounds>,
    /// The element in its file.
    pub origin: Origin,
}

/// Longest name or namespace, bytes. Names become parts of topics, for which DDS allows 255 bytes.
pub const MAX_NAME: usize = 255;

/// Returns true if a text is one part of a name as ROS and topics have them: a letter or `_`, then letters,
/// digits and `_`, at most [`MAX_NAME`] in all.
#[must_use]
pub fn is_token(text: &str) -> bool {
    let mut letters = text.chars();
    text.len() <= MAX_NAME
        && letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Returns a namespace without its leading slash; `None` if the text is not tokens joined by single slashes,
/// without one at the end, or is longer than [`MAX_NAME`]. An empty text is valid: no namespace.
#[must_use]
pub fn namespace(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('/').unwrap_or(text);
    let is_valid = inner.len() <= MAX_NAME && inner.split('/').all(is_token);
    (text.is_empty() || is_valid).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_have_the_numbers_of_the_standard_and_none_is_three() {
        let numbers = Category::ALL.map(Category::number);
        assert_eq!(numbers, [0, 1, 2, 4, 5]);
        for number in 0..=255 {
            let found = Category::from_number(number).map(Category::number);
            assert_eq!(found, numbers.contains(&number).then_some(number));
        }
        assert!(Category::ALL.into_iter().all(|category| Category::parse(category.name()) == Some(category)));
    }

    #[test]
    fn texts_of_an_entity_are_limited() {
        let info = |description: usize, tags: usize, tag: usize| EntityInfo {
            description: "d".repeat(description),
            tags: vec!["t".repeat(tag); tags],
            ..EntityInfo::default()
        };
        assert_eq!(info(MAX_TEXT, MAX_TAGS, MAX_NAME).excess(), None);
        for long in [info(MAX_TEXT + 1, 0, 0), info(0, MAX_TAGS + 1, 1), info(0, 1, MAX_NAME + 1)] {
            assert!(long.excess().is_some_and(|text| text.contains("expected at most")));
        }
    }

    #[test]
    fn a_namespace_is_tokens_between_single_slashes() {
        for (text, inner) in [("", ""), ("robot1", "robot1"), ("/fleet/_r2", "fleet/_r2")] {
            assert_eq!(namespace(text), Some(inner), "{text}");
        }
        assert!(namespace(&"a".repeat(MAX_NAME)).is_some() && namespace(&"a".repeat(MAX_NAME + 1)).is_none());
        assert_eq!(namespace(&"a/".repeat(200)), None);
        for text in ["/", "bad ns", "a//b", "//a", "a/", "1a", "a/2", "a-b", "ä", "a::b"] {
            assert_eq!(namespace(text), None, "{text}");
        }
    }
}

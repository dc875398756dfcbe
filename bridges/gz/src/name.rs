//! Names of topics and services on the wire: `@/partition@/topic`.

use std::fmt::{self, Display, Formatter};

/// Longest name, in bytes.
const MAX_NAME: usize = 65_535;
/// What no name contains.
const FORBIDDEN: [&str; 4] = ["~", " ", ":=", "//"];

/// A set of processes that see each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Partition(String);

impl Partition {
    /// Reads a partition; `None` if no name can contain it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bare = text.trim_matches('/');
        let is_valid = bare.is_empty() && text.is_empty() || is_valid(bare);
        is_valid.then(|| Partition(if bare.is_empty() { String::new() } else { format!("/{bare}") }))
    }

    /// Returns the fully qualified name of a topic or service; `None` if it cannot have one.
    pub(crate) fn qualify(&self, topic: &str) -> Option<String> {
        let bare = topic.trim_start_matches('/').trim_end_matches('/');
        let whole = format!("@{}@/{bare}", self.0);
        (is_valid(bare) && whole.len() <= MAX_NAME).then_some(whole)
    }
}

impl Display for Partition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_start_matches('/'))
    }
}

fn is_valid(bare: &str) -> bool {
    !bare.is_empty() && !bare.contains('@') && !FORBIDDEN.iter().any(|part| bare.contains(part))
}

/// Returns the name of a world as a part of topics, as Gazebo makes it (`AsValidTopic`): blanks become `_`, and what no
/// name contains is left out.
pub(crate) fn as_topic(name: &str) -> String {
    let mut name = name.trim().replace(' ', "_");
    for part in ["@", "~", ":="] {
        name = name.replace(part, "");
    }
    while name.contains("//") {
        name = name.replace("//", "/");
    }
    name.trim_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn qualified(partition: &str, topic: &str) -> Option<String> {
        Partition::parse(partition).expect(partition).qualify(topic)
    }

    #[test]
    fn names_are_those_of_the_library() {
        assert_eq!(qualified("test", "/foo").as_deref(), Some("@/test@/foo"));
        assert_eq!(qualified("test", "foo/").as_deref(), Some("@/test@/foo"));
        assert_eq!(qualified("/p/q/", "foo").as_deref(), Some("@/p/q@/foo"));
        assert_eq!(qualified("", "/topic").as_deref(), Some("@@/topic"));
        assert_eq!(qualified("vm:root", "/world/w/control").as_deref(), Some("@/vm:root@/world/w/control"));
    }

    #[test]
    fn names_that_cannot_be_are_refused() {
        for topic in ["", "/", "a b", "a~b", "a@b", "a:=b", "a//b"] {
            assert_eq!(qualified("test", topic), None, "{topic}");
        }
        assert_eq!(qualified("test", &"x".repeat(MAX_NAME)), None);
        for partition in ["a b", "a@b", "/"] {
            assert_eq!(Partition::parse(partition), None, "{partition}");
        }
    }

    #[test]
    fn worlds_have_names_that_topics_can_contain() {
        assert_eq!(as_topic("my world"), "my_world");
        assert_eq!(as_topic("a@b~c:=d//e"), "abcd/e");
    }
}

//! Filters by tags. Plain values.

/// How several tags combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagMode {
    /// One matching tag is enough.
    #[default]
    Any,
    /// All tags must match.
    All,
}

/// Required tags. An empty filter accepts everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagFilter {
    /// The tags.
    pub tags: Vec<String>,
    /// How they combine.
    pub mode: TagMode,
}

impl TagFilter {
    /// Returns true if something with these tags passes the filter.
    #[must_use]
    pub fn accepts(&self, tags: &[String]) -> bool {
        let mut wanted = self.tags.iter();
        match self.mode {
            _ if self.tags.is_empty() => true,
            TagMode::Any => wanted.any(|tag| tags.contains(tag)),
            TagMode::All => wanted.all(|tag| tags.contains(tag)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_wants_one_and_all_wants_each() {
        let texts = |tags: &[&str]| tags.iter().map(ToString::to_string).collect::<Vec<_>>();
        let filter = |mode, tags: &[&str]| TagFilter { tags: texts(tags), mode };
        let own = texts(&["indoor", "warehouse"]);
        assert!(filter(TagMode::Any, &["indoor", "outdoor"]).accepts(&own));
        assert!(!filter(TagMode::All, &["indoor", "outdoor"]).accepts(&own));
        assert!(filter(TagMode::All, &["indoor", "warehouse"]).accepts(&own));
        assert!(!filter(TagMode::Any, &["outdoor"]).accepts(&own));
        for mode in [TagMode::Any, TagMode::All] {
            assert!(filter(mode, &[]).accepts(&[]), "no filter lets everything through");
            assert!(!filter(mode, &["indoor"]).accepts(&[]));
        }
    }
}

//! The keys of topics and services.

use bridgehead_plugin_api::{Error, Result};
use zenoh::key_expr::keyexpr;

use crate::codes::NAME;

/// What all keys of a run begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prefix(String);

impl Default for Prefix {
    fn default() -> Self {
        Prefix("bridgehead".to_owned())
    }
}

impl Prefix {
    /// Parses a prefix. Chunks that begin with `@` have a meaning of their own in Zenoh, and in [`Prefix::own`].
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let key = keyexpr::new(text).ok()?;
        let is_plain = !key.is_wild() && key.chunks().all(|chunk| !chunk.as_str().starts_with('@'));
        is_plain.then(|| Prefix(text.to_owned()))
    }

    /// Returns the key of a topic or service with this absolute name; `None` if Zenoh cannot express it.
    fn key(&self, name: &str) -> Option<String> {
        let key = format!("{}/{}", self.0, name.trim_start_matches('/'));
        let is_plain = keyexpr::new(&key).is_ok_and(|key| !key.is_wild());
        is_plain.then_some(key)
    }

    /// Returns the key of a topic or service.
    ///
    /// # Errors
    /// Returns an error if Zenoh cannot express it.
    pub(crate) fn topic_key(&self, name: &str) -> Result<String> {
        self.key(name).ok_or_else(|| {
            Error::invalid(format!(
                "[{NAME}] Zenoh cannot express the name `{name}` below `{}`: keys have no empty parts and none of * $ # ?",
                self.0
            ))
        })
    }

    /// Returns the expression for all topics and services.
    pub(crate) fn all(&self) -> String {
        format!("{}/**", self.0)
    }

    /// Returns the key of something that is about the run. `**` does not match it.
    pub(crate) fn own(&self, what: &str) -> String {
        format!("{}/@{what}", self.0)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_prefix_and_the_name() {
        let prefix = Prefix::parse("lab/sim1").expect("a prefix");
        assert_eq!(prefix.key("/car1/scan").as_deref(), Some("lab/sim1/car1/scan"));
        for name in ["/", "/a//b", "/a*", "/a/**", "/a#b", "/a?b", "/$a"] {
            assert_eq!(prefix.key(name), None, "{name}");
        }
    }

    #[test]
    fn what_is_about_the_run_is_no_topic() {
        let prefix = Prefix::default();
        let (all, own) = (prefix.all(), prefix.own("topics"));
        assert_eq!((all.as_str(), own.as_str()), ("bridgehead/**", "bridgehead/@topics"));
        assert!(!keyexpr::new(&all).expect("valid").intersects(keyexpr::new(&own).expect("valid")));
    }
}

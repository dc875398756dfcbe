//! `[services]`: other names for services, and services that are not offered.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bridgehead_plugin_api::messages::declared_services;

use super::code::Code;
use super::error::ConfigError;

/// The services that can be renamed: every declared service, sorted.
pub static KNOWN: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut names: Vec<&str> = declared_services().iter().map(|declared| declared.name).collect();
    names.sort_unstable();
    names
});

/// The name under which each service is offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceNames(BTreeMap<&'static str, String>);

impl ServiceNames {
    /// Checks the other names of services, by their own; an empty one means that the service is not offered.
    ///
    /// # Errors
    /// Returns an error if two services have the same name.
    pub(super) fn new(names: BTreeMap<&'static str, String>) -> Result<Self, ConfigError> {
        let names = ServiceNames(names);
        for (at, service) in KNOWN.iter().enumerate() {
            let Some(name) = names.of(service) else { continue };
            let before = KNOWN.iter().take(at).find(|other| names.of(other) == Some(name));
            if let Some(other) = before {
                let found = format!("the services `{other}` and `{service}` have the same name, `{name}`");
                return Err(ConfigError::new(Code::ServiceNameInvalid, found));
            }
        }
        Ok(names)
    }

    /// Returns the name of a service; `None` if it is not offered.
    #[must_use]
    pub fn of<'a>(&'a self, service: &'a str) -> Option<&'a str> {
        Some(self.0.get(service).map_or(service, String::as_str)).filter(|name| !name.is_empty())
    }
}

/// Returns the names that services have if the configuration gives none: their own.
pub(super) fn default_names() -> BTreeMap<&'static str, String> {
    KNOWN.iter().map(|name| (*name, (*name).to_owned())).collect()
}

/// Checks the other name of a service; an empty one means that the service is not offered.
///
/// # Errors
/// Returns an error unless the text consists of letters, digits and `_`, in parts separated by `/` that do not begin
/// with a digit.
pub(super) fn service_name(text: &str) -> Result<String, ConfigError> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_part = |part: &str| {
        !part.is_empty()
            && part.chars().all(is_letter)
            && !part.starts_with(|first: char| first.is_ascii_digit())
    };
    if text.is_empty() || text.strip_prefix('/').unwrap_or(text).split('/').all(is_part) {
        return Ok(text.to_owned());
    }
    Err(ConfigError::new(Code::ServiceNameInvalid, format!("`{text}` is not the name of a service")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_has_its_own_name_another_one_or_none() {
        let given = [("get_entities", String::from("/sim/entities")), ("load_world", String::new())];
        let names = ServiceNames::new(given.into()).expect("names");
        assert_eq!(names.of("get_entities"), Some("/sim/entities"));
        assert_eq!(names.of("load_world"), None);
        assert_eq!(names.of("spawn_entity"), Some("spawn_entity"));
    }

    #[test]
    fn two_services_cannot_share_a_name() {
        let error =
            ServiceNames::new([("spawn_entity", String::from("load_world"))].into()).expect_err("refused");
        assert_eq!(error.code, Code::ServiceNameInvalid);
        assert!(error.found.contains("`load_world` and `spawn_entity`"), "{error}");
    }

    #[test]
    fn names_are_those_of_ros() {
        for text in ["", "a", "/a/b_1", "_x"] {
            assert_eq!(service_name(text).as_deref(), Ok(text));
        }
        for text in ["a b", "1a", "a//b", "/", "ü", "a/", "~/a"] {
            assert_eq!(service_name(text).expect_err(text).code, Code::ServiceNameInvalid);
        }
    }
}

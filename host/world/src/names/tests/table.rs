//! The whole table: names are unique, rows are reachable, selectors are well-formed.

use std::collections::BTreeSet;

use super::super::*;

#[test]
fn every_name_is_unique() {
    let mut seen = BTreeSet::new();
    for row in names() {
        assert!(!row.names.is_empty());
        for name in row.names {
            let plain = name.to_lowercase().replace(['-', '_'], "");
            assert!(seen.insert((format!("{:?}", row.family), plain)), "{name}");
        }
    }
}

#[test]
fn every_row_is_reached_by_its_name() {
    for row in names() {
        let found = match row.family {
            Family::Sensor => sensor_type(&row.written()),
            Family::GazeboSystem | Family::CloisimPlugin | Family::RosPlugin => file(&row.written()),
        };
        assert_eq!(found, Some(row));
    }
}

/// Sorted names are easy to find in the page and in a review.
#[test]
fn names_with_providers_of_one_kind_are_sorted() {
    let alike = |a: &Name, b: &Name| {
        a.family == b.family
            && std::mem::discriminant(&a.provider) == std::mem::discriminant(&b.provider)
            && !matches!(a.family, Family::CloisimPlugin | Family::RosPlugin)
    };
    let all: Vec<&Name> = names().collect();
    for pair in all.windows(2).filter(|pair| alike(pair[0], pair[1])) {
        assert!(pair[0].names[0] < pair[1].names[0], "{} before {}", pair[0].names[0], pair[1].names[0]);
    }
}

#[test]
fn selectors_name_elements_with_at_most_one_condition() {
    let own = names().flat_map(|row| row.translation.parameters);
    let of_parts = names().flat_map(|row| row.translation.parts).flat_map(|part| part.parameters);
    // Parameters of the name itself are moved, and only whole elements can be moved; attributes can only be copied.
    assert!(own.clone().all(|parameter| !parameter.from.contains("/@")));
    for parameter in own.chain(of_parts) {
        let from = parameter.from.split_once("/@").map_or(parameter.from, |(path, _)| path);
        for step in from.split('/') {
            let name = step.strip_suffix("']").map_or(step, |step| {
                let (name, condition) = step.split_once("[@").expect("a condition");
                assert_eq!(condition.split("='").count(), 2, "{}", parameter.from);
                name
            });
            assert!(
                name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':')),
                "{}",
                parameter.from
            );
        }
        assert!(!parameter.to.contains(['/', '@', '[']), "{}: not the name of one element", parameter.to);
    }
}

#[test]
fn only_supported_names_have_translations() {
    for row in names().filter(|row| row.translation != Translation::NONE) {
        assert!(matches!(row.provider, Provider::Plugin(_) | Provider::Sensor), "{}", row.written());
    }
}

/// Every plugin that the table names is in this repository.
#[test]
fn every_named_plugin_exists() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins");
    let mut sources = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let file = entry.expect("an entry").path().join("src/lib.rs");
        sources.push_str(&std::fs::read_to_string(file).expect("a library"));
    }
    let is_absent = |name: &&str| !sources.contains(&format!("name: \"{name}\""));
    let plugins = names().filter_map(|row| match row.provider {
        Provider::Plugin(plugin) => Some(plugin),
        Provider::Host
        | Provider::Sensor
        | Provider::Sensors
        | Provider::Elsewhere(_)
        | Provider::Unsupported(_) => None,
    });
    let parts = names().flat_map(|row| row.translation.parts).map(|part| part.plugin);
    let absent: BTreeSet<&str> = plugins.chain(parts).filter(is_absent).collect();
    assert_eq!(absent, BTreeSet::new());
}

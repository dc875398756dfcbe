//! Variables that are keys, and variables that only look like keys.

use std::time::Duration;

use crate::clock::Speed;

use super::*;

fn read_all(variables: &[(&str, &str)]) -> (Settings, Vec<ConfigError>) {
    let variables = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let (settings, outcome) = from_environment(variables);
    (settings, outcome.err().map(|errors| errors.0).unwrap_or_default())
}

#[test]
fn every_form_of_value_is_read_from_a_variable() {
    let (settings, errors) = read_all(&[
        ("BRIDGEHEAD_RUN_SPEED", "unlimited"),
        ("BRIDGEHEAD_RUN_SEED", " 7 "),
        ("BRIDGEHEAD_RUN_STRICT", "true"),
        ("BRIDGEHEAD_RUN_DURATION", "10s"),
        ("BRIDGEHEAD_RUN_WORLD", "a \"b\".sdf"),
        ("BRIDGEHEAD_HTTP_BODY_LIMIT", "2M"),
        ("BRIDGEHEAD_SERVICES_LOAD_WORLD", ""),
        ("BRIDGEHEAD_WATCHDOG_CONNECT", "off"),
    ]);
    assert_eq!(errors, []);
    assert_eq!((settings.run.speed, settings.run.seed), (Some(Speed::Unlimited), Some(7)));
    assert_eq!((settings.run.strict, settings.run.duration), (Some(true), Some(Duration::from_secs(10))));
    assert_eq!(settings.run.world.as_deref(), Some(Path::new("a \"b\".sdf")));
    assert_eq!(settings.http.body_limit, Some(2 << 20));
    assert_eq!(settings.services.get("load_world").map(String::as_str), Some(""));
    assert_eq!(settings.timeouts.get("connect"), Some(&None));
    assert_eq!(settings.places.get(&("run", "seed")).map(String::as_str), Some("BRIDGEHEAD_RUN_SEED"));
}

#[test]
fn other_variables_are_left_alone() {
    let others =
        ["BRIDGEHEAD_LOG", "BRIDGEHEAD_PLUGIN_PATH", "BRIDGEHEAD_RUN", "BRIDGEHEAD_RUNNER_X", "PATH"];
    let (settings, errors) = read_all(&others.map(|name| (name, "x")));
    assert_eq!(errors, []);
    assert!(settings.places.is_empty());
}

#[test]
fn a_variable_that_is_no_key_is_named_with_the_nearest_one() {
    let (_, errors) = read_all(&[("BRIDGEHEAD_RUN_DURATON", "1")]);
    assert_eq!((errors[0].code, errors[0].place.as_str()), (Code::VariableUnknown, "BRIDGEHEAD_RUN_DURATON"));
    assert_eq!(errors[0].hint, "write `BRIDGEHEAD_RUN_DURATION`");
}

#[test]
fn a_value_that_means_nothing_names_its_variable() {
    let (settings, errors) = read_all(&[
        ("BRIDGEHEAD_RUN_SEED", "1\nstrict = true"),
        ("BRIDGEHEAD_RUN_START", "now"),
        ("BRIDGEHEAD_RUN_STRICT", "yes"),
    ]);
    let found: Vec<_> = errors.iter().map(|error| (error.code, error.place.as_str())).collect();
    let expected = [
        (Code::WrongType, "BRIDGEHEAD_RUN_SEED"),
        (Code::ChoiceInvalid, "BRIDGEHEAD_RUN_START"),
        (Code::WrongType, "BRIDGEHEAD_RUN_STRICT"),
    ];
    assert_eq!(found, expected);
    assert_eq!(settings.run.strict, None);
}

//! `record` in `[run]`: stands for a logging bridge of the world and every vehicle, and for the topics of the scene. Pure.

use super::code::Code;
use super::error::ConfigError;
use super::request::{BridgeRequest, RequestOrigin};
use super::run::RunConfig;

/// The bridge that writes the file.
const BRIDGE: &str = "logging";
/// Ending of its target for MCAP.
const ENDING: &str = ".mcap";
/// Poses per simulated second of a recording that asks for no other rate.
const RATE: f64 = 30.0;

/// Adds what a recording needs; returns an error if the file is none for it.
pub(super) fn attach(config: &mut RunConfig) -> Option<ConfigError> {
    let path = config.record.as_deref()?;
    let wrong = |why: &str| {
        let found = format!("the run cannot be recorded in `{}`: {why}", path.display());
        Some(ConfigError::new(Code::TargetInvalid, found).hint("name an MCAP file, such as `run.mcap`"))
    };
    let Some(target) = path.to_str() else { return wrong("the path is not UTF-8") };
    if !target.ends_with(ENDING) {
        return wrong("recordings are MCAP files, whose names end in `.mcap`");
    }
    // The bridge would take the rest of such a path for an option.
    if target.contains(';') {
        return wrong("the path contains a `;`");
    }
    let connection = format!("{target};overwrite=true");
    let request = BridgeRequest::new("*", BRIDGE, &connection, RequestOrigin::CommandLine);
    config.bridges.push(BridgeRequest { required: true, ..request });
    config.scene_rate.get_or_insert(RATE);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_a_bridge_and_a_rate_of_poses() {
        let mut config = RunConfig { record: Some("a/run.mcap".into()), ..RunConfig::default() };
        assert!(attach(&mut config).is_none());
        let [bridge] = &*config.bridges else { panic!("one bridge: {:?}", config.bridges) };
        assert_eq!(
            (&*bridge.attach, &*bridge.name, &*bridge.connection),
            ("*", "logging", "a/run.mcap;overwrite=true")
        );
        assert_eq!(config.scene_rate, Some(30.0));
        let mut slower = RunConfig { scene_rate: Some(5.0), record: config.record, ..RunConfig::default() };
        assert!(attach(&mut slower).is_none());
        assert_eq!(slower.scene_rate, Some(5.0));
        let mut none = RunConfig::default();
        assert!(attach(&mut none).is_none() && none.bridges.is_empty() && none.scene_rate.is_none());
    }

    #[test]
    fn other_files_are_refused() {
        for (path, why) in [("run.jsonl", "MCAP"), ("mcap", "MCAP"), ("a;topics=x.mcap", "`;`")] {
            let mut config = RunConfig { record: Some(path.into()), ..RunConfig::default() };
            let error = attach(&mut config).expect(path).to_string();
            assert!(error.contains(why) && error.contains(path), "{error}");
            assert!(config.bridges.is_empty());
        }
    }
}

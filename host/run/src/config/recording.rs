//! `record` in `[run]`: stands for a logging bridge of the world and every vehicle, and for the topics of the scene. Pure.

use super::code::Code;
use super::error::ConfigError;
use super::policy::RecordedImages;
use super::request::{BridgeRequest, RequestOrigin};
use super::run::RunConfig;

/// The bridge that writes the file.
const BRIDGE: &str = "logging";
/// Ending of its target for MCAP.
const ENDING: &str = ".mcap";
/// Patterns of the topics of the scene, without which a recording cannot be viewed in 3-D.
const SCENE: &str = "/scene,/scene/*";
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
    if config.record_topics.as_ref().is_some_and(|patterns| patterns.contains(';')) {
        return wrong("`record_topics` contains a `;`; patterns of topics have commas between them");
    }
    let connection = connection(target, config);
    let request = BridgeRequest::new("*", BRIDGE, &connection, RequestOrigin::CommandLine);
    config.bridges.push(BridgeRequest { required: true, ..request });
    config.scene_rate.get_or_insert(RATE);
    None
}

/// Returns the connection string of the bridge.
fn connection(target: &str, config: &RunConfig) -> String {
    let size = |key: &str, size: Option<usize>| size.map(|size| format!("{key}={size}"));
    let options = [
        config.record_topics.as_deref().map(|patterns| format!("topics={}", with_scene(patterns))),
        (config.record_images == RecordedImages::Compressed).then(|| "images=compressed".to_owned()),
        size("part_size", config.record_part_size),
        size("max_size", config.record_max_size),
        Some("overwrite=true".to_owned()),
    ];
    let parts: Vec<String> =
        std::iter::once(target.to_owned()).chain(options.into_iter().flatten()).collect();
    parts.join(";")
}

/// Adds the topics of the scene to patterns, unless these only leave topics out of all.
fn with_scene(patterns: &str) -> String {
    let mut depth = 0_i32;
    let mut parts = patterns.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth <= 0
    });
    let is_wanted = |part: &str| !part.starts_with('!');
    if parts.any(is_wanted) { format!("{SCENE},{patterns}") } else { patterns.to_owned() }
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
            ("*", "logging", "a/run.mcap;images=compressed;overwrite=true")
        );
        assert_eq!(config.scene_rate, Some(30.0));
        let mut slower = RunConfig { scene_rate: Some(5.0), record: config.record, ..RunConfig::default() };
        assert!(attach(&mut slower).is_none());
        assert_eq!(slower.scene_rate, Some(5.0));
        let mut none = RunConfig::default();
        assert!(attach(&mut none).is_none() && none.bridges.is_empty() && none.scene_rate.is_none());
    }

    #[test]
    fn topics_images_and_sizes_are_options_of_the_bridge() {
        let mut config = RunConfig {
            record: Some("run.mcap".into()),
            record_topics: Some("/car1/*,!*/{points,imu}".to_owned()),
            record_images: RecordedImages::All,
            record_part_size: Some(65536),
            record_max_size: Some(1 << 30),
            ..RunConfig::default()
        };
        assert!(attach(&mut config).is_none());
        let expected = "run.mcap;topics=/scene,/scene/*,/car1/*,!*/{points,imu};part_size=65536;\
                        max_size=1073741824;overwrite=true";
        assert_eq!(config.bridges.first().map(|bridge| &*bridge.connection), Some(expected));
        // Patterns that only leave topics out leave the scene in.
        assert_eq!(with_scene("!*/{points,imu},!/clock"), "!*/{points,imu},!/clock");
        config.record_topics = Some("/a;overwrite=false".to_owned());
        assert!(attach(&mut config).expect("an error").to_string().contains("record_topics"));
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

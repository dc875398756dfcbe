//! Valid files, and the errors of invalid ones with their places.

use std::path::Path;
use std::time::Duration;

use bridgehead_lifecycle::StartIn;
use bridgehead_sdf::params::Params;

use crate::bus::{Limits, Overflow};
use crate::clock::Speed;
use crate::config::{FailurePolicy, Reconnect};

use super::pose::POSE_KEYS;
use super::sensor::{OVERRIDE_KEYS, SENSOR_KEYS};
use super::*;

fn parsed(text: &str) -> Settings {
    match parse(text, Path::new("conf/run.toml")) {
        Ok(settings) => settings,
        Err(errors) => panic!("{errors}"),
    }
}

/// Every error of a file as code, place and finding.
fn errors(text: &str) -> Vec<(Code, String, String)> {
    let errors = parse(text, Path::new("conf/run.toml")).expect_err("refused");
    errors.0.into_iter().map(|error| (error.code, error.place, error.found)).collect()
}

#[track_caller]
fn assert_error(text: &str, code: Code, place: &str, found: &str) {
    let all = errors(text);
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!((all[0].0, all[0].1.as_str(), all[0].2.as_str()), (code, place, found));
}

#[test]
fn everything_about_the_run_is_read() {
    let settings = parsed(
        r#"
        plugin_path = ["plugins", "/opt/plugins"]
        [run]
        world = "../worlds/a.sdf"
        duration = "1.5s"
        speed = 0.5
        seed = 0xff
        start = "paused"
        output = "out"
        result = "/tmp/result.json"
        hash_log = "hashes.txt"
        record_commands = "commands.jsonl"
        require_success = true
        strict = false
        physics_profile = "coarse"
        step_width = "2ms"
        substeps = 4
        overlap_speed = 0.1
        finite_planes = true
        start_timeout = "1m"
        on_failure = "abort"
        keep_alive = true
        "#,
    );
    assert_eq!(settings.plugin_path, [Path::new("conf/plugins"), Path::new("/opt/plugins")]);
    assert_eq!(settings.run.world.as_deref(), Some(Path::new("conf/../worlds/a.sdf")));
    assert_eq!(settings.run.duration, Some(Duration::from_millis(1500)));
    assert_eq!(settings.run.speed, Some(Speed::Factor(0.5)));
    assert_eq!(settings.run.seed, Some(255));
    assert_eq!(settings.run.start, Some(StartIn::Paused));
    assert_eq!(settings.run.output.as_deref(), Some(Path::new("conf/out")));
    assert_eq!(settings.run.result.as_deref(), Some(Path::new("/tmp/result.json")));
    assert_eq!(settings.run.hash_log.as_deref(), Some(Path::new("conf/hashes.txt")));
    assert_eq!(settings.run.record_commands.as_deref(), Some(Path::new("conf/commands.jsonl")));
    assert_eq!((settings.run.require_success, settings.run.strict), (Some(true), Some(false)));
    assert_eq!(settings.run.physics_profile.as_deref(), Some("coarse"));
    assert_eq!(settings.run.step_width, Some(Duration::from_millis(2)));
    assert_eq!(settings.run.substeps, Some(4));
    assert_eq!((settings.run.overlap_speed, settings.run.finite_planes), (Some(0.1), Some(true)));
    assert_eq!(settings.run.start_timeout, Some(Duration::from_secs(60)));
    assert_eq!(settings.run.on_failure, Some(FailurePolicy::Abort));
    assert_eq!(settings.run.keep_alive, Some(true));
}

#[test]
fn an_empty_file_says_nothing() {
    let settings = parsed("");
    assert!(settings.run.world.is_none() && settings.bridges.is_empty() && settings.run.strict.is_none());
}

#[test]
fn a_speed_is_a_number_or_a_word() {
    for (text, speed) in
        [("2", Speed::Factor(2.0)), ("1e1", Speed::Factor(10.0)), (r#""unlimited""#, Speed::Unlimited)]
    {
        assert_eq!(parsed(&format!("run.speed = {text}")).run.speed, Some(speed));
    }
    for text in ["0", "-1.0", "nan", "inf"] {
        let all = errors(&format!("run.speed = {text}"));
        assert_eq!((all[0].0, all[0].1.as_str()), (Code::SpeedInvalid, "conf/run.toml:1:13"), "{text}");
    }
}

#[test]
fn a_bridge_has_its_connection_byte_for_byte() {
    let settings = parsed(
        r#"
[[bridge]]
attach = "car*"
name = "zmq"
connection = " tcp://a=b:1;x,ü\t"
required = true
connect_timeout = "2s"
reconnect = "never"
queue = { policy = "block", messages = 10, bytes = "64M" }

[[bridge]]
attach = "world"
name = "logging"
connection = ""
"#,
    );
    let [first, second] = settings.bridges.as_slice() else { panic!("{:?}", settings.bridges) };
    assert_eq!((&*first.attach, &*first.name, &*first.connection), ("car*", "zmq", " tcp://a=b:1;x,ü\t"));
    assert_eq!(first.origin, RequestOrigin::Configuration);
    assert_eq!(first.place.as_deref(), Some("conf/run.toml:2"));
    assert!(first.required);
    assert_eq!((first.connect_timeout, first.reconnect), (Duration::from_secs(2), Reconnect::Never));
    let limits = Limits { messages: 10, bytes: 64 << 20, overflow: Overflow::Block };
    assert_eq!(first.queue, Some(limits));
    assert_eq!((second.required, second.reconnect, second.queue), (false, Reconnect::Backoff, None));
    assert_eq!(second.place.as_deref(), Some("conf/run.toml:11"));
}

#[test]
fn parameters_become_a_tree_in_the_order_of_the_file() {
    let settings = parsed(
        r#"
[[plugin]]
attach = "car1"
plugin = "diff_drive"
name = "drive"
[plugin.params]
wheel_separation = 0.4
"@type" = "fast"
gains = [1, 2.50, 0x10]
active = true
wheel = [{ joint = "left" }, { joint = "right", "@side" = "r" }]
[plugin.params.noise]
stddev = 1e-3
"#,
    );
    let [plugin] = settings.plugins.as_slice() else { panic!("{:?}", settings.plugins) };
    assert_eq!((&*plugin.attach, &*plugin.plugin, &*plugin.name), ("car1", "diff_drive", "drive"));
    let params = &plugin.params;
    let names: Vec<&str> = params.children().iter().map(Params::name).collect();
    let order = ["wheel_separation", "gains", "gains", "gains", "active", "wheel", "wheel", "noise"];
    assert_eq!(names, order);
    let cases = [
        ("wheel_separation", "0.4"),
        ("@type", "fast"),
        ("gains", "1"),
        ("gains[1]", "2.50"),
        ("gains[2]", "16"),
        ("active", "true"),
        ("wheel[1]/joint", "right"),
        ("wheel[1]/@side", "r"),
        ("noise/stddev", "1e-3"),
    ];
    for (path, text) in cases {
        assert_eq!(params.get(path), Some(text), "{path}");
    }
    let place = |path: &str| params.node(path).and_then(Params::place).map(ToString::to_string);
    assert_eq!(place("gains[1]").as_deref(), Some("conf/run.toml:9"));
    assert_eq!(place("noise/stddev").as_deref(), Some("conf/run.toml:13"));
    assert_eq!(params.place().map(ToString::to_string).as_deref(), Some("conf/run.toml:2"));
}

#[test]
fn a_plugin_without_a_name_has_that_of_its_library() {
    let settings = parsed("[[plugin]]\nattach = \"car1\"\nplugin = \"imu\"\n");
    assert_eq!(settings.plugins[0].name, "imu");
    assert!(settings.plugins[0].params.children().is_empty());
}

#[test]
fn an_unknown_key_lists_the_known_ones() {
    let text = "[run]\nworld = \"a.sdf\"\n  duraton = \"1s\"\n";
    let error = parse(text, Path::new("run.toml")).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "error[BH-CFG-004]: unknown key `duraton` in `run`\n  at: run.toml:3:3\n  expected: one of `world`, \
         `duration`, `steps`, `speed`, `seed`, `start`, `output`, `result`, `save`, `snapshot`, `restore`, `hash_log`, `record_commands`, `record`, `record_topics`, `record_images`, `record_part_size`, `record_max_size`, `scene_rate`, \
         `require_success`, `on_loss`, `strict`, `physics_profile`, `step_width`, `substeps`, `overlap_speed`, `finite_planes`, `start_timeout`, `on_failure`, `call_budget`, `overruns`, `call_timeout`, `check_plugins`, `safe_mode`, `isolate`, `isolate_memory`, `isolate_files`, `step_channel`, `keep_alive`, `triggers`, `junit`\n  \
         try: write `duration`"
    );
    assert_error(
        "# ü\nduration = \"1s\"",
        Code::UnknownKey,
        "conf/run.toml:2:1",
        "unknown key `duration` outside any table",
    );
}

#[test]
fn a_wrong_type_says_what_is_there() {
    let cases = [
        ("run.world = 1", "13", "`world` in `run` is the number 1"),
        ("run.duration = 10", "16", "`duration` in `run` is the number 10"),
        ("run.seed = \"1\"", "12", "`seed` in `run` is the text \"1\""),
        ("run.strict = \"yes\"", "14", "`strict` in `run` is the text \"yes\""),
        ("run.speed = true", "13", "`speed` in `run` is `true`"),
        ("run = 1", "7", "`run` outside any table is the number 1"),
        ("bridge = 1.5", "10", "`bridge` outside any table is the number 1.5"),
        ("bridge = [1979-05-27]", "11", "`bridge` contains a date or time"),
        ("plugin_path = \"x\"", "15", "`plugin_path` outside any table is the text \"x\""),
        ("plugin_path = [\"x\", []]", "21", "`plugin_path` contains a list"),
    ];
    for (text, column, found) in cases {
        assert_error(text, Code::WrongType, &format!("conf/run.toml:1:{column}"), found);
    }
}

#[test]
fn values_are_judged_as_on_the_command_line() {
    let cases = [
        ("run.duration = \"0s\"", Code::DurationInvalid, "`0s` is zero"),
        ("run.start = \"now\"", Code::ChoiceInvalid, "`now` is not an allowed word"),
        ("run.seed = -1", Code::NumberInvalid, "`seed` in `run` is -1"),
        ("run.substeps = 0", Code::NumberInvalid, "`substeps` in `run` is 0"),
        ("run.overlap_speed = 0", Code::NumberInvalid, "`overlap_speed` in `run` is 0"),
        ("run.overlap_speed = 10.5", Code::NumberInvalid, "`overlap_speed` in `run` is 10.5"),
        ("run.overlap_speed = nan", Code::NumberInvalid, "`overlap_speed` in `run` is NaN"),
        ("run.substeps = 4294967297", Code::NumberInvalid, "`substeps` in `run` is 4294967297"),
    ];
    for (text, code, found) in cases {
        let all = errors(text);
        assert_eq!((all[0].0, all[0].2.as_str()), (code, found));
        assert!(all[0].1.starts_with("conf/run.toml:1:"), "{all:?}");
    }
}

#[test]
fn every_mistake_is_reported_at_once() {
    let text =
        "[run]\nspeed = 0\nsped = 1\n[[bridge]]\nattach = \"[\"\nqueue = { bytes = \"1MB\", size = 1 }\n";
    let found: Vec<(Code, String)> = errors(text).into_iter().map(|(code, place, _)| (code, place)).collect();
    let expected = [
        (Code::SpeedInvalid, "conf/run.toml:2:9"),
        (Code::UnknownKey, "conf/run.toml:3:1"),
        (Code::MissingKey, "conf/run.toml:4:1"),
        (Code::MissingKey, "conf/run.toml:4:1"),
        (Code::AttachInvalid, "conf/run.toml:5:10"),
        (Code::SizeInvalid, "conf/run.toml:6:19"),
        (Code::UnknownKey, "conf/run.toml:6:26"),
    ];
    assert_eq!(found, expected.map(|(code, place)| (code, place.to_owned())));
}

#[test]
fn a_missing_key_is_named() {
    assert_error(
        "[[bridge]]\nattach = \"car1\"\nconnection = \"\"",
        Code::MissingKey,
        "conf/run.toml:1:1",
        "`name` is missing in `bridge`",
    );
}

#[test]
fn parameters_that_have_no_form_are_refused() {
    let with = |params: &str| format!("[[plugin]]\nattach = \"a\"\nplugin = \"p\"\nparams = {params}");
    let cases = [
        ("{ \"a/b\" = 1 }", "`a/b` cannot be the name of a parameter"),
        ("{ \"\" = 1 }", "`` cannot be the name of a parameter"),
        ("{ \"w[0]\" = 1 }", "`w[0]` cannot be the name of a parameter"),
        ("{ m = [[1, 2], 3] }", "`m` contains a list within a list"),
        ("{ \"@a\" = [1] }", "the attribute `@a` is a list"),
    ];
    for (params, found) in cases {
        let all = errors(&with(params));
        assert_eq!((all[0].0, all[0].2.as_str()), (Code::ParameterInvalid, found));
        assert!(all[0].1.starts_with("conf/run.toml:4:"), "{all:?}");
    }
}

#[test]
fn what_is_not_toml_has_a_place() {
    for (text, place) in
        [("[run", "conf/run.toml:1:5"), ("a = 1\na = 2", "conf/run.toml:2:1"), ("x = ", "conf/run.toml:1:5")]
    {
        let all = errors(text);
        assert_eq!((all[0].0, all[0].1.as_str()), (Code::NotToml, place), "{all:?}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let absent = folder.path().join("absent.toml");
    let errors = read(&absent).expect_err("refused");
    assert_eq!(errors.0[0].code, Code::FileUnreadable);
    assert!(errors.to_string().contains("absent.toml"), "{errors}");
    let latin = folder.path().join("latin.toml");
    std::fs::write(&latin, b"# \xe4\n").expect("written");
    let errors = read(&latin).expect_err("refused");
    assert_eq!(errors.0[0].code, Code::NotToml);
    assert!(errors.0[0].found.ends_with("is not UTF-8 from byte 2 on"), "{errors}");
}

/// The example in the guide is valid.
#[test]
fn the_example_of_the_guide_is_read() {
    let guide = include_str!("../../../../../docs/configuration.md");
    let example =
        guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let settings = parsed(example);
    assert_eq!(settings.run.world.as_deref(), Some(Path::new("conf/worlds/two_vehicles.sdf")));
    assert_eq!(settings.bridges.len(), 2);
    assert_eq!(settings.plugins.len(), 1);
}

#[test]
fn the_examples_of_sensors_and_overrides_are_read() {
    let guide = include_str!("../../../../../docs/configuration.md");
    let examples: String =
        guide.split("```toml\n").skip(2).filter_map(|rest| rest.split("```").next()).collect();
    let settings = parsed(&examples);
    assert_eq!(settings.sensors.len(), 2);
    assert_eq!(settings.sensors[1].parent.as_deref(), Some("front_lidar"));
    assert_eq!(settings.overrides.len(), 2);
    assert_eq!(settings.overrides[0].params.get("lidar/range/max"), Some("30"));
    assert_eq!(settings.poses.len(), 1);
}

/// The guide contains every key.
#[test]
fn the_guide_names_every_key() {
    let guide = include_str!("../../../../../docs/configuration.md");
    let tables = [ROOT_KEYS, BRIDGE_KEYS, QUEUE_KEYS, PLUGIN_KEYS, SENSOR_KEYS, OVERRIDE_KEYS, POSE_KEYS];
    for key in tables.concat() {
        assert!(guide.contains(&format!("`{key}`")), "docs/configuration.md says nothing about `{key}`");
    }
}

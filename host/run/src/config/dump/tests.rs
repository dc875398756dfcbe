//! A dumped configuration reads back as the same, and shows the origin of each value.

use std::path::Path;

use super::*;
use crate::config::{Settings, file, from_environment};

const FILE: &str = r#"
plugin_path = ["plugins"]
[run]
world = "a.sdf"
seed = 3
speed = 2.5
duration = "1.5s"
[http]
token = "geheim"
[services]
get_entities = "/sim/entities"
load_world = ""
[watchdog]
connect = "off"
[[bridge]]
attach = "car*"
name = "zmq"
connection = " tcp://a=b:1;x,ü\t\u007F\"\\"
queue = { policy = "block", messages = 10, bytes = "64M" }
[[plugin]]
attach = "car1"
plugin = "imu"
[plugin.params]
"@type" = "fast"
gains = [1, 2.50, 0x10]
wheel = [{ joint = "left" }, { joint = "right", "@side" = "r" }]
"odd key" = { deep = "a\nb" }
[[sensor]]
attach = "car1"
name = "front"
type = "imu"
pose = [1, 0, 0.5, 0, 0, 1e-3]
[[override]]
path = "car2/**"
enabled = false
[[pose]]
name = "dock"
relative_to = "wall"
pose = [1, 0, 0.5, 0, 0, 1e-3]
tags = ["a", "b"]
box = [2, 1, 0.5]
[[pose]]
name = "gate"
sphere = 0.25
"#;

fn layers() -> Layers {
    let mut flags = Settings::default();
    flags.run.seed = Some(9);
    let variables = [("BRIDGEHEAD_RUN_SPEED".into(), "unlimited".into())];
    let (environment, outcome) = from_environment(variables);
    outcome.expect("variables");
    Layers { flags, environment, file: file::parse(FILE, Path::new("conf/run.toml")).expect("a file") }
}

/// Returns the whole configuration as text.
fn everything(layers: Layers) -> Vec<String> {
    let settings = layers.merged().over(Settings::defaults());
    let params: Vec<String> = settings.plugins.iter().map(|plugin| spelled(&plugin.params)).collect();
    let bridges = settings.bridges.iter().map(|bridge| {
        format!("{:?}", (&bridge.attach, &bridge.name, &bridge.connection, bridge.queue, bridge.required))
    });
    let values = super::super::keys()
        .filter(|key| key.form != Form::Secret)
        .map(|key| format!("{} {:?}", key.name, key.show(&settings)));
    values.chain(bridges).chain(params).collect()
}

/// Returns a tree without its places.
fn spelled(node: &bridgehead_sdf::params::Params) -> String {
    let children: Vec<String> = node.children().iter().map(spelled).collect();
    let attributes: Vec<_> = node.attributes().collect();
    format!("{}{attributes:?}={:?}{children:?}", node.name(), node.text())
}

#[test]
fn what_is_dumped_is_read_back_as_the_same() {
    let text = layers().to_toml();
    let again =
        file::parse(&text, Path::new("elsewhere/dump.toml")).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let again = Layers { file: again, ..Layers::default() };
    assert_eq!(everything(again.clone()), everything(layers()), "{text}");
    assert_eq!(again.to_json()["sensor"][0]["pose"], layers().to_json()["sensor"][0]["pose"]);
    let poses = |layers: &Layers| {
        let plain = |pose: &crate::config::PoseRequest| {
            (pose.name.clone(), pose.relative_to.clone(), pose.pose, pose.tags.clone(), pose.bounds)
        };
        layers.file.poses.iter().map(plain).collect::<Vec<_>>()
    };
    assert_eq!(poses(&again), poses(&layers()));
    assert_eq!(poses(&again).len(), 2);
}

#[test]
fn every_value_names_its_origin() {
    let text = layers().to_toml();
    let line = |start: &str| {
        let found = text.lines().find(|line| line.starts_with(start));
        found
            .unwrap_or_else(|| panic!("no `{start}` in\n{text}"))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(line("seed"), "seed = 9 # --seed");
    assert_eq!(line("speed"), "speed = \"unlimited\" # BRIDGEHEAD_RUN_SPEED");
    assert_eq!(line("duration"), "duration = \"1500ms\" # conf/run.toml:7");
    assert_eq!(line("substeps"), "substeps = 1 # default");
    assert_eq!(line("# result"), "# result: none # default");
    assert_eq!(line("address"), "address = \"127.0.0.1:8090\" # default");
    assert_eq!(line("[[bridge]]"), "[[bridge]] # conf/run.toml:15");
}

#[test]
fn tokens_are_not_shown() {
    let layers = layers();
    let (text, json) = (layers.to_toml(), layers.to_json());
    assert!(text.contains("# token is not shown"), "{text}");
    assert_eq!(json["http"]["token"]["value"], Value::Null);
    assert_eq!(json["http"]["token"]["place"], "conf/run.toml:9");
    assert!(!text.contains("geheim") && !format!("{json}{layers:?}").contains("geheim"));
}

#[test]
fn json_has_values_with_their_origin() {
    let json = layers().to_json();
    let seed = json!({ "value": 9, "origin": "flag", "place": "--seed" });
    assert_eq!(json["run"]["seed"], seed);
    assert_eq!(json["run"]["result"], json!({ "value": null, "origin": "default", "place": null }));
    assert_eq!(json["override"][0]["enabled"], false);
}

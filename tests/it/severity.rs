//! What is found about a world has one severity, by what it costs: in `check`, `world check`, a run and a spawn.

use serde_json::{Value, json};

use crate::support::{Served, Setup};

/// Plugins that the worlds use.
const PLUGINS: &[&str] = &["imu", "lidar"];

/// A finding about a model.
struct Row {
    code: &'static str,
    /// `error` if the model lacks a part because of it, `warning` if it behaves otherwise, or nothing.
    severity: &'static str,
    /// The content of the model.
    model: &'static str,
}

const fn row(code: &'static str, severity: &'static str, model: &'static str) -> Row {
    Row { code, severity, model }
}

const BOX: &str = "<geometry><box><size>1 1 1</size></box></geometry>";

/// Rows for the kinds of findings: files, shapes, masses, names, joints, values and sensors.
const ROWS: &[Row] = &[
    // The shape of a collision, and the same of a visual.
    row(
        "BH-SDF-060",
        "error",
        "<link name='l'><collision name='c'><geometry><mesh><uri>no.dae</uri></mesh></geometry></collision></link>",
    ),
    row(
        "BH-SDF-060",
        "warning",
        "<link name='l'><visual name='v'><geometry><mesh><uri>no.dae</uri></mesh></geometry></visual></link>",
    ),
    row(
        "BH-SDF-061",
        "error",
        "<link name='l'><collision name='c'><geometry><mesh><uri>http://h/no.dae</uri></mesh></geometry></collision></link>",
    ),
    row(
        "BH-SDF-061",
        "warning",
        "<link name='l'><visual name='v'><geometry><mesh><uri>http://h/no.dae</uri></mesh></geometry></visual></link>",
    ),
    row(
        "BH-SDF-060",
        "error",
        "<link name='l'><collision name='c'><geometry><heightmap><uri>no.png</uri></heightmap></geometry></collision></link>",
    ),
    row(
        "BH-SDF-011",
        "error",
        "<link name='l'><collision name='c'><geometry><mesh/></geometry></collision></link>",
    ),
    row("BH-SDF-011", "error", "<link name='l'><collision name='c'/></link>"),
    row("BH-SDF-011", "warning", "<link name='l'><visual name='v'/></link>"),
    row("BH-SDF-051", "error", "<link name='l'><collision name='c'><geometry/></collision></link>"),
    row("BH-SDF-051", "warning", "<link name='l'><visual name='v'><geometry/></visual></link>"),
    row(
        "BH-PHY-065",
        "error",
        "<link name='l'><collision name='c'><geometry><mesh><uri>empty.stl</uri></mesh></geometry></collision></link>",
    ),
    row(
        "BH-PHY-062",
        "error",
        "<link name='l'><collision name='c'><geometry><image><uri>x.png</uri></image></geometry></collision></link>",
    ),
    // Values for which defaults are used.
    row("BH-SDF-010", "warning", "<link name='l'><inertial><mass>heavy</mass></inertial></link>"),
    row("BH-SDF-010", "warning", "<static>perhaps</static><link name='l'/>"),
    row("BH-SDF-050", "warning", "<link name='l'><inertial><mass>0</mass></inertial></link>"),
    // Of a model that never moves, nothing depends on them.
    row("BH-SDF-050", "", "<static>true</static><link name='l'><inertial><mass>0</mass></inertial></link>"),
    // Names.
    row("BH-SDF-020", "error", "<link name='l'/><link name='l'/>"),
    row("BH-SDF-021", "warning", "<link name='__l__'/>"),
    // Joints and poses.
    row(
        "BH-SDF-040",
        "error",
        "<link name='l'/><joint name='j' type='fixed'><parent>nothing</parent><child>l</child></joint>",
    ),
    row(
        "BH-SDF-041",
        "error",
        "<link name='l'/><joint name='j' type='fixed'><parent>l</parent><child>nothing</child></joint>",
    ),
    row(
        "BH-SDF-042",
        "error",
        "<link name='l'/><joint name='j' type='fixed'><parent>l</parent><child>l</child></joint>",
    ),
    row("BH-SDF-032", "warning", "<link name='l'><pose relative_to='nothing'/></link>"),
    row("BH-SDF-015", "warning", "<link name='l'><colour>red</colour></link>"),
    // A model inside of it.
    row("BH-SDF-060", "error", "<link name='l'/><include><uri>model://nothing</uri></include>"),
    // Sensors that cannot start.
    row(
        "BH-PLG-097",
        "error",
        "<link name='l'><sensor name='s' type='lidar'><lidar><scan><horizontal><samples>many</samples></horizontal></scan><range><max>5</max></range></lidar></sensor></link>",
    ),
    row(
        "BH-PLG-097",
        "error",
        "<link name='l'><sensor name='s' type='imu'><imu><linear_acceleration><x><noise><stddev>-1</stddev></noise></x></linear_acceleration></imu></sensor></link>",
    ),
];

fn setup() -> Setup {
    let setup = Setup::new().plugins(PLUGINS);
    setup.file("empty.stl", "solid nothing\nendsolid nothing\n");
    setup
}

fn model(row: &Row) -> String {
    let body = format!("<link name='body'><collision name='c'>{BOX}</collision></link>");
    format!("<model name='m'>{}{body}</model>", row.model)
}

fn world(row: &Row) -> String {
    format!("<sdf version='1.9'><world name='w'>{}</world></sdf>", model(row))
}

/// Returns the severity of the code in findings of `check` or `world check`; empty if it is not among them, or a note.
fn severity(findings: &Value, code: &str) -> String {
    let all = findings.as_array().expect("findings");
    let of_code = all.iter().filter(|finding| finding["code"] == code);
    let found = of_code.map(|finding| finding["severity"].as_str().unwrap_or_default());
    found
        .max_by_key(|severity| ["note", "warning", "error"].iter().position(|known| known == severity))
        .filter(|severity| *severity != "note")
        .unwrap_or_default()
        .to_owned()
}

/// Runs a command that prints a JSON object. Returns its exit code and the object.
fn checked(words: &[&str], row: &Row) -> (Option<i32>, Value) {
    let setup = setup();
    setup.file("w.sdf", world(row));
    let plugins = setup.plugin_folder();
    let setup = words.iter().fold(setup, |setup, word| setup.arg(word)).args(["--json", "w.sdf"]);
    let finished = setup.env("BRIDGEHEAD_PLUGIN_PATH", plugins).finish();
    let object = serde_json::from_str(finished.stdout().trim());
    (finished.code(), object.unwrap_or_else(|_| panic!("{finished}")))
}

fn expect_checks(row: &Row) {
    let code = Some(i32::from(row.severity == "error"));
    let (found, object) = checked(&["check"], row);
    assert_eq!(
        (severity(&object["findings"], row.code).as_str(), found),
        (row.severity, code),
        "check: {object}"
    );
    let (found, object) = checked(&["world", "check"], row);
    let severity = severity(&object["diagnostics"], row.code);
    assert_eq!((severity.as_str(), found), (row.severity, code), "world check: {object}");
}

fn expect_run(row: &Row) {
    let finished = setup().world(&world(row)).args(["--steps", "2"]).finish();
    let is_error = row.severity == "error";
    let errors = finished.result()["errors"].to_string();
    assert_eq!(errors.contains(row.code), is_error, "{}: {finished}", row.model);
    let level = format!("{}[{}]", row.severity, row.code);
    assert!(row.severity.is_empty() || finished.to_string().contains(&level), "{level}: {finished}");
    drop(finished.expect_code(if is_error { 9 } else { 0 }));
}

#[test]
fn both_checks_give_each_finding_its_severity() {
    ROWS.iter().for_each(expect_checks);
}

#[test]
fn a_run_gives_each_finding_the_same_severity() {
    ROWS.iter().for_each(expect_run);
}

/// A model that would lack a part is refused; one with other faults is spawned. A sensor starts after the spawn.
#[test]
fn a_spawn_refuses_what_a_run_counts_as_an_error() {
    let setup = setup().world("<sdf version='1.9'><world name='w'/></sdf>");
    let folder = setup.path("");
    let host = Served::start(setup.args(["--speed", "unlimited"]));
    for (number, row) in ROWS.iter().enumerate().filter(|(_, row)| row.code != "BH-PLG-097") {
        let file = folder.join(format!("m{number}.sdf"));
        std::fs::write(&file, format!("<sdf version='1.9'>{}</sdf>", model(row))).expect("a file");
        let request = json!({"name": format!("m{number}"), "entity_resource": {"uri": file}});
        let answer = host.call("spawn_entity", request);
        let is_spawned = answer["result"]["result"] == 1;
        assert_eq!(is_spawned, row.severity != "error", "{}: {answer}", row.model);
    }
    host.ok("quit", json!({}));
    drop(host.finish());
}

/// Parts of the world itself.
#[test]
fn a_missing_model_and_a_missing_joint_are_errors_everywhere() {
    for (code, elements) in [
        ("BH-SDF-060", "<include><uri>model://nothing</uri></include>"),
        ("BH-SDF-061", "<include><uri>https://fuel.gazebosim.org/1.0/nobody/models/nothing</uri></include>"),
        ("BH-SDF-011", "<include/>"),
        ("BH-SDF-003", "<include><uri>broken.sdf</uri></include>"),
        ("BH-SDF-100", "<include><uri>robot.xacro</uri></include>"),
        ("BH-SDF-062", "<include><uri>w.sdf</uri></include>"),
    ] {
        let text = format!("<sdf version='1.9'><world name='w'>{elements}</world></sdf>");
        let files = |setup: Setup| {
            setup.file("w.sdf", &text);
            setup.file("broken.sdf", "<sdf version='1.9'><model name='m'>");
            setup.file("robot.xacro", "<robot name='r'><xacro:include filename='x'/></robot>");
            setup
        };
        for words in [&["check"][..], &["world", "check"]] {
            let setup = words.iter().fold(files(setup()), |setup, word| setup.arg(word));
            let level = format!("error[{code}]");
            drop(setup.arg("w.sdf").finish().expect_code(1).expect_message(&[&level]));
        }
        let setup = files(setup());
        let world = setup.path("w.sdf");
        let finished = setup.run(&world).args(["--steps", "2"]).finish().expect_code(9);
        assert!(finished.result()["errors"].to_string().contains(code), "{finished}");
    }
}

//! Worlds and configurations of the documentation, checked by the program. A part of a world is completed first.

use std::fs;
use std::path::PathBuf;

use super::blocks::pages;
use crate::support::{Setup, root};

/// The namespaces that parts of worlds use.
const NAMESPACES: &str = "xmlns:bridgehead=\"urn:bridgehead:sdf\" xmlns:gz=\"http://gazebosim.org/schema\"";
/// A link with a collision.
const LINK: &str = "<inertial><mass>1</mass></inertial>\
                    <collision name='hull'><geometry><sphere><radius>1</radius></sphere></geometry></collision>";

/// Returns the name of the first element.
fn root_element(xml: &str) -> &str {
    let mut rest = xml;
    loop {
        let at = rest.find('<').expect("an element");
        rest = &rest[at + 1..];
        if rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return rest.split([' ', '>', '/', '\n']).next().unwrap_or_default();
        }
        // A comment may contain elements.
        if rest.starts_with("!--") {
            rest = rest.split_once("-->").expect("the end of a comment").1;
        }
    }
}

/// Returns the text of the first element of this name.
fn inner<'a>(xml: &'a str, name: &str) -> &'a str {
    let (_, rest) = xml.split_once(&format!("<{name}>")).expect("the element");
    rest.split('<').next().unwrap_or_default()
}

/// Completes a part of a world.
fn completed(xml: &str) -> String {
    let in_sdf = |inner: &str| format!("<sdf version='1.12' {NAMESPACES}>{inner}</sdf>");
    let in_world = |inner: &str| in_sdf(&format!("<world name='w'>{inner}</world>"));
    let in_model = |inner: &str| in_world(&format!("<model name='m'>{inner}</model>"));
    let in_link = |inner: &str| in_model(&format!("<link name='base'>{LINK}{inner}</link>"));
    match root_element(xml) {
        "sdf" | "?xml" => xml.to_owned(),
        "world" => in_sdf(xml),
        "model" | "actor" => in_world(xml),
        "sensor" => in_link(xml),
        "plugin" => {
            let named = xml.split("<joint_name>").skip(1).filter_map(|rest| rest.split('<').next());
            let joints = named.map(|name| {
                format!(
                    "<link name='of_{name}'>{LINK}</link><joint name='{name}' type='continuous'><parent>base</parent>\
                     <child>of_{name}</child><axis><xyz>0 1 0</xyz></axis></joint>"
                )
            });
            in_model(&format!("<link name='base'>{LINK}</link>{}{xml}", joints.collect::<String>()))
        }
        "joint" => {
            let links = ["parent", "child"].map(|end| inner(xml, end));
            let links = links.map(|name| format!("<link name='{name}'>{LINK}</link>"));
            in_model(&(links.concat() + xml))
        }
        "ode" => {
            // Several surfaces, one collision each.
            let surfaces = xml.split_inclusive("</ode>").filter(|part| part.contains("<ode>"));
            let collisions = surfaces.enumerate().map(|(index, ode)| {
                format!(
                    "<collision name='c{index}'><geometry><sphere><radius>1</radius></sphere></geometry>\
                     <surface><friction>{ode}</friction></surface></collision>"
                )
            });
            in_model(&format!("<link name='chassis'>{}</link>", collisions.collect::<String>()))
        }
        other => panic!("a part of a world in <{other}> is not completed"),
    }
}

/// A folder with the files that configurations name.
fn setup() -> Setup {
    let setup = Setup::new().plugins(&["ardupilot", "joint_state", "logging", "imu", "lidar"]);
    std::os::unix::fs::symlink(root().join("worlds"), setup.path("worlds")).expect("a link");
    setup.file("history.json", "[]");
    setup
}

#[test]
fn worlds_and_configurations_are_valid() {
    let setup = setup();
    let (mut worlds, mut configurations): (Vec<PathBuf>, Vec<PathBuf>) = (Vec::new(), Vec::new());
    for page in pages() {
        for block in page.of("xml") {
            let name = format!("{}_{}.sdf", page.word(), block.line);
            worlds.push(setup.file(&name, completed(&block.text)));
        }
        // `porting.rs` uses files with names, and campaigns have a test of their own.
        let is_run = |text: &str| !text.contains("[campaign]");
        for block in page.of("toml").filter(|block| block.file.is_empty() && is_run(&block.text)) {
            configurations.push(setup.file(&format!("{}_{}.toml", page.word(), block.line), &block.text));
        }
    }
    assert!(worlds.len() > 40 && configurations.len() > 10, "{} {}", worlds.len(), configurations.len());
    let out = setup.path("out");
    let plugins = setup.plugin_folder();
    let check = |command: &[&str], files: &[PathBuf]| {
        let mut process = std::process::Command::new(setup.path("bin/bridgehead"));
        let output =
            process.args(command).args(files).current_dir(&out).env("BRIDGEHEAD_PLUGIN_PATH", &plugins);
        let output = output.output().expect("the program");
        let text = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&text));
    };
    check(&["world", "check", "--strict"], &worlds);
    check(&["check"], &configurations);
}

#[test]
fn campaigns_have_plans() {
    let mut count = 0;
    for page in pages() {
        for block in page.of("toml").filter(|block| block.text.contains("[campaign]")) {
            let setup = Setup::new();
            fs::create_dir(setup.path("worlds")).expect("a folder");
            for world in ["worlds/hall.sdf", "worlds/slow.sdf"] {
                let link = "<link name='base'><inertial><mass>1</mass></inertial></link>";
                let model = format!("<model name='robot'>{link}</model>");
                setup.file(world, format!("<sdf version='1.9'><world name='w'>{model}</world></sdf>"));
            }
            setup.file("base.toml", "");
            let file = setup.file("nightly.toml", &block.text);
            let store = setup.path("store");
            let setup = setup.args(["campaign", "plan"]).arg(file).arg("--store").arg(store);
            setup.finish().expect_code(0);
            count += 1;
        }
    }
    assert_eq!(count, 1);
}

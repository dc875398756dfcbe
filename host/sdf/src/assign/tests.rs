//! Values of a world and of the models that it includes, set by their paths.

use super::*;
use crate::{InMemory, load_source};

const WORLD: &str = r#"<sdf version="1.9"><world name="yard">
  <physics name="fast" type="ignored"><max_step_size>0.001</max_step_size></physics>
  <model name="box"><link name="body"><inertial><mass>1</mass></inertial>
    <collision name="a.b"/><collision name="c"/></link></model>
  <include><name>left</name><uri>model://car</uri></include>
  <include><name>right</name><uri>model://car</uri></include>
  <light name="sun"/><light name="sun"/>
  <plugin name="p" filename="clock"><rate/></plugin>
</world></sdf>"#;

const CAR: &str = r#"<sdf version="1.9"><model name="car"><link name="base"><inertial><mass>5</mass></inertial>
  <collision name="c"><geometry><mesh><uri>body.dae</uri></mesh></geometry></collision></link>
  <include merge="true"><uri>arm.sdf</uri></include></model></sdf>"#;

const ARM: &str = r#"<sdf version="1.9"><model name="arm"><link name="tip"><inertial><mass>7</mass></inertial></link></model></sdf>"#;

fn files() -> InMemory {
    InMemory::new()
        .with("/m/car/model.config", "<model><sdf version='1.9'>car.sdf</sdf></model>")
        .with("/m/car/car.sdf", CAR)
        .with("/m/car/body.dae", "mesh")
        .with("/m/car/arm.sdf", ARM)
        .with("/w/world.sdf", WORLD)
}

fn search() -> SearchPath {
    SearchPath::new(["/m"])
}

fn source() -> Source {
    Source::from_file(Path::new("/w/world.sdf"), WORLD)
}

fn get(path: &str) -> Result<String, AssignError> {
    value_at(&files(), source(), &search(), &Budget::default(), &ValuePath::parse(path)?)
}

fn masses(assignments: &[&str]) -> Vec<(String, f64)> {
    let assignments: Vec<_> =
        assignments.iter().map(|text| Assignment::parse(text).expect("a path")).collect();
    let files = files();
    let assigned = assign(&files, source(), &search(), &Budget::default(), &assignments).expect("assigned");
    let loaded =
        load_source(&assigned.files, assigned.source, &search(), &Budget::default()).expect("a world");
    let of = |model: &crate::resolved::Model| {
        let mass =
            |link: &crate::resolved::Link| (format!("{}/{}", model.name, link.name), link.inertial.mass);
        model.links.iter().map(mass).collect::<Vec<_>>()
    };
    loaded.world.models.iter().flat_map(of).collect()
}

#[test]
fn a_path_reads_text_and_attributes_also_of_included_models() {
    for (path, value) in [
        ("world.physics.max_step_size", "0.001"),
        ("world[yard].physics[fast].@type", "ignored"),
        ("world.model[box].link.inertial.mass", "1"),
        ("world.model[box].link[0].collision[a.b].@name", "a.b"),
        ("world.model[box].link[0].collision[1].@name", "c"),
        ("world.model[left].link[base].inertial.mass", "5"),
        ("world.model[right].link[tip].inertial.mass", "7"),
        ("world.include[left].uri", "model://car"),
        ("world.plugin[p].rate", ""),
    ] {
        assert_eq!(get(path).as_deref(), Ok(value), "{path}");
    }
}

#[test]
fn a_value_is_set_in_one_model_only_and_everything_else_stays() {
    let before = masses(&[]);
    assert_eq!(before.len(), 5, "{before:?}");
    let after = masses(&[
        "world.model[left].link[base].inertial.mass=50",
        "world.model[left].link[tip].inertial.mass=70",
        "world.model[box].link[body].inertial.mass=10",
    ]);
    let expected = [
        ("box/body", 10.0),
        ("left/base", 50.0),
        ("left/tip", 70.0),
        ("right/base", 5.0),
        ("right/tip", 7.0),
    ];
    let expected: Vec<(String, f64)> =
        expected.into_iter().map(|(name, mass)| (name.to_owned(), mass)).collect();
    assert_eq!(after, expected);
}

#[test]
fn relative_addresses_of_a_changed_included_file_keep_their_meaning() {
    let assignment = Assignment::parse("world.model[left].link[base].inertial.mass=50").expect("a path");
    let files = files();
    let assigned = assign(&files, source(), &search(), &Budget::default(), &[assignment]).expect("assigned");
    let loaded =
        load_source(&assigned.files, assigned.source, &search(), &Budget::default()).expect("a world");
    let missing: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
    assert!(!missing.iter().any(|text| text.contains("body.dae") || text.contains("arm.sdf")), "{missing:?}");
}

#[test]
fn a_path_that_matches_nothing_or_twice_says_what_is_there() {
    let text = |path: &str| get(path).expect_err(path).to_string();
    let nothing = text("world.model[box].link[body].inertia.ixx");
    for part in [
        "BH-SDF-079",
        "/sdf/world[@name=yard]/model[@name=box]/link[@name=body]",
        "`inertia`",
        "`inertial`",
        "`collision[c]`",
    ] {
        assert!(nothing.contains(part), "{part}: {nothing}");
    }
    assert!(text("world.model[cart].pose").contains("`model[box]`"), "{}", text("world.model[cart].pose"));
    assert!(text("world.physics.@kind").contains("`@type`"));
    let twice = text("world.light[sun].pose");
    assert!(twice.contains("BH-SDF-080") && twice.contains(":7:3") && twice.contains(" and at "), "{twice}");
    assert!(text("world.model[box].link[body]").contains("BH-SDF-071"));
}

#[test]
fn a_malformed_path_is_refused_with_the_form() {
    for path in ["", "a..b", "a[b", "a]b", "a[]", "a.@", "@x", "a b", "a[b]c"] {
        let error = ValuePath::parse(path).expect_err(path).to_string();
        assert!(error.starts_with("[BH-SDF-078] ") && error.contains("inertial.mass"), "{path}: {error}");
    }
    assert!(Assignment::parse("world.model[a=b]").is_err());
    let assignment = Assignment::parse("world.model[a=b].pose=1=2").expect("a path");
    assert_eq!(
        (assignment.path.to_string().as_str(), assignment.value.as_str()),
        ("world.model[a=b].pose", "1=2")
    );
}

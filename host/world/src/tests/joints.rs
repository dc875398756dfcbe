//! Joints with two axes and mimic joints, from SDF to readings and commands of plugins.

use bridgehead_sdf::SearchPath;
use bridgehead_sdf::pose::{DVec3, Pose};

use super::*;

const RIG: &str = r#"<sdf version="1.11"><world name="rig">
  <gravity>0 0 0</gravity>
  <model name="rig">
    <link name="base"/>
    <link name="head"><pose>0 0 1 0 0 0</pose><collision name="c"><geometry><sphere><radius>0.1</radius></sphere>
      </geometry></collision></link>
    <link name="tail"><pose>0 0 -1 0 0 0</pose></link>
    <link name="nut"><pose>1 0 0 0 0 0</pose></link>
    <joint name="ground" type="fixed"><parent>world</parent><child>base</child></joint>
    <joint name="neck" type="universal"><parent>base</parent><child>head</child>
      <axis><xyz>1 0 0</xyz></axis>
      <axis2><xyz>0 1 0</xyz><limit><lower>-0.5</lower><upper>0.5</upper><effort>9</effort></limit></axis2></joint>
    <joint name="hip" type="revolute"><parent>base</parent><child>tail</child>
      <axis><xyz>1 0 0</xyz><mimic joint="neck" axis="axis2"><multiplier>-2</multiplier><offset>0.3</offset>
        <reference>0.1</reference></mimic></axis></joint>
    <joint name="thread" type="screw"><parent>base</parent><child>nut</child>
      <screw_thread_pitch>0.1</screw_thread_pitch><axis><xyz>0 0 1</xyz></axis></joint>
  </model></world></sdf>"#;

fn rig() -> (sdf::Loaded, Built) {
    let loaded = sdf::parse_str("rig.sdf", RIG).expect("loads");
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let built = build(&loaded.world, 0.001, 1).expect("builds");
    assert!(built.problems.is_empty(), "{:?}", built.problems);
    (loaded, built)
}

fn handle(built: &Built, name: &str) -> u32 {
    let joints = &built.attachments["rig"].joints;
    joints.iter().find(|joint| joint.name == name).unwrap_or_else(|| panic!("{name}")).joint
}

fn position(built: &mut Built, name: &str) -> f64 {
    let joint = handle(built, name);
    built.world.joint_state(joint).expect("a joint").position
}

fn steer(built: &mut Built) {
    for (name, target) in [("neck", 0.7), ("neck_axis2", 0.2), ("thread", 3.0)] {
        let command = JointCommand::Position { target, stiffness: 50.0, damping: 10.0, max_effort: 1e3 };
        let joint = handle(built, name);
        built.world.queue(WorldCommand::Joint(joint, command)).expect("queued");
    }
}

fn step(built: &mut Built, count: usize) {
    for _ in 0..count {
        built.world.step().expect("steps");
    }
}

#[test]
fn a_second_axis_is_a_separate_joint_for_plugins() {
    let (_, built) = rig();
    let joints = &built.attachments["rig"].joints;
    let names: Vec<_> = joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["ground", "neck", "neck_axis2", "hip", "thread"]);
    let second = &joints[2];
    assert_eq!((second.kind, second.axis), (bridgehead_abi::host::JOINT_REVOLUTE, DVec3::Y));
    assert_eq!((second.lower, second.upper, second.effort), (-0.5, 0.5, 9.0));
    assert_eq!((joints[1].kind, joints[4].kind), (bridgehead_abi::host::JOINT_CONTINUOUS, joints[1].kind));
    assert_eq!(built.attachments["rig"].links.len(), 4, "the body between the axes is not a link");
    assert_eq!(built.world.entities().count(), 1);
}

#[test]
fn the_suffix_of_a_second_axis_is_extended_until_the_name_is_free() {
    let text = RIG.replace("name=\"hip\"", "name=\"neck_axis2\"");
    let loaded = sdf::parse_str("rig.sdf", &text).expect("loads");
    let built = build(&loaded.world, 0.001, 1).expect("builds");
    let names: Vec<_> = built.attachments["rig"].joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["ground", "neck", "neck_axis2_", "neck_axis2", "thread"]);
}

#[test]
fn both_axes_are_driven_and_followed() {
    let (_, mut built) = rig();
    steer(&mut built);
    // The hip follows the second axis, whose error therefore decays only by a factor of e per second.
    step(&mut built, 8000);
    let [neck, second, hip, thread] =
        ["neck", "neck_axis2", "hip", "thread"].map(|name| position(&mut built, name));
    assert!((neck - 0.7).abs() < 1e-3 && (second - 0.2).abs() < 1e-3, "{neck} {second}");
    assert!((hip - (-2.0 * (second - 0.1) + 0.3)).abs() < 1e-4, "{hip} follows {second}");
    let nut = built.world.link_state(3).expect("the nut").pose.position;
    assert!(
        (thread - 3.0).abs() < 1e-3 && (nut.z - 0.1 * thread / std::f64::consts::TAU).abs() < 1e-5,
        "{nut}"
    );
}

#[test]
fn a_snapshot_and_a_reset_include_both_axes() {
    let (loaded, mut first) = rig();
    steer(&mut first);
    step(&mut first, 300);
    let bytes = first.world.snapshot().expect("taken");
    let mut other = World::restored(&loaded.world, SearchPath::default(), &bytes).expect("restored");
    step(&mut first, 300);
    for _ in 0..300 {
        other.step().expect("steps");
    }
    assert_eq!(first.world.state_hash(), other.state_hash());
    let second = handle(&first, "neck_axis2");
    assert!(other.joint_state(second).expect("a joint").position > 0.05);

    first.world.reset_state().expect("resets");
    for name in ["neck", "neck_axis2", "hip", "thread"] {
        assert!(position(&mut first, name).abs() < 1e-9, "{name}");
    }
}

#[test]
fn the_body_between_two_axes_is_invisible_to_rays() {
    let (_, mut built) = rig();
    let up = [[0.0, 0.0, 1.0]];
    // From below the neck, whose axes meet in the origin of the head.
    let frame = Pose { position: DVec3::new(0.0, 0.0, 0.5), ..Pose::IDENTITY };
    let mut seen = Vec::new();
    let query = RayQuery { frame, directions: &up, origins: None, range: [0.0, 10.0], ignore: Some(1) };
    built.world.cast_rays(&query, |_, hit| seen.push(hit.distance.is_finite() && hit.object != 0));
    assert_eq!(seen, [false]);
}

#[test]
fn a_model_with_two_axes_is_spawned_and_removed() {
    let (_, mut built) = rig();
    let text = RIG.split_once("<model").and_then(|(_, rest)| rest.split_once("</world>")).expect("a model").0;
    let sdf = format!("<model{text}");
    let spawn = Spawn {
        sdf: &sdf,
        name: "second",
        may_rename: false,
        pose: Pose { position: DVec3::new(5.0, 0.0, 0.0), ..Pose::IDENTITY },
    };
    let entity = built.world.spawn(&spawn).expect("spawned");
    step(&mut built, 100);
    let changes = built.world.changes();
    assert_eq!(changes.len(), 2, "{changes:?}");
    built.world.remove(entity).expect("removed");
    step(&mut built, 100);
    assert_eq!(built.world.entities().count(), 1);
    assert!(position(&mut built, "hip").is_finite());
}

/// A link on a joint of this type to the world, with this limit on its first axis.
fn one_joint(kind: &str, axes: &str) -> Built {
    let text = format!(
        "<sdf version='1.10'><world name='w'><gravity>0 0 0</gravity><model name='m'><link name='l'/>
         <joint name='j' type='{kind}'><parent>world</parent><child>l</child>{axes}</joint></model></world></sdf>"
    );
    let loaded = sdf::parse_str("w.sdf", &text).expect("loads");
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    build(&loaded.world, 0.001, 1).expect("builds")
}

#[test]
fn soft_stops_of_both_axes_reach_physics() {
    let soft = "<limit><lower>-1</lower><upper>0.1</upper><stiffness>50</stiffness><dissipation>14</dissipation></limit>";
    let other = "<limit><lower>-1</lower><upper>0.1</upper><stiffness>20</stiffness><dissipation>9</dissipation></limit>";
    let rigid = "<limit><lower>-1</lower><upper>0.1</upper></limit>";
    let axes = |first: &str, second: &str| {
        format!("<axis><xyz>1 0 0</xyz>{first}</axis><axis2><xyz>0 1 0</xyz>{second}</axis2>")
    };
    // An axis rests where the stop exerts the effort.
    for (limits, joint, expected) in [
        ([soft, other], 0, 0.14),
        ([soft, other], 1, 0.2),
        ([rigid, rigid], 0, 0.1),
        ([rigid, soft], 1, 0.14),
    ] {
        let mut built = one_joint("universal", &axes(limits[0], limits[1]));
        built.world.queue(WorldCommand::Joint(joint, JointCommand::Effort(2.0))).expect("queued");
        step(&mut built, 5000);
        let found = built.world.joint_state(joint).expect("a joint").position;
        assert!((found - expected).abs() < 1e-3, "{limits:?}: axis {joint} is at {found}, not {expected}");
    }
}

#[test]
fn a_choice_of_how_joints_are_modelled_is_a_note_and_loads() {
    let text =
        "<sdf version='1.10'><world name='w'><model name='m'><bridgehead:joints>impulse</bridgehead:joints>
        <link name='l'/></model></world></sdf>";
    let loaded = sdf::parse_str("w.sdf", text).expect("loads");
    let codes: Vec<_> = loaded.diagnostics.iter().map(|finding| finding.code.to_string()).collect();
    assert_eq!(codes, ["BH-SDF-047"]);
    assert!(build(&loaded.world, 0.001, 1).expect("builds").problems.is_empty());
}

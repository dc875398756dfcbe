//! Bodies: poses, masses, names, frames and classes.

use super::{BALL, clean, found, included, near, read, world};
use crate::{Code, Severity, parse_str};
use bridgehead_pose::DVec3;

#[test]
fn option_and_compiler_make_the_world() {
    let inside = format!(
        "<option timestep=\"0.01\" gravity=\"0 0 -1.6\"/><worldbody><body><freejoint/>{BALL}</body></worldbody>"
    );
    let loaded = read(&inside);
    clean(&loaded);
    assert_eq!(loaded.world.name, "m");
    assert_eq!(loaded.world.physics.max_step_size, 0.01);
    assert_eq!(loaded.world.gravity, DVec3::new(0.0, 0.0, -1.6));
    let plain = world(&format!("<body><freejoint/>{BALL}</body>"));
    assert_eq!((plain.world.physics.max_step_size, plain.world.gravity.z), (0.002, -9.81));
    let off = read(&format!(
        "<option><flag gravity=\"disable\"/></option><worldbody><body>{BALL}</body></worldbody>"
    ));
    assert_eq!(off.world.gravity, DVec3::ZERO);
    // An included model has the gravity of its world.
    let part = included(&format!("<mujoco>{inside}</mujoco>"));
    assert_eq!(part.world.gravity.z, -9.8);
    assert_eq!(part.world.models[0].pose.position.z, 1.0);
}

#[test]
fn poses_are_relative_to_the_parent_and_frames() {
    let loaded = world(&format!(
        "<body name=\"a\" pos=\"1 0 0\" euler=\"0 0 1.5707963267948966\"><freejoint/>{BALL}\
         <frame pos=\"0 0 5\"><body name=\"b\" pos=\"1 0 0\"><joint axis=\"1 0 0\"/>{BALL}</body>\
         <geom name=\"g\" size=\"0.1\" pos=\"0 0 1\"/></frame></body>"
    ));
    clean(&loaded);
    let model = &loaded.world.models[0];
    let b = model.link("b").expect("a link").pose;
    assert!((b.position - DVec3::new(1.0, 1.0, 5.0)).length() < 1e-12, "{b:?}");
    let a = model.link("a").expect("a link");
    assert_eq!(a.collisions[1].pose.position.z, 6.0);
}

#[test]
fn bodies_without_joints_are_fixed_and_without_mass_are_frames() {
    let loaded = world(
        "<body name=\"base\" pos=\"0 0 1\"><geom size=\"0.1\" mass=\"1\"/><body name=\"hand\" pos=\"0 0 2\">\
         <body name=\"tip\" pos=\"0 0 3\"><joint name=\"j\"/><geom size=\"0.1\" mass=\"2\"/></body></body></body>",
    );
    clean(&loaded);
    let model = &loaded.world.models[0];
    assert_eq!(model.links.len(), 2);
    let fixed = model.joint("base_fixed").expect("a joint to the world");
    assert_eq!(fixed.kind.as_str(), "fixed");
    let hand = model.frames.iter().find(|frame| frame.name == "hand").expect("a frame");
    assert_eq!(hand.pose.position.z, 3.0);
    assert_eq!(model.link("tip").expect("a link").pose.position.z, 6.0);
}

#[test]
fn a_moving_body_without_mass_takes_that_of_the_one_on_it_or_gets_some() {
    let loaded = world(
        "<body name=\"a\"><joint/><body name=\"b\" pos=\"0 0 1\"><geom size=\"0.1\" mass=\"2\"/></body></body>",
    );
    clean(&loaded);
    let link = loaded.world.models[0].link("a").expect("a link");
    near(link.inertial.mass, 2.0);
    assert_eq!((link.inertial.pose.position.z, link.collisions.len()), (1.0, 1));
    let nothing = world("<body name=\"a\"><joint/></body>");
    let warning = found(&nothing, Code::MjcfMassInvented);
    assert!(warning[0].contains("body `a` without mass; expected a mass; 0.01 kg is used"), "{warning:?}");
    assert!(warning[0].starts_with("warning[BH-SDF-131] m.xml:2:"), "{warning:?}");
}

#[test]
fn joints_keep_their_names_and_what_has_none_gets_one() {
    let loaded = world(&format!(
        "<body name=\"hip\"><joint name=\"hip\"/>{BALL}<body><joint/>{BALL}</body></body><body name=\"world\"><joint name=\"a::b\"/>{BALL}</body>"
    ));
    clean(&loaded);
    let model = &loaded.world.models[0];
    let links: Vec<&str> = model.links.iter().map(|link| link.name.as_str()).collect();
    let joints: Vec<&str> = model.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(links, ["hip_link", "body_2", "world_link"]);
    assert_eq!(joints, ["hip", "body_2_joint", "a__b"]);
    assert_eq!(found(&loaded, Code::UrdfNameChanged).len(), 3);
}

#[test]
fn classes_inherit_and_are_overridden() {
    let loaded = read(
        "<default><geom size=\"0.1\" mass=\"1\"/><joint damping=\"1\"/><default class=\"heavy\"><geom mass=\"5\"/>\
         <default class=\"stiff\"><joint damping=\"3\"/></default></default></default>\
         <worldbody><body name=\"a\"><joint name=\"a\"/><geom/></body>\
         <body name=\"b\" childclass=\"stiff\"><joint name=\"b\"/><geom/></body>\
         <body name=\"c\" childclass=\"stiff\"><joint name=\"c\" class=\"heavy\"/><geom mass=\"7\"/></body>\
         <body name=\"d\"><joint name=\"d\" class=\"none\"/><geom/></body></worldbody>",
    );
    let model = &loaded.world.models[0];
    let masses = model.links.iter().map(|link| link.inertial.mass);
    for (mass, wanted) in masses.zip([1.0, 5.0, 7.0, 1.0]) {
        near(mass, wanted);
    }
    let dampings = model.joints.iter().map(|joint| joint.axis.as_ref().expect("an axis").dynamics.damping);
    assert_eq!(dampings.collect::<Vec<_>>(), [1.0, 3.0, 1.0, 1.0]);
    let unknown = found(&loaded, Code::MjcfReferenceUnknown);
    assert!(unknown.len() == 1 && unknown[0].contains("class=\"none\""), "{unknown:?}");
}

#[test]
fn gravity_compensation_is_no_gravity() {
    let loaded = world(&format!("<body name=\"a\" gravcomp=\"1\"><joint/><joint/>{BALL}</body>"));
    clean(&loaded);
    assert!(loaded.world.models[0].links.iter().all(|link| !link.gravity));
    let half = world(&format!("<body name=\"a\" gravcomp=\"0.5\">{BALL}</body>"));
    assert!(half.world.models[0].links[0].gravity);
    assert!(found(&half, Code::MjcfNotConverted)[0].contains("gravcomp=\"0.5\""));
}

#[test]
fn what_sdf_lacks_is_noted_once_for_each_kind() {
    let loaded = read(&format!(
        "<tendon/><sensor/><extension/><deformable/><custom/>\n<worldbody><body>{BALL}<site/><site/><light/>\
         <replicate/><joint armature=\"1\" margin=\"2\"/></body></worldbody>"
    ));
    clean(&loaded);
    let notes = found(&loaded, Code::MjcfNotConverted);
    for kind in [
        "tendons: `tendon`; left out",
        "sensors: `sensor`;",
        "plugins of MuJoCo: `extension`;",
        "soft bodies: `deformable`;",
        "data for programs: `custom`;",
        "sites: `site` (2 times);",
        "looks, cameras and lights: `light`;",
        "copies of parts: `replicate`;",
        "inertia of rotors: `armature`;",
        "settings of MuJoCo's solver and contacts: `margin`;",
    ] {
        assert_eq!(notes.iter().filter(|note| note.contains(kind)).count(), 1, "{kind} in {notes:#?}");
    }
    assert_eq!(notes.len(), 10, "{notes:#?}");
    assert!(notes.iter().all(|note| note.starts_with("note[BH-SDF-135] m.xml:")), "{notes:#?}");
}

#[test]
fn what_mujoco_lacks_is_a_warning() {
    let loaded = world(&format!("<body colour=\"red\">{BALL}<bones/></body>"));
    let warnings = found(&loaded, Code::MjcfUnknown);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("`bones`, `colour`; left out"), "{warnings:?}");
    assert!(loaded.diagnostics.iter().all(|one| one.severity <= Severity::Warning));
}

#[test]
fn a_file_with_nothing_is_refused() {
    for text in ["<mujoco/>", "<mujoco><worldbody><light/></worldbody></mujoco>"] {
        let error = parse_str("m.xml", text).expect_err("a refusal");
        assert_eq!(error.cause.code, Code::MjcfNoBody, "{error}");
    }
    let error = parse_str("m.xml", "<mujoco><worldbody><body></worldbody></mujoco>").expect_err("a refusal");
    assert_eq!(error.cause.code, Code::NotXml);
}

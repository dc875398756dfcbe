//! Joints: their kinds, limits, springs and chains, and equality constraints.

use super::{BALL, clean, found, near, read, world};
use crate::resolved::{Body, Joint, Model};
use crate::{Code, Loaded};
use bridgehead_pose::DVec3;

/// The joint `j` of a body `b` with these attributes; angles are in degrees.
fn joint(attributes: &str) -> Joint {
    let loaded = read(&format!(
        "<worldbody><body name=\"b\" pos=\"1 0 0\"><joint name=\"j\" {attributes}/>{BALL}</body></worldbody>"
    ));
    clean(&loaded);
    loaded.world.models[0].joint("j").expect("a joint").clone()
}

#[test]
fn kinds_have_counterparts() {
    for (kind, sdf) in [("hinge", "continuous"), ("slide", "prismatic"), ("ball", "ball")] {
        assert_eq!(joint(&format!("type=\"{kind}\"")).kind.as_str(), sdf);
    }
    assert_eq!(joint("range=\"-30 60\"").kind.as_str(), "revolute");
    let moved = joint("pos=\"0 2 0\" axis=\"0 3 0\"");
    assert_eq!(moved.pose.position, DVec3::new(1.0, 2.0, 0.0));
    assert_eq!(moved.axis.expect("an axis").direction, DVec3::Y);
    assert!(matches!(moved.parent, Body::World));
}

#[test]
fn limits_are_in_the_unit_of_the_file_and_need_a_range() {
    let limit = |attributes: &str| joint(attributes).axis.expect("an axis").limit;
    near(limit("range=\"-30 60\"").lower, -30f64.to_radians());
    near(limit("range=\"-30 60\"").upper, 60f64.to_radians());
    near(limit("type=\"slide\" range=\"-30 60\"").upper, 60.0);
    assert!(!limit("range=\"-30 60\" limited=\"false\"").is_limited());
    let old = read(&format!(
        "<compiler autolimits=\"false\"/><worldbody><body><joint name=\"j\" range=\"0 1\"/>{BALL}</body></worldbody>"
    ));
    assert!(
        !old.world.models[0].joint("j").expect("a joint").axis.as_ref().expect("an axis").limit.is_limited()
    );
}

#[test]
fn springs_and_limits_are_measured_from_the_reference() {
    let joint = joint(
        "type=\"slide\" range=\"-1 2\" ref=\"0.5\" springref=\"0.75\" stiffness=\"3\" damping=\"4\" frictionloss=\"5\"",
    );
    let axis = joint.axis.expect("an axis");
    assert_eq!((axis.limit.lower, axis.limit.upper), (-1.5, 1.5));
    let dynamics = axis.dynamics;
    assert_eq!((dynamics.spring_reference, dynamics.spring_stiffness), (0.25, 3.0));
    assert_eq!((dynamics.damping, dynamics.friction), (4.0, 5.0));
}

#[test]
fn a_reference_is_noted() {
    let loaded = world(&format!("<body><joint ref=\"0.5\"/>{BALL}</body>"));
    let notes = found(&loaded, Code::MjcfChanged);
    assert!(notes[0].contains("positions that begin at 0.5 (`ref`)"), "{notes:?}");
}

fn ends(model: &Model, name: &str) -> [String; 2] {
    let joint = model.joint(name).unwrap_or_else(|| panic!("no joint {name}"));
    [&joint.parent, &joint.child].map(|side| match side {
        Body::World => "world".to_owned(),
        Body::Link(link) => model.links[*link].name.clone(),
    })
}

#[test]
fn several_joints_are_connected_by_light_links() {
    let loaded = world(
        "<body name=\"b\" pos=\"0 0 1\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/>\
         <joint name=\"z\" type=\"slide\"/><joint name=\"y\" axis=\"0 1 0\"/><geom size=\"0.1\" mass=\"2\"/></body>",
    );
    clean(&loaded);
    let model = &loaded.world.models[0];
    assert_eq!(ends(model, "x"), ["world", "b_x"]);
    assert_eq!(ends(model, "z"), ["b_x", "b_z"]);
    assert_eq!(ends(model, "y"), ["b_z", "b"]);
    near(model.links.iter().map(|link| link.inertial.mass).sum(), 2.0);
    near(model.link("b_x").expect("a link").inertial.mass, 0.002);
    assert_eq!(model.link("b_z").expect("a link").pose, model.link("b").expect("a link").pose);
}

#[test]
fn free_joints_are_only_for_bodies_of_the_world() {
    let loaded = world(&format!(
        "<body name=\"b\"><joint type=\"free\"/>{BALL}<body><freejoint/>{BALL}</body></body>"
    ));
    assert!(loaded.world.models[0].joints.iter().all(|joint| joint.kind.as_str() == "fixed"));
    assert_eq!(found(&loaded, Code::ValueInvalid).len(), 1);
}

/// Two hinges `a` and `b` on bodies `A` and `B`, and something else.
fn two(rest: &str) -> Loaded {
    let body = |name: &str, joint: &str| {
        format!("<body name=\"{name}\" pos=\"0 0 1\"><joint name=\"{joint}\"/>{BALL}</body>")
    };
    read(&format!("<worldbody>{}{}</worldbody>{rest}", body("A", "a"), body("B", "b")))
}

#[test]
fn an_equality_of_joints_is_a_mimic() {
    let loaded = two("<equality><joint joint1=\"b\" joint2=\"a\" polycoef=\"0.5 -2 0 0 0\"/></equality>");
    clean(&loaded);
    let axis = loaded.world.models[0].joint("b").expect("a joint").axis.clone().expect("an axis");
    let mimic = axis.mimic.expect("a mimic");
    assert_eq!((mimic.joint.as_str(), mimic.multiplier, mimic.offset), ("a", -2.0, 0.5));
    let curved = two("<equality><joint joint1=\"b\" joint2=\"a\" polycoef=\"0 1 2 0 0\"/></equality>");
    assert!(found(&curved, Code::MjcfNotConverted)[0].contains("squares and higher powers"));
    let unknown = two("<equality><joint joint1=\"b\" joint2=\"c\"/></equality>");
    assert!(found(&unknown, Code::MjcfReferenceUnknown)[0].contains("joint2=\"c\""));
    for off in ["joint1=\"b\"", "joint1=\"b\" joint2=\"a\" active=\"false\""] {
        let loaded = two(&format!("<equality><joint {off}/></equality>"));
        assert_eq!(found(&loaded, Code::MjcfNotConverted).len(), 1, "{off}");
    }
}

#[test]
fn bodies_that_are_held_together_have_a_joint() {
    let loaded = two(
        "<equality><connect name=\"c\" body1=\"A\" body2=\"B\" anchor=\"0 0 2\"/><weld body1=\"B\"/></equality>",
    );
    clean(&loaded);
    let model = &loaded.world.models[0];
    assert_eq!(ends(model, "c"), ["B", "A"]);
    let connect = model.joint("c").expect("a joint");
    assert_eq!((connect.kind.as_str(), connect.pose.position), ("ball", DVec3::new(0.0, 0.0, 3.0)));
    assert_eq!(ends(model, "loop"), ["world", "B"]);
    assert_eq!(model.joint("loop").expect("a joint").kind.as_str(), "fixed");
}

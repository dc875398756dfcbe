//! Damaged text never causes a panic, and what is converted is well-formed SDF.

use crate::mjcf::{Purpose, convert};
use crate::{Budget, Document, InMemory, Source};
use proptest::prelude::*;

/// A robot with a little of everything.
const ROBOT: &str = r#"<?xml version="1.0"?><mujoco model="r"><compiler angle="radian" eulerseq="XYz" meshdir="m" settotalmass="5" boundmass="0.1"/>
<option timestep="0.01" gravity="0 0 -9.81"><flag gravity="enable"/></option>
<default><geom size="0.1" rgba="1 0 0 1"/><default class="c"><joint damping="1" range="-1 1"/><general gear="2"/></default></default>
<asset><mesh name="m" file="m.stl" scale="1 1 2" refpos="0 0 1" refquat="1 0 0 1"/><material name="red" rgba="1 0 0 1"/></asset>
<worldbody><geom name="floor" type="plane" size="0 0 1" contype="3" conaffinity="1"/><light/>
<body name="a" pos="0 0 1" euler="0 0 1" childclass="c"><freejoint/><geom material="red"/><geom type="box" fromto="0 0 0 1 1 1" mass="2"/>
<body name="b" pos="0 1 0" zaxis="0 1 1"><joint name="x" type="slide" axis="1 0 0" ref="0.1"/><joint name="y" springref="1" stiffness="2"/><joint name="z" type="ball"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/><geom type="capsule" size="0.1 0.2" friction="0.5"/>
<frame pos="1 0 0" xyaxes="1 0 0 0 1 0"><body name="c" axisangle="1 0 0 1"><geom type="ellipsoid" size="1 2 3" contype="4"/><site/></body></frame>
<body name="d"><joint name="w" actuatorfrcrange="-1 1" frictionloss="1"/><geom type="mesh" mesh="m" density="100"/></body></body></body>
<body name="e" gravcomp="1" mocap="true"><geom type="cylinder" size="0.1 0.2" group="3"/></body></worldbody>
<contact><exclude body1="a" body2="d"/></contact>
<equality><joint joint1="x" joint2="y" polycoef="0 2 0"/><connect body1="d" body2="a" anchor="0 0 1"/><weld body1="c" body2="e" relpose="0 0 0 1 0 0 0"/></equality>
<actuator><motor joint="x" class="c" ctrlrange="-1 1"/><position joint="y" kp="3" forcerange="-2 2"/><general joint="w" gainprm="3" biastype="affine" biasprm="0 0 -3"/></actuator>
<keyframe><key name="home" qpos="0 0 1 1 0 0 0 0.1 0.2 1 0 0 0 0.3"/></keyframe><tendon/></mujoco>"#;

/// Pieces that change the meaning more than single letters do.
fn pieces() -> impl Strategy<Value = String> {
    let known = [
        "",
        "0",
        "-1",
        "nan",
        "inf",
        "1e999",
        "1e308",
        "-1e308",
        "1e-320",
        "\"",
        "<",
        ">",
        "/>",
        "a",
        "world",
        "free",
        "::",
        "<body><joint/><joint/>",
        "</body>",
        "<geom/>",
        "<joint/>",
        "<include file=\"x\"/>",
        "&x;",
        "<![CDATA[",
        "<!--",
        "]]>",
        "\u{fffd}",
        " ",
        "pos=",
        "__",
        "zzz",
        "1 2",
        "99999999999999999999",
    ];
    prop_oneof![prop::sample::select(known.to_vec()).prop_map(str::to_owned), ".{0,5}"]
}

/// Puts a piece in place of some letters; `at` and `length` are letters of the text, wrapped around.
fn damage(text: &str, at: usize, length: usize, piece: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let at = at % (letters.len() + 1);
    let end = (at + length).min(letters.len());
    letters[..at].iter().chain(&piece.chars().collect::<Vec<_>>()).chain(&letters[end..]).collect()
}

/// Converts a text for both purposes; returns true if that succeeded.
fn check(text: &str) -> bool {
    let Ok(document) = Document::parse(Source::from_text("r.xml", text)) else { return false };
    if document.root().name() != "mujoco" {
        return false;
    }
    let mut succeeded = true;
    for purpose in [Purpose::World, Purpose::Part] {
        match convert(&document, purpose, &InMemory::new(), &Budget::default()) {
            Ok((sdf, _)) => {
                Document::parse(Source::from_text("r.sdf", sdf)).expect("well-formed SDF");
            }
            Err(_) => succeeded = false,
        }
    }
    let _ = crate::parse_str("r.xml", text);
    succeeded
}

#[test]
fn the_robot_itself_and_every_beginning_of_it_is_read_or_refused() {
    assert!(check(ROBOT));
    for end in ROBOT.char_indices().map(|(at, _)| at).step_by(7) {
        check(&ROBOT[..end]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn damaged_robots_never_panic(
        damages in prop::collection::vec((any::<usize>(), 0_usize..20, pieces()), 1..6),
    ) {
        check(&damages.iter().fold(ROBOT.to_owned(), |text, (at, length, piece)| damage(&text, *at, *length, piece)));
    }

    #[test]
    fn values_of_any_kind_never_panic(changes in prop::collection::vec((any::<usize>(), pieces()), 1..4)) {
        // Only text within quotes changes, so that the text stays XML and is processed further.
        let mut parts: Vec<String> = ROBOT.split('"').map(str::to_owned).collect();
        for (at, piece) in changes {
            let index = (at % (parts.len() / 2)) * 2 + 1;
            parts[index] = piece.replace(['"', '<', '&'], "");
        }
        check(&parts.join("\""));
    }
}

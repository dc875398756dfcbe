//! Damaged text never causes a panic, and converted text is well-formed.

use super::to_sdf;
use super::{MASS, joint};
use crate::Document;
use crate::Source;
use proptest::prelude::*;

/// A robot with a little of everything.
fn robot() -> String {
    let shape = "<geometry><box size=\"1 2 3\"/></geometry>";
    let limit = "<origin xyz=\"1 2 3\" rpy=\"0 0 1\"/><axis xyz=\"0 0 1\"/>\
                 <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/><dynamics damping=\"1\"/>";
    format!(
        "<?xml version=\"1.0\"?><robot name=\"r\" version=\"1.0\"><material name=\"m\"><color rgba=\"1 0 0 1\"/></material>\
         <link name=\"world\"/><link name=\"a\">{MASS}<visual>{shape}<material name=\"m\"/></visual></link>\
         <link name=\"b\"><collision name=\"c\"><origin xyz=\"0 0 1\" quat_xyzw=\"0 0 0 1\"/>{shape}</collision></link>\
         <link name=\"c\">{MASS}</link><link name=\"d\"/>{}{}{}{}\
         <gazebo reference=\"b\"><sensor name=\"s\" type=\"imu\"/><mu1>1</mu1><collision><x/></collision></gazebo>\
         <gazebo reference=\"k\"><stopCfm>1</stopCfm></gazebo><gazebo><plugin filename=\"p\"/></gazebo>\
         <transmission/></robot>",
        joint("i", "fixed", "world", "a", ""),
        joint("j", "fixed", "a", "b", limit),
        joint("k", "revolute", "b", "c", limit),
        joint("l", "prismatic", "c", "d", &format!("{limit}<mimic joint=\"k\"/>")),
    )
}

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
        "\"",
        "<",
        ">",
        "/>",
        "a",
        "world",
        "fixed",
        "floating",
        "::",
        "<link name=\"a\"/>",
        "<joint/>",
        "&x;",
        "<![CDATA[",
        "<!--",
        "]]>",
        "${",
        "\u{fffd}",
        " ",
        "value=",
        "__",
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

fn check(text: &str) {
    if let Ok(converted) = to_sdf(text, "r.urdf") {
        Document::parse(Source::from_text("r.sdf", converted.sdf.as_str())).expect("well-formed SDF");
    }
}

#[test]
fn the_robot_itself_is_converted() {
    assert!(to_sdf(&robot(), "r.urdf").is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_robots_never_panic(
        damages in prop::collection::vec((any::<usize>(), 0_usize..20, pieces()), 1..6),
    ) {
        let text = damages.iter().fold(robot(), |text, (at, length, piece)| damage(&text, *at, *length, piece));
        check(&text);
    }

    #[test]
    fn values_of_any_kind_never_panic(at in any::<usize>(), piece in pieces()) {
        // Only text within quotes changes, so that the text stays XML and is processed further.
        let robot = robot();
        let mut parts: Vec<&str> = robot.split('"').collect();
        let index = (at % (parts.len() / 2)) * 2 + 1;
        let piece = piece.replace(['"', '<'], "");
        parts[index] = &piece;
        check(&parts.join("\""));
    }

    #[test]
    fn any_text_never_panics(text in ".{0,200}") {
        check(&text);
    }
}

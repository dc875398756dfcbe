//! Every feature once, and text that nobody would write.

mod gazebo;
mod joints;
mod links;
mod masses;
mod mutated;
mod refusals;

use crate::xml::Document;
use crate::{Code, Converted, is_urdf, to_sdf};

/// An `<inertial>` of 2 kg.
const MASS: &str =
    r#"<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"#;

/// Converts what stands inside `<robot name="r">`.
fn convert(inside: &str) -> Converted {
    let text = format!("<robot name=\"r\">\n{inside}\n</robot>");
    let converted = to_sdf(&text, "r.urdf").expect("a robot");
    Document::parse(&converted.sdf, "r.sdf").expect("well-formed SDF");
    converted
}

/// A link with mass.
fn link(name: &str) -> String {
    format!("<link name=\"{name}\">{MASS}</link>\n")
}

/// A joint of that type, with something inside.
fn joint(name: &str, kind: &str, parent: &str, child: &str, inside: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{inside}</joint>\n"
    )
}

/// The code of the refusal of a whole text.
fn refusal(text: &str) -> Code {
    to_sdf(text, "r.urdf").expect_err("a refusal").0.code
}

impl Converted {
    fn codes(&self) -> Vec<Code> {
        self.findings.iter().map(|finding| finding.code).collect()
    }

    /// Fails unless the SDF holds a text, blanks between tags aside.
    #[track_caller]
    fn holds(&self, text: &str) {
        let squeezed = squeeze(&self.sdf);
        assert!(squeezed.contains(&squeeze(text)), "no {text} in\n{}", self.sdf);
    }

    #[track_caller]
    fn lacks(&self, text: &str) {
        assert!(!squeeze(&self.sdf).contains(&squeeze(text)), "{text} in\n{}", self.sdf);
    }
}

fn squeeze(text: &str) -> String {
    text.lines().map(str::trim).collect()
}

#[test]
fn a_urdf_is_told_by_its_outermost_element() {
    assert!(is_urdf("<?xml version=\"1.0\"?><!-- a --><robot name=\"r\"/>"));
    assert!(is_urdf("\u{feff}<robot>"), "what is broken further on is a URDF still");
    assert!(!is_urdf("<sdf version=\"1.9\"><model name=\"robot\"/></sdf>"));
    assert!(!is_urdf("robot"));
    assert!(!is_urdf(""));
}

#[test]
fn findings_have_line_column_path_and_advice() {
    let converted = convert("  <link name=\"a\"><inertial><mass value=\"heavy\"/></inertial></link>");
    let finding = &converted.findings[1];
    assert_eq!(
        finding.to_string(),
        "error[BH-URD-020] r.urdf:2:28 /robot[@name=r]/link[@name=a]/inertial/mass: value=\"heavy\"; \
         expected a number not below 0\n  try: correct the value or remove it"
    );
}

#[test]
fn codes_are_numbered_upwards_and_say_what_they_mean() {
    let numbers: Vec<u16> = Code::ALL.iter().map(|code| code.number()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert!(Code::ALL.iter().all(|code| code.meaning().ends_with('.')));
    assert_eq!(Code::Xacro.to_string(), "BH-URD-004");
}

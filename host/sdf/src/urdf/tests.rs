//! Every feature once, and invalid text.

mod controllers;
mod gazebo;
mod joints;
mod links;
mod masses;
mod materials;
mod mutated;
mod refusals;
mod ros2_control;

use std::path::Path;

use crate::Document;
use crate::Source;
use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic};
use crate::files::InMemory;
use crate::urdf::{Refusal, convert as convert_document};

/// A robot as SDF.
#[derive(Debug)]
struct Converted {
    sdf: String,
    findings: Vec<Diagnostic>,
}

/// Reads and converts a text.
fn to_sdf(text: &str, file: &str) -> Result<Converted, Refusal> {
    with_files(text, file, &InMemory::new())
}

/// The same, beside files.
fn with_files(text: &str, file: &str, files: &InMemory) -> Result<Converted, Refusal> {
    let document = Document::parse(Source::from_file(Path::new(file), text))?;
    let (sdf, findings) = convert_document(&document, files, &Budget::default())?;
    Ok(Converted { sdf, findings })
}

/// An `<inertial>` of 2 kg.
const MASS: &str =
    r#"<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"#;

/// Converts the content of `<robot name="r">`.
fn convert(inside: &str) -> Converted {
    let text = format!("<robot name=\"r\">\n{inside}\n</robot>");
    let converted = to_sdf(&text, "r.urdf").expect("a robot");
    Document::parse(Source::from_text("r.sdf", converted.sdf.as_str())).expect("well-formed SDF");
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
    to_sdf(text, "r.urdf").expect_err("a refusal").code
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
fn findings_have_line_column_path_and_advice() {
    let converted = convert("  <link name=\"a\"><inertial><mass value=\"heavy\"/></inertial></link>");
    let finding = &converted.findings[1];
    assert_eq!(
        finding.to_string(),
        "error[BH-SDF-010] r.urdf:2:28 /robot[@name=r]/link[@name=a]/inertial/mass: value=\"heavy\"; \
         expected a number not below 0\n  try: correct the value or remove the element"
    );
}

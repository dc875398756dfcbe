//! Incomplete and ambiguous files, which this host reads as the present release of libsdformat does.

use std::fs;

use serde_json::{Value, json};

use super::quote::Quote;
use super::reading;

/// A file, how this host reads it, and why.
pub(super) struct Case {
    pub(super) what: &'static str,
    /// The content of `<sdf>`.
    content: &'static str,
    pub(super) is_valid: bool,
    pub(super) reading: &'static str,
    pub(super) quote: Quote,
    /// A value in the reading: its JSON pointer, and its text in JSON.
    value: (&'static str, &'static str),
}

/// All cases.
pub(super) const CASES: &[Case] = &[
    Case {
        what: "a revolute joint without `<axis>`",
        content: "<model name='m'><link name='a'/><link name='b'/><joint name='j' type='revolute'>\
            <parent>a</parent><child>b</child></joint></model>",
        is_valid: true,
        reading: "a warning; the joint turns about SDF's default axis, 0 0 1",
        quote: Quote {
            text: "<element name=\"axis\" required=\"0\">",
            file: "sdf/1.12/joint.sdf",
            version: "SDF 1.12",
        },
        value: ("/model/joints/0/axes/0/xyz_world", "[0.0,0.0,1.0]"),
    },
    Case {
        what: "a gearbox without `<gearbox_reference_body>`",
        content: "<model name='m'><link name='a'/><link name='b'/><joint name='j' type='gearbox'>\
            <parent>a</parent><child>b</child><gearbox_ratio>3</gearbox_ratio><axis/><axis2/></joint></model>",
        is_valid: true,
        reading: "a warning; the joint is kept but couples nothing",
        quote: Quote {
            text: "<element name=\"gearbox_reference_body\" type=\"string\" default=\"__default__\" required=\"0\">",
            file: "sdf/1.12/joint.sdf",
            version: "SDF 1.12",
        },
        value: ("/model/joints/0/gearbox_ratio", "3.0"),
    },
    Case {
        what: "an `<include>` with `<placement_frame>` and without `<pose>`",
        content: "<world name='w'><include><uri>included.sdf</uri><placement_frame>f</placement_frame></include></world>",
        is_valid: false,
        reading: "an error; libsdformat then refuses the whole file, and this host shows the rest, in which the frame has the pose of the included model",
        quote: Quote {
            text: "If this element is specified, the pose must be specified.",
            file: "sdf/1.12/world.sdf",
            version: "SDF 1.12",
        },
        value: ("/worlds/0/models/0/pose_world/0", "9.0"),
    },
    Case {
        what: "two models at the root of a file",
        content: "<model name='a'><link name='l'/></model><model name='b'><link name='l'/></model>",
        is_valid: false,
        reading: "an error; the first model is used",
        quote: Quote {
            text: "An error is now emitted instead of a warning for a file containing more than one root level model, actor or light.",
            file: "Migration.md",
            version: "libsdformat 12.0.0",
        },
        value: ("/model/name", "\"a\""),
    },
];

/// A model at 10 0 0 with a frame `f` 1 m in front of it.
const INCLUDED: &str = "<sdf version='1.12'><model name='m'><pose>10 0 0 0 0 0</pose><link name='l'/>\
    <frame name='f'><pose>1 0 0 0 0 0</pose></frame></model></sdf>";

#[test]
fn incomplete_files_are_read_as_the_page_says() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("included.sdf"), INCLUDED).expect("the included file");
    for case in CASES {
        let text = format!("<sdf version='1.12'>{}</sdf>", case.content);
        fs::write(folder.path().join("case.sdf"), text).expect("the file");
        let reading = reading(folder.path(), "case.sdf");
        assert_eq!(reading["ok"], json!(case.is_valid), "{}: {reading}", case.what);
        assert_ne!(reading["diagnostics"], json!([]), "{}", case.what);
        let (pointer, expected) = case.value;
        let expected: Value = serde_json::from_str(expected).expect("JSON");
        assert_eq!(reading.pointer(pointer), Some(&expected), "{}: {reading}", case.what);
    }
}

//! Every rule once, and invalid text.

mod actuators;
mod bodies;
mod files;
mod geoms;
mod joints;
mod mutated;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::{Budget, Files, InMemory, Loaded, SearchPath, load_with, parse_str};

/// Reads the content of `<mujoco model="m">` as a world.
#[track_caller]
fn read(inside: &str) -> Loaded {
    let text = format!("<mujoco model=\"m\">\n{inside}\n</mujoco>");
    parse_str("m.xml", &text).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads the content of a `<worldbody>`, with angles in radians.
#[track_caller]
fn world(inside: &str) -> Loaded {
    read(&format!("<compiler angle=\"radian\"/><worldbody>{inside}</worldbody>"))
}

/// Reads the file `/w/main.xml` of these files.
fn load(files: &dyn Files) -> Loaded {
    load_with(files, "/w/main.xml".as_ref(), &SearchPath::default(), &Budget::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A world that includes this MJCF.
fn included(text: &str) -> Loaded {
    let world = "<sdf version='1.9'><world name='w'><include><uri>m.xml</uri><pose>0 0 1 0 0 0</pose></include></world></sdf>";
    load(&InMemory::new().with("/w/main.xml", world).with("/w/m.xml", text))
}

/// The findings of a code, as texts.
fn found(loaded: &Loaded, code: Code) -> Vec<String> {
    loaded.diagnostics.iter().filter(|one| one.code == code).map(ToString::to_string).collect()
}

/// Fails if anything but a note was found.
#[track_caller]
fn clean(loaded: &Loaded) {
    let bad: Vec<&Diagnostic> =
        loaded.diagnostics.iter().filter(|one| one.severity > Severity::Note).collect();
    assert!(bad.is_empty(), "{bad:#?}\n{}", loaded.document.source().text());
}

/// Fails unless two numbers are equal but for rounding.
#[track_caller]
fn near(one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-9 * one.abs().max(1.0), "{one} instead of {other}");
}

/// A geom with mass.
const BALL: &str = "<geom size=\"0.1\"/>";

//! Texts of which nothing can be made.

use super::to_sdf;
use super::{joint, link, refusal};
use crate::diagnostic::Code;

#[test]
fn xacro_sources_are_distinguished_from_their_output() {
    let sources = [
        "<robot name=\"r\"><xacro:include filename=\"a.xacro\"/></robot>",
        "<robot name=\"r\"><link name=\"${prefix}a\"/></robot>",
        "<robot name=\"r\"><link name=\"a\"/><gazebo><plugin><f>$(find p)/a</f></plugin></gazebo></robot>",
    ];
    for source in sources {
        assert_eq!(refusal(source), Code::UrdfXacro, "{source}");
    }
    let made =
        "<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\"><!-- ${x} --><link name=\"a\"/></robot>";
    assert!(to_sdf(made, "r.urdf").is_ok());
}

/// The code of the refusal of a robot with these parts.
fn refused(parts: &[String]) -> Code {
    refusal(&format!("<robot name=\"r\">{}</robot>", parts.concat()))
}

#[test]
fn a_urdf_that_is_not_a_tree_is_refused() {
    let fixed = |name: &str, parent: &str, child: &str| joint(name, "fixed", parent, child, "");
    assert_eq!(refused(&[]), Code::UrdfNoLink);
    assert_eq!(refused(&["<link name=\"world\"/>".to_owned()]), Code::UrdfNoLink);
    assert_eq!(refused(&["<link/>".to_owned()]), Code::AttributeMissing);
    assert_eq!(refused(&[link("a"), link("a")]), Code::DuplicateName);
    assert_eq!(refused(&[link("a"), link("b")]), Code::UrdfSeveralRoots);
    assert_eq!(refused(&[link("a"), fixed("j", "a", "b")]), Code::UrdfLinkUnknown);
    assert_eq!(refused(&[link("a"), "<joint name=\"j\" type=\"fixed\"/>".to_owned()]), Code::UrdfLinkUnknown);
    assert_eq!(refused(&[link("a"), fixed("j", "a", "a")]), Code::UrdfCycle);
    assert_eq!(refused(&[link("a"), link("b"), fixed("j", "a", "b"), fixed("k", "b", "a")]), Code::UrdfCycle);
    let apart = [link("a"), link("b"), link("c"), fixed("j", "b", "c"), fixed("k", "c", "b")];
    assert_eq!(refused(&apart), Code::UrdfCycle);
    let twice = [link("a"), link("b"), link("c"), fixed("j", "a", "c"), fixed("k", "b", "c")];
    assert_eq!(refused(&twice), Code::UrdfTwoParents);
    assert_eq!(
        refused(&[link("a"), link("b"), fixed("j", "a", "b"), fixed("j", "a", "b")]),
        Code::DuplicateName
    );
}

#[test]
fn a_refusal_says_where_and_what_to_try() {
    let error = to_sdf("<robot name=\"r\">\n<link name=\"a\"/>\n  <link name=\"b\"/></robot>", "r.urdf")
        .expect_err("two roots");
    assert_eq!(
        error.to_string(),
        "error[BH-SDF-105] r.urdf:3:3 /robot[@name=r]/link[@name=b]: `a` and `b` are both the child of no joint; \
         expected one root\n  try: connect the parts with a joint, or put each into its own file"
    );
}

#[test]
fn a_long_chain_needs_no_stack() {
    let length = 20_000;
    let links: String = (0..length).map(|index| format!("<link name=\"l{index}\"/>")).collect();
    let joints: String = (1..length)
        .map(|index| {
            joint(&format!("j{index}"), "fixed", &format!("l{}", index - 1), &format!("l{index}"), "")
        })
        .collect();
    let converted = to_sdf(&format!("<robot name=\"r\">{links}{joints}</robot>"), "r.urdf").expect("a chain");
    assert_eq!(converted.sdf.matches("<link ").count(), 1);
}

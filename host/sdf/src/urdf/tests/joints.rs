//! Joints, their axes, limits, followers and frames.

use super::{convert, joint, link};
use crate::diagnostic::Code;

#[test]
fn a_child_stands_in_its_joint_and_the_joint_in_its_parent() {
    let inside = "<origin xyz=\"1 2 3\" rpy=\"0 0 1.5\"/><axis xyz=\"0 1 0\"/>\
                  <limit lower=\"-1\" upper=\"2\" effort=\"30\" velocity=\"4\"/><dynamics damping=\"0.5\" friction=\"0.25\"/>";
    let converted =
        convert(&format!("{}{}{}", link("a"), link("b"), joint("j", "revolute", "a", "b", inside)));
    converted.holds("<model name=\"r\" canonical_link=\"a\">");
    converted.holds("<link name=\"a\"><inertial>");
    converted.holds("<link name=\"b\"><pose relative_to=\"j\"/>");
    converted.holds(
        "<joint name=\"j\" type=\"revolute\"><pose relative_to=\"a\">1 2 3 0 0 1.5</pose>\
         <parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz>\
         <limit><lower>-1</lower><upper>2</upper><effort>30</effort><velocity>4</velocity></limit>\
         <dynamics><damping>0.5</damping><friction>0.25</friction></dynamics></axis></joint>",
    );
    assert_eq!(converted.findings, []);
}

#[test]
fn the_axis_is_x_where_none_is_written() {
    let limit = "<limit effort=\"1\" velocity=\"1\"/>";
    let written = format!("<axis xyz=\"0 0 0\"/>{limit}");
    for (inside, findings) in [(limit, 0), (&*written, 1)] {
        let converted =
            convert(&format!("{}{}{}", link("a"), link("b"), joint("j", "continuous", "a", "b", inside)));
        converted
            .holds("<axis><xyz>1 0 0</xyz><limit><effort>1</effort><velocity>1</velocity></limit></axis>");
        assert_eq!(converted.findings.len(), findings);
    }
}

#[test]
fn every_type_has_its_counterpart_or_a_finding() {
    let limit = "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>";
    let types: [(&str, Option<&str>, &[Code]); 8] = [
        ("fixed", Some("fixed"), &[]),
        ("revolute", Some("revolute"), &[]),
        ("continuous", Some("continuous"), &[]),
        ("prismatic", Some("prismatic"), &[]),
        ("spherical", Some("ball"), &[]),
        ("floating", None, &[Code::UrdfJointFree]),
        ("planar", None, &[Code::UrdfJointFree]),
        ("hinge", Some("fixed"), &[Code::UrdfJointTypeInvalid]),
    ];
    for (urdf, sdf, codes) in types {
        let converted = convert(&format!("{}{}{}", link("a"), link("b"), joint("j", urdf, "a", "b", limit)));
        match sdf {
            Some(sdf) => converted.holds(&format!("<joint name=\"j\" type=\"{sdf}\">")),
            None => {
                converted.lacks("<joint");
                converted
                    .holds("<frame name=\"j\" attached_to=\"b\"><pose relative_to=\"a\">0 0 0 0 0 0</pose>");
            }
        }
        assert_eq!(converted.codes(), codes, "{urdf}");
    }
}

#[test]
fn limits_are_made_sense_of() {
    let cases: [(&str, &str, &[Code]); 6] = [
        (
            "<limit lower=\"2\" upper=\"-1\" effort=\"1\" velocity=\"1\"/>",
            "<lower>-1</lower><upper>2</upper>",
            &[Code::UrdfLimitInvalid],
        ),
        (
            "<limit effort=\"1\" velocity=\"1\"/>",
            "<lower>0</lower><upper>0</upper><effort>1</effort>",
            &[Code::UrdfLimitInvalid],
        ),
        (
            "<limit lower=\"0\" upper=\"1\" effort=\"0\" velocity=\"0\"/>",
            "<upper>1</upper></limit>",
            &[Code::UrdfLimitInvalid],
        ),
        (
            "<limit lower=\"-inf\" upper=\"1\" effort=\"0\" velocity=\"2\"/>",
            "<limit><upper>1</upper><effort>0</effort>",
            &[],
        ),
        (
            "<limit lower=\"0\" upper=\"nan\" effort=\"1\" velocity=\"1\"/>",
            "<lower>0</lower><upper>0</upper>",
            &[Code::ValueInvalid, Code::UrdfLimitInvalid],
        ),
        ("", "<axis><xyz>1 0 0</xyz></axis>", &[Code::ElementMissing]),
    ];
    for (limit, sdf, codes) in cases {
        let converted =
            convert(&format!("{}{}{}", link("a"), link("b"), joint("j", "revolute", "a", "b", limit)));
        converted.holds(sdf);
        let mut found = converted.codes();
        found.sort_unstable();
        assert_eq!(found, codes, "{limit}");
    }
}

#[test]
fn followers_name_their_leader() {
    let limit = "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>";
    let follower = format!("{limit}<mimic joint=\"j\" multiplier=\"-2\" offset=\"0.5\"/>");
    let converted = convert(&format!(
        "{}{}{}{}{}",
        link("a"),
        link("b"),
        link("c"),
        joint("j", "revolute", "a", "b", limit),
        joint("k", "prismatic", "b", "c", &follower)
    ));
    converted.holds(
        "<mimic joint=\"j\"><multiplier>-2</multiplier><offset>0.5</offset><reference>0</reference></mimic>",
    );
    assert_eq!(converted.findings, []);
}

#[test]
fn followers_of_nothing_and_of_themselves_are_left_out() {
    let limit = "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>";
    for (leader_of_j, leader_of_k, findings) in
        [("gone", "j", 1), ("k", "j", 2), ("j", "j", 1), ("f", "j", 1)]
    {
        let follow = |leader: &str| format!("{limit}<mimic joint=\"{leader}\"/>");
        let converted = convert(&format!(
            "{}{}{}{}{}{}{}",
            link("a"),
            link("b"),
            link("c"),
            link("d"),
            joint("j", "revolute", "a", "b", &follow(leader_of_j)),
            joint("k", "revolute", "b", "c", &follow(leader_of_k)),
            joint("f", "fixed", "c", "d", "")
        ));
        assert_eq!(converted.codes(), vec![Code::UrdfMimicInvalid; findings], "{leader_of_j} {leader_of_k}");
    }
}

#[test]
fn a_root_called_world_is_the_world() {
    let converted = convert(&format!(
        "<link name=\"world\"/>{}{}",
        link("a"),
        joint("j", "fixed", "world", "a", "<origin xyz=\"0 0 1\"/>")
    ));
    converted.holds("<joint name=\"j\" type=\"fixed\"><pose relative_to=\"__model__\">0 0 1 0 0 0</pose><parent>world</parent>");
    converted.holds("<model name=\"r\" canonical_link=\"a\">");
    converted.lacks("<link name=\"world\"");
    assert_eq!(converted.findings, []);
}

#[test]
fn a_floating_joint_to_the_world_is_a_free_model() {
    let converted = convert(&format!(
        "<link name=\"world\"/>{}{}",
        link("a"),
        joint("j", "floating", "world", "a", "<origin xyz=\"0 0 1\"/>")
    ));
    converted.holds("<frame name=\"j\" attached_to=\"a\"><pose relative_to=\"__model__\">0 0 1 0 0 0</pose>");
    assert_eq!(converted.findings, []);
}

//! Edits change their targets and nothing else.

use super::{Edit, EditError, apply, pose_text};
use crate::{Document, Element, NodeId, Pose, Source};
use glam::DVec3;
use std::sync::Arc;

const WORLD: &str = "<?xml version=\"1.0\"?>
<!-- kept -- even this -->
<sdf version='1.9'>
  <world name=\"w\">
    <model name='a'>   <!-- here -->
      <pose> 1 2 3 0 0 0 </pose>
      <link name='l' />
    </model>
    <include><uri>model://car</uri></include>
  </world>
</sdf>
";

fn document(text: &str) -> Arc<Document> {
    Document::parse(Source::from_text("w.sdf", text)).unwrap()
}

fn id(document: &Arc<Document>, name: &str) -> NodeId {
    document.elements().find(|element| element.name() == name).map(Element::id).unwrap()
}

fn edited(edit: impl FnOnce(&Arc<Document>) -> Vec<Edit>) -> Result<String, EditError> {
    let document = document(WORLD);
    apply(&document, &edit(&document))
}

#[test]
fn no_edit_changes_no_byte() {
    assert_eq!(edited(|_| Vec::new()).unwrap(), WORLD);
    let odd = "\u{feff}<?xml version='1.0'?>\r\n<a\tx = '1'  >\r\n&#65;<![CDATA[ ]]></a >\r\n\r\n";
    assert_eq!(apply(&document(odd), &[]).unwrap(), odd);
}

#[test]
fn a_pose_edit_changes_just_its_text() {
    let saved =
        edited(|document| vec![Edit::SetText { element: id(document, "pose"), text: "4 5 6 0 0 1".into() }]);
    assert_eq!(saved.unwrap(), WORLD.replace("1 2 3 0 0 0", "4 5 6 0 0 1"));
}

#[test]
fn text_and_values_are_escaped() {
    let saved = edited(|document| {
        vec![
            Edit::SetText { element: id(document, "uri"), text: "a<b&c".into() },
            Edit::SetAttribute {
                element: id(document, "model"),
                name: "name".into(),
                value: "it's \"<\"".into(),
            },
        ]
    })
    .unwrap();
    assert!(saved.contains("<uri>a&lt;b&amp;c</uri>"), "{saved}");
    let again = document(&saved);
    assert_eq!(again.element(id(&again, "model")).unwrap().attribute("name"), Some("it's \"<\""));
}

#[test]
fn a_new_attribute_stands_after_the_others() {
    let add = |name: &str| {
        let name = name.to_owned();
        edited(move |document| {
            vec![Edit::SetAttribute { element: id(document, &name), name: "k".into(), value: "v".into() }]
        })
    };
    assert_eq!(add("link").unwrap(), WORLD.replace("<link name='l' />", "<link name='l' k=\"v\" />"));
    assert_eq!(add("pose").unwrap(), WORLD.replace("<pose>", "<pose k=\"v\">"));
}

#[test]
fn a_closed_element_opens_for_text_and_children() {
    let text =
        edited(|document| vec![Edit::SetText { element: id(document, "link"), text: "x".into() }]).unwrap();
    assert_eq!(text, WORLD.replace("<link name='l' />", "<link name='l' >x</link>"));
    let child = edited(|document| {
        vec![Edit::Insert { parent: id(document, "link"), xml: "<gravity>0</gravity>".into() }]
    });
    let expected = "<link name='l' >\n        <gravity>0</gravity>\n      </link>";
    assert_eq!(child.unwrap(), WORLD.replace("<link name='l' />", expected));
}

#[test]
fn inserted_elements_follow_the_last_child_in_order_and_layout() {
    let saved = edited(|document| {
        let parent = id(document, "world");
        ["<model name='b'/>", "<model name='c'/>"]
            .map(|xml| Edit::Insert { parent, xml: xml.into() })
            .to_vec()
    });
    let expected = "</include>\n    <model name='b'/>\n    <model name='c'/>";
    assert_eq!(saved.unwrap(), WORLD.replace("</include>", expected));
    let inline = edited(|document| {
        vec![Edit::Insert { parent: id(document, "include"), xml: "<name>x</name>".into() }]
    });
    assert_eq!(inline.unwrap(), WORLD.replace("</uri>", "</uri><name>x</name>"));
}

#[test]
fn windows_line_ends_are_kept() {
    let text = WORLD.replace('\n', "\r\n");
    let document = document(&text);
    let edits = [
        Edit::Insert { parent: id(&document, "world"), xml: "<a/>".into() },
        Edit::Remove { element: id(&document, "link") },
    ];
    let saved = apply(&document, &edits).unwrap();
    let expected =
        text.replace("</include>", "</include>\r\n    <a/>").replace("\r\n      <link name='l' />", "");
    assert_eq!(saved, expected);
}

#[test]
fn removing_takes_the_line_only_when_the_element_has_it_alone() {
    let saved = edited(|document| vec![Edit::Remove { element: id(document, "include") }]);
    assert_eq!(saved.unwrap(), WORLD.replace("\n    <include><uri>model://car</uri></include>", ""));
    let saved = edited(|document| vec![Edit::Remove { element: id(document, "uri") }]);
    assert_eq!(saved.unwrap(), WORLD.replace("<uri>model://car</uri>", ""));
}

#[test]
fn edits_that_do_not_fit_are_refused_by_name() {
    let children =
        edited(|document| vec![Edit::SetText { element: id(document, "model"), text: "x".into() }]);
    assert_eq!(children, Err(EditError::HasChildren { path: "/sdf/world[@name=w]/model[@name=a]".into() }));
    let root = edited(|document| vec![Edit::Remove { element: id(document, "sdf") }]);
    assert_eq!(root, Err(EditError::RemovesRoot));
    let bad = edited(|document| vec![Edit::Insert { parent: id(document, "world"), xml: "<a>".into() }]);
    assert!(matches!(bad, Err(EditError::NotXml { .. })), "{bad:?}");
    let name = edited(|document| {
        vec![Edit::SetAttribute { element: id(document, "world"), name: "a b".into(), value: "1".into() }]
    });
    assert!(matches!(name, Err(EditError::NotXml { .. })), "{name:?}");
    let big = document(&format!("<a>{}</a>", "<b/>".repeat(50)));
    let foreign = big.elements().last().unwrap().id();
    assert_eq!(
        edited(|_| vec![Edit::Remove { element: foreign }]).unwrap_err().to_string(),
        "[BH-SDF-070] the element to edit is not in `w.sdf`; edit the document it was read from"
    );
}

#[test]
fn edits_inside_a_removed_element_overlap() {
    let both = edited(|document| {
        vec![
            Edit::Remove { element: id(document, "model") },
            Edit::SetText { element: id(document, "pose"), text: "0 0 0 0 0 0".into() },
        ]
    });
    let expected = "[BH-SDF-072] two edits overlap at w.sdf:6:14; combine them into one edit";
    assert_eq!(both.unwrap_err().to_string(), expected);
    let twice = edited(|document| {
        let element = id(document, "pose");
        ["1", "2"].map(|text| Edit::SetText { element, text: text.into() }).to_vec()
    });
    assert!(matches!(twice, Err(EditError::Overlap { .. })));
}

#[test]
fn a_pose_is_written_in_the_format_of_its_element_in_plain_decimals() {
    let pose = Pose::from_rpy(DVec3::new(1.0, 2.5, -3e-17), 0.0, -1e-19, std::f64::consts::FRAC_PI_2);
    let text = |xml: &str| pose_text(document(xml).root(), &pose, |_| true);
    assert_eq!(text("<pose/>"), "1 2.5 0 0 0 1.570796327");
    assert_eq!(text("<pose degrees='true'/>"), "1 2.5 0 0 0 90");
    assert_eq!(text("<pose degrees='True'/>"), "1 2.5 0 0 0 90");
    assert_eq!(text("<pose rotation_format='quat_xyzw'/>"), "1 2.5 0 0 0 0.707106781 0.707106781");
    let large = Pose::from_position(DVec3::new(1e7, -200.0, 1e-9));
    let text = pose_text(document("<pose/>").root(), &large, |_| true);
    assert_eq!(text, "10000000 -200 0.000000001 0 0 0");
}

#[test]
fn a_pose_has_more_decimals_if_nine_do_not_keep_it() {
    let yaw = std::f64::consts::FRAC_PI_2;
    let pose = Pose::from_rpy(DVec3::ZERO, 0.0, 0.0, yaw);
    let exact = |within: f64| move |read: &Pose| (read.rpy()[2] - yaw).abs() < within;
    let text = |within| pose_text(document("<pose/>").root(), &pose, exact(within));
    assert_eq!(text(1e-11), "0 0 0 0 0 1.5707963268");
    assert_eq!(text(1e-12), "0 0 0 0 0 1.570796326795");
    let longest = pose_text(document("<pose/>").root(), &pose, |_| false);
    assert!(longest.starts_with("0 0 0 0 0 1.57079632679489") && longest.len() <= 28, "{longest}");
}

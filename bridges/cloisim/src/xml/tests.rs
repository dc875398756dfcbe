//! Element trees and paths.

use super::*;

const MICOM: &str = "<plugin name='m' filename='libMicomPlugin.so'>\n<wheel><radius> 0.1 </radius>\
    <location type='left'>wl</location><location type='right'>w&lt;r</location></wheel>\
    <!-- no --><bumper><sensor>a</sensor><sensor>b</sensor></bumper><empty/></plugin>";

#[test]
fn paths_find_texts_and_numbers() {
    let element = Element::parse(MICOM);
    assert_eq!(element.name, "plugin");
    assert_eq!(element.attribute("filename"), Some("libMicomPlugin.so"));
    assert_eq!(element.number_at("wheel/radius"), Some(0.1));
    assert_eq!(element.text_at("wheel/location[@type='right']"), Some("w<r"));
    assert_eq!(element.texts_at("bumper/sensor"), ["a", "b"]);
    assert_eq!(element.text_at("empty"), None);
    assert!(element.at("empty").is_some());
    assert_eq!(element.text_at("wheel/none"), None);
}

#[test]
fn invalid_xml_gives_an_empty_element() {
    for text in ["", "<a>", "x", "<a b></a>", "</a>"] {
        assert_eq!(Element::parse(text).children.len(), 0, "{text}");
    }
}

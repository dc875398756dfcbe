//! The tree: spans, texts, places, and texts that are no tree.

use super::{Document, Element};
use crate::diagnostic::{Code, Diagnostic};
use crate::{Source, Span};
use std::sync::Arc;

fn parse(text: &str) -> Arc<Document> {
    Document::parse(Source::from_text("t.sdf", text)).unwrap()
}

fn refuse(text: &str) -> Diagnostic {
    *Document::parse(Source::from_text("t.sdf", text)).unwrap_err()
}

fn slice<'a>(element: Element<'a>, span: Span) -> &'a str {
    element.document().source().slice(span)
}

#[test]
fn an_element_knows_its_bytes() {
    let text = "<?xml version='1.0'?>\n<a x = 'ü &lt; 1'>\n  <!-- c -- d --><b>1 2</b>\n  <gz:c/>\n</a>\n";
    let document = parse(text);
    let root = document.root();
    assert_eq!(slice(root, root.start_tag()), "<a x = 'ü &lt; 1'>");
    assert_eq!(root.attribute("x"), Some("ü < 1"));
    assert_eq!(slice(root, root.attribute_span("x").unwrap()), "ü &lt; 1");
    assert_eq!(root.xml(), text.trim().split_once('\n').unwrap().1);
    let b = root.child("b").unwrap();
    assert_eq!((b.xml(), slice(b, b.content()), b.text()), ("<b>1 2</b>", "1 2", "1 2"));
    assert_eq!(b.location().to_string(), "t.sdf:3:18");
    let c = root.child("gz:c").unwrap();
    assert_eq!((c.xml(), c.is_self_closing(), c.content().is_empty()), ("<gz:c/>", true, true));
    assert_eq!(c.parent().map(Element::name), Some("a"));
}

#[test]
fn a_byte_order_mark_moves_no_span() {
    let document = parse("\u{feff}<a><b k=\"v\">t</b></a>");
    let b = document.root().child("b").unwrap();
    assert_eq!(b.xml(), "<b k=\"v\">t</b>");
    assert_eq!(slice(b, b.attribute_span("k").unwrap()), "v");
}

#[test]
fn text_is_joined_over_comments_references_and_cdata() {
    let document = parse("<a> 1 <!-- x --> &amp; <![CDATA[<2>]]> &#65;&unknown; </a>");
    assert_eq!(document.root().text(), "1  & <2> A&unknown;");
}

#[test]
fn element_paths_contain_names() {
    let document = parse("<sdf><world name='w'><model name='car'><pose/></model></world></sdf>");
    let pose = document.elements().find(|element| element.name() == "pose").unwrap();
    assert_eq!(pose.path(), "/sdf/world[@name=w]/model[@name=car]/pose");
    assert_eq!(format!("{:?}", pose.origin()), "t.sdf:1:40");
}

#[test]
fn children_come_in_order() {
    let document = parse("<a><b i='0'/><c/><b i='1'><b i='x'/></b></a>");
    let indices: Vec<_> = document.root().children_named("b").filter_map(|b| b.attribute("i")).collect();
    assert_eq!(indices, ["0", "1"]);
    assert_eq!(document.elements().count(), 5);
}

#[test]
fn params_keep_everything_with_lines() {
    let document =
        parse("<plugin name='p'>\n  <wheel joint='l'>0.1</wheel>\n  <wheel joint='r'/>\n</plugin>");
    let params = document.root().params();
    assert_eq!(params.get("@name"), Some("p"));
    assert_eq!(params.get("wheel"), Some("0.1"));
    assert_eq!(params.get("wheel[1]/@joint"), Some("r"));
    assert_eq!(params.node("wheel[1]").unwrap().place().unwrap().to_string(), "t.sdf:3");
}

#[test]
fn text_without_elements_is_empty_input() {
    assert_eq!(
        refuse("").to_string().lines().next(),
        Some("error[BH-SDF-002] t.sdf:1:1: an empty file; expected an `<sdf>` element")
    );
    let finding = refuse("hello\nworld");
    assert_eq!((finding.code, finding.found.as_str()), (Code::Empty, "no element, only text"));
    assert_eq!(refuse("<!-- only a comment -->").code, Code::Empty);
}

#[test]
fn truncated_text_names_the_element_left_open() {
    let finding = refuse("<sdf>\n  <world name='w'>\n    <model");
    assert_eq!(finding.code, Code::NotXml);
    assert_eq!(finding.location.unwrap().to_string(), "t.sdf:3:5");
    let finding = refuse("<sdf>\n  <world name='w'>\n");
    assert_eq!(finding.found, "the end of the file inside `<world>`");
    assert_eq!(finding.expected, "`</world>`");
    assert_eq!(finding.location.unwrap().to_string(), "t.sdf:2:3");
}

#[test]
fn crossed_tags_and_broken_attributes_are_not_xml() {
    let finding = refuse("<a>\n<b></a></b>");
    assert_eq!((finding.code, finding.location.unwrap().line), (Code::NotXml, 2));
    assert!(finding.found.contains("`</b>`"), "{}", finding.found);
    assert_eq!(refuse("<a x='1' x='2'/>").code, Code::NotXml);
    assert_eq!(refuse("<a x=1/>").code, Code::NotXml);
    assert_eq!(refuse("<a/><b/>").found, "a second root element");
}

#[test]
fn endless_nesting_is_refused_before_it_exhausts_the_stack() {
    let finding = refuse(&"<a>".repeat(100_000));
    assert_eq!(
        (finding.code, finding.found.as_str()),
        (Code::TooDeep, "more than 200 elements inside each other")
    );
}

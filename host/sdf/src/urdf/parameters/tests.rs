//! The form of files of parameters, what is refused, and damaged files.

use super::*;
use proptest::prelude::*;

const FILE: &str = "controller_manager:\n  ros__parameters:\n    update_rate: 100\n    base:\n      type: a/B\n\
    /robot:\n  base:\n    ros__parameters: {wheels: [l, r], linear.x: {max: 1.5}}\n/**:\n  ros__parameters:\n    free: yes\n";

fn parse(text: &str) -> Result<Parameters, Refusal> {
    Parameters::parse(Source::from_text("p.yaml", text))
}

#[test]
fn parameters_have_the_names_of_their_levels_and_every_node_has_those_of_all() {
    let parameters = parse(FILE).expect("parameters");
    assert_eq!(parameters.controllers("controller_manager"), [("base", "a/B")]);
    assert_eq!(parameters.value("base", "linear.x.max"), Some("1.5"));
    let (wheels, place) = parameters.list("base", "wheels").expect("a list");
    assert_eq!((place.file.as_ref(), place.line, place.column), ("p.yaml", 8, 31));
    assert_eq!(wheels, ["l", "r"]);
    assert_eq!(parameters.value("anything", "free"), Some("yes"));
    assert!(parameters.value("base", "wheels").is_none() && parameters.list("base", "free").is_none());
}

#[test]
fn a_controller_may_say_its_own_type() {
    let parameters = parse("arm:\n  ros__parameters:\n    type: a/B\n    joints: [j]").expect("parameters");
    assert_eq!(parameters.controllers("controller_manager"), [("arm", "a/B")]);
    let every = parse("/**:\n  ros__parameters:\n    type: a/B").expect("parameters");
    assert_eq!(every.controllers("controller_manager"), [], "all nodes are not one controller");
}

#[test]
fn a_later_value_counts() {
    let twice = format!("{FILE}  also:\n    ros__parameters:\n      free: no\n");
    assert_eq!(parse(&twice).expect("parameters").value("also", "free"), Some("no"));
}

#[test]
fn an_empty_file_has_no_parameters() {
    for text in ["", "~", "# nothing\n", "a: 1", "a: {b: [1, 2]}"] {
        assert!(parse(text).expect("parameters").nodes.is_empty(), "{text}");
    }
}

#[test]
fn other_files_are_refused_with_a_place() {
    let deep = "{a: ".repeat(40);
    let cases = [
        // The end of the file counts as the line after it.
        ("a: [1, 2", "not YAML", 2),
        ("a: &x 1\nb: *x", "an alias", 2),
        ("a:\n  - - 1", "not all are single", 2),
        ("- 1", "a list", 1),
        ("text", "`text`", 1),
        ("{[a]: 1}", "not a text", 1),
        (&deep, "more than 32 levels", 1),
    ];
    for (text, found, line) in cases {
        let refusal = parse(text).err().unwrap_or_else(|| panic!("{text} was read"));
        assert_eq!(refusal.code, Code::UrdfParametersInvalid, "{text}");
        assert!(refusal.to_string().contains(found), "{text}: {refusal}");
        assert_eq!(refusal.location.as_ref().map(|place| place.line), Some(line), "{text}: {refusal}");
    }
}

proptest! {
    #[test]
    fn damaged_files_never_cause_a_panic(at in 0..FILE.len(), piece in "[\\[\\]{}:*&|>'\"\n -]{0,4}|.{0,3}") {
        let mut text = FILE.to_owned();
        text.replace_range(at..(at + 1).min(FILE.len()), &piece);
        drop(parse(&text));
    }
}

//! Schemas that must be refused, each by its own code and name, and bytes that are no schema at all.

use prost::Message as _;

use super::Schema;
use crate::descriptor::{
    Descriptor, FieldDescriptor, FieldOptions, File, FileSet, LABEL_REPEATED, MessageOptions, Oneof,
    TYPE_ENUM, TYPE_GROUP, TYPE_MESSAGE,
};
use crate::error::SchemaError;
use crate::{Arity, Message as _, MessageType, ros};

const TYPE_DOUBLE: i32 = 1;
const TYPE_FLOAT: i32 = 2;

fn field(name: &str, number: i32, kind: i32) -> FieldDescriptor {
    FieldDescriptor { name: name.to_owned(), number, kind, label: 1, ..FieldDescriptor::default() }
}

fn holding(name: &str, number: i32, type_name: &str) -> FieldDescriptor {
    FieldDescriptor { type_name: type_name.to_owned(), ..field(name, number, TYPE_MESSAGE) }
}

fn annotated(field: FieldDescriptor, ros_field: &str) -> FieldDescriptor {
    let options = FieldOptions { ros_field: Some(ros_field.to_owned()), ros_default: None, ros_added: None };
    FieldDescriptor { options: Some(options), ..field }
}

fn message(name: &str, field: Vec<FieldDescriptor>) -> Descriptor {
    let ros_message = Some(format!("pack/msg/{name}"));
    Descriptor {
        name: name.to_owned(),
        field,
        options: Some(MessageOptions { ros_message, ..MessageOptions::default() }),
        ..Descriptor::default()
    }
}

fn schema(messages: Vec<Descriptor>, syntax: &str) -> Schema {
    let file = File {
        name: "pack.proto".to_owned(),
        package: "pack.v1".to_owned(),
        dependency: Vec::new(),
        message: messages,
        syntax: syntax.to_owned(),
    };
    Schema::new(FileSet { file: vec![file] }.encode_to_vec(), "pack.v1.Root")
}

fn resolve(messages: Vec<Descriptor>) -> Result<MessageType, SchemaError> {
    schema(messages, "proto3").resolve()
}

/// Refused with this code, and with each of these words in the text.
fn assert_refused(result: Result<MessageType, SchemaError>, code: &str, words: &[&str]) {
    let error = result.unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "`{word}` in: {error}");
    }
}

#[test]
fn a_plain_message_of_a_plugin_is_accepted() {
    let point = annotated(
        FieldDescriptor { label: LABEL_REPEATED, ..holding("corners", 2, ".pack.v1.Corner") },
        "[4]",
    );
    let resolved = resolve(vec![
        message("Root", vec![field("width", 1, TYPE_DOUBLE), point]),
        message("Corner", vec![]),
    ])
    .unwrap();
    assert_eq!(ros::msg_text(&resolved), "float64 width\npack/Corner[4] corners\n");
    assert_eq!(resolved.fields()[1].arity(), Arity::Fixed(4));
}

#[test]
fn bytes_that_are_no_descriptor_set_are_refused() {
    assert_refused(
        Schema::new(vec![0xff; 9], "pack.v1.Root").resolve(),
        "BH-MSG-001",
        &["pack.v1.Root", "FileDescriptorSet"],
    );
}

#[test]
fn an_unknown_root_lists_what_is_there() {
    assert_refused(resolve(vec![message("Other", vec![])]), "BH-MSG-002", &["pack.v1.Root", "pack.v1.Other"]);
    assert_refused(Schema::new(Vec::new(), "pack.v1.Root").resolve(), "BH-MSG-002", &["no messages"]);
}

#[test]
fn a_type_that_is_not_in_the_set_is_refused() {
    let root = message("Root", vec![holding("pose", 1, ".geometry.Pose")]);
    assert_refused(resolve(vec![root]), "BH-MSG-003", &["`pose`", "`geometry.Pose`", "--include_imports"]);
}

#[test]
fn proto2_is_refused() {
    let refused = schema(vec![message("Root", vec![])], "").resolve();
    assert_refused(refused, "BH-MSG-004", &["pack.proto", "proto2"]);
}

#[test]
fn what_ros_cannot_express_is_refused_by_name() {
    let choice = FieldDescriptor { oneof_index: Some(0), ..field("left", 1, TYPE_DOUBLE) };
    let oneof = Descriptor {
        oneof: vec![Oneof { name: "side".to_owned() }],
        ..message("Root", vec![choice.clone()])
    };
    assert_refused(resolve(vec![oneof]), "BH-MSG-005", &["`left` of `pack.v1.Root`", "a oneof"]);

    let optional = FieldDescriptor { proto3_optional: true, ..choice };
    assert_refused(
        resolve(vec![message("Root", vec![optional])]),
        "BH-MSG-006",
        &["`left`", "drop `optional`"],
    );

    let entry = Descriptor {
        options: Some(MessageOptions { map_entry: true, ..MessageOptions::default() }),
        ..message("TagsEntry", vec![])
    };
    let map = Descriptor {
        nested: vec![entry],
        ..message("Root", vec![holding("tags", 1, ".pack.v1.Root.TagsEntry")])
    };
    assert_refused(resolve(vec![map]), "BH-MSG-007", &["`tags`", "a map"]);

    let group = message("Root", vec![field("parts", 1, TYPE_GROUP)]);
    assert_refused(resolve(vec![group]), "BH-MSG-008", &["`parts`", "a group"]);

    let an_enum = message("Root", vec![field("mode", 1, TYPE_ENUM)]);
    assert_refused(resolve(vec![an_enum]), "BH-MSG-009", &["`mode`", "ros_constant"]);
}

#[test]
fn recursion_shows_the_way_round() {
    let root = message("Root", vec![holding("child", 1, ".pack.v1.Node")]);
    let node = message("Node", vec![holding("parent", 1, ".pack.v1.Root")]);
    assert_refused(
        resolve(vec![root, node]),
        "BH-MSG-010",
        &["pack.v1.Root -> pack.v1.Node -> pack.v1.Root"],
    );
}

#[test]
fn a_missing_ros_name_is_refused_in_contained_messages_too() {
    let bare = Descriptor { options: None, ..message("Bare", vec![]) };
    let root = message("Root", vec![holding("bare", 1, ".pack.v1.Bare")]);
    assert_refused(resolve(vec![root, bare]), "BH-MSG-011", &["`pack.v1.Bare`", "ros_message"]);
}

#[test]
fn wrong_annotations_name_their_place() {
    let root = message("Root", vec![annotated(field("size", 1, TYPE_DOUBLE), "uint8")]);
    assert_refused(
        resolve(vec![root]),
        "BH-MSG-012",
        &["pack.v1.Root.size", "ros_field = \"uint8\"", "`double`"],
    );

    let mut root = message("Root", vec![]);
    root.options.as_mut().unwrap().ros_constant = vec!["uint8 X=999".to_owned()];
    assert_refused(resolve(vec![root]), "BH-MSG-012", &["ros_constant", "`999` is not a value of uint8"]);
}

#[test]
fn field_names_and_numbers_are_checked() {
    for (fields, word) in [
        (vec![field("frameId", 1, TYPE_DOUBLE)], "lowercase"),
        (vec![field("a", 0, TYPE_DOUBLE)], "536870911"),
        (vec![field("a", 1, TYPE_DOUBLE), field("b", 1, TYPE_DOUBLE)], "number is used twice"),
        (vec![field("a", 1, TYPE_DOUBLE), field("a", 2, TYPE_DOUBLE)], "name is used twice"),
        (vec![field("a", 1, 99)], "not a protobuf type"),
    ] {
        assert_refused(resolve(vec![message("Root", fields)]), "BH-MSG-013", &[word]);
    }
}

#[test]
fn one_name_twice_in_a_set_is_refused() {
    assert_refused(
        resolve(vec![message("Root", vec![]), message("Root", vec![])]),
        "BH-MSG-014",
        &["pack.v1.Root"],
    );
}

#[test]
fn hostile_sizes_are_refused() {
    // Each level holds the next ten times: ten to the tenth values from a few hundred bytes.
    let name = |level: usize| if level == 0 { "Root".to_owned() } else { format!("L{level}") };
    let level = |number: usize| {
        let next = format!(".pack.v1.{}", name(number + 1));
        message(&name(number), (1..=10).map(|i| holding(&format!("f{i}"), i, &next)).collect())
    };
    let last = message("L10", vec![field("x", 1, TYPE_DOUBLE)]);
    assert_refused(resolve((0..10).map(level).chain([last]).collect()), "BH-MSG-015", &["empty form"]);

    let chain = |number: usize| {
        message(&name(number), vec![holding("next", 1, &format!(".pack.v1.{}", name(number + 1)))])
    };
    assert_refused(resolve((0..40).map(chain).collect()), "BH-MSG-015", &["nesting"]);

    let long = FieldDescriptor { label: LABEL_REPEATED, ..field("x", 1, TYPE_DOUBLE) };
    let root = message("Root", vec![annotated(long, "float64[4000000000]")]);
    assert_refused(resolve(vec![root]), "BH-MSG-015", &["4000000000"]);

    assert_refused(Schema::new(vec![0; 2 << 20], "pack.v1.Root").resolve(), "BH-MSG-015", &["bytes"]);
}

#[test]
fn the_fingerprint_sees_fields_and_not_files() {
    let root = || message("Root", vec![field("a", 1, TYPE_DOUBLE), field("b", 2, TYPE_DOUBLE)]);
    let same = resolve(vec![message("Unrelated", vec![]), root()]).unwrap();
    let renumbered =
        resolve(vec![message("Root", vec![field("a", 1, TYPE_DOUBLE), field("b", 3, TYPE_DOUBLE)])]).unwrap();
    let original = resolve(vec![root()]).unwrap();
    assert_eq!(same.fingerprint(), original.fingerprint());
    assert_ne!(renumbered.fingerprint(), original.fingerprint());
}

#[test]
fn versions_of_a_type_are_compatible_if_fields_were_added_at_the_end() {
    let number = |name: &str, at| field(name, at, TYPE_DOUBLE);
    let part = |fields| message("Part", fields);
    let with = |part: Descriptor, more: Vec<FieldDescriptor>| {
        let fields = [vec![number("a", 1), holding("part", 2, ".pack.v1.Part")], more].concat();
        resolve(vec![part, message("Root", fields)]).unwrap()
    };
    let original = with(part(vec![number("x", 1)]), vec![]);
    let grown = [
        with(part(vec![number("x", 1)]), vec![number("b", 3)]),
        with(part(vec![number("x", 1), number("y", 2)]), vec![]),
        with(part(vec![number("x", 1), number("y", 2)]), vec![number("b", 3)]),
    ];
    let changed = [
        with(part(vec![number("z", 1)]), vec![]),
        with(part(vec![number("x", 2)]), vec![]),
        with(part(vec![number("y", 2), number("x", 1)]), vec![]),
        with(part(vec![field("x", 1, TYPE_FLOAT)]), vec![number("b", 3)]),
        resolve(vec![message("Root", vec![number("b", 3), number("a", 1)])]).unwrap(),
    ];
    assert!(original.is_compatible_with(&original));
    for other in &grown {
        assert_ne!(other.fingerprint(), original.fingerprint());
        assert!(original.is_compatible_with(other) && other.is_compatible_with(&original), "{other:?}");
    }
    for other in &changed {
        assert!(!original.is_compatible_with(other) && !other.is_compatible_with(&original), "{other:?}");
    }
}

proptest::proptest! {
    #[test]
    fn damaged_descriptors_never_panic(
        changes in proptest::collection::vec((0_usize..4096, proptest::num::u8::ANY), 1..8),
        cut in 0_usize..4096,
    ) {
        let mut bytes = crate::visualization_msgs::MarkerArray::DESCRIPTOR_SET.to_vec();
        for (at, value) in changes {
            let length = bytes.len();
            bytes[at % length] = value;
        }
        bytes.truncate(cut.max(1));
        if let Ok(resolved) = Schema::new(bytes, "bridgehead.visualization_msgs.v1.MarkerArray").resolve() {
            let plan = crate::JsonPlan::compile(&resolved);
            proptest::prop_assert!(plan.encode(&[], &mut Vec::new()).is_ok());
        }
    }
}

//! Compiles folders with one file each.

use super::*;

const HEAD: &str = "syntax = \"proto3\";\n";
const ROS: &str = "import \"bridgehead/annotations/v1/ros.proto\";\n";

/// Compiles one file; returns what `include_messages!` includes.
fn compiled(text: &str) -> Result<String, Error> {
    let place = tempfile::tempdir().expect("a folder");
    let (folder, out) = (place.path().join("proto"), place.path().join("out"));
    fs::create_dir_all(&folder).expect("a folder");
    fs::create_dir_all(&out).expect("a folder");
    fs::write(folder.join("own.proto"), text).expect("a file");
    compile(&folder, &out)?;
    let set = fs::read(out.join("own.proto.bin")).expect("a descriptor set");
    let set = FileSet::decode(set.as_slice()).expect("a valid set");
    assert!(set.file.iter().all(|file| file.name != ANNOTATIONS), "the annotations are not part of a schema");
    Ok(fs::read_to_string(out.join(INCLUDED)).expect("the types"))
}

fn refused(text: &str) -> String {
    format!("{:?}", compiled(text).expect_err("an error"))
}

#[test]
fn standard_messages_are_those_of_the_sdk() {
    let text = format!(
        "{HEAD}package org.example.v1;\n{ROS}import \"bridgehead/std_msgs/v1/header.proto\";\n\
         message Depth {{ option (bridgehead.annotations.v1.ros_message) = \"example_msgs/msg/Depth\";\n\
         bridgehead.std_msgs.v1.Header header = 1; repeated Layer layers = 2; }}\n\
         message Layer {{ option (bridgehead.annotations.v1.ros_message) = \"example_msgs/msg/Layer\";\n\
         option (bridgehead.annotations.v1.ros_constant) = \"uint8 SAND=2\"; double metres = 1; }}"
    );
    let code = compiled(&text).expect("types");
    let expected = [
        "impl ::bridgehead_plugin_api::messages::Message for self::org::example::v1::Depth",
        "pub const SAND: u32 = 2;",
        "pub use self::org::example::v1::Layer;",
    ];
    expected.iter().for_each(|part| assert!(code.contains(part), "{part} is missing in {code}"));
}

#[test]
fn what_would_fail_later_is_refused_with_the_remedy() {
    let message = "message Depth { double metres = 1; }";
    assert_eq!(
        refused(&format!("{HEAD}package org.example.v1;\n{message}")),
        "own.proto: message `Depth` has no name in ROS; import `bridgehead/annotations/v1/ros.proto` and add \
         `option (bridgehead.annotations.v1.ros_message) = \"example_msgs/msg/Depth\";`"
    );
    assert_eq!(
        refused(&format!("{HEAD}{message}")),
        "own.proto: a package is missing; add a line such as `package org.example.v1;`"
    );
    assert_eq!(
        refused(&format!("{HEAD}package bridgehead.std_msgs.v1;\n{message}")),
        "own.proto: the package `bridgehead.std_msgs.v1` belongs to the standard messages; use a name of your own, \
         such as `org.example.v1`"
    );
    let google =
        "import \"google/protobuf/timestamp.proto\";\nmessage A { google.protobuf.Timestamp t = 1; }";
    assert_eq!(
        refused(&format!("{HEAD}package org.example.v1;\n{google}")),
        "own.proto: `google/protobuf/timestamp.proto` cannot be imported, because ROS does not know its messages; for \
         times and durations, use those of `bridgehead/builtin_interfaces/v1`"
    );
}

#[test]
fn an_error_in_a_file_has_its_place() {
    let text = refused(&format!("{HEAD}package org.example.v1;\nmessage Depth {{ metres double = 1; }}"));
    assert!(text.contains("own.proto:3:"), "{text}");
    let text = refused(&format!("{HEAD}package org.example.v1;\nimport \"bridgehead/none.proto\";"));
    assert!(text.contains("bridgehead/none.proto"), "{text}");
}

#[test]
fn an_empty_folder_is_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let error = compile(place.path(), place.path()).expect_err("an error");
    assert_eq!(error.to_string(), format!("{}: no .proto file is in this folder", place.path().display()));
}

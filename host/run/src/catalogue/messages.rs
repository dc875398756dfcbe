//! Message types, topics and payloads.

use super::entry::{Entry, entries};

entries! {
    // Schemas.
    "BH-MSG-001": "A descriptor set cannot be read."
        => "give an encoded google.protobuf.FileDescriptorSet, as `protoc --descriptor_set_out` writes it";
    "BH-MSG-002": "A descriptor set does not contain the message that was named with it."
        => "check the message's name and its package";
    "BH-MSG-003": "A field refers to a type that is not in the descriptor set."
        => "build the set with its imports: `protoc --include_imports`";
    "BH-MSG-004": "A message is not declared with proto3."
        => "declare its file with `syntax = \"proto3\"`";
    "BH-MSG-005": "A message has a oneof, which ROS cannot express."
        => "use one message per case, or plain fields with a field that selects one of them";
    "BH-MSG-006": "A field is `optional`, which ROS cannot express."
        => "drop `optional`: a ROS field always has a value";
    "BH-MSG-007": "A field is a map, which ROS cannot express."
        => "use a repeated message with a key and a value";
    "BH-MSG-008": "A field is a group, which ROS cannot express."
        => "use a message";
    "BH-MSG-009": "A field is an enum, which ROS cannot express."
        => "use an integer field, and `ros_constant` for the names of its values";
    "BH-MSG-010": "A message contains itself, which ROS cannot express."
        => "break the cycle that the message shows";
    "BH-MSG-011": "A message has no ROS type."
        => "add `option (bridgehead.annotations.v1.ros_message) = \"package/msg/Name\"`";
    "BH-MSG-012": "An annotation is malformed or does not fit its field."
        => "correct the annotation as described in the message";
    "BH-MSG-013": "The name or the number of a field cannot be used."
        => "choose another one, as described in the message";
    "BH-MSG-014": "A message is declared twice in one descriptor set."
        => "build the set from each file once";
    "BH-MSG-015": "A schema exceeds the limits of size and nesting."
        => "split the message, or flatten it";
    // Payloads.
    "BH-MSG-020": "A protobuf payload is cut short."
        => "send whole messages; look for a length that is too small";
    "BH-MSG-021": "A payload is not protobuf."
        => "check the encoding and the type of the sender";
    "BH-MSG-022": "A payload is protobuf of another message type."
        => "check that both sides use the same version of the type";
    "BH-MSG-023": "A string of a payload is not UTF-8."
        => "send text as UTF-8, and bytes in a field of bytes";
    "BH-MSG-024": "A number does not fit its ROS type."
        => "send a value within the range of the type";
    "BH-MSG-025": "An array or a string has a length that its ROS type does not allow."
        => "send the number of elements that the message names";
    "BH-MSG-030": "A text is not JSON from the given byte on."
        => "look for a missing quote, bracket or comma at or before that byte";
    "BH-MSG-031": "A JSON object has an unknown field."
        => "use one of the listed fields";
    "BH-MSG-032": "A JSON object gives a field twice."
        => "remove one of the two";
    "BH-MSG-033": "A JSON value does not have the kind of its field."
        => "write a value of the kind that the message names";
    "BH-MSG-034": "A JSON string for a field of bytes is not base64."
        => "encode the bytes in the standard alphabet, with padding";
    "BH-MSG-035": "A message written in protobuf's text format cannot be read, or does not fit its type."
        => "see the line and column that the message names";
    "BH-MSG-040": "A line of a recording is not a JSON object, or has a member of another kind than expected."
        => "correct the line at the given member and byte";
    "BH-MSG-041": "A line of a recording lacks a member that every line needs."
        => "add the member; the message shows the required members";
    "BH-MSG-042": "A number in a line of a recording is out of its range."
        => "write a number within the range that the message names";
    // Types, topics and services.
    "BH-MSG-050": "Two plugins register different types under one name; the first type is used."
        => "build both against the same version of the type, or change the package or version of one";
    "BH-MSG-060": "A name is not a topic name."
        => "write parts with `/` between them, none of them empty, without control characters";
    "BH-MSG-061": "A subscription has another type than its topic."
        => "subscribe to the type that the message names, or to another topic";
    "BH-MSG-062": "A type was used for a topic or a service before it was registered."
        => "register the type in the plugin's `register`";
    "BH-MSG-063": "The name of a service is taken by another plugin of the vehicle."
        => "give one of the two services another name";
    "BH-MSG-064": "A plugin published more messages between two steps than the host keeps; the excess is counted as dropped."
        => "publish at the pace of the simulation, from `sample` or `control`, or pace the plugin's own thread";
}

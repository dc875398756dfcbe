//! The messages that ROS puts around goal, result and feedback, made as descriptors like everybody else's.
//!
//! So they have plans, texts and hashes without any special case, for an action of a plugin too.

use prost::Message as _;

use crate::builtin_interfaces::Time;
use crate::descriptor::{Descriptor, FieldDescriptor, FieldOptions, File, MessageOptions, TYPE_MESSAGE};
use crate::unique_identifier_msgs::Uuid;
use crate::{Message, MessageType, Schema, SchemaError};

const TYPE_INT32: i32 = 5;
const TYPE_BOOL: i32 = 8;

/// What [`wrap`] makes.
pub(super) struct Wrapped {
    pub(super) send_goal_request: MessageType,
    pub(super) send_goal_response: MessageType,
    pub(super) get_result_request: MessageType,
    pub(super) get_result_response: MessageType,
    pub(super) feedback_message: MessageType,
}

/// A `FileDescriptorSet` whose files are left as they are.
#[derive(Clone, PartialEq, prost::Message)]
struct RawSet {
    #[prost(bytes = "vec", repeated, tag = "1")]
    file: Vec<Vec<u8>>,
}

pub(super) fn wrap(
    goal: &MessageType,
    result: &MessageType,
    feedback: &MessageType,
) -> Result<Wrapped, SchemaError> {
    let contained = [goal.schema(), result.schema(), feedback.schema(), &Uuid::schema(), &Time::schema()];
    let (mut files, dependency) = merged(&contained);
    // A package of its own: the file of the goal may declare these messages too.
    let scope = goal.full_name().rsplit_once('.').map_or("", |(scope, _)| scope);
    let package = if scope.is_empty() { "wrapped".to_owned() } else { format!("{scope}.wrapped") };
    let stem = goal.ros_type().to_string();
    let stem = stem.strip_suffix("_Goal").unwrap_or(&stem);
    let id = || holding("goal_id", 1, Uuid::FULL_NAME);
    let message = vec![
        message(stem, "SendGoal_Request", vec![id(), holding("goal", 2, goal.full_name())]),
        message(
            stem,
            "SendGoal_Response",
            vec![scalar("accepted", 1, TYPE_BOOL, None), holding("stamp", 2, Time::FULL_NAME)],
        ),
        message(stem, "GetResult_Request", vec![id()]),
        message(
            stem,
            "GetResult_Response",
            vec![scalar("status", 1, TYPE_INT32, Some("int8")), holding("result", 2, result.full_name())],
        ),
        message(stem, "FeedbackMessage", vec![id(), holding("feedback", 2, feedback.full_name())]),
    ];
    let name = format!("{}.wrapped.proto", goal.full_name());
    let syntax = "proto3".to_owned();
    files.push(File { name, package: package.clone(), dependency, message, syntax }.encode_to_vec());

    let set = RawSet { file: files }.encode_to_vec();
    let resolve = |name: &str| Schema::new(set.clone(), format!("{package}.{name}")).resolve();
    Ok(Wrapped {
        send_goal_request: resolve("SendGoalRequest")?,
        send_goal_response: resolve("SendGoalResponse")?,
        get_result_request: resolve("GetResultRequest")?,
        get_result_response: resolve("GetResultResponse")?,
        feedback_message: resolve("FeedbackMessage")?,
    })
}

/// The files of all schemas, each name once, with their names. The schemas have been resolved, so their bytes can
/// be read; of two files of one name the first counts.
fn merged(schemas: &[&Schema]) -> (Vec<Vec<u8>>, Vec<String>) {
    let (mut files, mut names) = (Vec::new(), Vec::new());
    for schema in schemas {
        for file in RawSet::decode(schema.descriptor_set()).unwrap_or_default().file {
            let name = File::decode(&*file).unwrap_or_default().name;
            if !names.contains(&name) {
                files.push(file);
                names.push(name);
            }
        }
    }
    (files, names)
}

/// `SendGoal_Request` of `package/action/Name` is `SendGoalRequest` in protobuf.
fn message(stem: &str, part: &str, field: Vec<FieldDescriptor>) -> Descriptor {
    let options = MessageOptions { ros_message: Some(format!("{stem}_{part}")), ..MessageOptions::default() };
    Descriptor { name: part.replace('_', ""), field, options: Some(options), ..Descriptor::default() }
}

fn scalar(name: &str, number: i32, kind: i32, ros_field: Option<&str>) -> FieldDescriptor {
    let options =
        ros_field.map(|text| FieldOptions { ros_field: Some(text.to_owned()), ..FieldOptions::default() });
    FieldDescriptor { name: name.to_owned(), number, label: 1, kind, options, ..FieldDescriptor::default() }
}

fn holding(name: &str, number: i32, full_name: &str) -> FieldDescriptor {
    FieldDescriptor { type_name: format!(".{full_name}"), ..scalar(name, number, TYPE_MESSAGE, None) }
}

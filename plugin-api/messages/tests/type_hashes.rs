//! RIHS01 hashes of whole services and actions and of their parts, against published ones.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a panic is the failure")]

use std::collections::BTreeMap;

use bridgehead_messages::ros::{ActionTypes, ServiceTypes, type_hash};
use bridgehead_messages::simulation_interfaces::{
    SimulateStepsFeedback, SimulateStepsGoal, SimulateStepsResult,
};
use bridgehead_messages::{
    Message, MessageType, Schema, ServiceKind, all_schemas, declared_services, std_msgs,
};

fn resolve(schema: &Schema) -> MessageType {
    schema.resolve().unwrap()
}

fn simulate_steps() -> ActionTypes {
    ActionTypes::new(
        resolve(&SimulateStepsGoal::schema()),
        resolve(&SimulateStepsResult::schema()),
        resolve(&SimulateStepsFeedback::schema()),
    )
    .unwrap()
}

/// Every service whose two halves are in this crate.
fn services() -> Vec<ServiceTypes> {
    let types: BTreeMap<String, MessageType> = all_schemas()
        .map(|schema| resolve(&schema))
        .map(|kind| (kind.ros_type().to_string(), kind))
        .collect();
    let halves = types.iter().filter_map(|(name, request)| {
        let response = types.get(&format!("{}_Response", name.strip_suffix("_Request")?))?;
        Some(ServiceTypes::new(request.clone(), response.clone()).unwrap())
    });
    halves.collect()
}

/// Everything that has a hash, by ROS type.
fn hashes() -> BTreeMap<String, String> {
    let mut hashes = BTreeMap::new();
    let mut add = |name: &str, hash: String| hashes.insert(name.to_owned(), hash);
    for schema in all_schemas() {
        let message = resolve(&schema);
        add(&message.ros_type().to_string(), type_hash(&message).to_string());
    }
    for service in services() {
        add(service.ros_type(), service.type_hash().to_string());
    }
    let action = simulate_steps();
    add(action.ros_type(), action.type_hash().to_string());
    hashes
}

#[test]
fn hashes_are_those_of_the_published_interfaces() {
    let found = hashes();
    let mut compared = 0;
    for line in include_str!("hashes.txt").lines().filter(|line| !line.starts_with('#')) {
        let (name, expected) = line.split_once(' ').unwrap();
        assert_eq!(found.get(name), Some(&format!("RIHS01_{expected}")), "{name}");
        compared += 1;
    }
    assert_eq!(compared, 97);
    let known = [
        (std_msgs::String::schema(), "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"),
        (std_msgs::Empty::schema(), "20b625256f32d5dbc0d04fee44f43c41e51c70d3502f84b4a08e7a9c26a96312"),
    ];
    for (schema, expected) in known {
        assert_eq!(type_hash(&resolve(&schema)).to_string(), format!("RIHS01_{expected}"));
    }
}

#[test]
fn messages_around_an_action_are_those_that_are_declared() {
    let action = simulate_steps();
    let declared: BTreeMap<String, MessageType> = all_schemas()
        .map(|schema| resolve(&schema))
        .map(|kind| (kind.ros_type().to_string(), kind))
        .collect();
    let (send, result) = (action.send_goal(), action.get_result());
    for made in
        [send.request(), send.response(), result.request(), result.response(), action.feedback_message()]
    {
        let declared = &declared[&made.ros_type().to_string()];
        assert_eq!(type_hash(made), type_hash(declared));
        let shape = |message: &MessageType| {
            let fields = message.fields().iter();
            fields.map(|field| (field.number(), field.name().to_owned(), field.arity())).collect::<Vec<_>>()
        };
        assert_eq!(shape(made), shape(declared), "{}", made.ros_type());
    }
}

#[test]
fn parts_of_different_interfaces_make_none() {
    let find = |name: &str| {
        let mut types = all_schemas().map(|schema| resolve(&schema));
        types.find(|message| message.ros_type().to_string() == name).unwrap()
    };
    let [request, response, other, message] = [
        find("std_srvs/srv/SetBool_Request"),
        find("std_srvs/srv/SetBool_Response"),
        find("std_srvs/srv/Trigger_Response"),
        find("std_msgs/msg/Bool"),
    ];
    let refused = |request: &MessageType, response: &MessageType| {
        ServiceTypes::new(request.clone(), response.clone()).unwrap_err().to_string()
    };
    assert!(refused(&request, &other).contains("`std_srvs/srv/Trigger_Response` belong to different"));
    assert!(
        refused(&response, &request)
            .contains("`std_srvs/srv/SetBool_Response`; expected `package/srv/Name_Request`")
    );
    let action = ActionTypes::new(message.clone(), message.clone(), message).unwrap_err().to_string();
    assert!(action.contains("`std_msgs/msg/Bool`; expected `package/action/Name_Goal`"), "{action}");
    assert_eq!(ServiceTypes::new(request, response).unwrap().ros_type(), "std_srvs/srv/SetBool");
}

#[test]
fn declared_services_have_types_and_actions_have_no_halves() {
    for declared in declared_services() {
        match (declared.kind, ServiceTypes::declared(declared)) {
            (ServiceKind::Service, Ok(types)) => assert_eq!(types.ros_type(), declared.ros_type),
            (ServiceKind::Action, Err(error)) => assert!(error.to_string().contains("_Goal`"), "{error}"),
            (_, other) => panic!("{}: {other:?}", declared.method),
        }
    }
}

#[test]
fn texts_are_those_of_interface_files() {
    let set_bool =
        services().into_iter().find(|service| service.ros_type() == "std_srvs/srv/SetBool").unwrap();
    assert_eq!(set_bool.srv_text(), "bool data\n---\nbool success\nstring message\n");
    let expected = "uint64 steps\n---\nsimulation_interfaces/Result result\n---\n\
                    uint64 completed_steps\nuint64 remaining_steps\n";
    assert_eq!(simulate_steps().action_text(), expected);
}

#[test]
fn names_in_dds_follow_from_the_parts() {
    let action = simulate_steps();
    let names = [
        action.send_goal().request(),
        action.send_goal().response(),
        action.cancel_goal().request(),
        action.cancel_goal().response(),
        action.get_result().request(),
        action.get_result().response(),
        action.feedback_message(),
        action.status(),
    ]
    .map(|message| message.ros_type().dds());
    let own = "simulation_interfaces::action::dds_::SimulateSteps";
    assert_eq!(
        names,
        [
            format!("{own}_SendGoal_Request_"),
            format!("{own}_SendGoal_Response_"),
            "action_msgs::srv::dds_::CancelGoal_Request_".to_owned(),
            "action_msgs::srv::dds_::CancelGoal_Response_".to_owned(),
            format!("{own}_GetResult_Request_"),
            format!("{own}_GetResult_Response_"),
            format!("{own}_FeedbackMessage_"),
            "action_msgs::msg::dds_::GoalStatusArray_".to_owned(),
        ]
    );
}

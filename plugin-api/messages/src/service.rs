//! The services and actions that are declared beside the messages, in `service` blocks of the `.proto` files.
//!
//! A declaration has everything that the host, a document or a bridge needs: the default name, the ROS type, both messages,
//! and its simulator features.

use crate::Schema;
use crate::generated::{COMMENTS, SERVICES};

/// A method of a `service` block.
#[derive(Debug, Clone, Copy)]
pub struct ServiceDeclaration {
    /// Protobuf package, for example `bridgehead.simulation_interfaces.v1`.
    pub package: &'static str,
    /// Name of the block, for example `SimulationInterfaces`.
    pub block: &'static str,
    /// Name of the method, for example `GetEntities`.
    pub method: &'static str,
    /// Name under which it is offered unless configured otherwise, for example `get_entities`.
    pub name: &'static str,
    /// Whether it is a service or an action.
    pub kind: ServiceKind,
    /// ROS type, for example `simulation_interfaces/srv/GetEntities`.
    pub ros_type: &'static str,
    /// Whether it only reads.
    pub is_reader: bool,
    /// Whether it asks for a transition of the run.
    pub is_transition: bool,
    /// Constants of `simulation_interfaces/msg/SimulatorFeatures` that need this method.
    pub features: &'static [&'static str],
    /// Schema of the request, or of the goal.
    pub request: fn() -> Schema,
    /// Schema of the response, or of the result.
    pub response: fn() -> Schema,
    /// Its description for people.
    pub comment: &'static str,
}

/// The kind of a declared method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceKind {
    /// One request, one response.
    Service,
    /// A goal, feedback, a result.
    Action,
}

/// Returns every declared service and action, ordered by file.
#[must_use]
pub fn declared_services() -> &'static [ServiceDeclaration] {
    &SERVICES
}

/// Returns the comment in the `.proto` file on a message or a field of this crate, by its protobuf full name.
#[must_use]
pub fn comment(full_name: &str) -> Option<&'static str> {
    let index = COMMENTS.binary_search_by(|(name, _)| name.cmp(&full_name)).ok()?;
    COMMENTS.get(index).map(|(_, comment)| *comment)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{JsonPlan, Message, simulation_interfaces};

    #[test]
    fn every_service_of_simulation_interfaces_and_its_action_is_declared() {
        let of_ros = |kind| {
            let all = declared_services().iter().filter(move |declared| declared.kind == kind);
            all.filter(|declared| declared.ros_type.starts_with("simulation_interfaces/")).count()
        };
        assert_eq!((of_ros(ServiceKind::Service), of_ros(ServiceKind::Action)), (22, 1));
    }

    #[test]
    fn names_are_unique_and_types_agree_with_those_of_the_messages() {
        let names: BTreeSet<&str> = declared_services().iter().map(|declared| declared.name).collect();
        assert_eq!(names.len(), declared_services().len());
        for declared in declared_services() {
            let suffixes = match declared.kind {
                ServiceKind::Service => ["_Request", "_Response"],
                ServiceKind::Action => ["_Goal", "_Result"],
            };
            for (schema, suffix) in [(declared.request)(), (declared.response)()].into_iter().zip(suffixes) {
                let ros = schema.resolve().expect("a type").ros_type().to_string();
                assert_eq!(ros, format!("{}{suffix}", declared.ros_type), "{}", declared.method);
            }
            assert!(declared.comment.ends_with('.'), "{} has no comment", declared.method);
        }
    }

    #[test]
    fn every_feature_of_the_simulator_stands_for_a_method_and_the_other_way_round() {
        let message = simulation_interfaces::SimulatorFeatures::schema().resolve().expect("a type");
        let known: BTreeSet<&str> =
            message.root().constants().iter().filter_map(|line| line.split([' ', '=']).nth(1)).collect();
        let used: BTreeSet<&str> =
            declared_services().iter().flat_map(|declared| declared.features).copied().collect();
        assert_eq!((used, known.len()), (known, 32));
    }

    #[test]
    fn comments_are_found_by_full_name() {
        let name = "bridgehead.simulation_interfaces.v1.StepSimulationRequest.steps";
        assert_eq!(comment(name), Some("Number of steps."));
        assert_eq!(comment("bridgehead.Nothing"), None);
    }

    fn state_flags(json: &str) -> [bool; 3] {
        use prost::Message as _;
        let message = simulation_interfaces::SetEntityStateRequest::schema().resolve().expect("a type");
        let mut payload = Vec::new();
        JsonPlan::compile(&message).decode(json, &mut payload).expect("a request");
        let request = simulation_interfaces::SetEntityStateRequest::decode(&*payload).expect("a request");
        [request.set_pose, request.set_twist, request.set_acceleration]
    }

    #[test]
    fn a_request_of_an_older_generation_means_what_it_meant_there() {
        assert_eq!(state_flags("{}"), [true, true, false]);
        assert_eq!(state_flags(r#"{"set_twist": true}"#), [false, true, false]);
        assert_eq!(state_flags(r#"{"set_pose": false}"#), [false, false, false]);
    }

    #[test]
    fn absent_members_of_json_have_their_ros_default() {
        use prost::Message as _;
        let message = simulation_interfaces::StepSimulationRequest::schema().resolve().expect("a type");
        let plan = JsonPlan::compile(&message);
        for (json, steps) in [("{}", 1), (r#"{"steps": 0}"#, 0), (r#"{"steps": 7}"#, 7)] {
            let mut payload = Vec::new();
            plan.decode(json, &mut payload).expect("a request");
            let request = simulation_interfaces::StepSimulationRequest::decode(&*payload).expect("a request");
            assert_eq!(request.steps, steps, "{json}");
        }
    }
}

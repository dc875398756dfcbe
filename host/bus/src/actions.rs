//! Actions: which services and topics belong together, by the names and types that ROS 2 gives them.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ActionDescription, ActionDescriptions,
};

use super::service::{ServicePoint, Services};

/// Ending of the name of the service that accepts goals.
pub const SEND_GOAL: &str = "/_action/send_goal";
/// Ending of the name of the service that responds when a goal has ended.
pub const GET_RESULT: &str = "/_action/get_result";
/// Ending of the name of the service that cancels goals.
pub const CANCEL_GOAL: &str = "/_action/cancel_goal";
/// Ending of the name of the topic with the progress of goals.
pub const FEEDBACK: &str = "/_action/feedback";
/// Ending of the name of the topic with the states of goals.
pub const STATUS: &str = "/_action/status";

/// Returns the actions among these services, in the order of their names.
#[must_use]
pub fn describe(services: &Services) -> ActionDescriptions {
    let mut actions: Vec<ActionDescription> =
        services.all().iter().filter_map(|service| action(service)).collect();
    actions.sort_by(|one, other| one.name.cmp(&other.name));
    ActionDescriptions { actions }
}

/// Returns the action whose goals a service accepts; `None` for all other services.
fn action(service: &ServicePoint) -> Option<ActionDescription> {
    let name = service.name.strip_suffix(SEND_GOAL)?;
    let kind = service.request.ros_name().strip_suffix("_SendGoal_Request")?;
    let part = |ending: &str| format!("{name}{ending}");
    Some(ActionDescription {
        name: name.to_owned(),
        r#type: kind.to_owned(),
        send_goal: service.name.clone(),
        get_result: part(GET_RESULT),
        cancel_goal: part(CANCEL_GOAL),
        feedback: part(FEEDBACK),
        feedback_type: format!("{kind}_FeedbackMessage"),
        status: part(STATUS),
    })
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::{Message, simulation_interfaces as si};

    use super::*;
    use crate::TypeRegistry;

    fn advertise<Q: Message, R: Message>(services: &Services, name: &str) {
        let types = TypeRegistry::default();
        let register = |name, set| types.register(name, set, "test").expect("registered");
        let request = register(Q::FULL_NAME, Q::DESCRIPTOR_SET);
        let response = register(R::FULL_NAME, R::DESCRIPTOR_SET);
        services.advertise("car1", name, request, response).expect("a name").expect("free");
    }

    #[test]
    fn an_action_is_found_by_name_and_type_of_the_service_that_accepts_its_goals() {
        type Goal = si::SimulateStepsSendGoalRequest;
        type Accepted = si::SimulateStepsSendGoalResponse;
        let services = Services::default();
        advertise::<Goal, Accepted>(&services, "lift/_action/send_goal");
        advertise::<Goal, Accepted>(&services, "send_goal");
        advertise::<si::StepSimulationRequest, si::StepSimulationResponse>(&services, "b/_action/send_goal");
        let found = describe(&services).actions;
        assert_eq!(found.len(), 1, "{found:?}");
        let action = &found[0];
        assert_eq!(action.name, "/car1/lift");
        assert_eq!(action.r#type, "simulation_interfaces/action/SimulateSteps");
        assert_eq!(action.feedback_type, "simulation_interfaces/action/SimulateSteps_FeedbackMessage");
        let parts =
            [&action.send_goal, &action.get_result, &action.cancel_goal, &action.feedback, &action.status];
        let expected = ["send_goal", "get_result", "cancel_goal", "feedback", "status"];
        assert_eq!(
            parts.map(String::as_str),
            expected.map(|part| format!("/car1/lift/_action/{part}")).each_ref().map(String::as_str)
        );
    }
}

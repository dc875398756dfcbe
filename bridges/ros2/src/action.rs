//! Actions of the run as ROS 2 actions.
//!
//! The host offers an action as the three services and two topics of a ROS 2 action and keeps its goals itself. This
//! module only ensures that all five exist from the beginning: clients see an action as available once its topics
//! exist too, even though nothing is published on them before the first goal.

use std::sync::Arc;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::messages::ros::ServiceTypes;

use crate::dds::{Participant, Qos, Writer};
use crate::names::{Names, dds_topic};

/// Suffix of the name of an action's first service.
const SEND_GOAL: &str = "/_action/send_goal";

/// A topic of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ActionTopic {
    /// Its name on the bus, for example `/simulate_steps/_action/feedback`.
    name: String,
    /// Its type in DDS.
    kind: String,
    qos: Qos,
}

impl ActionTopic {
    /// Returns the topics of the action to which a service belongs; `None` unless it is the service that accepts
    /// goals.
    fn of(service: &str, types: &ServiceTypes) -> Option<[Self; 2]> {
        let action = service.strip_suffix(SEND_GOAL)?;
        let goal = types.request().ros_type();
        let stem = goal.name().strip_suffix("_SendGoal_Request")?;
        let feedback = ActionTopic {
            name: format!("{action}/_action/feedback"),
            kind: format!("{}::action::dds_::{stem}_FeedbackMessage_", goal.package()),
            qos: Qos::DEFAULT,
        };
        let status = ActionTopic {
            name: format!("{action}/_action/status"),
            kind: "action_msgs::msg::dds_::GoalStatusArray_".to_owned(),
            qos: Qos::LATCHED,
        };
        Some([feedback, status])
    }
}

/// The writers of an action's topics.
pub(crate) struct ActionWriters {
    writers: [(String, Arc<Writer>); 2],
}

impl ActionWriters {
    /// Opens the writers of the action to which a service belongs; `None` unless it is the service that accepts
    /// goals.
    ///
    /// # Errors
    /// Returns an error if DDS cannot create a writer.
    pub(crate) fn of(
        service: &str,
        types: &ServiceTypes,
        participant: &Arc<Participant>,
        names: &Names,
    ) -> Result<Option<Self>> {
        let Some([feedback, status]) = ActionTopic::of(service, types) else { return Ok(None) };
        let open = |topic: ActionTopic| -> Result<(String, Arc<Writer>)> {
            let writer =
                participant.writer(&dds_topic(&names.resolve(&topic.name)), &topic.kind, topic.qos)?;
            Ok((topic.name, Arc::new(writer)))
        };
        Ok(Some(ActionWriters { writers: [open(feedback)?, open(status)?] }))
    }

    /// Returns the writer of a topic by its name on the bus.
    pub(crate) fn writer(&self, topic: &str) -> Option<Arc<Writer>> {
        self.writers.iter().find(|(name, _)| name == topic).map(|(_, writer)| Arc::clone(writer))
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::Message;
    use bridgehead_plugin_api::messages::simulation_interfaces as si;

    use super::*;

    fn types<Q: Message, R: Message>() -> ServiceTypes {
        let resolve = |schema: bridgehead_plugin_api::messages::Schema| schema.resolve().expect("a type");
        ServiceTypes::new(resolve(Q::schema()), resolve(R::schema())).expect("a service")
    }

    #[test]
    fn the_service_that_accepts_goals_brings_the_topics() {
        let types = types::<si::SimulateStepsSendGoalRequest, si::SimulateStepsSendGoalResponse>();
        let [feedback, status] =
            ActionTopic::of("/ns/simulate_steps/_action/send_goal", &types).expect("an action");
        assert_eq!(
            feedback,
            ActionTopic {
                name: "/ns/simulate_steps/_action/feedback".into(),
                kind: "simulation_interfaces::action::dds_::SimulateSteps_FeedbackMessage_".into(),
                qos: Qos::DEFAULT,
            }
        );
        assert_eq!(
            status,
            ActionTopic {
                name: "/ns/simulate_steps/_action/status".into(),
                kind: "action_msgs::msg::dds_::GoalStatusArray_".into(),
                qos: Qos::LATCHED,
            }
        );
    }

    #[test]
    fn other_services_bring_no_topics() {
        let result = types::<si::SimulateStepsGetResultRequest, si::SimulateStepsGetResultResponse>();
        assert_eq!(ActionTopic::of("/simulate_steps/_action/get_result", &result), None);
        let delete = types::<si::DeleteEntityRequest, si::DeleteEntityResponse>();
        assert_eq!(ActionTopic::of("/x/_action/send_goal", &delete), None);
    }
}

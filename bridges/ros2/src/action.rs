//! Actions of the run as ROS 2 actions.
//!
//! The host offers an action as the three services and two topics of a ROS 2 action and keeps its goals itself. This
//! module only ensures that all five exist from the beginning: clients see an action as available once its topics
//! exist too, even though nothing is published on them before the first goal.

use std::sync::Arc;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;

use crate::dds::{Participant, Qos, Writer};
use crate::names::{Names, dds_topic};

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
    /// Returns the topics of an action; `None` if its type is no type of ROS.
    fn of(action: &ActionDescription) -> Option<[Self; 2]> {
        let (package, feedback) = action.feedback_type.split_once("/action/")?;
        let feedback = ActionTopic {
            name: action.feedback.clone(),
            kind: format!("{package}::action::dds_::{feedback}_"),
            qos: Qos::DEFAULT,
        };
        let status = ActionTopic {
            name: action.status.clone(),
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
    /// Opens the writers of an action; `None` if its type is no type of ROS.
    ///
    /// # Errors
    /// Returns an error if DDS cannot create a writer.
    pub(crate) fn of(
        action: &ActionDescription,
        participant: &Arc<Participant>,
        names: &Names,
    ) -> Result<Option<Self>> {
        let Some([feedback, status]) = ActionTopic::of(action) else { return Ok(None) };
        let open = |topic: ActionTopic| -> Result<(String, Arc<Writer>)> {
            let writer =
                Writer::open(participant, &dds_topic(&names.resolve(&topic.name)), &topic.kind, topic.qos)?;
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
    use super::*;

    #[test]
    fn an_action_has_the_two_topics_of_ros() {
        let action = ActionDescription {
            feedback: "/ns/simulate_steps/_action/feedback".into(),
            feedback_type: "simulation_interfaces/action/SimulateSteps_FeedbackMessage".into(),
            status: "/ns/simulate_steps/_action/status".into(),
            ..ActionDescription::default()
        };
        let [feedback, status] = ActionTopic::of(&action).expect("an action");
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
        assert_eq!(ActionTopic::of(&ActionDescription::default()), None);
    }
}

//! Actions of the run as ROS 2 actions.
//!
//! The host offers an action as the three services and two topics of a ROS 2 action and keeps its goals itself. This
//! module only ensures that all five exist from the beginning: clients see an action as available once its topics
//! exist too, even though nothing is published on them before the first goal.

use std::sync::Arc;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::messages::all_schemas;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;

use crate::qos::Qos;
use crate::topic_type::TopicType;
use crate::transport::Transport;

/// The type of the states of goals.
const STATUS: &str = "action_msgs/msg/GoalStatusArray";

/// A topic of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ActionTopic {
    /// Its name on the bus, for example `/simulate_steps/_action/feedback`.
    name: String,
    kind: TopicType,
    qos: Qos,
}

impl ActionTopic {
    /// Returns the topics of an action; `None` if its type is no type of ROS.
    fn of(action: &ActionDescription, needs_hashes: bool) -> Option<[Self; 2]> {
        if !action.feedback_type.contains("/action/") {
            return None;
        }
        let (feedback, status) =
            (type_named(&action.feedback_type, needs_hashes)?, type_named(STATUS, needs_hashes)?);
        Some([
            ActionTopic { name: action.feedback.clone(), kind: feedback, qos: Qos::DEFAULT },
            ActionTopic { name: action.status.clone(), kind: status, qos: Qos::LATCHED },
        ])
    }
}

/// Returns the type with this name of ROS, such as `package/msg/Name`, with its hash if that is needed and the SDK contains
/// the type: the host does not say the fields of a topic before somebody publishes it.
fn type_named(name: &str, needs_hash: bool) -> Option<TopicType> {
    let (package, rest) = name.split_once('/')?;
    let (kind, short) = rest.split_once('/')?;
    let dds_name = format!("{package}::{kind}::dds_::{short}_");
    // Resolving every type takes a while.
    let mut types = all_schemas().filter(|_| needs_hash).filter_map(|schema| schema.resolve().ok());
    let found = types.find(|message| message.ros_type().dds() == dds_name);
    Some(match found {
        Some(message) => TopicType::of(&message),
        None => TopicType { dds_name, hash: None, has_bytes: false },
    })
}

/// The writers of an action's topics, by their names on the bus.
pub(crate) struct ActionWriters<T: Transport>(Vec<(String, Arc<T::Writer>)>);

impl<T: Transport> ActionWriters<T> {
    /// Opens the writers of an action; `None` if its type is no type of ROS.
    ///
    /// # Errors
    /// Returns an error if the transport cannot create a writer.
    pub(crate) fn of(action: &ActionDescription, transport: &T) -> Result<Option<Self>> {
        let Some(topics) = ActionTopic::of(action, T::NEEDS_HASHES) else { return Ok(None) };
        let names = &transport.settings().names;
        let topics = topics.into_iter().filter(|topic| topic.kind.hash.is_some() || !T::NEEDS_HASHES);
        let open = |topic: ActionTopic| -> Result<(String, Arc<T::Writer>)> {
            let writer = transport.writer(&names.resolve(&topic.name), &topic.kind, topic.qos)?;
            Ok((topic.name, Arc::new(writer)))
        };
        Ok(Some(ActionWriters(topics.map(open).collect::<Result<_>>()?)))
    }

    /// Returns the writer of a topic by its name on the bus.
    pub(crate) fn writer(&self, topic: &str) -> Option<Arc<T::Writer>> {
        self.0.iter().find(|(name, _)| name == topic).map(|(_, writer)| Arc::clone(writer))
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
        let [feedback, status] = ActionTopic::of(&action, true).expect("an action");
        assert_eq!(
            (feedback.name.as_str(), feedback.qos),
            ("/ns/simulate_steps/_action/feedback", Qos::DEFAULT)
        );
        assert_eq!(
            feedback.kind.dds_name,
            "simulation_interfaces::action::dds_::SimulateSteps_FeedbackMessage_"
        );
        assert_eq!((status.name.as_str(), status.qos), ("/ns/simulate_steps/_action/status", Qos::LATCHED));
        assert_eq!(status.kind.dds_name, "action_msgs::msg::dds_::GoalStatusArray_");
        assert_eq!(ActionTopic::of(&ActionDescription::default(), true), None);
    }

    #[test]
    fn the_hash_is_known_of_types_of_the_sdk() {
        let status = type_named(STATUS, true).expect("a type");
        let hash = status.hash.expect("a type of the SDK").to_string();
        // Computed by rosbags for Jazzy.
        assert_eq!(hash, "RIHS01_6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e");
        assert_eq!(type_named("mine/action/Go_FeedbackMessage", true).expect("a type").hash, None);
        assert_eq!(type_named("nothing", true), None);
    }
}

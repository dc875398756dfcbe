//! Services and actions of ROS 2: the types of their parts, their texts and their hashes.
//!
//! Everything follows from the messages: a service from its two halves, an action from goal, result and feedback,
//! to which ROS adds messages of its own.

use super::type_hash::{DescribedField, Descriptions};
use super::{TypeHash, msg_text};
use crate::action_msgs::{CancelGoalRequest, CancelGoalResponse, GoalStatusArray};
use crate::{Message as _, MessageType, SchemaError, ServiceDeclaration};

#[cfg(test)]
mod tests;
mod wrap;

/// Why messages do not form a service or an action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InterfaceError {
    /// A message is not the expected part.
    #[error("a part of an interface is named `{found}`; expected `package/{part}`")]
    NotThePart {
        /// ROS type of the message.
        found: String,
        /// Pattern of the name, for example `srv/Name_Request`.
        part: String,
    },
    /// Two parts belong to different services or actions.
    #[error(
        "`{first}` and `{second}` belong to different interfaces; their names must differ in the ending only"
    )]
    Apart {
        /// ROS type of one part.
        first: String,
        /// ROS type of the other.
        second: String,
    },
    /// One of the messages that ROS adds to an action, or a declared message, cannot be resolved.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

/// A service: two messages and their ROS definitions.
#[derive(Debug, Clone)]
pub struct ServiceTypes {
    ros_type: String,
    request: MessageType,
    response: MessageType,
}

impl ServiceTypes {
    /// Creates a service from its two halves; it may also be one of the services of an action.
    ///
    /// # Errors
    /// Returns an error if the names are not those of the two halves of one service.
    pub fn new(request: MessageType, response: MessageType) -> Result<Self, InterfaceError> {
        let ros_type = stem(&request, "_Request")?;
        if stem(&response, "_Response")? != ros_type {
            return Err(apart(&request, &response));
        }
        Ok(Self { ros_type, request, response })
    }

    /// Creates a service that is declared in this crate.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new); an action has no halves.
    pub fn declared(service: &ServiceDeclaration) -> Result<Self, InterfaceError> {
        Self::new((service.request)().resolve()?, (service.response)().resolve()?)
    }

    /// ROS type, for example `std_srvs/srv/SetBool`; its halves have names of their own.
    pub fn ros_type(&self) -> &str {
        &self.ros_type
    }

    /// The request.
    pub fn request(&self) -> &MessageType {
        &self.request
    }

    /// The response.
    pub fn response(&self) -> &MessageType {
        &self.response
    }

    /// Returns the `.srv` definition.
    pub fn srv_text(&self) -> String {
        format!("{}---\n{}", msg_text(&self.request), msg_text(&self.response))
    }

    /// Returns the hash of the whole; [`type_hash`](super::type_hash) returns those of the halves.
    pub fn type_hash(&self) -> TypeHash {
        let mut known = Descriptions::default();
        self.describe(&mut known);
        known.hash(&self.ros_type)
    }

    /// ROS describes a service as a message with request, response and the event of a call.
    fn describe(&self, known: &mut Descriptions) {
        let request = known.add_message(&self.request);
        let response = known.add_message(&self.response);
        let info = known.add_event_info();
        let event = format!("{}_Event", self.ros_type);
        let fields = vec![
            DescribedField::nested("info", &info),
            DescribedField::nested("request", &request).at_most_one(),
            DescribedField::nested("response", &response).at_most_one(),
        ];
        known.add(event.clone(), fields);
        let fields = vec![
            DescribedField::nested("request_message", &request),
            DescribedField::nested("response_message", &response),
            DescribedField::nested("event_message", &event),
        ];
        known.add(self.ros_type.clone(), fields);
    }
}

/// An action: goal, result and feedback, and the three services and two topics that carry them.
///
/// The names of the five begin with the action's own name and a slash; of the services `_action/send_goal`,
/// `_action/cancel_goal` and `_action/get_result`, of the topics `_action/feedback` and `_action/status`.
#[derive(Debug, Clone)]
pub struct ActionTypes {
    ros_type: String,
    goal: MessageType,
    result: MessageType,
    feedback: MessageType,
    send_goal: ServiceTypes,
    cancel_goal: ServiceTypes,
    get_result: ServiceTypes,
    feedback_message: MessageType,
    status: MessageType,
}

impl ActionTypes {
    /// Creates an action from its three parts. The additional messages are created here: as protobuf they have the fields of
    /// their ROS counterparts, numbered from 1.
    ///
    /// # Errors
    /// Returns an error if the names are not those of the three parts of one action.
    pub fn new(
        goal: MessageType,
        result: MessageType,
        feedback: MessageType,
    ) -> Result<Self, InterfaceError> {
        let ros_type = stem(&goal, "_Goal")?;
        for (part, ending) in [(&result, "_Result"), (&feedback, "_Feedback")] {
            if stem(part, ending)? != ros_type {
                return Err(apart(&goal, part));
            }
        }
        let wrapped = wrap::wrap(&goal, &result, &feedback)?;
        Ok(Self {
            ros_type,
            goal,
            result,
            feedback,
            send_goal: ServiceTypes::new(wrapped.send_goal_request, wrapped.send_goal_response)?,
            cancel_goal: ServiceTypes::new(
                CancelGoalRequest::schema().resolve()?,
                CancelGoalResponse::schema().resolve()?,
            )?,
            get_result: ServiceTypes::new(wrapped.get_result_request, wrapped.get_result_response)?,
            feedback_message: wrapped.feedback_message,
            status: GoalStatusArray::schema().resolve()?,
        })
    }

    /// ROS type, for example `simulation_interfaces/action/SimulateSteps`.
    pub fn ros_type(&self) -> &str {
        &self.ros_type
    }

    /// Returns the goal.
    pub fn goal(&self) -> &MessageType {
        &self.goal
    }

    /// Returns the result.
    pub fn result(&self) -> &MessageType {
        &self.result
    }

    /// Returns the feedback.
    pub fn feedback(&self) -> &MessageType {
        &self.feedback
    }

    /// `_action/send_goal`: `goal_id` and `goal`; answered with `accepted` and `stamp`.
    pub fn send_goal(&self) -> &ServiceTypes {
        &self.send_goal
    }

    /// `_action/cancel_goal`, the same for all actions.
    pub fn cancel_goal(&self) -> &ServiceTypes {
        &self.cancel_goal
    }

    /// `_action/get_result`: `goal_id`; answered with `status` and `result` when the goal has ended.
    pub fn get_result(&self) -> &ServiceTypes {
        &self.get_result
    }

    /// `_action/feedback`: `goal_id` and `feedback`.
    pub fn feedback_message(&self) -> &MessageType {
        &self.feedback_message
    }

    /// `_action/status`, the same for all actions.
    pub fn status(&self) -> &MessageType {
        &self.status
    }

    /// Returns the `.action` definition.
    pub fn action_text(&self) -> String {
        format!("{}---\n{}---\n{}", msg_text(&self.goal), msg_text(&self.result), msg_text(&self.feedback))
    }

    /// Returns the hash of the whole.
    pub fn type_hash(&self) -> TypeHash {
        let mut known = Descriptions::default();
        self.send_goal.describe(&mut known);
        self.get_result.describe(&mut known);
        let feedback_message = known.add_message(&self.feedback_message);
        let fields = vec![
            DescribedField::nested("goal", &known.add_message(&self.goal)),
            DescribedField::nested("result", &known.add_message(&self.result)),
            DescribedField::nested("feedback", &known.add_message(&self.feedback)),
            DescribedField::nested("send_goal_service", self.send_goal.ros_type()),
            DescribedField::nested("get_result_service", self.get_result.ros_type()),
            DescribedField::nested("feedback_message", &feedback_message),
        ];
        known.add(self.ros_type.clone(), fields);
        known.hash(&self.ros_type)
    }
}

/// Returns `package/srv/Name` for `package/srv/Name_Request`.
fn stem(message: &MessageType, ending: &str) -> Result<String, InterfaceError> {
    let found = message.ros_type().to_string();
    match found.strip_suffix(ending) {
        Some(stem) => Ok(stem.to_owned()),
        None => {
            let folder = if matches!(ending, "_Request" | "_Response") { "srv" } else { "action" };
            Err(InterfaceError::NotThePart { found, part: format!("{folder}/Name{ending}") })
        }
    }
}

fn apart(first: &MessageType, second: &MessageType) -> InterfaceError {
    let (first, second) = (first.ros_type().to_string(), second.ros_type().to_string());
    InterfaceError::Apart { first, second }
}

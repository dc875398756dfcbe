//! The response to a client whose call failed.
//!
//! DDS cannot report that a call failed: a client without a reply waits until its own time-out. So the reply is a
//! response of the service's type that reports the failure, if the type can.

use bridgehead_plugin_api::messages::{Arity, Field, JsonPlan, MessageType};

/// `RESULT_OPERATION_FAILED` of `simulation_interfaces/msg/Result`.
const OPERATION_FAILED: u8 = 4;
/// `ERROR_REJECTED` of `action_msgs/srv/CancelGoal`.
const REJECTED: u8 = 1;
/// `STATUS_ABORTED` of `action_msgs/msg/GoalStatus`.
const ABORTED: u8 = 6;

/// The result type of simulator services.
const RESULT: &str = "simulation_interfaces/msg/Result";
/// The feature list of a simulator, which includes a free text.
const FEATURES: &str = "simulation_interfaces/msg/SimulatorFeatures";

/// Builds responses of one type that report a failed call.
pub(super) struct FailureResponse {
    plan: JsonPlan,
    format: FailureFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FailureFormat {
    /// A field `result` of [`RESULT`].
    Result,
    /// A field `features` of [`FEATURES`]: the list is empty, and the text gives the reason.
    Features,
    /// Fields `success` and `message`, as in `std_srvs`.
    Success,
    /// A field `success` alone, as in `ros_gz_interfaces`.
    SuccessAlone,
    /// A field `accepted`, as in a goal response.
    Accepted,
    /// A field `return_code`, as in a cancel response.
    ReturnCode,
    /// Fields `status` and `result`, as in a goal result.
    Goal,
}

impl FailureResponse {
    /// Returns a builder for this type; `None` if its responses cannot report a failure.
    pub(super) fn of(response: &MessageType) -> Option<Self> {
        Some(FailureResponse { plan: JsonPlan::compile(response), format: format_of(response)? })
    }

    /// Returns a response in protobuf with the reason.
    pub(super) fn response(&self, why: &str) -> Option<Vec<u8>> {
        let why = text(why);
        let result = format!(r#"{{"result":{OPERATION_FAILED},"error_message":{why}}}"#);
        let json = match self.format {
            FailureFormat::Result => format!(r#"{{"result":{result}}}"#),
            FailureFormat::Features => format!(r#"{{"features":{{"custom_info":{why}}}}}"#),
            FailureFormat::Success => format!(r#"{{"success":false,"message":{why}}}"#),
            FailureFormat::SuccessAlone => r#"{"success":false}"#.to_owned(),
            FailureFormat::Accepted => r#"{"accepted":false}"#.to_owned(),
            FailureFormat::ReturnCode => format!(r#"{{"return_code":{REJECTED}}}"#),
            FailureFormat::Goal => format!(r#"{{"status":{ABORTED}}}"#),
        };
        let with_text = format!(r#"{{"status":{ABORTED},"result":{{"result":{result}}}}}"#);
        let mut payload = Vec::new();
        // Results of simulator actions contain the result type of services; other actions do not.
        let has_text =
            self.format == FailureFormat::Goal && self.plan.decode(&with_text, &mut payload).is_ok();
        (has_text || self.plan.decode(&json, &mut payload).is_ok()).then_some(payload)
    }
}

fn format_of(response: &MessageType) -> Option<FailureFormat> {
    let has = |name: &str, kind: &str| {
        response.fields().iter().any(|field| field.name() == name && is_single(response, field, kind))
    };
    match () {
        () if has("result", RESULT) => Some(FailureFormat::Result),
        () if has("features", FEATURES) => Some(FailureFormat::Features),
        () if has("success", "bool") && has("message", "string") => Some(FailureFormat::Success),
        () if has("success", "bool") => Some(FailureFormat::SuccessAlone),
        () if has("accepted", "bool") => Some(FailureFormat::Accepted),
        () if has("return_code", "int8") => Some(FailureFormat::ReturnCode),
        () if has("status", "int8") => Some(FailureFormat::Goal),
        () => None,
    }
}

/// Returns true if a field is a single value of that ROS type.
fn is_single(of: &MessageType, field: &Field, kind: &str) -> bool {
    let found = bridgehead_plugin_api::messages::ros::field_type(of, field);
    field.arity() == Arity::One && (found == kind || found == kind.replace("/msg/", "/"))
}

/// Returns a JSON string.
fn text(of: &str) -> String {
    let mut json = String::from("\"");
    for letter in of.chars() {
        match letter {
            '"' | '\\' => json.extend(['\\', letter]),
            letter if letter.is_control() => json.push(' '),
            letter => json.push(letter),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::action_msgs::CancelGoalResponse;
    use bridgehead_plugin_api::messages::simulation_interfaces as si;
    use bridgehead_plugin_api::messages::{
        Message, ServiceKind, declared_services, ros_gz_interfaces, std_srvs,
    };

    use super::*;

    fn failure_response<M: Message>(why: &str) -> Option<M> {
        let response = M::schema().resolve().expect("a type");
        let payload = FailureResponse::of(&response)?.response(why).expect("a response");
        Some(M::decode(&*payload).expect("a response"))
    }

    #[test]
    fn results_carry_code_and_text() {
        let why = "byte 3: \"no\"\nbool \\ at all";
        let response: si::DeleteEntityResponse = failure_response(why).expect("a format");
        let result = response.result.expect("a result");
        assert_eq!((result.result, result.error_message.as_str()), (4, "byte 3: \"no\" bool \\ at all"));
        let response: std_srvs::TriggerResponse = failure_response("why").expect("a format");
        assert_eq!((response.success, response.message.as_str()), (false, "why"));
        let response: ros_gz_interfaces::SetEntityPoseResponse = failure_response("why").expect("a format");
        assert!(!response.success);
    }

    #[test]
    fn the_services_of_an_action_report_a_failure_in_their_own_fields() {
        assert!(!failure_response::<si::SimulateStepsSendGoalResponse>("why").expect("a format").accepted);
        assert_eq!(failure_response::<CancelGoalResponse>("why").expect("a format").return_code, 1);
        let response: si::SimulateStepsGetResultResponse = failure_response("why").expect("a format");
        let result = response.result.and_then(|result| result.result).expect("a result");
        assert_eq!((response.status, result.result, result.error_message.as_str()), (6, 4, "why"));
    }

    #[test]
    fn a_response_without_fields_is_not_sent() {
        assert!(failure_response::<std_srvs::EmptyResponse>("why").is_none());
    }

    /// It has no field for a result, and clients call this service first.
    #[test]
    fn the_feature_list_reports_a_failure_in_its_text() {
        let response: si::GetSimulatorFeaturesResponse = failure_response("why").expect("a format");
        let features = response.features.expect("features");
        assert_eq!((features.features.len(), features.custom_info.as_str()), (0, "why"));
    }

    #[test]
    fn every_declared_service_can_report_a_failure() {
        let services = declared_services().iter().filter(|declared| declared.kind == ServiceKind::Service);
        let mute = services.filter(|declared| {
            FailureResponse::of(&(declared.response)().resolve().expect("a type")).is_none()
        });
        assert_eq!(mute.map(|declared| declared.name).collect::<Vec<_>>(), Vec::<&str>::new());
    }
}

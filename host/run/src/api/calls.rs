//! `bridgehead.service-calls/1`: calls of services by model plugins.

use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::hosting::ServiceCallsHost;
use bridgehead_plugin_api::messages::JsonPlan;
use bridgehead_plugin_api::{Payload, rules};
use serde_json::Value;

use super::context::Context;
use crate::bus::ServicePoint;

impl ServiceCallsHost for Context {
    fn call(&self, name: &str, request_type: &str, request: &[u8]) -> Result<(), Status> {
        let Some(point) = self.shared.services.find(name) else {
            self.explain(rules::no_such_service(name));
            return Err(status::NOT_FOUND);
        };
        let takes = point.request.message.full_name();
        if takes != request_type {
            self.explain(rules::wrong_request(name, takes, request_type));
            return Err(status::SCHEMA);
        }
        start(&point, &self.label, request);
        Ok(())
    }
}

/// Starts a call whose failure is logged.
fn start(point: &ServicePoint, label: &str, request: &[u8]) {
    let (name, label) = (point.name.clone(), label.to_owned());
    let response_type = point.response.message.clone();
    let answer = move |code: Status, response: Option<Payload>| {
        let failure = match (code, response) {
            (status::OK, Some(response)) => {
                let mut json = Vec::new();
                let encoded = JsonPlan::compile(&response_type).encode(&response, &mut json);
                encoded.ok().and_then(|()| failure_of(&serde_json::from_slice(&json).unwrap_or_default()))
            }
            // The run ends, or the plugin that offers the service was removed.
            (status::INTERRUPTED, _) => None,
            (code, _) => Some(status::name(code).to_owned()),
        };
        if let Some(why) = failure {
            log::warn!(target: &label, "[BH-PLG-099] the call of service `{name}` failed: {why}");
        }
    };
    point.call(Payload::from_vec(request.to_vec()), Box::new(answer));
}

/// Returns why a response reports a failure: by a `result` other than 1, or by a `success` that is false.
fn failure_of(response: &Value) -> Option<String> {
    let text =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    match (response.get("result"), response.get("success")) {
        (Some(result), _) if result.get("result").and_then(Value::as_u64).is_some_and(|code| code != 1) => {
            Some(text(result, "error_message"))
        }
        (None, Some(Value::Bool(false))) => Some(text(response, "message")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_response_tells_whether_it_failed() {
        let refused = json!({"result": {"result": 2, "error_message": "no such entity"}});
        assert_eq!(failure_of(&refused).as_deref(), Some("no such entity"));
        assert_eq!(failure_of(&json!({"success": false, "message": "not now"})).as_deref(), Some("not now"));
        let fine =
            [json!({"result": {"result": 1}}), json!({"success": true}), json!({"other": 0}), json!({})];
        assert_eq!(fine.map(|response| failure_of(&response)), [None, None, None, None]);
    }
}

//! `bridgehead.service-calls/1`: calls of services by model plugins.

use bridgehead_abi::calls::HostServiceCalls;
use bridgehead_abi::{Bytes, Host, Status, Str, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::JsonPlan;
use bridgehead_plugin_api::rules;
use serde_json::Value;

use super::caller::{caller, check_size, checked, text, wrong_thread};
use crate::bus::ServicePoint;
use crate::guard::host_call;

pub(super) static TABLE: HostServiceCalls =
    HostServiceCalls { struct_size: HostServiceCalls::SIZE, reserved: 0, call };

/// Name of the function in messages.
const FUNCTION: &str = "service_calls.call";

unsafe extern "C" fn call(host: *const Host, name: Str, request_type: Str, request: Bytes) -> Status {
    host_call("service_calls.call", status::PANIC, || {
        let context = caller!(host, "service_calls.call");
        checked!(check_size(&context.label, request.len, FUNCTION));
        // SAFETY: plugins pass texts and bytes valid for this call.
        let ([name, request_type], request) = unsafe {
            ([name, request_type].map(|name| text(&context.label, name, FUNCTION)), request.as_slice())
        };
        let (name, request_type) = (checked!(name), checked!(request_type));
        if !super::scope::is_open() {
            return wrong_thread(&context.label, FUNCTION);
        }
        let Some(point) = context.shared.services.find(name) else {
            context.explain(rules::no_such_service(name));
            return status::NOT_FOUND;
        };
        let takes = point.request.message.full_name();
        if takes != request_type {
            context.explain(rules::wrong_request(name, takes, request_type));
            return status::SCHEMA;
        }
        start(&point, &context.label, request);
        status::OK
    })
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

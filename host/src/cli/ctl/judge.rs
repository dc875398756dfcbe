//! Interprets responses: done, refused, or malformed. Help for a refusal is requested from the host. Main thread.

use bridgehead_plugin_api::messages::{Message, Schema, declared_services, simulation_interfaces as si};
use serde_json::{Value, json};

use super::client::{Answer, Client};
use super::error::{Allowed, CtlError, Refusal, text_of};
use crate::config::nearest;

/// Returns the result of a response: its number and its message.
pub(super) fn result_of(json: &Value) -> Option<(u32, String)> {
    let result = json.get("result")?;
    let number = u32::try_from(result.get("result")?.as_u64()?).ok()?;
    Some((number, text_of(result, "error_message")))
}

/// Interprets the response of a service.
///
/// # Errors
/// Returns an error if the request was refused or malformed, or there is no such service.
pub(super) fn of_service(
    client: &Client,
    (service, request): (&str, &Value),
    answer: Answer,
) -> Result<Answer, CtlError> {
    match (answer.status, result_of(&answer.json)) {
        (_, Some((number, message))) if number != si::Result::RESULT_OK => Err(refused(Refusal {
            service: service.to_owned(),
            name: result_name(service, number),
            message,
            allowed: allowed(client, service, number, &answer.json),
            near: if number == si::Result::RESULT_NOT_FOUND {
                meant(client, service, request)
            } else {
                String::new()
            },
        })),
        (200..=299, _) => Ok(answer),
        (401, _) => Err(CtlError::Token { address: client.address.clone(), given: client.token.is_some() }),
        (404, _) if !service.is_empty() => Err(no_service(service, &answer.json)),
        (status, _) => Err(rejected(Some(status), &answer.json)),
    }
}

fn refused(refusal: Refusal) -> CtlError {
    CtlError::Refused(Box::new(refusal))
}

/// Returns the error for a service that is not among those that the host names.
pub(super) fn no_service(service: &str, json: &Value) -> CtlError {
    let listed = json.get("services").and_then(Value::as_array).into_iter().flatten();
    let known: Vec<&str> = listed.filter_map(Value::as_str).collect();
    // A correct name needs no suggestion: this host does not offer the service.
    let is_declared = declared_services().iter().any(|declared| declared.name == service);
    let near = nearest(service, &known).filter(|_| !is_declared).unwrap_or_default().to_owned();
    CtlError::NoService { service: service.to_owned(), near }
}

/// Returns the error that the host reports about a request; `status` is that of HTTP.
pub(super) fn rejected(status: Option<u16>, json: &Value) -> CtlError {
    CtlError::Rejected {
        status,
        code: text_of(json, "code"),
        message: text_of(json, "message"),
        path: text_of(json, "path"),
    }
}

/// Returns the error for a goal that the host does not accept. Its state gives the reason.
pub(super) fn not_taken(client: &Client, action: &str) -> CtlError {
    refused(Refusal {
        service: action.to_owned(),
        name: "the goal was not accepted".to_owned(),
        message: String::new(),
        allowed: state_of(client),
        near: String::new(),
    })
}

/// Returns the error for a goal that the host aborted at once, because of its state.
pub(super) fn not_begun(client: &Client, action: &str, number: u32, message: String) -> CtlError {
    refused(Refusal {
        service: action.to_owned(),
        name: result_name(action, number),
        message,
        allowed: state_of(client),
        near: String::new(),
    })
}

/// Services that are usually refused because of the state.
const LIFECYCLE: &[&str] = &["step_simulation", "set_simulation_state", "reset_simulation", "reload_world"];

/// Returns the requests that a refusal lists, or asks the host for them if the state is the cause.
fn allowed(client: &Client, service: &str, number: u32, json: &Value) -> Allowed {
    let listed = Allowed::of(json);
    let is_for_the_state = number == si::Result::RESULT_INCORRECT_STATE || LIFECYCLE.contains(&service);
    if listed.state.is_empty() && is_for_the_state { state_of(client) } else { listed }
}

/// Returns the state of the host; empty if it does not respond.
fn state_of(client: &Client) -> Allowed {
    let answer = client.post("get_status", &json!({}));
    answer.ok().and_then(|answer| answer.json.get("status").map(Allowed::of)).unwrap_or_default()
}

/// A service that lists names, and the services that use them.
struct Names {
    /// The services.
    wanted_by: &'static [&'static str],
    /// The member of their requests with the name.
    member: &'static str,
    /// The service that lists, the member of its response with the list, and the member of an item with its name; empty if an
    /// item is a name.
    list: (&'static str, &'static str, &'static str),
}

const NAMES: &[Names] = &[
    Names {
        wanted_by: &[
            "get_entity_state",
            "set_entity_state",
            "get_entity_info",
            "set_entity_info",
            "get_entity_bounds",
            "delete_entity",
        ],
        member: "entity",
        list: ("get_entities", "entities", ""),
    },
    Names {
        wanted_by: &["get_named_pose_bounds"],
        member: "name",
        list: ("get_named_poses", "poses", "name"),
    },
    Names {
        wanted_by: &["read_topic", "publish_message"],
        member: "topic",
        list: ("get_topics", "topics", "topic"),
    },
    Names { wanted_by: &["disconnect_bridge"], member: "label", list: ("get_bridges", "bridges", "label") },
];

/// Returns the most similar existing name; empty if none is similar.
fn meant(client: &Client, service: &str, request: &Value) -> String {
    let Some(names) = NAMES.iter().find(|names| names.wanted_by.contains(&service)) else {
        return String::new();
    };
    let (list, member, name) = names.list;
    let asked = text_of(request, names.member);
    let Ok(answer) = client.post(list, &json!({})) else { return String::new() };
    let items = answer.json.get(member).and_then(Value::as_array).into_iter().flatten();
    let known =
        items.filter_map(|item| if name.is_empty() { item.as_str() } else { item.get(name)?.as_str() });
    let known: Vec<&str> = known.filter(|known| *known != asked).collect();
    nearest(&asked, &known).unwrap_or_default().to_owned()
}

/// Returns the name of a result: a common one, or above 100 one of the service.
fn result_name(service: &str, number: u32) -> String {
    let of = |message: fn() -> Schema| {
        let message = message().resolve().ok()?;
        let mut constants =
            message.root().constants().iter().filter_map(|line| line.split_once(' ')?.1.split_once('='));
        constants.find(|(_, value)| value.parse() == Ok(number)).map(|(name, _)| name.to_owned())
    };
    let own = || of(declared_services().iter().find(|declared| declared.name == service)?.response);
    let found = if number > 100 { own() } else { of(si::Result::schema) };
    found.unwrap_or_else(|| format!("result {number}"))
}

impl Client {
    /// Calls a service.
    ///
    /// # Errors
    /// Returns an error if the host cannot be reached, refuses the request, or fails.
    pub(super) fn call(&self, service: &str, request: &Value) -> Result<Answer, CtlError> {
        let outcome = self.post(service, request)?;
        of_service(self, (service, request), outcome)
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::ServiceDeclaration;

    use super::*;

    #[test]
    fn results_have_the_names_of_their_service() {
        assert_eq!(result_name("pause", 3), "RESULT_INCORRECT_STATE");
        assert_eq!(result_name("spawn_entity", 101), "NAME_NOT_UNIQUE");
        assert_eq!(result_name("load_world", 101), "UNSUPPORTED_FORMAT");
        assert_eq!(result_name("load_world", 199), "result 199");
        assert_eq!(result_name("no_such_service", 101), "result 101");
    }

    #[test]
    fn services_and_members_that_are_named_here_are_declared() {
        let fields = |name: &str, message: fn(&ServiceDeclaration) -> Schema| {
            let declared = declared_services().iter().find(|declared| declared.name == name).expect(name);
            let message = message(declared).resolve().expect("a type");
            message.fields().iter().map(|field| field.name().to_owned()).collect::<Vec<_>>()
        };
        for Names { wanted_by, member, list: (list, items, _) } in NAMES {
            for service in *wanted_by {
                assert!(fields(service, |declared| (declared.request)()).contains(&(*member).to_owned()));
            }
            assert!(fields(list, |declared| (declared.response)()).contains(&(*items).to_owned()));
        }
    }

    #[test]
    fn a_service_that_is_not_there_has_a_neighbour() {
        let error = no_service("get_entitis", &json!({"services": ["get_entities", "play"]}));
        assert!(error.report().ends_with("try: `get_entities`"), "{}", error.report());
        let error = no_service("get_entities", &json!({"services": ["get_entities_states", "get_entity"]}));
        assert!(error.report().ends_with("try: see `bridgehead ctl services`"), "{}", error.report());
    }
}

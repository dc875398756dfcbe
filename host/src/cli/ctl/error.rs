//! Why a request to a host failed, with its code, what to try and the exit code.
//!
//! Codes in messages of the host are kept. Plain values, any thread.

use std::io;

use serde_json::Value;

use super::state_names;
use crate::catalogue::{is_code, split_code};
use crate::cli::finding::finding;
use crate::cli::printed::EXIT_CONFIGURATION;

/// Exit code if the host refused or aborted a request, or failed.
pub(super) const EXIT_REFUSED: u8 = 1;
/// Exit code if no host was reached, or another program responded.
pub(super) const EXIT_UNREACHED: u8 = 2;

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CtlError {
    /// No program listens there.
    #[error("[BH-CTL-020] no host can be reached at {address}: {why}")]
    Unreachable { address: String, why: String },
    /// The host does not respond.
    #[error("[BH-CTL-021] the host at {address} did not respond within {timeout}")]
    Late { address: String, timeout: String },
    /// The response is not that of a host.
    #[error("[BH-CTL-022] the program at {address} is not a Bridgehead host: {why}")]
    OtherProgram { address: String, why: String },
    /// Returns an error if the address is malformed.
    #[error("[BH-CTL-023] `{address}` is not the address of a host: {why}")]
    Address { address: String, why: &'static str },
    /// A local file cannot be read.
    #[error("[BH-CTL-024] `{file}` cannot be read: {source}")]
    Input { file: String, source: io::Error },
    /// An argument is not the expected JSON.
    #[error("[BH-CTL-025] {what} is not a {expected}: {why}")]
    Json { what: String, expected: &'static str, why: String },
    /// The host refuses the request.
    #[error("{}", refused(.0))]
    Refused(Box<Refusal>),
    /// The host has no such service.
    #[error("[BH-CTL-027] the host has no service `{service}`")]
    NoService { service: String, near: String },
    /// The host could not read the request, or could not respond.
    #[error("{}", rejected(*status, code, message, path))]
    Rejected { status: Option<u16>, code: String, message: String, path: String },
    /// The numbers of a pose, a motion or a volume are invalid.
    #[error("[BH-CTL-029] `{text}` is not a {expected}: {why}")]
    Numbers { text: String, expected: &'static str, why: String },
    /// The token is wrong or missing.
    #[error("[BH-CTL-030] the host at {address} {}", if *given { "rejects the token" } else { "requires a token" })]
    Token { address: String, given: bool },
    /// Not all steps of an action were run.
    #[error("[BH-CTL-031] the steps were {how} after {completed} of {steps}{}", after(": ", message))]
    Unfinished { how: &'static str, completed: u64, steps: u64, message: String },
    /// The live connection ended.
    #[error("[BH-CTL-032] the live connection to {address} ended: {why}")]
    Ended { address: String, why: String },
    /// A word is not one of the allowed words.
    #[error("[BH-CTL-033] `{text}` is not a {expected}")]
    Word { text: String, expected: &'static str },
    /// The token is empty, for example because a script left its variable empty.
    #[error("[BH-CTL-034] the token of `--token` or the variable BRIDGEHEAD_TOKEN is empty")]
    EmptyToken,
    /// The host has no such topic.
    #[error("[BH-CTL-035] the host has no topic `{topic}`")]
    NoTopic { topic: String, near: String },
    /// The command line of `topic` or `service` has no command, or two.
    #[error("[BH-CTL-036] `bridgehead {group}` needs {}", if *has_two { "one command, found one and options of Gazebo in its place" } else { "a command" })]
    Command { group: &'static str, has_two: bool },
    /// A service has another type than given.
    #[error("[BH-CTL-037] the service `{service}` has the type `{found}`, not `{given}`")]
    ServiceType { service: String, found: String, given: String },
    /// A text is not a message.
    #[error(
        "[BH-CTL-038] {what} is not a message of the type `{type_name}`: as JSON, {json}; as text, {text}"
    )]
    Message { what: String, type_name: String, json: String, text: String },
    /// The messages of a topic have no such field.
    #[error("[BH-CTL-039] messages on `{topic}` have no field `{path}`; found there: {found}")]
    Field { path: String, topic: String, found: String },
}

/// A refused request.
#[derive(Debug, Default)]
pub(super) struct Refusal {
    /// The service.
    pub(super) service: String,
    /// Name of its result.
    pub(super) name: String,
    /// The reason given by the host.
    pub(super) message: String,
    /// Requests that the state of the host allows.
    pub(super) allowed: Allowed,
    /// The name that was probably meant; may be empty.
    pub(super) near: String,
}

/// The requests that a state allows.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    /// Its name; empty if it is unknown.
    pub(super) state: String,
    /// The allowed requests.
    pub(super) what: Vec<String>,
}

impl Allowed {
    pub(super) fn of(json: &Value) -> Self {
        let items = json.get("allowed").and_then(Value::as_array).into_iter().flatten();
        let what = items.filter_map(|item| item.as_str().map(str::to_owned)).collect();
        Allowed { state: text_of(json, "state"), what }
    }
}

impl CtlError {
    /// Returns the exit code of the program.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::Unreachable { .. } | Self::Late { .. } | Self::OtherProgram { .. } | Self::Ended { .. } => {
                EXIT_UNREACHED
            }
            Self::Refused(_)
            | Self::NoService { .. }
            | Self::Rejected { .. }
            | Self::Token { .. }
            | Self::NoTopic { .. }
            | Self::ServiceType { .. }
            | Self::Unfinished { .. } => EXIT_REFUSED,
            Self::Address { .. }
            | Self::Input { .. }
            | Self::Json { .. }
            | Self::Numbers { .. }
            | Self::Word { .. }
            | Self::Command { .. }
            | Self::Message { .. }
            | Self::Field { .. }
            | Self::EmptyToken => EXIT_CONFIGURATION,
        }
    }

    /// Returns the printed lines: what happened, and what to try.
    pub(super) fn report(&self) -> String {
        let mut text = finding("error", "", &self.to_string());
        for advice in self.advice() {
            text.push_str("\n  try: ");
            text.push_str(&advice);
        }
        text
    }

    fn advice(&self) -> Vec<String> {
        let one = |text: &str| vec![text.to_owned()];
        match self {
            Self::Unreachable { address, .. } => vec![format!(
                "start one with `bridgehead run world.sdf --http {address}`, or give its address with `--address`"
            )],
            Self::Late { .. } => one("wait longer with `--timeout`; the host may still be working"),
            Self::OtherProgram { .. } => {
                one("check which program uses this address, and give the address of the host")
            }
            Self::Address { .. } => one("write it as `127.0.0.1:8090`"),
            Self::Refused(refusal) => refused_advice(&refusal.allowed, &refusal.near),
            Self::NoService { near, .. } => near_or(near, "see `bridgehead ctl services`"),
            Self::NoTopic { near, .. } => near_or(near, "see `bridgehead topic list`"),
            Self::Token { .. } => one("give it with `--token` or the variable BRIDGEHEAD_TOKEN"),
            Self::Unfinished { completed, steps, .. } => {
                let left = steps.saturating_sub(*completed);
                if left == 0 {
                    Vec::new()
                } else {
                    vec![format!("run the rest with `bridgehead ctl steps {left}`")]
                }
            }
            Self::Input { .. } => one("check the path and the permissions"),
            Self::Ended { .. } => one("check with `bridgehead ctl status` whether the host still runs"),
            Self::EmptyToken => one(
                "give the token of the host, or omit `--token` and unset BRIDGEHEAD_TOKEN if the host requires none",
            ),
            Self::Command { group, .. } => vec![format!("see `bridgehead {group} --help`")],
            Self::ServiceType { service, found, .. } => {
                vec![format!("`{found}`, or no type; see `bridgehead service info {service}`")]
            }
            Self::Message { .. } => one(
                "write JSON such as `{\"linear\": {\"x\": 0.5}}`, or text such as `linear: {x: 0.5}`, with strings in quotes",
            ),
            Self::Field { topic, .. } => vec![format!("see `bridgehead topic echo {topic} --once`")],
            Self::Json { .. } | Self::Rejected { .. } | Self::Numbers { .. } | Self::Word { .. } => {
                Vec::new()
            }
        }
    }
}

/// Returns a similar name, or other advice if there is none.
fn near_or(near: &str, otherwise: &str) -> Vec<String> {
    vec![if near.is_empty() { otherwise.to_owned() } else { format!("`{near}`") }]
}

fn refused_advice(Allowed { state, what }: &Allowed, near: &str) -> Vec<String> {
    let mut advice = Vec::new();
    if !near.is_empty() {
        advice.push(format!("`{near}`"));
    }
    if !state.is_empty() {
        let what = if what.is_empty() { "nothing".to_owned() } else { what.join(", ") };
        let state = state_names::shown(state);
        advice.push(format!("requests that the state {state} allows: {what}"));
    }
    advice
}

/// Returns the text of a refusal, with the code of the host if its message has one.
fn refused(Refusal { service, name, message, .. }: &Refusal) -> String {
    let (code, message) = split_code(message).unwrap_or(("BH-CTL-026", message.clone()));
    format!("[{code}] {service} is refused ({name}){}", after(": ", &message))
}

fn rejected(status: Option<u16>, code: &str, message: &str, path: &str) -> String {
    let code = if is_code(code) { code } else { "BH-CTL-028" };
    let message = if message.is_empty() { "the host gives no reason" } else { message };
    let is_said = path.is_empty() || message.contains(&format!("`{path}`"));
    let place = if is_said { String::new() } else { format!(" at `{path}`") };
    let status = status.map(|status| format!(" (HTTP {status})")).unwrap_or_default();
    format!("[{code}] the request is rejected{place}: {message}{status}")
}

fn after(gap: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{gap}{text}") }
}

/// Returns a text of a JSON object; empty if there is none.
pub(super) fn text_of(value: &Value, member: &str) -> String {
    value.get(member).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_its_result_and_what_is_allowed() {
        let error = CtlError::Refused(Box::new(Refusal {
            service: "resume".into(),
            name: "RESULT_INCORRECT_STATE".into(),
            message: "resume needs a pause".into(),
            allowed: Allowed { state: "playing".into(), what: vec!["pause".into(), "stop".into()] },
            near: String::new(),
        }));
        let expected = "error[BH-CTL-026]: resume is refused (RESULT_INCORRECT_STATE): resume needs a pause\n  \
                        try: requests that the state playing allows: pause, stop";
        assert_eq!((error.report().as_str(), error.exit_code()), (expected, 1));
    }

    #[test]
    fn a_code_of_the_host_is_kept() {
        let error = CtlError::Rejected {
            status: Some(400),
            code: "BH-WEB-003".into(),
            message: "a number is wanted".into(),
            path: "/steps".into(),
        };
        let expected =
            "error[BH-WEB-003]: the request is rejected at `/steps`: a number is wanted (HTTP 400)";
        assert_eq!(error.report(), expected);
        let message = "at `steps`: expected a number";
        let text = rejected(Some(400), "BH-MSG-033", message, "steps");
        let expected = "[BH-MSG-033] the request is rejected: at `steps`: expected a number (HTTP 400)";
        assert_eq!(text, expected);
        let message = "[BH-PHY-020] no longer finite".to_owned();
        let text = refused(&Refusal { service: "step_simulation".into(), message, ..Refusal::default() });
        assert!(finding("error", "", &text).starts_with("error[BH-PHY-020]: step_simulation"), "{text}");
    }

    #[test]
    fn a_host_that_is_not_there_is_told_how_to_be_started() {
        let error =
            CtlError::Unreachable { address: "127.0.0.1:8090".into(), why: "connection refused".into() };
        let expected = "error[BH-CTL-020]: no host can be reached at 127.0.0.1:8090: connection refused\n  \
                        try: start one with `bridgehead run world.sdf --http 127.0.0.1:8090`, or give its address \
                        with `--address`";
        assert_eq!((error.report().as_str(), error.exit_code()), (expected, 2));
    }

    #[test]
    fn an_empty_list_of_what_is_allowed_says_so() {
        let nothing = Allowed { state: "aborting".into(), what: Vec::new() };
        let lines = ["`car1`", "requests that the state aborting allows: nothing"];
        assert_eq!(refused_advice(&nothing, "car1"), lines);
        assert!(refused_advice(&Allowed::default(), "").is_empty());
    }
}

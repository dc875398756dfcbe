//! A client in Python: each request is a call of a typed method of the package `host/python`.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::python::client_python;
use crate::support::{Client, JsonProgram};

/// A program with the client, and a client that answers what has no typed method.
pub(crate) struct Typed {
    program: Arc<Mutex<JsonProgram>>,
    client: Client,
}

impl Typed {
    #[track_caller]
    pub(super) fn of(client: Client) -> Self {
        let python = client_python().expect("the packages were found before");
        let mut command = python.script("conformance/typed_peer.py");
        command.arg(client.address());
        Typed { program: Arc::new(Mutex::new(JsonProgram::start(command))), client }
    }

    #[track_caller]
    pub(super) fn another(&self) -> Self {
        Typed::of(self.client.another())
    }

    /// The client over HTTP.
    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    #[track_caller]
    fn tell(&self, command: &str, arguments: Value) -> Value {
        tell(&self.program, command, arguments)
    }

    #[track_caller]
    pub(super) fn call(&self, service: &str, request: &Value) -> Value {
        let response = self.tell("call", json!({"service": service, "request": request}));
        assert!(response.get("code").is_none(), "{service} {request}: {response}");
        response
    }

    #[track_caller]
    pub(super) fn assert_not_offered(&self, name: &str) {
        let response = self.tell("call", json!({"service": name, "request": {}}));
        assert_eq!((&response["status"], &response["code"]), (&json!(404), &json!("BH-WEB-021")), "{name}");
    }

    #[track_caller]
    pub(super) fn send_goal(&self, goal: &Value) -> Option<Value> {
        let id = self.tell("send_goal", json!({ "goal": goal }));
        (!id.is_null()).then_some(id)
    }

    #[track_caller]
    pub(super) fn end_of(&self, goal: &Value) -> Value {
        self.tell("end_of", json!({ "goal": goal }))
    }

    #[track_caller]
    pub(super) fn cancel(&self, goal: &Value) {
        self.tell("cancel", json!({ "goal": goal }));
    }

    #[track_caller]
    pub(super) fn feedback(&self) -> TypedFeedback {
        self.tell("subscribe", json!({}));
        TypedFeedback(Arc::clone(&self.program))
    }
}

/// A subscription to the feedback of goals.
pub(crate) struct TypedFeedback(Arc<Mutex<JsonProgram>>);

impl TypedFeedback {
    /// Returns the id of the goal and the content of the next message.
    #[track_caller]
    pub(super) fn next(&mut self) -> (Value, Value) {
        let mut data = tell(&self.0, "next", json!({}));
        (data["goal_id"].take(), data)
    }
}

#[track_caller]
fn tell(program: &Mutex<JsonProgram>, command: &str, arguments: Value) -> Value {
    program.lock().unwrap_or_else(PoisonError::into_inner).command(command, arguments)
}

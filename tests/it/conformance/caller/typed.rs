//! A client in Python: each request is a call of a typed method of the package `host/python`.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

use crate::python::client_python;
use crate::support::{Client, JsonProgram};

/// Programs that no test uses at the moment: starting one takes longer than most tests. They end with this process, whose
/// lines they read.
static IDLE: Mutex<Vec<JsonProgram>> = Mutex::new(Vec::new());

/// A running program with the client. It can be used by another test after this one, unless the test failed.
struct Program(Mutex<Option<JsonProgram>>);

impl Program {
    #[track_caller]
    fn start() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let program = idle.unwrap_or_else(|| {
            let python = client_python().expect("the packages were found before");
            JsonProgram::start(python.script("conformance/typed_peer.py"))
        });
        Program(Mutex::new(Some(program)))
    }

    #[track_caller]
    fn tell(&self, command: &str, arguments: Value) -> Value {
        let program = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        program.as_ref().expect("a program until the end").command(command, arguments)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let program = self.0.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(program), false) = (program, thread::panicking()) {
            // The host must not keep connections of a client that does not use them.
            program.command("close", json!({}));
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(program);
        }
    }
}

/// A program with the client, and a client that answers what has no typed method.
pub(crate) struct Typed {
    program: Arc<Program>,
    client: Client,
}

impl Typed {
    #[track_caller]
    pub(super) fn of(client: Client) -> Self {
        let program = Program::start();
        program.tell("connect", json!({"address": client.address()}));
        Typed { program: Arc::new(program), client }
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
        self.program.tell(command, arguments)
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
pub(crate) struct TypedFeedback(Arc<Program>);

impl TypedFeedback {
    /// Returns the id of the goal and the content of the next message.
    #[track_caller]
    pub(super) fn next(&mut self) -> (Value, Value) {
        let mut data = self.0.tell("next", json!({}));
        (data["goal_id"].take(), data)
    }
}

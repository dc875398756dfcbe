//! Programs of Zenoh, over its library for Python: `plain_client.py`.

use std::ops::Deref;

use serde_json::{Value, json};

use crate::ros2::Router;
use crate::support::{JsonProgram, Python};

/// A router, and a program that is connected to it.
pub(super) struct Place {
    client: Client,
    pub(super) router: Router,
}

impl Place {
    /// `None` without Zenoh for Python.
    #[track_caller]
    pub(super) fn find() -> Option<Self> {
        let router = Router::start()?;
        Some(Place { client: Client::connect(router.endpoint())?, router })
    }

    pub(super) fn bridge(&self, options: &str) -> String {
        bridge(self.router.endpoint(), options)
    }
}

impl Deref for Place {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

/// The bridge for the world and all vehicles.
pub(crate) fn bridge(endpoint: &str, options: &str) -> String {
    format!("*=zenoh_plain:connect={endpoint};listen=tcp/127.0.0.1:0;{options}")
}

/// A program that is connected to a router. Killed when it goes out of scope.
pub(crate) struct Client(JsonProgram);

impl Client {
    /// `None` without Zenoh for Python.
    #[track_caller]
    pub(crate) fn connect(endpoint: &str) -> Option<Self> {
        let mut command = Python::with("zenoh")?.script("zenoh/plain_client.py");
        command.arg(endpoint);
        Some(Client(JsonProgram::start(command)))
    }

    /// Executes an operation and returns its answer.
    #[track_caller]
    pub(super) fn tell(&self, operation: &Value) -> Value {
        self.0.send_line(operation);
        loop {
            // Samples may come first.
            if let Some(answer) = self.0.next_line().get("done") {
                return answer.clone();
            }
        }
    }

    #[track_caller]
    pub(crate) fn get(&self, selector: &str) -> Vec<Value> {
        self.tell(&json!({"op": "get", "selector": selector})).as_array().expect("a list").clone()
    }

    /// Returns the only reply.
    #[track_caller]
    pub(super) fn ask(&self, selector: &str, encoding: &str, payload: &[u8]) -> Value {
        let line = json!({"op": "get", "selector": selector, "encoding": encoding, "payload": hex(payload)});
        let replies = self.tell(&line);
        assert_eq!(replies.as_array().map(Vec::len), Some(1), "{selector}: {replies}");
        replies[0].clone()
    }

    #[track_caller]
    pub(super) fn put(&self, key: &str, encoding: &str, payload: &[u8]) {
        self.tell(&json!({"op": "put", "key": key, "encoding": encoding, "payload": hex(payload)}));
    }

    #[track_caller]
    pub(super) fn subscribe(&self, key: &str) {
        self.tell(&json!({"op": "subscribe", "key": key}));
    }

    /// The next sample of a subscription.
    #[track_caller]
    pub(super) fn next(&self) -> Value {
        self.0.next_line()["sample"].clone()
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[track_caller]
pub(super) fn bytes(sample: &Value) -> Vec<u8> {
    let text = sample["payload"].as_str().unwrap_or_else(|| panic!("no payload in {sample}"));
    let digits = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("ascii"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")).collect()
}

#[track_caller]
pub(super) fn json_of(sample: &Value) -> Value {
    serde_json::from_slice(&bytes(sample)).unwrap_or_else(|error| panic!("{error}: {sample}"))
}

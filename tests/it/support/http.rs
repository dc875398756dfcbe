//! A host that serves HTTP, and a client of it.

#![expect(clippy::needless_pass_by_value, reason = "callers pass literal requests")]

use std::ops::Deref;
use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};
use ureq::Agent;
use ureq::http::Response;

use super::service::{OK, state_of, with_result};
use super::{Connection, Finished, Running, Setup};

/// Deadline for every wait: much longer than needed, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends requests to a host. Clones share connections and may be used on several threads.
#[derive(Clone)]
pub(crate) struct Client {
    address: String,
    agent: Agent,
}

impl Client {
    fn new(address: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .timeout_global(Some(PATIENCE))
            .max_idle_connections_per_host(1)
            .build();
        Client { address: address.to_owned(), agent: bridgehead_http_client::agent(config) }
    }

    /// A client with its own connection.
    pub(crate) fn another(&self) -> Client {
        Client::new(&self.address)
    }

    /// The address of the host, with the port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns true if the host says that it loads a world; false if it does not answer, for example at the end of a run.
    fn is_loading(&self) -> bool {
        let request = self.agent.post(self.url("/api/get_status")).header("content-type", "application/json");
        let text = request.send("{}").ok().and_then(|mut answer| answer.body_mut().read_to_string().ok());
        text.is_some_and(|text| text.contains("\"state\":\"Loading\""))
    }

    /// Status and body of the answer to `GET`.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        read(path, self.agent.get(self.url(path)).call())
    }

    /// The body of the answer to `GET`, which must succeed.
    #[track_caller]
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        let answer = self.agent.get(self.url(path)).call();
        let mut answer = answer.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(answer.status(), 200, "{path}");
        let body = answer.body_mut().with_config().limit(1 << 30);
        body.read_to_vec().unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Status of the answer to `GET`, whatever its body is.
    #[track_caller]
    pub(crate) fn status_of(&self, path: &str) -> u16 {
        let answer = self.agent.get(self.url(path)).call();
        answer.unwrap_or_else(|error| panic!("{path}: {error}")).status().as_u16()
    }

    /// Status and body of the answer to `DELETE`.
    #[track_caller]
    pub(crate) fn delete(&self, path: &str) -> (u16, Value) {
        read(path, self.agent.delete(self.url(path)).call())
    }

    /// Status and body of the answer of a service or action, by its name.
    #[track_caller]
    pub(crate) fn post(&self, service: &str, request: &Value) -> (u16, Value) {
        let path = format!("/api/{service}");
        let builder = self.agent.post(self.url(&path)).header("content-type", "application/json");
        read(service, builder.send(request.to_string()))
    }

    /// The response of a service, whatever its result.
    #[track_caller]
    pub(crate) fn call(&self, service: &str, request: Value) -> Value {
        let (status, body) = self.post(service, &request);
        assert!(body.get("code").is_none(), "{service} {request}: {status} {body}");
        body
    }

    /// The response of a service; fails unless its result is this one, and if a result other than OK has no error
    /// message.
    #[track_caller]
    pub(crate) fn expect(&self, code: u64, service: &str, request: Value) -> Value {
        with_result(code, service, &request, self.call(service, request.clone()))
    }

    /// The response of a service; fails unless its result is OK.
    #[track_caller]
    pub(crate) fn ok(&self, service: &str, request: Value) -> Value {
        self.expect(OK, service, request)
    }

    /// Number of the state as in `get_simulation_state`.
    #[track_caller]
    pub(crate) fn state(&self) -> u64 {
        state_of(&self.ok("get_simulation_state", json!({})))
    }

    /// An integer member of the status, such as `time_ns`.
    #[track_caller]
    pub(crate) fn status(&self, name: &str) -> i64 {
        let response = self.ok("get_status", json!({}));
        response["status"][name].as_i64().unwrap_or_else(|| panic!("no `{name}` in {response}"))
    }

    /// The 99th percentile of the step times since the last reset of the statistics, milliseconds.
    #[track_caller]
    pub(crate) fn step_p99(&self) -> f64 {
        let statistics = self.ok("get_statistics", json!({}));
        let times = statistics["accumulators"].as_array().expect("a list");
        let step = times.iter().find(|one| one["name"] == "simulator_time_ms").expect("the time of a step");
        assert!(step["count"].as_u64().is_some_and(|count| count > 200), "{step}");
        step["p99"].as_f64().expect("a number")
    }

    /// A WebSocket with a subscription to `what`.
    #[track_caller]
    pub(crate) fn subscribe(&self, what: &str) -> WebSocket<Connection> {
        let stream = Connection::connect(&self.address, PATIENCE).expect("the host listens");
        let (mut socket, _) =
            tungstenite::client(format!("ws://{}/ws", self.address), stream).expect("a WebSocket");
        let request = json!({"op": "subscribe", "what": what});
        socket.send(Message::text(request.to_string())).expect("sent");
        let answer = next_message(&mut socket);
        assert_eq!(answer["op"], "subscribed", "{answer}");
        socket
    }
}

/// The next text message of a WebSocket.
#[track_caller]
pub(crate) fn next_message(socket: &mut WebSocket<Connection>) -> Value {
    loop {
        if let Message::Text(text) = socket.read().expect("a message of the host") {
            return serde_json::from_str(&text).expect("JSON");
        }
    }
}

#[track_caller]
fn read(what: &str, response: Result<Response<ureq::Body>, ureq::Error>) -> (u16, Value) {
    let mut response = response.unwrap_or_else(|error| panic!("{what}: {error}"));
    let text = response.body_mut().read_to_string().unwrap_or_else(|error| panic!("{what}: {error}"));
    let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{what}: {error}: {text}"));
    (response.status().as_u16(), body)
}

/// Polls until a condition holds; fails if it does not before the deadline.
#[track_caller]
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = clock::now() + PATIENCE;
    while !is_so() {
        assert!(clock::now() < deadline, "{what}: not within {PATIENCE:?}");
        sleep(Duration::from_millis(5));
    }
}

/// A running host that serves HTTP on its own port. Ended when it goes out of scope.
pub(crate) struct Served {
    client: Client,
    running: Running,
}

impl Served {
    /// Starts the prepared run, and waits until its world is loaded: a loading host refuses most requests.
    #[track_caller]
    pub(crate) fn start(setup: Setup) -> Self {
        let host = Served::start_loading(setup);
        eventually("the world is loaded", || !host.is_loading());
        host
    }

    /// Starts the prepared run, and waits until it answers.
    #[track_caller]
    pub(crate) fn start_loading(setup: Setup) -> Self {
        let mut running = setup.args(["--http", "127.0.0.1:0"]).start();
        let line = running.wait_for(" serves the control plane");
        let (_, rest) = line.split_once("http://").expect("an address");
        let client = Client::new(rest.split([' ', '/']).next().expect("an address"));
        Served { client, running }
    }

    /// The address at which it serves HTTP, with the port.
    pub(crate) fn address(&self) -> &str {
        &self.client.address
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.running.id()
    }

    /// Waits for a line of the output that contains `text`, and returns it.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        self.running.wait_for(text)
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: i32) {
        self.running.signal(signal);
    }

    /// Suspends the run for some time.
    #[track_caller]
    pub(crate) fn suspend(&self, time: Duration) {
        self.running.suspend(time);
    }

    /// Waits for the end.
    #[track_caller]
    pub(crate) fn finish(self) -> Finished {
        self.running.finish()
    }
}

impl Deref for Served {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

//! A server over a control plane whose run never starts: access, refusals, and its end.

mod page;

use std::collections::BTreeSet;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use serde_json::Value;

use super::{HttpConfig, Page, Server, WebError};
use crate::api::Shared;
use crate::config::{Secret, ServiceNames};
use crate::control::Control;

/// Limit for what takes no time: less than the 10 s after which a server stops waiting for others, and more than a busy
/// machine needs.
const PATIENCE: Duration = Duration::from_secs(8);

fn config(address: &str) -> HttpConfig {
    let address = Some(address.parse().expect("an address"));
    let page = Page::default();
    HttpConfig { address, may_be_taken: false, token: None, body_limit: 1000, connections: 8, page }
}

fn control() -> Control {
    let shared = Shared::new(0);
    // No simulation runs, so none is late.
    shared.watchdog.beat(crate::clock::now() + Duration::from_secs(3600));
    Control::new(&shared, &ServiceNames::default()).expect("a control plane")
}

fn start(config: HttpConfig, control: &Control) -> Server {
    Server::start(config, control.handle()).expect("a server").expect("a server")
}

/// Sends a text and reads the whole response.
fn exchange(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("connected");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    stream.write_all(text.as_bytes()).expect("sent");
    let mut answer = String::new();
    match stream.read_to_string(&mut answer) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("{error} after `{answer}`"),
    }
    answer
}

fn get(address: SocketAddr, path: &str, headers: &str) -> String {
    exchange(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n"),
    )
}

#[track_caller]
fn assert_status(answer: &str, status: u16, texts: &[&str]) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    texts.iter().for_each(|text| assert!(answer.contains(text), "no `{text}` in {answer}"));
}

#[test]
fn a_taken_port_is_an_error_unless_nobody_chose_it() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let control = control();
    let error = Server::start(config(&address), control.handle()).err().expect("taken");
    assert!(error.to_string().contains("BH-WEB-002") && error.to_string().contains(&address), "{error}");
    let lenient = HttpConfig { may_be_taken: true, ..config(&address) };
    let another = Server::start(lenient, control.handle()).expect("goes on").expect("has a server");
    assert_ne!(another.address().to_string(), address);
    let off = HttpConfig { address: None, ..config(&address) };
    assert!(Server::start(off, control.handle()).expect("off").is_none());
}

#[test]
fn other_machines_need_a_token() {
    let control = control();
    let error = Server::start(config("0.0.0.0:0"), control.handle()).err().expect("open to all");
    assert!(matches!(error, WebError::Open(_)), "{error}");
    let guarded = HttpConfig { token: Some(Secret("s3cret".to_owned())), ..config("0.0.0.0:0") };
    let server = start(guarded, &control);
    let at = SocketAddr::from(([127, 0, 0, 1], server.address().port()));
    assert_status(&get(at, "/api", ""), 401, &["www-authenticate: Bearer", "BH-WEB-012"]);
    assert_status(&get(at, "/api", "Authorization: Bearer wrong\r\n"), 401, &["BH-WEB-012"]);
    assert_status(&get(at, "/api", "Authorization: Bearer s3cret\r\n"), 200, &["get_status"]);
    let document = get(at, "/openapi.json", "Authorization: Bearer s3cret\r\n");
    assert_status(&document, 200, &["securitySchemes"]);
}

#[test]
fn calls_that_wait_are_answered_when_the_run_ends() {
    let control = control();
    let server = start(config("127.0.0.1:0"), &control);
    let address = server.address();
    let body =
        "POST /api/pause HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    let waiting = crate::thread::spawn("client", move || exchange(address, body)).expect("a thread");
    let deadline = crate::clock::now() + Duration::from_secs(30);
    while control.handle().waiting() == 0 {
        assert!(crate::clock::now() < deadline, "the call arrives");
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(control);
    server.stop();
    let answer = waiting.join(Duration::from_secs(10)).expect("an answer");
    assert_status(&answer, 503, &["BH-WEB-030"]);
    assert_eq!(
        TcpStream::connect(address).map_err(|error| error.kind()).err(),
        Some(ErrorKind::ConnectionRefused)
    );
}

#[test]
fn half_open_connections_hold_up_neither_others_nor_the_end() {
    let control = control();
    let server = start(config("127.0.0.1:0"), &control);
    let half: Vec<TcpStream> = (0..4)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address()).expect("connected");
            stream.write_all(b"POST /api/pause HTTP/1.1\r\nHost: local").expect("sent");
            stream
        })
        .collect();
    assert_status(&get(server.address(), "/healthz", ""), 200, &["ok"]);
    let began = crate::clock::now();
    server.stop();
    // Wall time: a server that waits for its clients ends too, but late.
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
    drop(half);
}

#[test]
fn idle_connections_make_room_for_other_clients() {
    let control = control();
    let server = start(HttpConfig { connections: 2, ..config("127.0.0.1:0") }, &control);
    let idle: Vec<TcpStream> =
        (0..2).map(|_| TcpStream::connect(server.address()).expect("connected")).collect();
    assert_status(&get(server.address(), "/healthz", ""), 200, &["ok"]);
    drop(idle);
}

#[test]
fn more_clients_than_may_wait_are_told_so() {
    let control = control();
    let server = start(HttpConfig { connections: 2, ..config("127.0.0.1:0") }, &control);
    // Nobody answers these calls, so two of them keep their connections and the others wait for one.
    let waiting: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address()).expect("connected");
            let call = "POST /api/pause HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(call.as_bytes()).expect("sent");
            stream
        })
        .collect();
    // It sends nothing: the answer is lost if something unread arrives after it.
    assert_status(&exchange(server.address(), ""), 503, &["BH-WEB-013", "Retry-After"]);
    drop(waiting);
    let deadline = crate::clock::now() + Duration::from_secs(10);
    while !get(server.address(), "/healthz", "").starts_with("HTTP/1.1 200") {
        assert!(crate::clock::now() < deadline, "places are free again");
    }
}

#[test]
fn more_clients_than_places_take_turns() {
    let control = control();
    let server = start(config("127.0.0.1:0"), &control);
    let address = server.address();
    let client = move || (0..20).all(|_| get(address, "/healthz", "").starts_with("HTTP/1.1 200"));
    let clients: Vec<_> =
        (0..16).map(|_| crate::thread::spawn("client", client).expect("a thread")).collect();
    for client in clients {
        assert_eq!(client.join(Duration::from_secs(60)), Ok(true));
    }
}

#[test]
fn idle_connections_make_room_for_others() {
    let control = control();
    let server = start(HttpConfig { connections: 4, ..config("127.0.0.1:0") }, &control);
    let idle: Vec<TcpStream> = (0..4)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address()).expect("connected");
            stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
            let mut first = [0; 12];
            stream.read_exact(&mut first).expect("an answer");
            assert_eq!(&first, b"HTTP/1.1 200");
            stream
        })
        .collect();
    let began = crate::clock::now();
    assert_status(&get(server.address(), "/healthz", ""), 200, &["ok"]);
    // Wall time: a client that waits for the idle ones is served too, but late.
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
    drop(idle);
}

#[test]
fn bodies_are_bounded_announced_or_not() {
    let control = control();
    let server = start(config("127.0.0.1:0"), &control);
    let head = "POST /api/pause HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    let long = "x".repeat(1001);
    let announced = format!("{head}Content-Length: 1001\r\n\r\n{long}");
    assert_status(&exchange(server.address(), &announced), 413, &["BH-WEB-023", "\"limit\":1000"]);
    let chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n3e9\r\n{long}\r\n0\r\n\r\n");
    assert_status(&exchange(server.address(), &chunked), 413, &["BH-WEB-023"]);
    let absurd = format!("{head}Content-Length: 99999999999999999999999\r\n\r\n");
    assert_status(&exchange(server.address(), &absurd), 400, &[]);
    let binary = [head.as_bytes(), b"Content-Length: 2\r\n\r\n\xff\xfe"].concat();
    let mut stream = TcpStream::connect(server.address()).expect("connected");
    stream.write_all(&binary).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert_status(&answer, 400, &["BH-WEB-025"]);
}

#[test]
fn what_is_no_http_is_refused_without_harm() {
    let control = control();
    let server = start(config("127.0.0.1:0"), &control);
    for garbage in [
        "\r\n\r\n\r\n",
        "GET\r\n\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "SSH-2.0-x\r\n\r\n",
    ] {
        let answer = exchange(server.address(), garbage);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{garbage:?}: {answer}");
    }
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X-A: b\r\n".repeat(500));
    assert_status(&exchange(server.address(), &many), 431, &[]);
    assert_status(&get(server.address(), "/healthz", ""), 200, &["x-bridgehead-epoch: 0"]);
}

/// The OpenAPI document.
fn document() -> Value {
    let control = control();
    let server = start(config("127.0.0.1:0"), &control);
    let answer = get(server.address(), "/openapi.json", "");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).expect("JSON")
}

/// Returns every value under a key, at any depth.
fn under<'a>(value: &'a Value, key: &str, into: &mut Vec<&'a Value>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            if name == key {
                into.push(member);
            }
            under(member, key, into);
        }),
        Value::Array(members) => members.iter().for_each(|member| under(member, key, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_description_refers_to_nothing_that_is_not_in_it() {
    let document = document();
    let mut references = Vec::new();
    under(&document, "$ref", &mut references);
    assert!(references.len() > 100);
    for reference in references {
        let path = reference.as_str().and_then(|text| text.strip_prefix('#')).expect("a local reference");
        assert!(document.pointer(path).is_some_and(|target| !target.is_null()), "{reference}");
    }
}

#[test]
fn the_description_names_every_service_and_each_operation_once() {
    let document = document();
    let control = control();
    let paths = document["paths"].as_object().expect("paths");
    for (name, offered) in control.handle().services() {
        let name = name.split("/_action/").next().unwrap_or_default();
        let path = paths.get(&format!("/api/{name}")).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(path.get("get").is_some(), offered.declared.is_reader, "{name}");
        assert_eq!(path["post"]["summary"], offered.declared.comment);
    }
    let mut operations = Vec::new();
    under(&document, "operationId", &mut operations);
    let unique: BTreeSet<&str> = operations.iter().filter_map(|name| name.as_str()).collect();
    assert_eq!(unique.len(), operations.len());
    for (path, methods) in paths {
        for (method, operation) in
            methods.as_object().expect("methods").iter().filter(|(name, _)| *name != "parameters")
        {
            assert!(
                operation["responses"].as_object().is_some_and(|answers| !answers.is_empty()),
                "{method} {path}"
            );
            assert!(operation["summary"].as_str().is_some_and(|text| text.ends_with('.')), "{method} {path}");
        }
    }
}

#[test]
fn the_description_says_what_members_mean() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let step = &schemas["bridgehead.simulation_interfaces.v1.StepSimulationRequest"];
    assert_eq!(step["properties"]["steps"]["description"], "Number of steps.");
    assert_eq!(step["properties"]["steps"]["default"], 1);
    assert_eq!(step["properties"]["steps"]["maximum"], u64::MAX);
    assert_eq!(step["required"], Value::Null);
    let result = &schemas["bridgehead.simulation_interfaces.v1.Result"];
    assert_eq!(result["title"], "simulation_interfaces/msg/Result");
    assert!(
        result["description"].as_str().is_some_and(|text| text.contains("RESULT_NOT_FOUND=2")),
        "{result}"
    );
    let response = &schemas["bridgehead.simulation_interfaces.v1.GetEntityStateResponse"];
    assert_eq!(response["required"], serde_json::json!(["result", "state"]));
    let query = &document["paths"]["/api/get_entity_state"]["get"]["parameters"][0];
    assert_eq!((&query["name"], &query["schema"]["type"]), (&Value::from("entity"), &Value::from("string")));
    assert_eq!(
        document["paths"]["/api/step_simulation"]["post"]["requestBody"]["content"]["application/json"]["example"],
        serde_json::json!({"steps": 1})
    );
}

#[test]
fn a_websocket_of_another_origin_is_refused() {
    let control = control();
    let server = start(config("127.0.0.1:0"), &control);
    let upgrade =
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    let request = |connection: &str, more: &str| {
        let head = format!("GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: {connection}\r\n{more}\r\n");
        let mut stream = TcpStream::connect(server.address()).expect("connected");
        stream.write_all(head.as_bytes()).expect("sent");
        let mut first = [0; 12];
        stream.read_exact(&mut first).expect("an answer");
        String::from_utf8_lossy(&first).into_owned()
    };
    assert_eq!(request("upgrade", &format!("{upgrade}Origin: http://evil.example\r\n")), "HTTP/1.1 403");
    assert_eq!(request("upgrade", &format!("{upgrade}Origin: http://localhost\r\n")), "HTTP/1.1 101");
    assert_eq!(request("upgrade", upgrade), "HTTP/1.1 101");
    assert_eq!(request("close", ""), "HTTP/1.1 426");
    let began = crate::clock::now();
    server.stop();
    // Wall time: a server that waits for its clients ends too, but late.
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}

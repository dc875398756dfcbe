//! The client against servers that refuse, send garbage, hang or do not exist.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::thread;

const PATIENCE: Duration = Duration::from_secs(10);

/// Starts a server that sends these responses, one per connection; returns the requests.
fn server(answers: &'static [&'static str]) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (sender, asked) = channel();
    let body = move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().expect("a connection");
            drop(sender.send(request(&mut stream)));
            drop(stream.write_all(answer.as_bytes()));
        }
    };
    drop(thread::spawn("fake host", body).expect("a thread"));
    (address, asked)
}

/// Reads a request up to its length.
fn request(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut piece = [0; 4096];
    loop {
        let count = stream.read(&mut piece).expect("a request");
        text.push_str(&String::from_utf8_lossy(&piece[..count]));
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if count == 0 || body.len() >= length.unwrap_or(0) {
            return text;
        }
    }
}

macro_rules! http {
    ($status:literal, $body:literal) => {
        concat!(
            "HTTP/1.1 ",
            $status,
            "\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n",
            $body
        )
    };
}

fn client(address: &str) -> Client {
    Client::new(address, None, PATIENCE).expect("an address")
}

fn refusal(answers: &'static [&'static str], service: &str) -> CtlError {
    let (address, _asked) = server(answers);
    client(&address).call(service, &json!({"entity": "bxo_a"})).expect_err("refused")
}

#[test]
fn a_request_is_a_post_of_json_with_the_token() {
    let (address, asked) = server(&[http!("200 OK", "{\"result\":{\"result\":1,\"error_message\":\"\"}}")]);
    let client = Client::new(&format!("http://{address}/"), Some("s3cret"), PATIENCE).expect("an address");
    client.call("delete_entity", &json!({"entity": "box"})).expect("done");
    let request = asked.recv().expect("asked").to_lowercase();
    assert!(request.starts_with("post /api/delete_entity http/1.1\r\n"), "{request}");
    for line in [
        &format!("\r\nhost: {address}\r\n"),
        "\r\nauthorization: bearer s3cret\r\n",
        "\r\ncontent-type: application/json\r\n",
    ] {
        assert!(request.contains(line), "{line:?} in {request}");
    }
    assert!(request.ends_with("\r\n\r\n{\"entity\":\"box\"}"), "{request}");
}

#[test]
fn an_answer_without_a_result_is_one_too() {
    let (address, _asked) = server(&[http!("200 OK", "{\"features\":{\"features\":[0]}}")]);
    let answer = client(&address).call("get_simulator_features", &json!({})).expect("an answer");
    assert_eq!(render::answer("get_simulator_features", &answer.json), "SPAWNING\nspawn formats: \n");
}

#[test]
fn a_refused_verb_says_what_is_allowed() {
    let error = refusal(
        &[http!(
            "409 Conflict",
            "{\"result\":{\"result\":3,\"error_message\":\"no pause\"},\"state\":\"playing\",\"allowed\":[\"pause\",\"stop\"]}"
        )],
        "resume",
    );
    let expected = "error[BH-CTL-026]: resume is refused (RESULT_INCORRECT_STATE): no pause\n  \
                    try: requests that the state playing allows: pause, stop";
    assert_eq!((error.report().as_str(), error.exit_code()), (expected, 1));
}

#[test]
fn a_service_that_is_refused_for_the_state_has_the_host_asked_for_it() {
    let error = refusal(
        &[
            http!("200 OK", "{\"result\":{\"result\":3,\"error_message\":\"not paused\"}}"),
            http!(
                "200 OK",
                "{\"result\":{\"result\":1},\"status\":{\"state\":\"playing\",\"allowed\":[\"pause\"]}}"
            ),
        ],
        "step_simulation",
    );
    assert!(error.report().ends_with("the state playing allows: pause"), "{}", error.report());
}

#[test]
fn an_unknown_entity_has_its_neighbour_named() {
    let error = refusal(
        &[
            http!("200 OK", "{\"result\":{\"result\":2,\"error_message\":\"there is no entity `bxo_a`\"}}"),
            http!("200 OK", "{\"result\":{\"result\":1},\"entities\":[\"ground\",\"box_a\"]}"),
        ],
        "get_entity_state",
    );
    let expected = "error[BH-CTL-026]: get_entity_state is refused (RESULT_NOT_FOUND): there is no entity `bxo_a`\n  \
                    try: `box_a`";
    assert_eq!(error.report(), expected);
}

#[test]
fn a_host_that_does_not_help_with_a_refusal_is_no_other_error() {
    let error = refusal(
        &[http!("200 OK", "{\"result\":{\"result\":2,\"error_message\":\"no entity `x`\"}}"), "rubbish"],
        "delete_entity",
    );
    assert!(error.report().ends_with("no entity `x`"), "{}", error.report());
}

#[test]
fn what_the_host_says_of_a_request_is_passed_on() {
    let error = refusal(
        &[http!(
            "400 Bad Request",
            "{\"code\":\"BH-MSG-033\",\"message\":\"a number is wanted\",\"path\":\"steps\"}"
        )],
        "step_simulation",
    );
    let expected = "error[BH-MSG-033]: the request is rejected at `steps`: a number is wanted (HTTP 400)";
    assert_eq!((error.report().as_str(), error.exit_code()), (expected, 1));
    let error = refusal(&[http!("413 Payload Too Large", "{}")], "load_world");
    assert!(
        error.report().starts_with("error[BH-CTL-028]: the request is rejected: the host gives no reason")
    );
}

#[test]
fn an_empty_token_is_not_taken_for_none() {
    for token in ["", " \t"] {
        let Err(error) = Client::new("127.0.0.1:1", Some(token), PATIENCE) else {
            panic!("`{token}` is a token")
        };
        assert!(error.report().starts_with("error[BH-CTL-034]: "), "{}", error.report());
        assert_eq!(error.exit_code(), 1);
    }
}

#[test]
fn a_wrong_token_and_a_missing_service_have_errors_of_their_own() {
    let error = refusal(&[http!("401 Unauthorized", "{\"code\":\"BH-WEB-012\",\"message\":\"m\"}")], "play");
    assert!(error.report().contains("[BH-CTL-030]") && error.report().contains("BRIDGEHEAD_TOKEN"));
    let error = refusal(
        &[http!("404 Not Found", "{\"code\":\"BH-WEB-021\",\"services\":[\"play\",\"pause\"]}")],
        "plya",
    );
    assert_eq!(error.report(), "error[BH-CTL-027]: the host has no service `plya`\n  try: `play`");
}

#[test]
fn who_is_no_host_is_told_so() {
    for answer in [
        "SSH-2.0-OpenSSH_9.6\r\n",
        "",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<html>\u{1b}[2J</html>",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[1]",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"result\":",
        "HTTP/1.1 302 Found\r\nLocation: http://example.com/\r\nContent-Length: 0\r\n\r\n",
    ] {
        let answers: &'static [&'static str] = Vec::leak(vec![answer]);
        let error = refusal(answers, "play");
        assert_eq!(error.exit_code(), 2, "{answer:?}: {error}");
        assert!(
            error.report().starts_with("error[BH-CTL-022]: the program at 127.0.0.1:"),
            "{answer:?}: {error}"
        );
        assert!(!error.report().contains('\u{1b}'), "{error}");
    }
}

#[test]
fn nobody_there_and_nobody_answering_are_two_things() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let impatient = Client::new(&address, None, Duration::from_millis(200)).expect("an address");
    let error = impatient.call("play", &json!({})).expect_err("late");
    let expected = format!("error[BH-CTL-021]: the host at {address} did not respond within 200ms");
    assert!(error.report().starts_with(&expected), "{}", error.report());
    assert_eq!(error.exit_code(), 2);
    drop(listener);
    let error = client(&address).call("play", &json!({})).expect_err("nobody");
    assert!(
        error.report().starts_with("error[BH-CTL-020]: no host can be reached at "),
        "{}",
        error.report()
    );
    assert_eq!(error.exit_code(), 2);
}

//! The page of a server, with and without files.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

const HTML: &str = "<!doctype html><p>page</p>";

/// A page of two files.
fn page() -> Page {
    let gzip = |text: &str| -> &'static [u8] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).expect("written");
        Box::leak(encoder.finish().expect("compressed").into_boxed_slice())
    };
    Page::of(&[("index.html", gzip(HTML)), ("page.js", gzip("let x;"))])
}

/// Returns the value of a header field of an answer.
fn field<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[test]
fn the_page_is_served_with_a_strict_policy() {
    let control = control();
    let server = start(HttpConfig { page: page(), ..config("127.0.0.1:0") }, &control);
    let answer = get(server.address(), "/", "");
    assert_status(&answer, 200, &[HTML]);
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-cache"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(field(&answer, name), Some(value));
    }
    let policy = field(&answer, "content-security-policy").expect("a policy");
    let parts: Vec<&str> = policy.split("; ").collect();
    for part in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"] {
        assert!(parts.contains(&part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    let script = get(server.address(), "/page.js", "");
    assert_status(&script, 200, &["let x;", "text/javascript", "content-security-policy"]);
    let head = exchange(server.address(), "HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_status(&head, 200, &[&format!("content-length: {}\r\n", HTML.len())]);
    assert!(!head.contains(HTML), "{head}");
}

#[test]
fn a_current_copy_is_not_sent_again() {
    let control = control();
    let server = start(HttpConfig { page: page(), ..config("127.0.0.1:0") }, &control);
    let first = get(server.address(), "/", "");
    let tag = field(&first, "etag").expect("a tag");
    let again = get(server.address(), "/", &format!("If-None-Match: {tag}\r\n"));
    assert_status(&again, 304, &[tag, "no-cache"]);
    assert!(!again.contains(HTML), "{again}");
    let other = get(server.address(), "/", "If-None-Match: \"older\"\r\n");
    assert_status(&other, 200, &[HTML, tag]);
}

#[test]
fn clients_that_accept_gzip_get_the_stored_bytes() {
    let control = control();
    let server = start(HttpConfig { page: page(), ..config("127.0.0.1:0") }, &control);
    let head = "HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: gzip, br\r\n\r\n";
    let gzip = exchange(server.address(), head);
    assert_status(&gzip, 200, &["content-encoding: gzip", "vary: accept-encoding"]);
    let plain = get(server.address(), "/", "");
    assert_eq!(field(&plain, "content-encoding"), None);
    assert_ne!(field(&plain, "etag"), field(&gzip, "etag"), "the bytes differ");
}

#[test]
fn the_page_needs_no_token_and_everything_else_does() {
    let control = control();
    let token = Some(Secret("s3cret".to_owned()));
    let server = start(HttpConfig { page: page(), token, ..config("127.0.0.1:0") }, &control);
    assert_status(&get(server.address(), "/", ""), 200, &[HTML]);
    assert_status(&get(server.address(), "/page.js", ""), 200, &["let x;"]);
    for path in ["/page.css", "/index.html", "/api", "/openapi.json", "/metrics", "/healthz", "/ws"] {
        assert_status(&get(server.address(), path, ""), 401, &["BH-WEB-012"]);
    }
}

#[test]
fn the_page_has_the_guards_of_the_server() {
    let control = control();
    let server = start(HttpConfig { page: page(), ..config("127.0.0.1:0") }, &control);
    let foreign =
        exchange(server.address(), "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_status(&foreign, 403, &["BH-WEB-010"]);
    let post = |origin: &str| {
        let head = format!("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{origin}\r\n");
        exchange(server.address(), &head)
    };
    assert_status(&post("Origin: http://evil.example\r\n"), 403, &["BH-WEB-011"]);
    assert_status(&post(""), 405, &["BH-WEB-022", "GET, HEAD"]);
}

#[test]
fn a_host_without_the_page_says_how_to_get_it() {
    let control = control();
    let token = Some(Secret("s3cret".to_owned()));
    let server = start(HttpConfig { token, ..config("127.0.0.1:0") }, &control);
    let answer = get(server.address(), "/", "");
    assert_status(&answer, 404, &["text/plain", "BH-WEB-015", "bash host/page/build.sh"]);
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    assert_eq!(body.lines().count(), 1, "{body}");
    assert_status(&get(server.address(), "/page.js", ""), 401, &["BH-WEB-012"]);
    let allowed = get(server.address(), "/page.js", "Authorization: Bearer s3cret\r\n");
    assert_status(&allowed, 404, &["BH-WEB-020"]);
}

#[test]
fn a_websocket_opens_with_the_token_as_a_subprotocol_which_is_not_repeated() {
    let control = control();
    let token = Some(Secret("s?3>cret".to_owned()));
    let server = start(HttpConfig { page: page(), token, ..config("127.0.0.1:0") }, &control);
    let open = |protocols: &str| {
        let mut stream = TcpStream::connect(server.address()).expect("connected");
        let head = format!(
            "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
             Origin: http://localhost\r\nSec-WebSocket-Protocol: {protocols}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut next = [0];
            stream.read_exact(&mut next).expect("a head");
            answer.extend(next);
        }
        String::from_utf8(answer).expect("text")
    };
    let answer = open("bridgehead, token.cz8zPmNyZXQ");
    assert_status(&answer, 101, &[]);
    assert_eq!(field(&answer, "sec-websocket-protocol"), Some("bridgehead"));
    assert!(!answer.contains("cz8z"), "{answer}");
    assert_status(&open("bridgehead, token.d3Jvbmc"), 401, &[]);
    assert_status(&open("bridgehead"), 401, &[]);
}

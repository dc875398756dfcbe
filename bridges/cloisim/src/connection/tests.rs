//! Valid connection strings and refused ones.

use super::*;

fn parse(text: &str) -> Connection {
    Connection::parse_with(text, None).expect("a connection")
}

#[track_caller]
fn refusal(text: &str, part: &str) {
    let error = Connection::parse_with(text, None).expect_err("a refusal");
    assert!(error.text().contains(part), "{error}");
}

#[test]
fn an_empty_string_gives_the_defaults() {
    let connection = parse("");
    assert_eq!(connection.service.to_string(), "127.0.0.1:8080");
    assert_eq!(connection.bind.to_string(), "127.0.0.1");
    assert_eq!(connection.ports, 49152..=65534);
    assert_eq!(parse(" ; "), connection);
}

#[test]
fn the_environment_variable_gives_the_port() {
    let port = |value| Connection::parse_with("", Some(value)).map(|connection| connection.service.port());
    assert_eq!(port("9090"), Ok(9090));
    assert_eq!(port(""), Ok(8080));
    assert!(port("x").expect_err("a refusal").text().contains("CLOISIM_SERVICE_PORT is `x`"));
    let given = Connection::parse_with(":7000", Some("9090")).expect("a connection");
    assert_eq!(given.service.port(), 7000);
    let address = Connection::parse_with("0.0.0.0", Some("9090")).expect("a connection");
    assert_eq!(address.service.to_string(), "0.0.0.0:9090");
}

#[test]
fn every_part_can_be_given() {
    let connection = parse("*:9000; bind=localhost ;ports=50000-50100;backend=zeromq");
    assert_eq!(connection.service.to_string(), "0.0.0.0:9000");
    assert_eq!(connection.bind.to_string(), "127.0.0.1");
    assert_eq!(connection.ports, 50000..=50100);
    assert_eq!(connection.backend, BackendKind::Zeromq);
    assert_eq!(parse("ports=50000").ports, 50000..=65534);
    assert_eq!(parse("[::1]:9000").service.to_string(), "[::1]:9000");
}

#[test]
fn the_older_key_of_the_service_is_accepted() {
    assert_eq!(parse("bind=*;service=:1"), parse(":1;bind=*"));
}

#[test]
fn errors_name_the_wrong_part() {
    refusal("port=5", "`port=` is not a known key");
    refusal("bind=*;bind=*", "`bind=` is given twice");
    refusal("host:80", "ADDRESS must be the address of the service, such as 127.0.0.1:8080, found `host:80`");
    refusal("127.0.0.1:x", "found `127.0.0.1:x`");
    refusal("bind=eth0", "`bind=` must be an address, such as 127.0.0.1, 0.0.0.0 or *, found `eth0`");
    refusal("ports=5-", "must be a range of ports");
    refusal("ports=50000-65535", "must be a range of ports");
    refusal("ports=60000-50000", "must be a range of ports");
    refusal("backend=mq", "`backend=` must be libzmq or zeromq, found `mq`");
    refusal("127.0.0.1:50000", "is in the range 49152-65534");
    refusal("backend=mq", "[BH-CLO-001]");
}

#[test]
fn the_rust_library_is_limited_to_this_machine() {
    refusal("backend=zeromq;bind=0.0.0.0", "BH-CLO-005");
    refusal("backend=zeromq;bind=*", "use backend=libzmq");
}

#[test]
fn the_readme_documents_the_form() {
    let (section, readme) = (FORM.markdown(), include_str!("../../README.md"));
    assert!(readme.contains(&section), "README.md needs this text:\n{section}");
}

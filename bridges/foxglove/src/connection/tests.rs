//! Every part of the connection string, right and wrong.

use super::*;

fn parsed(text: &str) -> Connection {
    text.parse().expect("a connection string")
}

#[test]
fn an_empty_string_has_all_defaults() {
    let connection = parsed(" ; ");
    assert_eq!(connection.server.max_clients, Connection::default().server.max_clients);
    assert_eq!(connection.server.address.to_string(), "127.0.0.1:8765");
    assert!(connection.server.origins.allow("https://app.foxglove.dev"));
    assert!(connection.server.origins.allow("https://lichtblick-suite.github.io"));
    assert!(connection.server.origins.allow("http://localhost:8080"));
    assert!(connection.server.origins.allow("file://"), "desktop viewers");
    assert!(!connection.server.origins.allow("https://evil.example"));
    assert!(!connection.server.origins.allow("null"));
    assert_eq!((connection.encoding, connection.server.backlog.frames), (Encoding::Cdr, 256));
}

#[test]
fn every_part_can_be_set() {
    let all = "[::1]:9000; token = s3cret ;origins=https://a.example, https://b.example;encoding=protobuf;\
        backlog=7;assets=/meshes,/more";
    let connection = parsed(all);
    assert_eq!(connection.server.address.to_string(), "[::1]:9000");
    assert_eq!(connection.server.token.as_deref(), Some("s3cret"));
    assert!(connection.server.origins.allow("https://b.example"));
    assert!(!connection.server.origins.allow("https://app.foxglove.dev"));
    assert!(connection.server.origins.allow("file://"));
    assert_eq!((connection.encoding, connection.server.backlog.frames), (Encoding::Protobuf, 7));
    assert_eq!(connection.assets, [PathBuf::from("/meshes"), PathBuf::from("/more")]);
    assert_eq!(parsed("localhost:0").server.address.to_string(), "127.0.0.1:0");
}

#[test]
fn an_error_names_the_wrong_part_and_shows_the_form() {
    for (text, part) in [
        ("8765", "ADDRESS must be an address with a port, such as 127.0.0.1:8765 or [::]:8765, found `8765`"),
        ("port=8765", "`port=` is not a known key"),
        ("example.org:8765", "found `example.org:8765`"),
        ("127.0.0.1:99999", "found `127.0.0.1:99999`"),
        ("encoding=ros1", "`encoding=` must be cdr, protobuf or json, found `ros1`"),
        ("backlog=0", "`backlog=` must be a number of messages"),
        ("backlog=-1", "found `-1`"),
        ("token=a;token=b", "`token=` is given twice"),
    ] {
        let error = text.parse::<Connection>().expect_err(text).to_string();
        assert!(error.starts_with("[BH-FOX-001] connection string: "), "{error}");
        assert!(error.contains(part) && error.contains("127.0.0.1:8765;token=SECRET"), "{error}");
    }
}

#[test]
fn the_older_key_of_the_address_is_accepted() {
    assert_eq!(parsed("token=a;listen=:1"), parsed(":1;token=a"));
}

#[test]
fn the_documented_defaults_are_those_of_the_bridge() {
    let written =
        parsed("127.0.0.1:8765;backlog=256;backlog_mb=32;max_message=16777216;clients=64;encoding=cdr");
    assert_eq!(parsed(""), written);
}

#[test]
fn the_readme_documents_the_form() {
    let (section, readme) = (FORM.markdown(), include_str!("../../README.md"));
    assert!(readme.contains(&section), "README.md needs this text:\n{section}");
}

//! Valid connection strings and refused ones.

use super::*;
use crate::network::Mode;

const ROUTER: &str = "tcp/localhost:7447";

fn parse(text: &str) -> Result<Connection> {
    Connection::parse_in(text, Environment::EMPTY)
}

fn network(mode: Mode, connect: &[&str], listen: &[&str]) -> Network {
    let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
    Network { mode, connect: owned(connect), listen: owned(listen) }
}

#[test]
fn an_empty_string_gives_the_defaults_of_rmw_zenoh() {
    for text in ["", ";", " ; "] {
        let connection = parse(text).expect("valid");
        assert_eq!(connection.network, network(Mode::Peer, &[ROUTER], &["tcp/localhost:0"]));
        assert_eq!((connection.domain, connection.distro), (0, Distro::JAZZY));
        assert_eq!(connection.settings.node.name, "bridgehead");
    }
}

#[test]
fn each_mode_has_its_endpoints() {
    let of = |text| parse(text).expect("valid").network;
    assert_eq!(of("mode=client"), network(Mode::Client, &[ROUTER], &[]));
    assert_eq!(of("mode=router"), network(Mode::Router, &[], &[ROUTER]));
    assert_eq!(
        of("mode=router;connect=tcp/10.0.0.1:7447, tcp/[::1]:1;listen=tcp/0.0.0.0:7447"),
        network(Mode::Router, &["tcp/10.0.0.1:7447", "tcp/[::1]:1"], &["tcp/0.0.0.0:7447"])
    );
    assert_eq!(of("connect=none;listen=none"), network(Mode::Peer, &[], &[]));
}

#[test]
fn the_string_takes_precedence_over_the_variables() {
    let find = |name: &str| match name {
        "ROS_DOMAIN_ID" => Some("5".into()),
        "ROS_DISTRO" => Some("humble".into()),
        _ => None,
    };
    let of = |text| {
        let connection = Connection::parse_in(text, Environment::of(&find)).expect("valid");
        (connection.domain, connection.distro.has_hashes)
    };
    assert_eq!(of(""), (5, false));
    assert_eq!(of("domain=6;distro=jazzy"), (6, true));
}

#[test]
fn errors_name_the_wrong_part() {
    for (text, named) in [
        ("mode=mesh", "`mode=` must be peer, client or router, found `mesh`"),
        ("connect=localhost:7447", "`connect=` must be endpoints, such as tcp/localhost:7447"),
        ("connect=tcp/:7447", "`connect=` must be endpoints"),
        ("connect=udp/localhost:7447", "found `udp/localhost:7447`"),
        ("connect=tcp/localhost", "`connect=` must be endpoints"),
        ("listen=tcp/localhost:70000", "`listen=` must be endpoints"),
        ("mode=client;listen=tcp/localhost:0", "`listen=` is of a peer or a router"),
        ("mode=client;connect=none", "`mode=client` needs an endpoint"),
        ("domain=233", "`domain=` must be a number from 0 to 232, found `233`"),
        ("distro=foxy", "`distro=` must be a distribution of ROS 2: humble"),
        ("interface=lo", "`interface=` is not a known key"),
        ("node=/", "`node=` must be a node name"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.text().contains(named), "{text}: {error}");
        assert!(error.text().contains("connect=tcp") && error.text().starts_with("[BH-ZEN-001]"), "{error}");
    }
}

#[test]
fn the_readme_documents_the_form() {
    let (section, readme) = (FORM.markdown(), include_str!("../../../README.md"));
    assert!(readme.contains(&section), "README.md needs this text:\n{section}");
}

#[test]
fn distributions_differ_in_hashes_and_in_keys_of_bytes() {
    let of = |name: &str| {
        let Distro { has_hashes, has_bytes_keys } = parse(&format!("distro={name}")).expect("valid").distro;
        (has_hashes, has_bytes_keys)
    };
    assert_eq!(["humble", "jazzy", "kilted"].map(of), [(false, false), (true, false), (true, false)]);
    assert_eq!(["lyrical", "rolling"].map(of), [(true, true); 2]);
}

//! Two hosts in one domain, each of which offers every service of a host and the clock.

use serde_json::json;

use super::wire::over_each_transport;
use super::{Domain, Wire};
use crate::support::{Served, Setup};

over_each_transport!(two_hosts_in_one_domain_report_each_other);

fn two_hosts_in_one_domain_report_each_other(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let host = || {
        let setup = Setup::new().plugins(&[wire.bridge()]).without_world();
        Served::start(setup.bridge(format!("*={}", domain.bridge(""))))
    };
    let number = domain.number();
    let (code, text) = match wire {
        Wire::Dds => ("BH-ROS-012", format!("another participant of domain {number}, which uses RustDDS,")),
        Wire::Zenoh => ("BH-ZEN-005", format!("another node of domain {number}")),
    };
    let mut hosts = [host(), host()];
    for host in &mut hosts {
        let line = host.wait_for(code);
        assert!(line.starts_with(&format!("warning[{code}]: ")), "{line}");
        assert!(line.contains(&text) && line.contains("`domain=`"), "{line}");
    }
    for host in hosts {
        host.ok("quit", json!({}));
        let text = host.finish().expect_code(0).to_string();
        assert_eq!(text.matches(code).count(), 1, "{text}");
    }
}
